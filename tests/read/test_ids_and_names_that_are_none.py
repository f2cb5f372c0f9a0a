"""Ids that are empty or differ in blanks only, runs without a name, and lists of MS MARCO: none
passes in silence.

The old tests asked CSV and TREC text only, where an empty cell is missing and blanks part the
fields.
"""

from __future__ import annotations

import json
import subprocess
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run as precall
from precall.core.notes.of_reading import IdsUnlike
from tests.noticed import noticed, warned
from tests.peers import peer

pd = peer("pandas")

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"é": 1}}


def _rows(*names: Any) -> list[dict[str, Any]]:
    cells = [("q1", "a"), ("q2", "a"), ("q1", "b"), ("q2", "b")]
    return [
        {"topic": topic, "item": item, "score": 4.0 - at, "run": name}
        for at, ((topic, item), name) in enumerate(zip(cells, names, strict=True))
    ]


@pytest.mark.parametrize(
    "given",
    [{"": {"a": 1}}, {"q": {"": 1}}, {"q": ["a", ""]}, {"": ["a"]}, [("q", "", 1)], {("q", ""): 1}],
)
def test_an_empty_text_is_no_id(given: Any) -> None:
    for read in (pc.read_run, pc.read_qrels):
        with pytest.raises(pc.DataError):
            read(given)


def test_an_empty_text_is_no_id_of_lists() -> None:
    for row in (
        {"query": "q", "retrieved": [""], "gold": ["a"]},
        {"query": "", "retrieved": ["a"], "gold": ["a"]},
    ):
        with pytest.raises(pc.DataError):
            pc.read_lists([row])
    with pytest.raises(pc.DataError, match="empty text"):
        pc.ranking(["a", ""], ["a"])


def test_an_empty_id_of_a_table_is_told_by_its_row(tmp_path: Path) -> None:
    rows = _rows("x", "x", "x", "x")
    rows[2]["item"] = ""
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    for source, place in ((rows, "row 3"), (pd.DataFrame(rows), "row 3"), (path, "x.jsonl:3")):
        with pytest.raises(pc.DataError, match=f"{place}: no value in column 'item'"):
            pc.read_run(source)


@pytest.mark.parametrize("missing", [None, "", float("nan"), pd.NA])
def test_a_run_without_a_name_is_told_by_its_row(missing: Any, tmp_path: Path) -> None:
    rows = _rows("x", "x", "x", missing)
    for source in (rows, pd.DataFrame(rows)):
        with pytest.raises(pc.DataError, match="row 4: no value in column 'run'") as refused:
            pc.evaluate(QRELS, source, ["AP"], run_column="run")
        assert "twice" not in str(refused.value)


def test_a_column_of_runs_that_the_first_row_lacks(tmp_path: Path) -> None:
    rows = _rows("x", "x", "y", "y")
    del rows[0]["run"]
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    for source, place in ((rows, "row 1"), (path, "x.jsonl:1")):
        with pytest.raises(pc.DataError, match=f"{place}: no value in column 'run'"):
            pc.evaluate(QRELS, source, ["AP"], run_column="run")
        with pytest.raises(pc.DataError, match="no column 'system', the columns are"):
            pc.evaluate(QRELS, source, ["AP"], run_column="system")


def test_one_number_is_one_run() -> None:
    report = pc.evaluate(QRELS, _rows(1, 1.0, np.float64(2), 2), ["AP"], run_column="run")
    assert [run.name for run in report.runs] == ["1", "2"]
    assert [
        run.name for run in pc.evaluate(QRELS, _rows(0.5, 0.5, 1, 1), ["AP"], run_column="run").runs
    ] == [
        "0.5",
        "1",
    ]


@pytest.mark.parametrize(
    ("given", "judged"),
    [
        ("a ", "a"),
        (" a", "a"),
        ("a\r", "a"),
        ("a\u00a0", "a"),
        ("a", "a "),
        (unicodedata.normalize("NFD", "é"), "é"),
        ("A", "a"),
        ("doc-1", "DOC-1"),
        ("Doc1 ", "doc1"),
        ("007", "7"),
        ("7", "007"),
    ],
)
def test_an_id_that_differs_in_spelling_only_is_noted(given: str, judged: str) -> None:
    both = "12" if judged.isdigit() else "b"
    qrels, run = {"q": {judged: 1, both: 1}}, {"q": {given: 2.0, both: 1.0}}
    with warned(IdsUnlike) as told:
        report = pc.evaluate(qrels, run, ["AP"])
    assert report["AP"] == 0.25
    assert told == [
        note.within("run") for note in [IdsUnlike("", "item", given, judged, told[0].remedy)]
    ]
    assert noticed(report, IdsUnlike) == told


