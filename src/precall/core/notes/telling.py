"""How notes reach who should know them: kept in the results, and said once as warnings at the
caller's line.

What makes a result is `noting`; whatever `warn` is told meanwhile is in the result's `notes`. What
makes several results is `listening`, and passes on what all of them have told.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from precall.core.errors import PrecallWarning
from precall.core.notes.facts import Note, Quoted, each, together

T = TypeVar("T")
P = ParamSpec("P")
_PACKAGE = __file__.removesuffix("core/notes/telling.py").removesuffix("core\\notes\\telling.py")
#: Who hears what is said, if not the caller.
_LISTENER: ContextVar[list[Note] | None] = ContextVar("listener", default=None)
#: What was asked in a call that asks each thing once.
_ASKED: ContextVar[list[Note] | None] = ContextVar("asked", default=None)


def warn(note: Note | str, category: type[Warning] | None = None) -> None:
    """Tell whoever listens; if nobody does, warn at the line outside of this package that led here.

    The warning is of the class of the note's kind, unless a `category` is given, and carries it as
    `note`.
    """
    if not isinstance(note, Note):
        note = Quoted("", note)
    listener = _LISTENER.get()
    if listener is not None:
        listener.extend(each([note]))
        return
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn((category or note.warning)(note), stacklevel=level)


def warn_all(notes: Iterable[str]) -> None:
    """Tell each note; those of one kind together."""
    for note in together(notes):
        warn(note)


def suggest(note: Note | str) -> None:
    """Warn of what an argument probably should be: within `notes_once` for the whole call, else
    like all that is said.
    """
    asked = _ASKED.get()
    if asked is None:
        warn(note)
    else:
        asked.extend(each([note]))


@contextmanager
def listening() -> Iterator[list[Note]]:
    """What is said inside, as a list; nobody else hears it."""
    notes: list[Note] = []
    token = _LISTENER.set(notes)
    try:
        yield notes
    finally:
        _LISTENER.reset(token)


def noting(make: Callable[P, T]) -> Callable[P, T]:
    """A function whose result keeps as `notes` what is said while it is made, each once; then it is
    said aloud.
    """

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> T:
        heard: list[Note] = []
        token = _LISTENER.set(heard)  # as `listening`, in half the time
        try:
            result: Any = make(*args, **kwargs)
        finally:
            _LISTENER.reset(token)
        if not heard and not result.notes:
            return cast(T, result)
        notes = tuple(dict.fromkeys((*result.notes, *heard)))
        for note in notes:
            warn(note)
        return cast(T, replace(result, notes=notes))

    return made


def suggest_once(make: Callable[[], T]) -> T:
    """What `make` returns, with what it asked, each once; kept as `notes` where the result has
    such.
    """
    asked: list[Note] = []
    token = _ASKED.set(asked)
    try:
        result: Any = make()
    finally:
        _ASKED.reset(token)
    new = tuple(dict.fromkeys(asked))
    for note in new:
        warn(note)
    if new and hasattr(type(result), "noted"):
        result = result.noted(*new)
    elif new and "notes" in getattr(result, "__dataclass_fields__", ()):
        result = replace(result, notes=tuple(dict.fromkeys((*result.notes, *new))))
    return cast(T, result)


def overheard(make: Callable[[], T]) -> tuple[T, tuple[Note, ...]]:
    """What `make` returns, and what it said, each once, to be kept; it is said aloud, too."""
    with listening() as heard:
        result = make()
    notes = tuple(dict.fromkeys(heard))
    warn_all(notes)
    return result, notes


def noted(make: Callable[[], T]) -> tuple[T, tuple[Note, ...]]:
    """What `make` returns, and what it said or warned of, each once."""
    with warnings.catch_warnings(record=True) as caught, listening() as notes:
        warnings.simplefilter("always")
        result = make()
    notes += each(
        warning.message.note for warning in caught if isinstance(warning.message, PrecallWarning)
    )
    return result, tuple(dict.fromkeys(notes))
