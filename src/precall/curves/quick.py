"""One number of one scored list, without making its curve."""

from __future__ import annotations

import warnings
from typing import Any

from precall.curves.cases import contiguous, labels, missed_count, refuse_nan, same_length, scores
from precall.curves.path import curve
from precall.errors import PrecallWarning
from precall.native import kernel, thread_count
from precall.native.twin_counting import step_area


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
    hits, _, *parts, _, _ = _areas(relevant, score, positive, higher_is_better)
    total = hits + missed_count(missed, False)
    if not total:
        _undefined("average precision", "nothing is relevant")
        return float("nan")
    return step_area((parts[0], parts[1], parts[2]), int(total))


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
        _undefined("area under the ROC curve", "everything is relevant" if total else "nothing is relevant")
        return float("nan")
    return twice / int(2 * total * others)


def _areas(relevant: Any, score: Any, positive: Any, higher_is_better: bool) -> tuple[int, ...]:
    """What the kernel counts; see `precall.native.twin_counting.areas`."""
    truth, value = labels(relevant, positive), scores(score, higher_is_better)
    same_length(truth, value)
    found: tuple[int, ...] = kernel().areas(contiguous(truth), contiguous(value), thread_count())
    if found[-1] >= 0:
        refuse_nan(value)
    return found


def _undefined(what: str, why: str) -> None:
    warnings.warn(f"{what} is undefined (NaN): {why}", PrecallWarning, stacklevel=3)
