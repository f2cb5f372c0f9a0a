"""Moments of average precision under random selection: two in O(1), four in O(log n).

With Y_t = 1 where rank t is a hit and H_t = Y_1 + ... + Y_t, m AP = S = sum of Y_t H_t / t. All C(n, m)
placements of the hits are equally likely, so the product of Y at j different ranks has expectation

    p_j = m (m-1) ... (m-j+1) / (n (n-1) ... (n-j+1)),

and every moment of S is a polynomial in p_1, p_2, ... whose coefficients do not depend on m.
"""

from __future__ import annotations

from math import fsum, log1p
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

#: Ranks summed one by one before smooth blocks take over.
_SINGLE = 4096
Wide: TypeAlias = npt.NDArray[np.longdouble]


def harmonic(rank: int, count: int | None = None) -> tuple[float, float]:
    """Sums of 1/t and of 1/t² over the `count` ranks after `rank` (without `count`: up to `rank`).

    Examples
    --------
    >>> harmonic(4)
    (2.0833333333333335, 1.4236111111111112)
    >>> harmonic(1, 3)
    (1.0833333333333333, 0.4236111111111111)
    """
    if count is None:
        rank, count = 0, rank
    if count <= 64:
        t = [float(one) for one in range(rank + 1, rank + count + 1)]
        return fsum(1 / one for one in t), fsum(1 / (one * one) for one in t)
    if rank < 32:
        first, second = harmonic(rank, 32 - rank), harmonic(32, count - 32 + rank)
        return first[0] + second[0], first[1] + second[1]
    # Euler-Maclaurin at half steps, as differences so that close ranks do not cancel.
    a, b = rank + 0.5, rank + count + 0.5
    one = log1p(count / a) + _far(b) - _far(a)
    return one, count / (a * b) + _far_squares(b) - _far_squares(a)


def reciprocals(rank: Wide, count: Wide) -> Wide:
    """Sum of 1/t over the `count` ranks after `rank`, each to the last digits.

    Examples
    --------
    >>> [round(float(one), 6) for one in reciprocals(np.array([0, 4]), np.array([4, 10**6]))]
    [2.083333, 12.309397]
    """
    rank, end = np.asarray(rank, np.longdouble), np.asarray(rank + count, np.longdouble)
    until = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, _SINGLE + 1).astype(np.longdouble))))
    few = [until[np.minimum(one, _SINGLE).astype(np.int64)] for one in (rank, end)]
    a, b = np.maximum(rank, _SINGLE) + 0.5, np.maximum(end, _SINGLE) + 0.5
    return np.asarray(few[1] - few[0] + np.log1p((b - a) / a) + _far(b) - _far(a), np.longdouble)


def _far(y: Any) -> Any:
    z = 1 / (y * y)
    return z * (1 / 24 - z * (7 / 960 - z * (31 / 8064 - z * 127 / 30720)))


def _far_squares(y: float) -> float:
    z = 1 / (y * y)
    return z / y * (1 / 12 - z * (7 / 240 - z * (31 / 1344 - z * 127 / 3840)))


def products(items: int, relevant: Any, order: int) -> list[Any]:
    """p_0 ... p_order: expectations of products of `order` indicators at different ranks."""
    p: list[Any] = [1.0]
    for j in range(order):
        p.append(p[-1] * np.maximum(relevant - j, 0) / max(items - j, 1))
    return p


def mean(items: int, relevant: int, cutoff: int | None = None) -> float:
    """E[S]/m in O(1): AP at `cutoff` over the number of relevant items.

    Examples
    --------
    >>> round(mean(2000, 500), 6)
    0.252693
    """
    n, m, k = items, relevant, items if cutoff is None else min(cutoff, items)
    h = harmonic(k)[0]
    first = h / n
    second = (m - 1) / (n * (n - 1)) * (k - h) if n > 1 else 0.0
    return first + second


