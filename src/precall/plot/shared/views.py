"""Views of a curve that are drawn the same way: their lines, the titles of their axes, and the
lines of random and of perfect scores.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from precall.cases import Curve, OperatingPoint
from precall.cases.thinning import MANY, grid_rows, part, rows_to_draw
from precall.core.errors import UsageError
from precall.core.ragged import Float64
from precall.plot.shared.shapes import Line
from precall.stats.quantiles import normal

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


#: The views by the names of their kinds.
VIEWS = {
    "lift": View(
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
    ),
    "cumulative-gain": View(
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
    ),
    "det": View(
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
    ),
    "cost": View(
        "cost",
        ("probability_cost", "cost"),
        "probability cost of a miss",
        "normalized expected cost",
        ("area", cost_area),
        lambda _: _line((0, 0), (0.5, 0.5), (1, 0)),
        "nothing or everything accepted",
        lambda point: _line((0, 1 - point.specificity), (1, 1 - point.recall)),
        low=True,
    ),
}
