"""Functions of higher rooms that lower ones call, such as the one that writes the page of a result.
They are registered where the package is put together (`precall/__init__`), and imported when they
are first called.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

_HOMES: dict[str, str] = {}


def register(homes: Mapping[str, str]) -> None:
    """Register the function of each hook, as "module:function"."""
    _HOMES.update(homes)


def hook(name: str) -> Any:
    """The function of a hook; None if there is none."""
    if name not in _HOMES:
        return None
    module, _, function = _HOMES[name].partition(":")
    return getattr(import_module(module), function)
