"""Bands around a curve, of what `precall.interval` returns or of plain arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from precall.drawing.labels import plain
from precall.errors import UsageError
from precall.ragged import Float64


class Band(NamedTuple):
    """Where a curve lies: between `low` and `high` at each place `x`."""

    x: Float64
    low: Float64
    high: Float64
    label: str = ""

    def outline(self) -> tuple[Float64, Float64]:
        """Corners of its area: along the upper edge, and back along the lower one."""
        return np.concatenate((self.x, self.x[::-1])), np.concatenate((self.high, self.low[::-1]))


def listed(given: Any) -> list[Band]:
    """One band or several; each has x, low and high, as attributes or as a tuple in this order."""
    several = isinstance(given, list) or (isinstance(given, tuple) and len(given) != 3)
    return [_checked(band) for band in (given if several else [given])]


def by_system(given: Any, systems: list[str]) -> list[tuple[int, Band]]:
    """Bands with the place of their system: {name: bands}, or those of the first system alone."""
    named = given if isinstance(given, Mapping) else {systems[0]: given}
    unknown = [name for name in named if name not in systems]
    if unknown:
        raise UsageError(f"bands: no system {unknown[0]!r}; there are {', '.join(systems)}")
    placed = [(systems.index(name), band) for name, bands in named.items() for band in listed(bands)]
    if len(systems) == 1:
        return placed
    # Tints of several systems look alike in grey print.
    return [(i, band._replace(label=f"{plain(systems[i])}, {band.label}")) for i, band in placed]


def _checked(band: Any) -> Band:
    if hasattr(band, "low") and hasattr(band, "high") and hasattr(band, "x"):
        parts, label = (band.x, band.low, band.high), _label(band)
    elif isinstance(band, tuple) and len(band) == 3:
        parts, label = band, "band"
    else:
        raise UsageError(f"bands: must have x, low and high, got {type(band).__name__}")
    x, low, high = (np.asarray(part, np.float64) for part in parts)
    if x.ndim != 1 or not x.shape == low.shape == high.shape:
        shapes = ", ".join(str(part.shape) for part in (x, low, high))
        raise UsageError(f"bands: x, low and high must be arrays of one length, got {shapes}")
    return Band(x, low, high, label)


def _label(band: Any) -> str:
    level = getattr(band, "level", None)
    words = [f"{100 * level:g} %" if level is not None else "", getattr(band, "kind", ""), "band"]
    return " ".join(word for word in words if word)
