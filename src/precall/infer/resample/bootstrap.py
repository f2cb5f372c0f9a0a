"""From the values of resampled data to the ends of an interval."""

from __future__ import annotations

import numpy as np

from precall.infer import quantiles
from precall.ragged import Float64


def percentile(drawn: Float64, level: float) -> tuple[float, float]:
    """The middle `level` of the values.

    Examples
    --------
    >>> percentile(np.arange(1.0, 20.0), 0.9)
    (1.0, 19.0)
    """
    return ends(drawn, (1 - level) / 2, (1 + level) / 2)


def ends(drawn: Float64, low: float, high: float) -> tuple[float, float]:
    """Two quantiles, the p-th at place p (B + 1) of the values in order; with infinite ones the value nearest to it."""
    between = np.isfinite(drawn).all()
    least, most = np.quantile(drawn, [low, high], method="weibull" if between else "nearest").tolist()
    return least, most


def bca(drawn: Float64, estimate: float, acceleration: float, level: float) -> tuple[float, float]:
    """Efron's (1987) quantiles, corrected for bias and for a variance that changes with the value.

    Parameters
    ----------
    drawn : the resampled values.
    estimate : the value of the data themselves.
    acceleration : a sixth of the skewness of the influences.
    """
    # Values equal to the estimate count half; never 0 or 1, where the normal quantile is infinite.
    below = np.count_nonzero(drawn < estimate) + 0.5 * np.count_nonzero(drawn == estimate)
    bias = quantiles.normal((below + 0.5) / (len(drawn) + 1))
    share = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        moved = bias + quantiles.normal(tail)
        # Past its pole the correction means nothing; the utmost values are then the ends.
        stretched = moved / max(1 - acceleration * moved, 1e-12)
        share.append(quantiles.normal_share(bias + stretched))
    return ends(drawn, share[0], share[1])
