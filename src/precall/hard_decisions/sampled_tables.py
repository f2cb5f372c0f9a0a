"""Measures of samples of decisions, whose tables are categories x samples: one number per
sample.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from precall.core.counts import Counts
from precall.core.ragged import Float64
from precall.measures.registry import Measure


def joint_value(formula: Any, tables: Counts) -> Float64:
    """The value of a formula over all categories at once."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.array([formula(tables[:, sample]) for sample in range(tables.tp.shape[1])])


def averages_of(measure: Measure, how: str | None, undefined: str, tables: Counts) -> Float64:
    """An average over categories, as in `Decisions.value`."""
    if how == "micro":
        cells = (counts.sum(axis=0) for counts in (tables.tp, tables.fp, tables.fn, tables.tn))
        return measure.of_table(Counts(*cells))
    values = fill(measure.of_table(tables), measure, undefined)
    is_defined = ~np.isnan(values)
    weight = np.where(is_defined, tables.relevant if how == "weighted" else 1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(
            np.sum(np.where(is_defined, values, 0) * weight, axis=0) / weight.sum(axis=0)
        )


def fill(values: Float64, measure: Measure, undefined: str) -> Float64:
    """The values; undefined ones count as nothing gained, unless they are left out."""
    undefined = measure.declaration.policy(undefined)
    return np.where(np.isnan(values) & (undefined != "omit"), measure.declaration.zero, values)
