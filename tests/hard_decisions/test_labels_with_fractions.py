"""Labels with fractions, such as half stars, are labels where both sides have them, and refused on
one, by every door alike.

Why the old tests missed it: they had fractions on one side only, where they are scores or soft
labels.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.hard_decisions.table_io import read_decisions
from tests.peers import peer

polars = peer("polars", "Polars is not installed: no file was written")

STARS, GIVEN = [0.5, 1.5, 2.0, 1.5], [0.5, 2.5, 2.0, 2.0]
WHOLE = [1, 2, 2, 1]
ENDINGS = ["csv", "ndjson", "parquet", "ipc"]


def _path(folder: Path, ending: str, true: Any, predicted: Any) -> tuple[str, str]:
    frame, path = (
        polars.DataFrame({"t": true, "p": predicted}, strict=False),
        folder / f"x.{ending}",
    )
    getattr(frame, f"write_{ending}")(path)
    return str(path), {"ndjson": "jsonl", "ipc": "arrow"}.get(ending, ending)


@pytest.mark.parametrize("ending", ENDINGS)
def test_they_are_labels(ending: str, tmp_path: Path) -> None:
    path, form = _path(tmp_path, ending, STARS, GIVEN)
    found, expected = read_decisions(path, "t", "p", format=form), pc.decisions(STARS, GIVEN)
    assert list(map(float, found.categories)) == list(expected.categories)
    assert found.value("macro-F") == expected.value("macro-F")
    if ending != "csv":  # where 2.0 is "2.0"
        names = ["0.5", "1.5", "2", "2.5", "3.5"]
        assert read_decisions(path, "t", "p", format=form, categories=names).categories == tuple(
            names
        )


@pytest.mark.parametrize("ending", ENDINGS)
def test_on_one_side_they_are_none(ending: str, tmp_path: Path) -> None:
    path, form = _path(tmp_path, ending, WHOLE, GIVEN)
    with pytest.raises(
        pc.DataError,
        match="column 'p': scores beside labels are no decisions; decide first.*categories=",
    ):
        read_decisions(path, "t", "p", format=form)
    with pytest.raises(
        pc.DataError,
        match="column 'p': numbers with fractions are no labels: they say how far.*categories=",
    ):
        read_decisions(path, "p", "t", format=form)


def test_in_sets(tmp_path: Path) -> None:
    rows = [[0.5, 1.5], [], [2.5]]
    path, form = _path(tmp_path, "ndjson", rows, rows)
    expected = pc.decisions(list(map(set, rows)), list(map(set, rows)))
    assert read_decisions(path, "t", "p", format=form).value("micro-F") == expected.value("micro-F")
    path, form = _path(tmp_path, "ndjson", [[3], [], [7]], rows)
    with pytest.raises(pc.DataError, match="column 'p': scores beside labels"):
        read_decisions(path, "t", "p", format=form)
