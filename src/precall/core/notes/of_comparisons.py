"""Notes on comparisons and gates: skewed or few differences, approximate tests, and the meaning of
marks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from precall.core.notes.facts import Meaning, Note, Severity, note_kind
from precall.core.notes.of_intervals import NONE, ROUGH
from precall.core.text import count_drawn, many, span

FEW = Meaning(
    "Few differences",
    (
        "Too few {:topics} differ: even if one system were better in all of them, this could be by "
        "chance."
    ),
)
GATES = Meaning(
    "Gates",
    (
        "Without a margin a gate fails if the loss is significant. With a margin it fails unless a "
        "loss of this size is ruled out."
    ),
)
SKEWED = Meaning(
    "Skewed differences",
    (
        "A few {:topics} differ far more than the rest. So p may be too small and an interval too "
        "narrow, and rare {:topics} with large differences may be missing from the sample."
    ),
)


# --- Topics ---


@note_kind
class TopicsLeftOut(Note):
    """Topics could not be compared."""

    left_out: int
    severity = Severity.WRONG
    text = "{left_out:topic} left out: missing or undefined for one of the systems"


@note_kind
class OneClassTopics(Note):
    """Topics have only relevant items, or only others, and were left out."""

    left_out: int
    severity = Severity.INFORMATIVE
    text = "{left_out:topic} left out: all of their items are relevant, or none is"


@note_kind
class EqualTopics(Note):
    """Two systems have equal values in every topic."""

    systems: tuple[str, str]
    topics: int
    severity = Severity.INFORMATIVE

    def template(self) -> str:
        """The sentence; for one topic "all" would be odd."""
        return "{pair} are equal in " + "all " * (self.topics > 1) + "{topics:topic}"

    @property
    def pair(self) -> str:
        """Both systems."""
        return " and ".join(self.systems)


@note_kind
class UnseenDifferences(Note):
    """No topic in the sample differs; the note bounds the share of all topics that may still
    differ.
    """

    topics: int
    share: float
    severity = Severity.INFORMATIVE
    text = "no difference in {topics:topic}, but up to {percent:.2g} % of all {:topics} may differ"

    @property
    def percent(self) -> float:
        """The share in percent."""
        return 100 * self.share


@note_kind
class TiedSystems(Note):
    """Systems are tied in an order, so AP correlation, which needs a rank of each, is undefined."""

    severity = Severity.INFORMATIVE
    text = "systems are tied: tau_ap is undefined, tau_ap_b counts ties"


@note_kind
class OfLogarithms(Note):
    """For a geometric mean, logarithms are compared."""

    measure: str
    severity = Severity.INFORMATIVE
    text = "differences, their intervals and p use log {measure}; means use {measure}"


# --- Systems with several runs ---


@note_kind
class OneRun(Note):
    """A system has one run, and others have several."""

    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = Meaning(
        "One run",
        (
            "With one run of a system only {:topics} vary. If the system depends on a seed, its "
            "results are less certain than its interval says."
        ),
    )
    text = "one run, so its error comes from {:topics} alone"


@note_kind
class ErrorOfRuns(Note):
    """What the columns of the table of systems with several runs mean."""

    severity = Severity.INFORMATIVE
    text = (
        "error: standard error of the mean over {:topics} and runs; sd: standard deviation; "
        "share of runs: the part of the squared error that more runs would reduce"
    )


@note_kind
class CorrectionOverGroups(Note):
    """How p of groups of topics is adjusted."""

    groups: int
    pairs: int
    correction: str
    severity = Severity.INFORMATIVE

    def template(self) -> str:
        """The sentence, by the correction."""
        match self.correction:
            case "none":
                return "p of {groups} groups is not adjusted for their number"
            case "tukey":
                return "p of {groups} groups is adjusted within each group, not for their number"
        return (
            "p of groups is adjusted ({correction}) for {pairs:comparison} of a measure: the pairs "
            "of all {groups} groups"
        )


# --- Skewness ---


class OfSkewness(Note):
    """A note on the shape of differences: `differ` of `topics`, or of what `noun` names, are
    not 0.
    """

    topics: int
    differ: int
    noun: str = "topics"
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = SKEWED

    def with_interval(self, interval: bool = True) -> OfSkewness:
        """The same note on a result that also has an interval, or that has none.

        Parameters
        ----------
        interval : whether it has one.
        """
        return self

    @property
    def units(self) -> str:
        """What differs, in the words of the vocabulary."""
        return self.vocabulary.word(self.noun)

    @property
    def the(self) -> str:
        """The article, which begins the sentence unless a subject is named."""
        return "the" if self.context or self.subject else "The"

    @property
    def those(self) -> str:
        """The differences that are not 0, in words."""
        if self.topics == self.differ:
            return f"{self.the} differences of {self.topics} {self.units}"
        return f"{self.the} {self.differ} non-zero differences of {self.topics} {self.units}"

    @classmethod
    def joint_values(cls, notes: Sequence[OfSkewness]) -> Mapping[str, object]:
        """How many pairs or measures there are, which they are, and how many topics differ."""
        names = [_name_of_comparison(note.context) for note in notes]
        noun = "comparison"
        if {len(note.context) for note in notes} == {1}:
            noun = "pair" if all(" - " in name for name in names) else "measure"
        listed = names if len(names) <= _NAMED and all(names) else []
        differ = span([note.differ for note in notes], "{:.0f}".format)
        topics = span([note.topics for note in notes], "{:.0f}".format)
        return {
            "count": many(len(notes), noun),
            "named": f" ({', '.join(listed)})" if listed else "",
            "differ": f"{differ} of {topics}",
            "noun": notes[0].noun,
        }


#: A sentence about several pairs names at most this many.
_NAMED = 2


def _name_of_comparison(context: Sequence[str]) -> str:
    """A pair and its measure, in words."""
    return " by ".join(reversed(context))


class OfSkewedResult(OfSkewness):
    """A note on what skewness does to p and, with `interval`, to the bounds."""

    interval: bool = False

    def with_interval(self, interval: bool = True) -> OfSkewness:
        """The same note on a result that also has an interval, or that has none.

        Parameters
        ----------
        interval : whether it has one.
        """
        facts = self.facts | {"interval": interval}
        return type(self)._made(facts, self.context, self.vocabulary.name)

    @property
    def doubted(self) -> str:
        """What may be wrong."""
        return "p may be too small" + " and the interval too narrow" * self.interval

    @classmethod
    def joint_values(cls, notes: Sequence[Any]) -> Mapping[str, object]:
        """Also what may be wrong."""
        return {**super().joint_values(notes), "doubted": notes[0].doubted}


@note_kind
class SkewedDifferences(OfSkewedResult):
    """Differences are strongly skewed, and there are too few of them."""

    topics: int
    differ: int
    skewness: float
    test: str
    noun: str = "topics"
    interval: bool = False

    text = (
        "{those} are strongly skewed (skewness {skewness:.1f}), so {doubted}. More "
        "{noun:word} would help{others}."
    )
    joint = (
        "{count} have strongly skewed differences ({skewness}), so {doubted}. More "
        "{noun:word} would help{others}."
    )

    @property
    def others(self) -> str:
        """No other tests are named besides the bootstrap."""
        return "; another test would not" * (self.test != "bootstrap")

    @classmethod
    def joint_values(cls, notes: Sequence[Any]) -> Mapping[str, object]:
        """Also the greatest skewness, with the pair that has it."""
        most = max(notes, key=lambda note: abs(note.skewness))
        name = _name_of_comparison(most.context)
        where = f": {name}" if name else ""
        skewness = f"skewness up to {abs(most.skewness):.1f}{where}"
        values = super().joint_values(notes)
        return {**values, "skewness": skewness, "others": most.others}


@note_kind
class FewToShowSkewness(OfSkewedResult):
    """Differences are too few to show whether they are skewed."""

    topics: int
    differ: int
    test: str
    noun: str = "topics"
    interval: bool = False
    text = (
        "{scarce} too few to show whether differences are skewed. If most are small losses and a "
        "few are large gains, {doubted}."
    )
    joint = (
        "{count}{named}: only {differ} {noun:word} differ, too few to show whether differences are "
        "skewed. If most are small losses and a few are large gains, {doubted}."
    )

    @property
    def scarce(self) -> str:
        """How many topics there are, or differ."""
        if self.differ == self.topics:
            return f"{self.topics} {self.units} are"
        only = "only" if self.context or self.subject else "Only"
        verb = f"differ{'s' * (self.differ == 1)}"
        return f"{only} {self.differ} of {self.topics} {self.units} {verb},"


@note_kind
class NoSkewnessShown(OfSkewness):
    """Differences are equal, or nearly so, and show no skewness."""

    topics: int
    differ: int
    vary: bool
    noun: str = "topics"
    text = (
        "{those} {are}, so they show no skewness. Rare {noun:word} with large differences of the "
        "other sign may be missing."
    )
    joint = (
        "{count}{named}: {differ} {noun:word} differ; their differences {are}, so they show no "
        "skewness. Rare {noun:word} with large differences of the other sign may be missing."
    )

    @property
    def are(self) -> str:
        """How alike the differences are."""
        return "are nearly equal" if self.vary else "are all equal"

    @classmethod
    def joint_values(cls, notes: Sequence[Any]) -> Mapping[str, object]:
        """Also how alike the differences are."""
        return {**super().joint_values(notes), "are": notes[0].are}


# --- Few differences, or none that vary ---


@note_kind
class DifferencesAlike(Note):
    """Topics differ by the same amount, or not at all, so there is no interval."""

    reason: str
    by_signs: bool
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = NONE

    def template(self) -> str:
        """The sentence; for some tests p is then that of the sign test."""
        return "{reason}, so there is no interval" + "; p is from the sign test" * self.by_signs


@note_kind
class OneTopic(Note):
    """One topic has no standard deviation, which the test needs."""

    severity = Severity.DOUBTFUL
    text = "one {:topic} has no standard deviation, so p is from the sign test"


@note_kind
class SignsForT(Note):
    """Topics do not vary, so there is no t."""

    reason: str
    severity = Severity.DOUBTFUL
    text = "{reason}: t is undefined, so p is from the sign test"


@note_kind
class FewToRedraw(Note):
    """There are too few topics for a bootstrap."""

    topics: int
    differ: int
    instead: bool
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH

    def template(self) -> str:
        """The sentence; for skewed topics no other test is advised."""
        other = "; randomization does so less often" * self.instead
        such = (
            "{topics:topic}" if self.topics == self.differ else "{differ} of {topics:topic} differ"
        )
        return f"only {such}: the bootstrap rejects too often{other}"


@note_kind
class SpeaksForTheOther(Note):
    """A test weighs pairs instead of differences, and favours the system that is worse."""

    test: str
    values_of: str
    units: str
    severity = Severity.DOUBTFUL
    text = (
        "{test} and the {values_of} favour different systems, because the "
        "test weighs {units:word}, not differences"
    )


@note_kind
class LeastP(Note):
    """So few topics differ that p cannot be small."""

    differ: int
    least: float
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = FEW

    def template(self) -> str:
        """The sentence; p of one difference is 1, whatever it is."""
        limit = "is {least:.3g}" if self.least >= 1 else "cannot be below {least:.3g}"
        return "only {differ:difference} other than 0, so p " + limit


@note_kind
class RejectsNothing(Note):
    """There are too few topics: a test rejects no difference, and the interval contains all
    possible differences.
    """

    least: float = 0.0
    most: float = 1.0
    severity = Severity.INFORMATIVE
    text = (
        "the test cannot reject any difference, so the interval holds every "
        "difference of values in {least:g}..{most:g}"
    )


@note_kind
class NoMarginShown(Note):
    """There are too few topics: a one-sided p cannot be small enough for any margin."""

    topics: int
    least: float
    test: str
    level: float
    severity = Severity.DOUBTFUL
    text = (
        "p of {test} is at least {least:g} with {topics:topic}, so no margin "
        "can be shown at level {level:.12g}"
    )


# --- Several systems ---


@note_kind
class UnlikeSpreads(Note):
    """Some pairs vary far more than others, while differences are skewed or few."""

    ratio: float
    test: str
    severity = Severity.DOUBTFUL
    text = (
        "Some pairs vary {ratio:.1f} times as much as others, and differences are skewed or few. "
        "{test} can then call equal systems different in 10 % of samples instead of 5 %."
    )


@note_kind
class NoLetters(Note):
    """Letters cannot show which systems differ."""

    severity = Severity.INFORMATIVE
    text = "letters cannot show these significant differences, so there are none"


@note_kind
class FewResamples(Note):
    """There are too few resamples: not even the clearest pair could be significant."""

    pairs: int
    least: float
    severity = Severity.DOUBTFUL
    text = (
        "too few resamples for {pairs} pairs: no p is below {least:p} before "
        "correction. Use more resamples, or correction tukey."
    )


# --- Two lists ---
#: How to ask for exchanges; for `precall curve` that is another command.
_PERMUTATION = (
    "⟨pc.compare.cases(test='permutation')¦precall compare FILE --label --score --test permutation⟩"
)


@note_kind
class SameOrder(Note):
    """Both scores order all items equally."""

    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = NONE
    text = "both scores order all items alike, so there is no interval"


@note_kind
class IntervalByMover(Note):
    """p and the interval come from different methods."""

    severity = Severity.INFORMATIVE
    text = (
        "p comes from exchanges and the interval from MOVER, so the interval can "
        "contain 0 although p is small"
    )


@note_kind
class InfluenceByDefault(Note):
    """There are too many rows of items for the usual default test."""

    rows: int
    most: int
    severity = Severity.INFORMATIVE
    text = (
        "the influence test is the default above {most:,} rows of items, because exchanges of "
        "{rows:,} or more take long; for exchanges use "
    ) + _PERMUTATION


@note_kind
class NarrowAtRank(Note):
    """The interval of a difference at a rank is by influences, which are those of the cases around
    each cut. It is too narrow where unlike numbers of relevant cases stand out by the two scores.
    """

    severity = Severity.DOUBTFUL
    several = "intervals at a rank by influences can be too narrow"
    text = (
        "the interval is too narrow where more relevant cases stand out by one score than by the "
        "other: 90 to 92 % of 95 % intervals hold the difference there; for one that holds use "
    ) + _PERMUTATION


@note_kind
class LeastOfExchanges(Note):
    """p has the least value that this number of exchanges allows."""

    p: float
    resamples: int
    severity = Severity.INFORMATIVE
    text = "p {p:p} is the smallest that {drawn} can give; more resamples can give a smaller one"

    @property
    def drawn(self) -> str:
        """The number of exchanges, in words."""
        return count_drawn(self.resamples, "exchange")


@note_kind
class BothTooHigh(Note):
    """Above the relevant items of both lists, too few of the other items were sampled, which
    have larger weights.
    """

    test: str
    severity = Severity.DOUBTFUL

    def template(self) -> str:
        """The sentence; tests by exchanges keep their size."""
        text = (
            "both values are too high: too few other items, which weigh more, were sampled above "
            "the relevant ones"
        )
        if self.test == "permutation":
            return text
        return text + "; the {test} test rejects too often, permutation keeps its size"


@note_kind
class UnlikeBiases(Note):
    """Groups bias one of two values more than the other."""

    more: float
    error: float
    severity = Severity.DOUBTFUL
    text = (
        "because of groups, one value is too high by {more:.4f} more than the"
        " other, compared with an error of {error:.4f}; p may be too small"
    )


_WITHOUT_VARIANCE = f"; {_PERMUTATION} needs no variance"
_WITHOUT_DISTRIBUTION = f"; {_PERMUTATION} assumes no distribution"


@note_kind
class DelongOfMargin(Note):
    """DeLong's error is used for a test of a margin although an area is near 1 or a class small."""

    area: float
    cases: float
    severity = Severity.DOUBTFUL
    text = (
        "DeLong's test of a margin rejects too often if an area is above 0.9 or a class has fewer "
        "than 50 cases (here {area:.3g} and {cases:.0f}): in simulations up to 7 % at 2.5 %. The "
        "test ⟨test='mover'⟩ rejected at most 4 %"
    )


