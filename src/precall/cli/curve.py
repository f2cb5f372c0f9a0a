"""`precall curve`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from precall.cli import options
from precall.errors import TiesUnresolved, UsageError

if TYPE_CHECKING:
    from precall.case_tables import MeasuredCases
    from precall.sheet.sheets import Sheet

INTERVALS = ("logit", "bca", "percentile", "normal")
TIES = ("expected", "best", "worst", "block")
PICTURES = ("pr", "roc", "gain", "ranks", "thresholds", "scores")


@click.command("curve", context_settings=options.HELP, short_help="Measure scores of labelled cases.")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--label", required=True, metavar="COLUMN", help="Column that says which cases are relevant.")
@click.option(
    "--score", "scores", multiple=True, metavar="COLUMN",
    help="Column of scores; repeat to set several side by side.",
)  # fmt: skip
@click.option(
    "--compare", multiple=True, nargs=2, metavar="COLUMN COLUMN",
    help="Test whether AP and area under ROC of two columns of scores differ; repeat for more.",
)  # fmt: skip
@click.option("--positive", metavar="LABEL", help="The label of relevant cases, if not 1 or true.")
@click.option("--group", metavar="COLUMN", help="Measure each group of cases by itself, then average.")
@click.option("--weight", metavar="COLUMN", help="Column of weights.")
@click.option(
    "--missed", type=options.Whole(min=0), default=0, show_default=True, metavar="N",
    help="Relevant cases that exist but were never scored.",
)  # fmt: skip
@click.option("--lower-is-better", is_flag=True, help="Low scores are good ones.")
@click.option(
    "--at", multiple=True, metavar="CONDITION",
    help="Choose an operating point: threshold=S, recall=R, precision=P, accept=N, cost=fp:1,fn:20, or max=MEASURE, where a "
    "measure is best; repeat for more.",
)  # fmt: skip
@options.measures(
    "Also this measure of counts, such as MCC: its best value, and its value at each operating point; repeat for more."
)
@click.option(
    "--ties", type=click.Choice(TIES), default="expected", show_default=True,
    help="Order of equal scores for R-precision and RR; for all else they are one block.",
)  # fmt: skip
@options.interval("AP, the area under ROC and the greatest F", INTERVALS)
@options.level(options.LEVEL_OF_INTERVAL)
@click.option(
    "--null", is_flag=True,
    help="Set AP and the area under ROC beside what they are when the same cases stand in random order: "
    "the mean, the interval of the --level, what the score adds to chance, and the p-value.",
)  # fmt: skip
@options.seed("what --compare and --interval draw at random")
@options.plot(
    PICTURES, "a picture",
    "What is drawn: precision-recall, ROC, gain or rank curves, of several scores or of groups with their mean; "
    "precision, recall and F against thresholds; or histograms of the scores.  [default: pr]",
)  # fmt: skip
@options.undefined("groups")
@options.form
@options.output
@options.input_format
@options.max_expansion
def curve(
    file: str, label: str, scores: tuple[str, ...], compare: tuple[tuple[str, str], ...], positive: str | None,
    group: str | None, weight: str | None, missed: int, lower_is_better: bool, at: tuple[str, ...],
    measures: tuple[str, ...], level: float, seed: int | None, plot: str | None, plot_kind: str | None, form: str,
    output: str | None, input_format: str | None, **typed: Any,
) -> int:  # fmt: skip
    """Measure the scores of labelled cases in FILE, a table with a row per case.

    Prints counts, average precision, the areas under precision-recall and ROC curves by their names,
    greatest F, break-even, 11-point precision, R-precision and RR. FILE is CSV, TSV, JSON lines, Parquet
    or Arrow (also .gz, .zst); - is standard input. Labels are 0/1, -1/1 or false/true, else see --positive.

    \b
    Examples:
      precall curve cases.csv --label y --score s
      precall curve cases.csv --label y --score s --interval --level 0.9
      precall curve cases.csv --label y --score s --score t --at recall=0.9 --at cost=fp:1,fn:20
      precall curve cases.csv --label y --score s -m MCC -m 'F(beta=2)' --at max=MCC
      precall curve cases.csv --label y --compare s t --seed 1
      precall curve cases.csv --label kind --positive yes --score s --group fold --format json -o s.json
      precall curve cases.csv --label y --score s --score t --at recall=0.9 --plot curves.svg
      zcat cases.csv.gz | precall curve - --input-format csv --label y --score s
    """
    from precall.case_tables import measure_cases, read_cases
    from precall.cli import outputs
    from precall.cli.conditions import conditions
    from precall.cli.measure_names import named_measures
    from precall.cli.progress import Progress

    if not scores and not compare:
        raise click.UsageError("Missing option '--score'", click.get_current_context())
    asked = {"interval": typed["interval"], "null": typed["null"], "compare": compare}
    options.check_level(level, asked)
    outputs.check_table(file, output)
    outputs.check_picture(plot, plot_kind, [file], output)
    check_columns(scores, group, weight, missed, asked)
    if seed is not None and not compare and typed["interval"] is None:
        raise UsageError("--seed: is for --compare and --interval")
    columns = list(dict.fromkeys([*scores, *(name for pair in compare for name in pair)]))
    with Progress(1 + len(columns)) as progress:
        points = conditions(at)
        progress(0, file)
        table = read_cases(
            file, label, columns, positive=positive, group=group, weight=weight, missed=missed,
            higher_is_better=not lower_is_better, format=input_format,
        )  # fmt: skip
        cases = measure_cases(
            table, at=points, measures=named_measures(measures), compare=compare, level=level, rng=seed or 0,
            progress=progress, **typed,
        )  # fmt: skip
        sheet = sheet_of(cases)
    if plot is not None:
        from precall.plot import chosen

        outputs.draw(chosen.of_cases(cases.curves, plot_kind or "pr", points, not lower_is_better), plot)
    return outputs.write_sheet(sheet, form, output)


def sheet_of(cases: MeasuredCases) -> Sheet:
    """The sheet of cases; what blocks leave open is an error about the option."""
    try:
        return cases.sheet()
    except TiesUnresolved:
        raise UsageError(
            "--ties block: R-precision or RR ends inside a block of equal scores; choose --ties expected|best|worst"
        ) from None


def check_columns(
    scores: tuple[str, ...], group: str | None, weight: str | None, missed: int, asked: dict[str, Any]
) -> None:
    """Refuse, before anything is read, what does not go together."""
    for name in scores:
        if (times := scores.count(name)) > 1:
            raise UsageError(f"--score {name} was given {times} times; name each column once")
    for first, second in asked["compare"]:
        if first == second:
            raise UsageError(f"--compare: got {first} twice; name two columns of scores")
    given = {"--group": group, "--weight": weight, "--missed": missed or None}
    refused = [name for name, value in given.items() if value is not None]
    if asked["compare"] and refused:
        raise UsageError(
            f"--compare is of whole lists of unweighted cases; leave {' and '.join(refused)} out"
        )
    if asked["null"] and weight is not None:
        raise UsageError(
            "--null: random selection is of cases that count once each, not of weights; leave --weight out"
        )
    if missed and group is not None:
        raise UsageError(
            "--missed: is of all cases, and --group measures each group by itself; leave one of them out"
        )
