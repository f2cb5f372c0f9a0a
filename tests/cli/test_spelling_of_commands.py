"""Errors of commands are spelled as commands are, and quote what was typed.

The older tests of spelling asked for arguments that have options of their own.
"""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from precall.cli.commands import SUMMARIES, commands
from precall.core.spelling import OPTIONS, option


def test_power_of_one_run_twice(precall, folder):
    found = precall("power", "news.qrels", "one.run", "one.run")
    assert (found.code, found.err) == (
        2,
        "precall: error: one.run was given 2 times; name each file once\n",
    )
    assert precall("compare", "news.qrels", "one.run", "one.run").err == found.err
    found = precall("power", "news.qrels", "one.run", "./one.run")
    assert "one.run and ./one.run are one file" in found.err


def test_measures_of_two_scores(precall, folder):
    Path("s.csv").write_text("label,a,b\n1,.5,.4\n0,.2,.3\n1,.1,.9\n", encoding="utf-8")
    named = ["--cases", "s.csv", "--truth", "label", "--a", "a", "--b", "b"]
    found = precall("compare", *named, "-m", "R")
    assert found.code == 2 and "RAtPrecision(precision=0.9); R at a threshold" in found.err
    # There is no such option.
    assert "--threshold" not in found.err and "R with" not in found.err


@pytest.mark.parametrize("grades", ["1", "2,1.50,1", "1,inf", "-1,2.0"])
def test_grades_are_quoted_as_they_were_typed(precall, grades):
    found = precall("null", "--items", "9", "--relevant", "2", "--ndcg", f"--grades={grades}")
    assert found.code == 2 and found.err.endswith(f"for each relevant item, got {grades}\n")


@pytest.mark.parametrize(
    ("command", "home"), [("report", "precall compare FILE"), ("categories", "precall decisions")]
)
def test_decisions_lead_to_the_command_that_takes_them(precall, command, home):
    """It was "Did you mean '--correction'?"."""
    found = precall(command, "d.csv", "--truth", "t", "--decision", "p", "-o", "page.html")
    assert found.code == 2 and home in found.err and "--correction" not in found.err


def test_what_is_spelled_as_an_option_is_one() -> None:
    names = {
        name
        for command in SUMMARIES
        for parameter in commands.get_command(click.Context(commands), command).params
        for name in parameter.opts
    }
    assert [argument for argument in sorted(OPTIONS) if option(argument) not in names] == []
