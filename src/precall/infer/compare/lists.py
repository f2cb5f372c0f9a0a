"""Two scored lists of the same items: is one average precision, or area under ROC, greater than the other?

Both rise and fall together, so differences are tested item by item, or of groups of items that depend on each other.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from precall.checks import check_level, check_whole, choose
from precall.errors import DataError, Problem, UsageError
from precall.infer import influence, quantiles
from precall.infer.blocks import Cases, effective_groups, inner
from precall.infer.compare import ELSEWHERE, INSTEAD, OF_LISTS, OF_TOPS, tops
from precall.infer.compare.comparisons import Comparison, bounds, p_text
from precall.infer.compare.exchange import Exchange, exchange, exchanged
from precall.infer.compare.paired import Result, midranks
from precall.infer.compare.signflip import LEAST
from precall.infer.influence import Ranked, precision_influence, ranked, roc_influence
from precall.infer.libraries import special
from precall.infer.resample.batches import TOLERANCE, sampled_p
from precall.infer.resample.resampling import Weighed
from precall.ragged import Bool, Float64, Int64, mean
from precall.rng import Rng, seeded

RESAMPLES = 5_000
#: How p is found of two lists that order all items alike, which have no interval, either.
_ALIKE = "the same order"
_FEW = 20
#: As of intervals: with effectively fewer groups Student's distribution is rough (docs/intervals.md).
_FEW_GROUPS = 8
#: Exchanges of so many rows of items take seconds; where there are more, AP is by default tested by influences.
LARGE = 100_000
#: With fewer relevant items, one in twenty or less, influences reject too seldom: 1.2 % at 5 % with 20 of 2,000,
#: 2.2 % with 100 of 10,000, 3.3 % with 200 of 20,000.
_RARE, _FEW_INFLUENCES = 20, 300
#: The value of a list, and what each item has to do with it.
Valued = tuple[float, Float64]


class Lists(NamedTuple):
    """Labels of the items of one list, where they stand by either score, and the group of each.

    `freedom` is that of the variance: one less than the effective number of groups; without groups infinite.
    """

    relevant: Bool
    first: Ranked
    second: Ranked
    group: Int64 | None
    freedom: float

    def few_groups(self) -> str:
        """How many groups there are, if these are few."""
        if self.group is None or self.freedom + 1 >= _FEW_GROUPS:
            return ""
        return f"{int(self.group.max()) + 1} groups, effectively {self.freedom + 1:.0f}"

    def exchange(self) -> Exchange:
        """How their ranks can be exchanged."""
        # Ranks, halves made whole: both lists are numbered alike, whatever their ties.
        ranks = [np.rint(2 * midranks(side.block.astype(np.float64))).astype(np.int64) for side in self[1:3]]
        return exchange(self.relevant, ranks[0], ranks[1], self.group)


def compared(
    relevant: Bool, score_a: Any, score_b: Any, groups: Int64 | None = None, *, topics: Int64 | None = None,
    measure: str = "AP", test: str | None = None, level: float = 0.95, resamples: int = RESAMPLES, rng: Rng = 0,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:  # fmt: skip
    """Compare two scored lists of the same items; see `precall.compare.cases`. `groups` and `topics` are numbered."""
    test = _chosen(measure, test, groups is None and topics is None)
    if groups is not None and topics is not None:
        raise UsageError("groups and topics: both given; leave one of them out")
    check_level(level)
    check_whole("resamples", resamples, 1)
    if topics is not None and measure == "AUC" and test in (None, "delong"):
        lists, left_out, values, variance = _areas_of_topics(relevant, (score_a, score_b), topics)
    else:
        lists, left_out = _lists(relevant, score_a, score_b, groups, topics)
        valued = [_influences(pair, measure) for pair in lists]
        values = [[both[side][0] for both in valued] for side in (0, 1)]
        variance = math.fsum(_variance(*pair, measure) for pair in zip(lists, valued, strict=True))
    first, second = map(mean, values)
    difference = first - second
    error = math.sqrt(variance) / len(values[0])
    chosen, result = _tested(lists, measure, test, difference, error, resamples, level, rng)
    freedom, few = lists[0].freedom, lists[0].few_groups()
    half = quantiles.t(level, freedom) * error if freedom > 0 else math.nan
    # Two areas, and two average precisions, are never more than 1 apart.
    low, high = bounds(*(result.edges or np.clip((difference - half, difference + half), -1, 1).tolist()))
    notes = (*result.notes, *[f"{left_out} topics of one class only left out"] * (left_out > 0))
    if few and low is not None and chosen not in ("delong", "influence"):
        notes = (*notes, f"{few}, are few; the interval can miss its level")
    alike = result.how if result.how == _ALIKE else "no variance"
    return Comparison(
        names=names, measure=_label(measure, lists, None if topics is None else len(values[0])), values=(first, second),
        difference=difference,        low=low, high=high, level=level, p=result.p, test=chosen, how=result.how,
        size=sum(len(pair.relevant) for pair in lists), left_out=left_out,
        statistic=difference / error if error > 0 else None, notes=notes, seed=result.seed,
        no_interval="" if low is not None else alike,
    )  # fmt: skip


def _chosen(measure: str, test: str | None, alone: bool) -> str | None:
    """The test that is meant; `alone` says that the items are single ones of one list."""
    name, cutoff = tops.parsed(measure)
    if test is not None:
        allowed = OF_LISTS[name] if cutoff is None else OF_TOPS[name]
        test = choose(f"test of {measure}", test, allowed, ELSEWHERE, INSTEAD)
    if test == "fisher" and not alone:
        raise UsageError("test='fisher' takes one list of single items; pass test='permutation'")
    return test


def _label(measure: str, lists: list[Lists], topics: int | None) -> str:
    """What is compared, in words: the same name must not mean two numbers."""
    if topics is not None:
        return f"mean {measure} over {topics} topics"
    group = lists[0].group
    return measure if group is None else f"{measure}, {int(group.max()) + 1} groups"


def _lists(
    relevant: Bool, score_a: Any, score_b: Any, groups: Int64 | None, topics: Int64 | None
) -> tuple[list[Lists], int]:
    """The lists that have both classes, and how many have not."""
    every: list[Any] = [slice(None)] if len(relevant) else []
    if topics is not None:
        every = [np.flatnonzero(topics == topic) for topic in np.unique(topics).tolist()]
    kept = [rows for rows in every if 0 < np.count_nonzero(relevant[rows]) < len(relevant[rows])]
    _check_both(len(kept), relevant)
    # Groups are of one list: there are no topics then.
    freedom = math.inf if groups is None else effective_groups(relevant, np.ones(len(relevant)), groups) - 1
    lists = [
        Lists(some, ranked(some, score_a[rows]), ranked(some, score_b[rows]), groups, freedom)
        for some, rows in ((relevant[rows], rows) for rows in kept)
    ]
    return lists, len(every) - len(kept)


def _check_both(lists: int, relevant: Bool) -> None:
    if not lists:
        what = f"{'every' if relevant.any() else 'no'} item is relevant, a comparison needs relevant and other items"
        raise DataError([Problem("relevant", None, what, "check the labels, or say which is positive")])


def _areas_of_topics(
    relevant: Bool, scores: tuple[Any, Any], topics: Int64
) -> tuple[list[Lists], int, list[list[float]], float]:
    """Topics that have both classes as one list, how many have not, their areas by either score, and the sum of variances.

    What `_lists`, `_influences` and `_variance` say of each topic by itself, of all at once.
    """
    hits, size = (
        np.bincount(part, minlength=int(topics.max(initial=-1)) + 1) for part in (topics[relevant], topics)
    )
    kept = (hits > 0) & (hits < size)
    _check_both(int(kept.sum()), relevant)
    rows = np.flatnonzero(kept[topics])
    relevant, topic = relevant[rows], (np.cumsum(kept) - 1)[topics[rows]]
    sides = [influence.ranked_by_topic(relevant, score[rows], topic) for score in scores]
    (first, of_first), (second, of_second) = (
        influence.roc_influences(relevant, side, topic) for side in sides
    )
    difference, kind = of_first - of_second, 2 * topic + relevant
    number = np.bincount(kind)
    away = difference - (np.bincount(kind, difference) / number)[kind]
    with np.errstate(invalid="ignore"):
        # One item of a class has no variance.
        variances = np.bincount(kind, away**2) / (number - 1) / number
    lists = [Lists(relevant, sides[0], sides[1], None, math.inf)]
    return (
        lists,
        int(np.count_nonzero(size)) - len(first),
        [first.tolist(), second.tolist()],
        math.fsum(variances),
    )


def _influences(lists: Lists, measure: str) -> list[Valued]:
    """For either list its value, and what each item has to do with it."""
    name, cutoff = tops.parsed(measure)
    if cutoff is not None:
        return tops.values(lists.relevant, (lists.first, lists.second), name, cutoff)
    valued = precision_influence if measure == "AP" else roc_influence
    return [valued(lists.relevant, place) for place in (lists.first, lists.second)]


def _variance(lists: Lists, valued: list[Valued], measure: str) -> float:
    """Of the difference: DeLong's for areas; for AP the sum of squared differences of influence; of sums over groups."""
    difference, relevant = valued[0][1] - valued[1][1], lists.relevant
    if lists.group is not None:
        if measure == "AUC":
            for kind in (relevant, ~relevant):
                difference[kind] = (difference[kind] - (valued[0][0] - valued[1][0])) / kind.sum()
        return influence.summed(difference, relevant, np.ones(len(difference)), lists.group)
    name, cutoff = tops.parsed(measure)
    if cutoff is not None:
        apart = valued[0][0] - valued[1][0]
        return tops.variance(relevant, _in_tops(lists, cutoff), name, cutoff, apart)
    if measure == "AP":
        return inner(difference, difference)
    classes = [difference[relevant], difference[~relevant]]
    return math.fsum(part.var(ddof=1) / len(part) if len(part) > 1 else math.nan for part in classes)


