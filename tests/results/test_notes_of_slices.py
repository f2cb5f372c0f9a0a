"""A part of a result, taken out of it, has the notes on the data that the whole has: an interval of
a report and a value or pair of a judged result had only their own. What the whole shows once is not
shown again with each part.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import precall as pc
from precall.core.notes.of_runs import MissingTopics, TiesThatMatter, UnjudgedTopics
from tests.noticed import noticed

#: A name that has what stands between notes.
NAME = "bm25: 1 shard; v2"
QRELS = {f"q{i}": {"a": 1, "b": 0, "c": 0} for i in range(1, 13)}
JUDGED = {f"q{i}": {"a": 1, "b": int(i % 3 == 0), "c": 0} for i in range(1, 40)}
RUN = {topic: {"a": 3.0, "b": 2.0, "c": 1.0} for topic in JUDGED if topic != "q2"}
RUN |= {"q1": {"a": 3.0, "b": 3.0}, "zz": {"a": 1.0}}
OTHER = {topic: {"b": 3.0, "a": 2.0, "c": 1.0} for topic in JUDGED}
ON_DATA = (MissingTopics, TiesThatMatter, UnjudgedTopics)


def subjects(result: Any, kind: Any) -> set[str]:
    return {note.subject for note in noticed(result, kind)}


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_an_interval_of_a_report() -> None:
    runs = {NAME: RUN, "other": {topic: OTHER[topic] for topic in QRELS}}
    report = pc.evaluate(QRELS, runs, ["AP"], topics="qrels", interval="t")
    bounds = report.bounds(NAME, "map")
    assert bounds is not None
    for kind in ON_DATA:
        assert subjects(bounds, kind) == {NAME}
        assert not noticed(report.bounds("other", "AP"), kind)
        assert len(noticed(report, kind)) == 1
    assert bounds.conventions["qrels"] == report.conventions["qrels"]


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_a_value_and_a_pair_of_a_judged_result() -> None:
    found = pc.judge(QRELS, JUDGED, {NAME: RUN, "other": OTHER}, ["AP"], topics="qrels")
    (pair,) = found.pairs
    document = json.loads(found.to_json())
    for kind in ON_DATA:
        assert subjects(found[NAME, "AP"], kind) == subjects(pair, kind) == {NAME}
        assert not noticed(found["other", "AP"], kind)
        assert len(noticed(found, kind)) == len(noticed(document, kind)) == 1
        for part in (*document["values"], *document["pairs"]):
            assert not noticed(part, kind)
            assert "shared" not in part
        assert len(noticed(json.loads(pair.to_json()), kind)) == 1
