"""Groups of topics, such as kinds of queries or languages: a report of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from precall.core.errors import Mistake
from precall.core.notes.of_runs import NoGroup
from precall.core.ragged import Bool
from precall.evaluation.per_topic import averages
from precall.evaluation.report import Report, RunCounts, RunValues


def with_groups(report: Report, by: Mapping[str, str]) -> Report:
    """The report with a report of each group of topics, in order of their names.

    Topics that `by` does not name are in no group; a note says how many there are. Averages of a
    group are made of the values of its topics, as those of all topics are.

    Examples
    --------
    >>> from precall import evaluate
    >>> run = {"q1": ["a"], "q2": ["x", "c"]}
    >>> report = evaluate({"q1": ["a"], "q2": ["c"]}, run, "RR", by={"q1": "long", "q2": "short"})
    >>> {group: part.mean["RR"] for group, part in report.groups.items()}
    {'long': 1.0, 'short': 0.5}
    """
    topics = dict.fromkeys(topic for run in report.runs for topic in run.topics)
    names = sorted({by[topic] for topic in topics if topic in by})
    if not names:
        todo = "check that topics are written as in the qrels"
        got = next(iter(by))
        raise Mistake("no topic that is averaged has a group", todo, got=got).error("by")
    lost = sum(topic not in by for topic in topics)
    notes = (NoGroup("", lost, len(topics)),) if lost else ()
    groups = {name: _part(report, by, name) for name in names}
    return replace(report, groups=groups, assumed=(*report.assumed, *notes))


def _part(report: Report, by: Mapping[str, str], group: str) -> Report:
    """The report of one group. What was noticed about all topics stays in the whole report."""
    runs = []
    for run in report.runs:
        inside = np.array([by.get(topic) == group for topic in run.topics], np.bool_)
        runs.append(_values(report, run, inside))
    conventions = {**report.conventions, "group": group}
    inside_group = {topic: of for topic, of in report.weights.items() if by.get(topic) == group}
    if inside_group:
        from precall.evaluation.weights import tell_weights

        conventions["means"] = tell_weights(report, inside_group)
    return replace(
        report,
        runs=tuple(runs),
        conventions=conventions,
        intervals=None,
        groups={},
        weights=inside_group,
    )


def _values(report: Report, run: RunValues, inside: Bool) -> RunValues:
    values = run.values[:, inside]
    missing = np.isnan(values).sum(axis=1).tolist()
    undefined = report.conventions.get("undefined", "zero")
    topics = [topic for topic, chosen in zip(run.topics, inside.tolist(), strict=True) if chosen]
    weights = None
    if report.weights:
        from precall.evaluation.weights import weights_of

        weights = weights_of(topics, report.weights)
    means = [
        averages(line, aggregate, undefined, zero, weights)
        for line, aggregate, zero in zip(values, report.aggregates, report.zeros, strict=True)
    ]
    count = int(np.count_nonzero(inside))
    return RunValues(
        run.name,
        topics,
        values,
        np.array(means),
        tuple(missing),
        RunCounts(count, 0, 0, 0, 0, 0),
        run.said,
        run.greatest,
    )