def _in_tops(lists: Lists, cutoff: int) -> Float64:
    """How much more each item is in the first list's top."""
    return tops.shares(lists.first, cutoff) - tops.shares(lists.second, cutoff)


def _tested(
    lists: list[Lists], measure: str, test: str | None, difference: float, error: float, resamples: int, level: float,
    rng: Rng,
) -> tuple[str, Result]:  # fmt: skip
    """The test that is made, by default one that keeps its size, and what it finds."""
    test = "delong" if test is None and measure == "AUC" else test
    name, cutoff = tops.parsed(measure)
    if all(np.array_equal(pair.first.block, pair.second.block) for pair in lists):
        why = "both order all items alike, so there is no interval"
        return test or "permutation", Result(1.0, _ALIKE, notes=(why,))
    if test in ("delong", "influence"):
        return test, _normal(difference, error, lists, test, cutoff is None)
    if test == "fisher":
        return test, tops.fisher(lists[0].relevant, _in_tops(lists[0], cutoff or 1), rng, resamples)
    if test == "bootstrap":
        return test, _redrawn(lists, measure, rng, resamples, level)
    # Every block with a relevant item is a place and has a place before it: often that says enough.
    rows = sum(2 * max(int((side.counts.positive > 0).sum()) for side in pair[1:3]) for pair in lists)
    exchanges = [] if test is None and rows > LARGE else [pair.exchange() for pair in lists]
    rows = sum(pair.rows for pair in exchanges) or rows
    if test is None and rows > LARGE:
        why = (
            f"the influence test: it is the default beyond {LARGE:,} rows of items, whose exchanges take long, and "
            f"these are {rows:,} or more; test='permutation' asks for them"
        )
        result = _normal(difference, error, lists, "influence", cutoff is None)
        return "influence", result._replace(notes=(why, *result.notes))
    p, how, seed = exchanged(exchanges, name, difference, rng, resamples, cutoff)
    floor = f"p {p_text(p)} is the least that {resamples:,} exchanges can give; more resamples can give a lower one"
    least = seed is not None and p * (resamples + 1) < 1.5
    return "permutation", Result(p, how, seed=seed, notes=(floor,) if least else ())


