"""Exchanges of ranks: for each item a coin decides whether its ranks in the two lists are swapped.

AP and area under ROC only need the numbers of items and of relevant items at each rank of a
relevant item and between two such ranks. So items of the same kind and with the same two positions
are one row, and a binomial number of them is exchanged: few relevant items among a million make few
rows. Items with sampling weights share a row only if they also have the same weight. Exchanges of
decisions (`swapping`) use this module as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.core.methods import NO_DIFFERENCE, Method
from precall.core.ragged import Bool, Float64, Int64
from precall.core.rng import Rng, generator_and_seed
from precall.native import kernel
from precall.native.twin_exchanging import fill_slots
from precall.stats.resample.batches import (
    TOLERANCE,
    Streams,
    p_of_samples,
    random_words,
    run_groups,
)
from precall.stats.scipy import stats
from precall.stats.tests import MOST_EXCHANGES

#: All exchanges of up to this many items or groups are enumerated ...
ENUMERATED = MOST_EXCHANGES
#: ... if that takes at most this many counts.
AFFORDABLE = 2**27
#: Number of cells in a batch, few enough to stay in the processor's caches.
_CELLS = 2**18
#: At least this many draws are counted at once; small batches are counted together.
_SIDE_BY_SIDE = 24
#: Up to this many exchanges of a kind are counted in the bits of a random byte.
_OF_BYTE = 8
#: Larger numbers are counted in the bits of up to this many words of 64 bits.
_MOST_WORDS = 10
#: With up to this many units of a kind, the probabilities of exchanges are exact fractions.
_EXACT = 64

_EXCHANGES = "exchanges of ranks"
#: Numbers of items; 32 bits suffice, and there are many of them.
Drawn: TypeAlias = npt.NDArray[np.int32]
#: Function of the numbers of each kind that are exchanged (kinds x draws): whether the difference
#: is as great as observed.
Far: TypeAlias = Callable[[Drawn], Bool]


def chances(times: int) -> Float64:
    """Probabilities that 0, 1, ... of `times` units are exchanged."""
    if times <= _EXACT:
        return np.array([math.comb(times, exchanged) / 2**times for exchanged in range(times + 1)])
    return np.asarray(stats().binom.pmf(np.arange(times + 1), times, 0.5), np.float64)


def enumerate_exchanges(count: Int64, is_as_far: Far, rows: int) -> float:
    """The probability of a difference as great as observed, by enumerating the numbers of each kind
    that are exchanged; `rows` is the cost of one.
    """
    sizes = (count + 1).tolist()
    of_kinds, number, total = list(map(chances, count.tolist())), math.prod(sizes), 0.0
    # Exchanging all other units instead gives a difference as great, so the first half suffices; a
    # number in the middle counts once.
    half, batch = (number + 1) // 2, max(1, _CELLS // rows)
    for begin in range(0, half, batch):
        indices = np.arange(begin, min(begin + batch, half))
        exchanged = np.unravel_index(indices, sizes)
        chance = np.where(2 * indices == number - 1, 1.0, 2.0)
        for of_kind, times in zip(of_kinds, exchanged, strict=True):
            chance *= of_kind[times]
        total += float(chance[is_as_far(np.array(exchanged, np.int32))].sum())
    return total


def sample_exchanges(
    count: Int64, are_as_far: Far, rows: int, rng: Rng, resamples: int
) -> tuple[float, int]:
    """The same probability from exchanges drawn at random, and the seed."""
    generator, seed = generator_and_seed(rng)
    batch, coins = max(1, _CELLS // rows), Coins.of(count)

    def count_far(streams: Streams) -> int:
        return int(
            np.count_nonzero(are_as_far(_side_by_side([coins.draw(*stream) for stream in streams])))
        )

    # The kernel counts eight draws as fast as one. Between `least` and twice as many batches, take
    # the number that wastes the least.
    least = -(-_SIDE_BY_SIDE // batch)
    together = min(range(least, 2 * least + 1), key=lambda some: -(some * batch) % 8 / some)
    number = sum(run_groups(count_far, generator, resamples, batch, together))
    return float(p_of_samples(number, resamples)), seed


def _side_by_side(batches: list[Drawn]) -> Drawn:
    """The batches as one array, side by side.

    If all have the same size, each of their rows is copied as one cell, which is much faster than
    number by number.
    """
    size = [batch.shape[1] for batch in batches]
    if len(batches) == 1 or len(set(size)) > 1:
        return np.concatenate(batches, axis=1)
    joined = np.empty((len(batches[0]), sum(size)), np.int32)
    cells = joined.view(f"V{4 * size[0]}")
    for i, batch in enumerate(batches):
        cells[:, i] = batch.view(cells.dtype)[:, 0]
    return joined


class Coins(NamedTuple):
    """Kinds by their number of units: single units, few (counted in bytes), more (counted in words
    of bits), and many.

    `units` is the number of units of each kind, `used` the bits of a byte that count for each kind
    of `few`; `words` has, for each number of words, the kinds and the surplus bits of their last
    word.
    """

    units: Int64
    single: Any
    few: Any
    used: npt.NDArray[np.uint8]
    words: list[tuple[int, Int64, npt.NDArray[np.uint64]]]
    many: Int64

    @classmethod
    def of(cls, count: Int64) -> Coins:
        """The coins for kinds with these numbers of units."""
        single, few = np.flatnonzero(count == 1), np.flatnonzero((count > 1) & (count <= _OF_BYTE))
        length = np.where(count <= _OF_BYTE, 0, -(-count // 64))
        words = []
        for number in np.unique(length[(length > 0) & (length <= _MOST_WORDS)]).tolist():
            kinds = np.flatnonzero(length == number)
            words.append((number, kinds, (64 * number - count[kinds]).astype(np.uint64)))
        used = ((1 << count[few]) - 1).astype(np.uint8)
        many = np.flatnonzero(length > _MOST_WORDS)
        return cls(count, _as_slice(single), _as_slice(few), used, words, many)

    def draw(self, rng: np.random.Generator, size: int) -> Drawn:
        """Random numbers of exchanged units of each kind (kinds x draws)."""
        # Random bits are counted, which is faster than drawing binomial numbers.
        numbers = np.empty((len(self.units), size), np.int32)
        number = int(np.count_nonzero(self.units == 1))
        bits = np.unpackbits(_bytes(rng, -(-number * size // 8)), count=number * size)
        numbers[self.single] = bits.reshape(number, size)
        if len(self.used):
            # Repeated masks are much faster than ones that NumPy spreads over short rows.
            byte = _bytes(rng, len(self.used) * size) & np.repeat(self.used, size)
            numbers[self.few] = np.bitwise_count(byte).reshape(-1, size)
        # All words are drawn at once, which is much faster than one after another. The surplus bits
        # of the last word of a number, which is drawn first, are dropped.
        words = random_words(
            rng, sum(length * len(kinds) for length, kinds, _ in self.words) * size
        )
        end = 0
        for length, kinds, surplus in self.words:
            begin, end = end, end + length * len(kinds) * size
            words[begin : begin + len(kinds) * size] >>= np.repeat(surplus, size)
            ones = np.bitwise_count(words[begin:end]).reshape(length, -1)
            numbers[kinds] = np.add.reduce(ones, axis=0, dtype=np.int32).reshape(-1, size)
        if len(self.many):
            # Draws of one kind follow one another, because that is faster.
            numbers[self.many] = rng.binomial(
                self.units[self.many, None], 0.5, size=(len(self.many), size)
            )
        return numbers


def _as_slice(kinds: Int64) -> Int64 | slice:
    """Kinds that follow one another as a slice, which is much faster than a list."""
    if len(kinds) and int(kinds[-1]) - int(kinds[0]) >= len(kinds):
        return kinds
    begin = int(kinds[0]) if len(kinds) else 0
    return slice(begin, begin + len(kinds))


def _bytes(rng: np.random.Generator, number: int) -> npt.NDArray[np.uint8]:
    return np.frombuffer(rng.bytes(number), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """Pairs of lists of the same items, as the kernel takes them.

    Parameters
    ----------
    coins : number of items or groups of each kind whose exchange changes a list.
    rows : cost of a draw.
    start, base, every, slot, coin : see `native.twin_exchanging`.
    weight : weight of the items of each change, if they have sampling weights; `base` then has the
        weights of items whose rank is the same in both lists.
    """

    coins: Int64
    rows: int
    start: Int64
    base: npt.NDArray[Any]
    every: Drawn
    slot: Drawn
    coin: Drawn
    weight: Float64 | None = None

    def difference(self, drawn: Drawn, measure: str, cutoff: int | None = None) -> Float64:
        """The sum over pairs of the first list's measure minus the second's, per draw of the units
        at their first position.
        """
        if cutoff is not None:
            return self._difference_of_tops(drawn, measure, cutoff)
        area = measure == "AUC"
        if self.weight is not None:
            units = self.coins.astype(np.int32)
            weighed: Float64 = kernel().exchange_weights(
                np.ravel(drawn), self.base, self.slot, self.coin, self.weight, units, area
            )
            return weighed
        arguments = self.start, self.base, self.every, self.slot, self.coin, len(drawn), area
        differences: Float64 = kernel().exchange_differences(np.ravel(drawn), *arguments)
        return differences

    def _difference_of_tops(self, drawn: Drawn, measure: str, cutoff: int) -> Float64:
        """The same sum for precision ("P") or recall in the first `cutoff` ranks."""
        slots, total = fill_slots(drawn, self.base, self.slot, self.coin), np.zeros(drawn.shape[1])
        for begin, end in pairwise(self.start.tolist()):
            all_items, first = self.every[begin:end, None].astype(np.int64), slots[begin:end]
            over = cutoff if measure == "P" else int(all_items[1::2].sum()) // 2
            total += (_in_top(first, cutoff) - _in_top(all_items - first, cutoff)) / over
        return total


def _in_top(slots: Int64, cutoff: int) -> Float64:
    """Hits in the first ranks, per draw; a block at the cut counts in part."""
    size = slots[::2] + slots[1::2]
    before = np.cumsum(size, axis=0) - size
    # Only odd positions hold hits; the positions between them hold none.
    share = np.clip((cutoff - before[1::2]) / np.maximum(size[1::2], 1), 0.0, 1.0)
    return np.asarray((slots[3::4] * share).sum(axis=0), np.float64)


def exchange(
    relevant: Bool,
    first: Int64,
    second: Int64,
    unit: Int64 | None = None,
    weight: Float64 | None = None,
) -> Exchange:
    """The exchange of two lists, given the ranks of their items; items of one `unit` are exchanged
    together.
    """
    edge = np.unique(np.concatenate((first[relevant], second[relevant])))
    width = 2 * len(edge) + 1
    first, second = (
        np.searchsorted(edge, rank, "left") + np.searchsorted(edge, rank, "right")
        for rank in (first, second)
    )
    if unit is None:
        # The smaller position comes first, so that the order of the lists does not matter.
        first, second = np.minimum(first, second), np.maximum(first, second)
    moving = np.flatnonzero(first != second)
    staying = np.flatnonzero(first == second)
    key = (relevant[moving] * width + first[moving]) * width + second[moving]
    heavy = None if weight is None else weight[moving]
    if unit is None:
        rows = _merge_alike(key, heavy)
        coins, coin = rows.times, np.arange(len(rows.key))
    else:
        rows, coin = _sort_units(key, unit[moving], heavy)
        coins = np.ones(int(coin.max(initial=-1)) + 1, np.int64)
    hit, low, high = rows.key // width**2, rows.key // width % width, rows.key % width
    # An exchange adds the items of its coin at the first position, and takes them from the second.
    slot, coin = 2 * np.append(low, high) + np.tile(hit, 2), np.append(coin, -1 - coin)
    order = np.argsort(slot, kind="stable")
    start = np.array([0, 2 * width])
    changes = slot[order].astype(np.int32), coin[order].astype(np.int32)

    def count_at(items: Int64, position: Int64, each: Float64 | None = None) -> npt.NDArray[Any]:
        return np.bincount(2 * position[items] + relevant[items], each, minlength=2 * width)

    if weight is not None:
        # In ascending order, so that the sum does not depend on the order of the items.
        staying = staying[np.argsort(weight[staying], kind="stable")]
        weights = np.asarray(count_at(staying, first, weight[staying]), np.float64)
        heavy = np.tile(rows.weight, 2)[order]
        return Exchange(
            coins,
            len(rows.key) + width,
            start,
            weights,
            np.zeros(0, np.int32),
            *changes,
            weight=heavy,
        )
    all_items = count_at(np.arange(len(first)), first) + count_at(np.arange(len(first)), second)
    base = count_at(staying, first) + np.bincount(2 * high + hit, rows.times, minlength=2 * width)
    kept, counts = base.astype(np.int32), all_items.astype(np.int32)
    return Exchange(coins, len(rows.key) + width, start, kept, counts, *changes)


class _ItemRows(NamedTuple):
    """Items of the same kind, positions and weight: a key for kind and positions, the weight, and
    the number of items.
    """

    key: Int64
    weight: Float64
    times: Int64


def _merge_alike(key: Int64, weight: Float64 | None) -> _ItemRows:
    """Rows of items that are exchanged one by one, single ones first. Without weights those of few
    items are next, so that `Coins` has slices; sums of weights depend on the order of rows.
    """
    if weight is None:
        key, count = np.unique(key, return_counts=True)
        weight = np.ones(len(key))
        rank = (count > 1).astype(np.int8) + (count > _OF_BYTE)
    else:
        order = np.lexsort((weight, key))
        key, weight = key[order], weight[order]
        lead = np.flatnonzero(
            np.append(True, (np.diff(key) != 0) | (np.diff(weight) != 0))[: len(key)]
        )
        count = np.diff(np.append(lead, len(key)))
        key, weight = key[lead], weight[lead]
        rank = (count > 1).astype(np.int8)
    order = np.argsort(rank, kind="stable")
    return _ItemRows(key[order], weight[order], count[order].astype(np.int64))


def _sort_units(key: Int64, unit: Int64, weight: Float64 | None) -> tuple[_ItemRows, Int64]:
    """Rows sorted by unit, and units sorted by their rows: so the draws do not depend on the order
    of items and groups.
    """
    weight = np.ones(len(key)) if weight is None else weight
    order = np.lexsort((weight, key, unit))
    columns = np.stack((key[order], weight[order].view(np.int64)), axis=1)
    start = np.flatnonzero(np.diff(unit[order], prepend=-1))
    rows_of_units = (
        sorted(np.split(columns, start[1:]), key=lambda rows_: rows_.tobytes())
        if len(key)
        else [columns]
    )
    rows, size = np.concatenate(rows_of_units), [len(rows_) for rows_ in rows_of_units]
    ones = np.ones(len(rows), np.int64)
    return _ItemRows(
        rows[:, 0], np.ascontiguousarray(rows[:, 1]).view(np.float64), ones
    ), np.repeat(np.arange(len(rows_of_units)), size)


def join_pairs(pairs: list[Exchange]) -> Exchange:
    """Several pairs of lists as one; with weights there is only one pair."""
    if len(pairs) == 1:
        return pairs[0]
    slots, coins = (
        np.cumsum([0, *sizes])
        for sizes in ([len(p.base) for p in pairs], [len(p.coins) for p in pairs])
    )
    slot = [
        pair.slot + first for pair, first in zip(pairs, slots[:-1].astype(np.int32), strict=False)
    ]
    coin = [
        pair.coin + np.where(pair.coin < 0, -first, first)
        for pair, first in zip(pairs, coins[:-1].astype(np.int32), strict=False)
    ]
    base, all_items = ([getattr(pair, name) for pair in pairs] for name in ("base", "every"))
    columns = map(np.concatenate, (base, all_items, slot, coin))
    return Exchange(
        np.concatenate([p.coins for p in pairs]), sum(p.rows for p in pairs), slots, *columns
    )


def p_of_exchanges(
    lists: list[Exchange],
    measure: str,
    difference: float,
    rng: Rng,
    resamples: int,
    cutoff: int | None = None,
) -> tuple[float, Method]:
    """p of the mean difference of several pairs of lists, and how it was found."""
    least = abs(difference) - TOLERANCE
    pairs = join_pairs(lists)
    count, rows = pairs.coins, pairs.rows

    def is_as_far(drawn: Drawn) -> Bool:
        return np.asarray(np.abs(pairs.difference(drawn, measure, cutoff)) / len(lists) >= least)

    coins = int(count.sum())
    if not coins:
        return 1.0, NO_DIFFERENCE
    if coins <= ENUMERATED and 2**coins * rows <= AFFORDABLE:
        return enumerate_exchanges(count, is_as_far, rows), Method(
            "enumerated", exact=True, drawn=_EXCHANGES, units=coins
        )
    p, seed = sample_exchanges(count, is_as_far, rows, rng, resamples)
    return p, Method("sampled", drawn=_EXCHANGES, resamples=resamples, seed=seed)
