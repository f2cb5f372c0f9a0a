"""Truth as texts and decisions as numbers ("1" and 1) became four categories with two names, and their table broke off with
the error of a `zip`. The old tests mixed types, but no two labels that are written alike; nor did they print them.
"""

from __future__ import annotations

import pytest

import precall as pc


@pytest.mark.parametrize(
    ("truth", "predicted", "categories", "label"),
    [
        (["1", "0"], [1, 0], None, "0"),
        ([{"1"}, {2}], [{1}, {2}], None, "1"),
        ([True, "True"], ["True", "True"], None, "True"),
        ([[0, 1], [1, 0]], [[0, 1], [1, 1]], ["1", 1], "1"),
        (["1", "2"], ["1", "2"], ["1", 1, "2"], "1"),
    ],
)
def test_are_refused(truth, predicted, categories, label):
    with pytest.raises(
        pc.UsageError, match=rf"category '{label}' is there as \w+ and as \w+; write all labels as one"
    ):
        pc.decisions(truth, predicted, categories)


def test_others_of_two_types_are_categories():
    made = pc.decisions([1, "a", 2.5], [1, "a", "a"])
    assert made.categories == (2.5, 1, "a") and "2.5" in str(made)


def test_are_refused_of_scores():
    with pytest.raises(pc.UsageError, match="category '1' is there as int and as str"):
        pc.categorize([{1}, {"1"}], [[0.1, 0.9], [0.2, 0.8]], categories=[1, "1"])
