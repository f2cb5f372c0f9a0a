"""Newcombe's interval for the area under the ROC curve (2006, method 5): a score interval that no sample makes too sure.

Hanley & McNeil's variance, of exponential scores, averaged over both directions, is a function of the area itself:
V(θ) = θ (1 - θ) (1 + N ((1 - θ) / (2 - θ) + θ / (1 + θ))) / (m n) with N = (m + n) / 2 - 1. The interval holds the
areas θ with |estimate - θ| ≤ z √V(θ). DeLong's variance is of the sample: where it has hardly an error it is next to 0.
"""

from __future__ import annotations

import math

#: Halvings of a stretch of log-odds; more move nothing.
_HALVINGS = 80


def variance(area: float, relevant: float, other: float) -> float:
    """Of the estimate, if this is the area.

    Examples
    --------
    >>> round(variance(0.9, 10, 100) ** 0.5, 4)
    0.0532
    """
    even = (relevant + other) / 2 - 1
    inner = (1 - area) / (2 - area) + area / (1 + area)
    return area * (1 - area) * (1 + even * inner) / (relevant * other)


def lower(value: float, relevant: float, other: float, z: float) -> float:
    """The least area that the estimate does not exclude; the greatest is 1 - lower(1 - value).

    Examples
    --------
    >>> round(lower(1.0, 10, 20_000, 1.96), 4), round(lower(0.9, 50, 50, 1.96), 4)
    (0.9023, 0.8159)
    """
    if value <= 0:
        return 0.0
    least, most = -700.0, 40.0 if value >= 1 else math.log(value / (1 - value))
    for _ in range(_HALVINGS):
        middle = (least + most) / 2
        area = 1 / (1 + math.exp(-middle))
        if value - area > z * math.sqrt(variance(area, relevant, other)):
            least = middle
        else:
            most = middle
    return 1 / (1 + math.exp(-least))
