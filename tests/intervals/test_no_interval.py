"""Topics that all differ alike had an interval of no length (.1 to .1), and bounds that do not
exist were NaN.

The old tests asked for the note that p is that of the signs, and took the interval for Student's
formula; that no bound exists was asked of areas under ROC alone.
"""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import DifferencesAlike, SignsForT
from precall.core.notes.of_intervals import UndefinedInterval
from precall.plot import PairDifferences
from tests.noticed import noticed, shown, warned

ALIKE = [0.5, 0.6, 0.7], [0.4, 0.5, 0.6]
TESTS = ["randomization", "t", "wilcoxon", "sign", "bootstrap"]


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        (*ALIKE, "all topics differ by the same amount"),
        (ALIKE[0], ALIKE[0], "all topics are equal"),
        ([0.5], [0.25], "one topic has no standard deviation"),
    ],
)
def test_topics_that_differ_alike_have_no_interval(
    test: str, a: list[float], b: list[float], why: str
) -> None:
    found = pc.compare.paired(a, b, test=test)
    assert (found.low, found.high) == (None, None) and found.no_interval == why
    assert f"no interval ({why})" in str(found)
    assert f"none ({why})" in found._repr_html_() and f"no interval ({why})" in found.to_markdown()
    if len(a) > 1:
        assert [note.reason for note in noticed(found, DifferencesAlike)] == [why]


@pytest.mark.parametrize("correction", ["holm", "tukey"])
def test_several_pairs_have_none_where_one_would_have_none(correction: str) -> None:
    values = (
        {"x": ALIKE[0], "y": ALIKE[1]} if correction == "holm" else {"x": ALIKE[0], "y": ALIKE[0]}
    )
    pair = pc.compare.many(values, correction=correction, resamples=99).pairs[0]
    assert (pair.low, pair.high) == (None, None) and pair.no_interval


def test_every_form_has_none_and_not_nan() -> None:
    found = pc.compare.many({"x": ALIKE[0], "y": ALIKE[1], "z": [0.1, 0.4, 0.2]})
    whole = json.loads(found.to_json())["pairs"][0]
    assert whole["low"] is None and whole["high"] is None
    cells = next(csv.DictReader(io.StringIO(found.to_csv())))
    assert cells["low"] == cells["high"] == ""
    assert np.isnan(found.to_pandas()["low"][0]) and not np.isnan(found.to_pandas()["low"][1])
    # The table of a paper has no differences.
    html = found.sheet(all=True)._repr_html_()
    assert "none (all topics differ by the same amount)" in html
    assert "<table" in html and "nan" not in html.lower().replace("nano", "")
    drawn = PairDifferences.from_pairs(found.pairs)
    assert np.isnan(drawn.low[0]) and drawn.plot().lines_["differs"] is not None


def test_pages_take_pairs_without_interval(tmp_path: object) -> None:
    values = {"x": {"q1": {"a": 1.0}}, "y": {"q1": {"a": 1.0}}}
    found = pc.compare({"q1": {"a": 1}}, values, ["AP"])
    assert found.pairs[0].low is None
    pc.report(found, f"{tmp_path}/pairs.html")
    pc.report(pc.evaluate({"q1": {"a": 1}}, values, ["AP"]), f"{tmp_path}/runs.html")


def test_averages_of_decisions_have_no_interval_and_equivalence_says_nothing_of_one() -> None:
    found = pc.compare.decisions([1, 0, 2], [1, 1, 2], [0, 0, 2], "macro-F")
    assert (found.low, found.high, found.no_interval) == (None, None, "")
    assert "interval" not in str(found) and found.to_dict()["low"] is None
    alike = pc.compare.equivalence(*ALIKE, 0.2)
    assert (alike.low, alike.high) == (None, None) and "interval" not in str(alike)


@pytest.mark.parametrize(
    ("second", "why"), [([40, 30, 20, 10], "the same order"), ([1, 2, 3, 4], "no variance")]
)
def test_lists_say_why_there_is_none(second: list[int], why: str) -> None:
    found = pc.compare.cases([1, 1, 0, 0], [4, 3, 2, 1], second, "AUC")
    assert (found.low, found.high, found.statistic, found.no_interval) == (None, None, None, why)
    assert f"no interval ({why})" in str(found) and f"no interval ({why})" in found.to_markdown()
    nan = pc.compare.cases([1, 0], [2, 1], [1, 2], "AUC")
    assert nan.low is None and nan.statistic is None and nan.no_interval == "no variance"


def test_a_note_says_nan_of_numbers_only() -> None:
    # The bounds are None, and the notes of every form called the interval NaN.
    with warned(UndefinedInterval) as told:
        found = pc.interval.mean([0.5] * 12)
    assert told[0].facts == {
        "subject": "mean",
        "reason": "its variance is 0, as all 12 values are equal",
    }
    for text in (found.to_json(), found.to_markdown(), found._repr_html_()):
        assert "NaN" not in text and shown(text, *told)


@pytest.mark.parametrize(("a", "p"), [([0.5] * 5, 2**-5), ([0.6] * 5, 2**-5), ([0.5], 2**-1)])
def test_equivalence_names_the_test_that_was_made(a: list[float], p: float) -> None:
    # It said t, which has no p where nothing varies; the caption of its table was Python's of its
    # fields.
    found = pc.compare.equivalence(a, [0.5] * len(a), 0.15)
    assert found.p == p and found.test == "randomization" and ", t)" not in str(found)
    assert noticed(found, SignsForT)
    shown_in_notebooks = found._repr_html_()
    assert "low=None" not in shown_in_notebooks
    assert "Equivalence: value: a was " in shown_in_notebooks
