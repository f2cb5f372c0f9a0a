"""A sheet: what a command found about scored cases or decisions, and its five forms.

json (`"format": "precall.curve/1"` and so on): `conventions`, `notes`, then what the command has to say; an
undefined value is null, an infinite one the text "inf" or "-inf".
csv: tidy, one row per value; the first column is the version of the layout, an undefined value is empty.
table, markdown, latex: the blocks of the sheet, four decimals; `best` values of a line are marked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, TypeAlias

from precall.errors import UsageError
from precall.results import number
from precall.text import BEST, printable, quoted
from precall.text import table as aligned

FORMATS = ("table", "csv", "json", "markdown", "latex")


class Threshold(float):
    """A score or cost: shown as short as it is written, not in four decimals."""

    __slots__ = ()


#: None is a cell that has no value at all; NaN is a value that is undefined.
Cell: TypeAlias = float | int | str | None


@dataclass(frozen=True, slots=True)
class Line:
    """A name and its values, one per column; `best` is 1 where the greatest is best, -1 where the least is."""

    name: str
    values: tuple[Cell, ...]
    best: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """A table with a title, perhaps empty; its first column holds the names of its lines."""

    title: str
    heading: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that a command found, for readers (`blocks`) and for programs (`body`, `tidy`)."""

    format: str
    conventions: dict[str, str]
    blocks: tuple[Block, ...]
    notes: tuple[str, ...]
    body: dict[str, Any]
    columns: tuple[str, ...]
    tidy: tuple[tuple[Cell, ...], ...]


def rendered(sheet: Sheet, form: str = "table", *, bold: bool = False, width: int = 80) -> str:
    """A sheet as text that ends with a newline.

    Parameters
    ----------
    form : one of `FORMATS`.
    bold : table only: mark the best value of a line by ANSI bold instead of a star.
    width : table only: columns of the terminal.

    Examples
    --------
    >>> block = Block("", ("measure", "a", "b"), (Line("AP", (0.5, 1.0), 1),))
    >>> sheet = Sheet("precall.curve/1", {"ties": "block"}, (block,), (), {}, ("value",), ((0.5,),))
    >>> print(rendered(sheet), end="")
    measure       a       b
    AP       0.5000  1.0000*
    <BLANKLINE>
    * best of its line
    ties block
    >>> print(rendered(sheet, "csv"), end="")
    format,value
    precall.curve/1,0.5
    """
    if form == "table":
        return _table(sheet, bold, width)
    forms = {"csv": _csv, "json": _json, "markdown": _markdown, "latex": _latex}
    if form not in forms:
        raise UsageError(f"format: got {form!r}, allowed are {', '.join(FORMATS)}")
    return forms[form](sheet)


def shown(value: Cell) -> str:
    """A value as it is read by people.

    Examples
    --------
    >>> shown(0.25), shown(3), shown(Threshold(0.125)), shown(float("nan")), shown(None)
    ('0.2500', '3', '0.125', 'undef', '')
    """
    if isinstance(value, Threshold):
        return f"{value:.6g}" if value == value else "undef"
    if isinstance(value, float):
        return number(value)
    return "" if value is None else printable(str(value))


def leaders(line: Line) -> frozenset[int]:
    """The columns with the best value; none where all are equal or there is nothing to choose."""
    known = [value for value in line.values if isinstance(value, int | float) and value == value]
    if not line.best or len(line.values) < 2 or len(set(known)) < 2:
        return frozenset()
    best = max(known, key=lambda value: value * line.best)
    return frozenset(i for i, value in enumerate(line.values) if value == best)


def _cells(line: Line, mark: Callable[[str, bool], str], escape: Callable[[str], str]) -> list[str]:
    best = leaders(line)
    return [escape(line.name), *(mark(escape(shown(v)), i in best) for i, v in enumerate(line.values))]


def _signature(sheet: Sheet) -> str:
    return " | ".join(f"{name} {text}" for name, text in sheet.conventions.items())


def _table(sheet: Sheet, bold: bool, width: int) -> str:
    from precall.reporting.screen import wrapped

    marked = any(leaders(line) for block in sheet.blocks for line in block.lines)
    lines: list[str] = []
    for block in sheet.blocks:
        starred = any(map(leaders, block.lines))
        heading = [printable(name) for name in block.heading]
        if starred:
            heading[1:] = [name + " " for name in heading[1:]]
        rows = [
            _cells(line, lambda text, best: text + (BEST if best else " " * starred), printable)  # noqa: B023
            for line in block.lines
        ]
        lines += [printable(block.title)] if block.title else []
        lines += [_screen(line, bold) for line in aligned(heading, rows, width=width, kept=BEST)]
        lines.append("")
    if marked:
        lines.append("bold: best of its line" if bold else "* best of its line")
    for note in map(printable, sheet.notes):
        lines += wrap(note, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, *wrapped(printable(_signature(sheet)), width)]) + "\n"


def _screen(line: str, bold: bool) -> str:
    if not bold:
        return line.replace(BEST, "*")
    return re.sub(rf"(\S+){BEST}", "\x1b[1m\\1\x1b[0m ", line).rstrip()


def _markdown(sheet: Sheet) -> str:
    from precall.reporting.documents import in_markdown, pipes

    parts = []
    for block in sheet.blocks:
        if block.title:
            parts.append(f"### {in_markdown(block.title)}")
        heading = [in_markdown(name) for name in block.heading]
        rows = [
            _cells(line, lambda text, best: f"**{text}**" if best else text, in_markdown)
            for line in block.lines
        ]
        parts.append(pipes(heading, rows, 1))
    notes = [in_markdown(text) for text in (*sheet.notes, _signature(sheet))]
    if any(leaders(line) for block in sheet.blocks for line in block.lines):
        notes.insert(0, "Bold: best of its line.")
    return "\n\n".join([*parts, "\n".join(f"- {note}" for note in notes)]) + "\n"


def _latex(sheet: Sheet) -> str:
    from precall.reporting.documents import in_latex, tabular

    lines = ["% needs the package booktabs"]
    lines += [f"% {printable(text)}" for text in (*sheet.notes, _signature(sheet))]
    for block in sheet.blocks:
        lines += [f"% {printable(block.title)}"] if block.title else []
        rows = [
            _cells(line, lambda text, best: rf"\textbf{{{text}}}" if best else text, in_latex)
            for line in block.lines
        ]
        lines += tabular("tabular", [in_latex(name) for name in block.heading], rows, 1)
    return "\n".join(lines) + "\n"


def exact(value: Any) -> Any:
    """A value, or any nesting of them, as JSON has it: NaN is null, an infinity is a text."""
    if isinstance(value, dict):
        return {str(key): exact(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [exact(one) for one in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None if value != value else str(float(value))
    return value


def _json(sheet: Sheet) -> str:
    import json

    whole = {
        "format": sheet.format, "conventions": sheet.conventions, "notes": list(sheet.notes), **sheet.body,
    }  # fmt: skip
    return json.dumps(exact(whole), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _csv(sheet: Sheet) -> str:
    lines = [("format", *sheet.columns), *((sheet.format, *row) for row in sheet.tidy)]
    return "\n".join(",".join(map(_digits, line)) for line in lines) + "\n"


def _digits(value: Cell) -> str:
    if value is None or value != value:
        return ""
    return (
        quoted(value) if isinstance(value, str) else repr(float(value) if isinstance(value, float) else value)
    )
