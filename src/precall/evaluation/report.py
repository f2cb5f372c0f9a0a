"""The result of `evaluate`: frozen, not iterable, and able to print itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from precall.core.conventions import FLOOR, signature
from precall.core.errors import Among, UsageError, key_error
from precall.core.notes import Note, Notes, iterate_notes
from precall.core.notes.of_runs import (
    DuplicatesDropped,
    JudgementsDropped,
    MissingTopics,
    NothingRelevant,
    TiesThatMatter,
    UndefinedTopics,
    UnjudgedTopics,
    UnlikeTopics,
)
from precall.core.ragged import Float64
from precall.core.text import as_text, many
from precall.core.text import format_count as format_count
from precall.core.text import number as number
from precall.core.undefined import apply_undefined
from precall.core.vocabulary import vocabulary_of
from precall.measures.lookup import head_of, heads_of, name_among
from precall.measures.registry import range_of
from precall.results.equality import Equal
from precall.results.sheets import Presented as Presented
from precall.results.sheets import Table as Table

if TYPE_CHECKING:
    from precall.evaluation.extremes import Extremes, NextLabel
    from precall.stats.intervals.interval import Interval, Intervals


#: What to do instead of calling methods that reports of other libraries have.
_LED_ON = {
    "compare": "runs of one report are compared by pc.compare(report)",
    "interval": "pc.interval(report) has the interval of each average",
    "plot": "pc.report(report, 'page.html') writes a page with charts",
    **dict.fromkeys(
        ("save_csv", "save_json", "to_file", "write"),
        "report.save('numbers.csv') writes a file, by the ending of its name",
    ),
}


@dataclass(frozen=True, slots=True)
class RunCounts:
    """Numbers of topics that were averaged, or were not, and of dropped rows, for one run.

    Parameters
    ----------
    topics : averaged topics.
    missing : topics of the qrels that the run lacks.
    unjudged : topics of the run that the qrels lack.
    without_relevant : averaged topics that have no relevant item.
    tied : averaged topics in which the order of equal scores may change a measure.
    dropped : rows of the run dropped as duplicates, by the chosen policy.
    judgements_dropped : judgements dropped as repeated: equal ones, or others by the chosen policy.
    """

    topics: int
    missing: int
    unjudged: int
    without_relevant: int
    tied: int
    dropped: int
    judgements_dropped: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class RunValues:
    """The values of one run: a row per measure, a column per averaged topic; NaN means undefined.

    Attributes
    ----------
    name : name of the run.
    topics : the averaged topics.
    values : a row per measure, a column per topic.
    mean : the average of each measure.
    undefined : per measure, the number of averaged topics in which it is undefined.
    counts : how many topics were averaged, and how many were not.
    said : warnings and assumptions from reading.
    greatest : for measures such as EF, the greatest value that one of the topics could have, given
        its numbers of items.
    extremes : least and greatest values over all labels of unjudged items, if requested.

    Examples
    --------
    >>> from precall import evaluate
    >>> (values,) = evaluate(
    ...     {"q1": {"a": 1}, "q2": {"c": 1}}, {"q1": {"a": 1.0}, "q2": {"d": 2.0, "c": 1.0}}, ["AP"]
    ... ).runs
    >>> values.name, values.topics, values.values, values.mean
    ('run', ['q1', 'q2'], array([[1. , 0.5]]), array([0.75]))
    """

    name: str
    topics: list[str]
    values: Float64
    mean: Float64
    undefined: tuple[int, ...]
    counts: RunCounts
    said: tuple[Note, ...] = ()
    greatest: Mapping[str, float] = field(default_factory=dict)
    extremes: Extremes | None = None


class Means(dict[Any, float]):
    """Averages over topics, by measure (one run) or by (run, measure).

    A measure is found by its canonical name and by the name that was requested.
    """

    def __init__(
        self,
        runs: tuple[RunValues, ...],
        measures: tuple[str, ...],
        asked: Mapping[str, str],
        averages: Callable[[RunValues], Float64] = lambda run: run.mean,
    ) -> None:
        pairs = [(run.name, name) for run in runs for name in measures]
        self._asked = dict(asked)
        self._pairs = tuple(dict.fromkeys(pairs))
        self._single = runs[0].name if len(runs) == 1 else None
        values = [value for run in runs for value in averages(run).tolist()]
        super().__init__(zip(pairs if self._single is None else measures, values, strict=True))

    def __missing__(self, key: object) -> float:
        if isinstance(key, str):
            if self._single is None:
                raise key_error("there are several runs; ask for mean[run, measure]", key)
            key = (self._single, key)
        if not isinstance(key, tuple) or len(key) != 2:
            raise key_error("ask for mean[measure] or mean[run, measure]", key)
        run, names = as_text(key[0]), tuple(dict.fromkeys(measure for _, measure in self._pairs))
        pair = (run, name_among(key[1], names, self._asked))
        if pair not in self._pairs:
            runs = {name for name, _ in self._pairs}
            heads = heads_of(names, self._asked)
            raise key_error(
                f"runs are {', '.join(sorted(runs))}; measures are {', '.join(heads)}", key
            )
        return self[pair if self._single is None else pair[1]]

    def __contains__(self, key: object) -> bool:
        return self.get(key) is not None

    def get(self, key: object, default: object = None) -> Any:
        """The average; the default if there is none of that name."""
        try:
            return self[key]
        except KeyError:
            return default

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: by measure, or by run and measure; None for an undefined value."""
        values: dict[str, Any] = {}
        for (run, name), value in zip(self._pairs, self.values(), strict=True):
            of_run = values if self._single is not None else values.setdefault(run, {})
            of_run[name] = None if value != value else value
        return values


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Report(Equal, Presented):
    """The result of `evaluate`: values by run, topic and measure, and the conventions they depend
    on.

    Examples
    --------
    >>> from precall import evaluate
    >>> report = evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": 2.0}}, ["AP", "P@2"])
    >>> report.mean["AP"], report["P@2"]
    (0.5, 0.5)
    """

    runs: tuple[RunValues, ...]
    measures: tuple[str, ...]
    aggregates: tuple[str, ...]
    conventions: Mapping[str, str]
    """Every choice that the numbers depend on, by name."""
    asked: Mapping[str, str] = field(default_factory=dict)
    best: tuple[int, ...] = ()
    """Per measure: 1 if high values are good, -1 if low ones are, 0 if neither."""
    intervals: Intervals | None = None
    """Intervals of the averages, if requested."""
    assumed: tuple[Note, ...] = ()
    """Notes on assumptions about the judgements and lists, and on names of measures that other
    tools use for other numbers.
    """
    zeros: tuple[float, ...] = ()
    """Per measure, the value that an undefined one counts as: 0, or 1 if that is the worst."""
    groups: Mapping[str, Report] = field(default_factory=dict)
    """The reports of groups of topics by name, if requested with `by`; `pc.interval` and
    `pc.compare` take each of them.
    """
    weights: Mapping[str, float] = field(default_factory=dict)
    """The weights of the topics in all averages, if requested with `topic_weights`."""

    @property
    def mean(self) -> Means:
        """Averages over topics (sums and geometric means for measures that declare them)."""
        return Means(self.runs, self.measures, self.asked)

    @property
    def lowest(self) -> Means | None:
        """The least averages over all labels of unjudged items, with unjudged="bounds"; else
        None.

        Examples
        --------
        >>> from precall import evaluate
        >>> run = {"q": {"x": 3.0, "a": 2.0}}
        >>> report = evaluate({"q": {"a": 1, "b": 0}}, run, "AP", unjudged="bounds")
        >>> report["AP"], report.lowest["AP"], report.highest["AP"]
        (0.5, 0.5, 1.0)
        """
        return self._extremes(lambda extremes: extremes.mean_lowest)

    @property
    def highest(self) -> Means | None:
        """The greatest averages over all labels of unjudged items, with unjudged="bounds"; else
        None.
        """
        return self._extremes(lambda extremes: extremes.mean_highest)

    def _extremes(self, averages: Callable[[Extremes], Float64]) -> Means | None:
        if any(run.extremes is None for run in self.runs):
            return None

        def of_run(run: RunValues) -> Float64:
            assert run.extremes is not None
            return averages(run.extremes)

        return Means(self.runs, self.measures, self.asked, of_run)

    def judge_next(self, measure: str, run: str | None = None) -> NextLabel | None:
        """The unjudged item whose label would narrow the bounds most, with unjudged="bounds".

        It is an item of the topic in which the bounds are widest: the one after whose judgement
        they are narrowest, whatever the judgement is. None if there is no such item, or if the run
        was larger than memory.

        Parameters
        ----------
        measure : any name of one of `measures`.
        run : the name of the run; None is the first.

        Returns
        -------
        NextLabel | None
            `topic`, `item`, `width` (of the bounds in the topic) and `at_most` (their width once
            the item is judged, at most).

        Raises
        ------
        UsageError
            The report has no such measure or run, or no bounds.

        Examples
        --------
        >>> from precall import evaluate
        >>> run = {"q": ["x", "a", "y", "z"]}
        >>> report = evaluate({"q": {"a": 1, "b": 0}}, run, "RR", unjudged="bounds")
        >>> report.judge_next("RR")
        NextLabel(topic='q', item='x', width=0.5, at_most=0.0)
        """
        line = line_of(self, measure)
        names = [each.name for each in self.runs]
        if run is not None and run not in names:
            raise UsageError(argument="run", got=run, allowed=Among("the report has", names))
        extremes = self.runs[0 if run is None else names.index(run)].extremes
        if extremes is None:
            raise UsageError(
                argument="measure",
                got=measure,
                what="has no bounds over labels of unjudged items",
                remedy="pass ⟨unjudged='bounds'⟩ to evaluate()",
            )
        widest = extremes.widest[line]
        return None if widest is None else widest.next_label()

    def __getitem__(self, key: object) -> float:
        """An average: `report["AP"]`; with several runs `report["bm25", "AP"]`."""
        return self.mean[key]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            try:
                return Presented.__getattr__(self, name)
            except AttributeError as error:
                if name.startswith("_"):
                    raise
                led_on = _LED_ON.get(name, "values are report[measure], .mean and .per_topic")
                raise AttributeError(f"{error}; {led_on}") from None

    # With `__getitem__` alone Python would try to iterate by indices.
    __iter__ = None

    @property
    def heads(self) -> tuple[str, ...]:
        """Printed heading of each measure: the name that was requested, if it is as specific.

        Examples
        --------
        >>> from precall import evaluate
        >>> report = evaluate(
        ...     {"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": 2.0}}, ["MRR", "Recall@5", "RBP"]
        ... )
        >>> report.heads, report.measures
        (('MRR', 'Recall@5', 'RBP(p=0.8)'), ('RR', 'R@5', 'RBP(p=0.8)'))
        """
        return heads_of(self.measures, self.asked)

    def head_by(self, measure: str) -> str:
        """The heading of a measure that was requested by this name.

        Parameters
        ----------
        measure : any name of the measure.
        """
        return head_of(measure, self.name_of(measure))

    def name_of(self, measure: object) -> str:
        """The name in `measures` for any name of a measure; an unknown name is returned unchanged.

        Parameters
        ----------
        measure : the name, or what `measure()` returned.
        """
        return name_among(measure, self.measures, self.asked) or as_text(measure)

    @property
    def per_topic(self) -> Table:
        """One row per run, topic and measure; undefined values are NaN."""
        run, topic, measure = [], [], []
        for run_values in self.runs:
            run += [run_values.name] * run_values.values.size
            topic += [name for name in run_values.topics for _ in self.measures]
            measure += list(self.heads) * len(run_values.topics)
        value = np.concatenate(
            [np.empty(0), *(run_values.values.T.ravel() for run_values in self.runs)]
        )
        columns: dict[str, list[str] | npt.NDArray[Any]] = {
            "run": run,
            "topic": topic,
            "measure": measure,
            "value": value,
        }
        if self.weights:
            columns["weight"] = np.array([self.weights[name] for name in topic], np.float64)
        for name in ("lowest", "highest") if self.lowest is not None else ():
            ends = [getattr(run_values.extremes, name).T.ravel() for run_values in self.runs]
            columns[name] = np.concatenate([np.empty(0), *ends])
        return Table(columns, noticed=tuple(data_notes(self)))

    def values_by_run(self, measure: str) -> dict[str, dict[str, float]]:
        """Values by run and topic as they are averaged and compared: undefined values as they are
        counted, and logarithms for a geometric mean.

        They are plain dicts, for tests and charts of other libraries: what was noticed stays in
        `notes` of the report. `compare(report)` compares them and keeps the notes.

        Parameters
        ----------
        measure : any name of one of `measures`.

        Raises
        ------
        UsageError
            The report has no such measure; or its topics have weights, which such dicts have not.

        Examples
        --------
        >>> from precall import evaluate
        >>> evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0}}, ["AP"]).values_by_run("AP")
        {'run': {'q1': 1.0}}
        """
        refuse_weights(self, "⟨values_by_run⟩", "⟨report.per_topic⟩ has them in a column")
        return self._values_by_run(measure)

    def _values_by_run(self, measure: str) -> dict[str, dict[str, float]]:
        """The values of `values_by_run`, for callers that know what to do about weights."""
        line = line_of(self, measure)
        by_run = {}
        for run in self.runs:
            value = run.values[line]
            if self.conventions.get("undefined") == "zero":
                value = apply_undefined(value, "zero", zero=self.zeros[line])
            if self.aggregates[line] == "geometric":
                value = np.log(np.maximum(value, FLOOR))
            by_run[run.name] = dict(zip(run.topics, value.tolist(), strict=True))
        return by_run

    @property
    def signature(self) -> str:
        """The conventions in one line, to print with the numbers."""
        return signature(self.conventions)

    def __repr__(self) -> str:
        runs = vocabulary_of(self.conventions).count(len(self.runs), "run")
        return f"<Report: {runs}, {many(len(self.measures), 'measure')}>"

    @property
    def notes(self) -> Notes:
        """Notes for a reader of the numbers: missing, unjudged, tied and undefined topics,
        incomparable runs; and those of intervals, also of groups of topics. `notes()` returns them
        as a list.
        """
        of_intervals = [] if self.intervals is None else [*self.intervals.notes]
        for name, part in self.groups.items():
            if part.intervals is not None:
                of_intervals += [note.within(name) for note in iterate_notes(part.intervals.notes)]
        return Notes((*data_notes(self), *of_intervals))

    def bounds(self, run: str, measure: str) -> Interval | None:
        """The interval of one average, if there is one, with the notes on its data."""
        if (interval := interval_in(self, run, measure)) is None:
            return None
        from precall.stats.intervals.interval import with_notes_of_data

        notes = data_notes(self, [run], [self.name_of(measure)])
        return with_notes_of_data(interval, notes, self.conventions)

    @property
    def comparable(self) -> bool:
        """Whether all runs are averaged over the same topics."""
        topics = [run.topics for run in self.runs]
        # Mostly they are the same in the same order, which is seen without a look at each.
        return all(each == topics[0] or set(each) == set(topics[0]) for each in topics)


