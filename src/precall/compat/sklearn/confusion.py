"""Confusion matrices, and measures of a whole matrix.

These are kappa, Matthews correlation, balanced accuracy and likelihood ratios.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from precall.compat.sklearn import targets
from precall.compat.sklearn.compared import Compared, label_column, one_against_rest, read_both
from precall.compat.sklearn.label_codes import Array, are_texts
from precall.compat.sklearn.targets import BINARY, MULTILABEL
from precall.core import notes
from precall.core.arguments import check_choice, is_number
from precall.core.counts import Counts
from precall.core.errors import Fact, UsageError
from precall.core.notes.of_reading import OfScikitLearn
from precall.core.text import listing
from precall.measures import of_counts
from precall.measures.counts import POWERS, kappa_by_distance

_SINGLE = (
    "A single label was found in 'y_true' and 'y_pred'. For the confusion matrix to have the "
    "correct shape, use the 'labels' parameter to pass all known labels."
)
_TUNE = "Use the `replace_undefined_by` param to control this behavior."


def confusion_matrix(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    sample_weight: object = None,
    normalize: str | None = None,
) -> Array:
    """Cases by true label (rows) and predicted label (columns), for `labels` in their order.

    `normalize` divides by the sums of rows ("true"), of columns ("pred") or of "all"; 0/0 is 0.

    Examples
    --------
    >>> confusion_matrix(["a", "b", "b", "c"], ["a", "b", "c", "c"])
    array([[1, 0, 0],
           [0, 1, 1],
           [0, 0, 1]])
    """
    check_choice("normalize", normalize, (None, "true", "pred", "all"))
    both = _single(y_true, y_pred, sample_weight)
    matrix = both.matrix(_labels_of(both, labels))
    if sample_weight is not None and np.asarray(sample_weight).dtype.kind in "iub":
        matrix = matrix.astype(np.int64)
    if normalize is not None:
        axes = {"true": 1, "pred": 0, "all": None}
        sums = matrix.sum(axis=axes[normalize], keepdims=True)
        matrix = np.divide(matrix, sums, out=np.zeros(matrix.shape), where=sums != 0)
    _warn_single(matrix)
    return matrix


def _warn_single(matrix: Array) -> None:
    if matrix.shape == (1, 1):
        notes.warn(OfScikitLearn("", _SINGLE))


def _single(y_true: object, y_pred: object, sample_weight: object) -> Compared:
    """True and predicted labels, one for each case: a case with several has no cell."""
    both = read_both(y_true, y_pred, sample_weight)
    if both.kind == MULTILABEL:
        raise targets.refuse_target(both.kind)
    return both


class _NoTrueLabel(UsageError):
    """None of the labels that were asked for is the true label of a case."""


def _labels_of(both: Compared, labels: object) -> Any:
    """The labels of a matrix; at least one must be the true label of a case."""
    if labels is None:
        return None
    wanted = label_column(labels)
    if wanted.size == 0:
        raise UsageError("'labels' should contain at least one label.")
    if are_texts(wanted) != are_texts(both.labels):
        raise _NoTrueLabel(
            f"At least one label specified must be in y_true: {listing(wanted.tolist())} are of "
            "another type"
        )
    at, occurs = both.places(wanted)
    if not np.isin(at[occurs], both.true).any():
        raise _NoTrueLabel("At least one label specified must be in y_true")
    return wanted


def multilabel_confusion_matrix(
    y_true: object,
    y_pred: object,
    *,
    sample_weight: object = None,
    labels: object = None,
    samplewise: bool = False,
) -> Array:
    """A matrix ((TN, FP), (FN, TP)) for every label, or for every sample.

    Examples
    --------
    >>> multilabel_confusion_matrix([[1, 0], [1, 1]], [[1, 1], [0, 1]]).tolist()
    [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]
    """
    both = read_both(y_true, y_pred, sample_weight)
    counts = both.counts_by_sample(labels) if samplewise else both.counts(labels)
    cells: Array = np.stack([counts.tn, counts.fp, counts.fn, counts.tp])
    if both.weights is not None:
        dtype = np.asarray(sample_weight).dtype if samplewise else np.float64
        cells = (cells * (both.weights if samplewise else 1)).astype(
            np.result_type(dtype, np.int64), copy=False
        )
    return cells.T.reshape(-1, 2, 2)


def _tables(matrix: Array) -> Counts:
    """A matrix as one table for each label."""
    accepted, relevant, total, right = (
        matrix.sum(axis=0),
        matrix.sum(axis=1),
        matrix.sum(),
        np.diagonal(matrix),
    )
    margins = {"accepted": accepted, "relevant": relevant, "other": total - relevant}
    if len(matrix) == 2:
        # The cells themselves are used: a difference of sums of real weights may not be 0 although
        # the cell is, and may lose a small cell.
        margins["other"] = relevant[::-1]
        return Counts(right, matrix[[1, 0], [0, 1]], matrix[[0, 1], [1, 0]], right[::-1], margins)
    if matrix.dtype.kind == "f":
        true, predicted = np.indices(matrix.shape).reshape(2, -1)
        return one_against_rest(true, predicted, matrix.ravel(), len(matrix))
    return Counts(
        right, accepted - right, relevant - right, total - accepted - relevant + right, margins
    )


def _joint(name: str, counts: Counts) -> float:
    """The value of a measure of the whole table."""
    formula = of_counts(name).declaration.joint
    assert formula is not None
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(formula(counts))


def cohen_kappa_score(
    y1: object,
    y2: object,
    *,
    labels: object = None,
    weights: str | None = None,
    sample_weight: object = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Cohen's kappa: how far two annotators agree beyond what their margins give by chance.

    `weights` counts disagreements by the distance of the labels, "linear" or "quadratic".

    Examples
    --------
    >>> cohen_kappa_score(["a", "b", "b", "c"], ["a", "b", "c", "c"])
    0.6363636363636364
    """
    check_choice("weights", weights, (None, "linear", "quadratic"))
    undefined = replace_undefined_by
    if not (is_number(undefined) and (-1 <= undefined <= 1 or undefined != undefined)):
        raise UsageError(argument="replace_undefined_by", allowed="in -1..1 or NaN", got=undefined)
    both = _single(y1, y2, sample_weight)
    try:
        matrix = both.matrix(_labels_of(both, labels))
    except _NoTrueLabel as error:
        message = (
            "At least one label in `labels` must be present in `y1` (even though "
            "`cohen_kappa_score` is otherwise agnostic"
        )
        raise UsageError(f"{message} to the order of `y1` and `y2`).") from error
    _warn_single(matrix)
    first, second = matrix.sum(axis=1), matrix.sum(axis=0)
    where = (
        "`cohen_kappa_score` is undefined and set to the value defined by the "
        "`replace_undefined_by` param"
    )
    if not matrix.any():
        message = (
            f"`y2` contains no labels that are present in both `y1` and `labels`.{where}, which "
            f"is set to {undefined}."
        )
        targets.warn_undefined(message)
        return undefined
    if (
        np.count_nonzero(first)
        == np.count_nonzero(second)
        == np.count_nonzero(np.diagonal(matrix))
        == 1
    ):
        message = (
            f"`y1`, `y2` and `labels` have only one label in common. {where}, which is set to "
            f"{undefined}."
        )
        targets.warn_undefined(message)
        return undefined
    if weights is not None:
        return _weighted_kappa(matrix, weights)
    if len(matrix) == 2:
        # From the four cells: subtracting from the square of the sum of real weights would lose
        # small weights.
        return float(of_counts("kappa").of_table(_tables(matrix))[1])
    return _joint("kappa", _tables(matrix))


