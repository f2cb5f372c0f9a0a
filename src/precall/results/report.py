"""What evaluation returns: frozen, not iterable, and able to print itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from precall.core.conventions import signature
from precall.core.errors import PrecallError
from precall.core.notes import Note, each
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
from precall.core.text import as_text, many
from precall.core.text import counted as counted
from precall.core.text import number as number
from precall.results.base import Presented as Presented
from precall.results.base import Table as Table

if TYPE_CHECKING:
    from precall.stats.intervals.interval import Interval, Intervals

Float64 = npt.NDArray[np.float64]
T = TypeVar("T")


def curve_in(given: Any) -> Any:
    """The curve of one ranking that holds it; anything else as it is."""
    curve = getattr(given, "curve", None)
    return curve if hasattr(curve, "tp") else given


class Equal:
    """Equality by what a result holds, arrays by their elements, where an undefined value (NaN)
    equals another.
    """

    __slots__ = ()

    def _held(self) -> Sequence[Any]:
        """What makes it equal to another."""
        return [getattr(self, part.name) for part in fields(self) if part.compare]  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        return _same(self, other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(
            (
                type(self),
                *(value for value in _parts(self) if isinstance(value, _PLAIN) and value == value),
            )
        )


#: What is hashed of a result.
_PLAIN = str | int | float | None


def _parts(value: Any) -> Sequence[Any]:
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, Equal):
        return value._held()
    return [getattr(value, part.name) for part in fields(value) if part.compare]


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if type(a) is type(b) and (isinstance(a, list | tuple | Equal) or is_dataclass(a)):
        mine, theirs = _parts(a), _parts(b)
        return len(mine) == len(theirs) and all(map(_same, mine, theirs))
    return bool(a == b or (a != a and b != b))


@dataclass(frozen=True, slots=True)
class RunCounts:
    """What was averaged and what was not, for one run.

    Parameters
    ----------
    topics : topics averaged.
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
    """The values of one run: a line per measure, a column per averaged topic; NaN is undefined.

    Attributes
    ----------
    name : of the run.
    topics : those that were averaged.
    values : a row per measure, a column per topic.
    mean : the average of each measure.
    undefined : per measure, in how many averaged topics it is undefined.
    counts : how many topics were averaged, and how many were not.
    said : what was warned of, or assumed in reading.

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


def name_among(
    key: object, names: Collection[str], asked: Mapping[str, str] | None = None
) -> str | None:
    """Of the names by which a result has measures, the one that any name of a measure means; None
    if there is none.

    `asked` are the names that were asked for, with those of the result.

    Examples
    --------
    >>> (
    ...     name_among("Recall@5", ["AP", "R@5"]),
    ...     name_among("AUC", ["roc_auc"]),
    ...     name_among("MRR", ["AP"]),
    ... )
    ('R@5', 'roc_auc', None)
    """
    name = as_text(key)
    for own in (name, (asked or {}).get(name)):
        if own in names:
            return own
    meant = _meanings(name) if names else set()
    for own in names if meant else ():
        if own in meant or meant & _meanings(own):
            return own
    return None


def _meanings(name: str) -> set[str]:
    """The canonical names of the measure that a name means, by itself and of rankings; none if it
    means none.
    """
    meant = set()
    # What is no name of a measure, or is none of rankings, means nothing there.
    with suppress(PrecallError):
        measure = import_module("precall.measures").measure(name)
        meant.add(measure.name)
        meant.add(measure.of_rankings().name)
    return meant


def head_of(typed: str, name: str) -> str:
    """The name that a measure was asked for by, if it says as much as its canonical name."""
    if typed == name:
        return name
    # A name of the user's own values means no measure.
    with suppress(PrecallError):
        measure = import_module("precall.measures").measure(typed).of_rankings()
        return str(measure.head) if measure.name == name else name
    return name


class ByMeasure(dict[str, T]):
    """By measure, which is found by any of its names.

    Examples
    --------
    >>> letters = ByMeasure({"RR": "ab", "R@1": "a"})
    >>> letters["MRR"], letters["Recall@1"], "mrr" in letters, letters.get("P@1")
    ('ab', 'a', True, None)
    """

    asked: Mapping[str, str] = MappingProxyType({})
    """Names that were asked for, with those here."""

    def __missing__(self, key: object) -> T:
        own = name_among(key, self.keys(), self.asked)
        if own is None:
            raise KeyError(f"{key!r}: there are {', '.join(map(str, self))}")
        return self[own]

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or name_among(key, self.keys(), self.asked) is not None

    def get(self, key: Any, default: Any = None) -> Any:
        """What is there by any name of a measure, else the default."""
        try:
            return self[key]
        except KeyError:
            return default


class Means(dict[Any, float]):
    """Averages over topics, by measure (one run) or by (run, measure).

    A measure is found by its canonical name and by the name it was asked for.
    """

    def __init__(
        self, runs: tuple[RunValues, ...], measures: tuple[str, ...], asked: Mapping[str, str]
    ) -> None:
        pairs = [(run.name, name) for run in runs for name in measures]
        self._asked = dict(asked)
        self._pairs = tuple(dict.fromkeys(pairs))
        self._single = runs[0].name if len(runs) == 1 else None
        values = [value for run in runs for value in run.mean.tolist()]
        super().__init__(zip(pairs if self._single is None else measures, values, strict=True))

    def __missing__(self, key: object) -> float:
        if isinstance(key, str):
            if self._single is None:
                raise KeyError(f"{key!r}: there are several runs; ask for mean[run, measure]")
            key = (self._single, key)
        if not isinstance(key, tuple) or len(key) != 2:
            raise KeyError(f"{key!r}: ask for mean[measure] or mean[run, measure]")
        run, names = as_text(key[0]), tuple(dict.fromkeys(measure for _, measure in self._pairs))
        pair = (run, name_among(key[1], names, self._asked))
        if pair not in self._pairs:
            runs = {name for name, _ in self._pairs}
            raise KeyError(
                f"{key!r}: runs are {', '.join(sorted(runs))}; measures are {', '.join(names)}"
            )
        return self[pair if self._single is None else pair[1]]

    def __contains__(self, key: object) -> bool:
        return self.get(key) is not None

    def get(self, key: Any, default: Any = None) -> Any:
        """The average, or the default where there is none of that name."""
        try:
            return self[key]
        except KeyError:
            return default

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON: by measure, of several runs by run and measure; an undefined
        value is None.
        """
        values: dict[str, Any] = {}
        for (run, name), value in zip(self._pairs, self.values(), strict=True):
            place = values if self._single is not None else values.setdefault(run, {})
            place[name] = None if value != value else value
        return values


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Report(Equal, Presented):
    """The result of `evaluate`: values by run, topic and measure, and what they rest on.

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
    """Per measure: 1 where high is good, -1 where low is, 0 where neither."""
    intervals: Intervals | None = None
    """Of the averages, if they were asked for."""
    assumed: tuple[Note, ...] = ()
    """What was assumed of the judgements and of lists, and which names of measures are of other
    numbers elsewhere.
    """
    zeros: tuple[float, ...] = ()
    """What an undefined value counts as, by measure, where it counts: 0, or 1 where that is the
    worst.
    """

    @property
    def mean(self) -> Means:
        """Averages over topics (sums and geometric means for the measures that say so)."""
        return Means(self.runs, self.measures, self.asked)

    def __getitem__(self, key: Any) -> float:
        """An average: `report["AP"]`, of several runs `report["bm25", "AP"]`."""
        return self.mean[key]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            try:
                return Presented.__getattr__(self, name)
            except AttributeError as error:
                if name.startswith("_"):
                    raise
                raise AttributeError(
                    f"{error}; values are report[measure], .mean and .per_topic"
                ) from None

    # With __getitem__ alone Python would still try indices.
    __iter__ = None

    @property
    def heads(self) -> tuple[str, ...]:
        """What heads the values of each measure in print: the name that it was asked for by, if
        that says as much.

        Examples
        --------
        >>> from precall import evaluate
        >>> report = evaluate(
        ...     {"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": 2.0}}, ["MRR", "Recall@5", "RBP"]
        ... )
        >>> report.heads, report.measures
        (('MRR', 'Recall@5', 'RBP(p=0.8)'), ('RR', 'R@5', 'RBP(p=0.8)'))
        """
        typed = {own: name for name, own in reversed(list(self.asked.items()))}
        return tuple(head_of(typed.get(name, name), name) for name in self.measures)

    def head_by(self, measure: str) -> str:
        """What heads the values of a measure that is asked for by this name.

        Parameters
        ----------
        measure : any name of the measure.
        """
        return head_of(measure, self.name_of(measure))

    def name_of(self, measure: object) -> str:
        """The name in `measures` that any name of a measure means; one that means none of them
        stays as it is.

        Parameters
        ----------
        measure : the name, or what `measure()` returned.
        """
        return name_among(measure, self.measures, self.asked) or as_text(measure)

    @property
    def per_topic(self) -> Table:
        """One row per run, topic and measure; undefined values are NaN."""
        run, topic, measure = [], [], []
        for part in self.runs:
            run += [part.name] * part.values.size
            topic += [name for name in part.topics for _ in self.measures]
            measure += list(self.heads) * len(part.topics)
        value = np.concatenate([np.empty(0), *(part.values.T.ravel() for part in self.runs)])
        return Table({"run": run, "topic": topic, "measure": measure, "value": value})

    @property
    def signature(self) -> str:
        """The conventions in one line, to be printed beside the numbers."""
        return signature(self.conventions)

    def __repr__(self) -> str:
        return f"<Report: {many(len(self.runs), 'run')}, {many(len(self.measures), 'measure')}>"

    def notes(self) -> list[Note]:
        """What a reader of the numbers should know: missing, unjudged, tied, undefined, not
        comparable; of intervals, too.
        """
        return [*data_notes(self), *(() if self.intervals is None else self.intervals.notes)]

    def bounds(self, run: str, measure: str) -> Interval | None:
        """The interval of one average, if there is one."""
        if self.intervals is None:
            return None
        return self.intervals.get((run, measure) if len(self.runs) > 1 else measure)

    @property
    def comparable(self) -> bool:
        """Whether all runs are averaged over the same topics."""
        return len({frozenset(run.topics) for run in self.runs}) <= 1


def ranked(report: Report) -> list[int]:
    """Places of the runs, the best by the first measure first; in their order where neither end is
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
    """What a reader should know of the data; what is made of the report, such as a comparison,
    takes it over.

    `runs` are the names of those that it is made of, and `measures` its measures, if it is not made
    of all.
    """
    notes = [*each(report.assumed)]
    parts = [part for part in report.runs if runs is None or part.name in runs]
    for part in parts:
        notes += [note if note.subject else note.within(part.name) for note in each(part.said)]
    for part in parts:
        counts = {
            UnjudgedTopics: part.counts.unjudged,
            NothingRelevant: part.counts.without_relevant,
            TiesThatMatter: part.counts.tied,
            DuplicatesDropped: part.counts.dropped,
            JudgementsDropped: part.counts.judgements_dropped,
        }
        if part.counts.missing:
            notes.append(
                MissingTopics(part.name, part.counts.missing, _judged(report, part.counts))
            )
        notes += [kind(part.name, count) for kind, count in counts.items() if count]
        names: dict[int, list[str]] = {}
        for name, head, times in zip(report.measures, report.heads, part.undefined, strict=True):
            if measures is None or name in measures:
                names.setdefault(times, []).append(head)
        notes += [_undefined(report, part.name, names[times], times) for times in names if times]
    return notes if report.comparable or len(parts) < 2 else [*notes, UnlikeTopics("")]


def _judged(report: Report, counts: RunCounts) -> int:
    """How many topics the qrels have."""
    in_both = counts.topics - counts.unjudged * (report.conventions.get("topics") == "run")
    return (
        counts.topics if report.conventions.get("topics") == "qrels" else in_both + counts.missing
    )


def _undefined(report: Report, run: str, names: list[str], topics: int) -> Note:
    """That measures are undefined in some topics, and what the averages did about that."""
    zeros = dict(zip(report.heads, report.zeros, strict=False))
    without = [name for name in names if np.isnan(zeros.get(name, 0.0))]
    worst = [name for name in names if zeros.get(name) and name not in without]
    policy = report.conventions.get("undefined", "")
    return UndefinedTopics(run, tuple(names), topics, policy, tuple(worst), tuple(without))
