"""Influence of one case on a measure of a scored list, and the variance that follows from it.

A case j has the influence U_j = ∂T/∂w_j on a measure T of weighted cases. If T does not change when
all weights are multiplied by a factor, Σ w_j U_j = 0, and the variance of T over samples of cases
is about Σ w_j U_j². Cases of one block and label have the same influence, so two numbers per block
suffice. The influence of a single item follows from its block.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from precall.core.counts import Ranks, part_under_roc, step_under, under_roc
from precall.core.ragged import Bool, Float64, Int64
from precall.native import kernel, thread_count
from precall.stats.blocks import Blocks, Cases, CountsByPart, Part, inner, kinds_of_groups
from precall.stats.resample.bootstrap import acceleration


@dataclass(frozen=True, eq=False)
class Influence:
    """A measure's value, the influence of a missed item, and those of a relevant and of another
    case of each block.
    """

    value: float
    missed: float
    parts: CountsByPart

    @cached_property
    def positive(self) -> Float64:
        """Influence of a relevant case of each block."""
        return self.parts.whole()[0]

    @cached_property
    def negative(self) -> Float64:
        """Influence of another case of each block."""
        return self.parts.whole()[1]


def ranks_of(blocks: Blocks) -> Ranks:
    """The blocks as the ranks that areas are computed from, so that values agree to the last
    digit.
    """
    most, count = blocks.relevant + blocks.other, len(blocks.positive) + 1
    kind: Any = (
        np.float64 if blocks.positive.dtype.kind == "f" else np.int32 if most < 2**31 else np.int64
    )
    tp, fp = np.zeros(count, kind), np.zeros(count, kind)
    for rows, hits, others in blocks.parts():
        below = slice(rows.start + 1, rows.stop + 1)
        tp[below], fp[below] = hits, others
    return Ranks(tp, fp, blocks.missed, fp[-1].item())


def average_precision(blocks: Blocks) -> Influence:
    """Average precision, Σ positive_i P_i / R with the precision P_i at the end of block i.

    Influences: of a relevant case of block b (P_b - AP + Σ_{i ≥ b} positive_i FP_i / A_i²) / R, of
    another one -(Σ_{i ≥ b} positive_i TP_i / A_i²) / R with A_i = TP_i + FP_i, of a missed item -AP
    / R.

    Examples
    --------
    >>> found = average_precision(Blocks(np.array([1, 0, 1, 0]), np.array([0, 1, 0, 1])))
    >>> (
    ...     round(found.value, 6),
    ...     found.positive.round(4)[[0, 2]],
    ...     found.negative.round(4)[[1, 3]] + 0.0,
    ... )
    (0.833333, array([ 0.1389, -0.0278]), array([-0.1111,  0.    ]))
    """
    value = step_under(ranks_of(blocks))
    return Influence(
        value,
        -value / blocks.relevant,
        CountsByPart(blocks, partial(_influences_on_precision, blocks, value)),
    )


def _influences_on_precision(blocks: Blocks, value: float) -> Iterator[Part]:
    # Summed from the last block up; the relevant cases' sum of FP/A² is that of 1/A minus that of
    # TP/A².
    relevant, below, above = blocks.relevant, np.zeros(1), np.zeros(1)
    for rows, tp, fp in blocks.parts(upwards=True):
        accepted = tp + fp
        share, rate = tp / accepted, blocks.positive[rows] / accepted
        # Continue from the sums of the blocks further down.
        own = rate * share
        own[-1] += below[0]
        rate[-1] += above[0]
        below, above = own[::-1].cumsum()[::-1], rate[::-1].cumsum()[::-1]
        yield rows, (share - value + (above - below)) / relevant, -below / relevant


def area_under_roc(blocks: Blocks, part: float | None = None) -> Influence:
    """Area under the ROC curve, or its `part` up to a false positive rate: DeLong's components
    divided by the number of cases.

    A relevant case wins against the other cases below its block and against half of those in it.
    Its influence is (share won - AUC) / R. Likewise another case loses to the relevant cases above
    it. A missed item wins nothing.

    Examples
    --------
    >>> found = area_under_roc(Blocks(np.array([1, 0, 1, 0]), np.array([0, 1, 0, 1])))
    >>> found.value, found.positive[[0, 2]], found.negative[[1, 3]]
    (0.75, array([ 0.125, -0.125]), array([-0.125,  0.125]))
    """
    value, shares = components(blocks, part)

    def influences() -> Iterator[Part]:
        for rows, won, lost in shares:
            yield rows, (won - value) / blocks.relevant, (lost - value) / blocks.other

    return Influence(value, -value / blocks.relevant, CountsByPart(blocks, influences))


def _shares(blocks: Blocks) -> Iterator[Part]:
    """DeLong's components: per block the share of the other kind that is ranked correctly relative
    to a relevant case, and to another case.
    """
    for rows, tp, fp in blocks.parts():
        own, other = (
            0.5 * counts[rows].astype(np.float64) for counts in (blocks.positive, blocks.negative)
        )
        yield rows, (blocks.other - (fp - other)) / blocks.other, (tp - own) / blocks.relevant


def components(blocks: Blocks, part: float | None = None) -> tuple[float, CountsByPart]:
    """The area and DeLong's components per block, for the whole area or its part up to a false
    positive rate.

    For a part up to the rate t (Zhang et al. 2002; He & Escobar 2010), let h be the height of the
    curve at t. The component of a relevant case is t minus the share of others above it, at least
    0. That of another case is the share of relevant cases above it, at most h, minus (1 - t) h,
    because one more other case moves the position where t is reached. The curve runs straight
    through blocks; if it rises at t itself, h is the mean of both ends. The mean of the components
    is the area, for either kind.
    """
    if part is None:
        return under_roc(ranks_of(blocks)), CountsByPart(blocks, partial(_shares, blocks))
    relevant_counts, other_counts = (
        np.asarray(counts).astype(np.float64) for counts in (blocks.positive, blocks.negative)
    )
    tp, fp, limit = np.cumsum(relevant_counts), np.cumsum(other_counts), part * blocks.other
    if blocks.negative.dtype.kind == "i" and abs(limit - round(limit)) < 1e-9 * limit:
        limit = float(round(limit))  # .1 of 30 is 3, not a little more
    above, room = tp - relevant_counts, limit - (fp - other_counts)
    # The share of a block's other cases that lies within the part.
    share = np.divide(
        np.clip(room, 0.0, other_counts),
        other_counts,
        out=(room > 0).astype(np.float64),
        where=other_counts > 0,
    )
    won = share * (room - share * other_counts / 2) / blocks.other
    first = min(int(np.searchsorted(fp, limit)), len(fp) - 1)
    height = above[first] + share[first] * relevant_counts[first]
    if fp[first] == limit:
        height = (height + tp[np.searchsorted(fp, limit, "right") - 1]) / 2
    lost = (
        share * (above + share * relevant_counts / 2 - height) + part * height
    ) / blocks.relevant
    return part_under_roc(ranks_of(blocks), part), CountsByPart.of(blocks, won, lost)


def variance(blocks: Blocks, influences: Influence, stratified: bool) -> float:
    """Variance of the measure over samples of cases; if `stratified`, with fixed numbers of both
    kinds.

    For cases in groups, the influences of a group are added before they are squared. The factor
    R / (R - 1) of the scarcer kind corrects for the degree of freedom that the value itself has
    used; for groups the correction is Bell & McCaffrey's (2002).
    """
    cases = blocks.cases
    if cases is not None and cases.group is not None:
        return variance_of_groups(
            per_case(blocks, influences), cases.relevant, cases.weight, cases.group
        )
    of_positive, of_negative = of_kinds(blocks, influences)
    relevant_size, other_size = (max(size, 1 + 1e-9) for size in blocks.sizes())
    if not stratified:
        least = min(relevant_size, other_size)
        return (of_positive + of_negative) * least / (least - 1)
    sums = (inner(blocks.positive[rows], of_relevant) for rows, of_relevant, _ in influences.parts)
    lead = math.fsum(sums) + blocks.missed * influences.missed
    of_positive -= lead**2 / relevant_size
    of_negative -= lead**2 / other_size
    return of_positive * relevant_size / (relevant_size - 1) + of_negative * other_size / (
        other_size - 1
    )


def of_kinds(blocks: Blocks, influences: Influence) -> tuple[float, float]:
    """Squared influences, summed over the relevant cases and over the others."""
    sums = []
    for rows, of_relevant, of_other in influences.parts:
        positive, negative = blocks.squares(rows)
        sums.append((inner(positive, of_relevant**2), inner(negative, of_other**2)))
    of_positive, of_negative = map(math.fsum, zip(*sums, strict=True))
    return of_positive + blocks.missed * influences.missed**2, of_negative


def sums_of_groups(each: Float64, relevant: Bool, weight: Float64, group: Int64) -> Float64:
    """Sum of the influences of each group; the squares of these sums add up to the variance.

    A group pulls the value towards itself by its share h of its kind's cases; the factor
    1 / √(1 - h) corrects for that.
    """
    groups = int(group.max(initial=-1)) + 1
    kind = kinds_of_groups(relevant, weight, group, groups)
    left = np.maximum(1 - kind / np.maximum(kind.sum(axis=1, keepdims=True), 1e-300), 1 / groups)
    lever = np.sqrt(left)[np.where(relevant, 0, 1), group]
    return np.bincount(group, weights=each / lever, minlength=groups).astype(np.float64)


def freedom_of_groups(sums: Float64, effective: float) -> float:
    """Degrees of freedom of a variance over groups: half of Satterthwaite's, but at most those of
    even groups.

    If z are the sums of the influences of G groups, Satterthwaite's degrees are
    2 / (Σ z⁴ / (Σ z²)² - 1 / G), which is G for normal sums. Half of that was chosen by simulation
    (docs/why/intervals.md), because few groups hardly show how heavy the tails are.
    """
    # Divided by the greatest, because fourth powers can underflow.
    squares = (sums / max(float(np.abs(sums).max(initial=0.0)), 1e-300)) ** 2
    excess = inner(squares, squares) / max(float(squares.sum()) ** 2, 1e-300) - 1 / max(
        len(squares), 1
    )
    return max(min(1 / excess if excess > 0 else math.inf, effective - 1), 1.0)


def variance_of_groups(each: Float64, relevant: Bool, weight: Float64, group: Int64) -> float:
    """Variance of a sum over cases in groups."""
    sums = sums_of_groups(each, relevant, weight, group)
    return inner(sums, sums)


def obuchowski(each: Float64, relevant: Bool, group: Int64) -> float:
    """Obuchowski's (1997) variance of an area, from its cases' influences: S10 / m + S01 / n +
    2 S11 / (m n).

    The influences of a group are added for each kind. Their squares count I / (I - 1) times, where
    I is the number of groups with cases of the kind; products of both kinds likewise, where I is
    the number of all groups. NaN if one group has all cases of a kind.
    """
    groups = int(group.max(initial=-1)) + 1
    sums = [
        np.bincount(group[kind], weights=each[kind], minlength=groups)
        for kind in (relevant, ~relevant)
    ]
    groups_with_kind = [len(np.unique(group[kind])) for kind in (relevant, ~relevant)]
    if min(groups_with_kind) < 2:
        return float("nan")
    squares = [
        inner(sums_of_kind, sums_of_kind) * size / (size - 1)
        for sums_of_kind, size in zip(sums, groups_with_kind, strict=True)
    ]
    return math.fsum((*squares, 2 * inner(*sums) * groups / (groups - 1)))


def per_case(blocks: Blocks, influences: Influence) -> Float64:
    """Weight times influence of every case, in the order of `blocks.cases`."""
    cases = blocks.cases
    assert cases is not None
    positive, negative = influences.positive[cases.block], influences.negative[cases.block]
    return np.asarray(cases.weight * np.where(cases.relevant, positive, negative))


def acceleration_of_cases(blocks: Blocks, influences: Influence) -> float:
    """A sixth of the skewness of the influences of cases, or of groups: BCa's acceleration."""
    influences_ = np.concatenate((influences.positive, influences.negative, [influences.missed]))
    times = np.concatenate((blocks.positive, blocks.negative, [blocks.missed]))
    if blocks.cases is not None:
        weighed, group = per_case(blocks, influences), blocks.cases.group
        summed = (
            weighed
            if group is None
            else np.bincount(group, weights=weighed, minlength=blocks.groups())
        )
        influences_ = np.append(summed, influences.missed)
        times = np.append(np.ones(len(summed)), blocks.missed)
    return acceleration(influences_, times)


