"""Cells of items x categories matrices, dense or scipy.sparse: which of them are true."""

from __future__ import annotations

from typing import Any

import numpy as np

from precall.core.errors import Among, Mistake
from precall.core.ragged import Int64
from precall.read.values import has_value

#: Fewer than one true cell in this many counts as few.
_FEW = 16
_CELLS = Among("allowed are", [0, 1])
_NOT_BINARY = "threshold scores first, or pass labels as one column"
#: For -1, which is "uncertain" in CheXpert.
_UNCERTAIN = "write 0 or 1 for it, or NaN where ⟨missing='skip'⟩ is taken, as by categorize"


def sum_cells(matrix: Any) -> Any:
    """A sparse matrix by coordinates; several entries of one cell are summed, as SciPy does
    everywhere.
    """
    pairs = matrix.tocoo(copy=True)
    pairs.sum_duplicates()
    return pairs


def keys_of(value: Any, name: str) -> Int64:
    """Ascending keys, item * categories + category, of the cells that are 1; a cell that is neither
    0 nor 1 is refused.
    """
    pairs = sum_cells(value) if hasattr(value, "tocoo") else None
    by_column = pairs is None and value.flags.f_contiguous and not value.flags.c_contiguous
    # Transposing millions of cells takes longer than reading them in their memory order.
    cells = (value.T if by_column else value).ravel() if pairs is None else pairs.data
    wrong: Any = (
        [cell for cell in cells.tolist() if not has_value(cell)] if cells.dtype == object else []
    )
    if not wrong:
        # Most matrices have few cells other than 0, and only these are checked further.
        is_true = cells if cells.dtype == np.bool_ else cells != 0
        true = np.flatnonzero(is_true)
        wrong = (some := cells[true])[some != 1]
    if len(wrong):
        may_be_uncertain = has_value(wrong[0]) and wrong[0] == -1
        raise Mistake(
            "a cell of the items x categories matrix is {got}",
            _UNCERTAIN if may_be_uncertain else _NOT_BINARY,
            got=wrong[0],
            allowed=_CELLS,
        ).error(name)
    # sorting many keys takes longer than transposing
    if by_column and _FEW * len(true) > len(is_true):
        true = np.flatnonzero(is_true.reshape(value.shape[::-1]).T)
    elif by_column:
        column, row = np.divmod(true, len(value))
        true = np.sort(row * value.shape[1] + column)
    if pairs is None:
        return true.astype(np.int64, copy=False)
    return ascending(pairs.row[true].astype(np.int64) * value.shape[1] + pairs.col[true])


def ascending(keys: Int64) -> Int64:
    """Sorted distinct keys, fast if they are nearly in order; `np.unique` would hash them all."""
    keys = np.sort(keys, kind="stable")
    return keys[np.diff(keys, prepend=-1) > 0]
