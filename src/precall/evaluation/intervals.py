"""Intervals of averages over topics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from precall.core.arguments import check_level
from precall.core.conventions import FLOOR
from precall.core.errors import UsageError
from precall.core.notes import collect_notes, warn
from precall.core.notes.of_intervals import NoneOfSums
from precall.core.ragged import Float64
from precall.core.rng import Rng, seed_of
from precall.core.text import count_drawn, percent
from precall.core.undefined import apply_undefined
from precall.core.vocabulary import speaking, vocabulary_of
from precall.evaluation.per_topic import kept_values
from precall.evaluation.report import Report, line_of, range_in, refuse_weights
from precall.evaluation.weights import weights_of
from precall.stats.intervals.interval import Interval, Intervals, estimating
from precall.stats.intervals.interval import undefined as undefined_interval
from precall.stats.intervals.mean import BAYESIAN, mean, weighted
from precall.stats.intervals.methods import DECLARED, METHODS, choose_method
from precall.stats.weighted_topics import weighted_mean


def intervals_of_report(
    report: Report,
    measure: str | None = None,
    *,
    level: float = 0.95,
    method: str | None = None,
    rng: Rng = 0,
    resamples: int = 10_000,
) -> Intervals:
    """Intervals of all averages over topics, by measure (one run) or by (run, measure); see
    `pc.interval`.

    Undefined topics count as they did in the averages. The interval of a geometric mean is that of
    the mean logarithm, transformed back. Sums over topics (counts such as NumRel) estimate nothing
    and have no interval. If a method needs a range with two ends, measures without one keep their
    default method. With `measure`, only the intervals of this one. The options are those of
    `pc.interval.mean`; with a seed every average gets the same draws.
    """
    if method is not None:
        method = choose_method("mean", method)
    with collect_notes():  # each interval carries its notes
        level = check_level(level)
    options: dict[str, Any] = {
        "level": level,
        "method": method,
        "rng": seed_of(rng),
        "resamples": resamples,
    }
    line = None if measure is None else line_of(report, measure)
    measured = None if line is None else report.measures[line]
    if line is not None and report.aggregates[line] == "sum":
        problem = "is a sum over topics, which estimates nothing"
        raise UsageError(f"{measured} {problem}", argument="measure", remedy="it has no interval")
    if method is not None and not DECLARED[method].takes_weights:
        forms = [name for name in METHODS["mean"] if DECLARED[name].takes_weights]
        refuse_weights(report, f"the method {method}", f"choose {' or '.join(forms)}")
    intervals, several = {}, len(report.runs) > 1
    for run in report.runs:
        column = weights_of(run.topics, report.weights) if report.weights else None
        for name, head, aggregate, zero, line in zip(
            report.measures, report.heads, report.aggregates, report.zeros, run.values, strict=True
        ):
            if aggregate == "sum" or measured not in (None, name):
                continue
            undefined = str(report.conventions.get("undefined", "zero"))
            if column is None:
                kept, weights = apply_undefined(line, undefined, zero=zero), None
            else:
                kept, weights = kept_values(line, undefined, zero, column)
            label = f"{run.name} {head}" if several else head
            with collect_notes(), speaking(vocabulary_of(report.conventions)):
                interval = _of_average(
                    kept, aggregate, range_in(report, name), weights, measure=label, **options
                )
            intervals[(run.name, name) if several else name] = interval
    heads = dict(zip(report.measures, report.heads, strict=True))
    return Intervals(intervals, report.asked, heads=heads).aloud()


def with_intervals(
    report: Report, method: str | None = None, level: float = 0.95, rng: Rng = 0
) -> Report:
    """The report with an interval for every average, and with the method among its conventions."""
    seed = seed_of(rng)
    intervals = intervals_of_report(report, level=level, method=method, rng=seed)
    if not intervals:
        warn(NoneOfSums("").in_words_of(vocabulary_of(report.conventions)))
        return replace(report, intervals=intervals)
    drawn = max(interval.resamples for interval in intervals.values())
    heads = dict(zip(report.measures, report.heads, strict=True))
    label = f"{_tell_methods(intervals, heads)} {percent(level)}"
    label += f" ({count_drawn(drawn)}, seed {seed})" if drawn else ""
    return replace(
        report, conventions={**report.conventions, "interval": label}, intervals=intervals
    )


def with_intervals_of_groups(report: Report, method: str | None, level: float, seed: int) -> Report:
    """The report with intervals of the averages of its groups of topics."""
    groups = {
        name: with_intervals(part, method, level, seed) for name, part in report.groups.items()
    }
    return replace(report, groups=groups)


def _tell_methods(intervals: Intervals, heads: Mapping[str, str]) -> str:
    """The methods of intervals of averages, in words; if there are several, each with its
    measures by their `heads`.
    """
    measures: dict[str, dict[str, None]] = {}
    for key, interval in intervals.items():
        name = key[1] if isinstance(key, tuple) else key
        measures.setdefault(interval.method, {})[heads.get(name, name)] = None
    if len(measures) == 1:
        return next(iter(measures))
    return ", ".join(f"{method} ({', '.join(names)})" for method, names in measures.items())


@estimating("mean")
def _without_bounds(
    average: float, *, measure: str, level: float = 0.95, method: str | None = None, **_: Any
) -> Interval:
    why = "a value is undefined" if math.isnan(average) else "a value is infinite"
    return undefined_interval(measure, why, level, method or "t", average)


def _of_average(
    values: Float64,
    aggregate: str,
    known: tuple[float, float] | None,
    weights: Float64 | None = None,
    *,
    method: str | None = None,
    **options: Any,
) -> Interval:
    """The interval of an average; `known` is the range of its measure, `weights` those of the
    topics, if they have some.
    """
    if aggregate == "geometric":
        # No value is below FLOOR, the least value whose logarithm is taken.
        most = 0.0 if known is None else math.log(known[1]) if known[1] > 0 else math.inf
        known = None if known is None else (math.log(FLOOR), most)
        values = np.log(np.maximum(values, FLOOR))
    if not np.isfinite(values).all():
        # Undefined values that no number can stand for, or infinite ones.
        average = np.mean(values).item() if weights is None else weighted_mean(values, weights)
        return _without_bounds(average, method=method, **options)
    ends = known is not None and all(map(math.isfinite, known))
    method = None if method == BAYESIAN and not ends else method
    if weights is None:
        interval = mean(values, method=method, range=known, **options)
    else:
        interval = weighted(values, weights, method=method, range=known, **options)
    if aggregate != "geometric":
        return interval
    value, low, high = (float(np.exp(end)) for end in (interval.estimate, *interval.ends))
    error = None if interval.standard_error is None else interval.standard_error * value
    return replace(interval, estimate=value, low=low, high=high, standard_error=error)
