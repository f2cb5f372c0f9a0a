"""Null distributions made of others: of a mean over rankings, convolved on grids, and of a value
over all relevant items.
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
from precall.stats.null.tail.enumeration import merged

#: Points of a grid, and of one that only shows where sums are likely; values at which a
#: distribution without a list is asked.
_POINTS, _PROBE, _ASKED = 2**17, 2**13, 1000
#: Upper tails below the first, and lower tails below the second, are not known.
_LEAST, _KNOWN = 1e-12, 1e-10
#: Sums with a smaller probability may be put where others are.
_FAR = 1e-11
#: Sums that are listed on the way, at most.
_STATES = 2_000_000
#: By what the next grid of low sums is shorter; there are so many, at most.
_SHORTER, _FINER = 16.0, 5
#: What weights fall by, in natural logarithms, over a grid of low sums: by so much higher sums
#: disturb it less.
_FALL = 20.0
#: A sum with a smaller probability needs no room on the grid.
_SHOWN = 1e-5
#: The low quantile that shall be seen, and the share of its distance from the least sum that may be
#: blurred.
_LOW, _BLURRED = 1e-3, 2e-3


@dataclass(frozen=True, repr=False)
class Mean(NullDistribution):
    """Mean over independent rankings, each with a null distribution of its own.

    Not Fisher's product of p-values: the statistic is the mean that is reported, and its moments
    are those of the distributions, added up.

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
    def approximate(self) -> Accuracy:
        if self._states is not None and not any(part.approximate for part in self.parts):
            return Accuracy("sums of all values")
        errors = [part.approximate.error for part in self.parts]
        lower, below = max(
            ((part.approximate.lower, part.approximate.below) for part in self.parts),
            default=(0.0, 0.0),
        )
        # Relative errors of the parts stay relative errors of sums, and the grid adds its own.
        return Accuracy(
            "convolution of distributions", max(errors, default=0.0) + 0.01, 1e-9, lower, below
        )

    @cached_property
    def _slack(self) -> float:  # type: ignore[override]
        """Values of some rankings are nearer to each other than usual; in the mean still nearer."""
        least = min((part._slack for part in self.parts), default=1.0)
        return (
            NullDistribution._slack if least >= NullDistribution._slack else least / len(self.parts)
        )

    def _moments(self) -> tuple[float, float]:
        count = len(self.parts)
        return fsum(part.mean for part in self.parts) / count, fsum(
            part.var for part in self.parts
        ) / count**2

    def _shape(self) -> tuple[float, float]:
        var = fsum(part.var for part in self.parts)
        if not var > 0:
            return float("nan"), float("nan")
        shapes = [(part.var, part.skewness, part.kurtosis) for part in self.parts if part.var > 0]
        return (
            fsum(v**1.5 * skewness for v, skewness, _ in shapes) / var**1.5,
            fsum(v**2 * kurtosis for v, _, kurtosis in shapes) / var**2,
        )

    def _ends(self) -> tuple[float, float]:
        return self._least_and_most

    @cached_property
    def _least_and_most(self) -> tuple[float, float]:
        count = len(self.parts)
        low, high = zip(*(part._ends() for part in self.parts), strict=True)
        return fsum(low) / count, fsum(high) / count

    @cached_property
    def _counted(self) -> list[tuple[NullDistribution, int]]:
        """The different distributions and how often each occurs, in an order that the rankings'
        does not change.
        """
        return sorted(
            Counter(self.parts).items(), key=lambda one: (one[0].name, one[0].mean, one[0].var)
        )

    @cached_property
    def _states(self) -> tuple[Float64, Float64] | None:
        """Every sum and its probability, ascending, where there are few."""
        sums, chance = np.zeros(1), np.ones(1)
        for part, count in self._counted:
            for _ in range(count):
                atoms = part._atoms()
                if atoms is None or len(atoms[0]) * len(sums) > _STATES:
                    return None
                sums, chance = merged(
                    np.add.outer(sums, atoms[0]).ravel(), np.outer(chance, atoms[1]).ravel()
                )
        return sums, chance

    def _atoms(self) -> tuple[Float64, Float64] | None:
        return (
            None if self._states is None else (self._states[0] / len(self.parts), self._states[1])
        )

    @cached_property
    def _outlines(self) -> list[Outline]:
        return [Outline.of(part, count) for part, count in self._counted]

    @cached_property
    def _blur(self) -> float:
        """By so many cells a sum is moved, so that all of it is on the right side.

        Each distribution has spread its values over two cells; but where no sum has a probability
        that shows, no single one matters.
        """
        shown = fsum(
            part.count * log(max(float(part.chance.max(initial=0.0)), 1e-300))
            for part in self._outlines
        )
        return 1 + sqrt(len(self.parts)) if shown > log(_SHOWN) else 1.0

    @cached_property
    def _grids(self) -> list[Grid]:
        """The lowest sums, if they need one of their own, then all that are likely."""
        ends = [part._ends() for part in self.parts]
        least, most = fsum(low for low, _ in ends), fsum(high for _, high in ends)
        outlines = self._outlines
        low, high = least, most
        while True:
            first, last = _convolved(outlines, least, low, high, _PROBE).likely(self._blur)
            first, last = max(first, low), min(last, high)
            if last - first > (high - low) / 2:
                break
            low, high = first, last
        grids = [_convolved(outlines, least, low, high, _POINTS)]
        length = high - low
        while len(grids) <= _FINER and grids[0].start <= least:
            distance = grids[0].low_quantile() - least
            if self._blur * grids[0].cell < _BLURRED * distance:
                break
            length /= _SHORTER
            grids.insert(0, _convolved(outlines, least, least, least + length, _POINTS, _FALL))
        return grids

    def _unlisted(self, x: Float64, above: bool) -> Float64:
        sums, least = x * len(self.parts), -np.inf
        p = np.zeros(len(x))
        for grid in self._grids:
            here = (sums > least) & (sums <= grid.stop)
            p[here] = grid(sums[here] + (1 if above else -1) * self._blur * grid.cell)
            least = grid.stop
        return np.where(x > self._ends()[1], 0.0, np.clip(p, _LEAST, 1.0))

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        total = np.zeros(size)
        for part in self.parts:
            total += part.rvs(size, rng)
        return total / len(self.parts)


