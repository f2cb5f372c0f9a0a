"""Sums of ratios of two linear functions; time and memory do not grow with the number of terms.

Precisions along a block of equal scores, or between two operating points, are such ratios. The
weights or counts of a block say how many ranks it has, and these may be more than memory holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from precall.core.ragged import Float64, Int64, spread

#: Number of terms of each sum that are added one by one.
_DIRECT = 1 << 12
#: Number of terms in memory at one time.
_SLICE = 1 << 20


def ratios(a: Float64, b: Float64, c: Float64, d: Float64, count: Int64) -> Float64:
    """Σ (a + b i) / (c + d i) for i = 0 .. count - 1, per element; a, b >= 0, c > 0, d >= 1.

    Examples
    --------
    >>> one = np.ones(1)
    >>> ratios(one, 0 * one, one, one, np.array([10**9])).round(9)  # the harmonic number
    array([21.3004815])
    """
    if len(count) and count.min() == count.max() == 1:  # without equal scores: steps of one hit
        return np.asarray(a / c)
    direct_count = np.minimum(count, _DIRECT)
    total = np.zeros(len(count))
    ends = np.flatnonzero(np.diff(np.cumsum(direct_count) // _SLICE)) + 1
    for start, stop in pairwise([0, *ends.tolist(), len(direct_count)]):
        row, index = spread(np.zeros(stop - start, np.int64), direct_count[start:stop])
        row += start
        terms = (a[row] + b[row] * index) / (c[row] + d[row] * index)
        total[start:stop] = np.bincount(row - start, terms, stop - start)
    long = np.flatnonzero(count > _DIRECT)
    if len(long):
        total[long] += _sum_of_rest(
            a[long], b[long], c[long], d[long], count[long].astype(np.float64)
        )
    return total


def decaying(step: Float64, before: Int64 | Float64, count: Int64) -> Float64:
    """Σ e^(-step x) over `count` ranks, x = before, before + 1, ..., per element.

    Examples
    --------
    >>> decaying(np.array([1.0]), np.array([0]), np.array([2])).round(6)  # 1 + 1/e
    array([1.367879])
    """
    return np.asarray(np.exp(-step * before) * np.expm1(-step * count) / np.expm1(-step))


def _sum_of_rest(a: Float64, b: Float64, c: Float64, d: Float64, count: Float64) -> Float64:
    """Sum of the terms from `_DIRECT` on, by the Euler-Maclaurin formula; the error is under 1e-17
    of a term.
    """
    over, under, length = a + b * _DIRECT, c + d * _DIRECT, count - 1 - _DIRECT
    growth = d * length / under
    integral = over / d * np.log1p(growth) + b / d * (under / d) * _minus_log1p(growth)
    last_over, last_under = over + b * length, under + d * length
    ends = (over / under + last_over / last_under) / 2
    # With `turn` and u = c + d i, the first derivative is turn / u², the third 6 d² turn / u⁴.
    turn = b * under - d * over
    first = turn / last_under**2 - turn / under**2
    third = 6 * d**2 * (turn / last_under**4 - turn / under**4)
    return np.asarray(integral + ends + first / 12 - third / 720)


def _minus_log1p(x: Float64) -> Float64:
    """x - log(1 + x), without cancellation."""
    powers = np.arange(2, 18)
    small = np.minimum(x, 0.1)[:, None]
    series = ((-small) ** powers / powers).sum(axis=1)
    return np.where(x < 0.1, series, x - np.log1p(x))


def reciprocal_in_block(first: int, size: int, count: int, cutoff: int | None = None) -> float:
    """Mean of 1 / rank of the first of `count` hits in random order among the `size` ranks from
    `first` on.

    Ranks beyond `cutoff` count 0. Slices of ranks are added until the remaining ranks are too
    unlikely to change the sum.
    """
    stop = size - count + 1 if cutoff is None else min(size - count + 1, cutoff - first + 1)
    if count == 1:
        ones = np.ones(1)
        return float(ratios(ones, 0 * ones, first * ones, ones, np.array([max(stop, 0)]))[0]) / size
    total, chance = 0.0, count / size
    for start in range(0, stop, _SLICE):
        # P(the first hit is `offset` ranks into the block), from the ratio of neighbours.
        offset = np.arange(start, min(start + _SLICE, stop))
        chances = chance * np.cumprod(
            np.concatenate(([1.0], (size - count - offset) / (size - 1 - offset)))
        )
        total += float(np.sum(chances[:-1] / (first + offset)))
        chance = float(chances[-1])
        # The remaining probability is at most that of no hit so far.
        if chance * (size - offset[-1] - 1) / count <= 1e-18 * total * (first + offset[-1]):
            break
    return total


def reciprocal_of_hit(first: int, size: int, count: int, nth: int) -> float:
    """Mean of 1 / rank of the `nth` of `count` hits in random order among the `size` ranks from
    `first` on.

    Slices of ranks are added from the likeliest rank on, upwards and downwards, until the remaining
    ranks are too unlikely to change the sum.

    Examples
    --------
    >>> reciprocal_of_hit(1, 3, 2, 2)  # hits at 1 2, 1 3, 2 3
    0.38888888888888884
    """
    if nth == 1:
        return reciprocal_in_block(first, size, count)
    likeliest = min(max(nth, (nth - 1) * size // max(count - 1, 1) + 1), size - count + nth)
    chance, total = 0.0, 0.0
    for rank, weight in _slices_of_ranks(likeliest, size, count, nth):
        chance, total = (
            chance + float(weight.sum()),
            total + float((weight / (first - 1 + rank)).sum()),
        )
    # Downwards it is the same, seen from the block's end. The likeliest rank was counted above.
    for rank, weight in _slices_of_ranks(size + 1 - likeliest, size, count, count + 1 - nth):
        weight[rank == size + 1 - likeliest] = 0
        chance, total = (
            chance + float(weight.sum()),
            total + float((weight / (first + size - rank)).sum()),
        )
    return total / chance


def _slices_of_ranks(
    start: int, size: int, count: int, nth: int
) -> Iterator[tuple[Float64, Float64]]:
    """Slices of the ranks in the block of the `nth` hit, from `start` on, and their probabilities
    divided by that of `start`.
    """
    stop, weight = size - count + nth + 1, 1.0
    for begin in range(start, stop, _SLICE):
        rank = np.arange(begin, min(begin + _SLICE, stop), dtype=np.float64)
        next_one = (
            rank / (rank - nth + 1) * ((size - count + nth - rank) / np.maximum(size - rank, 1))
        )
        weights = np.asarray(weight * np.cumprod(np.concatenate(([1.0], next_one))), np.float64)
        yield rank, weights[:-1]
        weight = float(weights[-1])
        if weight * (stop - rank[-1]) < 1e-18:
            return
