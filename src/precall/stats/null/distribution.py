"""The base class of null distributions: moments, tails, quantiles, draws, and their accuracy.

`sf(x)` is P(X >= x), the p-value of x. SciPy's `sf` is P(X > x). The two differ if single values
have a probability, as they do here.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Number
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from precall.core.arguments import check_kind, check_level, check_numbers, check_whole
from precall.core.errors import Fact, UsageError
from precall.core.notes.of_null import describe_accuracy, describe_method, describe_p
from precall.core.ragged import Float64, running_sums
from precall.core.rng import Rng, generator, suggest_our_names
from precall.core.text import percent, printable
from precall.results.sheets import Presented

#: A positive probability that is too small for a float is replaced by this upper bound.
SMALLEST = float(np.finfo(np.float64).tiny)
#: Sums of probabilities may have this relative error.
_ROUNDING = 1e-12
#: A probability may exceed the requested one by this relative amount and still count as equal.
_CRITICAL = 1e-9
#: No distribution has values beyond this.
_BEYOND = 1e18


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How probabilities were computed, and their greatest error; false if they are exact.

    Attributes
    ----------
    method : how they were computed, in words.
    error : the greatest relative error that is stated; 0 means exact up to rounding.
    least : the probability down to which the error holds; below it errors are larger.
    lower : the greatest relative error of P(X <= x) below `below` and down to .001, if that is a
        different one; otherwise 0.
    """

    method: str
    error: float = 0.0
    least: float = 0.0
    lower: float = 0.0
    below: float = 0.05

    @property
    def facts(self) -> tuple[str, float, float, float, float]:
        """The fields, for notes."""
        return self.method, self.error, self.least, self.lower, self.below

    def __bool__(self) -> bool:
        return self.error > 0

    def __str__(self) -> str:
        return describe_accuracy(*self.facts)


@dataclass(frozen=True, slots=True)
class Tail(Presented):
    """One tail probability `p`: how it was computed, its stated accuracy, and whether it is only an
    upper bound.
    """

    p: float
    method: str
    error: float
    bound: bool = False

    def __float__(self) -> float:
        return self.p

    def __str__(self) -> str:
        return (
            f"{describe_p(self.p, self.bound)} "
            f"({describe_method(self.method, self.error, self.bound)})"
        )

    @property
    def facts(self) -> tuple[float, str, float, bool]:
        """The fields, for notes."""
        return self.p, self.method, self.error, self.bound


@dataclass(frozen=True, slots=True)
class Range(Presented):
    """The middle `level` of a distribution: at most (1 - level)/2 of it is below `low`, and as much
    above `high`.
    """

    low: float
    high: float
    level: float

    def __str__(self) -> str:
        return f"{self.low:.4g} .. {self.high:.4g} ({percent(self.level)})"


