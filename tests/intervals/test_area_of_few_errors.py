"""Intervals of areas near 1 lay above the truth: 64 % coverage with 10 relevant cases of 20,010 and
an area of .998.

DeLong's variance is of the sample, which most often has none of the rare errors. The grid of
coverage simulations had no area above .983, and let cells off that warned, so that nobody saw how
far they fell. Equal scores had an interval of no width, which a test of it had written down as
right.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_intervals import AtAnEnd, UndefinedInterval
from tests.coverage.areas import SAMPLES, covered, normal
from tests.coverage.grid import every
from tests.coverage.simulation import simulated
from tests.noticed import warned

CELLS = [
    "10 relevant, 20000 others, d' = 4.07",
    "60 relevant, 60 others, d' = 3.0",
    "40 relevant, 4000 others, d' = 2.5",
]


@pytest.mark.nightly
@pytest.mark.parametrize("situation", CELLS)
def test_covers_where_errors_are_few(situation):
    cell = next(one for one in every() if one.situation == situation and one.default)
    found = simulated(cell, 300, seed=5)
    assert found.covered >= 0.93 - 2 * found.error
    # The old default lay above the truth in a third, a twentieth and a twelfth of the samples.
    assert found.above <= 0.02


def test_the_simulation_of_methods_sees_the_fault():
    found = covered(np.random.default_rng(3), normal(0.998, 1.0), 10, 20_000, 0.998)
    error = math.sqrt(0.05 * 0.95 / SAMPLES)
    assert found["logit-delong"][0] < 0.7
    assert found["delong-newcombe"][0] > 0.95 - 3 * error


@pytest.mark.parametrize("method", ["delong-newcombe", "newcombe", "logit-delong", "delong"])
def test_no_interval_without_variance(method):
    with warned(UndefinedInterval) as told:
        found = pc.interval.area_under_roc([1, 0] * 20, [1] * 40, method=method)
    assert found.estimate == 0.5
    assert found.low is None
    assert found.high is None
    assert told[0].reason == "its variance is 0, as all scores are equal"
    assert found.notes == tuple(told)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_no_step_next_to_a_perfect_list():
    """Wilson's bound at 1 and DeLong's beside it were .722 and .9999 with 10 relevant cases."""
    score = -np.arange(20_010.0)
    perfect = pc.interval.area_under_roc([1] * 10 + [0] * 20_000, score)
    nearly = pc.interval.area_under_roc([1] * 9 + [0, 1] + [0] * 19_999, score)
    assert nearly.low == pytest.approx(perfect.low, abs=1e-3)


def test_names_what_it_assumes_of_errors_that_the_sample_lacks():
    """No law of the old simulations had errors at the very bottom: with 3 % of 60 relevant cases
    there it covers 80 %.
    """
    with warned(AtAnEnd) as told:
        found = pc.interval.area_under_roc([1] * 60 + [0] * 3000, -np.arange(3060.0))
    assert (told[0].estimate, told[0].cases) == (1, 60)
    assert found.low > 0.97
    assert "too rare for the sample vary as those of exponential scores" in found.assumptions
    with pytest.warns(pc.PrecallWarning):
        plain = pc.interval.area_under_roc(
            [1] * 60 + [0] * 3000, -np.arange(3060.0), method="logit-delong"
        )
    assert plain.assumptions == "cases drawn independently"
