"""Measures of hard decisions: precision, recall, F and support per label and averaged, and the report."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from precall import notes
from precall.checks import check_beta, check_choice
from precall.compat.sklearn import targets
from precall.compat.sklearn.targets import BINARY, MULTICLASS, MULTILABEL, Array
from precall.contingency.membership import Membership
from precall.curves.cases import Weights
from precall.errors import UsageError
from precall.ragged import Float64, Int64


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """True and predicted labels in one form, over the labels that occur."""

    kind: str
    labels: Array
    true: Membership
    predicted: Membership
    weights: Weights | None


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """(Weighted) counts per label, per sample, or in all: right ones, predicted ones, true ones."""

    hits: Array
    predicted: Array
    true: Array


def compared(y_true: Any, y_pred: Any, labels: Any, sample_weight: Any) -> Compared:
    """Read both; `labels` that do not occur are added to those that do."""
    true, predicted = targets.array(y_true, "y_true"), targets.array(y_pred, "y_pred")
    targets.same_length(y_true=true, y_pred=predicted)
    kinds = {targets.kind(true, "y_true"), targets.kind(predicted, "y_pred")}
    weights = targets.weighing(sample_weight, true.shape[0])
    if MULTILABEL in kinds:
        if len(kinds) > 1:
            raise UsageError(f"y_true and y_pred: cannot mix {' and '.join(sorted(kinds))} targets")
        return _of_matrices(true, predicted, weights)
    true, predicted = targets.column(true, "y_true"), targets.column(predicted, "y_pred")
    if (true.dtype.kind in "OUT") != (predicted.dtype.kind in "OUT"):
        raise UsageError("y_true and y_pred: labels of one are strings, of the other numbers")
    present = targets.united(targets.classes(true), targets.classes(predicted))
    every = present if labels is None else _extended(present, np.asarray(labels))
    kind = BINARY if len(present) <= 2 else MULTICLASS
    return Compared(kind, present, _of_labels(true, every), _of_labels(predicted, every), weights)


def _extended(present: Array, labels: Array) -> Array:
    """Those that occur and those that are asked for."""
    if labels.ndim != 1 or labels.dtype.kind == "S":
        raise UsageError(f"labels: must be one list of numbers or strings, got {labels.tolist()}")
    if labels.size == 0:
        return present
    if (present.dtype.kind in "OUT") != (labels.dtype.kind in "OUT"):
        raise UsageError(
            f"labels: got {labels.tolist()}, but the labels are {present.tolist()}; "
            "strings and numbers do not compare (average='binary' takes pos_label for a label)"
        )
    return np.union1d(present, labels)


def _of_labels(column: Array, every: Array) -> Membership:
    code = np.searchsorted(every, column)
    return Membership(
        len(column), tuple(every.tolist()), np.arange(len(column)) * len(every) + code, "single"
    )


def _of_matrices(true: Any, predicted: Any, weights: Weights | None) -> Compared:
    if true.shape != predicted.shape:
        raise UsageError(f"y_true and y_pred: shapes differ, {true.shape} and {predicted.shape}")
    width = true.shape[1]
    made = _of_cells(true, "y_true"), _of_cells(predicted, "y_pred")
    return Compared(MULTILABEL, np.arange(width), *made, weights)


def _of_cells(matrix: Any, name: str) -> Membership:
    keys = np.flatnonzero(targets.indicators(matrix, name)).astype(np.int64)
    return Membership(matrix.shape[0], tuple(range(matrix.shape[1])), keys, "multi")


def columns_of(c: Compared, labels: Any) -> Int64:
    """Which categories `labels` are, in their order."""
    wanted = c.labels if labels is None else np.asarray(labels)
    if c.kind != MULTILABEL:
        return np.searchsorted(np.asarray(c.true.categories), wanted).astype(np.int64)
    width = len(c.labels)
    if wanted.dtype.kind not in "iu" or np.any((wanted < 0) | (wanted >= width)):
        raise UsageError(
            f"labels: must be columns 0..{width - 1} of the indicator matrix, got {wanted.tolist()}"
        )
    return wanted.astype(np.int64)


def sums(c: Compared, columns: Int64, by_item: bool = False) -> Sums:
    """The counts per label, or per sample."""
    if c.kind == MULTILABEL:
        both = np.intersect1d(c.true.keys, c.predicted.keys, assume_unique=True)
    else:
        both = c.true.keys[c.true.keys == c.predicted.keys]
    hits = Membership(c.true.items, c.true.categories, both, c.true.kind)
    return Sums(*(_counted(part, columns, by_item, c.weights) for part in (hits, c.predicted, c.true)))


def _counted(part: Membership, columns: Int64, by_item: bool, weights: Weights | None) -> Array:
    weight = None if weights is None else weights[part.item]
    if by_item:
        times = np.bincount(columns, minlength=len(part.categories))[part.category]
        count = np.bincount(part.item, times, minlength=part.items)
        # What weighs nothing counts nothing, as there: its ratios are 0/0.
        return count if weights is None else np.where(weights > 0, count, 0)
    count = np.bincount(part.category, weight, minlength=len(part.categories))[columns]
    return count if weights is not None else count.astype(np.int64)


def precision_recall_fscore_support(
    y_true: Any, y_pred: Any, *, beta: float = 1.0, labels: Any = None, pos_label: Any = 1,
    average: str | None = None, warn_for: Collection[str] = ("precision", "recall", "f-score"),
    sample_weight: Any = None, zero_division: Any = "warn",
) -> tuple[Any, Any, Any, Any]:  # fmt: skip
    """Precision, recall, F and support of each label, or averaged.

    Parameters
    ----------
    y_true, y_pred : labels in one column, or indicator matrices, dense or sparse.
    beta : weight of recall in F; 0 is precision, infinity is recall.
    labels : which labels, in which order (default: all that occur, sorted).
    pos_label : the positive label for `average="binary"`.
    average : None, "binary", "micro", "macro", "weighted" or "samples".
    warn_for : of which measures 0/0 is warned.
    sample_weight : a weight per sample.
    zero_division : what 0/0 is: 0, 1, NaN (left out of averages), or "warn": 0 and a warning.

    Returns
    -------
    precision, recall, F, support : arrays per label; with `average` floats, and support None.

    Examples
    --------
    >>> precision_recall_fscore_support(["a", "b", "b"], ["a", "b", "a"], average="macro")
    (0.75, 0.75, 0.6666666666666666, None)
    """
    rule = Undefined(_filler(zero_division), warn_for if zero_division == "warn" else ())
    check_choice("average", average, (None, "binary", "micro", "macro", "weighted", "samples"))
    targets.check_positive(pos_label)
    beta = check_beta(beta, 0, np.inf)
    if average == "binary":
        labels = [pos_label]
    c = compared(y_true, y_pred, labels, sample_weight)
    _check_average(c, average, pos_label)
    return measured(sums(c, columns_of(c, labels), average == "samples"), average, beta, rule, c.weights)


@dataclass(frozen=True, slots=True)
class Undefined:
    """What 0/0 is, and of which measures it is warned."""

    value: float
    warned: Collection[str]


def measured(
    s: Sums, average: str | None, beta: float, rule: Undefined, weights: Weights | None
) -> tuple[Any, Any, Any, Any]:
    """Precision, recall, F and support of counts, each or averaged."""
    hits, predicted, true = s.hits, s.predicted, s.true
    if average == "micro":
        hits, predicted, true = (part.sum(keepdims=True) for part in (hits, predicted, true))
    precision, recall = _ratio(hits, predicted, rule, "precision"), _ratio(hits, true, rule, "recall")
    # Of a greater one F is recall to the last digit, and its square would be infinite.
    square = min(beta, 1e100) ** 2
    if beta == 0 or np.isinf(beta):
        f = precision if beta == 0 else recall
    else:
        f = _ratio((1 + square) * hits, square * true + predicted, rule, "f-score")
    if average is None:
        return precision, recall, f, true
    weight = {"weighted": true, "samples": weights}.get(average)
    return _mean(precision, weight), _mean(recall, weight), _mean(f, weight), None


def _check_average(c: Compared, average: str | None, pos_label: Any) -> None:
    if average == "binary":
        if c.kind != BINARY:
            raise UsageError(
                f"average='binary' is for binary labels; these are {c.kind}: choose another average"
            )
        if len(c.labels) == 2 and pos_label not in c.labels.tolist():
            raise UsageError(f"pos_label: {pos_label!r} is not a label; they are {c.labels.tolist()}")
    elif average == "samples" and c.kind != MULTILABEL:
        raise UsageError("average='samples' is for multilabel targets")
    elif pos_label not in (None, 1):
        notes.warn(f"pos_label={pos_label!r} is ignored unless average='binary'; labels=[...] chooses labels")


def undefined_rule(zero_division: Any) -> Undefined:
    """The rule of a report."""
    named = ("precision", "recall", "f-score") if isinstance(zero_division, str) else ()
    return Undefined(_filler(zero_division), named)


def _filler(zero_division: Any) -> float:
    if isinstance(zero_division, str):
        if zero_division != "warn":
            raise UsageError(f"zero_division: got {zero_division!r}, allowed are 'warn', 0, 1, nan")
        return 0.0
    if not (zero_division in (0, 1) or zero_division != zero_division):
        raise UsageError(f"zero_division: got {zero_division!r}, allowed are 'warn', 0, 1, nan")
    return float(zero_division)


def _ratio(part: Array, whole: Array, rule: Undefined, name: str) -> Float64:
    undefined = whole == 0
    value = np.full(len(whole), rule.value)
    np.divide(part, whole, out=value, where=~undefined)
    if name in rule.warned and undefined.any():
        lacking = {"precision": "predicted", "recall": "true", "f-score": "true or predicted"}[name]
        count = int(undefined.sum())
        targets.warn_undefined(
            f"{name} is undefined in {count} of {len(whole)}: nothing is {lacking}; set to 0.0"
        )
    return value


def _mean(values: Float64, weights: Array | None) -> float:
    """Mean of what is not NaN; where nothing of it weighs anything, the plain mean."""
    known = ~np.isnan(values)
    if not known.any():
        return float("nan")
    values, weights = values[known], None if weights is None else weights[known]
    if weights is None or not np.sum(weights):
        return float(np.mean(values))
    return float(values @ weights / np.sum(weights))
