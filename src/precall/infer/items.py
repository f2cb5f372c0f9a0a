"""Two scored lists of the same items: is one average precision, or area under ROC, greater than the other?

Both lists rank the same items, so their values rise and fall together; what is tested is the
difference item by item. Which test: the permutation of ranks keeps its size (see docs/comparing.md);
DeLong's for areas under ROC and the influence test for AP need no resampling and give an interval.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from precall.errors import DataError, Problem, UsageError
from precall.infer.blocks import (
    average_precision,
    blocks,
    exchanged,
    precision_influence,
    redrawn_values,
    roc_influence,
)
from precall.infer.comparisons import Comparison
from precall.infer.libraries import stats
from precall.infer.paired import checked_level, midranks
from precall.infer.resampling import TOLERANCE, Rng, checked, counted, parts, sampled_p, seeded
from precall.ragged import Bool, Float64, Int64

MEASURES = ("AP", "AUC")
TESTS = ("permutation", "delong", "influence", "bootstrap")
RESAMPLES = 5_000
_CELLS = 2**20
_FEW = 20


class Lists(NamedTuple):
    """Labels, and the blocks that the items stand in, in either list."""

    relevant: Bool
    first: Int64
    second: Int64


def compared(
    relevant: Bool, score_a: Any, score_b: Any, *, measure: str = "AP", test: str | None = None, level: float = 0.95,
    resamples: int = RESAMPLES, rng: Rng = None, names: tuple[str, str] = ("a", "b"),
) -> Comparison:  # fmt: skip
    """Compare two scored lists of the same items.

    Parameters
    ----------
    relevant : label of every item.
    score_a, score_b : the two scores of every item, high ones good; scales need not be alike.
    measure : "AP" (equal scores one block, as in `precall.curve`) or "AUC" (area under ROC).
    test : of no difference, two-sided:

        - "permutation", the default for AP: an item's ranks in the two lists are exchanged at random,
          both lists ranked again (Venkatraman & Begg 1996; Bandos 2005), p = (c + 1)/(resamples + 1);
        - "delong", the default for AUC, and for AUC only: DeLong, DeLong & Clarke-Pearson 1988;
        - "influence": the difference over the root of the sum of squared differences of influence;
        - "bootstrap": items redrawn; p is the least level at which the percentile interval excludes 0.
    level, resamples, rng : of the interval; of permutation and bootstrap.

    Returns
    -------
    Comparison
        `size` is the number of items. Intervals are normal with the test's standard error (permutation
        of AP: the influence's; of AUC: DeLong's), or percentiles.

    Raises
    ------
    DataError
        Everything is relevant, or nothing.
    UsageError
        Columns of unequal length, or a test that is not of this measure.

    Notes
    -----
    Two lists that order all items alike give p = 1 and an interval of no length. DeLong's is not valid
    for nested models fitted to the same cases (Demler et al. 2012).

    Examples
    --------
    >>> y = np.array([1, 1, 0, 1, 0, 0, 1, 0], bool)
    >>> a, b = np.array([8, 7, 6, 5, 4, 3, 2, 1]), np.array([8, 3, 6, 1, 4, 5, 2, 7])
    >>> found = compared(y, a, b, measure="AUC")
    >>> found.difference, round(found.p, 4)
    (0.5, 0.0455)
    """
    chosen = _checked(measure, test)
    checked_level(level)
    checked(resamples)
    lists = Lists(np.asarray(relevant, np.bool_), blocks(score_a), blocks(score_b))
    _refuse(lists)
    values = _value(lists.relevant, lists.first, measure), _value(lists.relevant, lists.second, measure)
    difference = values[0] - values[1]
    said: tuple[str, ...] = ()
    entropy = ""
    error = _standard_error(lists, measure)
    half = float(stats().norm.isf((1 - level) / 2)) * error
    low, high = difference - half, difference + half
    if np.array_equal(lists.first, lists.second):
        p, how, low, high = 1.0, "the same order", 0.0, 0.0
    elif chosen in ("delong", "influence"):
        p, how, said = _normal(difference, error, lists)
    else:
        made, entropy = seeded(rng)
        p, how, edges = _RESAMPLED[chosen](lists, measure, difference, made, resamples, level)
        low, high = edges or (low, high)
    return Comparison(
        names=names, measure=measure, values=values, difference=difference, low=low, high=high, level=level, p=p,
        test=chosen, how=how, size=len(lists.relevant), statistic=difference / error if error else float("nan"),
        notes=said, entropy=entropy,
    )  # fmt: skip


def _checked(measure: str, test: str | None) -> str:
    if measure not in MEASURES:
        raise UsageError(f"measure: got {measure!r}, allowed are {', '.join(MEASURES)}")
    chosen = test or {"AP": "permutation", "AUC": "delong"}[measure]
    if chosen not in TESTS:
        raise UsageError(f"test: got {test!r}, allowed are {', '.join(TESTS)}")
    if chosen == "delong" and measure != "AUC":
        raise UsageError(
            "test='delong' is of areas under ROC; for AP pass 'permutation', 'influence' or 'bootstrap'"
        )
    return chosen


def _refuse(lists: Lists) -> None:
    sizes = [len(column) for column in lists]
    if len(set(sizes)) > 1:
        raise UsageError(
            f"relevant and both scores must be of equal length, got {', '.join(map(str, sizes))}"
        )
    hits = int(lists.relevant.sum())
    if not 0 < hits < sizes[0]:
        what = (
            f"{'every' if hits else 'no'} item is relevant, a comparison needs both relevant and other items"
        )
        raise DataError([Problem("relevant", None, what, "check the labels, or say which is positive")])


def _value(relevant: Bool, block: Int64, measure: str) -> float:
    return average_precision(relevant, block) if measure == "AP" else roc_influence(relevant, block)[0]


def _standard_error(lists: Lists, measure: str) -> float:
    """Of the difference: DeLong's for areas; for AP the root of the sum of squared differences of influence."""
    if measure == "AP":
        influence = [precision_influence(lists.relevant, block)[1] for block in lists[1:]]
        return float(np.sqrt(((influence[0] - influence[1]) ** 2).sum()))
    shares = [roc_influence(lists.relevant, block)[1] for block in lists[1:]]
    apart = shares[0] - shares[1]
    parts_ = [apart[lists.relevant], apart[~lists.relevant]]
    return float(np.sqrt(sum(part.var(ddof=1) / len(part) if len(part) > 1 else np.nan for part in parts_)))


