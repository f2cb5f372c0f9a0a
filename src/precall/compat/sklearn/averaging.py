"""Precision, recall, F and Jaccard index, by label and averaged."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from precall.compat.sklearn import targets
from precall.compat.sklearn.compared import Compared, averaged_labels, read_both
from precall.compat.sklearn.label_codes import Array
from precall.core.arguments import check_beta
from precall.core.counts import Counts
from precall.core.errors import UsageError
from precall.core.ragged import Float64, weighted_sum
from precall.measures import Measure, of_counts, weighted

#: What is missing if a measure is undefined.
_LACKING = {
    "precision": "predicted",
    "recall": "true",
    "f-score": "true nor predicted",
    "jaccard": "true or predicted",
}
#: Smaller and greater weights of recall are replaced by these: their squares would leave float64,
#: and F with these is already precision or recall to the last digit.
_LEAST, _MOST = 1e-100, 1e100


@dataclass(frozen=True, slots=True)
class Rule:
    """The value of 0/0, and the measures whose 0/0 causes a warning."""

    filler: float
    warned: Collection[str]

    @classmethod
    def of(cls, zero_division: Any, warn_for: Collection[str]) -> Rule:
        """The rule of scikit-learn's parameter `zero_division`."""
        if isinstance(zero_division, str) and zero_division == "warn":
            return cls(0.0, warn_for)
        is_allowed = not isinstance(zero_division, str) and (
            zero_division in (0, 1) or zero_division != zero_division
        )
        if not is_allowed:
            raise UsageError(
                argument="zero_division", got=zero_division, allowed=("'warn'", 0, 1, "nan")
            )
        return cls(float(zero_division), ())


@dataclass(frozen=True, slots=True)
class Averaged:
    """Tables of labels or samples, and how measures of them are averaged."""

    counts: Counts
    average: str | None
    rule: Rule
    weights: Any

    @classmethod
    def of(cls, both: Compared, average: str | None, labels: object, rule: Rule) -> Averaged:
        """The tables of labels, or of samples if the average is over samples."""
        if average == "samples":
            return cls(both.counts_by_sample(labels), average, rule, both.weights)
        counts = both.counts(labels)
        if average == "micro":
            return cls(counts.sum(), average, rule, None)
        return cls(counts, average, rule, counts.relevant if average == "weighted" else None)

    def value(self, name: str, measure: Measure) -> Any:
        """The mean of a measure, or one number per label."""
        values = measure.of_table(self.counts)
        undefined = np.isnan(values)
        if undefined.any():
            values = np.where(undefined, self.rule.filler, values)
            if name in self.rule.warned:
                targets.warn_undefined(self._warning(name, len(values)))
        return values if self.average is None else _mean(values, self.weights)

    def _warning(self, name: str, size: int) -> str:
        where, lacking = (
            ("labels", "samples") if self.average != "samples" else ("samples", "labels")
        )
        cause = f"in {where} with" if size != 1 else "due to"
        return (
            f"{name.capitalize()} is ill-defined and being set to 0.0 {cause} no {_LACKING[name]} "
            f"{lacking}. Use `zero_division` parameter to control this behavior."
        )


def f_of(beta: object) -> Measure:
    """F with the weight `beta` of recall; it is recall if the weight is infinite."""
    beta = check_beta(beta, 0, np.inf)
    if np.isinf(beta):
        return of_counts("recall")
    return weighted("F", min(max(beta, _LEAST), _MOST) if beta else 0.0)


def _mean(values: Float64, weights: Array | None) -> float:
    """The weighted mean of the values that are not NaN; the plain mean if their weights are 0."""
    is_defined = ~np.isnan(values)
    if not is_defined.any():
        return float("nan")
    values, weights = values[is_defined], None if weights is None else weights[is_defined]
    if weights is None or not np.sum(weights):
        return float(np.mean(values))
    return float(weighted_sum(values, weights) / np.sum(weights))


def tables_and_averages(
    y_true: object,
    y_pred: object,
    labels: object,
    pos_label: object,
    average: str | None,
    sample_weight: object,
    rule: Rule,
) -> Averaged:
    """The tables and averages that every function here starts with."""
    both = read_both(y_true, y_pred, sample_weight)
    return Averaged.of(both, average, averaged_labels(both, average, labels, pos_label), rule)


