"""Skewness and kurtosis: the moments of S to order 4 as polynomials in p_1 ... p_8, in O(log n).

Were the Y_t independent with probability p, E[S^a H^b] would follow rank by rank from those of lower order
as polynomials in p. Putting p_j for p^j makes them exact for sampling without replacement. The first ranks
are added one by one; later ones by the Euler-Maclaurin formula on Chebyshev points of doubling blocks, which
is exact to the last digits of an extended float (the sums are analytic in the rank).
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any

import numpy as np

from precall.infer.null.tail.moments import Wide, products

#: Ranks added one by one.
_SINGLE = 2048
#: Relative rounding of a fourth moment, and the error of a kurtosis that is too large.
_ROUNDING, _LOST = 8 * float(np.finfo(np.longdouble).eps), 1e-5
#: Chebyshev points per doubling block: the error of interpolation is 5.8^-28.
_POINTS = 28
Levels = dict[tuple[int, int], Wide]


def cumulants(items: int, relevant: int, cutoff: int | None = None) -> tuple[float, float, float, float]:
    """Mean, variance, skewness and excess kurtosis of S (m AP, at `cutoff`).

    Examples
    --------
    >>> [round(one, 4) for one in cumulants(2000, 500)[2:]]
    [0.2723, 0.1303]
    """
    count = items if cutoff is None else min(cutoff, items)
    return rest_cumulants(0, 0, items, relevant, count)


def rest_cumulants(
    rank: int, before: int, size: int, hits: int, count: int
) -> tuple[float, float, float, float]:
    """The same for the part of S that the first `count` of `size` ranks after `rank` add.

    `before` hits stand before them and `hits` are spread over the `size` ranks.
    """
    return standardised(_rows(rank, count, before), size, hits)


def standardised(rows: list[Any], size: int, hits: int) -> tuple[float, float, float, float]:
    """Mean, variance, skewness and excess kurtosis from rows of coefficients of E[S], ..., E[S^4] in p_j."""
    p = [np.longdouble(one) for one in products(size, np.longdouble(hits), 8)]
    one, two, three, four = (sum(c * factor for c, factor in zip(row, p, strict=False)) for row in rows)
    variance = two - one * one
    if not variance > 1e-17 * two:
        return float(one), 0.0, float("nan"), float("nan")
    third = three - 3 * one * two + 2 * one**3
    fourth = four - 4 * one * three + 6 * one * one * two - 3 * one**4
    skewness, kurtosis = float(third / variance**1.5), float(fourth / variance**2 - 3)
    # With millions of hits the mean has so many digits that extended floats lose the kurtosis, which is then next
    # to nothing: that of the Pearson III distribution with this skewness.
    if _ROUNDING * float(one) ** 4 > _LOST * float(variance) ** 2:
        kurtosis = 1.5 * skewness**2
    return float(one), float(variance), skewness, kurtosis


@lru_cache(maxsize=64)
def _rows(rank: int, count: int, before: int) -> list[Any]:
    """Coefficients of E[S], ..., E[S^4] in p_0, p_1, ...; one pass serves every number of hits."""
    pairs = [(a, b) for a in range(5) for b in range(5 - a)]
    last: Levels = {pair: np.zeros(2 * pair[0] + pair[1] + 1, np.longdouble) for pair in pairs}
    for b in range(5):
        last[0, b][0] = np.longdouble(before) ** b
    end, start = rank + count, rank
    if start < _SINGLE:
        stop = min(end, _SINGLE)
        last = _singles(start, stop, last)
        start = stop
    while start < end:
        stop = min(end, 2 * start)
        last = _smooth(start, stop, last)
        start = stop
    return [last[a, 0] for a in range(1, 5)]


def _increments(a: int, b: int, inverse: list[Wide], known: Levels) -> Wide:
    """What one rank adds to E[S^a H^b], as rows of coefficients of p, at each of several ranks."""
    result = np.zeros((2 * a + b + 1, len(inverse[0])), np.longdouble)
    for i in range(a + 1):
        for c in range(i + b + 1):
            if i or c < b:
                source = known[a - i, c]
                result[1 : 1 + len(source)] += comb(a, i) * comb(i + b, c) * inverse[i] * source
    return result


def _powers(t: Wide) -> list[Wide]:
    return [t**-i for i in range(5)]


def _singles(start: int, stop: int, last: Levels) -> Levels:
    t = np.arange(start + 1, stop + 1).astype(np.longdouble)
    inverse = _powers(t)
    known: Levels = {}
    after: Levels = {}
    for a, b in last:
        total = np.cumsum(_increments(a, b, inverse, known), axis=1) + last[a, b][:, None]
        known[a, b] = np.concatenate((last[a, b][:, None], total[:, :-1]), axis=1)
        after[a, b] = total[:, -1]
    return after


def _smooth(start: int, stop: int, last: Levels) -> Levels:
    """Ranks start+1 ... stop, their moments known before rank t as smooth functions of t."""
    half = np.longdouble(stop - start) / 2
    inverse = _powers(start + 1 + half * (1 + _nodes()))
    sums = _summation(half)
    known: Levels = {}
    for a, b in last:
        known[a, b] = last[a, b][:, None] + _increments(a, b, inverse, known) @ sums.T
    return {pair: values[:, -1] for pair, values in known.items()}


@lru_cache(maxsize=1)
def _nodes() -> Wide:
    # cos in extended precision of a double pi would cost the last digits.
    pi = 4 * np.arctan(np.longdouble(1))
    return np.asarray(-np.cos(pi * np.arange(_POINTS) / (_POINTS - 1)), np.longdouble)


@lru_cache(maxsize=1)
def _calculus() -> tuple[Wide, Wide]:
    """Matrices that integrate from -1 and differentiate functions given at the nodes."""
    x, size = _nodes(), _POINTS
    values = np.ones((size, size + 1), np.longdouble)
    values[:, 1] = x
    for j in range(2, size + 1):
        values[:, j] = 2 * x * values[:, j - 1] - values[:, j - 2]
    ends = np.ones(size, np.longdouble)
    ends[[0, -1]] = 2
    # Nodes to coefficients: the discrete cosine transform, written out.
    coefficients = 2 * values[:, :size].T / (np.outer(ends, ends) * (size - 1))
    integral = np.zeros((size, size), np.longdouble)
    integral[:, 0], integral[:, 1] = values[:, 1], values[:, 2] / 4
    for j in range(2, size):
        integral[:, j] = values[:, j + 1] / (2 * (j + 1)) - values[:, j - 1] / (2 * (j - 1))
    integral -= integral[0]
    slope = np.zeros((size, size), np.longdouble)
    slope[:, 1] = 1
    for j in range(2, size):
        inner = slope[:, j - 2] * j / (j - 2) if j > 2 else np.zeros(size, np.longdouble)
        slope[:, j] = 2 * j * values[:, j - 1] + inner
    return integral @ coefficients, slope @ coefficients


def _summation(half: Any) -> Wide:
    """Sums of f(t) over whole t from the first node to before each node: Euler-Maclaurin."""
    integral, slope = _calculus()
    slope = slope / half
    third = slope @ slope @ slope
    ends = (
        -np.eye(_POINTS, dtype=np.longdouble) / 2 + slope / 12 - third / 720 + third @ slope @ slope / 30240
    )
    return np.asarray(half * integral + ends - ends[0], np.longdouble)
