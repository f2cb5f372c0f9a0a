"""Files that are empty or damaged, at every door that reads files of topics, spans or objects."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

import precall as pc
from precall.cli.main import run
from precall.evaluation.weights import read_weights
from precall.object_detection.files import read_detections
from precall.read.group_tables import read_groups
from precall.spans.files import read_spans
from tests.peers import peer

TABLE = "topic,group,weight,s,m,t,p\n" + "q1,1,1,0.5,1,B-X,O\n" * 50


def _parquet(path: Path) -> bytes:
    peer("polars").DataFrame({"topic": ["q1"] * 99, "group": ["a"] * 99}).write_parquet(path)
    return path.read_bytes()[:-20]


DAMAGED: dict[str, Callable[[Path], bytes]] = {
    "empty.csv": lambda path: b"",
    "heading.csv": lambda path: b"topic,group,weight,s,m,t,p\n",
    "cut.csv.gz": lambda path: gzip.compress(TABLE.encode())[:-12],
    "no.csv.gz": lambda path: TABLE.encode(),
    "latin.csv": lambda path: TABLE.replace("q1", "q\xe9").encode("latin-1"),
    "quote.csv": lambda path: TABLE.encode() + b'"q1,1',
    "ragged.csv": lambda path: TABLE.encode() + b"q1\n",
    "empty.jsonl": lambda path: b"",
    "cut.jsonl": lambda path: b'{"topic": "q1", "group": "a", "t": ["O"',
    "cut.json": lambda path: b'[{"topic": "q1", "gr',
    "empty.parquet": lambda path: b"",
    "cut.parquet": _parquet,
}
READERS: dict[str, Callable[[str], object]] = {
    "weights": read_weights,
    "groups": read_groups,
    "spans": lambda path: read_spans(path, "t", "p", unit="topic"),
    "detections": lambda path: read_detections(path, "s", ["m"], missed=0),
}
COMMANDS = {
    "weights": ["eval", "q.json", "r.json", "--topic-weights"],
    "groups": ["eval", "q.json", "r.json", "--by"],
    "spans": ["decisions", "--spans", "--truth=t", "--decision=p", "--unit=topic"],
    "detections": ["detections", "--score=s", "--matched=m", "--missed=0"],
}


@pytest.mark.nightly(keep=12)
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files_are_refused_by_name(
    name: str,
    reader: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(DAMAGED[name](tmp_path / "whole.parquet"))
    with pytest.raises(pc.DataError, match=name):
        READERS[reader](name)
    Path("q.json").write_text('{"q1": {"a": 1}}', encoding="utf-8")
    Path("r.json").write_text('{"q1": {"a": 1.0}}', encoding="utf-8")
    assert run([*COMMANDS[reader], name]) == 2
    assert name in capsys.readouterr().err
