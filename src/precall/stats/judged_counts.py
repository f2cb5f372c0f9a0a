"""Measures of counts from people's labels of some units and a judge's of all.

Units fall into cells: stratum x the judge's label x the decisions. How many units a cell has is
known of all; what share of it is relevant is learned from people's labels in it. The estimate puts
people's shares in place of labels (post-stratification). Bounds are quantiles of the measure over
draws: of the shares of relevant units from beta distributions, and, of a population, of the sizes
of cells from a Dirichlet distribution. This is right for any judge, if within each cell people's
units are a random choice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from precall.core.counts import Counts
from precall.core.ragged import Bool, Float64, Int64
from precall.stats import quantiles
from precall.stats.double_sampling import LEAST_FREEDOM, Choice

#: What a bound adds to the labels of a cell, if one cell matters: of the kind that pulls a measure
#: away from the bound, and of the kind that pulls it to the bound's side.
_NEAR, _FAR = 1 / 3, 3 / 4
#: With more different values, a judge's labels are cut at their quantiles into as many.
LEVELS = 4
#: A step of shares of cells, to see how the measure moves with them.
_STEP = 1e-5

#: A value per table.
Value = Callable[[Counts], Float64]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedCells:
    """Cells of units that are alike to the judge and to the systems, in an order that does not
    depend on that of the units.

    Attributes
    ----------
    total : number of units in each cell.
    drawn : number of people's labels in each, as many as they are worth if unequally probable.
    labels : number of people's labels in each.
    share : share of relevant units in each, by people's labels.
    judged : mean of the judge's labels in each, of all units.
    accepted : whether each system accepts the units of the cell; systems x cells.
    cell : the cell of each unit.
    """

    total: Int64
    drawn: Float64
    labels: Int64
    share: Float64
    judged: Float64
    accepted: Bool
    cell: Int64

    @classmethod
    def of(cls, people: Float64, judge: Float64, accepted: Bool, choice: Choice) -> JudgedCells:
        """The cells of units.

        Parameters
        ----------
        people : people's labels, of the units of `choice.seen`.
        judge : the judge's labels of all units, in [0, 1].
        accepted : whether each system accepts each unit; systems x units.
        choice : which units people labelled, and how they were chosen.
        """
        code = choice.stratum * LEVELS + levels(judge)
        for decided in accepted:
            code = code * 2 + decided
        kinds, cell = np.unique(code, return_inverse=True)
        own, size = cell[choice.seen], len(kinds)
        weight = 1 / choice.chance if choice.are_weighted else np.ones(len(people))
        mass, squares, relevant, labels = (
            np.bincount(own, each, minlength=size)
            for each in (weight, weight**2, weight * people, np.ones(len(people)))
        )
        total = np.bincount(cell)
        drawn = np.divide(mass**2, squares, out=np.zeros(size), where=squares > 0)
        share = np.divide(relevant, mass, out=np.full(size, np.nan), where=mass > 0)
        judged = np.bincount(cell, judge) / total
        inside = np.zeros((len(accepted), size), np.bool_)
        inside[:, cell] = accepted
        share = _without_gaps(share, mass.astype(np.float64), judged)
        order = np.lexsort((judged, *inside, share * drawn, drawn, total))
        place = np.empty(size, np.int64)
        place[order] = np.arange(size)
        return cls(
            total[order],
            drawn[order],
            labels.astype(np.int64)[order],
            share[order],
            judged[order],
            inside[:, order],
            place[cell],
        )

    @property
    def size(self) -> int:
        """Number of units."""
        return int(self.total.sum())

    def tables(self, share: Float64, sizes: Float64, system: int) -> Counts:
        """The tables of a system.

        Parameters
        ----------
        share : share of relevant units, ... x cells.
        sizes : how many units the cells have, ... x cells.
        system : which one.
        """
        inside = self.accepted[system].astype(np.float64)
        relevant = sizes * share
        other = sizes - relevant
        tp, fp = relevant @ inside, other @ inside
        # What is a small difference of large numbers would not be exactly 0.
        return Counts(tp, fp, relevant @ (1 - inside), other @ (1 - inside))

    def estimate(self, value: Value, system: int, by_judge: bool = False) -> float:
        """The measure of a system by people's labels, or by the judge's alone."""
        share = self.judged if by_judge else self.share
        return _one(value, self.tables(share[None], self.total[None].astype(float), system))

    def additions(self, influence: tuple[Float64, Float64]) -> tuple[Float64, Float64]:
        """What the low bound adds to the relevant and to the other labels of each cell; the high
        bound adds the opposite.

        Half a label of either kind in every cell would put two errors more into the cells of a
        system that hardly errs. As in `cell_posterior`, the kind that pulls the measure to the
        bound gets more than the other one, and both the less the more cells matter: their number is
        (Σ w)² / Σ w² for what one label more in each moves.

        Parameters
        ----------
        influence : of a relevant and of another unit of each cell.
        """
        pull = influence[0] - influence[1]
        weight = np.abs(pull) * self.total / np.maximum(self.drawn, 1)
        squares = float((weight / max(weight.max(), 1e-300)).sum()) ** 2
        kinds = max(squares / max(float(((weight / max(weight.max(), 1e-300)) ** 2).sum()), 1), 1.0)
        near, far = _NEAR / kinds, max(1 - kinds / 4, 1 / kinds) if kinds > 1 else _FAR
        return np.where(pull > 0, near, far), np.where(pull > 0, far, near)

    def draw(
        self,
        rng: np.random.Generator,
        draws: int,
        added: tuple[Float64, Float64],
        shrunk: float,
        these: bool,
    ) -> tuple[DrawnCells, DrawnCells]:
        """Draws of the cells' shares of relevant units, and of their sizes: for the low and for the
        high bound.

        Parameters
        ----------
        rng : the source of random numbers.
        draws : how many.
        added : what the low bound adds to the relevant and to the other labels of each cell.
        shrunk : how many labels tell as much as one, because units of a group are alike or their
            weights are unequal.
        these : whether the sizes of cells are those of these units.
        """
        n, shape = self.drawn / shrunk, (draws, len(self.total))
        sizes = np.broadcast_to(self.total.astype(float), shape)
        if not these:
            gamma = rng.standard_gamma(self.total / shrunk, shape)
            sizes = gamma * (self.size / gamma.sum(axis=1, keepdims=True))

        def draw_shares(relevant: Float64, other: Float64) -> Float64:
            share = rng.beta(n * self.share + relevant, n * (1 - self.share) + other, shape)
            if these:
                seen = np.minimum(self.labels, self.total)
                share = (rng.binomial(self.total - seen, share) + seen * self.share) / self.total
            return share

        return DrawnCells(draw_shares(*added), sizes), DrawnCells(draw_shares(*added[::-1]), sizes)

    def influences(self, value: Value, system: int) -> tuple[Float64, Float64]:
        """What one more relevant unit of each cell changes in the measure, and one more other unit,
        times the number of units.
        """
        step = _STEP * self.size
        table = self.tables(self.share[None], self.total[None].astype(float), system)
        cells = np.array([table.tp, table.fp, table.fn, table.tn]).ravel()
        moved = []
        for which in range(4):
            # One-sided where a cell is empty.
            less = min(step, cells[which])
            ends = [cells.copy(), cells.copy()]
            ends[0][which] -= less
            ends[1][which] += step
            low, high = (_one(value, Counts(*end[:, None])) for end in ends)
            moved.append((high - low) / (step + less) * self.size)
        tp, fp, fn, tn = np.nan_to_num(moved, posinf=0.0, neginf=0.0)
        inside = self.accepted[system]
        return np.where(inside, tp, fn), np.where(inside, fp, tn)


class DrawnCells(NamedTuple):
    """Shares of relevant units and sizes of cells, draws x cells."""

    share: Float64
    sizes: Float64


def levels(judge: Float64) -> Int64:
    """The level of each of a judge's labels: the label itself, or its quarter of all."""
    distinct, code = np.unique(judge, return_inverse=True)
    if len(distinct) <= LEVELS:
        return code.astype(np.int64)
    cuts = np.quantile(judge, np.arange(1, LEVELS) / LEVELS)
    return np.searchsorted(np.unique(cuts), judge, side="left").astype(np.int64)