@note_kind
class SymmetricNearOne(Note):
    """A symmetric interval of the difference of two areas, of which one is near 1."""

    area: float
    severity = Severity.DOUBTFUL
    text = (
        "with an area of {area:.3g}, near 1, the symmetric interval can cover less than 93 %; "
        "⟨interval='mover'⟩ covers 95 %"
    )


@note_kind
class FewDiscordant(Note):
    """Two systems differ in few items, so Tango's test is approximate."""

    differ: int
    items: int
    severity = Severity.DOUBTFUL
    text = (
        "the systems differ in {differ} of {items} items: with fewer than 5, Tango's test is "
        "only a rough approximation"
    )


@note_kind
class UnlikePrevalence(Note):
    """Two cohorts are compared by a measure that depends on the share of relevant cases, which
    differs between them.
    """

    first: float
    second: float
    severity = Severity.DOUBTFUL
    text = (
        "{subject} rises with the share of relevant cases, which is {percents} %, so it differs "
        "between equally good scores; AUC does not depend on this share"
    )

    @property
    def percents(self) -> str:
        """Both shares."""
        return f"{100 * self.first:.3g} and {100 * self.second:.3g}"


@note_kind
class UndefinedP(Note):
    """A test needs a variance, and there is none."""

    reason: str
    permutation: bool
    severity = Severity.DOUBTFUL

    def template(self) -> str:
        """The sentence, with a test that needs no variance, if there is one."""
        return "p is undefined: {reason}" + _WITHOUT_VARIANCE * self.permutation


