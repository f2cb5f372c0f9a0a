"""Files of columns, Parquet and Arrow, read by Polars."""

from __future__ import annotations

import io
from typing import Any

from precall.errors import DataError, MissingExtra, Problem
from precall.read.frames import read_frame
from precall.read.sources import contents, is_plain
from precall.read.subjects import Parsed, Request

_NAMES = {"parquet": "a Parquet file", "arrow": "an Arrow file or stream"}


def read_binary(path: str, format: str, request: Request) -> Parsed:
    """A run or qrels in a file of columns."""
    polars = _polars(format)
    data = contents(path, request.label)
    try:
        frame = _frame(polars, data, format)
    except polars.exceptions.PanicException as error:
        raise _unreadable(request, format, error) from None
    except (polars.exceptions.PolarsError, OSError, ValueError) as error:
        raise _unreadable(request, format, error) from error
    return read_frame(frame, request, request.label)


def _polars(format: str) -> Any:
    try:
        import polars
    except ImportError as error:
        raise MissingExtra(f"reading {format} needs Polars: pip install 'precall[files]'") from error
    return polars


def _frame(polars: Any, data: bytes, format: str) -> Any:
    return polars.read_parquet(io.BytesIO(data))


def _unreadable(request: Request, format: str, error: BaseException) -> DataError:
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    what = f"not {_NAMES[format]} that Polars can read ({reason})"
    return DataError([Problem(request.label, None, what, "write it again, or give its true format with format=")])
