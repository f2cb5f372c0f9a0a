"""Operating points: one row of a curve, how it is chosen, and how its F relates to the mean of
precision and recall.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import wraps
from math import isclose
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec

import numpy as np

from precall.cases.scored_cases import orient
from precall.core.arguments import check_beta, check_kind, check_share, is_number
from precall.core.counts import Counts
from precall.core.errors import Fact, MeasureError, UsageError, needs_cases_in_memory
from precall.core.notes import Note, warn
from precall.core.notes.of_curves import (
    FreeMistakes,
    MetByFewCases,
    NothingAccepted,
    ThresholdBetweenScores,
    WeightsAccepted,
)
from precall.core.ragged import Bool, Float64, Int64, around, best_row
from precall.core.text import short_repr
from precall.location.hits import row_of
from precall.measures import Measure, areas, best_points, of_counts, weighted
from precall.measures.registry import find
from precall.results.equality import Equal
from precall.results.sheets import Presented
from precall.stats.turned_scores import NotesOfScores

if TYPE_CHECKING:
    from precall.cases.curves import Curve

_P = ParamSpec("_P")
#: Every float keeps this many decimal digits; more do not always survive.
_EXACT = 15
#: Costs are scaled so that the greatest is near this power of 2: that leaves room above for
#: products with counts, and below for the least cost.
_HEIGHT = 400
#: A point of a curve with more thresholds than these does not keep their counts to find its notes
#: later: the notes are found at once.
_MANY = 10_000
#: Conditions that say what is to be reached; by chance, perhaps, if this number of accepted cases
#: or fewer meet one.
_CONSTRAINTS, _FEW_ACCEPTED = ("recall", "precision", "fpr", "specificity"), 2
#: Relative difference below which precision and recall count as equal.
_ROUNDING = 1e-12
#: Least number of digits: fewer would move a threshold far into the gap between two scores, which
#: may hold new cases.
_FEWEST = 3


class RequestedPoints(NamedTuple):
    """Points requested of a scan in addition to those that depend on relevant scores; they are
    exact, other points may not be.
    """

    thresholds: frozenset[float]
    accepted: frozenset[int]
    read: str = "in batches"
    """How the cases were read, in words."""

    def knows(self, accepted: int | float) -> bool:
        """Whether a threshold that accepts this many cases was requested; sums of real weights may
        differ by their order.
        """
        near = 1e-12 * accepted * isinstance(accepted, float)
        return any(abs(accepted - count) <= near for count in self.accepted)


@dataclass(frozen=True, slots=True, eq=False)
class OperatingPoint(Equal, Presented):
    """A threshold and the counts when every case is accepted that scores at least that (at most
    that, if low scores are good).

    `value` is what the point was chosen by: the greatest measure, the recall, precision, false
    positive rate or specificity reached, the cost, the number accepted, or the threshold itself.
    `threshold` is a score as given; `accepts` says on which side of it scores are accepted.

    Examples
    --------
    >>> from precall import curve
    >>> curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3]).at(recall=0.5).accepts
    'score >= 0.8'
    >>> curve([1, 1, 0, 1], [2.0, 5.0, 6.0, 8.0], higher_is_better=False).at(recall=1).accepts
    'score <= 8.0'
    """

    value: float
    threshold: float
    tp: float
    fp: float
    fn: float
    tn: float
    higher_is_better: bool = True
    _noticed: NotesOfScores = field(default=NotesOfScores(()), repr=False, compare=False)
    by: str = field(default="", repr=False, compare=False)
    _asked: Any = field(default=None, repr=False, compare=False)
    """What `at` was asked for: a number of its condition."""
    _limits: Mapping[str, float] = field(default_factory=dict, repr=False, compare=False)
    """The conditions that the best point had to meet as well."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """Those of the curve, and of the choice of this point."""
        return (*self._noticed.read(), *self._notes_of_choice())

    def _notes_of_choice(self) -> Iterator[Note]:
        """What is to be known of a point that meets a condition."""
        is_count = isinstance(self.tp, int)
        limits = {self.by: self._asked} if self.by in _CONSTRAINTS else self._limits
        met = ", ".join(f"{name}={bound:g}" for name, bound in limits.items() if name != "accept")
        if met and is_count and 0 < self.accepted <= _FEW_ACCEPTED:
            yield MetByFewCases("", met, self.accepted)
        if self.by == "threshold" and self.accepted and self._asked != self.threshold:
            yield ThresholdBetweenScores("", self.value, self.threshold)
        if self.by == "cost":
            # A gain of right rejections is a price of accepting, as a cost of false positives is.
            for free, right in (("fp", "tn"), ("fn", "tp")):
                if not self._asked.keys() & {free, right}:
                    yield FreeMistakes("", free, tuple(self._asked))

    @property
    def accepted(self) -> float:
        """Number of accepted cases, TP + FP."""
        return self.tp + self.fp

    @property
    def accepts(self) -> str:
        """The accepted scores: "score >= 0.8", "score <= 8.0" if low scores are good, or
        "nothing".
        """
        if not self.tp + self.fp:
            return "nothing"
        return f"score {'>=' if self.higher_is_better else '<='} {float(self.threshold)!r}"

    @property
    def precision(self) -> float:
        """TP / (TP + FP); NaN when nothing is accepted."""
        return self.of("P")

    @property
    def recall(self) -> float:
        """TP / (TP + FN); NaN when nothing is relevant."""
        return self.of("R")

    @property
    def specificity(self) -> float:
        """TN / (TN + FP); NaN when everything is relevant."""
        return self.of("Specificity")

    @property
    def rejection_recall(self) -> float:
        """The specificity, by LingPipe's name."""
        return self.specificity

    @property
    def accuracy(self) -> float:
        """(TP + TN) / all; NaN when there are no cases."""
        return self.of("Accuracy")

    @property
    def error(self) -> float:
        """(FP + FN) / all, 1 - accuracy; NaN when there are no cases."""
        return self.of("Error")

    def f(self, beta: float = 1.0) -> float:
        """F: weighted harmonic mean of precision and recall; with β = 0 it is precision."""
        return self.of(weighted("F", beta))

    def e(self, beta: float = 1.0) -> float:
        """E: 1 - F, van Rijsbergen's effectiveness; low is good. By his alpha:
        `of("E(alpha=0.2)")`.
        """
        return self.of(weighted("E", beta))

    def of(self, measure: str | Measure) -> float:
        """Any measure of counts at this point: "MCC", "F(beta=2)", "Utility(3,-2)"; NaN if it is
        undefined.
        """
        tp, fp, fn, tn = (np.array([cell]) for cell in (self.tp, self.fp, self.fn, self.tn))
        return float(of_counts(measure).of_table(Counts(tp, fp, fn, tn))[0])

    def measured(self, measure: Measure) -> float:
        """The same, for `measure(point)`."""
        return self.of(measure)


