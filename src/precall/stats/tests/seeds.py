"""Systems with several runs each, such as one for each seed: their means over topics and runs, with
the error from both.

Topics are crossed with the runs of a system, and both are random. The variance of the mean of a
system with k runs on n topics is estimated from the mean squares of its two-way analysis of
variance, in two parts. The part of the topics is the variance of the topics' means, divided by n;
it has the interaction of topics and runs in it. The part of the runs is (mean square of runs - mean
square of the rest) / nk, or 0 if that is negative: what would remain with any number of topics. A
difference of two systems has the variance of its topics, whose values are paired, and the parts of
the runs of either system, which are not paired.

Each part has a half-width by Student's t: the topics with n - 1 degrees of freedom, the runs with
k - 1, and those of two systems by Satterthwaite's rule. That of the interval is the root of the sum
of their squares (MOVER, Zou & Donner 2008). A single t for the whole variance, with Satterthwaite's
degrees of freedom, covers as little as 87 % if a system has two runs that differ much
(docs/why/tests.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np

from precall.core import ragged
from precall.core.arguments import check_choice, check_kind, check_level, choose
from precall.core.errors import Names
from precall.core.methods import NO_DIFFERENCE, Method
from precall.core.notes import Note, collect_notes
from precall.core.notes.of_comparisons import OneRun, UndefinedP
from precall.core.ragged import Float64
from precall.stats import quantiles, skewness
from precall.stats.intervals.mean import mean_over
from precall.stats.intervals.mover import TwoEstimates
from precall.stats.tests import CORRECTIONS, ELSEWHERE, INSTEAD_OF_SEVERAL
from precall.stats.tests.comparisons import (
    Comparison,
    Comparisons,
    Mirror,
    SeveralRuns,
    bounds,
    correct_for_number,
    opposite,
)
from precall.stats.tests.many import build_comparisons
from precall.stats.tests.paired import deviation, effect, notes_of_both, why_no_interval
from precall.stats.tests.pairing import align_values, differences, tell_left_out

#: Tukey's correction needs one value of each system per topic.
_CORRECTIONS = tuple(name for name in CORRECTIONS if name != "tukey")


class ErrorPart(NamedTuple):
    """A part of the squared error of a mean, with its degrees of freedom."""

    square: float = 0.0
    freedom: float = math.inf

    @classmethod
    def sum(cls, first: ErrorPart, second: ErrorPart) -> ErrorPart:
        """Both together, by Satterthwaite's rule."""
        square = first.square + second.square
        if not square:
            return cls()
        shares = [(each.square / square) ** 2 / each.freedom for each in (first, second)]
        return cls(square, 1 / (shares[0] + shares[1]))

    def half(self, level: float) -> float:
        """Half the width of its interval."""
        return quantiles.t(level, self.freedom) * math.sqrt(self.square) if self.square else 0.0

    def around(self, centre: float, level: float) -> tuple[float, float]:
        """Its interval around a centre."""
        half = self.half(level)
        return centre - half, centre + half


class ErrorParts(NamedTuple):
    """The parts that topics and runs have in the squared error of an estimate."""

    topics: ErrorPart
    runs: ErrorPart

    @property
    def error(self) -> float:
        """The standard error."""
        return math.sqrt(self.topics.square + self.runs.square)

    def bounds(self, estimate: float, level: float) -> tuple[float, float]:
        """The interval of the estimate."""
        return self._around(estimate).bounds(level)

    def p(self, difference: float) -> float:
        """Two-sided p of a difference: 1 minus the level at which its interval ends at 0."""
        # Without its sign, so that exchanged systems have the same digits.
        return self._around(abs(difference)).p()

    def _around(self, centre: float) -> TwoEstimates:
        """The estimate with the part of the topics, and 0 with that of the runs."""
        topics, runs = partial(self.topics.around, centre), partial(self.runs.around, 0.0)
        return TwoEstimates(centre, 0.0, topics, runs)


@dataclass(frozen=True, slots=True, eq=False)
class Crossed:
    """The values of one system, topics x runs, and their analysis of variance."""

    runs: tuple[str, ...]
    values: Float64
    means: Float64
    """The mean of each topic over the runs."""
    square_of_runs: float
    square_of_rest: float

    @classmethod
    def of(cls, runs: Sequence[str], values: Float64) -> Crossed:
        """The analysis of these values. Nothing depends on the order of topics or runs."""
        topics, count = values.shape
        means = np.array([ragged.mean(row) for row in values])
        if count < 2 or topics < 2:
            return cls(tuple(runs), values, means, 0.0, 0.0)
        of_runs = np.array([ragged.mean(column) for column in values.T])
        rest = values - means[:, None] - of_runs + ragged.mean(means)
        left = math.fsum((rest * rest).ravel().tolist())
        return cls(
            tuple(runs),
            values,
            means,
            topics * deviation(of_runs) ** 2,
            left / ((topics - 1) * (count - 1)),
        )

    @property
    def part_of_runs(self) -> ErrorPart:
        """What the runs add to the squared error of the mean."""
        topics, count = self.values.shape
        square = max(self.square_of_runs - self.square_of_rest, 0.0) / (topics * count)
        return ErrorPart(square, count - 1) if square else ErrorPart()

    def describe(self, level: float, limits: tuple[float, float] | None) -> SeveralRuns:
        """The mean with its interval, its error, and the standard deviations of its sources.

        Parameters
        ----------
        limits : the least and greatest value of the measure; the interval is cut to them.
        """
        topics, count = self.values.shape
        mean, spread = ragged.mean(self.means), deviation(self.means)
        parts = ErrorParts(ErrorPart(spread**2 / topics, topics - 1), self.part_of_runs)
        low, high = (None, None) if topics < 2 else bounds(*parts.bounds(mean, level))
        if limits is not None and low is not None and high is not None:
            low, high = float(max(low, limits[0])), float(min(high, limits[1]))
        several = count > 1 and topics > 1
        return SeveralRuns(
            self.runs,
            mean,
            low,
            high,
            parts.error,
            math.sqrt(max(spread**2 - self.square_of_rest / count, 0.0)),
            math.sqrt(self.part_of_runs.square * count) if several else math.nan,
            math.sqrt(self.square_of_rest) if several else math.nan,
            topics,
        )

    def notes(self, level: float) -> Iterator[Note]:
        """What limits the interval of the mean."""
        if len(self.means) > 1 and deviation(self.means) > 0:
            with collect_notes() as notes:
                mean_over("topics", self.means, level=level, method="t", measure="")
            yield from notes
        if len(self.runs) == 1:
            yield OneRun("")


