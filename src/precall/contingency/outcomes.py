"""Hard decisions: the contingency tables of categories, and what is computed of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.checks import check_beta
from precall.contingency.membership import ONE_CATEGORY, Membership, memberships
from precall.contingency.summary import Summary, summary
from precall.curves.relations import weighted_mean
from precall.errors import DataError, Problem, UsageError
from precall.notes import warn
from precall.ragged import Float64, Int64
from precall.results import Presented, Table

AVERAGES = (None, "micro", "macro", "weighted", "samples")
MEASURES = ("precision", "recall", "f", "e", "accuracy", "error")
UNDEFINED = ("zero", "omit", "error")


def decisions(truth: Any, predicted: Any, categories: Sequence[Any] | None = None) -> Decisions:
    """Compare decisions with the truth.

    Parameters
    ----------
    truth, predicted : both in one form: labels (one category per item; bool, 0/1 or -1/1 labels
        without `categories` are binary: one category, "relevant"), sets or lists of labels, or an
        items x categories matrix of 0 and 1, dense or scipy.sparse. A list of lists that are of equal
        length and hold only 0 and 1 is a matrix; for sets of the labels 0 and 1 pass sets. A data frame
        is a matrix whose columns are categories by their names: the same names in another order are
        matched, other names are an error.
    categories : their names in order (default: the sorted labels, the names of a frame's columns, or column
        numbers). Categories that nobody uses are kept; a label outside is an error.

    Returns
    -------
    Decisions

    Examples
    --------
    >>> d = decisions(["a", "b", "b", "c"], ["a", "b", "c", "c"])
    >>> d.table.to_dict()["tp"], d.precision("macro")
    ([1, 1, 1], 0.8333333333333334)
    >>> decisions([1, 1, 0, 0], [1, 0, 1, 0]).f()
    0.5
    """
    true, said = memberships({"truth": truth, "predicted": predicted}, categories)
    return Decisions(true, said)


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Contingency tables, one per category (or per item, or one in all)."""

    tp: Int64
    fp: Int64
    fn: Int64
    tn: Int64


