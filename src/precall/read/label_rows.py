"""Items with several labels each: sets and lists of labels, and lists that are rows of a matrix of
0 and 1.

All forms are interpreted here: lists of Python, columns of lists, JSON, and cells split at a
separator.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.core.errors import Among, Many, Mistake, Several
from precall.core.notes import warn
from precall.core.notes.of_reading import OrderNotCounted, PartsAreLabels, PartsRecur
from precall.core.text import short_repr
from precall.read.values import is_missing, label_text, plain_label

SETS, LISTS = (set, frozenset), (list, tuple)
_COLLECTIONS = (*SETS, *LISTS, np.ndarray)
_FEW = 8
#: Labels are suspected to be several ones if at least this share of them has a blank, and if they
#: are made of at most so many words.
_MOST, _WORDS = 0.8, 100
#: Types of numbers that labels and cells may have.
NUMBERS = (bool, int, float, np.bool_, np.number)
#: The values that cells of a matrix may have.
ALLOWED = Among("allowed are", ["0 and 1"])
#: What to do about lists that are almost a matrix.
_SETS = "for sets of labels name them all with ⟨categories=⟩, or pass sets, such as {0, 2}"
_CORRECT = "correct it"
#: What to do about -1 or -100 among labels from 0 on.
_PADDING = (
    "leave {} out if it fills lists up; if it is a label, name all with ⟨categories=⟩, or pass sets"
)
#: What to do about scores in a matrix of decisions.
DECIDE = "of scores decide first, as by .argmax(axis=1), or pass them to pc.categorize"
#: What to do about a label that an item has twice.
ONCE = (
    "are these token tags? pass the tags of all tokens as one list; for sets of labels write each "
    "label once"
)
#: What to do about an item that is no list, among lists.
EACH = "give every item a list of its labels, an empty one if it has none"


class Fault(NamedTuple):
    """What is wrong with lists that are almost a matrix, and the first such row."""

    row: int
    mistake: Mistake


class JoinedLabel(NamedTuple):
    """A text that seems to hold several labels, what is wrong with it as a template, and the
    separator between them if it is known.
    """

    label: str
    what: str
    separator: str

    def mistake(self, todo: str) -> Mistake:
        """The mistake that some cell holds it."""
        return Mistake(self.what, todo, got=self.label)


#: Separators between labels in a text, and characters that also occur in names.
SEPARATORS = ";|,"
_OFTEN_IN_NAMES = " /\t+&#:~^、，；"  # noqa: RUF001 (Chinese and Japanese)
#: Texts that are cells of a matrix in other formats.
_BITS = frozenset(["0", "1", "0.0", "1.0", "true", "false"])
#: A list as Python, JSON, NumPy and databases write it, except a single tag in square brackets.
_LIST = re.compile(
    r"""\[\]|\{\}|\(\)|set\(\)|\[[^'"]*,.*\]|\{[^'"]*,.*\}|[\[({]\s*(['"]).*\1\s*,?\s*[\])}]"""
    r"""|array\(.*\)|\[\s*-?[0-9][0-9.e+-]*(?:\s+-?[0-9][0-9.e+-]*)+\s*\]""",
    re.DOTALL,
)


#: A closed interval as pandas writes it.
_INTERVAL = re.compile(r"\[(-?[0-9]+(?:\.[0-9]+)?), (-?[0-9]+(?:\.[0-9]+)?)\]")


def find_joined_label(labels: Collection[object], every: bool = False) -> JoinedLabel | None:
    """The first text that seems to hold several labels: a list that was written as text, or a text
    one of whose parts is a label.

    A text is also meant if some of its parts between semicolons or bars, or all between commas, are
    parts of other texts. If `every`, all parts must be labels. Empty parts do not count: "a;" is
    not a label beside "a". Nothing else is taken for several labels: names may hold any character,
    and intervals such as "[0, 10]" and "[11, 20]" are single labels.

    Examples
    --------
    >>> (
    ...     find_joined_label(["c1", "c1;c2"]).separator,
    ...     find_joined_label(["a;b", "b;a"]).separator,
    ...     find_joined_label(["Korea, South", "Smith; John"]),
    ... )
    (';', ';', None)
    >>> print(find_joined_label(["['a', 'b']"]).what)
    holds the text {got}, a list of labels that was written as text
    """
    texts = [label for label in labels if isinstance(label, str)]
    if (written_list := _written_list(texts)) is not None:
        return written_list
    labels_known = set(texts)
    for separator in SEPARATORS:
        pieces_of = {
            label: [piece for each in label.split(separator) if (piece := each.strip())]
            for label in texts
            if separator in label
        }
        times = Counter(piece for pieces in pieces_of.values() for piece in set(pieces))
        for label, pieces in pieces_of.items():
            if pieces and _are_parts(pieces, labels_known, None if every else times, separator):
                return JoinedLabel(label, "holds {got}, whose parts are labels, too", separator)
    return None


def _are_parts(
    pieces: list[str], known: set[str], times: Counter[str] | None, separator: str
) -> bool:
    """Whether the parts of a text seem to be labels: some are among the known ones, or parts of
    other texts by the number of `times` that each occurs; without it, all must be known.
    """
    if times is None:
        return known.issuperset(pieces)
    # Signs alone do not count as parts: emoticons and code are single labels.
    words = {piece for piece in pieces if any(map(str.isalnum, piece))}
    shared = {piece for piece in pieces if times[piece] > 1}
    # Names such as "Korea, South" and "Korea, North" share a part, but have commas.
    are_parts = shared.issuperset(pieces) if separator == "," else bool(shared & words)
    return bool(known & words) or are_parts


def _written_list(texts: list[str]) -> JoinedLabel | None:
    """The first list that was written as text."""
    if _are_intervals([label for label in texts if label[:1] == "["], texts):
        return None
    for label in texts:
        if label[:1] in "[({sa" and _LIST.fullmatch(label):
            what = "holds the text {got}, a list of labels that was written as text"
            return JoinedLabel(label, what, "")
    return None


def split_of(joined: JoinedLabel) -> str:
    """Python code that splits the cells of a column into labels."""
    if joined.separator:
        split = f"cell.split({joined.separator!r})"
        has_no_empty = all(piece.strip() for piece in joined.label.split(joined.separator))
        return split if has_no_empty else f"[part for part in {split} if part]"
    from ast import literal_eval

    try:
        literal_eval(joined.label)
    except (ValueError, SyntaxError):
        return r"re.findall(r'[\w.-]+', cell)"
    return "ast.literal_eval(cell)"


def separator_of(label: object, categories: Collection[object]) -> str:
    """The separator between the parts of a text if all of them are categories, else nothing.

    Examples
    --------
    >>> separator_of("c1; c2", ["c1", "c2"]), separator_of("c1;c9", ["c1", "c2"])
    (';', '')
    """
    if not isinstance(label, str):
        return ""
    for mark in SEPARATORS + _OFTEN_IN_NAMES:
        pieces = [piece.strip() for piece in label.split(mark)]
        if 1 < len(pieces) == len(set(pieces)) and all(piece in categories for piece in pieces):
            return mark
    return ""


def _are_intervals(listed: list[str], texts: list[str]) -> bool:
    """Whether all texts in brackets are intervals of two numbers, no two of which share a number,
    and none of whose ends is a label.
    """
    ends = [match.groups() for label in listed if (match := _INTERVAL.fullmatch(label))]
    if len(ends) < max(len(listed), 1) or not set(chain.from_iterable(ends)).isdisjoint(texts):
        return False
    numbers = list(chain.from_iterable(sorted((float(low), float(high)) for low, high in ends)))
    return all(low < high for low, high in pairwise(numbers))


def warn_of_joined_labels(labels: Collection[object]) -> None:
    """Warn of a text whose parts are all labels of their own, such as "c1 c2" beside both; names
    may hold the marks between them. Warn also if most texts are made of the same few words.
    """
    texts = {label for label in labels if isinstance(label, str)}
    for label in labels:
        if mark := separator_of(label, texts):
            warn(PartsAreLabels("", short_repr(label), mark))
            return
    for mark in " \t":
        parted = [label for label in texts if mark in label]
        if parted and len(parted) >= _MOST * len(texts):
            words = _recurring_words([label.split() for label in parted])
            if words > 1:
                warn(PartsRecur("", short_repr(min(parted)), len(texts), words, mark))
                return


def _recurring_words(texts: Collection[list[str]]) -> int:
    """The number of distinct words if they recur as labels of items do: each in two texts on
    average, or one twice in a text and also in another one, and at unlike places. 0 otherwise.

    Words of names have places: "North" is the first one and "failure" the last one, whether the
    name has two words or three. The index of a label varies from both ends. Sentences have more
    words than labels have.
    """
    times = Counter(word for words in texts for word in set(words))
    twice = any(times[word] > 1 and words.count(word) > 1 for words in texts for word in words)
    if len(times) > min(_WORDS, (1 + twice) * len(texts)):
        return 0
    if not twice and times.total() < 2 * len(times):
        return 0
    from_start = {(word, at) for words in texts for at, word in enumerate(words)}
    from_end = {(word, at) for words in texts for at, word in enumerate(reversed(words))}
    varying = (Counter(word for word, _ in places) for places in (from_start, from_end))
    recurring = set.intersection(
        *({word for word in times if places[word] > 1} for places in varying)
    )
    return len(times) if recurring else 0


def in_rows(cells: Iterable[object]) -> bool:
    """Whether some items are sets or lists."""
    # A member of an Enum is a label, whatever its value is.
    return any(
        issubclass(kind, _COLLECTIONS) and not issubclass(kind, Enum)
        for kind in set(map(type, cells))
    )


def other_item(cells: Sequence[object]) -> Fault | None:
    """The first item that is neither a set nor a list, if others are."""
    if all(issubclass(kind, _COLLECTIONS) for kind in set(map(type, cells))):
        return None
    index = next(index for index, cell in enumerate(cells) if not isinstance(cell, _COLLECTIONS))
    cell = cells[index]
    is_lacking = is_missing(cell) or cell != cell
    what = "has no list of labels ({got})" if is_lacking else "is {got}"
    return Fault(index, Mistake(f"{what}, and others are lists or sets of labels", EACH, got=cell))


def matrix_of_rows(
    rows: Sequence[Any], categories: Collection[Any] | None = None
) -> npt.NDArray[Any] | Fault | None:
    """Lists of equal length with only 0 and 1 as a matrix; None if they are lists of labels.

    Lists that are almost a matrix are a `Fault`. Most of their cells are 0 and 1, and they have a
    row that no set of labels can be, or other cells in less than half of the rows, or rows of 0 and
    1 alone of unequal length. Texts of 0 and 1, and cells of -1, 0 and 1, in rows of equal length
    are a fault as well. If all cells are among the `categories`, and these are not the names of
    columns, the cells are labels.

    Examples
    --------
    >>> (
    ...     matrix_of_rows([[1, 0], [0, 1]]).tolist(),
    ...     matrix_of_rows([[3, 0], [7]]),
    ...     matrix_of_rows([[0, 2], [1, 0], [2, 1]]),
    ... )
    ([[1, 0], [0, 1]], None, None)
    >>> matrix_of_rows([[1, 0], [0, 2]]).mistake.of("truth").wrong
    'has the cell 2 in a matrix of lists, allowed are 0 and 1'
    >>> print(matrix_of_rows([[1, 0], [0, 2]], [0, 1, 2]))
    None
    """
    if not all(issubclass(kind, LISTS) for kind in set(map(type, rows))):
        return None
    # In most cases the first few cells show that labels are texts.
    first = list(chain.from_iterable(rows[:_FEW]))
    if not (_may_be_numbers(first) or _are_bits(first)):
        return None
    cells: list[Any] = list(chain.from_iterable(rows))
    if not cells:
        return None
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    width = int(np.bincount(sizes).argmax())
    alike = bool((sizes == width).all())
    if _are_bits(cells):
        return _of_texts(rows, categories) if alike and width > 1 else None
    if not _may_be_numbers(cells):
        return None
    cells, numbers = _as_numbers(cells)
    bits = np.asarray((numbers == 0) | (numbers == 1), np.bool_)
    if not (alike and bits.all()):
        return _near_matrix(rows, cells, numbers, bits, sizes, categories)
    others = categories is not None and len(categories) != width
    return None if others and _are_labels(rows, categories) else numbers.reshape(len(rows), width)


def _as_numbers(cells: list[Any]) -> tuple[list[Any], npt.NDArray[Any]]:
    """Cells without decimals, and the same as an array; missing ones are None."""
    if any(kind.__name__ == "Decimal" for kind in set(map(type, cells))):
        cells = list(map(plain_label, cells))
    if all(isinstance(cell, NUMBERS) for cell in cells):
        return cells, np.array(cells)
    return cells, np.array([None if is_missing(cell) else cell for cell in cells])


def _near_matrix(
    rows: Sequence[object],
    cells: list[Any],
    numbers: npt.NDArray[Any],
    bits: npt.NDArray[np.bool_],
    sizes: npt.NDArray[np.int64],
    categories: Collection[object] | None,
) -> Fault | None:
    """What is wrong with rows that are nearly a matrix; None of those that are labels.

    `bits` says which of the cells are 0 or 1, and `sizes` how many cells each row has.
    """
    width = int(np.bincount(sizes).argmax())
    alike = bool((sizes == width).all())
    scores = numbers.dtype.kind == "f" and bool(np.any(numbers % 1 > 0))
    # 1 and -1 may mean yes and no, and -1 may mean unknown: if only these occur with 0, the cells
    # are not labels.
    signs = (
        alike and (width > 1 or bool(np.any(numbers == 0))) and bool(np.all(bits | (numbers == -1)))
    )
    strange = scores or signs
    if not strange and 2 * int(np.count_nonzero(bits)) < len(cells):
        return None
    if _are_labels(rows, categories):
        return None
    if not alike:
        if not (bits.all() or _any_twice(rows)):
            return None
        row = int(np.argmax(sizes != width))
        mistake = Mistake(
            "has {got} of 0 and 1, and most of the others have {width}",
            _remedy(_CORRECT, categories),
            got=Many(int(sizes[row]), "cell"),
            width=width,
        )
        return Fault(row, mistake)
    gaps = any(not isinstance(cell, NUMBERS) for cell in cells)
    if not (strange or gaps or _most_rows_are_bits(bits, width) or _any_twice(rows)):
        return None
    place = int(np.argmin(bits))
    mistake = Mistake(
        "has the cell {got} in a matrix of lists",
        DECIDE if scores else _remedy(_CORRECT, categories),
        got=cells[place],
        allowed=ALLOWED,
    )
    return Fault(place // width, mistake)


def _most_rows_are_bits(bits: npt.NDArray[np.bool_], width: int) -> bool:
    """Whether half of the rows, of two cells and more, have nothing but 0 and 1."""
    in_rows = bits.reshape(-1, width)
    return width > 1 and 2 * int(np.count_nonzero(in_rows.all(axis=1))) >= len(in_rows)


def _of_texts(rows: Sequence[Any], categories: Collection[object] | None) -> Fault | None:
    """The fault of rows of the texts 0 and 1; None if the categories say that they are labels."""
    if _are_labels(rows, categories):
        return None
    mistake = Mistake(
        "has the texts {got}, which are cells of a matrix or labels",
        _remedy("of a matrix write numbers", categories),
        got=Several(rows[0]),
    )
    return Fault(0, mistake)


def _remedy(remedy: str, categories: Collection[object] | None) -> str:
    return remedy if categories is not None else f"{remedy}; {_SETS}"


def _are_labels(rows: Sequence[Any], categories: Collection[Any] | None) -> bool:
    """Whether all cells are among the categories, and none occurs twice in a row."""
    if categories is None or _any_twice(rows):
        return False
    return set(map(label_text, set(chain.from_iterable(rows)))) <= set(map(label_text, categories))


def _any_twice(rows: Sequence[Any]) -> bool:
    return any(len(set(row)) < len(row) for row in rows)


def _are_bits(cells: Iterable[object]) -> bool:
    """Whether all cells are texts that are cells of a matrix in other formats."""
    return all(isinstance(cell, str) and cell.strip().lower() in _BITS for cell in cells)


def _may_be_numbers(cells: Iterable[object]) -> bool:
    """Whether all cells are of types of numbers, or missing."""
    return all(
        (not issubclass(kind, np.timedelta64) and issubclass(kind, NUMBERS))
        or kind is type(None)
        or kind.__name__ in ("NAType", "Decimal")
        for kind in set(map(type, cells))
    )


def find_padding(rows: Sequence[Any], labels: Collection[Any]) -> Fault | None:
    """The fault of lists of equal length with -1 among labels that are otherwise whole numbers from
    0; `labels` are the distinct ones. None if there is none.

    Examples
    --------
    >>> (
    ...     find_padding([[3, -1], [1, 2]], {3, -1, 1, 2}).row,
    ...     find_padding([[3, -1], [2]], {3, -1, 2}),
    ...     find_padding([[3, -1]], {3, -1, -2}),
    ... )
    (0, None, None)
    """
    mark = next((mark for mark in ("-1", "-100") if {mark, int(mark)} & set(labels)), None)
    if mark is None:
        return None
    texts = {label_text(label) or "" for label in labels} - {mark}
    if not texts or not all(map(str.isdecimal, texts)):
        return None
    if not all(isinstance(row, LISTS) and len(row) == len(rows[0]) > 1 for row in rows):
        return None
    row = next(
        row for row, cells in enumerate(rows) if any(label_text(cell) == mark for cell in cells)
    )
    mistake = Mistake(
        "has the label {got} among whole numbers from 0 on, in lists of one length",
        _PADDING.format(mark),
        got=int(mark),
    )
    return Fault(row, mistake)


def has_ignored(labels: Collection[Any]) -> bool:
    """Whether there is a label -100 and all others are whole numbers from 0: PyTorch marks items
    that do not count in this way.

    Examples
    --------
    >>> has_ignored([2, -100, 1]), has_ignored([-100, -50, 1]), has_ignored(["a", "-100"])
    (True, False, False)
    """
    if not (-100 in labels or "-100" in labels):
        return False
    texts = {label_text(label) or "" for label in labels}
    return all(map(str.isdecimal, texts - {"-100"}))


#: What is wrong with such labels, and what to do.
IGNORED = Mistake(
    "has the label {got} among whole numbers from 0 on",
    "leave out what does not count (PyTorch marks it by -100); if it is a label, name all with "
    "⟨categories=⟩",
    got=-100,
)


def warn_of_label_order(rows_by_name: Mapping[str, Any]) -> None:
    """Warn of lists that have the same labels in another order; the labels of each item are known
    to be the same.
    """
    (truth, rows_of_truth), *others = rows_by_name.items()
    for name, rows in others:
        pairs = zip(rows_of_truth, rows, strict=True)
        unlike = sum(
            isinstance(one, LISTS) and isinstance(other, LISTS) and list(one) != list(other)
            for one, other in pairs
        )
        if unlike:
            warn(OrderNotCounted("", (truth, name), unlike))


def first_repeated_label(labels: Sequence[object]) -> Any:
    """The first label that occurs twice among those of an item."""
    return next(label for index, label in enumerate(labels) if label in labels[:index])


def label_twice(labels: Sequence[object]) -> Mistake:
    """The mistake that an item has a label twice."""
    return Mistake("has {got} twice", ONCE, got=first_repeated_label(labels))
