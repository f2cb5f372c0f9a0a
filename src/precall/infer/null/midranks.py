"""The law of the area under the ROC curve with ties: blocks of equal score stay, labels are permuted."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb

import numpy as np

from precall.infer.null.distribution import SMALLEST, Accuracy, Law
from precall.infer.null.graded import linear_shape
from precall.infer.null.tail.clusters import Clusters
from precall.infer.null.tail.transform import Sum, drawn_sum
from precall.infer.null.tied import followed, listed
from precall.ragged import Float64

#: Below, rounding leaves nothing of the transform.
_LEAST = 1e-12
#: Up to so many items the counts per block are followed; beyond, there are too many of them.
_FOLLOWED = 400


@dataclass(frozen=True, repr=False)
class TiedAreaUnderRoc(Law):
    """Area under the ROC curve of `relevant` of `items` in `blocks` of equal score; see `area_under_roc`.

    A pair of equal scores counts half, so the area is a sum of midranks.

    Examples
    --------
    >>> law = TiedAreaUnderRoc(4, 2, (1, 2, 1))
    >>> round(law.mean, 6), round(law.var, 6), {x: round(law.sf(x), 6) for x in (0.5, 0.875, 1.0)}
    (0.5, 0.09375, {0.5: 0.666667, 0.875: 0.333333, 1.0: 0.0})
    """

    items: int
    relevant: int
    blocks: tuple[int, ...]
    _known = _LEAST

    @property
    def name(self) -> str:
        return f"area under ROC in {len(self.blocks)} blocks, {self.relevant} of {self.items} items relevant"

    @property
    def approximate(self) -> Accuracy:
        if self._states is not None:
            return Accuracy("enumeration of counts per block")
        return Accuracy("Fourier transform of the sum of midranks", 0.02, 1e-6)

    @property
    def _pairs(self) -> int:
        return self.relevant * (self.items - self.relevant)

    @cached_property
    def _scores(self) -> Float64:
        """Items below, and half of the others in the block: what a hit of each block adds, less pairs of hits."""
        size = np.array(self.blocks, np.float64)
        return np.asarray(self.items - np.cumsum(size) + (size - 1) / 2, np.float64)

    def _area(self, sums: Float64) -> Float64:
        return (sums - self.relevant * (self.relevant - 1) / 2) / self._pairs

    def pmf(self) -> dict[Fraction, Fraction]:
        """Every value and its probability, as exact fractions; only where there are few."""
        none, n, m = Fraction(0), self.items, self.relevant
        # Midranks are whole or half numbers, which floats are exact for.
        ways = listed(m, self.blocks, ((none, Fraction(one), none) for one in self._scores.tolist()))
        if ways is None:
            return super().pmf()
        pairs, whole = Fraction(m * (m - 1), 2), comb(n, m)
        return {(total - pairs) / self._pairs: Fraction(ways[total], whole) for total in sorted(ways)}

    @cached_property
    def _powers(self) -> tuple[list[float], list[float]]:
        """Central power sums of the midranks and of the labels."""
        n, m = self.items, self.relevant
        size = np.array(self.blocks, np.float64)
        away = (self._scores - (n - 1) / 2) / self._pairs
        labels = [m * (1 - m / n) ** k + (n - m) * (-m / n) ** k for k in range(5)]
        return [float((size * away**k).sum()) for k in range(5)], labels

    def _moments(self) -> tuple[float, float]:
        a, b = self._powers
        return 0.5, a[2] * b[2] / (self.items - 1)

    def _shape(self) -> tuple[float, float]:
        return linear_shape(self.items, *self._powers)

    @cached_property
    def _states(self) -> tuple[Float64, Float64] | None:
        if self.items > _FOLLOWED and len(self.blocks) > 32:
            return None
        none = np.zeros(len(self.blocks))
        states = followed(self.items, self.relevant, self.blocks, none, self._scores, none)
        return None if states is None else (self._area(states[0]), states[1])

    def _atoms(self) -> tuple[Float64, Float64] | None:
        return self._states

    @cached_property
    def _sum(self) -> tuple[Sum | Clusters, float]:
        """The sum of the midranks of the hits, or, where these are fewer, of the others."""
        n, m = self.items, self.relevant
        size, twice = np.array(self.blocks, np.int64), np.asarray(2 * self._scores, np.int64)
        fewer = 2 * m <= n
        law = drawn_sum(size, twice if fewer else -twice, min(m, n - m))
        lost = m * (m - 1) / 2 - (0 if fewer else n * (n - 1) / 2)
        return law, lost

    def _table(self, x: Float64, above: bool) -> Float64:
        law, lost = self._sum
        return law(x * self._pairs + lost, above)

    def _heavy(self) -> tuple[Float64, Float64] | None:
        law, lost = self._sum
        if isinstance(law, Sum):
            return None
        return (law.values - lost) / self._pairs, law.chance

    def _at_least(self, x: Float64) -> Float64:
        return self._beyond(x, False)

    def _beyond(self, x: Float64, above: bool) -> Float64:
        """P(area >= x), or with `above` P(area > x)."""
        # Areas are multiples of half a pair.
        x = x + (1e-3 if above else -1e-3) / self._pairs
        least, most = self._ends()
        if self._states is not None:
            values, chance = self._states
            tail = np.concatenate((np.cumsum(chance[::-1])[::-1], [0.0]))
            place = np.searchsorted(values, x)
            return np.where(place < len(values), np.clip(tail[place], SMALLEST, 1.0), 0.0)
        p = np.clip(self._table(x, above), _LEAST, 1.0)
        return np.where(x <= least, 1.0, np.where(x > most, 0.0, p))

    def _above(self, x: Float64) -> Float64:
        return self._beyond(x, True)

    def _ends(self) -> tuple[float, float]:
        return self._extreme(-1), self._extreme(1)

    def _extreme(self, sign: int) -> float:
        """The area where all hits have the best scores, or the worst."""
        left, total = self.relevant, 0.0
        for size, score in list(zip(self.blocks, self._scores.tolist(), strict=True))[::sign]:
            hits = min(size, left)
            total, left = total + hits * score, left - hits
        return float(self._area(np.array([total]))[0])

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        found = np.empty(size)
        batch = max(1, 2**22 // len(self.blocks))
        for start in range(0, size, batch):
            now = min(batch, size - start)
            hits = rng.multivariate_hypergeometric(self.blocks, self.relevant, now, method="marginals")
            found[start : start + now] = hits @ self._scores
        return self._area(found)
