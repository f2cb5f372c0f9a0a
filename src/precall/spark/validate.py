"""The cases in a worker's rows: checked as elsewhere, but faults are counted, not raised.

Spark would retry a task with an exception three times, and then show a Java stack trace.
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
from precall.read.weights import KindsOfWeights

#: The number of cases that are counted together; batches of Spark are smaller.
CASES = 1 << 20
#: The most labels, and the most problems, that a task reports.
_TOLD = 5


@dataclass(frozen=True, slots=True)
class Wanted:
    """The columns of cases by their roles, and the labels and scores that are valid."""

    label: str
    scores: tuple[str, ...]
    positive: Any = None
    group: str | None = None
    weight: str | None = None
    higher_is_better: bool = True

    @property
    def names(self) -> list[str]:
        """The names of the columns, each once."""
        named = (self.label, *self.scores, self.group, self.weight)
        return list(dict.fromkeys(name for name in named if name is not None))


@dataclass(slots=True)
class Facts(Seen):
    """Facts that a task, or all tasks, have seen."""

    tasks: int = 1
    #: The number of distinct scores of relevant cases, summed over tasks, and of scores in the
    #: sample.
    distinct: int = 0
    sampled: int = 0
    #: The number of faulty cases by column and fault.
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    labels: dict[str, Any] = field(default_factory=dict)
    #: The number of cases by label of other cases: 0 and -1 may not both occur.
    others: Counter[int] = field(default_factory=Counter)

    def merge(self, more: Facts) -> None:
        """Add the facts of others."""
        self.cases: int = self.cases + more.cases
        self.tasks += more.tasks
        self.distinct, self.sampled = self.distinct + more.distinct, self.sampled + more.sampled
        self.relevant: int = self.relevant + more.relevant
        self.real: bool = self.real or more.real
        self.weighted: bool = self.weighted or more.weighted
        self.weight: float = self.weight + more.weight
        self.kinds: KindsOfWeights = self.kinds.join(more.kinds)
        self.content: Any = self.content + more.content
        self.wrong.update(more.wrong)
        self.problems = list(dict.fromkeys(self.problems + more.problems))[:_TOLD]
        self.labels |= more.labels
        self.others.update(more.others)


def batches_of_cases(
    wanted: Wanted, given: Iterable[pa.RecordBatch], facts: Facts
) -> Iterator[Batch]:
    """The cases, many at a time; `facts` counts all of them.

    Cases with a missing value are left out.
    """
    for table in _gather(given):
        columns = {name: table.column(at).combine_chunks() for at, name in enumerate(wanted.names)}
        is_complete = _complete_rows(wanted, columns, facts)
        if is_complete is not None:
            columns = {name: column.filter(is_complete) for name, column in columns.items()}
        try:
            batch = _batch(wanted, columns, facts)
        except PrecallError as error:
            facts.cases += table.num_rows
            if len(facts.problems) < _TOLD:
                facts.problems.append(str(error))
            continue
        facts.add(batch)
        facts.cases += table.num_rows - len(batch.relevant)  # cases that were left out count also
        yield batch


def _gather(given: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    waiting: list[pa.RecordBatch] = []
    for batch in given:
        if waiting and batch.schema != waiting[0].schema:  # the batch is from another file
            yield pa.Table.from_batches(waiting)
            waiting = []
        waiting.append(batch)
        if sum(each.num_rows for each in waiting) >= CASES:
            yield pa.Table.from_batches(waiting)
            waiting = []
    if waiting:
        yield pa.Table.from_batches(waiting)


def _complete_rows(wanted: Wanted, columns: dict[str, Any], facts: Facts) -> Any:
    """Whether each case is complete; None if all are."""
    is_complete: Any = None
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
            is_complete = here if is_complete is None else pc.and_(is_complete, here)
    return is_complete


def _batch(wanted: Wanted, columns: dict[str, Any], facts: Facts) -> Batch:
    relevant = _relevant(wanted, columns[wanted.label], facts)
    scores = {name: _scores(columns[name], wanted.higher_is_better) for name in wanted.scores}
    weights = None
    if wanted.weight is not None:
        weights = weight(_array(columns[wanted.weight]), len(relevant))
    groups = None
    if wanted.group is not None:
        encoded = _encode(columns[wanted.group], "groups")
        groups = rows_of_groups(encoded.dictionary.to_pylist(), encoded.indices.to_numpy())
    return Batch(relevant, scores, weights, groups)


def _scores(column: object, higher_is_better: bool) -> Scores:
    score = numbers(_array(column), "score")
    refuse_nan(score)
    return orient(score, higher_is_better)


def _relevant(wanted: Wanted, column: Any, facts: Facts) -> Bool:
    """Whether each case is relevant; each distinct text is checked once."""
    if (
        pa.types.is_boolean(column.type)
        or pa.types.is_floating(column.type)
        or pa.types.is_integer(column.type)
    ):
        values = _array(column)
        if wanted.positive is None and values.dtype.kind != "b" and len(values):
            values = _map_labels(values, facts)
        return labels(values, wanted.positive, facts.labels)
    encoded = _encode(column, "relevant")
    distinct = encoded.dictionary.to_pylist()
    if wanted.positive is None and (numbers := as_numbers(distinct)) is not None:
        return labels(
            _map_labels(
                np.array([numbers[text] for text in distinct])[encoded.indices.to_numpy()], facts
            )
        )
    truth = labels(distinct, wanted.positive, facts.labels)
    return np.asarray(truth[encoded.indices.to_numpy()], np.bool_)


def _map_labels(given: Any, facts: Facts) -> Any:
    """The labels, with -1 as 0 if both occur.

    Their mixture is refused later, when all cases are counted.
    """
    facts.others.update({other: int(np.count_nonzero(given == other)) for other in (0, -1)})
    return np.where(given == -1, 0, given) if np.any(given == 0) else given


def _encode(column: Any, name: str) -> Any:
    """The distinct values, and the index of each case's value."""
    if pa.types.is_nested(column.type):
        raise UsageError(argument=name, allowed="numbers or texts", got=Fact(column.type))
    return pc.dictionary_encode(column)


def _array(column: Any) -> Any:
    return column.to_numpy(zero_copy_only=False)
