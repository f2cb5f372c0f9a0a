"""What a line of a run or of qrels may look like, and the problem of each that may not; both
kernels.
"""

from __future__ import annotations

import os
from math import inf
from pathlib import Path
from threading import Thread
from types import ModuleType

import pytest

from tests.native.kernels import EITHER, problems, qrels, run, table

pytestmark = EITHER

LONG = 300
FINE_SCORES = [
    "0",
    "1",
    "-1",
    "+1",
    "007",
    "1.",
    ".5",
    "-.5",
    "+1.25",
    "1e3",
    "1E3",
    "1e+3",
    "1e-3",
    ".5e1",
    "5.e1",
    "0.1",
    "3.14159265358979323846264338327950288",
    "1e308",
    "1e-320",
    "1e-999",
    "-0",
    "-0.0",
    "1.7976931348623157e308",
    "2.2250738585072011e-308",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "9007199254740993.0",
    "9007199254740993.00000000000000000000001",
    "1e90",
    "-9007199254740994",
    "1" + "0" * 22,
    "18014398509481984",
    "-00018446744073709551616",
    str(2**1000),
    "9007199254740993e0",
]
#: Whole numbers written out that no float64 is.
INEXACT = [
    "9007199254740993",
    "-9007199254740993",
    "+009007199254740995",
    "1" + "0" * 23,
    "1" + "0" * 300,
    str(2**1000 + 1),
]
NO_SCORES = [
    "x",
    "0x10",
    "1,5",
    "1_000",
    "1e",
    "1e+",
    ".",
    "+",
    "-",
    "+-1",
    "--1",
    "1.2.3",
    "1e5.0",
    "e5",
    "infinit",
    "infinityx",
    "in",
    "1.e",
    ".e1",
    "\u0661",
    "\uff11",
    "1f",
    "1d",
    "1\v",
    "1\u00a0",
    "True",
    "None",
    "nan(1)",
    "nanx",
    "nan0",
]


def test_a_run_is_grouped_by_topic_in_order_of_appearance(kernel: ModuleType) -> None:
    result = run(kernel, "2 Q0 a 1 9.5 x\n1 Q0 b 1 1 x\n2 Q0 c 2 1e-2 y\n")
    assert table(result) == {"2": [("a", 9.5), ("c", 0.01)], "1": [("b", 1.0)]}
    assert list(table(result)) == ["2", "1"]
    assert result[6:] == (b"y", 0)


def test_qrels_are_grouped_by_topic_in_order_of_appearance(kernel: ModuleType) -> None:
    result = qrels(kernel, "b 0 x 1\na 0 x 0\nb 0 y -2\n")
    assert table(result) == {"b": [("x", 1), ("y", -2)], "a": [("x", 0)]}
    assert list(table(result)) == ["b", "a"]
    assert result[6:] == (0,)


@pytest.mark.parametrize(
    "text",
    [
        b"1 0 a 1",
        b"1 0 a 1\n",
        b"1 0 a 1\r\n",
        b"1 0 a 1 \t \n",
        b"\t 1  0\t\ta\r1\n",
        b"\n\n1 0 a 1\n\n",
        b" \t\r\n1 0 a 1\n \n \t",
        b"# 1 0 b 1\n1 0 a 1\n#\n#",
        b"#\0\xff\xfe\n1 0 a 1",
        b"\xef\xbb\xbf1 0 a 1\n",
        b"\xef\xbb\xbf# comment\n1 0 a 1\n",
        b"\xef\xbb\xbf\n1 0 a 1\n",
    ],
)
def test_blanks_comments_and_the_mark_say_nothing(kernel: ModuleType, text: bytes) -> None:
    assert table(qrels(kernel, text)) == {"1": [("a", 1)]}


@pytest.mark.parametrize(
    "name",
    ["é", "名", "\u00a0", "a\u2028b", "\v", "a\fb", "#", "\x1c", "\x85", "\ufeff", "a" * LONG],
)
def test_anything_but_a_blank_may_stand_in_an_id(kernel: ModuleType, name: str) -> None:
    # Not first in the line: there `#` begins a comment.
    assert table(qrels(kernel, f" {name} 0 {name} 1\n")) == {name: [(name, 1)]}
    assert table(run(kernel, f" {name} Q0 {name} 1 2 {name}\n")) == {name: [(name, 2.0)]}
    assert run(kernel, f" {name} Q0 {name} 1 2 {name}\n")[6] == name.encode()


