"""P(X <= x) at the least values: it was 1 - P(X > x), so .888 of the truth, or 0.

Older tests compared upper tails at p = 1e-6 and below, and lower ones at .001 and above only.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

import numpy as np
import pytest

import precall as pc
from precall.core.errors import UsageError
from precall.core.ragged import Int64
from precall.stats.null.significance import outcome_of_mean
from precall.stats.null.tail import random_placements
from tests.processor import timed


@pytest.mark.nightly(keep=1)
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
    assert pc.null.hits(2000, 1000, 100).cdf(0) == pytest.approx(
        comb(1000, 100) / comb(2000, 100), rel=1e-9
    )
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
    said, taken = timed(lambda: str(pc.null.area_under_roc(10**12, 10)))
    assert "10 of 1000000000000 items" in said
    assert taken < 2


@pytest.mark.nightly
@pytest.mark.parametrize("chosen", [random_placements._few, random_placements._many])
def test_draws_of_long_lists_are_random_sets(chosen: Callable[..., Int64]) -> None:
    # Not drawn from orders of all items any more: every set of ranks is as likely as any other.
    rng = np.random.default_rng(5)
    for hits in (1, 2, 5, 6):
        drawn = np.array([chosen(12, hits, rng) for _ in range(6000)])
        assert drawn.shape == (6000, hits) and (np.diff(drawn, axis=1) > 0).all()
        assert drawn.min() == 0 and drawn.max() == 11
        expected = 6000 / comb(12, hits)
        _, count = np.unique(drawn, axis=0, return_counts=True)
        # Chi-squared, six standard deviations.
        sets = comb(12, hits)
        excess = ((count - expected) ** 2).sum() / expected + (sets - len(count)) * expected - sets
        assert excess < 6 * (2 * sets) ** 0.5 + 6


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("hits", [150, 1000, 1500, 2000])
def test_draws_by_bytes_are_random_sets(hits: int) -> None:
    # Of so many items most hits are those of random bytes; in any part they are as many as in
    # random orders.
    rng, draws, items = np.random.default_rng(6), 2000, 4000
    drawn = np.array([random_placements._many(items, hits, rng) for _ in range(draws)])
    assert (
        drawn.shape == (draws, hits) and (np.diff(drawn, axis=1) > 0).all() and drawn.max() < items
    )
    eighth, quarter = items // 8, items // 4
    parts = (drawn < eighth, eighth), (drawn >= items - quarter, quarter), (drawn % 8 == 3, eighth)
    for part, size in parts:
        inside = part.sum(axis=1)
        null = pc.null.hits(items, hits, size)
        assert abs(inside.mean() - null.mean) < 5 * (null.var / draws) ** 0.5
        assert abs(inside.var() / null.var - 1) < 5 * (2 / draws) ** 0.5


def test_average_precision_by_its_misses() -> None:
    # What each miss takes from the hits behind it, and precision at each hit: the same sums of the
    # same rankings.
    for items, relevant in ((17_000, 16_999), (17_000, 16_900), (20_000, 19_870)):
        sums, hits = random_placements.precision_sums(
            items, relevant, items, 20, np.random.default_rng(7)
        )
        drawn = random_placements.draw(items, relevant, 20, np.random.default_rng(7))
        direct = [(np.arange(1, relevant + 1) / rank).sum(axis=1) for rank in drawn]
        assert sums == pytest.approx(np.concatenate(direct), rel=1e-14) and (hits == relevant).all()


def test_draws_of_few_misses_take_no_gigabytes() -> None:
    # The ranks of all hits of all rankings of a batch stood in memory: 8 GB for 1000 rankings of a
    # million items.
    for rank in random_placements.draw(1_000_000, 999_900, 20, np.random.default_rng(1)):
        assert rank.size < 2**22


@pytest.mark.parametrize("relevant", [0, 200, 1000, 19_800])
def test_draws_of_long_lists(relevant: int) -> None:
    (rank,) = random_placements.draw(20_000, relevant, 3, np.random.default_rng(1))
    assert rank.shape == (3, relevant) and ((rank > 0) & (rank <= 20_000)).all()
    assert (np.diff(rank, axis=1) > 0).all()


def test_exact_probabilities_by_their_ratios() -> None:
    for n, m, t in ((10, 4, 5), (7, 7, 3), (7, 0, 3), (9, 5, 9), (1, 1, 1)):
        least = max(0, t - (n - m))
        ways = {Fraction(h): comb(m, h) * comb(n - m, t - h) for h in range(least, min(t, m) + 1)}
        assert pc.null.hits(n, m, t).pmf() == {
            h: Fraction(one, comb(n, t)) for h, one in ways.items()
        }
    for n, m, j in ((8, 3, 2), (5, 5, 3), (9, 1, 1), (12, 7, 7)):
        ranks = range(j, n - m + j + 1)
        exact = {
            Fraction(k): Fraction(comb(k - 1, j - 1) * comb(n - k, m - j), comb(n, m))
            for k in ranks
        }
        assert pc.null.location(n, m, j).pmf() == exact
        first = pc.null.reciprocal_rank(n, m).pmf()
        assert list(first) == sorted(first) and sum(first.values()) == 1


def test_the_mean_alone_is_that_of_all_rankings() -> None:
    hits = pc.Hits.of([[1, 2, 4], [3, 50], []], retrieved=[8, 200, 5], relevant=[3, 2, 1])
    all_of_them = pc.null.test(hits).combined
    alone = outcome_of_mean(hits, "AP")
    assert (alone.value, alone.p, alone.tail) == (
        all_of_them.value,
        all_of_them.p,
        all_of_them.tail,
    )
    with pytest.raises(UsageError, match="undefined in every ranking"):
        outcome_of_mean(pc.Hits.of([], retrieved=5, relevant=0), "AP")
