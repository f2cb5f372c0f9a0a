"""From what was typed after `report` to sections of a page: runs, scored cases, categories."""

from __future__ import annotations

import warnings
from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from precall.cli.pages import PageCommand
    from precall.cli.plan import Evaluation
    from precall.curves import Curve
    from precall.location import Hits, Located
    from precall.read import Qrels, Run
    from precall.results import Report

#: Every pair of so many scores is compared; of more only that of the greatest AP with each other one.
_COMPARED = 4
#: A section, sentences for the head of the page, and warnings.
Part = tuple[dict[str, Any], list[str], list[str]]


def of_runs(asked: PageCommand) -> Part:
    """Runs against judgements."""
    from precall.cli.bounds import noted, of_averages
    from precall.cli.plugins import load
    from precall.cli.progress import Progress
    from precall.page.systems import Systems

    evaluation = _evaluation(asked)
    evaluation.check()
    load(asked.plugins)
    located: list[Located] = []
    with Progress(len(evaluation.runs)) as progress:
        report = evaluation.report(progress, lambda qrels, run: located.append(_located(asked, qrels, run)))
        pairs = None
        if len(report.runs) > 1:
            progress(len(evaluation.runs), "comparisons")
            pairs = _compared(asked, report)
        report, intervals = of_averages(report, "t", asked.level, asked.seed)
        progress(len(evaluation.runs), "random selection")
        (hits, laws), said = noted(lambda: _rankings(asked, report, located))
    systems = Systems(report, intervals, pairs, hits, laws)
    return systems.section(), systems.headline(), [*systems.warnings(), *said]


def _evaluation(asked: PageCommand) -> Evaluation:
    from precall.cli.plan import Evaluation
    from precall.evaluation import DEFAULT

    return Evaluation(
        qrels=asked.inputs[0], runs=asked.inputs[1:], measures=asked.measures or DEFAULT, per_topic=False,
        form="table", output=asked.output, ties=asked.ties, seed=asked.seed if asked.ties == "random" else None,
        topics=asked.topics, undefined=asked.undefined, grade=asked.grade, judged_only=asked.judged_only,
        depth=asked.depth, aggregate=None, duplicates=asked.duplicates, score_dtype="float64", columns=asked.columns,
        qrels_columns=asked.qrels_columns, input_format=asked.input_format, threads=asked.threads, interval=None,
        level=asked.level, plugins=asked.plugins,
    )  # fmt: skip


def _located(asked: PageCommand, qrels: Qrels, run: Run) -> Located:
    from precall.location import locate

    found = locate(
        qrels, run, ties=asked.ties, rng=asked.seed if asked.ties == "random" else None, threads=asked.threads
    )
    if asked.depth is not None:
        found = found.truncated(asked.depth)
    return found.condensed() if asked.judged_only else found


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
    import numpy as np

    from precall.errors import PrecallWarning, TiesUnresolved
    from precall.page.rankings import hits_of
    from precall.page.systems import Systems

    topics = Systems(report).topics()
    parts: list[tuple[list[str], Hits]] = []
    for run, one in zip(report.runs, located, strict=True):
        place = {name: i for i, name in enumerate(one.topics.take(np.arange(len(one))).tolist())}
        rows = np.array([place[topic] for topic in run.topics], np.int64)
        parts.append((run.topics, one.select(rows).hits(asked.grade)))
    try:
        hits = hits_of(parts, topics)
    except TiesUnresolved:
        said = f"--ties {asked.ties} leaves ranks open: no strips of hits, no test against random selection"
        warnings.warn(said, PrecallWarning, stacklevel=2)
        return {}, []
    hits["eleven"] = [_eleven(found, asked.level) for _, found in parts]
    order = Systems(report).order()
    chosen = {"best": order[:1], "all": order, "none": []}[asked.chance]
    return hits, [law for i in chosen for law in _law(report.runs[i].name, parts[i][1])]


