"""Counting: from labels and scores to the relevant and other cases at or above each distinct score.

Values are sorted, never indices (an argsort costs ten times as much), and only the smaller of the
two classes is looked up among the distinct scores.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.curves.cases import Scores, Weights, refuse_nan
from precall.ragged import Bool, Int64

Count: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.float64]


def tally(relevant: Bool, score: Scores) -> tuple[Scores, Int64, Int64]:
    """Distinct scores, best first; relevant cases and other cases of exactly that score."""
    ordered = np.sort(score)
    if len(ordered) and np.isnan(ordered[-1]):  # NaN sorts last
        refuse_nan(score)
    lead = np.empty(len(ordered), np.bool_)
    lead[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=lead[1:])
    start = np.flatnonzero(lead)
    value = ordered[start]
    size = np.diff(np.append(start, len(ordered)))
    hits = int(np.count_nonzero(relevant))
    few = np.sort(score[relevant if 2 * hits <= len(score) else ~relevant])
    count = np.bincount(np.searchsorted(value, few), minlength=len(value)).astype(np.int64, copy=False)
    rest = size - count
    positive, negative = (count, rest) if 2 * hits <= len(score) else (rest, count)
    best: Scores = np.flip(value)
    return best, np.flip(positive), np.flip(negative)


def weighted_tally(relevant: Bool, score: Scores, weights: Weights) -> tuple[Scores, Count, Count]:
    """The same in sums of weights; a weight of 0 removes the case."""
    refuse_nan(score)
    keep = weights > 0
    relevant, score, weights = relevant[keep], score[keep], weights[keep]
    order = np.argsort(-score, kind="stable")
    score, relevant, weights = score[order], relevant[order], weights[order]
    lead = np.ones(len(score), np.bool_)
    lead[1:] = score[1:] != score[:-1]
    start = np.flatnonzero(lead)
    if not len(start):
        empty: Any = np.zeros(0, weights.dtype)
        return score, empty, empty
    none = weights.dtype.type(0)
    positive: Any = np.add.reduceat(np.where(relevant, weights, none), start)
    negative: Any = np.add.reduceat(np.where(relevant, none, weights), start)
    best: Scores = score[start]
    return best, positive, negative
