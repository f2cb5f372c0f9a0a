"""Measures as ir_measures writes them, `nDCG(dcg='exp-log2')@10`.

They are objects with parameters; they only name what is computed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from precall.core import ragged
from precall.core.errors import Among, MeasureError

if TYPE_CHECKING:
    from precall.compat.ir_measures.records import CalcResults, Metric


class _NotProvided:
    def __repr__(self) -> str:
        return "NOT_PROVIDED"


#: The value of a parameter that was not given and has no default.
NOT_PROVIDED: Any = _NotProvided()


class ParamInfo:
    """The type, the allowed values and the default of a measure's parameter.

    Parameters
    ----------
    dtype : its type.
    required : whether it must be given.
    choices : the values that are allowed, if not all of the type.
    default : its value if it is not given.
    desc : what it means.

    Examples
    --------
    >>> ParamInfo(int).validate("ten"), ParamInfo(choices=["linear", "exp"]).allowed
    (False, "'linear' or 'exp'")
    """

    def __init__(
        self,
        dtype: type | None = None,
        required: bool = False,
        choices: object = NOT_PROVIDED,
        default: object = NOT_PROVIDED,
        desc: str | None = None,
    ) -> None:
        self.dtype: type | None = dtype
        self.required: bool = required
        self.choices: Any = choices
        self.default: Any = default
        self.desc: str | None = desc

    def validate(self, value: object) -> bool:
        """Whether `value` is allowed."""
        if value is NOT_PROVIDED:
            return not self.required
        if self.dtype is not None and not isinstance(value, self.dtype):
            return False
        return self.choices is NOT_PROVIDED or value in self.choices

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        if self.choices is not NOT_PROVIDED:
            return " or ".join(map(repr, self.choices))
        kinds: dict[Any, str] = {
            int: "an integer",
            float: "a float",
            bool: "True or False",
            dict: "a dict from grades to gains",
        }
        return kinds.get(self.dtype, "any value")


class Aggregator(Protocol):
    """An object that aggregates the values of many topics to one number."""

    def add(self, value: float) -> None:
        """Take a topic's value."""

    def result(self) -> float:
        """The number of all so far."""


class MeanAgg:
    """The mean; `default` if there is no topic.

    Examples
    --------
    >>> mean = MeanAgg()
    >>> mean.add(0.5)
    >>> mean.add(1.0)
    >>> mean.result()
    0.75
    """

    def __init__(self, default: float = math.nan) -> None:
        self.default: Any = default
        self._values: list[float] = []

    def add(self, value: float) -> None:
        """Take a topic's value."""
        self._values.append(value)

    def result(self) -> float:
        """The number of all so far."""
        return ragged.mean(self._values) if self._values else self.default


class SumAgg:
    """The sum; 0 if there is no topic.

    Examples
    --------
    >>> total = SumAgg()
    >>> total.add(2)
    >>> total.result()
    2.0
    """

    def __init__(self) -> None:
        self._values: list[float] = []

    def add(self, value: float) -> None:
        """Take a topic's value."""
        self._values.append(value)

    def result(self) -> float:
        """The number of all so far."""
        return math.fsum(self._values)


