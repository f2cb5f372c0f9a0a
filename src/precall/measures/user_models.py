"""Models of when a user stops reading (INST and others), and Compat, the agreement with the best
ranking.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from precall.core import ragged
from precall.core.errors import MeasureError
from precall.core.ragged import Float64, Int64
from precall.location.located import Located
from precall.measures.gains import discount, sum_discounted
from precall.measures.registry import (
    Cutoff,
    Example,
    Flag,
    Grade,
    PerRanking,
    Persistence,
    Positive,
    measure,
)
from precall.read.grades import Grades

#: The most cells (rankings x ranks) that are computed at a time, and the most ranks of a ranking.
BATCH, DEEPEST = 2_000_000, 100_000
#: A function of the gain at every rank, a line per ranking, and of the ranks: the chance that a
#: user
#: goes on from each rank.
GoOn = Callable[[Float64, Int64], Float64]


def check_depth(cutoff: int) -> None:
    """Refuse a cutoff that is too deep: each rank up to it takes a step."""
    if cutoff > DEEPEST:
        raise MeasureError(parameter="cutoff", allowed=f"at most {DEEPEST:,} here", got=cutoff)


def share_of_gain(located: Located, max_rel: float) -> Float64:
    """The gain of each item: its grade as a share of `max_rel`, from 0 to 1."""
    return np.clip(located.grade, 0, max_rel) / max_rel


def by_user(located: Located, max_rel: float, depth: int, go_on: GoOn) -> PerRanking:
    """Mean gain of the first `depth` ranks, each weighted by the chance that a user reaches it."""
    gain = share_of_gain(located, max_rel)
    check_depth(depth)
    rank, number = located.location, len(located)
    start, ranks = ragged.starts(located.ranking, number), np.arange(1, depth + 1)
    result = np.empty(number)
    step = max(BATCH // depth, 1)
    for first in range(0, number, step):
        last = min(first + step, number)
        rows = np.arange(start[first], start[last])
        rows = rows[rank[rows] <= depth]
        gained = np.zeros((last - first, depth))
        gained[located.ranking[rows] - first, rank[rows] - 1] = gain[rows]
        reached = np.ones_like(gained)
        np.cumprod(go_on(gained, ranks)[:, :-1], axis=1, out=reached[:, 1:])
        result[first:last] = _sums(reached * gained) / _sums(reached)
    return result


def _sums(values: Float64) -> Float64:
    # Added one by one: the digits then do not depend on the number of rankings.
    return np.asarray(np.cumsum(values, axis=1)[:, -1])


def _looks_on(ranks: Int64, wanted: float | Float64) -> Float64:
    """INSQ's chance to go on: the more items are wanted, the more patient a user is."""
    return np.asarray(((ranks + wanted - 1) / (ranks + wanted)) ** 2)


#: Why measures have no bounds over labels of unjudged items.
_PATIENCE = "a good item also ends the reading of others"


@measure(
    "INSQ",
    labelings="rising",
    sources=["moffat-2012", "azzopardi-2019"],
    range=(0, 1),
    monotone=True,
    shown="wanted",
    example=Example(
        hits=[2],
        retrieved=2,
        max_rel=1,
        cutoff=3,
        wanted=1,
        value=(1 / 9) / (1 / 4 + 1 / 9 + 1 / 16),
    ),
)
def insq(
    located: Located, *, max_rel: Grade, wanted: Positive = 1.0, cutoff: Cutoff = 1000
) -> PerRanking:
    """INSQ: mean gain of a user who wants some relevant items, and is more likely to go on at
    deeper ranks.

    If T items are `wanted`, the weight of rank i is proportional to 1 / (i + 2T - 1)^2. An item
    gains grade / max_rel, at most 1. Weights add up to 1 over the first `cutoff` ranks. The paper
    has no cutoff; the default, 1000, is the default of cwl_eval.
    """
    return by_user(
        located,
        max_rel,
        cutoff,
        lambda gained, ranks: np.broadcast_to(_looks_on(ranks, 2 * wanted), gained.shape),
    )


@measure(
    "INST",
    labelings=_PATIENCE,
    sources=["moffat-2015", "azzopardi-2019"],
    range=(0, 1),
    shown="wanted",
    example=Example(hits=[1], retrieved=2, max_rel=1, cutoff=2, wanted=1, value=1 / (1 + 1 / 4)),
)
def inst(
    located: Located, *, max_rel: Grade, wanted: Positive = 1.0, cutoff: Cutoff = 1000
) -> PerRanking:
    """INST: INSQ for a user whose patience shrinks with the gain so far.

    The chance to go on from rank i is ((i + T + T_i - 1) / (i + T + T_i))^2, where T is `wanted`
    and T_i is T minus the gain down to rank i. An item gains grade / max_rel,
    at most 1. The weights add up to 1 over the first `cutoff` ranks (default: cwl_eval's 1000).
    """

    def go_on(gained: Float64, ranks: Int64) -> Float64:
        return _looks_on(ranks, wanted + (wanted - np.cumsum(gained, axis=1)))

    return by_user(located, max_rel, cutoff, go_on)


