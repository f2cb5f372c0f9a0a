"""Hard decisions of two systems on the same items: what an exchange of theirs changes of a measure of counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from precall.checks import check_beta
from precall.contingency.membership import ONE_CATEGORY, Membership
from precall.contingency.outcomes import AVERAGES, Decisions
from precall.curves.cases import members
from precall.errors import DataError, Problem, UsageError
from precall.infer.compare import OF_DECISIONS
from precall.infer.compare.swapping import Exchange, Valued, of_tables
from precall.measures import Measure, of_counts, weighted
from precall.ragged import Float64, Int64
from precall.undefined import treated, zero_of


@dataclass(frozen=True, slots=True, eq=False)
class TwoSystems:
    """Decisions of two systems, and the measure by which they are compared."""

    truth: Membership
    said: tuple[Membership, Membership]
    measure: Measure
    average: str | None

    @classmethod
    def of(
        cls,
        truth: Membership,
        said: tuple[Membership, Membership],
        measure: str | Measure,
        beta: float,
        average: str | None,
    ) -> TwoSystems:
        """With a measure by its name, which can say the average, too."""
        chosen = of_counts(measure, averaged=True)
        if chosen.average and average not in (None, chosen.average):
            raise UsageError(
                f"average: got {average!r}, but {chosen.name} says {chosen.average}; leave one out"
            )
        plain = (
            replace(chosen, average="") if check_beta(beta) == 1 else weighted(chosen.declaration.name, beta)
        )
        return cls(truth, said, plain, chosen.average or average)

    def __post_init__(self) -> None:
        if self.average not in AVERAGES or self.average == "each":
            allowed = ", ".join(str(name) for name in AVERAGES if name != "each")
            raise UsageError(f"average: got {self.average!r}, allowed are {allowed}")
        if not self.truth.items:
            what = "there are no items to compare on"
            raise DataError([Problem("truth", None, what, "give the decisions of one item at least")])

    @property
    def name(self) -> str:
        """What is compared; of cells accuracy and error are called so."""
        name, declared = self.measure.name, self.measure.declaration
        if declared.items is not None:
            name = name.lower() if self.average is None else f"cell {name.lower()}"
        elif declared.joint is not None and self.truth.kind == "single" and self.average == "micro":
            name = f"micro-{name}"
        return name if self.average in (None, "micro") else f"{self.average}-{name}"

    @property
    def tests(self) -> tuple[str, ...]:
        """Names of tests; McNemar's asks how many decisions are right."""
        of_rights = self.measure.declaration.items is not None and self.average in (None, "micro")
        return OF_DECISIONS if of_rights else OF_DECISIONS[:1]

    @property
    def _joint(self) -> bool:
        declared = self.measure.declaration
        return self.average is None and declared.joint is not None and self.truth.kind == "single"

    @property
    def _summed(self) -> bool:
        return self.average in (None, "micro") and not self._joint

    def exchange(self, groups: Any = None) -> Exchange:
        """What is exchanged: items, or groups of them as a whole."""
        items = self.truth.items
        member = np.arange(items) if groups is None else members(groups, items)
        units, change = int(member.max()) + 1, self._change(member)
        half = change.shape[1] // 2
        right = change[:, :half].sum(axis=1) - change[:, half:].sum(axis=1)
        of_items = self._of_items()
        if of_items is None:
            return Exchange(self._totals(), change, right, units, self._value())
        change = np.bincount(member, of_items[0] - of_items[1], units)[:, None]
        right = (
            right
            if self.average
            else np.rint(change[:, 0] * self.measure.declaration.direction).astype(np.int64)
        )
        return Exchange(
            (of_items @ np.ones(items))[:, None],
            change,
            right,
            units,
            lambda totals: np.asarray(totals[..., 0] / items),
        )

    def notes(self, names: tuple[str, str]) -> tuple[str, ...]:
        """What is to be known: undefined values, and what averages over one category are."""
        remarks: tuple[str, ...] = ()
        if self.truth.kind == "binary" and self.average in ("macro", "weighted"):
            remarks = (f"{self.average}-average of {ONE_CATEGORY}",)
        if self._of_items() is not None or not (self._summed or self._joint):
            return remarks
        raw = self._value(np.nan)
        lost = [name for name, totals in zip(names, self._totals(), strict=True) if np.isnan(raw(totals))]
        if not lost:
            return remarks
        why = self.measure.declaration.undefined
        return (
            *remarks,
            f"{self.name} is undefined for {' and '.join(lost)} ({why}); counted as {self._zero:g}",
        )

    @property
    def _zero(self) -> float:
        declared = self.measure.declaration
        return zero_of(declared.direction, declared.range[1])

    def _value(self, zero: float | None = None) -> Valued:
        relevant, items = self.truth.per_category(), self.truth.items
        if self._summed:
            relevant, items = relevant.sum(keepdims=True), items * len(relevant)
        return of_tables(
            self.measure, relevant, items, self.average, self._joint, self._zero if zero is None else zero
        )

    def _of_items(self) -> Float64 | None:
        """A value per system and item, where the measure is their mean; None where it is of tables."""
        items = self.measure.declaration.items
        if self.average != "samples" and (items is None or self.average is not None):
            return None
        tables = [Decisions(self.truth, system).counts("samples") for system in self.said]
        if items is not None and self.average is None:
            return np.stack([np.asarray(items(table), np.float64) for table in tables])
        return np.stack([treated(self.measure.of_table(table), "zero", zero=self._zero) for table in tables])

    def _totals(self) -> Int64:
        """True positives of each category, then false ones, of either system."""
        totals = []
        for system in self.said:
            tp = Decisions(self.truth, system).counts().tp
            fp = system.per_category() - tp
            totals.append((tp.sum(), fp.sum()) if self._summed else np.concatenate((tp, fp)))
        return np.array(totals, np.int64)

    def _change(self, member: Int64) -> Int64:
        """How many more of them the first system has in each unit; a row for each unit where the two differ."""
        width = len(self.truth.categories)
        first, second = (system.keys for system in self.said)
        keys = np.setxor1d(first, second, assume_unique=True)
        unit, row = np.unique(member[keys // width], return_inverse=True)
        columns = 1 if self._summed else width
        column = np.where(self._summed, 0, keys % width) + np.where(
            np.isin(keys, self.truth.keys), 0, columns
        )
        change = np.zeros((len(unit), 2 * columns), np.int64)
        np.add.at(change, (row, column), np.where(np.isin(keys, first), 1, -1))
        return change
