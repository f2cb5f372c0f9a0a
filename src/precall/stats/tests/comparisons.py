"""Results of comparisons, which are frozen, not iterable, and print themselves; and p-values
adjusted for the number of comparisons.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from precall.core.arguments import check_choice, check_kind
from precall.core.errors import MeasureError, key_error
from precall.core.methods import NO_DIFFERENCE, Method, ways_of
from precall.core.notes import Note, notes_to_json, sentences
from precall.core.notes.of_comparisons import BoundsAgainstP
from precall.core.ragged import Float64
from precall.core.rng import tell_resamples, tell_seed
from precall.core.text import format_difference, format_ends, many, number, percent, printable
from precall.core.text import p_text as p_text
from precall.measures.lookup import ByMeasure
from precall.measures.registry import find
from precall.results.equality import Equal
from precall.results.sheets import Presented
from precall.stats.tests import CORRECTIONS
from precall.stats.tests.verdict import (
    BETTER,
    NOT_SHOWN,
    UNDEFINED,
    WORSE,
    Verdict,
    verdict_of,
    verdicts_of,
)

if TYPE_CHECKING:
    from precall.stats.tests.joint_posteriors import JointPosteriors

#: Corrections that need only the p-values.
_ADJUSTING = tuple(name for name in CORRECTIONS if name not in ("none", "tukey"))


def bounds(low: float, high: float) -> tuple[float, float] | tuple[None, None]:
    """An interval; (None, None) if its length is 0 or undefined: a point would claim certainty."""
    return (low, high) if low < high else (None, None)


def is_significant(p: float, level: float) -> bool:
    """Whether p is at most 1 - level."""
    return bool(p <= 1 - level + 1e-12)


def notes_on_bounds(
    ends: tuple[float | None, float | None], p: float, level: float, holds: bool = True
) -> tuple[Note, ...]:
    """A note if the interval contradicts a p by another method; `holds` if p, other than the
    interval, assumes no distribution.
    """
    low, high = ends
    if low is None or high is None or p != p:
        return ()
    contains = low <= 0 <= high
    disagree = contains == is_significant(p, level)
    return (BoundsAgainstP("", p, contains, holds),) if disagree else ()


class Mirror(NamedTuple):
    """The parts of a comparison that change by more than a sign if the systems are exchanged."""

    method: Method
    statistic: float | None
    notes: tuple[Note, ...]


def opposite(value: float | None) -> float | None:
    """A number with the other sign, but never -0.0; None for None."""
    return None if value is None else 0.0 - value


#: The alternative of a one-sided test if the systems are exchanged.
_OPPOSITE = {"greater": "less", "less": "greater"}


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(Equal, Presented):
    """A comparison of two systems: the difference, its interval, and its p-value.

    Attributes
    ----------
    names : the first system and the second; `difference` is the first minus the second.
    measure : the measure.
    values : the value of each system.
    difference : the first minus the second.
    low : the lower bound of its interval at `level`; None if there is no interval.
    high : the upper bound; None if there is no interval.
    p : p of the hypothesis that there is no difference; never a silent 0.
    test : name of the test.
    alternative : the alternative hypothesis: "two-sided", "greater" or "less".
    method : how the p-value was found: enumerated, sampled how often, or a distribution; `how` is
        the same in words.
    size : pairs that were compared.
    wins : pairs in which the first is better: higher, or lower if low is good.
    ties : pairs in which both are equal.
    losses : pairs in which the first is worse.
    adjusted : p corrected for the number of comparisons; equal to p if there is only one.
    correction : name of the correction.
    statistic : statistic of the test; None if it has none.
    effect : the difference over the standard deviation of the differences (Cohen's d of pairs);
        None if there is none.
    left_out : pairs that could not be compared.
    higher_is_better : False if low values are good; then the lower value wins.
    notes : what a reader should know.
    seed : seed of the random numbers, which as `rng=` gives the same digits again; None if none
        were used.
    no_interval : why there is no interval, if there could be one.
    interval : method of the interval; it agrees with p if it belongs to the same test.
    interval_resamples : how many samples the interval is of; None if none were drawn for it.
    equal_scores : how equal scores were treated if a measure needs an order: "expected", the mean
        over all orders; "" if it needs none.
    contrary : whether the test favours the system whose mean is worse, as signs and ranks can: such
        a p shows no difference of means, however small it is.
    mirror : parts for `swap` that change by more than a sign; None if there are none.
    head : name of the measure in print; "" is `measure`.
    shared : notes that other pairs of the same comparison also have: of the runs, and of all pairs
        together.
    unit : what was compared: "pairs", or the "cases" of two cohorts.

    Examples
    --------
    >>> from precall.stats.tests.paired import paired
    >>> found = paired([0.5, 0.7, 0.9, 0.4], [0.4, 0.5, 0.9, 0.3])
    >>> round(found.difference, 4), found.p, (found.wins, found.ties, found.losses)
    (0.1, 0.25, (3, 1, 0))
    """

    names: tuple[str, str]
    measure: str
    values: tuple[float, float]
    difference: float
    low: float | None
    high: float | None
    level: float
    p: float
    test: str
    method: Method
    size: int
    wins: int = 0
    ties: int = 0
    losses: int = 0
    adjusted: float = float("nan")
    correction: str = "none"
    alternative: str = "two-sided"
    statistic: float | None = None
    effect: float | None = None
    left_out: int = 0
    higher_is_better: bool = True
    notes: tuple[Note, ...] = ()
    seed: int | None = None
    no_interval: str = ""
    contrary: bool = False
    interval: str = ""
    equal_scores: str = ""
    interval_resamples: int | None = None
    mirror: Mirror | None = field(default=None, repr=False, compare=False)
    head: str = field(default="", repr=False, compare=False)
    shared: tuple[Note, ...] = field(default=(), repr=False, compare=False)
    unit: str = "pairs"

    def __post_init__(self) -> None:
        if self.adjusted != self.adjusted:
            object.__setattr__(self, "adjusted", self.p)

    @property
    def label(self) -> str:
        """What the measure is called in print."""
        return self.head or self.measure

    @property
    def own_notes(self) -> tuple[Note, ...]:
        """The notes of this pair alone; notes shared by several pairs are shown only once."""
        return tuple(note for note in self.notes if note not in self.shared)

    def _add_shared_notes(self, notes: Iterable[Note]) -> Comparison:
        """The comparison with notes in front that other pairs also have.

        Parameters
        ----------
        notes : notes such as those of the two runs.
        """
        new = tuple(note for note in dict.fromkeys(notes) if note not in self.notes)
        if not new:
            return self
        mirror = self.mirror and self.mirror._replace(notes=(*new, *self.mirror.notes))
        return replace(self, notes=(*new, *self.notes), shared=(*new, *self.shared), mirror=mirror)

    @property
    def how(self) -> str:
        """How the p-value was found, in words."""
        return str(self.method)

    @property
    def _resamples_of_bounds_alone(self) -> int:
        """How many samples the bounds are of, if the method of p does not say it; else 0."""
        drawn = self.interval_resamples or 0
        return 0 if drawn == self.method.resamples else drawn

    @property
    def entropy(self) -> int | None:
        """The former name of `seed`."""
        return self.seed

    @property
    def significant(self) -> bool:
        """Whether the adjusted p is at most 1 - level."""
        return is_significant(self.adjusted, self.level)

    @property
    def outcome(self) -> str:
        """The result for the first system: "better", "worse", "no difference shown", or "undefined"
        if p is undefined.
        """
        if self.p != self.p:
            return UNDEFINED
        if self.contrary or not (self.significant and self.gain):
            return NOT_SHOWN
        return BETTER if self.gain > 0 else WORSE

    @property
    def verdict(self) -> Verdict:
        """Which system is best, and how the other one compares, as data and in a sentence."""
        means = dict(zip(self.names, self.values, strict=True))
        return verdict_of([self], means, notes=self.notes, unit=self.unit)

    @property
    def superiority(self) -> float | None:
        """Share of pairs in which the first wins; ties count half. None if there are no pairs, as
        for AP of cases.
        """
        pairs = self.wins + self.ties + self.losses
        return (self.wins + self.ties / 2) / pairs if pairs else None

    @property
    def gain(self) -> float:
        """How much better the first is: the difference, with the opposite sign if low values are
        good.
        """
        return self.difference if self.higher_is_better else -self.difference

    def swap(self) -> Comparison:
        """The same comparison with the systems in the other order: equal to the last digit to one
        that was called in that order.

        Examples
        --------
        >>> from precall.stats.tests.paired import paired
        >>> found = paired([0.5, 0.7, 0.9, 0.4], [0.4, 0.5, 0.9, 0.3]).swap()
        >>> found.names, round(found.difference, 4), (found.wins, found.ties, found.losses)
        (('b', 'a'), -0.1, (0, 1, 3))
        """
        mirror = self.mirror or Mirror(self.method, opposite(self.statistic), self.notes)
        own = Mirror(self.method, self.statistic, self.notes)
        return replace(
            self,
            names=self.names[::-1],
            values=self.values[::-1],
            difference=0.0 - self.difference,
            low=opposite(self.high),
            high=opposite(self.low),
            wins=self.losses,
            losses=self.wins,
            alternative=_OPPOSITE.get(self.alternative, self.alternative),
            effect=opposite(self.effect),
            mirror=own,
            method=mirror.method,
            statistic=mirror.statistic,
            notes=mirror.notes,
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {
            "a": self.names[0],
            "b": self.names[1],
            "measure": self.measure,
            "value_a": self.values[0],
            "value_b": self.values[1],
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "p": self.p,
            "adjusted": self.adjusted,
            "significant": self.significant,
            "outcome": self.outcome,
            "test": self.test,
            "alternative": self.alternative,
            "how": self.how,
            "method": self.method.to_dict(),
            "interval": self.interval,
            "interval_resamples": self.interval_resamples,
            "correction": self.correction,
            "statistic": self.statistic,
            "effect": self.effect,
            "superiority": self.superiority,
            "size": self.size,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "left_out": self.left_out,
            "notes": notes_to_json(self.notes),
            "seed": self.seed,
            "equal_scores": self.equal_scores,
        }

    def __repr__(self) -> str:
        return printable(
            f"<Comparison: {self.names[0]} - {self.names[1]} {format_difference(self.difference)} "
            f"{self.label}, p {p_text(self.p)}, {self.test}>"
        )

    def __str__(self) -> str:
        a, b = self.names
        # The seed is shown at the number that was sampled: p can be exact although bounds were not.
        shows_at_p = self.alternative != "two-sided" or not self.method.exact
        of_bounds, of_p = (None, self.seed) if shows_at_p else (self.seed, None)
        share = f", {percent(self.level)} interval {' to '.join(format_ends(self.low, self.high))}"
        drawn = tell_resamples(self._resamples_of_bounds_alone, of_bounds)
        share += f" ({self.interval}{drawn})" if self.interval else ""
        if self.low is None:
            share = f", no interval ({self.no_interval})" if self.no_interval else ""
        order = f", ties {self.equal_scores}" if self.equal_scores else ""
        lines = [
            f"{self.label}{order}: {a} {number(self.values[0])}, {b} {number(self.values[1])}, "
            f"difference {format_difference(self.difference)}{share}",
            f"p {p_text(self.p)} ({self.test}, {self.alternative}, {self.how}{tell_seed(of_p)})"
            + (
                f", adjusted {p_text(self.adjusted)} ({self.correction})"
                if self.correction != "none"
                else ""
            ),
        ]
        if self.wins or self.ties or self.losses:
            lines.append(
                f"{many(self.size, 'pair')}: {many(self.wins, 'win')}, {many(self.ties, 'tie')}, "
                f"{many(self.losses, 'loss', 'losses')}"
                + (f"; d {self.effect:z.3f}" if self.effect is not None else "")
            )
        return "\n".join(map(printable, (*lines, *sentences(self.notes))))


@dataclass(frozen=True, slots=True, eq=False)
class Anova(Equal, Presented):
    """Two-way analysis of variance of topics x systems, one value each.

    Rows of `sums`, `freedom`, `squares` (mean squares): systems, topics, residual; `f` and `p` of
    the first two. `residual` is the variance that topic set size design asks for.
    """

    sums: tuple[float, float, float]
    freedom: tuple[int, int, int]
    squares: tuple[float, float, float]
    f: tuple[float, float]
    p: tuple[float, float]
    notes: tuple[Note, ...] = field(default=(), repr=False, compare=False)
    """What was noticed about the data."""

    @property
    def residual(self) -> float:
        """Variance within topics and systems."""
        return self.squares[2]

    def to_dict(self) -> dict[str, dict[str, float | None]]:
        """Plain data by source of variance, for JSON."""
        keys = ("sum", "freedom", "square", "f", "p")
        columns = (self.sums, self.freedom, self.squares, (*self.f, None), (*self.p, None))
        names = ("systems", "topics", "residual")
        return {
            name: dict(zip(keys, row, strict=True))
            for name, row in zip(names, zip(*columns, strict=True), strict=True)
        }


@dataclass(frozen=True, slots=True, eq=False)
class SeveralRuns(Equal):
    """The mean of a system over topics and its runs, and where its error comes from.

    Attributes
    ----------
    runs : names of the runs of the system.
    mean : the mean over topics and runs.
    low : lower bound of its interval; None if there is no interval.
    high : upper bound of its interval; None if there is no interval.
    error : standard error of the mean, from topics and runs; of one run from topics alone.
    sd_topics : standard deviation of topics; of one run that of its values.
    sd_runs : standard deviation of runs, which more topics would not reduce; NaN for one run.
    sd_rest : standard deviation of values about the sums of topics and runs; NaN for one run.
    topics : number of topics.
    """

    runs: tuple[str, ...]
    mean: float
    low: float | None
    high: float | None
    error: float
    sd_topics: float
    sd_runs: float
    sd_rest: float
    topics: int

    @property
    def share_of_runs(self) -> float:
        """The share of the squared error that the differences between runs have; NaN for one
        run.
        """
        if self.sd_runs != self.sd_runs:
            return self.sd_runs
        of_runs = self.sd_runs * self.sd_runs / len(self.runs)
        return of_runs / (self.error * self.error) if self.error else 0.0

    @property
    def least_error(self) -> float:
        """The standard error that would be left with very many runs on these topics; NaN for one
        run.
        """
        if self.sd_runs != self.sd_runs:
            return self.sd_runs
        return self.sd_topics / math.sqrt(self.topics)

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {
            "runs": list(self.runs),
            "mean": self.mean,
            "low": self.low,
            "high": self.high,
            "error": self.error,
            "sd_topics": self.sd_topics,
            "sd_runs": self.sd_runs,
            "sd_rest": self.sd_rest,
            "topics": self.topics,
            "share_of_runs": self.share_of_runs,
            "least_error": self.least_error,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons(Equal, Presented):
    """Comparisons of several systems, pair by pair; one family of comparisons per measure.

    Attributes
    ----------
    pairs : the comparisons, in order.
    names : the systems, in order.
    means : by measure, the mean of every system, as in `evaluate`.
    letters : by measure and system, its letters (compact letter display): systems that share a
        letter do not differ significantly. Empty against a baseline.
    anova : by measure, the two-way analysis of variance of three systems or more.
    conventions : every choice that the numbers depend on.
    notes : what a reader should know.
    unit : what each pair of values belongs to: topics, or items with decisions.
    posteriors : for two systems' yes or no about each item, the probability that one is better.
    neutral : measures for which neither high nor low values are good; they have no verdict.
    heads : names of measures in print, if they are different.
    seeds : of systems with several runs, by measure and system, the mean over topics and runs and
        where its error comes from. Empty without such systems.
    groups : of a report with groups of topics, the comparisons of each group by name. Their p are
        adjusted for all pairs of a measure in all groups together.
    """

    pairs: tuple[Comparison, ...]
    names: tuple[str, ...]
    means: Mapping[str, Mapping[str, float]]
    letters: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    anova: Mapping[str, Anova] = field(default_factory=dict)
    conventions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    unit: str = "topics"
    posteriors: JointPosteriors | None = None
    neutral: tuple[str, ...] = ()
    heads: Mapping[str, str] = field(default_factory=dict, compare=False)
    seeds: Mapping[str, Mapping[str, SeveralRuns]] = field(default_factory=dict)
    groups: Mapping[str, Comparisons] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_kind("heads", self.heads, Mapping, "names in print by measure")
        for name in ("means", "letters", "anova", "seeds"):
            if isinstance(by_name := getattr(self, name), Mapping):
                object.__setattr__(self, name, self._by_measure(by_name))

    def _by_measure(self, values: Mapping[str, Any]) -> ByMeasure[Any]:
        found = ByMeasure(values)
        found.asked = {head: measure for measure, head in self.heads.items()}
        return found

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """By measure, which system is best, and how the others compare with it, or with the
        baseline, as data and in a sentence.
        """
        verdicts = self._by_measure(verdicts_of(self))
        verdicts.absent = dict.fromkeys(self.neutral, "neither high nor low values are good")
        return verdicts

    @property
    def families(self) -> dict[str, tuple[Comparison, ...]]:
        """The pairs by measure; for a geometric mean they compare logarithms, and the name of their
        measure says so.
        """
        by_name: dict[str, list[Comparison]] = {}
        for pair in self.pairs:
            by_name.setdefault(pair.measure, []).append(pair)
        return ByMeasure(zip(self.means, map(tuple, by_name.values()), strict=True))

    def head_of(self, measure: str) -> str:
        """What a measure is called in print.

        Parameters
        ----------
        measure : its name in `means`.
        """
        check_kind("measure", measure, str, "the name of the measure")
        own_head = next(
            (pair.head for pair in self.pairs if pair.head and pair.measure == measure), measure
        )
        return self.heads.get(measure, own_head)

    def pair(self, a: str, b: str, measure: str | None = None) -> Comparison:
        """The comparison of two systems by a measure (None is the first); `difference` is `a` minus
        `b`.
        """
        families = self.families
        if measure is None:
            candidates = self.pairs
        elif measure in families:
            candidates = families[measure]
        else:
            # For geometric means logarithms are compared, and the pairs' measure says so.
            candidates = tuple(pair for pair in self.pairs if pair.measure == measure)
            if not candidates:
                message = f"compared by {', '.join(map(self.head_of, families))}"
                raise key_error(message, measure)
        pair = next((pair for pair in candidates if {a, b} == set(pair.names)), None)
        if pair is None:
            are_systems = {a, b} <= set(self.names)
            message = (
                ", ".join(" and ".join(each.names) for each in candidates)
                if are_systems
                else ", ".join(self.names)
            )
            raise key_error(f"compared were {message}", a, b)
        return pair if pair.names == (a, b) else pair.swap()

    @property
    def significant(self) -> tuple[Comparison, ...]:
        """The comparisons whose adjusted p is at most 1 - level."""
        return tuple(pair for pair in self.pairs if pair.significant)

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        own = {
            measure: {name: each.to_dict() for name, each in by_system.items()}
            for measure, by_system in self.seeds.items()
        }
        return {
            "systems": list(self.names),
            "means": {name: dict(pair) for name, pair in self.means.items()},
            "verdicts": {name: verdict.to_dict() for name, verdict in self.verdicts.items()},
            "pairs": list(map(data_of_pair, self.pairs)),
            "letters": {name: dict(pair) for name, pair in self.letters.items()},
            "anova": {name: pair.to_dict() for name, pair in self.anova.items()},
            "notes": notes_to_json(self.notes),
            **({"seeds": own} if own else {}),
            **(
                {"groups": {name: each.to_dict() for name, each in self.groups.items()}}
                if self.groups
                else {}
            ),
            **({"heads": dict(self.heads)} if self.heads else {}),
        }

    def __repr__(self) -> str:
        return (
            f"<Comparisons: {len(self.pairs)} of {len(self.names)} systems, "
            f"{len(self.significant)} significant>"
        )


def data_of_pair(pair: Comparison) -> dict[str, Any]:
    """A pair as plain data, without the notes that it shares with other pairs."""
    return pair.to_dict() | {"notes": notes_to_json(pair.own_notes)}


def with_head(pair: Comparison, measure: Any) -> Comparison:
    """The comparison with the measure's requested name as its heading."""
    try:
        found_measure = find(measure)
    except MeasureError:
        return pair
    head = pair.measure.replace(found_measure.name, found_measure.head, 1)
    return pair if head == pair.measure else replace(pair, head=head)


def tests_in_words(families: Mapping[str, Sequence[Comparison]]) -> str:
    """The test of these pairs and how its p-values were computed; by measure if that differs.

    Examples
    --------
    >>> from precall.stats.tests.paired import paired
    >>> near, far = (
    ...     paired([0.5, 0.7], [0.4, 0.5]),
    ...     paired(np.arange(60.0) ** 0.5, np.ones(60), resamples=999),
    ... )
    >>> tests_in_words({"AP": [near], "RR": [near]}), tests_in_words({"AP": [near], "RR": [far]})
    ('randomization (exact)', 'randomization (exact: AP; 999 sampled signs: RR)')
    """
    measures: dict[tuple[str, str], list[str]] = {}
    for measure, pairs in families.items():
        test = "/".join(dict.fromkeys(pair.test for pair in pairs))
        ways = ", ".join(ways_of(pair.method for pair in pairs))
        measures.setdefault((test, ways), []).append(measure)
    tests = list(dict.fromkeys(test for test, _ in measures))
    if len(measures) > 1:  # measures in which nothing differs were not tested
        measures = {
            key: names for key, names in measures.items() if key[1] != str(NO_DIFFERENCE)
        } or measures
    if len(measures) == 1:
        return f"{tests[0]} ({next(iter(measures))[1]})"
    if len(tests) == 1:
        by_way = (f"{ways}: {', '.join(names)}" for (_, ways), names in measures.items())
        return f"{tests[0]} ({'; '.join(by_way)})"
    return "; ".join(
        f"{test} ({ways}): {', '.join(names)}" for (test, ways), names in measures.items()
    )


def bounds_in_words(families: Mapping[str, Sequence[Comparison]]) -> str:
    """The methods of the intervals of these pairs, by measure if they differ; with how many samples
    they are of, where p does not say that. Empty if no pair has an interval.

    Examples
    --------
    >>> from precall.stats.tests.paired import paired
    >>> pair = paired(np.arange(30.0) ** 0.5, np.ones(30), resamples=999)
    >>> bounds_in_words({"AP": [pair]}), pair.how
    ('inverted randomization (999 resamples)', 'all 2^29 signs, by halves')
    """
    measures: dict[str, dict[str, None]] = {}
    drawn: dict[str, int] = {}
    for measure, pairs in families.items():
        for pair in pairs:
            if pair.low is not None:
                measures.setdefault(pair.interval, {})[measure] = None
                alone = pair._resamples_of_bounds_alone
                drawn[pair.interval] = max(drawn.get(pair.interval, 0), alone)
    words = {
        method: method + (f" ({drawn[method]:,} resamples)" if drawn[method] else "")
        for method in measures
    }
    if len(measures) < 2:
        return next(iter(words.values()), "")
    return "; ".join(f"{words[method]}: {', '.join(of)}" for method, of in measures.items())


def correct_for_number(pairs: list[Comparison], correction: str) -> list[Comparison]:
    """The pairs of one family with their adjusted p; a single pair has none."""
    if correction == "none" or len(pairs) < 2:
        return [
            replace(pair, correction=correction if len(pairs) > 1 else "none") for pair in pairs
        ]
    adjusted = adjust([pair.p for pair in pairs], correction)
    return [
        replace(pair, adjusted=p, correction=correction)
        for pair, p in zip(pairs, adjusted.tolist(), strict=True)
    ]


def adjust(p: Sequence[float], correction: str) -> Float64:
    """p-values adjusted for their number: by steps down ("holm") or up from the least, at most 1.

    statsmodels gives the same digits, but takes a second to import, and its Holm correction runs a
    full garbage collection.

    Examples
    --------
    >>> (
    ...     adjust([0.01, 0.04, 0.03], "holm").round(4).tolist(),
    ...     adjust([0.01, 0.04, 0.03], "bh").round(4).tolist(),
    ... )
    ([0.03, 0.06, 0.06], [0.03, 0.04, 0.04])
    """
    check_choice("correction", correction, _ADJUSTING)
    order = np.argsort(p, kind="stable")
    ranked, rank = np.asarray(p, np.float64)[order], np.arange(1, len(p) + 1)
    if correction in ("holm", "hochberg"):
        steps = ranked * rank[::-1]
    else:
        share = rank / len(p)
        steps = ranked / (share if correction == "bh" else share / np.sum(1 / rank))
    adjusted = np.empty(len(p))
    adjusted[order] = (
        np.maximum.accumulate(steps)
        if correction == "holm"
        else np.minimum.accumulate(steps[::-1])[::-1]
    )
    return np.minimum(adjusted, 1.0)