@note_kind
class RareHits(Note):
    """Relevant items are too few and rare for a test of influences."""

    relevant: float
    items: float
    severity = Severity.DOUBTFUL
    text = (
        "only {relevant:.0f} of {items:,.0f} items are relevant, so the "
        "influence test rejects too seldom: at level 5 %, in 1 % of samples with 20 relevant "
        "of 2,000 items, and in 2 % with 100 of 10,000. The permutation test keeps its size."
    )


@note_kind
class RoughOfGroups(Note):
    """There are too few groups for the distribution that the test assumes."""

    groups: int
    effective: float
    distribution: str
    permutation: bool
    severity = Severity.DOUBTFUL

    def template(self) -> str:
        """The sentence, with a test that needs no distribution, if there is one."""
        return (
            "only {groups:group}, effectively {effective:.0f}: {distribution} distribution is only "
            "approximate" + _WITHOUT_DISTRIBUTION * self.permutation
        )


def _few_of_class(items: float) -> str:
    """The beginning of a template, with one item or more."""
    return f"only {{items:.0f}} {'item' if round(items) == 1 else 'items'} of the rarer class"


@note_kind
class RoughOfClass(Note):
    """The rarer class has too few items for the normal distribution, which the test assumes."""

    items: float
    permutation: bool
    severity = Severity.DOUBTFUL

    def template(self) -> str:
        """With a test that needs no distribution, if there is one."""
        return (
            f"{_few_of_class(self.items)}: the normal distribution is only approximate"
            + _WITHOUT_DISTRIBUTION * self.permutation
        )


