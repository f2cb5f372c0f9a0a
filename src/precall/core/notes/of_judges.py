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
        "The correction is valid for any judge, but only if people labelled a random sample. If "
        "they chose what they labelled, the result holds for their choice only."
    ),
)


@note_kind
class NotChosenAtRandom(Note):
    """By the judge's numbers, the units that people judged differ from the rest."""

    by_people: float
    of_all: float
    severity = Severity.WRONG
    meaning: ClassVar[Meaning | None] = _CHOICE
    text = (
        "people did not label a random sample: the judge's mean is {by_people:value} for what they "
        "labelled, and {of_all:value} for all; pass ⟨probability=⟩ or ⟨strata=⟩"
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
        return self.text + " and count as not relevant; ⟨unjudged='judge'⟩ uses that label"


@note_kind
class UnlikeGrades(Note):
    """The grades of people and of the judge have different scales."""

    of_people: float
    of_judge: float
    severity = Severity.DOUBTFUL
    text = (
        "people's grades go up to {of_people}, the judge's up to {of_judge}; this difference of "
        "scales alone changes measures that use grades"
    )


@note_kind
class JudgeTellsLittle(Note):
    """The judge's numbers hardly follow people's."""

    correlation: float
    severity = Severity.INFORMATIVE
    text = (
        "the judge's numbers are hardly correlated with people's ({correlation:.2f}), so the judge "
        "adds almost nothing to people's labels"
    )


@note_kind
class JudgeTellsNothing(Note):
    """The judge gives one number to all units that people judged."""

    severity = Severity.DOUBTFUL
    text = (
        "the judge gave the same number to everything that people labelled, so its numbers are not "
        "used"
    )


@note_kind
class JudgeNeverWrong(Note):
    """The judge's numbers explain people's exactly."""

    units: int
    noun: str
    severity = Severity.DOUBTFUL
    text = (
        "the judge's numbers predict people's for all {units} {noun:word}; if the judge "
        "errs rarely, the interval is too short"
    )


@note_kind
class FewUnitsByPeople(Note):
    """People judged few units."""

    units: int
    noun: str
    severity = Severity.DOUBTFUL
    joint = text = (
        "people labelled only {units} {noun:word}: with skewed values the interval can cover less "
        "than its level"
    )

    @classmethod
    def joint_values(cls, notes: Sequence[Self]) -> Mapping[str, object]:
        """The same number for all runs and measures, unless some lack values."""
        return {"units": span((note.units for note in notes), "{:g}".format), "noun": notes[0].noun}


@note_kind
class JudgeVariesElsewhere(Note):
    """Some of the judge's numbers lie farther out than people's units can show."""

    units: int
    noun: str
    of_people: float
    of_all: float
    severity = Severity.DOUBTFUL
    text = (
        "some of the judge's numbers lie far from the rest, but the {units} {noun:word} that "
        "people labelled have too few of them (standard deviation {of_people:value}, of all "
        "{of_all:value}): the interval can cover less than its level; with ⟨strata=⟩ people can "
        "label more of those"
    )


@note_kind
class FewUnitsOfStratum(Note):
    """A few units of people stand for a large stratum."""

    units: int
    noun: str
    share: float
    severity = Severity.DOUBTFUL
    text = (
        "people labelled only {units} {noun:word} of a stratum with {share:percent} of all: with "
        "skewed values the interval can cover less than its level"
    )


@note_kind
class FewOfOneLabel(Note):
    """Among the cases that a system accepts, or rejects, people found fewer than 5 of one label."""

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
        "people labelled fewer than 2 cases in {cells} of {of} cells (judge's label x decision), "
        "which have {share:percent} of all cases"
    )


@note_kind
class ChosenByJudge(Note):
    """By the judge's labels, people's cases are not a random sample; the estimate corrects that."""

    by_people: float
    of_all: float
    severity = Severity.INFORMATIVE
    text = (
        "people's cases are not a random sample: the judge's mean is {by_people:value} for them, "
        "and {of_all:value} for all; the estimate corrects that, people alone does not"
    )


@note_kind
class FewCasesOfOneLabel(Note):
    """People found fewer than 20 relevant or fewer than 20 other cases."""

    seen: int
    label: str
    severity = Severity.DOUBTFUL
    text = (
        "people found only {seen} {label} cases, fewer than 20; the interval can cover less than "
        "its level"
    )


@note_kind
class OneLabelDecides(Note):
    """One label by people, or those of one group, makes up more than half of the variance."""

    share: float
    noun: str
    severity = Severity.DOUBTFUL
    text = (
        "one {noun:word} by people makes up {share:percent} of the variance, so one such label "
        "more or less can halve or double the width of the interval; people can label more of the "
        "highest scores, with ⟨probability=⟩ or ⟨strata=⟩"
    )


@note_kind
class FewRelevantOfSparse(Note):
    """Among the cases that people labelled with less than average probability, they found fewer
    than 5 relevant ones.
    """

    seen: int
    drawn: int
    severity = Severity.DOUBTFUL
    text = (
        "people found only {seen} relevant cases among the {drawn} that were drawn with less than "
        "average probability, fewer than 5; each counts for many others, and the interval can "
        "cover less than its level"
    )


@note_kind
class NotChosenByScore(Note):
    """By their scores, the cases that people labelled differ from the rest."""

    below: float
    severity = Severity.WRONG
    meaning: ClassVar[Meaning | None] = _CHOICE
    text = (
        "people did not label a random sample: on average, {below:percent} of all cases score "
        "lower than theirs, not 50 %; pass ⟨probability=⟩ or ⟨strata=⟩"
    )


@note_kind
class UnjudgedCases(Note):
    """Cases or items have no label, and the bounds allow any."""

    unjudged: int
    total: int
    noun: str
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = UNJUDGED
    text = "{unjudged} of {total} {noun:word} have no label; the bounds allow any"


@note_kind
class LabelsLeaveUndefined(Note):
    """Measures are undefined for some labels, which do not count in their bounds."""

    measures: tuple[str, ...]
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = UNJUDGED
    text = "{measures} undefined for some labels; the bounds leave these labels out"


@note_kind
class LabelNext(Note):
    """The case or item whose label narrows the bounds most."""

    measure: str
    noun: str
    place: int
    width: float
    at_most: float
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = UNJUDGED
    text = (
        "label {noun:word} {place} (counted from 0) next: the bounds of {measure} are "
        "{width:value} apart, and at most {at_most:value} once it has a label"
    )
