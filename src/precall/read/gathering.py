"""Columns gathered batch by batch, and grouped by topic in the kernel.

A batch is added as a whole if all of it is ordinary. Otherwise each row is checked, and each
problem becomes a fact with its line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.core.errors import DataError, Malformed
from precall.core.ragged import T
from precall.native import kernel, literals
from precall.read import values
from precall.read.columns import RUN, Ids, Parsed, Request
from precall.read.grades import (
    Grades,
    array_of_grades,
    codes,
    facts_without_codes,
    grades_of,
    grades_of_codes,
)
from precall.read.problems import Findings, data_error, renumber_facts
from precall.read.rank_order import check_against_ranks
from precall.read.run_columns import (
    PartsRuns,
    check_apart,
    ids_of_labels,
    is_rank_the_score,
    parts_runs,
    rows_by_run,
)

if TYPE_CHECKING:
    from precall.native.twin_columns import QrelsColumns, RunColumns

#: Rows held as Python objects at a time.
BATCH = 1 << 16

Numbers: TypeAlias = Grades


def _let_go(parts: list[T]) -> list[T]:
    """The parts of a column, released here so that their memory can be freed."""
    taken = parts[:]
    parts.clear()
    return taken


def _column(parts: list[Numbers], dtype: Any) -> npt.NDArray[Any]:
    column = parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, dtype), *parts])
    # Whole grades beside fractions are floats as well.
    return np.asarray(column, np.result_type(column, dtype))


class Gathering:
    """Columns being gathered; `finish` groups them. Cells are objects, or texts for CSV and TSV,
    where an empty text is missing.
    """

    def __init__(self, request: Request, unit: str, textual: bool = False) -> None:
        self.findings: Findings = Findings()
        self.request: Request = request
        self._unit = unit
        self._textual = textual
        self._of_run = request.subject is RUN
        self._dtype = np.float64 if self._of_run else np.int64
        scores: Any = (
            (literals.score, literals.scores) if textual else (values.score, values.scores)
        )
        grades: Any = (
            (values.grade_of_text, values.grades_of_texts)
            if textual
            else (values.grade, values.grades)
        )
        self._number: Callable[[Any], literals.Value]
        self._numbers_of: Callable[[list[Any]], Any]
        self._number, self._numbers_of = scores if self._of_run else grades
        self._rows = 0
        self._topics: list[Ids] = []
        self._items: list[Ids] = []
        self._numbers: list[Numbers] = []
        self._lines: list[Sequence[int]] = []
        self._ranks: list[Numbers] | None = []
        self._labels: dict[str, list[Ids]] = {}

    def take(
        self,
        topics: list[Any] | Ids,
        items: list[Any] | Ids,
        columns: Sequence[Any],
        lines: Sequence[int],
    ) -> None:
        """Add one batch of cells; `columns` are the numbers, if there are any, and the columns
        `beside` of the request.

        Only NaN is checked in columns that are arrays, and whether grades that are floats are some.
        """
        beside = dict(
            zip(
                self.request.extra_columns,
                columns[len(columns) - len(self.request.extra_columns) :],
                strict=True,
            )
        )
        if self.request.valueless:
            # There are no values: runs are in the order of the rows, and qrels list what is
            # relevant.
            rows = np.arange(self._rows, self._rows + len(lines))
            numbers: Any = (
                -rows.astype(np.float64) if self._of_run else np.ones(len(lines), np.int64)
            )
        else:
            numbers = columns[0]
        for name in self.request.systems:
            labels = ids_of_labels(beside[name])
            self._labels.setdefault(name, []).append(labels)
            if name == self.request.run_column:
                for row in labels.empty().tolist():
                    self.findings.add(lines[row], "missing", name)
        if self.request.rank is not None:
            ranks = beside[self.request.rank]
            column = ranks if isinstance(ranks, np.ndarray) else self._ranks_of(ranks)
            # Ranks that are not numbers tell nothing about scores.
            fine = self._ranks is not None and column is not None and not np.isnan(column).any()
            self._ranks = [*(self._ranks or ()), column] if fine else None
        self._rows += len(lines)
        if len(lines) and not self._whole(topics, items, numbers, lines):
            self._whole(*self._check_rows(topics, items, numbers, lines))

    def _ranks_of(self, cells: list[Any]) -> Any:
        """Ranks as numbers; None if one is none. Texts are read as in files, as scores are."""
        if self._textual or not all(isinstance(cell, str) for cell in cells):
            return self._numbers_of(cells)
        numbers = [literals.score(cell) for cell in cells]
        return None if any(isinstance(one, tuple) for one in numbers) else np.array(numbers)

    def _are_ids(self, cells: list[Any] | Ids) -> bool:
        if isinstance(cells, Ids):
            return not len(cells.empty())
        # Some objects that are no texts cannot be compared with one.
        return (self._textual or set(map(type, cells)) <= {str}) and "" not in cells

    def _whole(
        self, topics: list[Any] | Ids, items: list[Any] | Ids, numbers: Any, lines: Sequence[int]
    ) -> bool:
        if not (self._are_ids(topics) and self._are_ids(items)):
            return False
        if not isinstance(numbers, np.ndarray):
            column = self._numbers_of(numbers)
        else:
            are_floats = not self._of_run and numbers.dtype == np.float64
            column = grades_of(numbers) if are_floats else numbers
            column = None if column is None or np.isnan(column).any() else column
        if column is None:
            return False
        try:
            topic, item = (
                cells if isinstance(cells, Ids) else Ids.of(cells) for cells in (topics, items)
            )
        except UnicodeEncodeError:
            return False
        self._topics.append(topic)
        self._items.append(item)
        self._numbers.append(column)
        self._lines.append(lines)
        return True

    def _check_rows(
        self, topics: list[Any] | Ids, items: list[Any] | Ids, numbers: Any, lines: Sequence[int]
    ) -> tuple[list[str], list[str], Any, list[int]]:
        """The good rows of a batch; problems of the others become facts."""
        topic_name, item_name, *value_name = self.request.names
        if not self._of_run and isinstance(numbers, np.ndarray):
            numbers = numbers.tolist()  # messages show floats of Python
        good: list[tuple[Any, ...]] = []
        for topic, item, number, line in zip(topics, items, numbers, lines, strict=True):
            value = self._value(number, *value_name) if value_name else number
            row = self._id(topic, topic_name), self._id(item, item_name), value
            wrong = next((cell for cell in row if isinstance(cell, tuple)), None)
            if wrong is None:
                good.append((*row, line))
            else:
                self.findings.add(line, *wrong)
        topics, items, numbers, kept = ([row[index] for row in good] for index in range(4))
        column = np.array(numbers, np.float64) if self._of_run else array_of_grades(numbers)
        return topics, items, column, kept

    def _id(self, cell: object, column: str) -> str | tuple[object, ...]:
        return values.identifier(cell, column)

    def _value(self, cell: object, column: str) -> Any:
        is_missing = cell == "" if self._textual else values.is_missing(cell)
        return ("missing", column) if is_missing else self._number(cell)

    def finish(self) -> Parsed:
        """The gathered rows grouped by topic; DataError with all problems if there are any."""
        request = self.request
        number = _column(_let_go(self._numbers), self._dtype)
        if self._of_run and request.float32 and not request.valueless:
            scores: Any = number
            number, beyond = values.round_to_float32(scores)
            for row in beyond.tolist():
                self.findings.add(
                    self._line(row), "float32-range", values.short_repr(float(scores[row]))
                )
        number = 0.0 - number if request.lowest_first and self._of_run else number
        ranks = _column(self._ranks, np.float64) if self._ranks else None
        topics, items = (Ids.concatenate(_let_go(parts)) for parts in (self._topics, self._items))
        if self.findings.total:
            # Repeated rows are problems as well, unless they belong to two runs.
            if request.run_column is None:
                self._group(topics, items, number, ranks, self._line)
            raise self.error()
        labels = {name: Ids.concatenate(parts) for name, parts in self._labels.items()}
        if request.seeks_runs:
            for name, names_of_runs in labels.items():
                if parts_runs(topics, items, names_of_runs, ranks):
                    raise PartsRuns(name)
        if request.run_column is None:
            beside = 0.0 - number if is_rank_the_score(request) else ranks
            for name, names_of_runs in labels.items():
                columns = topics, items, names_of_runs
                notes = check_apart(name, columns, beside, request)
                self.request = replace(self.request, notes=(*self.request.notes, *notes))
            return self._group(topics, items, number, ranks, self._line)
        apart = {}
        for name, rows in rows_by_run(labels[request.run_column]).items():
            of_run = (
                topics.take(rows),
                items.take(rows),
                number[rows],
                None if ranks is None else ranks[rows],
            )
            apart[name] = self._group(*of_run, partial(self._line_of, rows.tolist()))
        return Parsed(Ids.of([]), np.zeros(1, np.int64), Ids.of([]), np.zeros(0), apart=apart)

    def _group(
        self,
        topics: Ids,
        items: Ids,
        number: npt.NDArray[Any],
        ranks: npt.NDArray[Any] | None,
        line_of: Callable[[int], int],
    ) -> Parsed:
        """The rows of one run, or of qrels, grouped by topic; `line_of` gives the line of a row."""
        request = self.request
        group: Callable[..., RunColumns | QrelsColumns]
        group = kernel().group_run if self._of_run else kernel().group_qrels
        texts = topics.data, topics.start, items.data, items.start
        try:
            coded: Any = number if self._of_run else codes(number)
            columns = group(*texts, coded, request.duplicates, request.threads)
        except Malformed as bad:
            facts = facts_without_codes(bad) if coded is not number else bad
            raise self.error(renumber_facts(facts, line_of)) from None
        parsed = Parsed.of(*columns)
        if coded is not number:
            parsed = parsed._replace(value=grades_of_codes(parsed.value, number))
        parsed = parsed._replace(
            notes=request.notes,
            ranked=request.valueless,
            negated=request.lowest_first and self._of_run,
        )
        if ranks is None:
            return parsed
        by_rank = Parsed.of(*group(*texts, ranks, request.duplicates, request.threads))
        return check_against_ranks(np.asarray(by_rank.value), parsed, request)

    def _line_of(self, rows: Sequence[int], row: int) -> int:
        """The line of one of some rows."""
        return self._line(rows[row])

    def _line(self, row: int) -> int:
        """The line of a row that was added."""
        for lines in self._lines:
            if row < len(lines):
                return lines[row]
            row -= len(lines)
        raise IndexError(row)

    def error(self, facts: Malformed | None = None) -> DataError:
        """The DataError about all facts found so far, including those of the kernel."""
        return data_error(self.findings.merge(facts), self.request, self._unit)
