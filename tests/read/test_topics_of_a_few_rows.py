"""A topic that is another one but for a blank at its end is named, also if only some of its rows
have the blank.

Why the old tests missed it: all rows of the topic had it, so that the run lacked the other one.
"""

from __future__ import annotations

import pytest

import precall as pc
from precall.core.notes import run_and_collect
from precall.core.notes.of_reading import IdsUnlike
from tests.noticed import noticed

QRELS = [("q1", "a", 1), ("q1", "b", 1), ("q2", "a", 1)]
RUN = [("q1", "a", 3.0), ("q1", "b", 2.0), ("q2", "a", 1.0)]


def told(qrels: list, run: list) -> tuple[float, list[tuple[str, str, str]]]:
    value, notes = run_and_collect(lambda: pc.evaluate(qrels, run, "AP")["AP"])
    return value, [(note.what, note.given, note.judged) for note in noticed(notes, IdsUnlike)]


def renamed(rows: list, topic: str) -> list:
    return [(topic, *rows[0][1:]), *rows[1:]]


def test_one_row_of_a_topic() -> None:
    assert told(QRELS, RUN) == (1.0, [])
    assert told(QRELS, renamed(RUN, "q1 ")) == (pytest.approx(0.75), [("topic", "q1 ", "q1")])
    assert told(renamed(QRELS, "q1 "), RUN) == (pytest.approx(0.75), [("topic", "q1", "q1 ")])


def test_two_topics_in_both_are_two() -> None:
    assert told(renamed(QRELS, "q1 "), renamed(RUN, "q1 ")) == (1.0, [])
