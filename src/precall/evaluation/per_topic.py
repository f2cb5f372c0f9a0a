"""Values of a run by topic, and their averages: located rankings → one run's part of a report.

Topics may be measured here or elsewhere, and in chunks: no value depends on other topics.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from precall.core.conventions import FLOOR, Conventions
from precall.core.errors import DataError
from precall.core.notes import Note
from precall.core.notes.of_runs import EmptyRankings, NothingRetrieved, Unanswerable
from precall.core.ragged import Bool, Float64, Int64, mean
from precall.core.undefined import apply_undefined, undefined_for_topic
from precall.evaluation.report import RunCounts, RunValues
from precall.location import Located
from precall.measures import Measure
from precall.measures.registry import attainable_values

#: No ranking is deeper, and NumPy cannot compare greater integers exactly.
DEEPEST = 2**53


class TopicValues(NamedTuple):
    """Values and properties of every topic of a run and its qrels; `values` has a row per measure,
    `attainable` one per measure that declares its greatest values.
    """

    in_qrels: Bool
    in_run: Bool
    retrieved: Int64
    relevant: Int64
    tied: Bool
    values: Float64
    attainable: Float64


class RunOrigin(NamedTuple):
    """The run that the values belong to, and the notes from reading it and its qrels."""

    name: str
    source: str
    dropped: int
    judgements_dropped: int
    said: tuple[Note, ...]


def topic_values(located: Located, chosen: list[Measure], conventions: Conventions) -> TopicValues:
    """Measure every topic, whether it is averaged or not."""
    seen = apply(conventions, located)
    # First, because the measures cache properties of the hits, such as their number.
    values = np.array([measure(seen) for measure in chosen])
    return TopicValues(
        located.in_qrels,
        located.in_run,
        located.retrieved,
        located.total(conventions.grade),
        _ties_matter(located, chosen, conventions),
        values,
        np.array([attainable_values(measure, seen) for measure in limited(chosen)]).reshape(
            -1, len(seen)
        ),
    )


def limited(chosen: list[Measure]) -> list[Measure]:
    """The measures that declare the greatest value of each topic."""
    return [measure for measure in chosen if measure.declaration.attainable is not None]


def averaged_of(conventions: Conventions, in_qrels: Bool, in_run: Bool, relevant: Int64) -> Bool:
    """Whether each topic is averaged; `relevant` is its number of relevant items."""
    if conventions.topics == "both":
        return in_qrels & in_run
    if conventions.topics == "answerable":
        return in_qrels & (relevant > 0)
    return in_qrels if conventions.topics == "qrels" else in_run


def apply(conventions: Conventions, located: Located) -> Located:
    """Rankings cut, then condensed to judged items, in this order as in trec_eval."""
    if conventions.depth is not None:
        located = located.truncated(min(conventions.depth, DEEPEST))
    return located.condensed() if conventions.judged_only else located


def aggregate_of(conventions: Conventions, measure: Measure) -> str:
    """How the topics of a measure are averaged; GMAP is geometric by definition."""
    return measure.aggregate if measure.label else conventions.aggregate or measure.aggregate


def run_values(
    topics: TopicValues,
    ids: list[str],
    origin: RunOrigin,
    chosen: list[Measure],
    conventions: Conventions,
) -> RunValues:
    """One run's part of a report; `ids` are the ids of the averaged topics."""
    averaged = averaged_of(conventions, topics.in_qrels, topics.in_run, topics.relevant)
    values = topics.values if averaged.all() else topics.values[:, averaged]
    if conventions.undefined == "error":
        _refuse_undefined(values, chosen, ids, origin.source)
    count, empty = (
        int(np.count_nonzero(averaged)),
        int(np.count_nonzero(averaged & topics.in_run & (topics.retrieved == 0))),
    )
    notes = origin.said
    if empty:
        kind = NothingRetrieved if 2 * empty > count else EmptyRankings
        notes = (*notes, kind("", empty, count))
    if conventions.topics == "answerable" and (lost := int(np.sum(topics.in_qrels > averaged))):
        notes = (*notes, Unanswerable("", lost, count + lost))
    # A mean over orders of ties can exceed the greatest value by a rounding.
    greatest = {
        measure.name: float(
            np.fmax.reduce([*line, *values[chosen.index(measure)]], initial=-math.inf)
        )
        for measure, line in zip(limited(chosen), topics.attainable[:, averaged], strict=True)
    }
    # Of topics that are left out nobody asks.
    expected = averaged if conventions.topics == "answerable" else topics.in_qrels
    missing = np.isnan(values)
    undefined = missing.sum(axis=1).tolist() if missing.any() else [0] * len(values)
    means = [
        averages(
            line,
            aggregate_of(conventions, measure),
            conventions.undefined if some else None,
            measure.declaration.zero,
        )
        for line, measure, some in zip(values, chosen, undefined, strict=True)
    ]
    return RunValues(
        name=origin.name,
        topics=ids,
        values=values,
        mean=np.array(means),
        undefined=tuple(undefined),
        counts=RunCounts(
            topics=count,
            missing=int(np.count_nonzero(expected > topics.in_run)),
            unjudged=int(np.count_nonzero(topics.in_run > topics.in_qrels)),
            without_relevant=int(np.count_nonzero(averaged > (topics.relevant > 0))),
            tied=int(np.count_nonzero(topics.tied & averaged)),
            dropped=origin.dropped,
            judgements_dropped=origin.judgements_dropped,
        ),
        said=notes,
        greatest={name: most for name, most in greatest.items() if most > 0},
    )


