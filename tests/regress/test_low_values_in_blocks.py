"""Low values of AP in blocks with few hits: the distribution function was up to 2.9 times the true one under "0.02".

Older tests compared p, and low values only where a block holds most of the items, or all counts were listed.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import precall as pc


def test_two_hits_behind_a_block_are_listed() -> None:
    sizes = [100] + [1] * 300
    ends = np.repeat(np.cumsum(sizes), sizes).astype(np.float64)
    values = []
    for first, second in combinations(range(400), 2):
        one, two = ends[first], ends[second]
        # Of a block both hits count at its end.
        values.append(2 / two if one == two else (1 / one + 2 / two) / 2)
    ordered = np.sort(values)
    null = pc.null.average_precision(400, 2, blocks=sizes, ties="block")
    for share in (0.001, 0.003, 0.01, 0.05, 0.1, 0.5):
        x = ordered[int(share * len(ordered))]
        assert null.cdf(x) == pytest.approx(np.mean(ordered <= x * (1 + 1e-12)), rel=1e-9)


def test_what_is_stated_of_low_values_holds() -> None:
    null = pc.null.average_precision(400, 7, blocks=[100] + [5] * 60, ties="block")
    assert "of P(X <= x) below 0.4 <= 0.25 down to 1e-03" in str(null.approximate)
    drawn = np.sort(null.rvs(100_000, rng=3))
    for share in (0.01, 0.03, 0.1, 0.3):
        x = drawn[int(share * len(drawn))]
        true = float(np.mean(drawn <= x * (1 + 1e-12)))
        assert null.cdf(x) == pytest.approx(true, rel=0.25)
        assert null.sf(x) == pytest.approx(float(np.mean(drawn >= x * (1 - 1e-12))), rel=0.02)