def compare_runs_of_systems(
    values_by_run: Mapping[str, object],
    systems: Mapping[str, Sequence[str]],
    *,
    measure: str,
    correction: str = "holm",
    baseline: str | None = None,
    level: float = 0.95,
    unpaired: str = "error",
    higher_is_better: bool = True,
    limits: tuple[float, float] | None = None,
) -> Comparisons:
    """Compare systems, which have one run or more each; see `precall.compare.seeds`.

    Examples
    --------
    >>> values = {
    ...     "a.1": [0.5, 0.7, 0.9, 0.4],
    ...     "a.2": [0.6, 0.7, 0.8, 0.5],
    ...     "b": [0.4, 0.5, 0.6, 0.3],
    ... }
    >>> systems = {"a": ["a.1", "a.2"], "b": ["b"]}
    >>> found = compare_runs_of_systems(values, systems, measure="AP")
    >>> round(found.pairs[0].difference, 4), round(found.pairs[0].p, 4)
    (0.1875, 0.0043)
    """
    correction = choose("correction", correction, _CORRECTIONS, ELSEWHERE, INSTEAD_OF_SEVERAL)
    level = check_level(level)
    if baseline is not None:
        check_kind("baseline", baseline, str, "the name of a system")
        check_choice("baseline", baseline, Names("the systems are", systems))
    matrix, _, dropped = align_values(values_by_run, unpaired)
    column = {run: index for index, run in enumerate(values_by_run)}
    crossed = {
        name: Crossed.of(runs, matrix[:, [column[run] for run in runs]])
        for name, runs in systems.items()
    }
    compared_names = (
        combinations(systems, 2)
        if baseline is None
        else ((name, baseline) for name in systems if name != baseline)
    )
    reach = math.inf if limits is None else limits[1] - limits[0]
    pairs = [
        _compare(crossed, names, measure, level, higher_is_better, dropped, reach)
        for names in compared_names
    ]
    notes = [note.within(name) for name, each in crossed.items() for note in each.notes(level)]
    compared = build_comparisons(
        np.stack([each.means for each in crossed.values()], axis=1),
        list(systems),
        correct_for_number(pairs, correction),
        measure,
        baseline,
        dropped,
        notes,
    )
    described = {name: each.describe(level, limits) for name, each in crossed.items()}
    return replace(compared, anova={}, seeds={measure: described})


def _compare(
    crossed: Mapping[str, Crossed],
    names: tuple[str, str],
    measure: str,
    level: float,
    higher_is_better: bool,
    dropped: int,
    reach: float,
) -> Comparison:
    """The comparison of two systems. No difference is greater than `reach`."""
    first, second = (crossed[name] for name in names)
    # Sorted, so that nothing depends on the order of the topics.
    gaps = np.sort(differences(first.means, second.means))
    difference, spread, size = ragged.mean(gaps), deviation(gaps), len(gaps)
    parts = ErrorParts(
        ErrorPart(spread**2 / size, size - 1),
        ErrorPart.sum(first.part_of_runs, second.part_of_runs),
    )
    low, high, p, method, why = None, None, 1.0, NO_DIFFERENCE, ""
    if size < 2 or not parts.error > 0:
        why = why_no_interval(gaps, spread)
        if difference:
            p, method = math.nan, Method("undefined", undefined=why)
    else:
        below, above = parts.bounds(difference, level)
        low, high = bounds(float(max(below, -reach)), float(min(above, reach)))
        p, method = parts.p(difference), Method("MOVER")

    def remarks(gaps: Float64) -> list[Note]:
        note = skewness.remark(gaps, "t")
        found = tell_left_out(dropped) + ([UndefinedP("", why, False)] if p != p else [])
        return found + [note] * (note is not None)  # type: ignore[list-item]

    notes, swapped = (
        skewness.keep_if_concerned(each, p, level, low is not None)
        for each in notes_of_both(gaps, remarks)
    )
    better = gaps if higher_is_better else -gaps
    wins, losses = int(np.count_nonzero(better > 0)), int(np.count_nonzero(better < 0))
    statistic = difference / parts.error if low is not None else None
    return Comparison(
        names=names,
        measure=measure,
        values=(ragged.mean(first.means), ragged.mean(second.means)),
        difference=difference,
        low=low,
        high=high,
        level=level,
        p=p,
        test="mover",
        method=method,
        size=size,
        wins=wins,
        ties=size - wins - losses,
        losses=losses,
        statistic=statistic,
        effect=None if size < 2 else effect(gaps, spread),
        left_out=dropped,
        higher_is_better=higher_is_better,
        notes=notes,
        mirror=Mirror(method, opposite(statistic), swapped),
        no_interval=why,
        interval="mover",
    )
