"""What reading makes: a run or qrels as columns, grouped by topic.

Strings are kept as one byte blob and offsets, so that seven million item ids cost seven million
offsets and no Python objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.ragged import Bytes, Int64, packed, spread
from precall.text import printable


@dataclass(frozen=True, slots=True, eq=False)
class Ids:
    """Identifiers: UTF-8 text `data`, the i-th from `start[i]` to `start[i + 1]`."""

    data: Bytes
    start: Int64

    @classmethod
    def of(cls, texts: Sequence[str | bytes]) -> Ids:
        """From Python strings, or any bytes."""
        return cls(*packed([text if isinstance(text, bytes) else text.encode() for text in texts]))

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, index: int) -> str:
        return self.data[self.start[index] : self.start[index + 1]].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    def take(self, chosen: Int64) -> Ids:
        """The ids with these indices, in this order."""
        size = np.diff(self.start)[chosen]
        start = np.zeros(len(size) + 1, np.int64)
        np.cumsum(size, out=start[1:])
        return Ids(self.data[spread(self.start[chosen], size)[1]], start)

    def joined(self, other: Ids) -> Ids:
        """These, then the others."""
        start = np.concatenate((self.start, other.start[1:] - other.start[0] + self.start[-1]))
        added = other.data[other.start[0] : other.start[-1]]
        return Ids(np.concatenate((self.data[: self.start[-1]], added)), start)

    def encoded(self) -> list[bytes]:
        """The bytes of each."""
        blob, start = self.data.tobytes(), self.start.tolist()
        return [blob[a:b] for a, b in pairwise(start)]

    def tolist(self) -> list[str]:
        """All of them as Python strings."""
        blob, start = self.data.tobytes(), self.start.tolist()
        return [blob[a:b].decode() for a, b in pairwise(start)]


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Scores by topic and item.

    Rows of one topic stand together, in the order of the input; topics in the order of their
    first appearance. Row j of topic i: `row_start[i] <= j < row_start[i + 1]`.
    """

    topics: Ids
    row_start: Int64
    items: Ids
    score: npt.NDArray[np.float64]
    name: str = "run"
    source: str = "run"
    dropped: int = 0
    """Rows that a `duplicates` policy dropped."""
    score_dtype: str = "float64"
    tag: str = ""
    """Last field of the last row of TREC text: what trec_eval calls the run's id."""
    located: dict[Any, Any] = field(default_factory=dict, repr=False)
    """Last results of `locate`, so that repeated evaluation does not match again."""

    def __len__(self) -> int:
        return len(self.topics)

    def __repr__(self) -> str:
        return printable(f"<Run {self.name}: {len(self.topics)} topics, {len(self.score)} items>")


@dataclass(frozen=True, slots=True, eq=False)
class Qrels:
    """Judgements by topic and item; laid out like a `Run`."""

    topics: Ids
    row_start: Int64
    items: Ids
    grade: Int64
    source: str = "qrels"
    dropped: int = 0
    """Repeated judgements that were dropped (equal ones, or by a `duplicates` policy)."""

    def __len__(self) -> int:
        return len(self.topics)

    def __repr__(self) -> str:
        return printable(f"<Qrels {self.source}: {len(self.topics)} topics, {len(self.grade)} judgements>")
