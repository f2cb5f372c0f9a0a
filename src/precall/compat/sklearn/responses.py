"""Scores from estimators of scikit-learn's kind, and selection of the cases of folds."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import numpy as np

from precall.compat.sklearn.label_codes import Array
from precall.core.errors import UsageError
from precall.read.values import plain_label

_BINARY = "Expected 'estimator' to be a binary classifier."
#: The methods that "auto" tries, in order.
_AUTO = ("predict_proba", "decision_function")


class NoMethodError(UsageError, AttributeError):
    """A case where scikit-learn raises AttributeError; here it is also a ValueError."""


def is_classifier(estimator: object) -> bool:
    """Whether an estimator is a classifier.

    scikit-learn decides if it is loaded; otherwise the estimator must have classes.
    """
    if "sklearn.base" in sys.modules:
        return bool(import_module("sklearn.base").is_classifier(estimator))
    return hasattr(estimator, "classes_")


def scores_of(estimator: Any, X: Any, response_method: Any, pos_label: Any) -> tuple[Array, Any]:  # noqa: N803
    """The scores of the positive class, and that class (default: the second)."""
    if "sklearn.base" in sys.modules:
        import_module("sklearn.utils.validation").check_is_fitted(estimator)
    if not is_classifier(estimator):
        raise UsageError(f"{_BINARY} Got {type(estimator).__name__} instead.")
    classes = np.asarray(estimator.classes_)
    if len(classes) != 2:
        raise UsageError(f"{_BINARY} Got {len(classes)} classes instead.")
    wanted = _AUTO if response_method == "auto" else (response_method,)
    wanted = tuple(response_method) if isinstance(response_method, list | tuple) else wanted
    name = next((name for name in wanted if hasattr(estimator, name)), None)
    if name is None:
        message = (
            f"{type(estimator).__name__} has none of the following attributes: {', '.join(wanted)}."
        )
        raise NoMethodError(message)
    pos_label = plain_label(pos_label)
    if pos_label is None:
        pos_label = classes[-1]
    elif pos_label not in classes.tolist():
        raise UsageError(
            f"pos_label={pos_label} is not a valid label: It should be one of {classes}"
        )
    response = np.asarray(getattr(estimator, name)(X))
    first = bool(pos_label == classes[0])
    if response.ndim == 2 and name != "decision_function":
        if response.shape[1] < 2:
            raise UsageError(
                f"Got {name} of shape {response.shape}, but need classifier with two classes."
            )
        return response[:, 0 if first else 1], pos_label
    return -response if first and name == "decision_function" else response, pos_label


def part(values: Any, rows: Array) -> Any:
    """The cases `rows` of an array, a frame or a list."""
    if values is None:
        return None
    if hasattr(values, "iloc"):
        return values.iloc[rows]
    return values[rows] if hasattr(values, "shape") else [values[row] for row in rows.tolist()]


def size(values: Any) -> int:
    """The number of cases."""
    return int(values.shape[0]) if hasattr(values, "shape") else len(values)
