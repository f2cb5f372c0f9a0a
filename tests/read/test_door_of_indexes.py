"""Topics and items in the index of pandas, in arrays with named fields, and in the keys of a
dict.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_reading import ColumnsRead
from tests.noticed import noticed
from tests.peers import peer

pd = peer("pandas")
polars = peer("polars")

GOLD = {"q1": {"a": 1}, "q2": {"b": 1}}
#: RR is 1/2 and 1; the columns stand in another order than ours.
FRAME = pd.DataFrame(
    {"score": [1.0, 2.0, 1.0], "docno": ["a", "b", "b"], "qid": ["q1", "q1", "q2"]}
)
INDEXED = FRAME.set_index(["docno", "qid"])
FIELDS = [("docno", "U2"), ("score", "f8"), ("qid", "U2")]
ROWS = [("a", 1.0, "q1"), ("b", 2.0, "q1"), ("b", 1.0, "q2")]

RUNS = {
    "levels of an index": INDEXED,
    "a series": INDEXED["score"],
    "a series that says nothing": INDEXED["score"].rename("bm25"),
    "one level": FRAME.set_index("qid"),
    "records with an index": FRAME.to_records(),
    "records": FRAME.to_records(index=False),
    "records of an index": INDEXED.to_records(),
    "named fields": np.array(ROWS, FIELDS),
    "named fields of bytes": np.array(
        [(d.encode(), s, q.encode()) for d, s, q in ROWS],
        [("docno", "S2"), ("score", "f4"), ("qid", "S2")],
    ),
    "pairs as keys": {("q1", "a"): 1.0, ("q1", "b"): 2.0, ("q2", "b"): 1},
    "pairs of a series": FRAME.set_index(["qid", "docno"])["score"].to_dict(),
}


@pytest.mark.parametrize("name", RUNS)
def test_runs(name):
    for run in (RUNS[name], {"named": RUNS[name]}):
        report = pc.evaluate(GOLD, run, "RR")
        assert report.per_topic["value"].tolist() == [1 / 2, 1]
    assert pc.read_run(RUNS[name]).topics.tolist() == ["q1", "q2"]


def test_judgements():
    judged = pd.DataFrame({"docid": ["a", "b"], "query-id": ["q1", "q2"], "rel": [1.0, 1.0]})
    indexed = judged.set_index(["query-id", "docid"])
    pairs = {("q1", "a"): 1, ("q2", "b"): 1}
    for gold in (
        indexed,
        indexed["rel"],
        judged.to_records(),
        judged.to_records(index=False),
        pairs,
    ):
        assert pc.evaluate(gold, FRAME, "RR")["RR"] == 0.75
        assert len(pc.compare(gold, {"one": FRAME, "two": INDEXED}, "RR").pairs) == 1


def test_lowest_first():
    distances = INDEXED["score"].rename("distance")
    assert pc.evaluate(GOLD, distances, "RR", lower_is_better=True)["RR"] == 1
    with pytest.raises(pc.DataError, match="pass lower_is_better=True"):
        pc.evaluate(GOLD, distances, "RR")
    assert pc.evaluate(GOLD, INDEXED["score"].rename("rank"), "RR")["RR"] == 1


def test_other_names_are_told():
    songs = FRAME.set_axis(["plays", "song", "user"], axis=1).set_index(["user", "song"])
    names = {"topic": "user", "item": "song", "score": "plays"}
    for run in (songs, songs.to_records()):
        assert pc.evaluate(GOLD, run, "RR", columns=names)["RR"] == 0.75
    with pytest.raises(pc.DataError, match="no column 'topic' .* the columns are 'user', 'song'"):
        pc.evaluate(GOLD, songs, "RR")
    # What has all its columns is not asked for its index.
    known = FRAME.set_index(pd.Index(["x", "x", "x"], name="item"))
    assert pc.evaluate(GOLD, known, "RR")["RR"] == 0.75


def test_queries_of_lists_in_the_index():
    lists = pd.DataFrame(
        {"retrieved": [["b", "a"], ["b"]], "gold": [["a"], ["b"]]},
        index=pd.Index(["q1", "q2"], name="qid"),
    )
    gold, run = pc.read_lists(lists)
    assert gold.topics.tolist() == ["q1", "q2"] and pc.evaluate(gold, run, "RR")["RR"] == 0.75
    assert ("qid", "query") in noticed(gold, ColumnsRead)[0].columns


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (
            pd.Series({("q1", "a"): 1.0}),
            r"its index has levels without names; .*\(\['topic', 'item'\]\).reset_index\(\)",
        ),
        (INDEXED.rename_axis([None, None]), r"rename_axis\(\['topic', 'item'\]\).reset_index\(\)"),
        (
            FRAME.groupby("qid").agg(list),
            r"column 'docno' holds lists, .* frame.explode\('docno'\) does; .* pc.read_lists",
        ),
        (polars.DataFrame({"qid": ["q1"], "docno": [["a"]]}), r"frame.explode\('docno'\) does"),
    ],
)
def test_what_to_do(run, expected):
    with pytest.raises(pc.PrecallError, match=expected):
        pc.evaluate(GOLD, run, "RR")


def test_an_error_has_no_lines_of_a_value():
    with pytest.raises(pc.PrecallError) as caught:
        pc.evaluate(GOLD, list(FRAME.iterrows())[:1], "RR")
    assert len(str(caught.value).splitlines()) == 1
