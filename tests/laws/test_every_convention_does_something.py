"""No convention is accepted and does nothing: not by `evaluate`, and by no command that has it."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.cli.main import run as precall
from precall.core.conventions import Conventions
from precall.core.errors import PrecallError

QRELS = "q1 0 a 2\nq1 0 b 1\nq1 0 c 0\nq2 0 d 1\nq2 0 e 1\nq3 0 f 0\nq4 0 g 1\n"
#: Items of equal score, one that is unjudged, equal scores in float32, topics that are undefined,
#: missing and too many.
RUN = (
    "q1 Q0 a 1 3.0 r\nq1 Q0 c 2 3.0 r\nq1 Q0 u 3 2.0 r\nq1 Q0 b 4 1.0 r\n"
    "q2 Q0 d 1 2.00000000002 r\nq2 Q0 x 2 2.00000000001 r\nq2 Q0 e 3 0.5 r\n"
    "q3 Q0 f 1 1.0 r\nq5 Q0 z 1 1.0 r\n"
)
TWICE = RUN + "q2 Q0 e 4 0.25 r\nq2 Q0 e 5 9.0 r\n"
NAMED = "system,wanted,object,amount\n" + "".join(
    f"{system},{topic},{item},{score}\n"
    for system, score in (("one", 1.0), ("two", -1.0))
    for topic, item in (("q1", "a"), ("q1", "c"), ("q2", "d"))
    for score in (score * (item != "c"),)
)
#: By field: the run, with a name that says its format, what else is to be asked, and a value.
CASES: dict[str, tuple[str, str, dict[str, Any], Any]] = {
    "ties": ("r.run", RUN, {}, "best"),
    "topics": ("r.run", RUN, {}, "qrels"),
    "undefined": ("r.run", RUN, {}, "omit"),
    "grade": ("r.run", RUN, {}, 2),
    "judged_only": ("r.run", RUN, {}, True),
    "drop_self": ("r.run", RUN + "q2 Q0 q2 1 7.0 r\n", {}, True),
    "depth": ("r.run", RUN, {}, 1),
    "aggregate": ("r.run", RUN, {}, "sum"),
    "duplicates": ("r.run", TWICE, {}, "last"),
    "score_dtype": ("r.run", RUN, {}, "float32"),
    "lower_is_better": ("r.run", RUN, {}, True),
    "columns": (
        "r.csv",
        NAMED,
        {"run_column": "system"},
        {"topic": "wanted", "item": "object", "score": "amount"},
    ),
    "run_column": (
        "r.csv",
        NAMED.replace("wanted,object,amount", "topic,item,score"),
        {},
        "system",
    ),
}


@pytest.fixture
def ask(tmp_path: Path) -> Callable[[str, str, dict[str, Any]], Any]:
    def ask(name: str, run: str, options: dict[str, Any]) -> Any:
        (tmp_path / "q.qrels").write_text(QRELS)
        (tmp_path / name).write_text(run)
        qrels = pc.read_qrels(tmp_path / "q.qrels")
        try:
            report = pc.evaluate(qrels, tmp_path / name, ["AP", "nDCG", "P@2"], **options)
        except PrecallError as error:
            return type(error)
        return report.values_by_run("AP"), dict(report.mean.items())

    return ask


def _typed(options: dict[str, Any]) -> list[str]:
    words = []
    for name, value in options.items():
        words.append("--" + name.replace("_", "-"))
        if isinstance(value, dict):
            words.append(",".join(f"{role}={column}" for role, column in value.items()))
        elif value is not True:
            words.append(str(value))
    return words


def test_each_has_a_case_and_is_a_keyword() -> None:
    declared = {field.name: field.default for field in fields(Conventions)}
    assert CASES.keys() == declared.keys(), "give each field of Conventions a row of CASES"
    keywords = inspect.signature(pc.evaluate).parameters
    taken = {name: keywords[name].default for name in declared if name in keywords}
    assert taken == declared, "each field of Conventions is a keyword of evaluate, default and all"


@pytest.mark.parametrize("name", CASES)
def test_by_evaluate(ask: Callable[..., Any], name: str) -> None:
    file, run, beside, value = CASES[name]
    assert ask(file, run, beside) != ask(file, run, {**beside, name: value})


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize("command", ["eval", "compare"])
@pytest.mark.parametrize("name", CASES)
def test_by_commands(
    name: str,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, run, beside, value = CASES[name]
    monkeypatch.chdir(tmp_path)
    Path("q.qrels").write_text(QRELS)
    Path(file).write_text(run)
    Path("other.run").write_text(RUN.replace("q1 Q0 b 4 1.0", "q1 Q0 b 4 2.5"))
    runs = [file] if file.endswith("csv") else [file, "other.run"]

    def ask(options: dict[str, Any]) -> Any:
        typed = [command, "q.qrels", *runs, "-m", "AP", "-m", "nDCG", "-m", "DCG", *_typed(options)]
        code = precall([*typed, "--format", "json"])
        printed = capsys.readouterr().out
        # What a signature says of a convention is not yet what it does.
        return code, {**json.loads(printed or "{}"), "conventions": None}

    assert ask(beside) != ask({**beside, name: value})


@pytest.mark.parametrize("name", CASES)
def test_what_changes_numbers_is_printed_with_them(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, run, beside, value = CASES[name]
    monkeypatch.chdir(tmp_path)
    Path("q.qrels").write_text(QRELS)
    Path(file).write_text(run)

    def conventions(options: dict[str, Any]) -> Any:
        assert precall(["eval", "q.qrels", file, *_typed(options), "--format", "json"]) in (0, 2)
        return json.loads(capsys.readouterr().out or "{}").get("conventions")

    if conventions(beside) is not None:
        assert conventions(beside) != conventions({**beside, name: value})
