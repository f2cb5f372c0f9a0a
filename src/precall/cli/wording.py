"""Messages name arguments as Python spells them; here they become options: ties='best' is --ties best."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING

from precall.conventions import Conventions
from precall.errors import READ_WHOLE, SCANNED, DataError, MeasureError, PrecallError, UsageError

if TYPE_CHECKING:
    import click

#: Arguments whose options are called otherwise.
_OTHERWISE = {
    "format": "input-format", "measures": "measure", "rng": "seed", "view": "plot-kind", "worse": "fail-if-worse",
}  # fmt: skip
#: Conventions, and others. Not grade: what stands in brackets, as in AP(grade=2), is a part of a measure's name.
_NAMES = "|".join([
    *(choice.name for choice in fields(Conventions) if choice.name != "grade"), "deviation", "difference", "format", "items",
    "measures", "only_a", "only_b", "plot_kind", "relevant", "rng", "systems", "threads", "unpaired", "variance", "width",
])  # fmt: skip
#: Those, and what else a message may begin with.
_FIRST = f"{_NAMES}|grade|level|population|power|retrieved|ap|recall|precision|rprec|auc|ndcg|at|grades|average|baseline|worse"
#: What names a column of a table of cases or items, or says how it is read: only where a value may follow.
_COLUMNS = "categories|label|scores?|truth|predicted|positive|groups?|weight|missed|separator|a|b"
_TEXT = r"""(?:'[^']*'|"[^"]*")"""
_VALUES = re.compile(rf"\b({_NAMES}|{_COLUMNS})=({_TEXT}(?:(?:, | or ){_TEXT})*|\d+)")
#: Arguments with their values, and options in the place of both.
_WHOLE = {
    "higher_is_better=False": "--lower-is-better", "scores=[...]": "--score", "categories=[...]": "--categories A,B,...",
    "pass numbers, an ordered Categorical or an Enum": "write numbers",
}  # fmt: skip
_PAIRS = re.compile(r"\bcolumns=\{([^{}]*)\}")
_BARE = re.compile(rf"\b({_NAMES}|{_COLUMNS})=(?:True)?(?:,? than ({_TEXT}))?(?=[\s,;:]|$)")
_BEGINNING = re.compile(rf"({_FIRST})(?=: )")


#: What options are called elsewhere, and what to type here.
_ELSEWHERE = {
    **dict.fromkeys(
        ("--metric", "--metrics", "--measures"), "name each measure by -m, such as -m AP -m nDCG@10"
    ),
    **dict.fromkeys(("-k", "--k", "--cutoff"), "a cutoff stands in the measure's name, such as -m P@10"),
    **dict.fromkeys(("--qrels", "--gold", "--run", "--runs"), "files stand without an option: QRELS RUN..."),
    **dict.fromkeys(("-f", "--json", "--csv"), "write --format json, csv, ..."),
}


def meant(error: click.UsageError) -> str:
    """What to type in the place of an option or a command that there is not, where that is known; else nothing."""
    if told := _ELSEWHERE.get(getattr(error, "option_name", "")):
        return f"{told}; "
    command = re.match(r"No such command '(.+?)'", error.format_message())
    if command is None:
        return ""
    from difflib import get_close_matches

    from precall.cli.commands import HOMES

    typed = command[1].lower()
    near = [name for name in HOMES if typed.startswith(name)] or get_close_matches(typed, HOMES, 1, 0.75)
    return f"perhaps {near[0]} is meant; " if near else ""


def as_options(error: PrecallError) -> str:
    """The message of an error as one about the command line."""
    if isinstance(error, DataError):
        # What was found quotes the input, which is not ours to change; what to do about it does not.
        problems = [problem._replace(todo=respelled(problem.todo)) for problem in error.problems]
        return str(DataError(problems, error.total))
    text = str(error)
    if isinstance(error, MeasureError):
        return text  # arguments of measures are no options
    if SCANNED in text:
        name, colon, rest = text.partition(":")
        return _option(name) + colon + rest.replace(READ_WHOLE, "raise --memory")
    match = _BEGINNING.match(text) if isinstance(error, UsageError) else None
    return _option(match[1]) + respelled(text[match.end() :]) if match else respelled(text)


def _option(name: str) -> str:
    return f"--{_OTHERWISE.get(name, name).replace('_', '-')}"


def respelled(text: str) -> str:
    """A text with options in the place of arguments."""
    for argument, option in _WHOLE.items():
        text = text.replace(argument, option)
    text = _PAIRS.sub(
        lambda match: "--columns " + re.sub(r'"(\w+)": ', r"\1=", match[1]).replace(", ", ","), text
    )
    text = _VALUES.sub(lambda match: f"{_option(match[1])} {_join_by_bars(match[2])}", text)
    return _BARE.sub(lambda match: _option(match[1]) + (f" than {match[2][1:-1]}" if match[2] else ""), text)


def _join_by_bars(values: str) -> str:
    """Quoted values, separated by bars; one that a shell would read otherwise stays in its quotes."""
    if re.fullmatch(_TEXT, values) and re.search(r"[;|,&<>$*? ]", values):
        return values
    return "|".join(quoted[1:-1] for quoted in re.findall(_TEXT, values)) or values
