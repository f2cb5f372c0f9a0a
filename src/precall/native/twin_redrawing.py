"""Sums of values that are redrawn at random, in NumPy: the work of `redrawing.cpp`, many sums at
once.

Values are whole numbers, so that their sums are exact in any order. Word j of a seed is that of
SplitMix64 after j steps. It gives two draws of n values, or one if n is large: the upper half of
word x n, which has 128 bits, and that of the lower half x n. Each draw is uniform except for 2^-20.
"""

from __future__ import annotations

import numpy as np

from precall.native.twin_resampling import Int64, distance_of, mix_bits, upper

_MOST, _MOST_OF_TWO = 2**31 - 1, 2**22


def redraw_sums(value: Int64, seed: int, samples: int) -> Int64:
    """Sums of samples with replacement, each of as many values as there are."""
    if len(value) > _MOST or not 0 <= samples <= _MOST:
        raise ValueError("counts: must be >= 0, and below 2^31")
    sums, size = np.zeros(samples, np.int64), np.uint64(len(value))
    each = 2 if size <= _MOST_OF_TWO else 1
    first = np.uint64(seed) + distance_of(np.arange(samples) * -(-len(value) // each))
    word = first
    for draw in range(len(value)):
        word = word * size if draw % each else mix_bits(first + distance_of(draw // each + 1))
        sums += value.take(upper(word, size).astype(np.int64))
    return sums
