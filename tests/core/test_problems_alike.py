"""One mistake is one line of an error, with the lines and their number; other mistakes keep lines
of their own.
"""

from __future__ import annotations

import math
import pickle

import pytest

import precall as pc
from precall.cases.table import cases_of
from precall.compat import sklearn as compat
from precall.core.errors import DataError, Problem

ADVICE = "write a number"


def error(*problems, total=None):
    return DataError([Problem(*problem) for problem in problems], total)


def scores(*lines, text="score {!r} is not a number"):
    return [("x.run", line, text.format(f"x{line}"), ADVICE, None, text) for line in lines]


def test_what_is_alike_but_for_place_and_values_is_one_line():
    told = error(*scores(2, 3, 5, 7, 8, 9))
    assert str(told) == (
        "x.run:2: score 'x2' is not a number (as on lines 3, 5, 7 to 9; 6 problems in all); "
        "write a number"
    )
    assert [problem.line for problem in told.problems] == [2, 3, 5, 7, 8, 9] and told.total == 6
    again = pickle.loads(pickle.dumps(told))
    assert str(again) == str(told) and again.problems == told.problems


def test_two_are_two_lines():
    assert str(error(*scores(2, 3))).splitlines() == [
        "x.run:2: score 'x2' is not a number; write a number",
        "x.run:3: score 'x3' is not a number; write a number",
    ]


def test_kinds_stand_in_the_order_of_their_first_lines():
    mixed = sorted(scores(2, 4, 6) + scores(3, 5, text="{} is odd"), key=lambda problem: problem[1])
    assert [line.partition(": ")[0] for line in str(error(*mixed)).splitlines()] == [
        "x.run:2",
        "x.run:3",
        "x.run:5",
    ]
    assert "(as on lines 4, 6; 3 in all)" in str(error(*mixed))


def test_what_is_not_listed_is_of_a_kind_that_nobody_knows():
    assert str(error(*scores(*range(1, 21)), total=1000)).endswith(
        "(as on lines 2 to 20; 1,000 problems in all); write a number"
    )
    mixed = [*scores(1, 2, 3), *scores(4, text="{} is odd")]
    assert str(error(*mixed, total=9)).splitlines()[::2] == [
        "x.run:1: score 'x1' is not a number (as on lines 2, 3); write a number",
        "... and 5 more problems",
    ]
    assert str(error(*scores(1), total=3)).endswith("\n... and 2 more problems")


def test_rows_and_topics_are_places_too():
    rows = error(
        *(
            ("frame 'run'", None, "no value in column 'score'", ADVICE, row, "missing")
            for row in (1, 4, 9)
        )
    )
    assert str(rows) == (
        "frame 'run', row 1: no value in column 'score' (as on rows 4, 9; 3 problems in all); "
        "write a number"
    )
    topics = error(
        *(
            (
                "dict",
                None,
                f"topic 'q{i}', item 'd': score None is not a number",
                ADVICE,
                None,
                "score",
            )
            for i in range(3)
        )
    )
    assert str(topics).startswith(
        "dict: topic 'q0', item 'd': score None is not a number (so are 2 more; 3 problems in all)"
    )


def test_other_columns_and_things_without_a_place_are_other_mistakes():
    columns = [
        ("x.csv", i, f"column {name!r}: score 'x' is not a number", ADVICE, None, ("score", name))
        for i in range(2, 5)
        for name in "st"
    ]
    assert [line.split("'")[1] for line in str(error(*columns)).splitlines()] == ["s", "t"]
    absent = [
        ("x.csv", None, f"no {name!r}, there are 'a', 'b'", "name them")
        for name in ("topic", "item", "score")
    ]
    assert len(str(error(*absent)).splitlines()) == 3


def test_values_of_a_column_that_has_a_name_are_told_together(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text("y,s\n1,a\n0,b\n1,.5\n0,c\n")
    with pytest.raises(pc.DataError) as caught:
        cases_of(str(path), "y", ["s"])
    lines = str(caught.value).splitlines()
    assert (
        len(lines) == 1
        and "score 'a' is not a number (as on lines 3, 5; 3 problems in all)" in lines[0]
    )
    path.write_text("y,s\nyes,1\nno,1\nmaybe,1\n")
    with pytest.raises(pc.DataError) as caught:
        cases_of(str(path), "y", ["s"])
    # Labels are named in one line if all are strange, else one by one, with their rows.
    (line,) = str(caught.value).splitlines()
    assert line.split("'")[3::2] == ["yes", "no", "maybe"]
    path.write_text("y,s\n1,1\nno,1\nmaybe,1\n")
    with pytest.raises(pc.DataError) as caught:
        cases_of(str(path), "y", ["s"])
    assert [line.split("'")[3] for line in str(caught.value).splitlines()] == ["no", "maybe"]


MANY = 2000
TEXTS, ZEROS = [f"l{case}" for case in range(MANY)], [0.5] * MANY
LABELS = [0, 1] * (MANY // 2)
TOPICS = {f"q{case}": {"d": 1} for case in range(MANY)}
#: What is wrong with each of two thousand cases or topics, and what tells how many they are.
ALL_WRONG = {
    "labels": (lambda: pc.curve(TEXTS, ZEROS), "2000 of 2000 are others"),
    "labels missing": (lambda: pc.curve([None] * MANY, ZEROS), "2000 of 2000 are"),
    "scores": (lambda: pc.curve(LABELS, TEXTS), "2000 of 2000 are none"),
    "scores missing": (lambda: pc.curve(LABELS, [None] * MANY), "2000 of 2000 are"),
    "weights": (lambda: pc.curve(LABELS, ZEROS, weights=[-1.0] * MANY), "2000 of 2000 are so"),
    "groups": (
        lambda: pc.interval.area_under_roc(LABELS, ZEROS, groups=[None] * MANY),
        "2000 of 2000 are so",
    ),
    "decisions": (lambda: pc.decisions([None] * MANY, TEXTS), "2000 of 2000 are so"),
    "categories": (lambda: pc.decisions(TEXTS, TEXTS, categories=["a"]), "2000 of 2000 are so"),
    "columns": (lambda: pc.compare.cases(LABELS, [math.nan] * MANY, ZEROS), "2000 of 2000 are"),
    "labels of other names": (lambda: compat.f1_score([None] * MANY, LABELS), "2000 of 2000 are"),
    "labels asked for": (
        lambda: compat.confusion_matrix(LABELS, LABELS, labels=TEXTS),
        "'l19', ...",
    ),
    "grades": (
        lambda: pc.evaluate({topic: {"d": "x"} for topic in TOPICS}, {"q1": {"d": 1}}, "AP"),
        "2,000 problems",
    ),
    "scores of runs": (
        lambda: pc.evaluate(TOPICS, {topic: {"d": "x"} for topic in TOPICS}, "AP"),
        "2,000 problems",
    ),
    "ids": (
        lambda: pc.evaluate({topic: [None] for topic in TOPICS}, {"q1": ["d"]}, "AP"),
        "2,000 problems",
    ),
    "topics": (
        lambda: pc.compare({**dict.fromkeys(TOPICS, 1), "x": 1}, {"x": 1, "y": 1}),
        "2000 more",
    ),
}


@pytest.mark.parametrize("name", ALL_WRONG)
def test_one_mistake_is_one_line(name):
    call, count = ALL_WRONG[name]
    with pytest.raises(pc.PrecallError) as caught:
        call()
    text = str(caught.value)
    assert count in text
    assert "\n" not in text and len(text) < 250
