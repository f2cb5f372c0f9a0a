"""What a comparison returns: frozen, not iterable, and able to print itself; and p of several,
adjusted for their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from precall.core.arguments import check_choice, check_kind
from precall.core.errors import MeasureError
from precall.core.methods import NO_DIFFERENCE, Method, ways_of
from precall.core.notes import Note, plain, sentences
from precall.core.ragged import Float64
from precall.core.rng import tell_seed
from precall.core.text import many, number, percent, printable, shown_ends, signed
from precall.core.text import p_text as p_text
from precall.measures.lookup import ByMeasure
from precall.measures.registry import find
from precall.results.base import Presented
from precall.results.equality import Equal
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

#: Corrections that need nothing but p.
_ADJUSTING = tuple(name for name in CORRECTIONS if name not in ("none", "tukey"))


def bounds(low: float, high: float) -> tuple[float, float] | tuple[None, None]:
    """An interval, or none where it has no length or is undefined: a point would claim to know."""
    return (low, high) if low < high else (None, None)


def is_significant(p: float, level: float) -> bool:
    """Whether p is at most 1 - level."""
    return bool(p <= 1 - level + 1e-12)


class Mirror(NamedTuple):
    """What of a comparison does not just change its sign if the systems are exchanged."""

    method: Method
    statistic: float | None
    notes: tuple[Note, ...]


def opposite(value: float | None) -> float | None:
    """A number with the other sign; no minus before a zero, and none of what is not there."""
    return None if value is None else 0.0 - value


#: Whom else a one-sided test speaks against if the systems are exchanged.
_OPPOSITE = {"greater": "less", "less": "greater"}


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(Equal, Presented):
    """Two systems compared: the difference, its interval, and how surprising it would be by chance.

    Attributes
    ----------
    names : the first system and the second; `difference` is the first minus the second.
    measure : what was measured.
    values : the value of each.
    difference : the first less the second.
    low : the lower bound of its interval at `level`; None where there is no interval.
    high : the upper bound; None where there is no interval.
    p : of the hypothesis that there is no difference; never a silent 0.
    test : which test.
    alternative : against what: "two-sided", "greater" or "less".
    method : where the p-value comes from: enumerated, sampled how often, or a distribution; `how`
        is the same in words.
    size : pairs that were compared.
    wins : pairs in which the first is better: higher, or lower where low is good.
    ties : pairs in which both are equal.
    losses : pairs in which the first is worse.
    adjusted : p corrected for the number of comparisons; p where there is one.
    correction : by what.
    statistic : of the test; None where it has none.
    effect : the difference over the standard deviation of the differences (Cohen's d of pairs);
        None where there is none.
    left_out : pairs that could not be compared.
    higher_is_better : False where low values are good; wins are then of the lower.
    notes : what a reader should know.
    seed : where random numbers started, as `rng=` the same digits again; None where none were used.
    no_interval : why there is no interval, where there could be one.
    interval : what the interval is by; it agrees with p where it is of the same test.
    equal_scores : what became of equal scores where a measure needs an order: "expected", their
        mean over all orders; "" where it needs none.
    contrary : whether the test speaks for the system whose mean is worse, as signs and ranks can:
        such a p shows no difference of means, however small it is.
    mirror : what `swap` cannot tell by a sign; None where there is nothing of the kind.
    head : what the measure is called in print; "" is `measure`.
    shared : those of the notes that others compared with it have as well: of the runs, and of all
        pairs together.

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
    mirror: Mirror | None = field(default=None, repr=False, compare=False)
    head: str = field(default="", repr=False, compare=False)
    shared: tuple[Note, ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.adjusted != self.adjusted:
            object.__setattr__(self, "adjusted", self.p)

    @property
    def label(self) -> str:
        """What the measure is called in print."""
        return self.head or self.measure

    @property
    def own_notes(self) -> tuple[Note, ...]:
        """Notes that are of this pair alone; the others stand once beside all pairs."""
        return tuple(note for note in self.notes if note not in self.shared)

    def _with_shared(self, notes: Iterable[Note]) -> Comparison:
        """The comparison with notes in front that others compared with it have as well.

        Parameters
        ----------
        notes : such as those of the two runs.
        """
        new = tuple(note for note in dict.fromkeys(notes) if note not in self.notes)
        if not new:
            return self
        mirror = self.mirror and self.mirror._replace(notes=(*new, *self.mirror.notes))
        return replace(self, notes=(*new, *self.notes), shared=(*new, *self.shared), mirror=mirror)

    @property
    def how(self) -> str:
        """Where the p-value comes from, in words."""
        return str(self.method)

    @property
    def entropy(self) -> int | None:
        """The seed, by its older name."""
        return self.seed

    @property
    def significant(self) -> bool:
        """Whether the adjusted p is at most 1 - level."""
        return is_significant(self.adjusted, self.level)

    @property
    def outcome(self) -> str:
        """What it comes to for the first system: "better", "worse", "no difference shown", or
        "undefined" where p is.
        """
        if self.p != self.p:
            return UNDEFINED
        if self.contrary or not (self.significant and self.gain):
            return NOT_SHOWN
        return BETTER if self.gain > 0 else WORSE

    @property
    def verdict(self) -> Verdict:
        """Which system is best, and how the other stands to it, as data and in a sentence."""
        return verdict_of([self], dict(zip(self.names, self.values, strict=True)))

    @property
    def superiority(self) -> float | None:
        """Share of pairs in which the first wins, ties counting half; None where nothing is paired,
        as of AP of cases.
        """
        pairs = self.wins + self.ties + self.losses
        return (self.wins + self.ties / 2) / pairs if pairs else None

    @property
    def gain(self) -> float:
        """By how much the first is better: the difference, its sign turned where low values are
        good.
        """
        return self.difference if self.higher_is_better else -self.difference

    def swap(self) -> Comparison:
        """The same comparison with the systems in the other order, as if it had been asked so, to
        the last digit.

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
            "correction": self.correction,
            "statistic": self.statistic,
            "effect": self.effect,
            "superiority": self.superiority,
            "size": self.size,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "left_out": self.left_out,
            "notes": plain(self.notes),
            "seed": self.seed,
            "equal_scores": self.equal_scores,
        }

    def __repr__(self) -> str:
        return printable(
            f"<Comparison: {self.names[0]} - {self.names[1]} {signed(self.difference)} "
            f"{self.label}, p {p_text(self.p)}, {self.test}>"
        )

    def __str__(self) -> str:
        a, b = self.names
        # A seed is told where it was drawn from: p may be exact, and bounds drawn.
        drew = self.alternative != "two-sided" or not self.method.exact
        of_bounds, of_p = (None, self.seed) if drew else (self.seed, None)
        share = f", {percent(self.level)} interval {' to '.join(shown_ends(self.low, self.high))}"
        share += f" ({self.interval}{tell_seed(of_bounds)})" if self.interval else ""
        if self.low is None:
            share = f", no interval ({self.no_interval})" if self.no_interval else ""
        order = f", ties {self.equal_scores}" if self.equal_scores else ""
        lines = [
            f"{self.label}{order}: {a} {number(self.values[0])}, {b} {number(self.values[1])}, "
            f"difference {signed(self.difference)}{share}",
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

    @property
    def residual(self) -> float:
        """Variance within topics and systems."""
        return self.squares[2]

    def to_dict(self) -> dict[str, dict[str, float | None]]:
        """By source of variance, as plain data, for JSON."""
        keys = ("sum", "freedom", "square", "f", "p")
        parts = (self.sums, self.freedom, self.squares, (*self.f, None), (*self.p, None))
        names = ("systems", "topics", "residual")
        return {
            name: dict(zip(keys, row, strict=True))
            for name, row in zip(names, zip(*parts, strict=True), strict=True)
        }


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons(Equal, Presented):
    """Several systems compared pair by pair; one family of comparisons per measure.

    Attributes
    ----------
    pairs : the comparisons, in order.
    names : the systems, in order.
    means : by measure, the mean of every system, as `evaluate` has it.
    letters : by measure and system, its letters (compact letter display): of systems that share a
        letter no difference was shown. Empty against a baseline.
    anova : by measure, the two-way analysis of variance of three systems or more.
    conventions : every choice that the numbers rest on.
    notes : what a reader should know.
    unit : what the pairs of values are of: topics, or items that were decided about.
    posteriors : of two systems' yes or no about each item, how probable it is that one is better.
    neutral : measures of which neither high nor low values are good; they have no verdict.
    heads : what measures are called in print, if that is another name.
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

    def __post_init__(self) -> None:
        for name in ("means", "letters", "anova"):
            if isinstance(by_name := getattr(self, name), Mapping):
                object.__setattr__(self, name, ByMeasure(by_name))

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """By measure which system is best, and how the others stand to it, or to the baseline, as
        data and in a sentence.
        """
        return ByMeasure(verdicts_of(self))

    @property
    def families(self) -> dict[str, tuple[Comparison, ...]]:
        """The pairs by measure; those of a geometric mean are of its logarithms, and their measure
        is called so.
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
        alone = next(
            (pair.head for pair in self.pairs if pair.head and pair.measure == measure), measure
        )
        return self.heads.get(measure, alone)

    def pair(self, a: str, b: str, measure: str | None = None) -> Comparison:
        """The comparison of two systems by a measure (None is the first), in this order:
        `difference` is of `a` less `b`.
        """
        families = self.families
        if measure is None:
            some = self.pairs
        elif measure in families:
            some = families[measure]
        else:
            # Of geometric means logarithms are compared, and called so.
            some = tuple(pair for pair in self.pairs if pair.measure == measure)
            if not some:
                raise KeyError(f"{measure!r}: compared by {', '.join(families)}")
        pair = next((pair for pair in some if {a, b} == set(pair.names)), None)
        if pair is None:
            raise KeyError(f"{a!r}, {b!r}: compared were {', '.join(self.names)}")
        return pair if pair.names == (a, b) else pair.swap()

    @property
    def significant(self) -> tuple[Comparison, ...]:
        """The comparisons whose adjusted p is at most 1 - level."""
        return tuple(pair for pair in self.pairs if pair.significant)

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {
            "systems": list(self.names),
            "means": {name: dict(pair) for name, pair in self.means.items()},
            "verdicts": {name: verdict.to_dict() for name, verdict in self.verdicts.items()},
            "pairs": list(map(data_of_pair, self.pairs)),
            "letters": {name: dict(pair) for name, pair in self.letters.items()},
            "anova": {name: pair.to_dict() for name, pair in self.anova.items()},
            "notes": plain(self.notes),
        } | ({"heads": dict(self.heads)} if self.heads else {})

    def __repr__(self) -> str:
        return (
            f"<Comparisons: {len(self.pairs)} of {len(self.names)} systems, "
            f"{len(self.significant)} significant>"
        )


def data_of_pair(pair: Comparison) -> dict[str, Any]:
    """A pair as plain data where what it shares with others stands beside it."""
    return pair.to_dict() | {"notes": plain(pair.own_notes)}


def with_head(pair: Comparison, measure: Any) -> Comparison:
    """The comparison, headed by the name that its measure was asked for by."""
    try:
        known = find(measure)
    except MeasureError:
        return pair
    head = pair.measure.replace(known.name, known.head, 1)
    return pair if head == pair.measure else replace(pair, head=head)


def tests_in_words(families: Mapping[str, Sequence[Comparison]]) -> str:
    """The test of these pairs, by measure, and how its p were computed: once, or of which measures
    they were which way.

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
    measures: dict[str, list[str]] = {}
    for measure, pairs in families.items():
        ways = ", ".join(ways_of(pair.method for pair in pairs))
        measures.setdefault(ways, []).append(measure)
    if len(measures) > 1:  # of measures that nothing tells apart no test was made
        measures.pop(str(NO_DIFFERENCE), None)
    test = "/".join(dict.fromkeys(pair.test for pairs in families.values() for pair in pairs))
    if len(measures) == 1:
        return f"{test} ({next(iter(measures))})"
    return (
        f"{test} ({'; '.join(f'{ways}: ' + ', '.join(names) for ways, names in measures.items())})"
    )


def corrected(pairs: list[Comparison], correction: str) -> list[Comparison]:
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

    Not by statsmodels, which gives the same digits: it takes a second to import, and Holm's there a
    full collection of garbage.

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
    ranked, place = np.asarray(p, np.float64)[order], np.arange(1, len(p) + 1)
    if correction in ("holm", "hochberg"):
        steps = ranked * place[::-1]
    else:
        share = place / len(p)
        steps = ranked / (share if correction == "bh" else share / np.sum(1 / place))
    adjusted = np.empty(len(p))
    adjusted[order] = (
        np.maximum.accumulate(steps)
        if correction == "holm"
        else np.minimum.accumulate(steps[::-1])[::-1]
    )
    return np.minimum(adjusted, 1.0)
