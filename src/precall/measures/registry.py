"""A measure is declared once; names, validation, help, documentation and tests come from that.

`@measure("P", ...)` above a formula declares; `measure("P@10")` finds what was declared and binds
its parameters. A formula takes `Counts`; or of rankings `Hits` (binary measures) or `Located`
(those that need grades), and returns one number per table or ranking; or `Path`, one ranking along
its thresholds, and returns one number. What is undefined is NaN.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from importlib import import_module
from typing import Annotated, Any, TypeAlias, TypeVar, get_type_hints, overload

import numpy as np

from precall.core.arguments import BETA, check_beta
from precall.core.conventions import AGGREGATES
from precall.core.counts import Cells, Counts, Path, Paths, PopulationUnknown, Ranks, of_each, parts
from precall.core.errors import Among, Fact, Kind, MeasureError, TiesUnresolved, UsageError
from precall.core.ragged import Float64, Int64
from precall.core.text import typed_integer, typed_number
from precall.location.hits import Hits, others_of
from precall.location.located import Located
from precall.measures.literature import SOURCES
from precall.native.literals import WEIGHT

PerRanking: TypeAlias = Float64 | Int64
Values: TypeAlias = Any
"""What a measure of counts returns: a number per table."""
Formula: TypeAlias = Callable[..., Any]
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


#: Names as people write them: AP, P@10, AP(grade=2)@100, nDCG(gains={1:3,2:9})@10.
_NAME = re.compile(
    r"(?P<base>[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*[+-]?)(\((?P<inside>.*)\))?(@(?P<at>[^()@]+))?"
)
#: Commas that part parameters, not those inside {...}.
_COMMA = re.compile(r",(?![^{]*\})")
#: ir_measures' words for ours.
_SPELLINGS = {"rel": "grade", "dcg": "gain", "T": "wanted"}
_VALUES = {"gain": {"log2": "linear", "exp-log2": "exp"}}
#: Weights of utility by their places, as trec_eval has them, and by the cells that they are for.
_CELLS = {"tp": "found", "fp": "nonrelevant", "fn": "missed", "tn": "rejected"}
_WEIGHTS = _CELLS | {str(place): weight for place, weight in enumerate(_CELLS.values())}
_NUMBER = re.compile(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?")
#: Names that say how topics are averaged, too: name → (label, measure, aggregate).
_AGGREGATED = {"gmap": ("GMAP", "AP", "geometric"), "gmbpref": ("GMBpref", "Bpref", "geometric")}
_GM = {"gm_map": "GMAP", "gm_bpref": "GMBpref"}
#: F and E as the literature writes them.
_F = re.compile(rf"([fFeE]){WEIGHT}")
#: The cutoff or the precision at a recall, as they are spoken of: k@recall(0.8), P@R=0.8.
_AT_RECALL = re.compile(r"(?i:(k|p|precision)@r(?:ecall)?)(?:[(=](?:recall=)?([^()=]+)\)?)?")
#: How decisions are averaged, before a name: macro-F1.
AVERAGES = ("micro", "macro", "weighted", "samples")
#: What says that it is the categories' items that a mean is weighted by; of kappa "weighted" alone
#: says something else.
SUPPORT = "support-weighted-"
#: Names that would be found here, but mean another number elsewhere.
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
    """Declarations by name. Names are found whatever their case, as long as that is unambiguous."""

    def __init__(self) -> None:
        self._declared: dict[str, Declaration] = {}
        self._forms: dict[str, Declaration] = {}
        self._patterns: dict[str, list[tuple[re.Pattern[str], Declaration]]] = {}
        self._later: list[str] = []
        self._found: dict[str, Any] = {}

    def __iter__(self) -> Iterator[Declaration]:
        self._import_later()
        return iter(self._declared.values())

    def expect(self, *modules: str) -> None:
        """Modules that declare more, imported when a name is not known without them, or all are
        asked for.
        """
        self._later += modules

    def _import_later(self) -> bool:
        modules, self._later = self._later, []
        for module in modules:
            import_module(module)
        return bool(modules)

    def names(self, of: type) -> tuple[str, ...]:
        """The measures of one kind: of `Counts`, or of `Hits`, which rankings and curves have."""
        return tuple(declared.name for declared in self if declared.of is of)

    def __getitem__(self, name: str) -> Declaration:
        return self._base(name, name)

    def rankings(self) -> Iterator[Declaration]:
        """All measures of rankings, those of counts in both of their forms."""
        for declaration in self:
            if declaration.of is Counts:
                yield from (self.ranked(declaration), self.ranked(declaration, cut=False))
            elif declaration.of is Hits:
                yield declaration

    def of(self, name: str, kind: type) -> Declaration:
        """A declaration by name: of a measure of counts this one, or its form for rankings."""
        return self[name] if kind is Counts else self.ranked(self[name])

    def add(self, declaration: Declaration) -> None:
        """Declare; a name is declared once (again only by the same code: a module that is
        reloaded).
        """
        old = self._declared.get(declaration.name)
        if old is not None and (home := old.formula.__module__) != declaration.formula.__module__:
            raise MeasureError(
                f"{declaration.name!r} is declared already, in {home}", remedy="choose another name"
            )
        self._declared[declaration.name] = declaration
        for known in (self._patterns, self._forms, self._found):
            known.clear()

    def find(self, text: str, make: Callable[..., Made]) -> Made:
        """What is made of the parts that a name says, those of a `Measure`; once for each name."""
        if text not in self._found:
            parts = self._understood(text)
            self._found[text] = make(
                **parts, note=parts["declaration"].note(text), typed=text.strip()
            )
        return self._found[text]  # type: ignore[no-any-return]

    def _understood(self, text: str) -> dict[str, Any]:
        """What a name says, be it as another library spells it."""
        try:
            parts = self._read(text)
            self._refuse_other_letters(text)
            return parts
        except MeasureError as error:
            self._refuse_other_letters(text)
            from precall.measures.other_spellings import respelled

            first, other = error, respelled(text, self)
            if error.fault not in ("unknown", "form", "cutoff") or other == text:
                raise
        try:
            return self._read(other)
        except MeasureError as error:
            if error.fault == "form":  # of what was made of the name, which nobody typed
                raise first from None
            # Of a name that is known the error says what it lacks; who writes MCC2 need not mean
            # MCC of the first two.
            unknown = error.fault == "unknown" or (
                "@" in other and isinstance(error, PopulationUnknown)
            )
            raise (first if unknown and "@" not in text else error) from None

    def other_letters(self, name: str) -> tuple[str, str] | None:
        """The measures that a name may be: by the word that it is as written, and in other letters;
        None if it is one only.

        Err of text categorization is the error of a category, and ERR the expected reciprocal rank.
        """
        base = _base_of(name)
        if base == base.lower() or base in self._declared:
            return None
        same = self._known(base)
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
            what = f"is {pair[0]} where the literature has it, and {pair[1]} in other letters"
            raise MeasureError(measure=base, what=what, remedy=f"write {pair[0]} or {pair[1]}")

    def _read(self, text: str) -> dict[str, Any]:
        plain = text.strip()
        if plain in FOREIGN:
            raise MeasureError(measure=plain, what=FOREIGN[plain])
        if (theirs := self._read_trec_eval(plain)) is not None:
            return theirs
        base, given, at = parse(_GM.get(plain.lower(), _at_recall(plain)))
        base, given = _translated(base, given)
        label, base, aggregate = _AGGREGATED.get(base.lower(), ("", base, ""))
        average, base = _averaging(base)
        if (weight := _F.fullmatch(base)) and not self._known(base):
            if "beta" in given:
                name = f"{weight[1].upper()}(beta={given['beta']})"
                raise MeasureError(
                    measure=text,
                    what=f"{base} is of beta {weight[2]}",
                    remedy=f"write {name} or {base}",
                )
            base, given["beta"] = weight[1].upper(), weight[2]
        declaration = self._base(base, text)
        if average:
            average = _average_of(text, average, declaration, at)
            return _reading(declaration, given, declaration.aggregate) | {"average": average}
        if at is not None or "cutoff" in given:
            declaration = self.ranked(declaration)
        elif declaration.means_set and given.keys() & {"population", "grade"}:
            declaration = self.ranked(declaration, cut=False)
        if at is not None:
            given[_parameter_at(text, at, declaration, given)] = at
        return _reading(declaration, given, aggregate or declaration.aggregate, label)

    def _read_trec_eval(self, text: str) -> dict[str, Any] | None:
        """What a name says if it is one of trec_eval's."""
        for pattern, declaration in self._trec_eval(text):
            if (match := pattern.fullmatch(text)) is None:
                continue
            # utility is of whatever is measured; see `Measure.of_rankings`.
            both = declaration.means_set and text.lower() == declaration.name.lower()
            form = declaration if both else self.ranked(declaration, "cutoff" in pattern.groupindex)
            return _reading(form, match.groupdict(), declaration.aggregate)
        return None

    def averaged(self, declaration: Declaration) -> dict[str, str]:
        """Names that say how a measure's topics are averaged, too, and trec_eval's: {"GMAP":
        "gm_map"}.
        """
        theirs = {ours: name for name, ours in _GM.items()}
        return {
            label: theirs[label]
            for label, base, _ in _AGGREGATED.values()
            if base == declaration.name
        }

    def ranked(self, declaration: Declaration, cut: bool = True) -> Declaration:
        """Itself; of a measure of counts the form that rankings have, cut at a rank or of all that
        was retrieved.
        """
        if declaration.of is not Counts:
            return declaration
        name = declaration.name if cut else f"Set{declaration.name}"
        # Made when first asked for: who measures AP need not wait for the forms of MCC.
        if name not in self._forms:
            self._forms[name] = ranked_form(declaration, cut)
        return self._forms[name]

    def declaration_of(self, text: str) -> Declaration | None:
        """The measure that a name is of, be its parameters lacking or wrong; None if there is
        none.
        """
        try:
            return self._base(_base_of(text), text)
        except MeasureError:
            return None

    def _base(self, base: str, text: str) -> Declaration:
        if base in self._declared:
            return self._declared[base]
        # Those that are imported already come first: who measures MAP need not wait for areas.
        same = self._known(base)
        if len(same) == 1:
            return same[0]
        if self._import_later():
            return self._base(base, text)
        plain = text.strip().partition("(")[0].partition("@")[0] or base
        raise MeasureError(
            f"no measure {text!r}", remedy=f"{_hint(plain, self)}`precall measures` lists all"
        ).because("unknown")

    def _known(self, base: str) -> list[Declaration]:
        """Those that have this name, whatever its case."""
        low, same = base.lower(), []
        for declared in self._declared.values():
            if low in map(str.lower, (declared.name, *declared.aliases)):
                same.append(declared)
            elif declared.of is Counts and low == f"set{declared.name}".lower():
                same.append(self.ranked(declared, cut=False))
        return same

    def _trec_eval(self, text: str) -> list[tuple[re.Pattern[str], Declaration]]:
        # By first letter: a name tries a handful of patterns, not a hundred, and no others are
        # compiled.
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
    """A name without its parameters and its cutoff, and without how decisions are averaged."""
    return _averaging(re.split(r"[(@]", name.strip(), maxsplit=1)[0])[1]


