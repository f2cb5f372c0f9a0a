"""Columns of a table by their names: read at once, where nothing about them is unusual, else cell
by cell.

Which columns are wanted is said by a function of the names that there are, so that a pattern such
as `p*` can be one. What is wrong with the table itself is raised at once, all problems of its cells
together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.core.errors import DataError, Problem, UsageError, retold
from precall.core.ragged import Float64
from precall.core.text import is_encodable, is_folder
from precall.native import kernel
from precall.native.literals import EXACT
from precall.read.columns import Choice, Ids, Request, Subject
from precall.read.formats import OF_COLUMNS, SEPARATOR, TABLES
from precall.read.problems import (
    Findings,
    data_error,
    listed,
    no_column,
    show_text,
    words_of_duplicate_column,
)
from precall.read.sources import contents, format_of, label_of
from precall.read.values import Levels, array_of, as_list, levels_of
from precall.read.weights import repeat_cases

#: The columns that are wanted as numbers and nothing else, and what they are: of weights, other
#: than of scores, it is kept whether they are integers as they are written.
Numbers = Mapping[str, Literal["score", "weight"]]

#: What to do about a folder that cannot be taken as one.
ONE_BY_ONE = "name its files one by one"
#: Endings of spreadsheets, which are refused.
_SHEETS = (".xlsx", ".xls", ".ods")
_TRUTHS = {"true", "false"}
CASES = Subject("score", "cases need", "a case", "columns", 0)


class Unusual(Exception):
    """Something about a table that was read at once asks for a look at its cells."""


class CodedTexts(NamedTuple):
    """Texts of which there are few: the number of each row's, and what each number stands for."""

    codes: npt.NDArray[np.integer[Any]]
    texts: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class CaseColumns:
    """The chosen columns of a table: cells as text (CSV, TSV), objects (JSON lines), arrays of
    numbers or coded texts.
    """

    source: str
    cells: dict[str, Any]
    lines: Sequence[int]
    textual: bool
    """Whether every cell is text as it stood in the file, an empty one being missing."""
    unit: str = "line"
    at_once: bool = False
    """Whether nothing is known of its cells but that they are ordinary: then problems are
    `Unusual`.
    """
    levels: Callable[[], Mapping[str, Levels]] = dict
    """Those of columns whose type declares the labels that there may be."""

    def __len__(self) -> int:
        return len(self.lines)


#: What is read, at once or with care; at once it may be `Unusual`.
Look = Callable[[], CaseColumns]


def looks_at(
    path: str, choose: Choice, numbers: Numbers | None = None, format: str | None = None
) -> tuple[Look, Look]:
    """How to read columns of a table quickly, and how with care: CSV, TSV, JSON lines, Parquet or
    Arrow, perhaps compressed.

    `choose` tells which columns from the names of all; see `named`. Those of `numbers` are wanted
    as nothing else (None: all but the first chosen, as scores). `format` is one of `TABLES`
    (default: told from the path's ending); `-` is standard input.
    """
    label, kind = label_of(path), table_format(path, format)
    if kind in OF_COLUMNS:
        from precall.read.frame_files import frame_and_levels

        frame, declared = frame_and_levels(path, kind, label, choose)
        return looks_at_frame(frame, label, choose, numbers, declared=declared)
    return looks_at_text(
        contents(path, label, look_at_beginning(choose, kind, label)), label, choose, kind, numbers
    )


def look_at_beginning(choose: Choice, kind: str, label: str) -> Callable[[bytes], object] | None:
    """What refuses the first lines of what may have no end, if they have other columns; None where
    there are no lines.
    """
    if kind in OF_COLUMNS:
        return None
    return partial(_looked_at, kind, label, partial(_on_its_line, choose))


