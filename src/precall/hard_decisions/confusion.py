"""Confusion matrices: how many items of each category were decided to be in each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core.arguments import check_choice
from precall.core.errors import UsageError
from precall.core.notes import Note
from precall.core.ragged import Float64, Int64
from precall.core.text import many
from precall.hard_decisions.membership import Membership
from precall.results.base import Presented, Table
from precall.results.equality import Equal

if TYPE_CHECKING:
    from precall.plot.canvas import Display

#: What counts are divided by: the sum of their row, of their column, or of all; None does not
#: divide.
SHARES = ("truth", "predicted", "all")
NORMALIZE = (None, *SHARES)
#: The two categories of labels 0/1.
_TWO = ("other", "relevant")


@dataclass(frozen=True, slots=True, eq=False)
class Confusion(Equal, Presented):
    """A confusion matrix; see `Decisions.confusion`.

    Parameters
    ----------
    categories : names of the categories, of rows and columns alike.
    counts : `counts[i, j]` items are truly in category i and decided to be in j.
    notes : what was noticed about the labels.
    """

    categories: tuple[Any, ...]
    counts: Int64
    notes: tuple[Note, ...] = field(default=(), repr=False, compare=False)

    def __repr__(self) -> str:
        return (
            f"<Confusion: {many(self.items, 'item')}, {len(self.categories)} categories, "
            f"{self.right} right>"
        )

    @property
    def items(self) -> int:
        """The number of items."""
        return int(self.counts.sum())

    @property
    def right(self) -> int:
        """The number of items on the diagonal."""
        return int(np.trace(self.counts))

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
        rows, columns = np.nonzero(self.counts)
        wrong = rows != columns
        rows, columns = rows[wrong], columns[wrong]
        order = np.argsort(-self.counts[rows, columns], kind="stable")
        return [
            (self.categories[i], self.categories[j], int(self.counts[i, j]))
            for i, j in zip(rows[order].tolist(), columns[order].tolist(), strict=True)
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


def confusion(truth: Membership, predicted: Membership) -> Confusion:
    """See `Decisions.confusion`."""
    if truth.kind == "binary":
        yes = np.zeros((2, truth.items), np.int64)
        for row, member in zip(yes, (truth, predicted), strict=True):
            row[member.item] = 1
        return Confusion(_TWO, _cross(yes[0], yes[1], 2))
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
    return Confusion(
        truth.categories, _cross(truth.category, predicted.category, len(truth.categories))
    )


def _cross(rows: Int64, columns: Int64, size: int) -> Int64:
    counts = np.bincount(rows * size + columns, minlength=size * size).reshape(size, size)
    return np.asarray(counts, np.int64)
