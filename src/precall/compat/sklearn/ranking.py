"""Measures of scores: average precision, areas under ROC curves, and the curves; and scorers of them.

A measure of one column of labels and scores is averaged over the columns of a matrix, or over classes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from precall import curves
from precall.checks import check_choice
from precall.compat.sklearn import targets
from precall.compat.sklearn.targets import BINARY, MULTICLASS, Array
from precall.curves import Curve
from precall.curves.cases import Weights, refuse_nan, scores
from precall.curves.tally import each_average_precision
from precall.errors import UsageError
from precall.measures.separation import separations
from precall.ragged import Bool, Float64

Measure: TypeAlias = Callable[[Bool, Array, Weights | None], float]
Each: TypeAlias = Callable[[Bool, Array], Float64]

AVERAGES = (None, "micro", "macro", "weighted", "samples")
_NO_POSITIVE = "y_true has no positive: average precision is undefined, and set to 0.0"
_ONE_CLASS = "y_true has only one class: the area under the ROC curve is undefined (NaN)"


def average_precision_score(
    y_true: Any, y_score: Any, *, average: str | None = "macro", pos_label: Any = 1, sample_weight: Any = None
) -> Any:
    """Average precision, the area under the steps of the precision-recall curve; 0.0, with a warning, without positives.

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
        targets.check_occurs(pos_label, targets.classes(truth))
        relevant, column = targets.positives(truth, pos_label), targets.column(score, "y_score")
        return _average_precision(relevant, column, weights)
    if pos_label != 1:
        raise UsageError(f"pos_label: is for binary labels, y_true is {what}")
    if what == MULTICLASS:
        truth = targets.column(given, "y_true")
        classes = targets.classes(truth)
        if score.shape != (shape := (len(truth), len(classes))):
            what = f"must be samples x classes {shape} for multiclass y_true, got {score.shape}"
            raise UsageError(f"y_score: {what}")
        given = truth[:, None] == classes
    cells = targets.indicators(given, "y_true")
    return _averaged(_average_precision, cells, score, average, weights, _each_average_precision)


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

    Of two labels the greater one is positive. NaN, with a warning, where all labels are of one class. `max_fpr` keeps the
    part of the curve up to this rate of false positives, rescaled after McClish (1989). `multi_class` is "ovr", each class
    against the rest, or "ovo", each pair of classes (Hand & Till 2001), of probabilities; `labels` are the classes of the
    columns of `y_score`, sorted, where not all of them occur.

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
            return _one_vs_one(truth, score, labels, average, weights)
        return _one_vs_rest(area, truth, score, labels, average, weights, multi_class)
    if what == BINARY:
        truth = targets.column(given, "y_true")
        present = targets.classes(truth)
        positive = truth == present[-1] if len(present) == 2 else np.zeros(len(truth), np.bool_)
        return area(np.asarray(positive), targets.column(score, "y_score"), weights)
    return _averaged(area, targets.indicators(given, "y_true"), score, average, weights)


def _area_under_roc(truth: Bool, score: Array, weights: Weights | None, max_fpr: float | None) -> float:
    counted = truth if weights is None else truth[weights > 0]
    if not counted.any() or counted.all():
        targets.warn_undefined(_ONE_CLASS)
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
    """Precision, recall and thresholds, the lowest first; the first two end with a point (1, 0) that has no threshold.

    Without positives recall is 1, with a warning. `drop_intermediate` leaves out points inside runs of equal recall.

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
    """False positive rates, true positive rates and thresholds, from the one that accepts nothing down.

    A rate is NaN, with a warning, where its class is empty. `drop_intermediate` leaves out points in the middle of two
    equal steps.

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


def _averaged(
    measure: Measure, truth: Bool, score: Array, average: str | None, weights: Weights | None,
    each: Each | None = None,
) -> Any:  # fmt: skip
    """The average of a measure of one column; `each` is that of all rows of two matrices at once, without weights."""
    if score.shape != truth.shape:
        targets.same_length(y_true=truth, y_score=score)
        raise UsageError(f"y_score: must have the shape of y_true, {truth.shape}, got {score.shape}")
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
    values = _by_row(measure, np.ascontiguousarray(truth.T), np.ascontiguousarray(score.T), weights, each)
    return values if average is None else _mean(values, size)


