"""The best point of a ranking without ties."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from tests.oracle import declared
from tests.oracle.areas import counts
from tests.oracle.ranking import Grades, Ranked, relevance, relevant


@declared.ranked("BEP")
def break_even(
    ranked: Ranked, judged: Grades, *, method: str = "nearest", grade: int = 1
) -> Fraction | None:
    """Lewis 1992: where precision equals recall; nearest, by min(P, R), or on straight lines."""
    total = relevant(judged, grade)
    if total == 0:
        return None
    points = [
        (Fraction(tp, tp + fp), Fraction(tp, total)) for tp, fp in counts(ranked, judged, grade)[1:]
    ]
    if method == "max-min":
        return max((min(p, r) for p, r in points), default=Fraction(0))
    if method == "nearest":
        hit = [(abs(p - r), -(p + r) / 2) for p, r in points if r]
        return -min(hit)[1] if hit else Fraction(0)
    crossings = [Fraction(0)]
    for (p0, r0), (p1, r1) in pairwise([(points[0][0], Fraction(0)), *points] if points else []):
        crossings += [r for p, r in ((p0, r0), (p1, r1)) if p == r]
        if (p0 - r0) * (p1 - r1) < 0:
            crossings.append(r0 + (p0 - r0) / (p0 - r0 - p1 + r1) * (r1 - r0))
    return max(crossings)


@declared.ranked("MaxF")
def greatest_f(
    ranked: Ranked, judged: Grades, *, beta: float = 1.0, alpha: float | None = None, grade: int = 1
) -> Fraction | None:
    """Lewis 1995: the greatest F of any cut, 1 / (alpha/P + (1 - alpha)/R)."""
    total = relevant(judged, grade)
    weight = (
        1 / (Fraction(repr(float(beta))) ** 2 + 1)
        if alpha is None
        else Fraction(repr(float(alpha)))
    )
    if total == 0 or not (ranked or weight < 1):
        return None
    found = relevance(ranked, judged, grade)
    return max(
        (
            sum(found[:cut]) / (weight * cut + (1 - weight) * total)
            for cut in range(1, len(found) + 1)
        ),
        default=Fraction(0),
    )


@declared.ranked("RAtPrecision")
def recall_at_precision(
    ranked: Ranked, judged: Grades, *, precision: float, grade: int = 1
) -> Fraction | None:
    """Eban et al. 2017, R@P: the greatest recall of all cuts that are precise enough."""
    total, least = relevant(judged, grade), Fraction(repr(float(precision)))
    if total == 0:
        return None
    cuts = counts(ranked, judged, grade)[1:]
    return max(
        (Fraction(tp, total) for tp, fp in cuts if Fraction(tp, tp + fp) >= least),
        default=Fraction(0),
    )


@declared.ranked("KS")
def kolmogorov_smirnov(
    ranked: Ranked, judged: Grades, *, population: int | None = None, grade: int = 1
) -> Fraction | None:
    """Smirnov 1948, one-sided: the greatest difference of the two distributions at any rank."""
    assert population is not None
    total = relevant(judged, grade)
    others = population - total
    if not total or not others:
        return None
    return max(
        Fraction(tp, total) - Fraction(fp, others)
        for tp, fp in [(0, 0), *counts(ranked, judged, grade)]
    )


@declared.ranked("Coverage")
def coverage(ranked: Ranked, judged: Grades, *, grade: int = 1) -> Fraction | None:
    """Tsoumakas et al. 2010: how far down the list one has to go to have all that is relevant."""
    found, total = relevance(ranked, judged, grade), relevant(judged, grade)
    if total == 0 or sum(found) < total:
        return None
    return Fraction(max(rank for rank, hit in enumerate(found, 1) if hit))
