"""Which columns of a table of cases are labels, scores, weights and groups; and the batches of
cases made from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from precall.cases.case_batches import Batch, rows_of_groups
from precall.cases.curves import Curve
from precall.cases.scored_cases import (
    OtherLabel,
    Scores,
    check_cases,
    column,
    group_indexes,
    never,
    refuse_nan,
    weight,
)
from precall.core.arguments import as_array_like, one_label
from precall.core.errors import Among, DataError, Fact, Kind, Labels, Mistake, UsageError
from precall.core.notes import warn_all
from precall.core.ragged import Bool
from precall.core.text import as_text
from precall.read.arrow_streams import by_polars
from precall.read.binary_labels import meant_label
from precall.read.cases import Reader, column_error, read_in_batches
from precall.read.cases import never as never_in_file
from precall.read.columns import fields_of
from precall.read.folders import files_of
from precall.read.frames import is_table, native_of
from precall.read.positive_label import say_others
from precall.read.select_columns import Numbers, choose_by_name, numbers_of, table_format
from precall.read.sources import label_of
from precall.read.systems_of_cases import EACH_ALONE, Column, SystemsFinder
from precall.read.values import as_list

_ALONE = "score"


class CaseColumns:
    """Names of the columns; columns of unnamed batches are found by position."""

    def __init__(
        self,
        label: str | None,
        scores: list[str],
        positive: object,
        group: str | None,
        weight: str | None,
    ) -> None:
        self.label: str | None = label
        self.scores: list[str] = scores
        self.positive: object = None if positive is None else one_label("positive", positive)
        self.group: str | None = group
        self.weight: str | None = weight
        #: The first label of a case that is not relevant, in batches.
        self._other = OtherLabel()
        #: Looked for in the first pass.
        self._systems: SystemsFinder | None = SystemsFinder((label, *scores, group, weight))
        #: The labels seen, if `positive` is given.
        self.labels: dict[str, Any] = {}

    def of_files(self, source: str, format: str | None) -> Iterator[Batch]:
        """The cases of a file, or of a folder of Parquet files, in batches of rows."""
        if self.label is None or not self.scores:
            raise UsageError(
                argument="scan",
                what="name the columns of labels and scores of the file: ⟨label=⟩ and ⟨score=⟩",
            )
        labels = dict[str, None]()
        kind = table_format(source, format)
        for path in files_of(source):
            yield from self._of_file(path, kind, labels)
        self._check_systems(label_of(source))
        self.labels = {text: text for text in labels}
        if self.positive is not None:
            positive = meant_label(self.positive, labels)
            if positive not in labels:
                raise column_error(label_of(source), self.label, never_in_file(positive, labels))

    def _of_file(self, path: str, format: str | None, known: dict[str, None]) -> Iterator[Batch]:
        """The cases of one file; `known` collects the labels of all files."""
        label: Any = self.label
        wanted, counted = wanted_columns(label, self.scores, self.group, self.weight)

        def batch(reader: Reader) -> Batch:
            if not known:
                reader.refuse_swap(label, self.scores, self.positive)
            relevant = reader.relevance(label, self.positive, known)
            scores = reader.scores(self.scores)
            weights = None if self.weight is None else reader.weights(self.weight)
            groups = None if self.group is None else reader.rows(self.group)
            reader.check()
            return Batch(relevant, scores, weights, groups)

        choose = choose_by_name(wanted, label_of(path))
        yield from read_in_batches(path, choose, batch, counted, format, self._systems)

    def of_batches(self, source: Iterable[object]) -> Iterator[Batch]:
        """The cases of tables with columns by name, or of tuples (labels, scores) or (labels,
        scores, weights).
        """
        for number, table in enumerate(source):
            try:
                yield self._batch(table)
            except DataError as error:
                raise DataError(
                    [
                        problem._replace(source=f"batch {number}: {problem.source}")
                        for problem in error.problems
                    ]
                ) from None
        self._check_systems("table")

    def _check_systems(self, source: str) -> None:
        """Raise if a column that nobody named tells systems apart; asked after the first pass."""
        if self._systems is not None:
            warn_all(self._systems.check(source, EACH_ALONE))
        self._systems = None

    def _see_systems(self, table: Any, names: Mapping[str, Any]) -> None:
        if self._systems is None:
            return

        def column(name: str) -> Column | None:
            try:
                cells = as_array_like(table[names[name]])
                is_array = isinstance(cells, np.ndarray)
                return Column.of(cells.tolist() if is_array else as_list(cells))
            except (TypeError, ValueError):  # no column at all, which nobody asked for
                return None

        self._systems.see_table(list(names), lambda name: column(name) if name in names else None)

    def _batch(self, given: object) -> Batch:
        if isinstance(given, tuple | list) and len(given) in (2, 3):
            label, scores, weights = (*given, None)[:3]
            return self._cases(label, {_ALONE: scores}, weights, None)
        if self.label is None or not self.scores:
            raise UsageError(
                argument="scan",
                what="name the columns of tables with ⟨label=⟩ and ⟨score=⟩",
                remedy="without names give (labels, scores)",
            )
        table, names = _named_columns(given)

        def named(name: str) -> Any:
            if name not in names:
                raise UsageError(
                    argument="scan",
                    what="no column {got}",
                    got=name,
                    allowed=Labels("the columns are", names),
                )
            return table[names[name]]

        scores = {name: named(name) for name in self.scores}
        batch = self._cases(
            named(self.label),
            scores,
            None if self.weight is None else named(self.weight),
            None if self.group is None else named(self.group),
        )
        self._see_systems(table, names)
        return batch

    def _cases(
        self, label: object, scores: Mapping[str, object], weights: object, groups: object
    ) -> Batch:
        relevant: Bool = np.zeros(0, np.bool_)
        read: dict[str, Scores] = {}
        label = as_array_like(label)  # may be an iterator, and the labels are used more than once
        if isinstance(label, list | tuple) and (cells := column(label, "relevant")).ndim == 1:
            label = cells
        for name, score in scores.items():
            relevant, read[name] = check_cases(label, score, self.positive, part=self.labels)
            refuse_nan(read[name])
        if self.positive is None:
            self._other.see(label, relevant)
        rows = None if groups is None else rows_of_groups(*group_indexes(groups, len(relevant)))
        return Batch(
            relevant, read, None if weights is None else weight(weights, len(relevant)), rows
        )

    def refuse_one_class(
        self, source: str, curves: Mapping[Any, Curve], missed: int, relevant_cases: int
    ) -> None:
        """Raise if a curve has cases of one class only; relevant cases are counted whatever their
        weights.
        """
        if self.positive is not None and not relevant_cases:
            raise never(self.positive, self.labels)
        if self.positive is not None:
            # Labels in files are always text.
            labels = list(self.labels.values())
            there = self.positive in labels
            say_others(labels, self.positive if there else meant_label(self.positive, labels))
        name = next(iter(curves), ("", ""))[0]
        relevant = any(curve.tp[-1] for (of, _), curve in curves.items() if of == name)
        other = any(curve.fp[-1] for (of, _), curve in curves.items() if of == name)
        refuse_one_class(source, self.label, self.weight, relevant, other, missed)


def batches_in(source: object) -> Iterable[Any]:
    """The given batches; a table is one batch."""
    if is_table(source) and not isinstance(source, Iterator):
        return [_by_name(source)]
    if isinstance(source, str | bytes) or not isinstance(source, Iterable):
        raise UsageError(
            argument="source", allowed="a path, a table or batches of cases", got=Kind(source)
        )
    return source


def _by_name(table: object) -> Any:
    """A table whose columns can be read by name any number of times."""
    if not is_table(table):
        raise UsageError(
            argument="source", what="a batch is a table or (labels, scores)", got=Kind(table)
        )
    table = native_of(table)
    if hasattr(table, "collect") and hasattr(table, "collect_schema"):  # a lazy frame of Polars
        return table.collect()
    speaks_arrow_only = not hasattr(table, "__getitem__") or isinstance(table, Iterator)
    return by_polars(table, "source") if speaks_arrow_only else table


def _named_columns(table: Any) -> tuple[Any, dict[str, Any]]:
    """A table, and its columns' names by their texts."""
    table = _by_name(table)
    # `columns` of a record batch holds cells, not names; names of pandas columns may be numbers.
    columns = (
        fields_of(table) or getattr(table, "column_names", None) or getattr(table, "columns", table)
    )
    return table, {as_text(name): name for name in columns}


