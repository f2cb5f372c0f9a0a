"""Measures of each case's ranking of labels by its row of scores, averaged over cases."""

from __future__ import annotations

from typing import Any

import numpy as np

from precall.cases.scored_cases import Weights, scores
from precall.cases.tally import each_area_under_roc, each_average_precision
from precall.compat.sklearn import targets
from precall.compat.sklearn.compared import label_column
from precall.compat.sklearn.label_codes import Array, occurring
from precall.compat.sklearn.targets import BINARY, MULTICLASS, MULTILABEL
from precall.core.arguments import check_whole
from precall.core.errors import Fact, UsageError
from precall.core.ragged import Bool, Float64


def _rows(
    y_true: object, y_score: object, sample_weight: object, alone: bool
) -> tuple[Bool, Array, Weights | None]:
    """Indicators, scores and weights.

    One label for each case is no ranking and is refused, unless `alone` allows it.
    """
    truth, score = targets.array(y_true, "y_true"), targets.scoring(y_score)
    if not alone and 1 in (truth.ndim, score.ndim):
        raise UsageError(
            f"Expected 2D array, got 1D array instead: shapes {truth.shape} and {score.shape}"
        )
    targets.same_length(y_true=truth, y_score=score)
    form = targets.kind(truth, "y_true")
    if form != MULTILABEL and not (alone and form == BINARY and truth.ndim == 2):
        raise targets.refuse_target(form, " format")
    if truth.shape != score.shape:
        raise UsageError(
            f"y_true and y_score have different shape: {truth.shape} and {score.shape}"
        )
    weights = targets.weighing(sample_weight, truth.shape[0])
    return targets.dense_indicators(truth, "y_true"), score, weights


def _starts(truth: Bool) -> Any:
    return np.arange(truth.shape[0] + 1) * truth.shape[1]


def label_ranking_average_precision_score(
    y_true: object, y_score: object, *, sample_weight: object = None
) -> float:
    """Mean over cases of the average precision of their rankings of labels.

    It is 1 for a case if all its labels are true, or none. Labels of equal score count at the last
    of their ranks.

    Examples
    --------
    >>> round(
    ...     label_ranking_average_precision_score(
    ...         [[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]
    ...     ),
    ...     4,
    ... )
    0.4167
    """
    truth, score, weights = _rows(y_true, y_score, sample_weight, alone=True)
    size = np.count_nonzero(truth, axis=1)
    values = each_average_precision(truth.ravel(), scores(score.ravel()), _starts(truth), size)
    return targets.weighted_mean(
        np.where((size == 0) | (size == truth.shape[1]), 1.0, values), weights
    )


