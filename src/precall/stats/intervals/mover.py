"""The interval of a difference from the intervals of both values (MOVER; Zou & Donner 2008)."""

from __future__ import annotations

import math
from typing import NamedTuple


class Bounded(NamedTuple):
    """A value and its bounds."""

    value: float
    low: float
    high: float


def mover(first: Bounded, second: Bounded, *, correlation: float) -> tuple[float, float]:
    """The bounds of the first value minus the second.

    Examples
    --------
    >>> low, high = mover(Bounded(0.8, 0.7, 0.9), Bounded(0.5, 0.4, 0.6), correlation=0.0)
    >>> round(low, 4), round(high, 4)
    (0.1586, 0.4414)
    """
    difference = first.value - second.value

    def half(one: float, other: float) -> float:
        # The product in brackets, so that systems in the other order have the same digits.
        return math.sqrt(max(one * one + other * other - 2 * correlation * (one * other), 0.0))

    return (
        difference - half(first.value - first.low, second.high - second.value),
        difference + half(first.high - first.value, second.value - second.low),
    )
