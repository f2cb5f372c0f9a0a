"""The difference of two curves with its band."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.core.arguments import check_kind
from precall.core.text import percent
from precall.plot import canvas
from precall.plot.canvas import Display
from precall.plot.shared import styles
from precall.stats.intervals.bands import Band
from precall.stats.tests.curve_bands import CurveComparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class CurveDifference(Display):
    """Height of one curve minus that of another on the same cases, with its band.

    Where the band does not touch the line at 0, the curves differ significantly.

    Parameters
    ----------
    band : the difference, as `precall.compare.curves` returns it in `band`.
    names : names of the two systems.

    Examples
    --------
    >>> from precall import compare, curve
    >>> y = [1, 1, 0, 1, 0, 0, 1, 0] * 30
    >>> a = curve(y, [8, 7, 6, 5, 4, 3, 2, 1] * 30)
    >>> b = curve(y, [8, 3, 6, 1, 4, 5, 2, 7] * 30)
    >>> found = compare.curves(a, b, grid=[0.25, 0.5, 0.75])
    >>> display = CurveDifference.from_comparison(found).plot()
    >>> display.ax_.get_ylabel(), display.line_.get_xdata().tolist()
    ('precision, a - b', [0.25, 0.5, 0.75])
    """

    def __init__(self, band: Band, names: tuple[str, str] = ("a", "b")) -> None:
        self.band: Band = check_kind("band", band, Band, "the band of what compare.curves returns")
        self.names: tuple[str, str] = names

    @classmethod
    def from_comparison(cls, found: CurveComparison) -> Self:
        """Display of what `precall.compare.curves` returns."""
        what = "what pc.compare.curves returns"
        found = check_kind("found", found, CurveComparison, what)
        return cls(found.band, found.names)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self.band.x)} points>"

    def plot(
        self, ax: Axes | None = None, *, title: str | None = None, legend: bool = True, **line: Any
    ) -> Self:
        """Draw on `ax` or on a new figure. `line` holds looks of matplotlib for the difference."""
        ax, line = self._open(ax, line, title=title)
        band = self.band
        first, second = map(styles.escape_name, self.names)
        along = band.along.removeprefix("difference of ")
        ax.set(xlabel=band.across.replace("_", " "), ylabel=f"{along}, {first} - {second}")
        canvas.span(ax, "x")
        canvas.baseline(ax, 0.0)
        look = styles.stroke(0) | {"marker": "o", "markersize": 3} | line
        drawn = ax.plot(band.x, band.estimate, **look)[0]
        self._line("difference", drawn, f"{first} - {second}")
        tint = canvas.tint(styles.colour(0), 0)
        area = ax.fill_between(band.x, band.low, band.high, **tint)
        self._line("band", area, f"{percent(band.level)} {band.kind} band")
        reach = float(np.max(np.abs([band.low, band.high]), initial=0.05))
        ax.set_ylim(-1.05 * reach, 1.05 * reach)
        return self._finish(ax, legend)