@note_kind
class RoughBounds(Note):
    """The rarer class has too few items for the normal distribution, which the interval assumes and
    the test does not.
    """

    items: float
    severity = Severity.DOUBTFUL

    def template(self) -> str:
        """The sentence, with one item or more."""
        return (
            f"{_few_of_class(self.items)}: the interval assumes a normal distribution, and is only "
            "approximate"
        )


@note_kind
class BoundsAgainstP(Note):
    """The interval leaves out 0 although p is not significant, or the reverse. They come from
    different methods.
    """

    p: float
    contains: bool
    holds: bool = True
    """Whether p holds for every distribution of the differences."""
    severity = Severity.DOUBTFUL
    several = "the interval and p disagree about 0, as they come from different methods"

    def template(self) -> str:
        """The sentence; it says on which side the interval is."""
        where = "contains" if self.contains else "leaves out"
        why = (
            ". Trust p: it assumes no distribution, and the interval is approximate"
            if self.holds
            else ", as they come from different methods"
        )
        return f"the interval {where} 0, but p is {{p:p}}" + why


@note_kind
class RoughOfPart(Note):
    """There are too few other items within the part of an area for the normal distribution, which
    the test assumes.
    """

    items: float
    severity = Severity.DOUBTFUL
    text = (
        "only {items:other item} within the part of the area: the normal"
        " distribution is only approximate"
    )