def label_ranking_loss(y_true: object, y_score: object, *, sample_weight: object = None) -> float:
    """Mean over cases of the share of pairs (a true and another label) in the wrong order.

    Ties are wrong. It is 1 minus the area under the ROC curve of the rankings, with ties in the
    worst order; 0 for a case if all its labels are true, or none.

    Examples
    --------
    >>> label_ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    truth, score, weights = _rows(y_true, y_score, sample_weight, alone=False)
    size = np.count_nonzero(truth, axis=1)
    areas = each_area_under_roc(
        truth.ravel(), _worst_order(truth, score).ravel(), _starts(truth), size
    )
    return targets.weighted_mean(np.where(np.isnan(areas), 0.0, 1 - areas), weights)


def _worst_order(truth: Bool, score: Array) -> Float64:
    """Scores of the same order without ties; of equal scores the true label comes last."""
    order = np.lexsort((~truth, score))
    position = np.empty(score.shape)
    np.put_along_axis(position, order, np.arange(score.shape[1], dtype=np.float64)[None], axis=1)
    return position


def coverage_error(y_true: object, y_score: object, *, sample_weight: object = None) -> float:
    """Mean over cases of the rank of the last true label; 0 for a case without one.

    Examples
    --------
    >>> coverage_error([[1, 0, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]])
    1.5
    """
    truth, score, weights = _rows(y_true, y_score, sample_weight, alone=False)
    # Whole numbers are compared as they are: as float64, large ones would tie.
    real = scores(score.ravel()).reshape(score.shape)
    least = np.where(truth, real, np.inf).min(axis=1, keepdims=True)
    depth = np.where(truth.any(axis=1), np.count_nonzero(real >= least, axis=1), 0)
    return targets.weighted_mean(depth, weights)


def top_k_accuracy_score(
    y_true: object,
    y_score: object,
    *,
    k: int = 2,
    normalize: bool = True,
    sample_weight: object = None,
    labels: object = None,
) -> float:
    """Share of the cases whose label is among the `k` of the highest scores.

    Without `normalize` it is their number or weight. Of equal scores the later column counts as the
    higher. With two labels the second is predicted above 0.5, or above 0 if scores lie outside of
    0..1.

    Examples
    --------
    >>> top_k_accuracy_score(
    ...     [0, 1, 2, 2], [[0.5, 0.2, 0.2], [0.3, 0.4, 0.2], [0.2, 0.4, 0.3], [0.7, 0.2, 0.1]]
    ... )
    0.75
    """
    check_whole("k", k, 1)
    labels = None if labels is None else label_column(labels)
    truth = targets.column(targets.array(y_true, "y_true"), "y_true")
    form = targets.kind(truth, "y_true")
    if form == BINARY and labels is not None and len(labels) > 2:
        form = MULTICLASS
    if form not in (BINARY, MULTICLASS):
        raise UsageError("y type must be 'binary' or 'multiclass'", got=Fact(f"'{form}' instead."))
    score = targets.scoring(y_score)
    if form == BINARY and score.ndim == 2 and score.shape[1] != 1:
        raise UsageError(
            f"`y_true` is binary while y_score is 2d with {score.shape[1]} classes. If `y_true` "
            "does not contain all the labels, `labels` must be provided."
        )
    score = targets.column(score, "y_score") if form == BINARY else targets.several_columns(score)
    targets.same_length(y_true=truth, y_score=score)
    weights = targets.weighing(sample_weight, len(truth))
    classes = _classes_of(truth, labels, score.shape[1] if score.ndim == 2 else 2)
    if k >= len(classes):
        targets.warn_undefined(
            f"'k' ({k}) greater than or equal to 'n_classes' ({len(classes)}) will result in a "
            "perfect score and is therefore meaningless."
        )
    hits = (_hits_of_two if form == BINARY else _hits)(np.searchsorted(classes, truth), score, k)
    if normalize:
        return targets.weighted_mean(hits, weights)
    return float(np.count_nonzero(hits) if weights is None else weights[hits].sum())


def _classes_of(truth: Array, labels: Any, columns: int) -> Array:
    if labels is not None:
        few = (
            f"Number of given labels ({len(labels)}) not equal to the number of classes in "
            f"'y_score' ({columns})."
        )
        return targets.named_classes(labels, truth, columns, few)
    classes = occurring(truth)
    if len(classes) != columns:
        message = (
            f"Number of classes in 'y_true' ({len(classes)}) not equal to the number of classes "
            f"in 'y_score' ({columns})."
        )
        advice = (
            "You can provide a list of all known classes by assigning it to the `labels` parameter."
        )
        raise UsageError(message + advice)
    return classes


def _hits(code: Array, score: Array, k: int) -> Bool:
    """Whether fewer than k columns stand before the true one."""
    own = np.take_along_axis(score, code[:, None], axis=1)
    behind = np.arange(score.shape[1]) > code[:, None]
    return np.asarray(np.count_nonzero((score > own) | ((score == own) & behind), axis=1) < k)


def _hits_of_two(code: Array, score: Array, k: int) -> Bool:
    if k > 1:
        return np.ones(len(code), np.bool_)
    threshold = 0.5 if score.min() >= 0 and score.max() <= 1 else 0
    return np.asarray((score > threshold) == code)
