"""Operating points → a sheet: a block for each list, with all rows or the first and the last
ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from precall.cases.operating_points import LISTS, ListCurve, OperatingPoints, chosen_rows
from precall.core.conventions import describe_conventions
from precall.results.blocks import (
    COUNTS,
    GOOD_SIDE,
    AtMost,
    Block,
    Cell,
    LazyData,
    LazyLines,
    LazyRows,
    Line,
    Threshold,
    good_side,
    word_of,
)
from precall.results.sheets import Sheet, facts_sheet

if TYPE_CHECKING:
    from precall.cases.points import OperatingPoint
    from precall.core.ragged import Int64

FORMAT = "precall.operating-points/2"
#: Number of rows written at a time.
_PART = 1 << 16
#: Rows of a point in the short answer, and those in its details.
ROWS_OF_POINT = ("threshold", "accepted", "tp", "fp", "fn", "tn", "precision", "recall", "F")
DETAILS_OF_POINT = ("E", "specificity", "accuracy", "error")
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
        LazyData(lambda: {"columns": points.to_dict()}),
        names,
        LazyRows(partial(_rows, points), len(points)),
    )


def cell_of_threshold(point: OperatingPoint) -> Threshold:
    """The threshold of a point, with the sign of the side on which scores are accepted."""
    # Adding 0 shows a threshold of -0 as 0.
    return (Threshold if point.higher_is_better else AtMost)(point.threshold + 0.0)


def cells_of_point(point: OperatingPoint) -> dict[str, Cell]:
    """What tables show of a point: `ROWS_OF_POINT`, then `DETAILS_OF_POINT`."""
    threshold = cell_of_threshold(point)
    counts = (point.accepted, point.tp, point.fp, point.fn, point.tn)
    shares = (point.precision, point.recall, point.f())
    details = (point.e(), point.specificity, point.accuracy, point.error)
    names = (*ROWS_OF_POINT, *DETAILS_OF_POINT)
    return dict(zip(names, (threshold, *counts, *shares, *details), strict=True))


def operating_point_sheet(point: OperatingPoint) -> Sheet:
    """The sheet of one point, with the rows of `precall curve --at`, and one for what it was chosen
    by, if that is none of them.
    """
    cells = cells_of_point(point)
    if point.by not in (*cells, "accept"):
        cells[point.by or "value"] = Threshold(point.value)
    blocks = blocks_of_point({"value": cells}, "", "", lambda name: 0)
    return facts_sheet(point).sheet(blocks=blocks)


def blocks_of_point(
    points: Mapping[str, Mapping[str, Cell]],
    corner: str,
    title: str,
    best: Callable[[str], int],
    heads: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Block, Block]:
    """Points side by side, as the rows of the short answer and those of its details."""
    names = list(next(iter(points.values())))
    parts = (
        ("", [name for name in names if name not in DETAILS_OF_POINT]),
        (", ".join(DETAILS_OF_POINT), [name for name in names if name in DETAILS_OF_POINT]),
    )
    short, details = (
        Block(
            title,
            (corner, *points),
            tuple(
                Line(
                    heads.get(name, name),
                    tuple(cells[name] for cells in points.values()),
                    best(name),
                )
                for name in rows
            ),
            detail=detail,
        )
        for detail, rows in parts
    )
    return short, details


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
    return Block(title, heading, LazyLines(make, len(chosen) + (first < size)), left, long=True)


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
