"""Averages of a measure of one column of labels and scores over the columns of a matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from precall.compat.sklearn.targets import Array, same_length
from precall.curves.cases import Weights
from precall.errors import UsageError
from precall.ragged import Bool, Float64

Measure: TypeAlias = Callable[[Bool, Array, Weights | None], float]
Each: TypeAlias = Callable[[Bool, Array], Float64]

AVERAGES = (None, "micro", "macro", "weighted", "samples")


def averaged(
    measure: Measure, truth: Bool, score: Array, average: str | None, weights: Weights | None,
    each: Each | None = None,
) -> Any:  # fmt: skip
    """Per column (None), of all cells as one list ("micro"), mean over columns or over rows ("samples").

    `each` is `measure` for all rows of two matrices at once, without weights, if there is such a thing.
    """
    if score.shape != truth.shape:
        same_length(y_true=truth, y_score=score)
        raise UsageError(f"y_score: must have the shape of y_true, {truth.shape}, got {score.shape}")
    if average == "micro":
        repeated: Any = None if weights is None else np.repeat(weights, truth.shape[1])
        return measure(truth.ravel(), score.ravel(), repeated)
    if average == "samples":
        return _mean(_by_row(measure, truth, score, None, each), weights)
    size = None
    if average == "weighted":
        size = (truth if weights is None else truth * weights[:, None]).sum(axis=0)
        if np.isclose(size.sum(), 0):
            return 0.0
    values = _by_row(measure, np.ascontiguousarray(truth.T), np.ascontiguousarray(score.T), weights, each)
    return values if average is None else _mean(values, size)


def _by_row(
    measure: Measure, truth: Bool, score: Array, weights: Weights | None, each: Each | None
) -> Float64:
    if each is not None and weights is None:
        return each(truth, score)
    return np.array(
        [measure(row, cells, weights) for row, cells in zip(truth, score, strict=True)], np.float64
    )


def _mean(values: Float64, weights: Any) -> float:
    if weights is None:
        return float(np.mean(values))
    # What weighs nothing may be undefined.
    total = np.sum(weights)
    if not total:
        raise UsageError("sample_weight: all weights are 0")
    return float(np.where(weights == 0, 0.0, values) @ weights / total)
