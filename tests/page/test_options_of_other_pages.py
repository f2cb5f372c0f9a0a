"""`precall report --cases ... --depth 5` and other options that a page has no use for were taken in
silence.

Older tests gave wrong options only where a check had been written for that option; here every
option is on one side or the other.
"""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from precall.cli import report as module
from precall.cli.main import run

#: Of every page.
ANY = {"inputs", "output", "title", "cases", "input_format", "source", "form", "max_expansion"}
VALUES = {
    "--measure": "AP",
    "--test": "t",
    "--correction": "by",
    "--level": ".9",
    "--seed": "1",
    "--resamples": "9",
    "--unpaired": "drop",
    "--qrels-columns": "topic=a",
    "--qrels-format": "trec",
    "--threads": "1",
    "--plugin": "json",
    "--ties": "random",
    "--topics": "both",
    "--undefined": "zero",
    "--grade": "1",
    "--depth": "5",
    "--duplicates": "last",
    "--columns": "topic=a",
    "--chance": "none",
    "--positive": "1",
    "--group": "g",
    "--weight": "w",
    "--missed": "0",
    "--separator": ";",
    "--title": "T",
    "--input-format": "csv",
    "--policy": "rank:1",
    "--label": "y",
    "--score": "s",
    "--truth": "y",
    "--scores": "p*",
    "--memory": "1G",
    "--lists": "l.jsonl",
    "--baseline": "a",
    "--by": "kinds.tsv",
    "--topic-weights": "traffic.csv",
    "--fail-if-worse": "any",
    "--run-column": "system",
}
INPUTS = {
    "runs": ["a.qrels", "a.run", "b.run"],
    "cases": ["--cases", "a.csv", "--label", "y", "--score", "s", "--score", "t"],
    "categories": ["a.csv", "--truth", "y", "--scores", "p*"],
}
OPTIONS = {
    option.name: option
    for option in module.report.params
    if isinstance(option, click.Option) and option.name not in ANY
}


def words(name: str) -> list[str]:
    """An option with a value, be it its default."""
    option, flag = OPTIONS[name], OPTIONS[name].opts[-1]
    return [flag] if option.is_flag else [flag, VALUES[flag]]


def test_every_option_is_for_some_page() -> None:
    assert set(OPTIONS) == set(module._FOR)


@pytest.mark.parametrize("kind", INPUTS)
def test_options_of_other_pages_are_refused(
    kind: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, kinds in module._FOR.items():
        if kind in kinds:
            continue
        assert run(["report", *INPUTS[kind], *words(name), "-o", "x.html"]) == 2, name
        message = capsys.readouterr().err
        assert (
            OPTIONS[name].opts[-1] in message
            and "a.csv:" not in message
            and "check the path" not in message
        ), message
    assert not list(tmp_path.iterdir())


def test_a_refusal_says_what_the_option_is_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", *INPUTS["cases"], "--depth", "5", "-o", "x.html"]) == 2
    assert "--depth: applies to runs, not to scored cases; leave it out" in capsys.readouterr().err
    assert run(["report", *INPUTS["cases"], "--undefined", "omit", "-o", "x.html"]) == 2
    assert (
        "--undefined: applies to runs and scores of categories, not to scored cases"
        in capsys.readouterr().err
    )
    assert run(["report", *INPUTS["categories"], "--input-format", "trec", "-o", "x.html"]) == 2
    assert (
        "--input-format trec: applies to runs, not to scores of categories"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize("name", ["title", "input_format", *OPTIONS])
def test_a_page_that_is_read_back_has_no_options(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = (
        words(name) if name in OPTIONS else [flag := f"--{name.replace('_', '-')}", VALUES[flag]]
    )
    assert run(["report", "--from", "page.html", *typed]) == 2
    assert f"--from: reads a page back; leave {typed[0]} out" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        (["a.qrels", "a.run"], "there is one run"),
        (INPUTS["cases"][:-2], "there is one score"),
        ([*INPUTS["cases"], "--weight", "w"], "--weight leaves none"),
        ([*INPUTS["cases"], "--group", "g"], "--group leaves none"),
        ([*INPUTS["cases"], "--missed", "2"], "--missed leaves none"),
    ],
)
def test_corrections_are_of_comparisons(
    typed: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", *typed, "--correction", "by", "-o", "x.html"]) == 2
    assert (
        f"--correction: applies to comparisons, but {why}; leave it out" in capsys.readouterr().err
    )
