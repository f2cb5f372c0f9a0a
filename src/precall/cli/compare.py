"""`precall compare`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from precall.cli import options
from precall.core.arguments import choose
from precall.core.errors import Among, Fact, UsageError
from precall.core.text import typed_number
from precall.plot.pictures import OF_COMPARISONS, list_words
from precall.read.formats import TABLES
from precall.stats.tests import (
    CORRECTIONS,
    ELSEWHERE,
    INSTEAD_OF_SEVERAL,
    OF_CASES,
    OF_DECISIONS,
    OF_DIFFERENCES,
    TESTS,
)

if TYPE_CHECKING:
    from precall.evaluation.report import Report
    from precall.stats.tests.comparisons import Comparisons
    from precall.stats.tests.gating import Gates

F = TypeVar("F", bound=Callable[..., Any])

#: Exit code if a gate of --fail-if-worse failed.
FAILED = 1
#: The word by which --fail-if-worse means every measure that it does not name.
ANY = "any"

#: Options of decisions and of scores of cases, and those that runs have as well; all others apply
#: to runs only.
OF_ITEMS: dict[str, tuple[str, ...]] = {
    "decisions": (
        "decisions",
        "truth",
        "a",
        "b",
        "separator",
        "categories",
        "positive",
        "groups",
        "average",
        "interval",
    ),
    "cases": ("cases", "truth", "a", "b", "positive", "groups", "weight", "missed"),
}
SHARED = (
    "measures",
    "test",
    "level",
    "seed",
    "resamples",
    "form",
    *options.LAYOUT,
    "output",
    "input_format",
    "max_expansion",
    "plugins",
    "help",
)

EXIT_CODES = """\b
Exit codes:
  0    done, and no gate failed
  1    a gate of --fail-if-worse failed
  2    the command line or the input is wrong; the message says what to do
