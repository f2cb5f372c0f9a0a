"""Several systems: corrections, randomised Tukey HSD, letters, analysis of variance; real topic
matrices.
"""

from __future__ import annotations

import warnings
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import precall as pc
from precall.core.notes.of_comparisons import FewResamples, NoLetters, TopicsLeftOut
from precall.stats.tests.comparisons import adjust
from precall.stats.tests.many import anova, display, invert_tests
from precall.stats.tests.paired import PairedOptions
from tests.comparison import oracle
from tests.noticed import noticed

P = st.lists(st.floats(1e-6, 1), min_size=2, max_size=12)


def matrix(facts, name):
    return np.loadtxt(facts / "matrices" / f"{name}.csv", delimiter=",", skiprows=1, ndmin=2)


@given(P)
def test_corrections_are_those_of_the_papers(p):
    assert adjust(p, "holm") == pytest.approx(oracle.holm(p))
    assert adjust(p, "hochberg") == pytest.approx(oracle.hochberg(p))
    assert adjust(p, "bh") == pytest.approx(oracle.benjamini_hochberg(p))
    assert adjust(p, "by") == pytest.approx(oracle.benjamini_hochberg(p, dependent=True))


@pytest.mark.nightly
@settings(max_examples=10)  # Holm's there collects garbage each time
@given(P)
def test_corrections_have_the_digits_of_statsmodels(p):
    multitest = pytest.importorskip(
        "statsmodels.stats.multitest", reason="statsmodels is not installed: nothing was compared"
    )
    for name, theirs in {
        "holm": "holm",
        "hochberg": "simes-hochberg",
        "bh": "fdr_bh",
        "by": "fdr_by",
    }.items():
        assert adjust(p, name).tolist() == multitest.multipletests(p, method=theirs)[1].tolist()


def test_benjamini_and_hochbergs_example():
    # Benjamini & Hochberg 1995, section 4: 15 comparisons; at 5 % their procedure rejects four,
    # Bonferroni's three.
    p = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1.0000,
    ]
    assert sum(adjust(p, "bh") <= 0.05) == 4
    assert sum(adjust(p, "hochberg") <= 0.05) == sum(adjust(p, "holm") <= 0.05) == 3


def test_each_pair_is_a_paired_test():
    values = np.random.default_rng(1).random((9, 4))
    for test in ("randomization", "t", "wilcoxon", "sign"):
        found = pc.compare.many(values, list("wxyz"), test=test, correction="none")
        assert [one.names for one in found.pairs] == list(combinations("wxyz", 2))
        for one in found.pairs:
            i, j = ("wxyz".index(name) for name in one.names)
            alone = pc.compare.paired(values[:, i], values[:, j], test=test)
            for name in ("p", "difference", "low", "high"):
                assert getattr(one, name) == pytest.approx(getattr(alone, name), abs=1e-15)
            assert (one.how, one.interval) == (alone.how, alone.interval)


def test_a_baseline_is_subtracted():
    values = np.random.default_rng(2).random((12, 4))
    found = pc.compare.many(values, list("wxyz"), baseline="x")
    assert [one.names for one in found.pairs] == [("w", "x"), ("y", "x"), ("z", "x")]
    assert found.pairs[2].difference == pytest.approx(values[:, 3].mean() - values[:, 1].mean())
    assert found.letters == {} and found.conventions["baseline"] == "x"
    assert [one.adjusted for one in found.pairs] == pytest.approx(
        oracle.holm([one.p for one in found.pairs])
    )


def test_sampled_pairs_agree_with_exact_ones():
    values = np.random.default_rng(3).random((14, 5))
    places = list(combinations(range(5), 2))
    exact = [one.p for one in pc.compare.many(values).pairs]
    # Of more topics than all signs are gone through of; five that are equal for all change nothing.
    values = np.vstack((values, np.full((5, 5), 0.5)))
    sampled = list(
        invert_tests(values, places, PairedOptions(resamples=40_000, rng=4), [None] * len(places))
    )
    assert [one.p for one in sampled] == pytest.approx(exact, abs=0.012)
    assert {str(one.method) for one in sampled} == {"40,000 sampled signs"}


