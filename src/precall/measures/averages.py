"""Measures that average precision over hits or recall levels: AP, IPrec, 11-point, RR, yaap."""

from __future__ import annotations

import numpy as np

from precall import ragged
from precall.declare import Cutoff, Example, Norm, PerRanking, Share, measure
from precall.location.hits import Hits


@measure(
    "AP", closed="mean precision at each rank of a block", blocks="AreaPR",
    sources=["voorhees-harman-2005", "zhang-su-2012"], trec_eval=["map", "map_cut_{cutoff}"],
    aliases=["MAP", "AveragePrecision"], range=(0, 1), monotone=True, strict=True,
    undefined="no item is relevant; with norm=found, nothing relevant was found",
    example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, value=(1 / 2 + 2 / 4 + 3 / 5) / 3),
)  # fmt: skip
def average_precision(hits: Hits, *, cutoff: Cutoff | None = None, norm: Norm = "relevant") -> PerRanking:
    """Average precision: mean over relevant items of the precision at their ranks, 0 for those missed.

    AP = (1/R) sum over hits of i / L_i (Zhang & Su 2012). With a cutoff only hits within it count, and
    literature knows three denominators, chosen by `norm`:

    - relevant: R, all relevant items (default; trec_eval's map and map_cut);
    - min: min(k, R), so that 1 can be reached;
    - found: the hits within the cutoff (LingPipe 3.9.2, torchmetrics); missed items cost nothing.

    Under ties="expected" exactly its mean over random orders within blocks.
    """
    return hits.precision_sum(cutoff) / _norm(hits, cutoff, norm)


def _norm(hits: Hits, cutoff: int | None, norm: str) -> ragged.Int64:
    if cutoff is None:
        return hits.found if norm == "found" else hits.relevant
    if norm == "found":
        # How many are found before the cutoff depends on the order of ties: no mean of a ratio here.
        return hits.at_ranks(hits.location <= cutoff).found
    return np.minimum(hits.relevant, cutoff) if norm == "min" else hits.relevant


@measure(
    "RR", closed="mean of 1/L_1 in a block, by the chances of its ranks",
    sources=["voorhees-1999"], trec_eval="recip_rank", aliases=["MRR", "ReciprocalRank"], range=(0, 1),
    monotone=True, example=Example(hits=[3, 4], retrieved=10, relevant=3, value=1 / 3),
)  # fmt: skip
def reciprocal_rank(hits: Hits, *, cutoff: Cutoff | None = None) -> PerRanking:
    """Reciprocal rank of the first hit; 0 when there is none (within the cutoff).

    Under ties="expected" exactly its mean over random orders within blocks.
    """
    return hits.reciprocal_first(cutoff)


@measure(
    "IPrec", sources=["voorhees-harman-2005"], trec_eval="iprec_at_recall_{recall}", range=(0, 1), monotone=True,
    undefined="no item is relevant",
    example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, recall=0.5, value=3 / 5),
)  # fmt: skip
def interpolated_precision(hits: Hits, *, recall: Share) -> PerRanking:
    """Interpolated precision: the best precision at any cutoff whose recall is at least `recall`.

    Recall is reached with ceil(recall x relevant) hits, computed exactly; 0 where it never is.
    trec_eval 9 truncates recall x R + .9 in floating point (wrong for R = 3, recall .7), trec_eval 10
    rounds to the nearest, so that its number may be taken below the recall it names.
    """
    precise = np.where(hits.order >= hits.needed(recall)[hits.ranking], hits.order / hits.location, 0)
    return np.where(hits.relevant > 0, ragged.maxima(precise, hits.ranking, len(hits), 0.0), np.nan)


@measure(
    "IAP", sources=["voorhees-harman-2005"], trec_eval="11pt_avg", aliases=["ElevenPoint", "11-point", "11pt"],
    range=(0, 1), blocks="AreaPR(method=11-point)", monotone=True, undefined="no item is relevant",
    example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, value=3 / 5),
)  # fmt: skip
def eleven_point(hits: Hits) -> PerRanking:
    """Interpolated average precision: mean of the interpolated precision at recall 0, .1, ..., 1.

    By the exact ceiling rule; see IPrec for how the versions of trec_eval differ.
    """
    points = [interpolated_precision(hits, recall=step / 10) for step in range(11)]
    # One by one: the order in which np.mean adds, and so its last digit, depends on how many rankings there are.
    return np.asarray(sum(points[1:], points[0]) / len(points), np.float64)


@measure(
    "yaap", sources=["trec_eval", "robertson-2006"], trec_eval="yaap", monotone=True, strict=True,
    example=Example(hits=[1], retrieved=10, relevant=2, value=0.0),
)  # fmt: skip
def yet_another_average_precision(hits: Hits) -> PerRanking:
    """Log-odds form of AP: log((1 + S) / (1 + R - S)), S the sum over hits of i / L_i.

    From log(1/(1 + R)) for nothing found to log(1 + R) for a perfect ranking; 0 when no item is relevant.
    """
    _ = hits.location
    total = hits.precision_sum()
    odds: PerRanking = np.log((1 + total) / (1 + hits.relevant - total))
    return odds
