"""Sheets, as the other commands print them, as data of a record and as tables of a page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from precall.page.html_tables import Cell, between, table
from precall.page.markup import escaped
from precall.sheet.sheets import Block, Line, Threshold, leaders, shown

if TYPE_CHECKING:
    from precall.infer.interval.interval import Interval
    from precall.sheet.sheets import Sheet


def blocks_of(sheet: Sheet) -> list[dict[str, Any]]:
    """The blocks of a sheet as data: title, heading, and lines of a name, values and which end is best.

    Values that are thresholds say so, as they are shown otherwise.

    Examples
    --------
    >>> from precall.sheet.sheets import Sheet
    >>> block = Block("", ("measure", "a"), (Line("AP", (0.5,), 1),))
    >>> blocks_of(Sheet("f", {}, (block,), (), {}, (), ()))
    [{'title': '', 'heading': ['measure', 'a'], 'lines': [{'name': 'AP', 'values': [0.5], 'best': 1}]}]
    """
    return [
        {
            "title": block.title, "heading": list(block.heading),
            "lines": [
                {"name": line.name, "values": list(line.values), "best": line.best}
                | ({"exact": True} if any(isinstance(one, Threshold) for one in line.values) else {})
                for line in block.lines
            ],
        }
        for block in sheet.blocks
    ]  # fmt: skip


def with_intervals(
    blocks: Sequence[dict[str, Any]], found: Mapping[tuple[str, str, str], Interval]
) -> list[dict[str, Any]]:
    """Blocks as data with the bounds of their values.

    Parameters
    ----------
    found : by first heading, name of the line and heading of the column. An interval of another value than
        stands there, as where undefined ones were left out of an average, is not shown.

    Examples
    --------
    >>> from precall.infer.interval.interval import Interval
    >>> block = {"heading": ["category", "AP"], "lines": [{"name": "a", "values": [0.5]}]}
    >>> made = with_intervals([block], {("category", "a", "AP"): Interval(0.5, 0.25, 0.75, 0.95, "logit")})
    >>> made[0]["lines"][0]["low"], made[0]["intervals"]
    ([0.25], '95 % intervals (logit)')
    """
    made = []
    for block in blocks:
        first, *columns = block["heading"]
        methods: dict[str, Interval] = {}
        lines = []
        for line in block["lines"]:
            ends = [
                bounds(found, (first, line["name"], column), value)
                for column, value in zip(columns, line["values"], strict=True)
            ]
            methods |= {column: one for column, one in zip(columns, ends, strict=True) if one is not None}
            lines.append(line | {end: [one and getattr(one, end) for one in ends] for end in ("low", "high")})
        if methods:
            one_of_one = len(columns) == 1
            said = ", ".join(
                one.method if one_of_one else f"{column} {one.method}" for column, one in methods.items()
            )
            level = 100 * next(iter(methods.values())).level
            made.append(block | {"lines": lines, "intervals": f"{level:g} % intervals ({said})"})
        else:
            made.append(block)
    return made


def bounds(
    found: Mapping[tuple[str, str, str], Interval], place: tuple[str, str, str], value: Any
) -> Interval | None:
    """The interval of a value that stands at this place; none if what it is of is another one."""
    one = found.get(place)
    return one if one is not None and math.isclose(one.estimate, value, abs_tol=1e-12) else None


def ends_from(data: Sequence[Any]) -> list[Block]:
    """The bounds of a record's blocks, as blocks of their own."""
    return [
        Block(
            "",
            (f"{one['heading'][0]}, {end} end", *one["heading"][1:]),
            tuple(Line(line["name"], tuple(line[end])) for line in one["lines"]),
        )
        for one in data
        if one.get("intervals")
        for end in ("low", "high")
    ]


def blocks_from(data: Sequence[Any]) -> list[Block]:
    """The blocks again, from a record."""
    return [
        Block(
            one["title"],
            tuple(one["heading"]),
            tuple(
                Line(line["name"], tuple(_value(value, line) for value in line["values"]), line["best"])
                for line in one["lines"]
            ),
        )
        for one in data
    ]


def _value(value: Any, line: Any) -> Any:
    if isinstance(value, str) and value not in ("inf", "-inf"):
        return value
    if value is None or isinstance(value, str):
        value = float("nan" if value is None else value)
    return Threshold(value) if "exact" in line else value


def sheet_tables(data: Sequence[Any], key: str) -> str:
    """Tables of all blocks."""
    found = []
    for i, (block, given) in enumerate(zip(blocks_from(data), data, strict=True)):
        rows = [
            [Cell(line.name), *_cells(line, *(of_line.get(end) for end in ("low", "high")))]
            for line, of_line in zip(block.lines, given["lines"], strict=True)
        ]
        first = block.heading[0]
        # Not capitalize: AP stays AP.
        caption = block.title or first[:1].upper() + first[1:]
        caption += f", with {given['intervals']}." if given.get("intervals") else ""
        found.append(table(list(block.heading), rows, caption, f"{key}-b{i}", sortable=first == "category"))
    return "".join(found)


def _cells(line: Line, low: Sequence[float | None] | None, high: Sequence[float | None] | None) -> list[Cell]:
    best, none = leaders(line.values, line.best), [None] * len(line.values)
    cells = []
    for i, (one, *ends) in enumerate(zip(line.values, low or none, high or none, strict=True)):
        bounds = between(*(math.nan if end is None else end for end in ends))
        cells.append(Cell(markup=escaped(shown(one)) + bounds, best=i in best, words=isinstance(one, str)))
    return cells
