"""How well scores separate each pair of categories: the parts of Hand & Till's (2001) AUC."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from precall.curves.cases import Scores, refuse_nan, scores
from precall.errors import UsageError
from precall.notes import warn
from precall.ragged import Float64, Int64
from precall.undefined import check_undefined, treated

if TYPE_CHECKING:
    from precall.contingency.pivots import Status


def separations(code: Int64, score: npt.NDArray[Any]) -> Float64:
    """Cell (i, j): the chance that an item of i outscores one of j on i's scores, ties counting half.

    Parameters
    ----------
    code : the category of each item, by its column.
    score : items x categories.

    Returns
    -------
    categories x categories; NaN on the diagonal, and where a category has no item.

    Examples
    --------
    >>> separations(np.array([0, 1, 1]), np.array([[0.9, 0.1], [0.6, 0.4], [0.9, 0.8]]))
    array([[ nan, 0.75],
           [1.  ,  nan]])
    """
    count = score.shape[1]
    size = np.bincount(code, minlength=count)
    twice = np.empty((count, count))
    for i in range(count):
        one: Scores = scores(score[:, i])
        refuse_nan(one)
        hits = np.sort(one[code == i])
        # Twice the hits below an item, with those of equal score once.
        below = hits.searchsorted(one, "left") + hits.searchsorted(one, "right")
        twice[i] = 2 * size[i] * size - np.bincount(code, below, minlength=count)
    pairs = np.outer(size, size).astype(np.float64)
    np.fill_diagonal(pairs, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(pairs > 0, twice / (2 * pairs), np.nan))


def hand_till(status: Status, undefined: str) -> float:
    """Mean over pairs of categories; see `Status.hand_till`."""
    check_undefined(undefined)
    count = len(status.categories)
    if len(status.truth.keys) != status.truth.items or np.any(status.truth.per_item() != 1):
        raise UsageError("hand_till: needs exactly one category per item")
    if len(status.score) != status.truth.items * count:
        raise UsageError("hand_till: needs a score of every item for every category")
    chance = separations(status.truth.category, status.score.reshape(status.truth.items, count))
    a, b = np.triu_indices(count, 1)
    pair = (chance[a, b] + chance[b, a]) / 2

    def what(count: int) -> str:
        empty = status.categories[int(np.argmin(status.truth.per_category()))]
        return f"undefined for {count} of {len(pair)} pairs of categories, as {empty!r} has no item"

    kept = treated(pair, undefined, source="truth", what=lambda _, count: what(count))
    if missing := int(np.isnan(pair).sum()):
        warn(f"Hand-Till AUC: {what(missing)}")
    return float(np.mean(kept)) if len(kept) else float("nan")
