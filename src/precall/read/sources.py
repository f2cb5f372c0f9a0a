"""Where a source lies and in what format, told from its path."""

from __future__ import annotations

import errno
import os
import stat
import sys
from typing import Any

from precall.errors import UsageError
from precall.read.archives import ENDINGS as ARCHIVES
from precall.read.archives import decompressed

FORMATS = ("trec", "csv", "tsv", "jsonl", "parquet", "arrow")
STANDARD_INPUT = "standard input"

#: Endings of file names that say the format; any other is TREC text.
_ENDINGS = {
    ".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".pq": "parquet",
    ".arrow": "arrow", ".arrows": "arrow", ".feather": "arrow", ".ipc": "arrow",
}  # fmt: skip
#: Endings that are no part of a run's name.
_DROPPED = (*_ENDINGS, ".run", ".txt", ".trec", ".res", ".qrels")


def stem(path: str | os.PathLike[str]) -> str:
    """Name of a run, told from its path: the file's name without the endings of archives and formats.

    Examples
    --------
    >>> stem("runs/bm25.run.gz"), stem("runs/bm25.v2.csv"), stem("input.bm25"), stem("-")
    ('bm25', 'bm25.v2', 'input.bm25', 'standard input')
    """
    text = os.fsdecode(path)
    if text == "-":
        return STANDARD_INPUT
    whole = os.path.basename(text.rstrip("/" + os.sep)) or text
    name = _without(_without(whole, ARCHIVES), _DROPPED)
    return name or whole


def _without(name: str, endings: tuple[str, ...]) -> str:
    root, ending = os.path.splitext(name)
    return root if ending.lower() in endings else name


def is_path(source: Any) -> bool:
    """Whether a source is a path (or `-`) rather than data."""
    return isinstance(source, str | os.PathLike)


def format_of(path: str, asked: str | None) -> str:
    """The format asked for, else the one the path's ending says."""
    if asked is not None:
        if asked not in FORMATS:
            raise UsageError(f"format: got {asked!r}, allowed are {', '.join(FORMATS)}")
        return asked
    return _ENDINGS.get(os.path.splitext(_without(path, ARCHIVES))[1].lower(), "trec")


def archive_of(path: str) -> str | None:
    """The ending of the archive that a path names, if any."""
    ending = os.path.splitext(path)[1].lower()
    return ending if ending in ARCHIVES else None


def is_plain(path: str) -> bool:
    """Whether the kernel can map the file itself: on disk, not compressed. OSError if it cannot be read."""
    if path == "-" or archive_of(path):
        return False
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "is a directory, expected a file", path)
    return stat.S_ISREG(mode)


def contents(path: str, label: str) -> bytes:
    """All bytes of a file or of standard input, decompressed."""
    if path == "-":
        data: bytes = sys.stdin.buffer.read()
        return data
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, "is a directory, expected a file", path)
    ending = archive_of(path)
    with open(path, "rb") as file:
        return file.read() if ending is None else decompressed(file, ending, label)
