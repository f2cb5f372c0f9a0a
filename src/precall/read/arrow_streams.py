"""Tables that only speak Arrow, through nanoarrow: their batches, and columns as they lie in
memory.

The Arrow interface gives pointers and no sizes. That texts lie one behind another, that numbers
point into their dictionary and that columns are as long as their table can be seen, and is refused
where it is not so; a last offset that is too large cannot be, and the memory behind a column is
read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.core.errors import DataError, PrecallError, Problem, imported
from precall.core.text import is_utf8
from precall.native.literals import EXACT, GRADE_HIGH, GRADE_LOW
from precall.read.columns import Ids
from precall.read.gathering import BATCH

#: Types of Arrow whose offsets are looked at.
_TEXTS = ("string", "large_string", "binary", "large_binary")


def chunks_of(native: Any) -> Iterable[Any]:
    """The pieces of a column as Arrow has them; none of a pandas column where PyArrow, by which
    pandas makes them, is not.
    """
    import nanoarrow

    try:
        stream: Iterable[Any] = nanoarrow.ArrayStream(native)
    except ImportError:
        return ()
    return stream


def texts_of(part: Any) -> Ids | None:
    """Texts of Arrow as they lie in memory; None for what is none, has gaps, is no UTF-8 or lies
    elsewhere.
    """
    from nanoarrow.c_array import c_array, c_array_view

    column = c_array_view(c_array(part))
    kind = getattr(column, "storage_type", None)
    if kind not in _TEXTS[:2] or column.dictionary is not None or column.null_count:
        return None
    if not column.length:
        return Ids(np.zeros(0, np.uint8), np.zeros(1, np.int64))
    _check(column)
    start = np.asarray(column.buffer(1))[column.offset :][: column.length + 1].astype(np.int64)
    data = np.asarray(column.buffer(2)).view(np.uint8)[start[0] : start[-1]]
    start -= start[0]
    # A text begins with a character, not within it.
    inside = start[:-1][start[:-1] < start[1:]]
    if (
        len(data)
        and data.max() > 127
        and not (is_utf8(data.tobytes()) and np.all(data[inside] & 0xC0 != 0x80))
    ):
        return None
    return Ids(data, start)


def numbers_of(part: Any, of_run: bool) -> npt.NDArray[Any] | None:
    """Plain numbers of Arrow as they lie in memory; None for all others, for gaps and for what may
    be out of range.
    """
    import nanoarrow
    from nanoarrow.c_array import c_array_view

    kinds = nanoarrow.Type
    whole = (kinds.INT8, kinds.INT16, kinds.INT32, kinds.INT64)
    kind, column = nanoarrow.Schema(part.schema).type, c_array_view(part)
    if (
        kind not in (*whole, kinds.FLOAT, kinds.DOUBLE)
        or column.null_count
        or not (of_run or kind in whole)
    ):
        return None
    numbers = np.asarray(column.buffer(1))[column.offset :][: column.length]
    low, high = (1 - EXACT, EXACT - 1) if of_run else (GRADE_LOW, GRADE_HIGH)
    if (
        kind in whole
        and not low <= int(numbers.min(initial=0)) <= int(numbers.max(initial=0)) <= high
    ):
        return None
    return numbers.astype(np.float64 if of_run else np.int64)


def opened(source: Any, label: str) -> tuple[Any, list[Any]] | None:
    """A stream of Arrow, and the fields of its table; None for one that holds no table."""
    import nanoarrow

    stream = nanoarrow.ArrayStream(source)
    with _refusing(label):
        if stream.schema.type != nanoarrow.Type.STRUCT:
            return None
        fields = list(stream.schema.fields)
        # What has no type that is known says so only now.
        repr([field.type for field in fields])
        return stream, fields


def is_view(field: Any) -> bool:
    """Whether a column holds texts as views."""
    import nanoarrow

    views = (nanoarrow.Type.STRING_VIEW, nanoarrow.Type.BINARY_VIEW)
    return field.type in views or (
        field.type == nanoarrow.Type.DICTIONARY and field.value_type.type in views
    )


def by_polars(stream: Any) -> Any:
    """A frame of Polars. nanoarrow 0.9 ends the process where views of long texts are looked at."""
    need = "reading an Arrow column of string views needs Polars"
    return imported("polars", need, ", or cast it to strings").DataFrame(stream)


def cells(stream: Any, chosen: Sequence[int], label: str) -> Iterator[list[list[Any]]]:
    """The cells of the columns chosen of a stream, some ten thousand rows at a time."""
    for batch in batches(stream, chosen, label):
        yield from list_cells(batch, label)


def batches(stream: Any, chosen: Sequence[int], label: str) -> Iterator[list[Any]]:
    """The columns chosen of each batch of a stream."""
    import nanoarrow

    with _refusing(label):
        for batch in stream:
            yield list(_columns(nanoarrow.c_array(batch), chosen))


def list_cells(columns: list[Any], label: str) -> Iterator[list[list[Any]]]:
    """The cells of columns as objects, some ten thousand rows at a time."""
    import nanoarrow

    with _refusing(label):
        columns = [nanoarrow.Array(column).iter_py() for column in columns]
        while (part := [list(islice(column, BATCH)) for column in columns])[0]:
            yield part


@contextmanager
def _refusing(label: str) -> Iterator[None]:
    """What nanoarrow says of broken tables is an error of the data; a KeyError is a type that it
    does not read.
    """
    try:
        yield
    except PrecallError:
        raise
    except (RuntimeError, SystemError, LookupError, ValueError) as error:
        what = f"not a table of Arrow that can be read ({reason(error)})"
        raise DataError([Problem(label, None, what, "export it again")]) from None


def reason(error: BaseException) -> str:
    """What an error says, on one line."""
    return " ".join(str(error).split())[:160] or type(error).__name__


def _columns(table: Any, chosen: Sequence[int]) -> Iterator[Any]:
    """Columns of a table's own rows: it may begin and end elsewhere than what it is made of."""
    from nanoarrow.c_array import c_array_view

    begin, end = table.offset, table.offset + table.length
    if table.null_count > 0 or (table.null_count < 0 and table.buffers[0]):
        raise ValueError("whole rows are null")
    for place in chosen:
        column = table.child(place)
        if not 0 <= begin <= end <= column.length:
            raise ValueError(f"rows {begin} to {end} of a column of {column.length}")
        column = column[begin:end]
        _check(c_array_view(column))
        yield column


def _check(column: Any) -> None:
    size = column.length
    if column.dictionary is not None:
        index = np.asarray(column.buffer(1))[column.offset : column.offset + size]
        if column.null_count:
            index = index[np.fromiter(column.buffer(0).elements(column.offset, size), bool, size)]
        if len(index) and not 0 <= index.min() <= index.max() < column.dictionary.length:
            raise ValueError("a number points outside its dictionary")
        _check(column.dictionary)
    elif column.storage_type in _TEXTS and size:
        start = np.asarray(column.buffer(1))[column.offset : column.offset + size + 1]
        if start[0] < 0 or np.any(start[1:] < start[:-1]):
            raise ValueError("offsets of texts do not ascend")
