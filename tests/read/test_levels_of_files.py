"""Labels that the type of a column declares are categories where a Parquet or Arrow file is read,
too, and so is their order.

Why the old tests missed it: levels of columns were tried on columns in memory, and in files on
Enums of Polars only, which are the one kind whose levels Polars keeps.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_reading import LevelsUnread
from precall.hard_decisions.table_io import compare_decisions, read_decisions
from tests.noticed import warned
from tests.peers import peer

pandas = peer("pandas", "pandas is not installed: no column declares levels")
polars = peer("polars", "Polars is not installed: no file of columns was read")
pyarrow = peer("pyarrow", "PyArrow is not installed: no column declares levels")


SIZES = ["small", "medium", "large", "giant"]
TRUE, PREDICTED = [0, 2, 0, 2], [0, 0, 2, 2]


def _write_parquet(table: Any, path: Path) -> None:
    import pyarrow.parquet

    pyarrow.parquet.write_table(table, path)


def _write_file(table: Any, path: Path) -> None:
    with pyarrow.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)


def _write_stream(table: Any, path: Path) -> None:
    with pyarrow.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table)


WAYS: dict[str, Callable[[Any, Path], None]] = {
    "a.parquet": _write_parquet,
    "a.arrow": _write_file,
    "stream.arrow": _write_stream,
}


def _coded(codes: list[int], ordered: bool, names: list[Any] = SIZES) -> Any:
    return pyarrow.DictionaryArray.from_arrays(
        pyarrow.array(codes), pyarrow.array(names), ordered=ordered
    )


def _table(ordered: bool) -> Any:
    return pyarrow.table({"t": _coded(TRUE, ordered), "p": _coded(PREDICTED, ordered)})


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("name", WAYS)
def test_levels_are_those_of_python(name: str, ordered: bool, tmp_path: Path) -> None:
    table, path = _table(ordered), tmp_path / name
    WAYS[name](table, path)
    expected, got = pc.decisions(table["t"], table["p"]), read_decisions(str(path), "t", "p")
    assert got.categories == expected.categories == tuple(SIZES if ordered else sorted(SIZES))
    assert got.value("macro-F") == expected.value("macro-F")


@pytest.mark.parametrize("name", WAYS)
def test_their_order_is_known(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WAYS[name](_table(True), path)
    expected = pc.decisions([1, 3, 1, 3], [1, 1, 3, 3], categories=[1, 2, 3, 4])
    measure = "kappa(weights=linear)"
    assert read_decisions(str(path), "t", "p").value(measure) == expected.value(measure)


def test_columns_of_pandas(tmp_path: Path) -> None:
    path = str(tmp_path / "a.parquet")
    column = pandas.Categorical.from_codes([0, 1, 0], SIZES, ordered=True)
    pandas.DataFrame({"t": column, "p": column, "q": column[::-1]}).to_parquet(path)
    assert read_decisions(path, "t", "p").categories == tuple(SIZES)
    pair = compare_decisions(path, "t", "p", "q", ["macro-F"])
    assert pair.means["macro-F"]["p"] == pytest.approx(0.5)


def test_numbers_of_arrow(tmp_path: Path) -> None:
    path = tmp_path / "a.arrow"
    table = pyarrow.table(
        {"t": _coded([0, 1], True, [30, 20, 10]), "p": _coded([1, 1], True, [30, 20, 10])}
    )
    _write_file(table, path)
    assert read_decisions(str(path), "t", "p").categories == ("30", "20", "10")


def test_a_categorical_of_polars_has_none(tmp_path: Path) -> None:
    path = str(tmp_path / "a.parquet")
    frame = polars.DataFrame({"t": ["c", "a", "b"], "p": ["a", "a", "b"]}).cast(polars.Categorical)
    frame.write_parquet(path)
    assert read_decisions(path, "t", "p").categories == ("a", "b", "c")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.parquet"
    _write_parquet(_table(True), path)
    assert (
        run(
            [
                "decisions",
                str(path),
                "--truth",
                "t",
                "--predicted",
                "p",
                "-m",
                "kappa(weights=linear)",
            ]
        )
        == 0
    )
    assert "giant" in capsys.readouterr().out


def test_without_pyarrow_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, other = tmp_path / "a.parquet", tmp_path / "b.parquet"
    _write_parquet(_table(True), path)
    polars.DataFrame({"t": ["c", "a"], "p": ["a", "a"]}).cast(polars.Categorical).write_parquet(
        other
    )
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with warned(LevelsUnread) as told:
        read_decisions(str(path), "t", "p")
    assert [note.values for note in told] == [
        {"columns": ("'t'", "'p'"), "reason": "is not installed"}
    ]
    read_decisions(str(other), "t", "p")
    read_decisions(str(path), "t", "p", categories=SIZES)
