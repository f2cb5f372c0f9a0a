"""The precision-recall-gain curve (Flach & Kull 2015)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.drawing.steps import mean_of_lines
from precall.drawing.thinning import MANY, grid_rows, kept, part
from precall.errors import UsageError
from precall.plot import canvas
from precall.plot.systems import CurveDisplay, draw_lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from precall.curves import Curve
    from precall.ragged import Float64


class PrecisionRecallGain(CurveDisplay):
    """Precision gain over recall gain, of systems or folds: the rows of `Curve.gain()`.

    Points are joined by straight lines, which here are what thresholds taken by chance deliver. The square
    shows gains from 0 to 1; a precision gain below 0 (worse than accepting everything) is below it and not shown.

    Examples
    --------
    >>> from precall import curve
    >>> display = PrecisionRecallGain.from_curve(curve([1, 0, 1, 0], [4, 3, 2, 1])).plot()
    >>> display.line_.get_xdata().tolist(), display.line_.get_ydata().tolist()
    ([0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.5, 0.0])
    """

    def plot(self, ax: Axes | None = None, *, legend: bool = True, **line: Any) -> Self:
        """Draw; see `PrecisionRecall.plot`."""
        shapes = {name: [_gain(curve, name) for curve in curves] for name, curves in self.systems.items()}
        ax = self._open(ax, canvas.SQUARE)
        line = canvas.spelled(line)
        canvas.unit(ax, "recall gain", "precision gain")
        entries: list[tuple[Any, str]] = []
        lines = self._lines(
            ax, shapes, line, entries, mean=mean_of_lines, draw=draw_lines,
            measured=lambda curve: ("area", curve.area_under_pr("gain")),
        )  # fmt: skip
        return self._finish(ax, lines, entries, legend)


def _gain(curve: Curve, name: str) -> tuple[Float64, Float64]:
    # Gains magnify low recall, where the areas' bound says little; the grid has lines of equal ratios there.
    table = (part(curve, grid_rows(curve)) if len(curve) > MANY else curve).gain()
    x, y = np.asarray(table["recall_gain"]), np.asarray(table["precision_gain"])
    if not len(x):
        of = f" of {name!r}" if name else ""
        raise UsageError(f"curves: the curve{of} has no gain: everything is relevant, or too few were found")
    rows = kept(x, (y,))
    return x[rows], y[rows]
