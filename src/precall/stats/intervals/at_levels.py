"""Bounds of the numbers of one list at a level: precision and depth at a recall, and recall at a
precision. Those at a rank are in `at_ranks`.

A recall r is reached at a score. Above that score stand as many relevant cases as of R independent
ones of chance r. Wilson's bounds of that share say between which relevant cases the score lies
(Woodruff 1952), and so how many other cases are above it, as far as the place is uncertain. The
number of other cases above a fixed score is uncertain as well, again by Wilson's bounds. The two
are independent, and are added on the scale of square roots (Zou & Donner 2008). That needs no
density of relevant cases at the score, which can be different on both sides of it.

A recall is too high for a precision if the upper bound of the precision there is too low, and too
low if its lower bound is higher. The bounds of the recall at a precision lie between.
"""

from __future__ import annotations

import math

import numpy as np

from precall.core.ragged import Float64
from precall.measures import Measure
from precall.stats import influence, quantiles
from precall.stats.blocks import Blocks
from precall.stats.intervals.at_ranks import (
    Sizes,
    both_ends,
    enrichment_in_share,
    precision_at_rank,
    recall_at_rank,
)
from precall.stats.intervals.mover import Bounds
from precall.stats.intervals.proportion import wilson_of_shares
from precall.stats.list_influences import Influences, precision_at_recall

#: A score with K relevant cases above it lies between two of them, on average half way; its upper
#: bound is the next one.
_HALF_WAY, _NEXT = 0.5, 1.0


def is_at_level(measure: Measure) -> bool:
    """Whether a measure of one list is the value at a given recall or precision."""
    return measure.declaration.name in ("PAtRecall", "KAtRecall", "RAtPrecision")


def is_at_place(measure: Measure) -> bool:
    """Whether a measure of one list has bounds here: it is at such a level, or precision, recall or
    enrichment at a rank.
    """
    return is_at_level(measure) or is_at_rank(measure)


def is_at_rank(measure: Measure) -> bool:
    """Whether a measure of one list is a share of the cases in its first ranks, or such a share
    over that of all cases.
    """
    return measure.declaration.name in ("P", "R", "EF")


def bounds_at_level(
    found: Influences,
    measure: Measure,
    value: float,
    freedom: float,
    level: float,
    share: float = 1.0,
) -> tuple[float, float] | None:
    """The bounds of a number at a rank or at a level of recall or precision; None for other
    measures.

    Parameters
    ----------
    found : the influences on the measure.
    measure : the measure.
    value : its value.
    freedom : degrees of freedom of the variance, if cases are in groups.
    level : nominal coverage.
    share : by how much of the quantile of this level the bounds are away.
    """
    name, blocks = measure.declaration.name, found.blocks
    if not is_at_place(measure):
        return None
    if is_at_rank(measure):
        return both_ends(bounds_of_place(found, measure, value, freedom, level))
    recall = measure.parameters.get("recall") or min(max(value, 0.05), 0.95)
    at = float(np.interp(recall * blocks.relevant, blocks.tp, blocks.tp + blocks.fp))
    if blocks.cases is not None:
        found = precision_at_recall(blocks, min(recall * blocks.relevant / at, 1.0), recall)
    sizes = _sizes(found, freedom, level)
    sizes = sizes._replace(quantile=share * sizes.quantile)
    if name == "KAtRecall":
        return _depth(blocks, recall, sizes)
    if name == "PAtRecall":
        low, high = _precision(blocks, np.array([recall]), sizes)
        return float(low[0]), float(high[0])
    return _recall(blocks, value, measure.parameters["precision"], sizes)


def is_of_place(measure: Measure) -> bool:
    """Whether a value is where a rank or a recall is, so that it can change at once there."""
    return is_at_rank(measure) or measure.declaration.name in ("PAtRecall", "KAtRecall")


def bounds_of_place(
    found: Influences, measure: Measure, value: float, freedom: float, level: float
) -> Bounds:
    """The bounds of a value at a rank or at a recall, at any share of the quantile."""

    def of_recall(moved: Float64) -> Float64:
        ends = []
        for share in moved.tolist():
            both = bounds_at_level(found, measure, value, freedom, level, abs(share))
            low, high = both or (value, value)
            ends.append(min(value, low) if share < 0 else max(value, high))
        return np.array(ends)

    if is_at_level(measure):
        return of_recall
    sizes, given = _sizes(found, freedom, level), measure.parameters
    if measure.declaration.name == "EF":
        return enrichment_in_share(found.blocks, given["share"], sizes)
    at_rank = {"P": precision_at_rank, "R": recall_at_rank}[measure.declaration.name]
    return at_rank(found.blocks, given["cutoff"], sizes)


def bounds_of_hits(
    found: Influences, measure: Measure, value: float, freedom: float, level: float
) -> tuple[float, float] | None:
    """AP@k, if only the number of relevant cases in the first ranks were uncertain, and not the
    precision at each; None for other measures.
    """
    cutoff = measure.parameters.get("cutoff")
    if measure.declaration.name != "AP" or cutoff is None or not value:
        return None
    sizes, blocks = _sizes(found, freedom, level), found.blocks
    is_share_of_ranks = measure.parameters["norm"] == "min" and cutoff < blocks.relevant
    at_rank = precision_at_rank if is_share_of_ranks else recall_at_rank
    bounds = at_rank(blocks, cutoff, sizes)
    least, estimate, most = bounds(np.array([-1.0, 0.0, 1.0])).tolist()
    return value * least / estimate, min(value * most / estimate, 1.0)


