"""Which points of a long line are drawn: few, with a bound on the error of leaving out the rest.

`rows_to_draw` divides the width into columns. In each it keeps the first, the last, the lowest and
the highest point (Jugel et al. 2014, "M4"): lines differ by less than a column's width.

`simplify` keeps areas: no area of `Curve.areas()` except the gain's changes by more than a
tolerance. Points are put into cells of a grid over recall and false positive rate, and the ends of
each run of points in one cell are kept. The points left out of a run lie in a box: for ROC its
width times its height, for precision-recall its width in recall times its range of precision. The
summed areas of the boxes bound the error of any way of joining the kept points; the grid is refined
until that sum is small enough. Interpolated precision looks ahead, beyond its box: its area is
compared directly, and the points that the 11-point mean is read off are kept as well.

`simplify` looks at every point, which takes seconds for 10⁷. So `thin` first finds, by bisection,
the points at which true and false positives cross the lines of a grid. True and false positives
only grow. So all points between two neighbours lie in the box whose corners these are, and their
precision lies between the precisions of the other two corners: the summed sizes of the boxes bound
the loss of any area. This takes at most half of the tolerance, `simplify` the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from precall.core.arguments import check_share
from precall.core.ragged import Float64, Int64, changes
from precall.measures.areas import area_interpolated_by_steps, peak_rows

if TYPE_CHECKING:
    from precall.cases import Curve

#: More than the number of dots across a picture in a paper.
COLUMNS = 2000
#: Curves of more points are thinned before they are drawn.
MANY = 4000
#: No area changes by more than this when a curve is thinned.
TOLERANCE = 1e-3
#: Numbers beyond this, such as the greatest float, stand for infinity; the distance of two of them
#: exceeds a float.
FAR = 1e300
#: Lines of the grid: at equal steps, and at equal ratios, which low recall needs.
_STEPS = 10_000
_RATIO = 1e-3


def rows_to_draw(
    x: Float64 | Int64, heights: Sequence[Float64], columns: int = COLUMNS, log: bool = False
) -> Int64:
    """Rows to draw, ascending.

    Parameters
    ----------
    x : monotone.
    heights : values that are not monotone; for monotone ones the ends of each column suffice. None
        is NaN.
    log : whether columns have equal width on a logarithmic axis.

    Examples
    --------
    >>> rows_to_draw(np.arange(9.0), [np.array([0, 5, 1, 1, -5, 1, 1, 9, 2.0])], columns=1)
    array([0, 4, 7, 8])
    """
    if len(x) <= 4 * columns:
        return np.arange(len(x))
    rising = x if x[-1] >= x[0] else -x
    edges = (np.geomspace if log else np.linspace)(rising[0], rising[-1], columns + 1)[1:-1]
    if rising.dtype.kind == "i":
        # In the type of x; else NumPy would convert all of x.
        edges = np.ceil(edges).astype(rising.dtype)
    cuts = np.unique(np.concatenate(([0], np.searchsorted(rising, edges), [len(x)])))
    rows = [cuts[:-1], cuts[1:] - 1]
    for height in heights:
        for extreme in (np.argmin, np.argmax):
            places = [a + int(extreme(height[a:b])) for a, b in pairwise(cuts.tolist())]
            rows += [np.array(places, np.int64)]
    return np.unique(np.concatenate(rows)).astype(np.int64)


def part(curve: Curve, rows: Int64) -> Curve:
    """The curve with only these rows."""
    return replace(curve, threshold=curve.threshold[rows], tp=curve.tp[rows], fp=curve.fp[rows])


def thin(curve: Curve, tolerance: float = TOLERANCE) -> Curve:
    """The curve, with fewer points if it has many.

    Examples
    --------
    >>> from precall import curve
    >>> rng = np.random.default_rng(7)
    >>> relevant = rng.random(100_000) < 0.2
    >>> whole = curve(relevant, rng.normal(relevant, 1))
    >>> few = thin(whole)
    >>> (
    ...     len(whole),
    ...     len(few) < 20_000,
    ...     abs(few.average_precision() - whole.average_precision()) < TOLERANCE,
    ... )
    (100001, True, True)
    """
    if len(curve) <= MANY:
        return curve
    rows = grid_rows(curve)
    lost = bound_loss(curve, rows)
    if lost > tolerance / 2:
        return curve.simplify(tolerance)
    return part(curve, rows).simplify(tolerance - lost)


def grid_rows(curve: Curve) -> Int64:
    """The rows at which true positives, false positives or their sum cross a line of the grid."""
    rows = [np.array([0, len(curve) - 1])]
    for count in (curve.tp, curve.fp, curve.tp + curve.fp):
        most = float(count[-1])
        # From the first count that is not 0, because weights have no least value.
        first = min(int(np.searchsorted(count, 0, side="right")), len(count) - 1)
        least = float(count[first]) or 1.0
        ratios = np.exp(np.arange(np.log(least), np.log(max(most, least)), _RATIO))
        lines = np.concatenate((np.linspace(0, most, _STEPS + 1), ratios))
        # In the type of the counts; else NumPy would convert all of them.
        at = np.searchsorted(
            count, np.ceil(lines).astype(count.dtype) if count.dtype.kind == "i" else lines
        )
        # The last point before a line and the first one after it.
        rows += [np.minimum(at, len(curve) - 1), np.maximum(at - 1, 0)]
    return np.unique(np.concatenate(rows)).astype(np.int64)


def bound_loss(curve: Curve, rows: Int64) -> float:
    """The most that any area can lose if only these rows are kept, which include the first and the
    last.
    """
    tp, fp = (np.asarray(count[rows], np.float64) for count in (curve.tp, curve.fp))
    relevant, other = _sizes(curve)
    wide, high = np.diff(tp) / relevant, np.diff(fp) / other
    left_out = np.diff(rows) > 1
    with np.errstate(invalid="ignore"):
        least = np.nan_to_num(tp[:-1] / (tp[:-1] + fp[1:]))
        most = np.nan_to_num(tp[1:] / (tp[1:] + fp[:-1]))
    spread = np.where(left_out, most - least, 0.0)
    # Interpolated precision looks ahead, so it can lose whatever is lost at any greater recall.
    ahead = np.maximum.accumulate(spread[::-1])[::-1]
    return max(float(np.sum(wide * ahead)), float(np.sum((wide * high)[left_out])))


def _sizes(curve: Curve) -> tuple[float, float]:
    """Numbers of relevant and of other cases, as denominators; 1 if there are none."""
    return curve.relevant or 1, curve.other or 1


def simplify(curve: Curve, tolerance: float) -> Curve:
    """A curve of fewer points whose areas differ by at most `tolerance`."""
    check_share("tolerance", tolerance, below_one=True)
    rows = _corners(curve)
    cell = 2 * tolerance
    while tolerance > 0 and cell > tolerance / 64 and len(rows) > 2:
        chosen = _by_cells(curve, rows, cell)
        if _boxes(curve, rows, chosen) <= tolerance:
            # Additional points do not raise the bound; without these eleven, one mean could jump.
            few = part(curve, np.union1d(rows[chosen], peak_rows(curve)))
            if (
                not curve.relevant
                or abs(area_interpolated_by_steps(few) - area_interpolated_by_steps(curve))
                <= tolerance
            ):
                return few
        cell /= 2
    return part(curve, rows)


def _corners(curve: Curve) -> Int64:
    """Rows that do not lie in the middle of a straight line of every curve."""
    tp, fp = np.diff(curve.tp), np.diff(curve.fp)
    keep = np.ones(len(curve), np.bool_)
    # Only other cases on both sides: a vertical line of PR, a straight one of ROC. Only relevant
    # cases on both sides: straight in ROC, and in PR as long as nothing else was accepted, as
    # precision is 1 there.
    level = (tp[:-1] == 0) & (tp[1:] == 0)
    keep[1:-1] = ~(level | ((fp[:-1] == 0) & (fp[1:] == 0) & (curve.fp[1:-1] == 0)))
    return np.flatnonzero(keep)


def _by_cells(curve: Curve, rows: Int64, cell: float) -> Int64:
    """Positions in `rows` of the first and last of each run within one cell."""
    # With the tiniest cells the cell numbers are infinite, and all points fall into one; the caller
    # checks what that loses.
    relevant, other = _sizes(curve)
    with np.errstate(over="ignore"):
        recall = np.floor(curve.tp[rows] / (relevant * cell))
        rate = np.floor(curve.fp[rows] / (other * cell))
    new = changes(recall, rate)
    return np.flatnonzero(new | np.append(new[1:], True))


def _boxes(curve: Curve, rows: Int64, chosen: Int64) -> float:
    """The summed area of the boxes between kept points with left-out points between them."""
    gap = np.flatnonzero(np.diff(chosen) > 1)
    a, b = chosen[gap], chosen[gap + 1]
    if not len(a):
        return 0.0
    tp, fp = curve.tp[rows], curve.fp[rows]
    precision = curve.precision[rows]
    precision[0] = precision[1]
    edges = np.stack((a, b + 1), axis=1).ravel()
    padded = np.append(precision, precision[-1])
    spread = np.maximum.reduceat(padded, edges)[::2] - np.minimum.reduceat(padded, edges)[::2]
    relevant, other = _sizes(curve)
    width = (tp[b] - tp[a]) / relevant
    boxes = np.sum(width * (fp[b] - fp[a])) / other
    return float(max(boxes, np.sum(width * spread)))


def thin_line(x: Sequence[float], y: Sequence[float], share: float = 0.002) -> list[int]:
    """Points of a line without those that lie on the straight line between their neighbours
    (Douglas & Peucker 1973).

    The rest differs by at most `share` of the greatest height.

    Examples
    --------
    >>> thin_line([0, 1, 2, 3, 4], [0, 0, 0, 3, 0])
    [0, 2, 3, 4]
    """
    limit = share * max(map(abs, y), default=0.0)
    kept, open_ = {0, len(x) - 1}, [(0, len(x) - 1)]
    while open_:
        a, b = open_.pop()
        slope = (y[b] - y[a]) / (x[b] - x[a]) if x[b] != x[a] else 0.0
        distances = [abs(y[i] - y[a] - slope * (x[i] - x[a])) for i in range(a + 1, b)]
        if distances and max(distances) > limit:
            middle = a + 1 + distances.index(max(distances))
            kept.add(middle)
            open_ += [(a, middle), (middle, b)]
    return sorted(kept)
