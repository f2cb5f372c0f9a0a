"""Standard input that does not fit into memory is scanned without being asked, and so is a large
file of columns; what is small and fits is read whole.
"""

from __future__ import annotations

import gzip
import io
import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from precall.cases import table
from precall.cli.main import run
from precall.core.notes.of_curves import ScoresNotCounted
from precall.read import sizes, sources
from tests.noticed import shown


def text(rows: int = 3000) -> str:
    rng = np.random.default_rng(4)
    truth = rng.random(rows) < 0.2
    score = np.round(rng.normal(size=rows) + truth, 3)
    return "y,s\n" + "".join(f"{int(y)},{s}\n" for y, s in zip(truth, score, strict=True))


class Typed:
    """Standard input of some bytes."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def printed(
    words: str, data: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[str]:
    monkeypatch.setattr(sys, "stdin", Typed(data))
    assert run(words.split()) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("form", ["csv", "gz", "parquet", "arrow"])
def test_what_does_not_fit_is_scanned_to_the_same_numbers(
    form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, kind = text().encode(), "csv" if form == "gz" else form
    if form == "gz":
        data = gzip.compress(data)
    elif form != "csv":
        polars = pytest.importorskip("polars")
        frame, out = polars.read_csv(data), io.BytesIO()
        (frame.write_parquet if form == "parquet" else frame.write_ipc)(out)
        data = out.getvalue()
    monkeypatch.setattr(sizes, "_PIECE", 1000)
    places = "--at accept=100 --at threshold=0.25"
    words = f"curve - --all --input-format {kind} --label y --score s {places}"
    whole = printed(words, data, monkeypatch, capsys)
    assert "in batches" not in "".join(whole)
    # A bound that is named holds for standard input as for a file: what fits is read whole.
    assert printed(words + " --memory 1G", data, monkeypatch, capsys) == whole
    monkeypatch.setattr(sizes, "free_memory", lambda: 60_000)
    scanned = printed(words, data, monkeypatch, capsys)
    assert shown("".join(scanned), ScoresNotCounted("", "in batches"))
    # How many distinct scores there are nobody counted; beside that, only how the file was read
    # differs.
    other = [line for line in whole if line not in scanned]
    assert [line.split()[0] for line in other] == ["thresholds", "|"]


def test_archives_become_larger(tmp_path: Path) -> None:
    path = tmp_path / "c.csv.gz"
    path.write_bytes(bytes(1000))
    for memory, large in ((1000 * 8 * 4, False), (1000 * 8 * 4 - 40, True)):
        with sizes.outgrows(str(path), memory) as told:
            assert told is large


def test_what_was_read_ahead_comes_again() -> None:
    data = bytes(range(256)) * 40
    for most in (0, 1, 255, 10_239, 10_240, 20_000):
        ahead = sizes._Ahead(
            io.BytesIO(data), most, partial(sources.beginning, label="pipe", look=len)
        )
        assert ahead.goes_on is (most < len(data))
        assert b"".join(iter(lambda: ahead.read(300), b"")) == data  # noqa: B023
    assert sources.read_ahead.get() is None


@pytest.mark.usefixtures("any_memory")
def test_what_is_wrong_is_said_alike(tmp_path: Path, precall) -> None:
    """Read whole or scanned: a label that never occurs, and weights that leave nothing."""
    path = tmp_path / "c.csv"
    path.write_text("y,s,k,zero,left\n1,2,yes,0,0\n0,1,no,0,1\n")
    for words, said in (
        (
            "--label k --positive maybe",
            "column 'k': no label is 'maybe', the labels are 'yes', 'no'; name one of them",
        ),
        (
            "--label k --positive yes --weight zero",
            "column 'zero': all weights are 0, so no case is left",
        ),
        (
            "--label k --positive yes --weight left",
            "column 'k': no case is relevant, a curve needs both",
        ),
    ):
        told = [
            precall("curve", str(path), *words.split(), "--score", "s", *more)
            for more in ((), ("--memory", "1"))
        ]
        assert told[0] == told[1] and told[0].code == 2
        assert f"{path}: {said}" in told[0].err


@pytest.mark.usefixtures("any_memory")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--interval --weight w", "--interval: of real weights it needs"),
        ("--null", "--null: needs"),
        ("--points", "--points: needs"),
        ("--compare s t", "--compare: needs"),
        ("--plot x.svg --plot-kind scores", "--plot-kind: needs"),
    ],
)
def test_what_needs_all_cases_says_how_they_are_read(
    words: str, said: str, tmp_path: Path, precall
) -> None:
    path = tmp_path / "c.csv"
    path.write_text(
        "y,s,t,w\n" + "".join(f"{row % 2},{row},{-row},{row + 0.5}\n" for row in range(40))
    )
    told = precall(
        "curve", str(path), "--label", "y", "--score", "s", *words.split(), "--memory", "1"
    )
    assert told.code == 2
    assert (
        f"{said} all cases in memory, and they were scanned; raise --memory, or leave it out"
        in told.err
    )


WHOLE = [
    "-m MCC",
    "--at max=MCC",
    "--group g",
    "--interval --groups g",
    "--weight w",
    "--null",
    "--points",
]


@pytest.fixture
def columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    polars = pytest.importorskip("polars")
    frame = polars.read_csv(text().encode()).with_columns(g=polars.lit("a"), w=polars.lit(0.5))
    frame.write_parquet(tmp_path / "cases.parquet", row_group_size=500)
    frame.write_ipc(tmp_path / "cases.arrow")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def body_of(words: str, capsys: pytest.CaptureFixture[str]) -> Any:
    assert run(["curve", *words.split(), "--label", "y", "--score", "s", "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def without_counts(body: Any) -> Any:
    """The numbers, but for how many distinct scores there are."""
    counts = body["scores"]["s"]["counts"]
    return body["scores"] | {"s": body["scores"]["s"] | {"counts": counts | {"thresholds": None}}}


@pytest.mark.parametrize("name", ["cases.parquet", "cases.arrow"])
@pytest.mark.parametrize(
    "asked", ["", "--interval", "--missed 3", "--lower-is-better", "--at recall=0.9 --at accept=7"]
)
def test_large_files_of_columns_are_read_in_batches(
    name: str,
    asked: str,
    columns: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole = body_of(f"{name} {asked}", capsys)
    assert "read" not in whole["conventions"]
    monkeypatch.setattr(sizes, "_LONG", 1000)
    scanned = body_of(f"{name} {asked}", capsys)
    assert scanned["conventions"]["read"].startswith("in batches")
    assert without_counts(scanned) == without_counts(whole)
    run(["curve", name, *asked.split(), "--label", "y", "--score", "s"])
    short = capsys.readouterr().out
    assert "undef" not in short and not shown(short, ScoresNotCounted("", "in batches"))


@pytest.mark.parametrize("asked", WHOLE)
def test_what_needs_the_cases_is_read_whole(
    asked: str, columns: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["curve", "cases.parquet", *asked.split(), "--label", "y", "--score", "s"]
    results = []
    for least in (1 << 24, 1000):
        monkeypatch.setattr(sizes, "_LONG", least)
        assert run(words) == 0
        results.append(capsys.readouterr().out)
    assert results[0] == results[1]


def test_a_file_that_begins_with_many_relevant_cases_is_read_whole(
    columns: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sizes, "_LONG", 1000)
    assert "read" in body_of("cases.parquet", capsys)["conventions"]
    monkeypatch.setattr(table, "_SPARSE", 30)
    assert "read" not in body_of("cases.parquet", capsys)["conventions"]


def test_what_is_wrong_in_a_large_file_is_said_as_of_a_small_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    polars = pytest.importorskip("polars")
    path = tmp_path / "bad.parquet"
    polars.DataFrame({"y": [1, 0] * 3000, "s": [1.0, None] * 3000}).write_parquet(path)
    said = []
    for least in (1 << 24, 1000):
        monkeypatch.setattr(sizes, "_LONG", least)
        assert run(["curve", str(path), "--label", "y", "--score", "s"]) == 2
        said.append(capsys.readouterr().err)
    assert said[0] == said[1] != ""


@pytest.mark.parametrize("size", ["1", "20K", "20M", "159M", "163839K"])
@pytest.mark.parametrize("command", ["curve c.csv --label y --score s", "eval q r", "report q r"])
def test_less_than_the_program_takes_is_refused(size: str, command: str, precall) -> None:
    """It was taken, and the program took 160 MB whatever was asked for."""
    told = precall(*command.split(), "--memory", size)
    assert told.code == 2 and "--memory: must be at least 160M" in told.err and size in told.err


def test_what_the_program_takes_is_allowed(tmp_path: Path, precall) -> None:
    path = tmp_path / "c.csv"
    path.write_text("y,s\n1,2\n0,1\n")
    for size in ("160M", "163840K", "167772160"):
        words = ("curve", str(path), "--label", "y", "--score", "s", "--memory", size)
        assert precall(*words).code == 0
