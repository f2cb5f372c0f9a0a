"""Wins of relevant cases over others in samples that are drawn by units, in NumPy: the work of
`winning.cpp`.
"""

from __future__ import annotations

import numpy as np

from precall.native.twin_resampling import Int32, Int64

_MOST = 2**31 - 1
#: Numbers processed at one time.
_BATCH = 1 << 21


def count_wins(
    drawn: Int32, units: int, unit: Int32, first: Int64, middle: Int64, last: Int64, threads: int
) -> tuple[Int64, Int64, Int64]:
    """For each sample: twice the pairs of a relevant case and an other one below it, plus the pairs
    within a block; relevant cases; others.

    `drawn` is how often each of the `units` was drawn: samples x units. Cases are sorted best
    first, each with its `unit`. A stop is a block from `first` up to `last`, whose relevant cases
    come first, up to `middle`; cases outside stops are others.
    """
    if not 1 <= units <= _MOST or len(drawn) % units:
        raise ValueError("units: too many, or not of one length")
    if not len(first) == len(middle) == len(last):
        raise ValueError("columns differ in length")
    if np.any(drawn < 0):
        raise ValueError("counts: must be >= 0")
    if np.any(unit < 0) or np.any(unit >= units):
        raise ValueError("there is no such cell")
    if np.any(
        np.diff(np.stack((first, middle, last), axis=1).ravel(), prepend=0, append=len(unit)) < 0
    ):
        raise ValueError("stops: must ascend")
    samples = drawn.reshape(-1, units)
    result = np.zeros((3, len(samples)), np.int64)
    step = max(1, _BATCH // (len(unit) + 1))
    for begin in range(0, len(samples), step):
        some = slice(begin, begin + step)
        result[:, some] = _wins(samples[some, unit], first, middle, last)
    twice, hits, others = result
    return twice, hits, others


def _wins(times: Int32, first: Int64, middle: Int64, last: Int64) -> Int64:
    """The three counts for samples x cases."""
    every = np.zeros((len(times), times.shape[1] + 1), np.int64)
    np.cumsum(times, axis=1, out=every[:, 1:])
    relevant = every[:, middle] - every[:, first]
    hits = np.cumsum(
        np.concatenate((np.zeros((len(times), 1), np.int64), relevant), axis=1), axis=1
    )
    # The others above the first case of each stop, and up to its last case.
    before, after = every[:, first] - hits[:, :-1], every[:, last] - hits[:, 1:]
    others = every[:, -1] - hits[:, -1]
    twice = 2 * hits[:, -1] * others - (relevant * (before + after)).sum(axis=1)
    return np.stack((twice, hits[:, -1], others))
