"""Intervals of measures of spans; the sample is the units, such as sentences.

Errors of one unit depend on each other: a wrong end is a wrong span and a missed one at once. Taken
as independent, spans give intervals that are a fifth too short.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from precall.core.arguments import check_choice
from precall.core.counts import Counts
from precall.core.notes import Note, collect_notes, notes_of
from precall.core.notes.of_intervals import NoSpread, UndefinedInterval
from precall.core.ragged import Float64
from precall.core.rng import Rng
from precall.core.text import as_text
from precall.hard_decisions.intervals import (
    at_once,
    mean_of_samples,
    measure_average_label,
    options_given,
)
from precall.hard_decisions.membership import Membership
from precall.hard_decisions.sampled_tables import averages_of, fill
from precall.measures import Measure
from precall.spans.api import Spans
from precall.stats.intervals.interval import Interval, Intervals
from precall.stats.intervals.of_tables import (
    ItemCategories,
    Memberships,
    Rarest,
    of_averages,
)
from precall.stats.intervals.proportion import wilson

#: Parts of the categories of units: spans that are right, wrong and missed.
_RIGHT, _WRONG, _MISSED = range(3)
#: Measures with intervals if none is named: of each type, and of all.
_EACH, _ALL = (
    ("precision", "recall", "f"),
    ("micro-precision", "micro-recall", "micro-f", "macro-f"),
)


def interval_of_spans(
    given: Spans,
    measure: str | Measure | None = None,
    beta: float = 1.0,
    *,
    average: str | None = None,
    undefined: str = "zero",
    level: float = 0.95,
    method: str | None = None,
    rng: Rng = 0,
    resamples: int | None = None,
) -> Interval | Intervals:
    """Intervals of spans: of one measure, or precision, recall and F of each type and their micro
    averages, with macro-F; see `pc.interval`.

    Parameters
    ----------
    beta : of F and E, unless their name has one.
    average, undefined : see `Decisions.value`.
    method : "bca" (default) or "percentile", the bootstrap of units; of "samples", a mean over
        units, those of `pc.interval.mean`.

    Examples
    --------
    >>> from precall import decisions
    >>> truth = [["B-PER", "O", "B-LOC"]] * 40
    >>> guess = [["B-PER", "O", "B-LOC"]] * 25 + [["B-PER", "B-LOC", "O"]] * 15
    >>> print(interval_of_spans(decisions.spans(truth, guess), "micro-F"))
    micro F 0.8125 [0.7375, 0.8875] 95 % bca, 2,000 resamples, seed 0
    """
    options = options_given(rng, level=level, method=method, resamples=resamples)
    if measure is not None:
        return _of_measure(given, measure, beta, average, undefined, options)
    together = at_once(len(given.categories), level)
    flat: dict[Any, Interval] = {}
    notes: dict[Note, None] = {}
    with collect_notes():
        for name in _EACH + _ALL:
            one = _of_measure(given, name, beta, average, undefined, options)
            notes |= dict.fromkeys(note for note in one.notes if note not in together)
            if isinstance(one, Interval):
                flat[name] = one
            else:
                flat |= {(key, name): each for key, each in one.items()}
    made = Intervals(flat, notes=tuple(notes), over="category").aloud()
    return made.with_notes(*together)


def _of_measure(
    given: Spans,
    name: str | Measure,
    beta: float,
    average: str | None,
    undefined: str,
    options: dict[str, Any],
) -> Interval | Intervals:
    measure, average, label = measure_average_label(name, average, beta)
    check_choice("average", average, (None, "each", "micro", "macro", "weighted", "samples"))
    # Refuses measures that need true negatives.
    with collect_notes():
        estimate: Any = given.value(measure, average, undefined)
    if average == "samples":
        values = fill(measure.of_table(given.counts("samples")), measure, undefined)
        return mean_of_samples("units", values, measure, label, options)
    members = _members(given)
    if average in (None, "each"):
        return _each(given, members, measure, label, np.atleast_1d(estimate), options)
    every = range(len(given.categories))
    rarest = _rarest(given, every, measure) if average == "macro" else None
    averaged = partial(averages_of, measure, average, undefined)
    made = of_averages(
        lambda tables: averaged(_by_type(tables, given._times)),
        float(estimate),
        f"{average} {label}",
        members,
        rarest=rarest,
        **options,
    )
    return _at_an_end(made, len(given.units)) if average == "micro" else made


def _members(given: Spans) -> Memberships:
    """The units as items, and what their spans of each type are as categories: right ones, then
    wrong ones, then missed ones. A unit has a category as often as it has such spans.
    """
    width = len(given.categories)

    def pairs(member: Membership, rows: Any, place: int) -> ItemCategories:
        return ItemCategories(given.unit[member.item[rows]], member.category[rows] + place * width)

    right = pairs(given._both, slice(None), _RIGHT)
    wrong = pairs(given.predicted, ~np.isin(given.predicted.keys, given._both.keys), _WRONG)
    missed = pairs(given.truth, ~np.isin(given.truth.keys, given._both.keys), _MISSED)

    def together(other: ItemCategories) -> ItemCategories:
        item, category = (np.concatenate(both) for both in zip(right, other, strict=True))
        order = np.lexsort((category, item))
        return ItemCategories(item[order], category[order])

    units = np.ones(len(given.units), np.int64)
    return Memberships(together(missed), together(wrong), right, units, 3 * width)


def _by_type(tables: Counts, times: int, places: slice = slice(None)) -> Counts:
    """The counts of types, types x samples, from those of their spans; each span is `times`
    items.
    """
    width = len(tables.tp) // 3
    tp, fp, fn = (
        cells[place * width : (place + 1) * width][places] / times
        for cells, place in ((tables.tp, _RIGHT), (tables.fp, _WRONG), (tables.fn, _MISSED))
    )
    return Counts(tp, fp, fn, np.zeros_like(tp))


def _has(given: Spans, place: int, side: Membership) -> int:
    """The number of units that have spans of a type."""
    return len(np.unique(given.unit[side.item[side.category == place]]))


def _rarest(given: Spans, places: Iterable[int], measure: Measure) -> Rarest:
    """The type that fewest units tell of: that have it in the truth for recall, among the
    predictions for precision, and the fewer of both for other measures.
    """
    sides = {"R": (given.truth,), "P": (given.predicted,)}
    counted = sides.get(measure.declaration.name, (given.truth, given.predicted))
    return min(
        (
            Rarest(
                float(min(_has(given, place, side) for side in counted)),
                as_text(given.categories[place]),
            )
            for place in places
        ),
        default=Rarest(np.inf),
    )


def _at_an_end(made: Interval, units: int) -> Interval:
    """The interval; if no resample differs from a value of 0 or 1, Wilson's for as many trials as
    units tell of it.
    """
    if made.estimate not in (0, 1) or not units or made.low != made.high:
        return made
    low, high = wilson(units * made.estimate, units, made.level)
    spread = NoSpread(made.measure, made.estimate, units)
    others = (note for note in made.notes if not isinstance(note, UndefinedInterval))
    return replace(made, low=low, high=high, notes=(*others, spread))


def _of_one(measure: Measure, times: int, place: int, tables: Counts) -> Float64:
    """The measure of one type, a value for each sample."""
    return measure.of_table(_by_type(tables, times, slice(place, place + 1))[0])


def _errors(given: Spans, place: int) -> dict[str, int]:
    """The numbers of units with a right span of a type, and with a wrong or missed one."""
    wrong = [
        given.unit[side.item[(side.category == place) & ~np.isin(side.keys, given._both.keys)]]
        for side in (given.truth, given.predicted)
    ]
    return {
        "units with a span that is right": _has(given, place, given._both),
        "units with an error": len(np.unique(np.concatenate(wrong))),
    }


def _each(
    given: Spans,
    members: Memberships,
    measure: Measure,
    label: str,
    values: Any,
    options: dict[str, Any],
) -> Intervals:
    intervals: dict[str, Interval] = {}
    with collect_notes():
        for place, name in enumerate(given.categories):
            made = of_averages(
                partial(_of_one, measure, given._times, place),
                float(values[place]),
                label,
                members,
                seen=_errors(given, place),
                rarest=_rarest(given, [place], measure),
                **options,
            )
            told = int(_rarest(given, [place], measure).times)
            intervals[as_text(name)] = _at_an_end(made, told)
    return (
        Intervals(
            intervals,
            notes=[note for key, each in intervals.items() for note in notes_of(key, each.notes)],
            over="category",
            of=label,
        )
        .aloud()
        .with_notes(*at_once(len(intervals), options.get("level", 0.95)))
    )
