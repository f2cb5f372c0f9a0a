"""Randomised Tukey HSD: all pairs of systems at once (Carterette 2012; Sakai 2018).

If no system is better than another, the values of a topic could stand in any order. So they are shuffled within each
topic: a difference is significant if few ranges of the systems' means reach it, with no further correction.
"""

from __future__ import annotations

import numpy as np

from precall.infer.resample.batches import TOLERANCE, parts
from precall.ragged import Float64

#: Shuffles made by sorting, and how many more are made of each of them by shuffling once again.
_SORTED = 128
_AGAIN = 7
#: Systems that a sort key has room for.
MOST = 2**12


def ranges(matrix: Float64, rng: np.random.Generator, resamples: int) -> Float64:
    """Range of the systems' sums for each shuffling within topics, sorted.

    A shuffle is a sort of random keys that carry the place of a system in their last bits. Where keys are equal in the
    random bits, the place decides; so that every order is equally likely all the same, each batch starts from rows
    shuffled the slow way. Sorting takes time, so each sorted shuffle serves eight times: seven more are that shuffle
    followed by another, drawn for each topic and used for the whole batch. Any two of all shuffles are independent, and
    so p has the mean and the variance that it would have if all were.
    """
    topics, systems = matrix.shape
    bits = max(int(systems - 1).bit_length(), 1)
    place = np.arange(systems, dtype=np.uint32)
    low = np.uint32((1 << bits) - 1)

    def batch(made: np.random.Generator, size: int) -> Float64:
        rows = min(size, _SORTED)
        start = made.permuted(matrix, axis=1)
        again = made.permuted(np.broadcast_to(place, (_AGAIN, topics, systems)), axis=2)
        total = np.zeros((1 + _AGAIN, systems, rows))
        words = -(-rows * systems // 2)
        drawn = np.empty((rows, systems))
        for topic in range(topics):
            key = made.integers(0, 2**64, size=words, dtype=np.uint64).view(np.uint32)[: rows * systems]
            key = key.reshape(rows, systems) & ~low | place
            key.sort(axis=1)
            key &= low
            np.take(start[topic], key, out=drawn, mode="clip")
            upright = np.ascontiguousarray(drawn.T)
            total[0] += upright
            for more in range(_AGAIN):
                total[1 + more] += upright[again[more, topic]]
        return np.ravel(total.max(axis=1) - total.min(axis=1))[:size]

    return np.sort(np.concatenate(list(parts(batch, rng, resamples, _SORTED * (1 + _AGAIN)))))


def family_p(matrix: Float64, first: list[int], second: list[int], sorted_ranges: Float64) -> Float64:
    """Per pair of systems, the p-value that holds for all pairs together: (c + 1)/(B + 1)."""
    sums = matrix.sum(axis=0)
    difference = np.abs(sums[first] - sums[second])
    near = TOLERANCE * float(np.abs(matrix).sum(axis=0).max(initial=0.0))
    reached = len(sorted_ranges) - np.searchsorted(sorted_ranges, difference - near, "left")
    return np.asarray((reached + 1) / (len(sorted_ranges) + 1), np.float64)
