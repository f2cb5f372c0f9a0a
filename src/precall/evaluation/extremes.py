"""Least and greatest values and averages of a run, over all labels of what nobody judged."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from precall.core.conventions import FLOOR, Conventions
from precall.core.errors import DataError, Mistake, UsageError
from precall.core.notes import Note
from precall.core.notes.of_runs import LabelsUndefined, NothingJudgedNegative, UnjudgedItems
from precall.core.ragged import Bool, Float64, Int64
from precall.evaluation.per_topic import aggregate_of, apply, averaged_of, averages
from precall.location.by_topic import RunOutline
from precall.location.labelings import FIXED, Unjudged, unjudged_of
from precall.measures.extremes import check_search, extremes, grades_of
from precall.read.grades import Grades

if TYPE_CHECKING:
    from precall.location import Located
    from precall.measures import Measure
    from precall.read.columns import Qrels, Run

#: Items to judge next are looked for among so many, times the items of the ranking.
_TRIED = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Extremes:
    """The least and the greatest values of one run over all labels of unjudged items.

    Attributes
    ----------
    lowest, highest : a row per measure, a column per averaged topic; NaN if the measure is
        undefined for all labels.
    mean_lowest, mean_highest : the extremes of the average of each measure.
    undefined : per measure, the topics in which it is undefined for some labels.
    unjudged : per topic, unjudged items, retrieved or in the pool.
    notes : how many items are unjudged, and where labels leave a measure undefined.
    widest : per measure, the topic whose bounds are widest, of which `judge_next` takes an item.

    Examples
    --------
    >>> from precall import evaluate
    >>> report = evaluate(
    ...     {"q": {"a": 1, "b": 0}}, {"q": {"x": 3.0, "a": 2.0}}, "AP", unjudged="bounds"
    ... )
    >>> found = report.runs[0].extremes
    >>> found.lowest, found.highest, found.unjudged
    (array([[0.5]]), array([[1.]]), array([1]))
    """

    lowest: Float64
    highest: Float64
    mean_lowest: Float64
    mean_highest: Float64
    undefined: tuple[int, ...]
    unjudged: Int64
    notes: tuple[Note, ...] = ()
    widest: tuple[_Widest | None, ...] = field(default=(), repr=False, compare=False)


class NextLabel(NamedTuple):
    """The unjudged item whose label narrows the bounds of a run's average most, whatever the label
    is, in the topic where they are widest.

    Attributes
    ----------
    topic, item : the item.
    width : distance of the bounds of this topic.
    at_most : that distance once the item is judged, at most.
    """

    topic: str
    item: str
    width: float
    at_most: float


@dataclass(frozen=True, slots=True, eq=False)
class _Widest:
    """The topic in which the bounds of a measure are widest, and its unjudged items."""

    measure: Measure
    topic: str
    unjudged: Unjudged
    grades: Grades
    names: tuple[str, ...]

    def next_label(self) -> NextLabel | None:
        """The item to judge next; None if no retrieved item is unjudged."""
        number = int(self.unjudged.inside[0])
        if not number:
            return None

        number = min(number, max(_TRIED // int(self.unjudged.judged.retrieved[0]), 1))
        before = extremes(self.measure, self.unjudged, self.grades)
        width = float((before.highest - before.lowest)[0])
        widths = np.zeros(number)
        for grade in grades_of(self.measure, self.grades):
            judged = extremes(
                self.measure, self.unjudged.judge_each(grade.item(), number), self.grades
            )
            widths = np.fmax(widths, np.nan_to_num(judged.highest - judged.lowest))
        # Widths that differ by rounding are equal, and the topmost item is first.
        best = int(np.argmax(widths <= widths.min() + 1e-12))
        return NextLabel(self.topic, self.names[best], width, float(widths[best]))


def check_bounds(chosen: Sequence[Measure], conventions: Conventions) -> None:
    """Refuse measures and conventions that bounds cannot be found for."""
    if conventions.judged_only:
        raise UsageError(
            argument="judged_only",
            what="leaves out the items whose labels ⟨unjudged='bounds'⟩ asks about",
            remedy="leave one of them out",
        )
    for measure in chosen:
        check_search(measure, conventions.ties)


def check_judged(qrels: Qrels) -> None:
    """Refuse lists of relevant items."""
    if qrels.listed:
        raise UsageError(
            argument="qrels",
            what="lists say which items are relevant, not which were judged",
            remedy="give grades, {topic: {item: grade}}, or leave ⟨unjudged='bounds'⟩ out",
        )


def extremes_of(
    qrels: Qrels, located: Located, run: Run, chosen: list[Measure], conventions: Conventions
) -> Extremes:
    """The extremes of one run.

    An unjudged item may have grade 0 or any other grade of the qrels.
    """
    grades = np.unique(np.append(qrels.grade[qrels.grade > 0], 0))
    if len(grades) == 1:
        grades = np.array([0, conventions.grade])
    items, is_open = located.items, located.ties not in FIXED
    if is_open:
        unjudged = unjudged_of(located, items, conventions.depth)
    else:
        unjudged = unjudged_of(apply(conventions, located), None)
    averaged = averaged_of(
        conventions, located.in_qrels, located.in_run, located.total(conventions.grade)
    )
    if not averaged.all():
        unjudged = unjudged.select(np.flatnonzero(averaged))
    found = [extremes(measure, unjudged, grades) for measure in chosen]
    shape = (len(chosen), len(unjudged))
    lowest = np.array([each.lowest for each in found]).reshape(shape)
    highest = np.array([each.highest for each in found]).reshape(shape)
    is_undefined = np.array([each.is_undefined for each in found]).reshape(shape)
    ids = unjudged.judged.topics
    if conventions.undefined == "error":
        _refuse_undefined(is_undefined, chosen, ids.tolist(), run.source)
    ends = [
        [
            _average(line, flags, measure, conventions, sign)
            for line, flags, measure in zip(lines, is_undefined, chosen, strict=True)
        ]
        for lines, sign in ((lowest, 1), (highest, -1))
    ]
    count = unjudged.inside + unjudged.missed
    names: dict[str, tuple[str, ...]] = {}
    widest = tuple(
        _widest_of(qrels, run, measure, unjudged, grades, high - low, conventions.ties, names)
        for measure, low, high in zip(chosen, lowest, highest, strict=True)
    )
    return Extremes(
        lowest,
        highest,
        np.array(ends[0]),
        np.array(ends[1]),
        tuple(np.count_nonzero(is_undefined, axis=1).tolist()),
        count,
        _notes(qrels, unjudged, chosen, is_undefined, conventions),
        widest,
    )


def _widest_of(
    qrels: Qrels,
    run: Run,
    measure: Measure,
    unjudged: Unjudged,
    grades: Grades,
    width: Float64,
    ties: str,
    names: dict[str, tuple[str, ...]],
) -> _Widest | None:
    known = np.where(np.isfinite(width) & (unjudged.inside > 0), width, -1.0)
    if isinstance(run, RunOutline) or known.max(initial=-1.0) <= 0:
        return None
    at = int(known.argmax())
    topic = unjudged.judged.topics[at]
    if topic not in names:
        names[topic] = _unjudged_names(qrels, run, topic, ties)
    return _Widest(measure, topic, unjudged.select(np.array([at])), grades, names[topic])


def _unjudged_names(qrels: Qrels, run: Run, topic: str, ties: str) -> tuple[str, ...]:
    """The retrieved items of a topic that nobody judged, best first; equal scores as in trec_eval,
    or in the order of the run.
    """
    first, last = run.row_start[list(run.topics).index(topic) :][:2].tolist()
    rows = range(first, last)
    names = run.items.take(np.arange(first, last)).tolist()
    judged: set[str] = set()
    if topic in (judged_topics := list(qrels.topics)):
        begin, end = qrels.row_start[judged_topics.index(topic) :][:2].tolist()
        kept = np.arange(begin, end)[qrels.grade[begin:end] >= 0]
        judged = set(qrels.items.take(kept).tolist())
    scores = run.sort_key[first:last].tolist()
    order = list(range(len(rows)))
    if ties != "input":
        order.sort(key=lambda index: names[index].encode(), reverse=True)
    order.sort(key=lambda index: -scores[index])
    return tuple(names[index] for index in order if names[index] not in judged)


def _average(
    line: Float64, is_undefined: Bool, measure: Measure, conventions: Conventions, sign: int
) -> float:
    """The least (sign 1) or greatest (-1) average, over labels for which it is defined."""
    aggregate, zero = aggregate_of(conventions, measure), measure.declaration.zero
    if conventions.undefined == "omit":
        return _omitting(line, is_undefined, aggregate, sign)
    counted = np.where(np.isnan(line), zero, line)
    if not math.isnan(zero):
        counted = np.where(is_undefined, sign * np.minimum(sign * counted, sign * zero), counted)
    return averages(counted, aggregate, None)


def _omitting(line: Float64, is_undefined: Bool, aggregate: str, sign: int) -> float:
    """The extreme average if topics are left out whose labels make the measure undefined.

    Those are left out that do not lower the average, or raise it.
    """
    always = line[~is_undefined]
    perhaps = line[is_undefined & ~np.isnan(line)]
    perhaps = sign * np.sort(sign * perhaps)
    scale: Callable[[Float64], Float64] = (
        (lambda values: np.log(np.maximum(values, FLOOR)))
        if aggregate == "geometric"
        else (lambda values: values)
    )
    total = np.sum(scale(always)) + np.concatenate(([0.0], np.cumsum(scale(perhaps))))
    number = np.arange(len(perhaps) + 1) + len(always)
    with np.errstate(divide="ignore", invalid="ignore"):
        reached = sign * (total if aggregate == "sum" else total / number)
    kept = int(np.nanargmin(reached)) if (~np.isnan(reached)).any() else 0
    return averages(np.concatenate((always, perhaps[:kept])), aggregate, None)


def _refuse_undefined(
    is_undefined: Bool, chosen: list[Measure], ids: list[str], source: str
) -> None:
    problems = [
        Mistake(
            "{measure:s} is undefined for topic {topic} with some labels ({reason:s})",
            "remove the topic, or pass ⟨undefined='zero' or 'omit'⟩",
            measure=chosen[line].name,
            topic=ids[column],
            reason=chosen[line].declaration.undefined,
        ).of(source, kind=chosen[line].name)
        for line, column in np.argwhere(is_undefined).tolist()
    ]
    if problems:
        raise DataError(problems)


def _notes(
    qrels: Qrels,
    unjudged: Unjudged,
    chosen: list[Measure],
    is_undefined: Bool,
    conventions: Conventions,
) -> tuple[Note, ...]:
    inside = int(unjudged.inside.sum())
    judged = len(unjudged.judged.rank)
    notes: list[Note] = []
    if inside or unjudged.missed.any():
        notes.append(UnjudgedItems("", inside, inside + judged, int(unjudged.missed.sum())))
    names: dict[int, list[str]] = {}
    for measure, flags in zip(chosen, is_undefined, strict=True):
        names.setdefault(int(flags.sum()), []).append(measure.head)
    notes += [
        LabelsUndefined("", tuple(names[times]), times, conventions.undefined)
        for times in names
        if times
    ]
    if inside and not (qrels.grade == 0).any():
        notes.append(NothingJudgedNegative(""))
    return tuple(notes)
