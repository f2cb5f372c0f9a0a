"""Scorers: measures of estimators' scores, for `scoring=` of scikit-learn's cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from precall.compat.sklearn.ranking import average_precision_score, roc_auc_score
from precall.core.errors import UsageError


@dataclass(frozen=True)
class Scorer:
    """A measure of an estimator's scores, for `scoring=` of `cross_val_score` and similar
    functions.

    `make_scorer` is not needed.

    Parameters
    ----------
    measure : function of y_true, y_score and options.
    responses : methods of the estimator that give scores; the first that it has is called.
    options : passed to the measure.

    Examples
    --------
    >>> class Same:
    ...     classes_ = [0, 1]
    ...     def decision_function(self, X):
    ...         return X
    >>> average_precision_scorer(Same(), [0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])
    0.8333333333333333
    """

    measure: Callable[..., Any]
    responses: tuple[str, ...] = ("decision_function", "predict_proba")
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(
        self,
        estimator: object,
        X: object,  # noqa: N803
        y_true: Any,
        sample_weight: object = None,
    ) -> float:
        """The measure of the estimator's scores of X; greater is better."""
        classes = np.asarray(getattr(estimator, "classes_", ()))
        score = _response(estimator, X, self.responses)
        options = dict(self.options)
        if classes.ndim == 1 and len(classes) == 2 and np.ndim(y_true) == 1:
            y_true = np.asarray(y_true) == classes[1]
            score = score[:, 1] if score.ndim == 2 else score
        if sample_weight is not None:
            options["sample_weight"] = sample_weight
        return float(self.measure(y_true, score, **options))


def _response(estimator: object, X: object, responses: tuple[str, ...]) -> Any:  # noqa: N803
    for name in responses:
        method = getattr(estimator, name, None)
        if method is not None:
            response = method(X)
            if isinstance(response, list) and response and np.ndim(response[0]) == 2:
                # Some estimators of several labels return a matrix of two columns for each label.
                return np.stack([matrix[:, -1] for matrix in response], axis=1)
            return np.asarray(response)
    raise UsageError(f"{type(estimator).__name__} has none of {', '.join(responses)}")


average_precision_scorer: Scorer = Scorer(average_precision_score)
roc_auc_scorer: Scorer = Scorer(roc_auc_score)
roc_auc_ovr_scorer: Scorer = Scorer(roc_auc_score, ("predict_proba",), {"multi_class": "ovr"})
roc_auc_ovo_scorer: Scorer = Scorer(roc_auc_score, ("predict_proba",), {"multi_class": "ovo"})
