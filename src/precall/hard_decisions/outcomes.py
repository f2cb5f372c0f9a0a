"""Hard decisions: the contingency tables of categories, and the measures computed from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from precall.cases.points import weighted_mean
from precall.cases.scored_cases import Weights, weight
from precall.core.arguments import check_kind, choose, refuse_alike, refuse_mapping, refuse_set
from precall.core.counts import Counts
from precall.core.errors import Mistake, UsageError
from precall.core.notes import Note, warn
from precall.core.notes.of_decisions import ItemsSeen, LeftOut, OneCategory, UndefinedIn
from precall.core.notes.of_reading import NoCommonLabel
from precall.core.ragged import Int64, weighted_sum
from precall.core.rng import suggest_our_names
from precall.core.text import many, plain_label
from precall.core.undefined import COUNT_THEM, apply_undefined, check_undefined
from precall.hard_decisions.distances import check_order, with_distances
from precall.hard_decisions.membership import Membership, memberships, only_labels
from precall.measures import Measure, measure_and_average, of_counts, weighted
from precall.read.unlike_labels import no_common
from precall.results.equality import Equal
from precall.results.sheets import Presented, Table

if TYPE_CHECKING:
    from precall.hard_decisions.confusion import Confusion

AVERAGES = (None, "each", "micro", "macro", "weighted", "samples")
#: Names of averages in other tools, in the form that `choose` takes.
AVERAGED = {
    "none": ["each"],
    "percategory": ["each"],
    "perclass": ["each"],
    "perlabel": ["each"],
    "classwise": ["each"],
    "sample": ["samples"],
    "items": ["samples"],
    "peritem": ["samples"],
    "examples": ["samples"],
    "instances": ["samples"],
    "examplebased": ["samples"],
    "instancebased": ["samples"],
    "sampleswise": ["samples"],
    "samplewise": ["samples"],
    "support": ["weighted"],
    "bysupport": ["weighted"],
    "supportweighted": ["weighted"],
    "global": ["micro"],
    "pooled": ["micro"],
}
#: Averages of other tools that do not exist here.
NOT_BINARY = {"binary": "'binary' is of labels 0/1, -1/1 or bool"}


@suggest_our_names
def decisions(
    truth: object,
    predicted: object,
    categories: Sequence[object] | None = None,
    positive: object = None,
    labels: Sequence[object] | None = None,
    *,
    weights: object = None,
) -> Decisions:
    """Compare decisions with the truth.

    Parameters
    ----------
    truth : the truth about each item: labels (one category per item; bool, 0/1 or -1/1 labels
        without `categories` are binary: one category, "relevant"), sets or lists of labels, each
        once, or an items x categories matrix of 0 and 1, dense or scipy.sparse. Lists of equal
        length that hold only 0 and 1 are a matrix; lists that are nearly one are an error. For sets
        of the labels 0 and 1 pass sets. A data frame is a matrix whose column names are the
        categories: the same names in another order are matched, other names are an error.
    predicted : the decision about each item, in the order and the form of `truth`.
    categories : names of the categories in order. None takes the sorted labels, with the levels
        that a Categorical or an Enum declares (in their order, if it is ordered); or the names of a
        frame's columns; or column numbers. Categories that nobody uses are kept; a label outside is
        an error.
    positive : measure only this label, as a yes or no about each item, like labels 0/1. None is all
        categories.
    labels : measure only these labels, such as all but "O" or "no_relation": the others are no
        category, neither of averages nor of accuracy, but a wrong decision for one of `labels` is
        a false positive. With `categories` instead, any other label is an error. None is all.
    weights : weight of each item, such as its amount or how many items of a population it stands
        for, finite and >= 0: tables sum them, and means over items are weighted. Whole numbers
        repeat an item; if any has a fraction or is a float, all are sampling weights.

    Returns
    -------
    Decisions

    Raises
    ------
    DataError
        An item has no label, the same label twice, or one that is not among `categories`; or lists
        are nearly a matrix.
    UsageError
        Truth and decisions are not of equal length or form, or have types that never match, such as
        texts and numbers; or no item has the label `positive`.

    Warns
    -----
    PrecallWarning
        Truth and decisions have no label in common, or labels that differ by case or blanks only.

    Notes
    -----
    A measure that is 0/0, such as precision if nothing was accepted, is NaN for its category;
    `undefined` says how averages treat it. scikit-learn averages binary labels over both of them;
    docs/coming-from/sklearn.md lists the differences.

    Examples
    --------
    >>> d = decisions(["a", "b", "b", "c"], ["a", "b", "c", "c"])
    >>> d.table.to_dict()["tp"], d.precision("macro")
    ([1, 1, 1], 0.8333333333333334)
    >>> (
    ...     decisions([1, 1, 0, 0], [1, 0, 1, 0]).f(),
    ...     decisions(["ham", "spam"], ["spam", "spam"], positive="spam").f(),
    ... )
    (0.5, 0.6666666666666666)
    >>> decisions([1, 1, 0], [1, 0, 1], weights=[200.0, 50.0, 50.0]).f()
    0.8
    """
    if labels is not None and positive is not None:
        raise UsageError(
            argument="labels and positive",
            what="both say what is measured",
            remedy="of one label pass positive=, of several labels=",
        )
    if labels is not None:
        refuse_set("labels", labels)
        refuse_mapping("labels", labels, "a list of them")
        if isinstance(labels, str | bytes) or not isinstance(labels, Iterable):
            raise UsageError(argument="labels", got=labels, allowed="a list of labels")
        labels = list(labels)
    members = memberships(
        {"truth": truth, "predicted": predicted},
        categories,
        binary=labels is None,
        positive=positive,
        ignored=labels is not None,
    )
    true, decided = members
    if labels is not None:
        true, decided = only_labels(true, decided, labels)
    heavy = None if weights is None else weight(weights, true.items)
    return Decisions(true, decided, heavy)


#: Averages that are one number.
Averaged: TypeAlias = Literal["micro", "macro", "weighted", "samples"]


class Decisions(Equal, Presented):
    """Decisions and truth of items in categories.

    Every measure takes `average`: None (one value per category; for binary decisions one number),
    "micro" (of the summed tables), "macro" (mean over categories), "weighted" (mean weighted by the
    items truly in the category) or "samples" (mean over items). `undefined` says how these means
    treat values 0/0: count them as "zero" (the default; 1 for losses: E, error, fallout, LR-),
    "omit" them, or raise an "error"; `undefined_in` returns how many there are.

    With `average` None, accuracy and error are one number, over items. With an average they are
    over cells, all pairs of item and category.

    Labels 0/1, -1/1 and bool are one category, "relevant". So "micro", "macro" and "weighted" are
    the value of this category alone, with a warning. scikit-learn averages over both labels: pass
    `categories=[0, 1]`.
    """

    _instead: ClassVar[Mapping[str, str]] = {
        "confusion_matrix": ".table; of pairs of labels: confusion_matrix of precall.compat.sklearn"
    }

    def __init__(
        self, truth: Membership, predicted: Membership, weights: Weights | None = None
    ) -> None:
        for name, member in (("truth", truth), ("predicted", predicted)):
            check_kind(
                name,
                member,
                Membership,
                "a Membership, as pc.decisions(truth, predicted) makes of labels",
            )
        refuse_alike(truth.categories)
        self.truth = truth
        self.predicted = predicted
        self.weights = weights
        self.categories: tuple[Any, ...] = truth.categories
        self._both = truth.both(predicted)
        self._tables: dict[str | None, Counts] = {}

    def _compared_parts(self) -> list[Any]:
        return [self.truth, self.predicted, self.weights]

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was noticed about the labels: none in common, two spellings of one, and the like."""
        notes = tuple(dict.fromkeys((*self.truth.notes, *self.predicted.notes)))
        if len(self.categories) < 2 or any(isinstance(note, NoCommonLabel) for note in notes):
            return notes
        # No such note was given if categories were named, or if the decisions were not read.
        true, decided = (
            [
                name
                for name, count in zip(
                    self.categories, membership.per_category().tolist(), strict=True
                )
                if count
            ]
            for membership in (self.truth, self.predicted)
        )
        apart = no_common(true, decided, ("truth", "predicted"))
        return notes if apart is None else (*notes, apart)

    def __repr__(self) -> str:
        categories = many(len(self.categories), "category", "categories")
        return f"<Decisions: {many(self.truth.items, 'item')}, {categories}, {self.truth.kind}>"

    def counts(self, average: str | None = None) -> Counts:
        """The contingency tables: per category (None), summed ("micro") or per item ("samples").

        Pairs of item and category without a label are in none, nor are items without any label.
        """
        if average == "micro":
            return self.counts().sum()
        by_item = average == "samples"
        if (kept := "samples" if by_item else None) not in self._tables:
            per = Membership.per_item if by_item else Membership.per_category
            tp, accepted, true = per(self._both), per(self.predicted), per(self.truth)
            size = self.truth.labelled_per_item() if by_item else self.truth.labelled_per_category()
            cells = (tp, accepted - tp, true - tp, size - accepted - true + tp)
            if by_item and self.truth.unlabelled is not None:
                cells = tuple(cell[size > 0] for cell in cells)  # type: ignore[assignment]
            if self.weights is not None and not by_item:
                cells = self._weighted(cells, self.weights)
            for cell in cells:
                cell.flags.writeable = False  # every measure is computed from these
            self._tables[kept] = Counts(*cells)
        return self._tables[kept]

    def _weighted(
        self, cells: tuple[Any, Any, Any, Any], weights: Weights
    ) -> tuple[Any, Any, Any, Any]:
        """The tables of categories with the weights of the items instead of their numbers."""
        width = max(len(self.categories), 1)

        def of(keys: Int64) -> npt.NDArray[Any]:
            item, category = np.divmod(keys, width)
            sums = np.bincount(category, weights[item], len(self.categories))
            return sums if weights.dtype.kind == "f" else sums.astype(np.int64)

        both = self._both.keys
        tp, fp, fn = (
            of(keys)
            for keys in (
                both,
                np.setdiff1d(self.predicted.keys, both, assume_unique=True),
                np.setdiff1d(self.truth.keys, both, assume_unique=True),
            )
        )
        known = np.full(len(self.categories), weights.sum())
        if self.truth.unlabelled is not None:
            known = known - of(self.truth.unlabelled)
        # Sums of real weights are rounded; a cell without items is 0.
        tn = np.where(cells[3] > 0, np.maximum(known - tp - fp - fn, 0), 0)
        return tp, fp, fn, tn

    @property
    def of_items(self) -> npt.NDArray[Any]:
        """The weights of the items in means over items: those that have any label."""
        weights = np.ones(self.truth.items) if self.weights is None else self.weights
        if self.truth.unlabelled is not None:
            weights = weights[self.truth.labelled_per_item() > 0]
        return weights.astype(np.float64)

    @property
    def table(self) -> Table:
        """Per category: its name, TP, FP, FN, TN."""
        c = self.counts()
        names = [str(name) for name in self.categories]
        return Table(
            {"category": names, "tp": c.tp, "fp": c.fp, "fn": c.fn, "tn": c.tn}, noticed=self.notes
        )

    @overload
    def value(
        self, measure: str | Measure, average: Averaged, undefined: str = "zero"
    ) -> float: ...
    @overload
    def value(
        self, measure: str | Measure, average: str | None = None, undefined: str = "zero"
    ) -> Any: ...
    def value(
        self, measure: str | Measure, average: str | None = None, undefined: str = "zero"
    ) -> Any:
        """Any measure of counts, by its name: "MCC", "F(beta=2)", "Specificity".

        Parameters
        ----------
        measure : a name of `precall measures`, or what `pc.measure` returned. The name can say the
            average: "macro-F1".
        average : "micro" (of the summed tables), "macro" (mean over categories), "weighted" (mean
            weighted by the items truly in the category), "samples" (mean over items) or "each" (one
            value per category). None is the measure's own: the whole table for accuracy and error,
            and, of single-label decisions, for MCC, kappa and balanced accuracy; otherwise as
            "each".
        undefined : how averages treat values 0/0: count them as "zero" (1 for losses, see above),
            "omit" them, or raise an "error".

        Examples
        --------
        >>> d = decisions(["a", "b", "b", "c"], ["a", "b", "c", "c"])
        >>> (
        ...     round(d.value("MCC"), 4),
        ...     d.value("MCC", "each").round(4),
        ...     round(d.value("MCC", "macro"), 4),
        ... )
        (0.7, array([1.    , 0.5774, 0.5774]), 0.7182)
        """
        average = self._choose_average(average)
        chosen, way = measure_and_average(measure, average)
        return self._value(chosen, str(measure) if way == average else chosen.name, way, undefined)

    @overload
    def measured(self, measure: Measure, average: Averaged, undefined: str = "zero") -> float: ...
    @overload
    def measured(
        self, measure: Measure, average: str | None = None, undefined: str = "zero"
    ) -> Any: ...
    def measured(
        self, measure: Measure, average: str | None = None, undefined: str = "zero"
    ) -> Any:
        """The same, for `measure(decisions)`."""
        return self.value(measure, average, undefined)

    @overload
    def precision(self, average: Averaged, undefined: str = "zero") -> float: ...
    @overload
    def precision(self, average: str | None = None, undefined: str = "zero") -> Any: ...
    def precision(self, average: str | None = None, undefined: str = "zero") -> Any:
        """TP / (TP + FP); undefined for a category that is never predicted."""
        return self.value("precision", average, undefined)

    @overload
    def recall(self, average: Averaged, undefined: str = "zero") -> float: ...
    @overload
    def recall(self, average: str | None = None, undefined: str = "zero") -> Any: ...
    def recall(self, average: str | None = None, undefined: str = "zero") -> Any:
        """TP / (TP + FN); undefined for a category that nothing belongs to."""
        return self.value("recall", average, undefined)

    @overload
    def f(self, beta: float = 1.0, *, average: Averaged, undefined: str = "zero") -> float: ...
    @overload
    def f(self, beta: float, average: Averaged, undefined: str = "zero") -> float: ...
    @overload
    def f(self, beta: float = 1.0, average: str | None = None, undefined: str = "zero") -> Any: ...
    def f(self, beta: float = 1.0, average: str | None = None, undefined: str = "zero") -> Any:
        """(1 + β²) TP / ((1 + β²) TP + β² FN + FP): weighted harmonic mean of precision and recall.

        "macro" is the mean of the categories' F; "macro-of-means" is the F of macro precision and
        macro recall, which is another number (Opitz & Burst 2019). F is undefined if a category is
        neither predicted nor true. With β = 0 it is precision, and undefined if precision is.
        """
        measure = _of_beta("F", beta)
        if average != "macro-of-means":
            return self._value(measure, "f", average, undefined)
        self._say_which("f", average)
        p, r = (
            self._mean(of_counts(name), name, "macro", undefined)
            for name in ("precision", "recall")
        )
        return weighted_mean(p, r, beta)

    @overload
    def e(self, beta: float = 1.0, *, average: Averaged, undefined: str = "zero") -> float: ...
    @overload
    def e(self, beta: float, average: Averaged, undefined: str = "zero") -> float: ...
    @overload
    def e(self, beta: float = 1.0, average: str | None = None, undefined: str = "zero") -> Any: ...
    def e(self, beta: float = 1.0, average: str | None = None, undefined: str = "zero") -> Any:
        """1 - F, van Rijsbergen's E; with β = 1 the set overlap error |A Δ B| / (|A| + |B|). Low is
        good: "zero" counts undefined values as 1.
        """
        measure = _of_beta("E", beta)
        if average == "macro-of-means":
            return 1 - self.f(beta, average, undefined)
        return self._value(measure, "e", average, undefined)

    @overload
    def accuracy(self, average: Averaged | None = None, undefined: str = "zero") -> float: ...
    @overload
    def accuracy(self, average: str | None = None, undefined: str = "zero") -> Any: ...
    def accuracy(self, average: str | None = None, undefined: str = "zero") -> Any:
        """Share of the items that are right; with several labels per item, all of them must be
        right.

        `average="exact"` is another name for this. With "micro" it is cell accuracy, (TP + TN) /
        all cells of items and categories; "macro", "weighted" and "samples" are means of it. Cell
        accuracy counts every category that an item is rightly not in, so it is high if there are
        many categories.

        Examples
        --------
        >>> d = decisions(["a", "b", "b", "c"], ["a", "b", "c", "c"])
        >>> d.accuracy(), round(d.accuracy("micro"), 4)
        (0.75, 0.8333)
        """
        return self.value("accuracy", None if average == "exact" else average, undefined)

    def right(self) -> npt.NDArray[np.bool_]:
        """Per item: whether all of its labels are right, and none is missing."""
        return self.counts("samples").right

    @overload
    def error(self, average: Averaged | None = None, undefined: str = "zero") -> float: ...
    @overload
    def error(self, average: str | None = None, undefined: str = "zero") -> Any: ...
    def error(self, average: str | None = None, undefined: str = "zero") -> Any:
        """Share of the items that are not right, 1 - accuracy; low is good. With an average it is
        over cells, as for accuracy.
        """
        return self.value("error", None if average == "exact" else average, undefined)

    def support(self) -> npt.NDArray[Any]:
        """The number of items that truly belong to each category, or their weight."""
        if self.weights is None:
            return self.truth.per_category()
        counts = self.counts()
        return np.asarray(counts.tp + counts.fn)

    def undefined_in(self, measure: str, average: str | None = None, beta: float = 1.0) -> int:
        """The number of categories (items, for "samples") in which a measure of counts is
        undefined.

        Accuracy and error are over cells here.
        """
        chosen = _of_beta(measure, beta) if measure in ("f", "e") else of_counts(measure)
        average = self._choose_average(average)
        return int(np.isnan(chosen.of_table(self.counts(average))).sum())

    def confusion(self) -> Confusion:
        """The confusion matrix: items by their true category (rows) and the predicted one
        (columns); `plot()` draws it.

        For labels 0/1, -1/1 or bool it is ((TN, FP), (FN, TP)), with the categories "other" and
        "relevant". The counts equal those of scikit-learn's `confusion_matrix` with the same
        categories in the same order.

        Raises
        ------
        UsageError
            An item has several categories, or none.

        Examples
        --------
        >>> matrix = decisions(["a", "b", "b", "c"], ["a", "b", "c", "c"]).confusion()
        >>> matrix.counts.tolist(), matrix.right
        ([[1, 0, 0], [0, 1, 1], [0, 0, 1]], 3)
        >>> print(matrix)
        3 of 4 items right (75.0 %); most often b is taken for c (1 item).
        ...
        """
        from precall.hard_decisions.confusion import confusion

        if self.weights is not None:
            raise UsageError(
                argument="confusion",
                what="a matrix counts items, and these have weights",
                remedy="make it of decisions without ⟨weights=⟩, or take .table",
            )
        return confusion(self.truth, self.predicted, self.notes)

    def baselines(self) -> dict[str, Decisions]:
        """The "rejector", which accepts nothing, and the "acceptor", which accepts everything:
        baselines to surpass.

        In a rare category the accuracy of the rejector is high, 1 minus the category's share, and
        its F is 0.

        Examples
        --------
        >>> d = decisions([{"a"}, set(), set(), set()], [set(), {"a"}, set(), set()], ["a"])
        >>> trivial = d.baselines()
        >>> (
        ...     d.accuracy("micro"),
        ...     trivial["rejector"].accuracy("micro"),
        ...     trivial["acceptor"].f(average="micro"),
        ... )
        (0.5, 0.75, 0.4)
        """
        return trivial(self.truth, self.weights)

    def _value(self, measure: Measure, label: str, average: str | None, undefined: str) -> Any:
        average = self._choose_average(average)
        check_undefined(undefined)
        if measure.is_ordered:
            check_order(measure, self.truth, average)
        if average is None and (joint := self._whole(measure)) is not None:
            return joint
        if average in (None, "each"):
            value = measure.of_table(self.counts())
            return float(value[0]) if self.truth.kind == "binary" else value
        self._say_which(label, average)
        return self._mean(measure, label, average, undefined)

    def _choose_average(self, average: object) -> str | None:
        """One of `AVERAGES`; "binary" is the value of the only category."""
        if average == "binary" and self.truth.kind == "binary":
            return None
        name: str | None = choose("average", average, AVERAGES, AVERAGED, NOT_BINARY)
        return name

    def _whole(self, measure: Measure) -> float | None:
        """A measure of all items or categories at once; None for other measures."""
        items = measure.declaration.items
        joint = measure.joint if self.truth.kind == "single" else None
        formula = items or joint
        if formula is None:
            return None
        decisions = self._with_distances() if measure.is_ordered else self
        if not self.truth.items:
            return np.nan
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.asarray(formula(decisions.counts("samples" if items else None)))
            if self.weights is None or not items:
                return float(np.mean(values))
            return _mean_by_weight(values, self.of_items)

    def _with_distances(self) -> Decisions:
        """The decisions with the distances of wrong ones as categories; see
        `precall.hard_decisions.distances`.
        """
        truth, predicted = with_distances(self.truth, [self.predicted])
        return Decisions(truth, predicted, self.weights)

    def _say_which(self, label: str, average: str | None) -> None:
        """Warn of averages over the only category that 0/1 labels have; averages of cells are over
        both labels.
        """
        if (
            self.truth.kind == "binary"
            and average != "samples"
            and label.lower() not in ("accuracy", "error")
        ):
            warn(OneCategory(str(average)))

    def _mean(self, measure: Measure, label: str, average: str | None, undefined: str) -> float:
        check_undefined(undefined)
        value = measure.of_table(self.counts(average))
        weight = np.ones(len(value))
        if average == "weighted":
            weight = self.support().astype(np.float64)
        elif average == "samples" and self.weights is not None:
            weight = self.of_items

        def what(first: int, count: int) -> Mistake:
            mistake = Mistake(
                "{measure:s} is undefined (0/0) {count} times, first for ",
                COUNT_THEM,
                measure=label,
                count=count,
            )
            if average == "samples":
                return mistake.suffix("item {item}", item=first)
            if average == "micro":
                return mistake.suffix("all categories together")
            return mistake.suffix("category {category}", category=self.categories[first])

        missing = np.isnan(value)
        if undefined != (policy := measure.declaration.policy(undefined)):
            undefined = policy
            if missing.any():
                if average == "micro":
                    warn(LeftOut(label, 1, 0, "all categories together"))
                elif average == "samples":
                    warn(
                        LeftOut(
                            label, int(missing.sum()), len(value), "items", int(np.argmax(missing))
                        )
                    )
                else:
                    first = plain_label(self.categories[int(np.argmax(missing))])
                    warn(LeftOut(label, int(missing.sum()), len(value), "categories", first))
        kept = apply_undefined(
            value, undefined, zero=measure.declaration.zero, source="decisions", what=what
        )
        weight = weight[~missing] if undefined == "omit" else weight
        total = float(weight.sum())
        return weighted_sum(kept, weight) / total if total else float("nan")

    def report(self, undefined: str = "zero") -> Summary:
        """Precision, recall, F1 and support of every category, then the averages."""
        return summary(self, undefined)


