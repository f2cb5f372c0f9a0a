"""Shapes: lines of curves and means of several curves, their bands, and outlines of null
distributions.

Precision over recall is drawn as steps; ROC and gain are straight lines. The area under the mean of
the steps is the mean of the folds' average precisions. The area under the mean of the lines is the
mean of their areas.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from precall.core.arguments import check_exists
from precall.core.errors import Fact, Kind, UsageError
from precall.core.ragged import Float64
from precall.core.text import percent
from precall.plot.shared.styles import escape_name
from precall.stats.null.distribution import NullDistribution
from precall.stats.tests.pairing import differences

if TYPE_CHECKING:
    from precall.cases import Curve

Line = tuple[Float64, Float64]
#: Distributions with at most this many values are drawn as masses: at even distances, and at uneven
#: distances.
ATOMS, UNEVEN = 80, 400


def steps(curve: Curve, interpolate: bool = False) -> Line:
    """Recall and precision at the rows that accept relevant cases."""
    table = curve.pr(interpolate=interpolate)
    return np.asarray(table["recall"]), np.asarray(table["precision"])


def from_zero(x: Float64, y: Float64) -> Line:
    """Steps with their beginning: the first height also holds from x = 0 on."""
    return (np.concatenate(([0.0], x)), np.concatenate((y[:1], y))) if len(x) else (x, y)


def roc(curve: Curve) -> Line:
    """False positive rate and recall at all thresholds."""
    return np.asarray(curve.values("Fallout")), curve.recall


def prevalence_of_all(counts: Iterable[tuple[float, float]]) -> float | None:
    """The share of relevant cases, from (relevant, other) of each curve, if it is the same in all;
    else None.

    Shares are compared approximately, because sums of weights in another order differ in the last
    digits.

    Examples
    --------
    >>> prevalence_of_all([(1, 3), (2, 6)]), prevalence_of_all([(1, 3), (1, 2)])
    (0.25, None)
    """
    shares = np.array([relevant / (relevant + other or 1) for relevant, other in counts])
    return None if differences(shares, shares[:1]).any() else float(shares[0])


def mean_of_steps(lines: Sequence[Line]) -> Line:
    """Mean of step lines, whose heights hold up to each x, from the x before it. A fold has height
    0 beyond its end.

    Examples
    --------
    >>> mean_of_steps(
    ...     [(np.array([0.5, 1.0]), np.array([1.0, 0.5])), (np.array([1.0]), np.array([0.5]))]
    ... )
    (array([0.5, 1. ]), array([0.75, 0.5 ]))
    """
    x = np.unique(np.concatenate([across for across, _ in lines]))
    heights = [np.append(along, 0.0)[np.searchsorted(across, x)] for across, along in lines]
    return x, np.mean(heights, axis=0)


def mean_of_lines(lines: Sequence[Line]) -> Line:
    """Mean of straight lines through points of ascending x, vertical parts included, over the range
    that all of them cover.

    Examples
    --------
    >>> mean_of_lines(
    ...     [
    ...         (np.array([0.0, 1.0]), np.array([0.0, 1.0])),
    ...         (np.array([0.0, 0.0, 1.0]), np.array([0, 1, 1.0])),
    ...     ]
    ... )
    (array([0., 0., 1., 1.]), array([0. , 0.5, 1. , 1. ]))
    """
    x = np.unique(np.concatenate([across for across, _ in lines]))
    x = x[
        (x >= max(across[0] for across, _ in lines)) & (x <= min(across[-1] for across, _ in lines))
    ]
    if not len(x):
        raise UsageError(
            argument="folds",
            what="their curves have no common range, so there is no mean",
            remedy="draw the curves themselves with from_curves",
        )
    sides = np.mean([_sides(across, along, x) for across, along in lines], axis=0)
    return np.repeat(x, 2), sides.ravel()


def _sides(across: Float64, along: Float64, x: Float64) -> Float64:
    """Heights at x, as limits from the left and from the right."""
    first, last = np.searchsorted(across, x), np.searchsorted(across, x, side="right") - 1
    before = np.maximum(first - 1, 0)
    width = across[first] - across[before]
    share = np.divide(x - across[before], width, out=np.zeros(len(x)), where=width > 0)
    between = along[before] + share * (along[first] - along[before])
    on = across[first] == x
    return np.stack(
        (np.where(on, along[first], between), np.where(on, along[last], between)), axis=1
    )


class DrawnBand(NamedTuple):
    """A band of a curve: it lies between `low` and `high` at each `x`."""

    x: Float64
    low: Float64
    high: Float64
    label: str = ""

    def outline(self) -> Line:
        """Corners of the band's area: along the upper edge, and back along the lower one."""
        return np.concatenate((self.x, self.x[::-1])), np.concatenate((self.high, self.low[::-1]))


