"""Which points of a curve a picture needs: few, and no area moves by more than a tolerance.

Points are put into cells of a grid over recall and false positive rate, and the ends of each run
of points in one cell are kept. What is left out of a run lies in a box: for ROC its width times its
height, for precision-recall its width in recall times its range of precision. The boxes' areas,
summed, bound what any way of joining the kept points can differ by; the grid is refined until that
sum is small enough. Interpolated precision looks ahead, beyond its box: its area is compared as it is,
and the points that the 11-point mean is read off are kept as well.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from precall.errors import UsageError
from precall.measures.areas import interpolated, peak_rows
from precall.ragged import Int64

if TYPE_CHECKING:
    from precall.curves.path import Curve


def kept(curve: Curve, tolerance: float) -> Int64:
    """Rows to keep."""
    if not 0 <= tolerance < 1:
        raise UsageError(f"tolerance: must be in 0..1, got {tolerance}")
    rows = _corners(curve)
    cell = 2 * tolerance
    while tolerance > 0 and cell > tolerance / 64 and len(rows) > 2:
        chosen = _by_cells(curve, rows, cell)
        if _bound(curve, rows, chosen) <= tolerance:
            # A point more takes nothing from the bound; without these eleven one mean could jump.
            chosen_rows = np.union1d(rows[chosen], peak_rows(curve))
            if _peaks_moved(curve, chosen_rows) <= tolerance:
                return chosen_rows
        cell /= 2
    return rows


def _peaks_moved(curve: Curve, rows: Int64) -> float:
    """By how much the interpolated area differs."""
    if not curve.relevant:
        return 0.0
    thin = replace(curve, threshold=curve.threshold[rows], tp=curve.tp[rows], fp=curve.fp[rows])
    return abs(interpolated(thin) - interpolated(curve))


def _corners(curve: Curve) -> Int64:
    """Rows that are not in the middle of a straight line of every curve."""
    tp, fp = np.diff(curve.tp), np.diff(curve.fp)
    keep = np.ones(len(curve), np.bool_)
    # Only other cases on both sides: a vertical line of PR, a straight one of ROC. Only relevant cases
    # on both sides: straight in ROC; in PR too while nothing else was accepted, precision being 1.
    keep[1:-1] = ~(
        ((tp[:-1] == 0) & (tp[1:] == 0)) | ((fp[:-1] == 0) & (fp[1:] == 0) & (curve.fp[1:-1] == 0))
    )
    return np.flatnonzero(keep)


def _by_cells(curve: Curve, rows: Int64, cell: float) -> Int64:
    """Positions in `rows` of the first and last of each run within one cell."""
    recall = np.floor(curve.tp[rows] / (max(curve.relevant, 1) * cell))
    rate = np.floor(curve.fp[rows] / (max(curve.other, 1) * cell))
    new = np.ones(len(rows), np.bool_)
    new[1:] = (recall[1:] != recall[:-1]) | (rate[1:] != rate[:-1])
    ends = np.append(new[1:], True)
    return np.flatnonzero(new | ends)


def _bound(curve: Curve, rows: Int64, chosen: Int64) -> float:
    """The summed area of the boxes between kept points that leave something out."""
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
    width = (tp[b] - tp[a]) / max(curve.relevant, 1)
    boxes = np.sum(width * (fp[b] - fp[a])) / max(curve.other, 1)
    return float(max(boxes, np.sum(width * spread)))
