"""Rows of Python: (topic, item, value), tuples with named fields, and dicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import chain, islice
from operator import itemgetter
from typing import Any

from precall.read import values
from precall.read.column_names import recognise_columns
from precall.read.columns import Parsed, Request, fields_of, refuse_columns
from precall.read.gathering import BATCH, Gathering
from precall.read.tables import column_indexes


def read_rows(source: Iterable[Any], request: Request) -> Parsed:
    """A run or qrels in rows (topic, item, value), in a list or any iterable; rows with names are
    read by these.
    """
    if fields := fields_of(source):
        request, source = _fields(source, list(fields), request)
        rows = iter(source)
    else:
        request, rows = _by_their_names(source, request)
    gathering, number, width = Gathering(request, "row"), 1, len(request.read)
    while batch := list(islice(rows, BATCH)):
        lines: Sequence[int] = range(number, number + len(batch))
        number += len(batch)
        if not (set(map(type, batch)) <= {tuple, list} and set(map(len, batch)) == {width}):
            lines, batch = _whole_rows(batch, lines, width, gathering)
        topics, items, *numbers = ([row[index] for row in batch] for index in range(width))
        gathering.take(topics, items, numbers, lines)
    return gathering.finish()


def _by_their_names(source: Iterable[object], request: Request) -> tuple[Request, Iterator[Any]]:
    """How to read rows, and the rows; of those whose parts have names, the parts wanted."""
    rows = iter(source)
    first = list(islice(rows, 1))
    rows = chain(first, rows)
    names = names_of(first[0]) if first else None
    if names is None:
        refuse_columns(request)
        return request, rows
    if isinstance(first[0], Mapping) and request.run_column not in (None, *names):
        # A row that lacks the name of its run is told by its number; a column that no row has, by
        # those that are there.
        rows = iter(listed := list(rows))
        names += [str(request.run_column)] * any(
            request.run_column in (names_of(row) or ()) for row in listed
        )
    request, pick = _by_name(first[0], names, request)
    return request, map(pick, rows)


def _whole_rows(
    batch: list[Any], lines: Sequence[int], width: int, gathering: Gathering
) -> tuple[list[int], list[tuple[Any, ...]]]:
    """Rows that have as many parts as are wanted, and their lines; the others are problems."""
    cells = [_cells(row, width) for row in batch]
    for row, line, parts in zip(batch, lines, cells, strict=True):
        if parts is None:
            # The rest may be the name of a run, as of several in one table.
            is_longer = isinstance(row, tuple | list) and len(row) > width
            kind = "longer row" if is_longer else "row"
            gathering.findings.add(line, kind, values.describe_value(row))
    kept = [(line, parts) for line, parts in zip(lines, cells, strict=True) if parts is not None]
    return [line for line, _ in kept], [parts for _, parts in kept]


def _fields(array: Any, names: list[str], request: Request) -> tuple[Request, Iterable[Any]]:
    """How to read an array with named fields, and its rows."""
    request_of_fields = recognise_columns(names, request)
    column_indexes(names, request_of_fields)
    return request_of_fields, zip(
        *(_texts(array[name]) for name in request_of_fields.read), strict=True
    )


def _texts(field: Any) -> list[Any]:
    """The cells of a field; bytes, which such arrays have for texts, are decoded if they are
    UTF-8.
    """
    cells: list[Any] = field.tolist()
    if field.dtype.kind == "S":
        with suppress(UnicodeDecodeError):
            return [cell.decode() for cell in cells]
    return cells


def names_of(row: object) -> list[str] | None:
    """The names of the parts of a row; None if they have none."""
    if isinstance(row, Mapping):
        return [name for name in row if isinstance(name, str)]
    names = getattr(row, "_fields", None)
    return list(names) if isinstance(row, tuple) and names else None


def _by_name(
    first: Any, names: list[str], request: Request
) -> tuple[Request, Callable[[Any], Any]]:
    """How to read rows like the first, and a function that takes the wanted parts of a row; other
    rows stay unchanged.
    """
    request_of_row = recognise_columns(names, request)
    if (
        isinstance(first, tuple)
        and len(first) == 3
        and not set(request_of_row.names) <= set(names)
        and not request.columns
    ):
        # Tuples of three fields with other names are (topic, item, value).
        return request, lambda row: tuple(row) if type(row) is type(first) else row
    at = [*column_indexes(names, request_of_row), *map(names.index, request_of_row.extra_columns)]
    if isinstance(first, tuple):
        pick_parts = itemgetter(*at)
        return request_of_row, lambda row: pick_parts(row) if type(row) is type(first) else row
    wanted, beside = itemgetter(*request_of_row.names), request_of_row.extra_columns

    def pick(row: Any) -> Any:
        try:
            return (*wanted(row), *map(row.get, beside)) if beside else wanted(row)
        except (KeyError, TypeError, IndexError):
            return row

    return request_of_row, pick


def _cells(row: Any, width: int) -> tuple[Any, ...] | None:
    # Strings, dicts and sets have parts as well, but are no rows.
    if isinstance(row, str | bytes | Mapping | Set):
        return None
    try:
        cells = tuple(row)
    except (TypeError, ValueError):
        return None
    return cells if len(cells) == width else None
