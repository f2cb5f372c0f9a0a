"""Two systems' hard decisions on the same items: Yeh's randomization of any measure of counts, and
McNemar's test.

If the systems are alike, the two decisions on an item could as well be exchanged (Yeh 2000). The
measure sees totals only, such as the true and false positives of each category. So items (or groups
of items) whose exchange changes the totals alike are one kind, and of each kind a binomial number
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
from precall.core.notes import iterate_notes
from precall.core.notes.of_comparisons import IntervalOfDifference, OfSkewness, SpeaksForTheOther
from precall.core.ragged import Bool, Float64, Int64, alike
from precall.core.rng import Rng, generator_and_seed
from precall.core.undefined import apply_undefined
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

#: So many different exchanges are gone through.
ENUMERATED = 2**20
#: Additions that a convolution may cost.
AFFORDABLE = 2 * 10**8
#: Of more units of a kind than this a binomial number costs less than a coin for each.
_TOSSED = 2048
#: Draws at one time, of up to so many totals.
_BATCHES = ((4096, 64), (2048, 1024), (64, math.inf))

#: Whole numbers as they were counted, or as drawn.
Totals: TypeAlias = Cells
Valued: TypeAlias = Callable[[Totals], Float64]


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """What an exchange of decisions changes.

    Parameters
    ----------
    totals : (2, columns): what the decisions of either system add up to.
    change : (units, columns), sparse by rows: by how much each unit adds more to the first system's
        totals; units are what is exchanged as a whole.
    right : per unit, how many more of the first system's decisions are right.
    value : the measure, of totals (columns last).
    """

    totals: Totals
    change: Any
    right: Int64
    value: Valued

    def values(self) -> tuple[tuple[float, float], float]:
        """That of either system, and the difference."""
        first, second = (float(self.value(totals)) for totals in self.totals)
        return (first, second), float(gap(first, second))


#: Units x columns whose changes are written out at once.
_MOST_CELLS = 10_000_000


def skewness_of(given: Changes, test: str, level: float, units: str = "items") -> OfSkewness | None:
    """What to know of randomization if few units weigh much more than the others, as items that are
    not relevant do in precision, and as groups do in every measure.

    A unit adds half of what its exchange changes. Items are looked at in one table; if a decision
    is right or wrong, all that differ weigh the same.
    """
    columns = given.change.shape[1]
    if test != "randomization" or (units == "items" and columns != 2):
        return None
    if columns * given.change.shape[0] > _MOST_CELLS:
        return None
    kinds, of_unit = np.unique(given.change.toarray(), axis=0, return_inverse=True)
    first, second = given.totals
    with np.errstate(divide="ignore", invalid="ignore"):
        exchanged = gap(given.value(first - kinds), given.value(second + kinds))
        added = (given.values()[1] - exchanged) / 2
    difference = np.where(np.isfinite(added), added, 0.0)[of_unit.ravel()]
    # Of fewer items no p is so small that anything is rejected.
    return (
        remark(difference, test, units)
        if reaches(test, int(np.count_nonzero(difference)), (1 - level) / 2)
        else None
    )


def gap(first: Any, second: Any) -> Float64:
    """The differences; 0 of equal values, which may both be infinite."""
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
    """A measure as a function of totals: of true positives per category, and behind them false
    ones.

    `relevant` items belong to each category. It is of the whole table (`joint`), or the mean over
    categories, perhaps "weighted" by their items; an undefined value counts as `zero`.
    """
    weight = relevant.astype(np.float64) if average == "weighted" else np.ones(len(relevant))

    def value(totals: Totals) -> Float64:
        parts: list[Any] = np.split(totals, 2, axis=-1)
        tp, fp = parts
        counts = Counts(tp, fp, relevant - tp, items - relevant - fp)
        if joint and measure.joint is not None:
            return np.asarray(apply_undefined(_joint(measure.joint, counts), "zero", zero=zero))
        values = measure.of_table(counts)
        if len(weight) > 1 and not measure.declaration.chance_is_zero:
            # Left out of the mean over categories, as `Decisions.value` leaves them out.
            some = np.where(np.isnan(values), 0, weight)
            values = (np.nan_to_num(values) * some).sum(axis=-1) / some.sum(axis=-1)
            return np.asarray(apply_undefined(values, "zero", zero=zero))
        values = apply_undefined(values, "zero", zero=zero)
        return np.asarray(
            values @ weight / weight.sum() if weight.any() else np.full(tp.shape[:-1], zero)
        )

    return value


def _joint(formula: Callable[[Counts], object], counts: Counts) -> Float64:
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(formula(counts), np.float64)
        if values.shape != counts.tp.shape[:-1]:
            # A formula that takes one table only.
            values = np.array([formula(counts[row]) for row in range(len(counts.tp))], np.float64)
    return values


def compare_decisions(
    given: Changes,
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
    units: str = "items",
) -> Comparison:
    """Compare two systems' decisions; see `precall.compare.decisions`.

    Wins and losses are units on which the first made more right decisions, or fewer. `matched` are
    the differences of matched pairs for a test of those. Of a measure in which items weigh `unlike`
    it is told where few of them decide, and of groups always; `units` says which of them the
    changes are of.
    """
    check_level(level)
    check_whole("resamples", resamples, 1)
    remarks = tuple(iterate_notes(notes))
    values, difference = given.values()
    statistic: float | None = difference
    swapped: tuple[Method, float | None] | None = None
    size, wins, losses = (
        len(given.right),
        int((given.right > 0).sum()),
        int((given.right < 0).sum()),
    )
    if test == "mcnemar":
        if np.any(np.abs(given.right) > 1):
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
        if units != "items" and (told := remark(matched, test, units)):
            remarks = (*remarks, told)
    else:
        p, method = _exchanged(given, rng, resamples)
        is_asked = unlike or units != "items"
        if is_asked and (told := skewness_of(given, test, level, units)):
            remarks = (*remarks, told)
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
    """The comparison with the interval of its difference, and what is to be said about that."""
    none = interval.low is None or interval.high is None
    low, high = (None, None) if none else bounds(*interval.ends)
    seed = pair.seed if pair.seed is not None else interval.seed
    by = IntervalOfDifference("", interval.method, interval.resamples)
    notes = tuple(dict.fromkeys((*pair.notes, by, *iterate_notes(interval.notes))))
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


def _exchanged(given: Changes, rng: Rng, resamples: int) -> tuple[float, Method]:
    """p of no difference, and how it was found."""
    kinds, count = _kinds(given.change)
    if not len(count):
        return 1.0, NO_DIFFERENCE
    whole = given.totals.sum(axis=0).astype(np.float64)
    # The totals of the first system where it has less of every unit.
    least = (whole - kinds @ count) / 2
    values, difference = given.values()
    observed = abs(difference) - TOLERANCE * max(1.0, min(map(abs, values)))

    def far(more: Float64) -> Bool:
        """Whether values differ as much, of what the first system has beyond the least."""
        with np.errstate(invalid="ignore"):
            mine, theirs = given.value(least + more), given.value(whole - least - more)
            return np.asarray(
                (np.abs(mine - theirs) >= observed) | ((mine == theirs) & (observed <= 0))
            )

    # Few kinds change many totals; and threads of a dense product cost more than they gain beside
    # those of `sampled`.
    def far_of_kinds(some: Drawn) -> Bool:
        return far(np.ascontiguousarray((kinds @ some).T))

    rows, exact = sum(kinds.shape), None
    if math.prod((count + 1).tolist()) <= ENUMERATED:
        exact = enumerate_exchanges(count, far_of_kinds, rows)
    elif (places := _grid(kinds, count)) is not None:
        exact = _convolved(kinds.toarray().T.astype(np.int64), count, places, far)
    if exact is not None:
        # Of a thousand units and more the least chances are no float64 any more, and still not 0.
        return max(min(1.0, exact), LEAST), Method(
            "enumerated", exact=True, drawn="swaps", units=int(count.sum())
        )
    if _whole(kinds) and (abs(kinds) @ count).max() < 2**31:
        p, seed = _sampled_totals(kinds, count, far, rng, resamples)
    else:
        p, seed = sample_exchanges(count, far_of_kinds, rows, rng, resamples)
    return p, Method("sampled", drawn="swaps", resamples=resamples, seed=seed)


def _sampled_totals(
    kinds: Any, count: Int64, far: Callable[[Float64], Bool], rng: Rng, resamples: int
) -> tuple[float, int]:
    """The chance of all that is as far, of units that are exchanged at random, and the seed;
    changes are whole numbers.
    """
    # Kinds of one unit first, and so on: what is done for each follows a pattern.
    (made, seed), order = generator_and_seed(rng), np.argsort(count, kind="stable")
    few, many = np.split(order, [np.searchsorted(count[order], _TOSSED, "right")])
    tossed, drawn = kinds[:, few], kinds[:, many]
    tossed.sort_indices()
    columns = (column.astype(np.int32) for column in (tossed.indices, tossed.data, count[few]))
    given = tossed.indptr.astype(np.int64), *columns

    def number(rng: np.random.Generator, size: int) -> int:
        totals = (
            kernel().exchange_totals(*given, int(random_words(rng, 1)[0]), size).astype(np.float64)
        )
        if len(many):
            totals += drawn @ rng.binomial(count[many, None], 0.5, size=(len(many), size))
        return int(np.count_nonzero(far(np.ascontiguousarray(totals.T))))

    # Of many totals few draws at one time.
    batch = next(size for size, totals in _BATCHES if kinds.shape[0] <= totals)
    return float(p_of_samples(sum(run_batches(number, made, resamples, batch)), resamples)), seed


def _kinds(change: Any) -> tuple[Any, Int64]:
    """What exchanges change, totals x kinds, and units of each: the same whichever system is first
    and unit is listed first.
    """
    change = change.astype(np.float64)
    change.eliminate_zeros()
    # Exchanging one way on x of n units is exchanging the other way on n - x: kinds and their
    # opposites are one.
    size = np.diff(change.indptr)
    units = np.flatnonzero(size)
    change.data *= np.repeat(np.sign(change.data[change.indptr[units]]), size[units])
    # In the order of dense rows, in which nothing is less than something, and more than what is
    # below 0.
    most, rank = np.unique(np.abs(change.data), return_inverse=True)
    place = (change.shape[1] - change.indices).astype(np.int64) * (len(most) + 1) + rank + 1
    label = np.where(change.data > 0, place, -place)
    numbers = alike(label, np.repeat(np.arange(len(size)), size), len(size))[units]
    _, first, count = np.unique(numbers, return_index=True, return_counts=True)
    return change[units[first]].T.tocsr(), count.astype(np.int64)


def _whole(kinds: Any) -> bool:
    return not np.any(kinds.data != np.rint(kinds.data))


def _grid(kinds: Any, count: Int64) -> list[int] | None:
    """How many values each of the totals can take; None where they are no whole numbers, or too
    many.
    """
    reach = [int(most) + 1 for most in (abs(kinds) @ count).tolist()]
    # Of many totals the product is beyond floats.
    few = math.prod(reach) * int(count.sum() + len(count)) <= AFFORDABLE
    return reach if few and _whole(kinds) else None


def _convolved(
    kinds: Int64, count: Int64, reach: list[int], far: Callable[[Float64], Bool]
) -> float:
    """The chance of all that is as far, on the grid of all totals, kind by kind."""
    # The first change of a kind is upwards, so that kinds lead upwards on the grid laid out flat;
    # others may be down.
    down = -(np.minimum(kinds, 0) * count[:, None]).sum(axis=0)
    stride = np.append(np.cumprod(reach[:0:-1])[::-1], 1).astype(np.int64)
    chance = np.zeros(math.prod(reach))
    chance[int(down @ stride)] = 1.0
    for step, times in zip((kinds @ stride).tolist(), count.tolist(), strict=True):
        before, chance = chance, np.zeros(len(chance))
        for some, share in enumerate(chances(times).tolist()):
            chance[some * step :] += share * before[: len(chance) - some * step]
    places = np.flatnonzero(chance)
    totals = np.stack(np.unravel_index(places, reach), axis=1) - down
    return float(chance[places[far(totals.astype(np.float64))]].sum())