def _averaging(base: str) -> tuple[str, str]:
    """How a name says that decisions are averaged, and the rest of it."""
    if base.lower().startswith(SUPPORT):
        return SUPPORT.removesuffix("-"), base[len(SUPPORT) :]
    average, dash, rest = base.partition("-")
    return (average.lower(), rest) if dash and average.lower() in AVERAGES else ("", base)


def _reading(
    declaration: Declaration, given: dict[str, Any], aggregate: str, label: str = ""
) -> dict[str, Any]:
    """The parameters of a name read and checked, with the defaults of those that it does not
    give.
    """
    name, known = declaration.name, declaration.parameters
    judged_only = str(given.pop("judged_only", "false")).lower()
    if judged_only not in ("true", "false"):
        raise MeasureError(
            measure=name, parameter="judged_only", allowed="true or false", got=Fact(judged_only)
        )
    for key in given:
        if key not in known:
            allowed = (*known, "judged_only")
            if key.isdigit():
                todo = f"write name=value, where the name is one of {', '.join(allowed)}"
                raise MeasureError(
                    measure=name, what=f"got {given[key]!r} in the brackets", remedy=todo
                )
            raise MeasureError(f"no parameter {key!r}", measure=name, allowed=allowed)
    for key in given:
        if (other := known[key].domain.instead) in given:
            raise MeasureError(
                measure=name,
                what=f"{key} and {other} say the same in two ways",
                remedy="leave one of them out",
            )
    values = {}
    for key, parameter in known.items():
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
    """Split a name: nDCG(gains={1:3,2:9})@10 into nDCG, its parameters as text ({"gains":
    "{1:3,2:9}"}), and "10".
    """
    match = _NAME.fullmatch(_without_blanks(text))
    if match is None:
        what = f"{text!r} is not a measure's name; write NAME, NAME@k or NAME(parameter=value)@k"
        raise MeasureError(what).because("form")
    given: dict[str, str] = {}
    for part in _COMMA.split(match["inside"] or ""):
        if not part:
            continue
        key, sign, value = part.partition("=")
        if not sign and _NUMBER.fullmatch(part):
            key, sign, value = str(len(given)), "=", part
        if not sign or not value or key in given:
            todo = "write each parameter once, as name=value"
            raise MeasureError(measure=text, what=f"got {part!r} in the brackets", remedy=todo)
        given[key] = value.strip("'\"")
    return match["base"], given, match["at"]


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
    """The parameter that stands behind the @ of a name."""
    key = "cutoff" if "cutoff" in declaration.parameters else "recall"
    if declaration.percent and at.endswith("%"):
        key = declaration.percent
    if key not in declaration.parameters or key in given:
        raise MeasureError(measure=text, what=f"{declaration.name} takes no @k").because("cutoff")
    return key


