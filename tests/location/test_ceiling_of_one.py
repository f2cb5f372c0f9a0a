"""The hits needed for a recall, of one number and of many: the same exact ceilings."""

from __future__ import annotations

import numpy as np
import pytest

from precall.location.hits import ceiling, ceiling_of_one


@pytest.mark.parametrize("factor", [0, 0.1, 0.3, 0.7, 1 / 3, 1.0, 1e-9, 5e-324, np.float32(0.7)])
def test_one_is_as_many(factor):
    totals = [*range(60), 10**6, 2**53]
    expected = [ceiling(factor, np.array([total])).item() for total in totals]
    assert [ceiling_of_one(factor, total) for total in totals] == expected
    assert all(type(ceiling_of_one(factor, total)) is int for total in totals)
