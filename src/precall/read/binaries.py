"""Files of columns, Parquet and Arrow, read by Polars.

A file that lies about its rows is an error. One lie is left that Polars believes: a Parquet dictionary that
claims more values than it has makes it ask for up to 32 GB, and where that is refused, the process ends.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from precall.errors import DataError, MissingExtra, Problem
from precall.read.frames import places, read_frame
from precall.read.sources import contents
from precall.read.subjects import Parsed, Request

_NAMES = {"parquet": "a Parquet file", "arrow": "an Arrow file or stream"}
#: An Arrow file begins with these bytes; an Arrow stream does not.
_ARROW_FILE = b"ARROW1"


def read_binary(path: str, format: str, request: Request) -> Parsed:
    """A run or qrels in a file of columns."""

    def chosen(columns: list[str]) -> list[str]:
        places(columns, request)
        return list(dict.fromkeys(request.names))

    return read_frame(frame_of(path, format, request.label, chosen), request)


def frame_of(path: str, format: str, label: str, choose: Callable[[list[str]], list[str]]) -> Any:
    """The columns of a file that `choose` picks of its names, as a frame of Polars; of Arrow, all of them."""
    try:
        import polars
    except ImportError as error:
        raise MissingExtra(f"reading {format} needs Polars: pip install polars") from error
    data = contents(path, label)
    try:
        return _frame(polars, data, format, choose)
    except DataError:
        raise
    # A panic of Polars is a BaseException, and still no more than a file that lies about its contents.
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:160] or type(error).__name__
        what = f"not {_NAMES[format]} that Polars can read ({reason})"
        raise DataError([Problem(label, None, what, "write it again, or name its true format")]) from None


def _frame(polars: Any, data: bytes, format: str, choose: Callable[[list[str]], list[str]]) -> Any:
    # From memory: a mapped Arrow file would be trusted, and one that lies could then crash the process.
    file = io.BytesIO(data)
    if format == "arrow":
        return polars.read_ipc(file) if data.startswith(_ARROW_FILE) else polars.read_ipc_stream(file)
    chosen = choose(list(polars.read_parquet_schema(file)))
    file.seek(0)
    return polars.read_parquet(file, columns=chosen)
