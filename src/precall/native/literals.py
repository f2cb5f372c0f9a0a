"""Numbers as text: the grammar of scores and grades in both kernels.

float() and int() accept more: underscores, blanks around, digits of other scripts. A decimal is
rounded to the nearest float64. A whole number written without exponent must be exact, or it is
refused: two different ones would become equal.
"""

from __future__ import annotations

import re
from math import inf, isinf
from typing import Any

import numpy as np
import numpy.typing as npt

#: What to do about a text that is no score, or no grade.
NUMBER = "write a number such as 12.5, -3e-4 or inf (no commas, underscores or hexadecimal)"
GRADE = "write a number such as 0, 1, -1 or 4.5 (no commas, underscores or hexadecimal)"
GRADE_LOW, GRADE_HIGH = -(2**31), 2**31 - 1
#: Integers up to here are exact in float64.
EXACT = 2**53
#: The least number that float32 rounds to infinity.
_BEYOND_FLOAT32 = 2.0**128 - 2.0**103

# Possessive quantifiers (`++`) do not give digits back, so that a long cell takes linear time.
_DECIMAL = r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"
#: The weight in names of F and E: F1, F2, F0.5, F.5, E1. F05 may be F0.5 or F5.
WEIGHT = r"((?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)"
#: An integer in its usual spelling.
WHOLE = r"[+-]?[0-9]++"
#: A whole number may also be written as 1.0, as in columns with gaps.
_GRADE = rf"({WHOLE})(?:\.0++)?"
_SCORES, _GRADES = rf"(?:{_DECIMAL}\n)*+", r"(?:[+-]?[0-9]{1,9}+\n)*+"
_INFINITE, _NAN = r"(?ai)[+-]?inf(?:inity)?", r"(?ai)[+-]?nan"

#: The number in a cell, or what is wrong with it: the kind and details of a fact.
Value = float | int | tuple[object, ...]


def score(text: str) -> Value:
    """A score, or what is wrong with it."""
    if re.fullmatch(_DECIMAL, text):
        number = float(text)
        if isinf(number):
            return "score-range", text
        return ("inexact", text) if abs(number) >= EXACT and _loses_digits(text, number) else number
    if re.fullmatch(_INFINITE, text):
        return float(text)
    return ("nan",) if re.fullmatch(_NAN, text) else ("score", text)


def to_float32(value: Value) -> Value:
    """The score rounded to float32, or what is wrong with it."""
    if not isinstance(value, float):
        return value
    return ("float32-range",) if _BEYOND_FLOAT32 <= abs(value) < inf else float(np.float32(value))


def _loses_digits(text: str, number: float) -> bool:
    """Whether a text is a whole number without an exponent that differs from the float."""
    digits = text.lstrip("+-").lstrip("0")
    return digits.isdecimal() and int(digits) != abs(number)


def grade(text: str) -> Value:
    """A grade, or what is wrong with it."""
    match = re.fullmatch(_GRADE, text)
    if match is None:
        return "grade", text
    # int() refuses thousands of digits, so their number is checked first.
    digits = match[1].lstrip("+-").lstrip("0") or "0"
    if len(digits) > 10:
        return "grade-range", text
    number = -int(digits) if text[0] == "-" else int(digits)
    return number if GRADE_LOW <= number <= GRADE_HIGH else ("grade-range", text)


def scores(texts: list[str]) -> npt.NDArray[np.float64] | None:
    """All numbers at once, if each is an ordinary one, and exact if it is whole; else None."""
    numbers = _at_once(texts, _SCORES, float)
    return None if numbers is None or np.any(np.abs(numbers) >= EXACT) else numbers


def grades(texts: list[str]) -> npt.NDArray[np.int64] | None:
    """All grades at once, if each is an integer of at most nine digits; else None."""
    numbers: npt.NDArray[np.int64] | None = _at_once(texts, _GRADES, int)
    return numbers


def _at_once(
    texts: list[str], all_of_them: str, read: type[float | int]
) -> npt.NDArray[Any] | None:
    if not re.fullmatch(all_of_them, "\n".join(texts) + "\n"):
        return None
    try:
        return np.fromiter(map(read, texts), read, len(texts))
    except ValueError:  # a cell may hold a line end itself
        return None
