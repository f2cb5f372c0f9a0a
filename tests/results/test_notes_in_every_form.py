"""Rows of csv had no notes of comparisons; tables of intervals, and pages told again, had no seed.

The old tests looked for notes in json and on pages, and for the seed in single results: no test
went through all forms.
"""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest

import precall as pc
from precall.core.notes import sentences
from precall.core.notes.of_comparisons import TopicsLeftOut
from precall.page.document import tell
from precall.results.forms import names

RNG = np.random.default_rng(1)
VALUES = {name: RNG.exponential(size=30) ** 2 for name in "abc"}


def plain(text):
    """A text without the marks of its form, and without its line breaks."""
    return " ".join(re.sub(r"[\\%]|&[^;]+;", "", text).split())


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
        # Data have the notes one by one.
        for note in result.notes if form in ("csv", "json") else sentences(result.notes):
            assert plain(note) in text


def test_notes_of_no_pair_alone_have_rows_of_their_own():
    two = {name: dict(enumerate(values)) for name, values in list(VALUES.items())[:2]}
    del two["a"][3]
    several = pc.compare.many({**two, "c": dict(enumerate(VALUES["c"]))}, unpaired="drop")
    rows = rows_of(several.to_csv())
    assert [row["notes"] for row in rows if row["a"]] == [
        "; ".join(pair.own_notes) for pair in several.pairs
    ]
    assert TopicsLeftOut("", 1) in [row["notes"] for row in rows if not row["a"]]


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
