"""Precision and recall at rank k of two scored lists of the same items, and recall at a threshold.

Of the items that only one of the lists has in its top k, half are in the first one's and half in
the second's: the difference is that of the relevant ones among them. If an item is as likely to be
relevant in either half, their number is hypergeometric: Fisher's exact test, given the tops. A
block of equal scores at the end of a top is in it in part, as the mean over its orders.

An item more or less moves the cut of each list, which lets another one in or out; as the share of
relevant ones at the cuts that of the items in one top only is taken. At a threshold nothing moves,
and only relevant items count: pairs of yes and no.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from precall.core.arguments import check_level, check_whole, choose, is_number
from precall.core.errors import DataError, MeasureError, Problem, UsageError
from precall.core.methods import NO_DIFFERENCE, Method
from precall.core.ragged import Bool, Float64, Int64, total
from precall.core.rng import Rng, seeded
from precall.measures.registry import find
from precall.stats import quantiles
from precall.stats.influence import Ranked
from precall.stats.resample.batches import TOLERANCE, p_of_samples
from precall.stats.scipy import special
from precall.stats.tests import (
    DECLARED,
    ELSEWHERE,
    INSTEAD,
    OF_LISTS,
    OF_THRESHOLD,
    OF_TOPS,
    paired,
)
from precall.stats.tests.comparisons import Comparison, bounds
from precall.stats.tests.exchange import AFFORDABLE, ENUMERATED
from precall.stats.tests.matched import count_pairs
from precall.stats.tests.paired import Choices, Result
from precall.stats.tests.signflip import LEAST

#: A value of either list, and what each item has to do with it.
Valued = tuple[float, Float64]


#: A measure of two lists that is cut at a rank.
_TOP = re.compile(f"({'|'.join(OF_TOPS)})@([1-9][0-9]{{0,17}})")


def meant(measure: Any) -> Any:
    """The name of the measure that is meant, be it called as elsewhere: precision@10 is P@10;
    others as they are.
    """
    if not isinstance(measure, str) or _TOP.fullmatch(measure):
        return measure
    try:
        name = find(measure).name
    except MeasureError:
        return measure
    return name if name in (*OF_LISTS, "R") or _TOP.fullmatch(name) else measure


def parsed(measure: Any) -> tuple[str, int | None]:
    """The name of a measure of two lists and its cutoff, if it has one."""
    parts = _TOP.fullmatch(str(measure))
    if parts is not None:
        return parts[1], int(parts[2])
    if not isinstance(measure, str) or measure not in OF_LISTS:
        names = [*OF_LISTS, *(f"{name}@k" for name in OF_TOPS), "R with threshold="]
        raise UsageError(argument="measure", got=measure, allowed=names)
    return measure, None


def shares(place: Ranked, cutoff: int) -> Float64:
    """Of each item how much of it is in the first ranks: all, nothing, or its part of a block at
    the cut.
    """
    return _of_blocks(place, cutoff)[place.block]


def _of_blocks(place: Ranked, cutoff: int) -> Float64:
    """The same of each block."""
    size = np.asarray(place.counts.positive + place.counts.negative, np.float64)
    before = np.cumsum(size) - size
    return np.asarray(np.clip((cutoff - before) / size, 0.0, 1.0))


def values(
    relevant: Bool, places: tuple[Ranked, Ranked], name: str, cutoff: int, missed: float = 0
) -> list[Valued]:
    """For either list its value, and what each item has to do with it: of the difference these are
    influences.
    """
    held = [_of_blocks(place, cutoff) for place in places]
    parts = [of_blocks[place.block] for of_blocks, place in zip(held, places, strict=True)]
    over = float(cutoff if name == "P" else relevant.sum() + missed)
    rate = _rate(relevant, parts[0] - parts[1])
    result = []
    for place, of_blocks, part in zip(places, held, parts, strict=True):
        # Block by block, as a curve adds them.
        value = total(place.counts.positive * of_blocks) / over
        of_items = part * (relevant - rate)
        result.append((value, (of_items if name == "P" else of_items - value * relevant) / over))
    return result


def _rate(relevant: Bool, difference: Float64) -> float:
    """The share of relevant items among those that are in one top only; of few, nearer to one
    half.
    """
    squares = difference**2
    return float((squares[relevant].sum() + 1) / (squares.sum() + 2))


def variance(
    relevant: Bool, difference: Float64, name: str, cutoff: int, gain: float, missed: float = 0
) -> float:
    """Of the difference `gain` of two values, `difference` being what each item is more in the
    first top; an item more of either class for what was not seen."""
    rate, squares = _rate(relevant, difference), float((difference**2).sum())
    spread = (squares + 2) * rate * (1 - rate)
    if name == "P":
        return spread / cutoff**2
    # The number of relevant items is one of chance, too.
    hits = float(relevant.sum() + missed)
    return max(spread / hits**2 + gain**2 * (1 - 2 * (1 - rate)) / hits, 0.0)


def fisher(relevant: Bool, difference: Float64, rng: Rng, resamples: int) -> Result:
    """p of labels laid out at random over the items that are in one top more than in the other,
    two-sided.
    """
    moved = np.abs(difference) > TOLERANCE
    if not moved.any():
        return Result(1.0, NO_DIFFERENCE)
    size, kind = np.unique(np.round(difference[moved], 12), return_inverse=True)
    count = np.bincount(kind)
    hits = np.bincount(kind[relevant[moved]], minlength=len(size))
    least = abs(float(hits @ size)) - TOLERANCE * float(np.abs(difference).sum())
    # The largest kind takes what the others leave.
    last = int(np.argmax(count))
    others = np.delete(np.arange(len(size)), last)
    ways = math.prod((np.minimum(count[others], hits.sum()) + 1).tolist())
    method = Method("hypergeometric", exact=True, counts=(int(hits.sum()), len(kind)))
    if ways <= 2**ENUMERATED and ways * len(size) <= AFFORDABLE:
        return Result(_enumerated(size, count, int(hits.sum()), others, last, least), method)
    source, seed = seeded(rng)
    drawn = (
        source.multivariate_hypergeometric(count, int(hits.sum()), resamples, method="marginals")
        @ size
    )
    p = float(p_of_samples(int(np.count_nonzero(np.abs(drawn) >= least)), resamples))
    method = Method("sampled", drawn=f"labels of {len(kind)} items", resamples=resamples, seed=seed)
    return Result(p, method, seed=seed)


def _enumerated(
    size: Float64, count: Int64, hits: int, others: Int64, last: int, least: float
) -> float:
    """The chance of sums as far from 0, over all numbers of hits of each kind."""
    grid = [np.arange(min(int(most), hits) + 1) for most in count[others]]
    numbers = (
        np.stack([part.ravel() for part in np.meshgrid(*grid, indexing="ij")])
        if grid
        else np.zeros((0, 1), int)
    )
    left = hits - numbers.sum(axis=0)
    possible = (left >= 0) & (left <= count[last])
    numbers, left = numbers[:, possible], left[possible]
    log = _log_choose(count[last], left) - _log_choose(int(count.sum()), hits)
    for row, most in zip(numbers, count[others], strict=True):
        log = log + _log_choose(most, row)
    total = size[others] @ numbers + size[last] * left
    chance = np.exp(log)
    return min(max(float(chance[np.abs(total) >= least].sum() / chance.sum()), LEAST), 1.0)


def _log_choose(n: Any, k: Any) -> Any:
    gammaln = special().gammaln
    return gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)


def of_pairs(first: int, second: int, size: int, level: float) -> tuple[float, float]:
    """Agresti & Min's (2005) interval of a difference of paired proportions: half a pair of each
    kind is added.

    `first` of `size` pairs have yes in the first only, `second` in the second only.
    """
    whole = size + 2
    centre = (first - second) / whole
    half = (
        quantiles.z(level)
        * math.sqrt(max(first + second + 1 - (first - second) ** 2 / whole, 0.0))
        / whole
    )
    return max(centre - half, -1.0), min(centre + half, 1.0)


def accepted(
    columns: list[Any], threshold: Any, higher_is_better: bool
) -> tuple[tuple[Bool, Bool], str]:
    """What is accepted of two columns of scores, turned so that high ones are good, and what recall
    of it is called.
    """
    pair = tuple(threshold) if isinstance(threshold, list | tuple) else (threshold, threshold)
    if len(pair) != 2 or not all(is_number(cut) and cut == cut for cut in pair):
        raise UsageError(
            argument="threshold", allowed="a number, or one of each system", got=threshold
        )
    sign = "" if higher_is_better else "<= "
    named = " and ".join(f"{sign}{cut:g}" for cut in dict.fromkeys(pair))
    first, second = (
        np.asarray(column >= (cut if higher_is_better else -cut))
        for column, cut in zip(columns, pair, strict=True)
    )
    return (first, second), f"R at threshold {named}"


def at_threshold(
    relevant: Bool,
    accepted: tuple[Bool, Bool],
    groups: Int64 | None,
    *,
    label: str,
    test: str | None,
    level: float,
    resamples: int,
    rng: Rng,
    names: tuple[str, str],
    missed: int = 0,
) -> Comparison:
    """Compare the recall of what two thresholds accept; see `precall.compare.cases`."""
    test = choose(f"test of {label}", test or OF_THRESHOLD[0], OF_THRESHOLD, ELSEWHERE, INSTEAD)
    check_level(level)
    check_whole("resamples", resamples, 1)
    hits = int(relevant.sum()) + missed
    if hits == missed:
        raise DataError(
            [
                Problem(
                    "relevant",
                    None,
                    "no item is relevant, so recall is undefined",
                    "check the labels",
                )
            ]
        )
    first, second = (side[relevant] for side in accepted)
    values = float(first.sum()) / hits, float(second.sum()) / hits
    # Of a missed item neither accepts.
    pairs = np.append(first.astype(np.float64) - second, np.zeros(missed))
    if groups is not None:
        pairs = np.asarray(
            np.bincount(np.unique(groups[relevant], return_inverse=True)[1], pairs), np.float64
        )
    # Of single items Agresti and Min's interval is made for shares.
    choices = Choices(level=level, resamples=resamples, rng=rng, bounded=groups is not None)
    # All exchanges of decisions are all choices of signs.
    kind = "randomization" if test == "permutation" else test
    result = count_pairs(paired.TESTS[kind](np.sort(pairs), choices), len(pairs))
    low, high = of_pairs(int((first & ~second).sum()), int((second & ~first).sum()), hits, level)
    interval = "Agresti-Min"
    if groups is not None:
        each = np.sort(pairs)
        edges, interval = result.edges or paired.t_interval(each, level), DECLARED[kind].interval
        # From the mean of a group to the share of all items, which differ by 1 at most.
        low, high = (max(-1.0, min(1.0, end * len(pairs) / hits)) for end in edges)
        low, high = (
            (low, high) if not paired.alike(each, paired.deviation(each)) else (math.nan, math.nan)
        )
    ends = bounds(low, high)
    wins, losses = int((pairs > 0).sum()), int((pairs < 0).sum())
    return Comparison(
        names=names,
        measure=label,
        values=values,
        difference=values[0] - values[1],
        low=ends[0],
        high=ends[1],
        level=level,
        p=result.p,
        test=test,
        method=result.method,
        size=len(pairs),
        wins=wins,
        mirror=paired.mirror_of(result, ()),
        ties=len(pairs) - wins - losses,
        losses=losses,
        statistic=result.statistic,
        seed=result.seed,
        no_interval="" if ends[0] is not None else "all groups differ alike",
        interval=interval,
    )
