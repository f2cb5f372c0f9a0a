"""V_r[h](u), the probability that the ranks after r add at least u, looked up for many r, h and u at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from precall.infer.null.tail import convolution
from precall.infer.null.tail.convolution import State
from precall.ragged import Float64, Int64


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """States after ascending `ranks`, for u below `limit`: their rows one after another."""

    cell: float
    limit: float
    ranks: Int64
    values: Float64
    """1 1 row 0 0 0 for each state and number of hits; before them 1 1 0 0 0 for what cannot occur."""
    place: Int64
    """Where the row of (state, hits) begins."""
    size: Int64
    start: Int64

    def __call__(self, hits: int, u: Float64, light: bool) -> Float64:
        """P(the ranks after the first of `ranks` add at least u | `hits` among those before)."""
        return self.at(np.zeros(len(u), np.int64), hits, u, light)

    def after(self, rank: Int64, hits: int, u: Float64, light: bool) -> Float64:
        """The same after any rank not before the first of `ranks`: linear between two states."""
        right = np.clip(np.searchsorted(self.ranks, rank), 0, len(self.ranks) - 1)
        left = np.maximum(right - 1, 0)
        tail = self.at(right, hits, u, light)
        width = self.ranks[right] - self.ranks[left]
        part = np.where(width > 0, (self.ranks[right] - rank) / np.maximum(width, 1), 0.0)
        between = np.flatnonzero(part > 0)
        if len(between):
            other = self.at(left[between], hits, u[between], light)
            tail[between] += part[between] * (other - tail[between])
        return tail

    def at(self, state: Int64, hits: int, u: Float64, light: bool) -> Float64:
        """Straight between two points, or, where the tail is `light`, its logarithm cubic between four."""
        place, size = self.place[state, hits], self.size[state, hits]
        cells = np.clip(u / self.cell - self.start[state], -1.0, size)
        below = np.floor(cells).astype(np.int64)
        part = cells - below
        around = self.values[place + below + np.arange(1, 5)[:, None]]
        straight = (1 - part) * around[1] + part * around[2]
        if not light:
            return np.asarray(straight, np.float64)
        weight = convolution.weights(part, np.zeros(()), np.True_)
        with np.errstate(divide="ignore", invalid="ignore"):
            curved = np.exp((weight * np.log(around)).sum(axis=0))
        return np.asarray(np.where(around.min(axis=0) > 0, curved, straight), np.float64)


def gathered(cell: float, limit: float, relevant: int, states: Sequence[tuple[int, State]]) -> Grid:
    """The grid of these states, each after its rank.

    Examples
    --------
    >>> grid = gathered(0.5, 10.0, 3, [(7, State(0, 2, np.array([[0.8, 0.4]])))])
    >>> grid(0, np.array([0.0, 1.0, 1.25, 1.5, 3.0]), False)
    array([1. , 0.8, 0.6, 0.4, 0. ])
    """
    place = np.zeros((len(states), relevant + 1), np.int64)
    size = np.zeros((len(states), relevant + 1), np.int64)
    parts: list[Any] = [np.array([1.0, 1.0, 0.0, 0.0, 0.0])]
    length = 5
    for i, (_, state) in enumerate(states):
        count, width = state.values.shape
        # Below the grid everything is reached, above it nothing.
        below = np.repeat(state.tops[:, None], 2, axis=1)
        parts.append(np.concatenate((below, state.values, np.zeros((count, 3))), axis=1).ravel())
        place[i, state.low : state.low + count] = length + (width + 5) * np.arange(count)
        size[i, state.low : state.low + count] = width
        length += (width + 5) * count
    ranks = np.array([rank for rank, _ in states], np.int64)
    start = np.array([state.start for _, state in states], np.int64)
    return Grid(cell, limit, ranks, np.concatenate(parts), place, size, start)
