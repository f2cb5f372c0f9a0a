"""An interval: an estimate with its bounds and everything they depend on; and several intervals by
name, as one result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from precall.core.arguments import check_level, check_whole
from precall.core.errors import Among, UsageError, key_error
from precall.core.notes import Note, keep_notes, notes_to_json, warn, warn_all
from precall.core.notes.of_intervals import (
    FewCases,
    FewGroups,
    FewHeavyCases,
    HeavyOfOneKind,
    UndefinedInterval,
    UndefinedMeasure,
    WeightsRepeatCases,
)
from precall.core.rng import check_rng, tell_resamples
from precall.core.text import number, percent, printable, python_scalar, short_repr
from precall.measures.lookup import name_among
from precall.results.equality import Equal
from precall.results.sheets import Presented, Table
from precall.stats.intervals.methods import choose_method, find_method
from precall.stats.resample.bootstrap import notes_on_level

if TYPE_CHECKING:
    from precall.stats.blocks import Blocks

ON_NEW_CASES = " on new cases"
#: Name of the F at a tuned threshold, in the library, the command and on pages: it is not the
#: greatest F of the cases at hand.
MAX_F = f"max F{ON_NEW_CASES}"
#: With fewer cases on a side, bands have exact bounds, or bounds that follow from other places.
LEAST = 5
P = ParamSpec("P")
T = TypeVar("T")
Estimate = TypeVar("Estimate", bound="Interval")


class Bounded(Presented):
    """Base of results that have bounds, a level, a seed and notes: they print as one line with the
    notes below.
    """

    __slots__ = ()

    level: float
    method: str
    seed: int | None
    resamples: int
    notes: tuple[Note, ...]

    def __str__(self) -> str:
        from precall.results.forms import short_notes

        return "\n".join([self._line(), *short_notes(self.notes)])

    def __repr__(self) -> str:
        return f"<{type(self).__name__.removeprefix('Tuned')}: {self._line()}>"

    def _line(self) -> str:
        return f"{percent(self.level)} {self.method}{tell_resamples(self.resamples, self.seed)}"

    @property
    def entropy(self) -> int | None:
        """The former name of `seed`."""
        return self.seed


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Interval(Equal, Bounded):
    """An estimate with its bounds; frozen, not iterable; prints as one line with its notes below.

    Attributes
    ----------
    estimate : the value of the measure on the data at hand.
    low : the lower bound, in the range of the measure; None if there is no interval, and a note
        says why.
    high : the upper bound, likewise.
    level : nominal share of samples whose interval holds the true value, in (0, 1).
    method : how the bounds were found.
    measure : name of the estimated measure.
    assumptions : assumptions of the bounds.
    seed : seed of the random numbers, which as `rng=` gives the same digits again; None if none
        were drawn.
    resamples : number of samples that were drawn; 0 if none were.
    standard_error : standard error of the estimate, on its own scale; None if the method has none.
    notes : notes on the interval and on its data: those given as warnings, and earlier ones.
    conventions : choices that the estimate depends on, if it is from a report.

    Examples
    --------
    >>> found = Interval(0.5, 0.25, 0.75, 0.95, "wilson", "precision")
    >>> print(found)
    precision 0.5000 [0.2500, 0.7500] 95 % wilson
    >>> 0.3 in found, found.width
    (True, 0.5)
    """

    estimate: float
    low: float | None
    high: float | None
    level: float
    method: str
    measure: str = ""
    assumptions: str = ""
    seed: int | None = None
    resamples: int = 0
    standard_error: float | None = None
    notes: tuple[Note, ...] = ()
    conventions: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Computations return NaN for bounds that do not exist; here they become None.
        if self.low != self.low:
            object.__setattr__(self, "low", None)
        if self.high != self.high:
            object.__setattr__(self, "high", None)

    def _line(self) -> str:
        bounds = f"{number(self.estimate)} [{', '.join(map(number, self.ends))}]"
        return printable(f"{self.measure} {bounds} {Bounded._line(self)}".lstrip())

    def __contains__(self, value: object) -> bool:
        """Whether a number lies within the bounds, ends included; False if there are no bounds."""
        plain = python_scalar(value)
        if not isinstance(plain, int | float):
            raise TypeError(f"only a number can lie in an interval, got {short_repr(value)}")
        low, high = self.ends
        return low <= plain <= high

    # With __contains__ alone, Python would still try to iterate by index.
    __iter__ = None

    @property
    def ends(self) -> tuple[float, float]:
        """`low` and `high` for tables and arithmetic: NaN instead of None."""
        return (
            math.nan if self.low is None else self.low,
            math.nan if self.high is None else self.high,
        )

    @property
    def width(self) -> float | None:
        """high - low; None if there is no interval."""
        low, high = self.ends
        return high - low if low == low else None

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON; numbers that do not exist are None.

        Examples
        --------
        >>> told = Interval(0.5, 0.25, 0.75, 0.95, "t", "AP").to_dict()
        >>> told["measure"], told["high"], told["notes"]
        ('AP', 0.75, [])
        """
        names = [
            field.name for field in fields(self) if field.name not in ("conventions", "shared")
        ]
        data = {name: _to_plain_data(getattr(self, name)) for name in names}
        return data | {"notes": notes_to_json(self.notes)}

    def complement(self, measure: str) -> Interval:
        """The interval of 1 - value: of error from accuracy, of E from F."""
        low, high = self.ends
        return replace(
            self, estimate=1 - self.estimate, low=1 - high, high=1 - low, measure=measure
        )


