"""Two scored lists of the same items: what is measured of them, and how much the difference varies.

Items may have weights, each as a part of a sample that stands for more, and come in groups; some
relevant items may stand in neither list. Every one of them has its influence on the difference, and
influences say how that varies.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from precall.core.errors import DataError, Problem
from precall.core.ragged import Bool, Float64, Int64
from precall.stats import influence
from precall.stats.blocks import Blocks, Cases, effective_groups, inner
from precall.stats.influence import Ranked, precision_influence, ranked, roc_influence
from precall.stats.intervals.areas import Precision
from precall.stats.tests import tops
from precall.stats.tests.exchange import Exchange, exchange
from precall.stats.tests.order import UInt64, codes, codes_of_groups
from precall.stats.tests.paired import midranks
from precall.stats.tests.tops import Valued

#: As of intervals: with effectively fewer groups Student's distribution is rough
#: (docs/how-to/intervals.md).
_FEW_GROUPS = 8


class Asked(NamedTuple):
    """What is measured of a list: "AP", "AUC" or a part of it, or "P" or "R" of the first ranks.

    A part is the area up to this false positive rate, by `mcclish` moved to .5 (chance) .. 1.
    """

    name: str
    label: str
    cutoff: int | None = None
    part: float | None = None
    mcclish: bool = False

    @classmethod
    def of(cls, measure: str, part: tuple[float, bool] | None) -> Asked:
        """By the name of a measure, which is that of an area where there is a part."""
        if part is not None:
            return cls("AUC", measure, None, *part)
        return cls(*tops.parsed(measure)[:1], measure, tops.parsed(measure)[1])

    @property
    def scale(self) -> float:
        """What an area is multiplied by."""
        return 0.5 / (self.part - self.part**2 / 2) if self.mcclish and self.part else 1.0

    def value(self, area: float) -> float:
        """As it is asked for."""
        if not self.mcclish or not self.part:
            return area
        return 0.5 + self.scale * (area - self.part**2 / 2)


class Items(NamedTuple):
    """Items by either score; `weight` is of sampled ones (None: all weigh 1), `missed` relevant
    ones are in neither list.
    """

    relevant: Bool
    first: Any
    second: Any
    group: Int64 | None = None
    weight: Float64 | None = None
    missed: int | float = 0


class Lists(NamedTuple):
    """Labels of the items of one list, where they stand by either score, and the group and weight
    of each.

    `freedom` is that of the variance: one less than the effective number of groups; without groups
    infinite. Of average precision it may be less, by `of_sums` of the groups' influences.
    """

    relevant: Bool
    first: Ranked
    second: Ranked
    group: Int64 | None
    freedom: float
    weight: Float64 | None = None
    missed: int | float = 0
    of_sums: float = math.inf

    @property
    def few_groups(self) -> tuple[int, float] | None:
        """How many groups there are, and their effective number, if these are few."""
        if self.group is None or self.freedom + 1 >= _FEW_GROUPS:
            return None
        return int(self.group.max()) + 1, self.freedom + 1

    @property
    def alike(self) -> bool:
        """Whether both order all items alike."""
        return np.array_equal(self.first.block, self.second.block)

    def turned(self) -> Lists:
        """The same with the second list first."""
        return self._replace(first=self.second, second=self.first)

    def codes(self, as_one: bool) -> UInt64:
        """A number for each item or group, or one for all: equal lists have equal ones, in whatever
        order items are listed.
        """
        items = codes(self.relevant, self.first.block, self.second.block, self.weights)
        if as_one:
            return codes_of_groups(items, np.zeros(len(items), np.int64))
        return items if self.group is None else codes_of_groups(items, self.group)

    @property
    def weights(self) -> Float64:
        """The weight of each item."""
        return np.ones(len(self.relevant)) if self.weight is None else self.weight

    def exchange(self, cutoff: int | None = None) -> Exchange:
        """How their ranks can be exchanged, for what counts up to a cutoff or for all."""
        # Ranks, halves made whole: both lists are numbered alike, whatever their ties.
        ranks = [
            np.rint(2 * midranks(side.block.astype(np.float64))).astype(np.int64)
            for side in self[1:3]
        ]
        if cutoff is not None and cutoff < len(self.relevant):
            # Whatever is exchanged, so many items come no later than this in both lists; what is
            # behind is one place.
            last = np.partition(np.maximum(ranks[0], ranks[1]), cutoff - 1)[cutoff - 1]
            ranks = [np.minimum(rank, last + 1) for rank in ranks]
        return exchange(self.relevant, ranks[0], ranks[1], self.group, self.weight)

    @property
    def uneven(self) -> bool:
        """Whether items are in groups or weigh unequally: influences then reject more often than
        exchanges.
        """
        return self.group is not None or bool(self.weight is not None and np.ptp(self.weight) > 0)

    def precisions(self) -> list[Precision]:
        """Average precision of either list, as its interval takes it."""
        found = []
        for side in (self.first, self.second):
            cases = Cases(side.block, self.relevant, self.weights, self.group).sorted()
            counts = side.counts
            found.append(
                Precision.of(
                    Blocks(counts.positive, counts.negative, counts.missed, counts.real, cases)
                )
            )
        return found

    def lone_class(self) -> bool:
        """Whether there is one item of a class, which has no variance."""
        hits = int(np.count_nonzero(self.relevant))
        return 1 in (hits + self.missed, len(self.relevant) - hits)


def lists_of(items: Items, topics: Int64 | None) -> tuple[list[Lists], int]:
    """The lists that have both classes, and how many have not."""
    relevant = items.relevant
    every: list[Any] = [slice(None)] if len(relevant) else []
    if topics is not None:
        every = [np.flatnonzero(topics == topic) for topic in np.unique(topics).tolist()]
    kept = [rows for rows in every if 0 < np.count_nonzero(relevant[rows]) < len(relevant[rows])]
    check_both(len(kept), relevant)
    # Groups, weights and missed items are of one list: there are no topics then.
    group, weight, missed = items[3:]
    freedom = math.inf
    if group is not None:
        ones = np.ones(len(relevant)) if weight is None else weight
        freedom = effective_groups(relevant, ones, group) - 1
    lists = []
    for some, rows in ((relevant[rows], rows) for rows in kept):
        first, second = (
            ranked(some, score[rows], weight, missed) for score in (items.first, items.second)
        )
        lists.append(Lists(some, first, second, group, freedom, weight, missed))
    return lists, len(every) - len(kept)


def check_both(lists: int, relevant: Bool) -> None:
    """Refuse items of one class only."""
    if not lists:
        what = (
            f"{'every' if relevant.any() else 'no'} item is relevant, a comparison needs relevant "
            "and other items"
        )
        raise DataError(
            [Problem("relevant", None, what, "check the labels, or say which is positive")]
        )


def influences(lists: Lists, asked: Asked) -> list[Valued]:
    """For either list its value, and what each item has to do with it."""
    sides = (lists.first, lists.second)
    if asked.cutoff is not None:
        return tops.values(lists.relevant, sides, asked.name, asked.cutoff, lists.missed)
    if asked.name == "AP":
        return [precision_influence(lists.relevant, place) for place in sides]
    return [roc_influence(lists.relevant, place, asked.part) for place in sides]


def variance(lists: Lists, valued: list[Valued], asked: Asked, test: str | None = None) -> float:
    """Of the difference: DeLong's for areas; for AP the sum of squared differences of influence; of
    sums over groups.

    By "obuchowski" her own of groups. Of weights w the influences count w times; a missed item has
    its influence, too.
    """
    differences, relevant = valued[0][1] - valued[1][1], lists.relevant
    difference = valued[0][0] - valued[1][0]
    if asked.cutoff is not None and lists.group is None:
        in_tops = differences_in_tops(lists, asked.cutoff)
        return tops.variance(relevant, in_tops, asked.name, asked.cutoff, difference, lists.missed)
    of_area = asked.name == "AUC"
    if lists.lone_class() and lists.group is None:
        return math.nan
    if lists.group is None and lists.weight is None and not lists.missed:
        if not of_area:
            return inner(differences, differences)
        classes = [differences[relevant], differences[~relevant]]
        return math.fsum(part.var(ddof=1) / len(part) for part in classes)
    if of_area:
        for kind, whole in (
            (relevant, lists.first.counts.relevant),
            (~relevant, lists.first.counts.other),
        ):
            differences[kind] = (differences[kind] - difference) / whole
    each = differences if lists.weight is None else differences * lists.weight
    if lists.group is not None:
        if test == "obuchowski":
            return influence.obuchowski(each, relevant, lists.group)
        return influence.summed(each, relevant, lists.weights, lists.group)
    of_missed = lists.missed * (difference / lists.first.counts.relevant) ** 2
    if not of_area:
        return inner(each, each) + of_missed
    squares = [inner(each[kind], each[kind]) for kind in (relevant, ~relevant)]
    squares[0] += of_missed
    sizes = lists.first.counts.sizes()
    parts = zip(squares, sizes, strict=True)
    return math.fsum(square * size / (size - 1) for square, size in parts)


def sums_of_differences(lists: Lists, valued: list[Valued]) -> Float64:
    """Differences of influence of groups, as the variance squares them."""
    assert lists.group is not None
    each = (valued[0][1] - valued[1][1]) * lists.weights
    return influence.sums_of_groups(each, lists.relevant, lists.weights, lists.group)


def mover(
    lists: Lists, valued: list[Valued], pair: list[Precision], level: float
) -> tuple[float, float]:
    """Interval of a difference of average precisions from the intervals of both (Zou & Donner
    2008).

    It knows how they go together by the correlation of their influences, of items or groups.
    """
    sums: list[Float64] = [part * lists.weights for _, part in valued]
    if lists.group is not None:
        sums = [np.bincount(lists.group, weights=part).astype(np.float64) for part in sums]
    (first, low_a, high_a), (second, low_b, high_b) = (
        (each.value, *each.bounds(level)) for each in pair
    )
    of_missed = lists.missed / lists.first.counts.relevant**2
    squares = [
        inner(part, part) + of_missed * value[0] ** 2
        for part, value in zip(sums, valued, strict=True)
    ]
    product = inner(*sums) + of_missed * valued[0][0] * valued[1][0]
    both = math.sqrt(squares[0]) * math.sqrt(squares[1])
    alike = min(max(product / both, -1.0), 1.0) if both else 0.0

    def half(one: float, other: float) -> float:
        return math.sqrt(max(one * one + other * other - 2 * alike * one * other, 0.0))

    difference = first - second
    return (
        difference - half(first - low_a, high_b - second),
        difference + half(high_a - first, second - low_b),
    )


def differences_in_tops(lists: Lists, cutoff: int) -> Float64:
    """How much more each item is in the first list's top."""
    return tops.shares(lists.first, cutoff) - tops.shares(lists.second, cutoff)


