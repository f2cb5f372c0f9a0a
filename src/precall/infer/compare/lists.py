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

from precall.errors import DataError, Problem, UsageError
from precall.infer import influence
from precall.infer.blocks import inner
from precall.infer.compare.comparisons import Comparison, bounds, p_text
from precall.infer.compare.exchange import Exchange, exchange, exchanged
from precall.infer.compare.paired import midranks
from precall.infer.compare.pairing import mean
from precall.infer.interval.interval import checked_level
from precall.infer.libraries import stats
from precall.infer.ranked_items import (
    Ranked,
    precision_influence,
    ranked,
    redrawn_values,
    roc_influence,
)
from precall.infer.resample.batches import TOLERANCE, checked, parts, sampled_p
from precall.ragged import Bool, Float64, Int64
from precall.rng import Rng, seeded

MEASURES = ("AP", "AUC")
TESTS = ("permutation", "delong", "influence", "bootstrap")
RESAMPLES = 5_000
_CELLS = 2**20
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
        ranks = [np.rint(2 * midranks(one.block.astype(np.float64))).astype(np.int64) for one in self[1:3]]
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
    """Compare two scored lists of the same items.

    Parameters
    ----------
    relevant : label of every item.
    score_a, score_b : the two scores of every item, high ones good; scales need not be alike.
    groups : index of what each item belongs to, such as its patient: exchanged, redrawn or summed as a whole.
    topics : index of the list that each item is in: the mean over lists is compared, items being exchanged or redrawn
        within them. Lists of one class only are left out, and counted.
    measure : "AP" (equal scores one block, as in `precall.curve`) or "AUC" (area under ROC).
    test : of no difference, two-sided:

        - "permutation", the default for AP: an item's ranks in the two lists are exchanged at random, both lists
          ranked again (Venkatraman & Begg 1996; Bandos 2005); all exchanges are gone through where there are up to
          20 items, else p = (c + 1)/(resamples + 1);
        - "delong", the default for AUC, and for AUC only: DeLong, DeLong & Clarke-Pearson 1988;
        - "influence": the difference over the root of the sum of squared differences of influence; the default for AP
          where exchanges would be of more than 100,000 rows of items (which takes some 200 relevant ones), and a note says so;
        - "bootstrap": items redrawn; p is the least level at which the percentile interval excludes 0.
    level, resamples, rng : of the interval; of permutation and bootstrap.

    Returns
    -------
    Comparison
        `size` is the number of items. Intervals are normal with the test's standard error (permutation
        of AP: the influence's; of AUC: DeLong's), or percentiles.

    Raises
    ------
    DataError
        Everything is relevant, or nothing.
    UsageError
        Columns of unequal length, or a test that is not of this measure.

    Notes
    -----
    Two lists that order all items alike give p = 1 and no interval. DeLong's is not valid
    for nested models fitted to the same cases (Demler et al. 2012). With groups DeLong's and the influences' variance
    is that of sums over groups, as in `pc.interval` (Obuchowski 1997).

    Examples
    --------
    >>> y = np.array([1, 1, 0, 1, 0, 0, 1, 0], bool)
    >>> a, b = np.array([8, 7, 6, 5, 4, 3, 2, 1]), np.array([8, 3, 6, 1, 4, 5, 2, 7])
    >>> found = compared(y, a, b, measure="AUC")
    >>> found.difference, round(found.p, 4)
    (0.5, 0.0455)
    """
    _check(measure, test, groups, topics)
    checked_level(level)
    checked(resamples)
    lists, left_out = _lists(
        np.asarray(relevant, np.bool_), np.asarray(score_a), np.asarray(score_b), groups, topics
    )
    found = [_influences(one, measure) for one in lists]
    first, second = (mean([both[side][0] for both in found]) for side in (0, 1))
    difference = first - second
    error = math.sqrt(math.fsum(_variance(*pair, measure) for pair in zip(lists, found, strict=True))) / len(
        lists
    )
    chosen, tested = _tested(lists, measure, test, difference, error, resamples, level, rng)
    half = float(stats().norm.isf((1 - level) / 2)) * error if error else math.nan
    low, high = bounds(*(tested.edges or (difference - half, difference + half)))
    said = tested.notes
    if left_out:
        said = (*said, f"{left_out} topics of one class only left out")
    return Comparison(
        names=names, measure=_label(measure, lists, topics is not None), values=(first, second), difference=difference,
        low=low, high=high, level=level, p=tested.p, test=chosen, how=tested.how,
        size=sum(len(one.relevant) for one in lists), left_out=left_out,
        statistic=difference / error if error else None, notes=said, seed=tested.seed,
    )  # fmt: skip


def _label(measure: str, lists: list[Lists], of_topics: bool) -> str:
    """What is compared, in words: the same name must not mean two numbers."""
    if of_topics:
        return f"mean {measure} over {len(lists)} topics"
    group = lists[0].group
    return measure if group is None else f"{measure}, {int(group.max()) + 1} groups"


def _check(measure: str, test: str | None, groups: Any, topics: Any) -> None:
    if measure not in MEASURES:
        raise UsageError(f"measure: got {measure!r}, allowed are {', '.join(MEASURES)}")
    if test not in (None, *TESTS):
        raise UsageError(f"test: got {test!r}, allowed are {', '.join(TESTS)}")
    if test == "delong" and measure != "AUC":
        raise UsageError(
            "test='delong' is of areas under ROC; for AP pass 'permutation', 'influence' or 'bootstrap'"
        )
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
        every = [np.flatnonzero(topics == one) for one in np.unique(topics).tolist()]
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


