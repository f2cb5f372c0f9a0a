"""Cases counted at and between the scores of relevant cases: all that a curve's numbers need of data of any size.

Pass 1 keeps the distinct relevant scores, pass 2 counts the other cases at and between them. All of it is sums of whole
numbers, and least scores: batches may be counted in any order and merged in any way with equal results, digit by digit.
Between two relevant scores precision only falls, so that no best value, area or level of recall lies there but at an end,
and both ends are rows of the curve that is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from precall.curves.cases import Scores, refuse_nan
from precall.curves.path import Count, Curve
from precall.curves.points import Asked
from precall.curves.tally import from_counts, path, weighted_tally
from precall.errors import UsageError
from precall.ragged import Bool, Float64, changes

#: Scores of a gap, best first, and how many of its cases score at least that.
Rows: TypeAlias = list[tuple[float, Any]]
#: One score in so many is sampled; of the data, so much at most is kept around a guess.
STRIDE, _MUCH = 1024, 0.1
#: Parts of so many scores, or twice what is known, wait before they are merged.
_WAITING = 1 << 20


class RelevantScores:
    """Pass 1: the distinct scores of relevant cases and how many there are of each, or what they weigh.

    Examples
    --------
    >>> known = RelevantScores()
    >>> known.add(np.array([True, False, True]), np.array([0.5, 0.7, 0.25]))
    >>> known.add(np.array([True]), np.array([0.5]))
    >>> known.counted()
    (array([0.25, 0.5 ]), array([1, 2]))
    """

    def __init__(self) -> None:
        self._parts: list[tuple[Float64, Count]] = []
        self._waiting, self._room = 0, _WAITING
        #: float32 while all scores were.
        self.dtype: Any = None

    def add(self, relevant: Bool, score: Scores, weights: Any = None) -> None:
        """One more batch of cases."""
        self.dtype = score.dtype if self.dtype is None else np.result_type(self.dtype, score.dtype)
        distinct, count = ascending(relevant, score, weights)
        if len(distinct):
            self.add_counted(distinct.astype(np.float64, copy=False), count)

    def add_counted(self, score: Float64, count: Count) -> None:
        """Distinct scores, ascending, that were counted elsewhere."""
        self._parts.append((score, count))
        self._waiting += len(score)
        if self._waiting >= self._room:
            self._room = max(_WAITING, 2 * len(self.counted()[0]))

    def merge(self, other: RelevantScores) -> None:
        """Add all that another one holds."""
        for part in other._parts:
            self.add_counted(*part)
        if other.dtype is not None:
            self.dtype = other.dtype if self.dtype is None else np.result_type(self.dtype, other.dtype)

    @property
    def size(self) -> int:
        """How many scores are held, some perhaps in several parts."""
        return self._waiting

    def counted(self) -> tuple[Float64, Count]:
        """The distinct scores, ascending, and the relevant cases of each."""
        if len(self._parts) != 1:
            self._parts = [_merged(self._parts)]
            self._waiting = len(self._parts[0][0])
        return self._parts[0]


class Gaps:
    """Pass 2: other cases at, and strictly between, ascending scores.

    Parameters
    ----------
    edges : the distinct relevant scores, ascending, and scores at which a threshold is asked for.
    hits : relevant cases of each edge, or what they weigh; 0 at those that are only asked for.

    Examples
    --------
    >>> gaps = Gaps(np.array([0.25, 0.5]), np.array([1, 2]))
    >>> gaps.add(np.array([False, False, True]), np.array([0.3, 0.25, 0.5]))
    >>> gaps.curve().fp, gaps.curve().threshold
    (array([0, 0, 1, 2]), array([ inf, 0.5 , 0.3 , 0.25]))
    """

    def __init__(
        self, edges: Float64, hits: Any, asked: Iterable[float] = (), dtype: Any = np.float64
    ) -> None:
        self.edges, self.hits, self.asked, self.dtype = edges, hits, tuple(asked), dtype
        self.equal: Any = np.zeros(len(edges), hits.dtype)
        self.between: Any = np.zeros(len(edges) + 1, hits.dtype)
        self.least = np.full(len(edges) + 1, np.inf)
        #: The best score of other cases and how many have it: measures that no threshold above it defines begin there.
        self.top: tuple[float, Any] = (-np.inf, 0)

    @classmethod
    def of(cls, known: RelevantScores, thresholds: Iterable[float] = ()) -> Gaps:
        """Between all relevant scores, and at thresholds that will be asked for."""
        edges, hits = known.counted()
        # In the scores' own type, as thresholds are compared.
        with np.errstate(over="ignore"):
            own = np.fromiter(thresholds, np.float64).astype(known.dtype or np.float64).astype(np.float64)
        asked = np.unique(own[~np.isnan(own)] + 0.0)
        lacking = asked[~np.isin(asked, edges)]
        order = np.argsort(np.concatenate((edges, lacking)), kind="stable")
        return cls(
            np.concatenate((edges, lacking))[order],
            np.concatenate((hits, np.zeros(len(lacking), hits.dtype)))[order],
            asked.tolist(),
            known.dtype or np.float64,
        )

    def add(self, relevant: Bool, score: Scores, weights: Any = None) -> None:
        """One more batch of cases, whose relevant ones are known already."""
        if weights is None and len(score) > len(self.edges):
            ordered = in_order(score[~relevant], score)
            if len(ordered):
                best = ordered[-1]
                self.raise_top(float(best) + 0.0, len(ordered) - int(np.searchsorted(ordered, best)))
                self._by_edges(ordered, None)
            return
        self.add_counted(*ascending(~relevant, score, weights))

    def add_counted(self, distinct: Any, count: Count) -> None:
        """Other cases by their distinct scores, ascending."""
        if not len(distinct):
            return
        self.raise_top(float(distinct[-1]), count[-1])
        if count.dtype.kind == "f" and self.between.dtype.kind != "f":
            self.equal, self.between = self.equal.astype(np.float64), self.between.astype(np.float64)
        if len(distinct) > len(self.edges):
            self._by_edges(distinct, count)
        else:
            self._by_scores(distinct, count)

    def _by_edges(self, ordered: Scores, count: Count | None) -> None:
        """Few edges are looked up among many scores, of which each is one case or so many."""
        last = len(ordered) - 1
        low = np.searchsorted(ordered, self.edges)
        high = low.copy()
        # Most edges are no other case's score.
        equal = np.flatnonzero(ordered[np.minimum(low, last)] == self.edges)
        high[equal] = np.searchsorted(ordered, self.edges[equal], "right")
        start, stop = np.append(0, high), np.append(low, len(ordered))
        first = ordered[np.minimum(start, last)]
        np.minimum(self.least, first, out=self.least, where=stop > start)
        if count is not None:
            below = np.concatenate((np.zeros(1, count.dtype), np.cumsum(count)))
            low, high, start, stop = (below[place] for place in (low, high, start, stop))
        self.equal += high - low
        self.between += stop - start

    def _by_scores(self, distinct: Float64, count: Count) -> None:
        """Few scores are looked up among many edges."""
        at = np.searchsorted(self.edges, distinct)
        known = at < len(self.edges)
        known[known] = self.edges[at[known]] == distinct[known]
        self.equal[at[known]] += count[known]
        at, distinct, count = at[~known], distinct[~known], count[~known]
        if len(at):
            start = np.flatnonzero(changes(at))
            gap = at[start]
            self.between[gap] += np.add.reduceat(count, start)
            self.least[gap] = np.minimum(self.least[gap], distinct[start])

    def raise_top(self, score: float, count: Any) -> None:
        """So many other cases have this score, and none a better one."""
        known, before = self.top
        if score >= known:
            self.top = score, count + before * (score == known)

    def merge(self, other: Gaps) -> None:
        """Add all that another one holds, which counted between the same scores."""
        if not (np.array_equal(self.edges, other.edges) and np.array_equal(self.hits, other.hits)):
            raise UsageError("merge: both must count between the same relevant scores")
        self.equal, self.between = self.equal + other.equal, self.between + other.between
        np.minimum(self.least, other.least, out=self.least)
        self.raise_top(*other.top)

    def place(self, accepted: int | float) -> tuple[int, Any]:
        """The gap, from the lowest, where a threshold accepts so many cases, and how many of it; -1 if that is in none."""
        at = (self.hits + self.equal)[::-1]
        within = self.between[::-1]
        above = np.cumsum(within) + np.append(0, np.cumsum(at)) - within
        row = int(np.searchsorted(above, accepted, side="left")) - 1
        inside = accepted - above[row] if row >= 0 else 0
        if row < 0 or inside >= within[row]:
            return -1, 0
        return len(self.edges) - row, inside

    def ends(self, gap: int) -> tuple[float | None, float | None]:
        """The scores that a gap lies between; None at an open end."""
        low = self.edges[gap - 1].item() if gap else None
        return low, self.edges[gap].item() if gap < len(self.edges) else None

    def curve(
        self,
        missed: int | float = 0,
        weighted: bool = False,
        rows: Mapping[int, Rows] | None = None,
        accepted: Iterable[int] = (),
    ) -> Curve:
        """The curve's rows at every edge, the row above each, where there is one, and that of the best other case.

        `rows` of a gap are some of its scores, best first, and how many cases of it score at least that; they are those
        beside thresholds that accept so many cases.
        """
        inner, between = self._inside(rows or {})
        size = len(self.edges)
        at = np.array([2 * (size - gap) for gap, part in inner.items() for _ in part], np.int64)
        scores, counts = (
            np.array([row[column] for part in inner.values() for row in part], kind.dtype)
            for column, kind in enumerate((self.least, between))
        )
        positive = np.insert(_mixed(np.zeros_like(between), self.hits), at, 0)
        negative = np.insert(_mixed(between, self.equal), at, counts)
        keep = (positive > 0) | (negative > 0)
        positive, negative = positive[keep], negative[keep]
        # Adding 0 turns -0 into 0.
        score = np.insert(_mixed(self.least, self.edges), at, scores)[keep].astype(self.dtype) + 0.0
        made = from_counts(score, positive, negative, missed, weighted)
        return replace(made, asked=Asked(frozenset(self.asked), frozenset(accepted)))

    def _inside(self, rows: Mapping[int, Rows]) -> tuple[dict[int, Rows], Any]:
        """Rows inside gaps, best gap first, each with how many cases have its score; and how many are left in each gap."""
        known = {gap: list(part) for gap, part in rows.items()}
        best, count = self.top
        gap = int(np.searchsorted(self.edges, best, "right"))
        if self.least[gap] < best:  # it stands in a gap, and is not the last there
            known.setdefault(gap, []).append((best, count))
        between, inner = self.between, dict[int, Rows]()
        for gap in sorted(known, reverse=True):
            # Several counts may be reached in one gap, in any order, beside the same scores.
            part = [row for row in sorted(set(known[gap]), reverse=True) if row[0] > self.least[gap]]
            *counts, rest = np.diff([0, *(below for _, below in part), self.between[gap]])
            inner[gap] = [(score, count) for (score, _), count in zip(part, counts, strict=True)]
            between = between.copy() if between is self.between else between
            between[gap] = rest
        return inner, between


def _mixed(gaps: Any, edges: Any) -> Any:
    """Of every gap and the edge below it, best first."""
    column = np.empty(len(gaps) + len(edges), np.result_type(gaps, edges))
    column[0::2], column[1::2] = gaps[::-1], edges[::-1]
    return column


def counted(relevant: Bool, score: Scores, weights: Any = None) -> tuple[Scores, Count, Count]:
    """Distinct scores of a batch, best first, and the relevant and other cases of each."""
    if weights is not None:
        return weighted_tally(relevant, score, weights)
    threshold, tp, fp = path(relevant, score)
    return threshold[1:], np.diff(tp), np.diff(fp)


def in_order(part: Scores, score: Scores) -> Scores:
    """Some of the scores, which are put in ascending order where they are; NaN is refused."""
    part.sort()
    if len(part) and part[-1] != part[-1]:
        refuse_nan(score)
    return part


def ascending(chosen: Bool, score: Scores, weights: Any = None) -> tuple[Scores, Count]:
    """Distinct scores of chosen cases, ascending, and how many there are of each, or what they weigh."""
    if weights is not None:
        best, _, count = counted(np.zeros(np.count_nonzero(chosen), np.bool_), score[chosen], weights[chosen])
        return best[::-1], count[::-1]
    ordered = in_order(score[chosen], score)
    start = np.flatnonzero(changes(ordered))
    # Adding 0 turns -0 into 0.
    return ordered[start] + 0.0, np.diff(start, append=len(ordered))


def _merged(parts: list[tuple[Float64, Count]]) -> tuple[Float64, Count]:
    """The counts of several parts, each score once."""
    if not parts:
        return np.zeros(0), np.zeros(0, np.int64)
    score, count = (np.concatenate(column) for column in zip(*parts, strict=True))
    # Parts are sorted already, which this kind of sorting makes use of.
    order = np.argsort(score, kind="stable")
    score = score[order]
    start = np.flatnonzero(changes(score))
    return score[start], np.add.reduceat(count[order], start)


class Within:
    """Other cases between two scores, kept one by one: looked for beside a count of cases that a threshold accepts.

    `low` and `high`, None at an open end, are outside.
    """

    def __init__(self, low: float | None, high: float | None) -> None:
        self.low, self.high = low, high
        self._known: list[tuple[Float64, Count]] = []

    def add(self, relevant: Bool, score: Scores, weights: Any = None) -> None:
        """One more batch of cases."""
        chosen = np.flatnonzero(~relevant & self._inside(score))
        if len(chosen):
            weight = None if weights is None else weights[chosen]
            best, _, count = counted(np.zeros(len(chosen), np.bool_), score[chosen], weight)
            self.add_counted(best[::-1].astype(np.float64), count[::-1])

    def add_counted(self, score: Float64, count: Count) -> None:
        """Distinct scores, ascending, that were counted elsewhere."""
        self._known.append((score, count))
        if sum(len(part[0]) for part in self._known) > _WAITING:
            self._known = [_merged(self._known)]

    def counted(self) -> tuple[Float64, Count]:
        """The distinct scores, ascending, and the cases of each."""
        return _merged(self._known)

    def _inside(self, score: Scores | Float64, low: float | None = None, high: float | None = None) -> Bool:
        inside = np.ones(len(score), np.bool_)
        for bound in (self.low, low):
            if bound is not None:
                inside &= score > bound
        for bound in (self.high, high):
            if bound is not None:
                inside &= score < bound
        return inside

    def holds(self, low: float | None, high: float | None) -> bool:
        """Whether nothing between these scores is outside."""
        above = self.low is None or (low is not None and low >= self.low)
        return above and (self.high is None or (high is not None and high <= self.high))

    def rows(self, low: float | None, high: float | None, wanted: Any) -> Rows:
        """Of a gap the last score at which at most so many of its cases are accepted, and the next one."""
        score, count = self.counted()
        inside = self._inside(score, low, high)
        score, count = score[inside][::-1], count[inside][::-1]
        accepted = np.cumsum(count)
        at = int(np.searchsorted(accepted, wanted, side="right"))
        return [(float(score[row]), accepted[row]) for row in (at - 1, at) if 0 <= row < len(score)]


class Sample:
    """Every so manieth score, to guess where a threshold accepts a count of cases."""

    def __init__(self) -> None:
        self._parts: list[Scores] = []
        self._cases = 0

    def add(self, score: Scores) -> None:
        """One more batch of cases."""
        self._parts.append(score[-self._cases % STRIDE :: STRIDE].copy())
        self._cases += len(score)

    def merge(self, other: Sample) -> None:
        """Add what another one has sampled."""
        self._parts += other._parts
        self._cases += other._cases

    def scores(self) -> Scores:
        """The scores that were sampled, in no order."""
        return np.concatenate(self._parts) if self._parts else np.zeros(0)

    def around(self, accepted: float) -> Within | None:
        """Scores between which that threshold very likely lies; None where they would be much of the data."""
        size = self._cases // STRIDE
        place = accepted / STRIDE
        # Eight standard deviations of a binomial count, and eight.
        room = 8 * (max(place * (1 - place / size), 0.0) ** 0.5 if size else 0.0) + 8
        if not size or 2 * room > _MUCH * size:
            return None
        best = np.sort(np.concatenate(self._parts).astype(np.float64))[::-1]
        last, first = int(place + room), int(place - room)
        low = best[last].item() if last < len(best) else None
        return Within(low, best[first].item() if first >= 0 else None)
