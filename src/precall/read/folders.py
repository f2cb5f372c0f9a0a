"""Folders of Parquet files as Spark and Hive write them: the files that hold data, and the columns
that their paths hold.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from typing import TypeAlias
from urllib.parse import unquote

from precall.core.errors import Among, DataError, Fact, Mistake
from precall.core.text import is_folder
from precall.read.formats import BY_NAME
from precall.read.sources import label_of

#: What is wrong if a folder or a pattern has no such file.
NONE = "no Parquet file is there"
Value: TypeAlias = int | bool | str | None

#: Files below such a name are unfinished or hold no data; Spark and Hive ignore them as well.
_HIDDEN = re.compile(r"(^|/)(\.|_[^=/]*(/|$))")
_NULL = "__HIVE_DEFAULT_PARTITION__"
_TRUTHS = {"true": True, "false": False}


def is_data(path: str) -> bool:
    """Whether a file holds cases, by its path inside the folder.

    Examples
    --------
    >>> list(
    ...     map(is_data, ["_id=1/a.parquet", "_temporary/0/a.parquet", ".a.parquet", "readme.txt"])
    ... )
    [True, False, False, False]
    """
    return path.endswith(BY_NAME["parquet"].endings) and not _HIDDEN.search(path)


def files_of(source: str) -> list[str]:
    """A file itself; for a folder the Parquet files below it, sorted by path."""
    if not is_folder(source):
        return [source]
    files = sorted(
        path
        for path in _below(source)
        if is_data(os.path.relpath(path, source).replace(os.sep, "/"))
    )
    if not files:
        raise Mistake(f"is a directory, and {NONE}", "name Parquet files or folders of them").error(
            label_of(source)
        )
    refuse_no_files(files, "remove it from the folder, or name the files one by one")
    return files


def refuse_no_files(paths: Iterable[str], remedy: str) -> None:
    """Raise a DataError if some of these paths are no regular files: a pipe waits for a writer, and
    a device may have no end.
    """
    kinds = ((path, _kind(os.stat(path).st_mode)) for path in paths)  # noqa: PTH116
    if others := [(path, kind) for path, kind in kinds if kind]:
        raise DataError(
            [
                Mistake(
                    "is {got}", remedy, got=Fact(kind), allowed=Among("expected", ["a file"])
                ).of(label_of(path))
                for path, kind in others
            ]
        )


def _below(source: str) -> Iterator[str]:
    """All files below a folder, links included; a folder that cannot be read is an error."""

    def refuse(error: OSError) -> None:
        raise error

    for folder, folders, names in os.walk(source, onerror=refuse, followlinks=True):
        yield from (os.path.join(folder, name) for name in names)  # noqa: PTH118
        # A link to a folder that contains it would lead round for ever.
        folders[:] = [name for name in folders if not _is_round(folder, name)]


def _is_round(folder: str, name: str) -> bool:
    target = os.path.realpath(os.path.join(folder, name))  # noqa: PTH118
    return os.path.commonpath([target, os.path.realpath(folder)]) == target


def _kind(mode: int) -> str:
    """What a path is if it is no regular file, and so may have no end or wait for a writer; empty
    for a file, and for a folder, which is refused where it is read.
    """
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return ""
    return "a pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"


def columns_of(path: str) -> dict[str, Value]:
    """The columns that all rows of a file share, by folders called `name=value`: whole numbers,
    true, false or texts.

    Examples
    --------
    >>> (
    ...     columns_of("cases/year=2024/site=a%20b/x.parquet"),
    ...     columns_of("ok=true/of=__HIVE_DEFAULT_PARTITION__/x.parquet"),
    ... )
    ({'year': 2024, 'site': 'a b'}, {'ok': True, 'of': None})
    """
    pairs = (folder.split("=", 1) for folder in re.split(r"[/\\]", path)[:-1] if "=" in folder[1:])
    return {unquote(name): _value(unquote(value)) for name, value in pairs}


def _value(text: str) -> Value:
    # Numbers in other forms, such as 01, stay texts.
    if re.fullmatch(r"0|-?[1-9][0-9]{0,17}", text):
        return int(text)
    return None if text == _NULL else _TRUTHS.get(text, text)
