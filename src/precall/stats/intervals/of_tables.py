"""Intervals of any measure of counts, of one contingency table or of averages over categories.

"posterior": quantiles over what the four cells may be, so that what was not seen is not taken for
impossible (`cell_posterior`). "percentile" and "bca": the bootstrap of the items, a multinomial
over the kinds that there are; the influence of an item is what leaving it out changes.

Of micro- and macro-averaged F there are those of Takahashi, Yamamoto, Kuchiba & Koyama (2022): by
the delta method for a multinomial confusion matrix. Written item by item its variances are sums of
squared influences, Σ_k ((1 + β²) both - F_k (β² true + decided)) / D_k with D_k = β² true_k +
decided_k, averaged over the categories k; that form also holds where an item is in several
categories. Of those hardly ever true or decided it knows too little: see `_centres` and `_unseen`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.core.arguments import check_beta
from precall.core.counts import Counts
from precall.core.errors import Fact, UsageError
from precall.core.notes import warn
from precall.core.notes.of_intervals import (
    AverageAtAnEnd,
    FewItems,
    NoSpread,
    RareCategory,
    UndefinedSamples,
)
from precall.core.ragged import Float64, Int64, alike, changes
from precall.core.rng import Rng, seeded
from precall.measures import Declaration, Measure
from precall.stats import quantiles
from precall.stats.intervals import f_measure
from precall.stats.intervals.cell_posterior import cell_bounds, directions
from precall.stats.intervals.few_errors import kinds_of_cells, warn_of_few
from precall.stats.intervals.interval import Interval, around, cut, estimating, takes, undefined
from precall.stats.intervals.proportion import proportion, wilson
from precall.stats.resample.bootstrap import acceleration, bounds
from precall.stats.resample.multinomial import Cells

#: Fewer items can leave 93-97 % where these are drawn again (docs/how-to/intervals.md).
FEWEST = 30
#: Of averages of F, and for macro-F fewer times that a category is true or decided; with fewer
#: expected errors (or hits), too.
FEWEST_OF_F, RAREST_OF_F, LEAST_OF_F = 50, 20, 5
_BATCH = 1 << 21
_ASSUMED = "items drawn independently"
Tables = tuple[Float64, ...]
#: One value per sample, of tables categories x samples.
Value = Callable[[Counts], Float64]


class Pairs(NamedTuple):
    """An entry per item and category that it has."""

    item: Int64
    category: Int64


@dataclass(frozen=True, slots=True, eq=False)
class Memberships:
    """Items, seen so often each, with the categories that they belong to, those decided for them,
    and those in both.
    """

    true: Pairs
    decided: Pairs
    both: Pairs
    count: Int64
    categories: int

    def counts(self, times: npt.NDArray[Any]) -> Counts:
        """The tables, categories x samples, where the items count `times` (samples x items)."""
        times = times.astype(np.int64, copy=False)
        tp, true, decided = (
            self._summed(pairs, times) for pairs in (self.both, self.true, self.decided)
        )
        return _tables(tp, true, decided, times.sum(axis=1))

    def without(self, items: Int64) -> Counts:
        """The tables, categories x items, that are left where each of the items is seen once
        less.
        """
        place = np.full(len(self.count), -1)
        place[items] = np.arange(len(items))

        def left(pairs: Pairs) -> Int64:
            some = place[pairs.item] >= 0
            total = np.repeat(self._summed(pairs, self.count[None]), len(items), axis=1)
            total[pairs.category[some], place[pairs.item[some]]] -= 1
            return total

        return _tables(left(self.both), left(self.true), left(self.decided), self.count.sum() - 1)

    def rarest(self, decided: bool) -> float:
        """How often the rarest category that occurs is true, or `decided` if that is more
        seldom.
        """
        tables = self.counts(self.count[None])
        times = np.concatenate((tables.relevant, tables.accepted)[: 1 + decided])
        return float(min(times[times > 0].tolist(), default=math.inf))

    def errors(self) -> dict[str, int]:
        """How many items have all their categories and no other one decided for them, and how many
        have not.
        """
        true, decided, both = (
            np.bincount(pairs.item, minlength=len(self.count))
            for pairs in (self.true, self.decided, self.both)
        )
        wrong = int(self.count[(true > both) | (decided > both)].sum())
        return {
            "items without an error": int(self.count.sum()) - wrong,
            "items with an error": wrong,
        }

    def _summed(self, pairs: Pairs, times: npt.NDArray[Any]) -> Int64:
        total = np.zeros((self.categories, len(times)), np.int64)
        # Few categories are narrow numbers, which are sorted faster.
        order = np.argsort(
            pairs.category.astype(np.min_scalar_type(self.categories)), kind="stable"
        )
        category = pairs.category[order]
        start = np.flatnonzero(changes(category))
        if len(start):
            total[category[start]] = np.add.reduceat(
                times.take(pairs.item[order], axis=1), start, axis=1
            ).T
        return total

    def condensed(self) -> Memberships:
        """The same with all items that are in the same categories, and were decided alike, as
        one.
        """
        width = 2 * self.categories
        key = np.concatenate((self.true.item, self.decided.item)) * width
        key += np.concatenate((self.true.category, self.decided.category + self.categories))
        # Two lists that are in order each: merged rather than sorted.
        item, label = np.divmod(np.sort(key, kind="stable"), width)
        ids = alike(label + 1, item, len(self.count))
        _, first, ids = np.unique(ids, return_index=True, return_inverse=True)
        chosen = np.zeros(len(self.count), np.bool_)
        chosen[first] = True

        def kept(pairs: Pairs) -> Pairs:
            some = chosen[pairs.item]
            return Pairs(ids[pairs.item[some]], pairs.category[some])

        count = np.zeros(len(first), np.int64)
        np.add.at(count, ids, self.count)
        return Memberships(
            kept(self.true), kept(self.decided), kept(self.both), count, self.categories
        )


def _tables(tp: Int64, true: Int64, decided: Int64, items: Any) -> Counts:
    fp, fn = decided - tp, true - tp
    return Counts(tp, fp, fn, items - tp - fp - fn)


def of_table(tp: int, fp: int, fn: int, tn: int) -> Memberships:
    """Of one category: an item of each of the four kinds, seen so often."""
    zero = np.zeros(1, np.int64)
    true, decided = (Pairs(np.array(items), np.zeros(2, np.int64)) for items in ((0, 2), (0, 1)))
    return Memberships(true, decided, Pairs(zero, zero), np.array([tp, fp, fn, tn]), 1)


def of_matrix(matrix: Any) -> Memberships:
    """Of a confusion matrix: truth x decision, counts of items in one category each."""
    given = np.asarray(matrix)
    if (
        given.ndim != 2
        or given.shape[0] != given.shape[1]
        or not given.size
        or given.dtype.kind not in "iub"
    ):
        raise UsageError(
            argument="confusion matrix",
            allowed="square, truth x decision, of counts;",
            got=Fact(f"shape {given.shape} of {given.dtype}"),
        )
    if given.min() < 0:
        raise UsageError(
            "must hold counts >= 0", argument="confusion matrix", got=Fact(given.min())
        )
    size = len(given)
    cell, right = np.arange(size * size), np.arange(size) * (size + 1)
    true, decided = Pairs(cell, cell // size), Pairs(cell, cell % size)
    return Memberships(
        true, decided, Pairs(right, np.arange(size)), given.ravel().astype(np.int64), size
    )


def kind(declared: Declaration) -> str:
    """Which of `METHODS` intervals of one table have, by the declaration."""
    if declared.name in ("F", "E"):
        return "F"
    return "counts" if declared.proportion is None else "proportion"


def beta_of(measure: Measure) -> float:
    """The weight of recall in F and E, be it given as van Rijsbergen's alpha."""
    alpha: float | None = measure.parameters["alpha"]
    if alpha is None:
        return float(measure.parameters["beta"])
    if not alpha:
        raise UsageError(
            f"{measure.name}: of alpha 0, F is recall", remedy="ask for the interval of R"
        )
    return math.sqrt((1 - alpha) / alpha)


