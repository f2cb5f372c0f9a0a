"""Where a source lies and in what format, told from its path."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path
from typing import Any

from precall.errors import UsageError
from precall.read.archives import ENDINGS as ARCHIVES
from precall.read.archives import LONGEST, begun_by, decompressed, whole

FORMATS = ("trec", "csv", "tsv", "jsonl", "parquet", "arrow")
STANDARD_INPUT = "standard input"

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
    return _without(_without(Path(text).name, ARCHIVES), _DROPPED) or text


def _without(name: str, endings: tuple[str, ...]) -> str:
    ending = Path(name).suffix
    return name.removesuffix(ending) if ending.lower() in endings else name


def is_path(source: Any) -> bool:
    """Whether a source is a path (or `-`) rather than data."""
    return isinstance(source, str | os.PathLike)


def format_of(path: str, asked: str | None) -> str:
    """The format asked for, else the one the path's ending says."""
    if asked is None:
        return _ENDINGS.get(Path(_without(path, ARCHIVES)).suffix.lower(), "trec")
    if asked not in FORMATS:
        raise UsageError(f"format: got {asked!r}, allowed are {', '.join(FORMATS)}")
    return asked


def is_plain(path: str) -> bool:
    """Whether the kernel can read the file itself: on disk and not compressed.

    Raises
    ------
    OSError
        There is no such file, or it is a directory.
    """
    if path == "-" or _archive(path):
        return False
    mode = Path(path).stat().st_mode
    if stat.S_ISDIR(mode):
        raise _directory(path)
    if not stat.S_ISREG(mode):
        return False
    with Path(path).open("rb", buffering=0) as file:
        return begun_by(file.read(LONGEST)) is None


def contents(path: str, label: str) -> bytes:
    """All bytes of a file or of standard input, decompressed.

    What has no name that says so (standard input, a pipe of the shell) is told to be an archive by its bytes.
    """
    if path != "-" and Path(path).is_dir():
        raise _directory(path)
    ending = _archive(path)
    if ending is not None:
        with Path(path).open("rb") as file:
            return decompressed(file, ending, label)
    data = _typed() if path == "-" else Path(path).read_bytes()
    return whole(data, label)


def _typed() -> bytes:
    """All of standard input."""
    if sys.stdin is None:
        raise UsageError("standard input is closed; name a file instead of -, or pipe one in")
    if not hasattr(sys.stdin, "buffer"):
        return sys.stdin.read().encode()  # a notebook's, which gives text only
    data: bytes = sys.stdin.buffer.read()
    return data


def _archive(path: str) -> str | None:
    ending = Path(path).suffix.lower()
    return ending if ending in ARCHIVES else None


def _directory(path: str) -> OSError:
    return IsADirectoryError(errno.EISDIR, "is a directory, expected a file", path)
