"""Columns of a table as scores, labels, weights or names of cases.

One rule for all formats: a label is text, an integer or a boolean, and is compared as text ("1" in
CSV is 1 in Parquet). A score is a number. An empty or null cell is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from numbers import Number
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from precall.core.errors import (
    NAN,
    PROBLEM_LIMIT,
    Among,
    DataError,
    Fact,
    FirstOf,
    Labels,
    Mistake,
    Several,
)
from precall.core.notes.of_reading import SPLIT
from precall.core.ragged import Bool, encode_labels, rows_of
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
from precall.read.columns import Choice, Request
from precall.read.label_rows import (
    Fault,
    find_joined_label,
    label_twice,
    matrix_of_rows,
    separator_of,
)
from precall.read.positive_label import (
    GAPS,
    gaps_among,
    gaps_among_numbers,
    missing_label,
    say_groups,
    say_others,
)
from precall.read.problems import Findings, data_error, show_text
from precall.read.select_columns import (
    CASES,
    ChosenColumns,
    CodedTexts,
    Looks,
    Numbers,
    Unusual,
    looks_at,
    looks_at_large_file,
)
from precall.read.unlike_labels import SAY_POSITIVE, are_scores, no_yes_or_no
from precall.read.values import label_text, texts_of_labels
from precall.read.weights import FINITE, counts_or_real, too_heavy, total_weight, unfit_weights

T = TypeVar("T")
#: What else a column of labels with gaps may be for.
_TAKES_GAPS = "⟨pc.judge¦precall judge⟩ takes gaps if a judge labelled all"
Scores = npt.NDArray[np.float32] | npt.NDArray[np.float64]


def read_columns(
    path: str,
    choose: Choice,
    use: Callable[[Reader], T],
    numbers: Numbers | None = None,
    format: str | None = None,
    watch: Watch | None = None,
) -> T:
    """The result of `use` for the columns of a table; `use` is called again if a quick look at the
    table was not enough.

    `path`, `choose`, `numbers` and `format` are those of `looks_at`. A table that is malformed or
    has no rows is a DataError with all its problems, up to 20. `watch` sees other columns.
    """
    refuse_folder(path)
    look = looks_at if is_small_file(path) else looks_at_large_file
    chosen, load = (choose, None) if watch is None else watch.choices(choose)
    looks = look(path, chosen, numbers, format, load)
    result = read_looks(looks, use)
    if watch is not None:
        watch.see(looks.beside)
    return result


def read_in_batches(
    path: str,
    choose: Choice,
    use: Callable[[Reader], T],
    numbers: Numbers | None,
    format: str | None,
    watch: Watch | None = None,
) -> Iterator[T]:
    """The results of `use` for one batch of rows after another, so that tables of any size can be
    read; empty batches are left out.
    """
    from precall.read.table_batches import looks_in_batches

    chosen, load = (choose, None) if watch is None else watch.choices(choose)
    for looks in looks_in_batches(path, chosen, numbers, format, load):
        with suppress(_Empty):
            yield read_looks(looks, use)
            if watch is not None:
                watch.see(looks.beside)


class Watch(Protocol):
    """Sees columns beside those that are used."""

    def choices(self, choose: Choice) -> tuple[Choice, Choice]:
        """The choice of the used columns, and of all that are read."""

    def see(self, beside: Callable[[Choice], Looks]) -> None:
        """Read other columns of the rows that were just used."""


def read_looks(looks: Looks, use: Callable[[Reader], T]) -> T:
    """The result of `use` for the columns that were looked at."""
    try:
        return use(Reader(looks.quick()))
    except Unusual:
        columns = looks.careful()
    if not len(columns):
        raise _Empty
    return use(Reader(columns))


class _Empty(Exception):
    """A batch after the first one has no rows."""


#: What to do about a missing label, where labels may be missing.
_OR_SKIP = 'fill it in, or say ⟨missing="skip"⟩ to leave such pairs out'


class Reader:
    """Turns the columns of one table into arrays; `check` raises the problems found in any of
    them.
    """

    def __init__(self, columns: ChosenColumns) -> None:
        self.columns = columns
        self._findings = Findings()
        kind: Any = literals if columns.textual else values
        self._score: Callable[[Any], literals.Value] = (
            literals.score if columns.textual else values.score_of_case
        )
        self._scores: Callable[[list[Any]], Scores | None] = kind.scores
        #: The labels and the positive one among them; a note names them if nothing is wrong.
        self._labels: tuple[list[str], str] | None = None
        #: Where labels 0 and -1 of columns of labels were first seen.
        self._signs: dict[str, tuple[int, str]] = {}
        #: The names of groups; a note tells of two that are almost equal.
        self._group_names: Iterable[str] = ()

    def check(self) -> None:
        """Raise a DataError with the first problems, in the order of lines, if there are any; else
        give the notes that were held back.
        """
        if self._findings.total:
            request = Request(CASES, self.columns.source, "error", 1)
            raise data_error(self._findings.merge(), request, self.columns.unit)
        if self._labels is not None:
            say_others(*self._labels, show_text)
            self._labels = None
        say_groups(self._group_names)
        self._group_names = ()

    def add(self, row: int | None, name: str, mistake: Mistake, kind: str = "") -> None:
        """Add a mistake in a cell, or in a column if row is None; mistakes of the same `kind`
        differ only in values.
        """
        if self.columns.at_once:
            raise Unusual
        line = 0 if row is None else self.columns.lines[row]
        self._findings.add(line, "said", _in_column(mistake, name), name, kind or mistake.what)

    def error(self, name: str, mistake: Mistake) -> DataError:
        """A DataError whose only problem is one with a column."""
        return column_error(self.columns.source, name, mistake)

    def numbers(self, name: str, nan: str, noun: str = "score") -> Scores:
        """A column of scores; `nan` says what to do about a NaN."""
        cells = self.columns.cells[name]
        if isinstance(cells, np.ndarray):
            for row in np.flatnonzero(np.isnan(cells)).tolist():
                self.add(row, name, _no_number(("nan",), nan, noun), "nan")
            return cells if cells.dtype.kind == "f" else cells.astype(np.float64)
        if isinstance(cells, CodedTexts):
            raise Unusual
        if self.columns.has_decimal_commas:
            cells = self._with_points(name, cells, noun)
        numbers = self._scores(cells)
        return self._one_by_one(name, cells, nan, noun) if numbers is None else numbers

    def scores(self, names: Iterable[str]) -> dict[str, Scores]:
        """Columns of scores of cases by name."""
        remedy = "remove it, or count it by ⟨missed=⟩ if it is relevant"
        return {name: self.numbers(name, remedy) for name in names}

    def _with_points(self, name: str, cells: list[str], noun: str) -> list[str]:
        """Numbers with decimal commas as others are written. Beside them "1.234" may be a thousand
        and more, and is refused.
        """
        if not any("," in cell for cell in cells):
            return cells
        for row, cell in enumerate(cells):
            if "." in cell:
                mistake = Mistake(
                    "{noun:s} {got} has a point, and others have decimal commas",
                    "write all numbers with commas, or all with points, and none for thousands",
                    got=cell,
                    noun=noun,
                )
                self.add(row, name, mistake)
        return ["0" if "." in cell else cell.replace(",", ".") for cell in cells]

    def _one_by_one(self, name: str, cells: list[Any], nan: str, noun: str) -> Scores:
        numbers = np.zeros(len(cells))
        if self.columns.unit == "row" and all(
            isinstance(cell, str) and self._is_wrong(cell) for cell in cells
        ):
            # For a column of words one problem, not one for each row.
            mistake = Mistake(
                "it holds text such as {got}",
                "name another column, or cast it",
                got=cells[0],
                allowed=Among(f"a {noun} is", ["a number"]),
            )
            self.add(None, name, mistake)
            return numbers
        for row, cell in enumerate(cells):
            if self._is_gap(row, name, cell):
                continue
            value = self._score(cell)
            if isinstance(value, tuple):
                self.add(row, name, _no_number(value, nan, noun), str(value[0]))
            else:
                numbers[row] = value
        return numbers

    def _is_wrong(self, cell: object) -> bool:
        return isinstance(self._score(cell), tuple)

    def weights(self, name: str) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
        """A column of weights: finite and not negative. Weights written as integers repeat
        cases.
        """
        numbers = self.numbers(name, FINITE, "weight")
        if unfit := unfit_weights(np.nan_to_num(numbers, nan=1.0, posinf=np.inf, neginf=-np.inf)):
            for row in np.flatnonzero(unfit.cases).tolist():
                self.add(row, name, unfit.mistake("weight {got:g} is not allowed", numbers[row]))
        elif (total := too_heavy(total_weight(numbers))) is not None:
            self.add(None, name, total)
        wide = numbers.astype(np.float64)
        return wide if self._findings.total else counts_or_real(wide, self.columns.cells[name])

    def texts(self, name: str) -> list[str]:
        """A column of labels or names as text; integers are written as decimals."""
        return self._spread(name, self._map(name, label_text))

    def matrix_or_sets(
        self, name: str, separator: str | None, categories: Collection[str] | None = None
    ) -> npt.NDArray[Any] | list[tuple[str, ...]]:
        """A column of several labels each, as sets; lists may be the rows of a matrix of 0 and 1,
        as in Python.
        """
        cells = self._list_cells(name) if self.several(name) else []
        sets: list[tuple[str, ...]] = []
        if not (cells and all(isinstance(cell, list) for cell in cells)):
            cells = sets = self.sets(name, separator)
        matrix = matrix_of_rows(cells, categories)
        if isinstance(matrix, Fault):
            self.add(matrix.row, name, matrix.mistake.prefix("the item "))
            return []
        return sets or self.sets(name, separator) if matrix is None else matrix

    def sets(self, name: str, separator: str | None) -> list[tuple[str, ...]]:
        """A column of several labels each, none twice: lists, or text split at `separator`; an
        empty cell has none.
        """
        sets = []
        for row, cell in enumerate(self._kinds(name)):
            if values.is_missing(cell):
                pieces: list[Any] = []
            elif isinstance(cell, list):
                pieces = cell
            elif isinstance(cell, str) and separator is not None:
                pieces = [piece.strip() for piece in cell.split(separator) if piece.strip()]
            else:
                pieces = [cell]
            texts = list(map(label_text, pieces))
            if None in texts:
                mistake = Mistake(
                    "{got} is no list of labels", "write labels as text", got=values.Typed(cell)
                )
                self.add(row, name, mistake, type(cell).__name__)
            if "" in texts:
                what = "the item has an empty text, which is no label"
                self.add(row, name, Mistake(what, "remove it", got=cell))
            labels = [text for text in texts if text is not None]
            for text in labels:
                self._check_label(row, name, cell, text)
            if len(set(labels)) < len(labels):
                self.add(row, name, label_twice(labels).prefix("the item "))
            sets.append(tuple(labels))
        return self._spread(name, sets)

    def check_categories(self, name: str, texts: list[str], categories: Sequence[str]) -> None:
        """Add a problem if labels are none of the categories."""
        what = ("label {got} is none of the categories", "labels {got} are none of the categories")
        self.refuse_strangers(
            name, texts, categories, what, "which are", "correct it", "name it with ⟨categories=⟩"
        )

    def refuse_strangers(
        self,
        name: str,
        cells: Iterable[str | Collection[str]],
        known: Sequence[str],
        what: tuple[str, str],
        allowed: str,
        *remedies: str,
    ) -> None:
        """Add one problem about all labels that are not known, at the row of the first; empty
        cells do not count.

        `what` is the template for one label, and that for several, and `allowed` are the words
        before those known. If labels seem to be several in one text, the first of the remedies is
        to split it.
        """
        rows: dict[str, int] = {}
        for row, cell in enumerate(cells):
            for label in (cell,) if isinstance(cell, str) else cell:
                rows.setdefault(label, row)
        is_known = {"", *known}.__contains__
        strangers = [label for label in rows if not is_known(label)]
        if not strangers:
            return
        joined = find_joined_label([*strangers, *known])
        marks = (separator_of(label, known) for label in strangers)
        if mark := next(filter(None, marks), joined.separator if joined else ""):
            remedies = (SPLIT.format(mark=mark), *remedies[1:])
        mistake = Mistake(
            what[len(strangers) > 1],
            ", or ".join(remedies),
            got=strangers[0] if len(strangers) == 1 else FirstOf(strangers),
            allowed=Labels(allowed, known),
        )
        self.add(rows[strangers[0]], name, mistake, strangers[0])

    def several(self, name: str) -> bool:
        """Whether the column holds lists."""
        return any(isinstance(cell, list) for cell in self._kinds(name))

    def labels_as_printed(self, name: str) -> set[str]:
        """The labels that are neither texts nor numbers, as they are printed: times, durations and
        bytes.
        """
        cells = self._kinds(name)
        if all(issubclass(kind, str | Number) for kind in set(map(type, cells))):
            return set()
        others = (cell for cell in cells if not isinstance(cell, str | Number | list))
        return {text for cell in others if (text := label_text(cell)) is not None}

    def occurs(self, separator: str, names: Collection[str]) -> bool:
        """Whether the separator occurs in a text of the columns."""
        return any(
            isinstance(cell, str) and separator in cell
            for name in names
            for cell in self._kinds(name)
        )

    def binary(self, name: str) -> bool:
        """Whether all labels of a column are 0/1, or -1/1, or false/true."""
        return are_binary(set(map(binary_text, self._kinds(name))))

    def refuse_swap(self, label: str, scores: Sequence[str], positive: object) -> None:
        """Raise if the column of labels holds numbers other than labels, and a column of scores
        holds labels.
        """
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
            there = set(map(label_text, self._list_cells(score)))
            texts = all(
                isinstance(cell, str) and isinstance(literals.score(cell), tuple) for cell in there
            )
            two = len(there) == 2 and (texts or self.binary(score))
            if two if positive is None else _is_among(positive, there):
                mistake = Mistake(
                    "it holds scores, and column {got} labels: they are swapped",
                    f"name the labels with ⟨label={score!r}⟩",
                    got=score,
                )
                self.add(None, label, mistake)
                self.check()

    def alike(self, names: Sequence[str]) -> bool:
        """Whether the binary labels of several columns are of one kind: not 0 in one column and -1
        in another.
        """
        return not has_both_negatives(
            {binary_text(cell) for name in names for cell in self._kinds(name)}
        )

    def relevance(self, name: str, positive: object, before: dict[str, None] | None = None) -> Bool:
        """Which cases are relevant, from a column of labels: by 0/1, -1/1 or false/true, or by one
        positive label, see `meant_label`.

        For a batch of a table, `before` holds the labels of the earlier batches, and those of this
        one are added; whether the positive label occurs is known only after the last batch.
        """
        text_of = binary_text if positive is None else label_text
        texts = self._map(name, text_of, f"; {_TAKES_GAPS}")
        if self._findings.total:
            return np.zeros(len(self.columns), np.bool_)
        labels = list(dict.fromkeys(texts))
        if before is not None:
            before |= dict.fromkeys(labels)
        if positive is None:
            self._refuse_other_labels(name, texts, labels if before is None else list(before))
        else:
            positive = meant_label(positive, labels)
            self.tell_others(name, texts, labels, positive, part=before is not None)
        is_relevant = RELEVANT if positive is None else {positive: True}
        relevant = np.array([is_relevant.get(text, False) for text in texts], np.bool_)
        cells = self.columns.cells[name]
        if not isinstance(cells, CodedTexts):
            return relevant
        hits = np.flatnonzero(relevant)
        return np.asarray(cells.codes == hits[0]) if len(hits) == 1 else relevant[cells.codes]

    def yes_or_no(
        self,
        name: str,
        gaps: bool,
        todo: str = "write 1 if the item is in the category, 0 if not",
        fill: str = _OR_SKIP,
    ) -> npt.NDArray[np.float64]:
        """A column of labels 0/1, -1/1 or false/true as 1 and 0; a missing one is NaN if `gaps` are
        allowed. `todo` says what to do about other labels, `fill` about missing ones.
        """
        found = []
        for row, cell in enumerate(self._kinds(name)):
            text = None if values.is_missing(cell) else binary_text(cell)
            if text in ("0", "-1"):
                self._refuse_uncertain(row, name, text, fill == _OR_SKIP)
            if text in RELEVANT:
                found.append(float(RELEVANT[text]))
                continue
            found.append(np.nan)
            is_gap = text is None or text in GAPS
            if is_gap and not gaps:
                self.add(row, name, Mistake("the label {got} is missing", fill, got=cell))
            elif not is_gap:
                mistake = Mistake(
                    "label {got} is not 0/1, -1/1 or false/true",
                    todo,
                    got=cell,
                )
                self.add(row, name, mistake, "no yes or no")
        return np.array(self._spread(name, found), np.float64)

    def _refuse_uncertain(self, row: int, name: str, text: str, may_skip: bool) -> None:
        """Add a problem if -1 stands beside 0 in columns of labels: it may not mean no."""
        first = self._signs.setdefault(text, (row, name))
        if first != (row, name) or len(self._signs) < 2:
            return
        self.add(
            *self._signs["-1"],
            Mistake(
                "label {got} stands beside 0, so it may mean uncertain, as in CheXpert",
                "write 1 or 0 for it"
                + ', or leave the cell empty and say ⟨missing="skip"⟩' * may_skip,
                got="-1",
            ),
        )

    def tell_others(
        self, name: str, texts: list[str], labels: list[str], positive: str, part: bool = False
    ) -> None:
        """Check the labels other than the positive one: the latter must occur, unless this is a
        part of a table; none may stand for a gap; several are named in a note.
        """
        self.refuse_gaps(name, texts, gaps_among(labels, positive))
        if not part and positive not in labels:
            self.add(None, name, never(positive, labels))
        if not part:
            self._labels = labels, positive

    def groups(self, name: str) -> list[str]:
        """The group of each case."""
        return self._spread(name, self._groups(name))

    def rows(self, name: str) -> dict[str, npt.NDArray[np.int64]]:
        """The rows of each group, ascending."""
        return rows_of(*self._code(name, self._groups(name)))

    def coded(self, name: str) -> tuple[Sequence[str], npt.NDArray[np.integer[Any]]] | None:
        """The distinct labels of a column as texts, and which of them each row has; None if a cell
        holds none.
        """
        texts = texts_of_labels(self._kinds(name))
        return None if texts is None else self._code(name, texts)

    def _code(
        self, name: str, texts: list[str]
    ) -> tuple[Sequence[str], npt.NDArray[np.integer[Any]]]:
        """Texts made of `_kinds`: the distinct ones, and which of them each row has."""
        cells = self.columns.cells[name]
        return (texts, cells.codes) if isinstance(cells, CodedTexts) else encode_labels(texts)

    def _groups(self, name: str) -> list[str]:
        texts = self._map(name, label_text)
        distinct = dict.fromkeys(texts)
        self.refuse_gaps(name, texts, gaps_among_numbers(distinct))
        self._group_names = distinct
        return texts

    def refuse_gaps(
        self, name: str, texts: list[str], gaps: Collection[str], more: str = ""
    ) -> None:
        """Add a problem for each text that stands for a missing label."""
        for row, text in enumerate(texts) if gaps else ():
            if text in gaps:
                mistake = missing_label("label {got}", text, self.columns.unit, more)
                self.add(row, name, mistake, f"gap {text}")

    def _refuse_other_labels(self, name: str, texts: list[str], labels: list[str]) -> None:
        strange = [text for text in labels if text not in RELEVANT]
        numbers = [literals.score(text) for text in labels]
        if strange and are_scores(numbers):
            strange = strange[:1]  # if labels are numbers, one problem stands for all
        if len(strange) > PROBLEM_LIMIT:
            mistake = Mistake(
                "{labels} different labels, such as {got}, are too many for a yes or no",
                f"check ⟨label=⟩, or {SAY_POSITIVE}",
                got=Several(strange[:3]),
                labels=len(labels),
            )
            self.add(None, name, mistake)
            return
        if not strange and has_both_negatives(labels):
            clash = ("-1",) if "-1" in texts else ("0", "false")
            self.add(next(row for row, text in enumerate(texts) if text in clash), name, BOTH)
        if len(strange) == len(labels) > 1:
            # The problem is the column, not a row.
            mistake = no_yes_or_no(numbers, Several(strange))
            self.add(texts.index(strange[0]), name, mistake, strange[0])
            return
        for text in strange:
            mistake = no_yes_or_no(numbers, text)
            self.add(texts.index(text), name, mistake, text)

    def first_label(self, name: str) -> Any:
        """The first label of a column, also within lists; None if there is none."""
        for cell in self._kinds(name):
            for label in cell if isinstance(cell, list) else [cell]:
                if label is not None:
                    return label
        return None

    def _kinds(self, name: str) -> list[Any]:
        """The cells of a column: each distinct text once, if it was read at once; else the cells of
        all rows.
        """
        cells = self.columns.cells[name]
        return cells.texts if isinstance(cells, CodedTexts) else self._list_cells(name)

    def _spread(self, name: str, values: list[T]) -> list[T]:
        """Values made of `_kinds`, one for every row."""
        cells = self.columns.cells[name]
        return (
            [values[code] for code in cells.codes.tolist()]
            if isinstance(cells, CodedTexts)
            else values
        )

    def _list_cells(self, name: str) -> list[Any]:
        cells = self.columns.cells[name]
        listed: list[Any] = cells.tolist() if isinstance(cells, np.ndarray) else cells
        return listed

    def _is_gap(self, row: int, name: str, cell: object, more: str = "") -> bool:
        """Whether a cell is missing, which adds a problem; `more` ends its remedy."""
        gap = values.is_missing(cell) or cell == ""
        if gap:
            remedy = f"fill it in or remove the {self.columns.unit}{more}"
            self.add(row, name, Mistake("no value", remedy))
        return gap

    def _map(self, name: str, text_of: Callable[[Any], str | None], more: str = "") -> list[str]:
        texts = []
        for row, cell in enumerate(self._kinds(name)):
            text = text_of(cell)
            # ASCII texts need no check, and nearly all texts are ASCII.
            if not (text and text.isascii()):
                is_nan = isinstance(cell, float) and cell != cell
                if not self._is_gap(row, name, None if is_nan else cell, more):
                    self._check_label(row, name, cell, text)
            texts.append(text or "")
        return texts

    def _check_label(self, row: int, name: str, cell: object, text: str | None) -> None:
        if text is None:
            remedy = "write it as text, an integer or a boolean"
            mistake = Mistake("label {got} is not text", remedy, got=values.Typed(cell))
            self.add(row, name, mistake, type(cell).__name__)
        elif not is_encodable(text):
            mistake = Mistake(
                "label {got} is not text that UTF-8 can encode",
                "remove the lone surrogates",
                got=text,
            )
            self.add(row, name, mistake)


def _is_among(positive: object, labels: Collection[str | None]) -> bool:
    return meant_label(positive, labels) in labels


def never(positive: str, labels: Collection[str]) -> Mistake:
    """The mistake that no label is the positive one."""
    return Mistake(
        "no label is {got}",
        "name one of them with ⟨positive=⟩",
        got=positive,
        allowed=Labels("the labels are", list(labels)),
    )


def _in_column(mistake: Mistake, name: str) -> Mistake:
    return mistake.prefix("column {column}: ", column=name)


def column_error(source: str, name: str | None, mistake: Mistake) -> DataError:
    """A DataError whose only problem is one with a column, or with a table if the column has no
    name.
    """
    return (_in_column(mistake, name) if name else mistake).error(source)


_WHOLE = "write a whole number, 0 for none"
#: What to do about a number that is too great, one that is rounded, and a cell that is no number.
#: Scores may be infinite, weights may not.
_ADVICE = {
    "score": ("write inf or -inf if that is meant", "give ranks instead", NUMBER),
    "weight": (FINITE, "round it", FINITE),
    "count": (_WHOLE, _WHOLE, _WHOLE),
}


def _no_number(fact: tuple[object, ...], nan: str, noun: str) -> Mistake:
    kind, *details = fact
    if kind == "nan":
        return Mistake("{noun:s} is {got}, which is no number", nan, got=NAN, noun=noun)
    too_great, rounded, none = _ADVICE[noun]
    # What is no text is written as in Python.
    got = details[0] if kind == "score" else Fact(details[0])
    what, remedy = {
        "score-range": ("{noun:s} {got} is beyond float64 (about 1.8e308)", too_great),
        "inexact": ("{noun:s} {got} is not exact as float64", rounded),
    }.get(str(kind), ("{noun:s} {got} is not a number", none))
    return Mistake(what, remedy, got=got, noun=noun)
