"""Items that have several labels each: sets and lists of labels, and rows of a matrix of 0 and 1 that are lists.

Every door asks here what lists are: lists of Python, columns of lists, JSON, and cells parted by a separator.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.read.values import is_missing, label_text, plain_label
from precall.text import as_text, written

SETS, LISTS = (set, frozenset), (list, tuple)
_COLLECTIONS = (*SETS, *LISTS, np.ndarray)
_FEW = 8
_NUMBERS = (bool, int, float, np.bool_, np.number)
#: How 0 and 1, no and yes, are written as text.
_BITS = {"0", "1", "true", "false"}
#: What a cell of a matrix may be.
ALLOWED = "allowed are 0 and 1"
#: What to do about lists that are nearly a matrix.
_REMEDY = "correct it, or for sets of labels pass sets, such as {0, 2}, or name all labels with categories="
_SCORES = "of scores decide first, as by .argmax(axis=1), or pass them to pc.categorize"
#: What to do about a label that stands in one item twice.
ONCE = (
    "are these token tags? pass the tags of all tokens as one list; for sets of labels write each label once"
)
#: And about an item among lists that is none.
EACH = "give every item a list of its labels, an empty one if it has none"


class Fault(NamedTuple):
    """What is wrong with lists that are nearly a matrix, and the first row that is so."""

    row: int
    what: str
    todo: str


class Parted(NamedTuple):
    """A text that seems to hold several labels, and what stands between them if that is known."""

    label: str
    what: str
    separator: str


#: What may stand between the labels in a text.
SEPARATORS = ";|,"
#: A list as Python and JSON write it, that of one tag in square brackets aside.
_LIST = re.compile(r"""\[\]|\{\}|\(\)|set\(\)|\[[^'"]*,.*\]|[\[({]\s*(['"]).*\1\s*,?\s*[\])}]""", re.DOTALL)
#: Two numbers in square brackets, which name a class of numbers.
_CLOSED = re.compile(r"\[\s*[-+]?[\d.]+\s*,\s*[-+]?[\d.]+\s*\]")


def parted(labels: Collection[Any]) -> Parted | None:
    """The first text that seems to hold several labels: a list that was written as text, or one of whose parts is a label.

    Also if all of its parts are parts of others. Nothing else is taken for several labels, as names may hold anything.

    Examples
    --------
    >>> parted(["c1", "c1;c2"]).separator, parted(["a;b", "b;a"]).separator, parted(["Korea, South", "Smith; John"])
    (';', ';', None)
    >>> print(parted(["['a', 'b']"]).what)
    holds the text "['a', 'b']", a list of labels that was written as text
    """
    texts = [label for label in labels if isinstance(label, str)]
    # Classes of numbers are such everywhere; sets of two numbers differ in size, or have one number in several.
    closed = [label for label in texts if _CLOSED.fullmatch(label)]
    ends = Counter(end.strip() for label in closed for end in label[1:-1].split(","))
    are_classes = len(closed) == len(texts) and max(ends.values(), default=0) < 2
    for label in texts if not are_classes else []:
        if label[:1] in "[({s" and _LIST.fullmatch(label):
            what = f"holds the text {written(label)}, a list of labels that was written as text"
            return Parted(label, what, "")
    known = set(texts)
    for separator in SEPARATORS:
        parts = {
            label: [part.strip() for part in label.split(separator)] for label in texts if separator in label
        }
        several = [label for label, some in parts.items() if all(some)]
        times = Counter(part for label in several for part in set(parts[label]))
        for label in several:
            if known & set(parts[label]) or all(times[part] > 1 for part in parts[label]):
                what = f"holds {written(label)}, whose parts are labels, too"
                return Parted(label, what, separator)
    return None


def in_rows(cells: Iterable[Any]) -> bool:
    """Whether items are sets or lists, or some are."""
    return any(issubclass(kind, _COLLECTIONS) for kind in set(map(type, cells)))


def other_item(cells: Sequence[Any]) -> tuple[int, str] | None:
    """The first item that is neither a set nor a list, where others are."""
    if all(issubclass(kind, _COLLECTIONS) for kind in set(map(type, cells))):
        return None
    place = next(place for place, cell in enumerate(cells) if not isinstance(cell, _COLLECTIONS))
    cell = cells[place]
    got = f"has no list of labels ({cell!r})" if is_missing(cell) or cell != cell else f"is {written(cell)}"
    return place, f"{got}, and others are lists or sets of labels"


def matrix_of_rows(
    rows: Sequence[Any], categories: Collection[Any] | None = None
) -> npt.NDArray[Any] | Fault | None:
    """Lists of equal length with nothing but 0 and 1 as a matrix; None if they are lists of labels; see `_matrix_or_fault`.

    Lists that have no cells but `categories`, nothing twice, and not one cell for each of these, are sets of them.
    """
    found = _matrix_or_fault(rows)
    if found is None or categories is None:
        return found
    if not isinstance(found, Fault) and found.shape[1] == len(categories):
        return found
    known = {*categories, *map(label_text, categories)}
    cells = chain.from_iterable(rows)
    is_named = all(cell in known or label_text(cell) in known for cell in cells)
    return None if is_named and _has_each_once(rows) else found


def _matrix_or_fault(rows: Sequence[Any]) -> npt.NDArray[Any] | Fault | None:
    """Lists of equal length with nothing but 0 and 1 as a matrix; None if they are lists of labels.

    Those that are nearly a matrix are a `Fault`. They are of equal length, and half of their cells or more are 0 or 1, or
    some have fractions; or they are of unequal length, and have no cells but 0 and 1, or mostly these, and a row has one twice.
    Rows in which nothing is twice, and most of which have other numbers than these, are sets; so is all that has one cell a
    row and is not 0 or 1 everywhere.

    Examples
    --------
    >>> _matrix_or_fault([[1, 0], [0, 1]]).tolist(), _matrix_or_fault([[3, 0], [7]])
    ([[1, 0], [0, 1]], None)
    >>> _matrix_or_fault([[1, 0], [0, 2]]).what, _matrix_or_fault([[1, 0], [0, 2], [2, 1]])
    ('has the cell 2 in a matrix of lists; allowed are 0 and 1', None)
    """
    if not all(issubclass(kind, LISTS) for kind in set(map(type, rows))):
        return None
    # Most often the first few say that labels are texts.
    first = list(chain.from_iterable(rows[:_FEW]))
    if _are_bits_as_text(first):
        return _of_texts(rows)
    if not _may_be_numbers(set(map(type, first))):
        return None
    cells: list[Any] = list(chain.from_iterable(rows))
    kinds = set(map(type, cells))
    if not cells or not _may_be_numbers(kinds):
        return None
    if any(kind.__name__ == "Decimal" for kind in kinds):
        cells = list(map(plain_label, cells))
        kinds = set(map(type, cells))
    gaps = [kind for kind in kinds if not issubclass(kind, _NUMBERS)]
    numbers = np.array([None if is_missing(cell) else cell for cell in cells] if gaps else cells)
    bits = np.asarray((numbers == 0) | (numbers == 1), np.bool_)
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    width = int(np.bincount(sizes).argmax())
    whole, alike = bool(bits.all()), bool((sizes == width).all())
    if whole and alike:
        return numbers.reshape(len(rows), width)
    scores = numbers.dtype.kind == "f" and bool(np.any(numbers % 1 > 0))
    if not scores and 2 * int(np.count_nonzero(bits)) < len(cells):
        return None
    if alike and not (scores or gaps or whole) and _has_each_once(rows):
        others = int(np.count_nonzero(~bits.reshape(len(rows), width).all(axis=1)))
        if width == 1 or 2 * others > len(rows):
            return None
    if alike:
        place = int(np.argmin(bits))
        what = f"has the cell {written(cells[place])} in a matrix of lists; {ALLOWED}"
        return Fault(place // width, what, _SCORES if scores else _REMEDY)
    if whole or not _has_each_once(rows):
        row = int(np.argmax(sizes != width))
        what = f"has {sizes[row]} cells of 0 and 1, and most of the others have {width}"
        return Fault(row, what, _REMEDY)
    return None


def _has_each_once(rows: Sequence[Any]) -> bool:
    """Whether no row has a cell twice, as none of a set has."""
    return all(len(set(row)) == len(row) for row in rows)


def _are_bits_as_text(cells: Sequence[Any]) -> bool:
    return bool(cells) and all(
        isinstance(cell, str) and as_text(cell).strip().lower() in _BITS for cell in cells
    )


def _of_texts(rows: Sequence[Any]) -> Fault | None:
    """Rows of two or more texts that are 0 and 1: as sets all items would have the same labels."""
    width = len(rows[0])
    alike = width > 1 and all(len(row) == width for row in rows)
    if not (alike and _are_bits_as_text(list(chain.from_iterable(rows)))):
        return None
    what = f"has the cells {', '.join(map(written, rows[0][:_FEW]))}, as in a matrix that was written as text"
    return Fault(0, what, "write a matrix as numbers, 0 and 1")


def _may_be_numbers(kinds: set[type]) -> bool:
    """Whether cells of these types are numbers, or missing ones."""
    return all(
        issubclass(kind, _NUMBERS) or kind is type(None) or kind.__name__ in ("NAType", "Decimal")
        for kind in kinds
    )


def repeated(labels: Sequence[Any]) -> Any:
    """The first label that is twice among those of an item."""
    return next(label for place, label in enumerate(labels) if label in labels[:place])


def twice(label: Any) -> str:
    """That a label stands in an item twice."""
    return f"has {written(label)} twice"
