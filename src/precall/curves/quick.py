"""One number of one scored list, without making its curve: the labels split the scores, values are sorted."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from precall.curves.cases import Scores, labels, missed_count, refuse_nan, same_length, scores
from precall.curves.path import curve
from precall.errors import PrecallWarning
from precall.ragged import Int64


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
    hits, rest = _split(relevant, score, positive, higher_is_better)
    total = len(hits) + missed_count(missed, False)
    if not total:
        _undefined("average precision", "nothing is relevant")
        return float("nan")
    tp, fp, size = _blocks(hits, rest)
    # Best first, as the curve adds them: equal digits.
    return float(np.sum((size * (tp / (tp + fp)))[::-1])) / total


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
    hits, rest = _split(relevant, score, positive, higher_is_better)
    total = len(hits) + missed_count(missed, False)
    if not total or not len(rest):
        _undefined("area under the ROC curve", "everything is relevant" if total else "nothing is relevant")
        return float("nan")
    few, many = (hits, rest) if len(hits) <= len(rest) else (rest, hits)
    below = int(many.searchsorted(few, "left").sum()) + int(many.searchsorted(few, "right").sum())
    pairs = len(hits) * len(rest)
    return (below if few is hits else 2 * pairs - below) / (2 * total * len(rest))


def _split(relevant: Any, score: Any, positive: Any, higher_is_better: bool) -> tuple[Scores, Scores]:
    """Scores of relevant and of other cases, each ascending."""
    truth, value = labels(relevant, positive), scores(score, higher_is_better)
    same_length(truth, value)
    hits, rest = value[truth], value[~truth]
    hits.sort()
    rest.sort()
    # NaN sorts last.
    if (len(hits) and hits[-1] != hits[-1]) or (len(rest) and rest[-1] != rest[-1]):
        refuse_nan(value)
    return hits, rest


def _blocks(hits: Scores, rest: Scores) -> tuple[Int64, Int64, Int64]:
    """At each distinct score of a hit, ascending: hits and others at or above it, hits of that score."""
    lead = np.empty(len(hits), np.bool_)
    lead[:1] = True
    np.not_equal(hits[1:], hits[:-1], out=lead[1:])
    start = lead.nonzero()[0]
    tp = len(hits) - start
    fp = len(rest) - rest.searchsorted(hits[start])
    size = tp.copy()
    size[:-1] -= tp[1:]
    return tp, fp, size


def _undefined(what: str, why: str) -> None:
    warnings.warn(f"{what} is undefined (NaN): {why}", PrecallWarning, stacklevel=3)
