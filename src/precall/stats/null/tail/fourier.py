"""The distribution of a sum of scores drawn without replacement, from its Fourier transform.

`drawn` of n items are drawn at random; the items of a block have the same score. Given t, the
transform of their sum is a coefficient of the product over blocks of (1 + z exp(i t score))^size.
It is found in one of two ways:

* by Newton's identities, if few items are drawn outside the largest block and sums are on a grid;
* otherwise as an integral over z on a circle by the trapezoidal rule, which is exact up to
  rounding, at those t whose transform is not next to nothing.

If scores have a common step and the grid can have it, the distribution is exact up to rounding
(some 1e-13). Otherwise a cell of the grid is at most 1/1300 of the standard deviation, the sum is
smoothed by a normal distribution as wide as a cell, and small blocks are put on a grid of scores if
there are more than `SCORES` blocks. That suits distributions whose transform dies away. Others have
atoms, or clusters of them, which `clusters` follows. If these are too many, the width of a smoothed
atom is taken off x: some .002 of a standard deviation.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log, log1p, pi, sqrt

import numpy as np

from precall.core.ragged import Float64, Int64
from precall.stats.null.tail.clusters import FEW, Clusters, Complex, clusters, elementary, split
from precall.stats.null.tail.hypergeometric import probabilities, span

#: Points of a grid, at most: by power sums, and by integrals.
POINTS, FEWER = 2**17, 2**15
#: How many scores are integrated, at most: one half for the largest blocks, the other half a grid
#: for the others.
SCORES = 256
#: exp(-37) is next to nothing.
_NOTHING = 37.0
#: Terms of the series of a logarithm, at most; and how many logarithms there are, at most, if it
#: needs more terms.
_TERMS, _LOGARITHMS = 64, 4_000_000
#: Numbers in one array that is worked on.
_AT_ONCE = 2**16
#: If the transform is greater than this far out, the distribution has atoms.
_ATOMS = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """P(sum >= x), from the tail at the points `base` + k `cell`."""

    base: float
    cell: float
    tail: Float64
    margin: float | None
    """The amount that is taken off x, for atoms that the grid blurs, or half a step; None if all
    sums are on the grid.
    """

    def __call__(self, x: Float64, above: bool = False) -> Float64:
        """P(sum >= x), or with `above` P(sum > x), for each x that rounding does not move past a
        value.
        """
        position = (x - self.base) / self.cell
        # The tail at a point includes all of its mass, so it is the tail half a cell before.
        if self.margin is None:
            position = np.ceil(position - 1e-6)
        else:
            position = position + 0.5 + (self.margin if above else -self.margin) / self.cell
        position = np.clip(position, 0.0, len(self.tail) - 2.0)
        below = position.astype(np.int64)
        fraction = position - below
        return np.asarray(
            (1 - fraction) * self.tail[below] + fraction * self.tail[below + 1], np.float64
        )


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """A grid for the sum of scores minus `origin`, the score of the largest block."""

    scores: Float64
    origin: float
    step: float
    """Common step of the scores."""
    base: float
    cell: float
    points: int

    @property
    def exact(self) -> bool:
        """Whether every sum is a point of the grid."""
        return self.cell == self.step

    @property
    def angles(self) -> Float64:
        """The t at which the transform is needed."""
        return np.asarray(
            2 * pi / (self.points * self.cell) * np.arange(self.points // 2 + 1), np.float64
        )


def drawn_sum(size: Int64, twice: Int64, drawn: int) -> Sum | Clusters:
    """The distribution of the sum of scores over `drawn` items; blocks of `size` items have the
    score `twice`/2.
    """
    items = int(size.sum())
    largest = int(size.argmax())
    rest = items - int(size[largest])
    low, high = span(items, drawn, rest)
    few = high <= FEW
    window = _window(size, twice, drawn, largest, POINTS if few else FEWER)
    shift = drawn * window.origin
    if few and window.exact:
        hits = probabilities(items, [drawn], rest, low, high)[0]
        transform, variance = _by_power_sums(size, largest, window, low, hits), 0.0
    else:
        grouped = clusters(size, window.scores, drawn) if few else None
        if grouped is not None:
            return grouped.shift(shift)
        transform, variance = _by_integrals(size, window, drawn)
    # Smoothing matters if there are atoms: the transform then does not die away. Not in its last
    # half, which may come from scores on a grid.
    atoms = (
        bool(variance)
        and np.abs(transform[len(transform) // 8 : len(transform) // 2]).max(initial=0.0) > _ATOMS
    )
    grouped = clusters(size, window.scores, drawn) if atoms and not few else None
    if grouped is not None:
        return grouped.shift(shift)
    margin = 2 * sqrt(variance) if atoms else window.step / 2
    angles = window.angles
    transform = transform * np.exp(-1j * angles * window.base - 0.5 * variance * angles**2)
    mass = np.fft.irfft(np.conj(transform), window.points)
    tail = np.append(np.cumsum(mass[::-1])[::-1], 0.0)
    return Sum(window.base + shift, window.cell, tail, margin if variance else None)


def _window(size: Int64, twice: Int64, drawn: int, largest: int, points: int) -> Window:
    items = int(size.sum())
    away = twice - twice[largest]
    step = float(max(np.gcd.reduce(away), 1)) / 2
    scores = away / 2
    mean = float((size * scores).sum()) / items
    spread = (
        float((size * (scores - mean) ** 2).sum()) * drawn * (items - drawn) / (items * (items - 1))
    )
    order = np.argsort(scores)
    ends = [_best(size[one], scores[one], drawn) for one in (order, order[::-1])]
    # If few items are drawn outside the largest block, the sum is skewed: the grid is long enough
    # for eight of them.
    half = max(12 * sqrt(spread), 4 * float(np.ptp(scores)))
    low, high = max(ends[0], drawn * mean - half), min(ends[1], drawn * mean + half)
    cell = max(step, (high - low) / (points - 8))
    low = ends[0] + cell * (np.floor((low - ends[0]) / cell) - 1)
    needed = ceil((high - low) / cell) + 3
    return Window(
        scores, float(twice[largest]) / 2, step, low, cell, 2 ** (needed - 1).bit_length()
    )


def _best(size: Int64, scores: Float64, drawn: int) -> float:
    """The sum of scores over the first `drawn` items."""
    count = np.minimum(np.cumsum(size), drawn)
    return float((np.diff(count, prepend=0) * scores).sum())


def _by_power_sums(size: Int64, largest: int, window: Window, low: int, chance: Float64) -> Complex:
    """The transform; `chance` has the probabilities of `low`, `low` + 1, ... items outside the
    largest block.
    """
    count, scores = np.delete(size, largest), np.delete(window.scores, largest)
    shares = split(scores, count / count.sum(), window.cell, window.points)
    parts = elementary(shares, int(count.sum()), low + len(chance) - 1)
    return np.concatenate([chance @ transforms[low:] for _, transforms in parts])


def _by_integrals(size: Int64, window: Window, drawn: int) -> tuple[Complex, float]:
    """The transform as an integral over z = exp(i u), and the variance of the normal distribution
    that smoothes the sum.
    """
    weight, scores = _gather(size, window.scores)
    items = int(size.sum())
    p, mean, angles = drawn / items, float((weight * scores).sum()) / items, window.angles
    scores = scores - mean
    spread = items * p * (1 - p)
    shape = _transform(angles, scores, weight / items)
    # No factor of the integrand is greater than exp(-spread (1 - |shape| cos u)).
    needed = np.flatnonzero(spread * (1 - np.abs(shape)) < _NOTHING)
    width = pi if spread < 100 else min(pi, 1.25 * sqrt(2 * _NOTHING / spread))
    count = ceil(2.5 * width * sqrt(spread)) + 1
    terms = ceil(log(1e8 * items) / log((1 - p) / p)) if p < 0.45 else _TERMS + 1
    series = terms <= _TERMS
    kept = needed if series else needed[: max(64, _LOGARITHMS // (count * len(scores)))]
    result = np.zeros(len(angles), np.complex128)
    turn = (np.arange(count) - (count - 1) / 2) * (2 * width / count)
    each = len(scores) if series else count * len(scores)
    for batch in np.array_split(kept, len(kept) * each // _AT_ONCE + 1):
        wave = np.exp(1j * np.outer(angles[batch], scores))
        turned = turn - np.angle(shape[batch])[:, None]
        level = (
            _series(wave, weight, turned, p, terms)
            if series
            else _logarithms(wave, weight, turned, p)
        )
        result[batch] = np.exp(level - 1j * drawn * turned).sum(axis=1)
    result *= np.exp(1j * angles * drawn * mean) / result[0]
    limit = pi / window.cell if len(kept) == len(needed) else float(angles[kept[-1]])
    return result, 0.0 if window.exact and len(kept) == len(needed) else (4 / limit) ** 2


def _logarithms(wave: Complex, weight: Float64, turned: Float64, p: float) -> Complex:
    """Sum of weight log(1 - p + p exp(i turned) wave), for each row of waves and its turns."""
    factor = 1 + p * (np.exp(1j * turned)[:, :, None] * wave[:, None] - 1)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(factor) @ weight, np.complex128)


def _series(wave: Complex, weight: Float64, turned: Float64, p: float, terms: int) -> Complex:
    """The same by the power series of the logarithm, in which turns and waves are factors."""
    sums, power = [], wave * weight
    for _ in range(terms):
        sums.append(power.sum(axis=1))
        power *= wave
    once = np.exp(1j * turned) * (-p / (1 - p))
    level = np.zeros_like(once)
    for r in range(terms, 0, -1):
        level = (level - sums[r - 1][:, None] / r) * once
    return np.asarray(level + weight.sum() * log1p(-p), np.complex128)


def _transform(angles: Float64, scores: Float64, share: Float64) -> Complex:
    """E[exp(i t score)] at equally spaced angles t from 0 on: exponentials of the first angles,
    turned by multiples of their range.
    """
    rows = ceil(sqrt(len(angles)))
    first = np.exp(1j * np.outer(angles[:rows], scores))
    start = np.exp(1j * np.outer(np.arange(rows) * (rows * angles[1]), scores)) * share
    return np.asarray((start @ first.T).ravel()[: len(angles)], np.complex128)


def _gather(size: Int64, scores: Float64) -> tuple[Float64, Float64]:
    """At most `SCORES` scores and their weights, with the same sum and nearly the same sum of
    squares.
    """
    if len(size) <= SCORES:
        return size.astype(np.float64), scores
    half = SCORES // 2
    order = np.argsort(-size, kind="stable")
    large, small = order[:half], order[half:]
    low, high = float(scores[small].min()), float(scores[small].max())
    position = (scores[small] - low) / (high - low) * (half - 1)
    below = np.minimum(position.astype(np.int64), half - 2)
    fraction = position - below
    weight = np.bincount(below, size[small] * (1 - fraction), half) + np.bincount(
        below + 1, size[small] * fraction, half
    )
    return np.concatenate((size[large], weight)), np.concatenate(
        (scores[large], np.linspace(low, high, half))
    )
