"""The registry of measures: declarations, and what names mean.

A measure is declared once; names, validation, help, documentation and tests come from the
declaration. `@measure("P", ...)` above a formula declares; `measure("P@10")` finds the declaration
and binds its parameters. A formula takes `Counts`, `Hits` (binary measures of rankings) or
`Located` (measures of rankings that need grades), and returns one number per table or ranking. Or
it takes a `Path`, one ranking along its thresholds, and returns one number. Undefined values are
NaN.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar, get_type_hints, overload

import numpy as np

from precall.core.arguments import BETA, check_beta
from precall.core.conventions import AGGREGATES
from precall.core.counts import (
    Cells,
    Counts,
    Path,
    Paths,
    PopulationUnknown,
    Ranks,
    chunks_of_path,
    of_each,
)
from precall.core.errors import Among, Fact, Kind, MeasureError, TiesUnresolved, UsageError
from precall.core.ragged import Float64, Int64
from precall.core.rng import CUTOFFS
from precall.core.text import typed_integer, typed_number
from precall.location.hits import Hits, others_of
from precall.location.located import Located
from precall.measures.literature import SOURCES
from precall.native.literals import WEIGHT

if TYPE_CHECKING:
    from precall.location.subtopics import Subtopics
    from precall.measures.likeness import NamedMeasure

PerRanking: TypeAlias = Float64 | Int64
Values: TypeAlias = Any
"""What a measure of counts returns: a number per table."""
Formula: TypeAlias = Callable[..., Any]
#: The greatest count: greater whole numbers are not exact as float64.
_MOST = 2**53


@dataclass(frozen=True, slots=True)
class Domain:
    """The values that a parameter allows.

    `allowed` describes them in words. `read` converts a value, or its text, to their type, or
    raises ValueError or TypeError.
    """

    allowed: str
    read: Callable[[Any], Any]
    words: tuple[str, ...] = ()
    """The allowed words, if the domain is a choice of words."""
    instead: str = ""
    """The parameter that says the same in another way; only one of the two may be given."""


def _whole(low: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, str):
            # Nobody means P@5 by P@+5, or P@10 by P@010.
            if value.startswith("+") or (value.startswith("0") and len(value) > 1):
                raise ValueError
            value = typed_integer(value)
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


def _grade(low: int) -> Callable[[Any], float]:
    """A whole number of at least `low`, or a number above 0 with a fraction."""
    whole, real = _whole(low), _real(0, 2**31, open_low=True)

    def read(value: Any) -> float:
        try:
            return whole(value)
        except (TypeError, ValueError):
            number = real(value)
            # A whole number has one spelling: 2, not 02.
            if number.is_integer() or (isinstance(value, str) and value.startswith("+")):
                raise ValueError from None
            return number

    return read


def _part(value: object) -> float:
    """A share, given as a number or in per cent."""
    if isinstance(value, str) and value.endswith("%"):
        from decimal import Decimal

        share = value.removesuffix("%")
        typed_number(share)  # Decimal alone would accept more spellings of numbers
        value = float(Decimal(share) / 100)
    return _real(0, 1, open_low=True)(value)


def _beta(value: object) -> float:
    return check_beta(typed_number(value) if isinstance(value, str) else value)


def choice(*words: str, also: Mapping[str, str] | None = None) -> Domain:
    """The domain of one of several words; `also` has other words for some of them."""

    def read(value: Any) -> str:
        word = (also or {}).get(value, value)
        if word not in words:
            raise ValueError
        return str(word)

    return Domain(" or ".join(words), read, words)


def _flag(value: object) -> bool:
    if str(value).lower() not in ("true", "false"):
        raise ValueError
    return str(value).lower() == "true"


def _gains(value: Any) -> GainPairs:
    if isinstance(value, str):
        parts = value.strip().removeprefix("{").removesuffix("}").split(",")
        pairs = [text.split(":") for text in parts if text]
    else:
        pairs = [list(pair) for pair in (value.items() if isinstance(value, dict) else value)]
    gains = {_grade(-(2**31))(grade): _real(0, 1e100)(gain) for grade, gain in pairs}
    if not gains:
        raise ValueError
    return tuple(sorted(gains.items()))


RANK, COUNT = Domain("an integer >= 1", _whole(1)), Domain("an integer >= 0", _whole(0))
Cutoff = Annotated[int, RANK]
GRADE = Domain("a number > 0", _grade(1))
Grade = Annotated[float, GRADE]
Count = Annotated[int, COUNT]
Real = Annotated[float, Domain("a number from -1e100 to 1e100", _real(-1e100, 1e100))]
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
GainPairs: TypeAlias = tuple[tuple[float, float], ...]
Gains = Annotated[GainPairs, Domain("{grade:gain, ...} with gains >= 0, such as {1:3,2:9}", _gains)]


def text_of(value: object) -> str:
    """A parameter's value in the grammar of names: 2, 0.5, exp, {1:3,2:9}."""
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)
    if isinstance(value, tuple):
        return "{" + ",".join(f"{text_of(grade)}:{text_of(gain)}" for grade, gain in value) + "}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def percent_of(share: float) -> str:
    """A share as it is written in names: 1%.

    Examples
    --------
    >>> percent_of(0.01), percent_of(0.005), percent_of(1.0)
    ('1%', '0.5%', '100%')
    """
    from decimal import Decimal

    return f"{(Decimal(repr(share)) * 100).normalize():f}%"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a measure: its domain, and its default (`...`: it must be given)."""

    name: str
    domain: Domain
    default: Any

    def read(self, value: object, measure: str) -> Any:
        """The value, checked and converted."""
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
    """A contingency table, and the value that a measure of counts has for it.

    Examples
    --------
    >>> CountsExample(tp=2, fp=3, fn=1, tn=4, value=1 / 2).counts().relevant
    array([3])
    """

    def __init__(
        self, *, tp: int, fp: int, fn: int, tn: int, value: float, **parameters: Any
    ) -> None:
        self.tp: int = tp
        self.fp: int = fp
        self.fn: int = fn
        self.tn: int = tn
        self.value: float = value
        self.parameters: dict[str, Any] = parameters

    def counts(self) -> Counts:
        """The example as data."""
        tp, fp, fn, tn = (
            np.array([cell], np.int64) for cell in (self.tp, self.fp, self.fn, self.tn)
        )
        return Counts(tp, fp, fn, tn)


class CategoryExample:
    """Items of several categories, their scores, and the value that a measure has for them."""

    def __init__(
        self, *, categories: Sequence[str], scores: Sequence[Sequence[float]], value: float
    ) -> None:
        self.categories: list[str] = list(categories)
        self.scores: list[list[float]] = [list(row) for row in scores]
        self.value = value
        self.parameters: dict[str, Any] = {}


class SubtopicExample:
    """The subtopics of each item of a ranking and of missed items, and the value of a measure.

    Each character is a subtopic that the item is relevant to.
    """

    def __init__(
        self, ranked: Sequence[str], *, value: float, missed: Sequence[str] = (), **parameters: Any
    ) -> None:
        self.ranked: list[str] = list(ranked)
        self.missed: list[str] = list(missed)
        self.value: float = value
        self.parameters: dict[str, Any] = parameters

    def subtopics(self) -> Subtopics:
        """The example as data."""
        from precall.location.subtopics import locate_subtopics

        items = list(enumerate([*self.ranked, *self.missed]))
        rows = [("example", one, f"item {rank}", 1) for rank, several in items for one in several]
        scores = {f"item {rank}": -float(rank) for rank in range(len(self.ranked))}
        return locate_subtopics(rows, {"example": scores})


class Example:
    """One ranking, and the value that a measure has for it.

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
        self.hits: tuple[int, ...] = tuple(hits)
        self.retrieved: int = retrieved
        self.value: float = value
        self.parameters: dict[str, Any] = parameters
        self.nonrelevant: tuple[int, ...] = tuple(nonrelevant)
        self.missed_nonrelevant: int = missed_nonrelevant
        unfound = 0 if relevant is None else relevant - len(self.hits)
        self.grades: tuple[int, ...] = (1,) * len(self.hits) if grades is None else tuple(grades)
        self.missed: tuple[int, ...] = (1,) * unfound if missed is None else tuple(missed)

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


