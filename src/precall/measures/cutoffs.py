"""Measures that count hits up to a rank of their own: Success, relative precision, R-precision and their kin."""

from __future__ import annotations

import numpy as np

from precall.declare import Cutoff, Example, PerRanking, Positive, measure
from precall.location.hits import Hits, ceiling


@measure(
    "Success", closed="hypergeometric",
    sources=["trec_eval"], trec_eval="success_{cutoff}", aliases=["Hit", "HitRate"], range=(0, 1),
    monotone=True, example=Example(hits=[3], retrieved=10, relevant=3, cutoff=5, value=1.0),
)  # fmt: skip
def success(hits: Hits, *, cutoff: Cutoff) -> PerRanking:
    """Success: 1 if any of the first `cutoff` ranks is a hit, else 0; a mean of it is a hit rate.

    Under ties="expected" the probability of a hit there, from the hypergeometric distribution in each block.
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
    "SetRelP", sources=["trec_eval"], trec_eval="set_relative_P", range=(0, 1),
    undefined="nothing was retrieved or no item is relevant", linear=True, monotone=True,
    example=Example(hits=[1, 3], retrieved=10, relevant=3, value=2 / 3),
)  # fmt: skip
def set_relative_precision(hits: Hits) -> PerRanking:
    """Relative precision of the retrieved set: hits over the most that were possible, min(retrieved, relevant)."""
    return hits.found / np.minimum(hits.retrieved, hits.relevant)


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
