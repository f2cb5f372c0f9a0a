"""Where a source lies and in what format, told from its path."""

from __future__ import annotations

import errno
import os
import stat
import sys
from typing import Any, BinaryIO

from precall.checks import check_choice
from precall.errors import DataError, Problem, UsageError
from precall.native.file_state import settled, state
from precall.read.archives import ENDINGS as ARCHIVES
from precall.read.archives import LONGEST, begun_by, decompressed, whole
from precall.text import file_name, printable

FORMATS = ("trec", "csv", "tsv", "jsonl", "parquet", "arrow")
STANDARD_INPUT = "standard input"
#: What is wrong with a file that others write to meanwhile, and what to do.
CHANGED = ("the file changed while read", "read it again when nothing writes to it")

#: Endings of file names that say the format; any other is TREC text.
_ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
#: Endings that are no part of a run's name.
_DROPPED = (*_ENDINGS, ".run", ".txt", ".trec", ".qrels")


def label_of(path: str) -> str:
    """What messages call an input."""
    return STANDARD_INPUT if path == "-" else printable(path)


def stem(path: str | os.PathLike[str]) -> str:
    """Name of a run, told from its path: the file's name without the endings of archives and formats.

    Parameters
    ----------
    path : where the run lies; `-` is standard input.

    Examples
    --------
    >>> stem("runs/bm25.run.gz"), stem("runs/bm25.v2.csv"), stem("input.bm25"), stem("-")
    ('bm25', 'bm25.v2', 'input.bm25', 'standard input')
    """
    text = os.fsdecode(path)
    if text == "-":
        return STANDARD_INPUT
    from pathlib import PurePath

    return _without(_without(PurePath(text).name, ARCHIVES), _DROPPED) or text


def _ending(path: str) -> str:
    # Imported late, as it takes as long as all other modules of this folder.
    from pathlib import PurePath

    return PurePath(path).suffix


def _without(name: str, endings: tuple[str, ...]) -> str:
    ending = _ending(name)
    return name.removesuffix(ending) if ending.lower() in endings else name


def is_path(source: Any) -> bool:
    """Whether a source is a path (or `-`) rather than data."""
    return isinstance(source, str | os.PathLike)


def format_of(path: str, asked: str | None) -> str:
    """The format asked for, else the one the path's ending says."""
    if asked is None:
        return _ENDINGS.get(_ending(_without(path, ARCHIVES)).lower(), "trec")
    check_choice("format", asked, FORMATS)
    return asked


def is_plain(path: str) -> bool:
    """Whether the kernel can read the file itself: on disk and not compressed.

    Raises
    ------
    OSError
        There is no such file, or it is a directory.
    """
    from pathlib import Path

    if path == "-" or _archive(path):
        return False
    mode = Path(file_name(path)).stat().st_mode
    if stat.S_ISDIR(mode):
        raise _directory(path)
    if not stat.S_ISREG(mode):
        return False
    with Path(path).open("rb", buffering=0) as file:
        return begun_by(file.read(LONGEST)) is None


def contents(path: str, label: str) -> bytes:
    """All bytes of a file or of standard input, decompressed; DataError if others write to the file meanwhile.

    What has no name that says so (standard input, a pipe of the shell) is told to be an archive by its bytes.
    """
    from pathlib import Path

    if path != "-" and Path(file_name(path)).is_dir():
        raise _directory(path)
    if path == "-":
        return whole(_typed(), label)
    ending = _archive(path)
    with Path(path).open("rb") as file:
        before = settled(file)
        try:
            data = file.read() if ending is None else decompressed(file, ending, label)
        except DataError:
            # An archive that others write to looks damaged.
            _check_unchanged(file, before, label)
            raise
        _check_unchanged(file, before, label)
    return data if ending is not None else whole(data, label)


def _check_unchanged(file: BinaryIO, before: tuple[int, int, int], label: str) -> None:
    if stat.S_ISREG(before[0]) and state(file) != before:
        raise DataError([Problem(label, None, *CHANGED)])


def _typed() -> bytes:
    """All of standard input."""
    if sys.stdin is None:
        raise UsageError("standard input is closed; name a file instead of -, or pipe one in")
    if not hasattr(sys.stdin, "buffer"):
        return sys.stdin.read().encode()  # a notebook's, which gives text only
    data: bytes = sys.stdin.buffer.read()
    return data


def _archive(path: str) -> str | None:
    ending = _ending(path).lower()
    return ending if ending in ARCHIVES else None


def _directory(path: str) -> OSError:
    return IsADirectoryError(errno.EISDIR, "is a directory, expected a file", path)
