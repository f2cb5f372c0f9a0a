"""The steps of a sum as a sheet, and their picture as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from precall.cases.operating_points import chosen_rows
from precall.core.notes import Note
from precall.core.text import format_count, number
from precall.evaluation.steps import Bars, MeasureSteps
from precall.results.blocks import Block, Line, Threshold, show_cell
from precall.results.sheets import Sheet, sheet_of_rows

#: What stands in the row for the steps that are left out.
_LEFT_OUT = "..."
#: Number of steps that are shown, unless all are wanted: the 11 levels of recall fit.
SHOWN = 12
#: Columns that are shown with all their digits: as in the file, and levels of recall.
_AS_WRITTEN = ("score", "recall")
#: Size of the picture in characters.
_WIDTH, _HEIGHT = 60, 10
#: Neighbours differ, so that each rectangle is seen.
_FULL, _HALF = ("█", "▒"), "▄"


def sheet_of_steps(
    steps: MeasureSteps,
    conventions: Mapping[str, str],
    notes: tuple[Note, ...] = (),
    rows: int | None = SHOWN,
) -> Sheet:
    """The sheet of steps: forms for readers show the first and the last, `rows` in all or, with
    None, every one; json and csv have every one.

    Examples
    --------
    >>> from precall import curve
    >>> from precall.evaluation.steps import steps_of_curve
    >>> steps = steps_of_curve(curve([1, 0, 1], [3, 2, 1]), "AP")
    >>> sheet_of_steps(steps, {}).body["steps"][0]["term"]
    0.5
    """
    names = tuple(steps.columns)
    cells = list(zip(*steps.columns.values(), strict=True))
    body: dict[str, Any] = {
        "measure": steps.measure,
        "value": steps.value,
        "rule": steps.rule,
        "facts": dict(steps.facts),
        "steps": [dict(zip(names, row, strict=True)) for row in cells],
    }
    sheet = sheet_of_rows("precall.steps/2", names, cells, body, notes, 1, conventions)
    return sheet.sheet(blocks=(_block(steps, names, cells, rows),))


def _block(
    steps: MeasureSteps, names: tuple[str, ...], cells: list[Any], rows: int | None
) -> Block:
    chosen, first = chosen_rows(len(cells), rows)
    shown = [_cells(names, cells[row - 1]) for row in chosen.tolist()]
    if first < len(cells):
        shown.insert(first, [_LEFT_OUT, *[""] * (len(names) - 1)])
    width = max(len(str(cell)) for cell in (names[0], *(row[0] for row in shown)))
    lines = [Line(str(row[0]).rjust(width), row[1:]) for row in shown]
    facts = ", ".join(f"{name} = {format_count(value)}" for name, value in steps.facts.items())
    title = f"{steps.measure} = {number(steps.value)}. {steps.rule} {facts}."
    if left_out := len(cells) - len(chosen):
        title += f" {left_out:,} of {len(cells):,} steps are left out; --all shows them."
    left = 2 if "item" in names else 1
    heading = tuple(name.replace("_", " ") for name in names)
    return Block(title, heading, tuple(lines), left)


def _cells(names: tuple[str, ...], row: tuple[Any, ...]) -> list[Any]:
    """The cells of a step; a block of equal scores stands at several ranks."""
    cells = [
        Threshold(cell) if name in _AS_WRITTEN and isinstance(cell, float) else cell
        for name, cell in zip(names, row, strict=True)
    ]
    size = dict(zip(names, row, strict=True)).get("cases", 1)
    cells[0] = f"{row[0] - size + 1}-{row[0]}" if size > 1 else show_cell(cells[0])
    return cells


def draw_as_text(bars: Bars) -> str:
    """The rectangles in characters, with both axes.

    Examples
    --------
    >>> import numpy as np
    >>> edges, height = np.array([0.0, 0.5, 1.0]), np.array([1.0, 0.5])
    >>> picture = draw_as_text(Bars("recall", "precision", edges[:-1], edges[1:], height, height))
    >>> picture.splitlines()[1] == f"   1 |{'█' * 30}"
    True
    """
    low, high = float(bars.left.min(initial=0.0)), float(bars.right.max(initial=0.0))
    most = max(float(bars.start.max(initial=0.0)), float(bars.end.max(initial=0.0)))
    most = 1.0 if most <= 1 else most
    high = 1.0 if high <= 1 else high
    columns = low + (np.arange(_WIDTH) + 0.5) / _WIDTH * (high - low)
    # Rectangles without any width have no column.
    wide = bars.right > bars.left
    left, right, start, end = (column[wide] for column in bars[2:])
    heights, row = np.zeros(_WIDTH), np.zeros(_WIDTH, int)
    if len(left):
        row = np.clip(np.searchsorted(left, columns, side="right") - 1, 0, len(left) - 1)
        along = (columns - left[row]) / (right[row] - left[row])
        inside = (columns >= left[row]) & (columns <= right[row])
        heights = np.where(inside, start[row] + (end[row] - start[row]) * along, 0.0)
    halves = np.round(heights / most * 2 * _HEIGHT).astype(int)
    lines = [f"     {bars.upwards}"]
    for level in range(_HEIGHT - 1, -1, -1):
        drawn = "".join(
            _FULL[of % 2] if half >= 2 * level + 2 else _HALF if half == 2 * level + 1 else " "
            for half, of in zip(halves.tolist(), row.tolist(), strict=True)
        )
        label = f"{most:.4g}" if level == _HEIGHT - 1 else ""
        lines.append(f"{label:>4} |{drawn}".rstrip())
    lines.append(f"   0 +{'-' * _WIDTH}")
    ends = f"{low:g}".ljust(_WIDTH - len(f"{high:g}")) + f"{high:g}"
    middle = bars.across.center(_WIDTH)
    across = "".join(word if word != " " else end for word, end in zip(middle, ends, strict=True))
    lines.append(f"      {across}")
    return "\n".join(lines)
