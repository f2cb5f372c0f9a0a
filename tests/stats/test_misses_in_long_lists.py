"""Skewness and tails of AP in long lists nearly all of which is relevant.

The skewness was that of a sum of nearly all items, whose third power leaves no digits: of 10^7
items with a thousand misses it was -.093 instead of -.063, of 10^8 with a hundred -262 instead of
-.2. So a p of .0001 was 10 % off, and with a thousand misses in 10^8 a p of .01 was .00075. Old
tests of such lists had twenty misses, which are convolved to the last, or 10^6 items, where there
still are digits enough.
"""

from __future__ import annotations

import pytest

import precall as pc


@pytest.mark.parametrize(
    ("items", "misses"), [(10**7, 1000), (10**8, 100), (10**8, 1000), (10**9, 400)]
)
def test_the_skewness_counts_misses(items, misses):
    # What q misses lose tends to a gamma variable of shape q, of skewness 2 / sqrt(q) and excess
    # kurtosis 6 / q.
    null = pc.null.average_precision(items, items - misses)
    assert null.skewness == pytest.approx(-2 / misses**0.5, rel=2e-3)
    assert null.kurtosis == pytest.approx(6 / misses, rel=2e-2)


@pytest.mark.nightly
@pytest.mark.parametrize(("items", "misses"), [(10**7, 200), (10**8, 100), (10**8, 1000)])
def test_tails_are_those_of_a_gamma_variable(items, misses):
    special = pytest.importorskip("scipy.special")
    null = pc.null.average_precision(items, items - misses)
    for p in (0.9, 0.5, 0.1, 0.01, 1e-4):
        lost = float(special.gammaincinv(misses, p))
        assert null.sf(1 - lost / null.relevant) == pytest.approx(p, rel=5e-3)
