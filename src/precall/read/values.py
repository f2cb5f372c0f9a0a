"""Ids and numbers as Python objects: cells of frames, JSON and rows, by the rules of dicts.

One rule for all of them: ids are strings or integers, which are written as decimals; scores are whatever
float() takes but text, complex numbers and times, and of fractions and long doubles only what float64 holds; grades
are integers. Booleans, NumPy's too, are the numbers 0 and 1 but no ids.
"""

from __future__ import annotations

from functools import cache
from math import isinf
from operator import index
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.native.twin_columns import GRADE_HIGH, GRADE_LOW

#: A value is written out in messages up to this length.
_WRITTEN = 60


#: What a value says, or what is wrong with it: kind and details of a fact.
Value: TypeAlias = float | int | tuple[object, ...]


class Beyond:
    """A number of JSON that float64 does not hold, kept as it was written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def written(value: object) -> str:
    """A value as Python writes it, cut short; some cannot be written at all."""
    try:
        text = ascii(value)
    except Exception:
        return f"<{type(value).__name__}>"
    return text if len(text) <= _WRITTEN else f"{text[: _WRITTEN - 3]}..."


def described(value: object) -> str:
    """A value with its type."""
    kind = float if isinstance(value, Beyond) else type(value)
    return f"{written(value)} ({kind.__name__})"


def is_missing(value: object) -> bool:
    """None, or pandas' NA and NaT."""
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def identifier(value: Any, column: str) -> str | tuple[object, ...]:
    """An id, or what is wrong with it. Integers are written as decimals; floats are no ids: 7.0 is not 7."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return "surrogate", column, written(value)
        return str(value)
    # NaN stands for a missing string in pandas.
    if is_missing(value) or (isinstance(value, float) and value != value):
        return "missing", column
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        try:
            return str(int(value))
        except ValueError:  # thousands of digits
            pass
    return "id", column, described(value)


@cache
def _kinds() -> tuple[tuple[type, ...], tuple[type, ...]]:
    """The types that are no scores, and those of which float64 holds only some numbers."""
    # Imported late for the sake of `fractions`, which takes 3 ms; columns of plain numbers never come here.
    from precall.native.twin_mappings import FINER, NO_SCORES

    return NO_SCORES, FINER


def score(value: Any) -> Value:
    """A score, or what is wrong with it."""
    if isinstance(value, Beyond):
        return "score-range", value.text
    refused, finer = _kinds()
    if isinstance(value, refused) or not hasattr(type(value), "__float__"):
        return "value", described(value)
    try:
        number = float(value)
    except OverflowError:
        return "score-range", written(value)
    except Exception:
        return "value", described(value)
    if number != number:
        return ("nan",)
    if isinf(number) and number != value:
        return "score-range", written(value)
    return ("dict-inexact", written(value)) if isinstance(value, finer) and value != number else number


def grade(value: Any) -> Value:
    """A grade, or what is wrong with it."""
    try:
        number = index(bool(value) if isinstance(value, np.bool_) else value)
    except Exception:
        return "value", described(value)
    return number if GRADE_LOW <= number <= GRADE_HIGH else ("grade-range", written(number))


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
    inside = np.all((numbers >= GRADE_LOW) & (numbers <= GRADE_HIGH))
    return numbers if inside else None
