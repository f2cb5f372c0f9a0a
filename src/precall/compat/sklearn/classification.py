"""Measures of hard decisions: precision, recall, F and support per label and averaged, and the report."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from precall import notes
from precall.checks import check_beta, check_choice, is_whole
from precall.compat.sklearn import targets
from precall.compat.sklearn.targets import BINARY, MULTICLASS, MULTILABEL, Array
from precall.contingency.membership import Membership
from precall.curves.cases import Weights
from precall.errors import UsageError
from precall.ragged import Float64, Int64

HEADERS = ("precision", "recall", "f1-score", "support")
#: What there is none of where a measure is undefined.
_LACKING = {"precision": "predicted", "recall": "true", "f-score": "true or predicted"}
#: (Weighted) counts per label, per sample, or in all: right ones, predicted ones, true ones.
Sums = tuple[Array, Array, Array]
#: What 0/0 is, and of which measures it is warned.
Rule = tuple[float, Collection[str]]


def precision_recall_fscore_support(
    y_true: Any, y_pred: Any, *, beta: float = 1.0, labels: Any = None, pos_label: Any = 1,
    average: str | None = None, warn_for: Collection[str] = ("precision", "recall", "f-score"),
    sample_weight: Any = None, zero_division: Any = "warn",
) -> tuple[Any, Any, Any, Any]:  # fmt: skip
    """Precision, recall, F and support of each label: arrays; averaged: numbers, and support None.

    `beta`, the weight of recall in F, may be 0, of which F is precision, and infinite, of which it is recall.
    `warn_for` names the measures of which 0/0 is warned.

    Examples
    --------
    >>> precision_recall_fscore_support(["a", "b", "b"], ["a", "b", "a"], average="macro")
    (0.75, 0.75, 0.6666666666666666, None)
    """
    rule = _rule(zero_division, warn_for)
    check_choice("average", average, (None, "binary", "micro", "macro", "weighted", "samples"))
    targets.check_positive(pos_label)
    beta = check_beta(beta, 0, np.inf)
    if average == "binary":
        labels = [pos_label]
    both = _compared(y_true, y_pred, labels, sample_weight)
    _check_average(both, average, pos_label)
    return _measured(both.sums(labels, average == "samples"), average, beta, rule, both.weights)


def classification_report(
    y_true: Any, y_pred: Any, *, labels: Any = None, target_names: Sequence[str] | None = None,
    sample_weight: Any = None, digits: Any = 2, output_dict: bool = False, zero_division: Any = "warn",
) -> Any:  # fmt: skip
    """Precision, recall, F1 and support of each label and averaged: the same text, to the character.

    `target_names` are what the labels are called, `digits` the decimals of the text; `output_dict` gives a dictionary instead.

    Examples
    --------
    >>> classification_report(["a", "b", "b"], ["a", "b", "a"], output_dict=True)["accuracy"]
    0.6666666666666666
    """
    if not is_whole(digits) or digits < 0:
        raise UsageError(f"digits: must be an integer >= 0, got {digits!r}")
    both = _compared(y_true, y_pred, labels, sample_weight)
    chosen = both.labels if labels is None else np.asarray(labels)
    names, rule, counts = (
        _names(chosen, target_names, labels is not None), _rule(zero_division, _LACKING), both.sums(labels)
    )  # fmt: skip
    each = _measured(counts, None, 1.0, rule, both.weights)
    rows: list[tuple[str, Sequence[Any]]] = list(zip(names, zip(*each, strict=True), strict=False))
    averages: dict[str, Any] = {}
    for average in ("micro", "macro", "weighted", *(["samples"] if both.kind == MULTILABEL else [])):
        part = both.sums(labels, by_item=True) if average == "samples" else counts
        known = set(both.labels.tolist()) <= set(chosen.tolist())
        name = "accuracy" if average == "micro" and both.kind != MULTILABEL and known else f"{average} avg"
        averages[name] = (*_measured(part, average, 1.0, rule, both.weights)[:3], np.sum(each[3]))
    return _dictionary(rows, averages) if output_dict else _text(rows, averages, int(digits), names)


@dataclass(frozen=True, slots=True, eq=False)
class _Compared:
    """True and predicted labels in one form, over the labels that occur."""

    kind: str
    labels: Array
    true: Membership
    predicted: Membership
    weights: Weights | None

    def sums(self, labels: Any, by_item: bool = False) -> Sums:
        """The counts of these labels, or by sample."""
        columns = self._columns(labels)
        counted = self._by_item if by_item else self._by_label
        return (
            counted(self.true.both(self.predicted), columns),
            counted(self.predicted, columns),
            counted(self.true, columns),
        )

    def _columns(self, labels: Any) -> Int64:
        wanted = self.labels if labels is None else np.asarray(labels)
        if self.kind != MULTILABEL:
            return np.searchsorted(np.asarray(self.true.categories), wanted).astype(np.int64)
        width = len(self.labels)
        if wanted.dtype.kind not in "iu" or np.any((wanted < 0) | (wanted >= width)):
            raise UsageError(
                f"labels: must be columns 0..{width - 1} of the indicator matrix, got {wanted.tolist()}"
            )
        return wanted.astype(np.int64)

    def _by_item(self, part: Membership, columns: Int64) -> Array:
        times = np.bincount(columns, minlength=len(part.categories))[part.category]
        count = np.bincount(part.item, times, minlength=part.items)
        # What weighs nothing counts nothing, as there: its ratios are 0/0.
        return count if self.weights is None else np.where(self.weights > 0, count, 0)

    def _by_label(self, part: Membership, columns: Int64) -> Array:
        weight = None if self.weights is None else self.weights[part.item]
        count = np.bincount(part.category, weight, minlength=len(part.categories))[columns]
        return count.astype(np.int64) if weight is None else count


def _compared(y_true: Any, y_pred: Any, labels: Any, sample_weight: Any) -> _Compared:
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
    rows, names = np.arange(len(true)) * len(every), tuple(every.tolist())

    def coded(cells: Array) -> Membership:
        return Membership(len(true), names, rows + np.searchsorted(every, cells), "single")

    kind = BINARY if len(present) <= 2 else MULTICLASS
    return _Compared(kind, present, coded(true), coded(predicted), weights)


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


def _of_matrices(true: Any, predicted: Any, weights: Weights | None) -> _Compared:
    if true.shape != predicted.shape:
        raise UsageError(f"y_true and y_pred: shapes differ, {true.shape} and {predicted.shape}")
    rows, width = true.shape

    def marked(matrix: Any, name: str) -> Membership:
        keys = np.flatnonzero(targets.indicators(matrix, name)).astype(np.int64)
        return Membership(rows, tuple(range(width)), keys, "multi")

    both = marked(true, "y_true"), marked(predicted, "y_pred")
    return _Compared(MULTILABEL, np.arange(width), *both, weights)


def _measured(
    sums: Sums, average: str | None, beta: float, rule: Rule, weights: Weights | None
) -> tuple[Any, Any, Any, Any]:
    """Precision, recall, F and support of counts, each or averaged."""
    hits, predicted, true = (part.sum(keepdims=True) for part in sums) if average == "micro" else sums
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


def _check_average(both: _Compared, average: str | None, pos_label: Any) -> None:
    if average == "binary":
        if both.kind != BINARY:
            raise UsageError(
                f"average='binary' is for binary labels; these are {both.kind}: choose another average"
            )
        targets.check_occurs(pos_label, both.labels)
    elif average == "samples" and both.kind != MULTILABEL:
        raise UsageError("average='samples' is for multilabel targets")
    elif pos_label not in (None, 1):
        notes.warn(f"pos_label={pos_label!r} is ignored unless average='binary'; labels=[...] chooses labels")


def _rule(zero_division: Any, warn_for: Collection[str]) -> Rule:
    if isinstance(zero_division, str) and zero_division == "warn":
        return 0.0, warn_for
    if isinstance(zero_division, str) or not (zero_division in (0, 1) or zero_division != zero_division):
        raise UsageError(f"zero_division: got {zero_division!r}, allowed are 'warn', 0, 1, nan")
    return float(zero_division), ()


def _ratio(part: Array, whole: Array, rule: Rule, name: str) -> Float64:
    filler, warned = rule
    undefined = whole == 0
    value = np.full(len(whole), filler)
    np.divide(part, whole, out=value, where=~undefined)
    if name in warned and undefined.any():
        places = f"{int(undefined.sum())} of {len(whole)}"
        targets.warn_undefined(f"{name} is undefined in {places}: nothing is {_LACKING[name]}; set to 0.0")
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


def _names(known: Array, target_names: Sequence[str] | None, given: bool) -> list[str]:
    if target_names is None:
        return [str(label) for label in known]
    if len(known) != len(target_names):
        what = f"target_names: {len(target_names)} names for {len(known)} labels"
        if not given:
            raise UsageError(f"{what}; say which with labels=")
        notes.warn(what)
    return list(target_names)


def _dictionary(rows: list[tuple[str, Sequence[Any]]], averages: dict[str, Any]) -> dict[str, Any]:
    lines: dict[str, Any] = {
        name: dict(zip(HEADERS, map(float, values), strict=True))
        for name, values in [*rows, *averages.items()]
    }
    if "accuracy" in averages:
        lines["accuracy"] = float(averages["accuracy"][0])
    return lines


def _text(
    rows: list[tuple[str, Sequence[Any]]], averages: dict[str, Any], digits: int, names: list[str]
) -> str:
    if not names:
        raise UsageError("labels: is empty; name at least one label, or leave it out")
    # Names that no row has count, too.
    width = max(len("weighted avg"), digits, *map(len, names))

    def line(name: str, values: Sequence[Any], only_f: bool = False) -> str:
        shown = [f"{value:.{digits}f}" for value in values[:3]]
        shown = ["", "", shown[2]] if only_f else shown
        return " ".join([f"{name:>{width}} ", *(f"{cell:>9}" for cell in [*shown, values[3]])])

    head = " ".join([f"{'':>{width}} ", *(f"{name:>9}" for name in HEADERS)])
    lines = [head, "", *(line(name, values) for name, values in rows), ""]
    lines += [line(name, values, name == "accuracy") for name, values in averages.items()]
    return "\n".join(lines) + "\n"