def bias(blocks: Blocks, stratified: bool) -> float:
    """Bias of average precision, to second order.

    Every relevant case counts in the precision at its own rank: + positive FP / A² / R. If the
    share π of relevant cases is random, precision above π is a concave function of it, which lowers
    the mean by P (1 - P) (P - π) / (n π (1 - π)), averaged over the relevant cases.
    """
    relevant, retrieved = blocks.relevant, blocks.relevant - blocks.missed
    rate = retrieved / (retrieved + blocks.other)
    own_counts, spreads, curvatures = [], [], []
    for rows, hits, others in blocks.parts():
        tp, fp = hits.astype(np.float64), others.astype(np.float64)
        accepted, (positive, negative) = tp + fp, blocks.squares(rows)
        share = tp / accepted
        own_counts.append(inner(positive, fp / accepted**2))
        spreads.append(positive.sum() * (1 - rate) ** 2 + negative.sum() * rate**2)
        curvatures.append(inner(blocks.positive[rows], share * (1 - share) * (share - rate)))
    first = math.fsum(own_counts) / relevant
    if stratified or not blocks.other or not retrieved:
        return first
    variance_of_share = (
        math.fsum(spreads) / (retrieved + blocks.other) ** 2 / (rate * (1 - rate)) ** 2
    )
    return first - variance_of_share * math.fsum(curvatures) / relevant


