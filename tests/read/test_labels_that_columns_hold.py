"""Labels, scores and groups are those that a column holds, in whatever library, and their order is
told, never guessed.

Why the old tests missed it: categories were lists in them, and the positive label one label;
relations of DuckDB had integers of 64 bits and texts, which NumPy has as they are; levels were
declared by columns of labels, in lists by those of Polars only; and cells of PyArrow stood in
columns, not in lists.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall import compare, interval
from precall.cases.scored_cases import group_indexes
from precall.core.notes.of_decisions import LeftOut
from precall.core.notes.of_reading import OneNumberTwice
from precall.hard_decisions.table_io import read_decisions
from tests.noticed import warned
from tests.peers import peer

duckdb = peer("duckdb", "DuckDB is not installed: no relation was read")
pandas = peer("pandas", "pandas is not installed: no column declares levels")
polars = peer("polars", "Polars is not installed: no column declares levels")
pyarrow = peer("pyarrow", "PyArrow is not installed: no column declares levels")


#: Two neighbours beyond 2^53, which are one number of float64.
ODD, EVEN = 2**53 + 1, 2**53
LEVELS = ["low", "mid", "high", "top"]
TRUE, PREDICTED = ["low", "mid", "high"], ["low", "high", "high"]
LISTS = [["low", "mid"], ["high"], ["mid"]], [["low"], ["high", "low"], ["mid"]]
SCORES = [[0.9, 0.1, 0.2], [0.2, 0.8, 0.1], [0.3, 0.2, 0.7]]


@pytest.mark.parametrize("kind", [set, frozenset])
def test_sets_are_no_order_of_categories(kind: type) -> None:
    names, labels = kind("abc"), ["a", "b", "c"]
    calls: list[Callable[[], Any]] = [
        lambda: pc.decisions(labels, labels, categories=names),
        lambda: pc.categorize(labels, SCORES, names),
        lambda: pc.ScoredCategories(names),
        lambda: compare.decisions(labels, labels, labels, categories=names),
        lambda: compare.many(np.eye(3), kind("abc")),
        lambda: pc.categorize(labels, SCORES).thresholds("max-f").matched(names),
        lambda: interval.average_precision([1, 0, 1], [0.3, 0.2, 0.1], groups=names),
    ]
    for call in calls:
        with pytest.raises(pc.UsageError, match="got (frozen)?set, which has no order"):
            call()
    assert pc.decisions(labels, labels, categories=dict.fromkeys("cab").keys()).categories == (
        "c",
        "a",
        "b",
    )


def _relation(columns: str, *rows: str) -> Any:
    return duckdb.sql(f"select * from (values {', '.join(rows)}) rows({columns})")


PAIRS = (ODD, ODD), (EVEN, EVEN), (ODD, EVEN)
NUMBERS = [f"({one}::hugeint, {other}::uhugeint, {one}.5::decimal(30, 1))" for one, other in PAIRS]


@pytest.fixture(params=["arrow", "python"])
def _without(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Relations are read with PyArrow, and where it is not installed."""
    if request.param == "python":
        import sys

        monkeypatch.setitem(sys.modules, "pyarrow", None)


@pytest.mark.usefixtures("_without")
def test_integers_and_decimals_of_duckdb_are_exact() -> None:
    table = _relation("h, u, d", *NUMBERS)
    assert pc.decisions(table["h"], table["u"]).accuracy() == pytest.approx(2 / 3)
    assert len(pc.decisions(table["d"], table["d"]).categories) == 2
    with pytest.raises(
        pc.UsageError, match="float64 does not hold it exactly|not exact as float64"
    ):
        pc.curve([1, 0, 1], table["h"])
    small = _relation(
        "y, s, g",
        *(
            f"({y}::hugeint, {s}::decimal(9, 2), {g}::hugeint)"
            for y, s, g in ((1, 0.25, ODD), (0, 0.5, EVEN), (1, 0.75, ODD), (0, 0.5, EVEN))
        ),
    )
    curve = pc.curve(small["y"], small["s"])
    assert (
        curve.average_precision()
        == pc.curve([1, 0, 1, 0], [0.25, 0.5, 0.75, 0.5]).average_precision()
    )
    assert group_indexes(small["g"], 4)[1].tolist() == [0, 1, 0, 1]


