"""Judgements of subtopics, in text of TREC's diversity tracks, tables, or as rows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from precall.core.arguments import is_whole
from precall.core.errors import Among, DataError, Kind, Mistake, Several, UsageError
from precall.core.notes import Note
from precall.core.text import as_text, is_folder, join_in_sentence
from precall.read.column_names import column_of, note_renamed_columns
from precall.read.formats import TABLES
from precall.read.no_heading import is_number
from precall.read.problems import CHOOSE
from precall.read.select_columns import choose_by_name, looks_at, looks_at_text
from precall.read.sources import contents, format_of, is_path, label_of
from precall.read.values import as_list, grade, is_there

#: Topic, subtopic, item and grade.
Row = tuple[str, str, str, int]
#: The same as fields of named rows, such as those of ir_measures and ir_datasets.
_FIELDS = ("query_id", "iteration", "doc_id", "relevance")
#: The columns of a table.
_ROLES = ("topic", "subtopic", "item", "grade")
_LAYOUT = Among("a judgement is", ["topic, subtopic, item, grade (an integer)"])


class SubtopicRows(NamedTuple):
    """Judgements of subtopics, and notes on how they were read."""

    rows: list[Row]
    notes: tuple[Note, ...] = ()


def read_subtopics(
    source: Any, columns: Mapping[str, str] | None = None, format: str | None = None
) -> SubtopicRows:
    """Read judgements of subtopics: the path of a text with four fields a line or of a table, rows
    of four, rows with ir_measures' fields, or a data frame or dicts whose columns have such names.

    Parameters
    ----------
    source : the judgements.
    columns : names of the columns of a table, by role; see `read_qrels`.
    format : format of a file (default: from the path's ending).

    Raises
    ------
    DataError
        A row is none of these.
    UsageError
        The source is none of these.

    Examples
    --------
    >>> read_subtopics([("q", 1, "a", 2)]).rows
    [('q', '1', 'a', 2)]
    """
    label, unit, chosen = "qrels", "row", _Columns(columns or {}, "qrels")
    rows: Iterable[tuple[int, Any]]
    if is_path(source):
        path = os.fspath(source)
        label, chosen = label_of(path), _Columns(columns or {}, label_of(path))
        data, kind = None, "parquet" if is_folder(path) else format_of(path, format)
        if kind == "tsv" or kind not in TABLES:
            data = contents(path, label, lambda _: None)
        if data is None or (kind == "tsv" and not _begins_with_row(data)):
            # Of TSV that was read already, as standard input is read only once.
            looks = (
                looks_at(path, chosen, {}, format)
                if data is None
                else looks_at_text(data, label, chosen, kind, {})
            )
            table = looks.careful()
            unit, cells = table.unit, [as_list(table.cells[name]) for name in chosen.names]
            rows = zip(table.lines, zip(*cells, strict=True), strict=True)
        else:
            unit, rows = "line", _fields_of_lines(data)
    elif hasattr(type(source), "columns") or hasattr(type(source), "column_names"):
        rows = enumerate(_of_frame(source, chosen), 1)
    elif isinstance(source, Iterable) and not isinstance(source, bytes | dict):
        rows = enumerate(_of_rows(list(source), chosen), 1)
    else:
        allowed = ("a path, rows (topic, subtopic, item, grade) or a data frame",)
        raise UsageError(argument="qrels", got=Kind(source), allowed=allowed)
    result, problems = [], []
    for number, row in rows:
        if isinstance(row, tuple | list) and len(row) == len(_FIELDS) and all(map(is_there, row)):
            level = grade(row[3])
            if is_whole(level):
                result.append((as_text(row[0]), as_text(row[1]), as_text(row[2]), level))
                continue
        mistake = Mistake("", "write it so", got=row, allowed=_LAYOUT)
        if unit == "row":
            problems.append(mistake.prefix("row {row}:", row=number).of(label))
        else:
            problems.append(mistake.of(label, number, kind="layout"))
    if problems:
        raise DataError(problems)
    return SubtopicRows(result, note_renamed_columns(chosen.renamed))


class _Columns:
    """Chooses the columns of a table by their names, and keeps what it chose.

    Parameters
    ----------
    given : names of columns that were given, by role.
    label : what messages call the table.
    """

    def __init__(self, given: Mapping[str, str], label: str) -> None:
        self._given, self._label = given, label
        self._chosen: dict[str, str] = {}

    def __call__(self, names: list[str]) -> list[str]:
        found = {
            role: self._given.get(role) or column_of(role, names, self._label) for role in _ROLES
        }
        if missing := [role for role, name in found.items() if name not in names]:
            raise Mistake(
                "the columns are {got}, and none is the {missing:s}",
                "name them topic, subtopic, item and grade, or name them with "
                "⟨columns={{{missing!r}: ...}}¦--qrels-columns {missing}=...⟩".format(
                    missing=missing[0]
                ),
                got=Several([str(name) for name in names]),
                missing=join_in_sentence(missing, "or"),
            ).error(self._label)
        self._chosen = {role: str(name) for role, name in found.items()}
        return choose_by_name([("columns", name) for name in self.names], self._label)(names)

    @property
    def names(self) -> list[str]:
        """The columns of topics, subtopics, items and grades."""
        return [*self._chosen.values()]

    @property
    def renamed(self) -> dict[str, str]:
        """The columns that were recognised by their names."""
        return {role: name for role, name in self._chosen.items() if role not in self._given}


def without_repeats(rows: list[Row], duplicates: str, label: str) -> tuple[list[Row], int]:
    """The rows with one judgement of each item for a subtopic, and how many were dropped: equal
    ones, and others as `duplicates` says.

    Examples
    --------
    >>> without_repeats([("q", "1", "a", 1), ("q", "1", "a", 2)], "best", "qrels")
    ([('q', '1', 'a', 2)], 1)
    """
    kept: dict[tuple[str, str, str], int] = {}
    problems = []
    for topic, subtopic, item, level in rows:
        key = topic, subtopic, item
        if (before := kept.get(key)) is None or duplicates == "last":
            kept[key] = level
        elif duplicates == "best":
            kept[key] = max(before, level)
        elif duplicates == "error" and before != level:
            mistake = Mistake(
                "topic {topic}: item {got} is judged twice for subtopic {subtopic}, with grades "
                "{first} and {second}",
                CHOOSE,
                got=item,
                topic=topic,
                subtopic=subtopic,
                first=before,
                second=level,
            )
            problems.append(mistake.of(label))
    if problems:
        raise DataError(problems)
    return [(*key, level) for key, level in kept.items()], len(rows) - len(kept)


def _of_rows(rows: list[Any], chosen: _Columns) -> Iterator[Any]:
    """The fields of each row: those of dicts by their names, others in order."""
    if rows and isinstance(rows[0], Mapping):
        names = chosen(list(rows[0]))
        return (tuple(map(row.get, names)) if isinstance(row, Mapping) else row for row in rows)
    return map(_fields_of, rows)


def _fields_of(row: object) -> Any:
    return tuple(getattr(row, name) for name in _FIELDS) if hasattr(row, _FIELDS[1]) else row


def _of_frame(source: Any, chosen: _Columns) -> Iterator[Any]:
    """The rows of a data frame, by the names of its columns."""
    from precall.read.frames import native_of, to_narwhals

    frame = to_narwhals(native_of(source), "qrels")
    frame = frame.collect() if hasattr(frame, "collect") else frame
    names = chosen([name for name in frame.columns if isinstance(name, str)])
    return zip(*(frame[name].to_list() for name in names), strict=True)


def _begins_with_row(data: bytes) -> bool:
    """Whether a text of cells with tabs has no heading: TREC text may be called .tsv."""
    first = data[: data.find(b"\n") + 1 or None].split(b"\t")
    return len(first) == len(_FIELDS) and is_number(first[-1].strip().decode("utf-8", "replace"))


def _fields_of_lines(data: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of each line that is not blank."""
    for number, line in enumerate(data.decode().split("\n"), 1):
        if fields := line.split():
            yield number, fields
