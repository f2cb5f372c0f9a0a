"""Checks of arguments: what was got, what is allowed, and what to do."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

from precall.errors import UsageError

#: Squares of smaller and greater weights of recall, times counts, leave float64.
_LEAST, _MOST = 1e-100, 1e100
BETA = f"0, or a number from {_LEAST:g} to {_MOST:g}"


def check_beta(beta: Any, least: float = _LEAST, most: float = _MOST) -> float:
    """The weight of recall in F: 0, of which F is precision, or a number > 0 whose square float64 holds.

    `least` and `most` are for conventions that take any size, and say what becomes of it.

    Examples
    --------
    >>> check_beta(0), check_beta(2)
    (0.0, 2.0)
    """
    value = _number(beta)
    if value != 0 and not least <= value <= most:
        raise UsageError(
            f"beta: must be 0, or a number from {least:g} to {most:g}, got {beta!r}; F of 0 is precision, of ever "
            "greater ones recall"
        )
    return value


def check_recall(recall: Any) -> float:
    """A recall that is to be reached: a number in 0..1.

    Examples
    --------
    >>> check_recall(0.5)
    0.5
    """
    value = _number(recall)
    if not 0 <= value <= 1:
        raise UsageError(f"recall: must be in 0..1, got {recall!r}")
    return value


def _number(value: Any) -> float:
    """NaN for what is no number: it is in no range."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf
