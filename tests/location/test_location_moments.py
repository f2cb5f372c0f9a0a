"""Moments of L_i and 1/L_i, formulas (8) to (11) of Zhang & Su corrected, against every placement
of hits, as fractions.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import precall as pc

SIZES = [(n, m) for n in range(1, 9) for m in range(1, n + 1)]


def expected(n, m, value):
    """The mean over all placements."""
    return sum(
        (Fraction(value(ranks)) for ranks in combinations(range(1, n + 1), m)), Fraction(0)
    ) / comb(n, m)


@pytest.mark.parametrize(("n", "m"), SIZES)
def test_all_placements(n, m):
    null = pc.null
    for i in range(m):
        mean, turned = (
            expected(n, m, lambda rank, i=i: rank[i]),
            expected(n, m, lambda rank, i=i: Fraction(1, rank[i])),
        )
        assert null.location_mean(n, m, i + 1) == float(mean)
        assert null.reciprocal_location_mean(n, m, i + 1) == pytest.approx(float(turned), rel=1e-14)
        for j in range(i, m):
            hits, second = (n, m, i + 1, j + 1), expected(n, m, lambda rank, j=j: rank[j])
            product = expected(n, m, lambda rank, i=i, j=j: rank[i] * rank[j])
            assert null.location_product(*hits) == float(product)
            assert null.location_covariance(*hits) == float(product - mean * second)
            of_both = expected(n, m, lambda rank, i=i, j=j: Fraction(1, rank[i] * rank[j]))
            covariance = of_both - turned * expected(n, m, lambda rank, j=j: Fraction(1, rank[j]))
            assert null.reciprocal_location_covariance(*hits) == pytest.approx(
                float(covariance), rel=1e-11, abs=1e-16
            )
        assert null.location_variance(n, m, i + 1) == null.location_covariance(n, m, i + 1, i + 1)


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize(("n", "m"), [(30, 3), (30, 12), (40, 33)])
def test_they_make_mean_and_variance_of_ap(n, m):
    # AP = Σ (i / L_i) / m: (12) and (13) of Zhang & Su with what is true in the place of their
    # series.
    hits = range(1, m + 1)
    mean = sum(i * pc.null.reciprocal_location_mean(n, m, i) for i in hits) / m
    pairs = ((i, j, pc.null.reciprocal_location_covariance(n, m, i, j)) for i in hits for j in hits)
    variance = sum(i * j * covariance for i, j, covariance in pairs) / m**2
    null = pc.null.average_precision(n, m)
    assert (mean, variance) == pytest.approx((null.mean, null.var), rel=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_against_the_distributions(data):
    n = data.draw(st.integers(2, 400))
    m = data.draw(st.integers(1, n))
    i, j = sorted(data.draw(st.integers(1, m)) for _ in range(2))
    rank, chance = pc.null.location(n, m, i)._atoms()
    mean = float((chance / rank).sum())
    assert pc.null.reciprocal_location_mean(n, m, i) == pytest.approx(mean, rel=1e-11)
    variance = float((chance * (1 / rank - mean) ** 2).sum())
    assert pc.null.reciprocal_location_variance(n, m, i) == pytest.approx(
        variance, rel=1e-8, abs=1e-15
    )
    if i < j:
        both = pc.null.locations(n, m, i, j)
        assert pc.null.location_covariance(n, m, j, i) == both.covariance
        assert both.mean == (pc.null.location_mean(n, m, i), pc.null.location_mean(n, m, j))


def test_of_the_first_hit_it_is_reciprocal_rank():
    null = pc.null.reciprocal_rank(1000, 100)
    assert pc.null.reciprocal_location_mean(1000, 100, 1) == pytest.approx(null.mean, rel=1e-14)
    assert pc.null.reciprocal_location_variance(1000, 100, 1) == pytest.approx(null.var, rel=1e-12)


@pytest.mark.nightly
def test_drawn_pairs():
    drawn = 1 / pc.null.locations(200, 150, 3, 8).rvs(30_000, rng=1)
    covariance = pc.null.reciprocal_location_covariance(200, 150, 3, 8)
    assert covariance == pytest.approx(np.cov(drawn.T)[0, 1], rel=0.05)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: pc.null.location_mean(8, 9, 1), "m: must be an integer in 1..8, got 9"),
        (lambda: pc.null.location_covariance(8, 3, 1, 4), "j: must be an integer in 1..3, got 4"),
        (lambda: pc.null.reciprocal_location_mean(8, 3, 0), "i: must be an integer in 1..3, got 0"),
        (lambda: pc.null.reciprocal_location_covariance(10**6, 10**4, 1, 9000), "simulate"),
    ],
)
def test_what_is_refused(call, said):
    with pytest.raises(pc.UsageError, match=said):
        call()
