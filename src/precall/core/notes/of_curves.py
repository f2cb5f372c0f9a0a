"""Notes on curves, scored cases and thresholds."""

from __future__ import annotations

from typing import ClassVar

from precall.core.notes.facts import Meaning, Note, Severity, note_kind
from precall.core.text import format_count


@note_kind
class ReadInBatches(Note):
    """Cases were read in batches, so samples cannot be drawn from them."""

    severity = Severity.INFORMATIVE
    text = "no bands and no random selection, because the cases were read in batches"


@note_kind
class ScoresNotCounted(Note):
    """Cases were read several times, a part of the scores each time, so the number of distinct
    scores is not known.
    """

    read: str
    severity = Severity.INFORMATIVE
    text = "read {read}: distinct scores were not counted"


# --- The cases ---


@note_kind
class EqualScores(Note):
    """Cases have equal scores."""

    cases: float
    scores: int
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = Meaning(
        "Equal scores",
        "No threshold separates cases of equal score: they are accepted or rejected together.",
    )
    text = (
        "{size} cases have {scores:different score}; cases of equal score are"
        " accepted or rejected together"
    )

    @property
    def size(self) -> str:
        """How many cases there are."""
        return format_count(self.cases)


@note_kind
class NeverScored(Note):
    """Relevant cases have no score."""

    missed: float
    severity = Severity.INFORMATIVE
    text = "relevant cases without a score, which count as missed: {size}"

    @property
    def size(self) -> str:
        """How many they are."""
        return format_count(self.missed)


@note_kind
class TurnedScores(Note):
    """Relevant cases score worse than others, far more than by chance: the direction of the scores
    may be wrong.
    """

    higher_is_better: bool
    severity = Severity.WRONG

    def template(self) -> str:
        """The sentence; the advice depends on which scores are taken as good."""
        if self.higher_is_better:
            return (
                "relevant cases score lower than others; if low scores are good, pass "
                "⟨higher_is_better=False⟩"
            )
        return (
            "relevant cases score higher than others; if high scores are good, leave out "
            "⟨higher_is_better=False⟩"
        )


# --- Undefined ---


@note_kind
class UndefinedGroups(Note):
    """A measure is undefined in some of several groups."""

    undefined: int
    groups: int
    reason: str = ""
    severity = Severity.DOUBTFUL
    text = "{subject} is undefined (NaN) in {undefined} of {groups:group}{why}"
    several = "{subject} are undefined (NaN) in {undefined} of {groups:group}{why}"

    @property
    def why(self) -> str:
        """The reason, if it is known."""
        return f": {self.reason}" if self.reason else ""


@note_kind
class UndefinedCases(Note):
    """A measure of batches of tensors is undefined."""

    cases: str = "these cases"
    severity = Severity.DOUBTFUL
    text = "{subject} of {cases} is undefined (NaN)"
    several = "{subject} of {cases} are undefined (NaN)"


@note_kind
class NeedsWholeCounts(Note):
    """Cases have weights that are not whole, so they have no ranks."""

    measures: tuple[str, ...]
    severity = Severity.DOUBTFUL
    text = "{measures_are} undefined: ranks need whole counts, but some weights are not whole"

    @property
    def measures_are(self) -> str:
        """The measures, and their verb."""
        return f"{' and '.join(self.measures)} {'is' if len(self.measures) == 1 else 'are'}"


@note_kind
class BreakEvenBeforeHits(Note):
    """Precision equals recall only before the first hit."""

    times: int = 1
    total: int = 1
    noun: str = ""
    severity = Severity.INFORMATIVE
    text = (
        "precision equals recall only before the first hit, at 0; break-even "
        "is the closest point after it{where}"
    )

    @property
    def where(self) -> str:
        """In how many of several curves."""
        return f" (in {self.times} of {self.total} {self.noun})" if self.noun else ""


@note_kind
class FormerBreakEven(Note):
    """A break-even method was asked for by its former name, which means another method in the
    literature.
    """

    severity = Severity.INFORMATIVE
    text = (
        "'interpolated' is now 'max-min'; for the interpolated break-even of "
        "the literature use 'interpolated-bep'"
    )


# --- Operating points ---


@note_kind
class MetByFewCases(Note):
    """An operating point meets its condition with one or two accepted cases."""

    condition: str
    accepted: float
    severity = Severity.DOUBTFUL
    text = "{condition} is met with only {accepted:case} accepted; other data may not meet it"


@note_kind
class ThresholdBetweenScores(Note):
    """No case has the given threshold as its score."""

    threshold: float
    score: float
    severity = Severity.INFORMATIVE
    text = "no case scores {threshold:g}; the same cases are accepted at the score {score:.6g}"


@note_kind
class FreeMistakes(Note):
    """Costs were given for only one kind of mistake."""

    free: str
    named: tuple[str, ...]
    severity = Severity.DOUBTFUL
    text = "{what} cost 0, because only a cost of {named} was given"

    @property
    def what(self) -> str:
        """The mistakes without a cost, in words."""
        return {"fp": "false positives (fp)", "fn": "misses (fn)"}.get(self.free, self.free)


@note_kind
class NeverReached(Note):
    """An operating point that was asked for does not exist."""

    point: str
    most: float | None
    lacking: str = ""
    severity = Severity.DOUBTFUL
    text = "--at {point} cannot be reached: {why}"

    @property
    def why(self) -> str:
        """The greatest value reached, or why nothing is reached."""
        return self.lacking or f"the greatest value is {self.most:.4g}"


@note_kind
class WeightsAccepted(Note):
    """A number to accept was given for cases with weights."""

    accept: float
    accepted: float
    total: float
    severity = Severity.INFORMATIVE
    text = (
        "accept={accept} counts weights, not cases: the accepted cases weigh "
        "{accepted:g} of {total:g}"
    )


@note_kind
class NothingAccepted(Note):
    """The first block of equal scores has more cases than may be accepted."""

    accept: float
    first: float
    severity = Severity.DOUBTFUL
    text = (
        "accept={accept} accepts nothing: {first:g} cases share the best "
        "score and are accepted together"
    )


# --- One ranking ---


@note_kind
class PopulationNotKnown(Note):
    """The number of all items was not given."""

    severity = Severity.INFORMATIVE
    text = (
        "tn, specificity and accuracy are left out, because the number of "
        "existing items is unknown (⟨population=⟩)"
    )


@note_kind
class NoneRanked(Note):
    """No relevant item is in the ranking, most often because ids are written in two ways."""

    relevant: str
    ranked: str
    severity = Severity.WRONG
    text = (
        "no relevant item is ranked; check that ids are written alike "
        "(relevant: {relevant:written} and others; ranked: {ranked:written} "
        "and others)"
    )
