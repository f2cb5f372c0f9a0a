"""Some cases of many: what is counted at a time."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from precall.curves.cases import Scores, Weights
from precall.ragged import Bool, Int64


class Batch(NamedTuple):
    """Some cases: labels, scores by name, weights, and the rows of each group."""

    relevant: Bool
    scores: Mapping[str, Scores]
    weights: Weights | None = None
    groups: Mapping[str, Int64] | None = None

    def parts(self) -> Iterator[tuple[tuple[str, str], Bool, Scores, Weights | None]]:
        """The cases of each score and group."""
        rows: Mapping[str, Any] = {"": slice(None)} if self.groups is None else self.groups
        for group, chosen in rows.items():
            weights = None if self.weights is None else self.weights[chosen]
            for name, score in self.scores.items():
                yield (name, group), self.relevant[chosen], score[chosen], weights

    def content(self) -> Int64:
        """Of each column sums of bits: of all, of relevant cases, by group; no order of cases changes them, nor of batches."""
        columns = [
            *self.scores.values(),
            *([] if self.weights is None else [self.weights.astype(np.float64)]),
        ]
        bits = [column.view(f"i{column.itemsize}") for column in columns]
        groups = self.groups or {}
        names = np.array([zlib.crc32(name.encode("utf-8", "surrogatepass")) for name in groups], np.int64)
        sums = [
            (
                part.sum(),
                part[self.relevant].sum(),
                (names * [part[rows].sum() for rows in groups.values()]).sum(),
            )
            for part in bits
        ]
        return np.array(sums, np.int64)