@note_kind
class FewHeavyItems(Note):
    """A few items have much of the weight."""

    items: int
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH
    text = "only {items:item} with large weights: the test may reject too often"


# --- Decisions ---


@note_kind
class IntervalOfDifference(Note):
    """How the interval of a difference of decisions was computed."""

    method: str
    resamples: int
    severity = Severity.INFORMATIVE

    def template(self) -> str:
        """The sentence; Student's method draws no samples."""
        return "interval: {method}" + ", {drawn}" * (self.resamples > 0)

    @property
    def drawn(self) -> str:
        """The number of samples, in words."""
        return count_drawn(self.resamples)


@note_kind
class RatioOfValues(Note):
    """The ratio of two systems' values, with its interval."""

    measure: str
    ratio: float
    low: float
    high: float
    level: float
    of: tuple[str, str]
    severity = Severity.INFORMATIVE
    text = (
        "ratio of {measure}, {first} / {second}: {ratio:.4f} [{low:.4f}, {high:.4f}] "
        "{level:percent}"
    )

    @property
    def first(self) -> str:
        """The system above the line."""
        return self.of[0]

    @property
    def second(self) -> str:
        """The system below the line."""
        return self.of[1]

    def mirrored(self) -> RatioOfValues:
        """The ratio the other way round."""
        swapped = (1 / self.ratio, 1 / self.high, 1 / self.low)
        return RatioOfValues(self.subject, self.measure, *swapped, self.level, self.of[::-1])


