"""Rows of a table, batch by batch, into columns that the kernel groups by topic.

A batch goes through as a whole when all of it is ordinary; otherwise each row is looked at, and what is wrong
becomes a fact with its line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.errors import DataError, Malformed
from precall.native import kernel, literals
from precall.ragged import Int64
from precall.read import values
from precall.read.columns import Ids
from precall.read.problems import Findings, data_error, renumbered
from precall.read.subjects import RUN, Parsed, Request

#: Rows held as Python objects at a time.
BATCH = 1 << 16

Numbers = npt.NDArray[np.float64] | Int64


class Cells(NamedTuple):
    """How the cells of a kind of table are read: all at once when ordinary, or one by one."""

    ids: Callable[[list[Any]], bool]
    id: Callable[[Any, str], str | tuple[object, ...]]
    all: Callable[[list[Any]], Numbers | None]
    single: Callable[[Any, str], literals.Value]


def text_cells(request: Request) -> Cells:
    """Cells of CSV and TSV: everything is text, and what is empty is missing."""
    of_run = request.subject is RUN
    number = literals.score if of_run else literals.grade
    return Cells(
        lambda ids: "" not in ids,
        lambda text, column: values.identifier(text or None, column),
        literals.scores if of_run else literals.grades,
        lambda text, column: number(text) if text else ("missing", column),
    )


def object_cells(request: Request) -> Cells:
    """Cells of JSON, frames and rows: Python objects."""
    of_run = request.subject is RUN
    number = values.score if of_run else values.grade
    return Cells(
        lambda ids: set(map(type, ids)) <= {str},
        values.identifier,
        values.scores if of_run else values.grades,
        lambda value, column: ("missing", column) if values.is_missing(value) else number(value),
    )


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
    """Columns being gathered; `finish` groups them."""

    def __init__(self, request: Request, cells: Cells, unit: str) -> None:
        self.findings = Findings()
        self._request, self._cells, self._unit = request, cells, unit
        self._topics, self._items = _Texts(), _Texts()
        self._numbers: list[Numbers] = []
        self._lines: list[Int64] = []

    def take(self, topics: list[Any], items: list[Any], numbers: Any, lines: Sequence[int]) -> None:
        """One batch of cells; `numbers` may be an array, in which only NaN is looked for."""
        if len(lines) and not self._whole(topics, items, numbers, lines):
            self._whole(*self._checked(topics, items, numbers, lines))

    def _whole(self, topics: list[Any], items: list[Any], numbers: Any, lines: Sequence[int]) -> bool:
        if not (self._cells.ids(topics) and self._cells.ids(items)):
            return False
        if not isinstance(numbers, np.ndarray):
            column = self._cells.all(numbers)
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
        cells, (topic_name, item_name, value_name) = self._cells, self._request.names
        good: list[tuple[Any, ...]] = []
        for topic, item, number, line in zip(topics, items, numbers, lines, strict=True):
            row = cells.id(topic, topic_name), cells.id(item, item_name)
            value = cells.single(number, value_name)
            wrong = next((cell for cell in (*row, value) if isinstance(cell, tuple)), None)
            if wrong is None:
                good.append((*row, value, line))
            else:
                self.findings.add(line, *wrong)
        topics, items, numbers, kept = ([row[place] for row in good] for place in range(4))
        return topics, items, np.array(numbers, self._dtype()), kept

    def _dtype(self) -> type[np.float64] | type[np.int64]:
        return np.float64 if self._request.subject is RUN else np.int64

    def finish(self) -> Parsed:
        """Group what was gathered; DataError with all problems if there are any."""
        asked = self._request
        of_run = asked.subject is RUN
        number = np.concatenate([np.zeros(0, self._dtype()), *self._numbers])
        line = np.concatenate([np.zeros(0, np.int64), *self._lines])
        self._numbers, self._lines = [], []
        if of_run and asked.float32:
            given = number
            number, beyond = values.narrowed(given)
            for row in beyond.tolist():
                self.findings.add(int(line[row]), "float32-range", values.written(float(given[row])))
        group = kernel().group_run if of_run else kernel().group_qrels
        topics, items = self._topics.ids(), self._items.ids()
        columns = topics.data, topics.start, items.data, items.start, number
        try:
            grouped = group(*columns, asked.duplicates, asked.threads)
        except Malformed as bad:
            raise self.error(renumbered(bad, line)) from None
        if self.findings.total:
            raise self.error()
        topic_data, topic_start, row_start, item_data, item_start, value, dropped = grouped
        return Parsed(Ids(topic_data, topic_start), row_start, Ids(item_data, item_start), value, dropped)

    def error(self, facts: Malformed | None = None) -> DataError:
        """The error that says what was found so far, by the kernel too."""
        bad = Malformed([], 0) if facts is None else facts
        return data_error(self.findings.merged(bad), self._request, self._unit)
