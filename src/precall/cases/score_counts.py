"""Counts of cases per distinct score, in several parts, and merging them into one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from precall.cases.curves import Curve
from precall.cases.scored_cases import EXACT, Scores
from precall.core.errors import Mistake
from precall.core.ragged import Float64, changes

if TYPE_CHECKING:
    import numpy.typing as npt

#: Cases are kept uncounted up to this number, or twice the distinct scores known so far, whichever
#: is more.
FEW = 1 << 16
#: Odd multiplier (2^64 / golden ratio) that spreads the bits of a score: Fibonacci hashing.
_ODD = 0x9E3779B97F4A7C15

#: Columns of counts in the table of counts: without weights, and with them.
COUNTS = ("relevant", "other")
WEIGHTS = ("relevant_weight", "other_weight")
#: Name of its column of scores if high scores are good, and if low ones are.
SCORE, LOW_SCORE = "score", "low_score"

#: Distinct scores, best first, and the numbers of relevant and of other cases at each.
Counted: TypeAlias = tuple[Float64, Any, Any]
Number = TypeVar("Number", int, float)


def names_of_counts(higher_is_better: bool, weighted: bool) -> tuple[str, ...]:
    """The names of the columns in the table of counts."""
    return (SCORE if higher_is_better else LOW_SCORE, *(WEIGHTS if weighted else COUNTS))


def are_distinct(scores: list[Scores]) -> bool:
    """Whether most cases have a score of their own, judged by one distinct score in 64 and all its
    cases.
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
    """The counts of cases per distinct score of a curve; counts are returned as they are."""
    if isinstance(curve, tuple):
        return curve
    tp: Any
    fp: Any
    tp, fp = np.diff(curve.tp), np.diff(curve.fp)
    return curve.threshold[1:].astype(np.float64, copy=False), tp, fp


def merge(parts: list[Counted]) -> Counted:
    """The counts of several parts merged, each score once."""
    none = np.zeros(0, np.int64)
    columns = zip((none.astype(np.float64), none, none), *parts, strict=True)
    score, positive, negative = (np.concatenate(column) for column in columns)
    # The parts are already sorted; stable sorting is fast on such data.
    order = np.argsort(-score, kind="stable")
    score = score[order]
    start = np.flatnonzero(changes(score))
    # Adding 0 turns -0 into 0, so that results do not depend on which of them came first.
    return (
        score[start] + 0.0,
        np.add.reduceat(positive[order], start),
        np.add.reduceat(negative[order], start),
    )


def count_of(counts: npt.NDArray[Any], before: int = 0) -> int:
    """The number of cases; DataError if it, plus those before, exceeds what sums hold exactly."""
    check_exact(float(np.sum(counts, dtype=np.float64)) + before)
    return int(np.sum(counts))


def check_exact(cases: Number) -> Number:
    """The same number of cases; DataError if counts of so many would not be exact."""
    if cases > EXACT:
        raise Mistake(
            "there are more than 2**53 cases, beyond which sums of counts are not exact",
            "check the counts, or divide all by one number",
        ).error("scored cases")
    return cases
