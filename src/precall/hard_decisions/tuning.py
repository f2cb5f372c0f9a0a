"""One number for all categories, tuned by the decisions that it makes: RCut's k, PCut's x, or one
least score.

Such a policy accepts the pairs of item and category in a fixed order: by rank, by share, or by
score. So each pair is accepted from some step on. At a step a measure changes only in those
categories (or items, or in the single table of all pairs) that accept something there, and its mean
at each step is the running sum of these changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from precall.cases.scored_cases import Scores
from precall.core.counts import Counts
from precall.core.errors import MeasureError, UsageError
from precall.core.ragged import Bool, Float64, Int64, changes
from precall.core.undefined import apply_undefined, check_undefined
from precall.measures import Measure, measure_and_average

if TYPE_CHECKING:
    from precall.hard_decisions.pivots import Status

#: Values that differ by less count as equal, because running sums are rounded.
_EQUAL = 1e-12


class Steps(NamedTuple):
    """The step from which each pair is accepted, and the function from steps to numbers; steps run
    from `first` to `last`.
    """

    of_pair: Int64
    first: int
    last: int
    number: Callable[[int], float]


def tuned_measure(tune: str | Measure, each: bool = False) -> tuple[Measure, str | None]:
    """The measure by which a number is chosen, and its average; None for a measure over items, or
    of `each` category.
    """
    try:
        measure, average = measure_and_average(tune, None)
    except MeasureError as error:
        raise error.about("tune") from None
    if measure.is_ordered:
        problem = f"{measure.name} is of one label for each item, and a policy may accept several"
        raise UsageError(
            argument="tune", what=problem, remedy=f"take macro-{measure.declaration.name}"
        )
    if average is None and measure.declaration.items is None and not each:
        names = [
            replace(measure, average=way).name for way in ("macro", "micro", "weighted", "samples")
        ]
        ways = f"{', '.join(names[:-1])} or {names[-1]}"
        raise UsageError(
            argument="tune",
            what=f"{measure.name} has a value for each category",
            remedy=f"choose an average: {ways}",
        )
    check_direction(measure, "tune")
    return measure, average


def check_direction(measure: Measure, option: str) -> None:
    """Raise if neither high nor low values of a measure are good."""
    if not measure.declaration.direction:
        raise UsageError(
            argument=option,
            what=f"neither high nor low values of {measure.name} are good",
            remedy="take another measure",
        )


def best_number(
    status: Status, policy: str, measure: Measure, average: str | None, undefined: str
) -> float:
    """The number with which a policy ("fixed", "rank", "proportion") decides best; if several are
    equal, the one that accepts least.
    """
    check_undefined(undefined)
    steps = {"fixed": _by_score, "rank": _by_rank, "proportion": _by_share}[policy](status)
    values = _means(status, steps, measure, average, undefined)[steps.first :]
    values = np.where(np.isnan(values), -np.inf, measure.declaration.direction * values)
    top = float(values.max())
    return steps.number(steps.first + int(np.argmax(values >= top - _EQUAL * max(1.0, abs(top)))))


def _by_score(status: Status) -> Steps:
    """Steps that accept all pairs with at least some score; step 0 accepts nothing."""
    # Adding 0 turns -0 into 0, so that results do not depend on which of them came first.
    scores, index = np.unique(status.score + status.score.dtype.type(0), return_inverse=True)
    last = len(scores)

    def number(step: int) -> float:
        if step and np.isposinf(scores[last - step]):
            raise UsageError(
                argument="global",
                what="the least score to accept is inf, a threshold that accepts nothing",
                remedy="give finite scores",
            )
        return float(scores[last - step]) if step else np.inf

    return Steps(last - index.ravel(), 0, last, number)


def _by_rank(status: Status) -> Steps:
    """Steps that accept the first categories of each item, at least one."""
    return Steps(_place(status, by_item=True), 1, max(len(status.categories), 1), float)


def _by_share(status: Status) -> Steps:
    """Steps that accept the first items of each category, in proportion to its share; step 0
    accepts nothing.

    A category with r items accepts j of them from x = (j - 1/2) / r on, because halves are rounded
    up.
    """
    relevant = status.truth.per_category()[status.category]
    with np.errstate(divide="ignore"):
        least = (_place(status, by_item=False) - 0.5) / relevant
    # A category without relevant items never accepts anything: its step is the one after the last.
    shares, index = np.unique(least, return_inverse=True)
    last = int(np.count_nonzero(np.isfinite(shares)))

    def number(step: int) -> float:
        low = float(shares[step - 1]) if step else 0.0
        return short_between(low, float(shares[step]) if step < last else 2 * low + 1)

    return Steps(1 + index.ravel(), 0, last, number)


def _place(status: Status, by_item: bool) -> Int64:
    """The rank of each pair within its item or category; see `place_in`."""
    if (matrix := status.matrix) is not None:
        rows = matrix if by_item else matrix.T
        places = np.empty(rows.shape, np.int64)
        order = np.argsort(-rows, axis=1, kind="stable")
        np.put_along_axis(places, order, np.arange(1, rows.shape[1] + 1)[None], axis=1)
        return (places if by_item else places.T).ravel()
    return place_in(status.item if by_item else status.category, status.score)


def place_in(group: Int64, score: Scores) -> Int64:
    """The rank of each pair in its group, from 1; pairs of equal score are ranked in their
    order.
    """
    order = np.lexsort((-score, group))
    ordered = group[order]
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(1, len(order) + 1) - np.searchsorted(ordered, ordered)
    return ranks


def short_between(low: float, high: float) -> float:
    """The number with the fewest digits near the middle of two others.

    Examples
    --------
    >>> short_between(0.95, 1.2), short_between(1.25, 1.5), short_between(0.0, 0.01)
    (1.0, 1.4, 0.005)
    """
    middle = (low + high) / 2
    short = (round(middle, digits) for digits in range(17))
    return next((value for value in short if low < value < high), middle)


def _means(
    status: Status, steps: Steps, measure: Measure, average: str | None, undefined: str
) -> Float64:
    """The value of the measure at each step, from the one that accepts nothing on."""
    truth, kept = status.truth, steps.of_pair <= steps.last
    undefined = measure.declaration.policy(undefined)
    by_item = average in (None, "samples")
    if average == "micro":
        group = np.zeros(len(status.score), np.int64)
        relevant = np.array([len(truth.keys)])
        size = np.array([truth.labelled_per_item().sum()])
    else:
        group = status.item if by_item else status.category
        relevant = truth.per_item() if by_item else truth.per_category()
        size = truth.labelled_per_item() if by_item else truth.labelled_per_category()
    # Items without any label are left out.
    weight = (relevant if average == "weighted" else size > 0).astype(np.float64)
    formula: Callable[[Counts], Any] = measure.of_table if average else measure.declaration.items  # type: ignore[assignment]
    runs = _Runs.of(group[kept], steps.of_pair[kept], status.relevant[kept], steps.last)

    def values(tp: Int64, accepted: Int64, relevant: Int64, size: Int64) -> Float64:
        counts = Counts(tp, accepted - tp, relevant - tp, size - accepted - relevant + tp)
        value: Float64 = np.asarray(formula(counts), np.float64)
        if np.isinf(value).any():
            raise UsageError(
                argument="tune",
                what=f"{measure.name} is infinite for some numbers",
                remedy="take another measure",
            )
        return (
            apply_undefined(value, "zero", zero=measure.declaration.zero)
            if undefined == "zero"
            else value
        )

    nothing = np.zeros_like(relevant)
    before, along = (
        values(nothing, nothing, relevant, size),
        values(runs.tp, runs.accepted, relevant[runs.group], size[runs.group]),
    )
    previous = np.where(runs.first, before[runs.group], np.roll(along, 1))

    def running(change: Callable[[Float64], Float64]) -> Float64:
        changes = weight[runs.group] * (change(along) - change(previous))
        total = np.cumsum(np.bincount(runs.step, changes, steps.last + 1), dtype=np.float64)
        return np.asarray(float(weight @ change(before)) + total)

    with np.errstate(invalid="ignore", divide="ignore"):
        means: Float64 = running(np.nan_to_num) / running(
            lambda value: (~np.isnan(value)).astype(np.float64)
        )
    return means


class _Runs(NamedTuple):
    """The tables of each group after each of its steps."""

    group: Int64
    step: Int64
    tp: Int64
    accepted: Int64
    first: Bool

    @classmethod
    def of(cls, group: Int64, step: Int64, relevant: Bool, last: int) -> _Runs:
        """The runs of pairs in any order; sorting one combined number per pair takes a tenth of the
        time of `argsort`.
        """
        keys = np.sort((group * (last + 1) + step) * 2 + relevant)
        end = np.flatnonzero(np.append(np.diff(keys >> 1) > 0, True)[: len(keys)])
        hits = np.concatenate([[0], np.cumsum(keys & 1)])
        of_end, step = np.divmod(keys[end] >> 1, last + 1)
        first = changes(of_end)
        # The position at which the group of each run begins.
        begin = np.append(0, end[:-1] + 1)[: len(end)][
            np.maximum.accumulate(np.where(first, np.arange(len(end)), 0))
        ]
        return cls(of_end, step, hits[end + 1] - hits[begin], end + 1 - begin, first)
