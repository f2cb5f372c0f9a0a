"""Columns gathered batch by batch, and grouped by topic by the kernel.

A batch goes through as a whole when all of it is ordinary; otherwise each row is looked at, and what is wrong becomes a
fact with its line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.errors import DataError, Malformed
from precall.native import kernel, literals
from precall.ragged import Int64, T
from precall.read import values
from precall.read.columns import RUN, Ids, Parsed, Request
from precall.read.problems import Findings, data_error, renumbered, show_text

#: Rows held as Python objects at a time.
BATCH = 1 << 16
#: Grades that are a yes or no, as pandas writes them.
_GRADES = {"true": "1", "false": "0"}

Numbers = npt.NDArray[np.float64] | Int64


def _let_go(parts: list[T]) -> list[T]:
    """The parts of a column, which nothing else holds any more."""
    taken = parts[:]
    parts.clear()
    return taken


def _column(parts: list[Numbers], dtype: Any) -> Any:
    return np.asarray(parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, dtype), *parts]), dtype)


def _grade(text: str) -> literals.Value:
    return literals.grade(_GRADES.get(text.lower(), text))


def _grades(texts: list[str]) -> Int64 | None:
    return literals.grades([_GRADES.get(text.lower(), text) for text in texts])


def contradiction(parsed: Parsed, request: Request, by_rank: Callable[[], Any]) -> tuple[str, ...]:
    """What to say where ranks beside the scores give another order; `by_rank` groups the same rows with ranks for scores."""
    if parsed.dropped and request.duplicates == "best":
        return ()  # other rows are the best by rank
    ranks = np.asarray(Parsed.of(*by_rank()).value)
    disagreeing = _disagreeing(parsed.row_start, parsed.value, ranks)
    if not disagreeing:
        return ()
    name, score = show_text(str(request.rank)), show_text(request.names[2])
    topics = f"{len(parsed.topics)} topic{'s' * (len(parsed.topics) != 1)}"
    what = f"{name} is another order than {score} in {disagreeing} of {topics}"
    if not request.lowest_first and not _disagreeing(parsed.row_start, -parsed.value, ranks):
        return (
            f"{what}: it is that of the lowest {score} first, which lower_is_better=True (--lower-is-better) would take",
        )
    return (f"{what}: {score} decides, as in trec_eval, which does not read ranks",)


def _disagreeing(row_start: Int64, scores: Any, ranks: Any) -> int:
    """The number of topics in which a higher score has a greater rank than a lower one."""
    topic = np.repeat(np.arange(len(row_start) - 1), np.diff(row_start))
    alike = topic[1:] == topic[:-1]
    if np.any(alike & (scores[1:] >= scores[:-1])):
        # Items of equal score may have any ranks among them.
        order = np.lexsort((ranks, -scores, topic))
        ranks = ranks[order]
    return len(np.unique(topic[1:][alike & (ranks[1:] < ranks[:-1])]))


class Gathering:
    """Columns being gathered; `finish` groups them. Cells are objects, or, of CSV and TSV, texts: an empty one is missing."""

    def __init__(self, request: Request, unit: str, textual: bool = False) -> None:
        self.findings = Findings()
        self.request, self._unit, self._textual = request, unit, textual
        self._of_run = request.subject is RUN
        self._dtype = np.float64 if self._of_run else np.int64
        kind: Any = literals if textual else values
        scores = kind.score, kind.scores
        grades = (_grade, _grades) if textual else (values.grade, values.grades)
        self._number: Callable[[Any], literals.Value]
        self._numbers_of: Callable[[list[Any]], Any]
        self._number, self._numbers_of = scores if self._of_run else grades
        self._rows = 0
        self._topics: list[Ids] = []
        self._items: list[Ids] = []
        self._numbers: list[Numbers] = []
        self._lines: list[Sequence[int]] = []
        self._ranks: list[Numbers] | None = []

    def take(
        self, topics: list[Any] | Ids, items: list[Any] | Ids, columns: Sequence[Any], lines: Sequence[int]
    ) -> None:
        """One batch of cells; `columns` are the numbers, if there are any, and those of ranks, if these are asked for.

        A column may be an array, in which only NaN is looked for.
        """
        if not columns:
            # The order of the rows, or that they are there, is all that is known.
            rows = np.arange(self._rows, self._rows + len(lines))
            columns = [-rows.astype(np.float64) if self._of_run else np.ones(len(lines), np.int64)]
        numbers, *beside = columns
        for ranks in beside:
            column = ranks if isinstance(ranks, np.ndarray) else self._numbers_of(ranks)
            # Ranks that are no numbers say nothing about scores.
            fine = self._ranks is not None and column is not None and not np.isnan(column).any()
            self._ranks = [*(self._ranks or ()), column] if fine else None
        self._rows += len(lines)
        if len(lines) and not self._whole(topics, items, numbers, lines):
            self._whole(*self._checked(topics, items, numbers, lines))

    def _are_ids(self, cells: list[Any] | Ids) -> bool:
        if isinstance(cells, Ids):
            return True
        return "" not in cells if self._textual else set(map(type, cells)) <= {str}

    def _whole(
        self, topics: list[Any] | Ids, items: list[Any] | Ids, numbers: Any, lines: Sequence[int]
    ) -> bool:
        if not (self._are_ids(topics) and self._are_ids(items)):
            return False
        if not isinstance(numbers, np.ndarray):
            column = self._numbers_of(numbers)
        else:
            column = None if np.isnan(numbers).any() else numbers
        if column is None:
            return False
        try:
            topic, item = (cells if isinstance(cells, Ids) else Ids.of(cells) for cells in (topics, items))
        except UnicodeEncodeError:
            return False
        self._topics.append(topic)
        self._items.append(item)
        self._numbers.append(column)
        self._lines.append(lines)
        return True

    def _checked(
        self, topics: list[Any] | Ids, items: list[Any] | Ids, numbers: Any, lines: Sequence[int]
    ) -> tuple[list[str], list[str], Any, list[int]]:
        """The good rows of a batch; facts are noted about the others."""
        topic_name, item_name, *value_name = self.request.names
        good: list[tuple[Any, ...]] = []
        for topic, item, number, line in zip(topics, items, numbers, lines, strict=True):
            value = self._value(number, *value_name) if value_name else number
            row = self._id(topic, topic_name), self._id(item, item_name), value
            wrong = next((cell for cell in row if isinstance(cell, tuple)), None)
            if wrong is None:
                good.append((*row, line))
            else:
                self.findings.add(line, *wrong)
        topics, items, numbers, kept = ([row[place] for row in good] for place in range(4))
        return topics, items, np.array(numbers, self._dtype), kept

    def _id(self, cell: Any, column: str) -> str | tuple[object, ...]:
        return values.identifier(None if self._textual and cell == "" else cell, column)

    def _value(self, cell: Any, column: str) -> Any:
        is_missing = cell == "" if self._textual else values.is_missing(cell)
        return ("missing", column) if is_missing else self._number(cell)

    def finish(self) -> Parsed:
        """Group what was gathered; DataError with all problems if there are any."""
        asked = self.request
        number = _column(_let_go(self._numbers), self._dtype)
        if self._of_run and asked.float32 and not asked.valueless:
            given = number
            number, beyond = values.narrowed(given)
            for row in beyond.tolist():
                self.findings.add(self._line(row), "float32-range", values.written(float(given[row])))
        number = 0.0 - number if asked.lowest_first and self._of_run else number
        group = kernel().group_run if self._of_run else kernel().group_qrels
        topics, items = (Ids.together(_let_go(parts)) for parts in (self._topics, self._items))
        texts = topics.data, topics.start, items.data, items.start
        try:
            grouped = group(*texts, number, asked.duplicates, asked.threads)
        except Malformed as bad:
            raise self.error(renumbered(bad, self._line)) from None
        if self.findings.total:
            raise self.error()
        parsed = Parsed.of(*grouped)
        notes = asked.notes
        if self._ranks:
            ranks = _column(self._ranks, np.float64)
            notes += contradiction(
                parsed, asked, lambda: group(*texts, ranks, asked.duplicates, asked.threads)
            )
        return parsed._replace(
            notes=notes, ranked=asked.valueless, negated=asked.lowest_first and self._of_run
        )

    def _line(self, row: int) -> int:
        """Where a row that was taken stands."""
        for lines in self._lines:
            if row < len(lines):
                return lines[row]
            row -= len(lines)
        raise IndexError(row)

    def error(self, facts: Malformed | None = None) -> DataError:
        """The error that says what was found so far, by the kernel too."""
        return data_error(self.findings.merged(facts), self.request, self._unit)
