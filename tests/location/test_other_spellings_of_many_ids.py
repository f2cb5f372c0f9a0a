"""Ids of which one of many could be spelled otherwise. Tests of other spellings had a few ids, so
that nobody saw that the bytes of all were compared at once: 100 MB more for 7 million rows.
"""

from __future__ import annotations

import tracemalloc

import pytest

import precall as pc
from precall.core.notes.of_reading import IdsUnlike
from precall.location import near_ids
from tests.noticed import warned

#: More ids than are looked at together.
TOPICS, DEPTH = 80, near_ids._BLOCK // 70


@pytest.mark.parametrize(("written", "judged"), [("0700", "700"), ("Doc", "doc"), ("doc", "Doc")])
def test_the_last_of_many(written: str, judged: str) -> None:
    items = [str(item + 1000) for item in range(DEPTH)]
    run = {str(topic): dict.fromkeys(items, 1.0) for topic in range(TOPICS)}
    last = str(TOPICS - 1)
    run[last][written] = 0.5
    with warned(IdsUnlike) as told:
        pc.evaluate({topic: {items[0]: 1} for topic in run} | {last: {judged: 1}}, run, "AP")
    assert [(note.given, note.judged) for note in told] == [(written, judged)]


@pytest.mark.parametrize("before", ["", "D"])
def test_memory_is_not_that_of_all_ids(before: str) -> None:
    items = dict.fromkeys((f"{before}{item}" for item in range(10**6, 10**6 + 3 * 10**5)), 1.0)
    ids = pc.read_run({"q": items}).items
    tracemalloc.start()
    try:
        assert near_ids._spellings(ids, ids) == []
        assert tracemalloc.get_traced_memory()[1] < len(ids.data) / 2
    finally:
        tracemalloc.stop()
