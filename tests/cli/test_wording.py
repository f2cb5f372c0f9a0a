"""Errors say what the command line is to be given, though functions speak of their arguments."""

from __future__ import annotations

import gzip
import os
import pickle
import re
import sys
from pathlib import Path

import pytest

import precall as pc
from precall.core.errors import DataError, MeasureError, Problem, TiesUnresolved, UsageError


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            TiesUnresolved("⟨ties='block'⟩ is open; choose ⟨ties='best', 'worst' or 'input'⟩"),
            "--ties block is open; choose --ties best|worst|input",
        ),
        (
            TiesUnresolved("⟨depth=3⟩ cuts; choose another ⟨ties=⟩ than 'expected'"),
            "--depth 3 cuts; choose another --ties than 'expected'",
        ),
        (UsageError("⟨ties='random'⟩ needs ⟨rng=⟩, a seed"), "--ties random needs --seed, a seed"),
        (
            UsageError(argument="threads", allowed="an integer", got="x"),
            "--threads: must be an integer, got 'x'",
        ),
        (
            UsageError(
                argument="score_dtype",
                got="x",
                allowed=("float64", "float32"),
                remedy="pass ⟨ties='best'⟩",
            ),
            "--score-dtype: got 'x', allowed are float64, float32; pass --ties best",
        ),
        (UsageError(argument="source", got="columns: y"), "source: got 'columns: y'"),
        (
            UsageError(argument="format", got="undefined='zero'"),
            "--input-format: got \"undefined='zero'\"",
        ),
        (UsageError("AP(grade=2): no"), "AP(grade=2): no"),
        (MeasureError("X: got 'depth=3' in the brackets"), "X: got 'depth=3' in the brackets"),
        (MeasureError("depth: no parameter 'x'"), "depth: no parameter 'x'"),
        (
            DataError(
                [
                    Problem(
                        "ties='a'", 2, "topics='b'", 'pass ⟨duplicates="first", "last" or "best"⟩'
                    )
                ],
                3,
            ),
            "ties='a':2: topics='b'; pass --duplicates first|last|best\n... and 2 more problems",
        ),
        (
            DataError(
                [Problem("x", None, "y", 'name them with ⟨columns={"topic": ..., "item": ...}⟩')]
            ),
            "x: y; name them with --columns topic=...,item=...",
        ),
    ],
)
def test_arguments_become_options(error, expected):
    assert error.words("command") == expected
    assert "⟨" not in str(error) and "--" not in str(error)


def test_refusals_have_fields_and_survive_pickle():
    with pytest.raises(UsageError) as caught:
        pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ties="bset")
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.argument, error.got) == ("ties", "bset") and "best" in error.allowed
    assert str(error) == str(caught.value) and error.words("command").startswith(
        "--ties: got 'bset'"
    )
    with pytest.raises(DataError) as caught:
        pc.evaluate({"q": {"a": 1}}, [("q", "a", float("nan"))])
    (problem,) = caught.value.problems
    assert problem.place == "rows 'run', row 1" and problem.remedy == problem.todo


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "nope"),
        lambda: pc.curve([1, 0], [1, 2], direction=1),
        lambda: pc.interval.f(1, 1, 1, method=lambda: 0),
        lambda: pc.curve([1, 0], [1, 2], missed=[1] * 1000),
        lambda: pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, duplicates={1: 2}),
        lambda: pc.measure("MCC@5"),
    ],
)
def test_refusals_say_the_same_in_another_process(wrong):
    """Where nothing was got, or what no pickle takes."""
    with pytest.raises(UsageError) as caught:
        wrong()
    error = pickle.loads(pickle.dumps(caught.value))
    assert type(error) is type(caught.value) and str(error) == str(caught.value)
    assert error.words("command") == caught.value.words("command")


PYTHON = re.compile(r"""\b(ties|depth|duplicates|columns|format|undefined|threads)=['"{\d ]""")


@pytest.mark.parametrize(
    "options",
    [
        ["dup.run"],
        ["one.run", "--ties", "expected", "--depth", "2", "-m", "AP"],
        ["one.run", "--ties", "block", "-m", "AP"],
        ["one.run", "--undefined", "error", "-m", "AP"],
        ["one.run", "--threads", "0"],
        ["one.run", "--depth", "0"],
        ["one.csv", "--columns", "topic=q"],
        ["one.csv", "--columns", "qid=topic"],
    ],
)
def test_no_error_of_the_command_speaks_python(precall, options):
    Path("dup.run").write_text("q1 Q0 a 1 1 x\nq1 Q0 a 1 1 x\n", encoding="utf-8")
    Path("one.csv").write_text("topic,item,score\nq1,a,1\n", encoding="utf-8")
    outcome = precall("eval", "news.qrels", *options)
    assert outcome.code == 2 and "--" in outcome.err and not PYTHON.search(outcome.err), outcome.err


def test_the_same_problem_in_python_and_on_the_command_line(precall):
    Path("x.run").write_text("t07 Q0 d3 1 1 x\n" * 2, encoding="utf-8")
    said = "x.run:2: topic 't07' has item 'd3' twice (first at line 1); remove one or pass "
    assert (
        precall("eval", "news.qrels", "x.run").err
        == f"precall: error: {said}--duplicates first|last|best\n"
    )
    with pytest.raises(DataError) as caught:
        pc.read_run("x.run")
    assert str(caught.value) == said + 'duplicates="first", "last" or "best"'


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("official", "official"),
        ("all_trec", "all_trec"),
        ("set_F_0.5", "set_F.0.5"),
        ("unj_5", "unj.5"),
        ("rbp_resid", "rbp_resid"),
        ("ndcg_rel", "ndcg_rel"),
        ("Rndcg", "Rndcg"),
        ("num_q", "num_q"),
        ("relstring", "relstring"),
        ("P.5,10", "P.5,10"),
    ],
)
def test_names_that_only_trec_eval_has(precall, name, theirs):
    for arguments in (["eval", "missing", "missing", "-m", name], ["explain", name]):
        outcome = precall(*arguments)
        assert outcome == (
            2,
            "",
            (
                f"precall: error: {name!r} is trec_eval's name; use `precall trec_eval -m "
                f"{theirs} QRELS RUN`\n"
            ),
        )
    assert precall("trec_eval", "-c", "-m", theirs, "news.qrels", "one.run").code == 0


