"""Measures of scores, of one column or averaged: average precision, area under the ROC curve.

A measure of one column of labels and scores is averaged over the columns of a matrix, or over
classes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from precall import cases as curves
from precall.cases.scored_cases import Weights, refuse_nan, scores
from precall.cases.tally import each_average_precision
from precall.compat.sklearn import targets
from precall.compat.sklearn.compared import AVERAGES
from precall.compat.sklearn.label_codes import Array, occurring
from precall.compat.sklearn.targets import BINARY, MULTICLASS, MULTILABEL
from precall.core.arguments import check_choice, check_share
from precall.core.errors import Shape, UsageError
from precall.core.ragged import Bool, Float64, weighted_sum
from precall.measures.separation import separations

Measure: TypeAlias = Callable[[Bool, Array, Weights | None], float]
Each: TypeAlias = Callable[[Bool, Array], Float64]

_NO_POSITIVE = (
    "No positive class found in y_true, recall is set to one for all thresholds. Average "
    "precision is set to 0.0."
)
_ONE_CLASS = "Only one class is present in y_true. ROC AUC score is not defined in that case."


def average_precision_score(
    y_true: object,
    y_score: object,
    *,
    average: str | None = "macro",
    pos_label: object = 1,
    sample_weight: object = None,
) -> Any:
    """Average precision, the area under the steps of the precision-recall curve.

    Without positives it is 0.0, with a warning.

    Examples
    --------
    >>> average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.8333333333333333
    """
    check_choice("average", average, AVERAGES)
    pos_label = targets.positive_class(pos_label)
    labels = targets.array(y_true, "y_true")
    score, form = targets.scoring(y_score), targets.kind(labels, "y_true")
    weights = targets.weighing(sample_weight, labels.shape[0])
    if form == BINARY:
        truth = targets.column(labels, "y_true")
        targets.check_occurs(pos_label, occurring(truth))
        relevant, column = targets.positives(truth, pos_label), targets.column(score, "y_score")
        return _average_precision(relevant, column, weights)
    if form not in (MULTICLASS, MULTILABEL):
        raise targets.refuse_target(form, " format")
    if pos_label != 1:
        raise UsageError(
            f"Parameter pos_label is fixed to 1 for {form} y_true. Do not set pos_label or set "
            "pos_label to 1."
        )
    if form == MULTICLASS:
        truth = targets.column(labels, "y_true")
        classes = occurring(truth)
        if targets.several_columns(score).shape != (len(truth), len(classes)):
            raise targets.shapeless(score)
        labels = truth[:, None] == classes
    cells = targets.dense_indicators(labels, "y_true")
    return _average(_average_precision, cells, score, average, weights, _each_average_precision)


def _average_precision(truth: Bool, score: Array, weights: Weights | None) -> float:
    if not np.any(truth if weights is None else weights[truth] > 0):
        targets.same_length(y_true=truth, y_score=score)
        targets.warn_undefined(_NO_POSITIVE)
        return 0.0
    return curves.average_precision(truth, score, weights=weights)


def _each_average_precision(truth: Bool, score: Array) -> Float64:
    start = np.arange(truth.shape[0] + 1) * truth.shape[1]
    total = np.count_nonzero(truth, axis=1)
    for _ in range(np.count_nonzero(total == 0)):
        targets.warn_undefined(_NO_POSITIVE)
    return np.nan_to_num(each_average_precision(truth.ravel(), scores(score.ravel()), start, total))


def roc_auc_score(
    y_true: object,
    y_score: object,
    *,
    average: str | None = "macro",
    sample_weight: object = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: object = None,
) -> Any:
    """Area under the ROC curve: the chance that a positive outscores a negative; ties count half.

    Of two labels the greater is positive. If all labels are of one class, it is NaN, with a
    warning. `max_fpr` keeps the part of the curve up to this false positive rate, rescaled after
    McClish (1989). `multi_class` is "ovr", each class against the rest, or "ovo", each pair of
    classes (Hand & Till 2001); both need probabilities. `labels` are the sorted classes of the
    columns of `y_score`, needed if not all of them occur.

    Examples
    --------
    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    check_choice("average", average, AVERAGES)
    check_choice("multi_class", multi_class, ("raise", "ovr", "ovo"))
    if max_fpr is not None:
        check_share("max_fpr", max_fpr, nonzero=True)
    target = targets.array(y_true, "y_true")
    score, form = targets.scoring(y_score), targets.kind(target, "y_true")
    targets.same_length(y_true=target, y_score=score)
    is_multiclass = form == MULTICLASS or (
        form == BINARY and score.ndim == 2 and score.shape[1] > 2
    )
    if is_multiclass and multi_class == "ovo" and sample_weight is not None:
        message = "sample_weight is not supported for multiclass one-vs-one ROC AUC"
        raise UsageError(f"{message}, 'sample_weight' must be None in this case.")
    weights = targets.weighing(sample_weight, target.shape[0])

    def area(truth: Bool, part: Array, weight: Weights | None) -> float:
        return _area_under_roc(truth, part, weight, max_fpr)

    if is_multiclass:
        if max_fpr not in (None, 1.0):
            message = (
                "Partial AUC computation not available in multiclass setting, 'max_fpr' must be "
                "set to `None`"
            )
            raise UsageError(f"{message}, received `max_fpr={max_fpr}` instead")
        truth = targets.column(target, "y_true")
        if multi_class == "ovo":
            return _one_vs_one(truth, score, labels, average)
        return _one_vs_rest(area, truth, score, labels, average, weights, multi_class)
    if form == BINARY:
        truth = targets.column(target, "y_true")
        present = occurring(truth)
        positive = truth == present[-1] if len(present) == 2 else np.zeros(len(truth), np.bool_)
        return area(np.asarray(positive), targets.column(score, "y_score"), weights)
    if form != targets.MULTILABEL:
        raise targets.refuse_target(form, " format")
    return _average(area, targets.dense_indicators(target, "y_true"), score, average, weights)


