"""Which items belong to which categories, from any form that people hold it in.

Inside it is one sorted array of item x category keys, so that ten labels and ten million are
handled alike: counting is intersecting two such arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.checks import listing
from precall.contingency.named import matched
from precall.curves.cases import column, is_known
from precall.errors import DataError, Problem, UsageError
from precall.ragged import Int64

_SETS, _LISTS = (set, frozenset), (list, tuple)
#: What the one category of binary decisions is called.
BINARY = "relevant"
#: What an average over the categories of such decisions is.
ONE_CATEGORY = (
    "labels 0/1, -1/1 or bool is the value of their one category, 'relevant'; "
    "for that of both labels, as scikit-learn's, pass categories=[0, 1]"
)


@dataclass(frozen=True, slots=True, eq=False)
class Membership:
    """Items x categories, as sorted keys `item * len(categories) + category`."""

    items: int
    categories: tuple[Any, ...]
    keys: Int64
    kind: str
    """"binary", "single" (one category per item) or "multi"."""

    @property
    def category(self) -> Int64:
        """Category index of every pair."""
        return self.keys % max(len(self.categories), 1)

    @property
    def item(self) -> Int64:
        """Item index of every pair."""
        return self.keys // max(len(self.categories), 1)

    def dense(self) -> npt.NDArray[np.bool_]:
        """As a matrix."""
        flat = np.zeros(self.items * len(self.categories), np.bool_)
        flat[self.keys] = True
        return flat.reshape(self.items, len(self.categories))

    def per_category(self) -> Int64:
        """Items in each category."""
        return np.bincount(self.category, minlength=len(self.categories)).astype(np.int64)

    def per_item(self) -> Int64:
        """Categories of each item."""
        return np.bincount(self.item, minlength=self.items).astype(np.int64)


def memberships(named: dict[str, Any], categories: Sequence[Any] | None = None) -> list[Membership]:
    """Read truth and predictions (by name, for errors) in the same form and over the same categories."""
    named, categories = matched(named, categories)
    forms = {name: _form(value, name) for name, value in named.items()}
    kinds = {name: kind for name, (kind, _) in forms.items()}
    if len(set(kinds.values())) > 1:
        raise UsageError(
            f"all must have one form: {', '.join(f'{name} is {kind}' for name, kind in kinds.items())}"
        )
    values = {name: value for name, (_, value) in forms.items()}
    sizes = {name: _length(value) for name, value in values.items()}
    if len(set(sizes.values())) > 1:
        raise UsageError(
            "of unequal length: " + ", ".join(f"{name} has {size} items" for name, size in sizes.items())
        )
    readers = {"matrix": _matrices, "sets": _sets, "labels": _singles}
    return readers[next(iter(kinds.values()))](values, categories)


def _form(value: Any, name: str) -> tuple[str, Any]:
    """Whether it is a "matrix", "sets" or "labels", and its values so."""
    if hasattr(value, "tocoo"):
        return "matrix", value
    if isinstance(value, list | tuple) and any(isinstance(cell, _SETS + _LISTS) for cell in value):
        if all(isinstance(cell, _SETS) for cell in value):
            return "sets", value
        if not _is_matrix(value):
            return "sets", [set(labels) for labels in value]
    array = value if isinstance(value, np.ndarray) else column(value, name)
    listed = array.dtype == object and array.ndim == 1 and len(array) > 0
    # Columns of lists, as frames hold them.
    if listed and all(isinstance(cell, (*_SETS, *_LISTS, np.ndarray)) for cell in array):
        return "sets", [set(cell.tolist() if isinstance(cell, np.ndarray) else cell) for cell in array]
    if array.dtype == object and any(isinstance(cell, _SETS) for cell in array.ravel().tolist()):
        return "sets", array.tolist()
    if array.ndim not in (1, 2):
        raise UsageError(
            f"{name}: must be labels, sets of labels or an items x categories matrix, got shape {array.shape}"
        )
    return "matrix" if array.ndim == 2 else "labels", array


def _is_matrix(value: Sequence[Any]) -> bool:
    rows = [row for row in value if isinstance(row, _LISTS)]
    return len({len(row) for row in rows}) == 1 and all(
        isinstance(cell, bool | int | float | np.number | np.bool_) and cell in (0, 1)
        for row in rows
        for cell in row
    )


def _length(value: Any) -> int:
    return int(value.shape[0]) if hasattr(value, "shape") else len(value)


def _matrices(named: dict[str, Any], categories: Sequence[Any] | None) -> list[Membership]:
    widths = {int(value.shape[1]) for value in named.values()}
    if len(widths) > 1:
        raise UsageError(f"the matrices have unequal numbers of categories: {sorted(widths)}")
    width = widths.pop()
    names = tuple(range(width)) if categories is None else tuple(categories)
    if len(names) != width:
        raise UsageError(f"categories: {len(names)} names for {width} columns")
    return [Membership(int(v.shape[0]), names, _matrix_keys(v, name), "multi") for name, v in named.items()]


def summed(matrix: Any) -> Any:
    """A sparse matrix by coordinates; entries of one cell are one, their sum, as wherever SciPy reads them."""
    pairs = matrix.tocoo(copy=True)
    pairs.sum_duplicates()
    return pairs


def _matrix_keys(value: Any, name: str) -> Int64:
    if hasattr(value, "tocoo"):
        pairs = summed(value)
        row, column, cell = pairs.row, pairs.col, pairs.data
        if len(cell) and not np.all((cell == 0) | (cell == 1)):
            raise _not_binary(name, cell[(cell != 0) & (cell != 1)][0])
        keep = cell != 0
        return np.unique(row[keep].astype(np.int64) * value.shape[1] + column[keep])
    missing = [cell for cell in value.ravel().tolist() if not is_known(cell)] if value.dtype == object else []
    wrong = missing or value[(value != 0) & (value != 1)]
    if len(wrong):
        raise _not_binary(name, wrong[0])
    return np.flatnonzero(value.ravel()).astype(np.int64)


def _not_binary(name: str, got: Any) -> DataError:
    what = f"a cell of the items x categories matrix is {got}; allowed are 0 and 1"
    return DataError([Problem(name, None, what, "threshold scores first, or pass labels as one column")])


def _sets(named: dict[str, Any], categories: Sequence[Any] | None) -> list[Membership]:
    known = known_categories(
        (label for value in named.values() for labels in value for label in labels), categories
    )
    index = {name: place for place, name in enumerate(known)}
    made = []
    for name, value in named.items():
        pairs = ((item, label) for item, labels in enumerate(value) for label in labels)
        keys = [item * len(known) + _place(index, label, name, item) for item, label in pairs]
        made.append(Membership(len(value), known, np.unique(np.array(keys, np.int64)), "multi"))
    return made


def _singles(named: dict[str, Any], categories: Sequence[Any] | None) -> list[Membership]:
    if categories is None and all(_binary(value) for value in named.values()):
        numbers = [value for value in named.values() if value.dtype != np.bool_]
        if not (
            any(np.any(value == -1) for value in numbers) and any(np.any(value == 0) for value in numbers)
        ):
            return [
                Membership(len(value), (BINARY,), np.flatnonzero(value == 1).astype(np.int64), "binary")
                for value in named.values()
            ]
    lists = {name: value.tolist() for name, value in named.items()}
    for name, labels in lists.items():
        refuse_missing(labels, name)
    known = known_categories((label for labels in lists.values() for label in labels), categories)
    index = {name: place for place, name in enumerate(known)}
    made = []
    for name, labels in lists.items():
        code = np.array([_place(index, label, name, item) for item, label in enumerate(labels)], np.int64)
        made.append(Membership(len(labels), known, np.arange(len(labels)) * len(known) + code, "single"))
    return made


def _binary(value: npt.NDArray[Any]) -> bool:
    return value.dtype == np.bool_ or (
        value.dtype.kind in "iuf" and bool(np.all((value == 0) | (np.abs(value) == 1)))
    )


def known_categories(labels: Iterable[Any], categories: Sequence[Any] | None = None) -> tuple[Any, ...]:
    """The categories given, or those that occur, sorted; kinds that do not compare are sorted by themselves."""
    if categories is not None:
        if len(set(categories)) < len(categories):
            raise UsageError("categories: a name is given twice")
        return tuple(categories)
    names = set(labels)
    try:
        return tuple(sorted(names))
    except TypeError:
        return tuple(sorted(names, key=lambda name: (type(name).__name__, str(name))))


def refuse_missing(labels: Iterable[Any], name: str) -> None:
    """Raise, naming the first item, if a label is None, NaN, NaT or pandas' NA."""
    for item, label in enumerate(labels):
        if not is_known(label):
            what = f"item {item} has no label ({label!r})"
            raise DataError([Problem(name, None, what, "give every item a label")])


def _place(index: dict[Any, int], label: Any, name: str, item: int) -> int:
    if label in index:
        return index[label]
    if not is_known(label):
        raise DataError(
            [Problem(name, None, f"item {item} has no label ({label!r})", "give every item a label")]
        )
    what = f"item {item} has category {label!r}; allowed are {listing(list(index))}"
    raise DataError([Problem(name, None, what, "add it to categories=")])
