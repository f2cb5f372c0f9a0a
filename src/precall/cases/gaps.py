"""Cases counted at and between the scores of relevant cases: all that a curve's numbers need of
data of any size.

Pass 1 keeps the distinct relevant scores, pass 2 counts the other cases at and between them. All of
it is sums of whole numbers, and least scores: batches may be counted in any order and merged in any
way with equal results, digit by digit. Between two relevant scores precision only falls, so that no
best value, area or level of recall lies there but at an end, and both ends are rows of the curve
that is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import fsum
from typing import Any, TypeAlias

import numpy as np

from precall.cases.path import Count, Curve
from precall.cases.points import Asked
from precall.cases.scored_cases import EXACT, Scores, refuse_nan
from precall.cases.tally import tally, weighted_tally
from precall.core.errors import UsageError
from precall.core.ragged import Bool, Float64, changes

#: Scores of a gap, best first, and how many of its cases score at least that.
Rows: TypeAlias = list[tuple[float, Any]]
#: Parts of so many scores, or twice what is known, wait before they are merged.
WAITING = 1 << 20
#: Edges of which the rows are made at a time.
_STEP = 1 << 18


class RelevantScores:
    """Pass 1: the distinct scores of relevant cases and how many there are of each, or what they
    weigh.

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
        self._waiting, self._room = 0, WAITING
        #: float32 while all scores were.
        self.dtype: Any = None

    def add(self, relevant: Bool, score: Scores, weights: Any = None) -> None:
        """One more batch of cases."""
        self.dtype = score.dtype if self.dtype is None else np.result_type(self.dtype, score.dtype)
        distinct, count = ascending(relevant, score, weights)
        if len(distinct):
            self.add_counted(distinct.astype(np.float64, copy=False), count)

    def merge(self, other: RelevantScores) -> None:
        """Add all that another one holds."""
        for counts in other._parts:
            self.add_counted(*counts)
        if other.dtype is not None:
            self.dtype = (
                other.dtype if self.dtype is None else np.result_type(self.dtype, other.dtype)
            )

    @property
    def size(self) -> int:
        """How many scores are held, some perhaps in several parts."""
        return self._waiting

    def counted(self) -> tuple[Float64, Count]:
        """The distinct scores, ascending, and the relevant cases of each."""
        if len(self._parts) != 1:
            self._parts = [merged(self._parts)]
            self._waiting = len(self._parts[0][0])
        return self._parts[0]

    def take(self) -> tuple[Float64, Count]:
        """The same, which are then held no longer."""
        score, count = self.counted()
        self._parts, self._waiting, self._room = [], 0, WAITING
        return score, count

    def add_counted(self, score: Float64, count: Count) -> None:
        """Distinct scores, ascending, that were counted elsewhere."""
        self._parts.append((score, count))
        self._waiting += len(score)
        if self._waiting >= self._room:
            self._room = max(WAITING, 2 * len(self.counted()[0]))


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
        #: The best score of other cases and how many have it: measures that no threshold above it
        #: defines begin there.
        self.top: tuple[float, Any] = (-np.inf, 0)
        #: Where columns of the curve are made.
        self.room: Callable[[int, Any], Any] = np.empty

    @classmethod
    def of(cls, known: RelevantScores, thresholds: Iterable[float] = ()) -> Gaps:
        """Between all relevant scores, and at thresholds that will be asked for."""
        dtype = known.dtype or np.float64
        return cls.among(*known.counted(), own_thresholds(thresholds, dtype), dtype)

    @classmethod
    def among(cls, edges: Float64, hits: Any, asked: Float64, dtype: Any) -> Gaps:
        """Between scores and thresholds, each in ascending order."""
        lacking = asked[~np.isin(asked, edges)]
        if len(lacking):
            order = np.argsort(np.concatenate((edges, lacking)), kind="stable")
            edges = np.concatenate((edges, lacking))[order]
            hits = np.concatenate((hits, np.zeros(len(lacking), hits.dtype)))[order]
        return cls(edges, hits, asked.tolist(), dtype)

    @property
    def total(self) -> Any:
        """How many relevant cases there are, or what they weigh."""
        if self.hits.dtype.kind != "f":
            return self.hits.sum().item()
        total = np.zeros(1)
        for high in range(
            len(self.hits), 0, -_STEP
        ):  # real ones in the order of the curve, to the bit
            hits = self.hits[max(high - _STEP, 0) : high][::-1]
            total = np.cumsum(np.append(total, hits))[-1:]
        return total.item()

    def add(self, relevant: Bool, score: Scores, weights: Any = None) -> None:
        """One more batch of cases, whose relevant ones are known already."""
        if weights is None and len(score) > len(self.edges):
            self.count(in_order(score[~relevant], score), None)
        else:
            self.count(*ascending(~relevant, score, weights))

    def count(self, ordered: Scores, count: Count | None) -> None:
        """Other cases by their scores, ascending: distinct ones and so many cases of each, or a
        case each.
        """
        if not len(ordered):
            return
        best = float(ordered[-1]) + 0.0
        tied = (
            len(ordered) - int(np.searchsorted(ordered, ordered[-1]))
            if count is None
            else count[-1]
        )
        self.raise_top(best, tied)
        if count is not None and count.dtype.kind == "f" and self.between.dtype.kind != "f":
            self.equal, self.between = (
                self.equal.astype(np.float64),
                self.between.astype(np.float64),
            )
        if count is None or len(ordered) > len(self.edges):
            self._by_edges(ordered, count)
        else:
            self._by_scores(ordered.astype(np.float64, copy=False), count)

    def _by_edges(self, ordered: Scores, count: Count | None) -> None:
        """Few edges are looked up among many scores, of which each is one case or so many."""
        last = len(ordered) - 1
        # In the scores' own type, or each of them would be converted to be compared.
        edges: Any = (
            self.edges.astype(ordered.dtype, copy=False)
            if ordered.dtype == self.dtype
            else self.edges
        )
        low: Any = np.searchsorted(ordered, edges)
        high: Any = low.copy()
        # Most edges are no other case's score.
        equal = np.flatnonzero(ordered[np.minimum(low, last)] == edges)
        high[equal] = np.searchsorted(ordered, edges[equal], "right")
        start: Any = np.append(0, high)
        stop: Any = np.append(low, len(ordered))
        first = ordered[np.minimum(start, last)]
        np.minimum(self.least, first, out=self.least, where=stop > start)
        if count is None:
            self.equal += high - low
            self.between += stop - start
            return
        # Not by sums from the lowest on, in whose differences heavy cases would blur light ones.
        padded = np.append(count, count.dtype.type(0))
        ends = np.stack((start, stop), axis=1).ravel()
        self.equal[equal] += count[low[equal]]
        self.between += np.where(stop > start, np.add.reduceat(padded, ends)[::2], 0)

    def _by_scores(self, distinct: Float64, count: Count) -> None:
        """Few scores are looked up among many edges."""
        at = np.searchsorted(self.edges, distinct)
        at_edge = at < len(self.edges)
        at_edge[at_edge] = self.edges[at[at_edge]] == distinct[at_edge]
        self.equal[at[at_edge]] += count[at_edge]
        at, distinct, count = at[~at_edge], distinct[~at_edge], count[~at_edge]
        if len(at):
            start = np.flatnonzero(changes(at))
            gap = at[start]
            self.between[gap] += np.add.reduceat(count, start)
            self.least[gap] = np.minimum(self.least[gap], distinct[start])

    def raise_top(self, score: float, count: Any) -> None:
        """So many other cases have a score that may be the best."""
        best, before = self.top
        if score >= best:
            self.top = score, count + before * (score == best)

    def merge(self, other: Gaps) -> None:
        """Add all that another one holds, which counted between the same scores."""
        if not (np.array_equal(self.edges, other.edges) and np.array_equal(self.hits, other.hits)):
            raise UsageError(
                argument="merge", what="both must count between the same relevant scores"
            )
        self.equal, self.between = self.equal + other.equal, self.between + other.between
        self.least = np.minimum(
            self.least, other.least
        )  # not in place: engines may send what is only to be read
        self.raise_top(*other.top)

    def place(self, accepted: int | float) -> tuple[int, Any]:
        """The gap, from the lowest, where a threshold accepts so many cases, and how many of it; -1
        if that is in none.
        """
        size = len(self.edges)
        gap, inside, held = -1, 0, 0
        in_gaps = at_edges = self.between.dtype.type(0)
        for high in range(size, -1, -_STEP):
            low = max(high - _STEP, -1)
            within = self.between[low + 1 : high + 1][::-1]
            at = slice(max(low, 0), high)
            gaps = np.cumsum(np.append(in_gaps, within))
            edges = np.cumsum(np.append(at_edges, (self.hits[at] + self.equal[at])[::-1]))
            above = gaps[:-1] + edges[: len(within)]
            if not above[0] < accepted:
                break
            row = int(np.searchsorted(above, accepted, side="left")) - 1
            gap, inside, held = high - row, accepted - above[row], within[row]
            in_gaps, at_edges = gaps[-1], edges[-1]
        return (-1, 0) if inside >= held else (gap, inside)

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
        kind: Any = np.int64,
    ) -> Curve:
        """The curve's rows at every edge, the row above each, where there is one, and that of the
        best other case.

        `rows` of a gap are some of its scores, best first, and how many cases of it score at least
        that; they are those beside thresholds that accept so many cases. Counts are of the type
        `kind` at least.
        """
        inner = self._inside(rows or {})
        size = sum(map(len, inner.values())) + int(np.count_nonzero(self.between))
        size += int(np.count_nonzero(self.hits)) + int(np.count_nonzero(self.equal[self.hits == 0]))
        # Both are real if one is: weights may be whole numbers of relevant cases only.
        kinds = [np.result_type(self.hits.dtype, self.between.dtype, kind)] * 2
        total = fsum(
            np.sum(counts_of_kind, dtype=float)
            for counts_of_kind in (self.hits, self.equal, self.between)
        )
        if kinds[0].kind != "f" and total > EXACT:
            kinds = [np.dtype(np.float64)] * 2
        threshold, tp, fp = (self.room(size + 1, kind) for kind in (self.dtype, *kinds))
        threshold[0], tp[0], fp[0] = np.inf, 0, 0
        end = 1
        for score, *counts in self._rows(inner):
            rows_of = slice(end, end + len(score))
            # Adding 0 turns -0 into 0.
            threshold[rows_of] = score.astype(self.dtype) + 0.0
            for sums, count in zip((tp, fp), counts, strict=True):
                count = count.astype(sums.dtype, copy=False)
                count[:1] += sums[end - 1]
                np.cumsum(count, out=sums[rows_of])
            end = rows_of.stop
        request = Asked(frozenset(self.asked), frozenset(accepted))
        return Curve(threshold[:end], tp[:end], fp[:end], missed, weighted, asked=request)

    def _rows(self, inner: Mapping[int, Rows]) -> Iterator[tuple[Any, Any, Any]]:
        """Scores, best first, and the relevant and other cases of each, some at a time; those only
        that have cases.
        """
        for high in range(len(self.edges), -1, -_STEP):
            low = max(high - _STEP, -1)
            gaps, edges = slice(low + 1, high + 1), slice(max(low, 0), high)
            between = self.between[gaps]
            inner_gaps = [gap for gap in inner if low < gap <= high]
            at = np.array([2 * (high - gap) for gap in inner_gaps for _ in inner[gap]], np.int64)
            scores = [score for gap in inner_gaps for score, _ in inner[gap]]
            counts: list[Any] = []
            for gap in inner_gaps:
                *parts, rest = np.diff([0, *(below for _, below in inner[gap]), self.between[gap]])
                between = between.copy()
                between[gap - gaps.start] = rest
                counts += parts
            score = np.insert(_mixed(self.least[gaps], self.edges[edges]), at, scores)
            positive = np.insert(
                _mixed(np.zeros(len(between), self.hits.dtype), self.hits[edges]), at, 0
            )
            negative = np.insert(_mixed(between, self.equal[edges]), at, counts)
            keep = (positive > 0) | (negative > 0)
            yield score[keep], positive[keep], negative[keep]

    def _inside(self, rows: Mapping[int, Rows]) -> dict[int, Rows]:
        """Rows inside gaps but the last of each, best gap first."""
        rows_by_gap = {gap: list(rows_of_gap) for gap, rows_of_gap in rows.items()}
        best, count = self.top
        gap = int(np.searchsorted(self.edges, best, "right"))
        if self.least[gap] < best:  # it stands in a gap, and is not the last there
            rows_by_gap.setdefault(gap, []).append((best, count))
        # Several counts may be reached in one gap, in any order, beside the same scores.
        return {
            gap: [
                row
                for row in sorted(set(rows_by_gap[gap]), reverse=True)
                if row[0] > self.least[gap]
            ]
            for gap in sorted(rows_by_gap, reverse=True)
        }


