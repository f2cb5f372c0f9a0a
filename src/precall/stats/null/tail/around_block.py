"""The tails of S if large blocks of equal score stand before others.

S depends far more on the numbers of hits in the last large block and before it than on the ranks of
the hits behind it. For given numbers S is a narrow cluster of values, and the cells of a grid over
all of S are wide compared with a cluster. So hits and sums up to that block are listed, and the sum
over the blocks behind it is convolved on a grid of its own. On that grid each row counts from a
line near its mean, so that all rows are as short as a cluster.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, TypeAlias

import numpy as np

from precall.core.ragged import Float64, Int64, spread
from precall.stats.null.tail import atoms, convolution, in_blocks
from precall.stats.null.tail.atoms import ROUNDING, Atoms, AtomTable, Mixed
from precall.stats.null.tail.block_moments import TiedBlocks
from precall.stats.null.tail.convolution import (
    APART,
    LEAST,
    ROUGH,
    Places,
    ShiftPairs,
    State,
    Step,
    rows,
)
from precall.stats.null.tail.staircase import Tails

#: A block is large if it has this share of the items.
LARGE = 0.1
#: At most: numbers of hits before the last large block, numbers of hits up to it, blocks up to it.
_BEFORE, _BEHIND, _FIRST = 60, 400, 1000
#: More numbers of hits before the block are allowed if these times the blocks are at most this.
_WAYS = 10_000
#: With up to this many misses and blocks, all blocks are treated like those behind a large block.
_MISSES, _SHORT = 12, 10_000
#: Cells per standard deviation of the sum behind the block.
_CELLS = 200
#: How many sums are listed on the way, at most; a sum with more than this share of a tail is kept
#: unchanged.
_LISTED, _SHARE = 2000, 4e-3
#: In smaller tails, whose accuracy is not stated, no sum is kept unchanged.
_FAR = 1e-9
#: This many sums may be listed per number of hits, even if they are more than `_LISTED` in all.
_EACH = 100
#: How many first blocks, and blocks behind the last large one, are steps of their own.
_ALONE = 60, 100
#: A run of the blocks behind has at most this share of the blocks that are left.
_LATE = 0.05
#: Pairs of a requested value and a cluster that are worked on at a time.
_AT_ONCE = 2**20

#: Start and slope by rank: the sum after the rank is about start + slope times the hits before it.
Lines: TypeAlias = dict[int, tuple[float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class BlockClusters:
    """P(S >= s) from clusters of values.

    Each cluster begins at an atom of `place` and has the distances of one row of `behind`.
    """

    place: Atoms
    behind: Mixed
    cell: float

    def __call__(self, s: Float64) -> Float64:
        """One tail probability for each s."""
        result = np.zeros(len(s))
        for row in np.unique(self.place.row).tolist():
            result += self._in_row(s, row)
        return np.clip(result, 0.0, 1.0)

    def _in_row(self, s: Float64, row: int) -> Float64:
        here, some = _row(self.place, row), _row(self.behind.atoms, row)
        state = self.behind.state
        values = np.concatenate(([state.tops[row]] * 2, state.values[row], [0.0, 0.0]))
        first, last = (
            (state.start - 1) * self.cell,
            (state.start + state.values.shape[1]) * self.cell,
        )
        if len(some.value):
            first, last = (
                min(first, some.value[0] - self.cell),
                max(last, some.value[-1] + self.cell),
            )
        above = np.append(np.cumsum(here.mass[::-1])[::-1], 0.0)
        tail = np.append(np.cumsum(some.mass[::-1])[::-1], 0.0)
        stop = np.searchsorted(here.value, s - first, "right")
        result: Float64 = above[stop] * (tail[0] + state.tops[row])
        start = np.searchsorted(here.value, s - last)
        for batch in np.array_split(np.arange(len(s)), int((stop - start).sum()) // _AT_ONCE + 1):
            owner, cluster = spread(start[batch], stop[batch] - start[batch])
            u = s[batch][owner] - here.value[cluster]
            cells = np.clip(u / self.cell - state.start + 2, 0.0, len(values) - 2.0)
            below = cells.astype(np.int64)
            p = values[below] + (cells - below) * (values[below + 1] - values[below])
            p += tail[np.searchsorted(some.value, u)]
            result[batch] += np.bincount(owner, here.mass[cluster] * p, len(batch))
        return np.asarray(result, np.float64)

    def heavy(self) -> tuple[Float64, Float64]:
        """The most probable values and their masses; on the grid, half-way between two points."""
        values, masses = [np.zeros(0)], [np.zeros(0)]
        state = self.behind.state
        points = (state.start - 0.5 + np.arange(state.values.shape[1] + 1)) * self.cell
        for row in np.unique(self.place.row).tolist():
            here, some = _row(self.place, row), _row(self.behind.atoms, row)
            off = np.append(some.value, points)
            mass = np.append(
                some.mass, -np.diff(state.values[row], prepend=state.tops[row], append=0.0)
            )
            many = np.argsort(-here.mass, kind="stable")[: 4 * atoms.MOST // len(off) + 1]
            values.append(np.add.outer(here.value[many], off).ravel())
            masses.append(np.outer(here.mass[many], mass).ravel())
        value, mass = np.concatenate(values), np.maximum(np.concatenate(masses), 0.0)
        kept = np.argsort(-mass, kind="stable")[: atoms.MOST]
        return value[kept], mass[kept]


def _row(some: Atoms, row: int) -> Atoms:
    return some[slice(*np.searchsorted(some.row, [row, row + 1]))]


def last_large(items: int, relevant: int, blocks: TiedBlocks) -> int | None:
    """The number of blocks up to the last large one; None if there is none, or if it is the last.

    Also None if too many ways lead to it or past it: then no cluster is visible, or following them
    takes too long.
    """
    large = np.flatnonzero(blocks.size >= LARGE * items)
    if not len(large) or large[0] == len(blocks.size) - 1 or large[-1] >= _FIRST:
        return None
    end = int(blocks.end[large[-1]])
    before, behind = (
        len(rows(items, relevant, rank)[1]) for rank in (end - int(blocks.size[large[-1]]), end)
    )
    if behind > _BEHIND or (before > _BEFORE and before * int(large[-1]) > _WAYS):
        return None
    return int(large[-1]) + 1


def tails_of(
    items: int, relevant: int, blocks: TiedBlocks, exact: tuple[float, float]
) -> Tails | AtomTable | BlockClusters:
    """The tails of S in these blocks; `exact` has the mean and the variance of AP."""
    stop = last_large(items, relevant, blocks)
    if (
        stop is None
        and items - relevant <= _MISSES
        and 2 * relevant > items
        and len(blocks.size) <= _SHORT
    ):
        # High values are those of misses late in the list. They need steps of their own, as in a
        # cluster.
        stop = 0
    if stop is None:
        return in_blocks.tails_of(items, relevant, blocks, exact)
    return around(items, relevant, blocks, stop)


def around(items: int, relevant: int, blocks: TiedBlocks, stop: int) -> BlockClusters:
    """The tails of S: sums over the first `stop` blocks are listed, blocks behind are convolved."""
    first, after = (
        in_blocks.steps_of(some, relevant / items, alone, max(APART, len(some.size) // 100), late)
        for some, alone, late in zip(
            (blocks[:stop], blocks[stop:]), _ALONE, (1.0, _LATE), strict=True
        )
    )
    low, sums = _list_first(items, relevant, first, blocks)
    # The fewer hits or misses, the nearer to the end of S is a tail of the same size.
    finer = max(_MISSES // min(relevant, items - relevant), 1) if relevant < items else 1
    cell = _deviation(relevant, blocks[stop:]) / (_CELLS * finer) or 1.0
    ends = [step.rank for step in after] + [items]
    bend = cell * round(_Expected.of(relevant, blocks, ends[0]).bend / cell)
    lines = {end: _Expected.of(relevant, blocks, end).line(relevant, cell, bend) for end in ends}
    steps = [_from_lines(step, lines, bend) for step in after]
    mixed = atoms.at_end(items, relevant, items)
    mixed = atoms.convolve(items, relevant, steps, mixed, cell, convolution.WHOLE)
    row = sums.row + low
    start, slope = lines[ends[0]]
    value = sums.value + start + slope * row + bend * (row * (row - 1) / 2)
    # The convolution has left out rows with next to no probability.
    kept = (row >= mixed.state.low) & (row < mixed.state.low + len(mixed.state.values))
    return BlockClusters(Atoms(row - mixed.state.low, value, sums.mass)[kept], mixed, cell)


def _deviation(relevant: int, after: TiedBlocks) -> float:
    """Standard deviation of the sum over these last blocks, given the expected number of hits
    before them; 0 without blocks.
    """
    if not len(after.size):
        return 0.0
    near = round(relevant * after.rank / (after.rank + after.items))
    near = min(max(near, relevant - after.items + 1), relevant - 1)
    mean, variance = in_blocks.EqualBlocks(after, near)(near, relevant - near)
    return sqrt(max(float(variance), 1e-12 * float(mean) ** 2))


@dataclass(frozen=True, slots=True)
class _Expected:
    """The exact mean of the sum over the blocks after a rank, given h hits before it: start + slope
    h + bend h (h-1)/2.
    """

    rank: int
    last: int
    start: float
    slope: float
    bend: float
    whole: tuple[float, float]
    """Start and slope if all items of these blocks are hits."""

    @classmethod
    def of(cls, relevant: int, blocks: TiedBlocks, rank: int) -> _Expected:
        after = blocks[int(np.searchsorted(blocks.end, rank, "right")) :]
        g, r, items = after.size, after.end - after.size - rank, int(blocks.end[-1]) - rank
        once, early = float((after.b * g).sum()), float((after.a * g).sum())
        pairs = float((after.a * g * r + after.c * g * (g - 1)).sum())
        b, a, c = once / max(items, 1), early / max(items, 1), pairs / max(items * (items - 1), 1)
        slope = (relevant - 1) * (a - 2 * c) - b
        start = relevant * (b + (relevant - 1) * c)
        return cls(rank, int(blocks.end[-1]), start, slope, 2 * (c - a), (once + pairs, early))

    def line(self, relevant: int, cell: float, bend: float) -> tuple[float, float]:
        """Start and slope for this `bend`, a whole number of cells from the sum without hits or, if
        misses are fewer, without misses.

        Otherwise every step would spread that sum over two cells.
        """
        near, more = relevant * self.rank / self.last, self.bend - bend
        own = self.start - more * near**2 / 2, self.slope + more * (near - 0.5)
        least = self.whole if 2 * relevant > self.last else (0.0, 0.0)
        start, slope = (
            cell * round((one - base) / cell) + base for one, base in zip(own, least, strict=True)
        )
        # After the last rank nothing is added: the line is 0 at `relevant` hits.
        return (
            -slope * relevant - bend * (relevant * (relevant - 1) / 2)
            if self.rank == self.last
            else start
        ), slope


def _from_lines(step: Step, lines: Lines, bend: float) -> Step:
    """The step for rows that count from lines: its amount includes the difference between the lines
    before and after it.
    """
    (start, slope), (later, steeper) = lines[step.rank], lines[step.rank + step.size]

    def amount(before: Any, hits: Any) -> tuple[Any, Any]:
        mean, variance = step.amount(before, hits)
        # Rounding leaves a little of a variance of 0, which is not small beside the short distance
        # to a line.
        variance = np.where(variance <= ROUNDING * mean**2, 0.0, variance)
        bent = bend * (before * hits + hits * (hits - 1) / 2)
        return mean + (later - start) + steeper * (before + hits) - slope * before + bent, variance

    places = step.places
    if places is not None:
        more = steeper - slope + bend
        places = Places(places.a + more, places.b + (later - start) + steeper, places.share)
    return Step(step.rank, step.size, amount, places)


def _list_first(
    items: int, relevant: int, steps: list[Step], blocks: TiedBlocks
) -> tuple[int, Atoms]:
    """The least number of hits in these first blocks, and their sums: row 0 has the sums with this
    number.
    """
    sums, least = Atoms(np.zeros(1, np.int64), np.zeros(1), np.ones(1)), 0
    for step in steps:
        low, weight = rows(items, relevant, step.rank)
        least, chances = rows(items, relevant, step.rank + step.size)
        pairs = convolution.pair_rows(
            items,
            relevant,
            step,
            State(least, 0, np.empty((len(chances), 1))),
            1.0,
            np.arange(low, low + len(weight)),
            weight,
            ROUGH,
            0.0,
        )
        sums = atoms.merge(atoms.shift(sums, _onwards(pairs), 1.0))
        if step is not steps[-1]:
            expected = _Expected.of(relevant, blocks, step.rank + step.size)
            row = sums.row + least
            sums = _thin(
                sums, sums.value + expected.slope * row + expected.bend * (row * (row - 1) / 2)
            )
    return least, sums


def _onwards(pairs: ShiftPairs) -> ShiftPairs:
    """The pairs reversed, from the hits before a step to those after it.

    An amount that varies becomes two values, a standard deviation below and above its mean.
    """
    wide = pairs.variance > ROUNDING * pairs.mean**2
    twice = np.concatenate((np.flatnonzero(~wide), np.flatnonzero(wide), np.flatnonzero(wide)))
    off = np.sqrt(pairs.variance[wide])
    mean = pairs.mean[twice] + np.concatenate((np.zeros((~wide).sum()), -off, off))
    chance = pairs.chance[twice] * np.where(wide, 0.5, 1.0)[twice]
    return ShiftPairs(
        pairs.source[twice], pairs.target[twice], mean, 0 * mean, chance, pairs.smooth[twice]
    )


def _thin(sums: Atoms, expected: Float64) -> Atoms:
    """Join sums if there are too many: groups of light ones with similar `expected` values of S
    become two atoms with the same moments.
    """
    most = max(_LISTED, _EACH * (int(sums.row[-1]) + 1))
    if len(sums.row) <= most:
        return sums
    order = np.argsort(expected, kind="stable")
    above, below = np.empty(len(order)), np.empty(len(order))
    above[order] = np.cumsum(sums.mass[order][::-1])[::-1]
    below[order] = np.cumsum(sums.mass[order])
    lesser = np.minimum(above, below)
    heavy = (sums.mass > _SHARE * lesser) & (lesser > _FAR)
    half = sums.mass / 2
    odds = np.log(np.maximum(above - half, LEAST)) - np.log(np.maximum(below - half, LEAST))
    # Logarithms of the odds: in small tails a group may have a greater share.
    position = np.sign(odds) * np.log1p(np.abs(odds))
    bounds = np.flatnonzero(np.append(True, np.diff(sums.row) != 0))
    width = (
        2
        * np.abs(position[np.append(bounds[1:], len(position)) - 1] - position[bounds]).sum()
        / most
    )
    # Every row has bounds of its own, so that the errors of grouping have either sign.
    group = np.floor(position / width + 0.618 * sums.row)
    new = (np.diff(sums.row) != 0) | (np.diff(group) != 0) | heavy[1:] | heavy[:-1]
    return _groups_as_pairs(sums, np.flatnonzero(np.append(True, new)))


def _groups_as_pairs(sums: Atoms, first: Int64) -> Atoms:
    """Replace each group of sums by two atoms with its mass and its first three moments.

    Groups begin at the indices `first`; those of one or two sums stay.
    """
    count = np.diff(np.append(first, len(sums.row)))
    mass = np.add.reduceat(sums.mass, first)
    off = sums.value - np.repeat(sums.value[first], count)
    mean = np.add.reduceat(sums.mass * off, first) / mass
    off -= np.repeat(mean, count)
    deviation = np.sqrt(np.add.reduceat(sums.mass * off**2, first) / mass)
    third = np.add.reduceat(sums.mass * off**3, first) / mass
    many = (count > 2) & (deviation > 0)
    kept = np.repeat(~many, count)
    start, deviation = first[many], deviation[many]
    half = np.clip(third[many] / deviation**3, -30, 30) / 2
    root = np.sqrt(1 + half * half)
    low, high = half - root, half + root
    value = sums.value[start] + mean[many]
    share = -low / (high - low)
    thinned = Atoms(
        np.concatenate((sums.row[kept], sums.row[start], sums.row[start])),
        np.concatenate((sums.value[kept], value + low * deviation, value + high * deviation)),
        np.concatenate((sums.mass[kept], mass[many] * (1 - share), mass[many] * share)),
    )
    return thinned[np.lexsort((thinned.value, thinned.row))]