def _without_blanks(text: str) -> str:
    """A name without its blanks, but those in a number: P@1 0 is not P@10."""
    return re.sub(r"(?<![0-9.])\s+|\s+(?![0-9.])", "", text)


def _hint(base: str, declared: Iterable[Declaration]) -> str:
    """Names that mean, or are written, or in other libraries called, much the same."""
    from precall.measures.likeness import nearest
    from precall.measures.other_spellings import instead, respelled

    average, alone = _averaging(respelled(base, declared))
    before = f"{average}-" if average and alone else ""
    if told := instead(base) or (instead(alone, before) if before else ""):
        return told + (" " if told.endswith("?") else "; ")
    names = _names_with_summaries(declared)
    meant = alone if before else base
    near = nearest(meant, names) or nearest(meant.rstrip("0123456789"), names)
    if before:  # only measures of decisions are averaged so
        of_counts = [each for each in declared if each.of is Counts]
        decided = {name for each in of_counts for name in (each.name, *each.aliases)}
        near = [before + name for name in near if name in decided]
        if not near:
            return f"{before} stands before a measure of decisions, such as {before}F; "
    return f"did you mean {', '.join(near)}? " if near else ""


def _names_with_summaries(declared: Iterable[Declaration]) -> dict[str, tuple[str, str]]:
    """Our name of a measure and its summary, by its names here and in other libraries."""
    names: dict[str, tuple[str, str]] = {}
    for declaration in declared:
        sets = [f"Set{declaration.name}"] if declaration.of is Counts else []
        theirs = (*declaration.sklearn, *declaration.trec_eval)
        shown = dict.fromkeys(theirs, declaration.name) | {
            name: name for name in (declaration.name, *declaration.aliases, *sets)
        }
        # Of several measures with one name elsewhere the first is the usual one.
        names = {name.lower(): (ours, declaration.summary) for name, ours in shown.items()} | names
    return names


