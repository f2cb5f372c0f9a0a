"""P(S >= s): the first hits are placed one by one if the finest grid does not reach s."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from precall.core.ragged import Float64, Int64, spread
from precall.stats.null.tail.atoms import Atoms, Mixed
from precall.stats.null.tail.block_moments import TiedBlocks
from precall.stats.null.tail.convolution import ROUGH, Grid, gather

#: The next hit is placed rank by rank up to this many times the last rank at which it would be
#: enough alone.
REACH = 4
#: Placements with a smaller share of the tail are looked up in a coarser grid: usually, and in an
#: outline.
SHARE, OUTLINE = 1e-5, 1e-2
#: How many placements are made, at most; the others are also looked up in a coarser grid.
_PLACEMENTS = 60_000
#: How many tails are computed at the same time.
_AT_ONCE = 16

#: Placements: index of the tail, rank of the last hit, the rest of s, and the probability.
Placements: TypeAlias = tuple[Int64, Int64, Float64, Float64]


@dataclass(frozen=True, slots=True, eq=False)
class Tails:
    """P(S >= s) for any s, from grids each of which is coarser than the one before and reaches
    further.
    """

    items: int
    relevant: int
    end: int
    """The number of ranks that are counted."""
    grids: tuple[Grid, ...]

    @property
    def _fine(self) -> float:
        """The limit up to which the finest grid is enough."""
        return self.grids[0].limit

    def __call__(self, s: Float64, share: float = SHARE) -> Float64:
        """One tail probability for each s; below some 1e-13 they are not known.

        Placements with less than a `share` of the tail are looked up in a coarser grid.
        """
        result = np.ones(len(s))
        fine = (s > 0) & (s <= self._fine)
        result[fine] = self.rest(np.zeros(fine.sum(), np.int64), 0, s[fine])
        many = np.flatnonzero(s > self._fine)
        for some in np.array_split(many, -(-len(many) // _AT_ONCE) or 1):
            result[some] = self._place_hits(s[some], share)
        return np.clip(result, 0.0, 1.0)

    def _place_hits(self, s: Float64, share: float) -> Float64:
        """The tails by levels: placements of the first hit, the second, and so on, whose rest of s
        is too much for the finest grid.
        """
        total, tail = np.zeros(len(s)), self.rest(np.zeros(len(s), np.int64), 0, s)
        # The keys are numbers of hits placed: only few, even of millions of relevant items.
        waiting: dict[int, list[Placements]] = {
            0: [(np.arange(len(s)), np.zeros(len(s), np.int64), s, np.ones(len(s)))]
        }
        while waiting:
            hits = min(waiting)
            index, rank, u, weight = map(np.concatenate, zip(*waiting.pop(hits), strict=True))
            coarse = weight * self.rest(rank, hits, u)
            until = self._next(hits, u)
            worth = (u > self._fine) & (coarse > share * tail[index]) & (until > rank)
            count, importance = (
                np.where(worth, until - rank, 0),
                coarse / np.maximum(tail[index], 1e-300),
            )
            worth &= _first(importance, count, _PLACEMENTS * min(len(s), 5))
            total += np.bincount(index[~worth], coarse[~worth], len(s))
            if not worth.any():
                continue
            index, rank, until, u, weight = (
                index[worth],
                rank[worth],
                until[worth],
                u[worth],
                weight[worth],
            )
            none = self._none(hits)
            coarse = weight * np.exp(none[until] - none[rank]) * self.rest(until, hits, u)
            total += np.bincount(index, coarse, len(s))
            for more, owner, at, left, chance in self._children(hits, rank, until, u):
                waiting.setdefault(hits + more, []).append(
                    (index[owner], at, left, weight[owner] * chance)
                )
        return total

    def _next(self, hits: int, u: Float64) -> Int64:
        """The rank up to which the next hit is placed rank by rank."""
        level = np.searchsorted([grid.limit for grid in self.grids], u)
        wanted = np.ceil(REACH * (hits + 1) / np.maximum(u, self._fine)).astype(np.int64)
        result = np.zeros(len(u), np.int64)
        for i, grid in enumerate(self.grids):
            here = np.flatnonzero(level == i)
            # At the rank of a state, nothing is lost by interpolating between two states.
            index = np.searchsorted(grid.ranks, wanted[here])
            result[here] = grid.ranks[np.minimum(index, len(grid.ranks) - 1)]
        return result

    def _children(
        self, hits: int, rank: Int64, until: Int64, u: Float64
    ) -> Iterator[tuple[int, Int64, Int64, Float64, Float64]]:
        """The next hit at each rank up to `until`: number of hits, index of the placement before,
        rank, rest of u, and probability.
        """
        owner, at = spread(rank + 1, until - rank)
        none = self._none(hits)
        chance = (
            np.exp(none[at - 1] - none[rank[owner]])
            * (self.relevant - hits)
            / (self.items - at + 1)
        )
        yield 1, owner, at, u[owner] - (hits + 1) / at, chance

    def _last(self, u: Float64) -> Float64:
        """The rank up to which the last hit adds at least u."""
        return np.asarray(np.minimum(np.floor(self.relevant / np.maximum(u, 1e-300)), self.end))

    def rest(self, rank: Int64, hits: int, u: Float64) -> Float64:
        """P(the ranks after `rank` add at least u | `hits` before), from the finest grid that
        reaches u.
        """
        result = np.where(u <= 0, 1.0, 0.0)
        if hits == self.relevant:
            return result
        if hits == self.relevant - 1:
            return np.where(u <= 0, 1.0, np.maximum(self._last(u) - rank, 0) / (self.items - rank))
        least = 0.0
        for i, grid in enumerate(self.grids):
            here = np.flatnonzero((u > least) & (u <= grid.limit))
            light = not i and self.relevant - hits >= ROUGH
            if len(here):
                first = int(grid.ranks[0])
                value = grid.after(np.maximum(rank[here], first), hits, u[here], light)
                early = rank[here] < first
                # A hit up to rank `first` adds more than the length of the grid.
                none = self._none(hits)
                missed = np.exp(none[first] - none[np.minimum(rank[here], first)])
                result[here] = np.where(early, 1 - missed * (1 - value), value)
            least = grid.limit
        return result

    def _none(self, hits: int) -> Float64:
        last = max(int(grid.ranks[-1]) for grid in self.grids)
        return _no_hit(self.items, self.relevant - hits, last)


@lru_cache(maxsize=256)
def _no_hit(items: int, left: int, last: int) -> Float64:
    """For r = 0 ... last, the logarithm of the probability that no rank up to r has one of the
    `left` hits.
    """
    rank = np.arange(last, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        step = np.log1p(-left / (items - rank))
    return np.concatenate(([0.0], np.cumsum(np.where(items - rank > left, step, -745.0))))


def _first(worth: Float64, count: Int64, most: int) -> npt.NDArray[np.bool_]:
    """A mask of the placements that are worth most and whose counts add up to at most `most`."""
    order = np.argsort(-worth, kind="stable")
    kept = np.empty(len(worth), np.bool_)
    kept[order] = np.cumsum(count[order]) <= most
    return kept


#: Less probable numbers of hits in a block are left out.
_LEAST = 1e-16


@dataclass(frozen=True, slots=True, eq=False)
class GridWithAtoms(Grid):
    """A grid and the atoms of each state, which are not on the grid."""

    atoms: tuple[Atoms, ...]
    tails: tuple[Float64, ...]
    low: tuple[int, ...]

    def at(self, state: Int64, hits: int, u: Float64, light: bool) -> Float64:
        """The tail on the grid, plus the mass of the atoms from u on."""
        result = Grid.at(self, state, hits, u, light)
        for number in np.unique(state).tolist():
            first, stop = np.searchsorted(
                self.atoms[number].row, [hits - self.low[number], hits - self.low[number] + 1]
            )
            if stop > first:
                some = np.flatnonzero(state == number)
                tail = np.append(self.tails[number][first:stop], 0.0)
                result[some] += tail[np.searchsorted(self.atoms[number].value[first:stop], u[some])]
        return result


def gather_with_atoms(
    cell: float, limit: float, relevant: int, states: list[tuple[int, Mixed]]
) -> GridWithAtoms:
    """The grid of these pairs of a rank and the state after it, with the atoms of the states."""
    grid = gather(cell, limit, relevant, [(rank, mixed.state) for rank, mixed in states])
    atoms = tuple(mixed.atoms for _, mixed in states)
    return GridWithAtoms(
        grid.cell,
        grid.limit,
        grid.ranks,
        grid.values,
        grid.place,
        grid.size,
        grid.start,
        atoms,
        tuple(row.tails() for row in atoms),
        tuple(mixed.state.low for _, mixed in states),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Sparse(Tails):
    """P(S >= s) for any s, with few hits in these blocks."""

    blocks: TiedBlocks

    def _children(
        self, hits: int, rank: Int64, until: Int64, u: Float64
    ) -> Iterator[tuple[int, Int64, Int64, Float64, Float64]]:
        """The next block with hits, and the number of these hits."""
        end, size = self.blocks.end, self.blocks.size
        first = np.searchsorted(end, rank, "right")
        owner, i = spread(first, np.searchsorted(end, until, "right") - first)
        none, left = self._none(hits), self.relevant - hits
        rest = self.items - end[i] - left
        chance = np.exp(none[end[i]] - none[rank[owner]])
        for q in range(1, left + 1):
            # P(q) / P(q - 1) of the hypergeometric distribution.
            chance = chance * ((size[i] - q + 1) * (left - q + 1) / (q * np.maximum(rest + q, 1)))
            some = np.flatnonzero(chance > _LEAST)
            if not len(some):
                break
            owner, i, rest, chance = owner[some], i[some], rest[some], chance[some]
            a, b, c = (
                one[i].astype(np.float64) for one in (self.blocks.a, self.blocks.b, self.blocks.c)
            )
            yield q, owner, end[i], u[owner] - (a * q * hits + b * q + c * q * (q - 1)), chance

    def _last(self, u: Float64) -> Float64:
        adds = (self.blocks.a * (self.relevant - 1) + self.blocks.b).astype(np.float64)
        # The amounts ascend from the last block to the first.
        enough = len(adds) - np.searchsorted(adds[::-1], u)
        return np.asarray(np.append(0, self.blocks.end)[enough], np.float64)
