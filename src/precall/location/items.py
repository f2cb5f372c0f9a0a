"""The block of every item of a run, judged or not; needed to pair two runs item by item."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from numbers import Number
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from precall.core import ragged
from precall.core.arguments import check_choice, check_kind
from precall.core.errors import Many, Mistake, UsageError
from precall.core.ragged import Float64, Int64
from precall.native import kernel, thread_count
from precall.results.sheets import Columns, Table

if TYPE_CHECKING:
    import numpy.typing as npt

    from precall.location.located import Located
    from precall.read.columns import Ids, Run
    from precall.read.grades import Grades

#: Grade of an item without judgement.
UNJUDGED = -1


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """Every retrieved item of many rankings, one per row (see `Located`).

    The grade of an unjudged item is -1.
    """

    ids: Ids
    ranking: Int64
    grade: Grades
    first: Int64
    last: Int64

    def __len__(self) -> int:
        return len(self.ranking)

    def select(self, chosen: Int64, n: int) -> Items:
        """The items of the chosen rankings out of `n`, in the order of `chosen`."""
        start = ragged.starts(self.ranking, n)
        ranking, row = ragged.spread(start[chosen], np.diff(start)[chosen])
        return Items(self.ids.take(row), ranking, self.grade[row], self.first[row], self.last[row])


def items_of(run: Run, located: Located) -> Items:
    """All items of the run, ordered by ranking of `located` and by rank."""
    ranking_of_topic = {topic: i for i, topic in enumerate(located.topics)}
    owner = np.array([ranking_of_topic[topic] for topic in run.topics], np.int64)
    ranking = np.repeat(owner, np.diff(run.row_start))
    score = run.sort_key
    order = order_of_rows(score, ranking)
    ranked = ranking[order]
    lead = np.flatnonzero(ragged.changes(score[order], ranked))
    size = np.diff(np.append(lead, len(order)))
    before = ragged.starts(ranked, len(located))[:-1][ranked]
    grade = np.full(len(order), UNJUDGED, located.grade.dtype)
    grade[located.row] = located.grade
    first = np.repeat(lead, size) - before + 1
    last = np.repeat(lead + size, size) - before
    return Items(run.items.take(order), ranked, grade[order], first, last)


def order_of_rows(score: Float64, ranking: Int64) -> Int64:
    """Rows by ranking, best score first; rows of equal score keep their order."""
    behind = (ranking[1:] > ranking[:-1]) | (
        (ranking[1:] == ranking[:-1]) & (score[1:] <= score[:-1])
    )
    if behind.all():
        return np.arange(len(score))
    order = np.argsort(-score, kind="stable")
    # NumPy sorts integers of 16 bits by radix sort, without comparisons.
    short = ranking.astype(np.uint16) if ranking.max() < 2**16 else ranking
    return order[np.argsort(short[order], kind="stable")]


def pairs(first: Located, second: Located, grade: float, unpaired: str) -> Table:
    """See `Located.pairs`."""
    check_choice("unpaired", unpaired, ("error", "last"))
    check_kind("grade", grade, Number, "a grade")
    check_kind("other", second, type(first), "what pc.locate() returns")
    names = first.topics.tolist()
    if len(at := dict(zip(reversed(names), range(len(names) - 1, -1, -1), strict=True))) < len(
        names
    ):
        return pairs(first.select(np.array(sorted(at.values()))), second, grade, unpaired)
    a, b = _require_items(first), _require_items(second)
    mate, owner = _mates(first, second, a, b)
    shared = (ragged.counts(a.ranking, len(names)) > 0) & (
        ragged.counts(owner[owner >= 0], len(names)) > 0
    )
    is_alone = np.ones(len(b), np.bool_)
    is_alone[mate[mate >= 0]] = False
    rows_a, rows_b = np.flatnonzero(shared[a.ranking]), np.flatnonzero(is_alone & (owner >= 0))
    rows_b = rows_b[shared[owner[rows_b]]]
    mate = mate[rows_a]
    if unpaired == "error":
        _refuse_alone(names, (a, rows_a[mate < 0], a.ranking), (b, rows_b, owner))
    return _side_by_side(names, a, b, rows_a, rows_b, mate, owner, grade)


def _side_by_side(
    names: list[str],
    a: Items,
    b: Items,
    rows_a: Int64,
    rows_b: Int64,
    mate: Int64,
    owner: Int64,
    grade: float,
) -> Table:
    """Table of the rows of the first run with their mates, and of the rows of the second without
    mates, by ranking.
    """
    takes_all = len(rows_a) == len(a)
    columns_a = {
        name: getattr(a, name) if takes_all else getattr(a, name)[rows_a]
        for name in ("ranking", "grade", "first")
    }
    columns_b = {
        "ranking": owner[rows_b],
        "grade": b.grade[rows_b],
        "first": np.full(len(rows_b), np.inf),
    }
    order = (
        np.argsort(np.concatenate((columns_a["ranking"], columns_b["ranking"])), kind="stable")
        if len(rows_b)
        else None
    )

    def column(from_a: npt.NDArray[Any], from_b: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return from_a if order is None else np.concatenate((from_a, from_b))[order]

    ranking = column(columns_a["ranking"], columns_b["ranking"])
    return Table(
        Columns(
            len(ranking),
            {
                "topic": partial(_topics_of_rows, names, ranking),
                "item": partial(
                    _ids_of_rows,
                    a.ids if takes_all else a.ids.take(rows_a),
                    b.ids.take(rows_b),
                    order,
                ),
                "relevant": column(columns_a["grade"], columns_b["grade"]) >= grade,
                "score_a": column(-columns_a["first"].astype(np.float64), -columns_b["first"]),
                "score_b": column(np.where(mate >= 0, -b.first[mate], -np.inf), -b.first[rows_b]),
            },
        )
    )


def _topics_of_rows(names: list[str], ranking: Int64) -> list[str]:
    topics: list[str] = np.array(names, object)[ranking].tolist()
    return topics


def _ids_of_rows(first: Ids, second: Ids, order: Int64 | None) -> list[str]:
    if order is None:
        return first.tolist()
    texts: list[str] = np.array(first.tolist() + second.tolist(), object)[order].tolist()
    return texts


def _require_items(located: Located) -> Items:
    if located.items is None:
        raise UsageError("pairs() needs the items: locate(..., keep_items=True)")
    return located.items


def _mates(first: Located, second: Located, a: Items, b: Items) -> tuple[Int64, Int64]:
    """Row in the second run of each item of the first, and ranking in the first of each item of the
    second; -1 if there is none.
    """
    mate, topic_in_first = mates(
        ItemsByTopic(first.topics, ragged.starts(a.ranking, len(first)), a.ids),
        ItemsByTopic(second.topics, ragged.starts(b.ranking, len(second)), b.ids),
    )
    return mate, topic_in_first[b.ranking]


class ItemsByTopic(NamedTuple):
    """Items of several topics, those of topic i from `start[i]` to `start[i + 1]`."""

    topics: Ids
    start: Int64
    items: Ids


def mates(first: ItemsByTopic, second: ItemsByTopic) -> tuple[Int64, Int64]:
    """Row in the second of each item of the first, and topic in the first of each topic of the
    second; -1 if there is none.

    The kernel looks for the items of the first as if they were judged, with their row as grade.
    """
    topic_of, _, row, rows_of_first, *_ = kernel().locate(
        second.topics.data,
        second.topics.start,
        second.start,
        second.items.data,
        second.items.start,
        -np.arange(len(second.items), dtype=np.float64),
        first.topics.data,
        first.topics.start,
        first.start,
        first.items.data,
        first.items.start,
        np.arange(len(first.items)),
        True,
        thread_count(),
    )
    mate, topic_in_first = np.full(len(first.items), -1), np.full(len(second.topics), -1)
    mate[rows_of_first] = row
    shared = np.flatnonzero(topic_of >= 0)
    topic_in_first[topic_of[shared]] = shared
    return mate, topic_in_first


def _refuse_alone(names: list[str], *sides: tuple[Items, Int64, Int64]) -> None:
    """Raise, naming the first topic and item, if a side (items, rows, ranking of every item) has
    rows without a mate.
    """
    rankings_alone = [ranking[rows] for _, rows, ranking in sides]
    if not any(map(len, rankings_alone)):
        return
    topic = min(int(ranking[0]) for ranking in rankings_alone if len(ranking))
    count = sum(int(np.count_nonzero(ranking == topic)) for ranking in rankings_alone)
    items, rows, _ = next(
        side
        for side, ranking in zip(sides, rankings_alone, strict=True)
        if len(ranking) and ranking[0] == topic
    )
    mistake = Mistake(
        "topic {topic} has {count} that only one of the runs retrieved, such as {got}",
        "pass ⟨unpaired='last'⟩ to put them behind the others",
        got=items.ids[rows[0]],
        topic=names[topic],
        count=Many(count, "item"),
    )
    raise mistake.error("pairs")