def table_format(path: str, format: str | None) -> str:
    """The format of a table: as asked, or as its path's ending tells; a folder's is Parquet."""
    if is_folder(path):
        if format not in (None, "parquet"):
            raise UsageError(
                f"{label_of(path)}: of a folder Parquet is read, not {format}", remedy=ONE_BY_ONE
            )
        return "parquet"
    kind = format_of(path, format)
    if kind not in TABLES and path.lower().endswith(_SHEETS):
        ending = path[path.rindex(".") :]
        raise UsageError(f"{label_of(path)}: {ending} is not read", remedy="save the sheet as CSV")
    if kind not in TABLES:
        what = (
            "its format is not told by a name" if path == "-" else "its name ends like no table's"
        )
        raise UsageError(
            f"{label_of(path)}: {what}", remedy=f"give --input-format {'|'.join(TABLES)}"
        )
    return kind


def looks_at_frame(
    frame: Any,
    label: str,
    choose: Choice,
    numbers: Numbers | None,
    some: bool = True,
    declared: Callable[[], dict[str, Levels]] = dict,
) -> tuple[Look, Look]:
    """The same of a Polars frame, which has `some` row or may have none; levels that it does not
    keep are `declared`.
    """
    names = choose(list(frame.columns))
    frame = _in_one_zone(frame, names)
    levels = partial(_levels, frame, names, declared)
    careful = partial(_of_frame, frame, label, names, levels)
    quick = partial(_coded_frame, frame, label, names, numbers, levels)
    return quick, partial(_not_empty, careful) if some else careful


def looks_at_text(
    data: bytes,
    label: str,
    choose: Choice,
    kind: str,
    numbers: Numbers | None,
    some: bool = True,
) -> tuple[Look, Look]:
    """The same of the bytes of CSV, TSV or JSON lines."""
    text = data, label, partial(_on_its_line, choose), kind
    careful = partial(_of_text, *text)
    return partial(_coded_text, *text, numbers), partial(_not_empty, careful) if some else careful


def _looked_at(
    kind: str, label: str, choose: Callable[[list[str], int], list[str]], lines: bytes
) -> None:
    """Refuse the first lines of what may have no end, if they have other columns, or are no JSON
    objects.
    """
    from precall.read.tables import header_of

    if kind == "jsonl":
        _of_text(lines, label, choose, kind)
    elif (first := header_of(lines, SEPARATOR[kind])) is not None:
        choose(first[0], 1)


def _not_empty(careful: Look) -> CaseColumns:
    columns = careful()
    if not len(columns):
        what = f"no data {columns.unit}, scored cases and decisions have at least one"
        raise DataError([Problem(columns.source, None, what, "check that it was written")])
    return columns


def _on_its_line(choose: Choice, columns: list[str], line: int) -> list[str]:
    """What is wrong with the names stands on the line that has them."""
    with retold(lambda problem: problem._replace(line=line)):
        return choose(columns)


def numbers_of(
    scores: Iterable[str], weight: str | None, others: Collection[str | None] = ()
) -> Numbers:
    """Columns of scores and one of weights, unless they are wanted as something else, too."""
    numbers: dict[str, Literal["score", "weight"]] = dict.fromkeys(scores, "score")
    if weight is not None:
        numbers[weight] = "weight"
    return {name: what for name, what in numbers.items() if name not in others}


def _numbers_among(names: list[str], numbers: Numbers | None) -> Numbers:
    return dict.fromkeys(names[1:], "score") if numbers is None else numbers


def _coded_text(
    data: bytes,
    label: str,
    choose: Callable[[list[str], int], list[str]],
    kind: str,
    numbers: Numbers | None,
) -> CaseColumns:
    from precall.read.tables import first_names, gains, header_of

    if not gains():
        raise Unusual
    first = first_names(data) if kind == "jsonl" else header_of(data, SEPARATOR[kind])
    if first is None:
        raise Unusual
    header, begin = first
    names = choose(header, 1)
    width = 0 if kind == "jsonl" else len(header)

    def read(names: list[str], kinds: str) -> dict[str, Any] | None:
        wanted: list[Any] = names if kind == "jsonl" else [header.index(name) for name in names]
        columns = kernel().columns_from_table(
            data, begin, SEPARATOR.get(kind, ""), width, wanted, kinds
        )
        return columns and {
            name: CodedTexts(column[0], Ids(*column[1:]).tolist())
            if isinstance(column, tuple)
            else column
            for name, column in zip(names, columns, strict=True)
        }

    among = _numbers_among(names, numbers)
    cells = read(names, "".join("s" if name in among else "c" for name in names))
    if cells is None:
        raise Unusual
    for name in names:
        if among.get(name) == "weight" and _are_whole(cells[name]):
            # How they are written: of JSON no other numbers than integers can be read as labels.
            written = read([name], "c")
            if written is not None and repeat_cases(written[name].texts):
                cells[name] = cells[name].astype(np.int64)
    return of_text_at_once(label, cells, kind)


