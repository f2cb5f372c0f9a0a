"""Quantiles of the normal, Student's t and the beta distribution; SciPy is imported when it is first needed."""

from __future__ import annotations

from functools import cache, lru_cache
from math import fsum, inf
from typing import TYPE_CHECKING

from precall.infer.libraries import special

if TYPE_CHECKING:
    from statistics import NormalDist

#: From so many degrees of freedom on, and normal quantiles up to so far, the rest of Student's expansion is below 1e-15 of it.
_MANY, _FAR = 10_000, 8.0


@cache
def _standard_normal() -> NormalDist:
    # Not at the top: it would add to what `import precall` takes.
    from statistics import NormalDist

    return NormalDist()


def normal(share: float) -> float:
    """Quantile of the standard normal distribution."""
    return _standard_normal().inv_cdf(share)


def normal_share(value: float) -> float:
    """Distribution function of the standard normal distribution."""
    return _standard_normal().cdf(value)


@lru_cache
def z(level: float) -> float:
    """What a standard normal stays below in absolute value with this probability: 1.96 for .95."""
    # By the lower tail: next to 1, (1 + level) / 2 would be 1.
    return -normal((1 - level) / 2)


def t(level: float, freedom: float) -> float:
    """What Student's t with so many degrees of freedom, or infinitely many, stays below in absolute value."""
    edge = z(level)
    if freedom == inf:
        return edge
    # Importing SciPy takes as long as all else that a large list needs.
    if freedom >= _MANY and edge <= _FAR:
        return _nearly_normal(edge, freedom)
    return -float(special().stdtrit(freedom, (1 - level) / 2))


def _nearly_normal(edge: float, freedom: float) -> float:
    """Student's t by its expansion around the normal quantile (Abramowitz & Stegun 1964, 26.7.5), exact but for rounding."""
    square = edge * edge
    terms = (
        (square + 1) / 4,
        ((5 * square + 16) * square + 3) / 96,
        (((3 * square + 19) * square + 17) * square - 15) / 384,
        ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160,
    )
    return edge * fsum([1.0, *(term / freedom**power for power, term in enumerate(terms, start=1))])


def beta(a: float, b: float, share: float) -> float:
    """Quantile of the beta distribution."""
    return float(special().betaincinv(a, b, share))
