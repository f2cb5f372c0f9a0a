"""Two scored lists of the same items: is one average precision, or area under ROC, greater than the other?

Both lists rank the same items, so their values rise and fall together; what is tested is the
difference item by item. Which test: the permutation of ranks keeps its size (see docs/comparing.md);
DeLong's for areas under ROC and the influence test for AP need no resampling and give an interval.

Items may come in groups that depend on each other, such as patients: a group is exchanged, redrawn or summed
as a whole, and the measure is of all items, as `pc.interval` has it. Or they come in topics, each a list by
itself: then the mean over topics is compared.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from precall.checks import check_choice, check_level, check_whole
from precall.errors import DataError, Problem, UsageError
from precall.infer import influence, quantiles
from precall.infer.blocks import inner
from precall.infer.compare import OF_LISTS
from precall.infer.compare.comparisons import Comparison, bounds, p_text
from precall.infer.compare.exchange import Exchange, exchange, exchanged
from precall.infer.compare.paired import midranks
from precall.infer.compare.pairing import mean
from precall.infer.libraries import stats
from precall.infer.ranked_items import (
    Ranked,
    precision_influence,
    ranked,
    redrawn_values,
    roc_influence,
)
from precall.infer.resample.batches import TOLERANCE, parts, sampled_p
from precall.ragged import Bool, Float64, Int64
from precall.rng import Rng, seeded

RESAMPLES = 5_000
_CELLS = 2**20
#: How p is found of two lists that order all items alike, which have no interval, either.
_ALIKE = "the same order"
_FEW = 20
#: Exchanges of so many rows of items take seconds; where there are more, AP is by default tested by influences.
LARGE = 100_000
#: With fewer relevant items, one in twenty or less, influences reject too seldom: 1.2 % at 5 % with 20 of 2,000,
#: 2.2 % with 100 of 10,000, 3.3 % with 200 of 20,000.
_RARE, _FEW_INFLUENCES = 20, 300


Valued = tuple[float, Float64]


class Lists(NamedTuple):
    """Labels of the items of one list, where they stand by either score, and the group of each."""

    relevant: Bool
    first: Ranked
    second: Ranked
    group: Int64 | None

    def exchange(self) -> Exchange:
        """How their ranks can be exchanged."""
        # Ranks, halves made whole: both lists are numbered alike, whatever their ties.
        ranks = [np.rint(2 * midranks(side.block.astype(np.float64))).astype(np.int64) for side in self[1:3]]
        return exchange(self.relevant, ranks[0], ranks[1], self.group)


class Tested(NamedTuple):
    """What a test finds; `edges` are bounds of its own."""

    p: float
    how: str
    notes: tuple[str, ...] = ()
    edges: tuple[float, float] | None = None
    seed: int | None = None


def compared(
    relevant: Bool, score_a: Any, score_b: Any, groups: Int64 | None = None, *, topics: Int64 | None = None,
    measure: str = "AP", test: str | None = None, level: float = 0.95, resamples: int = RESAMPLES, rng: Rng = 0,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:  # fmt: skip
    """Compare two scored lists of the same items; see `precall.compare.cases`.

    Parameters
    ----------
    groups, topics : index of what each item belongs to.

    Examples
    --------
    >>> y = np.array([1, 1, 0, 1, 0, 0, 1, 0], bool)
    >>> a, b = np.array([8, 7, 6, 5, 4, 3, 2, 1]), np.array([8, 3, 6, 1, 4, 5, 2, 7])
    >>> found = compared(y, a, b, measure="AUC")
    >>> found.difference, round(found.p, 4)
    (0.5, 0.0455)
    """
    _check(measure, test, groups, topics)
    check_level(level)
    check_whole("resamples", resamples, 1)
    lists, left_out = _lists(
        np.asarray(relevant, np.bool_), np.asarray(score_a), np.asarray(score_b), groups, topics
    )
    valued = [_influences(pair, measure) for pair in lists]
    first, second = (mean([both[side][0] for both in valued]) for side in (0, 1))
    difference = first - second
    variance = math.fsum(_variance(*pair, measure) for pair in zip(lists, valued, strict=True))
    error = math.sqrt(variance) / len(lists)
    chosen, tested = _tested(lists, measure, test, difference, error, resamples, level, rng)
    half = quantiles.z(level) * error
    # Two areas, and two average precisions, are never more than 1 apart.
    low, high = bounds(*(tested.edges or (max(difference - half, -1.0), min(difference + half, 1.0))))
    notes = (*tested.notes, *([f"{left_out} topics of one class only left out"] if left_out else []))
    alike = tested.how if tested.how == _ALIKE else "no variance"
    return Comparison(
        names=names, measure=_label(measure, lists, topics is not None), values=(first, second), difference=difference,
        low=low, high=high, level=level, p=tested.p, test=chosen, how=tested.how,
        size=sum(len(pair.relevant) for pair in lists), left_out=left_out,
        statistic=difference / error if error > 0 else None, notes=notes, seed=tested.seed,
        no_interval="" if low is not None else alike,
    )  # fmt: skip


def _label(measure: str, lists: list[Lists], of_topics: bool) -> str:
    """What is compared, in words: the same name must not mean two numbers."""
    if of_topics:
        return f"mean {measure} over {len(lists)} topics"
    group = lists[0].group
    return measure if group is None else f"{measure}, {int(group.max()) + 1} groups"


def _check(measure: str, test: str | None, groups: Any, topics: Any) -> None:
    check_choice("measure", measure, OF_LISTS)
    if test is not None:
        check_choice(f"test of {measure}", test, OF_LISTS[measure])
    if groups is not None and topics is not None:
        raise UsageError("groups and topics: both given; leave one of them out")


def _lists(
    relevant: Bool, score_a: Any, score_b: Any, groups: Int64 | None, topics: Int64 | None
) -> tuple[list[Lists], int]:
    """The lists that have both classes, and how many have not."""
    sizes = {len(relevant), len(score_a), len(score_b)}
    if len(sizes) > 1:
        raise UsageError(
            f"labels and scores must be of equal length, got {', '.join(map(str, sorted(sizes)))}"
        )
    every: list[Any] = [slice(None)] if len(relevant) else []
    if topics is not None:
        every = [np.flatnonzero(topics == topic) for topic in np.unique(topics).tolist()]
    kept = [rows for rows in every if 0 < np.count_nonzero(relevant[rows]) < len(relevant[rows])]
    if not kept:
        what = f"{'every' if relevant.any() else 'no'} item is relevant, a comparison needs relevant and other items"
        raise DataError([Problem("relevant", None, what, "check the labels, or say which is positive")])
    lists = [
        Lists(some, ranked(some, score_a[rows]), ranked(some, score_b[rows]), groups)
        for some, rows in ((relevant[rows], rows) for rows in kept)
    ]
    return lists, len(every) - len(kept)


def _influences(lists: Lists, measure: str) -> list[Valued]:
    """For either list its value, and what each item has to do with it."""
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
    if measure == "AP":
        return inner(difference, difference)
    classes = [difference[relevant], difference[~relevant]]
    return math.fsum(part.var(ddof=1) / len(part) if len(part) > 1 else math.nan for part in classes)


def _tested(
    lists: list[Lists], measure: str, test: str | None, difference: float, error: float, resamples: int, level: float,
    rng: Rng,
) -> tuple[str, Tested]:  # fmt: skip
    """The test that is made, by default one that keeps its size, and what it finds."""
    test = "delong" if test is None and measure == "AUC" else test
    if all(np.array_equal(pair.first.block, pair.second.block) for pair in lists):
        return test or "permutation", Tested(
            1.0, _ALIKE, ("both order all items alike, so there is no interval",)
        )
    if test in ("delong", "influence"):
        return test, _normal(difference, error, lists, test)
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
        tested = _normal(difference, error, lists, "influence")
        return "influence", tested._replace(notes=(why, *tested.notes))
    p, how, seed = exchanged(exchanges, measure, difference, rng, resamples)
    floor = f"p {p_text(p)} is the least that {resamples:,} exchanges can give; more resamples can give a lower one"
    return "permutation", Tested(
        p, how, (floor,) if seed is not None and p * (resamples + 1) < 1.5 else (), seed=seed
    )


def _normal(difference: float, error: float, lists: list[Lists], test: str) -> Tested:
    """p of the standard normal distribution, and what it assumes."""
    items = sum(len(pair.relevant) for pair in lists)
    hits = sum(int(pair.relevant.sum()) for pair in lists)
    groups = items if lists[0].group is None else int(lists[0].group.max()) + 1
    few = min(hits, items - hits, groups)
    notes: tuple[str, ...] = ()
    if test == "influence" and hits < _FEW_INFLUENCES and hits * _RARE <= items:
        what = f"{hits} relevant of {items:,} items: the influence test rejects too seldom"
        notes = (
            f"{what} (at 5 % in 1 % of samples with 20 of 2,000, in 2 % with 100 of 10,000); permutation keeps its size",
        )
    elif few < _FEW:
        what = "groups" if few == groups else "items of the rarer class"
        notes = (f"{few} {what}: the normal distribution is rough; permutation assumes less",)
    why = ""
    if error != error:
        why = "one item of a class has no variance"
    elif error == 0 and groups == 1:
        why = "one group has no variance"
    elif error == 0 and abs(difference) > TOLERANCE:
        # Where values cannot vary, equal values are all that no difference allows.
        why = "no variance, as the items of a class all have one value"
    if why:
        return Tested(
            math.nan, f"undefined: {why}", (*notes, f"p is undefined: {why}; test='permutation' needs none")
        )
    if error == 0:
        return Tested(1.0, "no variance", notes)
    p = float(2 * stats().norm.sf(abs(difference) / error))
    return Tested(max(p, float(np.finfo(np.float64).smallest_subnormal)), "normal", notes)


def _listed(pair: Lists) -> tuple[Bool, Int64, Int64, Int64]:
    """A list's items in an order of their own, so that what is drawn does not depend on how they are listed."""
    group = np.arange(len(pair.relevant)) if pair.group is None else pair.group
    keys = (pair.first.block, pair.second.block, pair.relevant)
    order = np.lexsort(keys)
    if pair.group is not None:
        # Groups are numbered by the first of their items.
        _, at, member = np.unique(group[order], return_index=True, return_inverse=True)
        return pair.relevant[order], keys[0][order], keys[1][order], np.argsort(np.argsort(at))[member]
    return pair.relevant[order], keys[0][order], keys[1][order], np.arange(len(order))


