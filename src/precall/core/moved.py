"""Modules that people were told to import, and where they are now:
`from precall.curves import curve` goes on working.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.abc import Loader
else:
    # Importing it costs more than all the rest of `import precall`.
    Loader = object

#: What was written in documents or examples; what is in a package is found there, too.
MOVED = {
    "precall.case_tables": "precall.cases.table",
    "precall.contingency": "precall.hard_decisions",
    "precall.curves": "precall.cases",
    "precall.errors": "precall.core.errors",
    "precall.item_tables": "precall.hard_decisions.table_io",
    "precall.methods": "precall.core.methods",
    "precall.notes": "precall.core.notes",
    "precall.presented": "precall.results.base",
    "precall.sheet": "precall.results",
}


class Finder(Loader):
    """Finds a module by the name that it had: the same module, not a second one."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        # Asked of every import of the process.
        old = ".".join(name.split(".", 2)[:2])
        if old not in MOVED:
            return None
        return ModuleSpec(name, self, origin=MOVED[old] + name[len(old) :])

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(str(spec.origin))
        # Importing sets this to what was looked for, after which the module could not be reloaded.
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state


def keep_old_names() -> None:
    """Let modules be found by their old names, too; once in a process."""
    # Before all others, or what a moved package holds would be found in its folder, and be there
    # twice.
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder())
