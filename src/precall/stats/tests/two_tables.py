"""Two systems' yes or no about the same items: differences and ratios of measures, and tests.

All depends on the joint table: how many items are in a cell (tp, fp, fn, tn) of the first system
and in one of the second. An item is relevant for both or for neither.

For shares of items of one class, such as recall, and for accuracy, only items count that the
systems decide differently. Tango's (1998) interval has the differences that the score test does not
reject. It has a width without such items, where the textbook's has none. Other measures have the
interval of a difference from the intervals of both values (MOVER), with the correlation of the
influences of items, and of half an item more in each kind of differing decisions. Of groups of
items the difference of the residuals of each group counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from precall.core.methods import NO_DIFFERENCE, Method
from precall.core.notes import collect_notes
from precall.core.ragged import Bool, Float64, Int64
from precall.measures import Measure
from precall.stats import quantiles
from precall.stats.blocks import inner
from precall.stats.intervals.grouped_tables import (
    Residuals,
    hits_and_sizes,
    ratio_residuals,
    table_residuals,
)
from precall.stats.intervals.mover import ValueWithBounds, mover
from precall.stats.intervals.of_tables import of_cells, value_of
from precall.stats.intervals.proportion import wilson
from precall.stats.intervals.table_influences import slopes, values_of
from precall.stats.scipy import special
from precall.stats.tests.paired import Result
from precall.stats.tests.signflip import LEAST

#: Halvings of an interval of differences, to the last digit.
_HALVINGS = 60
#: Columns of the cells (tp, fp, fn, tn) of relevant items, and of others.
_CLASSES = [0, 2], [1, 3]
#: Items added to each kind of differing decisions, where MOVER takes the correlation from them.
_UNSEEN = 1 / 2
#: A variance below this share of its terms is rounding.
_ROUNDING = 1e-12


class PairedTable(NamedTuple):
    """Items by which of two systems is right: both, only the first, only the second, neither."""

    both: int
    first: int
    second: int
    neither: int

    @property
    def items(self) -> int:
        """All of them."""
        return sum(self)

    def swap(self) -> PairedTable:
        """The same with the second system first."""
        return PairedTable(self.both, self.second, self.first, self.neither)


def joint_table(relevant: Bool, first: Bool, second: Bool) -> Int64:
    """Items by their cells (tp, fp, fn, tn) in the tables of two systems, 4 x 4.

    Examples
    --------
    >>> yes = np.array([True, True, False])
    >>> joint_table(yes, yes, ~yes).tolist()
    [[0, 0, 2, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0]]
    """
    codes = [np.where(relevant, 2 * ~each, 3 - 2 * each) for each in (first, second)]
    return np.bincount(4 * codes[0] + codes[1], minlength=16).reshape(4, 4)


def paired_table(joint: Int64 | Float64, hits: str, others: str) -> PairedTable:
    """The items of one class, or all, by which system is in a cell of `hits`; cells are named, with
    blanks between.

    Examples
    --------
    >>> paired_table(np.diag([4, 3, 2, 1]), "tp", "fn")
    PairedTable(both=4, first=0, second=0, neither=2)
    """
    cells = ("tp", "fp", "fn", "tn")
    hit, other = ([cells.index(name) for name in names.split()] for names in (hits, others))

    def count(rows: list[int], columns: list[int]) -> int:
        return int(joint[np.ix_(rows, columns)].sum())

    return PairedTable(count(hit, hit), count(hit, other), count(other, hit), count(other, other))


# --- Intervals ---


def tango(of: PairedTable, level: float) -> tuple[float, float]:
    """Tango's (1998) score interval of the difference of two shares of the same items.

    Examples
    --------
    >>> low, high = tango(PairedTable(1, 1, 7, 12), 0.95)
    >>> round(low, 6), round(high, 6)
    (-0.517232, -0.026003)
    """
    if of.first < of.second:
        low, high = tango(of.swap(), level)
        return 0.0 - high, 0.0 - low
    estimate, z = (of.first - of.second) / of.items, quantiles.z(level)

    def end(far: float) -> float:
        near = estimate
        for _ in range(_HALVINGS):
            middle = (near + far) / 2
            near, far = (middle, far) if abs(_score(of, middle)) <= z else (near, middle)
        return (near + far) / 2

    high = end(1.0)
    return (end(-1.0) if of.first > of.second else 0.0 - high), high


def _score(of: PairedTable, difference: float) -> float:
    """The score test's statistic of a difference, which is standard normal if that is true."""
    n = of.items
    b = -of.first - of.second + (2 * n - of.first + of.second) * difference
    c = -of.second * difference * (1 - difference)
    # The probability that only the second is right, if the difference is true.
    only_second = (math.sqrt(max(b * b - 8 * n * c, 0.0)) - b) / (4 * n)
    variance = n * (2 * only_second + difference * (1 - difference))
    gap = of.first - of.second - n * difference
    return gap / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, gap) * bool(gap)


