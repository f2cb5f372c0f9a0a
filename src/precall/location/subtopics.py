"""Rankings whose items are relevant to subtopics of a topic: the input of measures of novelty and
diversity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import fsdecode
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from precall.core.arguments import check_choice, check_kind, check_whole
from precall.core.notes.of_reading import OneSubtopic
from precall.core.ragged import Bool, Float64, Int64
from precall.core.rng import Rng, suggest_our_names
from precall.core.text import as_text
from precall.location.located import Located, locate

if TYPE_CHECKING:
    from precall.measures import Measure
    from precall.read.columns import Qrels, Run

#: Orders of items of equal score that ignore grades: an item has a grade for each subtopic.
ORDERS_OF_ITEMS = ("docno", "input", "random")


class Covered(NamedTuple):
    """One ranking: `rank` of each retrieved item that is relevant to a subtopic, and the subtopics
    to which each of them is relevant.

    Each column is a subtopic to which at least one judged item is relevant. The rows of `judged`
    are all items that are relevant to a subtopic, descending by id.
    """

    rank: Int64
    retrieved: Bool
    judged: Bool

    @property
    def subtopics(self) -> int:
        """Number of subtopics."""
        return int(self.judged.shape[1])


@dataclass(frozen=True, slots=True, eq=False)
class Subtopics:
    """Rankings of several topics, and the subtopics to which their items are relevant; made by
    `locate_subtopics`.

    Attributes
    ----------
    topics : id of each ranking: the topics of the qrels in their order.
    rankings : the relevant items of each ranking, with their subtopics.

    Examples
    --------
    >>> from precall import measure
    >>> rows = [("q", "1", "a", 1), ("q", "2", "b", 1)]
    >>> where = locate_subtopics(rows, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}})
    >>> measure("StRecall@2")(where)
    array([0.5])
    """

    topics: tuple[str, ...]
    rankings: tuple[Covered, ...]

    def __len__(self) -> int:
        return len(self.rankings)

    def measured(self, measure: Measure) -> Float64:
        """A measure of diversity for each ranking; NaN if it is undefined."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(measure.declaration.formula(self, **measure.parameters), np.float64)

    def each(self, value: Callable[[Covered], float]) -> Float64:
        """A value for each ranking; NaN if no item is relevant to any subtopic."""
        check_kind("value", value, Callable, "a function of one ranking")
        return np.array(
            [value(ranking) if ranking.subtopics else np.nan for ranking in self.rankings],
            np.float64,
        )


@suggest_our_names
def locate_subtopics(
    qrels: object, run: object, *, grade: int = 1, ties: str = "docno", rng: Rng = 0
) -> Subtopics:
    """Find the items that are relevant to subtopics in the rankings of a run.

    Parameters
    ----------
    qrels : the path of diversity qrels, lines of topic, subtopic, item and grade; or such rows; or
        a table with these columns: CSV, TSV, JSON lines, JSON, Parquet, Arrow, a data frame, dicts,
        or rows with the fields query_id, iteration, doc_id and relevance. If an item is judged
        several times for a subtopic, the last row counts.
    run : whatever `precall.read_run` takes.
    grade : least grade that is relevant.
    ties : how items of equal score are ordered: "docno", "input" or "random"; see `precall.locate`.
    rng : seed, Generator or SeedSequence, for "random" only; None for a fresh seed.

    Returns
    -------
    Subtopics
        The argument of measures such as `alpha_nDCG@20`; rankings of topics that the run lacks are
        empty.

    Raises
    ------
    DataError
        The input is malformed, or run and qrels have no topic in common.
    UsageError
        `ties`, or another argument, is not allowed.

    Examples
    --------
    >>> from precall import measure
    >>> rows = [("q", "1", "a", 1), ("q", "1", "b", 1), ("q", "2", "b", 1)]
    >>> measure("alpha_nDCG@2")(locate_subtopics(rows, {"q": {"b": 2.0, "a": 1.0}}))
    array([1.])
    """
    from precall.read.readers import read_run

    check_choice("ties", ties, ORDERS_OF_ITEMS)
    scored, judged = read_run(run), read_judged(qrels, grade, "last")
    located = locate(judged.qrels, scored, ties=ties, rng=rng)
    return judged.cover(located.select(np.flatnonzero(located.in_qrels)))


