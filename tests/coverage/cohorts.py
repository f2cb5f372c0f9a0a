"""Scores of two cohorts, and two scores of the same cases, with known areas under ROC."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import precall as pc
from precall.stats import quantiles


class Cohort(NamedTuple):
    """Relevant and other cases with normal scores, and their area."""

    area: float
    relevant: int
    other: int

    @property
    def separation(self) -> float:
        """By how much scores of relevant cases are higher."""
        return 2**0.5 * quantiles.normal(self.area)

    def __str__(self) -> str:
        return f"{self.area:g} of {self.relevant} + {self.other}"

    def draw(self, rng: np.random.Generator, shift: float = 0.0) -> pc.Curve:
        """A sample; `shift` is added to the separation."""
        y = np.repeat([1, 0], [self.relevant, self.other])
        return pc.curve(y, rng.normal(size=len(y)) + y * (self.separation + shift))


#: Pairs of cohorts whose difference has an interval.
APART = (
    (Cohort(0.8, 30, 30), Cohort(0.8, 30, 30)),
    (Cohort(0.8, 41, 72), Cohort(0.85, 41, 72)),
    (Cohort(0.95, 30, 30), Cohort(0.95, 30, 30)),
    (Cohort(0.97, 40, 80), Cohort(0.9, 20, 60)),
    (Cohort(0.85, 20, 200), Cohort(0.75, 100, 100)),
    (Cohort(0.97, 30, 30), Cohort(0.92, 30, 30)),
    (Cohort(0.97, 100, 100), Cohort(0.92, 100, 100)),
)
#: Pairs of equal areas, for the size of tests.
EQUAL = (
    (Cohort(0.8, 30, 30), Cohort(0.8, 30, 30)),
    (Cohort(0.85, 20, 200), Cohort(0.85, 100, 100)),
    (Cohort(0.95, 30, 30), Cohort(0.95, 30, 30)),
    (Cohort(0.95, 40, 80), Cohort(0.95, 20, 60)),
)
#: Areas of two systems, of which the first is worse by just the margin of .05; cases of each class;
#: correlation of the scores, None for two cohorts.
MARGIN = 0.05
MARGINS: tuple[tuple[float, float, int, int, float | None], ...] = (
    (0.80, 0.85, 30, 30, 0.5),
    (0.80, 0.85, 100, 100, 0.5),
    (0.80, 0.85, 100, 100, 0.8),
    (0.80, 0.85, 41, 72, None),
    (0.85, 0.90, 20, 200, 0.5),
    (0.92, 0.97, 30, 30, 0.5),
    (0.92, 0.97, 60, 60, 0.5),
    (0.92, 0.97, 100, 100, 0.5),
    (0.92, 0.97, 60, 60, None),
)


def in_groups(rng: np.random.Generator) -> tuple[pc.Curve, np.ndarray]:
    """A cohort of 40 patients with three cases each; both labels and scores depend on them."""
    patient = np.repeat(np.arange(40), 3)
    effect = rng.normal(size=40)[patient]
    y = rng.random(120) < 1 / (1 + np.exp(-effect))
    if not 0 < y.sum() < len(y):
        return in_groups(rng)
    return pc.curve(y, 0.7 * effect + rng.normal(size=120) + 1.2 * y), patient


def interval_of(
    pair: tuple[Cohort, Cohort], interval: str, measure: str, rng: np.random.Generator, i: int
) -> pc.Comparison:
    """The comparison of two cohorts."""
    first, second = (cohort.draw(rng) for cohort in pair)
    return pc.compare.unpaired(first, second, measure, interval=interval)


def interval_of_groups(rng: np.random.Generator, i: int) -> pc.Comparison:
    """The comparison of two cohorts of patients."""
    (first, patients), (second, others) = in_groups(rng), in_groups(rng)
    return pc.compare.unpaired(first, second, groups=(patients, others))


def p_of_cohorts(
    pair: tuple[Cohort, Cohort], test: str, rng: np.random.Generator, i: int
) -> tuple[float, float]:
    """p of equal areas, and of areas that differ by half a standard deviation of the scores."""
    first, second = (cohort.draw(rng) for cohort in pair)
    worse = pair[1].draw(rng, -0.5)
    null, shifted = (pc.compare.unpaired(first, other, test=test).p for other in (second, worse))
    return null, shifted


def p_of_margin(
    situation: tuple[float, float, int, int, float | None],
    test: str,
    rng: np.random.Generator,
    i: int,
) -> tuple[float, float]:
    """Twice the one-sided p of "not worse by the margin": if the loss is just the margin, and if
    there is none.
    """
    low, high, relevant, other, correlation = situation
    y = np.repeat([1, 0], [relevant, other])
    share = 0.0 if correlation is None else correlation
    shared = rng.normal(size=len(y))
    scores = [
        share**0.5 * shared
        + (1 - share) ** 0.5 * rng.normal(size=len(y))
        + y * Cohort(area, 0, 0).separation
        for area in (low, high, high)
    ]
    worse, standard, alike = scores
    options: dict[str, Any] = {"kind": "not worse", "test": test}
    found = []
    for system in (worse, alike):
        if correlation is None:
            curves = pc.curve(y, system), pc.curve(y, standard)
            result = pc.compare.equivalence(*curves, MARGIN, paired=False, **options)
        else:
            result = pc.compare.equivalence(y, system, standard, MARGIN, **options)
        found.append(min(1.0, 2 * result.p))
    return found[0], found[1]


def margins() -> Iterator[tuple[str, str, Callable[..., tuple[float, float]]]]:
    """Where, test and draw of each test of a margin."""
    for situation in MARGINS:
        low, high, relevant, other, correlation = situation
        of = "two cohorts" if correlation is None else f"correlation {correlation:g}"
        for test in ("mover", "delong"):
            where = f"{low:g} against {high:g}, {relevant} + {other}, {of}"
            yield where, test, partial(p_of_margin, situation, test)
