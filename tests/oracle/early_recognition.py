"""Measures of virtual screening: what stands in the first part of a list, rank by rank."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, exp, fsum

from tests.oracle import declared
from tests.oracle.ranking import Grades, Ranked, relevance, relevant


def whole(ranked: Ranked, judged: Grades, grade: int, population: int | None) -> list[bool]:
    """Every item, whether it is relevant; relevant ones that are not ranked stand last, after what
    else is not ranked.
    """
    found = relevance(ranked, judged, grade)
    missed = relevant(judged, grade) - sum(found)
    between = 0 if population is None else population - len(found) - missed
    return found + [False] * between + [True] * missed


@declared.ranked("EF")
def enrichment_factor(
    ranked: Ranked,
    judged: Grades,
    *,
    share: float = 0.01,
    population: int | None = None,
    grade: int = 1,
) -> Fraction | None:
    """Truchon & Bayly 2007, (2): the share of hits in the first part of a list over that in all of
    it.

    Relevant items that are not ranked are in the list, and in no first part of it.
    """
    found = relevance(ranked, judged, grade)
    every = whole(ranked, judged, grade, population)
    if not any(every):
        return None
    first = ceil(Fraction(str(share)) * len(every))
    return Fraction(sum(found[:first]), first) / Fraction(sum(every), len(every))


@declared.ranked("BEDROC")
def bedroc(
    ranked: Ranked,
    judged: Grades,
    *,
    alpha: float = 20.0,
    population: int | None = None,
    grade: int = 1,
) -> float | None:
    """Truchon & Bayly 2007: RIE of a list, (16), between those of the worst and of the best list
    with so many hits, (35).
    """
    every = whole(ranked, judged, grade, population)
    size, hits = len(every), sum(every)
    if hits in (0, size):
        return None

    def weight(ranks: list[int]) -> float:
        # From the first rank on, as a factor that all share cancels, and may be too small to write
        # down.
        return fsum(exp(-alpha * (rank - 1) / size) for rank in ranks)

    least, most = weight([*range(size - hits + 1, size + 1)]), weight([*range(1, hits + 1)])
    return (weight([rank for rank, hit in enumerate(every, start=1) if hit]) - least) / (
        most - least
    )
