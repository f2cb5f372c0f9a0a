"""Measures of novelty and diversity, from the papers: of items in order, and the subtopics each
item is relevant to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import fsum, log2

Relevance = Mapping[str, frozenset[str]]
Discount = Callable[[int], float]
#: name → oracle of (ranked, relevance, *, parameters).
DIVERSE: dict[str, Callable[..., Fraction | float | None]] = {}


def diverse(name: str) -> Callable[[Callable[..., Fraction | float | None]], None]:
    """An oracle; None where no item is relevant to a subtopic."""

    def keep(oracle: Callable[..., Fraction | float | None]) -> None:
        DIVERSE[name] = lambda ranked, relevance, **given: (
            oracle(ranked, relevance, **given) if subtopics(relevance) else None
        )

    return keep


def subtopics(relevance: Relevance) -> frozenset[str]:
    """Those that any item is relevant to."""
    return frozenset().union(*relevance.values())


def gain(item: str, above: Sequence[str], relevance: Relevance, alpha: float) -> float:
    """Clarke et al. 2008, (4): sum over the item's subtopics of (1 - alpha)^(items above that are
    relevant to it).
    """
    return fsum(
        (1 - alpha) ** sum(one in relevance.get(other, ()) for other in above)
        for one in relevance.get(item, ())
    )


def cumulated(
    ranked: Sequence[str], relevance: Relevance, alpha: float, discount: Discount
) -> float:
    """Discounted gains of the items in order."""
    return fsum(
        gain(item, ranked[:place], relevance, alpha) / discount(place + 1)
        for place, item in enumerate(ranked)
    )


def best(relevance: Relevance, alpha: float) -> list[str]:
    """Clarke et al. 2008, 3.3: greedily, of equal gains the greatest id as in ndeval."""
    left, chosen = sorted(relevance, key=str.encode, reverse=True), []
    while left:
        # Rounded, as the order in which parts are added is not that of precall.
        chosen.append(max(left, key=lambda item: round(gain(item, chosen, relevance, alpha), 12)))
        left.remove(chosen[-1])
    return chosen


def of_all(relevance: Relevance, cutoff: int, alpha: float, discount: Discount) -> float:
    """ndeval's normalization: items that are relevant to all subtopics."""
    number = len(subtopics(relevance))
    return fsum(
        number * (1 - alpha) ** (rank - 1) / discount(rank) for rank in range(1, cutoff + 1)
    )


def logarithm(rank: int) -> float:
    """That of DCG."""
    return log2(rank + 1)


@diverse("alpha_DCG")
def alpha_dcg(
    ranked: Sequence[str], relevance: Relevance, *, cutoff: int, alpha: float = 0.5
) -> float:
    """Clarke et al. 2008, (5)."""
    return cumulated(ranked[:cutoff], relevance, alpha, logarithm) / of_all(
        relevance, cutoff, alpha, logarithm
    )


@diverse("alpha_nDCG")
def alpha_ndcg(
    ranked: Sequence[str], relevance: Relevance, *, cutoff: int, alpha: float = 0.5
) -> float:
    """Clarke et al. 2008, (6)."""
    ideal = best(relevance, alpha)[:cutoff]
    return cumulated(ranked[:cutoff], relevance, alpha, logarithm) / cumulated(
        ideal, relevance, alpha, logarithm
    )


@diverse("ERR_IA")
def err_ia(ranked: Sequence[str], relevance: Relevance, *, cutoff: int) -> float:
    """Chapelle et al. 2011, (8), binary: mean over subtopics of ERR, over that of a perfect
    ranking.
    """

    def err(order: Sequence[frozenset[str]], one: str) -> Fraction:
        going_on, total = Fraction(1), Fraction(0)
        for rank, relevant in enumerate(order, start=1):
            if one in relevant:
                total += going_on / 2 / rank
                going_on /= 2
        return total

    every = subtopics(relevance)
    order = [relevance.get(item, frozenset()) for item in ranked[:cutoff]]
    return float(
        sum(err(order, one) for one in every) / sum(err([every] * cutoff, one) for one in every)
    )


@diverse("nERR_IA")
def normalized_err_ia(ranked: Sequence[str], relevance: Relevance, *, cutoff: int) -> float:
    """The same over that of the greedily best ranking."""
    ideal = best(relevance, 0.5)[:cutoff]
    return cumulated(ranked[:cutoff], relevance, 0.5, float) / cumulated(
        ideal, relevance, 0.5, float
    )


@diverse("NRBP")
def nrbp(
    ranked: Sequence[str], relevance: Relevance, *, alpha: float = 0.5, beta: float = 0.5
) -> float:
    """Clarke et al. 2009, (9): (1 - (1 - alpha) beta) / N sum of beta^(k - 1) gain."""
    value = cumulated(ranked, relevance, alpha, lambda rank: beta ** (1 - rank))
    return (1 - (1 - alpha) * beta) / len(subtopics(relevance)) * value


@diverse("nNRBP")
def nnrbp(
    ranked: Sequence[str], relevance: Relevance, *, alpha: float = 0.5, beta: float = 0.5
) -> float:
    """The same over that of the greedily best ranking."""

    def value(order: Sequence[str]) -> float:
        return cumulated(order, relevance, alpha, lambda rank: beta ** (1 - rank))

    return value(ranked) / value(best(relevance, alpha))


@diverse("AP_IA")
def ap_ia(ranked: Sequence[str], relevance: Relevance) -> Fraction:
    """Agrawal et al. 2009, 5.1: mean over subtopics of AP."""
    every = subtopics(relevance)
    total = Fraction(0)
    for one in every:
        good = [one in relevance.get(item, ()) for item in ranked]
        hits = [
            Fraction(sum(good[: place + 1]), place + 1) for place, hit in enumerate(good) if hit
        ]
        total += sum(hits, Fraction(0)) / sum(one in several for several in relevance.values())
    return total / len(every)


@diverse("P_IA")
def precision_ia(ranked: Sequence[str], relevance: Relevance, *, cutoff: int) -> Fraction:
    """Agrawal et al. 2009, 5.1: mean over subtopics of precision at k."""
    cells = sum(len(relevance.get(item, ())) for item in ranked[:cutoff])
    return Fraction(cells, cutoff * len(subtopics(relevance)))


@diverse("StRecall")
def subtopic_recall(ranked: Sequence[str], relevance: Relevance, *, cutoff: int) -> Fraction:
    """Zhai et al. 2003, 3: subtopics among the first k items, of all there are."""
    seen = frozenset().union(*(relevance.get(item, frozenset()) for item in ranked[:cutoff]))
    return Fraction(len(seen), len(subtopics(relevance)))
