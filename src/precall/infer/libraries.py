"""SciPy and statsmodels, imported when a function needs them; what to install where they are absent."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from precall.errors import MissingExtra


def stats() -> ModuleType:
    """`scipy.stats`: the reference for distributions."""
    return _imported("scipy.stats", "distributions", "scipy")


def special() -> ModuleType:
    """`scipy.special`: the same functions without the machinery of distributions, a hundred times as fast."""
    return _imported("scipy.special", "distributions", "scipy")


def multitest() -> ModuleType:
    """`statsmodels.stats.multitest`: corrections for many tests."""
    return _imported("statsmodels.stats.multitest", "corrections for many tests", "statsmodels")


def _imported(module: str, what: str, package: str) -> ModuleType:
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(f"{what} need {package}: pip install {package}") from error