def test_trec_evals_rbp_is_pointed_at(precall):
    assert "`precall trec_eval -m rbp`" in precall("eval", "missing", "missing", "-m", "rbp").err


@pytest.mark.parametrize(
    ("typed", "repeated"),
    [
        ("AP,P@10", "-m AP -m P@10"),
        ("nDCG(gain=exp)@5, AP", "-m nDCG(gain=exp)@5 -m AP"),
        ("P@5,10", "-m P@5 -m P@10"),
    ],
)
def test_several_measures_in_one_option(precall, typed, repeated):
    outcome = precall("eval", "missing", "missing", "-m", typed)
    assert (
        outcome.err
        == f"precall: error: no measure {typed!r}; give each its own option: {repeated}\n"
    )


def test_empty_paths(precall):
    for arguments in (["", "one.run"], ["news.qrels", ""]):
        outcome = precall("eval", *arguments)
        assert outcome == (
            2,
            "",
            "precall: error: empty path; name a file, or - for standard input\n",
        )
    assert "--output: empty path" in precall("eval", "news.qrels", "one.run", "-o", "").err


def test_one_file_under_two_names(precall):
    outcome = precall("eval", "news.qrels", "one.run", "./one.run")
    assert outcome == (
        2,
        "",
        "precall: error: one.run and ./one.run are one file; name each file once\n",
    )


def test_a_run_on_standard_input_whose_tag_is_taken(process):
    text = Path("one.run").read_text()
    for runs in (["one.run", "-"], ["-", "one.run"]):
        outcome = process("eval", "news.qrels", *runs, "-m", "AP", "--format", "trec", stdin=text)
        names = re.findall(r"runid +\tall\t(.*)", outcome.out)
        assert names == [{"-": "standard input"}.get(run, "one") for run in runs]


def test_standard_input_is_closed(precall, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    for arguments in (["news.qrels", "-"], ["-", "one.run"]):
        outcome = precall("eval", *arguments)
        assert outcome.code == 2 and outcome.err.startswith(
            "precall: error: standard input is closed; name a file"
        )


def test_an_archive_or_a_table_on_standard_input(folder, tmp_path, process):
    import subprocess

    from tests.cli.conftest import HOME, command

    done = subprocess.run(
        command("eval", "news.qrels", "-", "-m", "AP", "--format", "trec"),
        check=False,
        capture_output=True,
        input=gzip.compress(Path("one.run").read_bytes()),
        env={**os.environ, "PYTHONPATH": HOME},
    )
    assert (done.returncode, done.stdout) == (0, b"AP                    \tall\t0.5278\n")
    outcome = process("eval", "news.qrels", "-", stdin="topic,item,score\nq1,a,1\n")
    assert outcome.code == 2 and outcome.err.splitlines()[0].endswith(
        "; separate them by blanks, or pass --input-format csv|tsv|jsonl for a table"
    )


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="file names of any bytes")
def test_file_names_that_are_not_utf8(process):
    name = os.fsdecode(b"caf\xe9.run")
    Path(name).write_bytes(Path("one.run").read_bytes())
    Path(os.fsdecode(b"q\xe9.qrels")).write_bytes(Path("news.qrels").read_bytes())
    for form in ("table", "csv", "json", "trec", "markdown", "latex"):
        outcome = process(
            "eval", os.fsdecode(b"q\xe9.qrels"), name, "two.run", "-m", "AP", "--format", form
        )
        assert outcome.code == 0 and "udce9" in outcome.out
        assert bool(outcome.err) == (form in ("csv", "trec"))


def test_all_names_asked_for_are_printed(precall):
    lines = precall(
        "eval", "news.qrels", "one.run", "-mmap", "-mAP", "-mP_10", "--format", "trec"
    ).out
    assert [line.split()[0] for line in lines.splitlines()] == ["map", "AP", "P_10"]


@pytest.mark.nightly
def test_the_examples_of_the_help_run(process):
    Path("bm25.run").write_bytes(Path("one.run").read_bytes())
    Path("dense.run").write_bytes(Path("two.run").read_bytes())
    Path("bm25.run.gz").write_bytes(gzip.compress(Path("one.run").read_bytes()))
    Path("rag.jsonl").write_text(
        '{"query": "q", "retrieved": ["a"], "gold": ["a"]}\n', encoding="utf-8"
    )
    Path("languages.tsv").write_text("q1\ten\nq2\tde\n", encoding="utf-8")
    Path("web.qrels").write_text("q1 1 a 1\nq1 2 b 1\nq2 1 c 1\n", encoding="utf-8")
    examples = re.findall(
        r"^ +precall (eval .*?)(?:  +.*)?$", process("eval", "--help").out, re.MULTILINE
    )
    assert len(examples) >= 3
    for example in examples:
        if ".csv" not in example:  # that one needs tables
            assert process(*example.replace("*.run", "one.run two.run").split()).code == 0, example
