"""Thresholds of greatest F in samples of cases, in NumPy; the kernel has them in `resampling.cpp`.

Steps are grouped in stretches: stretch k has the steps start[k] to start[k + 1]. Most stretches
need not be searched: at none of their steps is F greater than with the relevant cases up to the end
of the stretch and the others up to its beginning. So a sample is drawn by stretches. If that bound
reaches the greatest F at the end of any stretch, the draws of the stretch are distributed to the
cases of its steps, one word each: first those of the others, then those of the relevant cases.
These words are the next ones of the sample's stream.
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
    """The first step with the greatest F of every sample (`square` is β²), the relevant and other
    cases accepted there, and all relevant cases.

    The list has `others` above or in each step, and `hits` in it. Cells are the others of each
    stretch, its relevant cases, the others below the last step, and missed items. Accepted are all
    cases up to the end of a step.
    """
    urns = Urns(
        place, place_start, least, below, below_start, owner, owner_start, stratum, 2 * len(start)
    )
    ladder = Ladder(start, others, hits)
    ladder.check(urns)
    results = [
        best(drawn, at, ladder, square)
        for drawn, at, _ in samples(urns, seed, target, 2 * len(others))
    ]
    none = np.zeros(0, np.int64)
    step, tp, fp, relevant = (
        np.concatenate([none, *(columns[i] for columns in results)]) for i in range(4)
    )
    return step, tp, fp, relevant


@dataclass(frozen=True, slots=True)
class Ladder:
    """Steps in stretches, as described above."""

    start: Int64
    others: Int32 | Int64
    hits: Int32 | Int64

    def check(self, urns: Urns) -> None:
        """Refuse columns that are no ladder, or that cannot be drawn from in this way."""
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
            (np.diff(_running_total(column)[self.start]) == 0) & (sizes > 1)
            for column in (self.others, self.hits)
        )
        empty = np.concatenate((*kinds, [False, False]))
        if empty[urns.place].any() or empty[urns.owner].any():
            raise ValueError("cells: there are none to draw from")


def best(
    drawn: npt.NDArray[Any], at: Words, ladder: Ladder, square: float
) -> tuple[Int64, Int64, Int64, Int64]:
    """The result of `draw_best` for samples x cells, whose streams continue at these states."""
    size = len(ladder.start) - 1
    others, hits = (drawn[:, begin : begin + size].astype(np.int64) for begin in (0, size))
    relevant = hits.sum(axis=1) + drawn[:, -1]
    if not size:
        return np.zeros_like(relevant), np.zeros_like(relevant), np.zeros_like(relevant), relevant
    tp, fp = np.cumsum(hits, axis=1), np.cumsum(others, axis=1)
    every = (square * relevant)[:, None]
    reached = _f_measure(tp, fp, every, square).max(axis=1, keepdims=True)
    # Rounding errors of both are far smaller than this margin.
    sample, stretch = np.nonzero(
        ~(_f_measure(tp, fp - others, every, square) * (1 + 1e-12) < reached)
    )
    right, wrong = _count_steps(others, hits, at, ladder, sample, stretch)
    right += (tp - hits)[sample, stretch][:, None]
    wrong += (fp - others)[sample, stretch][:, None]
    value = _f_measure(right, wrong, every[sample], square)
    look, step = np.arange(len(value)), np.argmax(value, axis=1)
    # For each sample the first of the searched stretches with its greatest value.
    greatest = np.full(others.shape, -1.0)
    greatest[sample, stretch] = value[look, step]
    number = np.zeros(others.shape, np.int64)
    number[sample, stretch] = look
    rows = np.arange(len(drawn))
    look = number[rows, np.argmax(greatest, axis=1)]
    step = step[look]
    return ladder.start[stretch[look]] + step, right[look, step], wrong[look, step], relevant


def _f_measure(tp: Int64, fp: Int64, every: Float64, square: float) -> Float64:
    right = tp.astype(np.float64)
    return np.asarray((1 + square) * right / np.maximum(every + right + fp, LEAST_WEIGHT))


def _count_steps(
    others: Int64, hits: Int64, at: Words, ladder: Ladder, sample: Int64, stretch: Int64
) -> tuple[Int64, Int64]:
    """For the searched stretches of samples: the relevant cases and the others up to the end of
    each step, looks x steps.
    """
    drawn = [column[sample, stretch] for column in (others, hits)]
    words = (drawn[0] + drawn[1]) * (np.diff(ladder.start)[stretch] > 1)
    used = _running_total(words)
    first = used[:-1] - used[np.searchsorted(sample, sample)]
    stream = at[sample]
    wrong = _deal(drawn[0], stream + distance_of(first), ladder.others, ladder.start, stretch)
    right = _deal(
        drawn[1], stream + distance_of(first + drawn[0]), ladder.hits, ladder.start, stretch
    )
    return right, wrong


def _deal(drawn: Int64, stream: Words, cases: Int32 | Int64, start: Int64, stretch: Int64) -> Int64:
    """The draws of each stretch, distributed to its cases by the next words of a stream: counts up
    to each step, looks x steps.
    """
    sizes = np.diff(start)[stretch]
    longest = int(sizes.max())
    counts = np.zeros((len(drawn), longest), np.int64)
    alone = sizes == 1
    counts[alone, 0] = drawn[alone]
    times = np.where(alone, 0, drawn)
    which = np.repeat(np.arange(len(drawn)), times)
    number = np.arange(len(which)) - _running_total(times)[which] + 1
    before = _running_total(cases)
    first, end = before[start[stretch]], before[start[stretch + 1]]
    pick = upper(
        mix_bits(stream[which] + distance_of(number)), (end - first)[which].astype(np.uint64)
    )
    case = first[which] + pick.astype(np.int64)
    step = np.searchsorted(before, case, side="right") - 1 - start[stretch][which]
    counts += np.bincount(which * longest + step, minlength=counts.size).reshape(counts.shape)
    return np.cumsum(counts, axis=1)


def _running_total(column: Int32 | Int64) -> Int64:
    """The sum before each element, and the total."""
    return np.concatenate(([0], np.cumsum(column)))
