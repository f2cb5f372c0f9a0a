"""Measures of novelty and diversity, for rankings whose items are relevant to subtopics."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from precall.core.ragged import Bool, Float64, Int64, total
from precall.location.subtopics import Covered, Subtopics
from precall.measures.gains import discount as logarithmic
from precall.measures.registry import Cutoff, Part, PerRanking, Share, SubtopicExample, measure
from precall.measures.user_models import check_depth

#: Alpha of measures that have no such parameter: each further item of a subtopic is worth half of
#: the one before.
_HALF = 0.5
#: Logarithm of half the least positive float64; a power below this is 0.
_NO_POWER = -1075 * math.log(2)
_DIVERSE: dict[str, Any] = {
    "of": Subtopics,
    "range": (0, 1),
    "undefined": "no item is relevant to any subtopic",
}
#: The example: the first and third item of the ranking are relevant to subtopic 1, the second item
#: to none.
_RANKED = ["1", "", "1"]


def gains(relevant: Bool, alpha: float) -> Float64:
    """The gain of each item: 1 for each of its subtopics, times 1 - alpha for each earlier item of
    that subtopic.
    """
    seen: Int64 = np.cumsum(relevant, axis=0) - relevant
    # Subtopics are added one by one, as in ndeval: gains that are equal in theory then have equal
    # digits.
    return np.cumsum(np.where(relevant, (1 - alpha) ** seen, 0.0), axis=1)[:, -1]


def best_gains(judged: Bool, alpha: float, depth: int | None) -> Float64:
    """The gains of the best ranking, found greedily: at each rank the first best item."""
    left, worth = judged.astype(np.float64), np.ones(judged.shape[1])
    fewer = np.where(judged, 1 - alpha, 1.0)
    result = np.zeros(len(judged) if depth is None else min(depth, len(judged)))
    for rank in range(len(result)):
        gained = np.cumsum(left * worth, axis=1)[:, -1]
        row = int(np.argmax(gained))
        result[rank] = gained[row]
        worth *= fewer[row]
        left[row] = 0
    return result


def _within(ranking: Covered, cutoff: int) -> tuple[Int64, Bool]:
    near = ranking.rank <= cutoff
    return ranking.rank[near], ranking.retrieved[near]


def _reciprocal(rank: Int64) -> Float64:
    return np.asarray(rank, np.float64)


def _sum(ranking: Covered, cutoff: int, alpha: float, discount: Any) -> float:
    rank, relevant = _within(ranking, cutoff)
    return total(gains(relevant, alpha) / discount(rank))


def _of_best(ranking: Covered, cutoff: int, alpha: float, discount: Any) -> float:
    """The ranking's value over that of the best ranking of the judged items."""
    best = best_gains(ranking.judged, alpha, cutoff)
    return _sum(ranking, cutoff, alpha, discount) / total(
        best / discount(np.arange(1, len(best) + 1))
    )


def _of_all(ranking: Covered, cutoff: int, alpha: float, discount: Any) -> float:
    """The ranking's value over that of items relevant to all subtopics."""
    left = 1 - alpha
    # Behind this rank the power is 0 in float64, so the terms that are left out change no digit.
    deepest = cutoff if left == 1 else 1 if left == 0 else int(_NO_POWER / math.log(left)) + 2
    depth = min(cutoff, deepest)
    check_depth(depth)
    rank = np.arange(1, depth + 1)
    return _sum(ranking, cutoff, alpha, discount) / (
        ranking.subtopics * total(left ** (rank - 1.0) / discount(rank))
    )


@measure(
    "alpha_DCG",
    sources=["clarke-2008", "ndeval"],
    **_DIVERSE,
    example=SubtopicExample(
        _RANKED,
        missed=["2"],
        cutoff=3,
        value=(1 + 0.5 / 2) / (2 * (1 + 0.5 / np.log2(3) + 0.25 / 2)),
    ),
)
def alpha_dcg(where: Subtopics, *, cutoff: Cutoff, alpha: Share = 0.5) -> PerRanking:
    """DCG with novelty: an item gains 1 for each of its subtopics, multiplied by 1 - alpha for
    every earlier item of the same subtopic.

    Gains are divided by log2(rank + 1). The sum is divided by the sum of an ideal ranking, in
    which every item is relevant to every subtopic. ndeval does the same, except at cutoff 1.
    """
    return where.each(lambda ranking: _of_all(ranking, cutoff, alpha, logarithmic))


@measure(
    "alpha_nDCG",
    sources=["clarke-2008", "ndeval"],
    **_DIVERSE,
    example=SubtopicExample(
        _RANKED,
        missed=["2"],
        cutoff=3,
        value=(1 + 0.5 / 2) / (1 + 1 / np.log2(3) + 0.5 / 2),
    ),
)
def alpha_ndcg(where: Subtopics, *, cutoff: Cutoff, alpha: Share = 0.5) -> PerRanking:
    """Normalised DCG with novelty: alpha_DCG divided by the alpha_DCG of the best ranking of the
    judged items, both cut at k.

    The best ranking is found greedily, because finding it exactly is NP-hard. If items gain
    the same, the one with the greatest id comes first, as in ndeval.
    """
    return where.each(lambda ranking: _of_best(ranking, cutoff, alpha, logarithmic))


