"""What lower rooms ask of higher ones, such as the page of a result: higher ones are named where
the package is put together (`precall/__init__`), and imported when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

_HOMES: dict[str, str] = {}


def register(homes: Mapping[str, str]) -> None:
    """Say which function answers each hook, as "module:function"."""
    _HOMES.update(homes)


def hook(name: str) -> Any:
    """The function that answers a hook; None if there is none."""
    if name not in _HOMES:
        return None
    module, _, function = _HOMES[name].partition(":")
    return getattr(import_module(module), function)
