"""Two scored lists of the same items: values of a measure, and the variance of their difference.

Items may have weights, if each stands for several items that were not sampled, and may come in
groups. Some relevant items may be in neither list. Every item has an influence on the difference,
and the influences give its variance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from precall.core.arguments import check_level, check_whole, choose
from precall.core.errors import Among, Fact, Mistake, UsageError
from precall.core.methods import Method
from precall.core.notes import Note
from precall.core.notes.of_comparisons import (
    BothTooHigh,
    FewHeavyItems,
    InfluenceByDefault,
    IntervalByMover,
    LeastOfExchanges,
    NarrowAtRank,
    OneClassTopics,
    RareHits,
    RoughBounds,
    RoughOfClass,
    RoughOfGroups,
    RoughOfPart,
    SameOrder,
    UndefinedP,
    UnlikeBiases,
)
from precall.core.notes.of_intervals import FewGroups
from precall.core.ragged import Bool, Float64, Int64, mean
from precall.core.rng import Rng, generator_and_seed
from precall.core.text import many
from precall.location.hits import ceiling_of_one
from precall.measures import Measure
from precall.measures.registry import find
from precall.stats import influence, quantiles
from precall.stats.blocks import Blocks, Cases, effective_groups, inner
from precall.stats.influence import Ranked, precision_influence, rank_items, roc_influence
from precall.stats.intervals.areas import PrecisionWithBounds
from precall.stats.intervals.at_levels import is_at_level, is_at_rank, is_of_place
from precall.stats.intervals.mover import WithBounds, on_ellipse
from precall.stats.intervals.mover import mover as bounds_by_mover
from precall.stats.list_influences import has_one_item
from precall.stats.resample.batches import TOLERANCE, p_of_samples
from precall.stats.resample.bootstrap import notes_on_level
from precall.stats.resample.resampling import WeightedCases, areas
from precall.stats.scipy import special
from precall.stats.skewness import keep_if_concerned, remark
from precall.stats.tests import (
    ELSEWHERE,
    INSTEAD,
    OF_LISTS,
    OF_NUMBERS,
    OF_ONE_ITEM,
    OF_PARTS,
    OF_TOPS,
    list_numbers,
    tops,
)
from precall.stats.tests.comparisons import Comparison, bounds, notes_on_bounds
from precall.stats.tests.exchange import Exchange, exchange, p_of_exchanges
from precall.stats.tests.list_numbers import ListValue
from precall.stats.tests.order import (
    UInt64,
    bounds_in_call_order,
    codes,
    codes_of_groups,
    is_second_first,
)
from precall.stats.tests.paired import Result, midranks
from precall.stats.tests.signflip import LEAST
from precall.stats.tests.tops import Valued

if TYPE_CHECKING:
    import numpy.typing as npt

#: With a smaller effective number of groups Student's distribution is a rough approximation, as for
#: intervals (docs/how-to/intervals.md).
_FEW_GROUPS = 8


class MeasureOfList(NamedTuple):
    """A measure of a list: "AP", "AUC" or a part of it, or "P" or "R" of the first ranks.

    A part is the area up to the false positive rate `part`; with `mcclish` it is rescaled to .5
    (chance) .. 1. Gini is the area rescaled to -1 .. 1. Any other measure of a list is its
    `number`.
    """

    name: str
    label: str
    cutoff: int | None = None
    part: float | None = None
    mcclish: bool = False
    number: Measure | None = None
    gini: bool = False

    @classmethod
    def of(
        cls, measure: str, part: tuple[float, bool] | None, number: Measure | None = None
    ) -> MeasureOfList:
        """The measure of this name; if there is a part, it is an area."""
        if number is not None:
            return cls("number", number.name, number=number)
        if part is not None:
            return cls("AUC", measure, None, *part)
        if tops.is_gini(measure):
            return cls("AUC", measure, gini=True)
        return cls(*tops.parse_measure(measure)[:1], measure, tops.parse_measure(measure)[1])

    @property
    def is_of_one_item(self) -> bool:
        """Whether a single item decides the value, so that a difference has no interval."""
        return self.number is not None and has_one_item(self.number)

    @property
    def is_at_level(self) -> bool:
        """Whether the value is at a level of recall or precision, and no single item decides it."""
        return self.number is not None and is_at_level(self.number) and not self.is_of_one_item

    @property
    def is_at_rank(self) -> bool:
        """Whether the value is precision, recall or enrichment in the first ranks."""
        return self.cutoff is not None or (self.number is not None and is_at_rank(self.number))

    @property
    def most(self) -> float:
        """The greatest difference of two values, if it is known."""
        if self.gini:
            return 2.0
        return 1.0 if self.number is None or self.number.declaration.range == (0, 1) else math.inf

    @property
    def needs_order(self) -> bool:
        """Whether the value depends on the order of equal scores: it is the mean over orders."""
        return self.cutoff is not None or (self.number is not None and not self.number.has_blocks)

    @property
    def higher_is_better(self) -> bool:
        """Whether high values are good."""
        return self.number is None or self.number.declaration.direction > 0

    @property
    def scale(self) -> float:
        """The factor between an area and the value."""
        if self.gini:
            return 2.0
        return 0.5 / (self.part - self.part**2 / 2) if self.mcclish and self.part else 1.0

    def value(self, area: float) -> float:
        """The value for an area: rescaled if `mcclish` or `gini`."""
        if self.gini:
            return 2 * area - 1
        if not self.mcclish or not self.part:
            return area
        return 0.5 + self.scale * (area - self.part**2 / 2)


class ItemLists(NamedTuple):
    """Items with two scores each.

    `weight` is None if all weigh 1; `missed` is the number of relevant items in neither list.
    """

    relevant: Bool
    first: npt.NDArray[Any]
    second: npt.NDArray[Any]
    group: Int64 | None = None
    weight: Float64 | None = None
    missed: int | float = 0


class Lists(NamedTuple):
    """Items of one topic: their labels, their ranking by either score, their groups and weights.

    `freedom` has the degrees of freedom of the variance: the effective number of groups minus one;
    infinite without groups. `of_sums` has those from the groups' influences on average precision,
    which may be fewer.
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
        """The number of groups and their effective number if the latter is small, else None."""
        if self.group is None or self.freedom + 1 >= _FEW_GROUPS:
            return None
        return int(self.group.max()) + 1, self.freedom + 1

    @property
    def has_same_order(self) -> bool:
        """Whether both scores order all items alike."""
        return np.array_equal(self.first.block, self.second.block)

    def swap(self) -> Lists:
        """These lists with the second one first."""
        return self._replace(first=self.second, second=self.first)

    def codes(self, as_one: bool) -> UInt64:
        """A number for each item or group, or a single one if `as_one`.

        Equal lists have equal numbers, in whatever order their items are listed.
        """
        items = codes(self.relevant, self.first.block, self.second.block, self.weights)
        if as_one:
            return codes_of_groups(items, np.zeros(len(items), np.int64))
        return items if self.group is None else codes_of_groups(items, self.group)

    @property
    def weights(self) -> Float64:
        """The weight of each item."""
        return np.ones(len(self.relevant)) if self.weight is None else self.weight

    def exchange_lists(self) -> list_numbers.ListPair:
        """The possible exchanges, for any number of the lists."""
        blocks = self.first.block, self.second.block
        units = self.codes(as_one=False)
        return list_numbers.ListPair.of(
            self.relevant, blocks, units, self.group, self.weight, self.missed
        )

    def exchange(self, cutoff: int | None = None) -> Exchange:
        """The possible exchanges of ranks between both lists, up to a cutoff or for all ranks."""
        # Midranks are doubled to be integers: equal ranks of both lists have equal numbers,
        # whatever their ties.
        ranks = [
            np.rint(2 * midranks(side.block.astype(np.float64))).astype(np.int64)
            for side in self[1:3]
        ]
        if cutoff is not None and cutoff < len(self.relevant):
            # Whatever is exchanged, `cutoff` items have at most the rank `last` in both lists. All
            # later ranks count as one.
            last = np.partition(np.maximum(ranks[0], ranks[1]), cutoff - 1)[cutoff - 1]
            ranks = [np.minimum(rank, last + 1) for rank in ranks]
        return exchange(self.relevant, ranks[0], ranks[1], self.group, self.weight)

    @property
    def is_uneven(self) -> bool:
        """Whether items are in groups or have unequal weights: influences then reject more often
        than exchanges.
        """
        return self.group is not None or bool(self.weight is not None and np.ptp(self.weight) > 0)

    def precisions(self) -> list[PrecisionWithBounds]:
        """Average precision of either list, as computed for its interval."""
        precisions = []
        for side in (self.first, self.second):
            cases = Cases(side.block, self.relevant, self.weights, self.group).sort_by_block()
            counts = side.counts
            precisions.append(
                PrecisionWithBounds.of(
                    Blocks(counts.positive, counts.negative, counts.missed, counts.real, cases)
                )
            )
        return precisions

    def lone_class(self) -> bool:
        """Whether a class has a single item, so that it has no variance."""
        hits = int(np.count_nonzero(self.relevant))
        return 1 in (hits + self.missed, len(self.relevant) - hits)


