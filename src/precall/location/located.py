"""Located: every judged item that was retrieved, with its grade, rank and block.

Made once by `locate`; another relevance level, another order of ties, judged items only or a
shorter ranking are cheap filters over it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from precall import ragged
from precall.checks import check_choice
from precall.conventions import TIES
from precall.errors import TiesUnresolved, UsageError
from precall.location.hits import Hits
from precall.ragged import Bool, Float64, Int64
from precall.rng import Rng, by_seed, generator

if TYPE_CHECKING:
    from precall.location.items import Items
    from precall.read.columns import Ids
    from precall.results import Table


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """Judged retrieved items of many rankings, and the totals that no ranking shows.

    Parameters
    ----------
    topics : id of each ranking: the topics of the qrels in their order, then those only in the run.
    in_qrels, in_run : per ranking, where its topic was found.
    retrieved : per ranking, items in it.
    ranking, grade, rank, first, last : per row: which ranking (non-decreasing), the grade (negative:
        in the pool but unjudged), the rank under `ties`, and the ranks of its block of equal scores.
    row : per row, the row of the item in the run.
    total_ranking, total_grade, total_count : per ranking and grade (ascending), items with that
        grade in the qrels, retrieved or not.
    ties : how `rank` was decided; "expected" and "block" leave blocks as they are.
    items : every retrieved item and its block, if `locate` was asked to keep them; what cuts or condenses
        rankings drops them.
    """

    topics: Ids
    in_qrels: Bool
    in_run: Bool
    retrieved: Int64
    ranking: Int64
    row: Int64
    grade: Int64
    rank: Int64
    first: Int64
    last: Int64
    total_ranking: Int64
    total_grade: Int64
    total_count: Int64
    ties: str = "docno"
    items: Items | None = None
    kept: dict[int, Hits] = field(default_factory=dict, init=False, repr=False)
    """Hits by grade: most measures ask for the same."""

    def __len__(self) -> int:
        return len(self.retrieved)

    def __repr__(self) -> str:
        return f"<Located: {len(self)} rankings, {len(self.rank)} judged items retrieved, ties={self.ties}>"

    @property
    def span(self) -> tuple[Int64, Int64]:
        """First and last rank each row may stand at: its block, or its rank where ties are resolved."""
        return (self.first, self.last) if self.ties in ("expected", "block") else (self.rank, self.rank)

    @property
    def location(self) -> Int64:
        """Rank of every row; raises `TiesUnresolved` inside blocks."""
        if self.ties in ("expected", "block") and np.any(self.first != self.last):
            raise TiesUnresolved(
                f"ties={self.ties!r} leaves ranks inside blocks of equal scores open, and this needs "
                "them; choose ties='docno', 'best', 'worst', 'random' or 'input'"
            )
        return self.rank

    def total(self, low: int, high: int | None = None) -> Int64:
        """Per ranking: items of the qrels with low <= grade (< high), retrieved or not."""
        wanted = self.total_grade >= low
        if high is not None:
            wanted &= self.total_grade < high
        return ragged.integer_sums(self.total_count * wanted, self.total_ranking, len(self))

    def hits(self, grade: int = 1) -> Hits:
        """The hits when items of at least this grade are relevant."""
        if grade not in self.kept:
            self.kept[grade] = self._hits(grade)
        return self.kept[grade]

    def _hits(self, grade: int) -> Hits:
        first, last = self.span
        keep = np.flatnonzero(self.grade >= grade)
        ranking, first, last = self.ranking[keep], first[keep], last[keep]
        count = np.ones(len(ranking), np.int64)
        if self.ties in ("expected", "block"):
            lead = np.flatnonzero(ragged.changes(ranking, first))
            count = np.diff(np.append(lead, len(ranking)))
            ranking, first, last = ranking[lead], first[lead], last[lead]
        return Hits(first, last, count, ranking, self.retrieved, self.total(grade), ties=self.ties)

    def tied(self, seen: str = "relevance", grade: int = 1, depth: int | None = None) -> Bool:
        """Per ranking: whether the order of equal scores may change a measure.

        That is: items that the measure tells apart share a block. `seen` says what it sees of an item:
        "relevance" (a grade of at least `grade`, or not), "gain" (the grade, unjudged items being like
        those of grade 0) or "judgement" (the grade, and whether there is one). Blocks below `depth` do not count.
        """
        shared = np.flatnonzero(self.last > self.first)
        if not len(shared):
            return np.zeros(len(self), np.bool_)
        ranking, first, grades = self.ranking[shared], self.first[shared], self.grade[shared]
        lead = np.flatnonzero(ragged.changes(ranking, first))
        low = np.minimum.reduceat(grades, lead)
        high = np.maximum.reduceat(grades, lead)
        full = np.diff(np.append(lead, len(grades))) == (self.last[shared] - first + 1)[lead]
        least = {"relevance": grade, "gain": 1, "judgement": 0}[seen]
        alike = full & ((low >= grade) if seen == "relevance" else (low == high))
        open_ = (high >= least) & ~alike
        if depth is not None:
            open_ &= first[lead] <= depth
        return ragged.counts(ranking[lead][open_], len(self)) > 0

    @by_seed
    def resolve(self, ties: str, rng: Rng = 0) -> Located:
        """The same items with ranks inside blocks decided another way (see `precall.locate`)."""
        check_choice("ties", ties, TIES)
        if ties == self.ties:
            return self
        if ties in ("expected", "block"):
            return replace(self, ties=ties)
        if ties in ("docno", "input"):
            raise UsageError(f"ties={ties!r} needs the ids and scores; pass it to locate()")
        order, rank = self._shuffled(generator(rng)) if ties == "random" else self._extreme(ties == "best")
        fields = {name: getattr(self, name)[order] for name in ("row", "grade", "first", "last")}
        return replace(self, ties=ties, rank=rank, **fields)

    def _extreme(self, best: bool) -> tuple[Int64, Int64]:
        # Best: relevant items by grade, then whatever is unjudged, then the judged as not relevant.
        sign = -1 if best else 1
        order = np.lexsort((sign * self.grade, self.first, self.ranking))
        ranking, first, last, grade = (a[order] for a in (self.ranking, self.first, self.last, self.grade))
        lead = ragged.changes(ranking, first)
        block = np.cumsum(lead) - 1
        place = np.arange(len(order)) - np.flatnonzero(lead)[block] if len(order) else order
        size = np.bincount(block, minlength=1)[block] if len(order) else order
        at_top = (grade > 0) == best
        # Rows that sink are counted from the block's end.
        rank = np.where(at_top, first + place, last - (size - 1 - place))
        return order, rank.astype(np.int64)

    def _shuffled(self, rng: np.random.Generator) -> tuple[Int64, Int64]:
        rank = self.first.copy()
        lead = np.flatnonzero(ragged.changes(self.ranking, self.first))
        end = np.append(lead[1:], len(rank))
        size = (self.last - self.first + 1)[lead]
        tied = size > 1
        blocks = list(zip(lead[tied].tolist(), end[tied].tolist(), size[tied].tolist(), strict=True))
        # By topic id, so that a seed gives the same orders however the topics are listed.
        ids = self.topics.take(self.ranking[lead[tied]]).tolist()
        for at in sorted(range(len(blocks)), key=ids.__getitem__):
            a, b, places = blocks[at]
            rank[a:b] += rng.choice(places, b - a, replace=False)
        order = np.lexsort((rank, self.ranking))
        return order, rank[order]

    def condensed(self) -> Located:
        """Unjudged items taken out of the rankings (Sakai 2007; trec_eval -J)."""
        keep = self.grade >= 0
        ranking, n = self.ranking[keep], len(self)
        first, rank = self.first[keep], ragged.positions(ranking, n)
        lead = ragged.changes(ranking, first)
        block = np.cumsum(lead) - 1
        size = np.bincount(block, minlength=1)
        head = rank[np.flatnonzero(lead)] if len(rank) else rank
        new_first = head[block] if len(rank) else rank
        new_last = new_first + size[block] - 1 if len(rank) else rank
        return replace(
            self, retrieved=ragged.counts(ranking, n), ranking=ranking, row=self.row[keep],
            grade=self.grade[keep], rank=rank, first=new_first, last=new_last, items=None,
        )  # fmt: skip

    def truncated(self, depth: int) -> Located:
        """Rankings cut after `depth` ranks (trec_eval -M); ties must be resolved where the cut falls."""
        first, last = self.span
        if np.any((first <= depth) & (last > depth)):
            raise TiesUnresolved(
                f"depth={depth} cuts through a block of equal scores; choose another ties= than {self.ties!r}"
            )
        keep = last <= depth
        fields = {name: getattr(self, name)[keep] for name in ("ranking", "row", "grade", "rank")}
        return replace(
            self, retrieved=np.minimum(self.retrieved, depth), first=first[keep], last=last[keep], items=None, **fields
        )  # fmt: skip

    def select(self, chosen: Int64) -> Located:
        """The rankings with these indices, in this order; an index may repeat."""
        start = ragged.starts(self.ranking, len(self))
        ranking, row = ragged.spread(start[chosen], np.diff(start)[chosen])
        total_start = ragged.starts(self.total_ranking, len(self))
        total_ranking, total_row = ragged.spread(total_start[chosen], np.diff(total_start)[chosen])
        fields = {name: getattr(self, name)[row] for name in ("row", "grade", "rank", "first", "last")}
        return replace(
            self, topics=self.topics.take(chosen), in_qrels=self.in_qrels[chosen], in_run=self.in_run[chosen],
            retrieved=self.retrieved[chosen], ranking=ranking, total_ranking=total_ranking,
            total_grade=self.total_grade[total_row], total_count=self.total_count[total_row],
            items=None if self.items is None else self.items.select(chosen, len(self)), **fields,
        )  # fmt: skip

    def pairs(self, other: Located, grade: int = 1, unpaired: str = "error") -> Table:
        """The items of two runs side by side, located with `keep_items=True`.

        One row per topic of both runs and item: `topic`, `item`, `relevant` (a grade of at least `grade`),
        and as scores the negative first ranks of its blocks, so that ties stay ties. Items that one
        run did not retrieve are an error, or stand in one block behind the others (unpaired="last").

        Examples
        --------
        >>> from precall import locate
        >>> qrels = {"q": {"a": 1, "b": 0}}
        >>> one = locate(qrels, {"q": {"a": 2.0, "b": 1.0, "x": 1.0}}, keep_items=True)
        >>> two = locate(qrels, {"q": {"a": 1.0, "b": 2.0, "x": 3.0}}, keep_items=True)
        >>> found = one.pairs(two)
        >>> found["relevant"], found["score_a"], found["score_b"]
        (array([ True, False, False]), array([-1., -2., -2.]), array([-3., -2., -1.]))
        """
        from precall.location.items import pairs

        return pairs(self, other, grade, unpaired)

    def ideal(self) -> tuple[Int64, Int64]:
        """(ranking, grade) of the items of positive grade, best first: the ideal rankings as rows."""
        positive = np.flatnonzero(self.total_grade > 0)
        order = positive[np.lexsort((-self.total_grade[positive], self.total_ranking[positive]))]
        count = self.total_count[order]
        return np.repeat(self.total_ranking[order], count), np.repeat(self.total_grade[order], count)

    def weighted(self, weight: Float64) -> Float64:
        """Sum of `weight` per ranking, in the order of ranks."""
        return ragged.sums(weight, self.ranking, len(self))
