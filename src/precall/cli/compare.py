"""`precall compare`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from precall.cli import kinds, options
from precall.cli.kinds import CommandOfKinds
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
    from precall.cli.inputs import Inputs
    from precall.evaluation.report import Report
    from precall.location import Located
    from precall.page.sections import SectionPart
    from precall.stats.tests.comparisons import Comparisons
    from precall.stats.tests.gating import Gates

F = TypeVar("F", bound=Callable[..., Any])

#: Exit code if a gate of --fail-if-worse failed.
FAILED = 1
#: The word by which --fail-if-worse means every measure that it does not name.
ANY = "any"

#: Options of cases and decisions that tests of a margin do not take.
_NOT_OF_MARGINS = (
    "weight",
    "missed",
    "resamples",
    "correction",
    "interval",
    "average",
    "categories",
    "separator",
    "ratio",
)

EXIT_CODES = """\b
Exit codes:
  0    done, and no gate failed
  1    a gate of --fail-if-worse failed
  2    the command line or the input is wrong; the message says what to do
"""


def _of_items(function: F) -> F:
    """Options for decisions or scores of items. Decorators are listed from the bottom up."""
    for option in (
        click.option(
            "--missed",
            type=options.Whole(min=0),
            default=0,
            metavar="N",
            help="Relevant cases that FILE lacks because all systems missed them.",
        ),
        options.weight,
        click.option(
            "--ratio", is_flag=True, help="Add the ratio of both values, with its interval."
        ),
        click.option(
            "--curves",
            type=click.Choice(("pr", "roc")),
            help="Instead of measures: where the precision-recall or ROC curve of one score lies "
            "above that of another, with a band of the difference.",
        ),
        options.interval(
            "the difference of decisions",
            OF_DIFFERENCES,
            "; left out: tango for recall and other shares, mover for other measures",
        ),
        click.option(
            "--average",
            type=click.Choice(options.AVERAGES),
            help="Average over several categories.",
        ),
        options.column(
            "--groups",
            help="Column of groups, such as documents or patients. A group is exchanged as a "
            "whole.",
        ),
        click.option(
            "--positive",
            metavar="LABEL",
            help="Label of the relevant cases, if not 1 or true; of decisions the only category "
            "to compare.",
        ),
        options.categories,
        options.separator,
        options.column("--b", help="The former name of a second --score or --decision.", old=True),
        options.column("--a", help="The former name of a first --score or --decision.", old=True),
        options.file("--decisions", help="The former place of a FILE of decisions."),
        options.file("--cases", help="The former place of a FILE of scored cases."),
        options.column(
            "--decision",
            multiple=True,
            help="Column of a system's decisions; repeat for each system.",
        ),
        options.column("--truth", help="Column of the true categories."),
        options.column(
            "--score", multiple=True, help="Column of a system's scores; repeat for each system."
        ),
        click.option(
            "--kind",
            type=click.Choice(("not-worse", "equivalent")),
            metavar="CLAIM",
            help="What --margin is to show: that the first is not worse (default), or that both "
            "are equivalent.",
        ),
        click.option(
            "--margin",
            type=options.Number(),
            metavar="D",
            help="Test whether the first of two systems is not worse than the second by D or more: "
            "by AUC of scores, or by R, specificity or accuracy of decisions; one-sided at 2.5 %.",
        ),
        options.column(
            "--cohorts",
            help="Column of cohorts, such as hospitals: one --score is compared between them.",
        ),
        options.column("--label", help="Column that says which cases are relevant."),
    ):
        function = option(function)
    return function


@click.command("compare", cls=CommandOfKinds, context_settings=options.HELP, epilog=EXIT_CODES)
@click.argument("qrels", type=click.Path(allow_dash=True), required=False, metavar="QRELS|FILE")
@click.argument("runs", type=click.Path(allow_dash=True), nargs=-1, metavar="RUN RUN...")
@options.lists
@_of_items
@options.measures("Measure to compare by; repeat for more.")
@click.option(
    "--test",
    type=options.Named(tuple(dict.fromkeys((*TESTS, *OF_DECISIONS, *OF_CASES))), depends=True),
    default="randomization",
    metavar="NAME",
    help=(
        "Significance test. For runs: randomization (default), t, wilcoxon, sign, bootstrap; for "
        "decisions: randomization (default), mcnemar, wgs, t, wilcoxon, sign and others; for "
        "cases: permutation "
        "(default of AP), delong (default of AUC), bootstrap and others."
    ),
)
@click.option(
    "--correction",
    type=options.Named(CORRECTIONS),
    default="holm",
    show_default=True,
    metavar="NAME",
    help=(
        "Correction of p for the number of pairs of a measure: holm, hochberg, bh, by or none; "
        "tukey (for runs) replaces the test by randomised Tukey HSD."
    ),
)
@click.option(
    "--baseline",
    metavar="NAME",
    shell_complete=options.run_names,
    help="Compare this run with each other run (default: every pair).",
)
@click.option(
    "--by",
    type=click.Path(allow_dash=True),
    metavar="FILE|COLUMN",
    help="Also compare within groups of topics, such as languages: FILE or COLUMN as for eval. "
    "p is adjusted for the pairs of all groups.",
)
@options.topic_weights
@click.option(
    "--systems",
    metavar="PATTERN|FILE",
    help=(
        "Compare systems that have several runs each, such as one for each seed. A pattern of run "
        "names, such as {system}.{seed}; or a FILE with a run and its system on each line."
    ),
)
@click.option(
    "--fail-if-worse",
    "gates",
    multiple=True,
    metavar="MEASURE[:MARGIN]",
    help=(
        "Exit with 1 if a run is significantly worse than the baseline (default: the first run). "
        "With a margin: if a loss of that size cannot be ruled out. Repeat for more; any "
        "means all other measures."
    ),
)
@click.option(
    "--junit",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help=(
        "Also write the gates of --fail-if-worse as JUnit XML: a test case for each measure and "
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
@options.level("Level of intervals; p is significant at 1 - L.", "L")
@options.seed("random numbers")
@click.option(
    "--resamples",
    type=options.Whole(min=1),
    default=100_000,
    show_default=True,
    metavar="N",
    help="Number of random samples, if p is not exact.",
)
@options.unpaired("--topics qrels counts them as 0.")
@options.per_topic
@options.plot(
    tuple(OF_COMPARISONS),
    "the first measure's comparison",
    (
        f"What to draw: {', or '.join(list_words('two runs'))} (both for two runs only); "
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
@options.qrels_format
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
    by: str | None,
    topic_weights: str | None,
    systems: str | None,
    form: str,
    output: str | None,
    **typed: Any,
) -> int:
    """Compare systems: do they differ by more than chance?

    The named columns tell what is compared. Without any, the files are judgements QRELS and runs.
    With --label and --score they are scores of the cases in FILE, with --truth and --decision
    decisions about its items. --help runs, --help cases and --help decisions show the options of
    each.

    Prints the verdicts, then one table. For two systems it has both means, their difference, its
    interval and p. For several it has their means: systems that share a letter do not differ
    significantly. A star marks a significant difference. --all adds each pair, effect sizes and the
    analysis of variance. LaTeX and Markdown show the one table of a paper, with its caption.

    \b
    Examples:
      precall compare news.qrels bm25.run dense.run -m AP -m nDCG@10
      precall compare news.qrels *.run -m AP --baseline bm25 --correction bh
      precall compare news.qrels *.run -m AP --correction tukey --seed 1 --plot tukey.svg
      precall compare news.qrels *.run -m AP -m P@10 --baseline bm25 --format latex -o table.tex
      precall compare news.qrels old.run new.run -m AP --fail-if-worse AP
      precall compare news.qrels old.run new.run -m AP --fail-if-worse AP:0.01
      precall compare news.qrels *.run --baseline old --fail-if-worse any --junit gates.xml --github-summary
      precall compare news.qrels bm25.run dense.run -m AP --topic-weights traffic.csv
      precall compare news.qrels *.run -m AP --systems systems.tsv
      precall compare news.qrels bm25.run dense.run -m AP --by languages.tsv
      precall compare web.qrels bm25.run dense.run -m alpha-nDCG@20 -m ERR-IA@20
      precall compare --lists old.jsonl --lists new.jsonl -m Recall@5 -m MRR
      precall compare cases.csv --label y --score s --score t -m AUC
      precall compare cases.csv --label y --score s --score t --groups patient -m 'AUC(max_fpr=0.2)'
      precall compare cases.csv --label y --score s --cohorts hospital -m AUC
      precall compare cases.csv --label y --score s --score t --margin 0.05
      precall compare cases.csv --label y --score s --score t --curves pr --plot difference.svg
      precall compare said.csv --truth t --decision p --decision q
      precall compare said.csv --truth t --decision p --decision q -m F --test t --interval
    """  # noqa: E501
    seed = seed or 0
    context = click.get_current_context()
    kind = kinds.kind_of(context.params)
    kinds.refuse_other_kinds(kind, context)
    if kind != "runs":
        columns = kinds.columns_of(kind, context)
        if typed["curves"] is not None:
            return _compare_curves(columns, typed, seed, plot, form, output)
        if plot is not None:
            raise UsageError(
                argument="--plot",
                what="draws runs, or the difference of --curves",
                remedy="add --curves pr, or leave it out",
            )
        return _compare_items(columns, typed, measures or None, seed, form, output)
    for name in kinds.OF_ITEMS:
        typed.pop(name)
    typed["test"] = _test_of_runs(typed["test"])
    options.check_resamples(typed["test"], typed["correction"])
    from precall.cli import files, outputs
    from precall.cli.inputs import Inputs
    from precall.cli.topic_groups import groups_for
    from precall.comparison import api as comparison
    from precall.comparison.reports import baseline_of

    requested = {
        name: typed.pop(name)
        for name in ("test", "correction", "baseline", "level", "resamples", "unpaired")
    }
    wanted = gates_of(gates)
    worse = tuple(name for name in wanted if name not in measures)
    inputs = Inputs(conventions=options.conventions_of(typed), worse=worse, **typed)
    outputs.check_picture(plot, plot_kind)
    inputs.check(runs=2)
    if systems is not None:
        return _compare_systems(
            systems,
            by,
            topic_weights,
            inputs,
            measures,
            requested,
            seed,
            github_summary,
            form,
            output,
        )
    targets = Told(junit, outputs.github_summary() if github_summary else None, output)
    if junit is not None and not wanted:
        raise UsageError(
            argument="--junit",
            what="writes the results of gates, and there are none",
            remedy="give gates, such as --fail-if-worse any",
        )
    groups = groups_for(by, inputs)
    read = [*inputs.paths, *groups.files, *filter(None, [topic_weights])]
    files.check(read, output, targets.summary, plot=plot, junit=junit)
    located: list[Located] | None = [] if form == "html" else None
    with outputs.Progress(len(inputs.systems)) as progress:
        report = inputs.evaluate(
            measures_of(measures, wanted),
            progress,
            seed,
            located,
            by=groups.read(),
            topic_weights=topic_weights,
        )
    if gates or requested["baseline"] is not None:
        requested["baseline"] = baseline_of(report, requested["baseline"])
    if located is not None:
        from precall.page.runs import best_first

        report, located = best_first(report, located)
    pairs = comparison.compare(report, rng=seed, **requested)
    judged = None
    if wanted:
        judged = comparison.compare.gates(
            report,
            wanted,
            comparisons=pairs,
            unpaired=requested["unpaired"],
            rng=seed,
            resamples=requested["resamples"],
        )
    if plot is not None:
        from precall.plot import from_result

        outputs.draw(
            from_result.display_of_comparisons(pairs, report, plot_kind, requested["unpaired"]),
            plot,
        )
    return targets.write(
        pairs,
        report if per_topic and located is None else None,
        judged,
        form,
        lambda: inputs.section(
            report, located or [], seed=seed, pairs=pairs, judged=judged, **requested
        ),
    )


#: Options of runs that systems with several runs do not take.
_NOT_OF_SYSTEMS = (
    "test",
    "resamples",
    "gates",
    "junit",
    "per_topic",
    "plot",
    "plot_kind",
)


def _compare_systems(
    systems: str,
    by: str | None,
    topic_weights: str | None,
    inputs: Inputs,
    measures: tuple[str, ...],
    requested: dict[str, Any],
    seed: int,
    github_summary: bool,
    form: str,
    output: str | None,
) -> int:
    """Compare systems that have several runs each."""
    from precall.cli import files, outputs
    from precall.cli.topic_groups import groups_for
    from precall.comparison import api as comparison
    from precall.comparison.several_runs import SEED, SYSTEM
    from precall.read.group_tables import RUNS, read_groups

    for parameter in kinds.typed_parameters(click.get_current_context()):
        if parameter.name in _NOT_OF_SYSTEMS:
            raise UsageError(
                argument=parameter.opts[-1],
                what="does not apply to --systems",
                remedy="leave it out",
            )
    is_pattern = SYSTEM in systems or SEED in systems
    summary = outputs.github_summary() if github_summary else None
    groups = groups_for(by, inputs)
    others = [*([] if is_pattern else [systems]), *groups.files, *filter(None, [topic_weights])]
    files.check([*inputs.paths, *others], output, summary)
    by_system: dict[str, list[str]] = {}
    if not is_pattern:
        for run, system in read_groups(systems, RUNS).items():
            by_system.setdefault(system, []).append(run)
    with outputs.Progress(len(inputs.systems)) as progress:
        report = inputs.evaluate(
            measures_of(measures, {}),
            progress,
            seed,
            by=groups.read(),
            topic_weights=topic_weights,
        )
    choices = {name: requested[name] for name in ("correction", "baseline", "level", "unpaired")}
    pairs = comparison.compare.seeds(report, by_system or systems, **choices)
    targets = Told(None, summary, output)
    return targets.write(pairs, None, None, form, None)


class Told(NamedTuple):
    """Where the comparison is written besides the output."""

    junit: str | None
    summary: str | None
    output: str | None

    def write(
        self,
        pairs: Comparisons,
        report: Report | None,
        judged: Gates | None,
        form: str,
        section: Callable[[], SectionPart[Any]] | None,
    ) -> int:
        """Write to all of them, and return the exit code."""
        from precall.cli import outputs
        from precall.core.saving import append
        from precall.core.text import encode_utf8
        from precall.results.forms import render
        from precall.stats.tests.comparison_sheet import compare_sheet

        # The section of a page has the gates already.
        gates_of_sheet = judged.gates if judged and form != "html" else ()
        sheet = compare_sheet(pairs, report, gates_of_sheet).sheet(source=pairs)
        if judged is not None and self.junit is not None:
            outputs.write(render(judged.sheet(), "junit"), self.junit)
        if self.summary is not None:
            # Warnings about the data follow the comparisons.
            gates = judged and judged.without_notes(pairs.notes)
            shown = (each.to_markdown() for each in (gates, compare_sheet(pairs)) if each)
            append(encode_utf8("\n".join(shown)), self.summary)
        outputs.write_sheet(sheet, form, self.output, section)
        return status_of(judged)


def status_of(judged: Gates | None) -> int:
    """The exit code of gates. Failed gates are written to standard error: each with its reason, or
    many in a line for each measure; and so are those that could not have failed.
    """
    from precall.cli import outputs
    from precall.core.notes import sentences
    from precall.stats.tests.gate_sheet import FEW
    from precall.stats.tests.gating import losses_in_words

    lost = judged.failed if judged is not None else ()
    for line in map(str, lost) if len(lost) <= FEW else losses_in_words(lost):
        outputs.say("failed", line)
    for line in sentences(note for _, note in judged.idle) if judged is not None else ():
        outputs.say("warning", line)
    return FAILED if lost else 0


def _test_of_runs(test: str) -> str:
    """The name of the test for runs. Tests of items are refused, unless they have another name for
    runs.
    """
    for kind, names in (("decisions", OF_DECISIONS), ("cases", OF_CASES)):
        if test in names and test not in (*TESTS, *ELSEWHERE):
            raise UsageError(
                argument="--test",
                what=f"{test} applies to {kinds.WORDS[kind]}",
                allowed=Among("tests of runs are", TESTS),
            )
    name: str = choose("--test", test, TESTS, ELSEWHERE, INSTEAD_OF_SEVERAL)
    return name


def _compare_items(
    columns: kinds.ItemColumns,
    typed: dict[str, Any],
    measures: tuple[str, ...] | None,
    seed: int,
    form: str,
    output: str | None,
) -> int:
    """Compare systems' decisions, or scores, in a table."""
    from precall.cases.table import about
    from precall.cli import files
    from precall.cli.outputs import write_sheet
    from precall.hard_decisions import table_io
    from precall.read.sources import label_of

    kind, file, truth, systems = columns
    choices = {name: typed[name] for name in kinds.choices_of(kind) if name != "curves"}
    choices |= {name: typed[name] for name in ("correction", "level", "test", "resamples")}
    files.check([file], output)
    _refuse_trec(typed["input_format"], kind)
    if typed["correction"] == "tukey":
        raise UsageError(
            argument="--correction",
            what=f"tukey applies to runs; this command compares {kinds.WORDS[kind]}",
            remedy="take holm, hochberg, bh, by or none",
        )
    if not choices.get("interval"):
        options.check_resamples(typed["test"])
    if kind == "decisions" and typed["test"] == "mcnemar":
        measures = measures or ("accuracy",)
    if kind == "cases":
        choices["higher_is_better"] = not typed["lower_is_better"]
        for name in ("test", "resamples"):
            source = click.get_current_context().get_parameter_source(name)
            if source != click.core.ParameterSource.COMMANDLINE:
                del choices[name]  # each measure has its own
    margin, claim = choices.pop("margin", None), choices.pop("kind", None)
    if margin is not None:
        return _test_margin(columns, choices, margin, claim, measures, form, output)
    if claim is not None:
        raise UsageError(argument="--kind", what="needs --margin", remedy="give both")
    if typed["cohorts"] is not None:
        with about(label_of(file)):
            pairs = table_io.compare_cohorts(
                file,
                truth,
                systems[0],
                measures=measures,
                format=typed["input_format"],
                **_of_cohorts(choices),
            )
        return write_sheet(pairs.sheet(), form, output)
    choices.pop("cohorts", None)
    (a, b, *others) = systems
    compare = table_io.compare_cases if kind == "cases" else table_io.compare_decisions
    with about(label_of(file)):
        pairs = compare(
            file,
            truth,
            a,
            b,
            measures,
            others=others,
            format=typed["input_format"],
            rng=seed,
            **choices,
        )
    return write_sheet(pairs.sheet(), form, output)


