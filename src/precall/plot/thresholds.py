"""Precision, recall and F against the threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.checks import check_beta
from precall.drawing import labels, palette
from precall.drawing.thinning import kept, part
from precall.errors import UsageError
from precall.measures import weighted
from precall.plot import canvas
from precall.plot.one_curve import OneCurve
from precall.plot.systems import listed, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from precall.curves import Curve, OperatingPoint
    from precall.ragged import Float64

MEASURES = ("precision", "recall", "F", "rejection recall")


class AgainstThreshold(OneCurve):
    """Precision, recall and F of accepting every case that scores at least the threshold.

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
        self, ax: Axes | None = None, *, measures: Sequence[str] = MEASURES[:3], beta: float = 1.0,
        points: Any = (), legend: bool = True, **line: Any,
    ) -> Self:  # fmt: skip
        """Draw.

        Parameters
        ----------
        ax : axes to draw on (default: those of a new figure, made without pyplot).
        measures : of "precision", "recall", "F" and "rejection recall".
        beta : of F.
        points : {label: operating point} or points; each is a vertical line at its threshold.
        legend, **line : as `PrecisionRecall.plot` takes them.
        """
        unknown = [name for name in measures if name not in MEASURES]
        if unknown or not measures:
            got = repr(unknown[0]) if unknown else "none"
            raise UsageError(f"measures: got {got}, allowed are {', '.join(MEASURES)}")
        beta = check_beta(beta)
        curve = self.curve
        finite = self._finite()
        threshold = np.asarray(curve.threshold[finite], np.float64)
        if not len(threshold):
            raise UsageError("curve: all scores are infinite, and no threshold between them has a place")
        # The recalls only grow or fall.
        turning = [_heights(curve, name, beta)[finite] for name in measures if name in ("precision", "F")]
        # With the last row, which knows how many cases there are.
        few = part(curve, np.append(finite.start + kept(threshold, turning), len(curve) - 1))
        x = self._shown(np.asarray(few.threshold[-2::-1], np.float64))
        ax = self._open(ax)
        line = canvas.spelled(line)
        canvas.span(ax, "y")
        ax.set_xlabel("threshold")
        style: dict[str, Any] = {"drawstyle": "steps-pre", "linewidth": 1.8} | line
        lines, entries = {}, []
        for place, name in enumerate(measures):
            lines[name] = ax.plot(x, _heights(few, name, beta)[-2::-1], **palette.stroke(place) | style)[0]
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


def _heights(curve: Curve, name: str, beta: float) -> Float64:
    if name == "F":
        return curve.values(weighted("F", beta))
    height: Float64 = getattr(curve, name.replace(" ", "_"))
    return height
