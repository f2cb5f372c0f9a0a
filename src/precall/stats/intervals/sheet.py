"""Sheets of intervals: of one, or of several by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from precall.core.conventions import describe_conventions
from precall.core.notes import iterate_notes
from precall.core.notes.of_intervals import EachByItself
from precall.results.blocks import GOOD_SIDE, Block, Cell, Line, Threshold
from precall.results.notes_of_rows import NOTES, add_notes
from precall.results.sheets import Sheet
from precall.stats.intervals.interval import Interval, Intervals

#: Up to this number of intervals the short answer has all of them; if no interval is of all items
#: together, up to the second, else the third.
_MOST, _MOST_OF_ONE_KIND, _FIRST = 10, 30, 8


def interval_sheet(interval: Interval) -> Sheet:
    """The sheet of one interval; it looks like that of several."""
    return intervals_sheet(
        Intervals({interval.measure or "value": interval}, conventions=interval.conventions)
    )


def _interval_cell(heading: str, cell: Any) -> Cell:
    if heading == "level":
        return f"{cell:.12g}"
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
    """The sheet of intervals; without runs or categories there is no column for them. If there are
    many, the short answer has those of all items together, or else the first ones.
    """
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
    if len(intervals) > _MOST:
        blocks[:1] = _split(blocks[0], first, intervals)
    side_columns = _side_column(intervals)
    rows = tuple((*row, *more) for row, *more in zip(rows, *side_columns.values(), strict=True))
    columns_of_rows = (*table, *side_columns)
    of_each = {note for interval in intervals.values() for note in interval.notes}
    of_several = [note for note in iterate_notes(intervals.notes) if note not in of_each]
    seeds = ", ".join(dict.fromkeys(filter(None, table["seed"])))
    body = {key: value for key, value in intervals.to_dict().items() if key != "notes"}
    return Sheet(
        "precall.intervals/2",
        {**intervals.conventions, **describe_conventions(seed=seeds or None)},
        tuple(blocks),
        intervals.notes,
        body,
        columns_of_rows,
        add_notes(rows, columns_of_rows.index(NOTES), of_several),
    )


def _side_column(intervals: Intervals) -> dict[str, tuple[int, ...]]:
    """Which side a threshold accepts, if some threshold accepts low scores."""
    sides = [getattr(interval, "higher_is_better", True) for interval in intervals.values()]
    return {} if all(sides) else {GOOD_SIDE: tuple(map(int, sides))}


def _split(block: Block, over: str, intervals: Intervals) -> tuple[Block, ...]:
    """The intervals of all items together, and as a detail those of each category. If there is only
    one of these kinds, the block with its first lines in the short answer.
    """
    together = tuple(line for line in block.lines if not line.name)
    if not together or len(together) == len(block.lines):
        is_short = len(block.lines) <= _MOST_OF_ONE_KIND
        return (block if is_short else replace(block, first=_FIRST),)
    measures = Block(
        "",
        block.heading[1:],
        tuple(Line(str(line.values[0]), line.values[1:]) for line in together),
        left=block.left - 1,
    )
    each = replace(
        block,
        lines=tuple(line for line in block.lines if line.name),
        detail=f"the intervals of each {over}",
        legends=tuple(note for note in intervals.notes if isinstance(note, EachByItself)),
    )
    return measures, each
