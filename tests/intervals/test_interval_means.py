"""Intervals of means, of reports, and what `pc.interval` makes of what it is given."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_intervals import (
    BeyondRange,
    FewValues,
    SkewedValues,
    TwoValues,
    UndefinedInterval,
)
from precall.hard_decisions import decisions
from precall.stats.intervals.interval import Interval
from tests.noticed import noticed, warned
from tests.peers import peer

stats = peer("scipy.stats")

# Small samples are warned of; tests of that name the warning.
pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")

VALUES = np.random.default_rng(0).beta(2, 3, 40)


class TestMean:
    @pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
    def test_t_is_scipys(self, level):
        found = pc.interval.mean(VALUES, level=level)
        theirs = stats.ttest_1samp(VALUES, 0).confidence_interval(level)
        assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), rel=1e-12)
        assert found.standard_error == pytest.approx(stats.sem(VALUES))

    def test_two_way_is_the_random_model(self):
        """Mean squares from the textbook's sums; every column equal is one sample of topics."""
        matrix = np.random.default_rng(1).random((8, 5)) + np.arange(8)[:, None] + np.arange(5) / 3
        found = pc.interval.two_way(matrix)
        t, i = matrix.shape
        total = np.sum((matrix - matrix.mean()) ** 2)
        topics = i * np.sum((matrix.mean(1) - matrix.mean()) ** 2)
        items = t * np.sum((matrix.mean(0) - matrix.mean()) ** 2)
        squares = (topics / 7, items / 4, (total - topics - items) / 28)
        variance = (squares[0] + squares[1] - squares[2]) / (t * i)
        freedom = (variance * t * i) ** 2 / (
            squares[0] ** 2 / 7 + squares[1] ** 2 / 4 + squares[2] ** 2 / 28
        )
        half = stats.t.ppf(0.975, freedom) * math.sqrt(variance)
        assert (found.low, found.high) == pytest.approx(
            (matrix.mean() - half, matrix.mean() + half)
        )
        same = pc.interval.two_way(np.repeat(VALUES[:, None], 3, axis=1))
        alone = pc.interval.mean(VALUES)
        assert same.width < alone.width * 1.01

    @pytest.mark.parametrize(
        ("values", "kind", "facts"),
        [
            ([0.1] * 4 + [0.2], FewValues, {"values_seen": 5, "noun": "topics"}),
            (
                [0, 0.1, 0.1, 0.05, 0.02, 0, 0.1, 0.05, 0.02, 0.9, 0.3],
                SkewedValues,
                {"values_seen": 11, "noun": "topics", "skewness": pytest.approx(2.78, abs=0.01)},
            ),
            ([0.0] * 30 + [1.0] * 6, TwoValues, {}),
            ([0.4], UndefinedInterval, {"reason": "an interval needs at least two topics, got 1"}),
        ],
    )
    def test_warnings(self, values, kind, facts):
        with warned(kind) as told:
            pc.interval.mean(values)
        assert told[0].facts == {**told[0].facts, "subject": "mean", **facts}

    def test_undefined_values_are_for_the_caller(self):
        with pytest.raises(pc.DataError, match="value 1 is nan; leave undefined topics out"):
            pc.interval.mean([0.5, math.nan])
        for wrong in ([["a"]], "text", [[0.1, 0.2]]):
            with pytest.raises(pc.UsageError):
                pc.interval.mean(wrong)
        with pytest.raises(pc.UsageError, match="at least 2 x 2"):
            pc.interval.two_way([[1.0, 2.0]])


def collection(topics=40):
    rng = np.random.default_rng(6)
    qrels = {f"q{t}": {f"d{i}": int(rng.random() < 0.4) for i in range(60)} for t in range(topics)}
    runs = {"one": {}, "two": {}}
    for run in runs.values():
        for topic, judged in qrels.items():
            run[topic] = {item: float(rng.random() + 0.3 * grade) for item, grade in judged.items()}
    return qrels, runs