def test_a_topic_that_differs_in_blanks_only_is_noted() -> None:
    with warned(IdsUnlike) as told:
        pc.evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}, "q2 ": {"a": 1.0}}, ["AP"])
    assert (told[0].what, told[0].given, told[0].judged) == ("topic", "q2 ", "q2")


@pytest.mark.parametrize(("given", "judged"), [("Q2", "q2"), ("q2", "Q2"), ("02", "2")])
def test_a_topic_that_differs_in_capitals_or_zeros_is_noted(given: str, judged: str) -> None:
    """They were noted only if no topic was common."""
    both = "1" if judged.isdigit() else "q1"
    with warned(IdsUnlike) as told:
        pc.evaluate(
            {both: {"a": 1}, judged: {"a": 1}}, {both: {"a": 1.0}, given: {"a": 1.0}}, ["AP"]
        )
    assert [(note.what, note.given, note.judged) for note in told] == [("topic", given, judged)]


def test_a_topic_with_a_capital_in_one_row_is_noted() -> None:
    run = {"q1": {"a": 1.0}, "Q1": {"b": 1.0}}
    with warned(IdsUnlike) as told:
        pc.evaluate({"q1": {"a": 1, "b": 1}}, run, ["AP"])
    assert [(note.what, note.given, note.judged) for note in told] == [("topic", "Q1", "q1")]


@pytest.mark.parametrize(("first", "other"), [("a", "A"), ("0", "00"), ("a", "0a")])
def test_ids_that_both_sides_tell_apart_are_not_noted(first: str, other: str) -> None:
    both, one = {first: 1, "7": 1}, {first: 1.0, other: 2.0, "7": 0.5}
    for qrels, run in ((both, one), (both | {other: 0}, {other: 1.0})):
        assert not noticed(pc.evaluate({"q": qrels}, {"q": run}, ["AP"]), IdsUnlike)
    topics = {first: both, other: both}
    report = pc.evaluate(topics, {first: one}, ["AP"], topics="qrels")
    assert not noticed(report, IdsUnlike)


def test_ids_with_blanks_that_agree_are_not_noted() -> None:
    items = ["a b", "a ", " é", unicodedata.normalize("NFD", "é")]
    report = pc.evaluate(
        {"q": dict.fromkeys(items, 1)}, {"q": dict.fromkeys(items, 1.0) | {"c d": 2.0}}, ["AP"]
    )
    assert not noticed(report, IdsUnlike)


def test_a_run_of_ms_marco_becomes_trec_text_by_the_line_of_the_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels.tsv").write_text("1\t0\t7\t1\n2\t0\t8\t1\n", encoding="utf-8")
    Path("run.tsv").write_text("1\t7\t1\n1\t9\t3\n2\t5\t1\n2\t8\t2\n", encoding="utf-8")
    assert precall(["eval", "qrels.tsv", "run.tsv", "--input-format", "trec"]) == 2
    line = capsys.readouterr().err.partition("-$3): ")[2].strip()
    with pytest.raises(pc.DataError) as refused:
        pc.read_run("run.tsv")
    assert line.startswith("awk ") and line in str(refused.value)
    subprocess.run(line, shell=True, check=True)
    assert (
        precall(
            [
                "eval",
                "qrels.tsv",
                "run.tsv.run",
                "--input-format",
                "trec",
                "-m",
                "RR@10",
                "--format",
                "csv",
            ]
        )
        == 0
    )
    assert ",0.75" in capsys.readouterr().out.replace("0.7500", "0.75")


@pytest.mark.parametrize("item", [pd.NA, np.array([5, 6]), None])
def test_ids_that_cannot_be_compared_with_texts_are_refused(item):
    with pytest.raises(pc.DataError, match="row 1"):
        pc.read_run([("q", item, 1.0)])
    with pytest.raises(pc.DataError, match="row 1"):
        pc.read_run([{"topic": "q", "item": item, "score": 1.0}])


def test_scores_without_a_heading_are_no_ranks(tmp_path):
    """The advice for ranks would have turned the order round."""
    for name, cell, is_led in (
        ("s.csv", "0.53", False),
        ("r.csv", "2", True),
        ("r.tsv", "2", True),
    ):
        path = tmp_path / name
        path.write_text(
            f"0,7,{cell}\n".replace(",", "," if name.endswith("csv") else "\t"), "utf-8"
        )
        with pytest.raises(pc.DataError) as error:
            pc.read_run(path)
        assert ("awk" in str(error.value)) is is_led
        assert ("awk -F," in str(error.value)) is (name == "r.csv")