@measure(
    "BPM",
    labelings=_PATIENCE,
    sources=["zhang-2017", "azzopardi-2019"],
    range=(0, 1),
    shown="wanted",
    example=Example(hits=[1, 3, 4], retrieved=5, max_rel=1, wanted=2, cutoff=5, value=2 / 3),
)
def bejeweled_player(
    located: Located, *, cutoff: Cutoff, max_rel: Grade, wanted: Positive = 1.0
) -> PerRanking:
    """Bejeweled player model, static: mean gain down to the rank where the gain reaches `wanted`,
    or to the cutoff.

    An item gains grade / max_rel, at most 1.
    """

    def go_on(gained: Float64, ranks: Int64) -> Float64:
        return (np.cumsum(gained, axis=1) < wanted).astype(np.float64)

    return by_user(located, max_rel, cutoff, go_on)


@measure(
    "SDCG",
    labelings="rising",
    closed="mean discount of each block",
    sources=["jarvelin-kekalainen-2002", "azzopardi-2019"],
    range=(0, 1),
    monotone=True,
    example=Example(
        hits=[1, 3],
        retrieved=10,
        max_rel=1,
        cutoff=3,
        value=(1 + 1 / 2) / (1 + 1 / np.log2(3) + 1 / 2),
    ),
)
def scaled_dcg(located: Located, *, cutoff: Cutoff, max_rel: Grade) -> PerRanking:
    """Scaled DCG: DCG divided by the DCG of a ranking whose first `cutoff` items all have the grade
    `max_rel`.

    An item gains grade / max_rel, at most 1, divided by log2(rank + 1). nDCG compares with the
    judged items instead.
    """
    check_depth(cutoff)
    best = np.cumsum(1 / discount(np.arange(1, cutoff + 1)))[-1]
    value: PerRanking = sum_discounted(located, share_of_gain(located, max_rel), cutoff) / best
    return value


@measure(
    "NERR8",
    labelings=_PATIENCE,
    sources=["azzopardi-2021"],
    range=(0, 1),
    example=Example(
        hits=[2], grades=[1], retrieved=3, max_rel=2, cutoff=3, value=(1 / 2) / (1 + 1 + 1 / 2)
    ),
)
def nearly_err_8(located: Located, *, cutoff: Cutoff, max_rel: Grade) -> PerRanking:
    """Nearly ERR, equation 8: mean gain of a user whose chance to stop at an item is its gain. The
    user also stops at the cutoff.

    An item gains grade / max_rel, at most 1. ERR itself is not a mean gain of such a user.
    """
    return by_user(located, max_rel, cutoff, lambda gained, ranks: 1 - gained)


@measure(
    "NERR9",
    labelings=_PATIENCE,
    sources=["azzopardi-2021"],
    range=(0, 1),
    example=Example(
        hits=[2],
        grades=[1],
        retrieved=3,
        max_rel=2,
        cutoff=3,
        value=(1 / 2 / 2) / (1 + 1 / 2 + 1 / 6),
    ),
)
def nearly_err_9(located: Located, *, cutoff: Cutoff, max_rel: Grade) -> PerRanking:
    """Nearly ERR, equation 9: NERR8 with ERR's discount, so the chance to go on from rank i is
    multiplied by i / (i + 1).
    """
    return by_user(
        located, max_rel, cutoff, lambda gained, ranks: ranks / (ranks + 1) * (1 - gained)
    )


@measure(
    "NERR10",
    labelings=_PATIENCE,
    sources=["azzopardi-2021"],
    range=(0, 1),
    shown="p",
    example=Example(
        hits=[2],
        grades=[1],
        retrieved=3,
        max_rel=2,
        p=0.5,
        cutoff=3,
        value=(1 / 4) / (1 + 1 / 2 + 1 / 8),
    ),
)
def nearly_err_10(
    located: Located, *, max_rel: Grade, p: Persistence = 0.9, cutoff: Cutoff = 1000
) -> PerRanking:
    """Nearly ERR, equation 10: NERR8 with RBP's patience, so the chance to go on is multiplied by
    `p`.

    The weights add up to 1 over the first `cutoff` ranks (default: cwl_eval's 1000).
    """
    return by_user(located, max_rel, cutoff, lambda gained, ranks: p * (1 - gained))


