"""`precall judge`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from precall.cli import options
from precall.cli.kinds import typed_parameters
from precall.core.errors import Fact, UsageError
from precall.core.text import many

if TYPE_CHECKING:
    from precall.core.conventions import Conventions
    from precall.judges.results import Judged
    from precall.results.sheets import Sheet

#: Options of both kinds, runs and cases.
_SHARED = (
    "measures",
    "of",
    "probability",
    "strata",
    "groups",
    "level",
    "width",
    "difference",
    "labels",
    "power",
    "plot",
    "seed",
    "form",
    *options.LAYOUT,
    "output",
    "all",
    "notes",
    "max_expansion",
    "help",
)
#: Options of cases alone, which name their file and its columns, or say how they are read.
_OF_CASES = (
    "cases",
    "people_column",
    "judge_column",
    "decisions",
    "scores",
    "lower_is_better",
    "input_format",
)
#: Options of topics that people labelled completely.
_NOT_OF_ITEMS = (
    "of",
    "unjudged",
    "units",
    "probability",
    "strata",
    "groups",
    "width",
    "difference",
    "labels",
    "power",
)
#: Those that name a column of cases, so that FILE is a table of cases.
_COLUMNS = ("people_column", "judge_column", "decisions", "scores")


class _Judge(click.Command):
    """The command, with a line of usage for each kind of data."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usages of runs, of cases and of a sample."""
        before = "Usage: "
        for usage in (
            "[OPTIONS] PEOPLE JUDGE RUN...",
            "[OPTIONS] FILE --people COLUMN --judge COLUMN --decision COLUMN",
            "[OPTIONS] FILE --people COLUMN --judge COLUMN --score COLUMN",
            "[OPTIONS] PEOPLE JUDGE RUN... --items -m P@10",
            "[OPTIONS] JUDGE RUN... --next N",
        ):
            formatter.write(f"{before}{ctx.command_path} {usage}\n")
            before = " " * len(before)


