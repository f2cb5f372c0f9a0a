"""Yeh's tests of matched pairs by name, against SciPy and definitions; and intervals of differences
of decisions.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.comparison import api as comparison
from precall.core.counts import Counts
from precall.core.notes.of_comparisons import IntervalOfDifference
from tests.noticed import noticed
from tests.peers import peer

stats = peer("scipy.stats")


def decided(seed=2, items=60):
    rng = np.random.default_rng(seed)
    truth = rng.random(items) < 0.4
    return truth, *(truth ^ (rng.random(items) < share) for share in (0.15, 0.3))


TRUTH, A, B = decided()
MATCHED = ("t", "wilcoxon", "sign")


def f(truth, said, beta=1.0):
    tp = (truth & said).sum()
    return (1 + beta**2) * tp / (said.sum() + beta**2 * truth.sum())


def test_recall_is_of_targets():
    hits = (A.astype(float) - B)[TRUTH]
    found = {test: pc.compare.decisions(TRUTH, A, B, "R", test=test) for test in MATCHED}
    t = stats.ttest_1samp(hits, 0)
    assert (found["t"].p, found["t"].statistic) == pytest.approx((t.pvalue, t.statistic), rel=1e-9)
    wins, losses = int((hits > 0).sum()), int((hits < 0).sum())
    assert found["sign"].p == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, rel=1e-9)
    # Where all differences have one size, signed ranks, signs and the randomization of recall are
    # one test.
    assert found["wilcoxon"].p == pytest.approx(found["sign"].p, rel=1e-9)
    assert pc.compare.decisions(TRUTH, A, B, "R").p == pytest.approx(found["sign"].p, rel=1e-9)


def test_precision_is_of_what_was_accepted():
    # Leisenring, Alonzo & Pepe's statistic, but for the sum of squares about the mean.
    common = ((TRUTH & A).sum() + (TRUTH & B).sum()) / (A.sum() + B.sum())
    pairs = ((TRUTH - common) * (A.astype(float) - B))[A | B]
    found = pc.compare.decisions(TRUTH, A, B, "P", test="t")
    assert found.p == pytest.approx(stats.ttest_1samp(pairs, 0).pvalue, rel=1e-9)
    assert f"{len(pairs)} pairs" in found.how


@pytest.mark.parametrize("beta", [0.5, 1.0, 3.0])
def test_f_is_of_what_was_accepted_or_relevant(beta):
    weight = beta**2
    hits = (1 + weight) * ((TRUTH & A).sum() + (TRUTH & B).sum())
    common = hits / (A.sum() + B.sum() + 2 * weight * TRUTH.sum())
    pairs = (((1 + weight) * TRUTH - common) * (A.astype(float) - B))[A | B | TRUTH]
    assert pairs.sum() != 0 and np.sign(pairs.sum()) == np.sign(
        f(TRUTH, A, beta) - f(TRUTH, B, beta)
    )
    found = pc.compare.decisions(TRUTH, A, B, "F", beta=beta, test="t")
    assert found.p == pytest.approx(stats.ttest_1samp(pairs, 0).pvalue, rel=1e-9)


def test_groups_are_pairs():
    group = np.arange(60) // 4
    hits = np.bincount(group, (A.astype(float) - B) * TRUTH)[np.bincount(group, TRUTH) > 0]
    found = {
        test: pc.compare.decisions(TRUTH, A, B, "R", test=test, groups=group) for test in MATCHED
    }
    assert found["t"].p == pytest.approx(stats.ttest_1samp(hits, 0).pvalue, rel=1e-9)
    known = pc.compare.paired(hits, np.zeros(len(hits)), test="wilcoxon")
    assert found["wilcoxon"].p == pytest.approx(known.p, rel=1e-9)


@pytest.mark.parametrize("measure", ["P", "R", "F", "accuracy", "error"])
@pytest.mark.parametrize("test", MATCHED)
def test_either_may_be_first_and_order_does_not_matter(measure, test):
    found = pc.compare.decisions(TRUTH, A, B, measure, test=test)
    assert pc.compare.decisions(TRUTH, B, A, measure, test=test).p == pytest.approx(
        found.p, rel=1e-12
    )
    assert pc.compare.decisions(
        TRUTH[::-1], A[::-1], B[::-1], measure, test=test
    ).p == pytest.approx(found.p, rel=1e-12)
    assert pc.compare.decisions(TRUTH, A, A, measure, test=test).p == 1


def test_nothing_that_the_measure_is_of():
    none = np.zeros(6, bool)
    for measure in ("P", "R", "F"):
        assert pc.compare.decisions(none, none, none, measure, test="t").p == 1


def test_names_of_tests():
    of_rights = ("mcnemar", "mcnemar-chi2", "obuchowski")
    assert comparison.tests("R") == ("randomization", *of_rights, *MATCHED)
    assert comparison.tests("P") == ("randomization", "wgs", *MATCHED)
    assert comparison.tests("Youden") == ("randomization", "mcnemar-both")
    assert comparison.tests("kappa") == ("randomization",)
    with pytest.raises(pc.UsageError, match="test of macro-F"):
        pc.compare.decisions(
            ["a", "b", "c"], ["a", "b", "b"], ["a", "c", "c"], "F", average="macro", test="t"
        )


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("measure", ["P", "R", "F", "MCC"])
def test_intervals_by_another_bootstrap(measure, method):
    truth, a, b = decided(4, 300)
    found = pc.compare.decisions(truth, a, b, measure, interval=method)
    rng, value = np.random.default_rng(8), pc.measure(measure)
    drawn = rng.integers(0, 300, (4000, 300))

    def of(said):
        cells = [(truth & said), (~truth & said), (truth & ~said), (~truth & ~said)]
        return value.of_table(Counts(*(cell[drawn].sum(axis=1) for cell in cells)))

    low, high = np.quantile(of(a) - of(b), [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.012)
    (note,) = noticed(found, IntervalOfDifference)
    assert (note.method, note.resamples) == (
        method,
        2000,
    ) and found.low < found.difference < found.high


def test_intervals_of_accuracy_and_of_several_categories():
    found = pc.compare.decisions(TRUTH, A, B, "accuracy", interval="percentile")
    right = (A == TRUTH).astype(float) - (B == TRUTH)
    known = stats.ttest_1samp(right, 0).confidence_interval()
    assert (found.low, found.high) == pytest.approx((known.low, known.high), rel=1e-9)
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 200)
    a, b = (
        np.where(rng.random(200) < share, truth, rng.integers(0, 3, 200)) for share in (0.8, 0.6)
    )
    for measure, average in (("F", "macro"), ("F", "weighted"), ("MCC", None), ("F", "micro")):
        found = pc.compare.decisions(truth, a, b, measure, average=average, interval="percentile")
        assert found.low < found.difference < found.high and found.low > 0


def test_no_interval_of_groups():
    with pytest.raises(pc.UsageError, match="groups have no interval"):
        pc.compare.decisions(TRUTH, A, B, groups=np.arange(60) // 4, interval="bca")
