"""Columns of data frames are categories by their names: in another order they are matched, other
names are an error.

Why the old tests missed it: all matrices of the tests were arrays, or frames whose columns stood in
the same order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.results.sheets import Table
from tests.peers import peer

pandas = peer("pandas", "pandas is not installed: no frame was matched")
polars = peer("polars", "Polars is not installed: no frame was matched")
pyarrow = peer("pyarrow", "PyArrow is not installed: no frame was matched")


RNG = np.random.default_rng(5)
NAMES = ["a", "b", "c"]
TRUTH = (RNG.random((40, 3)) < [0.5, 0.3, 0.2]).astype(int)
SAID = np.where(RNG.random((40, 3)) < 0.8, TRUTH, 1 - TRUTH)
SCORES = RNG.random((40, 3)) + TRUTH
LABELS = RNG.choice(NAMES, 40).tolist()
MAKERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": lambda columns: pandas.DataFrame(columns),
    "polars": lambda columns: polars.DataFrame(columns),
    "polars lazy": lambda columns: polars.LazyFrame(columns),
    "record batch": lambda columns: pyarrow.record_batch(columns),
    "table of precall": lambda columns: Table(columns),
    "pyarrow": lambda columns: pyarrow.table(columns),
}


def frame(make: str, matrix: Any, order: Any = (0, 1, 2), names: Any = NAMES) -> Any:
    return MAKERS[make]({names[place]: matrix[:, place] for place in order})


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("other", ["pandas", "polars"])
def test_another_order_is_matched(make: str, other: str) -> None:
    right = pc.decisions(TRUTH, SAID, categories=NAMES)
    found = pc.decisions(frame(make, TRUTH), frame(other, SAID, (2, 0, 1)))
    assert found.table.to_dict() == right.table.to_dict()
    turned = pc.decisions(frame(make, TRUTH, (1, 2, 0)), frame(other, SAID), categories=NAMES)
    assert turned.table.to_dict() == right.table.to_dict()
    same = frame(make, TRUTH, (2, 1, 0))
    assert pc.decisions(frame(other, TRUTH), same).f(average="micro") == 1.0


@pytest.mark.parametrize("make", MAKERS)
def test_scores_too(make: str) -> None:
    right = pc.categorize(LABELS, SCORES, categories=NAMES).by_category("AP")
    for order in ((0, 1, 2), (2, 0, 1)):
        found = pc.categorize(LABELS, frame(make, SCORES, order)).by_category("AP")
        assert found.names == tuple(NAMES[place] for place in order)
        assert dict(zip(found.names, found.values, strict=True)) == dict(
            zip(NAMES, right.values, strict=True)
        )
    of_frames = pc.categorize(frame(make, TRUTH, (1, 0, 2)), frame(make, SCORES))
    expected = pc.categorize(TRUTH, SCORES, categories=NAMES).by_category("AP")
    assert of_frames.categories == ("b", "a", "c")
    np.testing.assert_array_equal(of_frames.by_category("AP").values, expected.values[[1, 0, 2]])
    sets = [{one} for one in LABELS]
    assert pc.categorize(sets, frame(make, SCORES, (2, 0, 1))).categories == ("c", "a", "b")


def test_a_label_that_no_item_has_is_a_column() -> None:
    found = pc.categorize(["a", "c", "a"], frame("pandas", SCORES[:3]))
    assert found.categories == ("a", "b", "c") and found.truth.per_category().tolist() == [2, 0, 1]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("call", [pc.decisions, pc.categorize])
def test_other_names_are_listed(make: str, call: Any) -> None:
    with pytest.raises(
        pc.UsageError, match="only truth has 'c', only (predicted|scores) has 'd'; rename"
    ):
        call(frame(make, TRUTH), frame(make, SAID, names=["a", "b", "d"]))
    with pytest.raises(pc.UsageError, match="only categories has 'z'"):
        call(frame(make, TRUTH), frame(make, SAID), categories=[*NAMES, "z"])


def test_names_of_all_three_are_matched_in_comparisons() -> None:
    right = pc.compare.decisions(TRUTH, SAID, TRUTH[:, [1, 0, 2]], average="macro", rng=1)
    found = pc.compare.decisions(
        frame("pandas", TRUTH),
        frame("polars", SAID, (2, 1, 0)),
        frame("pandas", TRUTH[:, [1, 0, 2]], (1, 2, 0)),
        average="macro",
        rng=1,
    )
    assert (found.values, found.p) == (right.values, right.p)


def test_a_name_twice() -> None:
    twice = pandas.DataFrame(TRUTH, columns=["a", "a", "b"])
    with pytest.raises(pc.DataError, match="truth: 2 columns are called 'a'"):
        pc.decisions(twice, frame("pandas", SAID))


def test_columns_that_pandas_numbered_have_no_names() -> None:
    found = pc.categorize(LABELS, pandas.DataFrame(SCORES))
    assert found.categories == ("a", "b", "c")
    assert (
        found.by_category("AP").values.tolist()
        == pc.categorize(LABELS, SCORES).by_category("AP").values.tolist()
    )
    mixed = pc.decisions(pandas.DataFrame(TRUTH), frame("pandas", SAID), categories=NAMES)
    assert mixed.table.to_dict() == pc.decisions(TRUTH, SAID, categories=NAMES).table.to_dict()


def test_columns_are_no_labels_and_series_no_frames() -> None:
    assert pc.decisions(pandas.Series(LABELS), polars.Series(LABELS)).accuracy() == 1.0
    with pytest.raises(
        pc.DataError, match=r"truth: item 0 has category 'x' .*, allowed are 'a', 'b', 'c'"
    ):
        pc.categorize(["x"] * 40, frame("pandas", SCORES))


@pytest.mark.parametrize("method", ["max-f", "break-even", "proportion", "rank:1"])
def test_thresholds_follow_their_categories(method: str) -> None:
    learned = pc.categorize(TRUTH[:20], SCORES[:20], categories=NAMES).thresholds(method)
    here = pc.categorize(TRUTH[20:], SCORES[20:], categories=NAMES).decide(learned)
    turned = pc.categorize(
        frame("pandas", TRUTH[20:], (2, 0, 1)), frame("pandas", SCORES[20:])
    ).decide(learned)
    of = [
        dict(zip(one.categories, one.counts().tp.tolist(), strict=True)) for one in (here, turned)
    ]
    assert of[0] == of[1]
    other = pc.categorize(TRUTH[20:], SCORES[20:], categories=["a", "b", "z"])
    with pytest.raises(
        pc.UsageError,
        match="learned for other categories: only they have 'c', only the scores have 'z'; learn",
    ):
        other.decide(learned)
