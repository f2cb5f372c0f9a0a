"""The rows that workers and driver send each other, all of one shape, with compact numbers."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

#: The size in bytes of a batch of rows. A cell of Arrow holds at most 2 GiB, a message of Spark
#: Connect 128 MiB.
_BYTES = 1 << 25
_WHOLE = (np.uint8, np.uint16, np.uint32)

#: The columns of `Row`, for Spark.
SHAPE = "kind string, score string, part string, place bigint, size bigint, state binary"
_SCHEMA = pa.schema(
    [
        ("kind", pa.string()),
        ("score", pa.string()),
        ("part", pa.string()),
        ("place", pa.int64()),
        ("size", pa.int64()),
        ("state", pa.binary()),
    ]
)


class Row(NamedTuple):
    """Some counts of a task: kind, score, group, position, number of scores, and the counts."""

    kind: str
    score: str
    part: str
    place: int
    size: int
    state: bytes


def pack(*columns: Any) -> bytes:
    """Pack arrays and plain values.

    Whole numbers take as few bytes as they need; an array of ones is stored as its length.
    """
    return pickle.dumps(tuple(map(_slim, columns)), 5)


def unpack(state: bytes) -> tuple[Any, ...]:
    """The arrays and values that `pack` was given; whole numbers are int64."""
    return tuple(map(_wide, pickle.loads(state)))


def batches_of(rows: Iterable[Row]) -> Iterator[pa.RecordBatch]:
    """The rows as batches for Spark; a batch is not much larger than its largest row."""
    waiting: list[Row] = []
    size = 0
    for row in rows:
        if waiting and size + len(row.state) > _BYTES:
            yield _batch(waiting)
            waiting, size = [], 0
        waiting.append(row)
        size += len(row.state)
    if waiting:
        yield _batch(waiting)


def table_of(rows: Iterable[Row]) -> pa.Table:
    """All rows in one table."""
    return pa.Table.from_batches(list(batches_of(rows)), _SCHEMA)


def rows_of_table(table: pa.Table) -> Iterator[Row]:
    """The rows of a table of `table_of`, one batch after another."""
    for batch in table.to_batches():
        yield from map(Row, *(column.to_pylist() for column in batch.columns))


def _batch(rows: list[Row]) -> pa.RecordBatch:
    columns = [
        pa.array(cells, kind.type)
        for cells, kind in zip(zip(*rows, strict=True), _SCHEMA, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=_SCHEMA)


class _Ones(NamedTuple):
    size: int


def _slim(values: object) -> Any:
    if not isinstance(values, np.ndarray) or values.dtype.kind != "i" or not len(values):
        return values
    low, high = int(values.min()), int(values.max())
    if low == high == 1:
        return _Ones(len(values))
    kind = next((kind for kind in _WHOLE if high <= np.iinfo(kind).max), None)
    return values if low < 0 or kind is None else values.astype(kind)


def _wide(values: object) -> Any:
    if isinstance(values, _Ones):
        return np.ones(values.size, np.int64)
    return (
        values.astype(np.int64)
        if isinstance(values, np.ndarray) and values.dtype.kind == "u"
        else values
    )
