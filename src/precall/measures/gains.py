"""Graded measures, in which a better item earns more: nDCG, DCG, Q, ERR, RBP, G."""

from __future__ import annotations

from math import ceil

import numpy as np

from precall.core import ragged
from precall.core.errors import MeasureError
from precall.core.ragged import Float64, Int64
from precall.location.located import Located
from precall.measures.registry import (
    Beta,
    Cutoff,
    Example,
    Gain,
    GainPairs,
    Gains,
    Grade,
    PerRanking,
    Persistence,
    measure,
)
from precall.read.grades import Grades

#: For grades up to this, 2^grade and sums of it stay within float64.
STEEPEST = 900
#: For grades below this, 2^grade - 1 loses digits.
FLAT = 2.0**-20


def gain_of(grade: Grades, gain: str, gains: GainPairs | None, scale: int = 0) -> Float64:
    """The gain of an item by its grade, divided by 2^scale.

    Grades of 0 and below gain nothing unless `gains` says so.
    """
    positive = np.maximum(grade, 0).astype(np.float64)
    earned = (
        np.exp2(positive - scale) - np.exp2(-scale) if gain == "exp" else positive * 2.0**-scale
    )
    if gain == "exp" and grade.dtype == np.float64:
        # Of small fractions nothing would be left.
        small = np.expm1(np.minimum(positive, FLAT) * np.log(2)) * 2.0**-scale
        earned = np.where(positive < FLAT, small, earned)
    for level, gained in gains or ():
        earned = np.where(grade == level, gained * 2.0**-scale, earned)
    return earned


def scale_of(located: Located, gain: str) -> int:
    """The exponent of the power of 2 to divide gains by, so that none overflows.

    It is 0 for grades up to `STEEPEST`, which are all that people use.
    """
    if gain != "exp":
        return 0
    return max(ceil(float(located.total_grade.max(initial=0))) - STEEPEST, 0)


def discount(rank: Int64) -> Float64:
    """The divisor of a gain at a rank: log2(rank + 1)."""
    return np.asarray(np.log2(rank + 1), np.float64)


def sum_values(located: Located, values: Float64, cutoff: int | None) -> PerRanking:
    """The sum per ranking of the values of items at ranks up to the cutoff."""
    return located.weighted(
        values if cutoff is None else np.where(located.location <= cutoff, values, 0)
    )


def sum_discounted(located: Located, earned: Float64, cutoff: int | None) -> PerRanking:
    """The sum of earned / discount(rank) per ranking; with ties="expected" its mean."""
    first, last = located.span
    if located.ties != "expected" or np.array_equal(first, last):
        return sum_values(located, earned / discount(located.location), cutoff)
    # Computed once per block, not per item: a constant scorer has one block with all judged items.
    lead = ragged.changes(located.ranking, first)
    size = (last - first + 1)[lead]
    row, rank = ragged.spread(first[lead], size)
    share = np.where(rank <= (cutoff or rank), 1 / discount(rank), 0)
    mean = ragged.sums(share, row, len(size)) / size
    return located.weighted(earned * mean[np.cumsum(lead) - 1])


def ideal_rows(located: Located, gain: str, gains: GainPairs | None) -> tuple[Int64, Float64]:
    """The best possible rankings of all items that gain anything, as rows: (ranking, gain), the
    gain over 2^scale.
    """
    earned = gain_of(located.total_grade, gain, gains, scale_of(located, gain))
    order = np.lexsort((-earned, located.total_ranking))
    order = order[earned[order] > 0]
    rows = order.repeat(located.total_count[order])
    return located.total_ranking[rows], earned[rows]


def ideal_dcg(
    located: Located, gain: str, gains: GainPairs | None, cutoff: int | None
) -> PerRanking:
    """DCG of the best possible ranking of all judged items, over 2^scale."""
    ranking, earned = ideal_rows(located, gain, gains)
    rank = ragged.positions(ranking, len(located))
    # Divided and added in the same order as for the ranking itself, so that a perfect ranking gets
    # exactly 1.
    value = earned / discount(rank)
    return ragged.sums(
        value if cutoff is None else np.where(rank <= cutoff, value, 0), ranking, len(located)
    )


def _refuse_steep(located: Located, gain: str, name: str) -> None:
    """Refuse gains that float64 does not hold, in a measure that is no ratio of them."""
    if scale_of(located, gain):
        raise MeasureError(
            measure=f"{name}(gain=exp)",
            what=f"2^{located.total_grade.max()} is beyond float64",
            remedy="say what each grade gains with gains={...}, or take nDCG, which is a ratio",
        )


