"""Two scored lists of the same items: their measures, and the variance of the difference.

Items may have sampling weights and come in groups; some relevant items may be in neither list. Each
item has an influence on the difference, and the influences give its variance.
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
from precall.core.rng import Rng, seeded
from precall.core.text import many
from precall.stats import influence, quantiles
from precall.stats.blocks import Blocks, Cases, effective_groups, inner
from precall.stats.influence import Ranked, precision_influence, ranked, roc_influence
from precall.stats.intervals.areas import PrecisionWithBounds
from precall.stats.resample.batches import TOLERANCE, p_of_samples
from precall.stats.resample.resampling import WeightedCases, areas
from precall.stats.scipy import special
from precall.stats.tests import ELSEWHERE, INSTEAD, OF_LISTS, OF_PARTS, OF_TOPS, tops
from precall.stats.tests.comparisons import Comparison, bounds
from precall.stats.tests.exchange import Exchange, exchange, p_of_exchanges
from precall.stats.tests.order import UInt64, bounds_as_called, codes, codes_of_groups, is_turned
from precall.stats.tests.paired import Result, midranks
from precall.stats.tests.signflip import LEAST
from precall.stats.tests.tops import Valued

#: With a smaller effective number of groups, Student's distribution is a rough approximation, as
#: for intervals (docs/how-to/intervals.md).
_FEW_GROUPS = 8


class ListMeasure(NamedTuple):
    """A measure of a list: "AP", "AUC" or a part of it, or "P" or "R" of the first ranks.

    A part is the area up to this false positive rate; `mcclish` rescales it to .5 (chance) .. 1.
    """

    name: str
    label: str
    cutoff: int | None = None
    part: float | None = None
    mcclish: bool = False

    @classmethod
    def of(cls, measure: str, part: tuple[float, bool] | None) -> ListMeasure:
        """From the name of a measure; with a `part` it is that of an area."""
        if part is not None:
            return cls("AUC", measure, None, *part)
        return cls(*tops.parse_measure(measure)[:1], measure, tops.parse_measure(measure)[1])

    @property
    def scale(self) -> float:
        """Factor of an area."""
        return 0.5 / (self.part - self.part**2 / 2) if self.mcclish and self.part else 1.0

    def value(self, area: float) -> float:
        """The area on the scale of the measure."""
        if not self.mcclish or not self.part:
            return area
        return 0.5 + self.scale * (area - self.part**2 / 2)


class Items(NamedTuple):
    """Items with both scores.

    `weight` has sampling weights (None: all weigh 1); `missed` relevant items are in neither list.
    """

    relevant: Bool
    first: Any
    second: Any
    group: Int64 | None = None
    weight: Float64 | None = None
    missed: int | float = 0


class Lists(NamedTuple):
    """Labels of the items of one list, their blocks by either score, and the group and weight of
    each.

    `freedom` has the degrees of freedom of the variance: the effective number of groups minus 1;
    infinite without groups. For average precision they may be fewer, by `of_sums` of the groups'
    influences.
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
        """The number of groups and their effective number, if that is small; else None."""
        if self.group is None or self.freedom + 1 >= _FEW_GROUPS:
            return None
        return int(self.group.max()) + 1, self.freedom + 1

    @property
    def have_same_order(self) -> bool:
        """Whether both scores order all items in the same way."""
        return np.array_equal(self.first.block, self.second.block)

    def swap(self) -> Lists:
        """The same lists with the second one first."""
        return self._replace(first=self.second, second=self.first)

    def codes(self, as_one: bool) -> UInt64:
        """A hash for each item or group, or one for all items: equal lists have equal hashes,
        whatever the order of their items.
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
        """The exchanges of their ranks, for measures up to a cutoff or of the whole list."""
        # Mean ranks of ties, doubled to make them integers: so both lists have the same scale.
        ranks = [
            np.rint(2 * midranks(side.block.astype(np.float64))).astype(np.int64)
            for side in self[1:3]
        ]
        if cutoff is not None and cutoff < len(self.relevant):
            # In both lists, and after any exchange, `cutoff` items have at most this rank. All
            # ranks behind it are one position.
            last = np.partition(np.maximum(ranks[0], ranks[1]), cutoff - 1)[cutoff - 1]
            ranks = [np.minimum(rank, last + 1) for rank in ranks]
        return exchange(self.relevant, ranks[0], ranks[1], self.group, self.weight)

    @property
    def has_groups_or_weights(self) -> bool:
        """Whether items are in groups or have unequal weights: then influences reject more often
        than exchanges.
        """
        return self.group is not None or bool(self.weight is not None and np.ptp(self.weight) > 0)

    def precisions(self) -> list[PrecisionWithBounds]:
        """Average precision of either list, with the bounds of its interval."""
        precisions = []
        for side in (self.first, self.second):
            cases = Cases(side.block, self.relevant, self.weights, self.group).sorted()
            counts = side.counts
            precisions.append(
                PrecisionWithBounds.of(
                    Blocks(counts.positive, counts.negative, counts.missed, counts.real, cases)
                )
            )
        return precisions

    def lone_class(self) -> bool:
        """Whether a class has only one item, and so no variance."""
        hits = int(np.count_nonzero(self.relevant))
        return 1 in (hits + self.missed, len(self.relevant) - hits)


def lists_of(items: Items, topics: Int64 | None) -> tuple[list[Lists], int]:
    """The lists that have both classes, and the number of lists that do not."""
    relevant = items.relevant
    rows_of_topics: list[Any] = [slice(None)] if len(relevant) else []
    if topics is not None:
        rows_of_topics = [np.flatnonzero(topics == topic) for topic in np.unique(topics).tolist()]
    rows_of_lists = [
        rows
        for rows in rows_of_topics
        if 0 < np.count_nonzero(relevant[rows]) < len(relevant[rows])
    ]
    check_both(len(rows_of_lists), relevant)
    # Groups, weights and missed items belong to a single list: then there are no topics.
    group, weight, missed = items[3:]
    freedom = math.inf
    if group is not None:
        ones = np.ones(len(relevant)) if weight is None else weight
        freedom = effective_groups(relevant, ones, group) - 1
    lists = []
    for labels, rows in ((relevant[rows], rows) for rows in rows_of_lists):
        first, second = (
            ranked(labels, score[rows], weight, missed) for score in (items.first, items.second)
        )
        lists.append(Lists(labels, first, second, group, freedom, weight, missed))
    return lists, len(rows_of_topics) - len(rows_of_lists)


def check_both(lists: int, relevant: Bool) -> None:
    """Refuse items of one class only."""
    if not lists:
        problem = (
            f"{'every' if relevant.any() else 'no'} item is relevant, a comparison needs relevant "
            "and other items"
        )
        raise DataError(
            [Problem("relevant", None, problem, "check the labels, or say which is positive")]
        )


def influences(lists: Lists, list_measure: ListMeasure) -> list[Valued]:
    """The value of either list, and the influence of each item on it."""
    sides = (lists.first, lists.second)
    if list_measure.cutoff is not None:
        return tops.values(
            lists.relevant, sides, list_measure.name, list_measure.cutoff, lists.missed
        )
    if list_measure.name == "AP":
        return [precision_influence(lists.relevant, ranking) for ranking in sides]
    return [roc_influence(lists.relevant, ranking, list_measure.part) for ranking in sides]


def variance(
    lists: Lists, valued: list[Valued], list_measure: ListMeasure, test: str | None = None
) -> float:
    """Variance of the difference: DeLong's for areas; for AP the sum of squared differences of
    influence.

    With groups, influences are summed over each group first; "obuchowski" uses Obuchowski's
    variance for groups. Influences are multiplied by the weights; missed items also have an
    influence.
    """
    differences, relevant = valued[0][1] - valued[1][1], lists.relevant
    difference = valued[0][0] - valued[1][0]
    if list_measure.cutoff is not None and lists.group is None:
        in_tops = differences_in_tops(lists, list_measure.cutoff)
        return tops.variance(
            relevant, in_tops, list_measure.name, list_measure.cutoff, difference, lists.missed
        )
    of_area = list_measure.name == "AUC"
    if lists.lone_class() and lists.group is None:
        return math.nan
    if lists.group is None and lists.weight is None and not lists.missed:
        if not of_area:
            return inner(differences, differences)
        classes = [differences[relevant], differences[~relevant]]
        return math.fsum(values.var(ddof=1) / len(values) for values in classes)
    if of_area:
        for kind, size_of_class in (
            (relevant, lists.first.counts.relevant),
            (~relevant, lists.first.counts.other),
        ):
            differences[kind] = (differences[kind] - difference) / size_of_class
    weighted_differences = differences if lists.weight is None else differences * lists.weight
    if lists.group is not None:
        if test == "obuchowski":
            return influence.obuchowski(weighted_differences, relevant, lists.group)
        return influence.variance_of_groups(
            weighted_differences, relevant, lists.weights, lists.group
        )
    of_missed = lists.missed * (difference / lists.first.counts.relevant) ** 2
    if not of_area:
        return inner(weighted_differences, weighted_differences) + of_missed
    squares = [
        inner(weighted_differences[kind], weighted_differences[kind])
        for kind in (relevant, ~relevant)
    ]
    squares[0] += of_missed
    sizes = lists.first.counts.sizes()
    squares_and_sizes = zip(squares, sizes, strict=True)
    return math.fsum(square * size / (size - 1) for square, size in squares_and_sizes)


def sums_of_differences(lists: Lists, valued: list[Valued]) -> Float64:
    """Sums over groups of the differences of influence, which the variance squares."""
    assert lists.group is not None
    weighted_differences = (valued[0][1] - valued[1][1]) * lists.weights
    return influence.sums_of_groups(
        weighted_differences, lists.relevant, lists.weights, lists.group
    )


def mover(
    lists: Lists, valued: list[Valued], pair: list[PrecisionWithBounds], level: float
) -> tuple[float, float]:
    """Interval of a difference of average precisions from the intervals of both (Zou & Donner
    2008).

    The dependence of the two is the correlation of the influences of items or groups.
    """
    sums: list[Float64] = [influences_ * lists.weights for _, influences_ in valued]
    if lists.group is not None:
        sums = [
            np.bincount(lists.group, weights=influences_).astype(np.float64) for influences_ in sums
        ]
    (first, low_a, high_a), (second, low_b, high_b) = (
        (each.value, *each.bounds(level)) for each in pair
    )
    of_missed = lists.missed / lists.first.counts.relevant**2
    squares = [
        inner(influences_, influences_) + of_missed * value[0] ** 2
        for influences_, value in zip(sums, valued, strict=True)
    ]
    product = inner(*sums) + of_missed * valued[0][0] * valued[1][0]
    norm = math.sqrt(squares[0]) * math.sqrt(squares[1])
    correlation = min(max(product / norm, -1.0), 1.0) if norm else 0.0

    def half(one: float, other: float) -> float:
        return math.sqrt(max(one * one + other * other - 2 * correlation * one * other, 0.0))

    difference = first - second
    return (
        difference - half(first - low_a, high_b - second),
        difference + half(high_a - first, second - low_b),
    )


def differences_in_tops(lists: Lists, cutoff: int) -> Float64:
    """Each item's share in the first list's top minus that in the second's."""
    return tops.shares(lists.first, cutoff) - tops.shares(lists.second, cutoff)