#: What is declared of measures of the retrieved set: their value is the same in every order.
NO_ORDER = "no order changes it"


@dataclass(frozen=True)
class Declaration:
    """What `measure` is told about a measure; its parameters are explained there."""

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
    least: Callable[[Mapping[str, Any]], float] | None = None
    most: Callable[[Mapping[str, Any]], float] | None = None
    attainable: Formula | None = None
    labelings: str = ""
    cache: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if np.isnan(self.zero):
            # The value if nothing is gained: 1 for E and error, which are 1 minus a measure. A loss
            # without a greatest value has no such number.
            high = self.range[1] if np.isfinite(self.range[1]) else np.nan
            object.__setattr__(self, "zero", high if self.direction < 0 else 0.0)

    def policy(self, undefined: str) -> str:
        """How means over categories, items and groups treat undefined values, given `undefined`.

        If 0 is worse than chance, undefined values are left out: a 0 would say that a system
        without an item of a category is wrong about that category.
        """
        return "omit" if undefined == "zero" and not self.chance_is_zero else undefined

    @property
    def takes(self) -> type:
        """The type that the formula takes.

        For measures of rankings it is the first annotation, `Hits`, `Located` or `Path`; otherwise
        it is `of`.
        """
        if "takes" not in self.cache:
            first = next(iter(inspect.signature(self.formula).parameters.values())).annotation
            kinds = {name: kind for kind in (Located, Path) for name in (kind, kind.__name__)}
            self.cache["takes"] = kinds.get(first, Hits) if self.of is Hits else self.of
        return self.cache["takes"]  # type: ignore[no-any-return]

    @property
    def ours(self) -> bool:
        """Whether the measure is part of precall."""
        return self.formula.__module__.startswith("precall.measures.")

    def note(self, name: str) -> str:
        """The note to print if the measure was asked for by this name.

        It is empty if the name means the same number elsewhere.
        """
        plain = re.sub(r"\s+", "", name)
        return next(
            (note for pattern, note in self.elsewhere.items() if re.fullmatch(pattern, plain)), ""
        )

    @property
    def means_set(self) -> bool:
        """Whether the bare name, for a ranking, means that of the retrieved set, as utility does.

        trec_eval calls that measure utility.
        """
        return self.of is Counts and self.name.lower() in self.trec_eval

    @property
    def means_list(self) -> bool:
        """Whether the bare name, for a list of ids, means that of all that was retrieved.

        Recall does so as well, as the hit rate and reciprocal rank do.
        """
        return self.means_set or (self.of is Counts and self.name == "R")

    @property
    def graded(self) -> bool:
        """Whether the formula needs `Located` rather than `Hits`."""
        return self.takes is Located

    @property
    def search(self) -> str:
        """How extremes over labelings are found; a sentence with a blank says why they are not."""
        if self.labelings:
            return self.labelings
        if self.judging:
            return "the measure says itself what unjudged items count"
        if (self.monotone or self.linear) and not self.graded:
            return "grid"
        return "no rule says which labels are best or worst"

    @property
    def averages(self) -> bool:
        """Whether the formula gives the mean over orders of ties by itself."""
        return self.linear or bool(self.closed)

    @property
    def sees(self) -> str:
        """What of an item the formula uses: its "relevance", "gain" or "judgement".

        See `Located.tied`.
        """
        if self.judging:
            return "judgement"
        return "relevance" if "grade" in self.parameters else "gain"

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters by name, in the formula's order; binary measures also have `grade`."""
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
                lacking = "parameter {got} needs a domain as annotation, such as Cutoff"
                raise MeasureError(measure=self.name, what=lacking, got=name)
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            parameters[name] = Parameter(name, domain, default)
        if self.takes is Path and self.needs_population(_LITTLE, parameters):
            parameters["population"] = Parameter("population", COUNT, None)
        return parameters | BINARY if self.of is Hits and not self.graded else parameters

    def example_parameters(self, parameters: Mapping[str, Parameter]) -> dict[str, Any]:
        """The example's values of the parameters that have no default."""
        example_values = self.in_example
        needed = [name for name, parameter in parameters.items() if parameter.default is ...]
        return {name: example_values[name] for name in needed if name in example_values}

    @property
    def in_example(self) -> dict[str, Any]:
        """The parameters of the worked example."""
        return {} if self.example is None else self.example.parameters

    def needs_population(
        self, where: Counts | Path, parameters: Mapping[str, Parameter], **given: Any
    ) -> bool:
        """Whether the formula needs the items that are neither relevant nor accepted.

        It is tried with `where`, for which their number is unknown.
        """
        try:
            with np.errstate(all="ignore"):
                self.formula(where, **self.example_parameters(parameters) | given)
        except PopulationUnknown:
            return True
        return False

    @property
    def _docstring(self) -> tuple[str, str, str]:
        """The parts of the formula's docstring: the title, which ends at a colon, the rest of the
        first paragraph, and all other paragraphs.
        """
        first, _, definition = (inspect.getdoc(self.formula) or "").partition("\n\n")
        title, _, meaning = " ".join(first.split()).partition(": ")
        return title, meaning, definition.strip()

    @property
    def title(self) -> str:
        """What the formula's docstring calls the measure; all of its first paragraph if that has
        no colon.
        """
        return self._docstring[0]

    @property
    def has_title(self) -> bool:
        """Whether the docstring has a title of its own."""
        return bool(self._docstring[1])

    @property
    def summary(self) -> str:
        """The first paragraph of the formula's docstring, in one line."""
        return ": ".join(filter(None, self._docstring[:2]))

    @property
    def definition(self) -> str:
        """The formula's docstring after its first paragraph."""
        return self._docstring[2]

    @property
    def usage(self) -> str:
        """The name with the parameters that must be given: AP, RelP@k, IPrec(recall=...).

        Measures of counts may have a cutoff: F[@k].
        """
        if self.of is Counts:
            return f"{self.name}[@k]"
        required = [name for name, parameter in self.parameters.items() if parameter.default is ...]
        inside = ",".join(f"{name}=..." for name in required if name != "cutoff")
        return (
            self.name + (f"({inside})" if inside else "") + ("@k" if "cutoff" in required else "")
        )


def domain_of(hint: object) -> Domain | None:
    """The domain that an annotation carries, such as `Cutoff` or `Cutoff | None`."""
    for option in (hint, *getattr(hint, "__args__", ())):
        for extra in getattr(option, "__metadata__", ()):
            if isinstance(extra, Domain):
                return extra
    return None


#: A small path whose number of other items is unknown.
_LITTLE = Ranks(np.array([0, 1, 1]), np.array([0, 0, 1]), 0, None)
#: The parameter that all binary measures of rankings have.
BINARY = {"grade": Parameter("grade", GRADE, 1)}