def _to_plain_data(value: object) -> Any:
    if isinstance(value, Interval):
        return value.to_dict()
    if isinstance(value, tuple):
        return list(value)
    return None if isinstance(value, float) and math.isnan(value) else value


class Intervals(Presented, Mapping[Any, Interval]):
    """Intervals by measure, or by (run, measure) if there are several runs.

    `notes` are those of the intervals; a note that several have is listed once, with all their
    names.

    Examples
    --------
    >>> found = Intervals({"AP": Interval(0.5, 0.25, 0.75, 0.95, "t", "AP")})
    >>> found["AP"].low, len(found)
    (0.25, 1)
    >>> print(found)
    measure  estimate     low    high  level  method
    AP         0.5000  0.2500  0.7500   0.95       t
    <BLANKLINE>
    precall ...
    """

    def __init__(
        self,
        intervals: Mapping[Any, Interval],
        asked: Mapping[str, str] | None = None,
        notes: Iterable[Note] | None = None,
        over: str = "run",
        of: str = "",
        heads: Mapping[str, str] | None = None,
        conventions: Mapping[str, str] | None = None,
    ) -> None:
        if notes is None:
            notes = [note for interval in intervals.values() for note in interval.notes]
        self.notes: tuple[Note, ...] = tuple(dict.fromkeys(notes))
        # The kind of name that a key begins with; and the measure, if keys are that name alone.
        self._over, self._of = over, of
        self._by_name: dict[Any, Interval] = dict(intervals)
        self._asked = dict(asked or {})
        # Names of measures in print and in frames.
        self._heads = dict(heads or {})
        self.conventions: dict[str, str] = dict(conventions or {})

    def __getitem__(self, key: Any) -> Interval:
        interval = self._by_name.get(key)
        if interval is not None:
            return interval
        pair = isinstance(key, tuple) and len(key) == 2
        of, name = key if pair else ("", key)
        plain_names = [key_ for key_ in self._by_name if isinstance(key_, str)]
        names_of_run = [
            key_[1] for key_ in self._by_name if isinstance(key_, tuple) and key_[0] == of
        ]
        for names, make in ((names_of_run, lambda own: (of, own)), (plain_names, lambda own: own)):
            own = name_among(name, names, self._asked)
            if own is not None and make(own) in self._by_name:
                return self._by_name[make(own)]
        raise key_error(f"there are {', '.join(map(str, self._by_name))}", key)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __repr__(self) -> str:
        names = [" ".join(key) if isinstance(key, tuple) else str(key) for key in self._by_name]
        more = f" and {len(names) - 6} more" if len(names) > 6 else ""
        return printable(f"<Intervals: {', '.join(names[:6])}{more}>")

    def with_notes(self, *notes: Note) -> Intervals:
        """These intervals with more notes, without warnings: every result of this kind has them."""
        self.notes += notes
        return self

    def aloud(self) -> Intervals:
        """These intervals, after a warning for each note."""
        warn_all(self.notes)
        return self

    def _names(self, key: object) -> tuple[str, str]:
        """Run or category, and measure, of a key; the first is empty for a measure of all data."""
        if isinstance(key, tuple):
            return key
        return (str(key), self._of) if self._of else ("", str(key))

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON: the names and numbers of each interval, and all notes."""
        intervals = []
        for key, interval in self.items():
            of, name = self._names(key)
            # An interval alone also has its run in its name; here only the measure's name counts.
            measure = {"measure": self._heads[name]} if of and name in self._heads else {}
            intervals.append({self._over: of, "measure": name} | interval.to_dict() | measure)
        return {"intervals": intervals, "notes": [note.to_dict() for note in self.notes]}

    @property
    def table(self) -> Table:
        """A row per interval: run (or category; empty if there is only one), measure, estimate,
        low, high, level, method, and so on.

        `seed` and `resamples` are filled for methods that draw samples, `threshold` for measures at
        a threshold; `notes` are texts.
        """
        columns: dict[str, Any] = {
            name: [self._names(key)[index] for key in self]
            for index, name in enumerate((self._over, "measure"))
        }
        columns["measure"] = [self._heads.get(name, name) for name in columns["measure"]]
        for name in ("estimate", "low", "high", "level"):
            columns[name] = np.array(
                [getattr(interval, name) for interval in self.values()], np.float64
            )
        notes = ["; ".join(interval.notes) for interval in self.values()]
        # As texts, because a method that draws nothing has no seed.
        seeds = ["" if interval.seed is None else str(interval.seed) for interval in self.values()]
        methods = [interval.method for interval in self.values()]
        resamples = np.array([interval.resamples for interval in self.values()], np.int64)
        thresholds = [getattr(interval, "threshold", None) for interval in self.values()]
        columns |= {"method": methods, "seed": seeds, "resamples": resamples}
        return Table(
            columns | {"threshold": np.array(thresholds, np.float64), "notes": notes},
            noticed=self.notes,
        )


def with_notes_of_data(
    interval: Interval, notes: Iterable[Note], conventions: Mapping[str, str] | None = None
) -> Interval:
    """The interval with the notes on its data, and the conventions the data were measured by."""
    all_notes = tuple(dict.fromkeys((*notes, *interval.notes)))
    return replace(interval, notes=all_notes, conventions=conventions or interval.conventions)


def all_with_notes_of_data(
    intervals: Intervals,
    notes: Iterable[Note],
    noticed: Callable[[Any], Iterable[Note]],
    conventions: Mapping[str, str] | None = None,
) -> Intervals:
    """The intervals with the notes on their data, and the conventions.

    `notes` are those of all together; `noticed` returns the notes of one interval by its key.
    """
    by_key = {
        key: with_notes_of_data(interval, noticed(key), conventions)
        for key, interval in intervals.items()
    }
    return Intervals(
        by_key,
        intervals._asked,
        (*notes, *intervals.notes),
        intervals._over,
        intervals._of,
        intervals._heads,
        conventions,
    )


def measures_with_method(method: object, known: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The measures that have the method, each with its name of it, out of `known`, which lists the
    methods of each; an error if no measure has it.
    """
    if method is None:
        return {}
    found = {
        name: own
        for name, methods in known.items()
        if (own := find_method(methods, method)) is not None
    }
    if found:
        return found
    of_methods: dict[str, list[str]] = {}
    for name, methods in known.items():
        of_methods.setdefault(", ".join(methods), []).append(name)
    allowed = "; ".join(f"{', '.join(names_)}: {methods}" for methods, names_ in of_methods.items())
    raise UsageError(argument="method", got=method, allowed=Among("allowed are,", [allowed]))


