"""Sheets of intervals: of one, or of several by name."""

from __future__ import annotations

from dataclasses import replace
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


def _block(table: dict[str, list[Any]], names: list[str], columns: list[str]) -> Block:
    """The block of some columns; the names are those of a run or category and of the measure."""
    headings = [*names, *columns]
    lines = tuple(
        Line(line[0], tuple(map(_interval_cell, headings[1:], line[1:])))
        for line in zip(*(table[name] for name in headings), strict=True)
    )
    return Block("", tuple(headings), lines, left=len(names))


def intervals_sheet(intervals: Intervals) -> Sheet:
    """The sheet of intervals; without runs or categories there is no column for them."""
    table = intervals.table.to_dict()
    rows = tuple(zip(*table.values(), strict=True))
    first = next(iter(table))
    # A column that no interval fills is not printed: run or category, resamples, threshold.
    names = [first] * any(table[first]) + ["measure"]
    more = ["resamples"] * any(table["resamples"])
    more += ["threshold"] * any(cell == cell for cell in table["threshold"])
    # One that only some intervals fill is a detail.
    filled_by_all = [
        name for name in more if all(_interval_cell(name, cell) is not None for cell in table[name])
    ]
    more = [name for name in more if name not in filled_by_all]
    columns = ["estimate", "low", "high", "level", "method", *filled_by_all]
    blocks = [_block(table, names, columns)]
    if more:
        of_more = _block(table, names, more)
        filled = (
            line
            for line in of_more.lines
            if any(cell is not None for cell in line.values[-len(more) :])
        )
        blocks.append(replace(of_more, lines=tuple(filled), detail=" and ".join(more)))
    sides = [getattr(interval, "higher_is_better", True) for interval in intervals.values()]
    # The side that a threshold accepts is only shown if some threshold accepts low scores.
    side_columns = {} if all(sides) else {GOOD_SIDE: tuple(map(int, sides))}
    rows = tuple((*row, *more) for row, *more in zip(rows, *side_columns.values(), strict=True))
    seeds = ", ".join(dict.fromkeys(filter(None, table["seed"])))
    body = {key: value for key, value in intervals.to_dict().items() if key != "notes"}
    return Sheet(
        "precall.intervals/2",
        {**intervals.conventions, **describe_conventions(seed=seeds or None)},
        tuple(blocks),
        intervals.notes,
        body,
        (*table, *side_columns),
        rows,
    )
