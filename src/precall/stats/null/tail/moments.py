"""Moments of average precision under random selection: two in O(1), four in O(log n).

With Y_t = 1 where rank t is a hit and H_t = Y_1 + ... + Y_t, m AP = S = sum of Y_t H_t / t. All
C(n, m) placements of the hits are equally likely, so the product of Y at j different ranks has
expectation

    p_j = m (m-1) ... (m-j+1) / (n (n-1) ... (n-j+1)),

and every moment of S is a polynomial in p_1, p_2, ... whose coefficients do not depend on m.

If most items are relevant, powers of S leave no digits for its skewness. So misses are counted
instead. With X_t = 1 - Y_t and M_t = X_1 + ... + X_t, the loss m - S is the sum of X_t (H_n -
H_{t-1} - M_t / t); here H_t is the harmonic number.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from math import comb, fsum, log1p, sqrt
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.core.ragged import Float64

#: Up to this many ranks are summed one by one; sums over more ranks are asymptotic series.
_SINGLE = 4096
Wide: TypeAlias = npt.NDArray[np.longdouble]


def harmonic(rank: int, count: int | None = None) -> tuple[float, float]:
    """Sums of 1/t and 1/t² over the `count` ranks after `rank`; without `count`, up to `rank`."""
    if count is None:
        rank, count = 0, rank
    if count <= 64:
        t = [float(one) for one in range(rank + 1, rank + count + 1)]
        return fsum(1 / one for one in t), fsum(1 / (one * one) for one in t)
    if rank < 32:
        first, second = harmonic(rank, 32 - rank), harmonic(32, count - 32 + rank)
        return first[0] + second[0], first[1] + second[1]
    # Euler-Maclaurin at half steps, in differences, so that nothing cancels for close ranks.
    a, b = rank + 0.5, rank + count + 0.5
    one = log1p(count / a) + _far(b) - _far(a)
    return one, count / (a * b) + _far_squares(b) - _far_squares(a)


def reciprocals(rank: Wide, count: Wide) -> Wide:
    """The sum of 1/t over the `count` ranks after `rank`, for each pair, to the last digits."""
    rank, end = np.asarray(rank, np.longdouble), np.asarray(rank + count, np.longdouble)
    until = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, _SINGLE + 1).astype(np.longdouble))))
    few = [until[np.minimum(one, _SINGLE).astype(np.int64)] for one in (rank, end)]
    a, b = np.maximum(rank, _SINGLE) + 0.5, np.maximum(end, _SINGLE) + 0.5
    return np.asarray(few[1] - few[0] + np.log1p((b - a) / a) + _far(b) - _far(a), np.longdouble)


def _far(y: Any) -> Any:
    """The Euler-Maclaurin terms of the sum of 1/t up to y - 1/2, after the logarithm."""
    z = 1 / (y * y)
    return z * (1 / 24 - z * (7 / 960 - z * (31 / 8064 - z * 127 / 30720)))


def _far_squares(y: float) -> float:
    """The Euler-Maclaurin terms of the sum of 1/t² up to y - 1/2, after -1/y."""
    z = 1 / (y * y)
    return z / y * (1 / 12 - z * (7 / 240 - z * (31 / 1344 - z * 127 / 3840)))


def products(items: int, relevant: Any, order: int) -> list[Any]:
    """p_0 ... p_order: expectations of products of 0 ... `order` indicators at different ranks."""
    p: list[Any] = [1.0]
    for j in range(order):
        p.append(p[-1] * np.maximum(relevant - j, 0) / max(items - j, 1))
    return p


@lru_cache(4096)  # for a thousand rankings, each of which asks several times
def mean(items: int, relevant: int, cutoff: int | None = None) -> float:
    """E[S]/m in O(1): the mean of AP at `cutoff`, divided by the number of relevant items."""
    n, m, k = items, relevant, items if cutoff is None else min(cutoff, items)
    h = harmonic(k)[0]
    first = h / n
    second = (m - 1) / (n * (n - 1)) * (k - h) if n > 1 else 0.0
    return first + second


@lru_cache(4096)
def variance(items: int, relevant: int, cutoff: int | None = None) -> float:
    """Var[S]/m² in O(1)."""
    n, m = items, relevant
    if n <= 3 or (cutoff is not None and cutoff < n):
        return max(float(block(0, 0, n, m, cutoff)[1]) / m**2, 0.0)
    s, t = harmonic(n)
    # The factor n - m is taken out, so that nothing cancels if nearly all items are relevant. The
    # counts are Python integers: n^4 is beyond float64 from n = 10^4 on.
    square = (
        m * m * (-2 * n * n - 2 * n + 6) + m * (n**3 + 6 * n * n - 9 * n) - 2 * n**3 + 2 * n * n
    )
    parts = (
        square * s * s
        + n * (m - 1) * (n - 3) * (2 * m - n + 1) * s
        + n * (3 * m - n) * (n - 1) * (m - n + 1) * t
        + n * n * (m - 1) * (m * n + m - 4 * n + 4)
    )
    return max((n - m) * parts / (m * n * n * (n - 1) ** 2 * (n - 2) * (n - 3)), 0.0)


def block(
    rank: int, before: object, size: int, hits: object, cutoff: int | None = None
) -> tuple[Any, Any]:
    """Mean and variance of the part of S from the `size` ranks after `rank`, in O(1).

    `before` hits stand before this block, and `hits` inside it in random order; both may be arrays.
    Only the first `cutoff` ranks of the block are counted. With rank = before = 0 and size = n it
    is the whole list.
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
    both = (wide(r) * k + half - wide(2 * r + 3) * k + wide(r + 1) * (r + 2) * one) / 2 - (
        r + 1
    ) * later
    second = c * c * p[1] * two + (2 * c + 1) * p[2] * near + p[3] * far
    second = second + 2 * (
        c * (c + 1) * p[2] * pairs
        + (2 * c + 2) * p[3] * step
        + p[4] * steps
        + c * p[3] * later
        + p[4] * both
    )
    return first.astype(np.float64), np.maximum(second - first * first, 0).astype(np.float64)