def of_cells(measure: Measure, label: str, cells: Sequence[int], **options: Any) -> Interval:
    """The interval of a measure of one table (tp, fp, fn, tn), by a method that its declaration
    allows.
    """
    declared = measure.declaration
    if kind(declared) == "F":
        (tp, fp, fn, _), make = cells, f_measure.f if declared.name == "F" else f_measure.e
        return make(tp, fp, fn, beta_of(measure), **options)
    if declared.proportion is None:
        return of_counts(measure, label, cells, **options)
    known = dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True))
    hits, others = (sum(known[name] for name in names.split()) for names in declared.proportion)
    takes(options, proportion)
    return proportion(hits, hits + others, measure=label, **options)


@estimating("counts")
def of_counts(
    measure: Measure,
    label: str,
    cells: Sequence[int],
    *,
    level: float = 0.95,
    method: str = "posterior",
    rng: Rng = 0,
    resamples: int = 10_000,
) -> Interval:
    """The interval of any measure of one table."""

    def value(tables: Counts) -> Float64:
        return measure.of_table(tables).reshape(-1)

    estimate = float(value(Counts(*np.array(cells)[:, None]))[0])
    if math.isnan(estimate):
        return undefined(label, f"{measure.declaration.undefined} (0/0)", level, method)
    signs = directions(value, cells)
    # Of a ratio without an upper end one rare cell leaves the value open, however many there are of
    # the others.
    seen = kinds_of_cells(cells, signs, ratio=measure.declaration.range == (0, math.inf))
    if method != "posterior":
        given = value, estimate, label, of_table(*cells)
        return of_averages(
            *given, level=level, method=method, rng=rng, resamples=resamples, seen=seen
        )
    warn_of_few(label, seen, wide=True)
    low, high = cell_bounds(value, cells, signs, level)
    return Interval(
        estimate, min(low, estimate), max(high, estimate), level, method, label, _ASSUMED
    )


