"""Notes as a list: of each kind one sentence that explains it, and below it what it was said of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from precall.notes import Note, together
from precall.page.markup import element, escaped

#: More notes of a kind stand folded.
_OPEN = 2


def remarks(notes: Sequence[Note], shortened: Callable[[str], str] = str) -> str:
    """A list of what notes mean, in the order in which it is first met; names in sentences are `shortened`.

    Examples
    --------
    >>> from precall.notes import Quoted
    >>> from precall.notes.of_runs import TiesThatMatter
    >>> remarks([Quoted("", "all is well")])
    '<ul class="remarks"><li>all is well</li></ul>'
    >>> "<strong>Ties.</strong> Items of equal" in remarks([TiesThatMatter("a", 3)])
    True
    """
    groups: dict[object, list[Note]] = {}
    for note in together(notes):
        groups.setdefault(note.meaning or note, []).append(note)
    return element("ul", *(_group(group, shortened) for group in groups.values()), class_="remarks")


def _group(notes: Sequence[Note], shortened: Callable[[str], str]) -> str:
    texts = [escaped(shortened(str(note))) for note in notes]
    meaning = notes[0].meaning
    if meaning is None:
        return element("li", *texts)
    listed = element("ul", *(element("li", text) for text in texts))
    if len(texts) > _OPEN:
        listed = element("details", element("summary", f"{len(texts)} notes"), listed)
    return element("li", element("strong", f"{meaning.title}."), " ", escaped(meaning.words), listed)