def _by_row(
    measure: Measure, truth: Bool, score: Array, weights: Weights | None, each: Each | None
) -> Float64:
    if each is not None and weights is None:
        return each(truth, score)
    return np.array([measure(*pair, weights) for pair in zip(truth, score, strict=True)], np.float64)


def _mean(values: Float64, weights: Any) -> float:
    if weights is None:
        return float(np.mean(values))
    # What weighs nothing may be undefined.
    total = np.sum(weights)
    if not total:
        raise UsageError("sample_weight: all weights are 0")
    return float(np.where(weights == 0, 0.0, values) @ weights / total)


def _classes_of(truth: Array, score: Array, labels: Any) -> Array:
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


def _one_vs_rest(
    area: Measure, truth: Array, score: Array, labels: Any, average: str | None, weights: Weights | None, how: str
) -> Any:  # fmt: skip
    """Each class against the rest."""
    if how == "raise":
        raise UsageError("multi_class: must be 'ovo' or 'ovr' for multiclass y_true")
    columns = _classes_of(truth, score, labels)
    check_choice("average", average, ("micro", "macro", "weighted", None))
    return _averaged(area, np.asarray(truth[:, None] == columns), score, average, weights)


def _one_vs_one(
    truth: Array, score: Array, labels: Any, average: str | None, weights: Weights | None
) -> float:
    """Mean over pairs of classes that occur, perhaps weighted by their share."""
    columns = _classes_of(truth, score, labels)
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
        targets.warn_undefined(_ONE_CLASS)
        return float("nan")
    pair = (chance[a, b] + chance[b, a])[both] / 2
    return float(np.average(pair, weights=(size[a] + size[b])[both] if average == "weighted" else None))


@dataclass(frozen=True)
class Scorer:
    """A measure of an estimator's scores, for `scoring=` of `cross_val_score` and the like, without `make_scorer`.

    Parameters
    ----------
    measure : function of y_true, y_score and options.
    responses : methods of the estimator that give scores; the first that it has is called.
    options : passed to the measure.

    Examples
    --------
    >>> class Same:
    ...     classes_ = [0, 1]
    ...     def decision_function(self, X):
    ...         return X
    >>> average_precision_scorer(Same(), [0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])
    0.8333333333333333
    """

    measure: Callable[..., Any]
    responses: tuple[str, ...] = ("decision_function", "predict_proba")
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, estimator: Any, X: Any, y_true: Any, sample_weight: Any = None) -> float:  # noqa: N803
        """The measure of what the estimator says of X; greater is better."""
        classes = np.asarray(getattr(estimator, "classes_", ()))
        score = _response(estimator, X, self.responses)
        options = dict(self.options)
        if classes.ndim == 1 and len(classes) == 2 and np.ndim(y_true) == 1:
            y_true = np.asarray(y_true) == classes[1]
            score = score[:, 1] if score.ndim == 2 else score
        if sample_weight is not None:
            options["sample_weight"] = sample_weight
        return float(self.measure(y_true, score, **options))


def _response(estimator: Any, X: Any, responses: tuple[str, ...]) -> Any:  # noqa: N803
    for name in responses:
        method = getattr(estimator, name, None)
        if method is not None:
            response = method(X)
            if isinstance(response, list) and response and np.ndim(response[0]) == 2:
                # Some estimators of several labels give a matrix of two columns for each.
                return np.stack([matrix[:, -1] for matrix in response], axis=1)
            return np.asarray(response)
    raise UsageError(f"{type(estimator).__name__} has none of {', '.join(responses)}")


average_precision_scorer = Scorer(average_precision_score)
roc_auc_scorer = Scorer(roc_auc_score)
roc_auc_ovr_scorer = Scorer(roc_auc_score, ("predict_proba",), {"multi_class": "ovr"})
roc_auc_ovo_scorer = Scorer(roc_auc_score, ("predict_proba",), {"multi_class": "ovo"})