def areas_of_topics(
    items: Items, topics: Int64
) -> tuple[list[Lists], int, list[list[float]], float]:
    """Topics that have both classes as one list, how many have not, their areas by either score,
    and the sum of variances.

    What `lists_of`, `influences` and `variance` say of each topic by itself, of all at once.
    """
    relevant = items.relevant
    hits, size = (
        np.bincount(part, minlength=int(topics.max(initial=-1)) + 1)
        for part in (topics[relevant], topics)
    )
    kept = (hits > 0) & (hits < size)
    check_both(int(kept.sum()), relevant)
    rows = np.flatnonzero(kept[topics])
    relevant, topic = relevant[rows], (np.cumsum(kept) - 1)[topics[rows]]
    sides = [
        influence.ranked_by_topic(relevant, score[rows], topic)
        for score in (items.first, items.second)
    ]
    (first, of_first), (second, of_second) = (
        influence.roc_influences(relevant, side, topic) for side in sides
    )
    difference, kind = of_first - of_second, 2 * topic + relevant
    number = np.bincount(kind)
    away = difference - (np.bincount(kind, difference) / number)[kind]
    with np.errstate(invalid="ignore"):
        # One item of a class has no variance.
        variances = np.bincount(kind, away**2) / (number - 1) / number
    return (
        [Lists(relevant, sides[0], sides[1], None, math.inf)],
        int(np.count_nonzero(size)) - len(first),
        [first.tolist(), second.tolist()],
        math.fsum(variances),
    )
