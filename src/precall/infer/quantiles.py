"""Quantiles of the normal, t and beta laws; SciPy is imported when it is first needed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from precall.infer.libraries import imported

if TYPE_CHECKING:
    from statistics import NormalDist


@cache
def _normal_law() -> NormalDist:
    # Not at the top: it would add to what `import precall` takes.
    from statistics import NormalDist

    return NormalDist()


def special() -> Any:
    """scipy.special."""
    return imported("scipy.special", "this interval needs SciPy", "scipy")


def z(level: float) -> float:
    """What a standard normal stays below in absolute value with this probability.

    Examples
    --------
    >>> round(z(0.95), 6)
    1.959964
    """
    # By the lower tail: next to 1, (1 + level) / 2 would be 1.
    return -_normal_law().inv_cdf((1 - level) / 2)


def t(level: float, freedom: float) -> float:
    """What Student's t with so many degrees of freedom stays below in absolute value.

    Examples
    --------
    >>> round(t(0.95, 9), 6)
    2.262157
    """
    return -float(special().stdtrit(freedom, (1 - level) / 2))


def beta(a: float, b: float, share: float) -> float:
    """Quantile of the beta law.

    Examples
    --------
    >>> round(beta(1, 3, 0.5), 6)
    0.206299
    """
    return float(special().betaincinv(a, b, share))


def normal(share: float) -> float:
    """Quantile of the standard normal law."""
    return _normal_law().inv_cdf(share)


def normal_share(value: float) -> float:
    """Distribution function of the standard normal law."""
    return _normal_law().cdf(value)
