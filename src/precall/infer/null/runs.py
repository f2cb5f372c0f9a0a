"""The tails of S = m AP in blocks of equal score: convolution over blocks, and over runs of small late ones.

It is `tails` with steps of another kind. Blocks are taken one by one while they are few ranks; later ones are
joined to runs of a share of their first rank, whose mean and variance, given the hits before and inside them,
are exact. Where hits are plenty the blocks after some 64 expected ones start from a Pearson III law with the
exact conditional mean and variance, skewness and kurtosis.
"""

from __future__ import annotations

from functools import partial
from math import ceil, sqrt
from typing import Any

import numpy as np

from precall.infer.null import convolution, moments
from precall.infer.null.blockwise import Blocks, cumulants_of, joined, powers
from precall.infer.null.convolution import WHOLE, State, Step, rows
from precall.infer.null.grids import Grid, gathered
from precall.infer.null.losses import COARSER, FINE, POINTS
from precall.infer.null.staircase import Tails
from precall.infer.null.tails import HEAD, SHARE, skewed

#: Cells per standard deviation where most items are relevant: steps are many beside what one miss takes.
FINER = 60
#: Runs are joined where they have more ranks than this: in fewer the places of single hits are seen ...
_APART = 64
#: ... or after so many expected hits, where hits are plenty.
_BEFORE = 4
#: Blocks so small beside their rank are single items, as far as mean orders go: how far apart hits stand is the same.
_SMALL = 1 / 400
#: A share of the variance that does not matter.
_LOST = 3e-4


