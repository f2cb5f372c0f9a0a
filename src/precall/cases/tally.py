"""Labels and scores → a curve, by counting the cases of each distinct score; or → one number,
without the curve.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast, overload

import numpy as np

from precall.cases.curves import Count, Curve
from precall.cases.scored_cases import (
    EXACT,
    Scores,
    Weights,
    check_cases,
    group_indexes,
    missed_count,
    orient,
    refuse_nan,
    weight,
)
from precall.core.arguments import check_rows, row_names
from precall.core.counts import step_area
from precall.core.errors import UsageError
from precall.core.notes import run_and_warn, warn
from precall.core.notes.of_curves import UndefinedGroups
from precall.core.notes.of_intervals import UndefinedMeasure
from precall.core.ragged import Bool, Float64, Int64
from precall.core.rng import suggest_our_names
from precall.native import kernel, thread_count, twin_counting
from precall.read.weights import KindsOfWeights


@suggest_our_names
def curve(
    relevant: object,
    score: object,
    missed: int | float = 0,
    weights: object = None,
    positive: object = None,
    higher_is_better: bool = True,
) -> Curve:
    """The operating points of one scored list.

    Parameters
    ----------
    relevant : label of each case: bool, 0/1 or -1/1, also as texts; anything else needs `positive`.
    score : score of each case; ±inf are allowed, NaN is refused. Scores are never transformed.
    missed : number of relevant items that exist but were never scored (with weights, their sum):
        they count in every recall.
    weights : weight of each case, finite and >= 0. An integer weight repeats the case, 0 removes it
        (but a NaN score is refused even if its weight is 0). None is 1 each.
    positive : the label that counts as relevant; None if labels are bool, 0/1 or -1/1.
    higher_is_better : False if low scores are good, as with distances. Thresholds are scores as
        given in either case: with False, 9 accepts scores of 9 or less.

    Returns
    -------
    Curve

    Raises
    ------
    DataError
        A label or score is missing or not allowed; the message names the first case.
    UsageError
        Lengths differ, no label is `positive`, labels and scores are swapped, or another argument
        is not allowed.

    Notes
    -----
    Cases of equal score are accepted together: one row for each distinct score (Fawcett 2006).
    Recall is NaN if nothing is relevant, precision if nothing is accepted. scikit-learn adds a
    point of precision 1 and orders rows differently: docs/coming-from/sklearn.md.

    References
    ----------
    Fawcett, "An introduction to ROC analysis", Pattern Recognition Letters 2006.

    Examples
    --------
    >>> c = curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3])
    >>> c.recall, c.precision[1:]
    (array([0. , 0. , 0.5, 0.5, 1. ]), array([0.        , 0.5       , 0.33333333, 0.5       ]))
    >>> c.average_precision()
    0.5
    """
    (truth, value), notes = run_and_warn(
        lambda: check_cases(relevant, score, positive, higher_is_better)
    )
    missed = missed_count(missed, weights is not None)
    if weights is None:
        threshold, tp, fp = path(truth, value)
        cases = truth, orient(value, higher_is_better)
        made = Curve(
            orient(threshold, higher_is_better),
            tp,
            fp,
            missed,
            cases=cases,
            higher_is_better=higher_is_better,
            noticed=notes,
        )
        # Groups of its cases may be given later.
        object.__setattr__(made, "_rows", row_names(relevant, score))
        return made
    check_rows(relevant=relevant, weights=weights)
    heavy = weight(weights, len(value))
    result = _curve_of_weights(truth, value, heavy, missed, higher_is_better)
    result = replace(result, noticed=(*notes, *KindsOfWeights.of(truth, heavy).notes()))
    kept = truth, orient(value, higher_is_better), heavy
    object.__setattr__(result, "_weighted_cases", kept)
    object.__setattr__(result, "_rows", row_names(relevant, score, weights))
    return result


def from_counts(
    score: Scores,
    positive: Count,
    negative: Count,
    missed: int | float = 0,
    weighted: bool = False,
    higher_is_better: bool = True,
) -> Curve:
    """A curve from distinct scores as `orient` returns them, best first, and the numbers of
    relevant and other cases at each.

    Whole counts that add up to more than 2^53 are summed as float64.
    """
    if (
        positive.dtype.kind != "f"
        and np.sum(positive, dtype=float) + np.sum(negative, dtype=float) > EXACT
    ):
        positive, negative = positive.astype(np.float64), negative.astype(np.float64)
    threshold = np.concatenate((np.array([np.inf], score.dtype), score))
    sums: list[Any] = [np.zeros(len(score) + 1, kind.dtype) for kind in (positive, negative)]
    for kind, total in zip((positive, negative), sums, strict=True):
        np.cumsum(kind, out=total[1:])
    own = orient(threshold, higher_is_better)
    return Curve(own, sums[0], sums[1], missed, weighted, higher_is_better=higher_is_better)


def path(relevant: Bool, score: Scores) -> tuple[Scores, Int64, Int64]:
    """+inf and every distinct score, best first; the numbers of relevant and other cases at or
    above each.
    """
    threshold, tp, fp, nan = kernel().path(
        np.ascontiguousarray(relevant), np.ascontiguousarray(score), thread_count()
    )
    if nan >= 0:
        refuse_nan(score)
    return threshold, tp, fp


def weighted_cases(given: Curve) -> tuple[Bool, Scores, Weights] | None:
    """The labels, scores and weights of a curve that was made with weights; None if it does not
    keep them, or if they have changed since.
    """
    if (kept := given._weighted_cases) is None:
        return None
    relevant, score, weights = kept
    made = _curve_of_weights(relevant, orient(score, given.higher_is_better), weights, 0, True)
    same = np.array_equal(made.tp, given.tp) and np.array_equal(made.fp, given.fp)
    return kept if same else None


def holds_same_cases(given: Curve) -> bool:
    """Whether a curve keeps the labels and scores that it was made from, and they are unchanged."""
    if given.cases is None:
        return False
    before = orient(given.threshold, given.higher_is_better), given.tp, given.fp
    return all(map(np.array_equal, path(*oriented_cases(given)), before))


def oriented_cases(given: Curve) -> tuple[Bool, Scores]:
    """The labels of a curve that keeps its cases, and the scores as `orient` returns them."""
    assert given.cases is not None
    relevant, score = given.cases
    return relevant, orient(score, given.higher_is_better)


def tally(relevant: Bool, score: Scores) -> tuple[Scores, Int64, Int64]:
    """Distinct scores, best first; numbers of relevant and other cases at exactly that score."""
    threshold, tp, fp = path(relevant, score)
    return threshold[1:], np.diff(tp), np.diff(fp)


def _curve_of_weights(
    relevant: Bool, score: Scores, weights: Weights, missed: int | float, higher_is_better: bool
) -> Curve:
    threshold, tp, fp = _weigh(relevant, score, weights, True)
    if weights.dtype.kind != "f":
        # Sums of whole numbers up to 2^53 are exact, see `weight`.
        tp, fp = tp.astype(weights.dtype), fp.astype(weights.dtype)
    own = orient(threshold, higher_is_better)
    return Curve(own, tp, fp, missed, True, higher_is_better=higher_is_better)


def weighted_tally(relevant: Bool, score: Scores, weights: Weights) -> tuple[Scores, Count, Count]:
    """Distinct scores, best first, and sums of weights at each; a weight of 0 removes the case."""
    best, *sums = _weigh(relevant, score, weights, False)
    # Sums of whole numbers are exact, see `weight`.
    positive, negative = (cast(Count, each.astype(weights.dtype, copy=False)) for each in sums)
    return best, positive, negative


def _weigh(
    relevant: Bool, score: Scores, weights: Weights, summed: bool
) -> tuple[Scores, Float64, Float64]:
    module, columns = _counting_module(relevant, score, weights)
    best, positive, negative, nan = module.weigh(*columns, thread_count(), summed)
    if nan >= 0:
        refuse_nan(columns[1])
    return best, positive, negative


def _counting_module(
    relevant: Bool, score: Scores, weights: Weights
) -> tuple[Any, tuple[Bool, Scores, Float64]]:
    """The module that counts, and the cases whose weight is not 0."""
    keep = weights > 0
    if not keep.all():
        refuse_nan(score)
        relevant, score, weights = relevant[keep], score[keep], weights[keep]
    real = weights.astype(np.float64, copy=False)
    columns: Any = (
        np.ascontiguousarray(relevant),
        np.ascontiguousarray(score),
        np.ascontiguousarray(real),
    )
    # The kernel indexes cases with 32 bits.
    return kernel() if len(score) < 2**32 else twin_counting, columns


def _weighted_area(
    roc: bool,
    relevant: object,
    score: object,
    missed: int | float,
    weights: object,
    positive: object,
    higher_is_better: bool,
) -> float:
    """An area of weighted cases, equal digit for digit to that of their curve; the curve is made
    only if it has warnings to give.
    """
    truth, value = check_cases(relevant, score, positive, higher_is_better)
    missed = missed_count(missed, True)
    check_rows(relevant=relevant, weights=weights)
    array = weight(weights, len(value))
    if array.dtype.kind == "f":
        module, columns = _counting_module(truth, value, array)
        hits, others, total, nan = module.weigh_area(*columns, float(missed), roc, thread_count())
        if nan >= 0:
            refuse_nan(columns[1])
        if hits and others:
            return float(total / 2 if roc else total / (hits + missed))
    path = _curve_of_weights(truth, value, array, missed, higher_is_better)
    return path.area_under_roc() if roc else path.average_precision()


@overload
def average_precision(
    relevant: object,
    score: object,
    missed: int | float = 0,
    weights: object = None,
    positive: object = None,
    higher_is_better: bool = True,
    *,
    groups: None = None,
) -> float: ...


@overload
def average_precision(
    relevant: object,
    score: object,
    missed: int | float = 0,
    weights: object = None,
    positive: object = None,
    higher_is_better: bool = True,
    *,
    groups: object,
) -> dict[Any, float]: ...


@suggest_our_names
def average_precision(
    relevant: object,
    score: object,
    missed: int | float = 0,
    weights: object = None,
    positive: object = None,
    higher_is_better: bool = True,
    *,
    groups: object = None,
) -> float | dict[Any, float]:
    """Average precision of one scored list: `curve(...).average_precision()`, faster; or of each of
    many `groups`.

    The sum over distinct scores, best first, of the recall gained times the precision there; cases
    of equal score are accepted together. Parameters and errors are those of `curve`.

    Parameters
    ----------
    groups : the group of each case: the result then has a value for each group by its label, in the
        order of the labels; NaN if nothing in it is relevant. The cases are sorted once. Not with
        `missed` or `weights`, which belong to one list. None means one list.

    Returns
    -------
    float or dict
        In 0..1; NaN, with a `PrecallWarning`, if nothing is relevant. With `groups` {group: value}.

    Notes
    -----
    scikit-learn's `average_precision_score` is the same number, except that it is 0 if nothing is
    relevant. trec_eval orders items of equal score by their ids, so its AP can differ:
    docs/why/definitions.md.

    Examples
    --------
    >>> average_precision([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0])
    0.8333333333333333
    >>> average_precision([1, 0, 1, 0], [4.0, 3.0, 2.0, 5.0], groups=["a", "a", "b", "b"])
    {'a': 1.0, 'b': 0.5}
    """
    if groups is not None:
        if missed or weights is not None:
            raise UsageError(
                argument="groups",
                what="missed items and weights apply to a single list",
                remedy="leave out ⟨groups=⟩, or both of them",
            )
        return _of_groups(*check_cases(relevant, score, positive, higher_is_better), groups)
    if weights is not None:
        return _weighted_area(False, relevant, score, missed, weights, positive, higher_is_better)
    hits, _, a, b, c, *_ = _areas(relevant, score, positive, higher_is_better)
    total = int(hits + missed_count(missed, False))
    if not total:
        warn(UndefinedMeasure("average precision", "nothing is relevant"))
    return step_area((a, b, c), total) if total else float("nan")


def _of_groups(relevant: Bool, score: Scores, groups: object) -> dict[Any, float]:
    """Average precision by the label of each group."""
    labels, code = group_indexes(groups, len(relevant))
    order = np.argsort(code, kind="stable")
    start = np.searchsorted(code[order], np.arange(len(labels) + 1))
    total = np.bincount(code[relevant], minlength=len(labels))
    values = each_average_precision(relevant[order], score[order], start, total)
    if lacking := int(np.isnan(values).sum()):
        warn(UndefinedGroups("average precision", lacking, len(values), "nothing is relevant"))
    return dict(zip(labels, values.tolist(), strict=True))


@suggest_our_names
def area_under_roc(
    relevant: object,
    score: object,
    missed: int | float = 0,
    weights: object = None,
    positive: object = None,
    higher_is_better: bool = True,
) -> float:
    """Area under the ROC curve of one scored list: `curve(...).area_under_roc()`, faster.

    The chance that a relevant case outscores another one, equal scores counting half.

    Examples
    --------
    >>> area_under_roc([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0])
    0.75
    """
    if weights is not None:
        return _weighted_area(True, relevant, score, missed, weights, positive, higher_is_better)
    hits, others, _, _, _, twice, _ = _areas(relevant, score, positive, higher_is_better)
    total = hits + missed_count(missed, False)
    if not total or not others:
        which = "everything" if total else "nothing"
        warn(UndefinedMeasure("area under the ROC curve", f"{which} is relevant"))
        return float("nan")
    return twice / int(2 * total * others)


def each_average_precision(relevant: Bool, score: Scores, start: Int64, total: Int64) -> Float64:
    """Average precision of many rankings; ranking r has the cases `start[r]` to `start[r + 1]` and
    `total[r]` relevant items.

    NaN if nothing is relevant.

    Examples
    --------
    >>> relevant, score = np.array([True, False, False, True]), np.array([2.0, 1.0, 2.0, 1.0])
    >>> each_average_precision(relevant, score, np.array([0, 2, 4]), np.array([1, 2]))
    array([1.  , 0.25])
    """
    parts = _areas_each(relevant, score, start)[:, 2:5].tolist()
    values = [
        step_area((p[0], p[1], p[2]), size) if size else np.nan
        for p, size in zip(parts, total.tolist(), strict=True)
    ]
    return np.array(values, np.float64)


def each_area_under_roc(relevant: Bool, score: Scores, start: Int64, total: Int64) -> Float64:
    """Area under the ROC curve of many rankings; see `each_average_precision`. NaN if a ranking has
    only one kind of case.
    """
    table = _areas_each(relevant, score, start)
    rows = zip(table[:, 5].tolist(), total.tolist(), table[:, 1].tolist(), strict=True)
    values = [
        twice / (2 * size * others) if size and others else np.nan for twice, size, others in rows
    ]
    return np.array(values, np.float64)


def _areas_each(relevant: Bool, score: Scores, start: Int64) -> Int64:
    table = kernel().areas_each(
        np.ascontiguousarray(relevant),
        np.ascontiguousarray(score),
        np.ascontiguousarray(start),
        thread_count(),
    )
    if (table[:, 6] >= 0).any():
        refuse_nan(score)
    return table


def _areas(
    relevant: object, score: object, positive: object, higher_is_better: bool
) -> tuple[int, ...]:
    """The counts from which both areas are computed; see `precall.native.twin_counting.areas`."""
    truth, value = check_cases(relevant, score, positive, higher_is_better)
    counts: tuple[int, ...] = kernel().areas(
        np.ascontiguousarray(truth), np.ascontiguousarray(value), thread_count(None, len(truth))
    )
    if counts[-1] >= 0:
        refuse_nan(value)
    return counts
