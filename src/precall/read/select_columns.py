"""Columns of a table by their names: read at once if nothing about them is unusual, else cell by
cell.

A function chooses columns from all names in the table, so that a pattern such as `p*` can be used.
Faults of the table itself are raised at once, with all problems of its cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.core.errors import (
    Cause,
    DataError,
    Malformed,
    Mistake,
    Problem,
    UsageError,
    map_problems,
)
from precall.core.ragged import Float64
from precall.core.text import file_name, is_encodable, is_folder
from precall.native import kernel
from precall.native.literals import EXACT
from precall.read.columns import Choice, Ids, Request, Subject
from precall.read.formats import DOCUMENT, OF_COLUMNS, SEMICOLON, SEPARATOR, TABLES
from precall.read.positive_label import GAPS
from precall.read.problems import (
    Findings,
    data_error,
    duplicate_column,
    no_column,
    no_key,
    nothing_in,
)
from precall.read.sources import (
    CHANGED,
    BeginsLikeJSON,
    contents,
    format_of,
    is_plain,
    label_of,
    watch_file,
)
from precall.read.values import Levels, array_of, as_list, levels_of
from precall.read.weights import repeat_cases

if TYPE_CHECKING:
    from precall.read.json_tables import JSONTable

#: Columns that are wanted only as numbers, and what they are. For weights, not for scores, it is
#: kept whether they are written as integers.
Numbers = Mapping[str, Literal["score", "weight"]]

#: What to do about a folder that is not read as one table.
ONE_BY_ONE = "name its files one by one"
_WHOLE = re.compile(r"-?[0-9]+,0+")
_TRUTHS = {"true", "false"}
#: Bytes of a large file in which its first line is looked for.
_BEGINNING = 1 << 20
CASES = Subject("score", "cases need", "a case", "columns", 0)


class Unusual(Exception):
    """A table that was read at once has something unusual, so its cells must be read one by one."""


class CodedTexts(NamedTuple):
    """Texts of which few differ: the code of each row, and the text of each code."""

    codes: npt.NDArray[np.integer[Any]]
    texts: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class ChosenColumns:
    """The chosen columns of a table. Cells are texts (CSV, TSV), objects (JSON), arrays of numbers
    or coded texts.
    """

    source: str
    cells: dict[str, Any]
    lines: Sequence[int]
    textual: bool
    """Whether every cell is text as in the file; an empty cell is missing."""
    unit: str = "line"
    at_once: bool = False
    """Whether all cells were read at once, as ordinary ones: a problem then raises `Unusual`."""
    levels: Callable[[], Mapping[str, Levels]] = dict
    """The levels of columns whose type declares the possible labels."""
    has_decimal_commas: bool = False
    """Whether numbers may be written "0,5", as where semicolons part the cells."""

    def __len__(self) -> int:
        return len(self.lines)


#: Reads a table, at once or with care; reading at once may raise `Unusual`.
Look = Callable[[], ChosenColumns]


class Looks(NamedTuple):
    """Ways to read columns of the same rows."""

    quick: Look
    careful: Look
    beside: Callable[[Choice], Looks]
    """The same for other columns; of Parquet only those that were loaded."""


def looks_at(
    path: str,
    choose: Choice,
    numbers: Numbers | None = None,
    format: str | None = None,
    load: Choice | None = None,
) -> Looks:
    """Two ways to read columns of a table, a quick and a careful one: CSV, TSV, JSON lines, JSON,
    Parquet or Arrow, possibly compressed.

    `choose` gets the names of all columns and returns those to read; see `choose_by_name`. The
    columns of `numbers` are wanted only as numbers (None: all but the first chosen, as scores).
    `format` is one of `TABLES` (default: from the ending of the path); `-` is standard input.
    `load` chooses also the columns that are read later, from the same bytes.
    """
    label, kind = label_of(path), table_format(path, format)
    if kind in OF_COLUMNS:
        from precall.read.frame_files import frame_and_levels

        frame, declared = frame_and_levels(path, kind, label, choose, load or choose)
        return looks_at_frame(frame, label, choose, numbers, declared=declared)
    data = contents(path, label, look_at_beginning(choose, kind, label))
    if kind == DOCUMENT:
        from precall.read.json_tables import JSONTable

        return _looks_at_document(JSONTable(data, label), choose)
    return looks_at_text(data, label, choose, kind, numbers)


def looks_at_large_file(
    path: str,
    choose: Choice,
    numbers: Numbers | None,
    format: str | None,
    load: Choice | None = None,
) -> Looks:
    """The result of `looks_at`; text on disk that is read at once is read by the kernel itself, so
    that only its columns are in memory.
    """
    kind = table_format(path, format)
    if kind in (*OF_COLUMNS, DOCUMENT) or not is_plain(path):
        return looks_at(path, choose, numbers, format, load)

    def careful() -> ChosenColumns:
        return looks_at(path, choose, numbers, format).careful()

    return Looks(
        partial(_read_file_at_once, path, choose, kind, numbers),
        careful,
        lambda others: looks_at_large_file(path, others, {}, format),
    )


def look_at_beginning(choose: Choice, kind: str, label: str) -> Callable[[bytes], object] | None:
    """What checks the first lines of an input that may have no end, and refuses them if the columns
    are wrong; None for formats without lines.
    """
    if kind in OF_COLUMNS:
        return None
    if kind == DOCUMENT:
        from precall.read.json_tables import REMEDY

        return BeginsLikeJSON(label, REMEDY)
    return partial(_check_first_lines, kind, label, partial(on_its_line, choose))


def table_format(path: str, format: str | None) -> str:
    """The format of a table: the one asked for, or that of the path's ending; that of a folder is
    Parquet.
    """
    if is_folder(path):
        if format not in (None, "parquet"):
            raise UsageError(
                f"{label_of(path)}: a folder is read as Parquet, not {format}", remedy=ONE_BY_ONE
            )
        return "parquet"
    kind = format_of(path, format)
    if kind not in TABLES:
        message = (
            "its format is not told by a name" if path == "-" else "its name ends like no table's"
        )
        remedy = f"give --input-format {'|'.join(TABLES)}"
        raise UsageError(f"{label_of(path)}: {message}", remedy=remedy)
    return kind


def looks_at_frame(
    frame: Any,
    label: str,
    choose: Choice,
    numbers: Numbers | None,
    some: bool = True,
    declared: Callable[[], dict[str, Levels]] = dict,
) -> Looks:
    """The same for a Polars frame. Without rows it is refused if `some` is true. `declared` gives
    levels that the frame does not keep.
    """
    names = choose(list(frame.columns))
    frame = _in_one_zone(frame, names)
    levels = partial(_levels, frame, names, declared)
    careful = partial(_read_frame_cells, frame, label, names, levels)
    quick = partial(_read_frame_at_once, frame, label, names, numbers, levels)
    return Looks(
        quick,
        partial(_not_empty, careful) if some else careful,
        lambda others: looks_at_frame(frame, label, others, {}, some),
    )


def _looks_at_document(table: JSONTable, choose: Choice) -> Looks:
    """The same for a JSON document, which is in memory whole; it is read with care."""

    def quick() -> ChosenColumns:
        raise Unusual

    careful = partial(_not_empty, partial(_read_document, table, choose))
    return Looks(quick, careful, partial(_looks_at_document, table))


def _read_document(table: JSONTable, choose: Choice) -> ChosenColumns:
    cells, size = table.read(choose, Request(CASES, table.label, "error", 1))
    return ChosenColumns(table.label, cells, range(1, size + 1), False, "row")


def looks_at_text(
    data: bytes,
    label: str,
    choose: Choice,
    kind: str,
    numbers: Numbers | None,
    some: bool = True,
) -> Looks:
    """The same for the bytes of CSV, TSV or JSON lines."""
    text = data, label, partial(on_its_line, choose), kind
    careful = partial(_read_text_cells, *text)
    return Looks(
        partial(_read_text_at_once, *text, numbers),
        partial(_not_empty, careful) if some else careful,
        lambda others: looks_at_text(data, label, others, kind, {}, some),
    )


def _check_first_lines(
    kind: str, label: str, choose: Callable[[list[str], int], list[str]], lines: bytes
) -> None:
    """Refuse the first lines of an input that may have no end, if the columns are wrong or the
    lines are no JSON objects.
    """
    from precall.read.tables import header_of

    if kind == "jsonl":
        _read_text_cells(lines, label, choose, kind)
    elif (first := header_of(lines, separator_of(lines, kind, choose))) is not None:
        choose(first[0], 1)


def separator_of(data: bytes, kind: str, choose: Callable[[list[str], int], object]) -> str:
    """What parts the cells of CSV or TSV. Of CSV it is the semicolon if the columns are not there
    when the header is parted at commas, and either are there at semicolons, or it has no comma.
    """
    from precall.read.tables import header_of

    usual = SEPARATOR[kind]
    if kind != "csv" or SEMICOLON.encode() not in data[: data.find(b"\n") + 1]:
        return usual
    at_commas, at_semicolons = (header_of(data, mark) for mark in (usual, SEMICOLON))
    if at_semicolons is None:
        return usual
    if at_commas is not None and _fits(choose, at_commas[0]):
        return usual
    only = at_commas is None or len(at_commas[0]) == 1
    return SEMICOLON if only or _fits(choose, at_semicolons[0]) else usual


def _fits(choose: Callable[[list[str], int], object], names: list[str]) -> bool:
    try:
        choose(names, 1)
    except DataError:
        return False
    return True


def _not_empty(careful: Look) -> ChosenColumns:
    columns = careful()
    if not len(columns):
        raise nothing_in(f"data {columns.unit}", "such tables have").error(columns.source)
    return columns


def on_its_line(choose: Choice, columns: list[str], line: int) -> list[str]:
    """The chosen columns; problems with the names are reported on the line that has them."""
    with map_problems(lambda problem: problem._replace(line=line)):
        return choose(columns)


def numbers_of(
    scores: Iterable[str], weight: str | None, others: Collection[str | None] = ()
) -> Numbers:
    """The columns of scores and of weights, except those that are also wanted as something else."""
    numbers: dict[str, Literal["score", "weight"]] = dict.fromkeys(scores, "score")
    if weight is not None:
        numbers[weight] = "weight"
    return {name: role for name, role in numbers.items() if name not in others}


def _numbers_among(names: list[str], numbers: Numbers | None) -> Numbers:
    return dict.fromkeys(names[1:], "score") if numbers is None else numbers


def _read_file_at_once(
    path: str, choose: Choice, kind: str, numbers: Numbers | None
) -> ChosenColumns:
    label = label_of(path)
    with watch_file(path, label) as file:
        first = file.read(_BEGINNING)
        return _read_text_at_once(
            first, label, partial(on_its_line, choose), kind, numbers, file_name(path)
        )


def _read_text_at_once(
    data: bytes,
    label: str,
    choose: Callable[[list[str], int], list[str]],
    kind: str,
    numbers: Numbers | None,
    whole: str | bytes | None = None,
) -> ChosenColumns:
    """Columns of a text, or of the file `whole` that begins with it."""
    from precall.read.tables import first_names, gains, header_of

    if not gains():
        raise Unusual
    if kind == "jsonl":
        first = first_names(data)
    elif separator_of(data, kind, choose) == SEMICOLON:
        raise Unusual  # numbers may have decimal commas
    else:
        first = header_of(data, SEPARATOR[kind])
    if first is None:
        raise Unusual
    header, begin = first
    names = choose(header, 1)
    width = 0 if kind == "jsonl" else len(header)

    def read(names: list[str], kinds: str) -> dict[str, Any] | None:
        wanted: list[Any] = names if kind == "jsonl" else [header.index(name) for name in names]
        try:
            columns = kernel().columns_from_table(
                data if whole is None else whole,
                begin,
                SEPARATOR.get(kind, ""),
                width,
                wanted,
                kinds,
            )
        except Malformed:  # only of a file
            raise CHANGED.error(label) from None
        if columns is None:
            return None
        return {
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
            # Whether weights are written as integers. In JSON only integers can also be read as
            # labels.
            written = read([name], "c")
            if written is not None and repeat_cases(written[name].texts):
                cells[name] = cells[name].astype(np.int64)
    return _of_text_at_once(label, cells, kind)


def _are_whole(numbers: Float64) -> bool:
    return bool(np.all((numbers == np.floor(numbers)) & (np.abs(numbers) <= EXACT)))


def _of_text_at_once(label: str, cells: dict[str, Any], kind: str) -> ChosenColumns:
    """The columns of a text that was read at once."""
    for column in cells.values() if kind == "jsonl" else ():
        # Beside other labels, a boolean counts as a number under some rules, but its text does not.
        if isinstance(column, CodedTexts) and _TRUTHS & set(column.texts) not in (
            set(),
            set(column.texts),
        ):
            raise Unusual
    return _at_once(label, cells, "line", kind != "jsonl")


def _at_once(label: str, cells: dict[str, Any], unit: str, textual: bool) -> ChosenColumns:
    sizes = {
        len(column[0] if isinstance(column, CodedTexts) else column) for column in cells.values()
    }
    if sizes in ({0}, set()):
        raise Unusual
    return ChosenColumns(label, cells, range(sizes.pop()), textual, unit, True)


def choose_by_name(wanted: Sequence[tuple[str, str]], label: str) -> Choice:
    """A function that chooses columns by name; each name comes with the argument that gave it."""

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
        return duplicate_column(name, count).of(label)
    return no_column([name], columns, f"name one of them with ⟨{option}⟩").of(label)


def _read_text_cells(
    data: bytes, label: str, choose: Callable[[list[str], int], list[str]], kind: str
) -> ChosenColumns:
    from precall.read.tables import cells_of

    names: list[str] = []
    findings = Findings()

    def choose_indexes(columns: list[str], line: int) -> list[int]:
        names.extend(choose(columns, line))
        return [columns.index(name) for name in names]

    separator = ""
    if kind == "jsonl":
        rows = _read_objects(data, names, choose_indexes, findings)
    else:
        separator = separator_of(data, kind, choose)
        rows = list(cells_of(data, separator, choose_indexes, findings))
    if findings.total:
        raise data_error(findings.merge(), Request(CASES, label, "error", 1))
    *cells, lines = map(list, zip(*rows, strict=True)) if rows else [[]]
    if separator == SEMICOLON:
        cells = list(map(_labels_with_points, cells))
    return ChosenColumns(
        label,
        dict(zip(names, cells, strict=False)),
        lines,
        kind != "jsonl",
        has_decimal_commas=separator == SEMICOLON,
    )


def _labels_with_points(cells: list[str]) -> list[str]:
    """Labels that are whole numbers with a decimal comma, "1,0", as others are written."""
    are_whole = all(cell in GAPS or _WHOLE.fullmatch(cell) for cell in cells)
    return [cell.replace(",", ".") for cell in cells] if are_whole else cells


def _read_objects(
    data: bytes, names: list[str], choose: Callable[[list[str], int], object], findings: Findings
) -> list[tuple[Any, ...]]:
    from precall.read.tables import records_of

    rows = []
    for line, record in records_of(data, names, findings):
        # The first object determines the columns.
        if not names:
            choose([name for name in record if is_encodable(name)], line)
        for name in names:
            if name not in record:
                todo = "give every object the same names, or null"
                findings.add(line, "said", no_key(name, list(record), todo), "absent", name)
        rows.append((*map(record.get, names), line))
    return rows


def _read_frame_cells(
    frame: Any, label: str, names: list[str], levels: Callable[[], dict[str, Levels]]
) -> ChosenColumns:
    import polars

    cells = {}
    for name in names:
        column = frame[name]
        # Floats without gaps stay as they are: widening float32 would change which scores are
        # equal.
        is_plain_float = (
            column.dtype in (polars.Float32, polars.Float64) and column.null_count() == 0
        )
        try:
            cells[name] = column.to_numpy() if is_plain_float else as_list(column)
        except (ValueError, OverflowError) as error:  # times beyond the range of Python
            raise Mistake(
                "column {column}: {got}",
                "write them as texts",
                column=name,
                got=Cause(error),
            ).error(label) from None
    return ChosenColumns(label, cells, range(1, len(frame) + 1), False, "row", levels=levels)


def _in_one_zone(frame: Any, names: list[str]) -> Any:
    """The frame with times of several zones converted to the zone of the first: labels are compared
    as texts, and one instant has another text in each zone.
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
    """The type of a column's cells, or of the items of lists in them."""
    kind = frame.schema[name]
    return getattr(kind, "inner", None) or kind