@click.command("judge", cls=_Judge, context_settings=options.HELP)
@click.argument("people", type=click.Path(allow_dash=True), required=False, metavar="PEOPLE")
@click.argument("judge", type=click.Path(allow_dash=True), required=False, metavar="JUDGE")
@click.argument("runs", type=click.Path(allow_dash=True), nargs=-1, metavar="RUN...")
@click.option(
    "--cases",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="The table with a row per case, as FILE alone.",
    hidden=True,
)
@options.column(
    "people_column",
    "--people",
    "--human",
    help="Column of FILE with people's labels, 1 or 0; cells are empty if people gave none.",
)
@options.column(
    "judge_column",
    "--judge",
    help="Column of FILE with the judge's labels, 1 or 0, or probabilities.",
)
@options.column(
    "decisions",
    "--decision",
    multiple=True,
    help="Column of FILE with the decisions of a system, 1 or 0; repeat for more systems.",
)
@options.column(
    "scores",
    "--score",
    multiple=True,
    help="Column of FILE with the scores of a system; repeat for more systems.",
)
@options.measures(
    "A measure; repeat for more. For runs those of eval, for decisions P, R, F, MCC, ..., for "
    "scores AP and AUC."
)
@click.option(
    "--of",
    type=click.Choice(("population", "these")),
    default="population",
    show_default=True,
    help="Estimate the mean of a population of topics or cases like these, or of these only.",
)
@click.option(
    "--unjudged",
    type=click.Choice(("zero", "judge", "error")),
    default="zero",
    show_default=True,
    help="Topics that people labelled may have items without people's label. They count as not "
    "relevant (zero), by the judge's label, or are an error.",
)
@click.option(
    "--items",
    "items",
    is_flag=True,
    help="People labelled single items, drawn at random, and no topic completely: for P@k, DCG@k "
    "and RBP@k. A column probability of PEOPLE counts.",
)
@click.option(
    "--units",
    type=click.Path(),
    metavar="FILE",
    help="Table with a row per topic, for the next three options; cases have these columns in "
    "FILE.",
)
@options.column(
    "--probability", help="Column with the probability that people label the topic or case."
)
@options.column("--strata", help="Column with the strata from which topics or cases were drawn.")
@options.column("--groups", help="Column with the groups of topics or cases, such as users.")
@options.level("Level of the intervals.")
@click.option(
    "--width",
    type=options.Number(),
    metavar="W",
    help="Instead print how many topics or cases people must label for intervals of this width.",
)
@click.option(
    "--difference",
    type=options.Number(),
    metavar="D",
    help="Instead print how many topics or cases people must label to see this difference of two "
    "systems.",
)
@click.option(
    "--labels",
    type=options.Whole(min=10),
    metavar="N",
    help="Instead print the width and the power that this many labelled topics or cases give.",
)
@click.option(
    "--power",
    type=options.Share(0.8),
    metavar="P",
    help="Probability that the difference is significant.  [default: 0.8]",
)
@click.option(
    "--next",
    "next_",
    type=options.Whole(min=10),
    metavar="N",
    help="Instead draw N topics for people to label; the arguments are then JUDGE RUN...",
)
@click.option(
    "--by",
    type=click.Choice(("alike", "judge", "systems")),
    help="How --next draws: all topics with the same probability, from strata by the judge's "
    "values, or more topics in which runs disagree.  [default: alike]",
)
@options.seed("--next and of decisions")
@options.picture("values by people, by the judge and corrected")
@options.conventions()
@options.threads
@options.short_form
@options.output
@options.input_format
@options.max_expansion
def judge(
    people: str | None,
    judge: str | None,
    runs: tuple[str, ...],
    form: str,
    output: str | None,
    plot: str | None,
    **typed: Any,
) -> int:
    """Measure runs or cases if a judge, such as a language model, gave most labels.

    PEOPLE has people's judgements of some topics, chosen at random. JUDGE has the judge's
    judgements of all topics. Prints the means that people would give to all topics, with intervals.

    For decisions or scores of cases, pass one FILE with a row per case instead, and name its
    columns. People label a random sample of the cases, and the judge labels all.

    --next draws topics, and writes a table for people to fill in; then pass that table as PEOPLE.
    --width and --difference print how many topics or cases people must label.

    \b
    Examples:
      precall judge people.qrels llm.qrels bm25.run dense.run -m P@10
      precall judge people.qrels llm.qrels dense.run -m AP -m nDCG@10 --of these
      precall judge people.qrels llm.qrels *.run -m AP --units topics.csv --strata language
      precall judge llm.qrels *.run -m P@10 --next 30 -o label.csv
      precall judge label.csv llm.qrels *.run -m P@10
      precall judge label.csv llm.qrels *.run -m P@10 --width 0.1
      precall judge people.qrels llm.qrels dense.run -m P@10 --items
      precall judge judged.csv --people y --judge llm --decision p -m F -m MCC
      precall judge judged.csv --people y --decision p --decision q --groups user
      precall judge judged.csv --people y --score s -m AP
      precall judge judged.csv --people y --score s -m AUC --width 0.05
    """
    from precall.cli import judge_plans, outputs

    context = click.get_current_context()
    outputs.check_picture(plot, None)
    named = _SHARED + _OF_CASES
    is_plan = any(typed[name] is not None for name in judge_plans.PLANNED)
    if typed["cases"] is None and not (judge or runs) and any(typed[name] for name in _COLUMNS):
        # The file of cases is the only argument.
        typed["cases"], named = people, (*named, "people")
    if typed["cases"] is not None:
        _refuse(context, lambda name: name in named, "cases")
        judge_plans.refuse_others(False, is_plan, is_of_cases=True)
        found = _of_cases(typed, output, plot)
    else:
        _refuse(context, lambda name: name not in _OF_CASES, "runs")
        is_sample = typed["next_"] is not None
        judge_plans.refuse_others(is_sample, is_plan)
        given = [*filter(None, (people, judge)), *runs]
        if is_sample:
            return outputs.write_sheet(_next_labels(given, typed, output), form, output)
        for parameter in context.command.params:
            if isinstance(parameter, click.Argument) and not context.params.get(
                str(parameter.name)
            ):
                raise click.MissingParameter(ctx=context, param=parameter)
        if typed["items"]:
            _refuse_beside_items(context)
            found = _of_items(given, typed, output, plot)
        else:
            found = _of_runs(given, typed, output, plot)
    if is_plan:
        return outputs.write_sheet(judge_plans.plan_sheet(found, typed), form, output)
    if plot is not None:
        outputs.draw(found.plot(), plot)
    return outputs.write_sheet(found.sheet(), form, output)


def _refuse(context: click.Context, applies: Callable[[str], bool], kind: str) -> None:
    """Refuse typed options of the other kind."""
    for parameter in typed_parameters(context):
        name = str(parameter.name)
        if not applies(name):
            shown = parameter.opts[0] if isinstance(parameter, click.Option) else name.upper()
            other = "runs" if kind == "cases" else "cases"
            raise UsageError(
                argument=shown,
                what=f"applies to {other}; this command measures {kind}",
                remedy=(
                    "leave it out"
                    if kind == "cases"
                    else "for cases pass one FILE with a row per case; for runs pass PEOPLE JUDGE "
                    "RUN..., and no columns"
                ),
            )


def _refuse_beside_items(context: click.Context) -> None:
    """Refuse typed options that single items do not read."""
    for parameter in typed_parameters(context):
        if parameter.name in _NOT_OF_ITEMS:
            raise UsageError(
                argument=parameter.opts[-1],
                what="is for people's labels of whole topics",
                remedy="leave it out, or leave out --items",
            )


