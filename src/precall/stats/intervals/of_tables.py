"""Intervals of any measure of counts, of one contingency table or of averages over categories.

"posterior": quantiles over the possible values of the four cells, so that unseen cases are not
taken for impossible (`cell_posterior`). "percentile" and "bca": the bootstrap of the items, a
multinomial over the kinds of items in the data; the influence of an item is the change if it is
left out.

Micro- and macro-averaged F have the intervals of Takahashi, Yamamoto, Kuchiba & Koyama (2022), by
the delta method for a multinomial confusion matrix. Written item by item, the variances are sums of
squared influences. The influence of an item is Σ_k ((1 + β²) both - F_k (β² true + decided)) / D_k
with D_k = β² true_k + decided_k, averaged over the categories k. This form also holds if an item is
in several categories. For categories that are rarely true or decided the method underestimates the
uncertainty: see `_centres` and `_variance_of_unseen`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.core.arguments import check_beta
from precall.core.counts import Counts
from precall.core.errors import Fact, NoArray, UsageError
from precall.core.notes import keep_notes, warn
from precall.core.notes.of_intervals import (
    AtAnyPrevalence,
    AverageAtAnEnd,
    FewItems,
    NoSpread,
    RareCategory,
    UndefinedSamples,
)
from precall.core.ragged import Float64, Int64, alike, changes
from precall.core.rng import Rng, generator_and_seed
from precall.core.text import plain_label
from precall.measures import Declaration, Measure
from precall.stats import quantiles
from precall.stats.blocks import inner
from precall.stats.intervals import f_measure
from precall.stats.intervals.cell_posterior import cell_bounds, directions
from precall.stats.intervals.few_errors import kinds_of_cells, warn_of_few
from precall.stats.intervals.interval import (
    Interval,
    around,
    cut,
    estimating,
    refuse_unknown_options,
    undefined,
)
from precall.stats.intervals.proportion import proportion, wilson
from precall.stats.intervals.table_influences import (
    Value,
    at_prevalence,
    has_fixed_classes,
    variance,
)
from precall.stats.resample.bootstrap import acceleration, bounds
from precall.stats.resample.multinomial import Cells

#: With fewer items, the coverage of the bootstrap can leave 93-97 % (docs/how-to/intervals.md).
FEWEST = 30
#: For averages of F, likewise: with fewer items; for macro-F, with a category that is less often
#: true or decided; with fewer expected errors (or hits).
FEWEST_OF_F, RAREST_OF_F, LEAST_OF_F = 50, 20, 5
_BATCH = 1 << 21
#: Most categories of a matrix of which every cell is kept.
_LARGE = 1 << 10
_ASSUMED = "items drawn independently"
Tables = tuple[Float64, ...]
#: The values with one item of each of some kinds left out.
WithoutEach = Callable[["Memberships", Int64], Float64]


class ItemCategories(NamedTuple):
    """Pairs of an item and a category that it has, as two columns."""

    item: Int64
    category: Int64


class Rarest(NamedTuple):
    """How often the rarest category was seen, and its name if it has one."""

    times: float
    category: str | float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Memberships:
    """Kinds of items, each with its count and its categories: the true ones, those decided for it,
    and those in both.
    """

    true: ItemCategories
    decided: ItemCategories
    both: ItemCategories
    count: Int64
    categories: int
    names: Sequence[object] = ()

    def counts(self, times: npt.NDArray[Any]) -> Counts:
        """The tables, categories x samples, if the items are counted `times` (samples x items)."""
        times = times.astype(np.int64, copy=False)
        tp, true, decided = (
            self._sum_by_category(pairs, times) for pairs in (self.both, self.true, self.decided)
        )
        return tables_of(tp, true, decided, times.sum(axis=1))

    def without(self, items: Int64) -> Counts:
        """The tables, categories x items, that are left if one case of each item is left out."""
        column = np.full(len(self.count), -1)
        column[items] = np.arange(len(items))

        def count_left(pairs: ItemCategories) -> Int64:
            is_left_out = column[pairs.item] >= 0
            total = np.repeat(self._sum_by_category(pairs, self.count[None]), len(items), axis=1)
            # An item may have a category several times, as a sentence has spans of a type.
            place = pairs.category[is_left_out], column[pairs.item[is_left_out]]
            np.subtract.at(total, place, 1)
            return total

        return tables_of(
            count_left(self.both),
            count_left(self.true),
            count_left(self.decided),
            self.count.sum() - 1,
        )

    def among(self, begin: int, end: int) -> Memberships:
        """The same items in the categories from `begin` to `end` alone, counted from 0."""

        def keep(pairs: ItemCategories) -> ItemCategories:
            inside = (pairs.category >= begin) & (pairs.category < end)
            return ItemCategories(pairs.item[inside], pairs.category[inside] - begin)

        parts = keep(self.true), keep(self.decided), keep(self.both)
        return Memberships(*parts, self.count, end - begin, self.names[begin:end])

    def rarest(self, decided: bool) -> Rarest:
        """The rarest category that occurs and how often it is true; with `decided`, the minimum of
        that and of how often it is decided.
        """
        tables = self.counts(self.count[None])
        times = np.concatenate((tables.relevant, tables.accepted)[: 1 + decided])
        return self.least(np.where(times > 0, times, math.inf).min(axis=1))

    def least(self, times: npt.NDArray[Any]) -> Rarest:
        """The least of the `times` that each category was seen, or each twice, and its name."""
        place = int(np.argmin(times)) if len(times) else 0
        name = plain_label(self.names[place % self.categories]) if self.names else None
        return Rarest(float(min(times, default=math.inf)), name)

    def errors(self) -> dict[str, int]:
        """Numbers of items without and with an error; without an error, exactly the true categories
        are decided.
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

    def _sum_by_category(self, pairs: ItemCategories, times: npt.NDArray[Any]) -> Int64:
        """Sums of `times` over the items of each category, categories x samples."""
        total = np.zeros((self.categories, len(times)), np.int64)
        # Category numbers in a narrow type are sorted faster.
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

    def merge_alike(self) -> Memberships:
        """The memberships with all items that have the same true and the same decided categories
        merged into one.
        """
        width = 2 * self.categories
        key = np.concatenate((self.true.item, self.decided.item)) * width
        key += np.concatenate((self.true.category, self.decided.category + self.categories))
        # Two lists, each in order: the stable sort merges them.
        item, label = np.divmod(np.sort(key, kind="stable"), width)
        ids = alike(label + 1, item, len(self.count))
        _, first, ids = np.unique(ids, return_index=True, return_inverse=True)
        chosen = np.zeros(len(self.count), np.bool_)
        chosen[first] = True

        def keep(pairs: ItemCategories) -> ItemCategories:
            is_chosen = chosen[pairs.item]
            return ItemCategories(ids[pairs.item[is_chosen]], pairs.category[is_chosen])

        count = np.zeros(len(first), np.int64)
        np.add.at(count, ids, self.count)
        return Memberships(
            keep(self.true),
            keep(self.decided),
            keep(self.both),
            count,
            self.categories,
            self.names,
        )


