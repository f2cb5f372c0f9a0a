"""Texts of many rows: taken whole, and made Python strings when they are asked for."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import precall as pc
from precall.core.ragged import pack_texts, take_texts
from precall.read.columns import Ids
from precall.results.sheets import Columns, Table


@pytest.mark.parametrize("rows", [0, 10, 5_000])
@pytest.mark.parametrize("longest", [1, 12, 70_000])
def test_texts_are_taken_in_any_order(rows, longest):
    rng = np.random.default_rng(rows)
    texts = [
        b"",
        b"x" * longest,
        *(bytes(rng.integers(0, 256, rng.integers(0, 12), np.uint8)) for _ in range(300)),
    ]
    chosen = rng.integers(2 if longest > 100 else 0, len(texts), rows)
    if rows:
        chosen[0] = 1
    data, start = take_texts(*pack_texts(texts), chosen)
    assert Ids(data, start).bytes_of_each() == [texts[place] for place in chosen]


def test_pairs_make_no_strings_before_they_are_asked_for(monkeypatch):
    asked = []
    made = Ids.tolist
    monkeypatch.setattr(Ids, "tolist", lambda ids: asked.append(len(ids)) or made(ids))
    run = {f"q{t}": {f"d{i}": float(i) for i in range(50)} for t in range(2)}
    one, two = (
        pc.locate({"q0": {"d1": 1}, "q1": {"d2": 1}}, run, keep_items=True) for _ in range(2)
    )
    asked.clear()
    found = one.pairs(two)
    assert len(found) == 100 and found["relevant"].sum() == 2 and 100 not in asked
    assert (
        found["item"][:2] == ["d49", "d48"]
        and found["item"] is found["item"]
        and asked.count(100) == 1
    )
    assert pickle.loads(pickle.dumps(one.pairs(two))).to_dict() == found.to_dict()


def test_items_by_topic_and_score():
    rng = np.random.default_rng(3)
    run = {f"q{t}": {f"d{i}": float(rng.integers(0, 9)) for i in range(60)} for t in (3, 1, 2)}
    kept = pc.locate({f"q{t}": {"d1": 1} for t in (1, 2, 3)}, run, keep_items=True).items
    expected = [
        item
        for t in (1, 2, 3)
        for item, _ in sorted(run[f"q{t}"].items(), key=lambda pair: -pair[1])
    ]
    assert kept.ids.tolist() == expected


def test_columns_that_are_made_late():
    made = []
    columns = Columns(2, {"a": lambda: made.append(1) or ["x", "y"], "b": np.array([1.0, 2.0])})
    table = Table(columns)
    assert len(table) == 2 and not made and list(columns) == ["a", "b"] and len(columns) == 2
    assert table["a"] == ["x", "y"] == table.to_dict()["a"] and made == [1]
    with pytest.raises(pc.UsageError, match="no column 'c'; there are a, b"):
        table["c"]


def test_the_id_minus_one_is_found_in_every_part() -> None:
    texts = ["10"] * 70_000
    for row in (0, 65_535, 65_536, 69_999):
        texts[row] = "-1"
    texts[7], texts[65_537] = "1-", "-12"
    assert Ids.of(texts).minus_one().tolist() == [0, 65_535, 65_536, 69_999]
