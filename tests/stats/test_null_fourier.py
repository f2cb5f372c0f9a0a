"""Sums of scores drawn without replacement: against exact counts and weighted simulation."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

import precall as pc
from precall.stats.null.tail import fourier
from tests.oracle.weighted_blocks import Weighted


def counted(size, score, drawn):
    """Sums of `drawn` whole scores from `least` on, and in how many ways they come about: block by
    block.
    """
    least = min(score)
    ways = [[0] * ((max(score) - least) * drawn + 1) for _ in range(drawn + 1)]
    ways[0][0] = 1
    for items, one in zip(size, score, strict=True):
        after = [row[:] for row in ways]
        for q in range(1, min(items, drawn) + 1):
            shift = q * (one - least)
            for h in range(q, drawn + 1):
                for u, count in enumerate(ways[h - q][: len(ways[h]) - shift]):
                    if count:
                        after[h][u + shift] += comb(items, q) * count
        ways = after
    return least * drawn, ways[drawn]


@pytest.mark.parametrize("few", [40, 3])
@pytest.mark.parametrize(
    ("size", "score", "drawn"),
    [
        ((1, 2, 3, 1, 4), (9, 4, 3, 1, 0), 4),
        ((30, 2, 5, 1, 4, 8), (0, 1, 2, 5, 7, 3), 9),
        ((6, 6, 6, 6), (0, 5, 10, 15), 12),
        ((40, 1, 1, 60), (7, 3, 2, 0), 6),
    ],
)
def test_every_sum(size, score, drawn, few, monkeypatch):
    """By power sums, by integrals of a series and of logarithms."""
    monkeypatch.setattr(fourier, "FEW", few)
    least, ways = counted(size, score, drawn)
    null = fourier.drawn_sum(np.array(size), 2 * np.array(score), drawn)
    exact = np.cumsum(ways[::-1])[::-1] / comb(sum(size), drawn)
    sums = least + np.arange(len(ways))
    assert null(sums.astype(float)) == pytest.approx(exact, rel=1e-6, abs=1e-11)
    # Between two sums it is the tail of the next.
    assert null(sums - 0.4) == pytest.approx(exact, rel=1e-6, abs=1e-11)


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("drawn", [20, 1000])
def test_two_large_blocks_and_dust(drawn):
    """A grid cannot have all sums: two blocks of half the items each make steps a tenth of a
    deviation wide.
    """
    blocks = np.array([3000, *[1] * 40, 2950, *[3] * 30])
    null = pc.null.area_under_roc(int(blocks.sum()), drawn, blocks=blocks)
    area = Weighted(blocks, drawn, "area")
    value, _ = area.draw(area.tilted(3.5), 50, np.random.default_rng(1))
    x = float(np.median(value)) / area.scale
    estimate, error, _ = area.tail(x, 20_000, 5)
    assert error < 0.05 * estimate < 1e-4
    assert null.sf(x) == pytest.approx(estimate, abs=3.5 * error)


@pytest.mark.nightly
def test_more_scores_than_are_integrated():
    sizes = np.random.default_rng(2).integers(1, 9, 300)
    n = int(sizes.sum())
    null, area = pc.null.area_under_roc(n, n // 5, blocks=sizes), Weighted(sizes, n // 5, "area")
    x = 0.5 + 4.5 * null.std
    estimate, error, _ = area.tail(x, 8_000, 5)
    assert error < 0.06 * estimate < 1e-5
    assert abs(null.sf(x) - estimate) < 3.5 * error


def test_misses_are_counted_where_they_are_fewer():
    few = pc.null.area_under_roc(5000, 100, blocks=[2] * 2500)
    many = pc.null.area_under_roc(5000, 4900, blocks=[2] * 2500)
    for z in (-2, 0.5, 4):
        assert few.sf(0.5 + z * few.std) == pytest.approx(many.sf(0.5 + z * few.std), rel=1e-3)


def test_what_is_too_small_is_an_upper_bound():
    found = pc.null.area_under_roc(5000, 400, blocks=[5] * 1000).tail(0.9)
    assert 0 < found.p <= 1e-12
    assert found.bound
    assert np.isinf(found.error)