def _normal(difference: float, error: float, lists: list[Lists], test: str, whole: bool) -> Result:
    """p of the standard normal distribution, of groups of Student's, and what it assumes; of `whole` lists, or of tops."""
    items = sum(len(pair.relevant) for pair in lists)
    hits = sum(int(pair.relevant.sum()) for pair in lists)
    freedom, group = lists[0].freedom, lists[0].group
    few = min(hits, items - hits)
    notes: tuple[str, ...] = ()
    if whole and test == "influence" and hits < _FEW_INFLUENCES and hits * _RARE <= items:
        what = f"{hits} relevant of {items:,} items: the influence test rejects too seldom"
        sizes = "at 5 % in 1 % of samples with 20 of 2,000, in 2 % with 100 of 10,000"
        notes = (f"{what} ({sizes}); permutation keeps its size",)
    elif groups := lists[0].few_groups():
        # Of fewer than six groups there are too few exchanges for a p of 5 %.
        other = "; test='permutation' needs none" if group is not None and int(group.max()) >= 5 else ""
        notes = (f"{groups}: Student's distribution is rough{other}",)
    elif few < _FEW:
        what = f"{few} items of the rarer class: the normal distribution is rough"
        notes = (f"{what}; test='permutation' needs none",)
    why = ""
    if error != error:
        why = "one item of a class has no variance"
    elif freedom <= 0:
        alone = group is not None and not group.any()
        why = "one group has no variance" if alone else "all items of a class are of one group"
    elif error == 0 and abs(difference) > TOLERANCE:
        # Where values cannot vary, equal values are all that no difference allows.
        why = "no variance, as the items of a class all have one value"
    if why:
        notes = (*notes, f"p is undefined: {why}; test='permutation' needs none")
        return Result(math.nan, f"undefined: {why}", notes=notes)
    if error == 0:
        return Result(1.0, "no variance", notes=notes)
    if group is None:
        return Result(max(float(2 * special().ndtr(-abs(difference) / error)), LEAST), "normal", notes=notes)
    p = max(float(2 * special().stdtr(freedom, -abs(difference) / error)), LEAST)
    return Result(p, f"Student's t, {freedom:.3g} degrees of freedom", notes=notes)