def tell_how(error: MeasureError, name: str) -> None:
    """Let a traceback tell how a measure is declared, where there is none of this name."""
    if error.fault == "unknown" and name.isidentifier():
        told = f"@measure({name!r}, sources=[...], range=(0, 1), example=Example(...))"
        error.add_note(f"a declaration needs keywords: {told}; help(precall.measure) has all")


def _at_recall(text: str) -> str:
    """k@recall(0.8) and its like as our names."""
    match = _AT_RECALL.fullmatch(_without_blanks(text))
    if match is None:
        return text
    return f"{'K' if match[1] in 'kK' else 'P'}AtRecall" + (
        f"(recall={match[2]})" if match[2] else ""
    )


def _translated(base: str, given: dict[str, str]) -> tuple[str, dict[str, str]]:
    """ir_measures' words for a measure and its parameters as ours."""
    if base == "NumRet" and "rel" in given:  # its name for what is relevant and retrieved
        base = "NumRelRet"
    if base == "SetP" and given.pop("relative", "false").lower() == "true":
        base = "SetRelP"
    if base.lower() in ("utility", "setutility", "linearutility"):
        weights = {_WEIGHTS.get(key, key): value for key, value in given.items()}
        # By their places, or by names; a fifth one has no cell.
        placed = {key.isdigit() for key in given if _WEIGHTS.get(key, key) in _CELLS.values()}
        if len(weights) < len(given) or "4" in given or len(placed) > 1:
            todo = (
                f"give each of {', '.join(_CELLS)} at most one weight, all by their places or all "
                "by name"
            )
            raise MeasureError(measure=base, got=Fact(", ".join(given.values())), remedy=todo)
        given = weights
    given = {_SPELLINGS.get(key, key): value for key, value in given.items()}
    return base, {key: _VALUES.get(key, {}).get(value, value) for key, value in given.items()}


