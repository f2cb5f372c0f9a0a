"""Notes on intervals: few values to learn from, bounds at an end of the range, and undefined
intervals.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from precall.core.notes.facts import Meaning, Note, Severity, note_kind

ROUGH = Meaning(
    "Rough intervals",
    (
        "There are few values, or some lie far from the rest, so an interval can miss the truth "
        "more often than its level says."
    ),
)
WIDE = Meaning(
    "Wide intervals",
    (
        "Intervals cover the truth more often than their level says, so they are wider than "
        "necessary."
    ),
)
NONE = Meaning(
    "No interval",
    (
        "An interval is estimated from how values vary. If all are equal, or there is only one, "
        "it cannot be estimated."
    ),
)

#: What an interval can do instead of covering its level.
EFFECTS: Mapping[str, str] = MappingProxyType(
    {
        "miss": "can fall short of its level",
        "less": "can cover less than its level",
        "far less": "can cover far less than its level",
        "more": "can cover more than its level",
        "wide": "is wide",
    }
)


class _OfInterval(Note):
    """A note on what an interval can do; `effect` is a key of `EFFECTS`."""

    effect: str
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH

    @property
    def outcome(self) -> str:
        """What the interval can do."""
        return f"the interval {EFFECTS[self.effect]}"


@note_kind
class OfSeveralRankings(Note):
    """An interval of one ranking was asked for, but some measures need several rankings."""

    measures: tuple[str, ...]
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = NONE
    text = "no interval of {measures}: it can be estimated only from several rankings"


@note_kind
class OneItemDecides(Note):
    """A measure of one ranking has no interval, because a single item decides its value."""

    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = NONE
    text = (
        "no interval of {subject}: one item decides its value, and one ranking does not tell how "
        "much that would vary. Compare topics, or take its p under random selection."
    )


@note_kind
class NoneOfList(Note):
    """Intervals were asked for, but those of some measures of one list are not known."""

    measures: tuple[str, ...]
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = NONE
    text = (
        "no interval of {measures}: none is known of one list; measures of counts have one once "
        "the threshold is fixed (precall decisions)"
    )


# --- Few cases, groups, items or values ---


@note_kind
class FewCases(_OfInterval):
    """There are few cases of the scarcer kind."""

    cases: float
    effect: str = "miss"
    of: str = "interval"
    text = "only {cases:relevant or other case}: {outcome}"

    @property
    def outcome(self) -> str:
        """What the interval, or the band, can do."""
        return f"the {self.of} {EFFECTS[self.effect]}"


@note_kind
class FewGroups(_OfInterval):
    """There are few groups of cases, or few that matter because their sizes are so unequal."""

    groups: int
    effective: float
    effect: str = "miss"
    text = "only {groups:group}, effectively {effective:.0f}: {outcome}"


@note_kind
class FewGroupsMatter(_OfInterval):
    """A few of the groups cause most of the error."""

    even: float
    effect: str = "wide"
    text = "a few groups cause most of its error, like {even:group} of equal size: {outcome}"


@note_kind
class SkewedGroups(_OfInterval):
    """A few groups lie far from the others, too far for the number of groups."""

    groups: int
    skewness: float
    effect: str = "less"
    text = "a few of {groups:group} lie far from the others (skewness {skewness:.1f}): {outcome}"


@note_kind
class FarGroups(_OfInterval):
    """A few groups score far higher or lower than the others."""

    groups: int
    kurtosis: float
    effect: str = "less"
    text = (
        "a few of {groups:group} score far higher or lower than the others (kurtosis "
        "{kurtosis:.1f}); another sample may have more or fewer of them: {outcome}"
    )


@note_kind
class FewHeavyCases(_OfInterval):
    """A few cases have most of the weight."""

    cases: int
    effect: str = "less"
    text = "only {cases:case} with large weights: {outcome}"


@note_kind
class HeavyOfOneKind(_OfInterval):
    """Only relevant cases, or only others, have large weights."""

    effect: str = "less"
    text = (
        "only relevant cases, or only others, have large weights; if another sample may have "
        "such weights in both, {outcome}"
    )


@note_kind
class WeightsRepeatCases(Note):
    """Integer weights, which repeat a case, have one value for relevant cases and another for
    others, like sampling weights.
    """

    relevant: int
    other: int
    text = (
        "integer weights repeat cases (a relevant one {relevant:time}, "
        "another one {other:time}). If these are sampling weights, intervals "
        "are too narrow and p too small: pass them as floats, such as {example}"
    )
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH

    @property
    def example(self) -> str:
        """The greater weight as a float."""
        return f"{max(self.relevant, self.other):.1f}"


@note_kind
class FewItems(_OfInterval):
    """There are few items, or few that differ."""

    items: int
    noun: str = "item"
    effect: str = "miss"
    text = "only {items:item}: {outcome}"

    def template(self) -> str:
        """The sentence; older pages have other nouns."""
        return self.text if self.noun == "item" else "only {items} {noun}s: {outcome}"


@note_kind
class FewOfAKind(_OfInterval):
    """There are too few of the events that make a measure of counts vary, such as errors."""

    seen: int
    fewest: int
    noun: str
    effect: str
    text = "only {seen} {noun:word}, fewer than {fewest}: {outcome}"
    also: ClassVar[tuple[str, ...]] = ("few errors",)

    @property
    def outcome(self) -> str:
        """What the interval can do."""
        if self.effect == "wide":
            return "the interval is wide and mostly covers more than its level"
        return "the interval can cover less than its level"


@note_kind
class RareCategory(_OfInterval):
    """A category is rarely true or decided."""

    times: float
    effect: str = "miss"
    category: str | float | None = None
    text = "{rare} is true or decided only {times:time}: {outcome}"

    @property
    def rare(self) -> str:
        """The category; those of a matrix may have no names."""
        return "a category" if self.category is None else f"category {self.category!r}"


#: What an interval of a mean of few values does.
_OF_FEW = {
    "skewed": "with skewed values the interval covers less than its level",
    "drawn": "a bootstrap interval covers less than its level; the method t is made for few values",
    "wide": "the interval is wide and depends on the ends of the range",
}
#: Methods for values for which others are unsuitable.
_INSTEAD = {
    "bayesian-bootstrap": "the method bayesian-bootstrap keeps its level",
    "proportion": "for the share of one of them use pc.interval.proportion",
}


@note_kind
class FewValues(Note):
    """An interval of a mean is based on few values."""

    values_seen: int
    noun: str
    effect: str
    text = "only {values_seen} {noun:word}: {effect}"
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH

    def template(self) -> str:
        """The sentence, with the effect on the interval."""
        return "only {values_seen} {noun:word}: " + _OF_FEW[self.effect]


@note_kind
class WeightsOnFew(_OfInterval):
    """A few topics have so much weight that the mean is hardly one of many."""

    topics: int
    effective: float
    effect: str = "miss"
    text = "weights leave {topics:topic} worth {effective:.1f} of equal weight: {outcome}"


@note_kind
class TwoValues(Note):
    """The averaged values are only two different numbers."""

    instead: str
    text = "only two values occur; {instead}"
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH

    def template(self) -> str:
        """The sentence, with the method to use instead."""
        return f"only two values occur; {_INSTEAD.get(self.instead, '{instead}')}"


@note_kind
class SkewedValues(_OfInterval):
    """Some values lie far from the rest, too far for their number."""

    skewness: float
    values_seen: int
    noun: str
    instead: str = ""
    effect: str = "less"
    text = "{values_seen} {noun:word} are strongly skewed ({skewness:.2f}): {outcome}{instead}"

    def template(self) -> str:
        """The sentence, with the method to use instead, if there is one."""
        other = f"; {_INSTEAD[self.instead]}" if self.instead in _INSTEAD else "{instead}"
        return "{values_seen} {noun:word} are strongly skewed ({skewness:.2f}): {outcome}" + other


@note_kind
class FarEndUnseen(_OfInterval):
    """Values vary so little that the sample may lack a few at the far end of their range."""

    values_seen: int
    noun: str
    end: float
    moved: float
    effect: str = "far less"
    text = (
        "values vary so little that the sample may lack a few {noun:word} near "
        "{end:g}, which could move the mean by up to {moved:.4f}. If such "
        "{noun:word} exist, {outcome}; the method bayesian-bootstrap allows for "
        "them"
    )


@note_kind
class MuchOptimism(_OfInterval):
    """The gain from choosing a threshold is large compared with the width of the interval, and
    uncertain.
    """

    optimism: float
    width: float
    effect: str = "less"
    text = (
        "choosing the threshold gained {optimism:.4f}, a large part of the "
        "interval's width of {width:.4f}: {outcome}"
    )


# --- At an end of the range ---


@note_kind
class NextToOne(_OfInterval):
    """The estimate is too close to 1 for the number of cases."""

    estimate: float
    cases: float
    effect: str = "miss"
    text = "{estimate:.4f} is very close to 1 for {cases:case}: {outcome}"


@note_kind
class AtAnEnd(Note):
    """An area under the ROC curve is too close to 0 or 1 for the number of cases."""

    estimate: float
    cases: float
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH
    text = (
        "{estimate:.4f} is close to 0 or 1 for {cases:case}: the "
        "interval is wide (covers 97-99 %). It can still fall short of its level "
        "if a few cases have the very worst scores."
    )


@note_kind
class PartAtAnEnd(_OfInterval):
    """A partial area is too close to its least or greatest value for the number of cases within
    it.
    """

    estimate: float
    cases: float
    effect: str = "miss"
    text = "{estimate:.4f} of the possible area is close to 0 or 1 for {cases:case}: {outcome}"


@note_kind
class FewDecide(_OfInterval):
    """The value depends on few cases, or is close to an end for their number."""

    cases: float
    estimate: float
    effect: str = "miss"
    text = "{estimate:.4f} depends on few of {cases:case} being hits or errors: {outcome}"


@note_kind
class FewScores(_OfInterval):
    """Relevant cases share few scores, so a level of recall falls on one score or on another."""

    relevant: float
    scores: int
    effect: str = "miss"
    text = "{relevant:relevant case} with only {scores:different score}: {outcome}"


@note_kind
class NoSureThreshold(Note):
    """No threshold is sure to have a precision, so the recall there can be 0."""

    precision: float
    severity = Severity.INFORMATIVE
    text = (
        "the lower bound is 0, as no threshold is sure to have a precision of {precision:g} or more"
    )


@note_kind
class StartsBeforeHits(_OfInterval):
    """A precision-recall-gain curve begins above nearly all relevant cases."""

    hits: float
    effect: str = "wide"
    text = (
        "the precision-recall-gain curve begins where {hits:.1f} relevant cases are expected, so "
        "the first ones decide most of the area: {outcome}"
    )


@note_kind
class FewWithin(_OfInterval):
    """Few other cases lie within the part of the curve whose area is measured."""

    cases: float
    effect: str = "miss"
    text = "only {cases:other case} within the part of the area: {outcome}"


@note_kind
class AverageAtAnEnd(_OfInterval):
    """An average over categories is too close to 0 or 1 for the number of items."""

    estimate: float
    items: int
    effect: str = "miss"
    text = "{estimate:.4f} is close to 0 or 1 for {items:item}: {outcome}"


@note_kind
class NoSpread(Note):
    """An average of F is 0 or 1, so its spread is 0, and Wilson's bounds are used."""

    estimate: float
    items: int
    severity = Severity.INFORMATIVE
    text = "the value is {estimate:g}, so its spread is 0; the bounds are Wilson's for {items:item}"


