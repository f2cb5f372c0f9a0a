"""Average precision and area under ROC of one scored list, from the blocks its items stand in.

Items of equal score are one block, accepted together, as in `precall.curve`; the influence of an item is
what one more of its kind would do.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from precall.infer import influence
from precall.infer.blocks import Blocks, inner
from precall.native import kernel, thread_count
from precall.ragged import Bool, Float64, Int64


class Ranked(NamedTuple):
    """The place of every item's block, best first, from 0; and what the blocks hold."""

    block: Int64
    counts: Blocks


def ranked(relevant: Bool, score: Any) -> Ranked:
    """Where items stand by their scores."""
    score = np.asarray(score)
    if score.dtype != np.float32:
        score = score.astype(np.float64, copy=False)
    relevant, score = np.ascontiguousarray(relevant), np.ascontiguousarray(score)
    block, hits, others, _ = kernel().blocks(relevant, score, thread_count())
    return Ranked(block, Blocks(hits, others))


def precision_influence(relevant: Bool, place: Ranked) -> tuple[float, Float64]:
    """AP, and the influence of every item on it; influences add up to 0, their squares to the variance of AP."""
    influences = influence.average_precision(place.counts)
    return influences.value, _of_items(relevant, place.block, influences.positive, influences.negative)


def roc_influence(relevant: Bool, place: Ranked) -> tuple[float, Float64]:
    """Area under ROC, and DeLong's component of every item: the share of the other class that it stands right to; ties half."""
    won, lost = influence.shares(place.counts)
    area = inner(place.counts.positive, won) / place.counts.relevant
    return area, _of_items(relevant, place.block, won, lost)


def _of_items(relevant: Bool, block: Int64, positive: Float64, negative: Float64) -> Float64:
    """What the blocks say of relevant and of other items, for every item."""
    values = negative.take(block)
    hits = np.flatnonzero(relevant)
    values[hits] = positive.take(block.take(hits))
    return values


def redrawn_values(relevant: Bool, block: Int64, weight: Int64, measure: str) -> Float64:
    """The measure of a list whose items count `weight` times: (draws,) for weights of shape (draws, items).

    Copies of one item that stands alone follow one another: as one block they would raise the
    number of ties, and with it the bias of AP.
    """
    order = np.argsort(block, kind="stable")
    ranked, weight = block[order], weight[:, order]
    lead = np.flatnonzero(np.concatenate(([True], ranked[1:] != ranked[:-1])))
    size = np.add.reduceat(weight, lead, axis=1)
    hits = np.add.reduceat(weight * relevant[order], lead, axis=1)
    tp, accepted = np.cumsum(hits, axis=1), np.cumsum(size, axis=1)
    total = tp[:, -1]
    if measure == "AUC":
        others = size - hits
        below = others.sum(axis=1, keepdims=True) - np.cumsum(others, axis=1)
        value = (hits * (below + others / 2)).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(value / (total * others.sum(axis=1)), np.float64)
    single = np.diff(np.append(lead, len(ranked))) == 1
    tied = np.where(single, 0, hits)
    value = (tied * tp / np.maximum(accepted, 1)).sum(axis=1)
    alone = np.flatnonzero(single & hits.any(axis=0))
    copies, before, above = hits[:, alone], (tp - hits)[:, alone], (accepted - size)[:, alone]
    for copy in range(1, int(copies.max(initial=0)) + 1):
        value += np.where(copies >= copy, (before + copy) / (above + copy), 0.0).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(value / total, np.float64)
