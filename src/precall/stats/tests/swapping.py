"""Two systems' hard decisions on the same items: Yeh's randomization of any measure of counts, and
McNemar's test.

If the systems are equal, the two decisions on an item could as well be exchanged (Yeh 2000). The
measure sees totals only, such as the true and false positives of each category. So items (or groups
of items) whose exchange changes the totals equally are one kind, and a binomial number of each kind
is exchanged.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from precall.core.arguments import check_level, check_whole
from precall.core.counts import Cells, Counts
from precall.core.errors import UsageError
from precall.core.methods import NO_DIFFERENCE, Method
from precall.core.notes import each
from precall.core.notes.of_comparisons import IntervalOfDifference, OfSkewness, SpeaksForTheOther
from precall.core.ragged import Bool, Float64, Int64, alike
from precall.core.rng import Rng, seeded
from precall.core.undefined import treated
from precall.measures import Measure
from precall.native import kernel
from precall.stats.intervals.interval import Interval
from precall.stats.resample.batches import TOLERANCE, p_of_samples, random_words, run_batches
from precall.stats.scipy import stats
from precall.stats.skewness import remark
from precall.stats.tests.comparisons import Comparison, Mirror, bounds, opposite
from precall.stats.tests.equivalence import reaches
from precall.stats.tests.exchange import Drawn, chances, enumerate_exchanges, sample_exchanges
from precall.stats.tests.matched import run_matched_test
from precall.stats.tests.paired import RESAMPLES, direction
from precall.stats.tests.signflip import LEAST

#: Up to this many different exchanges are enumerated.
ENUMERATED = 2**20
#: Number of additions that a convolution may cost.
AFFORDABLE = 2 * 10**8
#: With more units of a kind than this, a binomial number costs less than a coin for each.
_TOSSED = 2048
#: Number of draws at one time, and the greatest number of totals that it is for.
_BATCHES = ((4096, 64), (2048, 1024), (64, math.inf))

#: Integer totals as they were counted, or as drawn.
Totals: TypeAlias = Cells
Valued: TypeAlias = Callable[[Totals], Float64]


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """The totals of two systems' decisions, and the changes when decisions are exchanged.

    Parameters
    ----------
    totals : (2, columns): totals of the decisions of each system.
    change : (units, columns), sparse by rows: how much more each unit adds to the first system's
        totals; a unit is exchanged as a whole.
    right : per unit, how many more of the first system's decisions are right.
    value : the measure as a function of totals (columns last).
    """

    totals: Totals
    change: Any
    right: Int64
    value: Valued

    def values(self) -> tuple[tuple[float, float], float]:
        """The value of each system, and the difference."""
        first, second = (float(self.value(totals)) for totals in self.totals)
        return (first, second), float(gap(first, second))


def skewness_of(changes: Changes, test: str, level: float) -> OfSkewness | None:
    """The note on randomization if few items weigh much more than the others, as items that are not
    relevant can in precision; else None.

    An item contributes half of the change of its exchange to the difference. This is only for
    measures of one table whose items weigh differently. If a decision is just right or wrong, all
    items that differ weigh the same.
    """
    if test != "randomization" or changes.change.shape[1] != 2:
        return None
    kinds, of_unit = np.unique(changes.change.toarray(), axis=0, return_inverse=True)
    first, second = changes.totals
    with np.errstate(divide="ignore", invalid="ignore"):
        if_exchanged = gap(changes.value(first - kinds), changes.value(second + kinds))
        contribution = (changes.values()[1] - if_exchanged) / 2
    difference = np.where(np.isfinite(contribution), contribution, 0.0)[of_unit.ravel()]
    # With fewer items no p is small enough to reject anything.
    return (
        remark(difference, test, "items")
        if reaches(test, int(np.count_nonzero(difference)), (1 - level) / 2)
        else None
    )


def gap(first: Any, second: Any) -> Float64:
    """The differences; 0 for equal values, which may both be infinite."""
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
    """A measure as a function of totals: true positives per category, followed by false positives.

    `relevant` has the number of items in each category. The value is that of the whole table
    (`joint`), or the mean over categories, if "weighted" by their items; an undefined value counts
    as `zero`.
    """
    weight = relevant.astype(np.float64) if average == "weighted" else np.ones(len(relevant))

    def value(totals: Totals) -> Float64:
        halves: list[Any] = np.split(totals, 2, axis=-1)
        tp, fp = halves
        counts = Counts(tp, fp, relevant - tp, items - relevant - fp)
        if joint and measure.joint is not None:
            return np.asarray(treated(_joint(measure.joint, counts), "zero", zero=zero))
        values = measure.of_table(counts)
        if len(weight) > 1 and not measure.declaration.chance_is_zero:
            # Left out of the mean over categories, as `Decisions.value` leaves them out.
            defined_weight = np.where(np.isnan(values), 0, weight)
            values = (np.nan_to_num(values) * defined_weight).sum(axis=-1) / defined_weight.sum(
                axis=-1
            )
            return np.asarray(treated(values, "zero", zero=zero))
        values = treated(values, "zero", zero=zero)
        return np.asarray(
            values @ weight / weight.sum() if weight.any() else np.full(tp.shape[:-1], zero)
        )

    return value


def _joint(formula: Callable[[Counts], Any], counts: Counts) -> Float64:
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(formula(counts), np.float64)
        if values.shape != counts.tp.shape[:-1]:
            # The formula takes only one table at a time.
            values = np.array([formula(counts[row]) for row in range(len(counts.tp))], np.float64)
    return values


def compared(
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
    unlike: bool = False,
) -> Comparison:
    """Compare two systems' decisions; see `precall.compare.decisions`.

    Wins and losses are units on which the first system made more, or fewer, right decisions.
    `matched` has the differences of matched pairs, for a test of those. If items have different
    weights in the measure (`unlike`), a note says whether few of them decide.
    """
    check_level(level)
    check_whole("resamples", resamples, 1)
    remarks = tuple(each(notes))
    values, difference = changes.values()
    statistic: float | None = difference
    swapped: tuple[Method, float | None] | None = None
    size, wins, losses = (
        len(changes.right),
        int((changes.right > 0).sum()),
        int((changes.right < 0).sum()),
    )
    if test == "mcnemar":
        if np.any(np.abs(changes.right) > 1):
            raise UsageError(
                "⟨test='mcnemar'⟩ takes one decision per item", remedy="pass ⟨test='randomization'⟩"
            )
        tail = (
            2 * float(stats().binom.cdf(min(wins, losses), wins + losses, 0.5))
            if wins + losses
            else 1.0
        )
        p, method = (
            max(min(1.0, tail), LEAST),
            Method("binomial", exact=True, counts=(wins, losses)),
        )
        swapped = Method("binomial", exact=True, counts=(losses, wins)), opposite(statistic)
    elif matched is not None:
        result = run_matched_test(matched, test, level)
        p, method, statistic, swapped = result.p, result.method, result.statistic, result.swapped
        if direction(matched, test) * difference < 0:
            remarks = (*remarks, SpeaksForTheOther("", test, "values", "pairs"))
    else:
        p, method = _test_by_exchange(changes, rng, resamples)
        if unlike and (skewness_note := skewness_of(changes, test, level)):
            remarks = (*remarks, skewness_note)
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
        mirror=None if swapped is None else Mirror(*swapped, remarks),
    )


def with_interval(pair: Comparison, interval: Interval) -> Comparison:
    """The comparison with the interval of its difference, and the notes on that interval."""
    is_undefined = interval.low is None or interval.high is None
    low, high = (None, None) if is_undefined else bounds(*interval.ends)
    seed = pair.seed if pair.seed is not None else interval.seed
    note = IntervalOfDifference("", interval.method, interval.resamples)
    notes = tuple(dict.fromkeys((*pair.notes, note, *each(interval.notes))))
    why = "" if low is not None else "all resamples have one difference"
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
    )


def _test_by_exchange(changes: Changes, rng: Rng, resamples: int) -> tuple[float, Method]:
    """p of no difference by exchanges of decisions, and how it was found."""
    kinds, count = _kinds(changes.change)
    if not len(count):
        return 1.0, NO_DIFFERENCE
    all_totals = changes.totals.sum(axis=0).astype(np.float64)
    # The totals of the first system if it has the smaller part of every unit.
    least = (all_totals - kinds @ count) / 2
    values, difference = changes.values()
    observed = abs(difference) - TOLERANCE * max(1.0, min(map(abs, values)))

    def is_as_far(more: Float64) -> Bool:
        """Whether the values differ as much as observed if the first system has `more` than the
        least totals.
        """
        with np.errstate(invalid="ignore"):
            of_first, of_second = (
                changes.value(least + more),
                changes.value(all_totals - least - more),
            )
            return np.asarray(
                (np.abs(of_first - of_second) >= observed)
                | ((of_first == of_second) & (observed <= 0))
            )

    # Sparse, because few kinds change many totals; and threads of a dense product would cost more
    # than they gain next to those of `sample_exchanges`.
    def are_as_far(drawn: Drawn) -> Bool:
        return is_as_far(np.ascontiguousarray((kinds @ drawn).T))

    rows, exact = sum(kinds.shape), None
    if math.prod((count + 1).tolist()) <= ENUMERATED:
        exact = enumerate_exchanges(count, are_as_far, rows)
    elif (sizes := _grid_sizes(kinds, count)) is not None:
        exact = _convolve(kinds.toarray().T.astype(np.int64), count, sizes, is_as_far)
    if exact is not None:
        # With a thousand units or more the least probabilities underflow, but they are not 0.
        return max(min(1.0, exact), LEAST), Method(
            "enumerated", exact=True, drawn="swaps", units=int(count.sum())
        )
    if _are_integers(kinds) and (abs(kinds) @ count).max() < 2**31:
        p, seed = _sampled_totals(kinds, count, is_as_far, rng, resamples)
    else:
        p, seed = sample_exchanges(count, are_as_far, rows, rng, resamples)
    return p, Method("sampled", drawn="swaps", resamples=resamples, seed=seed)


def _sampled_totals(
    kinds: Any, count: Int64, is_as_far: Callable[[Float64], Bool], rng: Rng, resamples: int
) -> tuple[float, int]:
    """The probability of a difference as great as observed, by exchanging units at random, and the
    seed; all changes must be integers.
    """
    # Kinds of one unit first, then those of two, and so on: so the work per kind follows a pattern.
    (generator, seed), order = seeded(rng), np.argsort(count, kind="stable")
    tossed_kinds, drawn_kinds = np.split(order, [np.searchsorted(count[order], _TOSSED, "right")])
    tossed, drawn = kinds[:, tossed_kinds], kinds[:, drawn_kinds]
    tossed.sort_indices()
    columns = (
        column.astype(np.int32) for column in (tossed.indices, tossed.data, count[tossed_kinds])
    )
    arguments = tossed.indptr.astype(np.int64), *columns

    def count_far(rng: np.random.Generator, size: int) -> int:
        totals = (
            kernel()
            .exchange_totals(*arguments, int(random_words(rng, 1)[0]), size)
            .astype(np.float64)
        )
        if len(drawn_kinds):
            totals += drawn @ rng.binomial(
                count[drawn_kinds, None], 0.5, size=(len(drawn_kinds), size)
            )
        return int(np.count_nonzero(is_as_far(np.ascontiguousarray(totals.T))))

    # The more totals, the fewer draws at one time.
    batch = next(size for size, totals in _BATCHES if kinds.shape[0] <= totals)
    return float(
        p_of_samples(sum(run_batches(count_far, generator, resamples, batch)), resamples)
    ), seed


def _kinds(change: Any) -> tuple[Any, Int64]:
    """The changes by exchanges, totals x kinds, and the number of units of each kind.

    They depend neither on which system nor on which unit comes first.
    """
    change = change.astype(np.float64)
    change.eliminate_zeros()
    # Exchanging x of n units one way is the same as exchanging n - x the other way, so a kind and
    # its opposite are one kind.
    size = np.diff(change.indptr)
    units = np.flatnonzero(size)
    change.data *= np.repeat(np.sign(change.data[change.indptr[units]]), size[units])
    # Sort as dense rows would be: 0 is less than a positive change, and more than a negative one.
    most, rank = np.unique(np.abs(change.data), return_inverse=True)
    code = (change.shape[1] - change.indices).astype(np.int64) * (len(most) + 1) + rank + 1
    label = np.where(change.data > 0, code, -code)
    numbers = alike(label, np.repeat(np.arange(len(size)), size), len(size))[units]
    _, first, count = np.unique(numbers, return_index=True, return_counts=True)
    return change[units[first]].T.tocsr(), count.astype(np.int64)


def _are_integers(kinds: Any) -> bool:
    return not np.any(kinds.data != np.rint(kinds.data))


def _grid_sizes(kinds: Any, count: Int64) -> list[int] | None:
    """Number of values that each of the totals can take; None if they are not integers, or too
    many.
    """
    reach = [int(most) + 1 for most in (abs(kinds) @ count).tolist()]
    # Python integers: with many totals the product is too large for floats.
    is_affordable = math.prod(reach) * int(count.sum() + len(count)) <= AFFORDABLE
    return reach if is_affordable and _are_integers(kinds) else None


def _convolve(
    kinds: Int64, count: Int64, reach: list[int], is_as_far: Callable[[Float64], Bool]
) -> float:
    """The probability of a difference as great as observed, by convolution over the grid of all
    totals, kind by kind.
    """
    # The first change of a kind is positive, so kinds lead upwards on the flattened grid; its other
    # changes may be negative.
    down = -(np.minimum(kinds, 0) * count[:, None]).sum(axis=0)
    stride = np.append(np.cumprod(reach[:0:-1])[::-1], 1).astype(np.int64)
    chance = np.zeros(math.prod(reach))
    chance[int(down @ stride)] = 1.0
    for step, times in zip((kinds @ stride).tolist(), count.tolist(), strict=True):
        previous, chance = chance, np.zeros(len(chance))
        for exchanged, share in enumerate(chances(times).tolist()):
            chance[exchanged * step :] += share * previous[: len(chance) - exchanged * step]
    cells = np.flatnonzero(chance)
    totals = np.stack(np.unravel_index(cells, reach), axis=1) - down
    return float(chance[cells[is_as_far(totals.astype(np.float64))]].sum())
