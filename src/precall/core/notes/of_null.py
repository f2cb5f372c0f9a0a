"""Notes on null distributions: how probabilities were computed, and which values were used for
typed ones.
"""

from __future__ import annotations

import math

from precall.core.notes.facts import Note, Severity, note_kind
from precall.core.text import percent, span


def describe_error(error: float) -> str:
    """The greatest relative error of a probability; 0 means exact except for rounding."""
    if not error:
        return "exact"
    return (
        f"relative error at most {percent(error)}" if math.isfinite(error) else "error not bounded"
    )


def describe_p(p: float, bound: bool) -> str:
    """A probability, or its upper bound."""
    return f"p {'<=' if bound else '='} {p:.4g}"


def describe_method(method: str, error: float, bound: bool) -> str:
    """How a probability was computed, and how accurate it is."""
    return f"{method}, {'upper bound' if bound else describe_error(error)}"


def describe_accuracy(method: str, error: float, least: float, lower: float, below: float) -> str:
    """How the probabilities of a distribution are computed, and how accurate they are; see
    `Accuracy`.
    """
    down = f" for p >= {least:.1g}" if error and math.isfinite(error) and least else ""
    other = f"; lower tail at most {percent(lower)} for p from 0.001 to {below:g}" if lower else ""
    return f"{describe_error(error)}{down}{other} ({method})"


@note_kind
class TailsBy(Note):
    """How the tails of a null distribution are computed. If `exact_moments`, its moments are
    exact.
    """

    method: str
    error: float
    least: float
    lower_error: float
    below: float
    exact_moments: bool = False
    severity = Severity.INFORMATIVE

    def template(self) -> str:
        """The sentence; a distribution among others also reports its moments."""
        return (
            "mean and sd are exact; quantiles and p: {accuracy}"
            if self.exact_moments
            else "quantiles and p: {accuracy}"
        )

    @property
    def accuracy(self) -> str:
        """The method and its accuracy."""
        return describe_accuracy(self.method, self.error, self.least, self.lower_error, self.below)


@note_kind
class MomentsDrawn(Note):
    """Mean and variance of a null distribution are those of random orders."""

    error: float
    severity = Severity.INFORMATIVE
    text = "mean and sd come from draws; the mean has an error of about {error:.1g}"


@note_kind
class PByChance(Note):
    """How p was computed, if it is not exact."""

    p: float
    method: str
    error: float
    bound: bool
    severity = Severity.INFORMATIVE
    text = "{subject} by chance: {tail}"

    @property
    def tail(self) -> str:
        """The probability, and how it was computed."""
        return (
            f"{describe_p(self.p, self.bound)} "
            f"({describe_method(self.method, self.error, self.bound)})"
        )


@note_kind
class PIs(PByChance):
    """What p of a value means; its fields say how it was computed."""

    reached: float
    severity = Severity.INFORMATIVE
    text = "p is the chance that a random order has {subject} >= {reached:g}"


@note_kind
class PMeans(Note):
    """What p means for several measures."""

    severity = Severity.INFORMATIVE
    text = "p is the chance that a random order reaches at least the value"


@note_kind
class AsPublished(Note):
    """An approximation is shown as published."""

    severity = Severity.INFORMATIVE
    text = (
        "Zhang & Su: the normal approximation as published in 2012; docs/why/errata.md lists its "
        "errors"
    )


@note_kind
class AsLimit(Note):
    """The limit law of AP is shown, which lists of usual length are far from."""

    severity = Severity.INFORMATIVE
    text = (
        "limit: normal with mean s and variance s² (1 - s) / m, where s is the share of relevant "
        "items; the second one: a gamma distribution that also has the skewness of the limit"
    )


@note_kind
class NotKnown(Note):
    """Statistics that are unknown, because the distribution has too many values."""

    statistics: tuple[str, ...]
    reason: str
    severity = Severity.INFORMATIVE
    text = "unknown: {statistics} ({reason})"


@note_kind
class RelevantMissed(Note):
    """Relevant items were not retrieved; this lowers the value and its expectation by chance
    alike.
    """

    missed: int
    severity = Severity.INFORMATIVE
    text = "{missed:relevant item} missed"


@note_kind
class ChanceWithMissed(Note):
    """Relevant items were not retrieved, so a measure's mean by chance is not the usual one."""

    missed: int
    relevant: int
    chance: float
    usual: float
    severity = Severity.INFORMATIVE
    text = (
        "{subject}: chance is {chance:value} here, not {usual:g}, because {missed} of "
        "{relevant:relevant item} are missed and count as last"
    )


# --- Values as they are typed ---


@note_kind
class NoSuchValue(Note):
    """A measure cannot have the given value."""

    typed: str
    rounded: bool
    severity = Severity.DOUBTFUL
    text = "no value of {subject} {verb} {typed}; p is for {typed} itself"

    @property
    def verb(self) -> str:
        """The verb: a text stands for what rounds to it, a number for itself."""
        return "rounds to" if self.rounded else "is"


@note_kind
class TakenAs(Note):
    """A rounded value is replaced by the one that rounds to it."""

    typed: str
    taken: float
    severity = Severity.INFORMATIVE
    text = "{typed} stands for {taken:.12g}, the value of {subject} that rounds to it"


@note_kind
class SeveralRound(Note):
    """Several values, with different p, round to the typed one; their number is 0 if it is too
    large to list them.
    """

    typed: str
    taken: float
    values_seen: int
    least_p: float
    greatest_p: float
    severity = Severity.DOUBTFUL
    text = (
        "{how_many} values of {subject} round to {typed}, with p from {p_span}; p here is for "
        "{taken:.12g}; give more decimals"
    )

    @property
    def how_many(self) -> str:
        """The number of values."""
        return str(self.values_seen or "many")

    @property
    def p_span(self) -> str:
        """The least and the greatest p."""
        return span((self.least_p, self.greatest_p), "{:.4g}".format)


# --- Posterior distributions ---


@note_kind
class HigherOfTwo(Note):
    """How the probability that one system is higher than the other was computed."""

    system: str
    other: str
    method: str
    prior: float
    severity = Severity.INFORMATIVE
    text = (
        "P(higher) is the probability that {system} is higher than {other}. "
        "Same items: {method}, with prior {prior:g} for each of the eight "
        "kinds of items; recall is exact. Own items: posteriors taken as "
        "independent."
    )


@note_kind
class RightAlone(Note):
    """How the chance that only one of two systems is right was computed."""

    method: str
    severity = Severity.INFORMATIVE
    text = "right alone (one system is right, the other is not): {method}."


@note_kind
class HigherBy(Note):
    """How the probability that a measure is higher for one system was computed."""

    paired: str
    independent: str
    severity = Severity.INFORMATIVE
    text = "P(a > b): paired by {paired}; {independent}."
