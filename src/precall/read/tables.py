"""Tables: CSV, TSV, JSON lines and rows of Python, into columns that the kernel groups by topic.

A file in which nothing is unusual is read by the kernel. All else is read here, batch by batch: a batch goes through as a
whole when all of it is ordinary; otherwise each row is looked at, and what is wrong becomes a fact with its line. Polars reads
no text, for three things: no extra is needed, ids are never taken for numbers, and each problem has its line.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice
from math import isinf
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.errors import DataError, Malformed, Problem
from precall.native import kernel, kernel_name, literals
from precall.ragged import Bytes, Int64
from precall.read import values
from precall.read.columns import RUN, Ids, Parsed, Request
from precall.read.problems import Findings, data_error, listed, naming, renumbered, shown
from precall.read.sources import contents
from precall.text import MARK, is_encodable, is_utf8

SEPARATOR = {"csv": ",", "tsv": "\t"}
#: Rows held as Python objects at a time.
BATCH = 1 << 16

Numbers = npt.NDArray[np.float64] | Int64


def read_rows(source: Iterable[Any], request: Request) -> Parsed:
    """Rows (topic, item, score) or (topic, item, grade) in a list or any iterable."""
    gathering = Gathering(request, "row")
    rows, number = iter(source), 1
    while batch := list(islice(rows, BATCH)):
        lines: Sequence[int] = range(number, number + len(batch))
        number += len(batch)
        if not (set(map(type, batch)) <= {tuple, list} and set(map(len, batch)) == {3}):
            cells = [_cells(row) for row in batch]
            for row, line, parts in zip(batch, lines, cells, strict=True):
                if parts is None:
                    gathering.findings.add(line, "row", values.described(row))
            lines = [line for line, parts in zip(lines, cells, strict=True) if parts is not None]
            batch = [parts for parts in cells if parts is not None]
        topics, items, numbers = ([row[place] for row in batch] for place in range(3))
        gathering.take(topics, items, numbers, lines)
    return gathering.finish()


def _cells(row: Any) -> tuple[Any, Any, Any] | None:
    # Strings, dicts and sets have parts too, but not these.
    if isinstance(row, str | bytes | Mapping | Set):
        return None
    try:
        topic, item, number = row
    except (TypeError, ValueError):
        return None
    return topic, item, number


#: Ids being gathered: pieces of their bytes, and the sizes of the ids in each.
_Texts = list[tuple[Bytes, Int64]]


def _ids(texts: _Texts) -> tuple[Bytes, Int64]:
    data = np.concatenate([np.zeros(0, np.uint8), *(piece for piece, _ in texts)])
    start = np.zeros(1 + sum(len(sizes) for _, sizes in texts), np.int64)
    np.concatenate([np.zeros(0, np.int64), *(sizes for _, sizes in texts)], out=start[1:])
    texts.clear()
    return data, np.cumsum(start, out=start)


def _encoded(texts: list[str] | Ids) -> tuple[Bytes, Int64]:
    if isinstance(texts, Ids):
        return texts.data[texts.start[0] : texts.start[-1]], np.diff(texts.start)
    joined = "".join(texts)
    data = joined.encode()
    # Only in ASCII are characters and bytes as many.
    sizes = map(len, texts) if len(data) == len(joined) else (len(text.encode()) for text in texts)
    return np.frombuffer(data, np.uint8), np.fromiter(sizes, np.int64, len(texts))


class Gathering:
    """Columns being gathered; `finish` groups them. Cells are objects, or, of CSV and TSV, texts: an empty one is missing."""

    def __init__(self, request: Request, unit: str, textual: bool = False) -> None:
        self.findings = Findings()
        self._request, self._unit, self._textual = request, unit, textual
        self._of_run = request.subject is RUN
        self._dtype = np.float64 if self._of_run else np.int64
        kind: Any = literals if textual else values
        self._number, self._numbers_of = (
            (kind.score, kind.scores) if self._of_run else (kind.grade, kind.grades)
        )
        self._topics: _Texts = []
        self._items: _Texts = []
        self._numbers: list[Numbers] = []
        self._lines: list[Sequence[int]] = []

    def take(
        self, topics: list[Any] | Ids, items: list[Any] | Ids, numbers: Any, lines: Sequence[int]
    ) -> None:
        """One batch of cells; `numbers` may be an array, in which only NaN is looked for."""
        if len(lines) and not self._whole(topics, items, numbers, lines):
            self._whole(*self._checked(topics, items, numbers, lines))

    def _are_ids(self, cells: list[Any] | Ids) -> bool:
        if isinstance(cells, Ids):
            return True
        return "" not in cells if self._textual else set(map(type, cells)) <= {str}

    def _whole(
        self, topics: list[Any] | Ids, items: list[Any] | Ids, numbers: Any, lines: Sequence[int]
    ) -> bool:
        if not (self._are_ids(topics) and self._are_ids(items)):
            return False
        if not isinstance(numbers, np.ndarray):
            column = self._numbers_of(numbers)
        else:
            column = None if np.isnan(numbers).any() else numbers
        if column is None:
            return False
        try:
            topic, item = _encoded(topics), _encoded(items)
        except UnicodeEncodeError:
            return False
        self._topics.append(topic)
        self._items.append(item)
        self._numbers.append(column)
        self._lines.append(lines)
        return True

    def _checked(
        self, topics: list[Any] | Ids, items: list[Any] | Ids, numbers: Any, lines: Sequence[int]
    ) -> tuple[list[str], list[str], Any, list[int]]:
        """The good rows of a batch; facts are noted about the others."""
        topic_name, item_name, value_name = self._request.names
        good: list[tuple[Any, ...]] = []
        for topic, item, number, line in zip(topics, items, numbers, lines, strict=True):
            row = self._id(topic, topic_name), self._id(item, item_name), self._value(number, value_name)
            wrong = next((cell for cell in row if isinstance(cell, tuple)), None)
            if wrong is None:
                good.append((*row, line))
            else:
                self.findings.add(line, *wrong)
        topics, items, numbers, kept = ([row[place] for row in good] for place in range(4))
        return topics, items, np.array(numbers, self._dtype), kept

    def _id(self, cell: Any, column: str) -> str | tuple[object, ...]:
        return values.identifier(None if self._textual and cell == "" else cell, column)

    def _value(self, cell: Any, column: str) -> Any:
        is_missing = cell == "" if self._textual else values.is_missing(cell)
        return ("missing", column) if is_missing else self._number(cell)

    def finish(self) -> Parsed:
        """Group what was gathered; DataError with all problems if there are any."""
        asked = self._request
        number = np.concatenate([np.zeros(0, self._dtype), *self._numbers])
        self._numbers = []
        if self._of_run and asked.float32:
            given = number
            number, beyond = values.narrowed(given)
            for row in beyond.tolist():
                self.findings.add(self._line(row), "float32-range", values.written(float(given[row])))
        group = kernel().group_run if self._of_run else kernel().group_qrels
        texts = *_ids(self._topics), *_ids(self._items)
        try:
            grouped = group(*texts, number, asked.duplicates, asked.threads)
        except Malformed as bad:
            raise self.error(renumbered(bad, self._line)) from None
        if self.findings.total:
            raise self.error()
        return Parsed.of(*grouped)

    def _line(self, row: int) -> int:
        """Where a row that was taken stands."""
        for lines in self._lines:
            if row < len(lines):
                return lines[row]
            row -= len(lines)
        raise IndexError(row)

    def error(self, facts: Malformed | None = None) -> DataError:
        """The error that says what was found so far, by the kernel too."""
        return data_error(self.findings.merged(facts), self._request, self._unit)


def places(columns: Sequence[str], request: Request) -> list[int]:
    """Where the columns asked for stand; DataError if one is not there, or is there twice."""
    problems = []
    missing = [name for name in request.names if name not in columns]
    if missing:
        names = " and no column ".join(map(shown, missing))
        what = f"no column {names}, the columns are {listed(columns)}"
        problems.append(Problem(request.label, None, what, naming(request.subject, columns)))
    for name in dict.fromkeys(request.names):
        if (count := columns.count(name)) > 1:
            what = f"{count} columns are called {shown(name)}, one is allowed"
            problems.append(Problem(request.label, None, what, "rename or remove the others"))
    if problems:
        raise DataError(problems)
    return [columns.index(name) for name in request.names]


def read_table(path: str, format: str, request: Request) -> Parsed:
    """A run or qrels in a table."""

    def look(lines: bytes) -> None:
        if format != "jsonl" and (first := header_of(lines, SEPARATOR[format])) is not None:
            places(first[0], request)

    data = contents(path, request.label, look)
    parsed = _at_once(data, format, request)
    return _row_by_row(data, format, request) if parsed is None else parsed


def _at_once(data: bytes, format: str, request: Request) -> Parsed | None:
    """The whole table by the kernel, if it finds nothing unusual."""
    if (
        not gains()
        or len(set(request.names)) < len(request.names)
        or not all(map(is_encodable, request.names))
    ):
        return None
    given: tuple[Any, ...] = len(MARK) * data.startswith(MARK), "", 0, list(request.names)
    if format != "jsonl":
        if (first := header_of(data, SEPARATOR[format])) is None:
            return None
        header, begin = first
        given = begin, SEPARATOR[format], len(header), places(header, request)
    if request.subject is RUN:
        columns = kernel().run_from_table(data, *given, request.float32, request.duplicates, request.threads)
    else:
        columns = kernel().qrels_from_table(data, *given, request.duplicates, request.threads)
    return None if columns is None else Parsed.of(*columns)


def gains() -> bool:
    """Whether to read a table at once is quicker than row by row: it is not for the kernel's twin."""
    return kernel_name() == "native"


