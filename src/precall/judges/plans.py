"""How many units people must label, from a pilot or from assumed numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from precall.core.arguments import (
    check_choice,
    check_kind,
    check_level,
    check_number,
    check_positive,
    check_share,
    check_whole,
)
from precall.core.errors import UsageError
from precall.core.notes import Note
from precall.judges.learning import METHOD, OF, OF_CASES, OF_DECISIONS
from precall.judges.results import Judged, JudgedPair, JudgedValue
from precall.results.equality import Equal
from precall.results.sheets import Presented
from precall.stats.double_planning import LEAST, Design, correlation_of_agreement
from precall.stats.intervals.interval import Interval
from precall.stats.tests.power import check_power, topics, topics_for_interval

#: The quantities of a design, by name; None where no number of labels is enough.
Facts: TypeAlias = dict[str, float | int | None]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class JudgePlan(Equal, Presented):
    """How many units people must label, if a judge labels all.

    `plan.labels` is the number for the wanted width or difference, if there is one design only.

    Parameters
    ----------
    designs : by what is measured: the quantities that were given, and those that follow from them,
        by name. A number of labels is None if the judge's units are too few for any; then "units
        for the width" says how many it takes.
    level : nominal coverage of the intervals, and 1 minus the significance level.
    power : the chance of seeing the difference.
    of : "population" or "these", as for `judge`.
    unit : the noun of a unit.
    notes : what was noticed about the data of the pilot.

    Examples
    --------
    >>> from precall import judge
    >>> plan = judge.plan(deviation=0.24, correlation=0.8, units=200, width=0.12)
    >>> plan.labels
    32
    """

    designs: Mapping[str, Facts]
    level: float
    power: float
    of: str = "population"
    unit: str = "unit"
    notes: tuple[Note, ...] = ()

    @property
    def labels(self) -> int | None:
        """How many units people must label, for all that was asked; None if all are too few."""
        if len(self.designs) > 1:
            raise UsageError(
                argument="labels",
                what="there are several designs",
                remedy="ask for plan.designs[name]",
            )
        (facts,) = self.designs.values()
        needed = [facts[name] for name in _NEEDED if name in facts]
        if not needed:
            return None
        return None if None in needed else int(max(filter(None, needed)))

    def __repr__(self) -> str:
        return f"<JudgePlan: {', '.join(self.designs)}, level {self.level:.12g}>"


#: Names of the quantities that say how many labels it takes.
_NEEDED = ("labels for the width", "labels for the difference")


def plan(
    pilot: Judged | JudgedValue | JudgedPair | None = None,
    *,
    width: float | None = None,
    difference: float | None = None,
    labels: int | None = None,
    deviation: float | None = None,
    correlation: float | None = None,
    agreement: float | None = None,
    items: int | None = None,
    units: int | None = None,
    of: str | None = None,
    power: float = 0.8,
    level: float | None = None,
) -> JudgePlan:
    """How many units people must label for an interval of some width, or to see a difference.

    The deviation of people's numbers and their correlation with the judge's are those of a
    pilot, or assumed.

    Parameters
    ----------
    pilot : what `judge`, `judge.compare`, `judge.values`, `judge.decisions` or `judge.cases`
        returned; a part of it, such as `found["AP"]`, will do. None for assumed numbers.
    width : the wanted width of the interval: twice what is written after ±.
    difference : the difference of two systems that is to be seen; of assumed numbers, the mean
        that is to be told from 0.
    labels : a number of units by people, to learn what they show.
    deviation : without a pilot: the standard deviation of people's numbers; of labels 0 and 1
        it is sqrt(p (1 - p)), 0.5 at most.
    correlation : without a pilot: of people's numbers and the judge's.
    agreement : the share of labels in which the judge agrees with people, instead of a
        correlation, if its errors are alike for all labels.
    items : for the agreement: how many labels a unit has, such as 10 for P@10 (default: 1).
    units : how many units the judge labels; None for as many as in the pilot.
    of : "population" or "these", as for `judge`; None is that of the pilot, else "population".
    power : the chance of seeing the difference, in (0, 1).
    level : nominal coverage, in (0, 1); None is that of the pilot, else 0.95.

    Returns
    -------
    JudgePlan
        `plan.labels`, or `plan.designs` of several runs or pairs. It is None if no number is
        enough, as more units must be judged, not more of these labelled.

    Raises
    ------
    UsageError
        Nothing is asked for; numbers are lacking, contradict each other, or make no sense.

    Notes
    -----
    With n of N units by people, s their deviation and r the correlation, the variance is about
    s² (1 - r²) (1/n - 1/N) (1 + 1/(n - 3)) + s²/N (Cochran 1977, chapter 12). The interval is
    Student's with n - 2 degrees of freedom, and the power that of its noncentral t.
    docs/why/judge.md compares planned widths and powers with simulated ones. For decisions and
    scored cases s and r are those of influences: s by the standard error of people alone, r by how
    much narrower the judge makes the interval. Intervals are then some 10 % wider than planned if
    people label few.

    See Also
    --------
    precall.compare.plan : the same without a judge.

    Examples
    --------
    >>> from precall import judge
    >>> people = [0.8, None, 0.2, None, 0.9, None, 0.5, None] * 5
    >>> pilot = judge.values(people, [0.9, 0.8, 0.4, 0.7] * 10, range=(0, 1))
    >>> judge.plan(pilot, width=0.1, units=2000).labels
    27
    >>> judge.plan(deviation=0.25, agreement=0.9, items=10, units=200, width=0.1).labels
    34
    """
    targets = _Targets(width, difference, labels, check_power(power))
    targets.check()
    if pilot is None:
        return _plan_of_numbers(
            targets,
            deviation=deviation,
            correlation=correlation,
            agreement=agreement,
            items=items,
            units=units,
            of="population" if of is None else of,
            level=0.95 if level is None else check_level(level),
        )
    check_kind("pilot", pilot, (Judged, JudgedValue, JudgedPair), "what pc.judge() returns")
    _refuse_both(
        deviation=deviation, correlation=correlation, agreement=agreement, items=items, of=of
    )
    return _plan_of_pilot(targets, pilot, units, level)


class _Targets(NamedTuple):
    """What is asked of a plan."""

    width: float | None
    difference: float | None
    labels: int | None
    power: float

    def check(self) -> None:
        """Refuse targets that make no sense, and none."""
        if self[:3] == (None, None, None):
            raise UsageError(
                argument="width",
                what="nothing is asked for",
                remedy="give ⟨width=⟩, ⟨difference=⟩ or ⟨labels=⟩",
            )
        if self.width is not None:
            check_positive(width=self.width)
        if self.difference is not None:
            check_positive(difference=self.difference)
        if self.labels is not None:
            check_whole("labels", self.labels, LEAST)


def _plan_of_pilot(
    targets: _Targets,
    pilot: Judged | JudgedValue | JudgedPair,
    units: int | None,
    level: float | None,
) -> JudgePlan:
    """The plan of what a pilot measured: of its values for a width, of its pairs for a difference;
    for as many units and the level of the pilot, if none is given.
    """
    parts = dict(_parts(pilot, has_difference=targets.difference is not None))
    first = next(iter(parts.values()))
    level = first.level if level is None else check_level(level)
    designs = {}
    for name, part in parts.items():
        deviation, correlation, seen = _spread(part, name)
        size = part.labels[1] if units is None else check_whole("units", units, LEAST)
        design = Design(size, deviation, correlation, first.of == "these", level)
        facts = _facts(design, targets, of_difference=isinstance(part, JudgedPair))
        designs[name] = {"pilot labels": seen} | facts
    return JudgePlan(designs, level, targets.power, first.of, first.unit, pilot.notes)


def _plan_of_numbers(
    targets: _Targets,
    *,
    deviation: float | None,
    correlation: float | None,
    agreement: float | None,
    items: int | None,
    units: int | None,
    of: str,
    level: float,
) -> JudgePlan:
    """The plan from assumed numbers."""
    check_choice("of", of, OF)
    if deviation is None or units is None:
        raise UsageError(
            argument="deviation" if deviation is None else "units",
            what="is needed without a pilot",
            remedy=(
                "give what pc.judge returned, or ⟨deviation=⟩, ⟨units=⟩ and ⟨correlation=⟩ or "
                "⟨agreement=⟩"
            ),
        )
    check_positive(deviation=deviation)
    check_whole("units", units, LEAST)
    if (correlation is None) == (agreement is None):
        raise UsageError(
            argument="correlation, agreement",
            what="one of them says how well the judge follows people",
            remedy="give one of the two",
        )
    if agreement is None and items is not None:
        raise UsageError(
            argument="items",
            got=items,
            what="belongs to the agreement of labels",
            remedy="leave it out",
        )
    if correlation is not None:
        known = abs(_check_correlation(correlation))
    else:
        size = 1 if items is None else check_whole("items", items, 1)
        share = check_share("agreement", agreement)
        known = correlation_of_agreement(share, float(deviation), size)
    design = Design(units, float(deviation), known, of == "these", level)
    facts = _facts(design, targets, of_difference=True)
    return JudgePlan({"mean": facts}, level, targets.power, of)


def _refuse_both(**assumed: object) -> None:
    """Refuse assumed numbers beside a pilot, which has them.

    Parameters
    ----------
    assumed : by argument; None where it is not given.
    """
    for name, value in assumed.items():
        if value is not None:
            raise UsageError(
                argument=name, got=value, what="the pilot has it", remedy="leave it out"
            )


def _check_correlation(correlation: float) -> float:
    if check_number("correlation", correlation, -1) > 1:
        raise UsageError(argument="correlation", allowed="in [-1, 1]", got=correlation)
    return float(correlation)


def _parts(
    pilot: Judged | JudgedValue | JudgedPair, *, has_difference: bool
) -> Iterator[tuple[str, JudgedValue | JudgedPair]]:
    """What a plan is of, by name."""
    lacks_pair = isinstance(pilot, JudgedValue) or (
        isinstance(pilot, Judged) and len(pilot.runs) < 2
    )
    if has_difference and lacks_pair:
        raise UsageError(
            argument="difference",
            what="is of two systems, and the pilot has one",
            remedy="give a pilot of two runs, or ask for ⟨width=⟩",
        )
    if not isinstance(pilot, Judged):
        yield (" - ".join(pilot.names) if isinstance(pilot, JudgedPair) else pilot.measure), pilot
        return
    several = len(pilot.measures) > 1
    if has_difference:
        for pair in pilot.pairs:
            yield " - ".join(pair.names) + (f", {pair.measure}" if several else ""), pair
        return
    for (run, _), value in pilot.values.items():
        name = run if len(pilot.runs) > 1 else ""
        yield ", ".join(filter(None, (name, value.measure if several or not name else ""))), value


def _spread(part: JudgedValue | JudgedPair, name: str) -> tuple[float, float, int]:
    """The deviation of people's numbers, their correlation with the judge's without what is by
    chance in the pilot, and the number of people's units.
    """
    seen, size = part.labels
    bias = part.favour if isinstance(part, JudgedPair) else part.bias
    method = "" if bias is None else bias.method
    if not seen or method not in (METHOD, OF_CASES, OF_DECISIONS):
        raise UsageError(
            argument="pilot",
            got=part.measure,
            what="plans are for units that people label completely",
            remedy="give a pilot of topics, decisions or scored cases, or assumed numbers",
        )
    alone: Interval | None = part.people_alone
    error = None if alone is None else alone.standard_error
    of_rest = 1 / size
    of_one = 1 / seen - (of_rest if part.of == "these" else 0.0)
    if alone is None or not error or not of_one > 0:
        raise UsageError(
            argument="pilot",
            what=f"people's numbers of {name} tell no deviation to plan with",
            remedy="give a pilot in which they differ, or ⟨deviation=⟩",
        )
    deviation = error / math.sqrt(of_one)
    if method == METHOD:
        correlation = 0.0 if math.isnan(part.correlation) else part.correlation
        rest = min((1 - correlation**2) * (seen - 1) / max(seen - 2, 1), 1.0)
    else:
        # The correlation of influences is that with which a mean would gain as much by the judge.
        low, high = part.low, part.high
        gain = 1.0
        if alone.width and low is not None and high is not None:
            gain = (high - low) / alone.width
        known = 0.0 if part.of == "these" else of_rest
        rest = min(max((of_one * gain**2 - known) / (1 / seen - of_rest), 0.0), 1.0)
    return deviation, math.sqrt(1 - rest), seen


def _facts(design: Design, targets: _Targets, *, of_difference: bool) -> Facts:
    """The quantities that follow from a design."""
    facts: Facts = {
        "units": design.units,
        "deviation": design.deviation,
        "correlation": design.correlation,
    }
    without = replace(design, correlation=0.0)
    width, difference, labels, power = targets
    if width is not None:
        found, alone = (each.labels_for_width(width) for each in (design, without))
        needed = topics_for_interval(width, design.deviation**2, design.level)
        facts |= _needed("width", width, found, alone if design.these else needed, needed)
    if difference is not None:
        found, alone = (each.labels_for_difference(difference, power) for each in (design, without))
        needed = topics(difference, design.deviation, power, design.level)
        facts |= _needed("difference", difference, found, alone if design.these else needed, needed)
    if labels is not None:
        if labels > design.units:
            raise UsageError(
                argument="labels",
                allowed=f"at most the {design.units} units that the judge labels;",
                got=labels,
            )
        facts |= {"labels": labels, "expected width": design.width(labels)}
        if of_difference:
            facts["least difference seen"] = design.least_difference(labels, power)
    return facts


def _needed(goal: str, size: float, labels: int | None, without: int | None, units: int) -> Facts:
    """How many labels it takes, and how many without the judge; if no number is enough, how many
    units.
    """
    facts: Facts = {goal: size, f"labels for the {goal}": labels}
    if labels is None:
        return facts | {f"units for the {goal}": units}
    return facts | {f"without the judge for the {goal}": without}
