"""Rows and columns that have names are never paired by position where these names say otherwise.

Why the old tests missed it: the columns of frames were matched by name, but every Series and frame
of the tests had the rows that pandas numbers; and comparisons of several systems were only given
arrays and mappings.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import precall as pc
from tests.peers import peer

pandas = peer("pandas", "pandas is not installed: no rows have names")
polars = peer("polars", "Polars is not installed: no frame was compared")
pyarrow = peer("pyarrow", "PyArrow is not installed: no frame was compared")


RNG = np.random.default_rng(3)
ROWS = [f"case {i}" for i in range(40)]
TRUTH = pandas.Series(RNG.integers(0, 2, 40), index=ROWS)
SCORE = pandas.Series(RNG.random(40) + TRUTH.to_numpy(), index=ROWS)
ORDER = RNG.permutation(40)
CALLS: dict[str, Any] = {
    "curve": lambda y, s: pc.curve(y, s).average_precision(),
    "average_precision": pc.average_precision,
    "area_under_roc": pc.area_under_roc,
    "added": lambda y, s: pc.ScoredCases().add(y, s),
    "interval": lambda y, s: pc.interval.area_under_roc(y, s).estimate,
    "compare": lambda y, s: pc.compare.cases(y, s, s.to_numpy(), "AUC").difference,
    "second": lambda y, s: pc.compare.cases(y, y.to_numpy(), s, "AUC").difference,
    "weights": lambda y, s: pc.curve(y, s.to_numpy(), weights=s).average_precision(),
    "groups": lambda y, s: (
        pc.interval.area_under_roc(y, y.to_numpy(), groups=s.astype(int)).estimate
    ),
    "decisions": lambda y, s: pc.decisions(y, (s > 1).astype(int)).f(),
    "decided": lambda y, s: pc.compare.decisions(y, y.to_numpy(), (s > 1).astype(int)).p,
    "categorize": lambda y, s: pc.categorize(y, pandas.DataFrame({0: 1 - s, 1: s})).macro("AP"),
}


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("call", CALLS)
def test_rows_in_another_order_are_refused(call: str) -> None:
    with pytest.raises(
        pc.UsageError, match=r"both name the rows 'case 0', .* in another order; put them in one"
    ):
        CALLS[call](TRUTH, SCORE.iloc[ORDER])
    with pytest.raises(pc.UsageError, match=r"both name the rows 0, 1.* in another order"):
        CALLS[call](TRUTH.reset_index(drop=True), SCORE.reset_index(drop=True).iloc[ORDER])
    with pytest.raises(
        pc.UsageError, match=r"only \w+ has 'case 0', only \w+ has 'item 0'; select the same"
    ):
        CALLS[call](TRUTH, SCORE.rename(lambda row: row.replace("case", "item")))


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_rows_that_are_alike_or_have_no_names_are_paired() -> None:
    expected = pc.average_precision(TRUTH.to_numpy(), SCORE.to_numpy())
    mixed = TRUTH.iloc[ORDER], SCORE.iloc[ORDER]
    for y, s in (
        (TRUTH, SCORE),
        mixed,
        (TRUTH, SCORE.to_numpy()),
        (TRUTH, SCORE.reset_index(drop=True)),
        (TRUTH, SCORE.iloc[ORDER].reindex(TRUTH.index)),
        (TRUTH, polars.Series(SCORE.to_numpy())),
        (
            TRUTH.set_axis(range(100, 140)),
            SCORE.reset_index(drop=True),
        ),  # a part of a frame, and what was made for it
        (TRUTH.set_axis([0] * 40), SCORE.set_axis([0] * 40)),
    ):
        assert pc.average_precision(y, s) == pytest.approx(expected, abs=1e-15)


def test_columns_that_are_numbers_in_another_order() -> None:
    matrix = (RNG.random((30, 3)) < 0.4).astype(int)
    numbered = pandas.DataFrame(matrix)
    turned = pandas.DataFrame(matrix)[[2, 0, 1]]
    assert pc.decisions(numbered, turned).f(average="micro") == 1.0
    assert pc.decisions(turned, numbered).f(average="micro") == 1.0


def test_columns_of_structured_arrays() -> None:
    frame = pandas.DataFrame((RNG.random((30, 3)) < 0.4).astype(int), columns=list("abc"))
    turned = frame[["c", "a", "b"]].to_records(index=False)
    found = pc.decisions(frame.to_records(index=False), turned)
    assert found.categories == ("a", "b", "c") and found.f(average="micro") == 1.0
    assert pc.decisions(np.asarray(turned), frame).f(average="micro") == 1.0


def test_a_gap_in_a_frame_is_named() -> None:
    frame = pandas.DataFrame({"a": [1, 0, 1], "b": [0, 1, 1]}).astype("Int64")
    gap = frame.mask(frame.index.to_series() == 1)
    with pytest.raises(pc.DataError, match="a cell of the items x categories matrix is <NA>"):
        pc.decisions(frame, gap)


VALUES = {name: RNG.random(12) for name in ("bm25", "dense", "mixed")}


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_systems_are_called_as_their_columns(make: Any) -> None:
    found, right = pc.compare.many(make(VALUES)), pc.compare.many(VALUES)
    assert found.names == tuple(VALUES) and found.means == right.means
    assert [one.p for one in found.pairs] == [one.p for one in right.pairs]
    assert pc.compare.many(make(VALUES), names=["x", "y", "z"]).names == ("x", "y", "z")


def test_systems_without_names_are_numbered() -> None:
    matrix = np.array(list(VALUES.values())).T
    assert (
        pc.compare.many(matrix).names
        == pc.compare.many(pandas.DataFrame(matrix)).names
        == ("1", "2", "3")
    )
