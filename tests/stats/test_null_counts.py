"""Laws of hits, locations, RR, area under ROC, nDCG and tied AP: against every placement."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest

import precall as pc
from tests.oracle import random_selection as oracle


def over_all(items, relevant, value):
    """{value: probability} of a function of the ranks of the hits."""
    found = {}
    for hits in combinations(range(1, items + 1), relevant):
        x = value(hits)
        found[x] = found.get(x, 0) + Fraction(1, comb(items, relevant))
    return dict(sorted(found.items()))


def auc(items, hits):
    others = [rank for rank in range(1, items + 1) if rank not in hits]
    return Fraction(sum(hit < other for hit in hits for other in others), len(hits) * len(others))


LAWS = {
    "hits": (
        lambda n, m: pc.null.hits(n, m, min(n, 3)),
        lambda n, m, hits: Fraction(sum(r <= 3 for r in hits)),
    ),
    "precision": (
        lambda n, m: pc.null.precision(n, m, min(n, 3)),
        lambda n, m, hits: Fraction(sum(r <= 3 for r in hits), min(n, 3)),
    ),
    "recall": (
        lambda n, m: pc.null.recall(n, m, min(n, 3)),
        lambda n, m, hits: Fraction(sum(r <= 3 for r in hits), m),
    ),
    "r_precision": (pc.null.r_precision, lambda n, m, hits: Fraction(sum(r <= m for r in hits), m)),
    "first": (lambda n, m: pc.null.location(n, m, 1), lambda n, m, hits: Fraction(hits[0])),
    "last": (lambda n, m: pc.null.location(n, m, m), lambda n, m, hits: Fraction(hits[-1])),
    "reciprocal_rank": (pc.null.reciprocal_rank, lambda n, m, hits: Fraction(1, hits[0])),
    "area_under_roc": (pc.null.area_under_roc, lambda n, m, hits: auc(n, hits)),
}


@pytest.mark.parametrize("name", LAWS)
def test_every_placement(name):
    make, value = LAWS[name]
    for n, m in [(2, 1), (3, 1), (4, 2), (7, 3), (8, 5), (9, 8), (10, 4)]:
        null, true = make(n, m), over_all(n, m, lambda hits: value(n, m, hits))  # noqa: B023
        possible = {x: p for x, p in null.pmf().items() if p}
        assert possible == true
        assert (null.mean, null.var, null.skewness, null.kurtosis) == pytest.approx(
            oracle.moments(true), rel=1e-9, abs=1e-9, nan_ok=True
        )
        below = Fraction(0)
        for x, p in true.items():
            assert null.sf(float(x)) == pytest.approx(oracle.tail(true, x))
            below += p
            assert null.cdf(float(x)) == pytest.approx(float(below))
            assert null.ppf(float(below)) == pytest.approx(float(x), abs=1e-9)
        draws = null.rvs(4000, rng=1)
        assert abs(draws.mean() - null.mean) <= 5 * null.std / 4000**0.5 + 1e-12
        assert np.array_equal(draws, null.rvs(4000, rng=1))
        assert not null.approximate


def test_locations_of_two_hits():
    n, m = 8, 4
    for i, j in [(1, 2), (1, 4), (2, 3), (3, 4)]:
        null = pc.null.locations(n, m, i, j)
        pairs = [(hits[i - 1], hits[j - 1]) for hits in combinations(range(1, n + 1), m)]
        first, second = np.array(pairs).T
        assert null.mean == pytest.approx((first.mean(), second.mean()))
        assert null.covariance == pytest.approx(
            np.mean(first * second) - first.mean() * second.mean()
        )
        assert null.correlation == pytest.approx(np.corrcoef(first, second)[0, 1])
        for s in range(n + 2):
            for t in range(n + 2):
                assert null.probability(s, t) == Fraction(pairs.count((s, t)), comb(n, m))
        drawn = null.rvs(3000, rng=2)
        assert np.all(drawn[:, 0] < drawn[:, 1]) and abs(drawn[:, 0].mean() - null.mean[0]) < 0.2


def test_against_scipy():
    from scipy import stats

    null, peer = pc.null.hits(2000, 500, 500), stats.hypergeom(2000, 500, 500)
    for h in (90, 125, 150, 180):
        assert null.sf(h) == pytest.approx(peer.sf(h - 1), rel=1e-8)
    place, peer = pc.null.location(300, 20, 4), stats.nhypergeom(300, 20, 4)
    for k in (4, 30, 60, 150):
        assert place.cdf(k) == pytest.approx(
            peer.cdf(k - 4) if k < 0 else _nhypergeom(300, 20, 4, k), rel=1e-8
        )
    first, second = np.arange(6.0), np.arange(6.0, 15.0) - 3.5
    found = stats.mannwhitneyu(second, first, alternative="greater", method="exact")
    null = pc.null.area_under_roc(15, 9)
    assert null.sf(found.statistic / 54) == pytest.approx(found.pvalue)


def _nhypergeom(n, m, j, k):
    """P(L_j <= k): at least j hits among the first k ranks."""
    from scipy import stats

    return stats.hypergeom(n, m, k).sf(j - 1)


def test_area_under_roc_beyond_counting():
    exact, m, n = pc.null.area_under_roc(310, 155), 155, 310
    z = (np.array([0.6, 0.62, 0.65]) - 0.5) / exact.std
    series = exact._edgeworth(z - 0.5 / (m * (n - m) * exact.std))
    assert exact.approximate.error == 0 or series == pytest.approx(
        exact.sf(0.5 + z * exact.std), rel=0.02
    )
    # Few items of one class among many: by the null of fewer, with the same shape.
    rare, fewer = pc.null.area_under_roc(10**6, 20), pc.null.area_under_roc(50_000, 20)
    assert rare.approximate.error == 0.02
    for z in (-1.0, 2.0, 4.8):
        assert rare.sf(0.5 + z * rare.std) == pytest.approx(fewer.sf(0.5 + z * fewer.std), rel=2e-3)
    assert pc.null.area_under_roc(10**6, 10**5).sf(0.5) == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize(
    ("grades", "cutoff"), [([2, 1], None), ([3, 1, 1, 2], None), ([3, 1, 1, 2], 3), ([1, 0, 5], 1)]
)
@pytest.mark.parametrize("gain", ["linear", "exp"])
def test_ndcg_of_every_arrangement(grades, cutoff, gain):
    n = 7
    null = pc.null.ndcg(n, grades, gain=gain, cutoff=cutoff)
    gains = np.array(grades + [0] * (n - len(grades)), float)
    gains = gains if gain == "linear" else 2**gains - 1
    discount = 1 / np.log2(np.arange(2, n + 2))
    discount[cutoff or n :] = 0
    ideal = np.sum(np.sort(gains)[::-1] * discount)
    values = np.array(
        [np.sum(gains[list(order)] * discount) / ideal for order in permutations(range(n))]
    )
    away = values - values.mean()
    var = np.mean(away**2)
    expected = (values.mean(), var, np.mean(away**3) / var**1.5, np.mean(away**4) / var**2 - 3)
    assert (null.mean, null.var, null.skewness, null.kurtosis) == pytest.approx(expected)
    for x in (0.1, 0.5, 0.9, float(values[17]), 1.0):
        assert null.sf(x) == pytest.approx(np.mean(values >= x - 1e-12))
    assert not null.approximate


def test_ndcg_by_permutation():
    null = pc.null.ndcg(60, [3, 2, 1, 1, 1, 2, 3], permutations=20_000, rng=3)
    again = pc.null.ndcg(60, [3, 2, 1, 1, 1, 2, 3], permutations=20_000, rng=3)
    assert null.sf(0.5) == again.sf(0.5) and "seed 3" in str(null.approximate)
    assert null.sf(1.0) == 1 / 20_001  # (c + 1) / (B + 1), never 0
    drawn = null.rvs(20_000, rng=8)
    assert drawn.mean() == pytest.approx(null.mean, abs=5 * null.std / 20_000**0.5)
    assert drawn.var() == pytest.approx(null.var, rel=0.06)
    assert np.mean(drawn >= 0.5) == pytest.approx(null.sf(0.5), abs=0.01)


@pytest.mark.parametrize("ties", ["expected", "block"])
@pytest.mark.parametrize(
    ("blocks", "relevant"),
    [((1, 3, 2), 2), ((2, 2, 1, 2), 3), ((5,), 2), ((1, 1, 1, 4), 4), ((6, 1), 3)],
)
def test_tied_ap_of_every_labelling(blocks, relevant, ties):
    null = pc.null.average_precision(sum(blocks), relevant, blocks=list(blocks), ties=ties)
    true = oracle.tied_law(blocks, relevant, ties)
    expected = oracle.moments(true)
    assert (null.mean, null.var) == pytest.approx(expected[:2], rel=1e-9, abs=1e-12)
    if null.var > 1e-12:
        assert (null.skewness, null.kurtosis) == pytest.approx(expected[2:], rel=1e-6)
    for x in true:
        assert null.sf(float(x)) == pytest.approx(oracle.tail(true, x))
    assert null.pmf() == true


def test_exact_laws_of_many_counts_are_refused():
    for null in (
        pc.null.average_precision(100, 50, blocks=[5] * 20),
        pc.null.average_precision(2000, 2, blocks=[1000, 1000]),
        pc.null.area_under_roc(2000, 1000, blocks=[1, 3] * 500),
    ):
        with pytest.raises(pc.UsageError, match="too many values"):
            null.pmf()


@pytest.mark.parametrize(
    ("blocks", "relevant"),
    [((1, 2, 1), 2), ((3, 1, 2, 4), 3), ((2, 2, 2, 5), 6), ((1, 1, 2), 1), ((6,), 2)],
)
def test_tied_area_of_every_labelling(blocks, relevant):
    n, score = sum(blocks), -np.repeat(np.arange(len(blocks)), blocks)
    values = []
    for hits in combinations(range(n), relevant):
        rest = np.setdiff1d(np.arange(n), hits)
        above = score[list(hits), None] - score[rest]
        values.append(np.mean((above > 0) + 0.5 * (above == 0)))
    values = np.array(values)
    null = pc.null.area_under_roc(n, relevant, blocks=blocks)
    assert not null.approximate
    assert (null.mean, null.var) == pytest.approx((values.mean(), values.var()), abs=1e-12)
    away = values - values.mean()
    if values.var() > 1e-12:
        shape = np.mean(away**3) / values.var() ** 1.5, np.mean(away**4) / values.var() ** 2 - 3
        assert (null.skewness, null.kurtosis) == pytest.approx(shape, abs=1e-9)
    for x in np.unique(values.round(10)):
        assert null.sf(x) == pytest.approx(np.mean(values >= x - 1e-9))
        assert null.cdf(x) == pytest.approx(np.mean(values <= x + 1e-9))
    assert null._ends() == pytest.approx((values.min(), values.max()))
    listed = {float(x): float(p) for x, p in null.pmf().items()}
    whole = {x: np.mean(np.abs(values - x) < 1e-9) for x in np.unique(values.round(10))}
    assert list(listed) == pytest.approx(list(whole)) and list(listed.values()) == pytest.approx(
        list(whole.values())
    )


def test_tied_area_of_many_blocks():
    null = pc.null.area_under_roc(2000, 150, blocks=[1, 99] * 20)
    assert (null.approximate.error, null.approximate.least) == (0.02, 1e-6)
    drawn = null.rvs(8_000, rng=6)
    for z in (0, 1, 2):
        x = null.mean + z * null.std
        p = null.sf(x)
        assert abs(np.mean(drawn >= x) - p) < 4 * (p * (1 - p) / 8_000) ** 0.5
    assert null.sf(null._ends()[1]) > 0 == null.sf(1.0)


@pytest.mark.nightly
def test_blocks_of_one_item_are_no_ties():
    plain = pc.null.average_precision(2000, 40)
    for ties in ("expected", "block"):
        null = pc.null.average_precision(2000, 40, blocks=[1] * 2000, ties=ties)
        assert (null.mean, null.var) == pytest.approx((plain.mean, plain.var))
        assert null.sf(0.05) == pytest.approx(plain.sf(0.05), rel=5e-3)


@pytest.mark.nightly
def test_tied_ap_by_convolution():
    blocks = [1] * 30 + [5] * 14
    for ties in ("expected", "block"):
        null = pc.null.average_precision(100, 12, blocks=blocks, ties=ties)
        assert "convolution" in str(null.approximate)
        drawn = null.rvs(40_000, rng=4)
        assert drawn.mean() == pytest.approx(null.mean, abs=5 * null.std / 200)
        assert drawn.var() == pytest.approx(null.var, rel=0.05)
        for x in (null.mean, null.mean + 2 * null.std):
            assert np.mean(drawn >= x) == pytest.approx(null.sf(x), abs=0.01)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: pc.null.hits(10, 4, 11), r"t: must be an integer in 1..10, got 11"),
        (lambda: pc.null.location(10, 4, 5), r"j: must be an integer in 1..4, got 5"),
        (lambda: pc.null.locations(10, 4, 3, 3), r"i: must be an integer in 1..2, got 3"),
        (
            lambda: pc.null.area_under_roc(10, 10),
            "the area under ROC is undefined|area under ROC is undefined",
        ),
        (lambda: pc.null.ndcg(3, [1, 2, 3, 4]), "grades: must be 1 to 3 numbers >= 0"),
        (lambda: pc.null.ndcg(3, [0, 0]), "none is positive, so nDCG is undefined"),
        (lambda: pc.null.ndcg(3, [1], gain="log"), "gain: got 'log', allowed are linear, exp"),
        (lambda: pc.null.location(10**5, 4, 1).pmf(), "use sf or cdf"),
    ],
)
def test_wrong_arguments(call, said):
    with pytest.raises(pc.UsageError, match=said):
        call()


@pytest.mark.parametrize("items", [2**53 - 1, 2**53, 2**53 + 2])
def test_all_items_are_relevant_beyond_the_whole_floats(items):
    """No value was listed: 2^53 + 1 is no float, and the range of hits was empty."""
    for law in (pc.null.recall(items, items, items), pc.null.precision(items, items, items)):
        assert law.ppf(0.5) == law.mean == 1
    assert pc.null.location(items, items, 1).ppf(0.5) == 1
    assert "AP  " in str(pc.null.describe(items, items))


@pytest.mark.parametrize("q", [np.inf, -np.inf, 1.5])
def test_quantiles_of_no_probability_name_what_was_got(q):
    with pytest.raises(pc.UsageError, match=f"must be in 0..1, got {q}"):
        pc.null.hits(9, 4, 3).ppf(q)


@pytest.mark.parametrize("gain", ["linear", "exp"])
def test_ndcg_of_gains_at_the_ends_of_float64(gain):
    """Sums of gains and their fourth powers overflowed, or were 0: only small grades had been
    tried.
    """
    for grades, like in (
        ([1e308, 1e308, 1.0], [1.0, 1.0, 0.0]),
        ([1e308, 1e308, 1e308], [1.0, 1.0, 1.0]),
        ([1e200, 1e-200, 1.0], [1.0, 0.0, 0.0]),
        ([2000.0, 2000.0, 1.0], [2000.0, 2000.0, 1.0] if gain == "linear" else [1.0, 1.0, 0.0]),
        ([1e-17, 1e-17, 3e-17], [1.0, 1.0, 3.0]),
    ):
        null, same = pc.null.ndcg(9, grades, gain=gain), pc.null.ndcg(9, like)
        asked = null.mean, null.var, null.skewness, null.kurtosis, null.sf(0.4), null.sf(0.9)
        assert asked == pytest.approx(
            (same.mean, same.var, same.skewness, same.kurtosis, same.sf(0.4), same.sf(0.9)),
            rel=1e-12,
        )


@pytest.mark.parametrize("items", [8, 60, 1000])
def test_ndcg_is_of_no_unit(items):
    grades = np.array([3.0, 1.0, 1.0, 2.0])
    null = pc.null.ndcg(items, grades, permutations=500)
    for unit in (2.0**-1060, 2.0**-500, 2.0, 2.0**1000):
        same = pc.null.ndcg(items, grades * unit, permutations=500)
        for x in (0.2, 0.5, 0.9, 1.0):
            assert same.sf(x) == null.sf(x)
        assert (same.mean, same.std, same.skewness, same.kurtosis) == (
            null.mean,
            null.std,
            null.skewness,
            null.kurtosis,
        )


def test_simulated_ndcg_is_of_no_unit():
    of_unit = [
        pc.null.describe(10, 3, ndcg=True, grades=[unit, unit, 2 * unit], simulate=20)
        .settings[0]
        .draws(20)
        for unit in (1.0, 2.0**1022, 2.0**-1070)
    ]
    for drawn in of_unit[1:]:
        assert [values.tolist() for values in drawn.values()] == [
            values.tolist() for values in of_unit[0].values()
        ]
