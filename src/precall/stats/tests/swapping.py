"""Two systems' hard decisions on the same items: Yeh's randomization of any measure of counts, and
McNemar's test.

If the systems do not differ, the two decisions on an item can be exchanged (Yeh 2000). The measure
depends only on totals, such as the true and false positives of each category. So items (or groups
of items) form a kind if their exchange has the same effect on the totals. The number of exchanged
items of a kind is binomial.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from precall.core.arguments import check_level, check_whole
from precall.core.counts import Cells, Counts
from precall.core.errors import UsageError
from precall.core.methods import NO_DIFFERENCE, Method
from precall.core.notes import iterate_notes
from precall.core.notes.of_comparisons import (
    EitherClass,
    IntervalOfDifference,
    NoRatio,
    OfSkewness,
    RatioOfValues,
    SpeaksForTheOther,
)
from precall.core.ragged import Bool, Float64, Int64, alike
from precall.core.rng import Rng, generator_and_seed
from precall.core.undefined import apply_undefined
from precall.measures import Measure
from precall.native import kernel
from precall.stats.intervals.interval import Interval
from precall.stats.resample.batches import TOLERANCE, p_of_samples, random_words, run_batches
from precall.stats.scipy import stats
from precall.stats.skewness import keep_if_concerned, remark
from precall.stats.tests import ON_TABLES
from precall.stats.tests.comparisons import (
    Comparison,
    Mirror,
    bounds,
    notes_on_bounds,
    opposite,
)
from precall.stats.tests.equivalence import reaches
from precall.stats.tests.exchange import Drawn, chances, enumerate_exchanges, sample_exchanges
from precall.stats.tests.matched import run_matched_test
from precall.stats.tests.paired import RESAMPLES, Result, direction
from precall.stats.tests.signflip import LEAST

if TYPE_CHECKING:
    from precall.stats.resample.multinomial import Int32

#: Up to this number of different exchanges, all are enumerated.
ENUMERATED = 2**20
#: The greatest number of additions for an exact convolution.
AFFORDABLE = 2 * 10**8
#: If a kind has more units than this, a binomial number costs less than one random bit per unit.
_TOSSED = 2048
#: Pairs of a batch size and the greatest number of totals for which it is used.
_BATCHES = ((4096, 64), (2048, 1024), (64, math.inf))

#: Totals are integers if they were counted, floats if they were drawn.
Totals: TypeAlias = Cells
Valued: TypeAlias = Callable[[Totals], Float64]


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """Totals of two systems' decisions, and how an exchange changes them.

    Parameters
    ----------
    totals : (2, columns): sums over the decisions of either system.
    change : (units, columns), sparse by rows: each unit's contribution to the first system's totals
        minus that to the second's. Units are exchanged as a whole: items, or groups of items.
    right : per unit, the number of right decisions of the first system minus that of the second.
    value : the measure as a function of totals (columns last).
    """

    totals: Totals
    change: Any
    right: Int64
    value: Valued

    def values(self) -> tuple[tuple[float, float], float]:
        """The value of either system, and the difference."""
        first, second = (float(self.value(totals)) for totals in self.totals)
        return (first, second), float(gap(first, second))


#: The greatest size, units x columns, of changes as a dense matrix.
_MOST_CELLS = 10_000_000


def skewness_of(
    changes: Changes, test: str, level: float, units: str = "items"
) -> OfSkewness | None:
    """A note on randomization if a few units contribute much more to the difference than others;
    None if there is nothing to note.

    Items that are not relevant can do so in precision, and groups in every measure. A unit
    contributes half of the change by its exchange. Items are examined only in a single table: if
    decisions are right or wrong, all items that differ contribute the same.
    """
    columns = changes.change.shape[1]
    if test != "randomization" or (units == "items" and columns != 2):
        return None
    if columns * changes.change.shape[0] > _MOST_CELLS:
        return None
    kinds, of_unit = np.unique(changes.change.toarray(), axis=0, return_inverse=True)
    first, second = changes.totals
    with np.errstate(divide="ignore", invalid="ignore"):
        exchanged = gap(changes.value(first - kinds), changes.value(second + kinds))
        added = (changes.values()[1] - exchanged) / 2
    difference = np.where(np.isfinite(added), added, 0.0)[of_unit.ravel()]
    # With too few differing items no p is small enough to reject anything.
    return (
        remark(difference, test, units)
        if reaches(test, int(np.count_nonzero(difference)), (1 - level) / 2)
        else None
    )


def gap(first: Any, second: Any) -> Float64:
    """The differences; 0 for equal values, also if both are infinite."""
    with np.errstate(invalid="ignore"):
        return np.where(first == second, 0.0, first - second)


def of_tables(
    measure: Measure,
    relevant: Int64,
    items: int,
    average: str | None = None,
    joint: bool = False,
    zero: float = 0.0,
) -> Valued:
    """A measure as a function of totals: true positives per category, followed by false positives
    per category.

    `relevant` has the number of items of each category. The value is that of the whole table
    (`joint`), or the mean over categories, which can be "weighted" by their items. An undefined
    value counts as `zero`.
    """
    weight = relevant.astype(np.float64) if average == "weighted" else np.ones(len(relevant))

    def value(totals: Totals) -> Float64:
        halves: list[Float64] = np.split(totals, 2, axis=-1)
        tp, fp = halves
        counts = Counts(tp, fp, relevant - tp, items - relevant - fp)
        if joint and measure.joint is not None:
            return np.asarray(apply_undefined(_joint(measure.joint, counts), "zero", zero=zero))
        values = measure.of_table(counts)
        if len(weight) > 1 and not measure.declaration.chance_is_zero:
            # Undefined values are left out of the mean over categories, as in `Decisions.value`.
            weights = np.where(np.isnan(values), 0, weight)
            values = (np.nan_to_num(values) * weights).sum(axis=-1) / weights.sum(axis=-1)
            return np.asarray(apply_undefined(values, "zero", zero=zero))
        values = apply_undefined(values, "zero", zero=zero)
        if not weight.any():
            return np.full(tp.shape[:-1], zero)
        return np.asarray((values * weight).sum(axis=-1) / weight.sum())

    return value


def _joint(formula: Callable[[Counts], object], counts: Counts) -> Float64:
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(formula(counts), np.float64)
        if values.shape != counts.tp.shape[:-1]:
            # The formula takes only one table at a time.
            values = np.array([formula(counts[row]) for row in range(len(counts.tp))], np.float64)
    return values


def compare_decisions(
    changes: Changes,
    name: str,
    *,
    test: str = "randomization",
    level: float = 0.95,
    resamples: int = RESAMPLES,
    rng: Rng = 0,
    names: tuple[str, str] = ("a", "b"),
    higher_is_better: bool = True,
    notes: tuple[str, ...] = (),
    matched: Float64 | None = None,
    result: Result | None = None,
    right: Int64 | None = None,
    unlike: bool = False,
    units: str = "items",
) -> Comparison:
    """Compare two systems' decisions; see `precall.compare.decisions`.

    Wins and losses are units on which the first system made more right decisions, or fewer.
    `matched` has the differences for a test of matched pairs, `result` that of a test of the joint
    table, and `right` the units of McNemar's test, if these are not all. `units` names what is
    exchanged. A note says if a few units decide: always for groups, and for items if the measure
    weighs them differently (`unlike`).
    """
    level = check_level(level)
    resamples = check_whole("resamples", resamples, 1)
    remarks = tuple(iterate_notes(notes))
    values, difference = changes.values()
    statistic: float | None = difference
    swapped: tuple[Method, float | None] | None = None
    size, wins, losses = (
        len(changes.right),
        int((changes.right > 0).sum()),
        int((changes.right < 0).sum()),
    )
    if test == "mcnemar":
        right = changes.right if right is None else right
        first, second = int((right > 0).sum()), int((right < 0).sum())
        if np.any(np.abs(right) > 1):
            raise UsageError(
                argument="test",
                what="'mcnemar' needs one decision per item",
                remedy="pass ⟨test='randomization'⟩",
            )
        tail = (
            2 * float(stats().binom.cdf(min(first, second), first + second, 0.5))
            if first + second
            else 1.0
        )
        p, method = (
            max(min(1.0, tail), LEAST),
            Method("binomial", exact=True, counts=(first, second)),
        )
        swapped = Method("binomial", exact=True, counts=(second, first)), opposite(statistic)
    elif result is not None:
        p, method, statistic = result.p, result.method, result.statistic
        swapped = method, statistic
        remarks = (*remarks, *result.notes)
    elif matched is not None:
        result = run_matched_test(matched, test, level)
        p, method, statistic, swapped = result.p, result.method, result.statistic, result.swapped
        if direction(matched, test) * difference < 0:
            remarks = (*remarks, SpeaksForTheOther("", test, "values", "pairs"))
        if units != "items" and (note := remark(matched, test, units)):
            remarks = (*remarks, *keep_if_concerned([note], p, level, has_bounds=False))
    else:
        p, method = _randomize(changes, rng, resamples)
        may_be_skewed = unlike or units != "items"
        if may_be_skewed and (note := skewness_of(changes, test, level, units)):
            remarks = (*remarks, *keep_if_concerned([note], p, level, has_bounds=False))
    # Both classes can speak for different systems.
    contrary = result is not None and any(isinstance(note, EitherClass) for note in result.notes)
    return Comparison(
        names=names,
        measure=name,
        values=values,
        difference=difference,
        low=None,
        high=None,
        level=level,
        p=p,
        test=test,
        method=method,
        size=size,
        wins=wins,
        ties=size - wins - losses,
        losses=losses,
        statistic=statistic,
        higher_is_better=higher_is_better,
        notes=remarks,
        seed=method.seed,
        contrary=contrary,
        mirror=None if swapped is None else Mirror(*swapped, remarks),
    )


def with_notes(pair: Comparison, notes: Iterable[RatioOfValues | NoRatio]) -> Comparison:
    """The comparison with more notes of its own, which are those of its mirror as well."""
    mirror = pair.mirror or Mirror(pair.method, opposite(pair.statistic), pair.notes)
    mirrored = (*mirror.notes, *(note.mirrored() for note in notes))
    return replace(pair, notes=(*pair.notes, *notes), mirror=mirror._replace(notes=mirrored))


def with_interval(pair: Comparison, interval: Interval, is_default: bool = False) -> Comparison:
    """The comparison with the interval of its difference, and the notes on that interval; one that
    was not asked for has no note on its method, which is printed with it.
    """
    none = interval.low is None or interval.high is None
    low, high = (None, None) if none else bounds(*interval.ends)
    seed = pair.seed if pair.seed is not None else interval.seed
    by = IntervalOfDifference("", interval.method, interval.resamples)
    against = notes_on_bounds((low, high), pair.p, pair.level, pair.test not in ("t", *ON_TABLES))
    said = () if is_default else (by,)
    notes = tuple(dict.fromkeys((*pair.notes, *said, *iterate_notes(interval.notes), *against)))
    drawn = "all resamples have the same difference"
    is_alike = interval.method == "t" and math.isfinite(pair.difference)
    lacking = "differences do not vary" if is_alike else "a value has no bounds"
    why = "" if low is not None else drawn if interval.resamples else lacking
    mirror = pair.mirror and pair.mirror._replace(notes=notes)
    return replace(
        pair,
        low=low,
        high=high,
        seed=seed,
        notes=notes,
        no_interval=why,
        mirror=mirror,
        interval=interval.method,
        interval_resamples=(interval.resamples or None) if low is not None else None,
    )


def _randomize(changes: Changes, rng: Rng, resamples: int) -> tuple[float, Method]:
    """p of the hypothesis of no difference, and the method by which it was computed."""
    kinds, count = _kinds(changes.change)
    if not len(count):
        return 1.0, NO_DIFFERENCE
    both = changes.totals.sum(axis=0).astype(np.float64)
    # The totals of the first system if it always has the lesser contribution of a unit.
    least = (both - kinds @ count) / 2
    values, difference = changes.values()
    observed = abs(difference) - TOLERANCE * max(1.0, min(map(abs, values)))

    def is_far(more: Float64) -> Bool:
        """Whether values differ at least as much as observed, if the first system's totals exceed
        the least ones by `more`.
        """
        with np.errstate(invalid="ignore"):
            first, second = changes.value(least + more), changes.value(both - least - more)
            return np.asarray(
                (np.abs(first - second) >= observed) | ((first == second) & (observed <= 0))
            )

    # The product is sparse: few kinds change many totals, and the threads of a dense product cost
    # more than they gain next to those of the sampling.
    def is_far_for_kinds(exchanged: Drawn) -> Bool:
        return is_far(np.ascontiguousarray((kinds @ exchanged).T))

    rows, exact = sum(kinds.shape), None
    if math.prod((count + 1).tolist()) <= ENUMERATED:
        exact = enumerate_exchanges(count, is_far_for_kinds, rows)
    elif (sizes := _grid(kinds, count)) is not None:
        exact = _convolve(kinds.toarray().T.astype(np.int64), count, sizes, is_far)
    if exact is not None:
        # With a thousand or more units the least probabilities underflow float64, but are not 0.
        return max(min(1.0, exact), LEAST), Method(
            "enumerated", exact=True, drawn="swaps", units=int(count.sum())
        )
    if _is_integral(kinds) and (abs(kinds) @ count).max() < 2**31:
        p, seed = _sample_totals(kinds, count, is_far, rng, resamples)
    else:
        p, seed = sample_exchanges(count, is_far_for_kinds, rows, rng, resamples)
    return p, Method("sampled", drawn="swaps", resamples=resamples, seed=seed)


def _sample_totals(
    kinds: Any, count: Int64, is_far: Callable[[Float64], Bool], rng: Rng, resamples: int
) -> tuple[float, int]:
    """The probability of a difference as great as observed if units are exchanged at random, and
    the seed; changes must be integers.
    """
    # Kinds are sorted by their number of units, so that the work per kind follows a pattern.
    (source, seed), order = generator_and_seed(rng), np.argsort(count, kind="stable")
    few, many = np.split(order, [np.searchsorted(count[order], _TOSSED, "right")])
    small_kinds, large_kinds = kinds[:, few], kinds[:, many]
    small_kinds.sort_indices()
    arrays: tuple[Int64, Int32, Int32, Int32] = (
        small_kinds.indptr.astype(np.int64),
        small_kinds.indices.astype(np.int32),
        small_kinds.data.astype(np.int32),
        count[few].astype(np.int32),
    )

    def count_far(rng: np.random.Generator, size: int) -> int:
        totals = (
            kernel().exchange_totals(*arrays, int(random_words(rng, 1)[0]), size).astype(np.float64)
        )
        if len(many):
            totals += large_kinds @ rng.binomial(count[many, None], 0.5, size=(len(many), size))
        return int(np.count_nonzero(is_far(np.ascontiguousarray(totals.T))))

    # With many totals, batches are small to save memory.
    batch = next(size for size, totals in _BATCHES if kinds.shape[0] <= totals)
    return float(
        p_of_samples(sum(run_batches(count_far, source, resamples, batch)), resamples)
    ), seed


def _kinds(change: Any) -> tuple[Any, Int64]:
    """The changes of the kinds, totals x kinds, and the number of units of each kind.

    They depend neither on which system comes first nor on the order of units.
    """
    change = change.astype(np.float64)
    change.eliminate_zeros()
    # To exchange x of n units has the same distribution as to exchange n - x of units of opposite
    # sign. So kinds and their opposites are one.
    size = np.diff(change.indptr)
    units = np.flatnonzero(size)
    change.data *= np.repeat(np.sign(change.data[change.indptr[units]]), size[units])
    # Labels sort rows as dense rows would be sorted, in which an absent change is 0: less than
    # positive and more than negative changes.
    most, rank = np.unique(np.abs(change.data), return_inverse=True)
    key = (change.shape[1] - change.indices).astype(np.int64) * (len(most) + 1) + rank + 1
    label = np.where(change.data > 0, key, -key)
    numbers = alike(label, np.repeat(np.arange(len(size)), size), len(size))[units]
    _, first, count = np.unique(numbers, return_index=True, return_counts=True)
    return change[units[first]].T.tocsr(), count.astype(np.int64)


def _is_integral(kinds: Any) -> bool:
    return not np.any(kinds.data != np.rint(kinds.data))


def _grid(kinds: Any, count: Int64) -> list[int] | None:
    """The number of values that each total can take; None if totals are no integers, or if the grid
    is too large.
    """
    reach = [int(most) + 1 for most in (abs(kinds) @ count).tolist()]
    # Python integers: with many totals the product is too large for a float.
    is_affordable = math.prod(reach) * int(count.sum() + len(count)) <= AFFORDABLE
    return reach if is_affordable and _is_integral(kinds) else None


def _convolve(
    kinds: Int64, count: Int64, reach: list[int], is_far: Callable[[Float64], Bool]
) -> float:
    """The probability of a difference as great as observed, by convolution over the grid of all
    totals, kind by kind.
    """
    # The first change of a kind is positive, so a kind moves upwards on the flattened grid; its
    # other changes may be negative.
    down = -(np.minimum(kinds, 0) * count[:, None]).sum(axis=0)
    stride = np.append(np.cumprod(reach[:0:-1])[::-1], 1).astype(np.int64)
    chance = np.zeros(math.prod(reach))
    chance[int(down @ stride)] = 1.0
    for step, times in zip((kinds @ stride).tolist(), count.tolist(), strict=True):
        before, chance = chance, np.zeros(len(chance))
        for exchanged, share in enumerate(chances(times).tolist()):
            chance[exchanged * step :] += share * before[: len(chance) - exchanged * step]
    positions = np.flatnonzero(chance)
    totals = np.stack(np.unravel_index(positions, reach), axis=1) - down
    return float(chance[positions[is_far(totals.astype(np.float64))]].sum())
