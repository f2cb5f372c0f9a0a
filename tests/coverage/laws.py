"""Laws of scores and of values per topic that no default was fitted on, with their truths. Imports
nothing of ours.
"""

from __future__ import annotations

import csv
import lzma
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.peers import peer

stats = peer("scipy.stats")

#: Places of the relevant law at which truths are summed up.
_PLACES = (np.arange(50_000) + 0.5) / 50_000


@cache
def scores(law: str) -> tuple[Any, Any]:
    """Relevant and other cases' scores."""
    laws = {
        "logistic": (stats.logistic(1.6), stats.logistic()),
        "exponential": (stats.expon(scale=3.0), stats.expon()),
        "heavy tails": (stats.t(2, 1.8), stats.t(2)),
        "bounded": (stats.beta(3.0, 1.5), stats.beta(1.5, 3.0)),
        "wide": (stats.norm(1.0, 2.0), stats.norm()),
        "narrow": (stats.norm(1.0, 0.4), stats.norm()),
    }
    return laws[law]


@cache
def accepted(law: str) -> Any:
    """Share of the others that score higher than each of the relevant cases' quantiles, from the
    top.
    """
    relevant, other = scores(law)
    return other.sf(relevant.isf(_PLACES))


def true_ap(law: str, share: float) -> float:
    """Average precision over ever more cases: the mean over relevant cases of precision at their
    score.
    """
    tp, fp = share * _PLACES, (1 - share) * accepted(law)
    return float(np.mean(tp / (tp + fp)))


def true_auc(law: str) -> float:
    """Area under ROC: how often an other case scores lower than a relevant one."""
    return float(1 - accepted(law).mean())


def cases(
    law: str, n: int, share: float, fixed: bool = False
) -> Callable[[np.random.Generator], tuple[Any, Any]]:
    """Draws labels and scores."""
    relevant, other = scores(law)

    def draw(rng: np.random.Generator) -> tuple[Any, Any]:
        known = np.arange(n) < round(n * share) if fixed else rng.random(n) < share
        score = np.where(known, relevant.ppf(rng.random(n)), other.ppf(rng.random(n)))
        return known, score

    return draw


#: Chances of the grades that a scorer gives, worst first: to relevant cases and to others.
GRADES = np.array([[0.05, 0.1, 0.2, 0.3, 0.35], [0.45, 0.3, 0.15, 0.07, 0.03]])


def graded(n: int, share: float) -> Callable[[np.random.Generator], tuple[Any, Any]]:
    """Draws labels and one of five scores: most cases are tied."""
    edges = np.cumsum(GRADES, axis=1)

    def draw(rng: np.random.Generator) -> tuple[Any, Any]:
        known = rng.random(n) < share
        place = rng.random(n)
        high, low = (np.searchsorted(edge, place).clip(0, 4) for edge in edges)
        return known, np.where(known, high, low).astype(float)

    return draw


def true_graded(share: float) -> tuple[float, float]:
    """Average precision and area under ROC of the five scores."""
    relevant, other = GRADES[:, ::-1]
    tp, fp = share * np.cumsum(relevant), (1 - share) * np.cumsum(other)
    lost = np.sum(relevant * (np.cumsum(other) - other / 2))
    return float(np.sum(relevant * tp / (tp + fp))), float(1 - lost)


def _zero_or(chance: float, a: float, b: float) -> Callable[[np.random.Generator, int], Any]:
    return lambda rng, n: np.where(rng.random(n) < chance, 0.0, rng.beta(a, b, n))


def _two_kinds(rng: np.random.Generator, n: int) -> Any:
    return np.where(rng.random(n) < 0.5, rng.beta(2, 10, n), rng.beta(10, 2, n))


def _first_hit(rng: np.random.Generator, n: int) -> Any:
    rank = rng.geometric(0.3, n)
    return np.where(rank <= 10, 1.0 / rank, 0.0)


#: Values per topic, and their mean.
TOPICS: dict[str, tuple[Callable[[np.random.Generator, int], Any], float]] = {
    "a quarter 0, else beta(2, 4)": (_zero_or(0.25, 2, 4), 0.25),
    "hard and easy topics": (_two_kinds, 0.5),
    "RR@10, a hit in ten 3": (
        _first_hit,
        float(sum(0.3 * 0.7 ** (k - 1) / k for k in range(1, 11))),
    ),
    "P@5, fifths": (lambda rng, n: rng.binomial(5, rng.beta(0.8, 0.8, n)) / 5, 0.5),
    "normal": (lambda rng, n: rng.normal(0.4, 0.1, n), 0.4),
    "a few very high, lognormal": (lambda rng, n: rng.lognormal(-2.0, 1.0, n), float(np.exp(-1.5))),
}


#: Those whose values have no range.
UNBOUNDED = ("normal", "a few very high, lognormal")

DATA = Path(__file__).resolve().parents[1] / "data"


@cache
def matrix(name: str) -> Any:
    """Topics x systems of a recorded evaluation, systems in the order of their means."""
    with (DATA / "matrices" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        values = np.array(list(csv.reader(file))[1:], float)
    return values[:, np.argsort(values.mean(axis=0))]


@cache
def robust(run: str) -> Any:
    """AP of the 100 topics of a run of Robust 2003."""
    with lzma.open(DATA / "robust03" / f"{run}.all_trec.trec_eval-10.0.txt.xz", "rt") as file:
        rows = [line.split() for line in file]
    return np.array([float(row[2]) for row in rows if row[0] == "map" and row[1] != "all"])


def recorded() -> dict[str, Any]:
    """Values per topic of real systems, to be drawn from with replacement."""
    found = {}
    for name, measure in (("adhoc5_ap", "AP"), ("adhoc7_ap", "AP"), ("web2011_ndcg20", "nDCG@20")):
        values = matrix(name)
        for place, said in ((-1, "best"), (values.shape[1] // 2, "middle")):
            found[f"{measure} of {name.split('_')[0]}, {said} system"] = values[:, place]
    return found | {f"AP of robust03, {run}": robust(run) for run in ("InexpC2", "MU03rob01")}


def _exchanged(apart: Any) -> Callable[[np.random.Generator, int], Any]:
    return lambda rng, n: rng.choice(apart, n) * rng.choice((-1.0, 1.0), n)


def differences() -> dict[str, Callable[[np.random.Generator, int], Any]]:
    """Laws of two systems' differences per topic, symmetric about 0."""
    found = {
        "heavy tails": lambda rng, n: rng.standard_t(2.5, n) / 20,
        "mostly equal": lambda rng, n: (
            (rng.random(n) < 0.2) * rng.choice((-1.0, 1.0), n) * rng.beta(1, 3, n)
        ),
    }
    for name, said in (("adhoc7_ap", "TREC-7 AP"), ("web2011_ndcg20", "Web nDCG@20")):
        values = matrix(name)
        found[said] = _exchanged(values[:, -1] - values[:, values.shape[1] // 2])
    return found