def _are_whole(numbers: Float64) -> bool:
    return bool(np.all((numbers == np.floor(numbers)) & (np.abs(numbers) <= EXACT)))


def of_text_at_once(label: str, cells: dict[str, Any], kind: str) -> CaseColumns:
    """The columns of text that was read at once."""
    for column in cells.values() if kind == "jsonl" else ():
        # A boolean beside other labels is a number to some rules, which its text is not.
        if isinstance(column, CodedTexts) and _TRUTHS & set(column.texts) not in (
            set(),
            set(column.texts),
        ):
            raise Unusual
    return _at_once(label, cells, "line", kind != "jsonl")


def _at_once(label: str, cells: dict[str, Any], unit: str, textual: bool) -> CaseColumns:
    sizes = {
        len(column[0] if isinstance(column, CodedTexts) else column) for column in cells.values()
    }
    if sizes in ({0}, set()):
        raise Unusual
    return CaseColumns(label, cells, range(sizes.pop()), textual, unit, True)


def named(wanted: Sequence[tuple[str, str]], label: str) -> Choice:
    """A choice of columns, each with the argument that named it."""

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
        return Problem(label, None, *words_of_duplicate_column(name, count))
    what, todo = no_column([name], columns)
    return Problem(label, None, what, todo or f"name one of them with ⟨{option}⟩")


def _of_text(
    data: bytes, label: str, choose: Callable[[list[str], int], list[str]], kind: str
) -> CaseColumns:
    from precall.read.tables import cells_of

    names: list[str] = []
    findings = Findings()

    def chosen(columns: list[str], line: int) -> list[int]:
        names.extend(choose(columns, line))
        return [columns.index(name) for name in names]

    if kind == "jsonl":
        rows = _of_objects(data, names, chosen, findings)
    else:
        rows = list(cells_of(data, SEPARATOR[kind], chosen, findings))
    if findings.total:
        raise data_error(findings.merged(), Request(CASES, label, "error", 1))
    *cells, lines = map(list, zip(*rows, strict=True)) if rows else [[]]
    return CaseColumns(label, dict(zip(names, cells, strict=False)), lines, kind != "jsonl")


def _of_objects(
    data: bytes, names: list[str], choose: Callable[[list[str], int], object], findings: Findings
) -> list[tuple[Any, ...]]:
    from precall.read.tables import records_of

    rows = []
    for line, record in records_of(data, names, findings):
        # The first object says which columns there are.
        if not names:
            choose([name for name in record if is_encodable(name)], line)
        for name in names:
            if name not in record:
                what = f"no {show_text(name)}, there are {listed(list(record))}"
                findings.add(
                    line, "said", what, "give every object the same names, or null", "absent", name
                )
        rows.append((*map(record.get, names), line))
    return rows


def _of_frame(
    frame: Any, label: str, names: list[str], levels: Callable[[], dict[str, Levels]]
) -> CaseColumns:
    import polars

    cells = {}
    for name in names:
        column = frame[name]
        # Floats without gaps as they are: float32 is not widened, or other scores would be equal.
        whole = column.dtype in (polars.Float32, polars.Float64) and column.null_count() == 0
        try:
            cells[name] = column.to_numpy() if whole else as_list(column)
        except (ValueError, OverflowError) as error:  # times that Python does not have
            what = f"column {show_text(name)}: {error}"
            raise DataError([Problem(label, None, what, "write them as texts")]) from None
    return CaseColumns(label, cells, range(1, len(frame) + 1), False, "row", levels=levels)