def design_effect(
    people: Float64,
    cells: JudgedCells,
    choice: Choice,
    influence: tuple[Float64, Float64],
    level: float,
    these: bool,
) -> float:
    """How many labels tell as much as one would, if all were chosen alike and each by itself.

    The variance of the estimate by influences, summed within groups, over that of independent
    units; and the square of Student's quantile for the number of groups over the normal one.

    Parameters
    ----------
    people : people's labels.
    cells : the cells of the units.
    choice : how people's units were chosen, and their groups.
    influence : of a relevant and of another unit of each cell.
    level : nominal coverage.
    these : whether only these units count.
    """
    if not choice.are_weighted and choice.group is None:
        return 1.0
    up, down = influence
    own, size = cells.cell[choice.seen], cells.size
    weight = 1 / choice.chance if choice.are_weighted else np.ones(len(people))
    mass = np.bincount(own, weight, minlength=len(cells.total))
    part = (
        cells.total[own]
        / size
        * weight
        / mass[own]
        * (people - cells.share[own])
        * (up - down)[own]
    )
    mean = cells.share * up + (1 - cells.share) * down
    binomial = cells.share * (1 - cells.share)
    by_labels = np.divide(
        (cells.total / size * (up - down)) ** 2 * binomial,
        cells.drawn,
        out=np.zeros(len(mean)),
        where=cells.drawn > 0,
    )
    weight_of_cells = cells.total / size
    by_sizes = 0.0 if these else float(weight_of_cells @ mean**2 - (weight_of_cells @ mean) ** 2)
    expected = float(by_labels.sum()) + by_sizes / size
    grown = 1.0
    if choice.group is None:
        found = float((part**2).sum()) + by_sizes / size
    else:
        sums = np.bincount(choice.group[choice.seen], part, minlength=int(choice.group.max()) + 1)
        if not these:
            sums = sums + np.bincount(
                choice.group, (mean - weight_of_cells @ mean)[cells.cell] / size
            )
        found = float((sums**2).sum())
        squares = np.bincount(choice.group[choice.seen], choice.share) ** 2
        groups = float(squares.sum() ** 2 / (squares**2).sum())
        freedom = min(max(groups - 1, LEAST_FREEDOM), choice.groups - 1.0)
        found *= (freedom + 1) / freedom
        grown = (quantiles.t(level, freedom) / quantiles.t(level, math.inf)) ** 2
    if expected <= 0:
        return grown
    return max(found / expected, 1.0) * grown