def _normal(difference: float, error: float, lists: Lists) -> tuple[float, str, tuple[str, ...]]:
    """p of the standard normal law, and what it assumes."""
    few = min(int(lists.relevant.sum()), int((~lists.relevant).sum()))
    said = (
        (f"{few} items of the rarer class: the normal law is rough; permutation assumes less",)
        if few < _FEW
        else ()
    )
    if error != error:
        return float("nan"), "undefined: one item of a class has no variance", said
    if error == 0:
        # Where values cannot vary, equal values are all that no difference allows.
        return (
            (1.0, "no variance", said)
            if abs(difference) <= TOLERANCE
            else (float("nan"), "undefined: no variance", said)
        )
    p = float(2 * stats().norm.sf(abs(difference) / error))
    return max(p, float(np.finfo(np.float64).smallest_subnormal)), "normal", said


Resampled = tuple[float, str, tuple[float, float] | None]


def _permuted(
    lists: Lists, measure: str, difference: float, rng: np.random.Generator, resamples: int, level: float
) -> Resampled:
    relevant, first, second = lists
    # Ranks, halves made whole: both lists are numbered alike, whatever their ties.
    ranks = [np.rint(2 * midranks(block.astype(np.float64))).astype(np.int64) for block in (first, second)]

    def far(one: np.random.Generator, size: int) -> Int64:
        keep = one.integers(0, 2, size=(size, len(relevant)), dtype=np.int8).astype(np.bool_)
        value = exchanged(relevant, ranks[0], ranks[1], keep, measure)
        return np.asarray(np.count_nonzero(np.abs(value) >= abs(difference) - TOLERANCE), np.int64)

    batch = max(1, _CELLS // (2 * len(relevant)))
    count = counted(far, rng, resamples, batch)
    return float(sampled_p(count, resamples)), f"{resamples:,} sampled exchanges of ranks", None


def _redrawn(
    lists: Lists, measure: str, difference: float, rng: np.random.Generator, resamples: int, level: float
) -> Resampled:
    relevant, first, second = lists
    size = len(relevant)

    def apart(one: np.random.Generator, count: int) -> Float64:
        index = one.integers(0, size, size=(count, size))
        index += (np.arange(count) * size)[:, None]
        weight = np.bincount(index.ravel(), minlength=count * size).reshape(count, size)
        value = redrawn_values(relevant, first, weight, measure)
        return value - redrawn_values(relevant, second, weight, measure)

    found = np.concatenate(list(parts(apart, rng, resamples, max(1, _CELLS // size))))
    found = found[~np.isnan(found)]
    if not len(found):
        return float("nan"), "undefined: no redrawn list has both classes", (float("nan"), float("nan"))
    tail = min(int((found <= TOLERANCE).sum()), int((found >= -TOLERANCE).sum()))
    p = min(1.0, 2 * float(sampled_p(tail, len(found))))
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return p, f"{len(found):,} resamples of items", (low, high)


_RESAMPLED: dict[str, Callable[..., Resampled]] = {"permutation": _permuted, "bootstrap": _redrawn}
