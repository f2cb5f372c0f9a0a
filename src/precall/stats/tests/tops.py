"""Precision and recall at rank k of two scored lists of the same items, and recall at a threshold.

Of the items that only one of the lists has in its top k, half are in the first one's and half in
the second's. The difference depends on the relevant items among them. If an item is as likely to be
relevant in either half, their number is hypergeometric: this is Fisher's exact test, given the
tops. A block of equal scores at the end of a top is partly in it, as the mean over its orders.

One more or one less item moves the cut of each list, so another item enters or leaves the top. The
share of relevant items at the cuts is estimated by that of the items in only one top. At a
threshold nothing moves, and only relevant items count, as pairs of yes and no.
"""

from __future__ import annotations

import math
import re
from typing import Any, TypeAlias

import numpy as np

from precall.core.arguments import check_level, check_whole, choose, is_number
from precall.core.counts import Counts
from precall.core.errors import MeasureError, Mistake, UsageError
from precall.core.methods import NO_DIFFERENCE, Method
from precall.core.ragged import Bool, Float64, Int64, total
from precall.core.rng import Rng, generator_and_seed
from precall.measures.registry import Measure, find, refuse_parameter
from precall.stats import quantiles
from precall.stats.influence import Ranked
from precall.stats.list_influences import NAMES as OF_LISTS_TOO
from precall.stats.list_influences import has_influences, has_one_item
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
from precall.stats.tests.comparisons import Comparison, bounds, notes_on_bounds
from precall.stats.tests.exchange import AFFORDABLE, ENUMERATED
from precall.stats.tests.list_numbers import ListValue
from precall.stats.tests.matched import count_pairs
from precall.stats.tests.paired import PairedOptions, Result
from precall.stats.tests.signflip import LEAST

#: A value of a list, and the influence of each item on it.
Valued: TypeAlias = tuple[float, Float64] | ListValue


#: A measure of two lists that is cut at a rank.
_TOP = re.compile(f"({'|'.join(OF_TOPS)})@([1-9][0-9]{{0,17}})")


def resolve_name(measure: object) -> Any:
    """The name here of a measure that may have a name from elsewhere: precision@10 is P@10.

    Other measures are returned as they are.
    """
    if not isinstance(measure, str | Measure) or _TOP.fullmatch(str(measure)):
        return measure
    try:
        name = find(measure).name
    except MeasureError:
        return measure
    return name if name in (*OF_LISTS, "R") or _TOP.fullmatch(name) else measure


def find_number(measure: object) -> Measure | None:
    """The measure, if two lists are compared by its values; None for areas, AP, and P@k and R@k,
    which have tests of their own.
    """
    if not isinstance(measure, str | Measure) or resolve_name(measure) in OF_LISTS:
        return None
    if _TOP.fullmatch(str(resolve_name(measure))):
        return None
    try:
        found = find(measure)
    except MeasureError:
        return None
    return found if has_influences(found) or has_one_item(found) else None


def parse_measure(measure: object) -> tuple[str, int | None]:
    """The name of a measure of two lists and its cutoff, if it has one."""
    match = _TOP.fullmatch(str(measure))
    if match is not None:
        return match[1], int(match[2])
    if not isinstance(measure, str) or measure not in OF_LISTS:
        refuse_parameter(measure)
        names = [*OF_LISTS, "Gini", *(f"{name}@k" for name in OF_TOPS), *OF_LISTS_TOO]
        remedy = (
            "⟨or R with threshold=¦R at a threshold is of Python, compare.cases(..., threshold=)⟩"
        )
        if is_of_counts(measure):
            remedy = (
                f"{measure} is of decisions: accept the cases of each score at a "
                "threshold, and compare these with ⟨compare.decisions¦--truth⟩"
            )
        raise UsageError(argument="measure", got=measure, allowed=names, remedy=remedy)
    return measure, None


def is_gini(measure: object) -> bool:
    """Whether a measure is Gini's coefficient, 2 AUC - 1."""
    found = _known(measure)
    # A list knows its population.
    return found is not None and found.name == "Gini"


def is_of_counts(measure: object) -> bool:
    """Whether a measure has a value at each threshold, and none of the whole list."""
    found = _known(measure)
    return found is not None and found.declaration.of is Counts and found.name not in OF_TOPS


