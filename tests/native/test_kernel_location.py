"""Locating against its definition, written out by comparing every item with every other; both
kernels.
"""

from __future__ import annotations

from math import inf
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from precall.native import twin
from tests.native.kernels import EITHER

pytestmark = EITHER

Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]
Rows = list[tuple[int, int, int, int, int, int]]


def locate(
    kernel: ModuleType, run: Run, qrels: Qrels, by_input: bool = False
) -> tuple[list[int], Rows]:
    """The topics found, and (ranking, row, grade, rank, first, last) of each judged item."""
    columns = (*twin.run_from_dict(run, False), *twin.qrels_from_dict(qrels))
    run_topic, *columns_found = kernel.locate(*columns, by_input, 1)
    for column in (run_topic, *columns_found):
        assert column.dtype == np.int64 and column.flags.c_contiguous
    return run_topic.tolist(), list(
        zip(*(column.tolist() for column in columns_found), strict=True)
    )


def definition(run: Run, qrels: Qrels, by_input: bool) -> tuple[list[int], Rows]:
    """The same from the definition: a rank is one more than the number of items ahead."""
    topics = list(run)
    base = {topic: sum(len(run[before]) for before in topics[:i]) for i, topic in enumerate(topics)}
    found: Rows = []
    for ranking, (topic, grades) in enumerate(qrels.items()):
        ranked = list(run.get(topic, {}).items())
        for place, (item, score) in enumerate(ranked):
            if item not in grades:
                continue
            above = sum(other > score for _, other in ranked)
            level = [(i, name) for i, (name, other) in enumerate(ranked) if other == score]
            ahead = sum(
                i < place if by_input else name.encode() > item.encode() for i, name in level
            )
            row, rank = base[topic] + place, above + ahead + 1
            found.append((ranking, row, grades[item], rank, above + 1, above + len(level)))
    found.sort(key=lambda row: (row[0], row[3]))
    return [topics.index(topic) if topic in run else -1 for topic in qrels], found


def test_items_of_equal_score_stand_by_id_descending(kernel: ModuleType) -> None:
    run = {"q": {"a": 1.0, "c": 2.0, "b": 1.0, "d": 0.5}}
    qrels = {"q": {"a": 1, "b": 0, "d": 2}}
    assert locate(kernel, run, qrels) == (
        [0],
        [(0, 2, 0, 2, 2, 3), (0, 0, 1, 3, 2, 3), (0, 3, 2, 4, 4, 4)],
    )


def test_items_of_equal_score_stand_as_given_by_input(kernel: ModuleType) -> None:
    run = {"q": {"a": 1.0, "c": 2.0, "b": 1.0, "d": 0.5}}
    qrels = {"q": {"a": 1, "b": 0, "d": 2}}
    assert locate(kernel, run, qrels, True) == (
        [0],
        [(0, 0, 1, 2, 2, 3), (0, 2, 0, 3, 2, 3), (0, 3, 2, 4, 4, 4)],
    )


def test_negative_grades_count_as_judged(kernel: ModuleType) -> None:
    assert locate(kernel, {"q": {"a": 1.0}}, {"q": {"a": -2, "b": 1}}) == (
        [0],
        [(0, 0, -2, 1, 1, 1)],
    )


def test_topics_are_matched_by_id(kernel: ModuleType) -> None:
    run = {"x": {"a": 1.0}, "1": {"a": 1.0, "b": 2.0}, "01": {"a": 3.0}}
    qrels = {"01": {"a": 1}, "2": {"a": 1}, "1": {"a": 2}}
    assert locate(kernel, run, qrels) == ([2, -1, 1], [(0, 3, 1, 1, 1, 1), (2, 1, 2, 2, 2, 2)])


def test_zeros_are_equal_and_infinities_are_ordinary(kernel: ModuleType) -> None:
    run = {"q": {"a": 0.0, "b": -0.0, "c": inf, "d": -inf, "e": inf, "f": -inf}}
    qrels = {"q": dict.fromkeys("abcdef", 1)}
    order = [(4, 1, 2), (2, 1, 2), (1, 3, 4), (0, 3, 4), (5, 5, 6), (3, 5, 6)]
    assert locate(kernel, run, qrels)[1] == [
        (0, row, 1, i, a, b) for i, (row, a, b) in enumerate(order, 1)
    ]


