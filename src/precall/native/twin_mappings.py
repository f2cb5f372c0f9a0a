"""Dict of dicts → columns: {topic: {item: score or grade}}."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from operator import index
from typing import Any

import numpy as np

from precall.native.twin_columns import (
    GRADE_HIGH,
    GRADE_LOW,
    TEXT_LIMIT,
    Bytes,
    Float64,
    Int64,
    Layout,
    Problems,
    layout,
    malformed,
    narrowed,
)

#: What float() takes and is no score, and numbers of which float64 holds only some.
NO_SCORES = (str, bytes, complex, np.complexfloating, np.datetime64, np.timedelta64)
FINER = (Fraction, np.longdouble)

#: What a value says, or the kind of problem it is.
Value = float | str


def run_from_dict(
    run: dict[str, dict[str, Any]], float32: bool, threads: int = 1, *, chunk: int = 0
) -> tuple[Bytes, Int64, Int64, Bytes, Int64, Float64]:
    """A run from {topic: {item: score}}."""
    columns, scores = _walk(run, _score)
    score = np.array(scores, np.float64)
    return *columns, narrowed(score) if float32 else score


def qrels_from_dict(
    qrels: dict[str, dict[str, Any]], threads: int = 1, *, chunk: int = 0
) -> tuple[Bytes, Int64, Int64, Bytes, Int64, Int64]:
    """Judgements from {topic: {item: grade}}."""
    columns, grades = _walk(qrels, _grade)
    return *columns, np.array(grades, np.int64)


def _walk(mapping: dict[Any, Any], value_of: Callable[[Any], Value]) -> tuple[Layout, list[float]]:
    # A copy, for a value's __float__ may do anything to the dict it is in.
    given = dict(mapping)
    problems: Problems = [] if given else [(0, "empty")]
    groups: dict[bytes, list[bytes]] = {}
    values: list[float] = []
    for topic, items in given.items():
        topic_id = _encoded(topic)
        if topic_id is None:
            problems.append((0, "dict-topic", _shown(topic)))
        elif not isinstance(items, dict):
            problems.append((0, "dict-items", topic, type(items).__name__))
        else:
            groups[topic_id] = _items(topic, items, value_of, values, problems)
    if problems:
        raise malformed(problems)
    return layout(groups), values


def _items(
    topic: str, items: dict[Any, Any], value_of: Callable[[Any], Value],
    values: list[float], problems: Problems,
) -> list[bytes]:  # fmt: skip
    ids: list[bytes] = []
    for item, given in dict(items).items():
        item_id = _encoded(item)
        if item_id is None:
            problems.append((0, "dict-item", topic, _shown(item)))
            continue
        value = value_of(given)
        if not isinstance(value, str):
            ids.append(item_id)
            values.append(value)
        elif value == "nan":
            problems.append((0, value, topic, item))
        else:
            problems.append((0, value, topic, item, _shown(given)))
    return ids


def _encoded(text: object) -> bytes | None:
    """An id in UTF-8; None for what is no string, or has lone surrogates."""
    if not isinstance(text, str):
        return None
    try:
        return str.encode(text)
    except UnicodeEncodeError:
        return None


def _shown(value: object) -> str:
    # Some values cannot be shown: repr() of an integer of thousands of digits raises.
    try:
        return repr(value)[:TEXT_LIMIT]
    except MemoryError:
        raise
    except Exception:
        return f"<{type(value).__name__}>"[:TEXT_LIMIT]


def _score(given: Any) -> Value:
    if isinstance(given, NO_SCORES) or not hasattr(type(given), "__float__"):
        return "dict-score"
    try:
        score = float(given)
    except MemoryError:
        raise
    except Exception:
        return "dict-score"
    if score != score:
        return "nan"
    return "dict-inexact" if isinstance(given, FINER) and given != score else score


def _grade(given: Any) -> Value:
    try:
        grade = index(given)
    except MemoryError:
        raise
    except Exception:
        return "dict-grade"
    return grade if GRADE_LOW <= grade <= GRADE_HIGH else "grade-range"