TABLE = np.array([[3, 1, 0], [5, 2, 2], [4, 4, 1], [6, 1, 3], [2, 2, 0], [9, 1, 4], [4, 3, 3]])


@pytest.mark.parametrize("resamples", [99, 60_000])
def test_tukey_is_the_share_of_all_signs(resamples):
    # Of so few topics all are gone through, however few are asked for.
    found = pc.compare.many(TABLE / 10, list("abc"), correction="tukey", resamples=resamples, rng=5)
    for one, (i, j) in zip(found.pairs, combinations(range(3), 2), strict=True):
        exact = float(oracle.tukey([[Fraction(int(x)) for x in row] for row in TABLE], i, j))
        assert one.adjusted == one.p == exact
        assert (one.how, one.seed) == ("all 2^7 signs, the greatest t of all pairs", None)


def test_tukey_of_many_topics_is_sampled():
    rng = np.random.default_rng(6)
    values = np.round(rng.normal(size=(16, 3)) + np.array([0.9, 0, 0]), 1)
    whole = {one.names: one.adjusted for one in pc.compare.many(values, correction="tukey").pairs}
    found = pc.compare.many(values, correction="tukey", resamples=20_000, rng=5).pairs
    assert {one.seed for one in found} == {5} and {one.how[:20] for one in found} == {
        "20,000 sampled signs"
    }
    for one in found:
        assert one.adjusted == pytest.approx(whole[one.names], abs=5 * (0.25 / 20_000) ** 0.5)


def test_tukey_is_the_same_whatever_the_threads(monkeypatch):
    values = np.random.default_rng(7).random((20, 6))
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("PRECALL_THREADS", threads)
        for correction in ("tukey", "holm"):
            pairs = pc.compare.many(values, correction=correction, resamples=5000, rng=8).pairs
            found.append(tuple(one.adjusted for one in pairs))
    assert found[:2] == found[2:]


def test_tukey_is_never_sure():
    # No signs of forty topics come near a difference that is the same in all: (0 + 1)/(99 + 1),
    # not 0.
    values = {"a": [1.0] * 40, "b": [0.0] * 40, "c": [0.0] * 40}
    found = pc.compare.many(values, correction="tukey", resamples=99, rng=1)
    assert [one.adjusted for one in found.pairs] == [0.01, 0.01, 1.0]


def test_letters_that_are_left_out_are_missed_aloud(monkeypatch):
    values = np.random.default_rng(1).random((16, 4))
    assert not pc.compare.many(values, correction="none").notes
    monkeypatch.setattr("precall.stats.tests.many.display", lambda means, pairs: {})
    found = pc.compare.many(values, correction="none")
    assert not found.letters and isinstance(found.notes[0], NoLetters)


def test_two_systems_need_no_tukey():
    # Of the signs of departures from the mean p is near that of the signs of differences.
    values = np.random.default_rng(9).random((10, 2))
    exact = pc.compare.paired(values[:, 0], values[:, 1]).p
    found = pc.compare.many(values, correction="tukey").pairs[0]
    assert found.p == pytest.approx(exact, abs=0.03)
    # A difference that is the same everywhere has the p of the signs, as by every test.
    for topics in (1, 2, 5, 9):
        alike = pc.compare.many(
            {"a": [0.7] * topics, "b": [0.5] * topics}, correction="tukey"
        ).pairs[0]
        assert alike.p == pc.compare.paired([0.7] * topics, [0.5] * topics).p == 2.0 ** (1 - topics)


@given(st.integers(2, 7), st.randoms(use_true_random=False))
def test_systems_share_a_letter_if_and_only_if_they_do_not_differ(size, random):
    names = [f"s{i}" for i in range(size)]
    means = {name: random.random() for name in names}
    different = [pair for pair in combinations(names, 2) if random.random() < 0.4]
    letters = display(means, different)
    for one, other in combinations(names, 2):
        alike = bool(set(letters[one]) & set(letters[other]))
        assert alike == ((one, other) not in different)
    assert "a" in letters[max(means, key=means.__getitem__)] or not different or letters


def test_letters_of_many_systems_are_runs():
    means = {f"s{i}": -float(i) for i in range(129)}
    different = [(a, b) for a, b in combinations(means, 2) if means[a] - means[b] > 20]
    letters = display(means, different)
    assert letters["s0"] == "a" and all(letters.values())


