"""The elements of tables before they take a form: cells, lines, blocks of lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, takewhile
from typing import Any, NamedTuple, TypeAlias, TypeVar

from precall.core.conventions import good_scores
from precall.core.notes import Note
from precall.core.text import format_ends, number, printable, python_scalar

#: Names in data that are printed under another name; columns are found by both. LingPipe's name
#: stays in the data for programs that read it.
_PRINTED = {"rejection_recall": "specificity"}

#: The column that says whether thresholds accept high scores. csv and frames need it, because they
#: hold no conventions.
GOOD_SIDE = "higher_is_better"
T = TypeVar("T")


class Threshold(float):
    """A score, cost or sum of weights: shown with all its digits, but no more, instead of four
    decimals.
    """

    __slots__ = ()


class AtMost(Threshold):
    """A threshold for scores of which low ones are good. It accepts scores up to this value; the
    sign is shown.
    """

    __slots__ = ()


class Bound(Threshold):
    """An upper bound of a probability that is not known better; the sign is shown."""

    __slots__ = ()


class FullNumber(Threshold):
    """A number of a result that is one row: shown with all its digits, unless a paper wants some
    decimals.
    """

    __slots__ = ()


#: Decimals of values, if nobody asks for others.
DIGITS = 4
#: Counts that are summed over groups; with weighted cases they are sums of weights.
COUNTS = ("cases", "relevant", "missed", "accepted", "tp", "fp", "fn", "tn")
#: None is a cell without any value; NaN is an undefined value.
Cell: TypeAlias = float | int | str | None
Row: TypeAlias = tuple[Cell, ...]
#: Name → column → value.
Values: TypeAlias = Mapping[str, Mapping[str, Cell]]
Cells: TypeAlias = dict[str, dict[str, Cell]]


class Line(NamedTuple):
    """A name and its values, one per column; `best` is 1 if the greatest is best, -1 if the least
    is.

    `ends` are the bounds of the values, if any have some: (low, high) or None for each. `marks`
    stand beside the values, if any have some: letters, or signs of significance; "" for a value
    without a mark.
    """

    name: str
    values: Sequence[Cell]
    best: int = 0
    ends: tuple[tuple[float, float] | None, ...] = ()
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class LazyLines(Collection[T]):
    """Lines that are made anew in each iteration, so that half a million need not be in memory."""

    make: Callable[[], Iterator[Any]]
    size: int

    def __iter__(self) -> Iterator[T]:
        return self.make()

    def __len__(self) -> int:
        return self.size

    def __contains__(self, wanted: object) -> bool:
        return any(line == wanted for line in self)


class LazyRows(LazyLines[Row]):
    """Rows that are made anew in each iteration, from parts with some columns each."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Row]:
        return (row for columns in self.make() for row in zip(*columns, strict=True))


class LazyData(Mapping[str, Any]):
    """Data that is made when it is first read. Most results are printed, and never written
    as JSON.
    """

    def __init__(self, make: Callable[[], dict[str, Any]]) -> None:
        self._make = make

    @cached_property
    def _values(self) -> dict[str, Any]:
        return self._make()

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


