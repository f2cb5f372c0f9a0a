"""Quantiles of means with random weights: beta distributions, draws, mirror images, and means that
have no other quantile.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precall.stats.intervals.bayesian import quantile
from tests.peers import peer

stats = peer("scipy.stats")

SHARES = (0.005, 0.025, 0.3, 0.5, 0.975, 0.999)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (1, 1),
        (3, 2),
        (1 / 3, 2 / 3),
        (2 / 3, 12 + 1 / 3),
        (0.5, 200.5),
        (10_000.3, 2.7),
        (1e5, 1e5),
        (0.4, 1e4),
    ],
)
def test_zeros_and_ones_are_beta(a: float, b: float) -> None:
    for share in SHARES:
        found = quantile(np.array([0.0, 1.0]), np.array([b, a]), share)
        assert found == pytest.approx(stats.beta.ppf(share, a, b), abs=2e-8)


@pytest.mark.parametrize("a", [0.7, 3.0])
def test_a_value_that_is_repeated_is_one_of_more_weight(a: float) -> None:
    many = np.array([0.0, 0.3, 0.3, 0.3, 1.0]), np.array([2 / 3, a, 1, 1, 1 / 3])
    once = np.array([0.0, 0.3, 1.0]), np.array([2 / 3, a + 2, 1 / 3])
    for share in SHARES:
        assert quantile(*many, share) == pytest.approx(quantile(*once, share), abs=1e-9)


def test_two_equal_gammas_of_shape_half_are_an_arcsine() -> None:
    for share in SHARES:
        found = quantile(np.array([-2.0, 3.0]), np.array([0.5, 0.5]), share)
        assert found == pytest.approx(-2 + 5 * np.sin(np.pi * share / 2) ** 2, abs=1e-7)


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize("size", [1, 2, 5, 20, 80])
def test_against_draws(size: int) -> None:
    rng = np.random.default_rng(size)
    values = np.concatenate(([0.0], rng.beta(1, 3, size), [1.0]))
    shapes = np.concatenate(([2 / 3], np.ones(size), [1 / 3]))
    weights = rng.gamma(shapes, size=(200_000, len(shapes)))
    means = (weights @ values) / weights.sum(axis=1)
    for share in (0.025, 0.5, 0.975):
        below = (means <= quantile(values, shapes, share)).mean()
        assert abs(below - share) < 5 * (share * (1 - share) / 200_000) ** 0.5


@pytest.mark.nightly
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0.1, 40)), min_size=2, max_size=12),
    st.sampled_from(SHARES),
    st.floats(-50, 50),
    st.floats(0.01, 100),
)
def test_laws(pairs: list[tuple[float, float]], share: float, shift: float, scale: float) -> None:
    values, shapes = np.array(pairs).T
    found = quantile(values, shapes, share)
    assert values.min() <= found <= values.max()
    wide = np.ptp(values)
    # Turned around, moved and stretched; in another order; and rising with the share.
    assert quantile(1 - values, shapes, 1 - share) == pytest.approx(
        1 - found, abs=1e-7 * wide + 1e-15
    )
    moved = quantile(shift + scale * values, shapes, share)
    assert moved == pytest.approx(
        shift + scale * found, abs=1e-7 * scale * wide + 1e-12 * abs(shift) + 1e-15
    )
    assert quantile(values[::-1], shapes[::-1], share) == pytest.approx(
        found, abs=1e-8 * wide + 1e-15
    )
    assert quantile(values, shapes, share / 2) <= found + 1e-9 * wide


def test_equal_values_have_one_quantile() -> None:
    assert quantile(np.full(3, 0.2), np.ones(3), 0.025) == 0.2
