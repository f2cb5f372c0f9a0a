"""A baseline keeps what was noticed of its runs, and a gate tells it: a run that lacked most topics
is easily matched.

Older tests wrote baselines of whole runs.
"""

from __future__ import annotations

import json
import warnings

import pytest

import precall as pc
from precall.comparison.baselines import read_baseline
from precall.core.notes.of_runs import MissingTopics, UndefinedTopics
from precall.testing import assert_not_worse

from ..noticed import noticed, shown, warned

QRELS = {f"q{i}": {"a": 1} for i in range(30)}
WHOLE = {topic: {"a": 1.0} for topic in QRELS}


def report(topics=30, measures=("AP",), **runs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pc.evaluate(
            QRELS, runs or dict(list(WHOLE.items())[:topics]), measures, topics="qrels"
        )


@pytest.fixture
def base(tmp_path):
    """A baseline of 3 of 30 topics."""
    assert_not_worse(report(3), tmp_path / "base.json", update=True)
    return tmp_path / "base.json"


def test_a_baseline_that_lacked_topics(base):
    with warned(MissingTopics) as told:
        gates = assert_not_worse(report(), base)
    (note,) = noticed(gates, MissingTopics)
    assert gates.passed and [note] == told
    assert (note.subject, note.missing, note.total) == ("baseline", 27, 30)
    assert noticed(json.loads(gates.to_json()), MissingTopics) == [note]
    assert shown(str(gates), note) and shown(gates.to_junit(), note)


def test_a_failed_gate_says_it(base):
    with warnings.catch_warnings(), pytest.raises(AssertionError) as failed:
        warnings.simplefilter("ignore")
        worse = {
            topic: {"x": 3.0, "y": 2.0, "a": 1.0} if i < 3 else {"x": 1.0}
            for i, topic in enumerate(QRELS)
        }
        assert_not_worse(report(run=worse), base, 0.001)
    assert shown(str(failed.value), MissingTopics("baseline", 27, 30))


def test_what_the_run_has_as_well_is_not_warned_of(base):
    gates = assert_not_worse(report(3), base)
    assert [note.subject for note in noticed(gates, MissingTopics)] == ["run", "baseline"]


def test_several_runs(tmp_path):
    path = tmp_path / "base.json"
    first = report(a=dict(list(WHOLE.items())[:10]), b=WHOLE)
    assert_not_worse(first, path, update=True)
    assert noticed(read_baseline(path)) == noticed(first)
    with warned(MissingTopics) as told:
        assert_not_worse(report(a=WHOLE, b=WHOLE), path)
    assert [(note.context, note.subject, note.missing) for note in told] == [
        (("baseline",), "a", 20)
    ]


def test_what_is_undefined_by_a_measure_that_is_no_gate(tmp_path):
    path = tmp_path / "base.json"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report_of_both = pc.evaluate({**QRELS, "q0": {"a": 0}}, WHOLE, ["AP", "P@1"])
    gates = assert_not_worse(report_of_both, path, measures="P@1", update=True)
    assert noticed(report_of_both, UndefinedTopics) and not noticed(gates, UndefinedTopics)


def test_the_first_format_is_read(base):
    told = json.loads(base.read_bytes())
    assert [note["kind"] for note in told.pop("notes")] == ["missing-topics"]
    base.write_text(json.dumps({**told, "format": "precall.baseline/1"}))
    assert assert_not_worse(report(), base).passed