def _area_under_roc(
    truth: Bool, score: Array, weights: Weights | None, max_fpr: float | None
) -> float:
    counted = truth if weights is None else truth[weights > 0]
    if not counted.any() or counted.all():
        is_one = not truth.any() or truth.all()
        targets.warn_undefined(
            _ONE_CLASS
            if is_one
            else targets.NO_POSITIVE
            if not counted.any()
            else targets.NO_NEGATIVE
        )
        return float("nan")
    if max_fpr is None or max_fpr == 1:
        return curves.area_under_roc(truth, score, weights=weights)
    return curves.curve(truth, score, weights=weights).area_under_roc(max_fpr=max_fpr, mcclish=True)


def _average(
    measure: Measure,
    truth: Bool,
    score: Array,
    average: str | None,
    weights: Weights | None,
    each: Each | None = None,
) -> Any:
    """The average of a measure of one column.

    `each` computes the measure for all rows of two matrices at once, without weights.
    """
    if score.shape != truth.shape:
        targets.same_length(y_true=truth, y_score=score)
        raise UsageError(
            argument="y_score",
            what=f"must have the shape of y_true, {truth.shape}",
            got=Shape(score.shape),
        )
    if average == "micro":
        repeated: Any = None if weights is None else np.repeat(weights, truth.shape[1])
        return measure(truth.ravel(), score.ravel(), repeated)
    if average == "samples":
        return _mean(_by_row(measure, truth, score, None, each), weights)
    size = None
    if average == "weighted":
        size = (truth if weights is None else truth * weights[:, None]).sum(axis=0)
        if np.isclose(size.sum(), 0):
            return 0.0
    values = _by_row(
        measure, np.ascontiguousarray(truth.T), np.ascontiguousarray(score.T), weights, each
    )
    return values if average is None else _mean(values, size)


def _by_row(
    measure: Measure, truth: Bool, score: Array, weights: Weights | None, each: Each | None
) -> Float64:
    if each is not None and weights is None:
        return each(truth, score)
    return np.array(
        [measure(*pair, weights) for pair in zip(truth, score, strict=True)], np.float64
    )


def _mean(values: Float64, weights: Any) -> float:
    if weights is None:
        return float(np.mean(values))
    # A column of weight 0 may have an undefined value.
    total = np.sum(weights)
    if not total:
        raise UsageError(argument="sample_weight", what="all weights are 0")
    return float(weighted_sum(np.where(weights == 0, 0.0, values), weights) / total)


def _classes_of(truth: Array, score: Array, labels: object) -> Array:
    """The class of each column of scores."""
    targets.several_columns(score)
    if not np.allclose(1, score.sum(axis=1)):
        message = "Target scores need to be probabilities for multiclass roc_auc"
        raise UsageError(f"{message}, i.e. they should sum up to 1.0 over classes")
    if labels is None:
        classes = occurring(truth)
        if len(classes) != score.shape[1]:
            message = "Number of classes in y_true not equal to the number of columns in 'y_score'"
            raise UsageError(
                argument=message,
                what=f"{len(classes)} and {score.shape[1]}",
                remedy="name them with labels=",
            )
        return classes
    return targets.named_classes(labels, truth, score.shape[1])


def _check_average(average: str | None, allowed: tuple[str | None, ...]) -> None:
    if average not in allowed:
        raise UsageError(f"average must be one of {allowed} for multiclass problems", got=average)


def _one_vs_rest(
    area: Measure,
    truth: Array,
    score: Array,
    labels: object,
    average: str | None,
    weights: Weights | None,
    how: str,
) -> Any:
    """Each class against the rest."""
    if how == "raise":
        raise UsageError("multi_class must be in ('ovo', 'ovr') for multiclass y_true")
    columns = _classes_of(truth, score, labels)
    _check_average(average, ("micro", "macro", "weighted", None))
    return _average(area, np.asarray(truth[:, None] == columns), score, average, weights)


def _one_vs_one(truth: Array, score: Array, labels: object, average: str | None) -> float:
    """The mean over pairs of classes that occur, optionally weighted by their share."""
    columns = _classes_of(truth, score, labels)
    _check_average(average, ("macro", "weighted", None))
    if average is None:
        raise UsageError(
            "average=None is not implemented for multi_class='ovo'",
            remedy="choose macro or weighted",
        )
    code = np.searchsorted(columns, truth)
    size = np.bincount(code, minlength=len(columns))
    cells = scores(score.ravel())
    refuse_nan(cells)
    chance = separations(code, cells.reshape(score.shape))
    a, b = np.triu_indices(len(columns), 1)
    both = (size[a] > 0) & (size[b] > 0)
    if not both.any():
        targets.warn_undefined(_ONE_CLASS)
        return float("nan")
    pair = (chance[a, b] + chance[b, a])[both] / 2
    return float(
        np.average(pair, weights=(size[a] + size[b])[both] if average == "weighted" else None)
    )
