"""`pc.judge.items`: measures of rankings if people labelled single items of topics, not whole
topics.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core.arguments import check_level, check_number, is_number
from precall.core.conventions import ConventionOptions, Conventions
from precall.core.errors import Fact, UsageError
from precall.core.notes import Note, Severity, collect_notes, run_and_collect, warn, warn_all
from precall.core.notes.of_judges import JudgeTellsLittle, NotChosenAtRandom
from precall.core.ragged import Float64
from precall.core.text import short_repr
from precall.evaluation.api import evaluate_by, measures_of, read_runs_of
from precall.evaluation.report import data_notes
from precall.judges.chances import probability_of_items_in
from precall.judges.learning import (
    ALONE,
    adjusted_pairs,
    correlation_of,
    notes_of_values,
    tells_little,
    worth_of,
)
from precall.judges.rankings import counts_all_relevant, first_items
from precall.judges.results import Judged, JudgedPair, JudgedValue
from precall.judges.topics import (
    check_conventions,
    check_labels,
    conventions_of_read,
    labelled_only,
    labels_of,
    read_labels,
    topics_of_all,
)
from precall.measures import Measure
from precall.measures.registry import range_of
from precall.native import thread_count
from precall.read.columns import Qrels
from precall.stats.double_sampling import Choice
from precall.stats.intervals.interval import Interval
from precall.stats.intervals.mean import mean_over
from precall.stats.scipy import special
from precall.stats.single_labels import corrected_labels

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

#: Fewer labels by people tell nothing.
LEAST = 20
_METHOD = "t over topics, labels corrected"
#: Unlike all by more standard errors than this, people's labels are called no random choice.
_DEVIATIONS = 4.0


def items(
    people: object,
    judge: object,
    run: object,
    measures: str | Measure | Iterable[str | Measure],
    *,
    probability: Mapping[Any, Any] | float | None = None,
    level: float = 0.95,
    threads: int | None = None,
    **conventions: Unpack[ConventionOptions],
) -> Judged:
    """Averages over topics, by people's labels of single items, chosen at random, and a judge's.

    No topic need be labelled completely. It works for measures that are sums of labels times fixed
    numbers: P@k, DCG@k of labels 0 and 1, RBP@k, and their differences. Of other measures a topic
    has no value without all its labels; for these let people label whole topics, for `judge`.

    Parameters
    ----------
    people : people's qrels, in any form that `evaluate` takes, of some of the items that the runs
        have in the ranks that count, chosen at random. A grade below 0 means that nobody judged the
        item.
    judge : the judge's qrels, of all topics.
    run : one run or several, as in `evaluate`.
    measures : names of measures with a cutoff.
    probability : with what probability an item was chosen for people, {topic: {item: p}}, for those
        that they labelled; one number if it is the same for all; None for the column `probability`
        of people's labels, if they are a table that has one, else for all alike.
    level : nominal coverage of the intervals, in (0, 1).
    threads : see `evaluate`.
    **conventions : those of `evaluate`; ties are broken by ids.

    Returns
    -------
    Judged
        As that of `judge`; the units of `labels` are labels.

    Warns
    -----
    PrecallWarning
        What people labelled is no random choice by the judge's labels; topics are few or skewed;
        the judge tells little.

    Raises
    ------
    DataError
        The judge lacks a topic; or a file is not as it must be.
    UsageError
        A measure is no sum of labels; people gave fewer than 20 labels; or an argument is not
        allowed.

    Notes
    -----
    Each label becomes w = m + (y - m) R / π: y is people's label, R whether there is one, π its
    probability, and m the share of relevant items where the judge says the same, learned of other
    topics (five folds). The measure of w has no bias, whatever the judge does wrong, and its values
    per topic have Student's interval. Where people label alone m is 0 (Horvitz and Thompson 1952).

    Examples
    --------
    >>> from precall import judge
    >>> run = {f"q{i}": ["a", "b", "c", "d"] for i in range(40)}
    >>> llm = {f"q{i}": {d: int((i + j) % 3 > 0) for j, d in enumerate("abcd")} for i in range(40)}
    >>> people = {f"q{i}": {"abcd"[i % 4]: int(i % 5 > 1)} for i in range(40)}
    >>> found = judge.items(people, llm, run, "P@4")
    >>> found.labels, round(found.judge_alone, 3), round(found.estimate, 3)
    ((40, 160), 0.662, 0.598)
    """
    settled = Conventions(**conventions)
    level = check_level(level)
    check_conventions(settled)
    if settled.ties != "docno":
        raise UsageError(
            argument="ties",
            got=settled.ties,
            what="each item needs one rank",
            remedy="take 'docno'",
        )
    threads = thread_count(threads)
    own, other = (
        read_labels(source, settled, threads, name)
        for source, name in ((people, "people"), (judge, "judge"))
    )
    if probability is None:
        probability = probability_of_items_in(people, settled.columns)
    runs = read_runs_of(run, settled, threads)
    plain = conventions_of_read(settled)
    with collect_notes():
        report = evaluate_by(plain, other, runs, measures, 0, threads, None)
    topics = topics_of_all(report)
    check_labels(topics, other)
    chosen, _, _ = measures_of(list(report.measures), settled.grade)
    coefficients = [
        _coefficients(measure, head, plain)
        for measure, head in zip(chosen, report.heads, strict=True)
    ]
    deepest = max(map(len, coefficients))
    ranked = {name: first_items(each, deepest, "docno", set(topics)) for name, each in runs.items()}
    pool = _Pool.of(topics, ranked, labelled_only(own), other, settled.grade, probability)
    values: dict[tuple[str, str], JudgedValue] = {}
    pairs: list[JudgedPair] = []
    for measure, head, best, fixed in zip(
        report.measures, report.heads, report.best, coefficients, strict=True
    ):
        limits = range_of(head) or (-math.inf, math.inf)
        sums = {name: pool.sums(of, fixed) for name, of in ranked.items()}
        for name, each in sums.items():
            values[name, measure] = _value(each, pool, head, level, limits)
        pairs += adjusted_pairs(
            _pair(sums[a], sums[b], (a, b), pool, head, level, best >= 0)
            for a, b in combinations(runs, 2)
        )
    notes = [*data_notes(report), *pool.notes, *notes_of_values(values, pairs)]
    warn_all(note for note in notes if note.severity < Severity.INFORMATIVE)
    rest = {name: text for name, text in report.conventions.items() if name != "qrels"}
    chosen_how = {}
    if isinstance(probability, Mapping):
        chosen_how["chosen"] = "with given probabilities"
    elif probability is not None:
        chosen_how["chosen"] = f"with probability {probability:g}"
    return Judged(
        values,
        tuple(pairs),
        tuple(runs),
        report.measures,
        None,
        {**rest, "labelled": f"{pool.seen.sum()} of {len(pool.seen)} items", **chosen_how},
        report.asked,
        report.best,
        tuple(dict.fromkeys(notes)),
    )


def _coefficients(measure: Measure, head: str, conventions: Conventions) -> Float64:
    """What a relevant item counts for at each rank; an error if the measure is no such sum."""
    depth = measure.parameters.get("cutoff")
    if depth is None or counts_all_relevant(measure, conventions):
        raise _no_sum(head)
    ranked = [f"d{rank:0{len(str(depth))}}" for rank in range(depth)]
    alone = {f"r{rank}": {item: conventions.grade} for rank, item in enumerate(ranked)}
    together = {
        "all": dict.fromkeys(ranked, conventions.grade),
        "half": dict.fromkeys(ranked[::2], conventions.grade),
    }
    qrels = alone | together
    scores = {item: -float(rank) for rank, item in enumerate(ranked)}
    run = dict.fromkeys(qrels, scores)
    plain = Conventions(grade=conventions.grade)
    report = evaluate_by(plain, qrels, run, [measure], 0, 1, None)
    (of_topic,) = report.values_by_run(report.measures[0]).values()
    fixed = np.array([of_topic[f"r{rank}"] for rank in range(depth)])
    sums = (fixed.sum(), fixed[::2].sum())
    if not np.allclose(sums, (of_topic["all"], of_topic["half"]), rtol=1e-9, atol=1e-12):
        raise _no_sum(head)
    return fixed


def _no_sum(head: str) -> UsageError:
    return UsageError(
        argument="measures",
        got=head,
        what="has no value of a topic without all its labels",
        remedy="let people label whole topics, or ask for P@10, DCG@10 or RBP@10",
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """A measure of each topic: corrected, by people's labels alone, and by the judge's alone."""

    corrected: Float64
    people: Float64
    judge: Float64

    def __sub__(self, other: _Sums) -> _Sums:
        return _Sums(
            self.corrected - other.corrected, self.people - other.people, self.judge - other.judge
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Pool:
    """The items that count for any run and measure, with the labels of both."""

    topics: list[str]
    place: dict[tuple[str, str], int]
    seen: Any
    corrected: Float64
    people: Float64
    judge: Float64
    correlation: float
    notes: tuple[Note, ...]

    @classmethod
    def of(
        cls,
        topics: list[str],
        ranked: Mapping[str, Mapping[str, Sequence[str]]],
        people: Qrels,
        judge: Qrels,
        grade: float,
        probability: Mapping[Any, Any] | float | None,
    ) -> _Pool:
        """The items in the first ranks of any run."""
        code = {topic: index for index, topic in enumerate(topics)}
        keys = list(
            dict.fromkeys(
                (topic, item)
                for topic in topics
                for first in ranked.values()
                for item in first.get(topic, ())
            )
        )
        own, other = labels_of(people, set(topics)), labels_of(judge, set(topics))
        y = np.array([np.nan if own.get(key, -1) < 0 else float(own[key] >= grade) for key in keys])
        said = np.array([max(other.get(key, -1), -1) + 1 for key in keys], np.int64)
        f = (said > grade).astype(np.float64)
        seen = ~np.isnan(y)
        if seen.sum() < LEAST:
            raise UsageError(
                argument="people",
                allowed=f"labels of {LEAST} items or more that the runs have in their first ranks;",
                got=Fact(f"{int(seen.sum())}"),
                remedy="let people label more, chosen at random",
            )
        chance, notes = np.full(len(keys), seen.mean()), []
        if isinstance(probability, Mapping):
            chance = _chances(probability, keys, seen)
        else:
            if probability is not None:
                chance = np.full(len(keys), _check_chance(probability))
            error = f.std() * math.sqrt(max(1 / seen.sum() - 1 / len(f), 0.0))
            if error and abs(f[seen].mean() - f.mean()) > _DEVIATIONS * error:
                notes.append(NotChosenAtRandom("", float(f[seen].mean()), float(f.mean())))
        topic = np.array([code[name] for name, _ in keys], np.int64)
        return cls(
            topics,
            {key: index for index, key in enumerate(keys)},
            seen,
            corrected_labels(y, said, chance, topic),
            np.where(seen, np.where(seen, y, 0.0) / chance, 0.0),
            f,
            correlation_of(y[seen], f[seen], Choice.of(seen, chance=chance[seen])),
            tuple(notes),
        )

    def sums(self, first: Mapping[str, Sequence[str]], fixed: Float64) -> _Sums:
        """The measure of each topic, of one run."""
        found = np.zeros((3, len(self.topics)))
        columns = np.stack([self.corrected, self.people, self.judge])
        for index, topic in enumerate(self.topics):
            rows = [self.place[topic, item] for item in first.get(topic, ())[: len(fixed)]]
            found[:, index] = columns[:, rows] @ fixed[: len(rows)]
        return _Sums(*found)


def _chances(probability: Mapping[Any, Any], keys: Sequence[tuple[str, str]], seen: Any) -> Float64:
    found = np.ones(len(keys))
    given = {str(topic): of for topic, of in probability.items()}
    for place in np.flatnonzero(seen).tolist():
        topic, item = keys[place]
        of = given.get(topic)
        if not isinstance(of, Mapping) or item not in (named := {str(k): v for k, v in of.items()}):
            raise UsageError(
                argument="probability",
                what=f"item {{got}} of topic {short_repr(topic)} has none",
                got=item,
                remedy="give {topic: {item: p}} for everything that people labelled",
            )
        found[place] = _check_chance(named[item])
    return found


def _check_chance(chance: object) -> float:
    if not is_number(chance):
        raise UsageError(
            argument="probability", allowed="{topic: {item: p}}, or one number;", got=chance
        )
    number = check_number("probability", chance)
    if not 0 < number <= 1:
        raise UsageError(argument="probability", allowed="in (0, 1]", got=number)
    return number


def _mean(values: Float64, level: float, measure: str) -> Interval:
    """Student's interval of values per topic, which are not within any range."""
    return mean_over("topics", values, level=level, method="t", measure=measure)


