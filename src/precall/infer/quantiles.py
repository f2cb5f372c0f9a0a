"""Quantiles of the normal, Student's t and the beta distribution; SciPy is imported when it is first needed."""

from __future__ import annotations

from functools import cache, lru_cache
from math import inf
from typing import TYPE_CHECKING

from precall.infer.libraries import special

if TYPE_CHECKING:
    from statistics import NormalDist


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
    return z(level) if freedom == inf else -float(special().stdtrit(freedom, (1 - level) / 2))


def beta(a: float, b: float, share: float) -> float:
    """Quantile of the beta distribution."""
    return float(special().betaincinv(a, b, share))
