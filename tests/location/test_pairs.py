"""Two runs side by side, against dicts of dicts."""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc


def rows_slowly(first, second, grade):
    """Topic → item → rank and grade, one pair after the other."""
    sides = []
    for side in (first, second):
        items, topics, rows_of = side.items, side.topics.tolist(), {}
        columns = (
            items.ranking.tolist(),
            items.ids.tolist(),
            items.first.tolist(),
            items.grade.tolist(),
        )
        for ranking, item, rank, grade_of in zip(*columns, strict=True):
            rows_of.setdefault(topics[ranking], {})[item] = rank, grade_of
        sides.append(rows_of)
    for topic in (topic for topic in sides[0] if topic in sides[1]):
        a, b = (side[topic] for side in sides)
        every = {**b, **a}
        for item in dict.fromkeys([*a, *b]):
            scores = (-float(side[item][0]) if item in side else -np.inf for side in (a, b))
            yield (topic, item, every[item][1] >= grade, *scores)


def drawn(rng, topics, items, share):
    """A run of some topics, each with some of the items, and ties."""
    names = [f"dö{i}" if i % 7 == 0 else f"d{i}" for i in range(items)]
    return {
        f"q{t}": {
            names[i]: float(rng.integers(0, 9))
            for i in rng.permutation(items)
            if rng.random() < share
        }
        for t in rng.permutation(topics)[: topics - 2]
    }


@pytest.mark.parametrize("share", [0.02, 0.5, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_pairs_are_those_of_dicts(seed, share):
    rng = np.random.default_rng(seed)
    qrels = {f"q{t}": {f"d{i}": int(rng.integers(0, 3)) for i in range(1, 30, 3)} for t in range(8)}
    runs = [
        {k: v for k, v in drawn(rng, 12, 30, share).items() if v} or {"q1": {"d1": 1.0}}
        for _ in range(2)
    ]
    first, second = (pc.locate(qrels, run, keep_items=True) for run in runs)
    for grade in (1, 2):
        found = first.pairs(second, grade, unpaired="last")
        assert list(zip(*found.to_dict().values(), strict=True)) == list(
            rows_slowly(first, second, grade)
        )
        assert [type(column) for column in found.columns.values()] == [list, list] + [
            np.ndarray
        ] * 3
    shuffled = first.select(rng.integers(0, len(first), 9))
    found = shuffled.pairs(second, unpaired="last")
    assert list(zip(*found.to_dict().values(), strict=True)) == list(
        rows_slowly(shuffled, second, 1)
    )


def test_the_first_item_without_a_mate_is_named():
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    one = pc.locate(qrels, {"q1": {"a": 2.0}, "q2": {"a": 3.0, "b": 1.0}}, keep_items=True)
    two = pc.locate(
        qrels, {"q2": {"a": 3.0, "c": 1.0}, "q1": {"x": 2.0, "a": 1.0}}, keep_items=True
    )
    with pytest.raises(
        pc.DataError,
        match="topic 'q1' has 1 item that only one of the runs retrieved, such as 'x'",
    ):
        one.pairs(two)
    with pytest.raises(pc.DataError, match="topic 'q1' has 1 item"):
        two.pairs(one)
    two = pc.locate(qrels, {"q2": {"a": 3.0, "c": 1.0}}, keep_items=True)
    with pytest.raises(
        pc.DataError,
        match="topic 'q2' has 2 items that only one of the runs retrieved, such as 'b'",
    ):
        one.pairs(two)


def test_runs_without_a_common_topic_have_no_pairs():
    one, two = (
        pc.locate({"q1": {"a": 1}, "q2": {"a": 1}}, {q: {"a": 1.0}}, keep_items=True)
        for q in ("q1", "q2")
    )
    assert len(one.pairs(two)) == 0 and one.pairs(two)["relevant"].dtype == np.bool_
