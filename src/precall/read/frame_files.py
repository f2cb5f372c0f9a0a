"""Parquet and Arrow files, read by Polars, completely or in batches of rows.

Files with false information about their rows are errors, except for one case that Polars does not
detect: if a Parquet dictionary claims more values than it has, Polars asks for up to 32 GB, and the
process ends if that is refused.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from precall.core.errors import Cause, DataError, Mistake, require_module
from precall.core.notes import warn
from precall.core.notes.of_reading import LevelsUnread
from precall.read import arrow_schema, parquet_schema
from precall.read.arrow_schema import ARROW_FILE
from precall.read.column_names import recognise_columns
from precall.read.columns import Choice, Parsed, Request
from precall.read.folders import columns_of
from precall.read.formats import BY_NAME
from precall.read.frames import gather_table, read_frame
from precall.read.problems import show_text
from precall.read.sources import contents
from precall.read.tables import column_indexes
from precall.read.values import Levels, label_text, levels_of

#: Marks Categoricals written by Polars, which have no levels.
_OF_POLARS = b"_PL_CATEGORICAL"


def read_binary(path: str, format: str, request: Request) -> Parsed:
    """A run or qrels in a Parquet or Arrow file."""
    if format != "parquet":
        return read_frame(frame_of(path, format, request.label, list), request)
    table = _Parquet(path, request.label)
    columns = list(table.schema)
    recognised_request = recognise_columns(columns, request)
    column_indexes(columns, recognised_request)
    gathering = gather_table(table, recognised_request)
    del table  # the file need not be in memory while rows are grouped
    return gathering.finish()


class _Parquet:
    """Columns of a Parquet file, each read when it is used, so that Polars does not hold two in
    memory.
    """

    def __init__(self, path: str, label: str) -> None:
        import narwhals as nw

        self._polars, self._label = polars_for("parquet"), label
        self._data = contents(path, label)
        parquet_schema.refuse_repeated_columns(self._file(), label)
        with readable(self._polars, "parquet", label):
            kinds = self._polars.read_parquet_schema(self._file())
            self._rows = (
                self._polars.scan_parquet(self._file()).select(self._polars.len()).collect().item()
            )
        self.schema = nw.from_native(self._polars.DataFrame(schema=kinds)).schema

    def _file(self) -> io.BytesIO:
        return io.BytesIO(self._data)

    def __len__(self) -> int:
        return int(self._rows)

    def __getitem__(self, name: str) -> Any:
        import narwhals as nw

        with readable(self._polars, "parquet", self._label):
            column = self._polars.read_parquet(self._file(), columns=[name])[name]
        return nw.from_native(column, series_only=True)


def frame_of(path: str, format: str, label: str, choose: Choice) -> Any:
    """The columns of a file that `choose` picks by name, as a Polars frame; for Arrow files all
    columns.
    """
    polars = polars_for(format)
    return _frame_of(polars, contents(path, label), format, label, choose)


def _frame_of(polars: object, data: bytes, format: str, label: str, choose: Choice) -> Any:
    if format == "arrow":
        arrow_schema.refuse_repeated_columns(data, label)
    elif format == "parquet":
        parquet_schema.refuse_repeated_columns(io.BytesIO(data), label)
    with readable(polars, format, label):
        return FRAMES[format](polars, data, choose)


def frame_and_levels(
    path: str, format: str, label: str, choose: Choice, load: Choice
) -> tuple[Any, Callable[[], dict[str, Levels]]]:
    """The columns that `load` picks, and a function that gives the levels which those that `choose`
    picks declare as Arrow dictionaries; Polars keeps only levels that occur.
    """
    polars = polars_for(format)
    data = contents(path, label)
    frame = _frame_of(polars, data, format, label, load)
    chosen = {name: _of_cells(frame.schema[name]) for name in choose(list(frame.columns))}
    sure = [name for name, kind in chosen.items() if kind == polars.Categorical]
    # In Parquet files only texts are dictionaries; in Arrow files numbers may be.
    others = [
        name
        for name, kind in chosen.items()
        if format == "arrow" and (kind.is_integer() or kind == polars.Boolean)
    ]
    return frame, cache(partial(_levels, data, format, sure, others)) if sure or others else dict


def _of_cells(kind: object) -> Any:
    """The type of the labels in a column, or in the lists of a column."""
    return getattr(kind, "inner", None) or kind


def _levels(data: bytes, format: str, sure: list[str], others: list[str]) -> dict[str, Levels]:
    """Levels of columns that are dictionaries, and of others that may be, read by PyArrow; a note
    says if it cannot read them.
    """
    try:
        import pyarrow
        from pyarrow import ipc, parquet
    except ImportError:
        if sure and _OF_POLARS not in (data if format == "arrow" else _schema(data)):
            _warn_of_unread_levels(sure, "is not installed")
        return {}
    file = io.BytesIO(data)
    try:
        if format == "parquet":
            table = parquet.read_table(file, columns=sure)
        else:
            reader = (ipc.open_file if data.startswith(ARROW_FILE) else ipc.open_stream)(file)
            table = reader.read_all().select([*sure, *others])
        # This detects files with false information about their contents.
        table.validate(full=True)
    except (pyarrow.ArrowException, OSError, KeyError):
        if sure:
            _warn_of_unread_levels(sure, "cannot read the file")
        return {}
    levels_by_name = {}
    for name in table.column_names:
        of_polars = any(key.startswith(_OF_POLARS) for key in table.field(name).metadata or {})
        if not of_polars and (levels := levels_of(table[name])) is not None:
            names = tuple(text for label in levels.names if (text := label_text(label)) is not None)
            levels_by_name[name] = Levels(names, levels.ordered)
    return levels_by_name


def _warn_of_unread_levels(columns: list[str], why: str) -> None:
    warn(LevelsUnread("", tuple(map(show_text, columns)), why))


def _schema(data: bytes) -> bytes:
    """The Arrow types that a Parquet file keeps."""
    import base64

    import polars

    return base64.b64decode(polars.read_parquet_metadata(io.BytesIO(data)).get("ARROW:schema", ""))


def parquet_batches(path: str, label: str, choose: Choice, rows: int) -> Iterator[Any]:
    """The columns of a Parquet file that `choose` picks, as frames of at most `rows` rows; at least
    one frame.
    """
    polars = polars_for("parquet")
    with readable(polars, "parquet", label):
        with Path(path).open("rb") as opened:
            parquet_schema.refuse_repeated_columns(opened, label)
        file = polars.scan_parquet(path, glob=False)
        names = file.collect_schema().names()
        values_of_path = {
            name: value for name, value in columns_of(path).items() if name not in names
        }
        table = file.with_columns(
            **{name: polars.lit(value) for name, value in values_of_path.items()}
        )
        table = table.select(choose([*names, *values_of_path]))
        size = table.select(polars.len()).collect().item()
        # Slices one by one: batches of Polars are read ahead, the further the more threads there
        # are.
        for begin in range(0, max(size, 1), rows):
            yield table.slice(begin, rows).collect()


def polars_for(format: str) -> ModuleType:
    """Polars, or an error that says to install it."""
    return require_module("polars", f"reading {format} needs Polars")


@contextmanager
def readable(polars: Any, format: str, label: str) -> Iterator[None]:
    """Turn an error of Polars about an unreadable file into a DataError."""
    try:
        yield
    except DataError:
        raise
    # A panic of Polars is a BaseException, but here it only means that the file has false
    # information about its contents.
    except (
        polars.exceptions.PolarsError,
        polars.exceptions.PanicException,
        OSError,
        ValueError,
    ) as error:
        raise Mistake(
            "not {noun:s} that Polars can read ({got})",
            "write it again, or name its true format",
            noun=BY_NAME[format].noun,
            got=Cause(error),
        ).error(label) from None


def _frame_of_arrow(polars: Any, data: bytes, choose: Choice) -> Any:
    is_file = data.startswith(ARROW_FILE)
    return (polars.read_ipc if is_file else polars.read_ipc_stream)(io.BytesIO(data))


def _frame_of_parquet(polars: Any, data: bytes, choose: Choice) -> Any:
    chosen = choose(list(polars.read_parquet_schema(io.BytesIO(data))))
    return polars.read_parquet(io.BytesIO(data), columns=chosen)


#: The function that reads each format: from Polars, the bytes of a file and the choice among its
#: columns, which it may leave to the caller, to a Polars frame. It reads from memory: a mapped file
#: would be trusted, and one with false information could crash the process.
FRAMES: dict[str, Callable[[Any, bytes, Choice], Any]] = {
    "parquet": _frame_of_parquet,
    "arrow": _frame_of_arrow,
}
