"""Power of t tests, by the noncentral t distribution."""

from __future__ import annotations

import numpy as np

from precall.stats import quantiles
from precall.stats.scipy import stats

#: If the mean is more standard errors from 0 than this, its own variation no longer matters, only
#: that of the deviation.
FAR = 10**4


def power_of_t(noncentrality: float, freedom: float, level: float) -> float:
    """Power of a two-sided t test, given the mean of its statistic.

    Parameters
    ----------
    noncentrality : the true mean divided by its standard error, at least 0.
    freedom : degrees of freedom.
    level : 1 minus the significance level.
    """
    critical_t = quantiles.t(level, freedom)
    if noncentrality > FAR:
        # As a product, because Python's power of a float raises an error on overflow.
        ratio = noncentrality / critical_t
        return float(stats().chi2.cdf(freedom * ratio * ratio, freedom))
    # The other tail by symmetry, because SciPy's noncentral cdf is NaN there from about 5 on.
    noncentral = stats().nct
    with np.errstate(divide="ignore"):  # SciPy 1.13 divides by zero, but the result is right
        return float(
            min(
                1.0,
                noncentral.sf(critical_t, freedom, noncentrality)
                + noncentral.sf(critical_t, freedom, -noncentrality),
            )
        )
