"""Grouping: rows in any order → columns with the rows of each topic together.

Values are not checked: the caller has rejected NaN and grades beyond 32 bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from precall.core.errors import PROBLEM_LIMIT, Malformed
from precall.core.ragged import Bytes, Float64, Int64, pack_texts

Problems = list[tuple[object, ...]]
#: topic_bytes, topic_start, row_start, item_bytes, item_start
Layout = tuple[Bytes, Int64, Int64, Bytes, Int64]
#: The same with scores or grades, and the number of dropped rows.
RunColumns = tuple[Bytes, Int64, Int64, Bytes, Int64, Float64, int]
QrelsColumns = tuple[Bytes, Int64, Int64, Bytes, Int64, Int64, int]

#: Problems quote texts up to this many bytes or characters.
TEXT_LIMIT = 60
DUPLICATES = ("error", "first", "last", "best")


class InputRows(NamedTuple):
    """Good rows in the order of the input; `line` is the line of each."""

    line: Sequence[int]
    topic: Sequence[bytes]
    item: Sequence[bytes]
    value: Sequence[float]


class Groups(NamedTuple):
    """The rows that are kept, by topic, and how many were dropped."""

    layout: Layout
    row: list[int]
    dropped: int


def malformed_error(problems: Problems) -> Malformed:
    """The exception with all problems of an input; it carries the first of them."""
    problems.sort(key=itemgetter(0))
    return Malformed(problems[:PROBLEM_LIMIT], len(problems))


def divides(start: Int64, size: int) -> bool:
    """Whether these starts divide a column of this size: they ascend, from 0 or later."""
    return bool(
        len(start) and start[0] >= 0 and start[-1] <= size and np.all(start[:-1] <= start[1:])
    )


def unpack_texts(data: Bytes, start: Int64) -> list[bytes]:
    """The texts of a blob."""
    if not divides(start, len(data)):
        raise ValueError("offsets do not fit the bytes they divide")
    blob = data.tobytes()
    return [blob[a:b] for a, b in pairwise(start.tolist())]


def layout(groups: dict[bytes, list[bytes]]) -> Layout:
    """Columns of the items of each topic."""
    row_start = np.zeros(len(groups) + 1, np.int64)
    np.cumsum([len(items) for items in groups.values()], out=row_start[1:])
    return (
        *pack_texts(list(groups)),
        row_start,
        *pack_texts(list(chain.from_iterable(groups.values()))),
    )


def group_rows(rows: InputRows, duplicates: str, graded: bool, problems: Problems) -> Groups:
    """The rows grouped by topic, repeated pairs treated as `duplicates` says; raises if there is
    any problem.
    """
    if duplicates not in DUPLICATES:
        raise ValueError(f"duplicates: got {duplicates!r}, allowed are {', '.join(DUPLICATES)}")
    kept: dict[bytes, dict[bytes, int]] = {}
    repeats: list[tuple[int, int]] = []
    for row, (topic, item) in enumerate(zip(rows.topic, rows.item, strict=True)):
        earlier = kept.setdefault(topic, {}).setdefault(item, row)
        if earlier != row:
            repeats.append((earlier, row))
    if duplicates == "error":
        problems += _duplicate_problems(rows, repeats, graded)
    if not rows.line and not problems:
        problems.append((0, "empty"))
    if problems:
        raise malformed_error(problems)
    if duplicates in ("last", "best"):
        _replace(kept, rows, repeats, duplicates == "best")
    chosen = [sorted(items.values()) for items in kept.values()]
    topics = {
        topic: [rows.item[row] for row in group] for topic, group in zip(kept, chosen, strict=True)
    }
    return Groups(layout(topics), list(chain.from_iterable(chosen)), len(repeats))


def _duplicate_problems(
    rows: InputRows, repeats: Iterable[tuple[int, int]], graded: bool
) -> Problems:
    problems: Problems = []
    for first, row in repeats:
        pair = rows.topic[row][:TEXT_LIMIT], rows.item[row][:TEXT_LIMIT], rows.line[first]
        if not graded:
            problems.append((rows.line[row], "duplicate", *pair))
        elif rows.value[first] != rows.value[row]:
            problems.append((rows.line[row], "conflict", *pair, rows.value[first], rows.value[row]))
    return problems


def _replace(
    kept: dict[bytes, dict[bytes, int]],
    rows: InputRows,
    repeats: Iterable[tuple[int, int]],
    best: bool,
) -> None:
    for _, row in repeats:
        items, item = kept[rows.topic[row]], rows.item[row]
        if not best or rows.value[row] > rows.value[items[item]]:
            items[item] = row


def group_run(
    topic_bytes: Bytes,
    topic_start: Int64,
    item_bytes: Bytes,
    item_start: Int64,
    value: Float64,
    duplicates: str,
    threads: int,
) -> RunColumns:
    """Group the rows of a run given as columns; a problem's line is the row, from 1."""
    topics, items = unpack_texts(topic_bytes, topic_start), unpack_texts(item_bytes, item_start)
    groups = _group(topics, items, value.tolist(), duplicates, False)
    return *groups.layout, value[groups.row], groups.dropped


def group_qrels(
    topic_bytes: Bytes,
    topic_start: Int64,
    item_bytes: Bytes,
    item_start: Int64,
    value: Int64,
    duplicates: str,
    threads: int,
) -> QrelsColumns:
    """Group the rows of judgements given as columns."""
    topics, items = unpack_texts(topic_bytes, topic_start), unpack_texts(item_bytes, item_start)
    groups = _group(topics, items, value.tolist(), duplicates, True)
    return *groups.layout, value[groups.row], groups.dropped


def _group(
    topics: list[bytes],
    items: list[bytes],
    values: list[float],
    duplicates: str,
    graded: bool,
) -> Groups:
    if not len(topics) == len(items) == len(values):
        raise ValueError("columns differ in length")
    rows = InputRows(range(1, len(values) + 1), topics, items, values)
    return group_rows(rows, duplicates, graded, [])
