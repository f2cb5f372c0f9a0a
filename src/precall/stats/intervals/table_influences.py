"""How each case moves a measure of one table, and what follows: its variance, and its value at a
stated prevalence.

A measure is a function of the four cells. Its slopes are found by small steps, so measures of users
need no formula of their variance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from precall.core.counts import Counts
from precall.core.ragged import Float64

#: Step of a cell, as a share of it: the error is of the order of its square.
_STEP = 2e-5
#: Values that differ by less than this share are equal.
_EQUAL = 1e-9
#: A third of a case in each cell keeps slopes finite where a cell is empty.
LITTLE = 1 / 3
#: Factors of the four cells that change recall and specificity unlike.
_OTHER_RATES = np.array([1.0, 1.13, 1.37, 1.71])
#: A value per table.
Value = Callable[[Counts], Float64]


def values_of(value: Value, tables: Float64) -> Float64:
    """The measure of each table; tables are cells x tables."""
    with np.errstate(all="ignore"):
        return np.asarray(value(Counts(*tables)), np.float64).reshape(-1)


def slopes(value: Value, cells: Sequence[float] | Float64) -> Float64:
    """The change of the measure with one more of each cell (tp, fp, fn, tn).

    Examples
    --------
    >>> slopes(lambda c: c.tp / c.accepted, (30, 10, 5, 40)).round(6).tolist()
    [0.00625, -0.01875, 0.0, 0.0]
    """
    at = np.asarray(cells, np.float64)
    step = _STEP * np.maximum(at, at.sum() / 1000)
    # An empty cell can only grow.
    back = np.where(at >= step, step, 0.0)
    more, less = (values_of(value, at[:, None] + np.diag(by)) for by in (step, -back))
    if not np.any(back == 0):
        return np.asarray((more - less) / (step + back), np.float64)
    twice = values_of(value, at[:, None] + np.diag(2 * step))
    one_sided = (4 * more - 3 * values_of(value, at[:, None]) - twice) / (2 * step)
    two_sided = (more - less) / (step + back)
    return np.asarray(np.where(back > 0, two_sided, one_sided), np.float64)


def variance(value: Value, cells: Sequence[float] | Float64) -> float:
    """The variance of the measure over tables of independent cases, by the delta method.

    Examples
    --------
    >>> round(variance(lambda c: c.tp / c.accepted, (30, 10, 5, 40)), 8)
    0.0046875
    """
    at, slope = np.asarray(cells, np.float64), slopes(value, cells)
    centre = float(at @ slope) / float(at.sum())
    return float(at @ (slope - centre) ** 2)


def at_prevalence(value: Value, prevalence: float) -> Value:
    """The measure of tables in which this share of the items is relevant, with the recall and the
    specificity of the given ones.

    Examples
    --------
    >>> cells = Counts(*np.array([[90], [20], [10], [180]]))
    >>> at_prevalence(lambda c: c.tp / c.accepted, 0.1)(cells).round(6).tolist()
    [0.5]
    """

    def of_population(tables: Counts) -> Float64:
        total = tables.total
        with np.errstate(divide="ignore", invalid="ignore"):
            relevant = prevalence * total / tables.relevant
            other = (1 - prevalence) * total / tables.other
            cells = (
                tables.tp * relevant,
                tables.fp * other,
                tables.fn * relevant,
                tables.tn * other,
            )
            return value(Counts(*cells))

    return of_population


def has_fixed_classes(value: Value, cells: Sequence[float] | Float64) -> bool:
    """Whether the measure depends on recall and specificity alone, not on how many of the items
    are relevant.

    Examples
    --------
    >>> cells = (30, 10, 5, 40)
    >>> has_fixed_classes(lambda c: c.tp / c.relevant, cells)
    True
    >>> has_fixed_classes(lambda c: c.tp / c.accepted, cells)
    False
    """
    observed = np.asarray(cells, np.float64) + LITTLE
    sizes = np.array([[1, 3, 1], [1, 1, 3], [1, 3, 1], [1, 1, 3]], np.float64)
    # Where recall and specificity are equal, so are accuracies at any prevalence: a second table
    # has other rates.
    of_tables = (
        values_of(value, at[:, None] * sizes) for at in (observed, observed * _OTHER_RATES)
    )
    return all(np.ptp(found) <= _EQUAL * np.abs(found).max() for found in of_tables)