def _known(measure: object) -> Measure | None:
    try:
        return find(measure)  # type: ignore[arg-type]
    except MeasureError:
        return None


def shares(ranking: Ranked, cutoff: int) -> Float64:
    """The share of each item in the first ranks: 1, 0, or the share of its block at the cut."""
    return _shares_of_blocks(ranking, cutoff)[ranking.block]


def _shares_of_blocks(ranking: Ranked, cutoff: int) -> Float64:
    """The share of each block in the first ranks."""
    size = np.asarray(ranking.counts.positive + ranking.counts.negative, np.float64)
    before = np.cumsum(size) - size
    return np.asarray(np.clip((cutoff - before) / size, 0.0, 1.0))


def values(
    relevant: Bool, rankings: tuple[Ranked, Ranked], name: str, cutoff: int, missed: float = 0
) -> list[Valued]:
    """The value of either list, and the contribution of each item; their differences are influences
    on the difference.
    """
    block_shares = [_shares_of_blocks(ranking, cutoff) for ranking in rankings]
    item_shares = [
        of_blocks[ranking.block] for of_blocks, ranking in zip(block_shares, rankings, strict=True)
    ]
    over = float(cutoff if name == "P" else relevant.sum() + missed)
    rate = _rate(relevant, item_shares[0] - item_shares[1])
    result: list[Valued] = []
    for ranking, of_blocks, item_share in zip(rankings, block_shares, item_shares, strict=True):
        # Added block by block as for a curve, so that the digits agree.
        value = total(ranking.counts.positive * of_blocks) / over
        of_items = item_share * (relevant - rate)
        result.append((value, (of_items if name == "P" else of_items - value * relevant) / over))
    return result


def _rate(relevant: Bool, difference: Float64) -> float:
    """The share of relevant items among those in only one top; for few items it is shrunk towards
    1/2.
    """
    squares = difference**2
    return float((squares[relevant].sum() + 1) / (squares.sum() + 2))


def variance(
    relevant: Bool, difference: Float64, name: str, cutoff: int, gain: float, missed: float = 0
) -> float:
    """Variance of the difference `gain` of two values.

    `difference` has each item's share in the first top minus that in the second. One item of either
    class is added for unseen items.
    """
    rate, squares = _rate(relevant, difference), float((difference**2).sum())
    spread = (squares + 2) * rate * (1 - rate)
    if name == "P":
        return spread / cutoff**2
    # The number of relevant items is also random.
    hits = float(relevant.sum() + missed)
    return max(spread / hits**2 + gain**2 * (1 - 2 * (1 - rate)) / hits, 0.0)


def fisher(relevant: Bool, difference: Float64, rng: Rng, resamples: int) -> Result:
    """Two-sided p for random labels of the items that are more in one top than in the other."""
    differs = np.abs(difference) > TOLERANCE
    if not differs.any():
        return Result(1.0, NO_DIFFERENCE)
    size, kind = np.unique(np.round(difference[differs], 12), return_inverse=True)
    count = np.bincount(kind)
    hits = np.bincount(kind[relevant[differs]], minlength=len(size))
    least = abs(float(hits @ size)) - TOLERANCE * float(np.abs(difference).sum())
    # The largest kind gets the hits that the others do not have.
    last = int(np.argmax(count))
    others = np.delete(np.arange(len(size)), last)
    ways = math.prod((np.minimum(count[others], hits.sum()) + 1).tolist())
    method = Method("hypergeometric", exact=True, counts=(int(hits.sum()), len(kind)))
    if ways <= 2**ENUMERATED and ways * len(size) <= AFFORDABLE:
        return Result(_enumerate_hits(size, count, int(hits.sum()), others, last, least), method)
    source, seed = generator_and_seed(rng)
    sums = (
        source.multivariate_hypergeometric(count, int(hits.sum()), resamples, method="marginals")
        @ size
    )
    p = float(p_of_samples(int(np.count_nonzero(np.abs(sums) >= least)), resamples))
    method = Method("sampled", drawn=f"labels of {len(kind)} items", resamples=resamples, seed=seed)
    return Result(p, method, seed=seed)


