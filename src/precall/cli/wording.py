"""Messages name arguments as Python spells them; here they become options: ties='best' is --ties best."""

from __future__ import annotations

import re
from dataclasses import fields

from precall.conventions import Conventions
from precall.errors import DataError, MeasureError, PrecallError, UsageError

#: Arguments whose options are called otherwise.
_OTHERWISE = {"format": "input-format", "measures": "measure", "rng": "seed", "worse": "fail-if-worse"}
#: Conventions, and others. Not grade: what stands in brackets, as in AP(grade=2), is a part of a measure's name.
_NAMES = "|".join([
    *(choice.name for choice in fields(Conventions) if choice.name != "grade"), "deviation", "difference", "format", "items",
    "measures", "only_a", "only_b", "plot_kind", "relevant", "rng", "systems", "threads", "unpaired", "variance", "width",
])  # fmt: skip
#: Those, and what else a message may begin with.
_FIRST = f"{_NAMES}|grade|level|population|power|retrieved|ap|recall|precision|rprec|auc|ndcg|at|grades|average|baseline|worse"
_TEXT = r"""(?:'[^']*'|"[^"]*")"""
_VALUES = re.compile(rf"\b({_NAMES})=({_TEXT}(?:(?:, | or ){_TEXT})*|\d+)")
_PAIRS = re.compile(r"\bcolumns=\{([^{}]*)\}")
_BARE = re.compile(rf"\b({_NAMES})=(?:True)?(?:,? than ({_TEXT}))?(?=[\s,;:]|$)")
_BEGINNING = re.compile(rf"({_FIRST})(?=: )")


def as_options(error: PrecallError) -> str:
    """The message of an error as one about the command line."""
    if isinstance(error, DataError):
        # What was found quotes the input, which is not ours to change; what to do about it does not.
        problems = [problem._replace(todo=_respelled(problem.todo)) for problem in error.problems]
        return str(DataError(problems, error.total))
    text = str(error)
    if isinstance(error, MeasureError):
        return text  # arguments of measures are no options
    match = _BEGINNING.match(text) if isinstance(error, UsageError) else None
    return _option(match[1]) + _respelled(text[match.end() :]) if match else _respelled(text)


def _option(name: str) -> str:
    return f"--{_OTHERWISE.get(name, name).replace('_', '-')}"


def _respelled(text: str) -> str:
    text = _PAIRS.sub(
        lambda match: "--columns " + re.sub(r'"(\w+)": ', r"\1=", match[1]).replace(", ", ","), text
    )
    text = _VALUES.sub(lambda match: f"{_option(match[1])} {_listed(match[2])}", text)
    return _BARE.sub(lambda match: _option(match[1]) + (f" than {match[2][1:-1]}" if match[2] else ""), text)


def _listed(values: str) -> str:
    """Quoted values, separated by bars."""
    return "|".join(quoted[1:-1] for quoted in re.findall(_TEXT, values)) or values
