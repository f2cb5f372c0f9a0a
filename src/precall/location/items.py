"""Which block every item of a run stands in, judged or not: what pairing two runs item by item
needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core import ragged
from precall.core.arguments import check_choice, check_kind
from precall.core.errors import DataError, Problem, UsageError
from precall.core.ragged import Float64, Int64
from precall.native import kernel, thread_count
from precall.results.base import Columns, Table

if TYPE_CHECKING:
    from precall.location.located import Located
    from precall.read.columns import Ids, Run

#: Grade of an item without judgement.
UNJUDGED = -1


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """Every retrieved item of many rankings, per row; see `Located`. The grade of an unjudged one
    is -1.
    """

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
    score = run.sort_key
    order = _order(score, ranking)
    ranked = ranking[order]
    lead = np.flatnonzero(ragged.changes(score[order], ranked))
    size = np.diff(np.append(lead, len(order)))
    before = ragged.starts(ranked, len(located))[:-1][ranked]
    grade = np.full(len(order), UNJUDGED, np.int64)
    grade[located.row] = located.grade
    first = np.repeat(lead, size) - before + 1
    last = np.repeat(lead + size, size) - before
    return Items(run.items.take(order), ranked, grade[order], first, last)


def _order(score: Float64, ranking: Int64) -> Int64:
    """Rows by ranking, and the best first; equal ones as they are."""
    behind = (ranking[1:] > ranking[:-1]) | (
        (ranking[1:] == ranking[:-1]) & (score[1:] <= score[:-1])
    )
    if behind.all():
        return np.arange(len(score))
    order = np.argsort(-score, kind="stable")
    # Short integers are sorted without comparisons.
    short = ranking.astype(np.uint16) if ranking.max() < 2**16 else ranking
    return order[np.argsort(short[order], kind="stable")]


def pairs(first: Located, second: Located, grade: int, unpaired: str) -> Table:
    """See `Located.pairs`."""
    check_choice("unpaired", unpaired, ("error", "last"))
    check_kind("grade", grade, Number, "a grade")
    check_kind("other", second, type(first), "what pc.locate() returns")
    names = first.topics.tolist()
    if len(at := dict(zip(reversed(names), range(len(names) - 1, -1, -1), strict=True))) < len(
        names
    ):
        return pairs(first.select(np.array(sorted(at.values()))), second, grade, unpaired)
    a, b = _items_of(first), _items_of(second)
    mate, owner = _mates(first, second, a, b)
    shared = (ragged.counts(a.ranking, len(names)) > 0) & (
        ragged.counts(owner[owner >= 0], len(names)) > 0
    )
    alone = np.ones(len(b), np.bool_)
    alone[mate[mate >= 0]] = False
    ours, theirs = np.flatnonzero(shared[a.ranking]), np.flatnonzero(alone & (owner >= 0))
    theirs = theirs[shared[owner[theirs]]]
    mate = mate[ours]
    if unpaired == "error":
        _refuse_alone(names, (a, ours[mate < 0], a.ranking), (b, theirs, owner))
    return _side_by_side(names, a, b, ours, theirs, mate, owner, grade)


def _side_by_side(
    names: list[str],
    a: Items,
    b: Items,
    ours: Int64,
    theirs: Int64,
    mate: Int64,
    owner: Int64,
    grade: int,
) -> Table:
    """Some rows of the first with their mates, and of the second those that have none, by
    ranking.
    """
    whole = len(ours) == len(a)
    mine = {
        name: getattr(a, name) if whole else getattr(a, name)[ours]
        for name in ("ranking", "grade", "first")
    }
    others = {
        "ranking": owner[theirs],
        "grade": b.grade[theirs],
        "first": np.full(len(theirs), np.inf),
    }
    order = (
        np.argsort(np.concatenate((mine["ranking"], others["ranking"])), kind="stable")
        if len(theirs)
        else None
    )

    def column(mine: Any, others: Any) -> Any:
        return mine if order is None else np.concatenate((mine, others))[order]

    ranking = column(mine["ranking"], others["ranking"])
    return Table(
        Columns(
            len(ranking),
            {
                "topic": partial(_repeated, names, ranking),
                "item": partial(
                    _texts, a.ids if whole else a.ids.take(ours), b.ids.take(theirs), order
                ),
                "relevant": column(mine["grade"], others["grade"]) >= grade,
                "score_a": column(-mine["first"].astype(np.float64), -others["first"]),
                "score_b": column(np.where(mate >= 0, -b.first[mate], -np.inf), -b.first[theirs]),
            },
        )
    )


def _repeated(names: list[str], ranking: Int64) -> list[str]:
    topics: list[str] = np.array(names, object)[ranking].tolist()
    return topics


def _texts(mine: Ids, others: Ids, order: Int64 | None) -> list[str]:
    if order is None:
        return mine.tolist()
    texts: list[str] = np.array(mine.tolist() + others.tolist(), object)[order].tolist()
    return texts


def _items_of(located: Located) -> Items:
    if located.items is None:
        raise UsageError("pairs() needs the items: locate(..., keep_items=True)")
    return located.items


def _mates(first: Located, second: Located, a: Items, b: Items) -> tuple[Int64, Int64]:
    """The second's row of each item of the first, and the first's ranking of each item of the
    second; -1: none.

    Items of the first are looked for like judged ones, of which the grade says which they are.
    """
    place = np.arange(len(b))
    ranking_of, _, row, mine, *_ = kernel().locate(
        second.topics.data,
        second.topics.start,
        ragged.starts(b.ranking, len(second)),
        b.ids.data,
        b.ids.start,
        -place.astype(np.float64),
        first.topics.data,
        first.topics.start,
        ragged.starts(a.ranking, len(first)),
        a.ids.data,
        a.ids.start,
        np.arange(len(a)),
        True,
        thread_count(),
    )
    mate, theirs = np.full(len(a), -1), np.full(len(second), -1)
    mate[mine] = row
    known = np.flatnonzero(ranking_of >= 0)
    theirs[ranking_of[known]] = known
    return mate, theirs[b.ranking]


def _refuse_alone(names: list[str], *sides: tuple[Items, Int64, Int64]) -> None:
    """Raise, naming the first topic and item, if a side (items, rows, ranking of every item) has
    rows without a mate.
    """
    alone = [ranking[rows] for _, rows, ranking in sides]
    if not any(map(len, alone)):
        return
    topic = min(int(ranking[0]) for ranking in alone if len(ranking))
    count = sum(int(np.count_nonzero(ranking == topic)) for ranking in alone)
    items, rows, _ = next(
        side
        for side, ranking in zip(sides, alone, strict=True)
        if len(ranking) and ranking[0] == topic
    )
    what = (
        f"topic {names[topic]!r} has {count} items that only one of the runs retrieved, such as "
        f"{items.ids[rows[0]]!r}"
    )
    todo = "pass ⟨unpaired='last'⟩ to put them behind the others"
    raise DataError([Problem("pairs", None, what, todo)])