def _eleven(hits: Hits, level: float) -> dict[str, Any]:
    """Interpolated precision at recall 0, .1, ..., 1: means over the topics that have relevant items, and t intervals."""
    import numpy as np

    from precall.errors import PrecallWarning
    from precall.infer.mean import mean
    from precall.measures import measure

    with warnings.catch_warnings():
        # Few or skewed topics are said of the averages.
        warnings.simplefilter("ignore", PrecallWarning)
        values = [measure(f"IPrec(recall={step / 10:g})")(hits) for step in range(11)]
        found = [mean(one[one == one], level=level) for one in values]
    ends = {"mean": "estimate", "low": "low", "high": "high"}
    return {name: np.array([getattr(one, part) for one in found]) for name, part in ends.items()}


def _law(name: str, hits: Hits) -> list[dict[str, Any]]:
    from precall.errors import PrecallWarning, UsageError
    from precall.infer.null import test
    from precall.page.laws import law_of

    try:
        found = test(hits, "AP")
    except UsageError as error:
        warnings.warn(f"{name}: no test against random selection: {error}", PrecallWarning, stacklevel=2)
        return []
    return [law_of(name, "AP among the items retrieved", found.combined)]


def of_cases(asked: PageCommand) -> Part:
    """Scored cases with labels."""
    from precall.cli.cases import CurveCommand
    from precall.cli.comparisons import comparisons_of_cases
    from precall.cli.progress import Progress
    from precall.page.writing import of_curves

    names = tuple(asked.scores)
    command = CurveCommand(
        file=str(asked.cases), label=str(asked.label), scores=names, positive=asked.positive, group=asked.group, compare=(),
        seed=None, weight=asked.weight, missed=asked.missed, lower_is_better=asked.lower_is_better, at=(),
        ties="expected", undefined=asked.undefined, form="table", output=asked.output,
        input_format=None if asked.input_format == "trec" else asked.input_format, level=asked.level,
    )  # fmt: skip
    command.check()
    with Progress(2 + len(names)) as progress:
        columns, parts, _, relevant, scores = command.read(progress)
        pairs = []
        if asked.weight is None and asked.group is None and not asked.missed:
            progress(1 + len(names), "comparisons")
            seed = asked.seed or 0
            pairs = comparisons_of_cases(
                _wanted({name: parts[name][""] for name in names}), relevant, scores, not asked.lower_is_better,
                seed, asked.level,
            )  # fmt: skip
        conventions = command.conventions(columns) | {
            "level": f"{asked.level:g}",
            "seed": str(asked.seed or 0),
        }
        curves = {
            f"{name}, {group}" if asked.group is not None else name: one
            for name, of_group in parts.items()
            for group, one in of_group.items()
        }
        return of_curves(
            curves, asked.level, asked.seed or 0, not asked.lower_is_better, conventions=conventions, comparisons=pairs,
            chance=asked.weight is None,
        )  # fmt: skip


def _wanted(curves: Mapping[str, Curve]) -> tuple[tuple[str, str], ...]:
    """The pairs that are compared."""
    if len(curves) <= _COMPARED:
        return tuple(combinations(curves, 2))
    order = sorted(curves, key=lambda name: -curves[name].average_precision())
    return tuple((order[0], name) for name in order[1:])


def of_categories(asked: PageCommand) -> Part:
    """Scores of many categories."""
    from precall.cli.bounds import noted
    from precall.cli.cases import about
    from precall.cli.items import CategoriesCommand
    from precall.cli.progress import Progress
    from precall.page.categories import scored_categories

    command = CategoriesCommand(
        file=asked.inputs[0], truth=str(asked.truth), scores=str(asked.pattern), separator=asked.separator, policy=None,
        undefined=asked.undefined, form="table", output=asked.output,
        input_format=None if asked.input_format == "trec" else asked.input_format,
    )  # fmt: skip
    command.check()
    with Progress(2) as progress:
        columns = command.read(progress)
        with about(columns.source):
            status = command.status(columns)
            conventions = command.conventions(columns)
            found, said = noted(lambda: scored_categories(status, conventions, asked.undefined))
    return found[0], found[1], [*found[2], *said]