def _weighted_kappa(matrix: Array, weights: str) -> float:
    """1 minus the observed disagreement over that expected from the margins (Cohen 1968)."""
    position = np.arange(len(matrix))
    observed = np.sum(np.abs(position[:, None] - position) ** POWERS[weights] * matrix)
    return float(kappa_by_distance(observed, matrix.sum(axis=1), matrix.sum(axis=0), weights))


def _count(y_true: object, y_pred: object, sample_weight: object) -> tuple[Compared, Counts]:
    both = _single(y_true, y_pred, sample_weight)
    if len(both.labels) == 1:
        notes.warn(OfScikitLearn("", _SINGLE))
    return both, both.counts()


def matthews_corrcoef(y_true: object, y_pred: object, *, sample_weight: object = None) -> float:
    """Matthews correlation; with several labels it is Gorodkin's R_K.

    It is 0.0 if all cases have one true label, or one predicted label.

    Examples
    --------
    >>> matthews_corrcoef([1, 1, 1, 0], [1, 0, 1, 1])
    -0.3333333333333333
    """
    both, counts = _count(y_true, y_pred, sample_weight)
    if np.count_nonzero(counts.relevant) < 2 or np.count_nonzero(counts.accepted) < 2:
        return 0.0
    if len(both.labels) == 2:
        return float(of_counts("MCC").of_table(_tables(both.matrix()))[1])
    if both.weights is not None and both.weights.dtype.kind == "f":
        counts = one_against_rest(both.true, both.predicted, both.weights, len(both.labels))
    return _joint("MCC", counts)


