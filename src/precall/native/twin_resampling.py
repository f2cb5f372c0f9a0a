"""Samples of cases with replacement, in NumPy: the work of `resampling.cpp`, many samples at once.

Columns describe what is drawn from. A case belongs to a stratum; the cells of the cases of stratum
s are owner[owner_start[s]:owner_start[s + 1]]. A stratum has the parts stratum[s] to stratum[s +
1]. Part p gives every cell of place[place_start[p]:place_start[p + 1]] a Poisson number: least[p],
plus one for each of the thresholds below[below_start[p]:below_start[p + 1]] that a random word of
64 bits reaches. Numbers that exceed the `target` of a stratum are drawn again; if they fall short,
the rest is drawn case by case. Word j of a sample is that of SplitMix64 (Steele, Lea & Flood 2014)
after j steps from the sample's seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.core.ragged import divides_whole

Int32: TypeAlias = npt.NDArray[np.int32]
Int64: TypeAlias = npt.NDArray[np.int64]
Words: TypeAlias = npt.NDArray[np.uint64]
Float64: TypeAlias = npt.NDArray[np.float64]

#: Replaces a weight of 0 in divisors; real weights may be small.
LEAST_WEIGHT = 1e-300
MOST = 2**31 - 1
_ATTEMPTS = 1000
#: Words drawn at one time.
_BATCH = 1 << 17
#: Number of leading bits of a word that are looked up in a table.
_BITS = 10
_GAMMA = 0x9E3779B97F4A7C15
_LOW = np.uint64(0xFFFFFFFF)


def draw_cells(
    seed: Words,
    target: Int64,
    place: Int32,
    place_start: Int64,
    least: Int32,
    below: Words,
    below_start: Int64,
    owner: Int32,
    owner_start: Int64,
    stratum: Int64,
    cells: int,
    threads: int,
) -> Int32:
    """How often each cell was drawn: samples x cells."""
    urns = Urns(place, place_start, least, below, below_start, owner, owner_start, stratum, cells)
    parts = [drawn for drawn, *_ in samples(urns, seed, target)]
    return np.concatenate([np.zeros((0, cells), np.int32), *parts])


def draw_precisions(
    seed: Words,
    target: Int64,
    place: Int32,
    place_start: Int64,
    least: Int32,
    below: Words,
    below_start: Int64,
    owner: Int32,
    owner_start: Int64,
    stratum: Int64,
    block: npt.NDArray[np.bool_],
    threads: int,
) -> Float64:
    """Average precision of every sample of a list of steps; NaN if nothing relevant was drawn.

    Cells are the gaps above the steps, their relevant cases, the other cases of the steps that are
    a `block`, the rest of the others, and missed items.
    """
    cells = 2 * len(block) + int(np.count_nonzero(block)) + 2
    urns = Urns(place, place_start, least, below, below_start, owner, owner_start, stratum, cells)
    chunks = [precisions(drawn, block, most) for drawn, _, most in samples(urns, seed, target)]
    return np.concatenate([np.zeros(0), *chunks])


def precisions(drawn: Int32, block: npt.NDArray[np.bool_], most: int) -> Float64:
    """Average precision of samples x cells, of at most `most` draws each.

    At a step of untied relevant cases, drawn w times, precision loses others (H(t + w) - H(t)),
    where H are the sums of 1 / i; in a block each case has the precision at its end. Losses are
    added as whole numbers of 1 / unit, so that the sum does not depend on the order.
    """
    harmonic = _harmonic(most)
    unit = 2.0 ** (62 - int(most).bit_length())
    total, relevant, loss = losses(
        drawn, block, lambda before, hits: harmonic[before + hits] - harmonic[before]
    )
    lost = (loss * unit).astype(np.int64).sum(axis=1)
    return np.where(relevant > 0, (total - lost / unit) / np.maximum(relevant, 1), np.nan)


def draw_paths(
    seed: Words,
    target: Int64,
    place: Int32,
    place_start: Int64,
    least: Int32,
    below: Words,
    below_start: Int64,
    owner: Int32,
    owner_start: Int64,
    stratum: Int64,
    cells: int,
    cell: Int32,
    positive: Float64,
    negative: Float64,
    first: Int64,
    last: Int64,
    threads: int,
) -> tuple[Float64, Float64, Float64, Float64, Float64]:
    """What samples of weighted cases accept at every stop of their list (samples x stops), and
    their totals.

    Cases are sorted best first: the cell with which each is drawn, and its weight as a relevant and
    as another case. A stop is a block with relevant cases, from `first` up to `last`. Returned are
    the relevant weight up to its end, the other weight up to its end and up to its first case, and
    the relevant and other weights of whole samples.
    """
    urns = Urns(place, place_start, least, below, below_start, owner, owner_start, stratum, cells)
    results = list(_weigh_samples(urns, seed, target, cell, positive, negative, first, last))
    tp, fp, before = (
        np.concatenate([np.zeros((0, len(first))), *(columns[i] for columns in results)])
        for i in range(3)
    )
    hits, others = (
        np.concatenate([np.zeros(0), *(columns[i] for columns in results)]) for i in (3, 4)
    )
    return tp, fp, before, hits, others


def draw_gains(
    seed: Words,
    target: Int64,
    place: Int32,
    place_start: Int64,
    least: Int32,
    below: Words,
    below_start: Int64,
    owner: Int32,
    owner_start: Int64,
    stratum: Int64,
    cells: int,
    cell: Int32,
    positive: Float64,
    negative: Float64,
    first: Int64,
    last: Int64,
    apart: bool,
    threads: int,
) -> tuple[Float64, Float64]:
    """For the same samples the sum over relevant cases of weight times precision, and the sum of
    their weights.

    If `apart`, copies of a case that stands alone follow one another; otherwise they are one block.
    """
    urns = Urns(place, place_start, least, below, below_start, owner, owner_start, stratum, cells)
    gain, relevant = [np.zeros(0)], [np.zeros(0)]
    for tp, fp, _, hits, _, drawn in _weigh_samples(
        urns, seed, target, cell, positive, negative, first, last
    ):
        alone = np.flatnonzero(last - first == 1) if apart else np.zeros(0, np.int64)
        above = np.pad(tp, ((0, 0), (1, 0)))[:, :-1]
        gains = (tp - above) * (tp / np.maximum(tp + fp, LEAST_WEIGHT))
        single = first[alone]
        gains[:, alone] = _gain_of_copies(
            drawn[:, cell[single]], positive[single], above[:, alone], fp[:, alone]
        )
        gain.append(_running_sums(gains)[:, -1])
        relevant.append(hits)
    return np.concatenate(gain), np.concatenate(relevant)


def _gain_of_copies(count: Int32, weight: Float64, above: Float64, others: Float64) -> Float64:
    """Weight times precision of `count` copies of relevant cases, one below the other."""
    gain = np.zeros(above.shape)
    for copy in range(1, int(count.max(initial=0)) + 1):
        hits = above + copy * weight
        gain += np.where(
            count >= copy, weight * (hits / np.maximum(hits + others, LEAST_WEIGHT)), 0.0
        )
    return gain


def _weigh_samples(
    urns: Urns,
    seed: Words,
    target: Int64,
    cell: Int32,
    positive: Float64,
    negative: Float64,
    first: Int64,
    last: Int64,
) -> Iterator[tuple[Float64, Float64, Float64, Float64, Float64, Int32]]:
    if not len(cell) == len(positive) == len(negative) or len(first) != len(last):
        raise ValueError("columns differ in length")
    if np.any(cell < 0) or np.any(cell >= urns.cells):
        raise ValueError("there is no such cell")
    if np.any(np.diff(np.stack((first, last), axis=1).ravel(), prepend=0, append=len(cell)) < 0):
        raise ValueError("stops: must ascend")
    for drawn, *_ in samples(urns, seed, target, len(cell)):
        times = drawn[:, cell].astype(np.float64)
        tp, fp = _running_sums(positive * times), _running_sums(negative * times)
        yield tp[:, last], fp[:, last], fp[:, first], tp[:, -1], fp[:, -1], drawn


def _running_sums(values: Float64) -> Float64:
    """Sums before every column and after the last one, added one by one from the left."""
    return np.cumsum(np.pad(values, ((0, 0), (1, 0))), axis=1)


def losses(
    drawn: npt.NDArray[Any],
    block: npt.NDArray[np.bool_],
    gained: Callable[[Int64, Int64], Float64],
) -> tuple[Int64, Int64, Float64]:
    """Relevant cases that are ranked, all relevant ones, and what precision loses at each step.

    `gained(before, hits)` is H(before + hits) - H(before), where H are the sums of 1 / i.
    """
    size = len(block)
    gap, hits = drawn[:, :size].astype(np.int64), drawn[:, size : 2 * size].astype(np.int64)
    tied = np.zeros_like(hits)
    tied[:, block] = drawn[:, 2 * size : -2]
    before, others = np.cumsum(hits, axis=1), np.cumsum(gap, axis=1) + np.cumsum(tied, axis=1)
    loss = hits.astype(np.float64) * others / np.maximum(before + others, 1)
    alone = ~block
    loss[:, alone] = others[:, alone] * gained((before + others - hits)[:, alone], hits[:, alone])
    total = hits.sum(axis=1)
    return total, total + drawn[:, -1], loss


@lru_cache(maxsize=1)
def _harmonic(most: int) -> Float64:
    return np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1, most + 1))))


@dataclass(frozen=True, slots=True)
class Urns:
    """What is drawn from, as described above."""

    place: Int32
    place_start: Int64
    least: Int32
    below: Words
    below_start: Int64
    owner: Int32
    owner_start: Int64
    stratum: Int64
    cells: int

    def __post_init__(self) -> None:
        if not 0 <= self.cells <= MOST or max(len(self.owner), len(self.below)) > MOST:
            raise ValueError("cells: too many, or too few")
        ranges = (
            (self.place_start, self.place),
            (self.below_start, self.below),
            (self.stratum, self.least),
            (self.owner_start, self.owner),
        )
        for start, column in ranges:
            if not divides_whole(start, len(column)):
                raise ValueError("starts do not divide the column")
        parts = len(self.least) + 1
        if not len(self.place_start) == len(self.below_start) == parts or len(
            self.owner_start
        ) != len(self.stratum):
            raise ValueError("columns differ in length")
        for cells in (self.place, self.owner):
            if np.any(cells < 0) or np.any(cells >= self.cells):
                raise ValueError("there is no such cell")
        if np.any(self.least < 0):
            raise ValueError("counts: must be >= 0")
        for part in range(parts - 1):
            below = self.of(part)[2]
            if np.any(below[1:] < below[:-1]):
                raise ValueError("thresholds: must ascend")

    def of(self, part: int) -> tuple[Int32, int, Words]:
        """The cells, the least number and the thresholds of a part."""
        places = self.place[self.place_start[part] : self.place_start[part + 1]]
        return (
            places,
            int(self.least[part]),
            self.below[self.below_start[part] : self.below_start[part + 1]],
        )


def samples(
    urns: Urns, seed: Words, target: Int64, more: int = 0
) -> Iterator[tuple[Int32, Words, int]]:
    """Samples x cells in batches, the states at which their streams continue, and the greatest
    number of draws of any sample.

    `more` is the number of additional numbers that the caller needs for each sample.
    """
    strata = len(urns.stratum) - 1
    if len(target) != len(seed) * strata:
        raise ValueError("columns differ in length")
    draws = target.reshape(len(seed), strata)
    if np.any(draws < 0) or np.any(draws > MOST) or np.any(draws.sum(axis=1) > MOST):
        raise ValueError("counts: must be >= 0, and below 2^31 together")
    if np.any((draws > 0) & (np.diff(urns.owner_start) == 0)):
        raise ValueError("cells: there are none to draw from")
    most = int(draws.sum(axis=1).max(initial=0))
    first = _firsts(urns)
    step = max(1, _BATCH // (len(urns.place) + urns.cells + more + 1))
    for start in range(0, len(seed), step):
        rows = slice(start, start + step)
        yield *_draw_cells(urns, first, seed[rows], draws[rows]), most


def _draw_cells(urns: Urns, first: Int64, seed: Words, target: Int64) -> tuple[Int32, Words]:
    counts = np.zeros((len(seed), urns.cells), np.int64)
    at = seed.copy()
    for s in range(len(urns.stratum) - 1):
        lacking, rows = target[:, s].copy(), np.arange(len(seed))
        for attempt in range(_ATTEMPTS + 1):
            if attempt == _ATTEMPTS:
                raise ValueError("cells: the Poisson numbers exceed the draws")
            numbers = _numbers(urns, first, s, at, rows)
            short = target[rows, s] - numbers.sum(axis=1)
            kept = short >= 0
            counts[rows[kept]] += numbers[kept]
            lacking[rows] = short
            rows = rows[~kept]
            if not len(rows):
                break
        owner = urns.owner[urns.owner_start[s] : urns.owner_start[s + 1]]
        _add_lacking(counts, owner, at, lacking)
    return counts.astype(np.int32), at


def _numbers(urns: Urns, first: Int64, stratum: int, at: Words, rows: Int64) -> Int64:
    """Poisson numbers of some samples, whose streams are advanced."""
    parts = np.arange(urns.stratum[stratum], urns.stratum[stratum + 1])
    sizes = np.diff(urns.place_start)[parts]
    place = (
        urns.place[urns.place_start[parts[0]] :][: sizes.sum()] if len(parts) else urns.place[:0]
    )
    part = np.repeat(parts, sizes)
    words = mix_bits(at[rows][:, None] + distance_of(np.arange(1, len(place) + 1)))
    at[rows] += distance_of(len(place))
    number = (
        _thresholds_reached_by(urns, first, part, words)
        + (urns.least - urns.below_start[:-1])[part]
    )
    cell = (np.arange(len(rows)) * urns.cells)[:, None] + place
    counts = np.bincount(cell.ravel(), weights=number.ravel(), minlength=len(rows) * urns.cells)
    return counts.astype(np.int64).reshape(len(rows), urns.cells)


def _firsts(urns: Urns) -> Int64:
    """For each part and each value of the leading bits of a word: the first threshold that these
    bits alone do not reach.
    """
    leads = np.arange(1 << _BITS, dtype=np.uint64) << np.uint64(64 - _BITS)
    first_by_part = [
        np.searchsorted(urns.of(part)[2], leads, side="right") for part in range(len(urns.least))
    ]
    return np.concatenate(
        [
            np.zeros(0, np.int64),
            *(first_by_part + urns.below_start[:-1, None] if first_by_part else []),
        ]
    )


def _thresholds_reached_by(urns: Urns, first: Int64, part: Int64, words: Words) -> Int64:
    """For each word, the index among all thresholds of the first one of its part that it does not
    reach.
    """
    cell = first.take((words >> np.uint64(64 - _BITS)).astype(np.int64) + (part << _BITS))
    end = np.broadcast_to(urns.below_start[1:][part], words.shape).ravel()
    # The leading bits give the starting point; the next thresholds are checked one by one.
    flat, word = cell.ravel(), words.ravel()
    below = np.append(urns.below, np.uint64(0))
    left = np.flatnonzero((flat < end) & (below.take(flat) <= word))
    while len(left):
        flat[left] += 1
        more = (flat[left] < end[left]) & (below[flat[left]] <= word[left])
        left = left[more]
    return cell


def _add_lacking(counts: Int64, owner: Int32, at: Words, lacking: Int64) -> None:
    which = np.repeat(np.arange(len(lacking)), lacking)
    number = np.arange(len(which)) - np.repeat(np.cumsum(lacking) - lacking, lacking) + 1
    words = mix_bits(at[which] + distance_of(number))
    pick = upper(words, np.uint64(len(owner)))
    if len(which):
        np.add.at(counts, (which, owner[pick.astype(np.int64)]), 1)
    at += distance_of(lacking)


def upper(word: Words, size: np.uint64 | Words) -> Words:
    """The upper half of word x size, which has 128 bits; size is below 2^32."""
    half = np.uint64(32)
    return ((word >> half) * size + (((word & _LOW) * size) >> half)) >> half


def distance_of(count: object) -> Any:
    """How far the state of a stream moves in this many words."""
    return np.asarray(count, np.uint64) * np.uint64(_GAMMA)


def mix_bits(state: Words) -> Words:
    word = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))
