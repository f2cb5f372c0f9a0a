"""What a page is made of: its sections, with results and parts of results as objects.

Fields stand in the order in which JSON has them (`precall.page.record`). A section that is read
back says what of it does not fit together, and where (`fit`): what is drawn of it needs no other
check.
"""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np

from precall.core.notes import Note
from precall.evaluation.report import RunCounts
from precall.plot.shared.looks import distinct
from precall.results.blocks import AtMost, Block, Line, Threshold
from precall.results.sentence import Sentence

if TYPE_CHECKING:
    from precall.cases import Curve
    from precall.stats.intervals.interval import Interval
    from precall.stats.null.distribution import Tail
    from precall.stats.tests.comparisons import Comparison
    from precall.stats.tests.gating import Gates

#: Numbers that stand together in JSON in the shortest way to write them; NaN is null.
Column: TypeAlias = np.ndarray[Any, np.dtype[Any]]
#: Such of counts, which are whole unless cases have weights.
Counts: TypeAlias = Annotated[Column, "counts"]

#: Systems whose names take more letters are counted in a title.
_TITLED = 56
#: Beyond that numbers have no place on an axis.
_FAR = 1e300


class Misfit(ValueError):
    """A part of a page does not fit the others: which, and what is wrong with it."""

    def __init__(self, place: str, what: str) -> None:
        super().__init__(place, what)
        self.place, self.what = place, what


def require(holds: bool, place: str, what: str) -> None:
    """Say what is wrong with a part."""
    if not holds:
        raise Misfit(place, what)


def _sized(place: str, values: Sized, size: int, *deeper: int) -> None:
    """Check how many there are, and how many in each of them."""
    require(len(values) == size, place, f"has {len(values)} values, and others have {size}")
    for i, each in enumerate(values if deeper and isinstance(values, Iterable) else ()):
        _sized(f"{place}[{i}]", each, *deeper)


def _among(place: str, places: Iterable[float], size: int) -> None:
    """Check that numbers are places in a list."""
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


#: Of fields: JSON does not have them where they are None; has them as empty objects; has their own
#: fields in their place.
ABSENT, EMPTY, FLAT = {"absent": True}, {"empty": True}, {"flat": True}


# --- Null distributions, and tables ---


@dataclass(frozen=True, kw_only=True, eq=False)
class Law:
    """A value of a system against its null distribution, with the outline of it."""

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
        """Say what does not fit."""
        require(len(self.x) > 0, f"{place}.x", "is empty")
        _sized(f"{place}.height", self.height, len(self.x))
        _finite(f"{place}.x", self.x)
        _finite(f"{place}.height", self.height)
        require(bool(np.all(self.height >= 0)), f"{place}.height", "is below 0")


@dataclass(frozen=True, eq=False)
class Table:
    """A table of a sheet; `intervals` says what the bounds of its values are, if they have some."""

    title: str
    heading: tuple[str, ...]
    lines: tuple[Line, ...]
    intervals: str = ""

    @cached_property
    def block(self) -> Block:
        """As a page shows it: what stands in a line with thresholds is as short as they are, and
        undefined is no gap.
        """
        return Block(self.title, self.heading, tuple(map(_shown, self.lines)))

    def fit(self, place: str) -> None:
        """Say what does not fit."""
        require(len(self.heading) > 0, f"{place}.heading", "is empty")
        for i, line in enumerate(self.lines):
            for name, values in (("values", line.values), ("low", line.ends or line.values)):
                _sized(f"{place}.lines[{i}].{name}", values, len(self.heading) - 1)


def kind_of(line: Line) -> type[float]:
    """Which kind of number a line has, if one is no plain one."""
    kinds = {type(value) for value in line.values}
    return next((kind for kind in (AtMost, Threshold) if kind in kinds), float)


def _shown(line: Line) -> Line:
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
    """What the numbers rest on, in one line, for people."""
    conventions: dict[str, str]
    """The same by name."""

    @property
    def called(self) -> str:
        """The title of a page that begins with it."""
        return "Evaluation"

    def fit(self, place: str) -> None:
        """Say what does not fit."""


def _listed(names: Sequence[str], of: str) -> str:
    told = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return (told if len(told) <= _TITLED else f"{len(names)} {of}") or "Evaluation"