def variance(items: int, relevant: int, cutoff: int | None = None) -> float:
    """Var[S]/m² in O(1).

    Examples
    --------
    >>> round(variance(2000, 500) * 1e5, 6)
    9.892955
    """
    n, m = items, relevant
    if n <= 3 or (cutoff is not None and cutoff < n):
        return max(float(block(0, 0, n, m, cutoff)[1]) / m**2, 0.0)
    s, t = harmonic(n)
    # The factor n - m taken out, so that nothing cancels where nearly all items are relevant. The counts
    # are Python integers: n^4 is beyond float64 from n = 10^4 on.
    square = m * m * (-2 * n * n - 2 * n + 6) + m * (n**3 + 6 * n * n - 9 * n) - 2 * n**3 + 2 * n * n
    parts = (
        square * s * s
        + n * (m - 1) * (n - 3) * (2 * m - n + 1) * s
        + n * (3 * m - n) * (n - 1) * (m - n + 1) * t
        + n * n * (m - 1) * (m * n + m - 4 * n + 4)
    )
    return max((n - m) * parts / (m * n * n * (n - 1) ** 2 * (n - 2) * (n - 3)), 0.0)


def block(rank: int, before: Any, size: int, hits: Any, cutoff: int | None = None) -> tuple[Any, Any]:
    """Mean and variance of the part of S that `size` ranks after `rank` add, in O(1).

    `before` hits stand before the block, `hits` inside it in random order, and only its first `cutoff`
    ranks are counted. Both may be arrays. With rank = before = 0 and size = n it is the whole list.

    Examples
    --------
    >>> m, v = block(0, 0, 4, 2)
    >>> round(float(m), 6), round(float(v), 6)
    (1.361111, 0.161265)
    """
    k = size if cutoff is None else min(cutoff, size)
    r, wide = rank, np.longdouble
    if k <= _SINGLE:
        t = np.arange(r + 1, r + k + 1).astype(wide)
        one, two = (1 / t).sum(), (1 / (t * t)).sum()
    else:
        one, two = map(wide, harmonic(r, k))
    c, q = np.asarray(before, wide) + 1, np.asarray(hits, wide)
    p = products(size, q, 4)
    a = k - (r + 1) * one
    first = c * p[1] * one + p[2] * a
    near, far = one - (r + 1) * two, k - (2 * r + 3) * one + wide(r + 1) * (r + 2) * two
    pairs = (one * one - two) / 2
    step = a - (r + 1) * pairs
    half = wide(k) * (k + 1) / 2
    steps = (
        (wide(r) * k + half - k - wide(r) * (r + 1) * one) / 2
        - (2 * r + 3) * a
        + wide(r + 1) * (r + 2) * pairs
    )
    later = (k + 2 * r + 1) * one - 2 * k - pairs
    both = (wide(r) * k + half - wide(2 * r + 3) * k + wide(r + 1) * (r + 2) * one) / 2 - (r + 1) * later
    second = c * c * p[1] * two + (2 * c + 1) * p[2] * near + p[3] * far
    second = second + 2 * (
        c * (c + 1) * p[2] * pairs + (2 * c + 2) * p[3] * step + p[4] * steps + c * p[3] * later + p[4] * both
    )
    return first.astype(np.float64), np.maximum(second - first * first, 0).astype(np.float64)


def linear_shape(items: int, a: list[float], b: list[float]) -> tuple[float, float]:
    """Skewness and excess kurtosis of sum a_i b_rank(i) in random order, from central power sums 0 ... 4.

    Examples
    --------
    >>> linear_shape(2, [2, 0, 0.5, 0, 0.125], [2, 0, 0.5, 0, 0.125])
    (0.0, -2.0)
    """
    n = items
    var = a[2] * b[2] / (n - 1) if n > 1 else 0.0
    if not var > 0:
        return float("nan"), float("nan")
    third = a[3] * b[3] * n / ((n - 1) * (n - 2)) if n > 2 else 0.0
    # Sums over different indices of a_i^k ..., by their partitions: 4, 2+2, 3+1, 2+1+1, 1+1+1+1.
    sums = [(x[4], x[2] ** 2 - x[4], -x[4], 2 * x[4] - x[2] ** 2, 3 * x[2] ** 2 - 6 * x[4]) for x in (a, b)]
    times, parts = (1, 3, 4, 6, 1), (1, 2, 2, 3, 4)
    fourth = 0.0
    for often, different, one, two in zip(times, parts, *sums, strict=True):
        ways = float(np.prod([n - i for i in range(different)]))
        fourth += often * one * two / ways if ways else 0.0
    return third / var**1.5, fourth / var**2 - 3
