"""Measures by gains: what each grade earns may be said on the command line, `-m ndcg.1=3.5,2=9`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from precall.compat.trec_eval.inputs import whole
from precall.compat.trec_eval.rankings import Rankings, Values, defined, total
from precall.location.located import Located
from precall.ragged import Float64, Int64

Pairs = Sequence[tuple[str, float]]
_INTEGER = re.compile(r"[+-]?[0-9]+")


@dataclass(frozen=True)
class Gained:
    """One ranking: its grades, what each rank earns, and what the best ranking would."""

    grades: Int64
    earned: Float64
    ideal: Float64
    """Positive gains only, best first."""
    relevant: int
    gain: dict[int, float]

    @property
    def discounted(self) -> Float64:
        """DCG after 0, 1, ... ranks."""
        return _discounted(self.earned)

    @property
    def ideal_discounted(self) -> Float64:
        """The same of the best ranking."""
        return _discounted(self.ideal)


def _discounted(gain: Float64) -> Float64:
    return np.concatenate(([0.0], np.cumsum(gain / np.log2(np.arange(2, len(gain) + 2)))))


def gained(rankings: Rankings, pairs: Pairs) -> Iterator[Gained]:
    """Every ranking with its gains."""
    columns = rankings.grades(), rankings.levels(), rankings.hits.relevant.tolist()
    for grades, levels, relevant in zip(*columns, strict=True):
        yield _gained(grades, levels, pairs, relevant, rankings.version)


def _gained(grades: Int64, levels: Int64, pairs: Pairs, relevant: int, version: str) -> Gained:
    counts = dict(enumerate(levels.tolist()))
    given = [(whole(name), gain) for name, gain in pairs if version == "9.0.8" or _INTEGER.fullmatch(name)]
    gain_of: dict[int, float] = {}
    ideal: list[tuple[float, int]] = []
    for level, gain in [*given, *((level, float(level)) for level in counts.keys() - dict(given))]:
        # A grade that is given twice earns the lesser, and the first stands in the best ranking.
        if level not in gain_of:
            ideal.append((gain, counts.get(level, 0)))
        gain_of[level] = min(gain, gain_of.get(level, gain))
    best = sorted((pair for pair in ideal if pair[0] > 0), reverse=True)
    repeated = np.repeat([gain for gain, _ in best], [count for _, count in best]) if best else np.zeros(0)
    return Gained(grades, earned_by(grades, gain_of), repeated, relevant, gain_of)


def earned_by(grades: Int64, gain_of: dict[int, float]) -> Float64:
    """The gain at every rank; a grade of which nothing is said earns 0."""
    earned = np.zeros(len(grades))
    for level, gain in gain_of.items():
        if gain:
            earned[grades == level] = gain
    return earned


def by_ranking(
    value: Callable[[Gained], float], usual: Callable[[Located], Any] | None = None
) -> Callable[[Rankings, Pairs], Values]:
    """A measure from a function of one ranking; `usual` is that of all at once, where gains are the grades."""

    def values(rankings: Rankings, pairs: Pairs) -> Values:
        if usual is not None and not pairs:
            return [defined(usual(rankings.located))]
        return [defined([value(ranking) for ranking in gained(rankings, pairs)])]

    return values


def ndcg(ranking: Gained) -> float:
    """DCG over the best possible DCG."""
    best = ranking.ideal_discounted[-1]
    return float(ranking.discounted[-1] / best) if best > 0 else 0.0


def dcg(ranking: Gained) -> float:
    """Discounted cumulative gain."""
    return float(ranking.discounted[-1])


def ideal_dcg(ranking: Gained) -> float:
    """That of the best ranking."""
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
    """ndcg_rel: mean over items of positive gain of the nDCG at their ranks, the last one if missed."""
    dcg_at, ideal_at = ranking.discounted, ranking.ideal_discounted
    rank = np.flatnonzero(ranking.earned > 0) + 1
    number = len(ranking.ideal)
    if not number:
        return 0.0
    seen = dcg_at[rank] / ideal_at[np.minimum(rank, number)]
    summed = total(seen) + (number - len(rank)) * dcg_at[-1] / ideal_at[-1]
    return float(summed / number) if summed > 0 else 0.0


def ndcg_at_levels(ranking: Gained) -> float:
    """Rndcg: mean of nDCG where the best ranking's gain changes, and at the end of the ranking.

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
    """rbp: (1 - p) sum p^(rank - 1) gain; gains are mapped to 0..1 where a topic has any outside."""
    p = _persistence(pairs)
    return [np.array([_rank_biased(ranking, p) for ranking in gained(rankings, pairs)])]


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
    """1, p, p^2, ... p^count, multiplied one after another."""
    return np.multiply.accumulate(np.concatenate(([1.0], np.full(count, p))))


def _persistence(pairs: Pairs) -> float:
    return next((value for name, value in reversed(pairs) if name == "p"), 0.9)
