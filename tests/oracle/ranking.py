"""Rankings: from scores to an order, one way or all ways, and what counts as relevant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, permutations, product
from math import factorial

Scores = Mapping[str, float]
Grades = Mapping[str, int]
Ranked = Sequence[str]


def docno(scores: Scores) -> list[str]:
    """trec_eval's order: score descending, then item id descending by its bytes."""
    by_id = sorted(scores, key=lambda item: item.encode(), reverse=True)
    # Python's sort is stable, also when reversed: equal scores keep the order of ids.
    return sorted(by_id, key=lambda item: float(scores[item]), reverse=True)


def as_listed(scores: Scores) -> list[str]:
    """Score descending; equal scores as the run lists them."""
    return sorted(scores, key=lambda item: float(scores[item]), reverse=True)


def blocks(scores: Scores) -> list[list[str]]:
    """Items of equal score together, best score first."""
    return [
        list(block) for _, block in groupby(docno(scores), key=lambda item: float(scores[item]))
    ]


def number_of_orders(scores: Scores) -> int:
    """How many orders respect the scores."""
    count = 1
    for block in blocks(scores):
        count *= factorial(len(block))
    return count


def every_order(scores: Scores) -> Iterator[list[str]]:
    """All orders that respect the scores, each as likely as any other."""
    for parts in product(*(permutations(block) for block in blocks(scores))):
        yield [item for part in parts for item in part]


def judged_only(ranked: Ranked, judged: Grades) -> list[str]:
    """Condensed list (Sakai 2007): items without a grade of 0 or more are taken out."""
    return [item for item in ranked if judged.get(item, -1) >= 0]


def relevance(ranked: Ranked, judged: Grades, grade: int) -> list[bool]:
    """Per rank: whether its item is relevant; an item without judgement is not."""
    return [item in judged and judged[item] >= grade for item in ranked]


def relevant(judged: Grades, grade: int) -> int:
    """R: relevant items that exist, retrieved or not."""
    return sum(1 for level in judged.values() if level >= grade)


def nonrelevant(judged: Grades, grade: int) -> int:
    """N: items judged and found not relevant; negative grades are no judgement."""
    return sum(1 for level in judged.values() if 0 <= level < grade)
