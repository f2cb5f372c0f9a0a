"""Measures that average precision over recall."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log

from tests.oracle import declared
from tests.oracle.ranking import Grades, Ranked, relevance, relevant


def precision_at(found: list[bool], rank: int) -> Fraction:
    """Share of the ranks 1..rank that are hits."""
    return Fraction(sum(found[:rank]), rank)


@declared.ranked("AP")
def average_precision(
    ranked: Ranked,
    judged: Grades,
    *,
    cutoff: int | None = None,
    norm: str = "relevant",
    grade: int = 1,
) -> Fraction | None:
    """Voorhees & Harman 2005, ch. 3; Zhang & Su 2012: (1/R) sum_i i / L_i.

    Cut at k: over R (trec_eval map_cut), over min(k, R), or over the hits in the first k ranks.
    """
    found = relevance(ranked, judged, grade)
    total = relevant(judged, grade)
    depth = len(found) if cutoff is None else min(cutoff, len(found))
    ranks = [rank for rank in range(1, depth + 1) if found[rank - 1]]
    over = {
        "relevant": total,
        "min": total if cutoff is None else min(cutoff, total),
        "found": len(ranks),
    }[norm]
    if total == 0 or over == 0:
        return None
    return sum((precision_at(found, rank) for rank in ranks), Fraction(0)) / over


@declared.ranked("RR")
def reciprocal_rank(
    ranked: Ranked, judged: Grades, *, cutoff: int | None = None, grade: int = 1
) -> Fraction:
    """Voorhees 1999: the reciprocal of the rank of the first correct answer, 0 without one."""
    for rank, hit in enumerate(relevance(ranked, judged, grade), start=1):
        if hit and (cutoff is None or rank <= cutoff):
            return Fraction(1, rank)
    return Fraction(0)


@declared.ranked("IPrec")
def interpolated_precision(
    ranked: Ranked, judged: Grades, *, recall: float, grade: int = 1
) -> Fraction | None:
    """Voorhees & Harman 2005, ch. 3: the greatest precision at any rank whose recall is at least
    `recall`.
    """
    found = relevance(ranked, judged, grade)
    total = relevant(judged, grade)
    if total == 0:
        return None
    level = Fraction(repr(float(recall)))
    high = [
        precision_at(found, rank)
        for rank in range(1, len(found) + 1)
        if Fraction(sum(found[:rank]), total) >= level
    ]
    return max(high, default=Fraction(0))


@declared.ranked("IAP")
def eleven_point(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction | None:
    """Voorhees & Harman 2005, ch. 3: mean of interpolated precision at recall 0, .1, ..., 1."""
    if relevant(judged, grade) == 0:
        return None
    points = [
        interpolated_precision(ranked, judged, recall=tenth / 10, grade=grade)
        for tenth in range(11)
    ]
    return sum(points, Fraction(0)) / 11


@declared.ranked("yaap")
def yaap(ranked: Ranked, judged: Grades, *, grade: int = 1) -> float:
    """trec_eval yaap (Robertson 2006): log((1 + S) / (1 + R - S)), S = sum of c_i / i over hits."""
    found = relevance(ranked, judged, grade)
    total = relevant(judged, grade)
    gained = sum(
        (precision_at(found, rank) for rank in range(1, len(found) + 1) if found[rank - 1]),
        Fraction(0),
    )
    return log((1 + gained) / (1 + total - gained))


def k_at_recall(found: list[bool], total: int, recall: float) -> int | None:
    """Least cutoff k >= 1 whose recall is at least `recall`; None if there is none."""
    if total == 0:
        return None
    for rank in range(1, len(found) + 1):
        if Fraction(sum(found[:rank]), total) >= Fraction(repr(float(recall))):
            return rank
    return None


@declared.ranked("KAtRecall")
def cutoff_of_recall(
    ranked: Ranked, judged: Grades, *, recall: float, grade: int = 1
) -> Fraction | None:
    """The least k whose recall, hits in the first k over R, is at least this (Zhang & Su 2012: L_i
    of the i-th hit).
    """
    rank = k_at_recall(relevance(ranked, judged, grade), relevant(judged, grade), recall)
    return None if rank is None else Fraction(rank)


@declared.ranked("PAtRecall")
def precision_of_recall(
    ranked: Ranked, judged: Grades, *, recall: float, grade: int = 1
) -> Fraction | None:
    """The share of hits in the first k, k being the least whose recall is at least this."""
    found = relevance(ranked, judged, grade)
    rank = k_at_recall(found, relevant(judged, grade), recall)
    return None if rank is None else precision_at(found, rank)


def needed(recall: float, total: int) -> int:
    """Hits needed for `recall`: the exact ceiling."""
    return ceil(Fraction(repr(float(recall))) * total)
