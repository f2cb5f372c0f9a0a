"""Curves of many rankings at once: one call of the kernel counts them, one call of the formula
measures them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from precall.cases.curves import Curve
from precall.cases.scored_cases import Scores, refuse_nan
from precall.core.counts import Paths
from precall.core.errors import TiesUnresolved
from precall.core.ragged import Bool, Float64, Int64
from precall.location.hits import along
from precall.measures import Measure
from precall.native import kernel, thread_count


@dataclass(frozen=True, slots=True, eq=False)
class Curves(Paths):
    """Curves one after another, as columns; see `Curve`."""

    threshold: Scores

    def __iter__(self) -> Iterator[Curve]:
        for (begin, end), missed in zip(
            pairwise(self.start.tolist()), self.missed.tolist(), strict=True
        ):
            yield Curve(self.threshold[begin:end], self.tp[begin:end], self.fp[begin:end], missed)

    @classmethod
    def of(cls, one: Curve) -> Curves:
        """One curve in this form."""
        return cls(one.tp, one.fp, np.array([0, len(one)]), np.array([one.missed]), one.threshold)

    def measured(self, measure: Measure, ties: str | None) -> Float64:
        """A measure of ranks of each curve, as `Curve.measured` returns it."""
        in_blocks = measure.of_paths(self) if ties in (None, "block") else None
        if in_blocks is not None:
            return in_blocks
        tp, fp, missed = (
            np.asarray(counts, np.int64) for counts in (self.tp, self.fp, self.missed)
        )
        try:
            return measure(along(tp, fp, self.start, missed, ties or "block"))  # type: ignore[no-any-return]
        except TiesUnresolved:
            # One by one: a curve alone may have few enough orders of ties, or raises an error that
            # says what to do.
            return np.array([path.measured(measure, ties) for path in self], np.float64)


def curves(relevant: Bool, score: Scores, start: Int64, total: Int64) -> Curves:
    """The curves of many rankings; ranking r has the cases `start[r]` to `start[r + 1]` and
    `total[r]` relevant items.

    Examples
    --------
    >>> relevant, score = np.array([True, False, False, True]), np.array([2.0, 1.0, 2.0, 1.0])
    >>> [
    ...     path.average_precision()
    ...     for path in curves(relevant, score, np.array([0, 2, 4]), np.array([1, 2]))
    ... ]
    [1.0, 0.25]
    """
    columns = map(np.ascontiguousarray, (relevant, score, start))
    threshold, tp, fp, first, nan = kernel().path_each(*columns, thread_count())
    if nan >= 0:
        refuse_nan(score)
    return Curves(tp, fp, first, total - tp[first[1:] - 1], threshold)