@measure(
    "ERR_IA",
    sources=["chapelle-2011", "ndeval"],
    **_DIVERSE,
    example=SubtopicExample(
        _RANKED, missed=["2"], cutoff=3, value=(1 + 0.5 / 3) / (2 * (1 + 0.5 / 2 + 0.25 / 3))
    ),
)
def err_ia(where: Subtopics, *, cutoff: Cutoff) -> PerRanking:
    """Intent-aware ERR with equally weighted subtopics: gains as in alpha_DCG at alpha = .5,
    divided by the rank.

    The sum is divided by the sum of an ideal ranking, in which every item is relevant to every
    subtopic. ndeval does the same, except at cutoff 1.
    """
    return where.each(lambda ranking: _of_all(ranking, cutoff, _HALF, _reciprocal))


@measure(
    "nERR_IA",
    sources=["chapelle-2011", "ndeval"],
    **_DIVERSE,
    example=SubtopicExample(
        _RANKED, missed=["2"], cutoff=3, value=(1 + 0.5 / 3) / (1 + 1 / 2 + 0.5 / 3)
    ),
)
def normalized_err_ia(where: Subtopics, *, cutoff: Cutoff) -> PerRanking:
    """Normalised intent-aware ERR: ERR_IA divided by the ERR_IA of the best ranking of the judged
    items; see alpha_nDCG.
    """
    return where.each(lambda ranking: _of_best(ranking, cutoff, _HALF, _reciprocal))


def _novelty_biased(gained: Float64, rank: Int64, beta: float) -> float:
    return total(gained * beta ** (rank - 1.0))


@measure(
    "NRBP",
    sources=["clarke-2009", "ndeval"],
    **_DIVERSE,
    example=SubtopicExample(_RANKED, missed=["2"], value=(1 - 0.25) / 2 * (1 + 0.5 * 0.25)),
)
def novelty_biased(where: Subtopics, *, alpha: Share = 0.5, beta: Part = 0.5) -> PerRanking:
    """Novelty- and rank-biased precision: gains as in alpha_DCG, weighted by beta^(rank - 1).

    The sum is multiplied by (1 - (1 - alpha) beta) / subtopics, so that items relevant to all
    subtopics would reach 1.
    """

    def value(ranking: Covered) -> float:
        gained = gains(ranking.retrieved, alpha)
        return (
            (1 - (1 - alpha) * beta)
            / ranking.subtopics
            * _novelty_biased(gained, ranking.rank, beta)
        )

    return where.each(value)


@measure(
    "nNRBP",
    sources=["clarke-2009", "ndeval"],
    **_DIVERSE,
    example=SubtopicExample(_RANKED, missed=["2"], value=(1 + 0.5 * 0.25) / (1 + 0.5 + 0.5 * 0.25)),
)
def normalized_novelty_biased(
    where: Subtopics, *, alpha: Share = 0.5, beta: Part = 0.5
) -> PerRanking:
    """Normalised NRBP: NRBP divided by the NRBP of the best ranking of the judged items; see
    alpha_nDCG.
    """

    def value(ranking: Covered) -> float:
        gained = gains(ranking.retrieved, alpha)
        best = best_gains(ranking.judged, alpha, None)
        return _novelty_biased(gained, ranking.rank, beta) / _novelty_biased(
            best, np.arange(1, len(best) + 1), beta
        )

    return where.each(value)


@measure(
    "AP_IA",
    sources=["agrawal-2009", "ndeval"],
    aliases=["MAP_IA"],
    **_DIVERSE,
    example=SubtopicExample(_RANKED, missed=["2"], value=(1 + 2 / 3) / 2 / 2),
)
def ap_ia(where: Subtopics) -> PerRanking:
    """Intent-aware average precision: the mean of AP over subtopics."""

    def value(ranking: Covered) -> float:
        hits = np.cumsum(ranking.retrieved, axis=0)
        precise = np.where(ranking.retrieved, hits / ranking.rank[:, None], 0.0)
        sums = np.cumsum(precise, axis=0)[-1] if len(precise) else np.zeros(ranking.subtopics)
        return total(sums / ranking.judged.sum(axis=0)) / ranking.subtopics

    return where.each(value)


@measure(
    "P_IA",
    sources=["agrawal-2009", "ndeval"],
    **_DIVERSE,
    example=SubtopicExample(_RANKED, missed=["2"], cutoff=4, value=2 / 4 / 2),
)
def precision_ia(where: Subtopics, *, cutoff: Cutoff) -> PerRanking:
    """Intent-aware precision: the mean of the precision at rank `cutoff` over subtopics."""
    return where.each(
        lambda ranking: int(_within(ranking, cutoff)[1].sum()) / (cutoff * ranking.subtopics)
    )


@measure(
    "StRecall",
    sources=["zhai-2003", "ndeval"],
    aliases=["SRecall"],
    **_DIVERSE,
    example=SubtopicExample(_RANKED, missed=["2"], cutoff=4, value=1 / 2),
)
def subtopic_recall(where: Subtopics, *, cutoff: Cutoff) -> PerRanking:
    """Subtopic recall: the share of subtopics to which any of the first `cutoff` items is relevant.

    Subtopics to which no judged item is relevant do not count.
    """
    return where.each(
        lambda ranking: int(_within(ranking, cutoff)[1].any(axis=0).sum()) / ranking.subtopics
    )
