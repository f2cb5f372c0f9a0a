"""What should be known of a number: kept in its result as notes, and said once as a warning at the caller's line.

What makes a result is `noting`; whatever `warn` is told meanwhile is in the result's `notes`. What makes several
results is `listening`, and says in one warning what all of them have told. Each thing is said once, with the names
of all that it was said of.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from precall.errors import PrecallWarning
from precall.text import bounded

T = TypeVar("T")
P = ParamSpec("P")
#: A number that stands by itself, and is no part of a word such as F1.
_NUMBER = r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)"
#: More names, or more numbers in the place of one, are not listed.
_LISTED = 4
_PACKAGE = __file__.removesuffix("notes.py")
#: Who hears what is said, if not the caller.
_LISTENER: ContextVar[list[str] | None] = ContextVar("listener", default=None)
#: What was asked in a call that asks each thing once.
_ASKED: ContextVar[list[str] | None] = ContextVar("asked", default=None)


def warn(text: str, category: type[Warning] = PrecallWarning) -> None:
    """Tell whoever listens; if nobody does, warn at the line outside of this package that led here."""
    text, listener = bounded(text), _LISTENER.get()
    if listener is not None:
        listener.append(text)
        return
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


def ask(text: str) -> None:
    """Warn of what an argument probably should be: within `notes_once` for the whole call, else like all that is said."""
    asked = _ASKED.get()
    if asked is None:
        warn(text)
    else:
        asked.append(text)


@contextmanager
def listening() -> Iterator[list[str]]:
    """What is said inside, as a list; nobody else hears it."""
    texts: list[str] = []
    token = _LISTENER.set(texts)
    try:
        yield texts
    finally:
        _LISTENER.reset(token)


def noting(make: Callable[P, T]) -> Callable[P, T]:
    """A function whose result keeps as `notes` what is said while it is made, each text once; then it is said aloud."""

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> T:
        texts: list[str] = []
        token = _LISTENER.set(texts)  # as `listening`, in half the time
        try:
            result: Any = make(*args, **kwargs)
        finally:
            _LISTENER.reset(token)
        if not texts and not result.notes:
            return cast(T, result)
        notes = tuple(dict.fromkeys((*result.notes, *texts)))
        for text in notes:
            warn(text)
        return cast(T, replace(result, notes=notes))

    return made


def notes_once(make: Callable[[], T]) -> T:
    """What `make` returns, with what it asked, each text once; kept as `notes` where the result has such."""
    texts: list[str] = []
    token = _ASKED.set(texts)
    try:
        result: Any = make()
    finally:
        _ASKED.reset(token)
    new = tuple(dict.fromkeys(texts))
    for text in new:
        warn(text)
    if new and hasattr(type(result), "noted"):
        result = result.noted(*new)
    elif new and "notes" in getattr(result, "__dataclass_fields__", ()):
        result = replace(result, notes=tuple(dict.fromkeys((*result.notes, *new))))
    return cast(T, result)


def noted(make: Callable[[], T]) -> tuple[T, tuple[str, ...]]:
    """What `make` returns, and what it said or warned of, each text once."""
    with warnings.catch_warnings(record=True) as caught, listening() as texts:
        warnings.simplefilter("always")
        result = make()
    texts += [str(warning.message) for warning in caught if issubclass(warning.category, PrecallWarning)]
    return result, tuple(dict.fromkeys(texts))


def together(notes: Iterable[tuple[str, str]]) -> list[str]:
    """Notes about one thing each, given as (name, text): what differs in its numbers only is one note."""
    groups: dict[tuple[bool, str], list[tuple[str, str]]] = {}
    for name, text in notes:
        # What is about nothing in particular stays alone.
        groups.setdefault((bool(name), re.sub(_NUMBER, "0", text) if name else text), []).append((name, text))
    return [_one(list(dict.fromkeys(group))) for group in groups.values()]


def merged(notes: Iterable[str]) -> list[str]:
    """Notes that begin with what they are about, such as a run, put together; others as they are."""
    parts = (note.partition(": ") for note in notes)
    return together((name, text) if colon else ("", name) for name, colon, text in parts)


def _one(group: list[tuple[str, str]]) -> str:
    names = list(dict.fromkeys(name for name, _ in group))
    columns = zip(*(re.findall(_NUMBER, text) for _, text in group), strict=True)
    numbers = iter([_list_notes(list(dict.fromkeys(column))) for column in columns])
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    head = f"{', '.join(names[:_LISTED])}{more}: " if names != [""] else ""
    return bounded(head + re.sub(_NUMBER, lambda _: next(numbers), group[0][1]))


def _list_notes(values: list[str]) -> str:
    if len(values) <= _LISTED:
        return ", ".join(values)
    least, *_, most = sorted(values, key=lambda number: float(number.replace(",", "")))
    return f"{least} to {most}"
