"""Measures by models of a user who goes down a ranking, rank by rank in exact or plain numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import fsum, log2

from tests.oracle import declared
from tests.oracle.ranking import Grades, Ranked, relevance

#: The chance to go on from a rank (from 1), by the gain there and all gained down to it.
GoOn = Callable[[int, float, float], float]


def gains(ranked: Ranked, judged: Grades, most: int, depth: int) -> list[float]:
    """Gains from 0 to 1 at each rank; 0 where nothing is judged, and below the end."""
    inside = [min(max(judged.get(item, 0), 0), most) / most for item in ranked[:depth]]
    return inside + [0.0] * (depth - len(inside))


def mean_gain(gained: list[float], go_on: GoOn) -> float:
    """Azzopardi et al. 2019, (1)-(3): sum of W_i g_i, W_i in proportion to the product of C_1 ...
    C_(i-1).
    """
    reached, so_far, weights = 1.0, 0.0, []
    for rank, gain in enumerate(gained, start=1):
        weights.append(reached)
        so_far += gain
        reached *= go_on(rank, gain, so_far)
    return fsum(weight * gain for weight, gain in zip(weights, gained, strict=True)) / fsum(weights)


def square(rank: int, wanted: float) -> float:
    """Moffat et al. 2012: ((i + 2T - 1) / (i + 2T))^2."""
    return ((rank + wanted - 1) / (rank + wanted)) ** 2


@declared.ranked("INSQ")
def insq(
    ranked: Ranked, judged: Grades, *, max_rel: int, wanted: float = 1.0, cutoff: int = 1000
) -> float:
    """Moffat, Scholer & Thomas 2012: W_i in proportion to 1 / (i + 2T - 1)^2."""
    gained = gains(ranked, judged, max_rel, cutoff)
    weights = [1 / (rank + 2 * wanted - 1) ** 2 for rank in range(1, cutoff + 1)]
    return fsum(weight * gain for weight, gain in zip(weights, gained, strict=True)) / fsum(weights)


@declared.ranked("INST")
def inst(
    ranked: Ranked, judged: Grades, *, max_rel: int, wanted: float = 1.0, cutoff: int = 1000
) -> float:
    """Moffat et al. 2015, (3): C_i = ((i + T + T_i - 1) / (i + T + T_i))^2, T_i = T - gain so
    far.
    """
    gained = gains(ranked, judged, max_rel, cutoff)
    return mean_gain(gained, lambda rank, gain, so_far: square(rank, wanted + wanted - so_far))


@declared.ranked("BPM")
def bejeweled(
    ranked: Ranked, judged: Grades, *, cutoff: int, max_rel: int, wanted: float = 1.0
) -> float:
    """Zhang et al. 2017, static: mean gain down to the first rank with benefit T or cost k."""
    total, rank = 0.0, 0
    for rank, gain in enumerate(gains(ranked, judged, max_rel, cutoff), start=1):  # noqa: B007 - where it stops
        total += gain
        if total >= wanted:
            break
    return total / rank


@declared.ranked("SDCG")
def scaled_dcg(ranked: Ranked, judged: Grades, *, cutoff: int, max_rel: int) -> float:
    """Jarvelin & Kekalainen 2002, over the discounts of the first k ranks."""
    gained = gains(ranked, judged, max_rel, cutoff)
    discounts = [1 / log2(rank + 1) for rank in range(1, cutoff + 1)]
    return fsum(weight * gain for weight, gain in zip(discounts, gained, strict=True)) / fsum(
        discounts
    )


@declared.ranked("NERR8")
def nearly_8(ranked: Ranked, judged: Grades, *, cutoff: int, max_rel: int) -> float:
    """Azzopardi, Mackenzie & Moffat 2021, (8): C_i = 1 - g_i, down to k."""
    return mean_gain(gains(ranked, judged, max_rel, cutoff), lambda rank, gain, so_far: 1 - gain)


@declared.ranked("NERR9")
def nearly_9(ranked: Ranked, judged: Grades, *, cutoff: int, max_rel: int) -> float:
    """(9): C_i = i / (i + 1) (1 - g_i), down to k."""
    gained = gains(ranked, judged, max_rel, cutoff)
    return mean_gain(gained, lambda rank, gain, so_far: rank / (rank + 1) * (1 - gain))


@declared.ranked("NERR10")
def nearly_10(
    ranked: Ranked, judged: Grades, *, max_rel: int, p: float = 0.9, cutoff: int = 1000
) -> float:
    """(10): C_i = p (1 - g_i)."""
    return mean_gain(
        gains(ranked, judged, max_rel, cutoff), lambda rank, gain, so_far: p * (1 - gain)
    )


@declared.ranked("NERR11")
def nearly_11(
    ranked: Ranked, judged: Grades, *, max_rel: int, wanted: float = 1.0, cutoff: int = 1000
) -> float:
    """(11): C_i = ((i + 2T - 1) / (i + 2T))^2 (1 - g_i)."""
    gained = gains(ranked, judged, max_rel, cutoff)
    return mean_gain(gained, lambda rank, gain, so_far: square(rank, 2 * wanted) * (1 - gain))


@declared.ranked("Compat")
def compatibility(
    ranked: Ranked, judged: Grades, *, p: float = 0.95, normalize: bool = True
) -> float | None:
    """Clarke et al. 2021, 2.2: RBO with the best ranking, sum of p^(d-1) |common to depth d| / d,
    over its own.
    """
    good = [item for item in judged if judged[item] > 0]
    if not good:
        return None
    place = {item: rank for rank, item in enumerate(ranked)}
    best = sorted(good, key=lambda item: (-judged[item], place.get(item, len(ranked))))
    depth = max(len(ranked), len(best))

    def overlap(first: Sequence[str], second: Sequence[str]) -> float:
        return fsum(
            p ** (d - 1) * len({*first[:d]} & {*second[:d]}) / d for d in range(1, depth + 1)
        )

    return overlap(ranked, best) / (
        overlap(best, best) if normalize else fsum(p**d for d in range(depth))
    )


@declared.ranked("PairAccuracy")
def pair_accuracy(
    ranked: Ranked, judged: Grades, *, cutoff: int | None = None, grade: int = 1
) -> Fraction | None:
    """MacAvaney et al. 2022, Accuracy: pairs of a relevant and another retrieved item, the relevant
    one above.
    """
    good = relevance(ranked[:cutoff], judged, grade)
    pairs = [
        (a, b)
        for a, first in enumerate(good)
        if first
        for b, second in enumerate(good)
        if not second
    ]
    return Fraction(sum(a < b for a, b in pairs), len(pairs)) if pairs else None
