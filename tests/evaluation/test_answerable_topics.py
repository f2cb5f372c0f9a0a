"""`topics="answerable"`: topics to which nothing is relevant are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_runs import Unanswerable
from tests.noticed import noticed

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 0}, "q3": {"d": 2}, "q4": {}}
RUN = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}, "q9": {"a": 1.0}}


def test_only_topics_with_a_relevant_item_are_averaged() -> None:
    report = pc.evaluate(QRELS, RUN, ["AP", "RR"], topics="answerable")
    assert report.runs[0].topics == ["q1", "q3"]  # q3 is missing, and counts as empty
    assert report.mean["AP"] == 0.5
    (note,) = noticed(report, Unanswerable)
    assert (note.without, note.total) == (2, 4)
    assert report.conventions["topics"] == "answerable"
    # By the grade that is relevant.
    high = pc.evaluate(QRELS, RUN, ["AP"], topics="answerable", grade=2)
    assert high.runs[0].topics == ["q3"]


def test_without_such_topics_nothing_is_said() -> None:
    answerable = {topic: QRELS[topic] for topic in ("q1", "q3")}
    report = pc.evaluate(answerable, RUN, ["AP"], topics="answerable")
    assert not noticed(report, Unanswerable)
    assert report.mean["AP"] == pc.evaluate(answerable, RUN, ["AP"], topics="qrels").mean["AP"]


def test_systems_are_compared_on_them() -> None:
    other = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 1.0}, "q3": {"d": 1.0}}
    found = pc.compare(QRELS, {"x": RUN, "y": other}, "AP", topics="answerable", test="sign")
    assert found.pairs[0].wins + found.pairs[0].ties + found.pairs[0].losses == 2


def test_lists_and_bounds() -> None:
    report = pc.evaluate([["a"], []], [["a", "b"], ["c"]], ["Recall@2"], topics="answerable")
    assert report.mean["Recall@2"] == 1
    bounds = pc.evaluate(QRELS, RUN, ["AP"], topics="answerable", unjudged="bounds")
    assert bounds.lowest["AP"] <= 0.5 <= bounds.highest["AP"]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "q").write_text("q1 0 a 1\nq2 0 c 0\n")
    (tmp_path / "r").write_text("q1 Q0 a 1 2 x\nq2 Q0 c 1 2 x\n")
    files = [str(tmp_path / "q"), str(tmp_path / "r")]
    assert run(["eval", *files, "-m", "AP", "--topics", "answerable"]) == 0
    assert "1.0000" in capsys.readouterr().out
