"""A positive label that no case has, and scores in the place of labels, are errors that say so.

Why the old tests missed it: `positive=` was tried with labels that occur and with values of another
type only, and every call had its arguments in their order.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cases import ScoredCases
from precall.cases.table import read_cases

LABELS = ["spam", "ham", "spam", "ham"]
SCORES = [0.9, 0.8, 0.4, 0.3]
CALLS: dict[str, Callable[..., Any]] = {
    "curve": lambda y, s, **chosen: pc.curve(y, s, **chosen),
    "average precision": lambda y, s, **chosen: pc.average_precision(y, s, **chosen),
    "area under ROC": lambda y, s, **chosen: pc.area_under_roc(y, s, **chosen),
    "interval": lambda y, s, **chosen: pc.interval.average_precision(y, s, **chosen),
    "comparison": lambda y, s, **chosen: pc.compare.cases(y, s, s, "AP", **chosen),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    ("labels", "positive", "listed"),
    [
        (LABELS, "Spam", "'spam', 'ham'"),
        ([0, 1, 2, 1], 3, "0, 1, 2"),
        (np.array([0.0, 1.0, 0.0, 1.0]), 2, r"0\.0, 1\.0"),
        ([True, True, True, True], False, "True"),
    ],
)
def test_a_label_that_never_occurs(name: str, labels: Any, positive: Any, listed: str) -> None:
    with pytest.raises(
        pc.UsageError, match=f"positive: no label is {positive!r}; the labels are {listed}$"
    ):
        CALLS[name](labels, SCORES, positive=positive)


def test_many_labels_are_listed_in_part() -> None:
    with pytest.raises(pc.UsageError, match=r"the labels are (\d+, ){20}\.\.\.$"):
        pc.curve(list(range(100)), np.arange(100.0), positive=-5)


def test_a_part_of_the_cases_may_have_no_positive_one() -> None:
    cases = ScoredCases()
    cases.add(["ham", "ham"], [0.1, 0.2], positive="spam")
    cases.add(["spam"], [0.3], positive="spam")
    assert cases.average_precision() == 1.0
    assert len(pc.curve([], [], positive="spam")) == 1


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    ("labels", "chosen"),
    [
        ([1, 0, 1, 0], {}),
        (np.array([True, False, True, False]), {}),
        ([1, -1, 1, -1], {}),
        (LABELS, {}),
        (LABELS, {"positive": "spam"}),
        ([2, 1, 2, 1], {"positive": 2}),
    ],
)
def test_scores_in_the_place_of_labels(name: str, labels: Any, chosen: Any) -> None:
    with pytest.raises(
        pc.UsageError, match=r"relevant and score are swapped: .*; pass the labels first"
    ):
        CALLS[name](SCORES, labels, **chosen)


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(pc.DataError, match=r"relevant: label 2 of case 1 is not"):
        pc.curve([0, 2, 1, 1], SCORES)
    with pytest.raises(pc.UsageError, match="of equal length, got 2 labels and 4 scores"):
        pc.curve([0, 1], SCORES)


@pytest.mark.parametrize("labels", [["yes", "no"], ["yes", "1"], [3, 4], [1, 2], [0.25, 1]])
def test_memory_and_files_say_the_same_of_labels(labels: list[Any], tmp_path: Path) -> None:
    table = tmp_path / "x.csv"
    table.write_text("y,s\n" + "".join(f"{label},{i + 5}\n" for i, label in enumerate(labels)))
    with pytest.raises(pc.DataError) as in_memory:
        pc.curve(labels, [0.1, 0.2])
    with pytest.raises(pc.DataError) as in_file:
        read_cases(str(table), "y", ["s"])
    (problem,), (first, *_) = in_memory.value.problems, in_file.value.problems
    # A file is quoted, and memory names the case.
    words = first.what.removeprefix("column {column}: ").removeprefix("label {got}")
    assert words in problem.what and first.todo == problem.todo
    assert str(first.got).replace("'", "") == str(problem.got).replace("'", "")


@pytest.mark.parametrize(
    "truth", [["a", "b", "a"], [{"a"}, {"b"}, {"a", "b"}], [[1, 0], [0, 1], [1, 0]]]
)
def test_scores_of_categories_in_the_place_of_the_truth(truth: Any) -> None:
    with pytest.raises(pc.UsageError, match="truth and scores are swapped: pass the truth first"):
        pc.categorize([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]], truth)