def values_of(cells: JudgedCells, value: Value, drawn: DrawnCells, system: int) -> Float64:
    """The measure of a system in each draw.

    Parameters
    ----------
    cells : the cells.
    value : the measure.
    drawn : the draws.
    system : which one.
    """
    return _of_tables(value, cells.tables(drawn.share, drawn.sizes, system))


def values_by_judge(cells: JudgedCells, value: Value, drawn: DrawnCells, system: int) -> Float64:
    """The same by the judge's labels alone, of the same draws of the sizes of cells."""
    return _of_tables(value, cells.tables(cells.judged, drawn.sizes, system))


def _of_tables(value: Value, tables: Counts) -> Float64:
    with np.errstate(all="ignore"):
        return np.asarray(value(tables), np.float64)


def _one(value: Value, table: Counts) -> float:
    return float(_of_tables(value, table)[0])


def _without_gaps(share: Float64, mass: Float64, judged: Float64) -> Float64:
    """Shares of cells, where people labelled nothing that of cells with the nearest label by the
    judge.
    """
    known = ~np.isnan(share)
    if known.all():
        return share
    filled = share.copy()
    for cell in np.flatnonzero(~known):
        away = np.abs(judged - judged[cell])
        near = known & (away <= away[known].min() + 1e-12)
        filled[cell] = share[near] @ mass[near] / mass[near].sum()
    return filled
