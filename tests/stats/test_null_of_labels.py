"""Null distributions of a curve whose cases have equal scores, or which has missed some: labels in
random order, against all orders and against draws.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import precall as pc
from precall.stats.null.of_labels import OfLabels

SCORE = [5, 5, 4, 3, 3, 3, 2, 2, 1]
LABEL = [1, 0, 1, 0, 1, 0, 0, 0, 0]
MEASURES = (
    "BEP",
    "BEP(method=linear)",
    "IAP",
    "MaxF",
    "MaxF(beta=2)",
    "BEDROC",
    "RAtPrecision(precision=0.6)",
    "PAtRecall(recall=0.5)",
    "AUPRG",
    "AUC(max_fpr=0.4)",
    "AUC(max_fpr=0.4,mcclish=true)",
    "P@3",
    "R@3",
    "AP@3",
    "Rprec",
    "RR",
    "EF@20%",
)


@pytest.mark.parametrize("score", [SCORE, range(9, 0, -1)], ids=["tied", "apart"])
@pytest.mark.parametrize("missed", [0, 2])
@pytest.mark.parametrize("name", MEASURES)
def test_the_distribution_is_that_of_all_orders_of_the_labels(name, missed, score):
    """Only AP and AUC of tied scores had one, and break-even and others none with missed cases."""
    values = []
    for hits in combinations(range(9), 3):
        labels = [int(place in hits) for place in range(9)]
        values.append(pc.curve(labels, score, missed=missed).value(name))
    found = pc.null.test(pc.curve(LABEL, score, missed=missed), name).combined
    assert found.value == pytest.approx(pc.curve(LABEL, score, missed=missed).value(name))
    for x in values:
        assert found.null.sf(x) == pytest.approx(np.mean(np.array(values) >= x - 1e-9))
    assert (found.null.mean, found.null.std) == pytest.approx((np.mean(values), np.std(values)))
    assert found.null._ends() == (pytest.approx(min(values)), pytest.approx(max(values))) or (
        found.null._ends() == (0, 1)
    )


def test_draws_agree_with_the_exact_law_of_scores_without_ties():
    rng = np.random.default_rng(3)
    label = rng.random(60) < 0.3
    curve = pc.curve(label, rng.permutation(60) + 5 * label)
    blocks, relevant = np.ones(60, np.int64), int(label.sum())

    def value_of(hits):
        return float(pc.curve(hits, range(60, 0, -1)).value("RAtPrecision(precision=0.5)"))

    drawn = OfLabels("RAtPrecision", blocks, relevant, value_of)
    exact = pc.null.test(curve, "RAtPrecision(precision=0.5)").null
    assert abs(drawn.mean - exact.mean) < 5 * drawn.mean_error
    for x in (0.05, 0.1, 0.2):
        p = exact.sf(x)
        assert abs(drawn.sf(x) - p) < 5 * (p * (1 - p) / drawn.sample_size) ** 0.5 + 1e-3
    assert drawn.tail(0.1).error == np.inf and "standard error" in drawn.tail(0.1).method
    assert drawn.sf(1.5) == 0 and 0 < drawn.sf(1.0) < 0.01


def test_an_enrichment_above_1_has_a_p():
    label = [1] * 8 + [0] * 52
    score = np.repeat(range(20), 3)[::-1]
    found = pc.null.test(pc.curve(label, score), "EF@10%")
    assert found.combined.value > 1 and 0 < found.p < 0.01
    assert found.null.interval(0.95).high > 1


@pytest.mark.parametrize(
    ("given", "name", "said"),
    [
        (pc.Hits.of([1, 3], retrieved=10, relevant=2), "AUPRG", "only a curve knows"),
        (pc.Hits.of([1, 3], retrieved=10, relevant=2), "AUC(max_fpr=0.1)", "only a curve knows"),
        (pc.ranking(["a"], ["b", "a"], population=9), "AUPRG", "only a curve knows"),
        (pc.curve([1, 0], [2, 1]), "KAtRecall(recall=0.5)", "test PAtRecall"),
        (pc.curve([1, 0, 1], [2, 2, 1], weights=[1, 2, 1]), "BEP", "with weights"),
    ],
)
def test_what_has_none_is_refused(given, name, said):
    with pytest.raises(pc.UsageError, match=said):
        pc.null.test(given, name)


def test_without_relevant_cases_nothing_is_tested():
    with pytest.raises(pc.UsageError, match="undefined in every ranking"):
        pc.null.test(pc.curve([0, 0, 0], [2, 2, 1], missed=1), "PAtRecall(recall=0.9)")


@pytest.mark.parametrize("name", MEASURES)
def test_blocks_stay_where_each_has_labels_of_one_kind(name):
    """Such curves had the distribution of scores without ties, and values of other thresholds than
    those of the curve: all tied curves here had a block with both labels.
    """
    score, hit = [8, 7, 6, 6, 2, 2, 0], (1, 2, 3)
    curves = [
        pc.curve([int(place in hits) for place in range(7)], score)
        for hits in combinations(range(7), 3)
    ]
    values = np.array([curve.value(name) for curve in curves])
    curve = pc.curve([int(place in hit) for place in range(7)], score)
    found = pc.null.test(curve, name)
    assert found.combined.value == pytest.approx(curve.value(name))
    assert found.p == pytest.approx(np.mean(values >= curve.value(name) - 1e-9))
    assert found.null.mean == pytest.approx(values.mean())


@pytest.mark.parametrize("name", ["P@4", "R@4", "EF@50%", "P@8"])
def test_a_cut_between_blocks_needs_no_draws(name):
    """The order of equal scores does not matter there."""
    found = pc.null.test(pc.curve([1, 0, 1, 1, 0, 0, 1, 0], [4, 4, 3, 2, 1, 1, 0, 0]), name)
    assert found.combined.tail.method.startswith("hypergeometric")
