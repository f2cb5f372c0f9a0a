"""Weights next to 0 in a scan, labels 0 and -1 in different parts, "nan" among groups that are
numbers: one door refused them.

Older tests gave each fault at the door where it had been found. `tests/doors` has them at every
door; here is what it does not reach: groups of comparisons and intervals, and parts that are
merged.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.hard_decisions.table_io import compare_cases, compare_decisions

Y, S = [1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.3, 0.2, 0.1]


def test_groups_of_comparisons_in_files(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    rows = zip(Y, S, S[::-1], ["1.0", "nan", "2.0", "2.0", "1.0", "3.0"], strict=True)
    path.write_text("y,a,b,g\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    with pytest.raises(
        pc.DataError, match=r"x\.csv:3: column 'g': label 'nan' is how tables write"
    ):
        compare_cases(str(path), "y", "a", "b", groups="g")
    path.write_text("t,a,b,g\na,a,b,1\nb,b,b,NA\na,b,a,2\n")
    with pytest.raises(pc.DataError, match=r"x\.csv:3: column 'g': label 'NA' is how tables write"):
        compare_decisions(str(path), "t", "a", "b", groups="g")


@pytest.mark.parametrize("wrong", ["", "nan", None])
def test_groups_of_intervals_and_comparisons(wrong: str | None) -> None:
    groups = ["1", wrong, "2", "2", "3", "3"]
    for call in (
        lambda: pc.interval.average_precision(Y, S, groups=groups),
        lambda: pc.compare.cases(Y, S, S[::-1], groups=groups),
        lambda: pc.compare.decisions(Y, Y[::-1], Y, groups=groups),
    ):
        with pytest.raises(pc.DataError, match="groups: case 1 "):
            call()


def test_groups_that_are_written_alike_are_one() -> None:
    mixed = [1, "1", 2, "2", 2, 1]
    assert pc.average_precision(Y, S, groups=mixed) == pc.average_precision(
        Y, S, groups=[1, 1, 2, 2, 2, 1]
    )


def test_parts_that_are_merged() -> None:
    zero, minus = pc.ScoredCases(), pc.ScoredCases()
    zero.add([1, 0], [0.5, 0.4])
    minus.add([1, -1], [0.5, 0.4])
    with pytest.raises(pc.DataError, match="both 0 and -1 are labels"):
        zero.merge(minus)
    minus.add(True, 0.3)
    minus.add([False, True], [0.1, 0.2])
    with pytest.raises(pc.DataError, match="both 0 and -1 are labels"):
        minus.add("0", 0.3)
    heavy = pc.ScoredCases()
    heavy.add(Y, S, weights=np.full(6, 1e149))
    heavy.add(Y, S, weights=np.full(6, 1e149))
    with pytest.raises(pc.UsageError, match="weights: their sum must be less than 1e\\+150"):
        heavy.curve()
