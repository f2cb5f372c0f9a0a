"""Errors that led nowhere say what to do: calls, options, files and ids as other tools have
them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall import __getattr__ as fetched_name
from precall.cli.main import run as precall
from precall.compat.lingpipe import ScoredPrecisionRecallEvaluation
from precall.core.notes.of_reading import NothingJudged
from tests.noticed import warned
from tests.peers import peer

pd = peer("pandas")


def report() -> Any:
    return pc.evaluate(QRELS, RUN, ["AP"])


def table() -> Any:
    return pd.DataFrame({"y": [1, 0, 1], "a": [0.9, 0.2, 0.6], "b": [0.5, 0.6, 0.4]})


QRELS, RUN = {"q1": {"a": 1}, "q2": {"c": 1}}, {"q1": {"a": 1.0}, "q2": {"c": 1.0}}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.run", "b.run"):
        Path(name).write_text("q1 Q0 a 1 2 x\nq2 Q0 c 1 1 x\n", encoding="utf-8")
    for name in ("trec.csv", "trec.tsv"):
        Path(name).write_text("q1 Q0 a 1 2 x\n", encoding="utf-8")
    lines = '{"y": 1, "s": 0.5}\n{"y": 0, "s": 0.4}\n'
    Path("cases.json").write_text(lines, encoding="utf-8")
    Path("q.qrels").write_text("q1 0 a 1\nq2 0 c 1\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("call", "leads"),
    [
        (lambda: pc.compare("q.qrels", "a.run", "b.run"), "several runs stand in one list"),
        (lambda: pc.Qrels(QRELS), r"pc\.read_qrels\(\.\.\.\) makes one"),
        (lambda: pc.Run(RUN), r"pc\.read_run\(\.\.\.\) makes one"),
        (lambda: pc.compare(QRELS, {"a": RUN, "b": RUN}, ["AP"], stat_test="student"), "test="),
        (lambda: pc.curve([1, 0], [1, 2], direction="lower"), "higher_is_better=True or False"),
        (lambda: pc.curve([1, 0], [1, 2], label=1), "positive="),
        (lambda: pc.recall, r"\.recall\(\)"),
        (lambda: pc.threshold, r"\.max_f\(\)\.threshold"),
        (lambda: ScoredPrecisionRecallEvaluation().addCase(True, 1.0), "add_case"),
        (lambda: pc.evaluate(QRELS, {"default": {"test": RUN}}), "nested deeper"),
        (lambda: pc.compare([report(), report()]), "several runs in one call"),
        (lambda: pc.compare({"a": report(), "b": report()}), "several runs in one call"),
        (lambda: pc.compare(report(), report()), "several runs in one call"),
        (lambda: pc.compare(table(), "a", "b"), r"table\['a'\].* compare\.paired\(table\['a'\]"),
        (lambda: pc.Run.from_dict(RUN), r"pc\.read_run\(\.\.\.\) reads dicts"),
        (lambda: pc.Run.from_file("a.run"), r"pc\.read_run"),
        (lambda: pc.Qrels.from_dict(QRELS), r"pc\.read_qrels\(\.\.\.\) reads dicts"),
        (lambda: pc.Qrels.from_ir_datasets("x"), r"pc\.read_qrels"),
        (lambda: pc.evaluate(QRELS, RUN, groups=["x", "y"]), "by={topic: group}"),
        (lambda: pc.curve(table()[["y", "a"]], "a"), r"by its name, such as table\['y'\]"),
        (lambda: pc.report(report()), r"path is missing.*pc\.report\(result, 'page\.html'\)"),
        (lambda: pc.read_lists(table(), run_column="a"), r"pc\.read_lists\(rows\)"),
        (lambda: pc.curve("cases.csv"), "precall curve FILE --label"),
        (lambda: pc.evaluate(QRELS, RUN, gains={1: 2}), r"measures=\['nDCG\(gains="),
        (lambda: pc.ranking(["a"], ["a"], gains={1: 2}), r"measures=\['nDCG\(gains="),
        (lambda: pc.curve(label=[1, 0], score=[1, 2]), "pass relevant="),
        (lambda: pc.curve(labels=[1, 0], score=[1, 2]), "pass relevant="),
        (lambda: pc.decisions(y_true=[1, 0], predicted=[1, 0]), "pass truth="),
        (lambda: pc.interval(pc.curve([1, 0], [1, 2]), "AUC", positive=1), "scores, positive="),
        (lambda: report().compare(), r"pc\.compare\(report\)"),
        (lambda: report().interval("AP"), r"pc\.interval\(report\)"),
    ],
)
def test_calls(call: Callable[[], Any], leads: str) -> None:
    with pytest.raises((pc.PrecallError, AttributeError, TypeError), match=leads):
        call()


@pytest.mark.parametrize("name", ["compat", "spark", "testing", "torch"])
def test_modules_that_are_not_imported(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"import precall\.{name}"):
        fetched_name(name)


@pytest.mark.parametrize(
    ("arguments", "leads"),
    [
        ("compare a.run b.run", "name QRELS RUN RUN"),
        ("curve x.csv --alpha 0.01", "--level 0.99"),
        ("curve x.csv --threshold 0.1", "--at threshold=0.1"),
        ("report q.qrels -o x.html", "got 1 file;"),
        ("curve cases.json --label y --score s", "pass --input-format jsonl if each line is"),
        (
            "eval q.qrels trec.csv",
            "this is TREC text, which has no heading: pass --input-format trec",
        ),
        ("eval trec.tsv a.run", "parted by blanks: write a .csv with commas"),
        ("curve trec.csv --label y --score s", "parted by blanks: write a .csv with commas"),
    ],
)
def test_commands(arguments: str, leads: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert precall(arguments.split()) == 2
    assert leads in capsys.readouterr().err


@pytest.mark.parametrize(
    ("begin", "what"),
    [
        (b"BZh91AY&SY", "bz2 archive"),
        (b"\xfd7zXZ\x00\x00", "xz archive"),
        (b"PK\x03\x04", "zip archive"),
        (b"\x80\x04\x95", "a pickle"),
    ],
)
def test_files_of_other_kinds(begin: bytes, what: str) -> None:
    for name in ("x.run", "x.csv", "x.jsonl", "x.json"):
        Path(name).write_bytes(begin + b"\x11\x00 abc\n" * 9)
        for read in (pc.read_run, pc.read_qrels):
            with pytest.raises(pc.DataError, match=what):
                read(name)


@pytest.mark.parametrize(
    ("change", "leads"),
    [
        (lambda text: unicodedata.normalize("NFD", text), "unicodedata.normalize"),
        (lambda text: f"{text} ", "blanks at their ends"),
        (lambda text: f"{text}\r", "blanks at their ends"),
        (str.upper, "capital letters"),
    ],
)
def test_ids_that_look_alike(change: Callable[[str], str], leads: str) -> None:
    ours = unicodedata.normalize("NFC", "één")
    with pytest.raises(pc.NoCommonTopic, match=leads):
        pc.evaluate({ours: {"a": 1}}, {change(ours): {"a": 1.0}})
    with warned(NothingJudged) as told:
        pc.evaluate({"q": {ours: 1}}, {"q": {change(ours): 1.0}})
    assert leads in told[0].remedy


def _parquet(grade: float) -> str:
    polars = pytest.importorskip("polars")
    polars.DataFrame({"topic": ["q"], "item": ["a"], "grade": [grade]}).write_parquet("g.parquet")
    return "g.parquet"


def _written(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


@pytest.mark.parametrize(
    "door",
    [
        lambda grade: {"q": {"a": grade}},
        lambda grade: [("q", "a", grade)],
        lambda grade: [{"topic": "q", "item": "a", "grade": grade}],
        lambda grade: pytest.importorskip("pandas").DataFrame(
            {"topic": ["q"], "item": ["a"], "grade": [grade]}
        ),
        lambda grade: pytest.importorskip("polars").DataFrame(
            {"topic": ["q"], "item": ["a"], "grade": [grade]}
        ),
        _parquet,
        lambda grade: _written("g.csv", f"topic,item,grade\nq,a,{grade}\n"),
        lambda grade: _written("g.jsonl", f'{{"topic": "q", "item": "a", "grade": {grade}}}\n'),
        lambda grade: _written("g.json", f'{{"q": {{"a": {grade}}}}}'),
        lambda grade: _written("g.qrels", f"q 0 a {grade}\n"),
    ],
)
@pytest.mark.parametrize("grade", [0.5, 2.5])
def test_grades_between_whole_ones_are_read_at_every_door(
    door: Callable[[float], Any], grade: float
) -> None:
    assert pc.read_qrels(door(grade)).grade.tolist() == [grade]


def test_a_run_that_is_not_there_is_no_measure() -> None:
    with pytest.raises(pc.UsageError) as caught:
        pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "nowhere.run")
    assert caught.value.argument == "measures" and caught.value.got == "nowhere.run"


def test_measures_and_intervals_say_what_there_is() -> None:
    with pytest.raises(pc.MeasureError, match=r"did you mean AUC\(max_fpr=0\.2\)"):
        pc.evaluate(QRELS, RUN, ["pAUC"])
    status = pc.categorize(["x", "y"] * 9, [[0.5, 0.25], [0.75, 0.5]] * 9, ["x", "y"])
    with pytest.raises(pc.UsageError, match="each category of a status"):
        pc.interval(status, "macro-AP")
    with pytest.raises(pc.UsageError, match="a curve"):
        pc.interval(pc.curve([1, 0], [2, 1]), "macro-AP")
