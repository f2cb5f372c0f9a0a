"""What the tests compare with and read from, imported when it is first used: collecting them needs
none of it, and it is most of what collecting would take.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

#: What pytest asks of all that a module holds; no module has it.
_ASKED = {"__bases__", "__test__", "__wrapped__", "_mock_name"}


class _Peer:
    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name in _ASKED:
            raise AttributeError(name)
        return getattr(import_module(self._name), name)

    def __dir__(self) -> list[str]:
        return dir(import_module(self._name))


def peer(name: str, reason: str | None = None) -> Any:
    """The module of that name; where it is not installed, the asking module's tests are skipped."""
    if find_spec(name.partition(".")[0]) is None:
        pytest.skip(reason or f"{name} is not installed", allow_module_level=True)
    return _Peer(name)
