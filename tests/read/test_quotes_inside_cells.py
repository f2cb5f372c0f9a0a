"""Text in batches where a quote is a character of a cell: `5" pipe` is read as the whole file is,
and in batches.

It was counted as one that opens, so that rows were cut in the middle of quoted cells (an error of a
sound file), or, where its number was odd, not cut any more: all of the file was in memory.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cases.table import read_cases


@pytest.mark.nightly
@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_quotes_that_are_characters(
    ending: str, odd: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("precall.read.table_batches.BYTES", 1 << 14)
    separator = "," if ending == "csv" else "\t"
    groups = [
        '5" pipe',
        '"two\nlines"',
        '"a ""quoted"" one"',
        '""""',
        'a""b',
        "plain",
        f'"one{separator}two"',
    ]
    made = np.random.default_rng(0)
    rows = [
        separator.join(
            (str(made.integers(2)), str(made.random()), groups[made.integers(len(groups))])
        )
        for _ in range(60_000)
    ]
    rows[5] = separator.join(("1", ".5", '6" pipe' if odd else "plain"))
    path = tmp_path / f"cases.{ending}"
    path.write_text("\n".join([separator.join(['"y"', "s", "g"]), *rows]), encoding="utf-8")
    seen: list[int] = []
    scanned = pc.ScoredCases.scan(
        path, label="y", score="s", group="g", progress=lambda _, cases: seen.append(cases)
    )
    whole = read_cases(str(path), "y", ["s"], group="g").curves()["s"]
    assert {group: curve.average_precision() for group, curve in scanned.curves()["s"].items()} == {
        group: curve.average_precision() for group, curve in whole.items()
    }
    assert max(np.diff([0, *seen[: len(seen) // 2]])) < 20_000
