"""Arrow streams of objects that speak nothing else, read by nanoarrow: what can be checked of them is.

The interface gives pointers and no sizes. That texts lie one behind another, that numbers point into their dictionary
and that columns are as long as their table can be seen, and is refused where it is not so; a last offset that is
too large cannot be, and the memory behind a column is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import numpy as np

from precall.errors import DataError, MissingExtra, PrecallError, Problem
from precall.read.gathering import BATCH

_TEXTS = ("string", "large_string", "binary", "large_binary")


def opened(source: Any, label: str) -> tuple[Any, list[Any]] | None:
    """A stream, and the fields of its table; None for one that holds no table.

    Raises
    ------
    DataError
        The stream breaks the rules of Arrow.
    """
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
    return field.type in views or (field.type == nanoarrow.Type.DICTIONARY and field.value_type.type in views)


def by_polars(stream: Any) -> Any:
    """A frame of Polars. nanoarrow 0.9 ends the process where views of long texts are looked at."""
    try:
        import polars
    except ImportError as error:
        what = (
            "reading an Arrow column of string views needs Polars: pip install polars, or cast it to strings"
        )
        raise MissingExtra(what) from error
    return polars.DataFrame(stream)


def cells(stream: Any, chosen: Sequence[int], label: str) -> Iterator[list[list[Any]]]:
    """The cells of the columns chosen, some ten thousand rows at a time.

    Raises
    ------
    DataError
        The stream breaks the rules of Arrow.
    """
    import nanoarrow

    with _refusing(label):
        for batch in stream:
            columns = [
                nanoarrow.Array(column).iter_py() for column in _columns(nanoarrow.c_array(batch), chosen)
            ]
            while (part := [list(islice(column, BATCH)) for column in columns])[0]:
                yield part


@contextmanager
def _refusing(label: str) -> Iterator[None]:
    """What nanoarrow says of broken tables is an error of the data; a KeyError is a type that it does not read."""
    try:
        yield
    except PrecallError:
        raise
    except (RuntimeError, SystemError, LookupError, ValueError) as error:
        reason = " ".join(str(error).split())[:160] or type(error).__name__
        what = f"not a table of Arrow that can be read ({reason})"
        raise DataError([Problem(label, None, what, "export it again")]) from None


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
