"""Cells of the columns of a table as what they are wanted for: scores, labels, weights, names.

One rule for all formats: a label is text, an integer or a boolean, and is compared as text ("1" in
CSV is 1 in Parquet); a score is a number. What is empty or null is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from numbers import Number
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from precall.core.errors import PROBLEM_LIMIT, DataError, Problem
from precall.core.ragged import Bool, coded, rows_of
from precall.core.text import is_encodable, is_small_file, refuse_folder
from precall.native import literals
from precall.native.literals import NUMBER
from precall.read import values
from precall.read.binary_labels import (
    BOTH,
    RELEVANT,
    are_binary,
    binary_text,
    has_both_negatives,
    meant_label,
)
from precall.read.choosing import CASES, CaseColumns, CodedTexts, Look, Numbers, Unusual, looks_at
from precall.read.columns import Choice, Request
from precall.read.label_rows import ONCE, Fault, first_repeated_label, matrix_of_rows, twice
from precall.read.other_labels import MISSING, gaps_among, gaps_among_numbers, say_others
from precall.read.problems import Findings, Words, data_error, listed, show_text
from precall.read.unlike_labels import SAY_POSITIVE, are_scores, no_yes_or_no
from precall.read.values import label_text
from precall.read.weights import FINITE, counts_or_real, too_heavy, total_weight, unfit_weights

T = TypeVar("T")
Scores = npt.NDArray[np.float32] | npt.NDArray[np.float64]


def read_columns(
    path: str,
    choose: Choice,
    use: Callable[[Reader], T],
    numbers: Numbers | None = None,
    format: str | None = None,
) -> T:
    """What `use` makes of columns of a table; it is asked again where a quick look at the table was
    not enough.

    `path`, `choose`, `numbers` and `format` are those of `looks_at`. A table that is malformed or
    has no row is a DataError, which lists all its problems, up to 20.
    """
    refuse_folder(path)
    if is_small_file(path):
        return _read(looks_at(path, choose, numbers, format), use)
    from precall.read.table_batches import looks_by_parts

    return _read(looks_by_parts(path, choose, numbers, format), use)


def read_in_batches(
    path: str,
    choose: Choice,
    use: Callable[[Reader], T],
    numbers: Numbers | None,
    format: str | None,
) -> Iterator[T]:
    """The same of one batch of rows after another, so that a table of any size is read; `use` is
    given no empty one.
    """
    from precall.read.table_batches import looks_in_batches

    for quick, careful in looks_in_batches(path, choose, numbers, format):
        with suppress(_Empty):
            yield _read((quick, careful), use)


def _read(looks: tuple[Look, Look], use: Callable[[Reader], T]) -> T:
    quick, careful = looks
    try:
        return use(Reader(quick()))
    except Unusual:
        columns = careful()
    if not len(columns):
        raise _Empty
    return use(Reader(columns))


class _Empty(Exception):
    """A batch behind the first has no row."""


class Reader:
    """Turns the columns of one table into arrays; `check` raises what was wrong with any of
    them.
    """

    def __init__(self, columns: CaseColumns) -> None:
        self.columns = columns
        self._findings = Findings()
        kind: Any = literals if columns.textual else values
        self._score: Callable[[Any], literals.Value] = (
            literals.score if columns.textual else values.score_of_case
        )
        self._scores: Callable[[list[Any]], Scores | None] = kind.scores
        #: Labels and the positive one among them: they are named where nothing is wrong.
        self._labels: tuple[list[str], str] | None = None

    def check(self) -> None:
        """Raise a DataError with the first problems, in the order of lines, if there are any; say
        what else there is to say.
        """
        if self._findings.total:
            request = Request(CASES, self.columns.source, "error", 1)
            raise data_error(self._findings.merged(), request, self.columns.unit)
        if self._labels is not None:
            say_others(*self._labels, show_text)
            self._labels = None

    def add(self, row: int | None, name: str, what: str, todo: str, kind: str = "") -> None:
        """One more problem with a cell, or (row None) a column; `kind` is what is equal for those
        that differ in values.
        """
        if self.columns.at_once:
            raise Unusual
        line = 0 if row is None else self.columns.lines[row]
        self._findings.add(
            line, "said", f"column {show_text(name)}: {what}", todo, name, kind or what
        )

    def error(self, name: str, what: str, todo: str) -> DataError:
        """What is wrong with a column, as the only problem."""
        return column_error(self.columns.source, name, what, todo)

    def numbers(self, name: str, nan: str, noun: str = "score") -> Scores:
        """A column of scores; `nan` says what to do about one that is NaN."""
        cells = self.columns.cells[name]
        if isinstance(cells, np.ndarray):
            for row in np.flatnonzero(np.isnan(cells)).tolist():
                self.add(row, name, *_number_words(("nan",), nan, noun), "nan")
            return cells if cells.dtype.kind == "f" else cells.astype(np.float64)
        if isinstance(cells, CodedTexts):
            raise Unusual
        numbers = self._scores(cells)
        return self._one_by_one(name, cells, nan, noun) if numbers is None else numbers

    def _one_by_one(self, name: str, cells: list[Any], nan: str, noun: str) -> Scores:
        numbers = np.zeros(len(cells))
        if self.columns.unit == "row" and all(
            isinstance(cell, str) and self._is_wrong(cell) for cell in cells
        ):
            # A column of words: one problem, not one for each row.
            self.add(
                None,
                name,
                f"it holds text, a {noun} is a number",
                "name another column, or cast it",
            )
            return numbers
        for row, cell in enumerate(cells):
            if self._is_gap(row, name, cell):
                continue
            value = self._score(cell)
            if isinstance(value, tuple):
                self.add(row, name, *_number_words(value, nan, noun), str(value[0]))
            else:
                numbers[row] = value
        return numbers

    def _is_wrong(self, cell: Any) -> bool:
        return isinstance(self._score(cell), tuple)

    def weights(self, name: str) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
        """A column of weights: finite, not negative; those written as integers repeat cases."""
        numbers = self.numbers(name, FINITE, "weight")
        if unfit := unfit_weights(np.nan_to_num(numbers, nan=1.0, posinf=np.inf, neginf=-np.inf)):
            for row in np.flatnonzero(unfit.cases).tolist():
                self.add(
                    row,
                    name,
                    f"weight {numbers[row]:g} is not allowed",
                    unfit.remedy,
                    "not allowed",
                )
        elif (total := too_heavy(total_weight(numbers))) is not None:
            self.add(None, name, *total)
        wide = numbers.astype(np.float64)
        return wide if self._findings.total else counts_or_real(wide, self.columns.cells[name])

    def texts(self, name: str) -> list[str]:
        """A column of labels or names as text; integers are written as decimals."""
        return self._spread(name, self._map(name, label_text))

    def matrix_or_sets(
        self, name: str, separator: str | None, categories: Collection[str] | None = None
    ) -> npt.NDArray[Any] | list[tuple[str, ...]]:
        """A column of several labels each; lists may be the rows of a matrix of 0 and 1, as in
        Python.
        """
        cells = self._listed(name) if self.several(name) else []
        sets: list[tuple[str, ...]] = []
        if not (cells and all(isinstance(cell, list) for cell in cells)):
            cells = sets = self.sets(name, separator)
        matrix = matrix_of_rows(cells, categories)
        if isinstance(matrix, Fault):
            self.add(matrix.row, name, f"the item {matrix.what}", matrix.todo)
            return []
        return sets or self.sets(name, separator) if matrix is None else matrix

    def sets(self, name: str, separator: str | None) -> list[tuple[str, ...]]:
        """A column of several labels each, none twice: text parted by `separator`, or a list; empty
        is none.
        """
        sets = []
        for row, cell in enumerate(self._kinds(name)):
            if values.is_missing(cell):
                parts: list[Any] = []
            elif isinstance(cell, list):
                parts = cell
            elif isinstance(cell, str) and separator is not None:
                parts = [part.strip() for part in cell.split(separator) if part.strip()]
            else:
                parts = [cell]
            texts = list(map(label_text, parts))
            if None in texts:
                what = f"{values.describe_value(cell)} is no list of labels"
                self.add(row, name, what, "write labels as text", type(cell).__name__)
            if "" in texts:
                self.add(
                    row, name, "the item has an empty text, which is no label", "remove it", "empty"
                )
            labels = [text for text in texts if text is not None]
            for text in labels:
                self._check_label(row, name, cell, text)
            if len(set(labels)) < len(labels):
                self.add(
                    row, name, f"the item {twice(first_repeated_label(labels))}", ONCE, "twice"
                )
            sets.append(tuple(labels))
        return self._spread(name, sets)

    def refuse_unnamed(self, name: str, texts: list[str], categories: Sequence[str]) -> None:
        """One problem for each label that is none of the categories, where it first stands."""
        for text in dict.fromkeys(texts):
            if text not in categories:
                what = (
                    f"label {show_text(text)} is none of the categories {listed(list(categories))}"
                )
                todo = "correct it, or name it with ⟨categories=⟩"
                self.add(texts.index(text), name, what, todo, text)

    def several(self, name: str) -> bool:
        """Whether the column holds lists."""
        return any(isinstance(cell, list) for cell in self._kinds(name))

    def printed(self, name: str) -> set[str]:
        """Labels that are neither texts nor numbers, as they are printed: times, durations and
        bytes.
        """
        cells = self._kinds(name)
        if all(issubclass(kind, str | Number) for kind in set(map(type, cells))):
            return set()
        others = (cell for cell in cells if not isinstance(cell, str | Number | list))
        return {text for cell in others if (text := label_text(cell)) is not None}

    def occurs(self, separator: str, names: Collection[str]) -> bool:
        """Whether it stands in some cell of the columns."""
        return any(
            isinstance(cell, str) and separator in cell
            for name in names
            for cell in self._kinds(name)
        )

    def binary(self, name: str) -> bool:
        """Whether all labels of a column are 0/1, or -1/1, or false/true."""
        return are_binary(set(map(binary_text, self._kinds(name))))

    def refuse_swapped(self, label: str, scores: Sequence[str], positive: Any) -> None:
        """Raise if the column of labels holds other numbers, and one of scores the labels."""
        cells = self._kinds(label)
        named = positive is not None and _is_among(positive, set(map(label_text, cells)))
        if (
            named
            or RELEVANT.keys() >= set(map(binary_text, cells))
            or any(map(self._is_wrong, cells))
        ):
            return
        if self.columns.at_once:
            raise Unusual
        for score in scores:
            there = set(map(label_text, self._listed(score)))
            texts = all(
                isinstance(cell, str) and isinstance(literals.score(cell), tuple) for cell in there
            )
            two = len(there) == 2 and (texts or self.binary(score))
            if two if positive is None else _is_among(positive, there):
                what = f"it holds scores, and column {show_text(score)} labels: they are swapped"
                self.add(None, label, what, f"name the labels with ⟨label={score!r}⟩")
                self.check()

    def alike(self, names: Sequence[str]) -> bool:
        """Whether the binary labels of several columns are of one kind: not 0 in one and -1 in
        another.
        """
        return not has_both_negatives(
            {binary_text(cell) for name in names for cell in self._kinds(name)}
        )

    def relevance(self, name: str, positive: Any, before: dict[str, None] | None = None) -> Bool:
        """A column of labels: which cases are relevant, by 0/1, -1/1, false/true, or by one label,
        see `meant_label`.

        Of a batch of the table `before` are the labels of those before it, to which its own are
        added; whether the positive one ever occurs is known behind the last.
        """
        texts = self._map(name, binary_text if positive is None else label_text)
        if self._findings.total:
            return np.zeros(len(self.columns), np.bool_)
        known = list(dict.fromkeys(texts))
        if before is not None:
            before |= dict.fromkeys(known)
        if positive is None:
            self._unknown(name, texts, known if before is None else list(before))
        else:
            positive = meant_label(positive, known)
            self.tell_others(name, texts, known, positive, part=before is not None)
        is_relevant = RELEVANT if positive is None else {positive: True}
        relevant = np.array([is_relevant.get(text, False) for text in texts], np.bool_)
        cells = self.columns.cells[name]
        if not isinstance(cells, CodedTexts):
            return relevant
        hits = np.flatnonzero(relevant)
        return np.asarray(cells.codes == hits[0]) if len(hits) == 1 else relevant[cells.codes]

    def tell_others(
        self, name: str, texts: list[str], known: list[str], positive: str, part: bool = False
    ) -> None:
        """Labels beside the positive one: it must occur, unless this is a part; none may be
        missing; several are named.
        """
        self.refuse_gaps(name, texts, gaps_among(known, positive))
        if not part and positive not in known:
            self.add(None, name, *never(positive, known))
        if not part:
            self._labels = known, positive

    def groups(self, name: str) -> list[str]:
        """What each case belongs to."""
        return self._spread(name, self._groups(name))

    def rows(self, name: str) -> dict[str, npt.NDArray[np.int64]]:
        """The rows of each group, in the order of the rows."""
        cells, names = self.columns.cells[name], self._groups(name)
        return (
            rows_of(names, cells.codes) if isinstance(cells, CodedTexts) else rows_of(*coded(names))
        )

    def _groups(self, name: str) -> list[str]:
        texts = self._map(name, label_text)
        self.refuse_gaps(name, texts, gaps_among_numbers(dict.fromkeys(texts)))
        return texts

    def refuse_gaps(
        self, name: str, texts: list[str], gaps: Collection[str], more: str = ""
    ) -> None:
        """A problem for each text that stands for a missing one."""
        for row, text in enumerate(texts) if gaps else ():
            if text in gaps:
                what, todo = MISSING
                self.add(
                    row,
                    name,
                    f"label {show_text(text)} {what}",
                    todo.format(self.columns.unit) + more,
                )

    def _unknown(self, name: str, texts: list[str], known: list[str]) -> None:
        strange = [text for text in known if text not in RELEVANT]
        numbers = [literals.score(text) for text in known]
        if strange and are_scores(numbers):
            strange = strange[:1]  # of numbers any other is as wrong
        if len(strange) > PROBLEM_LIMIT:
            what = (
                f"{len(known)} different labels, such as {listed(strange[:3])}, are too many for "
                "a yes or no"
            )
            self.add(
                None,
                name,
                what,
                f"check ⟨label=⟩, or {SAY_POSITIVE}",
            )
            return
        if not strange and has_both_negatives(known):
            clash = ("-1",) if "-1" in texts else ("0", "false")
            self.add(next(row for row, text in enumerate(texts) if text in clash), name, *BOTH)
        for text in strange:
            words = no_yes_or_no(f"label {show_text(text)}", numbers)
            self.add(texts.index(text), name, *words, text)

    def _kinds(self, name: str) -> list[Any]:
        """Cells of all kinds that a column has: of texts read at once each once, else of every
        row.
        """
        cells = self.columns.cells[name]
        return cells.texts if isinstance(cells, CodedTexts) else self._listed(name)

    def _spread(self, name: str, made: list[T]) -> list[T]:
        """What was made of each of `_kinds`, for every row."""
        cells = self.columns.cells[name]
        return (
            [made[code] for code in cells.codes.tolist()] if isinstance(cells, CodedTexts) else made
        )

    def _listed(self, name: str) -> list[Any]:
        cells = self.columns.cells[name]
        listed: list[Any] = cells.tolist() if isinstance(cells, np.ndarray) else cells
        return listed

    def _is_gap(self, row: int, name: str, cell: Any) -> bool:
        """Whether a cell is missing, which is a problem."""
        gap = values.is_missing(cell) or cell == ""
        if gap:
            self.add(row, name, "no value", f"fill it in or remove the {self.columns.unit}")
        return gap

    def _map(self, name: str, text_of: Callable[[Any], str | None]) -> list[str]:
        texts = []
        for row, cell in enumerate(self._kinds(name)):
            text = text_of(cell)
            # With a text in ASCII nothing is wrong, and nearly all are.
            if not (text and text.isascii()):
                is_nan = isinstance(cell, float) and cell != cell
                if not self._is_gap(row, name, None if is_nan else cell):
                    self._check_label(row, name, cell, text)
            texts.append(text or "")
        return texts

    def _check_label(self, row: int, name: str, cell: Any, text: str | None) -> None:
        if text is None:
            todo = "write it as text, an integer or a boolean"
            self.add(
                row,
                name,
                f"label {values.describe_value(cell)} is not text",
                todo,
                type(cell).__name__,
            )
        elif not is_encodable(text):
            what = f"label {show_text(text)} is not text that UTF-8 can encode"
            self.add(row, name, what, "remove the lone surrogates", "surrogate")


def _is_among(positive: Any, labels: Collection[str | None]) -> bool:
    return meant_label(positive, labels) in labels


def never(positive: str, known: Collection[str]) -> Words:
    """What is wrong where no label is the positive one, and what to do."""
    what = f"no label is {show_text(positive)}, the labels are {listed(list(known))}"
    return what, "name one of them with ⟨positive=⟩"


def column_error(source: str, name: str | None, what: str, todo: str) -> DataError:
    """What is wrong with a column, if it has a name, as the only problem."""
    return DataError(
        [Problem(source, None, f"column {show_text(name)}: {what}" if name else what, todo)]
    )


#: What to do about a number that is too great, rounded, or none: scores may be infinite, weights
#: may not.
_ADVICE = {
    "score": ("write inf or -inf if that is meant", "give ranks instead", NUMBER),
    "weight": (FINITE, "round it", FINITE),
}


def _number_words(fact: tuple[object, ...], nan: str, noun: str) -> Words:
    kind, *details = fact
    if kind == "nan":
        return f"{noun} is NaN, which is no number", nan
    too_great, rounded, none = _ADVICE[noun]
    if kind == "score-range":
        return f"{noun} {details[0]} is beyond float64 (about 1.8e308)", too_great
    got = show_text(details[0]) if kind == "score" else str(details[0])
    if kind == "inexact":
        return f"{noun} {got} is not exact as float64", rounded
    return f"{noun} {got} is not a number", none
