"""Parquet and Arrow files, by Polars, whole or in batches of rows.

Files that lie about their rows are errors, but for one lie that Polars believes: a Parquet dictionary that claims more values
than it has makes it ask for up to 32 GB, and where that is refused, the process ends.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from precall.errors import DataError, Problem, imported
from precall.read.arrow_streams import reason
from precall.read.columns import Parsed, Request
from precall.read.folders import columns_of
from precall.read.frames import gathered, read_frame
from precall.read.naming import recognised
from precall.read.sources import contents
from precall.read.tables import places

_NAMES = {"parquet": "a Parquet file", "arrow": "an Arrow file or stream"}
#: An Arrow file begins with these bytes; an Arrow stream does not.
ARROW_FILE = b"ARROW1"


def read_binary(path: str, format: str, request: Request) -> Parsed:
    """A run or qrels in a file of columns."""
    if format == "arrow":
        return read_frame(frame_of(path, format, request.label, list), request)
    table = _Parquet(path, request.label)
    columns = list(table.schema)
    known = recognised(columns, request)
    places(columns, known)
    gathering = gathered(table, known)
    del table  # while rows are grouped, the file need not be in memory
    return gathering.finish()


class _Parquet:
    """Columns of a Parquet file. Each is read when it is asked for, so that no two are in memory as Polars has them."""

    def __init__(self, path: str, label: str) -> None:
        import narwhals as nw

        self._polars, self._label = polars_for("parquet"), label
        self._data = contents(path, label)
        with readable(self._polars, "parquet", label):
            kinds = self._polars.read_parquet_schema(self._file())
            self._rows = self._polars.scan_parquet(self._file()).select(self._polars.len()).collect().item()
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


def frame_of(path: str, format: str, label: str, choose: Callable[[list[str]], list[str]]) -> Any:
    """The columns of a file that `choose` picks of its names, as a frame of Polars; of Arrow, all of them."""
    polars = polars_for(format)
    data = contents(path, label)
    with readable(polars, format, label):
        return _frame(polars, data, format, choose)


def parquet_batches(
    path: str, label: str, choose: Callable[[list[str]], list[str]], rows: int
) -> Iterator[Any]:
    """The columns that `choose` picks of a Parquet file, as frames of about so many rows, at least one."""
    polars = polars_for("parquet")
    with readable(polars, "parquet", label):
        file = polars.scan_parquet(path, glob=False)
        names = file.collect_schema().names()
        told = {name: value for name, value in columns_of(path).items() if name not in names}
        table = file.with_columns(**{name: polars.lit(value) for name, value in told.items()})
        table = table.select(choose([*names, *told]))
        size = table.select(polars.len()).collect().item()
        # One slice after another: Polars' own batches are read ahead of, the further the more threads there are.
        for begin in range(0, max(size, 1), rows):
            yield table.slice(begin, rows).collect()


def polars_for(format: str) -> Any:
    """Polars, or what to do where it is not installed."""
    return imported("polars", f"reading {format} needs Polars")


@contextmanager
def readable(polars: Any, format: str, label: str) -> Iterator[None]:
    """What Polars says of a file that it cannot read becomes a problem of the file."""
    try:
        yield
    except DataError:
        raise
    # A panic of Polars is a BaseException, and still no more than a file that lies about its contents.
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError, ValueError) as error:
        what = f"not {_NAMES[format]} that Polars can read ({reason(error)})"
        raise DataError([Problem(label, None, what, "write it again, or name its true format")]) from None


def _frame(polars: Any, data: bytes, format: str, choose: Callable[[list[str]], list[str]]) -> Any:
    # From memory: a mapped Arrow file would be trusted, and one that lies could then crash the process.
    file = io.BytesIO(data)
    if format == "arrow":
        return polars.read_ipc(file) if data.startswith(ARROW_FILE) else polars.read_ipc_stream(file)
    chosen = choose(list(polars.read_parquet_schema(file)))
    file.seek(0)
    return polars.read_parquet(file, columns=chosen)
