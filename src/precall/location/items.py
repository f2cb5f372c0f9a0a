"""Which block every item of a run stands in, judged or not: what pairing two runs item by item needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from precall import ragged
from precall.checks import check_choice
from precall.errors import DataError, Problem, UsageError
from precall.ragged import Int64
from precall.results import Table

if TYPE_CHECKING:
    from precall.location.located import Located
    from precall.read.columns import Ids, Run

#: Grade of an item without judgement.
UNJUDGED = -1


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """Every retrieved item of many rankings, per row; see `Located`. The grade of an unjudged one is -1."""

    ids: Ids
    ranking: Int64
    grade: Int64
    first: Int64
    last: Int64

    def __len__(self) -> int:
        return len(self.ranking)

    def select(self, chosen: Int64, n: int) -> Items:
        """The items of some rankings, of `n`, in their order."""
        start = ragged.starts(self.ranking, n)
        ranking, row = ragged.spread(start[chosen], np.diff(start)[chosen])
        return Items(self.ids.take(row), ranking, self.grade[row], self.first[row], self.last[row])


def items_of(run: Run, located: Located) -> Items:
    """All items of the run, by ranking of `located` and rank."""
    place = {topic: i for i, topic in enumerate(located.topics)}
    owner = np.array([place[topic] for topic in run.topics], np.int64)
    ranking = np.repeat(owner, np.diff(run.row_start))
    order = np.lexsort((-run.score, ranking))
    ranked = ranking[order]
    lead = np.flatnonzero(ragged.changes(run.score[order], ranked))
    size = np.diff(np.append(lead, len(order)))
    before = ragged.starts(ranked, len(located))[:-1][ranked]
    grade = np.full(len(order), UNJUDGED, np.int64)
    grade[located.row] = located.grade
    first = np.repeat(lead, size) - before + 1
    last = np.repeat(lead + size, size) - before
    return Items(run.items.take(order), ranked, grade[order], first, last)


def pairs(first: Located, second: Located, grade: int, unpaired: str) -> Table:
    """See `Located.pairs`."""
    check_choice("unpaired", unpaired, ("error", "last"))
    sides = [_rows(side) for side in (first, second)]
    rows: list[tuple[Any, ...]] = []
    for topic in (topic for topic in sides[0] if topic in sides[1]):
        a, b = (side[topic] for side in sides)
        every = {**b, **a}
        alone = [item for item in [*a, *b] if item not in a or item not in b]
        if alone and unpaired == "error":
            what = f"topic {topic!r} has {len(alone)} items that only one of the runs retrieved, such as {alone[0]!r}"
            todo = "pass unpaired='last' to put them behind the others"
            raise DataError([Problem("pairs", None, what, todo)])
        for item in dict.fromkeys([*a, *b]):
            scores = (-float(side[item][0]) if item in side else -np.inf for side in (a, b))
            rows.append((topic, item, every[item][1] >= grade, *scores))
    topics, items, *values = (list(column) for column in zip(*rows, strict=True)) if rows else [[]] * 5
    kinds = {"relevant": np.bool_, "score_a": np.float64, "score_b": np.float64}
    numbers: dict[str, Any] = {
        name: np.array(column, kinds[name]) for name, column in zip(kinds, values, strict=True)
    }
    return Table({"topic": topics, "item": items, **numbers})


def _rows(located: Located) -> dict[str, dict[str, tuple[int, int]]]:
    """Topic → item → first rank of its block, and grade."""
    items = located.items
    if items is None:
        raise UsageError("pairs() needs the items: locate(..., keep_items=True)")
    topics, rows_of = located.topics.tolist(), dict[str, dict[str, tuple[int, int]]]()
    columns = (column.tolist() for column in (items.ranking, items.ids, items.first, items.grade))
    for ranking, item, rank, grade in zip(*columns, strict=True):
        rows_of.setdefault(topics[ranking], {})[item] = rank, grade
    return rows_of