def label_powers(items: int, relevant: int) -> list[float]:
    """Central power sums 0 ... 4 of `items` labels, which are 1 for `relevant` items and else 0."""
    share, other = relevant / items, items - relevant
    return [relevant * (1 - share) ** k + other * (-relevant / items) ** k for k in range(5)]


def central_sums(values: Float64) -> list[float]:
    """Central power sums 0 ... 4."""
    return [float(((values - values.mean()) ** k).sum()) for k in range(5)]


def linear_shape(items: int, a: list[float], b: list[float]) -> tuple[float, float]:
    """Skewness and excess kurtosis of the sum of a_i b_rank(i) in random order, from the central
    power sums 0 ... 4 of both.
    """
    n = items
    var = a[2] * b[2] / (n - 1) if n > 1 else 0.0
    if not var > 0:
        return float("nan"), float("nan")
    third = a[3] * b[3] * n / ((n - 1) * (n - 2)) if n > 2 else 0.0
    # Sums over different indices of a_i^k ..., by their partitions: 4, 2+2, 3+1, 2+1+1, 1+1+1+1.
    sums = [
        (x[4], x[2] ** 2 - x[4], -x[4], 2 * x[4] - x[2] ** 2, 3 * x[2] ** 2 - 6 * x[4])
        for x in (a, b)
    ]
    times, parts = (1, 3, 4, 6, 1), (1, 2, 2, 3, 4)
    fourth = 0.0
    for often, different, one, two in zip(times, parts, *sums, strict=True):
        ways = float(np.prod([n - i for i in range(different)]))
        fourth += often * one * two / ways if ways else 0.0
    return third / var**1.5, fourth / var**2 - 3


def central(one: Any, two: Any, three: Any, four: Any) -> tuple[Any, Any, Any]:
    """Variance, third and fourth central moment from E[X], E[X²], E[X³], E[X⁴]."""
    third = three - 3 * one * two + 2 * one**3
    fourth = four - 4 * one * three + 6 * one * one * two - 3 * one**4
    return two - one * one, third, fourth