class LeaveOut(NamedTuple):
    """Sums over the cases at or above each relevant case, without this case or without its group.

    A row is a case, or the equal cases of a block, or those of a group in a block. X / Y is the
    precision at its position that the other cases have.

    Parameters
    ----------
    block, weight : the block of a row, and its relevant weight.
    relevant, accepted : X and Y, the sums of the weights t of the relevant cases, and a of all
        cases, of other groups.
    squares, products : Σ a² and Σ a t over these groups.
    typical : weight of one more other case above, as random units of weight meet it: Σ o² / Σ o
        over the other cases; or over those (or groups of them) above the median relevant case, if
        that is more.
    """

    block: Int64
    weight: Float64
    relevant: Float64
    accepted: Float64
    squares: Float64
    products: Float64
    typical: float

    @classmethod
    def of(cls, blocks: Blocks) -> LeaveOut:
        """Each case leaves its group out; without groups, itself."""
        return cls.of_groups(blocks) if blocks.has_groups else cls.of_cases(blocks)

    @classmethod
    def of_cases(cls, blocks: Blocks) -> LeaveOut:
        """Each case leaves itself out; an integer weight is that many cases."""
        positive, negative = blocks.squares()
        hits, every = np.cumsum(positive), np.cumsum(positive + negative)
        typical = 1.0
        if blocks.other:
            typical = max(
                float(negative.sum()) / blocks.other, _typical_above(blocks, np.cumsum(negative))
            )
        if not blocks.real or blocks.cases is None:
            block = np.flatnonzero(positive)
            x, y = hits[block] - 1, every[block] - 1
            return cls(block, positive[block], x, y, y, x, typical)
        cases = blocks.cases
        rows = np.flatnonzero(cases.relevant)
        block, weight = cases.block[rows], cases.weight[rows]
        x, y = _leave_out(blocks, cases, block, (weight, weight), (np.ones(1), np.ones(1)))
        return cls(block, weight, x, y, every[block] - weight**2, hits[block] - weight**2, typical)

    @classmethod
    def of_groups(cls, blocks: Blocks) -> LeaveOut:
        """Each case leaves its group out."""
        cases = blocks.cases
        assert cases is not None and cases.group is not None
        group = cases.group
        # NumPy sorts integers of 16 bits by radix sort.
        order = np.argsort(
            group.astype(np.uint16) if blocks.groups() <= 2**16 else group, kind="stable"
        )
        listed, block = group[order], cases.block[order]
        start = np.flatnonzero(np.append(True, (np.diff(listed) != 0) | (np.diff(block) != 0)))
        listed, block = listed[start], block[start]
        lead = np.flatnonzero(np.append(True, np.diff(listed) != 0))
        size = np.diff(np.append(lead, len(listed)))

        def in_groups(each: Float64) -> tuple[Float64, Float64]:
            """Sum of each row, and running sum of its group up to it."""
            rows = np.add.reduceat(each[order], start)
            sums = np.cumsum(rows)
            return rows, sums - np.repeat((sums - rows)[lead], size)

        heavy = np.where(cases.relevant, cases.weight, 0.0)
        (t_row, t), (o_row, o) = in_groups(heavy), in_groups(cases.weight - heavy)
        (hit, hits), (_, count) = (
            in_groups(cases.relevant.astype(np.float64)),
            in_groups(np.ones(len(order))),
        )
        a_row, a = t_row + o_row, t + o

        def running(each: Float64) -> Float64:
            """Sum over groups at and above each block, from the contributions of the rows."""
            return np.cumsum(np.bincount(block, weights=each, minlength=len(blocks.positive)))

        squares, products = (
            running(a_row * (2 * a - a_row)),
            running(a_row * t + (a - a_row) * t_row),
        )
        clumps = running(o_row * (2 * o - o_row))
        relevant_rows = np.flatnonzero(hit)
        at = block[relevant_rows]
        x, y = _leave_out(
            blocks,
            cases,
            at,
            (t[relevant_rows], a[relevant_rows]),
            (hits[relevant_rows], count[relevant_rows]),
        )
        typical = cls.of_cases(blocks).typical
        if blocks.other:
            typical = max(typical, _typical_above(blocks, clumps))
        left = (
            squares[at] - a[relevant_rows] ** 2,
            products[at] - a[relevant_rows] * t[relevant_rows],
        )
        return cls(at, t_row[relevant_rows], x, y, *left, typical)

    def mean(self, precision: Float64) -> float:
        """Σ weight · precision; rows at which nothing else is accepted take the precision of the
        next row at which something is.
        """
        has_accepted = self.accepted > 0
        if not has_accepted.any():
            return math.nan
        is_next = has_accepted & (self.block == self.block[has_accepted].min())
        following = inner(self.weight[is_next], precision[is_next]) / float(
            self.weight[is_next].sum()
        )
        return inner(self.weight, np.where(has_accepted, precision, following))

    def precision(self, unseen: float = 0.0, corrected: bool = True) -> Float64:
        """X / Y with `unseen` other cases above; if `corrected`, without its second-order bias.

        The bias is B = (P Σ a² - Σ a t) / Y². A positive one is taken off as X / (Y + D) with
        D = B Y² / X; a negative one likewise from 1 - P. So values stay within 0 and 1.
        """
        x, y = self.relevant, self.accepted
        with np.errstate(invalid="ignore", divide="ignore"):
            plain = x / y
            if not corrected:
                return np.where(x > 0, plain, 0.0)
            with_unseen = x / (y + unseen * self.typical)
            more = (with_unseen * (self.squares + unseen * self.typical**2) - self.products) / x
            bias = np.minimum((plain * self.squares - self.products) / y**2, 0.0)
            below = 1 - np.where(plain < 1, (1 - plain) ** 2 / (1 - plain - bias), 0.0)
            return np.where(x > 0, np.where(more >= 0, x / (y + more), below), 0.0)


