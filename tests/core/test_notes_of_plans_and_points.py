"""Plans, operating points and confusion matrices have the notes of what they are made of.

They had none: the notes of a report stopped at the plan, those of a curve at its points, and those
of labels at the matrix.
"""

from __future__ import annotations

import json

import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes import name_of_kind

QRELS = {f"q{i}": {"a": 1, "b": 0} for i in range(12)} | {"none": {"a": 0}}
RUNS = {
    "tied": {topic: {"a": 1.0, "b": 1.0} for topic in QRELS},
    "good": {topic: {"a": 1.0 + (i % 3 == 0), "b": 1.5} for i, topic in enumerate(QRELS)},
}


def kinds(notes):
    return [name_of_kind(type(note)) for note in notes]


def test_of_a_plan():
    report = pc.evaluate(QRELS, RUNS, ["AP"])
    assert kinds(report.notes())
    plan = pc.compare.plan(report, difference=0.1)
    assert kinds(plan.notes) == kinds(report.notes())
    assert [note["kind"] for note in plan.to_dict()["notes"]]


def test_of_a_plan_by_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [f"{t} 0 {d} {grade}\n" for t, items in QRELS.items() for d, grade in items.items()]
    (tmp_path / "q").write_text("".join(rows))
    for name, topics in RUNS.items():
        rows = [f"{t} Q0 {d} 1 {s} x\n" for t in topics for d, s in topics[t].items()]
        (tmp_path / name).write_text("".join(rows))
    assert run(["power", "q", "tied", "good", "--difference", ".1", "--format", "json"]) == 0
    printed = capsys.readouterr()
    assert {"ties-that-matter", "nothing-relevant"} <= {
        note["kind"] for note in json.loads(printed.out)["notes"]
    }
    assert printed.err == ""


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_of_points():
    curve = pc.curve(["x", "y", "z", "x"] * 10, [0.1, 0.7, 0.8, 0.2] * 10, positive="x")
    assert curve.notes
    for point in (curve.at(recall=0.5), curve.at(max="F1"), curve.at(threshold=0.7), curve.max_f()):
        assert point.notes == curve.notes
        assert kinds(point.sheet().notes) == kinds(curve.notes)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_of_a_confusion_matrix():
    decided = pc.decisions(["a", "b", "c"] * 10, ["A", "b", "c "] * 10)
    assert decided.notes and decided.confusion().notes == decided.notes
    assert {note["kind"] for note in decided.confusion().to_dict()["notes"]} >= {"labels-unlike"}


@pytest.mark.filterwarnings("error::precall.PrecallWarning:precall.read.rank_order")
def test_ranks_that_are_read_as_scores_are_no_losses():
    rows = [
        {"topic": f"q{i}", "item": f"d{rank}", "rank": rank}
        for i in range(9)
        for rank in range(1, 9)
    ]
    report = pc.evaluate({f"q{i}": {"d1": 1} for i in range(9)}, rows, "AP")
    assert report["AP"] == 1.0
    assert kinds(report.notes()) == ["rank-as-score"]
