"""Dates, times and bytes are names of groups and categories, in files as in memory, and called as
they are printed.

Why the old tests missed it: labels of files were texts and numbers in them.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.hard_decisions.table_io import read_decisions
from tests.peers import peer

pl = peer("polars")

PAIRS = [
    (date(2020, 1, 1), date(2020, 1, 2)),
    (datetime(2020, 1, 1, 5), datetime(2020, 1, 1, 6)),
    (time(5), time(6)),
    (timedelta(1), timedelta(2)),
    (b"a", b"b"),
]


@pytest.mark.parametrize("write", ["write_parquet", "write_ipc"])
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_files_take_what_memory_takes(one: Any, other: Any, write: str, tmp_path: Path) -> None:
    truth, decided = [one, other, one, other], [one, other, other, other]
    frame = pl.DataFrame({"t": truth, "p": decided, "y": [1, 1, 0, 0], "s": [0.9, 0.1, 0.8, 0.4]})
    path = tmp_path / ("t.parquet" if write == "write_parquet" else "t.arrow")
    getattr(frame, write)(path)
    in_memory = pc.decisions(truth, decided).table.to_dict()
    assert in_memory["category"] == [str(one), str(other)]
    assert read_decisions(str(path), truth="t", predicted="p").table.to_dict() == in_memory
    (curves,) = pc.ScoredCases.scan(path, label="y", score="s", group="t").parts.values()
    by_group = pc.average_precision(frame["y"].to_list(), frame["s"].to_list(), groups=truth)
    values = {name: curve.average_precision() for name, curve in curves.items()}
    assert (
        values
        == {str(name): value for name, value in by_group.items()}
        == {str(one): 1.0, str(other): 0.5}
    )


def test_missing_times_stay_missing(tmp_path: Path) -> None:
    pl.DataFrame({"t": [date(2020, 1, 1), None], "p": [date(2020, 1, 1)] * 2}).write_parquet(
        tmp_path / "t.parquet"
    )
    with pytest.raises(pc.DataError):
        read_decisions(str(tmp_path / "t.parquet"), truth="t", predicted="p")
