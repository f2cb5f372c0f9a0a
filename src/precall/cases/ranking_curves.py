"""Curves of many rankings at once: one call of the kernel counts them, one call of the formula
measures them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from precall.cases.curves import Curve
from precall.cases.scored_cases import Scores, orient, refuse_nan
from precall.core.counts import Paths
from precall.core.errors import TiesUnresolved
from precall.core.ragged import Bool, Float64, Int64, integer_sums_of_parts, offsets
from precall.location.hits import along
from precall.measures import Measure
from precall.native import kernel, thread_count

#: Curves of fewer cases are measured by int64 and float64 as alone.
_EXACT = 2**26


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

    def chunks(self, rows: int) -> Iterator[Curves]:
        """Parts of some curves that have about as many rows together; at least one curve each.

        Examples
        --------
        >>> zeros, start = np.zeros(6, np.int64), np.array([0, 2, 3, 6])
        >>> [len(each) for each in Curves(zeros, zeros, start, zeros[:3], zeros).chunks(3)]
        [2, 1]
        """
        first = 0
        while first < len(self):
            end = int(np.searchsorted(self.start, self.start[first] + rows, "right")) - 1
            end = max(end, first + 1)
            begin, stop = self.start[first], self.start[end]
            yield Curves(
                self.tp[begin:stop],
                self.fp[begin:stop],
                self.start[first : end + 1] - begin,
                self.missed[first:end],
                self.threshold[begin:stop],
            )
            first = end

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


class GroupCurves(Mapping[str, Curve]):
    """The curve of each group by its name, made from the columns of all when it is read.

    Examples
    --------
    >>> relevant, score = np.array([True, False, False, True]), np.array([2.0, 1.0, 2.0, 1.0])
    >>> rows = {"a": np.array([0, 3]), "b": np.array([1, 2])}
    >>> GroupCurves.of(relevant, score, rows)["a"].tp
    array([0, 1, 2])
    """

    def __init__(self, names: Sequence[str], columns: Curves, higher_is_better: bool) -> None:
        self.index: dict[str, int] = {name: row for row, name in enumerate(names)}
        self.columns: Curves = columns
        self.higher_is_better: bool = higher_is_better

    @classmethod
    def of(
        cls,
        relevant: Bool,
        score: Scores,
        groups: Mapping[str, Int64],
        missed: int = 0,
        higher_is_better: bool = True,
    ) -> GroupCurves:
        """The curves of groups with some rows each; scores are as `orient` returns them."""
        order = np.concatenate(list(groups.values()))
        start = offsets(np.fromiter(map(len, groups.values()), np.int64, len(groups)))
        relevant = relevant[order]
        total = integer_sums_of_parts(relevant.astype(np.int64), start) + missed
        columns = curves(relevant, score[order], start, total)
        return cls(list(groups), columns, higher_is_better)

    @property
    def is_small(self) -> bool:
        """Whether products of counts are exact, so that formulas may take all curves at once."""
        columns = self.columns
        sizes = columns.relevant + columns.fp[columns.start[1:] - 1]
        return bool(len(self)) and float(np.max(sizes)) < _EXACT

    def __getitem__(self, group: str) -> Curve:
        columns, row = self.columns, self.index[group]
        rows = slice(*columns.start[row : row + 2].tolist())
        return Curve(
            orient(columns.threshold[rows], self.higher_is_better),
            columns.tp[rows],
            columns.fp[rows],
            columns.missed[row].item(),
            higher_is_better=self.higher_is_better,
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self.index)

    def __len__(self) -> int:
        return len(self.index)


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
    threshold, tp, fp, first, nan = kernel().path_each(
        np.ascontiguousarray(relevant),
        np.ascontiguousarray(score),
        np.ascontiguousarray(start),
        thread_count(),
    )
    if nan >= 0:
        refuse_nan(score)
    return Curves(tp, fp, first, total - tp[first[1:] - 1], threshold)