@measure(
    "DCG",
    labelings="rising",
    closed="mean discount of each block",
    sources=["jarvelin-kekalainen-2002", "burges-2005"],
    trec_eval=["dcg"],
    range=(0, np.inf),
    monotone=True,
    strict=True,
    aliases=["DiscountedCumulativeGain"],
    example=Example(hits=[1, 3], grades=[2, 1], retrieved=10, value=2 + 1 / 2),
)
def dcg(
    located: Located,
    *,
    cutoff: Cutoff | None = None,
    gain: Gain = "linear",
    gains: Gains | None = None,
) -> PerRanking:
    """Discounted cumulative gain: sum over ranks of the item's gain / log2(rank + 1).

    gain=linear takes the grade itself (trec_eval), gain=exp takes 2^grade - 1 (Burges et al. 2005).
    gains={1:3,2:9} sets the gain of single grades; other grades keep `gain`. Grades may have
    fractions, such as 4.5. Unjudged items gain 0, and so do judgements of negative grade unless
    `gains` names the grade.
    """
    _refuse_steep(located, gain, "DCG")
    return sum_discounted(located, gain_of(located.grade, gain, gains), cutoff)


@measure(
    "nDCG",
    labelings="gains",
    closed="mean discount of each block",
    sources=["jarvelin-kekalainen-2002", "burges-2005"],
    trec_eval=["ndcg", "ndcg_cut_{cutoff}"],
    aliases=["NormalizedDCG", "NormalizedDiscountedCumulativeGain", "NormalisedDCG"],
    range=(0, 1),
    monotone=True,
    strict=True,
    undefined="no judged item has a gain above 0",
    example=Example(hits=[1, 3], grades=[1, 2], retrieved=10, value=2 / (2 + 1 / np.log2(3))),
)
def ndcg(
    located: Located,
    *,
    cutoff: Cutoff | None = None,
    gain: Gain = "linear",
    gains: Gains | None = None,
) -> PerRanking:
    """Normalised DCG: DCG divided by the DCG of the best ranking of all judged items, both cut at
    k.

    An item gains its grade (gain=linear), 2^grade - 1 (gain=exp) or its value in `gains`, divided
    by log2(rank + 1). Grades may have fractions, such as 4.5. A ranking shorter than k is compared
    with the ideal one of k items, as in trec_eval. `grade` is ignored, because the gains tell what
    is relevant.
    """
    earned = gain_of(located.grade, gain, gains, scale_of(located, gain))
    return sum_discounted(located, earned, cutoff) / ideal_dcg(located, gain, gains, cutoff)


@measure(
    "Q",
    labelings="its ideal gain changes with every label",
    sources=["sakai-2007", "sakai-robertson-2008"],
    aliases=["QMeasure"],
    range=(0, 1),
    monotone=True,
    undefined="no judged item has a gain above 0",
    example=Example(
        hits=[1, 3], grades=[1, 2], retrieved=10, value=((1 + 1) / (1 + 2) + (2 + 3) / (3 + 3)) / 2
    ),
)
def q_measure(
    located: Located,
    *,
    cutoff: Cutoff | None = None,
    beta: Beta = 1.0,
    gain: Gain = "linear",
    gains: Gains | None = None,
) -> PerRanking:
    """Q-measure (NTCIR): mean over the relevant items of the blended ratio at their ranks, a
    precision that counts gains as well as hits.

    The blended ratio at rank r is (hits + beta gain) / (r + beta ideal gain), where gains are added
    up to rank r of the ranking and of the best ranking. An item that is not retrieved has 0;
    with beta=0 it is AP. Items with a gain above 0 are relevant; gains are those of nDCG. With a
    cutoff k the sum is divided by min(k, relevant), as in NTCIREVAL. `grade` is ignored.
    """
    _refuse_steep(located, gain, "Q")
    earned, n = gain_of(located.grade, gain, gains), len(located)
    ranking, ideal = ideal_rows(located, gain, gains)
    relevant = ragged.counts(ranking, n)
    best = np.concatenate(([0.0], ragged.running_floats(ideal, ranking, n)))
    rank, hit = located.location, earned > 0
    # Below the last item of the best ranking its gain stays.
    above = ragged.starts(ranking, n)[located.ranking]
    last = above + np.minimum(rank, relevant[located.ranking])
    found = ragged.running(hit.astype(np.int64), located.ranking, n)
    gained = ragged.running_floats(earned, located.ranking, n)
    blended = (found + beta * gained) / (rank + beta * best[last])
    within = hit if cutoff is None else hit & (rank <= cutoff)
    most = relevant if cutoff is None else np.minimum(cutoff, relevant)
    return located.weighted(np.where(within, blended, 0)) / most


