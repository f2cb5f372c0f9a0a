"""The tail of S = m AP at every s, from one to four convolutions and a tree of the first hits.

Rare targets make a staircase: a hit at rank 1 adds 1, one at rank 2 adds 1/2 ..., each step smeared
by the little that all other hits add, in proportion some 10^-5 for ten hits in a million. So

* the ranks are convolved on grids that each begin at 0 and are 64 times coarser than the last. The
  finest shows the smear, but only for a small u: up to the rank `far` any hit is more than the
  whole grid;
* where u is beyond the finest grid, the next hit is placed rank by rank when a tail is asked for,
  until what is left is inside it. Placements that matter little, and those too many for a single
  one to matter, are looked up in a coarser grid instead;
* where hits are plenty, one grid is enough, and the convolution may begin with the ranks that come
  after some 64 expected hits: given the hits before, what those add follows a Pearson III
  distribution with the exact conditional mean, variance and skewness, corrected for the exact
  kurtosis.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from math import sqrt
from types import ModuleType
from typing import Any

import numpy as np

from precall.core.errors import require_module
from precall.core.ragged import Float64
from precall.stats.null.tail import convolution, moments
from precall.stats.null.tail.convolution import (
    APART,
    Grid,
    Places,
    State,
    Step,
    gather,
    rows,
    sizes,
)
from precall.stats.null.tail.moments import rest_cumulants
from precall.stats.null.tail.staircase import Tails

#: Expected hits that are convolved one block after another; the rest is Pearson III.
HEAD = 64
#: Cells per standard deviation of what the hits after the first expected one add.
FINE = 24
#: Points of a grid, and by what the next one is coarser.
POINTS, COARSER = 2000, 64
#: Blocks are this share of their first rank, when ranks are not taken one by one.
SHARE = 0.1
#: States are kept up to so many times the rank where a hit is as much as the grid before is long.
ASKED = 24


@lru_cache(maxsize=64)
def tails(items: int, relevant: int, cutoff: int | None = None, rough: bool = False) -> Tails:
    """The tails of S for `relevant` of `items`, only the first `cutoff` ranks counted.

    `rough` ones are for mixtures and outlines, where a thousandth more or less is none: fewer
    cells, longer blocks.
    """
    end = items if cutoff is None else min(cutoff, items)
    middle = min(max(1, round(items / relevant)), max(end // 2, 1))
    before = min(round(middle * relevant / items), middle, relevant)
    spread = moments.block(middle, before, items - middle, relevant - before, max(end - middle, 0))[
        1
    ]
    total = moments.variance(items, relevant, cutoff) * relevant**2
    fine, room, share = (FINE / 3, POINTS // 3, 2 * SHARE) if rough else (FINE, POINTS, SHARE)
    finest = sqrt(float(spread) or total) / fine
    mean = moments.mean(items, relevant, cutoff) * relevant
    grids: list[Grid] = []
    last = 0.0
    for cell, points, limit in sizes(finest, mean, room, COARSER):
        last = max(last, ASKED / limit)
        far, states = _convolve(items, relevant, end, cell, points, last, bool(grids), share)
        first = states[0][1]
        ended = not far and first.start + first.values.shape[1] < points
        # One grid for all is asked after no rank but the first.
        states = states if grids or not ended else states[:1]
        grids.append(gather(cell, np.inf if ended else limit, relevant, states))
        if ended:
            break
        last = ASKED / limit
    return Tails(items, relevant, end, tuple(grids))


def _convolve(
    items: int,
    relevant: int,
    end: int,
    cell: float,
    points: int,
    last: float,
    coarse: bool,
    share: float,
) -> tuple[int, list[tuple[int, State]]]:
    """The first rank whose hit does not go past the end of the grid, and the states after it."""
    if min(relevant, items - relevant) / items * end > 1.5 * HEAD:
        stop = max(int(HEAD * items / relevant), 1)
        state = _remainder(items, relevant, stop, end, cell)
    else:
        stop, state = end, convolution.at_end(items, relevant, end)
    far = min(int(1 / (1.05 * points * cell)), stop)
    kept = [(stop, state)]
    # On a coarse grid the many hits still to come are one jump.
    window, rough = (convolution.WHOLE[0], points), relevant if coarse else convolution.ROUGH
    for step in reversed(_schedule(far, stop, share)):
        state = convolution.convolve(items, relevant, [step], state, cell, window, rough)
        kept = [(step.rank, state), *(kept if kept[0][0] <= last else [])]
    return far, kept


def _schedule(first: int, stop: int, share: float) -> list[Step]:
    steps: list[Step] = []
    rank = first
    while rank < stop:
        size = max(1, min(int(share * rank), stop - rank))
        steps.append(Step(rank, size, partial(_amount, rank, size), ranks(rank, size)))
        rank += size
    return steps


def ranks(rank: int, size: int) -> Places | None:
    """Each of `size` ranks after `rank` as a place of its own, where they are few."""
    if not 1 < size <= APART:
        return None
    inverse = 1 / np.arange(rank + 1.0, rank + size + 1)
    return Places(inverse, inverse, np.full(size, 1 / size))


def _amount(rank: int, size: int, before: Any, hits: Any) -> tuple[Any, Any]:
    if size == 1:
        return (before + 1) * hits / (rank + 1), 0.0 * before * hits
    return moments.block(rank, before, size, hits)


def beyond(amount: float, before: Any, hits: Any) -> tuple[Any, Any]:
    """Mean and variance of what is `amount` at least, however much more."""
    return np.where(hits > 0, amount, 0.0) + 0.0 * before, 0.0 * before * hits


def _remainder(items: int, relevant: int, rank: int, end: int, cell: float) -> State:
    """What the ranks after `rank` add, given the hits before."""
    low, chance = rows(items, relevant, rank)
    before = np.arange(low, low + len(chance))
    mean, variance = moments.block(rank, before, items - rank, relevant - before, end - rank)

    def shape(hits: int) -> tuple[float, float]:
        return rest_cumulants(rank, hits, items - rank, relevant - hits, end - rank)[2:]

    return pearson_iii(low, chance, mean, variance, shape, cell)


def pearson_iii(
    low: int,
    chance: Float64,
    mean: Float64,
    variance: Float64,
    shape: Callable[[int], tuple[float, float]],
    cell: float,
) -> State:
    """Rows of Pearson III distributions with these means and variances, corrected for the exact
    kurtosis.
    """
    count = np.arange(len(chance))
    # Where all hits stand before, nothing varies: that is a step.
    varies = np.flatnonzero(variance > 0)
    deviation = np.maximum(np.sqrt(variance), 1e-3 * cell)
    # Both vary slowly with the hits before: exact at four of them, a cubic between.
    known = np.unique(np.linspace(varies[0], varies[-1], 4).astype(np.int64))
    count = np.clip(count, varies[0], varies[-1])
    exact = [shape(low + int(one)) for one in known]
    skewness, kurtosis = (
        np.polyval(np.polyfit(known, [one[i] for one in exact], len(known) - 1), count)
        for i in (0, 1)
    )
    start = int(np.floor((mean - 10 * deviation).min() / cell))
    stop = int(np.ceil((mean + 14 * deviation).max() / cell)) + 1
    z = (np.arange(start, stop) * cell - mean[:, None]) / deviation[:, None]
    values = pearson(z, skewness[:, None])
    if cell < deviation.min() / 4:
        excess = (kurtosis - 1.5 * skewness**2)[:, None] / 24 * (deviation[:, None] / cell) ** 4
        wide = np.pad(values, ((0, 0), (2, 2)), mode="edge")
        values = np.clip(values + excess * np.diff(wide, 4, axis=1), 0.0, 1.0)
    return convolution.trim(State(low, start, values), chance)


def pearson(z: Float64, skewness: Any) -> Float64:
    """Upper tail of the standardised Pearson III distribution (a shifted gamma; normal without
    skewness).
    """
    special = scipy("special")
    size = np.maximum(np.abs(skewness), 1e-9)
    shape = 4 / size**2
    place = np.maximum(shape + np.where(skewness < 0, -z, z) * 2 / size, 0.0)
    gamma = np.where(skewness < 0, special.gammainc(shape, place), special.gammaincc(shape, place))
    # The incomplete gamma function of so large a shape has lost its digits.
    return np.asarray(np.where(size < 1e-4, special.ndtr(-z), gamma), np.float64)


def scipy(module: str) -> ModuleType:
    """A module of SciPy, imported when it is needed."""
    return require_module(f"scipy.{module}", "this null distribution needs SciPy")
