"""Options for the table of a paper: `--digits`, `--caption`, `--tex-label`, `--rename`, `--order`,
`--show`.
"""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from precall.cli import options
from precall.cli.commands import commands

EVAL = ("eval", "news.qrels", "one.run", "two.run", "-mAP", "-mP@1", "-mnDCG(gain=exp,log=2)@3")


def commands_with_forms():
    """Every command with --format latex, by name."""
    context = click.Context(commands)
    found = {name: commands.get_command(context, name) for name in commands.list_commands(context)}
    return {
        name: command
        for name, command in found.items()
        for option in getattr(command, "params", ())
        if option.name == "form" and "latex" in getattr(option.type, "choices", ())
    }


def test_every_command_that_prints_results_has_them():
    without = {
        name
        for name, command in commands_with_forms().items()
        if not set(options.LAYOUT) <= {option.name for option in command.params}
    }
    # Lists of measures and pages that are read back are no tables of papers.
    assert without == {"measures", "explain", "report"}


def test_all_of_them(precall):
    out = precall(
        *(*EVAL[:-1], "-mnDCG(gain=exp)@3", "--format=latex", "--digits=2", "--tex-label=tab:x"),
        *("--caption", r"On \emph{news}", "--rename", "AP=MAP", "--rename", "nDCG(gain=exp)@3=N=3"),
        *("--order", "two,one", "--show", "nDCG(gain=exp)@3,AP"),
    )
    assert out.code == 0, out.err
    assert "run & N=3 & MAP \\" in out.out and out.out.index("\ntwo &") < out.out.index("\none &")
    assert r"\caption{On \emph{news}}" in out.out and r"\label{tab:x}" in out.out
    assert "0.53 \\" in out.out.replace("}", "")


def test_the_ending_of_the_output_is_a_form_too(precall):
    for typed in (["--digits=1", "-o", "x.tex"], ["-o", "x.tex", "--digits=1"]):
        assert precall(*EVAL[:5], *typed).code == 0
        assert "& 0.3" in Path("x.tex").read_text(encoding="utf-8")
    assert precall(*EVAL[:5], "--digits=1", "-o", "x.md").code == 0


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["--digits=2"], "--digits: applies to tables in latex or markdown; add --format latex"),
        (["--digits=2", "--format=csv"], "--digits: applies to tables in latex or markdown"),
        (["--show=AP", "-o", "x.json"], "--show: applies to tables in latex or markdown"),
        (["-o", "x.json", "--show=AP"], "--show: applies to tables in latex or markdown"),
        (["--tex-label=a", "--format=markdown"], "--tex-label: applies to tables in latex; add"),
        (["--show=RR", "--format=latex"], "--show: no column 'RR'; there are AP"),
        (["--order=one", "--format=latex"], "--order: two is not named; name each of one, two"),
        (["--order=one,,two", "--format=latex"], "--order: got 'one,,two'; name each, as in a,b,c"),
        (["--rename=AP", "--format=latex"], "--rename: must be NAME=TEXT, such as AP=MAP, got"),
        (["--rename=rr=MAP", "--format=latex"], "--rename: there is no 'rr'; there are one, two"),
        (["--caption=50%", "--format=latex"], r"--caption: % has a meaning in LaTeX, got '50%'"),
        (["--digits=x", "--format=latex"], "--digits"),
        (["--digits=99", "--format=latex"], "--digits: must be an integer in 0..15, got 99"),
    ],
)
def test_errors(precall, typed, said):
    out = precall(*EVAL[:5], *typed)
    assert out.code == 2 and said in " ".join(out.err.split()) and not out.out
    assert not Path("x.json").exists()


def test_other_commands(precall):
    Path("c.csv").write_text("y,s,t\n1,3,1\n0,2,2\n1,1,3\n0,0,0\n", encoding="utf-8")
    curve = precall(
        *("curve", "c.csv", "--label=y", "--score=s", "--score=t", "--format=latex"),
        *("--show=AUC,AP", "--order=t,s", "--rename=t=ours", "--digits=3", "--caption=All"),
    )
    assert " & AUC & AP \\" in curve.out and curve.out.index("ours &") < curve.out.index("\ns &")
    both = precall(
        *("compare", "--cases=c.csv", "--truth=y", "--a=s", "--b=t", "-mAUC", "--digits=2"),
        *("--format=latex", "--rename=s=old"),
    )
    assert both.code == 0 and "\nold & 0.75" in both.out
