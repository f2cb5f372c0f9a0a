"""Rows of a table, batch by batch, into columns that the kernel groups by topic; and runs and qrels that are rows.

A batch goes through as a whole when all of it is ordinary; otherwise each row is looked at, and what is wrong
becomes a fact with its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.errors import DataError, Malformed
from precall.native import kernel, literals
from precall.ragged import Int64
from precall.read import values
from precall.read.columns import RUN, Ids, Parsed, Request
from precall.read.problems import Findings, data_error, renumbered

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


class _Texts:
    """Ids being gathered: their bytes in pieces, and their sizes."""

    def __init__(self) -> None:
        self.data: list[bytes] = []
        self.size: list[Int64] = []

    def ids(self) -> Ids:
        size = np.concatenate([np.zeros(1, np.int64), *self.size])
        data = np.frombuffer(b"".join(self.data), np.uint8)
        self.data, self.size = [], []
        return Ids(data, np.cumsum(size))


def _encoded(texts: Sequence[str]) -> tuple[bytes, Int64]:
    joined = "".join(texts)
    data = joined.encode()
    # Only in ASCII are characters and bytes as many.
    sizes = map(len, texts) if len(data) == len(joined) else (len(text.encode()) for text in texts)
    return data, np.fromiter(sizes, np.int64, len(texts))


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
        self._topics, self._items = _Texts(), _Texts()
        self._numbers: list[Numbers] = []
        self._lines: list[Int64] = []

    def take(self, topics: list[Any], items: list[Any], numbers: Any, lines: Sequence[int]) -> None:
        """One batch of cells; `numbers` may be an array, in which only NaN is looked for."""
        if len(lines) and not self._whole(topics, items, numbers, lines):
            self._whole(*self._checked(topics, items, numbers, lines))

    def _are_ids(self, cells: list[Any]) -> bool:
        return "" not in cells if self._textual else set(map(type, cells)) <= {str}

    def _whole(self, topics: list[Any], items: list[Any], numbers: Any, lines: Sequence[int]) -> bool:
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
        for texts, (data, size) in ((self._topics, topic), (self._items, item)):
            texts.data.append(data)
            texts.size.append(size)
        self._numbers.append(column)
        self._lines.append(np.asarray(lines, np.int64))
        return True

    def _checked(
        self, topics: list[Any], items: list[Any], numbers: Any, lines: Sequence[int]
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
        line = np.concatenate([np.zeros(0, np.int64), *self._lines])
        self._numbers, self._lines = [], []
        if self._of_run and asked.float32:
            given = number
            number, beyond = values.narrowed(given)
            for row in beyond.tolist():
                self.findings.add(int(line[row]), "float32-range", values.written(float(given[row])))
        group = kernel().group_run if self._of_run else kernel().group_qrels
        topics, items = self._topics.ids(), self._items.ids()
        columns = topics.data, topics.start, items.data, items.start, number
        try:
            grouped = group(*columns, asked.duplicates, asked.threads)
        except Malformed as bad:
            raise self.error(renumbered(bad, line)) from None
        if self.findings.total:
            raise self.error()
        return Parsed.of(*grouped)

    def error(self, facts: Malformed | None = None) -> DataError:
        """The error that says what was found so far, by the kernel too."""
        return data_error(self.findings.merged(facts), self._request, self._unit)
