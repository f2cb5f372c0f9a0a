"""`precall categories`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from precall.cli import options
from precall.core.errors import UsageError, empty_path

if TYPE_CHECKING:
    from precall.hard_decisions import Status, Thresholds
    from precall.intervals import Intervals
    from precall.page.sections import SectionPart


@click.command("categories", context_settings=options.HELP)
@click.argument("file", type=click.Path(allow_dash=True))
@options.truth
@click.option(
    "--scores",
    required=True,
    metavar="PATTERN",
    help="Columns of scores, such as 'p*'. * stands for the name of the category.",
)
@options.separator
@click.option(
    "--missing",
    type=click.Choice(("error", "skip")),
    default="error",
    show_default=True,
    help=(
        "With a pattern as --truth, what becomes of an empty label: skip leaves that item out of "
        "that category."
    ),
)
@click.option(
    "--policy",
    metavar="POLICY",
    shell_complete=options.policies,
    help=(
        "Also make decisions. With a threshold for each category: scut (max-f), max:MEASURE, "
        "break-even or utility:tp=1,fp=-1. With one number: rcut:K (rank), pcut[:X] "
        "(proportion), fixed:S or global."
    ),
)
@click.option(
    "--tune",
    metavar="MEASURE",
    help=(
        "Choose the number of rcut, pcut or global, or the thresholds of scut, by this measure: "
        "macro-F1, micro-F1 or accuracy."
    ),
)
@click.option(
    "--fit-on",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="Learn thresholds from this file instead of FILE.",
)
@click.option(
    "--save-thresholds",
    type=click.Path(),
    metavar="FILE",
    help="Save the learned thresholds as JSON.",
)
@click.option(
    "--thresholds",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="Use thresholds that --save-thresholds wrote.",
)
@click.option(
    "--cross-validate",
    type=options.Whole(min=2),
    metavar="K",
    help="Instead of measures: learn the thresholds of --policy on all but one of K folds and "
    "decide about that one; prints the measure of held-out items, the optimism, and the thresholds "
    "over folds.",
)
@options.column("--groups", help="With --cross-validate: column of groups, which stay in one fold.")
@options.baselines
@click.option(
    "--pivot",
    type=click.Choice(("category", "item")),
    default="category",
    show_default=True,
    help=(
        "Rank the items of each category, or the categories of each item, as Yang (1999). With "
        "item, means over items are added."
    ),
)
@options.interval_of_ap("AP and area under ROC of each category")
@options.level(options.LEVEL_OF_INTERVAL)
@options.seed("--interval and --cross-validate")
@options.undefined("categories")
@options.short_form
@options.output
@options.input_format
@options.max_expansion
@options.plugin
def categories(
    file: str,
    truth: str,
    scores: str,
    separator: str | None,
    missing: str,
    pivot: str,
    baselines: bool,
    interval: str | None,
    level: float,
    seed: int | None,
    undefined: str,
    form: str,
    output: str | None,
    input_format: str | None,
    cross_validate: int | None,
    groups: str | None,
    **learning: str | None,
) -> int:
    """Measure the category scores of the items in FILE, a table with a row for each item.

    Prints average precision, area under ROC, break-even, greatest F and 11-point precision of
    each category. Averages follow: the mean over categories (macro), and the values of one list
    of all pairs (micro). --all adds the area of Hand and Till, and precision at 11 levels of
    recall.

    --truth is a column of labels, or a pattern such as 'y_*' of columns of 0 and 1, one for each
    category; there an empty cell is no label, see --missing.

    With --policy, it also prints thresholds and their decisions. Thresholds learned from FILE
    itself look too good; --fit-on learns them from another table with the same columns.

    \b
    Examples:
      precall categories scored.csv --truth t --scores 'p*'
      precall categories scored.csv --truth t --scores 'p*' --interval --level 0.99
      precall categories tox21.csv --truth 'y_*' --scores 'p_*' --missing skip
      precall categories scored.csv --truth t --scores 'p*' --policy max-f --format json
      precall categories scored.csv --truth t --scores 'p*' --policy rcut --tune macro-F1 --baselines
      precall categories test.csv --truth t --scores 'p*' --policy scut --fit-on scored.csv
      precall categories scored.csv --truth t --scores 'p*' --policy scut --save-thresholds t.json
      precall categories test.csv --truth t --scores 'p*' --thresholds t.json
      precall categories scored.csv --truth t --scores 'p*' --policy scut --cross-validate 5
    """  # noqa: E501
    from precall.cases.table import describe_table
    from precall.cli import outputs
    from precall.core.conventions import describe_intervals
    from precall.core.text import encode_utf8
    from precall.hard_decisions.categories_sheet import categories_sheet, senses
    from precall.read.sources import label_of

    _check(file, output, **learning)
    if cross_validate is not None:
        others: dict[str, object] = {
            "--interval": interval,
            "--baselines": baselines,
            "--pivot": pivot != "category",
        }
        others |= {"--fit-on": learning["fit_on"], "--thresholds": learning["thresholds"]}
        others |= {"--save-thresholds": learning["save_thresholds"]}
        return _cross_validate(
            (file, truth, scores, separator, learning["policy"], input_format),
            others,
            learning["tune"],
            {"folds": cross_validate, "undefined": undefined, "rng": seed or 0},
            groups,
            form,
            output,
        )
    if groups is not None:
        raise UsageError(
            argument="--groups", what="applies to --cross-validate", remedy="leave it out"
        )
    check_interval(interval, level, seed)
    fit_on, kept, saved = (learning[name] for name in ("fit_on", "thresholds", "save_thresholds"))
    choices = (truth, scores, separator, learning["policy"], input_format)
    with reading(file, *choices, learning["tune"], fit_on, missing=missing) as read:
        status, source, other = read
        learned = _learn(status, other, undefined, **learning)
        conventions = describe_table(
            source,
            truth=truth,
            scores=scores,
            separator=separator,
            missing=None if missing == "error" else missing,
            policy=None if learned is None else learned.policy,
            fit_on=fit_on and label_of(fit_on),
            thresholds=kept and label_of(kept),
            ties="block",
            undefined=undefined,
            interval=describe_intervals(interval, level, seed),
            **senses(pivot),
        )
        sheet = categories_sheet(
            status,
            learned,
            undefined,
            conventions,
            pivot,
            baselines=baselines,
            intervals=None if interval is None else _intervals(status, interval, level, seed or 0),
        ).sheet(source=status)
    if saved is not None and learned is not None:
        outputs.write_file(encode_utf8(learned.to_json()), saved)
    columns = {"truth": truth, "scores": scores, "separator": separator}
    section = partial(_section, status, learned, undefined, level, seed or 0, source, columns)
    return outputs.write_sheet(sheet, form, output, section)


def _cross_validate(
    asked: tuple[str, str, str, str | None, str | None, str | None],
    others: dict[str, object],
    tune: str | None,
    how: dict[str, Any],
    groups: str | None,
    form: str,
    output: str | None,
) -> int:
    """Show how good the decisions of a policy are about held-out items."""
    from precall.cases.table import describe_table
    from precall.cli import outputs
    from precall.core.notes import collect_notes

    _, truth, scores, separator, policy, _ = asked
    for option, value in others.items():
        if value:
            raise UsageError(
                argument=option, what="does not apply to --cross-validate", remedy="leave it out"
            )
    if policy is None:
        raise UsageError(
            argument="--cross-validate",
            what="needs a policy that learns thresholds",
            remedy="also give --policy, such as scut",
        )
    with (
        options.as_options(options.FOLDS),
        reading(*asked, tune, groups=groups) as (status, source, _),
        collect_notes(),
    ):
        found = status.cross_validate(policy, tune=tune, groups=status.groups, **how)
    sheet = found.sheet()
    conventions = describe_table(
        source, truth=truth, scores=scores, separator=separator, groups=groups
    )
    return outputs.write_sheet(
        sheet.sheet(conventions={**conventions, **sheet.conventions}), form, output
    )


def _section(
    status: Status,
    learned: Thresholds | None,
    undefined: str,
    level: float,
    seed: int,
    source: str,
    asked: dict[str, str | None],
) -> SectionPart[Any]:
    """The section of the page."""
    from precall.page.scored import section_of_categories

    return section_of_categories(
        status, learned, undefined, level=level, rng=seed, source=source, asked=asked
    )


def _intervals(status: Status, method: str, level: float, seed: int) -> Intervals:
    """Intervals of average precision and area under ROC of each category."""
    from precall.core.notes import collect_notes
    from precall.intervals import Intervals, interval

    with collect_notes():  # their notes are printed
        several = interval(status, method=method, level=level, rng=seed)
    assert isinstance(several, Intervals)
    return several


def check_interval(interval: object, level: float, seed: int | None) -> None:
    """Refuse a level or a seed if no intervals were asked for."""
    options.check_level(level, {"interval": interval})
    options.check_seed(seed, {"interval": interval})


def _check(
    file: str,
    output: str | None,
    policy: str | None,
    tune: str | None,
    fit_on: str | None,
    save_thresholds: str | None,
    thresholds: str | None,
) -> None:
    """Refuse, before anything is read, options that do not go together and impossible paths."""
    from precall.cli import files

    options.check_exclusive({"policy": policy, "thresholds": thresholds})
    learning_options = {"--tune": tune, "--fit-on": fit_on, "--save-thresholds": save_thresholds}
    for option, value in learning_options.items():
        if value is not None and policy is None:
            raise UsageError(
                argument=option,
                what="applies to thresholds that --policy learns",
                remedy="also give --policy",
            )
    others = {"--fit-on": fit_on, "--thresholds": thresholds}
    for option, path in others.items():
        if path == "":
            raise empty_path(option)
        if path == file == "-":
            raise UsageError(
                argument=option,
                what="- (standard input) is FILE already",
                remedy="it can be read once",
            )
    inputs = [path for path in (file, *others.values()) if path is not None]
    if save_thresholds == "-":
        raise UsageError(
            argument="--save-thresholds",
            what="standard output is used for the results",
            remedy="name a file",
        )
    files.check(inputs, output, save_thresholds=save_thresholds)


def _learn(
    status: Status,
    other: Status | None,
    undefined: str,
    policy: str | None,
    tune: str | None,
    thresholds: str | None,
    **rest: str | None,
) -> Thresholds | None:
    """The thresholds or the policy for the decisions, learned now or before; None if there
    is none.
    """
    from precall.cases.table import about
    from precall.hard_decisions import read_thresholds
    from precall.read.sources import label_of

    if thresholds is not None:
        where, learned = label_of(thresholds), read_thresholds(thresholds)
    elif policy is not None:
        where = "--fit-on"
        with about("scores" if other is None else other.source):
            learned = status.thresholds(policy, other, tune=tune, undefined=undefined)
    else:
        return None
    try:
        return learned.matched(status.categories)
    except UsageError as error:
        raise error.about(where) from None


@contextmanager
def reading(
    file: str,
    truth: str,
    scores: str,
    separator: str | None,
    policy: str | None,
    form: str | None,
    tune: str | None = None,
    fit_on: str | None = None,
    groups: str | None = None,
    missing: str = "error",
) -> Iterator[tuple[Status, str, Status | None]]:
    """The scores, the name of their file, and other scores to learn from. Invalid input is refused
    before anything is read.
    """
    from precall.cases.table import about
    from precall.cli.outputs import Progress
    from precall.hard_decisions import categorize
    from precall.hard_decisions.table_io import read_status
    from precall.read.sources import label_of

    if scores.count("*") != 1:
        raise UsageError(argument="--scores", got=scores, remedy="write one *, such as 'p*'")
    if missing == "skip" and truth.count("*") != 1:
        raise UsageError(
            argument="--missing",
            what="applies to a column of 0 and 1 for each category",
            remedy="name them with one *, such as --truth 'y_*'",
        )
    try:
        # Try a small example first, so that an invalid policy is reported before anything is read.
        little = categorize(["a", "b"], [[1.0, 0.0], [0.0, 1.0]])
        little.thresholds("rank:1" if policy is None else policy, tune=tune)
    except UsageError as error:
        if error.argument == "tune":
            raise
        if error.argument == "method":
            error.argument = ""
        raise error.about("policy") from None
    source, other = label_of(file), None
    with Progress(2 + (fit_on is not None)) as progress:
        if fit_on is not None:
            progress(0, fit_on)
            with about(label_of(fit_on)):
                other = read_status(
                    fit_on, truth, scores, separator=separator, format=form, missing=missing
                )
        progress(int(fit_on is not None), file)
        with about(source):
            status = read_status(
                file,
                truth,
                scores,
                separator=separator,
                groups=groups,
                format=form,
                missing=missing,
            )
            progress(1 + (fit_on is not None), file)
            yield status, source, other
