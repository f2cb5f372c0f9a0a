"""Whether ranks beside scores, or the order of the rows, contradict the scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from precall.core.notes import Note
from precall.core.notes.of_reading import LowestFirst, RanksDisagree
from precall.core.ragged import Bool, Float64, Int64
from precall.read.columns import Parsed, Request
from precall.read.problems import show_text


def check_against_ranks(ranks: Any, parsed: Parsed, request: Request) -> Parsed:
    """Scores that were held against ranks, which are in the order of their rows.

    Ranks of which no topic has two say nothing.
    """
    differ = np.append(ranks[1:] != ranks[:-1], False)
    differ[_begins(parsed.row_start) - 1] = False
    if not differ.any():
        return parsed
    notes = _contradiction_of(parsed, ranks, request)
    return parsed._replace(notes=parsed.notes + notes, has_ranks=True)


def _contradiction_of(parsed: Parsed, ranks: Any, request: Request) -> tuple[Note, ...]:
    """What to say if ranks give another order than scores."""
    if parsed.dropped and request.duplicates == "best":
        return ()  # other rows are the best by rank
    disagreeing = _disagreeing(parsed.row_start, parsed.value, ranks)
    if not disagreeing:
        return ()
    name = show_text(request.rank or "rank")
    score = show_text(request.names[2])
    is_reversed = not request.lowest_first and not _disagreeing(
        parsed.row_start, -parsed.value, ranks
    )
    return (RanksDisagree("", name, score, disagreeing, len(parsed.topics), is_reversed),)


def contradiction_of_order(parsed: Parsed, request: Request) -> tuple[Note, ...]:
    """The same of a run whose ranks ascend from row to row of a topic."""
    if parsed.dropped and request.duplicates == "best":
        return ()
    rises = np.zeros(len(parsed.value), np.bool_)
    # Where a topic begins the score may do what it will.
    np.greater(parsed.value[1:], parsed.value[:-1], out=rises[1:])
    begins = _begins(parsed.row_start)
    rises[begins] = False
    if not rises.any():
        return ()
    falls = parsed.value[1:] < parsed.value[:-1]
    falls[begins - 1] = False
    disagreeing = _topics_with(rises, parsed.row_start)
    is_reversed = not request.lowest_first and not falls.any()
    return (RanksDisagree("", "'rank'", "'score'", disagreeing, len(parsed.topics), is_reversed),)


def contradiction_of_parts(parts: Sequence[Sequence[Note]], topics: int) -> tuple[Note, ...]:
    """The same of a run of so many topics that was read in parts, by what was said of each."""
    known = [note for part in parts for note in part if isinstance(note, RanksDisagree)]
    if not known:
        return ()
    is_reversed = len(known) == len(parts) and all(note.is_reversed for note in known)
    disagreeing = sum(note.disagreeing for note in known)
    return (RanksDisagree("", known[0].rank, known[0].score, disagreeing, topics, is_reversed),)


def _begins(row_start: Int64) -> Int64:
    """The first rows of topics, but for that of the first; a topic may have no rows."""
    return np.asarray(row_start[(row_start > 0) & (row_start < row_start[-1])], np.int64)


def _topics_with(rows: Bool, row_start: Int64) -> int:
    """How many topics have some of these rows."""
    met = np.zeros(len(row_start) - 1, np.bool_)
    met[np.searchsorted(row_start, rows.nonzero()[0], "right") - 1] = True
    return int(np.count_nonzero(met))


#: Of so many files whose rows have no order one has them by ascending score in every topic.
_CHANCE = 1e4


def contradiction_of_rows(row_start: Int64, score: Float64) -> tuple[Note, ...]:
    """What to say if the rows of every topic stand by ascending score, and it is hardly by chance.

    Examples
    --------
    >>> scores = np.arange(9.0)
    >>> (
    ...     contradiction_of_rows(np.array([0, 9]), scores) != (),
    ...     contradiction_of_rows(np.array([0, 9]), -scores),
    ... )
    (True, ())
    >>> contradiction_of_rows(np.array([0, 3]), scores[:3])
    ()
    """
    if not len(score):
        return ()
    inside = np.ones(len(score) - 1, np.bool_)
    inside[_begins(row_start) - 1] = False
    if np.any(inside & (score[1:] < score[:-1])):
        return ()
    ascents = np.zeros(len(score) + 1, np.int64)
    np.cumsum(inside & (score[1:] > score[:-1]), out=ascents[2:])
    steps = ascents[row_start[1:]] - ascents[row_start[:-1]]
    orders = math.fsum(math.lgamma(size + 2) for size in steps.tolist())
    return (LowestFirst("", len(steps)),) if orders > math.log(_CHANCE) else ()


def _disagreeing(row_start: Int64, scores: Any, ranks: Any) -> int:
    """The number of topics in which a higher score has a greater rank than a lower one."""
    topic = np.repeat(np.arange(len(row_start) - 1), np.diff(row_start))
    alike = topic[1:] == topic[:-1]
    if np.any(alike & (scores[1:] >= scores[:-1])):
        # Items of equal score may have any ranks among them.
        order = np.lexsort((ranks, -scores, topic))
        ranks = ranks[order]
    return _topics_with(np.append(alike & (ranks[1:] < ranks[:-1]), False), row_start)
