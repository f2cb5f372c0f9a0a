"""Options that several commands share, spelled once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from precall.errors import UsageError
from precall.sheet.forms import names

F = TypeVar("F", bound=Callable[..., Any])

HELP: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
TABLES = ("csv", "tsv", "jsonl", "parquet", "arrow")
FORMATS = names()
INPUTS = ("trec", *TABLES)
UNDEFINED = ("zero", "omit", "error")
TIES = ("docno", "input", "expected", "best", "worst", "random")
TOPICS = ("both", "qrels", "run")
DUPLICATES = ("error", "first", "last", "best")

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


#: Of intervals, if nothing else is asked for.
LEVEL = 0.95
level = click.option(
    "--level", type=float, default=LEVEL, show_default=True, metavar="SHARE",
    help="Level of --interval: how many of such intervals hold the true value.",
)  # fmt: skip


def check_level(typed: Mapping[str, Any], asked: tuple[str, ...]) -> None:
    """Refuse a level that nothing which was asked for has."""
    if typed["level"] != LEVEL and not any(typed[name] for name in asked):
        raise UsageError(
            f"--level: is that of {' or '.join(f'--{name}' for name in asked)}; ask for that, too"
        )


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


def measure_names(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[Any]:
    """Completion of a measure's name; trec_eval's names only once they are begun."""
    from click.shell_completion import CompletionItem

    from precall.measures import REGISTRY

    begun = incomplete.lower()
    ours = {entry.usage.replace("@k", "@10"): entry.summary for entry in REGISTRY.rankings()}
    theirs = (
        {name: entry.summary for entry in REGISTRY.rankings() for name in entry.trec_eval if "{" not in name}
        if begun
        else {}
    )
    found = {name: help for name, help in {**ours, **theirs}.items() if name.lower().startswith(begun)}
    return [CompletionItem(name, help=help) for name, help in found.items()]


def measures(what: str) -> Callable[[F], F]:
    """Names of measures."""
    return click.option(
        "-m", "--measure", "measures", multiple=True, metavar="NAME", shell_complete=measure_names, help=what
    )


def topics(purpose: str) -> Callable[[F], F]:
    """Which topics count."""
    return click.option(
        "--topics", type=click.Choice(TOPICS), default="both", show_default=True,
        help=f"Topics to {purpose}: those of both, of the qrels (missing ones count as empty), or of the run.",
    )  # fmt: skip


def ties(what: str) -> Callable[[F], F]:
    """How equal scores are ordered."""
    return click.option("--ties", type=click.Choice(TIES), default="docno", show_default=True, help=what)


grade = click.option(
    "--grade", type=int, default=1, show_default=True, metavar="N", help="Least grade that is relevant."
)
judged_only = click.option(
    "--judged-only", is_flag=True, help="Take unjudged items out of the rankings first."
)
depth = click.option("--depth", type=int, metavar="N", help="Cut rankings after this many items.")
duplicates = click.option(
    "--duplicates", type=click.Choice(DUPLICATES), default="error", show_default=True,
    help="Which of several rows with one topic and item to keep.",
)  # fmt: skip
columns = click.option(
    "--columns", metavar="NAME=COLUMN,...", help="Columns of tables, such as topic=qid,item=docid,score=s."
)
qrels_columns = click.option(
    "--qrels-columns", metavar="NAME=COLUMN,...",
    help="Those of the qrels, where they differ: topic=query,grade=rel.",
)  # fmt: skip
runs_format = click.option(
    "--input-format", type=click.Choice(INPUTS),
    help="Form of standard input, or else of all inputs (default: by their names).",
)  # fmt: skip


def _expand(context: click.Context, parameter: click.Parameter, most: int | None) -> None:
    if most is not None:
        from precall.read.archives import expanding

        context.with_resource(expanding(most))


#: Every command that reads has it: those of `args.READING`.
max_expansion = click.option(
    "--max-expansion", type=click.IntRange(min=1), metavar="N", expose_value=False, callback=_expand,
    help="Refuse archives (.gz, .zst) that expand to more than N times their size "
    "(default: PRECALL_MAX_EXPANSION, else 1000).",
)  # fmt: skip
plugin = click.option(
    "--plugin", "plugins", multiple=True, metavar="MODULE",
    help="Import this Python module first; it declares measures with @precall.measure.",
)  # fmt: skip
