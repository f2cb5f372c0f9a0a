"""`precall curve`: every error, with file, line and column, and what to do."""

from __future__ import annotations

import contextlib
import io
import math
import os
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precall.cli.curve import condition
from precall.cli.main import run
from precall.core.errors import UsageError
from precall.core.notes.of_reading import NoCommonLabel, OneNumberTwice
from tests.cli.scored import BASE, ROWS, refused, text, told


@pytest.fixture(autouse=True)
def cases(folder):
    Path("cases.csv").write_text(text(), encoding="utf-8")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("f=1", r"--at: got 'f=1', allowed are threshold=S, .*"),
        ("recall", "--at: got 'recall', allowed are .*"),
        ("recall=much", "--at recall=much: 'much' is not a number; .*"),
        ("recall=2", r"--at recall=2: must be in 0\.\.1, got 2"),
        ("fpr=2", r"--at fpr=2: must be in 0\.\.1, got 2"),
        ("specificity=-1", r"--at specificity=-1: must be in 0\.\.1, got -1"),
        ("accept=-1", "--at accept=-1: must be a count >= 0, got -1"),
        ("cost=fp", "--at cost=fp: got 'fp', allowed are tp, fp, fn, tn, .*"),
        ("cost=fp:inf", "--at cost=fp:inf: the cost of fp must be finite"),
        ("threshold=nan", "--at threshold=nan: 'nan' is not a number; .*"),
    ],
)
def test_conditions_are_refused_before_anything_is_read(precall, typed, message):
    refused(precall("curve", "missing.csv", "--label", "y", "--score", "s", "--at", typed), message)
    with pytest.raises(UsageError):
        condition(typed)


PROBLEMS = {
    "absent": (
        "y,t\n1,1\n",
        r"x\.csv:1: no column 's', the columns are 'y', 't'; name one of them with --score",
    ),
    "bars": (
        "y|s\n1|1\n",
        r"x\.csv:1: no column 'y', the columns are 'y\|s'; cells look parted by bars: write .*",
    ),
    "semicolons": (
        "y;z\n1;1\n",
        r"x\.csv:1: no column 's', the columns are 'y', 'z'; name one of them with --score",
    ),
    "tabs": (
        "y\ts\n1\t1\n",
        (
            r"x\.csv:1: no column 'y', the columns are 'y\\ts'; cells look parted by tabs: .* a "
            r"\.tsv .*"
        ),
    ),
    "twice": (
        "y,s,s\n1,1,2\n",
        r"x\.csv:1: 2 columns are called 's', one is allowed; rename or remove the others",
    ),
    "label": (
        "y,s\nyes,1\nno,0\n",
        r"x\.csv:2: column 'y': labels 'yes', 'no' are not 0/1, -1/1 or false/true; .*--positive",
    ),
    "mixed": (
        "y,s\n1,1\n0,1\n-1,0\n",
        r"x\.csv:4: column 'y': both 0 and -1 are labels; write 0/1 or -1/1",
    ),
    "unlabelled": (
        "y,s\n,1\n0,1\n",
        r"x\.csv:2: column 'y': no value; fill it in or remove the line; precall judge .*",
    ),
    "nan": (
        "y,s\n1,1\n0,NaN\n",
        r"x\.csv:3: column 's': score is NaN, .*; remove it, or count it by --missed .*",
    ),
    "number": (
        "y,s\n1,1\n0,1e\n",
        r"x\.csv:3: column 's': score '1e' is not a number; write a number .*",
    ),
    "range": (
        "y,s\n1,1\n0,1e999\n",
        r"x\.csv:3: column 's': score 1e999 is beyond float64 .*; write inf .*",
    ),
    "gap": ("y,s\n1,1\n0,\n", r"x\.csv:3: column 's': no value; fill it in or remove the line"),
    "cells": ("y,s\n1\n", r"x\.csv:2: 1 cell, the header has 2; give every row as many.*"),
    "quotes": ('y,s\n1,"a"b\n', r"x\.csv:2: not a row of cells .*; quote cells .*"),
    "empty": ("", r"x\.csv: no data line, .*; check that it was written"),
    "header": ("y,s\n", r"x\.csv: no data line, .*; check that it was written"),
    "positive": (
        "y,s\n1,1\n1,2\n",
        r"x\.csv: column 'y': every case is relevant, .*; check --label and --positive",
    ),
    "negative": (
        "y,s\n0,1\n0,2\n",
        r"x\.csv: column 'y': no case is relevant, .*; check --label and --positive",
    ),
    "binary": (b"y,s\n1,\xff\n", r"x\.csv:2: bytes that are not UTF-8; convert the file.*"),
    "nul": (b"y,s\n1,\0\n", r"x\.csv:2: NUL byte, text has none; .*"),
    "utf-16": (
        "y,s\n1,1\n".encode("utf-16"),
        r"x\.csv:1: NUL byte, text has none .*iconv -f utf-16 -t utf-8",
    ),
}