@pytest.mark.usefixtures("_without")
def test_lists_of_an_enum_of_duckdb_are_its_labels() -> None:
    kinds = [f"enum({', '.join(map(repr, names))})" for names in (LEVELS, LEVELS[::-1])]
    own, other = (f"varchar[]::{kind}[]" for kind in kinds)
    rows = [f"({true}::{own}, {decided}::{other})" for true, decided in zip(*LISTS, strict=True)]
    table = _relation("t, p", *rows)
    found = pc.decisions(table["t"], table["p"])
    assert found.categories == tuple(LEVELS)
    assert found.f(average="micro") == pc.decisions(*LISTS).f(average="micro") == 0.75


def _dictionary(labels: list[str]) -> Any:
    codes = pyarrow.array([LEVELS.index(label) for label in labels], pyarrow.int8())
    return pyarrow.DictionaryArray.from_arrays(codes, pyarrow.array(LEVELS), ordered=True)


def _in_lists(rows: list[list[str]], kind: str = "ListArray", size: Any = None) -> Any:
    ends = pyarrow.array(np.cumsum([0, *map(len, rows)]), size or pyarrow.int32())
    return getattr(pyarrow, kind).from_arrays(
        ends, _dictionary([label for row in rows for label in row])
    )


def _of_pandas(column: Any) -> Any:
    return pandas.Series(pandas.arrays.ArrowExtensionArray(pyarrow.chunked_array([column])))