#: Names as people write them: AP, P@10, AP(grade=2)@100, nDCG(gains={1:3,2:9})@10.
_NAME = re.compile(
    r"(?P<base>[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*[+-]?)(\((?P<inside>.*)\))?(@(?P<at>[^()@]+))?"
)
#: Commas between parameters, not those inside {...}.
#: Names of more characters than this are no headings.
_LONGEST = 100
_COMMA = re.compile(r",(?![^{]*\})")
#: ir_measures' words for ours.
_SPELLINGS = {"rel": "grade", "dcg": "gain", "T": "wanted"}
_VALUES = {"gain": {"log2": "linear", "exp-log2": "exp"}}
#: Weights of utility by position, as in trec_eval, and by the cell that they apply to.
_CELLS = {"tp": "found", "fp": "nonrelevant", "fn": "missed", "tn": "rejected"}
_WEIGHTS = _CELLS | {str(position): weight for position, weight in enumerate(_CELLS.values())}
_NUMBER = re.compile(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?")
#: Names that also say how topics are averaged: name → (label, measure, aggregate).
_AGGREGATED = {"gmap": ("GMAP", "AP", "geometric"), "gmbpref": ("GMBpref", "Bpref", "geometric")}
_GM = {"gm_map": "GMAP", "gm_bpref": "GMBpref"}
#: F and E as the literature writes them, also of a set or at its best: F1, E2, SetF2, MaxF0.5.
_F = re.compile(rf"((?i:set|max)?[fFeE]){WEIGHT}")
#: The cutoff or the precision at a recall, as people write them: k@recall(0.8), P@R=0.8; and the
#: recall at a precision.
_AT_RECALL = re.compile(r"(?i:(k|p|precision)@r(?:ecall)?)(?:[(=](?:recall=)?([^()=]+)\)?)?")
_AT_PRECISION = re.compile(r"(?i:r(?:ecall)?@p(?:recision)?)(?:[(=](?:precision=)?([^()=]+)\)?)?")
#: How decisions are averaged; the word stands before a name: macro-F1.
AVERAGES = ("micro", "macro", "weighted", "samples")
#: The prefix for a mean over categories weighted by their items. It is needed for kappa, for which
#: "weighted" alone means another thing.
SUPPORT = "support-weighted-"
#: Names that would find a measure here, but mean another number elsewhere.
FOREIGN = {
    "rbp": (
        "trec_eval's rbp rescales the grades of each topic, with p = .9; write RBP(p=0.8) for "
        "Moffat and Zobel's, or use `precall trec_eval -m rbp`"
    ),
}
_CUT = """
Of the first `cutoff` ranks of a ranking. Ranks past its end count as items that are not relevant, so a
ranking of two hits has P@5 = .4; some recommender libraries divide by the length of the ranking instead."""  # noqa: E501
_SET = "\nOf all that was retrieved, whatever its order."
_POPULATION = " `population` is the number of items that exist, retrieved or not."
_CELL = np.ones(1, np.int64)

Made = TypeVar("Made")


class Registry:
    """Declarations by name. Case is ignored if the name stays unambiguous."""

    def __init__(self) -> None:
        self._declared: dict[str, Declaration] = {}
        self._forms: dict[str, Declaration] = {}
        self._patterns: dict[str, list[tuple[re.Pattern[str], Declaration]]] = {}
        self._later: list[Callable[[], None]] = []
        self._found: dict[str, Any] = {}
        #: By name: see `direction_of`. That a name is no measure's takes milliseconds to find out.
        self.directions: dict[str, int] = {}

    def __iter__(self) -> Iterator[Declaration]:
        self._import_later()
        return iter(self._declared.values())

    def expect(self, declare: Callable[[], None]) -> None:
        """Register a function that imports modules which declare more measures.

        It is called if a name is unknown without them, or if all measures are asked for.
        """
        self._later.append(declare)

    def _import_later(self) -> bool:
        later, self._later = self._later, []
        for declare in later:
            declare()
        return bool(later)

    def names(self, of: type) -> tuple[str, ...]:
        """The names of measures of one kind: `Counts`, or `Hits` for rankings and curves."""
        return tuple(declared.name for declared in self if declared.of is of)

    def __getitem__(self, name: str) -> Declaration:
        return self._base(name, name)

    def rankings(self) -> Iterator[Declaration]:
        """All measures of rankings; measures of counts in both of their forms for rankings."""
        for declaration in self:
            if declaration.of is Counts:
                yield from (self.of_rankings(declaration), self.of_rankings(declaration, cut=False))
            elif declaration.of is Hits:
                yield declaration

    def of(self, name: str, kind: type) -> Declaration:
        """A declaration by name; `kind` chooses a measure of counts or its form for rankings."""
        return self[name] if kind is Counts else self.of_rankings(self[name])

    def add(self, declaration: Declaration) -> None:
        """Add a declaration.

        A name is declared once; only the same code may declare it again, if its module is reloaded.
        """
        old = self._declared.get(declaration.name)
        if old is not None and (home := old.formula.__module__) != declaration.formula.__module__:
            raise MeasureError(
                f"{{got}} is declared already, in {home}",
                got=declaration.name,
                remedy="choose another name",
            )
        self._declared[declaration.name] = declaration
        for cache in (self._patterns, self._forms, self._found, self.directions):
            cache.clear()

    def find(self, text: str, make: Callable[..., Made]) -> Made:
        """The result of `make` for the parts of a `Measure` that a name says; cached by name."""
        if text not in self._found:
            parts = self._understood(text)
            self._found[text] = make(
                **parts, note=parts["declaration"].note(text), typed=text.strip()
            )
        return self._found[text]  # type: ignore[no-any-return]

    def _understood(self, text: str) -> dict[str, Any]:
        """The parts that a name says, also if it is spelled as in another library."""
        try:
            parts = self._read(text)
            self._refuse_other_letters(text)
            return parts
        except MeasureError as error:
            self._refuse_other_letters(text)
            from precall.measures.other_spellings import respell

            first, other = error, respell(text, self)
            if error.fault not in ("unknown", "form", "cutoff") or other == text:
                raise
        try:
            return self._read(other)
        except MeasureError as error:
            if error.fault == "form":  # it would be about the respelled name, which nobody typed
                raise first from None
            # For a known name the error says what it lacks. Somebody who writes MCC2 need not
            # mean MCC of the first two.
            unknown = error.fault == "unknown" or (
                "@" in other and isinstance(error, PopulationUnknown)
            )
            raise (first if unknown and "@" not in text else error) from None

    def other_letters(self, name: str) -> tuple[str, str] | None:
        """The two measures that a name may mean: as it is written, and if case is ignored.

        None if it means only one. In text categorization Err is the error of a category; ERR is the
        expected reciprocal rank.
        """
        base = _base_of(name)
        if base == base.lower() or base in self._declared:
            return None
        same = self._declarations_of(base)
        if len(same) != 1 or base in same[0].aliases:
            return None
        from precall.measures.words import word

        other = word(base, exactly=True)
        if other is None or not other.measure or other.measure == same[0].name:
            return None
        return other.measure, same[0].name

    def _refuse_other_letters(self, text: str) -> None:
        if (pair := self.other_letters(text)) is not None:
            base = _base_of(text)
            message = f"is {pair[0]} where the literature has it, and {pair[1]} in other letters"
            raise MeasureError(measure=base, what=message, remedy=f"write {pair[0]} or {pair[1]}")

    def _read(self, text: str) -> dict[str, Any]:
        plain = text.strip()
        if plain in FOREIGN:
            raise MeasureError(measure=plain, what=FOREIGN[plain])
        if (theirs := self._read_trec_eval(plain)) is not None:
            return theirs
        base, texts, at = parse(_GM.get(plain.lower(), _at_level(plain)))
        base, texts = _translate(base, texts)
        label, base, aggregate = _AGGREGATED.get(base.lower(), ("", base, ""))
        average, base = _averaging(base)
        if (weight := _F.fullmatch(base)) and not self._declarations_of(base):
            plain_name = weight[1].upper() if len(weight[1]) == 1 else weight[1]
            if "beta" in texts:
                name = f"{plain_name}(beta={texts['beta']})"
                raise MeasureError(
                    measure=text,
                    what=f"{base} is of beta {weight[2]}",
                    remedy=f"write {name} or {base}",
                )
            base, texts["beta"] = plain_name, weight[2]
        declaration = self._base(base, text)
        if average:
            average = _average_of(text, average, declaration, at)
            return _reading(declaration, texts, declaration.aggregate) | {"average": average}
        if at is not None or "cutoff" in texts:
            declaration = self.of_rankings(declaration)
        elif declaration.means_set and texts.keys() & {"population", "grade"}:
            declaration = self.of_rankings(declaration, cut=False)
        if at is not None:
            texts[_parameter_at(text, at, declaration, texts)] = at
        return _reading(declaration, texts, aggregate or declaration.aggregate, label)

    def _read_trec_eval(self, text: str) -> dict[str, Any] | None:
        """The parts that a name says if it is one of trec_eval's; else None."""
        for pattern, declaration in self._trec_eval(text):
            if (match := pattern.fullmatch(text)) is None:
                continue
            # utility applies to whatever is measured; see `Measure.of_rankings`.
            both = declaration.means_set and text.lower() == declaration.name.lower()
            form = (
                declaration
                if both
                else self.of_rankings(declaration, "cutoff" in pattern.groupindex)
            )
            return _reading(form, match.groupdict(), declaration.aggregate)
        return None

    def names_with_average(self, declaration: Declaration) -> dict[str, str]:
        """Names that also say how a measure's topics are averaged, with trec_eval's name of each.

        For AP: {"GMAP": "gm_map"}.
        """
        theirs = {ours: name for name, ours in _GM.items()}
        return {
            label: theirs[label]
            for label, base, _ in _AGGREGATED.values()
            if base == declaration.name
        }

    def of_rankings(self, declaration: Declaration, cut: bool = True) -> Declaration:
        """The form of a measure for rankings; a measure of rankings is returned as it is.

        A measure of counts is cut at a rank, or computed for the retrieved set.
        """
        if declaration.of is not Counts:
            return declaration
        name = declaration.name if cut else f"Set{declaration.name}"
        # Made on first use: a call for AP need not wait for the forms of MCC.
        if name not in self._forms:
            self._forms[name] = ranked_form(declaration, cut)
        return self._forms[name]

    def declaration_of(self, text: str) -> Declaration | None:
        """The declaration that a name belongs to; None if there is none.

        Parameters of the name may be missing or wrong.
        """
        try:
            return self._base(_base_of(text), text)
        except MeasureError:
            return None

    def _base(self, base: str, text: str) -> Declaration:
        if base in self._declared:
            return self._declared[base]
        # Imported declarations come first: a call for MAP need not import the areas.
        same = self._declarations_of(base)
        if len(same) == 1:
            return same[0]
        if self._import_later():
            return self._base(base, text)
        plain = text.strip().partition("(")[0].partition("@")[0] or base
        raise MeasureError(
            "no measure {got}",
            got=text,
            remedy=f"{_hint(plain, self)}`precall measures` lists all",
        ).because("unknown")

    def _declarations_of(self, base: str) -> list[Declaration]:
        """The declarations with this name; case is ignored."""
        low, same = base.lower(), []
        for declared in self._declared.values():
            if low in map(str.lower, (declared.name, *declared.aliases)):
                same.append(declared)
            elif declared.of is Counts and low == f"set{declared.name}".lower():
                same.append(self.of_rankings(declared, cut=False))
        return same

    def _trec_eval(self, text: str) -> list[tuple[re.Pattern[str], Declaration]]:
        # By first letter: a name then compiles and tries a handful of patterns, not a hundred.
        letter = text[:1]
        if letter not in self._patterns:
            self._patterns[letter] = [
                # `P_{cutoff}` takes a number as its cutoff.
                (
                    re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[0-9.]+)", re.escape(template))),
                    declaration,
                )
                for declaration in self._declared.values()
                for template in declaration.trec_eval
                if template[0] == letter
            ]
        return self._patterns[letter]


