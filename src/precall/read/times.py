"""Times and durations as labels: those of any library as objects of Python.

A time in a zone keeps its offset from UTC and not the zone: two labels are equal if they are one
instant. Python compares two times of one zone by their clocks, which show an hour twice a year.
Python has microseconds; a finer time stays an object of NumPy, or of pandas if it has a zone.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

#: Types whose objects may differ from those of Python and still be the same label.
TIMES = (datetime, timedelta, np.datetime64, np.timedelta64)
#: Units of NumPy's times that are finer than Python's.
_FINE = ("ns", "ps", "fs", "as")
#: Types of times in Polars and Narwhals, which have units, and zones with names.
_OF_FRAMES = ("Datetime", "Duration")


def plain_time(label: object) -> Any:
    """A time or a duration as an object of Python, if Python can hold it; anything else unchanged.

    Examples
    --------
    >>> plain_time(np.datetime64("2020-01-31T05:00", "ns")), plain_time("a")
    (datetime.datetime(2020, 1, 31, 5, 0), 'a')
    >>> from zoneinfo import ZoneInfo
    >>> str(plain_time(datetime(2020, 10, 25, 2, fold=1, tzinfo=ZoneInfo("Europe/Berlin"))))
    '2020-10-25 02:00:00+01:00'
    """
    if not isinstance(label, TIMES) or label != label:  # pandas' NaT is a datetime
        return label
    if isinstance(label, np.datetime64 | np.timedelta64):
        return _of_numpy(label)
    try:
        if isinstance(label, timedelta):
            return _of_pandas(label, "nanoseconds", "to_timedelta64", "to_pytimedelta")
        if label.tzinfo is None:
            return _of_pandas(label, "nanosecond", "to_datetime64", "to_pydatetime")
        label = label if getattr(label, "nanosecond", 0) else _of_pandas(label)
    except (ValueError, OverflowError):  # pandas' may lie beyond Python's
        return label
    return _with_offset(label)


def plain_times(labels: Sequence[object]) -> Sequence[Any]:
    """Labels whose times are those of Python."""
    kinds = set(map(type, labels))
    return (
        list(map(plain_time, labels)) if any(issubclass(kind, TIMES) for kind in kinds) else labels
    )


def times_in_rows(rows: Sequence[Any]) -> Sequence[Any]:
    """The same for lists and sets of labels."""
    kinds = set(map(type, chain.from_iterable(rows)))
    if not any(issubclass(kind, TIMES) for kind in kinds):
        return rows
    return [
        (set if isinstance(row, set | frozenset) else list)(map(plain_time, row)) for row in rows
    ]


def cells_of_times(array: npt.NDArray[Any]) -> list[Any]:
    """The cells of a NumPy array, whose times are those of Python. NumPy's own list has numbers for
    times that Python does not hold, and for all nanoseconds.
    """
    listed: list[Any] = array.tolist()
    is_time = array.dtype.kind in "mM" and any(type(cell) is int for cell in listed)
    return list(map(plain_time, array)) if is_time else listed


def is_lost(column: object) -> bool:
    """Whether NumPy would turn a column into other labels: times in a zone, which NumPy does not
    have, and lists of times, which it turns into numbers.
    """
    kind = _kind_of(column)
    inner = getattr(kind, "inner", None) or getattr(kind, "value_type", None)
    return _is_time(inner) if inner is not None else _zone(kind) is not None


def finer_cells(column: Any) -> list[Any] | None:
    """The cells of a Polars column in nanoseconds, which Polars would round; None for any other
    column.

    Raises
    ------
    ValueError
        They are in a zone, or in lists, and there are such that would be rounded.
    """
    kind = _kind_of(column)
    inner = getattr(kind, "inner", None)
    if getattr(inner or kind, "time_unit", None) != "ns":
        return None
    flat = column if inner is None else column.explode()
    numbers = flat.to_numpy().view(np.int64)
    rounded = bool(np.any(numbers[numbers != np.iinfo(np.int64).min] % 1000))
    if not rounded:
        return None
    if inner is not None or _zone(kind) is not None:
        raise ValueError("times in a zone have at most microseconds; cast them, or write texts")
    return [None if np.isnat(cell) else cell for cell in flat.to_numpy()]


def _kind_of(column: object) -> Any:
    """The type of a column's cells in its library."""
    kind = getattr(column, "dtype", None)
    return getattr(kind, "pyarrow_dtype", None) or kind or getattr(column, "type", None)


def _zone(kind: object) -> Any:
    return getattr(kind, "time_zone", None) or getattr(kind, "tz", None)


def _is_time(kind: object) -> bool:
    return type(kind).__name__ in _OF_FRAMES or str(kind).startswith(("timestamp", "duration"))


def _of_numpy(label: Any) -> Any:
    if np.datetime_data(label.dtype)[0] in _FINE:
        coarse = label.astype(f"{label.dtype.kind}8[us]")
        if coarse != label:
            return label
        label = coarse
    plain = label.item()
    # Months and years have no fixed length; other times lie beyond those of Python.
    return label if isinstance(plain, int) else plain


def _of_pandas(
    label: object, finer: str = "", numpy: str = "", python: str = "to_pydatetime"
) -> Any:
    """A time of pandas as one of Python, or of NumPy if it is finer; a time of Python unchanged."""
    if not hasattr(label, python):
        return label
    return getattr(label, numpy if getattr(label, finer, 0) else python)()


def _with_offset(label: datetime) -> datetime:
    offset = label.utcoffset()
    if offset is None or (type(label.tzinfo) is timezone and not label.fold):
        return label
    return label.replace(tzinfo=timezone(offset), fold=0)