def _refuse_trec(format: str | None, kind: str) -> None:
    if format == "trec":
        raise UsageError(
            argument="--input-format",
            what=f"tables of {kinds.WORDS[kind]} are {', '.join(TABLES)}",
            got=Fact("trec"),
        )


#: Options of `compare` that --curves has no use for.
_NOT_OF_CURVES = ("measures", "test", "correction", "weight", "margin", "kind", "cohorts")


def _compare_curves(
    columns: kinds.ItemColumns,
    typed: dict[str, Any],
    seed: int,
    plot: str | None,
    form: str,
    output: str | None,
) -> int:
    """Compare the curves of two scores in a table."""
    from precall.cases.table import about
    from precall.cli import files, outputs
    from precall.hard_decisions.table_io import compare_curves
    from precall.read.sources import label_of

    kind, file, truth, systems = columns
    for parameter in kinds.typed_parameters(click.get_current_context()):
        if parameter.name in _NOT_OF_CURVES:
            raise UsageError(
                argument=parameter.opts[-1],
                what="does not apply to --curves",
                remedy="leave it out",
            )
    if len(systems) != 2:
        raise UsageError(
            argument="--curves",
            what="compares two scores",
            got=Fact(len(systems)),
            remedy="give two",
        )
    _refuse_trec(typed["input_format"], kind)
    outputs.check_picture(plot, None)
    files.check([file], output, plot=plot)
    context = click.get_current_context()
    if context.get_parameter_source("resamples") != click.core.ParameterSource.COMMANDLINE:
        typed["resamples"] = None
    with about(label_of(file)):
        found = compare_curves(
            file,
            truth,
            *systems,
            typed["curves"],
            format=typed["input_format"],
            higher_is_better=not typed["lower_is_better"],
            rng=seed,
            **{
                name: typed[name] for name in ("positive", "groups", "missed", "level", "resamples")
            },
        )
    if plot is not None:
        from precall.plot import CurveDifference

        outputs.draw(CurveDifference.from_comparison(found).plot(), plot)
    return outputs.write_sheet(found.sheet(), form, output)


