"""One number of one scored list, without making its curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from precall.curves.cases import Scores, contiguous, labelled, missed_count, refuse_nan
from precall.curves.path import curve
from precall.native import kernel, thread_count
from precall.native.twin_counting import step_area
from precall.notes import warn
from precall.ragged import Bool, Float64, Int64


def average_precision(
    relevant: Any, score: Any, missed: int | float = 0, weights: Any = None, positive: Any = None,
    higher_is_better: bool = True,
) -> float:  # fmt: skip
    """Average precision of one scored list: `curve(...).average_precision()`, faster.

    The sum over distinct scores, best first, of the recall gained times the precision there; cases
    of equal score are accepted together. Parameters, errors and undefined values are those of `curve`.

    Examples
    --------
    >>> average_precision([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0])
    0.8333333333333333
    """
    if weights is not None:
        return curve(relevant, score, missed, weights, positive, higher_is_better).average_precision()
    hits, _, a, b, c, *_ = _areas(relevant, score, positive, higher_is_better)
    total = int(hits + missed_count(missed, False))
    if not total:
        warn("average precision is undefined (NaN): nothing is relevant")
    return step_area((a, b, c), total) if total else float("nan")


def area_under_roc(
    relevant: Any, score: Any, missed: int | float = 0, weights: Any = None, positive: Any = None,
    higher_is_better: bool = True,
) -> float:  # fmt: skip
    """Area under the ROC curve of one scored list: `curve(...).area_under_roc()`, faster.

    The chance that a relevant case outscores another one, equal scores counting half.

    Examples
    --------
    >>> area_under_roc([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0])
    0.75
    """
    if weights is not None:
        return curve(relevant, score, missed, weights, positive, higher_is_better).area_under_roc()
    hits, others, _, _, _, twice, _ = _areas(relevant, score, positive, higher_is_better)
    total = hits + missed_count(missed, False)
    if not total or not others:
        warn(
            f"area under the ROC curve is undefined (NaN): {'everything' if total else 'nothing'} is relevant"
        )
        return float("nan")
    return twice / int(2 * total * others)


def each_average_precision(relevant: Bool, score: Scores, start: Int64, total: Int64) -> Float64:
    """Average precision of many rankings; ranking r has the cases `start[r]` to `start[r + 1]` and `total[r]` relevant items.

    NaN where nothing is relevant.

    Examples
    --------
    >>> relevant, score = np.array([True, False, False, True]), np.array([2.0, 1.0, 2.0, 1.0])
    >>> each_average_precision(relevant, score, np.array([0, 2, 4]), np.array([1, 2]))
    array([1.  , 0.25])
    """
    parts = _areas_each(relevant, score, start)[:, 2:5].tolist()
    values = [
        step_area((p[0], p[1], p[2]), size) if size else np.nan
        for p, size in zip(parts, total.tolist(), strict=True)
    ]
    return np.array(values, np.float64)


def each_area_under_roc(relevant: Bool, score: Scores, start: Int64, total: Int64) -> Float64:
    """Area under the ROC curve of many rankings; see `each_average_precision`. NaN where only one kind of case is.

    Examples
    --------
    >>> relevant, score = np.array([True, False, False, True]), np.array([2.0, 1.0, 2.0, 1.0])
    >>> each_area_under_roc(relevant, score, np.array([0, 2, 4]), np.array([1, 1]))
    array([1., 0.])
    """
    table = _areas_each(relevant, score, start)
    rows = zip(table[:, 5].tolist(), total.tolist(), table[:, 1].tolist(), strict=True)
    return np.array(
        [twice / (2 * size * others) if size and others else np.nan for twice, size, others in rows],
        np.float64,
    )


def _areas_each(relevant: Bool, score: Scores, start: Int64) -> Int64:
    table: Int64 = kernel().areas_each(
        contiguous(relevant), contiguous(score), contiguous(start), thread_count()
    )
    if (table[:, 6] >= 0).any():
        refuse_nan(score)
    return table


def _areas(relevant: Any, score: Any, positive: Any, higher_is_better: bool) -> tuple[int, ...]:
    """What the kernel counts; see `precall.native.twin_counting.areas`."""
    truth, value = labelled(relevant, score, positive, higher_is_better)
    counts: tuple[int, ...] = kernel().areas(contiguous(truth), contiguous(value), thread_count())
    if counts[-1] >= 0:
        refuse_nan(value)
    return counts