def lists_of(items: ItemLists, topics: Int64 | None) -> tuple[list[Lists], int]:
    """The lists that have both classes, and the number of lists that do not."""
    relevant = items.relevant
    rows_of_topics: list[slice | Int64] = [slice(None)] if len(relevant) else []
    if topics is not None:
        rows_of_topics = [np.flatnonzero(topics == topic) for topic in np.unique(topics).tolist()]
    kept = [
        rows
        for rows in rows_of_topics
        if 0 < np.count_nonzero(relevant[rows]) < len(relevant[rows])
    ]
    check_both(len(kept), relevant)
    # With groups, weights or missed items there is a single list, without topics.
    group, weight, missed = items[3:]
    freedom = math.inf
    if group is not None:
        ones = np.ones(len(relevant)) if weight is None else weight
        freedom = effective_groups(relevant, ones, group) - 1
    lists = []
    for labels, rows in ((relevant[rows], rows) for rows in kept):
        first, second = (
            rank_items(labels, score[rows], weight, missed) for score in (items.first, items.second)
        )
        lists.append(Lists(labels, first, second, group, freedom, weight, missed))
    return lists, len(rows_of_topics) - len(kept)


def check_both(lists: int, relevant: Bool) -> None:
    """Refuse items that are all of one class."""
    if not lists:
        raise Mistake(
            "{got} item is relevant",
            "check the labels, or name the positive one",
            got=Fact("every" if relevant.any() else "no"),
            allowed=Among("a comparison needs", ["relevant and other items"]),
        ).error("relevant")


def influences(lists: Lists, target: MeasureOfList) -> list[Valued]:
    """The value of either list, and the influence of each item on it."""
    sides = (lists.first, lists.second)
    if target.number is not None:
        return [*_numbers(lists, target.number)]
    if target.cutoff is not None:
        return tops.values(lists.relevant, sides, target.name, target.cutoff, lists.missed)
    if target.name == "AP":
        return [precision_influence(lists.relevant, side) for side in sides]
    return [roc_influence(lists.relevant, side, target.part) for side in sides]


def _numbers(lists: Lists, measure: Measure) -> list[ListValue]:
    """A number of either list, with the influence of each item on it."""
    return [
        list_numbers.number_of(lists.relevant, side, measure, lists.weight, lists.group)
        for side in (lists.first, lists.second)
    ]


