"""The data model of a page: its sections, with results and parts of results as objects.

The order of fields is that of JSON (`precall.page.record`). A section that is read back checks that
its parts fit together, and names those that do not (`fit`); drawing needs no other check.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np

from precall.core.notes import Note
from precall.core.text import many
from precall.core.vocabulary import Vocabulary, vocabulary_of
from precall.evaluation.report import RunCounts
from precall.plot.shared.styles import distinct
from precall.results.blocks import AtMost, Block, Line, Threshold
from precall.results.sentence import Sentence

if TYPE_CHECKING:
    from precall.cases import Curve
    from precall.stats.intervals.interval import Interval
    from precall.stats.null.distribution import Tail
    from precall.stats.tests.comparisons import Comparison
    from precall.stats.tests.gating import Gates

#: Numbers in one array, which JSON writes in the shortest way; NaN is null.
Column: TypeAlias = np.ndarray[Any, np.dtype[Any]]
#: Columns of counts, which are whole unless cases have weights.
Counts: TypeAlias = Annotated[Column, "counts"]

#: Titles show the number of systems instead if their names take more letters than this.
_TITLED = 56
#: Greater numbers have no position on an axis.
_FAR = 1e300


class Misfit(ValueError):
    """A part of a page that does not fit the others, and the reason."""

    def __init__(self, place: str, what: str) -> None:
        super().__init__(place, what)
        self.place: str = place
        self.what: str = what


def require(holds: bool, place: str, what: str) -> None:
    """Raise `Misfit` for a part that is wrong."""
    if not holds:
        raise Misfit(place, what)


def _check_sizes(place: str, values: Sized, size: int, *deeper: int) -> None:
    """Check the number of elements, and the number in each of them."""
    require(len(values) == size, place, f"has {many(len(values), 'value')}, and others have {size}")
    for i, each in enumerate(values if deeper and isinstance(values, Iterable) else ()):
        _check_sizes(f"{place}[{i}]", each, *deeper)


def _among(place: str, places: Iterable[float], size: int) -> None:
    """Check that numbers are valid indices of a list."""
    for i in places:
        require(0 <= i < size, f"{place}:", f"{i} is no place among {size}")


def _share(place: str, share: float) -> None:
    require(0 < share < 1, f"{place}:", f"{share} is not between 0 and 1")


def _finite(place: str, *columns: Column) -> None:
    for values in columns:
        require(
            bool(np.all(np.abs(values) < _FAR)),
            place,
            "has a number that is undefined or too large",
        )


#: Metadata of fields: omitted from JSON if None; written as empty objects if None; replaced by its
#: own fields.
ABSENT, EMPTY, FLAT = {"absent": True}, {"empty": True}, {"flat": True}


# --- Null distributions, and tables ---


@dataclass(frozen=True, kw_only=True, eq=False)
class Law:
    """The value of a system against its null distribution, with the outline of the latter."""

    system: str
    measure: str
    observed: float
    chance: float
    deviation: float
    tail: Tail = field(metadata=FLAT)
    mass: bool
    x: Column
    height: Column

    def fit(self, place: str) -> None:
        """Raise `Misfit` if parts do not fit."""
        require(len(self.x) > 0, f"{place}.x", "is empty")
        _check_sizes(f"{place}.height", self.height, len(self.x))
        _finite(f"{place}.x", self.x)
        _finite(f"{place}.height", self.height)
        require(bool(np.all(self.height >= 0)), f"{place}.height", "is below 0")


@dataclass(frozen=True, eq=False)
class SectionTable:
    """A table of a sheet. `intervals` describes the bounds of its values, if they have any."""

    title: str
    heading: tuple[str, ...]
    lines: tuple[Line, ...]
    intervals: str = ""

    @cached_property
    def block(self) -> Block:
        """The block as a page shows it. Numbers in a line with thresholds have no needless digits,
        and undefined values are not empty.
        """
        return Block(self.title, self.heading, tuple(map(_show, self.lines)))

    def fit(self, place: str) -> None:
        """Raise `Misfit` if parts do not fit."""
        require(len(self.heading) > 0, f"{place}.heading", "is empty")
        for i, line in enumerate(self.lines):
            for name, values in (("values", line.values), ("low", line.ends or line.values)):
                _check_sizes(f"{place}.lines[{i}].{name}", values, len(self.heading) - 1)


def kind_of(line: Line) -> type[float]:
    """The type of the numbers of a line; a special one if any of them has it."""
    kinds = {type(value) for value in line.values}
    return next((kind for kind in (AtMost, Threshold) if kind in kinds), float)


def _show(line: Line) -> Line:
    kind = kind_of(line)

    def value_of(value: Any) -> Any:
        value = math.nan if value is None else value
        return value if isinstance(value, str) or kind is float else kind(value)

    ends = tuple(ends and (float(ends[0]), float(ends[1])) for ends in line.ends)
    return Line(line.name, tuple(map(value_of, line.values)), line.best, ends)


# --- Sections ---


class Section:
    """A part of a page."""

    kind: ClassVar[str] = ""
    signature: str
    """The conventions in one line, for people."""
    conventions: dict[str, str]
    """The conventions by name."""

    @property
    def page_title(self) -> str:
        """The title of a page that begins with this section."""
        return "Evaluation"

    def fit(self, place: str) -> None:
        """Raise `Misfit` if parts do not fit."""


def _title(names: Sequence[str], noun: str, source: str = "") -> str:
    """The title of a page about systems or scores; `source` is the file of the judgements or cases.

    Examples
    --------
    >>> _title(["bm25", "dense"], "system", "data/six.qrels"), _title(["bm25"], "system", "dict")
    ('Comparison of bm25 and dense on six.qrels', 'Evaluation of bm25')
    """
    if names == [""]:
        return "Evaluation"
    text = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    of = text if len(text) <= _TITLED else f"{len(names)} {noun}s"
    # Data in memory have the name of their type, such as dict.
    name = re.split(r"[/\\]", source)[-1]
    on = f" on {name}" if "." in name and len(name) <= _TITLED else ""
    return f"{'Comparison' if len(names) > 1 else 'Evaluation'} of {of}{on}"


@dataclass(frozen=True, kw_only=True, eq=False)
class Head:
    """A measure: its printed name, its declared name, how topics are averaged, which end is best,
    and its description.
    """

    name: str
    measure: str = ""
    aggregate: str
    best: int
    summary: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class AverageBounds:
    """Bounds of the averages, by system and measure."""

    level: float
    method: str
    low: list[list[float]]
    high: list[list[float]]


class SystemPair(NamedTuple):
    """The difference between two systems by a measure; `a`, `b` and `measure` are indices."""

    a: int
    b: int
    measure: int
    difference: float
    low: float
    high: float
    p: float
    adjusted: float
    significant: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class SystemPairs:
    """Comparisons of systems, as columns.

    Parameters
    ----------
    compared : the compared quantity of each measure; logarithms for geometric means.
    against : the reference of each measure: the baseline, or the best system.
    letters : for each measure the letters of each system; empty if there are none.
    """

    a: list[int]
    b: list[int]
    measure: list[int]
    difference: Column
    low: Column
    high: Column
    p: Column
    adjusted: Column
    significant: list[int]
    compared: list[str]
    against: list[int]
    baseline: bool
    letters: list[list[str]]
    conventions: dict[str, str]

    @cached_property
    def rows(self) -> list[SystemPair]:
        """The pairs, one by one."""
        columns = (
            column.tolist()
            for column in (self.difference, self.low, self.high, self.p, self.adjusted)
        )
        values = zip(
            self.a, self.b, self.measure, *columns, map(bool, self.significant), strict=True
        )
        return [SystemPair(*row) for row in values]

    @cached_property
    def has_corrections(self) -> bool:
        """Whether any p was changed by a correction."""
        return bool(self.p.tolist() != self.adjusted.tolist())

    def fit_to(self, place: str, systems: int, measures: int) -> None:
        """Raise `Misfit` if these numbers of systems and measures do not fit."""
        for name in ("b", "measure", "difference", "low", "high", "p", "adjusted", "significant"):
            _check_sizes(f"{place}.{name}", getattr(self, name), len(self.a))
        for name, size in (
            ("a", systems),
            ("b", systems),
            ("against", systems),
            ("measure", len(self.compared)),
        ):
            _among(f"{place}.{name}", getattr(self, name), size)
        for name in ("compared", "against"):
            _check_sizes(f"{place}.{name}", getattr(self, name), measures)
        for i, letters in enumerate(self.letters):
            _check_sizes(f"{place}.letters[{i}]", letters, systems if letters else 0)
        _check_sizes(f"{place}.letters", self.letters, measures if self.letters else 0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Marks:
    """Hits of a system: 8 letters per topic, the base64 of a bit for each of the first ranks; and
    the number of hits.
    """

    marks: str
    found: list[int]

    @cached_property
    def bits(self) -> bytes:
        """A bit for each rank, 6 bytes per topic."""
        return base64.b64decode(self.marks, validate=True)


@dataclass(frozen=True, kw_only=True, eq=False)
class Eleven:
    """Interpolated precision at recall 0, .1, ..., 1, and its bounds."""

    mean: Column
    low: Column
    high: Column


@dataclass(frozen=True, kw_only=True, eq=False)
class SectionHits:
    """Positions of the hits, by topic: in the first `depth` ranks, and on the way to all relevant
    items.
    """

    depth: int
    relevant: list[int]
    systems: list[Marks]
    eleven: list[Eleven] = field(default_factory=list)

    def fit_to(self, place: str, systems: int, topics: int) -> None:
        """Raise `Misfit` if these numbers of systems and topics do not fit."""
        _check_sizes(f"{place}.relevant", self.relevant, topics)
        _check_sizes(f"{place}.systems", self.systems, systems)
        for i, system in enumerate(self.systems):
            _check_sizes(f"{place}.systems[{i}].found", system.found, topics)
            _check_sizes(f"{place}.systems[{i}].marks", system.marks, 8 * topics)
            try:
                complete = len(system.bits) == 6 * topics
            except (binascii.Error, ValueError):
                complete = False
            require(complete, f"{place}.systems[{i}].marks", "is no base64")
        _check_sizes(f"{place}.eleven", self.eleven, systems if self.eleven else 0)
        for i, each in enumerate(self.eleven):
            for name in ("mean", "low", "high"):
                _check_sizes(f"{place}.eleven[{i}].{name}", getattr(each, name), 11)


@dataclass(frozen=True, kw_only=True, eq=False)
class Systems(Section):
    """Systems measured by topics.

    Parameters
    ----------
    mean, values : averages by system and measure, values by measure, system and topic.
    compared : the two systems whose topics are compared.
    comparable : whether the best system of a measure is stated.
    """

    kind = "systems"

    systems: list[str]
    measures: list[Head]
    counts: list[RunCounts]
    topics: list[str]
    mean: list[Column]
    interval: AverageBounds | None = field(default=None, metadata=EMPTY)
    values: list[list[Column]]
    compared: list[int]
    comparable: bool = True
    signature: str = ""
    conventions: dict[str, str] = field(default_factory=dict)
    pairs: SystemPairs | None = field(default=None, metadata=ABSENT)
    hits: SectionHits | None = field(default=None, metadata=EMPTY)
    laws: list[Law] = field(default_factory=list)
    gates: Gates | None = field(default=None, metadata=ABSENT)

    @property
    def page_title(self) -> str:
        """The title of a page that begins with this section."""
        return _title(self.shown, "system", self.conventions.get("qrels", ""))

    @property
    def words(self) -> Vocabulary:
        """What topics are called."""
        return vocabulary_of(self.conventions)

    @cached_property
    def shown(self) -> list[str]:
        """The names of the systems as the page shows them, without their common beginning
        and end.
        """
        return distinct(self.systems)

    @cached_property
    def short(self) -> dict[str, str]:
        """Full name → shown name."""
        return dict(zip(self.systems, self.shown, strict=True))

    @property
    def letters(self) -> list[list[str]]:
        """The letters of each measure, if all measures have some."""
        letters = self.pairs.letters if self.pairs is not None else []
        return letters if all(letters) else []

    def fit(self, place: str) -> None:
        """Raise `Misfit` if parts do not fit."""
        systems, measures, topics = len(self.systems), len(self.measures), len(self.topics)
        for name in ("systems", "measures", "compared"):
            require(len(getattr(self, name)) > 0, f"{place}.{name}", "is empty")
        for i, head in enumerate(self.measures):
            require(head.best in (-1, 0, 1), f"{place}.measures[{i}].best", "is none of -1, 0, 1")
        _check_sizes(f"{place}.counts", self.counts, systems)
        _check_sizes(f"{place}.mean", self.mean, systems, measures)
        _check_sizes(f"{place}.values", self.values, measures, systems, topics)
        _among(f"{place}.compared", self.compared, systems)
        require(len(self.compared) < 3, f"{place}.compared", "has more than two")
        if self.interval is not None:
            _share(f"{place}.interval.level", self.interval.level)
            for name in ("low", "high"):
                _check_sizes(
                    f"{place}.interval.{name}", getattr(self.interval, name), systems, measures
                )
        if self.pairs is not None:
            self.pairs.fit_to(f"{place}.pairs", systems, measures)
        if self.hits is not None:
            self.hits.fit_to(f"{place}.hits", systems, topics)


@dataclass(frozen=True, kw_only=True, eq=False)
class KeptPoints:
    """The operating points of a curve, thinned for a page.

    Parameters
    ----------
    thresholds : number of thresholds of the curve.
    logit : ends of a logit axis, if a chart against the threshold has one.
    bound : the greatest change of an area by the points left out.
    start : index of the slider's first point, that of greatest F.
    drawn : the points of precision-recall and ROC; None: all.
    digits : number of digits that a threshold needs to accept the same cases.
    """

    relevant: float
    other: float
    missed: float
    thresholds: int
    logit: list[float] | None = None
    bound: float
    start: int
    drawn: Counts | None
    threshold: Column
    digits: Column
    tp: Counts
    fp: Counts

    def curve(self, higher_is_better: bool = True) -> Curve:
        """The curve of these points."""
        from precall.cases import Curve

        threshold, tp, fp = (
            np.asarray(column, np.float64) for column in (self.threshold, self.tp, self.fp)
        )
        return Curve(threshold, tp, fp, float(self.missed), higher_is_better=higher_is_better)

    def fit(self, place: str) -> None:
        """Raise `Misfit` if parts do not fit."""
        size = len(self.threshold)
        require(size > 0, f"{place}.threshold", "is empty")
        for name in ("digits", "tp", "fp"):
            _check_sizes(f"{place}.{name}", getattr(self, name), size)
        _among(f"{place}.start", [self.start], size)
        for name, total in (("tp", self.relevant), ("fp", self.other)):
            counts = np.asarray(getattr(self, name), np.float64)
            _finite(f"{place}.{name}", counts)
            rising = counts[0] >= 0 and bool(np.all(np.diff(counts) >= 0))
            require(
                rising and counts[-1] <= total < _FAR,
                f"{place}.{name}",
                "does not rise from 0 to all",
            )
        require(0 <= self.missed < _FAR, f"{place}.missed", "is no number of cases")
        require(
            bool(np.all((self.digits >= 1) & (self.digits <= 17))),
            f"{place}.digits",
            "are not from 1 to 17",
        )
        if self.drawn is not None:
            total = bool(np.all(self.drawn == np.floor(self.drawn)))
            require(total and len(self.drawn) > 0, f"{place}.drawn", "are no places")
            _among(f"{place}.drawn", self.drawn.tolist(), size)
        if self.logit is not None:
            _check_sizes(f"{place}.logit", self.logit, 2)
            require(
                0 < self.logit[0] < self.logit[1] < 1,
                f"{place}.logit",
                "does not rise between 0 and 1",
            )


@dataclass(frozen=True, kw_only=True, eq=False)
class SectionBounds:
    """A band of a curve."""

    x: Column
    low: Column
    high: Column
    level: float
    kind: str
    method: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Scored:
    """A score: its operating points and measures, with intervals by measure and bands by curve."""

    name: str
    points: KeptPoints = field(metadata=FLAT)
    measures: dict[str, float]
    intervals: dict[str, Interval]
    bands: dict[str, SectionBounds]

    def fit(self, place: str) -> None:
        """Raise `Misfit` if parts do not fit."""
        self.points.fit(place)
        for name in MEASURED:
            require(name in self.measures, f"{place}.measures", f"lacks {name}")
        for name, interval in self.intervals.items():
            _share(f"{place}.intervals.{name}.level", interval.level)
        for kind, band in self.bands.items():
            _share(f"{place}.bands.{kind}.level", band.level)
            for name in ("low", "high"):
                _check_sizes(f"{place}.bands.{kind}.{name}", getattr(band, name), len(band.x))

    @property
    def level(self) -> float | None:
        """The level of intervals of shares at a threshold; only if cases are counted."""
        unweighted = all(
            float(count).is_integer() for count in (self.points.relevant, self.points.other)
        )
        return (
            next((interval.level for interval in self.intervals.values()), None)
            if unweighted
            else None
        )


#: Counts that a page shows in a table of their own.
COUNTED = ("cases", "relevant", "missed")
SCORED = ("AP", "AUC", "max F", "break-even nearest", "R-precision")
MEASURED = (*COUNTED, *SCORED)


@dataclass(frozen=True, kw_only=True, eq=False)
class CurvesSection(Section):
    """Curves of scores of cases."""

    kind = "curves"

    good: str
    systems: list[Scored]
    pairs: list[Comparison]
    laws: list[Law] = field(default_factory=list)
    blocks: list[SectionTable]
    signature: str = ""
    conventions: dict[str, str] = field(default_factory=dict)

    @property
    def page_title(self) -> str:
        """The title of a page that begins with this section."""
        names = [system.name for system in self.systems]
        source = self.conventions.get("file", "")
        if "group" in self.conventions:
            # Each curve is of a score and a group, with a name such as "s, 1".
            return _title([many(len(names), "curve")], "", source)
        return _title(names, "score", source)

    @property
    def high(self) -> bool:
        """Whether high scores are good."""
        return self.good == "high"

    def level_at_thresholds(self, system: Scored) -> float | None:
        """The level of intervals of shares at a threshold of a system; only if cases are counted
        and were drawn one by one.
        """
        return None if "groups" in self.conventions else system.level

    @cached_property
    def curves(self) -> list[Curve]:
        """The curves of the scores, with the kept points."""
        return [system.points.curve(self.high) for system in self.systems]

    @cached_property
    def first(self) -> int:
        """Index of the score that is chosen first: that of the greatest average precision."""
        with_relevant = [i for i, system in enumerate(self.systems) if system.points.relevant]
        return (
            max(with_relevant, key=lambda i: self.systems[i].measures["AP"]) if with_relevant else 0
        )

    def fit(self, place: str) -> None:
        """Raise `Misfit` if parts do not fit."""
        require(len(self.systems) > 0, f"{place}.systems", "is empty")
        require(self.good in ("high", "low"), f"{place}.good", "is neither high nor low")


@dataclass(frozen=True, kw_only=True, eq=False)
class Categories(CurvesSection):
    """Scores of categories: curves of all pairs of item and category together, and of some
    categories.
    """

    kind = "categories"

    title: str = "Categories"
    shown: int
    of: int
    policy: str | None

    @property
    def page_title(self) -> str:
        """The title of a page that begins with this section."""
        return f"Evaluation of {many(self.of, 'category', 'categories')}"

    @cached_property
    def first(self) -> int:
        """Index of the score that is chosen first: all pairs."""
        return next((i for i, system in enumerate(self.systems) if system.points.relevant), 0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Labelled:
    """A measure of each system by people's labels, by a judge's, and corrected by both."""

    measure: str
    level: float
    systems: list[str]
    corrected: Column
    low: Column
    high: Column
    people: Column
    people_low: Column
    people_high: Column
    judge: Column

    def fit(self, place: str) -> None:
        """Raise `Misfit` if parts do not fit."""
        require(len(self.systems) > 0, f"{place}.systems", "is empty")
        _share(f"{place}.level", self.level)
        size = len(self.systems)
        for name in ("corrected", "low", "high", "people", "people_low", "people_high", "judge"):
            _check_sizes(f"{place}.{name}", getattr(self, name), size)


@dataclass(frozen=True, kw_only=True, eq=False)
class Tables(Section):
    """The tables of a result."""

    kind = "sheet"

    title: str
    blocks: list[SectionTable]
    pairs: list[Comparison] | None = field(default=None, metadata=ABSENT)
    labelled: list[Labelled] | None = field(default=None, metadata=ABSENT)
    signature: str = ""
    conventions: dict[str, str] = field(default_factory=dict)

    @property
    def page_title(self) -> str:
        """The title of a page that begins with this section."""
        return self.title or "Evaluation"


# --- Pages ---

S = TypeVar("S", bound=Section)


class SectionPart(NamedTuple, Generic[S]):
    """A section, with the sentences for the head of the page, and notes for readers of the
    numbers.
    """

    section: S
    headline: list[Sentence]
    notes: Sequence[str]


@dataclass(frozen=True, kw_only=True, eq=False)
class File:
    """A file that was read, with its state at that time."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Page:
    """A complete page."""

    title: str
    headline: list[Sentence]
    notes: list[Note]
    date: str = ""
    command: str
    versions: dict[str, str | None]
    files: list[File]
    sections: list[Section]

    def fit(self, place: str) -> None:
        """Raise `Misfit` if parts do not fit."""
        require(bool(self.versions.get("precall")), "versions", "lacks precall")

    def of_kind(self, kind: type[Systems]) -> Iterator[Systems]:
        """The sections of a kind."""
        return (section for section in self.sections if isinstance(section, kind))
