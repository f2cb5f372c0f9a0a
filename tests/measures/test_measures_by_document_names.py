"""k@recall, precision@recall, van Rijsbergen's alpha and utility, by the numbers of the documents
that define them.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

import precall as pc
from precall.core.errors import MeasureError, TiesUnresolved, UsageError
from precall.core.notes.of_runs import UndefinedTopics
from precall.location import series
from precall.location.hits import Hits
from tests.noticed import noticed, shown

#: The notes' ranking x a y b c z, the precisions at its ranks corrected: 0, 1/2, 1/3, 2/4, 3/5,
#: 3/6.
NOTES = Hits.of([2, 4, 5], retrieved=6, relevant=3)
#: Zhang & Su 2012, table II: hits at 1, 2 and 4 of 8.
TABLE_2 = Hits.of([1, 2, 4], retrieved=8, relevant=3)
#: LingPipe's ten cases, correct at 2, 4, 5 and 9; its raw points are (.25, .50) (.50, .50) (.75,
#: .60) (1, .4444).
LINGPIPE = Hits.of([2, 4, 5, 9], retrieved=10, relevant=4)


@pytest.mark.parametrize(
    ("hits", "recall", "k", "precision"),
    [
        (NOTES, 1 / 3, 2, 1 / 2),
        (NOTES, 0.5, 4, 2 / 4),
        (NOTES, 1, 5, 3 / 5),
        (NOTES, 0, 1, 0),
        (TABLE_2, 1, 4, 3 / 4),
        (TABLE_2, 0, 1, 1),
        (LINGPIPE, 0.25, 2, 0.5),
        (LINGPIPE, 0.75, 5, 0.6),
        (LINGPIPE, 0.76, 9, 4 / 9),
        (LINGPIPE, 1, 9, 4 / 9),
    ],
)
def test_the_cutoff_of_a_recall(hits: Hits, recall: float, k: int, precision: float) -> None:
    for name in (
        f"KAtRecall(recall={recall})",
        f"k@recall({recall})",
        f"k@R={recall}",
        f"KAtRecall@{recall}",
    ):
        assert pc.measure(name)(hits)[0] == k
    for name in (
        f"PAtRecall(recall={recall})",
        f"precision@recall({recall})",
        f"P@recall(recall={recall})",
    ):
        assert pc.measure(name)(hits)[0] == precision == hits.precision_at_recall(recall)[0]


def test_a_recall_that_is_never_reached_has_no_cutoff() -> None:
    hits = Hits.of([[1, 3], [], [], [2]], retrieved=[4, 4, 0, 4], relevant=[3, 1, 1, 0 + 1])
    assert repr(pc.measure("KAtRecall(recall=.9)")(hits).tolist()) == "[nan, nan, nan, 2.0]"
    assert repr(pc.measure("PAtRecall(recall=0)")(hits).tolist()) == "[1.0, 0.0, nan, 0.0]"
    qrels, run = (
        {"t": {"a": 1, "b": 1}, "u": {"a": 1}},
        {"t": {"a": 1.0}, "u": {"x": 2.0, "a": 1.0}},
    )
    report = pc.evaluate(qrels, run, ["KAtRecall(recall=1)"], undefined="omit")
    (note,) = noticed(report, UndefinedTopics)
    assert report["KAtRecall(recall=1)"] == 2 and (note.topics, note.policy) == (1, "omit")
    assert shown(str(report), note)


@pytest.mark.parametrize("name", ["KAtRecall", "PAtRecall", "k@recall", "P@recall"])
def test_a_recall_must_be_given_and_be_one(name: str) -> None:
    with pytest.raises(MeasureError, match=r"needs recall; write .AtRecall\(recall=\.\.\.\)"):
        pc.measure(name)
    with pytest.raises(MeasureError, match="recall must be a number from 0 to 1, got 80"):
        pc.measure(f"{name}(80)" if "@" in name else f"{name}(recall=80)")


def test_ties_are_a_block_to_a_point_and_a_mean_to_a_measure() -> None:
    curve = pc.curve([1, 0, 1, 0, 0, 0], [3, 2, 2, 2, 2, 1])
    assert curve.at(recall=1).value == 1 and (curve.at(recall=1).tp, curve.at(recall=1).fp) == (
        2,
        3,
    )
    with pytest.raises(TiesUnresolved):
        curve.value("KAtRecall(recall=1)", "block")
    # The second hit is at rank 2, 3, 4 or 5.
    assert curve.value("KAtRecall(recall=1)", "expected") == 3.5
    mean = (2 / 2 + 2 / 3 + 2 / 4 + 2 / 5) / 4
    assert curve.value("PAtRecall(recall=1)", "expected") == pytest.approx(mean, rel=1e-15)


@pytest.mark.parametrize("slices", [1 << 20, 7])
def test_reciprocal_ranks_in_blocks_of_any_size(
    monkeypatch: pytest.MonkeyPatch, slices: int
) -> None:
    monkeypatch.setattr(series, "_SLICE", slices)
    for first, size, count, nth in (
        (1, 60, 7, 1),
        (5, 60, 7, 4),
        (3, 60, 7, 7),
        (2, 90, 1, 1),
        (9, 40, 40, 17),
        (1, 400, 200, 3),
    ):
        exact = sum(
            Fraction(
                comb(t - 1, nth - 1) * comb(size - t, count - nth),
                comb(size, count) * (first - 1 + t),
            )
            for t in range(1, size + 1)
        )
        assert series.reciprocal_of_hit(first, size, count, nth) == pytest.approx(
            float(exact), rel=1e-13
        )


def test_alpha_is_another_way_to_say_beta() -> None:
    decided = pc.decisions(["a", "a", "b", "b", "b", "c"], ["a", "b", "b", "b", "a", "c"])
    for alpha, beta in ((0.5, 1), (0.2, 2), (0.8, 0.5), (1, 0)):
        for name in ("F", "E"):
            ours, theirs = (
                decided.value(f"{name}(alpha={alpha})"),
                decided.value(f"{name}(beta={beta})"),
            )
            np.testing.assert_allclose(ours, theirs, rtol=1e-15)
        rankings = [
            pc.measure(f"Set{name}({text})")(NOTES)[0]
            for name in "FE"
            for text in (f"alpha={alpha}", f"beta={beta}")
        ]
        assert rankings[0] == pytest.approx(rankings[1]) and rankings[2] == pytest.approx(
            rankings[3]
        )
        assert pc.measure(f"MaxF(alpha={alpha})")(NOTES)[0] == pytest.approx(
            pc.measure(f"MaxF(beta={beta})")(NOTES)[0]
        )
    np.testing.assert_array_equal(decided.value("F(alpha=0)"), decided.recall())
    # van Rijsbergen 1979, ch. 7: E = 1 - 1 / (alpha / P + (1 - alpha) / R), by the article's P =
    # R = .5 and by another.
    assert pc.measure("SetE(alpha=0.3)")(Hits.of([1, 2], retrieved=4, relevant=4))[
        0
    ] == pytest.approx(0.5)
    assert pc.measure("SetE(alpha=0.3)")(NOTES)[0] == pytest.approx(1 - 1 / (0.3 / 0.5 + 0.7 / 1))


def test_alpha_and_beta_exclude_each_other() -> None:
    for name in (
        "F(alpha=.5,beta=1)",
        "E(beta=2,alpha=.5)@5",
        "F2(alpha=.5)",
        "MaxF(alpha=.5,beta=1)",
    ):
        with pytest.raises(
            MeasureError, match="alpha and beta say the same in two ways; leave one of them out"
        ):
            pc.measure(name)
    with pytest.raises(MeasureError, match=r"F: alpha must be a number from 0 to 1, got 1\.5"):
        pc.measure("F(alpha=1.5)")


def test_intervals_of_f_by_alpha_are_those_by_beta() -> None:
    truth, decided = [1, 1, 1, 1, 1, 0, 0, 0] * 4, [1, 1, 1, 0, 0, 1, 0, 0] * 4
    by = [
        pc.interval(pc.decisions(truth, decided), f"F({text})") for text in ("alpha=.2", "beta=2")
    ]
    assert by[0].ends == by[1].ends and by[0].estimate == by[1].estimate
    with pytest.raises(UsageError, match="with alpha 0, F is recall; ask for the interval of R"):
        pc.interval(pc.decisions(truth, decided), "F(alpha=0)")


def test_utility_weighs_the_cells() -> None:
    # Hull & Robertson 1999: LF1 = 3 TP - 2 FP, LF2 = 3 TP - FP.
    truth, decided = [1, 1, 1, 0, 0, 0, 0], [1, 1, 0, 1, 0, 0, 0]
    values = {
        "Utility(3,-2)": 4,
        "Utility(3,-1)": 5,
        "utility": 1,
        "Utility(tp=3,fp=-2,tn=1)": 7,
        "Utility(1,-1,-1,.5)": 1.5,
    }
    for name, value in values.items():
        assert pc.decisions(truth, decided).value(name) == value
    hits = Hits.of([1, 2], retrieved=3, relevant=3)
    assert pc.measure("Utility(3,-2)")(hits)[0] == pc.measure("SetUtility(3,-2)")(hits)[0] == 4
    assert pc.measure("Utility(3,-2)@5")(hits)[0] == 0, "ranks past the end are not relevant"
    assert pc.measure("Utility(1,-1,0,.5,population=7)")(hits)[0] == 2.5
    with pytest.raises(
        MeasureError, match=r"depends on how many items .* write SetUtility\(population=N\)"
    ):
        pc.measure("Utility(rejected=.5)")(hits)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Utility(1,tp=2)", "give each of tp, fp, fn, tn at most one weight"),
        ("Utility(1,2,3,4,5)", "at most one weight"),
        ("Utility(1,fp=-1)", "all by their places or all by name"),
        (
            "F(2)",
            "F: got '2' in the brackets; write name=value, where the name is one of beta, alpha",
        ),
        ("Utility(x)", "got 'x' in the brackets"),
    ],
)
def test_weights_that_cannot_be(name: str, text: str) -> None:
    with pytest.raises(MeasureError, match=text):
        pc.measure(name)


def test_utility_chooses_a_threshold() -> None:
    curve = pc.curve([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    # 3 TP - 2 FP: 3, 6, 4, 7, 5, 3; with a false positive at 4 it is 3, 6, 2, 5, 1, -3.
    assert (curve.at(max="Utility(3,-2)").threshold, curve.at(max="Utility(3,-2)").value) == (3, 7)
    assert curve.at(max="utility(tp=3,fp=-4)").threshold == 5
    assert curve.at(max="Utility(-1,-1)").threshold == np.inf, "accepting nothing is best"
    point = curve.at(max="E")
    assert (point.e(), point.accuracy, point.error) == (pytest.approx(1 - 6 / 7), 5 / 6, 1 / 6)
    assert point.of("E(alpha=0.2)") == pytest.approx(point.e(2)) and "accuracy" in point.to_dict()
