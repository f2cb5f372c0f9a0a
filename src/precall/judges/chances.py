"""The probability with which topics were drawn, if people's table has it as a column."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from precall.core.errors import DataError, Mistake
from precall.core.text import as_text, is_folder
from precall.judges.units import number_of
from precall.read.column_names import column_of
from precall.read.formats import DOCUMENT, TABLES
from precall.read.select_columns import looks_at
from precall.read.sources import format_of, label_of
from precall.read.values import as_list

#: The column of `judge.sample`.
COLUMN = "probability"


def probability_in(people: object, columns: Mapping[str, str] | None) -> dict[str, Any] | None:
    """The probability of each topic of people's labels; None if they have no such column.

    A choice with unequal probabilities would look like one of equal ones without it, so it counts
    without being asked for.

    Parameters
    ----------
    people : people's labels: a path, or a frame.
    columns : what columns are called, as for `evaluate`.
    """
    found = _column_of(people, columns or {}, ("topic",))
    if found is None:
        return None
    label, (topics,), cells, lines = found
    by_topic: dict[str, Any] = {}
    for topic, cell, line in zip(topics, cells, lines, strict=True):
        value = number_of(cell, label, line)
        if by_topic.setdefault(as_text(topic), value) != value:
            mistake = Mistake(
                "topic {topic} has another probability than before, {got}",
                "give all its rows the one it was drawn with",
                got=value,
                topic=as_text(topic),
            )
            raise DataError([mistake.of(label, line)])
    return by_topic


def probability_of_items_in(
    people: object, columns: Mapping[str, str] | None
) -> dict[str, dict[str, Any]] | None:
    """The probability of each item of people's labels, by topic; None if they have no such column.

    Parameters
    ----------
    people : people's labels: a path, or a frame.
    columns : what columns are called, as for `evaluate`.
    """
    found = _column_of(people, columns or {}, ("topic", "item"))
    if found is None:
        return None
    label, (topics, items), cells, lines = found
    by_topic: dict[str, dict[str, Any]] = {}
    for topic, item, cell, line in zip(topics, items, cells, lines, strict=True):
        by_topic.setdefault(as_text(topic), {})[as_text(item)] = number_of(cell, label, line)
    return by_topic


#: The name of what is read, the columns of keys, that of probabilities, and the lines.
_Column = tuple[str, list[Any], Any, Any]


def _column_of(people: object, known: Mapping[str, str], keys: tuple[str, ...]) -> _Column | None:
    if isinstance(people, str | os.PathLike):
        return _in_file(os.fspath(people), known, keys)
    return _in_frame(people, known, keys)


def _in_file(path: Any, known: Mapping[str, str], keys: tuple[str, ...]) -> _Column | None:
    if not isinstance(path, str) or path == "-" or is_folder(path):
        return None
    # A JSON document is mostly a mapping of topics.
    if (kind := format_of(path, None)) not in TABLES or kind == DOCUMENT:
        return None
    label, named, has_column = label_of(path), [""], False

    def choose(names: list[str]) -> list[str]:
        nonlocal named, has_column
        named = [known.get(key) or column_of(key, names, label) or "" for key in keys]
        has_column = COLUMN in names and all(name in names for name in named)
        return [*named, COLUMN] if has_column else names[:1]

    table = looks_at(path, choose, {})[1]()
    if not has_column:
        return None
    return (
        label,
        [as_list(table.cells[name]) for name in named],
        as_list(table.cells[COLUMN]),
        table.lines,
    )


def _in_frame(people: Any, known: Mapping[str, str], keys: tuple[str, ...]) -> _Column | None:
    names = getattr(people, "columns", None)
    if names is None or isinstance(people, Mapping):
        return None
    all_named = [str(name) for name in getattr(people, "column_names", names)]
    if COLUMN not in all_named:
        return None
    named = [known.get(key) or column_of(key, all_named, "people") or "" for key in keys]
    if any(name not in all_named for name in named):
        return None
    *columns, cells = (as_list(people[name]) for name in (*named, COLUMN))
    return "people", columns, cells, range(len(cells))
