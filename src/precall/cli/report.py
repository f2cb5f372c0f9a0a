"""`precall report`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from precall.cli import options
from precall.cli.compare import compare, gates_of, measures_of, status_of
from precall.cli.curve import curve
from precall.cli.kinds import OF_RUNS
from precall.cli.topic_groups import files_of_groups, groups_for
from precall.core.conventions import Conventions
from precall.core.errors import UsageError
from precall.core.text import join_in_sentence, many
from precall.read.formats import FORMATS

if TYPE_CHECKING:
    from precall.page.sections import SectionPart

CHANCE = ("best", "all", "none")
_RUNS = (
    "measures",
    "test",
    "correction",
    "level",
    "seed",
    "resamples",
    "unpaired",
    "qrels_columns",
    "qrels_format",
    "threads",
    "plugins",
    "lists",
    "baseline",
    "gates",
    "by",
    "topic_weights",
)
_CASES = ("label", "scores", "positive", "group", "weight", "missed", "memory")
_CONVENTIONS = tuple(
    choice.name for choice in fields(Conventions) if choice.name not in options.OF_ONE
)
#: The pages that an option is for, if not for every page.
_FOR = {
    **dict.fromkeys((*_RUNS, *_CONVENTIONS, "chance"), ("runs",)),
    **dict.fromkeys(_CASES, ("cases",)),
    **dict.fromkeys(("truth", "pattern", "policy", "separator"), ("categories",)),
    **dict.fromkeys(("level", "seed"), ("runs", "cases", "categories")),
    "undefined": ("runs", "categories"),
    "correction": ("runs", "cases"),
    "lower_is_better": ("runs", "cases"),
    "memory": ("runs", "cases"),
}
_KINDS = {"runs": "runs", "cases": "scored cases", "categories": "scores of categories"}
_COMPARING = ("test", "correction", "resamples", "unpaired", "baseline", "gates")


def borrow_options(
    command: click.Command, names: tuple[str, ...], **helps: str
) -> Callable[[Any], Any]:
    """Options of another command, by the names of its parameters; none of them is required here.

    `helps` has the help texts that differ here.
    """
    options_by_name = {
        option.name: option for option in command.params if isinstance(option, click.Option)
    }

    def add(function: Any) -> Any:
        taken = [copy(options_by_name[name]) for name in names]
        for option in taken:
            option.required = False
            option.help = helps.get(str(option.name), option.help)
        # Decorators are listed from the bottom up.
        function.__click_params__ = [*getattr(function, "__click_params__", []), *reversed(taken)]
        return function

    return add


@click.command("report", context_settings=options.HELP)
@click.argument("inputs", type=click.Path(allow_dash=True), nargs=-1, metavar="[QRELS RUN...|FILE]")
@click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="Write the page to FILE; - is standard output.",
)
@click.option(
    "--title", metavar="TEXT", help="Heading of the page (default: the names of the systems)."
)
@borrow_options(
    compare,
    _RUNS,
    test=f"Significance test of runs: {OF_RUNS}",
    by="Also show averages of groups of topics, such as languages: FILE or COLUMN as for eval.",
)
@options.conventions(leave_out=options.OF_ONE, ties="Items of equal score, as for eval.")
@click.option(
    "--chance",
    type=click.Choice(CHANCE),
    default="best",
    show_default=True,
    help="Runs to test against random selection. A test takes seconds for each 100 topics.",
)
@options.file("--cases", help="The former place of a FILE of scored cases.")
@borrow_options(curve, _CASES, group="Column of groups, each of which has its own curves.")
@options.column("--truth", help="Column of the true categories.")
@click.option(
    "--scores", "pattern", metavar="PATTERN", help="Columns of category scores, such as 'p*'."
)
@click.option(
    "--policy",
    metavar="POLICY",
    shell_complete=options.policies,
    help="Policy of decisions, as for categories (default if each item has one category: the "
    "best-scored one).",
)
@options.separator
@click.option(
    "--input-format",
    type=click.Choice(FORMATS),
    help=f"Format of the inputs: {join_in_sentence(FORMATS, 'or')} (default: by file name).",
)
@click.option(
    "--from",
    "source",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="Read a page back and print its numbers; - is standard input.",
)
@click.option(
    "--format",
    "form",
    type=options.FormOption(),
    help="With --from: format of the output (default: table, or that of the ending of --output).",
)
@options.max_expansion
def report(
    inputs: tuple[str, ...],
    output: str | None,
    title: str | None,
    source: str | None,
    form: str | None,
    **typed: Any,
) -> int:
    """Write a page about runs, scored cases or category scores: one HTML file with charts and
    all numbers.

    The page needs no network. It holds its numbers, and --from reads them back. For QRELS and
    runs it shows averages with intervals, comparisons, topics and hits. With --label and --score
    it shows measures, curves with bands, and thresholds; with --truth and --scores, categories.
    Every other command writes a page with -o page.html.

    \b
    Examples:
      precall report news.qrels bm25.run dense.run -m AP -m P@10 -m nDCG@10 -o report.html
      precall report news.qrels *.run -m AP --baseline bm25 --fail-if-worse AP -o report.html
      precall report news.qrels bm25.run --by languages.tsv -o report.html
      precall report news.qrels bm25.run --topic-weights traffic.csv -o report.html
      precall report --lists rag.jsonl -m Recall@5 -m MRR -o report.html
      precall report cases.csv --label y --score a --score b -o report.html
      precall report items.csv --truth t --scores 'p*' -o report.html
      precall report --from report.html
      precall report --from report.html --format json
    """
    from precall.cli import files, outputs

    if typed["cases"] is not None:
        inputs = (typed["cases"], *inputs)
    named = [*inputs, *typed["lists"]]
    if source is not None:
        if inputs:
            raise UsageError(
                argument="--from",
                what="reads a page back",
                remedy="leave the inputs out, or --from",
            )
        for option in _options_on_line((*_FOR, "title", "input_format")):
            raise UsageError(
                argument="--from", what="reads a page back", remedy=f"leave {option} out"
            )
        return _tell(source, form, output)
    if form is not None:
        raise UsageError(
            argument="--format",
            what="applies to --from",
            remedy="a page is always HTML, so leave it out",
        )
    kind = _kind(inputs, typed)
    systems = typed["lists"] or inputs[1:]
    _refuse_others(kind, systems, typed)
    if output is None:
        raise UsageError(
            argument="--output",
            what="is missing",
            remedy="name the file of the page, such as -o report.html",
        )
    besides = [*files_of_groups(typed["by"]), *filter(None, [typed["topic_weights"]])]
    files.check([*named, *besides], output, folders=kind == "cases")
    from precall.page.document import html
    from precall.page.record import describe_files, page_of
    from precall.page.sections import Systems
    from precall.read.sources import is_data_set
    from precall.results.forms import check_ending

    check_ending(output, pages=True, option="--output ")

    seed = typed.pop("seed") or 0
    of_kind: dict[str, Callable[..., SectionPart[Any] | list[SectionPart[Any]]]] = {
        "runs": _runs,
        "cases": _cases,
        "categories": _categories,
    }
    made = of_kind[kind](inputs, seed, **typed)
    sections = made if isinstance(made, list) else [made]
    on_disk = (path for path in named if path != "-" and not is_data_set(path))
    described = [facts for path in on_disk for facts in describe_files(path)]
    outputs.write(
        html(page_of(sections, title, command=outputs.command_line(), files=described)), output
    )
    first = sections[0].section
    return status_of(first.gates if isinstance(first, Systems) else None)


def _tell(source: str, form: str | None, output: str | None) -> int:
    """Print the content of a page, in the given form or the one that the output's ending
    selects.
    """
    from precall.cli import files, outputs
    from precall.page.document import tell
    from precall.results.forms import check_ending

    files.check([source], output)
    bold, width = outputs.screen(output)
    form = form or ("html" if str(output).endswith((".html", ".htm")) else "table")
    if output is not None:
        check_ending(output, pages=form == "html", option="--output ")
    outputs.write(tell(source, form, bold=bold, width=width), output, bold=bold and form == "table")
    return 0


class _Given(NamedTuple):
    """The inputs of a page, as typed."""

    inputs: tuple[str, ...]
    cases: bool
    categories: bool
    lists: bool
    typed: dict[str, Any]

    @property
    def kind(self) -> str:
        return "cases" if self.cases else "categories" if self.categories else "runs"

    def has(self, *names: str) -> list[bool]:
        """For each of these options, whether it was given."""
        return [self.typed[name] not in (None, ()) for name in names]


#: Contradictions, in the order in which they are checked: a condition, and the message of the
#: refusal.
_REFUSALS: tuple[tuple[Callable[[_Given], Any], str], ...] = (
    (
        lambda given: any(given.has("policy")) and (given.cases or not given.categories),
        "--policy: applies to scores of categories; give --truth and --scores, or leave it out",
    ),
    (
        lambda given: given.cases and given.categories,
        "--label and --score apply to scored cases, --truth and --scores to categories; leave out "
        "one of the two",
    ),
    (
        lambda given: given.cases and not all(given.has("label", "scores")),
        "--label COLUMN and --score COLUMN belong together; give both",
    ),
    (
        lambda given: given.cases and len(given.inputs) != 1 and not given.lists,
        "--label and --score name columns of one FILE, got {}; name one",
    ),
    (
        lambda given: given.cases and given.typed["correction"] == "tukey",
        "--correction tukey: applies to runs; take holm, hochberg, bh, by or none",
    ),
    (
        lambda given: given.categories and not all(given.has("truth", "pattern")),
        "--truth COLUMN and --scores 'PATTERN' belong together; give both",
    ),
    (
        lambda given: given.categories and len(given.inputs) != 1,
        "--truth and --scores name columns of one FILE, got {}; name one",
    ),
    (
        lambda given: given.lists and (given.inputs or given.cases),
        "--lists FILE: has both the gold and the retrieved ids; leave other files out",
    ),
    (
        lambda given: given.kind == "runs" and not given.lists and len(given.inputs) < 2,
        (
            "QRELS and a RUN or more are needed, got {}; name them, or give --lists, or "
            "columns of one FILE: --label and --score, or --truth and --scores"
        ),
    ),
)


def _kind(inputs: tuple[str, ...], typed: dict[str, Any]) -> str:
    """The kind of the inputs. Contradictory options are refused before anything is read."""
    of_categories = typed["truth"] is not None or typed["pattern"] is not None
    of_cases = any(typed[name] not in (None, ()) for name in ("cases", "label", "scores"))
    typed_inputs = _Given(inputs, of_cases, of_categories, bool(typed["lists"]), typed)
    for holds, message in _REFUSALS:
        if holds(typed_inputs):
            raise UsageError(message.format(many(len(inputs), "file")))
    return typed_inputs.kind


def _options_on_line(names: Iterable[str]) -> Iterator[str]:
    """Those of these options that stand on the command line, in their typed spelling."""
    context = click.get_current_context()
    written = {option.name: option.opts[-1] for option in context.command.params}
    typed = click.core.ParameterSource.COMMANDLINE
    return (written[name] for name in names if context.get_parameter_source(name) is typed)


def _refuse_others(kind: str, systems: tuple[str, ...], typed: dict[str, Any]) -> None:
    """Refuse options of other pages, and options of comparisons if nothing is compared."""
    for name, kinds in _FOR.items():
        for option in _options_on_line([name] if kind not in kinds else []):
            wanted = " and ".join(_KINDS[each] for each in kinds)
            raise UsageError(
                argument=option, what=f"applies to {wanted}, not to {_KINDS[kind]}; leave it out"
            )
    if kind != "runs" and typed["input_format"] == "trec":
        raise UsageError(
            argument="--input-format trec",
            what=f"applies to runs, not to {_KINDS[kind]}",
            remedy="name another format",
        )
    alone, why = len(systems) == 1, "there is one run"
    if kind == "cases":
        alone, why = len(typed["scores"]) == 1, "there is one score"
        for name in ("group", "weight", "missed"):
            if typed[name]:
                alone, why = True, f"--{name} leaves none"
    for option in _options_on_line(_COMPARING if alone else ()):
        raise UsageError(argument=option, what=f"applies to comparisons, but {why}; leave it out")
    options.check_resamples(typed["test"], typed["correction"])


def _runs(
    inputs: tuple[str, ...],
    seed: int,
    *,
    measures: tuple[str, ...],
    chance: str,
    qrels_columns: dict[str, str] | None,
    qrels_format: str | None,
    input_format: str | None,
    threads: int | None,
    level: float,
    test: str,
    correction: str,
    resamples: int,
    unpaired: str,
    lists: tuple[str, ...],
    baseline: str | None,
    gates: tuple[str, ...],
    memory: int | None,
    by: str | None,
    topic_weights: str | None,
    **typed: Any,
) -> list[SectionPart[Any]]:
    """The section of runs, measured against judgements, and that of groups of topics."""
    from precall.cli import outputs
    from precall.cli.inputs import Inputs
    from precall.page.runs import read_runs

    wanted = gates_of(gates) if gates else {}
    conventions = options.conventions_of(typed)
    names = measures_of(measures, wanted)
    qrels = inputs[0] if inputs else None
    run_inputs = Inputs(
        qrels,
        inputs[1:],
        conventions,
        qrels_columns,
        input_format,
        threads,
        lists,
        memory,
        tuple(name for name in wanted if name not in measures),
        qrels_format,
    )
    run_inputs.check()
    with outputs.Progress(len(run_inputs.systems)) as progress:
        return read_runs(
            conventions,
            *run_inputs.read(names),
            names,
            threads=threads,
            chance=chance,
            level=level,
            rng=seed,
            progress=run_inputs.telling(progress),
            test=test,
            correction=correction,
            resamples=resamples,
            unpaired=unpaired,
            baseline=baseline,
            worse=wanted or None,
            by=groups_for(by, run_inputs).read(),
            topic_weights=topic_weights,
        )


def _cases(
    inputs: tuple[str, ...],
    seed: int,
    *,
    label: str,
    scores: tuple[str, ...],
    positive: str | None,
    group: str | None,
    weight: str | None,
    missed: int,
    lower_is_better: bool,
    input_format: str | None,
    level: float,
    correction: str,
    memory: int | None,
    **rest: Any,
) -> SectionPart[Any]:
    """The section of scored cases with labels."""
    from precall.cases.table import cases_of
    from precall.cli import outputs
    from precall.cli.curve import check_columns
    from precall.page.scored import section_of_cases

    check_columns(scores, group, weight, missed, {"compare": (), "null": False})
    with outputs.Progress(2 + len(scores)) as progress:
        progress(0, inputs[0])
        table = cases_of(
            inputs[0],
            label,
            scores,
            positive=positive,
            group=group,
            weight=weight,
            missed=missed,
            higher_is_better=not lower_is_better,
            format=input_format,
            memory=memory,
        )
        progress(1, "comparisons")
        return section_of_cases(table, correction=correction, level=level, rng=seed)


def _categories(
    inputs: tuple[str, ...],
    seed: int,
    *,
    truth: str,
    pattern: str,
    separator: str | None,
    policy: str | None,
    undefined: str,
    input_format: str | None,
    level: float,
    **rest: Any,
) -> SectionPart[Any]:
    """The section of scores of many categories."""
    from precall.cli.categories import reading
    from precall.page.scored import section_of_categories

    with reading(inputs[0], truth, pattern, separator, policy, input_format) as (status, source, _):
        columns = {"truth": truth, "scores": pattern, "separator": separator}
        return section_of_categories(
            status, policy, undefined, level=level, rng=seed, source=source, asked=columns
        )