def header_of(data: bytes, separator: str) -> tuple[list[str], int] | None:
    """The names of the columns, and where the rows begin, where the names are all of the first line."""
    begin, findings = data.find(b"\n") + 1, Findings()
    records = list(_rows_of(data[:begin], separator, findings))
    return None if findings.total or len(records) != 1 else (records[0][1], begin)


def first_names(data: bytes) -> tuple[list[str], int] | None:
    """The keys of the object on the first line, and where that begins."""
    findings = Findings()
    records = list(records_of(data[: data.find(b"\n") + 1], (), findings))
    if findings.total or len(records) != 1 or not all(map(is_encodable, records[0][1])):
        return None
    return list(records[0][1]), len(MARK) * data.startswith(MARK)


def _row_by_row(data: bytes, format: str, request: Request) -> Parsed:
    """The same with every rule, and every problem by its line."""
    gathering = Gathering(request, "line", textual=format != "jsonl")
    if format == "jsonl":
        rows = _objects(data, request.names, gathering.findings)
    else:
        rows = cells_of(
            data, SEPARATOR[format], lambda header, _: places(header, request), gathering.findings
        )
    while batch := list(islice(rows, BATCH)):
        topics, items, numbers, lines = map(list, zip(*batch, strict=True))
        gathering.take(topics, items, numbers, lines)
    return gathering.finish()


