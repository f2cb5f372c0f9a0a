"""From the values of resampled data to the ends of an interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from precall.core.ragged import Float64
from precall.stats import quantiles


def percentile(drawn: Float64, level: float) -> tuple[float, float]:
    """The middle `level` of the values."""
    return ends(drawn, (1 - level) / 2, (1 + level) / 2)


def bounds(
    method: str, drawn: Float64, estimate: float, level: float, accelerated: Callable[[], float]
) -> tuple[float, float]:
    """By "percentile", or by "bca", which alone asks for the acceleration."""
    return (
        percentile(drawn, level)
        if method == "percentile"
        else bca(drawn, estimate, accelerated(), level)
    )


def ends(drawn: Float64, low: float, high: float) -> tuple[float, float]:
    """Two quantiles, the p-th at place p (B + 1) of the values in order; with infinite ones the
    value nearest to it.
    """
    if np.isfinite(drawn).all():
        first, second = quantiles_of(drawn, (low, high))
        return first, second
    least, most = np.quantile(drawn, [low, high], method="nearest").tolist()
    return least, most


def quantiles_of(drawn: Float64, shares: Sequence[float]) -> list[float]:
    """NumPy's by "weibull", to the last digit, of finite values: a quarter of the time where they
    are few.
    """
    last = len(drawn) - 1
    places = [min(max(len(drawn) * share + share - 1, 0.0), float(last)) for share in shares]
    before = [int(place) for place in places]
    after = [min(row + 1, last) for row in before]
    ordered = np.partition(drawn, [*before, *after])
    return [
        _between(float(ordered[low]), float(ordered[high]), place - low)
        for low, high, place in zip(before, after, places, strict=True)
    ]


def _between(low: float, high: float, part: float) -> float:
    return low + (high - low) * part if part < 0.5 else high - (high - low) * (1 - part)


def acceleration(influence: Float64, times: Any = 1.0) -> float:
    """A sixth of the skewness of the influences, Σ U³ / (6 (Σ U²)^1.5), each of which counts so
    many times.
    """
    squares = float(np.sum(times * influence**2))
    return float(np.sum(times * influence**3)) / (6 * squares**1.5) if squares > 0 else 0.0


def bca(drawn: Float64, estimate: float, accelerated: float, level: float) -> tuple[float, float]:
    """Efron's (1987) quantiles, corrected for bias and for a variance that changes with the value.

    Parameters
    ----------
    drawn : the resampled values.
    estimate : the value of the data themselves.
    accelerated : the `acceleration` of the influences.
    """
    # Values equal to the estimate count half; never 0 or 1, where the normal quantile is infinite.
    below = np.count_nonzero(drawn < estimate) + 0.5 * np.count_nonzero(drawn == estimate)
    bias = quantiles.normal((below + 0.5) / (len(drawn) + 1))
    share = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        moved = bias + quantiles.normal(tail)
        # Past its pole the correction means nothing; the utmost values are then the ends.
        stretched = moved / max(1 - accelerated * moved, 1e-12)
        share.append(quantiles.normal_share(bias + stretched))
    return ends(drawn, share[0], share[1])
