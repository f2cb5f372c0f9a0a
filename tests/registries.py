"""Measures declared by one test are forgotten after it."""

from __future__ import annotations

import pytest

from precall.measures import REGISTRY


def lend(monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies of all that the registry holds, until the test ends: a name and what it was read as go
    together.
    """
    assert list(
        REGISTRY
    )  # those that are declared late, too, or they would be forgotten with the copies
    for names in ("_declared", "_forms", "_patterns", "_found", "directions"):
        monkeypatch.setattr(REGISTRY, names, dict(getattr(REGISTRY, names)))
