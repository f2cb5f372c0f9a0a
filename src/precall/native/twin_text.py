"""TREC text → rows: valid lines, and what is wrong with all others."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Sequence
from itertools import groupby, pairwise

import numpy as np

from precall.core.errors import name_file_in_errors
from precall.core.ragged import Bytes, Float64, Int64
from precall.core.text import MARK, is_utf8
from precall.native import literals
from precall.native.file_state import state, state_after_tick
from precall.native.twin_columns import (
    TEXT_LIMIT,
    InputRows,
    Layout,
    Problems,
    group_rows,
    malformed_error,
)

_FIELD = re.compile(rb"[^ \t\r]+")
#: Ranks that can be compared.
_RANK = re.compile(rb"0|[1-9][0-9]{0,8}")


def read_run(
    source: str | bytes, float32: bool, duplicates: str, threads: int, *, chunk: int = 0
) -> tuple[Bytes, Int64, Int64, Bytes, Int64, Float64, bytes, int, bool, bool]:
    """Read a run: a path, or the contents themselves."""
    read = (lambda text: literals.to_float32(literals.score(text))) if float32 else literals.score
    beside: list[tuple[bytes, bytes]] = []
    rows, tag, problems = _rows(contents(source), 6, 4, read, beside)
    groups = group_rows(rows, duplicates, False, problems)
    score = np.array([rows.value[row] for row in groups.row], np.float64)
    one_tag = len({tag for _, tag in beside}) < 2
    return (
        *groups.layout,
        score,
        tag,
        groups.dropped,
        one_tag,
        _ascends(rows.topic, [rank for rank, _ in beside]),
    )


def _ascends(topics: Sequence[bytes], ranks: Sequence[bytes]) -> bool:
    """Whether ranks are whole numbers that ascend within topics, and the rows of each topic are
    together.
    """
    stretches = [list(rows) for _, rows in groupby(range(len(topics)), topics.__getitem__)]
    if len(stretches) != len(set(topics)):
        return False
    several = [rows for rows in stretches if len(rows) > 1]
    return all(
        _RANK.fullmatch(ranks[row]) is not None
        and _RANK.fullmatch(ranks[before]) is not None
        and int(ranks[before]) < int(ranks[row])
        for rows in several
        for before, row in pairwise(rows)
    )


def read_qrels(
    source: str | bytes, duplicates: str, threads: int, *, chunk: int = 0
) -> tuple[Bytes, Int64, Int64, Bytes, Int64, Int64, int]:
    """Read judgements: a path, or the contents themselves."""
    layout, grades, dropped = read_judgements(source, duplicates, literals.grade)
    return *layout, np.array(grades, np.int64), dropped


def read_judgements(
    source: str | bytes, duplicates: str, read: Callable[[str], literals.Value]
) -> tuple[Layout, list[float], int]:
    """The same with grades that `read` reads."""
    rows, _, problems = _rows(contents(source), 4, 3, read)
    groups = group_rows(rows, duplicates, True, problems)
    return groups.layout, [rows.value[row] for row in groups.row], groups.dropped


def contents(source: str | bytes) -> bytes:
    """The bytes of a file by its path, or those that are given."""
    if isinstance(source, bytes):
        return source
    # A Path would take the empty path for the current folder.
    with name_file_in_errors(source), open(source, "rb") as file:  # noqa: PTH123
        before = state_after_tick(file)
        data = file.read()
        if stat.S_ISREG(before[0]) and state(file) != before:
            raise malformed_error([(0, "changed")])
        return data


def _rows(
    contents: bytes,
    width: int,
    column: int,
    read: Callable[[str], literals.Value],
    beside: list[tuple[bytes, bytes]] | None = None,
) -> tuple[InputRows, bytes, Problems]:
    """The good rows of a text, the last field of the last of them, and the problems of the others.

    The fields before the value and at the end of each row are appended to `beside`.
    """
    contents = contents.removeprefix(MARK)
    # If the whole text passes a check, all its lines do.
    is_damaged = b"\0" in contents or not is_utf8(contents)
    # bytes.split() also splits at \v and \f, which may occur in ids here.
    fields_of = _FIELD.findall if b"\v" in contents or b"\f" in contents else bytes.split
    line, topic, item, values = [], [], [], []
    problems: Problems = []
    tag = b""
    for number, text in enumerate(contents.split(b"\n"), 1):
        fields = fields_of(text)
        if not fields or text.startswith(b"#"):
            continue
        value: literals.Value
        if is_damaged and (b"\0" in text or not is_utf8(text)):
            value = ("nul",) if b"\0" in text else ("utf8",)
        else:
            value = (
                _value(fields[column], read) if len(fields) == width else ("fields", len(fields))
            )
        if isinstance(value, tuple):
            problems.append((number, *value))
            continue
        line.append(number)
        topic.append(fields[0])
        item.append(fields[2])
        values.append(value)
        tag = fields[-1]
        if beside is not None:
            beside.append((fields[column - 1], tag))
    return InputRows(line, topic, item, values), tag, problems


def _value(field: bytes, read: Callable[[str], literals.Value]) -> literals.Value:
    """The number in a field, or what is wrong with it, with the shortened field."""
    # Every byte is a letter of Latin-1; the grammar accepts only 0 to 9 as digits.
    value = read(field.decode("latin-1"))
    if not isinstance(value, tuple):
        return value
    return value if value == ("nan",) else (value[0], field[:TEXT_LIMIT])
