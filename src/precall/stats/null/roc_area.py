"""Null distributions of the area under the ROC curve: Mann & Whitney's U, and U with blocks of
equal score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import comb, log, sqrt

import numpy as np

from precall.core.arguments import check_blocks, check_whole
from precall.core.errors import UsageError
from precall.core.ragged import Float64, Int64
from precall.core.text import many
from precall.stats.null.distribution import SMALLEST, Accuracy, NullDistribution, Tail, upper_normal
from precall.stats.null.tail.clusters import Clusters
from precall.stats.null.tail.enumeration import follow_blocks, list_sums
from precall.stats.null.tail.fourier import Sum, drawn_sum
from precall.stats.null.tail.moments import label_powers, linear_shape
from precall.stats.null.tail.random_placements import draw, draw_by_block

#: Most steps of exact counts, and the most placements that float64 can count.
_STEPS, _PLACEMENTS = 30_000_000, 1e290
#: Most values that are listed.
_LISTED = 1_000_000
#: With at most so many items in the smaller class, the distribution is too flat for a series about
#: the normal one.
_FEW = 150
#: Steps for counting the greatest values, if not all values are counted.
_TOP = 1_000_000
#: Smaller probabilities from the transform are nothing but rounding errors.
_LEAST = 1e-12
#: With more items in many blocks there are too many counts per block to follow.
_FOLLOWED = 400


@dataclass(frozen=True, repr=False)
class AreaUnderRoc(NullDistribution):
    """Area under the ROC curve of `relevant` of `items`, without ties; see `area_under_roc`."""

    items: int
    relevant: int

    @property
    def _slack(self) -> float:  # type: ignore[override]
        """Areas are multiples of 1 / pairs, so the tolerance is less than half of that."""
        return min(1e-9, 0.25 / self._pairs)

    @property
    def _quantity(self) -> str:
        return "area under ROC"

    @property
    def name(self) -> str:
        return f"area under ROC, {self.relevant} of {self.items} items relevant"

    @property
    def _pairs(self) -> int:
        return self.relevant * (self.items - self.relevant)

    @property
    def _sizes(self) -> tuple[int, int]:
        other = self.items - self.relevant
        return min(self.relevant, other), max(self.relevant, other)

    @cached_property
    def _exact(self) -> bool:
        a, b = self._sizes
        return a == 1 or (a * a * b <= _STEPS and (a < 30 or comb(self.items, a) < _PLACEMENTS))

    @property
    def approximate(self) -> Accuracy:
        if self._exact:
            return Accuracy("Mann-Whitney, counted")
        if self._sizes[0] <= _FEW:
            return Accuracy("Mann-Whitney of fewer items, standardised", 0.02, 1e-6)
        return Accuracy("Edgeworth series with the exact kurtosis", 0.02, 1e-6)

    def _moments(self) -> tuple[float, float]:
        return 0.5, (self.items + 1) / (12 * self._pairs)

    def _shape(self) -> tuple[float, float]:
        m, d = self.relevant, self.items - self.relevant
        return 0.0, -1.2 * (m * m + d * d + m * d + m + d) / (m * d * (m + d + 1))

    @cached_property
    def _counts(self) -> Float64:
        """Numbers of placements with U = 0, 1, ...: the lower half is counted, then mirrored."""
        counts = self._lowest(self._pairs // 2 + 1)
        return np.concatenate((counts, counts[: self._pairs + 1 - len(counts)][::-1]))

    def _lowest(self, length: int) -> Float64:
        """Numbers of placements with U = 0, 1, ... (or as much less than the greatest U):
        coefficients of the Gaussian binomial.

        They come from the product over i = 1 ... a of (1 - x^(b+i)) / (1 - x^i), one quotient at a
        time. So integer coefficients stay integers, and the lower half does not need the upper one.
        """
        a, b = self._sizes
        counts = np.zeros(length)
        counts[0] = 1.0
        for i in range(1, a + 1):
            if b + i < length:
                counts[b + i :] -= counts[: length - b - i].copy()
            wide = np.zeros(-(-length // i) * i)
            wide[:length] = counts
            counts = np.cumsum(wide.reshape(-1, i), axis=0).ravel()[:length]
        return counts

    @cached_property
    def _top(self) -> Float64:
        """Tail probabilities of the greatest values, greatest first; empty if they cannot be
        counted.
        """
        a = self._sizes[0]
        if self._exact or a > _FEW:
            return np.zeros(0)
        ways = np.cumsum(self._lowest(_TOP // a))
        return np.asarray(np.exp(np.log(ways) - log(comb(self.items, a))), np.float64)

    def tail(self, x: float) -> Tail:
        """P(X >= x) and how it was computed: the greatest values are counted, however many items
        there are.
        """
        tail = super().tail(x)
        top = self._pairs - np.ceil(self._between(np.array([x]))[0] * self._pairs) < len(self._top)
        return replace(tail, method="placements counted", error=0.0) if top else tail

    @cached_property
    def _from_top(self) -> Float64:
        counts = self._counts
        return np.concatenate((np.cumsum(counts[::-1])[::-1] / counts.sum(), [0.0]))

    @cached_property
    def _mass(self) -> tuple[Float64, Float64] | None:
        if not self._exact or self._pairs > _LISTED:
            return None
        return np.arange(self._pairs + 1) / self._pairs, self._counts / self._counts.sum()

    def _tail_without_list(self, x: Float64, above: bool) -> Float64:
        u = np.ceil(x * self._pairs)
        return self._upper_tail(u, self._pairs - u)

    def _head_without_list(self, x: Float64) -> Float64:
        # Counted from below: with so many pairs the difference from the greatest value would lose
        # its digits.
        u = np.floor(x * self._pairs)
        return self._upper_tail(self._pairs - u, u)

    def _upper_tail(self, u: Float64, left: Float64) -> Float64:
        """P(U >= u), where u is `left` below the greatest value. U is symmetric, so it is also P(U
        <= `left`).
        """
        if self._sizes[0] == 1:
            p = (left + 1) / (self._pairs + 1)
        elif self._exact:
            p = self._from_top[np.clip(u, 0, self._pairs).astype(np.int64)]
        else:
            z = (u - 0.5 - self._pairs / 2) / (self.std * self._pairs)
            p = self._edgeworth(z) if self._sizes[0] > _FEW else self._fewer(z)
            top = left < len(self._top)
            p[top] = self._top[np.maximum(left[top], 0).astype(np.int64)]
        return np.where(u <= 0, 1.0, np.where(left >= 0, np.clip(p, SMALLEST, 1.0), 0.0))

    @cached_property
    def _small(self) -> AreaUnderRoc:
        """The distribution with fewer items in the larger class, few enough to be counted: the
        shape depends mostly on the smaller class.
        """
        a = self._sizes[0]
        return AreaUnderRoc(a + _STEPS // a**2, a)

    def _fewer(self, z: Float64) -> Float64:
        """P(Z >= z) for the standardised area, from the distribution of fewer items."""
        small = self._small
        position = np.clip(z * small.std * small._pairs + small._pairs / 2 + 0.5, 0.0, small._pairs)
        below = np.floor(position).astype(np.int64)
        fraction, tail = position - below, small._from_top
        return np.asarray((1 - fraction) * tail[below] + fraction * tail[below + 1], np.float64)

    def _edgeworth(self, z: Float64) -> Float64:
        kurtosis = self.kurtosis
        density = np.exp(-z * z / 2) / sqrt(2 * np.pi)
        third = z**3 - 3 * z
        seventh = z**7 - 21 * z**5 + 105 * z**3 - 105 * z
        series = kurtosis / 24 * third + kurtosis**2 / 1152 * seventh
        return upper_normal(z / sqrt(2)) + density * series

    def pmf(self) -> dict[Fraction, Fraction]:
        """Every value and its probability, as exact fractions."""
        a, b = self._sizes
        total = comb(self.items, a) if self.items < 2000 else 2**60
        if total >= 2**53 or a * b > 100_000:
            return super().pmf()
        return {
            Fraction(u, a * b): Fraction(int(c), total) for u, c in enumerate(self._counts.tolist())
        }

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        m = self.relevant
        sums = (rank.sum(axis=1) for rank in draw(self.items, m, size, rng))
        # A hit at L_i has n - L_i items below it; subtract the hits among these.
        return 1 - (np.concatenate([np.empty(0), *sums]) - m * (m + 1) / 2) / self._pairs


@dataclass(frozen=True, repr=False)
class TiedAreaUnderRoc(NullDistribution):
    """Area under the ROC curve of `relevant` of `items` in `blocks` of equal score; see
    `area_under_roc`.

    A pair of equal scores counts half, so the area is linear in the sum of midranks.
    """

    items: int
    relevant: int
    blocks: tuple[int, ...]
    _known = _LEAST

    @property
    def _quantity(self) -> str:
        return "area under ROC"

    @property
    def name(self) -> str:
        return (
            f"area under ROC in {many(len(self.blocks), 'block')}, {self.relevant} of "
            f"{self.items} items relevant"
        )

    @property
    def approximate(self) -> Accuracy:
        if self._mass is not None:
            return Accuracy("enumeration of counts per block")
        return Accuracy("Fourier transform of the sum of midranks", 0.02, 1e-6)

    @property
    def _pairs(self) -> int:
        return self.relevant * (self.items - self.relevant)

    @property
    def _slack(self) -> float:  # type: ignore[override]
        """Areas are multiples of half of 1 / pairs, so the tolerance is far less."""
        return 1e-3 / self._pairs

    @cached_property
    def _scores(self) -> Float64:
        """For each block, the items below it and half of the others in it: what a hit adds, before
        pairs of hits are subtracted.
        """
        size = np.array(self.blocks, np.float64)
        return np.asarray(self.items - np.cumsum(size) + (size - 1) / 2, np.float64)

    def _area(self, sums: Float64) -> Float64:
        return (sums - self.relevant * (self.relevant - 1) / 2) / self._pairs

    def pmf(self) -> dict[Fraction, Fraction]:
        """Every value and its probability, as exact fractions; only if there are few."""
        none, n, m = Fraction(0), self.items, self.relevant
        # Midranks are integers or halves, which floats represent exactly.
        ways = list_sums(
            m, self.blocks, ((none, Fraction(one), none) for one in self._scores.tolist())
        )
        if ways is None:
            return super().pmf()
        pairs, placements = Fraction(m * (m - 1), 2), comb(n, m)
        return {
            (total - pairs) / self._pairs: Fraction(ways[total], placements)
            for total in sorted(ways)
        }

    @cached_property
    def _powers(self) -> tuple[list[float], list[float]]:
        """Central power sums of the midranks and of the labels."""
        n, size = self.items, np.array(self.blocks, np.float64)
        away = (self._scores - (n - 1) / 2) / self._pairs
        return [float((size * away**k).sum()) for k in range(5)], label_powers(n, self.relevant)

    def _moments(self) -> tuple[float, float]:
        a, b = self._powers
        return 0.5, a[2] * b[2] / (self.items - 1)

    def _shape(self) -> tuple[float, float]:
        return linear_shape(self.items, *self._powers)

    @cached_property
    def _mass(self) -> tuple[Float64, Float64] | None:
        if self.items > _FOLLOWED and len(self.blocks) > 32:
            return None
        none = np.zeros(len(self.blocks))
        states = follow_blocks(self.items, self.relevant, self.blocks, none, self._scores, none)
        return None if states is None else (self._area(states[0]), states[1])

    @cached_property
    def _sum(self) -> tuple[Sum | Clusters, float]:
        """The sum of the midranks of the hits, or of the other items if these are fewer; and what
        to subtract.
        """
        n, m = self.items, self.relevant
        size, twice = np.array(self.blocks, np.int64), np.asarray(2 * self._scores, np.int64)
        fewer = 2 * m <= n
        sums = drawn_sum(size, twice if fewer else -twice, min(m, n - m))
        return sums, m * (m - 1) / 2 - (0 if fewer else n * (n - 1) / 2)

    def _heavy(self) -> tuple[Float64, Float64] | None:
        sums, lost = self._sum
        return None if isinstance(sums, Sum) else ((sums.values - lost) / self._pairs, sums.chance)

    def _tail_without_list(self, x: Float64, above: bool) -> Float64:
        x = x + (1 if above else -1) * self._slack
        least, most = self._ends()
        sums, lost = self._sum
        p = np.clip(sums(x * self._pairs + lost, above), _LEAST, 1.0)
        return np.where(x <= least, 1.0, np.where(x > most, 0.0, p))

    def _head_without_list(self, x: Float64) -> Float64:
        return np.maximum(super()._head_without_list(x), _LEAST)

    def _ends(self) -> tuple[float, float]:
        return self._extreme(-1), self._extreme(1)

    def _extreme(self, sign: int) -> float:
        """The area if all hits have the best scores (`sign` 1) or the worst (-1)."""
        left, total = self.relevant, 0.0
        for size, score in list(zip(self.blocks, self._scores.tolist(), strict=True))[::sign]:
            hits = min(size, left)
            total, left = total + hits * score, left - hits
        return float(self._area(np.array([total]))[0])

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        drawn = draw_by_block(self.blocks, self.relevant, size, rng)
        return self._area(np.concatenate([np.empty(0), *(hits @ self._scores for hits in drawn)]))


def area_under_roc(
    n: int, m: int, *, blocks: Sequence[int] | Int64 | None = None
) -> NullDistribution:
    """The null distribution of the area under the ROC curve: mean 1/2, variance (n+1) / (12 m
    (n-m)).

    Without ties it is Mann & Whitney's U / (m (n-m)). It is counted exactly if m² (n-m) is at most
    thirty million (m the smaller class); otherwise it comes from an Edgeworth series, whose odd
    terms are 0.

    Parameters
    ----------
    n, m : items in the ranking, relevant items; 1 <= m < n (with m = n the area is undefined).
    blocks : sizes of the blocks of equal score, best first, adding up to n. The blocks stay, labels
        are permuted over them, and a pair of equal scores counts half. Tails are exact if the
        counts per block can be followed; otherwise they come from the Fourier transform of the sum
        of midranks, within 2 % down to p = 1e-6.

    Examples
    --------
    >>> null = area_under_roc(10, 4)
    >>> null.mean, round(null.var, 6), null.sf(1.0) == 1 / 210
    (0.5, 0.038194, True)
    """
    n = check_whole("n", n, 2)
    if m == n:
        raise UsageError(
            argument="m",
            what=f"with all {n} items relevant the area under ROC is undefined",
            remedy="give fewer relevant items",
        )
    m = check_whole("m", m, 1, n - 1)
    sizes = None if blocks is None else check_blocks(blocks, n)
    if sizes is None or sizes.max() == 1:
        return AreaUnderRoc(n, m)
    return TiedAreaUnderRoc(n, m, tuple(sizes.tolist()))
