"""Ranks of TREC text whose lines are not in the order of ranks: those at the beginning are compared
with the scores.

The kernel keeps no ranks. It tells whether the lines of each topic are in the order of their ranks;
if so, the order of the rows is that of the ranks. If not, the beginning of the text is read again,
like the rows of a table. This covers a small file completely, and costs little time for a large
one.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from precall.core.notes import Note
from precall.core.notes.of_reading import RanksDisagree
from precall.core.text import MARK
from precall.read.columns import Ids, Request

#: Bytes that are read again, in whole lines.
BEGINNING = 1 << 16
#: Fields of a line: topic, ignored, item, rank, score, tag.
_WIDTH = 6
#: Characters that separate words in Python, but not fields of lines.
_PLAIN = bytes.maketrans(b"\x0b\x0c", b"__")


def contradiction_of_beginning(
    source: str | bytes, request: Request
) -> tuple[tuple[Note, ...], bool]:
    """A note if ranks give another order than scores at the beginning of a file or text with valid
    lines, and whether there are ranks.

    Examples
    --------
    >>> from precall.read.columns import RUN, request
    >>> text = b"q1 Q0 a 3 3.0 x\\nq1 Q0 b 2 2.0 x\\n"
    >>> notes, has_ranks = contradiction_of_beginning(text, request(RUN, "run", "error", 1))
    >>> [note.is_reversed for note in notes], has_ranks
    ([True], True)
    """
    text, is_whole = _beginning(source)
    if b"#" in text:
        text = b"\n".join(line for line in text.split(b"\n") if not line.startswith(b"#"))
    fields = text.removeprefix(MARK).translate(_PLAIN).split()
    topics, items, scores, ranks = (fields[index::_WIDTH] for index in (0, 2, 4, 3))
    if len(set(ranks)) < 2:  # nobody wrote any
        return (), False
    try:
        numbers = [np.fromiter(map(float, column), np.float64) for column in (scores, ranks)]
    except ValueError:  # ranks that are no numbers say nothing about scores
        return (), False
    from precall.read.gathering import Gathering

    request_with_ranks = replace(
        request, rank="rank", columns=None, systems=(), run_column=None, notes=(), threads=1
    )
    gathering = Gathering(request_with_ranks, "line")
    gathering.take(Ids.of(topics), Ids.of(items), numbers, range(len(topics)))
    parsed = gathering.finish()
    disagreeing = [note for note in parsed.notes if isinstance(note, RanksDisagree)]
    notes = tuple(replace(note, is_beginning=not is_whole) for note in disagreeing)
    return notes, parsed.has_ranks


def _beginning(source: str | bytes) -> tuple[bytes, bool]:
    """The first lines, and whether they are the whole text."""
    if isinstance(source, bytes):
        text = source[: BEGINNING + 1]
    else:
        with open(source, "rb") as file:  # noqa: PTH123
            text = file.read(BEGINNING + 1)
    is_whole = len(text) <= BEGINNING
    return (text, True) if is_whole else (text[: text.rfind(b"\n") + 1], False)
