"""A measure is declared once; names, validation, help, documentation and tests come from that.

`@measure("P", ...)` above a formula declares; `measure("P@10")` finds what was declared and binds its parameters. A
formula takes `Counts`; or of rankings `Hits` (binary measures) or `Located` (those that need grades), and returns one
number per table or ranking; or `Path`, one ranking along its thresholds, and returns one number. What is undefined is NaN.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias, get_type_hints

import numpy as np

from precall.counts import Counts, Path, PopulationUnknown, Ranks
from precall.declare.domains import Count, Domain, Grade, domain_of
from precall.declare.example import CategoryExample, CountsExample, Example
from precall.errors import MeasureError
from precall.location.hits import Hits
from precall.location.located import Located
from precall.ragged import Float64, Int64

PerRanking: TypeAlias = Float64 | Int64
Values: TypeAlias = Any
"""What a measure of counts returns: a number per table."""
Formula: TypeAlias = Callable[..., Any]


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
    of: type = Hits
    sources: tuple[str, ...] = ()
    example: Example | CountsExample | CategoryExample | None = None
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
    proportion: tuple[str, str] | None = None
    joint: Callable[[Counts], Values] | None = None
    items: Callable[[Counts], Values] | None = None
    cache: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def takes(self) -> type:
        """What the formula takes: of rankings, by its first annotation, `Hits`, `Located` or `Path`; else what it is `of`."""
        if "takes" not in self.cache:
            first = next(iter(inspect.signature(self.formula).parameters.values())).annotation
            kinds = {name: kind for kind in (Located, Path) for name in (kind, kind.__name__)}
            self.cache["takes"] = kinds.get(first, Hits) if self.of is Hits else self.of
        return self.cache["takes"]  # type: ignore[no-any-return]

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
        parameters: dict[str, Parameter] = {}
        kinds = (Hits, Located, Counts, Path, self.of)
        spare = {"PerRanking": PerRanking, "Values": Values} | {kind.__name__: kind for kind in kinds}
        hints = get_type_hints(self.formula, localns=spare, include_extras=True)
        for name, parameter in list(inspect.signature(self.formula).parameters.items())[1:]:
            domain = _domain(hints.get(name))
            if domain is None:
                raise MeasureError(
                    f"{self.name}: parameter {name!r} needs a domain as annotation, such as Cutoff"
                )
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            parameters[name] = Parameter(name, domain, default)
        if self.takes is Path and looks_at_others(self.formula, _LITTLE, self.required(parameters)):
            parameters["population"] = Parameter("population", domain_of(Count), None)
        if self.of is Hits and not self.graded:
            parameters |= self.grade_alone()
        return parameters

    def required(self, parameters: dict[str, Parameter]) -> dict[str, Any]:
        """A value for each parameter that has no default: the example's."""
        known = {} if self.example is None else self.example.parameters
        return {
            name: known[name]
            for name, parameter in parameters.items()
            if parameter.default is ... and name in known
        }

    @staticmethod
    def grade_alone() -> dict[str, Parameter]:
        """The parameter that all binary measures of rankings have."""
        return {"grade": Parameter("grade", domain_of(Grade), 1)}

    @property
    def summary(self) -> str:
        """The first line of the formula's docstring."""
        return (inspect.getdoc(self.formula) or "").partition("\n")[0]

    @property
    def usage(self) -> str:
        """The name with what must be given: AP, RelP@k, IPrec(recall=...); of counts, with or without a cutoff: F[@k]."""
        if self.of is Counts:
            return f"{self.name}[@k]"
        required = [name for name, parameter in self.parameters.items() if parameter.default is ...]
        inside = ",".join(f"{name}=..." for name in required if name != "cutoff")
        return self.name + (f"({inside})" if inside else "") + ("@k" if "cutoff" in required else "")


def looks_at_others(formula: Formula, where: Counts | Path, given: dict[str, Any]) -> bool:
    """Whether a formula looks at what was neither relevant nor accepted: of `where` that number is unknown."""
    try:
        with np.errstate(all="ignore"):
            formula(where, **given)
    except PopulationUnknown:
        return True
    return False


#: A path whose other items nobody counted.
_LITTLE = Ranks(np.array([0, 1, 1]), np.array([0, 0, 1]), 0, None)


def _domain(hint: Any) -> Domain | None:
    for option in (hint, *getattr(hint, "__args__", ())):
        for extra in getattr(option, "__metadata__", ()):
            if isinstance(extra, Domain):
                return extra
    return None
