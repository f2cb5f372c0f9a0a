"""Undefined values of measures of which low is good count as the worst in averages, not as the best.

Decisions had counted them so; older tests of `evaluate` had undefined values of measures of which high is good only.
"""

from __future__ import annotations

import pytest

import precall as pc
from precall.notes.of_intervals import FewValues
from precall.notes.of_runs import UndefinedTopics
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


def test_what_has_no_worst_value_is_said():
    gold, ranked = {"q": ["a", "b"], "r": ["a", "b"]}, {"q": ["a", "b"], "r": ["x"]}
    report = pc.evaluate(gold, ranked, ["k@recall(.8)", "AP"])
    assert report["k@recall(.8)"] == 1
    (note,) = noticed(report, UndefinedTopics)
    assert (note.policy, note.at_worst, note.at_best) == ("zero", (), ("k@recall(.8)",))


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
    assert "precall.curve/2,s,all,at threshold=2,E,mean,0.5" in lines
    assert "precall.curve/2,s,all,at threshold=2,F,mean,0.5" in lines


def test_the_least_along_a_curve_over_groups(tmp_path, capsys):
    """The column "min Fallout" was looked for among measures by this heading, and counted as 0."""
    from precall.cli.main import run

    # In group b all is relevant: there is no fallout, and no threshold where it is least.
    path = tmp_path / "cases.csv"
    path.write_text("y,s,g\n1,2,a\n0,1,a\n1,1,b\n1,2,b\n", encoding="utf-8")
    options = ["--label", "y", "--score", "s", "--group", "g", "-m", "Fallout", "--format", "csv"]
    assert run(["curve", str(path), *options]) == 0
    assert "precall.curve/2,s,all,measures,min Fallout,mean,0.5" in capsys.readouterr().out.splitlines()
