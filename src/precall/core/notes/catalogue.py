"""All kinds of notes, and notes as they are read back from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from precall.core.notes.facts import KINDS, Note, Quoted


def restored(given: Mapping[str, Any]) -> Note:
    """A note as JSON has it, which need not be of this version: of a kind that is not known its
    sentence is left.
    """
    kind, text = catalogue().get(given.get("kind", "")), str(given.get("text", ""))
    if kind is None:
        return Quoted("", text)
    try:
        note = kind(subject=str(given.get("subject", "")), **given.get("values", {}))
        for name in reversed(given.get("within", [])):
            note = note.within(str(name))
    except (TypeError, ValueError, LookupError, AttributeError):
        return Quoted("", text)
    return note


def catalogue() -> Mapping[str, type[Note]]:
    """Every kind of note, by its name."""
    from pathlib import Path

    for path in sorted(Path(__file__).parent.glob("of_*.py")):
        import_module(f"precall.core.notes.{path.stem}")
    return KINDS