def areas_of_topics(
    items: Items, topics: Int64
) -> tuple[list[Lists], int, list[list[float]], float]:
    """The topics with both classes as one list, the number of other topics, the areas by either
    score, and the sum of the variances.

    It computes for all topics at once what `lists_of`, `influences` and `variance` compute for
    each.
    """
    relevant = items.relevant
    hits, size = (
        np.bincount(labels, minlength=int(topics.max(initial=-1)) + 1)
        for labels in (topics[relevant], topics)
    )
    has_both = (hits > 0) & (hits < size)
    check_both(int(has_both.sum()), relevant)
    rows = np.flatnonzero(has_both[topics])
    relevant, topic = relevant[rows], (np.cumsum(has_both) - 1)[topics[rows]]
    sides = [
        influence.ranked_by_topic(relevant, score[rows], topic)
        for score in (items.first, items.second)
    ]
    (first, of_first), (second, of_second) = (
        influence.roc_influences(relevant, side, topic) for side in sides
    )
    difference, kind = of_first - of_second, 2 * topic + relevant
    number = np.bincount(kind)
    deviations = difference - (np.bincount(kind, difference) / number)[kind]
    with np.errstate(invalid="ignore"):
        # A class with one item has no variance: 0/0.
        variances = np.bincount(kind, deviations**2) / (number - 1) / number
    return (
        [Lists(relevant, sides[0], sides[1], None, math.inf)],
        int(np.count_nonzero(size)) - len(first),
        [first.tolist(), second.tolist()],
        math.fsum(variances),
    )


