"""Repeated pairs, and rows given as columns; both kernels."""

from __future__ import annotations

from math import inf, nan
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from precall.read.columns import Ids
from tests.native.kernels import EITHER, bits, problems, qrels, run, table

pytestmark = EITHER

RUN = "1 Q0 a 1 1 x\n2 Q0 a 1 9 x\n1 Q0 b 1 5 x\n1 Q0 a 1 3 x\n1 Q0 c 1 4 x\n1 Q0 a 1 2 y\n"
QRELS = "1 0 a 1\n2 0 a 9\n1 0 b 5\n1 0 a 3\n1 0 c 4\n1 0 a 2\n"


@pytest.mark.parametrize(
    ("duplicates", "kept"),
    [
        ("first", [("a", 1), ("b", 5), ("c", 4)]),
        ("last", [("b", 5), ("c", 4), ("a", 2)]),
        ("best", [("b", 5), ("a", 3), ("c", 4)]),
    ],
)
def test_the_kept_row_stands_where_it_stood(
    kernel: ModuleType, duplicates: str, kept: list[Any]
) -> None:
    for result in (run(kernel, RUN, duplicates), qrels(kernel, QRELS, duplicates)):
        assert table(result) == {"1": kept, "2": [("a", 9)]}
        assert result[-1] == 2
    assert run(kernel, RUN, duplicates)[6] == b"y"


def test_topics_keep_their_place_when_their_first_row_goes(kernel: ModuleType) -> None:
    text = "1 0 a 1\n2 0 a 1\n1 0 a 2"
    assert list(table(qrels(kernel, text, "last"))) == ["1", "2"]


def test_the_first_of_equally_good_rows_is_kept(kernel: ModuleType) -> None:
    text = "1 Q0 a 1 -0.0 x\n1 Q0 b 1 7 x\n1 Q0 a 1 0.0 x\n1 Q0 a 1 -inf x\n"
    result = run(kernel, text, "best")
    assert table(result)["1"] == [("a", 0.0), ("b", 7.0)]
    assert np.signbit(result[5][0])


def test_best_compares_scores_as_they_are_kept(kernel: ModuleType) -> None:
    # Both are 16777216 as float32, so the first of them is kept, where it stands.
    text = "1 Q0 a 1 16777216 x\n1 Q0 b 1 7 x\n1 Q0 a 1 16777217 x\n"
    assert [item for item, _ in table(run(kernel, text, "best", float32=True))["1"]] == ["a", "b"]
    assert [item for item, _ in table(run(kernel, text, "best"))["1"]] == ["b", "a"]


def test_a_repeated_pair_in_a_run_is_a_problem_each_time(kernel: ModuleType) -> None:
    assert problems(run, kernel, RUN) == [
        (4, "duplicate", b"1", b"a", 1),
        (6, "duplicate", b"1", b"a", 1),
    ]
    equal = "# c\n1 Q0 a 1 1 x\n\n1 Q0 a 1 1 x"
    assert problems(run, kernel, equal) == [(4, "duplicate", b"1", b"a", 2)]


def test_an_equal_judgement_is_dropped_and_another_is_a_conflict(kernel: ModuleType) -> None:
    result = qrels(kernel, "1 0 a 1\n1 0 b 0\n1 0 a 1\n1 0 a 01\n")
    assert table(result) == {"1": [("a", 1), ("b", 0)]} and result[-1] == 2
    text = "1 0 a 1\n1 0 a 1\n1 0 a -2\n1 0 a -2\n1 0 a 1\n"
    conflict = ("conflict", b"1", b"a", 1, 1, -2)
    assert problems(qrels, kernel, text) == [(3, *conflict), (4, *conflict)]


def test_a_bad_row_takes_no_part_in_the_check_for_duplicates(kernel: ModuleType) -> None:
    text = "1 Q0 a 1 nan x\n1 Q0 a 1 1 x\n1 Q0 a 1 x x\n1 Q0 a 1 2 x\n"
    expected = [(1, "nan"), (3, "score", b"x"), (4, "duplicate", b"1", b"a", 2)]
    assert problems(run, kernel, text) == expected
    assert problems(run, kernel, text, "best") == expected[:2]


def test_ids_in_problems_are_cut_and_compared_whole(kernel: ModuleType) -> None:
    topic, item = "t" * 100, "i" * 100
    text = f"{topic} 0 {item} 1\n{topic} 0 {item}i 2\n{topic} 0 {item} 2\n"
    assert problems(qrels, kernel, text) == [(3, "conflict", b"t" * 60, b"i" * 60, 1, 1, 2)]


