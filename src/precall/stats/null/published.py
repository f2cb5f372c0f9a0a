"""The normal approximation of AP that Zhang & Su published in 2012; docs/why/errata.md lists its
errata.
"""

from __future__ import annotations

import numpy as np

from precall.core.errors import Fact, UsageError
from precall.stats.null.distribution import Normal


def zhang_su(items: int, relevant: int) -> Normal:
    """The normal approximation with the mean of their (12) and the variance of (13) as in their
    Table III.

    Their E L_i = i n / m and Var L_i belong to n - 1 items and m - 1 hits, their E L_i L_j to n - 2
    items and m - 2 hits. Var + Cov over i <= j, without the factor 2 of (13), reproduces Table III
    to all digits: two errors that nearly cancel.
    """
    n, m = items, relevant
    if m < 2:
        raise UsageError("needs at least 2 relevant items", argument="zhang_su()", got=Fact(m))
    i = np.arange(1, m + 1, dtype=np.float64)
    mean = i * n / m
    variance = i * n * (n - m) * (m - i) / (m * m * (m + 1))
    slope = i / mean**2
    # Running sums give the sum over i <= j of slope_i slope_j Cov(L_i, L_j) in one pass.
    weighted = slope * i
    before = np.cumsum(weighted)
    joint = (n - 1) / (m * (m - 1))
    pairs = slope * before * (joint * (i * n + n - m) - i * n * n / m**2)
    # The variance of 1/L_i is expanded to second order, as is its mean.
    single = slope**2 * variance * (1 - variance / mean**2)
    total = single.sum() + pairs.sum()
    first = (i / mean + i * variance / mean**3).sum() / m
    return Normal(
        f"Zhang & Su (2012), {m} of {n} items relevant", (float(first), float(total) / m**2)
    )