RESAMPLES = 5_000
#: Treatment of equal scores at a cutoff: the mean over all their orders.
EXPECTED = "expected"
#: Method of p for two lists that order all items in the same way; they also have no interval.
_ALIKE = Method("the same order")
_FEW, _NONE = 20, 1e-15
#: Exchanges of this many rows of items take seconds; with more, AP is by default tested by
#: influences.
LARGE = 100_000
#: With fewer than 300 relevant items that are one in twenty or less, influences reject too seldom:
#: 1.2 % at 5 % with 20 of 2,000, 2.2 % with 100 of 10,000, 3.3 % with 200 of 20,000.
_RARE, _FEW_INFLUENCES = 20, 300
#: With groups, if the two biases differ by more than this share of the error, exchanges rejected up
#: to 10 % at 5 %.
_UNLIKE = 0.25


def compared(
    items: Items,
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
    """Compare two scored lists of the same items; see `precall.compare.cases`.

    Groups and topics are numbers. `part` is the false positive rate up to which an area goes, and
    whether it is rescaled to .5 .. 1.
    """
    list_measure = ListMeasure.of(measure, part)
    test = _choose_test(list_measure, test, items, topics)
    check_level(level)
    check_whole("resamples", resamples, 1)
    if (
        topics is not None
        and list_measure.name == "AUC"
        and part is None
        and test in (None, "delong")
    ):
        # This result does not depend on which list comes first.
        lists, left_out, values, variances = areas_of_topics(items, topics)
        is_swapped: bool | None = False
        valued = []
    else:
        lists, left_out = lists_of(items, topics)
        valued = [influences(pair, list_measure) for pair in lists]
        values = [[both[side][0] for both in valued] for side in (0, 1)]
        is_swapped = _is_second_first(values, lists)
        if is_swapped:
            lists, valued = [pair.swap() for pair in lists], [both[::-1] for both in valued]
            values, names = values[::-1], names[::-1]
        variances = math.fsum(
            variance(*pair, list_measure, test) for pair in zip(lists, valued, strict=True)
        )
    first, second = (list_measure.value(mean(side)) for side in values)
    difference = first - second
    error = list_measure.scale * math.sqrt(variances) / len(values[0])
    # For parts and groups, rounding can leave a tiny error instead of 0.
    error = 0.0 if error <= _NONE else error
    if list_measure.name == "AP" and lists[0].group is not None:
        sums = sums_of_differences(lists[0], valued[0])
        lists = [lists[0]._replace(of_sums=influence.freedom_of_groups(sums, lists[0].freedom + 1))]
    chosen, result = _run_test(
        test, _Trial(lists, list_measure, difference, error, resamples, level, rng)
    )
    freedom, few_groups = lists[0].freedom, lists[0].few_groups
    half = quantiles.t(level, _freedom(lists, chosen)) * error if freedom > 0 else math.nan
    edges, interval_method = (
        result.edges or (difference - half, difference + half),
        _interval(list_measure, chosen),
    )
    if (
        list_measure.name == "AP"
        and topics is None
        and lists[0].has_groups_or_weights
        and half == half
        and error
    ):
        pair = lists[0].precisions()
        result = result._replace(
            notes=(*result.notes, *_notes_of_bias(pair, lists[0], chosen, error))
        )
        if chosen == "permutation":
            edges, interval_method = mover(lists[0], valued[0], pair, level), "mover"
            result = result._replace(notes=(*result.notes, IntervalByMover("")))
    if (
        list_measure.name == "AP"
        and topics is None
        and (heavy := lists[0].first.counts.few_heavy_relevant())
    ):
        # For exchanges as well, because the weights may be related to only one of the scores.
        result = result._replace(
            notes=tuple(dict.fromkeys((*result.notes, FewHeavyItems("", heavy))))
        )
    # Two areas, and two average precisions, are never more than 1 apart.
    edges = bounds_as_called(*edges, None if is_swapped is None else False)
    low, high = bounds(*np.clip(edges, -1, 1).tolist())
    notes = result.notes if not left_out else (*result.notes, OneClassTopics("", left_out))
    if few_groups and low is not None and chosen not in ("delong", "influence", "obuchowski"):
        notes = (*notes, FewGroups("", *few_groups))
    why = _ALIKE.name if result.method == _ALIKE else "no variance"
    comparison = Comparison(
        names=names,
        measure=_label(measure, lists, None if topics is None else len(values[0])),
        values=(first, second),
        difference=difference,
        low=low,
        high=high,
        level=level,
        p=result.p,
        test=chosen,
        method=result.method,
        size=sum(len(pair.relevant) for pair in lists),
        left_out=left_out,
        statistic=difference / error if error > 0 else None,
        notes=notes,
        seed=result.seed,
        no_interval="" if low is not None else why,
        interval=interval_method,
        equal_scores="" if list_measure.cutoff is None else EXPECTED,
    )
    return comparison.swap() if is_swapped else comparison


def _is_second_first(values: list[list[float]], lists: list[Lists]) -> bool | None:
    """Whether the second list is taken first; None if nothing distinguishes the lists.

    The list with the higher mean comes first; for equal means the items decide.
    """
    first, second = map(mean, values)
    if first != second:
        return first < second
    # One hash per topic, or per item or group of a single list.
    sides = (lists, [pair.swap() for pair in lists])
    return is_turned(
        *(np.concatenate([pair.codes(as_one=len(lists) > 1) for pair in side]) for side in sides)
    )


def _interval(list_measure: ListMeasure, test: str) -> str:
    """Method of the interval: tests that exchange or count items have that of influences, or for
    areas DeLong's.
    """
    if test in ("permutation", "fisher"):
        return "delong" if list_measure.name == "AUC" else "influence"
    return "percentile" if test == "bootstrap" else test


def _notes_of_bias(
    pair: list[PrecisionWithBounds], lists: Lists, test: str, error: float
) -> tuple[Note, ...]:
    """Notes on biases that affect the test: by weights that differ between classes, and by groups
    that matter more to one list.
    """
    if any(each.has_wide_centres for each in pair):
        return (BothTooHigh("", test),)
    first, second = (each.value - (each.low + each.high) / 2 for each in pair)
    if lists.group is not None and abs(first - second) > _UNLIKE * error:
        return (UnlikeBiases("", abs(first - second), error),)
    return ()


def _freedom(lists: list[Lists], test: str) -> float:
    """Degrees of freedom; Obuchowski's test uses the normal distribution."""
    return math.inf if test == "obuchowski" else min(lists[0].freedom, lists[0].of_sums)


def _choose_test(
    list_measure: ListMeasure, test: str | None, items: Items, topics: Int64 | None
) -> str | None:
    """The full name of the test; an error if these items have no such test."""
    has_groups = items.group is not None
    if has_groups and topics is not None:
        raise UsageError(
            argument="groups and topics", what="both given", remedy="leave one of them out"
        )
    if list_measure.part is not None:
        allowed: tuple[str, ...] = OF_PARTS
    else:
        allowed = (
            OF_LISTS[list_measure.name]
            if list_measure.cutoff is None
            else OF_TOPS[list_measure.name]
        )
    if test is not None:
        test = choose(f"test of {list_measure.label}", test, allowed, ELSEWHERE, INSTEAD)
    if test == "fisher" and (has_groups or topics is not None):
        raise UsageError(
            "⟨test='fisher'⟩ takes one list of single items", remedy="pass ⟨test='permutation'⟩"
        )
    if items.weight is not None:
        _refuse_weights(list_measure, test, topics)
    if items.missed and (has_groups or topics is not None):
        which = "groups" if has_groups else "topics"
        raise UsageError(
            argument="missed",
            what=f"items that no list has are in none of the {which}",
            remedy=f"leave ⟨{which}=⟩ or ⟨missed=⟩ out",
        )
    return test


def _refuse_weights(list_measure: ListMeasure, test: str | None, topics: Int64 | None) -> None:
    """Refuse tests and measures that count items, because real weights are not counts."""
    if topics is not None:
        raise UsageError(
            argument="weights",
            what="of topics only integers, which repeat an item",
            remedy="leave ⟨topics=⟩ out",
        )
    if list_measure.cutoff is not None:
        problem = f"{list_measure.label} counts the first {list_measure.cutoff} items"
        raise UsageError(
            argument="weights",
            what=f"{problem}, and only integers, which repeat an item, are counts",
        )
    if test == "obuchowski":
        others = [repr(name) for name in OF_LISTS[list_measure.name] if name != test]
        raise UsageError(
            argument=f"test={test!r}",
            what="has no published weights",
            allowed=Among("of real weights there are", others),
        )


def _label(measure: str, lists: list[Lists], topics: int | None) -> str:
    """Name of the compared measure with its topics or groups, so that no name means two numbers."""
    if topics is not None:
        return f"mean {measure} over {many(topics, 'topic')}"
    group = lists[0].group
    return measure if group is None else f"{measure}, {many(int(group.max()) + 1, 'group')}"


class _Trial(NamedTuple):
    """The arguments of a test."""

    lists: list[Lists]
    list_measure: ListMeasure
    difference: float
    error: float
    resamples: int
    level: float
    rng: Rng


def _run_test(test: str | None, trial: _Trial) -> tuple[str, Result]:
    """The name of the test that is made, by default one that keeps its size, and its result."""
    default = "delong" if trial.list_measure.name == "AUC" else "permutation"
    if all(pair.have_same_order for pair in trial.lists):
        return test or default, Result(1.0, _ALIKE, notes=(SameOrder(""),))
    if test is None and default == "permutation":
        return _test_by_size(trial)
    return test or default, _TESTS[test or default](trial)


def _test_by_size(trial: _Trial) -> tuple[str, Result]:
    """The test by exchanges of items; by influences if exchanges would take long."""
    # A lower bound of the rows: each block with a relevant item is a position, with one before it.
    rows = sum(
        2 * max(int((side.counts.positive > 0).sum()) for side in pair[1:3]) for pair in trial.lists
    )
    if rows <= LARGE:
        exchanges = _exchanges(trial)
        rows = sum(pair.rows for pair in exchanges)
        if rows <= LARGE:
            return "permutation", _permutation(trial, exchanges)
    result = _normal("influence", trial)
    return "influence", result._replace(notes=(InfluenceByDefault("", rows, LARGE), *result.notes))


def _exchanges(trial: _Trial) -> list[Exchange]:
    return [pair.exchange(trial.list_measure.cutoff) for pair in trial.lists]


def _permutation(trial: _Trial, exchanges: list[Exchange] | None = None) -> Result:
    list_measure, resamples = trial.list_measure, trial.resamples
    # Missed items make every difference smaller by the same factor, except for precision.
    counts = trial.lists[0].first.counts
    share_found = (
        1.0 if list_measure.name == "P" else counts.relevant / (counts.relevant - counts.missed)
    )
    chosen = _exchanges(trial) if exchanges is None else exchanges
    p, method = p_of_exchanges(
        chosen,
        list_measure.name,
        trial.difference * share_found,
        trial.rng,
        resamples,
        list_measure.cutoff,
    )
    least = method.seed is not None and p * (resamples + 1) < 1.5
    notes = (LeastOfExchanges("", p, resamples),) if least else ()
    return Result(p, method, seed=method.seed, notes=notes)


def _fisher(trial: _Trial) -> Result:
    first, cutoff = trial.lists[0], trial.list_measure.cutoff or 1
    return tops.fisher(
        first.relevant, differences_in_tops(first, cutoff), trial.rng, trial.resamples
    )


def _bootstrap(trial: _Trial) -> Result:
    if why := _why_no_variance(trial.lists):
        return _undefined(trial, why, ())
    return _redraw_lists(trial.lists, trial.list_measure, trial.rng, trial.resamples, trial.level)


def _normal(test: str, trial: _Trial) -> Result:
    """p by the standard normal distribution, or with groups by Student's, and its notes."""
    lists, difference, error = trial.lists, trial.difference, trial.error
    notes = _notes_of_roughness(lists, test, trial.list_measure)
    why = _why_no_variance(lists)
    if not why and error != error:
        why = "one item of a class has no variance"
    elif not why and error == 0 and abs(difference) > TOLERANCE:
        # The values cannot vary, so without a true difference they would be equal.
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


#: The functions that compute p, by the name of the test.
_TESTS: dict[str, Callable[[_Trial], Result]] = {
    "permutation": _permutation,
    "fisher": _fisher,
    "bootstrap": _bootstrap,
    **{name: partial(_normal, name) for name in ("delong", "influence", "obuchowski")},
}


def _why_no_variance(lists: list[Lists]) -> str:
    """Why a single list has no variance; empty if it has one."""
    if len(lists) > 1:
        return ""
    if lists[0].freedom <= 0:
        group = lists[0].group
        is_single_group = group is not None and not group.any()
        return (
            "one group has no variance"
            if is_single_group
            else "all items of a class are of one group"
        )
    return (
        "one item of a class has no variance"
        if lists[0].group is None and lists[0].lone_class()
        else ""
    )


def _undefined(trial: _Trial, why: str, notes: tuple[Note, ...]) -> Result:
    undefined = UndefinedP("", why, _has_exchanges(trial.list_measure))
    nothing = math.nan, math.nan
    return Result(
        math.nan, Method("undefined", undefined=why), edges=nothing, notes=(*notes, undefined)
    )


def _has_exchanges(list_measure: ListMeasure) -> bool:
    """Whether items can also be exchanged, which assumes no distribution."""
    return list_measure.part is None


def _notes_of_roughness(
    lists: list[Lists], test: str, list_measure: ListMeasure
) -> tuple[Note, ...]:
    """The note on a rough approximation by the assumed distribution, if it is rough."""
    counts = [pair.first.counts for pair in lists]
    hits, others = (math.fsum(each.sizes()[side] for each in counts) for side in (0, 1))
    items, scarcer = hits + others, min(hits, others)
    exchange = _has_exchanges(list_measure)
    if (
        list_measure.cutoff is None
        and test == "influence"
        and exchange
        and hits < _FEW_INFLUENCES
        and hits * _RARE <= items
    ):
        return (RareHits("", hits, items),)
    if groups := lists[0].few_groups:
        # Fewer than six groups have too few exchanges for a p of 5 %.
        group = lists[0].group
        enough = exchange and group is not None and int(group.max()) >= 5
        distribution = "the normal" if test == "obuchowski" else "Student's"
        return (RoughOfGroups("", *groups, distribution, enough),)
    others_within = others if list_measure.part is None else list_measure.part * others
    if others_within < min(_FEW, others):
        return (RoughOfPart("", others_within),)
    if scarcer < _FEW:
        return (RoughOfClass("", scarcer, exchange),)
    heavy = counts[0].heavy()
    if heavy is not None and heavy < _FEW:
        return (FewHeavyItems("", heavy),)
    return ()


def _sort_items(pair: Lists) -> tuple[Bool, Float64, Int64, Int64, Int64]:
    """A list's items in an order that depends only on their data, so that the draws do not depend
    on how they are listed.
    """
    group = np.arange(len(pair.relevant)) if pair.group is None else pair.group
    keys = (pair.weights, pair.first.block, pair.second.block, pair.relevant)
    # Equal items are ordered by the contents of their groups; for equal groups the order does not
    # matter.
    of_groups = () if pair.group is None else (group, pair.codes(as_one=False)[group])
    order = np.lexsort((*of_groups, *keys))
    # Groups are numbered by the first of their items.
    _, at, member = np.unique(group[order], return_index=True, return_inverse=True)
    unit = np.argsort(np.argsort(at))[member]
    return pair.relevant[order], keys[0][order], keys[1][order], keys[2][order], unit


def _redraw_lists(
    lists: list[Lists], list_measure: ListMeasure, rng: Rng, resamples: int, level: float
) -> Result:
    generator, seed = seeded(rng)
    listed = sorted(
        map(_sort_items, lists), key=lambda columns: [column.tobytes() for column in columns]
    )

    total, list_count = np.zeros(resamples), np.zeros(resamples)
    for relevant, weight, *blocks, unit in listed:
        missed = int(lists[0].missed)
        both = [WeightedCases(Cases(block, relevant, weight, unit), missed) for block in blocks]
        # The same units are drawn for both scores.
        streams = both[0].streams(resamples, generator)
        if list_measure.name == "AUC":
            first, second = (
                list_measure.scale * each for each in areas(both, *streams, list_measure.part)
            )
        else:
            first, second = (side.precisions(*streams, apart=True) for side in both)
        # A redrawn list with one class is left out, like any list with one class; the other lists
        # of the sample still count.
        total += np.nan_to_num(first - second)
        list_count += ~np.isnan(first)
    redrawn = np.divide(total, list_count, out=np.full(resamples, np.nan), where=list_count > 0)
    # A sample in which every list has one class has no value, and is left out.
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
