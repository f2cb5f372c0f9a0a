"""Intervals of the difference of two areas under ROC, or two average precisions, went beyond 1.

Normal bounds know no ends; the old tests had lists whose values differ by little.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc

#: Twelve items that one list orders nearly as well as can be, and the other nearly as badly.
TRUTH = np.array([1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0])
FIRST = np.arange(12, 0, -1.0)


@pytest.mark.parametrize("measure", ["AP", "AUC"])
@pytest.mark.parametrize("test", [None, "influence", "bootstrap", "permutation"])
@pytest.mark.parametrize("turned", [False, True])
def test_bounds_lie_between_minus_one_and_one(measure: str, test: str | None, turned: bool) -> None:
    lists = (FIRST, -FIRST)[:: -1 if turned else 1]
    found = pc.compare.cases(TRUTH, *lists, measure, test=test, resamples=500, level=0.999)
    assert found.low is not None and found.high is not None
    assert -1 <= found.low < found.difference < found.high <= 1
    if test in (None, "influence") and measure == "AUC":
        assert 1 in (-found.low, found.high)
    # Bounds inside are those of the test, as before.
    inside = pc.compare.cases(TRUTH, *lists, measure, test=test, resamples=500, level=0.5)
    assert -1 < inside.low < inside.high < 1
