"""Zero-width spaces and byte order marks in ids, as pasted texts and joined files have them.

Blanks at the ends of ids were noted; these are no blanks to Python, and were not. Of one ranking
neither was noted.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import precall as pc
from precall.core.notes.of_reading import IdsUnlike, NothingJudged
from precall.read.problems import advice_on_spelling
from tests.noticed import noticed, warned

QRELS = {"q1": {"ab": 1, "c": 0}, "q2": {"d": 1}}
ODD = ["ab\u200b", "\u200bab", "\ufeffab", "a\ufeffb", "a\u00adb", "ab\u200b "]
ADVICE = advice_on_spelling(["ab\u200b"], ["ab"], "item")


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_items(odd):
    with warned(IdsUnlike) as told:
        pc.evaluate(QRELS, {"q1": {odd: 2.0, "c": 1.0}, "q2": {"d": 1.0}}, "AP")
    assert told == [IdsUnlike("run", "item", odd, "ab", ADVICE)]
    assert "U+200B" in ADVICE
    with warned(IdsUnlike) as told:
        pc.evaluate({"q1": {odd: 1, "c": 0}}, {"q1": {"ab": 2.0, "c": 1.0}}, "AP")
    assert told[0].given == "ab"


def test_a_run_in_which_all_are_odd():
    with warned(NothingJudged) as told:
        pc.evaluate(QRELS, {"q1": {"ab\u200b": 2.0}, "q2": {"d\u200b": 1.0}}, "AP")
    assert told[0].remedy == ADVICE
    with pytest.raises(pc.NoCommonTopic, match="the topic ids differ in characters"):
        pc.evaluate({"q1": {"a": 1}}, {"\ufeffq1": {"a": 1.0}}, "AP")


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_joined_files(tmp_path: Path):
    """`cat` leaves the byte order mark of the second file inside."""
    path = tmp_path / "x.run"
    path.write_text("q1 Q0 ab 1 2.0 t\n\ufeffq2 Q0 d 1 2.0 t\n", encoding="utf-8-sig")
    found = pc.evaluate(QRELS, str(path), "AP")
    (note,) = noticed(found, IdsUnlike)
    assert (note.what, note.given, note.judged) == ("topic", "\ufeffq2", "q2")


@pytest.mark.parametrize("odd", ["ab ", *ODD], ids=ascii)
def test_one_ranking(odd):
    (note,) = noticed(pc.ranking([odd, "c"], ["ab", "c"]), IdsUnlike)
    assert (note.given, note.judged) == ("ab", odd)


def test_ids_that_are_alike_are_no_mistake():
    assert not noticed(
        pc.evaluate({"q1": {"a\u200b": 1}}, {"q1": {"a\u200b": 1.0}}, "AP"), IdsUnlike
    )
    assert not noticed(pc.ranking(["a", "c"], ["b", "c"]), IdsUnlike)