def _test_margin(
    columns: kinds.ItemColumns,
    choices: dict[str, Any],
    margin: float,
    claim: str | None,
    measures: tuple[str, ...] | None,
    form: str,
    output: str | None,
) -> int:
    """Test a margin between two systems of a table, and write the result."""
    from precall.cases.table import about, describe_table
    from precall.cli.outputs import write_sheet
    from precall.comparison import margin_tables
    from precall.core.conventions import good_scores
    from precall.read.sources import label_of

    if measures and len(measures) > 1:
        raise UsageError(
            argument="--margin",
            what="applies to one measure",
            got=Fact(" and ".join(measures)),
            remedy="test them one after the other",
        )
    context = click.get_current_context()
    typed_names = {parameter.name for parameter in kinds.typed_parameters(context)}
    for name in _NOT_OF_MARGINS:
        if name in typed_names:
            raise UsageError(
                argument=f"--{name}", what="does not apply to --margin", remedy="leave it out"
            )
    taken = ("positive", "groups", "cohorts", "higher_is_better")
    wanted = {name: choices[name] for name in taken if name in choices}
    # The test and the level of a margin have other defaults.
    wanted |= {name: choices[name] for name in ("test", "level") if name in typed_names}
    test = (
        margin_tables.scores_within if columns.kind == "cases" else margin_tables.decisions_within
    )
    with about(label_of(columns.file)):
        found = test(
            columns.file,
            columns.truth,
            columns.systems,
            measures[0] if measures else None,
            margin=margin,
            kind=(claim or "not-worse").replace("-", " "),
            format=context.params["input_format"],
            **wanted,
        )
    sheet = found.sheet()
    conventions = describe_table(
        label_of(columns.file),
        truth=columns.truth,
        positive=wanted.get("positive"),
        groups=wanted.get("groups"),
        cohorts=wanted.get("cohorts"),
        good=good_scores(wanted["higher_is_better"]) if columns.kind == "cases" else None,
    )
    described = {**conventions, **sheet.conventions}
    return write_sheet(sheet.sheet(conventions=described), form, output)


