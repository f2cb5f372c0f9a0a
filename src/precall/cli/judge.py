"""`precall judge`."""

from __future__ import annotations

from typing import Any

import click

from precall.cli import options


@click.command("judge", context_settings=options.HELP)
@click.argument("people", type=click.Path(allow_dash=True))
@click.argument("judge", type=click.Path(allow_dash=True))
@click.argument("runs", type=click.Path(allow_dash=True), nargs=-1, required=True, metavar="RUN...")
@options.measures("A measure, as for eval; repeat for more.")
@click.option(
    "--of",
    type=click.Choice(("population", "these")),
    default="population",
    show_default=True,
    help="Estimate the mean over all topics like these, or over these topics only.",
)
@click.option(
    "--unjudged",
    type=click.Choice(("zero", "judge", "error")),
    default="zero",
    show_default=True,
    help="How items without people's label count, in topics that people judged: as not "
    "relevant, by the judge's label, or as an error.",
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
@options.conventions()
@options.threads
@options.short_form
@options.output
@options.max_expansion
def judge(
    people: str,
    judge: str,
    runs: tuple[str, ...],
    form: str,
    output: str | None,
    units: str | None,
    **typed: Any,
) -> int:
    """Measure each RUN if a judge, such as a language model, gave most labels.

    PEOPLE are the judgements of people for some topics that were chosen at random, JUDGE those of
    the judge for all topics. The judge's labels of all topics correct the mean of people's.

    \b
    Examples:
      precall judge people.qrels llm.qrels bm25.run dense.run -m P@10
      precall judge people.qrels llm.qrels dense.run -m AP -m nDCG@10 --of these
      precall judge people.qrels llm.qrels *.run -m AP --units topics.csv --strata language
    """
    from precall.cli import files, outputs
    from precall.cli.inputs import refuse_one_run_twice
    from precall.core.notes import collect_notes
    from precall.judges.api import judge as judged
    from precall.judges.units import read_units

    conventions = options.conventions_of(typed)
    files.check([people, judge, *runs, *filter(None, [units])], output)
    refuse_one_run_twice(runs)
    by_topic = read_units(
        units, {name: typed.pop(name) for name in ("probability", "strata", "groups")}
    )
    with outputs.Progress(len(runs)) as progress, collect_notes():
        found = judged(
            people,
            judge,
            list(runs),
            list(typed["measures"]) or None,
            of=typed["of"],
            unjudged=typed["unjudged"],
            level=typed["level"],
            threads=typed["threads"],
            progress=lambda done, total, name: progress(done, name),
            **by_topic,
            **conventions.keywords(),
        )
    return outputs.write_sheet(found.sheet(), form, output)
