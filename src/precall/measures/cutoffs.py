"""Measures that count hits up to a rank: P, R, F, E, Success, R-precision and their kin."""

from __future__ import annotations

import numpy as np

from precall.location.hits import Hits, ceiling
from precall.measures.declare import PerRanking, measure
from precall.measures.domains import Beta, Cutoff, Positive
from precall.measures.example import Example


@measure(
    "P", sources=["van-rijsbergen-1979"], trec_eval="P_{cutoff}", aliases=["Precision"], range=(0, 1),
    linear=True, monotone=True, example=Example(hits=[1, 3], retrieved=10, relevant=3, cutoff=5, value=2 / 5),
)  # fmt: skip
def precision(hits: Hits, *, cutoff: Cutoff) -> PerRanking:
    """Precision: share of the first `cutoff` ranks that are hits.

    Ranks past the end of the ranking count as misses, so a ranking of two hits has P@5 = .4; some
    recommender libraries divide by the length of the ranking instead. 0 for an empty ranking.
    """
    return hits.within(cutoff) / cutoff


@measure(
    "R", sources=["van-rijsbergen-1979"], trec_eval="recall_{cutoff}", aliases=["Recall"], range=(0, 1),
    undefined="no item is relevant", linear=True, monotone=True,
    example=Example(hits=[1, 3], retrieved=10, relevant=3, cutoff=5, value=2 / 3),
)  # fmt: skip
def recall(hits: Hits, *, cutoff: Cutoff) -> PerRanking:
    """Recall: share of the relevant items that stand in the first `cutoff` ranks."""
    return hits.within(cutoff) / hits.relevant


@measure(
    "F", sources=["van-rijsbergen-1979"], range=(0, 1), linear=True, monotone=True,
    example=Example(hits=[1, 3], retrieved=10, relevant=3, cutoff=5, value=1 / 2),
)  # fmt: skip
def f_measure(hits: Hits, *, cutoff: Cutoff, beta: Beta = 1.0) -> PerRanking:
    """F: weighted harmonic mean of P@k and R@k, recall counting `beta` times as much as precision; of beta 0 it is P@k.

    F = (1 + beta²) P R / (beta² P + R) = (1 + beta²) hits / (beta² relevant + k). In this form it is
    defined, and 0, where precision and recall are both 0, also when no item is relevant.
    """
    return (1 + beta**2) * hits.within(cutoff) / (beta**2 * hits.relevant + cutoff)


@measure(
    "E", closed="1 less the mean of F",
    sources=["van-rijsbergen-1979"], range=(0, 1), direction=-1,
    example=Example(hits=[1, 3], retrieved=10, relevant=3, cutoff=5, value=1 / 2),
)  # fmt: skip
def e_measure(hits: Hits, *, cutoff: Cutoff, beta: Beta = 1.0) -> PerRanking:
    """E: effectiveness error, 1 - F at a cutoff; low is good."""
    return 1 - f_measure(hits, cutoff=cutoff, beta=beta)


@measure(
    "Success", closed="hypergeometric",
    sources=["trec_eval"], trec_eval="success_{cutoff}", aliases=["Hit", "HitRate"], range=(0, 1),
    monotone=True, example=Example(hits=[3], retrieved=10, relevant=3, cutoff=5, value=1.0),
)  # fmt: skip
def success(hits: Hits, *, cutoff: Cutoff) -> PerRanking:
    """Success: 1 if any of the first `cutoff` ranks is a hit, else 0; a mean of it is a hit rate.

    Under ties="expected" the probability of a hit there, from the hypergeometric law of each block.
    """
    return hits.any_within(cutoff)


@measure(
    "RelP", sources=["trec_eval"], trec_eval="relative_P_{cutoff}", range=(0, 1), undefined="no item is relevant",
    linear=True, monotone=True, example=Example(hits=[1, 3], retrieved=10, relevant=3, cutoff=5, value=2 / 3),
)  # fmt: skip
def relative_precision(hits: Hits, *, cutoff: Cutoff) -> PerRanking:
    """Relative precision: hits in the first `cutoff` ranks over the most that were possible, min(k, relevant)."""
    return hits.within(cutoff) / np.minimum(cutoff, hits.relevant)


