"""Results of measures whose labels are partly a judge's."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from precall.core.errors import UsageError, key_error
from precall.core.hooks import hook
from precall.core.notes import Note, notes_to_json
from precall.core.text import as_text, number, percent, printable
from precall.measures.lookup import heads_of, name_among
from precall.results.equality import Equal
from precall.results.sheets import Presented
from precall.stats.double_sampling import Agreement
from precall.stats.intervals.interval import Interval

if TYPE_CHECKING:
    from precall.judges.plans import JudgePlan
    from precall.plot.canvas import Display


#: What is less is rounding: the measures of a judge that agrees with people in everything differ
#: from those of people by as much.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class JudgedValue(Interval):
    """A measure of people's labels, learned from people for some units and from a judge for all.

    Attributes
    ----------
    estimate : the corrected value.
    low : the lower bound, in the range of the measure.
    high : the upper bound, likewise.
    level : nominal share of samples whose interval holds the true value, in (0, 1).
    method : how the bounds were found.
    measure : name of the measure.
    assumptions : assumptions of the bounds.
    seed : seed of the random numbers of decisions; None of means, for which nothing is drawn.
    resamples : number of draws, 0 of means.
    standard_error : standard error of the estimate.
    notes : what was noticed.
    conventions : choices that the numbers depend on, if it stands alone.
    of : "population", a value of ever more units like these; or "these", the value of these units
        had people judged all of them.
    labels : how many units people judged, and how many the judge did.
    people_alone : the measure without the judge's labels, with its interval: of the topics that
        people judged, or of all cases' decisions or scores and people's labels.
    judge_alone : the measure by the judge's labels only.
    bias : how much the judge alone says too much, with an interval.
    correlation : of the numbers of people and of the judge.
    worth : how many times as many units people would have had to judge without the judge.
    unit : the noun of a unit.
    shared : notes that other values of the same result also have: on the data.

    Examples
    --------
    >>> from precall import judge
    >>> people = [1, 0, 0, 1, None, None, None, None] * 10
    >>> found = judge.values(people, [1, 1, 0, 1, 0, 1, 1, 0] * 10)
    >>> found.labels, round(found.bias.estimate, 3), round(found.worth, 2)
    ((40, 80), 0.208, 1.12)
    """

    of: str = "population"
    labels: tuple[int, int] = (0, 0)
    people_alone: Interval | None = None
    judge_alone: float = float("nan")
    bias: Interval | None = None
    correlation: float = float("nan")
    worth: float = float("nan")
    unit: str = "topic"
    shared: tuple[Note, ...] = field(default=(), repr=False, compare=False)

    def plan(self, **asked: Any) -> JudgePlan:
        """How many units people must label, with this as a pilot.

        Parameters
        ----------
        **asked : such as `width`; see `precall.judge.plan`.

        Raises
        ------
        UsageError
            As `precall.judge.plan`.

        Examples
        --------
        >>> from precall import judge
        >>> people = [1, 0, 0, 1, None, None, None, None] * 10
        >>> found = judge.values(people, [1, 1, 0, 1, 0, 1, 1, 0] * 10)
        >>> found.plan(width=0.2, units=1000).labels
        74
        """
        made: JudgePlan = hook("plan of a pilot")(self, **asked)
        return made

    def plot(self, **how: Any) -> Display:
        """A picture: corrected, by people alone, and by the judge alone, as
        `precall.plot.PeopleAndJudge` draws it.

        Parameters
        ----------
        **how : options of that display's `plot`.

        Raises
        ------
        UsageError
            An argument is not allowed.
        MissingExtra
            matplotlib is not installed.

        Examples
        --------
        >>> from precall import judge
        >>> people = [1, 0, 0, 1, None, None, None, None] * 10
        >>> found = judge.values(people, [1, 1, 0, 1, 0, 1, 1, 0] * 10)
        >>> found.plot().ax_.get_xlabel()
        'mean, 95 % intervals'
        """
        from precall.plot import PeopleAndJudge

        return PeopleAndJudge.from_judged(self).plot(**how)

    def complement(self, measure: str) -> JudgedValue:
        """The same of 1 - value: of error from accuracy."""
        low, high = self.ends
        alone, bias = self.people_alone, self.bias
        return replace(
            self,
            estimate=1 - self.estimate,
            low=1 - high,
            high=1 - low,
            measure=measure,
            people_alone=alone and alone.complement(measure),
            judge_alone=1 - self.judge_alone,
            bias=bias
            and replace(bias, estimate=-bias.estimate, low=-bias.ends[1], high=-bias.ends[0]),
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class JudgedPair(Equal, Presented):
    """The difference of two systems by people's labels, learned with a judge's.

    Attributes
    ----------
    names : the two systems; the difference is the first minus the second.
    measure : what is compared.
    difference : the corrected difference.
    low : its lower bound.
    high : its upper bound.
    level : nominal coverage of the bounds.
    p : of the hypothesis that the difference is 0: by Student's t, or of decisions twice the share
        of draws on the other side of 0.
    adjusted : p adjusted for the number of pairs, by Holm's correction.
    people_alone : the difference by people's units only, with its interval.
    judge_alone : the difference by the judge's labels only.
    favour : how much the judge favours the first over the second, with an interval.
    higher_is_better : whether a high value of the measure is good.
    notes : what was noticed.
    of : what the difference is of, as of the values.
    labels : how many units people judged, and how many the judge did.
    correlation : of the differences by people and by the judge.
    unit : the noun of a unit.
    shared : notes that other values of the same result also have: on the data.

    Examples
    --------
    >>> from precall import judge
    >>> a = {f"q{i}": {"y": 2.0, "x": 1.0} for i in range(60)}
    >>> b = {f"q{i}": {"x": 2.0, "y": 1.0} for i in range(60)}
    >>> llm = {f"q{i}": {"x": int(i % 3 > 0), "y": int(i % 5 > 0)} for i in range(60)}
    >>> people = {f"q{i}": {"x": int(i % 4 > 0), "y": 1} for i in range(0, 60, 2)}
    >>> (pair,) = judge.compare(people, llm, {"a": a, "b": b}, "P@1").pairs
    >>> pair.better, pair.favoured
    ('a', 'b')
    """

    names: tuple[str, str]
    measure: str
    difference: float
    low: float
    high: float
    level: float
    p: float
    adjusted: float
    people_alone: Interval
    judge_alone: float
    favour: Interval
    higher_is_better: bool = True
    notes: tuple[Note, ...] = ()
    of: str = "population"
    labels: tuple[int, int] = (0, 0)
    correlation: float = float("nan")
    unit: str = "topic"
    shared: tuple[Note, ...] = field(default=(), repr=False, compare=False)

    @property
    def significant(self) -> bool:
        """Whether the adjusted p is at most 1 - level."""
        return self.adjusted <= 1 - self.level + 1e-12

    @property
    def better(self) -> str | None:
        """The system that is better; None if the difference may be chance."""
        if not self.significant:
            return None
        return self.names[int((self.difference > 0) != self.higher_is_better)]

    @property
    def favoured(self) -> str | None:
        """The system that the judge favours; None if that may be chance."""
        if math.isnan(self.favour.estimate) or not is_shown(self.favour):
            return None
        return self.names[int((self.favour.estimate > 0) != self.higher_is_better)]

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        names = [each.name for each in fields(self) if each.name != "shared"]
        return {name: getattr(self, name) for name in names} | {
            "names": list(self.names),
            "labels": list(self.labels),
            "people_alone": self.people_alone.to_dict(),
            "favour": self.favour.to_dict(),
            "notes": notes_to_json(self.notes),
        }

    def __repr__(self) -> str:
        return printable(
            f"<JudgedPair: {' - '.join(self.names)} {self.measure} {number(self.difference)} "
            f"[{number(self.low)}, {number(self.high)}] {percent(self.level)}>"
        )


@dataclass(frozen=True, slots=True)
class JudgeAgreement(Presented):
    """How a judge's labels agree with people's, on what both labelled.

    Attributes
    ----------
    agreement : the share of equal labels.
    kappa : Cohen's kappa.
    false_positives : the share relevant for the judge, of what is not relevant for people.
    false_negatives : the share not relevant for the judge, of what is relevant for people.
    agreement_error : standard error of the agreement.
    kappa_error : standard error of kappa.
    units : how many labels both gave.

    Examples
    --------
    >>> from precall import judge
    >>> found = judge.agreement([1, 1, 0, 0, None, 1], [1, 0, 0, 1, 1, 1])
    >>> found.false_positives, round(found.false_negatives, 3)
    (0.5, 0.333)
    """

    agreement: float
    kappa: float
    false_positives: float
    false_negatives: float
    agreement_error: float
    kappa_error: float
    units: int


def agreement_result(found: Agreement) -> JudgeAgreement:
    """The result from its numbers."""
    (share, error), (kappa, kappa_error) = found.agreement, found.kappa
    rates = found.false_positives, found.false_negatives
    return JudgeAgreement(share, kappa, *rates, error, kappa_error, found.units)


def is_shown(bias: Interval) -> bool:
    """Whether the bias is not 0, beyond chance and rounding."""
    return 0 not in bias and max(map(abs, bias.ends)) > ROUNDING


OneJudged = TypeVar("OneJudged", JudgedValue, JudgedPair)


def add_shared_notes(found: OneJudged, notes: Iterable[Note]) -> OneJudged:
    """The value or pair with notes in front that others also have."""
    new: tuple[Note, ...] = tuple(note for note in dict.fromkeys(notes) if note not in found.notes)
    return replace(found, notes=(*new, *found.notes), shared=new)


def own_notes(found: JudgedValue | JudgedPair) -> tuple[Note, ...]:
    """The notes of a value or pair alone; notes that several have are shown only once."""
    return tuple(note for note in found.notes if note not in found.shared)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Judged(Equal, Presented):
    """Measures of people's labels, learned from people for some units and from a judge for all.

    Runs are rankings or systems that decide; a single system without a name is the run "".
    `found[measure]`, or `found[run, measure]` of several runs, is a `JudgedValue`. If there is one
    value only, `found.estimate`, `found.low`, `found.high` and its other fields are those of it.

    Attributes
    ----------
    values : by run and measure.
    pairs : the differences of all pairs of runs, by measure.
    runs : names of the runs.
    measures : names of the measures.
    agreement : how the judge's labels agree with people's; None where there are only numbers.
    conventions : choices that the numbers depend on.
    asked : the names of the measures as they were asked.
    best : per measure: 1 if high values are good, -1 if low ones are, 0 if neither.
    notes : what was noticed.

    Examples
    --------
    >>> from precall import judge
    >>> run = {f"q{i}": {"x": 2.0, "y": 1.0} for i in range(60)}
    >>> llm = {f"q{i}": {"x": int(i % 3 > 0), "y": 1} for i in range(60)}
    >>> people = {f"q{i}": {"x": int(i % 4 > 0), "y": 1} for i in range(0, 60, 2)}
    >>> found = judge(people, llm, run, ["P@1", "RR"])
    >>> round(found["P@1"].estimate, 2), round(found["RR"].estimate, 2)
    (0.5, 0.75)
    """

    values: Mapping[tuple[str, str], JudgedValue]
    pairs: tuple[JudgedPair, ...]
    runs: tuple[str, ...]
    measures: tuple[str, ...]
    agreement: JudgeAgreement | None
    conventions: Mapping[str, str]
    asked: Mapping[str, str] = field(default_factory=dict)
    best: tuple[int, ...] = ()
    notes: tuple[Note, ...] = ()

    # With `__getitem__` alone Python would try to iterate by indices.
    __iter__ = None

    def __getitem__(self, key: object) -> JudgedValue:
        if not isinstance(key, tuple) or len(key) != 2:
            if len(self.runs) > 1:
                raise key_error("there are several runs; ask for found[run, measure]", key)
            key = (self.runs[0], key)
        run, name = as_text(key[0]), name_among(key[1], self.measures, self.asked)
        if name is None or (run, name) not in self.values:
            raise key_error(
                f"runs are {', '.join(self.runs)}; measures are {', '.join(self.measures)}", key
            )
        return self.values[run, name]

    def __getattr__(self, name: str) -> Any:
        if name not in _OF_VALUES:
            return Presented.__getattr__(self, name)  # type: ignore[attr-defined]
        if len(self.values) > 1:
            raise UsageError(
                argument=name,
                what="there are several values",
                remedy="ask for found[measure], or found[run, measure]",
            )
        (only,) = self.values.values()
        return getattr(only, name)

    def plan(self, **asked: Any) -> JudgePlan:
        """How many units people must label, with this as a pilot.

        Parameters
        ----------
        **asked : such as `width`; see `precall.judge.plan`.

        Raises
        ------
        UsageError
            As `precall.judge.plan`.

        Examples
        --------
        >>> from precall import judge
        >>> run = {f"q{i}": {"x": 2.0, "y": 1.0} for i in range(60)}
        >>> llm = {f"q{i}": {"x": int(i % 3 > 0), "y": 1} for i in range(60)}
        >>> people = {f"q{i}": {"x": int(i % 4 > 0), "y": 1} for i in range(0, 60, 2)}
        >>> judge(people, llm, run, "P@1").plan(width=0.2, units=500).labels
        103
        """
        made: JudgePlan = hook("plan of a pilot")(self, **asked)
        return made

    def plot(self, measure: str | None = None, **how: Any) -> Display:
        """A picture: corrected, by people alone, and by the judge alone, as
        `precall.plot.PeopleAndJudge` draws it.

        Parameters
        ----------
        measure : which measure, by default the first.
        **how : options of that display's `plot`.

        Raises
        ------
        UsageError
            An argument is not allowed.
        MissingExtra
            matplotlib is not installed.

        Examples
        --------
        >>> from precall import judge
        >>> run = {f"q{i}": {"x": 2.0, "y": 1.0} for i in range(60)}
        >>> llm = {f"q{i}": {"x": int(i % 3 > 0), "y": 1} for i in range(60)}
        >>> people = {f"q{i}": {"x": int(i % 4 > 0), "y": 1} for i in range(0, 60, 2)}
        >>> judge(people, llm, run, "P@1").plot().ax_.get_xlabel()
        'P@1, 95 % intervals'
        """
        from precall.plot import PeopleAndJudge

        return PeopleAndJudge.from_judged(self, measure).plot(**how)

    @property
    def heads(self) -> tuple[str, ...]:
        """Printed heading of each measure: the name that was requested, if it is as specific."""
        return heads_of(self.measures, self.asked)

    def __repr__(self) -> str:
        return printable(f"<Judged: {', '.join(self.measures)} of {', '.join(self.runs)}>")


_OF_VALUES = frozenset(each.name for each in fields(JudgedValue)) - {
    "notes",
    "conventions",
    "shared",
}