@dataclass(frozen=True, kw_only=True, eq=False)
class Head:
    """A measure: what it is called in print, which it is, how topics are averaged, which end is
    best, and what it says.
    """

    name: str
    measure: str = ""
    aggregate: str
    best: int
    summary: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Ends:
    """Bounds of the averages, by system and measure."""

    level: float
    method: str
    low: list[list[float]]
    high: list[list[float]]


class Pair(NamedTuple):
    """How one system differs from another by a measure; these are places."""

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
class Pairs:
    """Comparisons of systems, as columns.

    Parameters
    ----------
    compared : what is compared: of geometric means the logarithms.
    against : what others are held against, by measure: the baseline, or the best.
    letters : by measure those of each system; none where there are no letters.
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
    def rows(self) -> list[Pair]:
        """One by one."""
        columns = (
            column.tolist()
            for column in (self.difference, self.low, self.high, self.p, self.adjusted)
        )
        whole = zip(
            self.a, self.b, self.measure, *columns, map(bool, self.significant), strict=True
        )
        return [Pair(*row) for row in whole]

    @cached_property
    def corrected(self) -> bool:
        """Whether any p was changed by a correction."""
        return bool(self.p.tolist() != self.adjusted.tolist())

    def fit_to(self, place: str, systems: int, measures: int) -> None:
        """Say what does not fit these numbers of systems and measures."""
        for name in ("b", "measure", "difference", "low", "high", "p", "adjusted", "significant"):
            _sized(f"{place}.{name}", getattr(self, name), len(self.a))
        for name, size in (
            ("a", systems),
            ("b", systems),
            ("against", systems),
            ("measure", len(self.compared)),
        ):
            _among(f"{place}.{name}", getattr(self, name), size)
        for name in ("compared", "against"):
            _sized(f"{place}.{name}", getattr(self, name), measures)
        for i, letters in enumerate(self.letters):
            _sized(f"{place}.letters[{i}]", letters, systems if letters else 0)
        _sized(f"{place}.letters", self.letters, measures if self.letters else 0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Marks:
    """Hits of a system: 8 letters a topic, base64 of a bit for each of the first ranks; and how
    many it found.
    """

    marks: str
    found: list[int]

    @cached_property
    def bits(self) -> bytes:
        """A bit for each rank, 6 bytes a topic."""
        return base64.b64decode(self.marks, validate=True)


@dataclass(frozen=True, kw_only=True, eq=False)
class Eleven:
    """Interpolated precision at recall 0, .1, ..., 1, and its bounds."""

    mean: Column
    low: Column
    high: Column


@dataclass(frozen=True, kw_only=True, eq=False)
class Hits:
    """Where the hits are, by topic: in the first `depth` ranks, and on the way to all."""

    depth: int
    relevant: list[int]
    systems: list[Marks]
    eleven: list[Eleven] = field(default_factory=list)

    def fit_to(self, place: str, systems: int, topics: int) -> None:
        """Say what does not fit these numbers of systems and topics."""
        _sized(f"{place}.relevant", self.relevant, topics)
        _sized(f"{place}.systems", self.systems, systems)
        for i, system in enumerate(self.systems):
            _sized(f"{place}.systems[{i}].found", system.found, topics)
            _sized(f"{place}.systems[{i}].marks", system.marks, 8 * topics)
            try:
                known = len(system.bits) == 6 * topics
            except (binascii.Error, ValueError):
                known = False
            require(known, f"{place}.systems[{i}].marks", "is no base64")
        _sized(f"{place}.eleven", self.eleven, systems if self.eleven else 0)
        for i, each in enumerate(self.eleven):
            for name in ("mean", "low", "high"):
                _sized(f"{place}.eleven[{i}].{name}", getattr(each, name), 11)


@dataclass(frozen=True, kw_only=True, eq=False)
class Systems(Section):
    """Systems measured by topics.

    Parameters
    ----------
    mean, values : averages by system and measure, values by measure, system and topic.
    compared : the two whose topics are compared.
    comparable : whether the best of a measure is told.
    """

    kind = "systems"

    systems: list[str]
    measures: list[Head]
    counts: list[RunCounts]
    topics: list[str]
    mean: list[Column]
    interval: Ends | None = field(default=None, metadata=EMPTY)
    values: list[list[Column]]
    compared: list[int]
    comparable: bool = True
    signature: str = ""
    conventions: dict[str, str] = field(default_factory=dict)
    pairs: Pairs | None = field(default=None, metadata=ABSENT)
    hits: Hits | None = field(default=None, metadata=EMPTY)
    laws: list[Law] = field(default_factory=list)
    gates: Gates | None = field(default=None, metadata=ABSENT)

    @property
    def called(self) -> str:
        """The title of a page that begins with it."""
        return _listed(self.shown, "systems")

    @cached_property
    def shown(self) -> list[str]:
        """The names of the systems as the page shows them: without what all of them begin or end
        with.
        """
        return distinct(self.systems)

    @cached_property
    def short(self) -> dict[str, str]:
        """These by the names in full."""
        return dict(zip(self.systems, self.shown, strict=True))

    @property
    def letters(self) -> list[list[str]]:
        """Of each measure, if all have some."""
        known = self.pairs.letters if self.pairs is not None else []
        return known if all(known) else []

    def fit(self, place: str) -> None:
        """Say what does not fit."""
        systems, measures, topics = len(self.systems), len(self.measures), len(self.topics)
        for name in ("systems", "measures", "compared"):
            require(len(getattr(self, name)) > 0, f"{place}.{name}", "is empty")
        for i, head in enumerate(self.measures):
            require(head.best in (-1, 0, 1), f"{place}.measures[{i}].best", "is none of -1, 0, 1")
        _sized(f"{place}.counts", self.counts, systems)
        _sized(f"{place}.mean", self.mean, systems, measures)
        _sized(f"{place}.values", self.values, measures, systems, topics)
        _among(f"{place}.compared", self.compared, systems)
        require(len(self.compared) < 3, f"{place}.compared", "has more than two")
        if self.interval is not None:
            _share(f"{place}.interval.level", self.interval.level)
            for name in ("low", "high"):
                _sized(f"{place}.interval.{name}", getattr(self.interval, name), systems, measures)
        if self.pairs is not None:
            self.pairs.fit_to(f"{place}.pairs", systems, measures)
        if self.hits is not None:
            self.hits.fit_to(f"{place}.hits", systems, topics)


@dataclass(frozen=True, kw_only=True, eq=False)
class KeptPoints:
    """The operating points of a curve, few enough for a page.

    Parameters
    ----------
    thresholds : how many the curve has.
    logit : ends of an axis of logits, if a chart against the threshold has one.
    bound : by how much an area can differ for what was left out.
    start : where the slider begins, the point of greatest F.
    drawn : the points of precision-recall and ROC; None is all.
    digits : how many a threshold needs to accept the same cases.
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
        """Say what does not fit."""
        size = len(self.threshold)
        require(size > 0, f"{place}.threshold", "is empty")
        for name in ("digits", "tp", "fp"):
            _sized(f"{place}.{name}", getattr(self, name), size)
        _among(f"{place}.start", [self.start], size)
        for name, whole in (("tp", self.relevant), ("fp", self.other)):
            counts = np.asarray(getattr(self, name), np.float64)
            _finite(f"{place}.{name}", counts)
            rising = counts[0] >= 0 and bool(np.all(np.diff(counts) >= 0))
            require(
                rising and counts[-1] <= whole < _FAR,
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
            whole = bool(np.all(self.drawn == np.floor(self.drawn)))
            require(whole and len(self.drawn) > 0, f"{place}.drawn", "are no places")
            _among(f"{place}.drawn", self.drawn.tolist(), size)
        if self.logit is not None:
            _sized(f"{place}.logit", self.logit, 2)
            require(
                0 < self.logit[0] < self.logit[1] < 1,
                f"{place}.logit",
                "does not rise between 0 and 1",
            )


@dataclass(frozen=True, kw_only=True, eq=False)
class Bounds:
    """A band of a curve."""

    x: Column
    low: Column
    high: Column
    level: float
    kind: str
    method: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Scored:
    """A score: its operating points, and what is measured of it, with intervals by measure and
    bands by curve.
    """

    name: str
    points: KeptPoints = field(metadata=FLAT)
    measures: dict[str, float]
    intervals: dict[str, Interval]
    bands: dict[str, Bounds]

    def fit(self, place: str) -> None:
        """Say what does not fit."""
        self.points.fit(place)
        for name in MEASURED:
            require(name in self.measures, f"{place}.measures", f"lacks {name}")
        for name, interval in self.intervals.items():
            _share(f"{place}.intervals.{name}.level", interval.level)
        for kind, band in self.bands.items():
            _share(f"{place}.bands.{kind}.level", band.level)
            for name in ("low", "high"):
                _sized(f"{place}.bands.{kind}.{name}", getattr(band, name), len(band.x))

    @property
    def level(self) -> float | None:
        """The level of intervals of shares at a threshold: where cases are counted, and drawn one
        by one.
        """
        whole = all(
            float(count).is_integer() for count in (self.points.relevant, self.points.other)
        )
        return (
            next((interval.level for interval in self.intervals.values()), None) if whole else None
        )


#: Counts and measures of scores that a page shows in a table of their own.
COUNTED = ("cases", "relevant", "missed")
SCORED = ("AP", "AUC", "max F", "break-even nearest", "R-precision")
MEASURED = (*COUNTED, *SCORED)


@dataclass(frozen=True, kw_only=True, eq=False)
class Curves(Section):
    """Curves of scores of cases."""

    kind = "curves"

    good: str
    systems: list[Scored]
    pairs: list[Comparison]
    laws: list[Law] = field(default_factory=list)
    blocks: list[Table]
    signature: str = ""
    conventions: dict[str, str] = field(default_factory=dict)

    @property
    def called(self) -> str:
        """The title of a page that begins with it."""
        return _listed([system.name for system in self.systems], "scores")

    @property
    def high(self) -> bool:
        """Whether high scores are good."""
        return self.good == "high"

    @cached_property
    def curves(self) -> list[Curve]:
        """Those of the scores, of the points that are kept."""
        return [system.points.curve(self.high) for system in self.systems]

    @cached_property
    def first(self) -> int:
        """The score that is chosen at first: that of the greatest average precision."""
        known = [i for i, system in enumerate(self.systems) if system.points.relevant]
        return max(known, key=lambda i: self.systems[i].measures["AP"]) if known else 0

    def fit(self, place: str) -> None:
        """Say what does not fit."""
        require(len(self.systems) > 0, f"{place}.systems", "is empty")
        require(self.good in ("high", "low"), f"{place}.good", "is neither high nor low")


@dataclass(frozen=True, kw_only=True, eq=False)
class Categories(Curves):
    """Scores of categories: curves of all pairs of item and category together, and of some
    categories.
    """

    kind = "categories"

    title: str = "Categories"
    shown: int
    of: int
    policy: str | None

    @property
    def called(self) -> str:
        """The title of a page that begins with it."""
        return f"{self.of} categories"

    @cached_property
    def first(self) -> int:
        """The score that is chosen at first: all pairs."""
        return next((i for i, system in enumerate(self.systems) if system.points.relevant), 0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Tables(Section):
    """The tables of a result."""

    kind = "sheet"

    title: str
    blocks: list[Table]
    pairs: list[Comparison] | None = field(default=None, metadata=ABSENT)
    signature: str = ""
    conventions: dict[str, str] = field(default_factory=dict)

    @property
    def called(self) -> str:
        """The title of a page that begins with it."""
        return self.title or "Evaluation"


# --- Pages ---

S = TypeVar("S", bound=Section)


class Part(NamedTuple, Generic[S]):
    """A section, with the sentences for the head of the page, and what a reader of the numbers
    should know.
    """

    section: S
    headline: list[Sentence]
    notes: Sequence[str]


@dataclass(frozen=True, kw_only=True, eq=False)
class File:
    """A file that was read, as it lay there."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Page:
    """A whole page."""

    title: str
    headline: list[Sentence]
    notes: list[Note]
    date: str = ""
    command: str
    versions: dict[str, str | None]
    files: list[File]
    sections: list[Section]

    def fit(self, place: str) -> None:
        """Say what does not fit."""
        require(bool(self.versions.get("precall")), "versions", "lacks precall")

    def of_kind(self, kind: type[Systems]) -> Iterator[Systems]:
        """Its sections of a kind."""
        return (section for section in self.sections if isinstance(section, kind))
