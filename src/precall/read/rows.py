"""Rows (topic, item, score) or (topic, item, grade) in a list or any iterable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
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
        lines = list(range(number, number + len(batch)))
        number += len(batch)
        good = []
        for line, row in zip(lines, batch, strict=True):
            if (cells := _cells(row)) is not None:
                good.append((*cells, line))
            else:
                gathering.findings.add(line, "row", described(row))
        if good:
            topics, items, numbers, kept = map(list, zip(*good, strict=True))
            gathering.take(topics, items, numbers, kept)
    return gathering.finish()


def _cells(row: Any) -> tuple[Any, Any, Any] | None:
    # Strings, dicts and sets have parts too, but not these.
    if isinstance(row, str | bytes | Mapping | Set):
        return None
    try:
        topic, item, number = row
    except (TypeError, ValueError):
        return None
    return topic, item, number
