"""Null distributions made of others: the mean over rankings, and a value divided by all relevant
items.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import fsum, log, sqrt

import numpy as np

from precall.core.ragged import Float64
from precall.core.text import many
from precall.stats.null.distribution import Accuracy, NullDistribution, Tail
from precall.stats.null.tail.enumeration import merge

#: Points of a grid; points of a grid that only shows where sums are likely; values at which a
#: distribution without a list is evaluated.
_POINTS, _PROBE, _ASKED = 2**17, 2**13, 1000
#: Upper tails below the first, and lower tails below the second, are not known.
_LEAST, _KNOWN = 1e-12, 1e-10
#: Sums with a smaller probability may lie outside the cyclic grid, which adds them to other sums.
_FAR = 1e-11
#: Most sums that are listed on the way.
_STATES = 2_000_000
#: Factor by which the next grid of low sums is shorter, and the greatest number of such grids.
_SHORTER, _FINER = 16.0, 5
#: Weights fall by exp of this over a grid of low sums, so that higher sums disturb it less.
_FALL = 20.0
#: A single sum with a smaller probability does not need to be moved to the right side of x.
_SHOWN = 1e-5
#: The low quantile that must be resolved, and the share of its distance from the least sum that may
#: be blurred.
_LOW, _BLURRED = 1e-3, 2e-3


@dataclass(frozen=True, repr=False)
class Mean(NullDistribution):
    """The mean over independent rankings, each with its own null distribution.

    The statistic is the mean that is reported, not Fisher's product of p-values. Its moments follow
    from those of the rankings' null distributions.

    Examples
    --------
    >>> from precall.stats.null.average import average_precision
    >>> null = Mean((average_precision(10, 4), average_precision(8, 3)))
    >>> round(null.mean, 6), round(null.sf(0.9), 5)
    (0.528489, 0.00196)
    """

    parts: tuple[NullDistribution, ...]
    _known = _LEAST

    @property
    def name(self) -> str:
        return f"mean over {many(len(self.parts), 'ranking')}"

    @property
    def _quantity(self) -> str:
        return "mean"

    @property
    def approximate(self) -> Accuracy:
        if self._states is not None and not any(null.approximate for null in self.parts):
            return Accuracy("sums of all values")
        errors = [null.approximate.error for null in self.parts]
        lower, below = max(
            ((null.approximate.lower, null.approximate.below) for null in self.parts),
            default=(0.0, 0.0),
        )
        # A sum has at most the relative error of its terms; the grid adds its own error.
        return Accuracy(
            "convolution of distributions", max(errors, default=0.0) + 0.01, 1e-9, lower, below
        )

    @cached_property
    def _slack(self) -> float:  # type: ignore[override]
        """The tolerance for equal values: smaller than usual if some ranking's is, for values of
        the mean are still closer.
        """
        least = min((null._slack for null in self.parts), default=1.0)
        return (
            NullDistribution._slack if least >= NullDistribution._slack else least / len(self.parts)
        )

    def _moments(self) -> tuple[float, float]:
        count = len(self.parts)
        return fsum(null.mean for null in self.parts) / count, fsum(
            null.var for null in self.parts
        ) / count**2

    def _shape(self) -> tuple[float, float]:
        var = fsum(null.var for null in self.parts)
        if not var > 0:
            return float("nan"), float("nan")
        shapes = [(null.var, null.skewness, null.kurtosis) for null in self.parts if null.var > 0]
        return (
            fsum(v**1.5 * skewness for v, skewness, _ in shapes) / var**1.5,
            fsum(v**2 * kurtosis for v, _, kurtosis in shapes) / var**2,
        )

    def _ends(self) -> tuple[float, float]:
        return self._least_and_most

    @cached_property
    def _least_and_most(self) -> tuple[float, float]:
        count = len(self.parts)
        low, high = zip(*(null._ends() for null in self.parts), strict=True)
        return fsum(low) / count, fsum(high) / count

    @cached_property
    def _with_multiplicity(self) -> list[tuple[NullDistribution, int]]:
        """The distinct distributions and how often each occurs, in an order that does not depend on
        that of the rankings.
        """
        return sorted(
            Counter(self.parts).items(), key=lambda one: (one[0].name, one[0].mean, one[0].var)
        )

    @cached_property
    def _states(self) -> tuple[Float64, Float64] | None:
        """Every sum and its probability, ascending; None if there are too many."""
        sums, chance = np.zeros(1), np.ones(1)
        for null, count in self._with_multiplicity:
            for _ in range(count):
                atoms = null._atoms()
                if atoms is None or len(atoms[0]) * len(sums) > _STATES:
                    return None
                sums, chance = merge(
                    np.add.outer(sums, atoms[0]).ravel(), np.outer(chance, atoms[1]).ravel()
                )
        return sums, chance

    def _atoms(self) -> tuple[Float64, Float64] | None:
        return (
            None if self._states is None else (self._states[0] / len(self.parts), self._states[1])
        )

    @cached_property
    def _outlines(self) -> list[NullOutline]:
        return [NullOutline.of(null, count) for null, count in self._with_multiplicity]

    @cached_property
    def _blur(self) -> float:
        """How many cells x is moved, so that the whole probability of a sum is on the right side of
        x.

        Each distribution has spread its values over two cells. If no single sum has a notable
        probability, one cell is enough.
        """
        shown = fsum(
            outline.count * log(max(float(outline.chance.max(initial=0.0)), 1e-300))
            for outline in self._outlines
        )
        return 1 + sqrt(len(self.parts)) if shown > log(_SHOWN) else 1.0

    @cached_property
    def _grids(self) -> list[SumGrid]:
        """Grids of the lowest sums, if they need their own, then one of all likely sums."""
        ends = [null._ends() for null in self.parts]
        least, most = fsum(low for low, _ in ends), fsum(high for _, high in ends)
        outlines = self._outlines
        low, high = least, most
        while True:
            first, last = _convolve(outlines, least, low, high, _PROBE).likely(self._blur)
            first, last = max(first, low), min(last, high)
            if last - first > (high - low) / 2:
                break
            low, high = first, last
        grids = [_convolve(outlines, least, low, high, _POINTS)]
        length = high - low
        while len(grids) <= _FINER and grids[0].start <= least:
            distance = grids[0].low_quantile() - least
            if self._blur * grids[0].cell < _BLURRED * distance:
                break
            length /= _SHORTER
            grids.insert(0, _convolve(outlines, least, least, least + length, _POINTS, _FALL))
        return grids

    def _tail_without_list(self, x: Float64, above: bool) -> Float64:
        sums, least = x * len(self.parts), -np.inf
        p = np.zeros(len(x))
        for grid in self._grids:
            here = (sums > least) & (sums <= grid.stop)
            p[here] = grid(sums[here] + (1 if above else -1) * self._blur * grid.cell)
            least = grid.stop
        return np.where(x > self._ends()[1], 0.0, np.clip(p, _LEAST, 1.0))

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        total = np.zeros(size)
        for null in self.parts:
            total += null.rvs(size, rng)
        return total / len(self.parts)


@dataclass(frozen=True, repr=False)
class Scaled(NullDistribution):
    """`null` of a value divided by the `retrieved` relevant items, rescaled to a division by all
    `relevant` items.
    """

    null: NullDistribution
    retrieved: int
    relevant: int

    @property
    def _quantity(self) -> str:
        return self.null._quantity

    @property
    def name(self) -> str:
        return f"{self.null.name}, {self.relevant - self.retrieved} more missed"

    @property
    def approximate(self) -> Accuracy:
        return self.null.approximate

    @property
    def _slack(self) -> float:  # type: ignore[override]
        return self.null._slack

    @property
    def _share(self) -> float:
        return self.retrieved / self.relevant

    def _moments(self) -> tuple[float, float]:
        return self._share * self.null.mean, self._share**2 * self.null.var

    def _shape(self) -> tuple[float, float]:
        return self.null._shapes

    def _ends(self) -> tuple[float, float]:
        low, high = self.null._ends()
        return self._share * low, self._share * high

    def _times(self, listed: tuple[Float64, Float64] | None) -> tuple[Float64, Float64] | None:
        return None if listed is None else (self._share * listed[0], listed[1])

    def _atoms(self) -> tuple[Float64, Float64] | None:
        return self._times(self.null._atoms())

    def _heavy(self) -> tuple[Float64, Float64] | None:
        return self._times(self.null._heavy())

    def _tail_without_list(self, x: Float64, above: bool) -> Float64:
        return self.null._tail_without_list(x / self._share, above)

    def _head_without_list(self, x: Float64) -> Float64:
        return self.null._head_without_list(x / self._share)

    def _outline(self, x: Float64) -> Float64:
        return self.null._outline(x / self._share)

    def _quantile_without_list(self, q: Float64) -> Float64:
        return self._share * self.null._quantile_without_list(q)

    def tail(self, x: float) -> Tail:
        """P(X >= x) and how it was computed: as for the value over the retrieved items."""
        return self.null.tail(x / self._share)

    def pmf(self) -> dict[Fraction, Fraction]:
        """Every value and its probability, as exact fractions; only if there are few."""
        share = Fraction(self.retrieved, self.relevant)
        return {share * value: chance for value, chance in self.null.pmf().items()}

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        return self._share * self.null._draw(size, rng)


@dataclass(frozen=True, slots=True, eq=False)
class SumGrid:
    """P(sum >= start + k cell) for k = 0, 1, ..., valid up to `stop`."""

    start: float
    cell: float
    tail: Float64
    stop: float

    def __call__(self, sums: Float64) -> Float64:
        return np.interp(sums, self.start + self.cell * np.arange(len(self.tail)), self.tail)

    def likely(self, blur: float) -> tuple[float, float]:
        """The range of all sums but a negligible share, widened by some cells."""
        first = int(np.argmax(self.tail < 1 - _FAR))
        last = int(np.flatnonzero(self.tail > _FAR)[-1])
        return self.start + self.cell * (first - 3 * blur - 4), self.start + self.cell * (
            last + 3 * blur + 4
        )

    def low_quantile(self) -> float:
        """A sum with few below it; above the least sum, which may have a large probability of its
        own.
        """
        least = 1 - self.tail[min(2, len(self.tail) - 1)]
        return self.start + self.cell * int(
            np.argmax(self.tail < 1 - max(_LOW, 1.1 * float(least)))
        )


@dataclass(frozen=True, slots=True, eq=False)
class NullOutline:
    """A distribution that occurs `count` times: its least value, its values with a notable
    probability, and the tail of the rest.
    """

    count: int
    least: float
    values: Float64
    chance: Float64
    knots: Float64
    tail: Float64

    @classmethod
    def of(cls, null: NullDistribution, count: int) -> NullOutline:
        """The outline of `null`, whose tail is evaluated once."""
        low, high = null._ends()
        atoms = null._atoms()
        if atoms is not None:
            return cls(count, low, *atoms, np.array([low, high]), np.zeros(2))
        nothing = np.zeros(0)
        values, chance = null._heavy() or (nothing, nothing)
        order = np.argsort(values, kind="stable")
        values, chance = values[order], chance[order]
        knots = np.unique(
            np.concatenate(
                (
                    np.linspace(low, high, _ASKED // 4),
                    np.clip(null.mean + null.std * np.linspace(-6, 14, _ASKED // 2), low, high),
                    low + (high - low) * np.geomspace(1e-6, 1, _ASKED // 4),
                )
            )
        )
        above = np.append(np.cumsum(chance[::-1])[::-1], 0.0)
        # Rounding must not put a heavy value on the other side of a knot.
        tail = null._outline(knots) - above[np.searchsorted(values, knots * (1 - 1e-12))]
        tail = np.minimum.accumulate(np.clip(tail, 0.0, max(1 - float(above[0]), 0.0)))
        # Tails this small are not known, and would make the grid long.
        tail = np.where(
            tail <= 1.01 * _LEAST, 0.0, np.where(tail >= tail[0] - _KNOWN, tail[0], tail)
        )
        # The probability left at the last knot belongs to the greatest value.
        values, chance = np.append(values, knots[-1]), np.append(chance, tail[-1])
        tail = tail - tail[-1]
        reached = int(np.argmax(tail == 0)) + 1
        return cls(count, low, values, chance, knots[:reached], tail[:reached])._with(
            null.mean, null.var
        )

    def _with(self, mean: float, var: float) -> NullOutline:
        """This outline with the exact mean and variance: over many rankings, errors of either would
        add up.
        """
        rest = float(self.tail[0])
        if not rest:
            return self
        a, b, p, q = self.knots[:-1], self.knots[1:], self.tail[:-1], self.tail[1:]
        first = a[0] + float(((b - a) * (p + q)).sum()) / 2 / rest
        second = a[0] ** 2 + float(((b - a) * (a * (2 * p + q) + b * (p + 2 * q))).sum()) / 3 / rest
        wanted = (mean - float(self.values @ self.chance)) / rest
        square = (mean**2 + var - float(self.values**2 @ self.chance)) / rest
        wider = (
            sqrt(max(square - wanted**2, 0.0) / (second - first**2)) if second > first**2 else 1.0
        )
        return replace(self, knots=np.maximum(wanted + (self.knots - first) * wider, self.least))

    def masses(self, cell: float, length: float) -> Float64:
        """Probabilities on the points least + k cell, up to about `length`; each mass is split
        between the two nearest points.
        """
        reached = max(float(self.knots[-1]), float(self.values.max(initial=0.0))) - self.least
        size = int(min(reached, length) / cell) + 3
        position = (self.values - self.least) / cell
        below = position.astype(np.int64)
        fraction = position - below
        mass = np.bincount(np.minimum(below, size), self.chance * (1 - fraction), size + 1)
        mass += np.bincount(np.minimum(below + 1, size), self.chance * fraction, size + 1)
        if not self.tail[0]:
            return np.asarray(mass[:size], np.float64)
        # The mass of a point is the mean tail over the cell before it less the mean tail over the
        # cell after it: the mean of the distribution stays.
        points = self.least + cell * np.arange(-1, size + 1)
        inside = (self.knots > points[0]) & (self.knots < points[-1])
        places = np.union1d(points, self.knots[inside])
        height = np.interp(places, self.knots, self.tail)
        width, first = np.diff(places), np.searchsorted(places, points[:-1])
        area = width * (height[:-1] + height[1:]) / 2
        mean = np.add.reduceat(area, first) / np.add.reduceat(width, first)
        return np.asarray(mass[:size] + np.maximum(mean[:-1] - mean[1:], 0.0), np.float64)


def _convolve(
    outlines: list[NullOutline],
    least: float,
    low: float,
    high: float,
    points: int,
    fall: float = 0.0,
) -> SumGrid:
    """The distribution of the sum between `low` and `high`, on a cyclic grid.

    The grid wraps sums outside `low` to `high` around, so these must be negligible. Sums above
    `high` may be likely if weights that `fall` make them small; then only the lower half is valid.
    """
    cell = (high - low) / (points - 8)
    product = np.ones(points // 2 + 1, np.complex128)
    scale = 0.0
    for outline in outlines:
        mass = outline.masses(cell, high - least)
        point = np.arange(len(mass))
        mass *= np.exp(point * (-fall / points))
        total = float(mass.sum())
        scale += outline.count * log(total)
        product *= np.fft.rfft(np.bincount(point % points, mass / total, points)) ** outline.count
    first = int(np.floor((low - least) / cell))
    mass = np.roll(np.fft.irfft(product, points), -(first % points))
    start = least + first * cell
    if not fall:
        # Rounding errors of either sign make the tail rise in places: a running maximum keeps it
        # monotonic.
        tail = np.maximum.accumulate(np.cumsum(mass[::-1]))[::-1]
        return SumGrid(start, cell, np.clip(tail, 0.0, 1.0), np.inf)
    mass = mass[: points // 2] * np.exp(scale + np.arange(points // 2) * (fall / points))
    tail = np.concatenate(([1.0], 1 - np.maximum.accumulate(np.cumsum(mass))))
    return SumGrid(start, cell, tail, start + cell * (points // 2 - 16))


@dataclass(frozen=True, repr=False)
class Enriched(Scaled):
    """`null` of a precision, times the number of all items over that of the relevant ones: the
    enrichment factor.
    """

    @property
    def _quantity(self) -> str:
        return self.null._quantity

    @property
    def name(self) -> str:
        return self.null.name
