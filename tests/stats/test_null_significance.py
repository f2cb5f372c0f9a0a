"""Rankings against chance, one by one and together."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_null import RelevantMissed
from precall.stats.null.mean_over_rankings import Mean, NullOutline
from tests.oracle import random_selection as oracle
from tests.processor import seconds


def hits(*rankings):
    """Hits of several rankings, each (locations, retrieved, relevant)."""
    qrels = {
        f"q{i}": {f"d{rank:02}": 1 for rank in where} for i, (where, _, _) in enumerate(rankings)
    }
    run = {
        f"q{i}": {f"d{r:02}": -r for r in range(1, n + 1)} for i, (_, n, _) in enumerate(rankings)
    }
    for i, (where, _, relevant) in enumerate(rankings):
        qrels[f"q{i}"] |= {f"x{j}": 1 for j in range(relevant - len(where))}
    return pc.locate(pc.read_qrels(qrels), pc.read_run(run)).hits(grade=1)


def test_one_ranking():
    found = pc.null.test(pc.Hits.of([1, 2, 4], retrieved=8, relevant=3))
    true = oracle.law(8, 3)
    value = Fraction(11, 12)
    assert found.rankings[0].value == pytest.approx(float(value))
    assert found.p == pytest.approx(oracle.tail(true, value))
    assert found.effect == pytest.approx(float(value) - oracle.moments(true)[0])
    assert found.combined is found.rankings[0]
    assert found.rankings[0].share == pytest.approx(found.effect / (1 - oracle.moments(true)[0]))
    assert "over chance" in str(found)


@pytest.mark.parametrize("measure", ["AP", "AP@3", "P@3", "R@3", "Rprec", "RR", "AUC"])
def test_every_measure_is_the_one_of_the_registry(measure):
    where = hits(([2, 3, 7], 9, 3))
    found = pc.null.test(where, measure)
    assert 0 < found.p <= 1
    if measure == "AUC":
        relevant = [0, 1, 1, 0, 0, 0, 1, 0, 0]
        assert found.rankings[0].value == pytest.approx(
            pc.area_under_roc(relevant, list(range(9, 0, -1)))
        )
    else:
        assert found.rankings[0].value == pytest.approx(float(pc.measure(measure)(where)[0]))


def test_missed_items_lower_value_and_chance_alike():
    one, two = pc.null.test(hits(([1, 5], 9, 2))), pc.null.test(hits(([1, 5], 9, 40)))
    assert one.p == two.p and two.effect == pytest.approx(one.effect / 20)
    assert "missed" not in str(one) and f", {RelevantMissed('', 38)}:" in str(two)


def test_several_rankings_together():
    parts = [([1, 2, 6], 8, 3), ([3, 4], 7, 2), ([2], 9, 1)]
    found = pc.null.test(hits(*parts))
    laws = [oracle.law(8, 3), oracle.law(7, 2), oracle.law(9, 1)]
    values = [one.value for one in found.rankings]
    assert found.combined.value == pytest.approx(np.mean(values))
    total = {}
    for triple in product(*(null.items() for null in laws)):
        x = float(sum(v for v, _ in triple)) / 3
        total[x] = total.get(x, 0) + float(np.prod([float(p) for _, p in triple]))
    x = np.array(list(total))
    p = np.array(list(total.values()))
    mean = (x * p).sum()
    var = ((x - mean) ** 2 * p).sum()
    assert found.null.mean == pytest.approx(mean)
    assert found.null.var == pytest.approx(var)
    assert found.null.skewness == pytest.approx(((x - mean) ** 3 * p).sum() / var**1.5)
    assert found.null.kurtosis == pytest.approx(((x - mean) ** 4 * p).sum() / var**2 - 3)
    for level in (0.31, 0.42, 0.553, 0.717):
        assert found.null.sf(level) == pytest.approx(p[x >= level].sum(), rel=2e-3)
    drawn = found.null.rvs(20_000, rng=1)
    assert drawn.mean() == pytest.approx(mean, abs=5 * var**0.5 / 140)


@pytest.mark.nightly
def test_laws_without_a_list_are_combined():
    laws = tuple(pc.null.average_precision(n, m) for n, m in [(400, 30), (400, 90), (5000, 4)])
    null = Mean(laws)
    drawn = null.rvs(60_000, rng=5)
    assert drawn.mean() == pytest.approx(null.mean, abs=5 * null.std / 245)
    for z in (-1, 0, 1, 3):
        x = null.mean + z * null.std
        p = null.sf(x)
        assert abs(np.mean(drawn >= x) - p) < 5 * (p * (1 - p) / 60_000) ** 0.5 + 0.01 * p


def test_a_ranking_is_undefined_where_nothing_is_relevant():
    rankings = pc.Hits.of([[1, 2], [], []], retrieved=[8, 5, 0], relevant=[2, 3, 0])
    found = pc.null.test(rankings)
    assert found.rankings[1].value == 0 and found.rankings[1].p == 1 and found.rankings[2] is None
    assert "1 undefined" in str(found) and found.combined.value == found.rankings[0].value / 2
    with pytest.raises(pc.UsageError, match="undefined in every ranking"):
        pc.null.test(pc.Hits.of([], retrieved=5, relevant=0))


@pytest.mark.parametrize("ties", ["expected", "block"])
def test_ties_of_a_curve(ties):
    curve = pc.curve([1, 1, 0, 1, 0, 0, 0], [9, 8, 8, 7, 6, 5, 5])
    found = pc.null.test(curve, ties=ties)
    true = oracle.tied_law((1, 2, 1, 1, 2), 3, ties)
    assert found.rankings[0].value == pytest.approx(curve.average_precision(ties))
    assert found.p == pytest.approx(
        sum(float(p) for x, p in true.items() if float(x) >= found.combined.value - 1e-12)
    )
    # The null without ties is another one.
    assert found.null.var != pytest.approx(pc.null.average_precision(7, 3).var)


def test_a_curve_without_ties_is_its_hits():
    curve = pc.curve([0, 1, 1, 0, 1], [5, 4, 3, 2, 1])
    assert pc.null.test(curve).p == pc.null.test(hits(([2, 3, 5], 5, 3))).p
    assert pc.null.test(curve, "AUC").p == pytest.approx(0.8)


def test_ties_of_a_curve_and_the_area_under_roc():
    label, score = [1, 1, 0, 1, 0, 0, 0], [9, 8, 8, 7, 6, 5, 5]
    found = pc.null.test(pc.curve(label, score), "AUC")
    assert found.combined.value == pc.area_under_roc(label, score)
    assert found.p == pytest.approx(
        3 / 35
    )  # by hand: 9, 8, 8 reach 12 of 12, and 9, 8, 7 twice 10.5


def test_two_short_rankings_are_exact():
    # AUC is 0, 1/2 or 1 in each of them: 1/3 each.
    parts = [pc.null.area_under_roc(3, 2), pc.null.area_under_roc(3, 1)]
    null = Mean(tuple(parts))
    assert null.sf([0, 0.25, 0.5, 0.75, 1.0]) == pytest.approx([1, 8 / 9, 6 / 9, 3 / 9, 1 / 9])
    assert null.cdf([0, 0.25, 1.0]) == pytest.approx([1 / 9, 3 / 9, 1])
    assert not null.approximate and null.ppf(0.5) == 0.5


def test_sums_on_a_grid_keep_whole_points(monkeypatch):
    parts = tuple(pc.null.average_precision(n, m) for n, m in [(8, 3), (9, 2), (12, 1), (7, 3)])
    x, _ = Mean(parts)._atoms()
    exact = Mean(parts).sf(x[::40])
    monkeypatch.setattr("precall.stats.null.mean_over_rankings._STATES", 0)
    null = Mean(parts)
    assert null.approximate
    assert null.sf(x[::40]) == pytest.approx(exact, rel=2e-3)


def test_what_cannot_be_tested():
    tied = pc.locate(
        pc.read_qrels({"q": {"a": 1}}), pc.read_run({"q": {"a": 1.0, "b": 1.0}}), ties="expected"
    )
    for call, error, said in [
        (lambda: pc.null.test(tied.hits(grade=1)), pc.TiesUnresolved, "block of equal scores"),
        (
            lambda: pc.null.test(pc.curve([1, 0], [2, 1], weights=[0.5, 1.0])),
            pc.UsageError,
            "with weights",
        ),
        (lambda: pc.null.test([1, 2]), pc.UsageError, "must be Hits or a Curve, got list"),
        (
            lambda: pc.null.test(hits(([1], 3, 1)), "nDCG"),
            pc.UsageError,
            "measure: got 'nDCG', allowed are AP",
        ),
        (lambda: pc.null.test(hits(([1], 3, 1)), ties="best"), pc.UsageError, "ties: got 'best'"),
    ]:
        with pytest.raises(error, match=said):
            call()


class TestManyTies:
    def test_plenty_of_hits_in_many_blocks(self):
        """Over 300 hits were a Pearson III null with the skewness of another null, unbounded: .16
        for .39 here.
        """
        # 400,000 random rankings of a program that counts blocks by definition: .4546 (.0011),
        # .00469 (.00011).
        null = pc.null.average_precision(10_000, 200, blocks=[20] * 500, ties="block")
        assert null.sf(0.0206) == pytest.approx(0.4546, abs=0.003)
        assert null.sf(0.0255) == pytest.approx(0.00469, abs=0.0004)
        assert null.approximate.error == 0.02

    @pytest.mark.nightly
    @pytest.mark.parametrize("ties", ["expected", "block"])
    def test_the_drawn_law_is_the_computed_one(self, ties):
        sizes = np.random.default_rng(3).integers(1, 30, 400)
        null = pc.null.average_precision(int(sizes.sum()), 1500, blocks=sizes, ties=ties)
        drawn = null.rvs(20_000, rng=4)
        for share in (0.5, 0.1, 0.02):
            x = float(np.quantile(drawn, 1 - share))
            error = (share * (1 - share) / len(drawn)) ** 0.5
            assert null.sf(x) == pytest.approx(np.mean(drawn >= x), abs=4.5 * error)
        assert null.skewness == pytest.approx(
            float(((drawn - null.mean) ** 3).mean() / null.std**3), abs=0.1
        )

    @pytest.mark.nightly
    def test_most_are_relevant(self):
        """Coarse cells made the tail of one late pair among 4500 of 5000 a fifth too heavy."""
        tied = pc.null.average_precision(2000, 1800, blocks=[1] * 1600 + [2] + [1] * 398)
        null = pc.null.average_precision(2000, 1800)
        for p in (0.5, 0.01, 1e-4):
            x = null.ppf(1 - p)
            assert tied.sf(x) == pytest.approx(null.sf(x), rel=0.005)

    @pytest.mark.nightly
    def test_twenty_misses_in_a_million(self):
        """Squares of a million left no digits for the variance of runs: .0139 and .0196 for .0098
        of one late pair.
        """
        sizes = np.repeat([1, 2], [899_998, 50_001])
        tied = pc.null.average_precision(10**6, 10**6 - 20, blocks=sizes)
        null = pc.null.average_precision(10**6, 10**6 - 20)
        assert tied.std == pytest.approx(null.std, rel=1e-5)
        for z in (-1, 1, 2):
            x = null.mean + z * null.std
            assert tied.sf(x) == pytest.approx(null.sf(x), rel=2e-3)

    def test_what_is_too_small_is_an_upper_bound(self):
        null = pc.null.average_precision(5000, 400, blocks=[5] * 1000)
        found = null.tail(0.9)
        assert 0 < found.p <= 1e-12
        assert found.bound
        assert str(found).startswith("p <= ")

    def test_one_hit_in_many_blocks(self):
        """Every state was followed, block by block: minutes for one hit in a million blocks."""
        null = pc.null.average_precision(30_000, 1, blocks=[1, 2] * 10_000, ties="block")
        assert null.sf(0.5) == pytest.approx(1 / 30_000)
        assert null.sf(1 / 3) == pytest.approx(3 / 30_000)
        assert not null.approximate

    @pytest.mark.nightly
    def test_a_hundred_thousand_blocks_take_no_time(self):
        sizes = np.random.default_rng(1).integers(1, 10, 100_000)
        null = pc.null.average_precision(int(sizes.sum()), 5000, blocks=sizes)
        assert seconds(lambda: null.sf(0.011)) < 5


@pytest.mark.parametrize(("items", "relevant"), [(1000, 12), (1000, 50), (300, 120), (300, 200)])
def test_outlines_have_the_exact_mean_and_variance(items, relevant):
    # An error in the variance of each of many rankings would be an error of the exponent of their
    # mean's tail.
    null = pc.null.average_precision(items, relevant)
    outline, cell = NullOutline.of(null, 1), null.std / 500
    mass = outline.masses(cell, 1.0)
    value = outline.least + cell * np.arange(len(mass))
    mean = mass @ value
    assert mass.sum() == pytest.approx(1, abs=1e-9)
    assert mean == pytest.approx(null.mean, rel=1e-6)
    # Masses that are split between two points are wider by some cell² / 6.
    assert mass @ (value - mean) ** 2 == pytest.approx(null.var, rel=2e-5)