def wanted_columns(
    label: str,
    scores: Sequence[str],
    group: str | None,
    weight: str | None,
    spelled: str = "score=",
    groups: str | None = None,
) -> tuple[list[tuple[str, str]], Numbers]:
    """The columns to read, each with the argument that names it; and those that must be numbers."""
    wanted = [("label=", label), *((spelled, name) for name in scores)]
    wanted += [
        (option, name)
        for option, name in (("group=", group), ("groups=", groups), ("weight=", weight))
        if name is not None
    ]
    return wanted, numbers_of(scores, weight, (label, group, groups))


def refuse_one_class(
    source: str, label: str | None, weight: str | None, relevant: object, other: object, missed: int
) -> None:
    """Raise if a curve has cases of one class only: the label or `positive` is then wrong. Names in
    the message are those of columns.
    """
    if other and (relevant or missed):
        return
    if weight is not None and not relevant and not other:
        mistake = Mistake("all weights are 0, so no case is left", "check the weights")
        raise column_error(source, weight, mistake)
    every = (
        "every case is relevant"
        if relevant
        else "no case is relevant"
        if other
        else "no case is there"
    )
    allowed = Among("a curve needs", ["both relevant and other cases"])
    mistake = Mistake("{got}", "check ⟨label=⟩ and ⟨positive=⟩", got=Fact(every), allowed=allowed)
    raise column_error(source, label, mistake)
