"""What notes, or sentences of a headline, say, where they are plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def texts(given: Iterable[Mapping[str, Any]]) -> list[str]:
    """Their texts."""
    return [one["text"] for one in given]
