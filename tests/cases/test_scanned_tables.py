"""Cases that are scanned from tables in memory: of every library, as a whole and in batches, give
what the same columns do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall import ScoredCases
from tests.peers import peer

polars = peer("polars", "Polars is not installed: no table was scanned")
pandas = peer("pandas", "pandas is not installed: no table was scanned")
pyarrow = peer("pyarrow", "PyArrow is not installed: no table was scanned")


COLUMNS = {
    "y": [1, 0, 1, 0, 1, 0, 0],
    "s": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.4],
    "g": [True, False, True, True, False, False, True],
}


class OnlyArrow:
    """A table that can be read as an Arrow stream, and no other way."""

    def __init__(self) -> None:
        self.table = pyarrow.table(COLUMNS)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def records() -> Any:
    array = np.zeros(len(COLUMNS["y"]), [("y", np.int64), ("s", np.float64), ("g", np.bool_)])
    for name, cells in COLUMNS.items():
        array[name] = cells
    return array


TABLES: dict[str, Callable[[], Any]] = {
    "dict": lambda: COLUMNS,
    "pandas": lambda: pandas.DataFrame(COLUMNS, index=range(7, 0, -1)),
    "pandas, columns with a name": lambda: pandas.DataFrame(COLUMNS).rename_axis(columns="kind"),
    "Polars": lambda: polars.DataFrame(COLUMNS),
    "Polars, lazy": lambda: polars.LazyFrame(COLUMNS),
    "PyArrow": lambda: pyarrow.table(COLUMNS),
    "a record batch": lambda: pyarrow.RecordBatch.from_pydict(COLUMNS),
    "structured array": records,
    "only Arrow": OnlyArrow,
}


def numbers(source: Any) -> list[float]:
    asked = {"label": "y", "score": "s"}
    return [ScoredCases.scan(source, **asked).average_precision()] + [
        ScoredCases.scan(source, **asked, group="g").curve(group=group).average_precision()
        for group in ("true", "false")
    ]


@pytest.mark.nightly(keep=4)
@pytest.mark.parametrize("library", TABLES)
def test_a_table_of_every_library(library: str) -> None:
    expected = numbers([COLUMNS])
    table = TABLES[library]()
    assert numbers(table) == expected
    assert numbers([table]) == expected
    twice = ScoredCases.scan(iter([table, table]), label="y", score="s")
    assert twice.cases == 2 * len(COLUMNS["y"])


@pytest.mark.parametrize(
    "given", [lambda: pyarrow.table(COLUMNS).to_reader(2)], ids=["a reader of batches"]
)
def test_a_stream_that_is_read_once(given: Callable[[], Iterator[Any]]) -> None:
    scanned = ScoredCases.scan(given(), label="y", score="s", memory=1 << 20)
    assert scanned.average_precision() == numbers(COLUMNS)[0]


def test_columns_of_pandas_that_are_numbers() -> None:
    table = pandas.DataFrame({0: COLUMNS["y"], 1: COLUMNS["s"]})
    assert ScoredCases.scan(table, label="0", score="1").average_precision() == numbers(COLUMNS)[0]


@pytest.mark.parametrize("library", TABLES)
def test_a_column_that_is_not_there(library: str) -> None:
    with pytest.raises(pc.UsageError, match="no column 'z'; the columns are 'y', 's', 'g'"):
        ScoredCases.scan(TABLES[library](), label="y", score="z")


def test_groups_that_are_called_alike_are_one() -> None:
    cases = {"y": [1, 0, 1, 0], "s": [0.9, 0.8, 0.7, 0.6]}
    for labels in ([1, "1", True, 2], [0.0, -0.0, True, 2]):
        scanned = ScoredCases.scan(
            {**cases, "g": np.array(labels, object)}, label="y", score="s", group="g"
        )
        assert sum(curve.relevant + curve.other for curve in scanned.curves()["s"].values()) == 4


def of_series(cells: list[Any]) -> Any:
    return pandas.Series(cells, index=range(10, 10 + len(cells)))


@pytest.mark.parametrize(
    "column",
    [
        list,
        np.array,
        of_series,
        polars.Series,
        pyarrow.array,
        lambda cells: pandas.DataFrame({"g": cells}),
    ],
)
@pytest.mark.filterwarnings("ignore::precall.core.notes.of_reading.TableAsColumnWarning")
def test_groups_in_a_column_of_every_library(column: Callable[[list[Any]], Any]) -> None:
    for labels in (
        list("aabbaab"),
        [2, 2, 1, 1, 2, 2, 1],
        [True, True, False, False, True, True, False],
    ):
        values = pc.average_precision(COLUMNS["y"], COLUMNS["s"], groups=column(labels))
        assert {label: round(value, 4) for label, value in values.items()} == {
            labels[0]: 0.8333,
            labels[2]: 1.0,
        }
        assert {type(label) for label in values} == {type(labels[0])}


def test_labels_that_are_read_once() -> None:
    parts = ((iter(COLUMNS["y"]), COLUMNS["s"]) for _ in range(2))
    assert ScoredCases.scan(parts).cases == 14


@pytest.mark.parametrize("given", [np.ones((3, 3)), [None], [3]], ids=["array", "None", "number"])
def test_what_is_no_table(given: Any) -> None:
    with pytest.raises(pc.UsageError, match=r"a batch is a table or \(labels, scores\), got"):
        ScoredCases.scan(given, label="y", score="s")
