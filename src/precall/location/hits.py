"""Hits: the ranks of the relevant items, which are all that most measures need.

Zhang & Su (2012) write a ranked list by the locations of its hits, L_1 < ... < L_m. `Hits` holds
them for many rankings at once, as rows. Items of equal score share a block of ranks first..last;
without ties first = last = L_i and count = 1.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import lru_cache
from numbers import Number
from typing import Any

import numpy as np

from precall.core import ragged
from precall.core.arguments import check_kind, check_share, check_whole, is_number
from precall.core.counts import Path
from precall.core.errors import Fact, MeasureError, TiesUnresolved, UsageError
from precall.core.ragged import Bool, Float64, Int64
from precall.core.text import many
from precall.location.series import decaying, ratios, reciprocal_in_block
from precall.results.equality import Equal

#: For blocks longer than this, sums over ranks are computed without one term per rank.
_LONG = 1 << 16


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hits(Equal):
    """Blocks of hits of many rankings, and three counts per ranking.

    Parameters
    ----------
    first : first rank (1-based) of the block of a row.
    last : last rank of that block.
    count : hits in that block, at least 1.
    ranking : which ranking a row belongs to, non-decreasing.
    retrieved : per ranking, items in it.
    relevant : per ranking, relevant items that exist, found or not.
    population : per ranking, items that exist (None: unknown).
    ties : "expected" gives means over random orders within blocks; otherwise a block of more than
        one item raises `TiesUnresolved` if the order inside it matters.

    Examples
    --------
    >>> hits = Hits.of([2, 4, 5], retrieved=6, relevant=3)
    >>> hits.location
    array([2, 4, 5])
    >>> hits.precision_sum() / hits.relevant
    array([0.53333333])
    """

    first: Int64
    last: Int64
    count: Int64
    ranking: Int64
    retrieved: Int64
    relevant: Int64
    population: Int64 | None = None
    ties: str = "block"

    @classmethod
    def of(cls, locations: Any, *, retrieved: object, relevant: object) -> Hits:
        """One ranking from the locations of its hits, or several from a list of such lists.

        Parameters
        ----------
        locations : different ranks in 1..retrieved, in any order.
        retrieved : number of items in the ranking; for several rankings a list, or one number for
            all.
        relevant : number of relevant items, retrieved or not; for several rankings likewise.

        Raises
        ------
        UsageError
            A location is not a rank of its ranking or is given twice, or the lists have different
            lengths.

        Examples
        --------
        >>> Hits.of([[1, 3], [], [2]], retrieved=[5, 4, 5], relevant=2).found
        array([2, 0, 1])
        """
        lists = (list, tuple, np.ndarray)
        try:
            rankings = list(locations)
        except TypeError:
            raise UsageError(
                argument="locations",
                allowed="a list of ranks, or of such lists",
                got=locations,
            ) from None
        if not any(isinstance(value, lists) for value in (*rankings, retrieved, relevant)):
            rankings = [rankings]
        n = len(rankings)
        sizes, totals = (
            list(value) if isinstance(value, lists) and np.ndim(value) else [value] * n
            for value in (retrieved, relevant)
        )
        if not n == len(sizes) == len(totals):
            raise UsageError(
                argument="retrieved, relevant",
                allowed=f"one per ranking ({n}), or one for all;",
                got=Fact(f"{len(sizes)} and {len(totals)}"),
            )
        ranks = []
        for value, size, total in zip(rankings, sizes, totals, strict=True):
            ranks.append(_ranks(value, check_whole("retrieved", size, 0, _INT64)))
            check_whole("relevant", total, len(ranks[-1]), _INT64)
        rank = np.concatenate([np.empty(0, np.int64), *ranks])
        ranking = np.repeat(np.arange(n), [len(ranks_of_one) for ranks_of_one in ranks])
        size, total = (np.array(column, np.int64) for column in (sizes, totals))
        return cls(rank, rank, np.ones(len(rank), np.int64), ranking, size, total)

    def __len__(self) -> int:
        return len(self.retrieved)

    def __repr__(self) -> str:
        return (
            f"<Hits: {many(len(self), 'ranking')}, {many(int(self.count.sum()), 'hit')} in "
            f"{many(len(self.first), 'block')}>"
        )

    @property
    def single(self) -> bool:
        """Whether every block is one item."""
        return self.first is self.last or not np.count_nonzero(self.first != self.last)

    @property
    def location(self) -> Int64:
        """L_i of every hit, one ranking after another.

        Raises `TiesUnresolved` if there are ties.
        """
        if not self.single:
            raise TiesUnresolved(
                "the location of a hit inside a block of equal scores is not determined; choose "
                "⟨ties='docno', 'expected', 'best', 'worst', 'random' or 'input'⟩ when locating"
            )
        return self.first

    @property
    def found(self) -> Int64:
        """Hits per ranking."""
        return ragged.integer_sums(self.count, self.ranking, len(self))

    @property
    def order(self) -> Int64:
        """Per row: hits of its ranking up to and including its block."""
        return ragged.running(self.count, self.ranking, len(self))

    def _refuse_open_blocks(self) -> None:
        if self.ties != "expected":
            _ = self.location

    def within(self, cutoff: int | Int64) -> Int64 | Float64:
        """Hits in the first `cutoff` ranks, a number or one per ranking; under ties, their mean."""
        is_per_ranking = (
            isinstance(cutoff, np.ndarray)
            and cutoff.shape == (len(self),)
            and cutoff.dtype.kind in "iuf"
        )
        if not (is_per_ranking or is_number(cutoff)):
            raise UsageError(
                argument="cutoff",
                allowed="a number, or an array of one per ranking",
                got=cutoff,
            )
        limit: Any = cutoff[self.ranking] if isinstance(cutoff, np.ndarray) else cutoff
        if self.single:
            return ragged.counts(self.ranking[self.first <= limit], len(self))
        size = self.last - self.first + 1
        items_within = np.clip(limit - self.first + 1, 0, size)
        if self.ties != "expected" and np.any((items_within > 0) & (items_within < size)):
            _ = self.location
        return ragged.sums(self.count * (items_within / size), self.ranking, len(self))

    def any_within(self, cutoff: int | None = None) -> Float64:
        """1 if a hit is in the first `cutoff` ranks, or anywhere, else 0; under ties, its
        probability.
        """
        if cutoff is None:
            return np.minimum(self.found, 1).astype(np.float64)
        if self.single:
            return np.minimum(self.within(cutoff), 1).astype(np.float64)
        miss = np.ones(len(self))
        for row in np.flatnonzero(self.first <= cutoff):
            first, size, count = self._block_extent(row)
            items_within = min(cutoff - first + 1, size)
            if items_within < size:
                self._refuse_open_blocks()
            # Hypergeometric: no hit of the block is among its first `items_within` ranks.
            i = np.arange(min(items_within, size - count + 1))
            miss[self.ranking[row]] *= (
                0.0 if items_within + count > size else np.prod(1 - count / (size - i))
            )
        return 1 - miss

    def precision_sum(self, cutoff: int | None = None) -> Float64:
        """Sum over hits of the precision at their locations, the numerator of AP.

        With `ties="expected"` it is the exact mean over random orders within blocks. At rank t of a
        block of b items with c hits, after h earlier hits, E[Y_t H_t] = c/b (h + 1 + (t - first)
        (c - 1)/(b - 1)).
        """
        _check_cutoff(cutoff)
        order = self.order
        if self.single:
            terms, ranking = order / self.first, self.ranking
            if cutoff is not None:
                near = self.first <= cutoff
                terms, ranking = terms[near], ranking[near]
            return ragged.sums(terms, ranking, len(self))
        self._refuse_open_blocks()
        size = self.last - self.first + 1
        more = (self.count - 1) / np.maximum(size - 1, 1)
        if len(size) and int(size.max()) > _LONG:
            seen = size if cutoff is None else np.clip(cutoff - self.first + 1, 0, size)
            lead = (order - self.count + 1).astype(np.float64)
            start = self.first.astype(np.float64)
            terms = self.count / size * ratios(lead, more, start, np.ones(len(size)), seen)
            return ragged.sums(terms, self.ranking, len(self))
        row, rank = ragged.spread(self.first, size)
        if cutoff is not None:
            row, rank = row[rank <= cutoff], rank[rank <= cutoff]
        mean_order = (order - self.count)[row] + 1 + (rank - self.first[row]) * more[row]
        terms = self.count[row] / size[row] * mean_order / rank
        return ragged.sums(terms, self.ranking[row], len(self))

    def reciprocal_first(self, cutoff: int | None = None) -> Float64:
        """1/L_1, or 0 without a hit (in the first `cutoff` ranks); under ties, its mean."""
        _check_cutoff(cutoff)
        result = np.zeros(len(self))
        lead = ragged.changes(self.ranking)
        if cutoff is not None:
            lead &= self.first <= cutoff
        row = lead.nonzero()[0]
        first = self.first[row]
        result[self.ranking[row]] = 1 / first
        for tied in row[first < self.last[row]]:
            self._refuse_open_blocks()
            result[self.ranking[tied]] = reciprocal_in_block(*self._block_extent(tied), cutoff)
        return result

    def _block_extent(self, row: Any) -> tuple[int, int, int]:
        """First rank, number of items and number of hits of a block."""
        first = int(self.first[row])
        return first, int(self.last[row]) - first + 1, int(self.count[row])

    def k_at_recall(self, recall: float) -> Int64:
        """Least cutoff whose recall is at least `recall`, per ranking; 0, which is no rank, if the
        ranking never reaches it.

        The number of needed hits is the exact ceiling of recall x relevant. `recall` is taken as
        the decimal number that it prints as, so .7 of 10 is 7 and .3 of 10 is 3. Recall 0 needs no
        hit; its least cutoff is 1. A ranking never reaches a recall if it retrieved too few hits or
        if nothing is relevant. Then the cutoff is 0 and `precision_at_recall` is NaN;
        `Curve.at(recall=)`, which has one ranking, raises an error.

        Raises
        ------
        UsageError
            `recall` is not in 0..1.
        TiesUnresolved
            The order inside blocks of equal scores is left open.

        Examples
        --------
        >>> Hits.of([2, 4, 5], retrieved=6, relevant=3).k_at_recall(0.5)
        array([4])
        """
        need, location, order = self.needed(recall), self.location, self.order
        reached = order == np.maximum(need, 1)[self.ranking]
        result = np.zeros(len(self), np.int64)
        result[self.ranking[reached]] = location[reached]
        result[(need == 0) & (self.retrieved > 0) & (self.relevant > 0)] = 1
        return result

    def precision_at_recall(self, recall: float) -> Float64:
        """Precision at the least cutoff whose recall is at least `recall`; NaN if the ranking never
        reaches it.

        It is NaN if `k_at_recall` is 0. `Curve.at(recall=)` chooses the same point, and raises an
        error in that case.

        Examples
        --------
        >>> Hits.of([2, 4, 5], retrieved=6, relevant=3).precision_at_recall(0.5)
        array([0.5])
        """
        cutoff = self.k_at_recall(recall)
        result = self.within(cutoff) / np.maximum(cutoff, 1)
        return np.asarray(np.where(cutoff > 0, result, np.nan), np.float64)

    def decaying_sum(self, step: Float64) -> Float64:
        """Sum over hits of e^(-step (L - 1)), with a step per ranking; in blocks the mean.

        Parameters
        ----------
        step : of each ranking.
        """
        size = self.last - self.first + 1
        if self.ties != "expected" and np.any(self.count < size):
            self._refuse_open_blocks()
        weight = decaying(step[self.ranking], self.first - 1, size) / size
        return ragged.sums(self.count * weight, self.ranking, len(self))

    def needed(self, recall: float) -> Int64:
        """Hits needed to reach `recall`: the exact ceiling of recall x relevant."""
        return ceiling(check_share("recall", recall), self.relevant)

    def at_ranks(self, keep: Bool) -> Hits:
        """The rows for which `keep` is true; counts per ranking stay the same."""
        columns = (self.first[keep], self.last[keep], self.count[keep], self.ranking[keep])
        return replace(
            self, first=columns[0], last=columns[1], count=columns[2], ranking=columns[3]
        )


_INT64 = 2**63 - 1


def _ranks(locations: Any, size: int) -> Int64:
    """Locations of the hits of one ranking, checked and in ascending order."""
    try:
        rank = np.sort(np.asarray(locations)) if len(locations) else np.empty(0, np.int64)
    except (TypeError, ValueError):  # a number, or lists of several lengths
        rank = np.empty(0)
    outside = rank.ndim != 1 or rank.dtype.kind not in "iu" or np.any((rank < 1) | (rank > size))
    if outside or np.any(rank[1:] == rank[:-1]):
        raise UsageError(
            argument="locations", allowed=f"different ranks in 1..{size}", got=locations
        )
    return rank.astype(np.int64)


def _check_cutoff(cutoff: int | None) -> None:
    if cutoff is not None:
        check_kind("cutoff", cutoff, Number, "a number of ranks")


def ceiling(factor: float, total: Int64) -> Int64:
    """Exact ceiling of factor x total, where `factor` is the decimal number that it prints as.

    In floating point .7 x 10 would need 8 hits. (trec_eval 9 adds .9 and truncates, which is wrong
    for 14 of the 2,200 cases up to 200 relevant items.)
    """
    if not 0 <= factor < np.inf:
        raise UsageError("a share of the relevant items must be a number >= 0", got=Fact(factor))
    if factor == int(factor) and factor < 2**20:
        return np.asarray(int(factor) * total, np.int64)
    over, under = _as_ratio(float(factor))
    if len(total) and (int(total.max()) > (2**62) // max(over, 1) or under > 2**62):
        return np.array([-(-over * int(count) // under) for count in total], np.int64)
    return np.asarray(-(-over * total // under), np.int64)


def ceiling_of_one(factor: float, total: int) -> int:
    """The same for one number.

    Examples
    --------
    >>> ceiling_of_one(0.7, 10), ceiling_of_one(1.0, 10)
    (7, 10)
    """
    over, under = _as_ratio(float(factor))
    return -(-over * total // under)


@lru_cache(256)
def _as_ratio(factor: float) -> tuple[int, int]:
    """Numerator and denominator of the decimal number that a float prints as."""
    from fractions import Fraction

    return Fraction(repr(factor)).as_integer_ratio()


def others_of(population: Any, retrieved: Any, relevant: Any, found: Any) -> Any:
    """Number of other (not relevant) items in a population.

    The population holds every retrieved and every relevant item; if it is smaller than their
    number, an error is raised.
    """
    least = retrieved + relevant - found
    if np.any(population < least):
        raise MeasureError(
            (
                f"population: got {np.min(population)}, but {int(np.max(least))} items were "
                "retrieved or are relevant"
            ),
            remedy="it counts all that exist",
        )
    return population - relevant


#: Up to this many hits, each gets its own rank in the best and the worst order.
_SINGLE = 1 << 24


def along(tp: Int64, fp: Int64, start: Int64 | None, missed: int | Int64, ties: str) -> Hits:
    """The hits of several paths, one after another; at its `start` each path has a row that accepts
    nothing.

    `start` is None for a single path.
    """
    has_new_hits = tp[1:] != tp[:-1]
    ends: Any = slice(-1, None) if start is None else start[1:] - 1
    if start is not None:
        has_new_hits[start[1:-1] - 1] = False
    before = has_new_hits.nonzero()[0]
    # Columns are changed in place, and as few as possible are made: paths may be long.
    first, last, count = fp[before], fp[1:][before], tp[1:][before]
    last += count
    count -= tp[before]
    first += tp[before]
    first += 1
    ranking = (
        np.zeros(len(before), np.int64)
        if start is None
        else np.searchsorted(start, before + 1, "right") - 1
    )
    retrieved = tp[ends] + fp[ends]
    if ties in ("best", "worst"):
        best = ties == "best"
        if int(count.sum()) <= _SINGLE:
            offset = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
            first = last = np.repeat(first if best else last - count + 1, count) + offset
            ranking, count = np.repeat(ranking, count), np.ones(len(first), np.int64)
        else:
            # Each block holds hits only, so every order inside it gives the same values.
            first, last = (first, first + count - 1) if best else (last - count + 1, last)
            ties = "expected"
    return Hits(first, last, count, ranking, retrieved, tp[ends] + missed, retrieved + missed, ties)


def row_of(path: Path, accepted: Any) -> int:
    """The last row of a path that accepts at most `accepted` items; -1 if `accepted` is below 0."""
    return (
        bisect_right(range(len(path.tp)), accepted, key=lambda row: path.tp[row] + path.fp[row]) - 1
    )
