"""Averages over categories with one item left out, for every kind of items.

An item changes the tables of its own categories; every other table has one true negative less,
whichever item it is. So the tables that an item changes are measured, and all others once. Sums
still go through the categories in their order, as those of whole tables do, so that no digit
depends on the way.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from precall.core.counts import Counts
from precall.core.ragged import Float64, Int64, offsets
from precall.stats.intervals.of_tables import ItemCategories, Memberships, tables_of

#: Kinds whose sums are kept at once: they stay in the second cache.
_TOGETHER = 1 << 16
#: What each table adds to the sum of values, and to the sum of weights.
Terms = Callable[[Counts], tuple[Float64, Int64]]


def averages(terms: Terms, members: Memberships, kinds: Int64) -> Float64:
    """The sum of values by the sum of weights, with one item of each of the `kinds` left out."""
    counted = members.counts(members.count[None])[:, 0]
    whole = [
        np.asarray(of_all, np.int64) for of_all in (counted.tp, counted.relevant, counted.accepted)
    ]
    left = int(members.count.sum()) - 1

    def terms_of(tp: Int64, true: Int64, decided: Int64) -> tuple[Float64, Int64]:
        return terms(tables_of(tp, true, decided, left))

    base, weight = terms_of(*whole)
    at, category, parts = _own(members, kinds)
    own, own_weight = terms_of(
        *[of_all[category] - has for of_all, has in zip(whole, parts, strict=True)]
    )
    weights = np.full(len(kinds), weight.sum())
    np.add.at(weights, at, own_weight - weight[category])
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(_sums(base, at, category, own, len(kinds)) / weights)


def totals(members: Memberships, kinds: Int64) -> Counts:
    """The sum of all tables, with one item of each of the `kinds` left out."""
    items = int(members.count.sum())
    tp, true, decided = (
        int(members.count[pairs.item].sum())
        - np.bincount(pairs.item, minlength=len(members.count))[kinds]
        for pairs in (members.both, members.true, members.decided)
    )
    return tables_of(tp, true, decided, members.categories * (items - 1))


def _own(members: Memberships, kinds: Int64) -> tuple[Int64, Int64, list[Int64]]:
    """The tables that kinds change, in the order of kinds and of categories: the place of the kind,
    the category, and whether it has both, truth and decision of it, a truth, and a decision.
    """
    place = np.full(len(members.count), -1)
    place[kinds] = np.arange(len(kinds))

    def keys(pairs: ItemCategories) -> Int64:
        at = place[pairs.item]
        return np.asarray((at * members.categories + pairs.category)[at >= 0])

    both, true, decided = (keys(each) for each in (members.both, members.true, members.decided))
    own = np.union1d(true, decided)
    parts = [np.isin(own, each).astype(np.int64) for each in (both, true, decided)]
    return *np.divmod(own, members.categories), parts


def _sums(base: Float64, at: Int64, category: Int64, own: Float64, kinds: int) -> Float64:
    """Σ `base` over the categories, one by one in their order, for each kind with its `own` values
    in their places.
    """
    # Before its first category a kind has the sum of all.
    first = np.full(kinds, len(base))
    np.minimum.at(first, at, category)
    order = np.argsort(first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(kinds)
    result = np.empty(kinds)
    for begin in range(0, kinds, _TOGETHER):
        block = order[begin : begin + _TOGETHER]
        mine = np.flatnonzero((rank[at] >= begin) & (rank[at] < begin + _TOGETHER))
        mine = mine[np.argsort(category[mine], kind="stable")]
        places, values = rank[at[mine]] - begin, own[mine]
        ends = offsets(np.bincount(category[mine], minlength=len(base))).tolist()
        begun = np.searchsorted(first[block], np.arange(len(base) + 1), side="right").tolist()
        result[block] = _in_order(base.tolist(), places, values, ends, begun, len(block))
    return result


def _in_order(
    base: list[float], places: Int64, values: Float64, ends: list[int], begun: list[int], kinds: int
) -> Float64:
    """The sums of one block of kinds; `begun` of them have a category up to each one."""
    sums, common, before = np.zeros(kinds), -0.0, 0
    for row, value in enumerate(base):
        sums[before : begun[row]] = common
        before = begun[row]
        changed = places[ends[row] : ends[row + 1]]
        kept = sums[changed] + values[ends[row] : ends[row + 1]]
        sums[:before] += value
        sums[changed] = kept
        common += value
    sums[before:] = common
    return sums
