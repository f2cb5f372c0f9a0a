"""CSV, TSV and JSON lines: contents, and every problem with its line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.core.errors import DataError
from precall.core.text import short_repr
from precall.native import literals

CHOOSE = 'remove one or pass duplicates="first", "last" or "best"'
NUMBER = "write a number such as 12.5, -3e-4 or inf (no commas, underscores or hexadecimal)"
NAN = (
    "score is NaN, which has no place in an order; give a number (inf and -inf are allowed) or "
    "remove it"
)
BEYOND = "score '1e999' is beyond float64 (about 1.8e308); write inf or -inf if that is meant"
NUL = (
    "NUL byte, text has none; write it as text in UTF-8; convert UTF-16 with iconv -f utf-16 -t "
    "utf-8"
)
UTF8 = "bytes that are not UTF-8; convert the file, for instance with iconv -f latin1 -t utf-8"
QUOTES = "quote cells that hold quotes, and double the quotes"
OBJECT = 'write {"topic": ..., "item": ..., "score": ...} on each line'


def message(path: Path, data: bytes, read=pc.read_run, **options: object) -> str:
    path.write_bytes(data)
    with pytest.raises(DataError) as caught:
        read(path, **options)
    return str(caught.value).replace(f"{path}:", f"{path.name}:")


@pytest.mark.parametrize(("name", "separator"), [("x.csv", ","), ("x.tsv", "\t")])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_cells(tmp_path, name, separator, end, mark):
    rows = [
        ["more", "item", "score", "topic"],
        ["", "007", "1.5", "q1"],
        [],
        ["x", '"say ""a"""', "-inf", "q2"],
        ["x", f'"é{separator}b"', "+2e0", "q1"],
        ["x", '"b\nc"', ".5", "q2"],
    ]
    (tmp_path / name).write_bytes(mark + end.join(separator.join(row) for row in rows).encode())
    run = pc.read_run(tmp_path / name)
    assert run.topics.tolist() == ["q1", "q2"]
    assert run.items.tolist() == ["007", f"é{separator}b", 'say "a"', "b\nc"]
    assert run.score.tolist() == [1.5, 2.0, -np.inf, 0.5]
    assert (run.name, run.tag, run.source) == ("x", "", str(tmp_path / name))