@measure(
    "ERR",
    labelings="rising",
    sources=["chapelle-2009"],
    range=(0, 1),
    monotone=True,
    elsewhere={
        "(?i:err)(?!.*max=).*": (
            "gdeval and ir_measures always end the scale at grade 4, as ERR(max=4) does; here it "
            "ends at the greatest grade of the qrels"
        )
    },
    example=Example(
        hits=[1, 2], grades=[1, 2], retrieved=10, max=2, value=1 / 4 + 3 / 4 * 3 / 4 / 2
    ),
)
def expected_reciprocal_rank(
    located: Located, *, cutoff: Cutoff | None = None, max: Grade | None = None
) -> PerRanking:
    """Expected reciprocal rank: expected 1/rank of the item that satisfies a user who reads from
    the top.

    An item of grade g satisfies with probability (2^g - 1) / 2^max; `max` defaults to the greatest
    grade in the qrels. gdeval and ir_measures always use max = 4, so set it before you compare
    numbers. A grade above `max` satisfies for sure. ERR is 0 if nothing is relevant.
    """
    rank = located.location
    top = max if max is not None else located.total_grade.max(initial=1).item()
    # (2^g - 1) / 2^max = 2^(g - max) - 2^-max, whose exponents cannot overflow.
    above = np.minimum(np.maximum(located.grade, 0) - top, 1).astype(np.float64)
    chance = np.clip(np.exp2(above) - np.exp2(-float(top)), 0, 1)
    unsatisfied = ragged.products_before(1 - chance, located.ranking, len(located))
    return sum_values(located, unsatisfied * chance / rank, cutoff)


@measure(
    "RBP",
    labelings="rising",
    sources=["moffat-zobel-2008"],
    range=(0, 1),
    linear=True,
    monotone=True,
    strict=True,
    shown="p",
    example=Example(hits=[1, 3], retrieved=10, relevant=3, p=0.5, value=0.5 + 0.125),
)
def rank_biased_precision(
    located: Located, *, cutoff: Cutoff | None = None, p: Persistence = 0.8, grade: Grade = 1
) -> PerRanking:
    """Rank-biased precision: expected share of hits seen by a user who goes on to the next rank
    with probability p.

    It is (1 - p) times the sum of p^(L_i - 1) over the hits at ranks up to the cutoff. Hits are
    items of at least `grade`. `RBPResidual` is what unjudged items could add.
    trec_eval 10's rbp rescales grades per topic; `precall trec_eval -m rbp` gives that number.
    """
    return discounted_by(located, (located.grade >= grade).astype(np.float64), p, cutoff)


@measure(
    "RBPResidual",
    closed="mean weight of each block",
    sources=["moffat-zobel-2008"],
    judging=True,
    range=(0, 1),
    direction=-1,
    shown="p",
    example=Example(hits=[1], nonrelevant=[2], retrieved=3, p=0.5, value=0.25),
)
def rbp_residual(located: Located, *, p: Persistence = 0.8) -> PerRanking:
    """Residual of RBP: how much it could grow if every unjudged item were relevant, including items
    below the ranking.

    It is 1 minus the sum of the weights (1 - p) p^(rank - 1) of the ranks that hold a judged item.
    """
    return 1 - discounted_by(located, (located.grade >= 0).astype(np.float64), p)


def discounted_by(
    located: Located, earned: Float64, p: float, cutoff: int | None = None
) -> PerRanking:
    """The sum of earned (1 - p) p^(rank - 1) per ranking; with ties="expected" its mean."""
    first, last = located.span
    if located.ties != "expected":
        return sum_values(located, earned * (1 - p) * p ** (located.location - 1.0), cutoff)
    # The mean weight in a block: a geometric series over its ranks up to the cutoff, divided by the
    # block's size.
    size = last - first + 1
    seen = size if cutoff is None else np.clip(cutoff - first + 1, 0, size)
    return located.weighted(earned * p ** (first - 1.0) * (1 - p ** seen.astype(np.float64)) / size)


@measure(
    "G",
    labelings="its ideal gain changes with every label",
    sources=["trec_eval"],
    trec_eval="G",
    range=(0, 1),
    undefined="no item is relevant",
    example=Example(hits=[1, 2], grades=[2, 1], retrieved=10, value=1.0),
)
def g_measure(located: Located) -> PerRanking:
    """G: gain at each hit over log2(2 + ideal gain so far - gain so far), normalised by the total
    gain.

    The ideal gain counts at least 1 per rank, so that items below the last ideal item are also
    discounted. A ranking in the ideal order scores 1. It is Buckley's measure, defined in
    trec_eval for whole grades; others are refused.
    """
    if located.total_grade.dtype == np.float64:
        raise MeasureError(
            measure="G",
            what="needs whole grades, and a grade has a fraction",
            remedy="take nDCG or DCG, or number the grades",
        )
    earned, n = np.maximum(located.grade, 0), len(located)
    so_far = ragged.running(earned, located.ranking, n)
    short = ideal_gain(located) - so_far
    value = np.where(earned > 0, earned / np.log2(2 + short), 0)
    ranking, grade = located.ideal()
    return located.weighted(value) / ragged.integer_sums(grade, ranking, n)


def ideal_gain(located: Located) -> Int64:
    """For each row the gain of the ideal ranking down to its rank; each rank counts at least 1."""
    ranking, grade = located.ideal()
    n, rank = len(located), located.location
    start = ragged.starts(ranking, n)
    inside = np.minimum(rank, np.diff(start)[located.ranking])
    # Cumulative gains of all ideal rankings, one after another.
    total, first = np.concatenate(([0], np.cumsum(grade))), start[:-1][located.ranking]
    return np.asarray(total[first + inside] - total[first] + (rank - inside), np.int64)
