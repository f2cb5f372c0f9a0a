"""Two scored lists of cases in groups, with sampling weights, with missed items, and parts of their
areas: how tests hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import precall as pc

#: Labels, two scores, and what else is known of the cases.
Drawn = tuple[Any, Any, Any, dict[str, Any]]
#: Groups, cases in each on average, and by how much the first score is better for the power.
GROUPS = ((10, 12, 0.75), (20, 12, 0.55), (50, 8, 0.45), (150, 4, 0.35))
#: Cases looked at, share of relevant ones, share of the dull ones that is kept.
DESIGNS = ((600, 0.2, 0.25, 0.5), (2000, 0.1, 0.2, 0.4))
#: Cases, share of relevant ones, which all are kept, and share of the others that is.
OF_KINDS = ((10000, 0.01, 0.02, 0.9), (2000, 0.05, 0.1, 0.6), (10000, 0.05, 0.05, 0.4))
#: Relevant cases, others, missed ones.
MISSED = ((20, 180, 10, 0.7), (50, 450, 50, 0.5))
#: Relevant cases, others: 50, 200 and 1000 cases.
SIZES = ((25, 25, 0.9), (60, 140, 0.6), (200, 800, 0.35))


class Situation(NamedTuple):
    """Cases to draw, by how much the first score is better, and the tests of a measure there."""

    part: str
    where: str
    measure: str
    tests: tuple[str, ...]
    draw: Callable[[np.random.Generator, float], Drawn]
    gap: float


def scores(
    rng: np.random.Generator, relevant: Any, gap: float, shared: Any = 0.0, own: Any = (0.0, 0.0)
) -> Any:
    """Two scores of one hidden quality, the first better by `gap`; some parts may be those of
    groups.
    """
    hidden = 0.7 * rng.standard_normal(len(relevant)) + shared
    noise = 0.7 * rng.standard_normal((2, len(relevant)))
    a, b = (hidden + noise[side] + own[side] + 1.5 * relevant for side in (0, 1))
    return a + gap * relevant, b


def grouped(rng: np.random.Generator, gap: float, groups: int, size: int) -> Drawn:
    """Groups of uneven size and shares of relevant cases; what a group shares is common to both
    scores, or of one alone.
    """
    cases = 1 + rng.poisson(rng.gamma(2.0, (size - 1) / 2, groups))
    group = np.repeat(np.arange(groups), cases)
    relevant = rng.random(len(group)) < rng.beta(1.5, 3.0, groups)[group]
    if not 1 < relevant.sum() < len(relevant) - 1:
        return grouped(rng, gap, groups, size)
    shared, *own = 0.5 * rng.standard_normal((3, groups))[:, group]
    return relevant, *scores(rng, relevant, gap, shared, own), {"groups": group}


def weighted(rng: np.random.Generator, gap: float, cases: int, share: float, kept: float) -> Drawn:
    """Cases that neither score finds promising are labelled in part only, and weigh more."""
    relevant = rng.random(cases) < share
    a, b = scores(rng, relevant, gap)
    chance = np.where((a + b) / 2 + rng.standard_normal(cases) > 1.0, 1.0, kept)
    taken = rng.random(cases) < chance
    return relevant[taken], a[taken], b[taken], {"weights": 1 / chance[taken]}


def by_kind(rng: np.random.Generator, gap: float, cases: int, share: float, kept: float) -> Drawn:
    """All relevant cases, and a part of the others, which weigh more."""
    relevant = rng.random(cases) < share
    relevant = relevant[relevant | (rng.random(cases) < kept)]
    return relevant, *scores(rng, relevant, gap), {"weights": np.where(relevant, 1.0, 1 / kept)}


def plain(
    rng: np.random.Generator, gap: float, positive: int, negative: int, missed: int = 0
) -> Drawn:
    """Single cases, some relevant ones missed by both."""
    relevant = np.arange(positive + negative) < positive
    return relevant, *scores(rng, relevant, gap), {"missed": missed} if missed else {}


def every() -> Iterator[Situation]:
    """All that is simulated."""
    of_areas, of_ap = (
        ("delong", "obuchowski", "permutation", "bootstrap"),
        ("permutation", "influence", "bootstrap"),
    )
    for groups, size, gap in GROUPS:
        draw, where = partial(grouped, groups=groups, size=size), f"{groups} groups of {size} or so"
        yield Situation("groups", f"AUC, {where}", "AUC", (*of_areas, "delong, cases"), draw, gap)
        yield Situation("groups", f"AP, {where}", "AP", of_ap, draw, gap)
    for cases, share, kept, gap in DESIGNS:
        draw = partial(weighted, cases=cases, share=share, kept=kept)
        where = f"{cases} cases, {share:.0%} relevant, {kept:.0%} of the dull ones kept"
        yield Situation("weights", f"AUC, {where}", "AUC", ("delong", "bootstrap"), draw, gap)
        yield Situation("weights", f"AP, {where}", "AP", of_ap, draw, gap)
    for cases, share, kept, gap in OF_KINDS:
        draw = partial(by_kind, cases=cases, share=share, kept=kept)
        where = f"{cases} cases, all relevant ones kept ({share:.0%}), of others {kept:.0%}"
        yield Situation("weights", f"AP, {where}", "AP", of_ap, draw, gap)
    for positive, negative, missed, gap in MISSED:
        draw = partial(plain, positive=positive, negative=negative, missed=missed)
        where = f"{positive} of {positive + negative}, {missed} missed"
        yield Situation("missed", f"AP, {where}", "AP", of_ap, draw, gap)
        yield Situation(
            "missed", f"AUC, {where}", "AUC", ("permutation", "delong", "bootstrap"), draw, gap
        )
        yield Situation("missed", f"R@50, {where}", "R@50", ("permutation", "influence"), draw, gap)
    for positive, negative, gap in SIZES:
        draw = partial(plain, positive=positive, negative=negative)
        for most in (0.1, 0.2, 0.5):
            where = f"up to {most:g}, {positive} of {positive + negative}"
            yield Situation(
                "parts", where, f"AUC(max_fpr={most:g})", ("delong", "bootstrap"), draw, gap
            )


def p_of(situation: Situation, test: str, rng: np.random.Generator, i: int) -> tuple[float, float]:
    """A p where there is no difference, and one where there is; "cases" forgets the groups."""
    found = []
    for gap in (0.0, situation.gap):
        relevant, a, b, more = situation.draw(rng, gap)
        name, comma, _ = test.partition(", ")
        options: dict[str, Any] = {"test": name, "resamples": 499, "rng": i} | (
            {} if comma else more
        )
        found.append(pc.compare.cases(relevant, a, b, situation.measure, **options).p)
    return found[0], found[1]
