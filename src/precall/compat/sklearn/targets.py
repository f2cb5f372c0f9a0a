"""Labels, weights and scores in all forms of scikit-learn, checked and converted to ours.

A target is "binary" (one column of at most two values), "multiclass" (one column of more),
"multilabel-indicator" (a matrix of zeros and ones) or something that is refused.
"""

from __future__ import annotations

import sys
from functools import cache
from numbers import Real
from typing import Any

import numpy as np

from precall.cases.scored_cases import Weights, labels, refuse_missing, weight
from precall.cases.scored_cases import column as column_of
from precall.compat.sklearn.label_codes import Array, distinct, occurring
from precall.core import notes
from precall.core.arguments import advice_on_columns_of_table, as_array_like, refuse_mask
from precall.core.errors import (
    Among,
    Fact,
    Mistake,
    NoArray,
    PrecallWarning,
    Shape,
    UsageError,
)
from precall.core.notes.of_reading import OfScikitLearn
from precall.core.ragged import Bool, Int64, weighted_sum
from precall.core.text import unequal
from precall.read.values import array_of, plain_label

BINARY, MULTICLASS, MULTILABEL = "binary", "multiclass", "multilabel-indicator"
NO_NEGATIVE = "No negative samples in y_true, false positive value should be meaningless"
NO_POSITIVE = "No positive samples in y_true, true positive value should be meaningless"


class WrongTypeError(UsageError, TypeError):
    """A case where scikit-learn raises TypeError; here it is also a ValueError."""


def array(values: object, name: str) -> Any:
    """The values as a NumPy array; a sparse matrix is returned as it is."""
    if hasattr(values, "tocoo"):
        return values
    if isinstance(values, str | bytes) or values is None:
        raise UsageError(argument=name, allowed="an array or a sequence", got=values)
    refuse_mask(values, name)
    try:
        result = array_of(as_array_like(values))
        # Numbers in columns of pandas' own types may become objects. Other object arrays are the
        # caller's own and stay.
        if result.dtype == object and hasattr(values, "isna") and all(map(_is_real, result.flat)):
            result = np.array(result.tolist())
    except UsageError:
        raise
    except (TypeError, ValueError) as error:
        raise UsageError(
            argument=name,
            allowed="an array of one or two dimensions",
            got=NoArray(values, error),
        ) from None
    if result.ndim == 0:
        raise UsageError(argument=name, allowed="an array or a sequence", got=values)
    return result


def _is_real(cell: object) -> bool:
    return isinstance(cell, Real | np.bool_)


def column(values: Array, name: str) -> Array:
    """The values as one column; a matrix of one column is allowed."""
    if hasattr(values, "tocoo"):
        raise WrongTypeError(
            f"{name}: Sparse input is only supported when targets are of multilabel type"
        )
    if values.ndim == 2 and values.shape[1] == 1:
        return values[:, 0]
    if values.ndim != 1:
        why, remedy = advice_on_columns_of_table(values)
        raise UsageError(
            argument=name,
            what="y should be a 1d array",
            got=Fact(f"{Shape(values.shape)} instead"),
            why=why,
            remedy=remedy,
        )
    return values


def kind(values: object, name: str) -> str:
    """scikit-learn's name for a target of this form."""
    return read(values, name, coded=False)[0]


def read(values: Any, name: str, coded: bool = True) -> tuple[str, Array, Int64]:
    """scikit-learn's name for a target of this form, and the labels of one column.

    If `coded`, the index of each case's label comes third.
    """
    nothing = np.zeros(0, np.int64)
    if hasattr(values, "tocoo"):
        return MULTILABEL, nothing, nothing
    if values.size == 0:
        raise UsageError(
            argument=name,
            what=(
                "Found empty input array (e.g., `y_true` or `y_pred`) while a minimum of 1 sample "
                "is required"
            ),
            allowed="a filled array of one or two dimensions",
            got=Shape(values.shape),
        )
    other = _uncommon(values, name)
    if other is not None:
        return other, nothing, nothing
    labels, code = distinct(values.ravel()) if coded else (occurring(values), nothing)
    few = len(labels) <= 2
    if values.ndim == 2 and values.shape[1] > 1:
        several = MULTILABEL if values.dtype.kind in "biuf" and few else "multiclass-multioutput"
        return several, nothing, nothing
    return BINARY if few else MULTICLASS, labels, code


def _uncommon(values: Array, name: str) -> str | None:
    """The name of a form that holds no labels; None if the form holds labels."""
    if values.ndim not in (1, 2):
        return "unknown"
    _check_values(values, name)
    if values.dtype == object and not all(isinstance(label, str) for label in values.flat):
        return "unknown"
    if values.dtype.kind == "f" and not bool(np.all(values == np.floor(values))):
        return (
            "continuous-multioutput" if values.ndim == 2 and values.shape[1] > 1 else "continuous"
        )
    return None


