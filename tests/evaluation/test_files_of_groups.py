"""The groups of topics, from a table, a column of the inputs, a Series or a data frame."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.cli.main import run
from precall.core.errors import DataError, UsageError
from precall.read.group_tables import read_groups
from tests.doors.forms import Stream
from tests.peers import peer

QRELS = "query_id,doc_id,relevance,lang\nq1,a,1,en\nq1,b,0,en\nq2,c,1,de\nq3,d,2,de\n"
RUN = "qid,docno,score,origin\nq1,a,3,web\nq1,b,2,web\nq2,x,1,log\nq3,d,1,log\n"
BY = {"q1": "en", "q2": "de", "q3": "de"}
#: Files of the same groups.
FILES = {
    "rows.txt": "q1\ten\nq2 de\nq3 de\n",
    "rows.tsv": "q1\ten\nq2\tde\nq3\tde\n",
    "rows.csv": 'q1,en\n"q2",de\nq3,de\n',
    "semicolons.csv": "q1;en\nq2;de\nq3;de\n",
    "heading.csv": "query_id,language\nq1,en\nq2,de\nq3,de\n",
    "heading.tsv": "qid\tlanguage\nq1\ten\nq2\tde\nq3\tde\n",
    "heading_semicolons.csv": "topic;language\nq1;en\nq2;de\nq3;de\n",
    "called_group.csv": "text,group,topic\nx,en,q1\ny,de,q2\nz,de,q3\n",
    "repeated.csv": "topic,item,group\nq1,a,en\nq1,b,en\nq2,c,de\nq3,d,de\n",
    "lines.jsonl": "".join(json.dumps({"_id": t, "lang": g}) + "\n" for t, g in BY.items()),
    "object.json": json.dumps(BY),
    "rows.json": json.dumps([{"topic": t, "lang": g} for t, g in BY.items()]),
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q.csv").write_text(QRELS)
    Path("r.csv").write_text(RUN)


def _groups(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, float]:
    """The means of the groups that the command prints."""
    assert run(["eval", *words, "-m", "RR", "--format", "json"]) == 0, capsys.readouterr().err
    groups = json.loads(capsys.readouterr().out)["groups"]
    return {name: parts[0]["mean"]["RR"] for name, parts in groups.items()}


MEANS = {"de": 0.5, "en": 1.0}


@pytest.mark.parametrize("name", FILES)
def test_files(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tables had been read as lines: of CSV no group was found, a heading was a topic."""
    Path(name).write_text(FILES[name])
    assert _groups(capsys, "q.csv", "r.csv", "--by", name) == MEANS


def test_compressed_and_parquet(capsys: pytest.CaptureFixture[str]) -> None:
    Path("g.csv.gz").write_bytes(gzip.compress(FILES["heading.csv"].encode()))
    assert _groups(capsys, "q.csv", "r.csv", "--by", "g.csv.gz") == MEANS
    frame = peer("polars").DataFrame({"topic": list(BY), "lang": list(BY.values())})
    frame.write_parquet("g.parquet")
    assert _groups(capsys, "q.csv", "r.csv", "--by", "g.parquet") == MEANS


def test_a_column_of_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.csv").write_text("id,text,kind\nq1,a,x\nq2,b,y\nq3,c,y\n")
    assert _groups(capsys, "q.csv", "r.csv", "--by", "t.csv:kind") == {"x": 1.0, "y": 0.5}
    assert run(["eval", "q.csv", "r.csv", "--by", "t.csv"]) == 2
    assert "FILE:COLUMN" in capsys.readouterr().err


def test_a_column_of_the_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    assert _groups(capsys, "q.csv", "r.csv", "--by", "lang") == MEANS
    assert _groups(capsys, "q.csv", "r.csv", "--by", "origin") == {"log": 0.5, "web": 1.0}
    # A file has precedence over a column of its name.
    Path("lang").write_text("q1 x\nq2 x\nq3 y\n")
    assert _groups(capsys, "q.csv", "r.csv", "--by", "lang") == {"x": 0.5, "y": 1.0}
    assert _groups(capsys, "q.csv", "r.csv", "--by", "column:lang") == MEANS


def test_a_column_beside_names_that_were_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("u.csv").write_text(QRELS.replace("query_id", "u").replace("doc_id", "v"))
    words = ["u.csv", "r.csv", "--qrels-columns", "topic=u,item=v,grade=relevance"]
    assert _groups(capsys, *words, "--by", "lang") == MEANS


def test_a_column_of_rows_of_lists(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"query": topic, "retrieved": ["a"], "gold": ["a" if topic != "q2" else "b"], "lang": group}
        for topic, group in BY.items()
    ]
    Path("l.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert _groups(capsys, "--lists", "l.jsonl", "--by", "lang") == MEANS


def test_standard_input_is_read_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(QRELS.encode())))
    command = ["eval", "-", "r.csv", "--qrels-format", "csv", "--by"]
    assert run([*command, "lang"]) == 2
    assert "read only once" in capsys.readouterr().err
    assert run([*command, "origin", "-m", "RR"]) == 0  # a column of the run


