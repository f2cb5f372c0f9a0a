"""Which items belong to which categories, from any form that people hold it in; frames by the names of their columns.

Inside it is one sorted array of item x category keys, so that ten labels and ten million are handled alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.checks import check_rows, is_numbered, refuse_masked, single, sound
from precall.contingency.cells import ascending, keys_of
from precall.contingency.distinct_labels import factored, known_categories
from precall.curves.cases import column, is_known, never
from precall.errors import DataError, Problem, UsageError
from precall.ragged import Int64
from precall.read.other_labels import refuse_gaps, say_others, say_spellings, say_two_ways
from precall.read.values import as_list, beside, is_rounded, matrix_of
from precall.text import listing, unequal, written

#: An items x categories matrix and the names of its columns; None where the frame only numbers them.
Named: TypeAlias = tuple[npt.NDArray[Any], tuple[Any, ...] | None]
_SETS, _LISTS = (set, frozenset), (list, tuple)
#: What the one category of binary decisions is called.
BINARY = "relevant"
#: What scores are in the place of decisions, and what to do about them.
NO_DECISIONS = "scores beside labels 0/1 are no decisions", "decide first, such as by scores >= 0.5"
#: What to do about a matrix beside sets or labels.
_ONE_FORM = (
    "; write all as sets of labels, or all as rows of 0 and 1; "
    "of scores decide first, as by .argmax(axis=1), or pass them to pc.categorize"
)
#: What an average over the categories of such decisions is.
ONE_CATEGORY = (
    "labels 0/1, -1/1 or bool, or of one label, is the value of their one category, 'relevant'; "
    "for that of both labels, as scikit-learn's, pass categories=[0, 1] or no positive="
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
        width = max(len(self.categories), 1)
        if self.kind == "single" and len(self.keys) == self.items:
            return self.keys - np.arange(0, self.items * width, width)
        return self.keys % width

    @property
    def item(self) -> Int64:
        """Item index of every pair."""
        return self.keys // max(len(self.categories), 1)

    def dense(self) -> npt.NDArray[np.bool_]:
        """As a matrix."""
        flat = np.zeros(self.items * len(self.categories), np.bool_)
        flat[self.keys] = True
        return flat.reshape(self.items, len(self.categories))

    def both(self, other: Membership) -> Membership:
        """The pairs that the other has, too."""
        if self.kind == other.kind == "single":
            keys = self.keys[self.keys == other.keys]
        else:
            keys = np.intersect1d(self.keys, other.keys, assume_unique=True)
        return replace(self, keys=keys)

    def has(self, label: Any) -> npt.NDArray[np.bool_]:
        """Of each item, if it has one label each: whether it is this one."""
        return np.asarray(self.category == self.categories.index(label))

    def only(self, label: Any) -> Membership:
        """Which items have this label, as a yes or no about each."""
        if label not in self.categories:
            raise never(label, {repr(name): name for name in self.categories})
        keys = self.item[self.category == self.categories.index(label)]
        return Membership(self.items, (BINARY,), keys, "binary")

    def per_category(self) -> Int64:
        """Items in each category."""
        return np.bincount(self.category, minlength=len(self.categories)).astype(np.int64)

    def per_item(self) -> Int64:
        """Categories of each item."""
        return np.bincount(self.item, minlength=self.items).astype(np.int64)


def memberships(
    named: dict[str, Any], categories: Sequence[Any] | None = None, binary: bool = True, positive: Any = None
) -> list[Membership]:
    """Read truth and predictions (by name, for errors) in the same form and over the same categories.

    Labels 0 and 1 are one category, "relevant", if they may be `binary`; and so is the label `positive`, of any form.
    """
    if positive is not None:
        every = dict(zip(named, memberships(named, categories, binary=False), strict=True))
        yes_or_no = [each.only(positive) for each in every.values()]
        known = next(iter(every.values())).categories
        if categories is None and all(each.kind == "single" for each in every.values()):
            for name, each in every.items():
                refuse_gaps(name, "item", known, positive, each.has)
            say_others(known, positive)
        return yes_or_no
    if all(isinstance(value, Membership) for value in named.values()):
        return list(named.values())
    named, categories = matched(named, categories)
    forms = _alike({name: _form(value, name) for name, value in named.items()})
    kinds = {kind for kind, _ in forms.values()}
    if len(kinds) > 1:
        table = "matrix" in kinds
        listed = ", ".join(
            f"{name} is {kind}{_why(value) if table and kind == 'sets' else ''}"
            for name, (kind, value) in forms.items()
        )
        raise UsageError(f"all must have one form: {listed}{_ONE_FORM * table}")
    values = {name: value for name, (_, value) in forms.items()}
    sizes = {
        name: int(value.shape[0]) if hasattr(value, "shape") else len(value) for name, value in values.items()
    }
    if told := unequal(sizes, " items"):
        raise UsageError(f"of unequal length: {told}")
    if kinds == {"labels"}:
        return _singles(values, categories, binary and categories is None)
    return (_matrices if kinds == {"matrix"} else _sets)(values, categories)


def _alike(forms: dict[str, tuple[str, Any]]) -> dict[str, tuple[str, Any]]:
    """Tables of one column as that column, where there are labels beside them, or in them."""
    arrays = {name: cells for name, (_, cells) in forms.items() if isinstance(cells, np.ndarray)}
    tables = {name: cells for name, cells in arrays.items() if cells.shape[1:] == (1,)}
    others = {kind for name, (kind, _) in forms.items() if name not in tables}
    texts = any(cells.dtype.kind in "OUST" for cells in tables.values())
    if others - {"labels"} or not (others or texts):
        return forms
    return forms | {name: ("labels", single(cells, name)) for name, cells in tables.items()}


def _form(value: Any, name: str) -> tuple[str, Any]:
    """Whether it is a "matrix", "sets" or "labels", and its values so."""
    if hasattr(value, "tocoo"):
        return "matrix", value
    kinds = set(map(type, value)) if isinstance(value, _LISTS) else set()
    if any(_are(_SETS + _LISTS, kinds)) and (all(_are(_SETS, kinds)) or not _is_matrix(value)):
        return "sets", value
    if kinds == {str}:
        return "labels", value
    array = value if isinstance(value, np.ndarray) else column(value, name)
    if array is not value and array.ndim == 1 and isinstance(value, _LISTS) and is_rounded(array):
        array = np.array(value, object)  # as floats, two integers could become one category
    refuse_masked(array, name, "item")
    kinds = set(map(type, array.ravel().tolist())) if array.dtype == object else set()
    if kinds and all(_are((bool, int, float, np.bool_, np.number), kinds)) and array.ndim == 1:
        # A column of objects is what a list of them would be.
        plain = np.array(array.tolist())
        array = array if is_rounded(plain) else plain
        kinds = set()
    # Columns of lists, as frames hold them.
    if kinds and array.ndim == 1 and all(_are((*_SETS, *_LISTS, np.ndarray), kinds)):
        return "sets", [cell.tolist() if isinstance(cell, np.ndarray) else cell for cell in array]
    if any(_are(_SETS, kinds)):
        return "sets", array.tolist()
    if array.ndim not in (1, 2):
        allowed = "labels, sets of labels or an items x categories matrix"
        raise UsageError(f"{name}: must be {allowed}, got shape {array.shape}")
    return "matrix" if array.ndim == 2 else "labels", array


def _why(value: Any) -> str:
    """Why lists of numbers are sets of labels, not the rows of a matrix."""
    others = (label for row in value for label in row if label not in (0, 1))
    return next((f", as {written(label)} is neither 0 nor 1" for label in others), "")


def _are(wanted: tuple[type, ...], kinds: set[type]) -> list[bool]:
    return [issubclass(kind, wanted) for kind in kinds]


def _is_matrix(value: Sequence[Any]) -> bool:
    rows = [row for row in value if isinstance(row, _LISTS)]
    return (
        any(rows)
        and len({len(row) for row in rows}) == 1
        and all(
            isinstance(cell, bool | int | float | np.number | np.bool_) and cell in (0, 1)
            for row in rows
            for cell in row
        )
    )


def _matrices(named: dict[str, Any], categories: Sequence[Any] | None) -> list[Membership]:
    widths = {int(value.shape[1]) for value in named.values()}
    if len(widths) > 1:
        raise UsageError(f"the matrices have unequal numbers of categories: {sorted(widths)}")
    width = widths.pop()
    names = tuple(range(width)) if categories is None else tuple(categories)
    if len(names) != width:
        raise UsageError(f"categories: {len(names)} names for {width} columns")
    return [Membership(int(v.shape[0]), names, keys_of(v, name), "multi") for name, v in named.items()]


def _sets(named: dict[str, Any], categories: Sequence[Any] | None) -> list[Membership]:
    sizes = {name: np.fromiter(map(len, value), np.int64, len(value)) for name, value in named.items()}
    items = {name: np.repeat(np.arange(len(size)), size) for name, size in sizes.items()}
    listed = {name: list(chain.from_iterable(value)) for name, value in named.items()}
    return _coded(listed, items, {name: len(size) for name, size in sizes.items()}, "multi", categories)


def _singles(named: dict[str, Any], categories: Sequence[Any] | None, binary: bool) -> list[Membership]:
    if binary and all(map(_binary, named.values())):
        numbers = [value for value in named.values() if value.dtype != np.bool_]
        if not all(any(np.any(value == label) for value in numbers) for label in (0, -1)):
            return [
                Membership(len(value), (BINARY,), np.flatnonzero(value == 1).astype(np.int64), "binary")
                for value in named.values()
            ]
        say_two_ways(named)
    elif categories is None and any(map(_binary, named.values())):
        _refuse_scores(named)
    sizes = {name: len(value) for name, value in named.items()}
    items = {name: np.arange(size) for name, size in sizes.items()}
    return _coded(named, items, sizes, "single", categories)


def _refuse_scores(decisions: Mapping[str, Any]) -> None:
    """Numbers with fractions are no decisions where labels 0/1 stand beside them: each would be a category of its own."""
    for name, value in decisions.items():
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and has_fractions(value):
            raise UsageError(f"{name}: {'; '.join(NO_DECISIONS)}, or pass labels and scores to pc.curve")


def has_fractions(numbers: npt.NDArray[Any]) -> bool:
    """Whether numbers are scores rather than names of categories."""
    return bool(np.any(numbers % 1 > 0))


def _coded(
    named: dict[str, Any], items: dict[str, Int64], sizes: dict[str, int], kind: str, categories: Sequence[Any] | None
) -> list[Membership]:  # fmt: skip
    """From labels and the item of each."""
    parts = {name: factored(labels) for name, labels in named.items()}
    if kind == "single":
        for name, (distinct, place) in parts.items():
            _refuse(distinct, place, [is_known(label) for label in distinct], name, items[name])
    known = known_categories(chain.from_iterable(distinct for distinct, _ in parts.values()), categories)
    if categories is None:
        say_spellings(known)
    index, made = {label: code for code, label in enumerate(known)}, []
    for name, (distinct, place) in parts.items():
        code = np.array([index.get(label, -1) for label in distinct], np.int64)
        _refuse(distinct, place, code >= 0, name, items[name], known)
        keys = items[name] * len(known) + code[place]
        made.append(Membership(sizes[name], known, keys if kind == "single" else ascending(keys), kind))
    return made


def _binary(value: Any) -> bool:
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "biuf":
        return False
    return value.dtype.kind == "b" or bool(np.all((value == 0) | (np.abs(value) == 1)))


def _refuse(
    distinct: list[Any], place: Int64, good: Any, name: str, items: Int64, known: tuple[Any, ...] = ()
) -> None:
    """Raise, naming the first item, if some labels are not `good`: None, NaN, NaT or NA, or not among the known ones."""
    if np.all(good):
        return
    fits = np.asarray(good)[place]
    first, count = int(np.argmin(fits)), int(np.count_nonzero(~fits))
    label = distinct[place[first]]
    what, todo = f"has no label ({label!r})", "give every item a label"
    if is_known(label):
        what, todo = (
            f"has category {label!r}; allowed are {listing(list(known))}",
            "write both alike (columns of a frame are categories), or add it to categories=",
        )
    of_all = f" ({count} of {len(fits)} are so)" * (count > 1)
    raise DataError([Problem(name, None, f"item {items[first]} {what}{of_all}", todo)])


def matched(
    given: dict[str, Any], categories: Sequence[Any] | None
) -> tuple[dict[str, Any], Sequence[Any] | None]:
    """Frames as matrices in one order of columns: that of `categories`, else of the first frame; and that order.

    They are given by name, for errors; what is no frame is left as it is.
    """
    given = {name: sound(value, name) for name, value in given.items()}
    if categories is not None:
        try:
            categories = as_list(sound(categories, "categories"))
        except TypeError:
            raise UsageError(f"categories: must be a list of them, got {type(categories).__name__}") from None
    check_rows(**given)
    frames = {name: frame for name, value in given.items() if (frame := _frame(value)) is not None}
    rest = [np.shape(some[:1]) if isinstance(some, _LISTS) else getattr(some, "shape", (0,))
            for name, some in given.items() if name not in frames]  # fmt: skip
    if categories is None and 1 in map(len, rest):  # beside labels, the name of one column is no category
        frames = {name: (cells, names if cells.shape[1] > 1 else None) for name, (cells, names) in frames.items()}  # fmt: skip
    origin, order = "categories", None if categories is None else tuple(categories)
    known = [names for _, names in frames.values() if names is not None]
    ordered = {}
    for name, (cells, names) in frames.items():
        if names is None:
            names = _numbers(cells.shape[1], known, categories)
        if names is not None:
            if twice := [column for i, column in enumerate(names) if column in names[:i]]:
                raise UsageError(
                    f"{name}: several columns are called {twice[0]!r}; rename or remove the others"
                )
            if order is None:
                origin, order = name, names
            _refuse_others(order, origin, names, name)
            cells = cells[:, [names.index(column) for column in order]]
        ordered[name] = cells
    return given | ordered, order if categories is None else categories


def _numbers(
    columns: int, known: list[tuple[Any, ...]], asked: Sequence[Any] | None
) -> tuple[Any, ...] | None:
    """What columns are called that pandas numbered, or a user called 0, 1, ...: that, where others have names."""
    numbers, texts = tuple(range(columns)), tuple(map(str, range(columns)))
    for names in [*known, *([] if asked is None else [asked])]:
        if set(names) in (set(numbers), set(texts)):
            return numbers if 0 in names else texts
    # Names that were asked for are those of the columns in their order.
    return numbers if known and asked is None else None


def _refuse_others(order: tuple[Any, ...], origin: str, names: tuple[Any, ...], frame: str) -> None:
    alone = {
        origin: [name for name in order if name not in names],
        frame: [name for name in names if name not in order],
    }
    if sides := [f"only {place} has {listing(some)}" for place, some in alone.items() if some]:
        raise UsageError(
            f"{frame}: its columns are not the categories of {origin}: {', '.join(sides)}; "
            "rename or select columns, or pass arrays to match them by position"
        )


def _frame(value: Any) -> Named | None:
    """The frame as a matrix; None for what is none, so that arrays and lists need no library of frames."""
    kind = type(value)
    if isinstance(value, np.ndarray) and value.dtype.names:
        return beside([value[name] for name in value.dtype.names]), value.dtype.names
    if isinstance(value, np.ndarray | list | tuple) or not (
        hasattr(kind, "columns") or hasattr(kind, "__arrow_c_stream__")
    ):
        return None
    if hasattr(kind, "columns") and hasattr(kind, "iloc"):  # pandas, whose names of columns need not be texts
        names = None if is_numbered(value.columns) else tuple(value.columns.tolist())
        cells = value.to_numpy()
        return value.astype(object).to_numpy() if is_rounded(cells) else cells, names
    import narwhals as nw

    frame = nw.from_native(value, pass_through=True, allow_series=True)
    if isinstance(frame, nw.Series) and not isinstance(frame.dtype, nw.Struct):
        return None  # of a struct, the stream is that of a table
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, nw.DataFrame):
        return matrix_of(frame), tuple(frame.columns)
    return _of_stream(value) if hasattr(kind, "__arrow_c_stream__") else None


def _of_stream(value: Any) -> Named | None:
    """A table that only speaks Arrow; None for a column that does."""
    from precall.read import arrow_streams

    if (opened := arrow_streams.opened(value, "table")) is None:
        return None
    stream, fields = opened
    names = tuple(field.name for field in fields)
    if any(map(arrow_streams.is_view, fields)):
        return arrow_streams.by_polars(stream).to_numpy(), names
    parts = list(arrow_streams.cells(stream, range(len(names)), "table"))
    columns = [[cell for part in parts for cell in part[place]] for place in range(len(names))]
    return beside(columns).reshape(-1, len(names)), names