def test_a_mark_counts_only_at_the_very_start(kernel: ModuleType) -> None:
    mark = "\ufeff"
    assert table(qrels(kernel, f"{mark}{mark}1 0 a 1\n{mark}1 0 a 1")) == {f"{mark}1": [("a", 1)]}
    assert problems(qrels, kernel, f"\n{mark}#x\n") == [(2, "fields", 1)]


@pytest.mark.parametrize("literal", FINE_SCORES)
def test_a_score_is_rounded_as_python_rounds_it(kernel: ModuleType, literal: str) -> None:
    [(_, score)] = table(run(kernel, f"1 Q0 a 1 {literal} x"))["1"]
    assert score.hex() == float(literal).hex()


@pytest.mark.parametrize("literal", INEXACT)
def test_a_whole_number_is_kept_exactly_or_refused(kernel: ModuleType, literal: str) -> None:
    expected = [(1, "inexact", literal.encode()[:60])]
    assert problems(run, kernel, f"1 Q0 a 1 {literal} x\n") == expected
    assert problems(run, kernel, f"1 Q0 a 1 {literal} x", float32=True) == expected


@pytest.mark.parametrize("literal", ["1e39", "-1e300", "3.4028236e38", "1" + "0" * 22 + "e30"])
def test_a_score_beyond_float32_is_refused_as_one(kernel: ModuleType, literal: str) -> None:
    text = f"# c\n1 Q0 a 1 {literal} x\n1 Q0 b 1 2 x\n1 Q0 b 1 2 x\n"
    assert problems(run, kernel, text, float32=True) == [
        (2, "float32-range", literal.encode()),
        (4, "duplicate", b"1", b"b", 3),
    ]
    assert [kind for _, kind, *_ in problems(run, kernel, text)] == ["duplicate"]


@pytest.mark.parametrize("literal", ["inf", "+inf", "INF", "Infinity", "+InFiNiTy"])
def test_an_infinite_score_is_allowed(kernel: ModuleType, literal: str) -> None:
    assert table(run(kernel, f"1 Q0 a 1 {literal} x")) == {"1": [("a", inf)]}
    assert table(run(kernel, f"1 Q0 a 1 -{literal.lstrip('+')} x")) == {"1": [("a", -inf)]}


@pytest.mark.parametrize(
    ("literal", "score"),
    [
        ("0.1", 0.10000000149011612),
        ("16777217", 16777216.0),
        ("-inf", -inf),
        ("3.4028235e38", 3.4028234663852886e38),
        ("1e-50", 0.0),
    ],
)
def test_a_float32_score_is_rounded_and_widened_back(
    kernel: ModuleType, literal: str, score: float
) -> None:
    assert table(run(kernel, f"1 Q0 a 1 {literal} x", float32=True)) == {"1": [("a", score)]}


def test_very_many_digits_are_still_a_number(kernel: ModuleType) -> None:
    literal = "0." + "1" * 5000
    assert table(run(kernel, f"1 Q0 a 1 {literal} x")) == {"1": [("a", float(literal))]}
    zeros = "0" * 5000
    assert table(run(kernel, f"1 Q0 a 1 {zeros}1e-{zeros}3 x")) == {"1": [("a", 0.001)]}
    assert table(qrels(kernel, f"1 0 a -{zeros}12")) == {"1": [("a", -12)]}


@pytest.mark.parametrize("literal", NO_SCORES)
def test_what_is_no_score(kernel: ModuleType, literal: str) -> None:
    assert problems(run, kernel, f"1 Q0 a 1 {literal} x") == [(1, "score", literal.encode())]


@pytest.mark.parametrize("literal", ["nan", "NaN", "-nan", "+NAN"])
def test_nan_is_no_score(kernel: ModuleType, literal: str) -> None:
    assert problems(run, kernel, f"1 Q0 a 1 {literal} x") == [(1, "nan")]


