"""From what was typed after `report` to sections of a page: runs, scored cases, categories."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from precall.case_tables import CaseTable
    from precall.cli.pages import PageCommand
    from precall.cli.run_inputs import Inputs
    from precall.curves import Curve
    from precall.infer.compare.comparisons import Comparison
    from precall.location import Hits, Located
    from precall.results import Report

#: Every pair of so many scores is compared; of more only that of the greatest AP with each other one.
_COMPARED = 4
#: A section, sentences for the head of the page, and warnings.
Part = tuple[dict[str, Any], list[str], list[str]]


def of_runs(asked: PageCommand) -> Part:
    """Runs against judgements."""
    from precall.cli.progress import Progress
    from precall.evaluation import DEFAULT, evaluate_by
    from precall.intervals.reports import with_intervals
    from precall.notes import listening, noted
    from precall.page.systems import Systems

    inputs = _inputs(asked)
    inputs.check()
    located: list[Located] = []
    names = asked.measures or DEFAULT
    with Progress(len(inputs.runs)) as progress:
        with listening():
            report = evaluate_by(
                inputs.conventions, *inputs.read(names), names, asked.seed or 0, asked.threads,
                lambda done, *_: progress(done, inputs.runs[done]), located.append,
            )  # fmt: skip
        pairs = None
        if len(report.runs) > 1:
            progress(len(inputs.runs), "comparisons")
            pairs = _compared(asked, report)
        with listening():
            report = with_intervals(report, "t", asked.level, asked.seed or 0)
        progress(len(inputs.runs), "random selection")
        (hits, laws), said = noted(lambda: _rankings(asked, report, located))
    systems = Systems(report, pairs, hits, laws)
    return systems.section(), systems.headline(), [*systems.warnings(), *said]


def _inputs(asked: PageCommand) -> Inputs:
    from precall.cli.run_inputs import Inputs
    from precall.conventions import Conventions

    return Inputs(
        asked.inputs[0], asked.inputs[1:],
        Conventions(
            ties=asked.ties, topics=asked.topics, undefined=asked.undefined, grade=asked.grade,
            judged_only=asked.judged_only, depth=asked.depth, duplicates=asked.duplicates, columns=asked.columns,
        ),
        asked.qrels_columns, asked.input_format, asked.threads,
    )  # fmt: skip


def _compared(asked: PageCommand, report: Report) -> Any:
    from precall.comparison import compare

    return compare(
        report, test=asked.test, correction=asked.correction, level=asked.level, rng=asked.seed or 0,
        resamples=asked.resamples, unpaired=asked.unpaired,
    )  # fmt: skip


def _rankings(
    asked: PageCommand, report: Report, located: list[Located]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Where the hits are, and the laws under random selection; neither where ties leave locations open."""
    from precall.errors import TiesUnresolved
    from precall.notes import warn
    from precall.page.strips import hits_of
    from precall.page.systems import Systems

    topics = Systems(report).topics()
    parts: list[tuple[list[str], Hits]] = []
    for run, one in zip(report.runs, located, strict=True):
        parts.append((run.topics, one.hits(asked.grade)))
    try:
        hits = hits_of(parts, topics)
    except TiesUnresolved:
        said = f"--ties {asked.ties} leaves ranks open: no strips of hits, no test against random selection"
        warn(said)
        return {}, []
    hits["eleven"] = [_eleven(found, asked.level) for _, found in parts]
    order = Systems(report).order()
    chosen = {"best": order[:1], "all": order, "none": []}[asked.chance]
    return hits, [law for i in chosen for law in _law(report.runs[i].name, parts[i][1])]


def _eleven(hits: Hits, level: float) -> dict[str, Any]:
    """Interpolated precision at recall 0, .1, ..., 1: means over the topics that have relevant items, and t intervals."""
    import numpy as np

    from precall.infer.interval.mean import mean
    from precall.measures import measure
    from precall.notes import listening

    with listening():
        # Few or skewed topics are said of the averages.
        values = [measure(f"IPrec(recall={step / 10:g})")(hits) for step in range(11)]
        found = [mean(one[one == one], level=level) for one in values]
    ends = {"mean": "estimate", "low": "low", "high": "high"}
    return {name: np.array([getattr(one, part) for one in found]) for name, part in ends.items()}


def _law(name: str, hits: Hits) -> list[dict[str, Any]]:
    from precall.errors import UsageError
    from precall.infer.null import test
    from precall.notes import warn
    from precall.page.chance import chance_of

    try:
        found = test(hits, "AP")
    except UsageError as error:
        warn(f"{name}: no test against random selection: {error}")
        return []
    return [chance_of(name, "AP among the items retrieved", found.combined)]


