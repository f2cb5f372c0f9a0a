"""Two scored lists of the same items: what is measured of them, and how much the difference varies.

Items may have weights, each as a part of a sample that stands for more, and come in groups; some
relevant items may stand in neither list. Every one of them has its influence on the difference, and
influences say how that varies.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from precall.core.arguments import check_level, check_whole, choose
from precall.core.errors import Among, DataError, Problem, UsageError
from precall.core.methods import Method
from precall.core.notes import Note
from precall.core.notes.of_comparisons import (
    BothTooHigh,
    FewHeavyItems,
    InfluenceByDefault,
    IntervalByMover,
    LeastOfExchanges,
    OneClassTopics,
    RareHits,
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
from precall.stats import influence, quantiles
from precall.stats.blocks import Blocks, Cases, effective_groups, inner
from precall.stats.influence import Ranked, precision_influence, rank_items, roc_influence
from precall.stats.intervals.areas import PrecisionWithBounds
from precall.stats.resample.batches import TOLERANCE, p_of_samples
from precall.stats.resample.resampling import WeightedCases, areas
from precall.stats.scipy import special
from precall.stats.skewness import remark
from precall.stats.tests import ELSEWHERE, INSTEAD, OF_LISTS, OF_PARTS, OF_TOPS, tops
from precall.stats.tests.comparisons import Comparison, bounds
from precall.stats.tests.exchange import Exchange, exchange, p_of_exchanges
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

#: As of intervals: with effectively fewer groups Student's distribution is rough
#: (docs/how-to/intervals.md).
_FEW_GROUPS = 8


class MeasureOfList(NamedTuple):
    """What is measured of a list: "AP", "AUC" or a part of it, or "P" or "R" of the first ranks.

    A part is the area up to this false positive rate, by `mcclish` moved to .5 (chance) .. 1.
    """

    name: str
    label: str
    cutoff: int | None = None
    part: float | None = None
    mcclish: bool = False

    @classmethod
    def of(cls, measure: str, part: tuple[float, bool] | None) -> MeasureOfList:
        """By the name of a measure, which is that of an area where there is a part."""
        if part is not None:
            return cls("AUC", measure, None, *part)
        return cls(*tops.parse_measure(measure)[:1], measure, tops.parse_measure(measure)[1])

    @property
    def scale(self) -> float:
        """What an area is multiplied by."""
        return 0.5 / (self.part - self.part**2 / 2) if self.mcclish and self.part else 1.0

    def value(self, area: float) -> float:
        """As it is asked for."""
        if not self.mcclish or not self.part:
            return area
        return 0.5 + self.scale * (area - self.part**2 / 2)


class ItemLists(NamedTuple):
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

    def precisions(self) -> list[PrecisionWithBounds]:
        """Average precision of either list, as its interval takes it."""
        found = []
        for side in (self.first, self.second):
            cases = Cases(side.block, self.relevant, self.weights, self.group).sort_by_block()
            counts = side.counts
            found.append(
                PrecisionWithBounds.of(
                    Blocks(counts.positive, counts.negative, counts.missed, counts.real, cases)
                )
            )
        return found

    def lone_class(self) -> bool:
        """Whether there is one item of a class, which has no variance."""
        hits = int(np.count_nonzero(self.relevant))
        return 1 in (hits + self.missed, len(self.relevant) - hits)


def lists_of(items: ItemLists, topics: Int64 | None) -> tuple[list[Lists], int]:
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
            rank_items(some, score[rows], weight, missed) for score in (items.first, items.second)
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


def influences(lists: Lists, asked: MeasureOfList) -> list[Valued]:
    """For either list its value, and what each item has to do with it."""
    sides = (lists.first, lists.second)
    if asked.cutoff is not None:
        return tops.values(lists.relevant, sides, asked.name, asked.cutoff, lists.missed)
    if asked.name == "AP":
        return [precision_influence(lists.relevant, place) for place in sides]
    return [roc_influence(lists.relevant, place, asked.part) for place in sides]


def variance(
    lists: Lists, valued: list[Valued], asked: MeasureOfList, test: str | None = None
) -> float:
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
    parts = zip(squares, sizes, strict=True)
    return math.fsum(square * size / (size - 1) for square, size in parts)


def _centre(components: Float64, lists: Lists, value: float) -> Float64:
    """Influences of items on an area, from its components: of sum 0 in each class."""
    counts = lists.first.counts
    return np.where(
        lists.relevant,
        (components - value) / counts.relevant,
        (components - value) / counts.other,
    )


def differences_of_groups(lists: Lists, valued: list[Valued], asked: MeasureOfList) -> Float64:
    """Differences of groups, whose mean is the difference of the lists: each group's influence
    beside those of the others.
    """
    assert lists.group is not None
    each, difference = valued[0][1] - valued[1][1], valued[0][0] - valued[1][0]
    differs = np.bincount(lists.group, weights=each != 0) > 0
    if asked.name == "AUC":
        each = _centre(each, lists, difference)
    sums = np.bincount(lists.group, weights=each * lists.weights).astype(np.float64)
    return np.where(differs, len(sums) * sums + difference, 0.0)


def sums_of_differences(lists: Lists, valued: list[Valued]) -> Float64:
    """Differences of influence of groups, as the variance squares them."""
    assert lists.group is not None
    each = (valued[0][1] - valued[1][1]) * lists.weights
    return influence.sums_of_groups(each, lists.relevant, lists.weights, lists.group)


def mover(
    lists: Lists, valued: list[Valued], pair: list[PrecisionWithBounds], level: float
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
    items: ItemLists, topics: Int64
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


RESAMPLES = 5_000
#: What becomes of equal scores at a cutoff: the mean over all their orders.
EXPECTED = "expected"
#: How p is found of two lists that order all items alike, which have no interval, either.
_ALIKE = Method("the same order")
_FEW, _NONE = 20, 1e-15
#: Exchanges of so many rows of items take seconds; where there are more, AP is by default tested by
#: influences.
LARGE = 100_000
#: With fewer relevant items, one in twenty or less, influences reject too seldom: 1.2 % at 5 % with
#: 20 of 2,000, 2.2 % with 100 of 10,000, 3.3 % with 200 of 20,000.
_RARE, _FEW_INFLUENCES = 20, 300
#: With groups, if the biases of both differ by more than this share of the error, exchanges
#: rejected up to 10 % at 5 %.
_UNLIKE = 0.25


def compare_lists(
    items: ItemLists,
    *,
    topics: Int64 | None = None,
    measure: str = "AP",
    part: tuple[float, bool] | None = None,
    test: str | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    rng: Rng = 0,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:
    """Compare two scored lists of the same items; see `precall.compare.cases`. Groups and topics
    are numbered.

    `part` is how far an area goes, and whether it is moved to .5 .. 1.
    """
    asked = MeasureOfList.of(measure, part)
    test = _choose_test(asked, test, items, topics)
    check_level(level)
    check_whole("resamples", resamples, 1)
    both = _measure_both(items, topics, asked, test)
    if both.turned:
        names = names[::-1]
    first, second = (asked.value(mean(side)) for side in both.values)
    difference, error = first - second, both.error(asked)
    both = both.with_freedom_of_sums(asked)
    lists = both.lists
    chosen, result = _tested(test, _Trial(lists, asked, difference, error, resamples, level, rng))
    freedom = lists[0].freedom
    half = quantiles.t(level, _freedom(lists, chosen)) * error if freedom > 0 else math.nan
    edges, by = result.edges or (difference - half, difference + half), _interval(asked, chosen)
    notes = list(result.notes)
    if asked.name == "AP" and topics is None:
        if lists[0].uneven and half == half and error:
            pair = lists[0].precisions()
            notes += _of_bias(pair, lists[0], chosen, error)
            if chosen == "permutation":
                edges, by = mover(lists[0], both.valued[0], pair, level), "mover"
                notes.append(IntervalByMover(""))
        notes = _with_heavy_items(notes, lists[0])
    notes += _of_topics(both, chosen) if topics is not None else []
    notes += _of_skewed_groups(both, asked, chosen) if items.group is not None else []
    # Two areas, and two average precisions, are never more than 1 apart.
    edges = bounds_in_call_order(*edges, None if both.turned is None else False)
    low, high = bounds(*np.clip(edges, -1, 1).tolist())
    notes += _of_few_groups(lists[0], chosen) if low is not None else []
    found = Comparison(
        names=names,
        measure=_label(measure, lists, None if topics is None else len(both.values[0])),
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
        no_interval="" if low is not None else _why_no_interval(result),
        interval=by,
        equal_scores="" if asked.cutoff is None else EXPECTED,
    )
    return found.swap() if both.turned else found


def _of_topics(both: _Both, test: str) -> list[Note]:
    """Topics of one class, which are left out, and few or skewed differences of the others."""
    notes: list[Note] = [OneClassTopics("", both.left_out)] if both.left_out else []
    # The mean over topics has the skewness of their differences, whatever is exchanged.
    difference = np.array(both.values[0]) - both.values[1]
    skewed = remark(-difference if both.turned else difference, test)
    return notes if skewed is None else [*notes, skewed]


def _of_skewed_groups(both: _Both, asked: MeasureOfList, test: str) -> list[Note]:
    """Few groups that differ, or skewed differences of groups."""
    difference = differences_of_groups(both.lists[0], both.valued[0], asked)
    skewed = remark(-difference if both.turned else difference, test, "groups")
    return [] if skewed is None else [skewed]


def _why_no_interval(result: Result) -> str:
    return _ALIKE.name if result.method == _ALIKE else "no variance"


def _of_few_groups(lists: Lists, test: str) -> list[Note]:
    few = lists.few_groups if test not in ("delong", "influence", "obuchowski") else None
    return [FewGroups("", *few)] if few else []


def _with_heavy_items(notes: list[Note], lists: Lists) -> list[Note]:
    """Notes, and that a few relevant items have most of the weight, once."""
    # Of exchanges, too: the weights may go with one score only.
    heavy = lists.first.counts.few_heavy_relevant()
    return list(dict.fromkeys((*notes, FewHeavyItems("", heavy)))) if heavy else notes


class _Both(NamedTuple):
    """Both lists of each topic measured, the list of the higher values first."""

    lists: list[Lists]
    left_out: int
    values: list[list[float]]
    valued: list[list[Valued]]
    """Of each topic, the value and the influences of both lists; none if topics are measured
    together.
    """
    variance: float
    """The sum of the variances of the topics' differences."""
    turned: bool | None
    """Whether the second list is the first here; see `_is_turned`."""

    def error(self, asked: MeasureOfList) -> float:
        """The standard error of the mean difference."""
        error = asked.scale * math.sqrt(self.variance) / len(self.values[0])
        # What rounding leaves of none, of parts and of groups.
        return 0.0 if error <= _NONE else error

    def with_freedom_of_sums(self, asked: MeasureOfList) -> _Both:
        """The same with the degrees of freedom that differences of AP have over groups."""
        if asked.name != "AP" or self.lists[0].group is None:
            return self
        sums = sums_of_differences(self.lists[0], self.valued[0])
        of_sums = influence.freedom_of_groups(sums, self.lists[0].freedom + 1)
        return self._replace(lists=[self.lists[0]._replace(of_sums=of_sums)])


