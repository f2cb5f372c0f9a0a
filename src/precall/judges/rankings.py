"""The first items of runs: what people must label, and how far runs disagree."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from precall.core.conventions import Conventions
from precall.core.ragged import Float64
from precall.evaluation.api import evaluate_by
from precall.measures import Measure
from precall.read.columns import Qrels, Run

#: Beyond this rank no item counts for how far runs disagree by a measure without a cutoff.
_DEEP = 100


def first_items(run: Run, depth: int, ties: str, topics: Collection[str]) -> dict[str, list[str]]:
    """By topic, the items that may be in the first ranks: those whose score is at least that of the
    last, unless ids break ties.

    Parameters
    ----------
    run : a run.
    depth : how many ranks.
    ties : how ties are broken.
    topics : the topics that are asked for.
    """
    found: dict[str, list[str]] = {}
    score = run.sort_key
    if run.score_dtype == "float32":
        score = score.astype(np.float32).astype(np.float64)
    for place, topic in enumerate(run.topics.tolist()):
        if topic not in topics:
            continue
        begin, end = run.row_start[place : place + 2].tolist()
        items = run.items.rows(begin, end).tolist()
        own = score[begin:end]
        if ties == "docno":
            order = sorted(
                range(len(items)), key=lambda row: (own[row], items[row].encode()), reverse=True
            )[:depth]
        else:
            last = np.sort(own)[::-1][:depth].min(initial=np.inf)
            order = [row for row in np.argsort(-own, kind="stable").tolist() if own[row] >= last]
        found[topic] = [items[row] for row in order]
    return found


def counts_all_relevant(measure: Measure, conventions: Conventions) -> bool:
    """Whether relevant items that no run returned change the measure, as they change recall, AP and
    nDCG.
    """
    cutoff = measure.parameters.get("cutoff") or 0
    ranked = {"q": {f"d{i}": -float(i) for i in range(cutoff + 2)}}
    grade = conventions.grade
    few = {"q": {"d0": grade, "d1": 0}}
    more = {"q": few["q"] | {f"other{i}": grade for i in range(cutoff + 3)}}
    plain = Conventions(grade=grade)
    values = [
        evaluate_by(plain, qrels, ranked, [measure], 0, 1, None).mean[measure.name]
        for qrels in (few, more)
    ]
    return values[0] != values[1]


def items_to_label(
    topics: Collection[str],
    judge: Qrels,
    runs: Mapping[str, Run],
    measure: Measure,
    conventions: Conventions,
) -> Callable[[str], set[str]]:
    """What people must label of a topic: the first items of every run, as deep as the measure
    looks, and all that the judge labelled if items that were not returned count as well.

    Parameters
    ----------
    topics : the topics that people label.
    judge : the judge's labels.
    runs : by name.
    measure : what is measured.
    conventions : those of `evaluate`.
    """
    cutoff = measure.parameters.get("cutoff")
    ranked: list[dict[str, list[str]]] = []
    if cutoff is not None:
        ranked = [first_items(run, cutoff, conventions.ties, topics) for run in runs.values()]
    is_pool = cutoff is None or counts_all_relevant(measure, conventions)
    place = {topic: index for index, topic in enumerate(judge.topics.tolist())}

    def items(topic: str) -> set[str]:
        found = {item for first in ranked for item in first.get(topic, ())}
        if is_pool and topic in place:
            begin, end = judge.row_start[place[topic] : place[topic] + 2].tolist()
            found |= set(judge.items.rows(begin, end).tolist())
        return found

    return items


def disagreement(
    topics: Sequence[str], runs: Mapping[str, Run], measure: Measure, ties: str
) -> Float64:
    """How far the runs disagree in each topic: 0 if all have the same items in the same first
    ranks, and the more, the more items do not count alike for all.

    It is the root of the sum over items of the variance, over runs, of what the item's label counts
    for: 1 / k in the first k ranks by P@k, and 1 / log2(1 + rank) by other measures. If the judge
    errs alike in all labels, the difference of two runs by people is off from that by the judge in
    proportion to it.

    Parameters
    ----------
    topics : the topics.
    runs : by name, two or more.
    measure : what is measured.
    ties : how ties are broken.
    """
    cutoff = measure.parameters.get("cutoff")
    depth = _DEEP if cutoff is None else cutoff
    wanted = set(topics)
    is_flat = measure.declaration.name == "P"
    ranked: list[dict[str, list[str]]] = [
        first_items(run, depth, ties, wanted) for run in runs.values()
    ]
    spread = []
    for topic in topics:
        by_item: dict[str, Any] = {}
        for index, first in enumerate(ranked):
            for rank, item in enumerate(first.get(topic, ())[:depth], 1):
                counted = by_item.setdefault(item, np.zeros(len(ranked)))
                counted[index] = 1 / depth if is_flat else 1 / np.log2(1 + rank)
        variance = np.var(np.array(list(by_item.values())), axis=1, ddof=1) if by_item else 0.0
        spread.append(float(np.sqrt(np.sum(variance))))
    return np.array(spread)
