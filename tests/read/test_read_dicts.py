"""Dicts of dicts, and rows."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

import numpy as np
import pytest

import precall as pc
from precall.core.errors import DataError, UsageError
from precall.core.text import short_repr
from precall.native.literals import GRADE, NUMBER

NAN = float("nan")
NO_ORDER = (
    "score is NaN, which has no place in an order; give a number (inf and -inf are allowed) or "
    "remove it"
)
NO_GRADE = "is not a number; give a number such as 0, 1, -1 or 4.5"


def message(source: object, read=pc.read_run, **options: object) -> str:
    with pytest.raises(DataError) as caught:
        read(source, **options)
    return str(caught.value)


def test_a_run_from_a_dict():
    run = pc.read_run(
        {"q2": {"b": 1, "a": np.float32(0.1)}, "q1": {"é": 1.0}, "q3": {}}, name="mine"
    )
    assert run.topics.tolist() == ["q2", "q1", "q3"]
    assert run.items.tolist() == ["b", "a", "é"]
    assert run.score.tolist() == [1.0, float(np.float32(0.1)), 1.0]
    assert run.row_start.tolist() == [0, 2, 3, 3]
    assert (run.name, run.source, run.tag) == ("mine", "dict", "")
    assert pc.read_run({"q": {"a": 0.1}}, score_dtype="float32").score.tolist() == [
        float(np.float32(0.1))
    ]


class Frozen(Mapping):
    def __init__(self, inner):
        self.inner = inner

    def __getitem__(self, key):
        return self.inner[key]

    def __iter__(self):
        return iter(self.inner)

    def __len__(self):
        return len(self.inner)


def test_other_mappings_are_as_good():
    inner = defaultdict(float, {"a": 1.0})
    for source in (
        {"q": inner},
        {"q": MappingProxyType(inner)},
        Frozen({"q": Frozen(inner)}),
        defaultdict(dict, {"q": inner}),
    ):
        run = pc.read_run(source)
        assert (run.topics.tolist(), run.items.tolist(), run.score.tolist()) == (
            ["q"],
            ["a"],
            [1.0],
        )
        assert run.source == "dict"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ({}, "dict: no topic, a run has at least one; check that it was written"),
        ({1.5: {"a": 1.0}}, "dict: topic 1.5 is neither str nor int; use str(topic) as the key"),
        ({True: {"a": 1.0}}, "dict: topic True is neither str nor int; use str(topic) as the key"),
        (
            {"q": {("a",): 1.0}},
            "dict: topic 'q': item ('a',) is neither str nor int; use str(item) as the key",
        ),
        (
            {"\ud800": {"a": 1.0}},
            r"dict: topic '\ud800' is not text that UTF-8 can encode; remove the lone surrogates",
        ),
        (
            {"q": {"\ud800": 1.0}},
            (
                r"dict: topic 'q': item '\ud800' is not text that UTF-8 can encode; remove the "
                r"lone surrogates"
            ),
        ),
        (
            {"q": "a"},
            "dict: topic 'q' holds an object of type str, allowed is a dict or a list of items; "
            "pass {topic: {item: score}} or {topic: [item, ...]}",
        ),
        (
            {"q": {"a": "1,0"}},
            (
                "dict: topic 'q', item 'a': score '1,0' is not a number; pass a number, such as "
                "float(score)"
            ),
        ),
        (
            {"q": {"a": None}},
            (
                "dict: topic 'q', item 'a': score None is not a number; pass a number, such as "
                "float(score)"
            ),
        ),
        (
            {"q": {"a": NAN}},
            "dict: topic 'q', item 'a': score is NaN, which has no place in an order; "
            "give a number (inf and -inf are allowed) or remove it",
        ),
    ],
)
def test_problems_of_a_run(source, expected):
    assert message(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ({}, "dict: no topic, qrels have at least one; check that it was written"),
        (
            {"q": 1},
            "dict: topic 'q' holds an object of type int, allowed is a dict or a list of items; "
            "pass {topic: {item: grade}} or {topic: [item, ...]}",
        ),
        (
            {"q": {"a": None}},
            "dict: topic 'q', item 'a': grade None is not a number; " + GRADE,
        ),
        (
            {"q": {"a": 2**31}},
            (
                "dict: topic 'q', item 'a': grade 2147483648 is beyond 32 bits (-2147483648 to "
                "2147483647); write a smaller grade"
            ),
        ),
    ],
)
def test_problems_of_qrels(source, expected):
    assert message(source, pc.read_qrels) == expected


def test_the_name_given_is_in_the_message():
    assert message({"q": {"a": None}}, name="bm25").startswith(
        "dict 'bm25': topic 'q', item 'a': score None"
    )


def test_at_most_twenty_problems_are_listed():
    problems = message({"q": {str(i): None for i in range(50)}}).splitlines()
    assert (
        len(problems) == 1 and "(so are 19 more; 50 problems in all); pass a number" in problems[0]
    )


def test_long_and_unprintable_texts_are_cut_and_escaped():
    topic = "x" * 300
    said = message({topic: {"a\n\x1b[31m\u202e": None}})
    assert said.startswith(
        f"dict: topic {short_repr(topic)}, item 'a\\n\\x1b[31m\\u202e': score None"
    )
    assert "(300 characters)" in said and topic not in said


ROWS = [("q1", "a", 1.5), ["q2", "b", 2], ("q1", "c", np.float32(0.5))]


def test_rows():
    for source in (ROWS, tuple(ROWS), iter(ROWS), (row for row in ROWS), np.array(ROWS, object)):
        run = pc.read_run(source)
        assert run.topics.tolist() == ["q1", "q2"]
        assert run.items.tolist() == ["a", "c", "b"]
        assert run.score.tolist() == [1.5, 0.5, 2.0]
        assert (run.name, run.source) == ("run", "rows")
    assert pc.read_qrels([("q", "a", np.int8(3)), ("q", 7, True)]).items.tolist() == ["a", "7"]
    assert pc.read_run(
        [("q", 7, Fraction(1, 4)), (np.int64(1), "a", Decimal("0.1"))]
    ).score.tolist() == [
        0.25,
        0.1,
    ]
    assert pc.read_run([("q", "a", 0.1)], score_dtype="float32").score.tolist() == [
        float(np.float32(0.1))
    ]


@pytest.mark.parametrize("gold", [{"q": {"a": 1}}, [("q", "a", 1)]], ids=["dict", "rows"])
@pytest.mark.parametrize("kind", [tuple, list])
def test_rows_with_a_fourth_value_are_no_lists_of_ids(gold, kind):
    """They were called lists without names; with names their runs are several."""
    rows = [kind(("q", "a", 1.0, "bm25")), kind(("q", "a", 2.0, "dense"))]
    with pytest.raises(pc.DataError) as caught:
        pc.evaluate(gold, rows, ["AP"])
    places = [(problem.place, problem.remedy) for problem in caught.value.problems]
    assert [place for place, _ in places] == ["rows 'run', row 1", "rows 'run', row 2"]
    assert all("dicts that name them" in str(remedy) for _, remedy in places)
    named = [dict(zip(("topic", "item", "score", "run"), row, strict=True)) for row in rows]
    with pytest.raises(pc.PrecallError, match="run_column="):
        pc.evaluate(gold, named, ["AP"])
    assert len(pc.evaluate(gold, named, ["AP"], run_column="run").runs) == 2


@pytest.mark.nightly
def test_many_rows_go_in_batches():
    rows = [(f"q{i % 3}", f"d{i}", float(i)) for i in range(150_000)]
    run = pc.read_run(rows)
    assert run.score[:2].tolist() == [0.0, 3.0] and len(run.score) == 150_000
    rows[140_000] = ("q0", "d0", 1.0)
    assert message(rows) == (
        "rows, row 140001: topic 'q0' has item 'd0' twice (first at row 1); "
        'remove one or pass duplicates="first", "last" or "best"'
    )


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("abc", "got 'abc' (str), a row is (topic, item, score); give three values in every row"),
        (
            ("q", "a"),
            "got ('q', 'a') (tuple), a row is (topic, item, score); give three values in every row",
        ),
        ({"q", "a", "b"}, None),
        ({"q": 1, "a": 2, "b": 3}, None),
        (5, "got 5 (int), a row is (topic, item, score); give three values in every row"),
        ((None, "a", 1), "no value in column 'topic'; fill it in or remove the row"),
        (("q", NAN, 1), "no value in column 'item'; fill it in or remove the row"),
        (("q", "a", None), "no value in column 'score'; fill it in or remove the row"),
        (
            (1.5, "a", 1),
            (
                "column 'topic' holds 1.5 (float), an id is a string or an integer; write it as a "
                "string"
            ),
        ),
        (
            (True, "a", 1),
            (
                "column 'topic' holds True (bool), an id is a string or an integer; write it as a "
                "string"
            ),
        ),
        (
            ("q", b"a", 1),
            (
                "column 'item' holds b'a' (bytes), an id is a string or an integer; write it as a "
                "string"
            ),
        ),
        (
            ("q", "\ud800", 1),
            r"column 'item' holds '\ud800', which UTF-8 cannot encode; remove the lone surrogates",
        ),
        (("q", "a", "1_0"), f"score '1_0' (str) is not a number; {NUMBER}"),
        (("q", "a", 1j), f"score 1j (complex) is not a number; {NUMBER}"),
        (
            ("q", "a", 2**53 + 1),
            "score '9007199254740993' is not exact as float64; give ranks, or round it",
        ),
        (("q", "a", NAN), NO_ORDER),
        (
            ("q", "a", 10**400),
            (
                f"score '1{'0' * 43}... (401 digits)' is beyond float64 (about 1.8e308); write "
                "inf or -inf if that is meant"
            ),
        ),
        (
            ("q", "a", 10**5000),
            "score '<int>' is beyond float64 (about 1.8e308); write inf or -inf if that is meant",
        ),
        (
            ("q", 10**5000, 1),
            (
                "column 'item' holds <int> (int), an id is a string or an integer; write it as a "
                "string"
            ),
        ),
        (
            ("q", "x", 2),
            "topic 'q' has item 'x' twice (first at row 1); "
            'remove one or pass duplicates="first", "last" or "best"',
        ),
    ],
)
def test_problems_of_rows(row, expected):
    said = message([("q", "x", 1.0), row, ("q", "y", 1.0)])
    if expected is None:
        assert "give three values in every row" in said
    else:
        assert said == f"rows, row 2: {expected}"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (
            ("q", "a", math.inf),
            f"grade inf (float) {NO_GRADE}",
        ),
        (
            ("q", "a", "1_0"),
            "grade '1_0' is not a number; " + GRADE,
        ),
        (
            ("q", "a", -(2**31) - 1),
            (
                "grade '-2147483649' is beyond 32 bits (-2147483648 to 2147483647); write a "
                "smaller grade"
            ),
        ),
        (
            ("q", "x", 2),
            "topic 'q' has item 'x' with grade 2, and at row 1 with grade 1; "
            'remove one or pass duplicates="first", "last" or "best"',
        ),
    ],
)
def test_problems_of_rows_of_qrels(row, expected):
    assert message([("q", "x", 1), row], pc.read_qrels) == f"rows, row 2: {expected}"


def test_no_rows():
    assert message([]) == "rows: no data row, a run has at least one; check that it was written"
    # That nothing is left is not said beside the reason.
    assert message([5]).count("\n") == 0


def test_duplicates():
    rows = [("q", "a", 1), ("q", "b", 5), ("q", "a", 3), ("q", "a", 2)]
    for policy, score, order in (
        ("first", 1, ["a", "b"]),
        ("last", 2, ["b", "a"]),
        ("best", 3, ["b", "a"]),
    ):
        for read in (pc.read_run, pc.read_qrels):
            got = read(rows, duplicates=policy)
            value = got.score if read is pc.read_run else got.grade
            assert got.items.tolist() == order
            assert dict(zip(order, value.tolist(), strict=True))["a"] == score
            assert got.dropped == 2
    equal = pc.read_qrels([("q", "a", 1), ("q", "a", 1)])
    assert (equal.grade.tolist(), equal.dropped) == ([1], 1)


def test_integers_are_ids_as_in_rows():
    for read, one, other in ((pc.read_run, 2.0, 1.0), (pc.read_qrels, 2, 1)):
        got = read({7: {1: one, "b": other}, "q": {np.int64(-3): one}})
        assert (got.topics.tolist(), got.items.tolist()) == (["7", "q"], ["1", "b", "-3"])
        rows = read([(7, 1, one), (7, "b", other), ("q", -3, one)])
        assert (got.topics.tolist(), got.items.tolist()) == (
            rows.topics.tolist(),
            rows.items.tolist(),
        )
    assert pc.evaluate({1: {2: 1}}, {1: {2: 0.5, 3: 0.7}}, "RR").mean["RR"] == 0.5


def test_an_id_that_is_text_and_integer():
    assert message({1: {"a": 1}, "1": {2: 1, "2": 1, 3: None}, "q": {2: 1, "2": 1}}) == (
        "dict: topic '1' is there as str and as int, which are one id; remove one or rename it\n"
        "dict: topic 'q': item '2' is there as str and as int, which are one id; remove one or "
        "rename it"
    )
    assert message({"q": {2: 1, "2": 1}, "p": {}}, pc.read_qrels).count("\n") == 0


def test_booleans_are_grades_and_no_scores_everywhere():
    for true in (True, np.True_):
        for source in ({"q": {"a": true}}, [("q", "a", true)]):
            with pytest.raises(pc.DataError, match="score .*True.* is not a number"):
                pc.read_run(source)
            assert pc.read_qrels(source).grade.tolist() == [1]


def test_integers_beyond_float64():
    for number, text in ((10**400, "1" + "0" * 56 + "..."), (-(10**5000), "<int>")):
        assert message({"q": {"a": number, "b": 1.0}}) == (
            f"dict: topic 'q', item 'a': score {text} is beyond float64 (about 1.8e308); "
            "write inf or -inf if that is meant"
        )


def test_a_run_that_is_no_source_is_named():
    with pytest.raises(UsageError, match="^run 'y': got int, allowed are a path"):
        pc.evaluate({"q": {"a": 1}}, {"x": {"q": {"a": 1.0}}, "y": 5})
