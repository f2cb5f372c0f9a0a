"""Lift, cumulative gain, DET and cost curves of systems, one each or one per fold; see
`precall.plot.shared.views`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from precall.plot import canvas
from precall.plot.curve_display import CurveDisplay
from precall.plot.curves import mark
from precall.plot.shared import shapes, styles
from precall.plot.shared.views import DEVIATES, VIEWS, View
from precall.stats.quantiles import normal, normal_share

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

#: Axes end at this distance from rates of 0 and 1, whose normal deviates are infinite.
_EDGE = 1e-9


class ViewDisplay(CurveDisplay):
    """A picture of one view of the curves of one or several systems."""

    _view: ClassVar[View]

    def plot(
        self,
        ax: Axes | None = None,
        *,
        chance: bool = True,
        perfect: bool = True,
        points: object = (),
        highlight: object = None,
        title: str | None = None,
        legend: bool = True,
        **line: Any,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        chance : draw the line of random acceptance.
        perfect : draw the line of scores without an error, if there is one; with several systems,
            only if they have the same share of relevant cases.
        ax, points, title, legend, **line : as `PrecisionRecall.plot` takes them.
        highlight : as `PrecisionRecall.plot` takes it; the best systems have the greatest value in
            the legend, or the least if it is an error or a cost.
        """
        view, (name, value) = self._view, self._view.measured
        sign = -1 if view.low else 1
        self._highlight(highlight, lambda curve: sign * value(curve))
        marks = self._points(points)
        places = self._shapes(view.line)
        ax, line = self._open(ax, line, canvas.SQUARE, title)
        self._axes(ax, places)
        self._lines(ax, places, line, lambda curve: (name, value(curve)))
        share = self._prevalence
        if perfect and view.perfect is not None and share is not None:
            look = canvas.guide() | {"linestyle": (0, (1, 1.5)), "linewidth": 1.2}
            self._say(ax.plot(*view.perfect(share), **look)[0], "perfect")
        if chance:
            self._say(
                ax.plot(*view.chance(0.0 if share is None else share), **canvas.guide())[0],
                view.words,
            )
        for number, (system, label, point) in enumerate(marks):
            self._say(self._marked(ax, number, system, view.place(point)), label)
        return self._finish(ax, legend)

    def _axes(self, ax: Axes, places: dict[str, list[shapes.Line]]) -> None:
        canvas.unit(ax, self._view.across, self._view.upwards)

    def _from_zero(
        self, ax: Axes, places: dict[str, list[shapes.Line]], room: float, least: float
    ) -> None:
        """Let the vertical axis end a little above the highest line, or above `least`."""
        canvas.span(ax, "x")
        most = max(float(np.nanmax(y)) for curves in places.values() for _, y in curves)
        ax.set(
            ylim=(0, room * max(most, least)), xlabel=self._view.across, ylabel=self._view.upwards
        )

    def _marked(self, ax: Axes, number: int, place: int, where: shapes.Line) -> Line2D:
        x, y = where
        if len(x) == 1:
            return mark(ax, number, place, x[0], y[0])
        look: dict[str, Any] = {
            "color": styles.colour(place),
            "linewidth": 1,
            "marker": styles.marker(number),
            "markersize": 6,
        }
        return ax.plot(x, y, zorder=4, clip_on=False, **look)[0]


class Lift(ViewDisplay):
    """Lift by the share accepted: the rows of `Curve.lift()`. Inside a block of equal scores, the
    line shows the expected value of a random order.

    Recall grows evenly inside a block, so lift, recall / share accepted, is not a straight line
    there. The scale ends at the greatest lift of the curves; the line of a perfect order may exceed
    it.

    Examples
    --------
    >>> from precall import curve
    >>> display = Lift.from_curve(curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3])).plot()
    >>> [
    ...     round(float(display.line_.get_ydata()[display.line_.get_xdata() == x][0]), 4)
    ...     for x in (0.25, 0.5, 0.75, 1)
    ... ]
    [0.0, 1.0, 0.6667, 1.0]
    """

    _view = VIEWS["lift"]

    def _axes(self, ax: Axes, places: dict[str, list[shapes.Line]]) -> None:
        self._from_zero(ax, places, 1.06, 1.0)


