"""SciPy, imported when a function needs it; what to install where it is absent."""

from __future__ import annotations

from typing import Any

from precall.errors import imported


def stats() -> Any:
    """`scipy.stats`: the reference for distributions."""
    return imported("scipy.stats", "distributions need scipy")


def special() -> Any:
    """`scipy.special`: the same functions without the machinery of distributions, a hundred times as fast."""
    return imported("scipy.special", "distributions need scipy")


def optimize() -> Any:
    """`scipy.optimize`: where a function is 0."""
    return imported("scipy.optimize", "distributions need scipy")


def sparse() -> Any:
    """`scipy.sparse`: products with matrices that are mostly 0."""
    return imported("scipy.sparse", "exchanges need scipy")
