"""Notes as a list: of each kind one sentence that explains it, and below it what it was said of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from precall.core.notes import Note, together
from precall.page.templates import Markup, macros

#: More notes of a kind stand folded.
_OPEN = 2


def remarks(notes: Sequence[Note], shortened: Callable[[str], str] = str) -> Markup:
    """A list of what notes mean, in the order in which it is first met; names in sentences are
    `shortened`.

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
    for note in together(notes):
        groups.setdefault(note.meaning or note, []).append(note)
    told = [
        {
            "meaning": group[0].meaning,
            "texts": [shortened(str(note)) for note in group],
            "folded": len(group) > _OPEN,
        }
        for group in groups.values()
    ]
    made: Markup = macros("ends.html").remarks(told)
    return made
