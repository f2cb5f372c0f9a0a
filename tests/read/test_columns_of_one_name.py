"""Two columns of one name in Arrow and Parquet files: Polars panicked, and its trace was shown; or,
before 1.37, it read one of them.
"""

from __future__ import annotations

import io
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.cli.main import run
from precall.read import arrow_schema, parquet_schema
from tests.peers import peer

pa = peer("pyarrow")
ipc = peer("pyarrow.ipc")
parquet = peer("pyarrow.parquet")

FILES = ["file.arrow", "stream.arrow", "table.parquet"]


def _write(path: Path, names: list[str]) -> None:
    table = pa.table([[1, 0, 1], [0.1, 0.2, 0.3], [0.3, 0.4, 0.5]], names=names)
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
        return
    begin = ipc.new_stream if path.stem == "stream" else ipc.new_file
    with pa.OSFile(str(path), "wb") as file, begin(file, table.schema) as writer:
        writer.write_table(table)


@pytest.mark.parametrize("memory", [[], ["--memory", "160M"]])
@pytest.mark.parametrize("file", FILES)
def test_they_are_refused(
    file: str, memory: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / file
    _write(path, ["y", "s", "s"])
    assert run(["curve", str(path), "--label", "y", "--score", "s", *memory]) == 2
    err = capfd.readouterr().err
    assert "panicked" not in err and "rename or remove the others" in err and "'s'" in err
    _write(path, ["y", "s", "t"])
    assert run(["curve", str(path), "--label", "y", "--score", "s", *memory]) == 0


def _refuse(file: str, data: bytes) -> None:
    if file.endswith("parquet"):
        parquet_schema.refuse_repeated_columns(io.BytesIO(data), "x")
    else:
        arrow_schema.refuse_repeated_columns(data, "x")


@pytest.mark.parametrize("file", FILES)
def test_damaged_schemas_are_left_to_polars(file: str, tmp_path: Path) -> None:
    path = tmp_path / file
    _write(path, ["y", "s", "t"])
    data = path.read_bytes()
    for size in range(len(data)):
        _refuse(file, data[:size])
    for place in range(len(data)):
        damaged = data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :]
        with suppress(pc.DataError):  # a name of one letter may have become the other one
            _refuse(file, damaged)


def test_numbers_without_end_in_a_footer() -> None:
    footer = b"\x15" + b"\x80" * 4_000_000
    _refuse("x.parquet", b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1")


def _column(name: str, depth: int) -> Any:
    kind = pa.int64()
    for level in range(depth):
        kind = pa.struct([("s", kind), (f"t{level}", pa.list_(pa.float64()))])
    return pa.field(name, kind)


@given(
    st.lists(st.tuples(st.text(max_size=5), st.integers(0, 3)), max_size=20),
    st.booleans(),
    st.integers(1, 3),
)
def test_names_of_columns_are_those_that_pyarrow_wrote(
    columns: list[tuple[str, int]], store_schema: bool, groups: int
) -> None:
    """Columns of one name within a column are none of ours: only the first level counts."""
    names = [name for name, _ in columns]
    schema = pa.schema([_column(*column) for column in columns], metadata={"s": "s" * 300})
    file = io.BytesIO()
    with parquet.ParquetWriter(file, schema, store_schema=store_schema) as writer:
        for _ in range(groups):
            writer.write_table(schema.empty_table())
    if len(set(names)) == len(names):
        parquet_schema.refuse_repeated_columns(file, "x")
        return
    with pytest.raises(pc.DataError, match="columns are called"):
        parquet_schema.refuse_repeated_columns(file, "x")


class _OnlyArrow:
    """A table that has only the Arrow interface."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("make", [lambda table: table, _OnlyArrow, lambda table: table.to_reader()])
def test_tables_in_memory_are_refused_in_the_same_words(make: Any) -> None:
    # PyArrow's columns were taken for names, and Polars and Narwhals raised errors of their own.
    run = pa.table([["q"], ["d"], [1.0], [2.0]], names=["query", "doc", "score", "score"])
    lists = pa.table([["q"], [["d"]], [1], [2]], names=["query", "gold", "x", "x"])
    for call, name in (
        (lambda: pc.evaluate({"q": {"d": 1}}, make(run)), "score"),
        (lambda: pc.read_lists(make(lists)), "x"),
    ):
        with pytest.raises(pc.DataError, match=f"2 columns are called '{name}'"):
            call()


@pytest.mark.parametrize("make", [lambda table: table, _OnlyArrow])
@pytest.mark.parametrize("kind", ["int64", "string_view"])
def test_matrices_in_memory_are_refused_in_the_same_words(make: Any, kind: str) -> None:
    column = pa.array([1, 0]) if kind == "int64" else pa.array(["a", "b"], pa.string_view())
    table = pa.table([column, column], names=["c", "c"])
    with pytest.raises(pc.DataError, match="predicted: 2 columns are called 'c'"):
        pc.decisions(["a", "b"], make(table))
