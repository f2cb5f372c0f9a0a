"""The normal limit of the null distribution of AP, corrected for the exact skewness and kurtosis:
the Cornish-Fisher expansion.

AP under random selection is asymptotically normal (docs/why/errata.md derives it), but convergence
is slow: with only the exact mean and variance, a p of .001 is 76 % too small for 500 of 2000 items
and 11 % for 100,000 of 10^6. So the standardised value z gets the normal quantile

    u(z) = z - g/6 (z² - 1) - k/24 (z³ - 3z) + g²/36 (4z³ - 7z),

with the exact skewness g and excess kurtosis k (Cornish & Fisher 1938). The relative error of p
grows like z⁵ d³, where d = |g| + √|k - 2g²|. At z = 1.05 d^(-2/3) it was 1.1 % for all shares of
relevant items, and at most 2.1 % for means over rankings. So 2 and 3 % are stated up to there;
docs/why/null.md has the measurements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import erfc, fsum, sqrt

import numpy as np

from precall.core.ragged import Float64
from precall.stats.null.distribution import SMALLEST, Accuracy, NullDistribution, upper_normal

METHOD = "Cornish-Fisher expansion"
#: The stated relative error for one ranking and for a mean, and the least probability for which it
#: is stated.
_ERROR, _ERROR_OF_MEANS, _LEAST = 0.02, 0.03, 1e-6
#: The stated error holds up to z = 1.05 d^(-2/3), d = |g| + √|k - 2g²|, if that is at least 1.2
#: standard deviations.
_REACH, _NEAREST = 1.05, 1.2
#: AP over fewer ranks has few values at equal distances: the limit for fewer than `_MANY` rankings,
#: that number, and the limit for `_MANY` or more.
_ALONE, _MANY, _TOGETHER = 50, 20, 10
#: Greatest distance of two neighbouring values of AP over fewer ranks.
_APART = 0.5


@dataclass(frozen=True, repr=False)
class Asymptotic(NullDistribution):
    """The normal limit of `null` with its mean, variance, skewness and kurtosis; see
    `AveragePrecision.asymptotic`.

    Parameters
    ----------
    null : AP of one ranking, or a mean of it over rankings.
    smooth : whether its values are so many and so close that no single one matters; see
        `is_smooth`.
    several : whether it is a mean over several rankings.
    """

    null: NullDistribution
    smooth: bool
    several: bool = False

    @property
    def _quantity(self) -> str:
        return self.null._quantity

    @property
    def name(self) -> str:
        return f"{self.null.name}, asymptotic"

    @cached_property
    def approximate(self) -> Accuracy:
        """The stated error and the least probability for which it holds; no error is stated if that
        is less than 1.2 standard deviations away.
        """
        skewness, kurtosis = self._shapes
        spread = abs(skewness) + sqrt(abs(kurtosis - 2 * skewness**2))
        reach = _REACH / spread ** (2 / 3) if spread else np.inf
        # `reach` is NaN if nothing varies, or if extended floats have lost the skewness.
        if not reach >= _NEAREST or not self.smooth:
            return Accuracy(METHOD, float("inf"))
        error = _ERROR_OF_MEANS if self.several else _ERROR
        return Accuracy(METHOD, error, max(erfc(reach / sqrt(2)) / 2, _LEAST))

    def _moments(self) -> tuple[float, float]:
        return self.null._moments()

    def _shape(self) -> tuple[float, float]:
        return self.null._shapes

    def _ends(self) -> tuple[float, float]:
        return self.null._ends()

    @cached_property
    def _cubic(self) -> tuple[np.polynomial.Polynomial, float, float]:
        """u(z), and the ends of the interval around 0 in which it rises; it is constant beyond
        them.
        """
        g, k = self._shapes
        u = np.polynomial.Polynomial([g / 6, 1 + k / 8 - 7 * g**2 / 36, -g / 6, g**2 / 9 - k / 24])
        turns = [float(turn.real) for turn in u.deriv().roots() if abs(turn.imag) < 1e-12]
        low = max((turn for turn in turns if turn < 0), default=-np.inf)
        return u, low, min((turn for turn in turns if turn >= 0), default=np.inf)

    def _normal(self, x: Float64) -> Float64:
        """The standard normal quantile of each x."""
        u, low, high = self._cubic if np.all(np.isfinite(self._shapes)) else (None, 0.0, 0.0)
        if u is None or not u.deriv()(0.0) > 0:
            # So far from normal, or without a skewness, the expansion does not exist, and no error
            # is stated.
            return (x - self.mean) / self.std
        return np.asarray(u(np.clip((x - self.mean) / self.std, low, high)), np.float64)

    def _tail_without_list(self, x: Float64, above: bool) -> Float64:
        if not self.std:
            return np.where(x <= self.mean, 1.0, 0.0)
        p = np.maximum(upper_normal(self._normal(x) / sqrt(2)), SMALLEST)
        return np.where(x > self._ends()[1], 0.0, p)

    def _head_without_list(self, x: Float64) -> Float64:
        if not self.std:
            return np.where(x >= self.mean, 1.0, 0.0)
        return np.maximum(upper_normal(-self._normal(x) / sqrt(2)), SMALLEST)

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        """Draws by inversion, interpolated between 20,000 points."""
        least, most = self._ends()
        x = np.linspace(
            max(least, self.mean - 10 * self.std), min(most, self.mean + 14 * self.std), 20_000
        )
        return np.interp(rng.standard_normal(size), self._normal(x), x)


def is_smooth(ranks: Sequence[int], variances: Sequence[float]) -> bool:
    """Whether the values of AP, or of a sum over rankings, are so many and so close that no single
    one matters.

    `ranks` are the numbers of ranks of the rankings, `variances` the variances of their AP. A
    ranking with many ranks smears the steps of one with few.
    """
    varying = [
        (count, variance) for count, variance in zip(ranks, variances, strict=True) if variance > 0
    ]
    least = _ALONE if len(varying) < _MANY else _TOGETHER
    smear = fsum(variance for count, variance in varying if count >= least)
    return smear > 0 and (smear >= _APART**2 or all(count >= least for count, _ in varying))
