"""Confusion matrices: how many items of each category were decided to be in each."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from precall.core.arguments import check_choice
from precall.core.errors import UsageError
from precall.core.notes import Note
from precall.core.ragged import Float64, Int64
from precall.core.text import many
from precall.hard_decisions.membership import Membership
from precall.results.equality import Equal
from precall.results.sheets import Presented, Table

if TYPE_CHECKING:
    from precall.plot.canvas import Display

#: What counts are divided by: the sum of their row, of their column, or of all; None does not
#: divide.
SHARES = ("truth", "predicted", "all")
NORMALIZE = (None, *SHARES)
#: The two categories of labels 0/1.
_TWO = ("other", "relevant")
#: Counting in a matrix of so many cells an item takes as long as sorting the items.
_DENSE = 16


class CellsWithItems(NamedTuple):
    """The cells of a matrix that hold items, row by row: of many categories few cells do."""

    truth: Int64
    """The row of each cell: the index of the true category."""
    predicted: Int64
    """The column of each cell: the index of the predicted category."""
    items: Int64

    @classmethod
    def of(cls, truth: Int64, predicted: Int64, size: int) -> Self:
        """The cells of items in so many categories, by the indices of their two categories."""
        keys = truth * size + predicted
        if size * size <= _DENSE * len(keys):
            counts = np.bincount(keys, minlength=size * size)
            held = np.flatnonzero(counts)
            counts = counts[held]
        else:
            keys = np.sort(keys)
            first = np.flatnonzero(np.diff(keys, prepend=-1))
            held, counts = keys[first], np.diff(first, append=len(keys))
        return cls(*np.divmod(held, size), counts.astype(np.int64, copy=False))

    def totals(self, of: str, size: int) -> Int64:
        """The items of each of so many categories, in the "truth" or "predicted"."""
        totals = np.zeros(size, np.int64)
        np.add.at(totals, getattr(self, of), self.items)
        return totals


@dataclass(frozen=True, eq=False)
class Confusion(Equal, Presented):
    """A confusion matrix; see `Decisions.confusion`.

    Parameters
    ----------
    categories : names of the categories, of rows and columns alike.
    cells : the cells with items, from which `counts` is made.
    notes : what was noticed about the labels.
    """

    categories: tuple[Any, ...]
    cells: CellsWithItems
    notes: tuple[Note, ...] = field(default=(), repr=False, compare=False)

    def __repr__(self) -> str:
        categories = many(len(self.categories), "category", "categories")
        return f"<Confusion: {many(self.items, 'item')}, {categories}, {self.right} right>"

    @cached_property
    def counts(self) -> Int64:
        """The matrix: `counts[i, j]` items are truly in category i and decided to be in j. It is
        made when it is first read.
        """
        size = len(self.categories)
        counts = np.zeros((size, size), np.int64)
        counts[self.cells.truth, self.cells.predicted] = self.cells.items
        return counts

    @property
    def items(self) -> int:
        """The number of items."""
        return int(self.cells.items.sum())

    @property
    def right(self) -> int:
        """The number of items on the diagonal."""
        return int(self.cells.items[self.cells.truth == self.cells.predicted].sum())

    @property
    def table(self) -> Table:
        """A row for each cell: the true category, the predicted one, items."""
        names = [str(name) for name in self.categories]
        size = len(names)
        return Table(
            {
                "truth": [name for name in names for _ in range(size)],
                "predicted": names * size,
                "items": self.counts.ravel(),
            },
            noticed=self.notes,
        )

    def shares(self, of: str = "truth") -> Float64:
        """The cells as shares of the items in their row ("truth"), in their column ("predicted") or
        of "all".

        A row or column without items has NaN; scikit-learn's `confusion_matrix(normalize=)` has 0
        there.

        Examples
        --------
        >>> from precall import decisions
        >>> decisions(["a", "b", "b", "c"], ["a", "b", "c", "c"]).confusion().shares()[1]
        array([0. , 0.5, 0.5])
        """
        check_choice("of", of, SHARES)
        axis = {"truth": 1, "predicted": 0, "all": None}[of]
        totals = self.counts.sum(axis=axis, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.counts / totals, np.float64)

    def errors(self) -> list[tuple[Any, Any, int]]:
        """The wrong decisions, (true category, predicted one, items), the most frequent first.

        Equally frequent ones are in the order of the true, then of the predicted category.

        Examples
        --------
        >>> from precall import decisions
        >>> decisions(["a", "b", "b", "c"], ["a", "b", "c", "c"]).confusion().errors()
        [('b', 'c', 1)]
        """
        wrong = np.flatnonzero(self.cells.truth != self.cells.predicted)
        order = wrong[np.argsort(-self.cells.items[wrong], kind="stable")]
        truth, predicted, items = (column[order].tolist() for column in self.cells)
        names = self.categories
        return [
            (names[i], names[j], times) for i, j, times in zip(truth, predicted, items, strict=True)
        ]

    def plot(self, normalize: str | None = None, **how: Any) -> Display:
        """A picture of the matrix; see `precall.plot.ConfusionMatrix`, which takes `how`.

        Parameters
        ----------
        normalize : show counts (None), or shares of the row ("truth"), of the column ("predicted")
            or of "all".

        Raises
        ------
        UsageError
            An argument is not allowed.
        MissingExtra
            matplotlib is not installed.

        Examples
        --------
        >>> from precall import decisions
        >>> decisions(["a", "b"], ["a", "a"]).confusion().plot().ax_.get_ylabel()
        'truth'
        """
        from precall.plot import ConfusionMatrix

        return ConfusionMatrix(self).plot(normalize=normalize, **how)


def confusion(truth: Membership, predicted: Membership, notes: tuple[Note, ...] = ()) -> Confusion:
    """See `Decisions.confusion`."""
    truth.refuse_unlabelled("confusion", "take the table of counts, .table")
    if truth.kind == "binary":
        yes = np.zeros((2, truth.items), np.int64)
        for row, member in zip(yes, (truth, predicted), strict=True):
            row[member.item] = 1
        return Confusion(_TWO, CellsWithItems.of(yes[0], yes[1], 2), notes)
    for name, member in (("truth", truth), ("predicted", predicted)):
        if not np.array_equal(member.item, np.arange(member.items)):
            per_item = member.per_item()
            others = np.flatnonzero(per_item != 1)
            item = int(others[0])
            raise UsageError(
                argument="confusion",
                what=f"{len(others)} of {member.items} items of {name} have no or several "
                f"categories, such as item {item} with {per_item[item]}; a confusion matrix needs "
                "one category for each item",
                remedy="leave those items out, or measure all items category by category, without "
                "confusion",
            )
    cells = CellsWithItems.of(truth.category, predicted.category, len(truth.categories))
    return Confusion(truth.categories, cells, notes)