FORMS: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "Arrow": ((TRUE, PREDICTED), _dictionary),
    "Arrow in pandas": ((TRUE, PREDICTED), lambda labels: _of_pandas(_dictionary(labels))),
    "lists of Arrow": (LISTS, _in_lists),
    "large lists of Arrow": (
        LISTS,
        lambda rows: _in_lists(rows, "LargeListArray", pyarrow.int64()),
    ),
    "chunks of lists of Arrow": (
        LISTS,
        lambda rows: pyarrow.chunked_array([_in_lists(rows[:1]), _in_lists(rows[1:])]),
    ),
    "lists of Arrow in pandas": (LISTS, lambda rows: _of_pandas(_in_lists(rows))),
    "lists of Polars": (
        LISTS,
        lambda rows: polars.Series(rows, dtype=polars.List(polars.Enum(LEVELS))),
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_levels_of_every_column(form: str) -> None:
    (true, predicted), made = FORMS[form]
    found = pc.decisions(made(true), made(predicted))
    assert (found.categories, found.truth.ordered) == (tuple(LEVELS), True)
    assert found.f(average="macro") == pc.decisions(true, predicted, categories=LEVELS).f(
        average="macro"
    )


@pytest.mark.parametrize("form", ["labels", "lists", "lists of Polars"])
def test_levels_of_lists_in_files(form: str, tmp_path: Path) -> None:
    import pyarrow.parquet

    path = str(tmp_path / "x.parquet")
    columns = (TRUE, PREDICTED) if form == "labels" else LISTS
    made = {
        "labels": _dictionary,
        "lists": _in_lists,
        "lists of Polars": FORMS["lists of Polars"][1],
    }[form]
    table = {"t": made(columns[0]), "p": made(columns[1])}
    if form == "lists of Polars":
        polars.DataFrame(table).write_parquet(path)
    else:
        pyarrow.parquet.write_table(pyarrow.table(table), path)
    assert read_decisions(path, "t", "p").categories == tuple(LEVELS)


SEVERAL: dict[str, Any] = {
    "list": [1, 2, 3],
    "array": np.array([1, 2, 3]),
    "tuple": (1,),
    "set": {1},
    "dict": {1: 2},
    "pandas": pandas.Series([1]),
    "Polars": polars.Series([1]),
    "Arrow": pyarrow.array([1]),
    "iterator": iter([1]),
}


@pytest.mark.parametrize("several", SEVERAL)
def test_the_positive_label_is_one(several: str) -> None:
    labels, scores, positive = [1, 2, 3], [0.3, 0.2, 0.1], SEVERAL[several]
    calls: list[Callable[[], Any]] = [
        lambda: pc.curve(labels, scores, positive=positive),
        lambda: pc.average_precision(labels, scores, positive=positive),
        lambda: interval.average_precision(labels, scores, positive=positive),
        lambda: compare.cases(labels, scores, scores[::-1], "AP", positive=positive),
        lambda: pc.decisions(labels, labels, positive=positive),
        lambda: compare.decisions(labels, labels, labels, positive=positive),
        lambda: pc.ScoredCases.scan([(labels, scores)], positive=positive),
    ]
    for call in calls:
        with pytest.raises(pc.UsageError, match="positive: must be one label, got"):
            call()


@pytest.mark.parametrize("one", [1, np.int64(1), np.array(1), pyarrow.scalar(1)], ids=repr)
def test_one_positive_label_of_any_library(one: Any) -> None:
    with pytest.warns(pc.PrecallWarning):  # there are several others
        assert pc.curve([1, 2, 3], [0.3, 0.2, 0.1], positive=one).average_precision() == 1
    with pytest.warns(pc.PrecallWarning):
        assert pc.decisions([1, 2, 3], [1, 2, 1], positive=one).precision() == 0.5


def test_cells_of_arrow_in_lists() -> None:
    def cells(values: list[Any]) -> list[Any]:
        return list(pyarrow.array(values))

    assert pc.decisions(cells(["a", "b"]), ["a", "a"]).accuracy() == 0.5
    assert pc.decisions(cells([["yes"], ["no", "yes"]]), [["yes"], ["no"]]).categories == (
        "no",
        "yes",
    )
    assert pc.curve(cells([1, 0]), cells([0.2, 0.3])).average_precision() == 0.5
    names, code = group_indexes(cells([*"abab"]), 4)
    assert (names, code.tolist()) == (["a", "b"], [0, 1, 0, 1])


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_matrices_of_numpy() -> None:
    true, predicted = np.array([[1, 0], [0, 1]]), np.array([[1, 1], [0, 1]])
    found = pc.decisions(np.asmatrix(true), np.asmatrix(predicted))
    assert found.f(average="micro") == pc.decisions(true, predicted).f(average="micro")
    scored = pc.categorize(np.asmatrix(true), np.asmatrix(predicted))
    assert scored.micro("AP") == pc.categorize(true, predicted).micro("AP")


def test_texts_beyond_float64_are_one_number_only_where_they_are() -> None:
    odd, even = str(ODD), str(EVEN)
    assert pc.decisions([odd, even], [odd, odd]).accuracy() == 0.5  # a warning would fail
    with warned(OneNumberTwice) as told:
        pc.decisions([odd, even, f"{even}.0"], [odd, odd, odd])
    assert {told[0].first, told[0].second} == {even, f"{even}.0"}


def test_an_undefined_share_of_pairs_is_no_zero() -> None:
    """PairAccuracy is .5 by chance, as the area under ROC is."""
    status = pc.categorize(
        [*"abab"],
        [[0.9, 0.1, 0.3], [0.2, 0.8, 0.3], [0.8, 0.3, 0.1], [0.1, 0.9, 0.2]],
        categories=[*"abc"],
    )
    for measure in ("PairAccuracy", "AUC"):
        with warned(LeftOut) as told:
            assert status.by_category(measure).mean() == 1
        assert (told[0].undefined, told[0].first, told[0].below_chance) == (1, "c", True)
