"""TREC text: what every problem of a line is called; the grammar itself is tested with the
kernels.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import precall as pc
from precall.core.errors import DataError
from precall.native.literals import GRADE

LAYOUT = "topic, ignored, item, ignored, score, tag"
BLANKS = "separate them by blanks, or give a table a name ending in .csv, .tsv or .jsonl"
NO_ORDER = (
    "score is NaN, which has no place in an order; give a number (inf and -inf are allowed) or "
    "remove it"
)
NUMBER = "write a number such as 12.5, -3e-4 or inf (no commas, underscores or hexadecimal)"


def message(path: Path, data: bytes, read=pc.read_run, **options: object) -> str:
    path.write_bytes(data)
    with pytest.raises(DataError) as caught:
        read(path, **options)
    return str(caught.value).replace(f"{path}:", f"{path.name}:")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"q 0 a 1 1", f"5 fields, a line of a run has 6 ({LAYOUT}); {BLANKS}"),
        (b"q,a,1", f"1 field, a line of a run has 6 ({LAYOUT}); {BLANKS}"),
        (
            b"q 0 a 1",
            (
                f"4 fields, a line of a run has 6 ({LAYOUT}); this looks like qrels: check which "
                "is the run"
            ),
        ),
        (b"q 0 a 1 1,5 t", f"score '1,5' is not a number; {NUMBER}"),
        (b"q 0 a 1 0x1p3 t", f"score '0x1p3' is not a number; {NUMBER}"),
        (b"q 0 a 1 \x1b[2J t", rf"score '\x1b[2J' is not a number; {NUMBER}"),
        (b"q 0 a 1 " + b"x" * 99 + b" t", f"score '{'x' * 60}...' is not a number; {NUMBER}"),
        (
            b"q 0 a 1 " + "é".encode() * 99 + b" t",
            f"score '{'é' * 30}...' is not a number; {NUMBER}",
        ),
        (
            b"q 0 a 1 x" + "é".encode() * 99 + b" t",
            f"score 'x{'é' * 29}...' is not a number; {NUMBER}",
        ),
        (
            b"q 0 a 1 NaN t",
            NO_ORDER,
        ),
        (
            b"q 0 a 1 -1e999 t",
            "score '-1e999' is beyond float64 (about 1.8e308); write inf or -inf if that is meant",
        ),
        (
            b"q 0 x 1 3 t",
            "topic 'q' has item 'x' twice (first at line 2); "
            'remove one or pass duplicates="first", "last" or "best"',
        ),
        (
            b"q 0 a\0 1 3 t",
            (
                "NUL byte, text has none; write it as text in UTF-8; convert UTF-16 with iconv "
                "-f utf-16 -t utf-8"
            ),
        ),
        (
            b"q 0 \xe9 1 3 t",
            (
                "bytes that are not UTF-8; convert the file, for instance with iconv -f latin1 -t "
                "utf-8"
            ),
        ),
    ],
)
def test_problems_of_a_run(tmp_path, line, expected):
    data = b"# a comment\nq 0 x 1 2.5 t\n\n" + line + b"\nq 0 y 2 1.5 t\n"
    assert message(tmp_path / "bm25.run", data) == f"bm25.run:4: {expected}"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"q 0 a 1 1", f"5 fields, a judgement has 4 (topic, ignored, item, grade); {BLANKS}"),
        (
            b"q 0 a 1 1 t",
            "6 fields, a judgement has 4 (topic, ignored, item, grade); "
            "this looks like a run: name the qrels first, then the runs",
        ),
        (
            b"q 0 a 1,5",
            "grade '1,5' is not a number; " + GRADE,
        ),
        (
            b"q 0 a 99999999999",
            (
                "grade '99999999999' is beyond 32 bits (-2147483648 to 2147483647); write a "
                "smaller grade"
            ),
        ),
        (
            b"q 0 x 2",
            "topic 'q' has item 'x' with grade 2, and at line 1 with grade 1; "
            'remove one or pass duplicates="first", "last" or "best"',
        ),
    ],
)
def test_problems_of_qrels(tmp_path, line, expected):
    data = b"q 0 x 1\n" + line + b"\nq 0 y 2\n"
    assert message(tmp_path / "robust.qrels", data, pc.read_qrels) == f"robust.qrels:2: {expected}"


def test_nothing_to_read(tmp_path):
    for data in (b"", b"\n", b"# only a comment\n"):
        assert (
            message(tmp_path / "x", data)
            == "x: no data line, a run has at least one; check that it was written"
        )
        assert (
            message(tmp_path / "x", data, pc.read_qrels)
            == "x: no data line, qrels have at least one; check that it was written"
        )


def test_twenty_problems_at_once(tmp_path):
    two = b"bad\n", b"q Q0 a 1 nan t\n"
    lines = message(tmp_path / "x", b"".join(two[i % 2] for i in range(50))).splitlines()
    assert [line.partition(": ")[0] for line in lines[:-1]] == ["x:1", "x:2"]
    assert (
        "(as on lines 3, 5, 7, 9, 11, 13, 15, 17, 19)" in lines[0]
        and "(as on lines 4, 6, 8" in lines[1]
    )
    assert lines[2:] == ["... and 30 more problems"]


def test_the_problems_of_an_error_can_be_asked(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"bad\n" * 50)
    with pytest.raises(DataError) as caught:
        pc.read_run(path)
    assert caught.value.total == 50 and len(caught.value.problems) == 20
    assert caught.value.problems[2].source == str(path) and caught.value.problems[2].line == 3


def test_a_name_that_cannot_be_printed(tmp_path):
    path = tmp_path / "a\nb\x1b.run"
    path.write_bytes(b"bad\n")
    with pytest.raises(DataError) as caught:
        pc.read_run(path)
    assert "\n" not in str(caught.value) and r"a\nb\x1b.run:1: 1 field" in str(caught.value)
    path.write_bytes(b"q 0 a 1 1 t\n")
    assert pc.read_run(path).source == str(path)


def test_duplicates_and_score_types(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"q 0 a 1 0.1 t\nq 0 a 1 0.3 t\nq 0 a 1 0.2 t\n")
    for policy, score in (("first", 0.1), ("last", 0.2), ("best", 0.3)):
        run = pc.read_run(path, duplicates=policy)
        assert (run.score.tolist(), run.dropped) == ([score], 2)
    run = pc.read_run(path, duplicates="first", score_dtype="float32", threads=1)
    assert run.score.tolist() == [0.10000000149011612] and run.score_dtype == "float32"


def test_grades_of_columns_with_gaps(tmp_path):
    (tmp_path / "x.qrels").write_bytes(b"1.0 0 7.0 1.0\n2.0 0 7 -2.00\n2.0 0 8 0.0\n")
    qrels = pc.read_qrels(tmp_path / "x.qrels")
    assert qrels.grade.tolist() == [1, -2, 0]
    # Ids are texts, whatever they look like.
    assert (qrels.topics.tolist(), qrels.items.tolist()) == (["1.0", "2.0"], ["7.0", "7", "8"])
