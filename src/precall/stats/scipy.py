"""SciPy, imported when a function needs it; what to install where it is absent."""

from __future__ import annotations

from typing import Any

from precall.core.errors import imported

_NEED = "intervals and tests need SciPy"


def stats() -> Any:
    """`scipy.stats`: the reference for distributions."""
    return imported("scipy.stats", _NEED)


def special() -> Any:
    """`scipy.special`: the same functions without the machinery of distributions, a hundred times
    as fast.
    """
    return imported("scipy.special", _NEED)


def optimize() -> Any:
    """`scipy.optimize`: where a function is 0."""
    return imported("scipy.optimize", _NEED)


def sparse() -> Any:
    """`scipy.sparse`: products with matrices that are mostly 0."""
    return imported("scipy.sparse", _NEED)