def _typical_above(blocks: Blocks, squares: Float64) -> float:
    """Σ o² / Σ o over the other cases above the median relevant one; `squares` are running sums."""
    half = np.searchsorted(np.cumsum(blocks.positive), (blocks.relevant - blocks.missed) / 2)
    median = max(int(half), int(np.argmax(blocks.fp > 0)))
    return float(squares[median] / blocks.fp[median])


def _leave_out(
    blocks: Blocks,
    cases: Cases,
    block: Int64,
    own: tuple[Float64, Float64],
    count: tuple[Float64, Float64],
) -> tuple[Float64, Float64]:
    """Relevant weight and all weight at or above each block, without the weights `own` of `count`
    cases.

    If no other cases are left it is exactly 0, without rounding errors.
    """
    sums = blocks.tp[block], (blocks.tp + blocks.fp)[block]
    kinds = cases.block[cases.relevant], cases.block
    numbers = (
        np.cumsum(np.bincount(kind, minlength=len(blocks.positive)))[block] for kind in kinds
    )
    x, y = (
        np.where(number > own_count, np.maximum(total - own_weight, 0.0), 0.0)
        for total, own_weight, number, own_count in zip(sums, own, numbers, count, strict=True)
    )
    return x, y


class Ranked(NamedTuple):
    """The index of every item's block, best first, from 0; and the counts of the blocks."""

    block: Int64
    counts: Blocks


