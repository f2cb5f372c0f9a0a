"""Hypergeometric probabilities as fractions whose digits are computed when they are asked for.

For 100,000 items a fraction has 100,000 bits, and there are up to 50,001 fractions: a gigabyte,
most of which is never read.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from precall.core.ragged import Int64

if TYPE_CHECKING:
    from decimal import Decimal

#: Bits of the part for the most frequent number of hits: float64 ends at 2^-1074, and steps lose up
#: to 2^17 units.
_BITS = 1400
#: This many steps from a known fraction take as long as a fraction from prime factors.
_NEAR = 64

#: Numerator and denominator, without a common divisor.
Ratio: TypeAlias = tuple[int, int]


class Chance(Fraction):
    """A probability of `ExactChances`: its digits are computed when they are asked for, and its
    float needs none of them.
    """

    __slots__ = ("_chances", "_hits")
    _chances: ExactChances
    _hits: int
    _numerator: int
    _denominator: int

    # To compare with a float, a fraction makes another one by its own class: here a plain one.
    from_float: ClassVar[Callable[[float], Fraction]] = Fraction.from_float  # type: ignore[assignment]
    from_decimal: ClassVar[Callable[[Decimal], Fraction]] = Fraction.from_decimal  # type: ignore[assignment]

    def __new__(cls, *arguments: Any) -> Fraction:  # type: ignore[misc]
        return Fraction(*arguments)

    @classmethod
    def of(cls, chances: ExactChances, hits: int) -> Chance:
        self = object.__new__(cls)
        self._chances, self._hits = chances, hits
        return self

    def __getattr__(self, name: str) -> int:
        # The two numbers of a fraction are computed when the first is asked for.
        if name not in ("_numerator", "_denominator"):
            raise AttributeError(name)
        self._numerator, self._denominator = self._chances.ratio(self._hits)
        return self._numerator if name == "_numerator" else self._denominator

    def __float__(self) -> float:
        return self._chances.nearest_float(self._hits)

    def __repr__(self) -> str:
        return f"Fraction({self.numerator}, {self.denominator})"

    def __copy__(self) -> Chance:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Chance:
        return self

    def __reduce__(self) -> tuple[type[Fraction], tuple[int, int]]:
        return Fraction, (self.numerator, self.denominator)


class ExactChances:
    """Exact probabilities of h hits among `size` of `items`, if `relevant` items are relevant.

    Examples
    --------
    >>> ExactChances(5, 2, 2).ratio(1), ExactChances(5, 2, 2).nearest_float(1)
    ((3, 5), 0.6)
    """

    def __init__(self, items: int, relevant: int, size: int) -> None:
        self.items: int = items
        self.relevant: int = relevant
        self.size: int = size
        self.low: int = max(0, size - (items - relevant))
        self.high: int = min(size, relevant)
        #: The number of hits that was asked for last, and its fraction.
        self._last: tuple[int, Ratio] | None = None

    def _step(self, h: int) -> Ratio:
        """P(h + 1 hits) over P(h hits)."""
        m, t = self.relevant, self.size
        up, down = (m - h) * (t - h), (h + 1) * (self.items - m - t + h + 1)
        common = gcd(up, down)
        return up // common, down // common

    def ratio(self, hits: int) -> Ratio:
        """Numerator and denominator of the probability of this number of hits.

        It follows from the fraction asked for last, if that is near: a common divisor of numbers
        with thousands of digits takes long.
        """
        last = self._last
        if last is None or abs(hits - last[0]) > _NEAR:
            last = hits, self._count_ways(hits)
        at, fraction = last
        while at < hits:
            fraction, at = product(fraction, self._step(at)), at + 1
        while at > hits:
            at -= 1
            fraction = product(fraction, self._step(at)[::-1])
        self._last = hits, fraction
        return fraction

    def _count_ways(self, h: int) -> Ratio:
        """C(m, h) C(n-m, t-h) / C(n, t) by the exponent of each prime in the nine factorials."""
        n, m, t = self.items, self.relevant, self.size
        above, below = (m, n - m, t, n - t), (h, m - h, t - h, n - m - t + h, n)
        prime = primes(n)
        exponent, power = np.zeros(len(prime), np.int64), prime
        while len(power):
            # Legendre: the exponent of p in k! is the sum of k // p^i.
            exponent[: len(power)] += sum(k // power for k in above) - sum(
                k // power for k in below
            )
            # Primes ascend, so only the first ones have a next power up to n.
            last = np.count_nonzero(power <= n // prime[: len(power)])
            power = power[:last] * prime[:last]
        sides = (exponent > 0, exponent), (exponent < 0, -exponent)
        up, down = (multiply((prime[some] ** times[some]).tolist()) for some, times in sides)
        return up, down

    @cached_property
    def _parts(self) -> tuple[int, list[int], int]:
        """The number of hits of the first part, the parts, which are in proportion to the
        probabilities, and their sum.

        Each part is too low by less than a unit for each step from the most frequent number.
        """
        # The most frequent number: away from it ratios are at most 1, so that losses do not grow.
        mode = min(
            max((self.size + 1) * (self.relevant + 1) // (self.items + 2), self.low), self.high
        )
        sides: list[list[int]] = []
        for backwards, stop in ((True, self.low), (False, self.high)):
            side, at, scaled = [], mode, 1 << _BITS
            while at != stop and scaled:
                up, down = self._step(at - 1)[::-1] if backwards else self._step(at)
                scaled = scaled * up // down
                at += -1 if backwards else 1
                side.append(scaled)
            sides.append(side)
        below, above = sides
        parts = [*below[::-1], 1 << _BITS, *above]
        return mode - len(below), parts, sum(parts)

    def nearest_float(self, hits: int) -> float:
        """The nearest float: that of both bounds if they have the same, otherwise that of the
        fraction.
        """
        first, parts, total = self._parts
        lost = self.high - self.low + 1
        scaled = parts[hits - first] if 0 <= hits - first < len(parts) else 0
        least, most = scaled / (total + lost * lost), (scaled + lost) / total
        if least == most:
            return least
        up, down = self.ratio(hits)
        return up / down


def product(one: Ratio, other: Ratio) -> Ratio:
    """The product of two fractions without common divisors, also without one."""
    across, back = gcd(one[0], other[1]), gcd(one[1], other[0])
    return one[0] // across * (other[0] // back), one[1] // back * (other[1] // across)


def multiply(factors: list[int]) -> int:
    """The product of the factors; numbers with about equally many digits are multiplied first."""
    while len(factors) > 1:
        odd = factors[len(factors) // 2 * 2 :]
        factors = [
            one * other for one, other in zip(factors[::2], factors[1::2], strict=False)
        ] + odd
    return factors[0] if factors else 1


def primes(most: int) -> Int64:
    """The primes up to `most`, ascending."""
    prime = np.ones(most + 1, np.bool_)
    prime[:2] = False
    for p in range(2, int(most**0.5) + 1):
        if prime[p]:
            prime[p * p :: p] = False
    return np.flatnonzero(prime)
