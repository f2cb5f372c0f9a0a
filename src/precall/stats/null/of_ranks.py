"""Null distributions of measures that are neither counts nor sums: break-even, enrichment, 11-point
precision, BEDROC, greatest F, KS, recall at a precision.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import ClassVar

import numpy as np

from precall.core.arguments import (
    check_beta,
    check_choice,
    check_positive,
    check_share,
    check_whole,
)
from precall.core.errors import UsageError
from precall.core.ragged import Float64, Int64
from precall.core.rng import Rng, seed_of, suggest_our_names
from precall.location.hits import Hits, ceiling
from precall.measures.best_points import BREAK_EVEN
from precall.measures.registry import Measure, find
from precall.stats.null.distribution import (
    Accuracy,
    Drawn,
    NullDistribution,
    Tail,
    error_of_drawn,
)
from precall.stats.null.hits_and_ranks import Hypergeometric, standardised_moments
from precall.stats.null.mean_over_rankings import Enriched
from precall.stats.null.tail.enumeration import patterns
from precall.stats.null.tail.hypergeometric import probabilities, with_one_more
from precall.stats.null.tail.moments import central_sums, linear_shape
from precall.stats.null.tail.random_placements import draw

#: Placements that are listed one by one, at most.
_LISTED = 300_000
#: Ranks drawn by default over all orders together; and the least and greatest number of orders.
_DRAWN, _FEWEST, _MOST = 10**7, 1_000, 100_000
#: The list of all ranks of longer lists takes gigabytes.
_LARGEST = 10**7
#: A value that differs from another by less, relatively, equals it.
_ROUNDING = 1e-12


@dataclass(frozen=True, repr=False)
class OfRanks(Drawn):
    """A measure of the ranks of the hits: every placement, or random ones if there are many.

    `orders` is how many are drawn for tails and, unless these are known exactly, for moments.
    """

    items: int
    relevant: int
    measure: Measure
    orders: int | None
    seed: int
    exact_moments: ClassVar[bool] = False

    @property
    def name(self) -> str:
        return f"{self.measure.name}, {self.relevant} of {self.items} items relevant"

    @property
    def sample_size(self) -> int:
        """How many orders are drawn."""
        return self.orders or min(max(_DRAWN // self.relevant, _FEWEST), _MOST)

    @property
    def _few(self) -> bool:
        return patterns(self.items, self.relevant, self.items) <= _LISTED

    @property
    def approximate(self) -> Accuracy:
        if self._few:
            return Accuracy("enumeration")
        return self._accuracy("random orders")

    @property
    def mean_error(self) -> float:
        """The standard error of the mean; 0 if the mean is exact."""
        if self._few or self.exact_moments:
            return 0.0
        return float(np.sqrt(self.var / self.sample_size))

    def values_of(self, rank: Int64) -> Float64:
        """The measure of each row, the ascending ranks of the hits of one placement."""
        rows, ranks = len(rank), rank.ravel()
        hits = Hits(
            ranks,
            ranks,
            np.ones(len(ranks), np.int64),
            np.repeat(np.arange(rows), self.relevant),
            np.full(rows, self.items),
            np.full(rows, self.relevant),
        )
        return np.asarray(self.measure(hits))

    @cached_property
    def _mass(self) -> tuple[Float64, Float64] | None:
        if not self._few:
            return None
        ways = combinations(range(1, self.items + 1), self.relevant)
        rank = np.array(list(ways), np.int64).reshape(-1, self.relevant)
        values = np.sort(self.values_of(rank))
        return values, np.full(len(values), 1 / len(values))

    def _moments(self) -> tuple[float, float]:
        values = self._sample if self._mass is None else self._mass[0]
        return float(values.mean()), float(values.var(ddof=int(self._mass is None)))

    def _shape(self) -> tuple[float, float]:
        values = self._sample if self._mass is None else self._mass[0]
        away = values - values.mean()
        var = float((away**2).mean())
        if not var > 0:
            return float("nan"), float("nan")
        return float((away**3).mean()) / var**1.5, float((away**4).mean()) / var**2 - 3

    def tail(self, x: float) -> Tail:
        """P(X >= x) and how it was computed, with its standard error if it was drawn."""
        return error_of_drawn(NullDistribution.tail(self, x), self.sample_size)

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        ranks = draw(self.items, self.relevant, size, rng)
        return np.concatenate([np.empty(0), *(self.values_of(rank) for rank in ranks)])


@dataclass(frozen=True, repr=False)
class Boltzmann(OfRanks):
    """BEDROC: a sum over the ranks of the hits, whose moments are known."""

    exact_moments: ClassVar[bool] = True

    def _between(self, x: Float64, above: bool = False) -> Float64:
        # The least sum is taken off: values near 0 have the rounding of values near 1.
        rounding = _ROUNDING if above else -_ROUNDING
        return np.asarray(NullDistribution._between(self, x, above) + rounding)

    @cached_property
    def _sums(self) -> tuple[list[float], list[float], float]:
        """Central power sums of the indicator of a hit and of the weights of ranks, to order 4; and
        the mean.
        """
        n, m = self.items, self.relevant
        weight = np.exp(-self.measure.parameters["alpha"] * np.arange(n) / n)
        greatest, least = weight[:m].sum(), weight[n - m :].sum()
        weight = weight / (greatest - least)
        share = m / n
        a = [m * (1 - share) ** k + (n - m) * (-share) ** k for k in range(5)]
        return a, central_sums(weight), float(m * weight.mean() - least / (greatest - least))

    def _moments(self) -> tuple[float, float]:
        a, b, mean = self._sums
        return mean, a[2] * b[2] / (self.items - 1)

    def _shape(self) -> tuple[float, float]:
        a, b, _ = self._sums
        return linear_shape(self.items, a, b)


@dataclass(frozen=True, repr=False)
class GreatestF(OfRanks):
    """The greatest F at any rank. Its tails are exact: F reaches x where the hits reach a boundary,
    whose chance follows rank by rank.
    """

    beta: float = 1.0

    @property
    def approximate(self) -> Accuracy:
        return Accuracy("enumeration" if self._few else "rank by rank")

    def values_of(self, rank: Int64) -> Float64:
        square = self.beta**2
        hits = np.arange(1, self.relevant + 1)
        return np.asarray(((1 + square) * hits / (rank + square * self.relevant)).max(axis=1))

    def _tail_without_list(self, x: Float64, above: bool) -> Float64:
        return np.array([self._reach(float(one)) for one in x])

    def _ends(self) -> tuple[float, float]:
        # Everything is accepted at the end.
        square, m = self.beta**2, self.relevant
        return (1 + square) * m / (self.items + square * m), 1.0

    def _reach(self, x: float) -> float:
        """The chance that F is x or more somewhere; x stands between two values."""
        n, m, square = self.items, self.relevant, self.beta**2
        if x > 1 + 2 * _ROUNDING:
            return 0.0
        ranks = np.arange(1, n + 1)
        return _chance_to_reach(np.ceil(x * (ranks + square * m) / (1 + square)), n, m)


def _chance_to_reach(needed: Float64, n: int, m: int) -> float:
    """The chance that at some rank there are as many of `m` hits as are needed there, at random
    orders of `n` items. The need grows with the rank.
    """
    live, reached = np.ones(1), 0.0
    for rank, enough in enumerate(needed.astype(np.int64).tolist(), 1):
        if enough > m:
            break
        now = with_one_more(live, n, m, rank)
        reached += float(now[enough:].sum())
        live = now[: min(enough, m + 1)]
    return reached


@dataclass(frozen=True, repr=False)
class GreatestDifference(OfRanks):
    """KS, the greatest recall minus false positive rate at any rank. Its tails are exact: it
    reaches x where the hits reach a boundary, whose chance follows rank by rank.
    """

    @property
    def approximate(self) -> Accuracy:
        return Accuracy("enumeration" if self._few else "rank by rank")

    def values_of(self, rank: Int64) -> Float64:
        m, other = self.relevant, self.items - self.relevant
        hits = np.arange(1, m + 1)
        return np.asarray(np.fmax((hits / m - (rank - hits) / other).max(axis=1), 0.0))

    def _tail_without_list(self, x: Float64, above: bool) -> Float64:
        return np.array([self._reach(float(one)) for one in x])

    def _ends(self) -> tuple[float, float]:
        return 0.0, 1.0

    def _reach(self, x: float) -> float:
        """The chance that the difference is x or more somewhere; x stands between two values."""
        n, m = self.items, self.relevant
        if x > 1 + 2 * _ROUNDING:
            return 0.0
        if x <= 0:
            return 1.0
        return _chance_to_reach(np.ceil((x * (n - m) + np.arange(1, n + 1)) * m / n), n, m)


@dataclass(frozen=True, repr=False)
class ListedValues(OfRanks):
    """A measure whose values are listed with their chances, in `_mass`."""

    exact_moments: ClassVar[bool] = True

    @cached_property
    @abstractmethod
    def _mass(self) -> tuple[Float64, Float64]:
        """The values, ascending, and the chance of each."""

    def _moments(self) -> tuple[float, float]:
        values, chance = self._mass
        mean = float((values * chance).sum())
        return mean, float((chance * (values - mean) ** 2).sum())

    def _shape(self) -> tuple[float, float]:
        return standardised_moments(*self._mass)


@dataclass(frozen=True, repr=False)
class BreakEven(ListedValues):
    """Break-even at the nearest point: hits among the first m ranks, divided by m; without a hit
    there the mean of precision and recall at the first hit, which is the nearest point with one.
    """

    @property
    def approximate(self) -> Accuracy:
        return Accuracy("hypergeometric")

    @cached_property
    def _mass(self) -> tuple[Float64, Float64]:
        n, m = self.items, self.relevant
        low, high = max(0, 2 * m - n), m
        chance = probabilities(n, [m], m, low, high)[0]
        values = np.arange(low, high + 1) / m
        if low:
            return values, chance
        # The first hit stands at m + 1, m + 2, ...: none before it, and then a hit.
        rank = np.arange(m + 1, n - m + 2)
        later = np.empty(len(rank))
        none = float(chance[0])
        for place, at in enumerate(rank.tolist()):
            hit = m / (n - at + 1)
            later[place], none = none * hit, none * (1 - hit)
        values = np.concatenate(((1 / rank + 1 / m) / 2, values[1:]))
        chance = np.concatenate((later, chance[1:]))
        order = np.argsort(values, kind="stable")
        return values[order], chance[order]


@dataclass(frozen=True, repr=False)
class RecallAtPrecision(ListedValues):
    """The greatest recall whose precision is enough: the number of the last hit that stands so
    early, divided by m.

    From the last rank upwards the chance that no later hit stands early enough follows rank by
    rank; the chance that hit j is at rank k is hypergeometric.
    """

    @property
    def approximate(self) -> Accuracy:
        return Accuracy("rank by rank")

    @cached_property
    def _mass(self) -> tuple[Float64, Float64]:
        n, m, least = self.items, self.relevant, self.measure.parameters["precision"]
        values, mass = np.arange(m + 1) / m, np.zeros(m + 1)
        if m / n >= least:
            # All items together are precise enough.
            mass[m] = 1.0
            return values, mass
        hits = np.arange(m + 1)
        # `none` is the chance that no hit below this rank is early enough, by hits above and there.
        none = np.ones(m + 1)
        for rank in range(min(n, int(m / least) + 1), 0, -1):
            is_early = hits / rank >= least
            low, high = max(0, m - 1 - (n - rank)), min(m, rank)
            above = probabilities(n, [rank - 1], m, low, high)[0]
            place = np.arange(low, min(high, m - 1) + 1)
            here = above[: len(place)] * (m - place) / (n - rank + 1)
            early = is_early[place + 1]
            mass[place[early] + 1] += (here * none[place + 1])[early]
            hit = np.clip((m - hits) / (n - rank + 1), 0.0, 1.0)
            later = np.append(np.where(is_early, 0.0, none)[1:], 0.0)
            none = hit * later + (1 - hit) * none
        mass[0] = none[0]
        return values, mass


@suggest_our_names
def recall_at_precision(
    n: int, m: int, precision: float, *, orders: int | None = None, rng: Rng = 0
) -> NullDistribution:
    """The null distribution of recall at a precision, the greatest recall of a threshold whose
    precision is at least this: exact.

    Parameters
    ----------
    n : items in the ranking; all relevant ones are ranked.
    m : relevant items, 1 <= m <= n.
    precision : the least precision, in 0..1. Up to m / n the recall is always 1.
    orders : how many random orders `rvs` has by default; see `eleven_point`.
    rng : seed or generator of these orders; the seed is part of the result.

    Examples
    --------
    >>> null = recall_at_precision(100, 10, 0.5)
    >>> round(null.mean, 4), round(null.sf(0.3), 6)
    (0.0269, 0.013276)
    """
    n, m = _check_sizes(n, m)
    measure = find(f"RAtPrecision(precision={check_share('precision', precision)!r})")
    return RecallAtPrecision(n, m, measure, _check_orders(orders), seed_of(rng))


@suggest_our_names
def break_even(
    n: int, m: int, *, method: str = "nearest", orders: int | None = None, rng: Rng = 0
) -> NullDistribution:
    """The null distribution of the break-even point, where precision equals recall.

    Among the first m ranks, as many as items are relevant, both are hits / m, the R-precision. If
    no hit is among them, the point nearest to break-even that has a hit is the first hit. With few
    relevant items that is the usual case, so that `r_precision` has another distribution.

    Parameters
    ----------
    n : items in the ranking; all relevant ones are ranked.
    m : relevant items, 1 <= m <= n.
    method : the sense of break-even, as of the measure BEP: "nearest" is exact; "max-min" and
        "linear" are as `eleven_point`.
    orders : how many random orders are drawn; see `eleven_point`.
    rng : seed or generator of these orders; the seed is part of the result.

    Examples
    --------
    >>> null = break_even(20, 5)
    >>> round(null.mean, 4), round(null.sf(0.6), 6)
    (0.2826, 0.072626)
    """
    n, m = _check_sizes(n, m)
    check_choice("method", method, tuple(BREAK_EVEN))
    kind = BreakEven if method == "nearest" else OfRanks
    measure = find("BEP" if method == "nearest" else f"BEP(method={method})")
    return kind(n, m, measure, _check_orders(orders), seed_of(rng))


def enrichment(n: int, m: int, share: float) -> NullDistribution:
    """The null distribution of the enrichment factor in the first `share` of the ranks: exact.

    It is the precision there divided by m / n; its mean is 1.

    Parameters
    ----------
    n : items in the ranking.
    m : relevant items, 1 <= m <= n.
    share : the share of the ranks, in (0, 1]; of n items they are share·n, rounded up.

    Examples
    --------
    >>> null = enrichment(1000, 20, 0.05)
    >>> null.mean, round(null.sf(3.0), 6)
    (1.0, 0.073576)
    """
    n, m = _check_sizes(n, m)
    ranks = enriched_ranks(n, share)
    return Enriched(Hypergeometric(n, m, ranks, ranks, f"enrichment in {ranks} ranks"), n, m)


def enriched_ranks(items: int, share: object) -> int:
    """How many ranks a share of the items is, rounded up."""
    return int(ceiling(check_share("share", share, nonzero=True), np.array([items]))[0])


@suggest_our_names
def eleven_point(n: int, m: int, *, orders: int | None = None, rng: Rng = 0) -> NullDistribution:
    """The null distribution of 11-point average precision, IAP.

    Parameters
    ----------
    n : items in the ranking.
    m : relevant items, 1 <= m <= n.
    orders : how many random orders are drawn if there are more than 300,000 placements of the
        hits; by default 1,000 to 100,000, the fewer the more items are relevant.
    rng : seed or generator of these orders; the seed is part of the result.

    Returns
    -------
    NullDistribution
        Of few placements exact. Else mean and quantiles are those of the orders drawn, p is
        (c+1)/(B+1), and `tail(x)` and `mean_error` have the standard errors.

    Examples
    --------
    >>> null = eleven_point(12, 4)
    >>> round(null.mean, 6), round(null.sf(0.9), 6)
    (0.505232, 0.008081)
    """
    n, m = _check_sizes(n, m)
    return OfRanks(n, m, find("IAP"), _check_orders(orders), seed_of(rng))


@suggest_our_names
def bedroc(
    n: int, m: int, *, alpha: float = 20.0, orders: int | None = None, rng: Rng = 0
) -> NullDistribution:
    """The null distribution of BEDROC: its four moments are exact, tails as those of
    `eleven_point`.

    Parameters
    ----------
    n : items in the ranking.
    m : relevant items, 1 <= m < n.
    alpha : weight of early ranks, > 0.
    orders : how many random orders are drawn; see `eleven_point`.
    rng : seed or generator of these orders; the seed is part of the result.

    Examples
    --------
    >>> null = bedroc(1000, 50)
    >>> round(null.mean, 6), round(null.std, 6)
    (0.079099, 0.032725)
    """
    n, m = _check_sizes(n, m)
    if m == n:
        raise UsageError(argument="m", what="BEDROC is undefined if all items are relevant", got=m)
    check_positive(alpha=alpha)
    measure = find(f"BEDROC(alpha={float(alpha)!r})")
    return Boltzmann(n, m, measure, _check_orders(orders), seed_of(rng))


@suggest_our_names
def max_f(
    n: int, m: int, *, beta: float = 1.0, orders: int | None = None, rng: Rng = 0
) -> NullDistribution:
    """The null distribution of the greatest F at any threshold. Tails and quantiles are exact; mean
    and variance are those of random orders if there are more than 300,000 placements of the hits.

    Random selection has a greatest F of at least 2m / (n + m), the F of accepting everything.

    Parameters
    ----------
    n : items in the ranking.
    m : relevant items, 1 <= m <= n.
    beta : the weight of recall, >= 0.
    orders : how many random orders are drawn; see `eleven_point`.
    rng : seed or generator of these orders; the seed is part of the result.

    Examples
    --------
    >>> null = max_f(200, 20)
    >>> round(null.sf(0.3), 6), round(null.critical(0.95), 6)
    (0.022675, 0.277778)
    """
    n, m = _check_sizes(n, m)
    weight = check_beta(beta)
    measure = find("MaxF" if weight == 1 else f"MaxF(beta={weight!r})")
    return GreatestF(n, m, measure, _check_orders(orders), seed_of(rng), weight)


def _check_sizes(n: int, m: int) -> tuple[int, int]:
    n = check_whole("n", n, 1, _LARGEST)
    return n, check_whole("m", m, 1, n)


def _check_orders(orders: int | None) -> int | None:
    return None if orders is None else check_whole("orders", orders, 2)


#: Measures that `test` takes by these distributions.
LAWS = ("IAP", "BEP", "MaxF", "KS", "BEDROC", "RAtPrecision", "PAtRecall")


def law_of(measure: Measure, n: int, m: int) -> NullDistribution:
    """The null distribution of a measure of `LAWS`, with its parameters.

    Parameters
    ----------
    measure : the measure.
    n : items in the ranking.
    m : relevant ones, all of which are ranked.
    """
    given = measure.parameters
    match measure.declaration.name:
        case "IAP":
            return eleven_point(n, m)
        case "BEP":
            return break_even(n, m, method=given["method"])
        case "BEDROC":
            return bedroc(n, m, alpha=given["alpha"])
        case "KS":
            return GreatestDifference(n, m, find("KS"), None, 0)
        case "RAtPrecision":
            return recall_at_precision(n, m, given["precision"])
        case "PAtRecall":
            return OfRanks(n, m, measure, None, 0)
        case _:
            return max_f(n, m, beta=given["beta"])
