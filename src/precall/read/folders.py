"""Folders of Parquet files as Spark and Hive write them: which files hold data, and the columns
that their paths tell.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from typing import TypeAlias
from urllib.parse import unquote

from precall.core.errors import DataError, Problem
from precall.core.text import is_folder
from precall.read.formats import BY_NAME
from precall.read.sources import label_of

#: What is wrong with a folder or a pattern without any.
NONE = "no Parquet file is there"
Value: TypeAlias = int | bool | str | None

#: What stands below such a name is not finished, or no data: Spark and Hive pass over it, too.
_HIDDEN = re.compile(r"(^|/)(\.|_[^=/]*(/|$))")
_NULL = "__HIVE_DEFAULT_PARTITION__"
_TRUTHS = {"true": True, "false": False}


def is_data(path: str) -> bool:
    """Whether a file holds cases, by its path inside the folder that was named.

    Examples
    --------
    >>> list(
    ...     map(is_data, ["_id=1/a.parquet", "_temporary/0/a.parquet", ".a.parquet", "readme.txt"])
    ... )
    [True, False, False, False]
    """
    return path.endswith(BY_NAME["parquet"].endings) and not _HIDDEN.search(path)


def files_of(source: str) -> list[str]:
    """A file itself; of a folder the Parquet files below it, in the order of their paths."""
    if not is_folder(source):
        return [source]
    files = sorted(
        path
        for path in _below(source)
        if is_data(os.path.relpath(path, source).replace(os.sep, "/"))
    )
    if not files:
        what = f"is a directory, and {NONE}"
        raise DataError(
            [Problem(label_of(source), None, what, "name Parquet files or folders of them")]
        )
    kinds = ((path, _kind(os.stat(path).st_mode)) for path in files)  # noqa: PTH116
    if others := [(path, kind) for path, kind in kinds if kind]:
        todo = "remove it from the folder, or name the files one by one"
        raise DataError(
            [
                Problem(label_of(path), None, f"is {kind}, expected a file", todo)
                for path, kind in others
            ]
        )
    return files


def _below(source: str) -> Iterator[str]:
    """All files below a folder, also behind links; one in it that cannot be read is an error."""

    def refuse(error: OSError) -> None:
        raise error

    for place, folders, names in os.walk(source, onerror=refuse, followlinks=True):
        yield from (os.path.join(place, name) for name in names)  # noqa: PTH118
        # A link to a folder that it lies in leads round for ever.
        folders[:] = [name for name in folders if not _is_round(place, name)]


def _is_round(place: str, name: str) -> bool:
    inner = os.path.realpath(os.path.join(place, name))  # noqa: PTH118
    return os.path.commonpath([inner, os.path.realpath(place)]) == inner


def _kind(mode: int) -> str:
    """What is no regular file, and may have no end or wait for a writer; nothing for a file."""
    if stat.S_ISREG(mode):
        return ""
    return "a pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"


def columns_of(path: str) -> dict[str, Value]:
    """The columns that all rows of a file share, told by folders called `name=value`: whole
    numbers, true, false or texts.

    Examples
    --------
    >>> (
    ...     columns_of("cases/year=2024/site=a%20b/x.parquet"),
    ...     columns_of("ok=true/of=__HIVE_DEFAULT_PARTITION__/x.parquet"),
    ... )
    ({'year': 2024, 'site': 'a b'}, {'ok': True, 'of': None})
    """
    pairs = (part.split("=", 1) for part in re.split(r"[/\\]", path)[:-1] if "=" in part[1:])
    return {unquote(name): _value(unquote(value)) for name, value in pairs}


def _value(text: str) -> Value:
    # Numbers that are written otherwise, such as 01, stay as they are.
    if re.fullmatch(r"0|-?[1-9][0-9]{0,17}", text):
        return int(text)
    return None if text == _NULL else _TRUTHS.get(text, text)
