"""Arguments as Python spells them and as the command line does: `ties='best'` is `--ties best`.

Our own sentences have arguments in angle brackets, ⟨ties='best'⟩, and other differences as ⟨in
Python¦on the command line⟩. Texts that people gave are never changed: they are quoted, or `protect`
hides their brackets until all else is spelled.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from typing import Literal

Style = Literal["python", "command"]
#: The spelling that people read: that of Python, except in the output of commands.
STYLE: ContextVar[Style] = ContextVar("style", default="python")

#: Arguments whose options have other names.
_OTHERWISE = {
    "format": "input-format",
    "measures": "measure",
    "predicted": "decision",
    "rng": "seed",
    "view": "plot-kind",
    "worse": "fail-if-worse",
    "higher_is_better": "lower-is-better",
}
#: Arguments that commands have options for; `Conventions` adds its fields.
OPTIONS = {
    "by",
    "topic_weights",
    "deviation",
    "difference",
    "format",
    "items",
    "measures",
    "only_a",
    "only_b",
    "plot_kind",
    "relevant",
    "rng",
    "systems",
    "threads",
    "unpaired",
    "variance",
    "width",
    "margin",
    "kind",
    "cohorts",
    "proportion",
    "lowest",
    "prevalence",
    "joint",
    "cases",
    "area",
    "than",
    "correlation",
    "ratio",
    "screen",
    "separation",
    "odds",
    "level",
    "groups",
    "population",
    "power",
    "retrieved",
    "ap",
    "recall",
    "precision",
    "rprec",
    "auc",
    "ndcg",
    "bep",
    "iap",
    "ef",
    "bedroc",
    "maxf",
    "share",
    "limit",
    "at",
    "grades",
    "average",
    "baseline",
    "worse",
    "policy",
    "tune",
    "interval",
    "prior",
    "rope",
    "wins",
    "ties",
    "losses",
    "null",
    "points",
    "compare",
    "view",
    "fit_on",
    "chance",
    "correction",
    "test",
    "resamples",
    "seed",
    "separator",
    "positive",
    "missed",
    "net_benefit",
    "memory",
    "label",
    "labels",
    "truth",
    "predicted",
    "budget",
    "at_most",
    "alpha",
    "spending",
    "hits",
    "read",
    "illegal",
    "match",
    "scheme",
    "suffix",
    "unit",
    "score",
    "matched",
    "category",
    "image",
    "ignored",
    "count",
    "objects",
    "max_per_image",
}
#: A quotation, which stays unchanged, or a mark.
_MARKED = re.compile(
    r"""(?<!\w)(?P<quote>['"])(?:\\.|(?!(?P=quote))[^\\])*(?P=quote)(?!\w)|⟨(?P<mark>[^⟨⟩]*)⟩""",
    re.DOTALL,
)
#: Stand-ins for brackets in texts that people gave, until all else is spelled; these code points
#: are no characters, so no text has them.
_KEPT = str.maketrans("⟨⟩¦", "\ufdd0\ufdd1\ufdd2")
_PUT_BACK = str.maketrans("\ufdd0\ufdd1\ufdd2", "⟨⟩¦")
_ARGUMENT = re.compile(r"(\w+)(?:=(.*))?", re.DOTALL)
_TEXT = r"""(?:'[^']*'|"[^"]*")"""
#: Quoted values: one, or a list of those allowed.
_TEXTS = re.compile(rf"{_TEXT}(?:(?:, | or ){_TEXT})*")
#: Characters that a shell would interpret.
_OF_SHELLS = re.compile(r"[;|,&<>$*? ]")


def option(argument: str) -> str:
    """The option of an argument.

    Examples
    --------
    >>> option("max_rank"), option("rng")
    ('--max-rank', '--seed')
    """
    return f"--{_OTHERWISE.get(argument, argument).replace('_', '-')}"


def protect(text: str) -> str:
    """A text that people gave, for a message without quotes: `spell_arguments` leaves its brackets
    unchanged.

    Examples
    --------
    >>> spell_arguments("⟨level=⟩ of " + protect("⟨level=3⟩"), "command")
    '--level of ⟨level=3⟩'
    """
    return text.translate(_KEPT)


def spell_arguments(text: str, style: Style) -> str:
    """A text of our own in the spelling of a style.

    Examples
    --------
    >>> (
    ...     spell_arguments("use ⟨ties='best'⟩ or ⟨missed=⟩", "python"),
    ...     spell_arguments("use ⟨ties='best'⟩ or ⟨missed=⟩", "command"),
    ... )
    ("use ties='best' or missed=", 'use --ties best or --missed')
    >>> spell_arguments("⟨undefined='omit' or 'zero'⟩, ⟨pass a tuple¦name two⟩", "command")
    '--undefined omit|zero, name two'
    >>> spell_arguments("⟨level=⟩ must be a number, got '⟨level=3⟩'", "command")
    "--level must be a number, got '⟨level=3⟩'"
    """
    if "⟨" in text:
        as_style = _as_python if style == "python" else _as_command
        text = _MARKED.sub(
            lambda match: match[0] if match["quote"] else as_style(match["mark"]), text
        )
    return text if text.isascii() else text.translate(_PUT_BACK)


def _as_python(mark: str) -> str:
    return mark.partition("¦")[0]


def _as_command(mark: str) -> str:
    if "¦" in mark:
        return mark.partition("¦")[2]
    argument = _ARGUMENT.fullmatch(mark)
    if argument is None:
        return mark
    name, value = argument.groups()
    if not value or value in ("True", "False"):
        return option(name)
    if value == "[...]":
        return "--score" if name == "scores" else f"{option(name)} A,B,..."
    if value.startswith('{"'):
        return f"{option(name)} " + re.sub(r'"(\w+)": ', r"\1=", value[1:-1]).replace(", ", ",")
    return f"{option(name)} {_joined_by_bars(value)}"


def _joined_by_bars(values: str) -> str:
    """Quoted values separated by bars; a value that a shell would interpret stays quoted."""
    if not _TEXTS.fullmatch(values) or (re.fullmatch(_TEXT, values) and _OF_SHELLS.search(values)):
        return values
    return "|".join(quoted[1:-1] for quoted in re.findall(_TEXT, values))
