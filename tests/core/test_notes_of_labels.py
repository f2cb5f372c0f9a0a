"""What was noticed of labels is a note of the data, which travels with all that is made of them,
and is warned of once.

Older tests asked decisions for such notes, and curves for those of scores only.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_reading import LabelsUnlike, NoCommonLabel, OtherLabels

from ..noticed import noticed

Y = ["p", "n", "x", "p", "n", "x", "p", "n"] * 6
A = [float(i % 11) for i in range(48)]
B = [float(i % 7) for i in range(48)]
CELLS = ("'n'", "'x'")


def others(result):
    return [note.labels for note in noticed(result, OtherLabels)]


def one(make):
    """What is made, with one warning of other labels."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = make()
    assert others(caught) == [CELLS]
    return made


@pytest.fixture
def curves():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pc.curve(Y, A, positive="p"), pc.curve(Y, B, positive="p")


def test_curves_and_what_is_made_of_them(curves):
    first, second = curves
    assert others(one(lambda: pc.curve(Y, A, positive="p"))) == [CELLS]
    assert others(one(lambda: pc.curve(Y, A, weights=[0.5] * 48, positive="p"))) == [CELLS]
    assert first == pc.curve([label == "p" for label in Y], A)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = {
            "table": first.sheet(),
            "json": json.loads(first.to_json()),
            "points": first.points().sheet(),
            "interval": pc.interval(first, "AP"),
            "intervals": pc.interval(first),
            "pair": pc.compare(first, second, "AP"),
        }
    assert {name: others(result) for name, result in made.items()} == {
        name: [CELLS] for name in made
    }


def test_columns():
    assert others(one(lambda: pc.compare(Y, A, B, "AP", positive="p"))) == [CELLS]
    assert others(one(lambda: pc.compare.cases(Y, A, B, "AUC", positive="p"))) == [CELLS]
    for make in (
        pc.interval.average_precision,
        pc.interval.area_under_roc,
        pc.interval.max_f,
        pc.interval.pr_band,
        pc.interval.roc_band,
    ):
        assert others(one(lambda make=make: make(Y, A, positive="p"))) == [CELLS]
    assert others(one(lambda: pc.interval.precision_at_threshold(Y, A, 5, positive="p"))) == [CELLS]


def test_cases_in_parts():
    parts = pc.ScoredCases()
    parts.add(Y, A, positive="p")
    assert others(one(parts.curve)) == [CELLS]
    scanned = one(lambda: pc.ScoredCases.scan([(Y, A)], positive="p"))
    assert others(scanned) == [CELLS] and others(scanned.curve()) == [CELLS]
    assert others(scanned.sheet()) == [CELLS]


@pytest.fixture
def table(tmp_path, monkeypatch, capsys):
    """`precall ...` beside a table of these cases; what it prints."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{y},{a},{b}\n" for y, a, b in zip(Y, A, B, strict=True))
    Path("cases.csv").write_text("y,a,b\n" + rows)

    def call(*arguments):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert run(arguments) == 0
        return capsys.readouterr().out

    return call


@pytest.mark.usefixtures("any_memory")
@pytest.mark.parametrize(
    "asked",
    [
        ("curve", "cases.csv", "--label", "y", "--score", "a"),
        ("curve", "cases.csv", "--label", "y", "--score", "a", "--compare", "a", "b", "--interval"),
        ("curve", "cases.csv", "--label", "y", "--score", "a", "--points"),
        ("curve", "cases.csv", "--label", "y", "--score", "a", "--memory", "1"),
        ("compare", "--cases", "cases.csv", "--truth", "y", "--a", "a", "--b", "b"),
    ],
)
def test_commands(table, asked):
    told = json.loads(table(*asked, "--positive", "p", "--format", "json"))
    assert others(told) == [CELLS]


@pytest.mark.nightly
def test_pages(table):
    scores = ("--score", "a", "--score", "b")
    table(
        "report", "--cases", "cases.csv", "--label", "y", *scores, "--positive", "p", "-o", "p.html"
    )
    again = json.loads(table("report", "--from", "p.html", "--format", "json"))
    assert [
        note for note in json.dumps(again).split('"kind": ') if note.startswith('"other-labels"')
    ]


def test_averages_of_decisions_have_the_notes_of_the_data():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        decided = pc.decisions(["a", "b", "c", "A"] * 6, ["a", "b", "c", "c"] * 6)
        told = {
            "macro": (pc.interval(decided, "macro-F1"), pc.interval.macro_f(decided)),
            "micro": (pc.interval(decided, "micro-F1"), pc.interval.micro_f(decided)),
        }
    for asked, called in told.values():
        assert asked.notes == called.notes and noticed(called, LabelsUnlike) == noticed(
            decided, LabelsUnlike
        )
        assert len(noticed(called, LabelsUnlike)) == 1


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("compared", [pc.compare.decisions, pc.compare.bayes.decisions])
def test_notes_on_two_systems_name_them(compared):
    truth, said, other = ["x", "y"] * 20, ["x", "y"] * 20, ["X", "Y"] * 20
    for names, called in (
        (("old", "new"), ("truth", "new")),
        (("a", "truth"), ("truth", "b")),
    ):
        options = {"positive": "x"} if compared is pc.compare.bayes.decisions else {}
        found = compared(truth, said, other, names=names, **options)
        assert {note.names for note in noticed(found, NoCommonLabel)} == {called}
