"""The rows that table, markdown and latex share: headings, cells, and which value is the best."""

from __future__ import annotations

from collections.abc import Callable

from precall.results import Report, shown

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
    if not comparable(report):
        return [frozenset()] * len(report.measures)
    found = []
    for column, direction in enumerate(report.best or (0,) * len(report.measures)):
        values = [float(run.mean[column]) for run in report.runs]
        known = [value for value in values if value == value]
        best = max(known, key=lambda value: value * direction, default=None)
        chosen = frozenset(i for i, value in enumerate(values) if value == best)
        found.append(chosen if direction and len(chosen) < len(values) else frozenset())
    return found


def comparable(report: Report) -> bool:
    """Whether all runs are averaged over the same topics."""
    return len({frozenset(run.topics) for run in report.runs}) <= 1


def notes(report: Report) -> list[str]:
    """The report's notes, and one if its averages must not be compared.

    Examples
    --------
    >>> from precall import evaluate
    >>> qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    >>> notes(evaluate(qrels, {"x": {"q1": {"a": 1.0}}, "y": {"q2": {"a": 1.0}}}, ["AP"]))[-1]
    'runs are averaged over different topics and cannot be compared; pass --topics qrels'
    """
    differ = "runs are averaged over different topics and cannot be compared; pass --topics qrels"
    return report.notes() + ([] if comparable(report) else [differ])


def printable(text: str) -> str:
    """Ids as they may be shown: what would move the cursor or break the line is written as an escape.

    Examples
    --------
    >>> printable("q1\\x1b[2J")
    'q1\\\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def cells(report: Report, values: list[float]) -> list[str]:
    """A line of values as it is shown: four decimals, counts (what is summed over topics) without.

    Examples
    --------
    >>> from precall import evaluate
    >>> cells(evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0}}, ["AP", "NumRel"]), [0.25, 3.0])
    ['0.2500', '3']
    """
    return [shown(value, aggregate) for value, aggregate in zip(values, report.aggregates, strict=True)]


def averages(report: Report, mark: Mark, escape: Callable[[str], str]) -> tuple[list[str], list[list[str]]]:
    """Heading and rows of the averages: one row per run."""
    best = leaders(report)
    rows = [
        [
            escape(run.name),
            *(mark(text, i in best[column]) for column, text in enumerate(cells(report, run.mean.tolist()))),
            str(run.counts.topics),
        ]
        for i, run in enumerate(report.runs)
    ]
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