def _redrawn(lists: list[Lists], measure: str, rng: Rng, resamples: int, level: float) -> Tested:
    made, seed = seeded(rng)
    listed = sorted(map(_listed, lists), key=lambda columns: [column.tobytes() for column in columns])

    def differences(part: np.random.Generator, count: int) -> Float64:
        total, known = np.zeros(count), np.zeros(count)
        for relevant, *blocks, unit in listed:
            size = int(unit.max()) + 1
            index = part.integers(0, size, size=(count, size))
            index += (np.arange(count) * size)[:, None]
            weight = np.bincount(index.ravel(), minlength=count * size).reshape(count, size)[:, unit]
            first, second = (redrawn_values(relevant, block, weight, measure) for block in blocks)
            # A redrawn list of one class is left out, as a list of one class is; its fellows still say something.
            total += np.nan_to_num(first - second)
            known += ~np.isnan(first)
        return np.asarray(np.divide(total, known, out=np.full(count, np.nan), where=known > 0), np.float64)

    batch = max(1, _CELLS // max(len(pair.relevant) for pair in lists))
    redrawn = np.concatenate(list(parts(differences, made, resamples, batch)))
    # A redrawn list of one class has no value; it says nothing for either system.
    redrawn = redrawn[~np.isnan(redrawn)]
    if not len(redrawn):
        return Tested(math.nan, "undefined: no redrawn list has both classes", (), (math.nan, math.nan), seed)
    tail = min(int((redrawn <= TOLERANCE).sum()), int((redrawn >= -TOLERANCE).sum()))
    p = min(1.0, 2 * float(sampled_p(tail, len(redrawn))))
    low, high = np.quantile(redrawn, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Tested(
        p,
        f"{len(redrawn):,} resamples of {'items' if lists[0].group is None else 'groups'}",
        (),
        (low, high),
        seed,
    )
