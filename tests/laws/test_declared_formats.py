"""Every declared format of files is read wherever files are, and everywhere to the same numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars
import pytest

import precall as pc
from precall.cli.completion import _heading
from precall.cli.main import run as precall
from precall.read.formats import (
    BEGINNINGS,
    BY_ENDING,
    BY_NAME,
    FORMATS,
    OF_COLUMNS,
    TABLES,
    WITH_LISTS,
)
from precall.read.frame_files import FRAMES
from precall.read.list_tables import read_lists
from precall.read.sources import stem

Rows = list[dict[str, Any]]


def _separated(path: Path, rows: Rows, separator: str) -> None:
    lines = [list(rows[0]), *(list(map(str, row.values())) for row in rows)]
    path.write_text("".join(separator.join(line) + "\n" for line in lines))


def _trec(path: Path, rows: Rows) -> None:
    form = "{topic} Q0 {item} 0 {score} r\n" if "score" in rows[0] else "{topic} 0 {item} {grade}\n"
    path.write_text("".join(form.format(**row) for row in rows))


#: How the tests write rows as each format; a format that is declared is to be one of them.
WRITERS: dict[str, Callable[[Path, Rows], Any]] = {
    "trec": _trec,
    "csv": lambda path, rows: _separated(path, rows, ","),
    "tsv": lambda path, rows: _separated(path, rows, "\t"),
    "jsonl": lambda path, rows: path.write_text("".join(json.dumps(row) + "\n" for row in rows)),
    "json": lambda path, rows: path.write_text(json.dumps(rows)),
    "parquet": lambda path, rows: polars.DataFrame(rows).write_parquet(path),
    "arrow": lambda path, rows: polars.DataFrame(rows).write_ipc(path),
}
#: Other writers of a format, whose files begin otherwise.
STREAMS: dict[str, Callable[[Path, Rows], Any]] = {
    "arrow": lambda path, rows: polars.DataFrame(rows).write_ipc_stream(path),
}
QRELS: Rows = [
    {"topic": "q1", "item": "a", "grade": 1},
    {"topic": "q1", "item": "b", "grade": 0},
    {"topic": "q2", "item": "c", "grade": 2},
]
RUN: Rows = [
    {"topic": "q1", "item": "b", "score": 2.5},
    {"topic": "q1", "item": "a", "score": 1.25},
    {"topic": "q2", "item": "c", "score": -1.5},
]
CASES: Rows = [
    {"y": truth, "score": score, "said": said}
    for truth, score, said in [(1, 0.9, 1), (0, 0.7, 1), (1, 0.5, 1), (0, 0.2, 0), (1, 0.1, 0)]
]
LISTS: Rows = [
    {"query": "q1", "retrieved": ["a", "b"], "gold": ["b"]},
    {"query": "q2", "retrieved": ["c"], "gold": ["c", "d"]},
]


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    def write(rows: Rows, form: str, ending: str, name: str = "x") -> str:
        path = tmp_path / (name + ending)
        WRITERS[form](path, rows)
        return str(path)

    return write


def test_every_format_is_written_by_these_tests_and_read_by_one_means() -> None:
    assert set(WRITERS) == set(FORMATS), "write rows of it in WRITERS, above"
    assert set(FRAMES) == set(OF_COLUMNS), "read it by a function in FRAMES of frame_files.py"
    assert not any(BY_NAME[name].separator for name in OF_COLUMNS)
    assert set(OF_COLUMNS) <= set(TABLES)
    # Cells of text are one value; cells of all other formats may be lists.
    of_text = {"trec", *(name for name in FORMATS if BY_NAME[name].separator)}
    assert set(WITH_LISTS) == set(FORMATS) - of_text


@pytest.mark.parametrize("name", FORMATS)
def test_a_declaration_is_whole(name: str, tmp_path: Path) -> None:
    declared = BY_NAME[name]
    assert declared.endings, "say how the names of such files end"
    assert re.match("an? ", declared.noun), "say what a sentence calls such a file"
    starts = set()
    for write in (WRITERS[name], *([STREAMS[name]] if name in STREAMS else [])):
        write(tmp_path / "x", QRELS)
        content = (tmp_path / "x").read_bytes()
        assert not declared.begins or content.startswith(declared.begins)
        starts |= {start for start in BEGINNINGS if content.startswith(start)}
    assert starts == {*declared.begins}, "say how such files begin, and write one of each kind"


def test_no_ending_is_of_two_formats_and_none_is_part_of_a_name() -> None:
    assert len(BY_ENDING) == sum(len(declared.endings) for declared in BY_NAME.values())
    for ending in BY_ENDING:
        assert ending == ending.lower()
        assert stem(f"runs/bm25{ending}") == stem(f"runs/bm25{ending.upper()}.gz") == "bm25"


@pytest.mark.parametrize(("ending", "form"), BY_ENDING.items())
def test_runs_and_qrels_of_every_ending(write: Callable[..., str], ending: str, form: str) -> None:
    report = pc.evaluate(
        write(QRELS, form, ending, "q"), write(RUN, form, ending, "r"), ["AP", "nDCG"]
    )
    wanted = pc.evaluate(
        {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}},
        {"q1": {"b": 2.5, "a": 1.25}, "q2": {"c": -1.5}},
        ["AP", "nDCG"],
    )
    assert (report["AP"], report["nDCG"]) == (wanted["AP"], wanted["nDCG"])


@pytest.mark.parametrize("form", FORMATS)
def test_a_format_that_is_asked_for_needs_no_ending(write: Callable[..., str], form: str) -> None:
    run = pc.read_run(write(RUN, form, ".of_no_format"), format=form)
    qrels = pc.read_qrels(write(QRELS, form, ".of_no_format"), format=form)
    assert pc.evaluate(qrels, run, "RR")["RR"] == 0.75


@pytest.mark.parametrize(
    ("ending", "form"), [(e, form) for e, form in BY_ENDING.items() if form in TABLES]
)
def test_cases_and_decisions_of_every_table(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str], ending: str, form: str
) -> None:
    path = write(CASES, form, ending)
    wanted = pc.curve([1, 0, 1, 0, 1], [0.9, 0.7, 0.5, 0.2, 0.1])
    for more in ([], ["--memory", "160M"]):
        command = ["curve", path, "--label", "y", "--score", "score", "--format", "json", *more]
        assert precall(command) == 0
        assert (
            json.loads(capsys.readouterr().out)["scores"]["score"]["measures"]["AP"]
            == wanted.average_precision()
        )
    scanned = pc.ScoredCases.scan(path, label="y", score="score")
    assert scanned.average_precision() == wanted.average_precision()
    assert (
        precall(["decisions", path, "--truth", "y", "--predicted", "said", "--format", "json"]) == 0
    )
    assert json.loads(capsys.readouterr().out)["categories"]["relevant"]["TP"] == 2


@pytest.mark.parametrize(
    ("ending", "form"), [(e, form) for e, form in BY_ENDING.items() if form in WITH_LISTS]
)
def test_lists_of_every_format_that_has_them(
    write: Callable[..., str], ending: str, form: str
) -> None:
    qrels, run = read_lists(write(LISTS, form, ending))
    assert pc.evaluate(qrels, run, "AP")["AP"] == pc.evaluate(*read_lists(LISTS), "AP")["AP"]


@pytest.mark.parametrize("form", sorted(set(FORMATS) - set(TABLES)))
def test_what_is_no_table_is_refused_where_one_is_asked_for(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str], form: str
) -> None:
    path = write([{**RUN[0], **QRELS[0]}], form, BY_NAME[form].endings[0])
    assert precall(["curve", path, "--label", "y", "--score", "score"]) == 2
    remedy = f"--input-format {'|'.join(TABLES)}"
    assert remedy in capsys.readouterr().err


@pytest.mark.parametrize(
    ("ending", "form"),
    [(e, form) for e, form in BY_ENDING.items() if BY_NAME[form].separator or form == "jsonl"],
)
def test_the_columns_of_text_tables_complete_words(
    write: Callable[..., str], ending: str, form: str
) -> None:
    assert _heading(Path(write(CASES, form, ending))) == list(CASES[0])


@pytest.mark.parametrize(
    ("function", "names"),
    [(pc.read_run, FORMATS), (read_lists, WITH_LISTS), (pc.ScoredCases.scan, TABLES)],
)
def test_the_reference_names_every_format(function: Any, names: tuple[str, ...]) -> None:
    # Python 3.13 and later take the indentation off.
    _, said = re.split(r"^ *format : ", function.__doc__, flags=re.MULTILINE)
    assert [name for name in names if f'"{name}"' not in said[:200]] == []
