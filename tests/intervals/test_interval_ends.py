"""Intervals at the ends of what can be given: each of these was once wrong, or an error of
Python's.
"""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_intervals import FewGroups, UndefinedInterval
from tests.noticed import noticed, warned

LABELS, SCORES = [1, 1, 0, 1, 0, 0, 1, 0] * 5, list(range(40))


@pytest.mark.parametrize("name", ["average_precision", "area_under_roc"])
class TestGroups:
    def test_one_group_has_no_interval(self, name):
        # It was of no length, as if the value were known for sure.
        with warned(UndefinedInterval) as told:
            found = getattr(pc.interval, name)(LABELS, SCORES, groups=[7] * 40)
        assert [note.reason for note in told] == ["it needs at least two groups"]
        assert found.estimate == getattr(pc, name)(LABELS, SCORES)
        assert found.low is None and found.high is None

    def test_few_groups_warn(self, name):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            getattr(pc.interval, name)(LABELS, SCORES, groups=[1, 2, 3, 4] * 10)
        assert [(note.groups, note.effective) for note in noticed(caught, FewGroups)] == [(4, 4)]

    @pytest.mark.parametrize(
        ("groups", "error", "said"),
        [
            ([None] * 40, pc.DataError, r"groups: case 0 has none \(None\)"),
            ([1.0] * 39 + [math.nan], pc.DataError, r"groups: case 39 has none \(nan\)"),
            ([[1, 2]] * 40, pc.UsageError, "groups: must be one column of values"),
            ([1], pc.UsageError, r"groups: must be one per item \(40\)"),
        ],
    )
    def test_cases_without_a_group(self, name, groups, error, said):
        with pytest.raises(error, match=said):
            getattr(pc.interval, name)(LABELS, SCORES, groups=groups)

    @pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
    def test_a_number_and_its_text_are_one_group_as_in_files(self, name):
        measured = getattr(pc.interval, name)
        mixed = [1, "1", 2, "2", 3, "4", 5, "5"] * 5
        found = measured(LABELS, SCORES, groups=mixed)
        assert [note.groups for note in noticed(found, FewGroups)] == [5]
        assert found == measured(LABELS, SCORES, groups=list(map(str, mixed)))

    def test_missed_items_are_in_no_group(self, name):
        with pytest.raises(pc.UsageError, match="leave groups= or missed= out"):
            getattr(pc.interval, name)(LABELS, SCORES, groups=range(40), missed=2)


def test_area_of_a_constant_scorer():
    with warned(UndefinedInterval) as told:
        found = pc.interval.area_under_roc(LABELS, [1] * 40)
    assert [note.reason for note in told] == ["its variance is 0, as all scores are equal"]
    # An interval of no width would claim to know the area on other cases.
    assert found.estimate == 0.5
    assert found.low is None and found.high is None


def test_a_sum_has_no_interval():
    qrels = {f"q{i}": {"a": 1} for i in range(12)}
    report = pc.evaluate(qrels, {name: {"a": 1.0} for name in qrels}, ["AP", "NumRel"])
    with pytest.raises(pc.UsageError, match="NumRel is a sum over topics"):
        pc.interval(report, "NumRel")


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_decisions_of_several_categories_print():
    # Intervals of categories and of all together in one result: it could not be printed.
    found = pc.interval(pc.decisions(list("aabbcc") * 10, list("aabbca") * 10))
    together, each = (table.splitlines() for table in str(found.sheet(all=True)).split("\n\n")[:2])
    assert together[0].split() == ["measure", "estimate", "low", "high", "level", "method"]
    assert each[0].split() == ["category", *together[0].split()]
    assert each[1].split()[:2] == ["a", "precision"] and together[-1].split()[0] == "macro-f"
    assert len(together) + len(each) == len(found) + 2
    table = found.table
    assert table["category"][0] == "a" and table["category"][-1] == ""
    assert table["measure"][-1] == "macro-f" and len(table["low"]) == len(found) == 12


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: pc.interval.two_way([[1, 2], [3]]), "matrix: must be numbers, topics x items"),
        (
            lambda: pc.interval.precision_at_threshold(LABELS, SCORES, "x"),
            "threshold: must be a number, got 'x'",
        ),
        (
            lambda: pc.interval.precision_at_threshold(LABELS, SCORES, recall="x"),
            r"recall: must be a number in 0\.\.1, got 'x'",
        ),
        (lambda: pc.interval.mean([1, 2], level=np.array([0.9])), "level: must be a number"),
    ],
)
def test_what_is_refused(call, said):
    with pytest.raises(pc.UsageError, match=said):
        call()


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_levels_of_numpy_and_next_to_1():
    assert pc.interval.mean([1, 2, 4], level=np.float32(0.5)).level == 0.5
    found = pc.interval.proportion(5, 10, level=1 - 1e-12)
    assert 0 < found.low < 0.05 < 0.95 < found.high < 1


