"""Tables in one JSON document: a list of rows, columns by name, and what pandas' `to_json`, MLflow
and Weights & Biases write.

A document has rows, no lines, so problems give the number of the row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import repeat
from typing import Any, NamedTuple

from precall.core.errors import Among, DataError, Kind, Many, Mistake, Several
from precall.core.text import is_encodable
from precall.read.columns import Choice, Request
from precall.read.documents import parse_document
from precall.read.problems import Findings, data_error, no_key

#: What a document holds instead of a table.
REMEDY = 'write a list of rows such as [{"column": 1}, {"column": 0}]'
_SAME_NAMES = "give every row the same names, or null"
_ABSENT: Any = object()


class _TableOfJSON(NamedTuple):
    """One way to take a document."""

    names: list[str]
    column: Callable[[str], list[Any]]
    """The cells of a column; those that are not there are `_ABSENT`."""
    size: int


class JSONTable:
    """The table in a document, which is parsed when it is first asked for.

    Parameters
    ----------
    data : all bytes of the document.
    label : what messages call it.
    """

    def __init__(self, data: bytes, label: str) -> None:
        self._data: bytes = data
        self.label: str = label

    @cached_property
    def _ways(self) -> list[_TableOfJSON]:
        document = parse_document(self._data, self.label, REMEDY)
        del self._data
        return _ways(document, self.label)

    def read(self, choose: Choice, asked: Request) -> tuple[dict[str, list[Any]], int]:
        """The cells of the chosen columns by name, and the number of rows; problems are of the
        subject that is asked for.
        """
        table, names = self._table(choose)
        findings, cells = Findings(), {name: table.column(name) for name in names}
        for name, column in cells.items():
            for row, cell in enumerate(column, 1):
                if cell is _ABSENT:
                    others = [other for other in table.names if other != name]
                    findings.add(row, "said", no_key(name, others, _SAME_NAMES), "absent", name)
        if findings.total:
            raise data_error(findings.merge(), asked, "row")
        return cells, table.size

    def _table(self, choose: Choice) -> tuple[_TableOfJSON, list[str]]:
        """The first way to take the document that has the columns."""
        first: DataError | None = None
        for table in self._ways:
            if not table.size:
                return table, []
            try:
                return table, choose([name for name in table.names if is_encodable(name)])
            except DataError as error:
                first = first or error
        assert first is not None
        raise first


def _ways(document: Any, label: str) -> list[_TableOfJSON]:
    """How a document can be taken as a table, the likeliest way first."""
    if isinstance(document, list):
        return [_of_rows(document, label)]
    if not isinstance(document, dict):
        raise _no_table(document, label)
    if str(document.get("format", "")).startswith("precall."):
        raise Mistake(
            "{got}, a result of precall, which holds no table of cases",
            "name the table that it was made from",
            got=document["format"],
        ).error(label)
    rows = document.get("data")
    if isinstance(rows, list):
        if isinstance(columns := document.get("columns"), list):
            return [_of_cells(columns, rows, label)]
        if "schema" in document:
            return [_of_rows(rows, label)]
    columns = list(document.values())
    if all(isinstance(column, list) for column in columns):
        return [_of_lists(document, label)]
    if all(isinstance(column, dict) for column in columns):
        of_columns, of_index = _of_columns(document), _of_rows(columns, label)
        # pandas numbers rows, unless they have names.
        by_index = all(map(str.isdecimal, document)) and not any(map(str.isdecimal, columns[0]))
        return [of_index, of_columns] if by_index else [of_columns, of_index]
    raise _no_table(next(c for c in columns if not isinstance(c, list | dict)), label)


def _no_table(value: Any, label: str) -> DataError:
    allowed = Among("a table is", ["a list of rows", "lists by name", "what to_json writes"])
    what = "{got} instead of rows or columns"
    return Mistake(what, REMEDY, got=Kind(value), allowed=allowed).error(label)


def _of_rows(rows: list[Any], label: str) -> _TableOfJSON:
    """Of objects, one for each row."""
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            named = " with names" * isinstance(row, list)
            mistake = Mistake(
                "not a JSON object{named:s} ({got})", REMEDY, got=Kind(row), named=named
            )
            raise DataError([mistake.of(label, row=number)])
    names = list(dict.fromkeys(name for row in rows for name in row))
    return _TableOfJSON(names, lambda name: [row.get(name, _ABSENT) for row in rows], len(rows))


def _of_cells(columns: list[Any], rows: list[Any], label: str) -> _TableOfJSON:
    """Of names, and lists of cells in the same order."""
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or len(row) != len(columns):
            got = Many(len(row), "cell") if isinstance(row, list) else Kind(row)
            allowed = Among('"columns" has', [len(columns)])
            remedy = "give every row as many cells as there are columns"
            raise DataError(
                [Mistake("{got}", remedy, got=got, allowed=allowed).of(label, row=number)]
            )
    names = [str(name) for name in columns]
    return _TableOfJSON(names, lambda name: [row[names.index(name)] for row in rows], len(rows))


def _of_lists(columns: dict[str, list[Any]], label: str) -> _TableOfJSON:
    """Of lists by the names of the columns."""
    sizes = {name: len(column) for name, column in columns.items()}
    if len(set(sizes.values())) > 1:
        raise Mistake(
            "columns of unequal length: {got}",
            "give every column a cell for each row",
            got=Several([f"{name}: {size}" for name, size in sizes.items()]),
        ).error(label)
    return _TableOfJSON(list(columns), columns.__getitem__, next(iter(sizes.values()), 0))


def _of_columns(columns: dict[str, dict[str, Any]]) -> _TableOfJSON:
    """Of objects by the names of the columns, with cells by the names of the rows."""
    rows = list(dict.fromkeys(row for column in columns.values() for row in column))
    return _TableOfJSON(
        list(columns),
        lambda name: list(map(columns[name].get, rows, repeat(_ABSENT))),
        len(rows),
    )
