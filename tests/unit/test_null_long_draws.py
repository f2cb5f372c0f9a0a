"""Random draws of null distributions of long lists, where hits are drawn and not orders of all items."""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc


def test_ndcg_is_drawn_by_places_in_long_lists(monkeypatch):
    monkeypatch.setattr("precall.infer.null.graded.LONG", 5)
    null = pc.null.ndcg(8, [1, 2, 1, 3, 2])
    values, _ = null._mass
    drawn = null.rvs(40_000, rng=3)
    for value in np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95]).tolist():
        known = float(null.sf(value))
        assert np.mean(drawn >= value - 1e-12) == pytest.approx(
            known, abs=4 * (known * (1 - known) / 40_000) ** 0.5
        )
    assert set(drawn.round(9)) <= set(values.round(9))
    different = pc.null.ndcg(30, list(range(1, 21)))  # more gains than are placed one by one
    drawn = different.rvs(20_000, rng=4)
    assert drawn.mean() == pytest.approx(different.mean, abs=4 * different.std / 20_000**0.5)
    assert drawn.std() == pytest.approx(different.std, rel=0.03)


@pytest.mark.parametrize("relevant", [400, 6_000, 12_000, 19_000])
def test_locations_in_long_lists(relevant):
    null = pc.null.average_precision(20_000, relevant)
    drawn = null.rvs(1_000, rng=5)
    assert drawn.mean() == pytest.approx(null.mean, abs=4 * null.std / 1_000**0.5)
    assert drawn.std() == pytest.approx(null.std, rel=0.1)


def test_few_misses_of_many_items():
    # What each miss takes was looked up among sums of 1/k of all ranks: 15 GB, and 40 seconds.
    null = pc.null.average_precision(10**9, 10**9 - 10)
    drawn = null.rvs(2_000, rng=2)
    assert drawn.mean() == pytest.approx(null.mean, abs=4 * null.std / 2_000**0.5)
    assert drawn.std() == pytest.approx(null.std, rel=0.2)
    exact = pc.null.average_precision(20_000, 19_998)
    worth = np.mean([exact.sf(value) for value in exact.rvs(400, rng=4)])
    assert worth == pytest.approx(0.5, abs=4 * (1 / 12 / 400) ** 0.5)