class TestTunedWithGroupsAndWeights:
    @pytest.fixture
    def cases(self):
        rng = np.random.default_rng(5)
        relevant = rng.random(400) < 0.4
        return relevant, rng.standard_normal(400) + relevant

    def test_groups_of_one_are_cases(self, cases):
        plain = pc.interval.max_f(*cases, rng=1, resamples=4000)
        found = pc.interval.max_f(*cases, rng=1, resamples=4000, groups=np.arange(400))
        assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=0.008)
        assert found.estimate == pytest.approx(plain.estimate, abs=0.003)
        assert found.naive == plain.naive and found.row == plain.row
        assert found.assumptions.startswith("groups drawn") and plain.assumptions.startswith(
            "cases drawn"
        )

    def test_whole_weights_repeat_cases(self, cases):
        relevant, score = cases
        twice = pc.interval.max_f(np.repeat(relevant, 2), np.repeat(score, 2), rng=1)
        assert pc.interval.max_f(relevant, score, weights=[2] * 400, rng=1) == twice

    def test_doubled_groups_are_no_more_data(self, cases):
        relevant, score = cases
        both = np.repeat(relevant, 2), np.repeat(score, 2)
        alone = pc.interval.precision_at_threshold(
            relevant, score, recall=0.7, rng=1, groups=np.arange(400)
        )
        grouped = pc.interval.precision_at_threshold(
            *both, recall=0.7, rng=1, groups=np.arange(800) // 2
        )
        assert (grouped.low, grouped.high) == pytest.approx((alone.low, alone.high), abs=1e-12)
        assert (
            grouped.width > 1.2 * pc.interval.precision_at_threshold(*both, recall=0.7, rng=1).width
        )

    def test_real_weights_have_no_unit(self, cases):
        heavy = np.random.default_rng(3).gamma(2, 1, 400)
        one, other = (
            pc.interval.max_f(*cases, weights=heavy * unit, rng=1) for unit in (1.0, 1e-5)
        )
        assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-9)
        assert one.naive.low is None and one.naive.estimate > one.estimate
        curve = pc.curve(*cases, weights=heavy)
        assert one.naive.estimate == pytest.approx(curve.max_f().value)
        for name in ("pr_band", "roc_band"):
            bands = [
                getattr(pc.interval, name)(*cases, weights=heavy * unit, rng=1, kind="pointwise")
                for unit in (1.0, 1e-5)
            ]
            assert bands[0].low == pytest.approx(bands[1].low, rel=1e-9)
            assert np.all(bands[0].low < bands[0].estimate) and np.all(
                bands[0].estimate <= bands[0].high
            )

    @pytest.mark.parametrize("name", ["pr_band", "roc_band"])
    def test_bands(self, cases, name):
        band = getattr(pc.interval, name)
        grid = [0.2, 0.4, 0.6]
        plain = band(*cases, rng=1, grid=grid, resamples=2000, kind="pointwise")
        single = band(
            *cases, rng=1, grid=grid, resamples=2000, kind="pointwise", groups=np.arange(400)
        )
        assert single.low == pytest.approx(plain.low, abs=0.02) and single.high == pytest.approx(
            plain.high, abs=0.02
        )
        with pytest.raises(pc.UsageError, match="'dkw' needs independent cases without weights"):
            band(*cases, method="dkw", groups=np.arange(400))
        with warned(FewGroups) as told:
            band(*cases, rng=1, grid=grid, resamples=100, groups=np.arange(400) % 40)
        assert told[0].groups == 40 and 30 <= told[0].effective < 40

    def test_a_fixed_threshold(self, cases):
        relevant, score = cases
        twice = pc.interval.precision_at_threshold(np.repeat(relevant, 2), np.repeat(score, 2), 0.5)
        assert pc.interval.precision_at_threshold(relevant, score, 0.5, weights=[2] * 400) == twice
        with pytest.raises(pc.UsageError, match="weights: at a fixed threshold"):
            pc.interval.precision_at_threshold(relevant, score, 0.5, weights=[1.5] * 400)
        with pytest.raises(pc.UsageError, match="groups: not at a fixed threshold"):
            pc.interval.precision_at_threshold(relevant, score, 0.5, groups=range(400))


