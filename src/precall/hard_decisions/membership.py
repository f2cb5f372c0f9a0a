"""Which items belong to which categories, from any form in which users hold it; frames by the names
of their columns.

The internal form is one sorted array of item x category keys, so ten labels and ten million are
handled alike.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.cases.scored_cases import column, never
from precall.core.arguments import (
    check_rows,
    has_default_index,
    is_relation_of_one,
    one_label,
    refuse_mask,
    single_column,
    validate_arrow,
)
from precall.core.errors import (
    DataError,
    Labels,
    Mistake,
    Several,
    Shape,
    UsageError,
)
from precall.core.notes import Note, collect_notes, warn
from precall.core.notes.of_decisions import IgnoredPredicted
from precall.core.notes.of_reading import SPLIT
from precall.core.ragged import Int64
from precall.core.text import listing, many, short_repr, unequal
from precall.hard_decisions.cells import ascending, keys_of
from precall.read.distinct_labels import factorize, has_order, named_categories, unite_categories
from precall.read.label_rows import (
    DECIDE,
    IGNORED,
    LISTS,
    NUMBERS,
    ONCE,
    Fault,
    find_joined_label,
    find_padding,
    has_ignored,
    in_rows,
    matrix_of_rows,
    other_item,
    separator_of,
    split_of,
    warn_of_joined_labels,
    warn_of_label_order,
)
from precall.read.positive_label import (
    NAMED,
    gaps_among,
    gaps_among_numbers,
    missing_label,
    refuse_gaps,
    say_others,
    say_two_ways,
)
from precall.read.problems import refuse_repeated
from precall.read.times import cells_of_times, times_in_rows
from precall.read.unlike_labels import SOFT, refuse_unlike, say_of_labels, say_unlike
from precall.read.values import (
    Levels,
    Typed,
    is_there,
    label_text,
    levels_of,
    matrix_of,
    may_lose_digits,
    plain_label,
    stack_columns,
)

#: An items x categories matrix and the names of its columns; None if the frame only numbers them.
Named: TypeAlias = tuple[npt.NDArray[Any], tuple[Any, ...] | None]
#: Name of the only category of binary decisions.
BINARY = "relevant"
#: Advice on an object that is no label.
_KINDS_OF_LABELS = "write labels as text, numbers or truth values"
#: Advice on a label that is not among the user's categories.
BOTH_ALIKE = "write both alike"
_NAME_IT = f"{BOTH_ALIKE}, or add it to ⟨categories=⟩"
#: Advice on a matrix given together with sets or labels.
_ONE_FORM = (
    "; write all as sets of labels, or all as rows of 0 and 1; "
    "of scores decide first, as by .argmax(axis=1), or pass them to pc.categorize"
)


@dataclass(frozen=True, slots=True, eq=False)
class Membership:
    """Which items belong to which categories: sorted keys `item * len(categories) + category`."""

    items: int
    categories: tuple[Any, ...]
    keys: Int64
    kind: str
    """"binary", "single" (one category per item) or "multi"."""
    ordered: bool = False
    """Whether the order of the categories is meaningful: it was declared, or is that of numbers."""
    notes: tuple[Note, ...] = field(default=(), compare=False)
    """What was noticed about the labels, read together with the others."""
    label: str = field(default="", compare=False)
    """Of a yes or no about one label: that label; "" for labels 0 and 1."""
    unlabelled: Int64 | None = None
    """Ascending keys of the pairs whose truth nobody knows; None if there are none. They are in no
    table."""

    @property
    def category(self) -> Int64:
        """The category index of every pair."""
        width = max(len(self.categories), 1)
        if self.kind == "single" and len(self.keys) == self.items:
            return self.keys - np.arange(0, self.items * width, width)
        return self.keys % width

    @property
    def item(self) -> Int64:
        """The item index of every pair."""
        return self.keys // max(len(self.categories), 1)

    def dense(self) -> npt.NDArray[np.bool_]:
        """An items x categories matrix of bools."""
        flat = np.zeros(self.items * len(self.categories), np.bool_)
        flat[self.keys] = True
        return flat.reshape(self.items, len(self.categories))

    def both(self, other: Membership) -> Membership:
        """The pairs that both have."""
        if self.kind == other.kind == "single":
            keys = self.keys[self.keys == other.keys]
        else:
            keys = np.intersect1d(self.keys, other.keys, assume_unique=True)
        return replace(self, keys=keys)

    def has(self, label: object) -> npt.NDArray[np.bool_]:
        """For each item: whether it has this label."""
        is_member = np.zeros(self.items, np.bool_)
        is_member[self.item[self.category == self.categories.index(label)]] = True
        return is_member

    def only(self, label: object) -> Membership:
        """For each item a yes or no: whether it has this label."""
        label = plain_label(label)
        if label not in self.categories:
            raise never(label, {repr(name): name for name in self.categories})
        place = np.full(len(self.categories), -1)
        place[self.categories.index(label)] = 0
        keys, unlabelled = self._moved(place, 1)
        return Membership(
            self.items, (BINARY,), keys, "binary", False, self.notes, str(label), unlabelled
        )

    def among(self, labels: Sequence[object]) -> Membership:
        """The same items with these labels alone, in this order: an item may be left with none."""
        chosen = [plain_label(label) for label in labels]
        for label in chosen:
            if label not in self.categories:
                raise UsageError(
                    "no label is {got}",
                    argument="labels",
                    got=label,
                    allowed=Labels("the labels are", self.categories),
                )
        if len(set(chosen)) < len(chosen) or not chosen:
            raise UsageError(
                argument="labels", got=labels, allowed="different labels, at least one"
            )
        place, columns = np.full(len(self.categories), -1), [*map(self.categories.index, chosen)]
        place[columns] = np.arange(len(chosen))
        keys, unlabelled = self._moved(place, len(chosen))
        return replace(
            self,
            categories=tuple(self.categories[column] for column in columns),
            keys=keys,
            kind="multi",
            ordered=False,
            unlabelled=unlabelled,
        )

    def _moved(self, place: Int64, width: int) -> tuple[Int64, Int64 | None]:
        """The keys, and those of pairs without a label, if each category is moved to its place
        among `width` categories; -1 leaves it out.
        """

        def moved(keys: Int64) -> Int64:
            item, category = np.divmod(keys, max(len(self.categories), 1))
            kept = place[category] >= 0
            return np.sort(item[kept] * width + place[category[kept]])

        return moved(self.keys), None if self.unlabelled is None else moved(self.unlabelled)

    def per_category(self) -> Int64:
        """The number of items in each category."""
        return np.bincount(self.category, minlength=len(self.categories)).astype(np.int64)

    def per_item(self) -> Int64:
        """The number of categories of each item."""
        return np.bincount(self.item, minlength=self.items).astype(np.int64)

    def labelled_per_category(self) -> Int64:
        """For each category, the number of items whose truth is known."""
        known = np.full(len(self.categories), self.items)
        if self.unlabelled is None:
            return known
        category = self.unlabelled % max(len(known), 1)
        return known - np.bincount(category, minlength=len(known))

    def labelled_per_item(self) -> Int64:
        """For each item, the number of categories for which its truth is known."""
        known = np.full(self.items, len(self.categories))
        if self.unlabelled is None:
            return known
        item = self.unlabelled // max(len(self.categories), 1)
        return known - np.bincount(item, minlength=self.items)

    def refuse_unlabelled(self, what: str, remedy: str) -> None:
        """Raise if some pairs have no label, for `what` needs all of them."""
        if self.unlabelled is not None:
            raise UsageError(
                argument=what, what="some pairs of item and category have no label", remedy=remedy
            )


def memberships(
    named: dict[str, Any],
    categories: Sequence[object] | None = None,
    binary: bool = True,
    positive: object = None,
    levels: Mapping[str, Levels] | None = None,
    of_table: bool = False,
    beyond: str = _NAME_IT,
    ignored: bool = False,
) -> list[Membership]:
    """Read truth and predictions (by name, for errors) in the same form and over the same
    categories.

    Labels 0 and 1 are one category, "relevant", if they may be `binary`; so is the label
    `positive`, in any form. Levels that columns declare are categories as well; `levels` holds
    those that are known already. Labels `of_table` are texts; whole numbers among them are in
    numerical order. `beyond` is the advice on a label outside `categories`. -100, by which PyTorch
    marks items that do not count, is a label only if it may be `ignored`, as some labels are
    measured and it is none of these.
    """
    return noting_labels(
        lambda: _memberships(named, categories, binary, positive, levels, of_table, beyond, ignored)
    )


def only_labels(
    truth: Membership, predicted: Membership, labels: Sequence[object]
) -> tuple[Membership, Membership]:
    """Truth and predictions with these labels alone; warns of items whose true label is -100, by
    which PyTorch marks what does not count, if they are predicted as one of these labels.
    """
    some = truth.among(labels), predicted.among(labels)
    marks = [label for label in truth.categories if label_text(label) == "-100"]
    if has_ignored(truth.categories) and not {*marks} & {*some[0].categories}:
        has_label = some[1].per_item() > 0
        if items := int(np.count_nonzero(truth.has(marks[0]) & has_label)):
            note = IgnoredPredicted("predicted", items)
            warn(note)
            some = some[0], replace(some[1], notes=(*some[1].notes, note))
    return some


def noting_labels(read: Callable[[], list[Membership]]) -> list[Membership]:
    """The memberships that `read` returns, each with the notes given while reading; the notes are
    then passed on.
    """
    notes: list[Note] = []
    try:
        with collect_notes() as notes:
            memberships = read()
    finally:
        for note in notes:
            warn(note)
    return (
        [replace(each, notes=tuple(dict.fromkeys((*each.notes, *notes)))) for each in memberships]
        if notes
        else memberships
    )


def _memberships(
    named: dict[str, Any],
    categories: Sequence[object] | None,
    binary: bool,
    positive: object,
    levels: Mapping[str, Levels] | None,
    of_table: bool,
    beyond: str,
    ignored: bool,
) -> list[Membership]:
    """`memberships` without attached notes."""
    if positive is not None:
        positive = one_label("positive", positive)
        several = _read(named, categories, False, levels, of_table, beyond, ignored)
        every = dict(zip(named, several, strict=True))
        yes_or_no = [each.only(positive) for each in every.values()]
        # Declared levels need not occur.
        occurs = np.sum([each.per_category() for each in every.values()], axis=0)
        labels = [
            name
            for name, count in zip(next(iter(every.values())).categories, occurs, strict=True)
            if count
        ]
        if categories is None and all(each.kind == "single" for each in every.values()):
            for name, each in every.items():
                refuse_gaps(name, "item", gaps_among(labels, positive), each.has)
            say_others(labels, positive)
        return yes_or_no
    if all(isinstance(value, Membership) for value in named.values()):
        return list(named.values())
    members = _read(named, categories, binary, levels, of_table, beyond, ignored)
    gaps = gaps_among_numbers(members[0].categories) if categories is None else []
    for name, each in zip(named, members, strict=True) if gaps else ():
        refuse_gaps(name, "item", gaps, each.has, NAMED)
    return members


def _read(
    named: dict[str, Any],
    categories: Sequence[object] | None,
    binary: bool,
    levels: Mapping[str, Levels] | None,
    of_table: bool,
    beyond: str,
    ignored: bool,
) -> list[Membership]:
    """The memberships over all categories."""
    if all(isinstance(value, Membership) for value in named.values()):
        return list(named.values())
    if levels is None:
        levels = {} if categories is not None else _levels(named)
    named, categories = align_frames(named, categories)
    forms = _alike({name: _form(value, name, categories) for name, value in named.items()})
    if {kind for kind, _ in forms.values()} == {"matrix", "sets"}:
        forms |= _single_labels(forms, named)
    kinds = {kind for kind, _ in forms.values()}
    if len(kinds) > 1:
        raise _unlike_forms(forms)
    values = {name: value for name, (_, value) in forms.items()}
    sizes = {
        name: int(value.shape[0]) if hasattr(value, "shape") else len(value)
        for name, value in values.items()
    }
    if lengths := unequal(sizes, "item"):
        raise UsageError(f"of unequal length: {lengths}")
    if kinds == {"labels"}:
        may_be_binary = binary and categories is None
        return _singles(values, categories, may_be_binary, levels, of_table, beyond, ignored)
    return (
        _matrices(values, categories)
        if kinds == {"matrix"}
        else _sets(values, categories, levels, of_table, beyond)
    )


def _single_labels(
    forms: dict[str, tuple[str, Any]], named: dict[str, Any]
) -> dict[str, tuple[str, Any]]:
    """One label per item as a set of one, as next to sets; only lists, not a matrix of one
    column.
    """
    return {
        name: ("sets", cells.tolist())
        for name, (kind, cells) in forms.items()
        if kind == "matrix" and cells.shape[1] == 1 and getattr(named[name], "ndim", 1) == 1
    }


def _unlike_forms(forms: dict[str, tuple[str, Any]]) -> UsageError:
    table = any(kind == "matrix" for kind, _ in forms.values())
    listed = ", ".join(
        f"{name} is {kind}{_why(value) if table and kind == 'sets' else ''}"
        for name, (kind, value) in forms.items()
    )
    return UsageError(f"all must have one form: {listed}{_ONE_FORM * table}")


def _levels(named: dict[str, Any]) -> dict[str, Levels]:
    """The levels that columns declare, by name."""
    of_each = {name: levels_of(_only_column(value)) for name, value in named.items()}
    return {name: levels for name, levels in of_each.items() if levels is not None}


def _only_column(value: Any) -> Any:
    """The column of a table with a single column; anything else unchanged, including a relation of
    DuckDB, which is a column already.
    """
    is_table = hasattr(type(value), "columns") and getattr(value, "shape", ())[1:] == (1,)
    if not is_table or is_relation_of_one(value):
        return value
    import narwhals as nw

    return nw.from_native(value, eager_only=True)[:, 0].to_native()


def _alike(forms: dict[str, tuple[str, Any]]) -> dict[str, tuple[str, Any]]:
    """Tables of one column as that column, if they contain labels or are given together with
    labels.
    """
    arrays = {name: cells for name, (_, cells) in forms.items() if isinstance(cells, np.ndarray)}
    tables = {name: cells for name, cells in arrays.items() if cells.shape[1:] == (1,)}
    others = {kind for name, (kind, _) in forms.items() if name not in tables}
    texts = any(map(_holds_labels, tables.values()))
    if others - {"labels"} or not (others or texts):
        return forms
    return forms | {name: ("labels", single_column(cells, name)) for name, cells in tables.items()}


def _holds_labels(cells: npt.NDArray[Any]) -> bool:
    """Whether a table has one column, of labels other than 0 and 1."""
    return cells.shape[1:] == (1,) and cells.dtype.kind in "OUSTMm"


def _form(value: object, name: str, categories: Sequence[object] | None) -> tuple[str, Any]:
    """The form, "matrix", "sets" or "labels", and the values in this form."""
    if hasattr(value, "tocoo"):
        return "matrix", value
    if isinstance(value, LISTS) and len(value):
        if in_rows(value):
            return _several(value, name, categories)
        if set(map(type, value)) == {str}:
            return "labels", value
    array = _array(value, name)
    refuse_mask(array, name, "item")
    if array.ndim not in (1, 2):
        allowed = "labels, sets of labels or an items x categories matrix"
        raise UsageError(argument=name, allowed=allowed, got=Shape(array.shape))
    if array.ndim == 2:
        return "matrix", array
    return (
        _of_objects(array, name, categories)
        if array.dtype == object and array.size
        else ("labels", array)
    )


def _array(value: object, name: str) -> npt.NDArray[Any]:
    if type(value) is np.ndarray and value.dtype != object:
        return value
    array = column(value, name)
    if (
        array is not value
        and array.ndim == 1
        and isinstance(value, LISTS)
        and may_lose_digits(array)
    ):
        return np.array(value, object)  # as floats, two integers could become one category
    return array


def _of_objects(
    array: npt.NDArray[Any], name: str, categories: Sequence[object] | None
) -> tuple[str, Any]:
    """The form of a column of objects: numbers and lists among them are read as in a list."""
    cells = array.tolist()
    kinds = set(map(type, cells))
    if any(kind.__name__ == "Decimal" for kind in kinds):
        cells = [*map(plain_label, cells)]
        array = np.array([*cells, None], object)[:-1]
        kinds = set(map(type, cells))
    if all(issubclass(kind, NUMBERS) for kind in kinds):
        plain = np.array(cells)
        return "labels", array if may_lose_digits(plain) else plain
    return _several(cells, name, categories) if in_rows(array) else ("labels", array)


def _several(
    items: Sequence[object], name: str, categories: Sequence[object] | None
) -> tuple[str, Any]:
    """The form of items that are lists or sets: "matrix" or "sets"."""
    if (other := other_item(items)) is not None:
        raise _in_item(name, other.row, other.mistake)
    rows = times_in_rows(
        [cells_of_times(item) if isinstance(item, np.ndarray) else item for item in items]
    )
    matrix = matrix_of_rows(rows, categories)
    if isinstance(matrix, Fault):
        # The truth holds no scores, but it may be soft.
        mistake = matrix.mistake
        if name == "truth" and mistake.todo == DECIDE:
            mistake = mistake.advise(SOFT[1])
        raise _in_item(name, matrix.row, mistake)
    return ("sets", rows) if matrix is None else ("matrix", matrix)


def _in_item(name: str, item: int, mistake: Mistake) -> DataError:
    return mistake.prefix("item {item} ", item=item).error(name)


def _why(value: Any) -> str:
    """Why lists of numbers are taken as sets of labels, not as rows of a matrix."""
    others = (label for row in value for label in row if label not in (0, 1))
    return next((f", as {short_repr(label)} is neither 0 nor 1" for label in others), "")


def _matrices(named: dict[str, Any], categories: Sequence[object] | None) -> list[Membership]:
    widths = {int(value.shape[1]) for value in named.values()}
    if len(widths) > 1:
        raise UsageError(f"the matrices have unequal numbers of categories: {sorted(widths)}")
    width = widths.pop()
    names = tuple(range(width)) if categories is None else tuple(categories)
    if len(names) != width:
        raise UsageError(
            argument="categories", what=f"{many(len(names), 'name')} for {many(width, 'column')}"
        )
    return [
        Membership(int(v.shape[0]), names, keys_of(v, name), "multi") for name, v in named.items()
    ]


def _sets(
    named: dict[str, Any],
    categories: Sequence[object] | None,
    levels: Mapping[str, Levels],
    of_table: bool,
    beyond: str,
) -> list[Membership]:
    if categories is None:
        _refuse_full(named)
    sizes = {
        name: np.fromiter(map(len, value), np.int64, len(value)) for name, value in named.items()
    }
    items = {name: np.repeat(np.arange(len(size)), size) for name, size in sizes.items()}
    listed = {name: list(chain.from_iterable(value)) for name, value in named.items()}
    counts = {name: len(size) for name, size in sizes.items()}
    if categories is None:
        _refuse_padding(named, listed)
    members = _encode(listed, items, counts, "multi", categories, levels, of_table, beyond)
    if categories is None:
        (truth, first), *others = zip(named, members, strict=True)
        alike = [name for name, other in others if np.array_equal(first.keys, other.keys)]
        warn_of_label_order({name: named[name] for name in [truth, *alike]})
    return members


def _refuse_padding(named: Mapping[str, Any], listed: Mapping[str, Collection[object]]) -> None:
    """Raise if lists are padded with -1, which would be a category."""
    for name, labels in listed.items():
        try:
            fault = find_padding(named[name], set(labels))
        except TypeError:  # labels without a hash are refused later, where labels are numbered
            continue
        if fault is not None:
            raise _in_item(name, fault.row, fault.mistake)


def _refuse_full(named: Mapping[str, Any]) -> None:
    """Raise if all lists hold the same labels in different orders. These are rows of a matrix of
    "yes" and "no"; as sets they would all be equal.
    """
    unlike: list[tuple[str, int]] = []
    for name, rows in named.items():
        first = rows[0] if len(rows) else ()
        if not isinstance(first, LISTS) or len(first) < 2:
            return
        try:
            every = set(first)
            is_full = all(
                isinstance(row, LISTS) and len(row) == len(first) and every.issuperset(row)
                for row in rows
            )
        except TypeError:  # labels without a hash are refused later, where labels are numbered
            return
        if not is_full:
            return
        unlike += [(name, item) for item, row in enumerate(rows) if list(row) != list(first)][:1]
    for name, item in unlike:
        remedy = (
            "of a matrix write 0 and 1; for sets of labels name them all with ⟨categories=⟩, or "
            "pass sets"
        )
        mistake = Mistake(
            "has the labels {got}, which all items have, in another order than the first",
            remedy,
            got=Several([*named[name][item]]),
        )
        raise _in_item(name, item, mistake)


def _singles(
    named: dict[str, Any],
    categories: Sequence[object] | None,
    binary: bool,
    levels: Mapping[str, Levels],
    of_table: bool,
    beyond: str,
    ignored: bool,
) -> list[Membership]:
    declared = [np.array([*category_type.names]) for category_type in levels.values()]
    if binary and all(map(_binary, [*named.values(), *declared])):
        numbers = [value for value in named.values() if value.dtype != np.bool_]
        if not all(any(np.any(value == label) for value in numbers) for label in (0, -1)):
            return [
                Membership(
                    len(value), (BINARY,), np.flatnonzero(value == 1).astype(np.int64), "binary"
                )
                for value in named.values()
            ]
        say_two_ways(
            {name: set(value.tolist()) for name, value in named.items() if value.dtype != np.bool_}
        )
    sizes = {name: len(value) for name, value in named.items()}
    items = {name: np.arange(size) for name, size in sizes.items()}
    return _encode(named, items, sizes, "single", categories, levels, of_table, beyond, ignored)


def _encode(
    named: dict[str, Any],
    items: dict[str, Int64],
    sizes: dict[str, int],
    kind: str,
    categories: Sequence[object] | None,
    levels: Mapping[str, Levels],
    of_table: bool,
    beyond: str,
    ignored: bool = False,
) -> list[Membership]:
    """Memberships from labels and the item of each label."""
    parts = {name: _factorize(name, labels, items[name]) for name, labels in named.items()}
    for name, (distinct, index_of_pair) in parts.items():
        _refuse(distinct, index_of_pair, [is_there(label) for label in distinct], name, items[name])
    there = {name: distinct for name, (distinct, _) in parts.items()}
    names = (
        unite_categories(there.values(), levels.values(), of_table)
        if categories is None
        else tuple(categories)
    )
    if categories is None:
        if kind == "single" and not of_table and not ignored:
            _refuse_ignored(parts, items)
        if not of_table:
            _refuse_joined_labels(there, kind == "multi")
        refuse_unlike(there)
        say_of_labels(there)
    else:
        say_unlike(there)
    ordered = categories is not None or has_order(names, levels.values(), of_table)
    index, memberships = {label: code for code, label in enumerate(names)}, []
    for name, (distinct, index_of_pair) in parts.items():
        code = np.array([index.get(label, -1) for label in distinct], np.int64)
        _refuse(distinct, index_of_pair, code >= 0, name, items[name], names, beyond)
        keys = items[name] * len(names) + code[index_of_pair]
        if kind == "multi":
            unsorted, keys = keys, ascending(keys)
            if len(keys) < len(unsorted):
                raise _twice(name, unsorted, names)
        memberships.append(Membership(sizes[name], names, keys, kind, ordered))
    return memberships


def _refuse_ignored(
    parts: Mapping[str, tuple[list[Any], Int64]], items: Mapping[str, Int64]
) -> None:
    """Raise if items that do not count are marked by a label, which would be a category."""
    for name, (distinct, index) in parts.items():
        if has_ignored(distinct):
            code = next(at for at, label in enumerate(distinct) if label_text(label) == "-100")
            raise _in_item(name, int(items[name][np.argmax(index == code)]), IGNORED)


def _refuse_joined_labels(named: Mapping[str, Collection[object]], in_lists: bool) -> None:
    """Raise if texts hold several labels: each text would be a category."""
    if (
        joined := find_joined_label(dict.fromkeys(chain.from_iterable(named.values())))
    ) is not None:
        name = next(name for name, labels in named.items() if joined.label in labels)
        split = (
            f"split each list's texts, [label for cell in labels for label in {split_of(joined)}]"
            if in_lists
            else f"pass lists of labels, [{split_of(joined)} for cell in ...]"
        )
        remedy = f"{split}, or ⟨categories=[...]⟩ if each is one label"
        raise joined.mistake(remedy).error(name)
    warn_of_joined_labels(dict.fromkeys(chain.from_iterable(named.values())))


def _factorize(name: str, labels: Any, items: Int64) -> tuple[list[Any], Int64]:
    """The distinct labels, texts as plain ones, and the index of each label among them."""
    try:
        distinct, index = factorize(labels)
    except TypeError:
        first = next(at for at, label in enumerate(labels) if not _has_hash(label))
        raise _in_item(name, int(items[first]), _no_label(labels[first])) from None
    # By kinds: there may be millions of labels.
    kinds = {kind for kind in set(map(type, distinct)) if _equals_only_itself(kind)}
    for code, label in enumerate(distinct if kinds else ()):
        if type(label) in kinds and is_there(label):
            first = int(np.argmax(index == code))
            raise _in_item(name, int(items[first]), _no_label(label))
    return list(map(plain_label, distinct)), index


def _no_label(value: object) -> Mistake:
    """The mistake that a value is of no kind that labels may be of."""
    return Mistake("has the label {got}", _KINDS_OF_LABELS, got=Typed(value))


def _has_hash(label: object) -> bool:
    try:
        hash(label)
    except TypeError:
        return False
    return True


def _equals_only_itself(kind: type) -> bool:
    """Whether no second object equals one of this kind, as of iterators; members of an Enum are
    labels.
    """
    compares = any("__eq__" in vars(base) for base in kind.__mro__ if base is not object)
    return not (compares or issubclass(kind, Enum))


def _twice(name: str, keys: Int64, known: tuple[Any, ...]) -> DataError:
    """The error that an item has a label twice. It names the first such item; a set has no order
    and no repeats.
    """
    ordered = np.sort(keys, kind="stable")
    again = ordered[1:][ordered[1:] == ordered[:-1]]
    item, code = divmod(int(again[0]), len(known))
    items = len(np.unique(again // len(known)))
    more = " ({items} items have labels twice)" * (items > 1)
    mistake = Mistake("has {got} twice" + more, ONCE, got=known[code], items=items)
    return _in_item(name, item, mistake)


def _binary(value: object) -> bool:
    if isinstance(value, np.ndarray) and not value.size:
        return True  # without labels the type says nothing
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "biuf":
        return False
    return value.dtype.kind == "b" or bool(np.all((value == 0) | (np.abs(value) == 1)))


def _refuse(
    distinct: list[Any],
    place: Int64,
    good: Any,
    name: str,
    items: Int64,
    known: tuple[Any, ...] = (),
    beyond: str = "",
) -> None:
    """Raise, naming the first item, if some labels are not `good`: missing, or not among the known
    ones.
    """
    if np.all(good):
        return
    fits = np.asarray(good)[place]
    first, count = int(np.argmin(fits)), int(np.count_nonzero(~fits))
    label = distinct[place[first]]
    if isinstance(label, str) and not label:
        mistake = missing_label("has the label {got}, which", label, "item")
    elif is_there(label):
        mark = separator_of(label, known)
        mistake = Mistake(
            "has category {got}",
            SPLIT.format(mark=mark) if mark else beyond,
            got=label,
            allowed=Labels("allowed are", known),
        )
    else:
        mistake = Mistake("has no label ({got})", "give every item a label", got=label)
    raise _in_item(name, int(items[first]), mistake.with_count(count, len(fits)))


def align_frames(
    given: dict[str, Any], categories: Sequence[object] | None
) -> tuple[dict[str, Any], Sequence[Any] | None]:
    """Frames as matrices with columns in one order, that of `categories` or else of the first
    frame; and that order.

    They are given by name, for errors; anything that is not a frame is unchanged.
    """
    given = {name: validate_arrow(value, name) for name, value in given.items()}
    categories = None if categories is None else named_categories(categories)
    check_rows(**given)
    frames = {
        name: frame for name, value in given.items() if (frame := _frame(value, name)) is not None
    }
    if categories is None and _have_labels(
        given, frames
    ):  # then the name of a single column is no category
        frames = {
            name: (cells, names if cells.shape[1] > 1 else None)
            for name, (cells, names) in frames.items()
        }
    origin, order = "categories", None if categories is None else tuple(categories)
    headers = [names for _, names in frames.values() if names is not None]
    ordered = {}
    for name, (cells, names) in frames.items():
        if names is None:
            names = _numbers(cells.shape[1], headers, categories)
        if names is not None:
            refuse_repeated(names, name)
            if order is None:
                origin, order = name, names
            _refuse_others(order, origin, names, name)
            cells = cells[:, [names.index(column) for column in order]]
        ordered[name] = cells
    return given | ordered, order if categories is None else categories


def _have_labels(given: dict[str, Any], frames: dict[str, Named]) -> bool:
    """Whether frames, or values given together with them, hold labels instead of a yes or no."""
    beside = (value for name, value in given.items() if name not in frames)
    return any(map(_is_flat, beside)) or any(_holds_labels(cells) for cells, _ in frames.values())


def _is_flat(given: object) -> bool:
    """Whether it holds one label after another, not rows."""
    if isinstance(given, LISTS):
        return not in_rows(given[:1])
    return len(getattr(given, "shape", (0,))) == 1


def _numbers(
    columns: int, known: list[tuple[Any, ...]], asked: Sequence[object] | None
) -> tuple[Any, ...] | None:
    """Names 0, 1, ... for columns that pandas numbered or a user named so, if other frames have
    names; else None.
    """
    numbers, texts = tuple(range(columns)), tuple(map(str, range(columns)))
    for names in [*known, *([] if asked is None else [asked])]:
        if set(names) in (set(numbers), set(texts)):
            return numbers if 0 in names else texts
    # Requested names are those of the columns, in their order.
    return numbers if known and asked is None else None


def _refuse_others(order: tuple[Any, ...], origin: str, names: tuple[Any, ...], frame: str) -> None:
    alone = {
        origin: [name for name in order if name not in names],
        frame: [name for name in names if name not in order],
    }
    if sides := [f"only {side} has {listing(some)}" for side, some in alone.items() if some]:
        remedy = "add, rename or select columns"
        if len(order) == len(names):
            remedy = "rename or select columns, or pass arrays to match them by position"
        raise UsageError(
            argument=frame,
            what=f"its columns are not the categories of {origin}: {', '.join(sides)}",
            remedy=remedy,
        )


def _frame(value: Any, name: str) -> Named | None:
    """The frame as a matrix; None if it is no frame. Arrays and lists need no library of frames.

    `name` is that of the argument, for errors.
    """
    kind = type(value)
    if isinstance(value, np.ndarray) and value.dtype.names:
        return stack_columns([value[name] for name in value.dtype.names]), value.dtype.names
    if isinstance(value, np.ndarray | list | tuple) or not (
        hasattr(kind, "columns") or hasattr(kind, "__arrow_c_stream__")
    ):
        return None
    if hasattr(kind, "columns") and hasattr(
        kind, "iloc"
    ):  # pandas, whose column names need not be texts
        names = None if has_default_index(value.columns) else tuple(value.columns.tolist())
        cells = value.to_numpy()
        return value.astype(object).to_numpy() if may_lose_digits(cells) else cells, names
    import narwhals as nw

    try:
        frame = nw.from_native(value, pass_through=True, allow_series=True)
    except nw.exceptions.DuplicateError:
        return _of_stream(value, name)
    if isinstance(frame, nw.Series) and not isinstance(frame.dtype, nw.Struct):
        return None  # the stream of a struct is that of a table
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, nw.DataFrame):
        return matrix_of(frame), tuple(frame.columns)
    return _of_stream(value, name) if hasattr(kind, "__arrow_c_stream__") else None


def _of_stream(value: object, name: str) -> Named | None:
    """A table that has only the Arrow interface; None for such a column."""
    from precall.read import arrow_streams

    if (opened := arrow_streams.open_arrow_stream(value, name)) is None:
        return None
    stream, fields = opened
    names = tuple(field.name for field in fields)
    refuse_repeated(names, name)
    if any(map(arrow_streams.is_view, fields)):
        return arrow_streams.by_polars(stream, name).to_numpy(), names
    parts = list(arrow_streams.cells(stream, range(len(names)), name))
    columns = [[cell for batch in parts for cell in batch[column]] for column in range(len(names))]
    return stack_columns(columns).reshape(-1, len(names)), names
