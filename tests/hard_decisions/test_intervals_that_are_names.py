"""Categories that are called by closed intervals, such as "[0, 10]", are no lists of labels that
were written as text.

Why the old tests missed it: names in brackets were words, and everything with a comma in brackets
was a list.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import precall as pc
from precall.hard_decisions.table_io import read_decisions
from precall.read.label_rows import find_joined_label


@pytest.mark.parametrize(
    "labels",
    [
        ["[0, 10]", "[11, 20]"],
        ["[11, 20]", "[0, 10]", "[-5, -1]", "older"],
        ["[0.5, 1.5]"],
        ["[0, 9]", "[10, 19]", "(19, inf)"],
    ],
)
def test_they_are_categories(labels: list[str], tmp_path: Path) -> None:
    assert find_joined_label(labels) is None
    assert pc.decisions(labels, labels[::-1]).categories == tuple(sorted(labels))
    path = tmp_path / "x.csv"
    path.write_text(
        "t,p\n"
        + "".join(f'"{one}","{other}"\n' for one, other in zip(labels, labels[::-1], strict=True))
    )
    assert len(read_decisions(str(path), "t", "p").categories) == len(labels)


@pytest.mark.parametrize(
    "labels",
    [
        ["[0, 2]", "[1, 2]"],
        ["[0, 1]", "[1, 2]"],
        ["[0, 2]", "0"],
        ["[0, 2]", "[3]"],
        ["[0, 1]", "[]"],
        ["[2, 0]", "[3, 4]"],
        ["[0, 1, 2]"],
        ["[0, 1]", "[2, 3, 4]"],
        ["[0, 10]", "['a']"],
        ["[1, 1]", "[2, 3]"],
        ["[a, b]"],
    ],
)
def test_lists_are_none(labels: list[str]) -> None:
    with pytest.raises(pc.DataError, match="a list of labels that was written as text"):
        pc.decisions(labels, labels)
