"""Areas under precision-recall and ROC curves, each under its own name, and break-even points.

"Area under the PR curve" is several numbers: tools that print it differ in the third decimal and
beyond. The names here follow the literature:

step                     (R_i - R_{i-1}) P_i, average precision (scikit-learn, Weka)
interpolated             the same after dominated points are removed (LingPipe)
trapezoid                straight lines between points, from (0, 1) (scikit-learn's auc(recall, precision))
davis-goadrich           false positives linear in true positives, integrated exactly (Keilwagen et al. 2014)
davis-goadrich-discrete  the same at whole numbers of true positives, then trapezoids (Davis & Goadrich 2006)
11-point                 mean interpolated precision at recall 0, .1, ..., 1 (TREC)
gain                     precision gain over recall gain (Flach & Kull 2015); may be negative
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from precall.curves.tally import dot
from precall.errors import UsageError
from precall.location.series import ratios
from precall.native.twin_counting import step_area, step_parts
from precall.ragged import Bool, Float64, Int64
from precall.results import Table

if TYPE_CHECKING:
    from precall.curves.path import Curve


def hit_rows(curve: Curve) -> Int64:
    """Rows that accept relevant cases which the row above did not."""
    return np.flatnonzero(curve.tp[1:] != curve.tp[:-1]) + 1


def undominated(height: Float64) -> Bool:
    """Points, by recall, whose height is strictly greater than all heights at more recall."""
    later = np.maximum.accumulate(height[::-1])[::-1]
    keep = np.ones(len(height), np.bool_)
    keep[:-1] = height[:-1] > later[1:]
    return keep


def step(curve: Curve) -> float:
    """Σ (R_i - R_{i-1}) P_i over rows that accept relevant cases."""
    if not curve.relevant:
        return float("nan")
    rows = hit_rows(curve)
    tp, fp = curve.tp[rows], curve.fp[rows]
    size = np.diff(tp, prepend=tp.dtype.type(0))
    # The exact sum counts in units of 2^-20 in int64.
    if isinstance(curve.relevant, int) and curve.relevant < 2**43:
        whole = [part.astype(np.int64, copy=False) for part in (size, tp, fp)]
        return step_area(step_parts(whole[0], whole[1], whole[2]), curve.relevant)
    return float(np.sum(size * (tp / (tp + fp)))) / curve.relevant


def interpolated(curve: Curve) -> float:
    """The step area of the interpolated curve."""
    rows = hit_rows(curve)
    precision = curve.precision[rows]
    keep = undominated(precision)
    tp = curve.tp[rows][keep]
    return float(np.sum(np.diff(tp, prepend=tp.dtype.type(0)) * precision[keep])) / curve.relevant


def trapezoid(curve: Curve) -> float:
    """Straight lines between all points, from recall 0 and precision 1."""
    if len(curve) < 2:
        return 0.0
    precision = curve.precision.copy()
    precision[0] = 1.0
    return float(np.sum(np.diff(curve.tp) * (precision[1:] + precision[:-1]))) / 2 / curve.relevant


def davis_goadrich(curve: Curve) -> float:
    """∫ x / (x + fp(x)) dx / relevant, fp linear in x = TP between points; in closed form."""
    rows = hit_rows(curve)
    tp1, fp1 = curve.tp[rows].astype(np.float64), curve.fp[rows].astype(np.float64)
    tp0, fp0 = curve.tp[rows - 1].astype(np.float64), curve.fp[rows - 1].astype(np.float64)
    width = tp1 - tp0
    slope = 1 + (fp1 - fp0) / width
    offset = fp0 - (slope - 1) * tp0
    # The line's value at both ends is tp + fp, without cancellation.
    end, begin = tp1 + fp1, tp0 + fp0
    with np.errstate(divide="ignore", invalid="ignore"):
        log = np.where(offset == 0, 0.0, offset / slope * np.log1p((end - begin) / begin))
    # No case accepted before: the line starts at the origin and precision is constant.
    log = np.where(begin == 0, 0.0, log)
    return float(np.sum((width - log) / slope)) / curve.relevant


def davis_goadrich_discrete(curve: Curve) -> float:
    """The same at each whole number of true positives, joined by straight lines."""
    if not isinstance(curve.relevant, int):
        raise UsageError(
            "davis-goadrich-discrete: steps of one true positive need whole counts; weights are given"
        )
    rows = hit_rows(curve)
    tp: Int64 = curve.tp.astype(np.int64, copy=False)
    tp0, width = tp[rows - 1].astype(np.float64), tp[rows] - tp[rows - 1]
    fp0, fp1 = curve.fp[rows - 1].astype(np.float64), curve.fp[rows].astype(np.float64)
    if not len(rows):
        return 0.0
    slope = (fp1 - fp0) / width
    # Trapezoids: every step's end once, but the two outer ones half.
    total = ratios(tp0 + 1, np.ones(len(rows)), tp0 + fp0 + 1 + slope, 1 + slope, width)
    end, begin = tp[rows] / (tp[rows] + fp1), tp0 + fp0
    first = (tp0 + 1) / (begin + 1 + slope)
    left = np.divide(tp0, begin, out=first, where=begin > 0)
    return float(np.sum(total + (left - end) / 2)) / curve.relevant


def eleven_points(curve: Curve) -> Float64:
    """Greatest precision at recall 0, .1, ..., 1 or more; 0 where that recall is never reached."""
    if len(curve) < 2:
        return np.zeros(11)
    best = np.append(np.maximum.accumulate(curve.precision[:0:-1])[::-1], 0.0)
    return np.asarray(best[_level_rows(curve)], np.float64)


def peak_rows(curve: Curve) -> Int64:
    """The rows that `eleven_points` are read off."""
    if len(curve) < 2 or not curve.relevant:
        return np.zeros(0, np.int64)
    precision, reached = curve.precision[1:], _level_rows(curve)
    rows = [at + int(np.argmax(precision[at:])) + 1 for at in reached if at < len(precision)]
    return np.array(rows, np.int64)


def _level_rows(curve: Curve) -> Int64:
    """Per recall 0, .1, ..., 1 the first threshold that reaches it, from 0; their number where none does."""
    from precall.curves.points import needed

    need = [needed(curve, level / 10) for level in range(11)]
    return np.searchsorted(curve.tp[1:], need).astype(np.int64)


def eleven_point(curve: Curve) -> float:
    """Mean of the interpolated precisions at 11 recalls."""
    return float(np.mean(eleven_points(curve)))


def gain(curve: Curve) -> Table:
    """Recall gain, precision gain and threshold, from the crossing of recall gain 0 on."""
    k, tp, fp, threshold = _gain_rows(curve)
    with np.errstate(divide="ignore", invalid="ignore"):
        # The crossing is 0 within rounding, and nothing is below it.
        recall_gain = np.maximum(1 - k * (curve.relevant - tp) / tp, 0.0)
        precision_gain = 1 - k * fp / tp
    return Table({"recall_gain": recall_gain, "precision_gain": precision_gain, "threshold": threshold})


def _crossing(curve: Curve) -> tuple[float, float, int]:
    """k = π/(1-π), the TP where recall gain is 0, and the first row that has as many."""
    k = curve.relevant / curve.other
    # Recall gain is 0 where recall is π: TP = relevant² / (relevant + other).
    crossing = curve.relevant**2 / (curve.relevant + curve.other)
    # In the counts' own type, or all of them would be converted.
    least = crossing if curve.tp.dtype.kind == "f" else curve.tp.dtype.type(np.ceil(crossing))
    return k, crossing, int(np.searchsorted(curve.tp, least))


def _fp_between(curve: Curve, crossing: float, row: int) -> float:
    """False positives at a TP between those of `row` and the row before."""
    tp0, fp0, tp1, fp1 = (float(one) for at in (row - 1, row) for one in (curve.tp[at], curve.fp[at]))
    return fp0 + (crossing - tp0) / (tp1 - tp0) * (fp1 - fp0)


def _gain_rows(curve: Curve) -> tuple[float, Float64, Float64, Float64]:
    """k, and the points of recall gain >= 0, the first of them exactly 0."""
    if not curve.other or not curve.relevant:
        none = np.empty(0)
        return float("nan"), none, none, none
    k, crossing, row = _crossing(curve)
    tp, fp, threshold = (
        np.asarray(column[row:], np.float64) for column in (curve.tp, curve.fp, curve.threshold)
    )
    if len(tp) and tp[0] > crossing:
        tp = np.concatenate(([crossing], tp))
        fp = np.concatenate(([_fp_between(curve, crossing, row)], fp))
        threshold = np.concatenate((threshold[:1], threshold))
    return k, tp, fp, threshold


def gain_area(curve: Curve) -> float:
    """Area under the precision-recall-gain curve, straight lines between its points."""
    if not curve.other:
        return float("nan")
    k, crossing, row = _crossing(curve) if curve.relevant else (0.0, 0.0, len(curve))
    if row == len(curve):
        return 0.0
    # Where no hit is added the line is upright, and nothing lies under it.
    at = row + np.flatnonzero(curve.tp[row + 1 :] != curve.tp[row:-1])
    tp0, tp1, fp0, fp1 = (
        column[rows].astype(np.float64) for column in (curve.tp, curve.fp) for rows in (at, at + 1)
    )
    if curve.tp[row] > crossing:
        between = _fp_between(curve, crossing, row)
        tp0, tp1 = np.append(tp0, crossing), np.append(tp1, curve.tp[row])
        fp0, fp1 = np.append(fp0, between), np.append(fp1, curve.fp[row])
    wide = k * curve.relevant * (tp1 - tp0) / (tp0 * tp1)
    return float(np.sum(wide * (2 - k * (fp0 / tp0 + fp1 / tp1)))) / 2


def under_roc(curve: Curve, method: str = "trapezoid") -> float:
    """Area under the ROC curve; NaN without relevant or without other cases."""
    if not curve.relevant or not curve.other:
        return float("nan")
    # Rows without a new hit add nothing.
    rows = hit_rows(curve)
    new, below = curve.tp[rows] - curve.tp[rows - 1], curve.fp[-1] - curve.fp[rows]
    twice = below * 2 if method == "step" else below + (curve.fp[-1] - curve.fp[rows - 1])
    if new.dtype.kind == "f":
        return float(np.sum(new / curve.relevant * (twice / curve.other))) / 2
    # Whole counts are summed exactly: 2 U = Σ ΔTP (TN + TN before).
    total = dot(new.astype(np.int64, copy=False), twice.astype(np.int64, copy=False))
    return float(total / (2 * curve.relevant * curve.other))


def partial_roc(curve: Curve, max_fpr: float, mcclish: bool) -> float:
    """The part of the area up to a false positive rate, perhaps rescaled after McClish (1989)."""
    if not 0 < max_fpr <= 1:
        raise UsageError(f"max_fpr: must be in (0, 1], got {max_fpr}")
    if not curve.relevant or not curve.other:
        return float("nan")
    limit = max_fpr * curve.other
    stop = int(np.searchsorted(curve.fp, limit, side="right"))
    fp, tp = curve.fp[:stop].astype(np.float64), curve.tp[:stop].astype(np.float64)
    if stop < len(curve):
        last = curve.tp[stop - 1] + (limit - fp[-1]) / (curve.fp[stop] - fp[-1]) * (curve.tp[stop] - tp[-1])
        fp, tp = np.append(fp, limit), np.append(tp, last)
    area = float(np.sum(np.diff(fp) * (tp[1:] + tp[:-1]))) / 2 / curve.other / curve.relevant
    if not mcclish:
        return area
    least = max_fpr**2 / 2
    return 0.5 * (1 + (area - least) / (max_fpr - least))


def break_even_max_min(curve: Curve) -> float:
    """Where the interpolated (step) curve crosses P = R: the greatest min(P, R).

    That is LingPipe's sense; its own number, in `precall.compat.lingpipe`, may be less.
    """
    return float(np.nanmax(np.fmin(curve.precision, curve.recall))) if len(curve) > 1 else 0.0


def break_even_nearest(curve: Curve) -> float:
    """Mean of P and R at the threshold, of those with a hit, where they are nearest: the literature's interpolated BEP.

    It is 0 without hits; thresholds before the first hit, where P = R = 0, are left out.
    """
    row = nearest_row(curve)
    return float(curve.precision[row] + curve.recall[row]) / 2 if row else 0.0


def nearest_row(curve: Curve) -> int:
    """The threshold with a hit where P and R are nearest, of equals that of the greatest mean; 0 without hits."""
    rows = np.flatnonzero(curve.tp > 0)
    if not len(rows):
        return 0
    precision, recall = curve.precision[rows], curve.recall[rows]
    # |P - R| is compared as the fraction TP |relevant - accepted| / (relevant accepted), within rounding.
    apart = np.abs(precision - recall)
    near = np.flatnonzero(apart <= apart.min() + 1e-12)
    return int(rows[near[np.argmax((precision + recall)[near])]])


def break_even_linear(curve: Curve) -> float:
    """Where the straight lines between points cross P = R, the highest crossing; 0 if there is none."""
    if len(curve) < 2:
        return 0.0
    precision, recall = curve.precision.copy(), curve.recall
    precision[0] = precision[1]
    apart = precision - recall
    best = float(np.max(recall[apart == 0], initial=0.0))
    cross = np.flatnonzero(apart[1:] * apart[:-1] < 0)
    share = apart[cross] / (apart[cross] - apart[cross + 1])
    return max(best, float(np.max(recall[cross] + share * (recall[cross + 1] - recall[cross]), initial=0.0)))


METHODS: dict[str, Callable[[Curve], float]] = {
    "step": step,
    "interpolated": interpolated,
    "trapezoid": trapezoid,
    "davis-goadrich": davis_goadrich,
    "davis-goadrich-discrete": davis_goadrich_discrete,
    "11-point": eleven_point,
    "gain": gain_area,
}
ROC_METHODS = ("trapezoid", "step")
#: Different numbers; the first is what "break-even" means where nothing else is said.
BREAK_EVEN: dict[str, Callable[[Curve], float]] = {
    "nearest": break_even_nearest,
    "max-min": break_even_max_min,
    "linear": break_even_linear,
}
#: What the literature calls interpolated is the nearest; what we once called so is not.
BREAK_EVEN_ALIASES = {"interpolated-bep": "nearest", "interpolated": "max-min"}
