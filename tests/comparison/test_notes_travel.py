"""A comparison shows what was noticed of the runs that it compares, and so do gates: each note
once, in every form.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_comparisons import OfLogarithms, TopicsLeftOut
from precall.core.notes.of_runs import (
    DuplicatesDropped,
    MissingTopics,
    TiesThatMatter,
    UndefinedTopics,
    UnjudgedTopics,
    UnlikeTopics,
)
from precall.testing import assert_not_worse
from tests.noticed import noticed
from tests.pages import record_about

TOPICS = [f"q{i:02}" for i in range(30)]
QRELS = "".join(f"{topic} 0 {item} {int(item in 'ac')}\n" for topic in TOPICS for item in "abc")


def lines(topics: list[str], scores: dict[str, float], more: str = "") -> str:
    """A run that has the same scores for each of these topics."""
    rows = [
        f"{topic} Q0 {item} 1 {score} x\n" for topic in topics for item, score in scores.items()
    ]
    return "".join([*rows, more])


GOOD = {"a": 3.0, "c": 2.0, "b": 1.0}
#: What is noticed of a run; it, and the choices with which it is measured.
NOTICED = {
    "missing": (
        MissingTopics("new", 27, 30),
        lines(TOPICS[:3], GOOD),
        {"topics": "qrels"},
    ),
    "ties": (
        TiesThatMatter("new", 30),
        lines(TOPICS, {"b": 2.0, "a": 2.0, "c": 1.0}),
        {},
    ),
    "duplicates": (
        DuplicatesDropped("new", 30),
        lines(TOPICS, GOOD, lines(TOPICS, {"a": 3.0})),
        {"duplicates": "first"},
    ),
    "unjudged": (
        UnjudgedTopics("new", 1),
        lines(["z", *TOPICS], GOOD),
        {},
    ),
}


@pytest.fixture(params=NOTICED)
def case(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    note, text, choices = NOTICED[request.param]
    Path("c.qrels").write_text(QRELS, encoding="utf-8")
    Path("old.run").write_text(lines(TOPICS, {"b": 3.0, "a": 2.0, "c": 1.0}), encoding="utf-8")
    Path("new.run").write_text(text, encoding="utf-8")
    return note, choices


def times(text: str, note: str) -> int:
    """How often a text has a sentence, wherever its lines end."""
    return " ".join(text.split()).count(note)


def test_comparisons(case):
    note, choices = case
    compared = pc.compare("c.qrels", ["old.run", "new.run"], ["AP", "P@1"], **choices)
    assert list(compared.notes).count(note) == 1
    assert (
        pc.compare(pc.evaluate("c.qrels", ["old.run", "new.run"], "AP", **choices)).notes.count(
            note
        )
        == 1
    )
    for text in (compared.to_markdown(), compared.to_latex(), str(compared), compared.to_csv()):
        assert times(text, note) == 1
    assert (
        json.loads(compared.to_json())["notes"].count(json.loads(json.dumps(note.to_dict()))) == 1
    )


def test_pairs(case):
    """A pair has what was noticed of its two runs, and nothing of others."""
    note, choices = case
    runs = {"third": "old.run", "new": "new.run", "old": "old.run"}
    for names in (["old", "new"], list(runs)):
        compared = pc.compare(
            "c.qrels", {name: runs[name] for name in names}, ["AP", "P@1"], **choices
        )
        for pair in (
            compared.pair("old", "new"),
            compared.pair("new", "old", "P@1"),
            compared.pair("old", "new").swap(),
        ):
            assert pair.notes.count(note) == 1
            assert noticed(record_about(pair), type(note)) == [note]
            for text in (pair.to_markdown(), pair.to_latex(), str(pair), pair.to_csv()):
                assert times(text, note) == 1
            assert noticed(json.loads(pair.to_json()), type(note)) == [note]
        # Of several it stands once for all.
        assert not any(
            noticed(pair, type(note)) for pair in json.loads(compared.to_json())["pairs"]
        )
    assert not noticed(compared.pair("third", "old"), type(note))


def test_what_is_said_of_all_pairs():
    qrels = {f"q{i}": {"a": 1, "b": 1} for i in range(8)}
    runs = {
        name: {
            f"q{i}": {"x": 5.0, "a": place if i % 2 else 6, "b": 4.0}
            for i in range(8 - (name == "c"))
        }
        for place, name in enumerate("abc")
    }
    compared = pc.compare(qrels, runs, ["AP"], unpaired="drop", resamples=100)
    assert [pair.notes.count(TopicsLeftOut("", 1)) for pair in compared.pairs] == [1, 1, 1]
    geometric = pc.compare(qrels, runs, ["gm_map"], unpaired="drop")
    assert all(noticed(pair, OfLogarithms) for pair in geometric.pairs)
    assert len(noticed(geometric, OfLogarithms)) == 1


def test_gates(case):
    note, choices = case
    report = pc.evaluate("c.qrels", ["old.run", "new.run"], ["AP", "P@1"], **choices)
    gates = pc.compare.gates(report)
    assert gates.notes.count(note) == 1
    assert json.loads(gates.to_json())["notes"].count(json.loads(json.dumps(note.to_dict()))) == 1
    for text in (gates.to_markdown(), str(gates), gates.to_junit()):
        assert times(text, note) == 1


def test_the_command(case, monkeypatch, capsys):
    note, choices = case
    typed = [part for name, value in choices.items() for part in (f"--{name}", value)]
    command = ["compare", "c.qrels", "old.run", "new.run", "-m", "AP", "-m", "P@1", *typed]
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    for form in ("table", "csv", "json", "markdown", "latex"):
        run([*command, "--format", form])
        assert times(capsys.readouterr().out, note) == 1
    run([*command, "--fail-if-worse", "any", "--junit", "gates.xml", "--github-summary", "--notes"])
    assert times(capsys.readouterr().out, note) == 1
    assert times(Path("summary.md").read_text(encoding="utf-8"), note) == 1
    told = [each.get("value") for each in ET.parse("gates.xml").iter("property")]
    assert told.count(str(note)) == 1


def test_a_test_of_quality(case, tmp_path):
    note, choices = case
    if "topics" in choices:
        # What fails says it, too.
        first, second = (
            pc.evaluate("c.qrels", path, "AP", **choices) for path in ("old.run", "new.run")
        )
        assert_not_worse(first, tmp_path / "base.json", update=True)
        with pytest.raises(AssertionError, match=str(note)):
            assert_not_worse(second, tmp_path / "base.json")
    else:
        report = pc.evaluate("c.qrels", "new.run", "AP", **choices)
        assert note in assert_not_worse(report, tmp_path / "base.json", update=True).notes


def test_only_what_is_compared():
    """Undefined values of other measures, and topics that are left out, change nothing."""
    qrels = {topic: {"a": int(topic != "q00"), "b": 0} for topic in TOPICS}
    runs = {
        "old": {topic: {"b": 2.0, "a": 1.0} for topic in TOPICS},
        "new": {topic: {"a": 2.0, "b": 1.0} for topic in TOPICS[:20]},
    }
    report = pc.evaluate(qrels, runs, ["AP", "P@1"])
    assert any(isinstance(note, UnlikeTopics) for note in report.notes())
    for measure, undefined in (("AP", [("AP",), ("AP",)]), ("P@1", [])):
        notes = pc.compare(report, measures=measure, unpaired="drop").notes
        assert [note.measures for note in notes if isinstance(note, UndefinedTopics)] == undefined
        assert not any(isinstance(note, UnlikeTopics) for note in notes)
        assert MissingTopics("new", 10, 30) in notes
