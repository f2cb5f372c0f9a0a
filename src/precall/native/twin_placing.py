"""Hits at random ranks: sums of the precisions at them, in NumPy; the work of `placing.cpp`."""

from __future__ import annotations

import numpy as np

from precall.core.ragged import Bool
from precall.native.twin_resampling import Float64, Words, distance_of, mix_bits, upper

_MOST = 2**31 - 1
#: Partial sums side by side, each over every fourth hit.
_LANES = 4


def place_sums(seed: Words, items: int, relevant: int, bound: int, threads: int) -> Float64:
    """The sum of precisions at the ranks of the hits, for each draw; all orders of the list are
    equally likely.

    The stream of a draw begins at its seed. The smaller class, hits or others, is marked. First
    each item is marked independently with a chance of `bound` / 256: for 64 items, one word holds
    one bit of each random number, lowest bit first. Then items are drawn, a word each, until as
    many marks are added or removed as are missing or too many.
    """
    if not 1 <= items <= _MOST or not 0 <= relevant <= items:
        raise ValueError("counts: must be of a list below 2^31")
    if not 0 <= bound < 256:
        raise ValueError("bound: must be 0 to 255")
    fewer = min(relevant, items - relevant)
    hits = (_mark(start, items, fewer, bound) ^ (fewer != relevant) for start in seed)
    return np.array([_precisions(np.flatnonzero(one) + 1) for one in hits], np.float64)


def _mark(start: np.uint64, items: int, number: int, bound: int) -> Bool:
    """A random set of `number` items."""
    words = -(-items // 64)
    below, state = np.zeros(words, np.uint64), np.array([start], np.uint64)
    if bound:
        # The lowest zero bits of the bound have no effect.
        used = range((bound & -bound).bit_length() - 1, 8)
        word = ~mix_bits(state + distance_of(np.arange(1, words * len(used) + 1))).reshape(
            words, len(used)
        )
        for column, bit in enumerate(used):
            below = word[:, column] | below if bound >> bit & 1 else word[:, column] & below
        state = state + distance_of(words * len(used))
    marks = np.unpackbits(
        below.astype("<u8").view(np.uint8), count=items, bitorder="little"
    ).astype(np.bool_)
    missing = number - int(np.count_nonzero(marks))
    while missing:
        draws = 2 * abs(missing) + 16
        item = upper(
            mix_bits(state + distance_of(np.arange(1, draws + 1))), np.uint64(items)
        ).astype(np.int64)
        state = state + distance_of(draws)
        # If an item is drawn twice, its first draw counts.
        changed = item[np.sort(np.unique(item, return_index=True)[1])]
        changed = changed[marks[changed] == (missing < 0)][: abs(missing)]
        marks[changed] ^= True
        missing -= len(changed) if missing > 0 else -len(changed)
    return marks


def _precisions(rank: np.ndarray) -> float:
    terms = np.zeros(-(-len(rank) // _LANES) * _LANES + _LANES)
    terms[: len(rank)] = np.arange(1.0, len(rank) + 1) / rank
    sums = np.cumsum(terms.reshape(-1, _LANES), axis=0)[-1]
    return float((sums[0] + sums[1]) + (sums[2] + sums[3]))
