"""The limit law of AP under random selection as textbooks have it: normal with mean p and variance
p² (1 - p) / m, with or without its skewness.

The law with skewness is a gamma distribution of this mean, variance and skewness (Pearson's type
III); unlike the first terms of an expansion it is a distribution. Neither knows the exact mean and
variance, as `asymptotic` does. The error at a value is found by comparison with the exact
distribution. The skewness tends to 2 (4 - 5p) / √(m (1 - p)) (docs/why/errata.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from precall.core.errors import UsageError
from precall.core.ragged import Float64
from precall.stats.null.distribution import SMALLEST, Accuracy, NullDistribution, upper_normal
from precall.stats.scipy import special


@dataclass(frozen=True, repr=False)
class Limit(NullDistribution):
    """The limit law of AP of `relevant` of `items`; see `AveragePrecision.limit`."""

    items: int
    relevant: int
    skewed: bool = True

    @property
    def name(self) -> str:
        return f"AP, {self.relevant} of {self.items} items relevant, {self.kind}"

    @property
    def _quantity(self) -> str:
        return "AP"

    @property
    def kind(self) -> str:
        """What tables call it."""
        return "limit with skewness" if self.skewed else "limit"

    @property
    def approximate(self) -> Accuracy:
        return Accuracy(f"{self.kind}, normal", inf)

    def _moments(self) -> tuple[float, float]:
        share = self.relevant / self.items
        return share, share**2 * (1 - share) / self.relevant

    def _shape(self) -> tuple[float, float]:
        share = self.relevant / self.items
        if not self.skewed or share == 1:
            return 0.0, 0.0
        return 2 * (4 - 5 * share) / sqrt(self.relevant * (1 - share)), 0.0

    def _ends(self) -> tuple[float, float]:
        return -inf, inf

    @property
    def _gamma(self) -> tuple[float, float]:
        """The shape of the gamma variable with this skewness, and its scale in standard errors."""
        half = self.skewness / 2
        return half**-2, half

    def _shares(self, x: Float64, above: bool) -> Float64:
        """The probability above each x, or below it."""
        if not self.std:
            return np.where((x <= self.mean) if above else (x >= self.mean), 1.0, SMALLEST)
        z = (x - self.mean) / self.std
        if not self.skewness:
            return np.maximum(upper_normal((z if above else -z) / sqrt(2)), SMALLEST)
        shape, scale = self._gamma
        # A negative skewness is that of the mirror image.
        is_upper = above == (scale > 0)
        share = special().gammaincc if is_upper else special().gammainc
        chances = np.asarray(share(shape, np.maximum(shape + z / scale, 0.0)), np.float64)
        return np.maximum(chances, SMALLEST)

    def _tail_without_list(self, x: Float64, above: bool) -> Float64:
        return self._shares(x, True)

    def _head_without_list(self, x: Float64) -> Float64:
        return self._shares(x, False)

    def _quantiles(self, q: Float64) -> Float64:
        if np.any((q <= 0) | (q >= 1)):
            raise UsageError(
                argument="q", allowed="in 0..1, without the ends, for a normal distribution"
            )
        if not self.std or not self.skewness:
            u = special().ndtri(q)
        else:
            shape, scale = self._gamma
            inverse = special().gammaincinv if scale > 0 else special().gammainccinv
            u = scale * (inverse(shape, q) - shape)
        return np.asarray(self.mean + self.std * u)

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        return self._quantiles(rng.random(size))
