"""Two scored lists of the same items: is one average precision, or area under ROC, greater than the other?

Both lists rank the same items, so their values rise and fall together; what is tested is the
difference item by item. Which test: the permutation of ranks keeps its size (see docs/comparing.md);
DeLong's for areas under ROC and the influence test for AP need no resampling and give an interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from precall.errors import DataError, Problem, UsageError
from precall.infer.batches import TOLERANCE, checked, counted, parts, sampled_p
from precall.infer.blocks import inner
from precall.infer.comparisons import Comparison
from precall.infer.interval import checked_level
from precall.infer.libraries import stats
from precall.infer.paired import midranks
from precall.infer.ranked_items import (
    Ranked,
    exchanged,
    precision_influence,
    ranked,
    redrawn_values,
    roc_influence,
)
from precall.ragged import Bool, Float64, Int64
from precall.rng import Rng, seeded

MEASURES = ("AP", "AUC")
TESTS = ("permutation", "delong", "influence", "bootstrap")
RESAMPLES = 5_000
_CELLS = 2**20
_FEW = 20
#: Above this many items AP is by default tested by influences: each exchange costs as much as there are items.
LARGE = 20_000


Valued = tuple[float, Float64]


class Lists(NamedTuple):
    """Labels of the items of one group, and where they stand in either list."""

    relevant: Bool
    first: Ranked
    second: Ranked


def compared(
    relevant: Bool, score_a: Any, score_b: Any, groups: Int64 | None = None, *, measure: str = "AP",
    test: str | None = None, level: float = 0.95, resamples: int = RESAMPLES, rng: Rng = 0,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:  # fmt: skip
    """Compare two scored lists of the same items.

    Parameters
    ----------
    relevant : label of every item.
    score_a, score_b : the two scores of every item, high ones good; scales need not be alike.
    groups : index of what each item belongs to, such as its topic: the mean over groups is compared, items
        being exchanged or redrawn within them. Groups of one class only are left out, and counted.
    measure : "AP" (equal scores one block, as in `precall.curve`) or "AUC" (area under ROC).
    test : of no difference, two-sided:

        - "permutation", the default for AP up to 20,000 items: an item's ranks in the two lists are exchanged at random,
          both lists ranked again (Venkatraman & Begg 1996; Bandos 2005), p = (c + 1)/(resamples + 1);
        - "delong", the default for AUC, and for AUC only: DeLong, DeLong & Clarke-Pearson 1988;
        - "influence", the default for AP beyond: the difference over the root of the sum of squared differences of influence;
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
    chosen = _checked(measure, test, len(relevant))
    checked_level(level)
    checked(resamples)
    lists, left_out = _lists(np.asarray(relevant, np.bool_), np.asarray(score_a), np.asarray(score_b), groups)
    found = [_influences(one, measure) for one in lists]
    first, second = (float(np.mean([both[side][0] for both in found])) for side in (0, 1))
    difference = first - second
    said: tuple[str, ...] = ()
    seed: int | None = None
    errors = [_standard_error(one.relevant, both, measure) for one, both in zip(lists, found, strict=True)]
    error = float(np.sqrt(sum(one**2 for one in errors)) / len(lists))
    half = float(stats().norm.isf((1 - level) / 2)) * error
    low, high = difference - half, difference + half
    if all(np.array_equal(one.first.block, one.second.block) for one in lists):
        p, how, low, high = 1.0, "the same order", 0.0, 0.0
    elif chosen in ("delong", "influence"):
        p, how, said = _normal(difference, error, lists)
        if p != p:
            low = high = float("nan")  # an interval of no length would claim to know
    else:
        made, seed = seeded(rng)
        p, how, edges = _RESAMPLED[chosen](lists, measure, difference, made, resamples, level)
        low, high = edges or (low, high)
    if left_out:
        said = (*said, f"{left_out} groups of one class only left out")
    return Comparison(
        names=names, measure=measure, values=(first, second), difference=difference, low=low, high=high, level=level, p=p,
        test=chosen, how=how, size=sum(len(one.relevant) for one in lists), left_out=left_out,
        statistic=difference / error if error else float("nan"), notes=said, seed=seed,
    )  # fmt: skip


def _checked(measure: str, test: str | None, size: int) -> str:
    if measure not in MEASURES:
        raise UsageError(f"measure: got {measure!r}, allowed are {', '.join(MEASURES)}")
    by_default = {"AP": "permutation" if size <= LARGE else "influence", "AUC": "delong"}
    chosen = test or by_default[measure]
    if chosen not in TESTS:
        raise UsageError(f"test: got {test!r}, allowed are {', '.join(TESTS)}")
    if chosen == "delong" and measure != "AUC":
        raise UsageError(
            "test='delong' is of areas under ROC; for AP pass 'permutation', 'influence' or 'bootstrap'"
        )
    return chosen


