"""Rankings as trec_eval sees them, and measures by its conventions.

A measure takes the rankings and a family's parameters, and returns one array per printed name. A
value that is undefined (NaN) for precall is 0 for trec_eval. Only measures that trec_eval alone
has, or defines differently from others, are written out here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from precall.compat.trec_eval.inputs import whole
from precall.core import ragged
from precall.core.conventions import FLOOR
from precall.core.counts import Counts
from precall.core.ragged import Float64, Int64, total
from precall.location.hits import Hits
from precall.location.located import Located
from precall.measures import counts, measure
from precall.read.columns import Ids, Run

Values = list[Float64]
#: The gain of each grade as it was typed: `-m ndcg.1=3.5,2=9`.
Pairs = Sequence[tuple[str, float]]
_INTEGER = re.compile(r"[+-]?[0-9]+")
#: The item that 10.0 lets a topic without results retrieve if -c is given.
PLACEHOLDER = b"ceci_nest_pas_un_docno"
#: Grades of retrieved items that are not judged.
NOT_POOLED, NOT_JUDGED = -1, -2
#: More ranks than any ranking has.
_MOST_RANKS = 2**53


@dataclass(frozen=True)
class Rankings:
    """Judged rankings of the evaluated topics, after -M and -J.

    `level` is the value of -l, `collection` that of -N.
    """

    located: Located
    level: int
    collection: int
    version: str

    @cached_property
    def hits(self) -> Hits:
        """The relevant items that were retrieved."""
        return self.located.hits(self.level)

    @cached_property
    def dense(self) -> tuple[Int64, Int64]:
        """The grades at all ranks of the concatenated rankings, and the start of each ranking."""
        located = self.located
        start = np.concatenate(([0], np.cumsum(located.retrieved)))
        grades = np.full(start[-1], NOT_POOLED, np.int64)
        position = start[:-1][located.ranking] + located.rank - 1
        grades[position] = np.where(located.grade < 0, NOT_JUDGED, located.grade)
        return grades, start

    def grades(self) -> Iterator[Int64]:
        """The grades by rank of each ranking in turn."""
        grades, start = self.dense
        for first, last in pairwise(start.tolist()):
            yield grades[first:last]

    def levels(self) -> Iterator[Int64]:
        """For each ranking the number of judged items of grade 0, 1, ... up to the highest."""
        located = self.located
        start = ragged.starts(located.total_ranking, len(located)).tolist()
        for first, last in pairwise(start):
            grade, count = located.total_grade[first:last], located.total_count[first:last]
            judged = grade >= 0
            yield np.bincount(grade[judged], weights=count[judged]).astype(np.int64)


def with_placeholders(run: Run, topics: list[bytes]) -> Run:
    """The run with one unjudged item for each topic that it lacks."""
    items = Ids.of([PLACEHOLDER] * len(topics))
    return replace(
        run,
        topics=run.topics.join(Ids.of(topics)),
        items=run.items.join(items),
        row_start=np.concatenate((run.row_start, run.row_start[-1] + 1 + np.arange(len(topics)))),
        score=np.concatenate((run.sort_key, np.ones(len(topics)))),
        lower_is_better=False,
        located={},
    )


def zero_if_undefined(values: object) -> Float64:
    """The values with 0 for undefined ones."""
    return np.nan_to_num(np.asarray(values, np.float64), nan=0.0, posinf=np.inf, neginf=-np.inf)


def measure_of(name: str) -> Callable[[Rankings, Sequence[int]], Values]:
    """The precall measure with this trec_eval name, at each of its cutoffs if it has any."""

    def values(rankings: Rankings, cutoffs: Sequence[int]) -> Values:
        named = measure(name + "_1" * bool(cutoffs))
        parameters = {
            **named.parameters,
            **({"grade": rankings.level} if "grade" in named.parameters else {}),
        }
        each = [parameters | {"cutoff": cutoff} for cutoff in cutoffs] or [parameters]
        return [zero_if_undefined(replace(named, parameters=own)(rankings.located)) for own in each]

    return values


def unjudged(rankings: Rankings, ks: Sequence[int]) -> Values:
    """Share of the first k ranks that hold an unjudged item; ranks past the end hold none."""
    judged = rankings.located.hits(0)
    return [
        (np.minimum(judged.retrieved, cutoff) - judged.within(cutoff)) / cutoff for cutoff in ks
    ]


def logarithm(name: str) -> Callable[[Rankings, Any], Values]:
    """The logarithms of a declared measure, which its geometric mean adds up."""
    return lambda rankings, _: [np.log(np.maximum(measure_of(name)(rankings, ())[0], FLOOR))]


def set_f(rankings: Rankings, parameters: Sequence[float]) -> Values:
    """F of the retrieved set: (x + 1) P R / (x P + R); x is beta squared, and may be 0 or less."""
    hits, x = rankings.hits, parameters[0]
    precise = hits.found / hits.retrieved
    recalled = hits.found / hits.relevant
    return [np.where(hits.found > 0, (x + 1) * precise * recalled / (x * precise + recalled), 0.0)]


def utility(rankings: Rankings, parameters: Sequence[float]) -> Values:
    """Linear utility of the retrieved set."""
    found_weight, nonrelevant, missed, rejected = parameters
    hits = rankings.hits
    wrong, lost = hits.retrieved - hits.found, hits.relevant - hits.found
    # Without -N trec_eval takes the collection to have 0 documents.
    table = Counts(hits.found, wrong, lost, rankings.collection - hits.retrieved - lost)
    return [
        zero_if_undefined(
            counts.utility(
                table, found=found_weight, nonrelevant=nonrelevant, missed=missed, rejected=rejected
            )
        )
    ]


def hits_needed(rankings: Rankings, share: float) -> Int64:
    """The number of hits with which trec_eval takes a recall as reached.

    Version 9 adds .9 and truncates; version 10 rounds halves up.
    """
    exact = share * rankings.hits.relevant
    if rankings.version == "9.0.8":
        return np.asarray(np.trunc(exact + 0.9), np.int64)
    below = np.trunc(exact)
    return np.asarray(below + np.where(np.abs(exact - below) >= 0.5, np.sign(exact), 0), np.int64)


def best_precision(rankings: Rankings, needed: Int64) -> Float64:
    """The best precision from the rank of the `needed`-th hit on; 0 if there are fewer hits."""
    hits = rankings.hits
    precise = np.where(hits.order >= needed[hits.ranking], hits.order / hits.location, 0.0)
    return ragged.maxima(precise, hits.ranking, len(hits))


def interpolated(rankings: Rankings, shares: Sequence[float]) -> Values:
    """Interpolated precision at recall points."""
    return [best_precision(rankings, hits_needed(rankings, share)) for share in shares]


def interpolated_mean(rankings: Rankings, shares: Sequence[float]) -> Values:
    """Mean of the interpolated precision over recall points, added from the last to the first.

    Points are taken in the order given. A point that needs more hits than the one after it is never
    met, and all points from there on count as recall 0, as in trec_eval.
    """
    hits = rankings.hits.found
    summed = np.zeros(len(hits))
    limit, stuck = hits.copy(), np.zeros(len(hits), np.bool_)
    begun = np.zeros(len(hits), np.bool_)
    for share in reversed(shares):
        needed = hits_needed(rankings, share)
        begun |= needed <= hits
        met = begun & ~stuck & (needed <= limit) & (needed > 0)
        stuck |= begun & ~met
        summed += np.where(begun, best_precision(rankings, np.where(met, needed, 0)), 0.0)
        limit = np.where(met, needed, limit)
    return [summed / len(shares)]


def multiples_of_r(rankings: Rankings, shares: Sequence[float]) -> Values:
    """Precision at multiples of R; the rank is the product plus .9, truncated."""
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
    # NaN counts as 0 ranks, infinity as all ranks.
    length = int(min(max(0.0, parameters[0]), _MOST_RANKS))
    character = {NOT_POOLED: "-", NOT_JUDGED: ".", **{grade: str(grade) for grade in range(10)}}
    return [
        "".join(character.get(grade, ">") for grade in grades[:length].tolist())
        for grades in rankings.grades()
    ]


#: Several judges of one topic (-R qrels_jg): the rankings judged by the first group of each topic,
#: by the second, and so on, each with its topics. All topics have a first group.
JudgementGroups = Sequence[tuple[Rankings, Int64]]


def mean_over_groups(
    compute: Callable[[Rankings, Any], Values],
) -> Callable[[JudgementGroups, Any], Values]:
    """The mean of a measure over each topic's groups."""

    def values(judged: JudgementGroups, parameters: object) -> Values:
        groups = np.bincount(np.concatenate([topics for _, topics in judged]))
        result: Values = []
        for rankings, topics in judged:
            values = compute(rankings, parameters)
            result = result or [np.zeros(len(groups)) for _ in values]
            for sums, value in zip(result, values, strict=True):
                sums[topics] += value
        return [sums / groups for sums in result]

    return values