def test_json_lines(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(
        b'\xef\xbb\xbf{"topic": "q1", "item": "007", "score": 1.5, "more": [1e999]}\r\n\n'
        b' {"item": 7, "score": -Infinity, "topic": 1} \n{"topic":"q1","item":"\\u00e9","score":2}'
    )
    run = pc.read_run(path)
    assert (run.topics.tolist(), run.items.tolist()) == (["q1", "1"], ["007", "é", "7"])
    assert run.score.tolist() == [1.5, 2.0, -np.inf]
    path.write_bytes(
        b'{"topic": "q1", "item": "a", "grade": -1}\n{"topic": "q1", "item": "b", "grade": true}'
    )
    assert pc.read_qrels(path).grade.tolist() == [-1, 1]


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl"])
def test_columns_may_be_called_otherwise(tmp_path, name):
    text = {"x.csv": b"qid,docid,s\nq,a,1\n", "x.jsonl": b'{"qid": "q", "docid": "a", "s": 1}\n'}[
        name
    ]
    (tmp_path / name).write_bytes(text)
    names = {"topic": "qid", "item": "docid", "score": "s", "grade": "s"}
    assert pc.read_run(tmp_path / name, columns=names).score.tolist() == [1.0]
    assert pc.read_qrels(tmp_path / name, columns=names).grade.tolist() == [1]


def test_a_column_that_is_not_there(tmp_path):
    assert message(tmp_path / "x.csv", b"user,item,s\nq,a,1\n") == (
        "x.csv: no column 'topic' and no column 'score', the columns are 'user', 'item', 's'; "
        'name them with columns={"topic": ..., "item": ..., "score": ...}'
    )
    assert message(
        tmp_path / "x.csv", b"topic,item,score\n", pc.read_qrels, columns={"grade": "rel\n"}
    ) == (
        r"x.csv: no column 'rel\n', the columns are 'topic', 'item', 'score'; "
        'name them with columns={"topic": ..., "item": ..., "grade": ...}'
    )
    assert message(tmp_path / "x.csv", b"topic,item,score,item\n") == (
        "x.csv: 2 columns are called 'item', one is allowed; rename or remove the others"
    )
    wide = b"topic," + b",".join(b"c%d" % i for i in range(30))
    assert "'c18', ...; name them" in message(tmp_path / "x.csv", wide)
    assert message(tmp_path / "x.jsonl", b'{"topic": "q", "song": "a", "score": 1}\n') == (
        "x.jsonl:1: no 'item', there are 'topic', 'song', 'score'; "
        'name them with columns={"topic": ..., "item": ..., "score": ...}'
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            b"q,a",
            (
                "2 cells, the header has 4; give every row as many, and quote those that hold a "
                "separator"
            ),
        ),
        (
            b"q",
            (
                "1 cell, the header has 4; give every row as many, and quote those that hold a "
                "separator"
            ),
        ),
        (
            b"q,a,1,,",
            (
                "5 cells, the header has 4; give every row as many, and quote those that hold a "
                "separator"
            ),
        ),
        (b",a,1,", "no value in column 'topic'; fill it in or remove the line"),
        (b"q,,1,", "no value in column 'item'; fill it in or remove the line"),
        (b"q,a,,", "no value in column 'score'; fill it in or remove the line"),
        (b"q,a,1_0,", f"score '1_0' is not a number; {NUMBER}"),
        (b"q,a, 1,", f"score ' 1' is not a number; {NUMBER}"),
        (b'q,a,"1\n2",', rf"score '1\n2' is not a number; {NUMBER}"),
        ("q,a,\u0661,".encode(), f"score '\u0661' is not a number; {NUMBER}"),
        (b"q,a," + b"x" * 300 + b",", f"score {short_repr('x' * 300)} is not a number; {NUMBER}"),
        (b"q,a,+nAn,", NAN),
        (b"q,a,1e999,", BEYOND),
        (b"q,x,1,", f"topic 'q' has item 'x' twice (first at line 2); {CHOOSE}"),
        (b"q,a,1,\0", NUL),
        (b"q,a,1,\xff", UTF8),
        (b"q,\xff,1,", UTF8),
        (
            b'q,"a"b,1,',
            f"not a row of cells (',' expected after '\"'); {QUOTES}",
        ),
        (
            b"q," + b"a" * 200_000 + b",1,",
            (
                "a cell of more than 131,072 characters; shorten it, or close its quotes; TREC "
                "files, .jsonl and .parquet have no such limit"
            ),
        ),
    ],
)
def test_problems_of_cells(tmp_path, line, expected):
    data = b'topic,item,score,more\nq,x,1,"\n"\n\n' + line + b"\nq,y,2,\n"
    assert message(tmp_path / "x.csv", data) == f"x.csv:5: {expected}"


def test_a_quote_that_is_not_closed(tmp_path):
    assert message(tmp_path / "x.csv", b'topic,item,score\nq,x,1\nq,"a,1\nq,b,1\n') == (
        f"x.csv:3: not a row of cells (unexpected end of data); {QUOTES}"
    )


