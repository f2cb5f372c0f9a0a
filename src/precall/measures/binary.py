"""Measures of relevant and judged items: AP and similar, hits by rank, incomplete judgements."""

from __future__ import annotations

from typing import Any

import numpy as np

from precall.core import ragged
from precall.core.ragged import Bool, Int64
from precall.location.hits import Hits, ceiling
from precall.location.located import Located
from precall.measures.registry import (
    NO_ORDER,
    Cutoff,
    Example,
    Grade,
    Norm,
    PerRanking,
    Positive,
    Share,
    measure,
)


@measure(
    "AP",
    labelings="ordered",
    closed="mean precision at each rank of a block",
    blocks="AreaPR",
    sources=["voorhees-harman-2005", "zhang-su-2012"],
    trec_eval=["map", "map_cut_{cutoff}"],
    aliases=["MAP", "AveragePrecision", "MeanAveragePrecision"],
    range=(0, 1),
    monotone=True,
    strict=True,
    undefined="no item is relevant; with norm=found, if nothing relevant was found",
    example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, value=(1 / 2 + 2 / 4 + 3 / 5) / 3),
)
def average_precision(
    hits: Hits, *, cutoff: Cutoff | None = None, norm: Norm = "relevant"
) -> PerRanking:
    """Average precision: mean over relevant items of the precision at their ranks, 0 for those
    missed.

    AP = (1/R) sum over hits of i / L_i (Zhang & Su 2012). With a cutoff only hits within it count.
    The literature uses three denominators, chosen by `norm`:

    - relevant: R, all relevant items (default; trec_eval's map and map_cut);
    - min: min(k, R), so that 1 can be reached;
    - found: the hits within the cutoff (LingPipe 3.9.2, torchmetrics); missed items cost nothing.

    With ties="expected" it is exactly the mean over random orders within blocks.
    """
    return hits.precision_sum(cutoff) / _norm(hits, cutoff, norm)


def _norm(hits: Hits, cutoff: int | None, norm: str) -> ragged.Int64:
    if cutoff is None:
        return hits.found if norm == "found" else hits.relevant
    if norm == "found":
        # The number of hits before the cutoff depends on the order of ties, so the mean of this
        # ratio is not the ratio of means.
        return hits.at_ranks(hits.location <= cutoff).found
    return np.minimum(hits.relevant, cutoff) if norm == "min" else hits.relevant


@measure(
    "RR",
    labelings="rising",
    closed="mean of 1/L_1 in a block, by the chances of its ranks",
    sources=["voorhees-1999"],
    trec_eval="recip_rank",
    aliases=["MRR", "ReciprocalRank", "MeanReciprocalRank"],
    range=(0, 1),
    monotone=True,
    example=Example(hits=[3, 4], retrieved=10, relevant=3, value=1 / 3),
)
def reciprocal_rank(hits: Hits, *, cutoff: Cutoff | None = None) -> PerRanking:
    """Reciprocal rank of the first hit; 0 when there is none (within the cutoff).

    With ties="expected" it is exactly the mean over random orders within blocks.
    """
    return hits.reciprocal_first(cutoff)


#: Note on trec_eval's names of recall levels.
_ROUNDED = (
    "a recall needs a whole number of hits, here exactly rounded up; each version of trec_eval "
    "rounds in another way, and `precall trec_eval` gives its number"
)


@measure(
    "IPrec",
    labelings="falling",
    sources=["voorhees-harman-2005"],
    trec_eval="iprec_at_recall_{recall}",
    range=(0, 1),
    monotone=True,
    undefined="no item is relevant",
    elsewhere={"iprec_at_recall_.*": _ROUNDED},
    example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, recall=0.5, value=3 / 5),
)
def interpolated_precision(hits: Hits, *, recall: Share) -> PerRanking:
    """Interpolated precision: the best precision at any cutoff whose recall is at least `recall`.

    The recall is reached with ceil(recall x relevant) hits, computed exactly. The value is 0 if it
    is never reached. trec_eval 9 truncates recall x R + .9 in floating point, which is wrong for
    R = 3 and recall .7. trec_eval 10 rounds to the nearest number of hits, so it may use a recall
    below the one it names.
    """
    precise = np.where(
        hits.order >= hits.needed(recall)[hits.ranking], hits.order / hits.location, 0
    )
    return np.where(hits.relevant > 0, ragged.maxima(precise, hits.ranking, len(hits)), np.nan)


