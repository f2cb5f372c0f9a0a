"""Lists of unlike length gave NumPy's own ValueError, or its words inside an error, where labels, a
matrix or a column were expected: `pc.interval.macro_f([["a", "b"], ["a"]])`.

Older tests gave arguments of the wrong kind, but no lists that NumPy cannot make an array of.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import precall as pc
from precall.compat import sklearn

RAGGED = [["a", "b"], ["a"], ["b", "c"]]
DEEPER = [[["a"], ["b", "c"]], [["a"]], [["a"]]]
MIXED = [1, [0, 1], 0]
SCORES = [0.1, 0.2, 0.3]

CALLS: dict[str, Callable[[object], object]] = {
    "macro_f": pc.interval.macro_f,
    "micro_f": pc.interval.micro_f,
    "mean": pc.interval.mean,
    "two_way": pc.interval.two_way,
    "curve": lambda given: pc.curve(given, SCORES),
    "scores of a curve": lambda given: pc.curve([1, 0, 1], given),
    "weights": lambda given: pc.curve([1, 0, 1], SCORES, given),
    "max_f": lambda given: pc.interval.max_f(given, SCORES),
    "cases": lambda given: pc.compare.cases(given, SCORES, SCORES),
    "paired": lambda given: pc.compare.paired(given, SCORES),
    "many": pc.compare.many,
    "accuracy_score": lambda given: sklearn.accuracy_score(given, [1, 0, 1]),
}


@pytest.mark.parametrize("given", [RAGGED, DEEPER, MIXED], ids=["ragged", "deeper", "mixed"])
@pytest.mark.parametrize("call", CALLS)
def test_it_is_said_which_entries_differ(call: str, given: object) -> None:
    with pytest.raises(pc.PrecallError) as caught:
        CALLS[call](given)
    assert "inhomogeneous" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (RAGGED, "got lists of unlike length: entry [0] has 2 values, [1] has 1"),
        (DEEPER, "got lists of unlike length: entry [0] has 2 values, [1] has 1"),
        ([[[1, 2], [3]], [[1], [2]]], "entry [0][0] has 2 values, [0][1] has 1"),
        (MIXED, "got a list as entry [1] and none as [0]"),
        ([["a"], "bc"], "got a list as entry [0] and none as [1]"),
    ],
)
def test_the_entries(given: object, told: str) -> None:
    with pytest.raises(pc.UsageError) as caught:
        pc.interval.macro_f(given)
    assert told in str(caught.value)


def test_ids_that_are_arrays() -> None:
    with pytest.raises(pc.DataError, match="an id is a string or an integer"):
        pc.ranking([np.array([1, 2]), 3], ["a"])


@pytest.mark.parametrize("given", [pd.Series([1, 2]), ([1],), np.array(["t", "t"])])
def test_columns_are_no_choice(given: object) -> None:
    """pandas' ValueError on truth values came through."""
    with pytest.raises(pc.UsageError, match="test: got"):
        pc.compare.paired(SCORES, SCORES, test=given)
    with pytest.raises(pc.UsageError, match="undefined: got"):
        pc.compare.paired(SCORES, SCORES, undefined=given)


@pytest.mark.parametrize("name", [1, ("a", "b"), b"a"])
def test_names_of_columns_of_files_are_texts(name: object) -> None:
    """A TypeError of `re` came through."""
    with pytest.raises(pc.UsageError, match="score: must be a name of a column"):
        pc.ScoredCases.scan("cases.csv", label="y", score=[name])


def test_bytes_are_no_list_of_numbers() -> None:
    """Each byte was looked up as the name of a measure."""
    runs = {"a": {"q": {"d": 1.0}}, "b": {"q": {"d": 2.0}}}
    report = pc.evaluate({"q": {"d": 1}}, runs, ["AP", "RR"])
    with pytest.raises(pc.UsageError, match="AP'\" is not in the report"):
        pc.compare(report, measures=b"AP")


@pytest.mark.parametrize(
    "call",
    [
        lambda huge: pc.curve([1, 0], [0.1, 0.2], positive=huge),
        lambda huge: pc.interval([huge, 1], "AP"),
    ],
)
def test_integers_beyond_float64(call: Callable[[int], object]) -> None:
    """Python's OverflowError came through."""
    with pytest.raises(pc.PrecallError):
        call(10**4000)
    assert pc.categorize([10**4000, 1], np.eye(2)).categories == (1, 10**4000)
