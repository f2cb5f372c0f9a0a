"""Masses at or above what was observed are coloured, as p counts them.

A mean of fractions such as .41111111111111115 is a digit more than the value 37/90 that the
distribution has: p counted that value, and the picture left its stem out. The old tests observed .5
and 1, which are floats without rounding.
"""

import numpy as np
import pytest

from precall import null
from precall.plot import NullDensity


@pytest.mark.nightly
@pytest.mark.parametrize(("items", "relevant"), [(8, 3), (10, 4), (12, 3), (20, 2)])
def test_the_coloured_stems_add_up_to_p(items: int, relevant: int) -> None:
    distribution = null.average_precision(items, relevant)
    draw = np.random.default_rng(1)
    for _ in range(20):
        rank = np.sort(draw.choice(items, relevant, replace=False)) + 1
        observed = sum((hit / at for hit, at in enumerate(rank.tolist(), 1)), 0.0) / relevant
        display = NullDensity.of(distribution, observed=observed).plot()
        coloured = display.ax_.collections[-1]
        height = sum(float(stem[1, 1]) for stem in coloured.get_segments())
        assert height == pytest.approx(display.tail, abs=1e-12)