@measure(
    "IAP",
    labelings="falling",
    sources=["voorhees-harman-2005"],
    trec_eval="11pt_avg",
    aliases=["ElevenPoint", "11-point", "11pt"],
    range=(0, 1),
    blocks="AreaPR(method=11-point)",
    monotone=True,
    undefined="no item is relevant",
    elsewhere={"11pt_avg.*": _ROUNDED},
    example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, value=3 / 5),
)
def eleven_point(hits: Hits) -> PerRanking:
    """Interpolated average precision: mean of the interpolated precision at recall 0, .1, ..., 1.

    Levels of recall are reached by the same exact rule as in IPrec; see there how the versions of
    trec_eval differ.
    """
    needed = np.array([hits.needed(step / 10) for step in range(11)])
    precise = np.append(hits.order / hits.location, 0.0)
    start = ragged.starts(hits.ranking, len(hits))
    # The greatest precision from one level to the next, then from the last level on.
    first = np.minimum(start[:-1] + np.maximum(needed, 1) - 1, start[1:])
    between = np.maximum.reduceat(precise, first.T.ravel()).reshape(-1, len(needed)).T
    points = np.where(np.maximum(needed, 1) <= np.diff(start), between, 0.0)
    points = np.maximum.accumulate(points[::-1])[::-1]
    # Added one by one: the order in which np.mean adds, and so the last digit, depends on the
    # number of rankings.
    mean = sum(points[1:], points[0]) / len(points)
    return np.where(hits.relevant > 0, mean, np.nan)


@measure(
    "yaap",
    labelings="ordered",
    sources=["trec_eval", "robertson-2006"],
    trec_eval="yaap",
    monotone=True,
    strict=True,
    example=Example(hits=[1], retrieved=10, relevant=2, value=0.0),
)
def yet_another_average_precision(hits: Hits) -> PerRanking:
    """Log-odds form of AP: log((1 + S) / (1 + R - S)), S the sum over hits of i / L_i.

    It goes from log(1/(1 + R)), if nothing is found, to log(1 + R) for a perfect ranking. It is 0
    if no item is relevant.
    """
    _ = hits.location
    total = hits.precision_sum()
    odds: PerRanking = np.log((1 + total) / (1 + hits.relevant - total))
    return odds


@measure(
    "Success",
    labelings="rising",
    closed="hypergeometric",
    sources=["trec_eval"],
    trec_eval="success_{cutoff}",
    aliases=["Hit", "HitRate"],
    range=(0, 1),
    monotone=True,
    example=Example(hits=[3], retrieved=10, relevant=3, cutoff=5, value=1.0),
)
def success(hits: Hits, *, cutoff: Cutoff | None = None) -> PerRanking:
    """Success: 1 if any of the first `cutoff` ranks is a hit, else 0; its mean is the hit rate.

    Without a cutoff the whole list counts: Success, or HitRate, is 1 if anything relevant was
    retrieved. With ties="expected" it is the probability of a hit in the first `cutoff` ranks, from
    the hypergeometric distribution in each block.
    """
    return hits.any_within(cutoff)


@measure(
    "RelP",
    labelings="ordered",
    sources=["trec_eval"],
    trec_eval="relative_P_{cutoff}",
    range=(0, 1),
    undefined="no item is relevant",
    linear=True,
    monotone=True,
    example=Example(hits=[1, 3], retrieved=10, relevant=3, cutoff=5, value=2 / 3),
)
def relative_precision(hits: Hits, *, cutoff: Cutoff) -> PerRanking:
    """Relative precision: hits in the first `cutoff` ranks, divided by the greatest possible
    number, min(k, relevant).
    """
    return hits.within(cutoff) / np.minimum(cutoff, hits.relevant)


@measure(
    "Rprec",
    labelings="ordered",
    sources=["voorhees-harman-2005"],
    trec_eval=["Rprec", "Rprec_mult_{mult}"],
    aliases=["R-precision", "RPrecision"],
    range=(0, 1),
    undefined="no item is relevant",
    linear=True,
    monotone=True,
    example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, value=1 / 3),
)
def r_precision(hits: Hits, *, mult: Positive = 1.0) -> PerRanking:
    """R-precision: precision at rank R, the number of relevant items; `mult` multiplies this rank.

    The cutoff is mult x relevant, computed exactly and rounded up; trec_eval's `Rprec_mult` adds .9
    and truncates in floating point, which differs in rare cases. At mult = 1, precision and recall
    are equal there.
    """
    cutoff = ceiling(mult, hits.relevant)
    return hits.within(cutoff) / cutoff


