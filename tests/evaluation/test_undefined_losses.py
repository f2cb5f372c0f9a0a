"""Undefined values of measures of which low is good count as the worst in averages, not as the
best.

Decisions had counted them so; older tests of `evaluate` had undefined values of measures of which
high is good only.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_intervals import FewValues
from precall.core.notes.of_runs import UndefinedTopics
from tests.noticed import noticed, warned

QRELS = {"q1": {"a": 1}, "q2": {"b": 0}}
#: Nothing is relevant to q2, and nothing was retrieved: F, E and their kin are 0/0.
WORSE = {"q1": {"a": 1.0}, "q2": {}}


def test_averages_intervals_and_notes() -> None:
    report = pc.evaluate(QRELS, WORSE, ["SetE", "SetF", "RR"], topics="qrels")
    assert (report.mean["SetE"], report.mean["SetF"]) == (0.5, 0.5)
    wanted = UndefinedTopics("run", ("SetE", "SetF"), 1, "zero", at_worst=("SetE",))
    assert [note.facts for note in noticed(report, UndefinedTopics)] == [wanted.facts]
    only = pc.evaluate(QRELS, WORSE, ["SetE"], topics="qrels")
    wanted = UndefinedTopics("run", ("SetE",), 1, "zero", at_worst=("SetE",))
    assert [note.facts for note in noticed(only, UndefinedTopics)] == [wanted.facts]
    with warned(FewValues) as told:
        assert pc.interval(report, "SetE").estimate == 0.5
    assert (told[0].values_seen, told[0].noun) == (2, "topics")
    assert pc.evaluate(QRELS, WORSE, ["SetE"], topics="qrels", undefined="omit").mean["SetE"] == 0.0


def test_comparisons() -> None:
    qrels = {f"q{i}": {"a": int(i > 0)} for i in range(6)}
    runs = {
        "x": {topic: {"a": 1.0} if topic != "q0" else {} for topic in qrels},
        "y": {topic: {"a": 1.0} for topic in qrels},
    }
    compared = pc.compare(pc.evaluate(qrels, runs, ["SetE"], topics="qrels"), rng=1)
    # Of y, which retrieved what is not relevant, E is 1 there; of x it is undefined, and no better.
    assert compared.pairs[0].difference == pytest.approx(0)


@pytest.mark.parametrize("name", ["k@recall(.8)", "Coverage"])
def test_where_no_number_is_fair_there_is_no_average(name):
    """They counted as 0, and the run that lost what it should find was the best: k@recall and
    Coverage are 1 or more.
    """
    gold = {"q": ["a", "b"], "r": ["a", "b"]}
    runs = {
        "lost": {"q": ["a", "b"], "r": ["x"]},
        "late": {"q": ["a", "x", "b"], "r": ["x", "a", "y", "b"]},
    }
    report = pc.evaluate(gold, runs, [name, "AP"])
    assert np.isnan(report.mean["lost", name]) and report.mean["late", name] == 3.5
    (note,) = (note for note in report.notes() if note.kind == "undefined-topics")
    assert note.values["without"] == (name,) and note.values["topics"] == 1
    assert "late" in str(report.sheet().verdict)
    assert pc.evaluate(gold, runs, name, undefined="omit").mean["lost", name] == 2
    with pytest.warns(pc.PrecallWarning):
        assert pc.interval(report, name)["lost", name].low is None
    with pytest.warns(pc.PrecallWarning):
        judged = pc.evaluate(gold, runs, name, interval=True)
    assert judged.bounds("lost", name).low is None and judged.bounds("late", name).low is not None


def test_categories_and_items_without_a_fair_number_are_left_out():
    sparse = pytest.importorskip("scipy.sparse")
    scores = sparse.csr_matrix([[0.9, 0.5, 0], [0.8, 0.7, 0]])
    status = pc.categorize([{0}, {2}], scores, [0, 1, 2])
    with pytest.warns(pc.PrecallWarning) as told:
        assert status.by_item("Coverage").mean() == 1
    (note,) = (warning.message.note for warning in told)
    assert note.kind == "left-out" and not note.values["below_chance"]


def test_a_value_that_is_infinite_has_no_bounds():
    """An infinite LR+ in one topic ended in an error about `values`."""
    gold, ranked = {"q": ["a"], "r": ["a"]}, {"q": ["a", "x", "y"], "r": ["x", "a", "y"]}
    report = pc.evaluate(gold, ranked, ["LR+(population=50)@1"])
    with pytest.warns(pc.PrecallWarning):
        assert pc.interval(report)["LR+(population=50)@1"].low is None


def test_means_over_groups(tmp_path, capsys):
    from precall.cli.main import run

    # In group b nothing is accepted and nothing relevant: F is undefined there, and so is E.
    rows = ["y,s,g", "1,2,a", "0,1,a", "0,1,b", "0,1,b"]
    (tmp_path / "cases.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    asked = [
        "curve",
        str(tmp_path / "cases.csv"),
        "--label",
        "y",
        "--score",
        "s",
        "--group",
        "g",
        "--at",
        "threshold=2",
    ]
    assert run([*asked, "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "precall.curve/2,s,all,at threshold=2,E,mean,0.5," in lines
    assert "precall.curve/2,s,all,at threshold=2,F,mean,0.5," in lines


def test_the_least_along_a_curve_over_groups(tmp_path, capsys):
    """The column "min Fallout" was looked for among measures by this heading, and counted as 0."""
    from precall.cli.main import run

    # In group b all is relevant: there is no fallout, and no threshold where it is least.
    path = tmp_path / "cases.csv"
    path.write_text("y,s,g\n1,2,a\n0,1,a\n1,1,b\n1,2,b\n", encoding="utf-8")
    options = ["--label", "y", "--score", "s", "--group", "g", "-m", "Fallout", "--format", "csv"]
    assert run(["curve", str(path), *options]) == 0
    assert (
        "precall.curve/2,s,all,measures,min Fallout,mean,0.5,"
        in capsys.readouterr().out.splitlines()
    )
