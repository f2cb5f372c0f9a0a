"""Suggestions for options and commands that do not exist."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from precall.core.text import printable

if TYPE_CHECKING:
    import click

#: Names of options in other programs: precall's option with the same argument, if any, and the
#: advice.
_ELSEWHERE = {
    **dict.fromkeys(
        ("--metric", "--metrics", "--measures"),
        ("-m", "name each measure by -m, such as -m AP -m nDCG@10"),
    ),
    **dict.fromkeys(
        ("-k", "--k", "--cutoff"), ("-m", "a cutoff stands in the measure's name, such as -m P@10")
    ),
    **dict.fromkeys(
        ("--qrels", "--gold", "--run", "--runs"),
        ("", "files stand without an option: QRELS RUN..."),
    ),
    **dict.fromkeys(("-f", "--json", "--csv"), ("--format", "write --format json, csv, ...")),
    **dict.fromkeys(
        ("-c", "--complete"), ("--topics", "all topics of the qrels count with --topics qrels")
    ),
    **dict.fromkeys(
        ("-J", "--judged-docs-only"),
        ("--judged-only", "unjudged items are left out with --judged-only"),
    ),
    "-M": ("--depth", "only the first 100 items of each topic count with --depth 100"),
    **dict.fromkeys(
        ("--by-query", "--per-query", "--by-topic"),
        ("-q", "values of each topic are shown with -q"),
    ),
    "--max-p": ("--level", "the level of intervals and tests is 1 - p, --level 0.95 for 0.05"),
    "--gains": (
        "-m",
        "what each grade earns stands in the measure's name, -m 'nDCG(gains={1:0.5,2:1})@10'",
    ),
    "--alpha": ("--level", "the level of intervals and tests is 1 - alpha, --level 0.99 for 0.01"),
    **dict.fromkeys(
        ("--threshold", "--thresholds"),
        ("", "a point of a curve is chosen by precall curve --at threshold=0.1"),
    ),
}
#: Names of options in other programs, or of other commands: precall's options of which one, with
#: the same argument, is meant.
_RENAMED = {
    **dict.fromkeys(("--confidence", "--confidence-level"), ("--level",)),
    **dict.fromkeys(("--pos-label", "--positive-label"), ("--positive",)),
    **dict.fromkeys(("--label", "--labels", "--y-true", "--target"), ("--truth", "--label")),
    "--truth": ("--label",),
    **dict.fromkeys(("--score", "--scores", "--y-score"), ("--score", "--scores")),
    **dict.fromkeys(("--pred", "--prediction", "--y-pred"), ("--decision",)),
    **dict.fromkeys(("--stat-test", "--statistical-test"), ("--test",)),
    **dict.fromkeys(("-l", "--relevance-level", "--min-grade"), ("--grade",)),
    **dict.fromkeys(("-n", "--n"), ("--items",)),
    **dict.fromkeys(("-r", "--r"), ("--relevant",)),
}
#: Commands of other names for what a command does.
_COMMANDS = {
    **dict.fromkeys(("roc", "pr", "auc", "threshold", "thresholds"), "curve"),
    **dict.fromkeys(("confusion", "classification"), "decisions"),
    **dict.fromkeys(("test", "significance", "ttest"), "compare"),
    **dict.fromkeys(("ppi", "llm", "llm-judge"), "judge"),
    **dict.fromkeys(("plot", "html", "page"), "report"),
}
#: Advice for commands that have such an option under another name.
_OF_COMMANDS = {
    **dict.fromkeys(
        [("judge", f"--{name}") for name in ("gold", "llm", "proxy")],
        "files stand without an option: PEOPLE JUDGE RUN...; columns of --cases FILE are --people "
        "and --judge",
    ),
    **dict.fromkeys(
        (("curve", "--threshold"), ("curve", "--thresholds")),
        "a point of the curve is chosen by --at, as in --at threshold=0.1",
    ),
    ("categories", "--threshold"): "one threshold for all categories is --policy fixed:0.1",
    (
        "report",
        "--threshold",
    ): "one threshold for all categories is --policy fixed:0.1, a point of a curve is chosen by "
    "precall curve --at threshold=0.1",
    **dict.fromkeys(
        (("null", "-k"), ("null", "--k"), ("null", "--cutoff")),
        "the cutoff is --at K, as in --at 10",
    ),
    ("report", "--decision"): "decisions are compared by precall compare FILE --truth COLUMN "
    "--decision COLUMN --decision COLUMN -o page.html, those of one system measured by precall "
    "decisions",
    ("power", "--correction"): "a plan is for one pair; for 10 pairs, Bonferroni's "
    "correction is --level 0.995, which is 1 - 0.05/10",
    ("power", "--test"): "plans are for the paired t test; with QRELS and two runs the power of "
    "the randomization test is simulated",
    ("categories", "--decision"): "decisions without scores are measured by precall decisions",
}


#: How two ranked lists are compared.
_TWO_LISTS = (
    "two lists are compared as scores that fall with the rank, columns of one CSV: precall compare "
    "both.csv --label active --score a --score b --missed N"
)


def said(error: click.UsageError) -> str:
    """The error message, without similar spellings if the intended option is known."""
    import click

    if isinstance(error, click.NoSuchOption) and _advice(error):
        error = click.NoSuchOption(error.option_name, ctx=error.ctx)
    return printable(error.format_message()).rstrip(".")


def _advice(error: click.UsageError) -> str:
    """Advice about an option of other programs; empty if it is unknown, or the command has no such
    option.
    """
    name = getattr(error, "option_name", "")
    if error.ctx is None:
        return ""
    command = error.ctx.command
    if advice := _OF_COMMANDS.get((command.name or "", name)):
        return advice
    options = {option for param in command.params for option in param.opts}
    if renamed := next((ours for ours in _RENAMED.get(name, ()) if ours in options), ""):
        return f"it is called {renamed} here"
    ours, advice = _ELSEWHERE.get(name, ("", ""))
    return advice if not ours or ours in options else ""


def meant(error: click.UsageError) -> str:
    """Advice about an option or a command that does not exist, if there is any; else empty."""
    if advice := _advice(error):
        return f"{advice}; "
    of_ranking = error.ctx is not None and error.ctx.command.name == "ranking"
    if of_ranking and error.format_message().startswith("Got unexpected extra argument"):
        return f"{_TWO_LISTS}; "
    command = re.match(r"No such command '(.+?)'", error.format_message())
    if command is None:
        is_first = error.ctx is not None and error.ctx.parent is None
        if is_first and getattr(error, "option_name", "") in ("-m", "-q"):
            return "options follow a command, such as precall eval -m AP QRELS RUN; "
        return ""
    from difflib import get_close_matches

    from precall.cli.commands import SUMMARIES

    typed = command[1].lower()
    near = (
        [name for name in SUMMARIES if typed.startswith(name)]
        or [*filter(None, [_COMMANDS.get(typed)])]
        or get_close_matches(typed, SUMMARIES, 1, 0.75)
    )
    return f"perhaps {near[0]} is meant; " if near else _way_to_file_or_measure(command[1])


def _way_to_file_or_measure(typed: str) -> str:
    """Advice about what stands in the place of a command."""
    from precall.core.errors import UsageError
    from precall.measures import measure

    if typed == "-" or os.path.isfile(typed):  # noqa: PTH113
        return "files follow a command, such as precall eval QRELS RUN; "
    try:
        measure(typed)
    except UsageError:
        return ""
    return f"a measure is an option, such as precall eval -m {typed} QRELS RUN; "
