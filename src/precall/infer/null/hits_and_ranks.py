"""Laws of counts and ranks under random selection: hits, precision, recall, locations, RR, area under ROC."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Any

import numpy as np

from precall.errors import UsageError
from precall.infer.null.counting import count
from precall.infer.null.distribution import SMALLEST, Accuracy, Law
from precall.infer.null.moments import harmonic
from precall.infer.null.tail.draws import probabilities
from precall.infer.null.tail.placements import draw
from precall.ragged import Float64, Int64
from precall.rng import Rng, by_seed, generator

_EXACT = Accuracy("closed form")
#: Values that `pmf` lists, at most.
_LISTED = 100_000
#: Ranks of one hit that are listed, at most: 400 MB.
_RANKS = 10_000_000


def _too_many(what: str, number: int, instead: str) -> UsageError:
    return UsageError(
        f"n: the law lists up to {_RANKS:,} {what}, here there are {number:,}; simulate: {instead}"
    )


@dataclass(frozen=True, repr=False)
class Hypergeometric(Law):
    """Hits among `size` ranks, divided by `over`.

    Parameters
    ----------
    items, relevant, size : n items, m relevant, t ranks looked at.
    over : 1 for hits, t for precision, m for recall.
    label : what it is called.
    """

    items: int
    relevant: int
    size: int
    over: int
    label: str

    @property
    def name(self) -> str:
        return f"{self.label}, {self.relevant} of {self.items} items relevant"

    @property
    def approximate(self) -> Accuracy:
        return Accuracy("hypergeometric")

    def _moments(self) -> tuple[float, float]:
        n, m, t = self.items, self.relevant, self.size
        # (n - m)(n - t) first: exact integers.
        var = m * t * (n - m) * (n - t) / (n * n * (n - 1)) if n > 1 else 0.0
        return m * t / (n * self.over), var / self.over**2

    def _shape(self) -> tuple[float, float]:
        n, m, t = self.items, self.relevant, self.size
        var = self._moments()[1] * self.over**2
        if not var:
            return float("nan"), float("nan")
        if n < 4:
            return self._by_sum(3), self._by_sum(4) - 3
        skew = (n - 2 * m) * (n - 2 * t) / (n - 2) * ((n - 1) / (m * t * (n - m) * (n - t))) ** 0.5
        top = (n - 1) * n * n * (n * (n + 1) - 6 * m * (n - m) - 6 * t * (n - t))
        top += 6 * t * m * (n - m) * (n - t) * (5 * n - 6)
        return skew, top / (t * m * (n - m) * (n - t) * (n - 2) * (n - 3))

    def _by_sum(self, order: int) -> float:
        values, chance = self._table
        return float((chance * (values / self.over - self.mean) ** order).sum() / self.var ** (order / 2))

    @cached_property
    def _table(self) -> tuple[Float64, Float64]:
        low, high = max(0, self.size - (self.items - self.relevant)), min(self.size, self.relevant)
        if high - low >= _RANKS:
            raise _too_many("numbers of hits", high - low + 1, "np.mean(law.rvs(100_000) >= x)")
        return np.arange(low, high + 1.0), probabilities(self.items, [self.relevant], self.size, low, high)[0]

    @cached_property
    def _tails(self) -> Float64:
        chance = self._table[1]
        return np.concatenate((np.cumsum(chance[::-1])[::-1], [0.0]))

    def _atoms(self) -> tuple[Float64, Float64]:
        return self._table[0] / self.over, self._table[1]

    def _at_least(self, x: Float64) -> Float64:
        values = self._table[0]
        # A quotient may have lost its last digit.
        place = np.searchsorted(values, x * self.over - 1e-9 * np.maximum(np.abs(x * self.over), 1e-9))
        p = np.minimum(self._tails[place], 1.0)
        return np.where(place < len(values), np.maximum(p, SMALLEST), 0.0)

    def _above(self, x: Float64) -> Float64:
        return self._at_least(x + 2e-9 * np.maximum(np.abs(x), 1e-9))

    def _quantiles(self, q: Float64) -> Float64:
        if np.any((q < 0) | (q > 1)):
            raise UsageError(f"q: must be in 0..1, got {q[(q < 0) | (q > 1)][0]}")
        values, chance = self._table
        place = np.searchsorted(np.cumsum(chance), q - 1e-13)
        return np.asarray(values[np.minimum(place, len(values) - 1)] / self.over, np.float64)

    def _ends(self) -> tuple[float, float]:
        return self._table[0][0] / self.over, self._table[0][-1] / self.over

    def pmf(self) -> dict[Fraction, Fraction]:
        """Every value and its probability, as exact fractions."""
        n, m, t = self.items, self.relevant, self.size
        low, high = max(0, t - (n - m)), min(t, m)
        if high - low >= _LISTED or n > _LISTED:
            return super().pmf()
        whole = comb(n, t)
        return {
            Fraction(h, self.over): Fraction(comb(m, h) * comb(n - m, t - h), whole)
            for h in range(low, high + 1)
        }

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        return rng.hypergeometric(self.relevant, self.items - self.relevant, self.size, size) / self.over


def hits(n: int, m: int, t: int) -> Law:
    """The law of the hits among the first t ranks: hypergeometric.

    Parameters
    ----------
    n, m, t : items, relevant items, ranks looked at; 0 <= m <= n, 1 <= t <= n.

    Examples
    --------
    >>> law = hits(10, 4, 5)
    >>> law.mean, round(law.sf(4), 6)
    (2.0, 0.02381)
    """
    return _hypergeometric(n, m, t, 1, f"hits in {t} ranks")


def precision(n: int, m: int, t: int) -> Law:
    """The law of precision at t: hits / t (Zhang & Su 2012, eq. 4).

    Examples
    --------
    >>> law = precision(2000, 500, 500)
    >>> law.mean, round(law.var, 9)
    (0.25, 0.000281391)
    """
    return _hypergeometric(n, m, t, t, f"precision at {t}")


def recall(n: int, m: int, t: int) -> Law:
    """The law of recall at t: hits / m (Zhang & Su 2012, eq. 3).

    Examples
    --------
    >>> law = recall(1000, 100, 100)
    >>> law.mean, round(law.var, 9)
    (0.1, 0.000810811)
    """
    return _hypergeometric(n, m, t, m, f"recall at {t}")


def r_precision(n: int, m: int) -> Law:
    """The law of R-precision: hits among the first m ranks, over m.

    Examples
    --------
    >>> law = r_precision(10, 4)
    >>> law.mean, law.sf(1.0) == 1 / 210
    (0.4, True)
    """
    return _hypergeometric(n, m, m, m, "R-precision")


def _hypergeometric(n: Any, m: Any, t: Any, over: Any, label: str) -> Law:
    n = count("n", n, 1)
    # Without relevant items hits and precision are 0; what is divided by m is undefined.
    m = count("m", m, 0 if over in (1, t) and label != "R-precision" else 1, n)
    return Hypergeometric(n, m, count("t", t, 1, n), int(over), label)


@dataclass(frozen=True, repr=False)
class Location(Law):
    """The rank of the j-th hit, or one over it; see `location` and `reciprocal_rank`."""

    items: int
    relevant: int
    hit: int
    reciprocal: bool

    @property
    def name(self) -> str:
        what = "reciprocal rank" if self.reciprocal else f"location of hit {self.hit}"
        return f"{what}, {self.relevant} of {self.items} items relevant"

    @property
    def approximate(self) -> Accuracy:
        return Accuracy("negative hypergeometric")

    @property
    def mean(self) -> float:
        n, m, j = self.items, self.relevant, self.hit
        # E[1/L_1] = m / (n - m + 1) (H_n - H_{m-1})
        return m / (n - m + 1) * harmonic(m - 1, n - m + 1)[0] if self.reciprocal else j * (n + 1) / (m + 1)

    def _moments(self) -> tuple[float, float]:
        n, m, j = self.items, self.relevant, self.hit
        if not self.reciprocal:
            return self.mean, j * (n + 1) * (n - m) * (m + 1 - j) / ((m + 1) ** 2 * (m + 2))
        rank, chance = self._table
        return self.mean, float((chance * (1 / rank - self.mean) ** 2).sum())

    def _shape(self) -> tuple[float, float]:
        rank, chance = self._table
        mean, var = self._moments()
        if not var:
            return float("nan"), float("nan")
        away = ((1 / rank if self.reciprocal else rank) - mean) / var**0.5
        return float((chance * away**3).sum()), float((chance * away**4).sum()) - 3

    @cached_property
    def _table(self) -> tuple[Float64, Float64]:
        """Ranks and their probabilities C(k-1, j-1) C(n-k, m-j) / C(n, m), by the ratio of neighbours."""
        n, m, j = self.items, self.relevant, self.hit
        if n - m >= _RANKS:
            raise _too_many(
                "ranks", n - m + 1, "sorted(random.sample(range(1, n + 1), m))[j - 1], many times"
            )
        rank = np.arange(j, n - m + j + 1, dtype=np.float64)
        k = rank[:-1]
        step = np.log(k * (n - m + j - k)) - np.log((k - j + 1) * (n - k))
        level = np.concatenate(([0.0], np.cumsum(step)))
        chance = np.exp(level - level.max())
        return rank, chance / chance.sum()

    @cached_property
    def _running(self) -> tuple[Float64, Float64]:
        chance = self._table[1]
        return np.cumsum(chance), np.concatenate((np.cumsum(chance[::-1])[::-1], [0.0]))

    def _atoms(self) -> tuple[Float64, Float64]:
        rank, chance = self._table
        return (1 / rank if self.reciprocal else rank), chance

    def _at_least(self, x: Float64) -> Float64:
        rank = self._table[0]
        below, above = self._running
        if not self.reciprocal:
            place = np.searchsorted(rank, x)
            return np.where(place < len(rank), np.maximum(np.minimum(above[place], 1), SMALLEST), 0.0)
        # 1/L >= x where L <= 1/x
        with np.errstate(divide="ignore"):
            most = np.where(x > 0, np.floor(1 / np.maximum(x, 1e-300) * (1 + 1e-12)), rank[-1])
        place = np.searchsorted(rank, most, side="right")
        return np.where(place > 0, np.maximum(np.minimum(below[place - 1], 1), SMALLEST), 0.0)

    def _above(self, x: Float64) -> Float64:
        more = x + 2e-12 * np.abs(x) if self.reciprocal else np.nextafter(x, np.inf)
        return self._at_least(np.asarray(more, np.float64))

    def _quantiles(self, q: Float64) -> Float64:
        if np.any((q < 0) | (q > 1)):
            raise UsageError(f"q: must be in 0..1, got {q[(q < 0) | (q > 1)][0]}")
        rank = self._table[0]
        below, above = self._running
        if self.reciprocal:
            # P(1/L <= 1/k) = P(L >= k)
            place = len(rank) - np.searchsorted(above[:-1][::-1], q - 1e-13) - 1
            return np.asarray(1 / rank[np.clip(place, 0, len(rank) - 1)], np.float64)
        return np.asarray(rank[np.minimum(np.searchsorted(below, q - 1e-13), len(rank) - 1)], np.float64)

    def _ends(self) -> tuple[float, float]:
        last = self.items - self.relevant + self.hit
        return (1 / last, 1 / self.hit) if self.reciprocal else (self.hit, last)

    def pmf(self) -> dict[Fraction, Fraction]:
        """Every value and its probability, as exact fractions."""
        n, m, j = self.items, self.relevant, self.hit
        if n > 5000:
            return super().pmf()
        whole = comb(n, m)
        law = {k: Fraction(comb(k - 1, j - 1) * comb(n - k, m - j), whole) for k in range(j, n - m + j + 1)}
        if not self.reciprocal:
            return {Fraction(k): p for k, p in law.items()}
        return {Fraction(1, k): law[k] for k in sorted(law, reverse=True)}

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        place = np.searchsorted(self._running[0], rng.random(size), side="right")
        rank = self._table[0][np.minimum(place, len(self._table[0]) - 1)]
        return np.asarray(1 / rank if self.reciprocal else rank, np.float64)


def location(n: int, m: int, j: int) -> Law:
    """The law of L_j, the rank of the j-th hit: P(L_j = k) = C(k-1, j-1) C(n-k, m-j) / C(n, m).

    E L_j = j (n+1)/(m+1). Zhang & Su (2012) print it in (6) with a denominator under which it sums to n/m, and
    E L_j = j n/m in (8).

    Parameters
    ----------
    n, m, j : items, relevant items, which hit; 1 <= j <= m <= n.

    Examples
    --------
    >>> law = location(8, 3, 2)
    >>> law.mean, law.pmf()[Fraction(2)] == Fraction(6, 56)
    (4.5, True)
    """
    n = count("n", n, 1)
    m = count("m", m, 1, n)
    return Location(n, m, count("j", j, 1, m), False)


def reciprocal_rank(n: int, m: int) -> Law:
    """The law of RR = 1 / L_1: P(RR >= x) = 1 - C(n-k, m)/C(n, m), k the greatest rank with 1/k >= x.

    Examples
    --------
    >>> law = reciprocal_rank(10, 4)
    >>> round(law.mean, 6), round(law.sf(0.5), 6)
    (0.626077, 0.666667)
    """
    n = count("n", n, 1)
    m = count("m", m, 0, n)
    # Without relevant items it is 0, as hits in all ranks are.
    return Location(n, m, 1, True) if m else Hypergeometric(n, 0, n, 1, "reciprocal rank")


@dataclass(frozen=True, slots=True)
class Locations:
    """The joint law of the ranks of two hits, i before j; see `locations`."""

    items: int
    relevant: int
    first: int
    second: int

    @property
    def mean(self) -> tuple[float, float]:
        """E L_i and E L_j."""
        n, m = self.items, self.relevant
        return self.first * (n + 1) / (m + 1), self.second * (n + 1) / (m + 1)

    @property
    def covariance(self) -> float:
        """Cov(L_i, L_j) = i (n+1)(n-m)(m+1-j) / ((m+1)² (m+2))."""
        n, m = self.items, self.relevant
        return self.first * (n + 1) * (n - m) * (m + 1 - self.second) / ((m + 1) ** 2 * (m + 2))

    @property
    def correlation(self) -> float:
        """sqrt(i (m+1-j) / (j (m+1-i))); NaN where the locations are fixed (m = n)."""
        i, j, m = self.first, self.second, self.relevant
        return (i * (m + 1 - j) / (j * (m + 1 - i))) ** 0.5 if m < self.items else float("nan")

    def probability(self, s: int, t: int) -> Fraction:
        """P(L_i = s, L_j = t), exactly."""
        n, m, i, j = self.items, self.relevant, self.first, self.second
        if not 1 <= s < t <= n:
            return Fraction(0)
        ways = comb(s - 1, i - 1) * comb(t - s - 1, j - i - 1) * comb(n - t, m - j)
        return Fraction(ways, comb(n, m))

    @by_seed
    def rvs(self, size: int = 1, rng: Rng = 0) -> Int64:
        """`size` draws, a row (L_i, L_j) each; the same for the same seed."""
        rows = [
            rank[:, [self.first - 1, self.second - 1]]
            for rank in draw(self.items, self.relevant, count("size", size), generator(rng))
        ]
        return np.concatenate([np.empty((0, 2), np.int64), *rows])


def locations(n: int, m: int, i: int, j: int) -> Locations:
    """The joint law of L_i and L_j, i < j: C(s-1, i-1) C(t-s-1, j-i-1) C(n-t, m-j) / C(n, m).

    Zhang & Su (2012) print (7) with a denominator under which it sums to n(n-1)/(m(m-1)), and a covariance
    (10) that is too large: some three times as it enters the variance of AP, by pairs 1.08 to 210 times.

    Examples
    --------
    >>> law = locations(8, 3, 1, 3)
    >>> law.mean, law.covariance, law.probability(1, 8)
    ((2.25, 6.75), 0.5625, Fraction(3, 28))
    """
    n = count("n", n, 1)
    m = count("m", m, 2, n)
    j = count("j", j, 2, m)
    return Locations(n, m, count("i", i, 1, j - 1), j)