def balanced_accuracy_score(
    y_true: object, y_pred: object, *, sample_weight: object = None, adjusted: bool = False
) -> float:
    """Mean recall of the labels.

    If `adjusted`, random predictions score 0 and perfect ones 1.

    Examples
    --------
    >>> balanced_accuracy_score([0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1])
    0.625
    """
    both, counts = _count(y_true, y_pred, sample_weight)
    size = np.count_nonzero(counts.relevant)
    if size < len(both.labels):
        notes.warn(OfScikitLearn("", "y_pred contains classes not in y_true"))
    value = _joint("BalancedAccuracy", counts)
    if not adjusted:
        return value
    with np.errstate(divide="ignore", invalid="ignore"):
        return float((np.float64(value) - 1 / size) / (1 - np.float64(1 / size)))


def class_likelihood_ratios(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    sample_weight: object = None,
    replace_undefined_by: float | Mapping[str, float] = np.nan,
) -> tuple[float, float]:
    """Positive and negative likelihood ratio.

    They are recall over fallout, and the miss rate over the specificity. `replace_undefined_by` is
    the value of a ratio whose divisor is 0: NaN, 1.0, or a mapping of "LR+" and "LR-".

    Examples
    --------
    >>> class_likelihood_ratios([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    (1.5, 0.75)
    """
    both = read_both(y_true, y_pred, sample_weight)
    if both.kind != BINARY:
        message = (
            "class_likelihood_ratios only supports binary classification problems, got targets "
            f"of type: {both.kind}"
        )
        raise UsageError(message)
    positive, negative = _replacements(replace_undefined_by)
    matrix = both.matrix(_labels_of(both, labels))
    if matrix.shape != (2, 2):
        raise UsageError(argument="labels", allowed="two", got=Fact(f"a matrix of {len(matrix)}"))
    counts = _tables(matrix)[1:]
    values = [float(of_counts(name).of_table(counts)[0]) for name in ("LR+", "LR-")]
    if not counts.relevant[0]:
        message = (
            "No samples of the positive class are present in `y_true`. "
            "`positive_likelihood_ratio` and"
        )
        targets.warn_undefined(
            f"{message} `negative_likelihood_ratio` are both set to `np.nan`. {_TUNE}"
        )
    if not counts.fp[0]:
        why = "`positive_likelihood_ratio` is ill-defined and "
        if not counts.tp[0]:
            why = (
                "No samples were predicted for the positive class and `positive_likelihood_ratio` "
                "is "
            )
        targets.warn_undefined(f"{why}set to `np.nan`. {_TUNE}")
        values[0] = positive
    if not counts.tn[0]:
        targets.warn_undefined(
            f"`negative_likelihood_ratio` is ill-defined and set to `np.nan`. {_TUNE}"
        )
        values[1] = negative
    return values[0], values[1]


def _replacements(given: Any) -> tuple[float, float]:
    """The values of undefined ratios: the positive one and the negative one."""
    if not isinstance(given, Mapping):
        if not (given == 1.0 or given != given):
            raise UsageError(
                argument="replace_undefined_by", got=given, allowed=(1.0, "nan and a dict")
            )
        return float(given), float(given)
    pair = [given.get(name) for name in ("LR+", "LR-")]
    are_numbers = all(isinstance(value, int | float) for value in pair)
    if not are_numbers or not (not pair[0] < 1 and not (pair[1] < 0 or pair[1] > 1)):  # type: ignore[operator]
        raise UsageError(
            "The dictionary passed as `replace_undefined_by` needs to be in the form `{'LR+': "
            "`value_1`, 'LR-': `value_2`}` where the value for `LR+` ranges from `1.0` to "
            "`np.inf` or is `np.nan` and the value for `LR-` ranges from "
            f"`0.0` to `1.0` or is `np.nan`; got `{given}`."
        )
    return float(pair[0]), float(pair[1])  # type: ignore[arg-type]
