"""True and predicted labels of the same cases, in all forms of scikit-learn, and their counts."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np

from precall.cases.scored_cases import Weights
from precall.compat.sklearn import targets
from precall.compat.sklearn.label_codes import Array, are_texts, unite
from precall.compat.sklearn.targets import BINARY, MULTICLASS, MULTILABEL
from precall.core import notes
from precall.core.arguments import check_choice
from precall.core.counts import Counts
from precall.core.errors import Fact, UsageError
from precall.core.notes.of_reading import OfScikitLearn
from precall.core.ragged import Bool, Int64
from precall.core.text import listing
from precall.read.values import array_of

#: The averages over labels or samples.
AVERAGES = (None, "micro", "macro", "weighted", "samples")


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """True and predicted labels in one form.

    `labels` are the labels that occur, or the columns of matrices. `true` and `predicted` are the
    index of each case's label, or matrices of booleans, both dense or both sparse.
    """

    kind: str
    labels: Array
    true: Any
    predicted: Any
    weights: Weights | None

    @property
    def rows(self) -> int:
        """The number of cases."""
        return int(self.true.shape[0])

    @property
    def total(self) -> Any:
        """The number of cases, or the sum of their weights."""
        return self.rows if self.weights is None else self.weights.sum()

    def right(self) -> Bool:
        """Whether all labels of each case are right."""
        if self.kind != MULTILABEL:
            return np.asarray(self.true == self.predicted)
        if isinstance(self.true, np.ndarray):
            return np.asarray(np.all(self.true == self.predicted, axis=1))
        return np.asarray(np.asarray((self.true != self.predicted).sum(axis=1)).ravel() == 0)

    def counts(self, labels: object = None) -> Counts:
        """The tables of these labels (default: all that occur), in their order."""
        hits, accepted, relevant = self._cells() if self.kind == MULTILABEL else self._codes()
        if self.kind != MULTILABEL and not hits.any():
            # scikit-learn returns floats in this case; reports show it: a support of 1.0.
            hits, accepted, relevant = hits * 1.0, accepted * 1.0, relevant * 1.0
        if labels is not None:
            hits, accepted, relevant = (
                self._choose(column, labels) for column in (hits, accepted, relevant)
            )
        return _table(hits, accepted, relevant, self.total)

    def counts_by_sample(self, labels: object = None) -> Counts:
        """The tables of samples over these columns.

        A sample of weight 0 has empty cells, so that its ratios are 0/0.
        """
        if self.kind != MULTILABEL:
            raise UsageError(
                "Samplewise metrics are not available outside of multilabel classification."
            )
        true, predicted = self.true, self.predicted
        if labels is not None:
            columns = self._columns(labels)
            true, predicted = true[:, columns], predicted[:, columns]
        parts = (_shared_type(true, predicted), predicted, true)
        sums = [np.asarray(cells.sum(axis=1)).ravel().astype(np.int64) for cells in parts]
        width: Any = true.shape[1]
        if self.weights is not None:
            sums = [np.where(self.weights > 0, cells, 0) for cells in sums]
            width = np.where(self.weights > 0, width, 0)
        return _table(sums[0], sums[1], sums[2], width)

    def matrix(self, labels: Any = None) -> Array:
        """The matrix of cases by true label (rows) and predicted label, for these labels."""
        true, predicted, weights, width = self.true, self.predicted, self.weights, len(self.labels)
        if labels is not None:
            index = np.full(width, -1)
            at, occurs = self.places(labels)
            index[at[occurs]] = np.flatnonzero(occurs)
            true, predicted, width = index[true], index[predicted], len(labels)
            kept = (true >= 0) & (predicted >= 0)
            true, predicted = true[kept], predicted[kept]
            weights = None if weights is None else weights[kept]
        return _count(true * width + predicted, weights, width * width).reshape(width, width)

    def _codes(self) -> tuple[Array, Array, Array]:
        """The right, predicted and true cases of each label, for labels in one column."""
        width = len(self.labels)
        if width**2 <= max(self.rows, 1024):
            matrix = self.matrix()
            return np.diagonal(matrix), matrix.sum(axis=0), matrix.sum(axis=1)
        right = self.right()
        weights = None if self.weights is None else self.weights[right]
        hits = _count(self.true[right], weights, width)
        return (
            hits,
            _count(self.predicted, self.weights, width),
            _count(self.true, self.weights, width),
        )

    def _cells(self) -> tuple[Array, Array, Array]:
        """The right, predicted and true cases of each column of matrices."""
        parts = (_shared_type(self.true, self.predicted), self.predicted, self.true)
        if self.weights is None:
            sums = [np.asarray(cells.sum(axis=0)).ravel().astype(np.int64) for cells in parts]
        else:
            real = self.weights.astype(np.float64)
            sums = [np.asarray(cells.T.astype(np.float64) @ real) for cells in parts]
        return sums[0], sums[1], sums[2]

    def _choose(self, part: Array, labels: object) -> Array:
        if self.kind == MULTILABEL:
            return part[self._columns(labels)]
        at, occurs = self.places(labels)
        return np.where(occurs, part[at], 0)

    def places(self, labels: object) -> tuple[Int64, Bool]:
        """The index of each label among those that occur, and whether it occurs."""
        wanted = label_column(labels)
        if wanted.size and are_texts(wanted) != are_texts(self.labels):
            raise UsageError(
                argument="labels",
                got=Fact(listing(wanted.tolist())),
                why=f"but the labels are {listing(self.labels.tolist())}",
                remedy=(
                    "strings and numbers do not compare (average='binary' takes pos_label for a "
                    "label)"
                ),
            )
        at = np.minimum(np.searchsorted(self.labels, wanted), len(self.labels) - 1).astype(np.int64)
        return at, np.asarray(self.labels[at] == wanted, np.bool_)

    def _columns(self, labels: object) -> Int64:
        wanted, last = np.asarray(labels), len(self.labels) - 1
        if wanted.size and wanted.dtype.kind in "iuf":
            most, least = wanted.max(), wanted.min()
            if most > last or least < 0:
                message = f"Got {most} > {last}" if most > last else f"Got {least} < 0"
                raise UsageError(
                    f"All labels must be in [0, n labels) for multilabel targets. {message}"
                )
        elif wanted.size:
            raise UsageError(
                argument="labels",
                allowed=f"columns 0..{last} of the matrix",
                got=Fact(listing(wanted.tolist())),
            )
        return wanted.astype(np.int64)


def label_column(labels: object) -> Array:
    """The requested labels as a column."""
    wanted = array_of(labels)
    is_label = wanted.dtype != object or all(isinstance(cell, str | Number) for cell in wanted.flat)
    if wanted.ndim != 1 or wanted.dtype.kind == "S" or not is_label:
        raise UsageError(argument="labels", allowed="one list of numbers or strings", got=labels)
    if wanted.dtype == object and len({isinstance(label, str) for label in wanted}) > 1:
        raise UsageError(
            argument="labels",
            what="Mix of label input types (string and number)",
            remedy="write all as one type",
        )
    return wanted


def _table(hits: Array, accepted: Array, relevant: Array, total: object) -> Counts:
    """Counts with margins that are summed separately.

    With real weights, sums of cells would differ from them in the last digit.
    """
    margins = {"accepted": accepted, "relevant": relevant, "other": total - relevant}
    return Counts(
        hits, accepted - hits, relevant - hits, total - accepted - relevant + hits, margins
    )


def one_against_rest(true: Int64, predicted: Int64, weights: Array, width: int) -> Counts:
    """The table of each label against the rest, for labels in one column.

    No cell is a difference of sums of real weights, which would lose small weights.
    """
    wrong = true != predicted
    size = weights[wrong]
    hits = _count(true[~wrong], weights[~wrong], width)
    fp, fn = _count(predicted[wrong], size, width), _count(true[wrong], size, width)
    weight_of_wrong = float(size.sum())
    others = weight_of_wrong - fp - fn
    # Every wrong case counts for two labels, so for at most four labels more than half of the
    # weight would be subtracted. For these the rest is summed directly.
    for label in np.flatnonzero(fp + fn > weight_of_wrong / 2).tolist():
        others[label] = size[(true[wrong] != label) & (predicted[wrong] != label)].sum()
    before, behind = np.cumsum(hits), np.cumsum(hits[::-1])[::-1]
    tn = np.append(0.0, before[:-1]) + np.append(behind[1:], 0.0) + others
    return Counts(hits, fp, fn, tn)


def _count(places: Array, weights: Weights | None, size: int) -> Array:
    # Sums of whole weights are exact, see `targets.weighing`. For an empty array NumPy returns
    # integers also with weights.
    sums = np.bincount(places, weights, minlength=size)
    return sums if weights is None else sums.astype(np.float64, copy=False)


def _shared_type(true: Any, predicted: Any) -> Any:
    return true & predicted if isinstance(true, np.ndarray) else true.multiply(predicted)


def read_both(y_true: object, y_pred: object, sample_weight: object = None) -> Compared:
    """Read true and predicted labels.

    Raises
    ------
    UsageError
        They are not labels, have different forms, or different lengths.
    """
    true, predicted = targets.array(y_true, "y_true"), targets.array(y_pred, "y_pred")
    targets.same_length(y_true=true, y_pred=predicted)
    kinds, labels, codes = zip(
        *(targets.read(values, name) for values, name in ((true, "y_true"), (predicted, "y_pred"))),
        strict=True,
    )
    form, labelled = kinds[0], set(kinds) <= {BINARY, MULTICLASS}
    if len(set(kinds)) > 1 and not labelled:
        mixed = f"{kinds[0]} and {kinds[1]}"
        raise UsageError(f"Classification metrics can't handle a mix of {mixed} targets")
    weights = targets.weighing(sample_weight, true.shape[0])
    if form == MULTILABEL:
        return _of_matrices(true, predicted, weights)
    if not labelled:
        raise targets.refuse_target(form)
    targets.column(true, "y_true"), targets.column(predicted, "y_pred")
    if are_texts(labels[0]) != are_texts(labels[1]):
        got = " and ".join(str(each) for each in labels)
        raise UsageError(f"Mix of label input types (string and number); Got {got}.")
    present = unite(*labels)
    indices = [_within(present, each, code) for each, code in zip(labels, codes, strict=True)]
    return Compared(
        BINARY if len(present) <= 2 else MULTICLASS, present, indices[0], indices[1], weights
    )


def _within(every: Array, labels: Array, code: Int64) -> Int64:
    """The indices into `labels` as indices into `every`."""
    if len(every) == len(labels):
        return code
    return np.searchsorted(every, labels)[code]


def _of_matrices(true: Any, predicted: Any, weights: Weights | None) -> Compared:
    if true.shape[1] != predicted.shape[1]:
        names = "Multi-label binary indicator input with different numbers of labels"
        raise UsageError(argument=names, what=f"shapes differ, {true.shape} and {predicted.shape}")
    cells = [
        targets.indicators(values, name)
        for values, name in ((true, "y_true"), (predicted, "y_pred"))
    ]
    if any(isinstance(matrix, np.ndarray) for matrix in cells):
        cells = [matrix if isinstance(matrix, np.ndarray) else matrix.toarray() for matrix in cells]
    return Compared(MULTILABEL, np.arange(true.shape[1]), cells[0], cells[1], weights)


def averaged_labels(both: Compared, average: str | None, labels: object, pos_label: object) -> Any:
    """The labels of an average; raises if these targets have no such average."""
    check_choice("average", average, (*AVERAGES, "binary"))
    pos_label = targets.positive_class(pos_label)
    if average == "binary":
        if both.kind != BINARY:
            allowed = [way for way in AVERAGES if way != "samples" or both.kind == MULTILABEL]
            message = "Please choose another average setting, one of"
            raise UsageError(f"Target is {both.kind} but average='binary'. {message} {allowed}.")
        if are_texts(both.labels) != isinstance(pos_label, str):
            raise targets.no_label(pos_label, both.labels)
        targets.check_occurs(pos_label, both.labels)
        return [pos_label]
    if pos_label not in (None, 1):
        advice = (
            f"Note that pos_label (set to {pos_label!r}) is ignored when average != 'binary' (got "
            f"{average!r}). You may use labels=[pos_label] to specify a single positive class."
        )
        notes.warn(OfScikitLearn("", advice))
    return labels
