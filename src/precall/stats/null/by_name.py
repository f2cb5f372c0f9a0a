"""Null distributions by the names of measures, as `describe` and the options of `precall null`
spell them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from precall.core.errors import UsageError
from precall.core.ragged import Float64, Int64
from precall.core.text import percent
from precall.stats.null.average import average_precision
from precall.stats.null.distribution import NullDistribution
from precall.stats.null.graded import ndcg, scale_gains
from precall.stats.null.hits_and_ranks import precision, r_precision, recall
from precall.stats.null.of_ranks import (
    OfRanks,
    bedroc,
    break_even,
    eleven_point,
    enriched_ranks,
    enrichment,
    max_f,
)
from precall.stats.null.roc_area import area_under_roc

KEYWORDS = (
    "recall",
    "precision",
    "ap",
    "rprec",
    "auc",
    "ndcg",
    "bep",
    "iap",
    "ef",
    "bedroc",
    "maxf",
)
#: The measures that take a cutoff.
CUT = ("recall", "precision", "ap", "ndcg")
_TITLES = {
    "ap": "AP",
    "ndcg": "nDCG",
    "rprec": "R-precision",
    "auc": "AUC",
    "bep": "break-even",
    "iap": "11-point",
    "bedroc": "BEDROC",
    "maxf": "max F",
}
#: The share of the ranks of an enrichment factor, unless another is given.
SHARE = 0.01
#: Grades drawn for tails of nDCG, over all permutations together; they take a second or two.
_DRAWN = 10**8
_FEWEST, _MOST = 1_000, 100_000


def label(name: str, ranks: int, at: int | None, share: float | None = None) -> str:
    """The name of a measure in tables."""
    if name == "ef":
        return f"EF@{percent(SHARE if share is None else share).replace(' ', '')}"
    if name in ("recall", "precision"):
        return f"{name} at {ranks}"
    return f"{_TITLES[name]}@{at}" if at is not None and name in CUT else _TITLES[name]


#: What is undefined without an item that is not relevant, as errors call it.
_NEEDS_OTHERS = {"auc": "the area under ROC", "bedroc": "BEDROC"}


def null_of(
    name: str,
    items: int,
    relevant: int,
    ranks: int,
    at: int | None,
    grades: Sequence[float] | None,
    seed: int,
    share: float | None = None,
) -> NullDistribution:
    """The null distribution of a measure; `ranks` applies to recall and precision, the cutoff `at`
    to the others.
    """
    if name == "recall":
        return recall(items, relevant, ranks)
    if name == "precision":
        return precision(items, relevant, ranks)
    if name == "ap":
        return average_precision(items, relevant, at)
    if name == "rprec":
        return r_precision(items, relevant)
    if name in _NEEDS_OTHERS and items == relevant:
        raise UsageError(
            argument="relevant",
            what=f"with all {items} items relevant {_NEEDS_OTHERS[name]} is undefined",
            remedy="give fewer relevant items",
        )
    if name == "auc":
        return area_under_roc(items, relevant)
    match name:
        case "bep":
            return break_even(items, relevant)
        case "iap":
            return eleven_point(items, relevant, rng=seed)
        case "ef":
            return enrichment(items, relevant, SHARE if share is None else share)
        case "bedroc":
            return bedroc(items, relevant, rng=seed)
        case "maxf":
            return max_f(items, relevant, rng=seed)
    number = min(max(_DRAWN // items, _FEWEST), _MOST)
    return ndcg(items, gains(relevant, grades), cutoff=at, permutations=number, rng=seed)


def gains(relevant: int, grades: Sequence[float] | None) -> list[float]:
    """The grades of the relevant items, checked; 1 each if `grades` is None."""
    if grades is None:
        return [1.0] * relevant
    values = np.asarray(grades)
    if (
        values.ndim != 1
        or values.dtype.kind not in "iuf"
        or len(values) != relevant
        or not np.all((values > 0) & (values < np.inf))
    ):
        raise UsageError(
            argument="grades",
            allowed=f"{relevant} numbers > 0, one for each relevant item",
            got=grades,
        )
    return [float(grade) for grade in values]


def reach(
    name: str,
    rank: Int64,
    items: int,
    ranks: int,
    at: int | None,
    grades: Sequence[float] | None,
    rng: np.random.Generator,
    share: float | None = None,
) -> Float64:
    """The values of a measure; `rank` has the ascending ranks of the hits, a row per random
    ranking.
    """
    m = rank.shape[1]
    if name == "ef":
        first = enriched_ranks(items, SHARE if share is None else share)
        return np.asarray((rank <= first).sum(axis=1) * items / (first * m))
    if name in ("bep", "iap", "bedroc", "maxf"):
        null = null_of(name, items, m, ranks, at, grades, 0)
        assert isinstance(null, OfRanks)
        return null.values_of(rank)
    if name in ("recall", "precision", "rprec"):
        hits = (rank <= (m if name == "rprec" else ranks)).sum(axis=1)
        return np.asarray(hits / (ranks if name == "precision" else m))
    if name == "auc":
        return np.asarray(1 - (rank.sum(axis=1) - m * (m + 1) / 2) / (m * (items - m)))
    within = rank <= (items if at is None else at)
    if name == "ap":
        return np.asarray((np.arange(1, m + 1) / rank * within).sum(axis=1) / m)
    some: Float64 = np.sort(scale_gains(np.array(gains(m, grades))))[::-1]
    best = (some / np.log2(np.arange(2, m + 2)))[: items if at is None else at].sum()
    order = some if grades is None else rng.permuted(np.broadcast_to(some, rank.shape), axis=1)
    return np.asarray((order / np.log2(rank + 1) * within).sum(axis=1) / best)