def _mean_by_weight(values: npt.NDArray[Any], weights: npt.NDArray[Any]) -> float:
    total = float(weights.sum())
    return weighted_sum(values.astype(np.float64), weights) / total if total else float("nan")


def trivial(truth: Membership, weights: Weights | None = None) -> dict[str, Decisions]:
    """See `Decisions.baselines`."""
    gold = truth if truth.kind == "binary" else replace(truth, kind="multi")
    every = np.arange(truth.items * len(truth.categories))
    if truth.unlabelled is not None:
        every = np.delete(every, truth.unlabelled)
    return {
        name: Decisions(gold, replace(gold, keys=keys), weights)
        for name, keys in (("rejector", every[:0]), ("acceptor", every))
    }


def _of_beta(name: str, beta: Any) -> Measure:
    """F or E with some β. An average given as `beta` is refused: the other measures take the
    average first.
    """
    if isinstance(beta, str) and beta in (*AVERAGES, "macro-of-means"):
        raise UsageError(
            argument="beta", got=beta, why="which is an average", remedy=f"pass ⟨average={beta!r}⟩"
        )
    return weighted(name, beta)


@dataclass(frozen=True, slots=True, eq=False)
class Summary(Equal, Presented):
    """Rows of precision, recall, F1 and support.

    Attributes
    ----------
    rows : (name, precision, recall, F1, support) of each category, then of the averages; support is
        the number of items truly in it, or their weight.
    categories : number of categories.
    undefined : how averages treated undefined values.
    notes : notes for the reader.

    Examples
    --------
    >>> made = decisions(["a", "b", "b", "c"], ["a", "b", "c", "c"]).report()
    >>> made.rows[1], made.categories
    (('b', 1.0, 0.5, 0.6666666666666666, 2), 3)
    """

    rows: tuple[tuple[str, float, float, float, float], ...]
    categories: int
    undefined: str
    notes: tuple[Note, ...]

    @property
    def table(self) -> Table:
        """The rows as columns."""
        names, *columns = zip(*self.rows, strict=True) if self.rows else ((), (), (), (), ())
        keys = ("precision", "recall", "f1", "support")
        arrays: dict[str, Any] = {
            key: np.array(column) for key, column in zip(keys, columns, strict=True)
        }
        return Table({"category": list(names), **arrays}, noticed=self.notes)


def summary(decisions: Decisions, undefined: str) -> Summary:
    """The summary of decisions: measures of every category, and averages."""
    size = decisions.support()
    columns = [np.atleast_1d(decisions.value(name)) for name in ("P", "R", "F")]
    rows = [
        (str(name), *(float(column[i]) for column in columns), size[i].item())
        for i, name in enumerate(decisions.categories)
    ]
    averages = [] if decisions.truth.kind == "binary" else ["micro", "macro", "weighted"]
    averages += ["samples"] if decisions.truth.kind == "multi" else []
    for average in averages:
        p, r = decisions.precision(average, undefined), decisions.recall(average, undefined)
        rows.append((average, p, r, decisions.f(1.0, average, undefined), size.sum().item()))
    notes: list[Note] = [ItemsSeen("", decisions.truth.items)]
    for name, head in (("precision", "precision"), ("recall", "recall"), ("f", "F1")):
        if times := decisions.undefined_in(name):
            notes.append(UndefinedIn("", (head,), times, "categories", undefined, len(size)))
    notes += decisions.notes
    return Summary(tuple(rows), len(decisions.categories), undefined, tuple(notes))