def tables_of(tp: Int64, true: Int64, decided: Int64, items: Any) -> Counts:
    """Tables of how often both, the truth and the decision name a category."""
    fp, fn = decided - tp, true - tp
    return Counts(tp, fp, fn, items - tp - fp - fn)


def of_table(tp: int, fp: int, fn: int, tn: int) -> Memberships:
    """Memberships of one category: one item of each of the four kinds, with its count."""
    zero = np.zeros(1, np.int64)
    true, decided = (
        ItemCategories(np.array(items), np.zeros(2, np.int64)) for items in ((0, 2), (0, 1))
    )
    return Memberships(true, decided, ItemCategories(zero, zero), np.array([tp, fp, fn, tn]), 1)


def of_matrix(matrix: object, names: Sequence[object] = ()) -> Memberships:
    """Memberships from a confusion matrix: truth x decision, counts of items in one category each,
    with the names of the categories if they have any.
    """
    try:
        counts = np.asarray(matrix)
    except (TypeError, ValueError) as error:
        raise UsageError(
            argument="confusion matrix",
            allowed="square, truth x decision, of counts",
            got=NoArray(matrix, error),
            remedy="of labels make pc.decisions(truth, predicted) first",
        ) from None
    if (
        counts.ndim != 2
        or counts.shape[0] != counts.shape[1]
        or not counts.size
        or counts.dtype.kind not in "iub"
    ):
        raise UsageError(
            argument="confusion matrix",
            allowed="square, truth x decision, of counts;",
            got=Fact(f"shape {counts.shape} of {counts.dtype}"),
        )
    if counts.min() < 0:
        raise UsageError(
            "must hold counts >= 0", argument="confusion matrix", got=Fact(counts.min())
        )
    size = len(counts)
    cell = np.flatnonzero(counts) if is_large(size) else np.arange(counts.size)
    count = counts.ravel()[cell].astype(np.int64)
    return of_kinds(*np.divmod(cell, size), count, size, names)


