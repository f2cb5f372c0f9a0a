"""What to type in the place of options and commands that there are not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

#: What options are called elsewhere, and what to type here.
_ELSEWHERE = {
    **dict.fromkeys(
        ("--metric", "--metrics", "--measures"), "name each measure by -m, such as -m AP -m nDCG@10"
    ),
    **dict.fromkeys(("-k", "--k", "--cutoff"), "a cutoff stands in the measure's name, such as -m P@10"),
    **dict.fromkeys(("--qrels", "--gold", "--run", "--runs"), "files stand without an option: QRELS RUN..."),
    **dict.fromkeys(("-f", "--json", "--csv"), "write --format json, csv, ..."),
    "--alpha": "the level of intervals and tests is 1 - alpha, --level 0.99 for 0.01",
    "--threshold": "a point of a curve is chosen by --at, as in --at threshold=0.1",
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
