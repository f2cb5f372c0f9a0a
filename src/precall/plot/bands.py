"""Bands around a curve, of what `precall.interval` returns or of plain arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from precall.errors import UsageError
from precall.plot import canvas
from precall.ragged import Float64

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Band(NamedTuple):
    """Where a curve lies: between `low` and `high` at each place `x`."""

    x: Float64
    low: Float64
    high: Float64
    said: str


def of(given: Any) -> list[Band]:
    """One band or several; each has x, low and high, as attributes or as a tuple in this order."""
    several = isinstance(given, list) or (isinstance(given, tuple) and len(given) != 3)
    return [_one(band) for band in (given if several else [given])]


def by_system(given: Any, systems: list[str]) -> list[tuple[int, Band]]:
    """Bands with the place of their system: {name: bands}, or those of the first system alone."""
    named = given if isinstance(given, Mapping) else {systems[0]: given}
    unknown = [name for name in named if name not in systems]
    if unknown:
        raise UsageError(f"bands: no system {unknown[0]!r}; there are {', '.join(systems)}")
    found = [(systems.index(name), band) for name, bands in named.items() for band in of(bands)]
    if len(systems) == 1:
        return found
    # Tints of several systems look alike in grey print.
    return [(i, band._replace(said=f"{canvas.plain(systems[i])}, {band.said}")) for i, band in found]


def look(colour: str, number: int) -> dict[str, Any]:
    """A tint with thin edges, which grey print shows, too; the second band is darker and its edges dashed."""
    tint = {"facecolor": (colour, 0.14 + 0.16 * (number % 3)), "edgecolor": (colour, 0.7)}
    return tint | {"linewidth": 0.8, "linestyle": ("-", "--", ":")[number % 3], "zorder": 1 + number / 10}


def draw(ax: Axes, band: Band, colour: str, number: int) -> Any:
    """The band over its places."""
    return ax.fill_between(band.x, band.low, band.high, **look(colour, number))


def _one(band: Any) -> Band:
    if hasattr(band, "low") and hasattr(band, "high") and hasattr(band, "x"):
        parts, said = (band.x, band.low, band.high), _said(band)
    elif isinstance(band, tuple) and len(band) == 3:
        parts, said = band, "band"
    else:
        raise UsageError(f"bands: must have x, low and high, got {type(band).__name__}")
    x, low, high = (np.asarray(part, np.float64) for part in parts)
    if x.ndim != 1 or not x.shape == low.shape == high.shape:
        shapes = ", ".join(str(part.shape) for part in (x, low, high))
        raise UsageError(f"bands: x, low and high must be arrays of one length, got {shapes}")
    return Band(x, low, high, said)


def _said(band: Any) -> str:
    level = getattr(band, "level", None)
    words = [f"{100 * level:g} %" if level is not None else "", getattr(band, "kind", ""), "band"]
    return " ".join(word for word in words if word)
