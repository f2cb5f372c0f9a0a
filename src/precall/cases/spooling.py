"""Columns that memory does not hold: in unnamed files, so that nothing is left of them whatever
happens.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from precall.cases.between_scores import RelevantScores
from precall.cases.case_batches import Batch
from precall.read.sizes import spool, temporary_file

if TYPE_CHECKING:
    from precall.core.ragged import Float64, Int64

#: Offset of a column, its type and its number of rows.
Place = tuple[int, str, int]
#: Number of zero bytes written at a time.
_PIECE = 1 << 22


class Shelf:
    """Columns one after another in a file, read directly from disk; a full disk is an OSError that
    says what to do.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._size = 0
        self._map: Any = b""

    def __enter__(self) -> Shelf:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.close()

    def put(self, column: Int64 | Float64) -> Place:
        """Append a column and return its position."""
        data = np.ascontiguousarray(column).data.cast("B")
        position = self._size, column.dtype.str, len(column)
        if self._file is None:
            self._file = temporary_file()
        spool(self._file, data)
        self._size += len(data)
        return position

    def get(self, place: Place) -> npt.NDArray[Any]:
        """A column, read-only."""
        begin, kind, size = place
        if not size or self._file is None:
            return np.zeros(size, kind)
        if len(self._map) < self._size:
            self._map = mmap.mmap(self._file.fileno(), self._size, access=mmap.ACCESS_READ)
        return np.frombuffer(self._map, kind, size, begin)

    def whole(self, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """All columns, which have one type, as one column."""
        return self.get((0, np.dtype(dtype).str, self._size // np.dtype(dtype).itemsize))


def room(size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """A column of zeros on disk."""
    many = size * np.dtype(dtype).itemsize
    if not many:
        return np.zeros(size, dtype)
    with temporary_file() as file:
        # The zeros are written, so that a full disk is an error here and not later, when the column
        # is filled.
        for begin in range(0, many, _PIECE):
            spool(file, bytes(min(_PIECE, many - begin)))
        return np.frombuffer(mmap.mmap(file.fileno(), many), dtype)


class Once:
    """Other cases of data that can be read only once: counted by score as long as there are few
    distinct scores, then spooled.

    Scores of half precision, and rounded ones, then need neither disk nor a second reading.
    """

    def __init__(self, shelf: Shelf, most: int) -> None:
        self._spool, self._most = Spool(shelf), most
        self._known: dict[tuple[str, str], RelevantScores] | None = {}

    def append(self, batch: Batch) -> None:
        """Add a batch."""
        if self._known is None:
            self._spool.append(batch)
            return
        for key, relevant, score, weights in batch.parts():
            self._known.setdefault(key, RelevantScores()).add(~relevant, score, weights)
        if sum(counts.size for counts in self._known.values()) <= self._most:
            return
        if sum(len(counts.distinct_scores()[0]) for counts in self._known.values()) > self._most:
            for counted in self:
                self._spool.append(counted)
            self._known = None

    def __iter__(self) -> Iterator[Batch]:
        if self._known is None:
            yield from self._spool
            return
        for (name, group), counts in self._known.items():
            score, count = counts.distinct_scores()
            rows = {group: np.arange(len(score))} if group else None
            yield Batch(
                np.zeros(len(score), np.bool_), {name: score.astype(counts.dtype)}, count, rows
            )


class Spool:
    """Other cases of data that can be read only once, batch by batch."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._batches: list[Callable[[], Batch]] = []

    def append(self, batch: Batch) -> None:
        """Add a batch."""
        rest = ~batch.relevant
        sizes: dict[str, int] | None = None
        order: Any = np.flatnonzero(rest)
        if batch.groups is not None:
            chosen = {name: rows[rest[rows]] for name, rows in batch.groups.items()}
            sizes = {name: len(rows) for name, rows in chosen.items()}
            order = np.concatenate([np.zeros(0, np.int64), *chosen.values()])
        scores = {name: self._shelf.put(score[order]) for name, score in batch.scores.items()}
        weights = None if batch.weights is None else self._shelf.put(batch.weights[order])
        size = len(order)

        def again() -> Batch:
            columns = {name: self._shelf.get(position) for name, position in scores.items()}
            rows = None
            if sizes is not None:
                ends = np.cumsum([0, *sizes.values()])
                rows = {name: np.arange(ends[at], ends[at + 1]) for at, name in enumerate(sizes)}
            heavy = None if weights is None else self._shelf.get(weights)
            return Batch(np.zeros(size, np.bool_), columns, heavy, rows)

        self._batches.append(again)

    def __iter__(self) -> Iterator[Batch]:
        for again in self._batches:
            yield again()
