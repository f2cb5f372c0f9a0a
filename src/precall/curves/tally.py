"""Counting: from labels and scores to the relevant and other cases of each distinct score."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.curves.cases import Scores, Weights, contiguous, refuse_nan
from precall.native import kernel, thread_count
from precall.ragged import Bool, Int64

Count: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.float64]


def path(relevant: Bool, score: Scores) -> tuple[Scores, Int64, Int64]:
    """+inf and every distinct score, best first; relevant cases and other cases at or above each."""
    threshold, tp, fp, nan = kernel().path(contiguous(relevant), contiguous(score), thread_count())
    if nan >= 0:
        refuse_nan(score)
    return threshold, tp, fp


def tally(relevant: Bool, score: Scores) -> tuple[Scores, Int64, Int64]:
    """Distinct scores, best first; relevant cases and other cases of exactly that score."""
    threshold, tp, fp = path(relevant, score)
    return threshold[1:], np.diff(tp), np.diff(fp)


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
