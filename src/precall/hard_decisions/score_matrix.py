"""Scores of items for categories, as an items x categories matrix that matches the truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.cases.scored_cases import Scores, refuse_inexact_lists
from precall.cases.scored_cases import scores as read_scores
from precall.core.arguments import refuse_mask, validate_arrow
from precall.core.errors import (
    NAN,
    DataError,
    Fact,
    Many,
    Mistake,
    NoArray,
    Shape,
    UsageError,
)
from precall.core.ragged import Bool, Int64
from precall.core.text import listing, many
from precall.hard_decisions.membership import BOTH_ALIKE, Membership, memberships
from precall.read.distinct_labels import is_sortable, known_categories
from precall.read.label_rows import in_rows
from precall.read.values import Levels, as_list, has_value

#: The bits of infinity in half precision, without the sign; those of NaN are greater.
_INFINITE = 0x7C00
#: Advice on a label without a column, which no naming of columns would provide.
_ITS_SCORES = "give its scores, too, as one more column"


@contextmanager
def tell_swaps(truth: object, scores: object) -> Iterator[None]:
    """Context in which errors say so if truth and scores were swapped."""
    try:
        yield
    except (DataError, UsageError):
        if _is_scores(truth) and not _is_scores(scores):
            raise UsageError("truth and scores are swapped: pass the truth first") from None
        raise


def as_matrix(
    truth: object,
    scores: Any,
    categories: Sequence[Any] | None,
    levels: Levels | None = None,
    are_named: bool = False,
) -> tuple[Membership, Any]:
    """The truth, and the scores as a matching items x categories matrix, dense or scipy.sparse.

    `levels` are those that the truth declares; they count if no categories are named. The
    categories `are_named` if the user named them; otherwise they are the columns of a frame, or
    their numbers.
    """
    declared = {"truth": levels} if categories is None and levels is not None else {}
    # Labels 0 and 1 with two columns of scores are two categories, not binary decisions.
    beyond = f"{BOTH_ALIKE}, or {_ITS_SCORES}" + ", and its name in ⟨categories=⟩" * are_named
    membership = memberships(
        {"truth": truth}, categories, binary=False, levels=declared, beyond=beyond
    )[0]
    refuse_mask(scores, "scores", "cell")
    matrix = scores if hasattr(scores, "tocoo") else _matrix(scores)
    _check_shape(membership, tuple(matrix.shape), categories)
    if declared:
        _refuse_order(declared["truth"], membership.categories)
    elif categories is None and not is_sortable(membership.categories):
        remedy = "name the columns in their order with ⟨categories=[...]⟩"
        raise UsageError(
            argument="scores",
            what=f"{listing(membership.categories)} have no order of their own; {remedy}",
        )
    if matrix is not scores:
        refuse_inexact_lists(scores, matrix)
    return membership, matrix


def _matrix(scores: object) -> npt.NDArray[Any]:
    """Scores as an array, from lists, columns of lists or arrays; rows of unequal length are
    refused.
    """
    if not isinstance(scores, np.ndarray):
        scores = (
            as_list(validate_arrow(scores, "scores")) if hasattr(scores, "__iter__") else scores
        )
    elif scores.dtype == object and scores.ndim == 1:
        scores = scores.tolist()
    if isinstance(scores, list | tuple) and in_rows(scores):
        sizes = [len(row) if hasattr(row, "__len__") else 0 for row in scores]
        width = max(set(sizes), key=sizes.count)
        if row := next((row for row, size in enumerate(sizes) if size != width), None):
            raise Mistake(
                "item {item} has {got}, and most of the others have {width}",
                "give every item one for each category",
                got=Many(sizes[row], "score"),
                item=row,
                width=width,
            ).error("scores")
    try:
        return np.asarray(scores)
    except ValueError as error:
        raise UsageError(
            argument="scores", allowed="an items x categories matrix", got=NoArray(scores, error)
        ) from None


def _check_shape(
    truth: Membership, got: tuple[int, ...], categories: Sequence[object] | None
) -> None:
    """Raise unless each item has a score for each category."""
    if got == (truth.items, len(truth.categories)):
        return
    if len(got) != 2:
        raise UsageError(argument="scores", allowed="an items x categories matrix", got=Shape(got))
    if got[0] != truth.items:
        raise UsageError(
            argument="scores",
            what=f"must have a row for each of {many(truth.items, 'item')}",
            got=Fact(many(got[0], "row")),
        )
    names = listing(truth.categories)
    if categories is not None:
        raise UsageError(
            argument="scores",
            what=f"must have a column for each of the categories, {names}",
            got=Fact(many(got[1], "column")),
        )
    if got[1] < len(truth.categories):
        remedy = "give scores of every label, a column for each"
    else:
        remedy = "name all columns in their order with ⟨categories=[...]⟩; no item need be in each"
    if truth.kind == "multi":
        remedy = f"give a matrix as many columns as there are scores; of sets of labels {remedy}"
    raise UsageError(
        argument="scores",
        what=(
            f"{many(got[1], 'column')}, but the truth has {many(len(truth.categories), 'label')}, "
            f"{names}"
        ),
        remedy=remedy,
    )


def _refuse_order(levels: Levels, names: tuple[Any, ...]) -> None:
    """Raise if declared levels are not in sorted order: columns without names would be those of the
    sorted labels.
    """
    declared, by_name = (names if levels.ordered else levels.names), known_categories(names)
    if declared != by_name:
        ways = f"{listing(declared)}, as the truth has its levels"
        remedy = f"or {listing(by_name)}, as scikit-learn sorts them; say so with ⟨categories=⟩"
        raise UsageError(argument="scores", what=f"the columns may be {ways}, {remedy}")


def refuse_nan_cells(truth: Membership, where: Bool, keys: Int64 | None = None) -> None:
    """Raise, naming the first, if a score is NaN; `keys` of the pairs are needed unless all were
    scored.
    """
    if not np.any(where):
        return
    key = int(np.argmax(where))
    item, column = divmod(key if keys is None else int(keys[key]), len(truth.categories))
    raise Mistake(
        "the score of item {item} for category {category} is {got}",
        "leave the pair out of a sparse matrix if it was not scored",
        got=NAN,
        item=item,
        category=truth.categories[column],
    ).error("scores")


def unlabelled_cells(truth: Any) -> tuple[Any, Bool | None]:
    """An items x categories matrix with 0 for cells that are missing (NaN, None, NA, masked), and
    which those are; the truth unchanged and None if it is no such matrix or lacks none.
    """
    if hasattr(truth, "tocoo"):
        return truth, None
    if isinstance(truth, np.ma.MaskedArray):
        if truth.ndim != 2 or not np.ma.getmaskarray(truth).any():
            return truth, None
        cells, unknown = unlabelled_cells(truth.filled(0))
        return cells, np.ma.getmaskarray(truth) | (False if unknown is None else unknown)
    cells = truth if isinstance(truth, np.ndarray) and truth.ndim == 2 else _rows_of(truth)
    if cells is None:
        return truth, None
    if cells.dtype.kind == "f":
        is_missing = np.isnan(cells)
    elif cells.dtype == object:
        lacks = (not has_value(cell) for cell in cells.ravel().tolist())
        is_missing = np.fromiter(lacks, np.bool_, cells.size).reshape(cells.shape)
    else:
        return truth, None
    if not is_missing.any():
        return truth, None
    return np.where(is_missing, 0, cells), is_missing


def _rows_of(truth: Any) -> npt.NDArray[Any] | None:
    """Lists of one length that hold 0, 1 and missing cells only, with some of these, as a matrix;
    None for everything else.
    """
    first = next(iter(truth), None) if hasattr(truth, "__iter__") else None
    if first is None or isinstance(first, str | bytes | int | float | np.generic | set | frozenset):
        return None  # labels; there may be millions
    rows = truth if isinstance(truth, list | tuple) else as_list(truth)
    if not all(isinstance(row, list | tuple | np.ndarray) and len(row) for row in rows):
        return None
    if len({len(row) for row in rows}) != 1:
        return None
    cells = np.empty((len(rows), len(rows[0])), object)
    lacks = False
    for number, row in enumerate(rows):
        for place, cell in enumerate(row):
            if not has_value(cell):
                lacks = True
            elif not isinstance(cell, int | float | np.number | np.bool_) or cell not in (0, 1):
                return None
            cells[number, place] = cell
    return cells if lacks else None


def no_label(truth: Membership, is_missing: Bool) -> Mistake:
    """The mistake that some cells of the truth are missing."""
    item, column = np.argwhere(is_missing)[0].tolist()
    mistake = Mistake(
        "item {item} has no label for category {category} ({got})",
        'say ⟨missing="skip"⟩ to leave out pairs of item and category without a label',
        got=NAN,
        item=item,
        category=truth.categories[column],
    )
    return mistake.with_count(int(np.count_nonzero(is_missing)), is_missing.size)


def kept_by_category(truth: Membership, matrix: npt.NDArray[Any]) -> Scores:
    """Scores as they are stored, categories x items: a copy, because the caller may reuse the
    array.
    """
    if matrix.dtype == np.float16:
        # By their bits: NumPy would convert every number to a longer type to test it.
        refuse_nan_cells(truth, matrix.view(np.uint16) & 0x7FFF > _INFINITE)
        return np.array(matrix).T
    by_column = matrix.flags.f_contiguous
    score = read_scores((matrix.T if by_column else matrix).ravel())
    score = score.copy() if np.may_share_memory(score, matrix) else score
    score = score.reshape(matrix.shape[::-1]) if by_column else score.reshape(matrix.shape).T
    refuse_nan_cells(truth, np.isnan(score.T))
    return score


def _is_scores(given: object) -> bool:
    """Whether it is a matrix with other numbers than 0 and 1."""
    try:
        cells = np.asarray(given, np.float64)
    except (TypeError, ValueError, OverflowError):
        return False
    return cells.ndim == 2 and not bool(np.all((cells == 0) | (cells == 1)))
