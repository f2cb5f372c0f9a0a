"""The tests of comparison a second time: slow, literal, from their definitions, importing nothing
of precall.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

#: Fisher, The Design of Experiments, 1935, chapter III: Darwin's plants, crossed and
#: self-fertilised, in eighths of inches.
CROSSED = [188, 96, 168, 176, 153, 172, 177, 163, 146, 173, 186, 168, 177, 184, 96]
SELFED = [139, 163, 160, 160, 147, 149, 149, 122, 132, 144, 130, 144, 102, 124, 144]
#: Student, The probable error of a mean, 1908: hours of sleep gained by two drugs.
SLEEP_1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SLEEP_2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
#: Hollander & Wolfe, Nonparametric Statistical Methods, 1973, table 3.1: depression before and
#: after a tranquillizer.
BEFORE = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
AFTER = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]


def randomization(differences: Sequence[Fraction]) -> Fraction:
    """Share of the 2^n choices of signs whose sum is at least as far from 0."""
    observed = abs(sum(differences))
    sums = [
        abs(sum(sign * one for sign, one in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    return Fraction(sum(one >= observed for one in sums), len(sums))


def midranks(values: Sequence[Fraction]) -> list[Fraction]:
    return [
        Fraction(
            2 * sum(other < one for other in values) + sum(other == one for other in values) + 1, 2
        )
        for one in values
    ]


def wilcoxon(differences: Sequence[Fraction]) -> Fraction:
    """Signed ranks of the differences that are not 0, all signs gone through."""
    moved = [one for one in differences if one]
    ranks = midranks([abs(one) for one in moved])
    return randomization(
        [rank if one > 0 else -rank for rank, one in zip(ranks, moved, strict=True)]
    )


def sign(wins: int, losses: int) -> Fraction:
    """Twice the binomial tail."""
    n = wins + losses
    tail = sum(math.comb(n, i) for i in range(min(wins, losses) + 1))
    return min(Fraction(1), Fraction(2 * tail, 2**n))


def t_statistic(differences: Sequence[float]) -> float:
    n = len(differences)
    mean = math.fsum(differences) / n
    variance = math.fsum((one - mean) ** 2 for one in differences) / (n - 1)
    return mean / math.sqrt(variance / n)


def holm(p: Sequence[float]) -> list[float]:
    """Holm 1979: the i-th smallest times (k - i + 1), never below a smaller one's."""
    order = sorted(range(len(p)), key=p.__getitem__)
    found, least = [0.0] * len(p), 0.0
    for place, one in enumerate(order):
        least = max(least, min(1.0, (len(p) - place) * p[one]))
        found[one] = least
    return found


def hochberg(p: Sequence[float]) -> list[float]:
    """Hochberg 1988: the same from the greatest down."""
    order = sorted(range(len(p)), key=p.__getitem__, reverse=True)
    found, most = [0.0] * len(p), 1.0
    for place, one in enumerate(order):
        most = min(most, (place + 1) * p[one])
        found[one] = most
    return found


def benjamini_hochberg(p: Sequence[float], dependent: bool = False) -> list[float]:
    """Benjamini & Hochberg 1995; with the harmonic factor Benjamini & Yekutieli 2001."""
    k = len(p)
    factor = sum(1 / i for i in range(1, k + 1)) if dependent else 1.0
    order = sorted(range(k), key=p.__getitem__, reverse=True)
    found, most = [0.0] * k, 1.0
    for place, one in enumerate(order):
        most = min(most, factor * k / (k - place) * p[one])
        found[one] = most
    return found


def tukey(matrix: Sequence[Sequence[Fraction]], i: int, j: int) -> Fraction:
    """Share of all choices of a sign per topic whose greatest t of any pair reaches that of two
    systems.

    Signs are those of a pair's departures from its mean; where all are equal, the choice is the one
    that was seen. Squares of t over that and the degrees of freedom, which rise with it, are
    fractions.
    """
    pairs = list(itertools.combinations(range(len(matrix[0])), 2))
    n = len(matrix)

    def share(total: Fraction, squares: Fraction) -> Fraction:
        # t² / (n - 1) = mean² / variance, the variance about that mean.
        return total**2 / (n * squares) if squares else Fraction(int(total != 0))

    def departures(a: int, b: int) -> list[Fraction]:
        gaps = [row[a] - row[b] for row in matrix]
        return [gap - sum(gaps) / n for gap in gaps]

    every = {pair: departures(*pair) for pair in pairs}
    observed = sum(row[i] - row[j] for row in matrix)
    reach = share(observed, sum(one**2 for one in every[i, j]) + Fraction(observed) ** 2 / n)
    count = total = 0
    for signs in itertools.product((1, -1), repeat=n):
        found = [
            share(
                sum(sign * one for sign, one in zip(signs, apart, strict=True)),
                sum(one**2 for one in apart),
            )
            for apart in every.values()
        ]
        count += len(set(signs)) == 1 or max(found) >= reach
        total += 1
    return Fraction(count, total)