def test_a_damaged_header(tmp_path):
    assert message(tmp_path / "x.csv", b"topic,item,score,\xff\nq,x,1,\n") == f"x.csv:1: {UTF8}"
    assert message(tmp_path / "x.csv", b'"topic\n') == (
        f"x.csv:1: not a row of cells (unexpected end of data); {QUOTES}"
    )
    for data in (b"", b"\n\n", b"topic,item,score\n"):
        assert message(tmp_path / "x.csv", data) == (
            "x.csv: no data line, a run has at least one; check that it was written"
        )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"3", f"not a JSON object (int); {OBJECT}"),
        (b"null", f"not a JSON object (NoneType); {OBJECT}"),
        (b'["q", "a", 1]', f"not a JSON object (list); {OBJECT}"),
        (b'{"topic": q}', f"not JSON (Expecting value at character 11); {OBJECT}"),
        (b"[" * 200_000, f"not JSON (too deep); {OBJECT}"),
        (
            b'{"topic": "q", "item": "a", "score": ' + b"1" * 5000 + b"}",
            f"not JSON (a number is too long); {OBJECT}",
        ),
        (b'{"topic": "q", "item": "a", "score": 1e999}', BEYOND),
        (b'{"topic": "q", "item": "a", "score": NaN}', NAN),
        (
            b'{"topic": "q", "item": "a", "score": null}',
            "no value in column 'score'; fill it in or remove the line",
        ),
        (
            b'{"topic": "q", "item": "a", "score": "0x1"}',
            f"score '0x1' (str) is not a number; {NUMBER}",
        ),
        (
            b'{"topic": null, "item": "a", "score": 1}',
            "no value in column 'topic'; fill it in or remove the line",
        ),
        (
            b'{"topic": "q", "item": 1.5, "score": 1}',
            (
                "column 'item' holds 1.5 (float), an id is a string or an integer; write it as a "
                "string"
            ),
        ),
        (
            b'{"topic": "q", "item": 1e999, "score": 1}',
            (
                "column 'item' holds 1e999 (float), an id is a string or an integer; write it as "
                "a string"
            ),
        ),
        (
            b'{"topic": "q", "item": "\\ud800", "score": 1}',
            r"column 'item' holds '\ud800', which UTF-8 cannot encode; remove the lone surrogates",
        ),
        (
            b'{"topic": "q", "item": "x", "score": 1}',
            f"topic 'q' has item 'x' twice (first at line 1); {CHOOSE}",
        ),
        (b'{"topic": "q", "item": "\xff", "score": 1}', UTF8),
        (b'{"topic": "q", "item": "\0", "score": 1}', NUL),
    ],
)
def test_problems_of_json_lines(tmp_path, line, expected):
    data = (
        b'{"topic": "q", "item": "x", "score": 1}\n\n'
        + line
        + b'\n{"topic": "q", "item": "y", "score": 1}\n'
    )
    assert message(tmp_path / "x.jsonl", data) == f"x.jsonl:3: {expected}"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (
            "-1.5",
            (
                "grade '-1.5' is below 0 and not whole; write -1 if nobody judged the item, or "
                "raise all grades so that none is below 0; if these are scores, name the qrels "
                "first, then the runs"
            ),
        ),
        ("", "no value in column 'grade'; fill it in or remove the line"),
        (
            "2147483648",
            (
                "grade '2147483648' is beyond 32 bits (-2147483648 to 2147483647); write a "
                "smaller grade"
            ),
        ),
        (
            "9" * 5000,
            (
                f"grade {short_repr('9' * 5000)} is beyond 32 bits (-2147483648 to 2147483647); "
                "write a smaller grade"
            ),
        ),
        ("3", f"topic 'q' has item 'x' with grade 3, and at line 2 with grade 1; {CHOOSE}"),
    ],
)
def test_problems_of_grades(tmp_path, cell, expected):
    data = f"topic,item,grade\nq,x,1\nq,x,{cell}\nq,x,1\n".encode()
    assert message(tmp_path / "x.csv", data, pc.read_qrels) == f"x.csv:3: {expected}"


def test_problems_of_all_kinds_come_in_the_order_of_lines(tmp_path):
    lines = [b"topic,item,score", b"q,a,1", b"q,a,2", b"q,b", b"q,c,x", b"q,a,3", b"q,d,\xff"]
    said = message(tmp_path / "x.csv", b"\n".join(lines))
    assert [line.partition(" ")[0] for line in said.splitlines()] == [
        f"x.csv:{i}:" for i in (3, 4, 5, 6, 7)
    ]
    many = message(tmp_path / "x.csv", b"topic,item,score\n" + b"q,a\n" * 5000 + b"q,a,x\n" * 5000)
    assert many.startswith(
        "x.csv:2: 2 cells, the header has 3 (as on lines 3 to 21; 10,000 problems in all); give"
    )


