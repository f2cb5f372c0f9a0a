"""Rankings as paths: the counts at each rank that a threshold can stand behind."""

from __future__ import annotations

from typing import Any

import numpy as np

from precall import ragged
from precall.counts import Ranks
from precall.errors import MeasureError
from precall.location.hits import Hits


def others_of(population: Any, retrieved: Any, relevant: Any, found: Any) -> Any:
    """Items that are not relevant, of a population that holds all that was retrieved or is relevant."""
    least = retrieved + relevant - found
    if np.any(population < least):
        raise MeasureError(
            f"population: got {np.min(population)}, but {int(np.max(least))} items were retrieved or are relevant; it "
            "counts all that exist"
        )
    return population - relevant


def paths(hits: Hits, population: int | None = None) -> list[Ranks]:
    """The path of each ranking: every rank is a threshold but those inside a block of hits, which are not told apart.

    Examples
    --------
    >>> [path] = paths(Hits.of([2, 3], retrieved=4, relevant=3))
    >>> path.tp, path.fp, path.missed
    (array([0, 0, 1, 2, 2]), array([0, 1, 1, 1, 2]), 1)
    """
    known = hits.population if population is None else np.full(len(hits), population)
    others = None if known is None else others_of(known, hits.retrieved, hits.relevant, hits.found)
    start = ragged.starts(hits.ranking, len(hits)).tolist()
    made = []
    for index, (retrieved, relevant) in enumerate(
        zip(hits.retrieved.tolist(), hits.relevant.tolist(), strict=True)
    ):
        rows = slice(start[index], start[index + 1])
        first, last = hits.first[rows], hits.last[rows]
        tp, inside = np.zeros(retrieved + 1, np.int64), np.zeros(retrieved + 2, np.int64)
        tp[last] = hits.count[rows]
        # +1 where the inside of a block begins, -1 at its last rank, which is a threshold.
        np.add.at(inside, first, 1)
        np.add.at(inside, last, -1)
        ranks = np.flatnonzero(np.cumsum(inside[:-1]) == 0)
        tp = np.cumsum(tp)[ranks]
        tied = bool(np.any(first < last))
        made.append(
            Ranks(
                tp, ranks - tp, relevant - int(tp[-1]), None if others is None else int(others[index]), tied
            )
        )
    return made
