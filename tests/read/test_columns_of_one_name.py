"""Two columns of one name in Arrow and Parquet files: Polars panicked, and its trace was shown."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

import precall as pc
from precall.cli.main import run
from precall.read.arrow_schema import refuse_repeated_columns
from tests.peers import peer

pa = peer("pyarrow")
ipc = peer("pyarrow.ipc")
parquet = peer("pyarrow.parquet")


def _write(path: Path, names: list[str]) -> None:
    table = pa.table([[1, 0, 1], [0.1, 0.2, 0.3], [0.3, 0.4, 0.5]], names=names)
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
        return
    begin = ipc.new_stream if path.stem == "stream" else ipc.new_file
    with pa.OSFile(str(path), "wb") as file, begin(file, table.schema) as writer:
        writer.write_table(table)


@pytest.mark.parametrize("memory", [[], ["--memory", "64M"]])
@pytest.mark.parametrize("file", ["file.arrow", "stream.arrow", "table.parquet"])
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


@pytest.mark.parametrize("file", ["file.arrow", "stream.arrow"])
def test_damaged_schemas_are_left_to_polars(file: str, tmp_path: Path) -> None:
    path = tmp_path / file
    _write(path, ["y", "s", "t"])
    data = path.read_bytes()
    for size in range(len(data)):
        refuse_repeated_columns(data[:size], "x")
    for place in range(len(data)):
        damaged = data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :]
        with suppress(pc.DataError):  # a name of one letter may have become the other one
            refuse_repeated_columns(damaged, "x")