def tails_of(items: int, relevant: int, blocks: Blocks, ties: str, exact: tuple[float, float]) -> Tails:
    """The tails of S in these blocks, whose AP has the `exact` mean and variance."""
    middle = min(max(1, round(items / relevant)), items // 2)
    before = min(round(middle * relevant / items), relevant)
    rest = moments.block(middle, before, items - middle, relevant - before)[1]
    fine = FINE if 2 * relevant <= items else FINER
    cell = sqrt(min(float(rest), exact[1] * relevant**2) or exact[1] * relevant**2) / fine
    count = _head(items, relevant, blocks)
    few = min(relevant, items - relevant)
    apart = _APART / SHARE if few <= 1.5 * HEAD else min(_APART / SHARE, _BEFORE * items / few)
    steps = _steps(blocks[:count], ties, apart)
    lost = (moments.variance(items, relevant) - exact[1]) * relevant**2
    grids: list[Grid] = []
    while True:
        points = ceil(exact[0] * relevant / cell) + POINTS
        state = _remainder(items, relevant, blocks, count, ties, cell, lost)
        state = convolution.convolved(items, relevant, steps, state, cell, (WHOLE[0], points))
        ended = state.start + state.values.shape[1] < points
        grids.append(gathered(cell, np.inf if ended else (points - 50) * cell, relevant, [(0, state)]))
        if ended:
            return Tails(items, relevant, items, tuple(grids))
        cell *= COARSER


def _head(items: int, relevant: int, blocks: Blocks) -> int:
    """How many blocks are convolved one after another: all, where hits or misses are few."""
    few = min(relevant, items - relevant)
    if few <= 1.5 * HEAD:
        return len(blocks.size)
    ends = np.cumsum(blocks.size)
    rank = HEAD * items / few
    stop = int(np.searchsorted(ends, rank))
    # A block of very many hits is as smooth as what follows it.
    stop += int(ends[stop] <= 4 * rank)
    # The hits before a last block are the hits in it: nothing is left to chance.
    return stop if stop < len(ends) - 1 else len(ends)


def _remainder(
    items: int, relevant: int, blocks: Blocks, count: int, ties: str, cell: float, lost: float
) -> State:
    """What the blocks after the first `count` add, given the hits before; `lost` is the variance that ties take."""
    left = blocks[count:]
    rank = items - left.items
    low, chance = rows(items, relevant, rank)
    if not left.items:
        # An atom at 0 is spread evenly around it, so that it keeps its mean.
        return State(low, 0, np.full((len(chance), 1), 0.5))
    before = np.arange(low, low + len(chance))
    mean, variance = _untied(rank, left.items, before, relevant - before)
    if not _small(left, rank, ties) and (ties != "expected" or lost > _LOST * variance.min()):
        # Extended floats are slow, and needed only where nearly everything is relevant.
        left = left if 2 * relevant > items else left.narrowed()
        mean, variance = Run(left, int(before.mean()))(before, relevant - before)
    short = joined(left, rank, ties)

    def shape(hits: int) -> tuple[float, float]:
        return cumulants_of(hits, relevant - hits, short)[2:]

    return skewed(low, chance, mean, variance, shape, cell)


def _steps(blocks: Blocks, ties: str, apart: float) -> list[Step]:
    """A step per block, and per run of blocks after rank `apart`; single items are joined as without ties."""
    size = blocks.size
    ends = np.cumsum(size)
    others = np.append(np.flatnonzero(size > 1), len(size))
    found: list[Step] = []
    i = 0
    while i < len(size):
        rank = int(ends[i] - size[i])
        long = int(SHARE * rank)
        stop = max(int(np.searchsorted(ends, rank + max(long, 1), "right")), i + 1)
        single = int(others[np.searchsorted(others, i)])
        if rank <= apart:
            stop = min(stop, max(single, i + 1))
        found.append(_step(blocks[i:stop], rank, single >= stop, ties))
        i = stop
    return found


def _step(blocks: Blocks, rank: int, single: bool, ties: str) -> Step:
    if single:
        return Step(rank, blocks.items, partial(_untied, rank, blocks.items))
    if len(blocks.size) == 1:
        a, b, c = (float(one[0]) for one in (blocks.a, blocks.b, blocks.c))
        return Step(rank, blocks.items, partial(_amount, a, b, c), tied=True)
    if _small(blocks, rank, ties):
        return Step(rank, blocks.items, partial(_untied, rank, blocks.items), tied=True)
    return Step(rank, blocks.items, Run(blocks), tied=True)


def _small(blocks: Blocks, rank: int, ties: str) -> bool:
    """Whether their ties matter so little; whole blocks always do, as their ends are what counts."""
    return ties == "expected" and bool(np.all(blocks.size <= _SMALL * (rank + np.cumsum(blocks.size))))


class Run:
    """Mean and variance of what several blocks add, given the hits before and inside them.

    Both moments are polynomials in the hits before: exact at three numbers of them, so everywhere.

    Parameters
    ----------
    blocks : the blocks.
    middle : a number of hits before them near which it is asked, to keep digits.
    """

    def __init__(self, blocks: Blocks, middle: int = 0) -> None:
        self._items = blocks.items
        self._places = (middle, middle + 1, middle + 2)
        self._rows = [powers(blocks, place) for place in self._places]

    def __call__(self, before: Any, hits: Any) -> tuple[Any, Any]:
        t = np.asarray(before, np.longdouble) - self._places[0]
        p = moments.products(self._items, np.asarray(hits, np.longdouble), 4)
        mean, second = (
            self._between(t, [sum(c * one for c, one in zip(row[k], p, strict=True)) for row in self._rows])
            for k in (0, 1)
        )
        return mean.astype(np.float64), np.maximum(second - mean * mean, 0).astype(np.float64)

    def _between(self, t: Any, at: list[Any]) -> Any:
        """Newton's formula through three neighbours."""
        return at[0] + t * (at[1] - at[0]) + t * (t - 1) / 2 * (at[2] - 2 * at[1] + at[0])


def _untied(rank: int, size: int, before: Any, hits: Any) -> tuple[Any, Any]:
    return moments.block(rank, before, size, hits)


def _amount(a: float, b: float, c: float, before: Any, hits: Any) -> tuple[Any, Any]:
    return a * hits * before + b * hits + c * hits * (hits - 1), 0.0 * before * hits
