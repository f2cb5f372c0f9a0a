"""Lift, cumulative gain, DET and cost curves of systems, one each or one per fold: displays that
are drawn the same way, each from its `View`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from precall.cases import Curve, OperatingPoint
from precall.cases.thinning import MANY, grid_rows, part, rows_to_draw
from precall.core.errors import UsageError
from precall.core.ragged import Float64
from precall.plot import canvas
from precall.plot.curve_display import CurveDisplay
from precall.plot.curves import mark
from precall.plot.shared import shapes, styles
from precall.plot.shared.shapes import Line
from precall.stats.quantiles import normal, normal_share

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

#: Rates that are labelled on the scale of normal deviates.
DEVIATES = (
    0.0001,
    0.0002,
    0.0005,
    0.001,
    0.002,
    0.005,
    0.01,
    0.02,
    0.05,
    0.1,
    0.2,
    0.4,
    0.6,
    0.8,
    0.9,
    0.95,
    0.98,
    0.99,
    0.995,
    0.998,
    0.999,
    0.9995,
    0.9998,
    0.9999,
)
#: Axes end at this distance from rates of 0 and 1, whose normal deviates are infinite.
_EDGE = 1e-9


@dataclass(frozen=True, slots=True)
class View:
    """One way to look at a curve.

    Parameters
    ----------
    columns : the columns, across and upwards, of the table that `method` of a curve returns.
    across, upwards : titles of the axes.
    measured : for a curve, the name and the value that the legend shows.
    chance : the line of random acceptance, from the share of relevant cases; and its name.
    perfect : the line of scores without an error; None if it is an edge of the picture.
    other : whether it needs cases that are not relevant.
    place : the position of an operating point, or its line.
    low : whether low values of the measure in the legend are good.
    deviates : whether both axes are normal deviates.
    """

    method: str
    columns: tuple[str, str]
    across: str
    upwards: str
    measured: tuple[str, Callable[[Curve], float]]
    chance: Callable[[float], Line]
    words: str
    place: Callable[[OperatingPoint], Line]
    perfect: Callable[[float], Line] | None = None
    other: bool = True
    low: bool = False
    deviates: bool = False

    def line(self, curve: Curve, name: str = "") -> Line:
        """Points of a curve in the order of the thresholds."""
        of = f" of {name!r}" if name else ""
        if self.other and not curve.other:
            raise UsageError(
                argument="curves",
                what=f"everything is relevant in the curve{of}, so it has no {self.method} curve",
            )
        few = self._few(curve)
        table = getattr(few, self.method)()
        x, y = (np.asarray(table[column], np.float64) for column in self.columns)
        if self.method == "lift":
            x, y = _inside_blocks(few, x)
        if self.deviates:
            inside = (x > 0) & (x < 1) & (y > 0) & (y < 1)
            if not inside.any():
                problem = (
                    f"no threshold of the curve{of} both misses something and raises a false alarm"
                )
                raise UsageError(
                    argument="curves", what=f"{problem}, so there is no DET curve to draw"
                )
            x, y = x[inside], y[inside]
        # Lift is not monotonic; all other views are.
        rows = rows_to_draw(
            np.array([normal(rate) for rate in x.tolist()]) if self.deviates else x,
            (y,) * (self.method == "lift"),
        )
        return x[rows], y[rows]

    def _few(self, curve: Curve) -> Curve:
        """The curve; if it has many points, only those on a grid. Cost curves stay whole: a hull
        has few corners.
        """
        if len(curve) <= MANY or self.method == "cost":
            return curve
        rows = grid_rows(curve)
        if self.deviates:
            # Thin from the other end: rare misses have as much room on these axes as rare false
            # alarms.
            tp, fp = ((count[-1] - count)[::-1] for count in (curve.tp, curve.fp))
            turned = grid_rows(Curve(curve.threshold, tp, fp))
            rows = np.union1d(rows, len(curve) - 1 - turned)
        return part(curve, rows)


def at_share(share: float, lift: bool) -> Callable[[Curve], float]:
    """Recall, or lift, of this share of the best cases. Inside a block of equal scores it is the
    expected value.
    """

    def value(curve: Curve) -> float:
        table = curve.cumulative_gain()
        recall = float(np.interp(share, np.asarray(table["accepted"]), np.asarray(table["recall"])))
        return recall / share if lift else recall

    return value


def equal_error(curve: Curve) -> float:
    """The rate at which misses and false alarms are equally frequent, on the straight lines of the
    ROC curve.

    Examples
    --------
    >>> from precall import curve
    >>> equal_error(curve([1, 0, 1, 0], [4, 3, 2, 1]))
    0.5
    """
    table = curve.det()
    false, misses = np.asarray(table["false_positive_rate"]), np.asarray(table["miss_rate"])
    more = false - misses
    row = int(np.searchsorted(more, 0.0))
    if row == 0 or row == len(more):
        return float("nan")
    share = -more[row - 1] / (more[row] - more[row - 1])
    return float(false[row - 1] + share * (false[row] - false[row - 1]))


def cost_area(curve: Curve) -> float:
    """The area under a cost curve: the mean cost if every probability cost is equally likely.
    Random acceptance has 0.25.

    Examples
    --------
    >>> from precall import curve
    >>> cost_area(curve([1, 0], [2, 1])), cost_area(curve([0, 1], [2, 1]))
    (0.0, 0.25)
    """
    table = curve.cost()
    return float(np.trapezoid(np.asarray(table["cost"]), np.asarray(table["probability_cost"])))


def _line(*points: tuple[float, float]) -> Line:
    x, y = zip(*points, strict=True)
    return np.array(x), np.array(y)


def _ideal_lift(share: float) -> Line:
    x = np.linspace(share, 1, 200)
    return np.append(0.0, x), np.append(1 / share, 1 / x)


def _inside_blocks(curve: Curve, share: Float64) -> Line:
    """Lift at these shares and between them: inside a block recall is linear, but lift is not."""
    x = np.union1d(share, np.linspace(share[0], share[-1], 201))
    table = curve.cumulative_gain()
    return x, np.interp(x, np.asarray(table["accepted"]), np.asarray(table["recall"])) / x


def _diagonal(_: float) -> Line:
    return _line((0, 0), (1, 1))


def _accepted_share(point: OperatingPoint) -> float:
    return (point.tp + point.fp) / (point.tp + point.fp + point.fn + point.tn)


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
                ax.plot(*self._chance(0.0 if share is None else share), **canvas.guide())[0],
                view.words,
            )
        for number, (system, label, point) in enumerate(marks):
            self._say(self._marked(ax, number, system, view.place(point)), label)
        return self._finish(ax, legend)

    def _chance(self, share: float) -> Line:
        """The line of random acceptance."""
        return self._view.chance(share)

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

    _view = View(
        "lift",
        ("accepted", "lift"),
        "share accepted",
        "lift",
        ("lift at 10 %", at_share(0.1, True)),
        lambda _: _line((0, 1), (1, 1)),
        "chance",
        lambda point: _line((_accepted_share(point), point.precision / point.of("Prevalence"))),
        _ideal_lift,
        other=False,
    )

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

    _view = View(
        "cumulative_gain",
        ("accepted", "recall"),
        "share accepted",
        "recall",
        ("recall at 10 %", at_share(0.1, False)),
        _diagonal,
        "chance",
        lambda point: _line((_accepted_share(point), point.recall)),
        lambda share: _line((0, 0), (share, 1), (1, 1)),
        other=False,
    )

    def _chance(self, share: float) -> Line:
        # Missed cases are never accepted: a random order ends where the curves end, if they end at
        # one place.
        ends = {
            (float(x[-1]), float(y[-1]))
            for curves in self._shapes(self._view.line).values()
            for x, y in curves
        }
        return _line((0, 0), *ends) if len(ends) == 1 else super()._chance(share)


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

    _view = View(
        "det",
        ("false_positive_rate", "miss_rate"),
        "false positive rate",
        "miss rate",
        ("equal error rate", equal_error),
        lambda _: _line(*((x, 1 - x) for x in DEVIATES)),
        "chance",
        lambda point: _line((1 - point.specificity, 1 - point.recall)),
        low=True,
        deviates=True,
    )

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

    _view = View(
        "cost",
        ("probability_cost", "cost"),
        "probability cost of a miss",
        "normalized expected cost",
        ("area", cost_area),
        lambda _: _line((0, 0), (0.5, 0.5), (1, 0)),
        "nothing or everything accepted",
        lambda point: _line((0, 1 - point.specificity), (1, 1 - point.recall)),
        low=True,
    )

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