@pytest.mark.parametrize(
    "literal", ["1e309", "-1e999", "1.8e308", "1e99999999999999999999", "9" * 400]
)
def test_a_finite_score_must_fit(kernel: ModuleType, literal: str) -> None:
    assert problems(run, kernel, f"1 Q0 a 1 {literal} x") == [
        (1, "score-range", literal[:60].encode())
    ]


@pytest.mark.parametrize(
    ("literal", "grade"),
    [("+3", 3), ("-0", 0), ("2147483647", 2**31 - 1), ("-2147483648", -(2**31))],
)
def test_a_grade_is_a_whole_number(kernel: ModuleType, literal: str, grade: int) -> None:
    assert table(qrels(kernel, f"1 0 a {literal}")) == {"1": [("a", grade)]}


@pytest.mark.parametrize(
    "literal",
    ["x", "1.5", "1.", "1e0", "0x1", "1_0", "+", "-", "--1", "nan", "inf", "\u0661", "1\f"],
)
def test_what_is_no_grade(kernel: ModuleType, literal: str) -> None:
    assert problems(qrels, kernel, f"1 0 a {literal}") == [(1, "grade", literal.encode())]


@pytest.mark.parametrize(
    "literal", ["2147483648", "-2147483649", "4294967297", "18446744073709551617", "-" + "9" * 5000]
)
def test_a_grade_must_fit(kernel: ModuleType, literal: str) -> None:
    assert problems(qrels, kernel, f"1 0 a {literal}") == [
        (1, "grade-range", literal[:60].encode())
    ]


@pytest.mark.parametrize(
    ("line", "count"), [("1", 1), ("1 0 a", 3), ("1 0 a 1 9", 5), (" 1 0 a 1 9 9 ", 6)]
)
def test_qrels_have_four_fields(kernel: ModuleType, line: str, count: int) -> None:
    assert problems(qrels, kernel, line) == [(1, "fields", count)]


@pytest.mark.parametrize(
    ("line", "count"), [("1", 1), ("1 Q0 a 1 2", 5), ("1 Q0 a 1 2 x y", 7), ("1 0 a 1", 4)]
)
def test_a_run_has_six_fields(kernel: ModuleType, line: str, count: int) -> None:
    assert problems(run, kernel, line) == [(1, "fields", count)]


@pytest.mark.parametrize(
    "text", [b"", b"\n", b" \t\r\n\n", b"#\n# 1 0 a 1", b"\xef\xbb\xbf", b"\xef\xbb\xbf#"]
)
def test_no_data_row_at_all(kernel: ModuleType, text: bytes) -> None:
    assert problems(run, kernel, text) == [(0, "empty")]
    assert problems(qrels, kernel, text) == [(0, "empty")]


@pytest.mark.parametrize(
    "line", [b"\0", b"1 0 \0 1", b"1 0 a 1\0", b"\xff\0 x", b" #\0", b"1 0 a 1 \0"]
)
def test_nul_is_no_text(kernel: ModuleType, line: bytes) -> None:
    assert problems(qrels, kernel, b"1 0 a 1\n" + line) == [(2, "nul")]


@pytest.mark.parametrize(
    "line",
    [
        b"\xff 0 a 1",
        b"1 0 \xc3 1",  # cut short
        b"1 0 \xc0\xaf 1",  # overlong
        b"1 0 \xe0\x80\xaf 1",  # overlong
        b"1 0 \xed\xa0\x80 1",  # a surrogate
        b"1 0 \xf4\x90\x80\x80 1",  # past the last character
        b"1 \x80 a x y z",
        b"\xef\xbb",  # half a mark
        b"1 0 a \xe9",
    ],
)
def test_what_is_no_utf8(kernel: ModuleType, line: bytes) -> None:
    assert problems(qrels, kernel, line) == [(1, "utf8")]
    assert problems(qrels, kernel, b"1 0 \xf4\x8f\xbf\xbf 1\n" + line + b"\n#\xff") == [(2, "utf8")]


def test_a_character_may_not_go_on_in_the_next_line(kernel: ModuleType) -> None:
    assert problems(qrels, kernel, b"1 0 a\xc3\n\xa9 1") == [(1, "utf8"), (2, "utf8")]