def rank_items(
    relevant: Bool, score: object, weight: Float64 | None = None, missed: int | float = 0
) -> Ranked:
    """The blocks of items by their scores; with real weights the blocks hold sums of weights."""
    score = np.asarray(score)
    if score.dtype != np.float32:
        score = score.astype(np.float64, copy=False)
    relevant, score = np.ascontiguousarray(relevant), np.ascontiguousarray(score)
    block, hits, others, _ = kernel().blocks(relevant, score, thread_count())
    if weight is None:
        return Ranked(block, Blocks(hits, others, missed))
    if len(hits) == len(relevant):
        # Without ties there are no sums, so their order does not matter.
        positive, negative = kinds_of_groups(relevant, weight, block, len(hits))
    else:
        # Summed in the same order as for a curve, so that the areas are equal to the last digit.
        _, positive, negative, _ = kernel().weigh(relevant, score, weight, thread_count(), False)
    return Ranked(block, Blocks(positive, negative, missed, True, Cases(block, relevant, weight)))


def ranked_by_topic(relevant: Bool, score: object, topic: Int64) -> Ranked:
    """The blocks of items of several topics, numbered from 0; blocks follow one another topic by
    topic.
    """
    rank = rank_items(relevant, score).block
    block = np.unique(topic * (int(rank.max()) + 1) + rank, return_inverse=True)[1]
    hits, others = (
        np.bincount(block[relevant == kind], minlength=int(block.max()) + 1)
        for kind in (True, False)
    )
    return Ranked(block, Blocks(hits, others))


