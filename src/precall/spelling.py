"""Arguments as Python spells them and as the command line does: `ties='best'` is `--ties best`."""

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
    "higher_is_better": "lower-is-better", "scores": "score",
}  # fmt: skip
_ARGUMENT = re.compile(r"`(\w+)(?:=([^`]*))?`")


def option(argument: str) -> str:
    """The option of an argument.

    Examples
    --------
    >>> option("max_rank"), option("rng")
    ('--max-rank', '--seed')
    """
    return f"--{_OTHERWISE.get(argument, argument).replace('_', '-')}"


def spelled(text: str, style: Style) -> str:
    """Words of our own, in which arguments stand between backticks, such as `ties='best'`, as a style spells them.

    Examples
    --------
    >>> spelled("use `ties='best'` or `missed=`", "python"), spelled("use `ties='best'` or `missed=`", "command")
    ("use ties='best' or missed=", 'use --ties best or --missed')
    """
    if "`" not in text:
        return text
    return _ARGUMENT.sub(_as_python if style == "python" else _as_option, text)


def _as_python(match: re.Match[str]) -> str:
    return match[0][1:-1]


def _as_option(match: re.Match[str]) -> str:
    name, value = match.groups()
    if not value or value in ("True", "False"):
        return option(name)
    plain = value[1:-1] if value[0] == value[-1] and value[0] in "'\"" else value
    return f"{option(name)} {plain}"
