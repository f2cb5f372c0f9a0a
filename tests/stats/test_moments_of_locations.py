"""Moments of the ranks of hits, in closed form, against lists of all ranks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import precall as pc
from precall.stats.null import hits_and_ranks
from precall.stats.null.hits_and_ranks import standardised_moments


@pytest.mark.parametrize(
    ("n", "m", "j"), [(8, 3, 2), (100, 7, 7), (3000, 40, 10), (10, 9, 1), (10, 1, 1)]
)
def test_moments_of_a_location(n: int, m: int, j: int) -> None:
    null = pc.null.location(n, m, j)
    values, chance = null._atoms()
    mean = float((values * chance).sum())
    assert null.mean == pytest.approx(mean, rel=1e-12)
    assert null.var == pytest.approx(float((chance * (values - mean) ** 2).sum()), rel=1e-11)
    assert (null.skewness, null.kurtosis) == pytest.approx(
        standardised_moments(values, chance), rel=1e-9
    )


def test_a_fixed_location_has_no_shape() -> None:
    for null in (pc.null.location(5, 5, 3), pc.null.reciprocal_rank(5, 5)):
        assert null.var == 0 and np.isnan(null.skewness) and np.isnan(null.kurtosis)


@pytest.mark.parametrize(
    ("n", "m"),
    [
        (8, 3),
        (100, 1),
        (100, 7),
        (100, 99),
        (3000, 40),
        (3000, 2000),
        (10**5, 10),
        (10**5, 9 * 10**4),
    ],
)
def test_moments_of_a_reciprocal_rank(n: int, m: int, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = pc.null.reciprocal_rank(n, m)
    values, chance = listed._atoms()
    monkeypatch.setattr(hits_and_ranks, "_LISTED", 0)
    null = pc.null.reciprocal_rank(n, m)
    assert null.var == pytest.approx(float((chance * (values - listed.mean) ** 2).sum()), rel=1e-10)
    assert (null.skewness, null.kurtosis) == pytest.approx(
        standardised_moments(values, chance), rel=1e-8
    )


def test_moments_of_any_length() -> None:
    # E[1/L] of three hits: 3/(n-2) (H_n - H_2).
    null = pc.null.reciprocal_rank(10**9, 3)
    assert null.mean == pytest.approx(3e-9 * (np.log(1e9) + 0.5772156649 - 1.5), rel=1e-8)
    assert null.std == pytest.approx((3e-9 * (np.pi**2 / 6)) ** 0.5, rel=1e-6)
    law = pc.null.location(10**12, 3, 2)
    # As of the middle of three numbers between 0 and 1: beta(2, 2).
    assert (law.skewness, law.kurtosis) == pytest.approx((0, -6 / 7), abs=1e-9)
    assert law.mean == float(Fraction(10**12 + 1, 2))