"""


def _of_decisions(function: F) -> F:
    """Options for two systems' decisions or scores of items. Decorators are listed from the bottom
    up.
    """
    for option in (
        click.option(
            "--missed",
            type=options.Whole(min=0),
            default=0,
            metavar="N",
            help="Relevant cases that --cases lacks, as both systems missed them.",
        ),
        options.column("--weight", help=f"Of --cases. {options.WEIGHT}"),
        options.interval(
            "the difference of --decisions",
            OF_DIFFERENCES,
            "; of means over items, as accuracy, always Student's",
        ),
        click.option(
            "--average",
            type=click.Choice(options.AVERAGES),
            help="How values of several categories are averaged.",
        ),
        options.column(
            "--groups", help="What items belong to, such as documents: exchanged as a whole."
        ),
        click.option(
            "--positive",
            metavar="LABEL",
            help=(
                "Compare decisions about this category only; of --cases the label of relevant "
                "ones, if not 1 or true."
            ),
        ),
        options.categories,
        options.separator,
        options.column("--b", help="Column of what the second system decided, or of its scores."),
        options.column("--a", help="Column of what the first system decided, or of its scores."),
        options.column("--truth", help="Column of the true categories, or of what is relevant."),
        click.option(
            "--cases",
            type=click.Path(allow_dash=True),
            metavar="FILE",
            help=(
                "The same with two scores of each case in --a and --b: by AP and area under ROC, "
                "or -m."
            ),
        ),
        click.option(
            "--decisions",
            type=click.Path(allow_dash=True),
            metavar="FILE",
            help=(
                "In the place of QRELS and runs: a table with a row per item, and in it --truth, "
                "--a and --b."
            ),
        ),
    ):
        function = option(function)
    return function


@click.command("compare", context_settings=options.HELP, epilog=EXIT_CODES)
@click.argument("qrels", type=click.Path(allow_dash=True), required=False, metavar="QRELS")
@click.argument("runs", type=click.Path(allow_dash=True), nargs=-1, metavar="RUN_A RUN_B...")
@options.lists
@options.measures("A measure, as for eval (of decisions, as for decisions); repeat for more.")
@click.option(
    "--test",
    type=options.Named(tuple(dict.fromkeys((*TESTS, *OF_DECISIONS, *OF_CASES))), depends=True),
    default="randomization",
    show_default=True,
    help=(
        "Of each pair, exact where it can be: random exchanges; t, the paired t test; wilcoxon, "
        "signed ranks; sign; bootstrap of runs and cases; mcnemar of decisions; of cases by "
        "default permutation of AP, delong of areas."
    ),
)
@_of_decisions
@click.option(
    "--correction",
    type=options.Named(CORRECTIONS),
    default="holm",
    show_default=True,
    help=(
        "For the number of pairs of a measure; tukey is randomised Tukey HSD, in the place of the "
        "test."
    ),
)
@click.option(
    "--baseline",
    metavar="NAME",
    shell_complete=options.run_names,
    help="Compare all others with this run only (default: every pair).",
)
@click.option(
    "--fail-if-worse",
    "gates",
    multiple=True,
    metavar="MEASURE[:MARGIN]",
    help=(
        "Exit with 1 if a run is significantly worse than the baseline (default: the first run); "
        "with a margin, if a loss of that or more could not be ruled out. Repeat for more; any is "
        "each measure that is not named."
    ),
)
@click.option(
    "--junit",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help=(
        "Write the gates of --fail-if-worse as JUnit XML, too: a test case for each measure and "
        "run."
    ),
)
@click.option(
    "--github-summary",
    is_flag=True,
    help=(
        "In GitHub Actions, append the verdict and the tables to the summary of the step "
        "(GITHUB_STEP_SUMMARY)."
    ),
)
@options.level("Of intervals; 1 - L is the significance.", "L")
@options.seed("all that is drawn at random")
@click.option(
    "--resamples",
    type=options.Whole(min=1),
    default=100_000,
    show_default=True,
    metavar="N",
    help="Drawn where p is not exact.",
)
@click.option(
    "--unpaired",
    type=click.Choice(("error", "drop")),
    default="error",
    show_default=True,
    help="What to do about topics that a run lacks; --topics qrels counts them as 0.",
)
@click.option("-q", "--per-topic", is_flag=True, help="Print the values of each topic, too.")
@options.plot(
    tuple(OF_COMPARISONS),
    "the first measure's comparison",
    (
        f"What is drawn: {', or '.join(list_words('two runs'))} (both of two runs); "
        f"{'; or '.join(list_words('runs'))} (default: differences of two runs; pairs with tukey "
        "or a baseline; else means)."
    ),
)
@options.short_form
@options.output
@options.conventions(
    leave_out=options.OF_ONE,
    ties="Items of equal score, as for eval.",
    topics=(
        "Topics to compare on: those of both, of the qrels (missing ones count as empty), or of "
        "the run."
    ),
)
@options.qrels_columns
@options.runs_format
@options.threads
@options.memory
@options.max_expansion
@options.plugin
def compare(
    measures: tuple[str, ...],
    gates: tuple[str, ...],
    junit: str | None,
    github_summary: bool,
    seed: int | None,
    per_topic: bool,
    plot: str | None,
    plot_kind: str | None,
    form: str,
    output: str | None,
    **typed: Any,
) -> int:
    """Measure runs against the judgements QRELS and test whether they differ by more than chance.

    The verdicts come first, then one table. For two runs it has both means, their difference, its
    interval and p, with a star if it is significant. For several runs it has their means: runs that
    share a letter do not differ significantly; with --baseline, a star marks runs that differ from
    it. --all adds each pair, effect sizes and the analysis of variance; JSON and CSV always have
    them. LaTeX and Markdown are the one table of a paper, with its caption. With --decisions it is two systems' decisions
    about the same items, by the tests of Yeh (2000); and of a yes or no about each item by the
    posteriors of Goutte & Gaussier (2005), too. With --cases it is two scores of the same cases,
    which may come in groups of patients.

    \b
    Examples:
      precall compare news.qrels bm25.run dense.run -m AP -m nDCG@10
      precall compare news.qrels *.run -m AP --baseline bm25 --correction bh
      precall compare news.qrels *.run -m AP --correction tukey --seed 1 --plot tukey.svg
      precall compare news.qrels *.run -m AP -m P@10 --baseline bm25 --format latex -o table.tex
      precall compare news.qrels old.run new.run -m AP --fail-if-worse AP
      precall compare news.qrels old.run new.run -m AP --fail-if-worse AP:0.01
      precall compare news.qrels *.run --baseline old --fail-if-worse any --junit gates.xml --github-summary
      precall compare --lists old.jsonl --lists new.jsonl -m Recall@5 -m MRR
      precall compare --decisions said.csv --truth t --a p --b q
      precall compare --decisions said.csv --truth t --a p --b q -m F --test t --interval
      precall compare --cases cases.csv --truth y --a s --b t --groups patient -m 'AUC(max_fpr=0.2)'
    """  # noqa: E501
    if (items := _of_items(typed)) is not None:
        return _compare_items(items, measures or None, seed or 0, form, output)
    from precall.cli import files, outputs
    from precall.cli.inputs import Inputs
    from precall.comparison import api as comparison
    from precall.comparison.reports import baseline_of

    requested = {
        name: typed.pop(name)
        for name in ("test", "correction", "baseline", "level", "resamples", "unpaired")
    }
    wanted = gates_of(gates)
    inputs = Inputs(conventions=options.conventions_of(typed), **typed)
    outputs.check_picture(plot, plot_kind)
    inputs.check(runs=2)
    targets = Told(junit, outputs.github_summary() if github_summary else None, output)
    if junit is not None and not wanted:
        raise UsageError(
            argument="--junit",
            what="has a test case for each gate",
            remedy="say which, such as --fail-if-worse any",
        )
    files.check(inputs.paths, output, targets.summary, plot=plot, junit=junit)
    with outputs.Progress(len(inputs.systems)) as progress:
        report = inputs.evaluate(measures_of(measures, wanted), progress, seed or 0)
    if gates or requested["baseline"] is not None:
        requested["baseline"] = baseline_of(report, requested["baseline"])
    pairs = comparison.compare(report, rng=seed or 0, **requested)
    judged = (
        comparison.compare.gates(
            report,
            wanted,
            comparisons=pairs,
            unpaired=requested["unpaired"],
            rng=seed or 0,
            resamples=requested["resamples"],
        )
        if wanted
        else None
    )
    if plot is not None:
        from precall.plot import from_result

        outputs.draw(
            from_result.of_comparisons(pairs, report, plot_kind, requested["unpaired"]), plot
        )
    return targets.write(pairs, report if per_topic else None, judged, form)


class Told(NamedTuple):
    """Where the comparison is written besides the output."""

    junit: str | None
    summary: str | None
    output: str | None

    def write(
        self, pairs: Comparisons, report: Report | None, judged: Gates | None, form: str
    ) -> int:
        """Write to all of them, and return the exit code."""
        from precall.cli import outputs
        from precall.core.saving import append
        from precall.core.text import encode_utf8
        from precall.results.forms import render
        from precall.stats.tests.comparison_sheet import compare_sheet

        sheet = compare_sheet(pairs, report, judged.gates if judged else ())
        if judged is not None and self.junit is not None:
            outputs.write(render(judged.sheet(), "junit"), self.junit)
        if self.summary is not None:
            # Warnings about the data follow the comparisons.
            gates = judged and judged.beside(pairs.notes)
            shown = (each.to_markdown() for each in (gates, compare_sheet(pairs)) if each)
            append(encode_utf8("\n".join(shown)), self.summary)
        outputs.write_sheet(sheet, form, self.output)
        return status_of(judged)


def status_of(judged: Gates | None) -> int:
    """The exit code of gates. Failed gates are written to standard error."""
    from precall.cli import outputs

    lost = judged.failed if judged is not None else ()
    for gate in lost:
        outputs.say("failed", str(gate))
    return FAILED if lost else 0


def _kinds_of(option: str) -> tuple[str, ...]:
    """The kinds of input that an option applies to: runs, or decisions or scores of items."""
    if option in SHARED:
        return ("runs", *OF_ITEMS)
    if option == "lower_is_better":
        return ("runs", "cases")
    return tuple(kind for kind, own in OF_ITEMS.items() if option in own) or ("runs",)


def _refuse_other_kinds(kind: str) -> None:
    """Refuse options that were typed but belong to another kind of input, and missing options of
    this kind.
    """
    context = click.get_current_context()
    _refuse_lacking_columns(kind, context)
    for parameter in _parameters_on_line(context):
        if kind not in (kinds := _kinds_of(str(parameter.name))):
            name = parameter.opts[0] if isinstance(parameter, click.Option) else parameter.metavar
            of = " or ".join(each if each == "runs" else f"--{each} FILE" for each in kinds)
            raise UsageError(argument=str(name), what=f"is of {of}", remedy="leave it out")
    if kind == "runs" and not context.params.get("lists"):
        for parameter in context.command.params:
            if isinstance(parameter, click.Argument) and not context.params.get(
                str(parameter.name)
            ):
                raise click.MissingParameter(ctx=context, param=parameter)


def _parameters_on_line(context: click.Context) -> Iterator[click.Parameter]:
    """The options and arguments on the command line."""
    for parameter in context.command.params:
        # click 8.1 also counts an empty RUN_A RUN_B... as typed.
        if not parameter.name or context.params.get(parameter.name) == ():
            continue
        if context.get_parameter_source(parameter.name) is click.core.ParameterSource.COMMANDLINE:
            yield parameter


def _refuse_lacking_columns(kind: str, context: click.Context) -> None:
    if kind in OF_ITEMS and (
        lacking := [name for name in ("truth", "a", "b") if context.params.get(name) is None]
    ):
        raise UsageError(
            argument=f"--{kind}",
            what=f"needs --{' and --'.join(lacking)}, too",
            remedy="name the columns",
        )


def _test_of_runs(test: str) -> str:
    """The name of the test for runs. Tests of items are refused, unless they have another name for
    runs.
    """
    for kind, names in (("decisions", OF_DECISIONS), ("cases", OF_CASES)):
        if test in names and test not in (*TESTS, *ELSEWHERE):
            raise UsageError(
                argument="--test",
                what=f"{test} is of --{kind} FILE",
                allowed=Among("of runs", TESTS),
            )
    name: str = choose("--test", test, TESTS, ELSEWHERE, INSTEAD_OF_SEVERAL)
    return name


def _of_items(typed: dict[str, Any]) -> dict[str, Any] | None:
    """The typed options for decisions or scores of items, which are removed from `typed`; None if
    runs are compared.
    """
    options.check_exclusive({name: typed[name] for name in OF_ITEMS})
    kind = next((name for name in OF_ITEMS if typed[name] is not None), None)
    _refuse_other_kinds(kind or "runs")
    options_of_items = {
        name: typed.pop(name) for own in OF_ITEMS.values() for name in own if name in typed
    }
    if kind is None:
        typed["test"] = _test_of_runs(typed["test"])
        options.check_resamples(typed["test"], typed["correction"])
        return None
    if not options_of_items.get("interval"):
        options.check_resamples(typed["test"])
    choices = {name: typed[name] for name in ("test", "level", "resamples", "input_format")}
    if kind == "cases":
        choices["higher_is_better"] = not typed["lower_is_better"]
    return {"kind": kind} | {name: options_of_items[name] for name in OF_ITEMS[kind]} | choices


def _compare_items(
    told: dict[str, Any], measures: tuple[str, ...] | None, seed: int, form: str, output: str | None
) -> int:
    """Compare two systems' decisions, or scores, in a table."""
    from precall.cases.table import about
    from precall.cli import files
    from precall.cli.outputs import write_sheet
    from precall.hard_decisions import table_io as item_tables
    from precall.read.sources import label_of

    kind = told.pop("kind")
    file, format = told.pop(kind), told.pop("input_format")
    files.check([file], output)
    options.check_exclusive({"separator": told.get("separator"), "positive": told["positive"]})
    if format == "trec":
        raise UsageError(
            argument="--input-format",
            what=f"of {kind} {', '.join(TABLES)}",
            got=Fact(format),
        )
    if kind == "cases":
        for name in ("test", "resamples"):
            source = click.get_current_context().get_parameter_source(name)
            if source != click.core.ParameterSource.COMMANDLINE:
                del told[name]  # each measure has its own
    compare = item_tables.compare_cases if kind == "cases" else item_tables.compare_decisions
    with about(label_of(file)):
        pairs = compare(file, **told, measures=measures, format=format, rng=seed)
    return write_sheet(pairs.sheet(), form, output)


