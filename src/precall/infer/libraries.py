"""SciPy, imported when a function needs it; what to install where it is absent."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from precall.errors import MissingExtra


def stats() -> ModuleType:
    """`scipy.stats`: the reference for distributions."""
    return imported("scipy.stats", "distributions need scipy", "scipy")


def special() -> ModuleType:
    """`scipy.special`: the same functions without the machinery of distributions, a hundred times as fast."""
    return imported("scipy.special", "distributions need scipy", "scipy")


def sparse() -> ModuleType:
    """`scipy.sparse`: products with matrices that are mostly 0."""
    return imported("scipy.sparse", "exchanges need scipy", "scipy")


def imported(module: str, need: str, package: str) -> ModuleType:
    """A module, or an error that says who needs it and what to install."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(f"{need}: pip install {package}") from error
