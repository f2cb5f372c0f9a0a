"""What is simulated: every interval, on samples of known truth. Shares no code with what it
tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

import precall as pc

Draw = Callable[[np.random.Generator], Any]


@dataclass(frozen=True)
class Cell:
    """One situation: the truth, and how a sample's interval is made."""

    interval: str
    method: str
    default: bool
    situation: str
    truth: Any
    draw: Draw = field(repr=False)
    #: 1: closed forms; 2: those that resample or integrate take ten times as long, and get half the
    #: samples.
    cost: int = 1


def normal_tail(x: float) -> float:
    return math.erfc(x / math.sqrt(2)) / 2


def density(x: float) -> float:
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


@cache
def true_ap(share: float, apart: float, width: float = 0.0) -> float:
    """Average precision of normal scores whose means are `apart`, over ever more cases.

    With `width`, scores are rounded down to multiples of it: ties.
    """
    if width:
        edges = np.arange(math.floor(-8 / width), math.ceil((9 + apart) / width) + 1) * width
        above = np.array([[normal_tail(x - apart), normal_tail(x)] for x in edges])
        tp, fp = share * above[:, 0], (1 - share) * above[:, 1]
        gained = tp - np.append(tp[1:], 0.0)
        return float(np.sum(gained * tp / np.maximum(tp + fp, 1e-300)) / np.sum(gained))
    grid = np.linspace(-9, 9 + apart, 40001)
    tp = share * np.array([normal_tail(x - apart) for x in grid])
    fp = (1 - share) * np.array([normal_tail(x) for x in grid])
    value = np.array([density(x - apart) for x in grid]) * tp / (tp + fp)
    return float(np.sum((value[1:] + value[:-1]) / 2 * np.diff(grid)))


def binormal(n: int, share: float, apart: float, width: float = 0.0, fixed: bool = False) -> Draw:
    """Draws labels and scores of n cases."""

    def draw(rng: np.random.Generator) -> tuple[Any, Any]:
        relevant = np.arange(n) < round(n * share) if fixed else rng.random(n) < share
        score = rng.standard_normal(n) + apart * relevant
        return relevant, np.floor(score / width) * width if width else score

    return draw


#: Relevant cases, share of them, distance of the means.
AP_CELLS = [
    (5, 0.1, 1.5),
    (10, 0.5, 0.5),
    (10, 0.1, 1.5),
    (10, 0.01, 3.0),
    (20, 0.5, 1.5),
    (20, 0.5, 3.0),
    (20, 0.1, 0.5),
    (20, 0.1, 1.5),
    (20, 0.1, 3.0),
    (20, 0.01, 1.5),
    (20, 0.01, 2.5),
    (50, 0.5, 0.5),
    (50, 0.5, 1.5),
    (50, 0.1, 1.5),
    (50, 0.1, 3.0),
    (50, 0.01, 1.5),
    (50, 0.01, 3.0),
    (100, 0.9, 1.0),
    (100, 0.1, 0.5),
    (100, 0.01, 1.5),
    (200, 0.5, 1.0),
    (500, 0.5, 2.0),
    (500, 0.1, 1.5),
]


def of_ap() -> Iterator[Cell]:
    for relevant, share, apart in AP_CELLS:
        n = round(relevant / share)
        cost = 1 if n <= 2000 else 2
        for width in (0.0, 0.5):
            where = f"R = {relevant}, {share:.0%} relevant, d' = {apart}" + (
                ", tied" if width else ""
            )
            sample, truth = binormal(n, share, apart, width), true_ap(share, apart, width)
            yield Cell(
                "average_precision",
                "logit",
                True,
                where,
                truth,
                lambda rng, s=sample: pc.interval.average_precision(*s(rng)),
                cost,
            )
            if width:
                continue
            for method in ("normal", "percentile", "bca"):
                if n > 2000:
                    continue
                yield Cell(
                    "average_precision",
                    method,
                    False,
                    where,
                    truth,
                    lambda rng, s=sample, m=method: pc.interval.average_precision(
                        *s(rng), method=m, rng=rng
                    ),
                )
            where += ", numbers fixed"
            sample = binormal(n, share, apart, fixed=True)
            yield Cell(
                "average_precision",
                "logit, stratified",
                True,
                where,
                truth,
                lambda rng, s=sample: pc.interval.average_precision(*s(rng), stratified=True),
                cost,
            )


