"""Grades are numbers, whatever type has them, and texts that say one, at every door.

Why the old tests missed it: grades were integers and floats in them, and the texts of files that
have no types.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

import precall as pc
from tests.peers import peer

pd = peer("pandas")
pl = peer("polars")
pa = peer("pyarrow")

ITEMS = ["a", "b", "c"]


def holders(grades: list[Any]) -> list[Any]:
    """Qrels of one topic, held in many ways."""
    columns = {"topic": ["q"] * 3, "item": ITEMS, "grade": grades}
    frame = pd.DataFrame(columns)
    return [
        {"q": dict(zip(ITEMS, grades, strict=True))},
        {1: dict(zip(ITEMS, grades, strict=True))},
        list(zip(*columns.values(), strict=True)),
        frame,
        frame.astype({"grade": "category"}),
        pl.DataFrame(columns),
        pa.table(columns),
        pa.table(frame.astype({"grade": "category"})),
    ]


@pytest.mark.parametrize(
    "grades",
    [
        [2, 0, -1],
        [2.0, 0.0, -1.0],
        [Decimal(2), Decimal(0), Decimal(-1)],
        ["2", "0", "-1"],
        ["2.0", "0", "-1.0"],
        [b"2", b"0", b"-1"],
    ],
)
def test_whole_numbers_are_grades(grades: list[Any]) -> None:
    for holder in holders(grades):
        assert pc.read_qrels(holder).grade.tolist() == [2, 0, -1], type(holder)


@pytest.mark.parametrize(
    "grades",
    [
        [0.5, 1.0, -1.0],
        ["0.5", "1", "-1"],
        ["0.50", "1.0", "-1.0"],
        ["5e-1", "1e0", "-1"],
        [b".5", b"1.", b"-1"],
        [Decimal("0.5"), Decimal("1.0"), Decimal(-1)],
    ],
)
def test_fractions_are_grades(grades: list[Any]) -> None:
    for holder in holders(grades):
        found = pc.read_qrels(holder).grade
        assert found.tolist() == [0.5, 1, -1] and found.dtype == "float64", type(holder)


@pytest.mark.parametrize(
    "text", ["1_0", " 1", "0x1", "4,5", "nan", "inf", "-0.5", "1e300", "", "good", "99999999999"]
)
def test_other_texts_are_refused(text: str) -> None:
    for holder in holders(["1", text, "0"]):
        with pytest.raises(pc.DataError):
            pc.read_qrels(holder)


def test_texts_of_a_yes_or_no_are_those_of_csv() -> None:
    for holder in holders(["True", "false", "true"]):
        assert pc.read_qrels(holder).grade.tolist() == [1, 0, 1]
