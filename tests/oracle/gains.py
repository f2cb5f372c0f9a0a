"""Measures of graded gains."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import fsum, log2

from tests.oracle import declared
from tests.oracle.ranking import Grades, Ranked, relevance


def gain_of(grade: int, gain: str, gains: Mapping[int, float] | None) -> float:
    """Gain of one judged item: said by `gains`, else the grade, or 2^grade - 1 (Burges et al.
    2005).
    """
    if gains is not None and grade in gains:
        return gains[grade]
    if grade <= 0:
        return 0
    return grade if gain == "linear" else 2**grade - 1


def discounted(gained: list[float], cutoff: int | None) -> float:
    """Sum over ranks of gain / log2(rank + 1)."""
    upto = len(gained) if cutoff is None else cutoff
    return fsum(one / log2(rank + 1) for rank, one in enumerate(gained, start=1) if rank <= upto)


@declared.ranked("DCG")
def dcg(
    ranked: Ranked,
    judged: Grades,
    *,
    cutoff: int | None = None,
    gain: str = "linear",
    gains: Mapping[int, float] | None = None,
) -> float:
    """Jarvelin & Kekalainen 2002, with the discount of Burges et al. 2005: log2(rank + 1) from
    rank 1.
    """
    return discounted(
        [gain_of(judged[item], gain, gains) if item in judged else 0 for item in ranked], cutoff
    )


@declared.ranked("nDCG")
def ndcg(
    ranked: Ranked,
    judged: Grades,
    *,
    cutoff: int | None = None,
    gain: str = "linear",
    gains: Mapping[int, float] | None = None,
) -> float | None:
    """Jarvelin & Kekalainen 2002, 2.3: over the ideal vector, all judged items by gain, cut
    alike.
    """
    ideal = sorted((gain_of(grade, gain, gains) for grade in judged.values()), reverse=True)
    best = discounted(ideal, cutoff)
    if best == 0:
        return None
    return dcg(ranked, judged, cutoff=cutoff, gain=gain, gains=gains) / best


@declared.ranked("Q")
def q_measure(
    ranked: Ranked,
    judged: Grades,
    *,
    cutoff: int | None = None,
    beta: float = 1.0,
    gain: str = "linear",
    gains: Mapping[int, float] | None = None,
) -> float | None:
    """Sakai 2007, (4) and (5): sum over relevant ranks of (C(r) + beta cg(r)) / (r + beta cg_I(r)),
    over R; with a cutoff over min(k, R), as in NTCIREVAL.
    """
    earned = [gain_of(grade, gain, gains) for grade in judged.values()]
    ideal = sorted((one for one in earned if one > 0), reverse=True)
    if not ideal:
        return None
    terms, found, gained = [], 0, 0.0
    for rank, item in enumerate(ranked[:cutoff], start=1):
        one = gain_of(judged[item], gain, gains) if item in judged else 0
        if one > 0:
            found, gained = found + 1, gained + one
            terms.append((found + beta * gained) / (rank + beta * fsum(ideal[:rank])))
    return fsum(terms) / min(len(ideal), len(ideal) if cutoff is None else cutoff)


@declared.ranked("ERR")
def expected_reciprocal_rank(
    ranked: Ranked, judged: Grades, *, max: int, cutoff: int | None = None
) -> Fraction:
    """Chapelle et al. 2009, (4) and algorithm 1: sum_r 1/r R_r prod_{i<r} (1 - R_i), R = (2^g -
    1)/2^gmax.
    """
    going_on, expected = Fraction(1), Fraction(0)
    for rank, item in enumerate(ranked, start=1):
        if cutoff is not None and rank > cutoff:
            break
        grade = judged.get(item, 0)
        satisfied = Fraction(2**grade - 1, 2**max) if grade > 0 else Fraction(0)
        expected += going_on * satisfied / rank
        going_on *= 1 - satisfied
    return expected


@declared.ranked("RBP")
def rank_biased_precision(
    ranked: Ranked, judged: Grades, *, p: float = 0.8, grade: int = 1, cutoff: int | None = None
) -> Fraction:
    """Moffat & Zobel 2008, (2): (1 - p) sum_i r_i p^(i - 1), over the ranks up to the cutoff."""
    go_on = Fraction(repr(float(p)))
    found = relevance(ranked, judged, grade)[:cutoff]
    return (1 - go_on) * sum(
        (go_on ** (rank - 1) for rank, hit in enumerate(found, start=1) if hit), Fraction(0)
    )


@declared.ranked("RBPResidual")
def rbp_residual(ranked: Ranked, judged: Grades, *, p: float = 0.8) -> Fraction:
    """Moffat & Zobel 2008, 3.3: weight of the unjudged ranks, and p^n for all ranks below the
    end.
    """
    go_on = Fraction(repr(float(p)))
    unjudged = [rank for rank, item in enumerate(ranked, start=1) if judged.get(item, -1) < 0]
    return go_on ** len(ranked) + (1 - go_on) * sum(
        (go_on ** (rank - 1) for rank in unjudged), Fraction(0)
    )


@declared.ranked("G")
def g_measure(ranked: Ranked, judged: Grades) -> float | None:
    """trec_eval G: sum g_i / log2(2 + sum_{j<=i} max(ideal_j, 1) - sum_{j<=i} g_j) / sum of
    ideal.
    """
    ideal = sorted((grade for grade in judged.values() if grade > 0), reverse=True)
    if not ideal:
        return None
    terms, cost, gained = [], 0, 0
    for place, item in enumerate(ranked):
        cost += max(ideal[place] if place < len(ideal) else 0, 1)
        gain = max(judged.get(item, 0), 0)
        gained += gain
        if gain > 0:
            terms.append(gain / log2(2 + cost - gained))
    return fsum(terms) / sum(ideal)