def of_auc() -> Iterator[Cell]:
    for relevant, other, apart in (
        (5, 50, 1.0),
        (10, 10, 0.5),
        (10, 10, 1.5),
        (10, 100, 1.5),
        (20, 20, 1.5),
        (20, 20, 2.5),
        (20, 200, 0.0),
        (20, 200, 2.5),
        (50, 50, 1.0),
        (50, 50, 3.0),
        (50, 500, 1.5),
        (200, 200, 1.0),
        (500, 500, 2.0),
        # Areas of .998 (among 20,000), .983 and .961.
        (10, 20000, 4.07),
        (30, 20000, 4.07),
        (100, 20000, 4.07),
        (60, 60, 3.0),
        (60, 6000, 3.0),
        (40, 40, 2.5),
        (40, 4000, 2.5),
    ):
        n, where = relevant + other, f"{relevant} relevant, {other} others, d' = {apart}"
        sample, truth = (
            binormal(n, relevant / n, apart, fixed=True),
            1 - normal_tail(apart / math.sqrt(2)),
        )
        for method in ("delong-newcombe", "newcombe", "logit-delong", "delong"):
            yield Cell(
                "area_under_roc",
                method,
                method == "delong-newcombe",
                where,
                truth,
                lambda rng, s=sample, m=method: pc.interval.area_under_roc(*s(rng), method=m),
            )


def of_proportions() -> Iterator[Cell]:
    for n, p in (
        (20, 0.5),
        (20, 0.1),
        (50, 0.5),
        (50, 0.2),
        (100, 0.1),
        (200, 0.02),
        (500, 0.5),
        (1000, 0.03),
    ):
        for method in ("wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald"):
            yield Cell(
                "proportion",
                method,
                method == "wilson",
                f"{n} trials, p = {p}",
                p,
                lambda rng, n=n, p=p, m=method: pc.interval.proportion(
                    int(rng.binomial(n, p)), n, method=m
                ),
            )


def of_f() -> Iterator[Cell]:
    for n, precision, recall in (
        (20, 0.5, 0.5),
        (50, 0.5, 0.5),
        (50, 0.8, 0.8),
        (100, 0.3, 0.9),
        (100, 0.8, 0.6),
        (100, 0.95, 0.95),
        (500, 0.2, 0.2),
        (500, 0.9, 0.9),
    ):
        hit = 1 / (1 / precision + 1 / recall - 1)
        chances = np.array([hit, hit / precision - hit, hit / recall - hit])
        for beta in (1.0, 2.0):
            square = beta * beta
            truth = (1 + square) * hit / (square * hit / recall + hit / precision)
            where = f"{n} accepted or relevant, P = {precision}, R = {recall}, beta = {beta:g}"
            for method in ("posterior", "delta"):
                yield Cell(
                    "f",
                    method,
                    method == "posterior",
                    where,
                    truth,
                    lambda rng, n=n, c=chances, b=beta, m=method: pc.interval.f(
                        *map(int, rng.multinomial(n, c)), b, method=m
                    ),
                    1 if beta == 1 else 2,
                )


def of_shares(shares: Any, right: float) -> list[list[float]]:
    """A table of categories of these shares; so many decisions are right, the others go to any
    other category alike.
    """
    share = np.asarray(shares) / np.sum(shares)
    wrong = (1 - np.eye(len(share))) * (1 - right) / (len(share) - 1)
    table: list[list[float]] = ((np.eye(len(share)) * right + wrong) * share[:, None]).tolist()
    return table


#: Joint chances of truth and decision.
TABLES = {
    "3 categories, F .8": [[0.4, 0.05, 0.02], [0.04, 0.25, 0.03], [0.02, 0.03, 0.16]],
    "3 categories, one rare": [[0.6, 0.05, 0.01], [0.06, 0.2, 0.01], [0.015, 0.015, 0.04]],
    "5 categories, F .4": (np.full((5, 5), 0.024) + np.eye(5) * 0.08).tolist(),
    "2 categories, F .97": [[0.49, 0.01], [0.02, 0.48]],
    "10 categories, each half as often": of_shares(0.5 ** np.arange(10), 0.9),
    "90 categories": of_shares(np.ones(90), 0.75),
}


def of_averaged_f() -> Iterator[Cell]:
    for name, table in TABLES.items():
        chance = np.array(table) / np.sum(table)
        each = 2 * np.diag(chance) / (chance.sum(0) + chance.sum(1))
        for items in (30, 50, 100, 300, 1000):
            for kind, truth in (
                ("micro_f", float(np.trace(chance))),
                ("macro_f", float(each.mean())),
            ):
                for method in ("logit", "wald"):
                    yield Cell(
                        kind,
                        method,
                        method == "logit",
                        f"{items} items, {name}",
                        truth,
                        lambda rng, n=items, c=chance, k=kind, m=method: getattr(pc.interval, k)(
                            rng.multinomial(n, c.ravel()).reshape(c.shape), method=m
                        ),
                    )


