"""Measures of the best point of a ranking's path: break-even, greatest F, and the depth that covers all."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Annotated

import numpy as np

from precall.counts import ROWS, Path, Paths, of_many, parts
from precall.declare import Alpha, Beta, Example, Values, choice, measure, weighted
from precall.declare.bound import Measure, find
from precall.ragged import Float64, Int64, best_row, rounding

#: Differences of P and R that differ by less are equal.
_ROUNDING = 1e-12


def break_even_max_min(path: Path) -> float:
    """The greatest min(P, R)."""
    # Up to as many accepted as are relevant that is R, which ascends, and behind it P.
    row = _first_accepting(path, path.relevant, above=True)
    most = path.tp[row - 1] / path.relevant
    for first in range(row, len(path.tp), ROWS):
        tp, fp = (column[first : first + ROWS] for column in (path.tp, path.fp))
        most = max(most, (tp / (tp + fp)).max())
    return float(most)


def _first_accepting(path: Path, number: float, above: bool = False) -> int:
    """The first row that accepts so many, or, if `above`, more; the number of rows if there is none."""
    find = bisect_right if above else bisect_left
    return find(range(len(path.tp)), number, key=lambda row: path.tp[row] + path.fp[row])


def break_even_nearest(path: Path) -> float:
    """Mean of P and R where they are `nearest`; 0 without hits."""
    return nearest(path)[1]


def nearest(path: Path) -> tuple[int, float]:
    """The threshold with a hit where P and R are nearest, of equals that of the greatest mean, and the mean; 0 without hits."""
    first, last = _about_relevant(path)
    tp = path.tp[first:last]
    if not len(tp):
        return 0, 0.0
    precision, recall = tp / (tp + path.fp[first:last]), tp / path.relevant
    # |P - R| is compared as the fraction TP |relevant - accepted| / (relevant accepted), within rounding.
    difference, both = np.abs(precision - recall), precision + recall
    best = int(np.where(difference <= difference.min() + _ROUNDING, both, 0).argmax())
    return first + best, float(both[best]) / 2


def _about_relevant(path: Path) -> tuple[int, int]:
    """The first row, and the one after the last, that P and R can be nearest at: about as many are accepted as are relevant.

    |P - R| = TP |1/accepted - 1/relevant|, and TP is no less than that of the first row with a hit.
    """
    first, size = int(path.tp.searchsorted(0, "right")), len(path.tp)
    middle = _first_accepting(path, path.relevant)
    beside = [row for row in (middle - 1, middle) if first <= row < size]
    if not beside:
        return first, size
    known = min(
        abs(tp / (tp + fp) - tp / path.relevant)
        for tp, fp in ((path.tp[row], path.fp[row]) for row in beside)
    )
    reach = float(known + 2 * _ROUNDING) / float(path.tp[first]) * path.relevant
    low = max(first, _first_accepting(path, path.relevant / (1 + reach) * (1 - _ROUNDING)))
    most = path.relevant / (1 - reach) * (1 + _ROUNDING) if reach < 1 else np.inf
    return low, _first_accepting(path, most, above=True)


def nearest_of_each(paths: Paths) -> tuple[Int64, Float64]:
    """`nearest` of many, by the rows of all."""
    precision, recall = paths.tp / (paths.tp + paths.fp), paths.tp / paths.along(paths.relevant)
    difference, both = np.abs(precision - recall), precision + recall
    difference[paths.tp == 0] = np.inf
    near = (difference <= paths.along(paths.greatest(difference, least=True)) + _ROUNDING) & (paths.tp > 0)
    both = np.where(near, both, 0.0)
    rows = paths.best_rows(both)
    return rows, both[rows] / 2


#: What is said where that shows.
LEFT_EARLY = (
    "precision and recall meet only before the first hit, at 0; break-even is where they are nearest after it"
)


def is_left_early(path: Path) -> bool:
    """Whether P and R are equal before the first hit, at 0, and nowhere behind it.

    Examples
    --------
    >>> from precall.curves import curve
    >>> is_left_early(curve([0, 1], [2, 1])), is_left_early(curve([0, 1, 1], [3, 2, 1]))
    (True, False)
    """
    row, value = nearest(path)
    return bool(value and not path.tp[1] and path.tp[row] + path.fp[row] != path.relevant)


def break_even_linear(path: Path) -> float:
    """The highest crossing of P = R and the straight lines between points; 0 if there is none."""
    # P is above R as long as fewer are accepted than are relevant, and below it afterwards.
    row = _first_accepting(path, path.relevant)
    if row == len(path.tp):
        return 0.0
    # With nothing accepted recall is 0 and precision that of the first threshold.
    last, at = [row - 1, row], [max(row - 1, 1), row]
    recall = path.tp[last] / path.relevant
    before, behind = path.tp[at] / (path.tp[at] + path.fp[at]) - recall
    if not (before and behind):
        return float(recall[0 if behind else 1])
    return float(recall[0] + before / (before - behind) * (recall[1] - recall[0]))


#: Different numbers; the first is what "break-even" means where nothing else is said.
BREAK_EVEN: dict[str, Callable[[Path], float]] = {
    "nearest": break_even_nearest,
    "max-min": break_even_max_min,
    "linear": break_even_linear,
}
#: What the literature calls interpolated is the nearest; what we once called so is not.
BREAK_EVEN_ALIASES = {"interpolated-bep": "nearest", "interpolated": "max-min"}
BreakEvenMethod = Annotated[str, choice(*BREAK_EVEN, also=BREAK_EVEN_ALIASES)]


@measure(
    "BEP", sources=["lewis-1992", "joachims-1998"], aliases=["break-even", "BreakEven", "interpolated-bep"], range=(0, 1),
    shown="method",
    undefined="no item is relevant", example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, value=1 / 3),
)  # fmt: skip
def break_even(path: Path, *, method: BreakEvenMethod = "nearest") -> Values:
    """Break-even: where precision equals recall. It has several senses, which are different numbers of one curve.

    Where nothing else is said (`precall categories`, --policy break-even, Curve.break_even()) it is the first.

    - nearest or interpolated-bep: Mean of P and R at the threshold, of those with a hit, where they are nearest, of
      equals the greatest: the literature's interpolated BEP. It is 0 without hits; thresholds before the first hit,
      where P = R = 0, are left out. Of a ranking that is long enough it is R-precision.
    - max-min or interpolated: Where the interpolated (step) curve crosses P = R: the greatest min(P, R). That is
      LingPipe's sense; its own number, in `precall.compat.lingpipe`, may be less.
    - linear: Where the straight lines between points cross P = R, the highest crossing; 0 if there is none.
    """
    return BREAK_EVEN[method](path) if path.relevant else float("nan")


@of_many(break_even)
def _break_even_of_each(paths: Paths, method: str) -> Float64 | None:
    if method == "linear":
        return None
    if method == "nearest":
        values = nearest_of_each(paths)[1]
    else:
        values = paths.greatest(
            np.fmin(paths.tp / (paths.tp + paths.fp), paths.tp / paths.along(paths.relevant))
        )
        # Only accepting nothing has no precision.
        values[np.diff(paths.start) == 1] = 0.0
    return np.where(paths.relevant > 0, values, np.nan)


@measure(
    "MaxF", sources=["lewis-1995", "yang-2001"], aliases=["max-f", "max-F1"], range=(0, 1), monotone=True,
    undefined="no item is relevant; of beta 0 or alpha 1, nothing was retrieved",
    example=Example(hits=[2, 4, 5], retrieved=6, relevant=3, value=6 / 8),
)  # fmt: skip
def greatest_f(path: Path, *, beta: Beta = 1.0, alpha: Alpha | None = None) -> Values:
    """The greatest F of any threshold: what the best threshold gives on the items by which it was chosen.

    `Curve.max_f()` tells the threshold, `pc.interval.max_f` what is to be expected of it on others; any measure of
    counts has its best threshold by `Curve.at(max=)`. `alpha` may be given instead of beta, as for F.
    """
    return best_threshold(path, _f(beta, alpha))[1] if path.relevant else float("nan")


@of_many(greatest_f)
def _greatest_f_of_each(paths: Paths, beta: float, alpha: float | None) -> Float64:
    return np.where(paths.relevant > 0, paths.greatest(_f(beta, alpha).of_table(paths.table())), np.nan)


def best_threshold(path: Path, measure: Measure) -> tuple[int, float]:
    """The first threshold where a measure of counts is best, but for rounding, and its value there: NaN if undefined at all."""
    least, bounds, best = measure.declaration.direction < 0, measure.declaration.range, (0, np.nan)
    # Formulas of others may look at all rows.
    for rows, part in parts(path) if measure.declaration.ours else [(slice(0, None), path)]:
        values = measure.of_table(part)
        if np.isnan(values.min()):
            if np.isnan(values).all():
                continue
            values = np.where(np.isnan(values), np.inf if least else -np.inf, values)
        row = best_row(values, least, bounds)
        near = rounding(best[1], bounds)
        if np.isnan(best[1]) or (values[row] < best[1] - near if least else values[row] > best[1] + near):
            best = rows.start + row, float(values[row])
    return best


def _f(beta: float, alpha: float | None) -> Measure:
    return weighted("F", beta) if alpha is None else find(f"F(alpha={alpha!r})")


@measure(
    "Coverage", sources=["tsoumakas-2010"], aliases=["CoverageError"], range=(1, np.inf), direction=-1,
    undefined="no item is relevant, or nothing or only some of what is relevant was retrieved",
    sklearn="coverage_error", example=Example(hits=[2, 4], retrieved=6, relevant=2, value=4),
)  # fmt: skip
def coverage(path: Path) -> Values:
    """Coverage: how many of the best items must be accepted to find all that is relevant; low is good."""
    # What was never ranked no depth covers.
    if not path.relevant or path.missed:
        return float("nan")
    return float(path.accepted[int(np.argmax(path.tp == path.tp[-1]))])
