"""Null distributions of counts and ranks: hits, precision, recall, R-precision, locations,
reciprocal rank.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb
from numbers import Integral
from typing import ClassVar

import numpy as np

from precall.core.arguments import check_kind, check_whole
from precall.core.errors import UsageError
from precall.core.ragged import Float64, Int64
from precall.core.rng import Rng, generator, suggest_our_names
from precall.results.sheets import Presented
from precall.stats.null.distribution import Accuracy, NullDistribution
from precall.stats.null.tail.hypergeometric import probabilities
from precall.stats.null.tail.moments import central, harmonic
from precall.stats.null.tail.random_placements import draw, draw_hits

#: How many values `pmf` lists, at most.
_LISTED = 100_000
#: How many ranks of one hit are listed, at most: 400 MB.
_RANKS = 10_000_000
#: The logarithm of a number that is next to nothing compared with 1.
_NOTHING = -40


def _too_many(noun: str, size: int, instead: str) -> UsageError:
    return UsageError(
        argument="n",
        what=f"up to {_RANKS:,} {noun} are listed, here there are {size:,}",
        remedy=f"simulate: {instead}",
    )


@dataclass(frozen=True, repr=False)
class Hypergeometric(NullDistribution):
    """Hits among the first `size` ranks, divided by `over`: 1 for hits, t for precision, m for
    recall.
    """

    items: int
    relevant: int
    size: int
    over: int
    label: str
    approximate: ClassVar[Accuracy] = Accuracy("hypergeometric")

    @property
    def _slack(self) -> float:  # type: ignore[override]
        """Small enough to separate values, which are multiples of the least one above 0."""
        return min(1e-9, 0.25 / max(self._span[1], 1))

    @property
    def name(self) -> str:
        return f"{self.label}, {self.relevant} of {self.items} items relevant"

    @property
    def _quantity(self) -> str:
        return self.label

    def _moments(self) -> tuple[float, float]:
        n, m, t = self.items, self.relevant, self.size
        # (n - m)(n - t) first: exact integers.
        var = m * t * (n - m) * (n - t) / (n * n * (n - 1)) if n > 1 else 0.0
        return m * t / (max(n, 1) * self.over), var / self.over**2

    def _shape(self) -> tuple[float, float]:
        n, m, t = self.items, self.relevant, self.size
        if not self._moments()[1]:
            return float("nan"), float("nan")
        if n < 4:
            return standardised_moments(*self._mass)
        skew = (n - 2 * m) * (n - 2 * t) / (n - 2) * ((n - 1) / (m * t * (n - m) * (n - t))) ** 0.5
        top = (n - 1) * n * n * (n * (n + 1) - 6 * m * (n - m) - 6 * t * (n - t))
        top += 6 * t * m * (n - m) * (n - t) * (5 * n - 6)
        return skew, top / (t * m * (n - m) * (n - t) * (n - 2) * (n - 3))

    @cached_property
    def _span(self) -> tuple[int, int]:
        return max(0, self.size - (self.items - self.relevant)), min(self.size, self.relevant)

    @cached_property
    def _mass(self) -> tuple[Float64, Float64]:
        low, high = self._span
        if high - low >= _RANKS:
            raise _too_many("numbers of hits", high - low + 1, "np.mean(null.rvs(100_000) >= x)")
        chance = probabilities(self.items, [self.relevant], self.size, low, high)[0]
        # Counted from 0, because beyond 2^53 the next whole number is no float.
        return (low + np.arange(high - low + 1.0)) / self.over, chance

    def _ends(self) -> tuple[float, float]:
        return self._span[0] / self.over, self._span[1] / self.over

    def pmf(self) -> dict[Fraction, Fraction]:
        """Every value and its probability, as exact fractions whose digits are computed when they
        are asked for.
        """
        from precall.stats.null.tail.exact_chances import Chance, ExactChances

        low, high = self._span
        if high - low >= _LISTED or self.items > _LISTED:
            return super().pmf()
        chances = ExactChances(self.items, self.relevant, self.size)
        return {Fraction(h, self.over): Chance.of(chances, h) for h in range(low, high + 1)}

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        return draw_hits(self.items, self.relevant, self.size, size, rng) / self.over


def standardised_moments(values: Float64, chance: Float64) -> tuple[float, float]:
    """Skewness and excess kurtosis of listed values; NaN for a constant."""
    mean = float((chance * values).sum())
    var = float((chance * (values - mean) ** 2).sum())
    if not var > 0:
        return float("nan"), float("nan")
    away = (values - mean) / var**0.5
    return float((chance * away**3).sum()), float((chance * away**4).sum()) - 3


def hits(n: int, m: int, t: int) -> NullDistribution:
    """The null distribution of the hits among the first t ranks: hypergeometric.

    Parameters
    ----------
    n, m, t : items in the ranking, relevant items, ranks looked at; 0 <= m <= n, 1 <= t <= n.

    Examples
    --------
    >>> null = hits(10, 4, 5)
    >>> null.mean, round(null.sf(4), 6)
    (2.0, 0.02381)
    """
    return _hypergeometric(n, m, t, 1, f"hits in {t} ranks")


def precision(n: int, m: int, t: int) -> NullDistribution:
    """The null distribution of precision at t: hits / t (Zhang & Su 2012, eq. 4).

    Examples
    --------
    >>> null = precision(2000, 500, 500)
    >>> null.mean, round(null.var, 9)
    (0.25, 0.000281391)
    """
    return _hypergeometric(n, m, t, t, f"precision at {t}")


def recall(n: int, m: int, t: int) -> NullDistribution:
    """The null distribution of recall at t: hits / m (Zhang & Su 2012, eq. 3).

    Examples
    --------
    >>> null = recall(1000, 100, 100)
    >>> null.mean, round(null.var, 9)
    (0.1, 0.000810811)
    """
    return _hypergeometric(n, m, t, m, f"recall at {t}")


def r_precision(n: int, m: int) -> NullDistribution:
    """The null distribution of R-precision: hits among the first m ranks, over m.

    Examples
    --------
    >>> null = r_precision(10, 4)
    >>> null.mean, null.sf(1.0) == 1 / 210
    (0.4, True)
    """
    return _hypergeometric(n, m, m, m, "R-precision")


def _hypergeometric(n: int, m: int, t: int, over: int, label: str) -> NullDistribution:
    n = check_whole("n", n, 1)
    # Without relevant items, hits and precision are 0; a quotient with m below is undefined.
    m = check_whole("m", m, 0 if over in (1, t) and label != "R-precision" else 1, n)
    return Hypergeometric(n, m, check_whole("t", t, 1, n), int(over), label)


def mean_of(n: int, m: int, i: int) -> float:
    """E L_i, correctly rounded; see `location_mean`."""
    return i * (n + 1) / (m + 1)


def covariance_of(n: int, m: int, i: int, j: int) -> float:
    """Cov(L_i, L_j) for i <= j, correctly rounded; see `location_covariance`."""
    return i * (n + 1) * (n - m) * (m + 1 - j) / ((m + 1) ** 2 * (m + 2))


@dataclass(frozen=True, repr=False)
class Location(NullDistribution):
    """The rank of the j-th hit, or 1 divided by it; see `location` and `reciprocal_rank`."""

    items: int
    relevant: int
    hit: int
    reciprocal: bool
    approximate: ClassVar[Accuracy] = Accuracy("negative hypergeometric")

    @property
    def _slack(self) -> float:  # type: ignore[override]
        """Small enough to separate ranks, which are whole numbers."""
        return min(NullDistribution._slack, 0.25 / self.items)

    @property
    def name(self) -> str:
        return f"{self._quantity}, {self.relevant} of {self.items} items relevant"

    @property
    def _quantity(self) -> str:
        return "reciprocal rank" if self.reciprocal else f"location of hit {self.hit}"

    @property
    def mean(self) -> float:
        n, m, j = self.items, self.relevant, self.hit
        # E[1/L_1] = m / (n - m + 1) (H_n - H_{m-1})
        return (
            m / (n - m + 1) * harmonic(m - 1, n - m + 1)[0] if self.reciprocal else mean_of(n, m, j)
        )

    def _moments(self) -> tuple[float, float]:
        n, m, j = self.items, self.relevant, self.hit
        if not self.reciprocal:
            return self.mean, covariance_of(n, m, j, j)
        return self.mean, self._central[0]

    def _shape(self) -> tuple[float, float]:
        var, third, fourth = self._central
        return (third / var**1.5, fourth / var**2 - 3) if var > 0 else (float("nan"), float("nan"))

    @cached_property
    def _central(self) -> tuple[float, float, float]:
        """Second, third and fourth central moment."""
        from precall.stats.null.tail.ranks_of_hits import first_hit, location_moments

        if not self.reciprocal:
            return location_moments(self.items, self.relevant, self.hit)
        n, m = self.items, self.relevant
        if n - m < _LISTED:
            values, chance = self._mass
            away = values - self.mean
            two, three, four = (float((chance * away**k).sum()) for k in (2, 3, 4))
            return two, three, four
        return central(*first_hit(n, m))

    @cached_property
    def _mass(self) -> tuple[Float64, Float64]:
        """The values and their probabilities C(k-1, j-1) C(n-k, m-j) / C(n, m), from the ratios of
        neighbours.
        """
        n, m, j = self.items, self.relevant, self.hit
        if n - m >= _RANKS:
            instead = "sorted(random.sample(range(1, n + 1), m))[j - 1], many times"
            raise _too_many("ranks", n - m + 1, instead)
        rank = j + np.arange(n - m + 1.0)
        k = rank[:-1]
        step = np.log(k * (n - m + j - k)) - np.log((k - j + 1) * (n - k))
        level = np.concatenate(([0.0], np.cumsum(step)))
        chance = np.exp(level - level.max())
        chance = chance / chance.sum()
        return (1 / rank[::-1], chance[::-1]) if self.reciprocal else (rank, chance)

    def _atoms(self) -> tuple[Float64, Float64] | None:
        return None if self.reciprocal and self.items - self.relevant >= _RANKS else self._mass

    def _tail_without_list(self, x: Float64, above: bool) -> Float64:
        ranks = np.clip(np.floor(1 / np.maximum(x, 1e-300)), 0, self.items - self.relevant + 1)
        return np.array([self._among(int(rank)) for rank in ranks.tolist()])

    def _among(self, rank: int) -> float:
        """P(L_1 <= rank) = 1 - C(n-rank, m) / C(n, m); the quotient is a product of min(rank, m)
        factors.
        """
        few, many = sorted((rank, self.relevant))
        with np.errstate(divide="ignore"):
            some = np.log1p(
                -many / (self.items - np.arange(min(few, _RANKS), dtype=np.float64))
            ).sum()
        if few > _RANKS and some > _NOTHING:
            raise _too_many("factors", few, "min(random.sample(range(1, n + 1), m)), many times")
        return float(-np.expm1(some))

    def _quantile_without_list(self, q: Float64) -> Float64:
        """1 / k for the last rank k with P(L_1 < k) <= 1 - q."""
        result = []
        for chance in (1 - q + 1e-13).tolist():
            low, high = 1, self.items - self.relevant + 1
            while low < high:
                middle = (low + high + 1) // 2
                low, high = (
                    (middle, high) if self._among(middle - 1) <= chance else (low, middle - 1)
                )
            result.append(1 / low)
        return np.array(result)

    def _ends(self) -> tuple[float, float]:
        last = self.items - self.relevant + self.hit
        return (1 / last, 1 / self.hit) if self.reciprocal else (self.hit, last)

    def pmf(self) -> dict[Fraction, Fraction]:
        """Every value and its probability, as exact fractions."""
        n, m, j = self.items, self.relevant, self.hit
        if n > 5000:
            return super().pmf()
        chance, result = Fraction(comb(n - j, m - j), comb(n, m)), {}
        for k in range(j, n - m + j + 1):
            result[Fraction(1, k) if self.reciprocal else Fraction(k)] = chance
            chance *= Fraction(k * (n - m + j - k), (k - j + 1) * (n - k)) if k < n else 0
        return dict(reversed(result.items())) if self.reciprocal else result

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        # In the order of the ranks, in which reciprocal values descend.
        values, chance = (column[:: -1 if self.reciprocal else 1] for column in self._mass)
        index = np.searchsorted(np.cumsum(chance), rng.random(size), side="right")
        return np.asarray(values[np.minimum(index, len(values) - 1)], np.float64)


def location(n: int, m: int, j: int) -> NullDistribution:
    """The null distribution of L_j, the rank of the j-th hit: P(L_j = k) = C(k-1, j-1) C(n-k, m-j)
    / C(n, m).

    E L_j = j (n+1)/(m+1). In Zhang & Su (2012), (6) has a denominator that makes the probabilities
    sum to n/m, and (8) has E L_j = j n/m.

    Parameters
    ----------
    n, m, j : items in the ranking, relevant items, which hit; 1 <= j <= m <= n.

    Examples
    --------
    >>> null = location(8, 3, 2)
    >>> null.mean, null.pmf()[Fraction(2)] == Fraction(6, 56)
    (4.5, True)
    """
    n = check_whole("n", n, 1)
    m = check_whole("m", m, 1, n)
    return Location(n, m, check_whole("j", j, 1, m), False)


def reciprocal_rank(n: int, m: int) -> NullDistribution:
    """The null distribution of RR = 1 / L_1: P(RR >= x) = 1 - C(n-k, m)/C(n, m) for the greatest
    rank k with 1/k >= x.

    Examples
    --------
    >>> null = reciprocal_rank(10, 4)
    >>> round(null.mean, 6), round(null.sf(0.5), 6)
    (0.626077, 0.666667)
    """
    n = check_whole("n", n, 1)
    m = check_whole("m", m, 0, n)
    # Without relevant items RR is 0, like the number of hits in all ranks.
    return Location(n, m, 1, True) if m else Hypergeometric(n, 0, n, 1, "reciprocal rank")


@dataclass(frozen=True, slots=True)
class Locations(Presented):
    """The joint null distribution of the ranks of two hits, i before j; see `locations`."""

    items: int
    relevant: int
    first: int
    second: int

    @property
    def mean(self) -> tuple[float, float]:
        """E L_i and E L_j."""
        n, m = self.items, self.relevant
        return mean_of(n, m, self.first), mean_of(n, m, self.second)

    @property
    def covariance(self) -> float:
        """Cov(L_i, L_j) = i (n+1)(n-m)(m+1-j) / ((m+1)² (m+2))."""
        return covariance_of(self.items, self.relevant, self.first, self.second)

    @property
    def correlation(self) -> float:
        """sqrt(i (m+1-j) / (j (m+1-i))); NaN if the locations are fixed (m = n)."""
        i, j, m = self.first, self.second, self.relevant
        return (i * (m + 1 - j) / (j * (m + 1 - i))) ** 0.5 if m < self.items else float("nan")

    def probability(self, s: int, t: int) -> Fraction:
        """P(L_i = s, L_j = t), exactly."""
        for name, rank in (("s", s), ("t", t)):
            check_kind(name, rank, Integral, "a rank")
        n, m, i, j = self.items, self.relevant, self.first, self.second
        if not 1 <= s < t <= n:
            return Fraction(0)
        ways = comb(s - 1, i - 1) * comb(t - s - 1, j - i - 1) * comb(n - t, m - j)
        return Fraction(ways, comb(n, m))

    @suggest_our_names
    def rvs(self, size: int = 1, rng: Rng = 0) -> Int64:
        """`size` draws, a row (L_i, L_j) each; the same for the same seed."""
        ranks = draw(self.items, self.relevant, check_whole("size", size, 0), generator(rng))
        hits = [self.first - 1, self.second - 1]
        return np.concatenate([np.empty((0, 2), np.int64), *(rank[:, hits] for rank in ranks)])


def locations(n: int, m: int, i: int, j: int) -> Locations:
    """The joint null distribution of L_i and L_j, i < j: C(s-1, i-1) C(t-s-1, j-i-1) C(n-t, m-j) /
    C(n, m).

    In Zhang & Su (2012), (7) has a denominator that makes the probabilities sum to
    n(n-1)/(m(m-1)). Their covariance (10) is too large: some three times as it enters the variance
    of AP, and 1.08 to 210 times for single pairs.

    Examples
    --------
    >>> null = locations(8, 3, 1, 3)
    >>> null.mean, null.covariance, null.probability(1, 8)
    ((2.25, 6.75), 0.5625, Fraction(3, 28))
    """
    n = check_whole("n", n, 1)
    m = check_whole("m", m, 2, n)
    j = check_whole("j", j, 2, m)
    return Locations(n, m, check_whole("i", i, 1, j - 1), j)