@note_kind
class NoRatio(Note):
    """The ratio of two systems' values has no interval."""

    severity = Severity.DOUBTFUL
    text = (
        "the ratio of both values has no interval: one of them is 0, infinite or undefined, or the "
        "decisions that differ do not vary it"
    )

    def mirrored(self) -> NoRatio:
        """The same."""
        return self


@note_kind
class FewGroupsDiffer(Note):
    """The interval of a difference comes from few groups, as the systems decide alike in others."""

    groups: int
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH
    text = (
        "the systems decide differently in only {groups:group}: the interval can cover less than "
        "its level"
    )


@note_kind
class FewGroupsOfCategory(Note):
    """A category, which counts as much as others in an average, is in few groups."""

    category: str | float
    groups: int
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH
    text = (
        "category {category} is in only {groups:group}: the interval can cover less than its level"
    )


@note_kind
class EitherClass(Note):
    """A test of recall and specificity together: the systems are better in different ones."""

    severity = Severity.DOUBTFUL
    text = (
        "one system has the higher recall and the other the higher specificity: p tells that they "
        "differ, not that one is better"
    )


# --- Gates ---


@note_kind
class GateDecision(Note):
    """Why a gate passed or failed."""

    sentence_of_gate: str
    passed: bool
    severity = Severity.INFORMATIVE
    text = "{sentence_of_gate}"


@note_kind
class GateWithoutMargin(Note):
    """How often a gate without a margin fails an equal system."""

    share: float
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = GATES
    text = (
        "a gate without a margin fails an equal system in at most "
        "{percent:.3g} % of samples: p is two-sided, and only losses fail"
    )

    @property
    def percent(self) -> float:
        """The share in percent."""
        return 100 * self.share


@note_kind
class GateWithMargin(Note):
    """How often a gate with a margin wrongly lets a system pass."""

    share: float
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = GATES
    text = (
        "a gate with a margin wrongly passes a system in at most "
        "{percent:.3g} % of samples: its test is one-sided"
    )

    @property
    def percent(self) -> float:
        """The share in percent."""
        return 100 * self.share