@measure(
    "Rprec", sources=["voorhees-harman-2005"], trec_eval=["Rprec", "Rprec_mult_{mult}"], range=(0, 1),
    undefined="no item is relevant", linear=True, monotone=True,
    example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, value=1 / 3),
)  # fmt: skip
def r_precision(hits: Hits, *, mult: Positive = 1.0) -> PerRanking:
    """R-precision: precision at the rank that equals the number of relevant items, times `mult`.

    The cutoff is the exact ceiling of mult x relevant; trec_eval's `Rprec_mult` adds .9 and truncates
    in floating point, which differs in rare cases. At mult = 1, precision and recall are equal there.
    """
    cutoff = ceiling(mult, hits.relevant)
    return hits.within(cutoff) / cutoff


@measure(
    "SetP", sources=["trec_eval"], trec_eval="set_P", range=(0, 1), undefined="nothing was retrieved",
    linear=True, monotone=True, example=Example(hits=[1, 3], retrieved=10, relevant=3, value=2 / 10),
)  # fmt: skip
def set_precision(hits: Hits) -> PerRanking:
    """Precision of the retrieved set: share of the retrieved items that are relevant."""
    return hits.found / hits.retrieved


@measure(
    "SetR", sources=["trec_eval"], trec_eval="set_recall", range=(0, 1), undefined="no item is relevant",
    linear=True, monotone=True, example=Example(hits=[1, 3], retrieved=10, relevant=3, value=2 / 3),
)  # fmt: skip
def set_recall(hits: Hits) -> PerRanking:
    """Recall of the retrieved set: share of the relevant items that were retrieved."""
    return hits.found / hits.relevant


@measure(
    "SetRelP", sources=["trec_eval"], trec_eval="set_relative_P", range=(0, 1),
    undefined="nothing was retrieved or no item is relevant", linear=True, monotone=True,
    example=Example(hits=[1, 3], retrieved=10, relevant=3, value=2 / 3),
)  # fmt: skip
def set_relative_precision(hits: Hits) -> PerRanking:
    """Relative precision of the retrieved set: hits over the most that were possible, min(retrieved, relevant)."""
    return hits.found / np.minimum(hits.retrieved, hits.relevant)


@measure(
    "SetF", sources=["van-rijsbergen-1979"], trec_eval="set_F", range=(0, 1),
    undefined="nothing was retrieved and no item is relevant; of beta 0 when nothing was retrieved",
    linear=True, monotone=True,
    example=Example(hits=[1, 3], retrieved=10, relevant=3, value=4 / 13),
)  # fmt: skip
def set_f(hits: Hits, *, beta: Beta = 1.0) -> PerRanking:
    """F of the retrieved set, recall counting `beta` times as much as precision.

    (1 + beta²) hits / (beta² relevant + retrieved). The number behind trec_eval's `set_F.x` is
    beta², not beta: its set_F.0.5, which is ir_measures' SetF(beta=0.5), is our SetF(beta=0.7071).
    """
    return (1 + beta**2) * hits.found / (beta**2 * hits.relevant + hits.retrieved)


@measure(
    "SetAP", closed="no order changes it",
    sources=["trec_eval"], trec_eval="set_map", range=(0, 1),
    undefined="nothing was retrieved or no item is relevant", monotone=True,
    example=Example(hits=[1, 3], retrieved=10, relevant=3, value=2 / 15),
)  # fmt: skip
def set_average_precision(hits: Hits) -> PerRanking:
    """AP of the retrieved set when its order is not known: precision times recall."""
    return hits.found * hits.found / (hits.retrieved * hits.relevant)


@measure(
    "NumRet", closed="no order changes it",
    sources=["trec_eval"], trec_eval="num_ret", range=(0, np.inf), aggregate="sum", direction=0,
    example=Example(hits=[1, 3], retrieved=10, relevant=3, value=10),
)  # fmt: skip
def number_retrieved(hits: Hits) -> PerRanking:
    """Number of items retrieved; summed over topics."""
    return hits.retrieved


@measure(
    "NumRel", closed="no order changes it",
    sources=["trec_eval"], trec_eval="num_rel", range=(0, np.inf), aggregate="sum", direction=0,
    example=Example(hits=[1, 3], retrieved=10, relevant=3, value=3),
)  # fmt: skip
def number_relevant(hits: Hits) -> PerRanking:
    """Number of relevant items, retrieved or not; summed over topics."""
    return hits.relevant


@measure(
    "NumRelRet", sources=["trec_eval"], trec_eval="num_rel_ret", range=(0, np.inf), aggregate="sum",
    linear=True, monotone=True, example=Example(hits=[1, 3], retrieved=10, relevant=3, value=2),
)  # fmt: skip
def number_found(hits: Hits) -> PerRanking:
    """Number of relevant items retrieved: the hits; summed over topics."""
    return hits.found
