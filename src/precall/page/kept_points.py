"""Selects the operating points of a curve that a page holds: those that its charts need, and those
that users look up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from precall.cases.points import least_digits
from precall.cases.thinning import MANY, rows_to_draw, thin
from precall.measures.areas import hits_for_recall
from precall.page.sections import KeptPoints
from precall.plot.shared import logit

if TYPE_CHECKING:
    from precall.cases import Curve
    from precall.core.ragged import Float64, Int64

#: A chart against the threshold is divided into this many columns, about as many as it has dots.
#: The extremes of each column are kept.
_COLUMNS = 300


def operating_points(curve: Curve, most: int, against: bool = True) -> KeptPoints:
    """The operating points of a curve, thinned for a page.

    Parameters
    ----------
    most : this many are enough for precision-recall and ROC. If there are more, those are left out
        whose absence moves no area of the curve by more than `bound`; `drawn` says which are left
        (None: all). The point of greatest F, where the slider begins (`start`), always stays, and
        so do those of every whole percent of recall and of precision.
    against : also keep the points that a chart against the threshold needs. Its axis is logit
        between the ends `logit`, if there are any. They are decided on the full curve, because the
        share of crowded scores may differ among the points kept.

    Examples
    --------
    >>> from precall import curve
    >>> points = operating_points(curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3]), 100)
    >>> points.threshold, points.tp, points.start, points.bound
    (array([inf, 0.9, 0.8, 0.4, 0.3]), array([0, 0, 1, 1, 2]), 4, 0.0)
    """
    greatest = curve.max_f()
    best = int(np.searchsorted(curve.tp + curve.fp, greatest.tp + greatest.fp))
    rows, bound = _rows(curve, most)
    area = np.union1d(rows, [0, best, len(curve) - 1])
    all_kept = len(area) == len(curve)
    rows = (
        area
        if all_kept
        else np.union1d(area, np.concatenate((_steps_of_recall(curve), _steps_of_precision(curve))))
    )
    shown = np.asarray(curve.threshold, np.float64)
    ends = logit.ends(shown)
    rows = np.union1d(rows, _extremes(curve, shown, ends)) if against and not all_kept else rows
    return KeptPoints(
        relevant=curve.relevant,
        other=curve.other,
        missed=curve.missed,
        thresholds=len(curve) - 1,
        logit=ends if ends is None else list(ends),
        bound=bound,
        start=int(np.searchsorted(rows, best)),
        drawn=None if all_kept else np.searchsorted(rows, area),
        threshold=curve.threshold[rows] + 0.0,
        digits=np.array(least_digits(curve, rows.tolist()), np.float64),
        tp=curve.tp[rows],
        fp=curve.fp[rows],
    )


def _rows(curve: Curve, most: int) -> tuple[Int64, float]:
    tolerance = 5e-4
    few = curve
    # A hundredth is the width of a line; a greater tolerance would change the picture.
    while len(few) > most and tolerance < 0.01:
        tolerance *= 2
        few = curve.simplify(tolerance) if len(curve) <= MANY else thin(curve, tolerance)
    if len(few) == len(curve):
        return np.arange(len(curve)), 0.0
    return np.searchsorted(curve.tp + curve.fp, few.tp + few.fp).astype(np.int64), tolerance


def _steps_of_recall(curve: Curve) -> Int64:
    """The first rows that reach 0 %, 1 % ... 100 % of the relevant cases, as far as the
    curve goes.
    """
    needs = (
        [hits_for_recall(curve, percent / 100) for percent in range(101)] if curve.relevant else []
    )
    rows = np.searchsorted(curve.tp, [need for need in needs if need <= curve.tp[-1]]).astype(
        np.int64
    )
    # `Curve.at(recall=0)` also accepts a block.
    return np.maximum(rows, min(1, len(curve) - 1))


def _steps_of_precision(curve: Curve) -> Int64:
    """The rows of `Curve.at(precision=)` for 1 %, 2 % ... 100 %, as far as the curve goes."""
    # The greatest precision from each row to the end: the last row that is precise enough accepts
    # most.
    still = np.maximum.accumulate(np.nan_to_num(curve.precision[::-1]))[::-1]
    shares = np.arange(1, 101) / 100
    last = np.searchsorted(-still, -shares, side="right") - 1
    rows = []
    for share, row in zip(shares.tolist(), last.tolist(), strict=True):
        if row > 0:
            # Among the rows with as many hits, take the first that is precise enough.
            first = int(np.searchsorted(curve.tp, curve.tp[row]))
            rows.append(first + int(np.argmax(curve.precision[first : row + 1] >= share)))
    return np.array(rows, np.int64)


def _extremes(curve: Curve, threshold: Float64, ends: tuple[float, float] | None) -> Int64:
    """For each column of a chart against the threshold: its first and last row, and those of least
    and greatest precision and F.
    """
    finite = np.flatnonzero(np.isfinite(threshold))
    if not len(finite):
        return finite
    heights = [curve.values(measure)[finite] for measure in ("P", "F")]
    across = threshold[finite] if ends is None else logit.along(threshold[finite], *ends)
    return finite[rows_to_draw(across, heights, _COLUMNS)]