class CumulativeGain(ViewDisplay):
    """Recall by the share accepted, as marketing reads it: the rows of `Curve.cumulative_gain()`.

    Examples
    --------
    >>> from precall import curve
    >>> display = CumulativeGain.from_curve(curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3])).plot()
    >>> display.line_.get_xdata().tolist(), display.line_.get_ydata().tolist()
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.0, 0.5, 0.5, 1.0])
    """

    _view = VIEWS["cumulative-gain"]


class DET(ViewDisplay):
    """Miss rate by false positive rate, both as normal deviates (Martin et al. 1997): the rows of
    `Curve.det()`.

    Rates of 0 and 1 have infinite deviates and are not drawn; marked points with such rates stand
    at the edge. Scores of two normal distributions give a straight line. The legend shows the equal
    error rate, on the straight lines of the ROC curve.

    Examples
    --------
    >>> from precall import curve
    >>> display = DET.from_curve(curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3])).plot()
    >>> display.line_.get_xdata().tolist(), display.line_.get_ydata().tolist()
    ([0.5], [0.5])
    """

    _view = VIEWS["det"]

    def _marked(self, ax: Axes, number: int, place: int, where: shapes.Line) -> Line2D:
        # A rate of 0 is shown at the edge.
        ends = ax.get_xlim()
        return super()._marked(
            ax, number, place, (np.clip(where[0], *ends), np.clip(where[1], *ends))
        )

    def _axes(self, ax: Axes, places: dict[str, list[shapes.Line]]) -> None:
        rates = np.concatenate(
            [rate for curves in places.values() for line in curves for rate in line]
        )
        # The range of the drawn rates with some margin. Both axes are alike, so that the line of
        # equal errors is a diagonal.
        least, most = min(float(rates.min()), 0.04) / 1.5, max(float(rates.max()), 0.5)
        ends = (max(least, _EDGE), min(1 - (1 - most) / 1.5, 1 - _EDGE))
        inches = ax.get_window_extent().width / ax.figure.dpi
        ticks = _apart([rate for rate in DEVIATES if ends[0] <= rate <= ends[1]], ends, inches)
        names = [f"{100 * rate:g} %" for rate in ticks]
        scale = (np.vectorize(_deviate, otypes=[float]), np.vectorize(normal_share, otypes=[float]))
        for side in ("x", "y"):
            getattr(ax, f"set_{side}scale")("function", functions=scale)
            ax.set(**{f"{side}lim": ends, f"{side}ticks": ticks, f"{side}ticklabels": names})
        ax.tick_params(axis="x", labelrotation=45)
        ax.minorticks_off()
        ax.set(xlabel=self._view.across, ylabel=self._view.upwards)
        ax.set_box_aspect(1)
        ax.set_anchor("W")


class CostCurve(ViewDisplay):
    """The least expected cost of any threshold, by what misses weigh (Drummond & Holte 2006):
    `Curve.cost()`.

    A marked operating point is drawn as the line of its cost, from its false positive rate to its
    miss rate.

    Examples
    --------
    >>> from precall import curve
    >>> display = CostCurve.from_curve(curve([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])).plot()
    >>> display.line_.get_xdata().tolist(), display.line_.get_ydata().round(4).tolist()
    ([0.0, 0.5, 1.0], [0.0, 0.1667, 0.0])
    """

    _view = VIEWS["cost"]

    def _axes(self, ax: Axes, places: dict[str, list[shapes.Line]]) -> None:
        self._from_zero(ax, places, 1.02, 0.5)


def _apart(ticks: list[float], ends: tuple[float, float], inches: float) -> list[float]:
    """The ticks whose labels have room on an axis of this length."""
    least = (_deviate(ends[1]) - _deviate(ends[0])) / max(3.0, 3.4 * inches)
    kept: list[float] = []
    for tick in ticks:
        if not kept or _deviate(tick) - _deviate(kept[-1]) >= least:
            kept.append(tick)
    return kept


def _deviate(rate: float) -> float:
    """The normal deviate of a rate. matplotlib also asks for rates beyond the ends of the axis."""
    return normal(min(max(rate, _EDGE), 1 - _EDGE))
