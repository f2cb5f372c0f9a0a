"""Tables and archives that others write to while Python reads them.

The kernel said "changed while read" of TREC text; CSV, JSON lines, Parquet and archives were read
by Python as whatever was found, half of one file and half of the next. The old tests changed what
the kernel reads only.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any, BinaryIO

import pytest

import precall as pc
from precall.core.errors import DataError
from precall.read import sources

ROWS = "topic,item,score\nq1,a,2\nq1,b,1\n"


@pytest.fixture(params=["a.csv", "a.csv.gz", "damaged.csv.gz"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    found = tmp_path / request.param
    data = gzip.compress(ROWS.encode()) if found.suffix == ".gz" else ROWS.encode()
    found.write_bytes(data[:-3] if found.name.startswith("damaged") else data)
    return found


def test_a_change_is_an_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = sources.state_after_tick

    def then_written(file: BinaryIO) -> Any:
        found = state(file)
        with path.open("ab") as other:
            other.write(b"q1,c,3\n")
        return found

    monkeypatch.setattr(sources, "state_after_tick", then_written)
    with pytest.raises(DataError, match="the file changed while read; read it again") as caught:
        pc.read_run(path)
    assert caught.value.total == 1


def test_without_one_there_is_none(path: Path) -> None:
    if path.name.startswith("damaged"):
        with pytest.raises(DataError, match="cut short|damaged"):
            pc.read_run(path)
    else:
        assert pc.read_run(path).items.tolist() == ["a", "b"]
