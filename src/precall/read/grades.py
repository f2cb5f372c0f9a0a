"""Grades as numbers: integers if all are whole, and float64 if one of them has a fraction.

Kernels sort, compare and carry grades, but do not compute with them. So they get an integer for
each number with a fraction, its code, and know whole numbers only (docs/decisions/0020).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.core.arguments import as_shown
from precall.core.errors import Malformed, Mistake
from precall.core.ragged import Float64, Int64
from precall.native.literals import GRADE_HIGH, GRADE_LOW, Value

#: Integers; or float64, if one of them has a fraction.
Grades: TypeAlias = npt.NDArray[Any]

_SIGN, _REST = 63, np.int64(2**63 - 1)


def grade_of(number: float, shown: str) -> Value:
    """The grade that a finite number is, or what is wrong with it.

    Examples
    --------
    >>> grade_of(4.5, "4.5"), grade_of(4.0, "4"), grade_of(-0.5, "-0.5")
    (4.5, 4, ('negative-grade', '-0.5'))
    """
    if not GRADE_LOW <= number <= GRADE_HIGH:
        return "grade-range", shown
    if number == int(number):
        return int(number)
    return number if number > 0 else ("negative-grade", shown)


def grades_of(numbers: Float64) -> Grades | None:
    """All grades at once; None if one of the numbers is none.

    Examples
    --------
    >>> grades_of(np.array([4.5, -0.0])), grades_of(np.array([4.0, -1.0])), grades_of(
    ...     np.array([-0.5])
    ... )
    (array([4.5, 0. ]), array([ 4, -1]), None)
    """
    if not np.all(np.abs(numbers) <= GRADE_HIGH):  # NaN too
        return None
    has_fraction = np.floor(numbers) != numbers
    if not has_fraction.any():
        return numbers.astype(np.int64)
    # -0.0 becomes 0.0.
    return None if np.any(numbers[has_fraction] < 0) else numbers + 0.0


def array_of_grades(grades: Sequence[float]) -> Grades:
    """Grades that were read one by one, as an array.

    Examples
    --------
    >>> array_of_grades([1, 0]), array_of_grades([1, 0.5])
    (array([1, 0]), array([1. , 0.5]))
    """
    has_fractions = any(isinstance(grade, float) for grade in grades)
    return np.array(grades, np.float64 if has_fractions else np.int64)


def shown_as_decimals(numbers: npt.NDArray[Any]) -> Float64:
    """Floats of fewer bits as the decimals that they show: 0.7, not 0.699999988.

    Otherwise an item of grade 0.7 would not have a grade of at least 0.7.
    """
    if numbers.dtype == np.float64:
        return np.asarray(numbers, np.float64)
    different, place = np.unique(numbers, return_inverse=True)
    return np.array([as_shown(number) for number in different], np.float64)[place]


def codes(grades: Grades) -> Int64:
    """An integer for each grade, in the same order: the grade itself if all are whole.

    Examples
    --------
    >>> numbers = np.array([-1.0, 0.0, 0.5, 4.5])
    >>> bool(np.all(np.diff(codes(numbers)) > 0)), grades_of_codes(codes(numbers), numbers)
    (True, array([-1. ,  0. ,  0.5,  4.5]))
    """
    if grades.dtype != np.float64:
        return grades
    # Bits of positive floats ascend as the floats do, those of negative ones descend.
    bits = np.ascontiguousarray(grades).view(np.int64)
    return np.asarray(bits ^ ((bits >> _SIGN) & _REST), np.int64)


def grades_of_codes(codes: Int64, like: Grades) -> Grades:
    """The grades that have these codes, made of grades of this type."""
    if like.dtype != np.float64:
        return codes
    return np.asarray((codes ^ ((codes >> _SIGN) & _REST)).view(np.float64), np.float64)


def facts_without_codes(bad: Malformed) -> Malformed:
    """The same facts with grades for codes: those of items judged twice have both grades."""
    like = np.zeros(0)
    facts = [
        (*fact[:-2], *grades_of_codes(np.array(fact[-2:], np.int64), like).tolist())
        if fact[1] == "conflict"
        else fact
        for fact in bad.problems
    ]
    return Malformed(facts, bad.total)


def refuse_fractions(grades: Grades, label: str, tool: str) -> None:
    """Raise if a grade has a fraction, for an interface whose original knows whole grades only."""
    if grades.dtype == np.float64:
        raise Mistake(
            "grade {got} has a fraction, and grades of {tool:s} are whole numbers",
            "pc.evaluate takes fractions, as for nDCG",
            got=float(grades[np.floor(grades) != grades][0]),
            tool=tool,
        ).error(label)
