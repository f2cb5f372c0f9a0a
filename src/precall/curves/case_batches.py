"""Some cases of many: what is counted at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

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