@dataclass(frozen=True, repr=False)
class Scaled(NullDistribution):
    """`null`, of a value over the `retrieved` relevant items, for the value over all `relevant`
    ones.
    """

    null: NullDistribution
    retrieved: int
    relevant: int

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

    def _unlisted(self, x: Float64, above: bool) -> Float64:
        return self.null._unlisted(x / self._share, above)

    def _unlisted_below(self, x: Float64) -> Float64:
        return self.null._unlisted_below(x / self._share)

    def _outline(self, x: Float64) -> Float64:
        return self.null._outline(x / self._share)

    def _sought(self, q: Float64) -> Float64:
        return self._share * self.null._sought(q)

    def tail(self, x: float) -> Tail:
        """P(X >= x) with how it was found, as of the value over the items retrieved."""
        return self.null.tail(x / self._share)

    def pmf(self) -> dict[Fraction, Fraction]:
        """Every value and its probability, as exact fractions; only where there are few."""
        share = Fraction(self.retrieved, self.relevant)
        return {share * value: chance for value, chance in self.null.pmf().items()}

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        return self._share * self.null._draw(size, rng)


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """P(sum >= start + k cell) for k = 0, 1, ..., good up to `stop`."""

    start: float
    cell: float
    tail: Float64
    stop: float

    def __call__(self, sums: Float64) -> Float64:
        return np.interp(sums, self.start + self.cell * np.arange(len(self.tail)), self.tail)

    def likely(self, blur: float) -> tuple[float, float]:
        """Where all but next to nothing of the sums is, and some cells more."""
        first = int(np.argmax(self.tail < 1 - _FAR))
        last = int(np.flatnonzero(self.tail > _FAR)[-1])
        return self.start + self.cell * (first - 3 * blur - 4), self.start + self.cell * (
            last + 3 * blur + 4
        )

    def low_quantile(self) -> float:
        """A sum that few are below: beyond the least one, which may have a probability of its
        own.
        """
        least = 1 - self.tail[min(2, len(self.tail) - 1)]
        return self.start + self.cell * int(
            np.argmax(self.tail < 1 - max(_LOW, 1.1 * float(least)))
        )


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """A distribution that occurs `count` times: its least value, values with a probability that
    shows, the tail of the rest.
    """

    count: int
    least: float
    values: Float64
    chance: Float64
    knots: Float64
    tail: Float64

    @classmethod
    def of(cls, null: NullDistribution, count: int) -> Outline:
        """Ask what is needed of a distribution, once."""
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
        # What is next to nothing is not known, and would make the grid long.
        tail = np.where(
            tail <= 1.01 * _LEAST, 0.0, np.where(tail >= tail[0] - _KNOWN, tail[0], tail)
        )
        # What is left at the last knot has the greatest value.
        values, chance = np.append(values, knots[-1]), np.append(chance, tail[-1])
        tail = tail - tail[-1]
        reached = int(np.argmax(tail == 0)) + 1
        return cls(count, low, values, chance, knots[:reached], tail[:reached])._with(
            null.mean, null.var
        )

    def _with(self, mean: float, var: float) -> Outline:
        """The same with this mean and variance, which are exact: of many rankings their errors
        would add up.
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
        """Probabilities on the points least + k cell, up to some `length`, each mass split between
        its two neighbours.
        """
        reached = max(float(self.knots[-1]), float(self.values.max(initial=0.0))) - self.least
        size = int(min(reached, length) / cell) + 3
        place = (self.values - self.least) / cell
        below = place.astype(np.int64)
        part = place - below
        mass = np.bincount(np.minimum(below, size), self.chance * (1 - part), size + 1)
        mass += np.bincount(np.minimum(below + 1, size), self.chance * part, size + 1)
        if not self.tail[0]:
            return np.asarray(mass[:size], np.float64)
        # A mass is by how much the mean tail over the cell before a point is more than over the one
        # after it.
        points = self.least + cell * np.arange(-1, size + 1)
        inside = (self.knots > points[0]) & (self.knots < points[-1])
        places = np.union1d(points, self.knots[inside])
        height = np.interp(places, self.knots, self.tail)
        width, first = np.diff(places), np.searchsorted(places, points[:-1])
        area = width * (height[:-1] + height[1:]) / 2
        mean = np.add.reduceat(area, first) / np.add.reduceat(width, first)
        return np.asarray(mass[:size] + np.maximum(mean[:-1] - mean[1:], 0.0), np.float64)


def _convolved(
    outlines: list[Outline], least: float, low: float, high: float, points: int, fall: float = 0.0
) -> Grid:
    """The sum between `low` and `high`, on a cyclic grid: sums beyond, which are put inside, must
    be next to nothing.

    They may be likely above `high` if weights that `fall` make little of them: then the lower half
    is good.
    """
    cell = (high - low) / (points - 8)
    product = np.ones(points // 2 + 1, np.complex128)
    scale = 0.0
    for part in outlines:
        mass = part.masses(cell, high - least)
        place = np.arange(len(mass))
        mass *= np.exp(place * (-fall / points))
        total = float(mass.sum())
        scale += part.count * log(total)
        product *= np.fft.rfft(np.bincount(place % points, mass / total, points)) ** part.count
    first = int(np.floor((low - least) / cell))
    mass = np.roll(np.fft.irfft(product, points), -(first % points))
    start = least + first * cell
    if not fall:
        # Rounding has either sign: it goes away in sums.
        tail = np.maximum.accumulate(np.cumsum(mass[::-1]))[::-1]
        return Grid(start, cell, np.clip(tail, 0.0, 1.0), np.inf)
    mass = mass[: points // 2] * np.exp(scale + np.arange(points // 2) * (fall / points))
    tail = np.concatenate(([1.0], 1 - np.maximum.accumulate(np.cumsum(mass))))
    return Grid(start, cell, tail, start + cell * (points // 2 - 16))