def _lists(relevant: Bool, score_a: Any, score_b: Any, groups: Int64 | None) -> tuple[list[Lists], int]:
    """The lists of each group that has both classes, and how many have not."""
    sizes = {len(relevant), len(score_a), len(score_b)}
    if len(sizes) > 1:
        raise UsageError(
            f"labels and scores must be of equal length, got {', '.join(map(str, sorted(sizes)))}"
        )
    every: list[Any] = [slice(None)] if len(relevant) else []
    if groups is not None:
        every = [np.flatnonzero(groups == one) for one in np.unique(groups).tolist()]
    kept = [rows for rows in every if 0 < np.count_nonzero(relevant[rows]) < len(relevant[rows])]
    if not kept:
        what = f"{'every' if relevant.any() else 'no'} item is relevant, a comparison needs relevant and other items"
        raise DataError([Problem("relevant", None, what, "check the labels, or say which is positive")])
    labels = [relevant[rows] for rows in kept]
    lists = [
        Lists(some, ranked(some, score_a[rows]), ranked(some, score_b[rows]))
        for some, rows in zip(labels, kept, strict=True)
    ]
    return lists, len(every) - len(kept)


def _influences(lists: Lists, measure: str) -> list[Valued]:
    """For either list its value, and what each item has to do with it."""
    influence = precision_influence if measure == "AP" else roc_influence
    return [influence(lists.relevant, place) for place in (lists.first, lists.second)]


def _standard_error(relevant: Bool, found: list[Valued], measure: str) -> float:
    """Of the difference: DeLong's for areas; for AP the root of the sum of squared differences of influence."""
    apart = found[0][1] - found[1][1]
    if measure == "AP":
        return math.sqrt(inner(apart, apart))
    classes = [apart[relevant], apart[~relevant]]
    return float(np.sqrt(sum(part.var(ddof=1) / len(part) if len(part) > 1 else np.nan for part in classes)))


def _normal(difference: float, error: float, lists: list[Lists]) -> tuple[float, str, tuple[str, ...]]:
    """p of the standard normal law, and what it assumes."""
    hits = sum(int(one.relevant.sum()) for one in lists)
    few = min(hits, sum(len(one.relevant) for one in lists) - hits)
    said = (
        (f"{few} items of the rarer class: the normal law is rough; permutation assumes less",)
        if few < _FEW
        else ()
    )
    if error != error:
        return float("nan"), "undefined: one item of a class has no variance", said
    if error == 0:
        # Where values cannot vary, equal values are all that no difference allows.
        equal = abs(difference) <= TOLERANCE
        return (1.0, "no variance", said) if equal else (float("nan"), "undefined: no variance", said)
    p = float(2 * stats().norm.sf(abs(difference) / error))
    return max(p, float(np.finfo(np.float64).smallest_subnormal)), "normal", said


Resampled = tuple[float, str, tuple[float, float] | None]


def _permuted(
    lists: list[Lists],
    measure: str,
    difference: float,
    rng: np.random.Generator,
    resamples: int,
    level: float,
) -> Resampled:
    # Ranks, halves made whole: both lists are numbered alike, whatever their ties.
    ranks = [
        [np.rint(2 * midranks(place.block.astype(np.float64))).astype(np.int64) for place in one[1:]] for one in lists
    ]  # fmt: skip

    def far(part: np.random.Generator, size: int) -> Int64:
        value = np.zeros(size)
        for one, (first, second) in zip(lists, ranks, strict=True):
            keep = part.integers(0, 2, size=(size, len(one.relevant)), dtype=np.int8).astype(np.bool_)
            value += exchanged(one.relevant, first, second, keep, measure)
        return np.asarray(
            np.count_nonzero(np.abs(value) / len(lists) >= abs(difference) - TOLERANCE), np.int64
        )

    batch = max(1, _CELLS // (2 * max(len(one.relevant) for one in lists)))
    count = counted(far, rng, resamples, batch)
    return float(sampled_p(count, resamples)), f"{resamples:,} sampled exchanges of ranks", None


def _redrawn(
    lists: list[Lists],
    measure: str,
    difference: float,
    rng: np.random.Generator,
    resamples: int,
    level: float,
) -> Resampled:
    def apart(part: np.random.Generator, count: int) -> Float64:
        total, known = np.zeros(count), np.zeros(count)
        for one in lists:
            size = len(one.relevant)
            index = part.integers(0, size, size=(count, size))
            index += (np.arange(count) * size)[:, None]
            weight = np.bincount(index.ravel(), minlength=count * size).reshape(count, size)
            first, second = (redrawn_values(one.relevant, place.block, weight, measure) for place in one[1:])
            # A redrawn group of one class is left out, as a group of one class is; its fellows still say something.
            total += np.nan_to_num(first - second)
            known += ~np.isnan(first)
        return np.asarray(np.divide(total, known, out=np.full(count, np.nan), where=known > 0), np.float64)

    batch = max(1, _CELLS // max(len(one.relevant) for one in lists))
    found = np.concatenate(list(parts(apart, rng, resamples, batch)))
    # A redrawn list of one class has no value; it says nothing for either system.
    found = found[~np.isnan(found)]
    if not len(found):
        return float("nan"), "undefined: no redrawn list has both classes", (float("nan"), float("nan"))
    tail = min(int((found <= TOLERANCE).sum()), int((found >= -TOLERANCE).sum()))
    p = min(1.0, 2 * float(sampled_p(tail, len(found))))
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return p, f"{len(found):,} resamples of items", (low, high)


_RESAMPLED: dict[str, Callable[..., Resampled]] = {"permutation": _permuted, "bootstrap": _redrawn}
