"""Outlines of null distributions: masses at their values, or a density along them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from precall.errors import UsageError
from precall.infer.null.distribution import NullDistribution
from precall.ragged import Float64

#: Up to this many values with a mass are drawn as masses, also of uneven distances.
ATOMS, UNEVEN = 80, 400


class Outline(NamedTuple):
    """Values and their density, or their mass where `mass`."""

    x: Float64
    height: Float64
    mass: bool


def outline(null: Any, observed: float | None = None) -> Outline:
    """Of a distribution with `sf`, `mean` and `std`, and perhaps `pmf` and `ppf`.

    Where `pmf()` has 80 values or fewer in reach they are drawn as masses, where these stand at uneven places
    400 or fewer. Else the density is that of a window
    moved along the values, sf(x - w/2) - sf(x + w/2) over w, which smooths atoms as a histogram does.
    In reach is what lies from 4 standard deviations below the mean to 5 above, and what was observed.
    """
    if not null.std:
        # All orders are alike, as where every score is the same.
        return Outline(np.array([float(null.mean)]), np.ones(1), True)
    reach = [
        null.mean - 4 * null.std,
        null.mean + 5 * null.std,
        *([] if observed is None else [observed]),
    ]
    least, most = null.ppf([0.0, 1.0]) if hasattr(null, "ppf") else (0.0, 1.0)
    low, high = max(float(least), min(reach)), min(float(most), max(reach))
    width = null.std / 8
    atoms = _atoms(null)
    if atoms is not None:
        x, mass = atoms
        near = (x >= low) & (x <= high) if len(x) > ATOMS else np.ones(len(x), np.bool_)
        gaps = np.diff(x[near])
        even = len(gaps) > 0 and float(gaps.max()) < 1.01 * float(gaps.min())
        # Of a few hundred atoms at uneven places a window holds now one, now three: no line goes through them.
        if len(gaps) < (ATOMS if even else UNEVEN):
            return Outline(x[near], mass[near], True)
        if even:
            # As many atoms in every window, or the line would go up and down between them.
            width = float(gaps.min()) * np.ceil(width / float(gaps.min()))
    x = np.linspace(low, high, 400)
    height = (null.sf(x - width / 2) - null.sf(x + width / 2)) / width
    return Outline(x, height, False)


def _atoms(null: Any) -> tuple[Float64, Float64] | None:
    """Values and masses, if they can be listed."""
    if not hasattr(null, "pmf"):
        return None
    try:
        mass = null.pmf()
    except UsageError:
        atoms = null._atoms() if isinstance(null, NullDistribution) else None
        if atoms is None:
            return None
        # Sums that are equal but for rounding are one value.
        values, place = np.unique(np.round(atoms[0], 12), return_inverse=True)
        return values, np.asarray(np.bincount(place, atoms[1]), np.float64)
    x, height = (np.array(list(map(float, column))) for column in (mass, mass.values()))
    # As floats: a hundred thousand fractions take seconds to sort.
    order = np.argsort(x, kind="stable")
    return x[order], height[order]