def precision_influence(relevant: Bool, ranking: Ranked) -> tuple[float, Float64]:
    """AP, and the influence of every item on it.

    The influences add up to 0, their squares to the variance of AP.
    """
    influences = average_precision(ranking.counts)
    return influences.value, spread_over_items(
        relevant, ranking.block, influences.positive, influences.negative
    )


def roc_influence(
    relevant: Bool, ranking: Ranked, part: float | None = None
) -> tuple[float, Float64]:
    """Area under ROC, and DeLong's component of every item: the share of the other class relative
    to which it is ranked correctly; ties count half.
    """
    area, shares = components(ranking.counts, part)
    return area, spread_over_items(relevant, ranking.block, *shares.whole())


def roc_influences(relevant: Bool, ranking: Ranked, topic: Int64) -> tuple[Float64, Float64]:
    """Area under ROC of every topic, and DeLong's components of its items.

    Items must be ranked by topic, and every topic must have items of both classes.
    """
    hits, others = ranking.counts.positive, ranking.counts.negative
    of_block = np.empty(len(hits), np.int64)
    of_block[ranking.block] = topic
    # Totals of each topic; running sums start again at the first block of each.
    totals = [np.bincount(of_block, weights=counts).astype(np.int64) for counts in (hits, others)]
    tp, fp = (
        np.cumsum(counts) - (np.cumsum(total) - total)[of_block]
        for counts, total in zip((hits, others), totals, strict=True)
    )
    relevants, rest = (total[of_block] for total in totals)
    won = rest - fp + others / 2
    area = np.bincount(of_block, weights=hits * won) / (totals[0] * totals[1])
    return area, spread_over_items(relevant, ranking.block, won / rest, (tp - hits / 2) / relevants)


def spread_over_items(
    relevant: Bool, block: Int64, positive: Float64, negative: Float64
) -> Float64:
    """Values per block of relevant and of other items, as one value per item."""
    values = negative.take(block)
    hits = np.flatnonzero(relevant)
    values[hits] = positive.take(block.take(hits))
    return values
