"""Tables in text → columns: CSV, TSV, and JSON lines; None if anything about a table is unusual.

An ordinary table is UTF-8 without NUL. Lines end with a line feed, possibly after a carriage
return, and rows have as many cells as the header. A quoted cell holds no line end. An object has
each wanted key once; it holds no NaN, no infinities, no lone surrogates and at most 32 levels of
lists and objects. Ids and numbers are valid, and no pair occurs twice, unless one of them is to be
dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NoReturn

import numpy as np

from precall.core.errors import Malformed
from precall.core.ragged import pack_texts
from precall.core.text import is_encodable, is_utf8
from precall.native import literals
from precall.native.twin_columns import Groups, InputRows, QrelsColumns, RunColumns, group_rows

#: The greatest length of a cell in Python's csv, and of digits of an integer that is an id as it is
#: written.
_CELL_LIMIT, _WHOLE_LIMIT = 131072, 18
_DEPTH_LIMIT = 32
_TRUTH = (b"true", b"false")
_INTEGER, _DECIMAL = re.compile(rb"-?[0-9]++"), re.compile(rb"-?[0-9][-+.0-9eE]*+")


class _Irregular(Exception):
    """A table has something unusual."""


def _rows(
    data: bytes, begin: int, separator: str, width: int, wanted: list[Any]
) -> Iterator[list[bytes]]:
    """The wanted parts of each row: cells, or values of JSON as they are written."""
    text = data[begin:]
    if b"\0" in text or not is_utf8(text):
        raise _Irregular
    *lines, last = text.split(b"\n")
    if not separator:
        for line in (*lines, last):
            if line.strip(b" \t\r"):
                yield _values(line, wanted)
        return
    cell = re.compile(rb'("(?:[^"]|"")*+"|(?!")[^%b]*+)(%b|\Z)' % (2 * (separator.encode(),)))
    for line in (*(line.removesuffix(b"\r") for line in lines), last):
        if line:
            cells = _cells(line, cell)
            if b"\r" in line or len(cells) != width:
                raise _Irregular
            yield [cells[index] for index in wanted]


def _check(data: bytes, begin: int, separator: str, width: int, wanted: list[Any]) -> None:
    """Refuse arguments with which the other kernel would read outside the data."""
    if not 0 <= begin <= len(data):
        raise ValueError("begin: outside the data")
    if separator and (separator not in ",\t" or width < 1):
        raise ValueError("separator and width: must be a comma or a tab, and at least 1")
    if separator and not (
        len(set(wanted)) == len(wanted) and all(0 <= index < width for index in wanted)
    ):
        raise ValueError("wanted: must be places of different cells")


def _cells(line: bytes, cell: re.Pattern[bytes]) -> list[bytes]:
    cells, at, more = [], 0, True
    while more:
        match = cell.match(line, at)
        if match is None or len(match[1]) > _CELL_LIMIT:
            raise _Irregular
        at, more = match.end(), bool(match[2])
        cells.append(match[1][1:-1].replace(b'""', b'"') if match[1][:1] == b'"' else match[1])
    return cells


class _Pairs(list[Any]):
    """Keys and values of an object; a key may be repeated."""


def _values(line: bytes, keys: list[str]) -> list[bytes]:
    """The wanted values of an object: numbers and words as they are written, texts after a
    quote.
    """
    try:
        # Numbers become bytes, as they are written; texts become str.
        pairs = _decoder().decode(line.decode())
    except (ValueError, RecursionError):
        raise _Irregular from None
    if not isinstance(pairs, _Pairs) or _depth(pairs) > _DEPTH_LIMIT + 1:
        raise _Irregular
    values = {key: [value for name, value in pairs if name == key] for key in keys}
    if any(len(there) != 1 or isinstance(there[0], list) for there in values.values()):
        raise _Irregular
    return [_write_value(values[key][0]) for key in keys]


def _write_value(value: Any) -> bytes:
    if isinstance(value, str):
        return b'"' + value.encode()
    return value if isinstance(value, bytes) else _WORDS[value]


def _depth(value: object) -> int:
    """How many levels of lists and objects there are; refuses texts with lone surrogates."""
    if isinstance(value, str) and not is_encodable(value):
        raise _Irregular
    if not isinstance(value, list):
        return 0
    elements = (
        [element for pair in value for element in pair] if isinstance(value, _Pairs) else value
    )
    return 1 + max(map(_depth, elements), default=0)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


_WORDS = {True: b"true", False: b"false", None: b"null"}


@cache
def _decoder() -> Any:
    from json import JSONDecoder  # imported late: few readers of runs need JSON

    return JSONDecoder(
        object_pairs_hook=_Pairs,
        parse_float=str.encode,
        parse_int=str.encode,
        parse_constant=_no_constant,
    )


def _id(cell: bytes, is_value: bool) -> bytes:
    if is_value and cell[:1] == b'"':
        return cell[1:]
    is_integer = len(cell) <= _WHOLE_LIMIT and cell != b"-0" and _INTEGER.fullmatch(cell)
    if not (is_integer if is_value else cell):
        raise _Irregular
    return cell


def _number(
    cell: bytes, is_value: bool, read: Callable[[str], literals.Value], graded: bool = False
) -> float:
    if is_value and (cell == b"-0" or not (_INTEGER if graded else _DECIMAL).fullmatch(cell)):
        raise _Irregular
    value = read(cell.decode("latin-1"))
    if isinstance(value, tuple):
        raise _Irregular
    return value


def _read(
    layout: tuple[Any, ...], read: Callable[[str], literals.Value], duplicates: str, graded: bool
) -> tuple[Groups, list[literals.Value]] | None:
    _check(*layout)
    if len(layout[-1]) != 3:
        raise ValueError("wanted: must be three")
    is_value = not layout[2]
    try:
        cells = [
            (_id(topic, is_value), _id(item, is_value), _number(number, is_value, read, graded))
            for topic, item, number in _rows(*layout)
        ]
        topics, items, values = map(list, zip(*cells, strict=True)) if cells else ([], [], [])
        groups = group_rows(
            InputRows(range(len(cells)), topics, items, values), duplicates, graded, []
        )
    except (_Irregular, Malformed):
        return None
    return groups, [values[row] for row in groups.row]


def run_from_table(
    data: bytes,
    begin: int,
    separator: str,
    width: int,
    wanted: list[Any],
    float32: bool,
    duplicates: str,
    threads: int,
    *,
    chunk: int = 0,
) -> RunColumns | None:
    """A run from the rows of a table from `begin` on: cells by their indexes, or values by their
    keys.
    """
    read = (lambda text: literals.to_float32(literals.score(text))) if float32 else literals.score
    found = _read((data, begin, separator, width, wanted), read, duplicates, False)
    if found is None:
        return None
    groups, kept = found
    return *groups.layout, np.array(kept, np.float64), groups.dropped


def qrels_from_table(
    data: bytes,
    begin: int,
    separator: str,
    width: int,
    wanted: list[Any],
    duplicates: str,
    threads: int,
    *,
    chunk: int = 0,
) -> QrelsColumns | None:
    """Judgements from the rows of a table."""
    found = _read((data, begin, separator, width, wanted), literals.grade, duplicates, True)
    if found is None:
        return None
    groups, kept = found
    return *groups.layout, np.array(kept, np.int64), groups.dropped


def columns_from_table(
    data: bytes, begin: int, separator: str, width: int, wanted: list[Any], kinds: str
) -> list[Any] | None:
    """Columns of a table: scores ("s"), or labels as codes and the text of each code ("c")."""
    _check(data, begin, separator, width, wanted)
    if not kinds or len(kinds) != len(wanted) or not set(kinds) <= set("sc"):
        raise ValueError("kinds: must be s or c for each that is wanted")
    is_value = not separator
    try:
        rows = list(_rows(data, begin, separator, width, wanted))
        columns: list[Any] = []
        for index, kind in enumerate(kinds):
            cells = [row[index] for row in rows]
            if kind == "s":
                scores = [_number(cell, is_value, literals.score) for cell in cells]
                columns.append(np.array(scores, np.float64))
            else:
                cells = [
                    _id(cell, True) if is_value and cell not in _TRUTH else cell for cell in cells
                ]
                codes = {text: code for code, text in enumerate(dict.fromkeys(cells))}
                columns.append(
                    (np.array([codes[cell] for cell in cells], np.int32), *pack_texts(list(codes)))
                )
    except _Irregular:
        return None
    return columns
