"""Measures of scores: average precision, areas under ROC curves, and the curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from precall import curves
from precall.checks import check_choice
from precall.compat.sklearn import targets
from precall.compat.sklearn.label_averages import AVERAGES, averaged
from precall.compat.sklearn.multiclass import one_vs_one, one_vs_rest
from precall.compat.sklearn.targets import BINARY, MULTICLASS, Array
from precall.curves import Curve
from precall.curves.cases import Weights, scores
from precall.curves.tally import each_average_precision
from precall.errors import UsageError
from precall.ragged import Bool, Float64

_NO_POSITIVE = "y_true has no positive: average precision is undefined, and set to 0.0"


def average_precision_score(
    y_true: Any, y_score: Any, *, average: str | None = "macro", pos_label: Any = 1, sample_weight: Any = None
) -> Any:
    """Average precision, the area under the steps of the precision-recall curve.

    Parameters
    ----------
    y_true : labels: binary, multiclass (then `y_score` has a column per class) or an indicator matrix.
    y_score : scores of the positive class, or of every class.
    average : None, "micro", "macro", "weighted" or "samples"; ignored for binary labels.
    pos_label : the positive class of binary labels.
    sample_weight : a weight per sample.

    Returns
    -------
    float, or an array with a value per class where `average` is None. Without positives 0.0, with a warning.

    Examples
    --------
    >>> average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.8333333333333333
    """
    check_choice("average", average, AVERAGES)
    targets.check_positive(pos_label)
    given = targets.array(y_true, "y_true")
    score, what = targets.scoring(y_score), targets.kind(given, "y_true")
    weights = targets.weighing(sample_weight, given.shape[0])
    if what == BINARY:
        truth = targets.column(given, "y_true")
        present = targets.classes(truth)
        if len(present) == 2 and pos_label not in present.tolist():
            raise UsageError(f"pos_label: {pos_label!r} is not a label; they are {present.tolist()}")
        return _average_precision(
            targets.positives(truth, pos_label), targets.column(score, "y_score"), weights
        )
    if pos_label != 1:
        raise UsageError(f"pos_label: is for binary labels, y_true is {what}")
    if what == MULTICLASS:
        truth = targets.column(given, "y_true")
        shape = (len(truth), len(targets.classes(truth)))
        if score.shape != shape:
            raise UsageError(
                f"y_score: must be samples x classes {shape} for multiclass y_true, got {score.shape}"
            )
        binarised = truth[:, None] == targets.classes(truth)
    else:
        binarised = targets.indicators(given, "y_true")
    return averaged(_average_precision, binarised, score, average, weights, _each_average_precision)


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
    y_true: Any, y_score: Any, *, average: str | None = "macro", sample_weight: Any = None,
    max_fpr: float | None = None, multi_class: str = "raise", labels: Any = None,
) -> Any:  # fmt: skip
    """Area under the ROC curve: the chance that a positive outscores a negative one, ties counting half.

    Parameters
    ----------
    y_true : labels: binary (the greater one is positive), multiclass or an indicator matrix.
    y_score : scores of the positive class, or of every class; probabilities in the multiclass case.
    average : None, "micro", "macro", "weighted" or "samples"; ignored for binary labels.
    sample_weight : a weight per sample.
    max_fpr : only the part of the curve up to this rate of false positives, rescaled after McClish (1989).
    multi_class : "ovr" (each class against the rest) or "ovo" (each pair of classes, Hand & Till 2001).
    labels : the classes of the columns of `y_score`, sorted, where not all of them occur.

    Returns
    -------
    float, or an array with a value per class where `average` is None. NaN, with a warning, where all
    labels are of one class.

    Examples
    --------
    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    check_choice("average", average, AVERAGES)
    check_choice("multi_class", multi_class, ("raise", "ovr", "ovo"))
    if max_fpr is not None and not 0 < max_fpr <= 1:
        raise UsageError(f"max_fpr: must be in (0, 1], got {max_fpr}")
    given = targets.array(y_true, "y_true")
    score, what = targets.scoring(y_score), targets.kind(given, "y_true")
    targets.same_length(y_true=given, y_score=score)
    weights = targets.weighing(sample_weight, given.shape[0])

    def area(truth: Bool, part: Array, weight: Weights | None) -> float:
        return _area_under_roc(truth, part, weight, max_fpr)

    if what == MULTICLASS or (what == BINARY and score.ndim == 2 and score.shape[1] > 2):
        if max_fpr not in (None, 1.0):
            raise UsageError(f"max_fpr: is not for multiclass labels, got {max_fpr}")
        truth = targets.column(given, "y_true")
        if multi_class == "ovo":
            return one_vs_one(truth, score, labels, average, weights)
        return one_vs_rest(area, truth, score, labels, average, weights, multi_class)
    if what == BINARY:
        truth = targets.column(given, "y_true")
        present = targets.classes(truth)
        positive = truth == present[-1] if len(present) == 2 else np.zeros(len(truth), np.bool_)
        return area(np.asarray(positive), targets.column(score, "y_score"), weights)
    return averaged(area, targets.indicators(given, "y_true"), score, average, weights)


