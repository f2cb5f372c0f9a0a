"""A measure is declared once; names, validation, help, documentation and tests come from that.

`@measure("P", ...)` above a formula declares; `measure("P@10")` finds what was declared and binds
its parameters. A formula takes `Hits` (binary measures) or `Located` (those that need grades) and
returns one number per ranking; what is undefined is NaN.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar, get_type_hints, overload

import numpy as np

from precall.errors import MeasureError, TiesUnresolved
from precall.location.hits import Hits
from precall.location.located import Located
from precall.measures.domains import Domain, Grade, text_of
from precall.measures.example import Example
from precall.ragged import Float64, Int64

PerRanking: TypeAlias = Float64 | Int64
Formula: TypeAlias = Callable[..., Any]
F = TypeVar("F", bound=Formula)

AGGREGATES = ("mean", "geometric", "sum")


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
            raise MeasureError(f"{measure}: {self.name} is too large, got {value}") from None
        except (ValueError, TypeError, AttributeError):
            raise MeasureError(f"{measure}: {self.name} must be {self.domain.allowed}, got {value}") from None


@dataclass(frozen=True)
class Declaration:
    """All that is known of a measure; see `measure`."""

    name: str
    formula: Formula
    sources: tuple[str, ...] = ()
    example: Example | None = None
    range: tuple[float, float] = (-np.inf, np.inf)
    undefined: str = ""
    trec_eval: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    linear: bool = False
    closed: str = ""
    monotone: bool = False
    judging: bool = False
    strict: bool = False
    aggregate: str = "mean"
    direction: int = 1
    cache: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def graded(self) -> bool:
        """Whether the formula needs `Located` rather than `Hits`."""
        if "graded" not in self.cache:
            first = next(iter(inspect.signature(self.formula).parameters.values()))
            self.cache["graded"] = first.annotation in ("Located", Located)
        return bool(self.cache["graded"])

    @property
    def averages(self) -> bool:
        """Whether the formula gives the mean over orders of ties by itself."""
        return self.linear or bool(self.closed)

    @property
    def sees(self) -> str:
        """What the measure sees of an item: its "relevance", "gain" or "judgement"; see `Located.tied`."""
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
        found = {}
        spare = {"Hits": Hits, "Located": Located, "PerRanking": PerRanking}
        hints = get_type_hints(self.formula, localns=spare, include_extras=True)
        for name, parameter in list(inspect.signature(self.formula).parameters.items())[1:]:
            domain = _domain(hints.get(name))
            if domain is None:
                raise MeasureError(
                    f"{self.name}: parameter {name!r} needs a domain as annotation, such as Cutoff"
                )
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            found[name] = Parameter(name, domain, default)
        if not self.graded:
            found["grade"] = Parameter("grade", Grade.__metadata__[0], 1)  # type: ignore[attr-defined]
        return found

    @property
    def summary(self) -> str:
        """The first line of the formula's docstring."""
        return (inspect.getdoc(self.formula) or "").partition("\n")[0]

    @property
    def usage(self) -> str:
        """The name with what must be given: AP, P@k, IPrec(recall=...)."""
        required = [name for name, parameter in self.parameters.items() if parameter.default is ...]
        inside = ",".join(f"{name}=..." for name in required if name != "cutoff")
        return self.name + (f"({inside})" if inside else "") + ("@k" if "cutoff" in required else "")


def _domain(hint: Any) -> Domain | None:
    for option in (hint, *getattr(hint, "__args__", ())):
        for extra in getattr(option, "__metadata__", ()):
            if isinstance(extra, Domain):
                return extra
    return None