@pytest.mark.parametrize(
    ("low", "high"),
    [("a", "b"), ("a", "aa"), ("10", "9"), ("Z", "a"), ("z", "é"), ("\uffff", "\U00010000")],
)
def test_ids_compare_by_bytes_a_prefix_being_less(kernel: ModuleType, low: str, high: str) -> None:
    run, qrels = {"q": {low: 1.0, high: 1.0}}, {"q": {low: 1, high: 2}}
    assert locate(kernel, run, qrels) == ([0], [(0, 1, 2, 1, 1, 2), (0, 0, 1, 2, 1, 2)])


@pytest.mark.parametrize(
    ("run", "qrels"),
    [
        ({"q": {}}, {"q": {}}),
        ({"q": {"a": 1.0}}, {"q": {}}),
        ({"q": {}}, {"q": {"a": 1}}),
        ({"q": {"a": 1.0}}, {"q": {"b": 1}}),
    ],
)
def test_nothing_is_found_where_nothing_is(kernel: ModuleType, run: Run, qrels: Qrels) -> None:
    assert locate(kernel, run, qrels) == ([0], [])
    assert locate(kernel, run, {"p": {"a": 1}}) == ([-1], [])


def test_neighbouring_floats_are_different_scores(kernel: ModuleType) -> None:
    run = {"q": {"a": np.nextafter(1.0, 2.0), "b": 1.0, "c": 5e-324, "d": 0.0}}
    qrels = {"q": dict.fromkeys("abcd", 1)}
    assert [row[3:] for row in locate(kernel, run, qrels)[1]] == [(i, i, i) for i in (1, 2, 3, 4)]


@pytest.mark.parametrize("by_input", [False, True])
def test_a_long_ranking_of_few_scores(kernel: ModuleType, by_input: bool) -> None:
    rng = np.random.default_rng(5)
    names = rng.permutation(2000)
    run = {
        "q": {f"d{i}": float(rng.integers(4)) for i in names},
        "p": {f"d{i}": 1.0 for i in names[:700]},
    }
    qrels = {
        "p": {f"d{i}": 1 for i in names[::90]},
        "q": {f"d{i}": int(i) % 3 - 1 for i in names[::70]},
    }
    assert locate(kernel, run, qrels, by_input) == definition(run, qrels, by_input)


TOPICS = st.sampled_from(["1", "01", "é", "", "q" * 40])
ITEMS = st.text(st.sampled_from("ab0é\U00010000\0"), max_size=9)
SCORES = st.sampled_from(
    [0.0, -0.0, 1.0, 1.0000000000000002, 16777217.0, -5e-324, inf, -inf, 1e308]
) | st.floats(allow_nan=False)
RUNS = st.dictionaries(TOPICS, st.dictionaries(ITEMS, SCORES, max_size=12), min_size=1)
QRELS = st.dictionaries(
    TOPICS, st.dictionaries(ITEMS, st.integers(-(2**31), 2**31 - 1), max_size=12), min_size=1
)


@given(run=RUNS, qrels=QRELS, by_input=st.booleans())
def test_every_rank_is_as_defined(
    kernel: ModuleType, run: Run, qrels: Qrels, by_input: bool
) -> None:
    assert locate(kernel, run, qrels, by_input) == definition(run, qrels, by_input)


@pytest.mark.nightly
@given(data=st.data(), by_input=st.booleans())
def test_every_rank_is_as_defined_where_most_is_found(
    kernel: ModuleType, data: Any, by_input: bool
) -> None:
    run = data.draw(RUNS)
    qrels = {
        topic: {
            item: data.draw(st.integers(-1, 3)) for item in items if data.draw(st.integers(0, 3))
        }
        for topic, items in reversed(run.items())
    }
    assert locate(kernel, run, qrels, by_input) == definition(run, qrels, by_input)


@pytest.mark.parametrize("judged", [1, 2, 64, 65, 400])
def test_rows_that_are_not_looked_up_are_not_judged(kernel: ModuleType, judged: int) -> None:
    # Of one length, with the same last letters as a judged id, and neither.
    names = ["", "7", "a", *(f"d{i}" for i in range(500)), *(f"{i}xx07" for i in range(300))]
    rng = np.random.default_rng(judged)
    run = {
        topic: dict(
            zip(rng.permutation(names)[:600].tolist(), rng.random(600).round(2), strict=True)
        )
        for topic in "ab"
    }
    qrels = {
        topic: dict.fromkeys([*rng.permutation(names)[:judged].tolist(), "elsewhere07"], 1)
        for topic in "ab"
    }
    assert locate(kernel, run, qrels) == definition(run, qrels, False)
