"""The tails of S = m AP if few items are irrelevant: by the misses instead of the hits.

With the i-th of n - m misses at rank M_i, the loss m - S is the sum over misses of
H_n - H_{M_i - 1} - i / M_i. Each term is about ln(n / M_i). A perfect list loses nothing, and hits
between the misses change nothing. So the convolution counts misses and adds up their losses. The
lower tail of the loss is that of a gamma distribution, far from any normal one. Grids therefore
begin at 0, and their cells are small compared with the whole loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from math import exp, lgamma, log, sqrt

import numpy as np

from precall.core.ragged import Float64, Int64
from precall.stats.null.tail import convolution, moments
from precall.stats.null.tail.by_rank import HEAD, beyond, pearson_iii
from precall.stats.null.tail.convolution import WHOLE, Grid, State, Step, gather, rows
from precall.stats.null.tail.moments import lost_cumulants

#: Cells per standard deviation; points of a grid; how many times coarser the next grid is.
FINE, POINTS, COARSER = 12, 4000, 8
#: A block has this share of its first rank, unless ranks are taken one by one.
SHARE = 0.13
#: Down to this tail probability cells are fine: usually, and in mixtures.
_LEAST, _ROUGHLY = 1e-8, 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """P(S >= s) for any s, computed as P(-loss >= s - m)."""

    relevant: int
    grids: tuple[Grid, ...]

    def __call__(self, s: Float64) -> Float64:
        """One tail probability for each s."""
        u = s - self.relevant
        result = np.zeros(len(s))
        least = -1e-300
        for grid in self.grids:
            here = (-u > least) & (-u <= grid.limit)
            result[here] = grid(0, u[here], True)
            least = grid.limit
        return np.clip(result, 0.0, 1.0)


@lru_cache(maxsize=32)
def losses(items: int, relevant: int, rough: bool = False) -> Losses:
    """The tails of S for `relevant` of `items`, if more than half are relevant.

    `rough` is as in `by_rank.tails`.
    """
    misses = items - relevant
    deviation = relevant * sqrt(moments.variance(items, relevant))
    # How fast the logarithm of the tail falls at that probability, by the gamma distribution.
    slope = misses / _small(misses, _ROUGHLY if rough else _LEAST) - 1
    cell = min(deviation / FINE, (0.25 if misses > 1.5 * HEAD else 0.1) / slope)
    grids: list[Grid] = []
    while True:
        state = _convolve(items, misses, cell, POINTS, 2 * SHARE if rough else SHARE)
        ended = state.start > -POINTS or misses > 1.5 * HEAD
        grids.append(gather(cell, np.inf if ended else (POINTS - 50) * cell, misses, [(0, state)]))
        if ended:
            return Losses(relevant, tuple(grids))
        cell *= COARSER


def _small(misses: int, least: float) -> float:
    """The loss whose lower tail is `least`, for many items: a quantile of a gamma distribution."""
    low, high = 0.0, float(misses)
    for _ in range(60):
        middle = (low + high) / 2
        # The series of the lower tail converges fast below the mean.
        term, total = 1.0, 1.0
        for k in range(1, 2000):
            term *= middle / (misses + k)
            total += term
            if term < 1e-12 * total:
                break
        chance = exp(
            min(misses * log(max(middle, 1e-300)) - middle - lgamma(misses + 1) + log(total), 0.0)
        )
        low, high = (middle, high) if chance < least else (low, middle)
    return high


def _convolve(items: int, misses: int, cell: float, points: int, share: float) -> State:
    stop = items
    if misses > 1.5 * HEAD:
        stop = int(HEAD * items / misses)
        state = _remainder(items, misses, stop, cell)
    else:
        state = convolution.at_end(items, misses, stop)
    floor = WHOLE[0] if misses > 1.5 * HEAD else -points
    return convolution.convolve(
        items, misses, _schedule(items, stop, -floor * cell, share), state, cell, (floor, WHOLE[1])
    )


def _schedule(items: int, stop: int, limit: float, share: float) -> list[Step]:
    """The steps up to rank `stop`: each is small compared with its first rank and with the ranks
    after it, in which the last misses stand.

    The first ranks are one step: a miss there loses more than `limit`, the length of the grid.
    """
    steps: list[Step] = []
    rank = min(int(items * exp(-1.1 * min(limit, 700.0))), stop)
    if rank:
        steps.append(Step(0, rank, partial(beyond, -convolution.BEYOND)))
    while rank < stop:
        size = max(1, min(int(share * rank), int(0.1 * (items - rank)), stop - rank))
        steps.append(Step(rank, size, partial(_amount, items, rank, size)))
        rank += size
    return steps


def _amount(
    items: int, rank: int, size: int, before: Int64, misses: Int64
) -> tuple[Float64, Float64]:
    """Mean and variance of minus the loss by the misses in a block, given the misses before it."""
    mean, variance = moments.block(rank, rank - before, size, size - misses)
    inside = moments.harmonic(rank, size)[0]
    after = moments.harmonic(rank + size, items - rank - size)[0]
    return mean - (size - misses) + before * inside - misses * after, variance


def _remainder(items: int, misses: int, rank: int, cell: float) -> State:
    low, chance = rows(items, misses, rank)
    before = np.arange(low, low + len(chance))
    rest = items - rank - (misses - before)
    mean, variance = moments.block(rank, rank - before, items - rank, rest)
    after = moments.harmonic(rank, items - rank)[0]

    def shape(before: int) -> tuple[float, float]:
        # The shape of the loss, as powers of S, a sum over nearly all items, leave no digits.
        skewness, kurtosis = lost_cumulants(items, rank, before, misses - before)[2:]
        return -skewness, kurtosis

    return pearson_iii(low, chance, mean - rest + before * after, variance, shape, cell)
