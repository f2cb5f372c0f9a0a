"""The law of a mean over rankings: the sum of independent laws, convolved on one grid."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import fsum, sqrt

import numpy as np
import numpy.typing as npt

from precall.infer.null.distribution import Accuracy, Law
from precall.infer.null.tied import merged
from precall.ragged import Float64

#: Points of the grid over the whole range of the sum, and those at which a law without a list is asked.
_POINTS, _ASKED = 2**19, 1000
_LEAST = 1e-12
#: Sums that are listed on the way, at most.
_STATES = 2_000_000


@dataclass(frozen=True, eq=False, repr=False)
class Mean(Law):
    """Mean over independent rankings, each with a law of its own.

    Not Fisher's product of p-values: the statistic is the mean that is reported, and its moments are those of
    the laws, added up.

    Examples
    --------
    >>> from precall.infer.null.average import average_precision
    >>> law = Mean((average_precision(10, 4), average_precision(8, 3)))
    >>> round(law.mean, 6), round(law.sf(0.9), 5)
    (0.528489, 0.00196)
    """

    laws: tuple[Law, ...]

    @property
    def name(self) -> str:
        return f"mean over {len(self.laws)} rankings"

    @property
    def approximate(self) -> Accuracy:
        if self._states is not None and not any(law.approximate for law in self.laws):
            return Accuracy("sums of all values of the laws")
        errors = [law.approximate.error for law in self.laws]
        lower = max((law.approximate.lower for law in self.laws), default=0.0)
        # Relative errors of the laws stay relative errors of sums; the grid adds little where many laws add up.
        return Accuracy("convolution of the laws", max(0.01, *errors) if errors else 0.01, 1e-9, lower)

    def _moments(self) -> tuple[float, float]:
        count = len(self.laws)
        return fsum(law.mean for law in self.laws) / count, fsum(law.var for law in self.laws) / count**2

    def _shape(self) -> tuple[float, float]:
        var = fsum(law.var for law in self.laws)
        if not var > 0:
            return float("nan"), float("nan")
        shapes = [(law.var, law.skewness, law.kurtosis) for law in self.laws if law.var > 0]
        return (
            fsum(v**1.5 * skewness for v, skewness, _ in shapes) / var**1.5,
            fsum(v**2 * kurtosis for v, _, kurtosis in shapes) / var**2,
        )

    def _ends(self) -> tuple[float, float]:
        count = len(self.laws)
        low, high = zip(*(law._ends() for law in self.laws), strict=True)
        return fsum(low) / count, fsum(high) / count

    @cached_property
    def _states(self) -> tuple[Float64, Float64] | None:
        """Every sum and its probability, ascending, where there are few."""
        sums, chance = np.zeros(1), np.ones(1)
        for law in self.laws:
            atoms = law._atoms()
            if atoms is None or len(atoms[0]) * len(sums) > _STATES:
                return None
            sums, chance = merged(np.add.outer(sums, atoms[0]).ravel(), np.outer(chance, atoms[1]).ravel())
        return sums, chance

    def _atoms(self) -> tuple[Float64, Float64] | None:
        return None if self._states is None else (self._states[0] / len(self.laws), self._states[1])

    @cached_property
    def _grid(self) -> tuple[float, float, Float64]:
        """Least sum, cell, and P(sum >= least + k cell)."""
        ends = [law._ends() for law in self.laws]
        least = fsum(low for low, _ in ends)
        cell = max(fsum(high - low for low, high in ends), 1e-300) / (_POINTS - 2 * len(self.laws) - 2)
        product = np.ones(_POINTS // 2 + 1, np.complex128)
        known: dict[str, npt.NDArray[np.complex128]] = {}
        for law in self.laws:
            key = repr(law)
            if key not in known:
                known[key] = np.fft.rfft(_masses(law, cell), _POINTS)
            product *= known[key]
        mass = np.maximum(np.fft.irfft(product, _POINTS), 0.0)
        return least, cell, np.cumsum(mass[::-1])[::-1]

    def _at_least(self, x: Float64) -> Float64:
        return self._beyond(x, -1)

    def _beyond(self, x: Float64, side: int) -> Float64:
        """P(X >= x), or with side 1 P(X > x)."""
        low, high = self._ends()
        slack = 1e-12 * max(abs(high), 1e-300)
        x = x + side * slack
        if self._states is not None:
            sums, chance = self._states
            tail = np.concatenate((np.cumsum(chance[::-1])[::-1], [0.0]))
            place = np.searchsorted(sums, x * len(self.laws))
            return np.where(place < len(sums), np.clip(tail[place], _LEAST, 1.0), 0.0)
        least, cell, tail = self._grid
        # Each law has spread its points over two cells: so far, and the whole point is on the right side.
        spread = side * (1 + sqrt(len(self.laws)))
        place = np.clip((x * len(self.laws) - least) / cell + spread, 0.0, len(tail) - 2.0)
        below = place.astype(np.int64)
        part = place - below
        p = (1 - part) * tail[below] + part * tail[below + 1]
        return np.where(x <= low, 1.0, np.where(x > high, 0.0, np.clip(p, _LEAST, 1.0)))

    def _above(self, x: Float64) -> Float64:
        return self._beyond(x, 1)

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        found = np.zeros(size)
        for law in self.laws:
            found += law.rvs(size, rng)
        return found / len(self.laws)


def _masses(law: Law, cell: float) -> Float64:
    """Probabilities on the points low + k cell, each mass split between its two neighbours: the mean stays."""
    low, high = law._ends()
    size = int((high - low) / cell) + 3
    atoms = law._atoms()
    if atoms is not None:
        return _split(atoms, low, cell, size)
    heavy = law._heavy()
    if heavy is None:
        return _smooth(law, cell, size, (np.zeros(0), np.zeros(0)))
    order = np.argsort(heavy[0], kind="stable")
    heavy = heavy[0][order], heavy[1][order]
    mass = _split(heavy, low, cell, size) + _smooth(law, cell, size, heavy)
    return np.asarray(mass / mass.sum(), np.float64)


def _split(atoms: tuple[Float64, Float64], low: float, cell: float, size: int) -> Float64:
    place = np.clip((atoms[0] - low) / cell, 0.0, size - 2.0)
    below = place.astype(np.int64)
    part = place - below
    both = np.concatenate((below, below + 1)), np.concatenate((atoms[1] * (1 - part), atoms[1] * part))
    return np.asarray(np.bincount(*both, size), np.float64)


def _smooth(law: Law, cell: float, size: int, heavy: tuple[Float64, Float64]) -> Float64:
    """What a law has beside its heavy values, from its tail at some knots."""
    low, high = law._ends()
    knots = np.unique(
        np.concatenate(
            (
                np.linspace(low, high, _ASKED // 4),
                np.clip(law.mean + law.std * np.linspace(-6, 14, _ASKED // 2), low, high),
                low + (high - low) * np.geomspace(1e-6, 1, _ASKED // 4),
            )
        )
    )
    above = np.append(np.cumsum(heavy[1][::-1])[::-1], 0.0)
    whole = 1 - float(above[0])
    tail = law._outline(knots)
    if len(heavy[0]):
        # Rounding must not put a heavy value on the other side of a knot.
        tail = np.clip(tail - above[np.searchsorted(heavy[0], knots * (1 - 1e-12))], 0.0, max(whole, 0.0))
        tail = np.minimum.accumulate(tail)
    # The expected excess over x is the integral of the tail: its second differences are the masses.
    area = np.concatenate((np.cumsum((np.diff(knots) * (tail[:-1] + tail[1:]) / 2)[::-1])[::-1], [0.0]))
    points = low + cell * np.arange(-1, size + 1)
    inside = np.clip(points, low, high)
    here = np.clip(np.searchsorted(knots, inside, side="right") - 1, 0, len(knots) - 2)
    height = np.interp(inside, knots, tail)
    excess = (
        area[here + 1]
        + (knots[here + 1] - inside) * (height + tail[here + 1]) / 2
        + whole * (inside - points)
    )
    excess[points > high] = 0.0
    mass = np.maximum(np.diff(excess, 2) / cell, 0.0)
    if len(heavy[0]):
        return np.asarray(mass * (whole / max(float(mass.sum()), 1e-300)), np.float64)
    return np.asarray(mass / mass.sum(), np.float64)
