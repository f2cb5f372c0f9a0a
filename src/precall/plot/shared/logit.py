"""An axis for probabilities that crowd near 0 or 1, such as those of rare cases. It is even in
log(p / (1 - p)).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from precall.core.ragged import Float64

#: Scores within this distance of 0 or 1 are crowded; the axis is used if this share of all scores
#: is crowded.
_NEAR, _SHARE = 0.05, 0.5
#: The axis ends at this distance from 0 and 1.
_END = 1e-15
#: More ticks than this would touch each other.
_TICKS = 7


def ends(score: Float64) -> tuple[float, float] | None:
    """Ends of a logit axis, if it helps: all scores lie in 0..1, and at least half of them within
    .05 of 0 or 1. Otherwise None.

    Scores of 0 and 1 have no position on it and stand at its ends.

    Examples
    --------
    >>> (
    ...     ends(np.array([0.0, 0.001, 0.002, 0.5])),
    ...     ends(np.array([0.2, 0.5, 0.7])),
    ...     ends(np.array([-1.0, 0.0])),
    ... )
    ((0.0005002501250625312, 0.6666666666666666), None, None)
    """
    finite = score[np.isfinite(score)]
    inner = finite[(finite > 0) & (finite < 1)]
    if len(inner) < 2 or finite.min() < 0 or finite.max() > 1:
        return None
    if np.mean((finite < _NEAR) | (finite > 1 - _NEAR)) < _SHARE:
        return None
    return reach(inner)


def reach(inner: Float64) -> tuple[float, float]:
    """Ends of an axis for numbers inside 0..1: half the odds of the least and twice those of the
    greatest, but at least 1e-15 away from 0 and 1.
    """
    low, high = np.clip((inner.min(), inner.max()), _END, 1 - _END).tolist()
    return low / (2 - low), 2 * high / (1 + high)


def place(share: float, low: float, high: float) -> float:
    """log(p / (1 - p)) of a share; a share beyond the ends counts as the end.

    Examples
    --------
    >>> place(0.5, 0.1, 0.9), place(0.0, 0.5, 0.9)
    (0.0, 0.0)
    """
    share = min(max(share, low), high)
    return math.log(share) - math.log1p(-share)


def along(shares: Float64, low: float, high: float) -> Float64:
    """log(p / (1 - p)) of many shares; see `place`."""
    inside = np.clip(shares, low, high)
    return np.asarray(np.log(inside) - np.log1p(-inside))


def edges(low: float, high: float, bins: int) -> Float64:
    """Edges of bins with equal width on the axis.

    Examples
    --------
    >>> edges(0.1, 0.9, 2).round(12)
    array([0.1, 0.5, 0.9])
    """
    places = np.linspace(place(low, low, high), place(high, low, high), bins + 1)
    return np.asarray(1 / (1 + np.exp(-places)))


def ticks(low: float, high: float, most: int = _TICKS) -> list[tuple[float, str]]:
    """Values for ticks between these ends, with their labels.

    Examples
    --------
    >>> [label for _, label in ticks(0.00002, 0.995)]
    ['10⁻⁴', '0.001', '0.01', '0.1', '0.5', '0.9', '0.99']
    >>> [label for _, label in ticks(0.25, 0.65)]
    ['0.3', '0.4', '0.5', '0.6']
    """
    powers = range(1, 16)
    decades = [(10.0**-k, _label(k)) for k in reversed(powers)] + [(0.5, "0.5")]
    decades += [(1 - 10.0**-k, _label(k, True)) for k in powers]
    inside = _inside(decades, low, high)
    if len(inside) < 3:
        inside = _inside([(k / 10, f"0.{k}") for k in range(1, 10)], low, high)
    if len(inside) < 2:
        inside = [(value, f"{value:.3g}") for value in (low, high)]
    return inside[:: math.ceil(len(inside) / min(most, _TICKS))]


def _inside(known: Sequence[tuple[float, str]], low: float, high: float) -> list[tuple[float, str]]:
    return [tick for tick in known if low <= tick[0] <= high]


def _label(power: int, complement: bool = False) -> str:
    """Label of 10^-power, or of 1 minus that."""
    if power < 4:
        return f"{1 - 10.0**-power if complement else 10.0**-power:g}"
    text = "10⁻" + str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"1\u2212{text}" if complement else text