@estimating("averages of counts")
def of_averages(
    value: Value,
    estimate: float,
    label: str,
    members: Memberships,
    *,
    level: float = 0.95,
    method: str = "bca",
    rng: Rng = 0,
    resamples: int = 2000,
    seen: Mapping[str, int] | None = None,
    rarest: float = math.inf,
) -> Interval:
    """The interval of a measure of several categories, items being the sample.

    `seen` is how many there are of what is right and of errors; by default items without an error
    and with one. `rarest` is of a mean over categories how often the rarest one is true or decided.
    """
    items = int(members.count.sum())
    if math.isnan(estimate) or not items:
        why = "it is 0/0" if items else "there are no items"
        return undefined(label, why, level, method)
    if items < FEWEST:
        warn(FewItems(label, items))
    elif rarest < RAREST_OF_F:
        # With eight items of a category a mean of recalls covered 87 %, most misses above.
        warn(RareCategory(label, rarest))
    source, seed = seeded(rng)
    members = members.condensed()
    cells = Cells(members.count)
    size = max(
        1, _BATCH // max(len(members.count), len(members.true.item), len(members.decided.item))
    )
    sizes = (min(size, resamples - begin) for begin in range(0, resamples, size))
    drawn = np.concatenate([value(members.counts(cells.draw(some, source))) for some in sizes])
    known = drawn[~np.isnan(drawn)]
    lacking = resamples - len(known)
    if lacking > resamples / 100:
        warn(UndefinedSamples(label, lacking, resamples))
    low, high = math.nan, math.nan
    if len(known):
        low, high = bounds(method, known, estimate, level, lambda: _acceleration(value, members))
        low, high = min(low, estimate), max(high, estimate)
    if low < high:
        warn_of_few(label, members.errors() if seen is None else seen)
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


@estimating("averages of F")
def averaged_f(
    members: Memberships,
    average: str,
    beta: float = 1.0,
    *,
    level: float = 0.95,
    method: str = "logit",
) -> Interval:
    """Interval of micro- or macro-averaged F; see `pc.interval.micro_f` and `.macro_f`."""
    beta = check_beta(beta)
    name = f"{average} F{beta:g}"
    items = int(members.count.sum())
    if not items or not members.categories:
        return undefined(name, "there are no items", level, method)
    micro, square = average == "micro", beta * beta
    counts = members.counts(members.count[None])
    parts = (counts.tp, counts.relevant, counts.accepted)
    tables = tuple(part[:, 0].astype(np.float64) for part in parts)
    if micro:
        tables = tuple(np.full(members.categories, part.sum()) for part in tables)
    value, each = _influences(members, tables, micro, square)
    rarest = float((tables[1] + tables[2]).min())
    if math.isnan(value):
        why = "no item is in a category, and none was decided" if beta else "none was decided"
        return undefined(name, why, level, method)
    variance, z = float(members.count @ each**2), quantiles.z(level)
    error = math.sqrt(variance)
    _warn_of_little(name, items, rarest, value)
    if method == "wald":
        low, high = cut(value, z * error)
    elif 0 < value < 1:
        centres, spread = (value, value), error
        if not micro:
            centres, spread = (
                _centres(tables, square, value),
                math.sqrt(variance + _unseen(tables, square)),
            )
        low = around(centres[0], spread, z)[0]
        # What is not known may be all right.
        high = around(centres[1], spread, z)[1] if centres[1] < 1 else 1.0
    else:
        warn(NoSpread(name, value, items))
        low, high = wilson(items if value >= 1 else 0, items, level)
    return Interval(value, low, high, level, method, name, _ASSUMED, standard_error=error)


