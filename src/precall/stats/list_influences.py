"""Influence of one case on the measures of one scored list other than its areas: those of a cut, of
the best threshold, and those that weigh ranks or recalls.

A cut lies at a rank, or where a recall is reached. With one more case it moves, so that cases enter
or leave the top; the share of relevant cases there is the precision at the cut. It is estimated
from the ranks around it. A block of equal scores at the cut is partly in the top, as the mean over
its orders. At the threshold of greatest F the value does not depend on small moves of the cut.

A measure that hangs on a single item, such as the rank of the first hit, has no influences: it does
not come closer to a limit if the list grows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from precall.core.ragged import Float64
from precall.location.hits import ceiling_of_one
from precall.measures import Measure
from precall.stats.blocks import Blocks, CountsByPart
from precall.stats.influence import Influence
from precall.stats.quantiles import normal_shares

#: Half of the window around a cut is this number of ranks times the .8th power of the ranks on the
#: shorter side, and at least `_LEAST` ranks.
_WIDE, _POWER, _LEAST = 1.5, 0.8, 3.0
#: A block at the cut of break-even is coarse if it has more cases than this number of standard
#: errors of a count of as many cases as are relevant.
_COARSE = 2
#: Two thresholds are nearly as near to break-even if |P - R| differs by less than this number of
#: standard errors of a share of the relevant cases, 1 / √m at most.
_TWO_NEAREST = 2.0
#: Standard errors of the place of a recall to both sides of it: those that tell how far apart
#: relevant ranks are, and those on which they should be about as far apart.
_AROUND, _BESIDE = 1.5, 2.0
#: Distances of relevant ranks on both sides of a recall are unlike above this ratio.
_UNLIKE = 3.0


@dataclass(frozen=True, eq=False)
class Influences:
    """The influences of the cases of a list on a measure.

    Parameters
    ----------
    blocks : the blocks that the influences are of; one without relevant cases may be divided at the
        cut.
    influence : the value and the influences of cases of each block.
    most : the greatest value.
    trials : the number of cases, or their weight, that could be errors or hits; infinite if the
        value is no share of cases.
    odds : whether shares of the greatest value vary evenly on the log-odds scale; if not, the
        distance from it does on the logarithmic one.
    bias : how much the value is too high on average, to first order.
    uneven : whether a few cases can have most of the influence.
    near : the number of relevant cases from which the density at the cut was estimated, or their
        weight, if little more is known of it.
    more : variance that no influence shows, as it is of single items.
    jumps : variance that no influence shows, as other blocks of equal scores reach a level.
    at_levels : whether the value is of a threshold that can be another one in another sample, as it
        is chosen by a level of recall or by break-even.
    top : the number of cases whose errors lower the value, besides the `trials`, or their
        weight; infinite if there are none.
    full : the value if all of these were relevant.
    hopeful : the value if every other case had one more relevant case above it. It is not lower
        than that of an unlimited list on average, where the value itself is.
    one_above : how much lower the value is with one more unit of weight of other cases above every
        relevant case.
    """

    blocks: Blocks
    influence: Influence
    most: float
    trials: float
    odds: bool = True
    bias: float = 0.0
    uneven: bool = False
    near: float = math.inf
    more: float = 0.0
    jumps: float = 0.0
    at_levels: bool = False
    top: float = math.inf
    full: float = 1.0
    hopeful: float = math.nan
    one_above: float = 0.0

    @property
    def unseen(self) -> float:
        """All variance that no influence shows."""
        return self.more + self.jumps


class _Cut(NamedTuple):
    """A cut through the blocks.

    Parameters
    ----------
    share : the share of each block in the top.
    rate : the share of relevant cases at the cut.
    block : the block in which the cut lies; the number of blocks if it lies behind all.
    """

    share: Float64
    rate: float
    block: int


def _accepted(blocks: Blocks) -> Float64:
    """The weight of all cases at or above each block."""
    return blocks.tp + blocks.fp


def _divide(blocks: Blocks, depth: float) -> Blocks:
    """The blocks, the one at a depth divided there if it has no relevant case.

    Cases without weights and groups are counted, and neighbouring blocks without relevant cases are
    one, although their scores differ.
    """
    if blocks.cases is not None:
        return blocks
    accepted = _accepted(blocks)
    at = int(np.searchsorted(accepted, depth))
    if at >= len(accepted) or blocks.positive[at]:
        return blocks
    inside = math.floor(depth - (accepted[at] - blocks.negative[at]))
    if not 0 < inside < blocks.negative[at]:
        return blocks
    negative = blocks.negative.astype(np.int64)
    negative[at] -= inside
    return replace(
        blocks,
        positive=np.insert(blocks.positive.astype(np.int64), at, 0),
        negative=np.insert(negative, at, inside),
        scores=None,
    )


def _cut(blocks: Blocks, depth: float) -> _Cut:
    """The cut below the first `depth` cases, or their weight."""
    size = np.asarray(blocks.positive + blocks.negative, np.float64)
    accepted = _accepted(blocks)
    before, total = accepted - size, float(accepted[-1])
    share = np.clip((depth - before) / np.maximum(size, 1e-300), 0.0, 1.0)
    block = int(np.searchsorted(accepted, depth))
    if depth >= total:
        return _Cut(share, 0.0, len(size))
    unit = 1 / blocks.cases_per_weight()
    shorter = min(depth, total - depth) / unit
    window = max(_WIDE * shorter**_POWER, _LEAST) * unit
    # The Epanechnikov kernel over the ranks that each block takes.
    ends = np.clip(np.stack((before, accepted)) - depth, -window, window) / window
    weight = np.diff(ends - ends**3 / 3, axis=0)[0]
    rate = float((weight * blocks.positive / np.maximum(size, 1e-300)).sum() / weight.sum())
    return _Cut(share, rate, block)


def _is_coarse(blocks: Blocks, block: int) -> bool:
    """Whether a block has so many equal scores that the cut at as many cases as are relevant lies
    in it in most samples.
    """
    if block >= len(blocks.positive) or (blocks.cases is None and not blocks.positive[block]):
        return False
    size = float(blocks.positive[block] + blocks.negative[block])
    unit = 1 / blocks.cases_per_weight()
    return size > _COARSE * math.sqrt(blocks.relevant * unit)


def _influences(
    blocks: Blocks, value: float, positive: Any, negative: Any, missed: float
) -> Influence:
    ones = np.ones(len(blocks.positive))
    parts = CountsByPart.of(blocks, positive * ones, negative * ones)
    return Influence(value, missed, parts)


def _listed(blocks: Blocks) -> float:
    """The weight of the cases in the list; missed items are in none of its ranks."""
    return blocks.relevant - blocks.missed + blocks.other


def precision_at(blocks: Blocks, value: float, cutoff: int) -> Influences:
    """P@k; the cutoff is that share of the list."""
    blocks, listed = _divide(blocks, cutoff), _listed(blocks)
    cut, share = _cut(blocks, cutoff), cutoff / listed
    moved = cut.rate * (share - cut.share)
    positive, negative = ((y * cut.share + moved - value * share) / cutoff for y in (1, 0))
    influence = _influences(blocks, value, positive, negative, 0.0)
    return Influences(blocks, influence, 1.0, cutoff)


def recall_at(blocks: Blocks, value: float, cutoff: int) -> Influences:
    """R@k; the cutoff is that share of the list."""
    blocks, relevant = _divide(blocks, cutoff), blocks.relevant
    cut, share = _cut(blocks, cutoff), cutoff / _listed(blocks)
    moved = cut.rate * (share - cut.share)
    positive, negative = (cut.share + moved - value) / relevant, moved / relevant
    influence = _influences(blocks, value, positive, negative, -value / relevant)
    return Influences(blocks, influence, 1.0, relevant, top=cutoff)


def enrichment(blocks: Blocks, value: float, share: float) -> Influences:
    """EF, the lift, at a share of all items: precision in the first part over the prevalence."""
    relevant, items = blocks.relevant, blocks.relevant + blocks.other
    depth = ceiling_of_one(share, int(items))
    share = depth / items
    blocks = _divide(blocks, depth)
    cut = _cut(blocks, depth)
    moved = cut.rate * (share - cut.share)
    positive = ((cut.share + moved) / share - value) / relevant
    missed = (cut.rate - value) / relevant
    influence = _influences(blocks, value, positive, moved / share / relevant, missed)
    return Influences(blocks, influence, 1 / share, relevant, top=depth)


def r_precision(blocks: Blocks, value: float) -> Influences:
    """R-precision: precision and recall at as many cases as are relevant."""
    blocks, relevant = _divide(blocks, blocks.relevant), blocks.relevant
    cut = _cut(blocks, relevant)
    positive = (cut.share + cut.rate * (1 - cut.share) - value) / relevant
    negative = -cut.rate * cut.share / relevant
    influence = _influences(blocks, value, positive, negative, (cut.rate - value) / relevant)
    return Influences(blocks, influence, 1.0, relevant)


def break_even(blocks: Blocks, value: float, method: str) -> Influences:
    """The break-evens: R-precision, unless the cut lies among many equal scores: then the
    thresholds stay where they are.
    """
    divided = _divide(blocks, blocks.relevant)
    cut = _cut(divided, blocks.relevant)
    if not _is_coarse(divided, cut.block):
        return r_precision(blocks, value)
    tp, accepted, relevant = blocks.tp, _accepted(blocks), blocks.relevant
    behind = cut.block
    if method == "linear":
        return _of_crossing(blocks, value, behind)
    # The threshold at which the value is found.
    precision, recall = tp / np.maximum(accepted, 1e-300), tp / relevant
    best = np.minimum(precision, recall) if method == "max-min" else -abs(precision - recall)
    row = int(np.where(blocks.positive > 0, best, -np.inf).argmax())
    p, r = float(precision[row]), float(recall[row])
    top = np.arange(len(tp)) <= row
    others = np.delete(best, row)[np.delete(blocks.positive, row) > 0]
    runner_up = float(others.max(initial=-np.inf))
    of_p = np.array([(1 - p) * top, -p * top]) / accepted[row]
    of_r = np.array([top - r, 0 * top]) / relevant
    if method == "max-min":
        positive, negative = of_r if r < p else of_p
        missed = -r / relevant if r < p else 0.0
    else:
        positive, negative = (of_p + of_r) / 2
        missed = -r / relevant / 2
    influence = _influences(blocks, value, positive, negative, missed)
    # Another threshold can be the nearest in another sample, and its value is another one.
    near = _TWO_NEAREST / math.sqrt(relevant * blocks.cases_per_weight())
    leaps = method == "nearest" and best[row] - runner_up < near
    return Influences(blocks, influence, 1.0, relevant, at_levels=leaps)


def _of_crossing(blocks: Blocks, value: float, behind: int) -> Influences:
    """Of the point where a straight line between two thresholds crosses P = R, by differences."""
    tp, accepted, relevant = blocks.tp, _accepted(blocks), blocks.relevant
    before = behind - 1
    counts = np.array(
        [
            tp[before] if behind else 0.0,
            accepted[before] if behind else 0.0,
            tp[behind],
            accepted[behind],
            relevant,
        ]
    )

    def crossing(tp0: float, a0: float, tp1: float, a1: float, relevant: float) -> float:
        first = (tp0 / a0 if a0 else tp1 / a1) - tp0 / relevant
        second = tp1 / a1 - tp1 / relevant
        if first == second:
            return tp1 / relevant
        return (tp0 + first / (first - second) * (tp1 - tp0)) / relevant

    step = 1e-5 * np.maximum(counts, 1e-300)
    slopes = [
        (crossing(*(counts + move)) - crossing(*(counts - move))) / (2 * move.max())
        for move in np.diag(step)
    ]
    rows = np.arange(len(tp))
    first, second = rows <= before, rows <= behind
    if not behind:
        slopes[:2] = [0.0, 0.0]
    positive = first * (slopes[0] + slopes[1]) + second * (slopes[2] + slopes[3]) + slopes[4]
    negative = first * slopes[1] + second * slopes[3]
    influence = _influences(blocks, value, positive, negative, slopes[4])
    return Influences(blocks, influence, 1.0, relevant)


def average_precision_at(blocks: Blocks, value: float, cutoff: int, norm: str) -> Influences:
    """AP@k with the denominator R or min(k, R); the cutoff is that share of the list."""
    blocks, listed = _divide(blocks, cutoff), _listed(blocks)
    cut, share, relevant = _cut(blocks, cutoff), cutoff / listed, blocks.relevant
    fixed = norm == "min" and cutoff < relevant
    over = cutoff if fixed else relevant
    tp, accepted, hits = blocks.tp, _accepted(blocks), blocks.positive * cut.share
    precision = tp / accepted
    at = min(cut.block, len(tp) - 1)
    moved = cut.rate * float(precision[at]) * (share - cut.share)
    rate, own = hits / accepted, hits * precision / accepted
    above, below = (np.cumsum(column[::-1])[::-1] for column in (rate, own))
    lost = value * share if fixed else value
    positive = (cut.share * precision + above - below + moved - lost) / over
    negative = (moved - below - (value * share if fixed else 0.0)) / over
    missed = 0.0 if fixed else -value / over
    # Every relevant case counts in the precision at its own rank.
    own_count = float((hits * (1 - precision) / accepted).sum()) / over
    return Influences(
        blocks,
        _influences(blocks, value, positive, negative, missed),
        1.0,
        cutoff if fixed else relevant,
        bias=own_count * blocks.other / (blocks.other + relevant),
        uneven=True,
        top=math.inf if fixed else cutoff,
        full=cutoff / relevant,
    )


def greatest_f(blocks: Blocks, value: float, square: float) -> Influences:
    """The greatest F; `square` is β². Small moves of its threshold do not count."""
    relevant, accepted = blocks.relevant, _accepted(blocks)
    f = (1 + square) * blocks.tp / (square * relevant + accepted)
    row = int(f.argmax())
    top = np.arange(len(f)) <= row
    over = square * relevant + float(accepted[row])
    positive = ((1 + square) * top - value * (square + top)) / over
    influence = _influences(blocks, value, positive, -value * top / over, -value * square / over)
    return Influences(blocks, influence, 1.0, relevant)


def greatest_difference(blocks: Blocks, value: float) -> Influences:
    """KS, the greatest recall minus false positive rate. Small moves of its threshold do not
    count.
    """
    relevant, other = blocks.relevant, blocks.other
    recall, fallout = blocks.tp / relevant, blocks.fp / other
    row = int((recall - fallout).argmax())
    top = np.arange(len(recall)) <= (row if value > 0 else -1)
    r, f = (float(rate[row]) if value > 0 else 0.0 for rate in (recall, fallout))
    influence = _influences(blocks, value, (top - r) / relevant, (f - top) / other, -r / relevant)
    return Influences(blocks, influence, 1.0, min(relevant, other))


def early_recognition(blocks: Blocks, value: float, alpha: float) -> Influences:
    """BEDROC: the mean of e^(-alpha r) over relevant items, r their rank as a share of all items,
    between its least and its greatest value; both depend on the prevalence.
    """
    relevant, items = blocks.relevant, blocks.relevant + blocks.other
    hits = np.append(blocks.positive, blocks.missed).astype(np.float64)
    size = np.append(blocks.positive + blocks.negative, blocks.missed).astype(np.float64)
    behind = np.cumsum(size) / items
    before = behind - size / items
    with np.errstate(invalid="ignore", divide="ignore"):
        wide = behind - before
        mean = np.where(
            size > 0,
            np.exp(-alpha * before) * -np.expm1(-alpha * wide) / (alpha * wide),
            0.0,
        )
        of_behind = np.where(size > 0, (np.exp(-alpha * behind) - mean) / wide, 0.0) * hits
        of_before = np.where(size > 0, (mean - np.exp(-alpha * before)) / wide, 0.0) * hits
    total = float((hits * mean).sum()) / relevant
    # One more item moves all ends at or behind its place, and makes all shares smaller.
    shrunk = float((of_behind * behind + of_before * before).sum())
    suffix = np.cumsum((of_behind + of_before)[::-1])[::-1]
    moved = (suffix - of_before - shrunk) / items / relevant
    share = relevant / items
    ends = [
        (1 - math.exp(-alpha * share)) / (alpha * share),
        math.exp(-alpha) * math.expm1(alpha * share) / (alpha * share),
    ]
    slopes = [
        (math.exp(-alpha * share) - ends[0]) / share,
        (math.exp(-alpha * (1 - share)) - ends[1]) / share,
    ]
    width = ends[0] - ends[1]
    slope = value * slopes[0] + (1 - value) * slopes[1]
    positive = (moved + (mean - total) / relevant - slope * (1 - share) / items) / width
    negative = (moved + slope * share / items) / width
    influence = _influences(blocks, value, positive[:-1], negative[:-1], float(positive[-1]))
    # Ranks of little weight decide nothing.
    best = relevant * ends[0]
    squares = relevant * -math.expm1(-2 * alpha * share) / (2 * alpha * share)
    return Influences(blocks, influence, 1.0, best**2 / squares)


def gain_area(blocks: Blocks, value: float) -> Influences:
    """AUPRG: 1 - k mean of G(x) over other cases, k = R / O, x the recall above the case, and
    G(x) = (max(x, π)^-2 - 1) / 2 with the prevalence π.
    """
    relevant, other = blocks.relevant, blocks.other
    k, share = relevant / other, relevant / (relevant + other)
    behind = blocks.tp / relevant
    before = behind - blocks.positive / relevant
    counts = blocks.negative.astype(np.float64)

    def g(x: Float64) -> Float64:
        return np.asarray((np.maximum(x, share) ** -2.0 - 1) / 2)

    def integral(x: Float64) -> Float64:
        high = np.maximum(x, share)
        inside = (-1 / high - high) / 2 + (1 / share + share) / 2
        return np.asarray(inside + np.minimum(x, share) * (share**-2.0 - 1) / 2)

    wide = behind - before
    tied = wide > 0
    over = np.where(tied, wide, 1.0)

    def mean_between(low: Float64, high: Float64) -> Float64:
        return np.where(
            tied, (integral(high) - integral(low)) / np.where(tied, high - low, 1.0), g(low)
        )

    mean = mean_between(before, behind)
    unit = 1 / blocks.cases_per_weight()
    one_more = ((ends * relevant + unit) / (relevant + unit) for ends in (before, behind))
    fewer = float((counts * (mean - mean_between(*one_more))).sum()) / other
    slope = np.where(before > share, -(np.maximum(before, share) ** -3.0), 0.0)
    of_behind = np.where(tied, (g(behind) - mean) / over, slope) * counts / other
    of_before = np.where(tied, (mean - g(before)) / over, 0.0) * counts / other
    average = float((counts * mean).sum()) / other
    early = np.clip(np.where(tied, (share - before) / over, before < share), 0.0, 1.0)
    of_share = -(share**-3.0) * float((early * counts).sum()) / other
    suffix = np.cumsum((of_behind + of_before)[::-1])[::-1]
    shrunk = float((of_behind * behind + of_before * before).sum())
    of_total = -k * of_share / (relevant + other)
    # With missed items the curve ends before recall 1: + k (1 / x - 1)² / 2 with the last recall x.
    last = 1 / float(behind[-1]) - 1
    of_last, beyond = -k * last * (1 + last) ** 2 / relevant, k * last**2 / 2
    raised = (beyond - k * average - k * (suffix - of_before - shrunk)) / relevant
    positive = raised + of_total * (1 - share) + of_last * (1 - float(behind[-1]))
    negative = (k * average - beyond - k * (mean - average)) / other - of_total * share
    missed = (beyond + k * shrunk - k * average) / relevant + of_total * (1 - share)
    missed -= of_last * float(behind[-1])
    influence = _influences(blocks, value, positive, negative, missed)
    return Influences(
        blocks,
        influence,
        1.0,
        relevant,
        odds=False,
        uneven=True,
        hopeful=value + k * fewer,
        one_above=k * (share**-2.0 - 1) / 2 / other,
    )


class _AtRecall(NamedTuple):
    """The cut at which a recall is reached.

    Parameters
    ----------
    share : the share of each block in the top.
    depth : the number of cases above it, or their weight.
    steps : how much the depth grows by one more relevant case.
    near : the relevant cases that tell so.
    at_edge : whether it is near the edge of a block of many equal scores, so that it lies within
        that block or outside it in another sample.
    """

    share: Float64
    depth: float
    steps: float
    near: float
    at_edge: bool


def _at_recall(blocks: Blocks, recall: float) -> _AtRecall:
    """The cut at a recall. The ranks of relevant cases around it, 1.5 standard errors of its place
    to both sides, tell by how many ranks the next one is away.
    """
    relevant, found = blocks.relevant, blocks.relevant - blocks.missed
    size = np.asarray(blocks.positive + blocks.negative, np.float64)
    accepted, tp = _accepted(blocks), blocks.tp
    unit = 1 / blocks.cases_per_weight()
    need = max(recall * relevant, unit)
    wide = max(_AROUND * math.sqrt(relevant * unit * recall * (1 - recall)), unit)
    knots = np.append(0.0, tp), np.append(0.0, accepted)
    low, high = max(need - wide, 0.0), min(need + wide, found)
    first, last = np.interp((low, high), *_rising(knots))
    depth = float(np.interp(need, *_rising(knots)))
    steps = max((last - first) / (high - low), 1.0) if high > low else 1.0
    share = np.clip((depth - (accepted - size)) / np.maximum(size, 1e-300), 0.0, 1.0)
    # Where relevant ranks are far closer on one side than on the other, such as behind a first few
    # that stand out, fewer of them tell.
    sides = np.clip(need + _BESIDE / _AROUND * wide * np.array([-1.0, 0.0, 1.0]), 0.0, found)
    behind, ahead = np.diff(np.interp(sides, *_rising(knots))) / np.maximum(np.diff(sides), unit)
    apart = max(behind, ahead) / max(min(behind, ahead), 1.0)
    near = (high - low) * min(1.0, _UNLIKE / apart) ** 2
    # Edges of blocks in which the recall would stay for several standard errors.
    coarse = blocks.positive > 2 * _COARSE / _AROUND * wide
    coarse = np.append(coarse, False) | np.append(False, coarse)
    at_edge = bool((coarse & (abs(knots[0] - need) < wide))[1:-1].any())
    return _AtRecall(share, depth, float(steps), near, at_edge)


def _rising(knots: tuple[Float64, Float64]) -> tuple[Float64, Float64]:
    """The knots of tp and accepted without those at which no relevant case is added."""
    tp, accepted = knots
    kept = np.append(True, np.diff(tp) > 0)
    return tp[kept], accepted[kept]


def _moves(blocks: Blocks, recall: float) -> tuple[_AtRecall, Float64, Float64, float]:
    """How much one more relevant, other, or missed case moves the depth at which a recall is
    reached.
    """
    cut = _at_recall(blocks, recall)
    positive = cut.share + (recall - cut.share) * cut.steps
    return cut, positive, cut.share, recall * cut.steps


def precision_at_recall(blocks: Blocks, value: float, recall: float) -> Influences:
    """Precision where a recall is reached."""
    cut, positive, negative, missed = _moves(blocks, recall)
    depth = max(recall * blocks.relevant / value if value else cut.depth, 1e-300)
    of_relevant, of_other = (recall - value * positive) / depth, -value * negative / depth
    of_missed = (recall - value * missed) / depth
    influence = _influences(blocks, value, of_relevant, of_other, of_missed)
    return Influences(
        blocks, influence, 1.0, depth, uneven=True, near=cut.near, at_levels=cut.at_edge
    )


def depth_at_recall(blocks: Blocks, value: float, recall: float) -> Influences:
    """The number of cases at which a recall is reached; it grows with the list."""
    cut, positive, negative, missed = _moves(blocks, recall)
    listed = _listed(blocks)
    share = value / listed
    influence = _influences(blocks, value, positive - share, negative - share, missed)
    return Influences(
        blocks, influence, listed, math.inf, uneven=True, near=cut.near, at_levels=cut.at_edge
    )


def recall_at_precision(blocks: Blocks, value: float, precision: float) -> Influences:
    """Recall where a precision is reached for the last time.

    There tp - p (tp + fp) = g is 0. One more relevant case above adds 1 - p to g, another one takes
    p off, and the cut moves until g is 0 again. How many relevant cases that are is told by the
    rows around where g is 1.5 standard errors above and below 0.
    """
    relevant, rows = blocks.relevant, np.flatnonzero(blocks.positive)
    unit = 1 / blocks.cases_per_weight()
    hits, accepted = (np.append(0.0, column[rows]) for column in (blocks.tp, _accepted(blocks)))
    # The last row of `hits` above the cut; the first accepts nothing.
    cut = int(np.searchsorted(hits, value * relevant * (1 - 1e-12)))
    gain = hits - precision * accepted
    spread = _AROUND * math.sqrt(
        max(float(accepted[max(cut, 1)]) * unit * precision * (1 - precision), unit**2)
    )
    above = np.flatnonzero(gain[: cut + 1] >= spread)
    below = np.flatnonzero(gain[cut:] <= -spread)
    first = int(above[-1] if len(above) else gain[: cut + 1].argmax())
    last = cut + int(below[0] if len(below) else gain[cut:].argmin())
    moved = float(gain[first] - gain[last])
    slope = float(hits[last] - hits[first]) / moved if moved > 0 else 0.0
    top = np.arange(len(blocks.positive)) <= (rows[cut - 1] if cut else -1)
    positive = ((1 + slope * (1 - precision)) * top - value) / relevant
    negative = -slope * precision * top / relevant
    influence = _influences(blocks, value, positive, negative, -value / relevant)
    return Influences(blocks, influence, 1.0, math.inf, uneven=True, at_levels=True)


def eleven_point(blocks: Blocks, value: float) -> Influences:
    """The mean of the greatest precisions at recall 0, .1, ..., 1 or more.

    A greatest precision behind the level of recall stays at its threshold; one at the level moves
    with it. At a level among many equal scores it stays there or leaps to another block. That at
    recall 0 is often of one or two cases: it varies as a share of them does.
    """
    relevant, tp, accepted = blocks.relevant, blocks.tp, _accepted(blocks)
    precision = np.where(blocks.positive > 0, tp / np.maximum(accepted, 1e-300), 0.0)
    rows = np.arange(len(tp))
    unit = 1 / blocks.cases_per_weight()
    positive, negative, missed = np.zeros(len(tp)), np.zeros(len(tp)), 0.0
    row = int(np.flatnonzero(precision >= precision.max())[-1])
    hits, cases = tp[row] / unit + 1, accepted[row] / unit + 2
    of_first = float(hits / cases * (1 - hits / cases) / cases)
    coarse, between = [], False
    for tenth in range(1, 11):
        recall = tenth / 10
        start = int(np.searchsorted(tp, recall * relevant * (1 - 1e-12)))
        if start == len(tp):
            continue
        row = start + int(precision[start:].argmax())
        p, spread = float(precision[row]), math.sqrt(relevant * unit * recall * (1 - recall))
        is_near = tp[row] - recall * relevant <= spread
        is_coarse = float(blocks.positive[start]) > _COARSE * spread
        if is_coarse and tenth < 10:
            coarse.append(recall)
        if is_near and not is_coarse:
            between |= float(blocks.positive[start]) > unit * (1 + 1e-9)
            of = precision_at_recall(blocks, p, recall).influence
            positive, negative = positive + of.positive, negative + of.negative
            missed += of.missed
            continue
        top = rows <= row
        positive += (1 - p) * top / accepted[row]
        negative -= p * top / accepted[row]
    leaps = _leaps(blocks, precision, np.array(coarse))
    positive, missed = positive + leaps.positive, missed + leaps.missed
    influence = _influences(blocks, value, positive / 11, negative / 11, missed / 11)
    return Influences(
        blocks,
        influence,
        1.0,
        relevant,
        uneven=True,
        more=of_first / 121,
        jumps=leaps.more / 121,
        at_levels=between,
    )


class _Leaps(NamedTuple):
    """How greatest precisions vary that leap between blocks: the influences of a relevant case of
    each block and of a missed one, and the variance that these do not show.
    """

    positive: Float64
    missed: float
    more: float


def _leaps(blocks: Blocks, precision: Float64, recall: Float64) -> _Leaps:
    """The variation of the sum of greatest precisions at recalls that one block of equal scores
    reaches, or the next one.

    The recall of a score varies as a share of the relevant cases does; precisions at two recalls
    vary together at most as the recalls do. The more relevant cases a block has, the more levels
    it reaches, and the higher its precision is: so the chance of a leap is an influence.
    """
    rows = np.flatnonzero(blocks.positive)
    best = np.maximum.accumulate(precision[rows][::-1])[::-1]
    reached = blocks.tp[rows] / blocks.relevant
    cases = blocks.relevant * blocks.cases_per_weight()
    odds = np.sqrt(recall / (1 - recall))
    spread = np.sqrt(recall * (1 - recall) / cases)
    distance = (reached[:-1, None] - recall) / spread
    below = normal_shares(distance)
    chance = np.diff(below, axis=0, prepend=0.0, append=1.0)
    centre = best @ chance
    deviation = np.sqrt(np.maximum((best**2) @ chance - centre**2, 0.0))
    together = np.minimum(odds[:, None] / odds, odds / odds[:, None])
    density = np.exp(-(distance**2) / 2) / math.sqrt(math.tau) / spread
    slope = -np.diff(best) * density.sum(axis=1)
    gain = np.zeros(len(precision))
    gain[rows[:-1]] = slope
    missed = -float(slope @ reached[:-1]) / blocks.relevant
    positive = gain[::-1].cumsum()[::-1] / blocks.relevant + missed
    shown = float(blocks.positive @ positive**2) + blocks.missed * missed**2
    more = float(deviation @ together @ deviation) - shown / blocks.cases_per_weight()
    return _Leaps(positive, missed, max(more, 0.0))


def _square(given: Mapping[str, Any]) -> float:
    """β² of the parameters of a measure of F; alpha is 1 / (1 + β²)."""
    alpha = given["alpha"]
    return float(given["beta"] ** 2 if alpha is None else (1 - alpha) / alpha)


Given = Mapping[str, Any]
#: The influences on a measure, by the name of its declaration, from blocks, value and parameters.
_MAKERS: dict[str, Callable[[Blocks, float, Given], Influences]] = {
    "P": lambda blocks, value, given: precision_at(blocks, value, given["cutoff"]),
    "R": lambda blocks, value, given: recall_at(blocks, value, given["cutoff"]),
    "AP": lambda blocks, value, given: average_precision_at(
        blocks, value, given["cutoff"], given["norm"]
    ),
    "EF": lambda blocks, value, given: enrichment(blocks, value, given["share"]),
    "Rprec": lambda blocks, value, given: r_precision(blocks, value),
    "BEP": lambda blocks, value, given: break_even(blocks, value, given["method"]),
    "BEDROC": lambda blocks, value, given: early_recognition(blocks, value, given["alpha"]),
    "IAP": lambda blocks, value, given: eleven_point(blocks, value),
    "AreaPR": lambda blocks, value, given: eleven_point(blocks, value),
    "AUPRG": lambda blocks, value, given: gain_area(blocks, value),
    "MaxF": lambda blocks, value, given: greatest_f(blocks, value, _square(given)),
    "KS": lambda blocks, value, given: greatest_difference(blocks, value),
    "PAtRecall": lambda blocks, value, given: precision_at_recall(blocks, value, given["recall"]),
    "KAtRecall": lambda blocks, value, given: depth_at_recall(blocks, value, given["recall"]),
    "RAtPrecision": lambda blocks, value, given: recall_at_precision(
        blocks, value, given["precision"]
    ),
}
#: Measures of a list by name, for errors: those that have influences.
NAMES = (
    "AP@k",
    "EF@1%",
    "Rprec",
    "BEP",
    "IAP",
    "BEDROC",
    "AUPRG",
    "MaxF",
    "KS",
    "PAtRecall(recall=0.5)",
    "KAtRecall(recall=0.5)",
    "RAtPrecision(precision=0.9)",
)
#: Measures that a single item decides, by the names of their declarations.
_OF_ONE_ITEM = ("RR", "Success", "Coverage")
#: Parameters that change what a measure is; with other values there are no influences.
_PLAIN = {"population": (None,), "mult": (1.0,), "grade": (1,), "norm": ("relevant", "min")}


def has_one_item(measure: Measure) -> bool:
    """Whether a single item decides a measure of one list, so that it has no variance to estimate.

    Examples
    --------
    >>> from precall.measures.registry import find
    >>> [has_one_item(find(name)) for name in ("RR", "P@10", "PAtRecall(recall=0)")]
    [True, False, True]
    """
    name, given = measure.declaration.name, measure.parameters
    at_first = name in ("PAtRecall", "KAtRecall") and not given["recall"]
    at_last = name in ("PAtRecall", "KAtRecall") and given["recall"] == 1
    return name in _OF_ONE_ITEM or at_first or at_last


def has_influences(measure: Measure) -> bool:
    """Whether the influences of cases on a measure of one list are known here.

    Examples
    --------
    >>> from precall.measures.registry import find
    >>> [has_influences(find(name)) for name in ("P@10", "BEP", "AP", "RR", "AP(norm=found)@5")]
    [True, True, False, False, False]
    """
    name, given = measure.declaration.name, measure.parameters
    if name not in _MAKERS or measure.judged_only or has_one_item(measure):
        return False
    if name in ("P", "R", "AP") and given.get("cutoff") is None:
        return False
    if name == "AreaPR" and given["method"] != "11-point":
        return False
    if name == "MaxF" and given["alpha"] == 0:
        return False
    return all(given[key] in allowed for key, allowed in _PLAIN.items() if key in given)


def influences_of(blocks: Blocks, measure: Measure, value: float) -> Influences:
    """The influences on a measure of a list whose value is known."""
    return _MAKERS[measure.declaration.name](blocks, value, measure.parameters)
