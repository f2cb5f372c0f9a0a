"""Weights of topics, such as the traffic of queries: their forms, and averages with them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from precall.core.arguments import is_number
from precall.core.errors import Mistake, UsageError
from precall.core.ragged import Float64
from precall.core.text import as_text, number, typed_number
from precall.core.vocabulary import vocabulary_of
from precall.evaluation.per_topic import averages
from precall.evaluation.report import Report, RunValues
from precall.read.sources import label_of
from precall.read.weights import LEAST, MOST

_ARGUMENT = "topic_weights"
_WHAT = "{topic: weight}, a pandas Series, a data frame, pairs, or the path of a file"
_REMEDY = f"give a number from {LEAST:g} to {MOST:g}; topics of no weight are left out of the qrels"
#: How many times the least weight the greatest may be: beyond, the topic of the least would change
#: no digit of a mean.
_MOST_RATIO = 1e15
#: Topics without a weight that an error names.
_NAMED = 5


def check_weights(given: object) -> dict[str, float]:
    """The weight of each topic: a number above 0.

    Examples
    --------
    >>> check_weights({1: 3, "q2": 0.5}), check_weights([("q1", 2)])
    ({'1': 3.0, 'q2': 0.5}, {'q1': 2.0})
    """
    from precall.read.group_tables import WEIGHTS, pairs_of

    if isinstance(given, str | os.PathLike):
        return read_weights(os.fspath(given))
    return _checked(pairs_of(given, WEIGHTS, _ARGUMENT, _WHAT, Iterable), given, _ARGUMENT)


def source_of(given: object) -> str:
    """What an error about weights names: their file, or else the argument."""
    return label_of(os.fspath(given)) if isinstance(given, str | os.PathLike) else _ARGUMENT


def _checked(pairs: Iterable[tuple[Any, Any]], given: object, source: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for topic, weight in pairs:
        name = as_text(topic)
        if not (is_number(weight) and LEAST <= weight <= MOST):
            mistake = Mistake(
                "the weight of topic {topic} is {got}", _REMEDY, got=weight, topic=name
            )
            raise mistake.error(source)
        if weights.setdefault(name, float(weight)) != weight:
            todo = "give each topic one weight"
            raise Mistake("topic {got} has two weights", todo, got=name).error(source)
    if not weights:
        raise UsageError(argument=_ARGUMENT, got=given, allowed="the weights of some topics")
    return weights


def read_weights(path: str) -> dict[str, float]:
    """The weight of each topic in a file, as `precall.read.group_tables.read_groups` reads it.

    Raises
    ------
    DataError
        A topic has no weight, or two, or there is none.
    """
    from precall.read.group_tables import WEIGHTS, read_groups

    read = read_groups(path, WEIGHTS)
    numbers = {topic: _number(weight) for topic, weight in read.items()}
    return _checked(numbers.items(), numbers, label_of(path))


def _number(text: str) -> float | str:
    """The number that a text says; the text if it says none, which is refused with its topic."""
    try:
        return typed_number(text)
    except ValueError:
        return text


def with_weights(report: Report, weights: Mapping[str, float], source: str = _ARGUMENT) -> Report:
    """The report with averages in which each topic counts by its weight. Errors about the weights
    name their source.

    Examples
    --------
    >>> from precall import evaluate
    >>> run = {"q1": ["a"], "q2": ["x", "c"]}
    >>> evaluate({"q1": ["a"], "q2": ["c"]}, run, "RR", topic_weights={"q1": 3, "q2": 1})["RR"]
    0.875
    """
    sums = [
        head
        for head, aggregate in zip(report.heads, report.aggregates, strict=True)
        if aggregate == "sum"
    ]
    if sums:
        raise UsageError(
            argument=_ARGUMENT,
            what="{got} is a sum over topics, which has no weights",
            got=sums[0],
            remedy="leave it out, or evaluate it without ⟨topic_weights=⟩",
        )
    topics = dict.fromkeys(topic for run in report.runs for topic in run.topics)
    lacking = [topic for topic in topics if topic not in weights]
    if lacking:
        names = ", ".join(lacking[:_NAMED])
        more = f" and {len(lacking) - _NAMED} more" if len(lacking) > _NAMED else ""
        todo = "give each topic that is averaged a weight, or leave it out of the qrels"
        raise Mistake(
            "{without} of {total} topics have no weight: {got:s}{more:s}",
            todo,
            got=names,
            more=more,
            without=len(lacking),
            total=len(topics),
        ).error(source)
    own = {topic: weights[topic] for topic in topics}
    if own and max(own.values()) > _MOST_RATIO * min(own.values()):
        topic = min(own, key=own.__getitem__)
        raise Mistake(
            "the weight of topic {topic} is {got}, too little beside {most}, to change any mean",
            "leave such topics out of the qrels",
            got=own[topic],
            topic=topic,
            most=max(own.values()),
        ).error(source)
    runs = tuple(_weighted(report, run, own) for run in report.runs)
    conventions = {**report.conventions, "means": tell_weights(report, own)}
    return replace(report, runs=runs, weights=own, conventions=conventions)


def tell_weights(report: Report, weights: Mapping[str, float]) -> str:
    """That averages are weighted, and how much that costs, for the conventions of a report."""
    from precall.stats.weighted_topics import effective_number

    word = vocabulary_of(report.conventions).word
    effective = number(effective_number(np.array([*weights.values()])), 1)
    return f"weighted by {word('topic')}, worth {effective} {word('topics')} of equal weight"


def _weighted(report: Report, run: RunValues, weights: Mapping[str, float]) -> RunValues:
    column = weights_of(run.topics, weights)
    undefined = report.conventions.get("undefined", "zero")
    means = [
        averages(line, aggregate, undefined, zero, column)
        for line, aggregate, zero in zip(run.values, report.aggregates, report.zeros, strict=True)
    ]
    return replace(run, mean=np.array(means))


def weights_of(topics: Iterable[str], weights: Mapping[str, float]) -> Float64:
    """The weights of some topics, in their order."""
    return np.array([weights[topic] for topic in topics], np.float64)
