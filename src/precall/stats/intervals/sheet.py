"""Sheets of intervals: of one, or of several by name."""

from __future__ import annotations

from typing import Any

from precall.core.conventions import describe_conventions
from precall.results.base import Sheet
from precall.results.blocks import GOOD_SIDE, Block, Cell, Line, Threshold
from precall.stats.intervals.interval import Interval, Intervals


def interval_sheet(interval: Interval) -> Sheet:
    """The sheet of one interval; it looks like that of several."""
    return intervals_sheet(
        Intervals({interval.measure or "value": interval}, conventions=interval.conventions)
    )


def _interval_cell(heading: str, cell: Any) -> Cell:
    if heading == "level":
        return Threshold(cell)
    if heading == "threshold":
        return Threshold(cell) if cell == cell else None
    return (cell or None) if heading == "resamples" else cell


def intervals_sheet(intervals: Intervals) -> Sheet:
    """The sheet of intervals; without runs or categories there is no column for them."""
    table = intervals.table.to_dict()
    rows = tuple(zip(*table.values(), strict=True))
    first = next(iter(table))
    # A column that no interval fills is not printed: run or category, resamples, threshold.
    headings = [first] * any(table[first]) + [
        "measure",
        "estimate",
        "low",
        "high",
        "level",
        "method",
    ]
    headings += ["resamples"] * any(table["resamples"])
    headings += ["threshold"] * any(cell == cell for cell in table["threshold"])
    lines = tuple(
        Line(line[0], tuple(map(_interval_cell, headings[1:], line[1:])))
        for line in zip(*(table[name] for name in headings), strict=True)
    )
    block = Block("", tuple(headings), lines, left=headings.index("estimate"))
    sides = [getattr(interval, "higher_is_better", True) for interval in intervals.values()]
    # The side that a threshold accepts is only shown if some threshold accepts low scores.
    side_columns = {} if all(sides) else {GOOD_SIDE: tuple(map(int, sides))}
    rows = tuple((*row, *more) for row, *more in zip(rows, *side_columns.values(), strict=True))
    seeds = ", ".join(dict.fromkeys(filter(None, table["seed"])))
    body = {key: value for key, value in intervals.to_dict().items() if key != "notes"}
    return Sheet(
        "precall.intervals/2",
        {**intervals.conventions, **describe_conventions(seed=seeds or None)},
        (block,),
        intervals.notes,
        body,
        (*table, *side_columns),
        rows,
    )
