"""Intervals for AP and AUC: influences, variances, and the log-odds scale."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import precall as pc
from precall.cases.intervals import blocks_of
from precall.core.notes.of_intervals import (
    AtAnEnd,
    FewCases,
    FewGroups,
    FewHeavyCases,
    NextToOne,
    UndefinedInterval,
    UndefinedMeasure,
)
from precall.stats import influence, quantiles
from precall.stats.blocks import Blocks
from precall.stats.intervals.methods import METHODS
from tests.noticed import noticed, warned
from tests.oracle import scored_intervals as oracle

# Small samples are warned of; tests of that name the warning.
pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")

OURS = {
    "AP": (influence.average_precision, oracle.average_precision),
    "AUC": (influence.area_under_roc, oracle.area_under_roc),
}


def cases(n=30, seed=0, tied=True, share=0.4):
    rng = np.random.default_rng(seed)
    relevant = rng.random(n) < share
    score = rng.standard_normal(n) + relevant
    return relevant, np.round(score * 2) / 2 if tied else score


def per_case(found, blocks, relevant, score):
    """Influences in the order of the cases."""
    block = np.unique(-score, return_inverse=True)[1]
    if blocks.cases is None:
        # Blocks of other cases that follow each other are one: by how many cases are above.
        above = np.searchsorted(np.sort(-score), -score)
        block = np.searchsorted(np.cumsum(blocks.positive + blocks.negative), above, side="right")
    return np.where(relevant, found.positive[block], found.negative[block])


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("measure", OURS)
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missed", [0, 3])
def test_influences_are_derivatives(measure, tied, weighted, missed):
    """By numerical derivatives with ties, weights and missed items; they add up to 0."""
    for seed in range(4):
        relevant, score = cases(seed=seed, tied=tied)
        rng = np.random.default_rng(seed + 100)
        weight = rng.random(30) * 3 + 0.2 if weighted else np.ones(30)
        blocks = blocks_of(relevant, score, weight if weighted else None, missed)
        ours, theirs = OURS[measure]
        found = ours(blocks)
        slopes, of_missed = oracle.derivatives(theirs, relevant, score, weight, missed)
        assert found.value == pytest.approx(theirs(relevant, score, weight, missed), rel=1e-12)
        assert per_case(found, blocks, relevant, score) == pytest.approx(slopes, abs=5e-9)
        if missed:
            assert found.missed == pytest.approx(of_missed, abs=5e-9)
        assert slopes @ weight + missed * of_missed == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize("tied", [False, True])
def test_delong_is_over_all_pairs(tied):
    for seed in range(5):
        relevant, score = cases(seed=seed, tied=tied)
        value, variance = oracle.delong(relevant, score)
        found = pc.interval.area_under_roc(relevant, score, method="delong", level=0.9)
        assert found.estimate == pytest.approx(value, rel=1e-12)
        assert found.standard_error**2 == pytest.approx(variance, rel=1e-12)
        assert found.low == pytest.approx(max(value - quantiles.z(0.9) * math.sqrt(variance), 0))


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_golden_errors(facts):
    """Forty items with two scores: standard errors computed before this library was written."""
    path = facts / "golden" / "worked_examples.json"
    golden = json.loads(path.read_text(encoding="utf-8"))["inference_40_items"]
    relevant = np.array(golden["y"]) > 0
    for place in (0, 1):
        score = np.array(golden[f"scores{place + 1}"])
        blocks = blocks_of(relevant, score)
        found = influence.average_precision(blocks)
        assert found.value == pytest.approx(golden["ap"][place], rel=1e-12)
        independent = (
            influence.variance(blocks, found, stratified=False) * 11 / 12
        )  # its R / (R - 1)
        assert math.sqrt(independent) == pytest.approx(golden["ap_se_iid"][place], rel=1e-12)
        fixed = influence.variance(blocks, found, stratified=True)
        assert math.sqrt(fixed) == pytest.approx(golden["ap_se_stratified"][place], rel=1e-12)
        auc = pc.interval.area_under_roc(relevant, score)
        assert auc.standard_error**2 == pytest.approx(golden["delong_cov"][place][place], rel=1e-12)


class TestWeights:
    def test_whole_weights_repeat_a_case(self):
        relevant, score = cases(60, 5)
        times = np.random.default_rng(1).integers(0, 4, 60)
        for one in (pc.interval.average_precision, pc.interval.area_under_roc):
            heavy = one(relevant, score, times)
            spelled = one(np.repeat(relevant, times), np.repeat(score, times))
            assert (heavy.low, heavy.high) == pytest.approx((spelled.low, spelled.high), rel=1e-12)

    def test_real_weights_are_one_case_each(self):
        """Doubling all weights changes nothing; doubling whole ones doubles the cases."""
        relevant, score = cases(60, 5)
        weight = np.random.default_rng(1).random(60) + 0.5
        for one in (pc.interval.average_precision, pc.interval.area_under_roc):
            light, heavy = one(relevant, score, weight), one(relevant, score, 2 * weight)
            assert (light.low, light.high) == pytest.approx((heavy.low, heavy.high), rel=1e-9)
            ones = one(relevant, score, np.ones(60))
            plain = one(relevant, score)
            assert (ones.low, ones.high) == pytest.approx((plain.low, plain.high), rel=1e-9)
            assert one(relevant, score, np.full(60, 2)).width < 0.8 * plain.width

    def test_sampling_error_of_weighted_ap(self):
        """Error by squared weighted influences, from the numerical derivatives."""
        relevant, score = cases(60, 5, tied=False)
        weight = np.random.default_rng(1).random(60) + 0.5
        slopes, _ = oracle.derivatives(oracle.average_precision, relevant, score, weight)
        size = weight[relevant].sum() ** 2 / (weight[relevant] ** 2).sum()
        error = math.sqrt(np.sum((weight * slopes) ** 2) * size / (size - 1))
        found = pc.interval.average_precision(relevant, score, weight)
        assert found.standard_error == pytest.approx(error, rel=1e-6)

    def test_few_heavy_cases_warn(self):
        """A few misplaced cases of much weight are most of the error, and may not be in the sample
        at all.
        """
        relevant, score = cases(400, 5)
        weight = np.where(score > np.sort(score)[-40], 10.0, 1.0)
        with warned(FewHeavyCases) as told:
            pc.interval.area_under_roc(relevant, score, weight)
        assert [(note.cases, note.effect) for note in told] == [(1, "less")]
        weight = np.where(np.arange(400) < 200, 10.0, 1.0)
        assert pc.interval.area_under_roc(relevant, score, weight).low > 0.5


class TestGroups:
    def test_each_case_its_own_group_is_no_group(self):
        relevant, score = cases(80, 2)
        names = [f"user {i}" for i in range(80)]
        plain, grouped = (
            pc.interval.area_under_roc(relevant, score, groups=groups) for groups in (None, names)
        )
        assert grouped.standard_error == pytest.approx(plain.standard_error, rel=1e-9)
        blocks = blocks_of(relevant, score)
        each = per_case(influence.average_precision(blocks), blocks, relevant, score)
        parts = [each[relevant], each[~relevant]]
        variance = sum(np.sum(part**2) * len(part) / (len(part) - 1) for part in parts)
        found = pc.interval.average_precision(relevant, score, groups=names)
        assert found.standard_error**2 == pytest.approx(variance, rel=1e-9)

    def test_influences_of_a_group_are_added(self):
        """Each with what its group's share of the relevant or other cases has drawn the value
        towards it.
        """
        relevant, score = cases(80, 2)
        group = np.arange(80) // 3
        blocks = blocks_of(relevant, score)
        each = per_case(influence.average_precision(blocks), blocks, relevant, score)
        share = [np.mean((group == group[i])[relevant == relevant[i]]) for i in range(80)]
        variance = np.sum(np.bincount(group, weights=each / np.sqrt(1 - np.array(share))) ** 2)
        found = pc.interval.average_precision(relevant, score, groups=group)
        assert found.standard_error**2 == pytest.approx(variance, rel=1e-12)
        assert "groups" in found.assumptions

    def test_uneven_groups_are_worth_fewer(self):
        relevant, score = np.tile([True, False], 40), np.arange(80) % 7
        even, uneven = np.arange(80) // 8, np.minimum(np.arange(80) // 4, 9)
        assert blocks_of(relevant, score, groups=even).effective_groups() == pytest.approx(10)
        sizes = np.array([2] * 9 + [22])
        assert blocks_of(relevant, score, groups=uneven).effective_groups() == pytest.approx(
            1600 / np.sum(sizes**2)
        )
        with warned(FewGroups) as told:
            pc.interval.average_precision(relevant, score, groups=uneven)
        assert [(note.groups, round(note.effective)) for note in told] == [(10, 3)]

    def test_doubled_cases_are_no_news_by_group(self):
        relevant, score = cases(80, 2, tied=False)
        twice = pc.interval.average_precision(
            np.tile(relevant, 2), np.tile(score, 2), groups=np.tile(np.arange(80), 2)
        )
        once = pc.interval.average_precision(relevant, score, groups=np.arange(80))
        assert twice.standard_error == pytest.approx(once.standard_error, rel=1e-12)


def plain_size(relevant):
    scarce = min(relevant.sum(), (~relevant).sum())
    return scarce / (scarce - 1)


class TestBias:
    @pytest.mark.nightly
    def test_second_order(self):
        """The bias is that of simulated samples of a known population, within its error and a
        third.
        """
        rng = np.random.default_rng(8)
        values, told = [], []
        for _ in range(1000):
            relevant = rng.random(200) < 0.1
            if not relevant.any():
                continue
            blocks = blocks_of(relevant, rng.standard_normal(200) + 0.5 * relevant)
            values.append(influence.average_precision(blocks).value)
            told.append(influence.bias(blocks, False))
        from tests.coverage.grid import true_ap

        actual = np.mean(values) - true_ap(0.1, 0.5)
        assert np.mean(told) == pytest.approx(actual, rel=0.35)
        assert actual > 0.02

    def test_stratified_lacks_the_part_of_the_share(self):
        blocks = Blocks(np.array([1, 0, 1, 0, 1]), np.array([0, 1, 0, 1, 0]))
        own = sum(fp / (tp + fp) ** 2 for tp, fp in ((1, 0), (2, 1), (3, 2))) / 3
        assert influence.bias(blocks, True) == pytest.approx(own)
        bend = sum(p * (1 - p) * (p - 0.6) for p in (1, 2 / 3, 3 / 5)) / 3 / (5 * 0.6 * 0.4)
        assert influence.bias(blocks, False) == pytest.approx(own - bend)


class TestEnds:
    def test_perfect(self):
        with warned(NextToOne) as told:
            found = pc.interval.average_precision([1] * 22 + [0] * 40, np.arange(62)[::-1])
        assert [(note.estimate, note.cases) for note in told] == [(1, 22)]
        assert found.high == 1 and found.low == pytest.approx(22 / (22 + quantiles.z(0.95) ** 2))
        labels, score = [1] * 30 + [0] * 40, np.arange(70)[::-1]
        with warned(AtAnEnd) as told:
            area = pc.interval.area_under_roc(labels, score, method="logit-delong")
        assert [(note.estimate, note.cases) for note in told] == [(1, 30)]
        assert area.high == 1 and area.low == pytest.approx(30 / (30 + quantiles.z(0.95) ** 2))

    def test_newcombe(self):
        """At his bounds the estimate is z of the errors away that it has there, by Hanley &
        McNeil's two shares of pairs.
        """
        for labels in (
            [1] * 30 + [0] * 40,
            [1] * 20 + [0, 1] * 10 + [0] * 30,
            [0, 1] * 30 + [0] * 60,
        ):
            found = pc.interval.area_under_roc(
                labels, np.arange(len(labels))[::-1], method="newcombe"
            )
            m, n = sum(labels), len(labels) - sum(labels)
            for end in {found.low, found.high} - {1.0}:
                one, two = end / (2 - end), 2 * end**2 / (1 + end)
                pairs = ((m + n) / 2 - 1) * (one + two - 2 * end**2)
                variance = (end * (1 - end) + pairs) / (m * n)
                assert abs(found.estimate - end) == pytest.approx(
                    quantiles.z(0.95) * variance**0.5, rel=1e-9
                )

    def test_between_delong_and_newcombe(self):
        """The nearer to 1, the more of his bound; never less wide than DeLong's; the mirror image
        alike.
        """
        shares = []
        for swapped in (0, 1, 3, 10):
            labels = np.array([1] * 40 + [0] * 60)
            labels[[39, 40]] = [1, 0] if not swapped else [0, 1]
            score = -np.arange(100.0)
            score[0] = -40.5 - swapped
            pair = [
                pc.interval.area_under_roc(labels, score, method=name)
                for name in ("logit-delong", "newcombe", "delong-newcombe")
            ]
            delong, newcombe, both = (np.log(one.low / (1 - one.low)) for one in pair)
            assert newcombe <= both <= delong
            shares.append((delong - both) / (delong - newcombe))
            assert (
                pair[2].high == pytest.approx(pair[0].high, abs=1e-4)
                and pair[2].high >= pair[0].high
            )
            mirrored = pc.interval.area_under_roc(labels, -score)
            assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx(
                (pair[2].low, pair[2].high)
            )
        assert shares == sorted(shares, reverse=True)
        assert shares[0] > 0.9

    @pytest.mark.parametrize(
        ("labels", "said"),
        [([0, 0, 0], "nothing is relevant"), ([], "nothing is relevant")],
    )
    def test_undefined(self, labels, said):
        with warned(UndefinedMeasure) as told:
            found = pc.interval.average_precision(labels, np.arange(len(labels)))
        assert found.low is None and [note.reason for note in told] == [said]
        with warned(UndefinedMeasure) as told:
            assert pc.interval.area_under_roc(labels, np.arange(len(labels))).high is None
        assert [note.subject for note in told] == ["area under ROC"]

    @pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
    def test_any_list_has_bounds_around_its_value(self):
        rng = np.random.default_rng(4)
        for n in range(2, 40):
            relevant = rng.random(n) < rng.random()
            if not relevant.any():
                continue
            score = rng.integers(0, max(2, n // 2), n)
            for method in METHODS["AP"]:
                found = pc.interval.average_precision(
                    relevant, score, method=method, rng=1, resamples=200
                )
                if found.low is None:
                    alone = 1 in (relevant.sum(), n - relevant.sum())
                    (note,) = noticed(found, UndefinedInterval)
                    why = "one case of a kind has no variance" if alone else "its variance is 0"
                    assert note.reason.startswith(why) and (alone or method != "logit")
                    continue
                assert 0 <= found.low < found.high <= 1
                if method in ("logit", "normal"):
                    assert found.estimate in found
            if not relevant.all():
                for method in METHODS["AUC"]:
                    found = pc.interval.area_under_roc(relevant, score, method=method)
                    assert found.notes if found.low is None else 0 <= found.low < found.high <= 1

    def test_few(self):
        with warned(FewCases) as told:
            pc.interval.average_precision([1, 0, 1, 0, 0, 1, 0, 1, 0], np.arange(9))
        assert [note.cases for note in told] == [4]
        relevant, score = cases(80, 2)
        with warned(FewGroups) as told:
            pc.interval.average_precision(relevant, score, groups=np.arange(80) // 8)
        assert [(note.groups, round(note.effective)) for note in told] == [(10, 8)]

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            (
                {"method": "wilson"},
                "method: got 'wilson', allowed are logit, bca, percentile, normal",
            ),
            (
                {"groups": [1, 2]},
                r"groups: must be one per item \(40\), got an array of shape \(2,\)",
            ),
            ({"groups": np.arange(40), "stratified": True}, "leave groups= or stratified=True out"),
            ({"groups": np.arange(40), "missed": 2}, "leave groups= or missed= out"),
            ({"level": 1}, "level: must be a number between 0 and 1"),
            (
                {"method": "bca", "weights": np.ones(40), "stratified": True},
                "cannot be combined with real weights",
            ),
        ],
    )
    def test_what_is_refused(self, options, said):
        relevant, score = cases(40, 1)
        with pytest.raises(pc.UsageError, match=said):
            pc.interval.average_precision(relevant, score, **options)

    def test_a_method_without_a_measure_is_for_those_that_know_it(self):
        """It was an error, as the area under ROC has no bootstrap."""
        relevant, score = cases(200, 1)
        found = pc.interval(pc.curve(relevant, score), method="bca", rng=1)
        assert (
            found["AP"].method == "bca"
            and found["AUC"].method == "delong-newcombe"
            and "max F on new cases" in found
        )
        assert (
            found["AP"].low
            == pc.interval.average_precision(relevant, score, method="bca", rng=1).low
        )
        with pytest.raises(
            pc.UsageError, match="got 'wilson', allowed are, AP: logit, .*; AUC: delong-newcombe"
        ):
            pc.interval(pc.curve(relevant, score), method="wilson")
        with pytest.raises(pc.UsageError, match="got 'bca'"):
            pc.interval(pc.curve(relevant, score), "AUC", method="bca")
