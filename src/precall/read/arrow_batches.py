"""Arrow files and streams, read one batch of records at a time, so that one batch is in memory.

A batch of a file is read as a file of one batch: with the dictionaries and the last page. A batch
of a stream is read as a stream of its own, behind the schema and dictionaries that came before it.
Polars reads both from memory, as what a file says about itself must not be trusted.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import partial
from struct import error, pack_into, unpack_from
from typing import Any, BinaryIO, NamedTuple

from precall.core.errors import DataError, Mistake
from precall.read.arrow_schema import ARROW_FILE, field_of, refuse_repeated_columns
from precall.read.frame_files import polars_for, readable
from precall.read.sources import is_plain, pieces, watch_file

#: Kinds of messages in a stream.
_SCHEMA, _DICTIONARY, _RECORDS = 1, 2, 3
#: The beginning of a message, except in very old streams; and the end of a stream.
_BEGIN = b"\xff\xff\xff\xff"
_END = _BEGIN + bytes(4)
#: The greatest size of the header of a message; the data come behind it.
_MOST = 1 << 28
#: Offsets of fields in the table of a message and in that of the last page.
_KIND, _BODY, _DICTIONARIES, _BATCHES = 6, 10, 8, 10


def arrow_batches(path: str, label: str) -> Iterator[Any]:
    """All columns of a file or stream, as Polars frames of one batch each; at least one frame."""
    polars = polars_for("arrow")
    if not is_plain(path):
        stream = _Bytes(pieces(path, label, None))
        begin = stream.take(len(ARROW_FILE))
        if begin == ARROW_FILE:  # its last page comes first
            data = b"".join((begin, *stream.parts(None)))
            yield from _read(polars, "read_ipc", iter([data]), label)
            return
        yield from _read(polars, "read_ipc_stream", _of_stream(stream, begin, label), label)
        return
    with watch_file(path, label) as file:
        if file.read(len(ARROW_FILE)) == ARROW_FILE:
            yield from _read(polars, "read_ipc", _of_file(file, label), label)
            return
        file.seek(0)
        stream = _Bytes(iter(partial(file.read, 1 << 18), b""))
        yield from _read(polars, "read_ipc_stream", _of_stream(stream, b"", label), label)


def _read(polars: object, how: str, files: Iterator[bytes], label: str) -> Iterator[Any]:
    for number, data in enumerate(files):
        if not number:
            refuse_repeated_columns(data, label)
        with readable(polars, "arrow", label):
            frame = getattr(polars, how)(io.BytesIO(data))
        yield frame


class _Block(NamedTuple):
    """Where a message of a file lies, how long it is, and how many bytes of data follow."""

    at: int
    size: int
    body: int


def _of_file(file: BinaryIO, label: str) -> Iterator[bytes]:
    """Files of one batch each, whose last page names no other batch."""
    end = file.seek(0, io.SEEK_END)
    file.seek(max(end - len(ARROW_FILE) - 4, 0))
    last = file.read()
    size = int.from_bytes(last[:4], "little")
    if not last.endswith(ARROW_FILE) or size > min(end, _MOST):
        raise _damage_error(label)
    file.seek(end - len(last) - size)
    page = file.read(size)
    try:
        dictionaries, batches = (_blocks(page, field) for field in (_DICTIONARIES, _BATCHES))
    except error:
        raise _damage_error(label) from None
    parts = [ARROW_FILE + bytes(2)]

    def place(blocks: list[_Block]) -> list[_Block]:
        placed = []
        for block in blocks:
            if (
                block.at < 0
                or block.size < 0
                or block.body < 0
                or block.at + block.size + block.body > end
            ):
                raise _damage_error(label)
            placed.append(block._replace(at=sum(map(len, parts))))
            file.seek(block.at)
            parts.append(file.read(block.size + block.body))
        return placed

    page = _set_blocks(page, _DICTIONARIES, place(dictionaries))
    for batch in batches:
        one = _set_blocks(page, _BATCHES, place([batch]))
        yield b"".join((*parts, _END, one, last))
        parts.pop()
    if not batches:
        yield b"".join((*parts, _END, page, last))


def _blocks(page: bytes, field: int) -> list[_Block]:
    at = _vector(page, field)
    (count,) = unpack_from("<I", page, at) if at else (0,)
    if count * 24 > len(page):
        raise error
    return [_Block(*unpack_from("<qixxxxq", page, at + 4 + 24 * row)) for row in range(count)]


def _set_blocks(page: bytes, field: int, blocks: list[_Block]) -> bytes:
    """The page with other blocks in a field, at most as many as it had."""
    changed, at = bytearray(page), _vector(page, field)
    if blocks:
        pack_into("<I", changed, at, len(blocks))
    for row, block in enumerate(blocks):
        pack_into("<qixxxxq", changed, at + 4 + 24 * row, *block)
    return bytes(changed)


def _vector(page: bytes, field: int) -> int:
    at = field_of(page, field)
    return at and at + int(unpack_from("<I", page, at)[0])


class _Bytes:
    """The pieces of a stream, given out in lengths that are asked for."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        # An empty piece is not the end.
        self._pieces, self._rest = filter(None, pieces), b""

    def take(self, size: int) -> bytes:
        """The next `size` bytes, or fewer at the end."""
        return b"".join(self.parts(size))

    def parts(self, size: int | None) -> list[bytes]:
        """The next `size` bytes, or all, in parts: a false length costs no more memory than there
        are bytes.
        """
        parts = []
        while (size is None or size > 0) and (piece := self._rest or next(self._pieces, b"")):
            parts.append(piece[:size])
            self._rest = piece[len(parts[-1]) :]
            size = None if size is None else size - len(parts[-1])
        return parts


def _of_stream(stream: _Bytes, begin: bytes, label: str) -> Iterator[bytes]:
    """Streams of one batch each; a single stream without a batch if there is none."""
    head: list[bytes] = []
    alone = True
    while True:
        begin += stream.take(8 - len(begin))
        if begin in (_END, b""):
            break
        # Before 2019 a message began with its length.
        old = not begin.startswith(_BEGIN)
        size = int.from_bytes(begin[:4] if old else begin[4:], "little")
        if old and not size:
            break
        if size > _MOST:
            raise _damage_error(label)
        parts = [begin + stream.take(size - 4 * old)]
        kind, body = _read_message(parts[0][4 if old else 8 :], size, label)
        parts += stream.parts(body)
        if sum(map(len, parts[1:])) < body:
            raise _damage_error(label)
        if kind == _RECORDS:
            yield b"".join((*head, *parts, _END))
            alone = False
        else:
            head += parts
        begin = b""
    stream.parts(None)  # to the end, where it is checked whether the file changed
    if alone:
        yield b"".join((*head, _END))


def _read_message(message: bytes, size: int, label: str) -> tuple[int, int]:
    """The kind of a message, and how many bytes of data follow it."""
    try:
        if len(message) != size:
            raise error
        places = field_of(message, _KIND), field_of(message, _BODY)
        kind, body = (
            unpack_from(form, message, at)[0] if at else 0
            for form, at in zip(("<B", "<q"), places, strict=True)
        )
    except error:
        raise _damage_error(label) from None
    if kind not in (_SCHEMA, _DICTIONARY, _RECORDS) or body < 0:
        raise _damage_error(label)
    return kind, body


def _damage_error(label: str) -> DataError:
    return Mistake(
        "not an Arrow file or stream, or one that is cut short or damaged",
        "write it again, or name its true format",
    ).error(label)
