"""Bounds of precision and recall in the first ranks of one list. A rank is a share of the list.

In the first k ranks the numbers of relevant and of other cases are uncertain. With more of them
than in the sample, the rank k lies further up, with fewer further down, and the sample shows which
cases are passed. Both numbers are bounded by Wilson's method. Recall depends on the share of
relevant cases as well: its bounds are the least and the greatest value within the region where all
three are.
"""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np

from precall.core.ragged import Float64, Int64
from precall.location.hits import ceiling_of_one
from precall.stats.blocks import Blocks
from precall.stats.intervals.mover import Bounds
from precall.stats.intervals.proportion import wilson_of_shares

#: Counts of whole cases in the first ranks are rounded by up to half a case; without it 92-93 % of
#: the intervals of P@10, and of cuts where relevant cases end at once, held the truth.
_WHOLE = 0.5
#: Directions in which the recalls of relevant cases, of others, and the share of relevant cases
#: move together.
_WAYS = np.unique(
    [
        np.array(way) / math.hypot(*way)
        for way in itertools.product((-2, -1, 0, 1, 2), repeat=3)
        if any(way)
    ],
    axis=0,
)


class Sizes(NamedTuple):
    """Effective numbers of relevant and other cases, and the quantile of Student's t."""

    relevant: float
    other: float
    quantile: float


class _Top(NamedTuple):
    """The first ranks of a list, and what stands around their end."""

    accepted: Float64
    tp: Float64
    depth: float
    hits: float

    @classmethod
    def of(cls, blocks: Blocks, cutoff: float) -> _Top:
        """The first `cutoff` ranks, or all if there are fewer."""
        accepted, tp = np.append(0.0, blocks.tp + blocks.fp), np.append(0.0, blocks.tp)
        depth = min(float(cutoff), float(accepted[-1]))
        return cls(accepted, tp, depth, float(np.interp(depth, accepted, tp)))

    @property
    def others(self) -> float:
        """The other cases in the first ranks."""
        return self.depth - self.hits

    def with_counts(self, relevant: Float64, other: Float64) -> tuple[Float64, Float64]:
        """The relevant cases in the first ranks, and all that are there, if these numbers of cases
        are expected where the top is.
        """
        further = np.maximum(self.depth - relevant - other, 0.0)
        reached = np.minimum(self.depth + further, self.accepted[-1])
        hits = relevant + np.interp(reached, self.accepted, self.tp) - self.hits
        cases = relevant + other + reached - self.depth
        is_full = relevant + other > self.depth
        hits[is_full] = self._within(relevant[is_full], other[is_full])
        return hits, np.where(is_full, self.depth, cases)

    def _within(self, relevant: Float64, other: Float64) -> Float64:
        """The relevant cases in the first ranks, if more than these ranks hold are expected."""
        # Cases lie as they do in the sample; a kind that it lacks lies evenly.
        rows = self.accepted <= self.depth
        ranks = np.append(self.accepted[rows], self.depth)
        above = np.append(self.tp[rows], self.hits)
        of_hits = above / self.hits if self.hits else ranks / self.depth
        of_others = (ranks - above) / self.others if self.others else ranks / self.depth

        def cases(row: Int64) -> Float64:
            return np.asarray(relevant * of_hits[row] + other * of_others[row])

        first = np.zeros(len(relevant), np.int64)
        last = np.full(len(relevant), len(ranks) - 1)
        while (last - first > 1).any():
            middle = (first + last) // 2
            is_before = cases(middle) <= self.depth
            first, last = np.where(is_before, middle, first), np.where(is_before, last, middle)
        begin, end = cases(first), cases(last)
        share = np.clip((self.depth - begin) / np.maximum(end - begin, 1e-300), 0.0, 1.0)
        return np.asarray(relevant * (of_hits[first] + share * (of_hits[last] - of_hits[first])))


def _shares(count: float, most: float, cases: float, quantile: float, moved: Float64) -> Float64:
    """Wilson's bounds of a share, at shares of the quantile, for counts of whole cases."""
    whole = np.clip(count + _WHOLE * moved, 0.0, most) if count else np.zeros_like(moved)
    return _wilson(whole / most, cases, quantile, moved)


def _wilson(share: Float64, cases: float, quantile: float, moved: Float64) -> Float64:
    low, high = wilson_of_shares(share, cases, quantile * abs(moved))  # type: ignore[arg-type]
    return np.where(moved < 0, low, high)


def precision_at_rank(blocks: Blocks, cutoff: float, sizes: Sizes) -> Bounds:
    """The bounds of the precision in the first ranks."""
    top = _Top.of(blocks, cutoff)
    listed, value = float(top.accepted[-1]), top.hits / top.depth
    cases = (sizes.relevant + sizes.other) * listed / (blocks.relevant + blocks.other)
    # Of the shares of relevant and of other cases in the list, one is lower if the other is higher.
    odds = [count / max(listed - count, 1e-300) for count in (top.hits, top.others)]
    together = min(math.sqrt(odds[0] * odds[1]), 1.0)

    def bounds(moved: Float64) -> Float64:
        sign = np.sign(moved)

        def apart(relevant: Float64, other: Float64) -> Float64:
            hits, cases = top.with_counts(relevant, other)
            return np.maximum(sign * (hits / cases - value), 0.0)

        hits = listed * _shares(top.hits, listed, cases, sizes.quantile, moved)
        others = listed * _shares(top.others, listed, cases, sizes.quantile, -moved)
        a = apart(hits, np.full_like(hits, top.others))
        b = apart(np.full_like(hits, top.hits), others)
        both = np.sqrt(a * a + b * b + 2 * together * a * b)
        return np.asarray(np.clip(value + sign * both, 0.0, 1.0))

    return bounds


def recall_at_rank(blocks: Blocks, cutoff: float, sizes: Sizes) -> Bounds:
    """The bounds of the recall in the first ranks."""
    top = _Top.of(blocks, cutoff)
    relevant, other = blocks.relevant, blocks.other
    cases, effective = relevant + other, sizes.relevant + sizes.other
    value = top.hits / relevant

    def bounds(moved: Float64) -> Float64:
        of_hits, of_others, of_share = np.multiply.outer(abs(moved), _WAYS).transpose(2, 0, 1)
        quantile = sizes.quantile
        hits = _shares(top.hits, relevant, sizes.relevant, quantile, of_hits)
        others = _shares(top.others, other, sizes.other, quantile, of_others)
        share = np.full_like(of_share, relevant / cases)
        share = _wilson(share, effective, quantile, of_share)
        found = top.with_counts(cases * share * hits, cases * (1 - share) * others)[0]
        recall = np.clip(found / (cases * share), 0.0, 1.0)
        low, high = (np.asarray(extreme) for extreme in (recall.min(axis=1), recall.max(axis=1)))
        return np.asarray(np.where(moved < 0, np.minimum(low, value), np.maximum(high, value)))

    return bounds


def enrichment_in_share(blocks: Blocks, share: float, sizes: Sizes) -> Bounds:
    """The bounds of the enrichment in a first share of all items, which is the recall there over
    that share.
    """
    items = blocks.relevant + blocks.other
    depth = ceiling_of_one(share, int(items))
    recall = recall_at_rank(blocks, depth, sizes)
    return lambda moved: recall(moved) * items / depth


def both_ends(bounds: Bounds) -> tuple[float, float]:
    """The lower and the upper bound."""
    low, high = bounds(np.array([-1.0, 1.0])).tolist()
    return low, high
