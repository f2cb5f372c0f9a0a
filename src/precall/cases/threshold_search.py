"""Guesses the scores next to a count of accepted cases, so that no further pass is needed to find
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from precall.cases.between_scores import RelevantScores, Rows
from precall.cases.curves import Count
from precall.cases.scored_cases import Scores
from precall.core.ragged import Bool, Float64

if TYPE_CHECKING:
    import numpy.typing as npt

#: One score in STRIDE is sampled; at most this share of the data is kept around a guess.
STRIDE, _MUCH = 1024, 0.1


class Within:
    """Other cases between two scores, kept one by one, to find the scores next to a count of
    accepted cases.

    The ends `low` and `high` do not belong to the range; None is an open end.
    """

    def __init__(self, low: float | None, high: float | None) -> None:
        self.low: float | None = low
        self.high: float | None = high
        self._known = RelevantScores()  # of the others, which are counted alike

    def add(self, relevant: Bool, score: Scores, weights: npt.NDArray[Any] | None = None) -> None:
        """Add a batch of cases."""
        self._known.add(~relevant & self._inside(score), score, weights)

    def add_distinct(self, score: Float64, count: Count) -> None:
        """Add distinct scores, ascending, whose cases were counted elsewhere."""
        self._known.add_distinct(score, count)

    def distinct_scores(self) -> tuple[Float64, Count]:
        """The distinct scores, ascending, and the number of cases at each."""
        return self._known.distinct_scores()

    def _inside(
        self, score: Scores | Float64, low: float | None = None, high: float | None = None
    ) -> Bool:
        # Bounds are NumPy numbers: next to float32 scores, NumPy would round a Python float to
        # float32.
        inside = np.ones(len(score), np.bool_)
        for bound in (self.low, low):
            if bound is not None:
                inside &= score > np.float64(bound)
        for bound in (self.high, high):
            if bound is not None:
                inside &= score < np.float64(bound)
        return inside

    def holds(self, low: float | None, high: float | None) -> bool:
        """Whether the range contains everything between these two scores."""
        above = self.low is None or (low is not None and low >= self.low)
        return above and (self.high is None or (high is not None and high <= self.high))

    def rows(self, low: float | None, high: float | None, wanted: Any) -> Rows:
        """The last score of a gap at which at most `wanted` of its cases are accepted, and the next
        score.
        """
        score, count = self.distinct_scores()
        inside = self._inside(score, low, high)
        score, count = score[inside][::-1], count[inside][::-1]
        accepted = np.cumsum(count)
        at = int(np.searchsorted(accepted, wanted, side="right"))
        return [(float(score[row]), accepted[row]) for row in (at - 1, at) if 0 <= row < len(score)]


class Sample:
    """Systematic sample: every 1024th score. From it the threshold that accepts a count of cases is
    guessed.
    """

    def __init__(self) -> None:
        self._parts: list[Scores] = []
        self._cases = 0

    def add(self, score: Scores) -> None:
        """Add a batch of cases."""
        self._parts.append(score[-self._cases % STRIDE :: STRIDE].copy())
        self._cases += len(score)

    def merge(self, other: Sample) -> None:
        """Add the scores that another instance has sampled."""
        self._parts += other._parts
        self._cases += other._cases

    def scores(self) -> npt.NDArray[Any]:
        """The sampled scores, in no order."""
        return np.concatenate(self._parts) if self._parts else np.zeros(0)

    def around(self, accepted: float) -> Within | None:
        """The range of scores in which that threshold very likely lies; None if the range would
        hold too much of the data.
        """
        size = self._cases // STRIDE
        expected = accepted / STRIDE
        # Eight standard deviations of a binomial count, plus eight.
        room = 8 * (max(expected * (1 - expected / size), 0.0) ** 0.5 if size else 0.0) + 8
        if not size or 2 * room > _MUCH * size:
            return None
        best = np.sort(np.concatenate(self._parts).astype(np.float64))[::-1]
        last, first = int(expected + room), min(int(expected - room), len(best) - 1)
        low = best[last].item() if last < len(best) else None
        return Within(low, best[first].item() if first >= 0 else None)