def _enumerate_hits(
    size: Float64, count: Int64, hits: int, others: Int64, last: int, least: float
) -> float:
    """The probability of sums as far from 0 as observed, over all numbers of hits of each kind."""
    grid = [np.arange(min(int(most), hits) + 1) for most in count[others]]
    numbers = (
        np.stack([axis.ravel() for axis in np.meshgrid(*grid, indexing="ij")])
        if grid
        else np.zeros((0, 1), int)
    )
    last_number = hits - numbers.sum(axis=0)
    is_possible = (last_number >= 0) & (last_number <= count[last])
    numbers, last_number = numbers[:, is_possible], last_number[is_possible]
    log = _log_choose(count[last], last_number) - _log_choose(int(count.sum()), hits)
    for row, most in zip(numbers, count[others], strict=True):
        log = log + _log_choose(most, row)
    total = size[others] @ numbers + size[last] * last_number
    chance = np.exp(log)
    return min(max(float(chance[np.abs(total) >= least].sum() / chance.sum()), LEAST), 1.0)


def _log_choose(n: Any, k: Any) -> Any:
    gammaln = special().gammaln
    return gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)


def agresti_min(first: int, second: int, size: int, level: float) -> tuple[float, float]:
    """Agresti & Min's (2005) interval of a difference of paired proportions, which adds half a pair
    of each kind.

    Of `size` pairs, `first` have yes only in the first, `second` only in the second.
    """
    total = size + 2
    centre = (first - second) / total
    half = (
        quantiles.z(level)
        * math.sqrt(max(first + second + 1 - (first - second) ** 2 / total, 0.0))
        / total
    )
    return max(centre - half, -1.0), min(centre + half, 1.0)


def accept(
    columns: list[Any], threshold: object, higher_is_better: bool
) -> tuple[tuple[Bool, Bool], str]:
    """The accepted items of two columns of scores, and the name of recall at their thresholds.

    High scores must be good: the sign of low ones was changed before.
    """
    pair = tuple(threshold) if isinstance(threshold, list | tuple) else (threshold, threshold)
    if len(pair) != 2 or not all(is_number(cut) and cut == cut for cut in pair):
        raise UsageError(
            argument="threshold", allowed="a number, or one for each system", got=threshold
        )
    sign = "" if higher_is_better else "<= "
    thresholds_text = " and ".join(f"{sign}{cut:g}" for cut in dict.fromkeys(pair))
    first, second = (
        np.asarray(column >= (cut if higher_is_better else -cut))
        for column, cut in zip(columns, pair, strict=True)
    )
    return (first, second), f"R at threshold {thresholds_text}"


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
    level = check_level(level)
    resamples = check_whole("resamples", resamples, 1)
    hits = int(relevant.sum()) + missed
    if hits == missed:
        raise Mistake("no item is relevant, so recall is undefined", "check the labels").error(
            "relevant"
        )
    first, second = (side[relevant] for side in accepted)
    values = float(first.sum()) / hits, float(second.sum()) / hits
    # Neither system accepts a missed item.
    pairs = np.append(first.astype(np.float64) - second, np.zeros(missed))
    if groups is not None:
        pairs = np.asarray(
            np.bincount(np.unique(groups[relevant], return_inverse=True)[1], pairs), np.float64
        )
    # Single items have Agresti and Min's interval, which is for shares.
    choices = PairedOptions(level=level, resamples=resamples, rng=rng, bounded=groups is not None)
    # Exchanging decisions is the same as choosing signs.
    kind = "randomization" if test == "permutation" else test
    result = count_pairs(paired.TESTS[kind](np.sort(pairs), choices), len(pairs))
    low, high = agresti_min(int((first & ~second).sum()), int((second & ~first).sum()), hits, level)
    interval = "Agresti-Min"
    if groups is not None:
        ordered = np.sort(pairs)
        edges, interval = result.edges or paired.t_interval(ordered, level), DECLARED[kind].interval
        # From the mean per group to the share of all items; shares differ by 1 at most.
        low, high = (max(-1.0, min(1.0, end * len(pairs) / hits)) for end in edges)
        low, high = (
            (low, high)
            if not paired.why_no_interval(ordered, paired.deviation(ordered))
            else (math.nan, math.nan)
        )
    ends = bounds(low, high)
    notes = () if groups is not None or test == "t" else notes_on_bounds(ends, result.p, level)
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
        notes=notes,
    )