def _columns(rows: list[tuple[str, str, float]]) -> tuple[Any, ...]:
    topics, items = Ids.of([topic for topic, _, _ in rows]), Ids.of([item for _, item, _ in rows])
    return topics.data, topics.start, items.data, items.start, [value for _, _, value in rows]


def group_run(
    kernel: ModuleType, rows: list[tuple[str, str, float]], duplicates: str = "error"
) -> Any:
    *ids, score = _columns(rows)
    return kernel.group_run(*ids, np.array(score, np.float64), duplicates, 1)


def group_qrels(
    kernel: ModuleType, rows: list[tuple[str, str, float]], duplicates: str = "error"
) -> Any:
    *ids, grade = _columns(rows)
    return kernel.group_qrels(*ids, np.array(grade, np.int64), duplicates, 1)


@pytest.mark.parametrize("duplicates", ["first", "last", "best"])
def test_columns_are_grouped_as_lines_are(kernel: ModuleType, duplicates: str) -> None:
    rows = [(f[0], f[2], int(f[3])) for f in map(str.split, QRELS.splitlines())]
    *layout, score, _tag, dropped = run(kernel, RUN, duplicates)
    assert bits(group_run(kernel, rows, duplicates)) == bits((*layout, score, dropped))
    assert bits(group_qrels(kernel, rows, duplicates)) == bits(qrels(kernel, QRELS, duplicates))


def test_columns_number_their_problems_by_row(kernel: ModuleType) -> None:
    rows = [("1", "a", 1), ("2", "a", 1), ("1", "a", 2), ("1", "a", 1)]
    duplicate = ("duplicate", b"1", b"a", 1)
    assert problems(group_run, kernel, rows) == [(3, *duplicate), (4, *duplicate)]
    assert problems(group_qrels, kernel, rows) == [(3, "conflict", b"1", b"a", 1, 1, 2)]


def test_columns_may_hold_any_text_and_infinite_scores(kernel: ModuleType) -> None:
    rows = [("", "", inf), ("a b", "\0\n", -inf), ("é", "#", -0.0), ("", "\t", 0.0)]
    result = group_run(kernel, rows)
    assert table(result) == {
        "": [("", inf), ("\t", 0.0)],
        "a b": [("\0\n", -inf)],
        "é": [("#", 0.0)],
    }
    assert np.signbit(result[5]).tolist() == [False, False, True, True]


def test_columns_may_be_a_part_of_larger_ones(kernel: ModuleType) -> None:
    topics, items = Ids.of(["9", "1", "2", "1"]), Ids.of(["xyz", "a", "b", "c"])
    part = (
        topics.data,
        topics.start[1:],
        items.data,
        items.start[1:],
        np.array([3, 2, 1]),
        "error",
        1,
    )
    assert table(kernel.group_qrels(*part)) == {"1": [("a", 3), ("c", 1)], "2": [("b", 2)]}


@pytest.mark.parametrize("duplicates", ["", "Error", "worst"])
def test_there_are_four_ways_to_treat_repeats(kernel: ModuleType, duplicates: str) -> None:
    with pytest.raises(ValueError, match="allowed are error, first, last, best"):
        run(kernel, RUN, duplicates)
    with pytest.raises(ValueError, match="allowed are error, first, last, best"):
        qrels(kernel, QRELS, duplicates)
    with pytest.raises(ValueError, match="allowed are error, first, last, best"):
        group_qrels(kernel, [("1", "a", 1)], duplicates)


def test_no_rows_at_all(kernel: ModuleType) -> None:
    assert problems(group_run, kernel, []) == [(0, "empty")]
    assert problems(group_qrels, kernel, []) == [(0, "empty")]


def test_columns_are_taken_as_they_are(kernel: ModuleType) -> None:
    """Readers check values; a kernel that groups has no opinion about them."""
    rows = [("1", "a", nan), ("2", "a", 1), ("1", "b", inf)]
    assert group_run(kernel, rows)[5].tobytes() == np.array([nan, inf, 1.0]).tobytes()
    assert table(group_qrels(kernel, [("1", "a", 2**40), ("1", "b", -1)])) == {
        "1": [("a", 2**40), ("b", -1)]
    }