def test_compare_takes_them_too(capsys: pytest.CaptureFixture[str]) -> None:
    Path("s.csv").write_text(RUN.replace("a,3", "a,1"))
    command = ["compare", "q.csv", "r.csv", "s.csv", "-m", "RR", "--by", "lang"]
    assert run([*command, "--format", "json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["groups"]) == ["de", "en"]


def test_systems_of_runs_from_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b", "c", "d"):
        Path(f"{name}.csv").write_text(RUN)
    Path("s.csv").write_text("run,seed,system\na,1,x\nb,2,x\nc,1,y\nd,2,y\n")
    command = ["compare", "q.csv", "a.csv", "b.csv", "c.csv", "d.csv", "-m", "RR"]
    assert run([*command, "--systems", "s.csv", "--format", "json"]) == 0
    assert {"x", "y"} <= set(json.dumps(json.loads(capsys.readouterr().out)).split('"'))


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("two.csv", "topic,group\nq1,en\nq2,de\nq1,de\n", ("'q1'", "'en'", "'de'", "two.csv:4")),
        ("gap.csv", "topic,group\nq1,en\nq2,\n", ("gap.csv:3",)),
        ("gap.json", '{"q1": "en", "q2": null}', ("'q2'",)),
        ("wide.csv", "q1,en,x\nq2,de,y\n", ("3 columns",)),
        ("rows.csv", "q1,en\nq1,de\n", ("rows.csv:2",)),
        ("ragged.csv", "q1,en\nq2\n", ("ragged.csv:2",)),
        ("nothing.csv", "topic,group\n", ("nothing.csv",)),
        ("one.csv", "topic\nq1\n", ("group",)),
    ],
)
def test_files_that_are_refused(
    name: str, text: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    Path(name).write_text(text)
    assert run(["eval", "q.csv", "r.csv", "--by", name]) == 2
    told = capsys.readouterr().err
    assert all(word in told for word in words), told


def test_columns_that_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for by, words in (
        ("relevance", ("q1",)),  # a topic with several
        ("nope", ("'nope'", "'lang'", "'origin'")),
        ("q.csv:nope", ("'nope'", "'lang'")),
    ):
        assert run(["eval", "q.csv", "r.csv", "--by", by]) == 2
        told = capsys.readouterr().err
        assert all(word in told for word in words), told
    Path("t.qrels").write_text("q1 0 a 1\n")
    Path("t.run").write_text("q1 Q0 a 1 1 t\n")
    assert run(["eval", "t.qrels", "t.run", "--by", "lang"]) == 2
    Path("by.txt").write_text("q1 en\n")
    assert run(["eval", "t.qrels", "t.run", "--by", "by.txt:lang"]) == 2
    assert "heading" in capsys.readouterr().err


def _as_series(by: dict[str, str]) -> Any:
    return peer("pandas").Series(by)


def _as_frame(by: dict[str, str]) -> Any:
    return peer("pandas").DataFrame({"qid": list(by), "lang": list(by.values())})


def _as_polars(by: dict[str, str]) -> Any:
    return peer("polars").DataFrame({"qid": list(by), "lang": list(by.values())})


def _as_arrow(by: dict[str, str]) -> Any:
    return peer("pyarrow").table({"qid": list(by), "lang": list(by.values())})


@pytest.mark.parametrize("make", [_as_series, _as_frame, _as_polars, _as_arrow])
def test_series_and_frames(make: Any) -> None:
    qrels, ranked = pc.read_qrels("q.csv"), pc.read_run("r.csv")
    report = pc.evaluate(qrels, ranked, "RR", by=make(BY))
    assert {name: part["RR"] for name, part in report.groups.items()} == MEANS


def test_series_and_frames_that_are_refused() -> None:
    pandas = peer("pandas")
    qrels, ranked = pc.read_qrels("q.csv"), pc.read_run("r.csv")
    for by, error in (
        (pandas.Series(["en", "de"], index=["q1", "q1"]), DataError),
        (pandas.Series(["en", None], index=["q1", "q2"]), DataError),
        (pandas.DataFrame({"qid": ["q1"], "a": ["x"], "b": ["y"]}), DataError),
        (pandas.DataFrame({"a": ["x"], "b": ["y"]}), DataError),
        (peer("polars").Series(["en", "de"]), UsageError),
        ("by.txt", UsageError),
    ):
        with pytest.raises(error):
            pc.evaluate(qrels, ranked, "RR", by=by)
    twice = pandas.Series(["en", "en", "de"], index=["q1", "q1", "q2"])
    assert list(pc.evaluate(qrels, ranked, "RR", by=twice).groups) == ["de", "en"]


@pytest.mark.parametrize("option", ["by", "topic_weights"])
@pytest.mark.parametrize("missing", [None, float("nan"), ""])
def test_a_topic_that_is_missing(option: str, missing: object) -> None:
    """It was a topic called None; files refused it, and no test compared the two."""
    given = {"q1": 1, missing: 2}
    with pytest.raises(DataError, match="topic with .* is missing"):
        pc.evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0}}, ["RR"], **{option: given})
    if missing == "":
        Path("o.json").write_text(json.dumps(given), encoding="utf-8")
        with pytest.raises(DataError, match="o.json.* is missing"):
            read_groups("o.json")


@pytest.mark.parametrize("option", ["by", "topic_weights"])
def test_a_table_that_speaks_arrow_only(option: str) -> None:
    """Such tables were taken everywhere but here."""
    table = peer("pyarrow").table({"topic": ["q1"], option.removeprefix("topic_"): [2]})
    qrels, ranked = {"q1": {"a": 1}}, {"q1": {"a": 1.0}}
    assert pc.evaluate(qrels, ranked, ["RR"], **{option: Stream(table)})["RR"] == 1
    with pytest.raises((DataError, UsageError)):
        pc.evaluate(qrels, ranked, ["RR"], **{option: peer("polars").Series([2])})
