"""Exact p of differences on a grid: half of the distribution is built, and what has underflowed is
left out; p has the bits of the whole one. Tests against enumerations had too few topics for chances
to underflow.
"""

from __future__ import annotations

import numpy as np
import pytest

from precall.stats.tests import signflip


def whole(units: np.ndarray, alternative: str) -> float:
    """p from all chances, each of which is built."""
    units = units // np.gcd.reduce(units)
    chance, total, observed = np.ones(1), int(np.abs(units).sum()), int(units.sum())
    for step in np.abs(units).tolist():
        none = np.zeros(step)
        chance = (np.concatenate((chance, none)) + np.concatenate((none, chance))) * 0.5
    if alternative == "two-sided":
        return (
            float(min(1.0, 2 * chance[(abs(observed) + total) // 2 :].sum())) if observed else 1.0
        )
    return float(min(1.0, chance[(observed + total) // 2 :].sum()))


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("topics", [1, 2, 3, 9, 40, 300, 1500])
def test_bits_of_the_whole_distribution(topics: int, alternative: str) -> None:
    rng = np.random.default_rng(topics)
    for share in (0.5, 0.6, 1.0):
        units = rng.integers(1, 8, topics) * np.where(rng.random(topics) < share, 1, -1)
        units = units[np.argsort(np.abs(units), kind="stable")]
        assert signflip._by_convolution(units, alternative) == whole(units, alternative)
