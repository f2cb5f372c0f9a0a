"""Relevant scores beyond memory, and the cases between them: kept on disk, counted one range of
scores after another.

Both are written as runs in ascending order. Ranges are bounded by scores, so equal scores are
always in one range, and its counts are complete. Ranges can therefore be joined as they are; only
the gap between two neighbours is shared.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from precall.cases.between_scores import Gaps, RelevantScores, ascending, choose, in_order, merge
from precall.cases.score_ranges import on_disk
from precall.cases.scored_cases import Scores
from precall.cases.spooling import Place, Shelf
from precall.core.ragged import Bool, Float64

if TYPE_CHECKING:
    import numpy.typing as npt

#: At least this many scores of each run are sampled to place the bounds of ranges.
_LOOKED_AT = 64


class SortedRun(NamedTuple):
    """Ascending scores, and the number of cases of each (one if not given)."""

    score: Place
    cases: Place | None


class Buckets:
    """`Gaps` whose relevant scores are on disk; `gaps` returns the counts.

    Parameters
    ----------
    shelf : file that the scores are written to.
    most : approximate number of relevant scores in a range.
    """

    def __init__(self, shelf: Shelf, most: int) -> None:
        self._shelf, self._most = shelf, most
        self._relevant: list[SortedRun] = []
        self._others: list[SortedRun] = []
        self.dtype: npt.DTypeLike = np.float64
        self.total: Any = 0

    def keep(self, known: RelevantScores) -> None:
        """Write scores of relevant cases to disk; `known` then no longer holds them."""
        score, count = known.take()
        self.dtype = known.dtype or np.float64
        self.total += count.sum().item()
        self._relevant.append(SortedRun(self._shelf.put(score), self._shelf.put(count)))

    def add(self, relevant: Bool, score: Scores, weights: object = None) -> None:
        """Add a batch of cases, whose relevant scores are known already."""
        count = None
        if weights is None:
            ordered = in_order(choose(~relevant, score), score)
        else:
            ordered, count = ascending(~relevant, score, weights)
        column = self._shelf.put(ordered.astype(self.dtype, copy=False))
        self._others.append(SortedRun(column, None if count is None else self._shelf.put(count)))

    def gaps(self, asked: Float64) -> Gaps:
        """The counts at and between all relevant scores, and at thresholds; they are on disk as
        well.
        """
        runs = (*self._relevant, *self._others)
        real = any(run.cases is not None and np.dtype(run.cases[1]).kind == "f" for run in runs)
        kind = np.dtype(np.float64 if real else np.int64)
        parts = (self._count(low, high, asked, kind) for low, high in self._ranges())
        return on_disk(parts, asked.tolist(), self.dtype, kind)

    def _count(
        self, low: float | None, high: float | None, asked: Float64, kind: npt.DTypeLike
    ) -> Gaps:
        edges, hits = merge([self._part(run, low, high) for run in self._relevant])
        inside = (asked >= (-np.inf if low is None else low)) & (
            asked < high if high is not None else True
        )
        gaps = Gaps.among(edges, hits.astype(kind), asked[inside], self.dtype)
        for run in self._others:
            gaps.count(*self._part(run, low, high))
        return gaps

    def _part(self, run: SortedRun, low: object, high: object) -> tuple[Any, Any]:
        """The scores from `low` to below `high`, and the cases of each."""
        score = self._shelf.get(run.score)
        # Bounds are converted to the type of the scores; else NumPy would convert all scores to
        # compare them.
        start = 0 if low is None else np.searchsorted(score, score.dtype.type(low))
        stop = len(score) if high is None else np.searchsorted(score, score.dtype.type(high))
        count = None if run.cases is None else self._shelf.get(run.cases)[start:stop]
        return score[start:stop], count

    def _ranges(self) -> Iterator[tuple[Any, Any]]:
        """Bounds of ranges with about `most` relevant scores each, from the lowest; the first and
        the last range are open.
        """
        stride = max(self._most // _LOOKED_AT, 1)
        looked_at = [self._shelf.get(run.score)[stride - 1 :: stride] for run in self._relevant]
        sample = np.sort(np.concatenate(looked_at))
        bounds = np.unique(sample[_LOOKED_AT - 1 :: _LOOKED_AT]).tolist()
        return pairwise([None, *bounds, None])
