"""How notes reach people: results keep them, and each is given once as a warning at the caller's
line.

A function that makes a result is decorated with `keep_notes`: all notes given to `warn` meanwhile
are in the `notes` of the result. A function that makes several results uses `collect_notes`, and
passes on the notes of all.
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
from precall.core.notes.facts import Note, Quoted, group_by_subject, iterate_notes

T = TypeVar("T")
P = ParamSpec("P")
_PACKAGE = __file__.removesuffix("core/notes/telling.py").removesuffix("core\\notes\\telling.py")
#: The list that receives notes instead of the caller.
_LISTENER: ContextVar[list[Note] | None] = ContextVar("listener", default=None)
#: Suggestions in a call that makes each of them once.
_SUGGESTED: ContextVar[list[Note] | None] = ContextVar("asked", default=None)


def warn(note: Note | str, category: type[Warning] | None = None) -> None:
    """Give a note to the listener; if there is none, warn at the line outside this package that led
    here.

    The warning is of the class of the note's kind, unless a `category` is given, and carries it as
    `note`.
    """
    if not isinstance(note, Note):
        note = Quoted("", note)
    listener = _LISTENER.get()
    if listener is not None:
        listener.extend(iterate_notes([note]))
        return
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn((category or note.warning)(note), stacklevel=level)


def warn_all(notes: Iterable[str]) -> None:
    """Give each note; those of one kind together."""
    for note in group_by_subject(notes):
        warn(note)


def suggest(note: Note | str) -> None:
    """Warn of what an argument probably should be: once for the whole call inside `suggest_once`,
    else like any other note.
    """
    suggestions = _SUGGESTED.get()
    if suggestions is None:
        warn(note)
    else:
        suggestions.extend(iterate_notes([note]))


@contextmanager
def collect_notes() -> Iterator[list[Note]]:
    """The notes given inside the block, as a list; nobody else gets them."""
    notes: list[Note] = []
    token = _LISTENER.set(notes)
    try:
        yield notes
    finally:
        _LISTENER.reset(token)


def keep_notes(make: Callable[P, T]) -> Callable[P, T]:
    """A function whose result keeps the notes that are given while it is made, each once; then they
    are given as warnings.
    """

    @wraps(make)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        heard: list[Note] = []
        token = _LISTENER.set(heard)  # like `collect_notes`, in half the time
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

    return run


def suggest_once(make: Callable[[], T]) -> T:
    """The result of `make`, with its suggestions, each once; the result keeps them if it has
    `notes`.
    """
    suggestions: list[Note] = []
    token = _SUGGESTED.set(suggestions)
    try:
        result: Any = make()
    finally:
        _SUGGESTED.reset(token)
    new = tuple(dict.fromkeys(suggestions))
    for note in new:
        warn(note)
    if new and hasattr(type(result), "with_notes"):
        result = result.with_notes(*new)
    elif new and "notes" in getattr(result, "__dataclass_fields__", ()):
        result = replace(result, notes=tuple(dict.fromkeys((*result.notes, *new))))
    return cast(T, result)


def run_and_warn(make: Callable[[], T]) -> tuple[T, tuple[Note, ...]]:
    """The result of `make` and its notes, each once, for the result to keep; they are also given as
    warnings.
    """
    with collect_notes() as heard:
        result = make()
    notes = tuple(dict.fromkeys(heard))
    warn_all(notes)
    return result, notes


def run_and_collect(make: Callable[[], T]) -> tuple[T, tuple[Note, ...]]:
    """The result of `make`, and its notes and warnings, each once."""
    with warnings.catch_warnings(record=True) as caught, collect_notes() as notes:
        warnings.simplefilter("always")
        result = make()
    notes += iterate_notes(
        warning.message.note for warning in caught if isinstance(warning.message, PrecallWarning)
    )
    return result, tuple(dict.fromkeys(notes))
