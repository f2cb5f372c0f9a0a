"""Functions spoke of options of the command line, and the command of arguments or of options that
were not given.

Older tests looked at the messages of the command only.
"""

from pathlib import Path

import pytest

import precall as pc
from precall.cases.table import read_cases
from precall.cli.main import run
from precall.core.notes.of_curves import TurnedScores
from precall.core.notes.of_reading import LowestIsBest
from precall.hard_decisions.table_io import compare_cases, compare_decisions, read_decisions
from tests.noticed import warned


@pytest.fixture
def table(tmp_path, monkeypatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("c.csv").write_text("y,s,p,distance\n1,2,1,1\n0,1,0,2\n1,3,0,3\n0,2,1,4\n")
    Path("q.qrels").write_text("q1 0 x 1\nq2 0 x 1\n")
    for name in "ab":
        Path(f"{name}.run").write_text(f"q1 Q0 x 1 2 {name}\nq2 Q0 x 1 2 {name}\n")
    return "c.csv"


@pytest.mark.parametrize(
    ("call", "python", "command", "option"),
    [
        (
            lambda f: pc.ScoredCases.scan(f, label="act", score="s"),
            "with label=",
            "curve c.csv --label act --score s",
            "--label",
        ),
        (
            lambda f: pc.ScoredCases.scan(f, label="y", score="z"),
            "with score=",
            "curve c.csv --label y --score z",
            "--score",
        ),
        (
            lambda f: read_cases(f, "y", ["z"]),
            r"with scores=\[",
            "curve c.csv --label y --score z",
            "--score",
        ),
        (
            lambda f: read_cases(f, "y", ["s"], positive="z"),
            "with positive=",
            "curve c.csv --label y --score s --positive z",
            "--positive",
        ),
        (
            lambda f: read_cases(f, "s", ["y"]),
            "name the labels with label='y'",
            "curve c.csv --label s --score y",
            "with --label y",
        ),
        (
            lambda f: read_decisions(f, "y", "z"),
            "with predicted=",
            "decisions c.csv --truth y --predicted z",
            "--decision",
        ),
        (
            lambda f: compare_decisions(f, "y", "p", "p"),
            "truth=, a= and b=: must name three columns, got y, p and p",
            "compare --decisions c.csv --truth y --a p --b p",
            "--truth and --decision: must name three columns, got y, p and p",
        ),
        (
            lambda f: compare_cases(f, "y", "s", "y"),
            "truth=, a= and b=: must name",
            "compare --cases c.csv --truth y --a s --b y",
            "--label and --score: must name three columns, got y, s and y",
        ),
    ],
)
def test_errors(table, call, python, command, option, capsys) -> None:
    with pytest.raises(pc.PrecallError, match=python) as caught:
        call(table)
    assert "--" not in str(caught.value)
    assert run(command.split(" ")) == 2
    said = capsys.readouterr().err
    assert option in said and "=" not in said.replace("columns=", "")


@pytest.mark.filterwarnings("default")
def test_warnings(table, capsys) -> None:
    with warned(LowestIsBest) as told:
        read_cases(table, "y", ["distance"])
    assert told[0].endswith("pass higher_is_better=False")
    assert run(["curve", "c.csv", "--label", "y", "--score", "distance"]) == 0
    assert capsys.readouterr().err.endswith("pass --lower-is-better\n")


def test_notes_are_for_whoever_reads_them() -> None:
    notes = pc.curve([0] * 20 + [1] * 20, list(range(40, 0, -1))).sheet().notes
    (note,) = (note for note in notes if isinstance(note, TurnedScores))
    assert note.sentence("python").endswith("pass higher_is_better=False")
    assert note.sentence("command").endswith("pass --lower-is-better")


@pytest.mark.parametrize("typed", ["AP=0.01", "AP:0.01:5"])
def test_a_gate_that_is_none(table, typed, capsys) -> None:
    assert run(["compare", "q.qrels", "a.run", "b.run", "-m", "AP", "--fail-if-worse", typed]) == 2
    form = f"--fail-if-worse: must be MEASURE or MEASURE:MARGIN, such as AP:0.01, got {typed!r}"
    assert capsys.readouterr().err == f"precall: error: {form}\n"


def test_a_measure_that_is_none(table, capsys) -> None:
    assert run(["curve", table, "--label", "y", "--score", "s", "--at", "max=mcc2"]) == 2
    assert "--at max=mcc2: no measure 'mcc2'; did you mean MCC?" in capsys.readouterr().err
    with pytest.raises(pc.MeasureError, match="MCC needs population"):
        pc.measure("MCC@2")
