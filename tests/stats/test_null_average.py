"""The null of AP under random selection: against every placement, simulations and published
numbers.
"""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_null import describe_accuracy
from precall.stats.null.tail import enumeration
from precall.stats.null.tail.by_rank import tails
from precall.stats.null.tail.enumeration import sets_from_top
from precall.stats.null.tail.misses import losses
from tests.oracle import random_selection as oracle
from tests.processor import seconds


@pytest.mark.nightly(keep=4)
@pytest.mark.parametrize("items", range(1, 15))
def test_every_placement_of_short_lists(items):
    for relevant in range(1, items + 1):
        null, true = pc.null.average_precision(items, relevant), oracle.law(items, relevant)
        assert null.pmf() == true
        assert (null.mean, null.var, null.skewness, null.kurtosis) == pytest.approx(
            oracle.moments(true), rel=1e-9, abs=1e-12, nan_ok=True
        )
        assert not null.approximate
        values = np.array([float(value) for value in true])
        chance = np.array([float(p) for p in true.values()])
        assert null.sf(values) == pytest.approx(np.cumsum(chance[::-1])[::-1])
        assert null.cdf(values) == pytest.approx(np.cumsum(chance))
        assert null.cdf(1.0) == 1 and null.sf(0.0) == 1 and null.sf(1.01) == 0


@pytest.mark.parametrize("norm", ["relevant", "min", "found"])
def test_every_placement_with_a_cutoff(norm):
    for items, relevant, cutoff in [
        (7, 3, 2),
        (8, 4, 5),
        (9, 2, 4),
        (6, 6, 3),
        (8, 1, 3),
        (9, 5, 8),
    ]:
        null = pc.null.average_precision(items, relevant, cutoff=cutoff, norm=norm)
        true = oracle.law(items, relevant, cutoff, norm)
        assert null.pmf() == true
        assert (null.mean, null.var, null.skewness, null.kurtosis) == pytest.approx(
            oracle.moments(true), rel=1e-9, abs=1e-12, nan_ok=True
        )
        for value in true:
            assert null.sf(float(value)) == pytest.approx(oracle.tail(true, value))


@pytest.mark.nightly
def test_golden_numbers(facts):
    golden = json.loads((facts / "golden" / "null_law.json").read_text(encoding="utf-8"))
    for row in golden["moments"]:
        null = pc.null.average_precision(row["items"], row["relevant"], cutoff=row["cutoff"])
        found = (null.mean, null.var, null.skewness, null.kurtosis)
        assert found == pytest.approx(
            [row[k] for k in ("mean", "var", "skewness", "excess_kurtosis")], rel=1e-9
        )
    for row in golden["tails_enumerated"]:
        null = pc.null.average_precision(row["items"], row["relevant"])
        assert null.sf(row["ap"]) == pytest.approx(row["count"] / row["of"], rel=1e-12)
    for row in golden["tails"]:
        p = pc.null.average_precision(row["items"], row["relevant"]).sf(row["ap"])
        assert p == pytest.approx(row["p_convolution"], rel=3e-3)
        assert "se" not in row or abs(p - row["p"]) < 3 * row["se"]


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize(("items", "relevant"), [(40, 4), (60, 3), (26, 6), (28, 7)])
def test_convolution_against_every_placement(items, relevant):
    sums = enumeration.enumerate_placements(items, relevant, items, "relevant")[0] * relevant
    _agree(tails(items, relevant), sums)


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize(("items", "relevant"), [(40, 36), (60, 57), (24, 17), (21, 12)])
def test_losses_against_every_placement(items, relevant):
    sums = enumeration.enumerate_placements(items, relevant, items, "relevant")[0] * relevant
    _agree(losses(items, relevant), sums)


