"""What is named as a category is a label, and named once, at every door.

Why the old tests missed it: names were given twice beside labels, not beside a matrix, which has
none to look up; and what has no hash was a label in them, no category.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall import compare
from precall.compat import sklearn
from precall.hard_decisions.table_io import read_decisions

LABELS, SCORES = ["a", "b", "a"], [[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]]
MATRIX = [[1, 0], [0, 1], [1, 0]]
SETS = [[label] for label in LABELS]
DOORS: dict[str, Callable[[Any], Any]] = {
    "labels": lambda names: pc.decisions(LABELS, LABELS, categories=names),
    "sets": lambda names: pc.decisions(SETS, SETS, categories=names),
    "matrices": lambda names: pc.decisions(MATRIX, MATRIX, categories=names),
    "scores": lambda names: pc.categorize(LABELS, SCORES, names),
    "scores of a matrix": lambda names: pc.categorize(MATRIX, SCORES, names),
    "batches": pc.ScoredCategories,
    "two systems": lambda names: compare.decisions(LABELS, LABELS, LABELS, categories=names),
    "thresholds": lambda names: (
        pc.categorize(LABELS, SCORES, ["a", "b"]).thresholds("max-f").matched(names)
    ),
}
WRONG: dict[str, Any] = {
    "no hash": [["a"], ["b"]],
    "a dict": ["a", {}],
    "an array": np.array([["a"], ["b"]]),
    "None": ["a", None],
    "NaN": ["a", float("nan")],
    "a NaN of NumPy": np.array([1, np.nan]),
    "no time": np.array(["2020-01-01", "NaT"], "M8[s]"),
    "twice": ["a", "a"],
    "twice as numbers": [1, 1.0],
    "a number": 7,
    "a set": {"a", "b"},
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("wrong", WRONG)
def test_a_category_is_a_label_and_named_once(door: str, wrong: str) -> None:
    with pytest.raises(pc.UsageError) as refused:
        DOORS[door](WRONG[wrong])
    assert refused.value.argument == "categories"


@pytest.mark.parametrize("wrong", WRONG)
def test_so_it_is_of_tables(wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("t,p\na,a\nb,b\n")
    with pytest.raises(pc.UsageError) as refused:
        read_decisions(str(path), "t", "p", categories=WRONG[wrong])
    assert refused.value.argument == "categories"


@pytest.mark.parametrize("wrong", [wrong for wrong in WRONG if "twice" not in wrong])
def test_labels_of_scikit_learn_are_labels(wrong: str) -> None:
    """It takes those that are named twice."""
    names = WRONG[wrong]
    for call in (sklearn.f1_score, sklearn.confusion_matrix, sklearn.classification_report):
        with pytest.raises(pc.UsageError):
            call(LABELS, LABELS, labels=names)
    for labels in (names, [None], [{}]):
        with pytest.raises(pc.UsageError):
            sklearn.classification_report(LABELS, LABELS, target_names=labels)
