"""Rows in every form that a table comes in: in memory, in files, and on standard input."""

from __future__ import annotations

import gzip
import io
import json
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from tests.peers import peer

pd = peer("pandas")
pl = peer("polars")
pa = peer("pyarrow")

Rows = list[dict[str, Any]]
Columns = Mapping[str, list[Any]]
Names = Sequence[str]
#: Rows and the names of their columns → what holds them, perhaps a file in the folder; None if it
#: cannot.
Form = Callable[[Rows, Names, Path], Any]


class Stream:
    """What speaks nothing but Arrow."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def cell(value: Any) -> str:
    """A value in a table of text."""
    if isinstance(value, list):
        raise TypeError("a cell of text is one value")
    return "" if value is None else str(value)


def lines(rows: Rows, separator: str, names: Names = ()) -> str:
    """A table as text, with its heading."""
    names = names or list(rows[0])
    cells = [list(names), *([cell(row[name]) for name in names if name in row] for row in rows)]
    return "".join(separator.join(row) + "\n" for row in cells)


def are_alike(values: list[Any]) -> bool:
    """Whether values are of one type, so that Arrow and Polars have a column of them."""
    there = [value for value in values if value is not None]
    inner = [part for value in there if isinstance(value, list) for part in value]
    too_large = any(type(value) is int and abs(value) > 2**63 for value in (*there, *inner))
    return len(set(map(type, there))) < 2 and len(set(map(type, inner))) < 2 and not too_large


def whole_columns(rows: Rows, names: Names) -> dict[str, list[Any]] | None:
    """Columns of equal length and of one type each; None if these are none."""
    if any(name not in row for row in rows for name in names):
        return None
    made = {name: [row[name] for row in rows] for name in names}
    return made if all(map(are_alike, made.values())) else None


def of_columns(make: Callable[[dict[str, list[Any]]], Any]) -> Form:
    """A form that is made of columns of one type each."""
    return lambda rows, names, folder: (
        None if (made := whole_columns(rows, names)) is None else make(made)
    )


def file(folder: Path, name: str, data: str | bytes | None) -> str | None:
    """The path of a new file."""
    if data is None:
        return None
    (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
    return str(folder / name)


def _frame_file(name: str, write: str) -> Form:
    def made(rows: Rows, names: Names, folder: Path) -> str | None:
        if (known := whole_columns(rows, names)) is None:
            return None
        getattr(pl.DataFrame(known), write)(folder / name)
        return str(folder / name)

    return made


def _fields(rows: Rows, names: Names, folder: Path) -> Any:
    if any(name not in row for row in rows for name in names):
        return None
    return np.array(
        [tuple(row[name] for name in names) for row in rows], [(name, "O") for name in names]
    )


def _text(name: str, separator: str) -> Form:
    return lambda rows, names, folder: file(folder, name, lines(rows, separator, names))


#: What a library of tables holds.
FRAMES: dict[str, Form] = {
    "NumPy fields": _fields,
    "pandas": lambda rows, names, folder: pd.DataFrame(rows, columns=list(names)),
    "Polars": of_columns(pl.DataFrame),
    "lazy Polars": of_columns(lambda made: pl.DataFrame(made).lazy()),
    "PyArrow": of_columns(lambda made: pa.table(made)),
    "Arrow stream": of_columns(lambda made: Stream(pa.table(made))),
}
#: Files with a row per line, or of columns.
FILES: dict[str, Form] = {
    "CSV": _text("t.csv", ","),
    "TSV": _text("t.tsv", "\t"),
    "CSV, gzip": lambda rows, names, folder: file(
        folder, "t.csv.gz", gzip.compress(lines(rows, ",", names).encode())
    ),
    "JSON lines": lambda rows, names, folder: file(
        folder, "t.jsonl", "\n".join(map(json.dumps, rows))
    ),
    "Parquet": _frame_file("t.parquet", "write_parquet"),
    "Arrow file": _frame_file("t.arrow", "write_ipc"),
}


def _with_decimal_commas(rows: Rows, names: Names, folder: Path) -> str | None:
    """CSV as programs write it where numbers have decimal commas."""
    written = [
        {
            name: str(value).replace(".", ",") if isinstance(value, float | Decimal) else value
            for name, value in row.items()
        }
        for row in rows
    ]
    return _text("semicolons.csv", ";")(written, names, folder)


def _as_pandas(orient: str) -> Form:
    def made(rows: Rows, names: Names, folder: Path) -> str | None:
        if orient == "records":
            return file(folder, "t.json", json.dumps(rows))
        if any(name not in row for row in rows for name in names):
            return None
        if orient == "split":
            cells = [[row[name] for name in names] for row in rows]
            document: Any = {"columns": list(names), "data": cells}
        else:
            document = {name: {str(at): row[name] for at, row in enumerate(rows)} for name in names}
        return file(folder, f"{orient}.json", json.dumps(document))

    return made


#: Forms of tables of cases and of decisions only.
MORE_FILES: dict[str, Form] = {
    "CSV with semicolons": _with_decimal_commas,
    **{f"JSON {orient}": _as_pandas(orient) for orient in ("records", "columns", "split")},
}


def of_rows(form: Form) -> Callable[[Columns, Path], Any]:
    """A table of columns; the last rows lack the cells of a column that is shorter."""

    def held(columns: Columns, folder: Path) -> Any:
        size = max(map(len, columns.values()))
        rows = [
            {name: cells[at] for name, cells in columns.items() if at < len(cells)}
            for at in range(size)
        ]
        return form(rows, list(columns), folder)

    return held


def of_series(make: Callable[[list[Any]], Any]) -> Callable[[Columns, Path], Any]:
    """Columns that a library holds, by name."""

    def held(columns: Columns, folder: Path) -> Any:
        made = {name: make(cells) for name, cells in columns.items()}
        return None if any(column is None for column in made.values()) else made

    return held


def _nullable(cells: list[Any]) -> Any:
    """Of pandas' types with gaps; older versions cast all floats to integers to see whether they
    are some, which warns.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pd.Series(cells).convert_dtypes()


#: A column that a library holds; None if it cannot.
SERIES: dict[str, Callable[[list[Any]], Any]] = {
    "lists": list,
    # Of numbers beside texts NumPy would make texts.
    "NumPy": lambda cells: np.array(cells, None if are_alike(cells) else object),
    "pandas Series": pd.Series,
    "pandas Series, nullable": _nullable,
    "Polars Series": lambda cells: pl.Series(cells) if are_alike(cells) else None,
    "PyArrow arrays": lambda cells: pa.array(cells) if are_alike(cells) else None,
}


def typed_in(rows: Rows, names: Names, folder: Path) -> bytes:
    """CSV for standard input."""
    return lines(rows, ",", names).encode()


@contextmanager
def opened(given: Any) -> Iterator[tuple[Any, dict[str, str]]]:
    """What is read of a form, and how: bytes come from standard input."""
    if not isinstance(given, bytes):
        yield given, {}
        return
    typed = type("Typed", (), {"buffer": io.BytesIO(given)})()
    with mock.patch.object(sys, "stdin", typed):
        yield "-", {"format": "csv"}
