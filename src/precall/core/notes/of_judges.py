"""Notes on numbers that are partly a judge's."""

from __future__ import annotations

from typing import ClassVar

from precall.core.notes.facts import Meaning, Note, Severity, note_kind
from precall.core.notes.of_runs import UNJUDGED

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
        "what people judged is no random choice: the judge gives it {by_people:value}, and all "
        "{of_all:value}; pass ⟨probability=⟩ or ⟨strata=⟩"
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
    text = (
        "the judge tells little (correlation with people {correlation:.2f}): people's labels alone "
        "are as good"
    )


@note_kind
class JudgeTellsNothing(Note):
    """The judge gives one number to all units that people judged."""

    severity = Severity.DOUBTFUL
    text = "the judge gives everything that people judged the same number, so it is not used"


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
    text = (
        "people judged only {units} {noun:word}; with so few, intervals of skewed measures cover "
        "less"
    )


@note_kind
class UnjudgedCases(Note):
    """Cases or items have no label, and the bounds leave it open."""

    unjudged: int
    total: int
    noun: str
    meaning: ClassVar[Meaning | None] = UNJUDGED
    text = "{unjudged} of {total} {noun:word} without a label"


@note_kind
class LabelsLeaveUndefined(Note):
    """Measures are undefined for some labels, which do not count in their bounds."""

    measures: tuple[str, ...]
    meaning: ClassVar[Meaning | None] = UNJUDGED
    text = "{measures} undefined for some labels, which do not count in the bounds"
