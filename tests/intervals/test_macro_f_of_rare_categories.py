"""Intervals of macro-F covered 20 to 90 % where categories are nearly empty: such a category
counted as known to be 0 or 1.

The old grid had three to five categories; the one with a rare category fell to 62 % and was let
off, as it warned.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from tests.coverage.grid import every
from tests.coverage.simulation import simulated


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize(
    "situation",
    [
        "100 items, 10 categories, each half as often",
        "1000 items, 90 categories",
        "50 items, 3 categories, one rare",
    ],
)
def test_covers(situation):
    cell = next(
        one
        for one in every()
        if (one.interval, one.situation) == ("macro_f", situation) and one.default
    )
    found = simulated(cell, 300, seed=4)
    assert found.covered >= 0.93 - 2 * found.error


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_an_empty_category_leaves_its_share_open():
    table = np.diag([400, 400, 0])
    table[0, 1] = table[1, 0] = 20
    found = pc.interval.macro_f(table)
    # It counts as 0 in the estimate; on new items its F may be 1, which is a third of the mean.
    assert found.estimate == pytest.approx(2 / 3 * 20 / 21)
    assert found.high > found.estimate + 1 / 3
    assert found.low < found.estimate
    # Where nothing is rare, next to nothing changes.
    full = pc.interval.macro_f(table[:2, :2])
    error = full.standard_error / (full.estimate * (1 - full.estimate))
    odds = np.log(full.estimate / (1 - full.estimate))
    for end, sign in ((full.low, -1), (full.high, 1)):
        assert np.log(end / (1 - end)) == pytest.approx(
            odds + sign * 1.959964 * error, abs=0.02 * 1.96 * error + 0.01
        )


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_all_right_but_for_the_empty():
    found = pc.interval.macro_f(np.diag([30, 30, 0, 0]))
    assert found.estimate == 0.5
    assert found.high == 1.0
    assert 0 < found.low < 0.5
