"""Bounds of a number when scores are known only by their bins; and the edges of these bins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from precall.core.errors import UsageError
from precall.core.ragged import Float64
from precall.results.equality import Equal
from precall.results.sheets import Presented


class _Ends(NamedTuple):
    lower: float
    estimate: float
    upper: float


class Bounds(Equal, Presented, _Ends):
    """Bounds that a number is known to lie between, and an estimate of it.

    Attributes
    ----------
    lower : lower bound.
    estimate : estimate of the number.
    upper : upper bound.

    Examples
    --------
    >>> from precall import ScoredCases
    >>> cases = ScoredCases(bins=2)
    >>> cases.add([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
    >>> [round(end, 2) for end in cases.area_under_roc()]
    [0.25, 0.5, 0.75]
    """

    __slots__ = ()


def outwards(lower: float, estimate: float, upper: float, terms: int) -> Bounds:
    """Bounds, widened so that rounding of their sums cannot violate them; equal bounds, of bins
    that are all pure, are widened as well.
    """
    slack = (terms + 16) * float(np.finfo(np.float64).eps)
    low, high = max(float(lower) - slack, 0.0), min(float(upper) + slack, 1.0)
    return Bounds(low, min(max(estimate, low), high), high)


def bin_edges(bins: object) -> Float64:
    """The edges between bins, checked: of a number of bins, or as given."""
    if not isinstance(bins, np.timedelta64) and isinstance(bins, int | np.integer) and bins >= 1:
        return np.arange(1, bins) / bins
    try:
        edges = np.asarray(bins, np.float64)
    except (TypeError, ValueError, OverflowError):
        edges = np.zeros(())
    if edges.ndim != 1 or not np.all(edges[1:] > edges[:-1]) or np.isnan(edges).any():
        raise UsageError(
            argument="bins", allowed="a whole number >= 1, or edges that ascend strictly", got=bins
        )
    return edges
