"""The rows that table, markdown and latex share: headings, cells, and which value is the best."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from precall.results import Report, number, shown

if TYPE_CHECKING:
    from precall.infer.interval import Interval
    from precall.intervals.table import Intervals

#: From a cell's text and whether it is its column's best to what is printed.
Mark = Callable[[str, bool], str]


def leaders(report: Report) -> list[frozenset[int]]:
    """Per measure, the runs with the best average.

    None where there is nothing to choose: one run, all runs equal, a measure without direction, or
    averages over different topics.

    Examples
    --------
    >>> from precall import evaluate
    >>> runs = {"x": {"q1": {"a": 1.0, "b": 2.0}}, "y": {"q1": {"a": 1.0}}}
    >>> leaders(evaluate({"q1": {"a": 1}}, runs, ["AP", "R@2"]))
    [frozenset({1}), frozenset()]
    """
    if not report.comparable:
        return [frozenset()] * len(report.measures)
    found = []
    for column, direction in enumerate(report.best or (0,) * len(report.measures)):
        values = [float(run.mean[column]) for run in report.runs]
        known = [value for value in values if value == value]
        best = max(known, key=lambda value: value * direction, default=None)
        chosen = frozenset(i for i, value in enumerate(values) if value == best)
        found.append(chosen if direction and len(chosen) < len(values) else frozenset())
    return found


def notes(report: Report, intervals: Intervals | None = None) -> list[str]:
    """The report's notes, and those of its intervals.

    Examples
    --------
    >>> from precall import evaluate
    >>> qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    >>> notes(evaluate(qrels, {"x": {"q1": {"a": 1.0}}, "y": {"q2": {"a": 1.0}}}, ["AP"]))[-1]
    "runs are averaged over different topics and cannot be compared; pass topics='qrels' (--topics qrels)"
    """
    return report.notes() + (list(intervals.notes) if intervals is not None else [])


def bounds(report: Report, run: str, measure: str, intervals: Intervals | None) -> Interval | None:
    """The interval of one average, if there is one."""
    if intervals is None:
        return None
    return intervals.get((run, measure) if len(report.runs) > 1 else measure)


def beside(found: Interval | None) -> str:
    """The bounds as they stand behind an average.

    Examples
    --------
    >>> from precall import interval
    >>> beside(interval.precision(30, 10)), beside(None)
    (' [0.5981, 0.8581]', '')
    """
    return "" if found is None else f" [{number(found.low)}, {number(found.high)}]"


def cells(report: Report, values: list[float]) -> list[str]:
    """A line of values as it is shown: four decimals, counts (what is summed over topics) without.

    Examples
    --------
    >>> from precall import evaluate
    >>> cells(evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0}}, ["AP", "NumRel"]), [0.25, 3.0])
    ['0.2500', '3']
    """
    return [shown(value, aggregate) for value, aggregate in zip(values, report.aggregates, strict=True)]


def averages(
    report: Report, mark: Mark, escape: Callable[[str], str], intervals: Intervals | None = None
) -> tuple[list[str], list[list[str]]]:
    """Heading and rows of the averages: one row per run, the intervals behind them."""
    best = leaders(report)
    rows = []
    for i, run in enumerate(report.runs):
        texts = [
            text + beside(bounds(report, run.name, name, intervals))
            for name, text in zip(report.measures, cells(report, run.mean.tolist()), strict=True)
        ]
        marked = [mark(text, i in best[column]) for column, text in enumerate(texts)]
        rows.append([escape(run.name), *marked, str(run.counts.topics)])
    return ["run", *(escape(name) for name in report.measures), "topics"], rows


def topics(report: Report, escape: Callable[[str], str]) -> tuple[list[str], list[list[str]]]:
    """Heading and rows of the values by topic; the run's name stands first if there are several."""
    several = len(report.runs) > 1
    rows = [
        [*([escape(run.name)] if several else []), escape(topic), *cells(report, line)]
        for run in report.runs
        for topic, line in zip(run.topics, run.values.T.tolist(), strict=True)
    ]
    return [*(["run"] if several else []), "topic", *(escape(name) for name in report.measures)], rows