def _warn_of_little(name: str, items: int, rarest: float, value: float) -> None:
    """Say where simulated coverage can leave 93-97 %."""
    if items < FEWEST_OF_F:
        warn(FewItems(name, items))
    elif rarest < RAREST_OF_F:
        warn(RareCategory(name, rarest))
    elif 0 < items * min(value, 1 - value) < LEAST_OF_F:
        warn(AverageAtAnEnd(name, value, items))


def _influences(
    members: Memberships, tables: Tables, micro: bool, square: float
) -> tuple[float, Float64]:
    """The value, and every item's influence."""
    tp, true, decided = tables
    whole = square * true + decided
    if micro and not whole[0]:
        return math.nan, np.zeros(len(members.count))
    # A category that nothing is in and that nobody decided counts as 0, as in `Decisions.f`.
    safe = np.where(whole > 0, whole, 1.0)
    f = (1 + square) * tp / safe
    share = 1.0 if micro else 1.0 / members.categories
    gain, loss = share * (1 + square) / safe, share * f / safe

    def per_item(pairs: Pairs, weight: Float64) -> Any:
        return np.bincount(pairs.item, weight[pairs.category], len(members.count))

    lost = square * per_item(members.true, loss), per_item(members.decided, loss)
    return float(f[0] if micro else f.mean()), per_item(members.both, gain) - lost[0] - lost[1]


def _centres(tables: Tables, square: float, value: float) -> tuple[float, float]:
    """Where the interval of a mean of F begins to go down, and up.

    F of a category is too low by F (1 - F) / (true + decided), for β = 1 and to second order, and
    of one that is hardly ever true or decided it is anything: that part of it, 1 / (1 + ((true +
    decided) / 2)²), is 0 going down and 1 going up.
    """
    tp, true, decided = tables
    # Over 1 + β², whose own square leaves float64 for the greatest β.
    of_true, of_said = square / (1 + square), 1 / (1 + square)
    whole = of_true * true + of_said * decided
    whole = np.where(whole > 0, whole, 1.0)
    f = tp / whole
    spread = tp + of_true**2 * (true - tp) + of_said**2 * (decided - tp)
    f = f + (tp - f * spread) / whole**2
    unknown = 1 / (1 + ((true + decided) / 2) ** 2)
    known = (1 - unknown) * f
    return min(float(known.mean()), value), max(float((known + unknown).mean()), value)


def _unseen(tables: Tables, square: float) -> float:
    """What half a case more of each kind adds to the variance of the mean: one without errors, or
    hits, has none of its own.
    """
    tp, true, decided = tables
    cells = np.stack([tp, decided - tp, true - tp])
    more = _variance_of(cells + 0.5, square) - _variance_of(cells, square)
    return float(np.maximum(more, 0.0).sum()) / len(tp) ** 2


def _variance_of(cells: Float64, square: float) -> Float64:
    """Variance of a category's F of its tp, fp and fn, by the delta method; 0 where there is no hit
    or no error.
    """
    tp, fp, fn = cells
    of_fn, of_fp = square / (1 + square), 1 / (1 + square)
    wrong = of_fp * fp + of_fn * fn
    f = tp / np.maximum(tp + wrong, 1e-300)
    hits, errors = np.where(tp > 0, tp, 1.0), np.where(wrong > 0, wrong, 1.0)
    variance = (f * (1 - f)) ** 2 * (1 / hits + (of_fp**2 * fp + of_fn**2 * fn) / errors**2)
    return np.asarray(np.where((tp > 0) & (wrong > 0), variance, 0.0))