def cells_of(
    data: bytes, separator: str, choose: Callable[[list[str], int], Sequence[int]], findings: Findings
) -> Iterator[tuple[Any, ...]]:
    """The cells of CSV or TSV in the columns chosen, by the header and its line, and the line of each row.

    A cell may be quoted, and then hold separators and line ends. What cannot be read becomes a fact.
    """
    records = _rows_of(data, separator, findings)
    line, header = next(records, (0, []))
    if findings.total or not header:
        return
    chosen = choose(header, line)
    for line, record in records:
        if len(record) != len(header):
            findings.add(line, "cells", len(record), len(header))
        else:
            yield *[record[place] for place in chosen], line


def _rows_of(data: bytes, separator: str, findings: Findings) -> Iterator[tuple[int, list[str]]]:
    """The rows that can be read, with the lines on which they begin; what cannot becomes a fact."""
    damaged = b"\0" in data or not is_utf8(data)
    text = io.TextIOWrapper(io.BytesIO(data), "utf-8-sig", errors="surrogateescape", newline="")
    reader = csv.reader(text, delimiter=separator, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            for record in reader:
                cells = "".join(record) if damaged else ""
                # What was no UTF-8 stands there as halves of characters.
                if cells and ("\0" in cells or not is_encodable(cells)):
                    findings.add(line, "nul" if "\0" in cells else "utf8")
                elif record:
                    yield line, record
                line = reader.line_num + 1
            return
        except csv.Error as error:
            what = f"not a row of cells ({error})"
            findings.add(line, "said", what, "quote cells that hold quotes, and double the quotes")


def _objects(data: bytes, names: tuple[str, str, str], findings: Findings) -> Iterator[tuple[Any, ...]]:
    topic, item, value = names
    for line, record in records_of(data, names, findings):
        try:
            yield record[topic], record[item], record[value], line
        except KeyError as error:
            findings.add(line, "absent", str(error.args[0]), list(record))


def records_of(data: bytes, names: Sequence[str], findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of JSON lines, and their lines; what is none, but blanks, becomes a fact that shows one with these names.

    Numbers that float64 does not hold are kept as they were written.
    """
    decode = json.JSONDecoder(parse_float=_number).decode
    for line, text in enumerate(io.BytesIO(data.removeprefix(MARK)), 1):
        try:
            record = decode(text.decode())
        except (ValueError, RecursionError) as error:
            if text.strip():
                findings.add(line, *_refusal(text, error, names))
            continue
        if isinstance(record, dict):
            yield line, record
        else:
            findings.add(line, "said", f"not a JSON object ({type(record).__name__})", _example(names))


def _number(text: str) -> float | values.Beyond:
    number = float(text)
    return values.Beyond(text) if isinf(number) else number


def _example(names: Sequence[str]) -> str:
    example = ", ".join(f'"{name}": ...' for name in names or ["column"])
    return f"write {{{example}}} on each line"


def _refusal(text: bytes, error: Exception, names: Sequence[str]) -> tuple[object, ...]:
    if b"\0" in text:
        return ("nul",)
    if isinstance(error, UnicodeDecodeError):
        return ("utf8",)
    what = "not JSON that can be read (too deep, or a number too long)"
    if isinstance(error, json.JSONDecodeError):
        what = f"not JSON ({error.msg} at character {error.pos + 1})"
    return "said", what, _example(names)
