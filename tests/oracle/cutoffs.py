"""Measures of the first k ranks.

van Rijsbergen, Information Retrieval (1979), chapter 7: precision |A and B| / |B|, recall |A and B|
/ |A|, E = 1 - 1/(alpha/P + (1 - alpha)/R) with alpha = 1/(beta^2 + 1).
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from tests.oracle import declared
from tests.oracle.ranking import Grades, Ranked, relevance, relevant


def hits_in(ranked: Ranked, judged: Grades, grade: int, cutoff: int) -> int:
    return sum(relevance(ranked, judged, grade)[:cutoff])


@declared.ranked("Success")
def success(
    ranked: Ranked, judged: Grades, *, cutoff: int | None = None, grade: int = 1
) -> Fraction:
    """trec_eval success_k: [c_k > 0]; without k, of the whole list."""
    return Fraction(1 if any(relevance(ranked, judged, grade)[:cutoff]) else 0)


@declared.ranked("RelP")
def relative_precision(
    ranked: Ranked, judged: Grades, *, cutoff: int, grade: int = 1
) -> Fraction | None:
    """trec_eval relative_P_k: c_k / min(k, R)."""
    total = relevant(judged, grade)
    if total == 0:
        return None
    return Fraction(hits_in(ranked, judged, grade, cutoff), min(cutoff, total))


@declared.ranked("Rprec")
def r_precision(
    ranked: Ranked, judged: Grades, *, mult: float = 1.0, grade: int = 1
) -> Fraction | None:
    """Precision at rank R (Voorhees & Harman 2005, ch. 3); with `mult`, at the ceiling of mult x
    R.
    """
    total = relevant(judged, grade)
    if total == 0:
        return None
    cutoff = ceil(Fraction(repr(float(mult))) * total)
    return Fraction(hits_in(ranked, judged, grade, cutoff), cutoff)
