"""Lists of results that are missing or empty: the message leads on, and empty ones are counted."""

import json

import pytest

import precall as pc
from precall.core.notes.of_runs import EmptyRankings, MissingTopics, NothingRetrieved
from precall.read.problems import NO_RESULTS
from tests.noticed import noticed

GOLD = {f"q{i}": ["a"] for i in range(12)}


@pytest.mark.parametrize("missing", [float("nan"), None])
def test_nan_and_none_lead_to_an_empty_list(missing):
    with pytest.raises(pc.DataError) as refused:
        pc.evaluate(GOLD, {**GOLD, "q3": missing})
    assert NO_RESULTS in str(refused.value)


def test_empty_lists_are_noted_beside_missing_ones():
    run = {q: ids for q, ids in GOLD.items() if q != "q0"} | {"q1": []}
    report = pc.evaluate(GOLD, {"bm25": run})
    (missing,), (empty,) = noticed(report, MissingTopics), noticed(report, EmptyRankings)
    assert (missing.missing, missing.total) == (1, 12) and (empty.empty, empty.total) == (1, 12)
    assert noticed(pc.evaluate(GOLD, {"bm25": GOLD}), EmptyRankings) == []


def test_most_lists_empty_is_said_once():
    report = pc.evaluate(GOLD, {q: [] if i < 7 else ids for i, (q, ids) in enumerate(GOLD.items())})
    assert not noticed(report, EmptyRankings) and noticed(report, NothingRetrieved)


def test_a_file_of_several_runs_leads_to_a_file_each(tmp_path):
    (tmp_path / "both.json").write_text(json.dumps({"bm25": GOLD, "dense": GOLD}))
    with pytest.raises(pc.DataError, match="precall eval gold.json bm25.json dense.json"):
        pc.evaluate(GOLD, tmp_path / "both.json")
