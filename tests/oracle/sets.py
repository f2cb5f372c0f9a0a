"""Measures of the retrieved set: order plays no part."""

from __future__ import annotations

from fractions import Fraction

from tests.oracle.ranking import Grades, Ranked, relevance, relevant


def found(ranked: Ranked, judged: Grades, grade: int) -> int:
    return sum(relevance(ranked, judged, grade))


def set_precision(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction | None:
    """trec_eval set_P: c_n / n."""
    if len(ranked) == 0:
        return None
    return Fraction(found(ranked, judged, grade), len(ranked))


def set_recall(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction | None:
    """trec_eval set_recall: c_n / R."""
    if relevant(judged, grade) == 0:
        return None
    return Fraction(found(ranked, judged, grade), relevant(judged, grade))


def set_relative_precision(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction | None:
    """trec_eval set_relative_P: c_n / min(n, R)."""
    possible = min(len(ranked), relevant(judged, grade))
    if possible == 0:
        return None
    return Fraction(found(ranked, judged, grade), possible)


def set_f(ranked: Ranked, judged: Grades, *, beta: float = 1.0, grade: int = 1) -> Fraction | None:
    """van Rijsbergen 1979, ch. 7: weighted harmonic mean; 0 where nothing retrieved is relevant."""
    total = relevant(judged, grade)
    if len(ranked) == 0 and total == 0:
        return None
    if found(ranked, judged, grade) == 0:
        return Fraction(0)
    weight = Fraction(repr(float(beta))) ** 2
    p = Fraction(found(ranked, judged, grade), len(ranked))
    r = Fraction(found(ranked, judged, grade), total)
    return (1 + weight) * p * r / (weight * p + r)


def set_average_precision(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction | None:
    """trec_eval set_map: c_n^2 / (n R)."""
    total = relevant(judged, grade)
    if len(ranked) == 0 or total == 0:
        return None
    return Fraction(found(ranked, judged, grade) ** 2, len(ranked) * total)


def number_retrieved(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction:
    """trec_eval num_ret."""
    return Fraction(len(ranked))


def number_relevant(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction:
    """trec_eval num_rel."""
    return Fraction(relevant(judged, grade))


def number_found(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction:
    """trec_eval num_rel_ret."""
    return Fraction(found(ranked, judged, grade))


def number_nonrelevant(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction:
    """trec_eval num_nonrel_judged_ret: 0 <= grade of the item < the least relevant grade."""
    return Fraction(sum(1 for item in ranked if item in judged and 0 <= judged[item] < grade))


def utility(
    ranked: Ranked, judged: Grades, *, found: float = 1.0, nonrelevant: float = -1.0, missed: float = 0.0,
    rejected: float = 0.0, population: int = 0, grade: int = 1,
) -> float:  # fmt: skip
    """trec_eval utility: p1 a + p2 b + p3 c + p4 d over the contingency table of the retrieved set."""
    a = sum(relevance(ranked, judged, grade))
    b = len(ranked) - a
    c = relevant(judged, grade) - a
    d = population - a - b - c
    return found * a + nonrelevant * b + missed * c + rejected * d