def _of_cohorts(choices: dict[str, Any]) -> dict[str, Any]:
    """The options of two cohorts; others are refused."""
    for name in ("weight", "missed", "resamples"):
        if choices.pop(name, None):
            raise UsageError(
                argument=f"--{name}", what="does not apply to cohorts", remedy="leave it out"
            )
    return choices


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


def _number(text: str) -> float:
    """The number that a text says; NaN if it says none."""
    try:
        return typed_number(text)
    except ValueError:
        return math.nan


def gate_of(text: str) -> tuple[str, float | None]:
    """Measure and margin from a value of --fail-if-worse."""
    from precall.cli.inputs import COMMA

    parts = [part.strip() for part in re.split(COMMA, text)]
    # A decimal comma, as in AP:0,01, separates nothing.
    if len(parts) > 1 and all(part and math.isnan(_number(part)) for part in parts):
        repeated = " ".join(f"--fail-if-worse {part}" for part in parts)
        raise UsageError(
            argument="--fail-if-worse",
            allowed="one measure",
            got=text,
            remedy=f"give each its own option: {repeated}",
        )
    # Text in brackets belongs to the measure.
    if re.search(":.*:|=", re.sub(r"\(.*\)|\{.*\}", "", text)):
        allowed = "MEASURE or MEASURE:MARGIN, such as AP:0.01"
        raise UsageError(argument="--fail-if-worse", allowed=allowed, got=text)
    name, colon, tail = text.rpartition(":")
    if not colon or "}" in tail or ")" in tail:
        if not math.isnan(_number(text)):
            allowed = "MEASURE:MARGIN, such as AP:0.01"
            raise UsageError(argument="--fail-if-worse", allowed=allowed, got=text)
        return text, None
    margin = _number(tail)
    if not name or not 0 < margin < math.inf:
        raise UsageError(
            argument=f"--fail-if-worse {text}", what="the margin must be a number > 0", got=tail
        )
    return name, margin