@cache
def options_of(make: Callable[..., object]) -> frozenset[str]:
    """The optional parameters of a function; cached, because reading a signature takes 30 µs."""
    parameters = signature(make).parameters.items()
    return frozenset(
        name for name, parameter in parameters if parameter.default is not Parameter.empty
    )


#: Options of the call that took labels and scores.
_OF_DATA = ("positive", "weights", "missed", "higher_is_better")


def refuse_unknown_options(options: Mapping[str, object], *functions: Callable[..., Any]) -> None:
    """Refuse an option that is a parameter of none of the functions; `level`, `method` and `rng`
    are always allowed.
    """
    allowed_names = {"level", "method", "rng"}.union(*map(options_of, functions))
    for name, value in options.items():
        if name not in allowed_names:
            raise UsageError(
                argument=name,
                got=value,
                why="but it is no option here",
                allowed=sorted(allowed_names - {"measure"}),
                remedy=f"pass it to the call that took the data, as in pc.curve(labels, scores, "
                f"{name}=...)"
                if name in _OF_DATA
                else "",
            )


def warn_of_few(
    name: str,
    blocks: Blocks,
    fewest: int,
    groups: int,
    *,
    weights: bool = False,
    effect: str = "miss",
    of: str = "interval",
) -> bool:
    """Warn of few groups (by their effective number), of few cases of a kind, or of few cases with
    much of the weight. Return whether a warning was given.

    Heavy cases that were not drawn may matter most.
    """
    size, heavy = min(blocks.sizes()), blocks.heavy() if weights else None
    warn_of_weights(blocks.notes)
    if blocks.has_groups and blocks.effective_groups() < groups:
        warn(FewGroups(name, blocks.groups(), blocks.effective_groups()))
    elif size < fewest:
        warn(FewCases(name, size, effect, of))
    elif heavy is not None and heavy < fewest:
        warn(FewHeavyCases(name, heavy) if heavy else HeavyOfOneKind(name))
    else:
        return False
    return True


