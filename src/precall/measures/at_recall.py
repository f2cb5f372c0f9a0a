"""Precision and depth at a given recall."""

from __future__ import annotations

import numpy as np

from precall.core.ragged import Bool, Float64, Int64
from precall.location.hits import Hits
from precall.location.series import reciprocal_of_hit
from precall.measures.registry import Example, PerRanking, Share, measure


def _reaching(hits: Hits, recall: float) -> tuple[Int64, Int64]:
    """The row of the block that reaches the recall, and the number of the hit in it that does so.

    For recall 0 it is the first hit.
    """
    need = np.maximum(hits.needed(recall), 1)[hits.ranking]
    before = hits.order - hits.count
    rows = np.flatnonzero((before < need) & (need <= before + hits.count))
    if hits.ties != "expected" and np.any(hits.last[rows] > hits.first[rows]):
        _ = hits.location  # raises
    return rows, need[rows] - before[rows]


def _spread(hits: Hits, rows: Int64, values: Float64) -> Float64:
    """The values of `rows` by ranking; NaN for rankings without a row."""
    result = np.full(len(hits), np.nan)
    result[hits.ranking[rows]] = values
    return result


def _freely(hits: Hits) -> Bool:
    """Whether the first rank of each ranking reaches recall 0."""
    return np.asarray((hits.relevant > 0) & (hits.retrieved > 0))


@measure(
    "KAtRecall",
    labelings="grid",
    closed="mean rank of the j-th hit of a block",
    sources=["zhang-su-2012"],
    aliases=["k@recall", "RankAtRecall"],
    range=(1, np.inf),
    direction=-1,
    chance_is_zero=False,
    undefined="too few relevant items were retrieved to reach the recall, or none is relevant",
    example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, recall=0.5, value=4),
)
def k_at_recall(hits: Hits, *, recall: Share) -> PerRanking:
    """k@recall: how many of the best items must be looked at to reach a recall; low is good.

    The recall needs c hits: recall x relevant, computed exactly and rounded up. The value is L_c,
    the rank of hit c. For recall 0 it is 1. It is undefined if too few hits were retrieved. No
    number could fairly replace it, so the mean over topics is then also undefined. Use
    undefined="omit" (`--undefined omit`), and report the number of topics that are left out. With
    ties="expected" it is the mean over random orders within blocks. If a block has b items and h of
    them are hits, hit j of the block has the expected rank j (b + 1) / (h + 1) in the block.
    `Curve.at(recall=)` accepts whole blocks of equal scores, and raises an error if the recall is
    never reached.
    """
    rows, nth = _reaching(hits, recall)
    first, last, count = hits.first[rows], hits.last[rows], hits.count[rows]
    rank = _spread(hits, rows, first - 1 + nth * (last - first + 2) / (count + 1))
    return rank if recall else np.where(_freely(hits), 1.0, np.nan)


@measure(
    "PAtRecall",
    labelings="grid",
    closed="mean of 1 / rank of the j-th hit of a block",
    sources=["voorhees-harman-2005"],
    aliases=["precision@recall", "P@recall", "PrecisionAtRecall"],
    range=(0, 1),
    monotone=True,
    undefined="too few relevant items were retrieved to reach the recall, or none is relevant",
    example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, recall=0.5, value=1 / 2),
)
def precision_at_recall(hits: Hits, *, recall: Share) -> PerRanking:
    """precision@recall: precision at the least cutoff that reaches a recall.

    The recall needs c hits: recall x relevant, computed exactly and rounded up. The value is c /
    L_c, where L_c is the rank of hit c. For recall 0 it is the precision at rank 1. The value is
    not interpolated; `IPrec` is, as the greatest precision at this recall or more. If the recall is
    never reached, IPrec is 0, but this measure is undefined, like k@recall. With ties="expected" it
    is exactly the mean over random orders within blocks.
    """
    rows, nth = _reaching(hits, recall)
    first = hits.first[rows]
    need = hits.needed(recall)[hits.ranking[rows]]
    precise = need / first
    for index in np.flatnonzero(hits.last[rows] > first):
        block = hits._block_extent(rows[index])
        precise[index] = need[index] * reciprocal_of_hit(*block, int(nth[index]))
    return (
        _spread(hits, rows, precise) if recall else np.where(_freely(hits), hits.within(1), np.nan)
    )
