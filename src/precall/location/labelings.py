"""What nobody judged in rankings, and the rankings as they would be if somebody did.

An unjudged item is one that a ranking has and the qrels lack, or one of negative grade (in the
pool, but unjudged), retrieved or not. A labeling gives each of them a grade. Only the ranks of
unjudged items matter, not which they are: a labeling says how many of them have each grade, from
the top or from the bottom of the ranking.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from precall.core import ragged
from precall.core.errors import UsageError
from precall.core.ragged import Bool, Float64, Int64
from precall.location.hits import Hits
from precall.location.located import Located

if TYPE_CHECKING:
    from precall.location.items import Items
    from precall.read.grades import Grades

#: Orders in which every item has its own rank, whatever its grade.
FIXED = ("docno", "input", "random")


class Labelings(NamedTuple):
    """A labeling for each of some rankings, of which several may be of one ranking.

    Parameters
    ----------
    ranking : which ranking each labeling is of.
    top : whether the topmost unjudged items have the best grades, or the bottommost.
    inside : a row per grade, the least first: how many retrieved items have this grade or more.
    outside : the same for unjudged items that were not retrieved.
    """

    ranking: Int64
    top: Bool
    inside: Int64
    outside: Int64

    def binary(self) -> tuple[Int64, Int64]:
        """The numbers of relevant items inside and outside, if there is one grade."""
        return self.inside[0], self.outside[0]


@dataclass(frozen=True, slots=True, eq=False)
class Unjudged:
    """The unjudged items of rankings.

    Attributes
    ----------
    judged : the rankings with their judged items alone.
    start : the first unjudged item of each ranking in `first` and `last`, and their number.
    first, last : the ranks that each unjudged item of a ranking may have, the topmost first.
    missed : per ranking, unjudged items of the pool that are not in it.
    depth : where rankings are cut, if the grades decide the order of ties.
    """

    judged: Located
    start: Int64
    first: Int64
    last: Int64
    missed: Int64
    depth: int | None = None
    kept: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.missed)

    @property
    def inside(self) -> Int64:
        """Per ranking, its unjudged items."""
        return np.diff(self.start)

    @property
    def is_fixed(self) -> bool:
        """Whether every item has its own rank, whatever its grade."""
        return self.judged.ties in FIXED

    def within(self, cutoff: int) -> Unjudged:
        """The same of the first `cutoff` ranks; only if every item has its own rank, or `cutoff`
        goes through no block of items that were cut.
        """
        kept = self.first <= cutoff
        owner = np.repeat(np.arange(len(self)), self.inside)
        sizes = ragged.counts(owner[kept], len(self))
        judged = self.judged.truncated(cutoff) if self.is_fixed else self.judged
        return replace(
            self,
            judged=judged,
            start=ragged.offsets(sizes),
            first=self.first[kept],
            last=self.last[kept],
            missed=np.zeros(len(self), np.int64),
        )

    def select(self, chosen: Int64) -> Unjudged:
        """The rankings with these indices, in this order; an index may repeat."""
        sizes = self.inside[chosen]
        _, row = ragged.spread(self.start[chosen], sizes)
        return replace(
            self,
            judged=self.judged.select(chosen),
            start=ragged.offsets(sizes),
            first=self.first[row],
            last=self.last[row],
            missed=self.missed[chosen],
        )

    def judge_each(self, grade: float, number: int) -> Unjudged:
        """One ranking `number` times, each time with one of its topmost unjudged items judged."""
        size = int(self.inside[0])
        many = self.select(np.zeros(number, np.int64))
        others = np.delete(np.arange(number * size), np.arange(number) * (size + 1))
        judged, first = many.judged, self.first[:number]
        columns: dict[str, Any] = {
            "ranking": np.arange(number),
            "row": np.full(number, -1),
            "grade": np.full(number, grade),
            "rank": first,
            "first": first,
            "last": self.last[:number],
        }
        joined: dict[str, Any] = {
            name: np.concatenate((getattr(judged, name), more)) for name, more in columns.items()
        }
        order = np.lexsort((joined["first"], joined["ranking"]))
        one, none = np.ones((1, number), np.int64), np.zeros((1, number), np.int64)
        labels = Labelings(np.arange(number), np.ones(number, np.bool_), one, none)
        totals = _totals(judged, np.ones(number, np.int64), labels, np.array([grade, grade]))
        joined = {name: column[order] for name, column in joined.items()}
        return replace(
            many,
            judged=replace(judged, **totals, **joined),
            start=ragged.offsets(np.full(number, size - 1)),
            first=many.first[others],
            last=many.last[others],
        )

    def label(self, labels: Labelings, grades: Grades, is_whole: bool = False) -> Located:
        """The rankings with the labels. The first of `grades` is that of items that reach no row
        of `labels.inside`, the others are those of the rows. Items of grade 0 have no row in the
        result, unless `is_whole`.
        """
        ranking, number = labels.ranking, len(labels.ranking)
        if number != len(self) or not (ranking == np.arange(number)).all():
            own = labels._replace(ranking=np.arange(number))
            return self.select(ranking).label(own, grades, is_whole)
        level = self._levels(labels)
        make = self._fixed if self.is_fixed else self._open
        ranking, first, last, grade = make(grades[level], is_whole)
        totals = _totals(self.judged, self.inside + self.missed, labels, grades)
        found = replace(
            self.judged,
            ranking=ranking,
            row=np.arange(len(ranking)),
            grade=grade,
            rank=first,
            first=first,
            last=last,
            ties=self.judged.ties if self.is_fixed else "expected",
            items=None,
            **totals,
        )
        if self.is_fixed:
            return found
        found = found.resolve(self.judged.ties)
        return found if self.depth is None else found.truncated(self.depth)

    def _levels(self, labels: Labelings) -> Int64:
        """For each unjudged item the number of its grade among those of the labels."""
        sizes = self.inside
        if (labels.inside[-1] == sizes).all():
            return np.full(len(self.first), len(labels.inside))
        level = np.zeros(len(self.first), np.int64)
        for count in labels.inside:
            if count.any():
                first = np.where(labels.top, self.start[:-1], self.start[1:] - count)
                level[ragged.spread(first, count)[1]] += 1
        return level

    def _fixed(self, grade: Grades, is_whole: bool) -> tuple[Any, ...]:
        """Columns of all rows if each item has its own rank; `grade` is that of unjudged items."""
        judged, number = self.judged, len(self)
        base = ragged.offsets(judged.retrieved)
        if "places" not in self.kept:
            owner = np.repeat(np.arange(number), self.inside)
            # Kept, as each measure labels the same rankings.
            self.kept["places"] = (
                base[judged.ranking] + judged.rank - 1,
                base[owner] + self.first - 1,
                np.repeat(np.arange(number), judged.retrieved),
            )
        place, open_place, ranking = self.kept["places"]
        table = np.full(int(base[-1]), -1, np.result_type(judged.grade, grade))
        table[place] = judged.grade
        table[open_place] = grade
        rows = np.flatnonzero(table >= 0 if is_whole else table > 0)
        ranking = ranking[rows]
        rank = rows - base[ranking] + 1
        return ranking, rank, rank, table[rows]

    def _open(self, grade: Grades, is_whole: bool) -> tuple[Any, ...]:
        """The same if items share blocks."""
        judged = self.judged
        owner = np.repeat(np.arange(len(self)), self.inside)
        own, kept = (
            np.flatnonzero(grades >= 0 if is_whole else grades > 0)
            for grades in (judged.grade, grade)
        )
        columns = [
            np.concatenate((mine[own], more[kept]))
            for mine, more in (
                (judged.ranking, owner),
                (judged.first, self.first),
                (judged.last, self.last),
                (judged.grade, grade),
            )
        ]
        order = np.lexsort((columns[1], columns[0]))
        return tuple(column[order] for column in columns)


def _totals(judged: Located, of_all: Int64, labels: Labelings, grades: Grades) -> dict[str, Any]:
    """The totals of the judged items, and those of the labels."""
    number = len(labels.ranking)
    above = np.vstack((of_all, labels.inside + labels.outside, np.zeros(number, np.int64)))
    count = (above[:-1] - above[1:]).ravel()
    ranking, grade = np.tile(np.arange(number), len(grades)), np.repeat(grades, number)
    some = count > 0
    columns = (
        np.concatenate((judged.total_ranking, ranking[some])),
        np.concatenate((judged.total_grade, grade[some])),
        np.concatenate((judged.total_count, count[some])),
    )
    order = np.lexsort((columns[1], columns[0]))
    ranking, grade, count = (column[order] for column in columns)
    lead = np.flatnonzero(ragged.changes(ranking, grade))
    sums = np.add.reduceat(count, lead) if len(lead) else count
    return {"total_ranking": ranking[lead], "total_grade": grade[lead], "total_count": sums}


def unjudged_of(located: Located, items: Items | None, depth: int | None = None) -> Unjudged:
    """The unjudged items of rankings.

    `items` are all retrieved items, which are needed if the order of ties is open or depends on
    the grades; `depth` is then where the rankings are to be cut.
    """
    is_judged = located.grade >= 0
    totals = located.total_grade >= 0
    gaps = ragged.integer_sums(
        located.total_count[~totals], located.total_ranking[~totals], len(located)
    )
    retrieved_gaps = ragged.counts(located.ranking[~is_judged], len(located))
    judged = replace(
        located,
        items=None,
        **{
            name: getattr(located, name)[is_judged]
            for name in ("ranking", "row", "grade", "rank", "first", "last")
        },
        **{
            name: getattr(located, name)[totals]
            for name in ("total_ranking", "total_grade", "total_count")
        },
    )
    missed = gaps - retrieved_gaps
    if located.ties in FIXED:
        base = ragged.offsets(located.retrieved)
        is_open = np.ones(int(base[-1]), np.bool_)
        is_open[base[judged.ranking] + judged.rank - 1] = False
        place = np.flatnonzero(is_open)
        owner = np.repeat(np.arange(len(located)), located.retrieved)[place]
        rank = place - base[owner] + 1
        return Unjudged(
            judged, ragged.offsets(ragged.counts(owner, len(located))), rank, rank, missed
        )
    if items is None:
        raise UsageError(
            argument="ties",
            got=located.ties,
            what="needs all items of a run, which is larger than memory",
            remedy="pass ⟨ties='docno'⟩, or more ⟨memory=⟩",
        )
    rows = np.flatnonzero((items.grade < 0) & (items.first <= (depth or np.inf)))
    sizes = ragged.counts(items.ranking[rows], len(located))
    first, last = items.first[rows], items.last[rows]
    return Unjudged(judged, ragged.offsets(sizes), first, last, missed, depth)


@dataclass(eq=False)
class LabelledHits:
    """The hits of many labelings, as formulas of `Hits` see them.

    Counts within a cutoff and sums of precision come from sums along each ranking, not from the
    rows of each labeling. What needs rows gets them from `Hits`, which are made then.

    `added` is how many unjudged items of each labeling count as relevant, if not those that it
    labels so: such hits have no labels, but values that those of some labels cannot pass.
    """

    unjudged: Unjudged
    grade: float
    labels: Labelings
    sums: RankSums
    population: Int64 | None = None
    added: Int64 | None = None
    _hits: Hits | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.labels.ranking)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.hits, name)

    @property
    def hits(self) -> Hits:
        """All rows."""
        if self._hits is None:
            self._hits = self._rows()
        return self._hits

    def _rows(self) -> Hits:
        unjudged, (inside, _), ranking = self.unjudged, self.labels.binary(), self.labels.ranking
        retrieved = self.retrieved
        base = ragged.offsets(retrieved)
        is_hit = np.zeros(int(base[-1]), np.bool_)
        start = np.where(
            self.labels.top, unjudged.start[ranking], unjudged.start[ranking + 1] - inside
        )
        known, own = self.sums.hits, self.sums.first_hit
        for first, count, rank in (
            (own[ranking], np.diff(own)[ranking], known.first),
            (start, inside, unjudged.first),
        ):
            owner, row = ragged.spread(first, count)
            is_hit[base[owner] + rank[row] - 1] = True
        place = np.flatnonzero(is_hit)
        owner = np.repeat(np.arange(len(self)), self.found)
        rank = place - base[owner] + 1
        one = np.ones(len(rank), np.int64)
        return Hits(rank, rank, one, owner, retrieved, self.relevant, ties=unjudged.judged.ties)

    @property
    def retrieved(self) -> Int64:
        """Per labeling, items in the ranking."""
        return self.unjudged.judged.retrieved[self.labels.ranking]

    @property
    def relevant(self) -> Int64:
        """Per labeling, relevant items."""
        inside, outside = self.labels.binary()
        added = inside + outside if self.added is None else self.added
        return np.asarray(self.sums.relevant[self.labels.ranking] + added, np.int64)

    @property
    def found(self) -> Int64:
        """Per labeling, hits."""
        return np.asarray(self.sums.found[self.labels.ranking] + self.labels.inside[0], np.int64)

    def within(self, cutoff: int | Int64) -> Int64:
        """Hits in the first `cutoff` ranks, a number or one per labeling."""
        ranking, inside = self.labels.ranking, self.labels.inside[0]
        place = self.sums.base[ranking] + np.minimum(cutoff, self.retrieved).astype(np.int64)
        near = self.sums.open_to[place]
        below = self.unjudged.inside[ranking] - near
        more = np.where(self.labels.top, np.minimum(inside, near), np.maximum(inside - below, 0))
        return np.asarray(self.sums.hits_to[place] + more, np.int64)

    def precision_sum(self, cutoff: int | None = None) -> Float64:
        """Sum over hits of the precision at their locations."""
        ranking, inside = self.labels.ranking, self.labels.inside[0]
        known, from_top, from_bottom = self.sums.precisions(cutoff)
        place = self.unjudged.start[ranking] + ranking + inside
        more = np.where(self.labels.top, from_top[place], from_bottom[place])
        return np.asarray(known[ranking] + more, np.float64)

    def decaying_sum(self, step: Float64) -> Float64:
        """Sum over hits of e^(-step (L - 1)), with a step per labeling."""
        ranking, (inside, _) = self.labels.ranking, self.labels.binary()
        # Labelings of a ranking with one step have their sums in common.
        order = np.lexsort((step, ranking))
        is_new = ragged.changes(ranking[order], step[order])
        lead = order[is_new]
        code = np.empty(len(order), np.int64)
        code[order] = np.cumsum(is_new) - 1
        own, own_step = ranking[lead], step[lead]
        known, first = self.sums.hits, self.sums.first_hit
        owner, row = ragged.spread(first[own], np.diff(first)[own])
        weight = np.exp(-own_step[owner] * (known.first[row] - 1))
        of_known = ragged.sums(weight, owner, len(own))
        start, sizes = self.unjudged.start[own], self.unjudged.inside[own]
        owner, row = ragged.spread(start, sizes)
        weight = np.exp(-own_step[owner] * (self.unjudged.first[row] - 1))
        part = ragged.offsets(sizes)
        from_top = _with_zeros(_running(weight, part), part)
        place = part[:-1][code] + code
        size = sizes[code]
        below = from_top[place + size] - from_top[place + size - inside]
        more = np.where(self.labels.top, from_top[place + inside], below)
        return np.asarray(of_known[code] + more, np.float64)


class RankSums:
    """Sums along rankings: of hits among judged items, and of unjudged items."""

    def __init__(self, unjudged: Unjudged, grade: float) -> None:
        self._unjudged = unjudged
        self._kept: dict[int | None, tuple[Float64, Float64, Float64]] = {}
        judged = unjudged.judged
        self.hits: Hits = judged.hits(grade)
        self.first_hit: Int64 = ragged.starts(self.hits.ranking, len(unjudged))
        self.base: Int64 = ragged.offsets(judged.retrieved + 1)
        self.relevant: Int64 = self.hits.relevant
        self.found: Int64 = self.hits.found
        self._owner = np.repeat(np.arange(len(unjudged)), unjudged.inside)

    @cached_property
    def hits_to(self) -> Int64:
        """Hits at ranks 0, 1, ... and above, one ranking after another."""
        return self._to(self.hits.ranking, self.hits.first)

    @cached_property
    def open_to(self) -> Int64:
        """Unjudged items at ranks 0, 1, ... and above, one ranking after another."""
        return self._to(self._owner, self._unjudged.first)

    def _to(self, ranking: Int64, rank: Int64) -> Int64:
        flag = np.zeros(int(self.base[-1]), np.int64)
        flag[self.base[ranking] + rank] = 1
        total = ragged.offsets(flag)
        return total[1:] - np.repeat(total[self.base[:-1]], np.diff(self.base))

    def precisions(self, cutoff: int | None) -> tuple[Float64, Float64, Float64]:
        """Sums of precision: of the hits alone, and what the first 0, 1, 2, ... unjudged items add,
        from the top and from the bottom.
        """
        if cutoff not in self._kept:
            self._kept[cutoff] = self._precisions(np.inf if cutoff is None else cutoff)
        return self._kept[cutoff]

    def _precisions(self, cutoff: float) -> tuple[Float64, Float64, Float64]:
        start, rank, owner = self._unjudged.start, self._unjudged.first, self._owner
        place = self.base[owner] + rank
        near = rank <= cutoff
        nearest = np.where(near, 1 / np.maximum(rank, 1), 0.0)
        above = self.hits_to[place]
        # An item adds its own precision, and 1/L to that of each hit L below it.
        lower = self._hits_below(cutoff)[place]
        index = np.arange(len(rank)) - start[:-1][owner] + 1
        added_top = nearest * (above + index) + lower
        from_below = _running(nearest[::-1], start[-1] - start[::-1])[::-1]
        added_bottom = nearest * (above + 1) + lower + (from_below - nearest)
        bottom = _running(added_bottom[::-1], start[-1] - start[::-1])
        # Parts of `bottom` stand in the opposite order.
        return (
            self.hits.precision_sum(None if np.isinf(cutoff) else int(cutoff)),
            _with_zeros(_running(added_top, start), start),
            _with_zeros(_parts_reversed(bottom, start), start),
        )

    def _hits_below(self, cutoff: float) -> Float64:
        """The sum of 1/L over the hits below ranks 0, 1, ... and within the cutoff."""
        value = np.zeros(int(self.base[-1]))
        near = self.hits.first <= cutoff
        place = self.base[self.hits.ranking[near]] + self.hits.first[near]
        value[place] = 1 / self.hits.first[near]
        back = self.base[-1] - self.base[::-1]
        return _running(value[::-1], back)[::-1] - value


def _running(values: Float64, start: Int64) -> Float64:
    """Running sums of each part. By part, so that long columns do not lose digits."""
    result = np.empty(len(values))
    for first, last in zip(start[:-1].tolist(), start[1:].tolist(), strict=True):
        np.add.accumulate(values[first:last], out=result[first:last])
    return result


def _parts_reversed(values: Float64, start: Int64) -> Float64:
    """The parts in the opposite order; each as it is."""
    sizes = np.diff(start)
    _, row = ragged.spread(len(values) - start[1:], sizes)
    return values[row]


def _with_zeros(values: Float64, start: Int64) -> Float64:
    """The parts with a 0 before each."""
    return np.asarray(np.insert(values, start[:-1], 0.0), np.float64)