def _base_of(name: str) -> str:
    """A name without its parameters, its cutoff, and the word for averaging decisions."""
    return _averaging(re.split(r"[(@]", name.strip(), maxsplit=1)[0])[1]


def _averaging(base: str) -> tuple[str, str]:
    """The word that says how decisions are averaged, and the rest of the name."""
    if base.lower().startswith(SUPPORT):
        return SUPPORT.removesuffix("-"), base[len(SUPPORT) :]
    average, dash, rest = base.partition("-")
    return (average.lower(), rest) if dash and average.lower() in AVERAGES else ("", base)


def _reading(
    declaration: Declaration, given: dict[str, Any], aggregate: str, label: str = ""
) -> dict[str, Any]:
    """The parameters of a name, read and checked, with defaults for those that are not given."""
    name, allowed_parameters = declaration.name, declaration.parameters
    judged_only = str(given.pop("judged_only", "false")).lower()
    if judged_only not in ("true", "false"):
        raise MeasureError(
            measure=name, parameter="judged_only", allowed="true or false", got=Fact(judged_only)
        )
    for key in given:
        if key not in allowed_parameters:
            allowed = (*allowed_parameters, "judged_only")
            if key.isdigit():
                remedy = f"write name=value, where the name is one of {', '.join(allowed)}"
                raise MeasureError(
                    measure=name, got=Fact(f"{given[key]!r} in the brackets"), remedy=remedy
                )
            raise MeasureError("no parameter {got}", measure=name, got=key, allowed=allowed)
    for key in given:
        if (other := allowed_parameters[key].domain.instead) in given:
            raise MeasureError(
                measure=name,
                what=f"{key} and {other} say the same in two ways",
                remedy="leave one of them out",
            )
    values = {}
    for key, parameter in allowed_parameters.items():
        if key not in given and parameter.default is ...:
            error = PopulationUnknown if key == "population" else MeasureError
            hit = "; whether there is a hit, which others call accuracy@k, is Success@k" * (
                name == "Accuracy"
            )
            raise error(f"{name} needs {key}; write {declaration.usage}{hit}")
        values[key] = parameter.read(given[key], name) if key in given else parameter.default
    return {
        "declaration": declaration,
        "parameters": values,
        "judged_only": judged_only == "true",
        "aggregate": aggregate,
        "label": label,
        "given": frozenset(given),
    }


def parse(text: str) -> tuple[str, dict[str, str], str | None]:
    """Split a name into the bare name, the parameters as text, and the text behind @.

    nDCG(gains={1:3,2:9})@10 gives nDCG, {"gains": "{1:3,2:9}"} and "10".
    """
    match = _NAME.fullmatch(_without_blanks(text))
    if match is None:
        raise MeasureError(
            "{got} is not a measure's name",
            got=text,
            remedy="write NAME, NAME@k or NAME(parameter=value)@k",
        ).because("form")
    texts: dict[str, str] = {}
    for item in _COMMA.split(match["inside"] or ""):
        if not item:
            continue
        key, sign, value = item.partition("=")
        if not sign and _NUMBER.fullmatch(item):
            key, sign, value = str(len(texts)), "=", item
        if not sign or not value or key in texts:
            remedy = "write each parameter once, as name=value"
            raise MeasureError(measure=text, got=Fact(f"{item!r} in the brackets"), remedy=remedy)
        texts[key] = value.strip("'\"")
    return match["base"], texts, match["at"]


def _average_of(text: str, average: str, declaration: Declaration, at: str | None) -> str:
    """How decisions in categories are averaged, from the word before a measure's name."""
    name = declaration.name
    if average == "weighted" and declaration.ordered:
        ways = f"{name}({declaration.ordered}=linear) or {name}({declaration.ordered}=quadratic)"
        raise MeasureError(
            measure=text,
            what=f"Cohen's weighted {name} is {ways}",
            remedy=(
                f"the mean of the categories' {name}, weighted by their items, is {SUPPORT}{name}"
            ),
        )
    average = average.removeprefix("support-")
    if declaration.of is not Counts or at is not None:
        why = f"{average} averages measures of decisions in categories; leave {average}- out"
        raise MeasureError(measure=text, what=why)
    return average


def _parameter_at(text: str, at: str, declaration: Declaration, given: Mapping[str, str]) -> str:
    """The name of the parameter that stands behind the @ of a measure's name."""
    levels = ("cutoff", "recall", "precision")
    key = next((level for level in levels if level in declaration.parameters), "cutoff")
    if declaration.percent and at.endswith("%"):
        key = declaration.percent
    if key not in declaration.parameters or key in given:
        name, remedy = declaration.name, ""
        if "beta" in declaration.parameters:
            remedy = f"beta is {name}(beta={at})"
        elif declaration.percent and "." in at:
            remedy = f"a share is {name}({declaration.percent}={at}), a percentage {name}@{at}%"
        raise MeasureError(measure=text, what=f"{name} takes no @k", remedy=remedy).because(
            "cutoff"
        )
    return key


def _without_blanks(text: str) -> str:
    """A name without blanks, except blanks within a number: P@1 0 is not P@10."""
    return re.sub(r"(?<![0-9.])\s+|\s+(?![0-9.])", "", text)