def _agree(table, sums):
    """Half-way between values, where neither half an atom nor the order of additions matters."""
    values = np.unique(np.round(sums, 10))
    gap = np.diff(values)
    place = ((values[1:] + values[:-1]) / 2)[gap > np.quantile(gap, 0.98)]
    place = place[:: max(1, len(place) // 300)]
    exact = len(sums) - np.searchsorted(np.sort(sums), place)
    enough = exact >= 300
    assert enough.sum() > 20
    p = table(place[enough]) * len(sums)
    assert np.max(np.abs(p / exact[enough] - 1)) < 0.02


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("items", "relevant", "x"),
    [(10_000, 2, 0.6), (100_000, 3, 0.1), (100_000, 5, 0.3), (200_000, 10, 0.1), (5_000, 6, 0.2)],
)
def test_rare_targets_against_importance_sampling(items, relevant, x):
    p = pc.null.average_precision(items, relevant).sf(x)
    estimate, error = oracle.weighted_rare(items, relevant, x, 150_000, 4)
    assert error < 0.06 * estimate
    assert abs(p - estimate) < 4 * error


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("items", "relevant", "x", "tilt"),
    [
        (300, 60, 0.35, 0.75),
        (200, 100, 0.70, 0.75),
        (400, 200, 0.64, 0.75),
        (1000, 100, 0.17, 0.4),
        (400, 360, 0.953, 0.8),
        (200, 190, 0.994, 3.5),
    ],
)
def test_dense_targets_against_importance_sampling(items, relevant, x, tilt):
    p = pc.null.average_precision(items, relevant).sf(x)
    estimate, error = oracle.weighted_dense(items, relevant, x, 8_000, 4, tilt)
    assert error < 0.1 * estimate
    assert abs(p - estimate) < 4 * error


@pytest.mark.nightly
def test_plain_simulation():
    null = pc.null.average_precision(300, 40)
    drawn = oracle.simulated(300, 40, 20_000, 9)
    assert abs(drawn.mean() - null.mean) < 4 * null.std / 20_000**0.5
    assert drawn.var() == pytest.approx(null.var, rel=0.06)
    for level in (0.025, 0.5, 0.975):
        assert np.mean(drawn <= null.ppf(level)) == pytest.approx(level, abs=0.006)
    own = null.rvs(20_000, rng=9)
    assert abs(own.mean() - null.mean) < 4 * null.std / 20_000**0.5
    assert own.var() == pytest.approx(null.var, rel=0.06)


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize(("items", "relevant"), [(1000, 30), (300, 100), (50, 45), (5000, 4990)])
def test_the_table_keeps_the_exact_mean_and_variance(items, relevant):
    # E[S] is the integral of the tail, E[S²] that of 2 s P(S >= s): on a grid of its own.
    null = pc.null.average_precision(items, relevant)
    table = losses(items, relevant) if 2 * relevant > items else tails(items, relevant)
    s = np.concatenate(([0.0], np.geomspace(1e-7 * relevant, relevant, 3_000)))
    if 2 * relevant > items:
        s = np.sort(relevant - s)
    tail = np.concatenate([table(part) for part in np.array_split(np.maximum(s, 1e-300), 30)])
    mean = np.sum(np.diff(s) * (tail[1:] + tail[:-1]) / 2)
    second = np.sum(np.diff(s**2) * (tail[1:] + tail[:-1]) / 2)
    assert mean == pytest.approx(null.mean * relevant, rel=2e-4)
    assert second == pytest.approx((null.var + null.mean**2) * relevant**2, rel=2e-3)


def test_the_study_of_zhang_and_su():
    for items, relevant, mean, variance in [
        (1000, 100, 0.1037, 1.392e-4),
        (2000, 500, 0.2522, 1.418e-4),
    ]:
        published = pc.null.average_precision(items, relevant).zhang_su()
        assert published.mean == pytest.approx(mean, abs=5e-5)
        assert published.var == pytest.approx(variance, rel=5e-4)
        assert "Zhang & Su" in published.name and "Zhang & Su" in str(published.approximate)
    exact = pc.null.average_precision(2000, 500)
    assert published.var / exact.var == pytest.approx(1.4335, abs=1e-3)
    assert exact.ppf([0.025, 0.5, 0.975]) == pytest.approx([0.23449, 0.25224, 0.27345], abs=2e-5)


def test_three_hits_against_all_placements():
    # Right on the edges of the steps that early hits make, down to 1e-9.
    n = 2000
    rng = np.random.default_rng(7)
    rank = np.floor(np.exp(rng.random((25, 3)) * np.log([[4, 60, n]]))) + np.arange(1, 4)
    s = np.sort(np.array([[1, 2, 3] / np.sort(one) for one in rank]).sum(axis=1))
    true = np.array([oracle.three_hits(n, one) for one in s])
    found = tails(n, 3)(s)
    assert np.max(np.abs(found / true - 1)) < 1e-3
    assert true.min() < 1e-5 and true.max() > 1e-3


@pytest.mark.nightly
@pytest.mark.parametrize(("items", "relevant"), [(10**6, 10), (10**6, 30), (10**5, 15)])
def test_steps_of_rare_targets_do_not_ring(items, relevant):
    table = tails(items, relevant)
    s = np.concatenate([1 / k + np.geomspace(1e-5, 0.1, 30) for k in (1, 2, 5)])
    for part in np.split(s, 3):
        p = table(part)
        assert np.all(p > 0) and np.all(np.diff(p) <= 1e-9 * p[:-1])