@pytest.mark.parametrize("kind", PROBLEMS)
def test_problems(precall, kind):
    data, message = PROBLEMS[kind]
    Path("x.csv").write_bytes(data if isinstance(data, bytes) else data.encode())
    refused(precall("curve", "x.csv", "--label", "y", "--score", "s"), message)


def test_all_problems_at_once_but_twenty_at_most(precall):
    rows = "".join(f"{'' if i % 2 else 1},x{i}\n" for i in range(20))
    Path("x.csv").write_text("y,s\n" + rows, encoding="utf-8")
    lines = refused(
        precall("curve", "x.csv", "--label", "y", "--score", "s"), r"x\.csv:2: column 's': .*"
    )
    assert len(lines) == 3 and lines[-1] == "precall: error: ... and 10 more problems"
    assert "x.csv:2: " in lines[0] and "(as on lines 3 to 14); write a number" in lines[0]
    assert (
        "x.csv:3: " in lines[1]
        and "no value (as on lines 5, 7, 9, 11, 13, 15); fill it in" in lines[1]
    )


def test_too_many_labels_are_one_problem(precall):
    rows = "".join(f"l{i},1\n" for i in range(1, 100))
    Path("x.csv").write_text("y,s\n" + rows, encoding="utf-8")
    message = (
        r"x\.csv: column 'y': 99 different labels, such as .*, are too many for a yes or no; "
        r"check --label.*"
    )
    assert len(refused(precall("curve", "x.csv", "--label", "y", "--score", "s"), message)) == 1


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ['{"y": 1, "s": 2}', '{"y": 0}'],
            r"x\.jsonl:2: no 's', there are 'y'; give every object the same names.*",
        ),
        (['{"y": 1, "s": 2}', "", "[1]"], r"x\.jsonl:3: not a JSON object \(list\); write .*"),
        (['{"y": 1, "s": 2}', "{"], r"x\.jsonl:2: not JSON .*; write .*"),
        (
            ['{"y": 1, "s": "2,5"}'],
            r"x\.jsonl:1: column 's': score '2,5' \(str\) is not a number; write .*",
        ),
        (
            ['{"y": 1, "s": null}'],
            r"x\.jsonl:1: column 's': no value; fill it in or remove the line",
        ),
        (['{"y": 1, "s": NaN}'], r"x\.jsonl:1: column 's': score is NaN.*"),
        (['{"y": 1, "s": 1e999}'], r"x\.jsonl:1: column 's': score 1e999 is beyond float64.*"),
        (
            ['{"y": 0.5, "s": 1}'],
            r"x\.jsonl:1: column 'y': label '0\.5': numbers with fractions are no labels.*",
        ),
        ([""], r"x\.jsonl: no data line, .*"),
    ],
)
def test_problems_of_objects(precall, lines, message):
    Path("x.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    refused(precall("curve", "x.jsonl", "--label", "y", "--score", "s"), message)


def test_half_characters(precall):
    lines = [r'{"y": 1, "s": 2, "g": "\ud800", "\ud800": 0}', '{"y": 0, "s": 1, "g": "a"}']
    Path("x.jsonl").write_text("\n".join(lines), encoding="utf-8")
    said = (
        r"x\.jsonl:1: column 'g': label '\\ud800' is not text that UTF-8 can encode; remove the "
        r"lone surrogates"
    )
    refused(precall("curve", "x.jsonl", "--label", "y", "--score", "s", "--group", "g"), said)
    for more in ((), ("--separator", ";")):
        refused(precall("decisions", "x.jsonl", "--truth", "g", "--predicted", "g", *more), said)


def test_problems_of_frames_have_rows(precall):
    polars = pytest.importorskip("polars")
    polars.DataFrame({"y": [1, 0], "s": [0.5, math.nan], "k": ["a", "b"]}).write_parquet(
        "x.parquet"
    )
    base = ("curve", "x.parquet", "--label", "y", "--score")
    refused(precall(*base, "s"), r"x\.parquet, row 2: column 's': score is NaN.*")
    refused(
        precall(*base, "k"),
        r"x\.parquet: column 'k': it holds text such as '.*', a score is a number; .*",
    )
    refused(
        precall(*base, "z"), r"x\.parquet: no column 'z', the columns are 'y', 's', 'k'; .*--score"
    )
    polars.DataFrame({"y": [], "s": []}).write_parquet("x.parquet")
    refused(precall(*base, "s"), r"x\.parquet: no data row, .*")
    Path("x.parquet").write_bytes(b"PAR1")
    refused(
        precall(*base, "s"),
        r"x\.parquet: not a Parquet file that Polars can read .*; write it again.*",
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--score", "s"], "--score s was given 2 times; name each column once"),
        (["--missed", "-1"], "--missed: must be an integer >= 0, got -1"),
        (
            ["--missed", "1", "--group", "fold"],
            "--missed: applies to all cases, .*; leave one of them out",
        ),
        (["--group", "q"], r"cases\.csv:1: no column 'q', .*; name one of them with --group"),
        (["--weight", "q"], r"cases\.csv:1: no column 'q', .*; name one of them with --weight"),
        (
            ["--weight", "kind"],
            r"cases\.csv:2: column .kind.: weight .yes. is not a number \(as on lines 3 to 7; 6 .*",
        ),
        (
            ["--positive", "q"],
            r"cases\.csv: column 'label': no label is 'q', the labels are '1', '0'; .*--positive",
        ),
        (
            ["--at", "recall=1", "--at", "recall=1"],
            "--at recall=1 was given 2 times; give each condition once",
        ),
        (["-o", "cases.csv"], "--output cases.csv: is also an input and would be overwritten; .*"),
        (["-o", "absent/x"], "--output absent/x: there is no directory .*"),
        (["--ties", "docno"], r"Invalid value for '--ties': .*; see 'precall curve --help'"),
    ],
)
def test_wrong_usage(precall, options, message):
    refused(precall(*BASE, *options), message)


