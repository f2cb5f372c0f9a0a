"""What one case more or less does to a measure of a scored list, and the variance that follows.

A measure T of weighted cases has the influence U_j = ∂T/∂w_j. If T does not change when all weights
are multiplied, Σ w_j U_j = 0 and the variance of T over samples of cases is about Σ w_j U_j². Cases
of one block and label have the same influence, so that two numbers per block are all there is to
compute. Of items one by one the same is known by the block that each stands in.
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
    """A measure's value, and the influence of a missed item, and of a relevant and of another case
    of each block.
    """

    value: float
    missed: float
    parts: CountsByPart

    @cached_property
    def positive(self) -> Float64:
        """Of a relevant case of each block."""
        return self.parts.whole()[0]

    @cached_property
    def negative(self) -> Float64:
        """Of another case of each block."""
        return self.parts.whole()[1]


def path_of(blocks: Blocks) -> Ranks:
    """As areas take them: a value of blocks is theirs, to the last digit."""
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
    value = step_under(path_of(blocks))
    return Influence(
        value, -value / blocks.relevant, CountsByPart(blocks, partial(_of_precision, blocks, value))
    )


def _of_precision(blocks: Blocks, value: float) -> Iterator[Part]:
    # Summed from the last block up; the relevant cases' sum of FP/A² is that of 1/A less that of
    # TP/A².
    relevant, below, above = blocks.relevant, np.zeros(1), np.zeros(1)
    for rows, tp, fp in blocks.parts(upwards=True):
        accepted = tp + fp
        share, rate = tp / accepted, blocks.positive[rows] / accepted
        # On top of what is further down.
        own = rate * share
        own[-1] += below[0]
        rate[-1] += above[0]
        below, above = own[::-1].cumsum()[::-1], rate[::-1].cumsum()[::-1]
        yield rows, (share - value + (above - below)) / relevant, -below / relevant


def area_under_roc(blocks: Blocks, part: float | None = None) -> Influence:
    """Area under the ROC curve, or its `part` up to a false positive rate: DeLong's components,
    over the number of cases.

    A relevant case wins against the other cases below its block and half of those in it; its
    influence is (share won - AUC) / R; likewise another case by the relevant cases above it. A
    missed item wins nothing.

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
    """DeLong's components: the share of the other kind that is right to a relevant, and to another
    case.
    """
    for rows, tp, fp in blocks.parts():
        own, other = (
            0.5 * part[rows].astype(np.float64) for part in (blocks.positive, blocks.negative)
        )
        yield rows, (blocks.other - (fp - other)) / blocks.other, (tp - own) / blocks.relevant


def components(blocks: Blocks, part: float | None = None) -> tuple[float, CountsByPart]:
    """The area and DeLong's components per block, of the whole area or of its part up to a false
    positive rate.

    Of a part (Zhang et al. 2002; He & Escobar 2010): with t the rate, a relevant case has by how
    much the share of others above it is less than t; another case the share of relevant ones above
    it, but no more than the height h of the curve at t, less (1 - t) h, as another case more moves
    the place where t is reached. The curve runs straight through blocks; where it rises at t
    itself, h is the mean of both ends. Either kind has the area as its mean.
    """
    if part is None:
        return under_roc(path_of(blocks)), CountsByPart(blocks, partial(_shares, blocks))
    own, other = (
        np.asarray(each).astype(np.float64) for each in (blocks.positive, blocks.negative)
    )
    tp, fp, limit = np.cumsum(own), np.cumsum(other), part * blocks.other
    if blocks.negative.dtype.kind == "i" and abs(limit - round(limit)) < 1e-9 * limit:
        limit = float(round(limit))  # .1 of 30 is 3, not a little more
    above, room = tp - own, limit - (fp - other)
    # How much of a block's other cases lies within.
    share = np.divide(
        np.clip(room, 0.0, other), other, out=(room > 0).astype(np.float64), where=other > 0
    )
    won = share * (room - share * other / 2) / blocks.other
    first = min(int(np.searchsorted(fp, limit)), len(fp) - 1)
    height = above[first] + share[first] * own[first]
    if fp[first] == limit:
        height = (height + tp[np.searchsorted(fp, limit, "right") - 1]) / 2
    lost = (share * (above + share * own / 2 - height) + part * height) / blocks.relevant
    return part_under_roc(path_of(blocks), part), CountsByPart.of(blocks, won, lost)


