"""Groups of topics, such as kinds of queries or languages: a report of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from precall.core.arguments import check_kind
from precall.core.errors import DataError, Fact, Mistake, Problem, UsageError
from precall.core.notes.of_runs import NoGroup
from precall.core.ragged import Bool
from precall.core.text import MARK, as_text, is_utf8
from precall.evaluation.per_topic import averages
from precall.evaluation.report import Report, RunCounts, RunValues
from precall.read.problems import NOT_UTF8, nothing_in
from precall.read.sources import contents, label_of
from precall.read.values import is_there


def check_groups(by: object) -> dict[str, str]:
    """The group of each topic, as texts.

    Examples
    --------
    >>> check_groups({1: "long", 2: "short"})
    {'1': 'long', '2': 'short'}
    """
    check_kind("by", by, Mapping, "{topic: group}")
    assert isinstance(by, Mapping)
    for topic, group in by.items():
        if not is_there(group) or isinstance(group, list | tuple | set | dict):
            todo = "give it one group, or leave it out"
            raise Mistake("topic {topic} has no group", todo, got=group, topic=topic).error("by")
    groups = {as_text(topic): as_text(group) for topic, group in by.items()}
    if not groups:
        raise UsageError(argument="by", got=by, allowed="the group of at least one topic")
    if len(groups) < len(by):
        raise UsageError(argument="by", what="two topics have one name as text")
    return groups


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
    weights = np.array([report.weights[topic] for topic in topics]) if report.weights else None
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


def read_groups(path: str, noun: str = "topic", group_noun: str = "group") -> dict[str, str]:
    """The group of each topic in a file: a topic and its group on each line, with a tab or a blank
    between them. A group may have blanks. The nouns name what is grouped: runs have systems.

    Raises
    ------
    DataError
        A line has no group, a topic stands there twice, or there is none.
    """

    def split(words: str, line: int) -> tuple[str, str]:
        topic, _, group = words.partition("\t") if "\t" in words else words.partition(" ")
        return topic, group

    return read_pairs(path, split, noun, group_noun)


def read_pairs(
    path: str,
    split: Callable[[str, int], tuple[str, str] | None],
    noun: str,
    other_noun: str,
) -> dict[str, str]:
    """What each topic of a file has: `split` takes a line and its number apart, and returns None
    for a heading. The nouns name both.
    """
    label = label_of(path)
    data = contents(path, label).removeprefix(MARK)
    pairs: dict[str, str] = {}
    problems: list[Problem] = []
    words_of = Fact(noun), Fact(other_noun)
    todo = f"write a {noun} and its {other_noun} on each line, with a tab or a blank between them"
    for line, text in enumerate(data.split(b"\n"), 1):
        if not is_utf8(text):
            problems.append(NOT_UTF8.of(label, line, kind="utf-8"))
            continue
        words = text.decode().strip()
        found = split(words, line) if words else None
        if found is None:
            continue
        topic, other = found
        if not other.strip():
            problems.append(
                Mistake(
                    "a {noun} without a {group}",
                    todo,
                    got=topic,
                    noun=words_of[0],
                    group=words_of[1],
                ).of(label, line, kind="group")
            )
        elif topic in pairs:
            mistake = Mistake(
                "{noun} {got} is there twice",
                "remove one of the lines",
                got=topic,
                noun=words_of[0],
            )
            problems.append(mistake.of(label, line, kind="twice"))
        pairs[topic] = other.strip()
    if problems:
        raise DataError(problems, len(problems))
    if not pairs:
        raise nothing_in(noun, f"a file of {other_noun}s has").error(label)
    return pairs
