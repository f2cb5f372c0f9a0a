"""Operating points → a sheet: a block for each list, with all rows or the first and the last
ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from precall.cases.operating_points import LISTS, ListCurve, OperatingPoints, chosen_rows
from precall.core.conventions import describe_conventions
from precall.results.base import Sheet, facts_sheet
from precall.results.blocks import (
    COUNTS,
    GOOD_SIDE,
    Block,
    Later,
    Line,
    Many,
    Rows,
    Threshold,
    good_side,
    word_of,
)

if TYPE_CHECKING:
    from precall.cases.points import OperatingPoint
    from precall.core.ragged import Int64

FORMAT = "precall.operating-points/2"
#: Number of rows written at a time.
_PART = 1 << 16
#: Stands between the first rows and the last ones.
_LEFT_OUT = "..."


def operating_points_sheet(points: OperatingPoints, rows: int | None = None) -> Sheet:
    """The sheet of operating points; blocks show `rows` rows of each list; csv, json and frames
    have all.
    """
    blocks = tuple(
        block_of_points(points, listed, rows, _title(listed, points.several))
        for listed in points.parts
    )
    high = points.higher_is_better
    names = (*(LISTS if points.several else ()), *points.names, *(() if high else (GOOD_SIDE,)))
    conventions = dict(points.conventions) or describe_conventions(**good_side(high))
    return Sheet(
        FORMAT,
        conventions,
        blocks,
        points.notes,
        Later(lambda: {"columns": points.to_dict()}),
        names,
        Rows(partial(_rows, points), len(points)),
    )


def operating_point_sheet(point: OperatingPoint) -> Sheet:
    """The sheet of one point; tables say after its threshold which scores it accepts."""
    sheet = facts_sheet(point)
    (block,) = sheet.blocks
    lines = {line.name: line for line in block.lines if line.name != GOOD_SIDE}
    names = ["value", "threshold", "accepts", *lines]
    return sheet.sheet(
        blocks=(replace(block, lines=tuple(lines[name] for name in dict.fromkeys(names))),)
    )


def _title(part: ListCurve, several: bool) -> str:
    if not several:
        return ""
    return part.column + (f", group {part.group}" if part.group else "")


def block_of_points(
    points: OperatingPoints, part: ListCurve, rows: int | None, title: str
) -> Block:
    """The points of one list; the title says if rows are left out."""
    size = len(part.curve) - 1
    chosen, first = chosen_rows(size, rows)
    if first < size:
        last = f" and the last {len(chosen) - first}" if first < len(chosen) else ""
        left_out = f"the first {first}{last} of {size} rows"
        title = f"{title}: {left_out}" if title else left_out
    make = partial(_lines, points, part, chosen, first)
    heads = {measure.name: measure.head for measure in points.more}
    heading = tuple(heads.get(name) or word_of(name) for name in points.names)
    left = 1 if points.listed is None else 2
    return Block(title, heading, Many(make, len(chosen) + (first < size)), left, long=True)


def _lines(points: OperatingPoints, part: ListCurve, chosen: Int64, first: int) -> Iterator[Line]:
    """A line for each row; dots stand for the rows that are left out."""
    columns = points.columns_of(part.curve, chosen)
    ranks, *cells = (_column_cells(name, column) for name, column in columns.items())
    # Ranks are aligned right, although names of lines are usually aligned left.
    width = max(len("rank"), len(ranks[-1])) if ranks else 0
    for line, (rank, *values) in enumerate(zip(ranks, *cells, strict=True), 1):
        yield Line(rank.rjust(width), tuple(values))
        if line == first and first < len(part.curve) - 1:
            yield Line(_LEFT_OUT.rjust(width), ("",) * len(values))


def _column_cells(name: str, column: Any) -> Sequence[Any]:
    """Cells of a column as blocks show them: scores with as few digits as they are written with."""
    cells = column if isinstance(column, list) else column.tolist()
    if name == "rank":
        return [_word(cell) for cell in cells]
    if name == "score" or (name in COUNTS and cells and isinstance(cells[0], float)):
        return [Threshold(cell) for cell in cells]
    if name == "relevant":
        return ["yes" if cell else "no" for cell in cells]
    return cells


def _word(rank: object) -> str:
    """The text of a number of cases, or of a sum of weights."""
    return f"{rank:.10g}" if isinstance(rank, float) else str(rank)


def _rows(points: OperatingPoints) -> Iterator[list[Any]]:
    """All rows, in chunks, so that millions of numbers need not be Python objects at once."""
    for columns in points.columns():
        for start in range(0, len(columns["rank"]), _PART):
            parts = (column[start : start + _PART] for column in columns.values())
            yield [values if isinstance(values, list) else values.tolist() for values in parts]
