"""`precall decisions`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from precall.cli import options
from precall.cli.categories import check_interval
from precall.core.errors import UsageError

if TYPE_CHECKING:
    from precall.hard_decisions import Decisions
    from precall.intervals import Intervals
    from precall.measures import Measure


@click.command("decisions", context_settings=options.HELP)
@click.argument("file", type=click.Path(allow_dash=True))
@options.truth
@options.column(
    "predicted",
    "--decision",
    "--predicted",
    required=True,
    help="Column of the decided categories.",
    remedy="name one, or compare both by `precall compare FILE --truth --decision --decision`",
)
@options.separator
@options.categories
@click.option(
    "--positive",
    metavar="LABEL",
    help="Measure only the decisions about this category.",
)
@options.labels
@options.weight
@options.measures("Add a measure of counts, such as MCC or kappa; repeat for more.")
@options.baselines
@click.option(
    "--confusion",
    is_flag=True,
    help=("Print the confusion matrix instead of measures; --all adds the most frequent errors."),
)
@click.option(
    "--normalize",
    type=click.Choice(("truth", "predicted", "all")),
    help=(
        "Print shares in the confusion matrix: of the true categories (rows sum to 1), of the "
        "decided ones or of all items (default: counts)."
    ),
)
@click.option(
    "--interval",
    is_flag=True,
    help="Add intervals of the values of each category, of accuracy and of both F1.",
)
@click.option(
    "--spans",
    is_flag=True,
    help="FILE has tags of tokens, such as B-PER: measure the spans. --truth and --decision name "
    "columns by place, such as -2 and -1, if a blank line ends each sentence. In JSON lines or "
    "Parquet they may be columns of lists, a row for each sentence.",
)
@options.column("--unit", help="With --spans: column of a table that names the sentence.")
@click.option(
    "--match",
    type=click.Choice(("strict", "boundary", "partial", "type")),
    help="With --spans: what makes a predicted span right. strict (default): type, start and end "
    "of a true span; boundary: start and end; partial: as boundary, and an overlap counts half; "
    "type: the type, and an overlap.",
)
@click.option(
    "--scheme",
    metavar="NAME",
    help="With --spans: the scheme of the tags, such as IOB2 or BIOES (default: guessed).",
)
@click.option(
    "--illegal",
    type=click.Choice(("keep", "drop", "error")),
    help="With --spans: what to do about tags that the scheme forbids (default: keep).",
)
@click.option("--suffix", is_flag=True, help="With --spans: tags are like PER-B, not B-PER.")
@click.option(
    "--prevalence",
    type=options.Number(),
    metavar="Q",
    help=(
        "Add the predictive values, P and NPV, of a population in which this share is relevant, "
        "and those -m measures that depend on it."
    ),
)
@click.option(
    "--joint",
    is_flag=True,
    help="With --interval: also a region of recall and specificity, or of the -m measures: "
    "intervals that hold together at the level.",
)
@options.column(
    "--groups",
    help="Column of groups, such as patients with several lesions: --interval takes groups as the "
    "sample.",
)
@options.level(options.LEVEL_OF_INTERVAL)
@options.seed("--interval")
@options.picture("the confusion matrix")
@options.undefined("categories")
@options.short_form
@options.output
@options.input_format
@options.max_expansion
@options.plugin
def decisions(
    file: str,
    truth: str,
    predicted: str,
    separator: str | None,
    categories: tuple[str, ...] | None,
    positive: str | None,
    labels: tuple[str, ...] | None,
    weight: str | None,
    measures: tuple[str, ...],
    baselines: bool,
    undefined: str,
    form: str,
    output: str | None,
    input_format: str | None,
    confusion: bool,
    normalize: str | None,
    plot: str | None,
    interval: bool,
    prevalence: float | None,
    joint: bool,
    groups: str | None,
    level: float,
    seed: int | None,
    spans: bool,
    unit: str | None,
    match: str | None,
    scheme: str | None,
    illegal: str | None,
    suffix: bool,
) -> int:
    """Compare the decisions in FILE with the truth. FILE is a table with a row for each item.

    Prints accuracy; precision, recall, F1, support and counts of each category; and averages.
    --all adds cell accuracy, error, E and both macro-F. Labels 0/1, -1/1 or false/true
    make one category.

    \b
    Examples:
      precall decisions items.csv --truth t --decision p
      precall decisions items.csv --truth t --decision p -m MCC -m kappa --baselines
      precall decisions tags.csv --truth t --decision p --separator ';' --format markdown
      precall decisions items.csv --truth t --decision p --positive spam
      precall decisions items.csv --truth t --decision p --positive spam --prevalence 0.02 --interval
      precall decisions items.csv --truth t --decision p --positive spam --interval --joint
      precall decisions rated.csv --truth t --decision p -m 'kappa(weights=linear)' --categories low,mid,high
      precall decisions claims.csv --truth t --decision p --weight amount --interval
      precall decisions items.csv --truth t --decision p --confusion --plot confusion.svg --normalize truth
      precall decisions tagged.conll --spans --truth -2 --decision -1 --interval
      precall decisions tagged.jsonl --spans --truth tags --decision predicted
    """  # noqa: E501
    from precall.cases.table import about, describe_table
    from precall.cli import files, outputs
    from precall.core.notes import collect_notes
    from precall.hard_decisions.table_io import read_grouped_decisions
    from precall.measures import of_counts
    from precall.read.sources import label_of

    outputs.check_picture(plot, None)
    files.check([file], output, plot=plot)
    check_interval(interval, level, seed)
    if groups is not None and not interval:
        raise UsageError(argument="--groups", what="applies to intervals", remedy="add --interval")
    if joint and not interval:
        raise UsageError(argument="--joint", what="applies to intervals", remedy="add --interval")
    others = {
        "--measure": measures,
        "--baselines": baselines,
        "--interval": interval,
        "--prevalence": prevalence is not None,
    }
    check_confusion(confusion, normalize, plot, others)
    of_spans = {
        "unit": unit,
        "match": match,
        "scheme": scheme,
        "illegal": illegal,
        "suffix": suffix or None,
    }
    if spans:
        if labels is not None:
            raise UsageError(
                argument="--labels",
                what="applies to items",
                remedy="name types of spans by --categories",
            )
        refused = {
            "--positive": positive,
            "--weight": weight,
            "--baselines": baselines,
            "--confusion": confusion,
            "--plot": plot,
            "--prevalence": prevalence is not None,
            "--joint": joint,
            "--groups": groups,
        }
        _refuse("--spans", "spans have none of this", refused)
        return _of_spans(
            file,
            truth,
            predicted,
            {**of_spans, "separator": separator, "types": categories, "format": input_format},
            measures,
            undefined,
            (level, seed or 0) if interval else None,
            form,
            output,
        )
    for name, value in of_spans.items():
        if value is not None:
            raise UsageError(
                argument=f"--{name}", what="applies to spans", remedy="add --spans, or leave it out"
            )
    more, source = [of_counts(name, averaged=True) for name in measures], label_of(file)
    with outputs.Progress(2) as progress, about(source):
        progress(0, file)
        with collect_notes() as notes:  # the sheet has them
            decided, member = read_grouped_decisions(
                file,
                truth,
                predicted,
                groups,
                separator=separator,
                positive=positive,
                categories=categories,
                labels=labels,
                weight=weight,
                format=input_format,
            )
        progress(1, file)
        requested = {
            "truth": truth,
            "predicted": predicted,
            "separator": separator,
            "positive": positive,
            "weight": weight,
        }
        requested["groups"] = groups
        requested["categories"] = None if categories is None else ", ".join(categories)
        requested["labels"] = None if labels is None else ", ".join(labels)
        if confusion:
            matrix = decided.confusion()
            sheet = matrix.sheet(
                normalize=normalize, conventions=describe_table(source, **requested)
            )
        else:
            how = {"level": level, "rng": seed or 0, "groups": member}
            intervals = None
            if interval:
                intervals = _intervals(decided, more, undefined, prevalence, how, joint)
            requested |= {"undefined": undefined, "interval": _describe(intervals, level)}
            sheet = decided.sheet(
                undefined=undefined,
                conventions=describe_table(source, **requested),
                measures=more,
                baselines=baselines,
                intervals=intervals,
                prevalence=prevalence,
            )
        sheet = sheet.sheet(notes=tuple(dict.fromkeys((*sheet.notes, *notes))))
        drawn = None if plot is None else decided.confusion().plot(normalize)
    if plot is not None and drawn is not None:
        outputs.draw(drawn, plot)
    return outputs.write_sheet(sheet, form, output)


def _of_spans(
    file: str,
    truth: str,
    predicted: str,
    choices: dict[str, Any],
    measures: tuple[str, ...],
    undefined: str,
    bounds: tuple[float, int] | None,
    form: str,
    output: str | None,
) -> int:
    """Measure the spans of tags in a file; `bounds` are level and seed of intervals."""
    from precall.cases.table import about, describe_table
    from precall.cli import outputs
    from precall.core.notes import collect_notes
    from precall.intervals import interval
    from precall.measures import of_counts
    from precall.read.sources import label_of
    from precall.spans.files import read_spans

    more, source = [of_counts(name) for name in measures], label_of(file)
    given = {name: value for name, value in choices.items() if value is not None}
    with outputs.Progress(2) as progress, about(source):
        progress(0, file)
        with collect_notes():  # the sheet has them
            made = read_spans(file, truth, predicted, **given)
            progress(1, file)
            intervals = None if bounds is None else interval(made, level=bounds[0], rng=bounds[1])
        asked: dict[str, str | None] = {
            "truth": truth,
            "predicted": predicted,
            "undefined": undefined,
        }
        asked |= {name: choices[name] for name in ("unit", "illegal")}
        asked["interval"] = None if bounds is None else _describe(intervals, bounds[0])
        sheet = made.sheet(
            undefined=undefined,
            conventions=describe_table(source, **asked),
            measures=more,
            intervals=intervals,
        )
    return outputs.write_sheet(sheet, form, output)


def _refuse(option: str, why: str, others: Mapping[str, object]) -> None:
    """Refuse options that have no meaning beside another one."""
    if refused := [name for name, value in others.items() if value]:
        raise UsageError(argument=option, what=why, remedy=f"leave {' and '.join(refused)} out")


def _intervals(
    decided: Decisions,
    measures: Iterable[Measure],
    undefined: str,
    prevalence: float | None,
    how: dict[str, Any],
    joint: bool,
) -> Intervals:
    """The usual intervals of decisions, those of further measures, those at a prevalence, and those
    that hold together.
    """
    from precall.core.notes import collect_notes
    from precall.hard_decisions.categories_sheet import JOINTLY
    from precall.hard_decisions.intervals import name_at_prevalence, values_at_prevalence
    from precall.intervals import Interval, Intervals, interval
    from precall.measures import of_counts

    with collect_notes():  # their notes are printed
        usual = interval(decided, **how)
        assert isinstance(usual, Intervals)
        intervals, notes = dict(usual), [*usual.notes]
        for measure in measures:
            of = interval(decided, measure, undefined=undefined, **how)
            notes += of.notes
            if isinstance(of, Interval):
                intervals[measure.name] = of
            else:
                intervals |= {(str(name), measure.name): each for name, each in of.items()}
        if prevalence is not None:
            known = values_at_prevalence(decided, measures, prevalence)
            for measure in dict.fromkeys((of_counts("P"), of_counts("NPV"), *measures)):
                if (name := name_at_prevalence(measure, prevalence)) in known:
                    at = interval(decided, measure, prevalence=prevalence, **how)
                    assert isinstance(at, Interval)
                    intervals[name] = at
                    notes += at.notes
        if joint:
            several = list(dict.fromkeys(measures))
            if len(several) < 2:
                several = [of_counts("R"), of_counts("Specificity")]
            region = interval(decided, [each.name for each in several], joint=True, **how)
            assert isinstance(region, Intervals)
            intervals |= {f"{name}{JOINTLY}": each for name, each in region.items()}
            notes += region.notes
    return Intervals(intervals, notes=notes, over="category")


def _describe(intervals: Intervals | None, level: float) -> str | None:
    """The conventions behind intervals: level, methods, and the seed if one was used."""
    from precall.core.text import percent

    if intervals is None:
        return None
    several = [*intervals.values()]
    seeds = [f"seed {each.seed}" for each in several if each.seed is not None]
    return f"{percent(level)} ({', '.join(dict.fromkeys([*(i.method for i in several), *seeds]))})"


def check_confusion(
    asked: bool, normalize: str | None, plot: str | None, others: dict[str, object]
) -> None:
    """Refuse options that have no meaning for a confusion matrix, or for the other tables."""
    if asked and (refused := [name for name, value in others.items() if value]):
        raise UsageError(
            argument="--confusion",
            what="the matrix is printed instead of measures",
            remedy=f"leave {' and '.join(refused)} out",
        )
    if normalize is not None and not asked and plot is None:
        raise UsageError(
            argument="--normalize",
            what="applies to the confusion matrix",
            remedy="add --confusion or --plot FILE",
        )