class NotReached(UsageError):
    """No operating point meets a condition. `most` is the most that is reached; `lacking` says why
    nothing is.
    """

    def __init__(
        self, condition: str, bound: float, most: float = np.nan, lacking: str = ""
    ) -> None:
        self.condition: str = condition
        self.bound: float = bound
        self.most: float | None = None if np.isnan(most) else float(most)
        self.lacking: str = lacking or ("nothing is relevant there" if self.most is None else "")
        why = self.lacking or f"the most is {most:.4g}"
        super().__init__(f"{condition}: {bound} is never reached; {why}")

    def __reduce__(self) -> tuple[object, ...]:
        most = np.nan if self.most is None else self.most
        return type(self), (self.condition, self.bound, most, self.lacking)


def measure_of_curves(measure: str | Measure) -> Measure:
    """A measure of a curve as one ranking; a measure of counts is refused, as it has a value at
    each threshold.
    """
    chosen = find(measure)
    if chosen.declaration.of is Counts and not chosen.declaration.means_set:
        # A curve is of one category, in which an average is the measure itself.
        name = chosen.declaration.name if chosen.average else chosen.name
        call = f"pc.measure({name!r})"
        best = f"curve.at(max={name!r}).value"
        raise MeasureError(
            f"{name} is of each threshold: {call}(curve)",
            remedy=f"the best is {best}, of the first k {call}(curve.at(accept=k))",
        )
    return chosen.of_rankings()


