"""What was noticed, as facts: tests ask for notes by their kinds and values, not by their
sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from precall.core.notes import Note, iterate_notes, note_from_json
from precall.core.spelling import Style


def noticed(source: Any, kind: type[Note] = Note) -> list[Any]:
    """Notes of a kind, one by one: of a result, of JSON, of caught warnings, or of notes."""
    notes = source["notes"] if isinstance(source, dict) else getattr(source, "notes", source)
    every = iterate_notes(map(_note, notes() if callable(notes) else notes))
    return [note for note in every if isinstance(note, kind)]


def _note(told: Any) -> Any:
    """A note, of whatever has it."""
    if isinstance(told, Mapping):
        return note_from_json(told)
    return getattr(getattr(told, "message", None), "note", told)


@contextmanager
def warned(*kinds: type[Note]) -> Iterator[list[Any]]:
    """Each of these kinds is warned of inside; a list of their notes, once it has ended."""
    told: list[Any] = []
    with pytest.warns(tuple(kind.warning for kind in kinds)) as caught:
        yield told
    told += [note for note in noticed(caught) if isinstance(note, kinds)]
    assert {type(note) for note in told} == set(kinds)


def shown(text: str, *notes: Note, style: Style = "python") -> bool:
    """Whether a text has the sentence of each of these notes, wherever its lines end."""
    flat = " ".join(text.split())
    return all(" ".join(note.sentence(style).split()) in flat for note in notes)
