"""Which points of a long line are drawn: few, and what is left out is bounded.

Two ways. `kept` cuts the width into columns, and keeps of the points in each the first, the last, and those of
least and greatest height (Jugel et al. 2014, "M4"). What is left out lies between heights that are drawn in
its column, so that lines differ by less than a column's width.

`thin` keeps areas: no area of `Curve.areas()` but the gain's moves by more than a tolerance. `Curve.simplify` promises
that, and looks at every point for it, which takes seconds for 10⁷. So the points where true and false
positives pass the lines of a grid are found first, by bisection. True and false positives only grow, so all points
between two neighbours lie in the box whose corners these are, and precision there between the precisions of the other
two corners: the boxes' summed sizes bound what any area can lose. Half of the tolerance at most is for this, the rest
for `Curve.simplify` of what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from precall.curves import Curve
from precall.ragged import Float64, Int64

#: More than the dots across a picture in a paper.
COLUMNS = 2000
#: Curves of more points are thinned before they are drawn.
MANY = 4000
#: No area moves by more than this when a curve is thinned.
TOLERANCE = 1e-3
#: Numbers that stand for infinite ones, such as the greatest float, are beyond; their distance is no float.
FAR = 1e300
#: Lines of the grid: of equal steps, and of equal ratios, which low recall needs.
_STEPS = 10_000
_RATIO = 1e-3


def kept(
    x: Float64 | Int64, heights: Sequence[Float64], columns: int = COLUMNS, log: bool = False
) -> Int64:  # fmt: skip
    """Rows to draw, ascending.

    Parameters
    ----------
    x : monotone.
    heights : those that are not; of monotone ones the ends of each column are all there is. None is NaN.
    log : columns of equal width where x is drawn in powers of ten.

    Examples
    --------
    >>> kept(np.arange(9.0), [np.array([0, 5, 1, 1, -5, 1, 1, 9, 2.0])], columns=1)
    array([0, 4, 7, 8])
    """
    if len(x) <= 4 * columns:
        return np.arange(len(x))
    rising = x if x[-1] >= x[0] else -x
    edges = (np.geomspace if log else np.linspace)(rising[0], rising[-1], columns + 1)[1:-1]
    if rising.dtype.kind == "i":
        # In x's own type, or all of it would be converted.
        edges = np.ceil(edges).astype(rising.dtype)
    cuts = np.unique(np.concatenate(([0], np.searchsorted(rising, edges), [len(x)])))
    rows = [cuts[:-1], cuts[1:] - 1]
    for height in heights:
        for extreme in (np.argmin, np.argmax):
            places = [a + int(extreme(height[a:b])) for a, b in pairwise(cuts.tolist())]
            rows += [np.array(places, np.int64)]
    return np.unique(np.concatenate(rows)).astype(np.int64)


def thin(curve: Curve, tolerance: float = TOLERANCE) -> Curve:
    """The curve, with fewer points if it has many.

    Examples
    --------
    >>> from precall import curve
    >>> rng = np.random.default_rng(7)
    >>> relevant = rng.random(100_000) < 0.2
    >>> whole = curve(relevant, rng.normal(relevant, 1))
    >>> few = thin(whole)
    >>> len(whole), len(few) < 20_000, abs(few.average_precision() - whole.average_precision()) < TOLERANCE
    (100001, True, True)
    """
    if len(curve) <= MANY:
        return curve
    rows = grid_rows(curve)
    lost = bound(curve, rows)
    if lost > tolerance / 2:
        return curve.simplify(tolerance)
    return part(curve, rows).simplify(tolerance - lost)


def grid_rows(curve: Curve) -> Int64:
    """The rows where true positives, false positives or their sum pass a line of the grid."""
    accepted = curve.tp + curve.fp
    rows = [np.array([0, len(curve) - 1])]
    for count in (curve.tp, curve.fp, accepted):
        most = float(count[-1])
        ratios = np.exp(np.arange(0, np.log(max(most, 1.0)), _RATIO))
        lines = np.concatenate((np.linspace(0, most, _STEPS + 1), ratios))
        # In the counts' own type, or all of them would be converted.
        at = np.searchsorted(count, np.ceil(lines).astype(count.dtype) if count.dtype.kind == "i" else lines)
        # The last point before a line is crossed and the first behind it.
        rows += [np.minimum(at, len(curve) - 1), np.maximum(at - 1, 0)]
    return np.unique(np.concatenate(rows)).astype(np.int64)


def bound(curve: Curve, rows: Int64) -> float:
    """What areas can lose if only these rows are kept, the first and the last among them."""
    tp, fp = (np.asarray(count[rows], np.float64) for count in (curve.tp, curve.fp))
    wide, high = np.diff(tp) / max(curve.relevant, 1), np.diff(fp) / max(curve.other, 1)
    left_out = np.diff(rows) > 1
    with np.errstate(invalid="ignore"):
        least = np.nan_to_num(tp[:-1] / (tp[:-1] + fp[1:]))
        most = np.nan_to_num(tp[1:] / (tp[1:] + fp[:-1]))
    spread = np.where(left_out, most - least, 0.0)
    # Interpolated precision looks ahead: it can lose what is lost at any greater recall.
    ahead = np.maximum.accumulate(spread[::-1])[::-1]
    return max(float(np.sum(wide * ahead)), float(np.sum((wide * high)[left_out])))


def part(curve: Curve, rows: Int64) -> Curve:
    """The curve of these rows."""
    return replace(curve, threshold=curve.threshold[rows], tp=curve.tp[rows], fp=curve.fp[rows])
