"""The distinct labels among many, and the index of each label: the first step of every table of
decisions.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from decimal import Decimal
from enum import Enum
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.core.arguments import refuse_set, validate_arrow
from precall.core.errors import Fact, Kind, UsageError
from precall.core.ragged import Int64, encode_labels
from precall.read.times import cells_of_times, plain_times
from precall.read.values import Levels, as_list, describe_value, has_value, plain_label

#: Below this number texts need no table; the factor that spreads letters over 64 bits; and the bits
#: that each round uses, 16 at a time.
_FEW, _ODD, _SHIFTS = 1 << 14, 0x9E3779B97F4A7C15, (48, 32)
#: A number as tables write it.
_NUMBER = re.compile(r"-?[0-9]{1,19}(?:\.[0-9]{1,19})?")
#: Python does not write integers of more than 4300 digits.
_BITS = 14_000


def factorize(labels: Any) -> tuple[list[Any], Int64]:
    """The distinct labels, and the index of each label among them.

    Examples
    --------
    >>> factorize(np.array([7, 5, 7]))
    ([5, 7], array([1, 0, 1]))
    """
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "iu" and len(labels):
        low, high = int(labels.min()), int(labels.max())
        # Integers close to one another are counted in a table.
        if high - low < 8 * len(labels):
            above = np.subtract(labels, labels.dtype.type(low), dtype=np.int64, casting="unsafe")
            used = np.zeros(high - low + 1, np.bool_)
            used[above] = True
            return [low + step for step in np.flatnonzero(used).tolist()], (np.cumsum(used) - 1)[
                above
            ]
    if not isinstance(labels, np.ndarray) or labels.dtype == object:
        return encode_labels(plain_times(labels))
    if labels.dtype.kind in "mM":
        times = labels.astype(labels.dtype.newbyteorder("="), copy=False)
        distinct, code = encode_labels(times.view(np.int64).tolist())
        return cells_of_times(np.array(distinct, np.int64).view(times.dtype)), code
    alike = labels.dtype.kind == "U" and labels.dtype.isnative and labels.dtype.itemsize > 0
    return (
        _factorize_texts(labels) if alike and len(labels) > _FEW else encode_labels(labels.tolist())
    )


def _factorize_texts(labels: npt.NDArray[np.str_]) -> tuple[list[Any], Int64]:
    """The same for texts in cells of one width; only one Python string is made for each distinct
    label.
    """
    letters = np.ascontiguousarray(labels).view(np.uint32).reshape(len(labels), -1)
    number = np.zeros(len(labels), np.uint64)
    for column in letters.T:
        number *= np.uint64(_ODD)
        number += column
    number *= np.uint64(_ODD)
    distinct: list[Any] = []
    codes, rest = np.empty(len(labels), np.int64), np.arange(len(labels))
    for shift in _SHIFTS:
        slot = (number[rest] >> np.uint64(shift)).astype(np.uint16)
        one_of = np.zeros(1 << 16, np.int64)
        one_of[slot] = rest
        # Different labels may share a slot: labels that differ from the one of their slot wait for
        # the next round.
        matches = labels[one_of[slot]] == labels[rest]
        used = np.zeros(1 << 16, np.bool_)
        used[slot] = True
        codes[rest[matches]] = (np.cumsum(used) - 1 + len(distinct))[slot[matches]]
        distinct += labels[one_of[used]].tolist()
        rest = rest[~matches]
        if not len(rest):
            return distinct, codes
    others, code = encode_labels(labels[rest].tolist())
    codes[rest] = code + len(distinct)
    return distinct + others, codes


def sort_texts(labels: Iterable[str]) -> list[str]:
    """The distinct texts of a table in order; in the order of numbers if all are numbers.

    Examples
    --------
    >>> sort_texts({"10", "9", "-1"}), sort_texts({"10.5", "9.5"}), sort_texts({"b", "10", "9"})
    (['-1', '9', '10'], ['9.5', '10.5'], ['10', '9', 'b'])
    """
    names = set(labels)
    return (
        sorted(names, key=lambda name: (Decimal(name), name))
        if _are_numbers(names)
        else sorted(names)
    )


def _are_numbers(names: Iterable[object]) -> bool:
    return all(isinstance(name, str) and _NUMBER.fullmatch(name) for name in names)


def unite_categories(
    labels: Iterable[Iterable[object]], levels: Iterable[Levels] = (), of_table: bool = False
) -> tuple[Any, ...]:
    """The categories that occur and the declared levels: in the order of the first ordered levels,
    the others sorted.

    Categories of a table are texts; whole numbers are sorted as numbers.

    Examples
    --------
    >>> (
    ...     unite_categories([["b"], ["a"]], [Levels(("c", "b", "a"), False)]),
    ...     unite_categories([["b"], ["x"]], [Levels(("c", "b", "a"), True)]),
    ... )
    (('a', 'b', 'c'), ('c', 'b', 'a', 'x'))
    """
    levels = list(levels)
    first = next((level.names for level in levels if level.ordered), ())
    every = set(chain(*labels, *(level.names for level in levels)))
    rest = every - set(first)
    return (*first, *(sort_texts(rest) if of_table else known_categories(rest)))


def has_order(
    categories: Sequence[object], levels: Iterable[Levels] = (), of_table: bool = False
) -> bool:
    """Whether the order of categories has a meaning: all ordered levels agree on it, or all
    categories are numbers, or none is text.
    """
    orders = [level.names for level in levels if level.ordered]
    if orders:
        index_of = {name: index for index, name in enumerate(categories)}
        return len(orders[0]) == len(categories) and all(
            names == tuple(sorted(names, key=index_of.__getitem__)) for names in orders
        )
    if of_table and _are_numbers(categories):
        return True
    return not any(isinstance(name, str | bytes) for name in categories) and is_sortable(categories)


def is_sortable(categories: Collection[Any]) -> bool:
    """Whether categories can be sorted: by their own order, or by the definition of their Enum."""
    with suppress(TypeError):
        sorted(categories)
        return True
    return _enum_of(categories) is not None


def _enum_of(names: Collection[object]) -> type[Enum] | None:
    """The Enum that has all of these as members; None if there is none."""
    kinds = set(map(type, names))
    kind = kinds.pop() if len(kinds) == 1 else object
    return kind if issubclass(kind, Enum) else None


def named_categories(categories: object) -> list[Any]:
    """The categories that somebody names, each once; missing values and objects that are no labels
    are refused.

    Examples
    --------
    >>> named_categories(["b", "a"])
    ['b', 'a']
    """
    refuse_set("categories", categories)
    try:
        names = [*map(plain_label, as_list(validate_arrow(categories, "categories")))]
    except TypeError:
        raise UsageError(
            argument="categories", allowed="a list of them", got=Kind(categories)
        ) from None
    seen: set[Any] = set()
    for name in names:
        try:
            is_again = name in seen
        except TypeError:
            raise UsageError(
                argument="categories",
                allowed="a list of labels: texts, numbers or truth values",
                got=Fact(describe_value(name)),
            ) from None
        if not has_value(name):
            raise UsageError(
                argument="categories",
                what=f"{describe_value(name)} is no label",
                remedy="leave it out, or give the category a name",
            )
        if is_again:
            raise UsageError(
                argument="categories",
                what="{got} is given twice",
                got=name,
                remedy="name each category once",
            )
        seen.add(name)
    return names


def known_categories(labels: Iterable[object]) -> tuple[Any, ...]:
    """The categories that occur, sorted; members of an Enum in the order of its definition.

    Categories that cannot be compared are sorted by their type and text, so that there is an order;
    see `is_sortable`.
    """
    names = set(labels)
    if any(isinstance(name, int) and name.bit_length() > _BITS for name in names):
        raise UsageError(
            argument="labels",
            what="integers of thousands of digits cannot be written",
            remedy="name categories otherwise",
        )
    try:
        return tuple(sorted(names))
    except TypeError:
        index_of = {member: index for index, member in enumerate(_enum_of(names) or ())}
        return tuple(
            sorted(names, key=lambda name: (index_of.get(name, -1), type(name).__name__, str(name)))
        )