def _area_under_roc(truth: Bool, score: Array, weights: Weights | None, max_fpr: float | None) -> float:
    counted = truth if weights is None else truth[weights > 0]
    if not counted.any() or counted.all():
        targets.warn_undefined("y_true has only one class: the area under the ROC curve is undefined (NaN)")
        return float("nan")
    if max_fpr is None or max_fpr == 1:
        return curves.area_under_roc(truth, score, weights=weights)
    return curves.curve(truth, score, weights=weights).area_under_roc(max_fpr=max_fpr, mcclish=True)


def _path(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> tuple[Curve, Array]:
    """The curve, and its thresholds in the scores' own type."""
    given = targets.array(y_true, "y_true")
    what = targets.kind(given, "y_true")
    if not (what == BINARY or (what == MULTICLASS and pos_label is not None)):
        raise UsageError(f"y_true: {what} format is not supported")
    truth = targets.column(given, "y_true")
    score = targets.column(targets.scoring(y_score), "y_score")
    weights = targets.weighing(sample_weight, len(truth))
    path = curves.curve(targets.positives(truth, pos_label), score, weights=weights)
    if len(path) < 2:
        raise UsageError("sample_weight: all weights are 0")
    thresholds = path.threshold[1:]
    return path, thresholds.astype(score.dtype) if score.dtype.kind in "biuf" else thresholds


def precision_recall_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = False
) -> tuple[Float64, Float64, Array]:  # fmt: skip
    """Precision and recall at every threshold, the lowest first, and an end point (1, 0) without one.

    Parameters
    ----------
    y_true : binary labels, or any with `pos_label`.
    y_score : scores of the positive class.
    pos_label : the positive class; without it labels must be 0/1 or -1/1.
    sample_weight : a weight per sample.
    drop_intermediate : leave out points inside runs of equal recall.

    Returns
    -------
    precision, recall, thresholds : the first two are longer by one. Without positives recall is 1, with
        a warning.

    Examples
    --------
    >>> precision_recall_curve([0, 1, 1], [0.1, 0.4, 0.4])
    (array([0.66666667, 1.        , 1.        ]), array([1., 1., 0.]), array([0.1, 0.4]))
    """
    path, thresholds = _path(y_true, y_score, pos_label, sample_weight)
    rows = np.arange(1, len(path))
    if drop_intermediate and len(rows) > 2:
        new = np.diff(path.tp[1:]) != 0
        rows = rows[np.concatenate(([True], new[:-1] | new[1:], [True]))]
    if path.relevant:
        recall = path.recall[rows]
    else:
        targets.warn_undefined("y_true has no positive: recall is undefined, and set to 1.0")
        recall = np.ones(len(rows))
    return (
        np.append(path.precision[rows][::-1], 1.0),
        np.append(recall[::-1], 0.0),
        thresholds[rows - 1][::-1],
    )


def roc_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = True
) -> tuple[Float64, Float64, Float64]:  # fmt: skip
    """False positive rate and true positive rate, from the threshold that accepts nothing down.

    Parameters
    ----------
    y_true : binary labels, or any with `pos_label`.
    y_score : scores of the positive class.
    pos_label : the positive class; without it labels must be 0/1 or -1/1.
    sample_weight : a weight per sample.
    drop_intermediate : leave out points in the middle of two equal steps.

    Returns
    -------
    fpr, tpr, thresholds : of equal length; a rate is NaN, with a warning, where its class is empty.

    Examples
    --------
    >>> roc_curve([0, 1, 1], [0.1, 0.4, 0.8])
    (array([0., 0., 0., 1.]), array([0. , 0.5, 1. , 1. ]), array([inf, 0.8, 0.4, 0.1]))
    """
    path, thresholds = _path(y_true, y_score, pos_label, sample_weight)
    keep = np.ones(len(path), np.bool_)
    if drop_intermediate and len(path) > 3:
        keep[2:-1] = _turns(path.fp[1:]) | _turns(path.tp[1:])
    rows = np.flatnonzero(keep)
    if not path.other:
        targets.warn_undefined("y_true has no negative: the false positive rate is undefined (NaN)")
    if not path.relevant:
        targets.warn_undefined("y_true has no positive: the true positive rate is undefined (NaN)")
    with np.errstate(invalid="ignore"):
        fpr = np.asarray(path.fp[rows] / np.float64(path.other))
    return fpr, path.recall[rows], np.append(np.inf, thresholds.astype(np.float64))[rows]


def _turns(count: Array) -> Bool:
    """Inner points where the step before differs from the step after, within rounding for real weights."""
    bend = np.diff(count, 2)
    return np.asarray(bend != 0 if count.dtype.kind == "i" else np.abs(bend) > 1e-12 * count[-1])
