"""The tails of S = m AP in blocks of equal score, by convolution over blocks and over runs of small
late ones.

This is `by_rank.tails` with steps of another kind: runs of blocks that have a share of their first
rank. The mean of a run, given the hits before and inside it, is exact. A single hit in a run of few
blocks is put into each of them. If hits are plenty, the blocks after some 64 expected hits follow a
Pearson III distribution with the exact conditional mean. Its variance, skewness and kurtosis are
those of the same blocks with small late ones joined.
"""

from __future__ import annotations

from functools import lru_cache, partial
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core.ragged import Float64, Int64
from precall.stats.null.tail import atoms, by_rank, convolution, moments
from precall.stats.null.tail.atoms import AtomTable, Mixed
from precall.stats.null.tail.block_moments import (
    TiedBlocks,
    coefficients,
    cumulants_of,
    join_late_blocks,
    powers,
)
from precall.stats.null.tail.by_rank import HEAD, SHARE, pearson_iii, ranks
from precall.stats.null.tail.convolution import (
    APART,
    WHOLE,
    Grid,
    Places,
    State,
    Step,
    gather,
    rows,
    sizes,
)
from precall.stats.null.tail.misses import COARSER, FINE, POINTS
from precall.stats.null.tail.staircase import Sparse, Tails, gather_with_atoms

if TYPE_CHECKING:
    import numpy.typing as npt


#: Cells per standard deviation if most items are relevant: then there are many steps compared with
#: the small loss by one miss.
FINER = 60
#: Cells per standard deviation of the sum over the blocks after those that are convolved.
_ROUNDED = 3
#: Cells per standard deviation if atoms are kept apart, also how many times finer than usual a grid
#: may be; and how many first blocks are steps of their own if atoms are kept apart.
_FINEST, _ALONE = 100, 300
#: Values are atoms with at most this many hits outside the largest blocks; in these, hits have at
#: most this many ways to be distributed; and the number of largest blocks, at most.
_OUTSIDE, _WAYS, _LARGE = 12.0, 1000.0, 16
#: Blocks joined in a run have this share of their rank. In the lower tail of few hits the error is
#: greater than in the variance.
_PIECES = 0.003
#: Up to this cutoff one grid is enough.
_SHORT = 300


def tails_of(
    items: int, relevant: int, blocks: TiedBlocks, exact: tuple[float, float]
) -> Tails | AtomTable:
    """The tails of S from grids for all blocks together; `exact` has the mean and the variance of
    AP.
    """
    if few_hits(items, relevant):
        return _by_first_hits(items, relevant, blocks, exact)
    if is_concentrated(items, relevant, blocks.size):
        return _keep_atoms_apart(items, relevant, blocks, exact)
    usual = _spread(items, relevant, exact) / (FINE if 2 * relevant <= items else FINER)
    count = _head(items, relevant, blocks)
    rest = _Rest(items, relevant, blocks, count)
    # Hits in large blocks make steps, which the blocks after them may hardly smooth.
    finest = min(usual, max(rest.narrowest / _ROUNDED, usual / _FINEST))
    steps = steps_of(blocks[:count], relevant / items)
    grids: list[Grid] = []
    for cell, points, limit in sizes(finest, exact[0] * relevant, POINTS, COARSER):
        state = rest.state(cell)
        state = convolution.convolve(items, relevant, steps, state, cell, (WHOLE[0], points))
        ended = state.start + state.values.shape[1] < points
        grids.append(gather(cell, np.inf if ended else limit, relevant, [(0, state)]))
        if ended:
            break
    return Tails(items, relevant, items, tuple(grids))


def few_hits(items: int, relevant: int) -> bool:
    """Whether hits are so few that the first ones are placed one by one."""
    return relevant <= 1.5 * HEAD and 2 * relevant <= items