@pytest.mark.nightly
def test_a_hit_at_the_top_and_nine_in_a_million():
    # A second hit decides: a coarse grid alone says 0 here.
    found = pc.null.average_precision(10**6, 10).sf(0.101031)
    estimate, error = oracle.weighted_rare(10**6, 10, 0.101031, 60_000, 3)
    assert error < 0.1 * estimate
    assert abs(found - estimate) < 4 * error


@pytest.mark.parametrize(
    "null",
    [
        pc.null.average_precision(9, 4),
        pc.null.average_precision(200, 20),
        pc.null.hits(9, 4, 3),
        pc.null.reciprocal_rank(1000, 30),
        pc.null.location(1000, 30, 2),
        pc.null.area_under_roc(9, 4),
        pc.null.ndcg(5, [2, 1]),
        pc.null.average_precision(6, 3, blocks=[2, 1, 3]),
    ],
)
def test_beyond_the_ends(null):
    x = [-np.inf, -1.0, null._ends()[0], 2e7, np.inf]
    assert null.sf(x).tolist() == [1, 1, 1, 0, 0]
    assert null.cdf([-np.inf, -1.0, null._ends()[1], np.inf]).tolist() == [0, 0, 1, 1]
    assert null.sf([]).shape == (0,)


def test_quantiles_of_a_list_are_its_values():
    null = pc.null.average_precision(6, 3)
    assert set(null.ppf([0.1, 0.5, 0.9, 1.0]).tolist()) <= set(null._atoms()[0].tolist())
    assert null.ppf(1.0) == 1


@pytest.mark.nightly
@pytest.mark.parametrize("relevant", [9 * 10**6])
def test_millions_of_hits_are_nearly_normal(relevant):
    # The fourth moment of 10^7 items has more digits than an extended float.
    from scipy.stats import norm

    null = pc.null.average_precision(10**7, relevant)
    assert abs(null.kurtosis) < 1e-4
    for z in (1.0, 3.7, 4.75):
        edgeworth = norm.sf(z) + norm.pdf(z) * null.skewness / 6 * (z * z - 1)
        assert null.sf(null.mean + z * null.std) == pytest.approx(edgeworth, rel=1e-2)


def test_counts_from_the_top():
    sums = enumeration.enumerate_placements(30, 5, 30, "relevant")[0] * 5
    for rank in (1, 2, 17, 400, 5000):
        s = float(np.sort(sums)[-rank])
        assert enumeration.placements_from_top(30, 5, s) == np.sum(sums >= s * (1 - 1e-13))
    sums = enumeration.enumerate_placements(30, 26, 30, "relevant")[0] * 26
    for rank in (1, 2, 17, 400, 5000):
        s = float(np.sort(sums)[-rank])
        assert sets_from_top(30, 26, s / 26) == np.sum(sums >= s - 1e-11)
    assert enumeration.placements_from_top(10**6, 5, 0.01, 1000) is None


def test_closed_forms():
    one = pc.null.average_precision(10**7, 1)
    assert one.sf(0.3) == 3e-7 and one.sf(1.0) == 1e-7 and one.sf(1e-9) == 1
    last = pc.null.average_precision(100, 99)
    assert last.sf(1.0) == 0.01
    assert last.pmf() == {v: Fraction(1, 100) for v in oracle.law(100, 99)}
    assert pc.null.average_precision(7, 7).sf(1.0) == 1
    assert pc.null.average_precision(7, 7).std == 0


def test_no_p_value_is_zero():
    for items, relevant in [
        (10**6, 3),
        (1000, 500),
        (10**7, 5 * 10**6),
        (3000, 2997),
        (10**6, 10**6 - 3),
    ]:
        tail = pc.null.average_precision(items, relevant).tail(1.0)
        assert tail.p > 0
        if min(relevant, items - relevant) == 3:
            assert tail.p == pytest.approx(1 / comb(items, 3), rel=1e-6) and not tail.bound
        else:
            assert tail.bound and "upper bound" in str(tail)


def test_answers_say_how_good_they_are():
    assert str(pc.null.average_precision(8, 3).approximate) == "exact (enumeration)"
    rare = pc.null.average_precision(10**6, 30).approximate
    assert (rare.error, rare.least) == (1e-3, 1e-9) and rare
    other = pc.null.average_precision(10**6, 31).approximate
    assert (other.error, other.least) == (0.02, 1e-6) and describe_accuracy(*other.facts) == str(
        other
    )


