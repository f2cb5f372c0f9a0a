"""Columns whose cells are structs are called so: NumPy makes lists, or tables, of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import precall as pc
from precall.read.values import array_of

pandas = pytest.importorskip("pandas", reason="pandas is not installed: no column was read")
polars = pytest.importorskip("polars", reason="Polars is not installed: no column was read")
pyarrow = pytest.importorskip("pyarrow", reason="PyArrow is not installed: no column was read")

Y, S = [1, 0, 1], [0.9, 0.8, 0.7]
ONE = [{"low": 1.0}, {"low": 0.0}, {"low": 1.0}]
TWO = [{"low": 1, "high": 2}, {"low": 0, "high": 1}, {"low": 1, "high": 3}]
LIBRARIES: dict[str, Callable[[list[Any]], Any]] = {
    "Polars": polars.Series,
    "PyArrow": pyarrow.array,
    "PyArrow, in chunks": lambda cells: pyarrow.chunked_array([pyarrow.array(cells)]),
    "pandas": lambda cells: pandas.Series(
        cells, dtype=pandas.ArrowDtype(pyarrow.array(cells).type)
    ),
}
TAKES: dict[str, Callable[[Any], Any]] = {
    "relevant": lambda column: pc.curve(column, S),
    "score": lambda column: pc.curve(Y, column),
    "weights": lambda column: pc.curve(Y, S, weights=column),
    "groups": lambda column: pc.average_precision(Y, S, groups=column),
    "values": lambda column: pc.interval.mean(column),
    "a": lambda column: pc.compare.paired(column, S),
}


@pytest.mark.parametrize("cells", [ONE, TWO], ids=["one field", "two fields"])
@pytest.mark.parametrize("argument", TAKES)
@pytest.mark.parametrize("library", LIBRARIES)
def test_a_column_of_structs_is_refused_as_that(
    library: str, argument: str, cells: list[Any]
) -> None:
    with pytest.raises(pc.UsageError) as caught:
        TAKES[argument](LIBRARIES[library](cells))
    assert caught.value.argument == argument
    assert "structs" in str(caught.value.got)
    assert all(repr(name) in str(caught.value.got) for name in cells[0])


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_structs_in_lists_stay_what_they_are() -> None:
    cells = [[cell] for cell in TWO]
    assert array_of(polars.Series(cells)).tolist() == cells
    with pytest.raises(pc.DataError, match="'low': 1"):
        pc.decisions(polars.DataFrame({"t": TWO}), polars.DataFrame({"t": TWO}))
