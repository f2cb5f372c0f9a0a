"""Items with the categories that they are in and those that were decided: what averages over categories are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.counts import Counts
from precall.errors import UsageError
from precall.ragged import Int64


class Pairs(NamedTuple):
    """An entry per item and category that it has."""

    item: Int64
    category: Int64

    def of(self, keep: npt.NDArray[np.bool_]) -> Pairs:
        """Some of them."""
        return Pairs(self.item[keep], self.category[keep])


@dataclass(frozen=True, slots=True, eq=False)
class Memberships:
    """Items in categories, as pairs.

    Parameters
    ----------
    true, decided, both : categories that an item belongs to, those decided for it, and those in both.
    count : how often each item was seen.
    categories : how many there are.
    """

    true: Pairs
    decided: Pairs
    both: Pairs
    count: Int64
    categories: int

    def counts(self, times: npt.NDArray[Any]) -> Counts:
        """The tables, categories x samples, where the items count `times` (samples x items)."""
        tp, true, decided = (self._summed(pairs, times) for pairs in (self.both, self.true, self.decided))
        return _tables(tp, true, decided, times.sum(axis=1))

    def without(self, items: Int64) -> Counts:
        """The tables, categories x items, that are left where each of the items is seen once less."""
        place = np.full(len(self.count), -1)
        place[items] = np.arange(len(items))

        def left(pairs: Pairs) -> Int64:
            some = pairs.of(place[pairs.item] >= 0)
            total = np.repeat(self._summed(pairs, self.count[None]), len(items), axis=1)
            total[some.category, place[some.item]] -= 1
            return total

        return _tables(left(self.both), left(self.true), left(self.decided), self.count.sum() - 1)

    def _summed(self, pairs: Pairs, times: npt.NDArray[Any]) -> Int64:
        total = np.zeros((self.categories, len(times)), np.int64)
        order = np.argsort(pairs.category, kind="stable")
        known, start = np.unique(pairs.category[order], return_index=True)
        if len(known):
            total[known] = np.add.reduceat(times[:, pairs.item[order]], start, axis=1, dtype=np.int64).T
        return total

    def condensed(self) -> Memberships:
        """The same with all items that are in the same categories, and were decided alike, as one."""
        ids = np.zeros(len(self.count), np.int64)
        item = np.concatenate((self.true.item, self.decided.item))
        label = np.concatenate((self.true.category, self.decided.category + self.categories)) + 1
        order = np.lexsort((label, item))
        item, label = item[order], label[order]
        place = np.arange(len(item)) - np.searchsorted(item, item)
        for step in range(int(place.max(initial=-1)) + 1):
            now = place == step
            # What the earlier labels are, and this one: none is 0.
            ids *= 2 * self.categories + 1
            ids[item[now]] += label[now]
            ids = np.unique(ids, return_inverse=True)[1]
        _, first, ids = np.unique(ids, return_index=True, return_inverse=True)
        chosen = np.zeros(len(self.count), np.bool_)
        chosen[first] = True

        def kept(pairs: Pairs) -> Pairs:
            some = pairs.of(chosen[pairs.item])
            return Pairs(ids[some.item], some.category)

        count = np.zeros(len(first), np.int64)
        np.add.at(count, ids, self.count)
        return Memberships(kept(self.true), kept(self.decided), kept(self.both), count, self.categories)


def _tables(tp: Int64, true: Int64, decided: Int64, items: Any) -> Counts:
    fp, fn = decided - tp, true - tp
    return Counts(tp, fp, fn, items - tp - fp - fn)


def of_table(tp: int, fp: int, fn: int, tn: int) -> Memberships:
    """Of one category: an item of each of the four kinds, seen so often."""
    zero = np.zeros(1, np.int64)
    true, decided = (Pairs(np.array(items), np.zeros(2, np.int64)) for items in ((0, 2), (0, 1)))
    return Memberships(true, decided, Pairs(zero, zero), np.array([tp, fp, fn, tn]), 1)


def of_matrix(matrix: Any) -> Memberships:
    """Of a confusion matrix: truth x decision, counts of items in one category each."""
    given = np.asarray(matrix)
    if given.ndim != 2 or given.shape[0] != given.shape[1] or not given.size or given.dtype.kind not in "iub":
        raise UsageError(
            f"confusion matrix: must be square, truth x decision, of counts; got shape {given.shape} of {given.dtype}"
        )
    if given.min() < 0:
        raise UsageError(f"confusion matrix: must hold counts >= 0, got {given.min()}")
    size = len(given)
    cell, right = np.arange(size * size), np.arange(size) * (size + 1)
    true, decided = Pairs(cell, cell // size), Pairs(cell, cell % size)
    return Memberships(true, decided, Pairs(right, np.arange(size)), given.ravel().astype(np.int64), size)
