"""Precision, recall, F or any other measure of counts against the threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.drawing import labels, palette
from precall.drawing.thinning import kept, part
from precall.errors import UsageError
from precall.measures import Measure, of_counts, weighted
from precall.plot import canvas
from precall.plot.one_curve import OneCurve
from precall.plot.systems import listed, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from precall.curves import OperatingPoint


class AgainstThreshold(OneCurve):
    """Precision, recall and F, or other measures, of accepting every case that scores at least the threshold.

    Drawn in steps, each as long as the threshold can move before another case is accepted. Beyond the best
    score nothing is accepted and nothing drawn; infinite scores have no place on the axis.

    Examples
    --------
    >>> from precall import curve
    >>> display = AgainstThreshold.from_curve(curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3])).plot()
    >>> display.lines_["recall"].get_xdata().tolist(), display.lines_["recall"].get_ydata().tolist()
    ([0.3, 0.4, 0.8, 0.9], [1.0, 0.5, 0.5, 0.0])
    """

    def plot(
        self, ax: Axes | None = None, *, measures: Sequence[str] = ("precision", "recall", "F"),
        beta: float = 1.0, points: Any = (), legend: bool = True, **line: Any,
    ) -> Self:  # fmt: skip
        """Draw.

        Parameters
        ----------
        ax : axes to draw on (default: those of a new figure, made without pyplot).
        measures : any measures of counts, such as "rejection recall", "MCC" or "F(beta=2)".
        beta : of "F".
        points : {label: operating point} or points; each is a vertical line at its threshold.
        legend, **line : as `PrecisionRecall.plot` takes them.
        """
        chosen = named(measures, beta)
        curve = self.curve
        finite = self._finite()
        threshold = np.asarray(curve.threshold[finite], np.float64)
        if not len(threshold):
            raise UsageError("curve: all scores are infinite, and no threshold between them has a place")
        # The recalls only grow or fall.
        turning = [
            np.nan_to_num(curve.values(measure)[finite])
            for measure in chosen.values()
            if measure.name not in ("R", "Specificity")
        ]
        # With the last row, which knows how many cases there are.
        few = part(curve, np.append(finite.start + kept(threshold, turning), len(curve) - 1))
        x = self._shown(np.asarray(few.threshold[-2::-1], np.float64))
        ax = self._open(ax)
        line = canvas.spelled(line)
        if all(measure.declaration.range == (0, 1) for measure in chosen.values()):
            canvas.span(ax, "y")
        ax.set_xlabel("threshold")
        style: dict[str, Any] = {"drawstyle": "steps-pre", "linewidth": 1.8} | line
        lines, entries = {}, []
        for place, (name, measure) in enumerate(chosen.items()):
            lines[name] = ax.plot(x, few.values(measure)[-2::-1], **palette.stroke(place) | style)[0]
            entries.append((lines[name], f"F{beta:g}" if name == "F" else name))
        for number, (label, point) in enumerate(self._labelled(points)):
            entries.append((self._mark(ax, point, number), label))
        return self._finish(ax, lines, entries, legend)

    def _mark(self, ax: Axes, point: OperatingPoint, number: int) -> Any:
        at = self._shown(point.threshold)
        style: dict[str, Any] = {
            "marker": palette.marker(number),
            "markevery": [1],
            "markersize": 7,
            "clip_on": False,
        }
        return ax.plot([at, at], [0, 1], color=palette.GUIDE, linewidth=1, **style)[0]

    def _labelled(self, points: Any) -> list[tuple[str, OperatingPoint]]:
        points = listed(points)
        pairs = points.items() if hasattr(points, "items") else [("", one) for one in points]
        return [(told(labels.plain(label), self._shown(point.threshold)), point) for label, point in pairs]


def named(measures: Sequence[str], beta: float = 1.0) -> dict[str, Measure]:
    """Measures of counts as they are called; `beta` is that of "F"."""
    if not measures:
        raise UsageError("measures: got none; name one measure of counts or several")
    return {name: weighted("F", beta) if name == "F" else of_counts(name) for name in measures}