def is_large(categories: int) -> bool:
    """Whether only the cells with items are kept of a matrix of so many categories. Of smaller ones
    all are: sums over more numbers may have another last digit.
    """
    return categories > _LARGE


def of_kinds(
    true: Int64, decided: Int64, count: Int64, categories: int, names: Sequence[object] = ()
) -> Memberships:
    """Memberships from kinds of items in one category each, by their true and decided category."""
    kind, right = np.arange(len(count)), np.flatnonzero(true == decided)
    return Memberships(
        ItemCategories(kind, true),
        ItemCategories(kind, decided),
        ItemCategories(right, true[right]),
        count,
        categories,
        names,
    )


def kind(declared: Declaration, prevalence: float | None = None) -> str:
    """The key of `METHODS` for intervals of one table, by the measure's declaration."""
    if prevalence is not None and declared.range == (0.0, 1.0):
        return "share at a prevalence"
    if declared.name in ("F", "E"):
        return "F"
    if declared.proportion is not None:
        return "proportion"
    return "ratio of counts" if _is_ratio(declared) else "counts"


def _is_ratio(declared: Declaration) -> bool:
    """Whether the measure is a ratio without an upper end."""
    return declared.range == (0, math.inf)


def beta_of(measure: Measure) -> float:
    """The weight β of recall in F and E, also if it was given as van Rijsbergen's alpha."""
    alpha: float | None = measure.parameters["alpha"]
    if alpha is None:
        return float(measure.parameters["beta"])
    if not alpha:
        raise UsageError(
            f"{measure.name}: with alpha 0, F is recall", remedy="ask for the interval of R"
        )
    return math.sqrt((1 - alpha) / alpha)


@keep_notes
def of_cells(
    measure: Measure,
    label: str,
    cells: Sequence[int],
    prevalence: float | None = None,
    **options: Any,
) -> Interval:
    """The interval of a measure of one table (tp, fp, fn, tn), by a method that its declaration
    allows; with a prevalence, its value where that share of the items is relevant.
    """
    declared = measure.declaration
    if prevalence is not None:
        value = value_of(measure)
        if not has_fixed_classes(value, cells):
            return _at_prevalence(measure, label, cells, prevalence, options)
        warn(AtAnyPrevalence(label, prevalence))
    if kind(declared) == "F":
        (tp, fp, fn, _), make = cells, f_measure.f if declared.name == "F" else f_measure.e
        return make(tp, fp, fn, beta_of(measure), **options)
    if declared.proportion is None:
        return of_counts(measure, label, cells, **options)
    count_of = dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True))
    hits, others = (sum(count_of[name] for name in names.split()) for names in declared.proportion)
    refuse_unknown_options(options, proportion)
    return proportion(hits, hits + others, measure=label, **options)


