"""Dicts of dicts → columns: {topic: {item: score or grade}}."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from operator import index
from typing import Any

import numpy as np

from precall.core.ragged import Bytes, Float64, Int64
from precall.core.text import as_text
from precall.native import literals
from precall.native.twin_columns import TEXT_LIMIT, Layout, Problems, layout, malformed_error

#: Types that float() accepts but that are no scores, and types of numbers that float64 holds only
#: in part.
_NO_SCORES = (bool, np.bool_, bytearray, complex, np.complexfloating, np.datetime64, np.timedelta64)
_FINER = (Fraction, np.longdouble)

#: The number of a value, or the kind of its problem.
Value = float | str


def run_from_dict(
    run: dict[str, dict[str, Any]], float32: bool, threads: int = 1, *, chunk: int = 0
) -> tuple[Bytes, Int64, Int64, Bytes, Int64, Float64]:
    """A run from {topic: {item: score}}."""
    columns, scores = _walk(
        run, (lambda value: _to_float32(score_of(value))) if float32 else score_of
    )
    return *columns, np.array(scores, np.float64)


def qrels_from_dict(
    qrels: dict[str, dict[str, Any]], threads: int = 1, *, chunk: int = 0
) -> tuple[Bytes, Int64, Int64, Bytes, Int64, Int64]:
    """Judgements from {topic: {item: grade}}."""
    columns, grades = _walk(qrels, _grade_of)
    return *columns, np.array(grades, np.int64)


def _walk(mapping: dict[Any, Any], value_of: Callable[[Any], Value]) -> tuple[Layout, list[float]]:
    # A copy, as a value's __float__ may change the dict that holds it.
    items_by_topic = dict(mapping)
    problems: Problems = [] if items_by_topic else [(0, "empty")]
    groups: dict[bytes, list[bytes]] = {}
    values: list[float] = []
    for topic, items in items_by_topic.items():
        topic_id = _encode(topic)
        if topic_id is None:
            problems.append((0, "dict-topic", _show(topic)))
        elif not isinstance(items, dict):
            problems.append((0, "dict-items", topic, type(items).__name__))
        else:
            groups[topic_id] = _items(topic, items, value_of, values, problems)
    if problems:
        raise malformed_error(problems)
    return layout(groups), values


def _items(
    topic: str,
    items: dict[Any, Any],
    value_of: Callable[[Any], Value],
    values: list[float],
    problems: Problems,
) -> list[bytes]:
    ids: list[bytes] = []
    for item, value_given in dict(items).items():
        item_id = _encode(item)
        if item_id is None:
            problems.append((0, "dict-item", topic, _show(item)))
            continue
        value = value_of(value_given)
        if not isinstance(value, str):
            ids.append(item_id)
            values.append(value)
        elif value == "nan":
            problems.append((0, value, topic, item))
        else:
            problems.append((0, value, topic, item, _show(value_given)))
    return ids


def _encode(text: object) -> bytes | None:
    """An id in UTF-8; None if it is no string, or has lone surrogates."""
    if not isinstance(text, str):
        return None
    try:
        return str.encode(text)
    except UnicodeEncodeError:
        return None


def _show(value: object) -> str:
    # Some values cannot be shown: repr() of an integer of thousands of digits raises.
    try:
        return repr(value)[:TEXT_LIMIT]
    except MemoryError:
        raise
    except Exception:
        return f"<{type(value).__name__}>"[:TEXT_LIMIT]


def score_of(value: Any) -> Value:
    """The score of a Python object, or the kind of its problem.

    A text or decimal is read as in files. A whole number, a fraction or a long double must be exact
    as float64. For any other object with a float, that is the score.
    """
    try:
        if isinstance(value, np.ndarray):
            value = value[()]
        if isinstance(value, str | bytes | Decimal):
            text = value.decode("latin-1") if isinstance(value, bytes) else as_text(value)
            return _kind_of(literals.score(text))
        if isinstance(value, _NO_SCORES) or not hasattr(type(value), "__float__"):
            return "dict-score"
        integer = index(value) if hasattr(type(value), "__index__") else None
        score = float(value if integer is None else integer)
    except MemoryError:
        raise
    except OverflowError:
        return "score-range"
    except Exception:
        return "dict-score"
    if score != score:
        return "nan"
    finer = value if isinstance(value, _FINER) else integer
    return score if finer is None or finer == score else "inexact"


def _kind_of(value: literals.Value) -> Value:
    """A number, or only the kind of a problem with a text."""
    if isinstance(value, tuple):
        return "dict-score" if value[0] == "score" else str(value[0])
    return value


def _to_float32(score: Value) -> Value:
    return score if isinstance(score, str) else _kind_of(literals.to_float32(score))


def _grade_of(value: Any) -> Value:
    try:
        grade = index(value)
    except MemoryError:
        raise
    except Exception:
        return "dict-grade"
    return grade if literals.GRADE_LOW <= grade <= literals.GRADE_HIGH else "grade-range"
