"""The rankings under evaluation, in trec_eval's view, and precall's measures of them under its conventions.

A measure takes the rankings and a family's parameters, and returns one array per printed name. Where precall says
undefined (NaN), trec_eval says 0. What stands here in full are the few measures that trec_eval defines otherwise than the
rest of the world, or alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from precall import ragged
from precall.location.hits import Hits
from precall.location.located import Located
from precall.measures import REGISTRY, binary, gains
from precall.ragged import Float64, Int64
from precall.read.columns import Ids, Run

Values = list[Float64]
#: Least value that counts in a geometric mean.
FLOOR = 1e-5
#: What 10.0 lets a topic without results retrieve, when -c is given.
PLACEHOLDER = b"ceci_nest_pas_un_docno"
#: Grades of what was retrieved and is not judged.
NOT_POOLED, NOT_JUDGED = -1, -2


@dataclass(frozen=True)
class Rankings:
    """Judged rankings of the evaluated topics, after -M and -J; `level` is -l, `collection` is -N."""

    located: Located
    level: int
    collection: int
    version: str

    def __len__(self) -> int:
        return len(self.located)

    @cached_property
    def hits(self) -> Hits:
        """The relevant items that were retrieved."""
        return self.located.hits(self.level)

    @cached_property
    def dense(self) -> tuple[Int64, Int64]:
        """The grade at every rank, rankings one after another, and where each ranking begins."""
        located = self.located
        start = np.concatenate(([0], np.cumsum(located.retrieved)))
        grades = np.full(start[-1], NOT_POOLED, np.int64)
        place = start[:-1][located.ranking] + located.rank - 1
        grades[place] = np.where(located.grade < 0, NOT_JUDGED, located.grade)
        return grades, start

    def grades(self) -> Iterator[Int64]:
        """The grades by rank of each ranking in turn."""
        grades, start = self.dense
        for first, last in pairwise(start.tolist()):
            yield grades[first:last]

    def levels(self) -> Iterator[Int64]:
        """For each ranking: how many items of the qrels have grade 0, 1, ... up to the highest there is."""
        located = self.located
        start = ragged.starts(located.total_ranking, len(located)).tolist()
        for first, last in pairwise(start):
            grade, count = located.total_grade[first:last], located.total_count[first:last]
            judged = grade >= 0
            yield np.bincount(grade[judged], weights=count[judged]).astype(np.int64)


def with_placeholders(run: Run, topics: list[bytes]) -> Run:
    """The run, with one unjudged item for each of the topics it lacks."""
    items = Ids.of([PLACEHOLDER] * len(topics))
    return replace(
        run, topics=run.topics.joined(Ids.of(topics)), items=run.items.joined(items),
        row_start=np.concatenate((run.row_start, run.row_start[-1] + 1 + np.arange(len(topics)))),
        score=np.concatenate((run.score, np.ones(len(topics)))), located={},
    )  # fmt: skip


def total(values: Float64) -> float:
    """Sum, one after another, so that its digits are those of a plain loop."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def defined(values: Any) -> Float64:
    """Undefined is 0."""
    return np.nan_to_num(np.asarray(values, np.float64), nan=0.0, posinf=np.inf, neginf=-np.inf)


def of_hits(formula: Callable[..., Any]) -> Callable[[Rankings, Any], Values]:
    """A binary measure without parameters."""
    return lambda rankings, _: [defined(formula(rankings.hits))]


def ranked(name: str) -> Callable[..., Any]:
    """The formula of a measure of counts in one of its forms for rankings: "P" at a cutoff, "SetP"."""
    return REGISTRY.of(name, Hits).formula


def of_cutoffs(formula: Callable[..., Any]) -> Callable[[Rankings, Sequence[int]], Values]:
    """A binary measure at several cutoffs."""
    return lambda rankings, ks: [defined(formula(rankings.hits, cutoff=cutoff)) for cutoff in ks]


def of_judged(formula: Callable[..., Any]) -> Callable[[Rankings, Any], Values]:
    """A measure that tells judged items from unjudged ones."""
    return lambda rankings, _: [defined(formula(rankings.located, grade=rankings.level))]


def ndcg_at(rankings: Rankings, ks: Sequence[int]) -> Values:
    """nDCG at cutoffs; grades are the gains, -l plays no part."""
    return [defined(gains.ndcg(rankings.located, cutoff=cutoff)) for cutoff in ks]


def unjudged(rankings: Rankings, ks: Sequence[int]) -> Values:
    """Share of the first k ranks that hold an unjudged item; ranks past the end hold none."""
    judged = rankings.located.hits(0)
    return [(np.minimum(judged.retrieved, cutoff) - judged.within(cutoff)) / cutoff for cutoff in ks]


def logarithm(formula: Callable[..., Any]) -> Callable[[Rankings, Any], Values]:
    """What a geometric mean adds up."""
    return lambda rankings, parameters: [np.log(np.maximum(formula(rankings, parameters)[0], FLOOR))]


