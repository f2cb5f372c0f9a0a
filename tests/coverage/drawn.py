"""What is simulated of cases that are not drawn one by one and alike: in groups, or by a design
with weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import precall as pc
from tests.coverage.curves import band, tuned
from tests.coverage.grid import Cell, normal_tail, true_ap

#: Labels, scores, and the group or the weight of each case.
Drawn = Callable[[np.random.Generator], tuple[Any, Any, Any]]
#: Groups, cases in each on average, share of relevant ones, distance of the means.
GROUPS = [
    (20, 20, 0.2, 1.5),
    (40, 12, 0.3, 1.0),
    (40, 40, 0.1, 1.5),
    (100, 15, 0.1, 1.5),
    (100, 6, 0.5, 1.0),
    (250, 5, 0.5, 1.0),
]
#: Cases looked at, share of relevant ones, distance of the means, share of the dull ones that is
#: kept.
DESIGNS = [
    (600, 0.2, 1.5, 0.25),
    (1500, 0.2, 1.5, 0.25),
    (4000, 0.05, 1.5, 0.1),
    (1500, 0.5, 1.0, 0.5),
]
#: Cases looked at, share of relevant ones, distance of the means, shares of relevant and of other
#: ones that are kept.
OF_KINDS = [
    (20000, 0.01, 1.5, 1.0, 0.02),
    (20000, 0.005, 2.0, 1.0, 0.05),
    (5000, 0.02, 2.0, 1.0, 0.1),
    (4000, 0.05, 2.0, 1.0, 0.25),
    (50000, 0.01, 2.0, 1.0, 0.01),
    (3000, 0.1, 2.5, 1.0, 0.1),
    (4000, 0.1, 1.5, 0.2, 1.0),
    (4000, 0.1, 1.5, 0.5, 0.1),
]
#: Cases, share of relevant ones, how many of the others are kept, and the shares of both on levels
#: of scores, the lowest first.
LEVELS = [
    (20000, 0.02, 30, (0.3, 0.4, 0.3), (0.94, 0.0575, 0.0025)),
    (5000, 0.04, 10, (0.3, 0.4, 0.3), (0.94, 0.0575, 0.0025)),
    (20000, 0.01, 50, (0.4, 0.6), (0.998, 0.002)),
    (20000, 0.01, 50, (0.1, 0.2, 0.3, 0.25, 0.15), (0.7, 0.25, 0.04, 0.009, 0.001)),
]
#: Cases, standard deviation of the logarithm of their weights, which have nothing to do with labels
#: and scores.
MILD = [(400, 0.5), (1000, 1.0)]
#: Groups of one size, cases in each, share of relevant ones, standard deviation of what all scores
#: of a group have in common.
STRONG = [
    (40, 20, 0.1, 1.5),
    (30, 30, 0.05, 1.0),
    (100, 10, 0.1, 1.5),
    (60, 8, 0.25, 1.5),
    (150, 4, 0.1, 2.0),
    (15, 40, 0.2, 1.0),
    (50, 10, 0.3, 0.0),
]
#: What a group shares: part of the variance of its scores, and Beta's a + b of its share of
#: relevant cases.
ALIKE, SPREAD = 0.25, 5.0
RULES: tuple[dict[str, float], ...] = (
    {"max_f": 1.0},
    {"recall": 0.8},
    {"beta": 1.0},
    {"precision": 0.4},
)


def grouped(groups: int, size: int, share: float, apart: float) -> Drawn:
    """Groups of uneven size, alike in their scores and in how many of their cases are relevant.

    Over all groups scores are normal of unit variance around 0 and `apart`, as of cases drawn one
    by one.
    """

    def draw(rng: np.random.Generator) -> tuple[Any, Any, Any]:
        cases = 1 + rng.poisson(rng.gamma(2.0, (size - 1) / 2, groups))
        group = np.repeat(np.arange(groups), cases)
        chance = rng.beta(SPREAD * share, SPREAD * (1 - share), groups)
        relevant = rng.random(len(group)) < chance[group]
        own, common = rng.standard_normal(len(group)), rng.standard_normal(groups)[group]
        return (
            relevant,
            apart * relevant + math.sqrt(1 - ALIKE) * own + math.sqrt(ALIKE) * common,
            group,
        )

    return draw


def weighted(cases: int, share: float, apart: float, kept: float) -> Drawn:
    """Two strata: cases that a noisy pilot finds promising are all labelled, of the others a part,
    and weigh more.
    """

    def draw(rng: np.random.Generator) -> tuple[Any, Any, Any]:
        relevant = rng.random(cases) < share
        score = rng.standard_normal(cases) + apart * relevant
        chance = np.where(score + rng.standard_normal(cases) > 1.0, 1.0, kept)
        taken = rng.random(cases) < chance
        return relevant[taken], score[taken], 1 / chance[taken]

    return draw


def steep(cases: int, share: float, apart: float) -> Drawn:
    """Cases are labelled with a chance that falls to one in fifty where a noisy pilot thinks little
    of them.
    """

    def draw(rng: np.random.Generator) -> tuple[Any, Any, Any]:
        relevant = rng.random(cases) < share
        score = rng.standard_normal(cases) + apart * relevant
        pilot = score + 0.7 * rng.standard_normal(cases)
        chance = np.maximum(1 / (1 + np.exp(3 - 3 * pilot)), 0.02)
        taken = rng.random(cases) < chance
        return relevant[taken], score[taken], 1 / chance[taken]

    return draw


def by_kind(
    cases: int, share: float, apart: float, relevant_kept: float, others_kept: float
) -> Drawn:
    """Relevant and other cases are kept with unlike chances, as where negatives are sampled."""

    def draw(rng: np.random.Generator) -> tuple[Any, Any, Any]:
        relevant = rng.random(cases) < share
        chance = np.where(relevant, relevant_kept, others_kept)
        taken = rng.random(cases) < chance
        relevant = relevant[taken]
        return relevant, rng.standard_normal(len(relevant)) + apart * relevant, 1 / chance[taken]

    return draw


def graded(
    cases: int, share: float, weight: int, relevant: Sequence[float], others: Sequence[float]
) -> Drawn:
    """Scores of few levels, as graders give them; all relevant cases are kept, and one in so many
    of the others.
    """

    def draw(rng: np.random.Generator) -> tuple[Any, Any, Any]:
        sizes = rng.binomial(cases, share), rng.binomial(cases - round(cases * share), 1 / weight)
        levels = [
            rng.choice(len(part), size, p=part)
            for part, size in zip((relevant, others), sizes, strict=True)
        ]
        return (
            np.repeat([True, False], sizes),
            np.concatenate(levels),
            np.repeat([1.0, float(weight)], sizes),
        )

    return draw


def ap_of_levels(share: float, relevant: Sequence[float], others: Sequence[float]) -> float:
    """That of the population: the precision at each level, by the relevant cases on it."""
    hits, rest = (np.cumsum(np.array(part)[::-1]) for part in (relevant, others))
    precision = share * hits / (share * hits + (1 - share) * rest)
    return float(np.array(relevant)[::-1] @ precision)


def mild(cases: int, deviation: float) -> Drawn:
    """Cases whose weights are lognormal and tell nothing."""

    def draw(rng: np.random.Generator) -> tuple[Any, Any, Any]:
        relevant = rng.random(cases) < 0.2
        weights = np.exp(deviation * rng.standard_normal(cases))
        return relevant, rng.standard_normal(cases) + 1.5 * relevant, weights

    return draw


def strong(groups: int, size: int, share: float, deviation: float) -> Drawn:
    """Groups of one size, whose scores are high or low together."""

    def draw(rng: np.random.Generator) -> tuple[Any, Any, Any]:
        group = np.repeat(np.arange(groups), size)
        relevant = rng.random(len(group)) < share
        common = deviation * rng.standard_normal(groups)[group]
        return relevant, rng.standard_normal(len(group)) + 1.5 * relevant + common, group

    return draw


def of_groups() -> Iterator[Cell]:
    for groups, size, share, apart in GROUPS:
        where = f"{groups} groups of {size} or so, {share:.0%} relevant, d' = {apart}"
        yield from _cells(
            grouped(groups, size, share, apart),
            "groups",
            where,
            share,
            apart,
            groups * size < 1300 and groups >= 100,
        )
    for groups, size, share, deviation in STRONG:
        where = f"{groups} groups of {size}, {share:.0%} relevant, {deviation:g} sd of groups"
        yield _of_ap(
            strong(groups, size, share, deviation),
            "groups",
            where,
            true_ap(share, 1.5 / math.hypot(1, deviation)),
        )
    within = 1 - normal_tail(1.5 / math.sqrt(2 * (1 - ALIKE)))
    for groups, size in ((25, 30), (100, 30)):
        sample = grouped(groups, size, 0.2, 1.5)
        yield Cell(
            "mean",
            "t",
            True,
            f"area under ROC of {groups} groups of {size} or so",
            within,
            lambda rng, s=sample: pc.interval.mean(areas(*s(rng))),
            2,
        )


def of_weights() -> Iterator[Cell]:
    for cases, share, apart, kept in DESIGNS:
        where = (
            f"{cases} cases, {kept:.0%} of the dull ones kept, {share:.0%} relevant, d' = {apart}"
        )
        yield from _cells(
            weighted(cases, share, apart, kept),
            "weights",
            where,
            share,
            apart,
            cases == 1500 and share < 0.5,
        )
    for cases, share in ((2000, 0.2), (4000, 0.05)):
        where = f"{cases} cases, 2 to 100 % of them kept, {share:.0%} relevant, d' = 1.5"
        yield from _cells(steep(cases, share, 1.5), "weights", where, share, 1.5, False)
    for cases, share, apart, *kept in OF_KINDS:
        relevant, others = kept
        where = (
            f"{cases} cases, {share:.1%} relevant, of these {relevant:.0%} kept, of others "
            f"{others:.0%}, d' = {apart}"
        )
        yield _of_ap(
            by_kind(cases, share, apart, relevant, others), "weights", where, true_ap(share, apart)
        )
    for cases, share, weight, *levels in LEVELS:
        where = (
            f"{cases} cases on {len(levels[0])} levels, {share:.0%} relevant, one in {weight} "
            "others kept"
        )
        sample = graded(cases, share, weight, *levels)
        yield _of_ap(sample, "weights", where, ap_of_levels(share, *levels))
    for cases, deviation in MILD:
        where = f"{cases} cases, lognormal weights of deviation {deviation:g}"
        yield from _cells(mild(cases, deviation), "weights", where, 0.2, 1.5, False)


def _of_ap(sample: Drawn, name: str, where: str, truth: float) -> Cell:
    return Cell(
        "average_precision",
        "logit",
        True,
        where,
        truth,
        lambda rng: _apart(sample(rng), name, pc.interval.average_precision),
    )


def _cells(
    sample: Drawn, name: str, where: str, share: float, apart: float, costly: bool
) -> Iterator[Cell]:
    """Every interval that takes groups and weights; those that resample only where `costly`."""
    for what, method, truth in (
        ("average_precision", "logit", true_ap(share, apart)),
        ("area_under_roc", "delong-newcombe", 1 - normal_tail(apart / math.sqrt(2))),
    ):
        yield Cell(
            what,
            method,
            True,
            where,
            truth,
            lambda rng, w=what: _apart(sample(rng), name, getattr(pc.interval, w)),
            2,
        )
    if not costly:
        return
    for rule in RULES:
        yield Cell(
            "max_f" if "max_f" in rule else "precision_at_threshold",
            "optimism bootstrap",
            True,
            f"{where}, chosen by {next(iter(rule))}",
            0.0,
            lambda rng, r=rule: _apart(
                sample(rng),
                name,
                lambda *drawn, **option: tuned(rng, drawn, share, apart, r, **option),
            ),
            2,
        )
    for curve, kind in (
        ("pr_band", "simultaneous"),
        ("pr_band", "pointwise"),
        ("roc_band", "simultaneous"),
    ):
        yield Cell(
            curve,
            f"{kind} bootstrap",
            True,
            where,
            0.0,
            lambda rng, c=curve, k=kind: _apart(
                sample(rng),
                name,
                lambda *drawn, **option: band(rng, drawn, share, apart, c, k, **option),
            ),
            2,
        )


def _apart(drawn: tuple[Any, Any, Any], name: str, work: Callable[..., Any]) -> Any:
    return work(*drawn[:2], **{name: drawn[2]})


def areas(relevant: Any, score: Any, group: Any) -> list[float]:
    """Area under the ROC curve of every group that has both kinds of cases."""
    found = []
    for some in np.split(np.arange(len(group)), np.flatnonzero(np.diff(group)) + 1):
        own, other = (score[some][relevant[some] == kind] for kind in (True, False))
        if len(own) and len(other):
            found.append(float(np.mean(own[:, None] > other)))
    return found
