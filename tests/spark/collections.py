"""Small collections of runs and qrels, and what two reports of them must have in common."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from hypothesis import strategies as st

import precall as pc

#: Of every kind: of ranks, grades, users, judgements, counts, and those that look at the greatest
#: grade.
MEASURES = (
    "AP",
    "P@3",
    "nDCG@5",
    "nDCG(gain=exp)",
    "RR",
    "Rprec",
    "Bpref",
    "ERR@4",
    "RBP",
    "F@3",
    "GMAP",
    "NumRel",
    "Compat",
    "11pt",
)
#: Those that have a mean over all orders.
LINEAR = ("AP", "P@3", "nDCG@5", "RR", "RBP", "NumRel")
Row = tuple[str, str, float]
#: (run, topic, item, score) and (topic, item, grade).
Collection = tuple[list[tuple[str, str, str, float]], list[tuple[str, str, int]]]


@st.composite
def collections(draw: st.DrawFn, runs: int = 2) -> Collection:
    """Few scores, so that many are tied; topics that some run or the qrels lack; rows in any
    order.
    """
    names, topics = [f"s{i}" for i in range(runs)], [f"q{i}" for i in range(5)] + ["é"]
    places = st.tuples(st.sampled_from(names), st.sampled_from(topics), st.sampled_from("abcdefgh"))
    scores = st.sampled_from([0.0, -0.0, 0.5, 1.0, 0.1 + 0.2, 3.0, float("inf"), -2.5])
    scored = draw(st.dictionaries(places, scores, min_size=10, max_size=60))
    pairs = st.tuples(st.sampled_from([*topics, "only judged"]), st.sampled_from("abcdefgh"))
    graded = draw(st.dictionaries(pairs, st.integers(-1, 3), min_size=8, max_size=30))
    return [(*key, value) for key, value in scored.items()], [
        (*key, value) for key, value in graded.items()
    ]


def conventions() -> st.SearchStrategy[dict[str, Any]]:
    """Of all kinds."""
    return st.fixed_dictionaries(
        {
            "ties": st.sampled_from(["docno", "input", "expected", "best", "worst", "random"]),
            "topics": st.sampled_from(["both", "qrels", "run"]),
            "undefined": st.sampled_from(["zero", "omit"]),
            "grade": st.integers(1, 2),
            "judged_only": st.booleans(),
            "depth": st.sampled_from([None, 2, 5]),
            "aggregate": st.sampled_from([None, "geometric", "sum"]),
            "score_dtype": st.sampled_from(["float64", "float32"]),
            "lower_is_better": st.booleans(),
        }
    )


def asked_of(chosen: dict[str, Any]) -> tuple[str, ...]:
    """The measures that these conventions have."""
    return LINEAR if chosen["ties"] == "expected" else MEASURES


def on_one_machine(collection: Collection, measures: Any, **chosen: Any) -> pc.Report:
    """What `pc.evaluate` makes of it."""
    scored, graded = collection
    runs = {
        name: [row[1:] for row in scored if row[0] == name]
        for name in sorted({row[0] for row in scored})
    }
    return pc.evaluate(graded, runs, measures, **chosen)


def outcome(function: Any) -> Any:
    """What it returns, or the kind of error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        try:
            return function()
        except (pc.DataError, pc.UsageError, pc.PrecallError) as error:
            return type(error)


def assert_same(made: pc.Report, wanted: pc.Report) -> None:
    """To the last bit; topics may be in another order."""
    assert (made.measures, made.asked, made.aggregates) == (
        wanted.measures,
        wanted.asked,
        wanted.aggregates,
    )
    assert {**made.conventions, "qrels": ""} == {**wanted.conventions, "qrels": ""}
    for mine, theirs in zip(made.runs, wanted.runs, strict=True):
        assert (mine.name, mine.counts, mine.undefined) == (
            theirs.name,
            theirs.counts,
            theirs.undefined,
        )
        assert mine.mean.tobytes() == theirs.mean.tobytes()
        orders = [
            sorted(range(len(part.topics)), key=part.topics.__getitem__) for part in (mine, theirs)
        ]
        ids = [
            [part.topics[at] for at in order]
            for part, order in zip((mine, theirs), orders, strict=True)
        ]
        assert ids[0] == ids[1]
        values = [
            np.ascontiguousarray(part.values[:, order])
            for part, order in zip((mine, theirs), orders, strict=True)
        ]
        assert values[0].tobytes() == values[1].tobytes(), (ids[0], made.measures)
