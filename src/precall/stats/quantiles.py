"""Quantiles of the normal, Student's t and beta distributions; SciPy is imported when it is first
needed.
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

#: Quantiles that sum up a distribution, and their column headings.
QUANTILES = (0.025, 0.5, 0.975)
ENDS = ("2.5 %", "50 %", "97.5 %")


@cache
def _standard_normal() -> NormalDist:
    # Not at the top: it would make `import precall` slower.
    from statistics import NormalDist

    return NormalDist()


def normal(share: float) -> float:
    """Quantile of the standard normal distribution."""
    return _standard_normal().inv_cdf(share)


def normal_share(value: float) -> float:
    """Distribution function of the standard normal distribution."""
    return _standard_normal().cdf(value)


#: Steps of the table of the normal distribution per unit of the score, and its last score.
_STEPS, _LAST = 1024, 10


@cache
def _normal_table() -> tuple[Float64, Float64]:
    at = np.arange(-_LAST * _STEPS, _LAST * _STEPS + 1) / _STEPS
    return at, np.array([erfc(-score / sqrt(2)) / 2 for score in at.tolist()])


def normal_shares(values: Float64) -> Float64:
    """Distribution function of the standard normal at many values, without SciPy: to 3e-8; far out
    the relative error is as small.

    Examples
    --------
    >>> normal_shares(np.array([-1.96, 0.0, 1.0])).round(6).tolist()
    [0.024998, 0.5, 0.841345]
    """
    return np.asarray(np.interp(values, *_normal_table()))


@lru_cache
def z(level: float) -> float:
    """The bound on the absolute value of a standard normal with this probability: 1.96 for .95."""
    # By the lower tail: next to 1, (1 + level) / 2 would be 1.
    return -normal((1 - level) / 2)


def t(level: float, freedom: float) -> float:
    """The bound on the absolute value of Student's t with this probability; the degrees of freedom
    may be infinite.
    """
    return z(level) if freedom == inf else -float(special().stdtrit(freedom, (1 - level) / 2))


def beta(a: float, b: float, share: float) -> float:
    """Quantile of the beta distribution."""
    return float(special().betaincinv(a, b, share))