@dataclass(frozen=True, eq=False)
class NullDistribution(Presented, ABC):
    """A distribution under random selection: frozen; values are computed when they are asked for,
    and remembered.
    """

    #: An approximate tail that is at most this is only known to be no greater.
    _known = 0.0
    #: Values that differ relatively by less are equal: a sum of quotients may have lost its last
    #: digits.
    _slack = 1e-12

    @property
    @abstractmethod
    def name(self) -> str:
        """The quantity that has this distribution, in words."""

    @property
    def _quantity(self) -> str:
        """The quantity alone, without its parameters."""
        return self.name

    @property
    @abstractmethod
    def approximate(self) -> Accuracy:
        """How probabilities are computed, and their accuracy; false if they are exact."""

    @abstractmethod
    def _moments(self) -> tuple[float, float]:
        """Mean and variance."""

    @abstractmethod
    def _shape(self) -> tuple[float, float]:
        """Skewness and excess kurtosis."""

    @abstractmethod
    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        """`size` independent draws."""

    def _ends(self) -> tuple[float, float]:
        """The least and the greatest value."""
        return 0.0, 1.0

    @cached_property
    def _mass(self) -> tuple[Float64, Float64] | None:
        return None

    def _atoms(self) -> tuple[Float64, Float64] | None:
        """All values, ascending, and their probabilities; None if they cannot be listed."""
        return self._mass

    def _heavy(self) -> tuple[Float64, Float64] | None:
        """The values that have a visible probability, and these probabilities, if not all values
        are listed.
        """
        return None

    def _tail_without_list(self, x: Float64, above: bool) -> Float64:
        """P(X >= x), or with `above` P(X > x), if values are not listed; x has been moved by the
        slack.
        """
        raise UsageError(f"{self.name}: its tails cannot be computed, as its values are not listed")

    def _head_without_list(self, x: Float64) -> Float64:
        """P(X <= x), if values are not listed; x has been moved by the slack."""
        return 1 - self._tail_without_list(x, True)

    def _outline(self, x: Float64) -> Float64:
        """P(X >= x) for many x, if speed matters more than the last digits of small tails."""
        return self._tails(x)

    @property
    def mean(self) -> float:
        """E[X]."""
        return self._moments()[0]

    @property
    def var(self) -> float:
        """E[(X - mean)²]."""
        return self._moments()[1]

    @property
    def std(self) -> float:
        """Square root of the variance."""
        return float(np.sqrt(self.var))

    @cached_property
    def _shapes(self) -> tuple[float, float]:
        return self._shape()

    @property
    def skewness(self) -> float:
        """E[(X - mean)³] / std³; NaN for a constant."""
        return self._shapes[0]

    @property
    def kurtosis(self) -> float:
        """Excess kurtosis, E[(X - mean)⁴] / var² - 3; NaN for a constant."""
        return self._shapes[1]

    @overload
    def sf(self, x: float) -> float: ...
    @overload
    def sf(self, x: npt.NDArray[Any] | list[float]) -> Float64: ...
    def sf(self, x: object) -> Any:
        """P(X >= x), the p-value of the value x; SciPy's is P(X > x)."""
        return self._apply_elementwise(x, self._tails)

    @overload
    def cdf(self, x: float) -> float: ...
    @overload
    def cdf(self, x: npt.NDArray[Any] | list[float]) -> Float64: ...
    def cdf(self, x: object) -> Any:
        """P(X <= x)."""
        return self._apply_elementwise(x, self._heads)

    @overload
    def ppf(self, q: float) -> float: ...
    @overload
    def ppf(self, q: npt.NDArray[Any] | list[float]) -> Float64: ...
    def ppf(self, q: object) -> Any:
        """The least x with P(X <= x) >= q."""
        return self._apply_elementwise(q, self._quantiles, "q")

    def interval(self, level: float = 0.95) -> Range:
        """The middle of the distribution: from quantile (1 - level)/2 to (1 + level)/2."""
        level = check_level(level)
        low, high = self.ppf([(1 - level) / 2, (1 + level) / 2])
        return Range(float(low), float(high), level)

    def critical(self, level: float = 0.95) -> float | None:
        """The least value x with P(X >= x) <= 1 - level; None if even the greatest value is more
        frequent.

        If values are not listed, it is the least such number, found by bisection.
        """
        most = (1 - check_level(level)) * (1 + _CRITICAL)
        if self._cumulative is not None:
            values, tail, _ = self._cumulative
            # Values that differ only by rounding are one value, with the tail of the first.
            rare = values[int(np.count_nonzero(tail[:-1] > most)) :]
            return next((x for x in rare.tolist() if self.sf(x) <= most), None)
        low, high = float(self.ppf(level)), self._ends()[1]
        if self.sf(low) <= most:
            return low
        if self.sf(high) > most:
            return None
        for _ in range(48):
            middle = (low + high) / 2
            low, high = (low, middle) if self.sf(middle) <= most else (middle, high)
        return high

    @suggest_our_names
    def rvs(self, size: int = 1, rng: Rng = 0) -> Float64:
        """`size` independent draws; the same for the same seed."""
        return self._draw(check_whole("size", size, 0), generator(rng))

    def pmf(self) -> dict[Fraction, Fraction]:
        """Every value and its exact probability; only if there are few values."""
        raise UsageError(
            argument="pmf()",
            what=f"{self.name} has too many values, or none that are listed",
            remedy="use sf or cdf",
        )

    def tail(self, x: float) -> Tail:
        """P(X >= x) and how it was computed: never 0 for a value that can occur, perhaps an upper
        bound.
        """
        p = float(self.sf(check_kind("x", x, Number, "a number")))
        accuracy = self.approximate
        error = accuracy.error if p >= accuracy.least else float("inf")
        # Even if all values are listed, a probability may be too small for float64.
        return Tail(
            p, accuracy.method, error, 0 < p <= max(self._known if accuracy else 0.0, SMALLEST)
        )

    @cached_property
    def _cumulative(self) -> tuple[Float64, Float64, Float64] | None:
        """The values, ascending; for each, the probability of it and all above; for each, that of
        all below. Both have one more entry, for after the last value. None if not listed.
        """
        atoms = self._atoms()
        if atoms is None:
            return None
        values, chance = atoms
        return (
            values,
            np.append(running_sums(chance[::-1])[::-1], 0.0),
            np.append(0.0, running_sums(chance)),
        )

    def _between(self, x: Float64, above: bool = False) -> Float64:
        """A number between x and the value before it, or with `above` the value after it; x or that
        value if there is no float between.
        """
        slack = self._slack * np.abs(x) + 1e-300
        return np.maximum(x + slack, np.nextafter(x, np.inf)) if above else x - slack

    def _tails(self, x: Float64, above: bool = False) -> Float64:
        """P(X >= x), or with `above` P(X > x)."""
        least, most = self._ends()
        between = self._between(x, above)
        if self._cumulative is None:
            p = self._tail_without_list(between, above)
        else:
            values, tail, _ = self._cumulative
            index = np.searchsorted(values, between)
            p = np.where(index < len(values), np.maximum(tail[index], SMALLEST), 0.0)
        # A certainty is 1, without rounding; the least value, a quotient, may have lost its last
        # digit.
        certain = x < least - 1e-9 * abs(least) if above else x <= least
        p = np.where(certain, 1.0, np.clip(p, 0.0, 1.0))
        return np.where(x >= most, 0.0, p) if above else p

    def _heads(self, x: Float64) -> Float64:
        """P(X <= x): small ones are added up from below, as 1 - P(X > x) would lose digits."""
        least, most = self._ends()
        between = self._between(x, True)
        if self._cumulative is None:
            p = self._head_without_list(between)
        else:
            values, tail, head = self._cumulative
            index = np.searchsorted(values, between)
            p = np.where(
                head[index] < 0.5,
                np.where(index > 0, np.maximum(head[index], SMALLEST), 0.0),
                1 - tail[index],
            )
        p = np.where(x >= most, 1.0, np.clip(p, 0.0, 1.0))
        return np.where(x < least - 1e-9 * abs(least), 0.0, p)

    def _quantiles(self, q: Float64) -> Float64:
        if np.any((q < 0) | (q > 1)):
            raise UsageError(argument="q", allowed="in 0..1", got=Fact(q[(q < 0) | (q > 1)][0]))
        # The rounding of a sum must not select the next value.
        if self._cumulative is None:
            return self._quantile_without_list(q * (1 - _ROUNDING))
        values, tail, head = self._cumulative
        level = np.where(head < 0.5, head * (1 + _ROUNDING), 1 - tail * (1 - _ROUNDING))
        return np.asarray(
            values[np.minimum(np.searchsorted(level[1:], q), len(values) - 1)], np.float64
        )

    def _quantile_without_list(self, q: Float64) -> Float64:
        """Quantiles by bisection, if values are not listed."""
        least, most = self._ends()
        low, high = np.full(len(q), least), np.full(len(q), most)
        for _ in range(48):
            middle = (low + high) / 2
            enough = self._heads(middle) >= q
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return np.where(self._heads(np.full(len(q), least)) >= q, least, high)

    def _apply_elementwise(
        self, points: object, function: Callable[[Float64], Float64], name: str = "x"
    ) -> Any:
        values = check_numbers(name, points)
        if np.isnan(values).any():
            raise UsageError(argument=name, allowed="a number", got=math.nan)
        # There are no values so far out, and differences with an infinite x are undefined.
        inside = np.clip(values.ravel(), -_BEYOND, _BEYOND) if name == "x" else values.ravel()
        result = function(inside).reshape(values.shape)
        return float(result) if result.ndim == 0 else result

    def __repr__(self) -> str:
        try:
            spread = f", sd {self.std:.4g}"
        except UsageError:  # too many values to list
            spread = ""
        return printable(f"<Null distribution of {self.name}: mean {self.mean:.6g}{spread}>")


