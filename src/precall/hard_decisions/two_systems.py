"""Hard decisions of two systems on the same items: how exchanging them changes a measure of
counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from precall.cases.scored_cases import members
from precall.core.arguments import check_beta, choose
from precall.core.counts import Counts
from precall.core.errors import Mistake, UsageError
from precall.core.notes import Note, collect_notes, keep_notes, warn
from precall.core.notes.of_comparisons import (
    EitherClass,
    FewGroupsDiffer,
    FewGroupsOfCategory,
    NoRatio,
    RatioOfValues,
)
from precall.core.notes.of_decisions import LeftOut, OneCategory, UndefinedForSystems
from precall.core.notes.of_intervals import FewItems
from precall.core.ragged import Bool, Float64, Int64
from precall.core.rng import Rng
from precall.core.text import plain_label
from precall.core.undefined import apply_undefined
from precall.hard_decisions.distances import check_order, tell_order, with_distances
from precall.hard_decisions.membership import Membership
from precall.hard_decisions.outcomes import AVERAGED, AVERAGES, NOT_BINARY, Decisions
from precall.hard_decisions.sampled_tables import averages_of, averages_without, joint_value
from precall.hard_decisions.tables_by_group import tables_by_group
from precall.measures import Measure, measure_and_average, weighted
from precall.stats.intervals.few_errors import warn_of_few
from precall.stats.intervals.grouped_tables import FEWEST_GROUPS, FEWEST_OF_A_KIND
from precall.stats.intervals.interval import Interval
from precall.stats.intervals.methods import choose_method, find_method
from precall.stats.intervals.of_tables import (
    FEWEST,
    ItemCategories,
    Memberships,
    WithoutEach,
    of_averages,
)
from precall.stats.scipy import sparse
from precall.stats.tests import (
    OF_BOTH,
    OF_CLASSES,
    OF_DECIDED,
    OF_DIFFERENCES,
    OF_GROUPS,
    OF_PREDICTIVE,
    ON_TABLES,
    QUOTIENTS,
    tests_of_counts,
    two_tables,
)
from precall.stats.tests.matched import differences
from precall.stats.tests.order import (
    UInt64,
    bounds_in_call_order,
    codes,
    codes_of_groups,
    is_second_first,
)
from precall.stats.tests.paired import Result, t_interval
from precall.stats.tests.swapping import Changes, Valued, gap, of_tables

#: The mistake of decisions about no items.
NO_ITEMS = Mistake("there are no items to compare on", "give the decisions of at least one item")


@dataclass(frozen=True, slots=True, eq=False)
class TwoSystems:
    """Decisions of two systems, and the measure by which they are compared."""

    truth: Membership
    systems: tuple[Decisions, Decisions]
    measure: Measure
    average: str | None

    @classmethod
    def of(
        cls,
        truth: Membership,
        predicted: Sequence[Membership],
        measure: str | Measure,
        beta: float,
        average: str | None,
    ) -> TwoSystems:
        """Two systems with a measure by name, which may include the average."""
        averages = [name for name in AVERAGES if name != "each"]
        alone = average == "binary" and truth.kind == "binary"
        average = None if alone else choose("average", average, averages, AVERAGED, NOT_BINARY)
        chosen, way = measure_and_average(measure, average)
        if check_beta(beta) != 1:
            chosen = weighted(chosen.declaration.name, beta)
        if not truth.items:
            raise NO_ITEMS.error("truth")
        if chosen.is_ordered:
            check_order(chosen, truth, way)
            if truth.kind == "single":
                truth, *predicted = with_distances(truth, predicted)
        first, second = (Decisions(truth, system) for system in predicted)
        return cls(truth, (first, second), chosen, way)

    @property
    def name(self) -> str:
        """Name of the compared measure with its average; for cells "cell accuracy" and "cell
        error".
        """
        name, declared = self.measure.name, self.measure.declaration
        if declared.items is not None:
            name = name.lower() if self.average is None else f"cell {name.lower()}"
        elif self.truth.kind != "binary" and self.average in (None, "micro") and not self._joint:
            name = f"micro-{name}"
        if self.average == "weighted" and declared.items is None:
            return replace(self.measure, average=self.average).name
        return name if self.average in (None, "micro") else f"{self.average}-{name}"

    @property
    def tests(self) -> tuple[str, ...]:
        """Names of the tests; McNemar's only for measures that count right decisions."""
        declared = self.measure.declaration
        of_rights = declared.items is not None and self.average in (None, "micro")
        matched = of_rights or (declared.name in QUOTIENTS and self._sums_categories)
        return tests_of_counts(
            declared.name, declared.proportion, of_rights, self._is_one_table, matched
        )

    @property
    def _is_one_table(self) -> bool:
        """Whether the measure is of a yes or no about each item."""
        return self.truth.kind == "binary" and self.average in (None, "micro")

    @property
    def _counts_rights(self) -> bool:
        """Whether the measure is a share of the same items for both systems, each right or wrong:
        those of a class, or all.
        """
        declared = self.measure.declaration
        if declared.items is not None:
            return self.average is None or self._is_one_table
        return self._is_one_table and declared.proportion in OF_CLASSES

    def check_test(self, test: str | None, groups: object) -> None:
        """An error if a test is of items, and there are groups, or the reverse."""
        if test in OF_GROUPS and groups is None:
            raise UsageError(
                argument="test",
                got=test,
                why="which is of items in groups",
                remedy="pass ⟨groups=⟩, or take ⟨test='mcnemar'⟩",
            )
        if groups is not None and test in ON_TABLES and test not in OF_GROUPS:
            raise UsageError(
                argument="test",
                got=test,
                why="which takes items as independent, but there are groups",
                remedy="take ⟨test='obuchowski'⟩, or ⟨test='randomization'⟩"
                if self._counts_rights
                else "take ⟨test='randomization'⟩",
            )

    def rights(self, changes: Changes) -> Int64:
        """How many more decisions of each unit are right in the first system than in the second, of
        those that the measure counts.
        """
        share = self.measure.declaration.proportion
        if self.measure.declaration.items is None and share in OF_CLASSES:
            dense = changes.change.toarray()
            return np.asarray(dense[:, 0] if share == OF_CLASSES[0] else -dense[:, 1], np.int64)
        return changes.right

    def result(self, test: str, changes: Changes) -> Result:
        """The result of a test on the joint table, or on its groups."""
        if test in OF_PREDICTIVE:
            return self._joint_tables().weighted_score(
                accepted=self.measure.declaration.proportion == OF_DECIDED[0]
            )
        if test in OF_BOTH:
            found, lost = changes.change.toarray().T * np.array([[1], [-1]])
            result = two_tables.mcnemar(_discordant(found), _discordant(lost))
            is_split = int(found.sum()) * int(lost.sum()) < 0
            return result._replace(notes=(EitherClass(""),)) if is_split else result
        rights = self.rights(changes)
        if test in OF_GROUPS:
            return two_tables.obuchowski(rights.astype(np.float64))
        return two_tables.mcnemar(_discordant(rights))

    def _joint_tables(self) -> two_tables.TwoTables:
        yes = [np.zeros(self.truth.items, np.bool_) for _ in range(3)]
        parts = (self.truth, *(system.predicted for system in self.systems))
        for answers, part in zip(yes, parts, strict=True):
            answers[part.item] = True
        return two_tables.TwoTables(self.measure, two_tables.joint_table(*yes))

    def interval_method(self, method: str | None, groups: object) -> str | None:
        """The method of the interval of the difference: the one asked for, or that of the measure;
        None if there is none.
        """
        of_units = self._is_one_table or self._counts_rights
        if not self.measure.declaration.direction and method is None:
            # Prevalence is the same for both.
            return None
        if groups is not None:
            if method is not None and find_method(("t",), method) is None:
                raise UsageError(
                    argument="interval",
                    what="groups have no interval of another method than 't'",
                    remedy="leave out ⟨interval=⟩ or ⟨groups=⟩",
                )
            if of_units or self._how in ("micro", "macro", "weighted"):
                return "t"
            if method is None:
                return None
            raise UsageError(
                argument="interval",
                what=f"{self.name} has no interval with groups",
                remedy="leave out ⟨interval=⟩ or ⟨groups=⟩",
            )
        if method is None:
            return "tango" if self._counts_rights else "mover" if of_units else None
        allowed = [name for name in OF_DIFFERENCES if name not in ("tango", "mover")]
        allowed += ["tango"] * self._counts_rights + ["mover"] * of_units
        chosen: str = choose_method(allowed, method, "interval")
        return chosen

    def _of_units(self, method: str, level: float, groups: object) -> Interval:
        """The interval of the difference by the joint table, or by groups."""
        _, difference = self.changes().values()
        low, high = math.nan, math.nan
        with collect_notes() as noticed:
            if groups is not None:
                low, high = self._in_groups(groups).bounds(level)
                differ = len(np.unique(self.changes(groups).change.nonzero()[0]))
                if differ < FEWEST_OF_A_KIND:
                    warn(FewGroupsDiffer(self.name, differ))
                elif self._how == "macro" and not self._is_one_table:
                    self._warn_of_rare(groups)
            elif self._counts_rights:
                make = two_tables.tango if method == "tango" else two_tables.newcombe
                if (table := self._paired_table()).items:
                    low, high = make(table, level)
            else:
                low, high = self._joint_tables().mover(level)
        least, greatest = self.measure.declaration.range
        reach = float(greatest - least)
        if method == "t":
            low, high = max(low, -reach), min(high, reach)
        return Interval(difference, low, high, level, method, self.name, notes=tuple(noticed))

    def _paired_table(self) -> two_tables.PairedTable:
        """The items that the measure counts, by which system has the counted outcome."""
        declared = self.measure.declaration
        if declared.items is None:
            share = declared.proportion
            assert share is not None
            return two_tables.paired_table(self._joint_tables().joint, *share)
        first, second = (
            system.right() if declared.direction > 0 else ~system.right() for system in self.systems
        )
        counts = (first & second, first & ~second, ~first & second, ~first & ~second)
        return two_tables.PairedTable(*(int(np.count_nonzero(which)) for which in counts))

    def _in_groups(self, groups: object) -> two_tables.DifferenceInGroups:
        """Both values and the residuals of the groups."""
        if self._is_one_table or self._counts_rights or self._sums_categories:
            return two_tables.DifferenceInGroups.of(self.measure, self._tables_by_group(groups))
        member = members(groups, self.truth.items)
        every = range(len(self.truth.categories))
        first, second = (
            map(partial(tables_by_group, system, member), every) for system in self.systems
        )
        return two_tables.DifferenceInGroups.of_averages(
            self.measure, (first, second), is_weighted=self.average == "weighted"
        )

    def _warn_of_rare(self, groups: object) -> None:
        """Note a category that few groups have: it counts as much as others in the average."""
        member = members(groups, self.truth.items)
        sides = (self.truth, *(system.predicted for system in self.systems))
        width = len(self.truth.categories)
        keys = [np.unique(member[side.item] * width + side.category) for side in sides]
        seen = np.bincount(np.unique(np.concatenate(keys)) % width, minlength=width)
        place = int(np.argmin(np.where(seen, seen, np.iinfo(seen.dtype).max)))
        if 0 < seen[place] < FEWEST_GROUPS:
            rare = plain_label(self.truth.categories[place])
            warn(FewGroupsOfCategory(self.name, rare, int(seen[place])))

    def _tables_by_group(self, groups: object) -> tuple[Float64, Float64]:
        """The table of either system in each group, groups x cells; of several categories their
        sums.
        """
        member = members(groups, self.truth.items)
        if self._sums_categories and not self._counts_rights:
            first, second = (tables_by_group(system, member, None) for system in self.systems)
            return first, second
        if self._is_one_table:
            first, second = (tables_by_group(system, member) for system in self.systems)
            return first, second
        size = np.bincount(member).astype(np.float64)
        right = (np.bincount(member, system.right()) for system in self.systems)
        first, second = (
            np.stack([of_group, size - of_group, 0 * size, 0 * size], axis=1) for of_group in right
        )
        return first, second

    def ratio(
        self, label: str, level: float, names: tuple[str, str], groups: object = None
    ) -> tuple[RatioOfValues | NoRatio]:
        """A note of the ratio of both values, with its interval; `label` names the measure."""
        if not (self._is_one_table or self._counts_rights):
            raise UsageError(
                argument="ratio",
                what=f"{self.name} is an average over categories",
                remedy="leave ⟨ratio=⟩ out, or choose one category by ⟨positive=⟩",
            )
        if groups is not None:
            tables = self._tables_by_group(groups)
            found = two_tables.DifferenceInGroups.of(self.measure, tables).ratio(level)
        elif self._is_one_table:
            found = self._joint_tables().ratio(level)
        else:
            found = two_tables.ratio_of_shares(self._paired_table(), level)
        return (NoRatio("") if found is None else RatioOfValues("", label, *found, level, names),)

    @property
    def _joint(self) -> bool:
        declared = self.measure.declaration
        one_each = self.truth.kind == "single" or self.measure.is_ordered
        return (
            self.average is None
            and declared.joint is not None
            and one_each
            and self.truth.kind != "binary"
        )

    @property
    def _sums_categories(self) -> bool:
        return self.average in (None, "micro") and not self._joint

    def changes(self, groups: object = None) -> Changes:
        """The units of exchange: items, or whole groups of items, and the change that each
        makes.
        """
        items = self.truth.items
        member = np.arange(items) if groups is None else members(groups, items)
        change = self._change(member)
        right = change @ np.repeat([1, -1], change.shape[1] // 2)
        of_items = self._of_items()
        if of_items is None:
            return Changes(self._totals(), change, right, self._value())
        # Sorted values are summed, so that sums do not depend on the order of items.
        gain = of_items[0] - of_items[1]
        if groups is not None:
            order = np.lexsort((gain, member))
            gain = np.bincount(member[order], gain[order], change.shape[0])
        if self.average is None:
            right = np.rint(gain * self.measure.declaration.direction).astype(np.int64)
        totals = np.sort(of_items).sum(axis=1, keepdims=True)
        count = items - int(np.count_nonzero(self._left_out()))
        return Changes(
            totals,
            sparse().csr_array(gain[:, None]),
            right,
            lambda some: np.asarray(some[..., 0] / count),
        )

    @property
    def weighs_unlike(self) -> bool:
        """Whether items that differ add different amounts to the measure. With recall and accuracy,
        which count right decisions, they do not.
        """
        return (
            self.measure.declaration.items is None
            and self.measure.declaration.proportion not in OF_CLASSES
        )

    def matched(self, groups: object = None) -> Float64:
        """Differences of matched pairs (items or groups), whose sum is 0 if the measure is equal
        for both systems.
        """
        changes = self.changes(groups)
        declared, change = (
            self.measure.declaration,
            np.asarray(changes.change.todense(), np.float64),
        )
        if declared.items is not None:
            # Decisions about items, or (for cells) about pairs of item and category.
            return change[:, 0] if change.shape[1] == 1 else change[:, 0] - change[:, 1]
        units = len(change)
        member = (
            np.arange(self.truth.items) if groups is None else members(groups, self.truth.items)
        )
        true, *predicted = (
            np.bincount(member[membership.item], minlength=units) > 0
            for membership in (self.truth, *(system.predicted for system in self.systems))
        )
        totals, beta = changes.totals.astype(np.float64), self.measure.parameters.get("beta", 1.0)
        return differences(
            declared.name,
            beta,
            totals,
            change,
            len(self.truth.keys),
            (true, predicted[0] | predicted[1]),
        )

    def interval(
        self, method: str, level: float, rng: Rng, resamples: int = 2000, groups: object = None
    ) -> Interval:
        """Interval of the difference by a method of `interval_method`. By the bootstrap, items are
        resampled together with the decisions of both systems.
        """
        if method in ("tango", "mover", "t"):
            return self._of_units(method, level, groups)
        (first, second), difference = self.changes().values()
        of_items = self._of_items()
        if of_items is not None:
            with collect_notes():
                return self._of_mean(gap(*of_items)[~self._left_out()], difference, level)
        turned = (
            first < second
            if first != second
            else is_second_first(self._codes(), self._swap()._codes())
        )
        if turned:
            interval = self._swap().interval(method, level, rng, resamples)
            low, high = bounds_in_call_order(*interval.ends, turned)
            return replace(interval, estimate=difference, low=low, high=high)
        width = len(self.truth.categories)

        def both(parts: Sequence[Membership]) -> ItemCategories:
            # The second system's tables come after those of the first.
            return ItemCategories(*_append(parts, width))

        pairs = (
            both([self.truth, self.truth]),
            both([system.predicted for system in self.systems]),
            both([system._both for system in self.systems]),
        )
        every = Memberships(*pairs, np.ones(self.truth.items, np.int64), 2 * width)
        # The warnings are in its notes, which the comparison takes over.
        with collect_notes():
            interval = of_averages(
                lambda tables: gap(
                    self._of_tables(tables[:width]), self._of_tables(tables[width:])
                ),
                difference,
                self.name,
                every,
                level=level,
                method=method,
                rng=rng,
                resamples=resamples,
                seen=self._differing(),
                left_out=self._without_each(),
            )
        low, high = bounds_in_call_order(*interval.ends, turned)
        return replace(interval, low=low, high=high)

    def _without_each(self) -> WithoutEach | None:
        """The differences with one item left out; None where they need whole tables."""
        of_one = None if self._joint else averages_without(self.measure, self._how, "zero")
        if of_one is None:
            return None
        width = len(self.truth.categories)

        def of_both(every: Memberships, kinds: Int64) -> Float64:
            first, second = (
                self._defined(of_one(every.among(begin, begin + width), kinds))
                for begin in (0, width)
            )
            return gap(first, second)

        return of_both

    def _swap(self) -> TwoSystems:
        """The same with the second system first."""
        return replace(self, systems=self.systems[::-1])

    def _codes(self) -> UInt64:
        """A number for each item, from its true categories and the decisions of both systems;
        independent of the order of items.
        """
        width = len(self.truth.categories)
        parts = (self.truth, *(system.predicted for system in self.systems))
        item, category = _append(parts, width)
        return codes_of_groups(codes(category), item)

    def _differing(self) -> dict[str, int]:
        """The number of items that the systems decide differently; only these contribute to a
        difference.
        """
        width = len(self.truth.categories)
        first, second = (system.predicted.keys for system in self.systems)
        apart = np.setxor1d(first, second, assume_unique=True) // width
        return {"items decided differently": len(np.unique(apart))}

    @keep_notes
    def _of_mean(self, each: Float64, difference: float, level: float) -> Interval:
        """Student's interval of a mean over items of their differences, cut to the possible range
        of differences.
        """
        low, high = t_interval(np.sort(each), level)
        least, greatest = self.measure.declaration.range
        reach = float(greatest - least)
        if len(each) < FEWEST:
            warn(FewItems(self.name, len(each)))
        elif low < high:
            warn_of_few(self.name, self._differing())
        return Interval(difference, max(low, -reach), min(high, reach), level, "t", self.name)

    def _of_tables(self, tables: Counts) -> Float64:
        """The measure of tables, categories x samples; undefined values count as in comparisons of
        systems.
        """
        if self._joint and self.measure.joint is not None:
            return self._defined(joint_value(self.measure.joint, tables))
        return self._defined(averages_of(self.measure, self._how, "zero", tables))

    @property
    def _how(self) -> str | None:
        """How values of categories become one."""
        return "micro" if self._sums_categories else self.average

    def _defined(self, values: Float64) -> Float64:
        return apply_undefined(values, "zero", zero=self.measure.declaration.zero)

    def label_notes(self, names: tuple[str, str]) -> tuple[Note, ...]:
        """What was noticed about the labels; see `notes_of_labels`."""
        return notes_of_labels(self.systems, names)

    def notes(self, names: tuple[str, str]) -> tuple[Note, ...]:
        """Notes for the reader: undefined values, and averages over a single category."""
        remarks: list[Note] = []
        if self.truth.kind == "binary" and self.average in ("macro", "weighted"):
            remarks.append(OneCategory(f"{self.average}-average"))
        if self.measure.is_ordered and self._joint:
            # The distances follow the categories.
            count = (len(self.truth.categories) + 1) // 2
            remarks.append(tell_order(self.measure, self.truth.categories[:count]))
        if (
            self.average is not None
            and not self.measure.declaration.chance_is_zero
            and not self._sums_categories
        ):
            values = self.measure.of_table(self.systems[0].counts(self.average))
            if missing := int(np.isnan(values).sum()):
                over = "items" if self.average == "samples" else "categories"
                remarks.append(LeftOut(self.name, missing, len(values), over))
        if self._of_items() is not None or not (self._sums_categories or self._joint):
            return tuple(remarks)
        raw, declared = self._value(np.nan), self.measure.declaration
        lost = [
            name
            for name, totals in zip(names, self._totals(), strict=True)
            if np.isnan(raw(totals))
        ]
        if lost:
            # Sorted by name, so that the order of the systems does not matter.
            systems = tuple(sorted(lost))
            remarks.append(
                UndefinedForSystems(self.name, systems, declared.undefined, declared.zero)
            )
        return tuple(remarks)

    def _value(self, zero: float | None = None) -> Valued:
        relevant, items = self.truth.per_category(), self.truth.items
        if self._sums_categories:
            relevant, items = relevant.sum(keepdims=True), items * len(relevant)
        return of_tables(
            self.measure,
            relevant,
            items,
            self.average,
            self._joint,
            self.measure.declaration.zero if zero is None else zero,
        )

    def _of_items(self) -> Float64 | None:
        """A value per system and item if the measure is their mean; None if it is computed from
        tables.
        """
        items = self.measure.declaration.items
        if self.average != "samples" and (items is None or self.average is not None):
            return None
        tables = [system.counts("samples") for system in self.systems]
        if items is not None and self.average is None:
            return np.stack([np.asarray(items(table), np.float64) for table in tables])
        zero = self.measure.declaration.zero
        values = np.stack(
            [apply_undefined(self.measure.of_table(table), "zero", zero=zero) for table in tables]
        )
        return np.where(self._left_out(), 0.0, values)

    def _left_out(self) -> Bool:
        """Items for which the measure is undefined and which no mean over items counts."""
        if self.average != "samples" or self.measure.declaration.chance_is_zero:
            return np.zeros(self.truth.items, np.bool_)
        values = [self.measure.of_table(system.counts("samples")) for system in self.systems]
        return np.asarray(np.isnan(values).any(axis=0), np.bool_)

    def _totals(self) -> Int64:
        """True positives of each category, then false positives, for each system."""
        tables = [
            system.counts("micro" if self._sums_categories else None) for system in self.systems
        ]
        return np.array([np.hstack((table.tp, table.fp)) for table in tables], np.int64)

    def _change(self, member: Int64) -> Any:
        """How many more of these the first system has in each unit."""
        width = len(self.truth.categories)
        first, second = (system.predicted.keys for system in self.systems)
        keys = np.setxor1d(first, second, assume_unique=True)
        columns = 1 if self._sums_categories else width
        category = keys % columns
        column = np.where(np.isin(keys, self.truth.keys), category, columns + category)
        sign = np.where(np.isin(keys, first), 1, -1)
        shape = (int(member.max()) + 1, 2 * columns)
        return sparse().csr_array((sign, (member[keys // width], column)), shape=shape)


def columns_of_two(
    truth: object, first: object, second: object, names: tuple[str, str]
) -> dict[str, Any]:
    """The truth and the decisions of two systems, by the names that messages call them.

    Examples
    --------
    >>> list(columns_of_two([1], [1], [0], ("old", "new")))
    ['truth', 'old', 'new']
    """
    first_name, second_name = ("a", "b") if "truth" in names else names
    return {"truth": truth, first_name: first, second_name: second}


def notes_of_labels(
    systems: tuple[Decisions, Decisions], names: tuple[str, str]
) -> tuple[Note, ...]:
    """What was noticed about the labels of two systems; notes about one alone have its name."""
    every = [system.notes for system in systems]
    both = [note for note in every[0] if note in every[1]]
    own = [
        note.within(name)
        for name, notes in zip(names, every, strict=True)
        for note in notes
        if note not in both
    ]
    return (*both, *own)


def _discordant(rights: Int64) -> tuple[int, int]:
    """How many units speak for the first system, and how many for the second."""
    return int(np.count_nonzero(rights > 0)), int(np.count_nonzero(rights < 0))


def _append(parts: Sequence[Membership], width: int) -> tuple[Int64, Int64]:
    """Items and categories of several memberships, each with `width` categories of its own."""
    item = np.concatenate([membership.item for membership in parts])
    shifted = [membership.category + at * width for at, membership in enumerate(parts)]
    return item, np.concatenate(shifted)
