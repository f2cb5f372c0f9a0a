"""The tails of S where large blocks of equal score stand before others.

How many hits are in the last large block, and how many before it, moves S by far more than where
the hits behind it are: for given numbers S is a narrow cluster of values, beside which the cells of
a grid over all of S are wide. So hits and sums up to that block are listed, and what the blocks
behind it add is convolved on a grid of its own. There each row counts from a line that is near its
mean, so that all rows are as short as a cluster.
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

#: A block is large with this share of the items.
LARGE = 0.1
#: Numbers of hits before the block, and up to it, at most; and blocks.
_BEFORE, _BEHIND, _FIRST = 60, 400, 1000
#: Or so many numbers of hits, times blocks.
_WAYS = 10_000
#: With so few misses in so many blocks all of them are followed as those behind a large block are.
_MISSES, _SHORT = 12, 10_000
#: Cells per standard deviation of what follows the block.
_CELLS = 200
#: Sums that are listed on the way, at most, and the share of the tails from which one is kept as it
#: is.
_LISTED, _SHARE = 2000, 4e-3
#: In a smaller tail, of which no accuracy is stated, none is.
_FAR = 1e-9
#: For each number of hits.
_EACH = 100
#: So many first blocks, and blocks behind the last large one, are steps of their own.
_ALONE = 60, 100
#: A run of blocks behind is this share of those that are left.
_LATE = 0.05
#: Pairs of a value asked for and a cluster, at a time.
_AT_ONCE = 2**20

#: By rank, what is added after it: about start + slope times the hits before.
Lines: TypeAlias = dict[int, tuple[float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class BlockClusters:
    """P(S >= s): clusters of values that begin at `place`, each as far apart as one row of `behind`
    has them.
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
        for part in np.array_split(np.arange(len(s)), int((stop - start).sum()) // _AT_ONCE + 1):
            owner, cluster = spread(start[part], stop[part] - start[part])
            u = s[part][owner] - here.value[cluster]
            cells = np.clip(u / self.cell - state.start + 2, 0.0, len(values) - 2.0)
            below = cells.astype(np.int64)
            p = values[below] + (cells - below) * (values[below + 1] - values[below])
            p += tail[np.searchsorted(some.value, u)]
            result[part] += np.bincount(owner, here.mass[cluster] * p, len(part))
        return np.asarray(result, np.float64)

    def heavy(self) -> tuple[Float64, Float64]:
        """The most probable values, those on the grid at its points."""
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
    """How many blocks there are up to the last large one; None where no others follow a large
    block.

    Or where too many ways lead to it or past it: those let no cluster show, or take too long.
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
    """The tails of S in these blocks, whose AP has the `exact` mean and variance."""
    stop = last_large(items, relevant, blocks)
    if (
        stop is None
        and items - relevant <= _MISSES
        and 2 * relevant > items
        and len(blocks.size) <= _SHORT
    ):
        # High values are those of misses late in the list: one by one, as beside a cluster.
        stop = 0
    if stop is None:
        return in_blocks.tails_of(items, relevant, blocks, exact)
    return around(items, relevant, blocks, stop)


def around(items: int, relevant: int, blocks: TiedBlocks, stop: int) -> BlockClusters:
    """The tails of S by the hits in the first blocks up to `stop`, the last large one, and behind
    them.
    """
    first, after = (
        in_blocks.steps_of(some, relevant / items, alone, max(APART, len(some.size) // 100), late)
        for some, alone, late in zip(
            (blocks[:stop], blocks[stop:]), _ALONE, (1.0, _LATE), strict=True
        )
    )
    low, place = _list_first(items, relevant, first, blocks)
    # The fewer they are, the nearer to its end is a tail that is as small.
    finer = max(_MISSES // min(relevant, items - relevant), 1) if relevant < items else 1
    cell = _deviation(relevant, blocks[stop:]) / (_CELLS * finer) or 1.0
    ends = [step.rank for step in after] + [items]
    bend = cell * round(_Expected.of(relevant, blocks, ends[0]).bend / cell)
    lines = {end: _Expected.of(relevant, blocks, end).line(relevant, cell, bend) for end in ends}
    steps = [_from_lines(step, lines, bend) for step in after]
    mixed = atoms.at_end(items, relevant, items)
    mixed = atoms.convolve(items, relevant, steps, mixed, cell, convolution.WHOLE)
    row = place.row + low
    start, slope = lines[ends[0]]
    value = place.value + start + slope * row + bend * (row * (row - 1) / 2)
    # Rows with next to no probability have been left out behind.
    known = (row >= mixed.state.low) & (row < mixed.state.low + len(mixed.state.values))
    return BlockClusters(Atoms(row - mixed.state.low, value, place.mass)[known], mixed, cell)


def _deviation(relevant: int, after: TiedBlocks) -> float:
    """Standard deviation of what these last blocks, if any, add to as many hits before as are
    expected.
    """
    if not len(after.size):
        return 0.0
    near = round(relevant * after.rank / (after.rank + after.items))
    near = min(max(near, relevant - after.items + 1), relevant - 1)
    mean, variance = in_blocks.EqualBlocks(after, near)(near, relevant - near)
    return sqrt(max(float(variance), 1e-12 * float(mean) ** 2))


@dataclass(frozen=True, slots=True)
class _Expected:
    """What the blocks after a rank add to h hits on average, exactly: start + slope h + bend h
    (h-1)/2.
    """

    rank: int
    last: int
    start: float
    slope: float
    bend: float
    whole: tuple[float, float]
    """Start and slope where all their items are hits."""

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
        """Start and slope with this bend, whole cells from what no hits add, or, where these are
        fewer, no misses.

        Otherwise every step would spread that over two cells.
        """
        near, more = relevant * self.rank / self.last, self.bend - bend
        own = self.start - more * near**2 / 2, self.slope + more * (near - 0.5)
        least = self.whole if 2 * relevant > self.last else (0.0, 0.0)
        start, slope = (
            cell * round((one - base) / cell) + base for one, base in zip(own, least, strict=True)
        )
        # Behind the last one nothing is added.
        return (
            -slope * relevant - bend * (relevant * (relevant - 1) / 2)
            if self.rank == self.last
            else start
        ), slope


def _from_lines(step: Step, lines: Lines, bend: float) -> Step:
    """The step where rows count from lines: what follows it has another one than what it begins
    with.
    """
    (start, slope), (later, steeper) = lines[step.rank], lines[step.rank + step.size]

    def amount(before: Any, hits: Any) -> tuple[Any, Any]:
        mean, variance = step.amount(before, hits)
        # What rounding leaves of a variance of 0 would show beside the short way to a line.
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
    """Hits in these first blocks, from the least number on, and their sums."""
    sums, least = Atoms(np.zeros(1, np.int64), np.zeros(1), np.ones(1)), 0
    for step in steps:
        low, weight = rows(items, relevant, step.rank)
        least, reached = rows(items, relevant, step.rank + step.size)
        pairs = convolution.paired(
            items,
            relevant,
            step,
            State(least, 0, np.empty((len(reached), 1))),
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
    """From the hits before a step to those after it; what is spread is put at two places, a
    deviation off the mean.
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
    """Where they are many, light ones near each other, by what S is `expected` to be, as two with
    the same moments.
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
    # Of small tails a greater share may be in one group.
    place = np.sign(odds) * np.log1p(np.abs(odds))
    bounds = np.flatnonzero(np.append(True, np.diff(sums.row) != 0))
    width = 2 * np.abs(place[np.append(bounds[1:], len(place)) - 1] - place[bounds]).sum() / most
    # Every row has bounds of its own, so that what they do to sums has either sign.
    group = np.floor(place / width + 0.618 * sums.row)
    new = (np.diff(sums.row) != 0) | (np.diff(group) != 0) | heavy[1:] | heavy[:-1]
    return _paired_up(sums, np.flatnonzero(np.append(True, new)))


def _paired_up(sums: Atoms, first: Int64) -> Atoms:
    """Groups that begin at these places, as two atoms each with their mass and first three
    moments.
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
