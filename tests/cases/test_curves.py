"""Curves: the worked examples of our sources, every choice of a point, and every message."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from precall.cases import area_under_roc, average_precision, curve
from precall.core.errors import DataError, TiesUnresolved, UsageError
from precall.core.notes.of_intervals import UndefinedMeasure
from precall.measures import measure
from tests.noticed import warned

NAN = math.nan
# LingPipe's documented ten cases: correct at ranks 2, 4, 5 and 9.
TEN = [0, 1, 0, 1, 1, 0, 0, 0, 1, 0]
SCORES = [-1.21, -1.27, -1.39, -1.47, -1.6, -1.65, -1.79, -1.8, -2.01, -3.7]
TEN_AREAS = {
    "step": 23 / 45,
    "interpolated": 101 / 180,
    "trapezoid": 0.4065972222222223,
    "davis-goadrich-discrete": 0.4065972222222223,
    "davis-goadrich": 0.42407159840653863,
    "11-point": 0.5575757575757576,
    "gain": 0.28703703703703703,
}
# Ten cases with ties.
TIED = ([0, 1, 0, 1, 1, 0, 0, 0, 1, 0], [5, 5, 4, 4, 4, 3, 2, 2, 1, 1])


def ranked(relevant: list[int], **options: Any) -> Any:
    return curve(relevant, [-float(i) for i in range(len(relevant))], **options)


def about(value: float) -> Any:
    return pytest.approx(value, rel=1e-12, abs=1e-15)


class TestWorkedExamples:
    def test_ten_cases(self) -> None:
        c = curve(TEN, SCORES)
        raw, kept = c.pr().to_dict(), c.pr(interpolate=True).to_dict()
        assert raw["recall"] == [0.25, 0.5, 0.75, 1]
        assert raw["precision"] == about([0.5, 0.5, 0.6, 4 / 9])
        assert raw["threshold"] == [-1.27, -1.47, -1.6, -2.01]
        assert (kept["recall"], kept["precision"]) == ([0.75, 1], about([0.6, 4 / 9]))
        assert c.roc().to_dict()["rejection_recall"] == about([5 / 6, 4 / 6, 4 / 6, 1 / 6])
        assert c.roc(interpolate=True).to_dict()["recall"] == [0.25, 0.75, 1]
        assert {name: c.area_under_pr(name) for name in TEN_AREAS} == {
            k: about(v) for k, v in TEN_AREAS.items()
        }
        assert c.area_under_roc() == c.area_under_roc(method="step") == about(7 / 12)
        assert [c.max_f(beta).value for beta in (1, 0.5, 2)] == about([2 / 3, 0.625, 0.8])
        assert [c.break_even(m) for m in ("max-min", "nearest", "linear")] == about([0.6, 0.5, 0.5])
        assert [c.precision_at(k) for k in (1, 2, 5, 10, 11)] == about([0, 0.5, 0.6, 0.4, 4 / 11])
        assert (c.r_precision(), c.reciprocal_rank(), c.recall_at(5)) == (0.5, 0.5, 0.75)
        assert c.eleven_point().tolist() == about([0.6] * 8 + [4 / 9] * 3)

    def test_ten_cases_and_a_miss(self) -> None:
        c = curve(TEN, SCORES, missed=1)
        assert c.average_precision() == about(0.40888888888888886)
        assert c.area_under_pr("interpolated") == about(0.6 * 3 / 5 + 4 / 9 / 5)
        assert (c.r_precision(), c.break_even(), c.max_f().value) == about((0.6, 0.6, 0.6))
        assert c.eleven_point().tolist() == about([0.6] * 7 + [4 / 9] * 2 + [0, 0])
        assert c.fn.tolist()[-1] == 1 and c.relevant == 5

    def test_premises(self) -> None:
        """x a y b c z, relevant a, b, c; the printed table is wrong in its last two rows."""
        c = ranked([0, 1, 0, 1, 1, 0])
        assert c.precision.tolist()[1:] == about([0, 1 / 2, 1 / 3, 2 / 4, 3 / 5, 3 / 6])
        assert c.recall.tolist()[1:] == about([0, 1 / 3, 1 / 3, 2 / 3, 1, 1])
        assert c.average_precision() == about(8 / 15)
        assert c.r_precision() == about(1 / 3)
        assert (c.max_f().value, c.break_even("max-min")) == about((0.75, 0.6))
        # The first cut with recall 1 is another quantity: 5, not 3.
        assert c.at(recall=1).tp + c.at(recall=1).fp == 5
        errors = [
            1 - 2 * p * r / (p + r) if p + r else 1.0
            for p, r in zip(c.precision[1:], c.recall[1:], strict=True)
        ]
        assert errors == about([1.0, 0.6, 2 / 3, 3 / 7, 0.25, 1 / 3])

    def test_two_models(self) -> None:
        truth = [1, 1, 0, 0, 1, 1, 0, 0]
        a, b = (
            [0.95, 0.85, 0.73, 0.62, 0.48, 0.39, 0.12, 0.04],
            [0.55, 0.59, 0.88, 0.97, 0.2, 0.09, 0.43, 0.32],
        )
        for score, ap, auc in ((a, 49 / 60, 0.75), (b, 37 / 84, 0.25)):
            assert (
                average_precision(truth, score)
                == curve(truth, score).average_precision()
                == about(ap)
            )
            assert area_under_roc(truth, score) == auc
            half = curve(truth, score).at(threshold=0.5)
            assert (half.tp, half.fp, half.fn, half.tn) == (2, 2, 2, 2)
            assert (half.precision, half.recall, half.rejection_recall, half.f()) == (
                0.5,
                0.5,
                0.5,
                0.5,
            )

    def test_published_plot(self) -> None:
        score = [
            1.636,
            0.897,
            0.891,
            0.777,
            0.689,
            0.596,
            0.217,
            -0.433,
            -0.542,
            -0.617,
            -0.831,
            -0.966,
            -0.984,
        ]
        truth = [1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0]
        assert curve(truth, score).average_precision() == about(0.719047619047619)

    def test_zhang_and_su(self) -> None:
        c = ranked([1, 1, 0, 1, 0, 0, 0, 0])
        assert c.average_precision() == about(11 / 12)
        assert c.precision.tolist()[1:] == about([1, 1, 2 / 3, 0.75, 0.6, 0.5, 3 / 7, 0.375])

    def test_ties(self) -> None:
        c = curve(*TIED)
        assert c.average_precision() == about(0.525)
        assert [c.average_precision(t) for t in ("expected", "best", "worst")] == about(
            [0.6083333333333333, 0.7152777777777777, 0.5]
        )
        assert c.area_under_pr("davis-goadrich-discrete") == about(0.5022321428571429)
        assert c.area_under_pr("davis-goadrich") == about(0.5045353487593818)
        assert c.precision_at(2) == 0.5
        with pytest.raises(TiesUnresolved):
            c.precision_at(3, ties="block")
        assert c.precision_at(3) == c.precision_at(3, ties="expected") == about((1 + 2 / 3) / 3)
        assert [c.precision_at(3, ties=t) for t in ("best", "worst")] == about([2 / 3, 1 / 3])
        assert measure("P@2")(c.hits()).tolist() == [0.5]

    def test_constant_score(self) -> None:
        c = curve([1, 0, 0, 0], [7, 7, 7, 7])
        assert (
            c.average_precision() == 0.25
        )  # where it is (1 + .25) / 2 the end (0, 1) was joined to it
        assert c.area_under_pr("trapezoid") == 0.625
        assert c.area_under_roc() == 0.5


class TestColumns:
    def test_table(self) -> None:
        c = curve([1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1], missed=1)
        assert c.to_dict() == {
            "threshold": [math.inf, 0.9, 0.8, 0.1],
            "tp": [0, 1, 2, 2],
            "fp": [0, 0, 1, 2],
            "fn": [3, 2, 1, 1],
            "tn": [2, 2, 1, 0],
            "precision": [pytest.approx(NAN, nan_ok=True), 1, about(2 / 3), 0.5],
            "recall": about([0, 1 / 3, 2 / 3, 2 / 3]),
            "rejection_recall": [1, 1, 0.5, 0],
        }
        assert len(c) == 4 and len({len(column) for column in c.to_dict().values()}) == 1
        assert repr(c) == "<Curve: 2 relevant and 2 other cases, 1 missed, 3 thresholds>"

    def test_types(self) -> None:
        c = curve([True, False], np.array([0.5, 0.25], np.float32))
        assert c.threshold.dtype == np.float32 and c.tp.dtype == c.fp.dtype == np.int64
        assert curve([1, 0], [2, 1], weights=[2, 3]).tp.dtype == np.int64
        assert curve([1, 0], [2, 1], weights=[0.5, 3]).tp.dtype == np.float64
        assert curve([1, 0], np.array([2, 1], np.float16)).threshold.dtype == np.float32

    def test_ties_are_those_of_the_input(self) -> None:
        near = [1.0, 1.0 + 1e-9]
        assert len(curve([1, 0], np.array(near, np.float32))) == 2
        assert len(curve([1, 0], near)) == 3
        assert len(curve([1, 0], [0.0, -0.0])) == 2

    def test_frames(self) -> None:
        polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
        c = curve(polars.Series([1, 0]), pandas.Series([0.5, 0.25]))
        assert c.to_polars()["tp"].to_list() == c.to_pandas()["tp"].to_list() == [0, 1, 1]
        assert polars.DataFrame(c)["fp"].to_list() == [0, 0, 1]

    def test_infinite_scores(self) -> None:
        c = curve([1, 0, 0, 1], [math.inf, 1, -math.inf, 0])
        assert c.threshold.tolist() == [math.inf, math.inf, 1, 0, -math.inf]
        assert c.at(threshold=math.inf).tp == 1
        assert c.average_precision() == about(5 / 6)

    def test_labels(self) -> None:
        for labels in ([1, 0], [True, False], [1, -1], [1.0, 0.0], np.array([1, 0], object)):
            assert curve(labels, [2, 1]).tp.tolist() == [0, 1, 1]
        assert curve(["spam", "ham"], [2, 1], positive="spam").tp.tolist() == [0, 1, 1]
        assert curve([2, 0], [2, 1], positive=2).tp.tolist() == [0, 1, 1]

    def test_lower_is_better(self) -> None:
        assert curve([1, 0], [0.1, 0.9], higher_is_better=False).threshold.tolist() == [
            -math.inf,
            0.1,
            0.9,
        ]

    def test_areas(self) -> None:
        c = curve(TEN, SCORES)
        table = c.areas().to_dict()
        names = ["step", "interpolated", "trapezoid", "davis-goadrich", "davis-goadrich-discrete"]
        wanted = [f"pr {name}" for name in [*names, "11-point", "101-point", "gain"]]
        assert table["area"] == [*wanted, "roc trapezoid", "roc step"]
        real = dict(
            zip(*curve(TEN, SCORES, weights=[0.5] * 10).areas().to_dict().values(), strict=True)
        )
        assert math.isnan(real.pop("pr davis-goadrich-discrete"))
        assert all(
            real[name] == about(value)
            for name, value in zip(*table.values(), strict=True)
            if name in real
        )

    def test_gain(self) -> None:
        """π = 1/4: recall gain 0 at recall 1/4, 1 at recall 1; all-positive acceptance gains 0."""
        table = ranked([1, 0, 0, 0]).gain().to_dict()
        assert table["recall_gain"] == [0, 1, 1, 1, 1]
        assert table["precision_gain"] == about([1, 1, 2 / 3, 1 / 3, 0])
        # The line to the first hit crosses recall gain 0 at precision gain -3, and ends at 0.
        assert ranked([0, 0, 0, 1]).gain().to_dict()["precision_gain"] == about([-3, 0])
        assert ranked([0, 0, 0, 1]).area_under_pr("gain") == about(-1.5)

    def test_simplify(self) -> None:
        rng = np.random.default_rng(1)
        truth = rng.random(20_000) < 0.3
        c = curve(truth, rng.normal(truth, 1))
        thin = c.simplify(0.01)
        assert len(thin) < 600 < len(c)
        assert abs(thin.area_under_pr("trapezoid") - c.area_under_pr("trapezoid")) < 0.01
        np.testing.assert_array_equal(thin.eleven_point(), c.eleven_point())


class TestChoices:
    c = curve([1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.7, 0.1])

    @pytest.mark.parametrize(
        ("condition", "threshold", "value"),
        [
            ({"threshold": 0.75}, 0.8, 0.75),
            ({"threshold": 0.8}, 0.8, 0.8),
            ({"threshold": -5}, 0.1, -5),
            ({"threshold": 1}, math.inf, 1),
            ({"recall": 0.5}, 0.9, 0.5),
            ({"recall": 0.51}, 0.7, 1),
            ({"recall": 0}, 0.9, 0.5),
            ({"precision": 0.5}, 0.7, 0.5),
            ({"precision": 0.9}, 0.9, 1),
            ({"cost": {"fp": 1, "fn": 20}}, 0.7, 2),
            ({"cost": {"fp": 1, "fn": 1}}, 0.9, 1),
            ({"accept": 3}, 0.8, 2),
            ({"accept": 4}, 0.7, 4),
            ({"accept": 0}, math.inf, 0),
        ],
    )
    def test_at(self, condition: dict[str, Any], threshold: float, value: float) -> None:
        found = self.c.at(**condition)
        assert (found.threshold, found.value) == (threshold, value)

    def test_threshold_in_the_type_of_the_scores(self) -> None:
        narrow = np.array([0.7], np.float32)
        assert float(narrow[0]) < 0.7
        assert curve([1], narrow).at(threshold=0.7).tp == (narrow >= 0.7).sum() == 1

    def test_recall_that_rounds(self) -> None:
        """.7 of 10 is 7 of them, though .7 * 10 exceeds 7 in floating point."""
        assert ranked([1] * 10).at(recall=0.7).tp == 7

    def test_max_f_of_least_acceptance(self) -> None:
        best = ranked([1, 0, 0, 1]).max_f()
        assert (best.value, best.tp, best.fp) == (about(2 / 3), 1, 0)

    @pytest.mark.parametrize(
        ("condition", "message"),
        [
            (
                {},
                (
                    r"give exactly one of threshold, recall, precision, cost, accept, max, fpr, "
                    r"specificity; got none"
                ),
            ),
            ({"recall": 0.5, "accept": 1}, "got recall, accept"),
            ({"recall": 1.5}, r"recall: must be in 0\.\.1, got 1.5"),
            ({"precision": -0.1}, r"precision: must be in 0\.\.1, got -0.1"),
            ({"cost": {"fp": 1, "miss": 2}}, "cost: must give finite costs of fp, fn, tp or tn"),
            ({"cost": {}}, "cost: must give"),
            ({"cost": {"fp": NAN}}, "cost: must give"),
            ({"accept": -1}, "accept: must be a count >= 0, got -1"),
            ({"threshold": NAN}, "threshold: must be a number, got nan"),
        ],
    )
    def test_refused(self, condition: dict[str, Any], message: str) -> None:
        with pytest.raises(UsageError, match=message):
            self.c.at(**condition)

    def test_never_reached(self) -> None:
        with pytest.raises(UsageError, match=r"recall: 0.9 is never reached; the most is 0.6667"):
            curve([1, 0, 1], [3, 2, 1], missed=1).at(recall=0.9)
        with pytest.raises(
            UsageError, match=r"precision: 0.9 is never reached; the most is 0.6667"
        ):
            curve([0, 1, 1], [3, 2, 1]).at(precision=0.9)


class TestUndefined:
    def test_nothing_relevant(self) -> None:
        c = curve([0, 0], [1, 2])
        for compute in (
            c.average_precision,
            c.area_under_pr,
            c.area_under_roc,
            c.break_even,
            c.r_precision,
        ):
            with warned(UndefinedMeasure) as told:
                assert math.isnan(compute())
            assert [note.reason for note in told] == ["nothing is relevant"]
        with warned(UndefinedMeasure) as told:
            assert math.isnan(c.max_f().value)
        assert [(note.subject, note.reason) for note in told] == [("max F", "nothing is relevant")]
        with warned(UndefinedMeasure) as told:
            assert math.isnan(average_precision([0, 0], [1, 2]))
        assert [(note.subject, note.reason) for note in told] == [
            ("average precision", "nothing is relevant")
        ]
        assert c.reciprocal_rank() == 0

    def test_everything_relevant(self) -> None:
        c = curve([1, 1], [1, 2])
        assert c.average_precision() == 1
        for compute in (c.area_under_roc, lambda: area_under_roc([1, 1], [1, 2])):
            with warned(UndefinedMeasure) as told:
                assert math.isnan(compute())
            assert [note.facts for note in told] == [
                {"subject": "area under the ROC curve", "reason": "everything is relevant"}
            ]

    def test_no_case(self) -> None:
        c = curve([], [], missed=2)
        assert len(c) == 1
        assert (c.average_precision(), c.break_even(), c.max_f().value) == (0, 0, 0)


class TestMessages:
    @pytest.mark.parametrize(
        ("arguments", "options", "message"),
        [
            (
                ([0, 2], [1, 2]),
                {},
                r"relevant: label 2 of case 1 is not 0/1, -1/1 or false/true; .*positive=",
            ),
            (([1, 1, 0.5], [1, 2, 3]), {}, r"label 0.5 of case 2: numbers"),
            ((["a", "b"], [1, 2]), {}, r"labels 'a', 'b' are not 0/1"),
            (([1, -1, 0], [1, 2, 3]), {}, r"label -1 of case 1 is not"),
            (([1, None], [1, 2]), {}, r"case 1 is missing; give every case a label"),
            ((["a", None], [1, 2]), {"positive": "a"}, r"case 1 is missing"),
            ((["a", NAN], [1, 2]), {"positive": "a"}, r"case 1 is missing"),
            (
                ([1, 0, 1], [1, NAN, NAN]),
                {},
                r"score: case 1 is NaN \(2 of 3 are\); remove the case, or count it with missed=",
            ),
            (([1, 0], [1, NAN]), {"weights": [1, 0]}, r"score: case 1 is NaN"),
            (
                ([1, 0], [1, 2]),
                {"weights": [1, -2]},
                r"weights: case 1 is -2, allowed are finite numbers >= 0",
            ),
            (([1, 0], [1, 2]), {"weights": [math.inf, 1]}, r"weights: case 0 is inf"),
        ],
    )
    def test_data(self, arguments: tuple[Any, Any], options: dict[str, Any], message: str) -> None:
        with pytest.raises(DataError, match=message):
            curve(*arguments, **options)

    @pytest.mark.parametrize(
        ("arguments", "options", "message"),
        [
            (([1, 0], [1]), {}, "must be of equal length, got 2 labels and 1 score"),
            (
                ([[1, 0]], [1]),
                {},
                r"relevant: must be one column of labels, got an array of shape \(1, 2\)",
            ),
            (
                ([1], [[1, 2]]),
                {},
                r"score: must be one column of numbers, got an array of shape \(1, 2\)",
            ),
            (([1], ["high"]), {}, "score: must be numbers"),
            (([1], [2**53 + 1]), {}, r"integers beyond 2\*\*53 are not exact"),
            (
                ([1, 0], [1, 2]),
                {"weights": [1]},
                r"weights: must be one per case \(2\), got an array of shape \(1,\)",
            ),
            (([1, 0], [1, 2]), {"weights": ["a", "b"]}, "weights: must be numbers"),
            (([1, 0], [1, 2]), {"missed": -1}, "missed: must be a count >= 0, got -1"),
            (([1, 0], [1, 2]), {"missed": 1.5}, "missed: must be a count >= 0, got 1.5"),
            (([1, 0], [1, 2]), {"missed": True}, "missed: must be a count >= 0, got True"),
        ],
    )
    def test_usage(self, arguments: tuple[Any, Any], options: dict[str, Any], message: str) -> None:
        with pytest.raises(UsageError, match=message):
            curve(*arguments, **options)

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (
                lambda c: c.area_under_pr("best"),
                "method: got 'best', allowed are step, interpolated, trapezoid",
            ),
            (
                lambda c: c.area_under_roc(method="x"),
                "method: got 'x', allowed are trapezoid, step",
            ),
            (
                lambda c: c.area_under_roc(0.1, method="step"),
                "max_fpr and mcclish are for method='trapezoid'",
            ),
            (lambda c: c.area_under_roc(0), r"max_fpr: must be in \(0, 1\], got 0"),
            (lambda c: c.break_even("x"), "method: got 'x', allowed are nearest, max-min, linear"),
            (lambda c: c.max_f(-1), "beta: must be 0, or a number from .*, got -1"),
            (lambda c: c.precision_at(0), "k: must be an integer >= 1, got 0"),
            (
                lambda c: c.precision_at(1, "docno"),
                "ties: got 'docno', allowed are block, expected, best, worst",
            ),
            (lambda c: c.simplify(1), "tolerance: must be 0 or more and less than 1, got 1"),
            (lambda c: c.simplify(-0.5), "tolerance: must be 0 or more and less than 1, got -0.5"),
        ],
    )
    def test_methods(self, call: Any, message: str) -> None:
        with pytest.raises(UsageError, match=message):
            call(curve([1, 0], [2, 1]))

    def test_real_weights(self) -> None:
        c = curve([1, 0], [2, 1], weights=[0.5, 1])
        with pytest.raises(UsageError, match="need whole counts"):
            c.area_under_pr("davis-goadrich-discrete")
        with pytest.raises(UsageError, match="ranks need whole counts"):
            c.precision_at(1)


@pytest.mark.parametrize("weights", [None, "counts", "sums"])
def test_tables_print_the_measures_from_the_areas(weights: str | None) -> None:
    drawn = np.random.default_rng(5)
    truth, score = drawn.random(400) < 0.3, drawn.normal(size=400).round(2)
    heavy = {"counts": drawn.integers(1, 4, 400), "sums": drawn.random(400), None: None}[weights]
    c = curve(truth, score, missed=2, weights=heavy)
    areas = dict(zip(*c.areas().to_dict().values(), strict=True))
    assert areas["pr step"] == c.average_precision()
    assert areas["roc trapezoid"] == c.area_under_roc()
    measures = c.sheet().to_dict()["scores"]["curve"]["measures"]
    assert (measures["AP"], measures["AUC"]) == (c.average_precision(), c.area_under_roc())
