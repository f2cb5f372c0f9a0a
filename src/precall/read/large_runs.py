"""Runs in TREC text that do not fit in memory, read in pieces of whole topics, each like a small
run.

If the lines of each topic are together, pieces are cut at ends of topics. Otherwise the rows are
spooled to a temporary file, with the topics in buckets, and one bucket at a time is in memory. An
input that is no plain file is first spooled as text.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import BinaryIO, NamedTuple
from zlib import crc32

import numpy as np

from precall.core.errors import Malformed, spooling
from precall.core.notes import Note
from precall.core.ragged import Int64, offsets, spread
from precall.core.text import MARK
from precall.native import kernel
from precall.read.columns import Ids, Parsed, Request, turn_scores
from precall.read.readers import parse_text, parse_whole
from precall.read.sources import is_plain, pieces, watch_file
from precall.read.trec_ranks import BEGINNING, contradiction_of_beginning

#: Bytes of text read at a time, and the number of buckets.
BYTES, BUCKETS = 1 << 25, 128
#: Within this many bytes the beginning of a topic is searched line by line.
_NEAR = 1 << 12
_BLANKS = b" \t\r\n"


class Piece(NamedTuple):
    """Some topics with all their rows."""

    rows: Parsed
    order: Int64
    """The number of each topic among all topics of the run, in the order of their first rows."""


@contextmanager
def text_of(path: str, request: Request) -> Iterator[BinaryIO]:
    """The text of a plain file, an archive or standard input, as a seekable file."""
    if is_plain(path):
        with watch_file(path, request.label) as file:
            yield file
        return
    with _spool() as file:
        with _writing():
            _copy_text(path, request, file)
        yield file


def _copy_text(path: str, request: Request, target: BinaryIO) -> None:
    """Write all text to a file."""
    for piece in pieces(path, request.label, partial(parse_text, asked=request)):
        target.write(piece)
    target.flush()


@contextmanager
def _spool() -> Iterator[BinaryIO]:
    with _writing():
        file = tempfile.TemporaryFile()  # noqa: SIM115
    try:
        yield file
    finally:
        # An error of closing is no news: writing has failed before, for want of room.
        with suppress(OSError):
            file.close()


def _writing() -> AbstractContextManager[None]:
    return spooling("a run")


@dataclass(slots=True)
class Text:
    """The text of a run, to be read in pieces."""

    file: BinaryIO
    request: Request
    size: int = 0
    tag: bytes = b""
    dropped: int = 0
    _seen: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.size = self.file.seek(0, 2)

    def whole(self) -> Parsed:
        """All of it at once."""
        self.file.seek(0)
        return turn_scores(parse_whole(self.file.read(), self.request), self.request)

    def contradiction(self) -> tuple[Note, ...]:
        """Notes about ranks at the beginning, if the lines are not in their order."""
        self.file.seek(0)
        return contradiction_of_beginning(self.file.read(BEGINNING + 1), self.request)[0]

    def pieces(self) -> Iterator[Piece]:
        """Pieces of topics whose lines are together; raises `Scattered` if those of a topic are
        not.
        """
        self._seen = set()
        for rows in self._parse_blocks(self._topic_end):
            names = set(rows.topics.bytes_of_each())
            if not self._seen.isdisjoint(names):
                raise Scattered
            order = np.arange(len(names), dtype=np.int64) + len(self._seen)
            self._seen |= names
            yield Piece(turn_scores(rows, self.request), order)

    def buckets(self) -> Iterator[Piece]:
        """The same for topics whose lines are anywhere."""
        with _spool() as file:
            buckets = [_Bucket(file) for _ in range(BUCKETS)]
            topics = 0
            for rows in self._parse_blocks(self._line_end):
                with _writing():
                    _distribute(rows, buckets, topics)
                    file.flush()
                topics += len(rows.topics)
            for bucket in buckets:
                if bucket.segments:
                    piece = bucket.piece(self.request)
                    self.dropped += piece.rows.dropped
                    yield piece._replace(rows=turn_scores(piece.rows, self.request))

    def _parse_blocks(self, end_of: Callable[[int], int]) -> Iterator[Parsed]:
        """Parsed blocks of lines; blocks without rows are left out."""
        begin, self.dropped = 0, 0
        while begin < self.size:
            end = end_of(begin)
            self.file.seek(begin)
            data = self.file.read(end - begin)
            if begin and data.startswith(MARK):
                data = b"\n" + data  # only at the beginning of the text it is no part of an id
            begin = end
            try:
                rows = parse_text(data, self.request)
            except Malformed as bad:
                if [fact[1] for fact in bad.problems] != ["empty"]:
                    raise
                continue
            self.tag, self.dropped = rows.tag, self.dropped + rows.dropped
            yield rows

    def _line_end(self, begin: int) -> int:
        return self._line_after(begin + BYTES)

    def _line_after(self, at: int) -> int:
        """The position of the first line that begins at `at` or later."""
        if at >= self.size:
            return self.size
        self.file.seek(at - 1)
        self.file.readline()
        return self.file.tell()

    def _topic_end(self, begin: int) -> int:
        """Where a topic begins, after a block of text; the block is extended if it ends in the
        topic of its first line.
        """
        size = BYTES
        while (high := self._line_after(begin + size)) < self.size:
            topic = self._topic_at(high)
            if self._topic_at(begin) != topic:
                return self._beginning(topic, begin, high)
            size *= 2
        return self.size

    def _beginning(self, topic: bytes, low: int, high: int) -> int:
        """The position of a line between `low`, in another topic, and `high`, in this one, at which
        this topic begins.
        """
        while high - low > _NEAR:
            middle = self._line_after((low + high) // 2)
            if middle >= high:
                break
            if self._topic_at(middle) == topic:
                high = middle
            else:
                low = middle
        while (after := self._line_after(low + 1)) < high and self._topic_at(after) != topic:
            low = after
        return after

    def _topic_at(self, at: int) -> bytes:
        """The topic of the first line at or after a position that has one."""
        self.file.seek(at)
        for line in iter(self.file.readline, b""):
            bare = (line.removeprefix(MARK) if at == 0 else line).strip(_BLANKS)
            if bare and not line.startswith(b"#"):
                return bare.replace(b"\t", b" ").replace(b"\r", b" ").partition(b" ")[0]
        return b""


class Scattered(Exception):
    """The lines of a topic are not together."""


class _Segment(NamedTuple):
    """Where some rows lie in the temporary file: the numbers of topics, of bytes of their ids, of
    rows, and of bytes of the ids of items.
    """

    at: int
    topics: int
    topic_bytes: int
    rows: int
    item_bytes: int


@dataclass(slots=True)
class _Bucket:
    """Some of the topics: one segment for each block of text with rows of them."""

    file: BinaryIO
    segments: list[_Segment] = field(default_factory=list)

    def append(self, order: Int64, topics: Ids, sizes: Int64, rows: slice, parsed: Parsed) -> None:
        """Write some topics with their rows, which are a part of the rows of a block."""
        start = parsed.items.start[rows.start : rows.stop + 1]
        names = topics.data[topics.start[0] : topics.start[-1]]
        items = parsed.items.data[start[0] : start[-1]]
        at = self.file.tell()
        for column in (
            order,
            sizes,
            np.diff(topics.start),
            np.diff(start),
            parsed.value[rows],
            names,
            items,
        ):
            self.file.write(np.ascontiguousarray(column).data)
        self.segments.append(
            _Segment(at, len(order), len(names), rows.stop - rows.start, len(items))
        )

    def piece(self, request: Request) -> Piece:
        """All topics of the bucket."""
        columns = [self._columns(segment) for segment in self.segments]
        order, sizes, lengths, item_lengths, value, names, items = (
            np.concatenate(column) for column in zip(*columns, strict=True)
        )
        topics = Ids(names, offsets(lengths))
        first: dict[bytes, int] = {}
        for name, number in zip(topics.bytes_of_each(), order.tolist(), strict=True):
            first.setdefault(name, number)
        each = topics.take(np.repeat(np.arange(len(sizes)), sizes))
        rows = kernel().group_run(
            each.data,
            each.start,
            items,
            offsets(item_lengths),
            value,
            request.duplicates,
            request.threads,
        )
        parsed = Parsed.of(*rows)
        return Piece(
            parsed, np.array([first[name] for name in parsed.topics.bytes_of_each()], np.int64)
        )

    def _columns(self, segment: _Segment) -> list[np.ndarray]:
        _, topics, topic_bytes, rows, item_bytes = segment
        self.file.seek(segment.at)
        sizes = ((topics, "i8"),) * 3 + (
            (rows, "i8"),
            (rows, "f8"),
            (topic_bytes, "u1"),
            (item_bytes, "u1"),
        )
        return [np.frombuffer(self.file.read(count * int(kind[1])), kind) for count, kind in sizes]


def _distribute(parsed: Parsed, buckets: list[_Bucket], before: int) -> None:
    """Write the topics of a block to their buckets."""
    code = np.array(
        [crc32(name) % len(buckets) for name in parsed.topics.bytes_of_each()], np.int64
    )
    order = np.argsort(code, kind="stable")
    topics, sizes = parsed.topics.take(order), np.diff(parsed.row_start)[order]
    rows = spread(parsed.row_start[order], sizes)[1]
    moved = parsed._replace(items=parsed.items.take(rows), value=parsed.value[rows])
    ends, at = np.searchsorted(code[order], np.arange(len(buckets) + 1)).tolist(), offsets(sizes)
    for bucket, begin, end in zip(buckets, ends, ends[1:], strict=False):
        if begin < end:
            some = Ids(topics.data, topics.start[begin : end + 1])
            rows_of_bucket = slice(int(at[begin]), int(at[end]))
            bucket.append(order[begin:end] + before, some, sizes[begin:end], rows_of_bucket, moved)
