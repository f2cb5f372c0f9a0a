"""Two scored lists of the same items by any number of a list, such as break-even or BEDROC: values,
influences of items, and the test that exchanges ranks.

Both lists of every draw are measured by the measure itself, many lists at once. That takes longer
than the exchanges for average precision and areas, which only count (`exchange`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from precall.core.counts import Paths, Ranks
from precall.core.methods import NO_DIFFERENCE, Method
from precall.core.ragged import Bool, Float64, Int64
from precall.core.rng import Rng, generator_and_seed
from precall.location.hits import along
from precall.measures import Measure
from precall.native import kernel, thread_count
from precall.stats import influence
from precall.stats.blocks import Blocks, Cases, inner
from precall.stats.influence import Influence, Ranked, rank_items, spread_over_items
from precall.stats.intervals import list_numbers
from precall.stats.intervals.at_levels import bounds_of_place
from precall.stats.intervals.mover import Bounds
from precall.stats.list_influences import Influences, has_one_item, influences_of
from precall.stats.resample.batches import TOLERANCE, p_of_samples

#: Exchanges of more items than this, in all lists, are no default: they take seconds.
LARGE = 5_000
#: All exchanges are enumerated if they rank at most this number of items in all.
_AFFORDABLE = 2**22
#: Number of items of the lists that are ranked at a time.
_ITEMS = 2**20
#: How a draw of exchanges is called in the method of p.
_EXCHANGES = "exchanges of ranks"


class ListValue(NamedTuple):
    """The value of a list, and the influences of its items, of a missed one, and of the whole."""

    value: float
    each: Float64
    missed: float = math.nan
    found: Influences | None = None


def number_of(
    relevant: Bool, side: Ranked, measure: Measure, weight: Float64 | None, group: Int64 | None
) -> ListValue:
    """The value of one of two lists, and the influence of each item on it; NaN for a measure of
    which one item decides.
    """
    cases = Cases(side.block, relevant, np.ones(len(relevant)) if weight is None else weight, group)
    # With the cases at hand, no block is divided: the items keep their blocks.
    blocks = replace(side.counts, cases=cases)
    value = value_of(measure, blocks)
    if has_one_item(measure) or value != value:
        return ListValue(value, np.full(len(relevant), np.nan))
    found = influences_of(blocks, measure, value)
    parts: Influence = found.influence
    each = spread_over_items(relevant, side.block, parts.positive, parts.negative)
    return ListValue(value, each, parts.missed, found)


def value_of(measure: Measure, blocks: Blocks) -> float:
    """A measure of blocks; one that needs an order is its mean over the orders inside blocks."""
    tp, fp = (np.append(0, column.cumsum()) for column in (blocks.positive, blocks.negative))
    value = measure.of_path(Ranks(tp, fp, blocks.missed, fp[-1].item()))
    if value is not None:
        return value
    tp, fp = tp.astype(np.int64), fp.astype(np.int64)
    return float(measure(along(tp, fp, None, int(blocks.missed), "expected"))[0])


def variance_of(first: ListValue, second: ListValue, weight: Float64, missed: float) -> float:
    """Variance of the difference of two numbers of single items."""
    if first.found is None or second.found is None:
        return math.nan
    each = (first.each - second.each) * weight
    squares = inner(each, each) + missed * (first.missed - second.missed) ** 2
    least = max(min(first.found.blocks.sizes()), 1 + 1e-9)
    return squares * least / (least - 1) + first.found.unseen + second.found.unseen


def freedom_of(first: ListValue, second: ListValue) -> float:
    """Degrees of freedom of the variance of a difference: those of the number that has fewer."""
    if first.found is None or second.found is None:
        return math.inf
    return min(list_numbers.freedom(first.found), list_numbers.freedom(second.found))


def bounds_of(number: ListValue, measure: Measure, level: float) -> tuple[float, float]:
    """The bounds of a number of one list."""
    assert number.found is not None
    variance = influence.variance(number.found.blocks, number.found.influence, stratified=False)
    error = math.sqrt(max(variance, 0.0) + number.found.unseen)
    low, high = list_numbers.bounds_of(number.found, measure, number.value, error, level)
    return min(low, number.value), max(high, number.value)


def bounds_of_place_of(number: ListValue, measure: Measure, level: float) -> Bounds:
    """The bounds of a number at a rank or at a recall, at any share of the quantile."""
    found = number.found
    assert found is not None
    return bounds_of_place(found, measure, number.value, list_numbers.freedom(found), level)


class ListPair(NamedTuple):
    """Items with the ranks that both lists give them, in an order that does not depend on the
    input; items of one unit are exchanged together.
    """

    relevant: Bool
    first: Int64
    second: Int64
    unit: Int64
    weight: Float64 | None
    missed: int | float

    @classmethod
    def of(
        cls,
        relevant: Bool,
        blocks: tuple[Int64, Int64],
        codes: Any,
        group: Int64 | None,
        weight: Float64 | None,
        missed: int | float,
    ) -> ListPair:
        """The pair of lists; `codes` are those of the units, items or groups."""
        # Equal ranks of both lists must be equal numbers, whatever their ties: twice the midranks.
        ranks = [_midranks(block) for block in blocks]
        unit = np.arange(len(relevant)) if group is None else group
        place = np.empty(len(codes), np.int64)
        place[np.argsort(codes, kind="stable")] = np.arange(len(codes))
        keys = (np.zeros(0) if weight is None else weight, *ranks, relevant)
        order = np.lexsort((*keys[weight is None :], place[unit]))
        moved = np.zeros(len(codes), np.bool_)
        moved[unit[ranks[0] != ranks[1]]] = True
        # Units that both lists rank alike need no coin.
        coin = np.where(moved, np.cumsum(moved[np.argsort(place)])[place] - 1, -1)
        heavy = None if weight is None else weight[order]
        first, second = (rank[order] for rank in ranks)
        return cls(relevant[order], first, second, coin[unit][order], heavy, missed)

    @property
    def units(self) -> int:
        """The number of units that can be exchanged."""
        return int(self.unit.max(initial=-1)) + 1

    def differences(self, measure: Measure, swap: Bool) -> Float64:
        """The first list's value minus the second's for each draw (rows) of exchanged units."""
        none = np.zeros((len(swap), 1), np.bool_)
        swapped = np.concatenate((swap, none), axis=1)[:, self.unit]
        first = np.where(swapped, self.second, self.first)
        second = np.where(swapped, self.first, self.second)
        return self._values(measure, first) - self._values(measure, second)

    def _values(self, measure: Measure, ranks: Int64) -> Float64:
        """The values of lists (rows) of the same items."""
        count, items = ranks.shape
        score = -ranks.astype(np.float64)
        if self.weight is not None:
            lists = (rank_items(self.relevant, row, self.weight, self.missed) for row in score)
            return np.array([value_of(measure, each.counts) for each in lists])
        start = np.arange(count + 1) * items
        relevant = np.tile(self.relevant, count)
        _, tp, fp, first, _ = kernel().path_each(relevant, score.ravel(), start, thread_count())
        missed = np.full(count, int(self.missed))
        values = measure.of_paths(Paths(tp, fp, first, missed))
        if values is not None:
            return np.asarray(values, np.float64)
        tp, fp = (np.asarray(counts, np.int64) for counts in (tp, fp))
        return np.asarray(measure(along(tp, fp, first, missed, "expected")), np.float64)


def _midranks(block: Int64) -> Int64:
    """Twice the midrank of each item."""
    size = np.bincount(block)
    return np.asarray((2 * np.cumsum(size) - size + 1)[block], np.int64)


def p_of_exchanges(
    pairs: Sequence[ListPair], measure: Measure, difference: float, rng: Rng, resamples: int
) -> tuple[float, Method]:
    """p of the mean difference of pairs of lists if the ranks of each unit are exchanged at random,
    and how it was found.
    """
    units = [pair.units for pair in pairs]
    total, items = sum(units), sum(len(pair.relevant) for pair in pairs)
    if not total:
        return 1.0, NO_DIFFERENCE
    least = abs(difference) - TOLERANCE * max(1.0, abs(difference))

    def count_far(draws: Iterator[Bool]) -> tuple[int, int]:
        far = number = 0
        for swap in draws:
            ends = np.cumsum([0, *units])
            sums = sum(
                pair.differences(measure, swap[:, begin:end])
                for pair, begin, end in zip(pairs, ends[:-1], ends[1:], strict=True)
            )
            far += int(np.count_nonzero(np.abs(sums) / len(pairs) >= least))
            number += len(swap)
        return far, number

    size = max(1, _ITEMS // max(items, 1))
    if total < 40 and 2 ** (total - 1) * items <= _AFFORDABLE:
        # Exchanging all other units instead gives a difference as great, so half suffices.
        far, number = count_far(_all_draws(total, size))
        method = Method("enumerated", exact=True, drawn=_EXCHANGES, units=total)
        return far / number, method
    generator, seed = generator_and_seed(rng)

    def draw() -> Iterator[Bool]:
        for begin in range(0, resamples, size):
            count = min(size, resamples - begin)
            yield generator.integers(0, 2, (count, total), np.int8).astype(np.bool_)

    far, number = count_far(draw())
    method = Method("sampled", drawn=_EXCHANGES, resamples=resamples, seed=seed)
    return float(p_of_samples(far, number)), method


def _all_draws(units: int, size: int) -> Iterator[Bool]:
    """All exchanges of units, the last of which stays, in batches."""
    number = 2 ** (units - 1)
    for begin in range(0, number, size):
        rows = np.arange(begin, min(begin + size, number))
        yield (rows[:, None] >> np.arange(units) & 1).astype(np.bool_)
