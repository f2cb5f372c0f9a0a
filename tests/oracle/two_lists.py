"""Two scored lists of cases with weights, in groups, with missed items: by plain loops; nothing of
precall is imported.

Influences are derivatives of the measure by the weight of a case, taken numerically.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.oracle import scored_intervals


def partial_area(
    relevant: Sequence[bool],
    score: Sequence[float],
    weight: Sequence[float],
    most: float,
    missed: float = 0.0,
) -> float:
    """Trapezoids under the ROC curve from one block of equal scores to the next, up to a false
    positive rate.
    """
    cases = list(zip(relevant, score, weight, strict=True))
    hits = sum(w for r, _, w in cases if r) + missed
    others = sum(w for r, _, w in cases if not r)
    area = x = y = 0.0
    for threshold in sorted(set(score), reverse=True):
        fpr = sum(w for r, s, w in cases if not r and s >= threshold) / others
        tpr = sum(w for r, s, w in cases if r and s >= threshold) / hits
        end = min(fpr, most)
        if end > x:
            at_end = y + (tpr - y) * (end - x) / (fpr - x)
            area += (end - x) * (y + at_end) / 2
        if fpr > most:
            break
        x, y = fpr, tpr
    return area


def measured(name: str, most: float = 1.0):
    """The measure as a function of labels, scores, weights and missed items."""
    if name == "part":
        return lambda *given: partial_area(*given[:3], most, *given[3:])
    return {"AP": scored_intervals.average_precision, "AUC": scored_intervals.area_under_roc}[name]


def influences(name: str, relevant, score, weight, missed: float = 0.0, most: float = 1.0):
    """Of every case, and of a missed item."""
    return scored_intervals.derivatives(measured(name, most), relevant, score, weight, missed)


def variance(name: str, relevant, a, b, weight, missed: int = 0, most: float = 1.0) -> float:
    """Of the difference: Σ w² (U - V)²; of areas n / (n - 1) times that of each class, n being
    (Σw)² / Σw².
    """
    (of_a, lost_a), (of_b, lost_b) = (
        influences(name, relevant, s, weight, missed, most) for s in (a, b)
    )
    total = 0.0
    for kind in (True, False):
        inside = [i for i, r in enumerate(relevant) if bool(r) == kind]
        squares = sum((weight[i] * (of_a[i] - of_b[i])) ** 2 for i in inside)
        size = sum(weight[i] for i in inside) ** 2 / sum(weight[i] ** 2 for i in inside)
        if kind:
            squares += missed * (lost_a - lost_b) ** 2
            size += missed
        total += squares if name == "AP" else squares * size / (size - 1)
    return total


def obuchowski(relevant, a, b, group) -> tuple[float, float]:
    """Difference of areas and its variance: Obuchowski (1997), Biometrics 53, of V10 and V01 added
    over each cluster.
    """
    hits = [i for i, r in enumerate(relevant) if r]
    others = [i for i, r in enumerate(relevant) if not r]
    m, n, clusters = len(hits), len(others), sorted(set(group))

    def wins(s, i: int, j: int) -> float:
        return 1.0 if s[i] > s[j] else 0.5 if s[i] == s[j] else 0.0

    apart = [[wins(a, i, j) - wins(b, i, j) for j in others] for i in hits]
    theta = sum(map(sum, apart)) / (m * n)
    v10 = {i: sum(row) / n for i, row in zip(hits, apart, strict=True)}
    v01 = {j: sum(row[place] for row in apart) / m for place, j in enumerate(others)}
    of_hits = {c: sum(v10[i] - theta for i in hits if group[i] == c) for c in clusters}
    of_others = {c: sum(v01[j] - theta for j in others if group[j] == c) for c in clusters}
    i10 = len({group[i] for i in hits})
    i01 = len({group[j] for j in others})
    s10 = i10 / ((i10 - 1) * m) * sum(x**2 for x in of_hits.values())
    s01 = i01 / ((i01 - 1) * n) * sum(x**2 for x in of_others.values())
    s11 = len(clusters) / (len(clusters) - 1) * sum(of_hits[c] * of_others[c] for c in clusters)
    return theta, s10 / m + s01 / n + 2 * s11 / (m * n)


def he_escobar(relevant, score, most: float) -> tuple[float, float]:
    """A part of the area and its variance, of untied scores and a whole number of others within:
    V10 and V01 of the paper.

    V10 of a relevant case: the share of the others within that score less; V01 of another one: the
    share of relevant ones above it, but no more than above the last within, which every case more
    or less moves.
    """
    hits = [s for r, s in zip(relevant, score, strict=True) if r]
    others = sorted((s for r, s in zip(relevant, score, strict=True) if not r), reverse=True)
    within = round(most * len(others))
    # The curve rises at the rate itself, and its height there is the mean of both ends.
    last, after = others[within - 1], others[within] if within < len(others) else -np.inf
    height = (np.mean([y > last for y in hits]) + np.mean([y > after for y in hits])) / 2
    v10 = [sum(y > x for x in others[:within]) / len(others) for y in hits]
    v01 = [
        np.mean([y > x for y in hits]) if place < within else height
        for place, x in enumerate(others)
    ]
    return float(np.mean(v10)), float(
        np.var(v10, ddof=1) / len(v10) + np.var(v01, ddof=1) / len(v01)
    )
