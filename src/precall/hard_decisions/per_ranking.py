"""A measure of each category's or each item's ranking, and its mean over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.cases import Curve
from precall.cases.path import TIES
from precall.cases.scored_cases import Scores
from precall.cases.several import curves
from precall.cases.tally import each_area_under_roc, each_average_precision
from precall.core.arguments import check_choice, check_kind
from precall.core.notes import listening, warn
from precall.core.notes.of_decisions import LeftOut
from precall.core.ragged import Bool, Float64, Int64, mean
from precall.core.text import plain_label
from precall.core.undefined import check_undefined, treated
from precall.measures import Measure
from precall.measures import measure as named_measure
from precall.results.base import Presented, Table

OfCurves: TypeAlias = str | Measure | Callable[[Curve], float]
#: Truth and scores with each ranking's pairs together, where each begins, and how many are true of
#: each.
Rankings: TypeAlias = tuple[Bool, Scores, Int64, Int64]
#: Measures that need no curve, for all rankings in one call of the kernel, and the orders of ties
#: for which that holds.
_AT_ONCE: dict[str, tuple[Callable[[Bool, Scores, Int64, Int64], Float64], tuple[str, ...]]] = {
    "AP": (each_average_precision, ("block",)),
    "AUC": (each_area_under_roc, ("block", "expected")),
    "RankingLoss": (lambda *rankings: 1 - each_area_under_roc(*rankings), ("block", "expected")),
}


@dataclass(frozen=True, slots=True, eq=False)
class PerRanking(Presented):
    """A measure of every ranking; NaN is undefined."""

    measure: str
    names: tuple[Any, ...]
    values: Float64
    zero: float = 0.0
    """What "zero" counts: 1 of a loss, of which low is good."""
    chance_is_zero: bool = True
    """Whether that is what chance gives; if not, as of AUC, undefined values are left out where
    "zero" is asked for.
    """
    ties: str = ""
    """What became of equal scores: "block", or the rule for their order; "" of a function of
    curves.
    """

    def mean(self, undefined: str = "zero") -> float:
        """Mean over rankings; undefined values count as "zero", are left out ("omit") or are an
        "error".

        Of AUC and others that are above 0 by chance they are left out where "zero" is asked for,
        with a warning.
        """
        check_undefined(undefined)

        def what(first: int, count: int) -> str:
            name = self.names[first]
            return f"{self.measure} is undefined for {count} of {len(self.values)}, first {name!r}"

        if undefined == "zero" and not self.chance_is_zero:
            undefined = "omit"
            if self.undefined:
                first = plain_label(self.names[int(np.argmax(np.isnan(self.values)))])
                warn(
                    LeftOut(
                        self.measure,
                        self.undefined,
                        len(self.values),
                        "rankings",
                        first,
                        self.zero == self.zero,
                    )
                )
        kept = treated(self.values, undefined, zero=self.zero, source="scores", what=what)
        return mean(kept) if len(kept) else float("nan")

    @property
    def conventions(self) -> dict[str, str]:
        """What its numbers rest on."""
        return {"ties": self.ties} if self.ties else {}

    @property
    def undefined(self) -> int:
        """For how many rankings the measure is undefined."""
        return int(np.isnan(self.values).sum())

    @property
    def table(self) -> Table:
        """Columns ranking and value."""
        return Table({"ranking": [str(name) for name in self.names], "value": self.values})

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """The values."""
        return np.array(self.values, dtype=dtype)


def _check_measure(measure: OfCurves) -> None:
    """Refuse what is no measure of curves."""
    problem = "a name, what measure() returned, or a function of a curve"
    check_kind("measure", measure, (str, Measure, Callable), problem)


def measured(
    measure: OfCurves,
    names: tuple[Any, ...],
    ties: str | None,
    parts: Iterable[Rankings | list[Curve]],
) -> PerRanking:
    """A measure of many rankings, which come in parts, as their pairs or as their curves."""
    if ties is not None:
        check_choice("ties", ties, TIES)
    _check_measure(measure)
    chosen = named_measure(measure).of_rankings() if isinstance(measure, str) else measure
    name = measure if isinstance(measure, str) else getattr(measure, "__name__", str(measure))
    zero, is_chance, rule = 0.0, True, ""
    if isinstance(chosen, Measure):
        zero, is_chance = chosen.declaration.zero, chosen.declaration.chance_is_zero
        rule = ties or ("block" if chosen.has_blocks else "expected")
    with listening():
        # The result says how many are undefined; a warning for each would say no more.
        values = [np.zeros(0), *(_values(chosen, ties, ranking) for ranking in parts)]
    return PerRanking(name, names, np.concatenate(values), zero, is_chance, rule)


def _values(
    chosen: Measure | Callable[[Curve], float], ties: str | None, part: Rankings | list[Curve]
) -> Float64:
    if isinstance(chosen, Measure) and not isinstance(part, list):
        at_once, orders = _AT_ONCE.get(chosen.name, (None, ()))
        return (
            at_once(*part)
            if at_once and (ties or "block") in orders
            else curves(*part).measured(chosen, ties)
        )
    paths: Iterable[Curve] = part if isinstance(part, list) else curves(*part)
    values = [
        path.measured(chosen, ties) if isinstance(chosen, Measure) else chosen(path)
        for path in paths
    ]
    return np.array(values, np.float64)


def of_curve(measure: OfCurves, path: Curve, ties: str | None) -> float:
    """A measure of one ranking."""
    _check_measure(measure)
    return path.value(measure, ties) if isinstance(measure, str | Measure) else measure(path)
