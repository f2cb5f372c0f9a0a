"""What a comparison returns: frozen, not iterable, and able to print itself; and p of several, adjusted for their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.checks import check_choice
from precall.infer.compare import CORRECTIONS
from precall.infer.compare.verdict import (
    BETTER,
    NOT_SHOWN,
    UNDEFINED,
    WORSE,
    Verdict,
    verdict_of,
    verdicts_of,
)
from precall.ragged import Float64
from precall.results import Equal, Presented, number
from precall.rng import tell_seed
from precall.text import p_text as p_text
from precall.text import printable

if TYPE_CHECKING:
    from precall.infer.compare.joint_posteriors import JointPosteriors

#: Corrections that need nothing but p.
_ADJUSTING = tuple(name for name in CORRECTIONS if name not in ("none", "tukey"))


def bounds(low: float, high: float) -> tuple[float, float] | tuple[None, None]:
    """An interval, or none where it has no length or is undefined: a point would claim to know."""
    return (low, high) if low < high else (None, None)


def how_computed(how: str) -> str:
    """How p was computed, as it is said of several pairs: all that is enumerated or summed is exact."""
    return "exact" if how.startswith(("all ", "no difference", "binomial")) else how


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
    how : where the p-value comes from: enumerated, sampled how often, or a distribution.
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
    contrary : whether the test speaks for the system whose mean is worse, as signs and ranks can: such a p shows no
        difference of means, however small it is.

    Examples
    --------
    >>> from precall.infer.compare.paired import paired
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
    how: str
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
    notes: tuple[str, ...] = ()
    seed: int | None = None
    no_interval: str = ""
    contrary: bool = False

    def __post_init__(self) -> None:
        if self.adjusted != self.adjusted:
            object.__setattr__(self, "adjusted", self.p)

    @property
    def entropy(self) -> int | None:
        """The seed, by its older name."""
        return self.seed

    @property
    def significant(self) -> bool:
        """Whether the adjusted p is at most 1 - level."""
        return bool(self.adjusted <= 1 - self.level + 1e-12)

    @property
    def outcome(self) -> str:
        """What it comes to for the first system: "better", "worse", "no difference shown", or "undefined" where p is."""
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
        """Share of pairs in which the first wins, ties counting half; None where nothing is paired, as of AP of cases."""
        pairs = self.wins + self.ties + self.losses
        return (self.wins + self.ties / 2) / pairs if pairs else None

    @property
    def gain(self) -> float:
        """By how much the first is better: the difference, its sign turned where low values are good."""
        return self.difference if self.higher_is_better else -self.difference

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {
            "a": self.names[0], "b": self.names[1], "measure": self.measure, "value_a": self.values[0],
            "value_b": self.values[1], "difference": self.difference, "low": self.low, "high": self.high,
            "level": self.level, "p": self.p, "adjusted": self.adjusted, "significant": self.significant,
            "outcome": self.outcome,
            "test": self.test, "alternative": self.alternative, "how": self.how, "correction": self.correction,
            "statistic": self.statistic, "effect": self.effect, "superiority": self.superiority,
            "size": self.size, "wins": self.wins, "ties": self.ties, "losses": self.losses,
            "left_out": self.left_out, "notes": list(self.notes), "seed": self.seed,
        }  # fmt: skip

    def __repr__(self) -> str:
        return printable(
            f"<Comparison: {self.names[0]} - {self.names[1]} {self.difference:+.4f} {self.measure}, "
            f"p {p_text(self.p)}, {self.test}>"
        )

    def __str__(self) -> str:
        a, b = self.names
        share = f", {100 * self.level:g} % interval {number(self.low)} to {number(self.high)}"
        if self.low is None:
            share = f", no interval ({self.no_interval})" if self.no_interval else ""
        lines = [
            f"{self.measure}: {a} {number(self.values[0])}, {b} {number(self.values[1])}, "
            f"difference {self.difference:+.4f}{share}",
            f"p {p_text(self.p)} ({self.test}, {self.alternative}, {self.how}{tell_seed(self.seed)})"
            + (
                f", adjusted {p_text(self.adjusted)} ({self.correction})" if self.correction != "none" else ""
            ),
        ]
        if self.wins or self.ties or self.losses:
            lines.append(
                f"{self.size} pairs: {self.wins} wins, {self.ties} ties, {self.losses} losses"
                + (f"; d {self.effect:.3f}" if self.effect is not None else "")
            )
        return "\n".join(map(printable, (*lines, *self.notes)))


def mirrored(pair: Comparison) -> Comparison:
    """The comparison of the same systems, the second first; of tests whose statistic changes its sign with the difference."""
    sides = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
    return replace(
        pair, names=pair.names[::-1], values=pair.values[::-1], difference=0.0 - pair.difference,
        low=_minus(pair.high), high=_minus(pair.low), wins=pair.losses, losses=pair.wins,
        alternative=sides[pair.alternative], statistic=_minus(pair.statistic), effect=_minus(pair.effect),
    )  # fmt: skip


def _minus(number: float | None) -> float | None:
    # Not -number, as 0 has no sign.
    return None if number is None else 0.0 - number


@dataclass(frozen=True, slots=True, eq=False)
class Anova(Equal, Presented):
    """Two-way analysis of variance of topics x systems, one value each.

    Rows of `sums`, `freedom`, `squares` (mean squares): systems, topics, residual; `f` and `p` of the
    first two. `residual` is the variance that topic set size design asks for.
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
    letters : by measure and system, its letters (compact letter display): of systems that share a letter
        no difference was shown. Empty against a baseline.
    anova : by measure, the two-way analysis of variance of three systems or more.
    conventions : every choice that the numbers rest on.
    notes : what a reader should know.
    unit : what the pairs of values are of: topics, or items that were decided about.
    posteriors : of two systems' yes or no about each item, how probable it is that one is better.
    neutral : measures of which neither high nor low values are good; they have no verdict.
    """

    pairs: tuple[Comparison, ...]
    names: tuple[str, ...]
    means: Mapping[str, Mapping[str, float]]
    letters: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    anova: Mapping[str, Anova] = field(default_factory=dict)
    conventions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    unit: str = "topics"
    posteriors: JointPosteriors | None = None
    neutral: tuple[str, ...] = ()

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """By measure which system is best, and how the others stand to it, or to the baseline, as data and in a sentence."""
        return verdicts_of(self)

    @property
    def families(self) -> dict[str, tuple[Comparison, ...]]:
        """The pairs by measure; those of a geometric mean are of its logarithms, and their measure is called so."""
        by_name: dict[str, list[Comparison]] = {}
        for pair in self.pairs:
            by_name.setdefault(pair.measure, []).append(pair)
        return dict(zip(self.means, map(tuple, by_name.values()), strict=True))

    def pair(self, a: str, b: str, measure: str | None = None) -> Comparison:
        """The comparison of two systems, in the order in which it was made."""
        pairs = [pair for pair in self.pairs if {a, b} == set(pair.names) and measure in (None, pair.measure)]
        if not pairs:
            raise KeyError(f"{a!r}, {b!r}, {measure!r}: compared were {', '.join(self.names)}")
        return pairs[0]

    @property
    def significant(self) -> tuple[Comparison, ...]:
        """The comparisons whose adjusted p is at most 1 - level."""
        return tuple(pair for pair in self.pairs if pair.significant)

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {
            "systems": list(self.names), "means": {name: dict(pair) for name, pair in self.means.items()},
            "verdicts": {name: verdict.to_dict() for name, verdict in self.verdicts.items()},
            "pairs": [pair.to_dict() for pair in self.pairs],
            "letters": {name: dict(pair) for name, pair in self.letters.items()},
            "anova": {name: pair.to_dict() for name, pair in self.anova.items()}, "notes": list(self.notes),
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"<Comparisons: {len(self.pairs)} of {len(self.names)} systems, {len(self.significant)} significant>"


def corrected(pairs: list[Comparison], correction: str) -> list[Comparison]:
    """The pairs of one family with their adjusted p; a single pair has none."""
    if correction == "none" or len(pairs) < 2:
        return [replace(pair, correction=correction if len(pairs) > 1 else "none") for pair in pairs]
    adjusted = adjust([pair.p for pair in pairs], correction)
    return [
        replace(pair, adjusted=p, correction=correction)
        for pair, p in zip(pairs, adjusted.tolist(), strict=True)
    ]


def adjust(p: Sequence[float], correction: str) -> Float64:
    """p-values adjusted for their number: by steps down ("holm") or up from the least, at most 1.

    Not by statsmodels, which gives the same digits: it takes a second to import, and Holm's there a full collection of garbage.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03], "holm").round(4).tolist(), adjust([0.01, 0.04, 0.03], "bh").round(4).tolist()
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
        np.maximum.accumulate(steps) if correction == "holm" else np.minimum.accumulate(steps[::-1])[::-1]
    )
    return np.minimum(adjusted, 1.0)
