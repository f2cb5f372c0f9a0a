"""Arguments as Python spells them and as the command line does: `ties='best'` is `--ties best`.

Sentences of ours have arguments in angle brackets, ⟨ties='best'⟩, and what else differs as ⟨in Python¦on the command line⟩.
What people gave is never looked at: it has no such brackets, and where it had, they are nothing that is written here.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from typing import Literal

Style = Literal["python", "command"]
#: Whose spelling people read: Python's, but for what a command prints.
STYLE: ContextVar[Style] = ContextVar("style", default="python")

#: Arguments whose options are called otherwise.
_OTHERWISE = {
    "format": "input-format", "measures": "measure", "rng": "seed", "view": "plot-kind", "worse": "fail-if-worse",
    "higher_is_better": "lower-is-better",
}  # fmt: skip
#: Arguments that commands have options for.
OPTIONS = frozenset((
    "ties", "topics", "undefined", "judged_only", "depth", "aggregate", "duplicates", "score_dtype", "lower_is_better",
    "columns", "run_column", "deviation", "difference", "format", "items", "measures", "only_a", "only_b", "plot_kind",
    "relevant", "rng", "systems", "threads", "unpaired", "variance", "width", "grade", "level", "population", "power",
    "retrieved", "ap", "recall", "precision", "rprec", "auc", "ndcg", "at", "grades", "average", "baseline", "worse",
    "policy", "tune", "interval", "null", "points", "compare", "view", "fit_on", "save", "gains", "chance", "correction",
    "test", "resamples", "seed", "separator", "positive", "missed", "memory", "label", "truth", "predicted",
))  # fmt: skip
_MARKED = re.compile("⟨([^⟨⟩]*)⟩")
_ARGUMENT = re.compile(r"(\w+)(?:=(.*))?", re.DOTALL)
_TEXT = r"""(?:'[^']*'|"[^"]*")"""
#: Values that are texts: one, or those that are allowed.
_TEXTS = re.compile(rf"{_TEXT}(?:(?:, | or ){_TEXT})*")
#: What a shell would read otherwise.
_OF_SHELLS = re.compile(r"[;|,&<>$*? ]")


def option(argument: str) -> str:
    """The option of an argument.

    Examples
    --------
    >>> option("max_rank"), option("rng")
    ('--max-rank', '--seed')
    """
    return f"--{_OTHERWISE.get(argument, argument).replace('_', '-')}"


def spelled(text: str, style: Style) -> str:
    """Words of our own as a style spells them.

    Examples
    --------
    >>> spelled("use ⟨ties='best'⟩ or ⟨missed=⟩", "python"), spelled("use ⟨ties='best'⟩ or ⟨missed=⟩", "command")
    ("use ties='best' or missed=", 'use --ties best or --missed')
    >>> spelled("⟨undefined='omit' or 'zero'⟩, ⟨pass a tuple¦name two⟩", "command")
    '--undefined omit|zero, name two'
    """
    if "⟨" not in text:
        return text
    return _MARKED.sub(_as_python if style == "python" else _as_command, text)


def _as_python(match: re.Match[str]) -> str:
    return match[1].partition("¦")[0]


def _as_command(match: re.Match[str]) -> str:
    if "¦" in match[1]:
        return match[1].partition("¦")[2]
    argument = _ARGUMENT.fullmatch(match[1])
    if argument is None:
        return match[1]
    name, value = argument.groups()
    if not value or value in ("True", "False"):
        return option(name)
    if value == "[...]":
        return "--score" if name == "scores" else f"{option(name)} A,B,..."
    if value.startswith('{"'):
        return f"{option(name)} " + re.sub(r'"(\w+)": ', r"\1=", value[1:-1]).replace(", ", ",")
    return f"{option(name)} {_joined_by_bars(value)}"


def _joined_by_bars(values: str) -> str:
    """Quoted values, separated by bars; one that a shell would read otherwise stays in its quotes."""
    if not _TEXTS.fullmatch(values) or (re.fullmatch(_TEXT, values) and _OF_SHELLS.search(values)):
        return values
    return "|".join(quoted[1:-1] for quoted in re.findall(_TEXT, values))