def _at_prevalence(
    measure: Measure,
    label: str,
    cells: Sequence[int],
    prevalence: float,
    options: Mapping[str, Any],
) -> Interval:
    """The interval of a measure that depends on the prevalence, at a stated one."""
    stated = value_of(measure, prevalence)
    if not any(directions(stated, cells)):
        raise UsageError(
            argument="prevalence",
            what=f"{label} is the stated prevalence, whatever was decided",
            remedy="leave ⟨prevalence=⟩ out",
        )
    return of_counts(measure, f"{label} at prevalence {prevalence:g}", cells, prevalence, **options)


def of_counts(
    measure: Measure,
    label: str,
    cells: Sequence[int],
    prevalence: float | None = None,
    **options: Any,
) -> Interval:
    """The interval of any measure of one table, also at a stated prevalence."""
    make = _OF_VALUES.get(kind(measure.declaration, prevalence), _OF_VALUES["counts"])
    refuse_unknown_options(options, make)
    return make(measure, label, cells, prevalence, **options)


def value_of(measure: Measure, prevalence: float | None = None) -> Value:
    """The measure as a function of tables, at a stated prevalence if there is one."""

    def value(tables: Counts) -> Float64:
        return measure.of_table(tables).reshape(-1)

    return value if prevalence is None else at_prevalence(value, prevalence)


def _of_value(
    measure: Measure,
    label: str,
    cells: Sequence[int],
    prevalence: float | None = None,
    *,
    level: float = 0.95,
    method: str = "posterior",
    rng: Rng = 0,
    resamples: int = 10_000,
) -> Interval:
    """The interval of a function of one table.

    "posterior" holds whatever the counts are. "log" and "logit" are the delta method on the scale
    of logarithms or log-odds: of likelihood ratios that of Simel, Samsa & Matchar (1991), of odds
    ratios Woolf's (1955), of predictive values at a stated prevalence that of Mercaldo, Lau & Zhou
    (2007). They have no bounds at the ends of the range.
    """
    declared, value = measure.declaration, value_of(measure, prevalence)
    estimate = float(value(Counts(*np.array(cells)[:, None]))[0])
    if math.isnan(estimate):
        return undefined(label, f"{declared.undefined} (0/0)", level, method)
    signs = directions(value, cells)
    # A ratio without an upper end is uncertain if one cell is rare, however large the others are,
    # and so is a share of a population of another prevalence.
    by_cell = _is_ratio(declared) or prevalence is not None
    seen = kinds_of_cells(cells, signs, ratio=by_cell)
    if method in ("log", "logit"):
        return _by_delta(value, estimate, label, cells, level, method)
    if method != "posterior":
        arguments = value, estimate, label, of_table(*cells)
        return of_averages(
            *arguments, level=level, method=method, rng=rng, resamples=resamples, seen=seen
        )
    warn_of_few(label, seen, wide=True)
    low, high = cell_bounds(value, cells, signs, level)
    return Interval(
        estimate, min(low, estimate), max(high, estimate), level, method, label, _ASSUMED
    )


_OF_VALUES = {
    of: estimating(of)(_of_value) for of in ("counts", "ratio of counts", "share at a prevalence")
}