def _measure_both(
    items: ItemLists, topics: Int64 | None, asked: MeasureOfList, test: str | None
) -> _Both:
    is_area = asked.name == "AUC" and asked.part is None
    if topics is not None and is_area and test in (None, "delong"):
        # The same whichever list comes first.
        lists, left_out, values, variances = areas_of_topics(items, topics)
        return _Both(lists, left_out, values, [], variances, False)
    lists, left_out = lists_of(items, topics)
    valued = [influences(pair, asked) for pair in lists]
    values = [[both[side][0] for both in valued] for side in (0, 1)]
    turned = _is_turned(values, lists)
    if turned:
        lists, valued = [pair.turned() for pair in lists], [both[::-1] for both in valued]
        values = values[::-1]
    pairs = zip(lists, valued, strict=True)
    variances = math.fsum(variance(*pair, asked, test) for pair in pairs)
    return _Both(lists, left_out, values, valued, variances, turned)


def _is_turned(values: list[list[float]], lists: list[Lists]) -> bool | None:
    """Whether the second list is taken first: the one of the higher values, else of the items
    themselves.
    """
    first, second = map(mean, values)
    if first != second:
        return first < second
    # Of each topic, or of each item or group of a single list.
    sides = (lists, [pair.turned() for pair in lists])
    return is_second_first(
        *(np.concatenate([pair.codes(as_one=len(lists) > 1) for pair in side]) for side in sides)
    )


