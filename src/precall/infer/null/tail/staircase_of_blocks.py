"""The staircase of `staircase` for blocks of equal score: the first hits are placed block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from precall.infer.null.tail.atoms import Atoms, Mixed
from precall.infer.null.tail.block_moments import Blocks
from precall.infer.null.tail.grids import Grid, gathered
from precall.infer.null.tail.staircase import Tails, listed
from precall.ragged import Float64, Int64

#: What is less probable than this is left out.
_LEAST = 1e-16


@dataclass(frozen=True, slots=True, eq=False)
class Beside(Grid):
    """A grid with the atoms of each state beside it."""

    atoms: tuple[Atoms, ...]
    tails: tuple[Float64, ...]
    low: tuple[int, ...]

    def at(self, state: Int64, hits: int, u: Float64, light: bool) -> Float64:
        """What the grid has, and the atoms from u on."""
        result = Grid.at(self, state, hits, u, light)
        for one in np.unique(state).tolist():
            first, stop = np.searchsorted(
                self.atoms[one].row, [hits - self.low[one], hits - self.low[one] + 1]
            )
            if stop > first:
                some = np.flatnonzero(state == one)
                tail = np.append(self.tails[one][first:stop], 0.0)
                result[some] += tail[np.searchsorted(self.atoms[one].value[first:stop], u[some])]
        return result


def beside(cell: float, limit: float, relevant: int, states: list[tuple[int, Mixed]]) -> Beside:
    """The grid of these states, each after its rank, and their atoms."""
    grid = gathered(cell, limit, relevant, [(rank, mixed.state) for rank, mixed in states])
    atoms = tuple(mixed.atoms for _, mixed in states)
    return Beside(
        grid.cell, grid.limit, grid.ranks, grid.values, grid.place, grid.size, grid.start, atoms,
        tuple(one.tails() for one in atoms), tuple(mixed.state.low for _, mixed in states),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Sparse(Tails):
    """P(S >= s) for any s, with few hits in these blocks."""

    blocks: Blocks

    def _children(
        self, hits: int, rank: Int64, until: Int64, u: Float64
    ) -> Iterator[tuple[int, Int64, Int64, Float64, Float64]]:
        """The next block with hits, and how many."""
        end, size = self.blocks.end, self.blocks.size
        owner, i = listed(np.searchsorted(end, rank, "right"), np.searchsorted(end, until, "right"))
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
            a, b, c = (one[i].astype(np.float64) for one in (self.blocks.a, self.blocks.b, self.blocks.c))
            yield q, owner, end[i], u[owner] - (a * q * hits + b * q + c * q * (q - 1)), chance

    def _last(self, u: Float64) -> Float64:
        adds = (self.blocks.a * (self.relevant - 1) + self.blocks.b).astype(np.float64)
        # Ascending from the last block on.
        enough = len(adds) - np.searchsorted(adds[::-1], u)
        return np.asarray(np.append(0, self.blocks.end)[enough], np.float64)
