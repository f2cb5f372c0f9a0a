"""Rows (topic, item, score) or (topic, item, grade) in a list or any iterable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import islice
from typing import Any

from precall.read.gathering import BATCH, Gathering, object_cells
from precall.read.subjects import Parsed, Request
from precall.read.values import described


def read_rows(source: Iterable[Any], request: Request) -> Parsed:
    """A run or qrels in rows."""
    gathering = Gathering(request, object_cells(request), "row")
    rows, number = iter(source), 1
    while batch := list(islice(rows, BATCH)):
        lines: Sequence[int] = range(number, number + len(batch))
        number += len(batch)
        if not (set(map(type, batch)) <= {tuple, list} and set(map(len, batch)) == {3}):
            batch, lines = _checked(batch, lines, gathering)
        topics, items, values = ([row[place] for row in batch] for place in range(3))
        gathering.take(topics, items, values, lines)
    return gathering.finish()


def _checked(batch: list[Any], lines: Sequence[int], gathering: Gathering) -> tuple[list[Any], list[int]]:
    """The rows that have three cells, and their numbers; facts are noted about the others."""
    good, kept = [], []
    for row, line in zip(batch, lines, strict=True):
        if (cells := _cells(row)) is not None:
            good.append(cells)
            kept.append(line)
        else:
            gathering.findings.add(line, "row", described(row))
    return good, kept


def _cells(row: Any) -> tuple[Any, Any, Any] | None:
    # Strings, dicts and sets have parts too, but not these.
    if isinstance(row, str | bytes | Mapping | Set):
        return None
    try:
        topic, item, number = row
    except (TypeError, ValueError):
        return None
    return topic, item, number