def variance(
    lists: Lists, valued: list[Valued], target: MeasureOfList, test: str | None = None
) -> float:
    """Variance of the difference: DeLong's for areas; for AP the sum of squared differences of
    influences. With groups, influences are first summed over each group.

    At a rank, items in one top only do not show how many others enter or leave both tops if the
    cuts move. If relevant items stand out by one list, and others by the other one, nearly all of
    these are relevant and the variance is nearly 0. So it is that of both lists' influences, if
    greater: tests rejected 15 to 31 % at 5 %.

    The test "obuchowski" has Obuchowski's variance of groups. The influence of an item of weight w
    counts w times. Missed items also have an influence.
    """
    of_items = _variance(lists, valued, target, test)
    if target.cutoff is None or (lists.lone_class() and lists.group is None):
        return of_items
    measure = find(target.label)
    first, second = (
        list_numbers.number_of(lists.relevant, side, measure, lists.weight, lists.group)
        for side in (lists.first, lists.second)
    )
    if first.found is None or second.found is None:
        return of_items
    if lists.group is None:
        return max(of_items, list_numbers.variance_of(first, second, lists.weights, lists.missed))
    each = first.each - second.each
    of_cuts = influence.variance_of_groups(each, lists.relevant, lists.weights, lists.group)
    return max(of_items, of_cuts)


def _variance(lists: Lists, valued: list[Valued], target: MeasureOfList, test: str | None) -> float:
    differences, relevant = valued[0][1] - valued[1][1], lists.relevant
    difference = valued[0][0] - valued[1][0]
    if target.cutoff is not None and lists.group is None:
        in_tops = differences_in_tops(lists, target.cutoff)
        return tops.variance(
            relevant, in_tops, target.name, target.cutoff, difference, lists.missed
        )
    of_area = target.name == "AUC"
    if lists.lone_class() and lists.group is None:
        return math.nan
    first, second = valued
    if isinstance(first, ListValue) and isinstance(second, ListValue) and lists.group is None:
        return list_numbers.variance_of(first, second, lists.weights, lists.missed)
    if lists.group is None and lists.weight is None and not lists.missed:
        if not of_area:
            return inner(differences, differences)
        classes = [differences[relevant], differences[~relevant]]
        return math.fsum(values.var(ddof=1) / len(values) for values in classes)
    if of_area:
        differences = _centre(differences, lists, difference)
    each = differences if lists.weight is None else differences * lists.weight
    if lists.group is not None:
        if test == "obuchowski":
            return influence.obuchowski(each, relevant, lists.group)
        return influence.variance_of_groups(each, relevant, lists.weights, lists.group)
    of_missed = lists.missed * (difference / lists.first.counts.relevant) ** 2
    if not of_area:
        return inner(each, each) + of_missed
    squares = [inner(each[kind], each[kind]) for kind in (relevant, ~relevant)]
    squares[0] += of_missed
    sizes = lists.first.counts.sizes()
    pairs = zip(squares, sizes, strict=True)
    return math.fsum(square * size / (size - 1) for square, size in pairs)


def _centre(components: Float64, lists: Lists, value: float) -> Float64:
    """Influences of items on an area, from its components; their sum is 0 in each class."""
    counts = lists.first.counts
    return np.where(
        lists.relevant,
        (components - value) / counts.relevant,
        (components - value) / counts.other,
    )


def differences_of_groups(lists: Lists, valued: list[Valued], target: MeasureOfList) -> Float64:
    """Differences of groups, from their influences; their mean is the difference of the lists.

    Groups whose items all have equal influence on both values have a difference of 0.
    """
    assert lists.group is not None
    each, difference = valued[0][1] - valued[1][1], valued[0][0] - valued[1][0]
    differs = np.bincount(lists.group, weights=each != 0) > 0
    if target.name == "AUC":
        each = _centre(each, lists, difference)
    sums = np.bincount(lists.group, weights=each * lists.weights).astype(np.float64)
    return np.where(differs, len(sums) * sums + difference, 0.0)


def sums_of_differences(lists: Lists, valued: list[Valued]) -> Float64:
    """Differences of the groups' influences, whose squares make the variance."""
    assert lists.group is not None
    each = (valued[0][1] - valued[1][1]) * lists.weights
    return influence.sums_of_groups(each, lists.relevant, lists.weights, lists.group)


def mover(
    lists: Lists, valued: list[Valued], first: WithBounds, second: WithBounds
) -> tuple[float, float]:
    """Interval of a difference from the intervals of both values (Zou & Donner 2008)."""
    of_missed = [-value[0] / lists.first.counts.relevant for value in valued]
    return bounds_by_mover(first, second, _correlation(lists, valued, of_missed))


def _correlation(lists: Lists, valued: Sequence[Valued], of_missed: Sequence[float]) -> float:
    """The correlation of both values: that of the influences of items or groups, and of missed
    items.
    """
    sums: list[Float64] = [values[1] * lists.weights for values in valued]
    if lists.group is not None:
        sums = [np.bincount(lists.group, weights=values).astype(np.float64) for values in sums]
    squares = [
        inner(column, column) + lists.missed * each**2
        for column, each in zip(sums, of_missed, strict=True)
    ]
    product = inner(*sums) + lists.missed * of_missed[0] * of_missed[1]
    both = math.sqrt(squares[0]) * math.sqrt(squares[1])
    correlation = min(max(product / both, -1.0), 1.0) if both else 0.0
    # Rounding of the sums would move both values apart by its root, in some orders of the items.
    return math.copysign(1.0, correlation) if 1 - abs(correlation) < 1e-12 else correlation


