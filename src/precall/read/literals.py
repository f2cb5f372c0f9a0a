"""Numbers as text: the kernels' grammar of scores and grades, for the cells of a table.

Float() and int() take more: underscores, blanks around, digits of other scripts.
"""

from __future__ import annotations

import re
from math import isinf

import numpy as np
import numpy.typing as npt

from precall.native.twin_columns import GRADE_HIGH, GRADE_LOW
from precall.read.values import Value

# Digits are not given back (`++`), so that a long cell takes linear time.
_DECIMAL = r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"
_WHOLE = r"[+-]?[0-9]++"
_SCORE, _GRADE = re.compile(_DECIMAL), re.compile(_WHOLE)
_SCORES, _GRADES = re.compile(rf"(?:{_DECIMAL}\n)*+"), re.compile(r"(?:[+-]?[0-9]{1,9}+\n)*+")
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE | re.ASCII)
_NAN = re.compile(r"[+-]?nan", re.IGNORECASE | re.ASCII)


def score(text: str) -> Value:
    """A score, or what is wrong with it."""
    if _SCORE.fullmatch(text):
        number = float(text)
        return ("score-range", text) if isinf(number) else number
    if _INFINITE.fullmatch(text):
        return float(text)
    return ("nan",) if _NAN.fullmatch(text) else ("score", text)


def grade(text: str) -> Value:
    """A grade, or what is wrong with it."""
    if not _GRADE.fullmatch(text):
        return "grade", text
    # int() refuses thousands of digits, so their number is looked at first.
    digits = text.lstrip("+-").lstrip("0") or "0"
    if len(digits) > 10:
        return "grade-range", text
    number = -int(digits) if text[0] == "-" else int(digits)
    return number if GRADE_LOW <= number <= GRADE_HIGH else ("grade-range", text)


def scores(texts: list[str]) -> npt.NDArray[np.float64] | None:
    """All of them at once when each is an ordinary finite number, else None."""
    if not _SCORES.fullmatch("\n".join(texts) + "\n"):
        return None
    try:
        numbers = np.fromiter(map(float, texts), np.float64, len(texts))
    except ValueError:
        # A cell may hold a line end itself.
        return None
    return None if np.isinf(numbers).any() else numbers


def grades(texts: list[str]) -> npt.NDArray[np.int64] | None:
    """All of them at once when each is an integer of at most nine digits, else None."""
    if not _GRADES.fullmatch("\n".join(texts) + "\n"):
        return None
    try:
        return np.fromiter(map(int, texts), np.int64, len(texts))
    except ValueError:
        return None
