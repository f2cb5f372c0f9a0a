"""Intervals for every average of a report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from precall.checks import check_choice, check_level
from precall.errors import UsageError
from precall.evaluation import FLOOR
from precall.infer.interval.interval import METHODS, Interval, Intervals
from precall.infer.interval.mean import mean
from precall.notes import listening
from precall.ragged import Float64
from precall.results import Report
from precall.rng import Rng, seed_of
from precall.undefined import treated


def of_report(
    report: Report, measure: str | None = None, *, level: float = 0.95, method: str = "t", rng: Rng = 0,
    resamples: int = 10_000,
) -> Intervals:  # fmt: skip
    """Intervals of all averages over topics, by measure (one run) or (run, measure); see `pc.interval`.

    Undefined topics count as they did in the averages. A geometric mean gets the interval of its logarithm,
    turned back. Sums over topics (counts such as NumRel) estimate nothing and have none.
    With `measure` only of this one; options are those of `pc.interval.mean`, and a seed gives every average the same draws.
    """
    check_choice("method", method, METHODS["mean"])
    options = {"level": check_level(level), "method": method, "rng": seed_of(rng), "resamples": resamples}
    known = measure if measure is None else report.asked.get(measure, measure)
    if known is not None and known not in report.measures:
        raise UsageError(f"measure: got {measure!r}, the report has {', '.join(report.measures)}")
    if known is not None and report.aggregates[report.measures.index(known)] == "sum":
        what = "is a sum over topics, which estimates nothing"
        raise UsageError(f"measure: {known} {what}; it has no interval")
    intervals, several = {}, len(report.runs) > 1
    for run in report.runs:
        for name, aggregate, line in zip(report.measures, report.aggregates, run.values, strict=True):
            if aggregate == "sum" or known not in (None, name):
                continue
            kept = treated(line, str(report.conventions.get("undefined", "zero")))
            label = f"{run.name} {name}" if several else name
            with listening():
                interval = _averaged(kept, aggregate, measure=label, **options)
            intervals[(run.name, name) if several else name] = interval
    return Intervals(intervals, report.asked).aloud()


def with_intervals(report: Report, method: str = "t", level: float = 0.95, rng: Rng = 0) -> Report:
    """The report with the interval of every average, and with the choice among its conventions."""
    seed = seed_of(rng)
    intervals = of_report(report, level=level, method=method, rng=seed)
    label = f"{method} {100 * level:g} %" + (f" (seed {seed})" if method != "t" else "")
    return replace(report, conventions={**report.conventions, "interval": label}, intervals=intervals)


def _averaged(values: Float64, aggregate: str, **options: Any) -> Interval:
    if aggregate != "geometric":
        return mean(values, **options)
    interval = mean(np.log(np.maximum(values, FLOOR)), **options)
    value, low, high = (float(np.exp(end)) for end in (interval.estimate, *interval.ends))
    error = None if interval.standard_error is None else interval.standard_error * value
    return replace(interval, estimate=value, low=low, high=high, standard_error=error)