def point(curve: Curve, row: int, value: float) -> OperatingPoint:
    """The operating point at one row of the curve."""
    threshold, tp, fp = curve.threshold[row].item(), curve.tp[row].item(), curve.fp[row].item()
    fn, tn = curve.relevant - tp, curve.other - fp
    noticed = curve._notes_of_scores()
    if len(curve) > _MANY:
        noticed.read()
    return OperatingPoint(float(value), threshold, tp, fp, fn, tn, curve.higher_is_better, noticed)


def round_threshold(threshold: float, digits: int, up: bool = False) -> float:
    """The number of `digits` digits nearest to a threshold that is not above it (`up`: not below
    it); with 16 digits or more the threshold itself.

    Examples
    --------
    >>> (
    ...     round_threshold(0.0064498008, 3),
    ...     round_threshold(-1.91026, 2),
    ...     round_threshold(-1.91026, 2, up=True),
    ...     round_threshold(0.1, 17),
    ... )
    (0.00644, -2.0, -1.9, 0.1)
    """
    if digits > _EXACT or not np.isfinite(threshold):
        return threshold
    mantissa, _, power = f"{threshold:.{digits - 1}e}".partition("e")
    near = float(f"{mantissa}e{power}")
    step = int(near < threshold) if up else -int(near > threshold)
    # Digits are added as whole numbers, so the text of the sum is read back without error.
    return float(f"{int(mantissa.replace('.', '')) + step}e{int(power) - digits + 1}")


def least_digits(curve: Curve, rows: Any) -> list[int]:
    """The number of digits, from 3 on, that the thresholds of these rows need after
    `round_threshold` to accept the same cases; 17 means all.

    Examples
    --------
    >>> from precall import curve
    >>> least_digits(curve([1, 0, 1], [0.64416, 0.64411, 0.25]), [1, 2, 3])
    [5, 3, 3]
    """
    kind, last = curve.threshold.dtype.type, len(curve) - 1
    needed = []
    for row in rows:
        score, beyond = (
            orient(curve.threshold[at], curve.higher_is_better) if at <= last else -np.inf
            for at in (row, row + 1)
        )
        with np.errstate(over="ignore"):
            enough = (
                d
                for d in range(_FEWEST, _EXACT + 1)
                if beyond < kind(round_threshold(float(score), d)) <= score
            )
            needed.append(next(enough, 17) if np.isfinite(score) else 17)
    return needed


def max_f(curve: Curve, beta: float = 1.0) -> OperatingPoint:
    """The point of greatest F; if several are equal, the one that accepts least."""
    measure = weighted("F", beta)
    if not curve.relevant:
        curve.warn_undefined("max F")
        return _chosen_by(point(curve, 0, np.nan), measure.name)
    return _chosen_by(_at_best(curve, measure), measure.name)


def by_conditions(at: Callable[_P, OperatingPoint]) -> Callable[_P, OperatingPoint]:
    """`Curve.at`, with an error message for a condition without a name, or with an unknown one."""
    names = tuple(at.__kwdefaults__ or ())

    @wraps(at)
    def by_name(*given: _P.args, **conditions: _P.kwargs) -> OperatingPoint:
        if len(given) > 1:
            got = short_repr(given[1])
            raise UsageError(
                argument="at()",
                got=Fact(f"{got} without a name"),
                remedy=f"name it, such as at(threshold={got})",
            )
        for name in conditions.keys() - set(names):
            from difflib import get_close_matches

            near = "".join(
                f", did you mean {meant!r}" for meant in get_close_matches(name, names, 1)
            )
            raise UsageError(
                f"no condition {{got}}{near}", argument="at()", got=name, allowed=names
            )
        return at(*given, **conditions)

    return by_name


def choose(curve: Curve, **conditions: Any) -> OperatingPoint:
    """The operating point by the conditions that are not None; see `Curve.at`."""
    chosen = {name: value for name, value in conditions.items() if value is not None}
    if len(chosen) > 1 and (best := chosen.keys() - _LIMITS.keys()) in ({"max"}, {"cost"}):
        (by,) = best
        return _best_within(curve, by, chosen.pop(by), chosen)
    if len(chosen) != 1:
        raise UsageError(
            argument="at()",
            what=f"give exactly one of {', '.join(conditions)};",
            got=Fact(", ".join(chosen) or "none"),
            remedy=f"only ⟨max=⟩ or ⟨cost=⟩ goes together with others: {', '.join(_LIMITS)}",
        )
    name, value = chosen.popitem()
    chosen_point = _WAYS[name](curve, value)
    if name == "max":
        return _chosen_by(chosen_point, of_counts(value).name)
    condition = value
    if name == "threshold" and curve.threshold.dtype != np.float64:
        condition = _in_type_of_scores(curve, value).item()
    return _chosen_by(chosen_point, name, condition)


