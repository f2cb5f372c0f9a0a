"""Columns called 0, 1, ... are names where other columns have names.

Older tests called columns a, b, c, or let pandas number those of both frames; pandas 3 keeps dict
keys 0, 1 as a `RangeIndex`, which was taken for no names at all.
"""

import pytest

import precall as pc
from tests.peers import peer

pandas = peer("pandas", "pandas is not installed: it is what numbers columns")


def test_texts_of_the_same_numbers_are_the_same_names() -> None:
    truth = pandas.DataFrame({0: [0, 1], 1: [1, 0]})
    turned = pandas.DataFrame({"1": [1, 0], "0": [0, 1]})
    assert pc.decisions(truth, turned).f(average="micro") == 1.0
    assert pc.decisions(turned, truth).f(average="micro") == 1.0
    assert pc.decisions(turned, truth).categories == ("1", "0")
    assert pc.decisions(truth, turned, categories=["1", "0"]).f(average="micro") == 1.0


def test_whole_numbers_in_another_order_as_before() -> None:
    truth = pandas.DataFrame([[0, 1, 1], [1, 0, 0]])
    assert pc.decisions(truth, truth[[2, 1, 0]]).f(average="micro") == 1.0
    assert pc.decisions(truth, truth, categories=[2, 1, 0]).categories == (2, 1, 0)


@pytest.mark.parametrize("call", [pc.decisions, pc.categorize])
def test_other_names_are_an_error_that_lists_both(call) -> None:  # type: ignore[no-untyped-def]
    numbered, named = (
        pandas.DataFrame([[0, 1], [1, 0]]),
        pandas.DataFrame({"b": [0, 1], "a": [1, 0]}),
    )
    with pytest.raises(
        pc.UsageError, match="only truth has 0, 1, only (predicted|scores) has 'b', 'a'"
    ):
        call(numbered, named)
    with pytest.raises(
        pc.UsageError, match="only truth has 'b', 'a', only (predicted|scores) has 0, 1"
    ):
        call(named, numbered)


def test_names_that_were_asked_for_are_those_of_the_columns_in_order() -> None:
    numbered, named = (
        pandas.DataFrame([[0, 1], [1, 0]]),
        pandas.DataFrame({"b": [1, 0], "a": [0, 1]}),
    )
    assert pc.decisions(numbered, named, categories=["a", "b"]).f(average="micro") == 1.0
    assert pc.decisions(numbered, numbered, categories=["a", "b"]).f(average="micro") == 1.0