def bands_by_system(given: Any, systems: list[str]) -> list[tuple[int, DrawnBand]]:
    """Bands with the index of their system: {name: bands}, or the bands of the first system.

    A band is a result of `precall.interval`, or (x, low, high); one band or a list of bands is
    allowed.
    """
    named = given if isinstance(given, Mapping) else {systems[0]: given}
    for name in named:
        check_exists("bands", name, systems, "system")
    placed = []
    for name, bands in named.items():
        several = isinstance(bands, list) or (isinstance(bands, tuple) and len(bands) != 3)
        placed += [(systems.index(name), _band(band)) for band in (bands if several else [bands])]
    if len(systems) == 1:
        return placed
    # Tints of several systems look alike in grey print, so labels name the system.
    return [
        (i, band._replace(label=f"{escape_name(systems[i])}, {band.label}")) for i, band in placed
    ]


def _band(given: object) -> DrawnBand:
    label = "band"
    if hasattr(given, "low") and hasattr(given, "high") and hasattr(given, "x"):
        level = getattr(given, "level", None)
        words = [
            f"{percent(level)}" if level is not None else "",
            getattr(given, "kind", ""),
            label,
        ]
        parts, label = (given.x, given.low, given.high), " ".join(filter(None, words))
    elif isinstance(given, tuple) and len(given) == 3:
        parts = given
    else:
        raise UsageError(argument="bands", what="must have x, low and high", got=Kind(given))
    x, low, high = (np.asarray(column, np.float64) for column in parts)
    if x.ndim != 1 or not x.shape == low.shape == high.shape:
        shapes = ", ".join(str(column.shape) for column in (x, low, high))
        raise UsageError(
            argument="bands", what="x, low and high must be arrays of one length", got=Fact(shapes)
        )
    return DrawnBand(x, low, high, label)


class Outline(NamedTuple):
    """Values and their density, or their probability mass if `mass` is true."""

    x: Float64
    height: Float64
    mass: bool


def outline(null: Any, observed: float | None = None) -> Outline:
    """Outline of a distribution with `sf`, `mean` and `std`, and perhaps `pmf` and `ppf`.

    If `pmf()` has at most 80 values in reach (400 at uneven distances), they are drawn as masses.
    Otherwise the density is that of a window of width w moved along the values: (sf(x - w/2) - sf(x
    + w/2)) / w. The window smooths atoms as a histogram does. The reach is from 4 standard
    deviations below the mean to 5 above it, and includes the observed value.
    """
    if not null.std:
        # All orders give the same value, for example if all scores are equal.
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
        # With a few hundred atoms at uneven distances, a window holds now one atom, now three, so
        # no smooth line fits them.
        if len(gaps) < (ATOMS if even else UNEVEN):
            return Outline(x[near], mass[near], True)
        if even:
            # Every window must hold the same number of atoms, or the line would go up and down
            # between them.
            width = float(gaps.min()) * np.ceil(width / float(gaps.min()))
    x = np.linspace(low, high, 400)
    return Outline(x, (null.sf(x - width / 2) - null.sf(x + width / 2)) / width, False)


def _atoms(null: object) -> Line | None:
    """Values and masses, if they can be listed; else None."""
    if not hasattr(null, "pmf"):
        return None
    try:
        mass = null.pmf()
    except UsageError:
        atoms = null._atoms() if isinstance(null, NullDistribution) else None
        if atoms is None:
            return None
        # Values that are equal up to rounding are one value.
        values, inverse = np.unique(np.round(atoms[0], 12), return_inverse=True)
        return values, np.asarray(np.bincount(inverse, atoms[1]), np.float64)
    x, height = (np.array(list(map(float, column))) for column in (mass, mass.values()))
    # Sort floats, because sorting a hundred thousand fractions takes seconds.
    order = np.argsort(x, kind="stable")
    return x[order], height[order]
