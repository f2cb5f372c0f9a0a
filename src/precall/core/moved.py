"""Modules that people were told to import, and where they are now:
`from precall.curves import curve` goes on working.
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
    """Finds a module by the name that it had: the same module, not a second one.

    A thread that asks for an old name while another one begins to import precall may not find it:
    Python does not wait until the package is there, and only then knows this.
    """

    def __init__(self, moved: Mapping[str, str]) -> None:
        self._moved = moved

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        # Asked of every import of the process.
        old = ".".join(name.split(".", 2)[:2])
        if old not in self._moved:
            return None
        return ModuleSpec(name, self, origin=self._moved[old] + name[len(old) :])

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(str(spec.origin))
        # Importing sets this to what was looked for, after which the module could not be reloaded.
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state

    def get_code(self, name: str) -> CodeType | None:
        """For `runpy`, which runs a module anew."""
        there: Any = import_module(name).__spec__
        code: CodeType | None = there.loader.get_code(there.name)
        return code


def keep_old_names(moved: Mapping[str, str]) -> None:
    """Let modules be found by their old names, too; once in a process. `moved` are old names with
    those that the modules have now; what is in a package is found there, too.
    """
    # Before all others, or what a moved package holds would be found in its folder, and be there
    # twice.
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder(moved))
