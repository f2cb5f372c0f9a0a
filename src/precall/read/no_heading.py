"""Tables without a heading whose first row tells what they are: TREC text with tabs, and files of
MS MARCO: runs, which are lines of query, passage and rank, and references, of query and passage.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from precall.core.notes.of_reading import NoGrades, NoHeading, RankAsScore
from precall.core.ragged import spread
from precall.core.text import MARK
from precall.native import kernel, literals
from precall.read.columns import QRELS, RUN, Parsed, Request, turn_scores

#: The columns of a run of MS MARCO.
_RANKED = ("query", "passage", "rank")
_WIDTH = len(_RANKED)
#: Those of a reference: each passage is relevant.
_PAIR = _RANKED[:2]


def begins_with_row(cells: Sequence[str], request: Request) -> bool:
    """Whether the first line of a table is a row of TREC text or of MS MARCO, and no heading."""
    if request.columns is not None or request.run_column is not None:
        return False
    return any(
        is_row(cells, request) for is_row in (is_row_of_trec, is_row_of_ms_marco, is_relevant_pair)
    )


def is_row_of_trec(cells: Sequence[str], request: Request) -> bool:
    """Whether a first line is a row of TREC text: no column is called 0 or Q0."""
    value = 4 if request.subject is RUN else 3
    return (
        len(cells) == request.subject.fields and cells[1] in ("0", "Q0") and is_number(cells[value])
    )


def is_row_of_ms_marco(cells: Sequence[str], request: Request) -> bool:
    """Whether a first line may be query, passage and rank: names of columns are no numbers, and a
    score is hardly a whole number.
    """
    row = request.subject is RUN and len(cells) == _WIDTH and all(map(is_number, cells))
    return row and cells[2].isdecimal() and int(cells[2]) > 0


def is_relevant_pair(cells: Sequence[str], request: Request) -> bool:
    """Whether a first line of qrels may be query and passage: names of columns are no numbers."""
    is_pair = request.subject is QRELS and len(cells) == len(_PAIR)
    return is_pair and all(cell.isdecimal() for cell in cells)


def is_number(name: object) -> bool:
    """Whether the name of a column is a number."""
    # Columns of frames without names are called by numbers.
    return isinstance(name, str) and isinstance(literals.score(name), float)


def read_rows(
    data: bytes,
    separator: str,
    cells: Sequence[str],
    request: Request,
    parse: Callable[[bytes, Request], Parsed],
) -> Parsed | None:
    """The rows of a table that begins with this row; None if they are neither TREC text, which
    `parse` reads, nor of MS MARCO.
    """
    if is_row_of_ms_marco(cells, request):
        return read_ranks(data, separator, request)
    if is_relevant_pair(cells, request):
        return read_pairs(data, separator, request)
    if separator != "\t":
        return None  # TREC text has blanks between its fields
    parsed = parse(data, request)
    note = NoHeading("", request.subject.layout)
    return parsed._replace(notes=(*parsed.notes, note))


def read_ranks(data: bytes, separator: str, request: Request) -> Parsed | None:
    """A run of lines of query, passage and rank; None if there is anything else.

    These are ranks if those of each query are 1, 2, 3 and so on in the order of the lines. Whole
    scores are not.
    """
    if request.duplicates != "error" or request.run_column is not None:
        return None
    begin = len(MARK) * data.startswith(MARK)
    columns = kernel().run_from_table(
        data, begin, separator, _WIDTH, [*range(_WIDTH)], False, "error", request.threads
    )
    if columns is None:
        return None
    parsed = Parsed.of(*columns)
    if any(len(ids.empty()) for ids in (parsed.topics, parsed.items)):
        return None
    _, place = spread(np.zeros(len(parsed.topics), np.int64), np.diff(parsed.row_start))
    if not np.array_equal(parsed.value, place + 1):
        return None
    ranked = turn_scores(parsed, replace(request, lowest_first=True))
    return ranked._replace(notes=(NoHeading("", ", ".join(_RANKED)), RankAsScore("", "rank")))


def read_pairs(data: bytes, separator: str, request: Request) -> Parsed | None:
    """Qrels of lines of query and passage, each of grade 1; None if there is anything else."""
    mark = separator.encode()
    lines = (line.rstrip(b"\r") for line in data.removeprefix(MARK).split(b"\n"))
    graded = b"".join(line + mark + b"1\n" for line in lines if line)
    width = len(_PAIR) + 1
    columns = kernel().qrels_from_table(
        graded, 0, separator, width, [*range(width)], request.duplicates, request.threads
    )
    if columns is None:
        return None
    parsed = Parsed.of(*columns)
    if any(len(ids.empty()) for ids in (parsed.topics, parsed.items)):
        return None
    return parsed._replace(notes=(NoHeading("", ", ".join(_PAIR)), NoGrades("")))
