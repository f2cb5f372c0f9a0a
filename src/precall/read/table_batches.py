"""Tables of any size, read in batches of rows, each like a small table, so that one batch is in
memory at a time.

Text is cut after a row, and every batch gets the header. Messages give the lines of the file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.core.errors import DataError, Problem, map_problems
from precall.core.text import MARK
from precall.read.columns import Choice
from precall.read.formats import OF_COLUMNS, SEPARATOR
from precall.read.select_columns import (
    ChosenColumns,
    CodedTexts,
    Look,
    Numbers,
    Unusual,
    look_at_beginning,
    looks_at,
    looks_at_frame,
    looks_at_text,
    of_text_at_once,
    table_format,
)
from precall.read.sizes import spool, status, temporary_file
from precall.read.sources import is_plain, label_of, pieces, watch_file

#: Bytes of text, and rows of Parquet or Arrow, read at a time.
BYTES, ROWS = 1 << 24, 1 << 20
#: Bytes of text read at a time if all columns are kept. Texts are looked up once for each part, so
#: that more parts take longer.
PART = 1 << 20
_QUOTE = ord('"')


def looks_in_batches(
    path: str, choose: Choice, numbers: Numbers | None, format: str | None
) -> Iterator[tuple[Look, Look]]:
    """The result of `looks_at` for one batch of rows after another; a file without rows is one
    batch without rows.
    """
    label, kind = label_of(path), table_format(path, format)
    if kind in OF_COLUMNS:
        begin = 0
        for frame in _frames(path, kind, label, choose):
            yield _move_lines(looks_at_frame(frame, label, choose, numbers, not begin), begin)
            begin += len(frame)
    else:
        for before, data in _blocks(
            pieces(path, label, look_at_beginning(choose, kind, label)), kind
        ):
            yield _move_lines(looks_at_text(data, label, choose, kind, numbers, not before), before)


def looks_by_parts(
    path: str, choose: Choice, numbers: Numbers | None, format: str | None
) -> tuple[Look, Look]:
    """The result of `looks_at`; when text on disk is read at once, only a part of it is in
    memory.
    """
    kind = table_format(path, format)
    if kind in OF_COLUMNS or not is_plain(path):
        return looks_at(path, choose, numbers, format)

    def careful() -> ChosenColumns:
        return looks_at(path, choose, numbers, format)[1]()

    return partial(_read_by_parts, path, choose, kind, numbers), careful


def _read_by_parts(path: str, choose: Choice, kind: str, numbers: Numbers | None) -> ChosenColumns:
    label, columns = label_of(path), dict[str, _Growing]()
    for before, data in _blocks(
        pieces(path, label, look_at_beginning(choose, kind, label)), kind, PART
    ):
        try:
            cells = looks_at_text(data, label, choose, kind, numbers)[0]().cells
        except DataError:
            # After the first part the cause is single rows.
            if not before:
                raise
            raise Unusual from None
        if not columns:
            parts = status(path).st_size / len(data)
            columns = {name: _Growing(parts) for name in cells}
        if list(columns) != list(cells):
            raise Unusual
        for name, cells_of_part in cells.items():
            columns[name].add(cells_of_part)
    return of_text_at_once(label, {name: column.whole() for name, column in columns.items()}, kind)


class _Growing:
    """A column that grows part by part; texts are in the order of their first rows.

    It reserves room for as many parts as the file has, if all are like the first. Room that is not
    needed is never touched, and so takes no memory. Joining all parts at the end would need twice
    the memory.
    """

    def __init__(self, parts: float) -> None:
        self._parts, self._rows = parts, 0
        self._room: npt.NDArray[Any] | None = None
        self._texts: dict[str, int] | None = None

    def add(self, cells: Any) -> None:
        """Add a part."""
        if isinstance(cells, CodedTexts):
            codes_of_texts = self._texts = {} if self._texts is None else self._texts
            codes = [codes_of_texts.setdefault(text, len(codes_of_texts)) for text in cells.texts]
            cells = np.array(codes, cells.codes.dtype)[cells.codes]
        rows = self._rows + len(cells)
        if self._room is None:
            self._room = np.empty(int(1.1 * len(cells) * max(self._parts, 1)), cells.dtype)
        if cells.dtype != self._room.dtype:  # weights, some of which are not integers
            kept = self._room[: self._rows]
            self._room = np.empty(len(self._room), np.result_type(cells, kept))
            self._room[: self._rows] = kept
        if rows > len(self._room):
            kept, self._room = self._room, np.empty(2 * rows, self._room.dtype)
            self._room[: self._rows] = kept[: self._rows]
        self._room[self._rows : rows] = cells
        self._rows = rows

    def whole(self) -> Any:
        """The column."""
        assert self._room is not None
        column = self._room[: self._rows]
        return column if self._texts is None else CodedTexts(column, list(self._texts))


def _on_its_lines(look: Look, before: int) -> ChosenColumns:
    """A batch with the lines of the file: those of the batch alone are too small by `before`."""

    def move(problem: Problem) -> Problem:
        return problem if problem.line is None else problem._replace(line=problem.line + before)

    with map_problems(move):
        columns = look()
    # If the batch was read at once, lines are not known and not needed.
    return (
        columns
        if columns.at_once
        else replace(columns, lines=[line + before for line in columns.lines])
    )


def _frames(path: str, kind: str, label: str, choose: Choice) -> Iterator[Any]:
    """Frames of some rows each; at least one."""
    from precall.read.frame_files import frame_of, parquet_batches

    if kind == "parquet" and is_plain(path):
        with watch_file(path, label):
            yield from parquet_batches(path, label, choose, ROWS)
    elif kind == "parquet" and sys.platform == "linux":
        with _temporary_copy(path, label) as copy:
            yield from parquet_batches(copy, label, choose, ROWS)
    else:
        from precall.read.arrow_batches import arrow_batches

        # Other formats are read into memory. So is Parquet that is no plain file: its last page is
        # needed first.
        is_arrow = kind == "arrow"
        for frame in (
            arrow_batches(path, label) if is_arrow else [frame_of(path, kind, label, choose)]
        ):
            for begin in range(0, max(len(frame), 1), ROWS):
                yield frame.slice(begin, ROWS)


@contextmanager
def _temporary_copy(path: str, label: str) -> Iterator[str]:
    """The path of a temporary copy of standard input or of the content of an archive; it is removed
    whatever happens.
    """
    with temporary_file() as file:
        for piece in pieces(path, label, None):
            spool(file, piece)
        yield f"/proc/self/fd/{file.fileno()}"


def _move_lines(looks: tuple[Look, Look], before: int) -> tuple[Look, Look]:
    quick, careful = (partial(_on_its_lines, look, before) for look in looks)
    return quick, careful


def _blocks(
    pieces: Iterator[bytes], kind: str, least: int | None = None
) -> Iterator[tuple[int, bytes]]:
    """Blocks of whole rows after the header, and by how much the lines of each are too small."""
    most = least = least or BYTES
    heading, lines_of_heading, lines, size = b"", 0, 0, 0
    waiting: list[bytes] = []
    is_first = True
    end = (
        _end_of_rows if kind == "jsonl" else partial(_end_of_quoted_rows, separator=SEPARATOR[kind])
    )

    def block(rows: bytes) -> tuple[int, bytes]:
        return lines - lines_of_heading * (not is_first), heading * (not is_first) + rows

    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size < most:
            continue
        data = b"".join(waiting)
        cut = end(data)
        if is_first and kind != "jsonl":
            heading = data[: _first_row(data, end)]
            lines_of_heading = _count(heading, b"\n")
        # If no row ends in this much text, more of it is read.
        if cut > len(heading) * is_first:
            yield block(data[:cut])
            lines += _count(data[:cut], b"\n")
            is_first = False
        else:
            cut = 0
        waiting = [data[cut:]]
        size = len(data) - cut
        most = least + size if cut else 2 * size
    rest = b"".join(waiting)
    if rest or is_first:
        yield block(rest)


def _end_of_rows(data: bytes, stop: int | None = None) -> int:
    """The position after the last line end."""
    return data.rfind(b"\n", 0, stop) + 1


def _end_of_quoted_rows(data: bytes, stop: int | None = None, *, separator: str) -> int:
    """The position after the last line end outside quotes; 0 if all are inside."""
    cut = _end_of_rows(data, stop)
    if data.find(_QUOTE, 0, cut) < 0:  # the common case, in a tenth of the time
        return cut
    quotes = _quotes(data[:cut], separator)
    while cut and (before := int(np.searchsorted(quotes, cut))) % 2:
        cut = _end_of_rows(data, int(quotes[before - 1]))
    return cut


def _quotes(data: bytes, separator: str) -> npt.NDArray[np.int64]:
    """The positions of quotes that open and close cells; a quote inside a cell that does not begin
    with one is an ordinary character.
    """
    text = np.frombuffer(data, np.uint8)
    quotes = np.flatnonzero(text == _QUOTE)
    opens = np.zeros(256, np.bool_)
    opens[list(b"\r\n" + separator.encode())] = True
    # The common case: every second quote opens a cell, or is doubled, which closes and opens again.
    if np.all((opens | (np.arange(256) == _QUOTE))[text[quotes[::2] - 1]]):
        return quotes
    begins = opens[text[quotes - 1]] | (quotes == len(MARK) * data.startswith(MARK))
    kept: list[int] = [-2]
    for position, begin in zip(quotes.tolist(), begins.tolist(), strict=True):
        if begin or not len(kept) % 2 or kept[-1] == position - 1:
            kept.append(position)
    return np.array(kept[1:], np.int64)


def _count(data: bytes, character: bytes) -> int:
    """How often a character occurs, in a tenth of the time of `bytes.count`."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == ord(character)))


def _first_row(data: bytes, end: Callable[[bytes, int], int]) -> int:
    """Where the first row ends."""
    at = data.find(b"\n") + 1
    while at and end(data, at) != at:
        at = data.find(b"\n", at) + 1
    return at