@note_kind
class CutToRange(Note):
    """Bounds by t exceeded the range of the measure, and were cut to it."""

    low: float
    high: float
    severity = Severity.INFORMATIVE
    text = "the interval by t leaves {low:g}..{high:g} and is cut to it"


@note_kind
class BeyondRange(Note):
    """Bounds by the method t, which was asked for, exceed the range of the measure."""

    low: float
    high: float
    instead: str = ""
    severity = Severity.DOUBTFUL
    text = "the interval leaves {low:g}..{high:g} and is not cut{instead}"


# --- What the method does with data of this kind ---


@note_kind
class FewOthersAbove(Note):
    """Too few of the other cases, which have larger weights, were sampled above the relevant
    ones to estimate their number.
    """

    excess: float
    effect: str
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH
    text = (
        "too few other cases, which weigh more, were sampled above the "
        "relevant ones, so the value is too high by about {excess:.4f}, and "
        "the interval {outcome}"
    )

    @property
    def outcome(self) -> str:
        """What the interval can do."""
        return EFFECTS[self.effect]


@note_kind
class Biased(_OfInterval):
    """The bias of the estimate is large compared with its error."""

    bias: float
    error: float
    effect: str
    text = "the bias of {bias:.4f} is large compared with an error of {error:.4f}: {outcome}"


