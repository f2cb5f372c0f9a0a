"""What scikit-learn lets callers pass as labels, weights and scores, checked and made into ours.

A target is "binary" (one column of at most two values), "multiclass" (one column of more),
"multilabel-indicator" (a matrix of zeros and ones) or something that is refused.
"""

from __future__ import annotations

import sys
from functools import cache
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from precall import notes
from precall.checks import plain, single
from precall.curves.cases import Weights, labels, refuse_missing, refuse_nan, weight
from precall.curves.cases import column as column_of
from precall.errors import DataError, PrecallWarning, Problem, UsageError
from precall.ragged import Bool
from precall.read.values import array_of

Array = npt.NDArray[Any]

BINARY, MULTICLASS, MULTILABEL = "binary", "multiclass", "multilabel-indicator"


def array(values: Any, name: str) -> Any:
    """A NumPy array, or the sparse matrix itself."""
    if hasattr(values, "tocoo"):
        return values
    if isinstance(values, str | bytes) or values is None:
        raise UsageError(f"{name}: must be an array or a sequence, got {values!r}")
    try:
        given = array_of(plain(values))
        # Numbers in columns of pandas' own types may become objects; other objects are what the caller made.
        of_pandas = given.dtype == object and hasattr(values, "isna")
        return np.array(given.tolist()) if of_pandas and all(map(_is_real, given.flat)) else given
    except (TypeError, ValueError) as error:
        raise UsageError(f"{name}: must be an array of one or two dimensions ({error})") from None


def _is_real(cell: Any) -> bool:
    return isinstance(cell, Real | np.bool_)


def column(values: Array, name: str) -> Array:
    """One column; a matrix of one column counts."""
    if hasattr(values, "tocoo"):
        raise UsageError(f"{name}: sparse matrices are for multilabel targets only")
    if values.ndim == 2 and values.shape[1] == 1:
        return values[:, 0]
    return single(values, name, what="values")


def classes(values: Array) -> Array:
    """Distinct labels, ascending; quick for labels 0 and 1."""
    if values.dtype == np.bool_ or (
        values.dtype.kind in "iuf" and bool(np.all((values == 0) | (values == 1)))
    ):
        ones = int(np.count_nonzero(values))
        return np.array([0, 1], values.dtype)[
            [label for label in (0, 1) if ones != (1 - label) * values.size]
        ]
    try:
        return np.asarray(np.unique(values))
    except TypeError:
        raise UsageError("labels: strings and numbers are mixed") from None


def united(true: Array, predicted: Array) -> Array:
    """Labels of both, ascending; of equal ones that of the truth: 1 and 1.0 are 1."""
    if true.dtype == predicted.dtype:
        return np.union1d(true, predicted)
    known = dict.fromkeys([*true.tolist(), *predicted.tolist()])
    return np.asarray(sorted(known))


def kind(values: Any, name: str) -> str:
    """Which of the targets it is; refused are numbers that are no labels, and matrices of them."""
    if hasattr(values, "tocoo"):
        return MULTILABEL
    if values.ndim not in (1, 2) or values.size == 0:
        raise UsageError(f"{name}: must be a filled array of one or two dimensions, got shape {values.shape}")
    _check_values(values, name)
    if values.dtype.kind == "f" and not bool(np.all(values == np.floor(values))):
        raise UsageError(
            f"{name}: continuous format is not supported; labels are classes, not measured numbers"
        )
    if values.dtype == object and not all(isinstance(label, str) for label in values.flat):
        raise UsageError(f"{name}: unknown format; labels must be strings, or numbers in a numeric array")
    present = classes(values)
    if values.ndim == 1 or values.shape[1] == 1:
        return BINARY if len(present) <= 2 else MULTICLASS
    if values.dtype.kind in "biuf" and len(present) <= 2:
        return MULTILABEL
    raise UsageError(
        f"{name}: multiclass-multioutput format is not supported; indicator matrices hold 0 and 1"
    )


def _check_values(values: Array, name: str) -> None:
    """Raise if the values are of a type that cannot name classes, missing or infinite."""
    if values.ndim == 1 and values.dtype.kind in "fOM":
        refuse_missing(values, name)
    if values.dtype.kind == "S" or (
        values.dtype == object and any(isinstance(v, bytes) for v in values.flat)
    ):
        raise UsageError(f"{name}: labels are bytes; decode them first, as by numpy.char.decode(labels)")
    if values.dtype.kind == "c":
        raise UsageError(f"{name}: labels are complex numbers; pass integers or strings")
    if values.dtype.kind == "f" and bool(np.any(np.isinf(values))):
        raise UsageError(f"{name}: a label is infinite; labels are classes, not measured numbers")


