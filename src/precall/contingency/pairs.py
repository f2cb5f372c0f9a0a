"""Scored pairs of items and categories, and the rankings that they make."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.checks import check_choice
from precall.contingency.membership import Membership, summed
from precall.curves.cases import Scores, refuse_nan, refuse_rounded, scores
from precall.errors import DataError, Problem, UsageError
from precall.ragged import Bool, Int64


class Pairs:
    """Every scored (item, category) pair, items together, with its truth.

    `place` holds the pairs' keys, item * categories + category, ascending; None where every pair is
    scored, as in a dense matrix, so that ten million pairs need not be numbered to be ranked.
    """

    def __init__(self, truth: Membership, score: Scores, place: Int64 | None = None) -> None:
        self.truth = truth
        self.score = score
        self.place = place

    @classmethod
    def of(cls, truth: Membership, given: Any) -> Pairs:
        """From an items x categories matrix, dense or scipy.sparse."""
        shape = (truth.items, len(truth.categories))
        try:
            matrix = given if hasattr(given, "tocoo") else np.asarray(given)
        except ValueError as error:
            raise UsageError(f"scores: must be an items x categories matrix ({error})") from None
        got = tuple(matrix.shape)
        if got != shape:
            raise UsageError(f"scores: shape must be items x categories {shape}, got {got}")
        if hasattr(given, "tocoo"):
            cells = summed(given)
            place = cells.row.astype(np.int64) * max(shape[1], 1) + cells.col
            order = np.argsort(place, kind="stable")
            pairs = cls(truth, scores(cells.data)[order], place[order])
        else:
            refuse_rounded(given, matrix)
            pairs = cls(truth, scores(matrix.ravel()))
        pairs._refuse_nan()
        return pairs

    def _refuse_nan(self) -> None:
        try:
            refuse_nan(self.score)
        except DataError:
            bad = int(np.argmax(np.isnan(self.score)))
            category = self.truth.categories[self.category[bad]]
            what = f"the score of item {self.item[bad]} for category {category!r} is NaN"
            todo = "leave the pair out of a sparse matrix if it was not scored"
            raise DataError([Problem("scores", None, what, todo)]) from None

    @cached_property
    def keys(self) -> Int64:
        """item * categories + category of every pair."""
        return np.arange(len(self.score)) if self.place is None else self.place

    @property
    def item(self) -> Int64:
        """The item of every pair."""
        return self.keys // max(len(self.truth.categories), 1)

    @property
    def category(self) -> Int64:
        """The category of every pair, by its column."""
        return self.keys % max(len(self.truth.categories), 1)

    @cached_property
    def relevant(self) -> Bool:
        """Which pairs are true."""
        if self.place is not None:
            return np.isin(self.place, self.truth.keys)
        true = np.zeros(len(self.score), np.bool_)
        true[self.truth.keys] = True
        return true

    def rankings(self, pivot: str) -> tuple[Bool, Scores, Int64, Int64]:
        """Truth and scores with each ranking's pairs together, where each begins, and how many are true of each.

        Parameters
        ----------
        pivot : "category" (each ranks the items) or "item" (each ranks the categories).
        """
        check_choice("pivot", pivot, ("category", "item"))
        by_item = pivot == "item"
        known = self.truth.per_item() if by_item else self.truth.per_category()
        if self.place is None:
            length = len(self.truth.categories) if by_item else self.truth.items
            start = np.arange(len(known) + 1) * length
            return self._turned(self.relevant, by_item), self._turned(self.score, by_item), start, known
        ranking = self.item if by_item else self.category
        order = np.argsort(ranking, kind="stable")
        start = np.searchsorted(ranking[order], np.arange(len(known) + 1))
        return self.relevant[order], self.score[order], start, known

    def _turned(self, pairs: npt.NDArray[Any], by_item: bool) -> npt.NDArray[Any]:
        shape = (self.truth.items, len(self.truth.categories))
        return pairs if by_item else np.ascontiguousarray(pairs.reshape(shape).T).ravel()
