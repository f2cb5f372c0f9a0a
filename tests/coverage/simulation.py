"""How often an interval holds the truth, how often it warns, and with what error that is known."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from precall.core.errors import PrecallWarning
from tests.coverage import grid, parts, situations
from tests.coverage.grid import Cell


@cache
def every() -> list[Cell]:
    """All that is simulated: the grid that defaults were chosen with, then fresh situations."""
    return [*grid.every(), *parts.of_parts(), *situations.every(), *parts.of_fresh()]


@dataclass(frozen=True)
class Outcome:
    """What simulations of one cell found."""

    interval: str
    method: str
    default: bool
    situation: str
    samples: int
    covered: float
    below: float
    above: float
    warned: float
    width: float

    @property
    def error(self) -> float:
        """Standard error of the coverage, were it 95 %."""
        return math.sqrt(0.95 * 0.05 / max(self.samples, 1))

    @property
    def recommended(self) -> bool:
        """Whether the default method mostly gives the interval without a warning."""
        return self.default and self.warned < 0.5

    @property
    def wide(self) -> bool:
        """Whether it may cover more than it says: bounds that count on what few topics, or few
        errors, did not show.
        """
        return "bayesian-bootstrap" in self.method


def simulated(cell: Cell, samples: int, seed: int = 1) -> Outcome:
    """`below`: the whole interval lies below the truth. Samples without an interval are not
    counted.
    """
    rng = np.random.default_rng([seed, samples])
    low, high, said = [], [], 0
    for _ in range(samples):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", PrecallWarning)
            found: Any = cell.draw(rng)
        said += bool(caught)
        if found.low is not None and found.high is not None:
            low.append(found.low)
            high.append(found.high)
    lower, upper = np.array(low), np.array(high)
    known = max(len(lower), 1)
    below, above = (upper < cell.truth).sum() / known, (lower > cell.truth).sum() / known
    return Outcome(
        cell.interval,
        cell.method,
        cell.default,
        cell.situation,
        len(lower),
        float(1 - below - above),
        float(below),
        float(above),
        said / samples,
        float(np.mean(upper - lower)) if len(lower) else math.nan,
    )
