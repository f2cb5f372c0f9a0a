"""Lists of labels whose order was meant, and lists that are filled up with -1, are sets of labels
only where that is told.

Why the old tests missed it: lists of labels that are alike as sets were alike as lists in them, and
numbers of labels were 0 or more, as -1 stood in matrices of bits only.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall import compare
from precall.core.notes.of_reading import OrderNotCounted
from precall.hard_decisions.table_io import read_decisions
from tests.noticed import noticed, warned

TAGS = [["DET", "NOUN", "VERB"], ["PRON", "VERB"], ["X"]]
TURNED = [tags[::-1] for tags in TAGS]
PADDED = [[3, -1], [1, 2], [4, -1]], [[2, -1], [1, 3], [5, -1]]


def _written(folder: Path, true: Any, predicted: Any) -> str:
    rows = [{"t": one, "p": other} for one, other in zip(true, predicted, strict=True)]
    (folder / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(folder / "x.jsonl")


def test_order_does_not_count(tmp_path: Path) -> None:
    with warned(OrderNotCounted) as told:
        assert pc.decisions(TAGS, TURNED).accuracy() == 1
    assert (told[0].names, told[0].items) == (("truth", "predicted"), 2)
    with warned(OrderNotCounted) as told:
        compare.decisions(TAGS, TURNED, TAGS)
    assert (told[0].names, told[0].items) == (("truth", "a"), 2)
    with warned(OrderNotCounted):
        read_decisions(_written(tmp_path, TAGS, TURNED), "t", "p")


def test_order_is_not_named_where_sets_are_meant_or_differ() -> None:
    # A warning would fail.
    pc.decisions(TAGS, TAGS)
    pc.decisions(
        TAGS, TURNED, categories=["DET", "NOUN", "PRON", "VERB", "X"]
    )  # who names them says that they are sets
    pc.decisions([set(tags) for tags in TAGS], TURNED)
    decided = pc.decisions(TAGS, [["VERB", "NOUN"], *TURNED[1:]])
    assert not noticed(decided.sheet().notes, OrderNotCounted)


def test_padding_is_no_category(tmp_path: Path) -> None:
    for given in (PADDED, [[[*row, -1] for row in rows] for rows in PADDED]):
        with pytest.raises(
            pc.DataError, match="truth: item 0 has the label -1 among whole numbers from 0 on"
        ):
            pc.decisions(*given)
    with pytest.raises(pc.DataError, match="predicted: item 0 has the label -1"):
        pc.decisions([[3], [1, 2], [4]], PADDED[1])
    with pytest.raises(pc.DataError, match="truth: item 0 has the label -1"):
        pc.categorize(PADDED[0], [[0.1, 0.2, 0.3, 0.4, 0.5]] * 3)
    with pytest.raises(pc.DataError, match="item 0 has the label -1"):
        read_decisions(_written(tmp_path, *PADDED), "t", "p")
    without = [[[label for label in row if label >= 0] for row in rows] for rows in PADDED]
    assert pc.decisions(*without).f(average="micro") == 0.25


def test_a_label_that_is_minus_one() -> None:
    named = pc.decisions(*PADDED, categories=[-1, 1, 2, 3, 4, 5])
    sets = pc.decisions(*([set(row) for row in rows] for rows in PADDED))
    assert named.f(average="micro") == sets.f(average="micro") == 0.5
    assert (
        pc.decisions([[3], [-1]], [[2], [-1]]).accuracy() == 0.5
    )  # of one label each nothing is filled up
    assert pc.decisions([[3, -1], [-2, 1]], [[3, -1], [-2, 2]]).accuracy() == 0.5
