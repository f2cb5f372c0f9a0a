"""Measures at the best point of a curve: break-even, greatest F, recall at a precision, the depth
that covers all.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Annotated

import numpy as np

from precall.core.counts import ROWS, Cells, Counts, Path, Paths, chunks_of_path, of_many
from precall.core.ragged import Bool, Float64, Int64, around
from precall.measures.registry import (
    Alpha,
    Beta,
    Example,
    Measure,
    Share,
    Values,
    choice,
    find,
    measure,
    weighted,
)

#: Two differences |P - R| count as equal if they differ by less than this.
_ROUNDING = 1e-12


def break_even_max_min(path: Path) -> float:
    """The greatest min(P, R)."""
    # While at most as many are accepted as are relevant, min(P, R) is R, which ascends; behind that
    # row it is P.
    row = _first_accepting(path, path.relevant, above=True)
    most = path.tp[row - 1] / path.relevant
    for first in range(row, len(path.tp), ROWS):
        tp, fp = (column[first : first + ROWS] for column in (path.tp, path.fp))
        most = max(most, (tp / (tp + fp)).max())
    return float(most)


def _first_accepting(path: Path, number: float, above: bool = False) -> int:
    """The first row that accepts at least `number`, or more than that if `above`.

    It is the number of rows if there is no such row.
    """
    find = bisect_right if above else bisect_left
    return find(range(len(path.tp)), number, key=lambda row: path.tp[row] + path.fp[row])


def break_even_nearest(path: Path) -> float:
    """The mean of P and R at the threshold where they are `nearest`; 0 without hits."""
    return nearest(path)[1]


def nearest(path: Path) -> tuple[int, float]:
    """The threshold where P and R are nearest, and their mean there; 0 without hits.

    Only thresholds with a hit count. Of equally near ones it is the one of the greatest mean.
    """
    first, last = _about_relevant(path)
    tp = path.tp[first:last]
    if not len(tp):
        return 0, 0.0
    precision, recall = tp / (tp + path.fp[first:last]), tp / path.relevant
    # |P - R| is compared as the fraction TP |relevant - accepted| / (relevant accepted), within
    # rounding.
    difference, both = np.abs(precision - recall), precision + recall
    best = int(np.where(difference <= difference.min() + _ROUNDING, both, 0).argmax())
    return first + best, float(both[best]) / 2


def _about_relevant(path: Path) -> tuple[int, int]:
    """The range of rows in which P and R can be nearest: first row, and the row after the last.

    About as many items are accepted there as are relevant: |P - R| = TP |1/accepted - 1/relevant|,
    and TP is at least that of the first row with a hit.
    """
    first, size = int(path.tp.searchsorted(0, "right")), len(path.tp)
    middle = _first_accepting(path, path.relevant)
    beside = [row for row in (middle - 1, middle) if first <= row < size]
    if not beside:
        return first, size
    least_gap = min(
        abs(tp / (tp + fp) - tp / path.relevant)
        for tp, fp in ((path.tp[row], path.fp[row]) for row in beside)
    )
    reach = float(least_gap + 2 * _ROUNDING) / float(path.tp[first]) * path.relevant
    low = max(first, _first_accepting(path, path.relevant / (1 + reach) * (1 - _ROUNDING)))
    most = path.relevant / (1 - reach) * (1 + _ROUNDING) if reach < 1 else np.inf
    return low, _first_accepting(path, most, above=True)


def nearest_of_each(paths: Paths) -> tuple[Int64, Float64]:
    """`nearest` of many paths; thresholds are rows of the concatenated paths."""
    precision, recall = paths.tp / (paths.tp + paths.fp), paths.tp / paths.along(paths.relevant)
    difference, both = np.abs(precision - recall), precision + recall
    difference[paths.tp == 0] = np.inf
    near = (difference <= paths.along(paths.greatest(difference, least=True)) + _ROUNDING) & (
        paths.tp > 0
    )
    both = np.where(near, both, 0.0)
    rows = paths.best_rows(both)
    return rows, both[rows] / 2


def is_left_early(path: Path) -> bool:
    """Whether P and R are equal at 0, before the first hit, and at no later threshold.

    Examples
    --------
    >>> from precall.cases import curve
    >>> is_left_early(curve([0, 1], [2, 1])), is_left_early(curve([0, 1, 1], [3, 2, 1]))
    (True, False)
    """
    row, value = nearest(path)
    # Sums of real weights may differ by rounding although P and R are equal.
    accepted = path.tp[row] + path.fp[row]
    return bool(
        value and not path.tp[1] and abs(accepted - path.relevant) > _ROUNDING * path.relevant
    )


def are_left_early(paths: Paths) -> Bool:
    """`is_left_early` of each path."""
    rows, values = nearest_of_each(paths)
    first = np.minimum(paths.start[:-1] + 1, paths.start[1:] - 1)
    gap = np.abs(paths.tp[rows] + paths.fp[rows] - paths.relevant)
    return np.asarray(
        (values > 0) & (paths.tp[first] == 0) & (gap > _ROUNDING * paths.relevant), np.bool_
    )


def break_even_linear(path: Path) -> float:
    """The highest point where the straight lines between points cross P = R; 0 if there is none."""
    # P is above R while fewer items are accepted than are relevant, and below R afterwards.
    row = _first_accepting(path, path.relevant)
    if row == len(path.tp):
        return 0.0
    # If nothing is accepted, recall is 0, and precision counts as that of the first threshold.
    last, at = [row - 1, row], [max(row - 1, 1), row]
    recall = path.tp[last] / path.relevant
    before, behind = path.tp[at] / (path.tp[at] + path.fp[at]) - recall
    if not (before and behind):
        return float(recall[0 if behind else 1])
    return float(recall[0] + before / (before - behind) * (recall[1] - recall[0]))


#: The senses of break-even, which are different numbers. The first is the default.
BREAK_EVEN: dict[str, Callable[[Path], float]] = {
    "nearest": break_even_nearest,
    "max-min": break_even_max_min,
    "linear": break_even_linear,
}
#: "interpolated-bep" follows the literature. "interpolated" is our earlier name of another sense.
BREAK_EVEN_ALIASES = {"interpolated-bep": "nearest", "interpolated": "max-min"}
BreakEvenMethod = Annotated[str, choice(*BREAK_EVEN, also=BREAK_EVEN_ALIASES)]


@measure(
    "BEP",
    labelings="grid",
    sources=["lewis-1992", "joachims-1998"],
    aliases=["break-even", "BreakEven", "interpolated-bep"],
    range=(0, 1),
    shown="method",
    undefined="no item is relevant",
    example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, value=1 / 3),
)
def break_even(path: Path, *, method: BreakEvenMethod = "nearest") -> Values:
    """Break-even: the value where precision equals recall. It has several definitions, which give
    different numbers.

    The default is the first, `nearest`. `Curve.break_even()`, `precall categories` and its
    `--policy break-even` use it as well.

    - nearest or interpolated-bep: Mean of P and R at the threshold where they are nearest; if
      several are equally near, the greatest mean. This is the literature's interpolated BEP. It is
      0 without hits; thresholds before the first hit, where P = R = 0, are left out. If the ranking
      is long enough, it is R-precision.
    - max-min or interpolated: Where the interpolated (step) curve crosses P = R: the greatest
      min(P, R). This is LingPipe's sense. LingPipe's own number, in
      `precall.compat.lingpipe`, may be less.
    - linear: The highest point where the straight lines between points cross P = R; 0 if there is
      none.
    """
    return BREAK_EVEN[method](path) if path.relevant else float("nan")


@of_many(break_even)
def _break_even_of_each(paths: Paths, method: str) -> Float64 | None:
    if method == "linear":
        if paths.tp.dtype.kind != "i":
            return None
        values = _linear_of_each(paths)
    elif method == "nearest":
        values = nearest_of_each(paths)[1]
    else:
        values = paths.greatest(
            np.fmin(paths.tp / (paths.tp + paths.fp), paths.tp / paths.along(paths.relevant))
        )
        # A path with only the row that accepts nothing has no precision; its value is 0.
        values[np.diff(paths.start) == 1] = 0.0
    return np.where(paths.relevant > 0, values, np.nan)


@measure(
    "MaxF",
    labelings="cutoffs",
    sources=["lewis-1995", "yang-2001"],
    aliases=["max-f", "max-F1"],
    range=(0, 1),
    monotone=True,
    undefined="no item is relevant; with beta 0 or alpha 1, if nothing was retrieved",
    example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, value=6 / 8),
)
def greatest_f(path: Path, *, beta: Beta = 1.0, alpha: Alpha | None = None) -> Values:
    """The greatest F at any threshold. The threshold is chosen on the same items that F is measured
    on.

    `Curve.max_f()` returns the threshold, and `pc.interval.max_f` the F to expect from it on new
    items. `Curve.at(max=)` finds the best threshold for any measure of counts. `alpha` may be given
    instead of beta, as for F.
    """
    return best_threshold(path, f_of(beta, alpha))[1] if path.relevant else float("nan")


@measure(
    "RAtPrecision",
    sources=["eban-2017"],
    aliases=["recall@precision", "RecallAtPrecision", "RecallAtFixedPrecision"],
    range=(0, 1),
    monotone=True,
    undefined="no item is relevant",
    example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, precision=0.6, value=1),
)
def recall_at_precision(path: Path, *, precision: Share) -> Values:
    """recall@precision: the greatest recall of a threshold whose precision is at least this.

    `Curve.at(precision=)` has the threshold. If no threshold has this precision, the value is 0:
    nothing can be accepted, and nothing is found. `Curve.at` then raises an error. Precision can
    rise again behind a threshold where it is too low, so the last threshold with this precision
    counts.
    """
    if not path.relevant:
        return float("nan")
    with np.errstate(invalid="ignore"):
        enough = np.flatnonzero(path.tp / (path.tp + path.fp) >= _least(path.tp, precision))
    return float(path.tp[enough[-1]] / path.relevant) if len(enough) else 0.0


def _least(tp: Cells, precision: float) -> float:
    """The least quotient that counts as this precision: sums of real weights have rounding."""
    return precision - (_ROUNDING if tp.dtype.kind == "f" else 0.0)


@of_many(recall_at_precision)
def _recall_at_precision_of_each(paths: Paths, precision: float) -> Float64:
    with np.errstate(invalid="ignore"):
        is_enough = paths.tp / (paths.tp + paths.fp) >= _least(paths.tp, precision)
        found = paths.greatest(np.where(is_enough, paths.tp, 0.0))
        return np.where(paths.relevant > 0, found / paths.relevant, np.nan)


@measure(
    "KS",
    labelings="grid",
    sources=["smirnov-1948"],
    aliases=["KolmogorovSmirnov", "KSStatistic"],
    range=(0, 1),
    monotone=True,
    undefined="no item is relevant, or all are",
    chance_is_zero=False,
    example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, population=6, value=1 / 3),
)
def kolmogorov_smirnov(path: Path) -> Values:
    """Kolmogorov-Smirnov statistic: the greatest recall minus false positive rate at any threshold.

    It is the greatest YoudenJ; `Curve.at(max="YoudenJ")` has its threshold. Credit scoring prints
    100 times this number. It is 0 if no threshold is better than chance: `scipy.stats.ks_2samp`
    takes the difference of either sign, so it is high for scores of the wrong direction too.
    `population` is the number of all items, retrieved or not. For curves it is known.
    """
    if not path.relevant or not path.other:
        return float("nan")
    # The threshold that accepts nothing has 0.
    return max(best_threshold(path, find("YoudenJ"))[1], 0.0)


@of_many(kolmogorov_smirnov)
def _kolmogorov_smirnov_of_each(paths: Paths) -> Float64 | None:
    others = paths.others
    if others is None:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        values = best_row_of_each(paths, find("YoudenJ"))[1]
    return np.where((paths.relevant > 0) & (others > 0), np.fmax(values, 0.0), np.nan)


def _linear_of_each(paths: Paths) -> Float64:
    """`break_even_linear` of many paths that have relevant items."""
    relevant, begin = paths.relevant, paths.start[:-1]
    is_before = paths.tp + paths.fp < paths.along(relevant)
    row = begin + np.add.reduceat(is_before, begin, dtype=np.int64)
    values = np.zeros(len(paths))
    chosen = np.flatnonzero((row < paths.start[1:]) & (relevant > 0))
    row, begin, relevant = row[chosen], begin[chosen], relevant[chosen]
    low, high = paths.tp[row - 1] / relevant, paths.tp[row] / relevant
    first = np.maximum(row - 1, begin + 1)
    before = paths.tp[first] / (paths.tp[first] + paths.fp[first]) - low
    behind = paths.tp[row] / (paths.tp[row] + paths.fp[row]) - high
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = low + before / (before - behind) * (high - low)
    at_point = np.where(behind != 0, low, high)
    values[chosen] = np.where((before != 0) & (behind != 0), crossing, at_point)
    return values


@of_many(greatest_f)
def _greatest_f_of_each(paths: Paths, beta: float, alpha: float | None) -> Float64:
    return np.where(
        paths.relevant > 0, paths.greatest(f_of(beta, alpha).of_table(paths.table())), np.nan
    )


def best_threshold(path: Path, measure: Measure) -> tuple[int, float]:
    """The first threshold where a measure is best within rounding, and its value there.

    The value is NaN if the measure is undefined at every threshold.
    """
    least = measure.declaration.direction < 0
    # Formulas that users declare may need all rows at once, so the path is split for ours only.
    several = list(chunks_of_path(path)) if measure.declaration.ours else [(slice(0, None), path)]
    bound, most = -np.inf, []
    for _, chunk in several:
        values, low, high = _around(measure, chunk, least)
        bound = max(bound, low.max())
        most.append(high.max())
    if bound == -np.inf:
        return 0, np.nan
    # The first chunk with a value that reaches the bound has the threshold. It is computed again
    # if there are several chunks.
    rows, chunk = several[int(np.argmax(np.array(most) >= bound))]
    if len(several) > 1:
        values, _, high = _around(measure, chunk, least)
    row = int((high >= bound).argmax())
    return rows.start + row, float(values[row])


def best_allowed(path: Path, measure: Measure, allowed: Bool) -> tuple[int, float]:
    """`best_threshold` among the thresholds that are `allowed`; if the measure is undefined at all
    of them, the first, with NaN.
    """
    values, low, high = _around(measure, path, measure.declaration.direction < 0)
    low, high = (np.where(allowed, end, -np.inf) for end in (low, high))
    if low.max() == -np.inf:
        return int(np.argmax(allowed)), np.nan
    row = int(np.argmax(high >= low.max()))
    return row, float(values[row])


def best_row_of_each(paths: Paths, measure: Measure) -> tuple[Int64, Float64]:
    """`best_threshold` of each path; thresholds are rows of the concatenated paths.

    If a measure is undefined at every threshold of a path, it is its first row, with NaN.
    """
    table = paths.table()
    values = measure.of_table(table)
    is_least = measure.declaration.direction < 0
    rows = paths.best_rows(values, is_least, sizes_of(measure, table, values))
    return rows, values[rows]


def _around(measure: Measure, part: Path, least: bool) -> tuple[Float64, Float64, Float64]:
    """The values of a chunk of rows, and the least and greatest values that rounding allows.

    An undefined value is no better than any other.
    """
    values = measure.of_table(part)
    low, high = around(values, sizes_of(measure, part, values), least)
    missing = np.isnan(values)
    if missing.any():
        low, high = (np.where(missing, -np.inf, end) for end in (low, high))
    return values, low, high


def sizes_of(measure: Measure, table: Counts | Path, values: Float64) -> Float64:
    """The size of the terms that a measure's values are computed from; rounding is relative to it.

    If a formula subtracts nothing, the size is the value itself, however small. For formulas that
    users declare it is the greatest possible value, or the value if there is no greatest one. The
    same holds for our formulas if cells are differences of sums of real weights.
    """
    name, bounds = measure.declaration.name, measure.declaration.range
    if measure.declaration.ours:
        if name in _SIZES:
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.asarray(_SIZES[name](table, **measure.parameters), np.float64)
        is_exact = table.tp.dtype.kind == "i" and table.fp.dtype.kind == "i"
        if bounds[0] >= 0 and (is_exact or name in _OF_ACCEPTED):
            return np.abs(values)
    greatest = max(map(abs, bounds))
    return np.abs(values) if np.isinf(greatest) else np.maximum(np.abs(values), greatest)


#: Measures whose formulas use only accepted cells and margins, and do not subtract.
_OF_ACCEPTED = ("P", "R", "F", "Fallout", "LR+", "FowlkesMallows", "Jaccard")


def _size_of_j(c: Counts | Path, **_: object) -> Values:
    return c.tp / c.relevant + c.fp / c.other


def _size_of_mcc(c: Counts | Path, **_: object) -> Values:
    w = c.wide()
    return (w.tp * w.other + w.fp * w.relevant) / np.sqrt(
        (w.accepted * w.relevant).astype(np.float64) * (w.rejected * w.other)
    )


def _size_of_kappa(c: Counts | Path, **_: object) -> Values:
    w = c.wide()
    return (
        2 * (w.tp * w.other + w.fp * w.relevant) / (w.accepted * w.other + w.relevant * w.rejected)
    )


def _size_of_net_benefit(c: Counts | Path, threshold: float, scale: str) -> Values:
    odds = threshold / (1 - threshold)
    if scale == "avoided":
        return (odds * c.tn + c.fn) / (odds * np.float64(c.total))
    return (c.tp + odds * c.fp) / (c.relevant if scale == "standardized" else c.total)


def _size_of_utility(
    c: Counts | Path, found: float, nonrelevant: float, missed: float, rejected: float
) -> Values:
    size = abs(found) * c.tp + abs(nonrelevant) * c.fp + abs(missed) * c.fn
    return size + abs(rejected) * c.tn if rejected else size


#: The sizes of formulas that subtract.
_SIZES: dict[str, Callable[..., Values]] = {
    "YoudenJ": _size_of_j,
    "MCC": _size_of_mcc,
    "kappa": _size_of_kappa,
    "NetBenefit": _size_of_net_benefit,
    "Utility": _size_of_utility,
    "E": lambda c, **_: np.ones(c.tp.shape),
}


def f_of(beta: float, alpha: float | None) -> Measure:
    """F of counts with a weight, which is given in one of two ways."""
    return weighted("F", beta) if alpha is None else find(f"F(alpha={alpha!r})")


@measure(
    "Coverage",
    labelings="grid",
    sources=["tsoumakas-2010"],
    aliases=["CoverageError"],
    range=(1, np.inf),
    direction=-1,
    chance_is_zero=False,
    undefined="no item is relevant, or nothing was retrieved, or not every relevant item",
    sklearn="coverage_error",
    example=Example(hits=[2, 4], retrieved=6, relevant=2, value=4),
)
def coverage(path: Path) -> Values:
    """Coverage: how many of the best items must be accepted to find all relevant items; low is
    good.
    """
    # No depth covers relevant items that were never ranked.
    if not path.relevant or path.missed:
        return float("nan")
    return float(path.accepted[int(np.argmax(path.tp == path.tp[-1]))])
