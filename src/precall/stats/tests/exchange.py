"""Exchanges of ranks: an item stands where one list has it or where the other has it, by the toss
of a coin.

AP and area under ROC need no more than how many items, and how many relevant ones, stand at each
rank of a relevant item and between two such ranks. So items that are alike in kind and in both
places are one row, of which a binomial number is exchanged: few relevant items among a million are
few rows. Items of sampling weights are alike if they weigh the same. Exchanges of decisions
(`swapping`) are made here, too.
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
from precall.core.rng import Rng, seeded
from precall.native import kernel
from precall.native.twin_exchanging import placed
from precall.stats.resample.batches import (
    TOLERANCE,
    Streams,
    p_of_samples,
    random_words,
    run_groups,
)
from precall.stats.scipy import stats

#: So many items, or groups, have all their exchanges gone through ...
ENUMERATED = 20
#: ... if no more counts than this are made for it.
AFFORDABLE = 2**27
#: Few enough to stay in the processor's caches.
_CELLS = 2**18
#: So many draws at least are counted at once, of small batches those of several.
_SIDE_BY_SIDE = 24
#: Up to so many exchanges of a kind are counted in the bits of a random byte.
_OF_BYTE = 8
#: ... and so many in those of words of 64.
_MOST_WORDS = 10
#: Up to so many units of a kind the chances of exchanges are exact fractions.
_EXACT = 64

_EXCHANGES = "exchanges of ranks"
#: Numbers of items, small and many.
Drawn: TypeAlias = npt.NDArray[np.int32]
#: Whether the difference is as great as observed, of how many of each kind are exchanged (kinds x
#: draws).
Far: TypeAlias = Callable[[Drawn], Bool]


def chances(times: int) -> Float64:
    """Of 0, 1, ... of so many units being exchanged."""
    if times <= _EXACT:
        return np.array([math.comb(times, some) / 2**times for some in range(times + 1)])
    return np.asarray(stats().binom.pmf(np.arange(times + 1), times, 0.5), np.float64)


def enumerated(count: Int64, far: Far, rows: int) -> float:
    """The chance of all that is as far, by going through how many of each kind are exchanged;
    `rows` is what one costs.
    """
    sizes = (count + 1).tolist()
    of_kinds, number, total = list(map(chances, count.tolist())), math.prod(sizes), 0.0
    # Exchanging all others instead is as far: the first half says it all, but for one in the
    # middle.
    half, batch = (number + 1) // 2, max(1, _CELLS // rows)
    for begin in range(0, half, batch):
        places = np.arange(begin, min(begin + batch, half))
        some = np.unravel_index(places, sizes)
        chance = np.where(2 * places == number - 1, 1.0, 2.0)
        for of_kind, times in zip(of_kinds, some, strict=True):
            chance *= of_kind[times]
        total += float(chance[far(np.array(some, np.int32))].sum())
    return total


def sampled(count: Int64, far: Far, rows: int, rng: Rng, resamples: int) -> tuple[float, int]:
    """The same of exchanges drawn at random, and the seed."""
    made, seed = seeded(rng)
    batch, coins = max(1, _CELLS // rows), Coins.of(count)

    def drawn(streams: Streams) -> int:
        return int(
            np.count_nonzero(far(_side_by_side([coins.drawn(*stream) for stream in streams])))
        )

    # The kernel counts eight draws as soon as one: of so many batches, and up to twice as many,
    # those that waste the least.
    least = -(-_SIDE_BY_SIDE // batch)
    together = min(range(least, 2 * least + 1), key=lambda some: -(some * batch) % 8 / some)
    number = sum(run_groups(drawn, made, resamples, batch, together))
    return float(p_of_samples(number, resamples)), seed


def _side_by_side(drawn: list[Drawn]) -> Drawn:
    """Batches as one; of one row each all draws are one cell, which is copied many times as fast as
    numbers are.
    """
    size = [part.shape[1] for part in drawn]
    if len(drawn) == 1 or len(set(size)) > 1:
        return np.concatenate(drawn, axis=1)
    joined = np.empty((len(drawn[0]), sum(size)), np.int32)
    cells = joined.view(f"V{4 * size[0]}")
    for i, part in enumerate(drawn):
        cells[:, i] = part.view(cells.dtype)[:, 0]
    return joined


class Coins(NamedTuple):
    """Kinds by how many of them are drawn: single ones, those counted in bytes and in words of
    bits, and other ones.

    `units` is how many each has, `used` the bits of a byte that count for each of a few, `words`
    the kinds of each number of words, and the bits of the last word that are too many.
    """

    units: Int64
    single: Any
    few: Int64
    used: npt.NDArray[np.uint8]
    words: list[tuple[int, Int64, npt.NDArray[np.uint64]]]
    many: Int64

    @classmethod
    def of(cls, count: Int64) -> Coins:
        """By the number of each kind."""
        single, few = np.flatnonzero(count == 1), np.flatnonzero((count > 1) & (count <= _OF_BYTE))
        length = np.where(count <= _OF_BYTE, 0, -(-count // 64))
        words = []
        for number in np.unique(length[(length > 0) & (length <= _MOST_WORDS)]).tolist():
            kinds = np.flatnonzero(length == number)
            words.append((number, kinds, (64 * number - count[kinds, None]).astype(np.uint64)))
        used = ((1 << count[few]) - 1).astype(np.uint8)[:, None]
        # Those of one unit mostly come first, and a slice is many times as fast as a list.
        first = len(single) == 0 or int(single[-1]) == len(single) - 1
        many = np.flatnonzero(length > _MOST_WORDS)
        return cls(count, slice(len(single)) if first else single, few, used, words, many)

    def drawn(self, rng: np.random.Generator, size: int) -> Drawn:
        """How many of each kind are exchanged at random, in (kinds x draws)."""
        # As many random bits are counted, which is faster than binomial numbers.
        numbers = np.empty((len(self.units), size), np.int32)
        number = self.single.stop if isinstance(self.single, slice) else len(self.single)
        bits = np.unpackbits(_bytes(rng, -(-number * size // 8)), count=number * size)
        numbers[self.single] = bits.reshape(number, size)
        if len(self.few):
            byte = _bytes(rng, len(self.few) * size).reshape(-1, size)
            numbers[self.few] = np.bitwise_count(byte & self.used)
        for length, kinds, spare in self.words:
            # Of the last word the bits that are too many are dropped.
            some = np.bitwise_count(random_words(rng, (len(kinds), size)) >> spare).astype(np.int32)
            for _ in range(length - 1):
                some += np.bitwise_count(random_words(rng, (len(kinds), size)))
            numbers[kinds] = some
        if len(self.many):
            # Draws of one kind follow one another, which is the faster way.
            numbers[self.many] = rng.binomial(
                self.units[self.many, None], 0.5, size=(len(self.many), size)
            )
        return numbers


def _bytes(rng: np.random.Generator, number: int) -> npt.NDArray[np.uint8]:
    return np.frombuffer(rng.bytes(number), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """Pairs of lists of the same items, as the kernel takes them.

    Parameters
    ----------
    coins : how many items, or groups, each kind has whose exchange changes a list.
    rows : what a draw costs.
    start, base, every, slot, coin : as `native.twin_exchanging` says.
    weight : of the items of each change, where they have sampling weights; `base` then has those
        that stay where they are.
    """

    coins: Int64
    rows: int
    start: Int64
    base: npt.NDArray[Any]
    every: Drawn
    slot: Drawn
    coin: Drawn
    weight: Float64 | None = None

    def difference(self, moved: Drawn, measure: str, cutoff: int | None = None) -> Float64:
        """The measure of first lists minus that of second ones, added up, per draw of what stands
        at its first place.
        """
        if cutoff is not None:
            return self._of_tops(moved, measure, cutoff)
        area = measure == "AUC"
        if self.weight is not None:
            units = self.coins.astype(np.int32)
            weighed: Float64 = kernel().exchange_weights(
                np.ravel(moved), self.base, self.slot, self.coin, self.weight, units, area
            )
            return weighed
        given = self.start, self.base, self.every, self.slot, self.coin, len(moved), area
        differences: Float64 = kernel().exchange_differences(np.ravel(moved), *given)
        return differences

    def _of_tops(self, moved: Drawn, measure: str, cutoff: int) -> Float64:
        """The same of precision ("P") or recall in the first `cutoff` ranks."""
        slots, total = placed(moved, self.base, self.slot, self.coin), np.zeros(moved.shape[1])
        for begin, end in pairwise(self.start.tolist()):
            every, first = self.every[begin:end, None].astype(np.int64), slots[begin:end]
            over = cutoff if measure == "P" else int(every[1::2].sum()) // 2
            total += (_in_top(first, cutoff) - _in_top(every - first, cutoff)) / over
        return total


def _in_top(slots: Int64, cutoff: int) -> Float64:
    """Hits in the first ranks, per draw; of a place at the cut its part of them."""
    size = slots[::2] + slots[1::2]
    before = np.cumsum(size, axis=0) - size
    # Hits stand at odd places only; what is between holds none.
    part = np.clip((cutoff - before[1::2]) / np.maximum(size[1::2], 1), 0.0, 1.0)
    return np.asarray((slots[3::4] * part).sum(axis=0), np.float64)


def exchange(
    relevant: Bool,
    first: Int64,
    second: Int64,
    unit: Int64 | None = None,
    weight: Float64 | None = None,
) -> Exchange:
    """Two lists by the ranks of their items; `unit` says which items are exchanged together."""
    edge = np.unique(np.concatenate((first[relevant], second[relevant])))
    width = 2 * len(edge) + 1
    first, second = (
        np.searchsorted(edge, rank, "left") + np.searchsorted(edge, rank, "right")
        for rank in (first, second)
    )
    if unit is None:
        # Either place may be called the first: so it does not matter which list is.
        first, second = np.minimum(first, second), np.maximum(first, second)
    moving = np.flatnonzero(first != second)
    staying = np.flatnonzero(first == second)
    key = (relevant[moving] * width + first[moving]) * width + second[moving]
    heavy = None if weight is None else weight[moving]
    if unit is None:
        rows = _alike(key, heavy)
        coins, coin = rows.times, np.arange(len(rows.key))
    else:
        rows, coin = _in_order(key, unit[moving], heavy)
        coins = np.ones(int(coin.max(initial=-1)) + 1, np.int64)
    hit, low, high = rows.key // width**2, rows.key // width % width, rows.key % width
    # Exchanges bring items of their coin to the first place, and take them from the second.
    slot, coin = 2 * np.append(low, high) + np.tile(hit, 2), np.append(coin, -1 - coin)
    order = np.argsort(slot, kind="stable")
    start = np.array([0, 2 * width])
    changes = slot[order].astype(np.int32), coin[order].astype(np.int32)

    def at(items: Int64, place: Int64, each: Any = None) -> Any:
        return np.bincount(2 * place[items] + relevant[items], each, minlength=2 * width)

    if weight is not None:
        # From the least up, so that the sum does not depend on how items are listed.
        staying = staying[np.argsort(weight[staying], kind="stable")]
        base = np.asarray(at(staying, first, weight[staying]), np.float64)
        heavy = np.tile(rows.weight, 2)[order]
        return Exchange(
            coins, len(rows.key) + width, start, base, np.zeros(0, np.int32), *changes, weight=heavy
        )
    every = at(np.arange(len(first)), first) + at(np.arange(len(first)), second)
    base = at(staying, first) + np.bincount(2 * high + hit, rows.times, minlength=2 * width)
    base, every = (column.astype(np.int32) for column in (base, every))
    return Exchange(coins, len(rows.key) + width, start, base, every, *changes)


class _Rows(NamedTuple):
    """Items that are alike in kind and in both places, by a number for these, and in weight: how
    many there are.
    """

    key: Int64
    weight: Float64
    times: Int64


def _alike(key: Int64, weight: Float64 | None) -> _Rows:
    """Rows of items that are exchanged one by one, single ones first."""
    if weight is None:
        key, count = np.unique(key, return_counts=True)
        weight = np.ones(len(key))
    else:
        order = np.lexsort((weight, key))
        key, weight = key[order], weight[order]
        lead = np.flatnonzero(
            np.append(True, (np.diff(key) != 0) | (np.diff(weight) != 0))[: len(key)]
        )
        count = np.diff(np.append(lead, len(key)))
        key, weight = key[lead], weight[lead]
    order = np.argsort(count > 1, kind="stable")
    return _Rows(key[order], weight[order], count[order].astype(np.int64))


def _in_order(key: Int64, unit: Int64, weight: Float64 | None) -> tuple[_Rows, Int64]:
    """Rows by unit, and units by their rows: what is drawn does not depend on how items and groups
    are listed.
    """
    weight = np.ones(len(key)) if weight is None else weight
    order = np.lexsort((weight, key, unit))
    columns = np.stack((key[order], weight[order].view(np.int64)), axis=1)
    start = np.flatnonzero(np.diff(unit[order], prepend=-1))
    parts = (
        sorted(np.split(columns, start[1:]), key=lambda part: part.tobytes())
        if len(key)
        else [columns]
    )
    rows, size = np.concatenate(parts), [len(part) for part in parts]
    ones = np.ones(len(rows), np.int64)
    return _Rows(rows[:, 0], np.ascontiguousarray(rows[:, 1]).view(np.float64), ones), np.repeat(
        np.arange(len(parts)), size
    )


def join_pairs(pairs: list[Exchange]) -> Exchange:
    """Several pairs of lists as one; of items with weights there is one pair."""
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
    base, every = ([getattr(pair, name) for pair in pairs] for name in ("base", "every"))
    columns = map(np.concatenate, (base, every, slot, coin))
    return Exchange(
        np.concatenate([p.coins for p in pairs]), sum(p.rows for p in pairs), slots, *columns
    )


def exchanged(
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

    def far(moved: Drawn) -> Bool:
        return np.asarray(np.abs(pairs.difference(moved, measure, cutoff)) / len(lists) >= least)

    coins = int(count.sum())
    if not coins:
        return 1.0, NO_DIFFERENCE
    if coins <= ENUMERATED and 2**coins * rows <= AFFORDABLE:
        return enumerated(count, far, rows), Method(
            "enumerated", exact=True, drawn=_EXCHANGES, units=coins
        )
    p, seed = sampled(count, far, rows, rng, resamples)
    return p, Method("sampled", drawn=_EXCHANGES, resamples=resamples, seed=seed)