def variance(blocks: Blocks, influences: Influence, stratified: bool) -> float:
    """Variance of the measure over samples of cases; where `stratified`, with the numbers of both
    kinds fixed beforehand.

    Of cases in groups the influences of a group are added before they are squared. The factor R /
    (R - 1) of the scarcer kind stands in for the degree of freedom that the value itself has used;
    for groups Bell & McCaffrey's (2002) does.
    """
    cases = blocks.cases
    if cases is not None and cases.group is not None:
        return summed(per_case(blocks, influences), cases.relevant, cases.weight, cases.group)
    of_positive, of_negative = of_kinds(blocks, influences)
    some, others = (max(size, 1 + 1e-9) for size in blocks.sizes())
    if not stratified:
        least = min(some, others)
        return (of_positive + of_negative) * least / (least - 1)
    sums = (inner(blocks.positive[rows], each) for rows, each, _ in influences.parts)
    lead = math.fsum(sums) + blocks.missed * influences.missed
    of_positive -= lead**2 / some
    of_negative -= lead**2 / others
    return of_positive * some / (some - 1) + of_negative * others / (others - 1)


def of_kinds(blocks: Blocks, influences: Influence) -> tuple[float, float]:
    """Squared influences, summed over the relevant cases and over the others."""
    sums = []
    for rows, of_relevant, of_other in influences.parts:
        positive, negative = blocks.squares(rows)
        sums.append((inner(positive, of_relevant**2), inner(negative, of_other**2)))
    of_positive, of_negative = map(math.fsum, zip(*sums, strict=True))
    return of_positive + blocks.missed * influences.missed**2, of_negative


def sums_of_groups(each: Float64, relevant: Bool, weight: Float64, group: Int64) -> Float64:
    """Influences of every group, added up: their squares add up to the variance.

    A group draws the value towards itself by its share h of its kind's cases: 1 / √(1 - h) makes up
    for it.
    """
    groups = int(group.max(initial=-1)) + 1
    kind = kinds_of_groups(relevant, weight, group, groups)
    left = np.maximum(1 - kind / np.maximum(kind.sum(axis=1, keepdims=True), 1e-300), 1 / groups)
    lever = np.sqrt(left)[np.where(relevant, 0, 1), group]
    return np.bincount(group, weights=each / lever, minlength=groups).astype(np.float64)


def freedom_of_groups(sums: Float64, effective: float) -> float:
    """Degrees of freedom of a variance over groups: half of Satterthwaite's, but no more than those
    of even groups.

    Of groups whose influences add up to z Satterthwaite's are 2 / (Σ z⁴ / (Σ z²)² - 1 / G), which
    is G for normal ones. Half of that was chosen by simulation (docs/why/intervals.md), as few
    groups hardly show how heavy the tails are.
    """
    # Over the greatest, as their fourth powers can be too small for a number.
    squares = (sums / max(float(np.abs(sums).max(initial=0.0)), 1e-300)) ** 2
    excess = inner(squares, squares) / max(float(squares.sum()) ** 2, 1e-300) - 1 / max(
        len(squares), 1
    )
    return max(min(1 / excess if excess > 0 else math.inf, effective - 1), 1.0)


def summed(each: Float64, relevant: Bool, weight: Float64, group: Int64) -> float:
    """Variance of a sum over cases that come in groups."""
    sums = sums_of_groups(each, relevant, weight, group)
    return inner(sums, sums)


