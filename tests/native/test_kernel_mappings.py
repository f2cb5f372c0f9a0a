"""Dict of dicts, and every problem of one; both kernels."""

from __future__ import annotations

from collections import OrderedDict
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.native.kernels import EITHER, problems, table

pytestmark = EITHER


class Scored:
    """Has a float's value, or fails to."""

    def __init__(self, score: Any) -> None:
        self.score = score

    def __float__(self) -> float:
        if isinstance(self.score, BaseException):
            raise self.score
        return self.score  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return "<scored>"


class Graded:
    """Has an integer's value, or fails to."""

    def __init__(self, grade: Any) -> None:
        self.grade = grade

    def __index__(self) -> int:
        if isinstance(self.grade, BaseException):
            raise self.grade
        return self.grade  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return "<graded>"


class Topics(dict[str, Any]):
    """A dict by another name."""


def test_order_is_that_of_the_dict(kernel: ModuleType) -> None:
    result = kernel.run_from_dict({"2": {"b": 1.5, "a": -inf}, "1": {"é": -0.0}}, False)
    assert table(result) == {"2": [("b", 1.5), ("a", -inf)], "1": [("é", 0.0)]}
    assert list(table(result)) == ["2", "1"] and result[5].dtype == np.float64
    result = kernel.qrels_from_dict({"2": {"b": 1, "a": -1}, "1": {"é": 0}})
    assert table(result) == {"2": [("b", 1), ("a", -1)], "1": [("é", 0)]}
    assert list(table(result)) == ["2", "1"] and result[5].dtype == np.int64


def test_a_topic_may_have_no_rows_but_there_must_be_a_topic(kernel: ModuleType) -> None:
    assert table(kernel.run_from_dict({"1": {}, "2": {"a": 1}}, False)) == {
        "1": [],
        "2": [("a", 1.0)],
    }
    assert table(kernel.qrels_from_dict({"1": {}})) == {"1": []}
    assert problems(kernel.run_from_dict, {}, False) == [(0, "empty")]
    assert problems(kernel.qrels_from_dict, {}) == [(0, "empty")]


@pytest.mark.parametrize(
    ("given", "score"),
    [
        (2, 2.0),
        (np.float32(0.1), float(np.float32(0.1))),
        (np.int8(-3), -3.0),
        (Decimal("0.1"), 0.1),
        (Fraction(1, 4), 0.25),
        (Scored(7.0), 7.0),
        (np.array(2.5), 2.5),
        (2**53 + 2, 2.0**53 + 2),
        (-(2**63), -(2.0**63)),
        (2**1000, 2.0**1000),
        (-inf, -inf),
        (np.float64(-0.0), -0.0),
        (np.longdouble(1.5), 1.5),
        (np.uint64(2**63), 2.0**63),
        ("1.5", 1.5),
        (b"-2", -2.0),
        (np.str_("1e3"), 1e3),
        ("9007199254740993.0", 2.0**53),
        (Decimal("1e300"), 1e300),
        ("-Infinity", -inf),
    ],
)
def test_whatever_has_a_float_is_a_score(kernel: ModuleType, given: Any, score: float) -> None:
    [(_, found)] = table(kernel.run_from_dict({"1": {"a": given}}, False))["1"]
    assert found.hex() == score.hex()


@pytest.mark.parametrize(
    "given",
    [
        "1,5",
        b" 1",
        "1_0",
        "0x1",
        "",
        bytearray(b"1"),
        1j,
        np.complex64(1),
        np.complex128(1),
        None,
        [],
        {},
        object,
        Graded(1),
        np.zeros(1),
        np.datetime64("NaT", "s"),
        np.datetime64(1, "s"),
        np.timedelta64(1, "s"),
        np.array(np.datetime64("NaT", "s")),
        Decimal("sNaN"),
        Scored("x"),
        Scored(1),
        Scored(ValueError("no")),
        Scored(RuntimeError("no")),
        np.zeros(2),
        True,
        np.True_,
    ],
)
def test_what_has_no_float_is_no_score(kernel: ModuleType, given: Any) -> None:
    expected = (0, "dict-score", "1", "a", repr(given)[:60])
    assert problems(kernel.run_from_dict, {"1": {"a": given}}, False) == [expected]


