"""Quantiles of a mean whose weights are random: the Bayesian bootstrap (Rubin 1981) without drawing
anything.

A mean of values v_i with weights g_i / Σ g, the g_i independent gammas of shape a_i, is at most q
where L = Σ g_i (v_i - q) is at most 0. The chance of that is an integral over a line in the complex
plane of exp(K(s)) / s, K(s) = -Σ a_i log(1 - (v_i
- q) s) being the cumulant generating function of L. It is taken through the saddle of K, where it
  falls off fastest, in equal
steps of asinh.
"""

from __future__ import annotations

import math

import numpy as np

from precall.core.ragged import Float64
from precall.stats import quantiles

#: The sum over steps errs by about exp(-2π d / step), d being how far the nearest singularity is in
#: asinh: here by 1e-12.
_STEPS_OF_SINGULARITY = 4.4
#: Numbers of the integral at a time.
_CELLS = 1 << 18
#: Change of a quantile, in widths of all values, after which the next secant is right to 1e-10, and
#: the most secants.
_FOUND, _MOST_STEPS = 1e-9, 100
#: Smaller values are measured by the greatest of them.
_SMALL = 1e-100


def quantile(values: Float64, shapes: Float64, share: float) -> float:
    """The q that a mean of the values, its weights gammas of these shapes, is at most with this
    probability, in (0, 1).

    Examples
    --------
    A mean of zeros and ones has a beta distribution.

    >>> round(quantile(np.array([0.0, 1.0]), np.array([3.0, 2.0]), 0.5), 6)  # of beta(2, 3)
    0.385728
    """
    low, high = float(values.min()), float(values.max())
    if low == high:
        return low
    if (size := max(-low, high)) < _SMALL:  # whose squares are 0
        return quantile(values / size, shapes, share) * size
    # The normal deviate of the chance is nearly a line: secants find where it is the one that is
    # wanted.
    wanted, width, total = quantiles.normal(share), high - low, float(shapes.sum())
    centre = _sum(shapes, values) / total
    spread = math.sqrt(_sum(shapes, (values - centre) ** 2) / (total * (total + 1)))
    before, at = centre, centre + (wanted if abs(wanted) > 0.01 else 0.01) * spread
    gap = _deviate(values - centre, shapes) - wanted
    for _ in range(_MOST_STEPS):
        if not low < at < high:
            at = (before + (low if at <= low else high)) / 2
        if abs(at - before) <= _FOUND * width:
            break
        found = _deviate(values - at, shapes) - wanted
        low, high = (at, high) if found < 0 else (low, at)
        if found == gap:
            break
        before, at, gap = at, at - found * (at - before) / (found - gap), found
    return at


def _sum(weights: Float64, values: Float64) -> float:
    """Not by BLAS, whose digits depend on the processor."""
    return float(np.add.reduce(weights * values))


def _deviate(apart: Float64, shapes: Float64) -> float:
    """The normal deviate of the chance that Σ g_i apart_i is at most 0, the numbers being of both
    signs.
    """
    ends = 1 / float(apart.min()), 1 / float(apart.max())
    at = _saddle(apart, shapes, ends)
    share = apart / (1 - apart * at)
    curve = math.sqrt(_sum(shapes, share * share))
    if abs(at) * curve < 0.5:
        # Next to 0 the path would meet the pole.
        at = 0.5 / curve if at >= 0 else -0.5 / curve
        at = max(min(at, 0.5 * ends[1]), 0.5 * ends[0])
        share = apart / (1 - apart * at)
        curve = math.sqrt(_sum(shapes, share * share))
    # The path is the hyperbola that is curved as the steepest descent from the saddle: on it exp K
    # hardly turns.
    along, across = 1 / curve, 2 * _sum(shapes, share**3) / (3 * curve**4)
    # What is singular, the pole and where a factor is, stands on either side: as far in the
    # parameter of the path as this.
    behind, before = at - (ends[0] if at < 0 else 0.0), (ends[1] if at > 0 else 0.0) - at
    behind, before = (behind, before) if across >= 0 else (before, behind)
    far = 2 * behind / (along + math.sqrt(along * along + 2 * abs(across) * behind))
    step = min(far, math.asin(min(before / along, 1.0)), 1.2) / _STEPS_OF_SINGULARITY
    total, first, width = 0.0, 0, max(1, _CELLS // len(apart))
    while True:
        steps = [number * step for number in range(first, first + min(width, 48))]
        up, out = np.array([[math.sinh(one), math.cosh(one)] for one in steps]).T
        line = at + across * (out - 1) + 1j * (along * up)
        logs = np.add.reduce(np.log(1 - line[:, None] * apart) * shapes, axis=1)
        heights = (np.exp(-logs) / line * (along * out - 1j * (across * up))).real
        total += float(np.add.reduce(heights)) - (float(heights[0]) / 2 if first == 0 else 0.0)
        first += len(steps)
        if abs(heights[-1]) <= 1e-17 * abs(total):
            break
    # Left of 0 the integral is the chance of at most 0, right of it that of more.
    tail = min(max(abs(total) * step / math.pi, 1e-300), 1 - 2**-53)
    return quantiles.normal(tail) if at < 0 else -quantiles.normal(tail)


def _saddle(apart: Float64, shapes: Float64, ends: tuple[float, float]) -> float:
    """Where K has its least value between its ends on the real line."""
    (low, high), at = ends, 0.0
    for _ in range(_MOST_STEPS):
        share = apart / (1 - apart * at)
        slope, square = _sum(shapes, share), _sum(shapes, share * share)
        if abs(slope) < 1e-6 * math.sqrt(square):
            break
        low, high = (at, high) if slope < 0 else (low, at)
        step = at - slope / square
        at = step if low < step < high else (low + high) / 2
    return at
