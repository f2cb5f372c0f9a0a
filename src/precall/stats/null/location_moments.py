"""Moments of L_i, the rank of the i-th hit, and of 1/L_i: formulas (8) to (11) of Zhang & Su
(2012), corrected.

Precision at the i-th hit is i / L_i, and AP is its mean over hits, so AP's mean and variance follow
from these moments. With m of n items relevant let r(m, i) = E[1/L_i] and s(m, i) = E[1/L_i²]. As
C(k-1, i-1) / k is C(k-1, i-2) / (i-1) - C(k-1, i-2) / k,

    r(m, i) = m / (n-m+1) (1 / (i-1) - r(m-1, i-1)),   s(m, i) = m / (n-m+1) (r(m-1, i-1) / (i-1) - s(m-1, i-1)).

Up to m = (n+1)/2 the steps go upwards from the first hit of m-i+1 and lose no digits. Beyond, they
go downwards from m = n, where L_i = i."""  # noqa: E501

from __future__ import annotations

import numpy as np

from precall.core.arguments import check_whole
from precall.core.errors import UsageError
from precall.core.ragged import Float64, Int64
from precall.stats.null.hits_and_ranks import Location, covariance_of, mean_of
from precall.stats.null.tail.moments import harmonic
from precall.stats.null.tail.ranks_of_hits import first_hit

#: Most steps times ranks of a covariance of reciprocals; they take some seconds.
_STEPS = 5 * 10**8


def location_mean(n: int, m: int, i: int) -> float:
    """E L_i = i (n+1) / (m+1), the mean rank of the i-th of m hits at random ranks.

    Zhang & Su (2012) print i n / m in (8), with which the last hit would always stand at the last
    rank.

    Parameters
    ----------
    n, m, i : items in the ranking, relevant items, which hit; 1 <= i <= m <= n.

    Returns
    -------
    float
        Correctly rounded; in i..n.

    Raises
    ------
    UsageError
        A count is out of range.

    See Also
    --------
    location : the whole distribution.

    Examples
    --------
    >>> location_mean(10, 4, 2)
    4.4
    """
    n, m, i = _check(n, m, i)
    return mean_of(n, m, i)


def location_variance(n: int, m: int, i: int) -> float:
    """Var L_i = i (n+1) (n-m) (m+1-i) / ((m+1)² (m+2)); 0 if all items are relevant.

    Beside (8) Zhang & Su (2012) print the variance of n-1 items with m-1 hits, which is 0 for the
    last hit.

    Parameters
    ----------
    n, m, i : items in the ranking, relevant items, which hit; 1 <= i <= m <= n.

    Returns
    -------
    float
        Correctly rounded.

    Raises
    ------
    UsageError
        A count is out of range.

    Examples
    --------
    >>> location_variance(8, 3, 2)
    2.25
    """
    return location_covariance(n, m, i, i)


def location_product(n: int, m: int, i: int, j: int) -> float:
    """E[L_i L_j] = i (n+1) (j (n+2) + n - m) / ((m+1) (m+2)) for i <= j.

    In (9) Zhang & Su (2012) print the product of n-2 items with m-2 hits.

    Parameters
    ----------
    n, m, i, j : items in the ranking, relevant items, which hit, which other or the same; 1 <= i, j
        <= m <= n.

    Returns
    -------
    float
        Correctly rounded.

    Raises
    ------
    UsageError
        A count is out of range.

    Examples
    --------
    >>> location_product(8, 3, 1, 3)
    15.75
    """
    n, m, i, j = _checked_two(n, m, i, j)
    return i * (n + 1) * (j * (n + 2) + n - m) / ((m + 1) * (m + 2))


def location_covariance(n: int, m: int, i: int, j: int) -> float:
    """Cov(L_i, L_j) = i (n+1) (n-m) (m+1-j) / ((m+1)² (m+2)) for i <= j; with i = j it is the
    variance.

    (10) of Zhang & Su (2012) takes E L_i L_j and E L_i from two other numbers of items. It is too
    large: 1.08 to 210 times for 100 hits in 1000.

    Parameters
    ----------
    n, m, i, j : items in the ranking, relevant items, which hit, which other or the same; 1 <= i, j
        <= m <= n.

    Returns
    -------
    float
        Correctly rounded; never negative.

    Raises
    ------
    UsageError
        A count is out of range.

    See Also
    --------
    locations : the joint distribution of two hits.

    Examples
    --------
    >>> location_covariance(8, 3, 1, 3)
    0.5625
    """
    n, m, i, j = _checked_two(n, m, i, j)
    return covariance_of(n, m, i, j)


def reciprocal_location_mean(n: int, m: int, i: int) -> float:
    """E[1/L_i], exactly; i times it is the mean precision at the i-th hit.

    For i = 1 it is m / (n-m+1) (H_n - H_{m-1}), where H_n is the harmonic number: the mean
    reciprocal rank. Zhang & Su (2012) approximate it by a series about E L_i.

    Parameters
    ----------
    n, m, i : items in the ranking, relevant items, which hit; 1 <= i <= m <= n.

    Returns
    -------
    float
        Exact up to rounding; it takes as many steps as there are hits or other items, whichever are
        fewer.

    Raises
    ------
    UsageError
        A count is out of range.

    Examples
    --------
    >>> round(reciprocal_location_mean(8, 3, 1), 6), round(reciprocal_location_mean(8, 3, 2), 6)
    (0.608929, 0.254592)
    """
    n, m, i = _check(n, m, i)
    return float(_means(np.array([n]), m, i)[0])