class Drawn(NullDistribution):
    """A distribution whose tails are those of draws, unless its values are listed."""

    seed: int

    @property
    @abstractmethod
    def sample_size(self) -> int:
        """How many values are drawn."""

    @cached_property
    def _sample(self) -> Float64:
        """The values drawn, ascending."""
        return np.sort(self._draw(self.sample_size, np.random.default_rng(self.seed)))

    def _accuracy(self, drawn: str) -> Accuracy:
        """How tails are computed; `drawn` is what is drawn, in words."""
        return Accuracy(
            f"{self.sample_size} {drawn}, seed {self.seed}, p = (c+1)/(B+1)", float("inf")
        )

    def _tail_without_list(self, x: Float64, above: bool) -> Float64:
        values = self._sample
        p = (len(values) - np.searchsorted(values, x) + 1) / (len(values) + 1)
        most = self._ends()[1]
        return np.where(x > most + 2 * _ROUNDING * max(1.0, abs(most)), 0.0, p)


def error_of_drawn(found: Tail, size: int) -> Tail:
    """A tail with its standard error, if it is that of `size` draws."""
    if not found.error:
        return found
    error = float(np.sqrt(found.p * (1 - found.p) / size))
    return Tail(found.p, f"{found.method}, standard error {error:.1g}", found.error)


