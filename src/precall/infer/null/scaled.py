"""The null distribution of a value divided by all relevant items, of which some were not retrieved."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from precall.infer.null.distribution import Accuracy, NullDistribution, Tail
from precall.ragged import Float64


@dataclass(frozen=True, repr=False)
class Scaled(NullDistribution):
    """`null`, of a value over the `retrieved` relevant items, for the value over all `relevant` ones."""

    null: NullDistribution
    retrieved: int
    relevant: int

    @property
    def name(self) -> str:
        return f"{self.null.name}, {self.relevant - self.retrieved} more missed"

    @property
    def approximate(self) -> Accuracy:
        return self.null.approximate

    @property
    def _slack(self) -> float:  # type: ignore[override]
        return self.null._slack

    @property
    def _share(self) -> float:
        return self.retrieved / self.relevant

    def _moments(self) -> tuple[float, float]:
        return self._share * self.null.mean, self._share**2 * self.null.var

    def _shape(self) -> tuple[float, float]:
        return self.null._shapes

    def _ends(self) -> tuple[float, float]:
        low, high = self.null._ends()
        return self._share * low, self._share * high

    def _times(self, listed: tuple[Float64, Float64] | None) -> tuple[Float64, Float64] | None:
        return None if listed is None else (self._share * listed[0], listed[1])

    def _atoms(self) -> tuple[Float64, Float64] | None:
        return self._times(self.null._atoms())

    def _heavy(self) -> tuple[Float64, Float64] | None:
        return self._times(self.null._heavy())

    def _unlisted(self, x: Float64, above: bool) -> Float64:
        return self.null._unlisted(x / self._share, above)

    def _unlisted_below(self, x: Float64) -> Float64:
        return self.null._unlisted_below(x / self._share)

    def _outline(self, x: Float64) -> Float64:
        return self.null._outline(x / self._share)

    def _sought(self, q: Float64) -> Float64:
        return self._share * self.null._sought(q)

    def tail(self, x: float) -> Tail:
        """P(X >= x) with how it was found, as of the value over the items retrieved."""
        return self.null.tail(x / self._share)

    def pmf(self) -> dict[Fraction, Fraction]:
        """Every value and its probability, as exact fractions; only where there are few."""
        share = Fraction(self.retrieved, self.relevant)
        return {share * value: chance for value, chance in self.null.pmf().items()}

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        return self._share * self.null._draw(size, rng)
