"""Quantiles of a mean with random weights: the Bayesian bootstrap (Rubin 1981) without sampling.

Take the mean of values v_i with weights g_i / Σ g, where the g_i are independent gamma variables of
shapes a_i. It is at most q if L = Σ g_i (v_i - q) is at most 0. The probability of that is an
integral of exp(K(s)) / s over a line in the complex plane, where K(s) = -Σ a_i log(1 - (v_i - q) s)
is the cumulant generating function of L. The line is taken through the saddle point of K, where the
integrand falls off fastest, in equal steps of asinh.
"""

from __future__ import annotations

import math

import numpy as np

from precall.core.ragged import Float64, weighted_sum
from precall.stats import quantiles

#: The error of the sum over steps is about exp(-2π d / step), where d is the distance of the
#: nearest singularity in asinh; with d / step of this size it is 1e-12.
_STEPS_OF_SINGULARITY = 4.4
#: Numbers of the integrand in memory at a time.
_CELLS = 1 << 18
#: If a secant step changes the quantile by less than this share of the values' range, the next one
#: is right to 1e-10; and the maximum number of steps.
_FOUND, _MOST_STEPS = 1e-9, 100
#: If all values are smaller, they are divided by the greatest of them.
_SMALL = 1e-100


def quantile(values: Float64, shapes: Float64, share: float, sizes: Float64 | None = None) -> float:
    """Quantile of a mean of the values whose weights are gamma variables of these shapes, times
    `sizes` if these are given; `share` in (0, 1).

    Examples
    --------
    A mean of zeros and ones has a beta distribution.

    >>> round(quantile(np.array([0.0, 1.0]), np.array([3.0, 2.0]), 0.5), 6)  # of beta(2, 3)
    0.385728
    """
    if sizes is not None:
        return _quantile_of_sizes(values, shapes, share, sizes)
    low, high = float(values.min()), float(values.max())
    if low == high:
        return low
    if (size := max(-low, high)) < _SMALL:  # whose squares are 0
        return quantile(values / size, shapes, share) * size
    # The normal deviate of the probability is nearly linear in q, so secant steps find the q with
    # the target deviate.
    target, width, total = quantiles.normal(share), high - low, float(shapes.sum())
    centre = weighted_sum(shapes, values) / total
    spread = math.sqrt(weighted_sum(shapes, (values - centre) ** 2) / (total * (total + 1)))
    previous, at = centre, centre + (target if abs(target) > 0.01 else 0.01) * spread
    gap = _normal_deviate(values - centre, shapes) - target
    for _ in range(_MOST_STEPS):
        if not low < at < high:
            at = (previous + (low if at <= low else high)) / 2
        if abs(at - previous) <= _FOUND * width:
            break
        deviation = _normal_deviate(values - at, shapes) - target
        low, high = (at, high) if deviation < 0 else (low, at)
        if deviation == gap:
            break
        previous, at, gap = at, at - deviation * (at - previous) / (deviation - gap), deviation
    return at


def _quantile_of_sizes(values: Float64, shapes: Float64, share: float, sizes: Float64) -> float:
    """The quantile of a ratio of sums over groups of these sizes, by halving."""
    low, high, target = float(values.min()), float(values.max()), quantiles.normal(share)
    width = high - low
    while high - low > _FOUND * width:
        at = (low + high) / 2
        is_below = _normal_deviate(sizes * (values - at), shapes) < target
        low, high = (at, high) if is_below else (low, at)
    return (low + high) / 2


def _normal_deviate(differences: Float64, shapes: Float64) -> float:
    """The normal deviate of the probability that Σ g_i difference_i is at most 0.

    The differences must have both signs.
    """
    ends = 1 / float(np.minimum.reduce(differences)), 1 / float(np.maximum.reduce(differences))
    at = _saddle(differences, shapes, ends)
    share = differences / (1 - differences * at)
    curve = math.sqrt(weighted_sum(shapes, share * share))
    if abs(at) * curve < 0.5:
        # Close to 0 the path would meet the pole of 1 / s.
        at = 0.5 / curve if at >= 0 else -0.5 / curve
        at = max(min(at, 0.5 * ends[1]), 0.5 * ends[0])
        share = differences / (1 - differences * at)
        curve = math.sqrt(weighted_sum(shapes, share * share))
    # The path is the hyperbola with the curvature of the steepest descent from the saddle point: on
    # it the phase of exp K hardly changes.
    along, across = 1 / curve, 2 * weighted_sum(shapes, share**3) / (3 * curve**4)
    # Singularities, the pole and those of the factors, lie on both sides of the path: this is their
    # distance in the parameter of the path.
    behind, before = at - (ends[0] if at < 0 else 0.0), (ends[1] if at > 0 else 0.0) - at
    behind, before = (behind, before) if across >= 0 else (before, behind)
    distance = 2 * behind / (along + math.sqrt(along * along + 2 * abs(across) * behind))
    step = min(distance, math.asin(min(before / along, 1.0)), 1.2) / _STEPS_OF_SINGULARITY
    total, first, width = 0.0, 0, max(1, _CELLS // len(differences))
    while True:
        steps = [number * step for number in range(first, first + min(width, 48))]
        sinh, cosh = np.array([[math.sinh(step_), math.cosh(step_)] for step_ in steps]).T
        line = at + across * (cosh - 1) + 1j * (along * sinh)
        logs = np.add.reduce(np.log(1 - line[:, None] * differences) * shapes, axis=1)
        heights = (np.exp(-logs) / line * (along * cosh - 1j * (across * sinh))).real
        total += float(np.add.reduce(heights)) - (float(heights[0]) / 2 if first == 0 else 0.0)
        first += len(steps)
        if abs(heights[-1]) <= 1e-17 * abs(total):
            break
    # Left of 0 the integral is the probability of at most 0, right of it that of more than 0.
    tail = min(max(abs(total) * step / math.pi, 1e-300), 1 - 2**-53)
    return quantiles.normal(tail) if at < 0 else -quantiles.normal(tail)


def _saddle(differences: Float64, shapes: Float64, ends: tuple[float, float]) -> float:
    """The point between `ends` on the real line where K is least: its saddle point."""
    (low, high), at = ends, 0.0
    for _ in range(_MOST_STEPS):
        share = differences / (1 - differences * at)
        slope, square = weighted_sum(shapes, share), weighted_sum(shapes, share * share)
        if abs(slope) < 1e-6 * math.sqrt(square):
            break
        low, high = (at, high) if slope < 0 else (low, at)
        step = at - slope / square
        at = step if low < step < high else (low + high) / 2
    return at
