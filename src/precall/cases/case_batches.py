"""A batch of cases, and checks that batches are the same when they are read again."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.cases.scored_cases import Scores, Weights
from precall.core.errors import UsageError
from precall.core.ragged import Bool, Float64, Int64, encode_labels, rows_of
from precall.read.values import group_name
from precall.read.weights import KindsOfWeights, total_weight

#: Number of cases whose bits are in the cache together.
_STEP = 1 << 14


def rows_of_groups(
    groups: Sequence[object], code: npt.NDArray[np.integer[Any]]
) -> dict[str, Int64]:
    """The rows of each group by its name; `code` is the group index of each row. Groups of equal
    name are one.
    """
    names, index = encode_labels(list(map(group_name, groups)))
    return rows_of(names, index[code])


@dataclass(slots=True)
class Seen:
    """Totals over the cases read, independent of their order: a second reading must give the
    same.
    """

    cases: int = 0
    relevant: int = 0
    """Number of relevant cases, whatever their weights."""
    weighted: bool = False
    #: Whether some batch has real weights.
    real: bool = False
    #: Sum of `Batch.content` over the batches.
    content: Any = 0
    #: The sum of all weights.
    weight: float = 0.0
    kinds: KindsOfWeights = field(default_factory=KindsOfWeights)

    def add(self, batch: Batch, again: bool = True) -> None:
        """Add a batch; its content is summed only if the source can be read `again`."""
        self.cases += len(batch.relevant)
        self.relevant += int(np.count_nonzero(batch.relevant))
        if batch.weights is not None:
            self.weighted, self.weight = True, self.weight + total_weight(batch.weights)
        self.kinds = self.kinds.join(KindsOfWeights.of(batch.relevant, batch.weights))
        self.real |= batch.real
        self.content = self.content + batch.content() if again else self.content

    def refuse_change(self, source: str, later: Seen, todo: str) -> None:
        """Raise if a second reading has another number of cases or of relevant cases, or other
        content.
        """
        if (self.cases, self.relevant) != (later.cases, later.relevant):
            then = f"{later.cases:,}, {later.relevant:,}"
            problem = (
                f"there were {self.cases:,} cases, {self.relevant:,} relevant, and then {then}"
            )
        elif np.any(self.content != later.content):
            problem = "labels, scores, weights or groups are others than before"
        else:
            return
        raise UsageError(argument=source, what=problem, remedy=todo)


class Batch(NamedTuple):
    """Cases of one batch: labels, scores by name, weights, and the rows of each group."""

    relevant: Bool
    scores: Mapping[str, Scores]
    weights: Weights | None = None
    groups: Mapping[str, Int64] | None = None

    @property
    def real(self) -> bool:
        """Whether the weights are of a type other than integers."""
        return self.weights is not None and self.weights.dtype.kind == "f"

    def parts(self) -> Iterator[tuple[tuple[str, str], Bool, Scores, Weights | None]]:
        """The cases of each score and group."""
        rows: Mapping[str, slice | Int64] = (
            {"": slice(None)} if self.groups is None else self.groups
        )
        for group, chosen in rows.items():
            weights = None if self.weights is None else self.weights[chosen]
            for name, score in self.scores.items():
                yield (name, group), self.relevant[chosen], score[chosen], weights

    def content(self) -> Int64:
        """Sums of hashed bits, per column: over all cases, over relevant cases, and by group. They
        depend neither on the order of cases nor on that of batches.

        The bits are those of float64 with -0 as 0, so equal values of different types are equal.
        """
        columns = [*self.scores.values(), *([] if self.weights is None else [self.weights])]
        groups = self.groups or {}
        names = np.array(
            [zlib.crc32(name.encode("utf-8", "surrogatepass")) for name in groups], np.int64
        )
        sums = [
            (
                *_sums_of_bits(column, self.relevant),
                (names * [_bits(column[rows]).sum() for rows in groups.values()]).sum(),
            )
            for column in columns
        ]
        return np.array(sums, np.int64)


def _bits(column: Any) -> Int64:
    value: Float64 = np.add(column, 0.0, dtype=np.float64)
    return value.view(np.int64)


def _sums_of_bits(column: Any, relevant: Bool) -> Int64:
    """The sums over all cases and over relevant ones."""
    sums = np.zeros(2, np.int64)
    for at in range(0, len(column), _STEP):
        part = slice(at, at + _STEP)
        bits = _bits(column[part])
        # Not by choosing them, as it is hard to foresee which come next.
        sums += (bits.sum(), np.dot(bits, relevant[part].astype(np.int64)))
    return sums
