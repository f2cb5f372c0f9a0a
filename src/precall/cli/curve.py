"""`precall curve`."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from precall.cli import options
from precall.cli.kinds import typed_parameters
from precall.core.errors import Among, Fact, UsageError
from precall.core.text import join_in_sentence, shorten, typed_number
from precall.plot.pictures import OF_CURVES, list_words

if TYPE_CHECKING:
    from precall.cases.curves import Curve, Parts
    from precall.cases.scan import ScannedCases
    from precall.cases.table import CaseTable
    from precall.measures import Measure
    from precall.page.sections import SectionPart
    from precall.results.sheets import Sheet

TIES = ("expected", "best", "worst", "block")
CELLS = ("tp", "fp", "fn", "tn")
CONDITIONS = (
    "threshold=S, recall=R, precision=P, fpr=R, specificity=R, accept=N, cost=fp:1,fn:20, "
    "max=MEASURE, max=MEASURE,precision=P"
)
#: Conditions whose values are shares.
SHARES = ("recall", "precision", "fpr", "specificity")
#: Conditions that may limit the choice of the best point.
LIMITS = (*SHARES, "accept")
_NAMES = "threshold|max|cost|recall|precision|fpr|specificity|accept"
#: The comma before a further condition; those inside a measure's brackets are its own.
_PARTS = re.compile(rf",(?=\s*(?:{_NAMES})\s*=)(?![^()]*\))")


def _thresholds(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> tuple[float, ...] | None:
    """The thresholds of --net-benefit; none are the default ones."""
    if text is None:
        return None
    try:
        return tuple(typed_number(part.strip()) for part in text.split(",") if part.strip())
    except ValueError as error:
        raise UsageError(
            str(error), argument="--net-benefit", allowed="thresholds, such as 0.05,0.1,0.2"
        ) from None


@click.command("curve", context_settings=options.HELP)
@click.argument("file", type=click.Path(allow_dash=True))
@options.column("--label", required=True, help="Column that says which cases are relevant.")
@click.option(
    "--score",
    "scores",
    multiple=True,
    metavar="COLUMN",
    shell_complete=options.columns,
    help="Column of scores; repeat for more.",
)
@click.option(
    "--compare",
    multiple=True,
    nargs=2,
    metavar="COLUMN COLUMN",
    shell_complete=options.columns,
    help="Test whether AP and area under ROC of two columns of scores differ; repeat for more.",
)
@options.positive
@options.column(
    "--group",
    help="Measure each group of cases by itself, then average; with --cross-validate the same as "
    "--groups.",
)
@options.column(
    "--groups",
    help="Column of groups, such as patients with several cases. Intervals, bands and tests take "
    "groups as the sample; cross-validation keeps each in one fold.",
)
@options.weight
@options.missed
@options.low_scores
@click.option(
    "--at",
    multiple=True,
    metavar="CONDITION",
    help=(
        "Choose an operating point: at least recall=R, precision=P or specificity=S; at most fpr=R "
        "(false positive rate); threshold=S; accept=N; cost=fp:1,fn:20; or "
        "max=MEASURE, such as max=MCC. max and cost may have limits: max=F1,precision=0.9. Repeat "
        "for more."
    ),
)
@options.measures(
    "Add a measure. A measure of counts, such as MCC, is shown at its best threshold and at each "
    "operating point. Repeat for more."
)
@click.option(
    "--ties",
    type=click.Choice(TIES),
    default="expected",
    show_default=True,
    help=(
        "Order of equal scores for R-precision, RR and P@10. Other measures take them as one block."
    ),
)
@options.interval_of_ap("AP, the area under ROC and the greatest F")
@options.level(options.LEVEL_OF_INTERVAL)
@click.option(
    "--null",
    is_flag=True,
    help=(
        "Compare AP, the area under ROC and measures of ranks (-m) with a random order of the "
        "cases: the mean by chance, its interval, the gain over chance and the p-value."
    ),
)
@click.option(
    "--unjudged",
    type=click.Choice(("error", "bounds")),
    default="error",
    show_default=True,
    help=(
        "Cases without a label are an error; or print the least and the greatest value over all "
        "labels that they may have, of AP, AUC, MaxF, P@k or R@k."
    ),
)
@options.points
@click.option(
    "--net-benefit",
    is_flag=False,
    flag_value="",
    metavar="[T,...]",
    callback=_thresholds,
    help=(
        "Print the decision curves of risks instead of measures: net benefit at thresholds "
        "(default: 0.05 to 0.5), over accepting all, and of the difference of each --compare, with "
        "simultaneous bands; --plot draws them."
    ),
)
@click.option(
    "--prevalence",
    type=options.Number(),
    metavar="Q",
    help=(
        "Share of relevant cases that --net-benefit is for, if it is not that of FILE "
        "(case-control)."
    ),
)
@click.option(
    "--cross-validate",
    type=options.Whole(min=2),
    metavar="K",
    help=(
        "Instead of measures: learn the threshold of --policy on all but one of K folds and decide "
        "about that one; prints the measure (-m) of held-out cases, the optimism, and the "
        "thresholds over folds."
    ),
)
@click.option(
    "--policy",
    metavar="METHOD",
    help=(
        "How --cross-validate learns the threshold: max-f (default), max:MEASURE, break-even or "
        "proportion."
    ),
)
@options.seed("--compare, --interval and --cross-validate")
@options.plot(
    tuple(OF_CURVES),
    "a picture",
    (
        f"What to draw: {join_in_sentence(list_words('curves'), 'or')} curves (of each score, or "
        f"of groups and their mean); {'; or '.join(list_words('curve'))}.  [default: pr]"
    ),
)
@options.undefined("groups")
@options.short_form
@options.output
@options.input_format
@options.max_expansion
@options.plugin
@options.memory
def curve(
    file: str,
    label: str,
    scores: tuple[str, ...],
    compare: tuple[tuple[str, str], ...],
    positive: str | None,
    group: str | None,
    groups: str | None,
    weight: str | None,
    missed: int,
    lower_is_better: bool,
    at: tuple[str, ...],
    measures: tuple[str, ...],
    level: float,
    seed: int | None,
    plot: str | None,
    plot_kind: str | None,
    form: str,
    output: str | None,
    input_format: str | None,
    points: int | None,
    net_benefit: tuple[float, ...] | None,
    prevalence: float | None,
    memory: int | None,
    unjudged: str,
    cross_validate: int | None,
    policy: str | None,
    **typed: Any,
) -> int:
    """Measure the scores of labelled cases in FILE, a table with a row for each case.

    Prints counts, prevalence, average precision, the area under ROC and the greatest F. --all
    adds break-even, other areas and precision at 11 levels of recall. FILE is CSV, TSV, JSON
    lines, JSON, Parquet or Arrow (also .gz, .zst), or a folder of Parquet; - is standard input.
    Labels are 0/1, -1/1 or false/true; for others use --positive.

    \b
    Examples:
      precall curve cases.csv --label y --score s
      precall curve cases.csv --label y --score s --interval --level 0.9
      precall curve cases.csv --label y --score s --score t --at recall=0.9 --at cost=fp:1,fn:20
      precall curve cases.csv --label y --score s -m MCC -m 'F(beta=2)' --at max=MCC
      precall curve cases.csv --label y --score s --at fpr=0.01 --at specificity=0.99 --at max=YoudenJ
      precall curve cases.csv --label y --score s --at max=F1,precision=0.9 --at cost=fp:1,fn:20,accept=100
      precall curve cases.csv --label y --score s -m P@10 -m 'AreaPR(method=trapezoid)'
      precall curve cases.csv --label y --score s --points
      precall curve cases.csv --label y --score s --points -m MCC --format csv -o points.csv
      precall curve cases.csv --label y --score risk --net-benefit 0.05,0.1,0.2 --format csv
      precall curve cases.csv --label y --score risk --net-benefit --plot benefit.svg
      precall curve cases.csv --label y --score s --cross-validate 5
      precall curve cases.csv --label y --score s --cross-validate 5 --policy max:MCC --groups patient
      precall curve cases.csv --label y --score s --groups patient --interval
      precall curve cases.csv --label y --compare s t --seed 1
      precall curve cases.csv --label kind --positive yes --score s --group fold --format json -o s.json
      precall curve cases.csv --label y --score s --score t --at recall=0.9 --plot curves.svg
      zcat cases.csv.gz | precall curve - --input-format csv --label y --score s
      precall curve cases.csv --label y --score s --memory 512M
      precall curve cases.csv --label y --score s --unjudged bounds
    """  # noqa: E501
    from precall.cases.table import cases_of, measure_cases, refuse_beside_groups
    from precall.cli import files, outputs

    if not scores and not compare:
        raise click.UsageError("Missing option '--score'", click.get_current_context())
    if unjudged == "bounds":
        _refuse_beside_bounds(click.get_current_context())
        files.check([file], output)
        bounds = _bounds_of(
            file, label, scores, measures, positive, not lower_is_better, input_format
        )
        return outputs.write_sheet(bounds, form, output)
    requested = {"interval": typed["interval"], "null": typed["null"], "compare": compare}
    benefit = {"net-benefit": net_benefit is not None}
    drawn: dict[str, object] = {"compare": compare, "interval": typed["interval"]} | benefit
    if policy is not None and cross_validate is None:
        raise UsageError(
            argument="--policy",
            what="applies to --cross-validate",
            remedy="also give it, or choose a point by --at",
        )
    if cross_validate is not None:
        _refuse_beside_folds(click.get_current_context(), scores, measures)
        _try_policy(policy or _POLICY, measures)
    options.check_level(level, requested | benefit)
    outputs.check_picture(plot, plot_kind)
    files.check([file], output, folders=True, plot=plot)
    check_columns(scores, group, weight, missed, requested)
    refuse_beside_groups(groups, group, missed)
    if groups is not None:
        drawing = drawn | {"page": form == "html", "cross-validate": cross_validate is not None}
        _refuse_idle_groups(drawing, null=typed["null"])
    if points is not None:
        options.check_points(requested | {"at": at})
    options.check_seed(seed, drawn | {"cross-validate": cross_validate is not None})
    if prevalence is not None:
        options.check_applies("--prevalence", benefit)
    if net_benefit is not None:
        check_net_benefit(
            typed
            | {
                "at": at,
                "measures": measures,
                "points": points,
                "plot-kind": plot_kind,
                "group": group,
            },
            missed,
            lower_is_better,
        )
    columns = list(dict.fromkeys([*scores, *(name for pair in compare for name in pair)]))
    with outputs.Progress(1 + len(columns)) as progress:
        places, wanted = conditions(at), of_curves(measures, counted=points is not None)
        progress(0, file)
        read = partial(
            cases_of,
            file,
            label,
            columns,
            positive=positive,
            group=group,
            groups=groups,
            weight=weight,
            missed=missed,
            higher_is_better=not lower_is_better,
            format=input_format,
            memory=memory,
            at=places.values(),
            whole=of_all_cases(
                requested
                | {
                    "net_benefit": net_benefit is not None,
                    "cross_validate": cross_validate is not None,
                },
                points,
                plot and plot_kind,
            ),
            only_curves=not measures
            and not any("max" in condition for condition in places.values()),
        )
        if net_benefit is not None:
            from precall.cases.decision_curves import decision_curves

            curves = decision_curves(
                read().in_memory("net_benefit"),
                columns,
                pairs=compare,
                grid=net_benefit or None,
                prevalence=prevalence,
                level=level,
                rng=seed or 0,
            )
            if plot is not None:
                from precall.plot import from_result

                outputs.draw(from_result.display_of_decision_curves(curves), plot)
            return outputs.write_sheet(curves.sheet(), form, output, None)
        if cross_validate is not None:
            folds = _folds_of(
                read().in_memory("cross_validate"),
                scores[0],
                policy or _POLICY,
                folds=cross_validate,
                measure=measures[0] if measures else None,
                rng=seed or 0,
            )
            return outputs.write_sheet(folds, form, output)
        tables: list[CaseTable | ScannedCases] = []

        def read_and_keep() -> CaseTable | ScannedCases:
            tables.append(read())
            return tables[0]

        measured = measure_cases(
            read_and_keep if form == "html" else read,
            at=places,
            measures=wanted,
            compare=compare,
            level=level,
            rng=seed or 0,
            progress=progress,
            **typed,
        )
        if points is None:
            sheet, section = (
                measured.sheet(),
                partial(page_of_cases, tables, measured.curves, level, seed or 0),
            )
        else:
            sheet, section = measured.points().sheet(rows=options.rows_to_show(points, form)), None
    if plot is not None:
        from precall.plot import from_result

        outputs.draw(from_result.display_of_cases(measured.curves, plot_kind or "pr", places), plot)
    return outputs.write_sheet(sheet, form, output, section)


#: What each answer reads that is instead of measures.
_OF_EACH = (
    "file",
    "label",
    "scores",
    "measures",
    "positive",
    "lower_is_better",
    "form",
    *options.LAYOUT,
    "output",
    "all",
    "notes",
    "input_format",
    "max_expansion",
)
#: What bounds over labels read.
_OF_BOUNDS = (*_OF_EACH, "unjudged")
#: What cross-validation reads.
_OF_FOLDS = (*_OF_EACH, "group", "groups", "missed", "cross_validate", "policy", "seed", "memory")


def _refuse_beside_bounds(context: click.Context) -> None:
    """Refuse typed options that bounds over labels do not read."""
    for parameter in typed_parameters(context):
        if str(parameter.name) not in _OF_BOUNDS:
            raise UsageError(
                argument=parameter.opts[0],
                what="does not go with bounds over labels",
                remedy="leave it out, or leave out --unjudged bounds",
            )


def _refuse_beside_folds(
    context: click.Context, scores: tuple[str, ...], measures: tuple[str, ...]
) -> None:
    """Refuse typed options that cross-validation does not read, and several scores or measures."""
    for parameter in typed_parameters(context):
        if str(parameter.name) not in _OF_FOLDS:
            raise UsageError(
                argument=parameter.opts[0],
                what="does not apply to --cross-validate",
                remedy="leave it out",
            )
    for option, names in (("--score", scores), ("--measure", measures)):
        if len(names) > 1:
            raise UsageError(
                argument=option,
                got=Fact(f"{len(names)} of them"),
                allowed="one for --cross-validate;",
                remedy="validate one after the other",
            )


#: The policy if none is named.
_POLICY = "max-f"


def _try_policy(policy: str, measures: tuple[str, ...]) -> None:
    """Cross-validate a small curve, so that a wrong policy or measure is refused before anything is
    read.
    """
    from precall.cases import curve

    with options.as_options(options.FOLDS):
        curve([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0]).cross_validate(
            policy, folds=2, measure=measures[0] if measures else None
        )


def _folds_of(table: CaseTable, score: str, policy: str, **how: Any) -> Sheet:
    """The cross-validation of one score."""
    from precall.cases import curve
    from precall.cases.table import about, describe_table

    together = {"group": "groups"} if table.grouped else {}
    with about(table.source), options.as_options(options.FOLDS | together):
        of_score = curve(
            table.relevant,
            table.scores[score],
            missed=table.missed,
            higher_is_better=table.higher_is_better,
        )
        member = table.group_of_each() if table.clusters is None else table.clusters
        sheet = of_score.cross_validate(policy, groups=member, **how).sheet()
    described = {**describe_table(table.source, **table.asked), **sheet.conventions}
    return sheet.sheet(conventions=described)


def _bounds_of(
    file: str,
    label: str,
    scores: tuple[str, ...],
    measures: tuple[str, ...],
    positive: str | None,
    higher_is_better: bool,
    format: str | None,
) -> Sheet:
    """Bounds over all labels of the cases that have none."""
    from precall.judges import extremes
    from precall.judges.case_files import read_open_cases

    if len(scores) != 1:
        raise UsageError(
            argument="--score",
            got=Fact(f"{len(scores)} columns"),
            allowed="one column for bounds over labels;",
            remedy="bound one after the other",
        )
    cases = read_open_cases(file, label, scores[0], positive, format)
    found = extremes.cases(
        cases.label,
        cases.score,
        list(measures) or extremes.USUAL,
        higher_is_better=higher_is_better,
    )
    described = dict(found.conventions)
    first = {"precall": described.pop("precall"), "file": cases.source}
    return replace(
        found, conventions={**first, "label": label, "score": scores[0], **described}
    ).sheet()


def check_net_benefit(asked: dict[str, Any], missed: int, lower_is_better: bool) -> None:
    """Refuse options that have no meaning for decision curves."""
    names = ("at", "measures", "points", "interval", "null", "plot-kind", "group")
    for name in [name for name in names if asked.get(name) not in (None, (), False)]:
        raise UsageError(
            argument="--net-benefit",
            what="prints decision curves instead of measures",
            remedy=f"leave --{'measure' if name == 'measures' else name} out",
        )
    if missed or lower_is_better:
        raise UsageError(
            argument="--net-benefit",
            what="takes one risk for each case, and accepts high ones",
            remedy=f"leave {'--missed' if missed else '--lower-is-better'} out",
        )


def page_of_cases(
    tables: list[CaseTable | ScannedCases], curves: Parts[Curve], level: float, seed: int
) -> SectionPart[Any]:
    """The section of the page of the cases that were read, with these curves."""
    from precall.page.scored import section_of_cases

    return section_of_cases(tables[0], curves, level=level, rng=seed)


def check_columns(
    scores: tuple[str, ...],
    group: str | None,
    weight: str | None,
    missed: int,
    asked: dict[str, Any],
) -> None:
    """Refuse, before anything is read, options that do not go together."""
    for name in scores:
        if (times := scores.count(name)) > 1:
            raise UsageError(
                f"--score {name} was given {times} times", remedy="name each column once"
            )
    for first, second in asked["compare"]:
        if first == second:
            raise UsageError(
                argument="--compare",
                got=Fact(f"{first} twice"),
                remedy="name two columns of scores",
            )
    if asked["compare"] and group is not None:
        remedy = "leave --group out, or write --groups if the cases of each were drawn together"
        raise UsageError("--compare applies to all cases, not to groups", remedy=remedy)
    if asked["null"] and weight is not None:
        raise UsageError(
            argument="--null",
            what="random selection is defined for cases without weights",
            remedy="leave --weight out",
        )
    if missed and group is not None:
        raise UsageError(
            argument="--missed",
            what="applies to all cases, but --group measures each group separately",
            remedy="leave one of them out",
        )


def _refuse_idle_groups(drawing: dict[str, Any], null: bool) -> None:
    """Refuse groups of cases if nothing of what is asked draws them."""
    if null:
        raise UsageError(
            argument="--null",
            what="random selection is defined for single cases, not for groups",
            remedy="leave --groups out",
        )
    if not any(drawing.values()):
        raise UsageError(
            argument="--groups",
            what="applies to intervals, comparisons and cross-validation",
            remedy="add --interval",
        )


def of_all_cases(asked: dict[str, Any], points: int | None, kind: str | None) -> list[str]:
    """The requested results that need all cases in memory, by names of arguments."""
    requested = {
        "compare": asked["compare"],
        "null": asked["null"],
        "net_benefit": asked["net_benefit"],
        "cross_validate": asked["cross_validate"],
        "points": points is not None,
        "view": kind is not None and OF_CURVES[kind].needs_scores,
    }
    return [name for name, value in requested.items() if value]


def of_curves(names: tuple[str, ...], counted: bool = False) -> tuple[Measure, ...]:
    """Measures of curves by name, each once: of counts or of ranks, or only `counted` ones."""
    from precall.cases import curve
    from precall.core.counts import Counts
    from precall.measures import measure as named_measure
    from precall.measures import of_counts

    # Try the measures on a small curve, so that invalid ones are refused before anything is read.
    least = curve([1, 0], [1.0, 0.0])
    chosen = {
        measure.name: measure for measure in map(of_counts if counted else named_measure, names)
    }
    for measure in chosen.values():
        least.values(measure) if measure.declaration.of is Counts else least.value(
            measure, "expected"
        )
    return tuple(chosen.values())


#: Conditions of more characters than this are shortened where they are headings.
_LONGEST = 100


def conditions(texts: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """The conditions of --at, by their texts; a long text is shortened, as it is a heading."""
    for text in texts:
        if (times := texts.count(text)) > 1:
            raise UsageError(
                f"--at {text} was given {times} times", remedy="give each condition once"
            )
    headings = [shorten(text, _LONGEST) for text in texts]
    if len(set(headings)) < len(texts):
        headings = [*texts]
    return {heading: condition(text) for heading, text in zip(headings, texts, strict=True)}


def condition(text: str) -> dict[str, Any]:
    """The arguments of `Curve.at` for a text: a condition, or max=MEASURE or cost=... with limits
    behind commas.
    """
    arguments: dict[str, Any] = {}
    for piece in _PARTS.split(text):
        for name, value in _one_condition(text, piece).items():
            if name in arguments:
                raise UsageError(argument=f"--at {text}", what=f"{name} is given twice")
            arguments[name] = value
    if len(arguments) > 1 and not _is_limited(arguments):
        raise UsageError(
            argument=f"--at {text}",
            what=f"only max= or cost= goes together with others: {', '.join(LIMITS)}",
            remedy="repeat --at for points of their own",
        )
    return arguments


def _is_limited(arguments: dict[str, Any]) -> bool:
    """Whether one of several conditions says what is best, and the others are limits."""
    best = arguments.keys() - set(LIMITS)
    return len(best) == 1 and best <= {"max", "cost"}


def _one_condition(text: str, piece: str) -> dict[str, Any]:
    name, equals, value = (part.strip() for part in piece.partition("="))
    if (best := piece.strip())[:4].lower() == "max-":
        name, equals, value = "max", "=", best[4:]
    if not equals or name not in (*SHARES, "threshold", "accept", "cost", "max"):
        raise UsageError(argument="--at", got=text, allowed=Among("allowed are", [CONDITIONS]))
    if name == "max":
        return {name: _best_measure(text, value)}
    if name == "cost":
        return {name: _costs(text, value)}
    number = _number(text, value)
    if name in SHARES and not 0 <= number <= 1:
        raise UsageError(argument=f"--at {text}", allowed="in 0..1", got=Fact(value))
    if name == "accept" and (number < 0 or not number.is_integer()):
        raise UsageError(argument=f"--at {text}", allowed="a count >= 0", got=Fact(value))
    return {name: int(number) if name == "accept" else number}


def _number(text: str, value: str) -> float:
    try:
        return typed_number(value)
    except ValueError as error:
        raise UsageError(
            str(error), argument=f"--at {text}", allowed=Among("allowed are", [CONDITIONS])
        ) from None


def _best_measure(text: str, name: str) -> str:
    from precall.measures import of_counts

    try:
        return of_counts(name).name
    except UsageError as error:
        raise UsageError(argument=f"--at {text}", what=error.marked) from None


def _costs(text: str, value: str) -> dict[str, float]:
    costs: dict[str, float] = {}
    for term in value.split(","):
        cell, colon, price = (piece.strip() for piece in term.partition(":"))
        if not colon or cell not in CELLS or cell in costs:
            raise UsageError(
                argument=f"--at {text}",
                got=term,
                allowed=(*CELLS[:-1], f"{CELLS[-1]}, each once with its cost, such as fp:1,fn:20"),
            )
        costs[cell] = _number(text, price)
        if math.isinf(costs[cell]):
            raise UsageError(argument=f"--at {text}", what=f"the cost of {cell} must be finite")
    return costs