def _by_delta(
    value: Value,
    estimate: float,
    label: str,
    cells: Sequence[int],
    level: float,
    method: str,
) -> Interval:
    """Bounds by the delta method, even on the scale of logarithms ("log") or log-odds ("logit")."""
    if not 0 < estimate < (math.inf if method == "log" else 1):
        return undefined(label, "a count is 0", level, method, estimate)
    error = math.sqrt(variance(value, cells))
    warn_of_few(label, kinds_of_cells(cells, directions(value, cells), ratio=True))
    if method == "logit":
        low, high = around(estimate, error, quantiles.z(level))
    else:
        factor = math.exp(quantiles.z(level) * error / estimate)
        low, high = estimate / factor, estimate * factor
    return Interval(estimate, low, high, level, method, label, _ASSUMED, standard_error=error)


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
    rarest: Rarest | None = None,
    left_out: WithoutEach | None = None,
) -> Interval:
    """The interval of a measure of several categories; the sample is the items.

    `seen` has the numbers of correct decisions and of errors; by default those of items without and
    with an error. `rarest` is, for a mean over categories, the category that is most rarely true or
    decided. `left_out` finds what `value` finds without whole tables, with one item left out.
    """
    items = int(members.count.sum())
    if math.isnan(estimate) or not items:
        why = "it is 0/0" if items else "there are no items"
        return undefined(label, why, level, method)
    if items < FEWEST:
        warn(FewItems(label, items))
    elif rarest is not None and rarest.times < RAREST_OF_F:
        # With eight items of a category the interval of mean recall covered 87 %; most misses were
        # above.
        warn(RareCategory(label, rarest.times, category=rarest.category))
    source, seed = generator_and_seed(rng)
    members = members.merge_alike()
    cells = Cells(members.count)
    size = max(
        1, _BATCH // max(len(members.count), len(members.true.item), len(members.decided.item))
    )
    sizes = (min(size, resamples - begin) for begin in range(0, resamples, size))
    samples = np.concatenate(
        [value(members.counts(cells.draw(batch_size, source))) for batch_size in sizes]
    )
    defined = samples[~np.isnan(samples)]
    undefined_count = resamples - len(defined)
    if undefined_count > resamples / 100:
        warn(UndefinedSamples(label, undefined_count, resamples))
    low, high = math.nan, math.nan
    if len(defined):
        accelerated = partial(_acceleration, value, members, left_out)
        low, high = bounds(method, defined, estimate, level, accelerated)
        low, high = min(low, estimate), max(high, estimate)
    if low < high:
        warn_of_few(label, members.errors() if seen is None else seen)
    return Interval(estimate, low, high, level, method, label, _ASSUMED, seed, resamples)


