"""What is noticed of curves, of scored cases and of their thresholds."""

from __future__ import annotations

from precall.notes.facts import Note, note_kind


@note_kind
class ReadInBatches(Note):
    """Cases were read in batches, so there is nothing to draw from."""

    text = "no bands and no random selection, as the cases were read in batches"
