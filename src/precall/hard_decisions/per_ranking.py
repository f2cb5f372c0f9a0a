"""A measure of the ranking of each category or of each item, and its mean over rankings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.cases import Curve
from precall.cases.curves import TIES
from precall.cases.ranking_curves import curves
from precall.cases.scored_cases import Scores
from precall.cases.tally import each_area_under_roc, each_average_precision
from precall.core.arguments import check_choice, check_kind
from precall.core.errors import MeasureError, Mistake
from precall.core.notes import Note, collect_notes, warn
from precall.core.notes.of_decisions import LeftOut
from precall.core.ragged import Bool, Float64, Int64, mean
from precall.core.text import plain_label
from precall.core.undefined import COUNT_THEM, apply_undefined, check_undefined
from precall.measures import Measure
from precall.measures import measure as named_measure
from precall.results.sheets import Presented, Table

OfCurves: TypeAlias = str | Measure | Callable[[Curve], float]
#: Truth and scores with the pairs of each ranking together, the start of each ranking, and the
#: number of its relevant pairs.
Rankings: TypeAlias = tuple[Bool, Scores, Int64, Int64]
#: Measures that need no curve: one call of the kernel for all rankings; and the rules for ties for
#: which that holds.
_AT_ONCE: dict[str, tuple[Callable[[Bool, Scores, Int64, Int64], Float64], tuple[str, ...]]] = {
    "AP": (each_average_precision, ("block",)),
    "AUC": (each_area_under_roc, ("block", "expected")),
    "RankingLoss": (lambda *rankings: 1 - each_area_under_roc(*rankings), ("block", "expected")),
}


@dataclass(frozen=True, slots=True, eq=False)
class PerRanking(Presented):
    """A measure of every ranking; NaN means undefined."""

    measure: str
    names: tuple[Any, ...]
    values: Float64
    zero: float = 0.0
    """Value that "zero" counts: 1 for a loss, whose low values are good."""
    chance_is_zero: bool = True
    """Whether that is the value under chance. If not, as for AUC, "zero" leaves undefined values
    out.
    """
    ties: str = ""
    """How equal scores were treated: "block", or the rule for their order; "" for a function of
    curves.
    """
    notes: tuple[Note, ...] = field(default=(), repr=False, compare=False)
    """What was noticed about the labels and scores."""

    def mean(self, undefined: str = "zero") -> float:
        """Mean over rankings; undefined values count as "zero", are left out ("omit") or are an
        "error".

        AUC and other measures that exceed 0 by chance leave undefined values out even with "zero",
        with a warning.
        """
        check_undefined(undefined)

        def what(first: int, count: int) -> Mistake:
            return Mistake(
                "{measure:s} is undefined for {count} of {rankings}, first {ranking}",
                COUNT_THEM,
                measure=self.measure,
                count=count,
                rankings=len(self.values),
                ranking=self.names[first],
            )

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
        kept = apply_undefined(self.values, undefined, zero=self.zero, source="scores", what=what)
        return mean(kept) if len(kept) else float("nan")

    @property
    def conventions(self) -> dict[str, str]:
        """The conventions that its numbers depend on."""
        return {"ties": self.ties} if self.ties else {}

    @property
    def undefined(self) -> int:
        """The number of rankings for which the measure is undefined."""
        return int(np.isnan(self.values).sum())

    @property
    def table(self) -> Table:
        """Columns ranking and value."""
        return Table(
            {"ranking": [str(name) for name in self.names], "value": self.values},
            noticed=self.notes,
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """The values."""
        return np.array(self.values, dtype=dtype)


def _check_measure(measure: OfCurves) -> None:
    """Raise if it is no measure of curves."""
    problem = "a name, what measure() returned, or a function of a curve"
    check_kind("measure", measure, (str, Measure, Callable), problem)


def measured(
    measure: OfCurves,
    names: tuple[Any, ...],
    ties: str | None,
    parts: Iterable[Rankings | list[Curve]],
) -> PerRanking:
    """A measure of many rankings, which come in chunks, as their pairs or as their curves."""
    if ties is not None:
        check_choice("ties", ties, TIES)
    _check_measure(measure)
    chosen = _of_rankings(measure) if isinstance(measure, str) else measure
    name = measure if isinstance(measure, str) else getattr(measure, "__name__", str(measure))
    zero, is_chance, rule = 0.0, True, ""
    if isinstance(chosen, Measure):
        zero, is_chance = chosen.declaration.zero, chosen.declaration.chance_is_zero
        rule = ties or ("block" if chosen.has_blocks else "expected")
    with collect_notes():
        # The result states how many values are undefined; a warning for each would add nothing.
        values = [np.zeros(0), *(_values(chosen, ties, ranking) for ranking in parts)]
    return PerRanking(name, names, np.concatenate(values), zero, is_chance, rule)


def _of_rankings(name: str) -> Measure:
    """The measure of rankings with this name; recall needs a cutoff, as these rankings have all
    items.
    """
    named = named_measure(name)
    if named.declaration.means_list and not named.declaration.means_set:
        raise MeasureError(
            f"{named.name} of a ranking of everything is 1", remedy=f"write {named.name}@k"
        )
    return named.of_rankings()


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


def value_of_curve(measure: OfCurves, path: Curve, ties: str | None) -> float:
    """A measure of one ranking."""
    _check_measure(measure)
    return path.value(measure, ties) if isinstance(measure, str | Measure) else measure(path)