def refuse_weights(report: Report, what: str, remedy: str = "") -> None:
    """Refuse a report whose topics have weights, for what has no form with them. All such refusals
    are made here.
    """
    if report.weights:
        raise UsageError(
            argument="topic_weights",
            what=f"{what} cannot take weights of topics into account",
            remedy=remedy or "evaluate without ⟨topic_weights=⟩",
        )


def interval_in(report: Report, run: str, measure: str) -> Interval | None:
    """The interval of one average, if there is one; it has notes of its own only."""
    if report.intervals is None:
        return None
    return report.intervals.get((run, measure) if len(report.runs) > 1 else measure)


def line_of(report: Report, measure: str) -> int:
    """The row of a measure's values, by any of its names; an error if the report lacks the
    measure.
    """
    if (name := report.name_of(measure)) not in report.measures:
        allowed = Among("the report has", report.measures)
        raise UsageError(argument="measure", got=measure, allowed=allowed)
    return report.measures.index(name)


def range_in(report: Report, measure: str) -> tuple[float, float] | None:
    """The least and the greatest value of a measure, as its topics allow; None if it is unknown."""
    limits, greatest = range_of(measure), [run.greatest.get(measure) for run in report.runs]
    if limits is None or None in greatest:
        return limits
    return limits[0], min(limits[1], max(most for most in greatest if most is not None))