def _interval(asked: MeasureOfList, test: str) -> str:
    """What the interval is by: tests that exchange or count items have that of influences, those of
    areas that of DeLong.
    """
    if test in ("permutation", "fisher"):
        return "delong" if asked.name == "AUC" else "influence"
    return "percentile" if test == "bootstrap" else test


def _of_bias(
    pair: list[PrecisionWithBounds], lists: Lists, test: str, error: float
) -> tuple[Note, ...]:
    """What the biases of both values say of the test: weights that differ by class, and groups that
    matter to one list more.
    """
    if any(each.is_bounded for each in pair):
        return (BothTooHigh("", test),)
    first, second = (each.value - (each.low + each.high) / 2 for each in pair)
    if lists.group is not None and abs(first - second) > _UNLIKE * error:
        return (UnlikeBiases("", abs(first - second), error),)
    return ()


def _freedom(lists: list[Lists], test: str) -> float:
    """Degrees of freedom; Obuchowski's test is of the normal distribution."""
    return math.inf if test == "obuchowski" else min(lists[0].freedom, lists[0].of_sums)


def _choose_test(
    asked: MeasureOfList, test: str | None, items: ItemLists, topics: Int64 | None
) -> str | None:
    """The test that is meant, of those that there are for the items."""
    grouped = items.group is not None
    if grouped and topics is not None:
        raise UsageError(
            argument="groups and topics", what="both given", remedy="leave one of them out"
        )
    if asked.part is not None:
        allowed: tuple[str, ...] = OF_PARTS
    else:
        allowed = OF_LISTS[asked.name] if asked.cutoff is None else OF_TOPS[asked.name]
    if test is not None:
        test = choose(f"test of {asked.label}", test, allowed, ELSEWHERE, INSTEAD)
    if test == "fisher" and (grouped or topics is not None):
        raise UsageError(
            "⟨test='fisher'⟩ takes one list of single items", remedy="pass ⟨test='permutation'⟩"
        )
    if items.weight is not None:
        _refuse_weights(asked, test, topics)
    if items.missed and (grouped or topics is not None):
        which = "groups" if grouped else "topics"
        raise UsageError(
            argument="missed",
            what=f"items that no list has are in none of the {which}",
            remedy=f"leave ⟨{which}=⟩ or ⟨missed=⟩ out",
        )
    return test


