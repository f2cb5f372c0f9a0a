"""The band of one precision-recall curve of ratings held 89 to 94 % of whole curves, and 44 % of
those that reach recalls of the grid exactly, without a note: all situations that were simulated had
scores without ties.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

import precall as pc
from tests.coverage import rating_bands


@pytest.mark.parametrize("kind", ["simultaneous", "pointwise"])
def test_a_rating_that_reaches_a_recall_in_half_of_the_samples(kind: str) -> None:
    """Precision is .8 if the best rating reaches recall .5, and .5 if it does not."""
    rating = np.repeat([3, 3, 2, 2, 1, 1], [200, 50, 120, 270, 80, 480])
    relevant = np.repeat([True, False, True, False, True, False], [200, 50, 120, 270, 80, 480])
    reached = pc.interval.pr_band(relevant, rating, kind=kind, grid=[0.5])
    assert reached.estimate == pytest.approx([0.8])
    assert reached.low[0] < 0.53
    fewer = np.delete(np.arange(len(rating)), 0)
    not_reached = pc.interval.pr_band(relevant[fewer], rating[fewer], kind=kind, grid=[0.5])
    assert not_reached.estimate == pytest.approx([0.5], abs=0.01)
    assert not_reached.high[0] > 0.8


def test_the_record_of_coverage() -> None:
    cells = json.loads(rating_bands.RECORD.read_text(encoding="utf-8"))["cells"]
    assert [cell["situation"] for cell in cells] == [of.name for of in rating_bands.SITUATIONS]
    for cell in cells:
        assert cell["samples"] >= 800
        assert cell["covered"] >= 0.95


@pytest.mark.nightly
@pytest.mark.parametrize("number", [2, 4])
def test_coverage_anew(number: int) -> None:
    cell = rating_bands.simulate(rating_bands.SITUATIONS[number], 150)
    assert cell["covered"] >= 0.95 - 3 * 0.018
