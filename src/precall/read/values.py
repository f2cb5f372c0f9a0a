"""Numbers and ids as Python objects: cells of frames, JSON and rows, by the rules of dicts."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.read.literals import GRADE_HIGH, GRADE_LOW, Value


class Beyond:
    """A number of JSON that float64 does not hold, kept as it was written."""

    def __init__(self, text: str) -> None:
        self.text = text


def named(value: object) -> str:
    """A value as messages call it; some cannot be written out."""
    try:
        text = repr(value)
    except Exception:
        text = ""
    return f"{text[:57]}... ({type(value).__name__})" if len(text) > 60 else f"{text} ({type(value).__name__})".lstrip()


def is_missing(value: object) -> bool:
    """None, or pandas' NA and NaT."""
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def identifier(value: Any, column: str) -> str | tuple[object, ...]:
    """An id, or what is wrong with it. Integers are written as decimals; floats are not ids: 7.0 is not 7."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return "id", column, f"{ascii(value)[:60]}, which UTF-8 cannot encode"
        return str(value)
    if is_missing(value) or (isinstance(value, float) and value != value):
        return "missing", column
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        try:
            return str(int(value))
        except ValueError:
            pass
    return "id", column, named(value)


def score(value: Any) -> Value:
    """A score, or what is wrong with it."""
    if isinstance(value, Beyond):
        return "score-range", value.text
    if isinstance(value, str | bytes | complex | np.complexfloating) or not hasattr(type(value), "__float__"):
        return "value", named(value)
    try:
        number = float(value)
    except OverflowError:
        return "score-range", named(value)
    except Exception:
        return "value", named(value)
    return ("nan",) if number != number else number


def grade(value: Any) -> Value:
    """A grade, or what is wrong with it."""
    try:
        number = index(value)
    except Exception:
        return "value", value.text if isinstance(value, Beyond) else named(value)
    return number if GRADE_LOW <= number <= GRADE_HIGH else ("grade-range", named(number))


def scores(values: list[Any]) -> npt.NDArray[np.float64] | None:
    """All of them at once when each is an ordinary number, else None."""
    if not set(map(type, values)) <= {float, int}:
        return None
    try:
        numbers = np.fromiter(values, np.float64, len(values))
    except OverflowError:
        return None
    return None if np.isnan(numbers).any() else numbers


def grades(values: list[Any]) -> npt.NDArray[np.int64] | None:
    """All of them at once when each is an ordinary integer within range, else None."""
    if not set(map(type, values)) <= {int}:
        return None
    try:
        numbers = np.fromiter(values, np.int64, len(values))
    except OverflowError:
        return None
    return numbers if len(numbers) and GRADE_LOW <= numbers.min() and numbers.max() <= GRADE_HIGH else None
