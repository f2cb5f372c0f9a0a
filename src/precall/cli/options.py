"""Options that several commands share, spelled once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

HELP: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
TABLES = ("csv", "tsv", "jsonl", "parquet", "arrow")
FORMATS = ("table", "csv", "json", "markdown", "latex")
UNDEFINED = ("zero", "omit", "error")

form = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True,
    help="Form of the output.",
)  # fmt: skip
output = click.option(
    "-o", "--output", type=click.Path(allow_dash=True), metavar="FILE", help="Write here, all or nothing."
)
input_format = click.option(
    "--input-format", type=click.Choice(TABLES), help="Form of the input (default: by its name)."
)
truth = click.option("--truth", required=True, metavar="COLUMN", help="Column of the true categories.")
separator = click.option(
    "--separator", metavar="TEXT",
    help="What parts the categories in a cell, such as ';': an item may be in several, or in none.",
)  # fmt: skip


level = click.option(
    "--level", type=float, default=0.95, show_default=True, metavar="SHARE",
    help="Level of --interval: how many of such intervals hold the true value.",
)  # fmt: skip


def interval(what: str, methods: tuple[str, ...]) -> Callable[[F], F]:
    """Whether to give intervals, and by which method; without a value by the first."""
    return click.option(
        "--interval", type=click.Choice(methods), is_flag=False, flag_value=methods[0],
        help=f"Give {what} an interval, by {methods[0]} if no method is named.",
    )  # fmt: skip


def undefined(where: str) -> Callable[[F], F]:
    """What averages do about undefined values."""
    return click.option(
        "--undefined", type=click.Choice(UNDEFINED), default="zero", show_default=True,
        help=f"What averages do about {where} where a measure is undefined.",
    )  # fmt: skip
