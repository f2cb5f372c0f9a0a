"""Random signs of topics, in NumPy: the work of `signs.cpp`.

Each draw is a subset of the rows: those whose sign is turned. Row r is bit r % 8 of byte r // 8,
and the bytes of all draws lie side by side. Sums are added in one order, eight rows at a time, so
that they have the same bits everywhere.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from precall.core.ragged import Float64
from precall.native.twin_resampling import Int32, Int64

_MOST = 2**31 - 1
#: Greater numbers must not be added, as sums could overflow.
_MOST_SUM = 1e300
#: Numbers processed at one time.
_BATCH = 1 << 18


def sum_subsets(value: Float64, columns: int, subset: npt.NDArray[np.uint8]) -> Float64:
    """Sums of each column of a table over the rows of each subset: for each column, the sums of all
    draws.
    """
    if columns < 1 or not columns <= len(value) <= _MOST or len(value) % columns:
        raise ValueError("columns: too many, or not of one length")
    rows = len(value) // columns
    groups = -(-rows // 8)
    if len(subset) % groups or len(subset) // groups > _MOST // columns:
        raise ValueError("subsets: too many, or not of one length")
    padded = np.zeros((groups, 2, 4, columns))
    padded.reshape(-1, columns)[:rows] = value.reshape(rows, columns)
    total = np.zeros((len(subset) // groups, columns))
    for halves, byte in zip(padded, subset.reshape(groups, -1), strict=True):
        lower, upper = map(_sums_of_four, halves)
        total += (lower + upper[:, None]).reshape(256, columns).take(byte, axis=0)
    return np.ascontiguousarray(total.T).ravel()


def _sums_of_four(rows: Float64) -> Float64:
    """The sums over all subsets of four rows."""
    sums = np.zeros((1, rows.shape[1]))
    for row in rows:
        sums = np.concatenate((sums, sums + row))
    return sums


def greatest_gaps(
    sum: Float64, columns: int, first: Int32, second: Int32, weight: Float64
) -> Float64:
    """For each draw the greatest difference between the sums of two columns, times the weight of
    the pair; at least 0.
    """
    sums = _as_columns(sum, columns, first, second)
    if len(weight) != len(first):
        raise ValueError("columns differ in length")
    most = np.zeros(sums.shape[1])
    step = max(1, _BATCH // (len(most) + 1))
    for begin in range(0, len(first), step):
        some = slice(begin, begin + step)
        with np.errstate(over="ignore", invalid="ignore"):
            gaps = np.abs((sums[first[some]] - sums[second[some]]) * weight[some, None])
        # NaN never counts as the greatest.
        most = np.maximum(most, np.where(gaps > 0, gaps, 0.0).max(axis=0))
    return most


def rank_means(
    sum: Float64,
    columns: int,
    first: Int32,
    second: Int32,
    size: Float64,
    rows: int,
    total: Float64,
    near: Float64,
    rank: int,
    threads: int,
) -> tuple[Int64, Float64, Float64]:
    """For each pair of columns: how many draws turn its gap at least as far from 0, and the means
    of that rank from below and above.

    Means are those of the gaps over the rows of each subset, and over those of its complement, if
    both have rows. `size` is the number of rows of each subset, `total` the gap over all rows, and
    `near` the tolerance for equality, of each pair. If there are fewer means than `rank`, or it is
    below 0, the result is NaN.
    """
    sums = _as_columns(sum, columns, first, second)
    if len(size) != sums.shape[1] or not len(total) == len(near) == len(first):
        raise ValueError("columns differ in length")
    reached = np.zeros(len(first), np.int64)
    low, high = np.full((2, len(first)), np.nan)
    kept = (size >= 1) & (rows - size >= 1)
    inside, outside = 1 / size[kept], 1 / (rows - size[kept])
    for pair, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        total_gap = float(total[pair])
        with np.errstate(over="ignore", invalid="ignore"):
            gap = sums[i] - sums[j]
            reached[pair] = np.count_nonzero(
                np.abs(total_gap - 2 * gap) >= abs(total_gap) - near[pair]
            )
        if not (abs(total_gap) <= _MOST_SUM and (np.abs(gap) <= _MOST_SUM).all()):
            raise ValueError("sums: must be finite, and at most 1e300")
        if 0 <= rank < len(inside):
            means = np.sort(
                np.stack((gap[kept] * inside, (total_gap - gap[kept]) * outside)), axis=0
            )
            # + 0.0 turns -0.0 into 0.0.
            low[pair] = np.partition(means[0], rank)[rank] + 0.0
            high[pair] = np.partition(means[1], -rank - 1)[-rank - 1] + 0.0
    return reached, low, high


def _as_columns(sum: Float64, columns: int, first: Int32, second: Int32) -> Float64:
    """The sums as columns x draws, after checks."""
    if columns < 1 or len(sum) % columns:
        raise ValueError("columns: too many, or not of one length")
    if len(first) != len(second):
        raise ValueError("columns differ in length")
    for column in (first, second):
        if np.any(column < 0) or np.any(column >= columns):
            raise ValueError("there is no such cell")
    return sum.reshape(columns, -1)