def ranked_form(declaration: Declaration, cut: bool) -> Declaration:
    """The form of a measure of counts that rankings have: of the first k ranks, NAME@k, or of the
    retrieved set, SetNAME.
    """
    own = declaration.parameters
    little = Counts(_CELL, _CELL, _CELL)
    whole = declaration.needs_population(little, own)
    # Some weights of utility need it, and the usual ones do not.
    may = declaration.needs_population(little, own, **declaration.in_example)
    known = {"cutoff": Parameter("cutoff", RANK, ...)} if cut else {}
    more = {"population": Parameter("population", COUNT, ... if whole else None)} if may else {}

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
        _POPULATION * whole,
    )
    formula.__doc__ = "".join(prose)
    return replace(
        declaration,
        name=declaration.name if cut else f"Set{declaration.name}",
        formula=formula,
        of=Hits,
        example=_example(declaration.example, cut, may),
        undefined=_undefined(declaration, formula, known | more | own),
        trec_eval=tuple(name for name in declaration.trec_eval if ("{cutoff}" in name) == cut),
        aliases=declaration.aliases if cut else (),
        linear=declaration.linear and cut,
        closed="" if cut else "no order changes it",
        sklearn=(),
        proportion=None,
        joint=None,
        items=None,
        ordered="",
        cache={"takes": Hits, "parameters": known | own | more | BINARY},
    )


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
    """When the form is undefined, in the words of rankings; cut at a rank, something is always
    accepted.
    """
    none, sizes = np.zeros(0, np.int64), np.arange(3)
    given = {name: parameter.default for name, parameter in parameters.items()}
    usual = {
        name: value for name, value in (("cutoff", 1), ("population", 4)) if name in parameters
    }
    with np.errstate(all="ignore"):
        values = formula(
            Hits(none, none, none, none, np.repeat(sizes, 3), np.tile(sizes, 3)),
            **given | declaration.required(declaration.parameters) | usual,
        )
    if not np.isnan(values).any():
        # With this weight F is recall.
        return "of alpha 0, no item is relevant" if "alpha" in parameters else ""
    text = declaration.undefined.replace("nothing is accepted", "nothing was retrieved")
    return text.replace("nothing is relevant", "no item is relevant")


