"""A sheet: what a result has to say, and its five forms.

json (`"format": "precall.curve/1"` and so on): `conventions`, `notes`, then what the result has to say, a line for each
innermost object; every digit is kept, an undefined value is null, an infinite one the text "inf" or "-inf".
csv: tidy, one row per value, every digit; the first column is the version of the layout, an undefined value is empty.
table, markdown, latex: the blocks of the sheet, four decimals; the best values of a line or column are marked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from textwrap import wrap
from typing import Any, TypeAlias

import numpy as np

from precall.errors import UsageError
from precall.results import Presented, Table, number
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
    """A name and its values, one per column; `best` is 1 where the greatest is best, -1 where the least is.

    `ends` are the bounds of the values, if any have some: (low, high) or None for each.
    """

    name: str
    values: tuple[Cell, ...]
    best: int = 0
    ends: tuple[tuple[float, float] | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A table with a title, perhaps empty; its first column holds the names of its lines.

    Parameters
    ----------
    left : columns of names, which are flush left.
    best : where values are compared down a column and not along a line: which end is best, for each of the first
        columns of values.
    long : whether the lines may be many, as those of topics.
    """

    title: str
    heading: tuple[str, ...]
    lines: tuple[Line, ...]
    left: int = 1
    best: tuple[int, ...] = ()
    long: bool = False

    def leaders(self) -> list[frozenset[int]]:
        """Per line, the columns with the best values.

        Examples
        --------
        >>> Block("", ("run", "AP", "E"), (Line("a", (0.5, 0.25)), Line("b", (1.0, 0.5))), best=(1, -1)).leaders()
        [frozenset({1}), frozenset({0})]
        """
        if not self.best:
            return [leaders(line.values, line.best) for line in self.lines]
        values = zip(*(line.values for line in self.lines), strict=True)
        columns = [leaders(of_column, best) for of_column, best in zip(values, self.best, strict=False)]
        return [
            frozenset(place for place, chosen in enumerate(columns) if i in chosen)
            for i in range(len(self.lines))
        ]


@dataclass(frozen=True, slots=True, repr=False)
class Sheet(Presented):
    """All that a result has to say, for readers (`verdict`, `blocks`) and for programs (`body`, `tidy`)."""

    format: str
    conventions: dict[str, str]
    blocks: tuple[Block, ...]
    notes: tuple[str, ...]
    body: dict[str, Any]
    columns: tuple[str, ...]
    tidy: tuple[tuple[Cell, ...], ...]
    verdict: str = ""
    """What it comes to, in one sentence; it is said first."""

    def sheet(self, **choices: Any) -> Sheet:
        """Itself, perhaps with other fields."""
        return replace(self, **choices) if choices else self

    def __repr__(self) -> str:
        return f"<Sheet: {self.format}, {len(self.blocks)} tables>"


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


def leaders(values: Sequence[Cell], best: int) -> frozenset[int]:
    """The places of the best values; none where all are equal or there is nothing to choose."""
    if not best or len(values) < 2:
        return frozenset()
    known = [value for value in values if isinstance(value, int | float) and value == value]
    if len(set(known)) < 2:
        return frozenset()
    top = max(known, key=lambda value: value * best)
    return frozenset(i for i, value in enumerate(values) if value == top)


def _rows(block: Block, mark: Callable[[str, bool], str], escape: Callable[[str], str]) -> list[list[str]]:
    """The cells of all lines, the bounds of a value behind it."""
    rows = []
    for line, best in zip(block.lines, block.leaders(), strict=True):
        cells = [escape(shown(value)) for value in line.values]
        if line.ends:
            cells = [cell + beside(ends) for cell, ends in zip(cells, line.ends, strict=True)]
        rows.append([escape(line.name), *(mark(cell, i in best) for i, cell in enumerate(cells))])
    return rows


def beside(ends: tuple[float, float] | None) -> str:
    """The bounds as they stand behind a value.

    Examples
    --------
    >>> beside((0.25, 0.5)), beside(None)
    (' [0.2500, 0.5000]', '')
    """
    return "" if ends is None else f" [{number(ends[0])}, {number(ends[1])}]"


def _marked(sheet: Sheet) -> str:
    """What a mark means: the best of what; empty if nothing is marked."""
    marked = [block for block in sheet.blocks if any(block.leaders())]
    return f"best of its {'column' if marked[0].best else 'line'}" if marked else ""


def _signature(sheet: Sheet) -> str:
    return " | ".join(f"{name} {text}" for name, text in sheet.conventions.items())


def _table(sheet: Sheet, bold: bool, width: int) -> str:
    lines = [*_wrapped_text(sheet.verdict, width), ""] if sheet.verdict else []
    for block in sheet.blocks:
        heading = [printable(name) for name in block.heading]
        rows = _rows(block, lambda text, best: text + BEST if best else text, printable)
        if any(block.leaders()):
            # What is compared has room for a mark.
            for row in (heading, *rows):
                for i in range(1, 1 + len(block.best or heading[1:])):
                    row[i] += " " * (not row[i].endswith(BEST))
        lines += [printable(block.title)] if block.title else []
        made = aligned(heading, rows, left=block.left, width=width, kept=BEST)
        lines += [*(_screen(line, bold) for line in made), ""]
    if marked := _marked(sheet):
        lines.append(f"bold: {marked}" if bold else f"* {marked}")
    for note in sheet.notes:
        lines += _wrapped_text(note, width, "  ")
    return "\n".join([*lines, *wrapped(printable(_signature(sheet)), width)]) + "\n"


