"""The tail of S = m AP at every s, from one to four convolutions and a tree of the first hits.

If hits are rare, the tail is a staircase: a hit at rank 1 adds 1, one at rank 2 adds 1/2, and so
on. All other hits smear each step a little, in proportion some 10^-5 for ten hits in a million. So

* the ranks are convolved on several grids. Each begins at 0 and is 64 times coarser than the one
  before. The finest shows the smear, but only for a small u: up to the rank `far` any hit adds more
  than the whole grid;
* if u is beyond the finest grid, the next hit is placed rank by rank when a tail is asked for,
  until the rest of u is inside the grid. Placements that matter little are looked up in a coarser
  grid instead. So are placements too numerous for a single one to matter;
* if hits are plenty, one grid is enough, and the convolution may begin with the ranks after some 64
  expected hits. Given the hits before, the sum over those ranks follows a Pearson III distribution
  with the exact conditional mean, variance and skewness, corrected for the exact kurtosis.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from math import sqrt
from types import ModuleType
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    import numpy.typing as npt

#: Expected hits whose ranks are convolved block by block; the ranks after them are Pearson III.
HEAD = 64
#: Cells per standard deviation of the sum over the hits after the first expected one.
FINE = 24
#: Points of a grid; how many times coarser the next grid is.
POINTS, COARSER = 2000, 64
#: A block has this share of its first rank, unless ranks are taken one by one.
SHARE = 0.1
#: States are kept up to this many times the rank at which a hit adds the length of the grid before.
ASKED = 24


@lru_cache(maxsize=64)
def tails(items: int, relevant: int, cutoff: int | None = None, rough: bool = False) -> Tails:
    """The tails of S for `relevant` of `items`, counting only the first `cutoff` ranks.

    `rough` tails have fewer cells and longer blocks. They serve mixtures and outlines, in which a
    thousandth more or less does not matter.
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
        # A single grid is only asked after its first rank.
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
    """The rank up to which any hit goes past the end of the grid, and the states after it."""
    if min(relevant, items - relevant) / items * end > 1.5 * HEAD:
        stop = max(int(HEAD * items / relevant), 1)
        state = _remainder(items, relevant, stop, end, cell)
    else:
        stop, state = end, convolution.at_end(items, relevant, end)
    far = min(int(1 / (1.05 * points * cell)), stop)
    kept = [(stop, state)]
    # On a coarse grid even many hits still to come make one jump, so no row is smooth.
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
    """Each of the `size` ranks after `rank` as a place of its own; None if there is one or many."""
    if not 1 < size <= APART:
        return None
    inverse = 1 / np.arange(rank + 1.0, rank + size + 1)
    return Places(inverse, inverse, np.full(size, 1 / size))


def _amount(
    rank: int, size: int, before: npt.NDArray[Any], hits: npt.NDArray[Any]
) -> tuple[Float64, Float64]:
    if size == 1:
        return (before + 1) * hits / (rank + 1), 0.0 * before * hits
    return moments.block(rank, before, size, hits)


def beyond(amount: float, before: Any, hits: Any) -> tuple[Any, Any]:
    """Mean and variance of a step in which any hits add `amount`, more than any grid is long."""
    return np.where(hits > 0, amount, 0.0) + 0.0 * before, 0.0 * before * hits


def _remainder(items: int, relevant: int, rank: int, end: int, cell: float) -> State:
    """The tails of the sum over the ranks after `rank`, a row for each number of hits before."""
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
    """Tails of Pearson III distributions with these means and variances, a row for each.

    `shape` has the exact skewness and kurtosis for a number of hits; the tails are corrected for
    the kurtosis.
    """
    count = np.arange(len(chance))
    # If all hits stand before, the variance is 0 and the row is a step.
    varies = np.flatnonzero(variance > 0)
    deviation = np.maximum(np.sqrt(variance), 1e-3 * cell)
    # Skewness and kurtosis vary slowly with the hits before: exact at four rows, a cubic between.
    anchors = np.unique(np.linspace(varies[0], varies[-1], 4).astype(np.int64))
    count = np.clip(count, varies[0], varies[-1])
    exact = [shape(low + int(one)) for one in anchors]
    skewness, kurtosis = (
        np.polyval(np.polyfit(anchors, [one[i] for one in exact], len(anchors) - 1), count)
        for i in (0, 1)
    )
    start = int(np.floor((mean - 10 * deviation).min() / cell))
    stop = int(np.ceil((mean + 14 * deviation).max() / cell)) + 1
    z = (np.arange(start, stop) * cell - mean[:, None]) / deviation[:, None]
    values = pearson(z, skewness[:, None])
    # Pearson III has the kurtosis 1.5 skewness²; the rest of it is Edgeworth's term, a fourth
    # derivative, for which cells must be fine enough.
    if cell < deviation.min() / 4:
        excess = (kurtosis - 1.5 * skewness**2)[:, None] / 24 * (deviation[:, None] / cell) ** 4
        wide = np.pad(values, ((0, 0), (2, 2)), mode="edge")
        values = np.clip(values + excess * np.diff(wide, 4, axis=1), 0.0, 1.0)
    return convolution.trim(State(low, start, values), chance)


def pearson(z: Float64, skewness: npt.NDArray[Any]) -> Float64:
    """Upper tail of the standardised Pearson III distribution: a shifted gamma distribution, or the
    normal one without skewness.
    """
    special = scipy("special")
    size = np.maximum(np.abs(skewness), 1e-9)
    shape = 4 / size**2
    x = np.maximum(shape + np.where(skewness < 0, -z, z) * 2 / size, 0.0)
    gamma = np.where(skewness < 0, special.gammainc(shape, x), special.gammaincc(shape, x))
    # The incomplete gamma function loses its digits for so large a shape.
    return np.asarray(np.where(size < 1e-4, special.ndtr(-z), gamma), np.float64)


def scipy(module: str) -> ModuleType:
    """Import a module of SciPy when it is needed."""
    return require_module(f"scipy.{module}", "this null distribution needs SciPy")
