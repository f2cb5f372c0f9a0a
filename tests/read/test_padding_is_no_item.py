"""FAISS writes -1 where it found nothing; such a row counted as an item that was retrieved, or as a
relevant one.

No older test had integers below 0 as ids. And `at(accept=k)` counted weights, and accepted nothing,
without a word.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_curves import NothingAccepted, WeightsAccepted
from precall.core.notes.of_reading import LastIsPadding
from precall.read.columns import Ids
from tests.noticed import noticed, warned
from tests.peers import peer

pd = peer("pandas")
pl = peer("polars")
pa = peer("pyarrow")

GOLD, FOUND = [[7], [5]], [[3, 7, 12, -1], [5, -1, -1, -1]]
ONE = (
    "has the item '-1' among ids that are whole numbers from 0 on.*; FAISS and other vector "
    "indexes write -1"
)
TWO = (
    "has item '-1' twice .*; FAISS and other vector indexes write -1 where they found nothing: "
    "leave it out"
)
TABLE = {"qid": ["q", "q"], "docno": [7, -1], "score": [0.9, 0.1]}


@pytest.mark.parametrize(
    "door", [list, np.array, lambda rows: [np.array(row) for row in rows], pl.Series, pa.array]
)
def test_lists_and_arrays(door):
    with pytest.raises(pc.DataError, match=TWO):
        pc.evaluate(GOLD, door(FOUND), ["AP"])
    for duplicates in ("first", "last", "best"):
        with pytest.raises(pc.DataError, match=ONE):
            pc.evaluate(GOLD, door(FOUND), ["AP"], duplicates=duplicates)
    with pytest.raises(pc.DataError, match=ONE):
        pc.evaluate(GOLD, door([[3, 7, -1], [5, 3, 2]]), ["AP"])
    with pytest.raises(pc.DataError, match=ONE):
        pc.evaluate(door([[7, -1], [5, 3]]), [[7], [5]], ["AP"])


@pytest.mark.parametrize(
    "run",
    [
        {"q": {7: 0.9, -1: -3.4e38}},
        {"q": {"7": 0.9, "-1": 0.1}},
        {"q": [7, -1]},
        {"q": np.array([7, -1])},
        [("q", 7, 0.9), ("q", -1, 0.1)],
        pd.DataFrame(TABLE),
        pl.DataFrame(TABLE),
        pa.table(TABLE),
        [{"qid": "q", "docno": 7, "score": 1.0}, {"qid": "q", "docno": -1, "score": 0.5}],
    ],
)
def test_every_door(run):
    with pytest.raises(pc.DataError, match=f"topic 'q' {ONE}"):
        pc.evaluate({"q": {7: 1}}, run, ["AP"])


def test_files(tmp_path):
    (tmp_path / "x.run").write_text("q Q0 7 1 .9 t\nq Q0 -1 2 .1 t\n")
    (tmp_path / "y.run").write_text("q Q0 7 1 .9 t\nq Q0 -1 2 .1 t\nq Q0 -1 3 .1 t\n")
    (tmp_path / "x.csv").write_text("qid,docno,score\nq,7,.9\nq,-1,.1\n")
    pl.DataFrame(TABLE).write_parquet(tmp_path / "x.parquet")
    for name in ("x.run", "x.csv", "x.parquet"):
        with pytest.raises(pc.DataError, match=ONE):
            pc.read_run(tmp_path / name)
    with pytest.raises(pc.DataError, match=TWO):
        pc.read_run(tmp_path / "y.run")


def test_one_ranking():
    with pytest.raises(
        pc.DataError, match="id '-1' is among ids that are whole numbers from 0 on; FAISS"
    ):
        pc.ranking([7], [3, 7, -1])
    with pytest.raises(pc.DataError, match="id '-1' is there twice .*; FAISS"):
        pc.ranking([7], [3, 7, -1, -1])


def test_other_ids_may_be_below_0():
    """Hashes of texts are whole numbers of either sign, and texts may be called anything."""
    assert pc.evaluate([[7]], [[-1, 7, -5]], ["RR"])["RR"] == 0.5
    assert pc.evaluate([["a"]], [["-1", "a"]], ["RR"])["RR"] == 0.5
    assert (
        Ids.of(["1", "-11", "2-1"]).padding().tolist() == [] and Ids.of([]).padding().tolist() == []
    )
    assert Ids.of(["-1", "5", "-1"]).rows(1, 3).padding().tolist() == [1]


@pytest.mark.parametrize(
    "run",
    [
        {"q": {"a": 0.9, "b": 0.5, "-1": 0.1}, "r": {"-1": 0.1, "a": 0.2}},
        {"q": ["a", "b", "-1"], "r": ["a", -1]},
        [["a", "b", "-1"], ["b", "-1"]],
        pd.DataFrame({"qid": [*"qqr", "r"], "docno": ["a", "-1"] * 2, "score": [2, 1, 4, 3]}),
    ],
)
def test_the_last_of_several_texts_is_said(run):
    """Among texts one -1 was taken without a word unless its score was an end of float32."""
    gold = [["a"], ["b"]] if isinstance(run, list) else {"q": {"a": 1}, "r": {"a": 1}}
    report = pc.evaluate(gold, run, ["RR"])
    assert [note.topics for note in noticed(report, LastIsPadding)] == [2]


def test_a_text_that_is_not_last_is_an_item():
    report = pc.evaluate({"q": {"a": 1}}, {"q": {"-1": 0.9, "a": 0.5}}, ["RR"])
    assert not noticed(report, LastIsPadding)


@pytest.mark.parametrize("weights", [[5.0, 2.5, 5.0], [5, 5, 5], [0.5, 0.5, 0.5]])
def test_accepted_weights_are_said(weights):
    curve = pc.curve([1, 0, 1], [0.3, 0.2, 0.1], weights=weights)
    accepted = sum(w for i, w in enumerate(weights) if sum(weights[: i + 1]) <= 1)
    with warned(WeightsAccepted) as told:
        point = curve.at(accept=1)
    assert [note.values for note in told] == [
        {"accept": 1, "accepted": accepted, "total": sum(weights)}
    ]
    assert point.tp + point.fp == accepted


def test_equal_scores_that_are_too_many_are_said():
    with warned(NothingAccepted) as told:
        assert pc.curve([1, 0, 1], [0.3, 0.3, 0.3]).at(accept=2).tp == 0
    assert [note.values for note in told] == [{"accept": 2, "first": 3}]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pc.curve([1, 0, 1], [0.3, 0.3, 0.3]).at(accept=0).tp == 0
        assert pc.curve([1, 0, 1], [0.3, 0.2, 0.1]).at(accept=2).tp == 1
        assert pc.curve([1, 0, 1], [0.3, 0.2, 0.1], weights=[1, 2, 1]).at(accept=3).tp == 1


@pytest.mark.parametrize("end", [-3.4028234663852886e38, 3.4028235e38, float("-inf")])
def test_an_end_of_float32_is_padding_among_any_ids(end):
    """FAISS pads with -1 and an end of float32, whatever the caller makes of the other ids."""
    run = {"q": {"doc7": 0.9, "-1": end}}
    with pytest.raises(pc.DataError, match="has the item '-1' with the score"):
        pc.evaluate({"q": {"doc7": 1}}, run, ["AP"])
    assert pc.evaluate({"q": {"doc7": 1}}, {"q": {"doc7": 0.9, "-1": 0.1}}, ["AP"])["AP"] == 1
