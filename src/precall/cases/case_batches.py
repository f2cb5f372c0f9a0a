"""Some cases of many: what is counted at a time."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.cases.scored_cases import Scores, Weights
from precall.core.errors import UsageError
from precall.core.ragged import Bool, Int64, coded, rows_of
from precall.read.values import group_name
from precall.read.weights import KindsOfWeights, total_weight


def rows_of_groups(groups: Sequence[Any], code: npt.NDArray[np.integer[Any]]) -> dict[str, Int64]:
    """The rows of each group by what it is called; `code` says which each row has. Those that are
    called alike are one.
    """
    names, index = coded(list(map(group_name, groups)))
    return rows_of(names, index[code])


@dataclass(slots=True)
class Seen:
    """What cases were read, added up in any order: read again they must be the same."""

    cases: int = 0
    relevant: int = 0
    """Cases, whatever they weigh."""
    weighted: bool = False
    #: Whether weights are real in some batches.
    real: bool = False
    #: That of `Batch`.
    content: Any = 0
    #: The sum of all weights.
    weight: float = 0.0
    kinds: KindsOfWeights = field(default_factory=KindsOfWeights)

    def add(self, batch: Batch, again: bool = True) -> None:
        """One more batch; the content of what cannot be read `again` is not needed."""
        self.cases += len(batch.relevant)
        self.relevant += int(np.count_nonzero(batch.relevant))
        if batch.weights is not None:
            self.weighted, self.weight = True, self.weight + total_weight(batch.weights)
        self.kinds = self.kinds.joined(KindsOfWeights.of(batch.relevant, batch.weights))
        self.real |= batch.real
        self.content = self.content + batch.content() if again else self.content

    def refuse_changed(self, source: str, later: Seen, todo: str) -> None:
        """Refuse what has other numbers of cases, and of relevant ones, or another content, when it
        is read again.
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
    """Some cases: labels, scores by name, weights, and the rows of each group."""

    relevant: Bool
    scores: Mapping[str, Scores]
    weights: Weights | None = None
    groups: Mapping[str, Int64] | None = None

    @property
    def real(self) -> bool:
        """Whether it has weights that are no whole numbers by their type."""
        return self.weights is not None and self.weights.dtype.kind == "f"

    def parts(self) -> Iterator[tuple[tuple[str, str], Bool, Scores, Weights | None]]:
        """The cases of each score and group."""
        rows: Mapping[str, Any] = {"": slice(None)} if self.groups is None else self.groups
        for group, chosen in rows.items():
            weights = None if self.weights is None else self.weights[chosen]
            for name, score in self.scores.items():
                yield (name, group), self.relevant[chosen], score[chosen], weights

    def content(self) -> Int64:
        """Of each column sums of bits: of all, of relevant cases, by group; no order of cases
        changes them, nor of batches.

        The bits are those of float64, with one 0: equal values are equal in all types.
        """
        columns = [*self.scores.values(), *([] if self.weights is None else [self.weights])]
        bits = [np.add(column, 0.0, dtype=np.float64).view(np.int64) for column in columns]
        groups = self.groups or {}
        names = np.array(
            [zlib.crc32(name.encode("utf-8", "surrogatepass")) for name in groups], np.int64
        )
        sums = [
            (
                hashes.sum(),
                hashes[self.relevant].sum(),
                (names * [hashes[rows].sum() for rows in groups.values()]).sum(),
            )
            for hashes in bits
        ]
        return np.array(sums, np.int64)
