"""`precall judge`."""

from __future__ import annotations

from typing import Any

import click

from precall.cli import options
from precall.core.errors import Fact, UsageError
from precall.core.text import many


@click.command("judge", context_settings=options.HELP)
@click.argument(
    "inputs",
    type=click.Path(allow_dash=True),
    nargs=-1,
    required=True,
    metavar="PEOPLE JUDGE RUN...",
)
@options.measures("A measure, as for eval; repeat for more.")
@click.option(
    "--of",
    type=click.Choice(("population", "these")),
    default="population",
    show_default=True,
    help="Learn the mean of ever more topics like these, or that of these topics.",
)
@click.option(
    "--unjudged",
    type=click.Choice(("zero", "judge", "error")),
    default="zero",
    show_default=True,
    help="What counts for items without people's label, in topics that people judged.",
)
@click.option(
    "--units",
    type=click.Path(),
    metavar="FILE",
    help="Table with a row per topic, for the next three options.",
)
@options.column("--probability", help="Column of FILE: the chance that people judge the topic.")
@options.column("--strata", help="Column of FILE: the stratum in which topics were chosen.")
@options.column("--groups", help="Column of FILE: the group of each topic, such as its user.")
@options.level("Level of the intervals.")
@click.option(
    "--width",
    type=options.Number(),
    metavar="W",
    help="Instead print how many topics people must label for intervals of this width.",
)
@click.option(
    "--difference",
    type=options.Number(),
    metavar="D",
    help="Instead print how many topics people must label to see this difference of two runs.",
)
@click.option(
    "--labels",
    type=options.Whole(min=10),
    metavar="N",
    help="Instead print what labels of this many topics show.",
)
@click.option(
    "--power",
    type=options.Share(0.8),
    metavar="P",
    help="Chance of seeing the difference.  [default: 0.8]",
)
@click.option(
    "--next",
    "next_",
    type=options.Whole(min=10),
    metavar="N",
    help="Instead draw N topics that people label next, of JUDGE RUN... without PEOPLE.",
)
@click.option(
    "--by",
    type=click.Choice(("alike", "judge", "systems")),
    help="Draw them all with one chance, in strata of the judge's values, or more often where runs "
    "disagree.  [default: alike]",
)
@options.seed("--next")
@options.picture("values by people, by the judge and corrected")
@options.conventions()
@options.threads
@options.short_form
@options.output
@options.max_expansion
def judge(
    inputs: tuple[str, ...],
    form: str,
    output: str | None,
    units: str | None,
    plot: str | None,
    **typed: Any,
) -> int:
    """Measure each RUN if a judge, such as a language model, gave most labels.

    PEOPLE are the judgements of people for some topics that were chosen at random, JUDGE those of
    the judge for all topics. The judge's labels of all topics correct the mean of people's.

    --next writes a table of what people label: with its column `grade` filled in, it is PEOPLE, and
    its column `probability` counts. --width says how many topics they must label.

    \b
    Examples:
      precall judge people.qrels llm.qrels bm25.run dense.run -m P@10
      precall judge people.qrels llm.qrels dense.run -m AP -m nDCG@10 --of these
      precall judge people.qrels llm.qrels *.run -m AP --units topics.csv --strata language
      precall judge llm.qrels *.run -m P@10 --next 30 -o label.csv
      precall judge label.csv llm.qrels *.run -m P@10
      precall judge label.csv llm.qrels *.run -m P@10 --width 0.1
    """
    from precall.cli import files, judge_plans, outputs
    from precall.cli.inputs import refuse_one_run_twice
    from precall.core.notes import collect_notes
    from precall.judges.api import judge as judged
    from precall.judges.units import read_units

    is_plan = any(typed[name] is not None for name in judge_plans.PLANNED)
    is_sample = typed["next_"] is not None
    judge_plans.refuse_others(is_sample, is_plan)
    labels, runs = (inputs[:1], inputs[1:]) if is_sample else (inputs[:2], inputs[2:])
    if not runs:
        wanted = "JUDGE and RUN" if is_sample else "PEOPLE, JUDGE and RUN"
        raise UsageError(
            argument=wanted,
            allowed="one file or more for each;",
            got=Fact(many(len(inputs), "file")),
        )
    conventions = options.conventions_of(typed)
    outputs.check_picture(plot, None)
    files.check([*labels, *runs, *filter(None, [units])], output, plot=plot)
    refuse_one_run_twice(runs)
    by_topic = read_units(
        units, {name: typed.pop(name) for name in ("probability", "strata", "groups")}
    )
    measures = list(typed["measures"])
    if is_sample:
        with collect_notes():
            sheet = judge_plans.sample_sheet(inputs, measures, conventions, by_topic, typed)
        return outputs.write_sheet(sheet, form, output)
    with outputs.Progress(len(runs)) as progress, collect_notes():
        found = judged(
            labels[0],
            labels[1],
            list(runs),
            measures or None,
            of=typed["of"],
            unjudged=typed["unjudged"],
            level=typed["level"],
            threads=typed["threads"],
            progress=lambda done, total, name: progress(done, name),
            **by_topic,
            **conventions.keywords(),
        )
    if plot is not None:
        outputs.draw(found.plot(), plot)
    sheet = judge_plans.plan_sheet(found, typed) if is_plan else found.sheet()
    return outputs.write_sheet(sheet, form, output)
