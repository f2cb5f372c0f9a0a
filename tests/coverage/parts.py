"""Parts of the area under ROC, up to a false positive rate: what is simulated of their intervals,
and the true areas.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

import precall as pc
from tests.coverage import laws
from tests.coverage.drawn import grouped
from tests.coverage.grid import Cell, binormal, normal_tail
from tests.coverage.situations import FRESH

#: Relevant cases, others: 50, 200 and 1000 cases in all.
SIZES = ((25, 25), (15, 35), (60, 140), (30, 170), (200, 800), (500, 500))
RATES = (0.1, 0.2, 0.5)
METHODS = ("logit-delong", "delong", "percentile", "bca")
#: Law, relevant cases, others.
FRESH_CELLS = (
    ("logistic", 40, 200),
    ("exponential", 60, 300),
    ("heavy tails", 100, 400),
    ("narrow", 30, 150),
    ("wide", 80, 160),
)


def under(curve: Callable[[Any], Any], most: float) -> float:
    """The area under a ROC curve up to a rate, by the midpoints of strips that are narrow next
    to 0.
    """
    edges = most * np.linspace(0.0, 1.0, 4001) ** 3
    return math.fsum(curve((edges[1:] + edges[:-1]) / 2) * np.diff(edges))


@cache
def of_normal(apart: float, most: float) -> float:
    """Of normal scores whose means are `apart`."""
    from statistics import NormalDist

    inverse = NormalDist().inv_cdf
    return under(lambda rates: [normal_tail(-apart - inverse(x)) for x in rates], most)


@cache
def of_law(law: str, most: float) -> float:
    """Of the scores of a law."""
    of_relevant, of_other = laws.scores(law)
    return under(lambda rates: of_relevant.sf(of_other.isf(rates)), most)


def of_parts() -> Iterator[Cell]:
    """Normal scores, and groups that are alike in theirs."""
    for relevant, other in SIZES:
        for most in RATES:
            for apart in (1.0, 2.0):
                sample = binormal(
                    relevant + other, relevant / (relevant + other), apart, fixed=True
                )
                where = f"up to {most:g}, {relevant} relevant, {other} others, d' = {apart}"
                for method in METHODS if apart == 1.0 else METHODS[:1]:
                    yield _cell(method, where, of_normal(apart, most), sample, most)
    for groups, size in ((20, 20), (100, 10)):
        where = f"up to 0.2, {groups} groups of {size} or so, 30% relevant, d' = 1.5"
        sample = grouped(groups, size, 0.3, 1.5)
        for method in ("logit-delong", "obuchowski"):
            yield Cell(
                "partial_area_under_roc",
                method,
                method == "logit-delong",
                where,
                of_normal(1.5, 0.2),
                lambda rng, s=sample, m=method: _of_groups(s(rng), m),
            )


def of_fresh() -> Iterator[Cell]:
    """Laws that nothing was chosen with."""
    for law, relevant, other in FRESH_CELLS:
        for most in (0.15, 0.3):
            n = relevant + other
            where = f"{FRESH}{law}, up to {most:g}, {relevant} relevant, {other} others"
            yield _cell(
                "logit-delong",
                where,
                of_law(law, most),
                laws.cases(law, n, relevant / n, fixed=True),
                most,
            )


def _cell(method: str, where: str, truth: float, sample: Any, most: float) -> Cell:
    assert math.isfinite(truth)
    return Cell(
        "partial_area_under_roc",
        method,
        method == METHODS[0],
        where,
        truth,
        lambda rng: pc.interval.partial_area_under_roc(*sample(rng), most, method=method),
    )


def _of_groups(drawn: tuple[Any, Any, Any], method: str) -> Any:
    relevant, score, group = drawn
    return pc.interval.partial_area_under_roc(relevant, score, 0.2, groups=group, method=method)