def _of_items(
    given: list[str], typed: dict[str, Any], output: str | None, plot: str | None
) -> Judged:
    from precall.core.notes import collect_notes
    from precall.judges.items import items

    people, judge, *runs = given
    if not typed["measures"]:
        raise UsageError(
            argument="--measure",
            what="single items tell P@k, DCG@k and RBP@k",
            remedy="name at least one, such as P@10",
        )
    conventions, _ = _check_runs([people, judge], runs, typed, output, plot)
    with collect_notes():
        return items(
            people,
            judge,
            runs,
            list(typed["measures"]),
            level=typed["level"],
            threads=typed["threads"],
            **conventions.keywords(),
        )


def _next_labels(given: list[str], typed: dict[str, Any], output: str | None) -> Sheet:
    """What people label next, of the judge's labels and the runs."""
    from precall.cli import judge_plans
    from precall.core.notes import collect_notes

    if len(given) < 2:
        raise UsageError(
            argument="JUDGE and RUN",
            allowed="one file or more for each;",
            got=Fact(many(len(given), "file")),
        )
    conventions, by_topic = _check_runs(given[:1], given[1:], typed, output, None)
    with collect_notes():
        return judge_plans.sample_sheet(
            given, list(typed["measures"]), conventions, by_topic, typed
        )


def _check_runs(
    labels: list[str],
    runs: list[str],
    typed: dict[str, Any],
    output: str | None,
    plot: str | None,
) -> tuple[Conventions, dict[str, Any]]:
    """The conventions, and what the table of topics says of each; errors before any work."""
    from precall.cli import files
    from precall.cli.inputs import refuse_one_run_twice
    from precall.judges.units import read_units

    units = typed.pop("units")
    conventions = options.conventions_of(typed)
    files.check([*labels, *runs, *filter(None, [units])], output, plot=plot)
    refuse_one_run_twice(runs)
    wanted = {name: typed.pop(name) for name in ("probability", "strata", "groups")}
    return conventions, read_units(units, wanted)


def _of_runs(
    given: list[str], typed: dict[str, Any], output: str | None, plot: str | None
) -> Judged:
    from precall.cli import outputs
    from precall.core.notes import collect_notes
    from precall.judges.api import judge as judged

    people, judge, *runs = given
    conventions, by_topic = _check_runs([people, judge], runs, typed, output, plot)
    with outputs.Progress(len(runs)) as progress, collect_notes():
        return judged(
            people,
            judge,
            runs,
            list(typed["measures"]) or None,
            of=typed["of"],
            unjudged=typed["unjudged"],
            level=typed["level"],
            threads=typed["threads"],
            progress=lambda done, total, name: progress(done, name),
            **by_topic,
            **conventions.keywords(),
        )


def _of_cases(typed: dict[str, Any], output: str | None, plot: str | None) -> Judged:
    from precall.cli import files
    from precall.core.notes import collect_notes
    from precall.judges.case_files import read_judged_cases
    from precall.judges.cases import cases as learn_scores
    from precall.judges.decisions import decisions as learn_decisions
    from precall.judges.labelled_cases import with_source

    path = typed["cases"]
    option, systems = _systems_of(typed)
    asked: dict[str, Any] = {"of": typed["of"], "level": typed["level"]}
    learn: Callable[..., Judged] = learn_scores
    if option == "--decision":
        learn = learn_decisions
        asked["rng"] = typed["seed"] or 0
    else:
        asked["higher_is_better"] = not typed["lower_is_better"]
    files.check([path], output, plot=plot)
    with collect_notes():
        cases = read_judged_cases(
            path,
            {"people": typed["people_column"], "judge": typed["judge_column"]},
            option,
            systems,
            {name: typed[name] for name in ("probability", "strata", "groups")},
            typed["input_format"],
        )
        found = learn(
            cases.people,
            cases.judge,
            cases.systems,
            list(typed["measures"]) or None,
            **asked,
            **cases.chosen,
        )
    return with_source(found, cases.source, cases.names)


def _systems_of(typed: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """The option that names columns of systems, and these columns."""
    decided, scored = typed["decisions"], typed["scores"]
    option, systems = ("--decision", decided) if decided else ("--score", scored)
    if decided and scored:
        raise UsageError(
            argument="--decision and --score",
            what="exclude each other",
            remedy="measure decisions and scores one after the other",
        )
    if not systems:
        raise UsageError(
            argument="--decision or --score",
            what="is missing: no column of a system is named",
            remedy="name one, or several for their differences",
        )
    if len({*systems}) < len(systems):
        twice = next(name for name in systems if systems.count(name) > 1)
        raise UsageError(
            argument=f"{option} {twice}", what="is given twice", remedy="name each column once"
        )
    if option == "--score" and typed["seed"] is not None:
        raise UsageError(
            argument="--seed", what="nothing is drawn for scores", remedy="leave it out"
        )
    if option == "--decision" and typed["lower_is_better"]:
        raise UsageError(
            argument="--lower-is-better", what="applies to scores", remedy="leave it out"
        )
    return option, systems
