"""Rows of csv had no notes of comparisons; tables of intervals, and pages told again, had no seed.

The old tests looked for notes in json and on pages, and for the seed in single results: no test
went through all forms.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import precall as pc
from precall.core.notes import group_by_subject, sentences
from precall.core.notes.of_comparisons import TopicsLeftOut
from precall.core.notes.of_runs import MissingTopics
from precall.page.document import tell
from precall.results.forms import names

RNG = np.random.default_rng(1)
VALUES = {name: RNG.exponential(size=30) ** 2 for name in "abc"}


def plain(text):
    """A text without the marks of its form, and without its line breaks."""
    return " ".join(re.sub(r"[\\%]|&[^;]+;", "", text).split())


def is_told(text, note):
    """Whether a text has the note, perhaps without the names of its context."""
    return any(plain(each) in plain(text) for each in (note, type(note)(**note.facts)))


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("form", names())
def test_what_a_comparison_notes_is_in_every_form(form):
    pair = pc.compare.paired([0.1, 0.2, 0.4, 0.9, 0.2], [0.1, 0.3, 0.4, 0.2, 0.2])
    several = pc.compare.many(VALUES, unpaired="drop", resamples=199, correction="holm")
    for result in (pair, several):
        assert result.notes
        text = plain(
            getattr(result.sheet(), f"to_{form}")() if form != "table" else str(result.sheet())
        )
        # Data have the notes one by one; in csv the row says which pair it is.
        if form == "csv":
            assert all(map(partial(is_told, text), result.notes))
            continue
        for note in result.notes if form == "json" else sentences(result.notes):
            assert plain(note) in text


def test_notes_of_no_pair_alone_are_in_a_row_that_has_notes():
    two = {name: dict(enumerate(values)) for name, values in list(VALUES.items())[:2]}
    del two["a"][3]
    several = pc.compare.many({**two, "c": dict(enumerate(VALUES["c"]))}, unpaired="drop")
    rows = rows_of(several.to_csv())
    left_out = TopicsLeftOut("", 1)
    assert all(row["a"] for row in rows)
    own = ["; ".join(pair.own_notes) for pair in several.pairs]
    assert [row["notes"] for row in rows] == ["; ".join(filter(None, (own[0], left_out))), *own[1:]]


QRELS = {f"q{i}": {"a": 1, "b": 0} for i in range(4)}
RUNS = {
    "one, two": {"q0": {"a": 2.0, "b": 1.0}, "q1": {"b": 1.0}},
    "x": {f"q{i}": {"b": 2.0, "a": 1.0} for i in range(3)},
}


def results_with_notes():
    report = pc.evaluate(QRELS, RUNS, ["AP", "P@1"], topics="qrels")
    yield "report", report
    yield "topics", report.sheet(per_topic=True)
    yield "intervals", pc.interval(report)
    yield "comparison", pc.compare(report)
    yield "curve", pc.curve(["y", "n", "m", "n"], [4, 3, 2, 1], positive="y")
    yield "decisions", pc.decisions([1, 0, 2], [1, 1, 1])
    yield "interval", pc.interval.precision(3, 1)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_csv_has_the_notes_of_every_result_and_no_more_rows():
    """Only comparisons had them: who read CSV of a report saw a mean over 2 of 4 topics."""
    for name, result in results_with_notes():
        sheet = result.sheet()
        assert sheet.notes, name
        rows, bare = rows_of(sheet.to_csv()), rows_of(replace(sheet, notes=()).to_csv())
        told = " ".join([row.pop("notes") for row in rows])
        # Notes of one kind in a row are told together.
        kinds = [
            [note for note in sheet.notes if type(note) is kind]
            for kind in {*map(type, sheet.notes)}
        ]
        assert all(
            any(is_told(told, note) for note in [*notes, *group_by_subject(notes)])
            for notes in kinds
        ), name
        if "notes" not in sheet.columns:
            assert {row.pop("notes") for row in bare} == {""}, name
            assert rows == bare, name


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("per_topic", [False, True])
def test_a_note_stands_in_the_first_row_that_names_its_run(per_topic):
    report = pc.evaluate(QRELS, RUNS, ["AP", "P@1"], topics="qrels")
    rows = rows_of(report.sheet(per_topic=per_topic).to_csv())
    for run, missing in (("one, two", 2), ("x", 1)):
        first, *others = [row["notes"] for row in rows if row["run"] == run]
        assert MissingTopics(run, missing, 4) in first and not any(others)


def test_notes_of_a_result_without_rows_are_in_csv():
    note = TopicsLeftOut("", 1)
    sheet = replace(
        pc.interval.precision(30, 10).sheet(), notes=(note,), columns=("a", "b"), tidy=()
    )
    assert rows_of(sheet.to_csv()) == [
        {"format": "precall.intervals/2", "a": "", "b": "", "notes": note}
    ]


@pytest.mark.parametrize("form", names())
def test_the_seed_of_several_intervals_is_in_every_form(form):
    truth, said = RNG.integers(0, 2, 80), RNG.integers(0, 2, 80)
    drawn = pc.interval(pc.decisions(truth, said), "MCC", method="bca", rng=4321)
    several = type(pc.interval(pc.decisions(truth, said)))({"MCC": drawn})
    text = getattr(several.sheet(), f"to_{form}")() if form != "table" else str(several)
    assert "4321" in text and re.search("10,?000", text)
    counted = type(several)({"precision": pc.interval.precision(30, 10)})
    assert "seed" not in plain(str(counted))
    assert (
        rows_of(counted.to_csv())[0]["seed"] == ""
        and rows_of(several.to_csv())[0]["seed"] == "4321"
    )


@pytest.mark.nightly
@pytest.mark.parametrize("form", names())
def test_the_seed_of_a_page_is_told_again(form, tmp_path):
    qrels = {f"q{i}": {"x": 1} for i in range(60)}
    runs = {
        name: {
            f"q{i}": {"x": float(RNG.random()), **{f"y{j}": float(RNG.random()) for j in range(9)}}
            for i in range(60)
        }
        for name in "ab"
    }
    path = tmp_path / "page.html"
    pc.report(pc.evaluate(qrels, runs, ["nDCG"]), path, rng=4321)
    assert "4321" in tell(str(path), form)
    pc.report(pc.curve([1, 0] * 20, list(range(40))), path, rng=4321)
    assert "4321" in tell(str(path), form)