def _best_within(curve: Curve, by: str, wanted: Any, limits: Mapping[str, float]) -> OperatingPoint:
    """The point of the best measure, or of the least cost, among those that meet the `limits`."""
    allowed, before = np.ones(len(curve), np.bool_), ""
    # Accepting nothing meets the first three, so what is not reached is a recall or a precision.
    for name in (name for name in _LIMITS if name in limits):
        bound = limits[name]
        meets, reached = _LIMITS[name](curve, bound)
        if not np.any(allowed & meets):
            some = reached[allowed & ~np.isnan(reached)]
            raise NotReached(f"{name}{before}", bound, some.max() if len(some) else np.nan)
        allowed &= meets
        before += f"{' with' if not before else ','} {name}={bound:g}"
    if by == "cost":
        found, asked = _at_cost(curve, wanted, allowed), wanted
    else:
        measure, asked = of_counts(wanted), None
        if curve.asked:
            _refuse_beyond(curve, allowed, measure)
            if not measure.declaration.ours:
                _refuse_between(curve, measure, measure.of_table(curve))
        row, value = best_points.best_allowed(curve, measure, allowed)
        if np.isnan(value):
            curve.warn_undefined(f"max {measure.name}")
        found, by = point(curve, row, value), measure.name
    object.__setattr__(found, "_limits", dict(limits))
    return _chosen_by(found, by, asked)


def _chosen_by(new: OperatingPoint, by: str, asked: object = None) -> OperatingPoint:
    """A point that nobody has seen yet, with what it was chosen by; a copy would take as long as
    the choice.
    """
    object.__setattr__(new, "by", by)
    object.__setattr__(new, "_asked", asked)
    return new


def _at_best(curve: Curve, measure: Measure) -> OperatingPoint:
    """The point at which a measure is best; if several are equal, the one that accepts least."""
    if curve.asked and not measure.declaration.ours:
        _refuse_between(curve, measure, measure.of_table(curve))
    row, value = best_points.best_threshold(curve, measure)
    if np.isnan(value):
        curve.warn_undefined(f"max {measure.name}")
    return point(curve, row, value)


def _refuse_beyond(curve: Curve, allowed: Bool, measure: Measure | None = None) -> None:
    """Raise for a scanned curve if a limit lies between two of its rows, of which the first is
    allowed, and the point is better beyond that row: by a measure, or by a cost that falls with FP.
    """
    cut = (np.diff(curve.tp) == 0) & (np.diff(curve.fp) > 1) & allowed[:-1] & ~allowed[1:]
    first = np.flatnonzero(cut)
    if measure is not None:
        tp: Any = np.stack((curve.tp[first], curve.tp[first]))
        fp: Any = np.stack((curve.fp[first], curve.fp[first] + 1))
        here, beyond = measure.of_table(Counts(tp, fp, curve.relevant - tp, curve.other - fp))
        first = first[measure.declaration.direction * (beyond - here) > 1e-12 * np.abs(here)]
    if len(first):
        raise needs_cases_in_memory("at", "a limit between two relevant scores ")


def _refuse_between(curve: Curve, measure: Measure, values: Float64) -> None:
    """Raise for a scanned curve if a measure may be better between two of its rows, at thresholds
    that it has no rows for.

    Our own measures never are, as only FP grows there.
    """
    last = np.flatnonzero((np.diff(curve.tp) == 0) & (np.diff(curve.fp) > 1)) + 1
    sides: Any = ((curve.fp[last - 1] + 1, values[last - 1]), (curve.fp[last] - 1, values[last]))
    tp: Any = curve.tp[last]
    better = np.ones(len(last), np.bool_)
    for fp, at_end in sides:
        inner = measure.of_table(Counts(tp, fp, curve.relevant - tp, curve.other - fp))
        better &= measure.declaration.direction * (inner - at_end) > 1e-12 * np.abs(at_end)
    if better.any():
        raise needs_cases_in_memory(
            "max", f"{measure.name}, which may be best between two relevant scores, "
        )


