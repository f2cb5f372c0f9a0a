"""P(X <= x) at the least values: it was 1 - P(X > x), so .888 of the truth, or 0.

Older tests compared upper tails at p = 1e-6 and below, and lower ones at .001 and above only.
"""

from __future__ import annotations

import time
from math import comb

import pytest

import precall as pc


@pytest.mark.parametrize("items", [100, 10**6, 10**7, 2 * 10**7, 10**9])
def test_the_worst_area_is_as_likely_as_the_best(items: int) -> None:
    null = pc.null.area_under_roc(items, 2)
    assert null.cdf(0.0) == pytest.approx(2 / (items * (items - 1)), rel=1e-12)
    assert null.cdf(0.0) == null.sf(1.0)


@pytest.mark.parametrize(("items", "relevant"), [(40, 20), (1000, 10), (10**4, 200), (10**6, 300)])
def test_the_area_is_symmetric(items: int, relevant: int) -> None:
    null = pc.null.area_under_roc(items, relevant)
    for x in (0.05, 0.25, 0.4, 0.5):
        assert null.cdf(x) == pytest.approx(null.sf(1 - x), rel=1e-9)


def test_no_hits_at_all() -> None:
    assert pc.null.hits(2000, 1000, 100).cdf(0) == pytest.approx(comb(1000, 100) / comb(2000, 100), rel=1e-9)
    assert pc.null.precision(2000, 1000, 100).cdf(0.0) == pc.null.recall(2000, 1000, 100).cdf(0.0)


def test_the_last_first_hit() -> None:
    for items in (5000, 2 * 10**7):
        null = pc.null.reciprocal_rank(items, 3)
        assert null.cdf(1 / (items - 2)) == pytest.approx(1 / comb(items, 3), rel=1e-6)


def test_listed_values_of_average_precision() -> None:
    null = pc.null.average_precision(60, 4)
    least = sum((i + 1) / (57 + i) for i in range(4)) / 4
    assert null.cdf(least) == pytest.approx(1 / comb(60, 4), rel=1e-9)
    assert null.ppf(0.9 / comb(60, 4)) == pytest.approx(least, rel=1e-12)


def test_quantiles_of_a_large_area_take_no_seconds() -> None:
    # Each step of the bisection counted thirty million placements anew: 22 s.
    start = time.process_time()
    assert "10 of 1000000000000 items" in str(pc.null.area_under_roc(10**12, 10))
    assert time.process_time() - start < 2