class TestReport:
    def test_every_mean_has_its_interval(self):
        qrels, runs = collection()
        report = pc.evaluate(qrels, runs, ["map", "P@10", "NumRel"])
        found = pc.interval(report)
        assert set(found) == {(run, name) for run in ("one", "two") for name in ("AP", "P@10")}
        values = report.runs[1].values[0]
        theirs = stats.ttest_1samp(values, 0).confidence_interval(0.95)
        one = found["two", "map"]
        assert (one.low, one.high) == pytest.approx((theirs.low, theirs.high))
        assert one.estimate == pytest.approx(report.mean["two", "AP"])
        assert "two" in str(found) and found.table.to_dict()["measure"] == ["map", "P@10"] * 2
        with pytest.raises(KeyError, match="there are"):
            found["three", "AP"]

    def test_one_run_one_measure(self):
        qrels, runs = collection()
        report = pc.evaluate(qrels, runs["one"], ["AP", "P@5"])
        found = pc.interval(report, "AP", method="bca", rng=3, resamples=500)
        direct = pc.interval.mean(
            report.runs[0].values[0], method="bca", rng=3, resamples=500, measure="AP", range=(0, 1)
        )
        assert found == direct
        two = pc.evaluate(qrels, runs, ["AP", "P@5"])
        assert list(pc.interval(two, "AP")) == [("one", "AP"), ("two", "AP")]
        with pytest.raises(pc.UsageError, match="measure: got 'RR', the report has AP, P@5"):
            pc.interval(report, "RR")

    def test_geometric_means_are_turned_back_from_logarithms(self):
        qrels, runs = collection()
        report = pc.evaluate(qrels, runs["one"], ["GMAP"])
        found = pc.interval(report)["GMAP"]
        logs = np.log(report.runs[0].values[0])
        theirs = stats.ttest_1samp(logs, 0).confidence_interval(0.95)
        assert (found.low, found.high) == pytest.approx(
            (math.exp(theirs.low), math.exp(theirs.high))
        )
        assert found.estimate == pytest.approx(report.mean["GMAP"])

    def test_undefined_topics_count_as_in_the_average(self):
        qrels, runs = collection()
        for topic in ("q0", "q1", "q2", "q3", "q4", "q5"):
            qrels[topic] = dict.fromkeys(qrels[topic], 0)
        for undefined in ("zero", "omit"):
            report = pc.evaluate(qrels, runs["one"], ["AP"], undefined=undefined)
            assert pc.interval(report)["AP"].estimate == pytest.approx(report.mean["AP"])


class TestDispatch:
    def test_curve(self):
        rng = np.random.default_rng(2)
        relevant = rng.random(200) < 0.3
        score = rng.standard_normal(200) + relevant
        path = pc.curve(relevant, score, missed=3)
        found = pc.interval(path)
        assert (
            found["AP"]
            == pc.interval.average_precision(relevant, score, missed=3)
            == pc.interval(path, "AP")
        )
        assert found["AUC"] == pc.interval.area_under_roc(relevant, score, missed=3)
        with pytest.raises(
            pc.UsageError,
            match="measure: got 'F', allowed for a curve are AP, AUC, max F on new cases, P@k, R@k",
        ):
            pc.interval(path, "F")

    def test_binary_decisions(self):
        truth, said = [1] * 40 + [0] * 60, [1] * 30 + [0] * 62 + [1] * 8
        d = decisions(truth, said)
        found = pc.interval(d)
        assert set(found) == {"precision", "recall", "f", "accuracy"}
        assert found["precision"] == pc.interval.precision(30, 8)
        assert found["recall"] == pc.interval.recall(30, fn=10)
        assert found["accuracy"] == pc.interval.accuracy(30, 8, 10, 52)
        assert pc.interval(d, "f", beta=2) == pc.interval.f(30, 8, 10, 2)

    def test_decisions_of_categories(self):
        rng = np.random.default_rng(3)
        truth = rng.choice(["a", "b", "c"], 300)
        said = np.where(rng.random(300) < 0.7, truth, rng.choice(["a", "b", "c"], 300))
        d = decisions(truth.tolist(), said.tolist())
        found = pc.interval(d)
        assert found["macro-f"] == pc.interval.macro_f(d)
        assert found["accuracy"].estimate == pytest.approx(d.accuracy("exact"))
        tp, fp, fn, tn = (
            int(column[1])
            for column in (d.counts().tp, d.counts().fp, d.counts().fn, d.counts().tn)
        )
        assert (
            found["b", "recall"]
            == pc.interval(d, "recall")["b"]
            == pc.interval.recall(tp, fn, fp=fp, tn=tn)
        )

    def test_values(self):
        assert pc.interval(VALUES.tolist(), level=0.9) == pc.interval.mean(VALUES, level=0.9)
        with pytest.raises(pc.UsageError, match=r"one per topic, got dict; .*list\(d\.values"):
            pc.interval({"q1": 0.5})