@dataclass(frozen=True)
class Gained:
    """One ranking: its grades, the gain at each rank, and the gains of the best ranking."""

    grades: Int64
    earned: Float64
    ideal: Float64
    """The positive gains, best first."""
    relevant: int
    gain: dict[int, float]

    @property
    def discounted(self) -> Float64:
        """The DCG after 0, 1, ... ranks."""
        return _discount(self.earned)

    @property
    def ideal_discounted(self) -> Float64:
        """The DCG of the best ranking after 0, 1, ... ranks."""
        return _discount(self.ideal)


def _discount(gain: Float64) -> Float64:
    return np.concatenate(([0.0], np.cumsum(gain / np.log2(np.arange(2, len(gain) + 2)))))


def each_gain(rankings: Rankings, pairs: Pairs) -> Iterator[Gained]:
    """Every ranking with its gains."""
    columns = rankings.grades(), rankings.levels(), rankings.hits.relevant.tolist()
    for grades, levels, relevant in zip(*columns, strict=True):
        yield _gain(grades, levels, pairs, relevant, rankings.version)


def _gain(grades: Int64, levels: Int64, pairs: Pairs, relevant: int, version: str) -> Gained:
    counts = dict(enumerate(levels.tolist()))
    gain_pairs = [
        (whole(name), gain)
        for name, gain in pairs
        if version == "9.0.8" or _INTEGER.fullmatch(name)
    ]
    gain_of: dict[int, float] = {}
    ideal: list[tuple[float, int]] = []
    for level, gain in [
        *gain_pairs,
        *((level, float(level)) for level in counts.keys() - dict(gain_pairs)),
    ]:
        # If a grade is given twice, the ranking gains the lesser, and the best ranking the first.
        if level not in gain_of:
            ideal.append((gain, counts.get(level, 0)))
        gain_of[level] = min(gain, gain_of.get(level, gain))
    best = sorted((pair for pair in ideal if pair[0] > 0), reverse=True)
    repeated = (
        np.repeat([gain for gain, _ in best], [count for _, count in best]) if best else np.zeros(0)
    )
    return Gained(grades, earned_by(grades, gain_of), repeated, relevant, gain_of)


