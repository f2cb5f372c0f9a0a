"""Located: every judged item that was retrieved, with its grade, rank and block.

`locate` makes it once from a run and qrels. Another relevance level, another order of ties, judged
items only, or a shorter ranking are cheap filters over it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core import ragged
from precall.core.arguments import check_choice, check_kind
from precall.core.conventions import TIES
from precall.core.errors import NoCommonTopic, TiesUnresolved, UsageError
from precall.core.notes.of_reading import NothingJudged
from precall.core.ragged import Bool, Float64, Int64
from precall.core.rng import Rng, generator, suggest_our_names
from precall.core.text import many
from precall.location.hits import Hits
from precall.native import kernel, thread_count
from precall.read.grades import Grades, codes, grades_of_codes
from precall.read.problems import advice_on_spelling
from precall.read.swapped_grades import refuse_swapped

if TYPE_CHECKING:
    from precall.location.items import Items
    from precall.location.subtopics import JudgedSubtopics
    from precall.native.twin_location import Location
    from precall.read.columns import Ids, Qrels, Run
    from precall.results.sheets import Table

#: Number of results of `locate` that a run keeps.
KEPT = 4


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Located:
    """Judged retrieved items of many rankings, and totals over all judged items.

    Attributes
    ----------
    topics : id of each ranking: the topics of the qrels in their order, then those that are only in
        the run.
    in_qrels : per ranking, whether its topic is in the qrels.
    in_run : per ranking, whether it is in the run.
    retrieved : per ranking, items in it.
    ranking : per row, which ranking; non-decreasing.
    grade : per row, the grade, an integer, or float64 as in the qrels; negative: in the pool but
        unjudged.
    rank : per row, the rank under `ties`.
    first : per row, the first rank of its block of equal scores.
    last : per row, the last rank of that block.
    row : per row, the row of the item in the run.
    total_ranking : the ranking of each total; there is one total per ranking and grade.
    total_grade : the grade of each total, ascending within a ranking.
    total_count : per total, the number of items of this grade in the qrels, retrieved or not.
    ties : how `rank` was decided; "expected" and "block" do not order the items of a block.
    items : every retrieved item and its block, if `locate` was called with `keep_items`; cutting or
        condensing rankings drops them.
    subtopics : what the grades stand for, if the judgements are by subtopic.
    """

    topics: Ids
    in_qrels: Bool
    in_run: Bool
    retrieved: Int64
    ranking: Int64
    row: Int64
    grade: Grades
    rank: Int64
    first: Int64
    last: Int64
    total_ranking: Int64
    total_grade: Grades
    total_count: Int64
    ties: str = "docno"
    items: Items | None = None
    subtopics: JudgedSubtopics | None = None
    kept: dict[float, Hits] = field(default_factory=dict, init=False, repr=False)
    """Hits by grade, kept because most measures ask for the same grade."""

    def __len__(self) -> int:
        return len(self.retrieved)

    def __repr__(self) -> str:
        return (
            f"<Located: {many(len(self), 'ranking')}, {many(len(self.rank), 'judged item')} "
            f"retrieved, ties={self.ties}>"
        )

    @property
    def span(self) -> tuple[Int64, Int64]:
        """First and last rank that each row may have: those of its block, or its rank if ties are
        resolved.
        """
        return (
            (self.first, self.last)
            if self.ties in ("expected", "block")
            else (self.rank, self.rank)
        )

    @property
    def location(self) -> Int64:
        """Rank of every row; raises `TiesUnresolved` inside blocks."""
        if self.ties in ("expected", "block") and np.any(self.first != self.last):
            raise TiesUnresolved(
                f"⟨ties={self.ties!r}⟩ leaves ranks inside blocks of equal scores open, and this "
                "needs them; choose ⟨ties='docno', 'best', 'worst', 'random' or 'input'⟩"
            )
        return self.rank

    def total(self, low: float, high: float | None = None) -> Int64:
        """Per ranking: items of the qrels with low <= grade (< high), retrieved or not."""
        if high is None and type(low) in (int, float) and low in self.kept:
            return self.kept[low].relevant
        for name, grade in (("low", low), ("high", low if high is None else high)):
            check_kind(name, grade, Number, "a grade")
        wanted = (self.total_grade >= low) & (high is None or self.total_grade < high)
        return ragged.integer_sums(self.total_count * wanted, self.total_ranking, len(self))

    def hits(self, grade: float = 1) -> Hits:
        """The hits if items of at least this grade are relevant."""
        if type(grade) not in (int, float):
            check_kind("grade", grade, Number, "a grade")
        if grade not in self.kept:
            self.kept[grade] = self._hits(grade)
        return self.kept[grade]

    def _hits(self, grade: float) -> Hits:
        first, last = self.span
        rows = (self.grade >= grade).nonzero()[0]
        ranking, first, last = (
            self.ranking[rows],
            first[rows],
            last[rows],
        )
        count = np.ones(len(ranking), np.int64)
        if self.ties in ("expected", "block"):
            lead = np.flatnonzero(ragged.changes(ranking, first))
            count = np.diff(np.append(lead, len(ranking)))
            ranking, first, last = ranking[lead], first[lead], last[lead]
        return Hits(first, last, count, ranking, self.retrieved, self.total(grade), ties=self.ties)

    def tied(self, seen: str = "relevance", grade: float = 1, depth: int | None = None) -> Bool:
        """Per ranking: whether the order of equal scores may change a measure.

        It may if items that the measure distinguishes share a block. `seen` says what the measure
        sees of an item: "relevance" (whether its grade is at least `grade`), "gain" (the grade;
        unjudged items count as grade 0) or "judgement" (the grade, and whether there is one).
        Blocks below `depth` do not count.
        """
        shared = np.flatnonzero(self.last > self.first)
        if not len(shared):
            return np.zeros(len(self), np.bool_)
        ranking, first, grades = self.ranking[shared], self.first[shared], self.grade[shared]
        lead = np.flatnonzero(ragged.changes(ranking, first))
        low = np.minimum.reduceat(grades, lead)
        high = np.maximum.reduceat(grades, lead)
        full = np.diff(np.append(lead, len(grades))) == (self.last[shared] - first + 1)[lead]
        counts = high > 0 if seen == "gain" else high >= (grade if seen == "relevance" else 0)
        is_uniform = full & ((low >= grade) if seen == "relevance" else (low == high))
        may_differ = counts & ~is_uniform
        if depth is not None:
            may_differ &= first[lead] <= depth
        return ragged.counts(ranking[lead][may_differ], len(self)) > 0

    @suggest_our_names
    def resolve(self, ties: str, rng: Rng = 0) -> Located:
        """The same items with another order inside blocks (see `precall.locate`)."""
        check_choice("ties", ties, TIES)
        if ties == self.ties:
            return self
        if ties in ("expected", "block"):
            return replace(self, ties=ties)
        if ties in ("docno", "input"):
            raise UsageError(
                argument="ties",
                what="{got} needs the ids and scores",
                got=ties,
                remedy="pass it to locate()",
            )
        order, rank = (
            self._shuffle(generator(rng))
            if ties == "random"
            else self._sort_by_grades(ties == "best")
        )
        return replace(
            self, ties=ties, rank=rank, **self._take_rows(order, "row", "grade", "first", "last")
        )

    def _take_rows(self, rows: object, *names: str) -> dict[str, Any]:
        """Columns by name, restricted to the given rows."""
        return {name: getattr(self, name)[rows] for name in names}

    def _sort_by_grades(self, best: bool) -> tuple[Int64, Int64]:
        """Rows ordered by ranking and rank, in the best or the worst order inside blocks; and these
        ranks.
        """
        # Best: relevant items by grade, then unjudged items, then those judged as not relevant.
        sign = -1 if best else 1
        order = np.lexsort((sign * self.grade, self.first, self.ranking))
        ranking, first, last, grade = (
            a[order] for a in (self.ranking, self.first, self.last, self.grade)
        )
        lead = np.flatnonzero(ragged.changes(ranking, first))
        size = np.diff(np.append(lead, len(order)))
        offset = np.arange(len(order)) - np.repeat(lead, size)
        # Rows that sink are counted from the block's end.
        rank = np.where(
            (grade > 0) == best, first + offset, last - (np.repeat(size, size) - 1 - offset)
        )
        return order, rank.astype(np.int64)

    def _shuffle(self, rng: np.random.Generator) -> tuple[Int64, Int64]:
        """Rows ordered by ranking and rank, with random ranks inside blocks; and these ranks."""
        rank = self.first.copy()
        lead = np.flatnonzero(ragged.changes(self.ranking, self.first))
        end = np.append(lead[1:], len(rank))
        size = (self.last - self.first + 1)[lead]
        has_ties = size > 1
        blocks = list(
            zip(
                lead[has_ties].tolist(),
                end[has_ties].tolist(),
                size[has_ties].tolist(),
                strict=True,
            )
        )
        # By topic id, so that a seed gives the same orders whatever the order of topics.
        ids = self.topics.take(self.ranking[lead[has_ties]]).tolist()
        for at in sorted(range(len(blocks)), key=ids.__getitem__):
            a, b, block_size = blocks[at]
            rank[a:b] += rng.choice(block_size, b - a, replace=False)
        order = np.lexsort((rank, self.ranking))
        return order, rank[order]

    def condensed(self) -> Located:
        """The rankings without their unjudged items (Sakai 2007; trec_eval -J)."""
        is_judged = self.grade >= 0
        ranking, n = self.ranking[is_judged], len(self)
        rank = ragged.positions(ranking, n)
        lead = np.flatnonzero(ragged.changes(ranking, self.first[is_judged]))
        size = np.diff(np.append(lead, len(rank)))
        first = np.repeat(rank[lead], size)
        return replace(
            self,
            retrieved=ragged.counts(ranking, n),
            ranking=ranking,
            rank=rank,
            first=first,
            last=first + np.repeat(size, size) - 1,
            items=None,
            **self._take_rows(is_judged, "row", "grade"),
        )

    def truncated(self, depth: int) -> Located:
        """The rankings cut after `depth` ranks (trec_eval -M).

        If the cut goes through a block of equal scores, ties must be resolved first.
        """
        first, last = self.span
        if np.any((first <= depth) & (last > depth)):
            remedy = f"choose another ⟨ties=⟩ than {self.ties!r}"
            raise TiesUnresolved(f"⟨depth={depth}⟩ cuts through a block of equal scores; {remedy}")
        is_within = last <= depth
        return replace(
            self,
            retrieved=np.minimum(self.retrieved, depth),
            first=first[is_within],
            last=last[is_within],
            items=None,
            **self._take_rows(is_within, "ranking", "row", "grade", "rank"),
        )

    def select(self, chosen: Int64) -> Located:
        """The rankings with these indices, in this order; an index may repeat."""
        start = ragged.starts(self.ranking, len(self))
        ranking, row = ragged.spread(start[chosen], np.diff(start)[chosen])
        total_start = ragged.starts(self.total_ranking, len(self))
        total_ranking, total_row = ragged.spread(total_start[chosen], np.diff(total_start)[chosen])
        return replace(
            self,
            topics=self.topics.take(chosen),
            ranking=ranking,
            total_ranking=total_ranking,
            items=None if self.items is None else self.items.select(chosen, len(self)),
            **self._take_rows(chosen, "in_qrels", "in_run", "retrieved"),
            **self._take_rows(total_row, "total_grade", "total_count"),
            **self._take_rows(row, "row", "grade", "rank", "first", "last"),
        )

    def pairs(self, other: Located, grade: float = 1, unpaired: str = "error") -> Table:
        """A table with the items of two runs, which were located with `keep_items=True`.

        There is one row per item of each topic that both runs have. Its columns are `topic`,
        `item`, `relevant` (whether the grade is at least `grade`), and two scores: the negative
        first ranks of the item's blocks, so that ties stay ties. Items that only one run retrieved
        are an error; with unpaired="last" they form one block behind the others.

        Examples
        --------
        >>> from precall import locate
        >>> qrels = {"q": {"a": 1, "b": 0}}
        >>> first = locate(qrels, {"q": {"a": 2.0, "b": 1.0, "x": 1.0}}, keep_items=True)
        >>> second = locate(qrels, {"q": {"a": 1.0, "b": 2.0, "x": 3.0}}, keep_items=True)
        >>> pairs = first.pairs(second)
        >>> pairs["relevant"], pairs["score_a"], pairs["score_b"]
        (array([ True, False, False]), array([-1., -2., -2.]), array([-3., -2., -1.]))
        """
        from precall.location.items import pairs

        return pairs(self, other, grade, unpaired)

    def ideal(self) -> tuple[Int64, Grades]:
        """The ideal rankings as rows.

        Returns
        -------
        tuple
            The ranking and the grade of each item of positive grade, best first.
        """
        positive = np.flatnonzero(self.total_grade > 0)
        order = positive[np.lexsort((-self.total_grade[positive], self.total_ranking[positive]))]
        count = self.total_count[order]
        return np.repeat(self.total_ranking[order], count), np.repeat(
            self.total_grade[order], count
        )

    def weighted(self, weight: Float64) -> Float64:
        """Sum of `weight` per ranking, added in the order of ranks."""
        return ragged.sums(weight, self.ranking, len(self))


@suggest_our_names
def locate(
    qrels: object,
    run: object,
    *,
    ties: str = "docno",
    rng: Rng = 0,
    threads: int | None = None,
    keep_items: bool = False,
) -> Located:
    """Find the judged items in the rankings of a run.

    Parameters
    ----------
    qrels : whatever `precall.read_qrels` takes, or what it returned.
    run : whatever `precall.read_run` takes, or what it returned.
    ties : how items of equal score are ordered:

        - "docno": by item id, descending by bytes; trec_eval's rule and the default;
        - "input": as the run lists them;
        - "best", "worst": by grade, highest or lowest first, with unjudged items between relevant
          and not relevant ones: the extremes of every measure in which a better grade earns more;
        - "random": at random, from `rng`;
        - "expected": left open; measures give their exact mean over all orders;
        - "block": left open; whatever needs an order raises `TiesUnresolved`.
    rng : seed, Generator or SeedSequence, for "random" only; None for a fresh seed.
    threads : the greatest number of threads, >= 1; None is the value of PRECALL_THREADS or, if that
        is not set, the number of usable processors.
    keep_items : keep the block of every item, judged or not, so that two runs can be paired item by
        item (`Located.pairs`).

    Raises
    ------
    DataError
        The input is malformed, or run and qrels have no topic in common (`NoCommonTopic`).
    UsageError
        `ties`, or another argument, is not allowed.

    Examples
    --------
    >>> located = locate({"q1": {"a": 1, "b": 0, "c": 2}}, {"q1": {"b": 3.0, "a": 2.0, "x": 1.0}})
    >>> located.hits(grade=1).location
    array([2])
    >>> located.hits(grade=1).relevant
    array([2])
    """
    from precall.read.columns import Qrels, Run
    from precall.read.readers import read_qrels, read_run

    check_choice("ties", ties, TIES)
    run = run if isinstance(run, Run) else read_run(run, threads=threads)
    qrels = qrels if isinstance(qrels, Qrels) else read_qrels(qrels, threads=threads)
    located = locate_judged(qrels, run, ties == "input", thread_count(threads))
    if not (located.in_qrels & located.in_run).any():
        from precall.read.problems import no_common_topic

        raise NoCommonTopic(
            [no_common_topic((run.source, run.topics), (qrels.source, qrels.topics))]
        )
    if keep_items:
        from precall.location.items import items_of

        located = replace(located, items=items_of(run, located))
    if ties in ("docno", "input"):
        return located
    return located.resolve(ties, rng)


def locate_judged(qrels: Qrels, run: Run, by_input: bool, threads: int) -> Located:
    """The judged items in a run, which may have no topic in common with the qrels.

    Ties are ordered by id or, if `by_input`, as in the run. A result that the run has kept is
    returned again.
    """
    cached = run.located.get((id(qrels), by_input))
    if cached is not None:
        return cached[1]
    return build_located(qrels, run, by_input, run_kernel(qrels, run, by_input, threads))


def run_kernel(qrels: Qrels, run: Run, by_input: bool, threads: int) -> Location:
    """The columns that a kernel returns; see `precall.native.twin_location.locate`. Grades are
    codes.
    """
    return kernel().locate(
        run.topics.data,
        run.topics.start,
        run.row_start,
        run.items.data,
        run.items.start,
        run.sort_key,
        qrels.topics.data,
        qrels.topics.start,
        qrels.row_start,
        qrels.items.data,
        qrels.items.start,
        codes(qrels.grade),
        by_input,
        threads,
    )


def build_located(qrels: Qrels, run: Run, by_input: bool, columns: Location) -> Located:
    """`Located` from the columns of a kernel; the run keeps it, so that `locate` finds it again."""
    refuse_swapped(qrels, run)
    located = _assemble(qrels, run, columns, "input" if by_input else "docno")
    # The qrels are kept with the result: as long as they live, no other object gets their id.
    run.located[id(qrels), by_input] = (qrels, located)
    while len(run.located) > KEPT:
        del run.located[next(iter(run.located))]
    return located


def _assemble(qrels: Qrels, run: Run, columns: Location, ties: str) -> Located:
    """`Located` from the columns of a kernel; topics that are only in the run come last."""
    run_topic, ranking, row, grade, rank, first, last = columns
    in_run, size = run_topic >= 0, run.row_start[1:] - run.row_start[:-1]
    found_topics, only_in_run = np.count_nonzero(in_run), np.empty(0, np.int64)
    # Topics that the run lacks have number -1, and no row.
    retrieved = (size if found_topics == len(in_run) else np.append(size, 0))[run_topic]
    if found_topics < len(run.topics):
        only_in_run = np.flatnonzero(np.bincount(run_topic[in_run], minlength=len(run.topics)) == 0)
        in_run = np.concatenate((in_run, np.ones(len(only_in_run), np.bool_)))
        retrieved = np.concatenate((retrieved, size[only_in_run]))
    total_ranking, total_grade, total_count = _totals(qrels)
    return Located(
        topics=qrels.topics.join(run.topics.take(only_in_run))
        if len(only_in_run)
        else qrels.topics,
        in_qrels=np.arange(len(retrieved)) < len(qrels.topics),
        in_run=in_run,
        retrieved=retrieved,
        ranking=ranking,
        row=row,
        grade=grades_of_codes(grade, qrels.grade),
        rank=rank,
        first=first,
        last=last,
        total_ranking=total_ranking,
        total_grade=total_grade,
        total_count=total_count,
        ties=ties,
    )


def _totals(qrels: Qrels) -> tuple[Int64, Grades, Int64]:
    """Topic, grade and number of items for every grade that occurs in a topic."""
    topic = np.arange(len(qrels.topics))
    sizes = qrels.row_start[1:] - qrels.row_start[:-1]
    if qrels.grade.dtype == np.float64:
        different = np.unique(qrels.grade)
        low, width = 0, len(different)
    else:
        different = None
        low = int(np.minimum.reduce(qrels.grade, initial=0))
        width = int(np.maximum.reduce(qrels.grade, initial=0)) - low + 1
    if width <= 64:
        # In place: every temporary array of this length costs more time than the arithmetic.
        table_cell = (topic * width - low).repeat(sizes)
        table_cell += qrels.grade if different is None else different.searchsorted(qrels.grade)
        count = np.bincount(table_cell)
        cell = count.nonzero()[0]
        column = cell % width
        grades = column + low if different is None else different[column]
        return cell // width, grades, count[cell].astype(np.int64)
    # The table above has a column for each grade. If these are many, sort instead.
    owner = topic.repeat(sizes)
    order = np.lexsort((qrels.grade, owner))
    owner, grade = owner[order], qrels.grade[order]
    lead = np.flatnonzero(ragged.changes(owner, grade))
    return owner[lead], grade[lead], np.diff(np.append(lead, len(grade)))


#: The ids of at most this many topics are compared, to say how those of a run and the qrels differ.
_LOOKED_AT = 50


def note_nothing_judged(qrels: Qrels, run: Run, located: Located) -> NothingJudged | None:
    """A note if run and qrels share topics, but no retrieved item is judged; else None."""
    if len(located.rank):
        return None
    # The topics of the qrels come first, in their order.
    both = (located.retrieved > 0)[: len(qrels)] & (np.diff(qrels.row_start) > 0)
    if not both.any():
        return None
    topic_indexes = {topic: index for index, topic in enumerate(run.topics.tolist())}
    pairs = [
        (run.first_item(topic_indexes[qrels.topics[topic]]), topic)
        for topic in np.flatnonzero(both)[:_LOOKED_AT].tolist()
    ]
    # The first item of a topic may be of another collection, as no other is. A run that is larger
    # than memory keeps the first items only.
    for retrieved, topic in pairs:
        begin, end = qrels.row_start[topic : topic + 2].tolist()
        judged = qrels.items.take(np.arange(begin, end)).tolist()
        if remedy := advice_on_spelling([retrieved], judged, "item"):
            return NothingJudged("", retrieved, judged[0], remedy)
    retrieved, topic = pairs[0]
    judged_first = qrels.items[int(qrels.row_start[topic])]
    return NothingJudged("", retrieved, judged_first)