@note_kind
class LoneCase(Note):
    """There is only one case of a kind, so its variance is assumed."""

    reason: str
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH
    text = (
        "{reason}; the interval is Newcombe's, which assumes exponential "
        "scores, and can fall short of its level"
    )


@note_kind
class LowBeta(Note):
    """An interval was asked for the precision where F is greatest, with a beta that gives
    recall little weight.
    """

    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = WIDE
    text = "with beta below 1 the interval can cover more than its level, up to 98 %"


@note_kind
class WaldForFew(Note):
    """Wald's interval was asked for."""

    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH
    text = (
        "Wald's interval covers less than its level if trials are few; prefer"
        " ⟨method='wilson'¦the method wilson⟩"
    )


@note_kind
class FewEffectiveItems(Note):
    """Sampling weights differ so much that few items of a kind tell what the interval needs."""

    hits: int
    total: int
    fewest: int
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH
    text = (
        "because weights differ, the sample counts as {hits} hits in {total} items: with fewer "
        "than {fewest} of either kind, the interval can cover less than 93 %"
    )


@note_kind
class ShortForFew(Note):
    """An interval was asked for that covers its level only on average, but there are few hits
    or few misses.
    """

    hits: int
    total: int
    fewest: int
    whose: str
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH
    text = (
        "{hits} of {total}: with fewer than {fewest} of either kind, {whose} "
        "interval can cover less than 93 %; ⟨method='clopper-pearson'¦the "
        "method clopper-pearson⟩ never covers less than its level"
    )