def _spread(items: int, relevant: int, exact: tuple[float, float]) -> float:
    """Standard deviation of the sum over the hits after the first expected one."""
    middle = min(max(1, round(items / relevant)), items // 2)
    before = min(round(middle * relevant / items), relevant)
    rest = moments.block(middle, before, items - middle, relevant - before)[1]
    return sqrt(min(float(rest), exact[1] * relevant**2) or exact[1] * relevant**2)


def _by_first_hits(
    items: int, relevant: int, blocks: TiedBlocks, exact: tuple[float, float]
) -> Sparse:
    """The tails from ever coarser grids with their atoms, and by placing the first hits; see
    `staircase`.
    """
    finest, last, grids = _spread(items, relevant, exact) / by_rank.FINE, 0.0, list[Grid]()
    once = blocks.b.astype(np.float64)
    for cell, points, limit in sizes(finest, exact[0] * relevant, by_rank.POINTS, by_rank.COARSER):
        last = max(last, by_rank.ASKED / limit)
        # A hit in one of the first `far` blocks goes past the end of the grid.
        far = len(once) - int(np.searchsorted(once[::-1], 1.05 * points * cell))
        mixed = atoms.at_end(items, relevant, items)
        kept = [(items, mixed)]
        steps = (
            steps_of(blocks[far:], relevant / items, 0 if grids else _ALONE)
            if far < len(once)
            else []
        )
        for step in reversed(steps):
            mixed = atoms.convolve(items, relevant, [step], mixed, cell, (WHOLE[0], points))
            kept = [(step.rank, mixed), *(kept if kept[0][0] <= last else [])]
        state = mixed.state
        ended = not far and state.start + state.values.shape[1] < points
        grids.append(gather_with_atoms(cell, np.inf if ended else limit, relevant, kept))
        if ended:
            break
        last = by_rank.ASKED / limit
    return Sparse(items, relevant, items, tuple(grids), blocks)


@lru_cache(maxsize=64)
def at_cutoff(items: int, relevant: int, cutoff: int) -> Tails | AtomTable:
    """The tails of S = m AP if only the first `cutoff` ranks count.

    Few hits, or few misses, among these ranks make atoms.
    """
    hits, misses = cutoff * relevant / items, cutoff * (items - relevant) / items
    if min(hits, misses) > _OUTSIDE:
        return by_rank.tails(items, relevant, cutoff)
    exact = moments.mean(items, relevant, cutoff), moments.variance(items, relevant, cutoff)
    return _keep_atoms_apart(
        items, relevant, coefficients(np.ones(cutoff, np.int64), "expected"), exact
    )


def few_early(items: int, relevant: int, cutoff: int) -> bool:
    """Whether hits, or misses, are so few among so many first ranks that tails are better computed
    for each number of them.

    The lower tail is that of one hit, two hits, ..., which stand late: their sum is next to nothing
    compared with a cell of any grid.
    """
    return cutoff > _SHORT and cutoff * min(relevant, items - relevant) <= _OUTSIDE * items


def is_concentrated(items: int, relevant: int, size: Int64) -> bool:
    """Whether so few hits, or misses, stand outside some large blocks that single values have a
    visible probability.
    """
    few = min(relevant, items - relevant)
    large = np.sort(size)[::-1]
    share = few / items
    spread = np.sqrt(large * share * (1 - share) * (1 - large / items))
    # About the number of ways to distribute hits over the largest blocks.
    ways = np.cumprod(1 + 2.5 * spread[1:_LARGE])
    count = 1 + int(np.searchsorted(ways, _WAYS))
    return float((items - large[:count].sum()) * share) <= _OUTSIDE


def _keep_atoms_apart(
    items: int, relevant: int, blocks: TiedBlocks, exact: tuple[float, float]
) -> AtomTable:
    """The tails with atoms, for few hits outside large blocks: all blocks are convolved, the first
    ones one by one.
    """
    last = blocks.rank + blocks.items
    finest = sqrt(exact[1]) * relevant / _FINEST
    steps = steps_of(blocks, relevant / items, _ALONE)
    levels: list[tuple[float, float, Mixed]] = []
    for cell, points, limit in sizes(finest, exact[0] * relevant, POINTS, COARSER):
        mixed = atoms.convolve(
            items, relevant, steps, atoms.at_end(items, relevant, last), cell, (WHOLE[0], points)
        )
        ended = mixed.state.start + mixed.state.values.shape[1] < points
        levels.append((cell, np.inf if ended else limit, mixed))
        if ended:
            break
    return atoms.table(levels, relevant)


def _head(items: int, relevant: int, blocks: TiedBlocks) -> int:
    """The number of blocks that are convolved one after another: all, if hits or misses are few."""
    few = min(relevant, items - relevant)
    if few <= 1.5 * HEAD:
        return len(blocks.size)
    rank = HEAD * items / few
    stop = int(np.searchsorted(blocks.end, rank))
    # The block at this rank is convolved, unless it has so many hits that it is as smooth as the
    # blocks after it.
    stop += int(blocks.end[stop] <= 4 * rank)
    # The hits before the last block determine those in it: nothing is left to chance.
    return stop if stop < len(blocks.end) - 1 else len(blocks.end)


class _Rest:
    """The sum over the blocks after the first `count`, given the hits before."""

    def __init__(self, items: int, relevant: int, blocks: TiedBlocks, count: int) -> None:
        self._items, self._relevant = items, relevant
        self._end = count == len(blocks.size)
        self.narrowest = np.inf
        if not self._end:
            self._low, self._chance = rows(items, relevant, blocks[count:].rank)
            before = np.arange(self._low, self._low + len(self._chance))
            self._run = EqualBlocks(blocks[count:], int(before.mean()))
            self._moments = self._run(before, relevant - before)
            varies = self._moments[1] > 0
            self.narrowest = float(np.sqrt(self._moments[1][varies].min()))

    def state(self, cell: float) -> State:
        """The tails on points that are a `cell` apart, a row for each number of hits before."""
        if self._end:
            return convolution.at_end(self._items, self._relevant, self._items)
        return pearson_iii(self._low, self._chance, *self._moments, self._shape, cell)

    def _shape(self, hits: int) -> tuple[float, float]:
        return cumulants_of(hits, self._relevant - hits, self._run.short)[2:]


def steps_of(
    blocks: TiedBlocks, share: float, alone: int = 0, most: int = 2**62, late: float = 1.0
) -> list[Step]:
    """A step for each block, or for each run of blocks that has a share of its first rank.

    A `share` of the items is relevant. The first `alone` blocks are steps of their own. A run has
    at most `most` blocks, and at most a `late` share of the blocks that are left: all hits of a low
    sum stand in the last blocks.
    """
    others = np.append(np.flatnonzero(blocks.size > 1), len(blocks.size))
    steps: list[Step] = []
    i = 0
    while i < len(blocks.size):
        rank = int(blocks.end[i] - blocks.size[i])
        wanted = rank + (1 if i < alone else max(int(SHARE * rank), 1))
        stop = max(int(np.searchsorted(blocks.end, wanted, "right")), i + 1)
        stop = min(stop, i + most, i + max(int(late * (len(blocks.size) - i)), 1))
        single = int(others[np.searchsorted(others, i)]) >= stop
        steps.append(_step(blocks[i:stop], single, int(share * rank)))
        i = stop
    return steps


def _step(blocks: TiedBlocks, single: bool, before: int) -> Step:
    # Blocks of one item are steps as without ties.
    rank, size = blocks.rank, blocks.items
    if single:
        return Step(rank, size, partial(_untie, rank, size), ranks(rank, size))
    a, b, c = blocks.terms
    if len(blocks.size) == 1:
        return Step(rank, size, partial(_amount, a[0], b[0], c[0]))
    places = Places(a, b, blocks.size / size) if len(blocks.size) <= APART else None
    return Step(rank, size, EqualBlocks(blocks, before), places)


class EqualBlocks:
    """Mean and variance of the sum over several blocks, given the hits before and inside them.

    The mean is exact; the variance is that of the `short` blocks, some of which are joined. Both
    moments are polynomials in the hits before. Values at three numbers of hits determine them:
    `middle`, near which they are asked, and the next two.
    """

    def __init__(self, blocks: TiedBlocks, middle: int = 0) -> None:
        self._items = blocks.items
        self.short: TiedBlocks = join_late_blocks(blocks, APART, _PIECES)
        self._places = (middle, middle + 1, middle + 2)
        self._rows = [powers(self.short, before) for before in self._places]
        g, r = blocks.size, blocks.end - blocks.size - blocks.rank
        once, pairs = blocks.a * g, blocks.a * g * r + blocks.c * g * (g - 1)
        self._means = (blocks.b * g).sum(), once.sum(), pairs.sum()

    def __call__(self, before: object, hits: object) -> tuple[Float64, Float64]:
        t = np.asarray(before, np.longdouble) - self._places[0]
        p = moments.products(self._items, np.asarray(hits, np.longdouble), 4)
        first, second = (
            self._between(
                t, [sum(c * one for c, one in zip(row[k], p, strict=True)) for row in self._rows]
            )
            for k in (0, 1)
        )
        own, earlier, pairs = self._means
        mean = p[1] * (own + earlier * np.asarray(before)) + p[2] * pairs
        return mean.astype(np.float64), np.maximum(second - first * first, 0).astype(np.float64)

    def _between(self, t: Any, at: list[Any]) -> Any:
        """The value at t after the first of three neighbours, by Newton's formula."""
        return at[0] + t * (at[1] - at[0]) + t * (t - 1) / 2 * (at[2] - 2 * at[1] + at[0])


def _amount(
    a: float, b: float, c: float, before: npt.NDArray[Any], hits: npt.NDArray[Any]
) -> tuple[Float64, Float64]:
    return a * hits * before + b * hits + c * hits * (hits - 1), 0.0 * before * hits


def _untie(rank: int, size: int, before: object, hits: object) -> tuple[Float64, Float64]:
    return moments.block(rank, before, size, hits)
