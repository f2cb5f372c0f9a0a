"""Checks whether ranks beside scores, or the order of the rows, contradict the scores."""

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


def check_against_ranks(ranks: Float64, parsed: Parsed, request: Request) -> Parsed:
    """Columns with a note if the ranks, which are in the order of the rows, contradict the scores.

    Ranks are ignored if no topic has two different ones.
    """
    differ = np.append(ranks[1:] != ranks[:-1], False)
    differ[_begins(parsed.row_start) - 1] = False
    if not differ.any():
        return parsed
    notes = _rank_contradiction(parsed, ranks, request)
    return parsed._replace(notes=parsed.notes + notes, has_ranks=True)


def _rank_contradiction(parsed: Parsed, ranks: object, request: Request) -> tuple[Note, ...]:
    """A note if ranks give another order than scores."""
    if parsed.dropped and request.duplicates == "best":
        return ()  # by rank, other rows would have been kept
    disagreeing = _count_disagreeing_topics(parsed.row_start, parsed.value, ranks)
    if not disagreeing:
        return ()
    name = show_text(request.rank or "rank")
    score = show_text(request.names[2])
    is_reversed = not request.lowest_first and not _count_disagreeing_topics(
        parsed.row_start, -parsed.value, ranks
    )
    return (RanksDisagree("", name, score, disagreeing, len(parsed.topics), is_reversed),)


def contradiction_of_order(parsed: Parsed, request: Request) -> tuple[Note, ...]:
    """The same for a run whose ranks ascend from row to row of each topic."""
    if parsed.dropped and request.duplicates == "best":
        return ()
    rises = np.zeros(len(parsed.value), np.bool_)
    # The first row of a topic is not compared with the row before.
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
    """The same for a run of `topics` topics that was read in parts, from the notes of each."""
    disagreements = [note for notes in parts for note in notes if isinstance(note, RanksDisagree)]
    if not disagreements:
        return ()
    is_reversed = len(disagreements) == len(parts) and all(
        note.is_reversed for note in disagreements
    )
    disagreeing = sum(note.disagreeing for note in disagreements)
    return (
        RanksDisagree(
            "", disagreements[0].rank, disagreements[0].score, disagreeing, topics, is_reversed
        ),
    )


def _begins(row_start: Int64) -> Int64:
    """The first rows of all topics but the first; a topic may have no rows."""
    return np.asarray(row_start[(row_start > 0) & (row_start < row_start[-1])], np.int64)


def _topics_with(rows: Bool, row_start: Int64) -> int:
    """How many topics have some of these rows."""
    met = np.zeros(len(row_start) - 1, np.bool_)
    met[np.searchsorted(row_start, rows.nonzero()[0], "right") - 1] = True
    return int(np.count_nonzero(met))


#: If rows had no order, one file in this many would have ascending scores in every topic.
_CHANCE = 1e4


def contradiction_of_rows(row_start: Int64, score: Float64) -> tuple[Note, ...]:
    """A note if the scores of every topic ascend, which is hardly by chance.

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


def _count_disagreeing_topics(row_start: Int64, scores: Any, ranks: Any) -> int:
    """The number of topics in which a higher score has a greater rank than a lower one."""
    topic = np.repeat(np.arange(len(row_start) - 1), np.diff(row_start))
    alike = topic[1:] == topic[:-1]
    if np.any(alike & (scores[1:] >= scores[:-1])):
        # Items of equal score may have their ranks in any order.
        order = np.lexsort((ranks, -scores, topic))
        ranks = ranks[order]
    return _topics_with(np.append(alike & (ranks[1:] < ranks[:-1]), False), row_start)
