"""A measure is declared once; names, validation, help, documentation and tests come from that.

`@measure("P", ...)` above a formula declares; `measure("P@10")` finds what was declared and binds
its parameters. A formula takes `Counts`; or of rankings `Hits` (binary measures) or `Located`
(those that need grades), and returns one number per table or ranking; or `Path`, one ranking along
its thresholds, and returns one number. What is undefined is NaN.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias, get_type_hints

import numpy as np

from precall.core.arguments import BETA, check_beta
from precall.core.counts import Counts, Path, PopulationUnknown, Ranks
from precall.core.errors import Fact, MeasureError
from precall.core.ragged import Float64, Int64
from precall.core.text import typed_integer, typed_number
from precall.location.hits import Hits
from precall.location.located import Located

__all__ = [
    "Alpha",
    "Beta",
    "CategoryExample",
    "Count",
    "CountsExample",
    "Cutoff",
    "Declaration",
    "Distances",
    "Example",
    "Flag",
    "Gain",
    "Gains",
    "Grade",
    "Norm",
    "Part",
    "PerRanking",
    "Persistence",
    "Positive",
    "Real",
    "Share",
    "SubtopicExample",
    "Values",
    "choice",
]

PerRanking: TypeAlias = Float64 | Int64
Values: TypeAlias = Any
"""What a measure of counts returns: a number per table."""
Formula: TypeAlias = Callable[..., Any]
#: The weight in names of F and E: F1, F2, F0.5, F.5, E1. F05 may be F0.5 or F5.
WEIGHT = r"((?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)"
#: Greater whole numbers are not exact as float64, and nothing counts so far.
_MOST = 2**53


@dataclass(frozen=True, slots=True)
class Domain:
    """The values that a parameter allows.

    `allowed` says them in words; `read` turns a value, or its text, into their type, or raises
    ValueError or TypeError.
    """

    allowed: str
    read: Callable[[Any], Any]
    words: tuple[str, ...] = ()
    """All that is allowed, where that is a choice of words."""
    instead: str = ""
    """The parameter that says the same in another way; both may not be given."""


def _whole(low: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        value = typed_integer(value) if isinstance(value, str) else value
        odd = isinstance(value, bool) or int(value) != value
        if odd or int(value) < low:
            raise ValueError
        if int(value) > _MOST:
            raise OverflowError
        return int(value)

    return read


def _real(low: float, high: float, open_low: bool = False) -> Callable[[Any], float]:
    def read(value: Any) -> float:
        number = typed_number(value) if isinstance(value, str) else float(value)
        if isinstance(value, bool) or not low <= number <= high or (open_low and number == low):
            raise ValueError
        return number

    return read


def _part(value: Any) -> float:
    """A share, perhaps as per cent."""
    if isinstance(value, str) and value.endswith("%"):
        from decimal import Decimal

        share = value.removesuffix("%")
        typed_number(share)  # Decimal takes more than numbers are written with
        value = float(Decimal(share) / 100)
    return _real(0, 1, open_low=True)(value)


def _beta(value: Any) -> float:
    return check_beta(typed_number(value) if isinstance(value, str) else value)


def choice(*words: str, also: Mapping[str, str] | None = None) -> Domain:
    """One of several words; `also` has other words for some of them."""

    def read(value: Any) -> str:
        word = (also or {}).get(value, value)
        if word not in words:
            raise ValueError
        return str(word)

    return Domain(" or ".join(words), read, words)


def _flag(value: Any) -> bool:
    if str(value).lower() not in ("true", "false"):
        raise ValueError
    return str(value).lower() == "true"


def _gains(value: Any) -> GainPairs:
    if isinstance(value, str):
        parts = value.strip().removeprefix("{").removesuffix("}").split(",")
        pairs = [part.split(":") for part in parts if part]
    else:
        pairs = [list(pair) for pair in (value.items() if isinstance(value, dict) else value)]
    gains = {_whole(-(2**31))(grade): _real(0, 1e100)(gain) for grade, gain in pairs}
    if not gains:
        raise ValueError
    return tuple(sorted(gains.items()))


RANK, COUNT = Domain("an integer >= 1", _whole(1)), Domain("an integer >= 0", _whole(0))
Cutoff = Annotated[int, RANK]
Grade = Annotated[int, RANK]
Count = Annotated[int, COUNT]
Real = Annotated[float, Domain("a number", _real(-1e100, 1e100))]
Positive = Annotated[float, Domain("a number > 0 and <= 1e6", _real(0, 1e6, open_low=True))]
Rate = Annotated[float, Domain("a number from 1e-6 to 1e6", _real(1e-6, 1e6))]
Beta = Annotated[float, Domain(BETA, _beta)]
Alpha = Annotated[float, Domain("a number from 0 to 1", _real(0, 1), instead="beta")]
Share = Annotated[float, Domain("a number from 0 to 1", _real(0, 1))]
Part = Annotated[float, Domain("a number > 0 and <= 1", _part)]
Flag = Annotated[bool, Domain("true or false", _flag, ("false", "true"))]
Persistence = Annotated[float, Domain("a number > 0 and < 1", _real(5e-324, 1 - 2**-53))]
Distances = Annotated[str, choice("none", "linear", "quadratic")]
Norm = Annotated[str, choice("relevant", "min", "found")]
Gain = Annotated[str, choice("linear", "exp")]
GainPairs: TypeAlias = tuple[tuple[int, float], ...]
Gains = Annotated[GainPairs, Domain("{grade:gain, ...} with gains >= 0, such as {1:3,2:9}", _gains)]


def text_of(value: Any) -> str:
    """A parameter's value in the grammar of names: 2, 0.5, exp, {1:3,2:9}."""
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)
    if isinstance(value, tuple):
        return "{" + ",".join(f"{grade}:{text_of(gain)}" for grade, gain in value) + "}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def percent_of(share: float) -> str:
    """A share as names have it: 1%.

    Examples
    --------
    >>> percent_of(0.01), percent_of(0.005), percent_of(1.0)
    ('1%', '0.5%', '100%')
    """
    from decimal import Decimal

    return f"{(Decimal(repr(share)) * 100).normalize():f}%"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a measure: what it allows, and its default (`...`: it must be given)."""

    name: str
    domain: Domain
    default: Any

    def read(self, value: Any, measure: str) -> Any:
        """`value`, checked and converted."""
        if value is None and self.default is None:
            return None
        try:
            return self.domain.read(value)
        except OverflowError:
            raise MeasureError(
                "is too large", measure=measure, parameter=self.name, got=Fact(value)
            ) from None
        except (ValueError, TypeError, AttributeError):
            raise MeasureError(
                measure=measure, parameter=self.name, allowed=self.domain.allowed, got=Fact(value)
            ) from None


class CountsExample:
    """A contingency table and the value a measure of counts has there.

    Examples
    --------
    >>> CountsExample(tp=2, fp=3, fn=1, tn=4, value=1 / 2).counts().relevant
    array([3])
    """

    def __init__(
        self, *, tp: int, fp: int, fn: int, tn: int, value: float, **parameters: Any
    ) -> None:
        self.tp, self.fp, self.fn, self.tn = tp, fp, fn, tn
        self.value, self.parameters = value, parameters

    def counts(self) -> Counts:
        """The example as data."""
        tp, fp, fn, tn = (
            np.array([cell], np.int64) for cell in (self.tp, self.fp, self.fn, self.tn)
        )
        return Counts(tp, fp, fn, tn)


class CategoryExample:
    """Items of several categories, their scores, and the value a measure has there."""

    def __init__(
        self, *, categories: Sequence[str], scores: Sequence[Sequence[float]], value: float
    ) -> None:
        self.categories, self.scores = list(categories), [list(row) for row in scores]
        self.value = value
        self.parameters: dict[str, Any] = {}


class SubtopicExample:
    """The subtopics that each item of a ranking is relevant to, a character each, those of missed
    items, and a value.
    """

    def __init__(
        self, ranked: Sequence[str], *, value: float, missed: Sequence[str] = (), **parameters: Any
    ) -> None:
        self.ranked, self.missed = list(ranked), list(missed)
        self.value, self.parameters = value, parameters

    def subtopics(self) -> Any:
        """The example as data."""
        from precall.location.subtopics import locate_subtopics

        items = list(enumerate([*self.ranked, *self.missed]))
        rows = [("example", one, f"item {place}", 1) for place, several in items for one in several]
        scores = {f"item {place}": -float(place) for place in range(len(self.ranked))}
        return locate_subtopics(rows, {"example": scores})


class Example:
    """One ranking and the value a measure has there.

    Parameters
    ----------
    hits : ranks of the retrieved relevant items.
    retrieved : items in the ranking.
    relevant : relevant items that exist (default: those retrieved). Missed ones have grade 1
        unless `missed` gives their grades.
    value : the measure's value.
    grades : grades of `hits`, in their order (default: all 1).
    missed : grades of relevant items that were not retrieved.
    nonrelevant : ranks of items judged as not relevant; all others are unjudged.
    missed_nonrelevant : how many items judged as not relevant were not retrieved.
    parameters : the measure's.

    Examples
    --------
    >>> Example(
    ...     hits=[1, 3], retrieved=10, relevant=3, cutoff=5, value=2 / 5
    ... ).located().hits().location
    array([1, 3])
    """

    def __init__(
        self,
        *,
        hits: Sequence[int],
        retrieved: int,
        value: float,
        relevant: int | None = None,
        grades: Sequence[int] | None = None,
        missed: Sequence[int] | None = None,
        nonrelevant: Sequence[int] = (),
        missed_nonrelevant: int = 0,
        **parameters: Any,
    ) -> None:
        self.hits, self.retrieved, self.value, self.parameters = (
            tuple(hits),
            retrieved,
            value,
            parameters,
        )
        self.nonrelevant, self.missed_nonrelevant = tuple(nonrelevant), missed_nonrelevant
        unfound = 0 if relevant is None else relevant - len(self.hits)
        self.grades = (1,) * len(self.hits) if grades is None else tuple(grades)
        self.missed = (1,) * unfound if missed is None else tuple(missed)

    def located(self) -> Located:
        """The example as data."""
        from precall.read.columns import Ids

        pairs = sorted(
            [*zip(self.hits, self.grades, strict=True), *((rank, 0) for rank in self.nonrelevant)]
        )
        rank, grade = np.array(pairs, np.int64).reshape(-1, 2).T
        judged = np.concatenate((grade, self.missed, np.zeros(self.missed_nonrelevant))).astype(
            np.int64
        )
        level, count = np.unique(judged, return_counts=True)
        zero, yes = np.zeros(len(rank), np.int64), np.ones(1, np.bool_)
        return Located(
            Ids.of(["example"]),
            yes,
            yes,
            np.array([self.retrieved]),
            zero,
            rank - 1,
            grade,
            rank,
            rank,
            rank,
            np.zeros(len(level), np.int64),
            level,
            count.astype(np.int64),
        )


@dataclass(frozen=True)
class Declaration:
    """All that is known of a measure; see `measure`."""

    name: str
    formula: Formula
    of: type = Hits
    sources: tuple[str, ...] = ()
    example: Example | CountsExample | CategoryExample | SubtopicExample | None = None
    range: tuple[float, float] = (-np.inf, np.inf)
    undefined: str = ""
    trec_eval: tuple[str, ...] = ()
    sklearn: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    linear: bool = False
    closed: str = ""
    blocks: str = ""
    monotone: bool = False
    judging: bool = False
    strict: bool = False
    aggregate: str = "mean"
    direction: int = 1
    zero: float = np.nan
    chance_is_zero: bool = True
    proportion: tuple[str, str] | None = None
    joint: Callable[..., Values] | None = None
    items: Callable[[Counts], Values] | None = None
    ordered: str = ""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    shown: tuple[str, ...] = ()
    percent: str = ""
    most: Callable[[Mapping[str, Any]], float] | None = None
    cache: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if np.isnan(self.zero):
            # Nothing gained: of E and error, which are 1 less a measure, 1; of a loss without a
            # worst value no number.
            high = self.range[1] if np.isfinite(self.range[1]) else np.nan
            object.__setattr__(self, "zero", high if self.direction < 0 else 0.0)

    def policy(self, undefined: str) -> str:
        """What means over categories, items and groups do about undefined values, if `undefined` is
        asked for.

        Where 0 is worse than chance they are left out: it would say that who has no item of a
        category is wrong about it.
        """
        return "omit" if undefined == "zero" and not self.chance_is_zero else undefined

    @property
    def takes(self) -> type:
        """What the formula takes: of rankings, by its first annotation, `Hits`, `Located` or
        `Path`; else what it is `of`.
        """
        if "takes" not in self.cache:
            first = next(iter(inspect.signature(self.formula).parameters.values())).annotation
            kinds = {name: kind for kind in (Located, Path) for name in (kind, kind.__name__)}
            self.cache["takes"] = kinds.get(first, Hits) if self.of is Hits else self.of
        return self.cache["takes"]  # type: ignore[no-any-return]

    @property
    def ours(self) -> bool:
        """Whether it comes with precall."""
        return self.formula.__module__.startswith("precall.measures.")

    def note(self, name: str) -> str:
        """What is to be known of the number where it was asked for by this name; empty where the
        name is of one number.
        """
        plain = re.sub(r"\s+", "", name)
        return next(
            (note for pattern, note in self.elsewhere.items() if re.fullmatch(pattern, plain)), ""
        )

    @property
    def means_set(self) -> bool:
        """Whether its name alone, asked of a ranking, is of the retrieved set: trec_eval calls that
        utility.
        """
        return self.of is Counts and self.name.lower() in self.trec_eval

    @property
    def graded(self) -> bool:
        """Whether the formula needs `Located` rather than `Hits`."""
        return self.takes is Located

    @property
    def averages(self) -> bool:
        """Whether the formula gives the mean over orders of ties by itself."""
        return self.linear or bool(self.closed)

    @property
    def sees(self) -> str:
        """What the measure sees of an item: its "relevance", "gain" or "judgement"; see
        `Located.tied`.
        """
        if self.judging:
            return "judgement"
        return "relevance" if "grade" in self.parameters else "gain"

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters by name, in the order of the formula; binary measures have `grade` too."""
        if "parameters" not in self.cache:
            self.cache["parameters"] = self._read_parameters()
        return self.cache["parameters"]  # type: ignore[no-any-return]

    def _read_parameters(self) -> dict[str, Parameter]:
        parameters: dict[str, Parameter] = {}
        kinds = (Hits, Located, Counts, Path, self.of)
        spare = {"PerRanking": PerRanking, "Values": Values} | {
            kind.__name__: kind for kind in kinds
        }
        hints = get_type_hints(self.formula, localns=spare, include_extras=True)
        for name, parameter in list(inspect.signature(self.formula).parameters.items())[1:]:
            domain = domain_of(hints.get(name))
            if domain is None:
                lacking = f"parameter {name!r} needs a domain as annotation, such as Cutoff"
                raise MeasureError(measure=self.name, what=lacking)
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            parameters[name] = Parameter(name, domain, default)
        if self.takes is Path and self.needs_population(_LITTLE, parameters):
            parameters["population"] = Parameter("population", COUNT, None)
        return parameters | BINARY if self.of is Hits and not self.graded else parameters

    def required(self, parameters: Mapping[str, Parameter]) -> dict[str, Any]:
        """A value for each parameter that has no default: the example's."""
        known = self.in_example
        needed = [name for name, parameter in parameters.items() if parameter.default is ...]
        return {name: known[name] for name in needed if name in known}

    @property
    def in_example(self) -> dict[str, Any]:
        """The parameters of the worked example."""
        return {} if self.example is None else self.example.parameters

    def needs_population(
        self, where: Counts | Path, parameters: Mapping[str, Parameter], **given: Any
    ) -> bool:
        """Whether the formula looks at what was neither relevant nor accepted: of `where` that
        number is unknown.
        """
        try:
            with np.errstate(all="ignore"):
                self.formula(where, **self.required(parameters) | given)
        except PopulationUnknown:
            return True
        return False

    @property
    def summary(self) -> str:
        """The first paragraph of the formula's docstring, in one line."""
        return " ".join((inspect.getdoc(self.formula) or "").partition("\n\n")[0].split())

    @property
    def usage(self) -> str:
        """The name with what must be given: AP, RelP@k, IPrec(recall=...); of counts, with or
        without a cutoff: F[@k].
        """
        if self.of is Counts:
            return f"{self.name}[@k]"
        required = [name for name, parameter in self.parameters.items() if parameter.default is ...]
        inside = ",".join(f"{name}=..." for name in required if name != "cutoff")
        return (
            self.name + (f"({inside})" if inside else "") + ("@k" if "cutoff" in required else "")
        )


def domain_of(hint: Any) -> Domain | None:
    """The domain that an annotation carries, such as `Cutoff` or `Cutoff | None`."""
    for option in (hint, *getattr(hint, "__args__", ())):
        for extra in getattr(option, "__metadata__", ()):
            if isinstance(extra, Domain):
                return extra
    return None


#: A path whose other items nobody counted.
_LITTLE = Ranks(np.array([0, 1, 1]), np.array([0, 0, 1]), 0, None)
#: The parameter that all binary measures of rankings have.
BINARY = {"grade": Parameter("grade", RANK, 1)}
