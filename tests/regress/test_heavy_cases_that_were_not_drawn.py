"""Few heavy cases were warned of, but not that there was none: where relevant cases of weight 20 are rare, one sample in
seven has none, and those intervals of AP covered 53 % in silence.

The old simulations of weighted cases gave both kinds the same weights, and let cells off that warned in most samples.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import precall as pc
from tests.coverage.drawn import steep, weighted

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")


def told(weight: np.ndarray) -> list[str]:
    rng = np.random.default_rng(1)
    relevant = np.arange(400) < 80
    score = rng.normal(size=400) + relevant
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        found = [
            getattr(pc.interval, name)(relevant, score, weights=weight)
            for name in ("average_precision", "area_under_roc")
        ]
    return [note for one in found for note in one.notes]


def test_says_that_one_kind_has_none():
    weight = np.ones(400)
    weight[200:280] = 20.5
    assert len(told(weight)) == 2
    assert all("only relevant or only other cases have much weight" in note for note in told(weight))


@pytest.mark.parametrize("shares", [(1.0, 20.5), (0.5, 0.5)])
def test_even_weights_are_left_alone(shares):
    weight = np.where(np.arange(400) < 80, *shares)
    assert told(weight) == []


def test_half_of_all_heavy_is_left_alone():
    assert told(np.where(np.arange(400) % 2, 20.5, 1.0)) == []


def test_more_cases_of_one_kind_have_a_greater_weight_and_are_left_alone():
    weight = np.where(np.arange(400) % 3, 1.5, 6.5)
    weight[399] = 20.5
    assert told(weight) == []


@pytest.mark.parametrize("seed", range(3))
def test_ten_that_hold_most_are_few(seed):
    """Weights of 1 to 50: 40 or more are over twice the mean, but ten of them are most of it. It said nothing, and AP's
    intervals of such samples covered 91-93 %."""
    relevant, score, weight = steep(8000, 0.2, 1.5)(np.random.default_rng(seed))
    found = pc.interval.average_precision(relevant, score, weights=weight)
    assert any("cases of much weight are few" in note for note in found.notes)


@pytest.mark.parametrize("design", [(4000, 0.2, 1.5, 0.25), (8000, 0.2, 1.5, 0.1)])
def test_two_strata_are_left_alone(design):
    """These cover 94-95 %."""
    relevant, score, weight = weighted(*design)(np.random.default_rng(1))
    assert pc.interval.average_precision(relevant, score, weights=weight).notes == ()