@measure(
    "NERR11",
    labelings=_PATIENCE,
    sources=["azzopardi-2021"],
    range=(0, 1),
    shown="wanted",
    example=Example(
        hits=[2],
        grades=[1],
        retrieved=3,
        max_rel=2,
        wanted=1,
        cutoff=3,
        value=(4 / 9 / 2) / (1 + 4 / 9 + 4 / 9 * 9 / 16 / 2),
    ),
)
def nearly_err_11(
    located: Located, *, max_rel: Grade, wanted: Positive = 1.0, cutoff: Cutoff = 1000
) -> PerRanking:
    """Nearly ERR, equation 11: NERR8 with INSQ's patience. The chance to go on is multiplied by
    INSQ's chance to go on.

    The weights add up to 1 over the first `cutoff` ranks (default: cwl_eval's 1000).
    """
    return by_user(
        located, max_rel, cutoff, lambda gained, ranks: _looks_on(ranks, 2 * wanted) * (1 - gained)
    )


@measure(
    "Compat",
    labelings="its best ranking changes with every label",
    sources=["clarke-2021"],
    range=(0, 1),
    shown="p",
    undefined="no judged item has a grade above 0",
    elsewhere={
        r"(?i:compat)\b.*": (
            "ir_measures orders items of equal grade and score in the best ranking as in the "
            "qrels, precall as in the ranking"
        )
    },
    example=Example(hits=[2], retrieved=2, relevant=1, p=0.5, value=(1 / 2 / 2) / (1 + 1 / 2 / 2)),
)
def compatibility(located: Located, *, p: Persistence = 0.95, normalize: Flag = True) -> PerRanking:
    """Compatibility: rank-biased overlap of the ranking with the best ranking, divided by its
    maximum.

    The best ranking has all items of positive grade, sorted by grade. Items of equal grade keep the
    order of the ranking; missed items come last. The overlap at depth d, the share of the first d
    items that are in both rankings, has the weight p^(d - 1). Depths go down to the end of the
    longer ranking. `normalize=false` divides by the weights alone, so 1 cannot be reached if the
    best ranking is the shorter one.
    """
    number, rows = len(located), np.flatnonzero(located.grade > 0)
    ranking, grade, rank = located.ranking[rows], located.grade[rows], located.location[rows]
    ideal_ranking, _ = located.ideal()
    size = ragged.counts(ideal_ranking, number)
    depth = np.maximum(located.retrieved, size)
    weights = p ** np.arange(float(depth.max(initial=0)))
    # An item that both rankings have from depth d on adds its share at every depth from d on: the
    # sum over all depths minus the sum before d.
    overlap = np.concatenate(([0.0], np.cumsum(weights / np.arange(1, len(weights) + 1))))

    def sum_overlaps(place: Int64, owner: Int64) -> Float64:
        return ragged.sums(overlap[depth[owner]] - overlap[place - 1], owner, number)

    common = sum_overlaps(np.maximum(rank, _ideal_place(located, ranking, grade, rank)), ranking)
    if normalize:
        return common / sum_overlaps(ragged.positions(ideal_ranking, number), ideal_ranking)
    all_weights = np.concatenate(([0.0], np.cumsum(weights)))[depth]
    return np.where(size > 0, common / all_weights, np.nan)


def _ideal_place(located: Located, ranking: Int64, grade: Grades, rank: Int64) -> Int64:
    """The rank of each retrieved item of positive grade in the best ranking."""
    positive = np.flatnonzero(located.total_grade > 0)
    total_grade = located.total_grade
    if total_grade.dtype == np.float64:
        # Only their order counts.
        different, total_grade = np.unique(total_grade, return_inverse=True)
        grade = np.searchsorted(different, grade)
    high = int(total_grade.max(initial=0))
    # Sorted by ranking, and by descending grade within each ranking.
    order = positive[np.lexsort((-total_grade[positive], located.total_ranking[positive]))]
    owner, count = located.total_ranking[order], located.total_count[order]
    before = np.cumsum(count) - count
    lead = ragged.starts(owner, len(located))[:-1]
    key = owner * (high + 1) + high - total_grade[order]
    own = ranking * (high + 1) + high - grade
    group = np.searchsorted(key, own)
    sequence = np.lexsort((rank, own))
    within = np.empty(len(own), np.int64)
    within[sequence] = ragged.positions(group[sequence], len(key))
    return np.asarray(before[group] - before[lead[ranking]] + within, np.int64)
