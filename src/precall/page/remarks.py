"""Notes as a list: one sentence explains each kind, and its occurrences follow below."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from precall.core.notes import Note, group_by_subject
from precall.core.spelling import STYLE, Style
from precall.page.templates import Markup, macros

#: Lists with more notes of a kind than this are folded.
_OPEN = 2


def remarks(
    notes: Sequence[Note], shortened: Callable[[str], str] = str, style: Style | None = None
) -> Markup:
    """A list that explains the notes, in order of first occurrence. Names in sentences are
    `shortened`; arguments are spelled in the style, by default that of the reader.

    Examples
    --------
    >>> from precall.core.notes import Quoted
    >>> from precall.core.notes.of_runs import TiesThatMatter
    >>> "<li>all is well</li>" in remarks([Quoted("", "all is well")])
    True
    >>> "<strong>Ties.</strong> Items of equal" in remarks([TiesThatMatter("a", 3)])
    True
    """
    groups: dict[object, list[Note]] = {}
    for note in group_by_subject(notes):
        groups.setdefault(note.meaning or note, []).append(note)
    explained = [
        {
            "meaning": group[0].meaning and group[0].meaning.in_words_of(group[0].vocabulary),
            "texts": [shortened(note.sentence(style or STYLE.get())) for note in group],
            "folded": len(group) > _OPEN,
        }
        for group in groups.values()
    ]
    markup: Markup = macros("ends.html").remarks(explained)
    return markup
