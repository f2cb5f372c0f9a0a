"""Areas under precision-recall, precision-recall-gain and ROC curves.

"Area under the PR curve" means several numbers: tools that print it differ from the third decimal
on. The names of the methods follow the literature. A formula takes the path of a ranking; a `Curve`
is one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Annotated, Any

import numpy as np

from precall.core.counts import (
    EXACT_STEPS,
    ROWS,
    Cells,
    Path,
    Paths,
    Ranks,
    by_mcclish,
    of_many,
    part_under_roc,
    rises,
    step_area,
    step_under,
    step_units,
    under_roc,
)
from precall.core.errors import MeasureError, TiesUnresolved, UsageError
from precall.core.ragged import (
    Bool,
    Float64,
    Int64,
    integer_sums,
    integer_sums_of_parts,
    mean,
    running,
    sums_of_parts,
)
from precall.location.hits import along, ceiling_of_one
from precall.location.series import ratios
from precall.measures.registry import Example, Flag, Measure, Part, Values, choice, find, measure

#: If all counts are below the first, and products of two below the second, int64 and float64 hold
#: the sums and quotients of many paths as Python's integers would.
_EXACT_SQUARES, _EXACT_PAIRS = 2**26, 2**61


def is_undominated(height: Float64) -> Bool:
    """Whether each point, in order of recall, is strictly higher than all points of more recall."""
    later = np.maximum.accumulate(height[::-1])[::-1]
    keep = np.ones(len(height), np.bool_)
    keep[:-1] = height[:-1] > later[1:]
    return keep


def area_interpolated_by_steps(path: Path) -> float:
    """The step area of the interpolated path."""
    # Undominated points are found in each chunk of rows, then among the points that are left: a
    # long path needs little memory.
    points = [np.empty((2, 0))]
    for _, _, tp, fp in rises(path.tp, path.fp):
        points.append(_undominated_points(np.stack((tp, tp / (tp + fp)))))
    tp, height = _undominated_points(np.concatenate(points, axis=1))
    return float(np.sum(np.diff(tp, prepend=0.0) * height)) / path.relevant


def _undominated_points(points: Float64) -> Float64:
    """The undominated points; row 0 has recalls (or relevant cases), row 1 has heights."""
    return points[:, is_undominated(points[1])]


def trapezoid(path: Path) -> float:
    """The area under straight lines between all points, from recall 0 and precision 1.

    A step that adds no hit is a vertical line and adds no area.
    """
    return float(np.sum(_terms(path.tp, path.fp, _trapezia))) / 2 / path.relevant


def _trapezia(tp0: Float64, fp0: Float64, tp: Float64, fp: Float64) -> Float64:
    """Twice the areas under straight lines, in units of relevant items."""
    # Before the first row nothing is accepted; precision counts as 1 there.
    before = np.divide(tp0, tp0 + fp0, out=np.ones(len(tp)), where=tp0 + fp0 > 0)
    return np.asarray((tp - tp0) * (before + tp / (tp + fp)))


def _terms(tp: Cells, fp: Cells, term: Callable[..., Float64]) -> Float64:
    """The terms of a sum over the steps that add a hit, computed in chunks of rows."""
    terms, size = np.empty(max(len(tp) - 1, 0)), 0
    for columns in rises(tp, fp):
        chunk = term(*columns)
        terms[size : size + len(chunk)] = chunk
        size += len(chunk)
    return terms[:size]


def davis_goadrich(path: Path) -> float:
    """∫ x / (x + fp(x)) dx / relevant in closed form; fp is linear in x = TP between points."""
    return float(np.sum(_terms(path.tp, path.fp, _integrals))) / path.relevant


def _integrals(tp0: Float64, fp0: Float64, tp1: Float64, fp1: Float64) -> Float64:
    """The integrals of x / (x + fp(x)) between points."""
    width = tp1 - tp0
    slope = 1 + (fp1 - fp0) / width
    offset = fp0 - (slope - 1) * tp0
    # The line's value at both ends is tp + fp, without cancellation.
    end, begin = tp1 + fp1, tp0 + fp0
    with np.errstate(divide="ignore", invalid="ignore"):
        log = offset / slope * np.log1p((end - begin) / begin)
    # No case accepted before: the line starts at the origin and precision is constant.
    log[(offset == 0) | (begin == 0)] = 0.0
    return np.asarray((width - log) / slope)


def davis_goadrich_discrete(path: Path) -> float:
    """The Davis-Goadrich area with a point at each whole number of true positives.

    Straight lines join these points.
    """
    if not isinstance(path.relevant, int):
        why = "steps of one true positive need whole counts; weights are given"
        raise UsageError(argument="davis-goadrich-discrete", what=why)
    terms = _terms(path.tp, path.fp, _whole_steps)
    return float(np.sum(terms)) / path.relevant if len(terms) else 0.0


def _whole_steps(tp0: Float64, fp0: Float64, tp1: Float64, fp1: Float64) -> Float64:
    """The areas of trapezia at every whole number of true positives between points."""
    slope, width = (fp1 - fp0) / (tp1 - tp0), (tp1 - tp0).astype(np.int64)
    # Trapezoid rule: the precision at every step counts once, at both ends half.
    total = ratios(tp0 + 1, np.ones(len(tp0)), tp0 + fp0 + 1 + slope, 1 + slope, width)
    end, begin = tp1 / (tp1 + fp1), tp0 + fp0
    first = (tp0 + 1) / (begin + 1 + slope)
    left = np.divide(tp0, begin, out=first, where=begin > 0)
    return np.asarray(total + (left - end) / 2)


#: Steps of recall of COCO's average precision, and its levels as pycocotools has them: ten are one
#: unit in the last place above their hundredth.
_HUNDREDTHS = 100
COCO_LEVELS = np.linspace(0.0, 1.0, _HUNDREDTHS + 1)
#: The recalls of 11-point curves.
TENTHS = tuple(tenth / 10 for tenth in range(11))


def eleven_points(path: Path, steps: int = 10) -> Float64:
    """The greatest precision at each recall 0, .1, ..., 1 or more, or in so many other `steps`; 0
    if it is never reached.
    """
    best = np.zeros(steps + 1)
    for level, (begin, end) in enumerate(
        pairwise([*(_level_rows(path, steps) + 1).tolist(), len(path.tp)])
    ):
        for first in range(begin, end, ROWS):
            tp, fp = (column[first : min(first + ROWS, end)] for column in (path.tp, path.fp))
            best[level] = max(best[level], np.max(tp / (tp + fp)))
    return np.asarray(np.maximum.accumulate(best[::-1])[::-1], np.float64)


def eleven_points_of_each(paths: Paths, steps: int = 10, levels: Float64 | None = None) -> Float64:
    """The `eleven_points` of many paths, a row for each path.

    `levels` are the recalls as doubles, if a recall is to be reached only when the quotient of the
    hits, rounded to a double, is not below its level; paths have whole counts then.
    """
    if paths.tp.dtype.kind == "f":  # the shift of counts below would round sums of weights
        each = [eleven_points(path, steps) for path in paths]
        return np.array(each, np.float64).reshape(-1, steps + 1)
    begin, end, relevant = paths.start[:-1], paths.start[1:], paths.relevant
    width = int(relevant.max(initial=0)) + 1
    need = -(-np.arange(steps + 1) * relevant[:, None] // steps)
    if levels is not None:
        # One hit less never reaches a level: a double is nearer to it than that.
        need = need + (need / np.maximum(relevant, 1)[:, None] < levels)
    # Counts ascend along each path. Each path is shifted above the one before it, so that one
    # search in ascending numbers serves all paths.
    before = np.arange(len(paths)) * width
    rows = np.searchsorted(paths.along(before) + paths.tp, before[:, None] + need)
    rows = np.column_stack((np.maximum(rows, begin[:, None] + 1), end))
    height = np.append(paths.tp / np.maximum(paths.tp + paths.fp, 1), 0.0)
    best = np.maximum.reduceat(height, rows.ravel()).reshape(rows.shape)[:, :-1]
    # For an empty range reduceat returns the element at its start, which belongs to the next range.
    best[rows[:, :-1] >= rows[:, 1:]] = 0.0
    return np.asarray(np.maximum.accumulate(best[:, ::-1], axis=1)[:, ::-1])


def peak_rows(path: Path) -> Int64:
    """The rows where the values of `eleven_points` are reached."""
    if len(path.tp) < 2 or not path.relevant:
        return np.zeros(0, np.int64)
    height, reached = path.tp[1:] / path.accepted[1:], _level_rows(path)
    rows = [at + int(np.argmax(height[at:])) + 1 for at in reached if at < len(height)]
    return np.array(rows, np.int64)


def _level_rows(path: Path, steps: int = 10) -> Int64:
    """The first threshold, from 0, that reaches each recall 0, .1, ..., 1, or in other `steps`.

    It is the number of thresholds if none reaches the recall.
    """
    has_counts = isinstance(path.relevant, int)
    levels = np.arange(steps + 1)
    need: Any = (
        -(-levels * path.relevant // steps) if has_counts else levels / steps * path.relevant
    )
    return np.asarray(np.searchsorted(path.tp[1:], need), np.int64)


def hits_for_recall(path: Path, recall: float) -> float:
    """Relevant items needed for `recall`: the exact ceiling for counts, the product for weights."""
    if isinstance(path.relevant, int):
        return ceiling_of_one(recall, path.relevant)
    return recall * path.relevant


def eleven_point(path: Path) -> float:
    """Mean of the interpolated precisions at 11 recalls."""
    return mean(eleven_points(path))


def hundred_and_one_point(path: Path) -> float:
    """Mean of the interpolated precisions at recall 0, .01, ..., 1."""
    return mean(eleven_points(path, _HUNDREDTHS))


def hundred_and_one_point_by_doubles(paths: Paths) -> Float64:
    """The same of each path, as pycocotools computes it: a recall is reached if it is not below its
    level as doubles; NaN without relevant items.
    """
    points = eleven_points_of_each(paths, _HUNDREDTHS, COCO_LEVELS)
    return np.where(paths.relevant > 0, [mean(levels) for levels in points], np.nan)


def _in_range(path: Path) -> Path:
    """The path in a unit in which squares of sums of real weights stay within float64.

    The unit is a power of 2, so no digit changes.
    """
    if path.tp.dtype.kind != "f" or not path.relevant:
        return path
    unit = math.ldexp(1.0, -math.frexp(path.relevant)[1])
    tp, fp = (np.asarray(column * unit, np.float64) for column in (path.tp, path.fp))
    return Ranks(tp, fp, path.missed * unit, path.other * unit)


def _crossing(path: Path) -> tuple[float, float, int]:
    """k = π/(1-π), the TP where recall gain is 0, and the first row with at least that TP."""
    k = path.relevant / path.other
    # Recall gain is 0 where recall is π: TP = relevant² / (relevant + other).
    crossing = path.relevant**2 / (path.relevant + path.other)
    # In the type of the counts: otherwise the search would convert the whole column.
    least = crossing if path.tp.dtype.kind == "f" else path.tp.dtype.type(np.ceil(crossing))
    return k, crossing, int(np.searchsorted(path.tp, least))


def _fp_between(path: Path, crossing: float, row: int) -> float:
    """False positives at the TP `crossing`, interpolated between `row` and the row before."""
    tp0, fp0, tp1, fp1 = (
        float(count) for at in (row - 1, row) for count in (path.tp[at], path.fp[at])
    )
    return fp0 + (crossing - tp0) / (tp1 - tp0) * (fp1 - fp0)


def gain_points(path: Path) -> tuple[Float64, Float64, Int64]:
    """The points with a recall gain of 0 or more: recall gains, precision gains, rows.

    The first recall gain is exactly 0.
    """
    if not path.other or not path.relevant:
        return np.empty(0), np.empty(0), np.zeros(0, np.int64)
    path = _in_range(path)
    k, crossing, row = _crossing(path)
    rows = np.arange(row, len(path.tp))
    tp, fp = (np.asarray(column[row:], np.float64) for column in (path.tp, path.fp))
    if len(tp) and tp[0] > crossing:
        tp = np.concatenate(([crossing], tp))
        fp = np.concatenate(([_fp_between(path, crossing, row)], fp))
        rows = np.concatenate((rows[:1], rows))
    # At the crossing the recall gain is 0 within rounding; a negative value is cut to 0.
    recall_gain = np.maximum(1 - k * (path.relevant - tp) / tp, 0.0)
    return recall_gain, 1 - k * fp / tp, rows


def gain_area(path: Path) -> float:
    """Area under the precision-recall-gain curve, straight lines between its points."""
    if not path.other:
        return float("nan")
    path = _in_range(path)
    k, crossing, row = _crossing(path) if path.relevant else (0.0, 0.0, len(path.tp))
    if row == len(path.tp):
        return 0.0

    term = partial(_gains, k, path.relevant)
    # A step that adds no hit is a vertical line and adds no area.
    terms = _terms(path.tp[row:], path.fp[row:], term)
    if path.tp[row] > crossing:
        begin, end = (crossing, _fp_between(path, crossing, row)), (path.tp[row], path.fp[row])
        terms = np.append(terms, term(*np.array([*begin, *end], np.float64)[:, None]))
    return float(np.sum(terms)) / 2


#: Areas under the precision-recall curve.
AREAS: dict[str, Callable[[Path], float]] = {
    "step": step_under,
    "interpolated": area_interpolated_by_steps,
    "trapezoid": trapezoid,
    "davis-goadrich": davis_goadrich,
    "davis-goadrich-discrete": davis_goadrich_discrete,
    "11-point": eleven_point,
    "101-point": hundred_and_one_point,
}
#: The same, and the area under the precision-recall-gain curve.
PR_METHODS: dict[str, Callable[[Path], float]] = {**AREAS, "gain": gain_area}
#: Methods that read the curve at equal steps of recall, and how many steps.
_STEPS = {"11-point": 10, "101-point": _HUNDREDTHS}
ROC_METHODS = ("trapezoid", "step")
AreaMethod = Annotated[str, choice(*AREAS)]
RocMethod = Annotated[str, choice(*ROC_METHODS)]


@measure(
    "AreaPR",
    labelings="grid",
    sources=["davis-goadrich-2006", "keilwagen-2014", "voorhees-harman-2005"],
    aliases=["AUPR", "AUPRC", "AUCPR", "PRAUC", "AreaUnderPR"],
    range=(0, 1),
    undefined="no item is relevant",
    shown="method",
    elsewhere={
        "(?i:auprc?|auc[-_]?pr|pr[-_]?auc)(?!.*method=).*": (
            "here it is the step area, which is average precision; "
            "xgboost's aucpr is method=davis-goadrich; ROCR's area is method=trapezoid with fewer "
            "points: if several points have the same recall, it keeps the one with the fewest "
            "false positives"
        )
    },
    example=Example(
        hits=[2, 4, 5],
        retrieved=6,
        relevant=3,
        method="trapezoid",
        value=(0 + 1 / 2 + 1 / 3 + 2 / 4 + 2 / 4 + 3 / 5) / 6,
    ),
)
def area_under_pr(path: Path, *, method: AreaMethod = "step") -> Values:
    """Area under the precision-recall curve. Each method gives a different number.

    - step: the sum of (R_i - R_{i-1}) P_i, average precision (scikit-learn, Weka);
    - interpolated: the same after dominated points are removed (LingPipe);
    - trapezoid: straight lines between points, from (0, 1) (scikit-learn's auc(recall, precision));
    - davis-goadrich: false positives linear in true positives, integrated exactly (Keilwagen et al.
      2014);
    - davis-goadrich-discrete: the same at whole numbers of true positives, then trapezoids (Davis &
      Goadrich 2006);
    - 11-point: mean interpolated precision at recall 0, .1, ..., 1 (TREC, PASCAL VOC to 2009);
    - 101-point: the same at recall 0, .01, ..., 1 (COCO). A recall is reached by whole numbers of
      hits; pycocotools compares doubles, of which ten are a little above their hundredth, so that
      it may miss a level that is just reached.
    """
    return AREAS[method](path) if path.relevant else float("nan")


@of_many(area_under_pr)
def _area_under_pr_of_each(paths: Paths, method: str) -> Float64 | None:
    if method in _STEPS:
        points = eleven_points_of_each(paths, _STEPS[method])
        values = np.array([mean(levels) for levels in points], np.float64)
        return np.where(paths.relevant > 0, values, np.nan)
    if paths.tp.dtype.kind != "i" or np.max(paths.relevant, initial=0) >= EXACT_STEPS:
        return None
    if method == "step":
        return _step_under_each(paths)
    if method == "interpolated":
        return _interpolated_of_each(paths)
    term, twice = {
        "trapezoid": (_trapezia, 2),
        "davis-goadrich": (_integrals, 1),
        "davis-goadrich-discrete": (_whole_steps, 1),
    }[method]
    rows, start = paths.rises()
    with np.errstate(divide="ignore", invalid="ignore"):
        areas = sums_of_parts(term(*_before_and_at(paths, rows)), start) / twice / paths.relevant
    return np.where(paths.relevant > 0, areas, np.nan)


def _before_and_at(paths: Paths, rows: Int64) -> list[Float64]:
    """TP and FP at rows and behind them."""
    return [
        column[at].astype(np.float64, copy=False)
        for at in (rows, rows + 1)
        for column in (paths.tp, paths.fp)
    ]


def _interpolated_of_each(paths: Paths) -> Float64:
    """`area_interpolated_by_steps` of each path; NaN for a path without relevant items."""
    rows, start = paths.rises()
    tp, fp = (column[rows + 1].astype(np.float64) for column in (paths.tp, paths.fp))
    height = tp / (tp + fp)
    # Heights as whole numbers in their order, and each path below the one before: one pass from the
    # end finds the greatest of what follows in the same path.
    levels, level = np.unique(height, return_inverse=True)
    owner = np.repeat(np.arange(len(paths)), np.diff(start))
    keys = level - owner * len(levels)
    later = np.maximum.accumulate(keys[::-1])[::-1]
    keep = np.ones(len(keys), np.bool_)
    keep[:-1] = keys[:-1] > later[1:]
    tp, height, kept = tp[keep], height[keep], np.searchsorted(np.flatnonzero(keep), start)
    width = np.diff(tp, prepend=0.0)
    first = kept[:-1][np.diff(kept) > 0]
    width[first] = tp[first]
    with np.errstate(divide="ignore", invalid="ignore"):
        areas = sums_of_parts(width * height, kept) / paths.relevant
    return np.where(paths.relevant > 0, areas, np.nan)


def _step_under_each(paths: Paths) -> Float64:
    """`step_under` of each path; NaN for a path without relevant items."""
    tp, fp, missed = (np.asarray(counts, np.int64) for counts in (paths.tp, paths.fp, paths.missed))
    hits = along(tp, fp, paths.start, missed, "block")
    hits_so_far = running(hits.count, hits.ranking, len(paths))
    units = step_units(hits.count, hits_so_far, hits.last - hits_so_far)
    parts = [integer_sums(each, hits.ranking, len(paths)).tolist() for each in units]
    relevant = np.asarray(paths.relevant).tolist()
    sums = zip(*parts, strict=True)
    return np.array(
        [step_area(each, of) if of else np.nan for each, of in zip(sums, relevant, strict=True)]
    )


@measure(
    "AUPRG",
    labelings="grid",
    sources=["flach-kull-2015"],
    aliases=["PRGainArea"],
    range=(-np.inf, 1),
    undefined="no item is relevant, or all are",
    example=Example(hits=[1, 3], retrieved=4, relevant=2, population=4, value=1 / 4),
)
def area_under_gain(path: Path) -> Values:
    """Area under the precision-recall-gain curve of Flach and Kull, with straight lines between its
    points; it may be negative.

    A gain is (x - π) / ((1 - π) x), where x is precision or recall and π the share of relevant
    items. `population` is the number of all items, retrieved or not. For curves it is known.
    """
    return gain_area(path) if path.relevant else float("nan")


@of_many(area_under_gain)
def _area_under_gain_of_each(paths: Paths) -> Float64 | None:
    relevant, other = paths.relevant, paths.others
    if other is None or paths.tp.dtype.kind != "i":
        return None
    if max(map(_greatest, (relevant, other))) >= _EXACT_SQUARES:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        k, crossing = relevant / other, relevant**2 / (relevant + other)
    is_above = paths.tp >= np.ceil(paths.along(crossing))  # where NaN, no row is
    row = paths.start[1:] - np.add.reduceat(is_above, paths.start[:-1], dtype=np.int64)
    has_area = (row < paths.start[1:]) & (relevant > 0) & (other > 0)
    rows, start = paths.rises()
    owner = np.repeat(np.arange(len(paths)), np.diff(start))
    used = has_area[owner] & (rows >= row[owner])
    rows, owner = rows[used], owner[used]
    columns = _before_and_at(paths, rows)
    # The line that crosses a recall gain of 0 counts from there, behind all others.
    cut = np.flatnonzero(has_area)
    cut = cut[paths.tp[row[cut]] > crossing[cut]]
    tp0, fp0, tp1, fp1 = _before_and_at(paths, row[cut] - 1)
    between = fp0 + (crossing[cut] - tp0) / (tp1 - tp0) * (fp1 - fp0)
    owner = np.concatenate((owner, cut))
    order = np.argsort(owner, kind="stable")
    columns = [
        np.concatenate(pair)[order]
        for pair in zip(columns, (crossing[cut], between, tp1, fp1), strict=True)
    ]
    owner = owner[order]
    terms = _gains(k[owner], relevant[owner], *columns)
    areas = sums_of_parts(terms, np.searchsorted(owner, np.arange(len(paths) + 1))) / 2
    return np.where((relevant > 0) & (other > 0), areas, np.nan)


def _greatest(counts: Cells) -> float:
    return float(np.max(counts, initial=0))


def _gains(
    k: Any, relevant: Any, tp0: Float64, fp0: Float64, tp1: Float64, fp1: Float64
) -> Float64:
    """Twice the areas under straight lines between points of a precision-recall-gain curve."""
    wide = k * relevant * (tp1 - tp0) / (tp0 * tp1)
    return np.asarray(wide * (2 - k * (fp0 / tp0 + fp1 / tp1)))


@measure(
    "AUC",
    labelings="grid",
    closed="ties count half",
    sources=["hanley-mcneil-1982", "mcclish-1989"],
    aliases=["AUROC", "ROCAUC", "AreaROC", "AreaUnderROC"],
    range=(0, 1),
    monotone=True,
    undefined="no item is relevant, or all are",
    sklearn="roc_auc_score",
    chance_is_zero=False,
    example=Example(hits=[1, 3], retrieved=4, relevant=2, population=4, value=3 / 4),
)
def area_under_roc(
    path: Path,
    *,
    method: RocMethod = "trapezoid",
    max_fpr: Part | None = None,
    mcclish: Flag = False,
) -> Values:
    """Area under the ROC curve: the chance that a relevant item outranks another one; ties count
    half.

    method=step is the sum of (R_i - R_{i-1}) times the specificity at step i. With max_fpr it is
    the area up to this false positive rate; mcclish=true rescales that area to .5 (chance) .. 1
    (perfect) (McClish 1989). `population` is the number of all items, retrieved or not. For curves
    it is known. Relevant items that were not retrieved rank below all others. For several
    categories use the mean of `Status.by_category("AUC")`, or `HandTill`.
    """
    is_partial = max_fpr is not None or mcclish
    if is_partial and method == "step":
        raise UsageError("max_fpr and mcclish are for method='trapezoid'")
    if path.tied and (is_partial or method == "step"):
        raise TiesUnresolved("of a part of the area no closed form is known")
    if not path.relevant or not path.other:
        return float("nan")
    if not is_partial:
        return under_roc(path, method == "step")
    most = 1.0 if max_fpr is None else max_fpr
    area = part_under_roc(path, most)
    return by_mcclish(area, most) if mcclish else area


@of_many(area_under_roc)
def _area_under_roc_of_each(
    paths: Paths, method: str, max_fpr: float | None, mcclish: bool
) -> Float64 | None:
    relevant, others = paths.relevant, paths.others
    if others is None or paths.tp.dtype.kind != "i" or max_fpr is not None or mcclish:
        return None
    if _greatest(relevant) * _greatest(others) >= _EXACT_PAIRS:
        return None
    rows, start = paths.rises()
    of_row = paths.along(others)[rows]
    fp = paths.fp[rows + 1]
    twice = of_row - fp + (of_row - (fp if method == "step" else paths.fp[rows]))
    pairs = integer_sums_of_parts((paths.tp[rows + 1] - paths.tp[rows]) * twice, start).tolist()
    all_pairs = (2 * relevant * others).tolist()
    return np.array(
        [right / of if of else np.nan for right, of in zip(pairs, all_pairs, strict=True)],
        np.float64,
    )


def part_of(given: object) -> tuple[str, float, bool] | None:
    """The name, the greatest rate and the use of McClish's scale of a partial area under ROC.

    None if the measure is not a partial area.
    """
    text = str(given)
    if not isinstance(given, Measure) and ("=" not in text or "(" not in text):
        return None
    try:
        named = given if isinstance(given, Measure) else find(text)
    except MeasureError:
        return None
    most, mcclish = (named.parameters.get(name) for name in ("max_fpr", "mcclish"))
    if named.declaration.name != "AUC" or (most is None and not mcclish):
        return None
    return named.name, 1.0 if most is None else float(most), bool(mcclish)


@measure(
    "Gini",
    labelings="grid",
    closed="ties count half",
    sources=["engelmann-2003"],
    aliases=["GiniCoefficient", "AccuracyRatio", "SomersD"],
    range=(-1, 1),
    monotone=True,
    undefined="no item is relevant, or all are",
    example=Example(hits=[1, 3], retrieved=4, relevant=2, population=4, value=1 / 2),
)
def gini(path: Path) -> Values:
    """Gini coefficient: share of pairs (a relevant and a nonrelevant item) in the right order,
    minus the share of those in the wrong order.

    It is 2 AUC - 1, the accuracy ratio of credit scoring and Somers' D; 0 for a random order.
    Pairs of equal score count 0. The Gini impurity of decision trees is another number.
    `population` is the number of all items, retrieved or not. For curves it is known.
    """
    return 2 * area_under_roc(path) - 1


@measure(
    "RankingLoss",
    labelings="grid",
    closed="ties count half",
    sources=["tsoumakas-2010"],
    aliases=["ranking-loss"],
    range=(0, 1),
    direction=-1,
    undefined="no item is relevant, or all are",
    sklearn="label_ranking_loss",
    chance_is_zero=False,
    elsewhere={
        "label_ranking_loss": "equal scores count half here; scikit-learn counts them whole"
    },
    example=Example(hits=[1, 3], retrieved=4, relevant=2, population=4, value=1 / 4),
)
def ranking_loss(path: Path) -> Values:
    """Ranking loss: share of pairs (a relevant and a nonrelevant item) that are in the wrong order.

    It is 1 - AUC. A pair of equal scores counts half; scikit-learn counts it whole. `population` is
    the number of all items, retrieved or not. For curves it is known.
    """
    return 1 - area_under_roc(path)
