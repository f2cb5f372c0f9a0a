"""Measures for incomplete judgements, which tell judged misses from unjudged items."""

from __future__ import annotations

import numpy as np

from precall import ragged
from precall.declare import Count, Cutoff, Example, Grade, PerRanking, Real, measure
from precall.location.hits import Hits
from precall.location.located import Located
from precall.ragged import Int64

#: Keeps infAP's ratio defined where nothing was judged above; trec_eval's value.
EPSILON = 1e-5


def above(located: Located, flag: np.typing.NDArray[np.bool_]) -> Int64:
    """Per row: rows with `flag` at better ranks of the same ranking."""
    number = flag.astype(np.int64)
    _ = located.location
    return ragged.running(number, located.ranking, len(located)) - number


@measure(
    "Bpref", sources=["buckley-voorhees-2004", "trec_eval"], trec_eval="bpref", judging=True, range=(0, 1), monotone=True,
    undefined="no item is relevant",
    example=Example(hits=[1, 3], nonrelevant=[2], retrieved=4, relevant=2, missed_nonrelevant=1, value=(1 + 1 / 2) / 2),
)  # fmt: skip
def binary_preference(located: Located, *, grade: Grade = 1) -> PerRanking:
    """Binary preference: how rarely judged nonrelevant items stand above relevant ones; unjudged ones play no part.

    (1/R) sum over hits of 1 - min(nonrelevant above, R) / min(N, R), N the judged nonrelevant items
    (0 <= grade of the item < `grade`). A hit with none above counts 1, also when N = 0 (ranx gives NaN there).
    """
    miss = (located.grade >= 0) & (located.grade < grade)
    relevant = located.total(grade)
    worse = above(located, miss)
    most = np.minimum(relevant, located.total(0, grade))[located.ranking]
    preferred = np.where(
        worse > 0, 1 - np.minimum(worse, relevant[located.ranking]) / np.maximum(most, 1), 1.0
    )
    return located.weighted(np.where(located.grade >= grade, preferred, 0)) / relevant


@measure(
    "infAP", sources=["yilmaz-aslam-2006", "trec_eval"], trec_eval="infAP", judging=True, range=(0, 1),
    undefined="no item is relevant",
    example=Example(hits=[1, 3], nonrelevant=[2], retrieved=3, relevant=2,
                    value=(1 + 1 / 3 + 2 / 3 * (1 + 1e-5) / (2 + 2e-5)) / 2),
)  # fmt: skip
def inferred_average_precision(located: Located, *, grade: Grade = 1) -> PerRanking:
    """Inferred AP: AP estimated when only a sample of the pool was judged (negative grades: in the pool, unjudged).

    At a hit of rank k, expected precision 1/k + (k-1)/k x (in the pool above)/(k-1) x
    (relevant above + e)/(judged above + 2e), e = 1e-5; averaged over all relevant items. Equals AP
    up to e when the whole pool was judged and everything retrieved was in it.
    """
    rank = located.location
    relevant_above = above(located, located.grade >= grade)
    judged_above = above(located, located.grade >= 0)
    pool_above = above(located, np.ones(len(rank), np.bool_))
    share = (relevant_above + EPSILON) / (judged_above + 2 * EPSILON)
    precise = 1 / rank + np.where(rank > 1, pool_above * share / rank, 0)
    return located.weighted(np.where(located.grade >= grade, precise, 0)) / located.total(grade)


@measure(
    "Judged", closed="mean of judged items in a part of a block",
    sources=["sakai-2007"], judging=True, range=(0, 1), direction=0, undefined="nothing was retrieved",
    example=Example(hits=[1], nonrelevant=[4], retrieved=10, cutoff=5, value=2 / 5),
)  # fmt: skip
def judged(located: Located, *, cutoff: Cutoff | None = None) -> PerRanking:
    """Share of the first `cutoff` retrieved items that are judged.

    Of min(k, retrieved) items, as in ir_measures; items with a negative grade count as unjudged.
    """
    hits = located.hits(0)
    seen = located.retrieved if cutoff is None else np.minimum(located.retrieved, cutoff)
    return (hits.found if cutoff is None else hits.within(cutoff)) / seen


@measure(
    "binG", sources=["trec_eval"], trec_eval="binG", range=(0, 1), monotone=True, strict=True, undefined="no item is relevant",
    example=Example(hits=[1, 3], retrieved=4, relevant=2, value=(1 + 1 / np.log2(3)) / 2),
)  # fmt: skip
def binary_g(hits: Hits) -> PerRanking:
    """Binary G: mean over relevant items of 1/log2(2 + items above that are not relevant); missed items give 0."""
    worse = hits.location - hits.order
    return ragged.sums(1 / np.log2(2 + worse), hits.ranking, len(hits)) / hits.relevant


@measure(
    "Utility", closed="no order changes it",
    sources=["trec_eval"], trec_eval="utility",
    example=Example(hits=[1, 3], retrieved=10, relevant=3, value=2 - 8),
)  # fmt: skip
def utility(
    hits: Hits, *, found: Real = 1.0, nonrelevant: Real = -1.0, missed: Real = 0.0, rejected: Real = 0.0,
    population: Count = 0,
) -> PerRanking:  # fmt: skip
    """Linear utility of the retrieved set: a weight for each cell of its contingency table.

    found x hits + nonrelevant x other retrieved items + missed x relevant items not retrieved +
    rejected x the rest of a collection of `population` items (needed only for that last weight).
    """
    wrong = hits.retrieved - hits.found
    lost = hits.relevant - hits.found
    rest = population - hits.retrieved - lost
    value: PerRanking = found * hits.found + nonrelevant * wrong + missed * lost + rejected * rest
    return value


@measure(
    "NumNonrelRet", closed="no order changes it",
    sources=["trec_eval"], trec_eval="num_nonrel_judged_ret", judging=True, range=(0, np.inf),
    aggregate="sum", direction=0,
    example=Example(hits=[1], nonrelevant=[2, 4], retrieved=5, value=2),
)  # fmt: skip
def number_nonrelevant(located: Located, *, grade: Grade = 1) -> PerRanking:
    """Number of retrieved items that are judged and not relevant; summed over topics."""
    wrong = (located.grade >= 0) & (located.grade < grade)
    return ragged.integer_sums(wrong.astype(np.int64), located.ranking, len(located))
