"""Why a gate passed or failed: the facts of each way to decide it, and the sentence that tells
them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from precall.core.notes.of_comparisons import EqualTopics
from precall.core.text import format_difference, p_text

if TYPE_CHECKING:
    from precall.stats.tests.equivalence import Gate


class Reason(Protocol):
    """The facts that decided a gate."""

    def sentence(self, gate: Gate) -> str:
        """Why the gate passed or failed."""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Both systems have the same value in each of `size` topics."""

    size: int

    def sentence(self, gate: Gate) -> str:
        """Sentence that the systems are equal."""
        equal = EqualTopics("", gate.names, self.size).in_words_of(gate.words)
        return f"{gate.label}: {equal}: not worse"


@dataclass(frozen=True, slots=True)
class LossTested:
    """Whether there is a significant loss.

    Attributes
    ----------
    level : 1 - level is the significance.
    test : the test that was made.
    significant : whether the systems differ, whichever is better.
    edge : the least loss that fails, by Student's interval; infinite if none does, NaN if any does.
    is_near : whether Student's interval is not the test's own.
    detected : the loss that is found with power .8; NaN unless a loss was seen and not found.
    differing : topics in which the systems differ.
    size : topics.
    reach : the greatest possible loss.
    """

    level: float
    test: str
    significant: bool
    edge: float
    is_near: bool
    detected: float
    differing: int
    size: int
    reach: float = math.inf

    def sentence(self, gate: Gate) -> str:
        """Sentence with the difference, the result of the test, and the loss at which the decision
        would change.
        """
        (system, other), centre, topics = gate.names, gate.value, gate.words.word("topics")
        verb, to = ("loses", "to") if centre < 0 else ("gains", "over")
        outcome = f"{gate.label}: {system} {verb} {abs(centre):.4f} {to} {other}"
        p, limit, approx = p_text(gate.p), 1 - self.level, " about" * self.is_near
        if not gate.passed:
            passing = _tell_number(
                f" It would have passed with a loss below{approx}", self.edge, self.edge < -centre
            )
            return f"{outcome}, p {p} <= {limit:.3g}: worse.{passing}"
        # A loss that passed was not caught, whatever Student's bound says.
        edge = max(self.edge, -centre)
        failing = _tell_number(
            f" It would have failed with a loss above{approx}", edge, edge < self.reach
        )
        if centre < 0 and self.significant:
            against = f"but p {p} ({self.test}) speaks for {system}"
            text = f"{outcome}, {against}: not significantly worse."
        elif centre < 0:
            power_clause = _tell_number(
                "; what is found with power .8 is a loss of",
                self.detected,
                -centre < edge < float("inf"),
            )
            text = (
                f"{outcome}, p {p} > {limit:.3g}: not significantly worse.{failing}{power_clause}"
            )
        else:
            text = f"{outcome}: not worse.{failing}"
        # Of a gain, that few topics differ is not told.
        if edge == float("inf") and centre >= 0 and self.differing < self.size:
            return text
        if edge == float("inf"):
            topics_that_differ = (
                gate.words.count(self.differing, "topic")
                if self.differing == self.size
                else f"the {self.differing} of {self.size} {topics} that differ"
            )
            return (
                f"{text} With {topics_that_differ} no loss could have failed: p cannot be so small"
            )
        if self.reach <= edge:
            return (
                f"{text} No loss up to {self.reach:g} would have failed with {topics} that vary so"
            )
        if edge != edge:
            return f"{text} It would have failed with any loss that is the same on all {topics}"
        return text


@dataclass(frozen=True, slots=True)
class MarginTested:
    """Whether the loss was shown to be below the margin.

    Attributes
    ----------
    level : 1 - level is the significance.
    test : the test that was made.
    needed : the least margin that passes, by Student's interval; NaN if it is not known.
    is_near : whether Student's interval is not the test's own.
    low : the lower end of that interval.
    topics : number of topics that would suffice, if that is known and helps.
    """

    level: float
    test: str
    needed: float
    is_near: bool
    low: float
    topics: int | None

    def sentence(self, gate: Gate) -> str:
        """Sentence with what was shown, or not, and what would have changed the decision."""
        (system, other), margin = gate.names, gate.margin or 0.0
        shown = (
            f"{system} was shown to lose less than {margin:g} to {other}"
            if gate.passed
            else f"a loss of {margin:g} or more against {other} could not be ruled out for {system}"
        )
        outcome = (
            f"{gate.label}: {shown} (gain {format_difference(gate.value)}, "
            f"p {p_text(gate.p)} {'<=' if gate.passed else '>'} {1 - self.level:.3g}, {self.test})"
        )
        if gate.passed:
            return outcome + self._spare(gate.value, margin)
        return outcome + self._lacking(gate.value, margin, gate.words.word("topics"))

    def _spare(self, centre: float, margin: float) -> str:
        failing = _tell_number(
            f" It would have failed with a margin below{self._about}",
            self.needed,
            self.needed < margin,
        )
        # By Student's bound, even a margin of 0 would have passed.
        any_margin = " By Student's bound it would have passed with any margin"
        # The distance of Student's lower bound from the mean does not depend on the mean.
        caught = max(margin - (centre - self.low), -centre)
        least = (
            f"; the least observed loss that it would have caught is about {caught:.4f}"
            if caught > 0
            else "; it would have caught any observed loss"
            if caught <= 0
            else ""
        )
        return f".{failing}{any_margin * (self.needed == 0)}{least}"

    def _lacking(self, centre: float, margin: float, topics: str) -> str:
        ways = []
        if self.needed > margin:
            better = format_difference(centre - self.low - margin)
            ways = [
                f"a margin of{self._about} {self.needed:.4f}",
                f"a difference of{self._about} {better} or better",
            ]
            ways += [] if self.topics is None else [f"about {self.topics} {topics} like these"]
        return f". It would have needed {', or '.join(ways) or f'more {topics}'}"

    @property
    def _about(self) -> str:
        return " about" * self.is_near


def _tell_number(what: str, number: float, holds: bool = True) -> str:
    # Student's bound is only near those of the other tests: if it contradicts them, no number is
    # given.
    return f"{what} {number:.4f}" if holds and 0 < number < float("inf") else ""