def obuchowski(each: Float64, relevant: Bool, group: Int64) -> float:
    """Obuchowski's (1997) variance of an area, of its cases' influences: S10 / m + S01 / n + 2 S11
    / (m n).

    Influences of a group are added for either kind; their squares count I / (I - 1) times, I the
    groups that have any of the kind, and products of the two as often, I all groups. NaN where one
    group has all cases of a kind.
    """
    groups = int(group.max(initial=-1)) + 1
    sums = [
        np.bincount(group[kind], weights=each[kind], minlength=groups)
        for kind in (relevant, ~relevant)
    ]
    held = [len(np.unique(group[kind])) for kind in (relevant, ~relevant)]
    if min(held) < 2:
        return float("nan")
    squares = [inner(part, part) * size / (size - 1) for part, size in zip(sums, held, strict=True)]
    return math.fsum((*squares, 2 * inner(*sums) * groups / (groups - 1)))


def per_case(blocks: Blocks, influences: Influence) -> Float64:
    """Weight times influence of every case, in the order of `blocks.cases`."""
    cases = blocks.cases
    assert cases is not None
    positive, negative = influences.positive[cases.block], influences.negative[cases.block]
    return np.asarray(cases.weight * np.where(cases.relevant, positive, negative))


def third_power(blocks: Blocks, influences: Influence) -> float:
    """A sixth of the skewness of the influences of cases, or of groups: BCa's acceleration."""
    each = np.concatenate((influences.positive, influences.negative, [influences.missed]))
    times = np.concatenate((blocks.positive, blocks.negative, [blocks.missed]))
    if blocks.cases is not None:
        weighed, group = per_case(blocks, influences), blocks.cases.group
        summed = (
            weighed
            if group is None
            else np.bincount(group, weights=weighed, minlength=blocks.groups())
        )
        each = np.append(summed, influences.missed)
        times = np.append(np.ones(len(summed)), blocks.missed)
    return acceleration(each, times)


def bias(blocks: Blocks, stratified: bool) -> float:
    """How much average precision exceeds the value that it estimates, to second order.

    Every relevant case counts in the precision at its own rank: + positive FP / A² / R. Where the
    share π of relevant cases is itself a matter of chance, precision is a concave function of it
    above π: what that takes away is P (1 - P) (P - π) / (n π (1 - π)), averaged over the relevant
    cases.
    """
    relevant, retrieved = blocks.relevant, blocks.relevant - blocks.missed
    rate = retrieved / (retrieved + blocks.other)
    own, spread, bent = [], [], []
    for rows, hits, others in blocks.parts():
        tp, fp = hits.astype(np.float64), others.astype(np.float64)
        accepted, (positive, negative) = tp + fp, blocks.squares(rows)
        share = tp / accepted
        own.append(inner(positive, fp / accepted**2))
        spread.append(positive.sum() * (1 - rate) ** 2 + negative.sum() * rate**2)
        bent.append(inner(blocks.positive[rows], share * (1 - share) * (share - rate)))
    first = math.fsum(own) / relevant
    if stratified or not blocks.other or not retrieved:
        return first
    bend = math.fsum(spread) / (retrieved + blocks.other) ** 2 / (rate * (1 - rate)) ** 2
    return first - bend * math.fsum(bent) / relevant


