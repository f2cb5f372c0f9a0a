"""Measures of scores for several categories: how well the scores separate each pair."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.core.ragged import Float64, Int64
from precall.measures.registry import CategoryExample, Values, measure


class CategoryScores(NamedTuple):
    """The category of each item, by its column, and the items x categories matrix of scores."""

    code: Int64
    score: npt.NDArray[Any]


def separations(code: Int64, score: npt.NDArray[Any]) -> Float64:
    """The matrix whose cell (i, j) is the chance that an item of i outscores one of j on i's
    scores.

    Ties count half. Cells are NaN on the diagonal, and if a category has no item. See
    `CategoryScores`; scores are float32 or float64 without NaN.
    """
    count = score.shape[1]
    size = np.bincount(code, minlength=count)
    twice = np.empty((count, count))
    for i in range(count):
        column = score[:, i]
        hits = np.sort(column[code == i])
        # Twice the hits below each item, plus once the hits of equal score.
        below = hits.searchsorted(column, "left") + hits.searchsorted(column, "right")
        twice[i] = 2 * size[i] * size - np.bincount(code, below, minlength=count)
    pairs = np.outer(size, size).astype(np.float64)
    np.fill_diagonal(pairs, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(pairs > 0, twice / (2 * pairs), np.nan))


def separation_of_pairs(scores: CategoryScores) -> Float64:
    """The mean of both cells of every pair of categories; NaN if a category has no item."""
    chance = separations(*scores)
    a, b = np.triu_indices(len(chance), 1)
    return np.asarray((chance[a, b] + chance[b, a]) / 2)


@measure(
    "HandTill",
    of=CategoryScores,
    sources=["hand-till-2001"],
    aliases=["Hand-Till", "MultiClassAUC"],
    range=(0, 1),
    undefined="fewer than two categories have items",
    sklearn="roc_auc_score",
    chance_is_zero=False,
    example=CategoryExample(
        categories="abb", scores=[[0.9, 0.1], [0.6, 0.4], [0.9, 0.8]], value=0.875
    ),
)
def hand_till(scores: CategoryScores) -> Values:
    """Multi-class area under the ROC curve of Hand and Till: mean over pairs of categories.

    For categories i and j it is the chance that an item of i outscores one of j on i's scores,
    averaged with the same chance on j's scores. The one-vs-rest AUC, which is the mean of
    `Status.by_category("AUC")`, is another number. Pairs with a category that no item belongs to
    are left out; `Status.hand_till(undefined=)` also has other policies.
    """
    pairs = separation_of_pairs(scores)
    return float(np.mean(pairs[~np.isnan(pairs)])) if np.any(~np.isnan(pairs)) else float("nan")
