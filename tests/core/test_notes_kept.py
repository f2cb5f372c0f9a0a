"""What an interval warned of was lost when it was kept, saved or put on a page, and named a line
inside the library.

The old tests caught warnings with `pytest.warns`, which sees neither the line they name nor how
many there are, and never looked for their text in the result.
"""

from __future__ import annotations

import json
import warnings
from html import unescape

import numpy as np
import pytest

import precall as pc
from precall.core.notes import notes_to_json, sentences
from precall.core.notes.of_intervals import (
    BeyondRange,
    EachByItself,
    FewCases,
    FewOfAKind,
    FewValues,
)
from tests.coverage.simulation import every, simulated
from tests.noticed import noticed
from tests.pages import record_about

LABELS = ([1, 0, 1, 0, 0, 0] * 3, list(range(18)))


def heard(make):
    """What is returned, and the warnings with the file and line that they name."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = make()
    return found, caught


SINGLE = {
    "proportion": lambda: pc.interval.proportion(1, 9),
    "f": lambda: pc.interval.f(1, 2, 3),
    "e": lambda: pc.interval.e(1, 2, 3),
    "mean": lambda: pc.interval.mean([0.1, 0.2, 0.4]),
    "two_way": lambda: pc.interval.two_way([[0.1, 0.2], [0.4, 0.1], [0.3, 0.3]]),
    "micro_f": lambda: pc.interval.micro_f([[3, 1], [1, 3]]),
    "average_precision": lambda: pc.interval.average_precision(*LABELS),
    "area_under_roc": lambda: pc.interval.area_under_roc(*LABELS),
    "undefined": lambda: pc.interval.area_under_roc([1, 1], [1, 2]),
    "max_f": lambda: pc.interval.max_f(*LABELS, rng=1),
    "precision_at_threshold": lambda: pc.interval.precision_at_threshold(
        *LABELS, recall=0.5, rng=1
    ),
    "pr_band": lambda: pc.interval.pr_band(*LABELS, rng=1),
    "curve": lambda: pc.interval(pc.curve(*LABELS), "AUC"),
}


@pytest.mark.parametrize("name", SINGLE)
def test_said_once_at_the_callers_line_and_kept(name):
    found, caught = heard(SINGLE[name])
    assert found.notes
    assert found.notes == tuple(str(one.message) for one in caught)
    assert {one.filename for one in caught} == {__file__}
    # Printed, too; the representation stays one line.
    assert str(found).splitlines()[1:] == list(found.notes)
    assert "\n" not in repr(found)


def test_quiet_where_nothing_is_to_be_known():
    found, caught = heard(lambda: pc.interval.proportion(50, 100))
    assert not caught
    assert found.notes == ()


@pytest.mark.nightly
def test_ninety_categories_warn_once():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 90, 400)
    said = np.where(rng.random(400) < 0.7, truth, rng.integers(0, 90, 400))
    decisions = pc.decisions(truth, said)
    of_f, caught = heard(lambda: pc.interval(decisions, "f"))
    # Of each kind one warning: categories with few errors, categories with few hits.
    assert len(caught) == 2
    assert {one.filename for one in caught} == {__file__}
    # And that there are ninety, which is no reason to warn.
    told = sentences(of_f.notes)
    assert len(told) == 3 and [note.categories for note in noticed(of_f, EachByItself)] == [90]
    few = noticed(of_f, FewOfAKind)
    assert {note.subject for note in few} == {"F1"} and {note.seen for note in few} == set(range(5))
    assert len({note.noun for note in few}) == 2 and set(sentences(few)) == set(told[:2])
    every, caught = heard(lambda: pc.interval(decisions))
    assert len(caught) <= 8
    assert {one.filename for one in caught} == {__file__}
    # Every category has its own all the same, and the printed table says them below.
    assert any(one.notes for one in every.values())
    assert every.notes[-1] in " ".join(str(every.sheet(all=True, notes=True)).split())
    assert every.to_dict()["notes"] == notes_to_json(every.notes)
    assert len(every.table["notes"]) == len(every)


def test_notes_of_averages_reach_every_form():
    qrels = {f"q{i}": {"a": 1} for i in range(4)}
    run = {f"q{i}": {"a": float(i % 2), "b": 0.5} for i in range(4)}
    report = pc.evaluate(qrels, run, ["AP", "P@1"])
    found, caught = heard(lambda: pc.interval(report))
    few = [FewValues(measure, 4, "topics", "wide") for measure in ("AP", "P@1")]
    assert list(found.notes) == few == noticed(caught) and len(caught) == 1
    found, caught = heard(lambda: pc.interval(report, method="t"))
    assert sentences(found.notes) == [str(one.message) for one in caught] and len(caught) == 2
    skewed = [FewValues(measure, 4, "topics", "skewed") for measure in ("AP", "P@1")]
    assert noticed(caught, FewValues) == noticed(found, FewValues) == skewed
    beyond = [(note.subject, note.low, note.high) for note in noticed(found, BeyondRange)]
    assert beyond == [("AP", 0, 1), ("P@1", 0, 1)] and len(noticed(caught, BeyondRange)) == 2
    assert {note.values_seen for note in noticed(record_about(report), FewValues)} == {4}
    assert sentences(skewed)[0] in " ".join(unescape(found._repr_html_()).split())
    told = json.loads(report.sheet(intervals=found).to_json())
    assert noticed(told["runs"][0]["interval"]["AP"], FewValues)[0].values == skewed[0].values


def test_interval_as_plain_data():
    with pytest.warns(pc.PrecallWarning):
        found = pc.interval.max_f(*LABELS, rng=1)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["notes"] == notes_to_json(found.notes)
    assert told["naive"]["measure"] == found.naive.measure


@pytest.mark.nightly
def test_few_heavy_weights_are_noted():
    """Average precision of weights from 1 to 50 covered 89-92 % without a word; the area under ROC
    had one.
    """
    cell = next(
        one
        for one in every()
        if one.interval == "average_precision" and "2 to 100 % of them kept, 20%" in one.situation
    )
    assert simulated(cell, 40).warned > 0.8


@pytest.mark.nightly
def test_many_groups_of_a_table_are_one_note(tmp_path):
    """The command said each thing of each group: 120 notes of 40 groups. Old tests had two
    groups.
    """
    from click.testing import CliRunner

    from precall.cli.commands import commands

    rows = [f"{i % 3 // 2},{i * 7 % 23},g{i // 6}" for i in range(240)]
    path = tmp_path / "cases.csv"
    path.write_text("\n".join(["y,s,g", *rows]))
    given = ["curve", str(path), "--label", "y", "--score", "s", "--group", "g", "--interval"]
    words = " ".join(CliRunner().invoke(commands, [*given, "--notes"]).output.split())
    few = noticed(
        json.loads(CliRunner().invoke(commands, [*given, "--format", "json"]).output), FewCases
    )
    told = sentences(few)
    measures = {(note.subject, note.cases) for note in few}
    assert len(few) == 40 * len(measures) and len(told) == len(measures) == 8
    assert all(words.count(each) <= 1 for each in told)
    assert measures > {
        ("average precision", 2),
        ("area under ROC", 2),
        ("max F on new cases", 2),
    }
    assert (
        "s, group g0, s, group g1, s, group g10, s, group g11 and 36 more: average precision: "
        in words
    )


def test_notes_of_a_report_are_read_as_those_of_every_result() -> None:
    """They were a method, and those of all other results an attribute."""
    report = pc.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1.0}}, ["AP"])
    assert [note.kind for note in report.notes] == ["missing-topics"]
    assert report.notes() == list(report.notes) and isinstance(report.notes, tuple)
