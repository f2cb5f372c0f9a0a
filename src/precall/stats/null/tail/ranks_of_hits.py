"""Moments of the rank of a hit, and of 1 / the rank of the first, without a list of all ranks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from precall.stats.null.tail.moments import central, harmonic

#: How many powers of reciprocals are added one by one, at most.
_SINGLE = 2**14


def location_moments(n: int, m: int, j: int) -> tuple[float, float, float]:
    """Second, third and fourth central moment of L_j, computed in exact fractions.

    The rising moments have a closed form: E[L (L+1) ... (L+r-1)] =
    j (j+1) ... (j+r-1) (n+1) (n+2) ... (n+r) / ((m+1) (m+2) ... (m+r)).
    """
    rising = [Fraction(1)]
    for r in range(4):
        rising.append(rising[-1] * Fraction((j + r) * (n + 1 + r), m + 1 + r))
    _, one, two, three, four = rising
    two, three, four = two - one, three - 3 * two + one, four - 6 * three + 7 * two - one
    var, third, fourth = central(one, two, three, four)
    return float(var), float(third), float(fourth)


def first_hit(n: int, m: int) -> tuple[float, float, float, float]:
    """E[1/L_1^r] for r = 1 ... 4, in a number of steps of the order of sqrt(n) at most.

    With many hits this is a sum over the first 45 n/m ranks; the probability that L_1 is greater
    is below exp(-45). With few hits it follows from t_r(m) = t_r(m-1) - t_{r-1}(m-1) / (n-m+2).
    Here t_r(m) is (n-m+1)/m times the moment, t_r(1) the sum of 1/k^r, and t_0(m) = (n-m+1)/m.
    """
    reach = min(n - m + 1, -(-45 * n // m))
    if reach < m:
        rank = np.arange(1.0, reach + 1)
        chance = m / n * np.exp(np.append(0.0, np.cumsum(np.log1p(-(m - 1) / (n - rank[:-1])))))
        one, two, three, four = (float((chance / rank**r).sum()) for r in range(1, 5))
        return one, two, three, four
    hits = np.arange(1.0, m + 1)
    scaled, result = (n - hits + 1) / hits, []
    for r in range(1, 5):
        lost = np.append(0.0, np.cumsum(scaled[:-1] / (n - hits[:-1] + 1)))
        scaled = _inverse_powers(n, r) - lost
        result.append(float(scaled[-1]) * m / (n - m + 1))
    one, two, three, four = result
    return one, two, three, four


def _inverse_powers(n: int, r: int) -> float:
    """The sum of 1/k^r over k = 1 ... n."""
    if r == 1:
        return harmonic(n)[0]
    few = min(n, _SINGLE)
    # The smallest terms first, to keep digits; the terms after them by the midpoint rule.
    first = float((1 / np.arange(few, 0.0, -1) ** r).sum())
    return first + ((few + 0.5) ** (1 - r) - (n + 0.5) ** (1 - r)) / (r - 1)