def indicators(values: Any, name: str) -> Bool:
    """A matrix of 0 and 1 (or -1 and 1) as booleans."""
    given = values.toarray() if hasattr(values, "tocoo") else values
    if given.dtype == np.bool_:
        return np.asarray(given)
    positive = np.asarray(given == 1)
    other = given[~positive]
    if not (bool(np.all(other == 0)) or bool(np.all(other == -1))):
        wrong = other[(other != 0) & (other != -1)]
        what = f"a cell of the indicator matrix is {(wrong if len(wrong) else other)[0]}; allowed are 0 and 1"
        raise DataError([Problem(name, None, what, "pass one column per category, 1 where it applies")])
    return positive


def positives(y_true: Array, pos_label: Any) -> Bool:
    """Which cases are of the positive class; without `pos_label` labels must be 0/1 or -1/1."""
    check_positive(pos_label)
    if pos_label is not None:
        if (y_true.dtype.kind in "OUST") != isinstance(pos_label, str):
            return np.zeros(len(y_true), np.bool_)
        return labels(y_true, pos_label, part=True)
    known = classes(y_true).tolist()
    if y_true.dtype.kind not in "biuf" or not (set(known) <= {0, 1} or set(known) <= {-1, 1}):
        shown = ", ".join(map(repr, known[:5]))
        raise UsageError(f"y_true takes the values {shown}: make them 0/1 or -1/1, or pass pos_label")
    return labels(y_true)


def check_positive(pos_label: Any) -> None:
    """Raise unless the positive class is a number, a string, or None where labels say it."""
    if not (pos_label is None or isinstance(pos_label, Real | str | np.bool_)):
        raise UsageError(
            f"pos_label: must be a number, a string or None, got {pos_label!r}; pass the label as y_true has it"
        )


def check_occurs(pos_label: Any, present: Array) -> None:
    """Raise if there are two labels, and the positive class is none of them."""
    if len(present) == 2 and pos_label not in present.tolist():
        raise UsageError(f"pos_label: {pos_label!r} is not a label; they are {present.tolist()}")


def scoring(y_score: Any) -> Any:
    """Scores: numbers in an array, none of them NaN, not texts that look like some."""
    score = array(y_score, "y_score")
    if hasattr(score, "tocoo"):
        return score
    if score.dtype.kind in "SUT":
        what = "scores are texts; make numbers of them, as by numpy.asarray(y_score, float)"
        raise UsageError(f"y_score: {what}")
    if score.dtype.kind == "f":
        # Of all, as measures that are undefined look at no score.
        missing = np.isnan(score).any(axis=tuple(range(1, score.ndim)))
        refuse_nan(np.where(missing, np.nan, 0.0))
    return score


def weighing(sample_weight: Any, length: int) -> Weights | None:
    """Weights, or None; whole ones as integers, so that sums of them are exact."""
    if sample_weight is None:
        return None
    array = column_of(sample_weight, "weights")
    given = weight(
        sample_weight if array.ndim == 1 else array.reshape(-1) if length == 1 else array.squeeze(), length
    )
    if given.dtype.kind == "f" and bool(np.all(given == np.floor(given))) and given.sum() < 2**53:
        return given.astype(np.int64)
    return given


def same_length(**named: Any) -> None:
    """Raise unless all have equally many rows."""
    sizes = {name: value.shape[0] for name, value in named.items() if value is not None}
    if len(set(sizes.values())) > 1:
        counts = ", ".join(f"{name} has {size}" for name, size in sizes.items())
        raise UsageError(f"inconsistent numbers of samples: {counts}")


def warn_undefined(text: str) -> None:
    """Where scikit-learn warns of a value that is undefined and set by convention."""
    notes.warn(text, _undefined_warning())


def _undefined_warning() -> type[Warning]:
    # Who filters by scikit-learn's class has imported it; nobody else needs it.
    theirs = getattr(sys.modules.get("sklearn.exceptions"), "UndefinedMetricWarning", None)
    return PrecallWarning if theirs is None else _of_both(theirs)


@cache
def _of_both(theirs: type[Warning]) -> type[Warning]:
    about = {"__module__": __name__, "__doc__": "A value is undefined, and set by convention."}
    return type("UndefinedWarning", (PrecallWarning, theirs), about)


def __getattr__(name: str) -> Any:
    # Where warnings are errors, worker processes send them back by the name of their class.
    if name == "UndefinedWarning":
        return _undefined_warning()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