def _hint(base: str, declared: Iterable[Declaration]) -> str:
    """Names that are similar in meaning or spelling, or are used in other libraries."""
    from precall.measures.likeness import nearest, without_common_words
    from precall.measures.other_spellings import instead, respell

    average, alone = _averaging(respell(base, declared))
    before = f"{average}-" if average and alone else ""
    advice = instead(base) or (instead(alone, before) if before else "")
    if advice := advice or instead(without_common_words(base)):
        return advice + (" " if advice.endswith("?") else "; ")
    names = _measures_by_names(declared)
    meant = alone if before else base
    near = nearest(meant, names) or nearest(meant.rstrip("0123456789"), names)
    if before:  # only measures of decisions are averaged over categories
        of_counts = [each for each in declared if each.of is Counts]
        decided = {name for each in of_counts for name in (each.name, *each.aliases)}
        near = [before + name for name in near if name in decided]
        if not near:
            return f"{before} stands before a measure of decisions, such as {before}F; "
    return f"did you mean {', '.join(near)}? " if near else ""


def _measures_by_names(declared: Iterable[Declaration]) -> dict[str, NamedMeasure]:
    """Each measure with our name of it, by its names here and in other libraries."""
    from precall.measures.likeness import NamedMeasure

    names: dict[str, NamedMeasure] = {}
    for declaration in declared:
        sets = [f"Set{declaration.name}"] if declaration.of is Counts else []
        theirs = (*declaration.sklearn, *declaration.trec_eval)
        shown = dict.fromkeys(theirs, declaration.name) | {
            name: name for name in (declaration.name, *declaration.aliases, *sets)
        }
        # If several measures share a name elsewhere, the first is the usual one.
        own = {
            name.lower(): NamedMeasure(ours, declaration.title, declaration.summary)
            for name, ours in shown.items()
        }
        names = own | names
    return names


def tell_how(error: MeasureError, name: str) -> None:
    """Add to the error how a measure is declared, if no measure has this name."""
    if error.fault == "unknown" and name.isidentifier():
        example = f"@measure({name!r}, sources=[...], range=(0, 1), example=Example(...))"
        error.add_note(f"a declaration needs keywords: {example}; help(precall.measure) has all")


def _at_level(text: str) -> str:
    """Our name for k@recall(0.8), recall@precision(0.9) and similar spellings."""
    plain = _without_blanks(text)
    if (match := _AT_PRECISION.fullmatch(plain)) is not None:
        return "RAtPrecision" + (f"(precision={match[1]})" if match[1] else "")
    if (match := _AT_RECALL.fullmatch(plain)) is None:
        return text
    return f"{'K' if match[1] in 'kK' else 'P'}AtRecall" + (
        f"(recall={match[2]})" if match[2] else ""
    )


