"""The interval of a difference from the intervals of both values: MOVER (Zou & Donner 2008), and p
from these intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from precall.core.ragged import Float64

#: A value with its lower and upper bound.
WithBounds: TypeAlias = tuple[float, float, float]


#: The bounds of a value at shares of the quantile of a level: below the value at negative ones.
Bounds: TypeAlias = Callable[[Float64], Float64]
#: Angles that make up a circle; the opposite of each is there, so that lists in the other order
#: have the same digits.
_ANGLES = np.arange(-48, 49) * (math.tau / 96)


class ValueWithBounds(NamedTuple):
    """A value and its bounds."""

    value: float
    low: float
    high: float


#: p below this is given as this: intervals of such levels say nothing.
LEAST = 1e-12
#: At the level 1 - _MOST intervals are all but points.
_MOST = 0.999


def mover(first: WithBounds, second: WithBounds, correlation: float = 0.0) -> tuple[float, float]:
    """Bounds of the difference of two estimates with this correlation.

    Examples
    --------
    >>> low, high = mover((0.8, 0.7, 0.87), (0.7, 0.6, 0.79))
    >>> round(low, 4), round(high, 4)
    (-0.0345, 0.2221)
    """
    (a, low_a, high_a), (b, low_b, high_b) = first, second

    def half(one: float, other: float) -> float:
        # The product in brackets, so that systems in the other order have the same digits.
        return math.sqrt(max(one * one + other * other - 2 * correlation * (one * other), 0.0))

    difference = a - b
    return difference - half(a - low_a, high_b - b), difference + half(high_a - a, b - low_b)


def on_ellipse(first: Bounds, second: Bounds, correlation: float) -> tuple[float, float]:
    """The least and the greatest difference where both estimates are on an ellipse.

    If bounds grow evenly with the quantile, these are those of `mover`. But where scores of cases
    that stand out end, a list can be only a little better, and much worse.

    Examples
    --------
    >>> low, high = on_ellipse(lambda x: 0.8 + 0.1 * x, lambda x: 0.7 + 0.1 * x, 0.0)
    >>> round(low, 3), round(high, 3)
    (-0.041, 0.241)
    """
    half = math.acos(correlation) / 2
    difference = first(np.cos(_ANGLES - half)) - second(np.cos(_ANGLES + half))
    return float(difference.min()), float(difference.max())


class TwoEstimates(NamedTuple):
    """Two estimates with their correlation, and the bounds of each at any level.

    `steps` is the number of bisections for p, each of which needs the bounds of both.
    """

    first: float
    second: float
    bounds_of_first: Callable[[float], tuple[float, float]]
    bounds_of_second: Callable[[float], tuple[float, float]]
    correlation: float = 0.0
    steps: int = 60

    @property
    def difference(self) -> float:
        """The first minus the second."""
        return self.first - self.second

    def bounds(self, level: float) -> tuple[float, float]:
        """Bounds of the difference at this level."""
        return mover(
            (self.first, *self.bounds_of_first(level)),
            (self.second, *self.bounds_of_second(level)),
            self.correlation,
        )

    def tail(self, limit: float) -> float:
        """The lesser one-sided p of the limit: half of 1 minus the level at which the bound is the
        limit.
        """
        if self.difference == limit:
            return 0.5
        if any(math.isnan(end) for end in self.bounds(0.5)):
            return math.nan
        is_above = self.difference > limit

        def holds(alpha: float) -> bool:
            low, high = self.bounds(1 - alpha)
            return low <= limit if is_above else high >= limit

        least, most = math.log(LEAST), math.log(_MOST)
        if holds(_MOST):
            return 0.5
        for _ in range(self.steps):
            middle = (least + most) / 2
            least, most = (middle, most) if holds(math.exp(middle)) else (least, middle)
        return math.exp(least) / 2

    def p_above(self, limit: float) -> float:
        """One-sided p of the hypothesis that the true difference is at most the limit."""
        tail = self.tail(limit)
        return tail if self.difference >= limit else 1 - tail

    def p(self) -> float:
        """Two-sided p of the hypothesis that both true values are equal."""
        return 2 * self.tail(0.0)