class TestInterval:
    def test_it_prints_itself_and_is_not_iterable(self):
        found = pc.interval.precision(30, 10)
        assert str(found) == "precision 0.7500 [0.5981, 0.8581] 95 % wilson"
        assert 0.7 in found and 0.5 not in found
        with pytest.raises(TypeError):
            iter(found)
        with pytest.raises(TypeError):
            tuple(found)
        with pytest.raises(TypeError, match="only a number"):
            "x" in found  # noqa: B015
        with pytest.raises(AttributeError):
            found.low = 0.0
        assert isinstance(found, Interval) and Interval is pc.Interval

    def test_scipy_missing_is_said(self, monkeypatch):
        import sys

        monkeypatch.setitem(sys.modules, "scipy", None)
        monkeypatch.setitem(sys.modules, "scipy.special", None)
        assert pc.interval.precision(30, 10).low > 0
        with pytest.raises(pc.MissingExtra, match=r"SciPy: pip install 'precall\[stats\]'"):
            pc.interval.mean(VALUES)


def test_an_interval_beyond_the_range_of_its_measure_says_so() -> None:
    """Values 1, 1, 1, 0 have the half width t(3) .5/2 = .7956; by default, and by percentiles,
    means lie in 0..1.
    """
    qrels = {f"q{i}": {"a": 1} for i in range(4)}
    report = pc.evaluate(
        qrels, {f"q{i}": {"a": 2.0 * bool(i), "b": 1.0} for i in range(4)}, ["P@1", "NumRet"]
    )
    with warned(BeyondRange, FewValues) as told:
        assert pc.interval(report, method="t")["P@1"].high == pytest.approx(0.75 + 0.7956, abs=1e-4)
    (note,) = noticed(told, BeyondRange)
    assert (note.subject, note.low, note.high) == (
        "P@1",
        0,
        1,
    ) and "bayesian-bootstrap" in note.instead
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert pc.interval(report, method="bca")["P@1"].high <= 1
    assert not noticed(caught, BeyondRange)


@pytest.mark.parametrize("n", [9, 10, 11, 12, 13, 20, pytest.param(29, marks=pytest.mark.nightly)])
def test_means_of_zeros_and_ones_miss_seldom_without_a_note(n: int) -> None:
    """Over all shares, just beside every bound, where coverage jumps. No older test looked at the
    note of 10 and 11 values.
    """
    found, is_noted = [], []
    for ones in range(n + 1):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found.append(pc.interval.mean([1.0] * ones + [0.0] * (n - ones), range=(0, 1)))
        is_noted.append(bool(noticed(caught, FewValues)))
    low, high = (np.array([getattr(each, end) for each in found]) for end in ("low", "high"))
    shares = np.clip(np.concatenate([low - 1e-9, low + 1e-9, high - 1e-9, high + 1e-9]), 0, 1)
    chances = stats.binom.pmf(np.arange(n + 1), n, shares[:, None])
    is_missed = (shares[:, None] < low) | (shares[:, None] > high)
    missed = (chances * is_missed).sum(axis=1)
    unnoted = (chances * (is_missed & ~np.array(is_noted))).sum(axis=1)
    assert unnoted.max() < 0.072
    assert (missed.max() > 0.0715) == (n < 12)  # the note is needed, and no longer
