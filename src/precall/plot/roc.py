"""The ROC curve, on axes of any convention: each has a name, and the axes say what they show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.errors import UsageError
from precall.plot import bands as tints
from precall.plot import canvas, palette
from precall.plot.folds import mean_of_lines
from precall.plot.precision_recall import mark
from precall.plot.systems import CurveDisplay, said
from precall.plot.thinning import thin

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from precall.curves import Curve
    from precall.ragged import Float64

    Turn = Callable[[Any, Any], tuple[Any, Any]]

#: Name → labels of the axes, whether the first runs from 1 down to 0, and how (false positive rate, recall) become
#: a place on them.
AXES: dict[str, tuple[str, str, bool, Turn]] = {
    "false positive rate": ("false positive rate", "recall", False, lambda rate, recall: (rate, recall)),
    "rejection recall": ("rejection recall", "recall", True, lambda rate, recall: (1 - rate, recall)),
    "recall": ("recall", "rejection recall", False, lambda rate, recall: (recall, 1 - rate)),
}


class ROC(CurveDisplay):
    """Recall against the other cases that are accepted or rejected, of systems or folds.

    Points are joined by straight lines: a threshold between two of them can be had by chance, and ties are slopes.
    The area under the line is the area under the ROC curve.

    Examples
    --------
    >>> from precall import curve
    >>> display = ROC.from_curve(curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3])).plot()
    >>> display.line_.get_xdata().tolist(), display.line_.get_ydata().tolist()
    ([0.0, 0.5, 0.5, 1.0, 1.0], [0.0, 0.0, 0.5, 0.5, 1.0])
    """

    def plot(
        self, ax: Axes | None = None, *, axes: str = "false positive rate", chance: bool = True,
        points: Any = (), bands: Any = (), legend: bool = True, **line: Any,
    ) -> Self:  # fmt: skip
        """Draw.

        Parameters
        ----------
        ax : axes to draw on (default: those of a new figure, made without pyplot).
        axes : "false positive rate" (upwards recall; the convention of most tools), "rejection recall" (the
            same picture, the axis named by its complement and running from 1 to 0; R's pROC) or "recall"
            (upwards rejection recall; LingPipe).
        chance : draw the diagonal of random acceptance.
        points, bands, legend, **line : as `PrecisionRecall.plot` takes them; bands are over the false
            positive rate, as `precall.interval.roc_band` returns them, also where the axes are others.
        """
        if axes not in AXES:
            raise UsageError(f"axes: got {axes!r}, allowed are {', '.join(AXES)}")
        across, along, reverse, turn = AXES[axes]
        marks = self._points(points) if points else []
        tinted = tints.by_system(bands, list(self.systems)) if bands else []
        drawings = [_drawn(name, curves) for name, curves in self.systems.items()]
        ax = self._open(ax, canvas.SQUARE)
        line = canvas.spelled(line)
        canvas.unit(ax, across, along)
        if reverse:
            ax.set_xlim(1.01, -0.01)
        lines: dict[Any, Any] = {}
        entries: list[tuple[Any, str]] = []
        for place, (name, drawn) in enumerate(zip(self.systems, drawings, strict=True)):
            style = palette.stroke(place) | {"linewidth": 1.8, "zorder": 3} | line
            lines[name] = _lines(ax, drawn, turn, style, entries)
        for number, (place, band) in enumerate(tinted):
            entries.append((_tint(ax, band, turn, tints.look(palette.colour(place), number)), band.said))
        if chance:
            guide: dict[str, Any] = {
                "color": palette.GUIDE,
                "linewidth": 1,
                "linestyle": (0, (3, 2)),
                "zorder": 1,
            }
            entries.append((ax.plot(*turn(np.array([0.0, 1]), np.array([0.0, 1])), **guide)[0], "chance"))
        for number, (place, label, point) in enumerate(marks):
            x, y = turn(1 - point.rejection_recall, point.recall)
            entries.append((mark(ax, number, place, x, y), label))
        return self._finish(ax, lines, entries, legend)


Drawing = tuple[list[tuple["Float64", "Float64"]], list[str]]


def _drawn(name: str, curves: tuple[Curve, ...]) -> Drawing:
    """Lines of (false positive rate, recall), the main one first, and what is said of them."""
    folds = []
    for curve in curves:
        if not curve.other:
            of = f" of {name!r}" if name else ""
            raise UsageError(f"curves: everything is relevant in the curve{of}, so it has no ROC curve")
        points = thin(curve)
        folds.append((points.fp / points.other, points.recall))
    if len(curves) == 1:
        return folds, [said(name, "AUC", curves[0].area_under_roc())]
    prefix = f"{canvas.plain(name)}, " if name else ""
    return [mean_of_lines(folds), *folds], [f"{prefix}mean of folds", f"{prefix}{len(curves)} folds"]


def _lines(
    ax: Axes, drawn: Drawing, turn: Turn, style: dict[str, Any], entries: list[tuple[Any, str]]
) -> Any:
    (main, *folds), words = drawn
    for fold in folds:
        behind = ax.plot(*turn(*fold), **style | {"linewidth": 0.8, "alpha": 0.45, "linestyle": "-"})[0]
    line = ax.plot(*turn(*main), **style | ({"linewidth": 2.2} if folds else {}))[0]
    entries.append((line, words[0]))
    if folds:
        entries.append((behind, words[1]))
    return line


def _tint(ax: Axes, band: tints.Band, turn: Turn, look: dict[str, Any]) -> Any:
    # As an outline, which may be turned: there and back again.
    rate = np.concatenate((band.x, band.x[::-1]))
    x, y = turn(rate, np.concatenate((band.low, band.high[::-1])))
    return ax.fill(x, y, **look)[0]
