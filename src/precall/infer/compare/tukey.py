"""Randomised Tukey HSD: all pairs of systems at once (Carterette 2012; Sakai 2018).

If no system is better than another, the values of a topic could stand in any order. So they are shuffled within each
topic: a difference is significant if few ranges of the systems' means reach it, with no further correction.
"""

from __future__ import annotations

import numpy as np

from precall.infer.resample.batches import TOLERANCE, parts, random_words, whole
from precall.native import kernel
from precall.ragged import Float64

#: Shuffles made one by one, and how many more are made of each of them by shuffling once again.
_SINGLE = 128
_AGAIN = 15
#: Systems that a column's number has room for.
MOST = 2**12


def ranges(matrix: Float64, rng: np.random.Generator, resamples: int) -> Float64:
    """Range of the systems' sums for each shuffling within topics, sorted.

    Shuffling takes time, so each shuffle serves sixteen times: the others are that shuffle followed by another, drawn for each
    topic and used for the whole batch. Any two of all shuffles are independent, and so p has the mean and the variance
    that it would have if all were.
    """
    topics, systems = matrix.shape
    units, unit = whole(matrix.ravel(), 2 * topics)

    def batch(made: np.random.Generator, size: int) -> Float64:
        shuffles = min(size, _SINGLE)
        drawn = kernel().shuffle_ranges(units, systems, int(random_words(made, 1)[0]), shuffles, _AGAIN)
        return np.asarray(drawn[:size], np.float64)

    drawn = np.concatenate(list(parts(batch, rng, resamples, _SINGLE * (1 + _AGAIN))))
    return np.sort(np.ldexp(drawn, unit))


def family_p(matrix: Float64, first: list[int], second: list[int], sorted_ranges: Float64) -> Float64:
    """Per pair of systems, the p-value that holds for all pairs together: (c + 1)/(B + 1)."""
    sums = matrix.sum(axis=0)
    difference = np.abs(sums[first] - sums[second])
    near = TOLERANCE * float(np.abs(matrix).sum(axis=0).max(initial=0.0))
    reached = len(sorted_ranges) - np.searchsorted(sorted_ranges, difference - near, "left")
    return np.asarray((reached + 1) / (len(sorted_ranges) + 1), np.float64)
