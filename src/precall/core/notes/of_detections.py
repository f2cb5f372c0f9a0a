"""Notes on detected objects."""

from __future__ import annotations

from precall.core.notes.facts import Note, Severity, note_kind
from precall.core.text import listing, many


@note_kind
class DetectionsSeen(Note):
    """How many objects and detections the numbers are based on."""

    objects: int
    detections: int
    categories: int
    ignored: int = 0
    severity = Severity.INFORMATIVE
    text = "{objects:object}, {detections:detection}, {classes}{ignoring}"

    @property
    def classes(self) -> str:
        """The number of classes."""
        return many(self.categories, "class", "classes")

    @property
    def ignoring(self) -> str:
        """How many detections are ignored."""
        return f"; {self.ignored} more ignored" * bool(self.ignored)


@note_kind
class ClassesWithoutObjects(Note):
    """Classes were detected that no image has, so they have no average precision."""

    categories: tuple[str, ...]
    detections: int
    severity = Severity.DOUBTFUL
    text = (
        "no object of {names}, so no average precision; the mean leaves out {detections:detection}"
    )

    @property
    def names(self) -> str:
        """The classes."""
        return listing(self.categories, repr)


@note_kind
class DetectionsBeyond(Note):
    """Detections of an image are left out, because it has more than a limit."""

    beyond: int
    most: int
    severity = Severity.INFORMATIVE
    text = "{beyond:detection} left out: only the {most} best of each image and class count"


@note_kind
class TiesMoveMean(Note):
    """Equal scores of matched and other detections decide a part of the mean."""

    value: float
    low: float
    high: float
    order: str
    severity = Severity.INFORMATIVE
    text = (
        "equal scores {done}: mean {value:.4f}; their worst order would give {low:.4f}, their best "
        "order {high:.4f}"
    )

    @property
    def done(self) -> str:
        """How equal scores were ordered."""
        return "count as one block" if self.order == "block" else "stand as they were given"