def newcombe(of: PairedTable, level: float) -> tuple[float, float]:
    """Newcombe's (1998) interval of the difference of two shares of the same items: from Wilson's
    of both, with a correlation that is corrected for continuity.

    Examples
    --------
    >>> low, high = newcombe(PairedTable(1, 1, 7, 12), 0.95)
    >>> round(low, 6), round(high, 6)
    (-0.50692, -0.025559)
    """
    n, margins = of.items, (of.both + of.first, of.both + of.second)
    product = margins[0] * (n - margins[0]) * margins[1] * (n - margins[1])
    excess = float(of.both * of.neither - of.first * of.second)
    excess = max(excess - n / 2, 0.0) if excess > 0 else excess
    correlation = excess / math.sqrt(product) if product else 0.0
    first, second = (ValueWithBounds(hits / n, *wilson(hits, n, level)) for hits in margins)
    return mover(first, second, correlation=correlation)


@dataclass(frozen=True, slots=True, eq=False)
class TwoTables:
    """A measure of two systems' tables of the same items.

    Parameters
    ----------
    measure : a measure of counts.
    joint : items by their cells in both tables, 4 x 4.
    """

    measure: Measure
    joint: Int64 | Float64

    @property
    def tables(self) -> tuple[Float64, Float64]:
        """The cells of either system."""
        joint = self.joint.astype(np.float64)
        return joint.sum(axis=1), joint.sum(axis=0)

    @property
    def values(self) -> tuple[float, float]:
        """The value of either system."""
        value = value_of(self.measure)
        first, second = (float(values_of(value, cells[:, None])[0]) for cells in self.tables)
        return first, second

    def covariance(self) -> tuple[float, float, float]:
        """The variances of both values, and their covariance, by the influences of items."""
        value, tables = value_of(self.measure), self.tables
        influences = [slopes(value, cells) for cells in tables]
        squares = [
            inner(cells, influence**2) for cells, influence in zip(tables, influences, strict=True)
        ]
        # Added in an order that does not depend on which system comes first.
        products = self.joint * np.outer(*influences)
        return squares[0], squares[1], float(np.sort(products.ravel()).sum())

    def mover(self, level: float) -> tuple[float, float]:
        """The bounds of the difference; NaN if a value has none."""
        declared = self.measure.declaration
        # What is noticed of either value alone is not of the difference.
        with collect_notes():
            intervals = [
                of_cells(self.measure, declared.name, cells.astype(int).tolist(), level=level)
                for cells in self.tables
            ]
        first, second = (ValueWithBounds(each.estimate, *each.ends) for each in intervals)
        if not all(map(math.isfinite, (*first, *second))):
            return math.nan, math.nan
        *variances, product = self._with_more_discordance().covariance()
        both = math.sqrt(variances[0]) * math.sqrt(variances[1])
        correlation = min(max(product / both, -1.0), 1.0) if both > 0 else 0.0
        return mover(first, second, correlation=correlation)

    def _with_more_discordance(self) -> TwoTables:
        """The same with half an item more in each of the kinds that the systems decide differently:
        that no item or one was seen in a kind does not mean that there are none.
        """
        joint = self.joint.astype(np.float64)
        for cells in _CLASSES:
            if joint[np.ix_(cells, cells)].sum():
                joint[cells, cells[::-1]] += _UNSEEN
        return TwoTables(self.measure, joint)

    def ratio(self, level: float) -> tuple[float, float, float] | None:
        """The first value over the second with its bounds, even on the scale of logarithms; None
        if a value is 0 or undefined, or both systems decide so alike that nothing varies.
        """
        first, second = self.values
        if not (0 < first < math.inf and 0 < second < math.inf):
            return None
        variances = self.covariance()
        square = (
            variances[0] / first**2 + variances[1] / second**2 - 2 * variances[2] / (first * second)
        )
        # What is left of equal terms is rounding.
        if square <= _ROUNDING * (variances[0] / first**2 + variances[1] / second**2):
            return None
        return _ratio(first / second, math.sqrt(square), quantiles.z(level))

    # --- Tests ---

    def weighted_score(self, accepted: bool) -> Result:
        """Kosinski's (2013) weighted generalized score test of two predictive values; `accepted`
        is for PPV, else of NPV.
        """
        rows = [0, 1] if accepted else [2, 3]
        hit = 0 if accepted else 3
        sizes = [int(cells[rows].sum()) for cells in self.tables]
        if not all(sizes):
            return Result(math.nan, Method("undefined", undefined="0/0"), None)
        hits = [int(cells[hit]) for cells in self.tables]
        share = sum(hits) / sum(sizes)
        both = self.joint[np.ix_(rows, rows)]
        agreed = (int(both[rows.index(hit), rows.index(hit)]), int(both.sum()))
        shared = agreed[0] * (1 - share) ** 2 + (agreed[1] - agreed[0]) * share**2
        difference = hits[0] / sizes[0] - hits[1] / sizes[1]
        variance = (share * (1 - share) - 2 * shared / sum(sizes)) * (1 / sizes[0] + 1 / sizes[1])
        if not difference:
            return _NOTHING
        if not variance > 0:
            return Result(math.nan, Method("undefined", undefined="no variance"), None)
        return chi_squared([difference**2 / variance])


