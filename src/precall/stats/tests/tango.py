"""Tango's (1998) score statistic for a difference of two shares of the same items.

Of `items` pairs, `only_a` are right by the first system only, `only_b` by the second only. The
difference of the shares is tested against any number, such as a margin.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from precall.core.ragged import Float64


def score_statistic(only_a: Any, only_b: Any, items: int, difference: float) -> Float64:
    """Tango's z of the hypothesis that the difference is this one; positive if that of the items is
    greater.

    The share of items that only the second system has right is estimated under the hypothesis.
    Without any variance z is 0 if the difference fits, and infinite otherwise.

    Examples
    --------
    >>> score_statistic(22, 78, 451, -0.1673).round(2).item()
    1.96
    """
    a, b = np.asarray(only_a, np.float64), np.asarray(only_b, np.float64)
    half = -a - b + (2 * items - a + b) * difference
    product = -b * difference * (1 - difference)
    share = (np.sqrt(np.maximum(half**2 - 8 * items * product, 0)) - half) / (4 * items)
    variance = items * (2 * share + difference * (1 - difference))
    excess = a - b - items * difference
    with np.errstate(divide="ignore", invalid="ignore"):
        z = excess / np.sqrt(np.maximum(variance, 0))
    return np.where(excess == 0, 0.0, z)
