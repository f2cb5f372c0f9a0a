"""Spans of files: text with blank lines, tables, and `precall decisions --spans`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.core.errors import DataError, UsageError
from precall.core.notes.of_spans import IllegalTags, TypesOnlyPredicted
from precall.spans.files import read_spans
from tests.cli.scored import refused, told
from tests.noticed import noticed, warned
from tests.peers import peer

TEXT = """# id = 1
John NNP B-PER B-PER
Smith NNP I-PER I-PER
runs VBZ O O

Paris NNP B-LOC O
# NN O O

Acme X B-ORG B-LOC
"""
TABLE = "sentence,token,gold,guess\na,John,B-PER,B-PER\na,Smith,I-PER,O\nb,Paris,O,I-LOC\n"
BASE = ("decisions", "tagged.conll", "--spans", "--truth", "-2", "--decision", "-1")
PLAIN = ("decisions", "t.csv", "--truth", "gold", "--decision", "guess")
OF_TABLE = (*PLAIN, "--spans")


@pytest.fixture(autouse=True)
def files(folder):
    Path("tagged.conll").write_text(TEXT, encoding="utf-8")
    Path("t.csv").write_text(TABLE, encoding="utf-8")


def test_text_with_blank_lines():
    found = read_spans("tagged.conll", "-2", "-1")
    assert found.units == ("1", "2", "3")
    assert found.table.to_dict()["tp"] == [0, 0, 1]
    # By place from the front, of tabs, with line ends of Windows, and compressed.
    text = TEXT.replace(" ", "\t").replace("\n", "\r\n").replace("#\tid\t=\t1", "# id")
    Path("tagged.conll.gz").write_bytes(gzip.compress(text.encode()))
    assert read_spans("tagged.conll.gz", "3", "4") == found
    # All was one line, and no span was found in silence.
    Path("mac.conll").write_bytes(TEXT.replace("\n", "\r").encode())
    assert read_spans("mac.conll", "-2", "-1") == found


def test_a_table_with_a_column_of_units():
    with warned(IllegalTags, TypesOnlyPredicted):
        found = read_spans("t.csv", "gold", "guess", unit="sentence")
    assert found.units == ("a", "b")
    assert found.table.to_dict()["fp"] == [1, 1]


#: Rows of lists of the same tags as `TEXT`.
ROWS = [
    {"id": "a", "gold": ["B-PER", "I-PER", "O"], "guess": ["B-PER", "I-PER", "O"]},
    {"id": "b", "gold": ["B-LOC", "O"], "guess": ["O", "O"]},
    {"id": "c", "gold": ["B-ORG"], "guess": ["B-LOC"]},
]


def _write_lists(name: str, rows: list[dict[str, Any]]) -> str:
    ending = name.rpartition(".")[2]
    if ending == "jsonl":
        Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif ending == "json":
        Path(name).write_text(json.dumps(rows), encoding="utf-8")
    else:
        write = {"parquet": "write_parquet", "arrow": "write_ipc"}[ending]
        getattr(peer("polars").DataFrame(rows), write)(name)
    return name


@pytest.mark.parametrize("ending", ["jsonl", "json", "parquet", "arrow"])
def test_a_table_with_lists_of_tags(ending, precall):
    """Of such tables only the column of units was asked for, which they do not need."""
    name = _write_lists(f"t.{ending}", ROWS)
    found = read_spans(name, "gold", "guess")
    assert found == read_spans("tagged.conll", "-2", "-1")
    assert read_spans(name, "gold", "guess", unit="id").units == ("a", "b", "c")
    by_command = told(
        precall("decisions", name, *OF_TABLE[2:], "--categories", "PER,LOC", "--format", "json")
    )
    assert list(by_command["types"]) == ["PER", "LOC"]


def test_lists_of_spans():
    triples = [
        {"gold": [["PER", 0, 2]], "guess": []},
        {"gold": [["LOC", 0, 1]], "guess": [["LOC", 1, 3]]},
    ]
    found = read_spans(_write_lists("t.jsonl", triples), "gold", "guess")
    assert found.table.to_dict()["fn"] == [1, 1]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            [ROWS[0], {"id": "b", "gold": ["O"], "guess": "O"}],
            ":2: column 'guess': str is no list",
        ),
        ([ROWS[0], {"id": "b", "gold": None, "guess": ["O"]}], ":2: column 'gold'"),
        ([ROWS[0], {"id": "a", "gold": ["O"], "guess": ["O"]}], "unit 'a' has two rows"),
        ([{"id": "a", "gold": ["O"], "guess": ["O", "O"]}], "1 true tag and 2 predicted tags"),
        ([{"id": "a", "gold": [1, 0], "guess": [0, 0]}], "names of the model's labels"),
    ],
)
def test_lists_that_are_refused(rows, words):
    with pytest.raises(DataError, match=words):
        read_spans(_write_lists("t.jsonl", rows), "gold", "guess", unit="id")


def test_lines_without_lists_need_the_column_of_units():
    rows = [{"id": "a", "gold": "B-PER", "guess": "O"}, {"id": "a", "gold": "O", "guess": "O"}]
    name = _write_lists("t.jsonl", rows)
    with pytest.raises(UsageError, match="unit"):
        read_spans(name, "gold", "guess")
    assert read_spans(name, "gold", "guess", unit="id").units == ("a",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x B-X\n\ny\n", ":3: has 1 column"),
        ("\n\n", "token"),
        ("x PER O\n", "no prefix"),
    ],
)
def test_text_that_is_refused(text, words):
    Path("bad.conll").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=words):
        read_spans("bad.conll", "-2", "-1")


def test_text_that_is_not_utf8():
    Path("bad.conll").write_bytes(b"x O O\n\xff O O\n")
    with pytest.raises(DataError, match=":2: bytes"):
        read_spans("bad.conll", "-2", "-1")


def test_tables_that_are_refused():
    with pytest.raises(UsageError, match="unit"):
        read_spans("t.csv", "gold", "guess")
    with pytest.raises(UsageError, match="place"):
        read_spans("t.csv", "gold", "-1", unit="sentence")
    with pytest.raises(DataError, match="'nobody'"):
        read_spans("t.csv", "gold", "nobody", unit="sentence")
    Path("again.csv").write_text(TABLE + "a,x,O,O\n", encoding="utf-8")
    with pytest.raises(DataError, match="second time"):
        read_spans("again.csv", "gold", "guess", unit="sentence")


def test_the_command(precall):
    found = told(precall(*BASE, "--format", "json", "-m", "Jaccard"))
    of_python = pc.decisions.spans(
        [["B-PER", "I-PER", "O"], ["B-LOC", "O"], ["B-ORG"]],
        [["B-PER", "I-PER", "O"], ["O", "O"], ["B-LOC"]],
    )
    assert found["format"] == "precall.spans/2"
    assert found["averages"]["micro"]["F1"] == of_python.f(average="micro")
    assert found["averages"]["micro"]["Jaccard"] == of_python.value("Jaccard", "micro")
    assert found["outcomes"]["cor"][0] == 1
    by = told(precall(*BASE, "--match", "boundary", "--format", "json"))
    assert by["averages"]["micro"]["F1"] == of_python.by("boundary").f(average="micro")
    some = told(precall(*BASE, "--categories", "PER", "--format", "json"))
    assert list(some["types"]) == ["PER"]


def test_the_command_of_a_table_with_intervals(precall):
    found = told(precall(*OF_TABLE, "--unit", "sentence", "--interval", "--format", "json"))
    assert found["intervals"]["averages"]["micro"]["recall low"] == 0
    assert noticed(found, IllegalTags)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ((*OF_TABLE,), "--unit: a table needs .*"),
        ((*OF_TABLE, "--unit", "sentence", "--illegal", "error"), ".*--illegal keep"),
        ((*BASE, "--suffix"), ".*leave --suffix out"),
        ((*BASE, "--scheme", "BIOES2"), "--scheme: .*"),
        ((*BASE, "--input-format", "csv"), "--input-format: .*leave it out.*"),
        ((*BASE, "--labels", "PER"), "--labels: .*--categories"),
        ((*BASE, "--confusion"), "--spans: .*--confusion out"),
        ((*BASE, "--positive", "PER"), "--spans: .*--positive out"),
        ((*BASE, "--baselines"), "--spans: .*--baselines out"),
        ((*PLAIN, "--unit", "s"), "--unit: applies to spans.*"),
        ((*PLAIN, "--suffix"), "--suffix: applies to spans.*"),
    ],
)
def test_the_command_refuses(precall, asked, message):
    refused(precall(*asked), message)


def test_a_type_called_all_is_not_all_types(precall):
    """What SemEval counts was printed of that type alone; no test had a type of this name."""
    Path("tagged.conll").write_text("a B-all B-all\nb I-all O\nc B-b B-b\n", encoding="utf-8")
    plain, named = (
        told(precall(*BASE, "--format", "json")),
        precall(*BASE, "--all").out.splitlines(),
    )
    assert plain["outcomes"]["cor"][:2] == [1, 0]
    assert next(row for row in named if row.startswith("strict")).split()[1] == "1"
    rows = [row.split(",")[1:5] for row in precall(*BASE, "--format", "csv").out.splitlines()]
    assert ["all", "strict cor", "micro", "1"] in rows
    assert ["all", "strict cor", "", "0"] in rows
