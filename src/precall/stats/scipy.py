"""SciPy, imported when a function needs it; if it is missing, the error says what to install."""

from __future__ import annotations

from types import ModuleType

from precall.core.errors import require_module

_NEED = "intervals and tests need SciPy"


def stats() -> ModuleType:
    """`scipy.stats`: the reference for distributions."""
    return require_module("scipy.stats", _NEED)


def special() -> ModuleType:
    """`scipy.special`: the functions without the machinery of distributions, a hundred times as
    fast.
    """
    return require_module("scipy.special", _NEED)


def optimize() -> ModuleType:
    """`scipy.optimize`: roots of functions."""
    return require_module("scipy.optimize", _NEED)


def sparse() -> ModuleType:
    """`scipy.sparse`: products with matrices whose entries are mostly 0."""
    return require_module("scipy.sparse", _NEED)
