"""Thresholds come back from their file as they were, and what is no such file is refused by
name.
"""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import precall as pc
from precall.core.notes.of_decisions import (
    ColumnsTaken,
    DecidedBy,
    LearnedFromFew,
    LearnedHere,
    NothingToLearn,
)
from precall.core.notes.of_intervals import FewCases
from precall.core.notes.of_reading import OneNumberTwice
from precall.stats.intervals.tuned import FEWEST
from tests.noticed import noticed, warned

NAMES = st.one_of(st.text(max_size=5), st.integers(-9, 9), st.floats(2.5, 3.5))
SCORES = st.floats(-1e9, 1e9, width=32)


@pytest.mark.nightly
@settings(max_examples=20)  # each writes files
@given(st.lists(NAMES, min_size=1, max_size=4, unique=True), st.data())
def test_round_trip(tmp_path_factory, names, data):
    items = data.draw(st.integers(1, 5))
    size = items * len(names)
    truth = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size))).reshape(
        items, -1
    )
    score = np.array(data.draw(st.lists(SCORES, min_size=size, max_size=size)), np.float32).reshape(
        items, -1
    )
    status = pc.categorize(truth, score, names)
    path = tmp_path_factory.mktemp("kept") / "t.json"
    for method, tune in (
        ("scut", None),
        ("pcut", "macro-F1"),
        ("rcut", "micro-F1"),
        ("global", "accuracy"),
        ("rank:3", None),
    ):
        learned = status.thresholds(method, tune=tune)
        learned.save(path)
        again = pc.read_thresholds(path)
        assert (
            again == learned and again.matched(names).values.tobytes() == learned.values.tobytes()
        )
        assert status.decide(again) == status.decide(learned)
        assert again.data == status.digest or not learned.learned


