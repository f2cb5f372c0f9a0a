"""The tail of S = m AP at every s, from one to four convolutions and an exact sum over the first ranks.

Rare targets make a staircase: a hit at rank 1 adds 1, one at rank 2 adds 1/2 ..., each step smeared by the
little that all other hits add, in proportion some 10^-5 for ten hits in a million. So

* the hits among the first few ranks are summed set by set, exactly, when a tail is asked for;
* the ranks after them are convolved on grids that each begin at 0 and are 8 times coarser than the last:
  a value u is looked up in the finest grid that reaches it;
* where hits are plenty, one grid is enough, and the convolution may begin with the ranks that come after
  some 64 expected hits: given the hits before, what those add follows a Pearson III law with the exact
  conditional mean, variance and skewness, corrected for the exact kurtosis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from math import ceil, comb, sqrt
from typing import Any

import numpy as np

from precall.infer.libraries import imported
from precall.infer.null import convolution, moments
from precall.infer.null.convolution import State, Step, rows
from precall.infer.null.cumulants import rest_cumulants
from precall.ragged import Float64

#: Expected hits that are convolved one block after another; the rest is Pearson III.
HEAD = 64
#: Cells per standard deviation of what the hits after the first expected one add.
FINE = 12
#: Points of a grid, and by what the next one is coarser.
POINTS, COARSER = 4000, 8
#: Sets of hits among the first ranks, at most.
_SETS = 6_000
#: Blocks are this share of their first rank, when ranks are not taken one by one.
SHARE = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """P(the ranks after the first few add at least u | hits among those), for u below `limit`."""

    cell: float
    limit: float
    state: State

    def __call__(self, hits: int, u: Float64, light: bool) -> Float64:
        """Straight between two points, or, where the tail is `light`, its logarithm cubic between four."""
        row = self.state.values[hits - self.state.low]
        place = np.clip(u / self.cell - self.state.start, -1.0, len(row))
        below = np.floor(place).astype(np.int64)
        part = place - below
        padded = np.concatenate(([1.0, 1.0], row, [0.0, 0.0, 0.0]))
        around = padded[below + np.arange(1, 5)[:, None]]
        straight = (1 - part) * around[1] + part * around[2]
        if not light:
            return np.asarray(straight, np.float64)
        weight = convolution.weights(part, np.zeros(()), np.True_)
        with np.errstate(divide="ignore", invalid="ignore"):
            curved = np.exp((weight * np.log(around)).sum(axis=0))
        return np.asarray(np.where(around.min(axis=0) > 0, curved, straight), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Tails:
    """P(S >= s) for any s: sets of hits among the first ranks, and grids for what comes after them."""

    relevant: int
    sets: tuple[tuple[int, float, Float64], ...]
    """Hits among the first ranks, the probability of one set of that many, and what each set adds."""
    grids: tuple[Grid, ...]

    def __call__(self, s: Float64) -> Float64:
        """One tail probability for each s; what is below some 1e-13 is not known."""
        result = np.zeros(len(s))
        for hits, chance, sums in self.sets:
            light = self.relevant - hits >= convolution.ROUGH
            at_once = max(1, 2**18 // len(sums))
            for a in range(0, len(s), at_once):
                rest = s[a : a + at_once, None] - sums
                values = self._rest(hits, rest.ravel(), light).reshape(rest.shape)
                result[a : a + at_once] += chance * values.sum(axis=1)
        return np.clip(result, 0.0, 1.0)

    def _rest(self, hits: int, u: Float64, light: bool) -> Float64:
        result = np.where(u <= 0, 1.0, 0.0)
        least = 0.0
        for grid in self.grids:
            here = (u > least) & (u <= grid.limit)
            result[here] = grid(hits, u[here], light)
            least = grid.limit
        return result


@lru_cache(maxsize=32)
def tails(items: int, relevant: int, cutoff: int | None = None) -> Tails:
    """The tails of S for `relevant` of `items`, only the first `cutoff` ranks counted.

    Examples
    --------
    >>> found = tails(1000, 5)(np.array([0.75]))
    >>> round(float(found[0]), 5)
    0.0052
    """
    end = items if cutoff is None else min(cutoff, items)
    first, sets = _sets(items, relevant, end)
    middle = min(max(1, round(items / relevant)), max(end // 2, 1))
    before = min(round(middle * relevant / items), middle, relevant)
    spread = moments.block(middle, before, items - middle, relevant - before, max(end - middle, 0))[1]
    total = moments.variance(items, relevant, cutoff) * relevant**2
    cell = sqrt(float(spread) or total) / FINE
    mean = moments.mean(items, relevant, cutoff) * relevant
    grids: list[Grid] = []
    while True:
        points = ceil(mean / cell) + POINTS
        state = _convolved(items, relevant, first, end, cell, points)
        ended = state.start + state.values.shape[1] < points
        grids.append(Grid(cell, np.inf if ended else (points - 50) * cell, state))
        if ended:
            return Tails(relevant, sets, tuple(grids))
        cell *= COARSER


def _sets(items: int, relevant: int, end: int) -> tuple[int, tuple[tuple[int, float, Float64], ...]]:
    """How many first ranks are summed set by set, and the sums of all sets."""
    choices = (0,) if relevant > 0.05 * items else (64, 48, 32, 24, 16, 12, 8, 4, 2, 0)
    for first in choices:
        if first > end // 2:
            continue
        low, chance = rows(items, relevant, first)
        counts = [comb(first, low + i) for i in range(len(chance))]
        if sum(counts) <= _SETS:
            break
    found = []
    for i, one in enumerate(chance):
        hits = low + i
        place = np.array(list(combinations(range(1, first + 1), hits)), np.float64).reshape(counts[i], hits)
        found.append((hits, float(one) / counts[i], (np.arange(1, hits + 1) / place).sum(axis=1)))
    return first, tuple(found)


def _convolved(items: int, relevant: int, first: int, end: int, cell: float, points: int) -> State:
    stop, state = end, None
    if min(relevant, items - relevant) / items * end > 1.5 * HEAD:
        stop = max(int(HEAD * items / relevant), first)
        state = _remainder(items, relevant, stop, end, cell)
    if state is None:
        low, chance = rows(items, relevant, stop)
        # An atom at 0 is spread evenly around it, so that it keeps its mean.
        state = State(low, 0, np.full((len(chance), 1), 0.5))
    steps = _schedule(first, stop, points * cell)
    return convolution.convolved(items, relevant, steps, state, cell, (convolution.WHOLE[0], points))


def _schedule(first: int, stop: int, limit: float) -> list[Step]:
    steps: list[Step] = []
    rank = first
    # Up to here any hit goes past the end of the grid.
    far = min(int(1 / (1.05 * limit)), stop)
    if far > first:
        steps.append(Step(first, far - first, partial(beyond, convolution.BEYOND), tied=True))
        rank = far
    while rank < stop:
        size = max(1, min(int(SHARE * rank), stop - rank))
        steps.append(Step(rank, size, partial(_amount, rank, size)))
        rank += size
    return steps


def _amount(rank: int, size: int, before: Any, hits: Any) -> tuple[Any, Any]:
    if size == 1:
        return (before + 1) * hits / (rank + 1), 0.0 * before * hits
    return moments.block(rank, before, size, hits)


def beyond(amount: float, before: Any, hits: Any) -> tuple[Any, Any]:
    return np.where(hits > 0, amount, 0.0) + 0.0 * before, 0.0 * before * hits


def _remainder(items: int, relevant: int, rank: int, end: int, cell: float) -> State:
    """What the ranks after `rank` add, given the hits before."""
    low, chance = rows(items, relevant, rank)
    before = np.arange(low, low + len(chance))
    mean, variance = moments.block(rank, before, items - rank, relevant - before, end - rank)
    return skewed(low, chance, mean, variance, partial(_rest, items, relevant, rank, end), cell)


def _rest(items: int, relevant: int, rank: int, end: int, before: int) -> tuple[float, float]:
    return rest_cumulants(rank, before, items - rank, relevant - before, end - rank)[2:]


def skewed(
    low: int, chance: Float64, mean: Float64, variance: Float64, shape: Callable[[int], tuple[float, float]], cell: float
) -> State:  # fmt: skip
    """Rows of Pearson III laws with these means and variances, corrected for the exact kurtosis."""
    count = np.arange(len(chance))
    deviation = np.sqrt(variance)
    # Both vary slowly with the hits before: exact at four of them, a cubic between.
    known = np.unique(np.linspace(0, count[-1], 4).astype(np.int64))
    exact = [shape(low + int(one)) for one in known]
    skewness, kurtosis = (
        np.polyval(np.polyfit(known, [one[i] for one in exact], len(known) - 1), count) for i in (0, 1)
    )
    start = int(np.floor((mean - 10 * deviation).min() / cell))
    stop = int(np.ceil((mean + 14 * deviation).max() / cell)) + 1
    z = (np.arange(start, stop) * cell - mean[:, None]) / deviation[:, None]
    values = pearson(z, skewness[:, None])
    if cell < deviation.min() / 4:
        excess = (kurtosis - 1.5 * skewness**2)[:, None] / 24 * (deviation[:, None] / cell) ** 4
        wide = np.pad(values, ((0, 0), (2, 2)), mode="edge")
        values = np.clip(values + excess * np.diff(wide, 4, axis=1), 0.0, 1.0)
    return convolution.trimmed(State(low, start, values), chance)


def pearson(z: Float64, skewness: Any) -> Float64:
    """Upper tail of the standardised Pearson III law (a shifted gamma; normal without skewness).

    Examples
    --------
    >>> [round(float(one), 6) for one in pearson(np.array([2.0]), np.array([-0.5, 0.0, 0.5]))]
    [0.008231, 0.02275, 0.0344]
    """
    special = scipy("special")
    size = np.maximum(np.abs(skewness), 1e-9)
    shape = 4 / size**2
    place = np.maximum(shape + np.where(skewness < 0, -z, z) * 2 / size, 0.0)
    gamma = np.where(skewness < 0, special.gammainc(shape, place), special.gammaincc(shape, place))
    # The incomplete gamma function of so large a shape has lost its digits.
    return np.asarray(np.where(size < 1e-4, special.ndtr(-z), gamma), np.float64)


def scipy(module: str) -> Any:
    """A module of SciPy, imported when it is needed."""
    return imported(f"scipy.{module}", "this law needs SciPy", "scipy")
