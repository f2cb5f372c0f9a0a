"""`precall power`: `pc.compare.plan`, and its sheet."""

from __future__ import annotations

from typing import Any

import click

from precall.cli import options
from precall.core.errors import Fact, UsageError
from precall.core.text import many


@click.command("power", context_settings=options.HELP)
@click.argument("inputs", type=click.Path(allow_dash=True), nargs=-1, metavar="[QRELS RUN_A RUN_B]")
@options.measures("A measure, as for eval; repeat for more.")
@click.option("--difference", type=options.Number(), metavar="D", help="Mean difference to detect.")
@click.option(
    "--deviation", type=options.Number(), metavar="S", help="Standard deviation of the differences."
)
@click.option("--topics", type=options.Integer(), metavar="N", help="Number of topics.")
@click.option(
    "--width",
    type=options.Number(),
    metavar="W",
    help="Wanted width of the interval of the difference.",
)
@click.option(
    "--systems",
    type=options.Integer(),
    metavar="M",
    help="Number of systems to compare at once (analysis of variance).",
)
@click.option(
    "--variance",
    type=options.Number(),
    metavar="V",
    help="Variance within a system, for --systems.",
)
@click.option(
    "--only-a",
    type=options.Number(),
    metavar="SHARE",
    help="Share of items that only the first system gets right.",
)
@click.option(
    "--only-b",
    type=options.Number(),
    metavar="SHARE",
    help="Share of items that only the second system gets right.",
)
@click.option(
    "--items",
    type=options.Integer(),
    metavar="N",
    help="Number of items, for comparisons of decisions.",
)
@click.option(
    "--power",
    type=options.Share(0.8),
    default=0.8,
    show_default=True,
    metavar="P",
    help="Wanted probability of detecting the difference.",
)
@options.level("Level of intervals; p is significant at 1 - L.", "L")
@options.seed("the simulation")
@options.convention("duplicates")
@options.short_form
@options.output
@options.max_expansion
def power(
    inputs: tuple[str, ...], form: str, output: str | None, seed: int | None, **typed: Any
) -> int:
    """Compute how many topics or items detect a difference, or which difference a given number
    detects.

    Leave one quantity out; it is computed from the others: topics from --difference and
    --deviation, the least difference from --topics and --deviation, the power from all three.

    The plan is for one pair of systems and the paired t test. With QRELS and two runs, their
    deviation is used, and the power of the randomization test is simulated. --only-a and --only-b
    plan McNemar's test, and --systems an analysis of variance. For 10 pairs, Bonferroni's
    correction is --level 0.995, which is 1 - 0.05/10.

    \b
    Examples:
      precall power --difference 0.02 --deviation 0.1
      precall power --topics 50 --deviation 0.1
      precall power news.qrels bm25.run dense.run -m AP --difference 0.02 --seed 1
      precall power --systems 10 --variance 0.05 --difference 0.1
      precall power --only-a 0.15 --only-b 0.05
    """
    from precall.cli import files, outputs
    from precall.cli.inputs import refuse_one_run_twice
    from precall.comparison.api import compare
    from precall.core.notes import collect_notes

    if inputs and len(inputs) != 3:
        raise UsageError(
            "one pair is planned: give QRELS and two runs, or none of them;",
            got=Fact(many(len(inputs), "file")),
            remedy="plan each pair by itself" if inputs[3:] else "",
        )
    if seed is not None and not inputs:
        raise UsageError(
            "nothing is drawn at random without QRELS and two runs", remedy="leave --seed out"
        )
    files.check(inputs, output)
    refuse_one_run_twice(inputs[1:])
    qrels, runs = (inputs[0], list(inputs[1:])) if inputs else (None, None)
    measures = list(typed.pop("measures")) or None
    with collect_notes():  # the plan has what is noticed
        plan = compare.plan(qrels, runs, measures, **typed, rng=0 if seed is None else seed)
    return outputs.write_sheet(plan.sheet(), form, output)