def order_of_runs(report: Report) -> list[int]:
    """Indices of the runs, the best by the first measure first; in their order if neither end is
    good.
    """
    direction = (report.best or (0,))[0]
    mean = direction * np.array([run.mean[0] for run in report.runs])
    if len(mean) == 2 or not direction:
        return [1, 0] if len(mean) == 2 and mean[1] > mean[0] else list(range(len(mean)))
    order: list[int] = np.argsort(-np.nan_to_num(mean, nan=-np.inf), kind="stable").tolist()
    return order


def data_notes(
    report: Report, runs: Collection[str] | None = None, measures: Collection[str] | None = None
) -> list[Note]:
    """Notes about the data for a reader of the report; results made from the report, such as
    comparisons, carry them as well.

    `runs` are the names of the runs that the result uses, and `measures` its measures, if not all.
    """
    notes = [*iterate_notes(report.assumed)]
    parts = [run for run in report.runs if runs is None or run.name in runs]
    for run in parts:
        notes += [
            note if note.subject else note.within(run.name) for note in iterate_notes(run.said)
        ]
        if run.extremes is not None:
            notes += [note.within(run.name) for note in run.extremes.notes]
    for run in parts:
        notes += _notes_of_counts(report, run, measures)
    if not report.comparable and len(parts) > 1:
        notes.append(UnlikeTopics(""))
    vocabulary = vocabulary_of(report.conventions)
    return [note.in_words_of(vocabulary) for note in notes]


