"""Sheets, as the other commands print them, as data of a record and as tables of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from precall.page.tables import Cell, table
from precall.reporting.sheets import Block, Line, Threshold, leaders, shown

if TYPE_CHECKING:
    from precall.reporting.sheets import Sheet


def blocks_of(sheet: Sheet) -> list[dict[str, Any]]:
    """The blocks of a sheet as data: title, heading, and lines of a name, values and which end is best.

    Values that are thresholds say so, as they are shown otherwise.

    Examples
    --------
    >>> from precall.reporting.sheets import Sheet
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
    for i, block in enumerate(blocks_from(data)):
        rows = []
        for line in block.lines:
            best = leaders(line)
            rows.append(
                [
                    Cell(line.name),
                    *(
                        Cell(shown(one), best=i in best, words=isinstance(one, str))
                        for i, one in enumerate(line.values)
                    ),
                ]
            )
        first = block.heading[0]
        # Not capitalize: AP stays AP.
        caption = block.title or first[:1].upper() + first[1:]
        found.append(table(list(block.heading), rows, caption, f"{key}-b{i}"))
    return "".join(found)
