"""A random choice of units in strata: how many of each stratum, and which.

Units are drawn without replacement, a fixed number of each stratum, so that each unit of a stratum
has the same probability. Strata are made of units that are alike by a number, such as a judge's;
units that tell more may be drawn with greater probability (Neyman 1934).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from precall.core.ragged import Float64, Int64

#: Most strata that are made, and units that each of them has at least among those drawn.
MOST_STRATA, LEAST_DRAWN = 4, 5
#: The share of the budget that all units have alike, whatever they tell.
ALIKE = 0.2


class DrawnUnits(NamedTuple):
    """Units that were drawn, in ascending order, and the probability with which each of all units
    would be.
    """

    units: Int64
    probability: Float64


def strata_by(number: Float64, drawn: int, weight: Float64 | None = None) -> Int64:
    """The stratum of each unit, 0, 1, ..., by ascending numbers; equal numbers are not parted.

    Each stratum has about the same share of the weights, and so of the units that are drawn.

    Parameters
    ----------
    number : of each unit.
    drawn : how many units are drawn.
    weight : what each unit counts; None for all alike.

    Examples
    --------
    >>> strata_by(np.array([0.1, 0.9, 0.2, 0.8]), 10).tolist()
    [0, 1, 0, 1]
    """
    wanted = min(MOST_STRATA, max(drawn // LEAST_DRAWN, 1))
    weights = np.ones(len(number)) if weight is None else weight
    values, code = np.unique(number, return_inverse=True)
    sums = np.bincount(code, weights, minlength=len(values))
    # By the middle of its weight, a block of equal numbers belongs to one part of the line.
    middle = (np.cumsum(sums) - sums / 2) / sums.sum()
    stratum = np.minimum((middle * wanted).astype(np.int64), wanted - 1)
    stratum = np.unique(stratum, return_inverse=True)[1][code].astype(np.int64)
    return _without_small(stratum)


def _without_small(stratum: Int64) -> Int64:
    """Strata of one unit join the one before, as two are needed to tell how units differ."""
    sizes = np.bincount(stratum)
    while len(sizes) > 1 and sizes.min() < 2:
        small = int(sizes.argmin())
        stratum = stratum - (stratum >= max(small, 1))
        sizes = np.bincount(stratum)
    return stratum


def allocate(stratum: Int64, drawn: int, weight: Float64 | None = None) -> Int64:
    """How many units of each stratum are drawn: by its share of the weights, at least two and at
    most all.

    Parameters
    ----------
    stratum : of each unit.
    drawn : how many are drawn of all.
    weight : what each unit counts; None for all alike.

    Examples
    --------
    >>> allocate(np.array([0, 0, 0, 0, 0, 0, 1, 1]), 4).tolist()
    [2, 2]
    >>> allocate(np.repeat([0, 1], [60, 40]), 10).tolist()
    [6, 4]
    """
    sizes = np.bincount(stratum)
    wanted = np.bincount(stratum, weight, minlength=len(sizes)).astype(np.float64)
    least = np.minimum(sizes, 2)
    number = least.copy()
    # One by one to whoever has least of what its weight asks for (Sainte-Laguë's rule).
    for _ in range(drawn - int(least.sum())):
        open_ = number < sizes
        lack = np.where(open_, wanted / (2 * number + 1), -1.0)
        number[int(lack.argmax())] += 1
    return number


def draw(stratum: Int64, number: Int64, rng: np.random.Generator) -> DrawnUnits:
    """Draw so many units of each stratum.

    Parameters
    ----------
    stratum : of each unit.
    number : how many of each stratum.
    rng : where the draws are from.
    """
    units = [
        rng.choice(np.flatnonzero(stratum == each), size, replace=False)
        for each, size in enumerate(number.tolist())
    ]
    probability = (number / np.bincount(stratum))[stratum]
    return DrawnUnits(np.sort(np.concatenate(units)), probability)


def weights_of(spread: Float64) -> Float64:
    """What each unit counts for the budget: a fifth alike, the rest by how far it may be off.

    Parameters
    ----------
    spread : how far people's number may be from what the judge says, at least 0.

    Examples
    --------
    >>> weights_of(np.array([0.0, 2.0])).round(2).tolist()
    [0.2, 1.8]
    """
    total = spread.mean()
    if not total:
        return np.ones(len(spread))
    weights: Float64 = ALIKE + (1 - ALIKE) * spread / total
    return weights