#: The older name of `NullDistribution`.
Law = NullDistribution


@dataclass(frozen=True, repr=False)
class Normal(NullDistribution):
    """A normal approximation with this mean and variance; `label` says of what, and by whom."""

    label: str
    moments: tuple[float, float]

    @property
    def name(self) -> str:
        return self.label

    @property
    def approximate(self) -> Accuracy:
        return Accuracy(f"normal approximation, {self.label}", float("inf"))

    def _moments(self) -> tuple[float, float]:
        return self.moments

    def _shape(self) -> tuple[float, float]:
        return 0.0, 0.0

    def _tail_without_list(self, x: Float64, above: bool) -> Float64:
        if not self.std:
            return np.where(x <= self.mean, 1.0, SMALLEST)
        return np.maximum(upper_normal((x - self.mean) / (2**0.5 * self.std)), SMALLEST)

    def _quantiles(self, q: Float64) -> Float64:
        from statistics import NormalDist

        if np.any((q <= 0) | (q >= 1)):
            raise UsageError(
                argument="q", allowed="in 0..1, without the ends, for a normal distribution"
            )
        if not self.std:
            # All orders have the same value, and the standard library needs a positive spread.
            return np.full(q.shape, self.mean)
        return np.array([NormalDist(self.mean, self.std).inv_cdf(one) for one in q.tolist()])

    def _ends(self) -> tuple[float, float]:
        return -np.inf, np.inf

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        return rng.normal(self.mean, self.std, size)


def upper_normal(z: Float64) -> Float64:
    """P(Z >= √2 z) of a standard normal."""
    return np.array([0.5 * math.erfc(one) for one in z.tolist()])
