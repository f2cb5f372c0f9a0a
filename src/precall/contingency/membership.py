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
    kinds = {kind for kind, _ in forms.values()}
    if len(kinds) > 1:
        said = ", ".join(f"{name} is {kind}" for name, (kind, _) in forms.items())
        raise UsageError(f"all must have one form: {said}")
    sizes = {name: _length(value) for name, (_, value) in forms.items()}
    if len(set(sizes.values())) > 1:
        raise UsageError(
            "of unequal length: " + ", ".join(f"{name} has {size} items" for name, size in sizes.items())
        )
    kind = kinds.pop()
    if kind == "matrix":
        return _matrices({name: value for name, (_, value) in forms.items()}, categories)
    if kind == "sets":
        return _sets({name: value for name, (_, value) in forms.items()}, categories)
    return _singles({name: value for name, (_, value) in forms.items()}, categories)


def _form(value: Any, name: str) -> tuple[str, Any]:
    if hasattr(value, "tocoo"):
        return "matrix", value
    if isinstance(value, list | tuple) and any(
        isinstance(one, set | frozenset | list | tuple) for one in value
    ):
        if all(isinstance(one, set | frozenset) for one in value):
            return "sets", value
        if not _is_matrix(value):
            return "sets", [set(one) for one in value]
    array = value if isinstance(value, np.ndarray) else column(value, name)
    if array.dtype == object and array.ndim == 1 and len(array):
        # Columns of lists, as frames hold them.
        lists = [isinstance(one, list | tuple | np.ndarray | set | frozenset) for one in array]
        if all(lists):
            return "sets", [set(one.tolist() if isinstance(one, np.ndarray) else one) for one in array]
    if array.dtype == object and any(isinstance(one, set | frozenset) for one in array.ravel().tolist()):
        return "sets", array.tolist()
    if array.ndim == 2:
        return "matrix", array
    if array.ndim != 1:
        raise UsageError(
            f"{name}: must be labels, sets of labels or an items x categories matrix, got shape {array.shape}"
        )
    return "labels", array


def _is_matrix(value: Sequence[Any]) -> bool:
    sizes = {len(one) for one in value if isinstance(one, list | tuple)}
    flat = [cell for one in value if isinstance(one, list | tuple) for cell in one]
    return len(sizes) == 1 and all(
        isinstance(cell, bool | int | float | np.number | np.bool_) and cell in (0, 1) for cell in flat
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
    if value.dtype == object:
        missing = [one for one in value.ravel().tolist() if not is_known(one)]
        if missing:
            raise _not_binary(name, missing[0])
    wrong = (value != 0) & (value != 1)
    if np.any(wrong):
        raise _not_binary(name, value[wrong][0])
    return np.flatnonzero(value.ravel()).astype(np.int64)


def _not_binary(name: str, got: Any) -> DataError:
    what = f"a cell of the items x categories matrix is {got}; allowed are 0 and 1"
    return DataError([Problem(name, None, what, "threshold scores first, or pass labels as one column")])


def _sets(named: dict[str, Any], categories: Sequence[Any] | None) -> list[Membership]:
    known = known_categories(
        (one for value in named.values() for labels in value for one in labels), categories
    )
    index = {name: place for place, name in enumerate(known)}
    made = []
    for name, value in named.items():
        keys = [
            item * len(known) + _place(index, one, name, item)
            for item, labels in enumerate(value)
            for one in labels
        ]
        made.append(Membership(len(value), known, np.unique(np.array(keys, np.int64)), "multi"))
    return made


def _singles(named: dict[str, Any], categories: Sequence[Any] | None) -> list[Membership]:
    if categories is None and all(_binary(value) for value in named.values()):
        signed = any(np.any(value == -1) for value in named.values() if value.dtype != np.bool_)
        zero = any(np.any(value == 0) for value in named.values() if value.dtype != np.bool_)
        if not (signed and zero):
            keys = [np.flatnonzero(value == 1).astype(np.int64) for value in named.values()]
            sizes = [len(value) for value in named.values()]
            return [Membership(size, (BINARY,), key, "binary") for size, key in zip(sizes, keys, strict=True)]
    lists = {name: value.tolist() for name, value in named.items()}
    for name, value in lists.items():
        refuse_missing(value, name)
    known = known_categories((one for value in lists.values() for one in value), categories)
    index = {name: place for place, name in enumerate(known)}
    made = []
    for name, value in lists.items():
        code = np.array([_place(index, one, name, item) for item, one in enumerate(value)], np.int64)
        made.append(Membership(len(value), known, np.arange(len(value)) * len(known) + code, "single"))
    return made


def _binary(value: npt.NDArray[Any]) -> bool:
    return value.dtype == np.bool_ or (
        value.dtype.kind in "iuf" and bool(np.all((value == 0) | (np.abs(value) == 1)))
    )


def known_categories(labels: Iterable[Any], categories: Sequence[Any] | None = None) -> tuple[Any, ...]:
    """The categories given, or those that occur, sorted; kinds that do not compare stand apart."""
    if categories is not None:
        known = tuple(categories)
        if len(set(known)) < len(known):
            raise UsageError("categories: a name is given twice")
        return known
    found = set(labels)
    try:
        return tuple(sorted(found))
    except TypeError:
        return tuple(sorted(found, key=lambda one: (type(one).__name__, str(one))))


def refuse_missing(labels: Iterable[Any], name: str) -> None:
    """Raise, naming the first item, if a label is None, NaN, NaT or pandas' NA."""
    for item, label in enumerate(labels):
        if not is_known(label):
            what = f"item {item} has no label ({label!r})"
            raise DataError([Problem(name, None, what, "give every item a label")])


def _place(index: dict[Any, int], label: Any, name: str, item: int) -> int:
    if not is_known(label):
        raise DataError(
            [Problem(name, None, f"item {item} has no label ({label!r})", "give every item a label")]
        )
    if label not in index:
        raise DataError(
            [
                Problem(
                    name,
                    None,
                    f"item {item} has category {label!r}; allowed are {listing(list(index))}",
                    "add it to categories=",
                )
            ]
        )
    return index[label]