DRAWN = np.random.default_rng(3)
MANY = (DRAWN.random(600) < 0.4).astype(int)
NOISY = DRAWN.standard_normal(600) + MANY
TABLE = [[120, 30], [25, 90]]
#: Every interval there is, with what it is given and a method by name.
ALL = [
    ("proportion", (40, 90), "jeffreys"),
    ("precision", (40, 50), "agresti-coull"),
    ("recall", (40, 60), "clopper-pearson"),
    ("accuracy", (40, 50, 60, 70), "wilson"),
    ("f", (40, 50, 60), "delta"),
    ("e", (40, 50, 60), "posterior"),
    ("micro_f", (TABLE,), "wald"),
    ("macro_f", (TABLE,), "logit"),
    ("average_precision", (MANY, NOISY), "normal"),
    ("area_under_roc", (MANY, NOISY), "delong"),
    ("partial_area_under_roc", (MANY, NOISY, 0.2), "delong"),
    ("max_f", (MANY, NOISY), "optimism bootstrap"),
    ("precision_at_threshold", (MANY, NOISY, 1.0), "jeffreys"),
    ("pr_band", (MANY, NOISY), "bootstrap"),
    ("roc_band", (MANY, NOISY), "dkw"),
    ("mean", (NOISY[:200],), "t"),
    ("two_way", (NOISY.reshape(30, 20),), "two-way t"),
]


#: Intervals whose method follows from the data: tests/cases/test_decision_curves.py.
OF_NO_CHOICE = {"net_benefit", "net_benefit_band"}


def test_none_is_left_out():
    assert {name for name, *_ in ALL} | OF_NO_CHOICE == {
        name for name in dir(pc.interval) if not name.startswith("_")
    }


@pytest.mark.parametrize(("name", "given", "method"), ALL)
class TestAllTakeTheSame:
    def test_level_method_and_rng(self, name, given, method):
        function = getattr(pc.interval, name)
        found = function(*given, level=0.9, method=method, rng=5)
        assert (found.level, found.method) == (0.9, method)
        assert found.assumptions
        assert found.seed in ((None, 5) if method != "bootstrap" else (5,))
        assert repr(found).startswith("<") and "\n" not in repr(found)

    def test_unknown_method(self, name, given, method):
        with pytest.raises(pc.UsageError, match="method: got 'guess', allowed are .*"):
            getattr(pc.interval, name)(*given, method="guess")


def test_tuned_threshold_has_one_method():
    found = pc.interval.precision_at_threshold(
        MANY, NOISY, recall=0.8, method="optimism bootstrap", rng=5, resamples=100
    )
    assert (found.method, found.seed) == ("optimism bootstrap", 5)
    with pytest.raises(pc.UsageError, match="method: got 'wilson', allowed are optimism bootstrap"):
        pc.interval.precision_at_threshold(MANY, NOISY, recall=0.8, method="wilson")
    curve = pc.curve(MANY, NOISY)
    named = pc.interval(curve, "max-F", method="optimism bootstrap", rng=5, resamples=100)
    assert named == pc.interval.max_f(MANY, NOISY, rng=5, resamples=100)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("grouped", [False, True])
def test_a_perfect_list_of_weighted_cases_is_perfect(grouped):
    # Sums of real weights left 1 - 2^-53 or 1 + 2^-52: a division by 0, or no interval. Weights of
    # older tests were few, or the lists had errors.
    for seed in range(40):
        rng = np.random.default_rng(seed)
        size = int(rng.integers(30, 200))
        relevant = rng.random(size) < 0.4
        score = np.where(relevant, 1, -1) * (1 + rng.random(size))
        weight = 0.1 + 3 * rng.random(size)
        groups = rng.integers(0, 12, size) if grouped else None
        found = pc.interval.average_precision(relevant, score, weights=weight, groups=groups)
        assert found.estimate == found.high == 1 and 0.2 < found.low < 0.99
        other = rng.random(size)
        compared = pc.compare.cases(
            relevant, score, other, weights=weight, groups=groups, resamples=99
        )
        assert -1 <= compared.low < compared.difference < compared.high <= 1
