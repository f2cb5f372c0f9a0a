"""Areas under ROC curves of several classes: each against the rest, or each pair."""

from __future__ import annotations

from typing import Any

import numpy as np

from precall.checks import check_choice
from precall.compat.sklearn import targets
from precall.compat.sklearn.label_averages import Measure, averaged
from precall.compat.sklearn.targets import Array
from precall.curves.cases import Weights, refuse_nan, scores
from precall.errors import UsageError
from precall.measures.separation import separations


def _columns(truth: Array, score: Array, labels: Any) -> Array:
    """The class of each column of scores."""
    if score.ndim != 2:
        raise UsageError(f"y_score: must be samples x classes for multiclass y_true, got shape {score.shape}")
    if not np.allclose(1, score.sum(axis=1)):
        raise UsageError(
            "y_score: must be probabilities in the multiclass case, summing to 1 over the classes"
        )
    if labels is None:
        classes = targets.classes(truth)
        if len(classes) != score.shape[1]:
            raise UsageError(
                f"y_score: {score.shape[1]} columns for {len(classes)} classes; name them with labels="
            )
        return classes
    given = targets.column(targets.array(labels, "labels"), "labels")
    if not np.array_equal(np.unique(given), given):
        raise UsageError("labels: must be sorted and distinct")
    if len(given) != score.shape[1]:
        raise UsageError(f"labels: {len(given)} for {score.shape[1]} columns of y_score")
    unknown = np.setdiff1d(truth, given)
    if len(unknown):
        raise UsageError(f"y_true: {unknown[0]!r} is not among labels")
    return given


def one_vs_rest(
    area: Measure, truth: Array, score: Array, labels: Any, average: str | None, weights: Weights | None, how: str
) -> Any:  # fmt: skip
    """Each class against the rest."""
    if how == "raise":
        raise UsageError("multi_class: must be 'ovo' or 'ovr' for multiclass y_true")
    columns = _columns(truth, score, labels)
    check_choice("average", average, ("micro", "macro", "weighted", None))
    return averaged(area, np.asarray(truth[:, None] == columns), score, average, weights)


def one_vs_one(
    truth: Array, score: Array, labels: Any, average: str | None, weights: Weights | None
) -> float:
    """Mean over pairs of classes that occur, perhaps weighted by their share."""
    columns = _columns(truth, score, labels)
    check_choice("average", average, ("macro", "weighted"))
    if weights is not None:
        raise UsageError("sample_weight: must be None for multi_class='ovo'")
    code = np.searchsorted(columns, truth)
    size = np.bincount(code, minlength=len(columns))
    cells = scores(score.ravel())
    refuse_nan(cells)
    chance = separations(code, cells.reshape(score.shape))
    a, b = np.triu_indices(len(columns), 1)
    both = (size[a] > 0) & (size[b] > 0)
    if not both.any():
        targets.warn_undefined("y_true has only one class: the area under the ROC curve is undefined (NaN)")
        return float("nan")
    pair = (chance[a, b] + chance[b, a])[both] / 2
    return float(np.average(pair, weights=(size[a] + size[b])[both] if average == "weighted" else None))