def test_analysis_of_variance_is_that_of_statsmodels():
    import pandas as pd

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from statsmodels.stats.anova import AnovaRM

        values = np.random.default_rng(10).random((8, 4))
        frame = pd.DataFrame(
            [(i, j, values[i, j]) for i in range(8) for j in range(4)],
            columns=["topic", "system", "value"],
        )
        theirs = AnovaRM(frame, "value", "topic", within=["system"]).fit().anova_table
    ours = anova(values)
    assert (ours.f[0], ours.p[0]) == pytest.approx(
        (theirs["F Value"].iloc[0], theirs["Pr > F"].iloc[0])
    )
    assert sum(ours.sums) == pytest.approx(((values - values.mean()) ** 2).sum())
    assert np.isnan(anova(np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 4.0]])).f[0])


@pytest.mark.parametrize("name", ["adhoc5_ap", "web2011_ndcg20"])
def test_real_matrices(facts, name):
    values = matrix(facts, name)[:, :12]
    holm = pc.compare.many(values, test="t")
    p = {one.names: one.p for one in holm.pairs}
    randomized = pc.compare.many(values, correction="holm", rng=1, resamples=20_000)
    apart = [abs(one.p - p[one.names]) for one in randomized.pairs if one.p > 0.001]
    # Smucker, Allan & Carterette 2007: with 50 topics t and randomization agree closely.
    assert np.mean(apart) < 0.02
    hsd = pc.compare.many(values, correction="tukey", rng=1, resamples=5000)
    assert all(a.adjusted >= b.p - 0.03 for a, b in zip(hsd.pairs, randomized.pairs, strict=True))
    assert all(one.significant == (not one.low <= 0 <= one.high) for one in hsd.pairs)
    assert (
        0
        < len(hsd.significant)
        <= len(pc.compare.many(values, test="t", correction="none").significant)
    )


@pytest.mark.nightly
def test_one_way_tukey_would_find_less(facts):
    from scipy import stats

    values = matrix(facts, "adhoc7_ap")[:, :8]
    blind = stats.tukey_hsd(*values.T).pvalue
    ours = {
        one.names: one.adjusted for one in pc.compare.many(values, correction="tukey", rng=1).pairs
    }
    # SciPy's forgets the topics, whose variance is most of all there is.
    assert sum(p <= 0.05 for p in ours.values()) > sum(blind[np.triu_indices(8, 1)] <= 0.05)


def test_notes_and_errors():
    values = np.random.default_rng(11).normal(size=(60, 12)) / 7 + np.arange(12)
    coarse = pc.compare.many(values, resamples=99, rng=1)
    (few,) = noticed(coarse, FewResamples)
    assert (few.pairs, few.least) == (66, 1 / 100)
    assert "adjusted" in str(coarse) and "12 systems" in repr(coarse)
    with pytest.raises(pc.UsageError, match="correction: got 'bonferroni', allowed are holm"):
        pc.compare.many(values, correction="bonferroni")
    with pytest.raises(pc.UsageError, match="baseline: got 'x', the systems are 1, 2"):
        pc.compare.many(values, baseline="x")
    with pytest.raises(pc.UsageError, match="names: must be 12 different ones"):
        pc.compare.many(values, ["a"] * 12)
    with pytest.raises(pc.UsageError, match="two systems or more"):
        pc.compare.many(values[:, :1])
    with pytest.raises(pc.UsageError, match="topics x systems"):
        pc.compare.many([1, 2, 3])


def test_a_topic_left_out_is_so_for_all():
    values = np.random.default_rng(12).random((6, 3))
    values[2, 1] = np.nan
    found = pc.compare.many(values)
    assert {one.size for one in found.pairs} == {5} and {one.left_out for one in found.pairs} == {1}
    assert found.pair("1", "3").difference == pytest.approx(
        (values[:, 0] - values[:, 2])[[0, 1, 3, 4, 5]].mean()
    )
    assert [note.left_out for note in noticed(found, TopicsLeftOut)] == [1]
    with pytest.raises(KeyError, match="compared were 1, 2, 3"):
        found.pair("1", "9")
