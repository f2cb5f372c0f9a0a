"""Hits as paths: every rank is a threshold, but those inside a block of hits, whose order is
open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, starmap

import numpy as np

from precall.core import ragged
from precall.core.counts import Path, Paths, Ranks
from precall.location.hits import Hits, others_of


class _OfUnknownNumber(Paths):
    """Paths of rankings without ties, of which nobody knows how many items that are not relevant
    exist.
    """

    __slots__ = ()

    def __iter__(self) -> Iterator[Path]:
        for path in Paths.__iter__(self):
            yield Ranks(path.tp, path.fp, path.missed, None)


def paths(hits: Hits, population: int | None = None, ties: bool = True) -> Sequence[Path] | Paths:
    """The path of each ranking; hits whose order is open are refused unless there may be `ties`."""
    if not ties:
        _ = hits.location
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
        made.append(
            Ranks(tp, ranks - tp, relevant - int(tp[-1]), other, bool(np.any(first < last)))
        )
    return made


def _without_ties(hits: Hits) -> Paths:
    """Every rank is a threshold."""
    size = hits.retrieved + 1
    start, (ranking, rank) = ragged.offsets(size), ragged.spread(np.zeros_like(size), size)
    new = np.zeros(len(rank), np.int64)
    new[start[hits.ranking] + hits.first] = 1
    tp = ragged.running(new, ranking, len(hits))
    return _OfUnknownNumber(tp, rank - tp, start, hits.relevant - hits.found)