def not_rejected(
    differences: Sequence[Fraction], alpha: Fraction
) -> tuple[Fraction, Fraction] | None:
    """The least and the greatest shift of the differences that all choices of signs do not reject;
    None where all are kept.

    p of a shift changes only where it passes a mean of some topics.
    """
    n = len(differences)
    means = sorted(
        {
            Fraction(sum(differences[i] for i in chosen), 1) / len(chosen)
            for size in range(1, n + 1)
            for chosen in itertools.combinations(range(n), size)
        }
    )
    kept = [one for one in means if randomization([gap - one for gap in differences]) > alpha]
    far = means[-1] - means[0] + 1
    if any(
        randomization([gap - shift for gap in differences]) > alpha
        for shift in (means[0] - far, means[-1] + far)
    ):
        return None
    return kept[0], kept[-1]


def measure_of(
    name: str, hits: int, alarms: int, relevant: int, decisions: int, beta: float = 1.0
) -> float:
    if name == "accuracy":
        return (decisions - relevant + hits - alarms) / decisions
    if name == "P":
        return hits / (hits + alarms) if hits + alarms else 0.0
    if name == "R":
        return hits / relevant if relevant else 0.0
    under = beta**2 * relevant + hits + alarms
    return (1 + beta**2) * hits / under if under else 0.0


def yeh(
    hits: Sequence[tuple[int, int]],
    alarms: Sequence[tuple[int, int]],
    relevant: int,
    decisions: int,
    name: str,
    beta: float = 1.0,
) -> Fraction:
    """Yeh 2000: the decisions on every item exchanged or not, in all ways."""

    def apart(sides: Sequence[int]) -> float:
        values = []
        for which in (0, 1):
            found = sum(h[side ^ which] for h, side in zip(hits, sides, strict=True))
            wrong = sum(a[side ^ which] for a, side in zip(alarms, sides, strict=True))
            values.append(measure_of(name, found, wrong, relevant, decisions, beta))
        return abs(values[0] - values[1])

    observed = apart([0] * len(hits))
    every = list(itertools.product((0, 1), repeat=len(hits)))
    return Fraction(sum(apart(sides) >= observed - 1e-12 for sides in every), len(every))


def average_precision(
    relevant: Sequence[bool], score: Sequence[float], weight: Sequence[float] | None = None
) -> float:
    """Recall gained times precision at every distinct score, best first."""
    weight = weight or [1.0] * len(score)
    total = sum(w for w, y in zip(weight, relevant, strict=True) if y)
    value = before = 0.0
    for threshold in sorted(set(score), reverse=True):
        accepted = sum(w for w, s in zip(weight, score, strict=True) if s >= threshold)
        found = sum(
            w for w, s, y in zip(weight, score, relevant, strict=True) if s >= threshold and y
        )
        value += (found - before) / total * found / accepted
        before = found
    return value


def kernel(x: float, y: float) -> float:
    return 1.0 if x > y else 0.5 if x == y else 0.0


def area_under_roc(relevant: Sequence[bool], score: Sequence[float]) -> float:
    positive = [s for s, y in zip(score, relevant, strict=True) if y]
    negative = [s for s, y in zip(score, relevant, strict=True) if not y]
    return sum(kernel(x, y) for x in positive for y in negative) / (len(positive) * len(negative))


def delong(relevant: Sequence[bool], a: Sequence[float], b: Sequence[float]) -> tuple[float, float]:
    """Difference of areas and its variance, by the definition with all pairs (DeLong et al.
    1988).
    """
    positive = [i for i, y in enumerate(relevant) if y]
    negative = [i for i, y in enumerate(relevant) if not y]
    v10 = [
        [sum(kernel(s[i], s[j]) for j in negative) / len(negative) for i in positive]
        for s in (a, b)
    ]
    v01 = [
        [sum(kernel(s[i], s[j]) for i in positive) / len(positive) for j in negative]
        for s in (a, b)
    ]
    variance = 0.0
    for parts in (v10, v01):
        apart = [x - y for x, y in zip(*parts, strict=True)]
        mean = math.fsum(apart) / len(apart)
        variance += math.fsum((one - mean) ** 2 for one in apart) / (len(apart) - 1) / len(apart)
    return math.fsum(v10[0]) / len(positive) - math.fsum(v10[1]) / len(positive), variance


def exchanged(
    relevant: Sequence[bool], a: Sequence[float], b: Sequence[float], measure: str
) -> Fraction:
    """Ranks of every item exchanged between the lists or not, in all ways."""
    value = average_precision if measure == "AP" else area_under_roc
    ranks = [
        [-float(rank) for rank in midranks([Fraction(-one) for one in side])] for side in (a, b)
    ]

    def apart(sides: Sequence[int]) -> float:
        mixed = [[ranks[side ^ which][i] for i, side in enumerate(sides)] for which in (0, 1)]
        return abs(value(relevant, mixed[0]) - value(relevant, mixed[1]))

    observed = apart([0] * len(a))
    every = list(itertools.product((0, 1), repeat=len(a)))
    return Fraction(sum(apart(sides) >= observed - 1e-12 for sides in every), len(every))


def mcnemar_power(items: int, only_a: float, only_b: float, alpha: float) -> float:
    """All tables, each with its chance, and whether the exact test rejects it."""
    power = 0.0
    for x in range(items + 1):
        for y in range(items - x + 1):
            chance = math.comb(items, x) * math.comb(items - x, y) * only_a**x * only_b**y
            chance *= (1 - only_a - only_b) ** (items - x - y)
            if x + y and sign(x, y) <= Fraction(alpha):
                power += chance
    return power
