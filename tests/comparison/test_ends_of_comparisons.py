"""Comparisons at the ends of what can be given: each of these was once wrong, or an error of
Python's.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import (
    DifferencesAlike,
    FewToRedraw,
    LeastP,
    NoSkewnessShown,
    OneTopic,
    SameOrder,
)
from precall.core.notes.of_decisions import UndefinedForSystems
from tests.noticed import noticed, shown

compare = pc.compare


class TestTopicsThatDoNotVary:
    def test_bootstrap_of_one_topic(self):
        # Every resample was that topic: p was 1e-5, and the interval of no length.
        found = compare.paired([0.5], [0.4], test="bootstrap", rng=1)
        assert found.p == 1 and not found.significant
        assert (found.low, found.high) == (None, None)

    def test_bootstrap_of_equal_differences(self):
        found = compare.paired([0.5] * 6, [0.4] * 6, test="bootstrap", rng=1)
        assert found.p == 2 / 2**6
        alike, skewness = found.notes
        assert isinstance(alike, DifferencesAlike) and isinstance(skewness, NoSkewnessShown)
        assert alike.values == {"reason": "all topics differ by the same amount", "by_signs": True}
        assert skewness.values == {"topics": 6, "differ": 6, "vary": False, "noun": "topics"}

    def test_the_bootstrap_has_no_least_p_of_signs(self):
        found = compare.paired([0.9, 0.8, 0.9, 0.7], [0.1, 0.1, 0.2, 0.2], test="bootstrap", rng=1)
        assert found.p < 0.01 and not noticed(found, LeastP)

    def test_equivalence_of_one_topic_claims_no_margin(self):
        found = compare.equivalence([0.5], [0.4], 0.2)
        assert math.isnan(found.needed) and not found.shown
        assert "difference +0.1000; least margin undef" in str(found)

    def test_equal_systems_are_even(self):
        # The second was better with probability 1.
        values = np.random.default_rng(1).random(20)
        found = compare.bayes.signed_rank(values, values, rope=0, rng=1, samples=500)
        assert (found.greater, found.less) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: compare.paired([1, 2.0], [2, 3.0], rng="x"), "rng: must be a seed"),
        (lambda: compare.many([[1, 2.0], [2, 3.0]], rng=-1), "rng: must be a seed"),
        (
            lambda: compare.power.of_t(10, math.nan, 1.0),
            "difference: must be a finite number, got nan",
        ),
        (
            lambda: compare.power.of_t(10, math.inf, 1.0),
            "difference: must be a finite number, got inf",
        ),
        (
            lambda: compare.cases([1, 0], [1, 2], [2, 1], names=("a", "a")),
            "names: must be two different ones",
        ),
        (
            lambda: compare.decisions([1, 0], [1, 1], [0, 1], names=("a", "a")),
            "names: must be two different ones",
        ),
    ],
)
def test_what_is_refused(call, said):
    with pytest.raises(pc.UsageError, match=said):
        call()


@pytest.mark.parametrize("missing", [None, math.nan])
def test_every_item_needs_a_group(missing):
    # NaN equals nothing, so that each was a group of its own.
    for call in (compare.cases, compare.decisions):
        with pytest.raises(pc.DataError, match="groups: case 1 has none"):
            call([1, 0, 1, 0], [1, 1, 0, 0], [0, 1, 0, 1], groups=[1, missing, 2, 2])


def test_decisions_on_nothing():
    with pytest.raises(pc.DataError, match="no items to compare on"):
        compare.decisions([], [], [])


@pytest.mark.parametrize(
    ("measure", "truth", "systems", "reason"),
    [
        ("P", [1, 0, 0], ("a",), "nothing is accepted"),
        (
            "F",
            [0, 0, 0],
            ("a",),
            (
                "nothing is relevant and nothing is accepted; with beta 0, if nothing is "
                "accepted; with alpha 0, if nothing is relevant"
            ),
        ),
        ("R", [0, 0, 0], ("a", "b"), "nothing is relevant"),
    ],
)
def test_what_is_counted_as_0_is_said(measure, truth, systems, reason):
    (note,) = compare.decisions(truth, [0, 0, 0], [0, 1, 0], measure).notes
    assert isinstance(note, UndefinedForSystems)
    assert note.facts == {"subject": measure, "systems": systems, "reason": reason, "counted_as": 0}
    assert compare.decisions([1, 0, 0], [1, 0, 0], [0, 1, 0], measure).notes == ()


def test_two_way_analysis_of_variance_is_statsmodels():
    frames = pytest.importorskip("pandas")
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    values = np.random.default_rng(2).random((15, 4))
    topic, system = (one.ravel() for one in np.indices(values.shape))
    table = frames.DataFrame({"t": topic, "s": system, "v": values.ravel()})
    theirs = anova_lm(ols("v ~ C(s) + C(t)", table).fit())
    ours = compare.many(values).anova["value"]
    assert ours.sums == pytest.approx(tuple(theirs["sum_sq"]))
    assert ours.f == pytest.approx(tuple(theirs["F"])[:2])
    assert ours.p == pytest.approx(tuple(theirs["PR(>F)"])[:2])


def test_a_gate_of_one_topic_says_what_it_needs():
    from precall.stats.tests.equivalence import gate

    found = compare.paired([0.4], [0.5], names=("new", "old"), measure="AP")
    said = str(gate(found, np.array([-0.1]), 0.05))
    assert said.endswith("It would have needed more topics")
    assert [note.values for note in noticed(found, LeastP)] == [{"differ": 1, "least": 1}]
    assert len(found.notes) == 1


@pytest.mark.parametrize("margin", [0.01, 0.5])
def test_a_gate_that_no_margin_would_have_failed_says_so(margin):
    from precall.stats.tests.equivalence import gate

    gain = np.array([0.03, 0.01, 0.02, 0.04, 0.02, 0.03, 0.05, 0.01])
    found = compare.paired(0.5 + gain, np.full(8, 0.5), names=("new", "old"), measure="AP")
    said = str(gate(found, gain, margin))
    assert (
        ". By Student's bound it would have passed with any margin; the least observed loss" in said
    )
    # A loss within the bound is the margin that would have failed.
    mixed = gain - 0.03
    found = compare.paired(
        0.5 + mixed, np.full(8, 0.5), names=("new", "old"), measure="AP", test="t"
    )
    said = str(gate(found, mixed, 0.5))
    needed = compare.equivalence(0.5 + mixed, np.full(8, 0.5), 0.5, kind="not worse").needed
    assert (
        f". It would have failed with a margin below {needed:.4f}; the least observed loss" in said
    )


@pytest.mark.parametrize(
    ("measure", "test"),
    [("accuracy", "mcnemar"), ("accuracy", "randomization"), ("F", None), ("P", None), ("R", None)],
)
def test_p_is_never_0(measure, test):
    # 2 / 2^2500 is no float64, and was 0.
    found = compare.decisions([1] * 2500, [1] * 2500, [0] * 2500, measure, test=test)
    assert 0 < found.p < 1e-300 and found.significant


def test_analysis_of_variance_of_systems_far_apart():
    noise = np.random.default_rng(1).normal(size=(400, 3)) * 1e-4
    found = compare.many(noise + np.arange(3))
    table = found.to_dict()["anova"]["value"]
    assert 0 < table["systems"]["p"] < 1e-300 and table["residual"]["p"] is None
    assert table["topics"]["freedom"] == 399 and table["systems"]["f"] > 1e6


def test_what_few_topics_are_said_to_be():
    # A bootstrap of two topics gave p = 1e-05, and one topic "1 topics, skewness 0.0".
    two = compare.paired([0.4, 0.5], [0.3, 0.2], test="bootstrap", rng=1, resamples=999)
    assert [(note.topics, note.differ) for note in noticed(two, FewToRedraw)] == [(2, 2)]
    for test in ("t", "bootstrap"):
        one = compare.paired([0.4], [0.3], test=test)
        assert one.p == 1.0 and [type(note) for note in one.notes] == [OneTopic]


def test_areas_without_variance_have_no_interval():
    found = compare.cases([1, 1, 0, 0], [4, 3, 2, 1], [1, 2, 3, 4], "AUC")
    assert found.difference == 1 and math.isnan(found.p) and (found.low, found.high) == (None, None)
    # Until an interval of no length counted as none, this one was 0 to 0.
    same = compare.cases([1, 1, 0, 0], [4, 3, 2, 1], [3, 4, 1, 2], "AUC")
    assert same.p == 1.0 and (same.low, same.high) == (None, None)


@pytest.mark.parametrize("test", [None, "permutation", "delong", "bootstrap", "influence"])
def test_the_same_order_has_no_interval(test):
    # This way to no length was overlooked when the others were closed: it was 0 to 0, as if of all
    # cases to come.
    for measure in ("AP", "AUC")[test == "delong" :]:
        same = compare.cases(
            [1, 1, 0, 0, 1], [4, 3, 2, 1, 0], [40, 30, 20, 10, 0], measure, test=test
        )
        assert (same.difference, same.p) == (0, 1) and (same.low, same.high) == (None, None)
        assert "95 % interval" not in str(same) and noticed(same, SameOrder)
        assert shown(str(same), SameOrder(""))


def test_an_equivalence_without_an_interval_prints_none():
    words = str(compare.equivalence([0.2, 0.3, 0.1], [0.1, 0.2, 0.3], 0.5, level=0.5))
    assert "interval" not in words and "difference +0.0000; least margin undef" in words
    words = str(compare.equivalence([0.2, 0.3, 0.1], [0.1, 0.2, 0.3], 0.5))
    assert "difference +0.0000, 90 % t interval -0.2920 to 0.2920; least margin 0.2920" in words


class TestPowerOfGreatDifferences:
    def test_beyond_float64(self):
        # OverflowErrors, and from 1e150 on the power was NaN, so that "more than 100,000,000"
        # topics were needed.
        assert compare.power.of_t(10, -1.0, 1e-200) == 1
        assert (
            compare.power.of_anova(10, 3, 1e200, 1.0)
            == compare.power.of_anova(10, 3, 1e150, 1.0)
            == 1
        )
        assert compare.power.topics_for_anova(3, 1e150, 1.0) == 2

    def test_a_deviation_of_few_digits(self):
        # 1/2 is the same in both; float32 made the difference one, too.
        assert compare.power.of_t(34, 0.1, np.float32(0.5)) == compare.power.of_t(34, 0.1, 0.5)
        assert compare.power.of_anova(20, 3, 0.1, np.float32(0.5)) == compare.power.of_anova(
            20, 3, 0.1, 0.5
        )

    @pytest.mark.parametrize(
        "call",
        [
            lambda: compare.power.items(np.array([0.1, 0.2]), 0.1),
            lambda: compare.plan(only_a=0.1, only_b=np.array([0.1, 0.2])),
            lambda: compare.plan(only_a=0.1, only_b=0.2, items=0.5),
            lambda: compare.power.of_randomization([0.1, 0.2, 0.3], 0.1, topics=2**53),
        ],
    )
    def test_what_is_no_number_of_them(self, call):
        with pytest.raises(pc.UsageError):
            call()