def averages(
    values: Float64,
    aggregate: str,
    undefined: str | None,
    zero: float = 0.0,
    weights: Float64 | None = None,
) -> float:
    """One number for many topics; NaN if there are none. `undefined` is None if all values are
    known to be defined; `weights` are those of the topics, if they have some.

    The mean is the correctly rounded sum divided by the number of topics, so it does not depend on
    their order. The geometric mean raises values below 1e-5 to 1e-5.
    """
    if weights is not None:
        return _weighted_average(values, aggregate, undefined, zero, weights)
    kept = values if undefined is None else apply_undefined(values, undefined, zero=zero)
    if aggregate == "sum":
        return math.fsum(kept)
    if not len(kept):
        return math.nan
    if aggregate == "geometric":
        return math.exp(math.fsum(np.log(np.maximum(kept, FLOOR))) / len(kept))
    return mean(kept)


def _weighted_average(
    values: Float64, aggregate: str, undefined: str | None, zero: float, weights: Float64
) -> float:
    """A mean, or a geometric one, of topics with weights."""
    from precall.stats.weighted_topics import weighted_mean

    kept, weights = kept_values(values, undefined or "zero", zero, weights)
    if not len(kept):
        return math.nan
    if aggregate == "geometric":
        return math.exp(weighted_mean(np.log(np.maximum(kept, FLOOR)), weights))
    return weighted_mean(kept, weights)


def kept_values(
    values: Float64, undefined: str, zero: float, weights: Float64
) -> tuple[Float64, Float64]:
    """The values to average, with their weights: a topic that is left out takes its weight along.

    Examples
    --------
    >>> kept_values(np.array([np.nan, 0.5]), "omit", 0.0, np.array([2.0, 3.0]))
    (array([0.5]), array([3.]))
    """
    kept = apply_undefined(values, undefined, zero=zero)
    return kept, weights if len(kept) == len(values) else weights[~np.isnan(values)]


def _refuse_undefined(values: Float64, chosen: list[Measure], ids: list[str], source: str) -> None:
    problems = [
        undefined_for_topic(chosen[line].name, ids[column], chosen[line].declaration.undefined).of(
            source, kind=chosen[line].name
        )
        for line, column in np.argwhere(np.isnan(values)).tolist()
    ]
    if problems:
        raise DataError(problems)


def _ties_matter(located: Located, chosen: list[Measure], conventions: Conventions) -> Bool:
    """For each ranking, whether the order of equal scores changes one of the measures."""
    tied, may = np.zeros(len(located), np.bool_), np.zeros(len(located), np.bool_)
    if not np.count_nonzero(located.last > located.first):
        return tied
    undecided: list[Measure] = []
    seen = located.condensed() if conventions.judged_only else located
    for measure in chosen:
        parameters, declaration = measure.parameters, measure.declaration
        depths = [
            depth for depth in (conventions.depth, parameters.get("cutoff")) if depth is not None
        ]
        unlike = seen.tied(declaration.sees, parameters.get("grade", 1), min(depths, default=None))
        # Of subtopics no order is known to be the best or the worst.
        if declaration.strict or declaration.judging or measure.of_subtopics:
            tied |= unlike
        else:
            may |= unlike
            undecided.append(measure)
    rows = np.flatnonzero(may & ~tied)
    if len(rows):
        # These topics have items of unlike relevance with equal scores: do the best and the worst
        # of their orders differ in value?
        tied_topics = located.select(rows)
        best, worst = (apply(conventions, tied_topics.resolve(ties)) for ties in ("best", "worst"))
        for measure in undecided:
            high, low = measure(best), measure(worst)
            tied[rows] |= (high != low) & ~(np.isnan(high) & np.isnan(low))
    return tied