def _from_both(
    lists: Lists, valued: list[Valued], measure: Measure, level: float
) -> tuple[float, float]:
    """The interval of a difference of two numbers at a rank, or at a level of recall or precision,
    from the bounds of both; `valued` has the influences, unless those of tops are enough for the
    test.
    """
    cutoff = measure.parameters.get("cutoff")
    is_whole = cutoff is not None and cutoff >= lists.weights.sum()
    if lists.has_same_order or is_whole:
        # Without an interval, whatever rounding makes of both bounds; whole lists cannot differ.
        return 0.0, 0.0
    pair = [each for each in valued if isinstance(each, ListValue)] or _numbers(lists, measure)
    if not is_of_place(measure):
        ends = [(each.value, *list_numbers.bounds_of(each, measure, level)) for each in pair]
        return mover(lists, [(each.value, each.each) for each in pair], *ends)
    correlation = _correlation(lists, pair, [each.missed for each in pair])
    if correlation == 1 and _have_other_hits(lists, measure):
        # The first ranks of both are full, and vary with the number of relevant cases alone; the
        # precision there, whose bounds are apart, has no correlation.
        correlation = 0.0
    first, second = (list_numbers.bounds_of_place_of(each, measure, level) for each in pair)
    low, high = on_ellipse(first, second, correlation)
    difference = pair[0].value - pair[1].value
    if high - low < _ROUNDING * max(each.value for each in pair):
        return 0.0, 0.0
    return min(low, difference), max(high, difference)


def _have_other_hits(lists: Lists, measure: Measure) -> bool:
    """Whether the first ranks of both lists have different relevant cases."""
    if not is_at_rank(measure):
        return False
    cutoff = measure.parameters.get("cutoff") or _depth(lists, measure)
    return bool(differences_in_tops(lists, cutoff)[lists.relevant].any())


def _depth(lists: Lists, enrichment: Measure) -> int:
    """The number of first ranks of an enrichment."""
    counts = lists.first.counts
    return ceiling_of_one(enrichment.parameters["share"], int(counts.relevant + counts.other))


def differences_in_tops(lists: Lists, cutoff: int) -> Float64:
    """Each item's share in the first list's top minus its share in the second's."""
    return tops.shares(lists.first, cutoff) - tops.shares(lists.second, cutoff)


