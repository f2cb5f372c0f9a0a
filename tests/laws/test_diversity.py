"""Measures of diversity: against their oracles, and what must hold of them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.compat.ir_measures import Qrel
from precall.core.errors import DataError, MeasureError, NoCommonTopic, UsageError
from precall.location.subtopics import Subtopics
from precall.measures import REGISTRY, SubtopicExample
from tests.oracle.diversity import DIVERSE
from tests.oracle.ranking import docno

DECLARED = [declared for declared in REGISTRY if declared.of is Subtopics]
IDS = ["a", "b", "c", "d", "e", "é", "zz"]
CELLS = st.dictionaries(
    st.tuples(st.sampled_from(["1", "2", "3"]), st.sampled_from(IDS)),
    st.integers(-1, 2),
    min_size=1,
    max_size=14,
)
SCORES = st.dictionaries(
    st.sampled_from([*IDS, "x", "y"]), st.sampled_from([1.0, 2.0, 3.0]), max_size=9
)
VARIED: dict[str, list[Any]] = {
    "cutoff": [1, 2, 3, 10],
    "alpha": [0.5, 0.0, 0.2, 1.0],
    "beta": [0.5, 0.9],
}


def variants(name: str) -> list[dict[str, Any]]:
    """The defaults, and each parameter varied alone."""
    known = REGISTRY[name].parameters
    first = {key: VARIED[key][-1] for key in known if known[key].default is ...}
    return [first, *({**first, key: value} for key in known for value in VARIED[key])]


def said(name: str, given: dict[str, Any]) -> str:
    inside = ",".join(f"{key}={value}" for key, value in given.items() if key != "cutoff")
    return (
        name
        + (f"({inside})" if inside else "")
        + (f"@{given['cutoff']}" if "cutoff" in given else "")
    )


def test_all_have_an_oracle() -> None:
    assert {declared.name for declared in DECLARED} == set(DIVERSE)


@pytest.mark.parametrize("declared", DECLARED, ids=lambda declared: declared.name)
def test_worked_example(declared: Any) -> None:
    example = declared.example
    assert isinstance(example, SubtopicExample)
    measure = pc.measure(said(declared.name, example.parameters))
    assert measure(example.subtopics()) == pytest.approx([example.value], rel=1e-15)


@pytest.mark.nightly
@given(cells=CELLS, scores=SCORES, grade=st.sampled_from([1, 2]))
def test_agrees_with_its_oracle(
    cells: dict[tuple[str, str], int], scores: dict[str, float], grade: int
) -> None:
    rows = [("q", subtopic, item, level) for (subtopic, item), level in cells.items()]
    where = pc.locate_subtopics(
        [*rows, ("other", "1", "a", 1)], {"q": scores, "other": {"a": 1.0}}, grade=grade
    )
    relevance = {
        item: frozenset(
            s for (s, other), level in cells.items() if other == item and level >= grade
        )
        for _, item in cells
    }
    for name, oracle in DIVERSE.items():
        for parameters in variants(name):
            mine = float(pc.measure(said(name, parameters))(where)[0])
            theirs = oracle(docno(scores), relevance, **parameters)
            what = (said(name, parameters), mine, theirs)
            assert math.isnan(mine) if theirs is None else abs(mine - float(theirs)) < 1e-12, what
            assert (
                theirs is None
                or -1e-12 < mine < 1 + 1e-12
                or name.startswith(("alpha_n", "nERR", "nNRBP"))
            ), what


def test_with_one_subtopic_they_are_the_measures_of_one() -> None:
    qrels = {"q": {"a": 1, "b": 1, "c": 0, "d": 1}, "r": {"a": 1}}
    run = {"q": {"b": 3.0, "c": 2.0, "a": 1.0, "x": 0.5}, "r": {"b": 1.0, "a": 1.0}}
    rows = [(topic, "0", item, grade) for topic in qrels for item, grade in qrels[topic].items()]
    where, located = pc.locate_subtopics(rows, run), pc.locate(qrels, run)
    for ours, usual in (
        ("AP_IA", "AP"),
        ("P_IA@2", "P@2"),
        ("StRecall@2", "Success@2"),
        ("alpha_nDCG(alpha=0)@3", "nDCG@3"),
    ):
        np.testing.assert_allclose(pc.measure(ours)(where), pc.measure(usual)(located), rtol=1e-15)


def test_topics_of_the_qrels_alone_count() -> None:
    where = pc.locate_subtopics(
        [("q", "1", "a", 1), ("r", "1", "a", 1), ("none", "1", "a", 0)],
        {"q": {"a": 1.0}, "x": {"a": 1.0}},
    )
    assert where.topics == ("q", "r", "none") and len(where) == 3
    np.testing.assert_array_equal(pc.measure("StRecall@1")(where), [1.0, 0.0, np.nan])


def test_ties() -> None:
    rows, run = [("q", "1", "a", 1)], {"q": {"a": 1.0, "b": 1.0}}
    measure = pc.measure("P_IA@1")
    assert measure(pc.locate_subtopics(rows, run))[0] == 0.0
    assert measure(pc.locate_subtopics(rows, run, ties="input"))[0] == 1.0
    with pytest.raises(UsageError, match="ties: got 'best'"):
        pc.locate_subtopics(rows, run, ties="best")
    with pytest.raises(NoCommonTopic):
        pc.locate_subtopics(rows, {"other": {"a": 1.0}})


def test_rows_of_any_kind(tmp_path: Path) -> None:
    rows, run = (
        [("q", "1", "a", 1), ("q", "2", "b", -1), ("q", "2", "c", 2)],
        {"q": {"b": 3.0, "c": 2.0}},
    )
    path = tmp_path / "qrels"
    path.write_text(
        "".join(f"{topic} {subtopic} {item} {grade}\n" for topic, subtopic, item, grade in rows)
        + "\n"
    )
    named = [Qrel(topic, item, grade, subtopic) for topic, subtopic, item, grade in rows]
    expected = [1 / math.log2(3) / 2 / (1 + 0.5 / math.log2(3))]
    for source in (rows, path, str(path), iter(named), [("q", 1, "a", 1), ["q", 2, "c", 2]]):
        assert pc.measure("alpha_DCG@2")(pc.locate_subtopics(source, run)) == pytest.approx(
            expected
        )


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        (
            [("q", "1", "a")],
            DataError,
            r"qrels: row 1: got \('q', '1', 'a'\), a judgement is topic, subtopic, item, grade",
        ),
        ([("q", "1", "a", 1), ("q", "1", "a", "x")], DataError, "row 2: got"),
        ([1], DataError, "row 1: got 1"),
        (None, UsageError, "qrels: got NoneType, allowed are a path, rows"),
        ({"q": {"a": 1}}, UsageError, "qrels: got dict"),
    ],
)
def test_rows_that_are_none(rows: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        pc.locate_subtopics(rows, {"q": {"a": 1.0}})


def test_a_line_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("q 1 a 1\nq 1 b high\n")
    with pytest.raises(DataError, match="qrels:2: got"):
        pc.locate_subtopics(path, {"q": {"a": 1.0}})


def test_they_are_of_no_other_rankings() -> None:
    with pytest.raises(MeasureError, match="is of judgements by subtopic; pass a file"):
        pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["alpha_nDCG@20"])
    with pytest.raises(MeasureError, match="alpha_nDCG needs cutoff; write alpha_nDCG@k"):
        pc.measure("alpha_nDCG")