def _in_one_zone(frame: Any, names: list[str]) -> Any:
    """Times of columns in several zones, as the first of these has them: labels are compared as
    texts, and one instant has one text in each zone.
    """
    import polars

    zoned = [
        name for name in names if getattr(_cell_type(frame, name), "time_zone", None) is not None
    ]
    if len({_cell_type(frame, name).time_zone for name in zoned}) < 2:
        return frame
    zone = _cell_type(frame, zoned[0]).time_zone
    kinds: dict[Any, Any] = {}
    for name in zoned:
        time = polars.Datetime(_cell_type(frame, name).time_unit, zone)
        is_list = frame.schema[name] != _cell_type(frame, name)
        kinds[name] = polars.List(time) if is_list else time
    return frame.cast(kinds)


def _cell_type(frame: Any, name: str) -> Any:
    """The type of a column's cells, or of what lists in them hold."""
    kind = frame.schema[name]
    return getattr(kind, "inner", None) or kind


def _levels(
    frame: Any, names: list[str], declared: Callable[[], dict[str, Levels]]
) -> dict[str, Levels]:
    of_each = {name: levels_of(frame[name]) for name in names}
    return declared() | {name: levels for name, levels in of_each.items() if levels is not None}


def _coded_frame(
    frame: Any,
    label: str,
    names: list[str],
    numbers: Numbers | None,
    levels: Callable[[], dict[str, Levels]],
) -> CaseColumns:
    cells, among = dict[str, Any](), _numbers_among(names, numbers)
    for name in names:
        if frame[name].null_count():
            raise Unusual
        if name in among:
            cells[name] = _plain_numbers(frame[name], among[name] == "weight")
        else:
            cells[name] = _coded(frame[name])
    return replace(_at_once(label, cells, "row", False), levels=levels)


def _plain_numbers(column: Any, whole: bool) -> npt.NDArray[Any]:
    """Floats; integers stay what they are if `whole`."""
    if not (column.dtype.is_float() or column.dtype.is_integer()):
        raise Unusual
    numbers = array_of(column)
    if numbers.dtype in (np.float32, np.float64):
        return numbers
    # Of greater integers float64 holds only some, and Polars has longer ones than NumPy.
    if (
        numbers.dtype.kind not in "iu"
        or int(numbers.max(initial=0)) >= EXACT
        or int(numbers.min(initial=0)) <= -EXACT
    ):
        raise Unusual
    return numbers.astype(np.int64 if whole else np.float64)


def _coded_truths(column: Any) -> CodedTexts | None:
    """Labels that are -1, 0 or 1, or booleans, which are looked up in no table; None for others."""
    import polars

    if column.dtype == polars.Boolean:
        codes, names = column.to_numpy().view(np.int8), ["false", "true"]
    elif column.dtype.is_integer() and len(column) and column.min() >= -1 and column.max() <= 1:
        codes, names = array_of(column).astype(np.int8, copy=False), ["0", "1", "-1"]
    else:
        return None
    # A code of -1 is the last text. Those that no row has are not among the texts.
    occurs = [bool((codes == code).any()) for code in range(len(names))]
    occurs[2:] = [bool((codes < 0).any())] * (len(names) == 3)
    texts = [name for name, some in zip(names, occurs, strict=True) if some]
    places = (np.cumsum(occurs) - 1).astype(np.int8)
    same = places[: len(texts)].tolist() == list(range(len(texts))) and "-1" not in texts
    return CodedTexts(codes if same else places[codes], texts)


def _coded(column: Any) -> CodedTexts:
    import polars

    if column.dtype in (polars.Categorical, polars.Enum):
        column = column.cast(polars.String)
    if not (column.dtype in (polars.String, polars.Boolean) or column.dtype.is_integer()):
        raise Unusual
    if (codes := _coded_truths(column)) is not None:
        return codes
    known = column.unique(maintain_order=True)
    codes = column.replace_strict(
        known, np.arange(len(known), dtype=np.int32), return_dtype=polars.Int32
    )
    return CodedTexts(array_of(codes), list(map(str, known.to_list())))
