"""Notes on spans, such as named entities, and on the tags they were read from."""

from __future__ import annotations

from precall.core.notes.facts import Note, Severity, note_kind
from precall.core.text import listing, many


@note_kind
class SpansSeen(Note):
    """How many units and spans the numbers are based on."""

    units: int
    true: int
    predicted: int
    severity = Severity.INFORMATIVE
    text = "{units:unit}, {true:true span}, {predicted} predicted"


@note_kind
class IllegalTags(Note):
    """Spans have a tag that the scheme forbids where it stands, such as I-PER after O."""

    illegal: int
    total: int
    scheme: str
    guessed: bool
    treatment: str
    unit: str
    token: int
    tag: str
    before: str
    severity = Severity.DOUBTFUL
    text = (
        "{illegal} of {total:span} {have} a tag that {scheme} does not allow there, first "
        "{tag:written} {place} (unit {unit}, token {token}); "
    )

    def template(self) -> str:
        """Which template says what was done about these spans."""
        done = (
            "all of these are left out"
            if self.treatment == "drop"
            else "they count all the same, ⟨illegal='drop'⟩ leaves them out"
        )
        guessed = "; the scheme was guessed, name it with ⟨scheme=⟩" * self.guessed
        return f"{self.text}{done}{guessed}"

    @property
    def have(self) -> str:
        """The verb."""
        return "has" if self.illegal == 1 else "have"

    @property
    def place(self) -> str:
        """Where the first such tag stands."""
        return f"after {self.before!r}" if self.before else "at the start"


@note_kind
class SameSpanTwice(Note):
    """A span is there more than once in a unit."""

    repeated: int
    severity = Severity.DOUBTFUL
    text = "{repeated:span} {are} there already in the same unit; each of them counts"

    @property
    def are(self) -> str:
        """The verb."""
        return "is" if self.repeated == 1 else "are"


@note_kind
class EndsApart(Note):
    """No true and predicted span are equal, and most would be if the ends of one side were one
    more.
    """

    spans: int
    severity = Severity.DOUBTFUL
    text = (
        "no span is equal on both sides, and {spans:span} would be if ends here were one more; "
        "write the end as the place after the last of the span"
    )


@note_kind
class TypesOnlyPredicted(Note):
    """Predicted spans have types that no true span has."""

    types: tuple[str, ...]
    true: tuple[str, ...]
    severity = Severity.DOUBTFUL
    text = "{names} predicted but not in the truth, which has {of_truth}"

    @property
    def names(self) -> str:
        """The types."""
        are = "is" if len(self.types) == 1 else "are"
        kinds = many(len(self.types), "type")
        return f"{kinds}, {listing(self.types, repr)}, {are}"

    @property
    def of_truth(self) -> str:
        """The types of the truth."""
        return listing(self.true, repr)
