"""A sheet: what a result has to say, before it takes a form (`precall.sheet.forms`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias, TypeVar

from precall.presented import Presented
from precall.text import number, printable
from precall.version import __version__

T = TypeVar("T")


class Threshold(float):
    """A score or cost: shown as short as it is written, not in four decimals."""

    __slots__ = ()


#: None is a cell that has no value at all; NaN is a value that is undefined.
Cell: TypeAlias = float | int | str | None
Row: TypeAlias = tuple[Cell, ...]


class Line(NamedTuple):
    """A name and its values, one per column; `best` is 1 where the greatest is best, -1 where the least is.

    `ends` are the bounds of the values, if any have some: (low, high) or None for each.
    """

    name: str
    values: Sequence[Cell]
    best: int = 0
    ends: tuple[tuple[float, float] | None, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Many(Collection[T]):
    """Lines that are made anew whenever they are gone through: half a million need not lie in memory."""

    make: Callable[[], Iterator[Any]]
    size: int

    def __iter__(self) -> Iterator[T]:
        return self.make()

    def __len__(self) -> int:
        return self.size

    def __contains__(self, wanted: object) -> bool:
        return any(line == wanted for line in self)


class Rows(Many[Row]):
    """Rows that are made likewise, in parts of some columns each."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Row]:
        return (row for columns in self.make() for row in zip(*columns, strict=True))


@dataclass(frozen=True, slots=True)
class Block:
    """A table with a title, perhaps empty; its first column holds the names of its lines.

    Parameters
    ----------
    left : columns of names, which are flush left.
    best : where values are compared down a column and not along a line: which end is best, for each of the first
        columns of values.
    long : whether the lines may be many, as those of topics; those are not compared.
    """

    title: str
    heading: tuple[str, ...]
    lines: Collection[Line]
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
        if self.long:
            return [frozenset()] * len(self.lines)
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
    tidy: Collection[Row]
    verdict: str = ""
    """What it comes to, in one sentence; it is said first."""
    source: Any = field(default=None, compare=False)
    """The result that it is of, for forms that show more of it: its charts, its layout in trec_eval."""

    def sheet(self, **choices: Any) -> Sheet:
        """Itself, perhaps with other fields."""
        return replace(self, **choices) if choices else self

    @property
    def signature(self) -> str:
        """The conventions in one line."""
        return " | ".join(f"{name} {text}" for name, text in self.conventions.items())

    def __repr__(self) -> str:
        return f"<Sheet: {self.format}, {len(self.blocks)} tables>"


#: Name → column → value.
Values: TypeAlias = Mapping[str, Mapping[str, Cell]]


def block_of(corner: str, rows: Values, title: str = "") -> Block:
    """A line for each name; its columns are those of the first."""
    heading = tuple(next(iter(rows.values())))
    return Block(
        title, (corner, *heading), tuple(Line(name, tuple(row.values())) for name, row in rows.items())
    )


def cells_of(rows: Values) -> Iterator[tuple[str, str, Cell]]:
    """Name, column and value, one after the other."""
    return ((name, column, value) for name, row in rows.items() for column, value in row.items())


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


def describe_conventions(**more: str) -> dict[str, str]:
    """What every number rests on, and what else does."""
    return {"precall": __version__, **more}
