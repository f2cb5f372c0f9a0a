"""Counts of the cases of each distinct score, in parts, and the parts made one."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from precall.cases.path import Curve
from precall.cases.scored_cases import EXACT, Scores
from precall.core.errors import DataError, Problem
from precall.core.ragged import Float64, changes

#: So many cases, or twice the distinct scores known so far, are kept as they came before they are
#: counted.
FEW = 1 << 16
#: Spreads the bits of a score over all others.
_ODD = 0x9E3779B97F4A7C15

#: Counts in the table of counts: of cases, and of cases with weights.
COUNTS = ("relevant", "other")
WEIGHTS = ("relevant_weight", "other_weight")
#: Its column of scores if high ones are good, and if low ones are.
SCORE, LOW_SCORE = "score", "low_score"

#: Distinct scores, best first, and the relevant and other cases of each.
Counted: TypeAlias = tuple[Float64, Any, Any]


def names_of_counts(higher_is_better: bool, weighted: bool) -> tuple[str, ...]:
    """The columns of the table of counts."""
    return (SCORE if higher_is_better else LOW_SCORE, *(WEIGHTS if weighted else COUNTS))


def are_distinct(scores: list[Scores]) -> bool:
    """Whether most cases have a score of their own: told from those of each 64th score, whose cases
    are looked at all.
    """
    chosen = []
    for score in scores:
        for at in range(0, len(score), FEW):
            some = np.ascontiguousarray(score[at : at + FEW])
            word = some.view(f"u{some.itemsize}")
            size = 8 * some.itemsize
            chosen.append(
                some[word * word.dtype.type(_ODD >> 64 - size) >> word.dtype.type(size - 6) == 0]
            )
    together = np.concatenate(chosen)
    return 2 * len(np.unique(together)) > len(together)


def counts_of(curve: Curve | Counted) -> Counted:
    """The cases of each distinct score of a curve, or as they were counted."""
    if isinstance(curve, tuple):
        return curve
    tp: Any
    fp: Any
    tp, fp = np.diff(curve.tp), np.diff(curve.fp)
    return curve.threshold[1:].astype(np.float64, copy=False), tp, fp


def merged(parts: list[Counted]) -> Counted:
    """The counts of several parts, each score once."""
    none = np.zeros(0, np.int64)
    columns = zip((none.astype(np.float64), none, none), *parts, strict=True)
    score, positive, negative = (np.concatenate(column) for column in columns)
    # Parts are sorted already, which this kind of sorting makes use of.
    order = np.argsort(-score, kind="stable")
    score = score[order]
    start = np.flatnonzero(changes(score))
    # Adding 0 turns -0 into 0.
    return (
        score[start] + 0.0,
        np.add.reduceat(positive[order], start),
        np.add.reduceat(negative[order], start),
    )


def count_of(counts: Any, before: int = 0) -> int:
    """How many cases there are, refused where they, with those before, would not be exact."""
    if (many := float(np.sum(counts, dtype=np.float64)) + before) > EXACT:
        few(many)
    return int(np.sum(counts))


def few(many: Any) -> Any:
    """So many cases, refused where counts of them would not be exact."""
    if many > EXACT:
        problem = "there are more than 2**53 cases, beyond which sums of counts are not exact"
        raise DataError(
            [
                Problem(
                    "scored cases", None, problem, "check the counts, or divide all by one number"
                )
            ]
        )
    return many