def warn_of_weights(notes: Iterable[Note]) -> None:
    """Warn of weights that repeat cases, out of all notes on the data.

    There was no warning when the data were read, because the value is the same with sampling
    weights; only the interval differs.
    """
    for note in notes:
        if isinstance(note, WeightsRepeatCases):
            warn(note)


def undefined(
    measure: str, why: str, level: float, method: str, estimate: float = math.nan
) -> Interval:
    """An interval without bounds, and a warning that says why; the estimate may still be known."""
    # Bounds that do not exist are None; an estimate is a number, NaN if it is undefined.
    warn((UndefinedMeasure if math.isnan(estimate) else UndefinedInterval)(measure, why))
    return Interval(estimate, None, None, level, method, measure)


def like(known: Callable[P, T]) -> Callable[[Callable[..., T]], Callable[P, T]]:
    """Decorator: gives a function the signature of `known`, which documents the parameters."""

    def decorate(make: Any) -> Any:
        make.__signature__ = signature(known)
        return make

    return decorate


#: An interval whose relative width is at most this has no width: for equal values, rounding leaves
#: a little.
_NONE = 1e-14


def estimating(of: str) -> Callable[[Callable[P, Estimate]], Callable[P, Estimate]]:
    """Decorator for a function that computes an interval by one of `METHODS[of]`.

    Options are checked, and warnings given meanwhile are kept as notes. Equal bounds become None:
    if the method sees no variance, as for values that are all equal, an interval without width
    would claim to know the value of other samples for sure.
    """

    def decorate(make: Callable[P, Estimate]) -> Callable[P, Estimate]:
        @keep_notes
        @wraps(make)
        def check_and_make(*args: P.args, **kwargs: P.kwargs) -> Estimate:
            options: dict[str, Any] = kwargs
            if "level" in options:
                options["level"] = check_level(options["level"])
            # For means, None chooses the method by the values.
            if "method" in options and not (
                options["method"] is None and of in ("mean", "two-way mean", "share in groups")
            ):
                options["method"] = choose_method(of, options["method"])
            if "resamples" in options:
                options["resamples"] = check_whole("resamples", options["resamples"], 100)
            if "rng" in options:
                check_rng(options["rng"])
            interval = make(*args, **kwargs)
            if interval.resamples:
                warn_all(notes_on_level(interval.measure, interval.resamples, interval.level))
            low, high = interval.ends
            if low != high and not high - low <= _NONE * abs(low):
                return interval
            facts = interval.level, interval.method, interval.estimate
            # Shares and F of counts have a variance unless they are 0 or 1.
            of_counts = ("proportion", "F", "counts", "ratio of counts", "share at a prevalence")
            varies = of in of_counts and 0 < interval.estimate < 1
            why = "float64 does not tell its bounds apart" if varies else "its variance is 0"
            why = "all resamples are infinite" if math.isinf(low) else why
            undefined(interval.measure, why, *facts)
            return replace(interval, low=None, high=None)

        return check_and_make

    return decorate


def expit(odds: float) -> float:
    """The share with these log-odds."""
    return 1 / (1 + math.exp(-odds)) if odds > -700 else 0.0


def log_odds(value: float) -> float:
    """log(value / (1 - value)); infinite at 0 and 1."""
    if value <= 0:
        return -math.inf
    return math.inf if value >= 1 else math.log(value / (1 - value))


def cut(value: float, half: float) -> tuple[float, float]:
    """value ± half, cut to 0..1."""
    return max(value - half, 0.0), min(value + half, 1.0)


def around(value: float, error: float, quantile: float) -> tuple[float, float]:
    """The bounds quantile · error / (value (1 - value)) around the log-odds of a value in (0,
    1).
    """
    half = quantile * error / (value * (1 - value))
    odds = log_odds(value)
    return expit(odds - half), expit(odds + half)
