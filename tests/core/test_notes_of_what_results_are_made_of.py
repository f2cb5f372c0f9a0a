"""Intervals, and comparisons of scores or decisions, dropped what was noticed of the data that they
were made of.

The old tests looked for notes in the results that are measured first: reports, curves and
decisions.
"""

from __future__ import annotations

import csv
import json
import pickle
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_comparisons import DifferencesAlike, LeastP, OfSkewness
from precall.core.notes.of_curves import NoneRanked, TurnedScores
from precall.core.notes.of_intervals import FewValues
from precall.core.notes.of_reading import LabelsUnlike, NoCommonLabel
from precall.core.notes.of_runs import (
    MissingTopics,
    NothingRelevant,
    TiesThatMatter,
    UndefinedTopics,
    UnlikeTopics,
)
from precall.stats.turned_scores import has_wrong_direction
from tests.noticed import noticed, shown, warned
from tests.pages import record_about

# What intervals of so few warn of is tested elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")

TOPICS = [f"q{i:02}" for i in range(30)]
QRELS = {topic: {"a": 1, "b": 0} for topic in TOPICS}
FEW = {topic: {"a": 1.0, "b": 2.0} for topic in TOPICS[:3]}
TIED = {topic: {"a": 1.0, "b": 1.0} for topic in TOPICS}


def in_every_form(result, *notes):
    """Whether each form of a result has these notes, once each."""
    made = json.loads(result.to_json())
    return all(
        made["notes"].count(json.loads(json.dumps(note.to_dict()))) == 1 for note in notes
    ) and all(shown(text, *notes) for text in (str(result), result.to_markdown().replace("\\", "")))


# --- Reports ---


def test_tables_and_verdicts_of_a_report():
    """The verdict of a run with 3 of 30 topics, saved alone, said only that it is worse."""
    full = {topic: {"a": 2.0 - i % 2, "b": 1.0} for i, topic in enumerate(TOPICS)}
    report = pc.evaluate(
        QRELS, {"few": FEW, "tied": TIED, "full": full}, ["AP", "MRR"], topics="qrels"
    )
    few, tied = MissingTopics("few", 27, 30), TiesThatMatter("tied", 30)
    compared = pc.compare(report)
    for made in (report.per_topic, compared.verdicts["AP"], compared.anova["AP"]):
        assert {few, tied} <= {*noticed(made)} == {*noticed(json.loads(made.to_json()))}
        assert noticed(pickle.loads(pickle.dumps(made))) == noticed(made)
    # By each measure only its own notes.
    of_measures = [noticed(verdict, OfSkewness) for verdict in compared.verdicts.values()]
    assert [{note.context[0] for note in notes} for notes in of_measures] == [{"AP"}, {"MRR"}]
    alone = compared.pair("few", "full", "AP").verdict
    assert few in noticed(alone) and tied not in noticed(alone)


@pytest.mark.parametrize("view", ["table", "areas", "pr", "roc", "gain", "lift", "det", "cost"])
def test_tables_of_a_curve(view):
    curve = pc.curve(["y", "n", "m", "y"], [4, 3, 2, 1], positive="y")
    made = curve.table if view == "table" else getattr(curve, view)()
    assert [*noticed(curve)] and noticed(made) == noticed(curve)
    assert noticed(json.loads(made.to_json())) == noticed(curve)
    assert noticed(pickle.loads(pickle.dumps(made))) == noticed(curve)


def test_tables_of_decisions_and_intervals():
    made = pc.decisions(["y", "n", "m", "n"], ["y", "n", "n", "n"], positive="y")
    for table in (made.table, made.confusion().table, made.report().table):
        assert noticed(made) and {*noticed(made)} <= {*noticed(table)}
    intervals = pc.interval(pc.evaluate(QRELS, FEW, ["AP", "MRR"], topics="qrels"))
    assert noticed(intervals.table) == noticed(intervals)