@pytest.mark.parametrize(
    "given",
    [
        2**53 + 1,
        -(2**63) + 1,
        2**63 - 1,
        10**300,
        np.int64(2**53 + 1),
        np.uint64(2**63 + 1),
        "9007199254740993",
        Decimal(2**53 + 1),
        Fraction(1, 3),
        np.longdouble("0.1"),
        np.array(np.longdouble("0.1")),
    ],
)
def test_what_float64_does_not_hold_is_refused(kernel: ModuleType, given: Any) -> None:
    expected = (0, "inexact", "1", "a", repr(given)[:60])
    assert problems(kernel.run_from_dict, {"1": {"a": given}}, False) == [expected]


@pytest.mark.parametrize("given", [10**400, "1e309", Decimal("-1e999"), Fraction(10**400)])
def test_what_is_beyond_float64_is_refused(kernel: ModuleType, given: Any) -> None:
    expected = (0, "score-range", "1", "a", repr(given)[:60])
    assert problems(kernel.run_from_dict, {"1": {"a": given}}, False) == [expected]


@pytest.mark.parametrize("given", [nan, np.float32(nan), Decimal("NaN"), Scored(-nan), "nan"])
def test_nan_is_no_score(kernel: ModuleType, given: Any) -> None:
    assert problems(kernel.run_from_dict, {"é": {"a": given}}, False) == [(0, "nan", "é", "a")]


def test_float32_scores_are_rounded_and_widened_back(kernel: ModuleType) -> None:
    result = kernel.run_from_dict({"1": {"a": 0.1, "b": 16777217, "c": inf, "d": "0.1"}}, True)
    kept = [("a", 0.10000000149011612), ("b", 16777216.0), ("c", inf), ("d", 0.10000000149011612)]
    assert table(result) == {"1": kept}
    for given in (1e300, -1e39, 2**128, "1e39", np.float64(1e39)):
        expected = [(0, "float32-range", "1", "a", repr(given))]
        assert problems(kernel.run_from_dict, {"1": {"a": given}}, True) == expected
        many = {str(i): {str(j): 1.0 for j in range(50)} for i in range(50)} | {"1": {"a": given}}
        assert problems(kernel.run_from_dict, many, True, 2, chunk=50) == expected


@pytest.mark.parametrize(
    ("given", "grade"),
    [
        (2, 2),
        (True, 1),
        (np.int64(-7), -7),
        (np.uint8(9), 9),
        (Graded(4), 4),
        (2**31 - 1, 2**31 - 1),
        (-(2**31), -(2**31)),
    ],
)
def test_whatever_is_an_index_is_a_grade(kernel: ModuleType, given: Any, grade: int) -> None:
    assert table(kernel.qrels_from_dict({"1": {"a": given}})) == {"1": [("a", grade)]}


@pytest.mark.parametrize(
    "given",
    [1.0, np.float64(1), "1", b"1", None, nan, Decimal(1), Graded("x"), Graded(ValueError("no"))],
)
def test_what_is_no_index_is_no_grade(kernel: ModuleType, given: Any) -> None:
    assert problems(kernel.qrels_from_dict, {"1": {"a": given}}) == [
        (0, "dict-grade", "1", "a", repr(given)[:60])
    ]


@pytest.mark.parametrize(
    "given", [2**31, -(2**31) - 1, 2**63, 10**80, Graded(2**64), np.uint64(2**63)]
)
def test_a_grade_must_fit(kernel: ModuleType, given: Any) -> None:
    assert problems(kernel.qrels_from_dict, {"1": {"a": given}}) == [
        (0, "grade-range", "1", "a", repr(given)[:60])
    ]


@pytest.mark.parametrize("key", [1, None, b"1", ("1",), "\ud800", "a\udfffb", nan, "\ud800" * 30])
def test_ids_must_be_text(kernel: ModuleType, key: Any) -> None:
    topic, item = (0, "dict-topic", repr(key)[:60]), (0, "dict-item", "1", repr(key)[:60])
    assert problems(kernel.run_from_dict, {key: {"a": 1.0}}, False) == [topic]
    assert problems(kernel.qrels_from_dict, {key: {"a": 1}}) == [topic]
    assert problems(kernel.run_from_dict, {"1": {key: 1.0}}, False) == [item]
    assert problems(kernel.qrels_from_dict, {"1": {key: 1}}) == [item]