class Measure:
    """A measure and its parameters: `nDCG@10`, `AP(rel=2)`, `P(rel=2)@5`.

    Calling a measure returns it with other parameters; `@` sets its cutoff, for IPrec the recall.
    Measures are equal if they are written the same, here or in ir_measures.

    Examples
    --------
    >>> from precall.compat.ir_measures import AP, P
    >>> AP(rel=2)@100, P@5 == P(cutoff=5)
    (AP(rel=2)@100, True)
    """

    NAME: ClassVar[str] = ""
    AT_PARAM: ClassVar[str] = "cutoff"
    SUPPORTED_PARAMS: ClassVar[Mapping[str, ParamInfo]] = {}
    #: The value of a topic for which the run has no items.
    DEFAULT: ClassVar[float] = 0.0
    SUMMED: ClassVar[bool] = False

    def __init__(self, **params: Any) -> None:
        self.params = params

    def validate_params(self) -> None:
        """Raise `MeasureError` unless all parameters are known and allowed."""
        for name in self.params:
            if name not in self.SUPPORTED_PARAMS:
                raise MeasureError(
                    "no parameter {got}",
                    measure=self.NAME,
                    got=name,
                    allowed=Among("allowed:", self.SUPPORTED_PARAMS or ["none"]),
                )
        for name, info in self.SUPPORTED_PARAMS.items():
            if not info.validate(value := self.params.get(name, NOT_PROVIDED)):
                if value is not NOT_PROVIDED:
                    allowed = f"{info.allowed};"
                    raise MeasureError(
                        measure=self.NAME, parameter=name, allowed=allowed, got=value
                    )
                usage = f"write {self.NAME}" + (
                    f"@{name}" if name == self.AT_PARAM else f"({name}=...)"
                )
                raise MeasureError(
                    measure=self.NAME, parameter=name, allowed=info.allowed, remedy=usage
                )

    def __call__(self, **params: Any) -> Measure:
        return type(self)(**self.params | params)

    def __matmul__(self, at: object) -> Measure:
        return self(**{self.AT_PARAM: at})

    def __getitem__(self, name: str) -> Any:
        return self.params.get(name, self.SUPPORTED_PARAMS[name].default)

    def __repr__(self) -> str:
        shown = [
            f"{name}={_write_value(value)}"
            for name, value in self.params.items()
            if name != self.AT_PARAM
            and (name not in self.SUPPORTED_PARAMS or value != self.SUPPORTED_PARAMS[name].default)
        ]
        inside = f"({','.join(shown)})" if shown else ""
        return (
            self.NAME
            + inside
            + (f"@{self.params[self.AT_PARAM]}" if self.AT_PARAM in self.params else "")
        )

    def __eq__(self, other: object) -> bool:
        # Measures of ir_measures itself are equal to ours if they are written the same.
        return hasattr(other, "validate_params") and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __reduce__(self) -> tuple[object, ...]:
        return _make_measure, (self.NAME, self.params)

    def aggregator(self) -> Aggregator:
        """A new aggregator of the values of topics."""
        return SumAgg() if self.SUMMED else MeanAgg()

    def iter_calc(self, qrels: object, run: object) -> Iterator[Metric]:
        """The values of all topics; see `iter_calc`."""
        values: Iterator[Metric] = self.evaluator(qrels).iter_calc(run)
        return values

    def calc_aggregate(self, qrels: object, run: object) -> float:
        """One number for all topics; see `calc_aggregate`."""
        mean: float = self.evaluator(qrels).calc_aggregate(run)[self]
        return mean

    def calc(self, qrels: object, run: object) -> CalcResults:
        """The aggregated number and the values of all topics; see `calc`."""
        both: CalcResults = self.evaluator(qrels).calc(run)
        return both._replace(aggregated=both.aggregated[self])

    def evaluator(self, qrels: object) -> Any:
        """An evaluator of several runs; see `evaluator`."""
        return _evaluators[0]([self], qrels)


def _write_value(value: object) -> str:
    if isinstance(value, dict):
        # A grade whose gain is the grade itself is the default and is not written.
        return (
            "{"
            + ",".join(f"{key}:{gain}" for key, gain in sorted(value.items()) if key != gain)
            + "}"
        )
    return repr(value)


_evaluators: list[Any] = []
_T = TypeVar("_T")


def computes(evaluator: _T) -> _T:
    """A class decorator that registers the evaluator of measures.

    The evaluator's module imports this one, so this one cannot import it.
    """
    _evaluators.append(evaluator)
    return evaluator


#: Every measure by its name and its other names.
registry: dict[str, Measure] = {}


def _make_measure(name: str, params: dict[str, Any]) -> Measure:
    return type(registry[name])(**params)