def _refuse_weights(asked: MeasureOfList, test: str | None, topics: Int64 | None) -> None:
    """Refuse tests and measures that count items, as real weights are no counts."""
    if topics is not None:
        raise UsageError(
            argument="weights",
            what="of topics only integers, which repeat an item",
            remedy="leave ⟨topics=⟩ out",
        )
    if asked.cutoff is not None:
        what = f"{asked.label} counts the first {asked.cutoff} items"
        raise UsageError(
            argument="weights",
            what=f"{what}, and only integers, which repeat an item, are counts",
        )
    if test == "obuchowski":
        others = [repr(name) for name in OF_LISTS[asked.name] if name != test]
        raise UsageError(
            argument=f"test={test!r}",
            what="has no published weights",
            allowed=Among("of real weights there are", others),
        )


def _label(measure: str, lists: list[Lists], topics: int | None) -> str:
    """What is compared, in words: the same name must not mean two numbers."""
    if topics is not None:
        return f"mean {measure} over {many(topics, 'topic')}"
    group = lists[0].group
    return measure if group is None else f"{measure}, {many(int(group.max()) + 1, 'group')}"


class _Trial(NamedTuple):
    """What a test is made of."""

    lists: list[Lists]
    asked: MeasureOfList
    difference: float
    error: float
    resamples: int
    level: float
    rng: Rng


def _tested(test: str | None, trial: _Trial) -> tuple[str, Result]:
    """The test that is made, by default one that keeps its size, and what it finds."""
    usual = "delong" if trial.asked.name == "AUC" else "permutation"
    if all(pair.alike for pair in trial.lists):
        return test or usual, Result(1.0, _ALIKE, notes=(SameOrder(""),))
    if test is None and usual == "permutation":
        return _by_size(trial)
    return test or usual, _TESTS[test or usual](trial)


