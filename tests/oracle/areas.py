"""Areas of a ranking without ties, each by its own words."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import log

from tests.oracle import declared
from tests.oracle.averages import eleven_point
from tests.oracle.ranking import Grades, Ranked, relevance, relevant


def counts(ranked: Ranked, judged: Grades, grade: int) -> list[tuple[int, int]]:
    """(TP, FP) when nothing is accepted, then at every rank."""
    points = [(0, 0)]
    for hit in relevance(ranked, judged, grade):
        tp, fp = points[-1]
        points.append((tp + hit, fp + (not hit)))
    return points


def _precisions(points: list[tuple[int, int]]) -> list[tuple[Fraction, Fraction, int]]:
    """Of each hit: precision at the rank before it (1 where there is none), precision at it, and FP
    there.
    """
    return [
        (Fraction(tp0, tp0 + fp0) if tp0 + fp0 else Fraction(1), Fraction(tp, tp + fp), fp)
        for (tp0, fp0), (tp, fp) in pairwise(points)
        if tp > tp0
    ]


@declared.ranked("AreaPR")
def area_under_pr(
    ranked: Ranked, judged: Grades, *, method: str = "step", grade: int = 1
) -> Fraction | float | None:
    """Sums over hits: a hit is 1 / R of recall wide, and its height is what tools differ in."""
    total = relevant(judged, grade)
    if total == 0:
        return None
    if method == "11-point":
        return eleven_point(ranked, judged, grade=grade)
    hits = _precisions(counts(ranked, judged, grade))
    if method == "101-point":
        # COCO: the greatest precision of all points with that recall or more, at 101 recalls.
        best = [
            max(
                (at for tp, (_, at, _) in enumerate(hits, 1) if 100 * tp >= step * total), default=0
            )
            for step in range(101)
        ]
        return sum(best, Fraction(0)) / 101
    if method == "davis-goadrich":
        # Keilwagen et al. 2014: between two hits FP stays, so precision is x / (x + FP), x from
        # TP - 1 to TP.
        return (
            sum(
                1 - fp * log((tp + fp) / (tp - 1 + fp)) if fp else 1
                for tp, (_, _, fp) in enumerate(hits, 1)
            )
            / total
        )
    heights = {
        "step": [at for _, at, _ in hits],
        "interpolated": [max(at for _, at, _ in hits[place:]) for place in range(len(hits))],
        "trapezoid": [(before + at) / 2 for before, at, _ in hits],
        # Davis & Goadrich 2006, with one hit at a time: no points are to be added between two.
        "davis-goadrich-discrete": [(before + at) / 2 for before, at, _ in hits],
    }
    return sum(heights[method], Fraction(0)) / total


@declared.ranked("AUPRG")
def area_under_gain(
    ranked: Ranked, judged: Grades, *, population: int | None = None, grade: int = 1
) -> Fraction | None:
    """Flach & Kull 2015: both axes (x - pi) / ((1 - pi) x), from recall gain 0 on; straight lines
    between points.
    """
    assert population is not None
    total = relevant(judged, grade)
    if total in (0, population):
        return None
    share = Fraction(total, population)

    def gain(x: Fraction) -> Fraction:
        return (x - share) / ((1 - share) * x)

    points: list[tuple[Fraction, Fraction]] = []
    for (tp0, _), (tp, fp) in pairwise(counts(ranked, judged, grade)):
        # Between tp0 and tp only hits are added: recall reaches the share of relevant items there.
        least = share * total
        if tp0 < least < tp:
            points.append((gain(share), gain(least / (least + fp))))
        if tp >= least:
            points.append((gain(Fraction(tp, total)), gain(Fraction(tp, tp + fp))))
    return sum(((x - w) * (y + v) / 2 for (w, v), (x, y) in pairwise(points)), Fraction(0))


@declared.ranked("AUC")
def area_under_roc(
    ranked: Ranked,
    judged: Grades,
    *,
    method: str = "trapezoid",
    max_fpr: float | None = None,
    mcclish: bool = False,
    population: int | None = None,
    grade: int = 1,
) -> Fraction | None:
    """Hanley & McNeil 1982: share of pairs in which the relevant item is above the other one.

    Items that were not retrieved are below all others, relevant ones last. McClish 1989: the part
    up to a false positive rate; each other item is 1 / others of that rate wide, and as high as the
    hits above it.
    """
    assert population is not None
    total = relevant(judged, grade)
    others = population - total
    if not total or not others:
        return None
    path = counts(ranked, judged, grade)
    above = [tp for (_, fp0), (tp, fp) in pairwise(path) if fp > fp0]
    above += [path[-1][0]] * (others - len(above))
    most = Fraction(1) if max_fpr is None else Fraction(repr(float(max_fpr)))
    widths = [min(max(most * others - place, Fraction(0)), Fraction(1)) for place in range(others)]
    area = (
        sum((width * hits for width, hits in zip(widths, above, strict=True)), Fraction(0))
        / others
        / total
    )
    if not mcclish:
        return area
    least = most**2 / 2
    return (1 + (area - least) / (most - least)) / 2


@declared.ranked("Gini")
def gini(
    ranked: Ranked, judged: Grades, *, population: int | None = None, grade: int = 1
) -> Fraction | None:
    """Engelmann, Hayden & Tasche 2003: the accuracy ratio, twice the area minus 1."""
    area = area_under_roc(ranked, judged, population=population, grade=grade)
    return None if area is None else 2 * area - 1


@declared.ranked("RankingLoss")
def ranking_loss(
    ranked: Ranked, judged: Grades, *, population: int | None = None, grade: int = 1
) -> Fraction | None:
    """Tsoumakas et al. 2010: share of pairs in which the relevant item is not above the other
    one.
    """
    area = area_under_roc(ranked, judged, population=population, grade=grade)
    return None if area is None else 1 - area
