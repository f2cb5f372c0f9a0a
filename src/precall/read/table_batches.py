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

from precall.core.errors import Problem, map_problems
from precall.core.text import MARK
from precall.read.columns import Choice
from precall.read.formats import DOCUMENT, OF_COLUMNS
from precall.read.select_columns import (
    ChosenColumns,
    Look,
    Looks,
    Numbers,
    look_at_beginning,
    looks_at,
    looks_at_frame,
    looks_at_text,
    on_its_line,
    separator_of,
    table_format,
)
from precall.read.sizes import spool, temporary_file
from precall.read.sources import is_plain, label_of, pieces, watch_file

#: Bytes of text, and rows of Parquet or Arrow, read at a time.
BYTES, ROWS = 1 << 24, 1 << 20
_QUOTE = ord('"')
_CACHED = 1 << 16


def looks_in_batches(
    path: str,
    choose: Choice,
    numbers: Numbers | None,
    format: str | None,
    load: Choice | None = None,
) -> Iterator[Looks]:
    """The result of `looks_at` for one batch of rows after another; a file without rows is one
    batch without rows.
    """
    label, kind = label_of(path), table_format(path, format)
    if kind in OF_COLUMNS:
        begin = 0
        for frame in _frames(path, kind, label, load or choose):
            yield _move_lines(looks_at_frame(frame, label, choose, numbers, not begin), begin)
            begin += len(frame)
    elif kind == DOCUMENT:
        # A document is in memory whole, as its end may say what is in it.
        yield looks_at(path, choose, numbers, format, load)
    else:
        chosen = partial(on_its_line, choose)
        for before, data in _blocks(
            pieces(path, label, look_at_beginning(choose, kind, label)), kind, chosen
        ):
            yield _move_lines(looks_at_text(data, label, choose, kind, numbers, not before), before)


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


def _move_lines(looks: Looks, before: int) -> Looks:
    quick, careful = (partial(_on_its_lines, look, before) for look in looks[:2])
    return looks._replace(quick=quick, careful=careful)


def _blocks(
    pieces: Iterator[bytes], kind: str, choose: Callable[[list[str], int], object]
) -> Iterator[tuple[int, bytes]]:
    """Blocks of whole rows after the header, and by how much the lines of each are too small."""
    most, size, lines, before = BYTES, 0, 0, 0
    heading, lines_of_heading = b"", 0
    waiting: list[bytes] = []
    is_first = True
    end: Callable[..., int] = _end_of_rows
    for piece in pieces:
        size += len(piece)
        lines += _count(piece, b"\n")  # while it is in a cache
        if size < most:
            waiting.append(piece)
            continue
        # Mostly rows end where the last line does: then nothing is cut off behind, with a copy.
        last = piece.rfind(b"\n") + 1 or len(piece)
        data = b"".join([*waiting, piece[:last]])
        if is_first and kind != "jsonl":
            end = partial(_end_of_quoted_rows, separator=separator_of(data, kind, choose))
        cut = end(data)
        if is_first and kind != "jsonl":
            heading = data[: _first_row(data, end)]
            lines_of_heading = _count(heading, b"\n")
        # If no row ends in this much text, more of it is read.
        if cut > len(heading):
            rows = data if cut == len(data) else data[:cut]
            yield before, rows
            is_first = False
            rest = [data[cut:], piece[last:]]
            before = lines - _count(b"".join(rest), b"\n") - lines_of_heading
            size = sum(map(len, rest))
            waiting, most = [heading, *rest], BYTES + size
        else:
            waiting, most = [data, piece[last:]], 2 * size
    rows = b"".join(waiting)
    if is_first or len(rows) > len(heading):
        yield before, rows


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
    """How often a character occurs, in a tenth of the time of `bytes.count`; by parts that stay in
    a cache.
    """
    text = np.frombuffer(data, np.uint8)
    parts = (text[begin : begin + _CACHED] for begin in range(0, len(text), _CACHED))
    return sum(int(np.count_nonzero(part == ord(character))) for part in parts)


def _first_row(data: bytes, end: Callable[[bytes, int], int]) -> int:
    """Where the first row ends."""
    at = data.find(b"\n") + 1
    while at and end(data, at) != at:
        at = data.find(b"\n", at) + 1
    return at