@measure(
    "SetRelP",
    labelings="ordered",
    sources=["trec_eval"],
    trec_eval="set_relative_P",
    range=(0, 1),
    undefined="nothing was retrieved or no item is relevant",
    linear=True,
    monotone=True,
    example=Example(hits=[1, 3], retrieved=10, relevant=3, value=2 / 3),
)
def set_relative_precision(hits: Hits) -> PerRanking:
    """Relative precision of the retrieved set: hits divided by the greatest possible number,
    min(retrieved, relevant).
    """
    return hits.found / np.minimum(hits.retrieved, hits.relevant)


@measure(
    "SetAP",
    labelings="ordered",
    closed=NO_ORDER,
    sources=["trec_eval"],
    trec_eval="set_map",
    range=(0, 1),
    undefined="nothing was retrieved or no item is relevant",
    monotone=True,
    example=Example(hits=[1, 3], retrieved=10, relevant=3, value=2 / 15),
)
def set_average_precision(hits: Hits) -> PerRanking:
    """AP of the retrieved set when its order is not known: precision times recall."""
    return hits.found * hits.found / (hits.retrieved * hits.relevant)


#: Measures that count and are summed over topics: neither end is good, and ties change nothing.
_COUNT: dict[str, Any] = {
    "sources": ["trec_eval"],
    "range": (0, np.inf),
    "aggregate": "sum",
    "direction": 0,
    "closed": NO_ORDER,
}


@measure(
    "NumRet",
    labelings="rising",
    trec_eval="num_ret",
    example=Example(hits=[1, 3], retrieved=10, relevant=3, value=10),
    **_COUNT,
)
def number_retrieved(hits: Hits) -> PerRanking:
    """Number of items retrieved; summed over topics."""
    return hits.retrieved


@measure(
    "NumRel",
    labelings="rising",
    trec_eval="num_rel",
    example=Example(hits=[1, 3], retrieved=10, relevant=3, value=3),
    **_COUNT,
)
def number_relevant(hits: Hits) -> PerRanking:
    """Number of relevant items, retrieved or not; summed over topics."""
    return hits.relevant


@measure(
    "NumRelRet",
    labelings="rising",
    sources=["trec_eval"],
    trec_eval="num_rel_ret",
    range=(0, np.inf),
    aggregate="sum",
    linear=True,
    monotone=True,
    example=Example(hits=[1, 3], retrieved=10, relevant=3, value=2),
)
def number_found(hits: Hits) -> PerRanking:
    """Number of relevant items retrieved: the hits; summed over topics."""
    return hits.found


#: Keeps infAP's ratio defined if nothing was judged above; trec_eval's value.
EPSILON = 1e-5


def above(located: Located, flag: Bool) -> Int64:
    """For each row the number of rows with `flag` at better ranks of the same ranking."""
    number = flag.astype(np.int64)
    _ = located.location
    return ragged.running(number, located.ranking, len(located)) - number


@measure(
    "Bpref",
    sources=["buckley-voorhees-2004", "trec_eval"],
    trec_eval="bpref",
    judging=True,
    range=(0, 1),
    monotone=True,
    undefined="no item is relevant",
    example=Example(
        hits=[1, 3],
        nonrelevant=[2],
        retrieved=4,
        relevant=2,
        missed_nonrelevant=1,
        value=(1 + 1 / 2) / 2,
    ),
)
def binary_preference(located: Located, *, grade: Grade = 1) -> PerRanking:
    """Binary preference: how rarely judged nonrelevant items stand above relevant ones; unjudged
    ones play no part.

    It is (1/R) sum over hits of 1 - min(nonrelevant above, R) / min(N, R), where N is the number of
    judged nonrelevant items (0 <= grade of the item < `grade`). A hit with none above counts 1,
    also if N = 0 (ranx gives NaN there).
    """
    miss = (located.grade >= 0) & (located.grade < grade)
    relevant = located.total(grade)
    worse = above(located, miss)
    most = np.minimum(relevant, located.total(0, grade))[located.ranking]
    counted = np.minimum(worse, relevant[located.ranking])
    preferred = np.where(worse > 0, 1 - counted / np.maximum(most, 1), 1.0)
    return located.weighted(np.where(located.grade >= grade, preferred, 0)) / relevant


