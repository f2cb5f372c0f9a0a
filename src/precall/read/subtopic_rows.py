"""Judgements of subtopics, in text of TREC's diversity tracks, or as rows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from precall.core.arguments import is_whole
from precall.core.errors import Among, DataError, Kind, Mistake, Several, UsageError
from precall.core.text import as_text, join_in_sentence, letters
from precall.read.problems import CHOOSE
from precall.read.sources import contents, is_path, label_of
from precall.read.values import grade

#: Topic, subtopic, item and grade.
Row = tuple[str, str, str, int]
#: The same as fields of named rows, such as those of ir_measures and ir_datasets.
_FIELDS = ("query_id", "iteration", "doc_id", "relevance")
#: Names of the column of subtopics in data frames, as `letters` writes them.
_SUBTOPIC = ("subtopic", "subtopicid", "iteration", "intent")
_LAYOUT = Among("a judgement is", ["topic, subtopic, item, grade (an integer)"])


def read_subtopics(source: object) -> list[Row]:
    """Read judgements of subtopics: the path of a text with four fields a line, rows of four, rows
    with ir_measures' fields, or a data frame whose columns have such names.

    Raises
    ------
    DataError
        A row is none of these.
    UsageError
        The source is none of these.

    Examples
    --------
    >>> read_subtopics([("q", 1, "a", 2)])
    [('q', '1', 'a', 2)]
    """
    if is_path(source):
        label, unit, rows = label_of(os.fspath(source)), "line", _lines(os.fspath(source))
    elif hasattr(type(source), "columns") or hasattr(type(source), "column_names"):
        label, unit, rows = "qrels", "row", enumerate(_of_frame(source), 1)
    elif isinstance(source, Iterable) and not isinstance(source, bytes | dict):
        label, unit, rows = "qrels", "row", enumerate(map(_fields_of, source), 1)
    else:
        allowed = ("a path, rows (topic, subtopic, item, grade) or a data frame",)
        raise UsageError(argument="qrels", got=Kind(source), allowed=allowed)
    result, problems = [], []
    for number, row in rows:
        if isinstance(row, tuple | list) and len(row) == len(_FIELDS):
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
    return result


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


def _fields_of(row: object) -> Any:
    return tuple(getattr(row, name) for name in _FIELDS) if hasattr(row, _FIELDS[1]) else row


def _of_frame(source: Any) -> Iterator[Any]:
    """The rows of a data frame, by the names of its columns."""
    from precall.read.column_names import column_of
    from precall.read.frames import native_of, to_narwhals

    frame = to_narwhals(native_of(source), "qrels")
    frame = frame.collect() if hasattr(frame, "collect") else frame
    names = list(frame.columns)
    chosen = {role: column_of(role, names, "qrels") for role in ("topic", "item", "grade")}
    subtopic = [name for name in names if letters(str(name)) in _SUBTOPIC]
    chosen["subtopic"] = subtopic[0] if subtopic else None
    if missing := [role for role, name in chosen.items() if name is None]:
        raise Mistake(
            "the columns are {got}, and none is the {missing:s}",
            "name them topic, subtopic, item and grade",
            got=Several([str(name) for name in names]),
            missing=join_in_sentence(missing, "or"),
        ).error("qrels")
    order = [chosen[role] for role in ("topic", "subtopic", "item", "grade")]
    return zip(*(frame[name].to_list() for name in order), strict=True)


def _lines(path: str) -> Iterator[tuple[int, Any]]:
    """The fields of each line that is not blank."""
    text = contents(path, label_of(path), lambda _: None).decode()
    for number, line in enumerate(text.split("\n"), 1):
        if fields := line.split():
            yield number, fields