@dataclass(frozen=True, slots=True)
class Block:
    """A table with a title, which may be empty. Its first column holds the names of its lines.

    Parameters
    ----------
    left : number of columns of names, which are flush left.
    best : for values that are compared down a column instead of along a line: which end is best,
        for each of the first columns of values.
    long : whether there may be many lines, such as one per topic; these are not compared.
    above : number of lines above a rule, such as that of a baseline.
    detail : what the block adds to the short answer; forms for readers leave it out unless
        everything is wanted. Empty for the short answer itself.
    legends : notes that explain the marks in the block.
    first : number of lines in the short answer; 0 is all.
    """

    title: str
    heading: tuple[str, ...]
    lines: Collection[Line]
    left: int = 1
    best: tuple[int, ...] = ()
    long: bool = False
    above: int = 0
    detail: str = ""
    legends: tuple[Note, ...] = ()
    first: int = 0

    @property
    def more_rows(self) -> int:
        """Number of lines that the short answer leaves out."""
        return max(len(self.lines) - self.first, 0) if self.first else 0

    def short(self) -> Block:
        """This block with only the lines of the short answer, and a title that says so."""
        if not self.more_rows:
            return self
        title = f"{self.title}: " * bool(self.title)
        title += f"the first {self.first} of {len(self.lines)} rows"
        return replace(self, title=title, lines=tuple(islice(self.lines, self.first)), first=0)

    def map(self, change: Callable[[Line], Line]) -> Block:
        """This block with another line for each line."""
        if self.long:
            lines = self.lines
            return replace(self, lines=LazyLines(lambda: iter(map(change, lines)), len(lines)))
        return replace(self, lines=tuple(map(change, self.lines)))

    def pick(self, positions: Sequence[int]) -> Block:
        """This block with only the values at these positions, in their order."""

        def chosen(cells: Sequence[T]) -> tuple[T, ...]:
            return tuple(cells[position] for position in positions) if cells else ()

        def picked(line: Line) -> Line:
            return Line(
                line.name, chosen(line.values), line.best, chosen(line.ends), chosen(line.marks)
            )

        best = (*self.best, *[0] * (len(self.heading) - 1 - len(self.best)))
        heading = (self.heading[0], *(self.heading[1 + position] for position in positions))
        best = chosen(best) if self.best else ()
        return replace(self, heading=heading, best=best).map(picked)

    def turn(self) -> Block:
        """This block with its lines as columns, if its only names are in the first column."""
        lines = list(self.lines)
        turned = tuple(
            Line(
                name,
                tuple(line.values[column] for line in lines),
                0,
                tuple(line.ends[column] if line.ends else None for line in lines)
                if any(line.ends for line in lines)
                else (),
                tuple(line.marks[column] if line.marks else "" for line in lines)
                if any(line.marks for line in lines)
                else (),
            )
            for column, name in enumerate(self.heading[1:])
        )
        heading = ("", *(line.name for line in lines))
        best = tuple(line.best for line in lines)
        return Block(self.title, heading, turned, best=best if any(best) else ())

    def leaders(self) -> list[frozenset[int]]:
        """For each line, the columns with the best values."""
        if self.long or (self.best and len(self.lines) < 2):
            return [frozenset()] * len(self.lines)
        if not self.best:
            return [leaders(line.values, line.best) for line in self.lines]
        values = zip(*(line.values for line in self.lines), strict=True)
        columns = [
            leaders(of_column, best) for of_column, best in zip(values, self.best, strict=False)
        ]
        return [
            frozenset(index for index, chosen in enumerate(columns) if i in chosen)
            for i in range(len(self.lines))
        ]


#: Stand around formulas in a caption; these code points are no characters, so no text has them.
_FORMULA = re.compile("\ufdd3([^\ufdd4]*)\ufdd4")


def formula(text: str) -> str:
    """A formula, or a sign of one, within a caption: documents set it as such."""
    return f"\ufdd3{text}\ufdd4"


def set_formulas(
    caption: str, text: Callable[[str], str], formula: Callable[[str], str] | None = None
) -> str:
    """A caption with its texts and its formulas as a form writes them; without a way to write
    formulas these are texts.

    Examples
    --------
    >>> set_formulas(f"A<B, {formula('p ≤ 0.05')}", str.lower, lambda text: f"${text}$")
    'a<b, $p ≤ 0.05$'
    """
    parts = _FORMULA.split(caption)
    if formula is None:
        return text("".join(parts))
    return "".join((formula if i % 2 else text)(part) for i, part in enumerate(parts))


class Paper(NamedTuple):
    """The table that papers show of a result instead of its tables, and its caption.

    Formulas of the caption are marked by `formula`; `without` are notes about marks that this table
    does not show; `verdict` is a longer one for a table without all of its numbers.
    """

    caption: str
    blocks: tuple[Block, ...]
    without: tuple[str, ...] = ()
    verdict: str = ""


def lines_of(
    names: Iterable[str],
    columns: Mapping[str, Mapping[str, Cell]],
    marks: Mapping[str, Mapping[str, str]],
) -> tuple[Line, ...]:
    """A line for each name, with its value and mark in each column."""
    return tuple(
        Line(
            name,
            [of_name[name] for of_name in columns.values()],
            marks=tuple(marks.get(column, {}).get(name, "") for column in columns),
        )
        for name in names
    )


def block_of(corner: str, rows: Values) -> Block:
    """A block with a line for each name. Its columns are those of the first name, if any."""
    lines = tuple(Line(name, tuple(row.values())) for name, row in rows.items())
    return Block("", (corner, *next(iter(rows.values()), ())), lines)


def block_of_values(heading: tuple[str, str], values: Mapping[str, Cell]) -> Block:
    """A block with a line for each value."""
    return Block("", heading, tuple(Line(name, (value,)) for name, value in values.items()))


def cells_of(rows: Values) -> Iterator[tuple[str, str, Cell]]:
    """Name, column and value of each cell."""
    return ((name, column, value) for name, row in rows.items() for column, value in row.items())


