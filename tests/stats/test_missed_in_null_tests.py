"""`pc.null.test` measures what its measure's name says also where relevant items were missed.

Rprec was cut at the relevant items that were retrieved, and R@k, AP and AUC were divided by them.
The test of older days compared values with the registry's where nothing was missed, and said that
missed items change nothing.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_null import ChanceWithMissed, RelevantMissed
from precall.stats.null.mean_over_rankings import Mean
from tests.noticed import noticed, shown

MEASURES = (
    "AP",
    "AP@1",
    "AP@3",
    "AP@20",
    "P@1",
    "P@3",
    "P@20",
    "R@1",
    "R@3",
    "R@20",
    "Rprec",
    "RR",
    "EF@1%",
    "EF@40%",
    "EF(population=50)@7%",
)
#: Items and relevant items retrieved, and all relevant ones: in one case so many that R is beyond
#: the list.
CASES = [(6, 2, 2), (6, 2, 3), (7, 3, 5), (5, 2, 40), (4, 4, 6), (3, 0, 2), (5, 5, 5), (8, 1, 3)]


def _placements(items: int, retrieved: int, relevant: int) -> pc.Hits:
    """Every placement, a ranking each."""
    places = [list(one) for one in combinations(range(1, items + 1), retrieved)]
    n = len(places)
    return pc.Hits.of(places, retrieved=[items] * n, relevant=[relevant] * n)


@pytest.mark.nightly(keep=6)
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(("items", "retrieved", "relevant"), CASES)
def test_all_placements(measure, items, retrieved, relevant):
    every = _placements(items, retrieved, relevant)
    values = np.asarray(pc.measure(measure)(every))
    for value, outcome in zip(values, pc.null.test(every, measure).rankings, strict=True):
        null = outcome.null
        assert outcome.value == value
        assert outcome.p == pytest.approx(np.mean(values >= value * (1 - 1e-12)))
        assert null.sf(value) == pytest.approx(outcome.p)
        assert null.cdf(value) == pytest.approx(np.mean(values <= value * (1 + 1e-12)))
        assert null.mean == pytest.approx(values.mean())
        assert null.var == pytest.approx(values.var(), rel=1e-12, abs=1e-15)
    assert null.ppf(0.5) == pytest.approx(np.sort(values)[-(-len(values) // 2) - 1])
    assert [float(one) for one in null.pmf()] == pytest.approx(
        np.unique(values.round(12)).tolist(), rel=1e-9
    )
    assert set(null.rvs(50).round(9)) <= set(values.round(9))


@pytest.mark.parametrize("ties", ["block", "expected"])
@pytest.mark.parametrize("missed", [0, 2])
def test_curves(ties, missed):
    labels, scores = [1, 1, 0, 1, 0, 0, 0], [9, 8, 8, 7, 6, 5, 5]
    curve = pc.curve(labels, scores, missed=missed)
    result = pc.null.test(curve, ties=ties)
    every = [np.isin(np.arange(7), chosen).astype(int) for chosen in combinations(range(7), 3)]
    values = np.array(
        [pc.curve(one, scores, missed=missed).average_precision(ties) for one in every]
    )
    assert result.combined.value == pytest.approx(curve.average_precision(ties))
    assert result.p == pytest.approx(np.mean(values >= result.combined.value - 1e-12))
    assert result.null.mean == pytest.approx(values.mean())
    area = pc.null.test(curve, "AUC")
    values = np.array([pc.curve(one, scores, missed=missed).area_under_roc() for one in every])
    assert area.combined.value == pytest.approx(curve.area_under_roc())
    assert area.null.var == pytest.approx(values.var())
    assert area.p == pytest.approx(np.mean(values >= area.combined.value - 1e-12))


def test_the_printed_line_says_what_was_missed():
    result = pc.null.test(pc.curve([1, 0, 0], [3, 2, 1], missed=2))
    assert str(result).startswith(f"AP of 1 ranking, {RelevantMissed('', 2)}: 0.3333,")
    assert result.missed == 2 and "1 of 3 items relevant, 2 more missed" in repr(result.null)


def test_r_precision_of_one_of_three():
    result = pc.null.test(pc.Hits.of([[2], [1]], retrieved=[13, 13], relevant=[3, 1]), "Rprec")
    assert [one.value for one in result.rankings] == [1 / 3, 1.0]
    assert result.rankings[0].p == pytest.approx(3 / 13)
    # Of 169 pairs of placements: the first hit in 1..3 and the second at 1.
    assert result.combined.value == pytest.approx(2 / 3) and result.p == pytest.approx(3 / 169)


@pytest.mark.nightly
def test_a_mean_of_unequal_shares_against_simulation():
    sizes, reached, relevant = [37, 13, 18, 86, 58], [3, 4, 1, 13, 2], [3, 4, 1, 13, 4]
    rng = np.random.default_rng(3)
    draws = 40_000
    every = [
        1 + np.sort(rng.permuted(np.tile(np.arange(n), (draws, 1)), axis=1)[:, :m], axis=1)
        for n, m in zip(sizes, reached, strict=True)
    ]
    ap = sum(
        ((np.arange(1, m + 1) / rank) * (rank <= 20)).sum(axis=1) / r
        for rank, m, r in zip(every, reached, relevant, strict=True)
    )
    ap = ap / 5
    hits = pc.Hits.of([rank[0].tolist() for rank in every], retrieved=sizes, relevant=relevant)
    result = pc.null.test(hits, "AP@20")
    assert result.combined.value == pytest.approx(np.mean(pc.measure("AP@20")(hits))) == ap[0]
    assert result.null.mean == pytest.approx(ap.mean(), abs=4 * ap.std() / draws**0.5)
    for x in [ap[0], *np.quantile(ap, [0.1, 0.5, 0.9, 0.99])]:
        share = np.mean(ap >= x - 1e-12)
        error = (share * (1 - share) / draws) ** 0.5
        assert result.null.sf(x) == pytest.approx(share, abs=4 * error + 0.01 * share)


@pytest.mark.nightly
def test_what_is_not_listed_is_scaled_too():
    """Tails, quantiles and means of nulls that are convolved: as of the items retrieved."""
    rng = np.random.default_rng(1)
    where = sorted(rng.choice(np.arange(1, 1001), 40, replace=False).tolist())
    for measure in ("AP", "AP@100", "AUC"):
        whole = pc.null.test(pc.Hits.of(where, retrieved=1000, relevant=40), measure).combined
        less = pc.null.test(pc.Hits.of(where, retrieved=1000, relevant=50), measure).combined
        assert less.p == pytest.approx(whole.p, rel=1e-9) and less.tail.method == whole.tail.method
        assert less.null.ppf([0.1, 0.9]) == pytest.approx(
            0.8 * whole.null.ppf([0.1, 0.9]), rel=1e-9
        )
        assert less.null.cdf(less.value) == pytest.approx(whole.null.cdf(whole.value), rel=1e-9)
        assert (less.null.std, less.null.skewness) == (
            pytest.approx(0.8 * whole.null.std),
            whole.null.skewness,
        )
        means = [Mean((null, null)) for null in (less.null, whole.null)]
        assert means[0].sf(less.value) == pytest.approx(means[1].sf(whole.value), rel=2e-3)


def test_enrichment_has_the_p_of_precision():
    """EF was refused, though it is P@k times a constant; BEDROC's refusal named no way out."""
    ranked = [f"m{rank}" for rank in range(1, 201)]
    made = pc.ranking(["m1", "m3", "m4", "m150", "no"], ranked, ["EF@5%", "P@11"])
    found, precision = (pc.null.test(made, measure) for measure in ("EF@5%", "P@11"))
    assert found.p == precision.p < 1e-3
    assert (
        found.combined.value == made["EF@5%"] == pytest.approx(precision.combined.value * 201 / 5)
    )
    whole = pc.ranking(["m1", "m3", "m4"], ranked, "EF@1%", population=10_000)
    assert pc.null.test(whole, "EF@1%").combined.value == whole["EF@1%"]
    assert pc.null.test(whole, "EF@1%").p == pc.null.test(whole, "P@100").p
    hits = pc.Hits.of([1, 3, 4], retrieved=200, relevant=5)
    with pytest.raises(pc.UsageError, match=r"EF@1% or P@100"):
        pc.null.test(hits, "BEDROC")
    with pytest.raises(pc.UsageError, match=r"EF@x%"):
        pc.null.test(made, "EF(grade=2)@1%")


def test_chance_that_is_not_the_usual_one_is_explained():
    """AUC .66 over a chance of .33 read as if it were worth no more than .5."""
    hits = pc.Hits.of([1, 2, 4, 9], retrieved=50, relevant=6)
    for measure, usual in (("AUC", 0.5), ("EF@10%", 1.0)):
        result = pc.null.test(hits, measure)
        assert [note.values for note in noticed(result, ChanceWithMissed)] == [
            {"missed": 2, "relevant": 6, "chance": result.null.mean, "usual": usual}
        ]
        assert result.null.mean < usual
        assert shown(str(result), *result.notes)
        every = pc.Hits.of([1, 2, 4, 9], retrieved=50, relevant=4)
        assert pc.null.test(every, measure).null.mean == pytest.approx(usual)
        assert not noticed(pc.null.test(every, measure), ChanceWithMissed)
    assert not noticed(pc.null.test(hits, "AP"), ChanceWithMissed)
    assert not noticed(pc.null.test(hits, "EF(population=90)@10%"), ChanceWithMissed)
