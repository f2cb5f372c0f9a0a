"""Counting of scored cases, in NumPy: the work of `counting.cpp`, done by sorting."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.core.counts import roc_sum, step_parts, step_sum
from precall.core.ragged import divides_whole

Int64: TypeAlias = npt.NDArray[np.int64]
#: float32 or float64.
Scores: TypeAlias = npt.NDArray[Any]
#: Number of edges whose points are made together.
_STEP = 1 << 18


def _check_lengths(score: Scores, *columns: npt.NDArray[Any]) -> None:
    if any(len(column) != len(score) for column in columns):
        raise ValueError("columns differ in length")


def areas(relevant: npt.NDArray[np.bool_], score: Scores, threads: int) -> tuple[int, ...]:
    """The counts from which average precision and the area under the ROC curve are computed.

    Returns relevant cases, other cases, the three parts of the step sum (see `step_parts`), twice
    the number of pairs in which the relevant case has the higher score (pairs of equal scores count
    once), and the index of the first NaN or -1.
    """
    _check_lengths(score, relevant)
    total = int(np.count_nonzero(relevant))
    size = (total, len(score) - total)
    hits, others = np.sort(score[relevant]), np.sort(score[~relevant])
    # NaN is sorted to the end.
    if any(
        len(scores_of_class) and np.isnan(scores_of_class[-1]) for scores_of_class in (hits, others)
    ):
        return (*size, 0, 0, 0, 0, _first_nan(score))
    lead = _block_starts(hits)
    start = np.flatnonzero(lead)
    tp = len(hits) - start
    count = np.diff(np.append(start, len(hits)))
    below, upto = (others.searchsorted(hits[start], side) for side in ("left", "right"))
    parts = step_parts(count, tp, len(others) - below)
    return (*size, *parts, int((count * (below + upto)).sum()), -1)


def _split_rankings(
    relevant: npt.NDArray[np.bool_], score: Scores, start: Int64
) -> list[tuple[Any, Any]]:
    """The cases of every ranking; ranking r has those from start[r] to start[r + 1] - 1."""
    _check_lengths(score, relevant)
    if not divides_whole(start, len(score)):
        raise ValueError("start does not divide the cases")
    return [(relevant[a:b], score[a:b]) for a, b in pairwise(start.tolist())]


def areas_each(relevant: npt.NDArray[np.bool_], score: Scores, start: Int64, threads: int) -> Int64:
    """`areas` of every ranking, one row each; see `_split_rankings`."""
    rows = [areas(*cases, threads) for cases in _split_rankings(relevant, score, start)]
    return np.array(rows, np.int64).reshape(len(rows), 7)


def path(
    relevant: npt.NDArray[np.bool_], score: Scores, threads: int
) -> tuple[Scores, Int64, Int64, int]:
    """Operating points: +inf, which accepts nothing, and every distinct score, best first.

    Returns these thresholds, the relevant and the other cases at or above each, and the first NaN
    or -1.
    """
    _check_lengths(score, relevant)
    ordered = np.sort(score)
    if len(ordered) and np.isnan(ordered[-1]):
        empty = np.zeros(0, np.int64)
        return score[:0].copy(), empty, empty, _first_nan(score)
    start = np.flatnonzero(_block_starts(ordered))
    # Adding 0 turns -0 into 0.
    value = ordered[start] + score.dtype.type(0)
    size = np.diff(np.append(start, len(ordered)))
    # Only cases of the smaller class are looked up.
    few = relevant if 2 * int(np.count_nonzero(relevant)) <= len(score) else ~relevant
    count = np.bincount(np.searchsorted(value, np.sort(score[few])), minlength=len(value)).astype(
        np.int64
    )
    hits, others = (count, size - count) if few is relevant else (size - count, count)
    threshold = np.concatenate((np.array([np.inf], score.dtype), value[::-1]))
    tp, fp = (np.append(0, np.cumsum(column[::-1])).astype(np.int64) for column in (hits, others))
    return threshold, tp, fp, -1


def path_each(
    relevant: npt.NDArray[np.bool_], score: Scores, start: Int64, threads: int
) -> tuple[Scores, Int64, Int64, Int64, int]:
    """The `path` of every ranking, one after another, and where each begins; the first NaN is that
    of all cases.
    """
    divided = _split_rankings(relevant, score, start)
    if np.isnan(score).any():
        none = np.zeros(0, np.int64)
        return score[:0].copy(), none, none, none, _first_nan(score)
    none = np.zeros(0, np.int64)
    paths = [(score[:0], none, none), *(path(*cases, threads)[:3] for cases in divided)]
    threshold, tp, fp = (np.concatenate(column) for column in zip(*paths, strict=True))
    first = np.cumsum([len(thresholds) for thresholds, *_ in paths], dtype=np.int64)
    return threshold, tp, fp, first, -1


def blocks(
    relevant: npt.NDArray[np.bool_], score: Scores, threads: int
) -> tuple[Int64, Int64, Int64, int]:
    """The block of equal scores of every case, best first, from 0.

    With it the numbers of relevant and other cases of each block, and the index of the first NaN or
    -1.
    """
    _check_lengths(score, relevant)
    order = np.argsort(score)
    ordered = score[order]
    if len(ordered) and np.isnan(ordered[-1]):
        none = np.zeros(0, np.int64)
        return none, none, none, _first_nan(score)
    block_number = np.cumsum(_block_starts(ordered))
    block = np.empty(len(score), np.int64)
    block[order] = (block_number[-1] if len(block_number) else 0) - block_number
    size = np.bincount(block)
    hits = np.bincount(block[relevant], minlength=len(size))
    return block, hits, size - hits, -1


def weigh(
    relevant: npt.NDArray[np.bool_],
    score: Scores,
    weight: npt.NDArray[np.float64],
    threads: int,
    summed: bool = False,
) -> tuple[Any, ...]:
    """Distinct scores, best first; the weights of the relevant and of the other cases of each; the
    first NaN or -1.

    Weights are added as NumPy does, in the order of the cases. If `summed`, they are those of the
    cases at or above each score, added from the best down, and the first row is +inf, which no case
    has.
    """
    _check_lengths(score, relevant, weight)
    if np.isnan(score).any():
        none = np.zeros(0)
        return score[:0].copy(), none, none, _first_nan(score)
    order = np.argsort(-score, kind="stable")
    ordered, relevant, weight = score[order], relevant[order], weight[order]
    start = np.flatnonzero(_block_starts(ordered))
    sums = (np.add.reduceat(np.where(kind, weight, 0.0), start) for kind in (relevant, ~relevant))
    best = ordered[start] + score.dtype.type(0)
    if not summed:
        return best, *sums, -1
    threshold = np.concatenate((np.array([np.inf], best.dtype), best))
    return threshold, *(np.cumsum(np.append(0.0, each)) for each in sums), -1


def weigh_area(
    relevant: npt.NDArray[np.bool_],
    score: Scores,
    weight: npt.NDArray[np.float64],
    missed: float,
    roc: bool,
    threads: int,
) -> tuple[float, float, float, int]:
    """The total weights of the relevant and of the other cases; their `step_sum`, or the `roc_sum`;
    the first NaN or -1.

    The sums are over the rows of `weigh`; relevant items that were `missed` are below all cases.
    """
    _, tp, fp, nan = weigh(relevant, score, weight, threads, True)
    if nan >= 0:
        return 0.0, 0.0, 0.0, nan
    rows = np.flatnonzero(tp[1:] != tp[:-1]) + 1
    size, hits, others = tp[rows] - tp[rows - 1], float(tp[-1]), float(fp[-1])
    if roc:
        twice = (others - fp[rows]) + (others - fp[rows - 1])
        return hits, others, roc_sum(size, twice, hits + missed, others), -1
    return hits, others, step_sum(size, tp[rows], fp[rows]), -1


def count_between(
    edges: npt.NDArray[np.float64],
    ordered: Scores,
    equal: npt.NDArray[Any],
    between: npt.NDArray[Any],
    least: npt.NDArray[np.float64],
) -> None:
    """Add cases to counts at and between edges; scores and edges ascend, and none is NaN.

    In place: to `equal` the cases at each edge; to `between` those strictly between an edge and the
    one before, at the end those above the last edge; and `least` becomes their lowest score, if it
    is below what stands there.
    """
    if not len(edges) == len(equal) == len(between) - 1 == len(least) - 1:
        raise ValueError("columns differ in length")
    if not len(ordered):
        return
    low, high = find_edges(edges, ordered)
    start: Int64 = np.append(0, high)
    stop: Int64 = np.append(low, len(ordered))
    # Adding 0 turns -0 into 0.
    first = ordered[np.minimum(start, len(ordered) - 1)].astype(np.float64) + 0.0
    np.minimum(least, first, out=least, where=stop > start)
    equal += high - low
    between += stop - start


def find_edges(edges: npt.NDArray[np.float64], ordered: Scores) -> tuple[Int64, Int64]:
    """For each edge the first score at or above it, and the first above it, as places among one or
    more scores; scores and edges ascend.
    """
    own: Scores = edges.astype(ordered.dtype)
    # NumPy would convert all scores to compare them with edges of another type.
    exact: Scores = own if np.array_equal(own, edges) else edges
    low: Int64 = np.searchsorted(ordered, exact)
    high = low.copy()
    # Most edges are not the score of any other case.
    at_edge = np.flatnonzero(ordered[np.minimum(low, len(ordered) - 1)] == exact)
    high[at_edge] = np.searchsorted(ordered, exact[at_edge], "right")
    return low, high


def rows_between(
    edges: npt.NDArray[np.float64],
    hits: npt.NDArray[Any],
    equal: npt.NDArray[Any],
    between: npt.NDArray[Any],
    least: npt.NDArray[np.float64],
    gap: Int64,
    inside: npt.NDArray[np.float64],
    below: npt.NDArray[Any],
    threshold: Scores,
    tp: npt.NDArray[Any],
    fp: npt.NDArray[Any],
) -> int:
    """Write the operating points of what `count_between` counted, best first, and return how many
    there are.

    +inf, which accepts nothing; then each gap, at its `least` score, and the edge below it with the
    `hits` and the `equal` cases there; what has no cases is left out. In some gaps, from the
    highest, there are points `inside` as well, each with the number of the gap's cases at or above
    it: `below`.
    """
    if not (
        len(edges) == len(hits) == len(equal) == len(between) - 1 == len(least) - 1
        and len(gap) == len(inside) == len(below)
        and len(threshold) == len(tp) == len(fp)
    ):
        raise ValueError("columns differ in length")
    descends = bool(np.all(gap[1:] <= gap[:-1]))
    if not descends or (len(gap) and not (gap[-1] >= 0 and gap[0] <= len(edges))):
        raise ValueError("gaps are none of these, or do not descend")
    if not len(threshold):
        raise ValueError("the points do not fit")
    threshold[0], tp[0], fp[0] = np.inf, 0, 0
    end = 1
    for high in range(len(edges), -1, -_STEP):
        low = max(high - _STEP, -1)
        gaps, at_edges = slice(low + 1, high + 1), slice(max(low, 0), high)
        chosen = slice(*np.searchsorted(-gap, (-high, -low)))
        at, some = gap[chosen], below[chosen]
        is_first = np.append(True, at[1:] != at[:-1])[: len(at)]
        counts = some - np.where(is_first, some.dtype.type(0), np.roll(some, 1))
        rest = between[gaps].copy()
        # The last of a gap's points has the greatest count.
        is_last = np.append(is_first[1:], True)[: len(at)]
        rest[at[is_last] - gaps.start] -= some[is_last]
        score, positive, negative = (
            np.insert(_interleave(*columns), 2 * (high - at), values)
            for columns, values in (
                ((least[gaps], edges[at_edges]), inside[chosen]),
                ((np.zeros(len(rest), hits.dtype), hits[at_edges]), hits.dtype.type(0)),
                ((rest, equal[at_edges]), counts),
            )
        )
        keep = (positive > 0) | (negative > 0)
        rows = slice(end, end + int(np.count_nonzero(keep)))
        if rows.stop > len(threshold):
            raise ValueError("the points do not fit")
        # Adding 0 turns -0 into 0, so that results do not depend on which of them came first.
        with np.errstate(over="ignore"):
            threshold[rows] = score[keep].astype(threshold.dtype) + threshold.dtype.type(0)
        for sums, count in ((tp, positive[keep]), (fp, negative[keep])):
            own = count.astype(sums.dtype, copy=False)
            own[:1] += sums[end - 1]
            np.cumsum(own, out=sums[rows])
        end = rows.stop
    return end


def _interleave(gaps: npt.NDArray[Any], edges: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Values of gaps and edges, alternating, best first: each gap, then the edge below it; the last
    gap may have no edge below.
    """
    column = np.empty(len(gaps) + len(edges), gaps.dtype)
    column[0::2], column[1::2] = gaps[::-1], edges[::-1]
    return column


def merge_counts(
    score: npt.NDArray[np.float64],
    count: npt.NDArray[Any],
    other: npt.NDArray[np.float64],
    other_count: npt.NDArray[Any],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[Any]]:
    """The numbers of cases at distinct scores of two parts, each score once; scores ascend, and
    none is NaN.
    """
    _check_lengths(score, count)
    _check_lengths(other, other_count)
    return merge_parts([(score, count), (other, other_count)])


def merge_parts(
    parts: list[tuple[npt.NDArray[np.float64], npt.NDArray[Any]]],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[Any]]:
    """`merge_counts` of one or more parts; equal scores are summed in the order of the parts."""
    score, count = (np.concatenate(column) for column in zip(*parts, strict=True))
    # The parts are already sorted; stable sorting is fast on such data.
    order = np.argsort(score, kind="stable")
    score = score[order]
    start = np.flatnonzero(_block_starts(score))
    return score[start], np.add.reduceat(count[order], start) if len(start) else count


def _block_starts(ordered: Scores) -> npt.NDArray[np.bool_]:
    lead = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=lead[1:])
    return lead


def _first_nan(score: Scores) -> int:
    return int(np.argmax(np.isnan(score)))
