"""The size of inputs, and the memory that is available for them."""

from __future__ import annotations

import os
import stat
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import IO, BinaryIO

from precall.core.arguments import check_whole
from precall.core.errors import spooling_error
from precall.core.text import file_name
from precall.read.sources import (
    ARCHIVES,
    LONG,
    beginning,
    is_archive,
    label_of,
    read_ahead,
    standard_input,
)

#: Distinct relevant scores may take one part in this many of the free memory, unless a limit is
#: given.
_SHARE = 4
#: The limit in bytes if the free memory is not known.
_SOME = 1 << 30
#: A file takes this many times its size in memory when it is read completely.
_TIMES = 8
#: An archive is assumed to expand to this many times its size.
_EXPANSION = 4
#: A file of columns from this many bytes on is read in batches more quickly than whole
#: (`bench/scale.py`).
_LONG = 1 << 24
#: Bytes of standard input read at a time.
_PIECE = 1 << 22


def is_regular(path: str) -> bool:
    """Whether it is a file that can be read again."""
    return path != "-" and stat.S_ISREG(status(path).st_mode)


def takes_long(path: str) -> bool:
    """Whether a file of columns is so large that several passes over it, in batches, take less time
    than memory for all of it.
    """
    return path != "-" and is_regular(path) and status(path).st_size >= _LONG


def status(path: str) -> os.stat_result:
    """The status of a file, without pathlib, which takes as long to import as all other modules of
    this folder.
    """
    return os.stat(file_name(path))  # noqa: PTH116


@contextmanager
def outgrows(
    path: str, memory: int | None, look: Callable[[bytes], object] | None = None
) -> Iterator[bool]:
    """Whether a file is too large to be read completely into this much memory, by default a share
    of the free memory.

    As much of standard input is read as would fit; inside the block it still begins with what was
    read. `look` checks its first lines and may refuse them. Other pipes and devices outgrow any
    memory limit that is given.
    """
    most = memory_limit(memory) // _TIMES
    if path != "-":
        yield _is_larger(path, most, memory)
        return
    if not hasattr(sys.stdin, "buffer"):  # a notebook's, or none
        yield False
        return
    ahead = _Ahead(standard_input(), most, partial(beginning, label=label_of(path), look=look))
    token = read_ahead.set(ahead)
    try:
        yield ahead.goes_on
    finally:
        read_ahead.reset(token)


def _is_larger(path: str, most: int, memory: int | None) -> bool:
    try:
        if not is_regular(path):
            return memory is not None
        return status(path).st_size > most // (_EXPANSION if path.endswith(ARCHIVES) else 1)
    except OSError:
        return False  # reading it gives a better message


class _Ahead:
    """A stream whose beginning was read ahead; `goes_on` says whether there is more."""

    def __init__(self, file: BinaryIO, most: int, begin: Callable[[BinaryIO, int], bytes]) -> None:
        first = begin(file, min(most + 1, LONG))
        if is_archive(first):
            most //= _EXPANSION
        self._file, self._pieces, size = file, deque([memoryview(first)]), len(first)
        while size <= most and (piece := file.read(min(most + 1 - size, _PIECE))):
            self._pieces.append(memoryview(piece))
            size += len(piece)
        self.goes_on = size > most

    def read(self, size: int) -> bytes:
        """The next `size` bytes, or fewer at the end; they are not kept."""
        parts: list[bytes | memoryview] = []
        while size and self._pieces:
            piece = self._pieces.popleft()
            parts.append(piece[:size])
            if len(piece) > size:
                self._pieces.appendleft(piece[size:])
            size -= len(parts[-1])
        if size:
            parts.append(self._file.read(size))
        return b"".join(parts)


def memory_limit(memory: int | None) -> int:
    """The number of bytes that may be used: the given one, checked, or `free_memory`."""
    return free_memory() if memory is None else check_whole("memory", memory, 1)


def free_memory() -> int:
    """The number of bytes that may be used by default: a quarter of the free memory."""
    try:
        with open("/proc/meminfo") as lines:  # noqa: PTH123
            free = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration, ValueError):
        return _SOME
    return free * 1024 // _SHARE


def temporary_file() -> IO[bytes]:
    """A temporary file without a name, so that nothing of it remains whatever happens."""
    import tempfile

    with _room():
        return tempfile.TemporaryFile(buffering=0)


def spool(file: IO[bytes], data: bytes | memoryview) -> None:
    """Write all data; a full disk is an OSError that says what to do."""
    rest = memoryview(data)
    with _room():
        while rest:
            rest = rest[file.write(rest) :]


@contextmanager
def _room() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise spooling_error(error, "cases") from error
