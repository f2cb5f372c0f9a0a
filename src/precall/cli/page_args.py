"""What may be typed after `report`; what it means is in `pages`.

Options that other commands have, too, are theirs. Only click is imported here; help must not wait for NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from precall.cli import options
from precall.cli.compare import compare
from precall.cli.curve import curve

CHANCE = ("best", "all", "none")
_RUNS = (
    "measures", "test", "correction", "level", "seed", "resamples", "unpaired", "topics", "ties", "undefined",
    "grade", "judged_only", "depth", "duplicates", "columns", "qrels_columns", "threads", "plugins",
)  # fmt: skip
_CASES = ("label", "scores", "positive", "group", "weight", "missed", "lower_is_better")


def _of(command: click.Command, names: tuple[str, ...]) -> list[click.Option]:
    known = {one.name: one for one in command.params if isinstance(one, click.Option)}
    return [known[name] for name in names]


def borrowed(command: click.Command, names: tuple[str, ...]) -> Callable[[Any], Any]:
    """Options of another command, by the names of its parameters; none of them is required here."""
    from copy import copy

    def add(function: Any) -> Any:
        found = [copy(one) for one in _of(command, names)]
        for one in found:
            one.required = False
        # Decorators are read from the bottom up.
        function.__click_params__ = [*getattr(function, "__click_params__", []), *reversed(found)]
        return function

    return add


@click.command("report", context_settings=options.HELP, short_help="Write a page that people pass on.")
@click.argument("inputs", type=click.Path(allow_dash=True), nargs=-1, metavar="[QRELS RUN...|FILE]")
@click.option(
    "-o", "--output", type=click.Path(allow_dash=True), metavar="FILE",
    help="Write the page here, all or nothing; - is standard output.",
)  # fmt: skip
@click.option("--title", metavar="TEXT", help="Heading of the page (default: the names of the systems).")
@borrowed(compare, _RUNS)
@click.option(
    "--chance", type=click.Choice(CHANCE), default="best", show_default=True,
    help="Test against random selection: the best run, all, or none (seconds for each 100 topics).",
)  # fmt: skip
@click.option("--cases", type=click.Path(allow_dash=True), metavar="FILE", help="Scored cases, as for curve.")
@borrowed(curve, _CASES)
@click.option("--truth", metavar="COLUMN", help="Column of the true categories of FILE, as for categories.")
@click.option("--scores", "pattern", metavar="PATTERN", help="Its columns of scores, such as 'p*'.")
@click.option(
    "--policy", metavar="POLICY",
    help="Decide so, as for categories (default: for the best category, where each item has one).",
)  # fmt: skip
@options.separator
@click.option(
    "--input-format", type=click.Choice(options.INPUTS), help="Form of the inputs (default: by their names)."
)  # fmt: skip
@click.option(
    "--from", "source", type=click.Path(), metavar="FILE", help="Read a page back and print its numbers."
)
@click.option(
    "--format", "form", type=click.Choice(options.FORMATS),
    help="With --from: form of the output (default: table, or html where --output is so named).",
)  # fmt: skip
@options.max_expansion
def report(**typed: Any) -> int:
    """Write a page about runs, scored cases or scores of categories: one file, with charts and all numbers.

    It opens from disk, prints, asks the network for nothing, and is the record of its numbers: --from reads
    them back. With QRELS and runs: averages with intervals, comparisons, topics, hits, random selection. With
    --cases: measures, curves with bands, a threshold to choose. With --truth and --scores: categories.

    \b
    Examples:
      precall report news.qrels bm25.run dense.run -m AP -m P@10 -m nDCG@10 -o report.html
      precall report --cases cases.csv --label y --score a --score b -o report.html
      precall report --truth t --scores 'p*' items.csv -o report.html
      precall report --from report.html
      precall report --from report.html --format json
    """
    from precall.cli.pages import PageCommand

    command = click.get_current_context().find_root().obj or ()
    return PageCommand(**typed, typed=tuple(command)).execute()
