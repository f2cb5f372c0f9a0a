"""Notes on numbers that are partly a judge's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from precall.core.notes.facts import Meaning, Note, Severity, note_kind
from precall.core.notes.of_runs import UNJUDGED
from precall.core.text import span

_CHOICE = Meaning(
    "What people judged",
    (
        "The correction is right for any judge, but only if what people judged is a random choice. "
        "If they chose it themselves, the result holds for that alone."
    ),
)


@note_kind
class NotChosenAtRandom(Note):
    """What people judged is unlike all units by the judge's numbers."""

    by_people: float
    of_all: float
    severity = Severity.WRONG
    meaning: ClassVar[Meaning | None] = _CHOICE
    text = (
        "people did not judge a random choice: the judge's mean is {by_people:value} for what they "
        "judged, and {of_all:value} for all; pass ⟨probability=⟩ or ⟨strata=⟩"
    )


@note_kind
class LabelsOfJudgeAlone(Note):
    """People left out items that the judge labelled, in units that they judged."""

    items: int
    total: int
    counted: str
    severity = Severity.DOUBTFUL
    text = "{items} of {total:item} have only the judge's label"

    def template(self) -> str:
        """The sentence, with what the items count as."""
        if self.counted == "judge":
            return self.text + "; that label counts"
        return self.text + " and count as not relevant; ⟨unjudged='judge'⟩ takes that label"


@note_kind
class UnlikeGrades(Note):
    """The grades of people and of the judge have different scales."""

    of_people: int
    of_judge: int
    severity = Severity.DOUBTFUL
    text = (
        "people's grades go up to {of_people}, the judge's up to {of_judge}; measures that use "
        "grades differ for that reason alone"
    )


@note_kind
class JudgeTellsLittle(Note):
    """The judge's numbers hardly follow people's."""

    correlation: float
    severity = Severity.INFORMATIVE
    text = (
        "the judge's numbers hardly follow people's (correlation {correlation:.2f}), so people's "
        "labels alone are as good"
    )


@note_kind
class JudgeTellsNothing(Note):
    """The judge gives one number to all units that people judged."""

    severity = Severity.DOUBTFUL
    text = "the judge gave one number to everything that people judged, so it is not used"


@note_kind
class JudgeNeverWrong(Note):
    """The judge's numbers explain people's exactly."""

    units: int
    noun: str
    severity = Severity.DOUBTFUL
    text = (
        "the judge explains people's numbers of all {units} {noun:word} exactly, so the interval "
        "leaves no room for rare errors of the judge"
    )


@note_kind
class FewUnitsByPeople(Note):
    """People judged few units."""

    units: int
    noun: str
    severity = Severity.DOUBTFUL
    joint = text = (
        "people judged only {units} {noun:word}: with skewed values the interval can cover less "
        "than its level"
    )

    @classmethod
    def joint_values(cls, notes: Sequence[Self]) -> Mapping[str, object]:
        """The same number for all runs and measures, unless some lack values."""
        return {"units": span((note.units for note in notes), "{:g}".format), "noun": notes[0].noun}


@note_kind
class FewOfOneLabel(Note):
    """People found few cases of one label among those that a system accepts, or rejects."""

    seen: int
    label: str
    side: str
    severity = Severity.DOUBTFUL
    text = (
        "people found only {seen} {label} among {side} cases, fewer than 5; the interval can be "
        "wide or miss the value"
    )


@note_kind
class SparseCells(Note):
    """People labelled hardly any case of some cells."""

    cells: int
    of: int
    share: float
    severity = Severity.DOUBTFUL
    text = (
        "in {cells} of {of} cells (judge x decision) people labelled fewer than 2 cases; that "
        "is {share:percent} of all cases"
    )


@note_kind
class ChosenByJudge(Note):
    """People labelled other cases than a random choice has, by the judge's labels."""

    by_people: float
    of_all: float
    severity = Severity.INFORMATIVE
    text = (
        "people's cases are no random choice of all (the judge gives them {by_people:value}, all "
        "{of_all:value}); the estimate allows for that, people alone do not"
    )


@note_kind
class FewCasesOfOneLabel(Note):
    """People found few relevant or few other cases."""

    seen: int
    label: str
    severity = Severity.DOUBTFUL
    text = (
        "people found only {seen} {label} cases, fewer than 20; the interval can cover less than "
        "its level"
    )


@note_kind
class NotChosenByScore(Note):
    """What people labelled is unlike all cases by their scores."""

    above: float
    severity = Severity.WRONG
    meaning: ClassVar[Meaning | None] = _CHOICE
    text = (
        "what people labelled is no random choice: {above:percent} of it have a score in the upper "
        "half; pass ⟨probability=⟩ or ⟨strata=⟩"
    )


@note_kind
class UnjudgedCases(Note):
    """Cases or items have no label, and the bounds leave it open."""

    unjudged: int
    total: int
    noun: str
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = UNJUDGED
    text = "{unjudged} of {total} {noun:word} without a label"


@note_kind
class LabelsLeaveUndefined(Note):
    """Measures are undefined for some labels, which do not count in their bounds."""

    measures: tuple[str, ...]
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = UNJUDGED
    text = "{measures} undefined for some labels, which do not count in the bounds"
