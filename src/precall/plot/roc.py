"""The ROC curve, on axes of any convention: each has a name, and the axes say what they show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.checks import check_choice
from precall.drawing import bands as tints
from precall.drawing import palette, steps
from precall.drawing.thinning import thin
from precall.errors import UsageError
from precall.plot import canvas
from precall.plot.precision_recall import mark
from precall.plot.systems import CurveDisplay, Shape, draw_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from precall.curves import Curve

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
        check_choice("axes", axes, AXES)
        across, along, reverse, turn = AXES[axes]
        marks = self._points(points) if points else []
        tinted = tints.by_system(bands, list(self.systems)) if bands else []
        shapes = {name: [_shape(curve, name) for curve in curves] for name, curves in self.systems.items()}
        ax = self._open(ax, canvas.SQUARE)
        line = canvas.spelled(line)
        canvas.unit(ax, across, along)
        if reverse:
            ax.set_xlim(1.01, -0.01)
        entries: list[tuple[Any, str]] = []
        lines = self._lines(
            ax, shapes, line, entries, mean=steps.mean_of_lines,
            measured=lambda curve: ("AUC", curve.area_under_roc()),
            draw=lambda ax, x, y, style: draw_lines(ax, *turn(x, y), style),
        )  # fmt: skip
        for number, (place, band) in enumerate(tinted):
            area = ax.fill(*turn(*band.outline()), **canvas.tint(palette.colour(place), number))[0]
            entries.append((area, band.label))
        if chance:
            ends = np.array([0.0, 1.0])
            entries.append((draw_lines(ax, *turn(ends, ends), canvas.GUIDE), "chance"))
        for number, (place, label, point) in enumerate(marks):
            x, y = turn(1 - point.rejection_recall, point.recall)
            entries.append((mark(ax, number, place, x, y), label))
        return self._finish(ax, lines, entries, legend)


def _shape(curve: Curve, name: str) -> Shape:
    if not curve.other:
        of = f" of {name!r}" if name else ""
        raise UsageError(f"curves: everything is relevant in the curve{of}, so it has no ROC curve")
    return steps.roc(thin(curve))