def _notes_of_counts(
    report: Report, run: RunValues, measures: Collection[str] | None
) -> Iterator[Note]:
    """What a run's counts say: topics and items that lack something, and undefined measures."""
    if run.counts.missing:
        yield MissingTopics(run.name, run.counts.missing, _judged_topics(report, run.counts))
    counts = {
        UnjudgedTopics: run.counts.unjudged,
        NothingRelevant: run.counts.without_relevant,
        TiesThatMatter: run.counts.tied,
        DuplicatesDropped: run.counts.dropped,
        JudgementsDropped: run.counts.judgements_dropped,
    }
    for kind, count in counts.items():
        if count:
            yield kind(run.name, count)
    names: dict[int, list[str]] = {}
    for name, head, times in zip(report.measures, report.heads, run.undefined, strict=True):
        if times and (measures is None or name in measures):
            names.setdefault(times, []).append(head)
    for times, of_times in names.items():
        yield _undefined(report, run.name, of_times, times)


def _judged_topics(report: Report, counts: RunCounts) -> int:
    """The number of topics in the qrels."""
    in_both = counts.topics - counts.unjudged * (report.conventions.get("topics") == "run")
    return (
        counts.topics
        if report.conventions.get("topics") in ("qrels", "answerable")
        else in_both + counts.missing
    )


def _undefined(report: Report, run: str, names: list[str], topics: int) -> Note:
    """A note that measures are undefined in some topics, and how the averages treated that."""
    zeros = dict(zip(report.heads, report.zeros, strict=False))
    without = [name for name in names if np.isnan(zeros.get(name, 0.0))]
    worst = [name for name in names if zeros.get(name) and name not in without]
    policy = report.conventions.get("undefined", "")
    return UndefinedTopics(run, tuple(names), topics, policy, tuple(worst), tuple(without))