def _row_of_count(curve: Curve, accept: Any) -> int:
    """The last row that accepts at most this many."""
    # Counts are integers; sums of real weights are not.
    is_count = curve.tp.dtype.kind == "i"
    if not is_number(accept) or not accept >= 0 or (is_count and accept != accept // 1):
        raise UsageError(argument="accept", allowed="a count >= 0", got=accept)
    return row_of(curve, accept)


def _point_of_count(curve: Curve, accept: Any) -> OperatingPoint:
    is_count, row = curve.tp.dtype.kind == "i", _row_of_count(curve, accept)
    accepted = curve.tp[row] + curve.fp[row]
    if accepted != accept and curve.asked and not curve.asked.knows(accept):
        _refuse_unknown(curve, row, f"accept: {accept}")
    nothing = bool(accept) and not accepted and len(curve) > 1
    if curve.weighted and (nothing or not is_count):
        total = curve.tp[-1] + curve.fp[-1]
        warn(WeightsAccepted("", accept, accepted, total))
    elif nothing:
        warn(NothingAccepted("", accept, curve.tp[1] + curve.fp[1]))
    return point(curve, row, accepted)


def _at_threshold(curve: Curve, threshold: float) -> OperatingPoint:
    if not is_number(threshold) or threshold != threshold:
        raise UsageError(argument="threshold", allowed="a number", got=threshold)
    # In the type of the scores, as `score >= threshold` compares: float32(0.7) is accepted at 0.7.
    # A threshold too great for the type becomes infinite.
    try:
        own = _in_type_of_scores(curve, threshold)
    except OverflowError:
        raise UsageError(
            argument="threshold", allowed="a number of float64", got=threshold
        ) from None
    # Thresholds ascend if low scores are good.
    ascending = orient(curve.threshold[1:], not curve.higher_is_better)
    row = int(np.searchsorted(ascending, orient(own, not curve.higher_is_better), side="right"))
    if curve.asked and own not in {curve.threshold[row], *curve.asked.thresholds}:
        _refuse_unknown(curve, row, f"threshold: {short_repr(threshold)}")
    return point(curve, row, threshold)


def _in_type_of_scores(curve: Curve, threshold: float) -> Any:
    """A threshold in the type of the scores; if it is too great for that, infinite."""
    kind = curve.threshold.dtype.type
    if kind is np.float64:  # nothing is rounded
        return kind(threshold)
    with np.errstate(over="ignore"):
        return kind(threshold)


def _refuse_unknown(curve: Curve, row: int, what: str) -> None:
    """Raise for a scanned curve if scores without a row may lie below this one."""
    last = row + 1 == len(curve)
    if not last and curve.tp[row + 1] == curve.tp[row] and curve.fp[row + 1] - curve.fp[row] > 1:
        raise UsageError(
            f"{what} was not counted in the scan of the cases",
            remedy="name it in the scan, with thresholds= or accept=",
        )


def _slack(curve: Curve) -> float:
    """Allowance for rounding in a share of sums of real weights; 0 for counts."""
    return _ROUNDING if curve.tp.dtype.kind == "f" else 0.0


def _hits_needed(curve: Curve, recall: float) -> float:
    """Relevant cases that a point of this recall accepts at least."""
    need = areas.hits_for_recall(curve, check_share("recall", recall))
    return need - _slack(curve) * need


def _at_recall(curve: Curve, recall: float) -> OperatingPoint:
    need = _hits_needed(curve, recall)
    if not curve.relevant or need > curve.tp[-1]:
        raise NotReached(
            "recall", recall, curve.tp[-1] / curve.relevant if curve.relevant else np.nan
        )
    # At least one block, as in `Hits.k_at_recall`, whose least cutoff is 1: so there is a precision
    # at recall 0.
    row = min(max(int(np.searchsorted(curve.tp, need)), 1), len(curve) - 1)
    return point(curve, row, curve.tp[row] / curve.relevant)


def _at_precision(curve: Curve, precision: float) -> OperatingPoint:
    check_share("precision", precision)
    enough = np.flatnonzero(curve.precision >= precision - _slack(curve))
    if not len(enough):
        raise NotReached(
            "precision",
            precision,
            np.nanmax(curve.precision) if len(curve.precision) > 1 else np.nan,
        )
    return _greatest_recall(curve, enough, curve.precision)


def _greatest_recall(curve: Curve, rows: Int64, reached: Float64) -> OperatingPoint:
    """The point of greatest recall among these rows; if several are equal, the one that accepts
    least.
    """
    row = int(rows[np.argmax(curve.tp[rows] == curve.tp[rows[-1]])])
    return point(curve, row, reached[row])


def _at_fpr(curve: Curve, fpr: float) -> OperatingPoint:
    rates = _rates(curve, "fpr", fpr, "Fallout")
    return _greatest_recall(curve, np.flatnonzero(rates <= fpr + _slack(curve)), rates)


def _at_specificity(curve: Curve, specificity: float) -> OperatingPoint:
    rates = _rates(curve, "specificity", specificity, "Specificity")
    return _greatest_recall(curve, np.flatnonzero(rates >= specificity - _slack(curve)), rates)


def _rates(curve: Curve, name: str, bound: float, measure: str) -> Float64:
    """A measure of the other cases at all thresholds; accepting nothing satisfies every bound."""
    check_share(name, bound)
    if not curve.other:
        raise NotReached(name, bound, lacking="everything is relevant")
    return of_counts(measure).of_table(curve)


def _is_finite(price: float) -> bool:
    try:
        return bool(np.isfinite(float(price)))
    except (OverflowError, TypeError, ValueError):
        return False


def _at_cost(
    curve: Curve, cost: Mapping[str, float], allowed: Bool | None = None
) -> OperatingPoint:
    check_kind("cost", cost, Mapping, 'costs by name, such as {"fp": 1, "fn": 20}')
    if (
        set(cost) - {"fp", "fn", "tp", "tn"}
        or not cost
        or not all(_is_finite(v) for v in cost.values())
    ):
        raise UsageError(
            argument="cost", what="must give finite costs of fp, fn, tp or tn", got=dict(cost)
        )
    # Scaling by a power of 2 changes no digit, and the sums of costs neither overflow nor
    # underflow.
    unit = int(np.frexp(max(abs(float(price)) for price in cost.values()))[1]) - _HEIGHT
    price = {
        name: math.ldexp(float(cost.get(name, 0.0)), -unit) for name in ("fp", "fn", "tp", "tn")
    }
    if any(value and not price[name] for name, value in cost.items()):
        problem = "differ by more than float64 can tell"
        raise UsageError(
            argument="cost", what=problem, got=dict(cost), remedy="leave the least out"
        )
    # Only the cost that accepting adds is summed: the fixed cost of all cases, including missed
    # ones, may be so large that it hides differences.
    of_hits, of_others = price["tp"] - price["fn"], price["fp"] - price["tn"]
    parts = of_hits * curve.tp.astype(np.float64), of_others * curve.fp.astype(np.float64)
    low, high = around(np.add(*parts), np.abs(parts).sum(axis=0), least=True)
    if allowed is not None:
        if curve.asked and of_others < 0:
            _refuse_beyond(curve, allowed)
        low, high = (np.where(allowed, end, -np.inf) for end in (low, high))
    equal = np.flatnonzero(high >= low.max())
    # Differences of prices hide the lesser of two: a cost of 1e20 for each rejected other case
    # hides 1 for a missed one. Where all others are accepted, only the totals show it.
    costs = np.array([each * getattr(curve, name)[equal] for name, each in price.items()])
    row = int(equal[best_row(costs.sum(axis=0), np.abs(costs).sum(axis=0), least=True)])
    total = math.fsum(
        each * float(getattr(curve, name)[row]) for name, each in price.items() if each
    )
    try:
        least = math.ldexp(total, unit)
    except OverflowError:
        got = short_repr(dict(cost))
        raise UsageError(
            argument="cost",
            what="the least total cost is beyond float64",
            got=Fact(got),
            remedy="divide all by one number",
        ) from None
    return point(curve, row, least)


#: How a point is chosen, by the name of its condition.
_WAYS: dict[str, Callable[[Curve, Any], OperatingPoint]] = {
    "threshold": _at_threshold,
    "recall": _at_recall,
    "precision": _at_precision,
    "cost": _at_cost,
    "accept": _point_of_count,
    "max": lambda curve, best: _at_best(curve, of_counts(best)),
    "fpr": _at_fpr,
    "specificity": _at_specificity,
}


def _meets_recall(curve: Curve, recall: float) -> tuple[Bool, Float64]:
    needed = _hits_needed(curve, recall)
    return (curve.tp >= needed) & (curve.relevant > 0), curve.recall


def _meets_precision(curve: Curve, precision: float) -> tuple[Bool, Float64]:
    check_share("precision", precision)
    return curve.precision >= precision - _slack(curve), curve.precision


def _meets_fpr(curve: Curve, fpr: float) -> tuple[Bool, Float64]:
    rates = _rates(curve, "fpr", fpr, "Fallout")
    return rates <= fpr + _slack(curve), rates


def _meets_specificity(curve: Curve, specificity: float) -> tuple[Bool, Float64]:
    rates = _rates(curve, "specificity", specificity, "Specificity")
    return rates >= specificity - _slack(curve), rates


def _meets_accept(curve: Curve, accept: float) -> tuple[Bool, Float64]:
    accepted = np.asarray(curve.accepted, np.float64)
    return np.arange(len(curve)) <= _row_of_count(curve, accept), accepted


#: Conditions that may limit the choice of the best point: which thresholds meet one, and what each
#: reaches.
_LIMITS: dict[str, Callable[[Curve, Any], tuple[Bool, Float64]]] = {
    "accept": _meets_accept,
    "fpr": _meets_fpr,
    "specificity": _meets_specificity,
    "recall": _meets_recall,
    "precision": _meets_precision,
}


@dataclass(frozen=True, slots=True)
class MeanVersusF(Presented):
    """The arithmetic mean of precision and recall, compared with their F.

    `greater` is "mean", "f" or "neither"; `why` names the case.
    """

    mean: float
    f: float
    greater: str
    why: str


def f_versus_break_even(precision: float, recall: float, beta: float = 1.0) -> MeanVersusF:
    """Which is greater, (P + R) / 2 or F, and why; numbers that differ by rounding alone are equal.

    Parameters
    ----------
    precision : of one operating point, in 0..1.
    recall : of the same point, in 0..1.
    beta : weight of recall in F, >= 0; with 0, F is precision.

    Examples
    --------
    >>> f_versus_break_even(0.25, 1.0, beta=3.0)
    MeanVersusF(mean=0.625, f=0.7692307692307693, greater='f', why='P < R and β > 1/√T = 2')
    >>> f_versus_break_even(0.25, 1.0).greater
    'mean'
    >>> f_versus_break_even(0.9, 0.1, beta=1 / 3).greater
    'neither'
    """
    check_share("precision", precision)
    check_share("recall", recall)
    f = weighted_mean(precision, recall, beta)
    greater, why = _case(precision, recall, beta)
    return MeanVersusF((precision + recall) / 2, f, greater, why)


def weighted_mean(precision: float, recall: float, beta: float) -> float:
    """F of a precision and a recall, their weighted harmonic mean; 0 if both are 0, precision if β
    = 0.
    """
    square = check_beta(beta) ** 2
    if not square:
        return precision
    # Scaling by a power of 2 changes no digit; the product of tiny shares would underflow.
    _, exponent = math.frexp(max(precision, recall))
    precision, recall = math.ldexp(precision, -exponent), math.ldexp(recall, -exponent)
    denominator = square * precision + recall
    f = (1 + square) * precision * recall / denominator if denominator else 0.0
    return math.ldexp(f, exponent)


def _case(precision: float, recall: float, beta: float) -> tuple[str, str]:
    """Which of the three cases applies: P = R, P > R, P < R."""
    if isclose(precision, recall, rel_tol=_ROUNDING):
        return "neither", "P = R: both are P"
    side = "P > R" if precision > recall else "P < R"
    if not beta:
        return ("f" if precision > recall else "mean"), f"{side} and β = 0, so F is P"
    if not precision or not recall:
        return "mean", f"{side} and one of them is 0, so F is 0"
    # At β = 1/√T, F equals the mean.
    turn = (recall / precision) ** 0.5
    if isclose(beta**2 * precision, recall, rel_tol=_ROUNDING):
        return "neither", f"{side} and β = 1/√T = {turn:.4g}"
    sign = ">" if beta**2 * precision > recall else "<"
    greater = "mean" if (precision > recall) == (sign == ">") else "f"
    return greater, f"{side} and β {sign} 1/√T = {turn:.4g}"
