"""Two areas under ROC with their bounds: of two cohorts, or of two scores of the same cases."""

from __future__ import annotations

import math
from typing import NamedTuple

from precall.core.notes import Note, collect_notes
from precall.core.notes.of_intervals import UndefinedInterval, UndefinedMeasure
from precall.stats import quantiles
from precall.stats.blocks import Blocks
from precall.stats.intervals.areas import area_under_roc, delong_bounds
from precall.stats.intervals.mover import TwoEstimates
from precall.stats.scipy import special
from precall.stats.tests.signflip import LEAST


class AreaWithBounds(NamedTuple):
    """An area, its standard error by DeLong, and what its bounds need.

    Parameters
    ----------
    value, error : the area and its standard error; the error is NaN if there is none.
    why : why there is no error; empty if there is one.
    trials : how many cases the scarcer kind has.
    freedom : degrees of freedom of the bounds: one less than `trials`, or than the effective number
        of groups.
    size : all cases, or the effective number of groups.
    notes : what was noticed about the interval.
    """

    value: float
    error: float
    why: str
    trials: float
    freedom: float
    size: float
    notes: tuple[Note, ...]

    @classmethod
    def of(cls, blocks: Blocks) -> AreaWithBounds:
        """The area of one list of cases."""
        with collect_notes():  # the result keeps them
            interval = area_under_roc(blocks, method="logit-delong")
        has_bounds = interval.low is not None
        trials, size = min(blocks.sizes()), math.fsum(blocks.sizes())
        freedom = max(trials - 1, 1.0)
        if blocks.has_groups:
            size = blocks.effective_groups()
            freedom = max(size - 1, 1.0)
        error = interval.standard_error if has_bounds else math.nan
        why = "" if has_bounds else why_undefined(interval.notes)
        return cls(
            interval.estimate,
            0.0 if error is None else error,
            why,
            trials,
            freedom,
            size,
            interval.notes,
        )

    def bounds(self, level: float) -> tuple[float, float]:
        """Bounds on the log-odds scale, with Student's t; of a perfect area Wilson's."""
        return delong_bounds(self.value, self.error, self.trials, self.freedom, level)


def why_undefined(notes: tuple[Note, ...]) -> str:
    """Why there is no interval, as its note says; empty if there is no such note."""
    undefined = (note for note in notes if isinstance(note, UndefinedInterval | UndefinedMeasure))
    return next((note.reason for note in undefined), "")


class TwoAreas(NamedTuple):
    """Two areas, with the covariance of their estimates."""

    first: AreaWithBounds
    second: AreaWithBounds
    covariance: float = 0.0

    @property
    def why(self) -> str:
        """Why there is no variance; empty if there is one."""
        return self.first.why or self.second.why

    @property
    def error(self) -> float:
        """Standard error of the difference."""
        squares = self.first.error**2 + self.second.error**2 - 2 * self.covariance
        return math.sqrt(max(squares, 0.0))

    @property
    def estimates(self) -> TwoEstimates:
        """Both with their bounds at any level."""
        product = self.first.error * self.second.error
        correlation = min(max(self.covariance / product, -1.0), 1.0) if product else 0.0
        return TwoEstimates(
            self.first.value,
            self.second.value,
            self.first.bounds,
            self.second.bounds,
            correlation,
        )

    @property
    def freedom(self) -> float:
        """Welch's degrees of freedom of two cohorts, as pROC takes them: of all cases of each."""
        squares = [area.error**2 for area in self[:2]]
        sizes = [max(area.size - 1, 1.0) for area in self[:2]]
        # Divided by the greater of both, as their squares could underflow.
        shares = [square / max(squares) for square in squares]
        parts = (share**2 / size for share, size in zip(shares, sizes, strict=True))
        return math.fsum(shares) ** 2 / math.fsum(parts)

    def tail(self, limit: float, freedom: float) -> float:
        """The lesser one-sided p of the limit, by DeLong's error."""
        distance = abs(self.first.value - self.second.value - limit)
        if not self.error:
            return LEAST if distance else 0.5
        z = -distance / self.error
        tail = special().ndtr(z) if math.isinf(freedom) else special().stdtr(freedom, z)
        return max(float(tail), LEAST)

    def bounds_by_t(self, level: float, freedom: float) -> tuple[float, float]:
        """Symmetric bounds of the difference."""
        half = quantiles.t(level, freedom) * self.error
        difference = self.first.value - self.second.value
        return difference - half, difference + half