def _by_size(trial: _Trial) -> tuple[str, Result]:
    """Exchanges of items; of so many that these take long, influences."""
    # Every block with a relevant item is a place and has a place before it: often that says enough.
    rows = sum(
        2 * max(int((side.counts.positive > 0).sum()) for side in pair[1:3]) for pair in trial.lists
    )
    if rows <= LARGE:
        exchanges = _exchanges(trial)
        rows = sum(pair.rows for pair in exchanges)
        if rows <= LARGE:
            return "permutation", _permuted(trial, exchanges)
    result = _normal("influence", trial)
    return "influence", result._replace(notes=(InfluenceByDefault("", rows, LARGE), *result.notes))


def _exchanges(trial: _Trial) -> list[Exchange]:
    return [pair.exchange(trial.asked.cutoff) for pair in trial.lists]


def _permuted(trial: _Trial, exchanges: list[Exchange] | None = None) -> Result:
    asked, resamples = trial.asked, trial.resamples
    # Missed items make every difference smaller alike, but for precision.
    counts = trial.lists[0].first.counts
    seen = 1.0 if asked.name == "P" else counts.relevant / (counts.relevant - counts.missed)
    chosen = _exchanges(trial) if exchanges is None else exchanges
    p, method = p_of_exchanges(
        chosen, asked.name, trial.difference * seen, trial.rng, resamples, asked.cutoff
    )
    least = method.seed is not None and p * (resamples + 1) < 1.5
    notes = (LeastOfExchanges("", p, resamples),) if least else ()
    return Result(p, method, seed=method.seed, notes=notes)


def _fisher(trial: _Trial) -> Result:
    first, cutoff = trial.lists[0], trial.asked.cutoff or 1
    return tops.fisher(
        first.relevant, differences_in_tops(first, cutoff), trial.rng, trial.resamples
    )


def _bootstrap(trial: _Trial) -> Result:
    if why := _lacking(trial.lists):
        return _undefined(trial, why, ())
    return _redrawn(trial.lists, trial.asked, trial.rng, trial.resamples, trial.level)


def _normal(test: str, trial: _Trial) -> Result:
    """p of the standard normal distribution, of groups of Student's, and what it assumes."""
    lists, difference, error = trial.lists, trial.difference, trial.error
    notes = _rough(lists, test, trial.asked)
    why = _lacking(lists)
    if not why and error != error:
        why = "one item of a class has no variance"
    elif not why and error == 0 and abs(difference) > TOLERANCE:
        # Where values cannot vary, equal values are all that no difference allows.
        why = "no variance, as the items of a class all have one value"
    if why:
        return _undefined(trial, why, notes)
    if error == 0:
        return Result(1.0, Method("no variance"), notes=notes)
    distance = -abs(difference) / error
    if math.isinf(freedom := _freedom(lists, test)):
        return Result(
            max(float(2 * special().ndtr(distance)), LEAST), Method("normal"), notes=notes
        )
    p = max(float(2 * special().stdtr(freedom, distance)), LEAST)
    return Result(p, Method("Student's t", freedom=freedom), notes=notes)


#: What finds p, by the name of the test.
_TESTS: dict[str, Callable[[_Trial], Result]] = {
    "permutation": _permuted,
    "fisher": _fisher,
    "bootstrap": _bootstrap,
    **{name: partial(_normal, name) for name in ("delong", "influence", "obuchowski")},
}


def _lacking(lists: list[Lists]) -> str:
    """Why a single list has no variance, if it has none."""
    if len(lists) > 1:
        return ""
    if lists[0].freedom <= 0:
        group = lists[0].group
        alone = group is not None and not group.any()
        return "one group has no variance" if alone else "all items of a class are of one group"
    return (
        "one item of a class has no variance"
        if lists[0].group is None and lists[0].lone_class()
        else ""
    )


def _undefined(trial: _Trial, why: str, notes: tuple[Note, ...]) -> Result:
    undefined = UndefinedP("", why, _has_exchanges(trial.asked))
    nothing = math.nan, math.nan
    return Result(
        math.nan, Method("undefined", undefined=why), edges=nothing, notes=(*notes, undefined)
    )