def set_f(rankings: Rankings, parameters: Sequence[float]) -> Values:
    """F of the retrieved set: (x + 1) P R / (x P + R); x is beta squared, and may be 0 or less."""
    hits, x = rankings.hits, parameters[0]
    precise = hits.found / hits.retrieved
    recalled = hits.found / hits.relevant
    return [np.where(hits.found > 0, (x + 1) * precise * recalled / (x * precise + recalled), 0.0)]


def utility(rankings: Rankings, parameters: Sequence[float]) -> Values:
    """Linear utility of the retrieved set."""
    found, nonrelevant, missed, rejected = parameters
    return [
        defined(
            binary.utility(
                rankings.hits, found=found, nonrelevant=nonrelevant, missed=missed, rejected=rejected,
                population=rankings.collection,
            )
        )
    ]  # fmt: skip


def hits_needed(rankings: Rankings, share: float) -> Int64:
    """Hits at which trec_eval takes a recall as reached: 9 adds .9 and truncates, 10 rounds halves up."""
    exact = share * rankings.hits.relevant
    if rankings.version == "9.0.8":
        return np.asarray(np.trunc(exact + 0.9), np.int64)
    below = np.trunc(exact)
    return np.asarray(below + np.where(np.abs(exact - below) >= 0.5, np.sign(exact), 0), np.int64)


def best_precision(rankings: Rankings, needed: Int64) -> Float64:
    """Best precision at any rank from the one that holds the `needed`-th hit; 0 where that is missed."""
    hits = rankings.hits
    precise = np.where(hits.order >= needed[hits.ranking], hits.order / hits.location, 0.0)
    return ragged.maxima(precise, hits.ranking, len(hits), 0.0)


def interpolated(rankings: Rankings, shares: Sequence[float]) -> Values:
    """Interpolated precision at recall points."""
    return [best_precision(rankings, hits_needed(rankings, share)) for share in shares]


def interpolated_mean(rankings: Rankings, shares: Sequence[float]) -> Values:
    """Mean of the interpolated precision over recall points, added from the last to the first.

    Points are taken in the order given. One that asks for more hits than the one after it is never
    met, and from there on all count as recall 0: so does trec_eval.
    """
    hits = rankings.hits.found
    total = np.zeros(len(rankings))
    limit, stuck = hits.copy(), np.zeros(len(rankings), np.bool_)
    begun = np.zeros(len(rankings), np.bool_)
    for share in reversed(shares):
        needed = hits_needed(rankings, share)
        begun |= needed <= hits
        met = begun & ~stuck & (needed <= limit) & (needed > 0)
        stuck |= begun & ~met
        total += np.where(begun, best_precision(rankings, np.where(met, needed, 0)), 0.0)
        limit = np.where(met, needed, limit)
    return [total / len(shares)]


def multiples_of_r(rankings: Rankings, shares: Sequence[float]) -> Values:
    """Precision at multiples of R: at .9 more than the product, truncated."""
    hits = rankings.hits
    result = []
    for share in shares:
        cutoff = np.trunc(share * hits.relevant + 0.9).astype(np.int64)
        result.append(np.where(cutoff > 0, hits.within(cutoff) / np.maximum(cutoff, 1), 0.0))
    return result


def grade_strings(rankings: Rankings, parameters: Sequence[float]) -> list[str]:
    """The grades of the first ranks, a character each.

    `-`: not in the pool, `.`: in it but unjudged, `>`: above 9.
    """
    length = max(int(parameters[0]), 0)
    character = {NOT_POOLED: "-", NOT_JUDGED: ".", **{grade: str(grade) for grade in range(10)}}
    return [
        "".join(character.get(grade, ">") for grade in grades[:length].tolist())
        for grades in rankings.grades()
    ]


#: Several judges of one topic (-R qrels_jg): the rankings by their first groups, by their second, and so on, and which topics
#: each of these has; all topics have a first.
JudgementGroups = Sequence[tuple[Rankings, Int64]]


def mean_over_groups(compute: Callable[[Rankings, Any], Values]) -> Callable[[JudgementGroups, Any], Values]:
    """The mean over each topic's groups of a measure of one ranking."""

    def values(judged: JudgementGroups, parameters: Any) -> Values:
        groups = np.bincount(np.concatenate([topics for _, topics in judged]))
        result: Values = []
        for rankings, topics in judged:
            values = compute(rankings, parameters)
            result = result or [np.zeros(len(groups)) for _ in values]
            for sums, value in zip(result, values, strict=True):
                sums[topics] += value
        return [sums / groups for sums in result]

    return values


average_precision = of_hits(binary.average_precision)
binary_preference = of_judged(binary.binary_preference)
precision = of_cutoffs(ranked("P"))
