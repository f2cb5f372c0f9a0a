"""The operating points of curves and rankings as a table with a row per threshold, as printed in
papers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.core.arguments import check_whole
from precall.core.counts import Counts
from precall.core.errors import needs_cases_in_memory
from precall.core.notes import Note
from precall.core.ragged import Int64
from precall.core.text import many
from precall.measures import Measure, of_counts
from precall.results.blocks import GOOD_SIDE
from precall.results.equality import Equal
from precall.results.sheets import Presented, Table

if TYPE_CHECKING:
    from precall.cases.curves import Curve

#: Columns that name the list of a row, if there are several lists.
LISTS = ("column", "group")
CELLS = ("tp", "fp", "fn", "tn")
#: Column → the measure that it holds.
COLUMN_MEASURES = {
    "precision": "P",
    "recall": "R",
    "rejection_recall": "Specificity",
    "F": "F",
    "accuracy": "Accuracy",
}
#: Columns that need the number of items that are not relevant.
OF_ALL = ("tn", "rejection_recall", "accuracy")
#: Default numbers of rows per list in print and in notebooks, taken from both ends.
PRINTED, SHOWN = 10, 38


class ListCurve(NamedTuple):
    """The curve of one list: one column of scores in one group."""

    column: str
    group: str
    curve: Curve


class Listed(NamedTuple):
    """The items of a plain ranking, which has no scores."""

    items: tuple[str, ...]
    others: int | None
    """Items that are not relevant; None if their number is unknown."""


@dataclass(frozen=True, slots=True, eq=False)
class OperatingPoints(Equal, Presented):
    """The operating points of one curve, of several or of a ranking; see `Curve.points`.

    Every form has all rows, except print and notebooks, which show the first and the last ones.
    `sheet(rows=N)` shows N rows of each list, and `sheet()` all.

    Examples
    --------
    >>> from precall import curve
    >>> points = curve([1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6]).points()
    >>> points["precision"].round(4), len(points)
    (array([1.    , 1.    , 0.6667, 0.75  ]), 4)
    >>> print(points)
    rank  score  tp  fp  fn  tn  precision  recall  specificity       F  accuracy
       1    0.9   1   0   2   1     1.0000  0.3333       1.0000  0.5000    0.5000
       2    0.8   2   0   1   1     1.0000  0.6667       1.0000  0.8000    0.7500
       3    0.7   2   1   1   0     0.6667  0.6667       0.0000  0.6667    0.5000
       4    0.6   3   1   0   0     0.7500  1.0000       0.0000  0.8571    0.7500
    <BLANKLINE>
    precall ...
    """

    parts: tuple[ListCurve, ...]
    measures: tuple[Measure, ...] = ()
    listed: Listed | None = None
    conventions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def __len__(self) -> int:
        return sum(len(listed.curve) - 1 for listed in self.parts)

    def __getitem__(self, name: str) -> list[str] | npt.NDArray[Any]:
        return self.table[name]

    def __str__(self) -> str:
        return str(self.sheet(rows=PRINTED))

    def __repr__(self) -> str:
        lists = f" of {len(self.parts)} lists" if self.several else ""
        return f"<OperatingPoints: {many(len(self), 'row')}{lists}>"

    def _repr_html_(self) -> str:
        return self.sheet(rows=SHOWN)._repr_html_()

    @property
    def several(self) -> bool:
        """Whether rows belong to several lists, so that columns name the list."""
        return len(self.parts) > 1

    @property
    def higher_is_better(self) -> bool:
        """False if low scores are good in one of the lists; a column then says in which."""
        return all(listed.curve.higher_is_better for listed in self.parts)

    @property
    def more(self) -> list[Measure]:
        """The measures that have columns of their own."""
        return [
            measure for measure in self.measures if measure.name not in COLUMN_MEASURES.values()
        ]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns of each list."""
        first = ("rank", "score") if self.listed is None else ("rank", "item", "relevant")
        lacking = OF_ALL if self.listed is not None and self.listed.others is None else ()
        own = (name for name in (*CELLS, *COLUMN_MEASURES) if name not in lacking)
        return (*first, *own, *(measure.name for measure in self.more))

    @property
    def table(self) -> Table:
        """The table of all columns and rows."""
        joined: dict[str, Any] = {}
        parts = list(self.columns())
        for name in parts[0]:
            cells = [columns[name] for columns in parts]
            texts = isinstance(cells[0], list)
            joined[name] = (
                [cell for columns in cells for cell in columns] if texts else np.concatenate(cells)
            )
        return Table(joined, noticed=self.notes)

    def columns(self) -> Iterator[dict[str, Any]]:
        """The columns of each list, all rows."""
        for listed in self.parts:
            size = len(listed.curve) - 1
            lists = {name: [getattr(listed, name)] * size for name in LISTS} if self.several else {}
            side = np.full(size, listed.curve.higher_is_better, np.int64)
            yield (
                lists
                | self.columns_of(listed.curve, np.arange(1, size + 1))
                | ({} if self.higher_is_better else {GOOD_SIDE: side})
            )

    def columns_of(self, curve: Curve, rows: Int64) -> dict[str, Any]:
        """Columns of some rows of one curve; row 0, which accepts nothing, is in no table."""
        cells: dict[str, Any] = {"rank": curve.accepted[rows]}
        table: Counts | Curve = curve
        if self.listed is None:
            cells["score"] = curve.threshold[rows]
        else:
            cells["item"] = [self.listed.items[row - 1] for row in rows.tolist()]
            cells["relevant"] = curve.tp[rows] - curve.tp[rows - 1]
            table = Counts(curve.tp, curve.fp, curve.fn, _true_negatives(self.listed.others, curve))
        named = {name: of_counts(measure) for name, measure in COLUMN_MEASURES.items()}
        named |= {measure.name: measure for measure in self.more}
        for name in self.names[len(cells) :]:
            column = getattr(table, name) if name in CELLS else named[name].of_table(table)
            cells[name] = column[rows]
        return cells

    def to_dict(self) -> dict[str, list[Any]]:
        """Column name → list of Python values."""
        return self.table.to_dict()


def _true_negatives(others: int | None, curve: Curve) -> npt.NDArray[Any] | None:
    """True negatives at every row; floats if their number exceeds the integers of NumPy."""
    if others is None:
        return None
    fits = others + int(curve.relevant) <= np.iinfo(np.int64).max
    return (others if fits else float(others)) - curve.fp


def chosen_rows(size: int, rows: int | None) -> tuple[Int64, int]:
    """The first and the last of `size` rows, `rows` in total, and how many of them are first ones;
    all rows if they fit.

    Examples
    --------
    >>> chosen_rows(100, 5), chosen_rows(4, 5)
    ((array([  1,   2,   3,  99, 100]), 3), (array([1, 2, 3, 4]), 4))
    """
    every = np.arange(1, size + 1)
    if rows is None or size <= check_whole("rows", rows, 1):
        return every, size
    first = (rows + 1) // 2
    return np.concatenate((every[:first], every[size - rows // 2 :])), first


def points_of(
    curves: Mapping[str, Mapping[str, Curve]], measures: Iterable[str | Measure] = (), **more: Any
) -> OperatingPoints:
    """The operating points of curves by column of scores and group, with a column for each measure
    of counts.
    """
    parts = tuple(
        ListCurve(column, group, curve)
        for column, by_group in curves.items()
        for group, curve in by_group.items()
    )
    if any(listed.curve.asked is not None for listed in parts):
        raise needs_cases_in_memory("points")
    chosen = {measure.name: measure for measure in map(of_counts, measures)}
    return OperatingPoints(parts, tuple(chosen.values()), **more)
