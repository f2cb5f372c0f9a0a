"""Hits as paths: every rank is a threshold, except ranks inside a block of hits, whose order is
open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, starmap

import numpy as np

from precall.core import ragged
from precall.core.counts import Path, Paths, Ranks
from precall.location.hits import Hits, others_of


class _PathsWithoutOthers(Paths):
    """Paths of rankings without ties whose number of other (not relevant) items is unknown."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Path]:
        for path in Paths.__iter__(self):
            yield Ranks(path.tp, path.fp, path.missed, None)

    @property
    def others(self) -> None:
        """Unknown."""


def paths(hits: Hits, population: int | None = None, ties: bool = True) -> Sequence[Path] | Paths:
    """The path of each ranking; hits whose order is open are refused unless `ties` allows them."""
    if not ties:
        _ = hits.location
    populations = hits.population if population is None else np.full(len(hits), population)
    if populations is None and hits.single:
        return _without_ties(hits)
    others = [None] * len(hits)
    if populations is not None:
        others = others_of(populations, hits.retrieved, hits.relevant, hits.found).tolist()
    rows = starmap(slice, pairwise(ragged.starts(hits.ranking, len(hits)).tolist()))
    path_of_each = []
    columns = (rows, hits.retrieved.tolist(), hits.relevant.tolist(), others)
    for rows_of_ranking, retrieved, relevant, other in zip(*columns, strict=True):
        first, last = hits.first[rows_of_ranking], hits.last[rows_of_ranking]
        tp, inside = np.zeros(retrieved + 1, np.int64), np.zeros(retrieved + 2, np.int64)
        tp[last] = hits.count[rows_of_ranking]
        # +1 where the inside of a block begins, -1 at its last rank, which is a threshold.
        np.add.at(inside, first, 1)
        np.add.at(inside, last, -1)
        ranks = np.flatnonzero(np.cumsum(inside[:-1]) == 0)
        tp = np.cumsum(tp)[ranks]
        path_of_each.append(
            Ranks(tp, ranks - tp, relevant - int(tp[-1]), other, bool(np.any(first < last)))
        )
    return path_of_each


def _without_ties(hits: Hits) -> Paths:
    """The paths of rankings without ties: every rank is a threshold."""
    size = hits.retrieved + 1
    start, (ranking, rank) = ragged.offsets(size), ragged.spread(np.zeros_like(size), size)
    new = np.zeros(len(rank), np.int64)
    new[start[hits.ranking] + hits.first] = 1
    tp = ragged.running(new, ranking, len(hits))
    return _PathsWithoutOthers(tp, rank - tp, start, hits.relevant - hits.found)
