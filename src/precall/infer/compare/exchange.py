"""Exchanges of ranks: an item stands where one list has it or where the other has it, by the toss of a coin.

AP and area under ROC need no more than how many items, and how many relevant ones, stand at each rank of a relevant item
and between two such ranks. So items that are alike in kind and in both places are one row, of which a binomial number is
exchanged: few relevant items among a million are few rows. Exchanges of decisions (`swapping`) are made here, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.infer.libraries import sparse, stats
from precall.infer.resample.batches import TOLERANCE, counted, sampled_p
from precall.ragged import Bool, Float64, Int64
from precall.rng import Rng, seeded

#: So many items, or groups, have all their exchanges gone through ...
ENUMERATED = 20
#: ... if no more counts than this are made for it.
AFFORDABLE = 2**27
#: Few enough to stay in the processor's caches.
_CELLS = 2**18
#: Up to so many exchanges of a kind are counted in the bits of a random byte.
_OF_BYTE = 8
#: ... and so many in those of words of 64.
_MOST_WORDS = 10
#: Bits that are set, per byte.
_ONES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1, dtype=np.uint8)
#: Up to so many units of a kind the chances of exchanges are exact fractions.
_EXACT = 64

#: Numbers of items, small and many.
Drawn: TypeAlias = npt.NDArray[np.int32]
#: Whether the difference is as great as observed, of how many of each kind are exchanged (kinds x draws).
Far: TypeAlias = Callable[[Drawn], Bool]


def chances(times: int) -> Float64:
    """Of 0, 1, ... of so many units being exchanged."""
    if times <= _EXACT:
        return np.array([math.comb(times, some) / 2**times for some in range(times + 1)])
    return np.asarray(stats().binom.pmf(np.arange(times + 1), times, 0.5), np.float64)


def enumerated(count: Int64, far: Far, rows: int) -> float:
    """The chance of all that is as far, by going through how many of each kind are exchanged; `rows` is what one costs."""
    sizes = (count + 1).tolist()
    of_kinds, number, total = list(map(chances, count.tolist())), math.prod(sizes), 0.0
    # Exchanging all others instead is as far: the first half says it all, but for one in the middle.
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

    def drawn(part: np.random.Generator, size: int) -> Int64:
        return np.asarray(np.count_nonzero(far(exchanges(count, part, size))), np.int64)

    return float(sampled_p(counted(drawn, made, resamples, max(1, _CELLS // rows)), resamples)), seed


def exchanges(count: Int64, rng: np.random.Generator, size: int) -> Drawn:
    """How many of each kind of so many are exchanged at random, in (kinds x draws)."""
    # As many random bits are counted, which is faster than binomial numbers.
    single, few = count == 1, (count > 1) & (count <= _OF_BYTE)
    words = np.where(single | few, 0, -(-count // 64))
    many = words > _MOST_WORDS
    numbers = np.empty((len(count), size), np.int32)
    number = int(single.sum())
    bits = np.unpackbits(_bytes(rng, -(-number * size // 8)), count=number * size)
    numbers[single] = bits.reshape(number, size)
    byte = _bytes(rng, int(few.sum()) * size).reshape(-1, size)
    numbers[few] = _ONES[byte & ((1 << count[few]) - 1).astype(np.uint8)[:, None]]
    for length in np.unique(words[(words > 0) & ~many]).tolist():
        kinds = np.flatnonzero(words == length)
        # Of the last word the bits that are too many are dropped.
        spare = (64 * length - count[kinds, None]).astype(np.uint64)
        number = np.bitwise_count(_words(rng, (len(kinds), size)) >> spare).astype(np.int32)
        for _ in range(length - 1):
            number += np.bitwise_count(_words(rng, (len(kinds), size)))
        numbers[kinds] = number
    # Draws of one kind follow one another, which is the faster way.
    numbers[many] = rng.binomial(count[many, None], 0.5, size=(int(many.sum()), size))
    return numbers


def _words(rng: np.random.Generator, shape: tuple[int, int]) -> npt.NDArray[np.uint64]:
    return rng.integers(0, 2**64 - 1, shape, np.uint64, endpoint=True)


def _bytes(rng: np.random.Generator, number: int) -> npt.NDArray[np.uint8]:
    return np.frombuffer(rng.bytes(number), np.uint8)


class _Tally(NamedTuple):
    """Items per place when every row stands at its second place, and what each that stands at the first changes."""

    base: Int64
    change: Any

    def of(self, moved: Drawn) -> Drawn:
        """Items per place (places x draws), of (rows x draws) items that stand at their first place."""
        items = self.change @ moved
        items += self.base[:, None].astype(moved.dtype)
        return np.asarray(items)


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """Two lists of the same items, as rows of items that are alike.

    Parameters
    ----------
    count : items per row.
    unit : what each row belongs to, exchanged as a whole; None where items are exchanged one by one.
    size, relevant : items, and relevant ones, per place.
    every : both of both lists together.
    hits, others : relevant items, and other ones.
    """

    count: Int64
    unit: Int64 | None
    size: _Tally
    relevant: _Tally
    every: tuple[Int64, Int64]
    hits: int
    others: int

    @property
    def coins(self) -> Int64:
        """How many items, or groups, each kind has whose exchange changes a list."""
        return self.count if self.unit is None else np.ones(int(self.unit.max(initial=-1)) + 1, np.int64)

    @property
    def rows(self) -> int:
        """What a draw costs."""
        return len(self.count) + len(self.every[0])

    def difference(self, moved: Drawn, measure: str) -> Float64:
        """The measure of the first list minus that of the second, per draw of what stands at its first place."""
        moved = moved if self.unit is None else moved[self.unit]
        size, relevant = self.size.of(moved), self.relevant.of(moved)
        sizes, relevants = (whole[:, None].astype(np.int32) for whole in self.every)
        return self._value(size, relevant, measure) - self._value(sizes - size, relevants - relevant, measure)

    def _value(self, size: Drawn, relevant: Drawn, measure: str) -> Float64:
        # Relevant items stand at odd places, other ones anywhere.
        hits = relevant[1::2]
        if measure == "AUC":
            others = size - relevant
            below = (self.others - np.cumsum(others, axis=0))[1::2] + others[1::2] / 2
            return np.asarray((hits * below).sum(axis=0) / (self.hits * self.others), np.float64)
        precision = np.cumsum(hits, axis=0) / np.maximum(np.cumsum(size, axis=0)[1::2], 1)
        return np.asarray((hits * precision).sum(axis=0) / self.hits, np.float64)


def exchange(relevant: Bool, first: Int64, second: Int64, unit: Int64 | None = None) -> Exchange:
    """Two lists by the ranks of their items; `unit` says which items are exchanged together."""
    edge = np.unique(np.concatenate((first[relevant], second[relevant])))
    width = 2 * len(edge) + 1
    first, second = (
        np.searchsorted(edge, rank, "left") + np.searchsorted(edge, rank, "right") for rank in (first, second)
    )
    if unit is None:
        # Either place may be called the first: so it does not matter which list is.
        first, second = np.minimum(first, second), np.maximum(first, second)

    def at(rank: Int64, rows: Any) -> Int64:
        return np.bincount(rank[rows], minlength=width)

    every = (at(first, slice(None)) + at(second, slice(None)), at(first, relevant) + at(second, relevant))
    staying = first == second
    fixed = [at(first, staying), at(first, staying & relevant)]
    key = (relevant[~staying] * width + first[~staying]) * width + second[~staying]
    if unit is None:
        key, count = np.unique(key, return_counts=True)
        order = np.argsort(count > 1, kind="stable")
        key, count, member = key[order], count[order].astype(np.int64), None
    else:
        key, member = _in_order(key, unit[~staying])
        count = np.ones(len(key), np.int64)
    hit, low, high = key // width**2, key // width % width, key % width
    tallies = [_tally(low, high, count, np.flatnonzero(hit >= least), fixed[least]) for least in (0, 1)]
    hits = int(relevant.sum())
    return Exchange(count, member, tallies[0], tallies[1], every, hits, len(relevant) - hits)


def _in_order(key: Int64, unit: Int64) -> tuple[Int64, Int64]:
    """Rows by unit, and units by their rows: what is drawn does not depend on how items and groups are listed."""
    order = np.lexsort((key, unit))
    key, unit = key[order], unit[order]
    start = np.flatnonzero(np.diff(unit, prepend=-1))
    parts = sorted(np.split(key, start[1:]), key=lambda part: part.tobytes()) if len(key) else [key]
    return np.concatenate(parts), np.repeat(np.arange(len(parts)), [len(part) for part in parts])


def _tally(low: Int64, high: Int64, count: Int64, rows: Int64, fixed: Int64) -> _Tally:
    base = fixed.copy()
    np.add.at(base, high[rows], count[rows])
    cells = np.concatenate((low[rows], high[rows])), np.concatenate((rows, rows))
    sign = np.repeat(np.array([1, -1], np.int32), len(rows))
    return _Tally(base, sparse().csr_array((sign, cells), shape=(len(base), len(low))))


def exchanged(
    lists: list[Exchange], measure: str, difference: float, rng: Rng, resamples: int
) -> tuple[float, str, int | None]:
    """p of the mean difference of several pairs of lists, how it was found, and the seed where it was sampled."""
    least = abs(difference) - TOLERANCE
    count, rows = np.concatenate([pair.coins for pair in lists]), sum(pair.rows for pair in lists)
    edges = np.cumsum([len(pair.coins) for pair in lists])[:-1]

    def far(moved: Drawn) -> Bool:
        parts = np.split(moved, edges, axis=0)
        values = [pair.difference(part, measure) for pair, part in zip(lists, parts, strict=True)]
        return np.asarray(np.abs(np.sum(values, axis=0)) / len(lists) >= least)

    coins = int(count.sum())
    if not coins:
        return 1.0, "no difference", None
    if coins <= ENUMERATED and 2**coins * rows <= AFFORDABLE:
        return enumerated(count, far, rows), f"all 2^{coins} exchanges of ranks", None
    p, seed = sampled(count, far, rows, rng, resamples)
    return p, f"{resamples:,} sampled exchanges of ranks", seed