def reciprocal_location_variance(n: int, m: int, i: int) -> float:
    """Var(1/L_i), exactly.

    Zhang & Su (2012) approximate it by a series about E L_i, which is far off for the first hits.

    Parameters
    ----------
    n, m, i : items in the ranking, relevant items, which hit; 1 <= i <= m <= n.

    Returns
    -------
    float
        Exact up to rounding; 0 if all items are relevant.

    Raises
    ------
    UsageError
        A count is out of range.

    Examples
    --------
    >>> round(reciprocal_location_variance(8, 3, 1), 6)
    0.100347
    """
    n, m, i = _check(n, m, i)
    mean, square = _two(n, m, i)
    return max(square - mean**2, 0.0) if m < n else 0.0


def reciprocal_location_covariance(n: int, m: int, i: int, j: int) -> float:
    """Cov(1/L_i, 1/L_j), exactly; with i = j it is the variance.

    The variance of AP is Σ_i Σ_j i j Cov(1/L_i, 1/L_j) / m². Zhang & Su (2012) approximate the
    covariance by a series of their (10).

    Parameters
    ----------
    n, m, i, j : items in the ranking, relevant items, which hit, which other or the same; 1 <= i, j
        <= m <= n.

    Returns
    -------
    float
        Exact up to rounding: the sum of P(L_j = t) / t times E[1/L_i] of t-1 items with j-1 hits,
        over all ranks t of the later hit.

    Raises
    ------
    UsageError
        A count is out of range, or the product of ranks and hits is more than 5·10⁸.

    Examples
    --------
    >>> round(reciprocal_location_covariance(8, 3, 1, 3), 6)
    0.003973
    """
    n, m, i, j = _checked_two(n, m, i, j)
    if i == j:
        return reciprocal_location_variance(n, m, i)
    if (n - m + 1) * j > _STEPS:
        raise UsageError(
            argument="n",
            what=(
                f"up to {_STEPS:,} ranks times hits are computed, here there are "
                f"{(n - m + 1) * j:,}"
            ),
            remedy="simulate: np.cov(1 / pc.null.locations(n, m, i, j).rvs(100_000).T)",
        )
    rank, chance = Location(n, m, j, False)._mass
    before = _means(rank.astype(np.int64) - 1, j - 1, i)
    product = float((chance / rank * before).sum())
    means = (_means(np.array([n]), m, hit)[0] for hit in (i, j))
    first, second = map(float, means)
    return product - first * second if m < n else 0.0


def _check(n: int, m: int, i: int) -> tuple[int, int, int]:
    n = check_whole("n", n, 1)
    m = check_whole("m", m, 1, n)
    return n, m, check_whole("i", i, 1, m)


def _checked_two(n: int, m: int, i: int, j: int) -> tuple[int, int, int, int]:
    """The counts, checked, and the two hits in ascending order."""
    n, m, i = _check(n, m, i)
    j = check_whole("j", j, 1, m)
    return n, m, min(i, j), max(i, j)


def _means(n: Int64, m: int, i: int) -> Float64:
    """E[1/L_i] of m hits for each number of items in `n`, which ascend by 1."""
    others = m - i
    result = np.empty(len(n))
    many = np.searchsorted(n, 2 * m - 1)
    few = n[many:].astype(np.float64)
    if len(few):
        total = np.cumsum(np.append(harmonic(others, int(few[0]) - others)[0], 1 / few[1:]))
        mean = (others + 1) / (few - others) * total
        for hits in range(others + 2, m + 1):
            mean = hits / (few - hits + 1) * (1 / (hits - others - 1) - mean)
        result[many:] = mean
    if many:
        result[:many] = _from_all(n[:many].astype(np.float64), m, others)
    return result


def _from_all(n: Float64, m: int, others: int) -> Float64:
    """E[1/L_i] if most items are hits: the steps go from all items down to m hits."""
    mean = 1 / (n - others)
    for hits in range(int(n[-1]), m, -1):
        # For n < hits the recursion has not begun: these keep their first value.
        at = int(np.searchsorted(n, hits))
        mean[at:] = 1 / (hits - others - 1) - (n[at:] - hits + 1) / hits * mean[at:]
    return mean


def _two(n: int, m: int, i: int) -> tuple[float, float]:
    """E[1/L_i] and E[1/L_i²]."""
    others = m - i
    if 2 * m <= n + 1:
        mean, square, *_ = first_hit(n, others + 1)
        for hits in range(others + 2, m + 1):
            factor, last = hits / (n - hits + 1), hits - others - 1
            mean, square = factor * (1 / last - mean), factor * (mean / last - square)
        return mean, square
    mean, square = 1 / (n - others), 1 / (n - others) ** 2
    for hits in range(n, m, -1):
        factor, last = (n - hits + 1) / hits, hits - others - 1
        mean = 1 / last - factor * mean
        square = mean / last - factor * square
    return mean, square