def _mixed(gaps: Any, edges: Any) -> Any:
    """Of every gap and the edge below it, best first; there may be no edge below the last."""
    column = np.empty(len(gaps) + len(edges), gaps.dtype)
    column[0::2], column[1::2] = gaps[::-1], edges[::-1]
    return column


def own_thresholds(thresholds: Iterable[float], dtype: Any) -> Float64:
    """In ascending order and in the scores' own type, as thresholds are compared."""
    with np.errstate(over="ignore"):
        own = np.fromiter(thresholds, np.float64).astype(dtype).astype(np.float64)
    return np.unique(own[~np.isnan(own)] + 0.0)


def counted(relevant: Bool, score: Scores, weights: Any = None) -> tuple[Scores, Count, Count]:
    """Distinct scores of a batch, best first, and the relevant and other cases of each."""
    return tally(relevant, score) if weights is None else weighted_tally(relevant, score, weights)


def in_order(part: Scores, score: Scores) -> Scores:
    """Some of the scores, which are put in ascending order where they are; NaN is refused."""
    part.sort()
    if len(part) and part[-1] != part[-1]:
        refuse_nan(score)
    return part


def ascending(chosen: Bool, score: Scores, weights: Any = None) -> tuple[Scores, Count]:
    """Distinct scores of chosen cases, ascending, and how many there are of each, or what they
    weigh.
    """
    if weights is not None:
        best, _, count = counted(
            np.zeros(np.count_nonzero(chosen), np.bool_), score[chosen], weights[chosen]
        )
        return best[::-1], count[::-1]
    ordered = in_order(score[chosen], score)
    start = np.flatnonzero(changes(ordered))
    # Adding 0 turns -0 into 0.
    return ordered[start] + 0.0, np.diff(start, append=len(ordered))


def merged(parts: list[tuple[Float64, Count]]) -> tuple[Float64, Count]:
    """The counts of several parts, each score once."""
    if not parts:
        return np.zeros(0), np.zeros(0, np.int64)
    score, count = (np.concatenate(column) for column in zip(*parts, strict=True))
    # Parts are sorted already, which this kind of sorting makes use of.
    order = np.argsort(score, kind="stable")
    score = score[order]
    start = np.flatnonzero(changes(score))
    return score[start], np.add.reduceat(count[order], start)
