"""Convolution that keeps atoms: single values with a visible probability, each made by one or a few
placements of the hits.

On a grid, only half of an atom's probability would count at its own value. There are atoms if only
few hits, or few misses, stand outside large blocks of equal score, or before the cutoff of a
measure. So atoms are carried backwards unchanged, and the grid holds the rest:

    V_t[h](u) = sum of the atoms of row h at u or more + grid.

A further step can only lower the share that an atom has of the tail at its value. An atom whose
share has fallen below `SHARE` is put on the grid, which loses at most half of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from precall.core.ragged import Bool, Float64, Int64, spread
from precall.stats.null.tail import convolution
from precall.stats.null.tail.convolution import ROUGH, Grid, ShiftPairs, State, Step, gather

#: An atom with a smaller share of the tail at its value goes to the grid; sums that differ
#: relatively by less are equal.
SHARE, _EQUAL = 2e-3, 1e-13
#: How many atoms are carried, at most: those with the largest shares.
MOST = 60_000
#: An atom with a smaller probability goes to the grid: no tail is known to be so small.
_LEAST = 1e-12
#: An amount is one value if its variance over its squared mean is no greater: rounding leaves so
#: much of a variance of 0.
ROUNDING = 1e-14


@dataclass(frozen=True, slots=True, eq=False)
class Atoms:
    """Atoms by ascending row, and within a row by ascending value."""

    row: Int64
    value: Float64
    mass: Float64

    def tails(self) -> Float64:
        """For each atom, the mass of it and of those above it in its row."""
        bounds = np.flatnonzero(np.diff(self.row)) + 1
        parts = [np.cumsum(one[::-1])[::-1] for one in np.split(self.mass, bounds)]
        return np.concatenate(parts)

    def __getitem__(self, kept: Any) -> Atoms:
        return Atoms(self.row[kept], self.value[kept], self.mass[kept])


@dataclass(frozen=True, slots=True, eq=False)
class Mixed:
    """A state of the grid, and the atoms that are not on the grid."""

    state: State
    atoms: Atoms


@dataclass(frozen=True, slots=True, eq=False)
class AtomTable:
    """P(S >= s) from several grids and the atoms of each.

    Every grid is coarser than the one before and reaches further.
    """

    grids: tuple[Grid, ...]
    atoms: tuple[Atoms, ...]
    light: bool

    def __call__(self, s: Float64) -> Float64:
        """One tail probability for each s."""
        result, least = np.zeros(len(s)), -np.inf
        for i, (grid, atoms) in enumerate(zip(self.grids, self.atoms, strict=True)):
            here = (s > least) & (s <= grid.limit)
            above = np.append(atoms.tails(), 0.0)[np.searchsorted(atoms.value, s[here])]
            result[here] = grid(0, s[here], self.light and not i) + above
            least = grid.limit
        return np.clip(result, 0.0, 1.0)

    def heavy(self) -> tuple[Float64, Float64]:
        """Values and masses of all atoms, each from the finest grid that reaches its value."""
        parts, least = [], -np.inf
        for grid, atoms in zip(self.grids, self.atoms, strict=True):
            parts.append(atoms[(atoms.value > least) & (atoms.value <= grid.limit)])
            least = grid.limit
        return np.concatenate([one.value for one in parts]), np.concatenate(
            [one.mass for one in parts]
        )


def at_end(items: int, relevant: int, rank: int) -> Mixed:
    """The state if nothing is added after `rank`: an atom at 0."""
    low, chance = convolution.rows(items, relevant, rank)
    rows = len(chance)
    atoms = Atoms(np.arange(rows), np.zeros(rows), np.ones(rows))
    return Mixed(State(low, 0, np.zeros((rows, 1)), np.zeros(rows)), atoms)


def convolve(
    items: int,
    relevant: int,
    steps: Sequence[Step],
    mixed: Mixed,
    cell: float,
    window: tuple[int, int],
) -> Mixed:
    """Carry `mixed` back over `steps`, last one first, on the points inside the window."""
    for step in reversed(steps):
        mixed = _back(items, relevant, step, mixed, cell, window)
    return mixed


def table(levels: Sequence[tuple[float, float, Mixed]], relevant: int) -> AtomTable:
    """The tails, from triples of cell, limit and state at the first rank, finest first."""
    grids = [gather(cell, limit, relevant, [(0, mixed.state)]) for cell, limit, mixed in levels]
    return AtomTable(tuple(grids), tuple(mixed.atoms for _, _, mixed in levels), relevant >= ROUGH)


def _back(
    items: int, relevant: int, step: Step, mixed: Mixed, cell: float, window: tuple[int, int]
) -> Mixed:
    low, weight = convolution.rows(items, relevant, step.rank)
    before = np.arange(low, low + len(weight))
    pairs = convolution.pair_rows(
        items, relevant, step, mixed.state, cell, before, weight, ROUGH, 0.0
    )
    fixed = pairs.variance <= ROUNDING * pairs.mean**2
    on_grid = _on_grid(mixed.state, mixed.atoms, cell)
    start, stop = convolution.point_range(on_grid, pairs, window)
    rows = len(weight)
    result, top = np.zeros((rows, stop - start)), np.zeros(rows)
    # A fixed amount moves the atoms unchanged. An amount that varies spreads them, so it moves
    # everything on the grid.
    for state, some in ((mixed.state, pairs[fixed]), (on_grid, pairs[~fixed])):
        if len(some.target):
            result += convolution.sum_of_shifts(state, some, start, stop - start, rows)
            top += np.bincount(some.target, some.chance * state.tops[some.source], rows)
    state = State(low, start, result, top)
    atoms = merge(shift(mixed.atoms, pairs[fixed], cell))
    kept = _heavy(atoms, state, weight, cell)
    state = _on_grid(state, atoms[~kept], cell, (start, stop))
    return Mixed(convolution.trim(state, weight), atoms[kept])


def shift(atoms: Atoms, pairs: ShiftPairs, cell: float) -> Atoms:
    """Move every atom in the source row of each pair to the target row."""
    first = np.searchsorted(atoms.row, pairs.source)
    count = np.searchsorted(atoms.row, pairs.source, "right") - first
    owner, index = spread(first, count)
    value = atoms.value[index] + pairs.mean[owner] * cell
    return Atoms(pairs.target[owner], value, atoms.mass[index] * pairs.chance[owner])


def merge(atoms: Atoms) -> Atoms:
    """Sort atoms, and join those of a row that differ only by rounding."""
    if not len(atoms.row):
        return atoms
    atoms = atoms[np.lexsort((atoms.value, atoms.row))]
    new = np.diff(atoms.value) > _EQUAL * np.maximum(np.abs(atoms.value[1:]), 1e-3)
    first = np.flatnonzero(np.concatenate(([True], new | (np.diff(atoms.row) > 0))))
    return Atoms(atoms.row[first], atoms.value[first], np.add.reduceat(atoms.mass, first))


def _heavy(atoms: Atoms, state: State, weight: Float64, cell: float) -> Bool:
    """A mask of the atoms with a visible share of the upper or the lower tail at their value."""
    position = np.clip(atoms.value / cell - state.start, -1.0, state.values.shape[1])
    below = np.floor(position).astype(np.int64)
    values = np.concatenate(
        (state.tops[:, None], state.values, np.zeros((len(state.values), 2))), axis=1
    )
    fraction = position - below
    rest = (1 - fraction) * values[atoms.row, below + 1] + fraction * values[atoms.row, below + 2]
    upper = np.maximum(atoms.tails() + rest, atoms.mass)
    # Of the smaller tail, so that both are right; the lower one also includes the atom.
    share = atoms.mass / np.minimum(upper, np.maximum(1 - upper, 0.0) + atoms.mass)
    kept: Bool = (share > SHARE) & (atoms.mass * weight[atoms.row] > _LEAST)
    places = np.flatnonzero(kept)
    if len(places) > MOST:
        # Only atoms above `_LEAST` compete here: below it shares are all alike, and such atoms
        # must not displace others.
        kept[places[np.argpartition(share[places], -MOST)[:-MOST]]] = False
    return kept


def _on_grid(
    state: State, atoms: Atoms, cell: float, window: tuple[int, int] | None = None
) -> State:
    """The state with these atoms on its grid, each split between two points to keep its mean."""
    if not len(atoms.row):
        return state
    position = atoms.value / cell
    below = np.floor(position).astype(np.int64)
    start = min(state.start, int(below.min()) - 1)
    stop = max(state.start + state.values.shape[1], int(below.max()) + 3)
    if window is not None:
        start, stop = window
    width, rows = stop - start, len(state.values)
    mass = np.zeros(rows * (width + 2))
    # Atoms past an end of the grid go into an extra column on that side.
    for point, share in ((below, 1 - (position - below)), (below + 1, position - below)):
        column = np.clip(point - start + 1, 0, width + 1)
        mass += np.bincount(atoms.row * (width + 2) + column, atoms.mass * share, len(mass))
    table = mass.reshape(rows, width + 2)
    # Half of an atom is counted at its point.
    tail = np.cumsum(table[:, ::-1], axis=1)[:, ::-1] - table / 2
    values = np.zeros((rows, width))
    values[:] = state.tops[:, None] * (np.arange(start, stop) < state.start)
    old = slice(state.start - start, state.start - start + state.values.shape[1])
    values[:, max(old.start, 0) : old.stop] = state.values[:, max(-old.start, 0) :][
        :, : max(width - old.start, 0)
    ]
    values += tail[:, 1:-1]
    return State(state.low, start, values, state.tops + table.sum(axis=1))
