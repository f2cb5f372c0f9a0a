"""A worked example of a measure: one ranking, small enough to check by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from precall.counts import Counts
from precall.location.located import Located


class CountsExample:
    """A contingency table and the value a measure of counts has there.

    Examples
    --------
    >>> CountsExample(tp=2, fp=3, fn=1, tn=4, value=1 / 2).counts().relevant
    array([3])
    """

    def __init__(self, *, tp: int, fp: int, fn: int, tn: int, value: float, **parameters: Any) -> None:
        self.tp, self.fp, self.fn, self.tn = tp, fp, fn, tn
        self.value = value
        self.parameters = parameters

    def counts(self) -> Counts:
        """The example as data."""
        tp, fp, fn, tn = (np.array([cell], np.int64) for cell in (self.tp, self.fp, self.fn, self.tn))
        return Counts(tp, fp, fn, tn)


class CategoryExample:
    """Items of several categories, their scores, and the value a measure has there."""

    def __init__(self, *, categories: Sequence[str], scores: Sequence[Sequence[float]], value: float) -> None:
        self.categories, self.scores = list(categories), [list(row) for row in scores]
        self.value = value
        self.parameters: dict[str, Any] = {}


class Example:
    """One ranking and the value a measure has there.

    Parameters
    ----------
    hits : ranks of the retrieved relevant items.
    retrieved : items in the ranking.
    relevant : relevant items that exist (default: those retrieved). Missed ones have grade 1
        unless `missed` gives their grades.
    value : the measure's value.
    grades : grades of `hits`, in their order (default: all 1).
    missed : grades of relevant items that were not retrieved.
    nonrelevant : ranks of items judged as not relevant; all others are unjudged.
    missed_nonrelevant : how many items judged as not relevant were not retrieved.
    parameters : the measure's.

    Examples
    --------
    >>> Example(hits=[1, 3], retrieved=10, relevant=3, cutoff=5, value=2 / 5).located().hits().location
    array([1, 3])
    """

    def __init__(
        self,
        *,
        hits: Sequence[int],
        retrieved: int,
        value: float,
        relevant: int | None = None,
        grades: Sequence[int] | None = None,
        missed: Sequence[int] | None = None,
        nonrelevant: Sequence[int] = (),
        missed_nonrelevant: int = 0,
        **parameters: Any,
    ) -> None:
        self.hits = tuple(hits)
        self.retrieved = retrieved
        self.value = value
        self.grades = tuple(grades) if grades is not None else (1,) * len(self.hits)
        unfound = 0 if relevant is None else relevant - len(self.hits)
        self.missed = tuple(missed) if missed is not None else (1,) * unfound
        self.nonrelevant = tuple(nonrelevant)
        self.missed_nonrelevant = missed_nonrelevant
        self.parameters = parameters

    def located(self) -> Located:
        """The example as data."""
        from precall.read.columns import Ids

        pairs = sorted([*zip(self.hits, self.grades, strict=True), *((rank, 0) for rank in self.nonrelevant)])
        rank = np.array([pair[0] for pair in pairs], np.int64)
        grade = np.array([pair[1] for pair in pairs], np.int64)
        judged = np.concatenate((grade, self.missed, np.zeros(self.missed_nonrelevant))).astype(np.int64)
        level, count = np.unique(judged, return_counts=True)
        zero, yes = np.zeros(len(rank), np.int64), np.ones(1, np.bool_)
        return Located(
            Ids.of(["example"]), yes, yes, np.array([self.retrieved]), zero, rank - 1, grade, rank, rank, rank,
            np.zeros(len(level), np.int64), level, count.astype(np.int64),
        )  # fmt: skip