@dataclass(frozen=True)
class Measure:
    """A declared measure with its parameters: call it with `Located` or `Hits`.

    Examples
    --------
    >>> from precall.location.hits import Hits
    >>> measure("P@5")(Hits.of([1, 3], retrieved=10, relevant=3))
    array([0.4])
    """

    declaration: Declaration
    parameters: Mapping[str, Any]
    judged_only: bool = False
    aggregate: str = "mean"
    label: str = ""
    """A name that says how topics are averaged, too, in the place of the declaration's: GMAP."""
    said: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """Parameters that were given, be it their default."""

    @property
    def name(self) -> str:
        """The canonical name: only what differs from the defaults, cutoff behind @."""
        known = self.declaration.parameters
        inside = [
            f"{key}={text_of(value)}"
            for key, value in self.parameters.items()
            if key != "cutoff" and value != known[key].default
        ]
        inside += ["judged_only=true"] if self.judged_only else []
        cutoff = self.parameters.get("cutoff")
        brackets = f"({','.join(inside)})" if inside else ""
        return (self.label or self.declaration.name) + brackets + ("" if cutoff is None else f"@{cutoff}")

    def __hash__(self) -> int:
        return hash((self.name, self.aggregate))

    def __reduce__(self) -> tuple[object, ...]:
        # A declaration holds functions; it is found again by its name, in the process that unpickles.
        state = (dict(self.parameters), self.judged_only, self.aggregate, self.label, self.said)
        return _declared, (self.declaration.name, *state)

    def __str__(self) -> str:
        return self.name

    def at_grade(self, grade: int) -> Measure:
        """The same with items of `grade` and above relevant, where that plays a part and none was said."""
        known = self.declaration.parameters.get("grade")
        if known is None or "grade" in self.said or self.parameters["grade"] != known.default:
            return self
        from dataclasses import replace

        return replace(self, parameters={**self.parameters, "grade": known.read(grade, self.name)})

    def __call__(self, where: Located | Hits) -> Float64:
        """One number per ranking; NaN where the measure is undefined."""
        if isinstance(where, Hits):
            return self._of_hits(where)
        if not isinstance(where, Located):
            raise MeasureError(
                f"{self.name}: got {type(where).__name__}, allowed are what precall.locate() returns and its "
                ".hits(); to declare a measure of your own, choose a new name and pass keywords such as sources="
            )
        located = where.condensed() if self.judged_only else where
        open_ = self._open(located)
        if not open_ or self.declaration.averages:
            try:
                return self._of_located(located)
            except TiesUnresolved:
                if not open_:
                    raise
        # A formula may take mean hits for hits without knowing: only a declared one averages by itself.
        from precall.measures.orders import mean_over_orders

        return mean_over_orders(self, self._of_located, located)

    def _open(self, located: Located) -> bool:
        """Whether the measure sees items whose order is left open."""
        if located.ties != "expected":
            return False
        if self.declaration.graded:
            return not np.array_equal(*located.span)
        return not located.hits(self.parameters["grade"]).single

    def _of_hits(self, hits: Hits) -> Float64:
        if self.declaration.graded or self.judged_only:
            raise MeasureError(
                f"{self.name} needs grades: pass what precall.locate() returns, not its .hits()"
            )
        if self.parameters["grade"] != 1:
            raise MeasureError(
                f"{self.name}: the grade is chosen by located.hits(grade=...); leave it out here"
            )
        if hits.ties != "expected" or hits.single:
            return self._of_places(hits)
        if self.declaration.averages:
            try:
                return self._of_places(hits)
            except TiesUnresolved:
                pass
        from precall.measures.orders import mean_over_places

        return mean_over_places(self, self._of_places, hits)

    def _of_places(self, hits: Hits) -> Float64:
        rest = {key: value for key, value in self.parameters.items() if key != "grade"}
        return _evaluated(self.declaration.formula, hits, rest)

    def _of_located(self, located: Located) -> Float64:
        if self.declaration.graded:
            return _evaluated(self.declaration.formula, located, self.parameters)
        rest = {key: value for key, value in self.parameters.items() if key != "grade"}
        return _evaluated(self.declaration.formula, located.hits(self.parameters["grade"]), rest)


def _declared(name: str, *state: Any) -> Measure:
    from precall.measures.registry import REGISTRY

    return Measure(REGISTRY[name], *state)


def _evaluated(formula: Formula, where: Hits | Located, parameters: Mapping[str, Any]) -> Float64:
    # 0/0 is how a formula says "undefined"; the NaN is wanted.
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(formula(where, **parameters), np.float64)
    if values.shape != (len(where),):
        raise MeasureError(
            f"{formula.__name__} returned an array of shape {values.shape}; "
            f"a measure returns one number per ranking, here ({len(where)},)"
        )
    return values


@overload
def measure(name: str, /) -> Measure: ...
@overload
def measure(
    name: str,
    /,
    *,
    sources: Sequence[str] = ...,
    example: Example | None = ...,
    range: tuple[float, float] = ...,
    undefined: str = ...,
    trec_eval: str | Sequence[str] = ...,
    aliases: Sequence[str] = ...,
    linear: bool = ...,
    closed: str = ...,
    monotone: bool = ...,
    judging: bool = ...,
    strict: bool = ...,
    aggregate: str = ...,
    direction: int = ...,
) -> Callable[[F], F]: ...
def measure(name: str, /, **declared: Any) -> Measure | Callable[[F], F]:
    """Find a measure by its name, or declare one.

    Parameters
    ----------
    name : alone: any name of the grammar (`AP`, `P@10`, `AP(grade=2)@100`), trec_eval's (`map`,
        `P_10`) or ir_measures' (`AP(rel=2)`). With keywords: the base name to declare; what comes
        back decorates the formula.
    sources : keys of `precall.measures.SOURCES`, or citations.
    example : a worked `Example`; it runs as a test and is shown by `precall explain`.
    range : least and greatest possible value.
    undefined : when the value is NaN, in words.
    trec_eval : trec_eval's names, parameters in braces (`P_{cutoff}`); `aliases` likewise for others.
    linear : the value is a sum over hits of a weight of their rank, so that the formula takes mean hits under
        ties="expected".
    closed : how else the formula averages over orders of ties by itself, such as "hypergeometric"; without
        either, ties="expected" writes the orders out. Both are checked here, on rankings with ties.
    monotone : moving a relevant item one rank up never lowers the value.
    judging : it tells unjudged items from those judged not relevant.
    strict : the value changes whenever unlike items (within the cutoff) change places.
    aggregate : "mean", "geometric" or "sum" over topics.
    direction : 1 if high is good, -1 if low is, 0 if neither.

    Raises
    ------
    MeasureError
        No such measure or parameter, or a parameter outside of what it allows; or a measure that is declared
        to average by itself, and does not.

    Examples
    --------
    >>> from precall.location.hits import Hits
    >>> measure("map")(Hits.of([1, 3], retrieved=10, relevant=2))
    array([0.83333333])
    """
    from precall.measures.registry import REGISTRY

    if not declared:
        return REGISTRY.find(name)
    allowed = [
        key for key in inspect.signature(Declaration).parameters if key not in ("name", "formula", "cache")
    ]
    for key in declared:
        if key not in allowed:
            raise MeasureError(f"measure({name!r}): no keyword {key!r}; allowed are {', '.join(allowed)}")
    for key in ("sources", "trec_eval", "aliases"):
        value = declared.get(key, ())
        declared[key] = (value,) if isinstance(value, str) else tuple(value)

    def declare(formula: F) -> F:
        REGISTRY.add(Declaration(name, formula, **declared))
        return formula

    return declare