def _variance(lists: Lists, found: list[Valued], measure: str) -> float:
    """Of the difference: DeLong's for areas; for AP the sum of squared differences of influence; of sums over groups."""
    apart, relevant = found[0][1] - found[1][1], lists.relevant
    if lists.group is not None:
        if measure == "AUC":
            for kind in (relevant, ~relevant):
                apart[kind] = (apart[kind] - (found[0][0] - found[1][0])) / kind.sum()
        return influence.summed(apart, relevant, np.ones(len(apart)), lists.group)
    if measure == "AP":
        return inner(apart, apart)
    classes = [apart[relevant], apart[~relevant]]
    return math.fsum(part.var(ddof=1) / len(part) if len(part) > 1 else math.nan for part in classes)


def _tested(
    lists: list[Lists], measure: str, test: str | None, difference: float, error: float, resamples: int, level: float,
    rng: Rng,
) -> tuple[str, Tested]:  # fmt: skip
    """The test that is made, by default one that keeps its size, and what it finds."""
    test = "delong" if test is None and measure == "AUC" else test
    if all(np.array_equal(one.first.block, one.second.block) for one in lists):
        return test or "permutation", Tested(
            1.0, "the same order", ("both order all items alike, so there is no interval",)
        )
    if test in ("delong", "influence"):
        return test, _normal(difference, error, lists, test)
    if test == "bootstrap":
        return test, _redrawn(lists, measure, rng, resamples, level)
    # Every block with a relevant item is a place and has a place before it: often that says enough.
    rows = sum(2 * max(int((side.counts.positive > 0).sum()) for side in one[1:3]) for one in lists)
    exchanges = [] if test is None and rows > LARGE else [one.exchange() for one in lists]
    rows = sum(one.rows for one in exchanges) or rows
    if test is None and rows > LARGE:
        why = (
            f"the influence test: it is the default beyond {LARGE:,} rows of items, whose exchanges take long, and "
            f"these are {rows:,} or more; test='permutation' asks for them"
        )
        found = _normal(difference, error, lists, "influence")
        return "influence", found._replace(notes=(why, *found.notes))
    p, how, seed = exchanged(exchanges, measure, difference, rng, resamples)
    floor = f"p {p_text(p)} is the least that {resamples:,} exchanges can give; more resamples can give a lower one"
    return "permutation", Tested(
        p, how, (floor,) if seed is not None and p * (resamples + 1) < 1.5 else (), seed=seed
    )


def _normal(difference: float, error: float, lists: list[Lists], test: str) -> Tested:
    """p of the standard normal law, and what it assumes."""
    items = sum(len(one.relevant) for one in lists)
    hits = sum(int(one.relevant.sum()) for one in lists)
    groups = items if lists[0].group is None else int(lists[0].group.max()) + 1
    few = min(hits, items - hits, groups)
    said: tuple[str, ...] = ()
    if test == "influence" and hits < _FEW_INFLUENCES and hits * _RARE <= items:
        what = f"{hits} relevant of {items:,} items: the influence test rejects too seldom"
        said = (
            f"{what} (at 5 % in 1 % of samples with 20 of 2,000, in 2 % with 100 of 10,000); permutation keeps its size",
        )
    elif few < _FEW:
        what = "groups" if few == groups else "items of the rarer class"
        said = (f"{few} {what}: the normal law is rough; permutation assumes less",)
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
            math.nan, f"undefined: {why}", (*said, f"p is undefined: {why}; test='permutation' needs none")
        )
    if error == 0:
        return Tested(1.0, "no variance", said)
    p = float(2 * stats().norm.sf(abs(difference) / error))
    return Tested(max(p, float(np.finfo(np.float64).smallest_subnormal)), "normal", said)


def _listed(one: Lists) -> tuple[Bool, Int64, Int64, Int64]:
    """A list's items in an order of their own, so that what is drawn does not depend on how they are listed."""
    group = np.arange(len(one.relevant)) if one.group is None else one.group
    keys = (one.first.block, one.second.block, one.relevant)
    order = np.lexsort(keys)
    if one.group is not None:
        # Groups are numbered by the first of their items.
        _, at, member = np.unique(group[order], return_index=True, return_inverse=True)
        return one.relevant[order], keys[0][order], keys[1][order], np.argsort(np.argsort(at))[member]
    return one.relevant[order], keys[0][order], keys[1][order], np.arange(len(order))


def _redrawn(lists: list[Lists], measure: str, rng: Rng, resamples: int, level: float) -> Tested:
    made, seed = seeded(rng)
    listed = sorted(map(_listed, lists), key=lambda columns: [column.tobytes() for column in columns])

    def apart(part: np.random.Generator, count: int) -> Float64:
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

    batch = max(1, _CELLS // max(len(one.relevant) for one in lists))
    found = np.concatenate(list(parts(apart, made, resamples, batch)))
    # A redrawn list of one class has no value; it says nothing for either system.
    found = found[~np.isnan(found)]
    if not len(found):
        return Tested(math.nan, "undefined: no redrawn list has both classes", (), (math.nan, math.nan), seed)
    tail = min(int((found <= TOLERANCE).sum()), int((found >= -TOLERANCE).sum()))
    p = min(1.0, 2 * float(sampled_p(tail, len(found))))
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Tested(
        p,
        f"{len(found):,} resamples of {'items' if lists[0].group is None else 'groups'}",
        (),
        (low, high),
        seed,
    )
