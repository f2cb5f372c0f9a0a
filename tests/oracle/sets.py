"""Measures of the retrieved set: order plays no part."""

from __future__ import annotations

from fractions import Fraction

from tests.oracle import declared
from tests.oracle.ranking import Grades, Ranked, relevance, relevant


def found(ranked: Ranked, judged: Grades, grade: int) -> int:
    return sum(relevance(ranked, judged, grade))


@declared.ranked("SetRelP")
def set_relative_precision(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction | None:
    """trec_eval set_relative_P: c_n / min(n, R)."""
    possible = min(len(ranked), relevant(judged, grade))
    if possible == 0:
        return None
    return Fraction(found(ranked, judged, grade), possible)


@declared.ranked("SetAP")
def set_average_precision(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction | None:
    """trec_eval set_map: c_n^2 / (n R)."""
    total = relevant(judged, grade)
    if len(ranked) == 0 or total == 0:
        return None
    return Fraction(found(ranked, judged, grade) ** 2, len(ranked) * total)


@declared.ranked("NumRet")
def number_retrieved(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction:
    """trec_eval num_ret."""
    return Fraction(len(ranked))


@declared.ranked("NumRel")
def number_relevant(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction:
    """trec_eval num_rel."""
    return Fraction(relevant(judged, grade))


@declared.ranked("NumRelRet")
def number_found(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction:
    """trec_eval num_rel_ret."""
    return Fraction(found(ranked, judged, grade))


@declared.ranked("NumNonrelRet")
def number_nonrelevant(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction:
    """trec_eval num_nonrel_judged_ret: 0 <= grade of the item < the least relevant grade."""
    return Fraction(sum(1 for item in ranked if item in judged and 0 <= judged[item] < grade))