def _example(table: Any, cut: bool, whole: bool) -> Example | None:
    """The same table as a ranking: all hits on top."""
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
    """A name that says how topics are averaged, too, in the place of the declaration's: GMAP."""
    given: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """Names of the parameters that were given, be it their default."""
    average: str = ""
    """How decisions in categories are averaged: macro-F."""
    note: str = field(default="", compare=False, repr=False)
    """What is to be known of the number, where the name that it was asked for by is of another one
    elsewhere.
    """
    typed: str = field(default="", compare=False, repr=False)
    """The name that it was asked for by."""

    @cached_property
    def name(self) -> str:
        """The canonical name, which says what decides the value: parameters that differ from their
        defaults, and those that everybody sets otherwise, such as p of RBP; the cutoff stands
        behind @, as does the share of EF@1%.
        """
        known, behind = self.declaration.parameters, ("cutoff", self.declaration.percent)
        given = [
            key
            for key, value in self.parameters.items()
            if key not in behind and (value != known[key].default or key in self.declaration.shown)
        ]
        inside = [f"{key}={text_of(self.parameters[key])}" for key in given]
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
        """What heads its numbers in print: the name that it was asked for by, if that says as much
        as the canonical one.

        Examples
        --------
        >>> from precall.measures import measure
        >>> [measure(name).head for name in ("MRR", "Recall@5", "RBP", "rbp.95")]
        ['MRR', 'Recall@5', 'RBP(p=0.8)', 'rbp.95']
        """
        needed = {*self.declaration.shown, self.declaration.percent} - {""}
        if not self.typed or not needed <= self.given:
            return self.name
        # What was made of the measure since, such as another grade, may be another measure.
        return self.typed if find(self.typed).name == self.name else self.name

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest value that there can be, of these parameters.

        Examples
        --------
        >>> from precall.measures import measure
        >>> measure("AP").range, measure("EF@20%").range[1]
        ((0, 1), 5.0)
        """
        least, most = self.declaration.range
        return least, most if self.declaration.most is None else self.declaration.most(
            self.parameters
        )

    @property
    def said(self) -> frozenset[str]:
        """An older name of `given`."""
        return self.given

    def __hash__(self) -> int:
        return hash((self.name, self.aggregate))

    def __reduce__(self) -> tuple[object, ...]:
        # A declaration holds functions; it is found again by its name, in the process that
        # unpickles.
        rest = {part.name: getattr(self, part.name) for part in fields(self)[1:]}
        return _declared, (self.declaration.name, self.declaration.of, rest)

    def __str__(self) -> str:
        return self.name

    @cached_property
    def joint(self) -> Formula | None:
        """What it is of all categories at once, with its parameters; None if it is of each by
        itself.
        """
        formula = self.declaration.joint
        if formula is None:
            return None
        known = inspect.signature(formula).parameters
        return partial(
            formula, **{name: value for name, value in self.parameters.items() if name in known}
        )

    @property
    def is_ordered(self) -> bool:
        """Whether it looks at how far apart categories are, which then must have an order."""
        name = self.declaration.ordered
        return bool(name) and self.parameters[name] != self.declaration.parameters[name].default

    def at_grade(self, grade: int) -> Measure:
        """The same with items of `grade` and above relevant, where that plays a part and none was
        given.
        """
        known = self.declaration.parameters.get("grade")
        if (
            known is None
            or "grade" in self.given
            or self.parameters["grade"] != known.default
            or grade == known.default
        ):
            return self
        return replace(self, parameters={**self.parameters, "grade": known.read(grade, self.name)})

    def __call__(self, where: Any, **how: Any) -> Any:
        """One number per ranking, table or operating point; NaN where the measure is undefined.

        A measure of counts takes `Counts`, a curve (one value per threshold), an operating point,
        or decisions (`average=`, `undefined=` as in `Decisions.value`); others take rankings:
        `Located` or `Hits`, or a curve (`ties=` as in `Curve.value`).
        """
        if not isinstance(where, Hits | Located):
            return self._of_others(where, how)
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
        """The values; where orders of ties are left open, their means."""
        # A formula may take mean hits for hits without knowing: only a declared one averages by
        # itself.
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
        """Of tables, or of what says by itself what is measured there."""
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

    def of_rankings(self) -> Measure:
        """Itself; raises for a measure of counts, which is of a ranking only where that is cut."""
        name, of = self.declaration.name, self.declaration.of
        if of is Hits:
            return self
        if self.declaration.means_set and not self.average:
            whole = find(f"Set{name}")
            return replace(
                self,
                declaration=whole.declaration,
                parameters={**whole.parameters, **self.parameters},
            )
        why = _KINDS.get(of.__name__, f"is of {of.__name__}")
        asked = replace(self, average="").name
        if self.average:
            why = f"averages decisions over categories; of a ranking write {asked}@k or Set{asked}"
        elif of is Counts:
            why = (
                f"of a ranking needs a cutoff; write {asked}@k, or Set{asked} for all that was "
                "retrieved"
            )
        raise MeasureError(f"{self.name} {why}")

    @np.errstate(divide="ignore", invalid="ignore", over="ignore")
    def of_table(self, counts: Any) -> Float64:
        """A measure of counts for every table of `Counts`, or of what has their cells and margins;
        NaN where undefined.
        """
        # Formulas of others may look at all rows.
        some = (
            parts(counts) if isinstance(counts, Path) and self.declaration.ours else [(..., counts)]
        )
        values = np.empty(counts.tp.shape)
        for rows, part in some:
            # Of a curve's margins alone it is one number for all thresholds.
            values[rows] = self.declaration.formula(part, **self.parameters)
        return values

    def _open(self, located: Located) -> bool:
        """Whether the measure sees items whose order is left open."""
        if located.ties != "expected":
            return False
        if self.declaration.graded:
            return not np.array_equal(*located.span)
        return not located.hits(self.parameters["grade"]).single

    def _refuse_grades(self) -> None:
        """Of hits and curves nobody knows grades, or what was judged."""
        if self.declaration.graded or self.judged_only:
            why = " needs grades: pass what precall.locate() returns, not its .hits()"
        elif self.parameters["grade"] != 1:
            why = ": the grade is chosen by located.hits(grade=...); leave it out here"
        else:
            return
        raise MeasureError(self.name + why)

    def _rest(self) -> dict[str, Any]:
        """The parameters that a formula of hits has: all but the grade."""
        return {key: value for key, value in self.parameters.items() if key != "grade"}

    def _of_places(self, hits: Hits) -> Float64:
        rest, declared = self._rest(), self.declaration
        where: Any = hits
        try:
            if declared.takes is Path:
                from precall.location.paths import paths  # most measures need none

                where = paths(hits, rest.pop("population", None), declared.averages)
            return _evaluated(declared.formula, where, rest)
        except PopulationUnknown:
            raise PopulationUnknown(
                f"{self.name} depends on how many items there are that are not relevant; write "
                f"{self.declaration.name}(population=N), N being the number of all items"
            ) from None

    def _of_located(self, located: Located) -> Float64:
        if self.declaration.graded:
            return _evaluated(self.declaration.formula, located, self.parameters)
        return self._of_places(located.hits(self.parameters["grade"]))

    @property
    def has_blocks(self) -> bool:
        """Whether it has a value if cases of equal score are accepted or rejected together; else
        ties need a rule.
        """
        return self._along is not None

    def of_path(self, path: Path) -> float | None:
        """What it is of blocks that are accepted or rejected as a whole; None where that is not
        declared.
        """
        values = self.of_paths([path])
        return None if values is None else float(values[0])

    def of_paths(self, paths: Sequence[Path] | Paths) -> Float64 | None:
        """The same of several."""
        return None if self._along is None else _evaluated(self._along[0], paths, self._along[1])

    @cached_property
    def _along(self) -> tuple[Formula, dict[str, Any]] | None:
        """The formula of one path, and its parameters."""
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


#: What measures are of, if neither of counts nor of rankings.
#: What measures of counts, and those of rankings, are of.
_MEASURED_BY_COUNTS = ("Counts", "decisions", "curves and operating points")
_MEASURED_BY_RANKS = ("what precall.locate() returns", "its .hits()", "and curves")
_KINDS = {
    "CategoryScores": "is of scores for several categories; pass what precall.categorize() returns",
    "Subtopics": "is of rankings with subtopics; pass what precall.locate_subtopics() returns",
}


def _declared(name: str, of: type, rest: dict[str, Any]) -> Measure:
    return Measure(REGISTRY.of(name, of), **rest)


@np.errstate(divide="ignore", invalid="ignore")
def _evaluated(
    formula: Formula, where: Hits | Located | Sequence[Path] | Paths, parameters: Mapping[str, Any]
) -> Float64:
    # 0/0 is how a formula says "undefined"; the NaN is wanted.
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
    """The measure that a name says; one that is a measure already, as it is."""
    if isinstance(measure, Measure):
        return measure
    if not isinstance(measure, str):
        raise MeasureError(
            argument="measure",
            allowed="a name, such as 'AP', or what measure() returned",
            got=measure,
        )
    return REGISTRY.find(measure, Measure)


def meant(measure: Any, allowed: Collection[str]) -> Any:
    """The one of those allowed that a name means, be it called as elsewhere: roc_auc is AUC. Others
    as they are.
    """
    if measure is None or measure in allowed:
        return measure
    try:
        name = find(measure).name if isinstance(measure, str) else str(measure)
    except MeasureError:
        return measure
    return name if name in allowed else measure


def of_counts(measure: str | Measure, averaged: bool = False) -> Measure:
    """A measure of counts, by its name or as it is; one of rankings is refused, and an average
    unless it may be `averaged`.
    """
    chosen = find(measure)
    if chosen.declaration.of is not Counts:
        raise MeasureError(
            f"{chosen.name} is a measure of rankings",
            allowed=Among("allowed are those of counts:", REGISTRY.names(Counts)),
        )
    if chosen.average and not averaged:
        raise MeasureError(
            f"{chosen.name} is an average over categories",
            allowed=Among("allowed here is", [chosen.declaration.name]),
        )
    return chosen


def averaged(measure: str | Measure, average: str | None) -> tuple[Measure, str | None]:
    """A measure of counts and how decisions in categories are averaged: by its name (macro-F1) or
    by `average`.
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
    """F or E with a weight of recall, checked."""
    return find(f"{name}(beta={check_beta(beta)!r})")


