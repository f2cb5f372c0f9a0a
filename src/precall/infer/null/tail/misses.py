"""The tail of S = m AP where few items are irrelevant: by the misses, not by the hits.

With the i-th of n - m misses at rank M_i, m - S = sum over misses of H_n - H_{M_i - 1} - i / M_i, which is
about ln(n / M_i): a perfect list loses nothing, and hits between the misses change nothing. So the
convolution counts misses and adds up what is lost. Its lower tail is that of a gamma distribution, far from any
normal one, and its grids begin at 0 with cells that are small beside the whole loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from math import exp, fsum, lgamma, log, sqrt
from typing import Any

import numpy as np

from precall.infer.null.tail import convolution, moments
from precall.infer.null.tail.by_rank import HEAD, beyond, skewed
from precall.infer.null.tail.convolution import WHOLE, State, Step, rows
from precall.infer.null.tail.cumulants import rest_cumulants
from precall.infer.null.tail.grids import Grid, gathered
from precall.ragged import Float64

#: Cells per standard deviation, points of a grid, and by what the next one is coarser.
FINE, POINTS, COARSER = 12, 4000, 8
#: Blocks are this share of their first rank, when ranks are not taken one by one.
SHARE = 0.13
#: Half the distance of floats below 1.
_HALF = 2.0**-54
#: The tail probability at which the cells shall still be fine.
_LEAST = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """P(S >= s) for any s, from P(- loss >= s - m)."""

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
def losses(items: int, relevant: int) -> Losses:
    """The tails of S for `relevant` of `items`, where more than half are.

    Examples
    --------
    >>> p = losses(400, 392)(np.array([390.0]))
    >>> round(float(p[0]), 4)
    0.0013
    """
    misses = items - relevant
    deviation = relevant * sqrt(moments.variance(items, relevant))
    # How fast the logarithm of the tail falls there, by the gamma distribution.
    slope = misses / _small(misses) - 1
    cell = min(deviation / FINE, (0.25 if misses > 1.5 * HEAD else 0.1) / slope)
    grids: list[Grid] = []
    while True:
        state = _convolved(items, misses, cell, POINTS)
        ended = state.start > -POINTS or misses > 1.5 * HEAD
        grids.append(gathered(cell, np.inf if ended else (POINTS - 50) * cell, misses, [(0, state)]))
        if ended:
            return Losses(relevant, tuple(grids))
        cell *= COARSER


def _small(misses: int) -> float:
    """A loss so small that it has probability `_LEAST`, for many items: a quantile of the gamma distribution."""
    low, high = 0.0, float(misses)
    for _ in range(60):
        middle = (low + high) / 2
        # Lower tail by its series, good below the mean.
        term, total = 1.0, 1.0
        for k in range(1, 2000):
            term *= middle / (misses + k)
            total += term
            if term < 1e-12 * total:
                break
        chance = exp(min(misses * log(max(middle, 1e-300)) - middle - lgamma(misses + 1) + log(total), 0.0))
        low, high = (middle, high) if chance < _LEAST else (low, middle)
    return high


def _convolved(items: int, misses: int, cell: float, points: int) -> State:
    stop = items
    if misses > 1.5 * HEAD:
        stop = int(HEAD * items / misses)
        state = _remainder(items, misses, stop, cell)
    else:
        low, chance = rows(items, misses, stop)
        state = State(low, 0, np.full((len(chance), 1), 0.5))
    floor = WHOLE[0] if misses > 1.5 * HEAD else -points
    return convolution.convolved(
        items, misses, _schedule(items, stop, -floor * cell), state, cell, (floor, WHOLE[1])
    )


def _schedule(items: int, stop: int, limit: float) -> list[Step]:
    """Blocks are small beside their first rank and, where the last misses stand, beside what follows."""
    steps: list[Step] = []
    rank = min(int(items * exp(-1.1 * min(limit, 700.0))), stop)
    if rank:
        steps.append(Step(0, rank, partial(beyond, -convolution.BEYOND)))
    while rank < stop:
        size = max(1, min(int(SHARE * rank), int(0.1 * (items - rank)), stop - rank))
        steps.append(Step(rank, size, partial(_amount, items, rank, size)))
        rank += size
    return steps


def _amount(items: int, rank: int, size: int, before: Any, misses: Any) -> tuple[Any, Any]:
    """Minus what the misses of a block lose, given those before it."""
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
    return skewed(
        low, chance, mean - rest + before * after, variance, partial(_rest, items, misses, rank), cell
    )


def _rest(items: int, misses: int, rank: int, before: int) -> tuple[float, float]:
    rest = items - rank - (misses - before)
    return rest_cumulants(rank, rank - before, items - rank, rest, items - rank)[2:]


def sets_from_top(items: int, relevant: int, ap: float, most: int = 100_000) -> int | None:
    """How many sets of misses leave this AP or more, or None where more than `most` partial ones must be looked at.

    Examples
    --------
    >>> sets_from_top(1000, 998, 1.0), sets_from_top(1000, 998, 997.9979 / 998)
    (1, 4)
    """
    misses = items - relevant
    # An AP that rounds to this float; and what is lost, not the sum that is left, for that is too coarse.
    allowed = relevant * (1 - ap + _HALF) + 1e-13
    least = [_loss(items, i, np.array([float(relevant + i)]))[0] for i in range(1, misses + 1)]
    place, lost = np.zeros(1, np.int64), np.zeros(1)
    for i in range(1, misses + 1):
        room = allowed - lost - fsum(least[i:])
        low, high = place + 1, np.full(len(place), relevant + i + 1)
        while np.any(low < high):
            middle = (low + high) // 2
            enough = _loss(items, i, middle.astype(np.float64)) <= room
            enough |= middle > relevant + i
            low, high = np.where(enough, low, middle + 1), np.where(enough, middle, high)
        count = relevant + i + 1 - low
        if i == misses:
            break
        if count.sum() > most:
            return None
        owner = np.repeat(np.arange(len(place)), count)
        place = low[owner] + np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
        lost = lost[owner] + _loss(items, i, place.astype(np.float64))
    return int(count.sum())


def _loss(items: int, i: int, place: Float64) -> Float64:
    """What the i-th miss at rank `place` loses: H_n - H_place - (i - 1) / place."""
    a, b = place + 0.5, items + 0.5
    far = [1 / y**2 * (1 / 24 - 1 / y**2 * (7 / 960 - 31 / 8064 / y**2)) for y in (a, np.float64(b))]
    rest = np.log1p((items - place) / a) + far[1] - far[0]
    for rank in np.unique(place[place < 32]).tolist():
        rest[place == rank] = moments.harmonic(int(rank), items - int(rank))[0]
    return np.asarray(rest - (i - 1) / place, np.float64)
