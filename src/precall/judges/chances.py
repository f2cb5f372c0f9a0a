"""The probability with which topics were drawn, if people's table has it as a column."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from precall.core.errors import DataError, Mistake
from precall.core.text import as_text, is_folder
from precall.judges.units import number_of
from precall.read.column_names import column_of
from precall.read.formats import TABLES
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
    known = columns or {}
    if isinstance(people, str | os.PathLike):
        found = _in_file(os.fspath(people), known)
    else:
        found = _in_frame(people, known)
    if found is None:
        return None
    label, topics, cells, lines = found
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


def _in_file(path: Any, known: Mapping[str, str]) -> tuple[str, Any, Any, Any] | None:
    if not isinstance(path, str) or path == "-" or is_folder(path):
        return None
    if format_of(path, None) not in TABLES:
        return None
    label, topic, has_column = label_of(path), "", False

    def choose(names: list[str]) -> list[str]:
        nonlocal topic, has_column
        topic = known.get("topic") or column_of("topic", names, label) or ""
        has_column = COLUMN in names and topic in names
        return [topic, COLUMN] if has_column else names[:1]

    table = looks_at(path, choose, {})[1]()
    if not has_column:
        return None
    return label, as_list(table.cells[topic]), as_list(table.cells[COLUMN]), table.lines


def _in_frame(people: Any, known: Mapping[str, str]) -> tuple[str, Any, Any, Any] | None:
    names = getattr(people, "columns", None)
    if names is None or isinstance(people, Mapping):
        return None
    named = [str(name) for name in getattr(people, "column_names", names)]
    if COLUMN not in named:
        return None
    topic = known.get("topic") or column_of("topic", named, "people") or ""
    if topic not in named:
        return None
    topics, cells = (as_list(people[name]) for name in (topic, COLUMN))
    return "people", topics, cells, range(len(cells))
