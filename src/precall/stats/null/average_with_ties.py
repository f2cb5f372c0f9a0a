"""The null distribution of AP with ties: blocks of equal score stay, and labels are permuted over
the items.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb

import numpy as np

from precall.core.arguments import check_choice
from precall.core.ragged import Float64, Int64
from precall.core.text import many
from precall.stats.null.distribution import Accuracy, NullDistribution
from precall.stats.null.hits_and_ranks import standardised_moments
from precall.stats.null.tail.around_block import BlockClusters, last_large, tails_of
from precall.stats.null.tail.atoms import AtomTable
from precall.stats.null.tail.block_moments import (
    TiedBlocks,
    coefficients,
    cumulants_of,
    join_late_blocks,
    moments_of,
)
from precall.stats.null.tail.enumeration import exact_terms, follow_blocks, list_sums
from precall.stats.null.tail.in_blocks import few_hits
from precall.stats.null.tail.random_placements import draw_by_block
from precall.stats.null.tail.staircase import Tails

TIES = ("expected", "block")
#: Most items whose exact fractions are listed.
_ITEMS = 1000
#: With fewer misses, p = 1e-6 is up to 4.6 % off (docs/why/null.md).
_MISSES = 5
#: Convolutions leave out less probable paths, so tails below this are not known.
_LEAST = 1e-12


def tied(items: int, relevant: int, blocks: Int64, ties: str) -> NullDistribution:
    """The null distribution of AP with these blocks; see `average_precision`.

    Examples
    --------
    >>> null = tied(4, 2, np.array([1, 3]), "expected")
    >>> round(null.mean, 6), {round(x, 6): round(null.sf(x), 6) for x in (0.5, 0.8)}
    (0.680556, {0.5: 1.0, 0.8: 0.5})
    """
    check_choice("ties", ties, TIES)
    return Tied(items, relevant, coefficients(blocks, ties), ties)


@dataclass(frozen=True, eq=False, repr=False)
class Tied(NullDistribution):
    """AP of `relevant` of `items` in `blocks` of equal score, labels permuted; see
    `average_precision`.
    """

    items: int
    relevant: int
    blocks: TiedBlocks
    ties: str
    _known = _LEAST

    @property
    def _quantity(self) -> str:
        return "AP"

    @property
    def name(self) -> str:
        return (
            f"AP ({self.ties}) in {many(len(self.blocks.size), 'block')}, {self.relevant} of "
            f"{self.items} items relevant"
        )

    @cached_property
    def _exact_moments(self) -> tuple[float, float]:
        return moments_of(self.items, self.relevant, self.blocks)

    def _moments(self) -> tuple[float, float]:
        return self._exact_moments

    def _shape(self) -> tuple[float, float]:
        if self._states is None:
            return cumulants_of(0, self.relevant, join_late_blocks(self.blocks))[2:]
        return standardised_moments(*self._states)

    @property
    def _slack(self) -> float:  # type: ignore[override]
        """The tolerance for equal values: with one miss the next value may be 1/(n m) away."""
        return min(NullDistribution._slack, 0.25 / (self.items * self.relevant))

    @cached_property
    def _states(self) -> tuple[Float64, Float64] | None:
        states = follow_blocks(
            self.items, self.relevant, tuple(self.blocks.size.tolist()), *self.blocks.terms
        )
        return None if states is None else (states[0] / self.relevant, states[1])

    def _atoms(self) -> tuple[Float64, Float64] | None:
        return self._states

    def pmf(self) -> dict[Fraction, Fraction]:
        """Every value of AP and its probability, as exact fractions; only if there are few."""
        if self.items > _ITEMS:
            return super().pmf()
        sizes = self.blocks.size.tolist()
        ways = list_sums(self.relevant, sizes, exact_terms(sizes, self.ties))
        if ways is None:
            return super().pmf()
        placements = comb(self.items, self.relevant)
        return {total / self.relevant: Fraction(ways[total], placements) for total in sorted(ways)}

    @cached_property
    def _table(self) -> Tails | AtomTable | BlockClusters:
        return tails_of(self.items, self.relevant, self.blocks, self._exact_moments)

    def _heavy(self) -> tuple[Float64, Float64] | None:
        if isinstance(self._table, Tails):
            return None
        values, masses = self._table.heavy()
        return values / self.relevant, masses

    @property
    def approximate(self) -> Accuracy:
        """How `sf` is computed and how accurate it is; false if it is exact."""
        if self._states is not None:
            return Accuracy("enumeration of counts per block")
        alone = last_large(self.items, self.relevant, self.blocks) is None
        # Hits behind a block of most items may move AP by less than the cells that follow the
        # block, so no error is stated.
        if alone and self.blocks.size[:-1].max(initial=0) > self.items / 2:
            return Accuracy("convolution over blocks", float("inf"))
        # With few hits, low values come from hits late in the list, where a cell of the grid is
        # coarse.
        lower = 0.15 if alone and few_hits(self.items, self.relevant) else 0.0
        # With few misses, high values are as close to each other as cells are.
        error = 0.05 if self.items - self.relevant < _MISSES else 0.02
        return Accuracy("convolution over blocks", error, 1e-6, lower, below=0.03)

    def _tail_without_list(self, x: Float64, above: bool) -> Float64:
        inside = (x > 0) & (x <= 1)
        p = np.where(x <= 0, 1.0, 0.0)
        if inside.any():
            p[inside] = np.maximum(self._table(x[inside] * self.relevant), _LEAST)
        return p

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        drawn = draw_by_block(self.blocks.size, self.relevant, size, rng)
        sums = (self.blocks.precisions(hits.astype(np.float64)) for hits in drawn)
        return np.concatenate([np.empty(0), *sums]) / self.relevant
