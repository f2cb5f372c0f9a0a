"""The same rows at every door, and what becomes of faults in them: a table for the documentation, and its test."""

from __future__ import annotations

import gzip
import io
import json
import math
import sys
import tempfile
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import precall as pc

Rows = list[dict[str, Any]]
#: What cannot stand at a door at all, such as a pair twice in a dict.
NONE = "-"


class Stream:
    """What speaks nothing but Arrow."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def lines(rows: Rows, separator: str) -> str:
    """A table as text, with its heading."""
    return "".join(
        separator.join(cells) + "\n" for cells in [list(rows[0]), *(map(_cell, row.values()) for row in rows)]
    )


def _trec(rows: Rows) -> str | None:
    if any(_cell(row[name]) == "" for row in rows for name in ("topic", "item")):
        return None
    if "grade" in rows[0]:
        return "".join(f"{row['topic']} 0 {row['item']} {_cell(row['grade'])}\n" for row in rows)
    return "".join(
        f"{row['topic']} Q0 {row['item']} {row.get('rank', 0)} {_cell(row['score'])} {row.get('system', 'x')}\n"
        for row in rows
    )


def _object(rows: Rows) -> dict[str, dict[str, Any]] | None:
    if any(key not in ("topic", "item", "score", "grade") for row in rows for key in row):
        return None
    made: dict[str, dict[str, Any]] = {}
    for row in rows:
        of_topic = made.setdefault(row["topic"], {})
        if row["item"] in of_topic:
            return None
        of_topic[row["item"]] = list(row.values())[-1]
    return made


def _json_object(rows: Rows) -> str | None:
    """Names of JSON are texts."""
    made = None if any(row[name] is None for row in rows for name in ("topic", "item")) else _object(rows)
    return json.dumps(made) if made else None


def _tuples(rows: Rows) -> list[tuple[Any, ...]] | None:
    return [tuple(row.values()) for row in rows] if len(rows[0]) == 3 else None


def _mixed(rows: Rows, name: str) -> bool:
    return len({type(row[name]) for row in rows if row[name] is not None}) > 1


def _columns(rows: Rows) -> dict[str, list[Any]] | None:
    """Columns of one type each: those of Arrow and Polars have no cells of several."""
    if any(
        _mixed(rows, name) or any(isinstance(row[name], int) and abs(row[name]) > 2**63 for row in rows)
        for name in rows[0]
    ):
        return None
    return {name: [row[name] for row in rows] for name in rows[0]}


def _fields(rows: Rows) -> Any:
    return np.array([tuple(row.values()) for row in rows], [(name, "O") for name in rows[0]])


def _file(folder: Path, name: str, data: str | bytes | None) -> str | None:
    if data is None:
        return None
    (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
    return str(folder / name)


def _of_columns(write: Callable[[dict[str, list[Any]]], Any]) -> Callable[[Rows, Path], Any]:
    return lambda rows, folder: None if (columns := _columns(rows)) is None else write(columns)


def _frame_file(folder: Path, name: str, rows: Rows, write: str) -> str | None:
    columns = _columns(rows)
    if columns is None:
        return None
    getattr(pl.DataFrame(columns), write)(folder / name)
    return str(folder / name)


#: What holds the rows → how they are given; None where a door cannot hold them.
DOORS: dict[str, Callable[[Rows, Path], Any]] = {
    "dict": lambda rows, folder: _object(rows),
    "rows": lambda rows, folder: _tuples(rows),
    "dicts": lambda rows, folder: rows,
    "NumPy fields": lambda rows, folder: _fields(rows),
    "pandas": lambda rows, folder: pd.DataFrame(rows),
    "Polars": _of_columns(pl.DataFrame),
    "lazy Polars": _of_columns(lambda columns: pl.DataFrame(columns).lazy()),
    "PyArrow": _of_columns(lambda columns: pa.table(columns)),
    "Arrow stream": _of_columns(lambda columns: Stream(pa.table(columns))),
    "CSV": lambda rows, folder: _file(folder, "t.csv", lines(rows, ",")),
    "TSV": lambda rows, folder: _file(folder, "t.tsv", lines(rows, "\t")),
    "CSV, gzip": lambda rows, folder: _file(folder, "t.csv.gz", gzip.compress(lines(rows, ",").encode())),
    "JSON lines": lambda rows, folder: _file(folder, "t.jsonl", "\n".join(map(json.dumps, rows))),
    "JSON rows": lambda rows, folder: _file(folder, "t.json", json.dumps(rows)),
    "JSON object": lambda rows, folder: _file(folder, "o.json", _json_object(rows)),
    "Parquet": lambda rows, folder: _frame_file(folder, "t.parquet", rows, "write_parquet"),
    "Arrow file": lambda rows, folder: _frame_file(folder, "t.arrow", rows, "write_ipc"),
    "TREC text": lambda rows, folder: _file(
        folder, "t.run" if "score" in rows[0] else "t.qrels", _trec(rows)
    ),
    "standard input": lambda rows, folder: lines(rows, ",").encode(),
}

RUN: Rows = [
    {"topic": topic, "item": item, "score": score}
    for topic, items in {"q1": {"a": 4.0, "b": 3.0, "x": 2.0}, "q2": {"a": 4.0, "d": 1.5, "x": 1.0}}.items()
    for item, score in items.items()
]
QRELS: Rows = [
    {"topic": topic, "item": item, "grade": grade}
    for topic, item, grade in [("q1", "a", 1), ("q1", "b", 0), ("q2", "d", 2), ("q2", "a", 0)]
]


def _with(rows: Rows, place: int, **cells: Any) -> Rows:
    return [row | cells if at == place else row for at, row in enumerate(rows)]


class Fault(NamedTuple):
    """Rows with something wrong, of a run or of qrels, and what is to become of them at every door."""

    rows: Rows
    outcome: str


REFUSED = "refused"
FAULTS: dict[str, Fault] = {
    "nothing wrong (a run)": Fault(RUN, "taken"),
    "nothing wrong (qrels)": Fault(QRELS, "taken"),
    "an infinite score": Fault(_with(RUN, 0, score=math.inf), "taken"),
    "an item twice in a topic": Fault([*RUN, RUN[0] | {"score": 0.5}], REFUSED),
    "a score that is NaN": Fault(_with(RUN, 1, score=math.nan), REFUSED),
    "no score": Fault(_with(RUN, 1, score=None), REFUSED),
    "a score that is a word": Fault(_with(RUN, 1, score="high"), REFUSED),
    "an integer score that float64 does not hold": Fault([row | {"score": 2**53 + 1} for row in RUN], REFUSED),
    "no item": Fault(_with(RUN, 1, item=None), REFUSED),
    "no topic": Fault(_with(RUN, 1, topic=None), REFUSED),
    "two runs in one table": Fault(
        [{"system": name, **row} for name in ("a", "b") for row in RUN], REFUSED
    ),
    "a name that follows from the item": Fault([{"name": f"the {row['item']}", **row} for row in RUN], "taken"),
    "ranks that contradict the scores": Fault(
        [row | {"score": 9 - row["score"], "rank": 1 + place % 3} for place, row in enumerate(RUN)], "ranks-disagree"
    ),
    "the lowest scores first, in many rows": Fault(
        [{"topic": "q1", "item": item, "score": float(place)} for place, item in enumerate("abcdefghij")], "lowest-first"
    ),
    "a run of other items": Fault([row | {"item": f"{row['item']} "[:1] + "0"} for row in RUN], "nothing-judged"),
    "a run of other topics": Fault([row | {"topic": row["topic"] + "0"} for row in RUN], REFUSED),
    "a grade of one half": Fault([row | {"grade": row["grade"] / 2} for row in QRELS], REFUSED),
    "a grade that is a word": Fault([row | {"grade": "good"} for row in QRELS], REFUSED),
    "a grade beyond 32 bits": Fault(_with(QRELS, 0, grade=2**40), REFUSED),
    "no grade": Fault(_with(QRELS, 0, grade=None), REFUSED),
    "an item judged twice, otherwise": Fault([*QRELS, QRELS[0] | {"grade": 3}], REFUSED),
    "an item judged twice, alike": Fault([*QRELS, QRELS[0]], "judgements-dropped"),
}  # fmt: skip
#: Kinds of notes that are looked for.
NOTED = ("ranks-disagree", "lowest-first", "nothing-judged", "judgements-dropped")


def outcome(fault: str, door: str) -> str:
    """What becomes of a fault at a door: refused, taken, the kind of a note, or that it cannot stand there."""
    rows = FAULTS[fault].rows
    if door == "TREC text" and any("name" in row for row in rows):
        return NONE
    of_qrels = "grade" in rows[0]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            given = DOORS[door](rows, Path(folder))
        except (OverflowError, pa.ArrowInvalid, TypeError):
            return NONE
        if given is None:
            return NONE
        options: dict[str, Any] = {}
        if isinstance(given, bytes):
            typed = type("Typed", (), {"buffer": io.BytesIO(given)})()
            stack.enter_context(mock.patch.object(sys, "stdin", typed))
            given, options = "-", {"format": "csv"}
        try:
            qrels = pc.read_qrels(given, **options) if of_qrels else pc.read_qrels(QRELS)
            run = pc.read_run(RUN) if of_qrels else pc.read_run(given, **options)
            report = pc.evaluate(qrels, run, ["AP"])
        except (pc.DataError, pc.UsageError):
            return REFUSED
        found = [note.kind for note in report.notes() if note.kind in NOTED]
        return found[0] if found else "taken"