#: How many first ranks are added one by one.
_ADDED = 2048
#: Relative rounding of a moment; errors from which a skewness and a kurtosis are replaced.
_ROUNDING, _LOST_SKEWNESS, _LOST = 8 * float(np.finfo(np.longdouble).eps), 1e-6, 1e-5
#: If m²/n is less, the skewness is not yet near its limit.
_DENSE = 1e3
#: Chebyshev points per doubling block: the error of interpolation is 5.8^-28.
_POINTS = 28
#: E[S^a H^b] by (a, b), as coefficients of p_0, p_1, ...
Levels = dict[tuple[int, int], Wide]
#: A hit at rank t adds fixed + slope x (hits so far): powers 0 ... 4 of both, at several ranks.
Amounts = tuple[list[Wide] | None, list[Wide]]


def cumulants(
    items: int, relevant: int, cutoff: int | None = None
) -> tuple[float, float, float, float]:
    """Mean, variance, skewness and excess kurtosis of S = m AP at `cutoff`."""
    count = items if cutoff is None else min(cutoff, items)
    if count == items and 2 * relevant > items:
        mean, variance, skewness, kurtosis = lost_cumulants(items, 0, 0, items - relevant)
        return relevant - mean, variance, -skewness, kurtosis
    return rest_cumulants(0, 0, items, relevant, count)


def rest_cumulants(
    rank: int, before: int, size: int, hits: int, count: int
) -> tuple[float, float, float, float]:
    """The same for the part of S from the first `count` of the `size` ranks after `rank`.

    `before` hits stand before these ranks, and `hits` are spread over the `size` ranks.
    """
    limit = limit_skewness(size, hits) if count == size else None
    return standardise(_rows(rank, count, before), size, hits, limit)


def lost_cumulants(
    items: int, rank: int, before: int, misses: int
) -> tuple[float, float, float, float]:
    """The same for the loss by `misses` that are spread over the ranks after `rank` of `items`.

    `before` misses stand before these ranks.
    """
    size = items - rank
    return standardise(
        _rows(rank, size, before, items), size, misses, -limit_skewness(size, size - misses)
    )


def limit_skewness(items: int, relevant: int) -> float:
    """The limit of the skewness of AP, 2 (4 - 5p) / sqrt(n p (1-p)); NaN if it is not yet near.

    The greater part of S - m²/n is p times the sum of (Y_t - p) (H_n - H_{t-1}), whose third
    cumulant is 2 p⁴ (1-p) (1-2p) n. The rest is the sum of (Y_t - p) (H_t - p t) / t. The joint
    cumulant of the greater part, taken twice, and the rest counts three times: 6 p⁴ (1-p)² n.
    """
    p = relevant / items
    if not 0 < p < 1 or relevant * p < _DENSE:
        return float("nan")
    return 2 * (4 - 5 * p) / sqrt(relevant * (1 - p))


def standardise(
    rows: list[Any], size: int, hits: int, limit: float | None = None
) -> tuple[float, float, float, float]:
    """Mean, variance, skewness and excess kurtosis from rows of coefficients of E[S], ..., E[S^4]
    in p_j.

    With millions of hits the mean has so many digits that extended floats lose the kurtosis. Then
    the kurtosis is next to nothing, and that of the Pearson III distribution with this skewness is
    returned. With more hits the skewness is also lost, and the `limit` is returned.
    """
    p = [np.longdouble(one) for one in products(size, np.longdouble(hits), 8)]
    one, two, three, four = (
        sum(c * factor for c, factor in zip(row, p, strict=False)) for row in rows
    )
    variance, third, fourth = central(one, two, three, four)
    if not variance > 1e-17 * two:
        return float(one), 0.0, float("nan"), float("nan")
    skewness, kurtosis = float(third / variance**1.5), float(fourth / variance**2 - 3)
    many = float(one) / float(variance) ** 0.5
    if limit is not None and _ROUNDING * many**3 > _LOST_SKEWNESS:
        skewness = limit
    if _ROUNDING * many**4 > _LOST:
        kurtosis = 1.5 * skewness**2
    return float(one), float(variance), skewness, kurtosis