_NOTHING = Result(1.0, NO_DIFFERENCE, 0.0)


def ratio_of_shares(of: PairedTable, level: float) -> tuple[float, float, float] | None:
    """The ratio of two shares of the same items with its bounds; None if one of them is 0, or if
    no item is decided differently.

    Examples
    --------
    >>> [round(number, 4) for number in ratio_of_shares(PairedTable(319, 22, 78, 32), 0.95)]
    [0.8589, 0.8144, 0.9059]
    """
    first, second = of.both + of.first, of.both + of.second
    if not (first and second and of.first + of.second):
        return None
    error = math.sqrt((of.first + of.second) / (first * second))
    return _ratio(first / second, error, quantiles.z(level))


def _ratio(ratio: float, error: float, quantile: float) -> tuple[float, float, float]:
    factor = math.exp(quantile * error)
    return ratio, ratio / factor, ratio * factor


def chi_squared(statistics: list[float]) -> Result:
    """The result of a sum of independent statistics that have chi-squared distributions with one
    degree of freedom each.

    Examples
    --------
    >>> result = chi_squared([3.84])
    >>> round(result.p, 4), str(result.method)
    (0.05, 'chi-squared, 1 degree of freedom')
    """
    total = math.fsum(statistics)
    p = float(special().chdtrc(len(statistics), total))
    return Result(max(p, LEAST), Method("chi-squared", freedom=len(statistics)), total)


def mcnemar(*discordant: tuple[int, int]) -> Result:
    """McNemar's test without correction for continuity; of several classes of items the statistics
    are added.

    Examples
    --------
    >>> result = mcnemar((78, 22), (53, 22))
    >>> round(result.statistic, 4), f"{result.p:.3g}"
    (44.1733, '2.56e-10')
    """
    if not any(sum(pair) for pair in discordant):
        return _NOTHING
    return chi_squared(
        [(first - second) ** 2 / max(first + second, 1) for first, second in discordant]
    )


