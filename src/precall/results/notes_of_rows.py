"""Notes in CSV: a column of sentences. Each note stands once: in the first row that names its
subject with all of its context, or else in the first row. No rows are added, so the other columns
are the same with notes and without.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from precall.core.notes import Note, iterate_notes, sentences
from precall.results.blocks import Cell

#: The column.
NOTES = "notes"
#: Stands between the notes of a cell.
SEPARATOR = "; "


def first_rows(columns: Iterable[Collection[Cell]], notes: Iterable[Note]) -> dict[Note, int]:
    """The first row that names the subject of each note and its context; notes that are about all
    rows, or whose names no row has, are left out.

    Examples
    --------
    >>> from precall.core.notes import MissingTopics
    >>> note = MissingTopics("b", 1, 3)
    >>> first_rows([["a", "a", "b", "b"], [0.5, 0.2, 0.3, 0.4]], [note])[note]
    2
    """
    names_of = {note: names for note in notes if (names := {*note.context, note.subject} - {""})}
    if not names_of:
        return {}
    # Sets of whole columns show quickly which names no row has.
    texts = [column for column in columns if str in set(map(type, column))]
    present = set[Cell]().union(*texts)
    names_of = {note: names for note, names in names_of.items() if names <= present}
    found: dict[Note, int] = {}
    for index, row in enumerate(zip(*texts, strict=True) if names_of else ()):
        here = [note for note, names in names_of.items() if names.issubset(row)]
        found |= dict.fromkeys(here, index)
        for note in here:
            del names_of[note]
        if not names_of:
            break
    return found


def add_notes(
    rows: Sequence[tuple[Cell, ...]], column: int, notes: Iterable[str]
) -> tuple[tuple[Cell, ...], ...]:
    """Rows with more notes in their column of notes. It has a text, which may be empty, in the rows
    that may have some; without such a row, one is added.

    Examples
    --------
    >>> from precall.core.notes import MissingTopics
    >>> add_notes([("a", ""), ("b", "")], 1, [MissingTopics("b", 1, 3)])
    (('a', ''), ('b', 'b: 1 of 3 topics of the qrels missing'))
    """
    new = [*dict.fromkeys(iterate_notes(notes))]
    if not new:
        return tuple(rows)
    may_have = [index for index, row in enumerate(rows) if isinstance(row[column], str)]
    if not may_have:
        return (*rows, (*[None] * column, join_notes(new)))
    found = first_rows([*zip(*(rows[index] for index in may_have), strict=True)], new)
    cells = {index: [str(rows[index][column])] for index in may_have}
    for note in new:
        cells[may_have[found.get(note, 0)]].append(*sentences([note]))
    return tuple(
        (*row[:column], SEPARATOR.join(filter(None, cells[index])), *row[column + 1 :])
        if index in cells
        else row
        for index, row in enumerate(rows)
    )


def join_notes(notes: Iterable[str]) -> str:
    """The cell with these notes."""
    return SEPARATOR.join(sentences(notes))