@note_kind
class NeverFails(Note):
    """Too few topics differ: even a loss in all of them could not fail a gate without a margin.

    `differ` of `topics` topics differ; `differ` is None if even all topics would be too few. A loss
    can fail the gate if `needed` topics differ.
    """

    topics: int
    gate: str
    differ: int | None = None
    needed: int = 0
    severity = Severity.DOUBTFUL
    joint = (
        "{label}only {few}{why}, so {named}; use more {:topics}, or a margin: such a gate fails "
        "unless a loss of that size is ruled out"
    )
    apart: ClassVar[tuple[str, ...]] = ("gate",)

    def template(self) -> str:
        """The sentence; `joint` has its end."""
        return self.joint.removeprefix("{label}")

    @property
    def few(self) -> str:
        """The topics that differ, or all."""
        return _few_topics([self])

    @property
    def why(self) -> str:
        """How many topics are needed."""
        return _why_idle(self.needed)

    @property
    def named(self) -> str:
        """The gate in quotes, and what it cannot do."""
        return f"{self.gate!r} {'never fails' if self.differ is None else 'could not have failed'}"

    @classmethod
    def joint_values(cls, notes: Sequence[Any]) -> Mapping[str, object]:
        """How many gates there are, and how many topics differ."""
        subjects = dict.fromkeys(note.subject for note in notes if note.subject)
        verb = "never fail" if notes[0].differ is None else "could not have failed"
        return {
            "label": f"{', '.join(subjects)}: " if subjects else "",
            "few": _few_topics(notes),
            "why": _why_idle(max(note.needed for note in notes)),
            "named": f"{many(len(notes), 'gate')} {verb}",
        }

    @classmethod
    def in_brackets(cls, notes: Sequence[NeverFails]) -> str:
        """The topics that differ in these notes, as a verdict has them."""
        return f"{_few_topics(notes)}, {max(note.needed for note in notes)} are needed"


def _few_topics(notes: Sequence[NeverFails]) -> str:
    """How many topics differ, or how many there are."""
    words = notes[0].vocabulary
    total = span([note.topics for note in notes], "{:.0f}".format)
    topics = f"{total} {words.word('topic' if total == '1' else 'topics')}"
    if any(note.differ is None for note in notes):
        return topics
    differ = span([note.differ or 0 for note in notes], "{:.0f}".format)
    return f"{differ} of {topics} differ{'s' * (differ == '1')}"


def _why_idle(needed: int) -> str:
    """How many topics a significant loss needs; older pages do not have the number."""
    if needed:
        return f", and a significant loss needs {needed}"
    return ", too few for a significant loss"


# --- What marks in tables mean ---


def _limit(adjusted: bool, most: float | None, sign: str) -> str:
    """The limit of p in brackets; older pages do not have its number."""
    return f" ({'adjusted ' * adjusted}p {sign} {'1 - level' if most is None else '{most:.3g}'})"


@note_kind
class StarOfSignificance(Note):
    """What a star next to p means."""

    adjusted: bool
    most: float | None = None
    severity = Severity.INFORMATIVE

    def template(self) -> str:
        """The sentence, with the number, or in terms of the level."""
        return "* significant" + _limit(self.adjusted, self.most, "<=")


@note_kind
class StarOfBaseline(Note):
    """What a star next to a mean means."""

    baseline: str
    adjusted: bool
    most: float
    severity = Severity.INFORMATIVE

    def template(self) -> str:
        """The sentence, with the number."""
        return "* significantly different from {baseline}" + _limit(self.adjusted, self.most, "<=")


@note_kind
class SharedLetters(Note):
    """What letters next to means mean."""

    adjusted: bool = False
    most: float | None = None
    severity = Severity.INFORMATIVE

    def template(self) -> str:
        """The sentence, with the number if it is known."""
        words = "Systems that share a letter do not differ significantly"
        return words + _limit(self.adjusted, self.most, ">")


#: What marks in tables mean.
MARKS = (StarOfSignificance, StarOfBaseline, SharedLetters)
