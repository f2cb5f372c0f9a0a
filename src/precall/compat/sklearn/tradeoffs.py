"""Curves along all thresholds: precision-recall, ROC and DET; and the area under points."""

from __future__ import annotations

from typing import Any

import numpy as np

from precall import cases as curves
from precall.cases import Curve
from precall.compat.sklearn import targets
from precall.compat.sklearn.label_codes import Array
from precall.compat.sklearn.targets import BINARY, MULTICLASS
from precall.core.errors import UsageError
from precall.core.ragged import Bool, Float64
from precall.measures import of_counts


def _path(
    y_true: object, y_score: object, pos_label: object, sample_weight: object
) -> tuple[Curve, Array]:
    """The curve, and its thresholds in the type of the scores."""
    target = targets.array(y_true, "y_true")
    form = targets.kind(target, "y_true")
    if not (form == BINARY or (form == MULTICLASS and pos_label is not None)):
        raise targets.refuse_target(form, " format")
    truth = targets.column(target, "y_true")
    score = targets.column(targets.scoring(y_score), "y_score")
    targets.same_length(y_true=truth, y_score=score)
    weights = targets.weighing(sample_weight, len(truth))
    path = curves.curve(targets.positives(truth, pos_label), score, weights=weights)
    thresholds = path.threshold[1:]
    return path, thresholds.astype(score.dtype) if score.dtype.kind in "biuf" else thresholds


def precision_recall_curve(
    y_true: object,
    y_score: object,
    *,
    pos_label: object = None,
    sample_weight: object = None,
    drop_intermediate: bool = False,
) -> tuple[Float64, Float64, Array]:
    """Precision, recall and thresholds, the lowest first.

    Precision and recall end with a point (1, 0) that has no threshold. Without positives recall is
    1, with a warning. `drop_intermediate` leaves out points inside runs of equal recall.

    Examples
    --------
    >>> precision_recall_curve([0, 1, 1], [0.1, 0.4, 0.4])
    (array([0.66666667, 1.        , 1.        ]), array([1., 1., 0.]), array([0.1, 0.4]))
    """
    path, thresholds = _path(y_true, y_score, pos_label, sample_weight)
    rows = np.arange(1, len(path))
    if drop_intermediate and len(rows) > 2:
        rows = rows[_changing(path.tp[1:])]
    if path.relevant:
        recall = path.recall[rows]
    else:
        targets.warn_undefined(
            "No positive class found in y_true, recall is set to one for all thresholds."
        )
        recall = np.ones(len(rows))
    return (
        np.append(path.precision[rows][::-1], 1.0),
        np.append(recall[::-1], 0.0),
        thresholds[rows - 1][::-1],
    )


def roc_curve(
    y_true: object,
    y_score: object,
    *,
    pos_label: object = None,
    sample_weight: object = None,
    drop_intermediate: bool = True,
) -> tuple[Float64, Float64, Float64]:
    """False positive rates, true positive rates and thresholds, the highest first.

    The first threshold accepts nothing. A rate is NaN, with a warning, if its class is empty.
    `drop_intermediate` leaves out points between two equal steps.

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
        targets.warn_undefined(targets.NO_NEGATIVE)
    if not path.relevant:
        targets.warn_undefined(targets.NO_POSITIVE)
    with np.errstate(invalid="ignore"):
        fpr = np.asarray(path.fp[rows] / np.float64(path.other))
    return fpr, path.recall[rows], np.append(np.inf, thresholds.astype(np.float64))[rows]


def _turns(count: Array) -> Bool:
    """Whether the steps before and after each inner point differ.

    With real weights they are compared within rounding.
    """
    bend = np.diff(count, 2)
    return np.asarray(bend != 0 if count.dtype.kind == "i" else np.abs(bend) > 1e-12 * count[-1])


def _changing(count: Array) -> Bool:
    """Whether to keep each point: all but those inside runs of equal counts."""
    new = np.diff(count) != 0
    return np.concatenate(([True], new[:-1] | new[1:], [True]))


def det_curve(
    y_true: Any,
    y_score: object,
    pos_label: object = None,
    sample_weight: object = None,
    drop_intermediate: bool = False,
) -> tuple[Float64, Float64, Float64]:
    """False positive rates, false negative rates and thresholds, the lowest first.

    The curve goes from the last threshold that misses nothing to the first that accepts no
    negative. `drop_intermediate` leaves out points inside runs of equal recall.

    Examples
    --------
    >>> det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    (array([0.5, 0.5, 0. ]), array([0. , 0.5, 0.5]), array([0.35, 0.4 , 0.8 ]))
    """
    y_true = targets.array(y_true, "y_true")
    path, thresholds = _path(y_true, y_score, pos_label, sample_weight)
    rows = np.arange(len(path))
    if drop_intermediate and len(rows) > 2:
        rows = rows[_changing(path.tp)]
    if len(np.unique(y_true)) != 2:
        message = (
            "Only one class is present in y_true. Detection error tradeoff curve is not defined "
            "in that case."
        )
        raise UsageError(message)
    tp, fp = path.tp[rows], path.fp[rows]
    first = int(np.searchsorted(fp, 0, side="right")) - 1
    rows = rows[first : int(np.searchsorted(tp, tp[-1])) + 1][::-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        missed = np.asarray(path.fn[rows] / np.float64(path.relevant))
    rates = of_counts("Fallout").of_table(path)[rows]
    return rates, missed, np.append(np.inf, thresholds.astype(np.float64))[rows]


def auc(x: object, y: object) -> float:
    """The area under straight lines between points; `x` ascends or descends.

    Examples
    --------
    >>> auc([0, 0.5, 1], [0, 1, 1])
    0.75
    """
    across, along = (targets.array(values, name) for values, name in ((x, "x"), (y, "y")))
    targets.same_length(x=across, y=along)
    across, along = targets.column(across, "x"), targets.column(along, "y")
    if len(across) < 2:
        message = "At least 2 points are needed to compute area under curve, but x.shape"
        raise UsageError(f"{message} = {across.shape}")
    step = np.diff(across)
    if bool(np.all(step >= 0)):
        return float(np.trapezoid(along, across))
    if bool(np.all(step <= 0)):
        return float(-np.trapezoid(along, across))
    raise UsageError(f"x is neither increasing nor decreasing : {across}.")
