"""Rankings whose items are relevant to subtopics of a topic: the input of measures of novelty and
diversity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from precall.core.arguments import check_choice, check_kind, check_whole
from precall.core.ragged import Bool, Float64, Int64
from precall.core.rng import Rng, suggest_our_names
from precall.core.text import as_text
from precall.location.located import Located, locate

if TYPE_CHECKING:
    from precall.measures import Measure
    from precall.read.columns import Run

#: Orders of items of equal score that ignore grades: an item has a grade for each subtopic.
_TIES = ("docno", "input", "random")


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
    qrels : the path of diversity qrels, lines of topic, subtopic, item and grade; or such rows, or
        rows with the fields query_id, iteration, doc_id and relevance. If an item is judged several
        times for a subtopic, the last row counts.
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
    from precall.read.subtopic_rows import read_subtopics

    check_choice("ties", ties, _TIES)
    scored, rows = read_run(run), read_subtopics(qrels)
    judged: dict[str, dict[str, int]] = {}
    for topic, _, item, _ in rows:
        judged.setdefault(topic, {})[item] = 1
    located = locate(judged, scored, ties=ties, rng=rng)
    chosen = np.flatnonzero(located.in_qrels)
    return subtopics_of(located.select(chosen), scored, rows, grade)


def subtopics_of(
    located: Located, run: Run, rows: Sequence[tuple[Any, Any, Any, int]], grade: int
) -> Subtopics:
    """Subtopics of a run that is located in qrels with all items of `rows`.

    Subtopics are numbered in the order in which the rows first name them.
    """
    check_whole("grade", grade, 1)
    index_of_subtopic = {
        subtopic: index
        for index, subtopic in enumerate(dict.fromkeys(as_text(row[1]) for row in rows))
    }
    cells: dict[str, dict[str, set[int]]] = {}
    for topic, subtopic, item, level in rows:
        relevant_to = cells.setdefault(as_text(topic), {}).setdefault(as_text(item), set())
        (relevant_to.add if level >= grade else relevant_to.discard)(
            index_of_subtopic[as_text(subtopic)]
        )
    topics = located.topics.tolist()
    order = np.lexsort((located.location, located.ranking))
    names = run.items.take(located.row[order]).tolist()
    ranks, start = (
        located.location[order],
        np.searchsorted(located.ranking[order], np.arange(len(topics) + 1)),
    )
    rankings = []
    for index, topic in enumerate(topics):
        rows_of_topic = slice(start[index], start[index + 1])
        rankings.append(
            _cover_subtopics(cells.get(topic, {}), names[rows_of_topic], ranks[rows_of_topic])
        )
    return Subtopics(tuple(topics), tuple(rankings))


def _cover_subtopics(cells: dict[str, set[int]], retrieved: list[str], rank: Int64) -> Covered:
    """The ranking of one topic, from the subtopics of each judged item, and the judged items that
    were retrieved, with their ranks.
    """
    relevant = sorted((item for item in cells if cells[item]), key=str.encode, reverse=True)
    column = {
        subtopic: index for index, subtopic in enumerate(sorted(set().union(*cells.values())))
    }

    def matrix(items: list[str]) -> Bool:
        covered = np.zeros((len(items), len(column)), np.bool_)
        for row, item in enumerate(items):
            covered[row, [column[subtopic] for subtopic in cells[item]]] = True
        return covered

    relevant_indices = [index for index, item in enumerate(retrieved) if cells[item]]
    return Covered(
        rank[relevant_indices],
        matrix([retrieved[index] for index in relevant_indices]),
        matrix(relevant),
    )
