"""Intervals of any measure of counts, of one contingency table or of averages over categories.

"posterior": draws of the four cells from their Dirichlet posterior, half a case of each kind being known beforehand, so that
what was not seen is not taken for impossible; for F that is Goutte & Gaussier's. "percentile" and "bca": the bootstrap of the
items, a multinomial over the kinds that there are; the influence of an item is what leaving it out changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from precall.counts import Counts
from precall.declare import Declaration, Measure
from precall.infer.interval import f_measure
from precall.infer.interval.averaged_f import Memberships, of_table
from precall.infer.interval.interval import Interval, estimating, takes, undefined
from precall.infer.interval.proportion import proportion
from precall.infer.resample.bootstrap import acceleration, bounds, percentile
from precall.infer.resample.multinomial import Cells
from precall.notes import warn
from precall.ragged import Float64
from precall.rng import Rng, seeded

#: Fewer items, or fewer of them in a margin of the table, can leave 93-97 % (docs/intervals.md).
FEWEST, RAREST = 30, 5
_BATCH = 1 << 21
_ASSUMED = "items drawn independently"
#: One value per sample, of tables categories x samples.
Value = Callable[[Counts], Float64]


def kind(declared: Declaration) -> str:
    """Which of `METHODS` intervals of one table have, by the declaration."""
    if declared.name in ("F", "E"):
        return "F"
    return "counts" if declared.proportion is None else "proportion"


def of_cells(measure: Measure, label: str, cells: Sequence[int], **options: Any) -> Interval:
    """The interval of a measure of one table (tp, fp, fn, tn), by a method that its declaration allows."""
    declared = measure.declaration
    if kind(declared) == "F":
        (tp, fp, fn, _), make = cells, f_measure.f if declared.name == "F" else f_measure.e
        return make(tp, fp, fn, measure.parameters["beta"], **options)
    if declared.proportion is None:
        return of_counts(measure, label, cells, **options)
    known = dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True))
    hits, others = (sum(known[name] for name in names.split()) for names in declared.proportion)
    takes(options, proportion)
    return proportion(hits, hits + others, measure=label, **options)


@estimating("counts")
def of_counts(
    measure: Measure, label: str, cells: Sequence[int], *, level: float = 0.95, method: str = "posterior", rng: Rng = 0,
    resamples: int = 10_000,
) -> Interval:  # fmt: skip
    """The interval of any measure of one table."""

    def value(tables: Counts) -> Float64:
        return measure.of_table(tables).reshape(-1)

    estimate = float(value(Counts(*np.array(cells)[:, None]))[0])
    if math.isnan(estimate):
        return undefined(label, f"{measure.declaration.undefined} (0/0)", level, method)
    tp, fp, fn, tn = cells
    least = min(tp + fp, tp + fn, fp + tn, fn + tn)
    if sum(cells) < FEWEST or least < RAREST:
        few = f"{sum(cells)} items" if sum(cells) < FEWEST else f"{least} in a margin of the table"
        warn(f"{label}: {few} are few; the interval can miss its level")
    if method != "posterior":
        given = value, estimate, label, of_table(tp, fp, fn, tn)
        return of_averages(*given, level=level, method=method, rng=rng, resamples=resamples)
    source, seed = seeded(rng)
    shape = np.array(cells) + f_measure.PRIOR
    drawn = value(Counts(*source.standard_gamma(shape, (resamples, 4)).T))
    low, high = percentile(drawn, level)
    low, high = min(low, estimate), max(high, estimate)
    return Interval(estimate, low, high, level, method, label, _ASSUMED, seed, resamples)


@estimating("averages of counts")
def of_averages(
    value: Value, estimate: float, label: str, members: Memberships, *, level: float = 0.95, method: str = "bca",
    rng: Rng = 0, resamples: int = 2000,
) -> Interval:  # fmt: skip
    """The interval of a measure of several categories, items being the sample."""
    items = int(members.count.sum())
    if math.isnan(estimate) or not items:
        why = "it is 0/0" if items else "there are no items"
        return undefined(label, why, level, method)
    if items < FEWEST:
        warn(f"{label}: {items} items are few; the interval can miss its level")
    source, seed = seeded(rng)
    members = members.condensed()
    cells = Cells(members.count)
    size = max(1, _BATCH // max(len(members.count), len(members.true.item), len(members.decided.item)))
    sizes = (min(size, resamples - begin) for begin in range(0, resamples, size))
    drawn = np.concatenate([value(members.counts(cells.draw(some, source))) for some in sizes])
    known = drawn[~np.isnan(drawn)]
    lacking = resamples - len(known)
    if lacking > resamples / 100:
        warn(f"{label}: {lacking} of {resamples} samples are undefined (0/0); the interval is of the others")
    low, high = math.nan, math.nan
    if len(known):
        low, high = bounds(method, known, estimate, level, lambda: _acceleration(value, members))
        low, high = min(low, estimate), max(high, estimate)
    return Interval(estimate, low, high, level, method, label, _ASSUMED, seed, resamples)


def _acceleration(value: Value, members: Memberships) -> float:
    """A sixth of the skewness of what leaving one item out changes."""
    seen = np.flatnonzero(members.count)
    size = max(1, _BATCH // members.categories)
    parts = [seen[begin : begin + size] for begin in range(0, len(seen), size)]
    left = np.concatenate([value(members.without(part)) for part in parts])
    seen, left = seen[np.isfinite(left)], left[np.isfinite(left)]
    weight = members.count[seen]
    return acceleration(np.sum(weight * left) / max(weight.sum(), 1) - left, weight)
