"""Thresholds of n categories are matched by name in n steps.

A set of all names was made anew for each of them: to decide about 50,000 categories took minutes.
Tests had a handful.
"""

from __future__ import annotations

from time import process_time

import numpy as np

import precall as pc

MANY = 30_000


def test_many_names_are_matched_at_once() -> None:
    names = [f"c{place}" for place in range(MANY)]
    status = pc.categorize(np.eye(4, MANY), np.eye(4, MANY), names)
    learned = status.thresholds("rank:1")
    begin = process_time()
    assert learned.matched(names[::-1]).categories == tuple(names[::-1])
    # A tenth of a second; a set for each of them would take half a minute.
    assert process_time() - begin < 5
