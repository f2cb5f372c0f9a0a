"""Measures of samples of decisions, whose tables are categories x samples: one number per
sample. And the same of decisions that lack one item.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from precall.core.counts import Counts
from precall.core.ragged import Float64, Int64
from precall.measures.registry import Measure
from precall.stats.intervals import left_out
from precall.stats.intervals.of_tables import Memberships


def joint_value(formula: Any, tables: Counts) -> Float64:
    """The value of a formula over all categories at once."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.array([formula(tables[:, sample]) for sample in range(tables.tp.shape[1])])


def averages_of(measure: Measure, how: str | None, undefined: str, tables: Counts) -> Float64:
    """An average over categories, as in `Decisions.value`."""
    if how == "micro":
        cells = (counts.sum(axis=0) for counts in (tables.tp, tables.fp, tables.fn, tables.tn))
        return measure.of_table(Counts(*cells))
    values, weight = _terms(measure, how, undefined, tables)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.sum(values, axis=0) / weight.sum(axis=0))


def averages_without(
    measure: Measure, how: str | None, undefined: str
) -> Callable[[Memberships, Int64], Float64] | None:
    """What finds `averages_of` with one item left out, for each kind of items; None where a user's
    formula may look at all tables at once.
    """
    if not measure.declaration.ours:
        return None
    if how == "micro":
        return lambda members, kinds: measure.of_table(left_out.totals(members, kinds))
    return partial(left_out.averages, partial(_terms, measure, how, undefined))


def _terms(
    measure: Measure, how: str | None, undefined: str, tables: Counts
) -> tuple[Float64, Int64]:
    """What each table adds to the sum of values, and to that of weights."""
    values = fill(measure.of_table(tables), measure, undefined)
    is_defined = ~np.isnan(values)
    weight = np.where(is_defined, tables.relevant if how == "weighted" else 1, 0)
    return np.where(is_defined, values, 0) * weight, weight


def fill(values: Float64, measure: Measure, undefined: str) -> Float64:
    """The values; undefined ones count as nothing gained, unless they are left out."""
    undefined = measure.declaration.policy(undefined)
    return np.where(np.isnan(values) & (undefined != "omit"), measure.declaration.zero, values)