@pytest.mark.nightly
def test_many_rows_go_in_batches(tmp_path):
    path = tmp_path / "x.csv"
    rows = [f"q{i % 3},d{i},{i}" for i in range(150_000)]
    path.write_text("\n".join(["topic,item,score", *rows]))
    run = pc.read_run(path)
    assert len(run.score) == 150_000 and run.score[:2].tolist() == [0.0, 3.0]
    rows[140_000] = "q0,d0,1"
    assert message(path, "\n".join(["topic,item,score", *rows]).encode()) == (
        f"x.csv:140002: topic 'q0' has item 'd0' twice (first at line 2); {CHOOSE}"
    )


SCORES = [
    "1",
    "+1.",
    "-.5",
    "1e5",
    "1E-5",
    "1e+05",
    "inf",
    "-Infinity",
    "+INF",
    "nan",
    "-NaN",
    "1e999",
    "-1e999",
    "1e-999",
    "1_0",
    "0x1",
    "1,5",
    ".",
    "+",
    "e5",
    "1e",
    "1.5.2",
    "--1",
    "infi",
    "\u0661",
    "1d5",
    "1f",
    "0" * 300 + "1",
    "9" * 400,
]
GRADES = [
    "0",
    "-1",
    "+3",
    "007",
    "1.0",
    "1e2",
    "",
    "-",
    "2147483647",
    "-2147483648",
    "2147483648",
    "0" * 99 + "5",
    "9" * 99,
]


@pytest.mark.parametrize("text", SCORES)
def test_scores_follow_the_grammar_of_the_kernels(tmp_path, text):
    _same(tmp_path, text, pc.read_run, b'topic,item,score\nq,a,"%s"\n', b"q 0 a 1 %s t\n")
    assert literals.scores([text]) is None or literals.scores([text])[0] == literals.score(text)


@pytest.mark.parametrize("text", GRADES)
def test_grades_follow_the_grammar_of_the_kernels(tmp_path, text):
    if text:
        _same(tmp_path, text, pc.read_qrels, b"topic,item,grade\nq,a,%s\n", b"q 0 a %s\n")
    assert literals.grades([text]) is None or literals.grades([text])[0] == literals.grade(text)


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.jsonl"])
def test_grades_that_are_a_yes_or_no(tmp_path, name):
    """As pandas writes a column of bool, and JSON true and false."""
    if name == "x.jsonl":
        cells = {"a": True, "b": False, "c": 2}
        rows = [
            json.dumps({"topic": "q", "item": item, "grade": grade})
            for item, grade in cells.items()
        ]
    else:
        rows = ["topic,item,grade", "q,a,True", "q,b,FALSE", "q,c,2"]
        rows = [row.replace(",", "\t" if name == "x.tsv" else ",") for row in rows]
    (tmp_path / name).write_text("\n".join(rows), encoding="utf-8")
    assert pc.read_qrels(tmp_path / name).grade.tolist() == [1, 0, 2]


def test_yes_or_no_is_no_score_and_no_grade_of_trec_text(tmp_path):
    assert "score 'True' is not a number" in message(
        tmp_path / "x.csv", b"topic,item,score\nq,a,True\n"
    )
    assert "grade 'true' is not a number" in message(tmp_path / "x", b"q 0 a true\n", pc.read_qrels)


def _same(folder: Path, text: str, read, table: bytes, trec: bytes) -> None:
    got = []
    for name, data in (("x.csv", table), ("x", trec)):
        (folder / name).write_bytes(data % text.encode())
        try:
            result = read(folder / name)
            got.append((result.score if read is pc.read_run else result.grade).tolist())
        except DataError as error:
            # Long texts are cut at different lengths.
            got.append([problem.wrong[:50] for problem in error.problems])
    assert got[0] == got[1]


def test_a_million_digits_take_no_time():
    text = "1" * 1_000_000 + "x"
    assert literals.score(text) == ("score", text)
    assert literals.scores([text]) is None and literals.grades([text]) is None