@note_kind
class NoBoundsAtEnds(Note):
    """The delta method has no bounds if F is 0 or 1."""

    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = NONE
    text = (
        "⟨method='delta'¦the method delta⟩ has no bounds at 0 and 1; use "
        "⟨method='posterior'¦the method posterior⟩"
    )


@note_kind
class FewSamplesForLevel(Note):
    """There are too few samples for quantiles of the level, so the bounds lie among the most
    extreme samples.
    """

    resamples: int
    needed: int
    level: float
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH
    text = (
        "quantiles of {level:percent} need {needed:,} samples, and there are {resamples:,}: the "
        "bounds can cover less than their level"
    )


@note_kind
class UndefinedSamples(Note):
    """The measure is undefined in some of the samples."""

    undefined: int
    resamples: int
    severity = Severity.DOUBTFUL
    text = "{undefined} of {resamples} samples are undefined (0/0); the interval uses the others"


@note_kind
class EachByItself(Note):
    """The level holds for each of several intervals separately."""

    categories: int
    level: float
    at_once: float
    severity = Severity.INFORMATIVE
    text = (
        "each of the {categories} intervals of a measure has level "
        "{level:percent}; with ⟨level={at_once:.12g}⟩ all of them hold "
        "together in at least {level:percent} of samples (Bonferroni)"
    )


@note_kind
class NoneOfSums(Note):
    """Sums over topics estimate nothing, and have no interval."""

    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = NONE
    text = "no interval: sums over {:topics} do not estimate anything"


# --- Bands ---


@note_kind
class UnequalWeights(Note):
    """A simultaneous band for cases with unequal weights."""

    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH
    text = "with unequal weights the band can cover slightly less than its level"


@note_kind
class FewAccepted(Note):
    """A band has points that accept or reject few relevant cases."""

    fewest: int
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = ROUGH
    text = (
        "at points that accept or reject fewer than {fewest} relevant cases, the band can cover "
        "less than its level"
    )


@note_kind
class BoundsThatFollow(Note):
    """At points that accept or reject few relevant cases, a band is extrapolated from other
    points.
    """

    across: str
    places: str
    fewest: int
    severity = Severity.INFORMATIVE
    text = (
        "bounds are estimated at {across} {places}; beyond, at points that "
        "accept or reject fewer than {fewest} relevant cases, they are "
        "extrapolated from these"
    )


# --- Undefined ---


@note_kind
class UndefinedMeasure(Note):
    """A measure has no value."""

    reason: str
    severity = Severity.DOUBTFUL
    text = "{subject} is undefined (NaN): {reason}"


@note_kind
class UndefinedInterval(Note):
    """A measure has a value, but no interval."""

    reason: str
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = NONE
    text = "the interval of {subject} is undefined: {reason}"


# --- Tables at a stated prevalence, and in groups ---


@note_kind
class AtPrevalence(Note):
    """Values are those of a population with a stated share of relevant items."""

    prevalence: float
    severity = Severity.INFORMATIVE
    text = (
        "values are at a prevalence of {prevalence:g}, with the recall and the specificity of "
        "these items"
    )


@note_kind
class AtAnyPrevalence(Note):
    """A prevalence was stated for a measure that does not depend on it."""

    prevalence: float
    severity = Severity.INFORMATIVE
    text = (
        "the stated prevalence of {prevalence:g} changes nothing: the value is the same at any "
        "prevalence"
    )


@note_kind
class FewGroupsOfAKind(_OfInterval):
    """A kind of outcome was seen in few of the groups."""

    groups: int
    fewest: int
    effect: str = "wide"
    text = "a kind of outcome was seen in only {groups:group}, fewer than {fewest}: {outcome}"


@note_kind
class JointRegion(Note):
    """Intervals of several measures hold together."""

    level: float
    each: float
    severity = Severity.INFORMATIVE
    text = "together the intervals hold at {level:percent}, so each has a level of {each:percent}"
