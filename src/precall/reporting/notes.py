"""What warnings said, as notes for readers: each thing once, with the names of all that it was said of."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from typing import TypeVar

from precall.errors import PrecallWarning

T = TypeVar("T")
#: A number that stands by itself, and is no part of a word such as F1.
_NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)")
#: More names, or more numbers in the place of one, are not listed.
_LISTED = 4


def noted(make: Callable[[], T]) -> tuple[T, tuple[str, ...]]:
    """What `make` returns, and what it warned of, each text once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = make()
    said = [str(one.message) for one in caught if issubclass(one.category, PrecallWarning)]
    return found, tuple(dict.fromkeys(said))


def together(said: Iterable[tuple[str, str]]) -> list[str]:
    """Notes about one thing each, given as (name, text): what differs in its numbers only is one note.

    Examples
    --------
    >>> together([("a", "19 cases are few"), ("b", "no cases"), ("c", "7 cases are few")])
    ['a, c: 19, 7 cases are few', 'b: no cases']
    """
    groups: dict[tuple[bool, str], list[tuple[str, str]]] = {}
    for name, text in said:
        # What is about nothing in particular stays alone.
        groups.setdefault((bool(name), _NUMBER.sub("0", text) if name else text), []).append((name, text))
    return [_one(list(dict.fromkeys(group))) for group in groups.values()]


def merged(notes: Iterable[str]) -> list[str]:
    """Notes that begin with what they are about, such as a run, put together; others as they are.

    Examples
    --------
    >>> merged(["x: 16 topics with ties", "seed 1", "y: 100 topics with ties"])
    ['x, y: 16, 100 topics with ties', 'seed 1']
    """
    parts = (note.partition(": ") for note in notes)
    return together((name, text) if colon else ("", name) for name, colon, text in parts)


def _one(group: list[tuple[str, str]]) -> str:
    names = list(dict.fromkeys(name for name, _ in group))
    columns = zip(*(_NUMBER.findall(text) for _, text in group), strict=True)
    numbers = iter([_listed(list(dict.fromkeys(column))) for column in columns])
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    head = f"{', '.join(names[:_LISTED])}{more}: " if names != [""] else ""
    return head + _NUMBER.sub(lambda _: next(numbers), group[0][1])


def _listed(values: list[str]) -> str:
    if len(values) <= _LISTED:
        return ", ".join(values)
    least, *_, most = sorted(values, key=lambda one: float(one.replace(",", "")))
    return f"{least} to {most}"