def test_quantiles_and_intervals():
    null = pc.null.average_precision(10, 4)
    true = oracle.law(10, 4)
    for q in (1e-3, 0.025, 0.3, 0.5, 0.999, 1.0):
        values, below = list(true), np.cumsum([float(p) for p in true.values()])
        assert null.ppf(q) == pytest.approx(float(values[np.searchsorted(below, q - 1e-12)]))
    found = null.interval(0.9)
    assert (found.low, found.high) == (null.ppf(0.05), null.ppf(0.95))
    with pytest.raises(TypeError):
        tuple(found)


def test_draws_are_replayed():
    for null in (
        pc.null.average_precision(50, 7),
        pc.null.average_precision(50, 45),
        pc.null.average_precision(10**5, 3),
    ):
        assert np.array_equal(null.rvs(100, rng=5), null.rvs(100, rng=5))
        assert not np.array_equal(null.rvs(100, rng=5), null.rvs(100, rng=6))
        assert len(null.rvs(0, rng=1)) == 0


def test_mean_and_variance_take_no_time():
    laws = [pc.null.average_precision(10**7 - i, 10**3) for i in range(100)]

    def all_of_them():
        assert all(null.mean > 0 and null.var > 0 for null in laws)

    # Some 20 microseconds each; the limit is for slow machines.
    assert seconds(all_of_them) / 100 < 1e-3


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"items": 0, "relevant": 0}, "items: must be an integer >= 1, got 0"),
        ({"items": 5, "relevant": 6}, r"relevant: must be an integer in 1..5, got 6"),
        ({"items": 5, "relevant": 0}, "relevant: must be an integer in 1..5, got 0"),
        ({"items": 5.0, "relevant": 1}, "items: must be an integer >= 1, got 5.0"),
        ({"items": 5, "relevant": 2, "cutoff": 0}, "cutoff: must be an integer >= 1, got 0"),
        (
            {"items": 5, "relevant": 2, "norm": "k"},
            "norm: got 'k', allowed are relevant, min, found",
        ),
        (
            {"items": 5, "relevant": 2, "blocks": [2, 2]},
            "blocks: must add up to 5 items, got 4",
        ),
        ({"items": 5, "relevant": 2, "blocks": [5, 0]}, "blocks: must be a list of integers >= 1"),
        (
            {"items": 5, "relevant": 2, "blocks": [5], "ties": "best"},
            "ties: got 'best', allowed are",
        ),
        (
            {"items": 5, "relevant": 2, "blocks": [5], "cutoff": 2},
            "cutoff: cannot be combined with blocks",
        ),
    ],
)
def test_wrong_arguments(given, said):
    with pytest.raises(pc.UsageError, match=said):
        pc.null.average_precision(**given)


def test_wrong_questions():
    null = pc.null.average_precision(3000, 300)
    for call, said in [
        (lambda: null.sf(float("nan")), "x: must be a number, got nan"),
        (lambda: null.sf("a"), "x: must be a number, or an array"),
        (lambda: null.ppf(1.5), "q: must be in 0..1, got 1.5"),
        (lambda: null.interval(1), "level: must be a number between 0 and 1"),
        (lambda: null.rvs(-1), "size: must be an integer >= 0, got -1"),
        (lambda: null.rvs(3, rng="x"), "rng: must be a seed"),
        (null.pmf, "more than 37,282 placements"),
        (pc.null.average_precision(200, 20).pmf, "more than 200,000 placements"),
        # Few placements, of so many digits that they took gigabytes and minutes.
        (pc.null.average_precision(10**5, 1).pmf, "more than 1,342 placements"),
        (pc.null.average_precision(10**7, 5 * 10**6, cutoff=10).pmf, "more than 13 placements"),
        (pc.null.average_precision(100, 10, cutoff=5).zhang_su, "leave out cutoff"),
        (pc.null.average_precision(100, 1).zhang_su, "at least 2 relevant items, got 1"),
    ]:
        with pytest.raises(pc.UsageError, match=said):
            call()


def test_without_scipy(monkeypatch):
    import sys

    tails.cache_clear()
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    null = pc.null.average_precision(5000, 700)
    assert null.mean > 0 and null.var > 0 and null.skewness > 0
    with pytest.raises(pc.MissingExtra, match=r"SciPy: pip install 'precall\[stats\]'"):
        null.sf(0.2)
