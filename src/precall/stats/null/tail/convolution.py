"""P(S >= s) under random selection by convolution from the last rank back to the first.

The state is (hits so far, sum still to come): V_t[h](u) = P(the ranks after t add at least u |
H_t = h). A block of ranks r+1 ... r+g holds q hits with hypergeometric probability and adds an
amount whose mean and variance are exact, so

    V_r[h](u) = sum over q of P(q | h) E[ V_{r+g}[h+q](u - amount) ].

Late ranks add little, so going backwards they need only a short stretch of a fine grid. The stretch
grows when the few first ranks with their large steps come in. One pass gives the distribution at
every s.

A shift by a fraction of a cell is spread over four neighbours. If many hits are still to come, V is
smooth, and cubic weights keep mean, variance and third moment. Otherwise the weights are positive
and keep mean and variance, so that a jump stays a jump and never rings.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from precall.core.ragged import Bool, Float64, Int64
from precall.stats.null.tail.hypergeometric import probabilities, span

#: Less probable paths are left out, and the grid ends at the point where the tail falls below this.
LEAST = 1e-14
#: With fewer hits still to come, V has jumps that cubic weights would make ring.
ROUGH = 6
#: No limit on the points of a grid.
WHOLE = (-(2**62), 2**62)
#: An amount that goes past the end of any grid.
BEYOND = 1e6
#: A step of up to this many places has a single hit put into each of them.
APART = 64

#: Mean and variance of the amount of a block, given the hits before it and inside it.
Amount: TypeAlias = Callable[[Any, Any], tuple[Any, Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """A single hit is in place i with probability share[i], and then adds a[i] before + b[i]."""

    a: Float64
    b: Float64
    share: Float64


@dataclass(frozen=True, slots=True)
class Step:
    """A block of `size` ranks after `rank`; `places` are those of a single hit, if these are to be
    distinguished.
    """

    rank: int
    size: int
    amount: Amount
    places: Places | None = None


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """V for `low`, `low` + 1, ... hits, a row each, on the points (start + k) cell.

    V is `top` before the first point and 0 after the last.
    """

    low: int
    start: int
    values: Float64
    top: Any = 1.0
    """1; or, if atoms are kept apart, the mass of the rest, by rows."""

    @property
    def tops(self) -> Float64:
        """`top` of each row."""
        return np.broadcast_to(np.asarray(self.top, np.float64), (len(self.values),))


@dataclass(frozen=True, slots=True, eq=False)
class ShiftPairs:
    """Shifts: rows of the result and of the state, mean and variance in cells, probability, and
    whether weights are cubic.
    """

    target: Any
    source: Any
    mean: Any
    variance: Any
    chance: Any
    smooth: Any

    def __getitem__(self, some: object) -> ShiftPairs:
        return ShiftPairs(*(getattr(self, name)[some] for name in ShiftPairs.__slots__))


def convolve(
    items: int,
    relevant: int,
    steps: Sequence[Step],
    state: State,
    cell: float,
    window: tuple[int, int] = WHOLE,
    rough: int = ROUGH,
) -> State:
    """Carry `state` back over `steps`, last one first, on the points inside `window`.

    With fewer than `rough` hits, or misses, still to come, V is treated as having jumps.
    """
    for step in reversed(steps):
        state = _back(items, relevant, step, state, cell, window, rough)
    return state


def rows(items: int, relevant: int, rank: int) -> tuple[int, Float64]:
    """The least number of hits in the first `rank` ranks that matters, and the probabilities of
    this number and greater ones.
    """
    low, high = span(items, relevant, rank)
    chance = probabilities(items, [relevant], rank, low, high)[0]
    kept = np.flatnonzero(chance > LEAST)
    return low + int(kept[0]), chance[kept[0] : kept[-1] + 1]


def at_end(items: int, relevant: int, rank: int) -> State:
    """The state if nothing is added after `rank`: an atom at 0, spread evenly around 0 to keep its
    mean.
    """
    low, chance = rows(items, relevant, rank)
    return State(low, 0, np.full((len(chance), 1), 0.5))


def _back(
    items: int,
    relevant: int,
    step: Step,
    state: State,
    cell: float,
    window: tuple[int, int],
    rough: int,
) -> State:
    low, weight = rows(items, relevant, step.rank)
    pairs = pair_rows(
        items, relevant, step, state, cell, np.arange(low, low + len(weight)), weight, rough
    )
    start, stop = point_range(state, pairs, window)
    result = sum_of_shifts(state, pairs, start, stop - start, len(weight))
    return trim(State(low, start, result), weight)


def point_range(state: State, pairs: ShiftPairs, window: tuple[int, int]) -> tuple[int, int]:
    """The first point that the shifted rows need, and the point after the last."""
    shift = np.floor(pairs.mean).astype(np.int64)
    reach = 2 + np.sqrt(3 * pairs.variance).astype(np.int64)
    start = max(state.start + int((shift - reach).min()) + 1, window[0])
    stop = state.start + state.values.shape[1] + int((shift + reach).max())
    return start, max(min(stop, window[1]), start + 1)


def pair_rows(
    items: int,
    relevant: int,
    step: Step,
    state: State,
    cell: float,
    before: Int64,
    weight: Float64,
    rough: int,
    wide: float = 0.1,
) -> ShiftPairs:
    """The shifts of a step, for the numbers of hits `before` it.

    A single hit whose amount has a variance of more than `wide` square cells is put into each of
    its places.
    """
    chance, least = _hits(items, relevant, step, before)
    hits = np.arange(least, least + chance.shape[1])
    source = before[:, None] + hits - state.low
    used = (chance * weight[:, None] > LEAST * 1e-2) & (source >= 0) & (source < len(state.values))
    target, column = np.nonzero(used)
    h, q = before[target], hits[column]
    mean, variance = step.amount(h, q)
    pairs = ShiftPairs(
        target,
        source[used],
        mean / cell,
        variance / cell**2,
        chance[used],
        np.minimum(relevant - h - q, items - step.rank - step.size - (relevant - h - q)) >= rough,
    )
    if step.places is None:
        return pairs
    # Each of the few places of a single hit is a jump of its own.
    spread = (q == 1) & (pairs.variance > wide)
    return _apart(pairs, spread, h, step.places, cell) if spread.any() else pairs


def _apart(
    pairs: ShiftPairs, spread: Bool, before: Int64, places: Places, cell: float
) -> ShiftPairs:
    """The pairs, with one pair for each place instead of those that are `spread`."""
    rest, many = pairs[~spread], pairs[np.repeat(np.flatnonzero(spread), len(places.share))]
    mean = ((before[spread, None] * places.a + places.b) / cell).ravel()
    chance = many.chance * np.tile(places.share, int(spread.sum()))
    single = ShiftPairs(many.target, many.source, mean, np.zeros(len(mean)), chance, many.smooth)
    both = ((getattr(rest, name), getattr(single, name)) for name in ShiftPairs.__slots__)
    return ShiftPairs(*map(np.concatenate, both))


def _hits(items: int, relevant: int, step: Step, before: Int64) -> tuple[Float64, int]:
    """Probabilities of the hits in a step, a row for each number `before`; and the least number."""
    total = items - step.rank
    ends = [span(total, relevant - int(h), step.size) for h in (before[0], before[-1])]
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    return probabilities(total, relevant - before, step.size, low, high), low


def weights(fraction: Float64, variance: Float64, smooth: Any) -> Float64:
    """Weights of a shift by a `fraction` of a cell, on the cells -1, 0, 1, 2 along the first axis.

    0 <= fraction < 1.

    Examples
    --------
    >>> weights(np.array(0.25), np.array(0.0), np.array(False))
    array([0.  , 0.75, 0.25, 0.  ])
    >>> taps = weights(np.array(0.25), np.array(0.5), np.array(True))
    >>> [round(float((taps * np.array([-1, 0, 1, 2]) ** k).sum()), 6) for k in range(4)]
    [1.0, 0.25, 0.5625, 0.390625]
    """
    one, two = fraction, fraction * fraction + variance
    three = fraction**3 + 3 * fraction * variance
    cubic = np.stack(
        (
            (-three + 3 * two - 2 * one) / 6,
            (three - 2 * two - one + 2) / 2,
            (-three + two + 2 * one) / 2,
            (three - one) / 6,
        )
    )
    more = np.clip(variance - fraction * (1 - fraction), 0.0, 1.0) / 2
    left = (1 - fraction) * more
    right = fraction * more
    positive = np.stack((left, 1 - fraction - 2 * left + right, fraction + left - 2 * right, right))
    return np.asarray(np.where(smooth, cubic, positive), np.float64)


def sum_of_shifts(state: State, pairs: ShiftPairs, start: int, size: int, targets: int) -> Float64:
    """The sum of shifted and spread rows over all pairs, on the `size` points from `start` on."""
    half = np.sqrt(3 * pairs.variance)
    # A shift past the end of the window has its top at all points, a shift past the start has 0.
    past = pairs.mean - half > start - state.start + size + 2
    gone = pairs.mean + half < start - state.start - state.values.shape[1] - 3
    result = np.empty((targets, size))
    result[:] = np.bincount(pairs.target, pairs.chance * past * state.tops[pairs.source], targets)[
        :, None
    ]
    past = past | gone
    if past.all():
        return result
    wide = ~past & (pairs.variance > 1)
    near = np.flatnonzero(~past & ~wide)
    near = near[np.argsort(pairs.target[near], kind="stable")]
    shift = np.floor(pairs.mean).astype(np.int64)
    # Index of the first value that the last tap (shift by 2 cells) reads.
    first = start - shift - 2 - state.start
    padded, lead = _pad(
        state, first - half.astype(np.int64), first + size + half.astype(np.int64), ~past
    )
    offset = pairs.source[near] * padded.shape[1] + first[near] + lead
    taps = (
        weights(pairs.mean[near] - shift[near], pairs.variance[near], pairs.smooth[near])
        * pairs.chance[near]
    )
    windows = sliding_window_view(padded.ravel(), size + 3)
    bounds = np.searchsorted(pairs.target[near], np.arange(targets + 1)).tolist()
    for h, (a, b) in enumerate(itertools.pairwise(bounds)):
        block = windows[offset[a:b]]
        for j in range(4):
            result[h] += taps[j, a:b] @ block[:, 3 - j : 3 - j + size]
    if wide.any():
        _spread(result, pairs, wide, half, padded, lead + start - pairs.mean - state.start)
    return result


def _spread(
    result: Float64,
    pairs: ShiftPairs,
    wide: Bool,
    half: Float64,
    padded: Float64,
    position: Float64,
) -> None:
    """Add the `wide` rows, spread evenly over 2 `half` cells: differences of their integrals."""
    area, size = _areas(padded), result.shape[1]
    for pair in np.flatnonzero(wide).tolist():
        values, total = padded[pairs.source[pair]], area[pairs.source[pair]]
        b = half[pair]
        amount = _area(total, values, position[pair] - b, size) - _area(
            total, values, position[pair] + b, size
        )
        result[pairs.target[pair]] += pairs.chance[pair] / (2 * b) * amount


def _pad(state: State, first: Int64, last: Int64, used: Bool) -> tuple[Float64, int]:
    """The rows between their tops and zeros, wide enough for any window; and the number of tops."""
    old = state.values
    lead = max(0, 1 - int(first[used].min()))
    padded = np.zeros((len(old), lead + max(old.shape[1], int(last[used].max()) + 3) + 2))
    padded[:, :lead] = state.tops[:, None]
    padded[:, lead : lead + old.shape[1]] = old
    return padded, lead


def _areas(padded: Float64) -> Float64:
    """The integral of each row from each point to the right end.

    Sums from the right keep small tails exact.
    """
    steps = (padded[:, :-1] + padded[:, 1:]) / 2
    total = np.cumsum(steps[:, ::-1], axis=1)[:, ::-1]
    return np.concatenate((total, np.zeros((len(padded), 1))), axis=1)


def _area(area: Float64, row: Float64, position: float, size: int) -> Float64:
    """The integral of a row, linear between its points, from `position`, `position` + 1, ... on."""
    i = int(np.floor(position))
    f = position - i
    here, there = row[i : i + size], row[i + 1 : i + 1 + size]
    return np.asarray(area[i : i + size] - f * here - f * f / 2 * (there - here), np.float64)


def trim(state: State, weight: Float64) -> State:
    """Remove the cells at both ends in which every row that matters is at its top or 0."""
    values = state.values
    high = np.flatnonzero((weight[:, None] * values).max(axis=0) > LEAST)
    low = np.flatnonzero((weight[:, None] * (state.tops[:, None] - values)).max(axis=0) > LEAST)
    stop = int(high[-1]) + 2 if len(high) else 1
    start = max(int(low[0]) - 1, 0) if len(low) else 0
    stop = max(stop, start + 1)
    return State(state.low, state.start + start, values[:, start:stop], state.top)


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """States after ascending `ranks`, for u up to `limit`, with all rows in one array."""

    cell: float
    limit: float
    ranks: Int64
    values: Float64
    """1 1 row 0 0 0 for each state and number of hits; before them 1 1 0 0 0 for numbers of hits
    that cannot occur.
    """
    place: Int64
    """The index at which the row of (state, hits) begins."""
    size: Int64
    start: Int64

    def __call__(self, hits: int, u: Float64, light: bool) -> Float64:
        """P(the ranks after the first of `ranks` add at least u | `hits` among those before)."""
        return self.at(np.zeros(len(u), np.int64), hits, u, light)

    def after(self, rank: Int64, hits: int, u: Float64, light: bool) -> Float64:
        """The same after any rank from the first of `ranks` on: linear between two states."""
        right = np.clip(np.searchsorted(self.ranks, rank), 0, len(self.ranks) - 1)
        left = np.maximum(right - 1, 0)
        tail = self.at(right, hits, u, light)
        width = self.ranks[right] - self.ranks[left]
        fraction = np.where(width > 0, (self.ranks[right] - rank) / np.maximum(width, 1), 0.0)
        between = np.flatnonzero(fraction > 0)
        if len(between):
            other = self.at(left[between], hits, u[between], light)
            tail[between] += fraction[between] * (other - tail[between])
        return tail

    def at(self, state: Int64, hits: int, u: Float64, light: bool) -> Float64:
        """The tail: linear between two points; if it is `light`, its logarithm is cubic between
        four points.
        """
        offset, size = self.place[state, hits], self.size[state, hits]
        cells = np.clip(u / self.cell - self.start[state], -1.0, size)
        below = np.floor(cells).astype(np.int64)
        fraction = cells - below
        around = self.values[offset + below + np.arange(1, 5)[:, None]]
        straight = (1 - fraction) * around[1] + fraction * around[2]
        if not light:
            return np.asarray(straight, np.float64)
        weight = weights(fraction, np.zeros(()), np.True_)
        with np.errstate(divide="ignore", invalid="ignore"):
            curved = np.exp((weight * np.log(around)).sum(axis=0))
        return np.asarray(np.where(around.min(axis=0) > 0, curved, straight), np.float64)


def gather(cell: float, limit: float, relevant: int, states: Sequence[tuple[int, State]]) -> Grid:
    """The grid of these pairs of a rank and the state after it.

    Examples
    --------
    >>> grid = gather(0.5, 10.0, 3, [(7, State(0, 2, np.array([[0.8, 0.4]])))])
    >>> grid(0, np.array([0.0, 1.0, 1.25, 1.5, 3.0]), False)
    array([1. , 0.8, 0.6, 0.4, 0. ])
    """
    offset = np.zeros((len(states), relevant + 1), np.int64)
    size = np.zeros((len(states), relevant + 1), np.int64)
    parts: list[Any] = [np.array([1.0, 1.0, 0.0, 0.0, 0.0])]
    length = 5
    for i, (_, state) in enumerate(states):
        count, width = state.values.shape
        # Below the grid the tail is at its top, above it 0.
        below = np.repeat(state.tops[:, None], 2, axis=1)
        parts.append(np.concatenate((below, state.values, np.zeros((count, 3))), axis=1).ravel())
        offset[i, state.low : state.low + count] = length + (width + 5) * np.arange(count)
        size[i, state.low : state.low + count] = width
        length += (width + 5) * count
    ranks = np.array([rank for rank, _ in states], np.int64)
    start = np.array([state.start for _, state in states], np.int64)
    return Grid(cell, limit, ranks, np.concatenate(parts), offset, size, start)


def sizes(cell: float, mean: float, room: int, coarser: int) -> Iterator[tuple[float, int, float]]:
    """Cell, points and limit of ever coarser grids, which reach the mean and `room` points more."""
    while True:
        points = ceil(mean / cell) + room
        yield cell, points, (points - 50) * cell
        cell *= coarser