#: Remedies for targets that do not hold labels.
_ADVICE = {
    "unknown": "labels must be strings, or numbers in a numeric array",
    "continuous": "labels are classes, not measured numbers",
    "multiclass-multioutput": "indicator matrices hold 0 and 1",
    "continuous-multioutput": "indicator matrices hold 0 and 1",
}


def refuse_target(what: str, form: str = "") -> UsageError:
    """The error that a measure does not apply to such a target."""
    advice = _ADVICE.get(what)
    return UsageError(f"{what}{form} is not supported" + (f"; {advice}" if advice else ""))


def _check_values(values: Array, name: str) -> None:
    """Raise if the values are of a type that cannot name classes, missing or infinite."""
    if values.ndim == 1 and values.dtype.kind in "OM":
        refuse_missing(values, name)
    if values.dtype.kind == "S" or (
        values.dtype == object and any(isinstance(v, bytes) for v in values.flat)
    ):
        message = (
            "Support for labels represented as bytes is not supported. Convert the labels to a "
            "string or integer format"
        )
        raise WrongTypeError(f"{name}: {message}, as by numpy.char.decode(labels)")
    if values.dtype.kind == "c":
        raise UsageError(
            argument=name,
            what="labels are complex numbers (Complex data not supported)",
            remedy="pass integers or strings",
        )
    if values.dtype.kind == "f":
        _refuse_infinite(values, name)


def indicators(values: Any, name: str) -> Any:
    """A matrix of 0 and 1 (or -1 and 1) as booleans; a sparse one stays sparse."""
    matrix = values
    if hasattr(values, "tocoo"):
        kept = values.tocsr(copy=True)
        kept.sum_duplicates()
        kept.eliminate_zeros()
        if bool(np.all(kept.data == 1)):
            return kept.astype(np.bool_)
        matrix = kept.toarray()
    if matrix.dtype == np.bool_:
        return np.asarray(matrix)
    positive = np.asarray(matrix == 1)
    other = matrix[~positive]
    if not (bool(np.all(other == 0)) or bool(np.all(other == -1))):
        wrong = other[(other != 0) & (other != -1)]
        raise Mistake(
            "a cell of the indicator matrix is {got}",
            "pass one column per category, 1 where it applies",
            got=(wrong if len(wrong) else other)[0],
            allowed=Among("allowed are", ["0 and 1"]),
        ).error(name)
    return positive


def dense_indicators(values: object, name: str) -> Bool:
    """`indicators` as a dense array."""
    cells = indicators(values, name)
    return cells if isinstance(cells, np.ndarray) else np.asarray(cells.toarray())


def named_classes(labels: object, truth: Array, columns: int, few: str = "") -> Array:
    """The classes of the columns of scores, checked: sorted, and including all true labels.

    `few` is the message if their number differs from that of the columns.
    """
    classes = column(array(labels, "labels"), "labels")
    distinct_classes = occurring(classes)
    if len(distinct_classes) != len(classes):
        raise UsageError("Parameter 'labels' must be unique.")
    if not np.array_equal(distinct_classes, classes):
        raise UsageError("Parameter 'labels' must be ordered.")
    if len(classes) != columns:
        message = (
            f"Number of given labels, {len(classes)}, not equal to the number of columns in "
            f"'y_score', {columns}"
        )
        raise UsageError(few or message)
    unknown = np.setdiff1d(truth, classes)
    if len(unknown):
        raise UsageError(f"'y_true' contains labels not in parameter 'labels': {unknown[0]!r}")
    return classes


def positives(y_true: Array, pos_label: object) -> Bool:
    """Whether each case is positive; without `pos_label` labels must be 0/1 or -1/1."""
    pos_label = positive_class(pos_label)
    if pos_label is not None:
        if (y_true.dtype.kind in "OUST") != isinstance(pos_label, str):
            return np.zeros(len(y_true), np.bool_)
        if y_true.dtype.kind in "Of":
            refuse_missing(y_true)
        return np.asarray(y_true == pos_label, np.bool_)
    present = occurring(y_true).tolist()
    if y_true.dtype.kind not in "biuf" or not (set(present) <= {0, 1} or set(present) <= {-1, 1}):
        shown = ", ".join(map(repr, present))
        remedy = "either make y_true take value in {0, 1} or {-1, 1} or pass pos_label explicitly."
        raise UsageError(
            f"y_true takes value in {{{shown}}} and pos_label is not specified: {remedy}"
        )
    return labels(y_true)


def positive_class(pos_label: object) -> Any:
    """The positive class as a plain value.

    Raises unless it is a number, a string, or None, if the labels themselves say it.
    """
    label = plain_label(pos_label)
    if not (label is None or isinstance(label, Real | str | np.bool_)):
        raise UsageError(
            argument="pos_label",
            allowed="a number, a string or None",
            got=pos_label,
            remedy="pass the label as y_true has it",
        )
    return label


def check_occurs(pos_label: object, present: Array) -> None:
    """Raise if there are two labels and neither is the positive class."""
    if len(present) == 2 and pos_label not in present.tolist():
        raise no_label(pos_label, present)