def _has_exchanges(asked: MeasureOfList) -> bool:
    """Whether items can be exchanged, too, which assumes no distribution."""
    return asked.part is None


def _rough(lists: list[Lists], test: str, asked: MeasureOfList) -> tuple[Note, ...]:
    """Where a distribution that is assumed is rough."""
    counts = [pair.first.counts for pair in lists]
    hits, others = (math.fsum(each.sizes()[side] for each in counts) for side in (0, 1))
    items, few = hits + others, min(hits, others)
    exchange = _has_exchanges(asked)
    if (
        asked.cutoff is None
        and test == "influence"
        and exchange
        and hits < _FEW_INFLUENCES
        and hits * _RARE <= items
    ):
        return (RareHits("", hits, items),)
    if groups := lists[0].few_groups:
        # Of fewer than six groups there are too few exchanges for a p of 5 %.
        group = lists[0].group
        enough = exchange and group is not None and int(group.max()) >= 5
        rough = "the normal" if test == "obuchowski" else "Student's"
        return (RoughOfGroups("", *groups, rough, enough),)
    within = others if asked.part is None else asked.part * others
    if within < min(_FEW, others):
        return (RoughOfPart("", within),)
    if few < _FEW:
        return (RoughOfClass("", few, exchange),)
    heavy = counts[0].heavy()
    if heavy is not None and heavy < _FEW:
        return (FewHeavyItems("", heavy),)
    return ()


def _sort_items(pair: Lists) -> tuple[Bool, Float64, Int64, Int64, Int64]:
    """A list's items in an order of their own, so that what is drawn does not depend on how they
    are listed.
    """
    group = np.arange(len(pair.relevant)) if pair.group is None else pair.group
    keys = (pair.weights, pair.first.block, pair.second.block, pair.relevant)
    # Of items that are alike the order is that of what their groups hold; of alike groups it does
    # not matter.
    of_groups = () if pair.group is None else (group, pair.codes(as_one=False)[group])
    order = np.lexsort((*of_groups, *keys))
    # Groups are numbered by the first of their items.
    _, at, member = np.unique(group[order], return_index=True, return_inverse=True)
    unit = np.argsort(np.argsort(at))[member]
    return pair.relevant[order], keys[0][order], keys[1][order], keys[2][order], unit


def _redrawn(
    lists: list[Lists], asked: MeasureOfList, rng: Rng, resamples: int, level: float
) -> Result:
    made, seed = generator_and_seed(rng)
    listed = sorted(
        map(_sort_items, lists), key=lambda columns: [column.tobytes() for column in columns]
    )

    total, known = np.zeros(resamples), np.zeros(resamples)
    for relevant, weight, *blocks, unit in listed:
        missed = int(lists[0].missed)
        both = [WeightedCases(Cases(block, relevant, weight, unit), missed) for block in blocks]
        # The same units of both.
        streams = both[0].streams(resamples, made)
        if asked.name == "AUC":
            first, second = (asked.scale * each for each in areas(both, *streams, asked.part))
        else:
            first, second = (side.precisions(*streams, apart=True) for side in both)
        # A redrawn list of one class is left out, as a list of one class is; its fellows still say
        # something.
        total += np.nan_to_num(first - second)
        known += ~np.isnan(first)
    redrawn = np.divide(total, known, out=np.full(resamples, np.nan), where=known > 0)
    # A redrawn list of one class has no value; it says nothing for either system.
    redrawn = redrawn[~np.isnan(redrawn)]
    if not len(redrawn):
        nothing = (math.nan, math.nan)
        method = Method("undefined", undefined="no redrawn list has both classes", seed=seed)
        return Result(math.nan, method, edges=nothing, seed=seed)
    tail = min(int((redrawn <= TOLERANCE).sum()), int((redrawn >= -TOLERANCE).sum()))
    p = min(1.0, 2 * float(p_of_samples(tail, len(redrawn))))
    low, high = np.quantile(redrawn, [(1 - level) / 2, (1 + level) / 2]).tolist()
    units = "items" if lists[0].group is None else "groups"
    method = Method("resampled", drawn=units, resamples=len(redrawn), seed=seed)
    return Result(p, method, edges=(low, high), seed=seed)
