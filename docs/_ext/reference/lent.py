"""Modules that are not installed, lent while precall's own that need them are imported: only names
are read of those.
"""

from __future__ import annotations

import importlib.util
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from typing import Any, ClassVar

#: What extras need, and what tests need.
PACKAGES = ("torch", "torchmetrics", "pyspark", "pytest", "matplotlib", "pandas", "pyarrow")


class _Anything:
    """A class that may be derived from, called, decorated with and indexed."""

    def __new__(cls, *given: Any, **options: Any) -> Any:
        if len(given) == 1 and callable(given[0]):
            return given[0]  # a decorator
        return super().__new__(cls)

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    def __call__(self, *given: Any, **options: Any) -> Any:
        return given[0] if given else self


class _Lent(types.ModuleType):
    __path__: ClassVar[list[str]] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (_Anything,), {"__module__": self.__name__})
        setattr(self, name, made)
        return made


class _Finder:
    def __init__(self, packages: set[str]) -> None:
        self.packages = packages

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return (
            ModuleSpec(name, self, is_package=True)
            if name.partition(".")[0] in self.packages
            else None
        )  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        return _Lent(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass


@contextmanager
def lent() -> Iterator[None]:
    """Have every package of `PACKAGES`; what is not installed is forgotten again, and so is what
    was imported with it.
    """
    lacking = {
        name for name in PACKAGES if name not in sys.modules and not importlib.util.find_spec(name)
    }
    finder = _Finder(lacking)
    before = set(sys.modules)
    sys.meta_path.append(finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in set(sys.modules) - before if lacking else ():
            module = sys.modules[name]
            if name.partition(".")[0] in lacking or _borrowed(module, lacking):
                del sys.modules[name]
                parent, _, last = name.rpartition(".")
                if getattr(sys.modules.get(parent), last, None) is module:
                    delattr(sys.modules[parent], last)


def _borrowed(module: types.ModuleType, lacking: set[str]) -> bool:
    """Whether a module of ours holds anything that was lent."""
    if not module.__name__.startswith("precall."):
        return False
    values = list(vars(module).values())
    return any(
        isinstance(value, _Lent) or (isinstance(value, type) and issubclass(value, _Anything))
        for value in values
    )
