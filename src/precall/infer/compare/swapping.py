"""Two systems' hard decisions on the same items: Yeh's randomization of any measure of counts, and McNemar's test.

If the systems are alike, the two decisions on an item could as well be exchanged (Yeh 2000). The measure sees totals
only, such as the true and false positives of each category. So items (or groups of items) whose exchange changes the totals
alike are one kind, and of each kind a binomial number is exchanged. All exchanges are gone through where kinds are
few, or convolved on a grid of totals; otherwise they are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from precall.counts import Cells, Counts
from precall.declare import Measure
from precall.errors import UsageError
from precall.infer.compare.comparisons import Comparison
from precall.infer.compare.exchange import exchanges
from precall.infer.compare.paired import RESAMPLES
from precall.infer.compare.signflip import LEAST
from precall.infer.interval.interval import checked_level
from precall.infer.libraries import stats
from precall.infer.resample.batches import TOLERANCE, checked, counted, sampled_p
from precall.ragged import Bool, Float64, Int64
from precall.rng import Rng, seeded
from precall.undefined import treated

TESTS = ("randomization", "mcnemar")
#: So many different exchanges are gone through.
ENUMERATED = 2**20
#: Additions that a convolution may cost.
AFFORDABLE = 2 * 10**8
_CELLS = 2**20
_BATCH = 4096
#: Up to so many units of a kind the chances of exchanges are exact: fractions of 2^64 at most.
_EXACT = 64

#: Whole numbers as they were counted, or as drawn.
Totals: TypeAlias = Cells
Valued: TypeAlias = Callable[[Totals], Float64]


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """What an exchange of decisions changes.

    Parameters
    ----------
    totals : (2, columns): what the decisions of either system add up to.
    change : (units, columns): by how much each unit adds more to the first system's totals; units are what is exchanged
        as a whole, and those that change nothing may be left out.
    right : per unit of `change`, how many more of the first system's decisions are right.
    units : in all.
    value : the measure, of totals (columns last).
    """

    totals: Totals
    change: Totals
    right: Int64
    units: int
    value: Valued


def of_tables(
    measure: Measure,
    relevant: Int64,
    items: int,
    average: str | None = None,
    joint: bool = False,
    zero: float = 0.0,
) -> Valued:
    """A measure as a function of totals: of true positives per category, and behind them false ones.

    Parameters
    ----------
    relevant, items : items that belong to each category, and all.
    average : "weighted" by the items of a category, or a plain mean; one category is its own.
    joint : whether it is of the whole table, and no mean.
    zero : what an undefined value counts as.

    Examples
    --------
    >>> from precall.measures import measure
    >>> of_tables(measure("P"), np.array([4, 1]), 10)(np.array([2, 0, 1, 0]))  # (2 / 3 + 0) / 2
    array(0.33333333)
    """
    declared = measure.declaration
    weight = relevant.astype(np.float64) if average == "weighted" else np.ones(len(relevant))

    def value(totals: Totals) -> Float64:
        parts: list[Any] = np.split(totals, 2, axis=-1)
        tp, fp = parts
        counts = Counts(tp, fp, relevant - tp, items - relevant - fp)
        if joint and declared.joint is not None:
            return np.asarray(treated(_joint(declared.joint, counts), "zero", zero=zero))
        values = treated(measure.of_table(counts), "zero", zero=zero)
        return np.asarray(values @ weight / weight.sum() if weight.any() else np.full(tp.shape[:-1], zero))

    return value


def _joint(formula: Callable[[Counts], Any], counts: Counts) -> Float64:
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(formula(counts), np.float64)
        if values.shape != counts.tp.shape[:-1]:
            # A formula that takes one table only.
            values = np.array([formula(counts[row]) for row in range(len(counts.tp))], np.float64)
    return values


def compared(
    given: Exchange, name: str, *, test: str = "randomization", level: float = 0.95, resamples: int = RESAMPLES,
    rng: Rng = 0, names: tuple[str, str] = ("a", "b"), higher_is_better: bool = True, notes: tuple[str, ...] = (),
) -> Comparison:  # fmt: skip
    """Compare two systems' decisions.

    Parameters
    ----------
    given : what an exchange changes, and the measure.
    name : of the measure.
    test : "randomization" (Yeh 2000), or "mcnemar": exact, of single decisions and how many are right.
    level, resamples, rng, names, higher_is_better : see `paired`.
    notes : what is known already.

    Returns
    -------
    Comparison
        Wins and losses are units on which the first made more right decisions, or fewer. p is exact where all
        exchanges can be gone through or convolved, else (c + 1)/(resamples + 1). No interval.

    References
    ----------
    Yeh, "More accurate tests for the statistical significance of result differences", COLING 2000.

    Examples
    --------
    >>> change = np.array([[1, 0]] * 6)
    >>> given = Exchange(np.array([[10, 0], [4, 0]]), change, change[:, 0], 12, lambda totals: totals[..., 0] / 12)
    >>> found = compared(given, "R")
    >>> found.difference, found.p, found.how
    (0.5, 0.03125, 'all 2^6 swaps')
    """
    checked_level(level)
    checked(resamples)
    wins, losses = int((given.right > 0).sum()), int((given.right < 0).sum())
    seed: int | None = None
    if test == "mcnemar":
        if np.any(np.abs(given.right) > 1):
            raise UsageError("test='mcnemar' takes one decision per item; pass test='randomization'")
        tail = 2 * float(stats().binom.cdf(min(wins, losses), wins + losses, 0.5)) if wins + losses else 1.0
        p, how = max(min(1.0, tail), LEAST), f"binomial, {wins} to {losses}"
    else:
        p, how, seed = exchanged(given, rng, resamples)
    first, second = (float(given.value(totals)) for totals in given.totals)
    return Comparison(
        names=names, measure=name, values=(first, second), difference=_difference(first, second), low=None, high=None,
        level=level, p=p, test=test, how=how, size=given.units, wins=wins, ties=given.units - wins - losses, losses=losses,
        statistic=_difference(first, second), higher_is_better=higher_is_better, notes=notes, seed=seed,
    )  # fmt: skip


def _difference(first: float, second: float) -> float:
    return 0.0 if first == second else first - second  # both may be infinite


def exchanged(given: Exchange, rng: Rng, resamples: int) -> tuple[float, str, int | None]:
    """p of no difference, how it was found, and the seed where it was sampled."""
    kinds, count = _kinds(given.change[given.change.any(axis=1)])
    if not len(kinds):
        return 1.0, "no difference", None
    whole = given.totals.sum(axis=0).astype(np.float64)
    # The totals of the first system where it has less of every unit.
    least = (whole - count @ kinds) / 2
    first, second = (float(given.value(totals)) for totals in given.totals)
    observed = abs(_difference(first, second)) - TOLERANCE * max(1.0, min(abs(first), abs(second)))

    def far(more: Float64) -> Bool:
        """Whether values differ as much, of what the first system has beyond the least."""
        with np.errstate(invalid="ignore"):
            one, other = given.value(least + more), given.value(whole - least - more)
            return np.asarray((np.abs(one - other) >= observed) | ((one == other) & (observed <= 0)))

    exact = _enumerated(kinds, count, far)
    exact = _convolved(kinds, count, far) if exact is None else exact
    if exact is not None:
        # Of a thousand units and more the least chances are no float64 any more, and still not 0.
        return max(min(1.0, exact), LEAST), f"all 2^{int(count.sum())} swaps", None
    made, seed = seeded(rng)

    def drawn(part: np.random.Generator, size: int) -> Int64:
        return np.asarray(
            np.count_nonzero(far((kinds.T @ exchanges(count, part, size).astype(np.float64)).T)), np.int64
        )

    reached = counted(drawn, made, resamples, _batch(kinds))
    return float(sampled_p(reached, resamples)), f"{resamples:,} sampled swaps", seed


def _batch(kinds: Float64) -> int:
    return max(1, min(_BATCH, _CELLS // sum(kinds.shape)))


def _kinds(change: Totals) -> tuple[Float64, Int64]:
    """What exchanges change, and how many units each: the same whichever system is first, and however units are listed."""
    if not len(change):
        return np.zeros(change.shape), np.zeros(0, np.int64)
    # Exchanging one way on x of n units is exchanging the other way on n - x: kinds and their opposites are one.
    lead = change[np.arange(len(change)), (change != 0).argmax(axis=1)]
    kinds, count = np.unique(change * np.sign(lead)[:, None], axis=0, return_counts=True)
    return kinds.astype(np.float64), count.astype(np.int64)


def _chances(times: int) -> Float64:
    """Of 0, 1, ... of so many units being exchanged."""
    if times <= _EXACT:
        return np.array([math.comb(times, some) / 2**times for some in range(times + 1)])
    return np.asarray(stats().binom.pmf(np.arange(times + 1), times, 0.5), np.float64)


def _enumerated(kinds: Float64, count: Int64, far: Callable[[Float64], Bool]) -> float | None:
    """The chance of all that is as far, by going through how many of each kind are exchanged; None where that is too much."""
    sizes = (count + 1).tolist()
    number, total = math.prod(sizes), 0.0
    if number > ENUMERATED:
        return None
    chances = [_chances(times) for times in count.tolist()]
    # Exchanging all others instead is as far: the first half says it all, but for one in the middle.
    half, batch = (number + 1) // 2, _batch(kinds)
    for begin in range(0, half, batch):
        places = np.arange(begin, min(begin + batch, half))
        some = np.unravel_index(places, sizes)
        chance = np.where(2 * places == number - 1, 1.0, 2.0)
        for of_kind, exchanged_ in zip(chances, some, strict=True):
            chance *= of_kind[exchanged_]
        total += float(chance[far(np.stack(some, axis=1) @ kinds)].sum())
    return total


def _convolved(kinds: Float64, count: Int64, far: Callable[[Float64], Bool]) -> float | None:
    """The same on a grid of all totals, kind by kind; None where totals are no whole numbers, or too many."""
    steps = kinds.astype(np.int64)
    reach = (np.abs(steps) * count[:, None]).sum(axis=0) + 1
    cells = math.prod(reach.tolist())
    if np.any(steps != kinds) or cells * float(count.sum() + len(kinds)) > AFFORDABLE:
        return None
    # The first change of a kind is upwards, so that kinds lead upwards on the grid laid out flat; others may be down.
    down = -(np.minimum(steps, 0) * count[:, None]).sum(axis=0)
    stride = np.append(np.cumprod(reach[:0:-1])[::-1], 1)
    chance = np.zeros(cells)
    chance[int(down @ stride)] = 1.0
    for step, times in zip((steps @ stride).tolist(), count.tolist(), strict=True):
        before, chance = chance, np.zeros(cells)
        for some, share in enumerate(_chances(times).tolist()):
            chance[some * step :] += share * before[: cells - some * step]
    places = np.flatnonzero(chance)
    totals = np.stack(np.unravel_index(places, reach), axis=1) - down
    return float(chance[places[far(totals.astype(np.float64))]].sum())