def test_wrong_weights(precall):
    for weight, said in (
        ("-1", "weight -1 is not allowed"),
        ("inf", "weight inf"),
        ("nan", "weight is NaN"),
    ):
        rows = [(*row[:5], weight) for row in ROWS[:1]] + ROWS[1:]
        Path("cases.csv").write_text(text(rows=rows), encoding="utf-8")
        refused(
            precall(*BASE, "--weight", "w"),
            rf"cases\.csv:2: column 'w': {said}.*; give a .*number.*",
        )
    Path("cases.csv").write_text(text(rows=[(*row[:5], 0) for row in ROWS]), encoding="utf-8")
    refused(
        precall(*BASE, "--weight", "w"),
        r"cases\.csv: column 'w': all weights are 0.*; check the weights",
    )


def test_required_options_and_paths(precall):
    refused(precall("curve", "cases.csv"), r"Missing option '--label'; see 'precall curve --help'")
    refused(
        precall("curve", "missing.csv", *BASE[2:]),
        r"missing\.csv: No such file or directory; check the path",
    )
    refused(precall("curve", "", *BASE[2:]), "empty path; name a file, or - for standard input")


CELL = st.one_of(
    st.sampled_from(
        [
            "",
            "0",
            "1",
            "-1",
            "nan",
            "inf",
            "-inf",
            "1e999",
            "true",
            "0.5",
            '"',
            "[",
            "{}",
            "null",
            "1e5",
        ]
    ),
    st.text(max_size=3),
)


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzzed") / "x"


@pytest.mark.nightly
@pytest.mark.parametrize("form", ["csv", "jsonl"])
@given(rows=st.lists(st.tuples(CELL, CELL, CELL), max_size=6))
def test_any_cells_are_measured_or_refused(form, rows, fuzzed):
    cells = "{},{},{}" if form == "csv" else '{{"a": {}, "b": {}, "c": {}}}'
    lines = [*["a,b,c"] * (form == "csv"), *(cells.format(*row) for row in rows)]
    fuzzed.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass"))
    shared = ("--input-format", form, "--format", "json", "-o", os.devnull)
    for command in (
        ("curve", "--label", "a", "--score", "b", "--group", "c", "--at", "recall=.5"),
        (
            "curve",
            "--label",
            "a",
            "--score",
            "b",
            "--weight",
            "c",
            "--missed",
            "1",
            "--lower-is-better",
        ),
        ("decisions", "--truth", "a", "--predicted", "b"),
        ("decisions", "--truth", "a", "--predicted", "b", "--separator", "0"),
        ("categories", "--truth", "a", "--scores", "*", "--policy", "break-even"),
    ):
        with contextlib.redirect_stderr(io.StringIO()) as said, warnings.catch_warnings():
            warnings.simplefilter("ignore", NoCommonLabel.warning)
            warnings.simplefilter("ignore", OneNumberTwice.warning)
            assert run([command[0], str(fuzzed), *command[1:], *shared]) in (0, 2), said.getvalue()


def test_integers_that_float64_would_merge(precall):
    rows = "y,s\n1,9007199254740993\n0,9007199254740992\n"
    Path("x.csv").write_text(rows, encoding="utf-8")
    Path("x.jsonl").write_text('{"y": 1, "s": 9007199254740993}\n{"y": 0, "s": 9007199254740992}\n')
    for name, line in (("x.csv", 2), ("x.jsonl", 1)):
        message = (
            rf"{name}:{line}: column 's': score 9007199254740993 is not exact as float64; give "
            r"ranks instead"
        )
        refused(precall("curve", name, "--label", "y", "--score", "s"), message)


def test_weights_of_billions(precall):
    Path("x.csv").write_text(
        "y,s,w\n1,3,3000000000\n0,2,3000000000\n1,1,3000000000\n0,0,1\n", encoding="utf-8"
    )
    outcome = precall(
        "curve", "x.csv", "--label", "y", "--score", "s", "--weight", "w", "--format", "json"
    )
    areas = told(outcome)
    assert "davis-goadrich-discrete" in str(areas)