def earned_by(grades: Int64, gain_of: dict[int, float]) -> Float64:
    """The gain at every rank; a grade without a gain has 0."""
    earned = np.zeros(len(grades))
    for level, gain in gain_of.items():
        if gain:
            earned[grades == level] = gain
    return earned


def by_ranking(
    value: Callable[[Gained], float], usual: str = ""
) -> Callable[[Rankings, Pairs], Values]:
    """A measure from a function of one ranking; `usual` is the declared measure.

    The declared measure takes the grades as gains.
    """

    def values(rankings: Rankings, pairs: Pairs) -> Values:
        if usual and not pairs:
            return measure_of(usual)(rankings, ())
        return [zero_if_undefined([value(ranking) for ranking in each_gain(rankings, pairs)])]

    return values


def ndcg(ranking: Gained) -> float:
    """DCG over the best possible DCG."""
    best = ranking.ideal_discounted[-1]
    return float(ranking.discounted[-1] / best) if best > 0 else 0.0


def dcg(ranking: Gained) -> float:
    """Discounted cumulative gain."""
    return float(ranking.discounted[-1])


def ideal_dcg(ranking: Gained) -> float:
    """The DCG of the best ranking."""
    return float(ranking.ideal_discounted[-1])


def g(ranking: Gained) -> float:
    """Buckley's G."""
    n = len(ranking.earned)
    cost = np.ones(n)
    shared = min(n, len(ranking.ideal))
    cost[:shared] = np.maximum(ranking.ideal[:shared], 1.0)
    short = np.cumsum(cost) - np.cumsum(ranking.earned)
    rows = ranking.earned != 0
    best = total(ranking.ideal)
    return total(ranking.earned[rows] / np.log2(2 + short[rows])) / best if best > 0 else 0.0