def precision_recall_fscore_support(
    y_true: object,
    y_pred: object,
    *,
    beta: float = 1.0,
    labels: object = None,
    pos_label: object = 1,
    average: str | None = None,
    warn_for: Collection[str] = ("precision", "recall", "f-score"),
    sample_weight: object = None,
    zero_division: object = "warn",
) -> tuple[Any, Any, Any, Any]:
    """Precision, recall, F and support of each label: arrays; averaged: numbers, and support None.

    `beta` is the weight of recall in F: with 0 F is precision, with infinity it is recall.
    `warn_for` names the measures whose 0/0 causes a warning.

    Examples
    --------
    >>> precision_recall_fscore_support(["a", "b", "b"], ["a", "b", "a"], average="macro")
    (0.75, 0.75, 0.6666666666666666, None)
    """
    rule, f = Rule.of(zero_division, warn_for), f_of(beta)
    of = tables_and_averages(y_true, y_pred, labels, pos_label, average, sample_weight, rule)
    return (*prf(of, f), of.counts.relevant if average is None else None)


def prf(of: Averaged, f: Measure) -> tuple[Any, Any, Any]:
    """Precision, recall and F; if F equals one of the others, there is no second warning."""
    precision, recall = (
        of.value("precision", of_counts("precision")),
        of.value("recall", of_counts("recall")),
    )
    if f == of_counts("recall"):
        return precision, recall, recall
    if f.parameters["beta"] == 0:
        return precision, recall, precision
    return precision, recall, of.value("f-score", f)


def precision_score(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: object = None,
    zero_division: object = "warn",
) -> Any:
    """Precision: share of the cases with a predicted label that truly have it.

    Examples
    --------
    >>> precision_score([0, 1, 1, 0], [1, 1, 1, 0])
    0.6666666666666666
    """
    rule = Rule.of(zero_division, ("precision",))
    of = tables_and_averages(y_true, y_pred, labels, pos_label, average, sample_weight, rule)
    return of.value("precision", of_counts("precision"))


def recall_score(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: object = None,
    zero_division: object = "warn",
) -> Any:
    """Recall: share of the cases with a true label for which it is predicted.

    Examples
    --------
    >>> recall_score([0, 1, 1, 0], [1, 1, 0, 0])
    0.5
    """
    rule = Rule.of(zero_division, ("recall",))
    of = tables_and_averages(y_true, y_pred, labels, pos_label, average, sample_weight, rule)
    return of.value("recall", of_counts("recall"))


def f1_score(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: object = None,
    zero_division: object = "warn",
) -> Any:
    """F1: harmonic mean of precision and recall.

    Examples
    --------
    >>> f1_score([0, 1, 1, 0], [1, 1, 0, 0])
    0.5
    """
    return fbeta_score(
        y_true,
        y_pred,
        beta=1,
        labels=labels,
        pos_label=pos_label,
        average=average,
        sample_weight=sample_weight,
        zero_division=zero_division,
    )


def fbeta_score(
    y_true: object,
    y_pred: object,
    *,
    beta: float,
    labels: object = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: object = None,
    zero_division: object = "warn",
) -> Any:
    """F: weighted harmonic mean of precision and recall, recall counting `beta` times as much.

    Examples
    --------
    >>> round(fbeta_score([0, 1, 1, 1], [1, 1, 0, 0], beta=2), 4)
    0.3571
    """
    rule, f = Rule.of(zero_division, ("f-score",)), f_of(beta)
    of = tables_and_averages(y_true, y_pred, labels, pos_label, average, sample_weight, rule)
    if f == of_counts("recall") or f.parameters["beta"] == 0:
        # No warning for 0/0 of precision or recall itself, which were not asked for.
        return of.value("", f)
    return of.value("f-score", f)


def jaccard_score(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: object = None,
    zero_division: object = "warn",
) -> Any:
    """Jaccard index: cases whose label is both true and predicted, over cases where it is either.

    Examples
    --------
    >>> jaccard_score([0, 1, 1, 0], [1, 1, 0, 0])
    0.3333333333333333
    """
    rule = Rule.of(zero_division, ("jaccard",))
    of = tables_and_averages(y_true, y_pred, labels, pos_label, average, sample_weight, rule)
    return of.value("jaccard", of_counts("Jaccard"))