def _wrapped_text(text: str, width: int, indent: str = "") -> list[str]:
    return wrap(
        printable(text), width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _screen(line: str, bold: bool) -> str:
    if not bold:
        return line.replace(BEST, "*")
    return re.sub(rf"(\S+){BEST}", "\x1b[1m\\1\x1b[0m ", line).rstrip()


def wrapped(text: str, width: int) -> list[str]:
    """A signature in lines of `width`, broken only at its bars.

    Examples
    --------
    >>> wrapped("ties docno | topics both | grade >=1", 24)
    ['ties docno | topics both', '  | grade >=1']
    """
    first, *rest = text.split(" | ")
    lines = [first]
    for part in rest:
        if len(lines[-1]) + 3 + len(part) <= width:
            lines[-1] += f" | {part}"
        else:
            lines.append(f"  | {part}")
    return lines


def _markdown(sheet: Sheet) -> str:
    from precall.sheet.documents import in_markdown, pipes

    parts = [in_markdown(sheet.verdict)] if sheet.verdict else []
    for block in sheet.blocks:
        if block.title:
            parts.append(f"### {in_markdown(block.title)}")
        rows = _rows(block, lambda text, best: f"**{text}**" if best else text, in_markdown)
        parts.append(pipes([in_markdown(name) for name in block.heading], rows, block.left))
    notes = [in_markdown(text) for text in (*sheet.notes, _signature(sheet))]
    if marked := _marked(sheet):
        notes.insert(0, f"Bold: {marked}.")
    return "\n\n".join([*parts, "\n".join(f"- {note}" for note in notes)]) + "\n"


def _latex(sheet: Sheet) -> str:
    from precall.sheet.documents import in_latex, tabular

    several = any(block.long for block in sheet.blocks)
    lines = [f"% needs the package{'s booktabs and longtable' if several else ' booktabs'}"]
    lines += [f"% {printable(text)}" for text in (sheet.verdict, *sheet.notes, _signature(sheet)) if text]
    for block in sheet.blocks:
        lines += [f"% {printable(block.title)}"] if block.title else []
        rows = _rows(block, lambda text, best: rf"\textbf{{{text}}}" if best else text, in_latex)
        lines += tabular([in_latex(name) for name in block.heading], rows, block.left, block.long)
    return "\n".join(lines) + "\n"


def exact(value: Any) -> Any:
    """A value, or any nesting of them, as JSON has it: NaN is null, an infinity is a text."""
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None if value != value else str(float(value))
    if isinstance(value, dict):
        return {str(key): exact(one) for key, one in value.items()}
    return [exact(one) for one in value] if isinstance(value, list | tuple) else value


def _json(sheet: Sheet) -> str:
    import json

    # Not dumps(indent=...): it is many times slower, and one number a line is no easier to read.
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    return _laid_out(plain(sheet), encode) + "\n"


def plain(sheet: Sheet) -> dict[str, Any]:
    """A sheet as plain data, as its JSON has it."""
    verdict = {"verdict": sheet.verdict} if sheet.verdict else {}
    whole: dict[str, Any] = exact(
        {"format": sheet.format, **verdict, "conventions": sheet.conventions, "notes": list(sheet.notes)}
        | sheet.body
    )
    return whole


def table_of(sheet: Sheet) -> Table:
    """The tidy rows as columns: of texts if there is one among the values (none is empty), else of numbers (none is NaN).

    Examples
    --------
    >>> sheet = Sheet("f", {}, (), (), {}, ("name", "value"), (("a", 0.5), (None, None)))
    >>> table_of(sheet).to_dict()
    {'name': ['a', ''], 'value': [0.5, nan]}
    """
    columns: dict[str, Any] = {}
    for place, name in enumerate(sheet.columns):
        cells = [row[place] for row in sheet.tidy]
        if any(isinstance(cell, str) for cell in cells):
            columns[name] = ["" if cell is None else str(cell) for cell in cells]
        else:
            whole = bool(cells) and all(type(cell) is int for cell in cells)
            columns[name] = np.array(cells, np.int64 if whole else np.float64)
    return Table(columns)


def _laid_out(value: Any, encode: Callable[[Any], str], indent: str = "\n ", hanging: bool = False) -> str:
    """JSON with an innermost object a line; in a list, an object begins behind its brace."""
    if not _nested(value):
        return encode(value)
    if isinstance(value, list):
        parts = [_laid_out(one, encode, indent + " ", True) for one in value]
        return f"[{indent}{f',{indent}'.join(parts)}{indent[:-1]}]"
    parts = [f"{encode(key)}: {_laid_out(one, encode, indent + ' ')}" for key, one in value.items()]
    whole = f",{indent}".join(parts)
    return f"{{{whole}}}" if hanging else f"{{{indent}{whole}{indent[:-1]}}}"


def _nested(value: Any) -> bool:
    """Whether there are objects in it."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(isinstance(one, dict) or (isinstance(one, list) and _nested(one)) for one in parts)


def _csv(sheet: Sheet) -> str:
    # Names and conventions occur in many rows.
    name = cache(quoted)

    def digits(value: Cell) -> str:
        if isinstance(value, str):
            return name(value)
        if value is None or value != value:
            return ""
        return repr(float(value) if isinstance(value, float) else value)

    lines = [(sheet.format, *row) for row in sheet.tidy]
    return "\n".join([",".join(map(digits, line)) for line in [("format", *sheet.columns), *lines]]) + "\n"