def _translate(base: str, parameters: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Our name and parameters for those of ir_measures."""
    if base == "NumRet" and "rel" in parameters:  # ir_measures' name for relevant retrieved items
        base = "NumRelRet"
    if base == "SetP" and parameters.pop("relative", "false").lower() == "true":
        base = "SetRelP"
    if base.lower() in ("utility", "setutility", "linearutility"):
        weights = {_WEIGHTS.get(key, key): value for key, value in parameters.items()}
        # Weights are given by position or by name; a fifth one would have no cell.
        placed = {key.isdigit() for key in parameters if _WEIGHTS.get(key, key) in _CELLS.values()}
        if len(weights) < len(parameters) or "4" in parameters or len(placed) > 1:
            remedy = (
                f"give each of {', '.join(_CELLS)} at most one weight, all by their places or all "
                "by name"
            )
            raise MeasureError(
                measure=base, got=Fact(", ".join(parameters.values())), remedy=remedy
            )
        parameters = weights
    parameters = {_SPELLINGS.get(key, key): value for key, value in parameters.items()}
    return base, {key: _VALUES.get(key, {}).get(value, value) for key, value in parameters.items()}


def ranked_form(declaration: Declaration, cut: bool) -> Declaration:
    """The form of a measure of counts for rankings.

    It is that of the first k ranks, NAME@k, or that of the retrieved set, SetNAME.
    """
    own = declaration.parameters
    little = Counts(_CELL, _CELL, _CELL)
    needs_all = declaration.needs_population(little, own)
    # The usual weights of utility do not need the population, but some weights do.
    may = declaration.needs_population(little, own, **declaration.in_example)
    cut_parameters = {"cutoff": Parameter("cutoff", RANK, ...)} if cut else {}
    more = {"population": Parameter("population", COUNT, ... if needs_all else None)} if may else {}

    def formula(hits: Hits, **given: Any) -> Any:
        population = given.pop("population", None)
        if cut:
            cutoff = given.pop("cutoff")
            counts = _table(
                hits.within(cutoff), np.full(len(hits), cutoff), hits.relevant, population
            )
        else:
            counts = _table(hits.found, hits.retrieved, hits.relevant, population)
        return declaration.formula(counts, **given)

    formula.__name__ = declaration.formula.__name__
    formula.__module__ = declaration.formula.__module__
    prose = (
        inspect.getdoc(declaration.formula) or "",
        "\n",
        _CUT if cut else _SET,
        _POPULATION * needs_all,
    )
    formula.__doc__ = "".join(prose)
    return replace(
        declaration,
        name=declaration.name if cut else f"Set{declaration.name}",
        formula=formula,
        of=Hits,
        example=_example(declaration.example, cut, may),
        undefined=_undefined(declaration, formula, cut_parameters | more | own),
        trec_eval=tuple(name for name in declaration.trec_eval if ("{cutoff}" in name) == cut),
        aliases=declaration.aliases if cut else (),
        linear=declaration.linear and cut,
        closed="" if cut else NO_ORDER,
        sklearn=(),
        proportion=None,
        joint=None,
        items=None,
        ordered="",
        labelings=declaration.labelings or _labelings_of_counts(declaration),
        cache={"takes": Hits, "parameters": cut_parameters | own | more | BINARY},
    )


def _labelings_of_counts(declaration: Declaration) -> str:
    """With given margins such a measure only rises, or only falls, with the hits."""
    return "ordered" if declaration.monotone or declaration.linear else ""


def _table(tp: Cells, accepted: Cells, relevant: Cells, population: int | None) -> Counts:
    margins = {"accepted": accepted, "relevant": relevant}
    tn = None
    if population is not None:
        margins["other"] = others_of(population, accepted, relevant, tp)
        tn = margins["other"] - accepted + tp
    return Counts(tp, accepted - tp, relevant - tp, tn, margins)


def _undefined(
    declaration: Declaration, formula: Callable[..., Any], parameters: Mapping[str, Parameter]
) -> str:
    """When the form is undefined, in terms of rankings.

    If the ranking is cut at a rank, something is always accepted.
    """
    none, sizes = np.zeros(0, np.int64), np.arange(3)
    defaults = {name: parameter.default for name, parameter in parameters.items()}
    usual = {
        name: value for name, value in (("cutoff", 1), ("population", 4)) if name in parameters
    }
    with np.errstate(all="ignore"):
        values = formula(
            Hits(none, none, none, none, np.repeat(sizes, 3), np.tile(sizes, 3)),
            **defaults | declaration.example_parameters(declaration.parameters) | usual,
        )
    if not np.isnan(values).any():
        # With this weight F is recall.
        return "of alpha 0, no item is relevant" if "alpha" in parameters else ""
    text = declaration.undefined.replace("nothing is accepted", "nothing was retrieved")
    return text.replace("nothing is relevant", "no item is relevant")


def _example(table: Any, cut: bool, whole: bool) -> Example | None:
    """The example of a table as that of a ranking with all hits on top."""
    if table is None:
        return None
    more = {"cutoff": table.tp + table.fp} if cut else {}
    more |= {"population": table.tp + table.fp + table.fn + table.tn} if whole else {}
    return Example(
        hits=range(1, table.tp + 1),
        retrieved=table.tp + table.fp,
        relevant=table.tp + table.fn,
        value=table.value,
        **table.parameters,
        **more,
    )


REGISTRY = Registry()


@dataclass(frozen=True)
class Measure:
    """A declared measure with its parameters: call it with `Located` or `Hits`.

    Examples
    --------
    >>> from precall.measures import measure
    >>> measure("P@5")(Hits.of([1, 3], retrieved=10, relevant=3))
    array([0.4])
    """

    declaration: Declaration
    parameters: Mapping[str, Any]
    judged_only: bool = False
    aggregate: str = "mean"
    label: str = ""
    """A name that also says how topics are averaged, such as GMAP; it replaces the declared one."""
    given: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """Names of the parameters that were given, also if the value is the default."""
    average: str = ""
    """How decisions in categories are averaged: macro-F."""
    note: str = field(default="", compare=False, repr=False)
    """A note for the result, if the name that was asked for means another number elsewhere."""
    typed: str = field(default="", compare=False, repr=False)
    """The name that the measure was asked for by."""

    @cached_property
    def name(self) -> str:
        """The canonical name, with the parameters that decide the value.

        These are the parameters that differ from their defaults, and those whose defaults vary
        between tools, such as p of RBP. The cutoff stands behind @, as does the share of EF@1%.
        """
        declared, behind = self.declaration.parameters, ("cutoff", self.declaration.percent)
        shown = [
            key
            for key, value in self.parameters.items()
            if key not in behind
            and (value != declared[key].default or key in self.declaration.shown)
        ]
        inside = [f"{key}={text_of(self.parameters[key])}" for key in shown]
        inside += ["judged_only=true"] if self.judged_only else []
        brackets = f"({','.join(inside)})" if inside else ""
        at = self.parameters.get("cutoff")
        if self.declaration.percent:
            at = percent_of(self.parameters[self.declaration.percent])
        name = (self.label or self.declaration.name) + brackets + ("" if at is None else f"@{at}")
        if self.average == "weighted" and self.declaration.ordered:
            return SUPPORT + name
        return f"{self.average}-{name}" if self.average else name

    @cached_property
    def head(self) -> str:
        """The heading for printed numbers.

        It is the name that was asked for, if it says as much as the canonical one; else the
        canonical name.

        Examples
        --------
        >>> from precall.measures import measure
        >>> [measure(name).head for name in ("MRR", "Recall@5", "RBP", "rbp.95")]
        ['MRR', 'Recall@5', 'RBP(p=0.8)', 'rbp.95']
        """
        needed = {*self.declaration.shown, self.declaration.percent} - {""}
        if not self.typed or not needed <= self.given:
            return self.name
        # The measure may have changed since, as by another grade; the typed name would be wrong.
        if len(self.typed) > _LONGEST:
            return self.name
        of_typed = find(self.typed)
        names = (
            of_typed.name,
            *([of_typed.of_rankings().name] if of_typed.declaration.means_list else []),
        )
        return self.typed if self.name in names else self.name

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest possible value, given the parameters.

        Examples
        --------
        >>> from precall.measures import measure
        >>> measure("AP").range, measure("EF@20%").range[1]
        ((0, 1), 5.0)
        """
        (least, most), declared = self.declaration.range, self.declaration
        return (
            least if declared.least is None else declared.least(self.parameters),
            most if declared.most is None else declared.most(self.parameters),
        )

    @property
    def said(self) -> frozenset[str]:
        """An older name of `given`."""
        return self.given

    def __hash__(self) -> int:
        return hash((self.name, self.aggregate))

    def __reduce__(self) -> tuple[object, ...]:
        # A declaration holds functions, which are not pickled; the process that unpickles finds it
        # by its name.
        rest = {each.name: getattr(self, each.name) for each in fields(self)[1:]}
        return _make, (self.declaration.name, self.declaration.of, rest)

    def __str__(self) -> str:
        return self.name

    @cached_property
    def joint(self) -> Formula | None:
        """The formula for all categories at once, with its parameters bound.

        None if the measure is computed for each category alone.
        """
        formula = self.declaration.joint
        if formula is None:
            return None
        accepted = inspect.signature(formula).parameters
        return partial(
            formula, **{name: value for name, value in self.parameters.items() if name in accepted}
        )

    @property
    def is_ordered(self) -> bool:
        """Whether the measure uses distances of categories, which then need an order."""
        name = self.declaration.ordered
        return bool(name) and self.parameters[name] != self.declaration.parameters[name].default

    def at_grade(self, grade: float) -> Measure:
        """The measure with items of `grade` and above as relevant.

        It is unchanged if the measure has no grade, or if a grade was given.
        """
        declared = self.declaration.parameters.get("grade")
        if (
            declared is None
            or "grade" in self.given
            or self.parameters["grade"] != declared.default
            or grade == declared.default
        ):
            return self
        return replace(
            self, parameters={**self.parameters, "grade": declared.read(grade, self.name)}
        )

    def __call__(self, where: object, **how: Any) -> Any:
        """One number per ranking, table or operating point; NaN if the measure is undefined.

        A measure of counts takes `Counts`, a curve (one value per threshold), an operating point,
        or decisions (`average=`, `undefined=` as in `Decisions.value`); others take rankings:
        `Located` or `Hits`, or a curve (`ties=` as in `Curve.value`).
        """
        if not isinstance(where, Hits | Located):
            return self._of_others(where, how)
        if self.of_subtopics and isinstance(where, Located) and where.subtopics is not None:
            return where.subtopics.cover(where).measured(self)
        if (form := self.of_rankings()) is not self:
            return form(where, **how)
        if how:
            raise MeasureError(
                measure=self.name, what=f"{', '.join(how)} is for measures of decisions"
            )
        if isinstance(where, Hits):
            self._refuse_grades()
            return self._over_orders(
                where, self._of_places, where.ties == "expected" and not where.single
            )
        located = where.condensed() if self.judged_only else where
        return self._over_orders(located, self._of_located, self._open(located))

    def _over_orders(self, where: Any, values: Callable[[Any], Float64], is_open: bool) -> Float64:
        """The values; their means over the orders of ties if these are left open."""
        # A formula may take mean hits for hits and return a wrong mean. Only a formula that is
        # declared to average is trusted with them.
        if not is_open or self.declaration.averages:
            try:
                return values(where)
            except TiesUnresolved:
                if not is_open:
                    raise
        from precall.measures import orders

        mean = orders.mean_over_places if isinstance(where, Hits) else orders.mean_over_orders
        return mean(self.name, values, where)

    def _of_others(self, where: Any, how: dict[str, Any]) -> Any:
        """The value for a table, or for an object that can evaluate a measure itself."""
        is_counted = self.declaration.of is Counts
        if is_counted and isinstance(where, Counts) and not how:
            return of_counts(self).of_table(where)
        if callable(getattr(where, "measured", None)):
            return where.measured(self, **how)
        raise MeasureError(
            measure=self.name,
            got=Kind(where),
            allowed=_MEASURED_BY_COUNTS if is_counted else _MEASURED_BY_RANKS,
            remedy=(
                "to declare a measure of your own, choose a new name and pass keywords such as "
                "sources="
            ),
        )

    @property
    def of_subtopics(self) -> bool:
        """Whether it is of judgements by subtopic."""
        return self.declaration.of.__name__ == "Subtopics"

    def of_rankings(self) -> Measure:
        """The measure for rankings; raises for a measure of counts that needs a cutoff."""
        name, of = self.declaration.name, self.declaration.of
        if of is Hits:
            return self
        if self.declaration.means_list and not self.average:
            retrieved_set = find(f"Set{name}")
            return replace(
                self,
                declaration=retrieved_set.declaration,
                parameters={**retrieved_set.parameters, **self.parameters},
            )
        why = _KINDS.get(of.__name__, f"is of {of.__name__}")
        plain = replace(self, average="").name
        if self.average:
            why = f"averages decisions over categories; of a ranking write {plain}@k or Set{plain}"
        elif of is Counts:
            why = (
                f"of a ranking needs a cutoff; write {plain}@k, or Set{plain} for all that was "
                "retrieved"
            )
        raise MeasureError(f"{self.name} {why}")

    @np.errstate(divide="ignore", invalid="ignore", over="ignore")
    def of_table(self, counts: Any) -> Float64:
        """The measure of counts for every table of `Counts`; NaN for undefined values.

        `counts` may be any object with the same cells and margins.
        """
        # Formulas that users declare may need all rows at once, so the path is split for ours only.
        some = (
            chunks_of_path(counts)
            if isinstance(counts, Path) and self.declaration.ours
            else [(..., counts)]
        )
        values = np.empty(counts.tp.shape)
        for rows, chunk in some:
            # A formula of a curve's margins alone gives one number, which holds for all thresholds.
            values[rows] = self.declaration.formula(chunk, **self.parameters)
        return values

    def _open(self, located: Located) -> bool:
        """Whether the order of items that the measure tells apart is left open."""
        if located.ties != "expected":
            return False
        if self.declaration.graded:
            return not np.array_equal(*located.span)
        return not located.hits(self.parameters["grade"]).single

    def _refuse_grades(self) -> None:
        """Refuse a grade: hits and curves have neither grades nor unjudged items."""
        if self.declaration.graded or self.judged_only:
            why = " needs grades: pass what precall.locate() returns, not its .hits()"
        elif self.parameters["grade"] != 1:
            why = ": the grade is chosen by located.hits(grade=...); leave it out here"
        else:
            return
        raise MeasureError(self.name + why)

    def _rest(self) -> dict[str, Any]:
        """The parameters for a formula of hits: all but the grade."""
        return {key: value for key, value in self.parameters.items() if key != "grade"}

    def _of_places(self, hits: Hits) -> Float64:
        rest, declared = self._rest(), self.declaration
        where: Any = hits
        try:
            if declared.takes is Path:
                from precall.location.paths import paths  # most measures need none

                where = paths(hits, rest.pop("population", None), declared.averages)
            return _evaluate(declared.formula, where, rest)
        except PopulationUnknown:
            raise PopulationUnknown(
                f"{self.name} depends on how many items there are that are not relevant; write "
                f"{self.declaration.name}(population=N), N being the number of all items"
            ) from None

    def _of_located(self, located: Located) -> Float64:
        if self.declaration.graded:
            return _evaluate(self.declaration.formula, located, self.parameters)
        return self._of_places(located.hits(self.parameters["grade"]))

    @property
    def has_blocks(self) -> bool:
        """Whether the measure has a value if cases of equal score are accepted together.

        If not, ties need a rule.
        """
        return self._along is not None

    def of_path(self, path: Path) -> float | None:
        """The value if each block is accepted or rejected as a whole; None if not declared."""
        values = self.of_paths([path])
        return None if values is None else float(values[0])

    def of_paths(self, paths: Sequence[Path] | Paths) -> Float64 | None:
        """The values of `of_path` for several paths."""
        return None if self._along is None else _evaluate(self._along[0], paths, self._along[1])

    @cached_property
    def _along(self) -> tuple[Formula, dict[str, Any]] | None:
        """The formula for one path, and its parameters."""
        declared = self.declaration
        if declared.takes is Path:
            self._refuse_grades()
            rest = self._rest()
            if rest.pop("population", None) is not None:
                why = "a curve knows how many items there are; leave population out"
                raise MeasureError(measure=self.name, what=why)
            return declared.formula, rest
        defaults = {key: parameter.default for key, parameter in declared.parameters.items()}
        if not declared.blocks or self.judged_only or dict(self.parameters) != defaults:
            return None
        return find(declared.blocks)._along


#: What measures apply to, if neither to counts nor to rankings.
#: What measures of counts apply to, and what measures of rankings apply to.
_MEASURED_BY_COUNTS = ("Counts", "decisions", "curves and operating points")
_MEASURED_BY_RANKS = ("what precall.locate() returns", "its .hits()", "and curves")
_KINDS = {
    "CategoryScores": "is of scores for several categories; pass what precall.categorize() returns",
    "Subtopics": (
        "is of judgements by subtopic; pass a file or rows of topic, subtopic, item and grade to "
        "precall.evaluate(), or what precall.locate_subtopics() returns"
    ),
}


def _make(name: str, of: type, rest: dict[str, Any]) -> Measure:
    return Measure(REGISTRY.of(name, of), **rest)


@np.errstate(divide="ignore", invalid="ignore")
def _evaluate(
    formula: Formula,
    where: Hits | Located | Sequence[Path] | Paths,
    parameters: Mapping[str, object],
) -> Float64:
    # A formula says "undefined" by 0/0, so the warning is off and the NaN is kept.
    if isinstance(where, Hits | Located):
        values = np.asarray(formula(where, **parameters), np.float64)
    else:
        values = of_each(formula, where, parameters)
    if values.shape != (len(where),):
        raise MeasureError(
            f"{formula.__name__} returned an array of shape {values.shape}",
            remedy=f"a measure returns one number per ranking, here ({len(where)},)",
        )
    return values


def find(measure: str | Measure) -> Measure:
    """The measure that a name means; a `Measure` is returned as it is."""
    if isinstance(measure, Measure):
        return measure
    if not isinstance(measure, str):
        raise MeasureError(
            argument="measure",
            allowed="a name, such as 'AP', or what measure() returned",
            got=measure,
        )
    return REGISTRY.find(measure, Measure)


def _is_known(name: str) -> bool:
    try:
        find(name)
    except MeasureError:
        return False
    return True


def meant(measure: object, allowed: Collection[str]) -> Any:
    """The allowed name that a measure's name means, also if it is another library's name.

    "roc_auc" gives "AUC". Other values are returned as they are.
    """
    if measure is None or measure in allowed:
        return measure
    try:
        name = find(measure).name if isinstance(measure, str) else str(measure)
    except MeasureError:
        return measure
    return name if name in allowed else measure


def refuse_parameter(measure: object) -> None:
    """Refuse a known measure with a parameter that it cannot have, such as P@0, or without one that
    it needs.
    """
    try:
        find(measure)  # type: ignore[arg-type]
    except MeasureError as error:
        # An average, such as macro-, is told by the measures that there are.
        if isinstance(measure, str) and error.fault != "unknown" and error.measure != measure:
            raise


def of_counts(measure: str | Measure, averaged: bool = False) -> Measure:
    """The measure of counts that a name means; a `Measure` is returned as it is.

    A measure of rankings is refused. So is an average over categories, unless `averaged` is true.
    """
    chosen = find(measure)
    if chosen.declaration.of is not Counts:
        remedy = ""
        if chosen.declaration.name == "KS":
            remedy = "take YoudenJ: KS is the greatest YoudenJ of all thresholds"
        elif chosen.declaration.takes in (Path, Hits):
            remedy = (
                "a list of scores has one value of it: "
                f"⟨pc.curve(labels, scores).value({str(measure)!r})¦precall curve -m {measure}⟩"
            )
        raise MeasureError(
            f"{chosen.name} is a measure of rankings",
            allowed=Among("allowed are those of counts:", REGISTRY.names(Counts)),
            remedy=remedy,
        )
    if chosen.average and not averaged:
        raise MeasureError(
            f"{chosen.name} is an average over categories",
            allowed=Among("allowed here is", [chosen.declaration.name]),
        )
    return chosen


def measure_and_average(measure: str | Measure, average: str | None) -> tuple[Measure, str | None]:
    """A measure of counts, and how decisions in categories are averaged.

    The average is that of the name (macro-F1), or `average`.
    """
    chosen = of_counts(measure, averaged=True)
    if chosen.average and average not in (None, chosen.average):
        raise UsageError(
            argument="average",
            got=average,
            why=f"but {chosen.name} says {chosen.average}",
            remedy="leave one out",
        )
    return replace(chosen, average=""), chosen.average or average


def weighted(name: str, beta: float) -> Measure:
    """F or E with a checked weight `beta` of recall."""
    return find(f"{name}(beta={check_beta(beta)!r})")


F = TypeVar("F", bound=Formula)
#: Fields of a declaration that `measure` takes: all but the name, the formula, and the cache at the
#: end.
_KEYWORDS = tuple(each.name for each in fields(Declaration)[2:-1])


def range_of(measure: str | Measure) -> tuple[float, float] | None:
    """The least and the greatest value of a measure, by its name, which may lack parameters.

    None if no measure has the name.

    Examples
    --------
    >>> range_of("MCC"), range_of("SetLR+"), range_of("clicks")
    ((-1, 1), (0, inf), None)
    """
    try:
        return find(measure).range
    except MeasureError:
        declared = REGISTRY.declaration_of(measure) if isinstance(measure, str) else None
    if declared is None:
        return None
    # Ends that depend on a parameter are not known.
    return (
        declared.range[0] if declared.least is None else -math.inf,
        declared.range[1] if declared.most is None else math.inf,
    )


def direction_of(measure: str | Measure) -> int:
    """1 if high values of a measure are good, -1 if low ones are; 0 if neither end is, or if no
    measure has the name.

    Examples
    --------
    >>> direction_of("E@2"), direction_of("AP"), direction_of("clicks")
    (-1, 1, 0)
    """
    if isinstance(measure, Measure):
        return measure.declaration.direction
    if measure not in REGISTRY.directions:
        declared = find(measure).declaration if _is_known(measure) else None
        declared = declared or REGISTRY.declaration_of(measure)
        REGISTRY.directions[measure] = 0 if declared is None else declared.direction
    return REGISTRY.directions[measure]


def attainable_values(measure: Measure, located: Located) -> Float64 | None:
    """The greatest value that each ranking could have, given its numbers of items; None if that is
    not declared.

    Examples
    --------
    >>> from precall import locate
    >>> located = locate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 2.0}})
    >>> attainable_values(find("EF@1%"), located), attainable_values(find("AP"), located)
    (array([2.]), None)
    """
    if measure.declaration.attainable is None:
        return None
    hits = located.hits(measure.parameters["grade"])
    rest = {key: value for key, value in measure.parameters.items() if key != "grade"}
    return _evaluate(measure.declaration.attainable, hits, rest)


@overload
def measure(name: str, /) -> Measure: ...
@overload
def measure(name: str, /, *, sources: Sequence[str] = ..., **declared: Any) -> Callable[[F], F]: ...
def measure(name: str, /, **declared: Any) -> Measure | Callable[[F], F]:
    """Find a measure by its name, or declare one.

    Parameters
    ----------
    name : without keywords, the measure to find: a name of the grammar (`AP`, `P@10`,
        `AP(grade=2)@100`), trec_eval's (`map`, `P_10`) or ir_measures' (`AP(rel=2)`). With
        keywords, the base name to declare; the call returns a decorator of the formula.
    of : `Counts` for a measure of counts; otherwise the formula's first annotation says what it
        takes: `Hits`, `Located`, or `Path` for one ranking along its thresholds. For a `Path` it
        returns one number.
    sources : keys of `precall.measures.SOURCES`, or citations.
    example : a worked `Example`, or a `CountsExample`; `precall explain` shows it, and refuses an
        example whose value is wrong.
    range : least and greatest possible value.
    undefined : when the value is NaN, in words.
    trec_eval : trec_eval's names, parameters in braces (`P_{cutoff}`); `aliases` likewise for
        others.
    linear : the value is a sum over hits of a weight of their rank (for measures of counts: linear
        in TP while the margins stay), so that the formula takes mean hits with ties="expected".
    closed : how else the formula averages over orders of ties by itself, such as "hypergeometric".
        Without `linear` or `closed`, ties="expected" enumerates the orders. Both are checked when
        the measure is declared, on rankings with ties.
    blocks : the name of the measure for a curve, whose cases of equal score are accepted as a
        whole: "AreaPR" for AP.
    monotone : moving a relevant item one rank up never lowers the value.
    judging : the measure tells unjudged items from those judged not relevant.
    strict : the value changes whenever unlike items (within the cutoff) change places.
    aggregate : "mean", "geometric" or "sum" over topics.
    direction : 1 if high is good, -1 if low is, 0 if neither.
    zero : the value that `undefined="zero"` counts. By default it is 0, for a loss its greatest
        value. A loss without a greatest value has none, so its averages are undefined also (NaN).
    chance_is_zero : whether `zero` is what chance gives. If not, as for areas under ROC (chance is
        .5), undefined values are left out of means over categories, items and groups, if the truth
        alone decides whether the value is undefined. In means over topics they count, because a run
        must not gain by retrieving nothing.
    sklearn : scikit-learn's names of the measure.
    proportion : for measures of counts: the cells counted and the cells that they are compared
        with, ("tp", "fp") for precision. The value is then a proportion and has the intervals of
        one.
    joint : for measures of counts: the formula for single-label decisions with several categories,
        a function of the `Counts` of all categories (the last axis).
    ordered : for measures of counts: a parameter with which `joint` uses distances of ordered
        categories, unless it has its default. The tables of the K categories are then followed by
        K - 1 more; the `fp` of the d-th says how many items are d categories off.
    items : for measures of counts: the value for each item, a function of their `Counts`; the value
        for decisions is the mean.
    shown : parameters whose default is one of several in use; names of the measure always show
        them, "RBP(p=0.8)".
    percent : a parameter that is a share; names have it behind @, "EF@1%".
    least, most : the ends of the values, functions of the parameters by name, if they are within
        `range`.
    attainable : the greatest value that the number of items and of relevant ones allows, if that
        can be far below the end of the range; one number per ranking, like the formula.
    labelings : how the least and the greatest value over all labels of unjudged items are found:
        "rising" if a better grade of one item never lowers the value, so that all or none of them
        are relevant; "ordered" if, of so many relevant items, the topmost have one extreme and the
        bottommost the other, those that were not retrieved last; "falling" if, in addition, the
        value of given hits never rises with the number of relevant items; "cutoffs" if it is the
        greatest F of all cutoffs; "grid" if "ordered" holds only for so many relevant items
        retrieved and so many not; "within" if items below the cutoff do
        not count at all; "gains" for nDCG; else a sentence that says why there is no rule. Without
        it a measure of `Hits` or `Counts` that is `monotone` or `linear` has "grid", and others
        have no bounds.
    elsewhere : names that mean another number in other tools, as regular expressions, each with a
        note that says so. The note is printed with the result if the measure was asked for by
        that name.

    Raises
    ------
    MeasureError
        There is no such measure or parameter, a parameter has a value that is not allowed, or a
        measure is declared to average by itself and does not.

    Examples
    --------
    >>> from precall import Hits, measure
    >>> measure("map")(Hits.of([1, 3], retrieved=10, relevant=2))
    array([0.83333333])
    """
    if not declared:
        try:
            return find(name)
        except MeasureError as error:
            tell_how(error, name)
            raise
    for key in declared:
        if key not in _KEYWORDS:
            what, label = "no keyword {got}", f"measure({name!r})"
            if _is_known(name):  # who declares a measure gives it a new name
                example = f"such as '{name}@10'" if key in CUTOFFS else "such as 'F(beta=2)'"
                remedy = f"parameters of a measure stand in its name, {example}"
                raise MeasureError(what, measure=label, got=key, remedy=remedy)
            raise MeasureError(what, measure=label, got=key, allowed=_KEYWORDS)
    for key in ("sources", "trec_eval", "aliases", "sklearn", "shown"):
        value = declared.get(key, ())
        declared[key] = (value,) if isinstance(value, str) else tuple(value)

    def declare(formula: F) -> F:
        declaration = Declaration(name, formula, **declared)
        # Tests check ours; checking 30 signatures at each import would take time.
        if not declaration.ours:
            _check(declaration)
        REGISTRY.add(declaration)
        return formula

    return declare


def _check(declaration: Declaration) -> None:
    """Raise if a declaration is faulty: its signature, a name that cannot be read, its means.

    So the error comes where the measure is declared.
    """
    declaration.parameters  # noqa: B018
    parse(declaration.name)
    if declaration.averages:
        check_mean(REGISTRY.of_rankings(declaration))


def check_mean(declaration: Declaration) -> None:
    """Raise unless a formula that is declared to average over orders gives their mean.

    It is tried on small rankings.
    """
    from precall.measures import orders

    orders.check_mean(declaration, lambda parameters: Measure(declaration, parameters))


__all__ = [
    "AGGREGATES",
    "REGISTRY",
    "SOURCES",
    "Alpha",
    "Beta",
    "CategoryExample",
    "Count",
    "Counts",
    "CountsExample",
    "Cutoff",
    "Declaration",
    "Distances",
    "Example",
    "Flag",
    "Gain",
    "Gains",
    "Grade",
    "Measure",
    "Norm",
    "Part",
    "Path",
    "PerRanking",
    "Persistence",
    "Positive",
    "Real",
    "Share",
    "SubtopicExample",
    "Values",
    "choice",
    "measure",
    "measure_and_average",
    "of_counts",
    "weighted",
]