class LeaveOut(NamedTuple):
    """What stands at or above relevant cases if each leaves itself out, or all of its group.

    A row is a case, or what a block or a group in a block has of cases that are alike. X / Y is the
    precision there that the others have.

    Parameters
    ----------
    block, weight : where a row stands, and its relevant weight.
    relevant, accepted : X and Y, the weights t and a of the relevant and of all cases of other
        groups, added up.
    squares, products : Σ a² and Σ a t over these groups.
    typical : weight of one more other case above, as it is met at random: Σ o² / Σ o over the other
        cases, or over those (or what groups have of them) above the median relevant case, whichever
        is more.
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
        """By groups, where cases are in groups."""
        return cls.of_groups(blocks) if blocks.grouped else cls.of_cases(blocks)

    @classmethod
    def of_cases(cls, blocks: Blocks) -> LeaveOut:
        """Each case leaves itself out, as a whole weight is so many cases."""
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
        x, y = _without(blocks, cases, block, (weight, weight), (np.ones(1), np.ones(1)))
        return cls(block, weight, x, y, every[block] - weight**2, hits[block] - weight**2, typical)

    @classmethod
    def of_groups(cls, blocks: Blocks) -> LeaveOut:
        """Each case leaves its group out."""
        cases = blocks.cases
        assert cases is not None and cases.group is not None
        group = cases.group
        # Of few bits NumPy sorts by digits.
        order = np.argsort(
            group.astype(np.uint16) if blocks.groups() <= 2**16 else group, kind="stable"
        )
        listed, block = group[order], cases.block[order]
        start = np.flatnonzero(np.append(True, (np.diff(listed) != 0) | (np.diff(block) != 0)))
        listed, block = listed[start], block[start]
        lead = np.flatnonzero(np.append(True, np.diff(listed) != 0))
        size = np.diff(np.append(lead, len(listed)))

        def in_groups(each: Float64) -> tuple[Float64, Float64]:
            """What each row has, and its group up to it."""
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
            """Σ over groups at and above a block, by what each row adds to it."""
            return np.cumsum(np.bincount(block, weights=each, minlength=len(blocks.positive)))

        squares, products = (
            running(a_row * (2 * a - a_row)),
            running(a_row * t + (a - a_row) * t_row),
        )
        clumps = running(o_row * (2 * o - o_row))
        kept = np.flatnonzero(hit)
        at = block[kept]
        x, y = _without(blocks, cases, at, (t[kept], a[kept]), (hits[kept], count[kept]))
        typical = cls.of_cases(blocks).typical
        if blocks.other:
            typical = max(typical, _typical_above(blocks, clumps))
        left = squares[at] - a[kept] ** 2, products[at] - a[kept] * t[kept]
        return cls(at, t_row[kept], x, y, *left, typical)

    def mean(self, precision: Float64) -> float:
        """Σ weight · precision; if nothing else is accepted, the precision of the next row that has
        something.
        """
        has = self.accepted > 0
        if not has.any():
            return math.nan
        there = has & (self.block == self.block[has].min())
        following = inner(self.weight[there], precision[there]) / float(self.weight[there].sum())
        return inner(self.weight, np.where(has, precision, following))

    def precision(self, unseen: float = 0.0, corrected: bool = True) -> Float64:
        """X / Y; if `corrected` less its bias to second order, B = (P Σ a² - Σ a t) / Y², with so
        many unseen cases above.

        A bias above 0 is taken off as X / (Y + D), D = B Y² / X, and one below 0 likewise off 1 -
        P, so that values stay within 0 and 1.
        """
        x, y = self.relevant, self.accepted
        with np.errstate(invalid="ignore", divide="ignore"):
            plain = x / y
            if not corrected:
                return np.where(x > 0, plain, 0.0)
            far = x / (y + unseen * self.typical)
            more = (far * (self.squares + unseen * self.typical**2) - self.products) / x
            bias = np.minimum((plain * self.squares - self.products) / y**2, 0.0)
            below = 1 - np.where(plain < 1, (1 - plain) ** 2 / (1 - plain - bias), 0.0)
            return np.where(x > 0, np.where(more >= 0, x / (y + more), below), 0.0)


def _typical_above(blocks: Blocks, squares: Float64) -> float:
    """Σ o² / Σ o over the other cases above the median relevant one; `squares` are running sums."""
    half = np.searchsorted(np.cumsum(blocks.positive), (blocks.relevant - blocks.missed) / 2)
    median = max(int(half), int(np.argmax(blocks.fp > 0)))
    return float(squares[median] / blocks.fp[median])


def _without(
    blocks: Blocks,
    cases: Cases,
    block: Int64,
    own: tuple[Float64, Float64],
    count: tuple[Float64, Float64],
) -> tuple[Float64, Float64]:
    """Relevant weight and all weight at or above blocks without what is one's own, of which there
    are so many cases.

    If there are no other cases that is 0, and not what rounding leaves.
    """
    sums = blocks.tp[block], (blocks.tp + blocks.fp)[block]
    kinds = cases.block[cases.relevant], cases.block
    numbers = (
        np.cumsum(np.bincount(kind, minlength=len(blocks.positive)))[block] for kind in kinds
    )
    x, y = (
        np.where(number > few, np.maximum(all_of_it - some, 0.0), 0.0)
        for all_of_it, some, number, few in zip(sums, own, numbers, count, strict=True)
    )
    return x, y


class Ranked(NamedTuple):
    """The place of every item's block, best first, from 0; and what the blocks hold."""

    block: Int64
    counts: Blocks


