"""The law of the area under the ROC curve under random selection: Mann & Whitney's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, sqrt

import numpy as np

from precall.errors import UsageError
from precall.infer.null.counting import count, counts_of
from precall.infer.null.distribution import SMALLEST, Accuracy, Law
from precall.infer.null.tail.placements import draw
from precall.ragged import Float64, Int64

#: Steps of the exact law, at most; and what float64 can count.
_STEPS, _PLACEMENTS = 30_000_000, 1e290
#: Values that are listed, at most.
_LISTED = 1_000_000
#: Up to so many items of the smaller class the law is too flat for a series about the normal one.
_FEW = 150


@dataclass(frozen=True, repr=False)
class AreaUnderRoc(Law):
    """Area under the ROC curve of `relevant` of `items`, without ties; see `area_under_roc`."""

    items: int
    relevant: int

    @property
    def name(self) -> str:
        return f"area under ROC, {self.relevant} of {self.items} items relevant"

    @property
    def _sizes(self) -> tuple[int, int]:
        other = self.items - self.relevant
        return min(self.relevant, other), max(self.relevant, other)

    @cached_property
    def _exact(self) -> bool:
        a, b = self._sizes
        return a * a * b <= _STEPS and (a < 30 or comb(self.items, a) < _PLACEMENTS)

    @property
    def approximate(self) -> Accuracy:
        if self._exact:
            return Accuracy("Mann-Whitney, counted")
        if self._sizes[0] <= _FEW:
            return Accuracy("Mann-Whitney of fewer items, standardised", 0.02, 1e-6)
        return Accuracy("Edgeworth series with the exact kurtosis", 0.02, 1e-6)

    def _moments(self) -> tuple[float, float]:
        m, d = self.relevant, self.items - self.relevant
        return 0.5, (self.items + 1) / (12 * m * d)

    def _shape(self) -> tuple[float, float]:
        m, d = self.relevant, self.items - self.relevant
        return 0.0, -1.2 * (m * m + d * d + m * d + m + d) / (m * d * (m + d + 1))

    @cached_property
    def _counts(self) -> Float64:
        """Placements with U = 0, 1, ...: the coefficients of the Gaussian binomial, half of them mirrored.

        Product over i = 1 ... a of (1 - x^(b+i)) / (1 - x^i), each quotient at once: whole coefficients
        stay whole, and those of the lower half are found without those above.
        """
        a, b = self._sizes
        half = a * b // 2 + 1
        found = np.zeros(half)
        found[0] = 1.0
        for i in range(1, a + 1):
            if b + i < half:
                found[b + i :] -= found[: half - b - i].copy()
            wide = np.zeros(-(-half // i) * i)
            wide[:half] = found
            found = np.cumsum(wide.reshape(-1, i), axis=0).ravel()[:half]
        whole = a * b + 1
        return np.concatenate((found, found[: whole - half][::-1]))

    @cached_property
    def _tail(self) -> Float64:
        counts = self._counts
        return np.concatenate((np.cumsum(counts[::-1])[::-1] / counts.sum(), [0.0]))

    def _at_least(self, x: Float64) -> Float64:
        pairs = self.relevant * (self.items - self.relevant)
        u = np.ceil(x * pairs - 1e-9 * np.maximum(np.abs(x * pairs), 1e-9))
        inside = u <= pairs
        if self._exact:
            p = self._tail[np.clip(u, 0, pairs).astype(np.int64)]
        else:
            z = (u - 0.5 - pairs / 2) / (sqrt(self.var) * pairs)
            p = self._edgeworth(z) if self._sizes[0] > _FEW else self._fewer(z)
        return np.where(u <= 0, 1.0, np.where(inside, np.clip(p, SMALLEST, 1.0), 0.0))

    def _atoms(self) -> tuple[Float64, Float64] | None:
        pairs = self.relevant * (self.items - self.relevant)
        if not self._exact or pairs > _LISTED:
            return None
        return np.arange(pairs + 1) / pairs, self._counts / self._counts.sum()

    def _above(self, x: Float64) -> Float64:
        return self._at_least(x + 2e-9 * np.maximum(np.abs(x), 1e-9))

    def _fewer(self, z: Float64) -> Float64:
        """By the law of as few items of the larger class as can be counted: the shape depends on the smaller."""
        a = self._sizes[0]
        small = AreaUnderRoc(a + _STEPS // a**2, a)
        pairs = a * (_STEPS // a**2)
        place = np.clip(z * small.std * pairs + pairs / 2 + 0.5, 0.0, pairs)
        below = np.floor(place).astype(np.int64)
        part, tail = place - below, small._tail
        return np.asarray((1 - part) * tail[below] + part * tail[below + 1], np.float64)

    def _edgeworth(self, z: Float64) -> Float64:
        from math import erfc

        kurtosis = self.kurtosis
        normal = np.array([0.5 * erfc(one / sqrt(2)) for one in z.tolist()])
        density = np.exp(-z * z / 2) / sqrt(2 * np.pi)
        third = z**3 - 3 * z
        seventh = z**7 - 21 * z**5 + 105 * z**3 - 105 * z
        return np.asarray(
            normal + density * (kurtosis / 24 * third + kurtosis**2 / 1152 * seventh), np.float64
        )

    def _ends(self) -> tuple[float, float]:
        return 0.0, 1.0

    def pmf(self) -> dict[Fraction, Fraction]:
        """Every value and its probability, as exact fractions."""
        a, b = self._sizes
        whole = comb(self.items, a) if self.items < 2000 else 2**60
        if whole >= 2**53 or a * b > 100_000:
            return super().pmf()
        return {Fraction(u, a * b): Fraction(int(c), whole) for u, c in enumerate(self._counts.tolist())}

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        m, d = self.relevant, self.items - self.relevant
        sums = [rank.sum(axis=1) for rank in draw(self.items, m, size, rng)]
        # Items below a hit that are not hits: n - L_i less the hits below.
        lost = np.concatenate([np.empty(0), *sums]) - m * (m + 1) / 2
        return np.asarray(1 - lost / (m * d), np.float64)


def area_under_roc(n: int, m: int, *, blocks: Sequence[int] | Int64 | None = None) -> Law:
    """The law of the area under the ROC curve: mean 1/2, variance (n+1) / (12 m (n-m)).

    Without ties it is U / (m (n-m)) of Mann & Whitney: counted exactly where m² (n-m) is at most thirty
    million (m the smaller class), else an Edgeworth series, whose odd terms are 0.

    Parameters
    ----------
    n, m : items, relevant items; 1 <= m < n (with m = n the area is undefined).
    blocks : sizes of the blocks of equal score, best first, adding up to n: they stay, labels are permuted
        over them, and a pair of equal scores counts half. Exact where the counts per block can be followed,
        else from the Fourier transform of the sum of midranks, within 2 % down to p = 1e-6.

    Examples
    --------
    >>> law = area_under_roc(10, 4)
    >>> law.mean, round(law.var, 6), law.sf(1.0) == 1 / 210
    (0.5, 0.038194, True)
    """
    n = count("n", n, 2)
    if m == n:
        raise UsageError(f"m: with all {n} items relevant the area under ROC is undefined; leave one out")
    m = count("m", m, 1, n - 1)
    sizes = None if blocks is None else counts_of("blocks", blocks, n)
    if sizes is None or sizes.max() == 1:
        return AreaUnderRoc(n, m)
    from precall.infer.null.midranks import TiedAreaUnderRoc

    return TiedAreaUnderRoc(n, m, tuple(sizes.tolist()))
