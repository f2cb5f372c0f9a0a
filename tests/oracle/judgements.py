"""Measures that know which items were judged."""

from __future__ import annotations

from fractions import Fraction
from math import fsum, log2

from tests.oracle import declared
from tests.oracle.ranking import Grades, Ranked, nonrelevant, relevance, relevant


@declared.ranked("Bpref")
def binary_preference(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction | None:
    """Buckley & Voorhees 2004, as trec_eval has it: (1/R) sum over hits of 1 - min(n above, R) /
    min(N, R).
    """
    total, others = relevant(judged, grade), nonrelevant(judged, grade)
    if total == 0:
        return None
    value, above = Fraction(0), 0
    for item in ranked:
        level = judged.get(item, -1)
        if level >= grade:
            value += 1 if above == 0 else 1 - Fraction(min(above, total), min(others, total))
        elif level >= 0:
            above += 1
    return value / total


@declared.ranked("infAP")
def inferred_average_precision(
    ranked: Ranked, judged: Grades, *, grade: int = 1
) -> Fraction | None:
    """Yilmaz & Aslam 2006, 3: expected precision at each hit from the sampled judgements; e = 1e-5.

    1/k + (k-1)/k x |pool above|/(k-1) x (rel + e)/(rel + nonrel + 2e). The pool is all of the
    qrels.
    """
    total = relevant(judged, grade)
    if total == 0:
        return None
    smooth = Fraction(1, 100_000)
    value = Fraction(0)
    for k, item in enumerate(ranked, start=1):
        if judged.get(item, -1) < grade:
            continue
        above = ranked[: k - 1]
        pool = sum(1 for other in above if other in judged)
        good = sum(1 for other in above if judged.get(other, -1) >= grade)
        bad = sum(1 for other in above if 0 <= judged.get(other, -1) < grade)
        if k == 1:
            value += 1
        else:
            share = (good + smooth) / (good + bad + 2 * smooth)
            value += Fraction(1, k) + Fraction(k - 1, k) * Fraction(pool, k - 1) * share
    return value / total


@declared.ranked("Judged")
def judged_share(ranked: Ranked, judged: Grades, *, cutoff: int | None = None) -> Fraction | None:
    """Sakai 2007: judged items among the first k, of as many as there are."""
    seen = ranked if cutoff is None else ranked[:cutoff]
    if not seen:
        return None
    return Fraction(sum(1 for item in seen if judged.get(item, -1) >= 0), len(seen))


@declared.ranked("binG")
def binary_g(ranked: Ranked, judged: Grades, *, grade: int = 1) -> float | None:
    """trec_eval binG: (1/R) sum over hits of 1 / log2(2 + nonrelevant above), unjudged ones
    included.
    """
    total = relevant(judged, grade)
    if total == 0:
        return None
    found = relevance(ranked, judged, grade)
    return (
        fsum(1 / log2(2 + found[:place].count(False)) for place, hit in enumerate(found) if hit)
        / total
    )