class Decisions(Presented):
    """Decisions and truth of items in categories.

    Every measure takes `average`: None (one value per category; of binary decisions one number),
    "micro" (of the summed tables), "macro" (mean over categories), "weighted" (mean weighted by the
    items truly in the category) or "samples" (mean over items). `undefined` says what those means
    do about values 0/0: count them as "zero" (the default), "omit" them, or raise an "error";
    `undefined_in` tells how many there are.

    Accuracy and error are of items, and one number: `average` None. Averaged, they are of the cells,
    all pairs of item and category.

    Labels 0/1, -1/1 and bool are one category, "relevant", so that "micro", "macro" and "weighted" are
    its value alone (said by a warning). scikit-learn averages over both labels: pass `categories=[0, 1]`.
    """

    def __init__(self, truth: Membership, predicted: Membership) -> None:
        self.truth = truth
        self.predicted = predicted
        self.categories = truth.categories
        both = np.intersect1d(truth.keys, predicted.keys, assume_unique=True)
        self._both = Membership(truth.items, truth.categories, both, truth.kind)

    def __repr__(self) -> str:
        return f"<Decisions: {self.truth.items} items, {len(self.categories)} categories, {self.truth.kind}>"

    def counts(self, average: str | None = None) -> Counts:
        """The tables: per category (None), summed ("micro") or per item ("samples")."""
        per = Membership.per_item if average == "samples" else Membership.per_category
        tp, said, true = per(self._both), per(self.predicted), per(self.truth)
        whole = len(self.categories) if average == "samples" else self.truth.items
        fp, fn = said - tp, true - tp
        tables = (tp, fp, fn, whole - tp - fp - fn)
        return Counts(*(np.array([part.sum()]) for part in tables)) if average == "micro" else Counts(*tables)

    @property
    def table(self) -> Table:
        """Per category: its name, TP, FP, FN, TN."""
        c = self.counts()
        return Table(
            {
                "category": [str(name) for name in self.categories],
                "tp": c.tp,
                "fp": c.fp,
                "fn": c.fn,
                "tn": c.tn,
            }
        )

    def precision(self, average: str | None = None, undefined: str = "zero") -> Any:
        """TP / (TP + FP); undefined for a category that is never predicted."""
        return self._averaged("precision", average, undefined)

    def recall(self, average: str | None = None, undefined: str = "zero") -> Any:
        """TP / (TP + FN); undefined for a category that nothing belongs to."""
        return self._averaged("recall", average, undefined)

    def f(self, beta: float = 1.0, average: str | None = None, undefined: str = "zero") -> Any:
        """(1 + β²) TP / ((1 + β²) TP + β² FN + FP): weighted harmonic mean of precision and recall.

        "macro" is the mean of the categories' F; "macro-of-means" is the F of macro precision and
        macro recall, which is another number (Opitz & Burst 2019). Undefined when a category is
        neither predicted nor true; F of β = 0 is precision, undefined where that is.
        """
        _refuse_average(beta)
        if average == "macro-of-means":
            self._say_which("f", average)
            p, r = (self._mean(one, "macro", undefined) for one in ("precision", "recall"))
            return weighted_mean(p, r, beta)
        return self._averaged("f", average, undefined, beta)

    def e(self, beta: float = 1.0, average: str | None = None, undefined: str = "zero") -> Any:
        """1 - F, van Rijsbergen's E; with β = 1 the set overlap error |A Δ B| / (|A| + |B|). Low is good: "zero" counts 1."""
        _refuse_average(beta)
        if average == "macro-of-means":
            return 1 - self.f(beta, average, undefined)
        return self._averaged("e", average, undefined, beta)

    def accuracy(self, average: str | None = None, undefined: str = "zero") -> Any:
        """Share of the items that are right, which of several labels per item means: all of them.

        `average="exact"` is another name of that. With "micro" it is cell accuracy, (TP + TN) / all cells of
        items and categories; "macro", "weighted" and "samples" are means of it. Cell accuracy counts every
        category that an item is rightly not in, and so is high where there are many categories.

        Examples
        --------
        >>> d = decisions(["a", "b", "b", "c"], ["a", "b", "c", "c"])
        >>> d.accuracy(), round(d.accuracy("micro"), 4)
        (0.75, 0.8333)
        """
        if average in (None, "exact"):
            return float(np.mean(self.right())) if self.truth.items else float("nan")
        return self._averaged("accuracy", average, undefined)

    def right(self) -> npt.NDArray[np.bool_]:
        """Per item: whether all of its labels are right, and none is missing."""
        c = self.counts("samples")
        return np.asarray((c.fp == 0) & (c.fn == 0))

    def error(self, average: str | None = None, undefined: str = "zero") -> Any:
        """Share of the items that are not right, 1 - accuracy; low is good. With an average of the cells, as there."""
        if average in (None, "exact"):
            return 1 - self.accuracy()
        return self._averaged("error", average, undefined)

    def support(self) -> Int64:
        """Items that truly belong to each category."""
        return self.truth.per_category()

    def undefined_in(self, measure: str, average: str | None = None, beta: float = 1.0) -> int:
        """In how many categories (items, for "samples") a measure is 0/0: one of precision, recall, f, e, accuracy, error.

        Accuracy and error are those of the cells here.
        """
        if measure not in MEASURES:
            raise UsageError(f"measure: got {measure!r}, allowed are {', '.join(MEASURES)}")
        if average not in AVERAGES:
            raise UsageError(f"average: got {average!r}, allowed are {', '.join(map(str, AVERAGES))}")
        return int(np.isnan(self._values(measure, average, beta)).sum())

    def _values(self, measure: str, average: str | None, beta: float = 1.0) -> Float64:
        beta = check_beta(beta)
        c = self.counts(average)
        with np.errstate(invalid="ignore"):
            if measure == "precision":
                value = c.tp / (c.tp + c.fp)
            elif measure == "recall":
                value = c.tp / (c.tp + c.fn)
            elif measure in ("accuracy", "error"):
                part = c.tp + c.tn if measure == "accuracy" else c.fp + c.fn
                value = part / (c.tp + c.tn + c.fp + c.fn)
            else:
                hits = (1 + beta**2) * c.tp
                wrong = beta**2 * c.fn + c.fp
                value = (hits if measure == "f" else wrong) / (hits + wrong)
        return np.asarray(value, np.float64)

    def _averaged(self, measure: str, average: str | None, undefined: str, beta: float = 1.0) -> Any:
        if average not in AVERAGES:
            raise UsageError(f"average: got {average!r}, allowed are {', '.join(map(str, AVERAGES))}")
        _check_undefined(undefined)
        if average is None:
            value = self._values(measure, average, beta)
            return float(value[0]) if self.truth.kind == "binary" else value
        self._say_which(measure, average)
        return self._mean(measure, average, undefined, beta)

    def _say_which(self, measure: str, average: str) -> None:
        """Warn of averages over the one category that 0/1 labels are; of cells they are what they are of both labels."""
        if self.truth.kind == "binary" and average != "samples" and measure not in ("accuracy", "error"):
            warn(f"{average} of {ONE_CATEGORY}")

    def _mean(self, measure: str, average: str, undefined: str, beta: float = 1.0) -> float:
        _check_undefined(undefined)
        value = self._values(measure, average, beta)
        weight = self.support().astype(np.float64) if average == "weighted" else np.ones(len(value))
        missing = np.isnan(value)
        if missing.any() and undefined == "error":
            first = int(np.argmax(missing))
            names = {"samples": f"item {first}", "micro": "all categories together"}
            where = names[average] if average in names else f"category {self.categories[first]!r}"
            text = f"{measure} is undefined (0/0) {int(missing.sum())} times, first for {where}"
            raise DataError([Problem("decisions", None, text, "pass undefined='zero' or 'omit'")])
        if undefined == "omit":
            value, weight = value[~missing], weight[~missing]
        total = float(weight.sum())
        worst = 1.0 if measure in ("e", "error") else 0.0  # so that the mean of E is 1 less the mean of F
        return float(np.where(np.isnan(value), worst, value) @ weight / total) if total else float("nan")

    def report(self, undefined: str = "zero") -> Summary:
        """Precision, recall, F1 and support of every category, then the averages."""
        return summary(self, undefined)


def _refuse_average(beta: Any) -> None:
    """Raise if the first argument of F is an average, which the other measures take first."""
    if isinstance(beta, str) and beta in (*AVERAGES, "macro-of-means"):
        raise UsageError(f"beta: got {beta!r}, which is an average; pass average={beta!r}")


def _check_undefined(undefined: str) -> None:
    if undefined not in UNDEFINED:
        raise UsageError(f"undefined: got {undefined!r}, allowed are {', '.join(UNDEFINED)}")
