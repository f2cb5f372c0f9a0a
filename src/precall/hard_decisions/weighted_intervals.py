"""Intervals of decisions about items with sampling weights.

A measure changes by an item's weight times its gradient if that item is drawn once more. The
squares of these changes add up to its variance. The effective number of items is that with which a
share of the same value has this variance; the bounds are those of a share of that number of items,
as Korn and Graubard take them for shares of surveys.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from precall.core.counts import Counts
from precall.core.errors import UsageError
from precall.core.notes import collect_notes, notes_of, warn
from precall.core.notes.of_intervals import FewEffectiveItems
from precall.core.ragged import Float64
from precall.core.rng import Rng
from precall.hard_decisions.outcomes import Decisions
from precall.hard_decisions.sampled_tables import fill
from precall.measures import Measure
from precall.stats import quantiles
from precall.stats.intervals.interval import (
    Interval,
    Intervals,
    estimating,
    refuse_unknown_options,
)
from precall.stats.intervals.interval import (
    undefined as no_value,
)
from precall.stats.intervals.proportion import BOUNDS

#: By which part of all weights a cell is changed to find a gradient.
_STEP = 1e-6
#: With fewer effective items of either kind, bounds can cover less than 93 %.
_FEWEST = 20
#: More degrees of freedom than matter.
_ENDLESS = 1e6
_CELLS = ("tp", "fp", "fn", "tn")
_ASSUMED = "independent items with sampling weights; a share of an effective number of items"


def of_weights(
    given: Decisions,
    measure: Measure,
    label: str,
    average: str | None,
    undefined: str,
    chosen: dict[str, Any],
) -> Interval | Intervals:
    """The interval of a measure within 0..1, or those of each category.

    Raises
    ------
    UsageError
        The measure has another range, or is one number of the whole table.
    """
    declared = measure.declaration
    refuse_unknown_options(chosen, share_of_weights)
    is_joint = average is None and declared.joint is not None and given.truth.kind == "single"
    if [*declared.range] != [0, 1] or (is_joint and declared.items is None):
        raise UsageError(
            argument="weights",
            what=f"{label} has no interval with sampling weights",
            remedy="take a measure within 0..1 such as P, R, F or accuracy, or another average",
        )
    weights = given.of_items
    if average == "samples" or (average is None and declared.items is not None):
        return _of_items(given, measure, label, average, undefined, chosen)
    if average in (None, "each"):
        return _each(given, measure, label, len(weights), chosen)
    with collect_notes():
        estimate = float(given.value(measure, average, undefined))
    slopes = _slopes_of_average(given, measure, str(average), undefined)
    influence = _influence(given, slopes)
    name = f"{average} {label}"
    counted = _influence(given, np.array([[1.0], [1.0], [1.0], [0.0]])) > 0
    every = np.asarray(given.weights, np.float64)
    heavy = every[counted]
    spread = ItemSpread.of_items(influence, every)
    return share_of_weights(
        estimate, spread, _kish(float(heavy.sum()), float(heavy @ heavy)), name, **chosen
    )


class ItemSpread(NamedTuple):
    """How items change an estimate: sums of squares and of fourth powers, with the weights and as
    if all were equal.
    """

    squares: float
    fourths: float
    equal_squares: float
    equal_fourths: float
    items: int

    @classmethod
    def of_items(cls, influence: Float64, weights: Float64) -> ItemSpread:
        """That of the influence of each item, and of its weight."""
        equal = np.divide(influence, weights, np.zeros_like(influence), where=weights > 0)
        equal *= weights.mean()
        squares, fourths = (influence**power for power in (2, 4))
        equal_squares, equal_fourths = (equal**power for power in (2, 4))
        return cls(
            float(squares.sum()),
            float(fourths.sum()),
            float(equal_squares.sum()),
            float(equal_fourths.sum()),
            len(influence),
        )

    @property
    def variance(self) -> float:
        """The variance of the estimate."""
        return self.squares * self.items / (self.items - 1) if self.items > 1 else self.squares

    def shrink(self, level: float) -> float:
        """By which the effective number of items is multiplied, as unequal weights leave the
        variance less sure.
        """
        pairs = (self.squares, self.fourths), (self.equal_squares, self.equal_fourths)
        with_weights, equal = (self._freedom(*pair) for pair in pairs)
        if with_weights >= equal:
            return 1.0
        return (quantiles.t(level, equal) / quantiles.t(level, with_weights)) ** 2

    def _freedom(self, squares: float, fourths: float) -> float:
        """Degrees of freedom of a chi square whose mean and variance are those of the variance."""
        excess = fourths - squares * squares / max(self.items, 1)
        if excess <= 0:
            return _ENDLESS
        return min(max(2 * squares * squares / excess, 1.0), _ENDLESS)


@estimating("proportion")
def share_of_weights(
    estimate: float,
    spread: ItemSpread,
    most: float,
    label: str,
    *,
    level: float = 0.95,
    method: str = "wilson",
    rng: Rng = 0,
) -> Interval:
    """The interval of a value within 0..1.

    Parameters
    ----------
    estimate : the value.
    spread : how items change it.
    most : the effective number of items if none of them is right, or all are.
    label : name of the interval.
    level, method : see `proportion`.
    rng : nothing is drawn here.
    """
    if np.isnan(estimate) or not most:
        return no_value(label, "it is 0/0", level, method)
    total, variance = most, spread.variance
    if variance > 0 and 0 < estimate < 1:
        total = estimate * (1 - estimate) / variance * spread.shrink(level)
    hits = estimate * total
    if min(hits, total - hits) < _FEWEST:
        warn(FewEffectiveItems(label, round(hits), round(total), _FEWEST))
    low, high = BOUNDS[method](hits, total, level)
    error = float(np.sqrt(variance))
    return Interval(estimate, low, high, level, method, label, _ASSUMED, standard_error=error)


def _of_items(
    given: Decisions,
    measure: Measure,
    label: str,
    average: str | None,
    undefined: str,
    chosen: dict[str, Any],
) -> Interval:
    """The interval of a weighted mean over items."""
    counts = given.counts("samples")
    weights = given.of_items
    if average is None:
        values = np.asarray(measure.declaration.items(counts), np.float64)  # type: ignore[misc]
    else:
        values, label = fill(measure.of_table(counts), measure, undefined), f"samples {label}"
        weights, values = weights[~np.isnan(values)], values[~np.isnan(values)]
    total = float(weights.sum())
    estimate = float(weights @ values) / total if total else np.nan
    influence = weights * (values - estimate) / total if total else weights
    spread = ItemSpread.of_items(influence, weights)
    return share_of_weights(estimate, spread, _kish(total, weights @ weights), label, **chosen)


def _each(
    given: Decisions,
    measure: Measure,
    label: str,
    items: int,
    chosen: dict[str, Any],
) -> Interval | Intervals:
    """The interval of each category; of a yes or no the only one."""
    counts = given.counts()
    slopes, values = _slopes(measure, counts), measure.of_table(counts)
    every = np.asarray(given.weights, np.float64)
    plain, squares, fourths = (
        Decisions(given.truth, given.predicted, every**power).counts() for power in (0, 2, 4)
    )
    average = float(every.mean()) if items else 0.0

    def sums_of(counts: Counts, power: int) -> Float64:
        return np.asarray((slopes**power * _matrix(counts)).sum(axis=0))

    spreads = zip(
        sums_of(squares, 2).tolist(),
        sums_of(fourths, 4).tolist(),
        (sums_of(plain, 2) * average**2).tolist(),
        (sums_of(plain, 4) * average**4).tolist(),
        strict=True,
    )
    every_spread = [ItemSpread(a, b, c, d, items) for a, b, c, d in spreads]
    looked_at = " ".join(measure.declaration.proportion or _CELLS[:3]).split()
    sums = sum(getattr(counts, cell) for cell in looked_at)
    of_squares = sum(getattr(squares, cell) for cell in looked_at)
    made = {}
    for at, name in enumerate(given.categories):
        most = _kish(float(sums[at]), float(of_squares[at]))
        with collect_notes():
            made[str(name)] = share_of_weights(
                float(values[at]),
                every_spread[at],
                most,
                label,
                **chosen,
            )
    if given.truth.kind == "binary":
        return next(iter(made.values()))
    notes = [note for name, each in made.items() for note in notes_of(name, each.notes)]
    return Intervals(made, notes=notes, over="category", of=label).aloud()


def _matrix(counts: Counts) -> Float64:
    """The cells as rows."""
    return np.array([getattr(counts, cell) for cell in _CELLS], np.float64)


def _kish(total: float, squares: float) -> float:
    """How many items of equal weight tell as much as items with this sum of weights and of their
    squares.
    """
    return float(total * total / squares) if squares else 0.0


def _slopes(measure: Measure, counts: Counts) -> Float64:
    """By which the measure of each table changes with each cell; 0 where it is undefined."""
    cells = _matrix(counts)
    step = _STEP * max(float(cells.sum(axis=0).max(initial=0)), 1e-300)
    slopes = np.zeros_like(cells)
    for cell in range(len(cells)):
        up, down = cells.copy(), cells.copy()
        up[cell] += step
        down[cell] = np.maximum(down[cell] - step, 0)
        high, low = measure.of_table(Counts(*up)), measure.of_table(Counts(*down))
        slopes[cell] = np.nan_to_num((high - low) / (up[cell] - down[cell]))
    return slopes


def _slopes_of_average(given: Decisions, measure: Measure, average: str, undefined: str) -> Float64:
    """By which the average changes with each cell of each category."""
    counts = given.counts()
    if average == "micro":
        return _slopes(measure, Counts(*_matrix(counts).sum(axis=1, keepdims=True)))
    slopes, values = _slopes(measure, counts), fill(measure.of_table(counts), measure, undefined)
    slopes[:, np.isnan(measure.of_table(counts))] = 0
    is_there = ~np.isnan(values)
    if average == "macro":
        return slopes / max(int(is_there.sum()), 1)
    support = np.asarray(counts.tp + counts.fn, np.float64) * is_there
    values = np.nan_to_num(values)
    total = float(support.sum()) or 1.0
    mean = float(support @ values) / total
    slopes *= support / total
    slopes[[0, 2]] += (values - mean) * is_there / total
    return slopes


def _influence(given: Decisions, slopes: Float64) -> Float64:
    """Of each item its weight times the sum of the slopes of its cells."""
    width = max(len(given.categories), 1)
    slopes = np.broadcast_to(slopes, (len(_CELLS), width))
    both = given._both.keys
    sums = np.full(given.truth.items, float(slopes[3].sum()))
    if given.truth.unlabelled is not None:
        item, category = np.divmod(given.truth.unlabelled, width)
        sums -= np.bincount(item, slopes[3][category], len(sums))
    for cell, keys in enumerate(
        (
            both,
            np.setdiff1d(given.predicted.keys, both, assume_unique=True),
            np.setdiff1d(given.truth.keys, both, assume_unique=True),
        )
    ):
        item, category = np.divmod(keys, width)
        sums += np.bincount(item, (slopes[cell] - slopes[3])[category], len(sums))
    return sums * np.asarray(given.weights, np.float64)