F = TypeVar("F", bound=Formula)
#: All but the name and the formula, and the cache at the end.
_KEYWORDS = tuple(part.name for part in fields(Declaration)[2:-1])


def range_of(measure: str | Measure) -> tuple[float, float] | None:
    """The least and the greatest value of a measure by its name, which may lack parameters; None of
    what is declared nowhere.

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
    least, most = declared.range
    return least, most if declared.most is None else math.inf  # the greatest is of a parameter


@overload
def measure(name: str, /) -> Measure: ...
@overload
def measure(name: str, /, *, sources: Sequence[str] = ..., **declared: Any) -> Callable[[F], F]: ...
def measure(name: str, /, **declared: Any) -> Measure | Callable[[F], F]:
    """Find a measure by its name, or declare one.

    Parameters
    ----------
    name : alone: any name of the grammar (`AP`, `P@10`, `AP(grade=2)@100`), trec_eval's (`map`,
        `P_10`) or ir_measures' (`AP(rel=2)`). With keywords: the base name to declare; what comes
        back decorates the formula.
    of : `Counts` for a measure of counts; otherwise the formula's first annotation says what it
        takes: `Hits`, `Located`, or `Path` for one ranking along its thresholds, of which it
        returns one number.
    sources : keys of `precall.measures.SOURCES`, or citations.
    example : a worked `Example`, or a `CountsExample`; `precall explain` shows it, and refuses one
        of another value.
    range : least and greatest possible value.
    undefined : when the value is NaN, in words.
    trec_eval : trec_eval's names, parameters in braces (`P_{cutoff}`); `aliases` likewise for
        others.
    linear : the value is a sum over hits of a weight of their rank (of counts: linear in TP while
        the margins stay), so that the formula takes mean hits under ties="expected".
    closed : how else the formula averages over orders of ties by itself, such as "hypergeometric";
        without either, ties="expected" writes the orders out. Both are checked here, on rankings
        with ties.
    blocks : the measure that it is of a curve, where cases of equal score are accepted as a whole:
        of AP "AreaPR".
    monotone : moving a relevant item one rank up never lowers the value.
    judging : it tells unjudged items from those judged not relevant.
    strict : the value changes whenever unlike items (within the cutoff) change places.
    aggregate : "mean", "geometric" or "sum" over topics.
    direction : 1 if high is good, -1 if low is, 0 if neither.
    zero : what `undefined="zero"` counts; if not said 0, of a loss its greatest value; of one
        without such no number, so that averages are undefined, too (NaN).
    chance_is_zero : what counts for undefined values is what chance gives. If not, as of areas
        under ROC (chance is .5), they are left out of means over categories, items and groups, if
        the truth alone says where it is undefined. Of topics they count, as a run that retrieves
        nothing must not gain by it.
    sklearn : scikit-learn's names of it.
    proportion : of counts: the cells counted and those that they are compared with, ("tp", "fp")
        for precision: the value is a proportion, and has the intervals of one.
    joint : of counts: what it is of single-label decisions with several categories, a function of
        the `Counts` of all categories (the last axis).
    ordered : of counts: a parameter with which `joint` looks at distances of ordered categories,
        unless it has its default: the tables of the K categories are followed by K - 1 more, whose
        `fp` says how many items are so many categories off.
    items : of counts: what it is of each item, a function of their `Counts`; of decisions it is the
        mean.
    shown : parameters whose default is one of several in use: names of the measure always have
        them, "RBP(p=0.8)".
    percent : a parameter that is a share: names have it behind @, "EF@1%".
    most : the greatest value, a function of the parameters by name, where that is less than the end
        of `range`.
    elsewhere : names that are of another number where they come from, as regular expressions, each
        with a note that says so; it is printed with the result where the measure was asked for by
        that name.

    Raises
    ------
    MeasureError
        No such measure or parameter, or a parameter outside of what it allows; or a measure that is
        declared to average by itself, and does not.

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
            raise MeasureError(
                f"no keyword {key!r}", measure=f"measure({name!r})", allowed=_KEYWORDS
            )
    for key in ("sources", "trec_eval", "aliases", "sklearn", "shown"):
        value = declared.get(key, ())
        declared[key] = (value,) if isinstance(value, str) else tuple(value)

    def declare(formula: F) -> F:
        declaration = Declaration(name, formula, **declared)
        # Ours are tested, and reading 30 signatures takes a while.
        if not declaration.ours:
            _check(declaration)
        REGISTRY.add(declaration)
        return formula

    return declare


def _check(declaration: Declaration) -> None:
    """What is faulty fails where it is declared: its signature, a name that the grammar does not
    read, its means.
    """
    declaration.parameters  # noqa: B018
    parse(declaration.name)
    if declaration.averages:
        check_mean(REGISTRY.ranked(declaration))


def check_mean(declaration: Declaration) -> None:
    """Raise unless a formula that is declared to average over orders by itself gives their mean, on
    small rankings.
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
    "averaged",
    "choice",
    "measure",
    "of_counts",
    "weighted",
]