@pytest.mark.parametrize("items", [[("a", 1)], "a", None, 1, np.zeros(1)])
def test_items_must_be_a_dict(kernel: ModuleType, items: Any) -> None:
    expected = (0, "dict-items", "1", type(items).__name__)
    assert problems(kernel.run_from_dict, {"1": items}, False) == [expected]
    assert problems(kernel.qrels_from_dict, {"1": items}) == [expected]


def test_a_subclass_of_dict_and_of_str_will_do(kernel: ModuleType) -> None:
    assert table(kernel.run_from_dict(Topics({np.str_("1"): Topics(a=1)}), False)) == {
        "1": [("a", 1.0)]
    }
    assert table(kernel.qrels_from_dict(Topics({np.str_("1"): Topics(a=1)}))) == {"1": [("a", 1)]}


def test_items_stand_as_the_dict_lists_them(kernel: ModuleType) -> None:
    items = OrderedDict(a=1, b=2)
    items.move_to_end("a")
    assert table(kernel.run_from_dict(OrderedDict({"1": items}), False)) == {
        "1": [("b", 2.0), ("a", 1.0)]
    }
    topics = OrderedDict({"1": {}, "2": {}})
    topics.move_to_end("1")
    assert list(table(kernel.qrels_from_dict(topics))) == ["2", "1"]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_value_may_change_the_dict_that_is_read(kernel: ModuleType, threads: int) -> None:
    given: dict[str, Any] = {}

    class Clearing(Scored):
        def __float__(self) -> float:
            for items in list(given.values()):
                items.clear()
            given.clear()
            return super().__float__()

    given |= {"1": {"a": Clearing(1.0), "b": 2.5, "c" * 99: Clearing(3.0)}, "2": {"d": 4.0}}
    expected = {"1": [("a", 1.0), ("b", 2.5), ("c" * 99, 3.0)], "2": []}
    assert table(kernel.run_from_dict(given, False, threads, chunk=1)) == expected


def test_a_value_that_cannot_be_shown_is_a_problem_all_the_same(kernel: ModuleType) -> None:
    # repr() refuses integers of thousands of digits.
    huge = 10**5000
    assert problems(kernel.run_from_dict, {"1": {"a": huge}}, False) == [
        (0, "score-range", "1", "a", "<int>")
    ]
    assert problems(kernel.qrels_from_dict, {"1": {"a": huge}}) == [
        (0, "grade-range", "1", "a", "<int>")
    ]


def test_an_interrupt_is_no_problem_of_the_input(kernel: ModuleType) -> None:
    with pytest.raises(KeyboardInterrupt):
        kernel.run_from_dict({"1": {"a": Scored(KeyboardInterrupt())}}, False)
    with pytest.raises(KeyboardInterrupt):
        kernel.qrels_from_dict({"1": {"a": Graded(KeyboardInterrupt())}})


def test_a_key_is_judged_before_its_value(kernel: ModuleType) -> None:
    given = {1: None, "2": {3: "x", "a": "x", "b": 1}, "4": 4}
    expected = [(0, "dict-topic", "1"), (0, "dict-item", "2", "3")]
    rest = [(0, "dict-items", "4", "int")]
    assert problems(kernel.run_from_dict, given, False) == [
        *expected,
        (0, "dict-score", "2", "a", "'x'"),
        *rest,
    ]
    assert problems(kernel.qrels_from_dict, given) == [
        *expected,
        (0, "dict-grade", "2", "a", "'x'"),
        *rest,
    ]


def test_only_the_first_twenty_problems_are_kept(kernel: ModuleType) -> None:
    given = {"1": {str(i): None for i in range(50)}}
    found = problems(kernel.run_from_dict, given, False)
    assert found == [(0, "dict-score", "1", str(i), "None") for i in range(20)]


def test_any_text_may_be_an_id(kernel: ModuleType) -> None:
    assert table(kernel.run_from_dict({"": {"": 1, "\0": 2, "a b\n": 3}}, False)) == {
        "": [("", 1.0), ("\0", 2.0), ("a b\n", 3.0)]
    }