def test_texts_in_problems_are_cut(kernel: ModuleType) -> None:
    assert problems(run, kernel, f"1 Q0 a 1 {'é' * LONG} x") == [(1, "score", ("é" * 30).encode())]
    assert problems(qrels, kernel, f"1 0 a x{'é' * LONG}") == [
        (1, "grade", f"x{'é' * 30}".encode()[:60])
    ]


def test_problems_come_by_line_and_the_first_twenty_are_kept(kernel: ModuleType) -> None:
    text = "1 0 a 1\n1 0\n1 0 a 1\n1 0 a 2\n1 0 b x\n1 0 c 9999999999\n" + "x\n" * 50
    found = problems(qrels, kernel, text)
    assert found[:4] == [
        (2, "fields", 2),
        (4, "conflict", b"1", b"a", 1, 1, 2),
        (5, "grade", b"x"),
        (6, "grade-range", b"9999999999"),
    ]
    assert found[4:] == [(line, "fields", 1) for line in range(7, 23)]


def test_a_path_gives_what_its_contents_give(kernel: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "名.run"
    path.write_bytes(b"\xef\xbb\xbf1 Q0 a 1 2 x\r\n1 Q0 b 2 1 y")
    assert table(kernel.read_run(str(path), False, "error", 1)) == {"1": [("a", 2.0), ("b", 1.0)]}
    path.write_bytes(b"1 0 a 2\n")
    assert table(kernel.read_qrels(str(path), "error", 1)) == {"1": [("a", 2)]}
    path.write_bytes(b"")
    assert problems(kernel.read_qrels, str(path), "error", 1) == [(0, "empty")]


def test_a_path_that_cannot_be_opened(kernel: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="absent"):
        kernel.read_run(str(tmp_path / "absent"), False, "error", 1)
    with pytest.raises(FileNotFoundError, match="absent"):
        kernel.read_qrels(str(tmp_path / "absent"), "error", 1)
    with pytest.raises(FileNotFoundError):
        kernel.read_run("", False, "error", 1)
    with pytest.raises(ValueError, match="null"):
        kernel.read_run("a\0b", False, "error", 1)
    with pytest.raises(NotADirectoryError):
        kernel.read_qrels(__file__ + "/", "error", 1)
    with pytest.raises(IsADirectoryError):
        kernel.read_qrels(str(tmp_path), "error", 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_read_to_its_end(kernel: ModuleType, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = "".join(f"1 Q0 d{i} 1 {i} x\n" for i in range(20_000))
    writer = Thread(target=pipe.write_text, args=(text,))
    writer.start()
    found = table(kernel.read_run(str(pipe), False, "error", 2))
    writer.join()
    assert found == {"1": [(f"d{i}", float(i)) for i in range(20_000)]}


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no such device here")
def test_a_device_without_contents_is_empty(kernel: ModuleType) -> None:
    assert problems(kernel.read_run, "/dev/null", False, "error", 1) == [(0, "empty")]


@pytest.mark.parametrize(
    ("rows", "one_tag", "ascends"),
    [
        ("1 0 a 1 3 x\n1 0 b 2 2 x\n2 0 a 1 1 x\n", True, True),
        ("1 0 a 1 3 x\n1 0 b 2 2 y\n", False, True),
        ("1 0 a 1 3 x\n1 0 b 1 2 x\n", True, False),
        ("1 0 a 9 3 x\n1 0 b 10 2 x\n1 0 c 100 2 x\n", True, True),
        ("1 0 a 10 3 x\n1 0 b 9 2 x\n", True, False),
        ("1 0 a 01 3 x\n1 0 b 2 2 x\n", True, False),
        ("1 0 a - 3 x\n2 0 b - 2 x\n", True, True),
        ("1 0 a 1 3 x\n2 0 b 1 2 x\n1 0 c 2 1 x\n", True, False),
        ("# x\n\n1 0 a 0 3 x\n1 0 b 1234567890 2 x", True, False),
    ],
)
def test_what_tags_and_ranks_say(kernel, rows, one_tag, ascends):
    for chunk in (0, 1, 12):
        given = {"chunk": chunk} if chunk else {}
        assert kernel.read_run(rows.encode(), False, "error", 2, **given)[-2:] == (one_tag, ascends)