def of_cases(asked: PageCommand) -> Part:
    """Scored cases with labels."""
    from precall.case_tables import describe_table, read_cases
    from precall.cli import outputs
    from precall.cli.curve import check_columns
    from precall.cli.progress import Progress
    from precall.page.writing import of_curves

    names, file, seed = tuple(asked.scores), str(asked.cases), asked.seed or 0
    outputs.check_table(file, asked.output)
    check_columns(names, asked.group, asked.weight, asked.missed, {"compare": (), "null": False})
    with Progress(2 + len(names)) as progress:
        progress(0, file)
        table = read_cases(
            file, str(asked.label), names, positive=asked.positive, group=asked.group, weight=asked.weight,
            missed=asked.missed, higher_is_better=not asked.lower_is_better,
            format=None if asked.input_format == "trec" else asked.input_format,
        )  # fmt: skip
        progress(1, file)
        parts = table.curves()
        pairs = []
        if asked.weight is None and asked.group is None and not asked.missed:
            progress(1 + len(names), "comparisons")
            pairs = _differences(asked, table, _wanted({name: parts[name][""] for name in names}))
        conventions = describe_table(
            table.source, **table.asked, ties="block (R-precision, RR: expected)",
            undefined=None if asked.group is None else asked.undefined,
        ) | {"level": f"{asked.level:g}", "seed": str(seed)}  # fmt: skip
        each = {(name, group): one for name, groups in parts.items() for group, one in groups.items()}
        keys = names if asked.group is None else joined(list(each))
        curves = dict(zip(keys, each.values(), strict=True))
        return of_curves(
            curves, asked.level, seed, not asked.lower_is_better, conventions=conventions, comparisons=pairs,
            chance=asked.weight is None,
        )  # fmt: skip


def _wanted(curves: Mapping[str, Curve]) -> tuple[tuple[str, str], ...]:
    """The pairs that are compared."""
    if len(curves) <= _COMPARED:
        return tuple(combinations(curves, 2))
    order = sorted(curves, key=lambda name: -curves[name].average_precision())
    return tuple((order[0], name) for name in order[1:])


def _differences(
    asked: PageCommand, table: CaseTable, wanted: tuple[tuple[str, str], ...]
) -> list[Comparison]:
    """Comparisons of two scores; the pairs of a measure are the family that is corrected for, as of runs."""
    from precall.case_tables import compare_scores
    from precall.infer.compare.many import corrected

    found = compare_scores(table, wanted, asked.level, asked.seed or 0)
    return [
        one
        for measure in dict.fromkeys(pair.measure for pair in found)
        for one in corrected([pair for pair in found if pair.measure == measure], asked.correction)
    ]


def joined(parts: Sequence[tuple[str, str]]) -> list[str]:
    """Names of a score and a group as one, never the same of two.

    Examples
    --------
    >>> joined([("a", "1")]), joined([("a", "b, c"), ("a, b", "c")])
    (['a, 1'], ["'a', 'b, c'", "'a, b', 'c'"])
    """
    # Where no part has a comma and a space of its own, the first ones end the score.
    plain = not any(", " in one for pair in parts for one in pair)
    return [", ".join(pair if plain else map(repr, pair)) for pair in parts]


def of_categories(asked: PageCommand) -> Part:
    """Scores of many categories."""
    from precall.case_tables import about, describe_table
    from precall.cli.categories import check
    from precall.cli.progress import Progress
    from precall.item_tables import read_status
    from precall.notes import noted
    from precall.page.categories import policy_for, scored_categories
    from precall.read.sources import label_of
    from precall.sheet.categories import senses

    file, truth, pattern = asked.inputs[0], str(asked.truth), str(asked.pattern)
    check(file, asked.output, pattern, asked.separator, asked.policy)
    with Progress(2) as progress, about(label_of(file)):
        progress(0, file)
        status = read_status(
            file, truth, pattern, separator=asked.separator,
            format=None if asked.input_format == "trec" else asked.input_format,
        )  # fmt: skip
        progress(1, file)
        policy = asked.policy or policy_for(status)
        conventions = describe_table(
            label_of(file), truth=truth, scores=pattern, separator=asked.separator, policy=asked.policy, ties="block",
            undefined=asked.undefined, **senses(),
        ) | ({} if policy is None else {"policy": policy})  # fmt: skip
        conventions |= {"level": f"{asked.level:g}", "seed": str(asked.seed or 0)}
        found, said = noted(
            lambda: scored_categories(
                status, conventions, asked.undefined, policy, level=asked.level, rng=asked.seed or 0
            )
        )
    return found[0], found[1], [*found[2], *said]
