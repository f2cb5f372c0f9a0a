"""Hypergeometric probabilities of many urns at once, with small relative errors in both tails."""

from __future__ import annotations

from math import sqrt

import numpy as np

from precall.core.ragged import Float64

#: Half the width of a span: standard deviations, and a number of counts added for skewed urns.
_REACH, _MORE = 8.5, 14


def span(total: int, good: int, size: int) -> tuple[int, int]:
    """Least and greatest count to compute; the probability outside them is below some 1e-16."""
    share = good / max(total, 1)
    middle = size * share
    width = (
        _REACH * sqrt(max(middle * (1 - share) * (total - size) / max(total - 1, 1), 0.0)) + _MORE
    )
    least, most = max(0, size - (total - good)), min(size, good)
    return max(least, int(middle - width)), min(most, int(middle + width) + 1)


def probabilities(total: int, good: object, size: int, low: int, high: int) -> Float64:
    """P(q of the `size` drawn items are good) for q = low ... high; a row for each urn in `good`.

    Each row follows from the ratios of neighbours and is divided by its sum. So it needs no
    factorials, whose size would cost digits. The probability outside low ... high must be
    negligible.

    Examples
    --------
    >>> probabilities(5, [2, 3], 2, 0, 2)
    array([[0.3, 0.6, 0.1],
           [0.1, 0.6, 0.3]])
    """
    urn = np.asarray(good, np.float64)[:, None]
    q = np.arange(low, high + 1, dtype=np.float64)
    up, down = (size - q[:-1]) * (urn - q[:-1]), (q[1:]) * (total - size - urn + q[1:])
    with np.errstate(divide="ignore", invalid="ignore"):
        # If `down` is not positive, the smaller of the two counts cannot occur, nor any below it:
        # the logarithms start again at the greater one.
        step = np.where(down > 0, np.log(np.maximum(up, 0)) - np.log(np.maximum(down, 1e-300)), 0.0)
    level = np.concatenate((np.zeros((len(urn), 1)), np.cumsum(step, axis=1)), axis=1)
    possible = (q <= np.minimum(urn, size)) & (q >= size - (total - urn))
    level = np.where(possible, level, -np.inf)
    level -= level.max(axis=1, keepdims=True)
    chance = np.exp(level)
    return np.asarray(chance / chance.sum(axis=1, keepdims=True), np.float64)


def with_one_more(chance: Float64, total: int, good: int, size: int) -> Float64:
    """P(q of the first `size` drawn items are good) for q = 0, 1, ..., from those of one item
    fewer. The sequences that `chance` leaves out are left out here, too.

    Examples
    --------
    >>> with_one_more(np.array([0.4, 0.6]), 5, 3, 2)
    array([0.1, 0.6, 0.3])
    """
    next_is_good = (good - np.arange(len(chance))) / (total - size + 1)
    after = np.zeros(len(chance) + 1)
    after[:-1] = chance * (1 - next_is_good)
    after[1:] += chance * next_is_good
    return after


def space(few: Float64, share: float) -> list[int]:
    """Indices of `few`, with the first and the last, between which the counts change by at most a
    `share` of themselves.
    """
    indices, at = [0], 0
    while at < len(few) - 1:
        # If the counts fall, the step is a share of the count at its end.
        step = max(1, int(share * few[at]))
        at = min(
            at + min(step, max(1, int(share * few[min(at + step, len(few) - 1)]))), len(few) - 1
        )
        indices.append(at)
    return indices