def _levels(
    frame: Any, names: list[str], declared: Callable[[], dict[str, Levels]]
) -> dict[str, Levels]:
    of_each = {name: levels_of(frame[name]) for name in names}
    return declared() | {name: levels for name, levels in of_each.items() if levels is not None}


def _read_frame_at_once(
    frame: Any,
    label: str,
    names: list[str],
    numbers: Numbers | None,
    levels: Callable[[], dict[str, Levels]],
) -> ChosenColumns:
    cells, among = dict[str, Any](), _numbers_among(names, numbers)
    for name in names:
        if frame[name].null_count():
            raise Unusual
        if name in among:
            cells[name] = _plain_numbers(frame[name], among[name] == "weight")
        else:
            cells[name] = _code_labels(frame[name])
    return replace(_at_once(label, cells, "row", False), levels=levels)


def _plain_numbers(column: Any, keep_integers: bool) -> npt.NDArray[Any]:
    """Numbers as floats; integers stay integers if `keep_integers`."""
    if not (column.dtype.is_float() or column.dtype.is_integer()):
        raise Unusual
    numbers = array_of(column)
    if numbers.dtype in (np.float32, np.float64):
        return numbers
    # float64 does not hold all greater integers, and Polars has integers longer than those of
    # NumPy.
    if (
        numbers.dtype.kind not in "iu"
        or int(numbers.max(initial=0)) >= EXACT
        or int(numbers.min(initial=0)) <= -EXACT
    ):
        raise Unusual
    return numbers.astype(np.int64 if keep_integers else np.float64)


