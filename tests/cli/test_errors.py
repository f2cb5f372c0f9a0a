"""Every kind of error of `core/errors.py`, and every problem that readers know, through the command
line.

The message is `precall: error: file:line: what; what to do`, the exit code 2, and there is no
traceback.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import sys
from pathlib import Path

import pytest

import precall as package
from precall.cli.main import run
from precall.core import errors
from precall.read.problems import KINDS

RUN = "q1 Q0 a 1 1.0 t\n"


# kind → (name of the run, its bytes, the message behind "precall: error: ")
RUNS = {
    "fields": (
        "x.run",
        b"q1 Q0 a 1 1.0\n",
        r"x\.run:1: 5 fields, .* has 6 .*; separate them by blanks.*",
    ),
    "nul": ("x.run", b"q1 Q0 a\0 1 1.0 t\n", r"x\.run:1: NUL byte.*; .*"),
    "utf8": ("x.run", b"q1 Q0 \xff 1 1.0 t\n", r"x\.run:1: bytes that are not UTF-8; convert .*"),
    "score": (
        "x.run",
        b"q1 Q0 a 1 0x1p3 t\n",
        r"x\.run:1: score '0x1p3' is not a number; write a number .*",
    ),
    "nan": ("x.run", b"q1 Q0 a 1 nan t\n", r"x\.run:1: score is NaN.*; give a number .*"),
    "score-range": (
        "x.run",
        b"q1 Q0 a 1 1e999 t\n",
        r"x\.run:1: score '1e999' is beyond .*; write inf .*",
    ),
    "duplicate": (
        "x.run",
        RUN.encode() * 2,
        (
            r"x\.run:2: topic 'q1' has item 'a' twice \(first at line 1\); remove one or pass "
            r"--duplicates .*"
        ),
    ),
    "empty": ("x.run", b"# nothing\n\n", r"x\.run: no data line, .*; check that it was written"),
    "cells": (
        "x.csv",
        b"topic,item,score\nq1,a\n",
        r"x\.csv:2: 2 cells, the header has 3; give every row .*",
    ),
    "missing": (
        "x.jsonl",
        b'{"topic": "q1", "item": null, "score": 1}\n',
        r"x\.jsonl:1: no value in .*'item'; fill .*",
    ),
    "id": (
        "x.jsonl",
        b'{"topic": 1.5, "item": "a", "score": 1}\n',
        r"x\.jsonl:1: .*'topic' holds .*; write it as a string",
    ),
    "list": (
        "x.jsonl",
        b'{"topic": "q1", "item": ["a"], "score": 1}\n',
        (
            r"x\.jsonl:1: column 'item' holds lists, .*; give each id a row, .* go to "
            r"pc\.read_lists \(--lists\)"
        ),
    ),
    "surrogate": (
        "x.jsonl",
        b'{"topic": "q1", "item": "\\ud800", "score": 1}\n',
        r"x\.jsonl:1: column 'item' holds .* UTF-8 cannot encode; remove the lone surrogates",
    ),
    "value": (
        "x.jsonl",
        b'{"topic": "q1", "item": "a", "score": "x"}\n',
        r"x\.jsonl:1: score 'x' .*is not a number; write .*",
    ),
    "inexact": (
        "x.run",
        b"q1 Q0 a 1 9007199254740993 t\n",
        r"x\.run:1: score '9007199254740993' is not exact .*; give .*",
    ),
    "said": ("x.jsonl", b"{topic\n", r"x\.jsonl:1: not JSON .*; write .*"),
    "absent": ("x.csv", b"user,item,score\nq1,a,1\n", r"x\.csv(:1)?: .*'topic'.*; .*--columns.*"),
}
QRELS = {
    "fields": (b"q1 0 a\n", r"x\.qrels:1: 3 fields, .* has 4 .*; separate .*"),
    "grade": (
        b"q1 0 a 1,5\n",
        r"x\.qrels:1: grade '1,5' is not a number; write a number such as .*",
    ),
    "negative-grade": (
        b"q1 0 a -0.5\n",
        r"x\.qrels:1: grade '-0\.5' is below 0 and not whole; write -1 if nobody .*",
    ),
    "grade-range": (
        b"q1 0 a 4294967296\n",
        r"x\.qrels:1: grade '4294967296' is beyond 32 bits .*; write a smaller grade",
    ),
    "conflict": (
        b"q1 0 a 1\nq1 0 a 2\n",
        (
            r"x\.qrels:2: topic 'q1' has item 'a' with grade 2, and at line 1 with grade 1; "
            r"remove one or pass .*"
        ),
    ),
}
#: Facts about objects of Python, which no file can hold.
PYTHON_ONLY = {kind for kind in KINDS if kind.startswith(("dict-", "spark-"))} | {
    "row",
    "longer row",
    "column",
}
#: Facts that other options make, or other processes: tests/read/test_one_rule_for_scores.py,
#: test_changed_files.py.
ELSEWHERE = {"float32-range", "changed"}


def refused(outcome, message):
    lines = outcome.err.splitlines()
    assert outcome.code == 2 and outcome.out == ""
    assert lines and all(line.startswith("precall: error: ") for line in lines), outcome.err
    assert re.fullmatch("precall: error: " + message, lines[0]), lines[0]


@pytest.mark.parametrize("kind", RUNS)
def test_problems_of_runs(precall, kind):
    name, data, message = RUNS[kind]
    Path(name).write_bytes(data)
    refused(precall("eval", "news.qrels", name), message)


@pytest.mark.parametrize("kind", QRELS)
def test_problems_of_qrels(precall, kind):
    data, message = QRELS[kind]
    Path("x.qrels").write_bytes(data)
    refused(precall("eval", "x.qrels", "one.run"), message)


def test_every_problem_of_a_file_is_provoked_here():
    assert set(RUNS) | set(QRELS) == set(KINDS) - PYTHON_ONLY - ELSEWHERE


def test_all_problems_of_a_file_at_once_but_twenty_at_most(precall):
    Path("x.run").write_text(RUN + "q1 Q0 a\n" * 25, encoding="utf-8")
    outcome = precall("eval", "news.qrels", "x.run")
    lines = outcome.err.splitlines()
    assert (
        outcome.code == 2
        and len(lines) == 1
        and lines[0].startswith("precall: error: x.run:2: 3 fields, ")
    )
    assert "(as on lines 3 to 21; 25 problems in all); " in lines[0]


def test_duplicates_are_kept_as_told(precall):
    Path("x.run").write_text(
        "q2 Q0 d 1 1.0 t\nq2 Q0 z 1 2.0 t\nq2 Q0 d 1 3.0 t\n", encoding="utf-8"
    )
    for policy, value in (("first", "0.5"), ("last", "1.0"), ("best", "1.0")):
        outcome = precall(
            "eval", "news.qrels", "x.run", "--duplicates", policy, "-m", "RR", "--format", "csv"
        )
        assert outcome.code == 0 and outcome.out.splitlines()[-1].startswith(
            f"precall.report/2,x,all,RR,mean,{value},"
        )


def test_no_common_topic(precall):
    Path("x.run").write_text("other Q0 a 1 1.0 t\n", encoding="utf-8")
    refused(
        precall("eval", "news.qrels", "x.run"),
        r"x\.run: no topic of the run is in the qrels news\.qrels .*; check .*",
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Qqq", "no measure 'Qqq'; `precall measures` lists all"),
        ("nDGC", r"no measure 'nDGC'; did you mean nDCG.*"),
        ("P", "P of a ranking needs a cutoff; write P@k, or SetP for all that was retrieved"),
        ("P@0", "P: cutoff must be an integer >= 1, got 0"),
        ("AP(beta=2)", "AP: no parameter 'beta'; allowed are .*"),
        ("AP(", r"'AP\(' is not a measure's name; write NAME, .*"),
    ],
)
def test_measures_are_refused_before_anything_is_read(precall, name, message):
    refused(precall("eval", "missing.qrels", "missing.run", "-m", name), message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-"] * 2, r"- \(standard input\) was given 2 times; it can be read once"),
        (["news.qrels", "one.run", "one.run"], "one.run was given 2 times; name each file once"),
        (["news.qrels", "one.run", "--depth", "0"], "--depth: must be an integer >= 1.*, got 0"),
        (["news.qrels", "one.run", "--grade", "0"], "--grade: must be a number > 0, got 0"),
        (["news.qrels", "one.run", "--threads", "0"], "--threads: must be an integer >= 1, got 0"),
        (
            ["news.qrels", "one.run", "--seed", "1"],
            "--seed applies to --ties random, got --ties docno; .*",
        ),
        (
            ["news.qrels", "one.run", "--ties", "random", "--seed", "-1"],
            "--seed: must be an integer >= 0, got -1",
        ),
        (
            ["news.qrels", "one.run", "--columns", "topic=q"],
            "--columns: all inputs are TREC text, .*",
        ),
        (
            ["news.qrels", "one.csv", "--columns", "qid=topic"],
            "--columns: got 'qid=topic', allowed are .*",
        ),
        (
            ["news.qrels", "one.run", "--ties", "bad"],
            r"Invalid value for '--ties': .*; see 'precall eval --help'",
        ),
        (["news.qrels"], r"QRELS and a RUN or more are needed; name them, or give --lists FILE"),
        (
            ["news.qrels", "one.run", "--nonsense"],
            "No such option.*--nonsense.*; see 'precall eval --help'",
        ),
    ],
)
def test_wrong_usage(precall, options, message):
    refused(precall("eval", *options), message)


def test_wrong_command(precall):
    refused(precall("evil"), "No such command 'evil'.*; see 'precall --help'")


def test_ties_that_are_left_open(precall):
    refused(
        precall("eval", "news.qrels", "one.run", "--ties", "block"),
        r".*'--ties': 'block' is not one of 'docno', .*",
    )


def test_undefined_values_that_are_refused(precall):
    outcome = precall("eval", "news.qrels", "one.run", "--undefined", "error", "-m", "AP")
    refused(outcome, r"one\.run: AP is undefined for topic 'q3' \(.*\); remove the topic, or .*")


def test_files_that_are_not_there(precall):
    refused(
        precall("eval", "news.qrels", "x.run"), r"x\.run: No such file or directory; check the path"
    )
    refused(
        precall("eval", "x.qrels", "one.run"),
        r"x\.qrels: No such file or directory; check the path",
    )
    Path("folder.run").mkdir()
    refused(
        precall("eval", "news.qrels", "folder.run"), r"folder\.run: is a directory.*; name a file"
    )


def test_damaged_archive(precall):
    Path("x.run.gz").write_bytes(gzip.compress(RUN.encode())[:-4])
    refused(
        precall("eval", "news.qrels", "x.run.gz"),
        r"x\.run\.gz: archive is cut short .*; copy or compress .*",
    )


def test_missing_extra(precall, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    Path("x.parquet").write_bytes(b"PAR1")
    refused(
        precall("eval", "news.qrels", "x.parquet"),
        r"reading parquet needs Polars: pip install polars",
    )


def test_missing_kernel(process):
    Path("sitecustomize.py").write_text(
        "import sys; sys.modules['precall.native._kernel'] = None\n", encoding="utf-8"
    )
    home = Path(package.__file__).resolve().parent.parent
    path = os.pathsep.join([str(Path.cwd()), str(home)])
    outcome = process("eval", "news.qrels", "one.run", PRECALL_KERNEL="native", PYTHONPATH=path)
    refused(
        outcome,
        (
            "PRECALL_KERNEL=native, but .*; reinstall precall .*--no-cache-dir, or unset "
            "PRECALL_KERNEL"
        ),
    )


def test_wrong_environment(process):
    refused(
        process("about", PRECALL_KERNEL="fast"),
        "PRECALL_KERNEL: got 'fast', allowed are auto, native, twin",
    )
    refused(
        process("about", PRECALL_THREADS="many"),
        "PRECALL_THREADS: must be an integer >= 1, got 'many'",
    )


def test_every_error_is_provoked_here():
    # Malformed goes from kernel to reader and is never shown; the warning is provoked in
    # test_plugins.
    declared = {
        name
        for name, one in vars(errors).items()
        if isinstance(one, type) and issubclass(one, BaseException)
    }
    assert declared == {
        "PrecallError",
        "UsageError",
        "MeasureError",
        "DataError",
        "NoCommonTopic",
        "TiesUnresolved",
        "MissingExtra",
        "KernelMissing",
        "Malformed",
        "PrecallWarning",
    }


def test_a_defect_shows_its_traceback(precall, monkeypatch):
    def broken():
        raise KeyError("oops")

    monkeypatch.setattr("precall.native.installed.about", broken)
    outcome = precall("about")
    assert outcome.code == 70
    assert "KeyError: 'oops'" in outcome.err and "please report" in outcome.err.splitlines()[-1]


def test_ids_cannot_write_to_the_terminal(precall):
    Path("x.run").write_text("q\x1b[2J Q0 a 1 1.0 t\n" * 2, encoding="utf-8")
    outcome = precall("eval", "news.qrels", "x.run")
    assert outcome.code == 2 and "\x1b" not in outcome.err


@pytest.mark.parametrize(
    "words",
    [
        ("-o", "a\nb/c.csv"),
        ("--plot", "a\nb/c.svg"),
        ("--memory", "a\nb"),
        ("--at", "a\nb"),
        ("a\nb",),
    ],
)
def test_what_was_typed_is_of_one_line(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text("y,s\n1,.9\n0,.2\n")
    assert run(["curve", "x.csv", "--label", "y", "--score", "s", *words]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "a\\nb" in err


def test_trec_eval_prints_no_controls(capsys):
    assert run(["trec_eval", "\x1b[31m\u202e", "x"]) != 0
    err = capsys.readouterr().err
    assert err.rstrip("\n").isprintable() and "u202e" in err


@pytest.mark.parametrize(
    "heading", ["topic\titem\tscore", "topic\titem\trank\tscore", "t\titem\trank\tscore\trun\tx"]
)
def test_a_table_on_standard_input_is_led_to_its_format(precall, monkeypatch, heading):
    """Four columns were told to look like qrels, three to be of MS MARCO, six that a score is no
    number: the tests had tables with one field a line only.
    """
    rows = f"{heading}\n" + "q1\ta\t1\t2\tr\t1\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(rows.encode())))
    told = precall("eval", "news.qrels", "-").err
    assert "standard input:1: " in told and "--input-format csv|tsv|jsonl for a table" in told


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        ("eval q r -c", "--topics qrels"),
        ("eval q r -l 2", "--grade"),
        ("compare q r s --confidence .9", "--level"),
        ("compare q r s --stat-test t", "--test"),
        ("curve c --label y --score s --pos-label 1", "--positive"),
        ("curve c --labels y --score s", "--label"),
        ("curve c --truth y --score s", "--label"),
        ("curve c --label y --thresholds .1", "--at threshold=0.1"),
        ("decisions c --label y --decision p", "--truth"),
        ("decisions c --truth y --y-pred p", "--decision"),
        ("categories c --truth y --score p*", "--scores"),
        ("null --n 10", "--items"),
        ("roc c", "curve"),
        ("confusion c", "decisions"),
        ("judge p j r --gold h", "PEOPLE JUDGE RUN"),
        ("ppi p", "judge"),
    ],
)
def test_options_and_commands_of_others_lead_to_ours(precall, words, ours):
    """Options that are spelled alike were named, which do something else."""
    outcome = precall(*words.split())
    assert outcome.code == 2 and ours in outcome.err.partition("No such")[2].split("; see")[0]


def test_a_name_that_is_too_long(precall):
    """The advice was to check the device."""
    refused(precall("eval", "x" * 300, "one.run"), "x.*name too long; name another file")
