"""Thresholds of greatest F of samples of cases, in NumPy; the kernel's are in `resampling.cpp`.

Steps stand in stretches: those of stretch k are start[k] to start[k + 1]. Most stretches need no
look: at none of its steps is F greater than with the relevant cases up to its end and the others up
to its beginning. So a sample is drawn by stretches; where that bound reaches the greatest F at the
end of any stretch, their draws are given to the cases of their steps, one word each, first those of
the others, then those of the relevant cases. These words are the next ones of the sample's stream.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.core.ragged import divides_whole
from precall.native.twin_resampling import (
    LEAST_WEIGHT,
    MOST,
    Float64,
    Int32,
    Int64,
    Urns,
    Words,
    distance_of,
    mix_bits,
    samples,
    upper,
)


def draw_best(
    seed: Words,
    target: Int64,
    place: Int32,
    place_start: Int64,
    least: Int32,
    below: Words,
    below_start: Int64,
    owner: Int32,
    owner_start: Int64,
    stratum: Int64,
    start: Int64,
    others: Int32,
    hits: Int32,
    square: float,
    threads: int,
) -> tuple[Int64, Int64, Int64, Int64]:
    """The first step of every sample with the greatest F, `square` being β²; what is accepted
    there; all relevant cases.

    The list has so many others above or in each step, and so many relevant cases in it. Cells are
    the others of each stretch, its relevant cases, the others below the last step, and missed
    items. Accepted are all of both up to a step's end.
    """
    urns = Urns(
        place, place_start, least, below, below_start, owner, owner_start, stratum, 2 * len(start)
    )
    ladder = Ladder(start, others, hits)
    ladder.check(urns)
    parts = [
        best(drawn, at, ladder, square)
        for drawn, at, _ in samples(urns, seed, target, 2 * len(others))
    ]
    none = np.zeros(0, np.int64)
    step, tp, fp, relevant = (
        np.concatenate([none, *(part[i] for part in parts)]) for i in range(4)
    )
    return step, tp, fp, relevant


@dataclass(frozen=True, slots=True)
class Ladder:
    """Steps in stretches, as told above."""

    start: Int64
    others: Int32 | Int64
    hits: Int32 | Int64

    def check(self, urns: Urns) -> None:
        """Refuse what cannot be a ladder, or be drawn from so."""
        if not divides_whole(self.start, len(self.others)):
            raise ValueError("starts do not divide the column")
        if len(self.hits) != len(self.others):
            raise ValueError("columns differ in length")
        for column in (self.others, self.hits):
            if np.any(column < 0) or np.any(column > MOST) or column.sum() > MOST:
                raise ValueError("counts: must be >= 0, and below 2^31 together")
        sizes = np.diff(self.start)
        if np.any(sizes == 0):
            raise ValueError("stretches: must have steps")
        kinds = (
            (np.diff(_up_to(column)[self.start]) == 0) & (sizes > 1)
            for column in (self.others, self.hits)
        )
        empty = np.concatenate((*kinds, [False, False]))
        if empty[urns.place].any() or empty[urns.owner].any():
            raise ValueError("cells: there are none to draw from")


def best(
    drawn: npt.NDArray[Any], at: Words, ladder: Ladder, square: float
) -> tuple[Int64, Int64, Int64, Int64]:
    """What `draw_best` says of samples x cells, whose streams go on at these states."""
    size = len(ladder.start) - 1
    others, hits = (drawn[:, part : part + size].astype(np.int64) for part in (0, size))
    relevant = hits.sum(axis=1) + drawn[:, -1]
    if not size:
        return np.zeros_like(relevant), np.zeros_like(relevant), np.zeros_like(relevant), relevant
    tp, fp = np.cumsum(hits, axis=1), np.cumsum(others, axis=1)
    every = (square * relevant)[:, None]
    reached = _f(tp, fp, every, square).max(axis=1, keepdims=True)
    # Both are rounded, by far less than this.
    sample, stretch = np.nonzero(~(_f(tp, fp - others, every, square) * (1 + 1e-12) < reached))
    right, wrong = _looks(others, hits, at, ladder, sample, stretch)
    right += (tp - hits)[sample, stretch][:, None]
    wrong += (fp - others)[sample, stretch][:, None]
    value = _f(right, wrong, every[sample], square)
    look, step = np.arange(len(value)), np.argmax(value, axis=1)
    # Of each sample the first of the looks with its greatest value.
    greatest = np.full(others.shape, -1.0)
    greatest[sample, stretch] = value[look, step]
    number = np.zeros(others.shape, np.int64)
    number[sample, stretch] = look
    rows = np.arange(len(drawn))
    look = number[rows, np.argmax(greatest, axis=1)]
    step = step[look]
    return ladder.start[stretch[look]] + step, right[look, step], wrong[look, step], relevant


def _f(tp: Int64, fp: Int64, every: Float64, square: float) -> Float64:
    right = tp.astype(np.float64)
    return np.asarray((1 + square) * right / np.maximum(every + right + fp, LEAST_WEIGHT))


def _looks(
    others: Int64, hits: Int64, at: Words, ladder: Ladder, sample: Int64, stretch: Int64
) -> tuple[Int64, Int64]:
    """Of these stretches of samples the relevant cases and the others up to the end of each step:
    looks x steps.
    """
    drawn = [part[sample, stretch] for part in (others, hits)]
    words = (drawn[0] + drawn[1]) * (np.diff(ladder.start)[stretch] > 1)
    used = _up_to(words)
    first = used[:-1] - used[np.searchsorted(sample, sample)]
    stream = at[sample]
    wrong = _dealt(drawn[0], stream + distance_of(first), ladder.others, ladder.start, stretch)
    right = _dealt(
        drawn[1], stream + distance_of(first + drawn[0]), ladder.hits, ladder.start, stretch
    )
    return right, wrong


def _dealt(
    drawn: Int64, stream: Words, cases: Int32 | Int64, start: Int64, stretch: Int64
) -> Int64:
    """So many draws of each stretch, given to its cases by the next words of a stream: up to each
    step, looks x steps.
    """
    sizes = np.diff(start)[stretch]
    longest = int(sizes.max())
    counts = np.zeros((len(drawn), longest), np.int64)
    alone = sizes == 1
    counts[alone, 0] = drawn[alone]
    times = np.where(alone, 0, drawn)
    which = np.repeat(np.arange(len(drawn)), times)
    number = np.arange(len(which)) - _up_to(times)[which] + 1
    before = _up_to(cases)
    first, end = before[start[stretch]], before[start[stretch + 1]]
    pick = upper(
        mix_bits(stream[which] + distance_of(number)), (end - first)[which].astype(np.uint64)
    )
    case = first[which] + pick.astype(np.int64)
    step = np.searchsorted(before, case, side="right") - 1 - start[stretch][which]
    counts += np.bincount(which * longest + step, minlength=counts.size).reshape(counts.shape)
    return np.cumsum(counts, axis=1)


def _up_to(column: Int32 | Int64) -> Int64:
    """How much stands before each, and in all."""
    return np.concatenate(([0], np.cumsum(column)))
