"""Lists of lists of 0 and 1: rows of a matrix, sets of labels, or neither can be told; never the
one in the place of the other.

Why the old tests missed it: bits were numbers of Python in them, never texts or decimals; and no
list of few numbers was a set of labels, as JSON, which has no sets, writes them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.hard_decisions.table_io import read_decisions, read_status
from tests.peers import peer

pandas = peer("pandas", "pandas is not installed: no column holds lists")
polars = peer("polars", "Polars is not installed: no column holds lists")
pyarrow = peer("pyarrow", "PyArrow is not installed: no column holds lists")


DOORS: dict[str, Callable[[Any], Any]] = {
    "lists": list,
    "tuples": lambda rows: [tuple(row) for row in rows],
    "pandas": pandas.Series,
    "polars": polars.Series,
    "arrow": pyarrow.array,
}
TRUE, PREDICTED = [[1, 0, 0], [0, 1, 1]], [[0, 1, 0], [1, 0, 1]]
TEXTS: dict[str, Callable[[int], str]] = {
    "0": str,
    "True": lambda bit: str(bool(bit)),
    "false": lambda bit: str(bool(bit)).lower(),
    "0.0": lambda bit: f"{bit}.0",
}
#: Sets of labels that are numbers, as JSON writes them, and those that are told as such.
SETS = [[0], [1, 2], [2]], [[0, 2], [1, 0], [2, 1]]
by_doors = pytest.mark.parametrize("door", DOORS)


def _cells(rows: list[list[int]], made: Callable[[int], Any]) -> list[list[Any]]:
    return [list(map(made, row)) for row in rows]


def _written(path: Path, true: Any, predicted: Any) -> str:
    rows = [{"t": one, "p": other} for one, other in zip(true, predicted, strict=True)]
    if path.suffix == ".parquet":
        polars.DataFrame(rows).write_parquet(path)
    elif path.suffix == ".csv":
        path.write_text(
            "t,p\n" + "".join(f"{';'.join(row['t'])},{';'.join(row['p'])}\n" for row in rows)
        )
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@by_doors
@pytest.mark.parametrize("texts", TEXTS)
def test_texts_are_not_guessed(door: str, texts: str) -> None:
    made, form = TEXTS[texts], DOORS[door]
    given = [form(_cells(rows, made)) for rows in (TRUE, PREDICTED)]
    with pytest.raises(
        pc.DataError, match="truth: item 0 has the texts .*, which are cells of a matrix or labels"
    ):
        pc.decisions(*given)
    with pytest.raises(
        pc.DataError, match="of a matrix write numbers; for sets of labels name them all"
    ):
        pc.decisions(form([[made(1), made(0)]]), form([[made(0), made(1)]]))


@pytest.mark.parametrize("ending", ["jsonl", "parquet", "csv"])
def test_texts_in_files(ending: str, tmp_path: Path) -> None:
    path = _written(tmp_path / f"x.{ending}", [["1", "0"], ["0", "1"]], [["0", "1"], ["1", "0"]])
    separator = ";" if ending == "csv" else None
    with pytest.raises(
        pc.DataError,
        match="column 't': the item has the texts '1', '0', which are cells of a matrix",
    ):
        read_decisions(path, "t", "p", separator=separator)
    found = read_decisions(path, "t", "p", separator=separator, categories=["0", "1"])
    assert found.value("micro-F") == 1


@by_doors
def test_texts_that_can_only_be_labels(door: str) -> None:
    form = DOORS[door]
    found = pc.decisions(form([["1"], ["0", "1"]]), form([["1"], ["0"]]))
    assert found == pc.decisions([{"1"}, {"0", "1"}], [{"1"}, {"0"}])
    rows = [["1", "0"], ["0", "1"]]
    assert pc.decisions(form(rows), form(rows), categories=["0", "1", "2"]).categories == (
        "0",
        "1",
        "2",
    )


@by_doors
def test_decimals_are_the_numbers_that_they_are(door: str) -> None:
    form = DOORS[door]
    given = [form(_cells(rows, Decimal)) for rows in (TRUE, PREDICTED)]
    assert pc.decisions(*given) == pc.decisions(TRUE, PREDICTED)
    with pytest.raises(pc.DataError, match="truth: item 1 has the cell 2 in a matrix of lists"):
        pc.decisions(form(_cells([[1, 0, 0], [0, 1, 2]], Decimal)), given[1])


def test_decimals_in_files(tmp_path: Path) -> None:
    kind = pyarrow.list_(pyarrow.decimal128(3, 1))
    table = pyarrow.table(
        {
            name: pyarrow.array(_cells(rows, Decimal), kind)
            for name, rows in (("t", TRUE), ("p", PREDICTED))
        }
    )
    polars.from_arrow(table).write_parquet(tmp_path / "x.parquet")
    assert read_decisions(str(tmp_path / "x.parquet"), "t", "p") == pc.decisions(TRUE, PREDICTED)


@by_doors
@pytest.mark.parametrize(
    ("true", "predicted"),
    [
        SETS,
        ([[0], [2], [1]], [[1], [2], [0]]),
        ([[0], [2], [1]], [[1], [0], [0]]),
        ([[0, 1], [1, 2], [2, 3]], [[3, 0], [1, 2], [0, 2]]),
    ],
)
def test_what_can_only_be_sets(door: str, true: Any, predicted: Any) -> None:
    found = pc.decisions(DOORS[door](true), DOORS[door](predicted))
    assert found == pc.decisions(list(map(set, true)), list(map(set, predicted)))


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_sets_in_files(ending: str, tmp_path: Path) -> None:
    found = read_decisions(_written(tmp_path / f"x.{ending}", *SETS), "t", "p")
    expected = pc.decisions(*(list(map(set, rows)) for rows in SETS))
    assert found.categories == ("0", "1", "2") and found.value("micro-F") == expected.value(
        "micro-F"
    )


@pytest.mark.parametrize(
    ("true", "predicted"),
    [([[0], [0, 1]], [[1], [0]]), ([[1, 0], [0, 1], [0, 2]], [[0, 2], [1, 0], [1, 0]])],
)
def test_categories_say_that_lists_are_sets(true: Any, predicted: Any, tmp_path: Path) -> None:
    """Both could be a matrix with a wrong row: the message says what to do, by which they are
    sets.
    """
    expected = pc.decisions(list(map(set, true)), list(map(set, predicted)), categories=[0, 1, 2])
    path = _written(tmp_path / "x.jsonl", true, predicted)
    with pytest.raises(
        pc.DataError, match="for sets of labels name them all with categories=, or pass sets"
    ):
        pc.decisions(true, predicted)
    assert pc.decisions(true, predicted, categories=[0, 1, 2]) == expected
    with pytest.raises(pc.DataError, match="for sets of labels name them all with categories="):
        read_decisions(path, "t", "p")
    found = read_decisions(path, "t", "p", categories=["0", "1", "2"])
    assert found.value("micro-F") == expected.value("micro-F")


def test_names_of_columns_are_no_labels() -> None:
    found = pc.decisions([[1, 0], [0, 1]], [[1, 1], [0, 0]], categories=[0, 1])
    assert found.value("micro-F") == pc.decisions([{0}, {1}], [{0, 1}, set()]).value("micro-F")
    for categories in (None, [0, 1, 2]):
        with pytest.raises(
            pc.DataError, match="item 1 has 2 cells of 0 and 1, and most of the others have 3"
        ):
            pc.decisions([[1, 0, 1], [0, 1], [1, 1, 0]], TRUE[:1] * 3, categories=categories)


def test_scored_labels_are_those_of_the_columns(tmp_path: Path) -> None:
    rows = [{"t": [0], "p0": 0.9, "p1": 0.2}, {"t": [1, 0], "p0": 0.4, "p1": 0.3}]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read_status(str(tmp_path / "x.jsonl"), "t", "p*").truth.per_category().tolist() == [2, 1]


@by_doors
def test_texts_beside_numbers(door: str) -> None:
    for labels in ("12", "10"):
        texts, numbers = [[label] for label in labels], [[int(label)] for label in labels]
        with pytest.raises(
            pc.UsageError, match="truth has texts such as '1' and predicted has numbers such as 1"
        ):
            pc.decisions(DOORS[door](texts), DOORS[door](numbers))
