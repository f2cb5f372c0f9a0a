"""Truth as texts and decisions as numbers ("1" and 1) became four categories with two names, and
their table broke off with the error of a `zip`. The old tests mixed types, but no two labels that
are written alike; nor did they print them.
"""

from __future__ import annotations

import warnings

import pytest

import precall as pc
from precall.core.notes.of_reading import OneNumberTwice, TwoWaysOfLabels
from tests.noticed import warned


@pytest.mark.parametrize(
    ("truth", "predicted", "categories", "label"),
    [
        ([{"1"}, {2}], [{1}, {2}], None, "1"),
        ([True, "True"], ["True", "True"], None, "True"),
        ([[0, 1], [1, 0]], [[0, 1], [1, 1]], ["1", 1], "1"),
        (["1", "2"], ["1", "2"], ["1", 1, "2"], "1"),
    ],
)
def test_are_refused(truth, predicted, categories, label):
    with pytest.raises(
        pc.UsageError,
        match=rf"category '{label}' is there as \w+ and as \w+; write all of them as one type",
    ):
        pc.decisions(truth, predicted, categories)


def test_others_of_two_types_are_categories():
    made = pc.decisions([1, "a", 2.5], [1, "a", "a"])
    assert made.categories == (2.5, 1, "a") and "2.5" in str(made)


def test_are_refused_of_scores():
    with pytest.raises(pc.UsageError, match="category '1' is there as int and as str"):
        pc.categorize([{1}, {"1"}], [[0.1, 0.9], [0.2, 0.8]], categories=[1, "1"])


def test_numbers_written_in_two_ways_are_named() -> None:
    """A table that once had gaps writes "1.0"."""
    with warned(OneNumberTwice) as told:
        pc.decisions(["1", "2", "2"], ["1.0", "2.0", "2.0"])
    assert [(note.first, note.second) for note in told] == [("1", "1.0")]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pc.decisions(["1", "2", "nan"], ["1", "2", "nan"], ["1", "2", "nan"])
        pc.decisions(["1", "1.0"], ["1", "1.0"], ["1", "1.0"])


def test_labels_of_two_codes_are_named() -> None:
    with warned(TwoWaysOfLabels) as told:
        assert pc.decisions([-1, 1, 1], [0, 1, 1]).categories == (-1, 0, 1)
    assert [(note.signed, note.plain) for note in told] == [(("truth",), ("predicted",))]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pc.decisions([-1, 1, 1], [-1, 0, 1])  # of three on purpose
        assert pc.decisions([-1, 1, 1], [False, True, True]).categories == ("relevant",)


@pytest.mark.parametrize(
    ("truth", "predicted", "told"),
    [
        ([[3, 2]], [[0, 1]], "truth is sets, as 3 is neither 0 nor 1, predicted is matrix"),
        (
            [[0, 1], [1, 0]],
            [["c", "d"], ["d", "c"]],
            "predicted is sets, as 'c' is neither 0 nor 1; write all as",
        ),
        ([{"a"}], [[0, 1]], "truth is sets, as 'a' is neither 0 nor 1"),
    ],
)
def test_what_makes_rows_sets_is_named(truth, predicted, told) -> None:
    with pytest.raises(pc.UsageError, match=told):
        pc.decisions(truth, predicted)
