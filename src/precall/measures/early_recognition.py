"""Early recognition, for virtual screening: the relevant items in the first part of a long list."""

from __future__ import annotations

from math import log

import numpy as np

from precall.core.ragged import Int64
from precall.location.hits import Hits, ceiling, others_of
from precall.location.series import decaying
from precall.measures.registry import Count, Example, Part, PerRanking, Rate, measure


def items_of(hits: Hits, population: int | None) -> Int64:
    """The number of items per ranking: those that exist; if that is unknown, all ranked items and
    relevant items that are not ranked.
    """
    population_sizes = hits.population if population is None else np.full(len(hits), population)
    if population_sizes is None:
        return hits.retrieved + hits.relevant - hits.found
    return np.asarray(
        others_of(population_sizes, hits.retrieved, hits.relevant, hits.found) + hits.relevant,
        np.int64,
    )


def _greatest_enrichment(hits: Hits, *, share: Part, population: Count | None = None) -> PerRanking:
    """EF if the first part holds as many relevant items as it can."""
    items = items_of(hits, population)
    first = ceiling(share, items)
    return np.minimum(first, hits.relevant) * items / (first * hits.relevant)


@measure(
    "EF",
    labelings="grid",
    closed="mean hits in a part of a block",
    sources=["truchon-bayly-2007"],
    aliases=["EnrichmentFactor", "Enrichment"],
    percent="share",
    range=(0, np.inf),
    most=lambda given: float(1 / given["share"]),
    attainable=_greatest_enrichment,
    monotone=True,
    undefined="no item is relevant",
    chance_is_zero=False,
    example=Example(hits=[1, 4], retrieved=20, relevant=2, share=0.1, value=5),
)
def enrichment_factor(
    hits: Hits, *, share: Part = 0.01, population: Count | None = None
) -> PerRanking:
    """Enrichment factor: precision in the first `share` of the items, divided by the share of
    relevant items among all.

    EF = (hits in the first c ranks / c) / (R / A) for A items, R of them relevant. c is share x A,
    computed exactly and rounded up. A is `population`, the number of items that exist. Without it,
    A is the number of ranked items plus the relevant items that are not ranked, which are never in
    the first part. Random selection gives 1 if all relevant items are ranked, and less if some are
    not. The maximum is the smaller of A / c and A / R. The measure is written EF@1%, or
    EF(share=0.01). RDKit 2026.09 rounds c in floating point: .07 of 100 items are 8 there, 7 here.
    """
    items = items_of(hits, population)
    first = ceiling(share, items)
    return hits.within(first) * items / (first * hits.relevant)


@measure(
    "BEDROC",
    labelings="grid",
    closed="mean weight of each block",
    sources=["truchon-bayly-2007"],
    range=(0, 1),
    monotone=True,
    shown="alpha",
    undefined="nothing is relevant, or everything is",
    chance_is_zero=False,
    example=Example(
        hits=[1, 3],
        retrieved=4,
        relevant=2,
        alpha=4 * log(2),
        value=(1 + 1 / 4 - 3 / 8) / (3 / 2 - 3 / 8),
    ),
)
def boltzmann_enhanced(
    hits: Hits, *, alpha: Rate = 20.0, population: Count | None = None
) -> PerRanking:
    """BEDROC: the sum of e^(-alpha L_i / A) over the hits, scaled so that the least possible sum is
    0 and the greatest 1.

    A is `population`, the number of items that exist. Without it, A is the number of ranked items
    plus the relevant items that are not ranked, which count as the last ones. With alpha = 20 the
    first 8 % of the ranks have 80 % of the weight. Random selection gives about 1 / alpha if few
    items are relevant and all of these are ranked. Values are comparable only with the same alpha
    and the same share of relevant items. With alpha below 1e-6 all ranks weigh the same within
    rounding. RIE is this sum, divided by its mean under random selection.
    """
    items, missed = items_of(hits, population), hits.relevant - hits.found
    step = alpha / items
    weight_of_hits = hits.decaying_sum(step)
    most = decaying(step, np.zeros(len(hits)), hits.relevant)
    least = decaying(step, items - hits.relevant, hits.relevant)
    total = weight_of_hits + decaying(step, items - missed, missed)
    # The least sum may be missed by its rounding.
    value = np.clip((total - least) / (most - least), 0.0, 1.0)
    return np.where(hits.relevant < items, value, np.nan)