def _acceleration(value: Value, members: Memberships, left_out: WithoutEach | None) -> float:
    """The acceleration of BCa: a sixth of the skewness of the changes if one item is left out."""
    item = np.flatnonzero(members.count)
    if left_out is not None:
        values = left_out(members, item)
    else:
        size = max(1, _BATCH // members.categories)
        batches = [item[begin : begin + size] for begin in range(0, len(item), size)]
        values = np.concatenate([value(members.without(batch)) for batch in batches])
    item, values = item[np.isfinite(values)], values[np.isfinite(values)]
    weight = members.count[item]
    return acceleration(np.sum(weight * values) / max(weight.sum(), 1) - values, weight)


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
    columns = (counts.tp, counts.relevant, counts.accepted)
    tables = tuple(column[:, 0].astype(np.float64) for column in columns)
    if micro:
        tables = tuple(np.full(members.categories, column.sum()) for column in tables)
    value, item_influences = _influences(members, tables, micro, square)
    # The table of micro-averages is of no category.
    times = tables[1] + tables[2]
    rarest = Rarest(float(times.min())) if micro else members.least(times)
    if math.isnan(value):
        why = "no item is in a category, and none was decided" if beta else "none was decided"
        return undefined(name, why, level, method)
    variance, z = inner(members.count, item_influences**2), quantiles.z(level)
    error = math.sqrt(variance)
    _warn_of_low_coverage(name, items, rarest, value)
    if method == "wald":
        low, high = cut(value, z * error)
    elif 0 < value < 1:
        centres, spread = (value, value), error
        if not micro:
            centres, spread = (
                _centres(tables, square, value),
                math.sqrt(variance + _variance_of_unseen_cases(tables, square)),
            )
        low = around(centres[0], spread, z)[0]
        # Unknown categories may all be right; then the upper centre reaches 1.
        high = around(centres[1], spread, z)[1] if centres[1] < 1 else 1.0
    else:
        warn(NoSpread(name, value, items))
        low, high = wilson(items if value >= 1 else 0, items, level)
    return Interval(value, low, high, level, method, name, _ASSUMED, standard_error=error)


def _warn_of_low_coverage(name: str, items: int, rarest: Rarest, value: float) -> None:
    """Warn if simulated coverage can leave 93-97 %."""
    if items < FEWEST_OF_F:
        warn(FewItems(name, items))
    elif rarest.times < RAREST_OF_F:
        warn(RareCategory(name, rarest.times, category=rarest.category))
    elif 0 < items * min(value, 1 - value) < LEAST_OF_F:
        warn(AverageAtAnEnd(name, value, items))


def _influences(
    members: Memberships, tables: Tables, micro: bool, square: float
) -> tuple[float, Float64]:
    """The average F, and the influence of every item."""
    tp, true, decided = tables
    denominators = square * true + decided
    if micro and not denominators[0]:
        return math.nan, np.zeros(len(members.count))
    # A category that is never true and never decided counts as 0, as in `Decisions.f`.
    divisors = np.where(denominators > 0, denominators, 1.0)
    f = (1 + square) * tp / divisors
    share = 1.0 if micro else 1.0 / members.categories
    gain, loss = share * (1 + square) / divisors, share * f / divisors

    def per_item(pairs: ItemCategories, weight: Float64) -> npt.NDArray[Any]:
        return np.bincount(pairs.item, weight[pairs.category], len(members.count))

    lost = square * per_item(members.true, loss), per_item(members.decided, loss)
    return float(f[0] if micro else f.mean()), per_item(members.both, gain) - lost[0] - lost[1]


def _centres(tables: Tables, square: float, value: float) -> tuple[float, float]:
    """Centres of the lower and of the upper bound of a mean of F.

    F of a category is biased downwards by F (1 - F) / (true + decided), for β = 1 and to second
    order. If a category is rarely true or decided, its F may be anything: a part of it,
    1 / (1 + ((true + decided) / 2)²), counts as 0 for the lower centre and as 1 for the upper one.
    """
    tp, true, decided = tables
    # Divided by 1 + β², whose square would overflow for the greatest β.
    of_true, of_decided = square / (1 + square), 1 / (1 + square)
    denominators = of_true * true + of_decided * decided
    denominators = np.where(denominators > 0, denominators, 1.0)
    f = tp / denominators
    spread = tp + of_true**2 * (true - tp) + of_decided**2 * (decided - tp)
    f = f + (tp - f * spread) / denominators**2
    unknown_part = 1 / (1 + ((true + decided) / 2) ** 2)
    known_part = (1 - unknown_part) * f
    return min(float(known_part.mean()), value), max(
        float((known_part + unknown_part).mean()), value
    )


def _variance_of_unseen_cases(tables: Tables, square: float) -> float:
    """Variance that half a case more of each kind adds to that of the mean: a category without
    errors, or without hits, has no variance of its own.
    """
    tp, true, decided = tables
    cells = np.stack([tp, decided - tp, true - tp])
    more = _variance_of_f(cells + 0.5, square) - _variance_of_f(cells, square)
    return float(np.maximum(more, 0.0).sum()) / len(tp) ** 2


def _variance_of_f(cells: Float64, square: float) -> Float64:
    """Variance of a category's F from its tp, fp and fn, by the delta method; 0 if there is no hit
    or no error.
    """
    tp, fp, fn = cells
    of_fn, of_fp = square / (1 + square), 1 / (1 + square)
    wrong = of_fp * fp + of_fn * fn
    f = tp / np.maximum(tp + wrong, 1e-300)
    hits, errors = np.where(tp > 0, tp, 1.0), np.where(wrong > 0, wrong, 1.0)
    variance = (f * (1 - f)) ** 2 * (1 / hits + (of_fp**2 * fp + of_fn**2 * fn) / errors**2)
    return np.asarray(np.where((tp > 0) & (wrong > 0), variance, 0.0))
