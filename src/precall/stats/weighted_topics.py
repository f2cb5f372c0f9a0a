"""The mean of values with weights, such as the traffic of queries, and how well it is known.

The variance is that of the weights as they are: Σ p² r² / c, where p are the shares of the weights,
r the distances from the mean and c what makes it unbiased if all topics vary alike. Degrees of
freedom are Satterthwaite's for this estimate (Bell & McCaffrey 2002; Imbens & Kolesár 2016). If all
weights are equal, these are s²/n and n - 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from precall.core import ragged
from precall.core.ragged import Float64
from precall.stats.resample.batches import TOLERANCE

#: The factor that splits a float64 in two halves whose products are exact (Dekker 1971).
_SPLITTER = 2.0**27 + 1


def weighted_mean(values: Float64, weights: Float64) -> float:
    """Σ w v / Σ w, where both sums are rounded once: the same in any order. A topic of weight 2
    counts as two topics do, and with equal weights this is the mean, to the last bit.

    Examples
    --------
    >>> weighted_mean(np.array([0.5, 0.1]), np.array([3.0, 1.0]))
    0.4
    >>> ragged.mean([0.5, 0.5, 0.5, 0.1])
    0.4
    """
    if weights.min() == weights.max():
        return ragged.mean(values)
    if values.min() == values.max():
        return float(values[0])
    # The least weight is near 1, so that no product is lost below the least number.
    scaled = np.ldexp(weights, -int(np.frexp(weights.max())[1]))
    with np.errstate(over="ignore", invalid="ignore"):
        terms = [*_exact_products(scaled, values)]
    total = math.fsum(scaled.tolist())
    try:
        return math.fsum(np.concatenate(terms).tolist()) / total
    except (OverflowError, ValueError):  # infinite values
        return float((scaled * values).sum() / total)


def _exact_products(first: Float64, second: Float64) -> tuple[Float64, Float64]:
    """The products as rounded, and what rounding left out (Dekker 1971)."""
    product = first * second
    (high, low), (other_high, other_low) = (_halves(each) for each in (first, second))
    rest = high * other_high - product + high * other_low + low * other_high + low * other_low
    return product, rest


def _halves(values: Float64) -> tuple[Float64, Float64]:
    scaled = values * _SPLITTER
    high = scaled - (scaled - values)
    return high, values - high


def effective_number(weights: Float64) -> float:
    """How many topics of equal weight would tell as much: (Σ w)² / Σ w² (Kish 1965).

    Examples
    --------
    >>> effective_number(np.array([1.0, 1.0, 2.0, 0.0])).__round__(4)
    2.6667
    """
    shares = weights / weights.max()
    return math.fsum(shares.tolist()) ** 2 / math.fsum((shares * shares).tolist())


@dataclass(frozen=True, slots=True)
class WeightedMean:
    """A mean of values with weights, its standard error and the degrees of freedom of that.

    Examples
    --------
    >>> found = WeightedMean.of(np.array([0.2, 0.4, 0.9]), np.array([1.0, 2.0, 1.0]))
    >>> round(found.mean, 4), round(found.error, 4), round(found.freedom, 4)
    (0.475, 0.1485, 1.4459)
    """

    mean: float
    error: float
    """0 if all values are equal up to rounding."""
    freedom: float
    deviation: float
    """Root of Σ p r² / Σ p (1 - p), which is s² if weights are equal."""

    @classmethod
    def of(cls, values: Float64, weights: Float64) -> WeightedMean:
        """That of two topics or more."""
        size = len(values)
        middle = weighted_mean(values, weights)
        if weights.min() == weights.max():
            spread = ragged.deviation(values, middle)
            error, freedom = spread / math.sqrt(size), float(size - 1)
        else:
            # In this order no digit depends on that of the topics, or on the sign of the values.
            distance = np.abs(values - middle)
            order = np.lexsort((weights, distance))
            distance, share = distance[order], weights[order] / math.fsum(weights.tolist())
            total = float(np.sum(np.sort(share * share)))
            others, squares_of_others = 1 - share, total - share * share
            # A share near 1 leaves no digits of these.
            first = int(np.argmax(share))
            rest = np.sort(np.delete(share, first))
            others[first], squares_of_others[first] = np.sum(rest), np.sum(rest * rest)
            gaps = np.delete(share, first) * (
                values[order[first]] - np.delete(values[order], first)
            )
            distance[first] = abs(math.fsum(gaps.tolist()))
            squares, own = distance * distance, others**2 + squares_of_others  # own: |e - p|²
            factor = share * share / own
            error = math.sqrt(float(np.sum(factor * squares)))
            freedom = _freedom(share, factor, own, total, first)
            spread = math.sqrt(float(np.sum(share * squares) / np.sum(share * others)))
        if spread <= TOLERANCE * float(np.abs(values).max()):
            error = spread = 0.0
        return cls(middle, error, freedom, spread)


def _freedom(share: Float64, factor: Float64, own: Float64, total: float, first: int) -> float:
    """Satterthwaite's degrees of freedom of Σ factor r²: for topics that vary alike the covariance
    of two distances is Σp² - p_i - p_j, their variance `own`; `first` has the greatest share, whose
    covariances are computed apart, because they may be small.
    """
    light, weight = np.delete(share, first), np.delete(factor, first)
    sums = [float(np.sum(weight * light**power)) for power in range(3)]
    of_pairs = (
        total * total * sums[0] ** 2
        + 2 * sums[0] * sums[2]
        - 4 * total * sums[0] * sums[1]
        + 2 * sums[1] ** 2
        - float(np.sum((weight * (total - 2 * light)) ** 2))
    )
    squares, rest = float(np.sum(light * light)), float(np.sum(light))
    with_first = squares - share[first] * rest - light
    of_pairs += 2 * float(factor[first] * np.sum(weight * with_first**2))
    with_themselves = float(np.sum((factor * own) ** 2))
    return float(np.sum(factor * own)) ** 2 / (of_pairs + with_themselves)