def obuchowski(differences: Float64) -> Result:
    """Obuchowski's (1998) test of two shares of items in groups; a difference is how many more
    items of the group are right in the first system.

    Examples
    --------
    >>> round(obuchowski(np.array([-2.0, -1, 0, 0, -1, 0, 1, -3])).statistic, 4)
    1.9688
    """
    differences = np.sort(differences)
    squares = inner(differences, differences)
    if not squares:
        return _NOTHING
    groups = len(differences)
    return chi_squared([(groups - 1) / groups * float(differences.sum()) ** 2 / squares])


# --- Groups ---


class DifferenceInGroups(NamedTuple):
    """Both values of a measure of items in groups, and the residuals of the groups."""

    values: tuple[float, float]
    residuals: tuple[Residuals, Residuals]

    @classmethod
    def of(cls, measure: Measure, tables: tuple[Float64, Float64]) -> DifferenceInGroups:
        """From the tables of either system, groups x cells."""
        value = value_of(measure)
        first, second = (float(values_of(value, cells.sum(axis=0)[:, None])[0]) for cells in tables)
        a, b = (_residuals(measure, cells) for cells in tables)
        return cls((first, second), (a, b))

    @classmethod
    def of_averages(
        cls,
        measure: Measure,
        tables: tuple[Iterable[Float64], Iterable[Float64]],
        is_weighted: bool,
    ) -> DifferenceInGroups:
        """Of averages over categories, from the tables of either system in each category."""
        a, b = (_averaged(measure, each, is_weighted) for each in tables)
        return cls((a[0], b[0]), (a[1], b[1]))

    def bounds(self, level: float) -> tuple[float, float]:
        """The bounds of the difference."""
        together = self._together(1.0, 1.0)
        half = quantiles.t(level, together.freedom) * together.error
        difference = self.values[0] - self.values[1]
        return difference - half, difference + half

    def ratio(self, level: float) -> tuple[float, float, float] | None:
        """The first value over the second with its bounds; None if a value is 0 or undefined, or
        no group makes a difference.
        """
        first, second = self.values
        if not (0 < first < math.inf and 0 < second < math.inf):
            return None
        together = self._together(1 / first, 1 / second)
        if not together.error > 0:
            return None
        return _ratio(first / second, together.error, quantiles.t(level, together.freedom))

    def _together(self, first: float, second: float) -> Residuals:
        a, b = self.residuals
        return Residuals(first * a.sums - second * b.sums, min(a.even, b.even))


def _residuals(measure: Measure, tables: Float64) -> Residuals:
    counted = hits_and_sizes(measure, tables)
    if counted is None or not float(counted[1].sum()):
        return table_residuals(value_of(measure), tables)
    return ratio_residuals(*counted)


def _averaged(
    measure: Measure, tables: Iterable[Float64], is_weighted: bool
) -> tuple[float, Residuals]:
    """The average over categories, and the residuals of the groups: those of the categories,
    averaged, and what a group adds to the weights.
    """
    value, declared = value_of(measure), measure.declaration
    total = weight = 0.0
    sums: Any = 0.0
    sizes: Any = 0.0
    for cells in tables:
        size = cells[:, 0] + cells[:, 2] if is_weighted else np.zeros(len(cells))
        share = float(size.sum()) if is_weighted else 1.0
        one = float(values_of(value, cells.sum(axis=0)[:, None])[0])
        if not math.isnan(one):
            sums = sums + share * _residuals(measure, cells).sums
        elif declared.policy("zero") == "omit":
            continue
        else:
            one = declared.zero
        total, weight = total + share * one, weight + share
        sums, sizes = sums + size * one, sizes + size
    if not weight:
        return math.nan, Residuals(np.zeros(0), 1.0)
    average = total / weight
    each = (sums - average * sizes) / weight
    return average, Residuals(each, float(np.count_nonzero(each)))