def _listed(pair: Lists) -> tuple[Bool, Int64, Int64, Int64]:
    """A list's items in an order of their own, so that what is drawn does not depend on how they are listed."""
    group = np.arange(len(pair.relevant)) if pair.group is None else pair.group
    keys = (pair.first.block, pair.second.block, pair.relevant)
    order = np.lexsort(keys)
    # Groups are numbered by the first of their items.
    _, at, member = np.unique(group[order], return_index=True, return_inverse=True)
    return pair.relevant[order], keys[0][order], keys[1][order], np.argsort(np.argsort(at))[member]


def _redrawn(lists: list[Lists], measure: str, rng: Rng, resamples: int, level: float) -> Result:
    made, seed = seeded(rng)
    listed = sorted(map(_listed, lists), key=lambda columns: [column.tobytes() for column in columns])

    total, known = np.zeros(resamples), np.zeros(resamples)
    for relevant, *blocks, unit in listed:
        both = [Weighed(Cases(block, relevant, np.ones(len(relevant)), unit)) for block in blocks]
        # The same units of both.
        streams = both[0].streams(resamples, made)
        first, second = (
            side.areas(*streams) if measure == "AUC" else side.precisions(*streams, apart=True)
            for side in both
        )
        # A redrawn list of one class is left out, as a list of one class is; its fellows still say something.
        total += np.nan_to_num(first - second)
        known += ~np.isnan(first)
    redrawn = np.divide(total, known, out=np.full(resamples, np.nan), where=known > 0)
    # A redrawn list of one class has no value; it says nothing for either system.
    redrawn = redrawn[~np.isnan(redrawn)]
    if not len(redrawn):
        nothing = (math.nan, math.nan)
        return Result(math.nan, "undefined: no redrawn list has both classes", edges=nothing, seed=seed)
    tail = min(int((redrawn <= TOLERANCE).sum()), int((redrawn >= -TOLERANCE).sum()))
    p = min(1.0, 2 * float(sampled_p(tail, len(redrawn))))
    low, high = np.quantile(redrawn, [(1 - level) / 2, (1 + level) / 2]).tolist()
    how = f"{len(redrawn):,} resamples of {'items' if lists[0].group is None else 'groups'}"
    return Result(p, how, edges=(low, high), seed=seed)