def test_intervals_of_a_report():
    report = pc.evaluate(QRELS, {"few": FEW, "tied": TIED}, ["AP", "MRR"], topics="qrels")
    few, tied = MissingTopics("few", 27, 30), TiesThatMatter("tied", 30)
    for found in (
        pc.interval(report, "AP"),
        pc.interval(report),
        pc.interval(report, ["AP", "MRR"]),
    ):
        assert in_every_form(found, few, tied)
        assert few in found["few", "AP"].notes and tied not in found["few", "AP"].notes
        made = json.loads(found.to_json())
        assert {name: made["conventions"][name] for name in ("topics", "qrels")} == {
            "topics": "qrels",
            "qrels": "dict",
        }
        assert {row["measure"] for row in made["intervals"]} <= {"AP", "MRR"}
        assert made["intervals"][0]["run"] == "few"
    alone = pc.interval(pc.evaluate(QRELS, FEW, ["AP"], topics="qrels"), "AP")
    assert in_every_form(alone, MissingTopics("run", 27, 30))
    assert json.loads(alone.to_json())["conventions"]["topics"] == "qrels"


def test_only_of_the_measures_that_are_asked_for():
    qrels = {topic: {"a": int(topic != "q00"), "b": 0} for topic in TOPICS}
    report = pc.evaluate(qrels, {"few": FEW, "tied": TIED}, ["AP", "P@1"])
    (note,) = noticed(pc.interval(report, "AP")["tied", "AP"], UndefinedTopics)
    assert note.measures == ("AP",)
    assert not noticed(pc.interval(report, "P@1"), UndefinedTopics)
    assert noticed(pc.interval(report, "P@1"), UnlikeTopics)
    assert noticed(pc.interval(report, "P@1"), NothingRelevant)


def test_gates_have_what_is_said_of_their_tests(tmp_path):
    """JUnit and other forms of gates: so few topics differ, or none."""
    ok = {topic: {"a": 2.0, "b": 1.0} for topic in TOPICS}
    new = ok | {topic: {"a": 1.0, "b": 2.0} for topic in TOPICS[:2]}
    report = pc.evaluate(QRELS, {"old": ok, "new": new, "same": ok}, ["AP", "R@5"])
    (least,) = noticed(pc.compare(report, measures="AP").pair("old", "new"), LeastP)
    few = pc.evaluate(QRELS, {"old": ok, "new": new}, ["AP", "R@5"])
    gates = pc.compare.gates(few, "AP")
    assert noticed(gates, LeastP) == [least] and in_every_form(gates, least)
    assert least in [part.get("value") for part in ET.fromstring(gates.to_junit()).iter("property")]
    equal = pc.compare.gates(pc.evaluate(QRELS, {"old": ok, "same": ok}, ["AP"]))
    assert noticed(equal, DifferencesAlike)
    compared = pc.compare(few, baseline="old")
    assert noticed(compared, DifferencesAlike)
    assert not noticed(pc.compare.gates(few, "AP", comparisons=compared), DifferencesAlike)


# --- Scores ---

#: Relevant cases score lower than all others by `down`.
LABELS = [1] * 30 + [0] * 30
UP, DOWN = np.arange(60.0)[::-1], np.arange(60.0)


def test_intervals_of_turned_scores():
    turned = TurnedScores("", higher_is_better=True)
    curve = pc.curve(LABELS, DOWN)
    for found in (
        pc.interval(curve, "AUC"),
        pc.interval(curve),
        pc.interval(curve, ["AP", "AUC"]),
        pc.interval.area_under_roc(LABELS, DOWN),
        pc.interval.average_precision(LABELS, DOWN),
        pc.interval.partial_area_under_roc(LABELS, DOWN, 0.5),
        pc.interval.max_f(LABELS, DOWN),
        pc.interval.precision_at_threshold(LABELS, DOWN, 20),
        pc.interval.precision_at_threshold(LABELS, DOWN, beta=1),
    ):
        assert in_every_form(found, turned)
    assert turned in pc.interval.roc_band(LABELS, DOWN, method="dkw").notes
    assert not noticed(pc.interval(pc.curve(LABELS, UP)), TurnedScores)
    (low,) = noticed(pc.interval.area_under_roc(LABELS, UP, higher_is_better=False), TurnedScores)
    assert low.higher_is_better is False


