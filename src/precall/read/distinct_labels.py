"""The different labels among many, and which of them each is: the first step of every table of
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

from precall.core.arguments import refuse_set, sound
from precall.core.errors import Fact, Kind, UsageError
from precall.core.ragged import Int64, coded
from precall.core.text import written
from precall.read.times import cells_of_times, plain_times
from precall.read.values import Levels, as_list, describe_value, is_known, plain_label

#: Texts that are not worth a table; what spreads their letters over 64 bits, and which 16 of these
#: each round goes by.
_FEW, _ODD, _SHIFTS = 1 << 14, 0x9E3779B97F4A7C15, (48, 32)
#: A number as tables have it.
_NUMBER = re.compile(r"-?[0-9]{1,19}(?:\.[0-9]{1,19})?")
#: Python writes integers of 4300 digits, no longer ones.
_BITS = 14_000


def factored(labels: Any) -> tuple[list[Any], Int64]:
    """The different labels, and which of them each is.

    Examples
    --------
    >>> factored(np.array([7, 5, 7]))
    ([5, 7], array([1, 0, 1]))
    """
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "iu" and len(labels):
        low, high = int(labels.min()), int(labels.max())
        # Those near one another are counted off.
        if high - low < 8 * len(labels):
            above = np.subtract(labels, labels.dtype.type(low), dtype=np.int64, casting="unsafe")
            used = np.zeros(high - low + 1, np.bool_)
            used[above] = True
            return [low + step for step in np.flatnonzero(used).tolist()], (np.cumsum(used) - 1)[
                above
            ]
    if not isinstance(labels, np.ndarray) or labels.dtype == object:
        return coded(plain_times(labels))
    if labels.dtype.kind in "mM":
        times = labels.astype(labels.dtype.newbyteorder("="), copy=False)
        distinct, place = coded(times.view(np.int64).tolist())
        return cells_of_times(np.array(distinct, np.int64).view(times.dtype)), place
    alike = labels.dtype.kind == "U" and labels.dtype.isnative and labels.dtype.itemsize > 0
    return _texts(labels) if alike and len(labels) > _FEW else coded(labels.tolist())


def _texts(labels: npt.NDArray[np.str_]) -> tuple[list[Any], Int64]:
    """The same of texts in cells of one width: of each label only one is made a Python string."""
    letters = np.ascontiguousarray(labels).view(np.uint32).reshape(len(labels), -1)
    number = np.zeros(len(labels), np.uint64)
    for column in letters.T:
        number *= np.uint64(_ODD)
        number += column
    number *= np.uint64(_ODD)
    distinct: list[Any] = []
    place, rest = np.empty(len(labels), np.int64), np.arange(len(labels))
    for shift in _SHIFTS:
        slot = (number[rest] >> np.uint64(shift)).astype(np.uint16)
        one_of = np.zeros(1 << 16, np.int64)
        one_of[slot] = rest
        # Different labels may have the same number: those that are not the one of their slot wait
        # for the next round.
        known = labels[one_of[slot]] == labels[rest]
        used = np.zeros(1 << 16, np.bool_)
        used[slot] = True
        place[rest[known]] = (np.cumsum(used) - 1 + len(distinct))[slot[known]]
        distinct += labels[one_of[used]].tolist()
        rest = rest[~known]
        if not len(rest):
            return distinct, place
    others, code = coded(labels[rest].tolist())
    place[rest] = code + len(distinct)
    return distinct + others, place


def ordered(labels: Iterable[str]) -> list[str]:
    """Texts of a table, each once, in order: of their numbers, if all are numbers.

    Examples
    --------
    >>> ordered({"10", "9", "-1"}), ordered({"10.5", "9.5"}), ordered({"b", "10", "9"})
    (['-1', '9', '10'], ['9.5', '10.5'], ['10', '9', 'b'])
    """
    names = set(labels)
    return (
        sorted(names, key=lambda name: (Decimal(name), name))
        if _are_numbers(names)
        else sorted(names)
    )


def _are_numbers(names: Iterable[Any]) -> bool:
    return all(isinstance(name, str) and _NUMBER.fullmatch(name) for name in names)


def united(
    labels: Iterable[Iterable[Any]], levels: Iterable[Levels] = (), of_table: bool = False
) -> tuple[Any, ...]:
    """The categories that occur and the levels that are declared: in the order of the first ordered
    levels, others sorted.

    Those of a table are texts, of which whole numbers stand in their order.

    Examples
    --------
    >>> (
    ...     united([["b"], ["a"]], [Levels(("c", "b", "a"), False)]),
    ...     united([["b"], ["x"]], [Levels(("c", "b", "a"), True)]),
    ... )
    (('a', 'b', 'c'), ('c', 'b', 'a', 'x'))
    """
    levels = list(levels)
    first = next((known.names for known in levels if known.ordered), ())
    every = set(chain(*labels, *(known.names for known in levels)))
    rest = every - set(first)
    return (*first, *(ordered(rest) if of_table else known_categories(rest)))


def has_order(
    categories: Sequence[Any], levels: Iterable[Levels] = (), of_table: bool = False
) -> bool:
    """Whether the order of categories has a meaning: all ordered levels agree on it, or all are
    numbers or other than text.
    """
    orders = [known.names for known in levels if known.ordered]
    if orders:
        place = {name: index for index, name in enumerate(categories)}
        return len(orders[0]) == len(categories) and all(
            names == tuple(sorted(names, key=place.__getitem__)) for names in orders
        )
    if of_table and _are_numbers(categories):
        return True
    return not any(isinstance(name, str | bytes) for name in categories) and is_sorted(categories)


def is_sorted(categories: Collection[Any]) -> bool:
    """Whether categories have an order by which they were sorted: their own, or that of the
    definition of their Enum.
    """
    with suppress(TypeError):
        sorted(categories)
        return True
    return _enum_of(categories) is not None


def _enum_of(names: Collection[Any]) -> type[Enum] | None:
    """The Enum whose members all of these are."""
    kinds = set(map(type, names))
    kind = kinds.pop() if len(kinds) == 1 else object
    return kind if issubclass(kind, Enum) else None


def named_categories(given: Any) -> list[Any]:
    """The categories that somebody names, each once: none is missing, and all are labels.

    Examples
    --------
    >>> named_categories(["b", "a"])
    ['b', 'a']
    """
    refuse_set("categories", given)
    try:
        names = [*map(plain_label, as_list(sound(given, "categories")))]
    except TypeError:
        raise UsageError(argument="categories", allowed="a list of them", got=Kind(given)) from None
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
        if not is_known(name):
            raise UsageError(
                argument="categories",
                what=f"{describe_value(name)} is no label",
                remedy="leave it out, or give the category a name",
            )
        if is_again:
            raise UsageError(
                argument="categories",
                what=f"{written(name)} is given twice",
                remedy="name each category once",
            )
        seen.add(name)
    return names


def known_categories(labels: Iterable[Any]) -> tuple[Any, ...]:
    """The categories that occur, sorted, members of an Enum as it has them.

    What does not compare is sorted by its kind and as it is printed, so that there is an order; see
    `is_sorted`.
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
        place = {member: index for index, member in enumerate(_enum_of(names) or ())}
        return tuple(
            sorted(names, key=lambda name: (place.get(name, -1), type(name).__name__, str(name)))
        )
