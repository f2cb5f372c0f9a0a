"""Judgement groups (-R qrels_jg): several judges of one topic, each with qrels of his own, averaged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from precall.compat.trec_eval.trec_rankings import Rankings
from precall.compat.trec_eval.trec_values import Values
from precall.ragged import Int64


@dataclass(frozen=True)
class JudgementGroups:
    """The rankings once per group: those of the topics' first groups, second groups, and so on."""

    rankings: list[Rankings]
    topics: list[Int64]
    """For each of `rankings`, which topics they are."""
    groups: Int64
    """Groups per topic."""

    def __len__(self) -> int:
        return len(self.groups)


def mean_over_groups(compute: Callable[[Rankings, Any], Values]) -> Callable[[JudgementGroups, Any], Values]:
    """The mean over each topic's groups of a measure of one ranking."""

    def values(judged: JudgementGroups, parameters: Any) -> Values:
        result: Values = []
        for rankings, topics in zip(judged.rankings, judged.topics, strict=True):
            values = compute(rankings, parameters)
            result = result or [np.zeros(len(judged)) for _ in values]
            for sums, value in zip(result, values, strict=True):
                sums[topics] += value
        return [sums / judged.groups for sums in result]

    return values
