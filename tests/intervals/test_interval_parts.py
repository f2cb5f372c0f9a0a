"""Intervals of parts of an area under ROC, of areas in groups as published, and of every category's
ranking.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_decisions import ColumnsTaken
from precall.core.notes.of_intervals import (
    EachByItself,
    FewWithin,
    PartAtAnEnd,
    UndefinedInterval,
    UndefinedMeasure,
)
from tests.noticed import noticed, warned
from tests.oracle import two_lists as oracle
from tests.peers import peer

sparse = peer("scipy.sparse")

RNG = np.random.default_rng(12)
RELEVANT = RNG.random(400) < 0.3
SCORE = np.round(RNG.standard_normal(400) + 1.2 * RELEVANT, 1)
GROUP = np.arange(400) // 8


class TestParts:
    @pytest.mark.parametrize("most", [0.1, 0.25, 1.0])
    def test_the_estimate_is_the_measure_and_the_error_that_of_derivatives(self, most):
        weight = RNG.random(60) + 0.5
        relevant, score = RELEVANT[:60], SCORE[:60]
        with pytest.warns(pc.PrecallWarning):
            found = pc.interval.partial_area_under_roc(
                relevant, score, most, weights=weight, missed=3
            )
        assert found.estimate == pytest.approx(
            oracle.partial_area(relevant, score, weight, most, 3)
        )
        known = pc.curve(relevant, score, 3, weight).value(f"AUC(max_fpr={most})")
        assert found.estimate == pytest.approx(known, rel=1e-12)
        slopes, lost = oracle.influences("part", relevant, score, weight, 3, most)
        variance = 0.0
        for kind, missed in ((relevant, 3), (~relevant, 0)):
            size = weight[kind].sum() ** 2 / (weight[kind] ** 2).sum() + missed
            variance += (
                (np.sum((weight * slopes)[kind] ** 2) + missed * lost**2) * size / (size - 1)
            )
        assert found.standard_error**2 == pytest.approx(variance, rel=1e-5)

    @pytest.mark.parametrize("method", ["logit-delong", "delong", "percentile", "bca"])
    def test_mcclish_moves_all_alike(self, method):
        plain, moved = (
            pc.interval.partial_area_under_roc(RELEVANT, SCORE, 0.2, mcclish, method=method, rng=1)
            for mcclish in (False, True)
        )
        for name in ("estimate", "low", "high"):
            expected = (1 + (getattr(plain, name) - 0.02) / 0.18) / 2
            assert getattr(moved, name) == pytest.approx(expected)
        assert moved.standard_error == pytest.approx(plain.standard_error / 0.36)
        named = pc.interval(
            pc.curve(RELEVANT, SCORE), "AUC(max_fpr=0.2,mcclish=true)", method=method, rng=1
        )
        assert named == moved

    def test_the_whole_is_delongs(self):
        part, whole = (
            pc.interval.partial_area_under_roc(RELEVANT, SCORE, 1, method="delong"),
            pc.interval.area_under_roc(RELEVANT, SCORE, method="delong"),
        )
        assert (part.low, part.high) == pytest.approx((whole.low, whole.high), rel=1e-12)

    def test_ends_of_the_scale(self):
        with warned(PartAtAnEnd) as told:
            best = pc.interval.partial_area_under_roc([1] * 40 + [0] * 200, range(240, 0, -1), 0.2)
        assert (
            best.estimate == pytest.approx(0.2)
            and best.high == pytest.approx(0.2)
            and 0.17 < best.low < 0.2
        )
        assert [(note.estimate, note.cases) for note in told] == [(pytest.approx(1), 40)]
        with warned(PartAtAnEnd) as told:
            worst = pc.interval.partial_area_under_roc([1] * 40 + [0] * 200, range(240), 0.2)
        assert [(note.estimate, note.cases) for note in told] == [(0, 40)]
        assert worst.estimate == worst.low == 0 and 0 < worst.high < 0.03
        with warned(UndefinedInterval) as told:
            none = pc.interval.partial_area_under_roc(
                [1] * 40 + [0] * 200, range(240), 0.2, method="delong"
            )
        assert [note.reason for note in told] == ["its variance is 0"]
        assert none.low is None

    def test_few_within_warn(self):
        with warned(FewWithin) as told:
            pc.interval.partial_area_under_roc(RELEVANT, SCORE, 14 / np.count_nonzero(~RELEVANT))
        assert [note.cases for note in told] == [14]

    @pytest.mark.parametrize("most", [0, 1.5, -1, "x", None, float("nan")])
    def test_rates_that_are_none(self, most):
        with pytest.raises(pc.UsageError, match="max_fpr"):
            pc.interval.partial_area_under_roc(RELEVANT, SCORE, most)

    def test_methods_are_known_by_name(self):
        from precall.intervals import methods

        assert methods("AUC(max_fpr=0.1)")[:2] == ("logit-delong", "delong")
        assert methods("AUC")[0] == "delong-newcombe"
        with pytest.raises(pc.UsageError, match="beta"):
            pc.interval(pc.curve(RELEVANT, SCORE), "AUC(max_fpr=0.1)", beta=2)


class TestGroups:
    def test_obuchowski_is_the_papers(self):
        for name, given in (("area_under_roc", ()), ("partial_area_under_roc", (1.0,))):
            found = getattr(pc.interval, name)(
                RELEVANT, SCORE, *given, groups=GROUP, method="obuchowski"
            )
            theta, variance = oracle.obuchowski(RELEVANT, SCORE, np.zeros(400), GROUP)
            assert found.estimate - 0.5 == pytest.approx(theta)
            assert found.standard_error**2 == pytest.approx(variance, rel=1e-9)
            assert found.high - found.estimate == pytest.approx(1.959963984540054 * variance**0.5)

    def test_without_groups_it_is_delongs(self):
        both = [
            pc.interval.area_under_roc(RELEVANT, SCORE, method=name)
            for name in ("obuchowski", "delong")
        ]
        single = pc.interval.area_under_roc(RELEVANT, SCORE, groups=range(400), method="obuchowski")
        assert both[0].low == both[1].low == pytest.approx(single.low, rel=1e-12)

    def test_one_group_with_all_of_a_kind_has_none(self):
        group = np.where(RELEVANT, 0, np.arange(400))
        with warned(UndefinedInterval) as told:
            found = pc.interval.area_under_roc(RELEVANT, SCORE, groups=group, method="obuchowski")
        assert [note.reason for note in told] == ["all cases of a kind are of one group"]
        assert found.low is None

    def test_of_a_curve(self):
        curve = pc.curve(RELEVANT, SCORE)
        for measure, make in (
            ("AUC", pc.interval.area_under_roc),
            ("AP", pc.interval.average_precision),
        ):
            assert pc.interval(curve, measure, groups=GROUP) == make(RELEVANT, SCORE, groups=GROUP)
        weighted = pc.curve(RELEVANT, SCORE, weights=np.ones(400))
        found = pc.interval.area_under_roc(RELEVANT, SCORE, weights=np.ones(400), groups=GROUP)
        assert pc.interval(weighted, "AUC", groups=GROUP) == found
        with pytest.raises(pc.UsageError, match="groups: .*; give labels and scores"):
            pc.interval(pc.curve(RELEVANT, SCORE, missed=2), "AUC", groups=GROUP)
        score = SCORE.copy()
        changed = pc.curve(RELEVANT, score)
        score[:50] += 3
        with pytest.raises(pc.UsageError, match="changed since"):
            pc.interval(changed, "AUC", groups=GROUP)


TRUTH = RNG.choice(list("aabbc"), 300)
SCORES = RNG.standard_normal((300, 3)) + (TRUTH[:, None] == np.array(list("abc"))) * 1.2


class TestCategories:
    @pytest.mark.parametrize("measure", ["AP", "AUC", "AUC(max_fpr=0.3)", "max-F"])
    def test_each_is_what_its_list_has(self, measure):
        found = pc.interval(pc.categorize(TRUTH, SCORES), measure, rng=3)
        assert list(found) == list("abc")
        for column, name in enumerate("abc"):
            alone = pc.interval(pc.curve(name == TRUTH, SCORES[:, column]), measure, rng=3)
            assert (found[name].low, found[name].high) == (alone.low, alone.high)
        assert found.table["category"] == list("abc")

    def test_without_a_measure_there_are_two(self):
        found = pc.interval(pc.categorize(TRUTH, SCORES), method="normal", level=0.9)
        assert list(found)[:2] == [("a", "AP"), ("a", "AUC")]
        assert found["a", "AP"].method == "normal" and found["a", "AUC"].method == "delong-newcombe"
        (note,) = noticed(found, EachByItself)
        assert (note.categories, note.level) == (3, 0.9)
        assert note.at_once == pytest.approx(1 - 0.1 / 3, abs=1e-6)

    def test_what_was_not_scored_is_missed(self):
        kept = SCORES.copy()
        kept[np.abs(kept) < 0.3] = 0
        found = pc.interval(pc.categorize(TRUTH, sparse.csr_array(kept)), "AP")
        scored = kept[:, 0] != 0
        missed = int(np.count_nonzero((TRUTH == "a") & ~scored))
        alone = pc.interval.average_precision(
            (TRUTH == "a")[scored], kept[scored, 0], missed=missed
        )
        assert missed and found["a"].low == alone.low
        with pytest.raises(pc.UsageError, match="groups: some pairs have no score"):
            pc.interval(pc.categorize(TRUTH, sparse.csr_array(kept)), "AP", groups=range(300))

    def test_groups_are_of_items(self):
        found = pc.interval(pc.categorize(TRUTH, SCORES), "AUC", groups=np.arange(300) // 5)
        alone = pc.interval.area_under_roc(TRUTH == "b", SCORES[:, 1], groups=np.arange(300) // 5)
        assert found["b"].low == alone.low

    def test_counts_are_of_decisions(self):
        status = pc.categorize(TRUTH, SCORES)
        with pytest.raises(
            pc.UsageError, match=r"measure: R is of decisions, and these are scores; decide first"
        ):
            pc.interval(status, "R")
        with pytest.raises(pc.UsageError, match="measure: got 'nothing'"):
            pc.interval(status, "nothing")
        with pytest.raises(pc.UsageError, match="average"):
            pc.interval(status, "AP", average="macro")
        decided = status.decide(status.thresholds("fixed:0.5"))
        found = pc.interval(decided, "R", average="each")
        hits = int(np.count_nonzero((TRUTH == "a") & (SCORES[:, 0] >= 0.5)))
        share = pc.interval.proportion(hits, int((TRUTH == "a").sum()), measure="R")
        # Which columns of scores were taken is known of decisions, but not of two numbers.
        assert replace(found["a"], notes=()) == share and noticed(found["a"], ColumnsTaken)
        assert found.table["category"] == list("abc")
        assert [note.categories for note in noticed(found, EachByItself)] == [3]

    def test_a_category_without_items_is_undefined(self):
        status = pc.categorize(TRUTH, np.column_stack([SCORES, SCORES[:, 0]]), ["a", "b", "c", "d"])
        with warned(UndefinedMeasure) as told:
            found = pc.interval(status, "AP")
        assert [note.context for note in told] == [("d",)]
        assert found["d"].low is None and found["a"].low is not None
