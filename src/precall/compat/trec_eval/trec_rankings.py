"""The rankings under evaluation, in trec_eval's view: topics in order, and grades by rank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from precall import ragged
from precall.location.hits import Hits
from precall.location.located import Located, locate
from precall.ragged import Float64, Int64
from precall.read.columns import Ids, Qrels, Run

#: What 10.0 lets a topic without results retrieve, when -c is given.
PLACEHOLDER = b"ceci_nest_pas_un_docno"
#: Grades of what was retrieved and is not judged.
NOT_POOLED, NOT_JUDGED = -1, -2


@dataclass(frozen=True)
class Rankings:
    """Judged rankings of the evaluated topics, after -M and -J; `level` is -l, `collection` is -N."""

    located: Located
    level: int
    collection: int
    version: str

    def __len__(self) -> int:
        return len(self.located)

    @cached_property
    def hits(self) -> Hits:
        """The relevant items that were retrieved."""
        return self.located.hits(self.level)

    @cached_property
    def dense(self) -> tuple[Int64, Int64]:
        """The grade at every rank, rankings one after another, and where each ranking begins."""
        located = self.located
        start = np.concatenate(([0], np.cumsum(located.retrieved)))
        grades = np.full(start[-1], NOT_POOLED, np.int64)
        place = start[:-1][located.ranking] + located.rank - 1
        grades[place] = np.where(located.grade < 0, NOT_JUDGED, located.grade)
        return grades, start

    def grades(self) -> Iterator[Int64]:
        """The grades by rank of each ranking in turn."""
        grades, start = self.dense
        for first, last in pairwise(start.tolist()):
            yield grades[first:last]

    def levels(self) -> Iterator[Int64]:
        """For each ranking: how many items of the qrels have grade 0, 1, ... up to the highest there is."""
        located = self.located
        start = ragged.starts(located.total_ranking, len(located)).tolist()
        for first, last in pairwise(start):
            grade, count = located.total_grade[first:last], located.total_count[first:last]
            judged = grade >= 0
            yield np.bincount(grade[judged], weights=count[judged]).astype(np.int64)

    @cached_property
    def unjudged_from(self) -> Hits:
        """What is judged among the retrieved, as hits: the others are unjudged."""
        return self.located.hits(0)


def ranked(
    qrels: Qrels, run: Run, topics: list[bytes], depth: int, judged_only: bool, level: int, collection: int,
    version: str,
) -> Rankings:  # fmt: skip
    """Locate the judged items of `topics`, each of which is in both the qrels and the run."""
    located = locate(qrels, run)
    place = {topic: index for index, topic in enumerate(qrels.topics.encoded())}
    located = located.select(np.array([place[topic] for topic in topics], np.int64))
    if depth < int(located.retrieved.max(initial=0)):
        located = located.truncated(depth)
    if judged_only:
        located = located.condensed()
    return Rankings(located, level, collection, version)


def with_placeholders(run: Run, topics: list[bytes]) -> Run:
    """The run, with one unjudged item for each of the topics it lacks."""
    items = Ids.of([PLACEHOLDER] * len(topics))
    return replace(
        run, topics=run.topics.joined(Ids.of(topics)), items=run.items.joined(items),
        row_start=np.concatenate((run.row_start, run.row_start[-1] + 1 + np.arange(len(topics)))),
        score=np.concatenate((run.score, np.ones(len(topics)))), located={},
    )  # fmt: skip


def total(values: Float64) -> float:
    """Sum, one after another, so that its digits are those of a plain loop."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0