#: Values per topic, of measures in 0..1: how they are drawn, and their mean.
TOPICS: dict[str, tuple[Callable[[np.random.Generator, int], Any], float]] = {
    "AP-like, beta(1, 3)": (lambda rng, n: rng.beta(1, 3, n), 0.25),
    "hard, beta(.3, 3)": (lambda rng, n: rng.beta(0.3, 3, n), 1 / 11),
    "even, beta(2, 2)": (lambda rng, n: rng.beta(2, 2, n), 0.5),
    "P@10, tenths": (lambda rng, n: rng.binomial(10, rng.beta(1, 2, n)) / 10, 1 / 3),
    "RR-like": (lambda rng, n: 1.0 / rng.geometric(0.5, n), math.log(2)),
    "0 or 1, 10 %": (lambda rng, n: (rng.random(n) < 0.1) * 1.0, 0.1),
    "easy, beta(5, .5)": (lambda rng, n: rng.beta(5, 0.5, n), 10 / 11),
    "0 or 1, 99.5 %": (lambda rng, n: (rng.random(n) < 0.995) * 1.0, 0.995),
    "low, beta(1, 20)": (lambda rng, n: rng.beta(1, 20, n), 1 / 21),
    "about .9, but 5 % are 0": (
        lambda rng, n: np.where(rng.random(n) < 0.05, 0.0, np.clip(rng.normal(0.9, 0.02, n), 0, 1)),
        0.95 * 0.9,
    ),
    "judged 0, .5 or 1": (lambda rng, n: rng.choice([0.0, 0.5, 1.0], n, p=[0.2, 0.3, 0.5]), 0.65),
}
#: With fewer topics the default knows the range of the values; with more it does so where t leaves
#: it.
FEW = 30


def of_topics(
    interval: str,
    name: str,
    values: Callable[[np.random.Generator, int], Any],
    truth: float,
    n: int,
) -> Cell:
    """The default of so many values in 0..1."""
    method = "bayesian-bootstrap" if n < FEW else "t, bayesian-bootstrap"
    return Cell(
        interval,
        method,
        True,
        name,
        truth,
        lambda rng: pc.interval.mean(values(rng, n), range=(0, 1)),
    )


def of_means() -> Iterator[Cell]:
    for name, (values, truth) in TOPICS.items():
        for n in (5, 10, 25, 50, 100, 250):
            where = f"{n} topics, {name}"
            yield of_topics("mean", where, values, truth, n)
            for method in ("t", "bayesian-bootstrap", "bca", "percentile"):
                if n >= (FEW if method == "bayesian-bootstrap" else 10):
                    yield Cell(
                        "mean",
                        method,
                        False,
                        where,
                        truth,
                        lambda rng, v=values, n=n, m=method: pc.interval.mean(
                            v(rng, n), method=m, rng=rng, range=(0, 1)
                        ),
                    )
    for topics, items in ((10, 10), (25, 10), (50, 50)):
        for effects in ((1.0, 1.0, 1.0), (1.0, 0.2, 1.0), (0.0, 0.0, 1.0)):
            where = f"{topics} topics x {items} items, spread {effects}"
            yield Cell(
                "two_way",
                "two-way t",
                True,
                where,
                0.0,
                lambda rng, t=topics, i=items, e=effects: pc.interval.two_way(
                    e[0] * rng.standard_normal((t, 1))
                    + e[1] * rng.standard_normal((1, i))
                    + e[2] * rng.standard_normal((t, i))
                ),
            )
    yield from of_two_way_shares()


def logistic(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def of_two_way_shares() -> Iterator[Cell]:
    """Values in 0..1 of topics x items: log-odds are sums of normal effects."""
    node, weight = np.polynomial.hermite_e.hermegauss(80)
    for topics, items in ((6, 6), (12, 8), (25, 10), (40, 40)):
        for centre, effects in (
            (0.0, (0.7, 0.7, 0.7)),
            (3.0, (1.0, 1.0, 1.0)),
            (3.0, (1.5, 0.3, 0.5)),
        ):
            spread = float(np.linalg.norm(effects))
            truth = float(weight @ logistic(centre + spread * node) / weight.sum())
            where = (
                f"{topics} topics x {items} items in 0..1, log-odds {centre:g}, spread {effects}"
            )
            method = "two-way t" if topics >= FEW else "two-way bayesian-bootstrap"
            yield Cell(
                "two_way",
                method,
                True,
                where,
                truth,
                lambda rng, t=topics, i=items, c=centre, e=effects: pc.interval.two_way(
                    logistic(
                        c
                        + e[0] * rng.standard_normal((t, 1))
                        + e[1] * rng.standard_normal((1, i))
                        + e[2] * rng.standard_normal((t, i))
                    ),
                    range=(0, 1),
                ),
            )


def every() -> list[Cell]:
    """The whole grid."""
    from tests.coverage.curves import of_bands, of_ks, of_tuned
    from tests.coverage.drawn import of_groups, of_weights
    from tests.coverage.tables import of_tables

    parts = (
        of_proportions,
        of_f,
        of_averaged_f,
        of_tables,
        of_ap,
        of_auc,
        of_tuned,
        of_ks,
        of_bands,
        of_means,
        of_groups,
        of_weights,
    )
    return [cell for part in parts for cell in part()]