def ndcg_at_relevant(ranking: Gained) -> float:
    """ndcg_rel: the mean over items of positive gain of the nDCG at their ranks.

    For a missed item it is the nDCG at the last rank.
    """
    dcg_at, ideal_at = ranking.discounted, ranking.ideal_discounted
    rank = np.flatnonzero(ranking.earned > 0) + 1
    number = len(ranking.ideal)
    if not number:
        return 0.0
    seen = dcg_at[rank] / ideal_at[np.minimum(rank, number)]
    summed = total(seen) + (number - len(rank)) * dcg_at[-1] / ideal_at[-1]
    return float(summed / number) if summed > 0 else 0.0


def ndcg_at_levels(ranking: Gained) -> float:
    """Rndcg: the mean of nDCG at ranks where the best ranking's gain changes, and at the end.

    The end counts only if at least two ranks lie below the best ranking's last item.
    """
    n, number = len(ranking.earned), len(ranking.ideal)
    if not ranking.relevant or not number:
        return 0.0
    dcg_at, ideal_at = ranking.discounted, ranking.ideal_discounted
    change = np.append(np.flatnonzero(ranking.ideal[1:] != ranking.ideal[:-1]) + 1, number)
    points = dcg_at[np.minimum(change, n)] / ideal_at[change]
    if n > number + 1:
        points = np.append(points, dcg_at[n] / ideal_at[number])
    return total(points) / len(points)


def rank_biased(rankings: Rankings, pairs: Pairs) -> Values:
    """rbp: (1 - p) sum p^(rank - 1) gain.

    Gains of a topic are mapped to 0..1 if any lies outside.
    """
    p = _persistence(pairs)
    return [np.array([_rank_biased(ranking, p) for ranking in each_gain(rankings, pairs)])]


def _rank_biased(ranking: Gained, p: float) -> float:
    low, high = min([0.0, *ranking.gain.values()]), max([0.0, *ranking.gain.values()])
    earned = ranking.earned
    if low < 0 or high > 1:
        mapped = {level: (gain - low) / (high - low) for level, gain in ranking.gain.items()}
        earned = earned_by(ranking.grades, mapped)
    return (1.0 - p) * total(earned * _powers(p, len(earned))[:-1])


def rank_biased_residual(rankings: Rankings, pairs: Pairs) -> Values:
    """rbp_resid: what unjudged items could add; 0 if none was retrieved."""
    p = _persistence(pairs)
    result = []
    for grades in rankings.grades():
        weight = _powers(p, len(grades))
        open_ = grades < 0
        result.append(weight[-1] + (1 - p) * total(weight[:-1][open_]) if open_.any() else 0.0)
    return [np.array(result)]


def _powers(p: float, count: int) -> Float64:
    """The powers 1, p, p^2, ... p^count, by repeated multiplication as in trec_eval."""
    return np.multiply.accumulate(np.concatenate(([1.0], np.full(count, p))))


def _persistence(pairs: Pairs) -> float:
    return next((value for name, value in reversed(pairs) if name == "p"), 0.9)
