"""Intervals for a proportion: hits out of independent trials of equal chance.

Brown, Cai & DasGupta (2001), "Interval Estimation for a Binomial Proportion", compare them. The
default, Wilson's, inverts the score test.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from precall.core.arguments import check_count
from precall.core.errors import Fact, UsageError
from precall.core.notes import warn
from precall.core.notes.of_intervals import ShortForFew, WaldForFew
from precall.core.ragged import Float64
from precall.core.rng import Rng
from precall.stats import quantiles
from precall.stats.intervals.few_errors import FEWEST
from precall.stats.intervals.interval import Interval, cut, estimating, undefined
from precall.stats.intervals.methods import DECLARED

_BINOMIAL = "independent trials of equal chance; the number of trials is taken as fixed"
Bounds = Callable[[float, float, float], tuple[float, float]]


@estimating("proportion")
def proportion(
    hits: int,
    total: int,
    *,
    level: float = 0.95,
    method: str = "wilson",
    rng: Rng = 0,
    measure: str = "proportion",
) -> Interval:
    """Interval of a proportion.

    Parameters
    ----------
    hits : number of trials that succeeded, 0 <= hits <= total.
    total : number of trials.
    level : nominal coverage, in (0, 1).
    method : "wilson" (default), "clopper-pearson" (never covers less than `level`, at the price of
        width), "jeffreys" (equal-tailed posterior under the prior Beta(1/2, 1/2); its low end is 0
        without hits, its high end 1 if all are hits), "agresti-coull", or "wald" (the textbook's,
        with a warning: it covers too little for few trials or shares near 0 and 1).
    rng : accepted as by every interval; nothing is drawn here.
    measure : name of the interval.

    Returns
    -------
    Interval
        Bounds in 0..1. Undefined (None, with a warning) if `total` is 0.

    Warns
    -----
    PrecallWarning
        By the default method with fewer than 5 hits or 5 others: then its coverage can fall below
        93 %.

    Raises
    ------
    UsageError
        Counts, level or method are not allowed.

    Notes
    -----
    statsmodels calls Clopper-Pearson "beta". scipy's `binomtest` has no Jeffreys and no
    Agresti-Coull.

    Examples
    --------
    >>> print(proportion(7, 20))
    proportion 0.3500 [0.1812, 0.5671] 95 % wilson
    >>> print(proportion(7, 20, method="clopper-pearson"))
    proportion 0.3500 [0.1539, 0.5922] 95 % clopper-pearson
    """
    hits, total = check_count("hits", hits), check_count("total", total)
    if hits > total:
        raise UsageError(argument="hits", allowed=f"at most the total of {total}", got=Fact(hits))
    if not total:
        return undefined(measure, "there are no trials (0/0)", level, method)
    if method == "wald":
        warn(WaldForFew(measure))
    elif DECLARED[method].short_by and min(hits, total - hits) < FEWEST:
        warn(ShortForFew(measure, hits, total, FEWEST, DECLARED[method].short_by))
    low, high = BOUNDS[method](hits, total, level)
    share = hits / total
    error = math.sqrt(share * (1 - share) / total)
    return Interval(share, low, high, level, method, measure, _BINOMIAL, standard_error=error)


def wilson(hits: float, total: float, level: float) -> tuple[float, float]:
    """Wilson's bounds, which invert the score test; the low end is 0 without hits, the high end 1
    without others.
    """
    z = quantiles.z(level)
    share, square = hits / total, z * z / total
    centre = (share + square / 2) / (1 + square)
    half = z * math.sqrt(share * (1 - share) / total + square / (4 * total)) / (1 + square)
    return centre - half if hits else 0.0, centre + half if hits < total else 1.0


def wilson_of_shares(share: Float64, size: float, quantile: float) -> tuple[Float64, Float64]:
    """Wilson's bounds of several shares of a number of cases, which may be an effective one.

    `quantile` is that of the normal distribution, or of Student's t.
    """
    square = quantile**2
    centre = (share + square / 2 / size) / (1 + square / size)
    half = np.sqrt(share * (1 - share) / size + square / 4 / size**2)
    half *= quantile / (1 + square / size)
    low, high = np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
    return np.where(share > 0, low, 0.0), np.where(share < 1, high, 1.0)


def _beta_bounds(shift: float) -> Bounds:
    """Function that takes bounds from the tails of beta distributions.

    With a shift of .5 they are those of the binomial itself (Clopper-Pearson), with 0 those of
    Jeffreys' posterior.
    """

    def bounds(hits: float, total: float, level: float) -> tuple[float, float]:
        tail, a, b = (1 - level) / 2, hits + 0.5, total - hits + 0.5
        low = quantiles.beta(a - shift, b + shift, tail) if hits else 0.0
        return low, quantiles.beta(a + shift, b - shift, 1 - tail) if hits < total else 1.0

    return bounds


def _wald_bounds(hits: float, total: float, level: float) -> tuple[float, float]:
    share = hits / total
    return cut(share, quantiles.z(level) * math.sqrt(share * (1 - share) / total))


def _agresti_coull_bounds(hits: float, total: float, level: float) -> tuple[float, float]:
    z = quantiles.z(level)
    return _wald_bounds(hits + z * z / 2, total + z * z, level)


BOUNDS: dict[str, Bounds] = {
    "wilson": wilson,
    "clopper-pearson": _beta_bounds(0.5),
    "jeffreys": _beta_bounds(0.0),
    "agresti-coull": _agresti_coull_bounds,
    "wald": _wald_bounds,
}
