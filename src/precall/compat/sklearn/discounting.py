"""Discounted cumulative gain of rows of real gains and scores; each row is a ranking."""

from __future__ import annotations

from typing import Any

import numpy as np

from precall.compat.sklearn import targets
from precall.compat.sklearn.label_codes import Array
from precall.compat.sklearn.targets import MULTILABEL
from precall.core import ragged
from precall.core.arguments import check_positive, check_whole, is_number
from precall.core.errors import UsageError
from precall.core.ragged import Float64
from precall.location.located import Located
from precall.measures.gains import sum_discounted
from precall.read.columns import Ids

_FORMS = (MULTILABEL, "continuous-multioutput", "multiclass-multioutput")


def dcg_score(
    y_true: object,
    y_score: object,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: object = None,
    ignore_ties: bool = False,
) -> float:
    """Mean over rows of the discounted cumulative gain.

    It is the sum over the first `k` ranks of gain / log(rank + 1). Items of equal score share the
    mean of their discounts, unless `ignore_ties`.

    Examples
    --------
    >>> round(dcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]]), 4)
    9.4995
    """
    gain, score, weights = _rows(y_true, y_score, k, sample_weight)
    if not is_number(log_base) or not log_base > 0:
        check_positive(log_base=log_base)
    # Another base divides each logarithm by log2(base), so the sum is multiplied by it.
    return targets.weighted_mean(
        _dcg(gain, score, k, ignore_ties) * np.log2(float(log_base)), weights
    )


def ndcg_score(
    y_true: object,
    y_score: object,
    *,
    k: int | None = None,
    sample_weight: object = None,
    ignore_ties: bool = False,
) -> float:
    """Mean over rows of DCG over that of the best order; 0 if all gains are 0.

    Examples
    --------
    >>> round(ndcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]]), 4)
    0.6957
    """
    gain, score, weights = _rows(y_true, y_score, k, sample_weight)
    if gain.min() < 0:
        raise UsageError("ndcg_score should not be used on negative y_true values.")
    if gain.shape[1] <= 1:
        message = "Computing NDCG is only meaningful when there is more than 1 document."
        raise UsageError(f"{message} Got {gain.shape[1]} instead.")
    best = _ideal(gain, k)
    values = np.zeros(len(gain))
    np.divide(_dcg(gain, score, k, ignore_ties), best, out=values, where=best != 0)
    return targets.weighted_mean(values, weights)


def _rows(
    y_true: object, y_score: object, k: object, sample_weight: object
) -> tuple[Float64, Array, Any]:
    """Gains, scores and weights."""
    if k is not None:
        check_whole("k", k, 1)
    gains, score = targets.array(y_true, "y_true"), targets.scoring(y_score)
    targets.same_length(y_true=gains, y_score=score)
    form = targets.kind(gains, "y_true")
    if gains.ndim == 2 and gains.shape[1] == 1 and gains.dtype.kind in "biuf":
        return gains.astype(np.float64), score, targets.weighing(sample_weight, len(gains))
    if form not in _FORMS or gains.dtype.kind not in "biuf":
        raise UsageError(f"Only {_FORMS} formats are supported. Got {form} instead")
    if gains.shape != score.shape:
        raise UsageError(
            f"y_true and y_score have different shape: {gains.shape} and {score.shape}"
        )
    return gains.astype(np.float64), score, targets.weighing(sample_weight, len(gains))


def _dcg(gain: Float64, score: Array, k: int | None, ignore_ties: bool) -> Float64:
    """DCG of each row's ranking."""
    order = np.argsort(score, axis=1)[:, ::-1]
    earned = np.take_along_axis(gain, order, axis=1).ravel()
    ordered = None if ignore_ties else np.take_along_axis(score, order, axis=1)
    return np.asarray(sum_discounted(_locate(gain.shape, ordered), earned, k), np.float64)


def _ideal(gain: Float64, k: int | None) -> Float64:
    """DCG of each row with the greatest gains first."""
    return np.asarray(
        sum_discounted(_locate(gain.shape, None), np.sort(gain, axis=1)[:, ::-1].ravel(), k),
        np.float64,
    )


def _locate(shape: tuple[int, ...], ordered: Array | None) -> Located:
    """Each row as a ranking; the sorted scores say which items share a block."""
    rows, width = shape
    ranking, rank = np.repeat(np.arange(rows), width), np.tile(np.arange(1, width + 1), rows)
    first = last = rank
    if ordered is not None and bool((ordered[:, 1:] == ordered[:, :-1]).any()):
        begins = np.flatnonzero(ragged.changes(ranking, ordered.ravel()))
        size = np.diff(np.append(begins, rows * width))
        first, last = np.repeat(rank[begins], size), np.repeat(rank[begins] + size - 1, size)
    each, none = np.ones(rows, np.bool_), np.zeros(0, np.int64)
    return Located(
        Ids.of([]),
        each,
        each,
        np.full(rows, width),
        ranking,
        rank - 1,
        np.zeros_like(rank),
        rank,
        first,
        last,
        none,
        none,
        none,
        ties="expected",
    )
