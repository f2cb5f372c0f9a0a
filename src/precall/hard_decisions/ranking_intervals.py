"""Intervals for each category's ranking, from scores of items for categories."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from precall.cases.intervals import OF_LISTS, Value, blocks_of, interval_of_list
from precall.core.arguments import check_choice
from precall.core.counts import Counts
from precall.core.errors import MeasureError, UsageError
from precall.core.notes import collect_notes, notes_of
from precall.core.rng import seed_of
from precall.hard_decisions import Status
from precall.hard_decisions.intervals import at_once
from precall.measures import Measure
from precall.measures.registry import find
from precall.stats.blocks import Blocks
from precall.stats.intervals.interval import (
    Interval,
    Intervals,
    measures_with_method,
    refuse_unknown_options,
)
from precall.stats.intervals.methods import METHODS

#: Measures with intervals by default; others must be named.
_USUAL = ("AP", "AUC")


def intervals_of_status(
    given: Status,
    measure: str | Measure | None = None,
    *,
    average: str | None = None,
    groups: object = None,
    level: float = 0.95,
    method: str | None = None,
    rng: Any = 0,
    **options: Any,
) -> Intervals:
    """Intervals of every category's ranking of the items; see `pc.interval`.

    Each interval equals the one of `pc.interval(curve, measure)` for that category alone: items are
    the sample. A note gives the level at which they would all hold at once.

    Parameters
    ----------
    measure : what a curve has an interval of, such as "AP", "AUC", "max F on new cases", "BEP" or
        "P@10" (default: AP and AUC).
    average : None or "each": one interval for each category.
    groups : the group of each item; only if every pair has a score.
    method, options : passed to the function for that measure.

    Examples
    --------
    >>> from precall import categorize
    >>> scores = [[item % 7, 6 - item % 5] for item in range(90)]
    >>> print(intervals_of_status(categorize(["a", "b", "b"] * 30, scores), "AUC")["a"])
    area under ROC 0.4856 [0.3589, 0.6141] 95 % delong-newcombe
    """
    check_choice("average", average or "each", ("each",))
    _refuse_counts(measure)
    chosen = {"level": level, "rng": seed_of(rng), **options}
    intervals: dict[Any, Interval] = {}
    with collect_notes():
        for (name, blocks), curve in zip(_blocks(given, groups), given.curves(), strict=True):
            if measure is not None:
                own = chosen | ({} if method is None else {"method": method})
                intervals[name] = _one(blocks, measure, own, curve.measured)
                continue
            names_with_method = measures_with_method(
                method, {usual: METHODS[usual] for usual in _USUAL}
            )
            for usual in _USUAL:
                own = {"method": names_with_method[usual]} if usual in names_with_method else {}
                refuse_unknown_options(
                    chosen, *(OF_LISTS[each] for each in _USUAL), intervals_of_status
                )
                intervals[name, usual] = _one(blocks, usual, chosen | own)
    notes = [
        note for key, interval in intervals.items() for note in notes_of(_name(key), interval.notes)
    ]
    of = "" if measure is None else str(measure)
    several = Intervals(intervals, notes=notes, over="category", of=of).aloud()
    return several.with_notes(*at_once(len(given.categories), level))


def _name(key: Any) -> str:
    return " ".join(key) if isinstance(key, tuple) else key


def _one(
    blocks: Blocks, measure: object, options: dict[str, Any], value: Value | None = None
) -> Interval:
    of = "each category of a status"
    interval = interval_of_list(blocks, measure, intervals_of_status, of, value=value, **options)
    assert isinstance(interval, Interval)
    return interval


def _blocks(given: Status, groups: object) -> Iterator[tuple[str, Blocks]]:
    """The blocks of every category, under its name; relevant pairs without a score are missed."""
    if groups is not None and given.matrix is None:
        raise UsageError(
            argument="groups",
            what="some pairs have no score or no label, so they are in no group",
            remedy="give all scores and labels, or leave ⟨groups=⟩ out",
        )
    relevant, score, start, relevant_counts = given._rankings("category")
    for row, name in enumerate(given.categories):
        cells = slice(start[row], start[row + 1])
        missed = int(relevant_counts[row]) - int(np.count_nonzero(relevant[cells]))
        yield str(name), blocks_of(relevant[cells], score[cells], missed=missed, groups=groups)


def _refuse_counts(measure: Any) -> None:
    """Raise for measures of counts: they need decisions, and scores are none."""
    if measure is None:
        return
    try:
        measured = find(measure)
    except MeasureError:
        return  # refused later, with a list of names
    if measured.declaration.of is Counts and str(measure) not in OF_LISTS:
        problem = f"{measure} is of decisions, and these are scores"
        raise UsageError(
            argument="measure",
            what=problem,
            remedy=(
                "decide first, pc.interval(status.decide(status.thresholds('fixed:0.5')), "
                f"{str(measure)!r})"
            ),
        )