def kept(**change):
    whole = json.loads(
        pc.categorize(["a", "b"], [[0.9, 0.1], [0.2, 0.8]]).thresholds("scut").to_json()
    )
    return json.dumps({key: value for key, value in {**whole, **change}.items() if value != "gone"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"t\.json(:1)?: is no JSON"),
        ("y,s\n1,2\n", r"t\.json:1: is no JSON"),
        ('{"format": 1,}', "is no JSON"),
        ('{"values": [NaN]}', "is no JSON .NaN is no JSON"),
        (
            "[1]",
            (
                "its format is None, this version reads 'precall.thresholds/1'; name a file that "
                "--save-thresholds"
            ),
        ),
        (kept(format="precall.curve/2"), "its format is 'precall.curve/2', this version reads"),
        (
            kept(format="precall.thresholds/2"),
            "read it with the version that wrote it, or learn them anew",
        ),
        (kept(kind="cost"), "kind of thresholds, got 'cost', allowed are score, rank, proportion"),
        (kept(kind=["score"]), "unknown kind of thresholds"),
        (kept(categories="gone"), "its categories are no list of names"),
        (kept(categories=["a", None]), "its categories are no list of names"),
        (kept(categories=["a", "a"]), "it names a category twice"),
        (kept(values=[1.0]), "its values are no list of 2"),
        (kept(values=[1.0, "high"]), "a value is not a number, got 'high'"),
        (kept(values=[1.0, True]), "a value is not a number, got True"),
        (kept(values=[1.0, None]), "a value is not a number, got None"),
        (
            kept(kind="proportion", values=[0.5, 1.5]),
            r"a value is not a number in 0\.\.1, got 1\.5",
        ),
        (kept(kind="rank", values=[1.5]), r"a value is not an integer >= 1, got 1\.5"),
        (kept(kind="rank", values=["inf"]), "a value is not an integer >= 1, got 'inf'"),
        (kept(method="gone"), "its method is no str, got None"),
        (kept(learned=1), "its learned is no bool, got 1"),
        (kept(number="x"), "its number is no float, got 'x'"),
        (kept(items=True), "its items is no int, got True"),
    ],
)
def test_what_is_no_such_file(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.json").write_text(text, encoding="utf-8")
    with pytest.raises(pc.DataError, match=message) as caught:
        pc.read_thresholds("t.json")
    assert str(caught.value).startswith("t.json:")


def test_infinite_ones_accept_nothing_and_all(tmp_path):
    path = tmp_path / "t.json"
    path.write_text(kept(values=["inf", "-inf"]), encoding="utf-8")
    learned = pc.read_thresholds(path)
    assert learned.values.tolist() == [math.inf, -math.inf]
    decided = pc.categorize(["a", "b"], [[0.9, 0.1], [0.2, 0.8]]).decide(learned)
    assert decided.counts().accepted.tolist() == [0, 2]


def test_other_items_are_told_from_the_same():
    truth, score = ["a", "b", "b"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]
    status = pc.categorize(truth, score)
    learned = status.thresholds("scut")
    changed = [[0.9, 0.1], [0.6, 0.4], [0.2, 0.7]]
    others = [
        pc.categorize(truth, changed),
        pc.categorize(["a", "a", "b"], score),
        pc.categorize(truth, score, ["b", "a"]),
    ]
    assert pc.categorize(truth, score).digest == status.digest
    assert status.digest not in [other.digest for other in others]
    assert noticed(status.sheet(policy=learned), LearnedHere)
    assert not noticed(others[0].sheet(policy=learned), LearnedHere)
    fitted = others[0].sheet(policy="scut", fit_on=status)
    (note,) = noticed(fitted, DecidedBy)
    assert note.values == {"policy": "scut", "decided": True, "source": "others", "items": 3}
    assert fitted.conventions.get("fit on") is None
    (note,) = noticed(status.thresholds("rcut", tune="macro-F1").sheet(), DecidedBy)
    assert (note.decided, note.source, note.items) == (False, "", 3)
    with warned(NothingToLearn) as told:
        others[0].thresholds("rcut:2", status)
    assert [note.subject for note in told] == ["rcut:2"]


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_notes_go_with_thresholds_and_what_is_made_of_them(tmp_path):
    """What was noticed of the labels was lost by the file, and by decisions, curves and measures
    of each category.
    """
    scores = [[0.9, 0.2, 0.1], [0.3, 0.8, 0.2], [0.1, 0.2, 0.9], [0.2, 0.1, 0.7]] * 5
    status = pc.categorize(["1", "1.0", "2", "2"] * 5, scores)
    learned = status.thresholds("max-f")
    kinds = {ColumnsTaken, OneNumberTwice}
    learned.save(tmp_path / "v.json")
    read = pc.read_thresholds(tmp_path / "v.json")
    assert read.notes == learned.notes and {*map(type, learned.notes)} == {
        *kinds,
        LearnedFromFew,
    }
    read.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "v.json").read_bytes()
    other = pc.categorize(["1", "1.0", "2", "2"] * 5, scores[::-1], categories=["1", "1.0", "2"])
    for thresholds in (learned, read):
        assert kinds <= {*map(type, other.decide(thresholds).notes)}
    for made in (
        status.pooled(),
        *status.curves(),
        *status.curves("item"),
        status.by_category("AP"),
        status.by_item("AP"),
        pc.interval(status.pooled(), "AP"),
    ):
        assert kinds <= {*map(type, made.notes)}
    assert len(json.loads(status.by_category("AP").to_json())["notes"]) == 2
    content = json.loads((tmp_path / "v.json").read_bytes())
    for notes in (3, [{"kind": "columns-taken"}], ["x"]):
        (tmp_path / "v.json").write_text(json.dumps(content | {"notes": notes}))
        with pytest.raises(pc.DataError, match="note"):
            pc.read_thresholds(tmp_path / "v.json")


def test_thresholds_of_few_relevant_items_say_so():
    truth = ["a"] * 6 + ["b"] * 60
    status = pc.categorize(truth, [[i / 66, 1 - i / 66] for i in range(66)], ["a", "b"])
    learned = status.thresholds("max-f")
    (note,) = noticed(learned, LearnedFromFew)
    assert (note.subject, note.relevant) == ("a", 6)
    with pytest.warns() as caught:
        pc.interval(status, "max-f")
    (few,) = noticed(caught, FewCases)[:1]
    assert note.fewest == FEWEST > few.cases
    assert noticed(status.decide(learned), LearnedFromFew) == [note]
    assert noticed(status.sheet(policy=learned), LearnedFromFew) == [note]
    for policy in ("global", "rcut", "fixed:0.5"):
        assert not noticed(status.thresholds(policy), LearnedFromFew)
