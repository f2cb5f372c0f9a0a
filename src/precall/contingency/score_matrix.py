"""Scores of items for categories, as an items x categories matrix that goes with the truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.checks import refuse_masked
from precall.contingency.membership import Membership, memberships
from precall.curves.cases import Scores, refuse_rounded
from precall.curves.cases import scores as read_scores
from precall.errors import DataError, Problem, UsageError
from precall.ragged import Bool, Int64

#: The bits of an infinite number of half precision without its sign; those of NaN are more.
_INFINITE = 0x7C00


@contextmanager
def swaps_told(truth: Any, scores: Any) -> Iterator[None]:
    """What is refused because one was given for the other says so."""
    try:
        yield
    except (DataError, UsageError):
        if _is_scores(truth) and not _is_scores(scores):
            raise UsageError("truth and scores are swapped: pass the truth first") from None
        raise


def shaped(truth: Any, scores: Any, categories: Sequence[Any] | None) -> tuple[Membership, Any]:
    """The truth, and the scores as an items x categories matrix, dense or scipy.sparse, that goes with it."""
    # Labels 0 and 1 of two columns are two categories, not binary decisions.
    known = memberships({"truth": truth}, categories, binary=False)[0]
    shape = (known.items, len(known.categories))
    refuse_masked(scores, "scores", "cell")
    try:
        matrix = scores if hasattr(scores, "tocoo") else np.asarray(scores)
    except ValueError as error:
        raise UsageError(f"scores: must be an items x categories matrix ({error})") from None
    got = tuple(matrix.shape)
    if got != shape:
        raise UsageError(f"scores: shape must be items x categories {shape}, got {got}")
    if matrix is not scores:
        refuse_rounded(scores, matrix)
    return known, matrix


def refuse_nan_cells(truth: Membership, where: Bool, keys: Int64 | None = None) -> None:
    """Raise, naming the first, if a score is NaN; the keys of the pairs are needed where not all were scored."""
    if not np.any(where):
        return
    key = int(np.argmax(where))
    item, column = divmod(key if keys is None else int(keys[key]), len(truth.categories))
    what = f"the score of item {item} for category {truth.categories[column]!r} is NaN"
    todo = "leave the pair out of a sparse matrix if it was not scored"
    raise DataError([Problem("scores", None, what, todo)])


def kept_by_category(truth: Membership, matrix: npt.NDArray[Any]) -> Scores:
    """Scores as they are kept, categories x items: a copy, as the caller may fill the same array again."""
    if matrix.dtype == np.float16:
        # By its bits: NumPy would turn every number into a longer one to look at it.
        refuse_nan_cells(truth, matrix.view(np.uint16) & 0x7FFF > _INFINITE)
        return np.array(matrix).T
    by_column = matrix.flags.f_contiguous
    score = read_scores((matrix.T if by_column else matrix).ravel())
    score = score.copy() if np.may_share_memory(score, matrix) else score
    score = score.reshape(matrix.shape[::-1]) if by_column else score.reshape(matrix.shape).T
    refuse_nan_cells(truth, np.isnan(score.T))
    return score


def _is_scores(given: Any) -> bool:
    """Whether it is a matrix of other numbers than 0 and 1."""
    try:
        cells = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        return False
    return cells.ndim == 2 and not bool(np.all((cells == 0) | (cells == 1)))
