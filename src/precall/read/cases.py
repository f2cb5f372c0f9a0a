"""Columns of a table by their names: scored cases and decisions, with the lines they stand on.

Which columns are wanted is said by a function of the names that there are, so that a pattern such as `p*` can
be one. What is wrong with the table itself is raised here; what is wrong with its cells, by `cells`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from precall.errors import DataError, Malformed, Problem, UsageError
from precall.read.problems import Findings, data_error, listed, shown
from precall.read.sources import FORMATS, contents, format_of, label_of
from precall.read.subjects import Request, Subject

#: The formats that have columns.
TABLES = FORMATS[1:]
#: From the names of all columns to the names of those wanted.
Choice = Callable[[list[str]], list[str]]

_CASES = Subject("score", "cases need", "a case", "columns", 0)


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The chosen columns of a table: cells as text (CSV, TSV), objects (JSON lines) or arrays of numbers."""

    source: str
    cells: dict[str, Any]
    lines: Sequence[int]
    textual: bool
    """Whether every cell is text as it stood in the file, an empty one being missing."""
    unit: str = "line"

    def __len__(self) -> int:
        return len(self.lines)

    def problem(self, row: int | None, name: str, what: str, todo: str) -> Problem:
        """What is wrong with a cell, or with a column."""
        text = f"column {shown(name)}: {what}"
        if row is None:
            return Problem(self.source, None, text, todo)
        if self.unit == "line":
            return Problem(self.source, self.lines[row], text, todo)
        return Problem(f"{self.source}, row {self.lines[row]}", None, text, todo)


def read_columns(path: str, choose: Choice, format: str | None = None) -> Columns:
    """Read columns of a table.

    Parameters
    ----------
    path : of CSV, TSV, JSON lines, Parquet or Arrow, perhaps compressed; `-` is standard input.
    choose : which columns, told from the names of all; see `named`.
    format : one of `TABLES` (default: told from the path's ending).

    Raises
    ------
    DataError
        The table is malformed or has no row; all its problems are listed, up to 20.
    UsageError
        The format is not told by the path.
    """
    label = label_of(path)
    kind = _kind(path, format)
    if kind in ("parquet", "arrow"):
        columns = _of_frame(path, kind, label, choose)
    else:
        data = contents(path, label)
        read = _of_objects if kind == "jsonl" else _of_text
        columns = read(data, kind, label, choose)
    if not len(columns):
        raise _empty(label, columns.unit)
    return columns


def _kind(path: str, format: str | None) -> str:
    kind = format_of(path, format)
    if kind not in TABLES:
        what = "its format is not told by a name" if path == "-" else "its name ends like no table's"
        raise UsageError(f"{label_of(path)}: {what}; give --input-format {'|'.join(TABLES)}")
    return kind


def _empty(label: str, unit: str = "line") -> DataError:
    what = f"no data {unit}, scored cases and decisions have at least one"
    return DataError([Problem(label, None, what, "check that it was written")])


def named(wanted: Sequence[tuple[str, str]], label: str) -> Choice:
    """A choice of columns, each with the option that named it."""

    def choose(columns: list[str]) -> list[str]:
        problems = []
        for option, name in wanted:
            if (count := columns.count(name)) != 1:
                problems.append(_absent(option, name, columns, label, count))
        if problems:
            raise DataError(problems)
        return list(dict.fromkeys(name for _, name in wanted))

    return choose


def _absent(option: str, name: str, columns: list[str], label: str, count: int) -> Problem:
    if count:
        what = f"{count} columns are called {shown(name)}, one is allowed"
        return Problem(label, None, what, "rename or remove the others")
    what = f"no column {shown(name)}, the columns are {listed(columns)}"
    return Problem(label, None, what, f"name one of them with {option}")


def _chosen(choose: Choice, columns: list[str], line: int) -> list[str]:
    """The columns wanted; what is wrong with the names stands on the line that has them."""
    try:
        return choose(columns)
    except DataError as error:
        raise DataError([problem._replace(line=line) for problem in error.problems], error.total) from None


def _refused(findings: Findings, label: str) -> DataError:
    return data_error(findings.merged(Malformed([], 0)), Request(_CASES, label, "error", 1))


def _of_text(data: bytes, kind: str, label: str, choose: Choice) -> Columns:
    from precall.read.tables import SEPARATOR, cells_of

    names: list[str] = []

    def places(header: list[str], line: int) -> list[int]:
        names.extend(_chosen(choose, header, line))
        return [header.index(name) for name in names]

    findings = Findings()
    rows = list(cells_of(data, SEPARATOR[kind], places, findings))
    if findings.total:
        raise _refused(findings, label)
    if not names:
        raise _empty(label)
    *cells, lines = map(list, zip(*rows, strict=True)) if rows else [[] for _ in range(len(names) + 1)]
    return Columns(label, dict(zip(names, cells, strict=True)), lines, True)


def _of_objects(data: bytes, kind: str, label: str, choose: Choice) -> Columns:
    from precall.read.tables import decoder, lines_of, refusal

    findings, decode = Findings(), decoder()
    names: list[str] = []
    records: list[dict[str, Any]] = []
    lines: list[int] = []
    for line, text in lines_of(data):
        try:
            record = decode(text.decode())
            if not isinstance(record, dict):
                raise TypeError
        except (ValueError, RecursionError, TypeError) as error:
            if text.strip():
                findings.add(line, *refusal(text, error, names or ["column"]))
            continue
        # The first object says which columns there are.
        names = names or _chosen(choose, [name for name in record if encodable(name)], line)
        for name in names:
            if name not in record:
                what = f"no {shown(name)}, there are {listed(list(record))}"
                findings.add(line, "said", what, "give every object the same names, or null")
        records.append(record)
        lines.append(line)
    if findings.total:
        raise _refused(findings, label)
    cells = {name: [record[name] for record in records] for name in names}
    return Columns(label, cells, lines, False)


def encodable(text: str) -> bool:
    """Whether UTF-8 can encode a text: JSON may hold halves of characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _of_frame(path: str, kind: str, label: str, choose: Choice) -> Columns:
    from precall.read.binaries import frame_of

    frame = frame_of(path, kind, label, choose)
    cells = {name: _cells(frame[name]) for name in choose(list(frame.columns))}
    return Columns(label, cells, range(1, len(frame) + 1), False, "row")


def _cells(column: Any) -> Any:
    """Floats without gaps as they are: float32 is not widened, or other scores would be equal."""
    import polars

    if column.dtype in (polars.Float32, polars.Float64) and column.null_count() == 0:
        return column.to_numpy()
    return column.to_list()
