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
    help="Number of items, for comparisons of decisions and screens.",
)
@click.option(
    "--margin",
    type=options.Number(),
    metavar="D",
    help="Loss that does not matter: show that the first system is not worse.",
)
@click.option(
    "--proportion",
    type=options.Number(),
    metavar="SHARE",
    help="Expected share, such as a sensitivity.",
)
@click.option(
    "--lowest",
    type=options.Number(),
    metavar="X",
    help="Share or area that the lower bound must exceed.",
)
@click.option(
    "--prevalence",
    type=options.Number(),
    metavar="SHARE",
    help="Share of patients, or of items of a screen, that is relevant.",
)
@click.option("--cases", type=options.Integer(), metavar="N", help="Number of relevant cases.")
@click.option(
    "--area",
    type=options.Number(),
    metavar="A",
    help="Expected area under ROC; for --screen the effect.",
)
@click.option(
    "--than",
    type=options.Number(),
    metavar="A",
    help="Expected area of a second system on the same cases.",
)
@click.option(
    "--correlation",
    type=options.Number(),
    metavar="R",
    help="Correlation of the estimates of both areas (default: 0.5).",
)
@click.option(
    "--ratio",
    type=options.Number(),
    metavar="K",
    help="Other cases per relevant case (default: 1).",
)
@click.option(
    "--screen",
    metavar="MEASURE",
    help="Plan a ranked list whose R, EF or AP is better than chance.",
)
@click.option(
    "--read",
    type=options.Number(),
    metavar="SHARE",
    help="Share of the list that is read, for --screen (default: 0.1).",
)
@click.option(
    "--separation",
    type=options.Number(),
    metavar="D",
    help="Effect of a screen: relevant scores are D standard deviations higher.",
)
@click.option(
    "--odds",
    type=options.Number(),
    metavar="X",
    help="Effect of a screen: odds of relevant items to be read are X times greater.",
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

    --proportion plans a study of a sensitivity or another share, --area a study of one or two areas
    under ROC, and --screen a ranked list.

    \b
    Examples:
      precall power --difference 0.02 --deviation 0.1
      precall power --topics 50 --deviation 0.1
      precall power news.qrels bm25.run dense.run -m AP --difference 0.02 --seed 1
      precall power --systems 10 --variance 0.05 --difference 0.1
      precall power --only-a 0.15 --only-b 0.05
      precall power --only-a 0.05 --only-b 0.05 --margin 0.05 --prevalence 0.2
      precall power --proportion 0.9 --lowest 0.8 --prevalence 0.1
      precall power --area 0.85 --than 0.85 --margin 0.1
      precall power --screen R --read 0.05 --prevalence 0.01 --separation 0.5
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
    if seed is not None and not inputs and typed["screen"] is None:
        raise UsageError(
            "nothing is drawn at random without QRELS and two runs, or a --screen",
            remedy="leave --seed out",
        )
    files.check(inputs, output)
    refuse_one_run_twice(inputs[1:])
    qrels, runs = (inputs[0], list(inputs[1:])) if inputs else (None, None)
    measures = list(typed.pop("measures")) or None
    with collect_notes(), options.as_options(_arguments_of(typed)):  # the plan has the notes
        plan = compare.plan(qrels, runs, measures, **typed, rng=0 if seed is None else seed)
    return outputs.write_sheet(plan.sheet(), form, output)


def _arguments_of(typed: dict[str, Any]) -> dict[str, str]:
    """The arguments of the functions of `compare.power` that options of a study are, by option."""
    if typed["screen"] is not None:
        return {"screen": "measure"}
    if typed["area"] is None:
        return {"proportion": "expected"}
    return {"area": "expected" if typed["than"] is None else "area_a", "than": "area_b"}
