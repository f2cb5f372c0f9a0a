"""Notes on pages and pictures: what they leave out, and what their charts show."""

from __future__ import annotations

from typing import ClassVar

from precall.core.notes.facts import Meaning, Note, Severity, note_kind
from precall.core.notes.of_runs import TIES
from precall.core.text import number


@note_kind
class Headline(Note):
    """A sentence at the head of a page."""

    words: str
    severity = Severity.INFORMATIVE
    text = "{words}"


# --- Runs ---


@note_kind
class OtherOrderOfTies(Note):
    """How far another order of equal scores could move averages: for each measure the run with the
    widest range.
    """

    measures: tuple[str, ...]
    runs: tuple[str, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    here: tuple[float, ...]
    widest: bool
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = TIES
    text = "if equal scores stood in another order, {spans}{of_all}"

    @property
    def spans(self) -> str:
        """The range of each measure."""
        return "; ".join(
            f"{measure} of {run} could be {number(low)} to {number(high)} (here {number(here)})"
            for measure, run, low, high, here in zip(
                self.measures, self.runs, self.low, self.high, self.here, strict=True
            )
        )

    @property
    def of_all(self) -> str:
        """An addition for several runs."""
        return ", the widest range of all runs" if self.widest else ""


@note_kind
class RanksOpen(Note):
    """Equal scores have no order, so the ranks of the hits are not known."""

    ties: str
    severity = Severity.INFORMATIVE
    text = (
        "ties {ties} gives equal scores no ranks, so there are no strips of hits and no test "
        "against random selection"
    )


@note_kind
class PartsWithoutWeights(Note):
    """Topics have weights, which some parts of a page have no form for."""

    severity = Severity.INFORMATIVE
    text = (
        "topics have weights, so there are no strips of hits, no 11-point curves and no test "
        "against random selection"
    )


@note_kind
class NoTestByChance(Note):
    """A run could not be tested against random selection."""

    reason: str
    severity = Severity.INFORMATIVE
    text = "no test against random selection: {reason}"


# --- Curves ---


@note_kind
class NoBands(Note):
    """There are too many thresholds for a visible band."""

    thresholds: int
    severity = Severity.INFORMATIVE
    text = "no bands: with {thresholds} thresholds they would be as thin as the line"


@note_kind
class BandsShown(Note):
    """Which bands the charts of a page show."""

    shape: str
    level: float
    method: str
    fewest: int
    of_chosen: bool
    severity = Severity.INFORMATIVE
    text = (
        "Bands: {shape}, {level:percent}, {method}. With fewer than {fewest} "
        "relevant cases accepted or rejected, the band of a ROC curve is "
        "extrapolated from its other points{which}."
    )

    @property
    def which(self) -> str:
        """An addition if a band is shown for only one of many scores."""
        return "; the chart shows the band of the chosen score" if self.of_chosen else ""


@note_kind
class PointsLeftOut(Note):
    """Not all operating points are in a page."""

    systems: tuple[str, ...]
    kept: tuple[int, ...]
    total: tuple[int, ...]
    bound: float
    severity = Severity.INFORMATIVE
    text = (
        "Operating points in this page: {amounts}. Without the others no area"
        " changes by more than {bound:g}, and no line against the threshold "
        "by more than its width."
    )

    @property
    def amounts(self) -> str:
        """How many points of each score are kept, and of how many."""
        sizes = zip(self.systems, self.kept, self.total, strict=True)
        return ", ".join(f"{name} {kept} of {total}" for name, kept, total in sizes)


@note_kind
class ChartsOfSome(Note):
    """Only some scores have a chart against the threshold."""

    systems: tuple[str, ...]
    total: int
    severity = Severity.INFORMATIVE
    text = "Charts against the threshold show {systems}; the slider covers all {total} scores."


# --- Pictures ---


@note_kind
class FontLacksCharacters(Note):
    """The font of a picture cannot show all names."""

    severity = Severity.INFORMATIVE
    text = "the font of the picture lacks some characters of the names; boxes replace them"