def ranked(
    relevant: Bool, score: Any, weight: Float64 | None = None, missed: int | float = 0
) -> Ranked:
    """Where items stand by their scores; with real weights blocks hold their sums."""
    score = np.asarray(score)
    if score.dtype != np.float32:
        score = score.astype(np.float64, copy=False)
    relevant, score = np.ascontiguousarray(relevant), np.ascontiguousarray(score)
    block, hits, others, _ = kernel().blocks(relevant, score, thread_count())
    if weight is None:
        return Ranked(block, Blocks(hits, others, missed))
    if len(hits) == len(relevant):
        # Without ties there is nothing to add up, and so no order.
        positive, negative = kinds_of_groups(relevant, weight, block, len(hits))
    else:
        # Summed as a curve does, so that areas are its own.
        _, positive, negative, _ = kernel().weigh(relevant, score, weight, thread_count(), False)
    return Ranked(block, Blocks(positive, negative, missed, True, Cases(block, relevant, weight)))


def ranked_by_topic(relevant: Bool, score: Any, topic: Int64) -> Ranked:
    """The same of items of several topics, numbered from 0: their blocks follow one another topic
    by topic.
    """
    rank = ranked(relevant, score).block
    block = np.unique(topic * (int(rank.max()) + 1) + rank, return_inverse=True)[1]
    hits, others = (
        np.bincount(block[relevant == kind], minlength=int(block.max()) + 1)
        for kind in (True, False)
    )
    return Ranked(block, Blocks(hits, others))


def precision_influence(relevant: Bool, place: Ranked) -> tuple[float, Float64]:
    """AP, and the influence of every item on it; influences add up to 0, their squares to the
    variance of AP.
    """
    influences = average_precision(place.counts)
    return influences.value, _of_items(
        relevant, place.block, influences.positive, influences.negative
    )


def roc_influence(
    relevant: Bool, place: Ranked, part: float | None = None
) -> tuple[float, Float64]:
    """Area under ROC, and DeLong's component of every item: the share of the other class that it
    stands right to; ties half.
    """
    area, shares = components(place.counts, part)
    return area, _of_items(relevant, place.block, *shares.whole())


def roc_influences(relevant: Bool, place: Ranked, topic: Int64) -> tuple[Float64, Float64]:
    """The same of every topic by itself, of items ranked by topic: each has items of both
    classes.
    """
    hits, others = place.counts.positive, place.counts.negative
    of_block = np.empty(len(hits), np.int64)
    of_block[place.block] = topic
    # Of all topics, and what stands above the first block of each.
    every = [np.bincount(of_block, weights=part).astype(np.int64) for part in (hits, others)]
    tp, fp = (
        np.cumsum(part) - (np.cumsum(total) - total)[of_block]
        for part, total in zip((hits, others), every, strict=True)
    )
    relevants, rest = (total[of_block] for total in every)
    won = rest - fp + others / 2
    area = np.bincount(of_block, weights=hits * won) / (every[0] * every[1])
    return area, _of_items(relevant, place.block, won / rest, (tp - hits / 2) / relevants)


def _of_items(relevant: Bool, block: Int64, positive: Float64, negative: Float64) -> Float64:
    """What the blocks say of relevant and of other items, for every item."""
    values = negative.take(block)
    hits = np.flatnonzero(relevant)
    values[hits] = positive.take(block.take(hits))
    return values
