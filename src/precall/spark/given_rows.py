"""The cases in the rows that a worker is given: checked as elsewhere, and what is wrong with them
counted, not raised.

An exception would end as a trace of Java, and would be tried again three times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from precall.cases.case_batches import Batch, Seen, rows_of_groups
from precall.cases.scored_cases import Scores, labels, numbers, orient, refuse_nan, weight
from precall.core.errors import Fact, PrecallError, UsageError
from precall.core.ragged import Bool
from precall.read.binary_labels import as_numbers

#: Batches of Spark are small, and are counted so many cases at a time.
CASES = 1 << 20
#: Different labels, and problems, that a task tells of.
_TOLD = 5


@dataclass(frozen=True, slots=True)
class Wanted:
    """The columns of cases by what they are, and which labels and scores are good."""

    label: str
    scores: tuple[str, ...]
    positive: Any = None
    group: str | None = None
    weight: str | None = None
    higher_is_better: bool = True

    @property
    def names(self) -> list[str]:
        """The columns, each once."""
        named = (self.label, *self.scores, self.group, self.weight)
        return list(dict.fromkeys(name for name in named if name is not None))


@dataclass(slots=True)
class Facts(Seen):
    """What a task, or all of them, have seen."""

    tasks: int = 1
    #: Scores of relevant cases, those of several tasks counted several times; and scores of the
    #: sample.
    distinct: int = 0
    sampled: int = 0
    #: By column and what is wrong, how many cases.
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    labels: dict[str, Any] = field(default_factory=dict)
    #: How many cases have labels that stand for "other": 0 and -1 are not both allowed.
    others: Counter[int] = field(default_factory=Counter)

    def merge(self, more: Facts) -> None:
        """Add what others have seen."""
        self.cases, self.tasks = self.cases + more.cases, self.tasks + more.tasks
        self.distinct, self.sampled = self.distinct + more.distinct, self.sampled + more.sampled
        self.relevant, self.real = self.relevant + more.relevant, self.real or more.real
        self.weighted, self.weight = self.weighted or more.weighted, self.weight + more.weight
        self.kinds = self.kinds.joined(more.kinds)
        self.content = self.content + more.content
        self.wrong.update(more.wrong)
        self.problems = list(dict.fromkeys(self.problems + more.problems))[:_TOLD]
        self.labels |= more.labels
        self.others.update(more.others)


def batches_of_cases(
    wanted: Wanted, given: Iterable[pa.RecordBatch], facts: Facts
) -> Iterator[Batch]:
    """The cases, many at a time; `facts` is told of all, and those with something missing are left
    out.
    """
    for table in _gathered(given):
        columns = {name: table.column(at).combine_chunks() for at, name in enumerate(wanted.names)}
        known = _complete_rows(wanted, columns, facts)
        if known is not None:
            columns = {name: column.filter(known) for name, column in columns.items()}
        try:
            batch = _batch(wanted, columns, facts)
        except PrecallError as error:
            facts.cases += table.num_rows
            if len(facts.problems) < _TOLD:
                facts.problems.append(str(error))
            continue
        facts.add(batch)
        facts.cases += table.num_rows - len(batch.relevant)  # those that were left out
        yield batch


def _gathered(given: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    waiting: list[pa.RecordBatch] = []
    for batch in given:
        if waiting and batch.schema != waiting[0].schema:  # of another file
            yield pa.Table.from_batches(waiting)
            waiting = []
        waiting.append(batch)
        if sum(part.num_rows for part in waiting) >= CASES:
            yield pa.Table.from_batches(waiting)
            waiting = []
    if waiting:
        yield pa.Table.from_batches(waiting)


def _complete_rows(wanted: Wanted, columns: dict[str, Any], facts: Facts) -> Any:
    """Which cases have everything; None if all do."""
    known: Any = None
    for name, column in columns.items():
        here = None
        if column.null_count:
            facts.wrong[name, "null"] += column.null_count
            here = column.is_valid()
        if pa.types.is_floating(column.type) and pc.any(pc.is_nan(column)).as_py():
            missing = pc.fill_null(pc.is_nan(column), False)
            facts.wrong[name, "NaN"] += pc.sum(missing).as_py()
            valid = pc.invert(missing)
            here = valid if here is None else pc.and_(here, valid)
        if here is not None:
            known = here if known is None else pc.and_(known, here)
    return known


def _batch(wanted: Wanted, columns: dict[str, Any], facts: Facts) -> Batch:
    relevant = _relevant(wanted, columns[wanted.label], facts)
    scores = {name: _scores(columns[name], wanted.higher_is_better) for name in wanted.scores}
    weights = None
    if wanted.weight is not None:
        weights = weight(_array(columns[wanted.weight]), len(relevant))
    groups = None
    if wanted.group is not None:
        encoded = _encoded(columns[wanted.group], "groups")
        groups = rows_of_groups(encoded.dictionary.to_pylist(), encoded.indices.to_numpy())
    return Batch(relevant, scores, weights, groups)


def _scores(column: Any, higher_is_better: bool) -> Scores:
    score = numbers(_array(column), "score")
    refuse_nan(score)
    return orient(score, higher_is_better)


def _relevant(wanted: Wanted, column: Any, facts: Facts) -> Bool:
    """Of each case; texts are looked at once for all cases that have them."""
    if (
        pa.types.is_boolean(column.type)
        or pa.types.is_floating(column.type)
        or pa.types.is_integer(column.type)
    ):
        given = _array(column)
        if wanted.positive is None and given.dtype.kind != "b" and len(given):
            given = _told(given, facts)
        return labels(given, wanted.positive, facts.labels)
    encoded = _encoded(column, "relevant")
    distinct = encoded.dictionary.to_pylist()
    if wanted.positive is None and (numbers := as_numbers(distinct)) is not None:
        return labels(
            _told(np.array([numbers[text] for text in distinct])[encoded.indices.to_numpy()], facts)
        )
    truth = labels(distinct, wanted.positive, facts.labels)
    return np.asarray(truth[encoded.indices.to_numpy()], np.bool_)


def _told(given: Any, facts: Facts) -> Any:
    """Labels in which -1 is 0, if both are there: that is refused when all cases are counted."""
    facts.others.update({other: int(np.count_nonzero(given == other)) for other in (0, -1)})
    return np.where(given == -1, 0, given) if np.any(given == 0) else given


def _encoded(column: Any, name: str) -> Any:
    """Each value once, and which of them each case has."""
    if pa.types.is_nested(column.type):
        raise UsageError(argument=name, allowed="numbers or texts", got=Fact(column.type))
    return pc.dictionary_encode(column)


def _array(column: Any) -> Any:
    return column.to_numpy(zero_copy_only=False)