def _quiet(values: Float64, level: float, measure: str) -> Interval:
    return run_and_collect(lambda: _mean(values, level, measure))[0]


def _value(
    sums: _Sums, pool: _Pool, measure: str, level: float, limits: tuple[float, float]
) -> JudgedValue:
    def learned() -> JudgedValue:
        found = _mean(sums.corrected, level, measure)
        low, high = (min(max(end, limits[0]), limits[1]) for end in found.ends)
        alone = _quiet(sums.people, level, measure)
        worth = worth_of(alone.standard_error, found.standard_error)
        # The model saves labels even if the judge is useless, so `worth` does not count here.
        if tells_little(pool.correlation, int(pool.seen.sum())):
            warn(JudgeTellsLittle(measure, pool.correlation))
        return JudgedValue(
            found.estimate,
            low,
            high,
            level,
            _METHOD,
            measure,
            assumptions="items by people chosen at random",
            standard_error=found.standard_error,
            labels=(int(pool.seen.sum()), len(pool.seen)),
            people_alone=replace(alone, method=ALONE),
            judge_alone=float(sums.judge.mean()),
            bias=_bias(sums, level, measure),
            correlation=pool.correlation,
            worth=worth,
            unit="item",
        )

    value, notes = run_and_collect(learned)
    return replace(value, notes=tuple(notes))


def _pair(
    first: _Sums,
    second: _Sums,
    names: tuple[str, str],
    pool: _Pool,
    measure: str,
    level: float,
    higher_is_better: bool,
) -> JudgedPair:
    sums = first - second
    found, notes = run_and_collect(lambda: _mean(sums.corrected, level, measure))
    error = found.standard_error or 0.0
    p = 1.0 if not found.estimate else 0.0
    if error:
        freedom = len(sums.corrected) - 1.0
        p = float(2 * special().stdtr(freedom, -abs(found.estimate) / error))
    low, high = found.ends
    return JudgedPair(
        names,
        measure,
        found.estimate,
        low,
        high,
        level,
        p,
        p,
        replace(_quiet(sums.people, level, measure), method=ALONE),
        float(sums.judge.mean()),
        _bias(sums, level, measure),
        higher_is_better,
        tuple(notes),
        labels=(int(pool.seen.sum()), len(pool.seen)),
        correlation=pool.correlation,
        unit="item",
    )


def _bias(sums: _Sums, level: float, measure: str) -> Interval:
    found = _quiet(sums.judge - sums.corrected, level, measure)
    return replace(found, method=_METHOD, measure=f"bias of the judge in {measure}")
