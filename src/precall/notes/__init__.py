"""Notes: what should be known of a number or of the data it was made from, as facts that travel with the result."""

from precall.notes.facts import (
    KINDS,
    Meaning,
    Note,
    Quoted,
    Severity,
    Together,
    catalogue,
    each,
    name_of_kind,
    note_kind,
    notes_of,
    plain,
    restored,
    sentences,
    together,
)
from precall.notes.telling import ask, listening, noted, notes_once, noting, warn, warn_all

__all__ = [
    "KINDS", "Meaning", "Note", "Quoted", "Severity", "Together", "ask", "catalogue", "each", "listening", "name_of_kind",
    "note_kind", "noted", "notes_of", "notes_once", "noting", "plain", "restored", "sentences", "together", "warn", "warn_all",
]  # fmt: skip
