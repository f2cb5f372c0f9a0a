"""Recall and precision against rank: what a budget buys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.drawing import labels, palette
from precall.drawing.thinning import kept, part
from precall.errors import UsageError
from precall.plot import canvas
from precall.plot.systems import CurveDisplay
from precall.plot.thresholds import named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from precall.measures import Measure


class AgainstRank(CurveDisplay):
    """Recall and precision, or other measures of counts, of the best k cases, over k.

    Of equal scores all or none are accepted: between two thresholds the line stays where `Curve.at(accept=k)`
    is, at the greatest acceptance of at most k.

    Examples
    --------
    >>> from precall import curve
    >>> display = AgainstRank.from_curve(curve([1, 0, 0, 1], [4, 3, 3, 1])).plot()
    >>> line = display.lines_["", "recall"]
    >>> line.get_xdata().tolist(), line.get_ydata().tolist()
    ([1, 3, 4], [0.5, 0.5, 1.0])
    """

    def plot(
        self, ax: Axes | None = None, *, measures: Sequence[str] = ("recall", "precision"), log: bool | None = None,
        budgets: Sequence[int] = (), legend: bool = True, **line: Any,
    ) -> Self:  # fmt: skip
        """Draw; several systems have a colour and a marker each, several measures differ in their dashes.

        Parameters
        ----------
        ax : axes to draw on (default: those of a new figure, made without pyplot).
        measures : any measures of counts, such as "F" or "MCC".
        log : ranks in powers of ten (default: for more than 1000 cases).
        budgets : ranks to mark by vertical lines.
        legend, **line : as `PrecisionRecall.plot` takes them.
        """
        chosen = named(measures)
        if any(len(curves) > 1 for curves in self.systems.values()):
            raise UsageError("folds: have no common ranks; draw one of them, or several by from_curves")
        deepest = max((c[0].tp[-1] + c[0].fp[-1]).item() for c in self.systems.values())
        log = deepest > 1000 if log is None else log
        ax = self._open(ax)
        line = canvas.spelled(line)
        if all(measure.declaration.range == (0, 1) for measure in chosen.values()):
            canvas.span(ax, "y")
        ax.set_xlabel("rank")
        ax.set_ylabel(measures[0] if len(measures) == 1 else "")
        if log:
            canvas.powers(ax)
        lines: dict[Any, Any] = {}
        entries = []
        one = len(self.systems) == 1
        for place, name in enumerate(self.systems):
            for number, measure in enumerate(measures):
                look = palette.stroke(number) if one else _look(place, number, len(measures))
                style = look | {"linewidth": 1.8, "drawstyle": "steps-post"} | line
                lines[name, measure] = ax.plot(*self._ranked(name, chosen[measure], log), **style)[0]
                words = [labels.plain(name), measure if len(measures) > 1 or not name else ""]
                entries.append((lines[name, measure], ", ".join(word for word in words if word)))
        for k in budgets:
            ax.axvline(k, **canvas.GUIDE)
            ax.annotate(f"{k:g}", (k, 1), (0, 4), ("data", "axes fraction"), "offset points", ha="center",
                        fontsize="small", color=palette.GUIDE)  # fmt: skip
        if not log:
            ax.set_xlim(left=0)
        return self._finish(ax, lines, entries, legend)

    def _ranked(self, name: str, measure: Measure, log: bool) -> tuple[Any, Any]:
        curve = self.systems[name][0]
        rank = (curve.tp + curve.fp)[1:]
        # Recall only grows.
        turning = () if measure.name == "R" else (np.nan_to_num(curve.values(measure)[1:]),)
        rows = kept(rank, turning, log=log)
        return rank[rows], part(curve, rows + 1).values(measure)


def _look(place: int, number: int, measures: int) -> dict[str, Any]:
    """Of a system's line of a measure. Where dashes tell measures apart only markers tell systems apart in grey print."""
    look: dict[str, Any] = palette.stroke(place)
    if measures > 1:
        look |= {"linestyle": palette.DASHES[number], "marker": palette.marker(place)}
        look |= {"markevery": (0.03 * (place + 1), 0.15), "markersize": 5}
    return look
