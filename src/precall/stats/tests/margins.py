"""Tests of a margin for two areas under ROC, and for two shares of right decisions about the same
items: that they are equivalent, or the first not worse.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from precall.core.notes import Note
from precall.core.notes.of_comparisons import (
    DelongOfMargin,
    FewDiscordant,
    FewGroupsDiffer,
    UndefinedP,
)
from precall.core.ragged import Bool, Float64, Int64
from precall.stats import influence, quantiles
from precall.stats.scipy import special
from precall.stats.tests.comparisons import bounds
from precall.stats.tests.equivalence import Equivalence
from precall.stats.tests.signflip import LEAST
from precall.stats.tests.tango import score_statistic
from precall.stats.tests.two_areas import TwoAreas

#: Level of these tests: one-sided at 2.5 %, as is usual for trials.
LEVEL = 0.975
#: Tests of two areas, and of two shares; the default first.
OF_AREAS, OF_SHARES = ("mover", "delong"), ("tango", "t")
#: With an area above the first, or fewer cases of a class than the second, DeLong's test of a
#: margin rejects too often.
_HIGH, _FEW = 0.9, 50
#: Bisections for a bound of Tango's.
_HALVINGS = 60
#: With fewer items on which the systems differ, Tango's test is a rough approximation; with fewer
#: groups, Student's t, which rejects up to twice too often.
_FEW_DISCORDANT = 5


class Claim(NamedTuple):
    """What is to be shown: names of both systems, kind, margin and level."""

    names: tuple[str, str]
    measure: str
    kind: str
    margin: float
    level: float

    def result(
        self,
        difference: float,
        ends: tuple[float, float],
        tails: tuple[float, float],
        *,
        test: str,
        interval: str,
        size: int,
        unit: str,
        notes: tuple[Note, ...],
    ) -> Equivalence:
        """The result. `ends` are of the interval at 2 level - 1; `tails` p of a difference above
        -margin, and of one below it.
        """
        low, high = ends
        needed = -low if self.kind == "not worse" else max(-low, high)
        shown = bounds(low, high)
        return Equivalence(
            names=self.names,
            measure=self.measure,
            kind=self.kind,
            margin=self.margin,
            difference=difference,
            low=shown[0],
            high=shown[1],
            level=self.level,
            p_low=max(tails[0], LEAST),
            p_high=max(tails[1], LEAST),
            test=test,
            size=size,
            needed=needed if needed != needed else max(0.0, needed),
            notes=notes,
            interval=interval,
            unit=unit,
        )

    def ends(self, bounds_at: Callable[[float], tuple[float, float]]) -> tuple[float, float]:
        """The ends of the interval, which are the one-sided bounds; NaN if its level is 0 or
        less.
        """
        two_sided = 2 * self.level - 1
        return bounds_at(two_sided) if two_sided > 0 else (math.nan, math.nan)


def _both_tails(
    tail: Callable[[float], float], difference: float, margin: float
) -> tuple[float, float]:
    """p of a difference above -margin and of one below the margin, from the lesser p of a limit."""
    above, below = tail(-margin), tail(margin)
    return (
        above if difference >= -margin else 1 - above,
        below if difference <= margin else 1 - below,
    )


def areas_within(
    pair: TwoAreas, claim: Claim, test: str, size: int, freedom: float, notes: tuple[Note, ...]
) -> Equivalence:
    """The test of two areas; `freedom` is that of DeLong's test: infinite, or of groups, or Welch's
    of cohorts.
    """
    estimates, nothing = pair.estimates, (math.nan, math.nan)
    why = pair.why or ("the variance is 0" if test == "delong" and not pair.error else "")
    if why:
        tails, ends = nothing, nothing
        notes = (*notes, UndefinedP("", why, False))
    elif test == "mover":
        tails = _both_tails(estimates.tail, estimates.difference, claim.margin)
        ends = claim.ends(estimates.bounds)
    else:
        tails = _both_tails(
            lambda limit: pair.tail(limit, freedom), estimates.difference, claim.margin
        )
        ends = claim.ends(lambda level: pair.bounds_by_t(level, freedom))
        highest = max(pair.first.value, pair.second.value)
        scarcest = min(pair.first.trials, pair.second.trials)
        if highest > _HIGH or scarcest < _FEW:
            notes = (*notes, DelongOfMargin("", highest, scarcest))
    return claim.result(
        estimates.difference,
        ends,
        tails,
        test=test,
        interval=test,
        size=size,
        unit="cases",
        notes=notes,
    )


def shares_within(
    first: Bool, second: Bool, claim: Claim, test: str, group: Int64 | None
) -> Equivalence:
    """The test of two shares of right decisions about the same items, by Tango's score statistic;
    with groups by Student's t of their sums.
    """
    items = len(first)
    only_a, only_b = int((first & ~second).sum()), int((~first & second).sum())
    difference = (only_a - only_b) / items
    notes: tuple[Note, ...] = ()
    if test == "tango":
        if only_a + only_b < _FEW_DISCORDANT:
            notes = (FewDiscordant("", only_a + only_b, items),)

        def tail(limit: float) -> float:
            z = float(score_statistic(only_a, only_b, items, limit))
            return float(special().ndtr(-abs(z)))

        ends = claim.ends(lambda level: _tango_bounds(only_a, only_b, items, level))
    else:
        member = np.arange(items) if group is None else group
        each = (first.astype(np.float64) - second - difference) / items
        error, freedom = _of_groups(each, member)
        # Of single items the difference of a group is that of the item.
        differ = int(np.count_nonzero(np.bincount(member, first.astype(np.float64) - second)))
        if group is not None and differ < _FEW_DISCORDANT:
            notes = (FewGroupsDiffer("", differ),)
        if not error:
            # The same difference in each group says nothing of how much other groups would differ.
            notes = (*notes, UndefinedP("", "the variance is 0", False))

        def tail(limit: float) -> float:
            if not error:
                return math.nan
            return float(special().stdtr(freedom, -abs(difference - limit) / error))

        def bounds_at(level: float) -> tuple[float, float]:
            half = quantiles.t(level, freedom) * error if error else math.nan
            return difference - half, difference + half

        ends = claim.ends(bounds_at)
    return claim.result(
        difference,
        ends,
        _both_tails(tail, difference, claim.margin),
        test=test,
        interval=test,
        size=items,
        unit="items",
        notes=notes,
    )


def _of_groups(each: Float64, member: Int64) -> tuple[float, float]:
    """Standard error of a sum over groups, and its degrees of freedom."""
    all_relevant, ones = np.ones(len(each), np.bool_), np.ones(len(each))
    sums = influence.sums_of_groups(each, all_relevant, ones, member)
    sizes = np.bincount(member)
    effective = float(sizes.sum() ** 2 / (sizes.astype(np.float64) ** 2).sum())
    error = math.sqrt(float(sums @ sums))
    return error, influence.freedom_of_groups(sums, effective)


def _tango_bounds(only_a: int, only_b: int, items: int, level: float) -> tuple[float, float]:
    """The differences that Tango's test does not reject."""
    z, difference = quantiles.z(level), (only_a - only_b) / items
    ends = []
    for sign in (-1, 1):
        near, far = difference, float(sign)
        for _ in range(_HALVINGS):
            middle = (near + far) / 2
            statistic = float(score_statistic(only_a, only_b, items, middle))
            near, far = (middle, far) if abs(statistic) <= z else (near, middle)
        ends.append(near)
    return ends[0], ends[1]
