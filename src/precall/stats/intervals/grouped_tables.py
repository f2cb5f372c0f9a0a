"""Intervals of measures of one table whose cases come in groups, such as lesions of patients.

Groups are the sample; cases of a group may be alike. A share of cases, such as recall, is a ratio
of sums over groups. Its error is that of the groups' residuals, each divided by √(1 - h), where h
is the group's share of the denominator: a heavy group pulls the ratio to itself. The degrees of
freedom are Satterthwaite's, because few groups often cause most of the error, and the bounds are
even on the scale of log-odds.

If a kind of outcome was seen in fewer than five groups, residuals tell little. Then the groups are
weighted at random (the Bayesian bootstrap), with one group of typical size more, of which two
thirds lie at the far end of a bound and one third at its near end.

Other measures of the table have the interval of a table of independent cases, of as many cases as
would have the error of the groups (Rao & Scott 1992).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from precall.core.errors import UsageError
from precall.core.notes import keep_notes, warn
from precall.core.notes.of_intervals import AtAnyPrevalence, FewGroups, FewGroupsOfAKind
from precall.core.ragged import Float64
from precall.core.rng import Rng
from precall.measures import Measure
from precall.stats import quantiles
from precall.stats.blocks import inner
from precall.stats.intervals import bayesian
from precall.stats.intervals.cell_posterior import cell_bounds, directions
from precall.stats.intervals.interval import Interval, around, estimating, undefined
from precall.stats.intervals.of_tables import beta_of, value_of
from precall.stats.intervals.table_influences import (
    LITTLE,
    Value,
    has_fixed_classes,
    slopes,
    values_of,
)

#: If a kind of outcome was seen in fewer groups, their residuals tell little of the error.
FEWEST_OF_A_KIND = 5
#: With fewer groups, intervals can miss their level (docs/why/intervals.md).
FEWEST_GROUPS = 10
_ASSUMED = "groups drawn independently"
_CELLS = ("tp", "fp", "fn", "tn")


class Residuals(NamedTuple):
    """What each group adds to the error of a measure, and the effective number of groups."""

    sums: Float64
    even: float

    @property
    def error(self) -> float:
        """The standard error of the measure."""
        return math.sqrt(inner(self.sums, self.sums))

    @property
    def freedom(self) -> float:
        """Degrees of freedom of the error: Satterthwaite's, at most those of groups of even size,
        at least 1.
        """
        most = float(np.abs(self.sums).max(initial=0.0))
        if not most:
            return max(self.even - 1, 1.0)
        # Divided by the greatest, because fourth powers can underflow.
        squares = (self.sums / most) ** 2
        excess = inner(squares, squares) / float(squares.sum()) ** 2 - 1 / len(squares)
        return max(min(2 / excess if excess > 1e-12 else math.inf, self.even - 1), 1.0)


def ratio_residuals(hits: Float64, sizes: Float64) -> Residuals:
    """Residuals of the ratio of two sums over groups, Σ hits / Σ sizes.

    Examples
    --------
    >>> residuals = ratio_residuals(np.array([3.0, 1.0, 4.0]), np.array([4.0, 4.0, 4.0]))
    >>> round(residuals.error, 4), round(residuals.freedom, 4)
    (0.2205, 2.0)
    """
    total = float(sizes.sum())
    lever = sizes / total
    raw = (hits - float(hits.sum()) / total * sizes) / total
    return Residuals(raw / np.sqrt(_rest(lever)), 1 / inner(lever, lever))


def _rest(lever: Float64) -> Float64:
    """1 - the leverage of each group; a group that is nearly everything keeps a part."""
    return np.maximum(1 - lever, 1 / max(len(lever), 1))


def table_residuals(value: Value, tables: Float64) -> Residuals:
    """Residuals of any measure of the summed table; tables are groups x cells.

    If the measure depends on recall and specificity alone, each class has its own leverage.
    """
    totals = tables.sum(axis=0)
    slope = slopes(value, totals + LITTLE)
    sums, even = np.zeros(len(tables)), math.inf
    for part in _parts(value, totals):
        size = tables[:, part].sum(axis=1)
        total = float(size.sum())
        if not total:
            continue
        lever = size / total
        expected = lever[:, None] * totals[part]
        sums += (tables[:, part] - expected) @ slope[part] / np.sqrt(_rest(lever))
        even = min(even, 1 / inner(lever, lever))
    return Residuals(sums, even)


def _parts(value: Value, totals: Float64) -> list[list[int]]:
    """The cells within which cases are drawn: each class if only recall and specificity count,
    else all.
    """
    return [[0, 2], [1, 3]] if has_fixed_classes(value, totals) else [[0, 1, 2, 3]]


def hits_and_sizes(measure: Measure, tables: Float64) -> tuple[Float64, Float64] | None:
    """Numerator and denominator of each group if the measure is a share of cases, or F; tables are
    groups x cells.
    """
    declared = measure.declaration
    tp, fp, fn, _ = tables.T
    if declared.name in ("F", "E"):
        square = beta_of(measure) ** 2
        hits, misses = (1 + square) * tp, fp + square * fn
        return (hits if declared.name == "F" else misses), hits + misses
    if declared.proportion is None:
        return None
    column = dict(zip(_CELLS, tables.T, strict=True))
    hits, others = (sum(column[name] for name in names.split()) for names in declared.proportion)
    return np.asarray(hits), np.asarray(hits + others)


@keep_notes
def of_groups(
    measure: Measure,
    label: str,
    tables: Float64,
    prevalence: float | None = None,
    **options: Any,
) -> Interval:
    """The interval of a measure of a table summed over groups; tables are groups x cells (tp, fp,
    fn, tn).
    """
    if prevalence is not None:
        if not has_fixed_classes(value_of(measure), tables.sum(axis=0)):
            label = f"{label} at prevalence {prevalence:g}"
        else:
            warn(AtAnyPrevalence(label, prevalence))
            prevalence = None
    counted = None if prevalence is not None else hits_and_sizes(measure, tables)
    if counted is not None:
        return share_in_groups(*counted, label=label, **options)
    return _of_tables(measure, label, tables, prevalence, **options)


@estimating("share in groups")
def share_in_groups(
    hits: Float64,
    sizes: Float64,
    *,
    label: str = "share",
    level: float = 0.95,
    method: str | None = None,
    rng: Rng = 0,
) -> Interval:
    """The interval of a share of cases in groups: "logit", or "bayesian-bootstrap" if successes or
    failures are in fewer than five groups.

    Examples
    --------
    >>> hits, sizes = np.array([3.0, 2, 4, 1, 3, 4, 2, 3, 4, 2] * 2), np.full(20, 4.0)
    >>> print(share_in_groups(hits, sizes))
    share 0.7000 [0.5713, 0.8034] 95 % logit
    """
    hits, sizes = hits[sizes > 0], sizes[sizes > 0]
    groups = len(sizes)
    if not groups:
        return undefined(label, "0/0", level, method or "logit")
    estimate = float(hits.sum() / sizes.sum())
    kinds = int(np.count_nonzero(hits)), int(np.count_nonzero(sizes - hits))
    if groups < 2:
        return undefined(label, "one group has no variance", level, method or "logit", estimate)
    residuals = ratio_residuals(hits, sizes)
    chosen = method or (
        "logit" if min(kinds) >= FEWEST_OF_A_KIND and residuals.error else "bayesian-bootstrap"
    )
    _warn_of_groups(label, groups, residuals.even)
    if chosen == "bayesian-bootstrap":
        if min(kinds) < FEWEST_OF_A_KIND:
            warn(FewGroupsOfAKind(label, min(kinds), FEWEST_OF_A_KIND))
        low, high = _bootstrap_bounds(hits, sizes, level)
        low, high = min(low, estimate), max(high, estimate)
    elif not 0 < estimate < 1:
        return undefined(label, "its variance is 0", level, chosen, estimate)
    else:
        low, high = around(estimate, residuals.error, quantiles.t(level, residuals.freedom))
    return Interval(
        estimate, low, high, level, chosen, label, _ASSUMED, standard_error=residuals.error
    )


def _bootstrap_bounds(hits: Float64, sizes: Float64, level: float) -> tuple[float, float]:
    typical = inner(sizes, sizes) / float(sizes.sum())
    values = np.append(hits / sizes, (0.0, 1.0))
    weights, ones, tail = np.append(sizes, (typical, typical)), np.ones(len(sizes)), (1 - level) / 2
    low, high = (
        bayesian.quantile(values, np.append(ones, more), share, weights)
        for more, share in (((2 / 3, 1 / 3), tail), ((1 / 3, 2 / 3), 1 - tail))
    )
    return low, high


@estimating("table in groups")
def _of_tables(
    measure: Measure,
    label: str,
    tables: Float64,
    prevalence: float | None = None,
    *,
    level: float = 0.95,
    method: str = "rao-scott",
    rng: Rng = 0,
) -> Interval:
    value, tables = value_of(measure, prevalence), tables[tables.sum(axis=1) > 0]
    totals = tables.sum(axis=0)
    estimate = float(values_of(value, totals[:, None])[0])
    if math.isnan(estimate):
        return undefined(label, f"{measure.declaration.undefined} (0/0)", level, method)
    if len(tables) < 2:
        return undefined(label, "one group has no variance", level, method, estimate)
    signs = directions(value, totals.tolist())
    if prevalence is not None and not any(signs):
        raise UsageError(
            argument="prevalence",
            what=f"{label} does not depend on the decisions",
            remedy="leave ⟨prevalence=⟩ out",
        )
    residuals = table_residuals(value, tables)
    _warn_of_groups(label, len(tables), residuals.even)
    effect, freedom = _design_effect(value, tables, residuals), residuals.freedom
    rarest = min(int(np.count_nonzero(tables[:, cell])) for cell in range(4) if signs[cell] != 0)
    if rarest < FEWEST_OF_A_KIND:
        warn(FewGroupsOfAKind(label, rarest, FEWEST_OF_A_KIND))
        # So few residuals show neither the error nor its degrees of freedom. The bounds of few
        # cases are wide already; half of the cases of a group are taken as alike.
        sizes = [tables[:, part].sum(axis=1) for part in _parts(value, totals)]
        typical = max(inner(size, size) / max(float(size.sum()), 1.0) for size in sizes)
        effect, freedom = max(effect, (1 + typical) / 2), max(residuals.even - 1, 1.0)
    widened = (quantiles.t(level, freedom) / quantiles.z(level)) ** 2
    cells = (totals / (effect * widened)).tolist()
    low, high = cell_bounds(value, cells, signs, level)
    return Interval(
        estimate,
        min(low, estimate),
        max(high, estimate),
        level,
        method,
        label,
        _ASSUMED,
        standard_error=residuals.error,
    )


def _design_effect(value: Value, tables: Float64, residuals: Residuals) -> float:
    """How many times greater the variance is than that of as many independent cases; at least 1."""
    totals = tables.sum(axis=0)
    slope, independent = slopes(value, totals + LITTLE), 0.0
    for part in _parts(value, totals):
        cells, slope_of_part = totals[part], slope[part]
        if size := float(cells.sum()):
            centre = inner(cells, slope_of_part) / size
            independent += inner(cells, (slope_of_part - centre) ** 2)
    return max(residuals.error**2 / independent, 1.0) if independent else 1.0


def _warn_of_groups(label: str, groups: int, even: float) -> None:
    if even < FEWEST_GROUPS:
        warn(FewGroups(label, groups, even))
