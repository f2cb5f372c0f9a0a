"""The null distribution of any measure of a scored list: its labels in random order, while scores
stay, equal ones too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from precall.core.ragged import Float64, Int64, spread
from precall.core.text import many
from precall.stats.null.distribution import Accuracy, Drawn, NullDistribution, Tail, error_of_drawn
from precall.stats.null.hits_and_ranks import standardised_moments
from precall.stats.null.tail.random_placements import draw_by_block

#: Ways to share the hits among the blocks that are listed one by one, at most.
_LISTED = 2_000
#: Cases dealt by default over all draws together; and the least and greatest number of draws.
_DRAWN, _FEWEST, _MOST = 5 * 10**6, 500, 5_000


@dataclass(frozen=True, eq=False, repr=False)
class OfLabels(Drawn):
    """A measure of a list whose labels stand in random order.

    `value_of` has the value if each block of equal score has so many hits.
    """

    measure: str
    blocks: Int64
    relevant: int
    value_of: Callable[[Int64], float]
    seed: int = 0

    @property
    def name(self) -> str:
        return (
            f"{self.measure} in {many(len(self.blocks), 'block')}, {self.relevant} of "
            f"{int(self.blocks.sum())} items relevant"
        )

    @property
    def _quantity(self) -> str:
        return self.measure

    @property
    def sample_size(self) -> int:
        """How often the labels are dealt."""
        return min(max(_DRAWN // int(self.blocks.sum()), _FEWEST), _MOST)

    @property
    def approximate(self) -> Accuracy:
        return self._accuracy("random orders") if self._mass is None else Accuracy("enumeration")

    @property
    def mean_error(self) -> float:
        """The standard error of the mean; 0 if the mean is exact."""
        return 0.0 if self._mass is not None else float(np.sqrt(self.var / self.sample_size))

    @cached_property
    def _mass(self) -> tuple[Float64, Float64] | None:
        ways = _ways(self.blocks, self.relevant)
        if ways is None:
            return None
        every = comb(int(self.blocks.sum()), self.relevant)
        values = np.array([self.value_of(hits) for hits in ways[0]])
        chance = np.array([number / every for number in ways[1]])
        order = np.argsort(values, kind="stable")
        return values[order], chance[order]

    def _moments(self) -> tuple[float, float]:
        if self._mass is None:
            return float(self._sample.mean()), float(self._sample.var(ddof=1))
        values, chance = self._mass
        mean = float((values * chance).sum())
        return mean, float((chance * (values - mean) ** 2).sum())

    def _shape(self) -> tuple[float, float]:
        size = self.sample_size
        drawn = (self._sample, np.full(size, 1 / size)) if self._mass is None else self._mass
        return standardised_moments(*drawn)

    @cached_property
    def _span(self) -> tuple[float, float]:
        # The best order has the hits in the first blocks.
        before = np.cumsum(self.blocks) - self.blocks
        best = self.value_of(np.clip(self.relevant - before, 0, self.blocks))
        values = self._sample if self._mass is None else self._mass[0]
        return float(values[0]), max(best, float(values[-1]))

    def _ends(self) -> tuple[float, float]:
        return self._span

    def tail(self, x: float) -> Tail:
        """P(X >= x) and how it was computed, with its standard error if it was drawn."""
        return error_of_drawn(NullDistribution.tail(self, x), self.sample_size)

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        dealt = draw_by_block(self.blocks, self.relevant, size, rng)
        return np.array([self.value_of(hits) for batch in dealt for hits in batch])


def _ways(blocks: Int64, relevant: int) -> tuple[Int64, list[int]] | None:
    """The numbers of hits in the blocks, a row for each way to share the hits among them, and how
    many orders of the labels share them so; None if there are too many ways.
    """
    left, number = np.array([relevant]), [1]
    steps: list[tuple[Int64, Int64]] = []
    behind = int(blocks.sum())
    for size in blocks.tolist():
        behind -= size
        least = np.maximum(left - behind, 0)
        some = np.minimum(left, size) - least + 1
        if some.sum() > _LISTED:
            return None
        row, more = spread(least, some)
        left = left[row] - more
        number = [
            number[before] * comb(size, hits)
            for before, hits in zip(row.tolist(), more.tolist(), strict=True)
        ]
        steps.append((row, more))
    hits = np.empty((len(left), len(blocks)), np.int64)
    row = np.arange(len(left))
    for place in range(len(blocks) - 1, -1, -1):
        before, more = steps[place]
        hits[:, place], row = more[row], before[row]
    return hits, number