def measures_of(
    measures: tuple[str, ...], wanted: dict[str, float | None]
) -> tuple[str, ...] | None:
    """The measures: those that were named, and those that gates need; None if there are none."""
    named = [name for name in wanted if name != ANY]
    return tuple(dict.fromkeys([*measures, *named])) or None


def gates_of(texts: tuple[str, ...]) -> dict[str, float | None]:
    """Measures of --fail-if-worse with their margins."""
    wanted: dict[str, float | None] = {}
    for text in texts:
        name, margin = gate_of(text)
        if name in wanted:
            raise UsageError(
                argument=f"--fail-if-worse {text}",
                what=f"{name} was given already",
                remedy="give each measure once",
            )
        wanted[name] = margin
    return wanted


def gate_of(text: str) -> tuple[str, float | None]:
    """Measure and margin from a value of --fail-if-worse."""
    # Text in brackets belongs to the measure.
    if re.search(":.*:|=", re.sub(r"\(.*\)|\{.*\}", "", text)):
        allowed = "MEASURE or MEASURE:MARGIN, such as AP:0.01"
        raise UsageError(argument="--fail-if-worse", allowed=allowed, got=text)
    name, colon, tail = text.rpartition(":")
    if not colon or "}" in tail or ")" in tail:
        return text, None
    try:
        margin = typed_number(tail)
    except ValueError:
        margin = math.nan
    if not name or not 0 < margin < math.inf:
        raise UsageError(
            argument=f"--fail-if-worse {text}", what="the margin must be a number > 0", got=tail
        )
    return name, margin