def no_label(pos_label: object, present: Array) -> UsageError:
    """The error that the positive class is none of the labels."""
    return UsageError(f"pos_label={pos_label} is not a valid label. It should be one of {present}")


def scoring(y_score: object) -> Any:
    """Scores as an array of numbers; raises for NaN, and for texts that look like numbers."""
    score = array(y_score, "y_score")
    if hasattr(score, "tocoo"):
        return score
    if score.dtype.kind in "SUT":
        message = "scores are texts; make numbers of them, as by numpy.asarray(y_score, float)"
        raise UsageError(argument="y_score", what=message)
    if score.dtype.kind == "f":
        # All scores are checked here, because an undefined measure would not look at any.
        missing = np.isnan(score)
        _refuse_infinite(
            np.where(missing, score, 0.0) if missing.any() else np.zeros(0), "y_score", "NaN"
        )
    return score


def weighing(sample_weight: object, length: int) -> Weights | None:
    """Weights, or None; whole ones as integers, so that sums of them are exact."""
    if sample_weight is None:
        return None
    array = column_of(sample_weight, "weights")
    if array.shape[:1] != (length,):
        sizes = [length, length, *array.shape[:1]]
        message = f"Found input variables with inconsistent numbers of samples: {sizes}"
        raise UsageError(message, remedy="sample_weight must have one number per case")
    if array.ndim > 1 and array.size != length:
        raise UsageError("Sample weights must be 1D array or scalar", got=Shape(array.shape))
    if array.dtype.kind == "c":
        raise UsageError(argument="weights", allowed="real numbers (Complex data not supported)")
    if array.dtype.kind == "f" and not bool(np.all(np.isfinite(array))):
        content = "NaN" if bool(np.isnan(array).any()) else "infinity"
        raise UsageError(
            argument="weights", allowed=f"finite numbers (Input sample_weight contains {content})"
        )
    weights = weight(sample_weight if array.ndim == 1 else array.reshape(-1), length)
    if length and not weights.any():
        raise UsageError("Sample weights must contain at least one non-zero number.")
    if (
        weights.dtype.kind == "f"
        and bool(np.all(weights == np.floor(weights)))
        and weights.sum() < 2**53
    ):
        return weights.astype(np.int64)
    return weights


def _refuse_infinite(values: Array, name: str, missing: str = "missing") -> None:
    """Raise if a number is missing or infinite; the message names the first case."""
    if bool(np.all(np.isfinite(values))):
        return
    if not np.isnan(values).any():
        message = "one is infinite, and labels are classes, not measured numbers"
        raise UsageError(
            argument=name, what=f"{message} (Input {name} contains infinity or a value too large)"
        )
    wrong = np.asarray(np.isnan(values).reshape(len(values), -1).any(axis=1))
    count = np.count_nonzero(wrong)
    mistake = Mistake(
        "case {case} is {got}",
        "correct it, or remove the case",
        got=Fact(missing),
        case=int(np.argmax(wrong)),
    )
    of_input = mistake.with_count(int(count), len(wrong), "").suffix(
        " (Input {input:s} contains NaN)", input=name
    )
    raise of_input.error(name)


def weighted_mean(values: Array, weights: Weights | None) -> float:
    """Mean over cases."""
    if weights is None:
        return float(np.mean(values))
    return float(weighted_sum(values, weights) / weights.sum())


def several_columns(score: Array) -> Array:
    """Scores with a column for every class; raises for others."""
    if score.ndim != 2:
        raise shapeless(score)
    return score


def shapeless(score: Array) -> UsageError:
    """The error that scores do not have a column for every class."""
    message = (
        "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains "
        "multiple classes."
    )
    return UsageError(f"{message} Got `y_score.shape={score.shape}`.")


def same_length(**named: Any) -> None:
    """Raise unless all have the same number of rows."""
    sizes = {name: value.shape[0] for name, value in named.items() if value is not None}
    if message := unequal(sizes):
        listed = list(sizes.values())
        raise UsageError(
            f"Found input variables with inconsistent numbers of samples: {listed} ({message})"
        )


def warn_undefined(text: str) -> None:
    """Warn that a value is undefined and set by convention, as scikit-learn does."""
    notes.warn(OfScikitLearn("", text), _undefined_warning())


def _undefined_warning() -> type[Warning]:
    # Whoever filters by scikit-learn's class has imported it; nobody else needs it.
    theirs = getattr(sys.modules.get("sklearn.exceptions"), "UndefinedMetricWarning", None)
    return PrecallWarning if theirs is None else _of_both(theirs)


@cache
def _of_both(theirs: type[Warning]) -> type[Warning]:
    about = {"__module__": __name__, "__doc__": "A value is undefined, and set by convention."}
    return type("UndefinedWarning", (PrecallWarning, theirs), about)


def __getattr__(name: str) -> Any:
    # If warnings are errors, worker processes send them back by the name of their class.
    if name == "UndefinedWarning":
        return _undefined_warning()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
