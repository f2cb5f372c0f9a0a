"""Preferences (-R prefs, -R qrels_prefs): which of two items a judge prefers.

Measures say how far the ranking agrees. The judged items of a topic are numbered: retrieved items
by rank, then the others by id. A judgement group is one judge; within it, an item at a higher level
is preferred to those at lower levels. A group of one subgroup is kept as classes of equal level, a
group of several as a matrix, closed under transitivity. A preference of i over j is met if i < j
and i was retrieved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.compat.trec_eval.inputs import TOPIC, Exit, Judgement
from precall.compat.trec_eval.rankings import Values
from precall.core.ragged import Bool, Float64, Int64, total

#: Which preferences count: both items retrieved, at least one retrieved, or all.
RETRIEVED, IMPLIED, ALL = 1, 2, 3
#: One judgement of a numbered item: subgroup, level, number.
Numbered = tuple[bytes, float, int]


@dataclass(frozen=True)
class Group:
    """One judge's preferences: `wanted[i, j]` counts those for i over j; retrieved items come
    first.

    `classes` are the items by level, highest first, if the group has one subgroup.
    """

    wanted: Int64
    level: Float64
    """Level of each item; NaN if the group does not judge it."""
    retrieved: int
    classes: list[Int64] | None
    relevant: int
    nonrelevant: int
    relevant_retrieved: int
    nonrelevant_retrieved: int

    def met(self, scope: int) -> int:
        """The number of preferences that are met, of those that count."""
        n = self.retrieved
        return int(
            np.triu(self.wanted[:n, :n]).sum() + (scope > RETRIEVED) * self.wanted[:n, n:].sum()
        )

    def possible(self, scope: int) -> int:
        """The number of preferences that count."""
        n = self.retrieved
        if scope == RETRIEVED:
            return int(self.wanted[:n, :n].sum())
        return int(self.wanted.sum() - (scope == IMPLIED) * self.wanted[n:, n:].sum())


#: All groups of a topic.
Topic = list[Group]


def of_topic(
    value: Callable[[Topic, int], float], scope: int = ALL
) -> Callable[[Sequence[Topic], Any], Values]:
    """A measure, from a function of one topic and of the scope of preferences that count."""
    return lambda topics, _: [np.array([value(topic, scope) for topic in topics], np.float64)]


def topic_of(judgements: Sequence[Judgement], ranking: Iterable[bytes]) -> Topic:
    """Number the items and form the groups of one topic."""
    items = {item for *_, item in judgements}
    seen = [item for item in ranking if item in items]
    number = {item: index for index, item in enumerate([*seen, *sorted(items.difference(seen))])}
    rows = sorted(
        (group, subgroup, -level, number[item]) for group, subgroup, level, item in judgements
    )
    return [
        _group(
            [(subgroup, -level, index) for _, subgroup, level, index in some],
            len(number),
            len(seen),
        )
        for _, some in groupby(rows, key=lambda row: row[0])
    ]


def _group(rows: list[Numbered], size: int, retrieved: int) -> Group:
    if len({subgroup for subgroup, *_ in rows}) > 1:
        return _partial_group(rows, size, retrieved)
    levels = [level for level, _ in groupby(rows, key=lambda row: row[1])]
    members_of = [
        [index for *_, index in some] for _, some in groupby(rows, key=lambda row: row[1])
    ]
    classes = [np.array(members, np.int64) for members in members_of]
    wanted = np.zeros((size, size), np.int64)
    for better, worse in combinations(classes, 2):
        if np.intersect1d(better, worse).size:
            raise Exit(TOPIC, "trec_eval: an item has different levels in one judgement subgroup")
        np.add.at(wanted, (better[:, None], worse[None, :]), 1)
    level = np.full(size, np.nan)
    for value, members in zip(levels, classes, strict=True):
        level[members] = value
    relevant = np.repeat(np.array(levels) > 0, [len(members) for members in classes])
    numbers = np.concatenate(classes)
    counts = [
        int((flags & (numbers < limit)).sum())
        for limit in (size, retrieved)
        for flags in (relevant, ~relevant)
    ]
    return Group(wanted, level, retrieved, classes, *counts)


def _partial_group(rows: list[Numbered], size: int, retrieved: int) -> Group:
    """A group with several subgroups, each of which orders some of the items."""
    level = np.full(size, np.nan)
    wanted = np.zeros((size, size), np.bool_)
    for _, some in groupby(rows, key=lambda row: row[0]):
        judgements = list(some)
        for _, value, index in judgements:
            if (level[index] > 0 and value == 0) or (level[index] == 0 and value > 0):
                raise Exit(
                    TOPIC, "trec_eval: an item has a 0 and a non-0 level in one judgement group"
                )
            level[index] = value
            wanted[index, [other for _, lower, other in judgements if lower < value]] = True
    closed = _close(wanted)
    # Items that this group does not judge are NaN: neither relevant nor nonrelevant.
    counts = [
        int(flags[:limit].sum()) for limit in (size, retrieved) for flags in (level > 0, level == 0)
    ]
    return Group(closed.astype(np.int64), level, retrieved, None, *counts)


def _close(wanted: Bool) -> Bool:
    """The preferences with all that follow from them; refused if an item is preferred to itself."""
    np.fill_diagonal(wanted, True)
    while True:
        further = (wanted.astype(np.float32) @ wanted.astype(np.float32)) > 0
        if np.array_equal(further, wanted):
            break
        wanted = further
    np.fill_diagonal(wanted, False)
    if np.any(wanted & wanted.T):
        raise Exit(TOPIC, "trec_eval: a judgement group prefers two items to each other")
    return wanted


def number_possible(topic: Topic, scope: int) -> float:
    """The number of preferences."""
    return sum(group.possible(scope) for group in topic)


def number_fulfilled(topic: Topic, scope: int) -> float:
    """The number of preferences that are met."""
    return sum(group.met(scope) for group in topic)


def ratio(topic: Topic, scope: int) -> float:
    """The share of the preferences that are met."""
    return _share(number_fulfilled(topic, scope), number_possible(topic, scope))


def mean_ratio(topic: Topic, scope: int) -> float:
    """The mean over groups of the share of preferences that are met."""
    return _mean(_share(group.met(scope), group.possible(scope)) for group in topic)


def mean_ratio_balanced(topic: Topic, scope: int) -> float:
    """The mean over groups of the share met, with as many nonrelevant items as relevant ones."""
    return _mean(_balance(group, scope) for group in topic)


def pairs(topic: Topic, scope: int) -> float:
    """Mean over judged pairs of the share of their preferences that are met."""
    wanted = np.asarray(sum(group.wanted for group in topic), np.int64)
    seen, unseen = slice(0, topic[0].retrieved), slice(topic[0].retrieved, None)
    agreed = []
    for sides in ((seen, seen), (seen, unseen), (unseen, unseen))[:scope]:
        forward, both = wanted[sides], (wanted + wanted.T)[sides]
        judged = np.triu(both > 0, 1) if sides[0] == sides[1] else both > 0
        agreed.append(forward[judged] / both[judged])
    # No preference between two items that were not retrieved is met.
    return _share(total(np.concatenate(agreed[:2])), sum(map(len, agreed)))


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _mean(values: Iterable[float]) -> float:
    # One group without a preference (NaN, from _balanced) makes the topic 0, as in trec_eval.
    numbers = list(values)
    summed = total(np.array(numbers))
    return summed / len(numbers) if summed > 0 else 0.0


def _quotient(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _balance(group: Group, scope: int) -> float:
    retrieved = scope == RETRIEVED
    size = group.retrieved if retrieved else len(group.level)
    relevant = group.relevant_retrieved if retrieved else group.relevant
    extra = relevant - (group.nonrelevant_retrieved if retrieved else group.nonrelevant)
    if extra >= 0:
        possible = group.possible(scope) + group.relevant * extra
        return _quotient(group.met(scope) + group.relevant_retrieved * extra, possible)
    if group.classes is None:
        return _without(group, group.relevant, size)
    # trec_eval compares the nonrelevant items that are kept with all items, also nonrelevant ones.
    kept = group.classes[-1][:relevant]
    kept, classes = kept[kept < size], [members[members < size] for members in group.classes]
    met = possible = 0
    for better, worse in (
        *combinations(classes[:-1], 2),
        *((members, kept) for members in classes),
    ):
        first = better[:, None]
        met += int(((first < worse) & (first < group.retrieved)).sum())
        possible += len(better) * len(worse)
    return _quotient(met, possible)


def _without(group: Group, kept: int, size: int) -> float:
    """The share met among the first `size` items; only `kept` nonrelevant ones count."""
    wrong = np.flatnonzero(group.level[:size] == 0)
    stays: npt.NDArray[np.bool_] = np.ones(size, np.bool_)
    stays[wrong[kept:]] = False
    wanted = group.wanted[:size, :size] * (stays[:, None] & stays[None, :])
    n = group.retrieved
    met = int(np.triu(wanted[:n, :n]).sum() + wanted[:n, n:].sum())
    return _quotient(met, int(wanted.sum()))
