"""What is simulated of measures of counts that are no proportion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import precall as pc
from tests.coverage.grid import TABLES, Cell

#: Share of relevant items, of those that are accepted, and of the others that are not.
SITUATIONS = [(0.5, 0.8, 0.8), (0.1, 0.6, 0.95), (0.3, 0.95, 0.97)]


def truth(name: str, chance: Any) -> float:
    """Of a table of chances, truth x decision, as textbooks write it."""
    chance = np.asarray(chance) / np.sum(chance)
    true, decided = chance.sum(axis=1), chance.sum(axis=0)
    right, even = float(np.trace(chance)), float(true @ decided)
    return {
        "MCC": (right - even) / float(np.sqrt((1 - true @ true) * (1 - decided @ decided))),
        "kappa": (right - even) / (1 - even),
        "BalancedAccuracy": float(np.mean(np.diag(chance) / true)),
    }[name]


def drawn(rng: np.random.Generator, items: int, chance: Any) -> pc.Decisions:
    """Decisions on so many items; of two categories a yes or no."""
    chance = np.asarray(chance) / np.sum(chance)
    cell = rng.choice(chance.size, items, p=chance.ravel())
    named = {} if len(chance) == 2 else {"categories": list(range(len(chance)))}
    return pc.decisions((cell // len(chance)).tolist(), (cell % len(chance)).tolist(), **named)


def of_tables() -> Iterator[Cell]:
    for name in ("MCC", "kappa", "BalancedAccuracy"):
        for share, recall, specificity in SITUATIONS:
            other = 1 - share
            chance = [
                [other * specificity, other * (1 - specificity)],
                [share * (1 - recall), share * recall],
            ]
            for items in (30, 100, 300):
                where = (
                    f"{name}, {items} items, {share:.0%} relevant, recall {recall}, specificity "
                    f"{specificity}"
                )
                for method in ("posterior", "bca", "percentile"):
                    yield Cell(
                        "of decisions",
                        method,
                        method == "posterior",
                        where,
                        truth(name, chance),
                        lambda rng, n=items, c=chance, m=name, how=method: pc.interval(
                            drawn(rng, n, c), m, method=how, rng=rng, resamples=1000
                        ),
                        2,
                    )
    chance = TABLES["3 categories, F .8"]
    for items in (50, 300):
        yield Cell(
            "of decisions",
            "bca",
            True,
            f"MCC of the whole table, {items} items, 3 categories, F .8",
            truth("MCC", chance),
            lambda rng, n=items: pc.interval(
                drawn(rng, n, TABLES["3 categories, F .8"]), "MCC", rng=rng, resamples=500
            ),
            2,
        )
