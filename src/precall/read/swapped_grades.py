"""Qrels and a run in each other's place, if grades have fractions."""

from __future__ import annotations

import numpy as np

from precall.core.errors import Mistake
from precall.core.ragged import Float64
from precall.read.columns import Qrels, Run
from precall.read.problems import SWAPPED

#: The greatest value with a fraction that is hardly a score; and the number of grades looked at.
_GREATEST, _LOOKED_AT = 10, 20


def refuse_swapped(qrels: Qrels, run: Run) -> None:
    """Raise if grades with fractions look like scores, and the scores of the run like grades.

    Columns with names say what they are, so that only dicts, rows and JSON are looked at.
    """
    grade, score = qrels.grade, run.score
    if grade.dtype != np.float64 or not len(score):
        return
    if not (qrels.source in ("dict", "rows") or qrels.source.lower().endswith(".json")):
        return
    is_great = bool(grade.max() > _GREATEST)
    are_grades = bool(np.all((np.floor(score) == score) & (score >= -1) & (score <= _GREATEST)))
    if are_grades and (is_great or _all_differ(grade)):
        raise Mistake(
            "grades such as {got} look like scores, and the scores of the run like grades",
            f"{SWAPPED['grade']}; if these are grades, give a table with a column 'grade'",
            got=float(grade[np.floor(grade) != grade][0]),
        ).error(qrels.source)
    if is_great and len(score) == len(grade) and np.array_equal(score, grade):
        raise Mistake(
            "grades such as {got} are the scores of the run", SWAPPED["grade"], got=float(grade[0])
        ).error(qrels.source)


def _all_differ(grade: Float64) -> bool:
    """Whether two or more grades with fractions all differ, and are not all quarters."""
    some = grade[np.floor(grade) != grade][:_LOOKED_AT]
    return 1 < len(some) == len(np.unique(some)) and bool(np.any(some * 4 % 1))
