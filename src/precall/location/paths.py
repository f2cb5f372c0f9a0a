"""Hits as paths, a row for each threshold, and the hits of paths."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise, starmap
from typing import Any

import numpy as np

from precall import ragged
from precall.counts import Path, Paths, Ranks
from precall.location.hits import Hits, others_of
from precall.ragged import Int64

#: Up to so many hits, ranks of single hits are told.
_SINGLE = 1 << 24


def along(tp: Int64, fp: Int64, start: Int64 | None, missed: int | Int64, ties: str) -> Hits:
    """The hits of paths, one after the other, each with a row that accepts nothing at its `start`; None: of one path."""
    new = tp[1:] != tp[:-1]
    ends: Any = slice(-1, None) if start is None else start[1:] - 1
    if start is not None:
        new[start[1:-1] - 1] = False
    before = new.nonzero()[0]
    # In place, of as few columns as are needed: paths may be long.
    first, last, count = fp[before], fp[1:][before], tp[1:][before]
    last += count
    count -= tp[before]
    first += tp[before]
    first += 1
    ranking = (
        np.zeros(len(before), np.int64) if start is None else np.searchsorted(start, before + 1, "right") - 1
    )
    retrieved = tp[ends] + fp[ends]
    if ties in ("best", "worst"):
        best = ties == "best"
        if int(count.sum()) <= _SINGLE:
            place = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
            first = last = np.repeat(first if best else last - count + 1, count) + place
            ranking, count = np.repeat(ranking, count), np.ones(len(first), np.int64)
        else:
            # Blocks of hits only, of which every order is the same.
            first, last = (first, first + count - 1) if best else (last - count + 1, last)
            ties = "expected"
    return Hits(first, last, count, ranking, retrieved, tp[ends] + missed, retrieved + missed, ties)


def row_of(path: Path, accepted: Any) -> int:
    """The last row of a path that accepts at most so many; -1 for less than none."""
    return bisect_right(range(len(path.tp)), accepted, key=lambda row: path.tp[row] + path.fp[row]) - 1


class _OfUnknownNumber(Paths):
    """Paths of rankings without ties, of which nobody knows how many items that are not relevant exist."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Path]:
        for path in Paths.__iter__(self):
            yield Ranks(path.tp, path.fp, path.missed, None)


def paths(hits: Hits, population: int | None = None) -> Sequence[Path] | Paths:
    """The path of each ranking: every rank is a threshold but those inside a block of hits, whose order is open."""
    known = hits.population if population is None else np.full(len(hits), population)
    if known is None and hits.single:
        return _without_ties(hits)
    others = [None] * len(hits)
    if known is not None:
        others = others_of(known, hits.retrieved, hits.relevant, hits.found).tolist()
    rows = starmap(slice, pairwise(ragged.starts(hits.ranking, len(hits)).tolist()))
    made = []
    columns = (rows, hits.retrieved.tolist(), hits.relevant.tolist(), others)
    for here, retrieved, relevant, other in zip(*columns, strict=True):
        first, last = hits.first[here], hits.last[here]
        tp, inside = np.zeros(retrieved + 1, np.int64), np.zeros(retrieved + 2, np.int64)
        tp[last] = hits.count[here]
        # +1 where the inside of a block begins, -1 at its last rank, which is a threshold.
        np.add.at(inside, first, 1)
        np.add.at(inside, last, -1)
        ranks = np.flatnonzero(np.cumsum(inside[:-1]) == 0)
        tp = np.cumsum(tp)[ranks]
        made.append(Ranks(tp, ranks - tp, relevant - int(tp[-1]), other, bool(np.any(first < last))))
    return made


def _without_ties(hits: Hits) -> Paths:
    """Every rank is a threshold."""
    end = np.cumsum(hits.retrieved + 1)
    start = np.append(0, end)
    tp = np.zeros(int(start[-1]), np.int64)
    tp[start[hits.ranking] + hits.first] = 1
    np.cumsum(tp, out=tp)
    before = tp[start[:-1]]
    length = np.diff(start)
    tp -= np.repeat(before, length)
    fp = np.arange(len(tp)) - np.repeat(start[:-1], length) - tp
    return _OfUnknownNumber(tp, fp, start, hits.relevant - tp[end - 1])