def areas_of_topics(
    items: ItemLists, topics: Int64
) -> tuple[list[Lists], int, list[list[float]], float]:
    """Areas of all topics by either score.

    Returns the topics that have both classes as one list, the number of other topics, the areas,
    and the sum of the variances. The numbers are those of `lists_of`, `influences` and `variance`
    for each topic, computed for all topics at once.
    """
    relevant = items.relevant
    hits, size = (
        np.bincount(column, minlength=int(topics.max(initial=-1)) + 1)
        for column in (topics[relevant], topics)
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
    deviation = difference - (np.bincount(kind, difference) / number)[kind]
    with np.errstate(invalid="ignore"):
        # A class with a single item has no variance.
        variances = np.bincount(kind, deviation**2) / (number - 1) / number
    return (
        [Lists(relevant, sides[0], sides[1], None, math.inf)],
        int(np.count_nonzero(size)) - len(first),
        [first.tolist(), second.tolist()],
        math.fsum(variances),
    )


RESAMPLES = 5_000
#: How equal scores at a cutoff are counted: by the mean over all their orders.
EXPECTED = "expected"
#: The method for two lists that order all items alike; these have no interval.
_ALIKE = Method("the same order")
_FEW, _NONE = 20, 1e-15
#: Bounds that are less apart, as a share of the greater value, are rounding.
_ROUNDING = 1e-12
#: Tests that exchange or count items, and have the interval of another method.
_EXCHANGING = ("permutation", "fisher")
#: Exchanges of this number of rows of items take seconds. If there are more, the default test of AP
#: is by influences.
LARGE = 100_000
#: With fewer relevant items than `_FEW_INFLUENCES`, if these are at most one in `_RARE`, influences
#: reject too seldom: at 5 % they reject 1.2 % with 20 of 2,000 items relevant, 2.2 % with 100 of
#: 10,000, 3.3 % with 200 of 20,000.
_RARE, _FEW_INFLUENCES = 20, 300
#: With groups, if the biases of both values differ by more than this share of the standard error,
#: exchanges rejected up to 10 % at 5 %.
_UNLIKE = 0.25


def compare_lists(
    items: ItemLists,
    *,
    topics: Int64 | None = None,
    measure: str = "AP",
    part: tuple[float, bool] | None = None,
    number: Measure | None = None,
    test: str | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    rng: Rng = 0,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:
    """Compare two scored lists of the same items; see `precall.compare.cases`. Groups and topics
    are numbered.

    `part` is the false positive rate up to which an area goes, and whether it is rescaled to
    .5 .. 1; `number` is a measure other than AP, an area, or precision or recall at a rank.
    """
    target = MeasureOfList.of(measure, part, number)
    test = _choose_test(target, test, items, topics)
    level = check_level(level)
    resamples = check_whole("resamples", resamples, 1)
    both = _measure_both(items, topics, target, test)
    if both.is_swapped:
        names = names[::-1]
    first, second = (target.value(mean(side)) for side in both.values)
    difference, error = first - second, both.error(target)
    both = both.with_freedom_of_sums(target)
    lists = both.lists
    chosen, result = _run_test(
        test, _Trial(lists, target, difference, error, resamples, level, rng)
    )
    freedom = lists[0].freedom
    half = quantiles.t(level, _freedom(lists, chosen)) * error if freedom > 0 else math.nan
    edges, by = (
        result.edges or (difference - half, difference + half),
        _interval_method(target, chosen),
    )
    notes = list(result.notes)
    if target.name == "AP" and topics is None:
        if lists[0].is_uneven and half == half and error:
            pair = lists[0].precisions()
            notes += _note_of_bias(pair, lists[0], chosen, error)
            if chosen == "permutation":
                ends = [(each.value, *each.bounds(level)) for each in pair]
                edges, by = mover(lists[0], both.valued[0], *ends), "mover"
                notes.append(IntervalByMover(""))
        notes = _add_heavy_items(notes, lists[0])
    by_both = target.is_at_level and chosen == "permutation"
    by_both |= target.is_at_rank and chosen in _EXCHANGING
    if by_both and topics is None:
        of_both = target.number or find(target.label)
        if error > 0 or _have_other_hits(lists[0], of_both):
            edges, by = _from_both(lists[0], both.valued[0], of_both, level), "mover"
            notes += [IntervalByMover("")] if target.is_at_level else []
    # Two shares, such as areas or average precisions, differ by at most 1.
    edges = bounds_in_call_order(*edges, None if both.is_swapped is None else False)
    low, high = bounds(*np.clip(edges, -target.most, target.most).tolist())
    notes += keep_if_concerned(
        _notes_on_differences(both, target, chosen, topics is not None),
        result.p,
        level,
        low is not None and (low, high) != (-target.most, target.most),
    )
    if low is not None:
        is_narrow = target.is_at_rank and chosen == "influence" and topics is None
        notes += [NarrowAtRank("")] if is_narrow else []
        notes += _note_of_few_groups(lists[0], chosen)
        notes += _notes_on_other_bounds(lists, (low, high), result.p, level, chosen, notes)
    comparison = Comparison(
        names=names,
        measure=_label(measure, both, topics is not None),
        values=(first, second),
        difference=difference,
        low=low,
        high=high,
        level=level,
        p=result.p,
        test=chosen,
        method=result.method,
        size=sum(len(pair.relevant) for pair in lists),
        left_out=both.left_out,
        statistic=difference / error if error > 0 else None,
        notes=tuple(notes),
        seed=result.seed,
        no_interval="" if low is not None else _why_no_interval(result, target),
        interval=by,
        interval_resamples=None if low is None else result.resamples,
        equal_scores=EXPECTED if target.needs_order else "",
        higher_is_better=target.higher_is_better,
    )
    return comparison.swap() if both.is_swapped else comparison


def _notes_on_differences(
    both: _Both, target: MeasureOfList, test: str, has_topics: bool
) -> list[Note]:
    """Notes on few or skewed differences of topics or groups."""
    if has_topics:
        return _notes_on_topics(both, test)
    is_grouped = both.lists[0].group is not None
    return _note_of_skewed_groups(both, target, test) if is_grouped else []


def _notes_on_topics(both: _Both, test: str) -> list[Note]:
    """Notes on topics of one class, which are left out, and on few or skewed differences of the
    other topics.
    """
    notes: list[Note] = [OneClassTopics("", both.left_out)] if both.left_out else []
    # The skewness of the topics' differences matters for their mean, whatever is exchanged.
    difference = np.array(both.values[0]) - both.values[1]
    skewed = remark(-difference if both.is_swapped else difference, test)
    return notes if skewed is None else [*notes, skewed]


def _note_of_skewed_groups(both: _Both, target: MeasureOfList, test: str) -> list[Note]:
    """Notes on few groups that differ, or on skewed differences of groups."""
    difference = differences_of_groups(both.lists[0], both.valued[0], target)
    skewed = remark(-difference if both.is_swapped else difference, test, "groups")
    return [] if skewed is None else [skewed]


def _why_no_interval(result: Result, target: MeasureOfList) -> str:
    if result.method == _ALIKE:
        return _ALIKE.name
    return "one item decides" if target.is_of_one_item else "no variance"


def _note_of_few_groups(lists: Lists, test: str) -> list[Note]:
    few = lists.few_groups if test not in ("delong", "influence", "obuchowski") else None
    return [FewGroups("", *few)] if few else []


def _notes_on_other_bounds(
    lists: list[Lists],
    edges: tuple[float | None, float | None],
    p: float,
    level: float,
    test: str,
    notes: list[Note],
) -> list[Note]:
    """Notes on an interval by another method than that of p: it is rough if items are few, and
    the two may disagree. None if p is by the same method, or `notes` say that they are two methods.
    """
    if test not in _EXCHANGING or any(isinstance(note, IntervalByMover) for note in notes):
        return []
    few = min(_sizes(lists))
    rough = [RoughBounds("", few)] if few < _FEW else []
    return [*rough, *notes_on_bounds(edges, p, level)]


def _add_heavy_items(notes: list[Note], lists: Lists) -> list[Note]:
    """The notes, and one if a few relevant items have most of the weight, each only once."""
    # It applies to exchanges as well: the weights may be related to one of the scores only.
    heavy = lists.first.counts.few_heavy_relevant()
    return list(dict.fromkeys((*notes, FewHeavyItems("", heavy)))) if heavy else notes


class _Both(NamedTuple):
    """Values of both lists of each topic, with variances; the list of higher values comes first."""

    lists: list[Lists]
    left_out: int
    values: list[list[float]]
    valued: list[list[Valued]]
    """For each topic, the value and the influences of both lists; empty if all topics are computed
    together.
    """
    variance: float
    """The sum of the variances of the topics' differences."""
    is_swapped: bool | None
    """Whether the lists are swapped here; see `_is_second_first`."""

    def error(self, target: MeasureOfList) -> float:
        """The standard error of the mean difference."""
        error = target.scale * math.sqrt(self.variance) / len(self.values[0])
        # For parts and groups, rounding can leave a tiny number instead of 0.
        return 0.0 if error <= _NONE else error

    def with_freedom_of_sums(self, target: MeasureOfList) -> _Both:
        """These lists with the degrees of freedom of differences of AP, or of a number, over
        groups; of a number also over cases.
        """
        if target.number is not None and self.lists[0].group is None and len(self.lists) == 1:
            first, second = self.valued[0]
            assert isinstance(first, ListValue) and isinstance(second, ListValue)
            of_cases = list_numbers.freedom_of(first, second)
            return self._replace(lists=[self.lists[0]._replace(of_sums=of_cases)])
        if target.name not in ("AP", "number") or self.lists[0].group is None:
            return self
        sums = sums_of_differences(self.lists[0], self.valued[0])
        of_sums = influence.freedom_of_groups(sums, self.lists[0].freedom + 1)
        return self._replace(lists=[self.lists[0]._replace(of_sums=of_sums)])


def _measure_both(
    items: ItemLists, topics: Int64 | None, target: MeasureOfList, test: str | None
) -> _Both:
    """The values of both lists of each topic, with the variance of their differences."""
    is_area = target.name == "AUC" and target.part is None
    if topics is not None and is_area and test in (None, "delong"):
        # The numbers do not depend on which list comes first.
        lists, left_out, values, variances = areas_of_topics(items, topics)
        return _Both(lists, left_out, values, [], variances, False)
    lists, left_out = lists_of(items, topics)
    valued = [influences(pair, target) for pair in lists]
    values = [[both[side][0] for both in valued] for side in (0, 1)]
    if target.number is not None and np.isnan(values).any():
        raise UsageError(
            argument="measure",
            what=f"{target.number.name} has no value here",
            remedy=f"take another measure; it has none if {target.number.declaration.undefined}",
        )
    is_swapped = _is_second_first(values, lists)
    if is_swapped:
        lists, valued = [pair.swap() for pair in lists], [both[::-1] for both in valued]
        values = values[::-1]
    pairs = zip(lists, valued, strict=True)
    variances = math.fsum(variance(*pair, target, test) for pair in pairs)
    return _Both(lists, left_out, values, valued, variances, is_swapped)


def _is_second_first(values: list[list[float]], lists: list[Lists]) -> bool | None:
    """Whether the second list has to come first, as it has the higher mean.

    If the means are equal, the items decide; None if these are equal as well.
    """
    first, second = map(mean, values)
    if first != second:
        return first < second
    # Codes of each topic, or of each item or group of a single list.
    sides = (lists, [pair.swap() for pair in lists])
    return is_second_first(
        *(np.concatenate([pair.codes(as_one=len(lists) > 1) for pair in side]) for side in sides)
    )


def _interval_method(target: MeasureOfList, test: str) -> str:
    """The method of the interval for a test; tests that exchange or count items have the interval
    by influences, or DeLong's for areas.
    """
    if test in _EXCHANGING:
        return "delong" if target.name == "AUC" else "influence"
    return "percentile" if test == "bootstrap" else test


def _note_of_bias(
    pair: list[PrecisionWithBounds], lists: Lists, test: str, error: float
) -> tuple[Note, ...]:
    """Notes on biases that affect the test: by weights that differ between classes, and by groups
    that matter more to one list.
    """
    if any(each.has_distant_centres for each in pair):
        return (BothTooHigh("", test),)
    first, second = (each.value - (each.low + each.high) / 2 for each in pair)
    if lists.group is not None and abs(first - second) > _UNLIKE * error:
        return (UnlikeBiases("", abs(first - second), error),)
    return ()


def _freedom(lists: list[Lists], test: str) -> float:
    """Degrees of freedom; infinite for Obuchowski's test, which uses the normal distribution."""
    return math.inf if test == "obuchowski" else min(lists[0].freedom, lists[0].of_sums)


def _choose_test(
    target: MeasureOfList, test: str | None, items: ItemLists, topics: Int64 | None
) -> str | None:
    """The requested test, if it exists for such items; else refuse it."""
    grouped = items.group is not None
    if grouped and topics is not None:
        raise UsageError(
            argument="groups and topics", what="both given", remedy="leave one of them out"
        )
    allowed: tuple[str, ...] = OF_PARTS
    if target.part is None and target.number is None:
        allowed = OF_LISTS[target.name] if target.cutoff is None else OF_TOPS[target.name]
    if target.number is not None:
        allowed = OF_ONE_ITEM if target.is_of_one_item else OF_NUMBERS
    if test is not None:
        test = choose(f"test of {target.label}", test, allowed, ELSEWHERE, INSTEAD)
    if test == "fisher" and (grouped or topics is not None):
        raise UsageError(
            argument="test",
            what="'fisher' applies to single items, without groups or topics",
            remedy="pass ⟨test='permutation'⟩",
        )
    if items.weight is not None:
        _refuse_weights(target, test, topics)
    if items.missed and (grouped or topics is not None):
        which = "groups" if grouped else "topics"
        raise UsageError(
            argument="missed",
            what=f"missed items belong to none of the {which}",
            remedy=f"leave ⟨{which}=⟩ or ⟨missed=⟩ out",
        )
    return test


def _refuse_weights(target: MeasureOfList, test: str | None, topics: Int64 | None) -> None:
    """Refuse tests and measures that count items: real weights are no counts."""
    if topics is not None:
        raise UsageError(
            argument="weights",
            allowed="integers, which repeat an item, if there are topics",
            got=Fact("sampling weights"),
            remedy="leave ⟨topics=⟩ out",
        )
    if target.number is not None and not target.number.has_blocks:
        raise UsageError(
            argument="weights",
            what=f"{target.label} counts items by rank, and only integers are counts",
        )
    if target.cutoff is not None:
        message = f"{target.label} counts the first {target.cutoff} items"
        raise UsageError(
            argument="weights",
            what=f"{message}, and only integers, which repeat an item, are counts",
        )
    if test == "obuchowski":
        others = [repr(name) for name in OF_LISTS[target.name] if name != test]
        raise UsageError(
            argument=f"test={test!r}",
            what="is not defined for real weights",
            allowed=Among("tests with real weights are", others),
        )


def _label(measure: str, both: _Both, has_topics: bool) -> str:
    """The measure in words, with topics or groups: the same name must not mean two numbers."""
    if has_topics:
        return f"mean {measure} over {many(len(both.values[0]), 'topic')}"
    group = both.lists[0].group
    return measure if group is None else f"{measure}, {many(int(group.max()) + 1, 'group')}"


class _Trial(NamedTuple):
    """The arguments of a test."""

    lists: list[Lists]
    target: MeasureOfList
    difference: float
    error: float
    resamples: int
    level: float
    rng: Rng


def _run_test(test: str | None, trial: _Trial) -> tuple[str, Result]:
    """Run the test, by default one that keeps its level; return its name and its result."""
    default = "delong" if trial.target.name == "AUC" else "permutation"
    if all(pair.has_same_order for pair in trial.lists):
        return test or default, Result(1.0, _ALIKE, notes=(SameOrder(""),))
    if test is None and default == "permutation":
        return _run_default(trial)
    return test or default, _TESTS[test or default](trial)


def _run_default(trial: _Trial) -> tuple[str, Result]:
    """The default test: exchanges of items, or influences if exchanges would take long."""
    if trial.target.number is not None and not _counts_in_top(trial):
        items = sum(len(pair.relevant) for pair in trial.lists)
        if items <= list_numbers.LARGE or trial.target.is_of_one_item:
            return "permutation", _permute(trial)
        result = _normal("influence", trial)
        note = InfluenceByDefault("", items, list_numbers.LARGE)
        return "influence", result._replace(notes=(note, *result.notes))
    # A cheap bound first: every block with a relevant item is one row and has one row before it.
    rows = sum(
        2 * max(int((side.counts.positive > 0).sum()) for side in pair[1:3]) for pair in trial.lists
    )
    if rows <= LARGE:
        exchanges = _exchanges(trial)
        rows = sum(pair.rows for pair in exchanges)
        if rows <= LARGE:
            return "permutation", _permute(trial, exchanges)
    result = _normal("influence", trial)
    return "influence", result._replace(notes=(InfluenceByDefault("", rows, LARGE), *result.notes))


def _counts_in_top(trial: _Trial) -> bool:
    """Whether exchanges only count the relevant items in the first ranks: so do those of enrichment
    in a long list, where it is recall over a share of the items.
    """
    target, lists = trial.target, trial.lists
    is_enrichment = target.number is not None and target.is_at_rank
    return is_enrichment and len(lists) == 1 and len(lists[0].relevant) > list_numbers.LARGE


def _top_of(trial: _Trial) -> tuple[str, int | None, float]:
    """What exchanges count, up to which rank, and the factor between that and the value."""
    target = trial.target
    if target.number is None:
        return target.name, target.cutoff, target.scale
    counts, depth = trial.lists[0].first.counts, _depth(trial.lists[0], target.number)
    return "R", depth, (counts.relevant + counts.other) / depth


def _exchanges(trial: _Trial) -> list[Exchange]:
    return [pair.exchange(_top_of(trial)[1]) for pair in trial.lists]


def _permute(trial: _Trial, exchanges: list[Exchange] | None = None) -> Result:
    """The permutation test, by random exchanges of items between both lists."""
    target, resamples = trial.target, trial.resamples
    # Missed items make all differences smaller by the same factor, except those of precision.
    counts = trial.lists[0].first.counts
    seen = 1.0 if target.name == "P" else counts.relevant / (counts.relevant - counts.missed)
    if target.number is not None and not _counts_in_top(trial):
        pairs = [pair.exchange_lists() for pair in trial.lists]
        p, method = list_numbers.p_of_exchanges(
            pairs, target.number, trial.difference, trial.rng, resamples
        )
    else:
        chosen = _exchanges(trial) if exchanges is None else exchanges
        name, cutoff, scale = _top_of(trial)
        p, method = p_of_exchanges(
            chosen, name, trial.difference * seen / scale, trial.rng, resamples, cutoff
        )
    least = method.seed is not None and p * (resamples + 1) < 1.5
    notes = (LeastOfExchanges("", p, resamples),) if least else ()
    return Result(p, method, seed=method.seed, notes=notes)


def _fisher(trial: _Trial) -> Result:
    """Fisher's exact test of precision or recall at a cutoff."""
    first, cutoff = trial.lists[0], trial.target.cutoff or 1
    return tops.fisher(
        first.relevant, differences_in_tops(first, cutoff), trial.rng, trial.resamples
    )


def _bootstrap(trial: _Trial) -> Result:
    if why := _why_no_variance(trial.lists):
        return _undefined_result(trial, why, ())
    return _resample(trial.lists, trial.target, trial.rng, trial.resamples, trial.level)


def _normal(test: str, trial: _Trial) -> Result:
    """p by the standard normal distribution, or by Student's for groups, with notes on what it
    assumes.
    """
    lists, difference, error = trial.lists, trial.difference, trial.error
    notes = _notes_of_approximation(lists, test, trial.target)
    why = _why_no_variance(lists)
    if not why and error != error:
        why = "one item of a class has no variance"
    elif not why and error == 0 and abs(difference) > TOLERANCE:
        # Without variance, the null hypothesis allows only equal values, and these differ.
        why = "no variance, as the items of a class all have one value"
    if why:
        return _undefined_result(trial, why, notes)
    if error == 0:
        return Result(1.0, Method("no variance"), notes=notes)
    distance = -abs(difference) / error
    if math.isinf(freedom := _freedom(lists, test)):
        return Result(
            max(float(2 * special().ndtr(distance)), LEAST), Method("normal"), notes=notes
        )
    p = max(float(2 * special().stdtr(freedom, distance)), LEAST)
    return Result(p, Method("Student's t", freedom=freedom), notes=notes)


#: The function that computes p, by the name of the test.
_TESTS: dict[str, Callable[[_Trial], Result]] = {
    "permutation": _permute,
    "fisher": _fisher,
    "bootstrap": _bootstrap,
    **{name: partial(_normal, name) for name in ("delong", "influence", "obuchowski")},
}


def _why_no_variance(lists: list[Lists]) -> str:
    """The reason why a single list has no variance; "" if it has one."""
    if len(lists) > 1:
        return ""
    if lists[0].freedom <= 0:
        group = lists[0].group
        is_single = group is not None and not group.any()
        return "one group has no variance" if is_single else "all items of a class are of one group"
    return (
        "one item of a class has no variance"
        if lists[0].group is None and lists[0].lone_class()
        else ""
    )


def _undefined_result(trial: _Trial, why: str, notes: tuple[Note, ...]) -> Result:
    undefined = UndefinedP("", why, _has_exchanges(trial.target))
    nothing = math.nan, math.nan
    return Result(
        math.nan, Method("undefined", undefined=why), edges=nothing, notes=(*notes, undefined)
    )


def _has_exchanges(target: MeasureOfList) -> bool:
    """Whether there is also a test by exchanges of items, which assumes no distribution."""
    return target.part is None


def _sizes(lists: list[Lists]) -> tuple[float, float]:
    """How many relevant and other items all lists have, effectively."""
    sizes = [pair.first.counts.sizes() for pair in lists]
    return math.fsum(hits for hits, _ in sizes), math.fsum(others for _, others in sizes)


def _notes_of_approximation(
    lists: list[Lists], test: str, target: MeasureOfList
) -> tuple[Note, ...]:
    """Notes on an assumed distribution that is only a rough approximation."""
    hits, others = _sizes(lists)
    items, few = hits + others, min(hits, others)
    exchange = _has_exchanges(target)
    if (
        target.cutoff is None
        and target.number is None
        and test == "influence"
        and exchange
        and hits < _FEW_INFLUENCES
        and hits * _RARE <= items
    ):
        return (RareHits("", hits, items),)
    if groups := lists[0].few_groups:
        # Fewer than six groups have too few exchanges for a p of 5 %.
        group = lists[0].group
        has_enough = exchange and group is not None and int(group.max()) >= 5
        rough = "the normal" if test == "obuchowski" else "Student's"
        return (RoughOfGroups("", *groups, rough, has_enough),)
    within = others if target.part is None else target.part * others
    if within < min(_FEW, others):
        return (RoughOfPart("", within),)
    if few < _FEW:
        return (RoughOfClass("", few, exchange),)
    heavy = lists[0].first.counts.heavy()
    if heavy is not None and heavy < _FEW:
        return (FewHeavyItems("", heavy),)
    return ()


def sort_items(pair: Lists) -> tuple[Bool, Float64, Int64, Int64, Int64]:
    """A list's items in a canonical order, so that samples do not depend on the order of the input.

    Returns relevance, weights, blocks by the first and second score, and numbers of the units to be
    drawn: items or groups.
    """
    group = np.arange(len(pair.relevant)) if pair.group is None else pair.group
    keys = (pair.weights, pair.first.block, pair.second.block, pair.relevant)
    # Equal items are ordered by the contents of their groups; the order of equal groups does not
    # matter.
    of_groups = () if pair.group is None else (group, pair.codes(as_one=False)[group])
    order = np.lexsort((*of_groups, *keys))
    # Groups are numbered by the first of their items.
    _, at, member = np.unique(group[order], return_index=True, return_inverse=True)
    unit = np.argsort(np.argsort(at))[member]
    return pair.relevant[order], keys[0][order], keys[1][order], keys[2][order], unit


def _resample(
    lists: list[Lists], target: MeasureOfList, rng: Rng, resamples: int, level: float
) -> Result:
    """The bootstrap test, with the quantiles of the differences as bounds.

    p is twice the smaller share of samples in which either list is at least as good.
    """
    source, seed = generator_and_seed(rng)
    canonical_lists = sorted(
        map(sort_items, lists), key=lambda columns: [column.tobytes() for column in columns]
    )

    total, defined = np.zeros(resamples), np.zeros(resamples)
    for relevant, weight, *blocks, unit in canonical_lists:
        missed = int(lists[0].missed)
        both = [WeightedCases(Cases(block, relevant, weight, unit), missed) for block in blocks]
        # Both lists get the same drawn units.
        streams = both[0].streams(resamples, source)
        if target.name == "AUC":
            first, second = (target.scale * each for each in areas(both, *streams, target.part))
        else:
            first, second = (side.precisions(*streams, apart=True) for side in both)
        # If a drawn list has one class only, its topic is left out of this sample, like an original
        # list of one class.
        total += np.nan_to_num(first - second)
        defined += ~np.isnan(first)
    samples = np.divide(total, defined, out=np.full(resamples, np.nan), where=defined > 0)
    # A sample without any list of both classes has no value and is left out.
    samples = samples[~np.isnan(samples)]
    if not len(samples):
        nothing = (math.nan, math.nan)
        method = Method("undefined", undefined="no redrawn list has both classes", seed=seed)
        return Result(math.nan, method, edges=nothing, seed=seed)
    tail = min(int((samples <= TOLERANCE).sum()), int((samples >= -TOLERANCE).sum()))
    p = min(1.0, 2 * float(p_of_samples(tail, len(samples))))
    low, high = np.quantile(samples, [(1 - level) / 2, (1 + level) / 2]).tolist()
    units = "items" if lists[0].group is None else "groups"
    method = Method("resampled", drawn=units, resamples=len(samples), seed=seed)
    notes = notes_on_level("", len(samples), level)
    return Result(p, method, edges=(low, high), seed=seed, notes=notes, resamples=len(samples))
