"""Thresholds of n categories are matched by name in n steps.

A set of all names was made anew for each of them: to decide about 50,000 categories took minutes.
Tests had a handful.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

import precall as pc


class Name(str):
    """Counts how often one of them is looked for."""

    __slots__ = ()
    hashed: ClassVar[int] = 0

    def __hash__(self) -> int:
        Name.hashed += 1
        return str.__hash__(self)


def test_each_name_is_looked_for_a_few_times() -> None:
    names = [Name(f"c{place}") for place in range(300)]
    status = pc.categorize(np.eye(4, 300), np.eye(4, 300), names)
    learned = status.thresholds("rank:1")
    before = Name.hashed
    assert learned.matched(names[::-1]).categories == tuple(names[::-1])
    assert len(names) <= Name.hashed - before <= 10 * len(names)
