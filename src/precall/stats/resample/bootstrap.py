"""Bounds of an interval from the values of resampled data."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from precall.core.notes import Note
from precall.core.notes.of_intervals import FewSamplesForLevel
from precall.core.ragged import Float64
from precall.stats import quantiles


def percentile(drawn: Float64, level: float) -> tuple[float, float]:
    """The quantiles between which the middle `level` of the values lies."""
    return two_quantiles(drawn, (1 - level) / 2, (1 + level) / 2)


def notes_on_level(subject: str, resamples: int, level: float, sides: int = 2) -> tuple[Note, ...]:
    """A note if a quantile of the level lies beyond the first or last of so many samples: the p-th
    of B is at position p (B + 1). A bound of one side takes the share 1 - level.
    """
    # Levels such as 0.999 have no exact share.
    needed = math.ceil(sides / (1 - level) * (1 - 1e-9)) - 1
    return (FewSamplesForLevel(subject, resamples, needed, level),) if resamples < needed else ()


def bounds(
    method: str, drawn: Float64, estimate: float, level: float, accelerated: Callable[[], float]
) -> tuple[float, float]:
    """The bounds by "percentile" or "bca"; only "bca" calls `accelerated` for the acceleration."""
    return (
        percentile(drawn, level)
        if method == "percentile"
        else bca(drawn, estimate, accelerated(), level)
    )


def two_quantiles(drawn: Float64, low: float, high: float) -> tuple[float, float]:
    """Two quantiles of B values: the p-th is at position p (B + 1) in their order; if some are
    infinite, the value nearest to it.
    """
    if np.isfinite(drawn).all():
        first, second = quantiles_of(drawn, (low, high))
        return first, second
    least, most = np.quantile(drawn, [low, high], method="nearest").tolist()
    return least, most


def quantiles_of(drawn: Float64, shares: Sequence[float]) -> list[float]:
    """NumPy's quantiles by "weibull" of finite values, to the last digit; for few values in a
    quarter of the time.
    """
    last = len(drawn) - 1
    positions = [min(max(len(drawn) * share + share - 1, 0.0), float(last)) for share in shares]
    before = [int(position) for position in positions]
    after = [min(row + 1, last) for row in before]
    ordered = np.partition(drawn, [*before, *after])
    return [
        _interpolate(float(ordered[low]), float(ordered[high]), position - low)
        for low, high, position in zip(before, after, positions, strict=True)
    ]


def _interpolate(low: float, high: float, fraction: float) -> float:
    return low + (high - low) * fraction if fraction < 0.5 else high - (high - low) * (1 - fraction)


def acceleration(influence: Float64, times: Any = 1.0) -> float:
    """A sixth of the skewness of the influences, Σ U³ / (6 (Σ U²)^1.5), each counted `times`
    times.
    """
    squares = float(np.sum(times * influence**2))
    return float(np.sum(times * influence**3)) / (6 * squares**1.5) if squares > 0 else 0.0


def bca(drawn: Float64, estimate: float, accelerated: float, level: float) -> tuple[float, float]:
    """Efron's (1987) quantiles, corrected for bias and for a variance that depends on the value.

    Parameters
    ----------
    drawn : the resampled values.
    estimate : the value of the data themselves.
    accelerated : the `acceleration` of the influences.
    """
    # Values equal to the estimate count half. The share is never 0 or 1, whose normal quantiles are
    # infinite.
    below = np.count_nonzero(drawn < estimate) + 0.5 * np.count_nonzero(drawn == estimate)
    bias = quantiles.normal((below + 0.5) / (len(drawn) + 1))
    share = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        shifted = bias + quantiles.normal(tail)
        # Past its pole the correction has no meaning; then the extreme values are the bounds.
        stretched = shifted / max(1 - accelerated * shifted, 1e-12)
        share.append(quantiles.normal_share(bias + stretched))
    return two_quantiles(drawn, share[0], share[1])
