"""What parameters mean that many functions share, said once, for the pages of those whose docstrings leave it out."""

from __future__ import annotations

from .docstrings import Item

_SHARED: dict[str, str] = {}


def shared(owner: str, name: str) -> Item:
    """What a parameter means, wherever it stands."""
    return Item((name,), ())