@measure(
    "infAP",
    sources=["yilmaz-aslam-2006", "trec_eval"],
    trec_eval="infAP",
    judging=True,
    range=(0, 1),
    undefined="no item is relevant",
    example=Example(
        hits=[1, 3],
        nonrelevant=[2],
        retrieved=3,
        relevant=2,
        value=(1 + 1 / 3 + 2 / 3 * (1 + 1e-5) / (2 + 2e-5)) / 2,
    ),
)
def inferred_average_precision(located: Located, *, grade: Grade = 1) -> PerRanking:
    """Inferred AP: AP estimated when only a sample of the pool was judged. Negative grades mark
    unjudged items of the pool.

    The expected precision at a hit of rank k is 1/k + (k-1)/k x (in the pool above)/(k-1) x
    (relevant above + e)/(judged above + 2e), e = 1e-5. It is averaged over all relevant items.
    infAP equals AP up to e if the whole pool was judged and everything retrieved was in it.
    """
    rank = located.location
    relevant_above = above(located, located.grade >= grade)
    judged_above = above(located, located.grade >= 0)
    pool_above = above(located, np.ones(len(rank), np.bool_))
    share = (relevant_above + EPSILON) / (judged_above + 2 * EPSILON)
    precise = 1 / rank + np.where(rank > 1, pool_above * share / rank, 0)
    return located.weighted(np.where(located.grade >= grade, precise, 0)) / located.total(grade)


@measure(
    "Judged",
    closed="mean of judged items in a part of a block",
    sources=["sakai-2007"],
    judging=True,
    range=(0, 1),
    direction=0,
    undefined="nothing was retrieved",
    example=Example(hits=[1], nonrelevant=[4], retrieved=10, cutoff=5, value=2 / 5),
)
def judged(located: Located, *, cutoff: Cutoff | None = None) -> PerRanking:
    """Share of the first `cutoff` retrieved items that are judged.

    The number of judged items is divided by min(k, retrieved), as in ir_measures. Items with a
    negative grade count as unjudged.
    """
    hits = located.hits(0)
    seen = located.retrieved if cutoff is None else np.minimum(located.retrieved, cutoff)
    return (hits.found if cutoff is None else hits.within(cutoff)) / seen


@measure(
    "binG",
    labelings="ordered",
    sources=["trec_eval"],
    trec_eval="binG",
    range=(0, 1),
    monotone=True,
    strict=True,
    undefined="no item is relevant",
    example=Example(hits=[1, 3], retrieved=4, relevant=2, value=(1 + 1 / np.log2(3)) / 2),
)
def binary_g(hits: Hits) -> PerRanking:
    """Binary G: mean over relevant items of 1/log2(2 + items above that are not relevant); missed
    items give 0.
    """
    worse = hits.location - hits.order
    return ragged.sums(1 / np.log2(2 + worse), hits.ranking, len(hits)) / hits.relevant


@measure(
    "NumNonrelRet",
    trec_eval="num_nonrel_judged_ret",
    judging=True,
    example=Example(hits=[1], nonrelevant=[2, 4], retrieved=5, value=2),
    **_COUNT,
)
def number_nonrelevant(located: Located, *, grade: Grade = 1) -> PerRanking:
    """Number of retrieved items that are judged and not relevant; summed over topics."""
    wrong = (located.grade >= 0) & (located.grade < grade)
    return ragged.integer_sums(wrong.astype(np.int64), located.ranking, len(located))


@measure(
    "PairAccuracy",
    labelings="within",
    sources=["macavaney-2022"],
    range=(0, 1),
    chance_is_zero=False,
    undefined="nothing relevant, or nothing else, was retrieved (within the cutoff)",
    example=Example(hits=[2, 4], retrieved=5, relevant=3, value=3 / 6),
)
def pair_accuracy(hits: Hits, *, cutoff: Cutoff | None = None) -> PerRanking:
    """Share of pairs (a relevant and a nonrelevant retrieved item, within the cutoff) that have the
    relevant item first.

    Missed items have no influence: it is the area under the ROC curve of the retrieved items.
    ir_measures calls it Accuracy, which here is the share of right decisions.
    """
    depth = hits.retrieved if cutoff is None else np.minimum(hits.retrieved, cutoff)
    seen = (hits.location <= depth[hits.ranking]).astype(np.int64)
    hits_seen = ragged.integer_sums(seen, hits.ranking, len(hits))
    above = ragged.integer_sums((hits.location - hits.order) * seen, hits.ranking, len(hits))
    return 1 - above / (hits_seen * (depth - hits_seen))