@dataclass(frozen=True, slots=True, eq=False)
class JudgedSubtopics:
    """Judgements by subtopic in the form of judgements of items.

    Attributes
    ----------
    qrels : the grade of an item stands for the subtopics that it is relevant to; 0 is none.
    subtopics : by topic and judged item, the subtopics that it is relevant to, by their number.
    sets : the subtopics that a grade stands for; the first are those of grade 1.
    """

    qrels: Qrels
    subtopics: Mapping[str, Mapping[str, frozenset[int]]]
    sets: tuple[frozenset[int], ...]

    def cover(self, located: Located) -> Subtopics:
        """The subtopics of rankings that were located in `qrels`."""
        relevant = np.flatnonzero(located.grade > 0)
        ranking, rank = located.ranking[relevant], located.location[relevant]
        order = np.lexsort((rank, ranking))
        found = [self.sets[code - 1] for code in located.grade[relevant][order].tolist()]
        topics = located.topics.tolist()
        start = np.searchsorted(ranking[order], np.arange(len(topics) + 1)).tolist()
        rankings = [
            _cover(
                self.subtopics.get(topic, {}),
                found[start[index] : start[index + 1]],
                rank[order][start[index] : start[index + 1]],
            )
            for index, topic in enumerate(topics)
        ]
        return Subtopics(tuple(topics), tuple(rankings))


def read_judged(
    qrels: object,
    grade: float,
    duplicates: str,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,
) -> JudgedSubtopics:
    """Judgements by subtopic, as `locate_subtopics` takes them; items of at least this grade are
    relevant. `columns` and `format` are those of a table or a file.
    """
    from precall.read.readers import read_qrels
    from precall.read.sources import is_path, label_of
    from precall.read.subtopic_rows import read_subtopics, without_repeats

    source = label_of(fsdecode(qrels)) if is_path(qrels) else "qrels"
    read = read_subtopics(qrels, columns, format)
    rows, dropped = without_repeats(read.rows, duplicates, source)
    notes = (OneSubtopic(""),) if len({row[1] for row in rows}) == 1 else ()
    subtopics = _by_topic(rows, grade)
    codes: dict[frozenset[int], int] = {frozenset(): 0}
    coded = {
        topic: {item: codes.setdefault(cells, len(codes)) for item, cells in items.items()}
        for topic, items in subtopics.items()
    }
    plain = replace(read_qrels(coded), source=source, dropped=dropped, notes=(*read.notes, *notes))
    return JudgedSubtopics(plain, subtopics, tuple(codes)[1:])


def _by_topic(
    rows: Sequence[tuple[Any, Any, Any, int]], grade: float
) -> dict[str, dict[str, frozenset[int]]]:
    """The subtopics of each judged item of each topic, numbered in the order in which the rows
    first name them.
    """
    check_whole("grade", grade, 1)
    number = {
        subtopic: index
        for index, subtopic in enumerate(dict.fromkeys(as_text(row[1]) for row in rows))
    }
    cells: dict[str, dict[str, set[int]]] = {}
    for topic, subtopic, item, level in rows:
        relevant_to = cells.setdefault(as_text(topic), {}).setdefault(as_text(item), set())
        (relevant_to.add if level >= grade else relevant_to.discard)(number[as_text(subtopic)])
    return {
        topic: {item: frozenset(several) for item, several in items.items()}
        for topic, items in cells.items()
    }


def subtopics_of(
    located: Located, run: Run, rows: Sequence[tuple[Any, Any, Any, int]], grade: float
) -> Subtopics:
    """Subtopics of a run that is located in qrels with all items of `rows`, whatever their grades
    there are.
    """
    subtopics = _by_topic(rows, grade)
    topics = located.topics.tolist()
    order = np.lexsort((located.location, located.ranking))
    names = run.items.take(located.row[order]).tolist()
    ranks, start = (
        located.location[order],
        np.searchsorted(located.ranking[order], np.arange(len(topics) + 1)),
    )
    rankings = []
    for index, topic in enumerate(topics):
        of_topic = slice(start[index], start[index + 1])
        cells = subtopics.get(topic, {})
        found = [cells[item] for item in names[of_topic]]
        relevant = [row for row, several in enumerate(found) if several]
        rankings.append(_cover(cells, [found[row] for row in relevant], ranks[of_topic][relevant]))
    return Subtopics(tuple(topics), tuple(rankings))


def _cover(
    judged: Mapping[str, frozenset[int]], retrieved: Sequence[frozenset[int]], rank: Int64
) -> Covered:
    """The ranking of one topic, from the subtopics of each judged item, and those of the relevant
    items that were retrieved, with their ranks.
    """
    relevant = sorted((item for item in judged if judged[item]), key=str.encode, reverse=True)
    column = {
        subtopic: index for index, subtopic in enumerate(sorted(set().union(*judged.values())))
    }

    def matrix(items: Sequence[frozenset[int]]) -> Bool:
        covered = np.zeros((len(items), len(column)), np.bool_)
        for row, several in enumerate(items):
            covered[row, [column[subtopic] for subtopic in several]] = True
        return covered

    return Covered(rank, matrix(retrieved), matrix([judged[item] for item in relevant]))
