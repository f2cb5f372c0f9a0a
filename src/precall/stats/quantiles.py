"""Quantiles of the normal, Student's t and the beta distribution; SciPy is imported when it is
first needed.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import erfc, inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from precall.core.ragged import Float64
from precall.stats.scipy import special

if TYPE_CHECKING:
    from statistics import NormalDist

#: Of a distribution that is described in short, and their heads.
QUANTILES = (0.025, 0.5, 0.975)
ENDS = ("2.5 %", "50 %", "97.5 %")


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


#: Steps of a table of the normal distribution, one to the score 1, and where it ends.
_STEPS, _LAST = 1024, 10


@cache
def _normal_table() -> tuple[Float64, Float64]:
    at = np.arange(-_LAST * _STEPS, _LAST * _STEPS + 1) / _STEPS
    return at, np.array([erfc(-score / sqrt(2)) / 2 for score in at.tolist()])


def normal_shares(values: Float64) -> Float64:
    """The same of many values, without SciPy: to 3e-8, and to as small a share of what is far out.

    Examples
    --------
    >>> normal_shares(np.array([-1.96, 0.0, 1.0])).round(6).tolist()
    [0.024998, 0.5, 0.841345]
    """
    return np.asarray(np.interp(values, *_normal_table()))


@lru_cache
def z(level: float) -> float:
    """What a standard normal stays below in absolute value with this probability: 1.96 for .95."""
    # By the lower tail: next to 1, (1 + level) / 2 would be 1.
    return -normal((1 - level) / 2)


def t(level: float, freedom: float) -> float:
    """What Student's t with so many degrees of freedom, or infinitely many, stays below in absolute
    value.
    """
    return z(level) if freedom == inf else -float(special().stdtrit(freedom, (1 - level) / 2))


def beta(a: float, b: float, share: float) -> float:
    """Quantile of the beta distribution."""
    return float(special().betaincinv(a, b, share))
