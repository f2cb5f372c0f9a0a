"""Old names of modules that people were told to import: `from precall.curves import curve` still
works.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.abc import Loader
else:
    # Importing it costs more than all the rest of `import precall`.
    Loader = object


class Finder(Loader):
    """Finds a module by its former name: the same module, not a second one.

    If one thread begins to import precall while another one asks for an old name, the old name may
    not be found: Python does not wait until the package is loaded, and only then is this finder
    known.
    """

    def __init__(self, moved: Mapping[str, str]) -> None:
        self._moved = moved

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        # Called for every import of the process.
        old = ".".join(name.split(".", 2)[:2])
        if old not in self._moved:
            return None
        return ModuleSpec(name, self, origin=self._moved[old] + name[len(old) :])

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(str(spec.origin))
        # Python sets `__spec__` to what was looked for; the module could then not be reloaded.
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state

    def get_code(self, name: str) -> CodeType | None:
        """The code of a module, for `runpy`, which runs it again."""
        there: Any = import_module(name).__spec__
        code: CodeType | None = there.loader.get_code(there.name)
        return code


def keep_old_names(moved: Mapping[str, str]) -> None:
    """Let modules be found by their former names. `moved` maps old names to present ones; modules
    inside a moved package are found as well. Called once in a process.
    """
    # First in the list: the folder of a moved package would otherwise give second copies of its
    # modules.
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder(moved))
