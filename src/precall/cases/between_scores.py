"""Cases counted at and between the scores of relevant cases: sufficient for all numbers of a curve,
whatever the size of the data.

Pass 1 keeps the distinct relevant scores; pass 2 counts the other cases at and between them. Both
use only sums of whole numbers and minima of scores, so batches can be counted and merged in any
order with equal results, digit by digit. Between two relevant scores precision only falls. So a
best value, an area or a level of recall is always determined by the ends of a gap, and the curve
has a row for both ends.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Mapping
from math import fsum
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.cases.curves import Count, Curve
from precall.cases.points import RequestedPoints
from precall.cases.scored_cases import EXACT, Scores, refuse_nan
from precall.cases.tally import path, tally, weighted_tally
from precall.core.errors import UsageError
from precall.core.ragged import Bool, Float64, Int64, changes
from precall.native import kernel, twin_counting

#: Scores inside a gap, best first, each with the number of the gap's cases that score at least
#: that.
Rows: TypeAlias = list[tuple[float, Any]]
#: Parts wait to be merged until they hold this many scores, or twice the number of known scores,
#: whichever is more.
WAITING = 1 << 20
#: Bytes of a distinct score and its count.
_BYTES = 16
#: Number of edges that are looked at together.
_STEP = 1 << 18


class RelevantScores:
    """Pass 1: the distinct scores of relevant cases, and the number of cases (or their weight) at
    each.

    Examples
    --------
    >>> known = RelevantScores()
    >>> known.add(np.array([True, False, True]), np.array([0.5, 0.7, 0.25]))
    >>> known.add(np.array([True]), np.array([0.5]))
    >>> known.distinct_scores()
    (array([0.25, 0.5 ]), array([1, 2]))
    """

    def __init__(self) -> None:
        self._parts: list[tuple[Float64, Count]] = []
        self._waiting, self._room = 0, WAITING
        #: One score per case, in the order of the cases: to sort many at once is faster than to
        #: sort each batch and merge what comes of it, and takes less memory than counts.
        self._uncounted: list[Scores] = []
        self._cases = self._bytes = 0
        #: float32 as long as all scores were float32.
        self.dtype: Any = None

    def add(self, relevant: Bool, score: Scores, weights: object = None) -> None:
        """Add a batch of cases."""
        self.dtype = score.dtype if self.dtype is None else np.result_type(self.dtype, score.dtype)
        if weights is None:
            self._keep(choose(relevant, score), score)
            return
        distinct, count = ascending(relevant, score, weights)
        if len(distinct):
            self.add_distinct(distinct.astype(np.float64, copy=False), count)

    def merge(self, other: RelevantScores) -> None:
        """Add all scores of another instance."""
        other._count_cases()
        for counts in other._parts:
            self.add_distinct(*counts)
        if other.dtype is not None:
            self.dtype = (
                other.dtype if self.dtype is None else np.result_type(self.dtype, other.dtype)
            )

    @property
    def size(self) -> int:
        """The number of scores held; a score may be counted once per part."""
        return self._waiting + self._cases

    def distinct_scores(self) -> tuple[Float64, Count]:
        """The distinct scores, ascending, and the number of relevant cases at each."""
        self._count_cases()
        if len(self._parts) != 1:
            self._parts = [merge(self._parts)]
            self._waiting = len(self._parts[0][0])
        return self._parts[0]

    def take(self) -> tuple[Float64, Count]:
        """The same as `count_scores`; the scores are then removed."""
        score, count = self.distinct_scores()
        self._parts, self._waiting, self._room = [], 0, WAITING
        return score, count

    def add_distinct(self, score: Float64, count: Count) -> None:
        """Add distinct scores, ascending, whose cases were counted elsewhere."""
        self._count_cases()  # sums of real weights depend on their order
        self._append(score, count)

    def _append(self, score: Float64, count: Count) -> None:
        self._parts.append((score, count))
        self._waiting += len(score)
        if self._waiting >= self._room:
            self._room = max(WAITING, 2 * len(self.distinct_scores()[0]))

    def _keep(self, part: Scores, score: Scores) -> None:
        """Keep the relevant ones of the scores, to be counted together."""
        if not len(part):
            return
        if np.isnan(part.max()):
            refuse_nan(score)
        self._uncounted.append(part)
        self._cases += len(part)
        self._bytes += part.nbytes
        if self._bytes >= _BYTES * max(WAITING, self._waiting):
            self._count_cases()

    def _count_cases(self) -> None:
        """Count the cases that are kept."""
        if not self._cases:
            return
        score: Any = np.concatenate(self._uncounted)
        self._uncounted, self._cases, self._bytes = [], 0, 0
        threshold, count, _ = path(np.ones(len(score), np.bool_), score)
        self._append(threshold[:0:-1].astype(np.float64), np.diff(count)[::-1])


class Gaps:
    """Pass 2: other cases at ascending scores, and strictly between them.

    Parameters
    ----------
    edges : the distinct relevant scores and the requested thresholds, ascending.
    hits : number (or weight) of relevant cases at each edge; 0 at a threshold that was only
        requested.

    Examples
    --------
    >>> gaps = Gaps(np.array([0.25, 0.5]), np.array([1, 2]))
    >>> gaps.add(np.array([False, False, True]), np.array([0.3, 0.25, 0.5]))
    >>> gaps.curve().fp, gaps.curve().threshold
    (array([0, 0, 1, 2]), array([ inf, 0.5 , 0.3 , 0.25]))
    """

    def __init__(
        self,
        edges: Float64,
        hits: Int64 | Float64,
        asked: Iterable[float] = (),
        dtype: npt.DTypeLike = np.float64,
    ) -> None:
        self.edges: Float64 = edges
        self.hits: Count = hits
        self.asked: tuple[float, ...] = tuple(asked)
        self.dtype: npt.DTypeLike = dtype
        self.equal: npt.NDArray[Any] = np.zeros(len(edges), hits.dtype)
        self.between: npt.NDArray[Any] = np.zeros(len(edges) + 1, hits.dtype)
        self.least: Float64 = np.full(len(edges) + 1, np.inf)
        #: The best score of other cases and the number of cases there. Measures that are undefined
        #: above this score begin here.
        self.top: tuple[float, float] = (-np.inf, 0)
        #: Allocates the columns of the curve.
        self.room: Callable[[int, Any], Any] = np.empty

    @classmethod
    def of(cls, known: RelevantScores, thresholds: Iterable[float] = ()) -> Gaps:
        """Gaps between all relevant scores and the requested thresholds."""
        dtype = known.dtype or np.float64
        return cls.among(*known.distinct_scores(), own_thresholds(thresholds, dtype), dtype)

    @classmethod
    def among(
        cls, edges: Float64, hits: npt.NDArray[Any], asked: Float64, dtype: npt.DTypeLike
    ) -> Gaps:
        """Gaps between given scores and thresholds, each in ascending order."""
        at = np.searchsorted(edges, asked)
        lacking = asked[np.append(edges, np.nan)[at] != asked] if len(asked) else asked
        if len(lacking):
            order = np.argsort(np.concatenate((edges, lacking)), kind="stable")
            edges = np.concatenate((edges, lacking))[order]
            hits = np.concatenate((hits, np.zeros(len(lacking), hits.dtype)))[order]
        return cls(edges, hits, asked.tolist(), dtype)

    @property
    def total(self) -> Any:
        """The number of relevant cases, or their weight."""
        if self.hits.dtype.kind != "f":
            return self.hits.sum().item()
        total: npt.NDArray[Any] = np.zeros(1)
        for high in range(
            len(self.hits), 0, -_STEP
        ):  # real weights are summed in the order of the curve, so that the sum is equal to the bit
            hits = self.hits[max(high - _STEP, 0) : high][::-1]
            total = np.cumsum(np.append(total, hits))[-1:]
        return total.item()

    def add(self, relevant: Bool, score: Scores, weights: object = None) -> None:
        """Add a batch of cases, whose relevant scores are known already."""
        if weights is None:
            self.count(in_order(choose(~relevant, score), score), None)
        else:
            self.count(*ascending(~relevant, score, weights))

    def count(self, ordered: Scores, count: Count | None) -> None:
        """Count other cases by their scores, ascending: distinct scores with the number of cases at
        each, or one score per case.
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
        if count is None:
            # The kernel counts whole numbers; sums of real weights may be waiting here.
            counting = kernel() if self.between.dtype.kind != "f" else twin_counting
            counting.count_between(self.edges, ordered, self.equal, self.between, self.least)
        elif len(ordered) > len(self.edges):
            self._by_edges(ordered, count)
        else:
            self._by_scores(ordered.astype(np.float64, copy=False), count)

    def _by_edges(self, distinct: Scores, count: Count) -> None:
        """Count by looking up a few edges among many scores."""
        low, high = twin_counting.find_edges(self.edges, distinct)
        start, stop = np.append(0, high), np.append(low, len(distinct))
        first = distinct[np.minimum(start, len(distinct) - 1)]
        np.minimum(self.least, first, out=self.least, where=stop > start)
        # Not by differences of cumulative sums: heavy cases would blur light ones there.
        padded = np.append(count, count.dtype.type(0))
        ends = np.stack((start, stop), axis=1).ravel()
        at_edge = high > low
        self.equal[at_edge] += count[low[at_edge]]
        self.between += np.where(stop > start, np.add.reduceat(padded, ends)[::2], 0)

    def _by_scores(self, distinct: Float64, count: Count) -> None:
        """Count by looking up a few scores among many edges."""
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
        """Record `count` other cases at a score that may be the best."""
        best, before = self.top
        if score >= best:
            self.top = score, count + before * (score == best)

    def merge(self, other: Gaps) -> None:
        """Add all counts of another instance with the same edges."""
        if not (np.array_equal(self.edges, other.edges) and np.array_equal(self.hits, other.hits)):
            raise UsageError(
                argument="merge", what="both must count between the same relevant scores"
            )
        self.equal, self.between = self.equal + other.equal, self.between + other.between
        self.least = np.minimum(
            self.least, other.least
        )  # not in place: an engine may send read-only arrays
        self.raise_top(*other.top)

    def place(self, accepted: int | float) -> tuple[int, Any]:
        """The gap, from the lowest, in which a threshold accepts this many cases, and how many
        cases of the gap it accepts; -1 if it lies in no gap.
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
        """The scores at both ends of a gap; None at an open end."""
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
        """The curve, with a row at every edge, the row above each edge if there is one, and the row
        of the best other case.

        `rows` holds for some gaps the scores next to requested counts of accepted cases, best
        first, each with the number of the gap's cases that score at least that. Counts have at
        least the type `kind`.
        """
        inner = self._inside(rows or {})
        size = sum(map(len, inner.values())) + int(np.count_nonzero(self.between))
        size += int(np.count_nonzero(self.hits)) + int(np.count_nonzero(self.equal[self.hits == 0]))
        # If one type is real both are: the weights of relevant cases alone may be whole numbers.
        kinds = [np.result_type(self.hits.dtype, self.between.dtype, kind)] * 2
        total = fsum(
            np.sum(counts_of_kind, dtype=float)
            for counts_of_kind in (self.hits, self.equal, self.between)
        )
        if kinds[0].kind != "f" and total > EXACT:
            kinds = [np.dtype(np.float64)] * 2
        threshold, tp, fp = (self.room(size + 1, kind) for kind in (self.dtype, *kinds))
        places = [(gap, *row) for gap in inner for row in inner[gap]]
        at, score, below = zip(*places, strict=True) if places else ((), (), ())
        columns = (self.edges, self.hits, self.equal, self.between, self.least)
        whole = all(each.dtype == np.int64 for each in (*columns[1:4], tp))
        counting = kernel() if whole else twin_counting
        edges, hits, equal, between, least = (np.ascontiguousarray(each) for each in columns)
        inside = np.array(score, np.float64), np.array(below, self.between.dtype)
        end = counting.rows_between(
            edges, hits, equal, between, least, np.array(at, np.int64), *inside, threshold, tp, fp
        )
        request = RequestedPoints(frozenset(self.asked), frozenset(accepted))
        return Curve(threshold[:end], tp[:end], fp[:end], missed, weighted, asked=request)

    def _inside(self, rows: Mapping[int, Rows]) -> dict[int, Rows]:
        """Rows inside gaps except the last of each, best gap first."""
        rows_by_gap = {gap: list(rows_of_gap) for gap, rows_of_gap in rows.items()}
        best, count = self.top
        gap = int(np.searchsorted(self.edges, best, "right"))
        if self.least[gap] < best:  # it lies inside a gap and is not its last score
            rows_by_gap.setdefault(gap, []).append((best, count))
        # Several requested counts may fall into one gap, in any order and next to the same scores.
        return {
            gap: [
                row
                for row in sorted(set(rows_by_gap[gap]), reverse=True)
                if row[0] > self.least[gap]
            ]
            for gap in sorted(rows_by_gap, reverse=True)
        }


def own_thresholds(thresholds: Iterable[float], dtype: Any) -> Float64:
    """Thresholds in ascending order, in the type of the scores, as `score >= threshold` compares
    them.
    """
    with np.errstate(over="ignore"):
        own = np.fromiter(thresholds, np.float64).astype(dtype).astype(np.float64)
    return np.unique(own[~np.isnan(own)] + 0.0)


def count_scores(
    relevant: Bool, score: Scores, weights: Int64 | Float64 | None = None
) -> tuple[Scores, Count, Count]:
    """Distinct scores of a batch, best first, and the numbers of relevant and other cases at
    each.
    """
    return tally(relevant, score) if weights is None else weighted_tally(relevant, score, weights)


def choose(chosen: Bool, score: Scores) -> Scores:
    """The scores of the chosen cases; to index by truth values takes three times as long where it
    is hard to foresee which come next.
    """
    part: Scores = np.compress(chosen, score)  # type: ignore[assignment]
    return part


def in_order(part: Scores, score: Scores) -> Scores:
    """Some of the scores, sorted in place in ascending order; NaN is refused."""
    part.sort()
    if len(part) and part[-1] != part[-1]:
        refuse_nan(score)
    return part


def ascending(chosen: Bool, score: Scores, weights: Any) -> tuple[Scores, Count]:
    """Distinct scores of the chosen cases, ascending, and the weight of the cases at each."""
    best, _, count = count_scores(
        np.zeros(np.count_nonzero(chosen), np.bool_), score[chosen], weights[chosen]
    )
    return best[::-1], count[::-1]


def merge(parts: list[tuple[Float64, Count]]) -> tuple[Float64, Count]:
    """The counts of several parts merged, each score once."""
    if not parts:
        return np.zeros(0), np.zeros(0, np.int64)
    if all(count.dtype == np.int64 for _, count in parts):
        # Whole numbers are added in any order: those parts first that are short.
        waiting: list[Any] = sorted(
            (tuple(map(np.ascontiguousarray, part)) for part in parts),
            key=lambda part: -len(part[0]),
        )
        while len(waiting) > 1:
            merged = kernel().merge_counts(*waiting.pop(), *waiting.pop())
            insort(waiting, merged, key=lambda part: -len(part[0]))
        all_parts: tuple[Float64, Count] = waiting[0]
        return all_parts
    # Real weights are summed in the order of the parts, whatever the kernel.
    return twin_counting.merge_parts(parts)