def _code_truths(column: Any) -> CodedTexts | None:
    """Labels that are -1, 0 or 1, or booleans, coded without a table; None for all others."""
    import polars

    if column.dtype == polars.Boolean:
        codes, names = column.to_numpy().view(np.int8), ["false", "true"]
    elif column.dtype.is_integer() and len(column) and column.min() >= -1 and column.max() <= 1:
        codes, names = array_of(column).astype(np.int8, copy=False), ["0", "1", "-1"]
    else:
        return None
    # A code of -1 means the last text. Texts that no row has are left out.
    occurs = [bool((codes == code).any()) for code in range(len(names))]
    occurs[2:] = [bool((codes < 0).any())] * (len(names) == 3)
    texts = [name for name, some in zip(names, occurs, strict=True) if some]
    places = (np.cumsum(occurs) - 1).astype(np.int8)
    same = places[: len(texts)].tolist() == list(range(len(texts))) and "-1" not in texts
    return CodedTexts(codes if same else places[codes], texts)


def _code_labels(column: Any) -> CodedTexts:
    import polars

    if column.dtype in (polars.Categorical, polars.Enum):
        column = column.cast(polars.String)
    if not (column.dtype in (polars.String, polars.Boolean) or column.dtype.is_integer()):
        raise Unusual
    if (codes := _code_truths(column)) is not None:
        return codes
    texts = column.unique(maintain_order=True)
    codes = column.replace_strict(
        texts, np.arange(len(texts), dtype=np.int32), return_dtype=polars.Int32
    )
    return CodedTexts(array_of(codes), list(map(str, texts.to_list())))