#: What stands before a threshold that accepts scores up to it, and before an upper bound.
AT_MOST = "<= "


def show_cell(value: Cell, digits: int | None = None) -> str:
    """A value as text for people."""
    if not isinstance(value, float):
        value = python_scalar(value)
    if isinstance(value, FullNumber) and digits is not None and value == value:
        # No number that exists is shown as 0.
        shown = f"{value:z.{digits}f}"
        return shown if float(shown) or not value else f"{value:.2g}"
    if isinstance(value, Threshold):
        sign = AT_MOST if isinstance(value, AtMost | Bound) else ""
        return f"{sign}{value:.6g}" if value == value else "undef"
    if isinstance(value, float):
        return number(value, DIGITS if digits is None else digits)
    return "" if value is None else printable(str(value))


def leaders(values: Sequence[Cell], best: int) -> frozenset[int]:
    """Positions of the best values; empty if all are equal or none is better."""
    defined = (
        {value for value in values if isinstance(value, int | float) and value == value}
        if best
        else ()
    )
    if len(defined) < 2:
        return frozenset()
    top = max(defined, key=lambda value: value * best)
    return frozenset(i for i, value in enumerate(values) if value == top)


def rows_of(
    block: Block, escape: Callable[[str], str], mark: str, digits: int | None = None
) -> tuple[list[list[str]], str]:
    """The cells of all lines, with bounds after their value and the best values in `mark`; and the
    meaning of a mark. `digits` is the number of decimals, if not the usual one.
    """
    rows, decimals = [], DIGITS if digits is None else digits
    for name, values, _, bounds, _ in block.lines:
        # Most cells are values between 0 and 1, and there may be millions, so this case comes
        # first.
        cells = [
            f"{value:z.{decimals}f}"
            if type(value) is float and -100 < value < 100
            else escape(value)
            if isinstance(value, str)
            else show_cell(value, digits)
            for value in values
        ]
        if bounds:
            cells = [
                cell + format_bounds(ends, decimals)
                for cell, ends in zip(cells, bounds, strict=True)
            ]
        rows.append([escape(name), *cells])
    chosen = block.leaders()
    for row, places in zip(rows, chosen, strict=True):
        for index in places:
            row[index + 1] = mark.format(row[index + 1])
    return rows, _meaning(block) if any(chosen) else ""


def meaning_of_bold(block: Block) -> str:
    """What is meant by bold values; empty if there are none."""
    return _meaning(block) if any(block.leaders()) else ""


def _meaning(block: Block) -> str:
    return f"best of its {'column' if block.best else 'line'}"


def marks_of(block: Block) -> Iterator[tuple[int, list[str]]]:
    """The columns of values that have marks, each with its marks, line by line."""
    if not block.long and any(line.marks for line in block.lines):
        columns = zip(*(line.marks for line in block.lines), strict=True)
        yield from ((index, list(marks)) for index, marks in enumerate(columns) if any(marks))


def format_bounds(ends: tuple[float, float] | None, digits: int = DIGITS) -> str:
    """The bounds of a value as the text that follows it."""
    return "" if ends is None else f" [{', '.join(format_ends(*ends, digits))}]"


#: Columns of scores and of typed numbers, which are shown with all their digits.
SHORT = ("threshold", "score", "low_score", "level")


def block_of_rows(columns: Sequence[str], rows: Iterable[Row], left: int) -> Block:
    """A table of rows for people; the first `left` columns are names."""
    # A number that begins a row is shown with all its digits as well, as in csv.
    short = [index == 0 or name in SHORT for index, name in enumerate(columns)]
    lines = []
    for row in rows:
        cells = [
            Threshold(cell) if brief and isinstance(cell, float) else cell
            for cell, brief in zip(row, short, strict=True)
        ]
        lines.append(Line(show_cell(cells[0]), cells[1:]))
    return Block("", tuple(map(word_of, columns)), tuple(lines), left)


def names_in(columns: Mapping[str, object]) -> int:
    """Number of columns at the beginning that hold texts, which name the rows; at least one."""
    names = list(takewhile(lambda column: isinstance(column, list), columns.values()))
    return max(1, min(len(names), len(columns) - 1))


def good_side(higher_is_better: bool) -> dict[str, str]:
    """The convention that low scores are good; empty if high ones are, the usual case."""
    return {} if higher_is_better else {"good": good_scores(False)}


def word_of(name: str) -> str:
    """The printed form of a name in data.

    Examples
    --------
    >>> word_of("rejection_recall"), word_of("recall")
    ('specificity', 'recall')
    """
    return _PRINTED.get(name, name)