@lru_cache(maxsize=64)
def _rows(rank: int, count: int, before: int, items: int | None = None) -> list[Any]:
    """Coefficients of E[S], ..., E[S^4] in p_0, p_1, ...; one pass serves every number of hits.

    With `items` they are those of the loss, and `before` counts misses.
    """
    last = starting_levels(before)
    end, start = rank + count, rank
    if start < _ADDED:
        stop = min(end, _ADDED)
        t = np.arange(start + 1, stop + 1).astype(np.longdouble)
        last = add_increments(last, partial(_increments, _amounts(t, items)))
        start = stop
    while start < end:
        stop = min(end, 2 * start)
        last = _smooth(start, stop, last, items)
        start = stop
    return [last[a, 0] for a in range(1, 5)]


def _amounts(t: Wide, items: int | None) -> Amounts:
    """The amount of a hit at each rank t, 1/t for each of the hits so far; with `items` the loss by
    a miss there.
    """
    if items is None:
        return None, [t**-i for i in range(5)]
    after = reciprocals_from(t, items)
    return [after**i for i in range(5)], [(-1 / t) ** i for i in range(5)]


def reciprocals_from(t: Wide, items: int) -> Wide:
    """The sum of 1/s over the ranks s = t ... `items`.

    t may lie between two ranks, unless ranks there are added one by one.
    """
    a, b = np.maximum(t, _ADDED) - np.longdouble(0.5), items + np.longdouble(0.5)
    far = np.log1p((b - a) / a) + _far(b) - _far(a)
    near = t < _ADDED
    return np.where(
        near, reciprocals(np.where(near, t - 1, 0), np.where(near, items - t + 1, 0)), far
    )


def starting_levels(before: int) -> Levels:
    """E[S^a H^b] before the first rank, with `before` hits: S is 0."""
    pairs = [(a, b) for a in range(5) for b in range(5 - a)]
    levels: Levels = {(a, b): np.zeros(2 * a + b + 1, np.longdouble) for a, b in pairs}
    for b in range(5):
        levels[0, b][0] = np.longdouble(before) ** b
    return levels


def add_increments(last: Levels, increments: Callable[[Levels, int, int], Wide]) -> Levels:
    """The levels after ranks or blocks, whose `increments` follow from the levels before each."""
    before: Levels = {}
    after: Levels = {}
    for a, b in last:
        total = np.cumsum(increments(before, a, b), axis=1) + last[a, b][:, None]
        before[a, b] = np.concatenate((last[a, b][:, None], total[:, :-1]), axis=1)
        after[a, b] = total[:, -1]
    return after


def _increments(amounts: Amounts, before: Levels, a: int, b: int) -> Wide:
    """The increase of E[S^a H^b] by one rank, as rows of coefficients of p, for several ranks."""
    fixed, slope = amounts
    result = np.zeros((2 * a + b + 1, len(slope[0])), np.longdouble)
    for i in range(a + 1):
        # (fixed + slope h)^i h^b with h = H + 1, by powers of h and then of H.
        for j in [i] if fixed is None else range(i + 1):
            factor = slope[j] if fixed is None else comb(i, j) * fixed[i - j] * slope[j]
            for c in range(j + b + 1):
                if i or c < b:
                    source = before[a - i, c]
                    result[1 : 1 + len(source)] += comb(a, i) * comb(j + b, c) * factor * source
    return result


def _smooth(start: int, stop: int, last: Levels, items: int | None) -> Levels:
    """The levels after ranks start+1 ... stop: those before rank t are smooth functions of t."""
    half = np.longdouble(stop - start) / 2
    amounts = _amounts(start + 1 + half * (1 + _nodes()), items)
    sums = _summation(half)
    before: Levels = {}
    for a, b in last:
        before[a, b] = last[a, b][:, None] + _increments(amounts, before, a, b) @ sums.T
    return {pair: values[:, -1] for pair, values in before.items()}


@lru_cache(maxsize=1)
def _nodes() -> Wide:
    """Chebyshev points from -1 to 1."""
    # With pi as a float of 64 bits the cosines would lose their last digits.
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
    """The matrix that sums f(t) over whole t from the first node to each node, without that node:
    Euler-Maclaurin.
    """
    integral, slope = _calculus()
    slope = slope / half
    third = slope @ slope @ slope
    ends = (
        -np.eye(_POINTS, dtype=np.longdouble) / 2
        + slope / 12
        - third / 720
        + third @ slope @ slope / 30240
    )
    return np.asarray(half * integral + ends - ends[0], np.longdouble)
