"""Tables that only have the Arrow interface, read with nanoarrow: their batches, and their columns
as they lie in memory.

The Arrow interface gives pointers without sizes. It can be checked that texts follow one another,
that codes point into their dictionary and that columns are as long as their table; otherwise the
table is refused. A last offset that is too large cannot be detected: the memory behind the column
is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.core.errors import Cause, Mistake, PrecallError, require_module
from precall.core.text import is_utf8
from precall.native.literals import EXACT, GRADE_HIGH, GRADE_LOW
from precall.read.columns import Ids
from precall.read.gathering import BATCH
from precall.read.grades import shown_as_decimals
from precall.read.problems import refuse_repeated

#: Types of Arrow whose offsets are checked.
_TEXTS = ("string", "large_string", "binary", "large_binary")


def chunks_of(native: object) -> Iterable[Any]:
    """The chunks of a column as Arrow has them; none for a pandas column without PyArrow, which
    pandas needs to make them.
    """
    import nanoarrow

    try:
        stream: Iterable[Any] = nanoarrow.ArrayStream(native)
    except ImportError:
        return ()
    return stream


def texts_of(chunk: object) -> Ids | None:
    """The texts of an Arrow chunk as they lie in memory; None if it holds no texts, has gaps, is
    not UTF-8 or lies elsewhere.
    """
    from nanoarrow.c_array import c_array, c_array_view

    column = c_array_view(c_array(chunk))
    kind = getattr(column, "storage_type", None)
    if kind not in _TEXTS[:2] or column.dictionary is not None or column.null_count:
        return None
    if not column.length:
        return Ids(np.zeros(0, np.uint8), np.zeros(1, np.int64))
    _check_buffers(column)
    start = np.asarray(column.buffer(1))[column.offset :][: column.length + 1].astype(np.int64)
    data = np.asarray(column.buffer(2)).view(np.uint8)[start[0] : start[-1]]
    start -= start[0]
    # A text must begin with a character, not inside one.
    inside = start[:-1][start[:-1] < start[1:]]
    if (
        len(data)
        and data.max() > 127
        and not (is_utf8(data.tobytes()) and np.all(data[inside] & 0xC0 != 0x80))
    ):
        return None
    return Ids(data, start)


def numbers_of(chunk: Any, of_run: bool) -> npt.NDArray[Any] | None:
    """The plain numbers of an Arrow chunk as they lie in memory; None for other types, gaps, and
    numbers that may be out of range.
    """
    import nanoarrow
    from nanoarrow.c_array import c_array_view

    kinds = nanoarrow.Type
    integer_types = (kinds.INT8, kinds.INT16, kinds.INT32, kinds.INT64)
    kind, column = nanoarrow.Schema(chunk.schema).type, c_array_view(chunk)
    if kind not in (*integer_types, kinds.FLOAT, kinds.DOUBLE) or column.null_count:
        return None
    numbers = np.asarray(column.buffer(1))[column.offset :][: column.length]
    low, high = (1 - EXACT, EXACT - 1) if of_run else (GRADE_LOW, GRADE_HIGH)
    if (
        kind in integer_types
        and not low <= int(numbers.min(initial=0)) <= int(numbers.max(initial=0)) <= high
    ):
        return None
    if kind not in integer_types and not of_run:
        return shown_as_decimals(numbers)
    return numbers.astype(np.float64 if of_run else np.int64)


def open_arrow_stream(source: object, label: str) -> tuple[Any, list[Any]] | None:
    """An Arrow stream and the fields of its table; None if it holds no table."""
    import nanoarrow

    stream = nanoarrow.ArrayStream(source)
    with _refusing(label):
        if stream.schema.type != nanoarrow.Type.STRUCT:
            return None
        fields = list(stream.schema.fields)
        # Only printing a field raises the error of a type that nanoarrow does not know.
        repr([field.type for field in fields])
        return stream, fields


def is_view(field: Any) -> bool:
    """Whether a column holds texts as string views."""
    import nanoarrow

    views = (nanoarrow.Type.STRING_VIEW, nanoarrow.Type.BINARY_VIEW)
    return field.type in views or (
        field.type == nanoarrow.Type.DICTIONARY and field.value_type.type in views
    )


def by_polars(
    stream: object,
    label: str,
    need: str = "reading an Arrow column of string views needs Polars",
    advice: str = ", or cast it to strings",
) -> Any:
    """The table as a Polars frame: nanoarrow 0.9 crashes on views of long texts.

    DataError if two of its columns have one name, at which Polars panics.
    """
    import nanoarrow

    polars = require_module("polars", need, advice)
    opened = nanoarrow.ArrayStream(stream)
    if opened.schema.type == nanoarrow.Type.STRUCT:
        refuse_repeated([field.name for field in opened.schema.fields], label)
    return polars.DataFrame(opened)


def cells(stream: object, chosen: Sequence[int], label: str) -> Iterator[list[list[Any]]]:
    """The cells of the chosen columns of a stream, in parts of `BATCH` rows."""
    for batch in batches(stream, chosen, label):
        yield from list_cells(batch, label)


def batches(stream: Any, chosen: Sequence[int], label: str) -> Iterator[list[Any]]:
    """The chosen columns of each batch of a stream."""
    import nanoarrow

    with _refusing(label):
        for batch in stream:
            yield list(_columns(nanoarrow.c_array(batch), chosen))


def list_cells(columns: list[Any], label: str) -> Iterator[list[list[Any]]]:
    """The cells of columns as Python objects, in parts of `BATCH` rows."""
    import nanoarrow

    with _refusing(label):
        columns = [nanoarrow.Array(column).iter_py() for column in columns]
        while (cells := [list(islice(column, BATCH)) for column in columns])[0]:
            yield cells


@contextmanager
def _refusing(label: str) -> Iterator[None]:
    """Turn errors of nanoarrow about broken tables into a DataError; a KeyError means a type that
    it does not read.
    """
    try:
        yield
    except PrecallError:
        raise
    except (RuntimeError, SystemError, LookupError, ValueError) as error:
        raise Mistake(
            "not a table of Arrow that can be read ({got})",
            "export it again",
            got=Cause(error),
        ).error(label) from None


def _columns(table: Any, chosen: Sequence[int]) -> Iterator[Any]:
    """The columns of a table, cut to its own rows: these may begin and end elsewhere than the
    columns.
    """
    from nanoarrow.c_array import c_array_view

    begin, end = table.offset, table.offset + table.length
    if table.null_count > 0 or (table.null_count < 0 and table.buffers[0]):
        raise ValueError("whole rows are null")
    for index in chosen:
        column = table.child(index)
        if not 0 <= begin <= end <= column.length:
            raise ValueError(f"rows {begin} to {end} of a column of {column.length}")
        column = column[begin:end]
        _check_buffers(c_array_view(column))
        yield column


def _check_buffers(column: Any) -> None:
    size = column.length
    if column.dictionary is not None:
        index = np.asarray(column.buffer(1))[column.offset : column.offset + size]
        if column.null_count:
            index = index[np.fromiter(column.buffer(0).elements(column.offset, size), bool, size)]
        if len(index) and not 0 <= index.min() <= index.max() < column.dictionary.length:
            raise ValueError("a number points outside its dictionary")
        _check_buffers(column.dictionary)
    elif column.storage_type in _TEXTS and size:
        start = np.asarray(column.buffer(1))[column.offset : column.offset + size + 1]
        if start[0] < 0 or np.any(start[1:] < start[:-1]):
            raise ValueError("offsets of texts do not ascend")