def _sizes(found: Influences, freedom: float, level: float) -> Sizes:
    """The sizes of both kinds; in groups, divided by the design effect on a number."""
    blocks = found.blocks
    relevant, other = blocks.relevant, blocks.other
    if blocks.cases is None or not blocks.has_groups:
        relevant, other = blocks.sizes()
        return Sizes(relevant, other, quantiles.t(level, max(min(relevant, other) - 1, 1.0)))
    cases = blocks.cases
    unit = (relevant - blocks.missed + other) / len(cases.weight)
    each = influence.per_case(found.blocks, found.influence)
    simple = unit * float((each**2 * cases.weight).sum())
    real = influence.variance(found.blocks, found.influence, stratified=False)
    effect = unit * max(real / simple, 1e-6) if simple else unit
    relevant, other = relevant / effect, other / effect
    return Sizes(relevant, other, quantiles.t(level, max(freedom, 1.0)))


def _others_above(blocks: Blocks, hits: Float64, step: float = _HALF_WAY) -> Float64:
    """Number of other cases above the score that has `hits` relevant cases above it.

    The score lies between two relevant cases, at the share `step` of the way to the next one. The
    number is infinite behind the last ranked one, if some are missed.
    """
    # The step is one of relevant cases, which can weigh less than others.
    unit = 1.0
    if blocks.cases is not None:
        found = int(np.count_nonzero(blocks.cases.relevant))
        unit = (blocks.relevant - blocks.missed) / max(found, 1)
    kept = np.append(np.diff(blocks.tp, prepend=0.0) > 0, True)
    last = float(blocks.tp[-1])
    tp = np.append(blocks.tp, last + unit)[kept]
    fp = np.append(blocks.fp, blocks.other)[kept]
    above = np.interp(hits + step * unit, np.append(0.0, tp), np.append(0.0, fp))
    return np.where(hits > last, math.inf, above) if blocks.missed else above


def _others(blocks: Blocks, recall: Float64, sizes: Sizes) -> tuple[Float64, Float64, Float64]:
    """Other cases above the scores at which recalls are reached, with their bounds."""
    relevant, other = blocks.relevant, blocks.other
    ends = wilson_of_shares(recall, sizes.relevant, sizes.quantile)
    low, value = (_others_above(blocks, share * relevant) for share in (ends[0], recall))
    high = _others_above(blocks, ends[1] * relevant, _NEXT)
    value = np.minimum(value, other)
    fewest, most = (
        other * end for end in wilson_of_shares(value / other, sizes.other, sizes.quantile)
    )
    low, value_root, high, fewest, most = (
        np.sqrt(number) for number in (low, value, high, fewest, most)
    )
    least = np.maximum(value_root - np.hypot(value_root - low, value_root - fewest), 0.0) ** 2
    return least, value, (value_root + np.hypot(high - value_root, most - value_root)) ** 2


def _precision(blocks: Blocks, recall: Float64, sizes: Sizes) -> tuple[Float64, Float64]:
    """Bounds of the precision at recalls; the share of relevant cases is uncertain as well."""
    low, value, high = _others(blocks, recall, sizes)
    error = sizes.quantile * math.sqrt(1 / sizes.relevant + 1 / sizes.other)
    hits = recall * blocks.relevant
    with np.errstate(divide="ignore", invalid="ignore"):
        least = value * np.exp(-np.hypot(np.log(value / low), error))
        most = value * np.exp(np.hypot(np.log(high / value), error))
        low = np.where((value > 0) & (low > 0), least, low)
        high = np.where((value > 0) & np.isfinite(high), most, high)
        return hits / (hits + high), hits / (hits + low)


def _depth(blocks: Blocks, recall: float, sizes: Sizes) -> tuple[float, float]:
    """Bounds of the depth at a recall, the relevant and the other cases above."""
    low, value, high = (float(end[0]) for end in _others(blocks, np.array([recall]), sizes))
    relevant, other = blocks.relevant, blocks.other
    listed = relevant - blocks.missed + other
    share = sizes.relevant / (sizes.relevant + sizes.other)
    of_share = math.sqrt(share * (1 - share) / (sizes.relevant + sizes.other))
    moved = sizes.quantile * (relevant + other) * abs(recall - value / other) * of_share
    depth = recall * relevant + value
    # Where no other case need be above, the lower bound of their number is likely to be reached.
    down = math.hypot(value - low, moved) if low else value + moved
    return max(depth - down, 1.0), min(depth + math.hypot(high - value, moved), listed)


def _recall(blocks: Blocks, value: float, precision: float, sizes: Sizes) -> tuple[float, float]:
    """Bounds of the recall at a precision."""
    tp = blocks.tp
    hits = tp[np.diff(tp, prepend=0.0) > 0]
    recalls = hits / blocks.relevant
    low, high = _precision(blocks, recalls, sizes)
    # The score at which the precision is reached lies between two relevant cases.
    surely = np.flatnonzero((low > precision) & (recalls <= value * (1 + 1e-12)))
    maybe = np.flatnonzero(high >= precision)
    least = float(recalls[surely[-1] - 1]) if len(surely) and surely[-1] else 0.0
    behind = int(maybe[-1]) + 1 if len(maybe) else 0
    if behind < len(recalls):
        return least, float(recalls[behind])
    share = np.array([recalls[-1]])
    return least, float(wilson_of_shares(share, sizes.relevant, sizes.quantile)[1][0])