def test_curves_and_rankings_against_chance():
    found = pc.null.test(pc.curve(LABELS, DOWN))
    assert in_every_form(found, TurnedScores("", higher_is_better=True))
    assert shown(str(found), *found.notes)
    assert not pc.null.test(pc.curve(LABELS, UP)).notes
    curve = replace(pc.curve(LABELS, UP), noticed=(FewValues("x", 3, "topics", "skewed"),))
    assert pc.null.test(curve, "AUC").notes == curve.notes
    # Ids that are written in two ways.
    ranking = pc.ranking(["doc 1"], ["doc-1", "doc-2"], ["AP"])
    (unlike,) = noticed(ranking, NoneRanked)
    assert pc.null.test(ranking).notes == (unlike,)
    assert pc.null.test(ranking, "P@1").notes == (unlike,)
    assert noticed(ranking.points(), NoneRanked) == [unlike]
    # Of what stands last in a ranking no score says that low ones are good.
    last = pc.ranking(["z"], [*map(str, range(200)), "z"], ["AP"])
    assert not pc.null.test(last).notes


@pytest.mark.parametrize("rows", [60, 30_000])
def test_turned_scores_are_a_fact_of_the_curve(rows):
    """It is looked for when notes are first read, by whoever reads them."""
    labels, scores = [1] * (rows // 2) + [0] * (rows // 2), np.arange(float(rows))
    turned = TurnedScores("", higher_is_better=True)
    curve = pc.curve(labels, scores)
    for found in (curve.max_f(), curve.at(recall=0.5), curve.points(), curve):
        assert found.notes == (turned,)
        assert pickle.loads(pickle.dumps(found)).notes == (turned,)
        (told,) = noticed(json.loads(found.to_json()), TurnedScores)
        assert told.facts == turned.facts
    assert not pc.curve(labels, -scores).max_f().notes
    assert not pc.curve(labels, scores, higher_is_better=False).max_f().notes
    (low,) = pc.curve(labels, -scores, higher_is_better=False).max_f().notes
    assert low == TurnedScores("", higher_is_better=False)


def test_counts_whose_products_do_not_fit_into_integers():
    large = np.array([0, 0, 2**40]), np.array([0, 2**40, 2**40])
    assert has_wrong_direction([large])
    assert not has_wrong_direction([large[::-1]])
    # The sums overflow on the way, and not at the end.
    steps = np.arange(0, 2**30, 2**14)
    assert not has_wrong_direction([(steps, steps)])


def test_missed_cases_turn_nothing():
    """They count as below all others in areas, and say nothing of scores."""
    assert not noticed(json.loads(pc.curve(LABELS, UP, missed=1000).to_json()), TurnedScores)
    assert noticed(json.loads(pc.curve(LABELS, DOWN, missed=1000).to_json()), TurnedScores)
    assert not noticed(pc.interval(pc.curve(LABELS, UP, missed=1000), "AUC"), TurnedScores)


@pytest.mark.parametrize(
    "choices",
    [
        {"measure": "AP"},
        {"measure": "AUC"},
        {"measure": "P@10"},
        {"measure": "R", "threshold": 30},
        {"measure": "AUC", "topics": ["x", "y", "z"] * 20},
        {"measure": "AP", "weights": [2] * 60},
    ],
)
def test_turned_scores_compared(choices):
    turned = TurnedScores("old", higher_is_better=True)
    found = pc.compare.cases(LABELS, DOWN, UP, names=("old", "new"), resamples=50, **choices)
    assert noticed(found, TurnedScores) == [turned]
    assert noticed(found.swap(), TurnedScores) == [turned]
    assert in_every_form(found, turned)
    assert noticed(record_about(found), TurnedScores) == [turned]


def test_groups_of_equal_scores_are_no_proof_of_turned_ones():
    """Twenty groups of fifty cases are no thousand independent ones: of random scores of groups 8
    of 40 were called turned.
    """
    rng = np.random.default_rng(5)
    group, relevant = np.repeat(np.arange(20), 50), np.repeat([1, 0] * 10, 50)
    for _ in range(20):
        score = rng.normal(size=20)[group]
        assert not noticed(pc.interval.area_under_roc(relevant, score, groups=group), TurnedScores)
        found = pc.compare.cases(relevant, score, -score, "AUC", groups=group, resamples=50)
        assert not noticed(found, TurnedScores)


def test_curves_and_their_comparison_say_it_once(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = zip(LABELS, DOWN, UP, strict=True)
    (tmp_path / "cases.csv").write_text(
        "y,a,b\n" + "".join(f"{y},{a},{b}\n" for y, a, b in rows), encoding="utf-8"
    )
    turned = TurnedScores("a", higher_is_better=True)
    run(
        [
            "compare",
            "--cases",
            "cases.csv",
            "--truth",
            "y",
            "--a",
            "a",
            "--b",
            "b",
            "--format",
            "json",
        ]
    )
    made = json.loads(capsys.readouterr().out)
    assert noticed(made, TurnedScores) == [turned]
    assert not any(noticed(pair, TurnedScores) for pair in made["pairs"])
    run(["compare", "--cases", "cases.csv", "--truth", "y", "--a", "a", "--b", "b"])
    assert shown(
        capsys.readouterr().out,
        TurnedScores(
            "a",
            higher_is_better=True,
        ),
        style="command",
    )
    run(["curve", "cases.csv", "--label", "y", "--compare", "a", "b", "--format", "json"])
    assert noticed(json.loads(capsys.readouterr().out), TurnedScores) == [turned]


def test_what_a_mean_is_over(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [f"{y},{a},{case % 4}" for case, (y, a) in enumerate(zip(LABELS, UP, strict=True))]
    (tmp_path / "cases.csv").write_text("\n".join(["y,a,g", *rows, ""]), encoding="utf-8")
    run(
        [
            "curve",
            "cases.csv",
            "--label",
            "y",
            "--score",
            "a",
            "--group",
            "g",
            "--interval",
            "--format",
            "json",
        ]
    )
    notes = noticed(json.loads(capsys.readouterr().out), FewValues)
    assert notes and {note.noun for note in notes} == {"groups"}
    sets = pc.decisions([["x"], ["x", "y"], ["y"]], [["x"], ["y"], ["y"]])
    assert {
        note.noun for note in noticed(pc.interval(sets, "F", average="samples"), FewValues)
    } == {"items"}


# --- Decisions ---

TRUTH = ["x", "y", "x"] * 20
APART, NEAR = ["X", "Y", "Y"] * 20, ["x", "y", "Y"] * 20


@pytest.mark.parametrize("positive", [None, "x"])
def test_labels_of_compared_decisions(positive, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with warned(NoCommonLabel, LabelsUnlike):
        found = pc.compare.decisions(
            TRUTH, APART, NEAR, "accuracy", names=("old", "new"), positive=positive
        )
    (apart,), (unlike,) = noticed(found, NoCommonLabel), noticed(found, LabelsUnlike)
    assert (apart.names, unlike.names) == (("truth", "old"), ("truth", "new"))
    assert in_every_form(found, apart, unlike)
    assert len(noticed(record_about(found), NoCommonLabel)) == 1
    with (tmp_path / "d.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("t", "old", "new"), *zip(TRUTH, APART, NEAR, strict=True)])
    only = [] if positive is None else ["--positive", positive]
    run(
        [
            "compare",
            "--decisions",
            "d.csv",
            "--truth",
            "t",
            "--a",
            "old",
            "--b",
            "new",
            "--format",
            "json",
            *only,
        ]
    )
    made = json.loads(capsys.readouterr().out)
    assert [(note.names, note.labels) for note in noticed(made, NoCommonLabel)] == [
        (apart.names, apart.labels)
    ]
    assert len(noticed(made, LabelsUnlike)) == 1


@pytest.mark.parametrize("positive", [None, "x"])
@pytest.mark.parametrize(("decided", "kind"), [(APART, NoCommonLabel), (NEAR, LabelsUnlike)])
def test_labels_of_decisions(decided, kind, positive):
    with warned(kind):
        made = pc.decisions(TRUTH, decided, positive=positive)
    (note,) = noticed(made, kind)
    assert in_every_form(made, note)
    for measure in ("accuracy", "P", None, ["P", "R"]):
        assert in_every_form(pc.interval(made, measure), note)


def test_two_decisions_that_were_read_apart():
    with warned(NoCommonLabel):
        old = pc.decisions(TRUTH, APART)
    found = pc.compare({"old": old, "new": pc.decisions(TRUTH, TRUTH)}, measures="accuracy")
    (note,) = noticed(found, NoCommonLabel)
    assert (note.context, note.names) == (("old",), ("truth", "predicted"))


def test_named_categories_without_common_label():
    names = ["x", "y", "X", "Y"]
    with warned(LabelsUnlike):
        made = pc.decisions(TRUTH, APART, categories=names)
    assert len(noticed(pc.interval(made, "accuracy"), NoCommonLabel)) == 1
