"""What is noticed of decisions and of scores for categories."""

from __future__ import annotations

from precall.notes.facts import Note, note_kind


@note_kind
class OneCategory(Note):
    """An average over categories of a yes or no, which has one category."""

    text = (
        "{subject} of labels 0/1, -1/1 or bool, or of one label, is the value of their one category, 'relevant'; for that of "
        "both labels, as scikit-learn's, pass ⟨categories=[0, 1]⟩ or no ⟨positive=⟩"
    )
